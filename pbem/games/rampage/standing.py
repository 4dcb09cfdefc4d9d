"""Standing orders: how decisions are taken while a player is away (battles, losses, bombers, grounding).

What no line covers is answered by the decision's own default: fight on while the odds are even or better,
reduced infantry first, bombers yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.orders import Policy
from pbem.engine.play import Ask
from pbem.games.rampage.battle import complete

FIGHT_ON, BREAK_OFF = "fight on", "break off"
"""The answers to a decision about another round of battle (10.1)."""


def another_round(ask: Ask[Any], wanted: bool) -> str | None:
    """10.1 The answer for another round, if the decision offers it."""
    answer = FIGHT_ON if wanted else BREAK_OFF
    return answer if answer in ask.options else None


# --- battles --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FightUntilWon(Policy):
    kind: ClassVar[str] = "battle"
    usage: ClassVar[str] = "fight until won"
    help: ClassVar[str] = "Your forces fight on as long as they have points and units."
    example: ClassVar[str] = "standing battle: fight until won"
    case: ClassVar[str] = "10.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, True)


@dataclass(frozen=True, slots=True)
class FightRounds(Policy):
    rounds: int

    kind: ClassVar[str] = "battle"
    usage: ClassVar[str] = "fight [at] most <rounds:number> (rounds|round)"
    help: ClassVar[str] = "Your forces fight so many rounds at most in each battle."
    example: ClassVar[str] = "standing battle: fight at most 3 rounds"
    case: ClassVar[str] = "10.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.about["round"] <= self.rounds)


@dataclass(frozen=True, slots=True)
class StopAtLosses(Policy):
    losses: int

    kind: ClassVar[str] = "battle"
    usage: ClassVar[str] = "stop at <losses:number> (losses|loss|steps)"
    help: ClassVar[str] = "Your forces break a battle off once they have lost so many steps in it."
    example: ClassVar[str] = "standing battle: stop at 4 losses"
    case: ClassVar[str] = "10.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.about["losses"] < self.losses)


@dataclass(frozen=True, slots=True)
class StopAtOdds(Policy):
    odds: int

    kind: ClassVar[str] = "battle"
    usage: ClassVar[str] = (
        'stop (if|when) [[the] odds] [of] [winning] [are] (under|below|"<") <odds:number> [("%"|percent)]'
    )
    help: ClassVar[str] = (
        "Your forces break a battle off when their exact chance of winning falls below this."
    )
    example: ClassVar[str] = "standing battle: stop if odds under 40 %"
    case: ClassVar[str] = "10.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.about["odds"] >= self.odds)


# --- losses ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeLosses(Policy):
    prefs: tuple[str, ...]

    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "<prefs:lossorder...>"
    help: ClassVar[str] = (
        "On whom losses fall first, and on whom among equals, where an order does not say it: "
        "reduced, full, infantry, armour first."
    )
    example: ClassVar[str] = "standing losses: reduced first, infantry first"
    case: ClassVar[str] = "10.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        wanted = ", ".join(complete(self.prefs))
        return wanted if wanted in ask.options else None


# --- once in a game -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallBombers(Policy):
    answer: str

    kind: ClassVar[str] = "bombers"
    usage: ClassVar[str] = "<answer:answer>"
    help: ClassVar[str] = (
        "Whether heavy bombers strike the Argentan-Falaise Pocket when it is closed (an option of the game)."
    )
    example: ClassVar[str] = "standing bombers: yes"
    case: ClassVar[str] = "14.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return self.answer


@dataclass(frozen=True, slots=True)
class GroundFirst(Policy):
    arm: str

    kind: ClassVar[str] = "grounding"
    usage: ClassVar[str] = "<arm:arm>"
    help: ClassVar[str] = (
        "Which divisions are grounded for want of supply in turn 3 if you name none: "
        "infantry first, armour first."
    )
    example: ClassVar[str] = "standing grounding: infantry first"
    case: ClassVar[str] = "9.15"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return self.arm


POLICIES: tuple[type[Policy], ...] = (
    FightUntilWon,
    FightRounds,
    StopAtLosses,
    StopAtOdds,
    TakeLosses,
    CallBombers,
    GroundFirst,
)
WORDS: Mapping[str, tuple[str, ...]] = {"answer": ("yes", "no"), "arm": ("infantry first", "armour first")}
"""The vocabularies of these lines, besides those of orders.py."""
