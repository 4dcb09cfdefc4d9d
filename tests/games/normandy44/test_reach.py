"""What moving costs and how far it leads (3.2, 4.0, 5, 8.3, 10.2, 10.3)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import zones
from pbem.games.normandy44.reach import EDGES, Route, UnitReach, edge_of, step_cost
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import AIR_ZONES, CHARTS, GRID, UNITS
from tests.games.normandy44.kit import game

# 1306, 1305, 1206, 1406 and 1207 are open country without roads; a minor river runs between 1407 and 1408.


def route(state: State, id: str, *path: str, **how: Any) -> Route:
    """The way of a unit by these hexes in the normal phase."""
    unit = state.units[id]
    unit_reach = UnitReach(state, unit.side, "B")
    return unit_reach.way(unit, unit_reach.start(unit), path, **how)


def refused(state: State, id: str, *path: str, **how: Any) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        route(state, id, *path, **how)
    return caught.value


# --- terrain --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "foot", "motor"),
    [
        ("1306", "1305", 2, 2),  # clear
        ("1706", "1807", 2, 4),  # bocage
        ("2303", "2304", 4, 6),  # woods
        ("2304", "2404", 2, 2),  # town
        ("0618", "0718", 4, None),  # marsh
        ("0818", "0718", 1, 1),  # marsh, by the road
        ("1407", "1507", 1, 1),  # road
        ("1407", "1408", 2, 4),  # minor river
        ("1405", "1305", 6, None),  # major river
        ("1405", "1406", 1, 1),  # major river, road bridge
        ("0617", "0716", None, None),  # an arm of the sea
        ("0617", "0616", None, None),  # sea
    ],
)
def test_3_2_terrain_costs(a: str, b: str, foot: int | None, motor: int | None) -> None:
    """3.2 Half points by terrain; a road takes the place of all of it, rivers add to it."""
    assert step_cost(a, b, motor=False) == foot
    assert step_cost(a, b, motor=True) == motor


def test_3_2_six_points_are_on_foot_all_others_motorised() -> None:
    """3.2, E4 The allowance tells the class, of headquarters too."""
    assert not UNITS["709ID"].motor
    assert UNITS["4US"].motor
    assert UNITS["LXXXIV"].motor
    assert not UNITS["Schlieben"].motor


# --- zones ----------------------------------------------------------------------------------------------


def test_4_0_a_unit_stops_in_an_enemy_zone() -> None:
    """4.0 Beyond a controlled hex there is nothing for this phase."""
    state = game("4US 1306, 709ID 1504")
    assert route(state, "4US", "1405").path[-1] == GRID.index("1405")
    assert refused(state, "4US", "1405", "1404").case == "4.0"


def test_4_0_never_from_zone_to_zone() -> None:
    """4.0, 5.1 Neither for points nor for a step nor as the one hex that is always allowed,
    not even between the zones of different units."""
    state = game("4US 1306, 709ID 1307, 91ID 1506")
    for how in ({}, {"step": True}):
        for next_to in ("1207", "1406"):  # in the zone of the first German, in that of the second
            assert refused(state, "4US", next_to, "1106", **how).case == "4.0"
    unit_reach = UnitReach(state, "allied", "B")
    assert GRID.named(unit_reach.one_hex(state.units["4US"], unit_reach.start(state.units["4US"]))) == (
        "1206",
        "1305",
    )


def test_4_0_out_of_a_zone_and_into_one_again() -> None:
    """4.0 Through a free hex a unit may come into a zone again in the same phase."""
    state = game("A/4AD 1306, 709ID 1307")
    found = route(state, "A/4AD", "1206", "1207")
    assert found.spent == 6 + 2 + 2
    assert route(state, "A/4AD", "1207") == found, "the way is found without being written out"


def test_4_0_leaving_a_zone_costs_three_points_or_a_step() -> None:
    """4.0 Three points more out of open country; nothing more for who pays with a step."""
    state = game("4US 1306, 709ID 1307")
    assert route(state, "4US", "1305").spent == 6 + 2
    assert route(state, "4US", "1305", step=True).spent == 2


def test_c3_leaving_a_zone_is_free_in_bocage_and_woods() -> None:
    """C3 The terrain table lifts the price in bocage and in woods."""
    state = game("243ID 1807, 4US 1808")
    assert route(state, "243ID", "1706").spent == 2
    state = game("243ID 2304, 4US 2305")
    assert route(state, "243ID", "2303", "2302").hexes == ("2304", "2303", "2302")
    assert route(state, "243ID", "2303", "2302").spent == 4 + (step_cost("2303", "2302", False) or 0)


def test_4_0_a_step_only_where_there_is_one_to_lose() -> None:
    """4.0 The last step buys nothing, and nobody pays where leaving is free."""
    state = game("4US 1306 lost=2, 709ID 1307, 9US 1502")
    unit_reach = UnitReach(state, "allied", "B")
    assert unit_reach.step_fault(state.units["4US"]) is not None
    assert unit_reach.step_fault(state.units["9US"]) is not None
    state.units["4US"].lost = 1
    assert unit_reach.step_fault(state.units["4US"]) is None


# --- allowance ------------------------------------------------------------------------------------------


def test_5_1_no_further_than_the_allowance() -> None:
    """5.1 An infantry division on foot goes six open hexes next to the enemy; points are not saved up."""
    state = game("709ID 1306, VII/US 1307")
    assert route(state, "709ID", "1206", "1106", "1107", "1206", "1305", "1306").spent == 12
    error = refused(state, "709ID", "1206", "1106", "1107", "1206", "1305", "1306", "1305")
    assert (error.case, error.text) == ("5.1", "709ID has 0 MP left in 1306; 1305 costs 1")
    assert error.legal[0] == "move 709ID to 1305"


def test_5_1_one_hex_always_whatever_it_costs() -> None:
    """5.1 A unit without the points still moves one hex, but not into closed terrain."""
    state = game("17Pz/17SS 1306 unsupplied, 4US 1307")
    state.units["17Pz/17SS"].unsupplied = True
    assert state.units["17Pz/17SS"].counter.movement == 8
    state.interdicted = ["II"]
    found = route(state, "17Pz/17SS", "1305")
    assert (found.spent, found.of) == (8, 8), "it costs ten half points"
    unit_reach = UnitReach(game("17Pz/17SS 0618"), "german", "B")
    unit = unit_reach.state.units["17Pz/17SS"]
    assert not unit_reach.one_hex(unit, unit_reach.start(unit)) >> GRID.index("0718") & 1, (
        "a marsh without a road"
    )


def test_8_3_motorised_units_out_of_supply_have_half_their_points() -> None:
    """8.3 Half an allowance, not rounded; on foot all of it."""
    state = game("709ID 1306 unsupplied, A/4AD 1305 unsupplied")
    assert UnitReach(state, "german", "B").allowance(state.units["709ID"]) == 12
    assert UnitReach(state, "allied", "B").allowance(state.units["A/4AD"]) == 10


def test_5_1_nobody_enters_a_hex_of_the_enemy() -> None:
    """5.1 Combat units are attacked, not walked over."""
    assert refused(game("4US 1306, 709ID 1305"), "4US", "1305").case == "5.1"


def test_5_2_a_lone_headquarters_costs_two_points_more() -> None:
    """5.2 Its hex can be entered for two points more, but by no headquarters
    and not with a combat unit in it."""
    state = game("4US 1306, VII/US 1206, LXXXIV 1305")
    assert route(state, "4US", "1305").spent == 2 + 4
    assert refused(state, "VII/US", "1305").case == "5.2"
    state = game("4US 1306, LXXXIV 1305, 709ID 1305")
    assert refused(state, "4US", "1305").case == "5.1"


# --- strategic movement ------------------------------------------------------------------------------------


def test_5_3_twice_the_allowance_far_from_the_enemy() -> None:
    """5.3 Used when normal movement does not do."""
    state = game("709ID 1306")
    there_and_back = ("1206", "1106", "1107", "1206", "1305", "1306")
    near = route(state, "709ID", *there_and_back)
    assert (near.strategic, near.spent, near.of) == (False, 12, 12)
    far = route(state, "709ID", *there_and_back, *there_and_back)
    assert (far.strategic, far.spent, far.of) == (True, 24, 24)
    assert refused(state, "709ID", *there_and_back, *there_and_back, "1305").case == "5.1"


def _far(text: str) -> bool:
    """Whether 709ID may use strategic movement."""
    state = game(text)
    unit_reach = UnitReach(state, "german", "B")
    return unit_reach.start(state.units["709ID"]).strategic is not None


def test_5_3_not_next_to_the_enemy_nor_out_of_supply_nor_after_landing() -> None:
    """5.3, 8.3 Who begins next to any enemy unit, headquarters too, is out of supply,
    or has landed this turn moves normally."""
    assert _far("709ID 1306, 4US 1308")
    assert not _far("709ID 1306, 4US 1307")
    assert not _far("709ID 1306, VII/US 1307")
    assert not _far("709ID 1306 unsupplied")
    state = game("4US 0617 landed")
    unit_reach = UnitReach(state, "allied", "B")
    assert unit_reach.start(state.units["4US"]).strategic is None


def test_5_3_never_into_an_enemy_zone() -> None:
    """5.3 A zone at the end of a long way bars it: normal movement only."""
    state = game("709ID 1306, 4US 1007")
    unit_reach, unit = UnitReach(state, "german", "B"), state.units["709ID"]
    assert unit_reach.table(unit).cost(GRID.index("1206"), GRID.index("1106")) == 2
    assert unit_reach.table(unit, strategic=True).cost(GRID.index("1206"), GRID.index("1106")) is None
    around = ("1206", "1305", "1306", "1206", "1305", "1306", "1206", "1106")
    assert refused(state, "709ID", *around).case == "5.1", "eight hexes, and the last is in a zone"


# --- air power ----------------------------------------------------------------------------------------------


def test_10_2_interdiction_doubles_what_germans_pay() -> None:
    """10.2 Everything costs twice as much, but woods and towns off the road; the Allies pay nothing more."""
    assert step_cost("1306", "1305", False, hampered=True) == 4
    assert step_cost("1407", "1408", True, hampered=True) == 8
    assert step_cost("2303", "2304", False, hampered=True) == 4
    assert step_cost("2304", "2404", False, hampered=True) == 2
    assert step_cost("2303", "2404", False, hampered=True) == 2, "a town by the road"
    assert step_cost("2203", "2303", False, hampered=True) == 2, "woods by the road"
    state = game("709ID 1306, 4US 1706", interdicted=["II"])
    assert route(state, "709ID", "1305").spent == 4
    assert route(state, "4US", "1806").spent == 2


def test_10_2_only_in_the_zone_of_the_fighter() -> None:
    """10.2 A hex of another zone costs what it always does."""
    state = game("709ID 1306", interdicted=["I", "III"])
    assert route(state, "709ID", "1305").spent == 2


@pytest.mark.parametrize("name", AIR_ZONES)
def test_10_2_a_hex_lies_under_interdiction_if_it_is_in_the_zone(name: str) -> None:
    """10.2 Into each hex of the zone everything costs what interdiction makes of it, into each other hex what
    it always does; so up to the last hex on both sides of its edge. The Allies pay nothing more."""
    zone = set(GRID.named(AIR_ZONES[name]))
    for side, id, hit in (("german", "709ID", zone), ("allied", "4US", set())):
        state = game(f"{id} 1306", interdicted=[name])
        table = UnitReach(state, side, "B").table(state.units[id])
        for hex, near in ((each, other) for each in GRID.ids for other in GRID.neighbours(each)):
            expected = step_cost(near, hex, state.units[id].counter.motor, hampered=hex in hit)
            assert table.cost(GRID.index(near), GRID.index(hex)) == expected, (side, near, hex)


@pytest.mark.parametrize("name", AIR_ZONES)
def test_10_2_entering_by_road_is_under_interdiction_in_the_zone_alone(name: str) -> None:
    """10.2 A unit that comes onto the map pays twice for its road hex if that is in the zone."""
    state, zone = game("709ID 1306", interdicted=[name]), set(GRID.named(AIR_ZONES[name]))
    unit_reach, unit = UnitReach(state, "german", "B"), state.units["709ID"]
    paid = {hex: 12 - unit_reach.start_by_road(unit, hex).points for hex in GRID.ids}
    assert paid == {hex: 2 if hex in zone else 1 for hex in GRID.ids}


def test_4_0_entering_by_road_in_an_enemy_zone_is_the_end_of_the_move() -> None:
    """4.0 A unit that comes onto the map next to the enemy stops there, and nowhere else."""
    state = game("709ID 1306, 4US 1504")
    unit_reach, near = UnitReach(state, "german", "B"), set(GRID.named(zones.zone(state, "allied")))
    stopped = {hex for hex in GRID.ids if not unit_reach.start_by_road(state.units["709ID"], hex).points}
    assert stopped == near and {"1404", "1505"} <= near


def test_10_3_ground_ploughed_up_by_bombers_costs_two_points_more() -> None:
    """10.3 For both sides, as long as the bombers lie there."""
    state = game("709ID 1306, 4US 1504", craters=["1305"])
    assert route(state, "709ID", "1305").spent == 2 + 2 * CHARTS.movement.under_bombers


# --- the map ------------------------------------------------------------------------------------------------


def test_s1_the_map_of_the_first_scenario_ends_at_column_17() -> None:
    """S1 Nobody goes east of column 17."""
    state = game("709ID 0917", scenario="cherbourg")
    error = refused(state, "709ID", "0916")
    assert (error.case, "scenario" in error.text) == ("5.1", True)


def test_s2_edges_of_the_map() -> None:
    """S2 Hex L, the east edge and the south edge; their corner counts as east."""
    assert [edge_of(hex) for hex in ("2227", "1101", "2711", "2701", "1306")] == [
        "L",
        "east",
        "south",
        "east",
        "",
    ]
    assert EDGES["L"] == GRID.bits(["2227"])


def test_s2_leaving_costs_a_last_hex() -> None:
    """S2 A road hex more where a road leaves the map, a clear hex elsewhere;
    who stands there can always leave."""
    state = game("A/4AD 2710, B/4AD 2711, 4US 2610")
    unit_reach = UnitReach(state, "allied", "B")
    there = unit_reach.way_off(state.units["B/4AD"], "2711")
    assert there is not None and there.spent == 1
    other = unit_reach.way_off(state.units["A/4AD"], "2711")
    normal = unit_reach.way(state.units["A/4AD"], unit_reach.start(state.units["A/4AD"]), ["2711"])
    assert other is not None and other.spent == normal.spent + 1
