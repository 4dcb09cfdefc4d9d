"""What a child process of the service does: everything that touches the store.

A letter that hangs, takes all memory or brings the interpreter down ends its child, not the service; the mail
server still has it. Each function is one visit to the store and returns plain values.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from multiprocessing.connection import wait
from typing import Any, Literal

from sqlmodel import col, func, select

from pbem.service.intake import aside, outbox
from pbem.service.intake.limits import TooMany
from pbem.service.intake.receive import receive
from pbem.service.intake.reception import Reception
from pbem.service.moderating.digest import write_digests
from pbem.service.record.errors import StoreError, WrongVersion
from pbem.service.record.rows import REFUSED, GameRow, OutboxRow
from pbem.service.record.store import SCHEMA, Store, is_temporary
from pbem.service.time import deadline, host, thinking

_target = ""
_store: Store | None = None


def begin(target: str, megabytes: int) -> None:
    """Begin a child: name the store, which the first visit opens, and bound the memory."""
    global _target
    _target = target
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends its children
    threading.Thread(target=_end_with_the_service, daemon=True).start()
    if megabytes:
        try:
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))
        except (ImportError, ValueError, OSError):  # no such limits here, or a smaller one is set already
            pass


def _end_with_the_service() -> None:
    """A service that was killed leaves no process behind: its mail server still has the letter in hand."""
    service = multiprocessing.parent_process()
    if service is not None:
        wait([service.sentinel])
        os._exit(0)


def store() -> Store:
    """The store of this child. Raise WrongVersion if it is of another version than this pbem, StoreError if
    it is out of reach."""
    global _store
    if _store is None:
        _store = Store.open(_target)
    return _store


# --- letters in ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an email.

    done     it has its outcome, which is committed
    later    nothing is stored: it may be handed over again
    refused  nothing is stored, and it will not be taken: a stranger writes too much
    failed   pbem fails on it; `why` names the error and has the traceback below
    aside    it is set aside with its bytes
    """

    result: Literal["done", "later", "refused", "failed", "aside"]
    why: str = ""
    outcome: str = ""
    game: str = ""
    seat: str = ""
    ms: int = 0

    def lasting(self, ms: int) -> Taken:
        return replace(self, ms=ms)


def take(raw: bytes, now: datetime, how: Reception) -> Taken:
    """Receive an email; does not raise. End the child where memory is out."""
    try:
        got = receive(store(), raw, now, how)
    except TooMany as error:
        return Taken("later" if error.may_come_later else "refused", str(error), "over the limit")
    except MemoryError:  # letters before it may have taken it: the next try has a child of its own
        os._exit(os.EX_OSERR)
    except Exception as error:
        if is_temporary(error) or isinstance(error, StoreError):
            return Taken("later", _in_words(error))
        whole = "".join(traceback.format_exception(error))
        return Taken("failed", f"{type(error).__name__}: {_in_words(error)}\n{whole}")
    return Taken("done", got.why, got.outcome, got.game or "", got.seat or "")


def set_aside(raw: bytes, source: str, error: str, tries: int, now: datetime) -> int:
    """Set an email aside; see `aside.set_aside`."""
    return aside.set_aside(store(), raw, source, error, tries, now)


def tell_of_large(head: bytes, size: int, most: int, folder: str, now: datetime) -> str:
    """Tell the moderators of an email that is too large; see `aside.tell_of_large`."""
    return aside.tell_of_large(store(), head, size, most, folder, now)


# --- letters out --------------------------------------------------------------------------------------------


def visit(
    now: datetime, outcome: outbox.Outcome | None, which: outbox.Which | None, tries: outbox.Tries
) -> outbox.Claimed | None:
    """Mark a letter and claim the next that goes by mail; see `outbox.visit`."""
    while True:
        _, claimed = outbox.visit(store(), now, outcome, which, tries)
        if claimed is None or not claimed.is_local:
            return claimed
        outcome = outbox.Outcome(claimed, now, "kept", outbox.PLAYED_HERE)


def digests(now: datetime) -> int:
    """Write the digests that are due, unless letters are in hand; return how many."""
    return 0 if outbox.in_hand(store(), now) else write_digests(store(), now)


# --- the clock ----------------------------------------------------------------------------------------------


def arrive(me: host.Worker, now: datetime) -> None:
    """Say that a worker begins; see `host.arrive`."""
    host.arrive(store(), me, now, is_there)


