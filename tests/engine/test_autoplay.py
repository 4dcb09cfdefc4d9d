"""Whole games by bots, and their replay."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from toygame import TOY, Toy

from pbem.engine import autoplay as module
from pbem.engine.autoplay import Played, autoplay, replay_equal
from pbem.engine.bots import Bot, DeadEnd, greedy_bot, random_bot
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import Game
from pbem.engine.play import Ask, Entry, Roll

MAKERS: dict[str, Callable[[random.Random], Bot]] = {
    "random": random_bot,
    "greedy": lambda rng: greedy_bot(TOY.judge, rng),
}


def played(seed: str, red: str = "random", blue: str = "random", game: Game[Toy] = TOY) -> Played[Toy]:
    rng = random.Random(seed)
    return autoplay(game, seed, {"red": MAKERS[red](rng), "blue": MAKERS[blue](rng)})


@pytest.mark.parametrize("seed", range(40))
def test_every_game_ends_and_replays(seed: int) -> None:
    """Whatever the seed, the game ends, keeps its invariants and is the same when replayed from its
    journal."""
    game = played(str(seed), *(("random", "greedy") if seed % 2 else ("greedy", "random")))
    assert game.state.phase == ""
    assert game.result.figures == (("units lost", str(len(game.state.lost)), "4.1"),)
    assert game.phases[0].label == "t1.set_up"
    replay_equal(TOY, game)


def test_the_seed_fixes_the_game() -> None:
    """The same seed and bots give the same hashes, another seed others."""
    assert played("a").phases == played("a").phases
    assert played("a").phases[-1].state_hash != played("b").phases[-1].state_hash


def test_no_order_depends_on_hashing() -> None:
    """Two processes that hash strings differently play the same game."""
    script = "import test_autoplay as t; print(t.played('a', 'random', 'greedy').phases[-1].state_hash)"
    hashes = set()
    for seed in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
        )
        hashes.add(done.stdout)
    assert hashes == {played("a", "random", "greedy").phases[-1].state_hash + "\n"}


def test_phases_follow_one_another() -> None:
    """Each phase begins with the snapshot whose hash the phase before it ended with."""
    phases = played("a").phases
    assert [module._hash(phase.snapshot) for phase in phases[1:]] == [
        phase.state_hash for phase in phases[:-1]
    ]


def test_fights_happen() -> None:
    """The greedy sides meet: dice, draws, notes and decisions all come up, so that replay has them to
    replay."""
    games = [played(str(seed), "greedy", "greedy") for seed in range(10)]
    asked = {entry.asked.split("|")[0] for game in games for phase in game.phases for entry in phase.entries}
    assert asked >= {"1.1", "2.1", "3.1", "3.2", "3.3", "3.4"}
    assert any(phase.notes for game in games for phase in game.phases)


def altered(game: Played[Toy], **changes: Any) -> Played[Toy]:
    """The game with its first phase changed."""
    return replace(game, phases=(replace(game.phases[0], **changes), *game.phases[1:]))


def test_replay_notices_every_difference() -> None:
    """Another hash, another number of notes, missing and foreign answers are each named with phase and
    seed."""
    game = played("a")
    entries = game.phases[0].entries
    foreign = (Entry("9.9|red|something else|1", None), *entries[1:])
    for changes, told in (
        ({"state_hash": "0" * 64}, "lead to another state"),
        ({"notes": 5}, "0 notes instead of 5"),
        ({"entries": entries[:-1]}, "now also ask '1.1|"),
        ({"entries": foreign}, "something else"),
    ):
        with pytest.raises(ReplayMismatch, match=told) as caught:
            replay_equal(TOY, altered(game, **changes))
        assert "t1.set_up of toy, seed 'a'" in "\n".join(
            [str(caught.value), *getattr(caught.value, "__notes__", [])]
        )


def with_fights(play: Any, **changes: Any) -> Game[Toy]:
    phases = tuple(
        replace(phase, play=play, **changes) if phase.key == "fights" else phase for phase in TOY.phases
    )
    return replace(TOY, phases=phases)


def test_broken_invariants_are_told() -> None:
    """A state that the game itself objects to stops play, with seed and phase."""

    async def loses_a_unit(state: Toy) -> None:
        del state.squares["red1"]

    with pytest.raises(AssertionError, match="5 units and 0 losses") as caught:
        played("x", game=with_fights(loses_a_unit))
    assert caught.value.__notes__ == ["in t1.fights of toy, seed 'x'"]


def test_a_check_of_ones_own() -> None:
    """The states after each phase go to the check that is given."""
    seen: list[str] = []

    def check(state: Toy) -> Iterator[str]:
        seen.append(TOY.label(state))
        return iter(())

    bot = random_bot(random.Random(1))
    game = autoplay(TOY, "x", {"red": bot, "blue": bot}, check=check)
    assert seen == [phase.label for phase in game.phases]


def test_a_phase_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that asks for ever is a dead end that names the question."""

    async def for_ever(state: Toy) -> None:
        while True:
            await Ask(case="9.1", what="again", seat="red", options=("yes", "no"))

    monkeypatch.setattr(module, "MOST_ANSWERS", 50)
    with pytest.raises(DeadEnd, match=r"50 answers, and still the rules ask '9.1\|red\|again'"):
        played("x", game=with_fights(for_ever))


def test_a_turn_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phase that repeats itself for ever is a dead end."""

    async def nothing(state: Toy) -> None:
        await Roll(case="9.1", what="weather")

    monkeypatch.setattr(module, "MOST_ROUNDS", 20)
    with pytest.raises(DeadEnd, match="played 20 times in this turn"):
        played("x", game=with_fights(nothing, again=lambda state: True))


def test_a_seat_without_a_bot_is_told() -> None:
    """Every seat that is asked needs a bot."""
    with pytest.raises(
        ValueError, match=r"no bot answers '1.1\|blue\|set-up of blue'; there are bots for: red"
    ):
        autoplay(TOY, "x", {"red": random_bot(random.Random(1))})
