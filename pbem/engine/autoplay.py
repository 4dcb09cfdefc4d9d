"""A whole game played by bots in memory, and the proof that it can be played again from its journal.

No mail, no store, no clock: the dice come from the hash chain of the seed, as they would in a real game.
Whatever goes wrong is raised with the seed and the phase, so that it can be looked at again.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.engine.bots import Bot, DeadEnd, greedy_bot, seated
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import Game, GameState, Result
from pbem.engine.planner import Planner
from pbem.engine.play import Answer, Decision, Entry, advance, asked

S = TypeVar("S", bound=GameState)

MOST_ANSWERS = 20_000
"""A phase with more decisions than this is taken to be endless."""

MOST_ROUNDS = 1_000
"""A turn with more repetitions of one phase than this is taken to be endless."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase as it was played: its start, its answers, and the SHA-256 of the snapshot it led to."""

    label: str
    snapshot: bytes
    entries: tuple[Entry, ...]
    state_hash: str
    notes: int


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """A game that was played to its end."""

    seed: str
    state: S
    phases: tuple[PlayedPhase, ...]
    result: Result


def autoplay(
    game: Game[S],
    seed: str,
    bots: Mapping[str, Bot],
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    check: Callable[[S], Iterable[str]] | None = None,
) -> Played[S]:
    """Play a game from its start to its end, each seat by the bot in `bots`, with the dice of `seed`. Seats
    that the game plays itself have the greedy bot, whatever `bots` says.

    `check(state)` yields what is wrong with a state after a phase, by default `game.invariants`. Raises
    DeadEnd when play does not get on, ValueError for a seat without a bot or an unknown scenario or option,
    AssertionError for a state that `check` objects to, and whatever the rules raise, with seed and phase as a
    note.
    """
    state = game.start(scenario, options)
    chain = HashChain(new_secret(seed), game.turns)
    check = check or game.invariants
    for seat in game.systems_of(state.options):
        bots = {**bots, seat: greedy_bot(game.judge, random.Random(f"{seed}|{seat}"))}
    phases: list[PlayedPhase] = []
    snapshot = game.dump(state)
    while state.phase:
        label = game.label(state)
        try:
            _expect_an_end(state)
            for bot in bots.values():
                if isinstance(bot, Planner):
                    bot.begin(snapshot, state)
            entries, notes = _play(game, state, chain, bots)
            if faults := list(check(state)):
                raise AssertionError("; ".join(faults))
            game.next_phase(state)
        except Exception as error:
            error.add_note(f"in {label} of {game.key}, seed {seed!r}")
            raise
        after = game.dump(state)
        phases.append(PlayedPhase(label, snapshot, entries, _hash(after), notes))
        snapshot = after
    return Played(seed, state, tuple(phases), game.report.result(state))


def replay_equal(game: Game[S], played: Played[S]) -> None:
    """Play every phase again from its snapshot and its recorded answers.

    Raises ReplayMismatch naming the first phase that asks something else, says more or less, or leads
    elsewhere.
    """
    for phase in played.phases:
        state = game.load(phase.snapshot)
        try:
            progress = advance(game.phase(state.phase).play(state), state, phase.entries)
        except ReplayMismatch as error:
            error.add_note(f"in {phase.label} of {game.key}, seed {played.seed!r}")
            raise
        where = f"{phase.label} of {game.key}, seed {played.seed!r}"
        if progress.waiting is not None:
            raise ReplayMismatch(f"{where}: the rules now also ask {asked(progress.waiting)!r}")
        if len(state.log) != phase.notes:
            raise ReplayMismatch(f"{where}: {len(state.log)} notes instead of {phase.notes}")
        game.next_phase(state)
        if _hash(game.dump(state)) != phase.state_hash:
            raise ReplayMismatch(f"{where}: the same answers now lead to another state")


def _play(
    game: Game[S], state: S, chain: HashChain, bots: Mapping[str, Bot]
) -> tuple[tuple[Entry, ...], int]:
    """One phase, played on `state`: its entries and the number of its notes."""
    answers = seated(bots, state)
    given = 0

    def counted(request: Decision) -> Answer | None:
        nonlocal given
        given += 1
        if given > MOST_ANSWERS:
            raise DeadEnd(f"{MOST_ANSWERS} answers, and still the rules ask {asked(request)!r}")
        return answers(request)

    dice = GameDice(chain, game.key, state.turn, game.label(state))
    progress = advance(game.phase(state.phase).play(state), state, answers=counted, dice=dice)
    if progress.waiting is not None:
        raise ValueError(f"no bot answers {asked(progress.waiting)!r}; there are bots for: {', '.join(bots)}")
    return tuple(progress.entries), len(state.log)


def _expect_an_end(state: GameState) -> None:
    if state.round > MOST_ROUNDS:
        raise DeadEnd(f"the phase has been played {MOST_ROUNDS} times in this turn")


def _hash(snapshot: bytes) -> str:
    return hashlib.sha256(snapshot).hexdigest()
