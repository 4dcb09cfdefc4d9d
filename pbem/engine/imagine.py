"""Games imagined from a position: played on in memory by bots, with dice that are nobody's.

Nothing is copied: a position is the snapshot of a phase's start. The dice are keyed by what is rolled, as the
real ones are, so that two ways of playing on meet the same luck for as long as they roll for the same things.
Thought is counted in imagined decisions and not in seconds: what comes out of it can then be played again on
any machine.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pbem.engine.bots import Bot, seated
from pbem.engine.game import Game, GameState
from pbem.engine.play import Chance, Labels, dumped

S = TypeVar("S", bound=GameState)


@dataclass(slots=True)
class Budget:
    """How many decisions may still be imagined. The game that uses up the last of them is played on to its
    horizon."""

    left: int


def play_on(
    game: Game[S], state: S, bots: Mapping[str, Bot], sample: str, last_turn: int, budget: Budget
) -> None:
    """Play `state`, which is at the start of a phase, on to the end of `last_turn` or of the game, in place.

    `bots` has one for every seat. `sample` names the dice: equal names bring equal dice for equal rolls.
    """
    while state.phase and state.turn <= last_turn:
        _play(game, state, bots, sample, budget)
        game.next_phase(state)


def _play(game: Game[S], state: S, bots: Mapping[str, Bot], sample: str, budget: Budget) -> None:
    """One phase, to its end."""
    answers = seated(bots, state)
    labels = Labels()
    where = game.label(state)
    phase = game.phase(state.phase).play(state)
    answer: Any = None
    while True:
        try:
            request = phase.send(answer)
        except StopIteration:
            return
        if isinstance(request, Chance):
            answer = request.faces(random.Random(f"{sample}|{where}|{labels.next(request)}").randrange)
            if not request.sealed:
                state.rolls += 1
            continue
        given = answers(request)
        assert given is not None  # there is a bot for every seat
        answer = dumped(request, given.value)
        budget.left -= 1
