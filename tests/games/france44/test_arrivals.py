"""Arrivals (10.1.4 to 10.1.6), headquarters that come back (4.10) and Antwerp (11.4)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.france44 import administration, arrivals, control
from pbem.games.france44.arrivals import Arrivals, announce, due, entry_hexes
from pbem.games.france44.headquarters import disperse_lone
from pbem.games.france44.notes import Entered, SentBack, ShutOut
from pbem.games.france44.orders import Enter, Replace
from pbem.games.france44.state import State
from pbem.games.france44.tables import ANTWERP, GERMAN_CITIES, NORMANDY, Side
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play


def sound(text: str = "", *, turn: int = 2, **fields: Any) -> State:
    state = game(text, turn=turn, **fields)
    control.begin(state)
    return state


async def allied(state: State) -> None:
    await administration.arrive(state, "allied")


async def german(state: State) -> None:
    await administration.arrive(state, "german")


def arriving(state: State, *orders: Enter, dice: Any = ()) -> Played[State]:
    return play(allied, state, *orders, dice=dice)


def refused(state: State, *orders: Enter, side: Side = "allied") -> str:
    desk = Arrivals(state, side)
    for order in orders[:-1]:
        desk.check(order)
        desk.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        desk.check(orders[-1])
    return caught.value.case


# --- who comes ----------------------------------------------------------------------------------------------


def test_1_4_the_schedule_says_who_comes() -> None:
    state = sound(turn=4)
    announce(state)
    assert [unit.id for unit in due(state, "allied")] == ["XIII/US", "9AD/US", "5DB/FR"]
    assert [unit.id for unit in due(state, "german")] == ["XIISS", "LXIII"]


def test_3_12_the_airborne_comes_into_its_box() -> None:
    state = sound(turn=3)
    announce(state)
    assert state.units["XVIII/US"].place == "box"
    assert {unit.id for unit in due(state, "allied")} == {"10AD/US", "US9"}


def test_4_10_a_headquarters_dispersed_in_turn_3_is_back_in_turn_5() -> None:
    """4.10 The example: it comes in as a normal Normandy arrival whether others do or not."""
    state = sound("US1 1410, LXXXIV 1411", turn=3)
    disperse_lone(state)
    assert (state.units["US1"].place, state.units["US1"].back) == ("track", 5)
    state.turn = 4
    announce(state)
    assert state.units["US1"].place == "track"
    state = sound("US1 track back=5", turn=5)
    announce(state)
    state.units["III/US"].place = state.units["XVI/US"].place = state.units["14AD/US"].place = "later"
    arriving(state, Enter(("US1",), "1207"))
    assert (at(state, "US1"), state.units["US1"].back) == ("1207", 0)


def test_3_10_green_units_come_untried_unless_they_have_fought() -> None:
    state = sound("XIII/US due, III/US due", tried=["III/US"])
    arriving(state, Enter(("XIII/US", "III/US"), "1207"))
    assert [state.units[id].green for id in ("XIII/US", "III/US")] == [True, False]


# --- where --------------------------------------------------------------------------------------------------


def test_10_1_4_germans_come_in_at_any_german_city() -> None:
    state = sound("LXXXII due")
    assert entry_hexes(state, "german") == tuple(GERMAN_CITIES.values())
    play(german, state, Enter(("LXXXII",), "3510"))
    assert at(state, "LXXXII") == "3510"
    assert refused(sound("LXXXII due"), Enter(("LXXXII",), "3410"), side="german") == "10.1.6"


def test_10_1_4_a_city_in_allied_hands_is_no_entry() -> None:
    assert "3510" not in entry_hexes(sound("V/US 3510"), "german")
    assert "3510" not in entry_hexes(sound("US1 3510, V/US 3410"), "german")


def test_10_1_4_germans_who_are_shut_out_wait() -> None:
    state = sound("LXXXII due")
    for id, city in zip(
        (u.id for u in state.units.values() if u.side == "allied"), GERMAN_CITIES.values(), strict=False
    ):
        state.units[id].place, state.units[id].hex = "map", city
    assert entry_hexes(state, "german") == ()
    played = play(german, state)
    assert state.units["LXXXII"].place == "due"
    assert played.of(ShutOut) == []


def test_10_1_5_allies_come_in_through_normandy() -> None:
    state = sound("XV/US due")
    assert entry_hexes(state, "allied") == NORMANDY == ("1207", "1309", "1409")
    assert refused(state, Enter(("XV/US",), ANTWERP)) == "10.1.6"


@pytest.mark.parametrize(
    ("turn", "holder", "text", "may"),
    [
        (4, "allied", "", True),
        (11, "allied", "", True),
        (3, "allied", "", False),
        (4, "german", "", False),
        (4, "allied", "LXXXIX 2806", False),
    ],
)
def test_11_4_or_through_antwerp_from_october_on(turn: int, holder: Side, text: str, may: bool) -> None:
    """11.4, 10.1.5 Judged in the administrative phase, in any turn from October: Antwerp held,
    and the estuary clear."""
    state = sound(f"XIII/US due, {text}", turn=turn)
    state.control[ANTWERP] = holder
    assert (ANTWERP in entry_hexes(state, "allied")) == may


def test_10_1_6_not_into_an_enemy_zone_without_a_friend() -> None:
    assert "1309" not in entry_hexes(sound("LXXXIV 1310"), "allied")
    assert "1309" in entry_hexes(sound("LXXXIV 1310, V/US 1309"), "allied")
    assert "1309" in entry_hexes(sound("LXXXIV 1310 lost=2"), "allied")
    assert refused(sound("XV/US due, LXXXIV 1310"), Enter(("XV/US",), "1309")) == "10.1.6"


def test_10_1_6_nor_onto_the_enemy() -> None:
    assert "1309" not in entry_hexes(sound("AOK7 1309"), "allied")


def test_7_1_entry_hexes_hold_no_more_than_others() -> None:
    state = sound("XV/US due, XX/US due, XII/US due, V/US 1309, VII/US 1309")
    with pytest.raises(Overtaken) as caught:
        Arrivals(state, "allied").check(Enter(("XV/US",), "1309"))
    assert caught.value.case == "7.1"
    assert (
        refused(sound("XV/US due, XX/US due, XII/US due"), Enter(("XV/US", "XX/US", "XII/US"), "1207"))
        == "7.1"
    )


def test_10_1_6_all_are_placed_before_any_moves() -> None:
    """10.1.6 Those who are to move on still fill the entry hex for those who come after them."""
    state = sound("XV/US due, XX/US due, XII/US due")
    move_on = Enter(("XV/US", "XX/US"), "1207", ("1107",))
    assert refused(state, move_on, Enter(("XII/US",), "1207")) == "7.1"


# --- how far ------------------------------------------------------------------------------------------------


def test_5_3_10_1_4_arrivals_move_on_by_administrative_movement() -> None:
    """10.1.5, 5.3 Twice the points, all at once; the price of the entry hex comes off:
    12 less 1 for armour."""
    state = sound("5AD/US due, XV/US due")
    desk = Arrivals(state, "allied")
    assert desk.points(state.units["5AD/US"], "1309") == 11
    assert desk.points(state.units["XV/US"], "1309") == 7
    assert refused(state, Enter(("5AD/US",), "1309", ("1717",))) == "7.0"
    played = arriving(state, Enter(("5AD/US",), "1309", ("1716",)))
    assert at(state, "5AD/US") == "1716"
    assert played.of(Entered)[0].case == "10.1.5"


def test_10_1_6_an_entry_hex_in_an_enemy_zone_costs_that_too() -> None:
    """3.3, 10.1.6 And leaving it two points more."""
    state = sound("5AD/US due, V/US 1309, LXXXIV 1310")
    desk = Arrivals(state, "allied")
    assert desk.points(state.units["5AD/US"], "1309") == 10
    assert refused(state, Enter(("5AD/US",), "1309", ("1310",))) == "7.1"


def test_5_3_not_into_an_enemy_zone_friend_or_not() -> None:
    state = sound("5AD/US due, V/US 1411, LXXXIV 1412")
    assert refused(state, Enter(("5AD/US",), "1309", ("1411",))) == "5.3"
    Arrivals(state, "allied").check(Enter(("5AD/US",), "1309", ("1410",)))


def test_7_0_no_further_than_the_points_go() -> None:
    assert refused(sound("XV/US due"), Enter(("XV/US",), "1309", ("1418",))) == "7.0"


def test_7_1_all_of_them_have_room_where_they_end() -> None:
    """7.1 With those who stand there and those who are on their way there."""
    state = sound("XV/US due, XX/US due, V/US 1310")
    assert refused(state, Enter(("XV/US", "XX/US"), "1309", ("1310",))) == "7.1"
    Arrivals(state, "allied").check(Enter(("XV/US",), "1309", ("1310",)))
    state = sound("XV/US due, XX/US due, XII/US due")
    assert (
        refused(state, Enter(("XV/US", "XX/US"), "1309", ("1310",)), Enter(("XII/US",), "1409", ("1310",)))
        == "7.1"
    )


def test_11_3_arrivals_take_what_they_pass() -> None:
    state = sound("5AD/US due")
    state.control["1410"] = "german"
    arriving(state, Enter(("5AD/US",), "1409", ("1410", "1510")))
    assert state.control["1410"] == "allied"


def test_12_7_arrivals_that_come_to_a_bridge_have_it_tried() -> None:
    """12.7 From Antwerp to Nijmegen in November; the bridge is blown, and nobody goes on over it."""
    state = sound("14AD/US due", turn=5)
    state.control[ANTWERP] = "allied"
    played = arriving(state, Enter(("14AD/US",), ANTWERP, ("3007", "3107", "3206", "3306")), dice=[2])
    assert state.bridges == {"3306-3405": 0}
    assert played.of(Entered)[0].path[-1] == "3306"


# --- who does not come --------------------------------------------------------------------------------------


GUARDS = "LXXXIV 1208, LXXXI 1310, 2SS 1410"


def test_10_1_5_allies_whom_zones_shut_out_are_lost_for_good() -> None:
    state = sound(f"XV/US due, US3 due, {GUARDS}")
    assert entry_hexes(state, "allied") == ()
    played = arriving(state)
    assert state.units["XV/US"].place == "gone"
    assert state.units["US3"].place == "due"
    assert played.of(ShutOut)[0].names == ("XV/US",)


def test_10_1_5_who_could_have_come_waits() -> None:
    state = sound("XV/US due")
    assert arriving(state).of(ShutOut) == []
    assert state.units["XV/US"].place == "due"


def test_10_1_2_a_unit_raised_again_that_does_not_come_in_is_back_in_the_box() -> None:
    state = sound("V/US eliminated")
    played = play(administration.administration, state, Replace("V/US", 2), None)
    assert (state.units["V/US"].place, state.units["V/US"].rebuilt) == ("eliminated", False)
    assert not [note for note in played.of(Entered) if note.names == ("V/US",)]
    assert [note.names for note in played.of(SentBack)] == [("V/US",)]


def test_10_1_5_a_headquarters_left_alone_beside_the_enemy_disperses() -> None:
    """4.10 A friend holds the entry hex; the headquarters that comes in stays with him."""
    state = sound("US3 due, V/US 1309, LXXXIV 1310")
    arriving(state, Enter(("US3",), "1309"))
    assert at(state, "US3") == "1309"


def test_10_1_4_what_can_come_is_offered() -> None:
    state = sound("XV/US due, 5AD/US due, LXXXIV 1411")
    desk = Arrivals(state, "allied")
    assert list(desk.subjects()) == ["XV/US", "5AD/US"]
    for subject in desk.subjects():
        options = desk.options(subject)
        assert {order.hex for order in options if isinstance(order, Enter)} == set(NORMANDY)
        for order in options:
            desk.check(order)


def test_7_1_nobody_is_offered_a_way_into_a_hex_that_will_be_full() -> None:
    """7.1, 10.1.6 Those who have come in stand, for the rules, where they are going to."""
    state = sound("XV/US due, XX/US due, XII/US due")
    desk = Arrivals(state, "allied")
    desk.carry_out(Enter(("XV/US", "XX/US"), "1309", ("1310",)))
    options = desk.options("XII/US")
    assert Enter(("XII/US",), "1409", ("1410",)) in options
    assert Enter(("XII/US",), "1409", ("1310",)) not in options
    for order in options:
        desk.check(order)


def test_10_1_5_both_sides_have_their_own_arrivals() -> None:
    assert refused(sound("XV/US due"), Enter(("XV/US",), "3510"), side="german") == "10.1.6"
    assert refused(sound("XV/US later"), Enter(("XV/US",), "1207")) == "10.1.6"
    assert arrivals.ANTWERP_FROM == 4
