"""Use case: send the letters in the outbox, and look after those that could not go.

A letter is claimed, handed over and marked as sent, each in a commit of its own. So no two processes send
it at once, and a crash sends at most the one letter in hand again, the same to the last byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.utils import parseaddr
from time import monotonic
from typing import Literal

from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, or_, select

from pbem.mail.address import NOWHERE
from pbem.mail.transport import Outgoing, Transport, Unreachable
from pbem.service.moderating.digest import write_digests
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import REFUSED, OutboxRow, SeatRow
from pbem.service.record.store import Store

LEASE = timedelta(minutes=10)
"""How long a claimed letter is left to the process that has it in hand."""

BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (5, 15, 60, 240, 480))
"""How long a letter waits after its first, second, ... failure; the last one holds for all that follow."""

SAYS_REFUSED = "The mail server has refused letters; they are not tried again (pbem mail resend)"

Result = Literal["sent", "later", "refused", "kept"]
State = Literal["waiting", "failing", "refused", "sent"]

_HEAD = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Handed:
    """What became of one letter of the outbox.

    later    it will be tried again
    refused  it will not, unless it is put back (`resend`)
    kept     it is for a seat without a mail address
    """

    key: str
    recipient: str
    subject: str
    result: Result
    detail: str = ""


def send_pending(
    store: Store,
    transport: Transport,
    now: datetime,
    *,
    game: str | None = None,
    local: bool = False,
    at_once: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> list[Handed]:
    """Hand every letter that is due to `transport`, oldest first; does not raise for a letter that cannot go.

    `game` limits this to the letters of one game. With `local`, letters to seats without a mail address
    are handed over as well: a folder can take them. `at_once` does not wait after a failure. `stop` is
    asked before each letter. If the transport is out of reach, the rest waits.
    """
    began, last = monotonic(), 0
    handed: list[Handed] = []
    try:
        while not stop():
            moment = now + timedelta(seconds=monotonic() - began)
            row = _claim(store, moment, last, game, at_once)
            if row is None:
                if not _in_hand(store, moment) and write_digests(store, now):  # of what was refused, too
                    continue
                break
            last = row.id or 0
            if not local and row.recipient.endswith(f"@{NOWHERE}"):
                handed.append(_mark(store, row, "kept", "played on this machine", now))
                continue
            try:
                sent = transport.send(outgoing(row))
            except Unreachable as error:
                handed.append(_put_back(store, row, str(error)))
                break
            handed.append(_mark(store, row, sent.result, sent.detail, now))
    finally:
        transport.close()
    return handed


def outgoing(row: OutboxRow) -> Outgoing:
    """Return a letter of the outbox as a transport takes it."""
    head = message_from_bytes(_HEAD.split(row.raw, maxsplit=1)[0] + b"\n\n", policy=policy.default)
    return Outgoing(
        message_id=str(head["Message-ID"] or ""),
        sender=parseaddr(str(head["From"] or ""))[1],
        to=row.recipient,
        data=row.raw,
        slug=row.key,
    )


def pending(store: Store) -> int:
    """Return how many letters wait to be sent."""
    with store.transaction() as session:
        return session.exec(select(func.count()).select_from(OutboxRow).where(_UNSENT, ~_REFUSED)).one()


_UNSENT = col(OutboxRow.sent).is_(None)
_REFUSED = col(OutboxRow.error).startswith(REFUSED)


_BARE = select(OutboxRow).options(defer(OutboxRow.raw)).order_by(col(OutboxRow.id))  # type: ignore[arg-type]
"""Letters, oldest first, without their content, which may be large."""
_FAILURES = _BARE.where(OutboxRow.game == bindparam("game"), _UNSENT, OutboxRow.error != "")


def _claim(store: Store, moment: datetime, after: int, game: str | None, at_once: bool) -> OutboxRow | None:
    """Claim the next letter that is due and not claimed yet."""
    claimed, next_try = col(OutboxRow.claimed), col(OutboxRow.next_try)
    query = select(OutboxRow).where(
        _UNSENT, ~_REFUSED, col(OutboxRow.id) > after, or_(claimed.is_(None), claimed <= moment - LEASE)
    )
    if not at_once:
        query = query.where(or_(next_try.is_(None), next_try <= moment))
    if game is not None:
        query = query.where(OutboxRow.game == game)
    with store.transaction() as session:
        first = query.order_by(col(OutboxRow.id)).limit(1).with_for_update(skip_locked=True)
        row = session.exec(first).first()
        if row is not None:
            row.claimed = moment
            session.add(row)
    return row


def _in_hand(store: Store, moment: datetime) -> bool:
    """Whether a process has letters in hand. A clock runs from when the letter that asks is sent, so a digest
    that is written before may name a deadline that moves."""
    query = select(OutboxRow.id).where(_UNSENT, ~_REFUSED, col(OutboxRow.claimed) > moment - LEASE)
    with store.transaction() as session:
        return session.exec(query.limit(1)).first() is not None


def _mark(store: Store, mine: OutboxRow, result: Result, detail: str, now: datetime) -> Handed:
    """Write down what became of a claimed letter, unless another process has claimed it meanwhile."""
    detail = _one_line(detail)
    with store.transaction() as session:
        row = session.get_one(OutboxRow, mine.id, with_for_update=True)
        if result in ("sent", "kept") or row.claimed == mine.claimed:
            row.sent = now if result in ("sent", "kept") else None
            row.error = {"later": detail, "refused": REFUSED + detail}.get(result, "")
            row.next_try = now + BACKOFF[min(row.attempts, len(BACKOFF) - 1)] if result == "later" else None
            row.attempts += 1
            row.tried, row.claimed = now, None
            session.add(row)
        if result == "refused" and row.game and session.get(SeatRow, (row.game, row.seat)) is not None:
            said = f"{row.id}  {row.recipient}  {row.subject}: {detail}"
            tell_moderators(session, row.game, SAYS_REFUSED, [said], now)
    return Handed(mine.key, mine.recipient, mine.subject, result, detail)


def _put_back(store: Store, mine: OutboxRow, detail: str) -> Handed:
    """Let go of a claimed letter that could not even be tried."""
    with store.transaction() as session:
        row = session.get_one(OutboxRow, mine.id, with_for_update=True)
        if row.claimed == mine.claimed:
            row.error, row.claimed = _one_line(detail), None
            session.add(row)
    return Handed(mine.key, mine.recipient, mine.subject, "later", detail)


def _one_line(detail: str) -> str:
    """Return what a mail server said as text that every database takes."""
    return " ".join(detail.encode("utf-8", "replace").decode().replace("\0", " ").split())


# --- looking after them -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter of the outbox as its host sees it; `detail` is what the mail server said last."""

    number: int
    game: str
    state: State
    recipient: str
    subject: str
    attempts: int
    tried: datetime | None
    next_try: datetime | None
    detail: str


