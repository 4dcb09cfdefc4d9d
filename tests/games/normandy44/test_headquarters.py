"""Loss and return of headquarters (6.4), von Schlieben (E9, S1)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import control, headquarters
from pbem.games.normandy44.notes import Appeared, HeadquartersLost
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHERBOURG
from tests.games.normandy44.kit import at, game


def held(state: State, *hexes: str) -> State:
    state.control = {hex: "allied" if hex in hexes else "german" for hex in control.HEXES}
    return state


def test_6_4_destroyed_in_turn_1_back_at_the_end_of_turn_3() -> None:
    """The example of the rulebook."""
    state = held(game("VII/US 0617, 4US 0617", turn=1), "0617")
    unit = state.units["VII/US"]
    headquarters.lose(state, unit, "0617", "attacked")
    assert (unit.place, unit.hex, unit.back) == ("dead", None, 3)
    found = []
    for turn in (1, 2, 3, 4):
        state.turn = turn
        found.append(headquarters.returnable(state, unit))
    assert found == [False, False, True, True]


@pytest.mark.parametrize(
    ("why", "case"), [("overrun", "5.2"), ("attacked", "6.4"), ("with its units", "6.4"), ("no room", "3.1")]
)
def test_6_4_marker_and_fighters_are_lost_with_it(why: str, case: str) -> None:
    state = game("VII/US 0617", supported=["V/US", "VII/US"], fighters={"VII/US": 2, "V/US": 1})
    headquarters.lose(state, state.units["VII/US"], "0617", why)
    assert state.supported == ["V/US"]
    assert state.fighters == {"V/US": 1}
    note = state.log[-1]
    assert isinstance(note, HeadquartersLost)
    assert (note.case, note.why, note.hex, note.back) == (case, why, "0617", 4)


def test_6_4_a_combat_unit_does_not_return() -> None:
    state = game("709ID dead", turn=5)
    assert not headquarters.returnable(state, state.units["709ID"])


def test_6_4_it_comes_back_in_supply_and_not_with_another_headquarters() -> None:
    state = held(game("VII/US dead, V/US 0714, 4US 0617, 709ID 0518", turn=4), "0617", "0714")
    hexes = headquarters.return_hexes(state, state.units["VII/US"])
    assert "0617" in hexes
    assert "0714" not in hexes  # V Corps is there
    assert "0518" not in hexes  # the enemy is there
    state.control = {}  # no beach, no depot, no supply
    assert headquarters.return_hexes(state, state.units["VII/US"]) == ()


def test_e9_schlieben_appears_once_cherbourg_is_cut_off() -> None:
    state = held(game("709ID 0221", turn=2))
    headquarters.schlieben(state)
    assert at(state, "Schlieben") is None
    wall = ", ".join(f"{id} {hex}" for id, hex in zip(WALL, ACROSS, strict=True))
    state = held(game(f"709ID 0221, {wall}", turn=3))
    headquarters.schlieben(state)
    assert at(state, "Schlieben") == "0221"
    assert state.schlieben
    assert isinstance(state.log[-1], Appeared)
    state.units["Schlieben"].place, state.units["Schlieben"].hex = "dead", None
    headquarters.schlieben(state)
    assert at(state, "Schlieben") is None


WALL = ("4US", "9US", "79US", "90US", "82AB")
ACROSS = ("0517", "0519", "0521", "0523", "0518")
"""A line across the Cotentin, from coast to coast."""


def test_e9_he_does_not_come_to_an_allied_cherbourg() -> None:
    wall = ", ".join(f"{id} {hex}" for id, hex in zip(WALL, ACROSS, strict=True))
    state = held(game(f"709ID 0220, {wall}", turn=3), *CHERBOURG)
    headquarters.schlieben(state)
    assert at(state, "Schlieben") is None
    assert not state.schlieben


def test_e9_he_returns_to_cherbourg_alone() -> None:
    state = held(game("Schlieben dead, 709ID 0221, LXXXIV 0222", turn=6, schlieben=True))
    assert headquarters.return_hexes(state, state.units["Schlieben"]) == ("0221",)
