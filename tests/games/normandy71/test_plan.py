"""The planner's part of the game: what a side cannot see is drawn anew behind an equal view, stances lead to
different orders, and planned games can be played again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.planner import Planner, follower
from pbem.games.normandy71 import GAME, combat, victory
from pbem.games.normandy71.plan import PLAN
from pbem.games.normandy71.state import State
from tests.games.normandy71.kit import game
from tests.games.playing import opening

SEATS = ("allied", "german")


@cache
def played(seed: int) -> Played[State]:
    """A game of the planner, without thinking."""
    rng = random.Random(seed)
    return autoplay(GAME, f"plan {seed}", {seat: Planner(GAME, seat, rng, 0) for seat in SEATS})


def positions(seed: int) -> Iterator[State]:
    """The starts of the phases of a game."""
    for phase in played(seed).phases:
        yield GAME.load(phase.snapshot)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_hidden_is_drawn_anew_behind_an_equal_view(seat: str, seed: int) -> None:
    """INV.1B, ENT.B, SUP.H The seat sees the same position at every phase of a game, and something in it is
    different; nothing is wrong with the state that was not before."""
    different = 0
    for number, state in enumerate(positions(seed)):
        before, view, faults = GAME.dump(state), GAME.view(state, seat), set(GAME.invariants(state))
        PLAN.sample(state, seat, random.Random(number))
        assert GAME.view(state, seat) == view, GAME.label(state)
        assert set(GAME.invariants(state)) <= faults, GAME.label(state)
        different += GAME.dump(state) != before
    assert different > 30


def test_the_allies_do_not_know_the_order_of_battle() -> None:
    """INV.1B Before the landing every order of battle may be drawn; the more is seen, the fewer."""
    early, *_, late = (state for state in positions(0) if state.phase == "allied_movement")
    drawn: dict[int, set[str]] = {}
    for state in (early, late):
        snapshot = GAME.dump(state)
        for number in range(30):
            again = GAME.load(snapshot)
            PLAN.sample(again, "allied", random.Random(number))
            drawn.setdefault(state.turn, set()).add(again.order_of_battle)
    assert len(drawn[1]) > 3 and len(drawn[6]) <= len(drawn[1])


def test_ent_b_stacks_under_markers_are_drawn_anew() -> None:
    """ENT.B Another unit may be under a German marker; one in the open stays."""
    state = next(state for state in positions(0) if state.phase == "allied_movement")
    before = {id: unit.hex for id, unit in state.units.items() if unit.side == "german"}
    PLAN.sample(state, "allied", random.Random(1))
    after = {id: unit.hex for id, unit in state.units.items() if unit.side == "german"}
    assert before != after and set(filter(None, before.values())) == set(filter(None, after.values()))


def test_sup_h_the_germans_do_not_know_the_supply_areas() -> None:
    """SUP.H Any beach that was invaded may be one."""
    state = next(state for state in positions(0) if (state.turn, state.phase) == (2, "german_movement"))
    snapshot, found = GAME.dump(state), set()
    for number in range(8):
        again = GAME.load(snapshot)
        PLAN.sample(again, "german", random.Random(number))
        found.add(tuple(again.plan.supply))
        assert set(again.plan.supply) <= set(again.plan.beaches)
    assert len(found) > 3
