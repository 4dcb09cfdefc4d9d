"""The clock of the host: no deadline before all mail is read, none across an outage, none by a clock that has
jumped."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sqlmodel import select

from pbem.service.record.errors import StoreError
from pbem.service.record.rows import OutboxRow, StaffRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time.deadline import act, to_look_at
from pbem.service.time.host import (
    DEAD,
    Source,
    Worker,
    arrive,
    beat,
    clock_line,
    confirm_clock,
    extension,
    games_to_put_off,
    leave,
    put_off,
    put_off_all,
    workers,
)

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
ONE, TWO = Worker("one", "here", 11, "0.1.0"), Worker("two", "there", 12, "0.1.0")
LMTP, BOX = "lmtp:127.0.0.1:2424", "imap:club@mail.example/INBOX"


def nobody(process: int) -> bool:
    return False


@pytest.fixture
def toy(store: Store) -> Store:
    """A game whose first request was sent at NOW, so that its deadline is 72 hours later."""
    begin(store)
    with store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.sent = NOW
            session.add(row)
    arrive(store, ONE, NOW, nobody)
    return store


def due(store: Store) -> datetime:
    with store.transaction() as session:
        moment = Table(session, only_game(session, None), NOW).deadline()
    assert moment is not None
    return moment


# --- unread mail --------------------------------------------------------------------------------------------


def test_a_deadline_waits_for_unread_mail(toy: Store) -> None:
    """Until every way in has been read beyond it; then it is called by the time up to which all is read."""
    late = due(toy) + 5 * MINUTE
    read = beat(toy, ONE, {LMTP: Source(late, False), BOX: Source(due(toy) - MINUTE, True)}, late).read
    assert read == due(toy) - MINUTE and act(toy, "toy", read) == []
    read = beat(toy, ONE, {LMTP: Source(late, False), BOX: Source(late - MINUTE, True)}, late).read
    assert read == late - MINUTE and to_look_at(toy, read) == ["toy"]
    assert act(toy, "toy", read)


def test_a_way_in_that_was_never_read(toy: Store) -> None:
    """Nothing is called while a mailbox has not been reached since the service began."""
    assert beat(toy, ONE, {BOX: Source(None, True)}, NOW + HOUR).read is None


def test_any_worker_reads_a_mailbox_for_all(toy: Store) -> None:
    """Of one mailbox that two look at the later moment counts; a dead worker's mailbox still has to be read
    by somebody, its listener not; one that has stopped looks at nothing."""
    arrive(toy, TWO, NOW, nobody)
    beat(toy, TWO, {BOX: Source(NOW, True), LMTP: Source(NOW, False)}, NOW)
    now = NOW + MINUTE
    assert beat(toy, ONE, {BOX: Source(now, True)}, now).read == NOW  # the listener of two
    now = NOW + DEAD + MINUTE
    assert beat(toy, ONE, {BOX: Source(now, True)}, now).read == now
    assert beat(toy, ONE, {}, now).read == NOW  # nobody has read the mailbox since
    leave(toy, "two", now)
    assert beat(toy, ONE, {}, now).read == now


# --- outages ------------------------------------------------------------------------------------------------


def test_an_outage_puts_deadlines_off(toy: Store) -> None:
    """A deadline within the time in which nobody was there moves, its players are told why, and to do so
    again does no harm."""
    before = due(toy)
    beat(toy, ONE, {}, before - 2 * HOUR)
    back = before + HOUR
    down = beat(toy, ONE, {}, back).down
    assert down == (before - 2 * HOUR, back)
    assert games_to_put_off(toy, down, 12 * HOUR) == ["toy"]
    moved = put_off(toy, "toy", down, 12 * HOUR, back)
    assert moved == back + 3 * HOUR == due(toy)
    assert put_off(toy, "toy", down, 12 * HOUR, back + MINUTE) is None
    put_off_all(toy, down)
    assert beat(toy, ONE, {}, back + MINUTE).down is None
    told = Postbox(toy, "toy", "pbem@host.example").texts("rita@mail.example")[-1]
    assert "nobody was there to read mail from" in told and "UTC" in told


def test_a_deadline_outside_an_outage_stays(toy: Store) -> None:
    """One that is far away, and one that had passed before."""
    before = due(toy)
    assert put_off(toy, "toy", (NOW, NOW + 3 * HOUR), 12 * HOUR, NOW + 3 * HOUR) is None
    assert put_off(toy, "toy", (before + HOUR, before + 2 * HOUR), 12 * HOUR, before + 2 * HOUR) is None
    assert due(toy) == before
    assert act(toy, "toy", NOW + HOUR) == []  # its row says now until when it is quiet
    assert games_to_put_off(toy, (NOW, NOW + 3 * HOUR), 12 * HOUR) == []
    assert games_to_put_off(toy, (before - HOUR, before), 12 * HOUR) == ["toy"]


def test_a_short_pause_is_no_outage(toy: Store) -> None:
    """A restart takes a minute; an outage of another worker's while this one was there is none."""
    beat(toy, ONE, {}, NOW)
    assert beat(toy, ONE, {}, NOW + 9 * MINUTE).down is None
    assert beat(toy, TWO, {}, NOW + 18 * MINUTE).down is None
    assert beat(toy, ONE, {}, NOW + 27 * MINUTE).down is None


