"""Movement (7): costs, zones, ways, who may enter what (3.3, 4.8, 5.3, 7.0, 7.1)."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44.movement import Ground
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID
from tests.games.france44.kit import game

# Column 10 from 1017 to 1027 and all around it is open country without rivers.
# The Seine runs between 2012 and 2113; 1311 is rough.


def cost(state: State, id: str, *path: str, points: int = 20, administrative: bool = False) -> int:
    """Points that a way takes."""
    unit = state.units[id]
    return Ground(state, unit.side).route(unit, path, points, administrative).spent


def refused(state: State, id: str, *path: str, points: int = 20, administrative: bool = False) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        cost(state, id, *path, points=points, administrative=administrative)
    return caught.value


# --- costs (7.0, 3.3) ---------------------------------------------------------------------------------------


def test_7_0_example_into_an_enemy_zone_across_a_river() -> None:
    """Four, if the hex lies in an enemy zone."""
    assert cost(game("VII/US 2012, LXXX 2213"), "VII/US", "2113", points=4) == 4


def test_7_0_example_from_zone_to_zone_across_a_river() -> None:
    """Six, if the hex that is left does too."""
    assert cost(game("VII/US 2012, LXXX 2213, LXXXI 1913"), "VII/US", "2113", points=6) == 6


@pytest.mark.parametrize(("target", "points"), [("1310", 4), ("1410", 3), ("1411", 1), ("1312", 2)])
def test_7_0_rough_hexes_cost_two_and_rivers_two_more(target: str, points: int) -> None:
    """From 1311: major and minor rivers are one thing."""
    start = {"1310": "1410", "1410": "1311", "1411": "1311", "1312": "1311"}[target]
    assert cost(game(f"2AD/US {start}"), "2AD/US", target, points=points) == points


def test_3_3_entering_an_enemy_zone_costs_one_more_and_leaving_it_two() -> None:
    """Within a zone both: three and the terrain."""
    state = game("VII/US 1018, LXXX 1020")
    assert cost(state, "VII/US", "1019") == 2
    state = game("VII/US 1019, LXXX 1020")
    assert cost(state, "VII/US", "1018") == 3
    assert cost(state, "VII/US", "0920") == 4


def test_3_3_zones_of_several_units_count_once() -> None:
    """Per hex, not per unit."""
    assert cost(game("VII/US 1018, LXXX 1020, LXXXI 1120"), "VII/US", "1019") == 2


def test_3_2_3_3_cadres_and_headquarters_cost_nothing() -> None:
    """They have no zones."""
    assert cost(game("VII/US 1018, LXXX 1020 lost=2, AOK7 1020"), "VII/US", "1019") == 1


def test_3_3_a_friend_in_the_hex_does_not_lower_its_price() -> None:
    """He opens the hex for supply, range and retreat only."""
    assert cost(game("VII/US 1018, V/US 1019, LXXX 1020"), "VII/US", "1019") == 2


def test_6_0_example_one_point_is_too_few_for_rough_ground_and_for_a_zone() -> None:
    """A unit of allowance 3 has one point in that box."""
    assert refused(game("XXX/BR 1411"), "XXX/BR", "1311", points=1).case == "7.0"
    assert refused(game("XXX/BR 1018, LXXX 1020"), "XXX/BR", "1019", points=1).case == "7.0"
    assert cost(game("XXX/BR 1018"), "XXX/BR", "1019", points=1) == 1


def test_7_0_nobody_moves_a_hex_that_he_cannot_pay_for() -> None:
    """Not even his first one."""
    error = refused(game("VII/US 2012"), "VII/US", "2113", points=2)
    assert error.case == "7.0"
    assert error.legal


def test_7_0_a_way_is_walked_as_written_or_by_the_cheapest_hexes() -> None:
    """A hex that is not next to the one before is reached by the cheapest way."""
    state = game("2AD/US 1018, LXXX 1220")
    assert cost(state, "2AD/US", "1120", "1021") == 3 + 3 + 1
    assert cost(state, "2AD/US", "1021") == 3
    route = Ground(state, "allied").route(state.units["2AD/US"], ("1021",), 6)
    assert route.hexes == ("1018", "1019", "1020", "1021")


def test_7_0_where_it_stands_is_no_way() -> None:
    """And the hexes have to be on the map."""
    assert refused(game("VII/US 1020"), "VII/US", "1020").case == "7.0"
    assert refused(game("VII/US 1020"), "VII/US", "9999").case == "7.0"
    assert refused(game("VII/US 0308"), "VII/US", "0307").case == "7.0"


def test_3_3_a_blocked_hexside_is_not_crossed() -> None:
    """1609 to 1610 takes the way round."""
    state = game("VII/US 1609")
    assert refused(state, "VII/US", "1610", points=3).case == "3.3"
    assert cost(state, "VII/US", "1610") > 3


def test_10_1_3_nobody_moves_into_the_southern_row() -> None:
    """Off the map; but out of it."""
    assert refused(game("VII/US 1227"), "VII/US", "1228").case == "10.1.3"
    assert cost(game("VII/US 1228"), "VII/US", "1227") == 1


def test_12_3_rivers_beside_the_airborne_do_not_count_for_the_allies() -> None:
    """Major rivers, and the Rhine without a bridge."""
    state = game("XVIII/US 2113, VII/US 2012", drop="2113")
    assert cost(state, "VII/US", "2113") == 1
    state.drop = None
    assert cost(state, "VII/US", "2113") == 3
    state = game("XVIII/US 3612, VII/US 3512, LXXX 3712", drop="3612")
    assert cost(state, "VII/US", "3612") == 2
    assert Ground(state, "german").bridged is None


# --- who may enter what (7.1, 4.8, 5.3) ---------------------------------------------------------------------


@pytest.mark.parametrize("enemy", ["LXXX 1019", "LXXX 1019 lost=2", "AOK7 1019"])
def test_7_1_nobody_enters_a_hex_of_the_enemy(enemy: str) -> None:
    """Be it a cadre or a headquarters."""
    assert refused(game(f"VII/US 1018, {enemy}"), "VII/US", "1019").case == "7.1"


def test_7_1_nobody_passes_through_a_full_hex() -> None:
    """Stacking holds on the way as well."""
    full = "V/US 1019, VIII/US 1019"
    state = game(f"VII/US 1018, 2AD/US 1018, US3 1018, {full}")
    assert refused(state, "VII/US", "1019", "1020").case == "7.1"
    assert cost(state, "2AD/US", "1019", "1020") == 2
    assert cost(state, "US3", "1019", "1020") == 2
    armour = "3AD/US 1019, 4AD/US 1019, 5AD/US 1019, 6AD/US 1019"
    assert refused(game(f"2AD/US 1018, {armour}"), "2AD/US", "1019", "1020").case == "7.1"


def test_4_8_a_headquarters_enters_an_enemy_zone_only_where_a_unit_of_its_side_stands() -> None:
    """A cadre will do; another headquarters will not."""
    assert refused(game("US1 1018, LXXX 1020"), "US1", "1019").case == "4.8"
    assert refused(game("US1 1018, US3 1019, LXXX 1020"), "US1", "1019").case == "4.8"
    assert cost(game("US1 1018, VII/US 1019 lost=2, LXXX 1020"), "US1", "1019") == 2


def test_4_8_a_headquarters_does_not_pass_through_an_enemy_zone_either() -> None:
    """It goes round."""
    state = game("US1 1018, LXXX 1120, LXXXI 0920")
    with pytest.raises(NotAllowed):
        cost(state, "US1", "1020", points=6)
    assert cost(game("US1 1018"), "US1", "1020", points=6) == 2


def test_4_8_all_headquarters_have_six_points() -> None:
    """As the rulebook says of all."""
    assert all(unit.piece.allowance == 6 for unit in game().units.values() if unit.hq)


@pytest.mark.parametrize("unit", ["VII/US", "US1"])
def test_5_3_administrative_movement_never_enters_an_enemy_zone(unit: str) -> None:
    """Even with a friend in the hex; the first hex may lie in one, and leaving it costs two more."""
    state = game(f"{unit} 1018, V/US 1019, LXXX 1020")
    assert refused(state, unit, "1019", administrative=True).case == "5.3"
    state = game(f"{unit} 1019, V/US 1019, LXXX 1020")
    assert cost(state, unit, "1018", administrative=True) == 3
    assert refused(state, unit, "0920", administrative=True).case == "5.3"


def test_5_3_cadres_do_not_hinder_administrative_movement() -> None:
    """They exert no zone."""
    assert cost(game("VII/US 1018, LXXX 1020 lost=2"), "VII/US", "1019", administrative=True) == 1


def test_7_0_the_reach_of_a_piece_is_all_that_its_points_pay_for() -> None:
    """Two points in open country: two hexes in every direction."""
    state = game("VII/US 1020")
    reach = Ground(state, "allied").reach(state.units["VII/US"], 2)
    assert reach.hexes == GRID.within("1020", 2)


def test_7_0_a_way_that_is_too_dear_tells_what_it_needs() -> None:
    """3.3, 7.0 Two hexes away and out of a ZOC: the points there are and those needed."""
    state = game("3AD/US 1309, 2Pz 1310, 2SS 1209")
    refusal = refused(state, "3AD/US", "1210", points=4)
    needed = cost(state, "3AD/US", "1210")
    assert str(refusal).startswith(f"3AD/US has 4 movement points in 1309; 1210 needs {needed} [7.0]")
