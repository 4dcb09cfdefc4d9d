"""Use case: keep little of the emails that belong to no game, and less of them after a while. The moderators
find them in their digest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, or_, select

from pbem.mail.letter import Letter
from pbem.service.record.notices import tell_every_moderator
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store

MOST = 64_000
"""Bytes of headers, and of a body, that are kept of an email that belongs to no game."""

STRAYS = ("quarantined", "ignored")
"""The outcomes of emails that belong to no game."""

MOST_SUBJECT = 80
"""Moderators read at most so much of the subject of a letter that belongs to no game."""

_HEAD_END = re.compile(rb"\r?\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Purged:
    """How many letters have lost their body, and how many bytes that were."""

    letters: int = 0
    bytes: int = 0


def kept(raw: bytes) -> bytes:
    """Return an email that belongs to no game as it is kept: its headers and the beginning of its body."""
    head, body = _divided(raw)
    return head + body[:MOST]


def tell_of_stray(session: Session, letter: Letter, row: LetterRow, now: datetime) -> None:
    """Let every moderator know of a letter that belongs to no game, each person once."""
    line = f"{row.id}  from {letter.sender or 'an unknown address'}: {letter.subject[:MOST_SUBJECT]}"
    tell_every_moderator(session, "A letter for no game here was set aside (pbem mail list)", [line], now)


def purge(store: Store, before: datetime) -> Purged:
    """Remove the bodies of emails that belong to no game and came before a moment; their headers stay."""
    stray = or_(col(LetterRow.outcome).in_(STRAYS), col(LetterRow.game).is_(None))
    old = select(LetterRow.id).where(stray, LetterRow.received < before)
    letters = freed = 0
    with store.transaction() as session:
        for number in session.exec(old).all():
            row = session.get_one(LetterRow, number)
            head, body = _divided(row.raw)
            if body:
                letters, freed = letters + 1, freed + len(row.raw) - len(head)
                row.raw = head
                session.add(row)
                session.flush()
            session.expunge(row)
    if letters:
        store.compact()
    return Purged(letters, freed)


def _divided(raw: bytes) -> tuple[bytes, bytes]:
    """Return headers, cut if there are too many of them, and body of an email."""
    end = match.end() if (match := _HEAD_END.search(raw)) else len(raw)
    head = raw[:end] if end <= MOST else raw[:MOST] + b"\n\n"
    return head, raw[end:]