def letters(store: Store, game: str | None = None, everything: bool = False) -> list[Posted]:
    """Return the letters that have not been sent, or with `everything` all letters, oldest first."""
    with store.transaction() as session:
        return [_posted(row) for row in _rows(session, game, *([] if everything else [_UNSENT]))]


def failures(session: Session, game: str) -> list[Posted]:
    """Return the letters of a game that could not be sent so far, or were refused."""
    return [_posted(row) for row in session.exec(_FAILURES, params={"game": game})]


def _rows(session: Session, game: str | None, *where: ColumnElement[bool]) -> list[OutboxRow]:
    query = _BARE.where(*where)
    return list(session.exec(query if game is None else query.where(OutboxRow.game == game)))


def resend(store: Store, numbers: Sequence[int] = (), game: str | None = None) -> list[Posted]:
    """Put letters back to be sent in the next run: those of these numbers, or all that were refused.

    Return them as they were. Raise StoreError for a number that is not there, or of a letter that was sent.
    """
    with store.transaction() as session:
        rows = [_unsent(session, number) for number in numbers] or _rows(session, game, _UNSENT, _REFUSED)
        posted = [_posted(row) for row in rows]
        for row in rows:
            row.error, row.attempts, row.next_try = "", 0, None
            session.add(row)
    return posted


def _unsent(session: Session, number: int) -> OutboxRow:
    row = session.get(OutboxRow, number, with_for_update=True)
    if row is None:
        raise StoreError(f"there is no letter {number} in the outbox")
    if row.sent is not None:
        raise StoreError(f"letter {number} to {row.recipient} has been sent")
    return row


def _posted(row: OutboxRow) -> Posted:
    state: State = "failing" if row.error else "waiting"
    if row.error.startswith(REFUSED):
        state = "refused"
    if row.sent is not None:
        state = "sent"
    return Posted(
        row.id or 0, row.game or "", state, row.recipient, row.subject,
        row.attempts, row.tried, row.next_try, row.error.removeprefix(REFUSED),
    )  # fmt: skip
