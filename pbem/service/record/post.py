"""The letters of one game, in and out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import sqlalchemy as sql
from sqlalchemy import bindparam, or_
from sqlalchemy.orm import defer
from sqlmodel import col, func, select

from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.mail.mime import first_text, read_mail
from pbem.mail.quotes import folded
from pbem.service.record.game_record import GameRecord
from pbem.service.record.rows import CAME_BACK, LetterRow, Moment, OutboxRow, SeatRow, StaffRow

_KEYS = select(OutboxRow.key).where(OutboxRow.game == bindparam("game"))
_HELD = (
    select(LetterRow)
    .where(
        LetterRow.game == bindparam("game"), LetterRow.seat == bindparam("seat"), LetterRow.outcome == "held"
    )
    .options(defer(LetterRow.raw))  # type: ignore[arg-type]
    .order_by(col(LetterRow.id).desc())
)
_RECEIVED = sql.select(
    col(LetterRow.id),
    col(LetterRow.seat),
    col(LetterRow.turn),
    col(LetterRow.orders),
    col(LetterRow.received),
).where(
    col(LetterRow.game) == bindparam("game"),
    or_(
        col(LetterRow.turn) >= bindparam("turn"),
        col(LetterRow.received) >= bindparam("since", type_=Moment()),
        col(LetterRow.id).in_(bindparam("named", expanding=True)),
    ),
)
_WRITTEN = select(OutboxRow.id).where(OutboxRow.key == bindparam("key"))
_SENT = select(OutboxRow.key, OutboxRow.sent, OutboxRow.recipient).where(
    col(OutboxRow.key).in_(bindparam("keys", expanding=True))
)

_BARE = defer(OutboxRow.raw)  # type: ignore[arg-type]

MAP = b"Content-ID: <map>"
"""What a letter holds that shows the map without having been asked for it (layout.py)."""

ACTED = ("accepted", "explained")
"""The outcomes of letters whose sender was proved, and which were read."""

_TITLE = re.compile(r"\[(?P<game>[a-z0-9_-]+)\].*(?P<where>- T\d+ [^,]+)", re.IGNORECASE)
"""The game and the phase in a subject."""


@dataclass(frozen=True, slots=True)
class Postmark:
    """What is to be known of a letter of ours: its Message-ID, the section that it asks for, the letter that
    it answers, and of press the seat that wrote it."""

    message_id: str
    section: str = ""
    letter: int | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    """A letter of a seat in a turn: how many `orders` it held, and when it came."""

    id: int
    seat: str
    turn: int
    orders: int
    received: datetime


class Post:
    """The letters of a game."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.session = record.session
        self.game = record.row.id
        self._sent: dict[str, tuple[datetime | None, str]] = {}

    # --- letters of ours ------------------------------------------------------------------------------

    def has(self, key: Key) -> bool:
        """Whether a letter with this key has been written."""
        return self.session.exec(_WRITTEN, params={"key": key.slug}).first() is not None

    def put(
        self,
        key: Key,
        recipient: str,
        subject: str,
        raw: bytes,
        about: Postmark,
        *,
        of_the_game: bool = True,
    ) -> None:
        """Put a letter into the outbox, unless one with this key is there already. One that is not of the
        game goes to somebody who has no part in it, and proves nothing."""
        if not self.has(key):
            self.session.add(
                OutboxRow(
                    game=self.game if of_the_game else None, key=key.slug, recipient=recipient,
                    subject=subject, raw=raw,
                    created=self.record.now, seat=key.seat, kind=key.kind,
                    position=self.record.journal.last, message_id=about.message_id, section=about.section,
                    letter=about.letter, about=about.about,
                )
            )  # fmt: skip

    def sent(self, keys: Iterable[str]) -> list[tuple[datetime | None, str]]:
        """When the letters with these keys were sent, None for not yet, and to which address. Each is read
        once: what is sent meanwhile counts from the next transaction on."""
        wanted = [key for key in keys if key]
        if new := [key for key in wanted if key not in self._sent]:
            rows = self.session.exec(_SENT, params={"keys": new})
            self._sent |= {key: (moment, recipient) for key, moment, recipient in rows}
        return [self._sent[key] for key in wanted if key in self._sent]

    def sent_at_latest(self, now: datetime) -> None:
        """Letters that were sent later than now, which only a wrong clock can have written, count as sent
        now."""
        ahead = select(OutboxRow).where(OutboxRow.game == self.game, col(OutboxRow.sent) > now)
        for letter in self.session.exec(ahead):
            letter.sent = now
        self._sent = {}

    def answered(self, letter: Letter, seat: str) -> OutboxRow | None:
        """The letter of ours to this seat that a letter answers: named in its headers, else the one with its
        subject, else the first of the turn and phase in it."""
        mine = select(OutboxRow).where(OutboxRow.game == self.game, OutboxRow.seat == seat)
        mine = mine.options(_BARE).order_by(col(OutboxRow.id).desc())
        for name in filter(None, (letter.in_reply_to, *reversed(letter.references))):
            if (row := self.session.exec(mine.where(OutboxRow.message_id == name)).first()) is not None:
                return row
        title = _TITLE.search(letter.subject)
        if title is None or title["game"].lower() != self.game:
            return None
        whole = letter.subject[title.start() :].strip()
        if (row := self.session.exec(mine.where(OutboxRow.subject == whole)).first()) is not None:
            return row
        where = title["where"].strip()
        named = mine.where(col(OutboxRow.subject).icontains(where, autoescape=True)).order_by(None)
        return self.session.exec(named.order_by(col(OutboxRow.id))).first()

    def quotable(self, seat: str, answered: OutboxRow | None) -> frozenset[str]:
        """The lines of the letter that a letter answers, or else of the last letters to this seat, as they
        are compared (`quotes.folded`)."""
        last = select(OutboxRow).where(OutboxRow.game == self.game, OutboxRow.seat == seat)
        rows = [answered] if answered else self.session.exec(last.order_by(col(OutboxRow.id).desc()).limit(3))
        return frozenset().union(*(_folded_lines(row.raw) for row in rows))

    def shown_to(self, seat: str) -> int:
        """The last row of the journal when the last letter to a seat was written that shows a map of the game
        as it was then; 0 if there is none."""
        mine = select(OutboxRow).where(OutboxRow.game == self.game, OutboxRow.seat == seat)
        letters = self.session.exec(mine.options(_BARE).order_by(col(OutboxRow.id).desc()))
        return next((row.position for row in letters.all() if MAP in row.raw), 0)  # few are read whole

    def every_key(self) -> list[str]:
        """The keys of all letters of ours."""
        return list(self.session.exec(_KEYS, params={"game": self.game}))

    def written(self, seat: str, kind: str, since: datetime) -> int:
        """How many letters of a kind have been written to somebody since a moment."""
        query = select(func.count()).where(
            OutboxRow.game == self.game, OutboxRow.seat == seat, OutboxRow.kind == kind,
            col(OutboxRow.created) > since,
        )  # fmt: skip
        return self.session.exec(query).one()

    def after(self, seat: str, row: int, most: int) -> list[OutboxRow]:
        """The first letters to a seat after a row of the journal, at most `most` of them."""
        query = (
            select(OutboxRow)
            .where(OutboxRow.game == self.game, OutboxRow.seat == seat, OutboxRow.position >= row)
            .order_by(col(OutboxRow.id))
            .limit(most)
        )
        return list(self.session.exec(query))

    def came_back(self, person: SeatRow | StaffRow) -> str:
        """Why a letter to the address of a person came back; "" if none did, or one has come from it
        since."""
        query = select(OutboxRow).where(OutboxRow.game == self.game, OutboxRow.seat == person.key)
        query = query.where(OutboxRow.recipient == person.address)
        query = query.where(col(OutboxRow.error).startswith(CAME_BACK)).options(_BARE)
        last = self.session.exec(query.order_by(col(OutboxRow.id).desc()).limit(1)).first()
        if last is None:
            return ""
        since = select(LetterRow.id).where(LetterRow.game == self.game, LetterRow.seat == person.key)
        since = since.where(col(LetterRow.outcome).in_(ACTED), LetterRow.sender == person.address)
        alive = self.session.exec(since.where(col(LetterRow.received) > last.created).limit(1)).first()
        return "" if alive else last.error.removeprefix(CAME_BACK)

    # --- letters to us --------------------------------------------------------------------------------

    def letter(self, number: int | None) -> LetterRow | None:
        """A letter that was received, by its number; None if there is none."""
        return self.session.get(LetterRow, number) if number else None

    def received(self, turn: int, since: datetime, named: Iterable[int]) -> list[Received]:
        """What is to be known of the letters that came from a turn or from a moment on, and of those that are
        `named`."""
        params = {"game": self.game, "turn": turn, "since": since, "named": sorted(named)}
        return [Received(*row) for row in self.session.execute(_RECEIVED, params)]

    def acted(self, seat: str, turn: int, most: int) -> list[LetterRow]:
        """The last letters of a seat that acted up to a turn, newest first, at most `most` of them."""
        query = (
            select(LetterRow)
            .where(LetterRow.game == self.game, LetterRow.seat == seat, col(LetterRow.turn) <= turn)
            .where(col(LetterRow.outcome).in_(ACTED))
            .order_by(col(LetterRow.id).desc())
            .limit(most)
        )
        return list(self.session.exec(query))

    def held(self, key: str) -> list[LetterRow]:
        """The letters that are held in the name of a seat or of one of the staff, newest first."""
        return list(self.session.exec(_HELD, params={"game": self.game, "seat": key}))

    def drop(self, key: str, why: str) -> int:
        """Never let the letters act that are held in somebody's name; return how many they were."""
        rows = self.held(key)
        for row in rows:
            row.outcome, row.why = "discarded", why
            self.session.add(row)
        return len(rows)


@lru_cache(maxsize=32)
def _folded_lines(raw: bytes) -> frozenset[str]:
    """The lines of the text part of a letter of ours, as they are compared."""
    return frozenset(folded(line) for line in _lines_of(raw) if line.strip())


def _lines_of(raw: bytes) -> list[str]:
    """The lines of the text part of a letter of ours."""
    return first_text(read_mail(raw)).splitlines()