def is_there(process: int) -> bool:
    """Whether a process of this machine runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def beat(me: host.Worker, sources: Mapping[str, host.Source], now: datetime) -> host.HostClock:
    """Say that a worker is there; see `host.beat`. Raise WrongVersion if the store is no longer of this
    version."""
    version = store().version()
    if version != SCHEMA:
        raise WrongVersion(f"the store has version {version} now, this pbem works with version {SCHEMA}")
    return host.beat(store(), me, sources, now)


def leave(name: str, now: datetime) -> None:
    """Say that a worker stops."""
    host.leave(store(), name, now)


def to_look_at(now: datetime) -> list[str]:
    """The games that may have something to do about a deadline; see `deadline.to_look_at`."""
    return deadline.to_look_at(store(), now)


def call(game: str, now: datetime) -> str:
    """Act on the deadline of a game. Return what was done or went wrong, in words; "" for nothing."""
    try:
        steps = deadline.act(store(), game, now)
    except Exception as error:
        if is_temporary(error):
            raise
        trouble = _in_words(error)
        return f"trouble: {trouble}" if deadline.is_new_trouble(store(), game, trouble, now) else ""
    return f"{len(steps)} steps played" if steps else ""


def games_to_put_off(down: tuple[datetime, datetime], hours: float) -> list[str]:
    """The games that an outage may concern; see `host.games_to_put_off`."""
    return host.games_to_put_off(store(), down, timedelta(hours=hours))


def put_off(game: str, down: tuple[datetime, datetime], hours: float, now: datetime) -> str:
    """Put the deadline of a game off because of an outage; see `host.put_off`. Return what was done or went
    wrong, in words; "" for nothing. A game that cannot be opened keeps no other back."""
    try:
        due = host.put_off(store(), game, down, timedelta(hours=hours), now)
    except Exception as error:
        if is_temporary(error):
            raise
        return f"trouble: {_in_words(error)}"
    return f"put off to {due.isoformat()}" if due else ""


def put_off_all(down: tuple[datetime, datetime]) -> None:
    """All games have been looked at because of an outage."""
    host.put_off_all(store(), down)


# --- planners -----------------------------------------------------------------------------------------------


def games_that_think() -> list[str]:
    """The games that may wait for a thought; see `thinking.games_that_think`."""
    return thinking.games_that_think(store())


def to_think(game: str, now: datetime) -> list[thinking.ToThink]:
    """What is to be thought in a game; see `thinking.waiting`."""
    return thinking.waiting(store(), game, now)


def think(wait: thinking.ToThink) -> thinking.Idea:
    """Think; the store is opened for the players' own maps and charts beside it, and not held."""
    store()
    return thinking.think(wait)


def hand_in(wait: thinking.ToThink, idea: thinking.Idea, now: datetime) -> bool:
    """Write down a thought and play on; see `thinking.hand_in`."""
    return thinking.hand_in(store(), wait, idea, now)


# --- health -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Health:
    """What there is to see in the store: numbers, and the age of the oldest unsent letter in seconds."""

    games: Mapping[str, int]
    unsent: int
    refused: int
    oldest_unsent: float
    due: int
    aside: int
    workers: int


def health(now: datetime) -> Health:
    """Look at the store for /readyz and /metrics."""
    open_store = store()
    unsent, refused = col(OutboxRow.sent).is_(None), col(OutboxRow.error).startswith(REFUSED)
    with open_store.transaction() as session:
        by_status = select(GameRow.status, func.count()).group_by(GameRow.status)
        games: dict[str, Any] = dict(session.exec(by_status).all())
        waiting = select(func.count(), func.min(OutboxRow.created)).where(unsent, ~refused)
        number, oldest = session.exec(waiting).one()
        given_up = session.exec(select(func.count()).select_from(OutboxRow).where(unsent, refused)).one()
        quiet = col(GameRow.quiet_until)
        due = select(func.count()).select_from(GameRow).where(GameRow.status == "running", quiet <= now)
        dues = session.exec(due).one()
        set_aside = aside.count_aside(session)
    at_work = len(host.at_work(open_store, now))
    age = (now - oldest).total_seconds() if oldest else 0.0
    return Health(games, number, given_up, max(age, 0.0), dues, set_aside, at_work)


def _in_words(error: Exception) -> str:
    said = str(getattr(error, "orig", error)).strip()
    return said.splitlines()[0] if said else type(error).__name__
