"""Offensive markers, initiative and aircraft (2.3, 2.4, 10), the reinforcement phase (2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import allocation, control
from pbem.games.normandy44.notes import AirPlan, Arrived, Capacity, Initiative, PortNews, Supported
from pbem.games.normandy44.orders import Carpet, Cover, Delay, Interdict, Support
from pbem.games.normandy44.state import Port, Side, State
from tests.games.normandy44.kit import game
from tests.games.playing import opening, play

FORCES = "VII/US 0617, V/US 0714, 1US 0714, XXX/BR 0811, 50BR 0811, LXXXIV 1419, IIFJ 1415, 352ID 0914"


def begun(text: str = FORCES, **fields: Any) -> State:
    fields.setdefault("turn", 5)
    fields.setdefault("initiative", "")
    fields.setdefault("markers", {"allied": 2, "german": 1})
    state = game(text, **fields)
    state.control = dict.fromkeys(control.HEXES, "allied")
    return state


def desk(state: State, side: Side = "allied") -> allocation.Allocation:
    return allocation.Allocation(state, side)


def refused(state: State, order: Any, side: Side = "allied") -> NotAllowed:
    with pytest.raises(NotAllowed) as error:
        desk(state, side).check(order)
    return error.value


def done(state: State, *orders: Any, side: Side = "allied") -> None:
    writing = desk(state, side)
    for order in orders:
        writing.check(order)
        writing.carry_out(order)


# --- markers and initiative -------------------------------------------------------------------------------


def test_2_3_headquarters_are_supported_in_order_as_far_as_there_are_markers() -> None:
    state = begun()
    done(state, Support(("V/US", "XXX/BR", "VII/US")))
    assert state.supported == ["V/US", "XXX/BR"]
    assert state.markers["allied"] == 0
    assert refused(state, Support(("VII/US",))).case == "2.2"


@pytest.mark.parametrize(
    ("text", "order", "case"),
    [
        (FORCES, "1US", "2.3"),
        (FORCES, "LXXXIV", "2.3"),
        ("VII/US reserve", "VII/US", "2.3"),
        ("VII/US 0617 unsupplied", "VII/US", "8.3"),
        ("VII/US 1601", "VII/US", "2.3"),
    ],
)
def test_2_3_who_gets_no_marker(text: str, order: str, case: str) -> None:
    wall = ", 709ID 1401, 243ID 1502, 77ID 1603, 91ID 1701" if "1601" in text else ""
    state = begun(text + wall)
    assert refused(state, Support((order,))).case == case
    assert order not in desk(state).candidates()


def test_2_3_one_marker_for_a_headquarters() -> None:
    state = begun()
    done(state, Support(("V/US",)))
    assert "already" in refused(state, Support(("V/US",))).text


@pytest.mark.parametrize(
    ("allied", "german", "first"),
    [(["V/US"], ["IIFJ"], "allied"), ([], ["IIFJ"], "german"), ([], [], "allied"), (["V/US"], [], "allied")],
)
def test_2_3_more_supported_headquarters_have_the_initiative_the_allies_if_even(
    allied: list[str], german: list[str], first: str
) -> None:
    state = begun(supported=[*allied, *german])
    allocation.settle_initiative(state)
    assert state.initiative == first
    note = state.log[-1]
    assert isinstance(note, Initiative)
    assert (note.allied, note.german) == (len(allied), len(german))


def test_2_3_on_turn_1_any_german_marker_gives_the_germans_the_initiative() -> None:
    """No Allied headquarters is ashore yet."""
    state = begun("4US 0617, LXXXIV 1216", turn=1)
    played = play(allocation.allocation, state, None, Support(("LXXXIV",)))
    assert played.ended
    assert state.initiative == "german"
    assert state.markers == {"allied": 2, "german": 0}


def test_2_3_both_sides_write_at_the_same_time_and_nothing_is_told_before_both_are_done() -> None:
    state = begun()
    request = opening(allocation.allocation, state)
    assert isinstance(request, FirstOf)
    assert [ask.seat for ask in request.asks] == ["allied", "german"]
    assert request.of("german").takes == (Support,)
    played = play(allocation.allocation, begun(), Support(("V/US",)), None, Support(("IIFJ",)))
    kinds = [type(note) for note in played.notes]
    assert kinds[-4:] == [Supported, AirPlan, Supported, Initiative]


def test_2_3_in_order_the_germans_see_what_the_allies_have_chosen() -> None:
    state = begun(options={"allocation": "in order"})
    request = opening(allocation.allocation, state)
    assert isinstance(request, Desk)
    assert request.seat == "allied"
    played = play(
        allocation.allocation,
        begun(options={"allocation": "in order"}),
        Support(("V/US",)),
        None,
        Support(("IIFJ",)),
    )
    seats = [ask.seat for ask in played.requests if isinstance(ask, Desk)]
    assert seats == ["allied", "allied", "german", "german"]
    assert [note.side for note in played.of(Supported)] == ["allied", "german"]


def test_2_3_nobody_is_asked_who_has_nothing_to_give() -> None:
    state = begun(weather="adverse", markers={"allied": 0, "german": 0})
    played = play(allocation.allocation, state)
    assert not played.requests
    assert state.initiative == "allied"


def test_2_3_markers_that_are_not_used_stay_in_the_depots() -> None:
    state = begun()
    played = play(allocation.allocation, state, Support(("V/US",)), None)
    assert played.of(Supported)[0].stock == 1
    assert state.markers == {"allied": 1, "german": 1}


# --- aircraft ---------------------------------------------------------------------------------------------


def test_10_1_fighters_stay_with_their_own_army() -> None:
    state = begun()
    done(state, Cover("VII/US", 1))
    assert allocation.fighters_left(state, "us") == 1
    assert refused(state, Cover("V/US", 2)).case == "10.1"
    done(state, Cover("V/US", 1), Cover("XXX/BR", 2))
    assert state.fighters == {"VII/US": 1, "V/US": 1, "XXX/BR": 2}
    assert allocation.fighters_left(state) == 0
    assert refused(state, Cover("XXX/BR", 1)).case == "10.1"


@pytest.mark.parametrize("id", ["1US", "LXXXIV", "VIII/US"])
def test_10_1_fighters_go_to_headquarters_on_the_map(id: str) -> None:
    assert refused(begun(), Cover(id, 1)).case == "10.1"


@pytest.mark.parametrize(("weather", "us", "total"), [("clear", 2, 4), ("overcast", 1, 2), ("adverse", 0, 0)])
def test_2_4_the_weather_says_how_many_fly(weather: str, us: int, total: int) -> None:
    state = begun(weather=weather)
    assert allocation.fighters_left(state, "us") == us
    assert allocation.fighters_left(state) == total


def test_10_2_one_fighter_to_a_zone_of_either_army() -> None:
    state = begun()
    done(state, Interdict("I"), Interdict("II", "UK"))
    assert refused(state, Interdict("I")).case == "10.2"
    assert allocation.fighters_left(state, "us") == 2  # both are flown by the British as long as that helps
    done(state, Cover("VII/US", 2))
    assert refused(state, Interdict("III")).text == "no fighters are left this turn"
    assert refused(state, Cover("XXX/BR", 1)).case == "10.1"


def test_10_2_an_army_without_a_fighter_left_cannot_be_named() -> None:
    state = begun()
    done(state, Cover("XXX/BR", 2))
    assert "UK" in refused(state, Interdict("I", "UK")).text
    done(state, Interdict("I", "US"))


def test_10_4_bombers_delay_two_to_a_box_at_most() -> None:
    state = begun()
    done(state, Delay("Paris", 1), Delay("Pas de Calais*", 1))
    assert state.bombers == {"Paris": 1, "Benelux": 1}  # one box with two names
    assert refused(state, Delay("Paris", 1)).case == "10.4"
    state = begun()
    assert refused(state, Delay("Paris", 3)).case == "10.4"
    assert refused(state, Delay("Berlin", 1)).case == "10.4"
    state.weather = "overcast"
    assert refused(state, Delay("Paris", 2)).case == "10.4"
    done(state, Delay("Paris", 1))


def test_s1_before_cherbourg_one_american_fighter_in_clear_weather() -> None:
    state = begun("VII/US 0617, 709ID 0519", scenario="cherbourg", turn=2)
    assert allocation.fighters_left(state, "us") == 1
    assert allocation.bombers_left(state) == 0
    done(state, Interdict("I"))
    assert allocation.fighters_left(state) == 0
    state = begun("VII/US 0617", scenario="cherbourg", turn=2, weather="overcast")
    assert allocation.fighters_left(state) == 0


# --- carpet bombing ---------------------------------------------------------------------------------------


FRONT = "1US 1117, 3BR 1008, 352ID 1118, 272ID 1108, 5FJ 1419"


def test_10_3_each_army_bombs_once_and_its_bomber_does_nothing_else() -> None:
    state = begun(FRONT)
    done(state, Carpet("1118", "US"), Carpet("1108", "UK"))
    assert state.targets == {"1118": "us", "1108": "uk"}
    assert refused(state, Delay("Paris", 1)).case == "10.4"
    state = begun(FRONT, carpets=["us"])
    assert refused(state, Carpet("1118", "US")).case == "10.3"
    assert refused(state, Carpet("1419", "UK")).case == "10.3"  # not next to an Allied unit
    assert desk(state).settle(Carpet("1118")) == Carpet("1118", "UK")
    done(state, Carpet("1118", "UK"))
    assert refused(state, Carpet("1118", "US")).case == "10.3"


def test_10_3_no_bombers_in_adverse_weather_one_in_overcast() -> None:
    state = begun(FRONT, weather="adverse")
    assert refused(state, Carpet("1118", "US")).case == "10.3"
    state = begun(FRONT, weather="overcast")
    done(state, Carpet("1118", "US"))
    assert refused(state, Carpet("1108", "UK")).case == "10.3"


def test_10_3_the_option_and_the_first_scenario_forbid_it() -> None:
    state = begun(FRONT, options={"carpet": "no"})
    assert refused(state, Carpet("1118", "US")).case == "10.3"
    assert "1118" not in desk(state).subjects()
    state = begun("4US 0617, 709ID 0518", scenario="cherbourg")
    assert refused(state, Carpet("0518", "US")).case == "10.3"


def test_s2_in_cobra_the_british_bomb_on_turn_7_and_the_americans_on_turn_8() -> None:
    state = begun(FRONT, scenario="cobra", turn=7)
    assert refused(state, None).case == "S2"
    assert desk(state).subjects()[0] in ("1108", "1118")
    assert refused(state, Carpet("1118", "US")).case == "S2"
    done(state, Delay("Paris", 1))
    assert refused(state, Delay("Paris", 1)).case == "10.4"  # the other one is wanted for Caen
    done(state, Carpet("1108", "UK"), None)
    state = begun(FRONT, scenario="cobra", turn=8, carpets=["uk"])
    assert "US" in refused(state, None).text
    done(state, Carpet("1118", "US"), None)


def test_s2_bad_weather_or_want_of_a_target_puts_it_off() -> None:
    state = begun(FRONT, scenario="cobra", turn=7, weather="adverse")
    done(state, None)
    state = begun("3BR 1008", scenario="cobra", turn=7)
    done(state, None)
    state = begun(FRONT, scenario="cobra", turn=9, weather="overcast")
    assert refused(state, None).case == "S2"
    done(state, Carpet("1118", "UK"), None)  # one bomber flies: the Americans follow later


def test_s2_the_germans_may_stop_writing() -> None:
    done(begun(FRONT, scenario="cobra", turn=7), None, side="german")


def test_10_3_craters_last_until_the_next_air_phase() -> None:
    state = begun(craters=["1118"])
    opening(allocation.allocation, state)
    assert state.craters == []


# --- what lies open ---------------------------------------------------------------------------------------


def test_2_5_reinforcements_and_capacity_are_laid_out_first() -> None:
    state = begun(turn=2, ports={"Isigny": Port(left=1), "Arromanches": Port(left=0, worth=9)})
    played = play(allocation.allocation, state)
    kinds = list(dict.fromkeys(type(note) for note in played.notes))
    assert kinds[:4] == [Arrived, PortNews, Capacity, Supported]
    assert played.of(Capacity)[0].sites[-2:] == (("Isigny", 3), ("Arromanches", 9))
    assert state.capacity["0617"] == 3
    assert state.units["79US"].place == "reserve"


@pytest.mark.parametrize("scenario", ["campaign", "cobra"])
def test_every_option_that_is_offered_is_legal(scenario: str) -> None:
    state = begun(f"{FORCES}, 3BR 1008, 272ID 1108", scenario=scenario, turn=8)
    for side in ("allied", "german"):
        found = desk(state, side)  # type: ignore[arg-type]
        assert found.subjects()
        for subject in found.subjects():
            assert found.options(subject)
            for order in found.options(subject):
                found.check(order)
