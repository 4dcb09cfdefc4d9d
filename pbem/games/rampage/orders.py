"""The order verbs of Rampage: what a letter may say in each section, with the battle instructions
of a move."""

from __future__ import annotations

from typing import Any

from pbem.engine import verbs
from pbem.engine.language import GOES, Condition, Order

LOSS_WORDS = ("reduced first", "full first", "infantry first", "armour first")
"""Which Allied units lose steps first (10.4); the first word decides, the next ones break ties."""
KILL_WORDS = ("elites first", "others first", "armour first", "infantry first")
"""Which Germans are lost first (10.4)."""

# --- before the first turn, and any time -----------------------------------------------------------------


class Place(verbs.Place):
    help = "Sets up these units in this hex, or brings these US reinforcements into this city."
    example = "place 4A, 35Inf at 1102"
    examples = {"british": "place GdsA, 3BrInf at 1801"}
    case = "3.4"


class UseDefault(verbs.UseDefault):
    case = "3.4"


class Concede(Order):
    usage = "concede [the] [game]"
    help = "Concedes the game: the Germans win and play ends."
    example = "concede"
    case = "5.5"
    grave = True


# --- supply, replacements, the airborne army ---------------------------------------------------------------


class Ground(Order):
    usage = "ground <units>"
    help = "These full-strength divisions give up their lorries and are out of the game."
    example = "ground 28Inf, 80Inf, 90Inf"
    examples = {"british": "ground 3BrInf, 15BrInf, 43BrInf"}
    case = "9.15"
    again = "instead"

    units: tuple[str, ...]


class Replenish(Order):
    usage = "replenish <units>"
    help = "These reduced units neither move nor fight this turn and are at full strength after it."
    example = "replenish 3A, 1Inf"
    examples = {"british": "replenish GdsA, 7BrA"}
    case = "7.6"
    again = "instead"

    units: tuple[str, ...]


class Drop(Order):
    usage = "drop <units> (at|on|in) <hex>"
    help = (
        "These airborne divisions jump into this hex. All drops of a game are made in the same turn, "
        "into adjacent hexes."
    )
    example = "drop 1BrAB at 3017"
    case = "13.4"
    arrives = True
    again = "instead"
    sort = GOES

    units: tuple[str, ...]
    hex: str


# --- operations -----------------------------------------------------------------------------------------


class Move(Order):
    """One leg of a force, with instructions for its battles."""

    verb = "move"
    usage = (
        "[(move|advance|attack)] <units> [to] <path> {"
        "then [continue] [to] <onward:path>"
        " | fight <won:=until won>"
        " | (fight [at] most <rounds:number 1..> (rounds|round)"
        "|[fight] [(at|for|only|max|maximum)] [most] <rounds:number 1..> (rounds|round)"
        " [(only|max|maximum|at [the] most)])"
        " | stop at <losses:number 1..> (losses|loss|steps)"
        ' | stop (if|when) [[the] odds] [of] [winning] [are] (under|below|"<") <odds:number 1..100>'
        ' [("%"|percent)]'
        " | take losses (<prefs:lossorder...> [never <spared:units>] | never <spared:units>)"
        " | kill <kills:killorder...>"
        " | <pause:=pause after battles>"
        "}"
    )
    help = (
        "A force moves along these hexes, or by the cheapest path to the last one, and fights in the German "
        "hexes it enters. The units of a force start in the same hex. A later line for the same units "
        "continues their move and leaves behind the units it does not name. Battle instructions can follow "
        "in any order."
    )
    example = "3A, 1Inf to 1502, fight at most 3 rounds, take losses reduced first, then continue to 1503"
    examples = {
        "british": (
            "7BrA, 51BrInf to 1803, fight at most 3 rounds, take losses reduced first, then continue to 1703"
        )
    }
    case = "9.1"
    again = "on"
    as_one = True
    sort = GOES

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

    @property
    def pauses(self) -> bool:
        return self.pause


# --- conditions -----------------------------------------------------------------------------------------


class Held(verbs.Held):
    help = "That side controls the hex: us or the enemy."
    example = "if 1507 is held by us"

    def holds(self, state: Any, seat: str) -> bool:
        return (self.hex in state.german) == (self.by == "enemy")


class Alive(verbs.Alive):
    example = "if 3A is alive"


class Full(Condition):
    usage = "<unit> is (full|whole)"
    help = "Your unit is on the map and has both its steps."
    example = "if 3A is full"

    unit: str

    def holds(self, state: Any, seat: str) -> bool:
        unit = state.units.get(self.unit)
        return unit is not None and unit.place == "map" and bool(unit.steps == 2)
