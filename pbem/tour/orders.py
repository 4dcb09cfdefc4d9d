"""What a letter may say: one order and one standing order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.language import Grammar, Kind, Order, Policy
from pbem.engine.play import Ask
from pbem.tour.tables import OWN, RED


class Move(Order):
    usage = "move <unit> [to] <hex>"
    help = "Moves a patrol to an adjacent hex, once a turn."
    example = "move Fox to 0202"
    case = "2.1"

    unit: str
    hex: str


class Rest(Policy[Ask[Any]], kind=Kind("rest", "3.2")):
    usage = "<unit:patrol>"
    help = "Which patrol rests after a fight."
    example = "Owl"

    unit: str

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        """3.2 The patrol named."""
        return self.unit if self.unit in ask.options else None


GRAMMAR = Grammar(
    orders=(Move,),
    policies=(Rest,),
    words={"patrol": OWN[RED]},
    sections={"march": (Move,)},
)
