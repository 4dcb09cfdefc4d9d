"""How the scenarios begin (S1 to S3)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import GAME, setup, zones
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import ARRIVALS, CHERBOURG, GRID, PLAYED, SCENARIOS, UNITS
from tests.games.normandy44.kit import OPTIONS

SCENARIO_KEYS = tuple(setup.FIRST)


def begin(scenario: str) -> State:
    return setup.setup(scenario, OPTIONS)


@pytest.mark.parametrize(("scenario", "turn"), [("campaign", 0), ("cherbourg", 1), ("cobra", 7)])
def test_s1_s2_s3_the_first_turn(scenario: str, turn: int) -> None:
    assert begin(scenario).turn == turn


@pytest.mark.parametrize("scenario", SCENARIO_KEYS)
def test_s1_s2_s3_units_stand_where_the_scenario_has_them(scenario: str) -> None:
    state = begin(scenario)
    at = SCENARIOS.of(scenario).at
    assert list(state.units) == list(UNITS)
    assert len(list(state.on_map())) == len(at)
    for each in at:
        unit = state.units[each.unit]
        assert (unit.hex, unit.lost) == (each.hex, each.lost)
        assert PLAYED[scenario] >> GRID.index(each.hex) & 1


@pytest.mark.parametrize("scenario", SCENARIO_KEYS)
def test_s1_s2_s3_nothing_is_wrong_at_the_start(scenario: str) -> None:
    assert list(GAME.invariants(begin(scenario))) == []


def test_s1_lxxxiv_corps_is_at_marigny_and_not_at_saint_lo() -> None:
    assert begin("cherbourg").units["LXXXIV"].hex == "1218"
    assert begin("campaign").units["LXXXIV"].hex == "1216"


@pytest.mark.parametrize("scenario", ["cherbourg", "campaign"])
def test_s1_s3_cherbourg_has_a_garrison_and_its_road_is_guarded(scenario: str) -> None:
    """S1, S3 A division is in the city, and zones bar the roads that lead there from Quineville
    and Montebourg."""
    state = begin(scenario)
    assert any(state.holder(hex) == "german" for hex in CHERBOURG)
    assert GRID.bits(("0418", "0419", "0318", "0619")) & ~zones.zone(state, "german") == 0


def test_s1_no_ships_before_cherbourg() -> None:
    assert begin("cherbourg").guns == {}
    assert sum(begin("cobra").guns.values()) == sum(begin("campaign").guns.values()) == 14


def test_15_0_parachutists_and_the_first_wave_wait_in_the_reserve() -> None:
    state = begin("campaign")
    waiting = [unit.id for unit in state.units.values() if unit.place == "reserve"]
    assert sorted(waiting) == sorted(
        ["82AB", "101AB", "6AB", "4US", "29US", "1US", "50BR", "3CA", "3BR", "1SSB", "4SSB", "79a", "79b"]
    )
    assert not list(state.on_map("allied"))


def test_e3_divisions_on_the_map_at_the_start_bring_no_bonus() -> None:
    assert begin("campaign").panzers == ["21Pz"]
    assert begin("cherbourg").panzers == []
    assert set(begin("cobra").panzers) == {"21Pz", "2Pz", "Lehr", "1SS", "2SS", "9SS", "10SS", "12SS"}


def test_s2_who_holds_what_when_cobra_begins() -> None:
    control = begin("cobra").control
    assert (control["1008"], control["1108"]) == ("allied", "german")
    assert all(control[hex] == "allied" for hex in (*CHERBOURG, "0617", "0811", "0816"))
    assert all(control[hex] == "german" for hex in ("2019", "2404", "1102"))


def test_s2_nobody_of_the_arrival_charts_is_on_the_map_before_his_turn() -> None:
    state = begin("cobra")
    for line in (*ARRIVALS.allied, *ARRIVALS.german):
        for id in line.units:
            if line.turn >= state.turn:
                assert state.units[id].place == "later"


def test_7_2_a_panzer_division_is_as_strong_as_a_british_armoured_one() -> None:
    """7.2 The reconstructed values (README): every panzer division is 7-6; a counter of Flak 88, with one
    step and no stacking points, defends with 1."""

    def strength(formation: str) -> tuple[int, int]:
        best = [counter.steps[0] for counter in UNITS.values() if counter.formation == formation]
        return sum(attack for attack, _ in best), sum(defence for _, defence in best)

    tanks = [counter for counter in UNITS.values() if counter.side == "german" and counter.armour]
    panzers = {counter.formation for counter in tanks if counter.size == "regiment"}
    assert len(panzers) == 10
    assert {strength(name) for name in (*panzers, "7BAD", "11BAD", "GAD")} == {(7, 6)}
    assert {counter.steps for counter in UNITS.values() if counter.kind == "flak"} == {((1, 1),)}
