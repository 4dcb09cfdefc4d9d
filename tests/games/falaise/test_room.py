"""The room that desks say is left in a hex is what they refuse units by."""

from __future__ import annotations

from pbem.engine.errors import OrderError
from pbem.games.falaise import GAME, stacking
from pbem.testing.plays import Plan
from tests.games.falaise.kit import game
from tests.games.room import assert_room

PLANS = (Plan("mixed", "campaign", 3), Plan("greedy", "campaign", 0))


def full(error: OrderError) -> bool:
    """5.3 Whether an order was refused because a hex is full."""
    return error.case == "5.3" and ("at most two" in str(error) or "one regiment" in str(error))


def test_a_unit_is_refused_where_there_is_no_room_for_it() -> None:
    """5.3 Hexes are filled by legal orders: the first unit for which there is no room is refused by the
    stacking limit, and none before it."""
    assert_room(GAME, PLANS, full)


def test_5_3_the_sizes_add_up_to_the_limit() -> None:
    """5.1, 5.3 Two units, one of them a regiment at most, are what the sizes of units add up to, nations
    aside."""
    state = game()
    units = [unit for unit in state.units.values() if unit.side == "german"]
    for one in units[:12]:
        for other in units[12:30]:
            size = stacking.size(one) + stacking.size(other)
            assert stacking.fits([one, other]) == (size <= stacking.WHOLE)
    assert all(sum(map(stacking.size, units[at : at + 3])) > stacking.WHOLE for at in range(20))