@pytest.mark.parametrize(("hours", "moves"), [(0.5, 1), (3, 3), (20, 12)])
def test_how_far_an_outage_moves_a_deadline(hours: float, moves: int) -> None:
    """By its length, at least an hour, at most what the host allows; not at all if he allows nothing."""
    down = (NOW, NOW + hours * HOUR)
    assert extension(down, 12 * HOUR) == moves * HOUR
    assert not extension(down, timedelta())


# --- the clock itself ---------------------------------------------------------------------------------------


def test_a_clock_that_jumps_calls_nothing(toy: Store) -> None:
    """400 days ahead: nothing is called, the moderator reads of it at once; when the clock is right again all
    goes on as if nothing had been."""
    before = due(toy)
    beat(toy, ONE, {}, NOW + HOUR)
    assert beat(toy, ONE, {}, NOW + 400 * DAY).held == NOW + HOUR
    assert beat(toy, ONE, {}, NOW + 400 * DAY + MINUTE).held == NOW + HOUR
    assert "pbem deadline clock --confirm" in clock_line(toy)
    with toy.transaction() as session:
        (news,) = [each for row in session.exec(select(StaffRow)) for each in row.told["news"]]
    assert news["urgent"] and "no deadline is called" in news["says"]
    seen = beat(toy, ONE, {}, NOW + 2 * HOUR)
    assert (seen.held, seen.down) == (None, None) and due(toy) == before


def test_a_clock_that_is_confirmed(toy: Store) -> None:
    """The machine was off for three days: a person says so, and what passed meanwhile is put off."""
    beat(toy, ONE, {}, NOW + HOUR)
    back = NOW + HOUR + 3 * DAY
    assert beat(toy, ONE, {}, back).held
    assert "Confirmed" in confirm_clock(toy, back + MINUTE)[0]
    seen = beat(toy, ONE, {}, back + 2 * MINUTE)
    assert (seen.held, seen.down) == (None, (NOW + HOUR, back + MINUTE))
    assert put_off(toy, "toy", seen.down, 12 * HOUR, back + 2 * MINUTE) == back + 2 * MINUTE + 12 * HOUR
    assert "has not jumped" in confirm_clock(toy, back + HOUR)[0]


def test_a_clock_that_is_set_back(toy: Store) -> None:
    """By more than a day: nothing is called until it is right again, or a person says that it is right now.
    Then nothing is put off, as no time has passed."""
    beat(toy, ONE, {}, NOW + 3 * DAY)
    assert beat(toy, ONE, {}, NOW).held == beat(toy, ONE, {}, NOW + MINUTE).held == NOW + 3 * DAY
    with toy.transaction() as session:
        (news,) = [each for row in session.exec(select(StaffRow)) for each in row.told["news"]]
    assert "it was wrong then, or is now." in news["lines"][0] and "put off" not in news["lines"][1]
    assert beat(toy, ONE, {}, NOW + 3 * DAY + MINUTE).held is None
    beat(toy, ONE, {}, NOW)
    assert confirm_clock(toy, NOW + MINUTE) == ("Confirmed: it is 2026-06-06 18:01 UTC.",)
    seen = beat(toy, ONE, {}, NOW + 2 * MINUTE)
    assert (seen.held, seen.down) == (None, None)


# --- workers ------------------------------------------------------------------------------------------------


def test_one_worker_of_a_name(toy: Store) -> None:
    """A second one of the name is refused while the first is there; not after it was killed or has
    stopped."""
    again = Worker("one", "here", 99, "0.1.0")
    with pytest.raises(
        StoreError, match="a worker called one is at work as process 11: give this one another"
    ):
        arrive(toy, again, NOW + MINUTE, lambda process: process == 11)
    with pytest.raises(StoreError, match="at work on here"):
        arrive(toy, Worker("one", "there", 11, "0.1.0"), NOW + MINUTE, nobody)
    arrive(toy, again, NOW + MINUTE, nobody)  # it was killed
    leave(toy, "one", NOW + 2 * MINUTE)
    arrive(toy, ONE, NOW + 2 * MINUTE, lambda process: True)


def test_what_is_known_of_workers(toy: Store) -> None:
    """At work, stopped, gone."""
    arrive(toy, TWO, NOW, nobody)
    beat(toy, TWO, {}, NOW + HOUR)
    assert [(each.name, each.state) for each in workers(toy, NOW + HOUR)] == [
        ("one", "gone for 60 minutes"), ("two", "at work"),
    ]  # fmt: skip
    leave(toy, "two", NOW + HOUR)
    assert workers(toy, NOW + HOUR)[1].state == "stopped"
