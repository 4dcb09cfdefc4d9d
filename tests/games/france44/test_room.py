"""The room that desks say is left in a hex is what they refuse units by."""

from __future__ import annotations

from itertools import product

from pbem.engine.errors import OrderError
from pbem.games.france44 import GAME, stacking
from pbem.testing.plays import Plan
from tests.games.room import assert_room

PLANS = (Plan("mixed", "westwall", 3), Plan("mixed", "rhine", 3))


def full(error: OrderError) -> bool:
    """7.1 Whether an order was refused because a hex is full."""
    return error.case == "7.1" and ("full" in str(error) or "no room" in str(error))


def test_a_unit_is_refused_where_there_is_no_room_for_it() -> None:
    """7.1 Hexes are filled by legal orders: the first unit for which there is no room is refused by the
    stacking limit, and none before it."""
    assert_room(GAME, PLANS, full)


def test_7_1_room_is_for_the_next_unit_and_for_all_that_it_says() -> None:
    """7.1 In every hex the room says of one more unit whether it fits, and any units whose sizes add up to no
    more fit together."""
    for armour, infantry in product(range(5), range(3)):
        if not stacking.holds(armour, infantry):
            continue
        room = stacking._room(armour, infantry)
        for more, foot in product(range(5), range(3)):
            size = more * stacking.SIZES["armour"] + foot * stacking.SIZES["infantry"]
            fits = stacking.holds(armour + more, infantry + foot)
            assert fits or size > room
            assert more + foot != 1 or fits == (size <= room)
