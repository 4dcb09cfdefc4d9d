"""The room that desks say is left in a hex is what they refuse units by."""

from __future__ import annotations

from pbem.engine.errors import OrderError
from pbem.games.normandy44 import GAME
from pbem.testing.plays import Plan
from tests.games.room import assert_room

PLANS = (Plan("mixed", "cobra", 3), Plan("mixed", "cherbourg", 3))


def full(error: OrderError) -> bool:
    """3.1 Whether an order was refused because a hex is full."""
    return error.case == "3.1"


def test_a_unit_is_refused_where_there_is_no_room_for_it() -> None:
    """3.1 Hexes are filled by legal orders: the first unit for which there is no room is refused by the
    stacking limit, and none before it."""
    assert_room(GAME, PLANS, full, 2)
