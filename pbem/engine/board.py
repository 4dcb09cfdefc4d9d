"""What to draw: the map as one reader may see it, in the words of every wargame. `render/` turns it into
pictures and text.

A game's `board(view)` builds one from its view. Nothing here knows a state, so nothing here can leak one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from pbem.engine.map import Map
from pbem.engine.wording import unknown

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
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
SIZES: tuple[Size, ...] = get_args(Size)
_SYMBOLS, _SIZES = frozenset(SYMBOLS), frozenset(SIZES)


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter face. `colours` is a key of `FACES` in pbem/render/palette.py, such as ``allied``
    or ``red``; `symbol` is one of `SYMBOLS`, `size` one of `SIZES`. An unknown counter (`hidden`) shows the
    back: a trench sign if `entrenched`, and no symbol, figures or name. Raises ValueError for an unknown
    symbol or size.

    `unit` is the id by which its reader may order or name the unit, "" for an unknown one and for markers. It
    is no part of the face: it is not drawn, and faces that differ in it alone are equal."""

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
    disrupted: bool = False
    moved: bool = False
    dimmed: bool = False
    unit: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.symbol not in _SYMBOLS or self.size not in _SIZES:
            what, word, known = (
                ("size", self.size, SIZES) if self.symbol in _SYMBOLS else ("symbol", self.symbol, SYMBOLS)
            )
            said = unknown(f"no {what}", word, filter(None, known))
            raise ValueError(f"{self.name or self.hex}: {said}")


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move or retreat of the last phase, or a line of supply: its hexes in order."""

    path: tuple[str, ...]
    colours: str
    kind: Literal["move", "retreat", "advance", "arrival", "supply"] = "move"


@dataclass(frozen=True, slots=True)
class Battle:
    """A fight of the last phase, numbered as in the log (R17), from the attackers' hexes to the
    defenders'."""

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
    """A stretch of a line along hexsides, between two neighbouring hexes: a front, a boundary, a line of the
    map. `name` is what the legend calls it, by default after its side and kind."""

    hexes: tuple[str, str]
    colours: str = ""
    kind: Literal["front", "boundary"] = "front"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A picture to draw. `focus` are the hexes that matter now (empty: the whole map): the frame may zoom to
    them."""

    map: Map
    title: str
    subtitle: str = ""
    counters: tuple[Counter, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    battles: tuple[Battle, ...] = ()
    marks: tuple[Mark, ...] = ()
    borders: tuple[Border, ...] = ()
    entries: tuple[str, ...] = ()
    """Hexes where units of the reader may be placed, land or enter now."""
    focus: tuple[str, ...] = ()
    legend: dict[str, str] = field(default_factory=dict)
    """Palette key -> what it stands for, in the order to list: ``{"allied": "Allied", "german":
    "German"}``."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """What the game means by a sign where `MEANINGS` of pbem/render/signs.py would say too little:
    ``{"dimmed": "cadre"}``; "figures" are those on a counter."""


def legend(counters: Iterable[Counter], names: Mapping[str, str], *also: str) -> dict[str, str]:
    """Of the palette keys in `names`, those that the counters show, and those of `also`, with what they stand
    for."""
    used = {counter.colours for counter in counters}.union(also)
    return {key: name for key, name in names.items() if key in used}


def lost_marks(lost: Iterable[tuple[str, str, int]]) -> tuple[Mark, ...]:
    """A mark for each hex and side with the number of units lost there, put together from (hex, palette key,
    number)."""
    counts: dict[tuple[str, str], int] = {}
    for hex, colours, number in lost:
        if number:
            counts[hex, colours] = counts.get((hex, colours), 0) + number
    return tuple(Mark(hex, "lost", str(number), colours) for (hex, colours), number in counts.items())
