"""Lines of communication (6.5)."""

from __future__ import annotations

import pytest

from pbem.games.falaise import communication
from pbem.games.falaise.tables import GRID
from tests.games.falaise.kit import game

# Allies in 1008, 2007 and 2307 close every road to 1703.
CORK = "4/2C 1008, 5/2C 2007, 6/2C 2307"


def connected(text: str, id: str) -> bool:
    state = game(text)
    return communication.in_communication(state, state.units[id])


def test_6_5_germans_by_road_to_1703() -> None:
    """6.5 A German unit far west communicates along the roads to 1703, until they are closed."""
    assert connected("1053/85 3036", "1053/85")
    assert not connected(f"1053/85 3036, {CORK}", "1053/85")


def test_6_5_zones_close_roads() -> None:
    """6.5 It is the zones that close the roads: one open road is enough."""
    assert connected("1053/85 3036, 4/2C 1008, 5/2C 2007", "1053/85")


def test_6_5_friends_do_not_open_roads() -> None:
    """6.5 Friends in enemy zones do not open the road that these close."""
    assert not connected(f"1053/85 3036, 9/3FJ 2208, 25/12SS 2108, {CORK}", "1053/85")


def test_6_5_friends_open_the_first_hexes() -> None:
    """6.5 A unit ringed by zones communicates through a friend next to it."""
    ring = "4/2C 3134, 5/2C 3433, 6/2C 3436"
    assert not connected(f"1053/85 3335, {ring}", "1053/85")
    assert connected(f"1053/85 3335, 25/12SS 3434, {ring}", "1053/85")


def test_6_5_straight_to_the_end() -> None:
    """6.5 Without a road, a German unit within ten hexes of 1703 communicates across country."""
    cut = "4/2C 1008, 5/2C 2007, 6/2C 2307, 7/3C 1602, 8/3C 1803"
    assert not connected(f"1053/85 1706, {cut}", "1053/85"), "1703 lies in enemy zones"
    assert connected("1053/85 1706, 7/3C 1504", "1053/85")


def test_6_5_at_the_end() -> None:
    """6.5 Whoever stands in 1703 needs no line."""
    assert connected("1053/85 1703, 7/3C 1602", "1053/85")


@pytest.mark.parametrize("hex", ["0120", "4020", "2045"])
def test_6_5_allied_edges(hex: str) -> None:
    """6.5 Allied lines end at the north, south and west edges."""
    assert connected(f"4/2C {hex}", "4/2C")


def test_6_5_allies_not_by_the_east() -> None:
    """6.5 The east edge is no end of an Allied line, however near."""
    assert connected("4/2C 2304", "4/2C")
    assert not connected("4/2C 2304, 1053/85 2302, 1054/85 2306, 5/3FJ 2104, 8/3FJ 2504", "4/2C")
    assert not communication.ENDS["allied"] >> GRID.index("2001") & 1


def test_6_5_rivers() -> None:
    """6.5 A line crosses rivers at bridges and fords only: with the Dives at its back a unit is cut off
    where its own bank is barred."""
    bank = "4/2C 0918, 5/2C 1017, 6/2C 1118"
    assert not connected(f"1053/85 1018, {bank}", "1053/85")
    assert connected(f"1053/85 1119, {bank}", "1053/85"), "just over the river"


def test_6_5_of_a_hex() -> None:
    """3.3 A hex can be asked for its communication whoever is there."""
    assert communication.hex_in_communication(game(), "german", "3219")
    assert not communication.hex_in_communication(game(CORK), "german", "3219")


def test_6_5_all_units_of_a_side() -> None:
    """6.5 The units of a side that are cut off are those that have no line when asked one by one."""
    state = game(f"1053/85 3036, 25/12SS 1706, 9/3FJ 1703, {CORK}, 7/3C 1504")
    for side in communication.ENDS:
        alone = [unit for unit in state.on_map(side) if not communication.in_communication(state, unit)]
        assert communication.cut_off(state, side) == alone
    assert [unit.id for unit in communication.cut_off(state, "german")] == ["1053/85"]
