"""What is on the map and off it. Plain dataclasses; the engine reads and writes them whole.

Hexes are written as printed ("2715"), units by their ids, commands by their keys ("1SS", "2CC").
What is printed on a counter is not kept here: `Unit.counter` looks it up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.game import GameState
from pbem.games.falaise.tables import UNITS, Counter, is_day
from pbem.games.falaise.tables import Hex as Hex
from pbem.games.falaise.tables import Side as Side
from pbem.wargame.counters import Placed, Sides

Place = Literal["later", "map", "unknown", "dead", "exited", "removed"]
"""Still to be set up or to arrive; on the map; among the German Unknown Forces (3.1); eliminated;
gone by the south edge (3.3); taken off the map (12.5)."""
Mode = Literal["", "movement", "assault"]
OTHER: dict[Side, Side] = {"german": "allied", "allied": "german"}


@dataclass(slots=True)
class Unit(Placed):
    """A combat unit (2.2). `finished`: it has been activated this turn and turned aside (4.0); `attached`:
    the command it belongs to this turn instead of its own (11.1, 11.3, 11.4), "" for its own."""

    id: str
    place: Place = "later"
    hex: Hex | None = None
    steps: int = 1
    disrupted: bool = False
    finished: bool = False
    attached: str = ""

    @property
    def counter(self) -> Counter:
        return UNITS[self.id]

    @property
    def side(self) -> Side:
        return UNITS[self.id].side

    @property
    def command(self) -> str:
        """The command that activates it now."""
        return self.attached or UNITS[self.id].corps

    @property
    def strength(self) -> int:
        """Its combat factor at its present number of steps."""
        strengths = UNITS[self.id].strength
        return strengths[len(strengths) - self.steps]

    @property
    def mech(self) -> bool:
        return UNITS[self.id].mech


@dataclass(slots=True)
class Award:
    """A line of the ledger of victory points (3.2): when, for what (a key: lost, reduced, cut off ...), how
    many, by which case, for which unit if any."""

    turn: int
    what: str
    points: int
    case: str
    unit: str = ""


@dataclass(slots=True, kw_only=True)
class State(Sides[Unit, Side], GameState):
    version: int = 1
    units: dict[str, Unit] = field(default_factory=dict)
    points: int = 0
    """Allied victory points so far (3.2); the ledger says what for."""
    ledger: list[Award] = field(default_factory=list)
    argentan: Side = "german"
    """The side that controls Argentan (3.4)."""
    argentan_fell: bool = False
    """The Allies have controlled it at some time: the 80th Division is free for good (11.9)."""
    rating_80: int = 0
    """11.8 The TER of the US 80th Division."""
    relieved: bool = False
    """11.6 The commander of the Canadian 4th Armoured Division has been replaced."""
    airstrikes: int = 0
    """Airstrike markers of this turn (8.3)."""
    cup: list[str] = field(default_factory=list)
    """The command markers in the cup, in order of their names (4.0)."""
    drawn: str = ""
    """11.2 The German marker that has been drawn, while it is open whether the 58th Corps takes its place."""
    held_back: list[str] = field(default_factory=list)
    """11.10 Allied markers that go into the cup after the second German activation."""
    activated: list[str] = field(default_factory=list)
    """The commands that have been activated this turn, in order; 58Pz among them (11.2)."""
    active: str = ""
    """The command whose action round is played."""
    allowance: int = 0
    """Its movement points (7.1.1)."""
    moved: list[str] = field(default_factory=list)
    """7.2, 11.2 Units that have moved this turn and are not finished: those that the 58th Corps has moved
    without taking them over the Orne."""
    attachments: int = 0
    """Units attached this turn (11.1), those of the counterattack among them (11.3)."""
    counterattack: int = 0
    """The turn in which the Germans declared it (11.3), 0 before."""
    counter_command: str = ""
    """The command chosen for it, while it waits for its action round."""
    zone_86: Literal["closed", "triggered", "open"] = "closed"
    """11.4 The 86th Corps Zone and its marker: nothing has happened; the marker is in the cup;
    it has been drawn and its units may have come."""
    zone_entered: bool = False
    """11.4 An Allied unit has entered the zone: Germans may too."""
    french: Literal["free", "waiting"] = "free"
    """12.5 This turn the French division may only withdraw."""
    boundary: bool = False
    """13.3 The system's side may cross the 86th Corps boundary."""

    @property
    def day(self) -> bool:
        return is_day(self.turn)

    def on(self, name: str) -> bool:
        """Whether a yes-no option of the game is in use."""
        return self.options.get(name) == "yes"

    @property
    def solitaire(self) -> bool:
        """13.0 Whether the Allied side is run by the system."""
        return self.options.get("players") == "one"

    def command_of(self, key: str) -> list[Unit]:
        """The units on the map that a command activates now."""
        return [unit for unit in self.units.values() if unit.place == "map" and unit.command == key]
