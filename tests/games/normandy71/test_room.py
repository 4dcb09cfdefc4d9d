"""The room that desks say is left in a hex is what they refuse units by."""

from __future__ import annotations

import pytest

from pbem.engine.errors import OrderError
from pbem.games.normandy71 import GAME, stacking
from pbem.games.normandy71.tables import GRID, MAP
from pbem.testing.plays import Plan
from tests.games.room import assert_room

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 3))


def full(error: OrderError) -> bool:
    """STK Whether an order was refused because a hex is full."""
    return error.case in ("STK", "STK.A")


def test_a_unit_is_refused_where_there_is_no_room_for_it() -> None:
    """STK Hexes are filled by legal orders: the first unit for which there is no room is refused by the
    stacking limit, and none before it."""
    assert_room(GAME, PLANS, full)


@pytest.mark.parametrize("bocage", [True, False])
def test_stk_the_sizes_add_up_to_the_limit(bocage: bool) -> None:
    """STK What the printed limit allows is what the sizes of units add up to, in bocage and elsewhere."""
    hex = next(hex for hex in GRID.ids if hex in MAP and (MAP.terrain(hex) == "bocage") == bocage)
    whole = stacking.room(hex, ())
    assert whole == (4 if bocage else 7)
    for regiments in range(5):
        for battalions in range(5):
            size = regiments * stacking.SIZES["regiment"] + battalions * stacking.SIZES["battalion"]
            assert stacking.holds(hex, regiments, battalions) == (size <= whole)
