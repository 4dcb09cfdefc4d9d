"""Use case: the clock of the host. No deadline is called before all mail that came in time has been read,
over a time in which nobody could read any, or by a clock that has jumped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session, col, select

from pbem.engine.wording import count
from pbem.service.letters.log import common_zone, local_time
from pbem.service.moderating.timing import extend
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_every_moderator
from pbem.service.record.rows import GameRow, HostRow, WorkerRow
from pbem.service.record.store import Store, find_game
from pbem.service.record.table import Table

BEAT = timedelta(seconds=20)
"""How often a worker says that it is there."""

DEAD = timedelta(minutes=2)
"""A worker that has said nothing for so long is taken for dead."""

OUTAGE = timedelta(minutes=10)
"""Nobody was there for so long: deadlines within that time are put off."""

JUMP = timedelta(days=1)
"""The clock is that far from where it was last: a person has to say that it is right."""

LEAST_EXTENSION = timedelta(hours=1)
"""After an outage mail servers may take so long to try again."""

CONFIRM = "pbem deadline clock --confirm"


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that serves: its name, where it runs, and its version of pbem."""

    name: str
    host: str
    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class Source:
    """A way in: everything that came by it before `empty` has been read. None: that is not known yet. A
    mailbox `keeps` mail while nobody reads it; a server that hands mail over keeps it itself."""

    empty: datetime | None
    keeps: bool


@dataclass(frozen=True, slots=True)
class HostClock:
    """What a worker learns when it says that it is there.

    read      all mail that came before this moment has been read; None if that is not known
    held      the moment before the clock jumped, until a person confirms the time
    down      from when to when nobody was there, while deadlines have to be put off because of it
    """

    read: datetime | None
    held: datetime | None
    down: tuple[datetime, datetime] | None


def arrive(store: Store, me: Worker, now: datetime, is_there: Callable[[int], bool]) -> None:
    """A worker begins. Raise StoreError if one of this name is at work; `is_there` says whether a process of
    this machine is still there."""
    with store.transaction() as session:
        row = session.get(WorkerRow, me.name, with_for_update=True)
        if row is not None and not row.ended and now - row.seen < DEAD:
            elsewhere = row.host != me.host
            if elsewhere or (row.pid != me.pid and is_there(row.pid)):
                where = f"on {row.host}" if elsewhere else f"as process {row.pid}"
                raise StoreError(
                    f"a worker called {me.name} is at work {where}: give this one another name "
                    "(worker in pbem.toml), or wait two minutes if that one is gone"
                )
        row = row or WorkerRow(name=me.name, host="", pid=0, version="", began=now, seen=now)
        row.host, row.pid, row.version = me.host, me.pid, me.version
        row.began = row.seen = now
        row.ended, row.sources = False, {}
        session.add(row)


def beat(store: Store, me: Worker, sources: Mapping[str, Source], now: datetime) -> HostClock:
    """A worker is there: write down until when its ways in are read, and what the clock of the host shows."""
    with store.transaction() as session:
        host = session.get(HostRow, 1, with_for_update=True)
        if host is None:
            host = HostRow(seen=now)
        _look_at_the_clock(session, host, now)
        session.add(host)
        row = session.get(WorkerRow, me.name, with_for_update=True)
        if row is not None:
            row.seen, row.ended = now, False
            row.sources = {
                name: {"empty": _written(each.empty), "keeps": each.keeps} for name, each in sources.items()
            }
            session.add(row)
            session.flush()
        down = (host.down_from, host.down_until) if host.down_from and host.down_until else None
        return HostClock(_read_until(session, now), host.held, down)


def leave(store: Store, name: str, now: datetime) -> None:
    """A worker has stopped by itself."""
    with store.transaction() as session:
        row = session.get(WorkerRow, name, with_for_update=True)
        if row is not None:
            row.seen, row.ended, row.sources = now, True, {}
            session.add(row)


