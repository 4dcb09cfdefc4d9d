"""The clock of a game: by when the seats that it waits for must have answered.

Deadlines are absolute times. Days are counted by the calendar of the game's zone, so that three days from
nine in the evening end at nine in the evening, whatever the clocks do in between. A deadline that a letter
has named for a request never comes earlier than it said; it moves later when the host extends it, when a
player is away, and when a letter that asks was sent late.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Protocol, Self
from zoneinfo import ZoneInfo

import msgspec

from pbem.engine.play import Chance
from pbem.fields import person
from pbem.mail.address import NOWHERE
from pbem.service.play.answers import questions
from pbem.service.play.lateness import let_pass
from pbem.service.play.news import News
from pbem.service.play.plain import Plain, check_moments, read_as
from pbem.service.play.questions import Questions
from pbem.service.play.sections import open_orders
from pbem.service.play.steps import Step
from pbem.service.record.bank import Bank, bank_hours, least_hours
from pbem.service.record.game_record import GameRecord
from pbem.service.record.post import Post
from pbem.service.record.rows import GameRow, SeatRow
from pbem.service.record.terms import WEEK, Missed

MAIL_TAKES = timedelta(hours=1)
"""A letter that has been sent this long after it was written does not put off a deadline."""

DAY = timedelta(days=1)

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Later than any deadline."""

LONG = 48
"""From this time to answer in, in hours, on players are reminded unless the host wants none."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which weekdays count (0: Monday), in which zone, and the hour to which deadlines are rounded up."""

    zone: ZoneInfo
    days: frozenset[int] = frozenset(range(7))
    at: int | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        counted = str(settings.get("days", WEEK)).split()
        days = frozenset(number for number, day in enumerate(WEEK.split()) if day in counted)
        return cls(ZoneInfo(settings.get("zone", "UTC")), days, settings.get("clock_at"))

    def after(self, start: datetime, hours: float) -> datetime:
        """Return the deadline `hours` after a moment, in UTC. Whole days are days of the calendar; of days
        that do not count, no hour does."""
        local = start.astimezone(self.zone)
        if local.weekday() not in self.days:
            local = self._on(self._counted(local.date()), time(0))
        whole, rest = divmod(hours, 24)
        for _ in range(int(whole)):
            local = self._on(self._counted(local.date() + DAY), local.time())
        return self.rounded(local.astimezone(UTC) + timedelta(hours=rest))

    def between(self, start: datetime, end: datetime, away: Iterable[Sequence[str]] = ()) -> float:
        """Return the hours between two moments that are on days that count and not in one of the absences,
        pairs of the first and the last date."""
        day, last = start.astimezone(self.zone).date(), end.astimezone(self.zone).date()
        absent = [(date.fromisoformat(first), date.fromisoformat(until)) for first, until in away]
        found = timedelta()
        while day <= last:
            if day.weekday() in self.days and not any(first <= day <= until for first, until in absent):
                begins = self._on(day, time(0)).astimezone(UTC)
                ends = self._on(day + DAY, time(0)).astimezone(UTC)
                found += max(timedelta(), min(end, ends) - max(start, begins))
            day += DAY
        return found.total_seconds() / 3600

    def rounded(self, moment: datetime) -> datetime:
        """Return a moment put off to the hour of the day at which deadlines are, on a day that counts."""
        local = moment.astimezone(self.zone)
        hour = local.time() if self.at is None else time(self.at)
        day = local.date()
        while day.weekday() not in self.days or self._on(day, hour).astimezone(UTC) < moment:
            day += DAY
        return self._on(day, hour).astimezone(UTC)

    def _counted(self, day: date) -> date:
        while day.weekday() not in self.days:
            day += DAY
        return day

    def _on(self, day: date, hour: time) -> datetime:
        return datetime.combine(day, hour, self.zone)


class Timed(Protocol):
    """What the clock needs of a game at a table (table.py)."""

    record: GameRecord
    post: Post
    row: GameRow
    seats: dict[str, SeatRow]

    @property
    def now(self) -> datetime: ...

    def here(self) -> Step: ...

    def waited_for(self, here: Step) -> dict[str, str]: ...

    def must_think(self, here: Step) -> Mapping[str, tuple[int, int]]: ...


