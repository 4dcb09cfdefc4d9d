"""Who wrote the lines that led to a roll, and who was told of it when: found in the letters themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.engine.language import Scope
from pbem.engine.notes import UMPIRE
from pbem.mail.letter import parse
from pbem.service.letters.log import local_time
from pbem.service.letters.rolls.happened import Happened
from pbem.service.letters.rolls.words import in_words
from pbem.service.play.sections import titles
from pbem.service.proof.lines import faces_text, letter_proof
from pbem.service.record.rows import LetterRow

MOST_LETTERS = 40
"""Look for a line in at most this many letters of its writer, and for a roll in as many of ours."""


@dataclass(frozen=True, slots=True)
class Written:
    """An order or a decision that led to the die. `text` is the line as it was written, where the letter is
    still at hand; `how` says by what means it was given (orders, standing, default, bot), `subject`,
    `message_id` and `received` in which letter it came and when. For the umpire `name` is what a ruling calls
    it (J45), and `order` the order, "" for a decision."""

    seat: str
    text: str
    how: str
    subject: str = ""
    message_id: str = ""
    received: str = ""
    name: str = ""
    order: str = ""

    def line(self) -> str:
        """The order in words, with where it comes from."""
        by = {
            "standing": "by a standing order",
            "default": "by default",
            "bot": "by the bot",
            "moderator": "by the moderator",
        }.get(self.how, f"by {self.how}")
        if self.how == "orders":
            letter = f'letter "{self.subject}", received {self.received}'
            by = letter if self.received else "as it was read"
        return f"{f'{self.name}  ' if self.name else ''}{self.seat}: {self.text}   ({by})"


@dataclass(frozen=True, slots=True)
class Told:
    """A letter that told of the roll: to whom, when it was written, and when it went out ("": not yet)."""

    seat: str
    subject: str
    written: str
    sent: str

    def line(self) -> str:
        """The letter in words."""
        return f'{self.seat}: "{self.subject}", written {self.written}, {self.sent or "not sent yet"}'


def written(happened: Happened, reader: str, zone: str) -> Iterator[Written]:
    """The orders and decisions before the die that name what it is about, as far as a reader may know them:
    his own, and all for the umpire. Times are in `zone`."""
    game = happened.game
    letters: dict[str, _Letters] = {}
    for move, row in happened.led:
        if reader not in (UMPIRE, *move.seats):
            continue
        seat = move.seats[0]
        title = game.seat(seat).title
        name = f"J{row.number}" if reader == UMPIRE else ""
        if move.order is None:
            yield Written(title, f"{move.request.what}: {in_words(move.entry.answer)}", row.by, name=name)
            continue
        order = game.grammar.write(move.order) if name else ""
        found = None
        if row.by == "orders":
            mine = letters.setdefault(seat, _Letters(happened, seat))
            found = mine.find(move.order, row.at)
        if found is None:
            yield Written(title, game.grammar.write(move.order), row.by, name=name, order=order)
        else:
            text, subject, letter = found
            received = local_time(letter.received, zone)
            yield Written(title, text, row.by, subject, letter.message_id, received, name, order)


def told(happened: Happened, reader: str, zone: str) -> Iterator[Told]:
    """The first letter that told each side of the roll; a seat learns only of its own. Times are in
    `zone`."""
    table, roll = happened.table, happened.roll
    row = happened.rows[happened.place]
    line = f"R{roll.number} {roll.phase}|{roll.label} = {faces_text(roll.faces)}"
    for key in table.seats:
        if reader not in (UMPIRE, key):
            continue
        for letter in table.post.after(key, row.number, MOST_LETTERS):
            if line in letter_proof(letter.raw):
                sent = f"sent {local_time(letter.sent, zone)}" if letter.sent else ""
                at = local_time(letter.created, zone)
                yield Told(happened.game.seat(key).title, letter.subject, at, sent)
                break


class _Letters:
    """The letters of a seat, read again to find the line that an order was written as."""

    def __init__(self, happened: Happened, seat: str) -> None:
        self._happened = happened
        self._seat = seat
        self._rows = happened.table.post.acted(seat, max(1, happened.phase.turn), MOST_LETTERS)
        self._read: dict[int, list[tuple[Any, str, str]]] = {}

    def find(self, order: Any, at: datetime) -> tuple[str, str, LetterRow] | None:
        """The line as it was written, and its letter with its subject: the last before `at` that says exactly
        this, else the last with the same verb for the same units or hexes."""
        alike = None
        for row in self._rows:
            if row.received > at:
                continue
            for meant, text, subject in self._lines(row):
                if meant == order:
                    return text, subject, row
                if alike is None and meant.verb == order.verb and meant.subjects() == order.subjects():
                    alike = text, subject, row
        return alike

    def _lines(self, row: LetterRow) -> list[tuple[Any, str, str]]:
        assert row.id is not None
        if row.id not in self._read:
            self._read[row.id] = [*self._orders_of(row)]
        return self._read[row.id]

    def _orders_of(self, row: LetterRow) -> Iterator[tuple[Any, str, str]]:
        game, letter = self._happened.game, parse(row.raw)
        state = game.load(self._happened.snapshot)
        scope = Scope(
            tuple(game.grammar.sections), titles(game, state, self._seat), {}, {}, {}, max(1, state.turn)
        )
        roster = game.roster(state, self._seat)
        texts = [letter.own, *([line for line in file.lines if not line.quoted] for file in letter.files)]
        for lines in texts:
            numbered = [(line.number, line.text) for line in lines]
            written = dict(numbered)
            for line in game.grammar.read(numbered, roster, "", scope).orders:
                yield line.order, written.get(line.number, line.text).strip(), letter.subject
