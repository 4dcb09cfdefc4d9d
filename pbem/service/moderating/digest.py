"""Use case: write moderators their digests. Each person gets at most one a day, about all games that he
moderates: the first at once, later ones when a day has passed and there is news. Urgent news, a dispute, goes
out at once; what comes within an hour of it shares the next one. `pbem mail send` writes what is due before
it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Text, cast
from sqlmodel import Session, col, select

from pbem.engine.wording import count
from pbem.mail.compose import Key
from pbem.service.letters.layout import Writing, send_plain
from pbem.service.letters.log import Part
from pbem.service.letters.rolls.open import open_disputes
from pbem.service.moderating.bench import (
    dispute_part,
    held_letters,
    held_part,
    news_part,
    waiting_part,
    zone_of,
)
from pbem.service.record.rows import REFUSED, GameRow, LetterRow, OutboxRow, StaffRow
from pbem.service.record.store import Store, is_temporary, locked_game
from pbem.service.record.table import Table

EVERY = timedelta(days=1)
"""The least time between two digests to one person."""

URGENT_EVERY = timedelta(hours=1)
"""The least time between two digests that urgent news has sent out."""

COUNTED = ("open dispute", "held letter", "news item")
"""What the subject of a digest counts."""

CHECKED_OF = 10
"""If none of this many letters says whether its sender was checked, the mail server checks none."""

UNCHECKED = Part(
    "The mail server",
    (
        f"None of the last {CHECKED_OF} letters says whether its sender was checked: it has no header "
        "Authentication-Results of your mail server. A forged sender then passes for a registered address. "
        "Let the mail server check DMARC; the guide for hosts (pbem help hosting) says how, under Forged "
        "senders. This is said once.",
    ),
)

LEAD = (
    "To act, reply with a line such as those below. Write it above this text: quoted text is not read. "
    "HELP lists all commands."
)
LEAD_OF_SEVERAL = "You moderate several games: begin each line with the name of its game, as shown."


def write_digests(store: Store, now: datetime) -> int:
    """Write the digests that are due; return how many."""
    with store.transaction() as session:
        people = _due(_moderators(session, with_news=True), now)
    written = 0
    for to in people:
        with store.transaction() as session:
            written += _write(session, to, now)
    return written


def _moderators(session: Session, to: str = "", *, with_news: bool = False) -> list[StaffRow]:
    """The rows of one moderator, locked, or of all; or of those who have news in any of their games."""
    query = select(StaffRow).where(StaffRow.role == "moderator", StaffRow.address != "")
    if with_news:
        has_news = cast(StaffRow.told, Text).contains('"news"')
        query = query.where(col(StaffRow.address).in_(select(StaffRow.address).where(has_news)))
    if to:
        query = query.where(StaffRow.address == to).with_for_update()
    query = query.order_by(col(StaffRow.game), col(StaffRow.key)).execution_options(populate_existing=True)
    return list(session.exec(query))


def _due(rows: Sequence[StaffRow], now: datetime) -> list[str]:
    """The people who have news, and have had no digest for a day; or urgent news, and none because of such
    for an hour."""
    people = {row.address: False for row in rows if row.told.get("news")}
    for row in rows:
        if _is_urgent(row):
            people[row.address] = True
    return [
        to
        for to, urgent in people.items()
        if _is_past(_last(rows, to), EVERY, now)
        or (urgent and _is_past(_last(rows, to, "urgent"), URGENT_EVERY, now))
    ]


def _is_urgent(row: StaffRow) -> bool:
    return any(each.get("urgent") for each in row.told.get("news", ()))


def _is_past(last: datetime | None, time: timedelta, now: datetime) -> bool:
    return last is None or now - last >= time


def _last(rows: Sequence[StaffRow], to: str, kind: str = "digest") -> datetime | None:
    """When a person was last written a digest, or one with urgent news."""
    told = (row.told.get(kind) for row in rows if row.address == to)
    return max((datetime.fromisoformat(moment) for moment in told if moment), default=None)


def _write(session: Session, to: str, now: datetime) -> int:
    """Write one person's digest, unless there is nothing to say or another process has written it."""
    names = sorted({row.game for row in _moderators(session) if row.address == to})
    games = {name: locked_game(session, name) for name in names}
    rows = _moderators(session, to)
    if not _due(rows, now):
        return 0
    since, several = _last(rows, to), len(names) > 1
    by_game = {row.game: row for row in reversed(rows)}
    digests = [_of_game(session, games[name], by_game[name], now, since, several) for name in names]
    told = [each for each in digests if each.counts.total()]
    sender = next((each.table for each in told if each.table is not None), None)
    if told and sender is None:  # no game of this moderator can be opened: the news is kept
        return 0
    warned = False
    if sender is not None:
        counts = sum((each.counts for each in told), Counter[str]())
        said = ", ".join(count(counts[each], each) for each in COUNTED if counts[each])
        subject = f"[{', '.join(names)}] Digest: {said}"
        lead = (LEAD, LEAD_OF_SEVERAL) if several else (LEAD,)
        parts = tuple(part for each in digests for part in each.parts)
        warned = not any(row.told.get("unchecked") for row in rows) and _unchecked(session)
        parts += (UNCHECKED,) * warned
        writing = Writing("digest", subject, lead, parts, about=" ".join(names))
        _send(sender, by_game[sender.row.id], writing)
    for row in rows:
        kept = {name: value for name, value in row.told.items() if name != "news"}
        kinds = ["digest", *(["urgent"] if _is_urgent(row) else [])] if told else []
        row.told = kept | dict.fromkeys(kinds, now.astimezone(UTC).isoformat())
        row.told |= {"unchecked": True} if warned else {}
        session.add(row)
    return bool(told)


