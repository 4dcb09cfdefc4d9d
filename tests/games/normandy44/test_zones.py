"""Zones of control (4.0) and what the terrain table and the errata say about them (C3, E4)."""

from __future__ import annotations

from pbem.games.normandy44 import zones
from pbem.games.normandy44.tables import GRID, LAND
from tests.games.normandy44.kit import game

# 1306 and all around it is open country without roads and rivers.


def test_4_0_a_combat_unit_controls_the_six_hexes_around_it() -> None:
    """4.0 The zone is the ring around the unit, whatever stands there; its own hex is not in it."""
    state = game("709ID 1306, 4US 1305")
    assert zones.zone(state, "german") == GRID.bits(GRID.neighbours("1306"))
    assert zones.held(state, "german") == GRID.bits(["1306"])


def test_0_1_headquarters_are_no_combat_units() -> None:
    """0.1 A headquarters occupies its hex, but neither holds it nor controls any."""
    state = game("LXXXIV 1306")
    assert zones.zone(state, "german") == zones.held(state, "german") == 0
    assert zones.occupied(state, "german") == GRID.bits(["1306"])


def test_e4_zones_end_at_major_rivers_bridge_or_not() -> None:
    """C3, E4 The Orne stops zones, at the bridges of Caen too; a minor river does not."""
    zone = zones.zone(game("716ID 1008"), "german")
    assert not zone >> GRID.index("1108") & 1
    zone = zones.zone(game("716ID 1009"), "german")
    assert not zone >> GRID.index("1108") & 1
    assert zone >> GRID.index("1109") & 1


def test_4_0_zones_do_not_reach_over_the_sea() -> None:
    """4.0 There are no zones at sea, nor across an arm of it."""
    zone = zones.zone(game("4US 0617"), "allied")
    assert GRID.named(zone) == ("0517", "0618", "0717")
    assert not zone & ~LAND
