"""Zones of control (3.3) and what a side traces through."""

from __future__ import annotations

import pytest

from pbem.games.france44 import zones
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID, SOUTH, Side
from tests.games.france44.kit import game

# 1020 and all around it is open country without rivers.
AROUND = {"1019", "1120", "1121", "1021", "0921", "0920"}


def zone(state: State, side: Side = "german") -> set[str]:
    return set(GRID.named(zones.zone(state, side)))


@pytest.mark.parametrize("words", ["", "lost=1"])
def test_3_3_full_and_reduced_units_control_the_six_hexes_around_them(words: str) -> None:
    """Not the hex in which the unit stands."""
    assert zone(game(f"LXXX 1020 {words}")) == AROUND


def test_3_2_3_3_a_cadre_controls_nothing() -> None:
    """Two steps lost."""
    assert zone(game("LXXX 1020 lost=2")) == set()


def test_3_3_a_headquarters_controls_nothing() -> None:
    """With a cadre in its hex as well."""
    assert zone(game("AOK7 1020, LXXX 1020 lost=2")) == set()


def test_3_2_3_3_a_division_of_one_step_is_no_cadre() -> None:
    """It has lost nothing while it stands."""
    assert zone(game("Clausewitz 1020")) == AROUND


def test_3_3_no_zone_reaches_across_a_blocked_hexside() -> None:
    """The hexside that the rulebook names, 1609 to 1610, and none into the sea."""
    assert zone(game("LXXXI 1609")) == {"1709", "1710", "1510"}
    assert "1609" not in zone(game("LXXXI 1610"))


def test_3_3_a_river_does_not_stop_a_zone() -> None:
    """Not even the Rhine without a bridge."""
    assert "3612" in zone(game("VII/US 3512"), "allied")


def test_10_1_3_the_southern_row_reaches_out_and_nothing_reaches_into_it() -> None:
    """Both ways, 1227 and 1228."""
    assert {"1127", "1227"} & zone(game("VI/US 1228"), "allied")
    assert not zones.zone(game("VI/US 1227"), "allied") & SOUTH


@pytest.mark.parametrize("words", ["", "lost=2"])
def test_3_3_nothing_is_traced_through_an_enemy_zone_but_with_a_unit_in_it(words: str) -> None:
    """A cadre is enough, a headquarters is not."""
    closed = zones.closed(game(f"LXXX 1020, VII/US 1019 {words}, US1 1120"), "allied")
    assert set(GRID.named(closed)) == AROUND - {"1019"}


def test_3_3_who_holds_a_hex() -> None:
    """Combat units hold hexes; headquarters only occupy them."""
    state = game("LXXX 1020 lost=2, AOK7 1022, VII/US 1024")
    assert GRID.named(zones.held(state, "german")) == ("1020",)
    assert set(GRID.named(zones.occupied(state, "german"))) == {"1020", "1022"}