def _unchecked(session: Session) -> bool:
    """Whether no mail server has checked the senders of the last letters that acted, in whatever game."""
    acted = select(LetterRow.checked).where(
        col(LetterRow.outcome).in_(("accepted", "explained")), col(LetterRow.game).is_not(None)
    )
    last = session.exec(acted.order_by(col(LetterRow.id).desc()).limit(CHECKED_OF)).all()
    return len(last) == CHECKED_OF and not any(last)


@dataclass(frozen=True, slots=True)
class _Game:
    """What a digest says of one game, and how many things of each kind that is. `table` is None if the game
    cannot be opened."""

    counts: Counter[str]
    parts: list[Part]
    table: Table | None


def _of_game(
    session: Session, game: GameRow, row: StaffRow, now: datetime, since: datetime | None, several: bool
) -> _Game:
    """Return what there is to say of a game. One that cannot be opened keeps nobody's digest back."""
    prefix, news = f"{row.game}: " if several else "", row.told.get("news", ())
    counts = Counter({"news item": sum(bool(each["says"]) for each in news)})
    parts: list[Part] = []
    table: Table | None = None
    try:
        opened = Table(session, game, now)
        zone = zone_of(opened)
        table = opened
        counts["held letter"] = len(held_letters(table))
        parts = [held_part(table, prefix), news_part(news, zone)]
        if game.status != "stopped":
            parts.insert(0, dispute_part(table, prefix, since))
            counts["open dispute"] = len(open_disputes(table))
        parts.append(waiting_part(table))
    except Exception as error:
        if is_temporary(error):
            raise
        why = f"pbem cannot read it: {type(error).__name__}: {error}"
        parts = [*(parts or [news_part(news, "UTC")]), Part("Where the game is", (why,))]
    shown = [replace(part, title=f"{prefix}{part.title}") for part in parts if part.lines]
    return _Game(+counts, shown, table)


def _send(table: Table, row: StaffRow, writing: Writing) -> None:
    """Put a digest into the outbox; one that cannot be written is kept among the refused letters."""
    try:
        with table.record.session.begin_nested():
            send_plain(table, row, writing)
    except ValueError as error:
        key = Key(table.row.id, "", row.key, "digest", table.now.toordinal())
        text = "\n".join(line for part in writing.parts for line in part.lines)
        table.record.keep(
            OutboxRow(
                game=table.row.id, key=key.slug, recipient=row.address, seat=row.key, kind="digest",
                subject=writing.subject, raw=text.encode("utf-8", "replace"), created=table.now,
                error=f"{REFUSED}{error}",
            )
        )  # fmt: skip
