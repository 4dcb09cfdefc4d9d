"""Whole games: they come to an end, keep the rules, and can be played again from their journals."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.games.france44 import GAME
from pbem.games.france44.state import State
from tests.games.france44.kit import OPTIONS

SCENARIOS = tuple(GAME.scenarios)


def bot(kind: str, rng: random.Random) -> Bot:
    return greedy_bot(GAME.judge, rng) if kind == "greedy" else random_bot(rng)


def whole_game(
    seed: int,
    scenario: str = "falaise",
    german: str = "random",
    allied: str = "random",
    **options: str,
) -> Played[State]:
    """A game with options of its own, those that are not given drawn by lot."""
    rng = random.Random(seed)
    chosen = {option.key: rng.choice(option.choices) for option in GAME.options} | options
    bots = {"german": bot(german, rng), "allied": bot(allied, rng)}
    return autoplay(GAME, f"france44 {seed}", bots, scenario=scenario, options=chosen)


def proved(played: Played[State]) -> None:
    """The game went from its first phase to its end, and its journal gives the same game again from snapshots
    that went through JSON."""
    assert played.phases[0].label == "t1.begin"
    assert played.phases[-1].label.split(".")[1] == "verdict" and played.state.ended
    replay_equal(GAME, played)
    snapshot = GAME.dump(played.state)
    assert GAME.dump(GAME.load(snapshot)) == snapshot
    assert played.result.level == played.state.ended


@pytest.mark.parametrize("value", ["no", "yes"])
def test_12_10_the_advantage_is_played(value: str) -> None:
    """12.10 A game with the Advantage, and one without."""
    proved(whole_game(5, "westwall", advantage=value))


def test_2_0_the_phases_of_a_turn() -> None:
    """2.0 Every turn has a beginning, as many rounds as there are chits, the last reactions and the verdict,
    in this order."""
    played = whole_game(2, "westwall")
    by_turn: dict[str, list[str]] = {}
    for phase in played.phases:
        turn, key = phase.label.split(".")[:2]
        by_turn.setdefault(turn, []).append(key)
    assert len(by_turn) == 3
    for phases in by_turn.values():
        assert phases[0] == "begin" and phases[-3:] == ["german_final", "allied_final", "verdict"]
        assert phases[1:-3] and set(phases[1:-3]) == {"cycle"}


# --- the game as a whole ------------------------------------------------------------------------------------


def test_options_stand_as_the_kit_has_them() -> None:
    """The options of the game are those that the tests build states with, at their defaults."""
    assert GAME.chosen({}) == OPTIONS
