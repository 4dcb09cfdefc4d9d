"""Use case: send the letters in the outbox, and look after those that could not go.

A letter is claimed, handed over, and marked as sent in the commit that claims the next one. So no two
processes send it at once, and a crash sends at most the one letter in hand again, the same to the last
byte.
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

from pbem.engine.wording import count
from pbem.mail.address import NOWHERE
from pbem.mail.transport import Outgoing, Transport, Unreachable
from pbem.service.moderating.digest import write_digests
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import CAME_BACK, REFUSED, OutboxRow, SeatRow
from pbem.service.record.store import Store

LEASE = timedelta(minutes=2)
"""How long a claimed letter is left to the process that has it in hand: longer than a transport may take
(`mail.transport.LONGEST`)."""

BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (5, 15, 60, 240, 480))
"""How long a letter waits after its first, second, ... failure; the last one holds for all that follow."""

GIVE_UP = timedelta(days=5)
"""A letter that could not go in this time is given up, as mail servers do."""

PLAYED_HERE = "played on this machine"

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


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter of the outbox that a process has in hand since `claimed`."""

    id: int
    claimed: datetime
    key: str
    recipient: str
    subject: str
    letter: Outgoing

    @property
    def is_local(self) -> bool:
        """Whether it is for a seat without a mail address, which only a folder can take."""
        return self.recipient.endswith(f"@{NOWHERE}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became at a moment of a letter in hand. `unreachable`: it could not even be tried, and waits."""

    claimed: Claimed
    at: datetime
    result: Result
    detail: str = ""
    unreachable: bool = False


@dataclass(frozen=True, slots=True)
class Tries:
    """How long letters that could not go are tried: after which waits, and for how long in all."""

    backoff: tuple[timedelta, ...] = BACKOFF
    give_up: timedelta = GIVE_UP


@dataclass(frozen=True, slots=True)
class Which:
    """Which letters to claim: those behind this number, those of one game; or all, whenever they failed."""

    after: int = 0
    game: str | None = None
    at_once: bool = False
    by: str | None = None
    """The worker of the service that claims it: it has no other in hand, so what it seems to have is free."""


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
    outcome: Outcome | None = None
    try:
        while True:
            moment = now + timedelta(seconds=monotonic() - began)
            ends = stop() or (outcome is not None and outcome.unreachable)
            which = None if ends else Which(last, game, at_once)
            marked, claimed = visit(store, moment, outcome, which)
            handed += [marked] if marked else []
            outcome = None
            if claimed is None:
                if not ends and not in_hand(store, moment) and write_digests(store, now):
                    continue  # of what was refused, too
                break
            last = claimed.id
            outcome = _handed_over(claimed, transport, local, now)
    finally:
        transport.close()
    return handed


def _handed_over(claimed: Claimed, transport: Transport, local: bool, now: datetime) -> Outcome:
    if claimed.is_local and not local:
        return Outcome(claimed, now, "kept", PLAYED_HERE)
    try:
        sent = transport.send(claimed.letter)
    except Unreachable as error:
        return Outcome(claimed, now, "later", str(error), unreachable=True)
    return Outcome(claimed, now, sent.result, sent.detail)


def visit(
    store: Store, moment: datetime, outcome: Outcome | None, which: Which | None, tries: Tries = Tries()
) -> tuple[Handed | None, Claimed | None]:
    """Write down what became of one letter and claim the next: one transaction. Without `which` nothing is
    claimed; None for it also if nothing is due."""
    if outcome is None and which is None:
        return None, None
    with store.transaction() as session:
        handed = _mark(session, outcome, tries) if outcome else None
        return handed, _claim(session, moment, which) if which else None


def pending(store: Store) -> int:
    """Return how many letters wait to be sent."""
    with store.transaction() as session:
        return session.exec(select(func.count()).select_from(OutboxRow).where(_UNSENT, ~_REFUSED)).one()


_UNSENT = col(OutboxRow.sent).is_(None)
_REFUSED = col(OutboxRow.error).startswith(REFUSED)


_BARE = select(OutboxRow).options(defer(OutboxRow.raw)).order_by(col(OutboxRow.id))  # type: ignore[arg-type]
"""Letters, oldest first, without their content, which may be large."""
_FAILURES = _BARE.where(OutboxRow.game == bindparam("game"), _UNSENT, OutboxRow.error != "")


def _claim(session: Session, moment: datetime, which: Which) -> Claimed | None:
    """Claim the next letter that is due and not claimed yet."""
    claimed, next_try = col(OutboxRow.claimed), col(OutboxRow.next_try)
    free = or_(claimed.is_(None), claimed <= moment - LEASE)
    if which.by is not None:
        free = or_(free, col(OutboxRow.claimed_by) == which.by)
    query = select(OutboxRow).where(_UNSENT, ~_REFUSED, col(OutboxRow.id) > which.after, free)
    if not which.at_once:
        query = query.where(or_(next_try.is_(None), next_try <= moment))
    if which.game is not None:
        query = query.where(OutboxRow.game == which.game)
    first = query.order_by(col(OutboxRow.id)).limit(1).with_for_update(skip_locked=True)
    row = session.exec(first).first()
    if row is None:
        return None
    row.claimed, row.claimed_by = moment, which.by
    session.add(row)
    return Claimed(row.id or 0, moment, row.key, row.recipient, row.subject, _outgoing(row))


def _outgoing(row: OutboxRow) -> Outgoing:
    """Return a letter of the outbox as a transport takes it."""
    head = message_from_bytes(_HEAD.split(row.raw, maxsplit=1)[0] + b"\n\n", policy=policy.default)
    return Outgoing(
        message_id=str(head["Message-ID"] or ""),
        sender=parseaddr(str(head["From"] or ""))[1],
        to=row.recipient,
        data=row.raw,
        slug=row.key,
    )


def in_hand(store: Store, moment: datetime) -> bool:
    """Whether a process has letters in hand. A clock runs from when the letter that asks is sent, so a digest
    that is written before may name a deadline that moves."""
    query = select(OutboxRow.id).where(_UNSENT, ~_REFUSED, col(OutboxRow.claimed) > moment - LEASE)
    with store.transaction() as session:
        return session.exec(query.limit(1)).first() is not None


def _mark(session: Session, outcome: Outcome, tries: Tries) -> Handed:
    """Write down what became of a claimed letter, unless another process has claimed it meanwhile."""
    mine, now = outcome.claimed, outcome.at
    result, detail = outcome.result, _one_line(outcome.detail)
    row = session.get_one(OutboxRow, mine.id, with_for_update=True)
    ours = row.claimed == mine.claimed
    if outcome.unreachable:
        if ours:
            row.error, row.claimed = detail, None
            session.add(row)
        return Handed(mine.key, mine.recipient, mine.subject, "later", detail)
    often = row.attempts >= len(tries.backoff)  # the host may have been off for a week
    if result == "later" and often and now - row.created > tries.give_up:
        result, detail = "refused", f"given up after {count(tries.give_up.days, 'day')}: {detail}"
    if result in ("sent", "kept") or ours:
        row.sent = now if result in ("sent", "kept") else None
        back = row.error if row.error.startswith(CAME_BACK) else ""  # its report was quicker than this
        row.error = {"later": detail, "refused": REFUSED + detail}.get(result, back)
        wait = tries.backoff[min(row.attempts, len(tries.backoff) - 1)]
        row.next_try = now + wait if result == "later" else None
        row.attempts += 1
        row.tried, row.claimed = now, None
        session.add(row)
    if result == "refused" and row.game and session.get(SeatRow, (row.game, row.seat)) is not None:
        said = f"{row.id}  {row.recipient}  {row.subject}: {detail}"
        tell_moderators(session, row.game, SAYS_REFUSED, [said], now)
    return Handed(mine.key, mine.recipient, mine.subject, result, detail)


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