def _written(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat() if moment else ""


def _look_at_the_clock(session: Session, host: HostRow, now: datetime) -> None:
    gap = now - host.seen
    if host.held is not None:
        if abs(now - host.held) < JUMP:  # it is right again
            host.held = None
    elif abs(gap) > JUMP:
        host.held = host.seen
        says = f"The clock of the host shows {now:%Y-%m-%d %H:%M} UTC, and no deadline is called"
        why, then = "it was wrong then, or is now", ""
        if gap > JUMP:
            why = "the service was off, or the clock is wrong"
            then = " Then deadlines that passed meanwhile are put off."
        lines = [
            f"It last showed {host.seen:%Y-%m-%d %H:%M} UTC: {why}.",
            f"If it is right: {CONFIRM}.{then}",
        ]
        tell_every_moderator(session, says, lines, now, urgent=True)
    elif gap > OUTAGE and host.down_from is None:
        host.down_from, host.down_until = host.seen, now
    host.seen = now


def _read_until(session: Session, now: datetime) -> datetime | None:
    """Until when all mail has been read, by whichever worker looks at a way in."""
    known: dict[str, datetime | None] = {}
    for row in session.exec(select(WorkerRow)):
        is_dead = row.ended or now - row.seen > DEAD
        for name, source in row.sources.items():
            if is_dead and not source["keeps"]:
                continue
            empty = datetime.fromisoformat(source["empty"]) if source["empty"] else None
            before = known.get(name)
            known[name] = empty if before is None else max(before, empty or before)
    if None in known.values():
        return None
    return min([now, *(moment for moment in known.values() if moment)])


def confirm_clock(store: Store, now: datetime) -> tuple[str, ...]:
    """The clock of the host is right: deadlines are called again, and those that passed meanwhile put off.
    Return what was done, in words."""
    with store.transaction() as session:
        host = session.get(HostRow, 1, with_for_update=True)
        if host is None or host.held is None:
            return ("The clock has not jumped: deadlines are called as they pass.",)
        if forward := host.held < now:
            host.down_from, host.down_until = host.held, now
        host.held, host.seen = None, now
        session.add(host)
    put_off = " Deadlines that passed meanwhile are put off." if forward else ""
    return (f"Confirmed: it is {now:%Y-%m-%d %H:%M} UTC.{put_off}",)


def clock_line(store: Store) -> str:
    """Return in words what is known of the clock of the host."""
    with store.transaction() as session:
        host = session.get(HostRow, 1)
    if host is None:
        return "No service has run here yet."
    if host.held is None:
        return f"The service last looked at the clock at {host.seen:%Y-%m-%d %H:%M} UTC."
    return (
        f"The clock jumped from {host.held:%Y-%m-%d %H:%M} UTC, and no deadline is called. If it is right "
        f"now: {CONFIRM}"
    )


# --- after an outage ----------------------------------------------------------------------------------------


def extension(down: tuple[datetime, datetime], most: timedelta) -> timedelta:
    """By how much an outage puts deadlines off: its length, at least an hour, at most what the host
    allows."""
    return min(max(down[1] - down[0], LEAST_EXTENSION), most)


def games_to_put_off(store: Store, down: tuple[datetime, datetime], most: timedelta) -> list[str]:
    """Return the ids of the running games whose deadline may have to be put off; the rows of all others say
    that nothing is due in them so early."""
    quiet = col(GameRow.quiet_until)
    early = quiet.is_(None) | (quiet < down[1] + extension(down, most))
    with store.transaction() as session:
        query = select(GameRow.id).where(GameRow.status == "running", early).order_by(col(GameRow.id))
        return list(session.exec(query))


def put_off(
    store: Store, game_id: str, down: tuple[datetime, datetime], most: timedelta, now: datetime
) -> datetime | None:
    """Put the deadline of a game off and tell its players, if nobody could be heard before it. Return the new
    deadline; None if it stays. To do so twice does no harm."""
    by = extension(down, most)
    with store.transaction() as session:
        row = find_game(session, game_id)
        if row is None or row.status != "running" or not by:
            return None
        table = Table(session, row, now)
        due = table.deadline(table.here())
        if due is None or not down[0] <= due < down[1] + by:
            return None
        begins, ends = (local_time(moment, common_zone(table)) for moment in down)
        why = f"nobody was there to read mail from {begins} to {ends}"
        extend(table, by / timedelta(hours=1), by="host", why=why)
        return table.deadline(table.here())


def put_off_all(store: Store, down: tuple[datetime, datetime]) -> None:
    """All games have been looked at because of an outage."""
    with store.transaction() as session:
        host = session.get(HostRow, 1, with_for_update=True)
        if host is not None and (host.down_from, host.down_until) == down:
            host.down_from = host.down_until = None
            session.add(host)


# --- looking ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AtWork:
    """A worker as its host sees it."""

    name: str
    host: str
    version: str
    began: datetime
    seen: datetime
    state: str
    sources: dict[str, Any]


def workers(store: Store, now: datetime) -> list[AtWork]:
    """Return the workers that are known: at work, stopped, or gone without a word."""
    with store.transaction() as session:
        rows = session.exec(select(WorkerRow).order_by(col(WorkerRow.name))).all()
    return [
        AtWork(row.name, row.host, row.version, row.began, row.seen, _state(row, now), row.sources)
        for row in rows
    ]


def at_work(store: Store, now: datetime) -> list[str]:
    """Return the names of the workers that are at work on a store of whatever version."""
    if not inspect(store.engine).has_table("worker"):
        return []
    with store.transaction() as session:
        rows = session.exec(select(WorkerRow.name, WorkerRow.seen).where(col(WorkerRow.ended).is_(False)))
        return sorted(name for name, seen in rows if now - seen <= DEAD)


def _state(row: WorkerRow, now: datetime) -> str:
    if row.ended:
        return "stopped"
    gone = now - row.seen
    return f"gone for {count(gone // timedelta(minutes=1), 'minute')}" if gone > DEAD else "at work"
