"""A total clock for each player, in place of deadlines for each letter: time to think for the whole game.

While the game waits for a seat its time runs, from when the letter that asks was sent, on the days that count
and on which its player is not away; a clock that is stopped costs nobody anything. Time that was spent does
not come back, whatever a ruling takes back. Whose time is up has the least time to answer in for each letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

LEAST = 24.0
"""The least time to answer a letter in, in hours, where the terms of the game name none."""


def bank_hours(settings: Mapping[str, Any]) -> float:
    """The time of each player for the whole game; 0 where each letter has a deadline of its own."""
    return float(settings.get("bank_hours") or 0)


def least_hours(settings: Mapping[str, Any]) -> float:
    """The least time to answer a letter in."""
    return float(settings.get("minimum_hours") or LEAST)


class Running(Protocol):
    """What a total clock needs of the clock of a game (clock.py)."""

    table: Any

    @property
    def calendar(self) -> Any: ...

    @property
    def paused(self) -> bool: ...

    def asked_at(self, waited: Iterable[str]) -> datetime: ...

    def unsent(self, waited: Iterable[str]) -> bool: ...

    def remember(self, **values: Any) -> None: ...


class Bank:
    """The time of the seats of a game. The game's row remembers (clock.Memory) what each has `spent`, in
    hours, up to the moment since which its time `runs`."""

    def __init__(self, clock: Running) -> None:
        self._clock = clock
        self._table = clock.table

    @property
    def hours(self) -> float:
        """What each player has for the whole game; 0 if the game has no total clock."""
        return bank_hours(self._table.row.settings)

    def left(self, seat: str) -> float:
        """The hours that a seat has left now."""
        return max(0.0, self._kept(seat) - self._running(seat))

    def until(self, seat: str) -> datetime:
        """When the time of a seat is up that the game waits for, and the least time to answer in too."""
        asked, calendar = self._clock.asked_at((seat,)), self._clock.calendar
        due: datetime = calendar.after(self._from(seat), self._kept(seat))
        least = asked + timedelta(hours=least_hours(self._table.row.settings))
        if due < least:
            due = calendar.rounded(least)
        return due

    def turn(self, waited: Collection[str], *, anew: bool) -> None:
        """From now on the time of those runs who are waited for, and that of nobody if the clock stands. With
        `anew` something else is asked: what has run up to now is spent. It has to be called before the game
        remembers since when it waits."""
        if not self.hours:
            return
        memory, now = self._table.row.clock, self._table.now.isoformat()
        runs, spent = dict(memory.get("runs", {})), dict(memory.get("spent", {}))
        for seat in [seat for seat in runs if anew or seat not in waited]:
            spent[seat] = round(spent.get(seat, 0.0) + self._running(seat), 4)
            del runs[seat]
        running = {} if self._clock.paused else {seat: runs.get(seat, now) for seat in waited}
        self._clock.remember(spent=spent or None, runs=running or None)

    def _kept(self, seat: str) -> float:
        """What a seat had left when its time began to run."""
        spent: dict[str, float] = self._table.row.clock.get("spent", {})
        return max(0.0, self.hours - spent.get(seat, 0.0))

    def _from(self, seat: str) -> datetime:
        """Since when the time of a seat runs: not before its letter was sent."""
        since = self._table.row.clock.get("runs", {}).get(seat)
        asked = self._clock.asked_at((seat,))
        return max(asked, datetime.fromisoformat(since)) if since else asked

    def _running(self, seat: str) -> float:
        """The hours that have run since then."""
        if seat not in self._table.row.clock.get("runs", {}) or self._clock.unsent((seat,)):
            return 0.0
        away = self._table.seats[seat].away
        hours: float = self._clock.calendar.between(self._from(seat), self._table.now, away)
        return hours
