"""Which orders stand beside each other: what the orders say of it is what the desks do."""

from __future__ import annotations

import pytest

from pbem.games.falaise import GAME
from pbem.games.falaise.orders import Assault, Attach, Bombard, Enter, MechAssault, Move, Redeploy, Withhold
from pbem.testing.plays import Plan
from tests.games.again import assert_both_ways, assert_true_to

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 0))
SEEN = (Assault, Attach, Bombard, Enter, MechAssault, Move, Redeploy, Withhold)


@pytest.mark.dear
def test_a_second_order_is_what_the_first_says() -> None:
    """7.0, 7.2 A stack goes on moving as long as no other has moved; anything else ordered twice is refused
    or undone. The whole command makes either an assault round or a movement round."""
    assert_true_to(GAME, PLANS, SEEN)


def test_orders_that_exclude_each_other_both_say_so() -> None:
    """Neither of two orders that exclude each other is silent about it."""
    assert_both_ways(GAME)
