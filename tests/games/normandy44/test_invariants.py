"""What must always hold (invariants.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.games.normandy44 import control
from pbem.games.normandy44.invariants import invariants
from pbem.games.normandy44.notes import Replaced
from pbem.games.normandy44.setup import setup
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import OPTIONS, game, put


def sound() -> State:
    state = game("4US 0617, 8US 0920, 709ID 0519, VII/US 0617")
    control.begin(state)
    return state


@pytest.mark.parametrize("scenario", ["campaign", "cobra", "cherbourg"])
def test_every_scenario_begins_soundly(scenario: str) -> None:
    assert list(invariants(setup(scenario, OPTIONS))) == []


def test_a_sound_state_has_no_faults() -> None:
    assert list(invariants(sound())) == []


def at(id: str, hex: str) -> Callable[[State], object]:
    return lambda state: put(state, id, hex)


def log_replacements(*names: str) -> Callable[[State], object]:
    return lambda state: state.note(Replaced(case="13.0", side="german", names=names))


def lose(id: str, steps: int) -> Callable[[State], object]:
    return lambda state: setattr(state.units[id], "lost", steps)


FAULTS: dict[str, tuple[str, Callable[[State], object]]] = {
    "too many stacking points": ("3.1", lambda s: [put(s, id, "0920") for id in ("83US", "79US")]),
    "two headquarters": ("3.1", at("V/US", "0617")),
    "both sides": ("5.1", at("91ID", "0920")),
    "sea": ("S1", at("2US", "0614")),
    "steps": ("7.3", lose("4US", 3)),
    "steps of a headquarters": ("7.3", lose("VII/US", 1)),
    "no place": ("4US has place map", lambda s: setattr(s.units["4US"], "hex", None)),
    "German reserve": ("91ID is german", lambda s: setattr(s.units["91ID"], "place", "reserve")),
    "no box": ("11.1", lambda s: setattr(s.units["91ID"], "place", "track")),
    "back": ("6.4", lambda s: setattr(s.units["VII/US"], "back", 3)),
    "markers": ("2.2", lambda s: s.markers.update(german=-1)),
    "no headquarters": ("2.3", lambda s: s.supported.append("4US")),
    "two markers": ("2.3", lambda s: s.supported.extend(["VII/US", "VII/US"])),
    "capacity": ("14.0", lambda s: s.capacity.update({"0617": -1})),
    "fighters": ("10.1", lambda s: s.fighters.update({"VII/US": 5})),
    "zones": ("10.2", lambda s: s.interdicted.extend(["I", "I"])),
    "bombers": ("10.4", lambda s: s.bombers.update({"Paris": 3})),
    "carpets": ("10.3", lambda s: s.carpets.extend(["us", "us"])),
    "guns": ("12.0", lambda s: s.guns.update({"us cruisers": 9})),
    "replacements on foot": ("13.0", log_replacements("709ID", "91ID", "77ID")),
    "motorised replacements": ("13.0", log_replacements("22/21Pz", "125/21Pz")),
    "replaced twice": ("13.0", log_replacements("709ID", "709ID")),
    "control": ("S3", lambda s: s.control.update({"0617": "german"})),
    "exits": ("S2", lambda s: setattr(s.units["90US"], "place", "exited")),
    "Schlieben": ("E9", at("Schlieben", "0222")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(name: str) -> None:
    state = sound()
    expected, spoil = FAULTS[name]
    spoil(state)
    assert any(fault.startswith(expected) for fault in invariants(state)), list(invariants(state))


def test_s1_nobody_stands_east_of_the_map_of_the_first_scenario() -> None:
    state = game("4US 0714", scenario="cherbourg")
    control.begin(state)
    assert any(fault.startswith("S1") for fault in invariants(state))


def test_the_units_are_those_of_the_counter_sheet() -> None:
    state = sound()
    del state.units["90US"]
    assert any(fault.startswith("0.1") for fault in invariants(state))
