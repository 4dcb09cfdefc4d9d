"""Which orders stand beside each other: what the orders say of it is what the desks do."""

from __future__ import annotations

import pytest

from pbem.games.france44 import GAME
from pbem.games.france44.orders import (
    Activate,
    Administrative,
    Attack,
    Commit,
    Enter,
    Increment,
    Interdict,
    Move,
    Piece,
    Place,
    Replace,
)
from pbem.testing.plays import Plan
from tests.games.again import assert_both_ways, assert_true_to

PLANS = (Plan("mixed", "westwall", 3), Plan("mixed", "rhine", 3))
SEEN = (Activate, Administrative, Attack, Commit, Enter, Increment, Interdict, Move, Piece, Place, Replace)


@pytest.mark.dear
def test_a_second_order_is_what_the_first_says() -> None:
    """5.1, 5.2, 7.0 A unit may move on in a box and attack in several; one headquarters is activated; units
    that move administratively do not attack (5.3)."""
    assert_true_to(GAME, PLANS, SEEN)


def test_orders_that_exclude_each_other_both_say_so() -> None:
    """Neither of two orders that exclude each other is silent about it."""
    assert_both_ways(GAME)
