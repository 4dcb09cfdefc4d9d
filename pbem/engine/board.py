"""What to draw: the map as one reader may see it, in the words of every wargame. `render/` turns it into pictures and text.

A game's `board(view)` builds one from its view. Nothing here knows a state, so nothing here can leak one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.map import Map

Symbol = Literal[
    "infantry",
    "parachute",
    "glider",
    "commando",
    "armour",
    "mechanised",
    "motorised",
    "bicycle",
    "reconnaissance",
    "artillery",
    "anti-tank",
    "flak",
    "engineer",
    "headquarters",
    "none",
]
Size = Literal["", "company", "battalion", "regiment", "brigade", "division", "corps", "army"]


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter face. `colours` is the key of a palette entry (``allied``, ``german``, ``us``, ``uk``). An unknown
    counter (`hidden`) shows the back: a trench sign if `entrenched`, and no symbol, figures or name."""

    hex: str
    colours: str
    figures: str = ""
    name: str = ""
    symbol: Symbol = "none"
    size: Size = ""
    entrenched: bool = False
    hidden: bool = False
    inverted: bool = False
    unsupplied: bool = False
    moved: bool = False
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move or retreat of the last phase: its hexes in order."""

    path: tuple[str, ...]
    colours: str
    kind: Literal["move", "retreat", "advance", "arrival"] = "move"


@dataclass(frozen=True, slots=True)
class Battle:
    """A fight of the last phase, numbered as in the log (R17), from the attackers' hexes to the defenders'."""

    hex: str
    label: str
    attackers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Anything else on a hex: a lost unit, a supply source, an objective, control by a side."""

    hex: str
    kind: Literal["lost", "supply", "objective", "control", "beach", "target", "exit"]
    text: str = ""
    colours: str = ""


@dataclass(frozen=True, slots=True)
class Border:
    """A stretch of a line along hexsides, between two neighbouring hexes: a front, a boundary, a line of the map."""

    hexes: tuple[str, str]
    colours: str = ""
    kind: Literal["front", "boundary"] = "front"


@dataclass(frozen=True, slots=True)
class Board:
    """A picture to draw. `focus` are the hexes that matter now (empty: the whole map): the frame may zoom to them."""

    map: Map
    title: str
    subtitle: str = ""
    counters: tuple[Counter, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    battles: tuple[Battle, ...] = ()
    marks: tuple[Mark, ...] = ()
    borders: tuple[Border, ...] = ()
    focus: tuple[str, ...] = ()
    legend: dict[str, str] = field(default_factory=dict)
    """Palette key -> what it stands for, in the order to list: ``{"allied": "Allied", "german": "German"}``."""
