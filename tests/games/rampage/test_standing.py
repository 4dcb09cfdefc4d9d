"""Standing orders: what they decide, and that they can be written."""

from __future__ import annotations

import pytest

from pbem.engine.play import Ask
from pbem.games.rampage import standing
from pbem.games.rampage.battle import LOSS_ORDERS
from pbem.games.rampage.operations import BREAK_OFF, FIGHT_ON, AnotherRound
from pbem.games.rampage.supply_die import FIRST


def another(round: int = 2, losses: int = 1, odds: float = 55.0) -> AnotherRound:
    return AnotherRound(
        case="10.1",
        what="round 2 at 1904",
        seat="allied",
        options=(FIGHT_ON, BREAK_OFF),
        round=round,
        losses=losses,
        odds=odds,
        attackers={"3A": 2},
        defenders=1,
    )


def test_fight_until_won() -> None:
    """10.1 The battle goes on whatever has been lost."""
    assert standing.FightUntilWon().decide(another(losses=9, odds=1.0), {}) == "fight on"


def test_fight_so_many_rounds() -> None:
    """10.1 The last round that is fought is the one named."""
    policy = standing.FightRounds(3)
    assert [policy.decide(another(round=round), {}) for round in (2, 3, 4)] == [
        "fight on",
        "fight on",
        "break off",
    ]


def test_stop_at_losses() -> None:
    """10.1 The battle ends with the loss that reaches the number."""
    policy = standing.StopAtLosses(4)
    assert [policy.decide(another(losses=losses), {}) for losses in (3, 4, 5)] == [
        "fight on",
        "break off",
        "break off",
    ]


def test_stop_below_odds() -> None:
    """10.1 The battle goes on at exactly the odds named and ends below them."""
    policy = standing.StopAtOdds(40)
    assert [policy.decide(another(odds=odds), {}) for odds in (40.0, 39.9)] == ["fight on", "break off"]


@pytest.mark.parametrize(
    ("prefs", "answer"),
    [
        (("reduced first", "armour first"), "reduced first, armour first"),
        (("armour first",), "armour first, reduced first"),
        (("full first",), "full first, infantry first"),
        (("infantry first", "full first"), "infantry first, full first"),
    ],
)
def test_losses_are_always_one_of_the_orders_offered(prefs: tuple[str, ...], answer: str) -> None:
    """10.4 What a line leaves open is filled in from the default, so that every line answers."""
    ask = Ask(case="10.4", what="losses", seat="us", kind="losses", options=LOSS_ORDERS)
    assert standing.TakeLosses(prefs).decide(ask, {}) == answer


def test_grounding_and_bombers() -> None:
    """9.15, 14.2 The words of these lines are the options of their decisions."""
    assert standing.WORDS["arm"] == tuple(FIRST)
    grounding = Ask(case="9.15", what="grounding", seat="us", kind="grounding", options=tuple(FIRST))
    assert standing.GroundFirst("armour first").decide(grounding, {}) in grounding.options
    bombers = Ask(case="14.2", what="bombers", seat="us", kind="bombers", options=("yes", "no"))
    assert standing.CallBombers("no").decide(bombers, {}) == "no" and bombers.fallback == "yes"
