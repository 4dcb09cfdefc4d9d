"""The 18th Airborne (3.12, 12.3, 12.4)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import airborne
from pbem.games.france44.notes import Dropped, Lifted, RhineCrossed
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID
from tests.games.france44.kit import at, game

BASE = "XVIII/US box, US1 3209"


def waiting(text: str = "", turn: int = 3, **fields: Any) -> State:
    return game(f"{BASE}, {text}" if text else BASE, turn=turn, **fields)


def refused(state: State, hex: str) -> NotAllowed:
    with pytest.raises(NotAllowed) as error:
        airborne.check_drop(state, hex)
    return error.value


@pytest.mark.parametrize(("turn", "yes"), [(1, 0), (2, 0), (3, 1), (6, 1), (9, 1), (10, 1), (11, 1)])
def test_12_3_12_4_the_months_in_which_it_may_jump(turn: int, yes: int) -> None:
    """12.3, 12.4 Market Garden from September to March, Varsity in April and May; only out of its box."""
    assert airborne.allowed(waiting(turn=turn)) is bool(yes)
    assert not airborne.allowed(game("XVIII/US eliminated, US1 3209", turn=turn))


def test_12_3_within_five_hexes_of_an_allied_headquarters() -> None:
    """12.3 Of any one, in supply or not."""
    state = waiting()
    for hex in GRID.named(airborne.zone(state)):
        assert GRID.distance(hex, "3209") <= 5
    airborne.check_drop(state, "3407")
    assert refused(state, "3809").case == "12.3"
    state.units["BR2"].place, state.units["BR2"].hex = "map", "3508"
    airborne.check_drop(state, "3809")


def test_12_3_into_enemy_zones_but_not_onto_enemies() -> None:
    """12.3, 7.1 Nor onto a headquarters, into the sea, off the map or into a full hex."""
    state = waiting("2Pz 3407, AOK1 3406, VII/US 3308, V/US 3308")
    airborne.check_drop(state, "3408")
    assert refused(state, "3407").case == "12.3"
    assert refused(state, "3406").case == "12.3"
    assert refused(state, "9999").case == "12.3"
    assert refused(state, "3308").case == "7.1"
    assert refused(waiting(turn=2), "3408").case == "12.3"


def test_12_3_it_jumps_and_no_river_beside_it_counts_for_the_allies() -> None:
    """12.3 Until it moves away; for Germans all rivers count."""
    state = waiting("VII/US 3309")
    airborne.drop(state, "3408")
    assert (at(state, "XVIII/US"), state.drop, state.jumped) == ("3408", "3408", True)
    assert airborne.ignored(state, "allied", "3309", "3408")
    assert airborne.ignored(state, "allied", "3408", "3308")
    assert not airborne.ignored(state, "allied", "3309", "3308")
    assert not airborne.ignored(state, "german", "3309", "3408")
    airborne.moved(state)
    assert state.drop == "3408"
    state.units["XVIII/US"].hex = "3407"
    airborne.moved(state)
    assert state.drop is None and not airborne.ignored(state, "allied", "3309", "3408")
    assert [note.hex for note in state.log if isinstance(note, Dropped)] == ["3408"]


def test_12_3_a_lone_headquarters_beside_the_drop_disperses() -> None:
    """4.10 The corps has a zone like any other unit."""
    state = waiting("AOK1 3407")
    airborne.drop(state, "3408")
    assert state.units["AOK1"].place == "track"


def test_12_3_market_garden_ends_with_the_cycle() -> None:
    """3.12, 12.3 The corps goes back to its box with the steps that it has left, and may jump again."""
    state = waiting()
    airborne.drop(state, "3408")
    state.units["XVIII/US"].lost = 1
    airborne.lift(state)
    corps = state.units["XVIII/US"]
    assert (corps.place, corps.hex, corps.lost) == ("box", None, 1)
    assert not state.jumped and state.drop is None and airborne.allowed(state)
    assert [note.name for note in state.log if isinstance(note, Lifted)] == ["XVIII/US"]


def test_3_12_if_it_was_destroyed_it_is_not_lifted() -> None:
    """3.12 It stays in the eliminated box."""
    state = waiting()
    airborne.drop(state, "3408")
    corps = state.units["XVIII/US"]
    corps.place, corps.hex = "eliminated", None
    airborne.moved(state)
    airborne.lift(state)
    assert corps.place == "eliminated" and state.drop is None and not state.jumped
    assert not any(isinstance(note, Lifted) for note in state.log)


def test_12_4_after_varsity_it_stays_on_the_map() -> None:
    """12.4 And has crossed the Rhine if it came down beyond it; after Market Garden it has not (12.9)."""
    state = waiting(turn=10)
    airborne.drop(state, "3508")
    airborne.lift(state)
    assert at(state, "XVIII/US") == "3508" and not airborne.allowed(state)
    assert state.drop is None and not state.jumped and state.drop_stays
    assert state.rhine_crossed == 10 and any(isinstance(note, RhineCrossed) for note in state.log)
    garden = waiting(turn=4)
    airborne.drop(garden, "3508")
    assert garden.rhine_crossed == 0


def test_12_3_a_scenario_without_it() -> None:
    """13.1 There is nothing to jump."""
    state = waiting()
    del state.units["XVIII/US"]
    assert airborne.corps_of(state) is None and not airborne.allowed(state)
