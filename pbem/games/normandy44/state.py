"""What is on the map and off it. Plain dataclasses; the engine reads and writes them whole.

Hexes are written as printed ("1218": row, then column, counted from the east), units by their ids,
sides are "allied" and "german", armies "us" (French included), "uk" (Canadians, Poles and Belgians included)
and "german" (9.0).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.game import GameState
from pbem.games.normandy44.tables import UNITS, Army, Counter, Hex, Side
from pbem.wargame.counters import Placed, Sides

SIDES: tuple[Side, ...] = ("allied", "german")
ENEMY: dict[str, Side] = {"allied": "german", "german": "allied"}

Place = Literal["map", "later", "reserve", "track", "dead", "exited"]
"""On the map; still to come by the charts; Allied and waiting to land;
German and on the strategic movement track; lost; off the map."""


@dataclass(slots=True)
class Unit(Placed):
    """A counter in play. `counter` has what is printed on it."""

    id: str
    place: Place = "later"
    hex: Hex | None = None
    lost: int = 0
    """Steps lost."""
    unsupplied: bool = False
    """Marked as out of supply at the end of the last turn (8.4)."""
    acted: bool = False
    """Has moved or fought in an activation of its own side this turn: no replacements (13.0)."""
    used: bool = False
    """A headquarters turned face down: it has given its tactical support this turn (6.3)."""
    box: str = ""
    """German, on the track: its box; "map" if it comes onto the map without the track (2.5)."""
    routes: tuple[str, ...] = ()
    """German, on the track: the roads by which it may come in; empty for those of its track."""
    ready: bool = False
    """German, on the track: its die lets it onto the map in this activation (11.1)."""
    phase: str = ""
    """Allied, in the reserve: "A" if it may land from this turn's offensive phase on,
    "B" from the normal phase on (2.5)."""
    paid: bool = False
    """Allied, in the reserve: rebuilt, its landing capacity paid for already (13.0)."""
    landed: bool = False
    """Has landed this turn: no strategic movement (5.3)."""
    back: int = 0
    """A lost headquarters: the turn at the end of which it may return (6.4)."""

    @property
    def counter(self) -> Counter:
        return UNITS[self.id]

    @property
    def side(self) -> Side:
        return self.counter.side

    @property
    def army(self) -> Army:
        return self.counter.army

    @property
    def hq(self) -> bool:
        return self.counter.hq

    @property
    def left(self) -> int:
        """Steps left; a headquarters has none to lose."""
        return len(self.counter.steps) - self.lost

    @property
    def attack(self) -> int:
        """Printed attack strength with the steps that are left."""
        return 0 if self.hq else self.counter.steps[self.lost][0]

    @property
    def defence(self) -> int:
        """8.3 Defence strength: halved and rounded up out of supply."""
        if self.hq:
            return 0
        printed = self.counter.steps[self.lost][1]
        return (printed + 1) // 2 if self.unsupplied else printed

    @property
    def pe(self) -> int:
        """E1 Stacking points with the steps that are left; none for a headquarters."""
        return 0 if self.hq else self.counter.pe[self.lost]

    @property
    def fixed(self) -> bool:
        """E8 A beach garrison: never moves, never attacks, and does not count for stacking."""
        return self.counter.kind == "garrison"


@dataclass(slots=True)
class Port:
    """14 A port or artificial port. `left` are the turns until its depot comes into use (-1:
    not begun, 0: it works), `damaged` a Mulberry hit by a storm, `gone` one that is lost for good.
    `worth` is what it adds to the landing capacity when it works."""

    left: int = -1
    worth: int = 0
    damaged: bool = False
    gone: bool = False
    hindered: bool = False
    """14.3 Cherbourg: Germans have been in it this turn and have taken their points off (ports.py)."""


@dataclass(slots=True, kw_only=True)
class State(Sides[Unit, Side], GameState):
    version: int = 1
    units: dict[str, Unit] = field(default_factory=dict)
    weather: str = ""
    """clear, overcast or adverse; "" before the first weather phase."""
    bad_turns: int = 0
    """2.1 Overcast and adverse turns in a row up to now."""
    markers: dict[Side, int] = field(default_factory=lambda: {"allied": 0, "german": 0})
    """2.2 Offensive markers in the depots."""
    supported: list[str] = field(default_factory=list)
    """2.3 Headquarters with an offensive marker; the markers go at the end of phase A."""
    initiative: Side | Literal[""] = ""
    """2.3 Player number one; "" until both have allocated."""
    panzers: list[str] = field(default_factory=list)
    """E3 Panzer divisions that have given, or begin with, their bonus."""
    fighters: dict[str, int] = field(default_factory=dict)
    """10.1 Headquarters -> fighters on it that have not flown yet this turn."""
    interdicted: list[str] = field(default_factory=list)
    """10.2 Air zones with a fighter."""
    bombers: dict[str, int] = field(default_factory=dict)
    """10.4 Box of the track -> bombers over it."""
    targets: dict[Hex, Army] = field(default_factory=dict)
    """10.3 Hexes to be carpet bombed this turn, and by whose bombers."""
    craters: list[Hex] = field(default_factory=list)
    """10.3 Hexes with bombers on them since they were struck, until the next air phase."""
    carpets: list[Army] = field(default_factory=list)
    """10.3 Armies whose bombers have carpet bombed in this game."""
    guns: dict[str, int] = field(default_factory=dict)
    """12.0 Points of naval gunfire left this turn: "us cruisers" -> 3."""
    capacity: dict[str, int] = field(default_factory=dict)
    """14.0 Landing points left this turn, by beach hex or port."""
    ports: dict[str, Port] = field(default_factory=dict)
    control: dict[Hex, Side] = field(default_factory=dict)
    """S1 to S3 Which side's combat units were last in each hex that matters: victory towns,
    beaches, ports."""
    exits: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """S2 "L", "east" or "south" -> units that have left the map there, with the stacking points
    that they had."""
    utah_lost: bool = False
    """S1 A German combat unit has been in 0617."""
    schlieben: bool = False
    """E9 Von Schlieben's headquarters has appeared."""
    ended: str = ""
    """The level of victory that has been reached, in the words of the scenario; "" while the game goes on."""

    @property
    def over(self) -> bool:
        """2.8 Whether a side has won; the turn is played to its end."""
        return self.phase in ("reaction", "end") and self.ended != ""

    def option(self, key: str) -> str:
        """The value of an option of the game."""
        return self.options[key]
