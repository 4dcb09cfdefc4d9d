"""The order verbs of Rampage: what a letter may say in each section, with the battle instructions
of a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine import verbs
from pbem.engine.language import GOES, Again, Condition, Order

LOSS_WORDS = ("reduced first", "full first", "infantry first", "armour first")
"""Which Allied units lose steps first (10.4); the first word decides, the next ones break ties."""
KILL_WORDS = ("elites first", "others first", "armour first", "infantry first")
"""Which Germans are lost first (10.4)."""

# --- before the first turn, and any time -----------------------------------------------------------------


class Place(verbs.Place):
    help: ClassVar[str] = "Sets up these units in this hex, or brings these US reinforcements into this city."
    example: ClassVar[str] = "place 4A, 35Inf at 1102"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"british": "place GdsA, 3BrInf at 1801"}
    case: ClassVar[str] = "3.4"


class UseDefault(verbs.UseDefault):
    case: ClassVar[str] = "3.4"


@dataclass(frozen=True, slots=True)
class Concede(Order):
    verb: ClassVar[str] = "concede"
    usage: ClassVar[str] = "concede [the] [game]"
    help: ClassVar[str] = "Concedes the game: the Germans win and play ends."
    example: ClassVar[str] = "concede"
    case: ClassVar[str] = "5.5"
    grave: ClassVar[bool] = True


# --- supply, replacements, the airborne army ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ground(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "ground"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "ground <units>"
    help: ClassVar[str] = "These full-strength divisions give up their lorries and are out of the game."
    example: ClassVar[str] = "ground 28Inf, 80Inf, 90Inf"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"british": "ground 3BrInf, 15BrInf, 43BrInf"}
    case: ClassVar[str] = "9.15"


@dataclass(frozen=True, slots=True)
class Replenish(Order):
    units: tuple[str, ...]

    verb: ClassVar[str] = "replenish"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "replenish <units>"
    help: ClassVar[str] = (
        "These reduced units neither move nor fight this turn and are at full strength after it."
    )
    example: ClassVar[str] = "replenish 3A, 1Inf"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"british": "replenish GdsA, 7BrA"}
    case: ClassVar[str] = "7.6"


@dataclass(frozen=True, slots=True)
class Drop(Order):
    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "drop"
    again: ClassVar[Again] = "instead"
    usage: ClassVar[str] = "drop <units> (at|on|in) <hex>"
    help: ClassVar[str] = (
        "These airborne divisions jump into this hex. All drops of a game are made in the same turn, "
        "into adjacent hexes."
    )
    example: ClassVar[str] = "drop 1BrAB at 3017"
    case: ClassVar[str] = "13.4"
    sort: ClassVar[str] = GOES


# --- operations -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move(Order):
    """One leg of a force, with instructions for its battles."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    onward: tuple[str, ...] = ()
    """Where the force continues to after winning."""
    won: bool = False
    """Fight until the hex is won or the movement points are used up."""
    rounds: int | None = None
    """Most rounds to fight in each battle."""
    losses: int | None = None
    """Stop after this many steps lost in a battle."""
    odds: int | None = None
    """Stop when the exact chance of winning falls below this, in per cent."""
    prefs: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    """Units that lose no step while others can."""
    kills: tuple[str, ...] = ()
    pause: bool = False
    """Ask for more orders after this line."""

    verb: ClassVar[str] = "move"
    again: ClassVar[Again] = "on"
    as_one: ClassVar[bool] = True
    usage: ClassVar[str] = (
        "[(move|advance|attack)] <units> [to] <path> {"
        "then [continue] [to] <onward:path>"
        " | fight <won:=until won>"
        " | (fight [at] most <rounds:number> (rounds|round)"
        "|[fight] [(at|for|only|max|maximum)] [most] <rounds:number> (rounds|round)"
        " [(only|max|maximum|at [the] most)])"
        " | stop at <losses:number> (losses|loss|steps)"
        ' | stop (if|when) [[the] odds] [of] [winning] [are] (under|below|"<") <odds:number> [("%"|percent)]'
        " | take losses (<prefs:lossorder...> [never <spared:units>] | never <spared:units>)"
        " | kill <kills:killorder...>"
        " | <pause:=pause after battles>"
        "}"
    )
    help: ClassVar[str] = (
        "A force moves along these hexes, or by the cheapest path to the last one, and fights in the German "
        "hexes it enters. The units of a force start in the same hex. A later line for the same units "
        "continues their move and leaves behind the units it does not name. Battle instructions can follow "
        "in any order."
    )
    example: ClassVar[str] = (
        "3A, 1Inf to 1502, fight at most 3 rounds, take losses reduced first, then continue to 1503"
    )
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "british": (
            "7BrA, 51BrInf to 1803, fight at most 3 rounds, take losses reduced first, then continue to 1703"
        )
    }
    case: ClassVar[str] = "9.1"
    sort: ClassVar[str] = GOES

    @property
    def pauses(self) -> bool:
        return self.pause


# --- conditions -----------------------------------------------------------------------------------------


class Held(verbs.Held):
    help: ClassVar[str] = "That side controls the hex: us or the enemy."
    example: ClassVar[str] = "if 1507 is held by us"

    def holds(self, state: Any, seat: str) -> bool:
        return (self.hex in state.german) == (self.by == "enemy")


class Alive(verbs.Alive):
    example: ClassVar[str] = "if 3A is alive"


@dataclass(frozen=True, slots=True)
class Full(Condition):
    unit: str

    usage: ClassVar[str] = "<unit> is (full|whole)"
    help: ClassVar[str] = "Your unit is on the map and has both its steps."
    example: ClassVar[str] = "if 3A is full"

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units.get(self.unit)
        return unit is not None and unit.place == "map" and bool(unit.steps == 2)
