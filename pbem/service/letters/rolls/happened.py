"""A roll as it happened: its phase played again, what led to it, the notes that tell of it, and what the
log would have gained with other faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from pbem.engine.errors import ReplayMismatch
from pbem.engine.game import Game, GameState
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.play import Answer, Chance, Decision, Entry, Request, advance
from pbem.service.letters.rolls.words import names_any, places_of, texts_in
from pbem.service.play.history import Move, Retold, retell
from pbem.service.proof.lines import faces_text
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, PhaseRow
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll

MOST_PHASES = 8
"""Look for the order that led to a die in at most this many phases before its own."""

NO_ROLL = "The log has no roll {}."
"""The answer where there is no such roll, or its reader may not know of it."""


def find_roll(table: Table, name: str) -> Happened:
    """Return an open roll by its name (R22). Raises StoreError."""
    roll = next((each for each in table.dice.rolls() if f"R{each.number}" == name.upper()), None)
    if roll is None:
        raise StoreError(NO_ROLL.format(name.upper()))
    return Happened(table, roll)


class Happened:
    """A roll in its phase, which is played again by today's rules: `retold` is None where these play it
    differently."""

    def __init__(self, table: Table, roll: Roll) -> None:
        self.table = table
        self.game: Game[Any] = table.game
        self.roll = roll
        self.phase: PhaseRow = next(row for row in table.record.phases() if row.label == roll.phase)
        answers = table.record.rows(self.phase.number, "answer")
        self.rows = [row for row in answers if row.phase == self.phase.number]
        self.place = next(at for at, row in enumerate(self.rows) if row.number == roll.row)
        self.asked = self.rows[self.place].asked
        self.entries = [row.entry() for row in self.rows]
        self.snapshot = table.record.snapshot(self.phase)
        self._instead: dict[str, tuple[tuple[Note, ...], Request | None]] = {}
        self.retold: Retold | None
        try:
            self.retold = retell(self.game, self.snapshot, self.entries)
        except ReplayMismatch:
            self.retold = None

    @property
    def request(self) -> Chance | None:
        """The request that the die answered."""
        request = self.retold.moves[self.place].request if self.retold else None
        assert request is None or isinstance(request, Chance)
        return request

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes that tell of the die."""
        if self.retold is None:
            return ()
        return self.telling(note for step, note in self.retold.told if step > self.place)

    def telling(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Those of the notes written after the die that tell of it: with its number, or the first that sums
        up several dice, this one among them."""
        number, later = self.roll.number, [note for note in notes if note.roll]
        exact = tuple(note for note in later if number in (note.roll, getattr(note, "lots", 0)))
        if any(note.chart or type(note).__name__ != "Rerolled" for note in exact):
            return exact
        case, _, what, *_ = self.roll.label.split("|")
        for note in later:
            if note.cell and note not in exact and (note.case == case or names_any(what, note.facts())):
                return (
                    *exact,
                    *(each for each in later if type(each) is type(note) and each.roll == note.roll),
                )
        return exact

    def facts(self) -> list[dict[str, Any]]:
        """The notes that tell of the die as plain values, from the record where they cannot be told again."""
        if self.retold is not None:
            return [note.facts() for note in self.notes]
        number = self.roll.number
        return [note for note in self.phase.notes if number in (note.get("roll"), note.get("lots"))]

    def known_to(self, reader: str) -> bool:
        """Whether a reader may know of the roll: the log tells everyone of it, or him too."""
        facts = self.facts()
        return (
            reader == UMPIRE
            or not facts
            or any(not note["readers"] or reader in note["readers"] for note in facts)
        )

    @cached_property
    def led(self) -> tuple[tuple[Move, JournalRow], ...]:
        """The orders and decisions before the die that name what it is about, each with its row: those of its
        phase; if there are none, those of the last phase before it that has any."""
        if self.retold is None:
            return ()
        here = zip(self.retold.moves[: self.place], self.rows, strict=False)
        led = [
            (move, row)
            for at, (move, row) in enumerate(here)
            if self._led(move) or self._led_at_large(move, self.snapshot, self.entries[: at + 1])
        ]
        earlier = self.table.record.phases(max(1, self.phase.number - MOST_PHASES)) if self._is_about else []
        for phase in reversed(earlier):
            if led or phase.number >= self.phase.number:
                continue
            rows = [
                row for row in self.table.record.rows(phase.number, "answer") if row.phase == phase.number
            ]
            snapshot, entries = self.table.record.snapshot(phase), [row.entry() for row in rows]
            try:
                moves = retell(self.game, snapshot, entries).moves
            except ReplayMismatch:
                break
            led = [
                (move, row)
                for at, (move, row) in enumerate(zip(moves, rows, strict=True))
                if self._led(move) or self._led_at_large(move, snapshot, entries[: at + 1])
            ]
        return tuple(led)

    @cached_property
    def _targets(self) -> frozenset[str]:
        """The hexes that the notes say the die is about."""
        return frozenset(texts_in([places_of(note, ("hex", "hexes")) for note in self.facts()]))

    @property
    def _is_about(self) -> bool:
        """Whether the die is about a unit or a hex."""
        return any(map(str.isdecimal, self.roll.label.split("|")[2]))

    def _led(self, move: Move) -> bool:
        """Whether an order or a decision names what the die is about."""
        if isinstance(move.request, Chance) or (move.orders is not None and move.order is None):
            return False
        what = self.roll.label.split("|")[2]
        if move.order is not None:
            said = {name: value for name, value in move.order.dump().items() if name != "verb"}
            return names_any(what, said) or bool(self._targets & set(texts_in(said)))
        return len(move.seats) == 1 and (
            any(names_any(move.request.what, hex) for hex in self._targets)
            or names_any(what, move.entry.answer)
        )

    def _led_at_large(self, move: Move, snapshot: bytes, entries: Sequence[Entry]) -> bool:
        """Whether an order that names nothing itself, such as DEFAULT, has placed or changed what the die is
        about. `entries` are the answers of its phase, its own the last of them."""
        if move.order is None or not self._is_about or set(move.order.dump()) > {"verb"}:
            return False
        states = []
        for answers in (entries[:-1], entries):
            state: GameState = self.game.load(snapshot)
            advance(self.game.phase(state.phase).play(state), state, answers)
            state.log.clear()
            states.append(msgspec.json.decode(self.game.dump(state)))
        return names_any(self.roll.label.split("|")[2], list(_changed(*states)))

    def before(self) -> GameState:
        """The state just before the die fell."""
        state: GameState = self.game.load(self.snapshot)
        advance(self.game.phase(state.phase).play(state), state, self.entries[: self.place])
        return state

    def instead(self, faces: list[Any]) -> tuple[tuple[Note, ...], Request | None]:
        """What the log would have gained with these faces, up to the next decision or another die, and what
        is asked then. Dice thrown for the same result keep the faces that they had."""
        shown = faces_text(faces)
        if shown not in self._instead:
            self._instead[shown] = self._played_with(faces)
        return self._instead[shown]

    def _played_with(self, faces: list[Any]) -> tuple[tuple[Note, ...], Request | None]:
        state: GameState = self.game.load(self.snapshot)
        kept = {entry.asked: entry.answer for entry in self.entries[self.place + 1 :]}
        start = 0

        def dice(request: Chance, label: str) -> list[Any] | None:
            nonlocal start
            if label == self.asked:
                start = len(state.log)
                return faces
            return None if self.telling(state.log[start:]) else kept.get(label)

        def nobody(request: Decision) -> Answer | None:
            return None

        play, known = self.game.phase(state.phase).play(state), self.entries[: self.place]
        progress = advance(play, state, known, answers=nobody, dice=dice)
        return tuple(state.log[start:]), progress.waiting


def _changed(before: Any, after: Any) -> Iterator[str]:
    """The texts and names in what of a plain value is otherwise than before."""
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in after:
            if before.get(name) != after[name]:
                yield name
                yield from _changed(before.get(name), after[name])
    elif isinstance(before, list) and isinstance(after, list):
        yield from texts_in([each for each in after if each not in before])
    else:
        yield from texts_in(after)
        if isinstance(after, Mapping):
            yield from after
