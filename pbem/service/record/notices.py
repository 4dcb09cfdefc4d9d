"""What moderators are to hear of: it is kept with each of them for the next digest (digest.py)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from pbem.service.play.plain import Number, Plain, check_moments
from pbem.service.record.rows import StaffRow

MOST_NEWS = 50
"""At most this many different things are kept for a digest; of more only the number is."""

MOST_LINES = 60
"""At most this many lines are kept of one thing."""


class Heard(Plain):
    """One thing that a moderator is to hear of."""

    says: str
    lines: list[str]
    times: Number
    at: str
    urgent: bool = False

    def __post_init__(self) -> None:
        check_moments(at=self.at)


class ToldStaff(Plain):
    """What one of the staff has been told: what is to be in the next digest, when the last one was written,
    and the last with urgent news, whether that nobody checks the senders of emails (digest.py), and which
    lines have acted, each with the moment (intake/staff_letters.py).

    Of an observer (letters/observers.py): the last turn in the letters so far, whether they included the end,
    and the ruling that has gone back since and brings these turns once more.
    """

    news: list[Heard] = msgspec.field(default_factory=list)
    digest: str = ""
    urgent: str | None = None
    unchecked: bool = False
    turn: Number = 0
    over: bool = False
    back: Number = 0
    acted: dict[str, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        check_moments(digest=self.digest, urgent=self.urgent)
        check_moments(**self.acted)


def tell_moderators(
    session: Session,
    game_id: str,
    says: str,
    lines: Sequence[str],
    now: datetime,
    *,
    by: str = "",
    urgent: bool = False,
) -> bool:
    """Keep news for the next digest of each moderator of a game, but for the one who did it (`by`). Return
    whether the game has any. `urgent` news does not wait for the day of the digest (digest.py).

    News that `says` the same is kept once, with all lines. Without words it only lets a digest go out: what
    has happened stands in the digest anyway.
    """
    query = select(StaffRow).where(StaffRow.game == game_id, StaffRow.role == "moderator")
    locked = query.order_by(col(StaffRow.key)).with_for_update().execution_options(populate_existing=True)
    rows = session.exec(locked).all()
    for row in rows:
        if row.key != by:
            keep(session, row, says, lines, now, urgent=urgent)
    return bool(rows)


def tell_every_moderator(
    session: Session, says: str, lines: Sequence[str], now: datetime, *, urgent: bool = False
) -> None:
    """Keep news that belongs to no game for every moderator of any game, each person once."""
    query = (
        select(StaffRow).where(StaffRow.role == "moderator").order_by(col(StaffRow.game), col(StaffRow.key))
    )
    locked = query.with_for_update().execution_options(populate_existing=True)
    people = {each.address: each for each in reversed(session.exec(locked).all())}
    for each in people.values():
        keep(session, each, says, lines, now, urgent=urgent)


def keep(
    session: Session,
    row: StaffRow,
    says: str,
    lines: Sequence[str],
    now: datetime,
    *,
    urgent: bool = False,
) -> None:
    """Keep news for one moderator, whose row is locked."""
    news: list[dict[str, Any]] = [dict(each) for each in row.told.get("news", ())]
    known = next((each for each in news if each["says"] == says), None)
    if known is None and len(news) >= MOST_NEWS:
        says = "More has happened"
        known, lines = next((each for each in news if each["says"] == says), None), ()
    if known is None:
        known = {"says": says, "lines": [], "times": 0}
        news.append(known)
    known["times"] += 1
    if urgent:
        known["urgent"] = True
    known["at"] = now.astimezone(UTC).isoformat()
    room = MOST_LINES - len(known["lines"])
    known["lines"] = [*known["lines"], *lines[: max(0, room)]]
    row.told = row.told | {"news": news}
    session.add(row)
