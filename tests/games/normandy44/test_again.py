"""Which orders stand beside each other: what the orders say of it is what the desks do."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import GAME
from pbem.games.normandy44.orders import (
    Assault,
    Attack,
    Cover,
    Delay,
    Enter,
    Exit,
    Guns,
    Interdict,
    Land,
    Move,
    Replace,
    Return,
    Support,
)
from pbem.testing.plays import Plan
from tests.games.again import assert_both_ways, assert_true_to

PLANS = (Plan("mixed", "cobra", 3), Plan("mixed", "cherbourg", 3), Plan("greedy", "campaign", 0))
SEEN = (Assault, Attack, Cover, Delay, Enter, Exit, Guns, Interdict, Land, Move, Replace, Return, Support)


@pytest.mark.dear
def test_a_second_order_is_what_the_first_says() -> None:
    """2.6, 5.1, 7.1 A unit lands, enters, moves or exits once, and attacks once; fighters and
    bombers add up (10.1)."""
    assert_true_to(GAME, PLANS, SEEN)


def test_orders_that_exclude_each_other_both_say_so() -> None:
    """Neither of two orders that exclude each other is silent about it."""
    assert_both_ways(GAME)
