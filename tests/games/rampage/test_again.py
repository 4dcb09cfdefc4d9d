"""Which orders stand beside each other: what the orders say of it is what the desks do."""

from __future__ import annotations

from pbem.games.rampage import GAME
from pbem.games.rampage.orders import Drop, Ground, Move, Place, Replenish
from pbem.testing.plays import Plan
from tests.games.again import assert_both_ways, assert_true_to

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 0))
SEEN = (Drop, Ground, Move, Place, Replenish)


def test_a_second_order_is_what_the_first_says() -> None:
    """9.1 A force under way goes on with a second line; in set-up and drops the later line
    counts (3.4, 13.4)."""
    assert_true_to(GAME, PLANS, SEEN)


def test_orders_that_exclude_each_other_both_say_so() -> None:
    """Neither of two orders that exclude each other is silent about it."""
    assert_both_ways(GAME)
