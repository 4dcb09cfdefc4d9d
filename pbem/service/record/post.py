"""The letters of one game, in and out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import col, select

from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.mail.mime import first_text, read_mail
from pbem.mail.quotes import folded
from pbem.service.record.game_record import GameRecord
from pbem.service.record.store import OutboxRow

_WRITTEN = select(OutboxRow.id).where(OutboxRow.key == bindparam("key"))

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


class Post:
    """The letters of a game."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.session = record.session
        self.game = record.row.id

    # --- letters of ours ------------------------------------------------------------------------------

    def put(self, key: Key, recipient: str, subject: str, raw: bytes, about: Postmark) -> None:
        """Put a letter into the outbox, unless one with this key is there already."""
        if self.session.exec(_WRITTEN, params={"key": key.slug}).first() is None:
            self.session.add(
                OutboxRow(
                    game=self.game, key=key.slug, recipient=recipient, subject=subject, raw=raw,
                    created=self.record.now, seat=key.seat, kind=key.kind,
                    position=self.record.journal.last, message_id=about.message_id, section=about.section,
                    letter=about.letter, about=about.about,
                )
            )  # fmt: skip

    def answered(self, letter: Letter, seat: str) -> OutboxRow | None:
        """The letter of ours to this seat that a letter answers: named in its headers, else the one with its
        subject, else the first of the turn and phase in it."""
        mine = select(OutboxRow).where(OutboxRow.game == self.game, OutboxRow.seat == seat)
        mine = mine.options(defer(OutboxRow.raw)).order_by(col(OutboxRow.id).desc())  # type: ignore[arg-type]
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
        return frozenset(folded(line) for row in rows for line in _lines_of(row.raw) if line.strip())


def _lines_of(raw: bytes) -> list[str]:
    """The lines of the text part of a letter of ours."""
    return first_text(read_mail(raw)).splitlines()
