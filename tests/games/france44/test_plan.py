"""The planner's page of France 1944."""

from __future__ import annotations

import hashlib
import random

import pytest

from pbem.engine.autoplay import autoplay, replay_equal
from pbem.engine.bots import Bot
from pbem.engine.planner import bot_for, choose
from pbem.games.france44 import GAME, bot, victory
from pbem.games.france44.plan import PLAN, STANCES, sample, score
from pbem.games.france44.state import State

SIDES = ("allied", "german")


def played(name: str, seed: str = "plan", scenario: str = "falaise") -> list[State]:
    """The states at the start of each phase of a game, and the last one."""
    bots: dict[str, Bot] = {seat: bot_for(name, GAME, seat, random.Random(seat)) for seat in SIDES}
    game = autoplay(GAME, seed, bots, scenario)
    replay_equal(GAME, game)
    return [*(GAME.load(phase.snapshot) for phase in game.phases), game.state]


@pytest.mark.parametrize("side", SIDES)
def test_what_cannot_be_seen_is_drawn_anew(side: str) -> None:
    """2.0.8 What the enemy has committed; the seat sees the same."""
    drawn = set()
    for state in played("greedy", scenario="westwall")[:12]:
        for number in range(4):
            other = GAME.load(GAME.dump(state))
            sample(other, side, random.Random(number))
            assert GAME.view(other, side) == GAME.view(state, side)
            drawn.add(other.committed.get("german" if side == "allied" else "allied"))
    assert len(drawn) > 1


def test_the_score_is_that_of_the_scenario() -> None:
    """13.1 Points in the short scenarios, as each side sees them; 2.0.12 levels in the others."""
    for state in played("planner")[-3:]:
        assert score(state, "allied") == victory.points(state) == -score(state, "german")
    start = GAME.start("crusade")
    assert score(start, "german") == -score(start, "allied") == 2


def test_games_of_planners_play_again_and_differ_from_greedy_ones() -> None:
    assert played("planner")[-1] != played("greedy")[-1]


def test_a_headquarters_alone_is_hunted() -> None:
    """4.10 A hex beside it is worth more to Allies who hunt."""
    state = GAME.start("falaise")
    alone = next(unit for unit in state.on_map("german") if unit.hq and len(state.at(unit.placed)) == 1)
    unit = next(unit for unit in state.on_map("allied") if not unit.hq)
    plain = bot.Picture(state, "allied", stance=STANCES["allied"]["press on"])
    hunting = bot.Picture(state, "allied", stance=STANCES["allied"]["hunt"])
    beside = bot.GRID.neighbours(alone.placed)[0]
    assert hunting.standing(unit, beside) == plain.standing(unit, beside) + 2
    assert hunting.standing(unit, alone.placed) == plain.standing(unit, alone.placed)


def test_it_thinks_before_each_chit_and_always_alike() -> None:
    assert PLAN.afresh == ("cycle",)
    state = next(state for state in played("greedy") if state.phase == "cycle")
    thoughts = {
        choose(GAME, GAME.dump(state), "german", "hold the line", 60, "key", horizon=1) for _ in range(2)
    }
    assert len(thoughts) == 1


def test_the_greedy_bot_weighs_as_ever() -> None:
    """Its stances are the figures that it has always had."""
    state = played("greedy")[-1]
    assert hashlib.sha256(GAME.dump(state)).hexdigest()[:12] == "82eb39932642"
