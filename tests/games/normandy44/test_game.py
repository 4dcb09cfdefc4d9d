"""Whole games: they come to an end, keep the rules, and can be played again from their journals."""

from __future__ import annotations

import random

import pytest

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.games.normandy44 import GAME
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import OPTIONS, game

LAST_TURN = {"cherbourg": 4, "cobra": 12, "campaign": 12}
FIRST = {"cherbourg": "t1.weather", "cobra": "t7.weather", "campaign": "t0.landing"}


def bot(kind: str, rng: random.Random) -> Bot:
    return greedy_bot(GAME.judge, rng) if kind == "greedy" else random_bot(rng)


def whole_game(
    seed: int,
    scenario: str = "cherbourg",
    german: str = "random",
    allied: str = "random",
    **options: str,
) -> Played[State]:
    """A game with options of its own, those that are not given drawn by lot."""
    rng = random.Random(seed)
    chosen = {option.key: rng.choice(option.choices) for option in GAME.options} | options
    bots = {"german": bot(german, rng), "allied": bot(allied, rng)}
    return autoplay(GAME, f"normandy44 {seed}", bots, scenario=scenario, options=chosen)


def proved(played: Played[State], scenario: str) -> None:
    """The game went from its first phase to its end, and its journal gives the same game again from snapshots
    that went through JSON."""
    assert played.phases[0].label == FIRST[scenario]
    turn, phase = played.phases[-1].label.split(".")[:2]
    assert (turn, phase) == (f"t{LAST_TURN[scenario]}", "end") or played.state.ended
    replay_equal(GAME, played)
    snapshot = GAME.dump(played.state)
    assert GAME.dump(GAME.load(snapshot)) == snapshot
    assert played.result.level


@pytest.mark.parametrize(
    ("key", "value"), [(option.key, value) for option in GAME.options for value in option.choices]
)
def test_every_value_of_every_option_is_played(key: str, value: str) -> None:
    """Every option in each of its values, the others at their defaults."""
    rest = {option.key: option.choices[0] for option in GAME.options}
    proved(whole_game(5, "cherbourg", **(rest | {key: value})), "cherbourg")


def test_1_0_the_phases_of_a_turn() -> None:
    """1.0, 2.6, 15.0 D-Day has two phases of its own; every turn has weather, allocation,
    four activations and an end, in this order."""
    played = whole_game(2, "campaign")
    by_turn: dict[str, list[str]] = {}
    for phase in played.phases:
        turn, key = phase.label.split(".")[:2]
        by_turn.setdefault(turn, []).append(key)
    assert by_turn.pop("t0") == ["landing", "reaction"]
    whole = ["weather", "allocation", "a_first", "a_second", "b_first", "b_second", "end"]
    assert by_turn and all(phases == whole for phases in by_turn.values())


# --- the game as a whole ------------------------------------------------------------------------------------


def test_2_6_a_section_is_open_to_one_seat_in_one_phase() -> None:
    """2.3, 2.6 Once the initiative is known, the orders for phase A, and those for phase B,
    are those of one phase for each side."""
    for first, second in (("allied", "german"), ("german", "allied")):
        state = game(initiative=first)
        for letter in "ab":
            section = (f"phase {letter.upper()}",)
            assert GAME.phase(f"{letter}_first").open_to(state, first) == section
            assert GAME.phase(f"{letter}_first").open_to(state, second) == ()
            assert GAME.phase(f"{letter}_second").open_to(state, second) == section
            assert GAME.phase(f"{letter}_second").open_to(state, first) == ()


def test_options_stand_as_the_kit_has_them() -> None:
    """The options of the game are those that the tests build states with, at their defaults."""
    assert GAME.chosen({}) == OPTIONS


def test_invariants_notice_what_is_wrong() -> None:
    """3.1 The invariants speak up about a full hex, and about both sides in one."""
    assert not list(GAME.invariants(game("4US 0618, 709ID 0419")))
    assert list(GAME.invariants(game("4US 0618, 9US 0618, 90US 0618")))
    assert list(GAME.invariants(game("4US 0618, 709ID 0618")))
