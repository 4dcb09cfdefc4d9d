"""What is on the map and off it. Plain dataclasses; the engine reads and writes them whole.

Hexes are written as printed ("1507"), units by their ids. The Allies are the players' side;
the Germans are played by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.game import GameState
from pbem.wargame.counters import Counters, Placed

Hex = str
Group = Literal["us", "british", "airborne"]
ArmyGroup = Literal["us", "british"]
Type = Literal["armour", "infantry"]
Place = Literal["map", "later", "dead", "grounded", "relieved"]
GermanPlace = Literal["pool", "afp", "later", "map", "fallen", "gone"]

ARMY_GROUPS: tuple[ArmyGroup, ...] = ("us", "british")
OTHER: dict[str, ArmyGroup] = {"us": "british", "british": "us"}


@dataclass(slots=True)
class Unit(Placed):
    """An Allied division of two steps at most (2.5). `place` is where it is: on the map (`hex` says where),
    still to come, eliminated (7.5), grounded for want of supply (9.15), or an airborne division
    that has been relieved (13.8)."""

    id: str
    group: Group
    nation: str
    type: Type
    steps: int = 2
    hex: Hex | None = None
    place: Place = "later"
    arrives: int = 0
    """The box of the turn track that it waits in as a reinforcement (7.1);
    0 for those there from the start."""
    replenishing: bool = False
    """Under a REPS marker: it neither moves nor fights this turn (7.7)."""

    @property
    def whereabouts(self) -> str:
        """Why it cannot be given an order, said of a unit that is not on the map."""
        reasons = {"dead": "has been eliminated", "grounded": "was grounded", "relieved": "was relieved"}
        return reasons.get(self.place, "is not on the map")

    @property
    def row(self) -> str:
        """Its row of the Combat Results Table (1.4): French fire as US, Canadians and Poles as British."""
        return "us" if self.nation in ("us", "french") else "british"


@dataclass(slots=True)
class German:
    """A German unit of one step. `place` is where it is: in the force pool, in the Argentan-Falaise Pocket,
    on the turn track, on the map (`hex` says where), fallen and back in the pool in phase IV (10.6),
    or gone for good."""

    id: str
    type: Type
    elite: bool = False
    place: GermanPlace = "pool"
    hex: Hex | None = None
    arrives: int = 0
    once: bool = False
    """Gone for good the first time it is eliminated (10.6)."""


@dataclass(slots=True, kw_only=True)
class State(Counters[Unit], GameState):
    version: int = 1
    units: dict[str, Unit] = field(default_factory=dict)
    germans: dict[str, German] = field(default_factory=dict)
    german: list[Hex] = field(default_factory=list)
    """The land hexes that the Germans control, in order (3.7)."""
    afp: Literal["standing", "escaped", "destroyed"] = "standing"
    """The Argentan-Falaise Pocket: its marker is still there, its units went into the pool,
    or they are gone (11)."""
    garrisons: list[Hex] = field(default_factory=list)
    """Fortress cities that were cut off and hold their lone garrison (12.8, 12.9)."""
    supply_die: int = 0
    partial: Literal["", "us", "british"] = ""
    """The army group that is only partially supplied, from turn 3 on (9.14)."""
    attacked: dict[Hex, ArmyGroup] = field(default_factory=dict)
    """Which army group has attacked a hex this turn; the other may not (9.11)."""
    drop_turn: int = 0
    """The turn of the airborne assault, 0 as long as there was none (13.4)."""
    drops: list[Hex] = field(default_factory=list)
    """Hexes in which airborne divisions gained control by landing (13.7)."""
    conceded: bool = False

    @property
    def over(self) -> bool:
        """5.5 Whether the Allies have conceded."""
        return self.conceded

    def on_map(self, group: Group | None = None) -> list[Unit]:
        return [u for u in self.units.values() if u.place == "map" and group in (None, u.group)]

    def defenders(self, hex: Hex) -> list[German]:
        """The German units in a hex (6.4)."""
        return [unit for unit in self.germans.values() if unit.hex == hex]

    def pool(self) -> tuple[str, ...]:
        """The units of the force pool, in order of their names."""
        return tuple(sorted(unit.id for unit in self.germans.values() if unit.place == "pool"))