def what_is_asked(table: Timed, step: Step, seat: str) -> str:
    """Return a key for the seat's current request, unique in the game; "" if there is none."""
    if orders := open_orders(step.waiting, seat):
        return f"{step.number} {orders.section}"
    asks = {ask.what for ask in questions(step.waiting, seat)}
    numbers = [each.title for each in Questions.load(table.seats[seat].questions).open if each.what in asks]
    return " ".join(numbers)


def _hours(settings: Mapping[str, Any]) -> float:
    return bank_hours(settings) or float(settings.get("clock_hours") or 0)


def _remind_hours(settings: Mapping[str, Any]) -> float:
    return float(settings.get("remind_hours", 24 if _hours(settings) >= LONG else 0))


def nothing_before(
    settings: Mapping[str, Any], clock: Mapping[str, Any], waiting_since: datetime | None
) -> datetime | None:
    """Return a moment before which there is nothing to do about the deadline of a game, from its row alone;
    None if the row does not tell. It holds only while no seat has missed a deadline.

    Letters sent late, promises and absences only put a deadline off.
    """
    if settings.get("dice") == "beacon" or "trouble" in clock or waiting_since is None:
        return None
    if "paused" in clock or not _hours(settings):
        return NEVER
    if bank_hours(settings):  # how much is left of it, the clock knows
        due = waiting_since + timedelta(hours=least_hours(settings))
    else:
        due = Calendar.of(settings).after(waiting_since, _hours(settings))
    return due - timedelta(hours=_remind_hours(settings))


