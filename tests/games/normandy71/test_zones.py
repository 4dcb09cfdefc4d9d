"""Zones of control (ZOC)."""

from __future__ import annotations

from pbem.games.normandy71.tables import GRID
from pbem.games.normandy71.zones import held, zone
from tests.games.normandy71.kit import game


def test_zoc_the_six_neighbours_and_not_the_hex_itself() -> None:
    """ZOC A unit controls the six hexes around it."""
    state = game("x german 4-1 0708, a allied 7-4 1922")
    assert set(GRID.named(zone(state, "german"))) == {"0709", "0609", "0608", "0707", "0808", "0809"}
    assert GRID.named(held(state, "german")) == ("0708",)


def test_zoc_c_zones_go_over_water_and_friends() -> None:
    """ZOC.C A zone extends across sea hexsides, into all-sea hexes and into hexes
    with units of either side."""
    state = game("x german 4-1 2027, y german 4-1 1926, a allied 7-4 2127")
    named = GRID.named(zone(state, "german"))
    assert {"2127", "2028", "1926"} <= set(named)


def test_units_off_the_map_control_nothing() -> None:
    """Units still to come or waiting at a beach have no zone."""
    assert zone(game("x german 4-1 later, a allied 7-4 box:3_Utah"), "german") == 0
