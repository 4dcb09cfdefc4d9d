"""A total clock for each player: when it runs, what it costs, and what letters say of it."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from conftest import HOUR, NOW
from postbox import Postbox, sent
from protocol_kit import flat

from pbem.service.moderating import people, timing
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.proof.verify import verify_game
from pbem.service.record.clock import Calendar
from pbem.service.record.rows import GameRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table
from pbem.service.time import deadline
from pbem.service.tools import queries

HOW = {"by": "host", "why": ""}
DAY = 24 * HOUR


@pytest.fixture
def box(toy: Store) -> Postbox:
    """Ten days for each player in the whole game, and at least two for each letter; red is asked."""
    terms(toy, bank_hours=240.0, minimum_hours=48.0)
    sent(toy, NOW)
    return Postbox(toy, "toy", "pbem@host.example", NOW)


def terms(store: Store, now: datetime = NOW, **values: object) -> None:
    carry_out(store, "toy", now, lambda t: timing.set_terms(t, values, **HOW))


def left(store: Store, seat: str, now: datetime) -> float:
    with store.transaction() as session:
        return Table(session, session.get_one(GameRow, "toy"), now).clock.bank.left(seat)


def due(store: Store) -> datetime:
    return datetime.fromisoformat(queries.status(store, "toy").deadline)


def mail(box: Postbox, after: timedelta, seat: str, text: str) -> str:
    """A letter so much later; what pbem writes goes out at once. Return the answer."""
    box.now += after
    last = box.last()
    box.mail(seat, text)
    answer = flat(box.texts(box.address(seat), last)[-1])
    sent(box.store, box.now)
    return answer


def test_time_runs_while_the_game_waits(box: Postbox) -> None:
    """A draft costs nothing but the time that passes; when red has answered, blue's time runs."""
    assert due(box.store) == NOW + 10 * DAY
    text = mail(box, DAY + HOUR, "red", "move R1 to 0201\n")
    assert "Tue 16 Jun" in text
    assert due(box.store) == NOW + 10 * DAY
    assert "Time left: 8 d 21 h of 10 d." in mail(box, timedelta(), "red", "status\n")
    mail(box, timedelta(), "red", "done\n")
    assert left(box.store, "red", box.now + 5 * DAY) == 212
    assert left(box.store, "blue", box.now + 5 * DAY) == 120
    assert due(box.store) == box.now + 10 * DAY
    assert verify_game(box.store, "toy").wrong == []


def test_a_letter_that_is_sent_late_costs_nothing(box: Postbox) -> None:
    box.now += HOUR
    box.mail("red", "no orders\ndone\n")
    assert left(box.store, "blue", box.now + DAY) == 240
    sent(box.store, box.now + DAY)
    assert left(box.store, "blue", box.now + 2 * DAY) == 216
    assert due(box.store) == box.now + 11 * DAY


def test_days_that_do_not_count_and_absences_cost_nothing(box: Postbox) -> None:
    """NOW is a Saturday, at 18:00: until Monday nothing runs, nor while red is away."""
    terms(box.store, days="mon tue wed thu fri")
    assert left(box.store, "red", NOW + 3 * DAY) == 240 - 24 - 18
    carry_out(box.store, "toy", NOW, lambda t: timing.away(t, "red", "2026-06-08", "2026-06-09", **HOW))
    assert left(box.store, "red", NOW + 3 * DAY) == 240
    assert left(box.store, "red", NOW + 5 * DAY) == 240 - 24 - 18


def test_a_clock_that_is_stopped_costs_nothing(box: Postbox) -> None:
    carry_out(box.store, "toy", NOW + DAY, lambda t: timing.pause(t, **HOW))
    assert left(box.store, "red", NOW + 6 * DAY) == 216
    carry_out(box.store, "toy", NOW + 6 * DAY, lambda t: timing.go_on(t, **HOW))
    assert left(box.store, "red", NOW + 7 * DAY) == 192
    assert due(box.store) == NOW + 15 * DAY


