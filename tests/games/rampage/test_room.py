"""The room that desks say is left in a hex is what they refuse units by."""

from __future__ import annotations

from pbem.engine.errors import OrderError
from pbem.games.rampage import GAME
from pbem.testing.plays import Plan
from tests.games.room import assert_room

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 0))


def full(error: OrderError) -> bool:
    """6.2 Whether an order was refused because a hex is full."""
    return error.case == "6.2" and ("stacking limit" in str(error) or "has room for" in str(error))


def test_a_unit_is_refused_where_there_is_no_room_for_it() -> None:
    """6.2 Hexes are filled by legal orders: the first unit for which there is no room is refused by the
    stacking limit, and none before it."""
    assert_room(GAME, PLANS, full)
