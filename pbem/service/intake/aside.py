"""Use case: set aside an email on which pbem fails each time, with its bytes and the error, so that it stops
nobody else's. Nothing of it is read here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from pbem.engine.wording import count
from pbem.mail.letter import parse
from pbem.service.intake.limits import TooLarge
from pbem.service.intake.receive import Received, receive
from pbem.service.intake.reception import AS_IT_COMES, Reception
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_every_moderator
from pbem.service.record.rows import AsideRow
from pbem.service.record.store import Store

LONGEST_ERROR = 20_000
"""Characters that are kept of an error, whose first line names it."""

SAYS_LARGE = "An email was not read: it is too large. Its sender has not been told"

SAYS = "An email was set aside: pbem fails on it (pbem mail aside)"


@dataclass(frozen=True, slots=True)
class Aside:
    """An email set aside, as its host sees it. The first line of `error` names it."""

    number: int
    received: datetime
    source: str
    bytes: int
    tries: int
    error: str

    def line(self) -> str:
        """Return it in one line."""
        named = self.error.partition("\n")[0]
        size, tries = count(self.bytes, "byte"), count(self.tries, "try", "tries")
        return f"{self.number}  {self.received:%Y-%m-%d %H:%M} UTC by {self.source}, {size}, {tries}: {named}"


def set_aside(store: Store, mail: bytes, source: str, error: str, tries: int, now: datetime) -> int:
    """Keep an email that came by the way in `source`. Return its number; delivered again it keeps that."""
    digest = hashlib.sha256(mail).hexdigest()
    with store.transaction() as session:
        row = session.exec(select(AsideRow).where(AsideRow.digest == digest)).first()
        if row is None:
            row = AsideRow(received=now, source=source, digest=digest, raw=mail, error="", tries=0)
        row.error, row.tries = error[:LONGEST_ERROR].replace("\0", " "), row.tries + tries
        session.add(row)
        session.flush()
        number = row.id or 0
        tell_every_moderator(session, SAYS, [_aside(row, len(mail)).line()], now)
    return number


def tell_of_large(store: Store, head: bytes, size: int, most: int, folder: str, now: datetime) -> str:
    """Tell the moderators of an email of more than `most` bytes, which is not read and stays in a folder, or
    with "" is deleted. `head` is how it begins. Return why, in words."""
    why = str(TooLarge(size, most))
    letter = parse(head)
    subject = letter.subject or "(no subject)"
    where = f"It is in {folder}" if folder else "It is deleted"
    line = f"From {letter.sender or 'an unknown address'}: {subject}. {where}; {why}."
    with store.transaction() as session:
        tell_every_moderator(session, SAYS_LARGE, [line], now)
    return why


def asides(store: Store) -> list[Aside]:
    """Return the emails that are set aside, oldest first."""
    bare = defer(AsideRow.raw)  # type: ignore[arg-type]
    query = select(AsideRow, func.length(AsideRow.raw)).options(bare).order_by(col(AsideRow.id))
    with store.transaction() as session:
        return [_aside(row, length) for row, length in session.exec(query)]


def count_aside(session: Session) -> int:
    """Return how many emails are set aside."""
    return session.exec(select(func.count()).select_from(AsideRow)).one()


def again(
    store: Store, numbers: Sequence[int], now: datetime, how: Reception = AS_IT_COMES
) -> list[tuple[int, Received]]:
    """Receive emails that were set aside as if they came now; they are set aside no longer. Raise what
    `receive` raises, and StoreError for a number that is not there."""
    got: list[tuple[int, Received]] = []
    for number in numbers:
        got.append((number, receive(store, raw(store, number), now, how)))
        discard_aside(store, [number])
    return got


def discard_aside(store: Store, numbers: Sequence[int]) -> None:
    """Throw emails away that were set aside. Raise StoreError for a number that is not there."""
    with store.transaction() as session:
        for number in numbers:
            session.delete(_row(session, number))


def raw(store: Store, number: int) -> bytes:
    """Return an email that is set aside as it came. Raise StoreError if it is not there."""
    with store.transaction() as session:
        return _row(session, number).raw


def _row(session: Session, number: int) -> AsideRow:
    row = session.get(AsideRow, number)
    if row is None:
        raise StoreError(f"no email {number} is set aside: pbem mail aside lists them")
    return row


def _aside(row: AsideRow, size: int) -> Aside:
    return Aside(row.id or 0, row.received, row.source, size, row.tries, row.error)
