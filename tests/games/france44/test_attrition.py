"""Supply and attrition in the administrative phase (10.1.1, 11.5, 3.11)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.france44 import attrition
from pbem.games.france44.notes import Eliminated, FuehrerRaised, SupplyJudged
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID
from tests.games.france44.kit import game

RING = "LXXX 1119, LXXXI 1122, LXVII 0820"
"""Three corps around 1020: every hex next to it lies in a zone of one of them."""
RING_US = "VII/US 1119, V/US 1122, VIII/US 0820"


def judged(text: str, **fields: Any) -> State:
    """A state after the judgement; nobody has a source."""
    fields.setdefault("control", {})
    state = game(text, **fields)
    attrition.judge(state)
    return state


def standing(state: State, id: str) -> tuple[str, int, bool]:
    unit = state.units[id]
    return unit.place, unit.lost, unit.unsupplied


@pytest.mark.parametrize(
    ("words", "ring", "lost"),
    [("", "", 0), ("unsupplied", "", 1), ("", RING, 1), ("unsupplied", RING, 2)],
)
def test_10_1_1_the_attrition_matrix(words: str, ring: str, lost: int) -> None:
    """A new marker or one from before, surrounded or not."""
    state = judged(f"VII/US 1020 {words}, {ring}")
    assert standing(state, "VII/US") == ("map", lost, True)


def test_11_5_markers_come_off_who_is_in_supply_again() -> None:
    """And both are told."""
    state = judged("VII/US 0819 unsupplied, V/US 1020", control={"0719": "allied"})
    assert standing(state, "VII/US") == ("map", 0, False)
    assert standing(state, "V/US") == ("map", 0, True)
    (note,) = [note for note in state.log if isinstance(note, SupplyJudged)]
    assert (note.out, note.again) == (("V/US",), ("VII/US",))


def test_10_1_1_a_unit_keeps_the_enemy_zone_off_its_hex() -> None:
    """A cadre beside it leaves a way out, and is surrounded no more itself."""
    ring = attrition.closed_in(game(f"VII/US 1020, {RING}"), "allied")
    assert "1020" in GRID.named(ring)
    open_ring = attrition.closed_in(game(f"VII/US 1020, V/US 1019 lost=2, {RING}"), "allied")
    assert "1020" not in GRID.named(open_ring)


def test_10_1_1_hexes_of_the_enemy_surround_like_his_zones() -> None:
    """Though only cadres hold them."""
    ring = attrition.closed_in(
        game("VII/US 1020, LXXX 1119, LXXXI 1122, LXVII 0920 lost=2, LXXIV 0921 lost=2"), "allied"
    )
    assert "1020" in GRID.named(ring)


def test_10_1_1_a_hex_without_zones_is_a_way_out() -> None:
    """Two of the three corps are not enough."""
    ring = attrition.closed_in(game("VII/US 1020, LXXX 1119, LXXXI 1122"), "allied")
    assert "1020" not in GRID.named(ring)


def test_10_1_1_a_headquarters_disperses_instead_of_losing_steps() -> None:
    """4.10 With a marker from before; with a new one it only gets the marker."""
    state = judged("US1 1020, VII/US 1020")
    assert standing(state, "US1") == ("map", 0, True)
    state = judged("US1 1020 unsupplied, VII/US 1020", turn=4)
    assert state.units["US1"].place == "track"
    assert state.units["US1"].back == 6


def test_10_1_1_all_are_judged_before_anybody_suffers() -> None:
    """The headquarters that disperses has kept its unit in supply in this segment: ruling."""
    state = judged("US1 1020 unsupplied, VII/US 1020")
    assert standing(state, "VII/US") == ("map", 0, True)


def test_10_1_1_who_is_eliminated_by_attrition_waits_beside_the_box() -> None:
    """Not to be raised in this turn."""
    state = judged("VII/US 1020 lost=2 unsupplied")
    assert state.units["VII/US"].place == "fresh"
    state = judged("LXXX 1020 lost=2 unsupplied")
    assert state.units["LXXX"].place == "fresh"
    state = judged(f"VII/US 1020 lost=1 unsupplied, {RING}")
    assert state.units["VII/US"].place == "fresh"


def test_3_11_10_1_1_a_surrounded_german_is_gone_and_a_fuehrer_division_is_raised() -> None:
    """It goes onto the track, two turns on."""
    state = judged(f"LXXXII 1020 lost=1 unsupplied, {RING_US}", turn=4)
    assert state.units["LXXXII"].place == "gone"
    assert [note.gone for note in state.log if isinstance(note, Eliminated)] == [True]
    (note,) = [note for note in state.log if isinstance(note, FuehrerRaised)]
    assert (state.units[note.name].place, note.turn) == ("track", 6)
    assert state.units[note.name].counter.fuehrer


def test_10_1_1_only_fuehrer_divisions_that_have_not_come_yet_are_raised() -> None:
    """After the last of them nothing takes the place of the corps."""
    ids = (
        "Clausewitz",
        "Holstein",
        "Thuringen",
        "Westfalen",
        "Muncheberg",
        "Juterbog",
        "Schlesien",
        "Donau",
        "Kurmark",
    )
    used = ", ".join(f"{id} eliminated" for id in ids)
    state = judged(f"LXXXII 1020 lost=1 unsupplied, {RING_US}, {used}")
    assert state.units["LXXXII"].place == "gone"
    assert not [note for note in state.log if isinstance(note, FuehrerRaised)]


def test_3_10_a_green_unit_that_attrition_eliminates_is_green_no_more() -> None:
    """It comes back tried."""
    state = judged("III/US 1020 lost=2 unsupplied green")
    assert not state.units["III/US"].green
    assert state.tried == ["III/US"]
