"""Standing orders: how decisions are taken while a player is away (battles, losses, bombers, grounding).

Without one, the default of the decision decides: fight on while the odds are even or better, reduced infantry
first, bombers yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.language import Kind, Policy
from pbem.engine.play import Ask
from pbem.games.rampage.battle import complete
from pbem.games.rampage.operations import BREAK_OFF, FIGHT_ON, AnotherRound

BATTLE = Kind("battle", "10.1")
LOSSES = Kind("losses", "10.4")
BOMBERS = Kind("bombers", "14.2")
GROUNDING = Kind("grounding", "9.15")


def another_round(ask: AnotherRound, wanted: bool) -> str | None:
    """10.1 Return the answer for another round, if the decision offers it."""
    answer = FIGHT_ON if wanted else BREAK_OFF
    return answer if answer in ask.options else None


# --- battles --------------------------------------------------------------------------------------------


class FightUntilWon(Policy[AnotherRound], kind=BATTLE):
    usage = "fight until won"
    help = "Your forces fight on as long as they have points and units."

    def decide(self, ask: AnotherRound, earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, True)


class FightRounds(Policy[AnotherRound], kind=BATTLE):
    usage = "fight [at] most <rounds:number 1..> (rounds|round)"
    help = "Your forces fight at most this many rounds in each battle."
    example = "fight at most 3 rounds"

    rounds: int

    def decide(self, ask: AnotherRound, earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.round <= self.rounds)


class StopAtLosses(Policy[AnotherRound], kind=BATTLE):
    usage = "stop at <losses:number 1..> (losses|loss|steps)"
    help = "Your forces break off a battle once they have lost this many steps in it."
    example = "stop at 4 losses"

    losses: int

    def decide(self, ask: AnotherRound, earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.losses < self.losses)


class StopAtOdds(Policy[AnotherRound], kind=BATTLE):
    usage = (
        'stop (if|when) [[the] odds] [of] [winning] [are] (under|below|"<") <odds:number 1..100>'
        ' [("%"|percent)]'
    )
    help = "Your forces break off a battle when their exact chance of winning falls below this."
    example = "stop if odds under 40%"

    odds: int

    def decide(self, ask: AnotherRound, earlier: Mapping[str, Any]) -> str | None:
        return another_round(ask, ask.odds >= self.odds)


# --- losses ---------------------------------------------------------------------------------------------


class TakeLosses(Policy[Ask[Any]], kind=LOSSES):
    usage = "<prefs:lossorder...>"
    help = (
        "Which divisions take losses first, and which among equals, unless an order says so: "
        "reduced, full, infantry, armour first."
    )
    example = "reduced first, infantry first"

    prefs: tuple[str, ...]

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        wanted = ", ".join(complete(self.prefs))
        return wanted if wanted in ask.options else None


# --- once in a game -------------------------------------------------------------------------------------


class CallBombers(Policy[Ask[Any]], kind=BOMBERS):
    usage = "<answer:answer>"
    help = (
        "Whether heavy bombers strike the Argentan-Falaise Pocket when it is closed (an option of the game)."
    )
    example = "yes"

    answer: str

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return self.answer


class GroundFirst(Policy[Ask[Any]], kind=GROUNDING):
    usage = "<arm:arm>"
    help = (
        "Which divisions are grounded for want of supply in turn 3 if you name none: "
        "infantry first, armour first."
    )
    example = "infantry first"

    arm: str

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return self.arm


POLICIES: tuple[type[Policy[Any]], ...] = (
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
