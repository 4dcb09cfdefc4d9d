"""How large a letter may be, and how many of one person, and of all, are taken in an hour. What is over the
limit is not lost: pbem says so to the mail server, which keeps it or returns it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from pbem.service.record.rows import LetterRow, Moment, SeatRow, StaffRow

HOUR = timedelta(hours=1)

_SINCE = bindparam("since", type_=Moment())
_ALL = select(func.count()).select_from(LetterRow).where(col(LetterRow.received) > _SINCE)
_OF_SENDER = _ALL.where(LetterRow.sender == bindparam("sender"))


@dataclass(frozen=True, slots=True)
class Limits:
    """The most letters in an hour: of a person who plays or moderates, of a stranger, of everybody."""

    member: int = 60
    stranger: int = 30
    all: int = 2_000


class TooLarge(ValueError):
    """An email of more bytes than are taken of one (`[limits] bytes`). None of it is read: orders of which
    the end is missing may say something else."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"it has {size:,} bytes, and the limit is {most:,} ([limits] bytes)")


class TooMany(RuntimeError):
    """A letter over a limit, of which nothing is stored. `may_come_later`: a stranger's may not."""

    def __init__(self, says: str, may_come_later: bool) -> None:
        super().__init__(says)
        self.may_come_later = may_come_later


def check_limits(session: Session, sender: str, limits: Limits, now: datetime) -> None:
    """Raise TooMany if one more letter of this sender would be over a limit."""
    since = now - HOUR
    if session.exec(_ALL, params={"since": since}).one() >= limits.all:
        raise TooMany(f"this server takes {limits.all} letters an hour", True)
    if not sender:
        return
    number = session.exec(_OF_SENDER, params={"since": since, "sender": sender}).one()
    if number < min(limits.member, limits.stranger):
        return
    known = _is_known(session, sender)
    most = limits.member if known else limits.stranger
    if number >= most:
        raise TooMany(f"this server takes {most} letters an hour from {sender}", known)


def _is_known(session: Session, sender: str) -> bool:
    rows = (select(kind.key).where(kind.address == sender).limit(1) for kind in (SeatRow, StaffRow))
    return any(session.exec(row).first() is not None for row in rows)
