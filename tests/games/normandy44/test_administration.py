"""The end of a turn (2.7): air supply (8.5), orders, the return of headquarters (6.4), making ready."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import administration, control, naval, ports
from pbem.games.normandy44.notes import AirSupplied, HeadquartersBack, Replaced, SupplyJudged
from pbem.games.normandy44.orders import Rebuild, Replace, Return, Supply
from pbem.games.normandy44.state import Port, Side, State
from tests.games.normandy44.kit import at, game
from tests.games.playing import Played, play


def turn(text: str = "", **fields: Any) -> State:
    fields.setdefault("ports", {"Isigny": Port(left=0, worth=3)})
    fields.setdefault("capacity", {"Isigny": 3})
    state = game(text, **{"turn": 5, **fields})
    state.control = dict.fromkeys(control.HEXES, "allied")
    return state


def end(state: State, *orders: Any) -> Played[State]:
    return play(administration.end, state, *orders)


def refused(state: State, order: Any, side: Side = "allied") -> NotAllowed:
    with pytest.raises(NotAllowed) as error:
        administration.EndOfTurn(state, side).check(order)
    return error.value


CUT_OFF = "A/2AD 1601, B/2AD 1601, 101AB 1602, 4Armd 1501, 8Armd 1501, VII/US 1602"
RING = ", 709ID 1401, 243ID 1402, 77ID 1503, 91ID 1703, 275ID 1802, 277ID 1801"


def test_8_4_supply_is_judged_at_the_end_of_the_turn() -> None:
    state = turn(CUT_OFF + RING)
    played = end(state)
    note = next(note for note in played.of(SupplyJudged) if note.side == "allied")
    assert {"A/2AD", "101AB", "VII/US"} <= set(note.out)
    assert state.units["101AB"].unsupplied


@pytest.mark.parametrize("units", [("A/2AD", "B/2AD"), ("101AB",), ("4Armd",)])
def test_8_5_the_marks_of_one_division_are_taken_off(units: tuple[str, ...]) -> None:
    state = turn(CUT_OFF + RING)
    played = end(state, Supply(units))
    assert played.of(AirSupplied)[0].names == units
    assert not any(state.units[id].unsupplied for id in units)


@pytest.mark.parametrize(
    "units", [("A/2AD", "101AB"), ("4Armd", "8Armd"), ("4Armd", "101AB"), ("VII/US",), ("709ID",)]
)
def test_8_5_no_more_than_a_division_or_as_many_points_of_independents(units: tuple[str, ...]) -> None:
    state = turn(CUT_OFF + RING)
    for id in ("A/2AD", "B/2AD", "101AB", "4Armd", "8Armd", "VII/US"):
        state.units[id].unsupplied = True
    assert refused(state, Supply(units)).case == "8.5"


def test_8_5_once_a_turn_and_not_in_adverse_weather() -> None:
    state = turn("101AB 1602 unsupplied, 4Armd 1501 unsupplied")
    desk = administration.EndOfTurn(state, "allied")
    desk.carry_out(Supply(("101AB",)))
    with pytest.raises(NotAllowed):
        desk.check(Supply(("4Armd",)))
    state = turn("101AB 1602 unsupplied", weather="adverse")
    assert "adverse" in refused(state, Supply(("101AB",))).text
    assert "supply" not in administration.EndOfTurn(state, "allied").subjects()


def test_13_0_both_sides_write_at_the_same_time() -> None:
    state = turn("9US 0714 lost=1, 1US dead, 77ID 2019 lost=1", capacity={"Isigny": 7})
    played = end(state, Replace(("9US",)), Rebuild(("1US",)), None, Replace(("77ID",)))
    assert [note.side for note in played.of(Replaced)] == ["allied", "german"]
    assert (state.units["9US"].lost, state.units["77ID"].lost) == (0, 0)
    assert state.units["1US"].place == "reserve"


def test_2_7_nobody_is_asked_who_has_nothing_to_do() -> None:
    assert not end(turn("9US 0714, 77ID 2019")).requests


def test_6_4_a_lost_headquarters_returns_at_the_end_of_the_second_turn() -> None:
    state = turn("VII/US dead, LXXXIV dead, 4US 0617, 77ID 2101", turn=3)
    state.units["VII/US"].back = state.units["LXXXIV"].back = 3
    played = end(state, Return("VII/US", "0617"), None, Return("LXXXIV", "2101"))
    assert (at(state, "VII/US"), at(state, "LXXXIV")) == ("0617", "2101")
    assert state.units["VII/US"].back == 0
    assert [note.name for note in played.of(HeadquartersBack)] == ["VII/US", "LXXXIV"]
    assert state.capacity == {}


def test_6_4_not_before_not_out_of_supply_not_among_the_enemy() -> None:
    state = turn("VII/US dead, V/US 0714, 4US 0617, 77ID 0914", turn=3)
    state.units["VII/US"].back = 4
    assert refused(state, Return("VII/US", "0617")).case == "6.4"
    state.turn = 4
    assert refused(state, Return("VII/US", "0914")).legal
    assert refused(state, Return("VII/US", "0714")).case == "6.4"
    assert refused(state, Return("LXXXIV", "0617")).case == "6.4"
    desk = administration.EndOfTurn(state, "allied")
    assert desk.subjects() == ["VII/US"]
    assert desk.options("VII/US") == [Return("VII/US", "0617")]


def test_14_0_work_on_the_ports_begins() -> None:
    state = turn("29US 0816", ports=ports.at_start("campaign"))
    end(state)
    assert state.ports["Isigny"].left == 2


def test_2_7_everything_is_made_ready_for_the_next_turn() -> None:
    state = turn(
        "VII/US 0617 used acted, 9US 0714 acted landed, 3FJ track ready",
        supported=["VII/US"],
        fighters={"VII/US": 1},
        interdicted=["I"],
        bombers={"Paris": 2},
        guns={"us cruisers": 0},
    )
    state.units["3FJ"].box = "Bretagne"
    end(state)
    for unit in state.units.values():
        assert not (unit.used or unit.acted or unit.landed or unit.ready)
    assert (state.supported, state.fighters, state.interdicted, state.bombers) == ([], {}, [], {})
    assert state.initiative == ""
    assert state.guns == naval.POINTS


def test_2_7_markers_in_the_depots_are_kept() -> None:
    state = turn(markers={"allied": 2, "german": 1})
    end(state)
    assert state.markers == {"allied": 2, "german": 1}


def test_every_option_that_is_offered_is_legal() -> None:
    state = turn("9US 0714 lost=1, A/4AD dead, VII/US dead, 101AB 1602 unsupplied, 77ID 2301 lost=1")
    for side in ("allied", "german"):
        desk = administration.EndOfTurn(state, side)
        assert desk.subjects()
        for subject in desk.subjects():
            for order in desk.options(subject):
                desk.check(order)
