"""Setting up (1.4, 1.8, 13.1, 13.2): who stands where in July 1944."""

from __future__ import annotations

import pytest

from pbem.games.france44 import stacking, zones
from pbem.games.france44.invariants import invariants
from pbem.games.france44.setup import setup
from pbem.games.france44.state import SIDES, State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, GRID, LAND, SETUP, TURNS, UNITS
from tests.games.france44.kit import OPTIONS

SCENARIOS = ("falaise", "westwall", "rhine", "crusade")


def begin(scenario: str, advantage: str = "no") -> State:
    return setup(scenario, {"advantage": advantage})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_1_8_every_scenario_begins_in_july(scenario: str) -> None:
    state = begin(scenario)
    assert (state.turn, TURNS[state.turn].month) == (1, "July 1944")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_13_2_nothing_is_wrong_at_the_start(scenario: str) -> None:
    assert list(invariants(begin(scenario))) == []


def test_1_4_units_stand_where_the_card_has_them() -> None:
    state = begin("crusade")
    for line in SETUP.at:
        for id in line.units:
            assert state.units[id].hex == line.hex
            assert LAND >> GRID.index(line.hex) & 1
    placed = [id for line in SETUP.at for id in line.units]
    assert sorted(placed) == sorted(unit.id for unit in state.on_map())
    assert len(set(placed)) == len(placed)


def test_1_4_everybody_else_is_still_to_come_once() -> None:
    """1.4, 3.11 All but the Fuehrer divisions stand on the card or in the schedule, and nobody twice."""
    placed = [id for line in SETUP.at for id in line.units]
    coming = [id for arrival in SETUP.arrival for id in arrival.units]
    fuehrer = [id for id, piece in UNITS.items() if not piece.hq and piece.fuehrer]
    assert sorted([*placed, *coming, *fuehrer]) == sorted(UNITS)
    assert all(1 <= arrival.turn <= 11 for arrival in SETUP.arrival)
    assert all(UNITS[id].side == arrival.side for arrival in SETUP.arrival for id in arrival.units)


def test_7_1_stacks_are_within_the_limits() -> None:
    state = begin("crusade")
    assert all(stacking.fits(state.at(line.hex)) for line in SETUP.at)


def test_11_3_the_allies_hold_three_sources_and_st_nazaire_is_german() -> None:
    state = begin("crusade")
    held = {hex for hex, side in state.control.items() if side == "allied"}
    assert held == {"1207", "1309", "1409"}
    assert state.control["0614"] == "german"


def test_11_1_headquarters_and_their_armies_begin_in_supply() -> None:
    state = begin("crusade")
    for side in SIDES:
        supply = Supply(state, side)
        assert all(supply.has(unit) for unit in state.on_map(side) if unit.hq)
    allied = Supply(state, "allied")
    assert all(allied.has(unit) for unit in state.on_map("allied"))


def test_4_8_no_headquarters_stands_alone_in_a_zone() -> None:
    state = begin("crusade")
    for side in SIDES:
        assert not [
            u for u in state.on_map(side) if u.hq and zones.closed(state, side) >> GRID.index(u.placed) & 1
        ]


def test_3_10_green_units_begin_untried() -> None:
    state = begin("crusade")
    assert {unit.id for unit in state.units.values() if unit.green} == {
        id for id, piece in UNITS.items() if not piece.hq and piece.green
    }


def test_13_1_falaise_gap_is_played_in_normandy() -> None:
    """13.1 The pieces of columns 11 to 18 and the arrivals of July, no garrisons elsewhere."""
    state = begin("falaise")
    assert all(11 <= int(unit.placed[:2]) <= 18 for unit in state.on_map())
    assert not {"XXV", "LXXX", "LXVII", "AOK15", "XVIII/US", "XV/US", "Kurmark"} & set(state.units)
    assert {"4AD/US", "US3", "CA1", "116Pz", "PzWest"} <= set(state.units)
    assert len(list(state.on_map())) < len(list(begin("crusade").on_map()))


@pytest.mark.parametrize(
    ("scenario", "option", "holder"),
    [("crusade", "yes", "allied"), ("crusade", "no", ""), ("falaise", "yes", ""), ("rhine", "yes", "allied")],
)
def test_12_10_the_allies_hold_the_advantage_at_the_start(scenario: str, option: str, holder: str) -> None:
    """12.10 An option, and never in Falaise Gap."""
    assert begin(scenario, option).advantage == holder


def test_2_0_8_supply_of_july_is_there_to_be_committed() -> None:
    state = begin("crusade")
    assert state.supply == TURNS[1].supply
    assert state.committed == {}


def test_9_2_air_in_july() -> None:
    """9.2, 2.0.3 Two heavy bomber markers for the game, no air support rolled."""
    state = begin("crusade")
    assert (state.heavies, state.air, state.interdicting) == (CHARTS.air.heavies, False, 0)


def test_options_are_kept() -> None:
    assert setup("crusade", OPTIONS).options == OPTIONS
