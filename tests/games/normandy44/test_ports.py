"""Ports and landing capacity (14)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import control, ports
from pbem.games.normandy44.notes import PortNews, Storm
from pbem.games.normandy44.state import Port, State
from pbem.games.normandy44.tables import CHERBOURG
from tests.games.normandy44.kit import game, put
from tests.games.playing import play


def held(text: str = "", *hexes: str, **fields: object) -> State:
    """A campaign with all its ports, in which the Allies control these hexes."""
    state = game(text, ports=ports.at_start("campaign"), **fields)  # type: ignore[arg-type]
    state.control = {hex: "allied" if hex in hexes else "german" for hex in control.HEXES}
    return state


def next_turn(state: State) -> None:
    ports.end_turn(state)
    state.turn += 1
    ports.begin_turn(state)


def news(state: State) -> list[tuple[str, str]]:
    return [(note.name, note.what) for note in state.log if isinstance(note, PortNews)]


@pytest.mark.parametrize(("turn", "expected"), [(1, 3), (2, 3), (3, 0), (9, 0)])
def test_14_0_beaches_land_three_points_each_on_the_first_two_turns(turn: int, expected: int) -> None:
    capacity = ports.capacity(held(turn=turn))
    assert capacity == dict.fromkeys(("0617", "0714", "0713", "0710", "0809", "0808"), expected)


def test_s1_before_cherbourg_utah_alone_is_a_beach_and_there_is_no_mulberry() -> None:
    state = game(scenario="cherbourg", turn=1, ports=ports.at_start("cherbourg"))
    assert ports.capacity(state) == {"0617": 3}
    assert list(state.ports) == ["Saint-Vaast", "Cherbourg"]


def test_14_1_a_mulberry_works_two_turns_after_its_beach_is_safe() -> None:
    state = held("", "0713", turn=0)
    next_turn(state)
    assert not ports.works(state, "Saint-Laurent")
    next_turn(state)
    assert state.turn == 2
    assert ports.works(state, "Saint-Laurent")
    assert ports.capacity(state)["Saint-Laurent"] == 9
    assert news(state) == [("Saint-Laurent", "begun"), ("Saint-Laurent", "working")]


def test_14_1_no_mulberry_in_a_german_zone_or_in_german_hands() -> None:
    state = held("716ID 0813", "0713", turn=0)
    next_turn(state)
    assert state.ports["Saint-Laurent"].left == -1
    state = held("", turn=0)
    next_turn(state)
    assert state.ports["Saint-Laurent"].left == -1


def test_14_0_a_german_zone_halts_the_work() -> None:
    state = held("", "0713", turn=0)
    next_turn(state)
    put(state, "716ID", "0813")
    next_turn(state)
    assert news(state)[-1] == ("Saint-Laurent", "delayed")
    put(state, "716ID", "dead")
    next_turn(state)
    assert ports.works(state, "Saint-Laurent")


def test_14_0_a_port_in_a_german_zone_does_not_work_and_has_no_capacity() -> None:
    state = held("", "0713", turn=4)
    state.ports["Saint-Laurent"] = Port(left=0, worth=9)
    assert ports.works(state, "Saint-Laurent")
    put(state, "716ID", "0813")
    assert not ports.works(state, "Saint-Laurent")
    assert "Saint-Laurent" not in ports.capacity(state)


def test_14_2_a_minor_port_needs_an_allied_unit_and_lands_three_points_after_two_turns() -> None:
    state = held("", "0816", turn=2)
    ports.end_turn(state)
    assert state.ports["Isigny"].left == -1
    put(state, "29US", "0816")
    next_turn(state)
    put(state, "29US", "1015")
    next_turn(state)
    assert state.turn == 4
    assert ports.capacity(state)["Isigny"] == 3


def test_14_0_a_german_in_a_port_destroys_it_and_it_can_be_built_again() -> None:
    state = held("29US 0816", "0816", turn=2)
    state.ports["Isigny"] = Port(left=0, worth=3)
    state.capacity = {"Isigny": 3}
    ports.entered(state, state.units["LXXXIV"], "0816")
    ports.entered(state, state.units["29US"], "0816")
    assert state.ports["Isigny"].worth == 3
    ports.entered(state, state.units["352ID"], "0816")
    assert state.ports["Isigny"] == Port()
    assert state.capacity["Isigny"] == 0
    next_turn(state)
    next_turn(state)
    assert state.ports["Isigny"].worth == 3


def test_14_3_cherbourg_opens_three_and_six_turns_after_its_liberation() -> None:
    state = held("9US 0222", *CHERBOURG, turn=4)
    worth = []
    for _ in range(7):
        next_turn(state)
        worth.append((state.turn, state.ports["Cherbourg"].worth))
    assert worth == [(5, 0), (6, 0), (7, 9), (8, 9), (9, 9), (10, 18), (11, 18)]


@pytest.mark.parametrize("german", ["0321", "0121"])
def test_14_3_cherbourg_is_liberated_when_both_hexes_are_out_of_german_zones(german: str) -> None:
    state = held(f"9US 0222, 709ID {german}", *CHERBOURG, turn=4)
    ports.end_turn(state)
    assert state.ports["Cherbourg"].left == -1
    assert not news(state)


def test_14_3_cherbourg_in_german_hands_is_not_begun() -> None:
    state = held("9US 0222", "0222", turn=4)
    ports.end_turn(state)
    assert state.ports["Cherbourg"].left == -1


def test_14_3_a_german_unit_in_cherbourg_takes_nine_points_off_once_a_turn() -> None:
    state = held("", *CHERBOURG, turn=10)
    state.ports["Cherbourg"] = Port(left=0, worth=18)
    state.capacity = {"Cherbourg": 12}
    for id in ("77ID", "709ID"):
        ports.entered(state, state.units[id], "0221")
    assert (state.ports["Cherbourg"].worth, state.capacity["Cherbourg"]) == (9, 3)
    put(state, "77ID", "0221")
    next_turn(state)
    assert state.ports["Cherbourg"].worth == 0
    assert news(state) == [("Cherbourg", "hindered"), ("Cherbourg", "destroyed")]


def test_14_3_the_points_come_back_three_turns_after_the_germans_have_gone() -> None:
    state = held("9US 0222", *CHERBOURG, turn=10)
    state.ports["Cherbourg"] = Port(left=0, worth=18)
    ports.entered(state, state.units["77ID"], "0221")
    for worth in (9, 9, 18):
        next_turn(state)
        assert state.ports["Cherbourg"].worth == worth


def storm(state: State, *dice: int) -> list[str]:
    start = len(state.log)
    play(ports.storms, state, dice=dice)
    return [note.what for note in state.log[start:] if isinstance(note, Storm)]


def test_14_1_a_six_damages_a_mulberry_and_the_next_storm_destroys_it_without_a_die() -> None:
    state = held("", "0713", "0811", turn=3)
    for name in ("Saint-Laurent", "Arromanches"):
        state.ports[name] = Port(left=0, worth=9)
    assert storm(state, 6, 5) == ["damaged", "unhurt"]
    capacity = ports.capacity(state)
    assert (capacity["Saint-Laurent"], capacity["Arromanches"]) == (5, 9)
    assert storm(state, 1) == ["destroyed", "unhurt"]
    assert storm(state, 1) == ["unhurt"]
    assert not ports.works(state, "Saint-Laurent")
    next_turn(state)
    assert state.ports["Saint-Laurent"].gone
    assert state.ports["Saint-Laurent"].left == -1


def test_14_1_a_storm_spares_what_is_not_in_use_yet() -> None:
    state = held("", "0713", turn=0)
    next_turn(state)
    assert storm(state) == []


def test_s2_the_ports_of_cobra() -> None:
    state = game(scenario="cobra", turn=7, ports=ports.at_start("cobra"))
    ports.begin_turn(state)
    capacity = {name: points for name, points in ports.capacity(state).items() if points}
    assert capacity == {"Arromanches": 9, "Saint-Vaast": 3, "Isigny": 3, "Cherbourg": 9}
    assert state.ports["Cherbourg"].left == 3
    assert state.ports["Saint-Laurent"].gone
