"""Stacking (7.1): four of armour, two of infantry, four in all; headquarters do not count."""

from __future__ import annotations

import pytest

from pbem.games.france44 import stacking
from tests.games.france44.kit import game

ARMOUR = ("2AD/US", "3AD/US", "4AD/US", "5AD/US", "6AD/US")
INFANTRY = ("V/US", "VII/US", "VIII/US")
STAFF = ("US1", "US3", "BR2")


@pytest.mark.parametrize(
    ("armour", "infantry", "fits"),
    [(4, 0, True), (5, 0, False), (0, 2, True), (0, 3, False), (2, 2, True), (3, 2, False), (3, 1, True)],
)
def test_7_1_what_a_hex_holds(armour: int, infantry: int, fits: bool) -> None:
    """Each limit by itself and both together."""
    ids = ARMOUR[:armour] + INFANTRY[:infantry]
    state = game(", ".join(f"{id} 1020" for id in ids))
    assert stacking.fits(state.at("1020")) is fits


def test_7_1_headquarters_are_free() -> None:
    """Any number of them with a full stack."""
    state = game(", ".join(f"{id} 1020" for id in (*ARMOUR[:4], *STAFF)))
    assert stacking.fits(state.at("1020"))
    assert stacking.load(state.at("1020")) == (4, 0)


def test_3_1_7_1_paratroops_are_infantry_and_panzergrenadiers_armour() -> None:
    """3.1 What counts is the arm."""
    assert not stacking.fits(game("IIFJ 1020, LXXX 1020, LXXIV 1020").at("1020"))
    assert stacking.load(game("IIFJ 1020, 17SS 1020, 2SS 1020").at("1020")) == (2, 1)


def test_7_1_cadres_count_in_full() -> None:
    """A cadre takes the room of a unit."""
    assert not stacking.fits(game("V/US 1020 lost=2, VII/US 1020 lost=2, VIII/US 1020 lost=2").at("1020"))
