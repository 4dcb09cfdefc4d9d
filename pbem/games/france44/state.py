"""What is on the map and off it. Plain dataclasses; the engine reads and writes them whole.

Hexes are written as printed ("3510": column, then row), pieces by their ids, sides are "allied" and "german".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.game import GameState
from pbem.games.france44.tables import GRID, SOUTH, UNITS, Arm, Counter, Headquarters, Hex, Nation, Side
from pbem.wargame.counters import Placed, Sides

SIDES: tuple[Side, ...] = ("allied", "german")
ENEMY: dict[str, Side] = {"allied": "german", "german": "allied"}
CADRE = 2
"""3.2 Steps lost by a cadre."""
AIRBORNE = "XVIII/US"
"""12.3 In supply and under command wherever it came down."""
ADMINISTRATIVE = "administrative"
"""The chit of the administrative phase; the others are called after their side."""

Place = Literal["map", "later", "due", "box", "eliminated", "fresh", "track", "gone"]
"""On the map (the southern row included); to come by the schedule; due this turn or waiting to come in;
the airborne box in England; the eliminated box; eliminated by attrition in this segment, beside that box;
on the turn track; out of the game."""


@dataclass(slots=True)
class Unit(Placed):
    """A piece in play. `counter` has what is printed on it."""

    id: str
    place: Place = "later"
    hex: Hex | None = None
    lost: int = 0
    """Steps lost: 1 reduced, 2 a cadre."""
    unsupplied: bool = False
    """11.5 Carries an out of supply marker."""
    green: bool = False
    """3.10 Untried: morale 1."""
    back: int = 0
    """On the turn track: the turn in which it comes back (4.10), or goes to the eliminated box (10.1.1)."""
    rebuilt: bool = False
    """Rebuilt by replacements in this administrative phase: it must enter now (10.1.2)."""

    @property
    def piece(self) -> Counter | Headquarters:
        return UNITS[self.id]

    @property
    def counter(self) -> Counter:
        piece = UNITS[self.id]
        assert isinstance(piece, Counter), f"{self.id} is a headquarters"
        return piece

    @property
    def headquarters(self) -> Headquarters:
        piece = UNITS[self.id]
        assert isinstance(piece, Headquarters), f"{self.id} is no headquarters"
        return piece

    @property
    def hq(self) -> bool:
        return UNITS[self.id].hq

    @property
    def side(self) -> Side:
        return UNITS[self.id].side

    @property
    def nation(self) -> Nation:
        return self.piece.nation

    @property
    def arm(self) -> Arm:
        return self.counter.arm

    @property
    def in_south(self) -> bool:
        """10.1.3 Whether it is in the southern row."""
        return bool(SOUTH >> GRID.index(self.placed) & 1)

    @property
    def left(self) -> int:
        """Steps left."""
        return len(self.counter.steps) - self.lost

    @property
    def cadre(self) -> bool:
        """3.2 A cadre exerts no zone of control; a one-step division never is one."""
        return self.lost >= CADRE

    @property
    def morale(self) -> int:
        """3.7, 3.10 Morale rating."""
        return 1 if self.green else self.counter.morale

    def strength(self, mobile: bool) -> int:
        """3.8 Set piece or mobile strength with the steps that are left."""
        return self.counter.steps[self.lost][mobile]


@dataclass(slots=True, kw_only=True)
class State(Sides[Unit, Side], GameState):
    version: int = 1
    units: dict[str, Unit] = field(default_factory=dict)
    supply: dict[Side, int] = field(default_factory=dict)
    """2.0.4 Supply points available."""
    committed: dict[Side, int] = field(default_factory=dict)
    """2.0.8 Supply points committed for the next turn. Each side knows its own only,
    until they become chits."""
    reaction: dict[Side, int] = field(default_factory=dict)
    """2.0.5 Reaction points available."""
    cup: list[str] = field(default_factory=list)
    """Chits still to be drawn: "allied", "german" or "administrative"."""
    chit: str = ""
    """The chit of the running cycle, once drawn."""
    segment: str = ""
    """10.1 The segment of the administrative phase that is being played; "" outside it."""
    bulge: int = 0
    """12.5 German initiative phases of a surprise offensive still to come before the cup is drawn
    from again."""
    bulge_points: bool = False
    """12.5 The reaction points that open a surprise offensive are still to be spent."""
    air: bool = False
    """2.0.3 Air support is available this turn."""
    interdicting: int = 0
    """2.0.3 Tactical air markers on the German reaction track."""
    heavies: int = 0
    """9.2 Heavy bomber markers left for the game."""
    heavy_used: bool = False
    """9.2 A heavy bomber marker has been used since the last initiative chit."""
    drop: Hex | None = None
    """12.3 Where the 18th Airborne came down and still is; rivers beside it do not count."""
    jumped: bool = False
    """12.3 It has jumped since the last chit."""
    drop_stays: bool = False
    """12.4 It dropped in Varsity, and stays on the map."""
    south_open: bool = False
    """10.1.3 The arrivals of September have come: the southern row is an Allied source."""
    control: dict[Hex, Side] = field(default_factory=dict)
    """11.3 The side whose combat unit was last in each hex that matters: sources, ports, towns and cities
    that count for victory."""
    bridges: dict[str, int] = field(default_factory=dict)
    """12.7 Hexside of the Rhine -> bridges that still stand, once it has been rolled for."""
    bridgeheads: list[Hex] = field(default_factory=list)
    """12.6"""
    rhine_crossed: int = 0
    """12.9 The turn in which the Allies first crossed the Rhine; 0 if they have not."""
    reached: dict[str, int] = field(default_factory=dict)
    """Lines that the Allies have crossed (milestones.py) -> the turn at the end of which they
    first stood beyond."""
    advantage: Side | Literal[""] = ""
    """12.10 The side that holds the Advantage; "" without that option."""
    advantage_from: int = 1
    """12.10 The turn from which it may be used."""
    tried: list[str] = field(default_factory=list)
    """3.10 Green units that are no longer untried."""
    losses: dict[Side, int] = field(default_factory=dict)
    """Combat units eliminated in the game."""
    ended: str = ""
    """The level of victory that has been reached; "" while the game goes on."""

    @property
    def air_support(self) -> bool:
        """2.0.3, 9.2 Whether the Allies have air support this turn; in July they have it without a die."""
        return self.air or self.turn == 1

    @property
    def over(self) -> bool:
        """2.0.12 Whether the game has ended."""
        return bool(self.ended)

    def flown_in(self, unit: Unit) -> bool:
        """12.3, 12.4 Whether a unit is the 18th Airborne, in the cycle in which it has jumped."""
        return unit.id == AIRBORNE and self.jumped

    def option(self, key: str) -> str:
        """The value of an option of the game."""
        return self.options[key]
