"""Reinforcements: the reserve, the track, landing sites (2.5, 11, E0, E5, 10.4)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import control, reinforcement
from pbem.games.normandy44.notes import Arrived, TrackRolled
from pbem.games.normandy44.state import Port, State
from tests.games.normandy44.kit import game, put
from tests.games.playing import Played, play


def track(text: str, *dice: int, **fields: object) -> Played[State]:
    """Units on the track try to leave their boxes: ``3FJ Bretagne*``."""
    state = game(**fields)  # type: ignore[arg-type]
    for part in text.split(","):
        id, box = part.split(maxsplit=1)
        put(state, id, "track")
        state.units[id].box = box
    return play(reinforcement.advance_track, state, dice=dice)


def where(played: Played[State], id: str) -> tuple[str, bool]:
    unit = played.state.units[id]
    return unit.box, unit.ready


# --- arrivals -------------------------------------------------------------------------------------------


def test_2_5_allied_units_wait_in_the_reserve_a_star_means_phase_b() -> None:
    state = game(turn=1)
    reinforcement.arrive(state)
    assert (state.units["90US"].place, state.units["90US"].phase) == ("reserve", "A")
    assert (state.units["9US"].place, state.units["9US"].phase) == ("reserve", "B")
    assert state.units["79US"].place == "later"
    note = next(note for note in state.log if isinstance(note, Arrived) and "9US" in note.names)
    assert (note.side, note.where, note.phase) == ("allied", "reserve", "B")


def test_2_5_german_units_are_put_into_their_boxes_a_star_is_a_box_of_its_own() -> None:
    state = game(turn=1)
    reinforcement.arrive(state)
    boxes = {id: state.units[id].box for id in ("77ID", "3FJ", "101s", "LXXXVI", "25/12SS", "346ID")}
    assert boxes == {
        "77ID": "Bretagne",
        "3FJ": "Bretagne*",
        "101s": "Paris*",
        "LXXXVI": "Gascogne*",
        "25/12SS": "map",
        "346ID": "map",
    }
    assert state.units["25/12SS"].routes == ("C", "D", "E")


def test_11_2_who_found_no_room_may_land_from_phase_a_on() -> None:
    state = game("9US reserve phase=B, 30US reserve", turn=2)
    reinforcement.arrive(state)
    assert state.units["9US"].phase == "A"
    assert state.units["30US"].phase == "B"  # rebuilt at the end of the turn before (13.0)
    state.turn = 3
    reinforcement.arrive(state)
    assert state.units["30US"].phase == "A"


def test_s1_the_drive_on_cherbourg_has_arrivals_of_its_own() -> None:
    state = game(scenario="cherbourg", turn=2)
    reinforcement.arrive(state)
    arrived = {unit.id for unit in state.units.values() if unit.place in ("reserve", "track")}
    listed = (*reinforcement.allied_chart("cherbourg"), *reinforcement.german_chart("cherbourg"))
    assert arrived == {id for line in listed if line.turn == 2 for id in line.units}
    assert "31Tk" not in arrived


@pytest.mark.parametrize(
    ("turn", "id", "box"),
    [
        (1, "130s", "Le Mans"),
        (1, "IIFJ", "Bretagne"),
        (1, "LXXXVI", "Gascogne*"),
        (7, "LVIII", "Sud France"),
        (9, "2FJ", "Bretagne"),
        (9, "LXXXI", "Pas de Calais"),
        (11, "17Lw", "Pas de Calais"),
    ],
)
def test_e9_german_arrivals_as_corrected(turn: int, id: str, box: str) -> None:
    state = game(turn=turn)
    reinforcement.arrive(state)
    assert (state.units[id].place, state.units[id].box) == ("track", box)


# --- the track ------------------------------------------------------------------------------------------


def test_e0_seven_without_bombers_lets_everybody_through_without_a_die() -> None:
    played = track("3FJ Bretagne*")
    assert not played.rolled()
    assert where(played, "3FJ") == ("Bretagne", False)
    note = played.of(TrackRolled)[0]
    assert (note.box, note.to, note.die, note.passed) == ("Bretagne*", "Bretagne", 0, True)


@pytest.mark.parametrize(("die", "ready"), [(5, True), (6, False)])
def test_11_1_a_die_that_reaches_the_number_blocks(die: int, ready: bool) -> None:
    played = track("77ID Bretagne", die)
    assert where(played, "77ID") == ("Bretagne", ready)
    assert played.of(TrackRolled)[0].passed == ready


@pytest.mark.parametrize(
    ("die", "bombers", "passed"), [(5, 1, True), (6, 1, False), (4, 2, True), (5, 2, False)]
)
def test_10_4_each_bomber_adds_one(die: int, bombers: int, passed: bool) -> None:
    played = track("3FJ Bretagne*", die, bombers={"Bretagne*": bombers})
    assert where(played, "3FJ") == ("Bretagne" if passed else "Bretagne*", False)
    assert played.of(TrackRolled)[0].bombers == bombers


def test_11_1_every_unit_tries_for_itself_and_goes_one_box_at_a_time() -> None:
    played = track("2Pz/2SS Sud France*, 77ID Bretagne, 275ID Bretagne", 6, 1)
    assert where(played, "2Pz/2SS") == ("Sud France", False)
    assert played.rolled() == ["77ID leaves Bretagne", "275ID leaves Bretagne"]
    assert where(played, "77ID") == ("Bretagne", False)
    assert where(played, "275ID") == ("Bretagne", True)


def test_11_1_who_does_not_enter_tries_again_in_the_next_activation() -> None:
    played = track("77ID Bretagne", 1)
    assert where(played, "77ID") == ("Bretagne", True)
    play(reinforcement.advance_track, played.state, dice=[6])
    assert where(played, "77ID") == ("Bretagne", False)


def test_2_5_some_come_onto_the_map_without_the_track() -> None:
    played = track("346ID map")
    assert where(played, "346ID") == ("map", True)
    assert not played.notes


def test_e0_units_enter_by_the_roads_of_their_track() -> None:
    state = game("3FJ track box=Bretagne, 16Lw track box=Pas_de_Calais, 25/12SS track box=map")
    state.units["25/12SS"].routes = ("C", "D")
    assert reinforcement.entry_hexes(state, state.units["3FJ"]) == [
        "2703", "2711", "2714", "2717", "2721", "2227",
    ]  # fmt: skip
    assert reinforcement.entry_hexes(state, state.units["16Lw"]) == ["0801", "1101"]
    assert reinforcement.entry_hexes(state, state.units["25/12SS"]) == ["1401", "1901"]
    put(state, "4US", "1101")
    assert reinforcement.entry_hexes(state, state.units["16Lw"]) == ["0801"]


def test_s1_roads_off_the_map_of_the_scenario_are_closed() -> None:
    state = game("77ID track box=Bretagne", scenario="cherbourg")
    assert reinforcement.entry_hexes(state, state.units["77ID"]) == ["2717", "2721", "2227"]


# --- landing --------------------------------------------------------------------------------------------


BEACHES = {"0617": 3, "0714": 3, "0713": 3, "0710": 3, "0809": 3, "0808": 3}


def shore(text: str, **fields: object) -> State:
    fields.setdefault("capacity", dict(BEACHES))
    state = game(text, turn=2, **fields)  # type: ignore[arg-type]
    state.control = dict.fromkeys(control.HEXES, "allied")
    return state


def found(state: State, id: str, phase: str) -> list[tuple[str, str, int]]:
    open_to = reinforcement.open_sites(state, state.units[id].army)
    return reinforcement.sites(state, state.units[id], phase, open_to)


def test_11_2_each_army_has_its_own_beaches() -> None:
    state = shore("90US reserve phase=A, 51BR reserve phase=A")
    assert found(state, "90US", "A") == [("0617", "0617", 3), ("0714", "0714", 3), ("0713", "0713", 3)]
    assert [site for site, _, _ in found(state, "51BR", "A")] == ["0710", "0809", "0808"]


def test_14_0_ports_take_units_of_any_nation() -> None:
    state = shore("90US reserve phase=A, 51BR reserve phase=A", capacity={"Arromanches": 9, "Cherbourg": 9})
    state.ports = {"Arromanches": Port(left=0, worth=9), "Cherbourg": Port(left=3, worth=9)}
    expected = [("Arromanches", "0811", 3), ("Cherbourg", "0222", 3), ("Cherbourg", "0221", 3)]
    assert found(state, "90US", "A") == found(state, "51BR", "A") == expected


def test_2_5_a_star_lands_in_phase_b_only() -> None:
    state = shore("9US reserve phase=B, 30US later")
    assert not found(state, "9US", "A")
    assert len(found(state, "9US", "B")) == 3
    assert not found(state, "30US", "B")


def test_11_2_a_division_costs_three_points_of_the_capacity() -> None:
    """The example of the rulebook."""
    state = shore("90US reserve phase=A, A/4AD reserve phase=A, A/2AD reserve phase=A lost=1")
    reinforcement.pay(state, "0617", 3)
    assert state.capacity["0617"] == 0
    assert [site for site, _, _ in found(state, "90US", "A")] == ["0714", "0713"]
    assert found(state, "A/4AD", "A")[0] == ("0714", "0714", 1)
    assert found(state, "A/2AD", "A")[0][2] == 1


def test_11_2_no_landing_among_germans() -> None:
    state = shore("90US reserve phase=A, WN-OmahaW 0714")
    assert [site for site, _, _ in found(state, "90US", "A")] == ["0617", "0713"]


def test_14_0_who_has_no_stacking_points_or_is_paid_for_needs_no_capacity() -> None:
    capacity = dict.fromkeys(BEACHES, 0)
    state = shore("VII/US reserve phase=A, 1US reserve phase=A paid, 4US reserve phase=A", capacity=capacity)
    assert found(state, "VII/US", "A")[0] == ("0617", "0617", 0)
    assert found(state, "1US", "A")[0] == ("0617", "0617", 0)
    assert not found(state, "4US", "A")


def test_13_0_what_an_army_draws_comes_from_its_beaches_before_the_ports() -> None:
    state = shore("", capacity={"0617": 1, "0808": 3, "Isigny": 3}, ports={"Isigny": Port(left=0, worth=3)})
    assert reinforcement.capacity_for(state, "us") == 4
    reinforcement.draw(state, "us", 3)
    assert state.capacity == {"0617": 0, "0808": 3, "Isigny": 1}
