"""A phase that was played, looked at again: each recorded answer beside the request that it answered and what
it led to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.game import Game, GameState
from pbem.engine.notes import Note
from pbem.engine.play import Answer, Chance, Decision, Entry, Request, advance, seats_asked


@dataclass(frozen=True, slots=True)
class Move:
    """One recorded answer. `notes` are what the log gained between it and the next request."""

    entry: Entry
    request: Request
    notes: tuple[Note, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """The seat that decided; "" for dice."""
        if isinstance(self.request, FirstOf):
            return (str(self.entry.answer[0]),)
        return seats_asked(self.request)

    @property
    def orders(self) -> Desk[Any] | None:
        """The request that it answers, if it is an order or the end of orders."""
        if isinstance(self.request, FirstOf):
            return self.request.of(self.seats[0])
        return self.request if isinstance(self.request, Desk) else None

    @property
    def order(self) -> Any | None:
        """The order that was given, if it is one."""
        if self.orders is None:
            return None
        recorded = self.entry.answer[1] if isinstance(self.request, FirstOf) else self.entry.answer
        return self.orders.load(recorded)


Told = Sequence[tuple[int, Note]]
"""A log: each note with the number of answers that had been given when it was written."""


@dataclass(frozen=True, slots=True)
class Retold:
    """A phase played again from its snapshot and answers: `state` is as the last answer left it, `waiting`
    what the rules ask next (None: the phase has ended)."""

    state: GameState
    moves: tuple[Move, ...]
    waiting: Request | None
    told: Told = ()


def retell(game: Game[Any], snapshot: bytes, entries: Sequence[Entry]) -> Retold:
    """Play a phase again by today's rules. Raises ReplayMismatch where they ask something else than was
    asked, refuse what was answered, or tell other facts than the players have read."""
    state: GameState = game.load(snapshot)
    if not state.phase:
        return Retold(state, (), None)
    progress = advance(game.phase(state.phase).play(state), state, entries)
    watched: GameState = game.load(snapshot)
    teller = _Teller(watched, entries)
    advance(game.phase(watched.phase).play(watched), watched, answers=teller.decision, dice=teller.dice)
    return Retold(state, teller.moves(), progress.waiting, teller.told())


def told_by(game: Game[Any], snapshot: bytes, entries: Sequence[Entry]) -> Told:
    """Return the log of a phase as far as these answers go. Raises OrderError where one is not legal."""
    state: GameState = game.load(snapshot)
    teller = _Teller(state, entries)
    advance(game.phase(state.phase).play(state), state, answers=teller.decision, dice=teller.dice)
    return teller.told()


class _Teller:
    """Gives the recorded answers, one after another, and remembers what each of them answered."""

    def __init__(self, state: GameState, entries: Sequence[Entry]) -> None:
        self._state = state
        self._entries = entries
        self._met: list[tuple[Request, int]] = []

    def dice(self, request: Chance, label: str) -> list[Any] | None:
        entry = self._next(request)
        return None if entry is None else list(entry.answer)

    def decision(self, request: Decision) -> Answer | None:
        entry = self._next(request)
        if entry is None:
            return None
        if isinstance(request, FirstOf):
            seat, order = entry.answer
            return Answer((seat, request.of(seat).load(order)), entry.by)
        if isinstance(request, Desk):
            return Answer(request.load(entry.answer), entry.by)
        return Answer(entry.answer, entry.by)

    def _next(self, request: Request) -> Entry | None:
        if len(self._met) == len(self._entries):
            return None
        self._met.append((request, len(self._state.log)))
        return self._entries[len(self._met) - 1]

    def told(self) -> Told:
        starts = [length for _, length in self._met]
        return [(bisect_right(starts, place), note) for place, note in enumerate(self._state.log)]

    def moves(self) -> tuple[Move, ...]:
        ends = [start for _, start in self._met[1:]] + [len(self._state.log)]
        return tuple(
            Move(entry, request, tuple(self._state.log[start:end]))
            for entry, (request, start), end in zip(self._entries, self._met, ends, strict=False)
        )


def reveals(note: Note) -> bool:
    """Whether a note reveals something hidden, so that nothing before it can be undone. A game declares this
    with a class attribute ``reveals``."""
    return bool(getattr(type(note), "reveals", False))
