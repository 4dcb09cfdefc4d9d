"""Which orders stand beside each other: what the orders say of it is what the desks do."""

from __future__ import annotations

import pytest

from pbem.games.normandy71 import GAME
from pbem.games.normandy71.orders import (
    Attack,
    Break,
    Build,
    Commando,
    Drop,
    Enter,
    Entrench,
    Exit,
    Glide,
    Land,
    Move,
    Place,
)
from pbem.testing.plays import Plan
from tests.games.again import assert_both_ways, assert_true_to

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 3))
SEEN = (Attack, Break, Build, Commando, Drop, Enter, Entrench, Exit, Glide, Land, Move, Place)


@pytest.mark.dear
def test_a_second_order_is_what_the_first_says() -> None:
    """MOV.H, COM A unit moves once and attacks once; in plan and set-up the later line counts."""
    assert_true_to(GAME, PLANS, SEEN)


def test_orders_that_exclude_each_other_both_say_so() -> None:
    """Neither of two orders that exclude each other is silent about it."""
    assert_both_ways(GAME)