def test_orders_given_while_the_clock_stands_start_nobodys_time(box: Postbox) -> None:
    carry_out(box.store, "toy", NOW + DAY, lambda t: timing.pause(t, **HOW))
    mail(box, 2 * DAY, "red", "no orders\ndone\n")
    assert left(box.store, "blue", NOW + 5 * DAY) == 240
    carry_out(box.store, "toy", NOW + 6 * DAY, lambda t: timing.go_on(t, **HOW))
    assert left(box.store, "blue", NOW + 7 * DAY) == 216


def test_restart_gives_the_time_of_this_letter_back(box: Postbox) -> None:
    carry_out(box.store, "toy", NOW + 3 * DAY, lambda t: timing.restart(t, **HOW))
    assert left(box.store, "red", NOW + 4 * DAY) == 216


def test_who_has_no_time_left_has_the_least_for_each_letter(box: Postbox) -> None:
    """At the deadline the terms for a missed one apply; from then on each letter has two days."""
    assert deadline.act(box.store, "toy", NOW + 9 * DAY) == []
    assert deadline.act(box.store, "toy", NOW + 10 * DAY)
    assert left(box.store, "red", NOW + 10 * DAY) == 0
    box.now = NOW + 10 * DAY
    sent(box.store, box.now)
    carry_out(box.store, "toy", box.now, lambda t: people.take_over(t, "blue", "greedy", **HOW))
    deadline.play(box.store, "toy", box.now)
    sent(box.store, box.now)
    assert "Red (Rita)" in queries.status(box.store, "toy").waited_for[0]
    assert due(box.store) == box.now + 2 * DAY
    assert "Time left: none of 10 d." in mail(box, timedelta(), "red", "status\n")


def test_time_that_a_ruling_takes_back_stays_spent(box: Postbox) -> None:
    mail(box, DAY, "red", "no orders\ndone\n")
    rule(box.store, "toy", "back", "turn 1", by="host", why="misread", now=box.now + DAY)
    sent(box.store, box.now + DAY)
    assert left(box.store, "red", box.now + 2 * DAY) == 240 - 25 - 24
    assert left(box.store, "blue", box.now + 2 * DAY) == 240 - 24


def test_a_new_player_takes_over_what_is_left(box: Postbox) -> None:
    dora = "Dora <dora@x.example>"
    carry_out(box.store, "toy", NOW + DAY, lambda t: people.replace(t, "red", dora, **HOW))
    sent(box.store, NOW + DAY)
    assert left(box.store, "red", NOW + 2 * DAY) == 192


def test_the_first_letter_and_the_moderator_read_of_it(box: Postbox) -> None:
    last = box.last()
    carry_out(box.store, "toy", NOW, lambda t: people.replace(t, "blue", "Dora <dora@x.example>", **HOW))
    assert "10 days in all for each player, at least 2 days for each letter" in flat(
        box.texts("dora@x.example", last)[-1]
    )
    assert "no game left; Time left: 10 d of 10 d" in mail(box, timedelta(), "moderator", "PEOPLE\n")
    told = mail(box, timedelta(), "moderator", "TERMS bank 20d\n")
    assert "bank: 20d" in told and left(box.store, "red", NOW) == 480


def test_a_run_is_put_off_until_something_can_be_due(box: Postbox) -> None:
    """From the row alone no more is known than the least time; the clock knows the rest."""
    with box.store.transaction() as session:
        session.get_one(GameRow, "toy").quiet_until = None
    assert deadline.to_look_at(box.store, NOW + DAY) == ["toy"]
    deadline.act(box.store, "toy", NOW + DAY)
    with box.store.transaction() as session:
        assert session.get_one(GameRow, "toy").quiet_until == NOW + 9 * DAY


@pytest.mark.parametrize("zone", ["Europe/Paris", "UTC"])
@pytest.mark.parametrize("days", [frozenset(range(7)), frozenset(range(5))])
def test_what_has_run_at_a_deadline_is_what_was_left(zone: str, days: frozenset[int]) -> None:
    """`between` is the other way round of `after`, but for the hour of a change of the clocks."""
    calendar, chance = Calendar(ZoneInfo(zone), days), random.Random(zone)
    for _ in range(500):
        start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randint(0, 500_000))
        hours = chance.randint(1, 400)
        assert abs(calendar.between(start, calendar.after(start, hours)) - hours) <= 1, (start, hours)
