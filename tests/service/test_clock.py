"""The clock: deadlines by the calendar, over changes of the clocks, and never earlier than a letter said."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.service.letters.log import local_time
from pbem.service.record.clock import Calendar

ZONES = ("Europe/Paris", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC")
MONDAY_TO_FRIDAY = frozenset(range(5))

# start (local), hours, days that count, hour of the day -> deadline (local); 28 March 2027 is a Sunday on
# which Paris puts its clocks on, 31 October 2027 one on which it puts them back.
DEADLINES = [
    ("2027-03-26 21:00", 72, range(7), None, "2027-03-29 21:00"),
    ("2027-03-26 21:00", 72, range(7), 21, "2027-03-29 21:00"),
    ("2027-03-26 21:01", 72, range(7), 21, "2027-03-30 21:00"),
    ("2027-10-29 21:00", 72, range(7), 21, "2027-11-01 21:00"),
    ("2027-03-27 02:30", 24, range(7), None, "2027-03-28 03:30"),  # there is no 02:30 on that day
    ("2027-03-28 00:30", 6, range(7), None, "2027-03-28 07:30"),
    ("2027-05-07 18:00", 48, range(5), None, "2027-05-11 18:00"),  # from Friday to Tuesday
    ("2027-05-08 18:00", 24, range(5), None, "2027-05-11 00:00"),  # Saturday does not count at all
    ("2027-05-07 18:00", 12, range(5), None, "2027-05-10 06:00"),
    ("2027-05-06 22:00", 24, range(5), 21, "2027-05-10 21:00"),  # rounded up past a weekend
]


@pytest.mark.parametrize(("start", "hours", "days", "at", "due"), DEADLINES)
def test_deadlines_go_by_the_calendar(start: str, hours: int, days: range, at: int | None, due: str) -> None:
    paris = ZoneInfo("Europe/Paris")
    calendar = Calendar(paris, frozenset(days), at)
    begun = datetime.fromisoformat(start).replace(tzinfo=paris).astimezone(UTC)
    found = calendar.after(begun, hours).astimezone(paris)
    assert f"{found:%Y-%m-%d %H:%M}" == due


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("days", [frozenset(range(7)), MONDAY_TO_FRIDAY])
@pytest.mark.parametrize("at", [None, 2, 21])
def test_ten_years_of_deadlines(zone: str, days: frozenset[int], at: int | None) -> None:
    """Over ten years: a later start never ends earlier, no deadline comes sooner than the time to answer in
    (but for the hour by which a day is shorter), and each is at its hour, on a day that counts."""
    calendar, chance = Calendar(ZoneInfo(zone), days, at), random.Random(f"{zone}{at}")
    moment, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2036, 1, 1, tzinfo=UTC)
    last = moment
    checked = 0
    while moment < end:
        moment += timedelta(minutes=chance.randint(1, 2880))
        due = calendar.after(moment, 72)
        assert due >= last and due - moment >= timedelta(hours=71)
        local = due.astimezone(calendar.zone)
        assert local.weekday() in days
        assert at is None or local.hour == at or (at, local.hour) == (2, 3)
        last, checked = due, checked + 1
    assert checked > 3000


TWICE = [
    ("2027-10-31T00:30", "Europe/Berlin", "Sun 31 Oct 02:30 (+02:00) Europe/Berlin"),
    ("2027-10-31T01:30", "Europe/Berlin", "Sun 31 Oct 02:30 (+01:00) Europe/Berlin"),
    ("2027-10-31T02:30", "Europe/Berlin", "Sun 31 Oct 03:30 Europe/Berlin"),
    ("2027-04-03T14:45", "Australia/Lord_Howe", "Sun 4 Apr 01:45 (+11:00) Australia/Lord_Howe"),
    ("2027-04-03T15:15", "Australia/Lord_Howe", "Sun 4 Apr 01:45 (+10:30) Australia/Lord_Howe"),
]


@pytest.mark.parametrize(("moment", "zone", "says"), TWICE)
def test_an_hour_that_comes_twice_is_told_apart(moment: str, zone: str, says: str) -> None:
    """When clocks are put back, a letter says which of the two hours it means."""
    assert local_time(datetime.fromisoformat(moment).replace(tzinfo=UTC), zone) == says
