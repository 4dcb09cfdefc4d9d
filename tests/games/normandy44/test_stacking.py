"""Stacking (3.1) with the stacking points of the errata (E1)."""

from __future__ import annotations

from pbem.games.normandy44 import stacking
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game


def together(state: State, *ids: str) -> bool:
    return stacking.fits([state.units[id] for id in ids])


def test_3_1_six_points_in_a_hex() -> None:
    """3.1 Two whole divisions fill a hex; three do not fit."""
    state = game()
    assert together(state, "4US", "9US")
    assert not together(state, "4US", "9US", "90US")
    assert not together(state, "4US", "9US", "A/4AD")


def test_e1_reduced_divisions_take_less_room() -> None:
    """E1 A division that has lost a step counts for two points, so that three of them fit."""
    state = game("4US 0617 lost=1, 9US 0617 lost=1, 90US 0617 lost=1")
    assert together(state, "4US", "9US", "90US")
    state.units["4US"].lost = 0
    assert not together(state, "4US", "9US", "90US")


def test_3_1_one_headquarters_and_one_unit_of_no_points_besides() -> None:
    """3.1 A full hex still takes a headquarters and a unit without points, but one of each."""
    state = game()
    assert together(state, "3BR", "50BR", "XXX/BR", "79a")
    assert not together(state, "3BR", "XXX/BR", "I/BR")
    assert not together(state, "3BR", "79a", "79b")


def test_e8_garrisons_do_not_count() -> None:
    """E8 A beach garrison has no points and does not take the place of a unit of none."""
    assert together(game(), "WN-Utah", "FlakA", "709ID")


def test_3_1_the_limit_in_words() -> None:
    assert stacking.in_words() == "6 stacking points, 1 headquarters and 1 unit without points"
