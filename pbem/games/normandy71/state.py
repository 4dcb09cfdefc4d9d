"""What is on the map and off it. Plain dataclasses; the engine reads and writes them whole.

Hexes are written as printed ("4918"), units by their ids, sides are "allied" and "german".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.game import GameState
from pbem.wargame.counters import Placed, Sides

Side = Literal["allied", "german"]
Hex = str

SIDES: tuple[Side, ...] = ("allied", "german")
LAST_TURN = 6
"""LEN The game-turn at the end of which the game is over."""
ENEMY: dict[str, Side] = {"allied": "german", "german": "allied"}


@dataclass(slots=True)
class Unit(Placed):
    """A counter. `kind` is what is printed on it ("7-4", "10d6"), `type` one of the types of units.toml,
    `place` where it is: on the map (`hex` says where), still to come, withheld or waiting to land,
    off the map by an exit road, or lost."""

    id: str
    side: Side
    kind: str
    type: str
    size: Literal["regiment", "battalion"]
    strength: int
    allowance: int
    nation: str = ""
    defend_only: bool = False
    hex: Hex | None = None
    place: Literal["map", "later", "box", "exited", "lost"] = "later"
    arrives: int = 0
    """The game-turn from which it may arrive; 0 for units that begin on the map."""
    edges: tuple[str, ...] = ()
    """German reinforcements: the map edges at which it may enter. Allied units that left:
    the edge they left by."""
    entry: str = ""
    """How it comes: invasion, commando, paradrop, glider, reinforcement, at start;
    for set-up, the line of the order of battle."""
    part_of: str = ""
    """The id of the unit it was broken down from (STK.B)."""
    whole: str = ""
    """The kind of the unit it was broken down from (STK.E)."""
    beach: str = ""
    """The beach in whose box it waits (place "box")."""
    inverted: bool = False
    """A paratroop unit in excess of the stacking limit where it came down (INV.1C)."""
    never_supplied: bool = False
    """A paratroop unit that has not been in supply since its drop (PAR.D)."""

    @property
    def armour(self) -> bool:
        """Tank units only, not reconnaissance (Definition of Terms)."""
        return self.type == "armour"

    @property
    def motor(self) -> bool:
        """Pays the movement costs of vehicles: printed allowance of six or more (ZOC.A)."""
        return self.allowance >= 6

    @property
    def absence(self) -> str:
        """Why it is not on the map, after its name."""
        why = {"box": f"waits to land at {self.beach}", "exited": "has left the map", "lost": "is lost"}
        return why.get(self.place, "is still to come")


@dataclass(slots=True)
class Plan:
    """The Allied plan, secret until it is carried out; `supply` (beach names) to the end of the game
    (INV.1A)."""

    beaches: dict[str, list[str]] = field(default_factory=dict)
    """Beach name -> ids of the units that land there first."""
    supply: list[str] = field(default_factory=list)
    commandos: dict[str, Hex] = field(default_factory=dict)
    drops: dict[str, Hex] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class State(Sides[Unit, Side], GameState):
    version: int = 1
    units: dict[str, Unit] = field(default_factory=dict)
    plan: Plan = field(default_factory=Plan)
    order_of_battle: str = ""
    """The German order of battle, "A" to "F". Hidden from the Allied player until the end."""
    assignment: tuple[str, ...] = ()
    """Which order of battle each face of the die stood for (INV.1B)."""
    entrenchments: dict[Hex, Side] = field(default_factory=dict)
    """Hexes with an entrenchment marker, and whose it is (ENT)."""
    announced: dict[str, int] = field(default_factory=dict)
    """Unit -> game-turn in which it was announced that it will entrench (ENT)."""
    retreated: list[str] = field(default_factory=list)
    """Units retreated since their side's last player-turn: they may not roll to entrench (ENT)."""
    dead_beaches: list[str] = field(default_factory=list)
    """Supply beaches that a German unit has entered (SUP.H). Secret: the German player never learns
    that they were one."""
    fired: dict[str, int] = field(default_factory=dict)
    """Naval missions used this game-turn: "attack heavy" -> 1 (NAV.B)."""
    passed: dict[Hex, Side] = field(default_factory=dict)
    """The side that last passed through each city hex (VIC.C)."""
    closed_roads: list[Hex] = field(default_factory=list)
    """Exit road hexes by which Allied units have left the map (SUP.J)."""
    exits: dict[str, list[str]] = field(default_factory=dict)
    """Map edge -> ids of the Allied units that left by it in time (VIC.X)."""

    def entrenched(self, unit: Unit) -> bool:
        """Whether the unit is under a marker of its own side (ENT.C)."""
        return unit.hex is not None and self.entrenchments.get(unit.hex) == unit.side
