"""What a letter may say: the order verbs, the conditions and the standing orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.language import Condition, Grammar, Kind, Order, Policy
from pbem.engine.play import Ask


@dataclass(frozen=True, slots=True)
class Move(Order):
    unit: str
    hex: str

    verb: ClassVar[str] = "move"
    usage: ClassVar[str] = "move <unit> [to] <hex>"
    help: ClassVar[str] = "Moves a unit to a neighbouring hex, once in a turn."
    example: ClassVar[str] = "move R1 to 0201"
    case: ClassVar[str] = "2.1"


@dataclass(frozen=True, slots=True)
class Scout(Order):
    unit: str
    hex: str

    verb: ClassVar[str] = "scout"
    usage: ClassVar[str] = "scout <hex> with <unit>"
    help: ClassVar[str] = "Looks at a hex; what stands there is revealed."
    example: ClassVar[str] = "scout 0502 with R1"
    case: ClassVar[str] = "2.2"


@dataclass(frozen=True, slots=True)
class Free(Condition):
    hex: str

    usage: ClassVar[str] = "<hex> is free"
    help: ClassVar[str] = "No unit is in the hex."
    example: ClassVar[str] = "if 0201 is free"

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
