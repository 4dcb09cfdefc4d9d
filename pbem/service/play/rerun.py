"""The record of a game, played again from a place on with one thing changed.

A ruling that goes back leaves as much of the record standing as it can. Dice that were thrown before stay as
they fell, because they are keyed to what they decide. A decision stays as long as the rules ask for it, it is
legal, and whoever took it would have known the same: what he had read when he wrote it is compared in the old
record and in the new one. At the first decision that does not stand the rerun stops.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import Game, GameState
from pbem.engine.language import Order
from pbem.engine.play import (
    Answer,
    Chance,
    Decision,
    Entry,
    advance,
    asked,
    check_value,
    loaded,
    seats_asked,
)
from pbem.service.play.steps import Step


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded answer: its `row` in the journal, when it was given and the letter that set off the play
    (None: a deadline, or nobody). `knew` is the first row that whoever decided had not read yet when he wrote
    it."""

    row: int
    entry: Entry
    at: datetime
    letter: int | None = None
    knew: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A phase as it was recorded, with the salts that count in it."""

    number: int
    turn: int
    label: str
    snapshot: bytes
    answers: tuple[Recorded, ...]
    salts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be otherwise at a `row` of the journal.

    "throw": its dice are thrown again. "answer": `answer` takes its place (faces for dice, else a choice, or
    an order) and the new record says `by` what means. "strike": nothing takes its place. "back": play stops
    there, and nothing that was recorded later is played again."""

    row: int
    kind: Literal["throw", "answer", "strike", "back"]
    answer: Any = None
    by: str = "moderator"


@dataclass(frozen=True, slots=True)
class Given:
    """A decision of the record: the seat that took it, with the `section` and the order if it is one."""

    recorded: Recorded
    seat: str
    what: str
    section: str = ""
    order: Order | None = None


@dataclass(slots=True)
class Rerun:
    """What came of a rerun: a step for each phase, `origins` with what stands of the record in it (None for
    an answer that is new), and the decisions that are left over. `refused` is why the change itself is not
    legal."""

    steps: list[Step] = field(default_factory=list)
    origins: list[list[Recorded | None]] = field(default_factory=list)
    left: list[Given] = field(default_factory=list)
    refused: OrderError | None = None

    @property
    def kept(self) -> int:
        """How many recorded answers stand."""
        return sum(each is not None for origins in self.origins for each in origins)

    @property
    def thrown(self) -> list[Entry]:
        """The dice that are new."""
        pairs = [
            pair
            for step, origins in zip(self.steps, self.origins, strict=True)
            for pair in zip(step.fresh, origins, strict=True)
        ]
        return [entry for entry, origin in pairs if origin is None and entry.dice]


Throw = Callable[[Chance, Stretch, GameState, str], tuple[list[Any], str] | None]
"""New dice: what they show, and by what means (`Entry.by`); None to wait for them."""

Opening = Callable[[int, bytes], bytes]
"""What a phase begins with, given its number and the state after the one before."""

Minds = dict[str, bytes]
"""What each seat knows at a moment, as a digest."""


def rerun(
    game: Game[Any], record: Sequence[Stretch], change: Change, throw: Throw, opening: Opening
) -> Rerun:
    """Play a record again with one change. `record` begins with the phase in which the change lies.

    What stands before the change is taken as it is. Raises ReplayMismatch where the installed rules do not
    agree with it.
    """
    before = _Rerun(game, record, change, throw, opening, None)
    before.play()
    again = _Rerun(game, record, change, throw, opening, before.minds)
    again.play()
    again.result.left = [
        given
        for row, given in before.given.items()
        if row not in again.used and (row != change.row or change.kind == "back")
    ]
    return again.result