class Memory(Plain):
    """What the clock of a game remembers in its row: `paused`, since when it stands, `left`, the seconds it
    had left then, and `ruling_by`, when it goes on if it stands for a dispute; `due`, the deadline that the
    host has set for the wait that began at `since`; `reminded`, the deadline of which each seat was reminded;
    `waited`, the one after which everybody was told that the game goes on waiting. `spent` and `runs` are of
    a total clock (bank.py)."""

    since: str | None = None
    due: str | None = None
    paused: str | None = None
    left: float | None = None
    ruling_by: str | None = None
    reminded: dict[str, str] = msgspec.field(default_factory=dict)
    waited: str | None = None
    spent: dict[str, Annotated[float, msgspec.Meta(ge=0)]] = msgspec.field(default_factory=dict)
    runs: dict[str, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        check_moments(since=self.since, due=self.due, paused=self.paused)
        check_moments(ruling_by=self.ruling_by, waited=self.waited, **self.reminded)
        check_moments(**self.runs)


def check_days(days: list[list[str]]) -> None:
    """Raise ValueError unless these are absences: pairs of the first and the last date."""
    for at, pair in enumerate(read_as(list[tuple[str, str]], days)):
        first, last = map(date.fromisoformat, pair)
        if first > last:
            raise ValueError(f"{at}: ends before it begins")


class Clock:
    """The clock of the game at a table. What it has to remember stands in the game's row (`Memory`)."""

    def __init__(self, table: Timed) -> None:
        self.table = table
        self.bank = Bank(self)

    @property
    def calendar(self) -> Calendar:
        return Calendar.of(self.table.row.settings)

    @property
    def hours(self) -> float:
        """The time to answer in, for a letter or for all (bank.py); 0 if the game has no deadlines."""
        return _hours(self.table.row.settings)

    @property
    def remind_hours(self) -> float:
        """How long before a deadline a reminder goes out; 0 for none."""
        return _remind_hours(self.table.row.settings)

    @property
    def grace(self) -> timedelta:
        """How long a deadline that has passed is not acted upon."""
        return timedelta(hours=self.table.row.settings.get("grace_hours", 0))

    def policy(self, seat: str) -> Missed:
        """What happens if a seat misses its deadline. Where no stand-by can take its seat, or where bots
        would play the game to its end among themselves, it goes on by its lines, standing orders and
        defaults."""
        missed: Missed = self.table.row.settings.get("missed", "standing")
        nobody = missed == "substitute" and not self.stand_by()
        return "standing" if nobody or (missed == "bot" and self.is_last_player(seat)) else missed

    def is_last_player(self, seat: str) -> bool:
        """Whether bots play all other seats, so that a bot in this one would end the game."""
        return all(row.bot for key, row in self.table.seats.items() if key != seat)

    def stand_by(self) -> str:
        """The stand-by of the game as ``Dora <dora@mail.example>``; "" if there is none, or if the stand-by
        has a part in the game already: nobody may know two sides."""
        given = str(self.table.row.settings.get("standby", ""))
        return given if given and not self.has_part(person(given)[1]) else ""

    def has_part(self, address: str) -> bool:
        """Whether somebody with this address plays, moderates or watches the game."""
        playing = {row.address for row in self.table.seats.values()}
        return address in playing | {row.address for row in self.table.record.staff()}

    @property
    def stand_by_name(self) -> str:
        """What letters call the stand-by."""
        return person(self.stand_by())[0] or "the stand-by"

    @property
    def paused(self) -> bool:
        return "paused" in self.table.row.clock

    @property
    def ruling_by(self) -> datetime | None:
        """When the clock goes on without a ruling; None unless it stands for a dispute."""
        moment = self.table.row.clock.get("ruling_by")
        return datetime.fromisoformat(moment) if moment else None

    def stop(self, here: Step, ruling_by: datetime | None = None) -> None:
        """Stop a clock that runs: no deadline passes until `go_on`."""
        due, now = self.due(here), self.table.now
        self.bank.turn((), anew=True)
        self.remember(
            paused=now.astimezone(UTC).isoformat(),
            left=max(0.0, (due - now).total_seconds()) if due else 0.0,
            since=self.since(),
            ruling_by=ruling_by.astimezone(UTC).isoformat() if ruling_by else None,
        )

    def go_on(self) -> None:
        """Let a clock that stands run with the time it had left; with the whole time if something else is
        asked now."""
        kept, row = self.table.row.clock, self.table.row
        same = kept["since"] == self.since()
        self.remember(paused=None, left=None, since=None, due=None, ruling_by=None)
        if same:
            self.set(self.calendar.rounded(self.table.now + timedelta(seconds=kept["left"])))
        elif row.waiting_since is not None:
            row.waiting_since = self.table.now
        self.bank.turn(self.table.waited_for(self.table.here()), anew=True)

    def remember(self, **values: Any) -> None:
        """Keep values; None forgets one."""
        kept = self.table.row.clock | values
        self.table.row.clock = {name: value for name, value in kept.items() if value is not None}
        self.table.record.keep(self.table.row)

    def due(self, here: Step | None = None) -> datetime | None:
        """When the seats that are waited for must have answered, in UTC; None if the game has no clock, or
        if it is stopped.

        The clock runs from when the letters that asked were sent. Who has let a deadline pass and not written
        since has until the same hour of the next day for each further section of that turn; one that was
        applied early counts as none.
        """
        table = self.table
        if table.row.waiting_since is None or table.row.status != "running" or self.paused or not self.hours:
            return None
        here = here or table.here()
        waited = table.waited_for(here)
        if isinstance(here.waiting, Chance) or (not waited and table.must_think(here)):
            return None  # for a round of the beacon, or a planner: nobody owes anything
        deadlines = [self._counted(here, waited), *self._promised(here, waited)]
        if (set_ := table.row.clock.get("due")) and table.row.clock.get("since") == self.since():
            deadlines.append(datetime.fromisoformat(set_))
        return self._present(max(deadlines), waited)

    def is_due(self, here: Step) -> bool:
        """Whether the deadline has passed, and the time of grace after it. While a letter that asks has not
        been sent, the clock does not run."""
        moment = self.due(here)
        return (
            moment is not None
            and moment + self.grace <= self.table.now
            and not self.unsent(self.table.waited_for(here))
        )

    def to_remind(self, here: Step) -> list[str]:
        """The seats to remind now: each once of a deadline, never after it, and nobody who was asked so late
        that the letter itself is reminder enough."""
        due, ahead = self.due(here), timedelta(hours=self.remind_hours)
        waited = self.table.waited_for(here)
        if due is None or not due - ahead <= self.table.now < due or self.unsent(waited):
            return []
        if self.asked_at(waited) > due - ahead:
            return []
        reminded = self.table.row.clock.get("reminded", {})
        return [seat for seat in waited if reminded.get(seat) != due.isoformat()]

    def quiet_until(self, here: Step) -> datetime | None:
        """Before which moment there is nothing to do, as long as nothing is written to the game and its
        seats: that of the next reminder, or of the deadline and the time of grace. None while a letter that
        asks has not been sent, as the clock does not run."""
        due, waited = self.due(here), self.table.waited_for(here)
        if due is None or not waited:
            return self.ruling_by or NEVER
        if self.unsent(waited):
            return None
        remind = due - timedelta(hours=self.remind_hours)
        if self.table.now < remind and self.asked_at(waited) <= remind:
            return remind
        return due + self.grace

    def unsent(self, waited: Iterable[str]) -> bool:
        """Whether a letter that asks one of these seats has not been sent."""
        return None in self._asking(waited)

    def set(self, due: datetime) -> None:
        """Let the present wait end at a moment, unless a letter has named a later one."""
        self.remember(since=self.since(), due=due.astimezone(UTC).isoformat(), paused=None, left=None)

    def promise(self, seat: str, here: Step) -> None:
        """Keep the deadline that a letter to a seat names for what it is asked."""
        due, row = self.due(here), self.table.seats[seat]
        if due is not None and seat in self.table.waited_for(here):
            news = News.load(row.news)
            news.due, news.due_for = due.isoformat(), what_is_asked(self.table, here, seat)
            row.news = news.dump()
            self.table.record.keep(row)

    def since(self) -> str:
        """The moment since which the game waits, as it is remembered."""
        assert self.table.row.waiting_since is not None
        return self.table.row.waiting_since.isoformat()

    def _counted(self, here: Step, waited: Collection[str]) -> datetime:
        """The deadline by the time to answer in alone."""
        table = self.table
        if (
            self.bank.hours and waited
        ):  # one deadline for all: nobody is hurried because another has less left
            return max(map(self.bank.until, waited))
        began = self.asked_at(waited)
        due = self.calendar.after(began, self.hours)
        missed = [let_pass(table.seats[seat].missed, here.turn) for seat in waited]
        again = [self._next_day(passed) for passed in missed if passed]
        if again and len(again) == len(missed):
            due = min(due, max(again))
        least = began + timedelta(hours=table.row.settings.get("minimum_hours", 0))
        return due if due >= least else self.calendar.rounded(least)

    def _promised(self, here: Step, waited: Iterable[str]) -> list[datetime]:
        """The deadlines that letters have named for what is being asked."""
        told = {seat: News.load(self.table.seats[seat].news) for seat in waited}
        return [
            datetime.fromisoformat(news.due)
            for seat, news in told.items()
            if news.due and news.due_for == what_is_asked(self.table, here, seat)
        ]

    def _present(self, due: datetime, waited: Iterable[str]) -> datetime:
        """A deadline put off to the end of the absences that it falls into."""
        away = sorted(
            (date.fromisoformat(first), date.fromisoformat(last))
            for seat in waited
            for first, last in self.table.seats[seat].away
        )
        for first, last in away:
            local = due.astimezone(self.calendar.zone)
            if first <= local.date() <= last:
                back = datetime.combine(last + DAY, local.time(), self.calendar.zone)
                due = self.calendar.rounded(back.astimezone(UTC))
        return due

    def asked_at(self, waited: Iterable[str]) -> datetime:
        """The moment from which the clock runs: when the game began to wait, or when the last letter that
        asks was sent, if that was much later."""
        since = self.table.row.waiting_since
        assert since is not None
        sent = [moment for moment in self._asking(waited) if moment is not None]
        late = [moment for moment in sent if moment - since > MAIL_TAKES]
        return max([since, *late])

    def _asking(self, waited: Iterable[str]) -> list[datetime | None]:
        """When the letters that asked the seats that are waited for were sent, as far as they go by mail;
        None for one that has not been."""
        keys = [News.load(self.table.seats[seat].news).letter for seat in waited]
        rows = self.table.post.sent(keys)
        return [sent for sent, recipient in rows if not recipient.endswith(f"@{NOWHERE}")]

    def _next_day(self, due: datetime) -> datetime:
        """The same hour of the day after that on which the game began to wait."""
        since = self.table.row.waiting_since
        assert since is not None
        local = due.astimezone(self.calendar.zone)
        asked = since.astimezone(self.calendar.zone).date()
        while local.date() <= asked or local.weekday() not in self.calendar.days:
            local += DAY
        return local.astimezone(UTC)
