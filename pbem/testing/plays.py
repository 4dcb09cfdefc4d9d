"""Games that bots play for the checks: which are played, how they went, and every phase of them told
again."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pbem.engine.autoplay import Played, autoplay
from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import Game, GameState
from pbem.engine.notes import Note
from pbem.engine.play import advance


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to play: who plays every seat (`mixed`: the greedy bot and the random one by turns), and the
    seed of bots, dice and options."""

    bots: Literal["random", "greedy", "mixed"]
    scenario: str
    seed: int

    def __str__(self) -> str:
        return f"{self.bots}-{self.scenario}-{self.seed}"

    @classmethod
    def parse(cls, text: str) -> Plan:
        """The plan that `str` wrote. Raises ValueError."""
        bots, scenario, seed = text.split("-")[0], "-".join(text.split("-")[1:-1]), text.split("-")[-1]
        if bots not in ("random", "greedy", "mixed"):
            raise ValueError(f"no such bots: {bots}")
        return cls(bots, scenario, int(seed))  # type: ignore[arg-type]

    def options(self, game: Game[Any]) -> dict[str, str]:
        """The options of the game: the defaults with seed 0, with other seeds drawn by lot."""
        rng = random.Random(f"{game.key} options {self.seed}")
        drawn = {option.key: rng.choice(option.choices) for option in game.options}
        return drawn if self.seed else game.chosen({})

    def players(self, game: Game[Any]) -> Mapping[str, Bot]:
        """A bot for every seat of the game, all with one source of chance."""
        rng = random.Random(f"{game.key} {self}")
        greedy = {"random": 0, "greedy": 1}
        return {
            seat.key: greedy_bot(game.judge, rng) if greedy.get(self.bots, at % 2 == 0) else random_bot(rng)
            for at, seat in enumerate(game.seats)
        }


@dataclass(frozen=True, slots=True)
class Page:
    """A phase of a played game: the state and the notes at its end, and the state with which the next one
    began."""

    label: str
    before: GameState
    state: GameState
    notes: tuple[Note, ...]
    after: GameState


@dataclass
class Play:
    """A game as it went. `stopped` says why it came to no end; `broken` are the faults that the game's
    invariants found, each with its phase."""

    game: Game[Any]
    plan: Plan
    played: Played[Any] | None = None
    stopped: str = ""
    broken: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game[Any], plan: Plan) -> Play:
        """Play a game to its end, if it has one."""
        made = cls(game, plan)

        def look(state: GameState) -> tuple[str, ...]:
            made.broken += [f"{game.label(state)}: {fault}" for fault in game.invariants(state)]
            return ()

        try:
            made.played = autoplay(
                game, str(plan), plan.players(game), plan.scenario, plan.options(game), check=look
            )
        except Exception as error:  # rules under test may fail in any way
            made.stopped = worded(error)
        return made

    @cached_property
    def pages(self) -> list[Page]:
        """Every phase, adjudicated again from its snapshot; up to the first one that goes another way."""
        found: list[Page] = []
        with suppress(ReplayMismatch):  # the check of replays reports it
            found += self._retold()
        return found

    def _retold(self) -> Iterator[Page]:
        assert self.played is not None
        for phase in self.played.phases:
            before, state = self.game.load(phase.snapshot), self.game.load(phase.snapshot)
            advance(self.game.phase(state.phase).play(state), state, phase.entries)
            after = copy.copy(state)
            after.log = list(state.log)
            self.game.next_phase(after)
            yield Page(phase.label, before, state, tuple(state.log), after)

    def seats(self, *others: str) -> tuple[str, ...]:
        """The seats that were played in this game, and the other readers named."""
        return (*(seat.key for seat in self.game.seats_of(self.plan.options(self.game))), *others)


def worded(error: BaseException) -> str:
    """An error in one line, with its notes."""
    said = f"{type(error).__name__}: {error}"
    return " ".join([said, *getattr(error, "__notes__", ())])
