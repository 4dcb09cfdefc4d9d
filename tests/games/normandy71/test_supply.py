"""Supply (SUP)."""

from __future__ import annotations

import pytest

from pbem.games.normandy71.state import Side, State, Unit
from pbem.games.normandy71.supply import areas, entered, supplied, trace
from pbem.games.normandy71.tables import BORDER, GRID, LAND, MAP
from tests.games.normandy71.kit import game

UTAH = ["3 Utah"]


def is_in(state: State, side: Side, hex: str) -> bool:
    return bool(supplied(state, side) >> GRID.index(hex) & 1)


def in_supply(state: State, unit: Unit) -> bool:
    return trace(state, unit, supplied(state, unit.side))


def test_sup_three_hexes_to_a_road_and_no_more() -> None:
    """SUP A unit three hexes from a road is supplied, one four hexes away is not."""
    state = game(supply=UTAH)
    roads = MAP.road_flood(GRID.bits(["5031"]))
    for hex in GRID.named(LAND):
        steps = next(n for n in range(9) if GRID.within(hex, n) & roads)
        if steps > 3:
            assert not is_in(state, "allied", hex), hex
    assert is_in(state, "allied", "3005") and not is_in(state, "allied", "3004")


def test_sup_without_a_supply_area_nobody_is_supplied() -> None:
    """SUP The Allied sources are the supply areas of the plan, and nothing else."""
    assert supplied(game(), "allied") == 0


def test_sup_l_a_unit_on_a_supply_area_is_always_supplied() -> None:
    """SUP.L A unit on a supply area is supplied in an enemy zone too; through that zone nobody else is."""
    state = game("x german 4-1 5131, a allied 7-4 5031, b allied 7-4 5030", supply=UTAH)
    assert in_supply(state, state.units["a"])
    assert not in_supply(state, state.units["b"])


def test_sup_d_zones_cut_the_road_under_friends_too() -> None:
    """SUP.D, ZOC.D A German beside the only road cuts it even where an Allied unit stands on it;
    the unit itself is still reached."""
    # From 3 Utah the road leads over 5130; the German in 5131 controls both.
    free = game("a allied 7-4 5230", supply=UTAH)
    cut = game("a allied 7-4 5230, b allied 7-4 5130, x german 4-1 5131", supply=UTAH)
    assert is_in(free, "allied", "5631")
    assert not is_in(cut, "allied", "5631") and not is_in(cut, "allied", "5130")


def test_zoc_d_supply_goes_into_a_controlled_hex() -> None:
    """ZOC.D A unit in an enemy zone is supplied if its neighbours are free."""
    state = game("a allied 7-4 0708, x german 4-1 0706", supply=UTAH)
    assert is_in(state, "allied", "0707")


def test_sup_h_a_supply_area_once_entered_is_dead_for_good() -> None:
    """SUP.H A German entry ends a supply area, for the units on it too, and not twice."""
    state = game("x german 4-1 5131, a allied 7-4 5031", supply=UTAH)
    entered(state, state.units["x"], ["5031", "5030"])
    entered(state, state.units["x"], ["5031"])
    assert state.dead_beaches == UTAH and areas(state) == {}
    assert not in_supply(state, state.units["a"])
    assert len(state.log) == 1 and state.log[0].readers == ("allied",)


def test_sup_h_an_allied_unit_or_another_beach_changes_nothing() -> None:
    """SUP.H Allied units, and Germans on beaches that supply nobody, end nothing."""
    state = game("x german 4-1 5131, a allied 7-4 5030", supply=UTAH)
    entered(state, state.units["a"], ["5031"])
    entered(state, state.units["x"], ["5032"])
    assert state.dead_beaches == [] and state.log == []


def test_sup_k_all_but_parachutists_are_supplied_on_game_turn_1() -> None:
    """SUP.K On game-turn 1 everyone is supplied anywhere, parachute units only if they really are."""
    text = "a allied 7-4 3004, g allied 5-4 glider 3003, p allied 5-4 paratroop 3002, x german 4-1 5131"
    first, second = game(text, turn=1, supply=UTAH), game(text, turn=2, supply=UTAH)
    assert [in_supply(first, first.units[id]) for id in "agpx"] == [True, True, False, True]
    assert [in_supply(second, second.units[id]) for id in "agp"] == [False, False, False]


def test_sup_i_germans_near_the_edge_need_no_road() -> None:
    """SUP.I A German unit within three hexes of the edge is supplied without a road;
    an Allied unit there is not."""
    assert is_in(game(supply=UTAH), "german", "3004")
    assert not is_in(game(supply=UTAH), "allied", "3004")


def test_sup_j_a_road_by_which_allies_left_supplies_no_germans() -> None:
    """SUP.J A closed exit road feeds nobody, but the edge itself does (SUP.I)."""
    exits = [hex for edge in ("north", "south", "east", "west") for hex in MAP.hexes(f"exit_{edge}")]
    state = game(closed_roads=exits)
    assert is_in(game(), "german", "2717") and not is_in(state, "german", "2717")
    assert is_in(state, "german", "5434")
    assert supplied(state, "german") & BORDER == BORDER


@pytest.mark.parametrize("side", ["allied", "german"])
def test_sup_c_one_line_serves_any_number(side: Side) -> None:
    """SUP.C Supply does not depend on how many friends are supplied."""
    few, many = (
        game("a allied 7-4 5030", supply=UTAH),
        game("a allied 7-4 5030, b allied 7-4 5130, c allied 7-4 5631", supply=UTAH),
    )
    assert supplied(few, "allied") == supplied(many, "allied")


def test_sup_b_nobody_is_lost_for_lack_of_supply() -> None:
    """SUP.B Asking about supply takes nobody off the map."""
    state = game("a allied 7-4 3004, x german 4-1 5131", supply=UTAH)
    assert not in_supply(state, state.units["a"]) and state.units["a"].place == "map"