class _Rerun:
    """One way through a record: the old one (`minds` is None), or the new one, which is compared with it."""

    def __init__(
        self,
        game: Game[Any],
        record: Sequence[Stretch],
        change: Change,
        throw: Throw,
        opening: Opening,
        old: dict[int, Minds] | None,
    ) -> None:
        self.game = game
        self.record = record
        self.change = change
        self.throw = throw
        self.opening = opening
        self.old = old
        self.minds: dict[int, Minds] = {}
        self.given: dict[int, Given] = {}
        self.used: set[int] = set()
        self.stopped = False
        self.result = Rerun()
        self._stretch = record[0]
        self._state: GameState
        self._decisions: deque[Recorded] = deque()
        self._dice: dict[str, Recorded] = {}
        self._fresh: list[Recorded | None] = []
        self._by: dict[int, str] = {}

    def play(self) -> None:
        snapshot = self.record[0].snapshot
        for at, stretch in enumerate(self.record):
            state: GameState = self.game.load(snapshot)
            if not state.phase or (at and self.game.label(state) != stretch.label):
                return
            step = self._phase(stretch, state, snapshot)
            if step is None:
                return
            self.result.steps.append(step)
            self.result.origins.append(self._fresh)
            if step.after is None:
                return
            if at + 1 < len(self.record):
                old = self.record[at + 1]
                snapshot = self.opening(old.number, step.after) if self.old is not None else old.snapshot

    def _phase(self, stretch: Stretch, state: GameState, snapshot: bytes) -> Step | None:
        """Play one phase of the record as far as it goes."""
        kept = [each for each in stretch.answers if each.row < self.change.row]
        later = [each for each in stretch.answers if each.row >= self.change.row]
        self._stretch, self._state = stretch, state
        self._decisions = deque(each for each in later if not each.entry.dice)
        self._dice = {each.entry.asked: each for each in later if each.entry.dice}
        self._fresh, self._by = [], {}
        start = len(kept)
        try:
            progress = advance(
                self.game.phase(state.phase).play(state),
                state,
                [each.entry for each in kept],
                answers=self._decide,
                dice=self._die,
            )
        except OrderError as error:
            if self.result.refused is None:
                raise
            assert error is self.result.refused
            return None
        fresh = [
            replace(entry, by=self._by.get(place, entry.by))
            for place, entry in enumerate(progress.entries[start:])
        ]
        notes = tuple(state.log)
        step = Step(
            stretch.number, self.game.label(state), state.turn, state, fresh, notes, 0, progress.waiting
        )
        if progress.waiting is None:
            self.game.next_phase(state)
            step.after, step.over = self.game.dump(state), not state.phase
        return step

    # --- dice -----------------------------------------------------------------------------------------

    def _die(self, request: Chance, label: str) -> list[Any] | None:
        if self.stopped:
            return None
        recorded = self._dice.get(label)
        changed = recorded is not None and recorded.row == self.change.row and self.change.kind != "back"
        if changed and self.old is not None:
            return self._changed_die(request, label)
        if recorded is not None:
            return self._take(recorded, list(recorded.entry.answer), recorded.entry.by)
        return self._thrown(request, label)

    def _changed_die(self, request: Chance, label: str) -> list[Any] | None:
        """The die that the change is about: thrown again, or set."""
        if self.change.kind == "throw":
            return self._thrown(request, label)
        try:
            request.check(self.change.answer)
        except OrderError as error:
            self.result.refused = error
            raise
        return self._take(None, list(self.change.answer), self.change.by)

    def _thrown(self, request: Chance, label: str) -> list[Any] | None:
        thrown = self.throw(request, self._stretch, self._state, label)
        if thrown is None:
            self.stopped = True
            return None
        return self._take(None, *thrown)

    def _take(self, recorded: Recorded | None, answer: list[Any], by: str) -> list[Any]:
        self._by[len(self._fresh)] = by
        self._fresh.append(recorded)
        if recorded is not None:
            self.used.add(recorded.row)
        return answer

    # --- decisions ------------------------------------------------------------------------------------

    def _decide(self, request: Decision) -> Answer | None:
        if self.stopped:
            return None
        if not self._decisions or (self.change.kind == "back" and self.old is not None):
            self.stopped = True
            return None
        if self._decisions[0].row == self.change.row and self.old is not None:
            return self._changed_decision(request)
        recorded = self._decisions[0]
        self.minds[recorded.row] = self._minds()
        value = self._stands(request, recorded)
        if value is _GONE:
            self.stopped = True
            return None
        self._decisions.popleft()
        self.used.add(recorded.row)
        self._fresh.append(recorded)
        if self.old is None:
            self.given[recorded.row] = _given(request, recorded, value)
        return Answer(value, recorded.entry.by)

    def _changed_decision(self, request: Decision) -> Answer | None:
        changed = self._decisions.popleft()
        if self.change.kind == "strike":
            return self._decide(request)
        value = self.change.answer
        if isinstance(request, FirstOf):
            value = (str(changed.entry.answer[0]), value)
        try:
            check_value(request, value)
        except OrderError as error:
            self.result.refused = error
            raise
        self._fresh.append(None)
        return Answer(value, self.change.by)

    def _stands(self, request: Decision, recorded: Recorded) -> Any:
        """The recorded decision as an answer to a request; `_GONE` if it does not stand."""
        if recorded.entry.asked.rpartition("|")[0] != asked(request):
            return _GONE
        if self.old is not None and not self._knew_the_same(request, recorded):
            return _GONE
        try:
            value = loaded(request, recorded.entry.answer)
            check_value(request, value)
        except (OrderError, KeyError, TypeError, ValueError):
            if self.old is None:
                raise
            return _GONE
        return value

    def _knew_the_same(self, request: Decision, recorded: Recorded) -> bool:
        """Whether those who decide had read the same when they wrote it."""
        assert self.old is not None
        read = [row for row in self.minds if row >= recorded.knew]
        if not read or recorded.knew <= self.change.row:
            return True
        now, then = self.minds[read[0]], self.old[read[0]]
        return all(now[seat] == then[seat] for seat in seats_asked(request))

    def _minds(self) -> Minds:
        return {
            seat.key: _mind(self.game, self._state, seat.key)
            for seat in self.game.seats_of(self._state.options)
        }


_GONE = object()
"""Stands for a decision that does not stand; None is one that ends orders."""


def _mind(game: Game[Any], state: GameState, seat: str) -> bytes:
    """A digest of what a seat sees of a state, and has read of the log of its phase."""
    digest = hashlib.sha256(game.view(state, seat).model_dump_json().encode())
    for note in state.log:
        if note.seen_by(seat):
            digest.update(note.fingerprint())
    return digest.digest()


def _given(request: Decision, recorded: Recorded, value: Any) -> Given:
    if isinstance(request, FirstOf):
        seat, order = value
        return Given(recorded, seat, request.what, request.of(seat).section, order)
    if isinstance(request, Desk):
        return Given(recorded, request.seat, request.what, request.section, value)
    return Given(recorded, ",".join(seats_asked(request)), request.what)
