"""Who controls towns, beaches and ports (S1 to S3, 14)."""

from __future__ import annotations

from pbem.games.normandy44 import control
from pbem.games.normandy44.notes import TookControl
from pbem.games.normandy44.setup import setup
from pbem.games.normandy44.tables import BEACH_HEXES, CAEN, CHERBOURG, SAINT_VAAST
from tests.games.normandy44.kit import OPTIONS, game


def test_s3_all_is_german_at_the_start_of_the_campaign() -> None:
    state = setup("campaign", OPTIONS)
    assert set(state.control) == set(control.HEXES)
    assert set(state.control.values()) == {"german"}


def test_s2_cobra_begins_with_the_coast_and_the_north_of_caen_in_allied_hands() -> None:
    state = setup("cobra", OPTIONS)
    assert control.holds(state, "allied", (*BEACH_HEXES, *CHERBOURG, SAINT_VAAST, "1008"))
    assert control.holds(state, "german", ("1108", "2019", "2404", "1102"))


def test_s1_utah_is_american_and_what_lies_off_the_map_is_nobodys() -> None:
    state = setup("cherbourg", OPTIONS)
    assert control.holds(state, "allied", ("0617",))
    assert control.holds(state, "german", (*CHERBOURG, SAINT_VAAST))
    assert not set(CAEN) & set(state.control)


def test_s3_combat_units_take_what_they_pass_through() -> None:
    state = game("4US 0222")
    control.begin(state)
    state.control.update(dict.fromkeys(CHERBOURG, "german"))
    control.entered(state, state.units["4US"], ("0222", "0322"))
    assert state.control["0222"] == "allied" and state.control["0221"] == "german"
    assert [note.hex for note in state.log if isinstance(note, TookControl)] == ["0222"]
    control.entered(state, state.units["4US"], ("0222",))
    assert len(state.log) == 1


def test_0_1_headquarters_take_nothing() -> None:
    state = game("VII/US 0222")
    control.begin(state)
    control.entered(state, state.units["VII/US"], ("0222",))
    assert state.control["0222"] == "german" and not state.log


def test_s1_germans_in_utah_are_remembered() -> None:
    state = game("243ID 0618, LXXXIV 0618", scenario="cherbourg")
    control.begin(state)
    state.control["0617"] = "allied"
    control.entered(state, state.units["LXXXIV"], ("0617",))
    assert not state.utah_lost
    control.entered(state, state.units["243ID"], ("0617", "0618"))
    assert state.utah_lost and state.control["0617"] == "german"


def test_14_0_germans_who_pass_through_a_port_wreck_it() -> None:
    state = setup("cobra", OPTIONS)
    assert state.ports["Saint-Vaast"].worth
    control.entered(state, state.units["243ID"], (SAINT_VAAST,))
    assert not state.ports["Saint-Vaast"].worth
    assert state.control[SAINT_VAAST] == "german"
