"""Whole games: they come to an end, keep the rules, and can be played again from their journals."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from sizes import some

from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.games.falaise import GAME
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game


def bot(kind: str, rng: random.Random) -> Bot:
    return greedy_bot(GAME.judge, rng) if kind == "greedy" else random_bot(rng)


def whole_game(seed: int, german: str = "random", allied: str = "random") -> Played[State]:
    """A game with options of its own; a system's seat is always played by the greedy bot."""
    rng = random.Random(seed)
    options = {option.key: rng.choice(option.choices) for option in GAME.options}
    system = options["players"] == "one"
    bots = {"german": bot(german, rng), "allied": bot("greedy" if system else allied, rng)}
    return autoplay(GAME, f"falaise {seed}", bots, options=options)


def test_4_0_everybody_is_activated_once_a_turn() -> None:
    """4.0, 11.2, 11.4 In each turn every command has one action round, the 86th Corps from its trigger on,
    the 58th when it is chosen."""
    played = whole_game(2)
    rounds = Counter(phase.label.split(".")[0] for phase in played.phases if ".activation" in phase.label)
    assert set(rounds) == {f"t{turn}" for turn in range(1, 11)}
    assert all(12 <= number <= 14 for number in rounds.values()), rounds
    for phase in played.phases:
        state = GAME.load(phase.snapshot)
        assert len(state.activated) == len(set(state.activated)), phase.label
        assert not set(state.activated) & set(state.cup), phase.label


@pytest.mark.parametrize(
    ("german", "players"),
    some([("random", "two"), ("random", "one"), ("greedy", "one"), ("greedy", "two")], 2),
)
def test_13_0_with_one_player_or_two(players: str, german: str) -> None:
    """13.0 A game for one goes the same way as a game for two, the system playing the Allies:
    it ends, keeps every invariant, and can be played again."""
    rng = random.Random(11)
    bots = {"german": bot(german, rng)} | ({"allied": bot("greedy", rng)} if players == "two" else {})
    played = autoplay(GAME, f"falaise {players}", bots, options={"players": players})
    replay_equal(GAME, played)
    asked = {entry.asked.split("|")[0] for phase in played.phases for entry in phase.entries}
    assert ({"13.1", "13.2", "13.3"} <= asked) is (players == "one")


# --- the game as a whole ------------------------------------------------------------------------------------


def test_options_have_cases() -> None:
    """Every option stands for a case of the rulebook, and the printed game is the default."""
    assert GAME.chosen({})["players"] == "two"
    assert {option.key for option in GAME.options} >= {"better_command", "stronger_counterattack", "paris"}
    assert all(GAME.chosen({})[option.key] == option.choices[0] for option in GAME.options)
    assert all(GAME.chosen({})[key] == "no" for key in ("better_command", "stronger_counterattack", "paris"))


def test_invariants_notice_what_is_wrong() -> None:
    """The invariants speak up about a command that is activated and still in the cup."""
    state = game("KG/9Pz 3638", cup=["47Pz"], activated=["47Pz"])
    assert list(GAME.invariants(state))
