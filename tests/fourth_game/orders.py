"""What a letter may say: the order verbs, the conditions and the standing orders."""

from collections.abc import Mapping
from typing import Any

from pbem.engine.language import Condition, Grammar, Kind, Order, Policy
from pbem.engine.play import Ask


class Move(Order):
    usage = "move <unit> [to] <hex>"
    help = "Moves a unit to a neighbouring hex, once in a turn."
    example = "move R1 to 0201"
    case = "2.1"

    unit: str
    hex: str


class Scout(Order):
    usage = "scout <hex> with <unit>"
    help = "Looks at a hex; what stands there is revealed."
    example = "scout 0502 with R1"
    case = "2.2"

    unit: str
    hex: str


class Free(Condition):
    usage = "<hex> is free"
    help = "No unit is in the hex."
    example = "if 0201 is free"

    hex: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.hex not in state.units.values()


class Retreat(Policy[Ask[Any]], kind=Kind("retreat", "3.2")):
    usage = "<unit:loser>"
    help = "Which unit goes back."
    example = "B1"

    unit: str

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        """The unit named, if it may go back."""
        return self.unit if self.unit in ask.options else None


GRAMMAR = Grammar(
    orders=(Move, Scout),
    conditions=(Free,),
    policies=(Retreat,),
    words={"loser": ("B1", "B2", "nobody")},
    sections={"march": (Move, Scout)},
)
