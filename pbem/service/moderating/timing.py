"""Use cases: the host's hand on the clock. Each works on an open table (hosting.carry_out opens one), and
raises StoreError for what cannot be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from pbem.engine.wording import unknown
from pbem.service.letters.log import common_zone, local_time
from pbem.service.moderating import disputes
from pbem.service.moderating.hosting import Done, note
from pbem.service.moderating.people import seat_of
from pbem.service.play.news import News
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table
from pbem.service.record.terms import hours, in_words, settled

CLOCK = (
    "clock_hours", "clock_at", "days", "grace_hours", "minimum_hours", "remind_hours", "missed", "disputes",
    "dispute_days", "bank_hours",
)  # fmt: skip
"""The terms of a game that are about its clock."""


def extend(table: Table, hours: float, *, by: str, why: str) -> Done:
    """Put off the present deadline."""
    if hours <= 0:
        raise StoreError("a deadline can only be put off: write a time such as 2d or 12h")
    due = _due(table)
    table.clock.set(table.clock.calendar.after(max(due, table.now), hours))
    return _announce(table, "extend", {"hours": hours}, "", by, why)


def pause(table: Table, *, by: str, why: str) -> Done:
    """Stop the clock; letters are taken and play goes on, but no deadline passes. One that stands for a
    dispute no longer goes on by itself."""
    clock = table.clock
    if clock.ruling_by:
        clock.remember(ruling_by=None)
    elif clock.paused:
        raise StoreError("the clock is stopped already: let it go on first")
    else:
        _due(table)
        clock.stop(table.here())
    return _announce(table, "pause", {}, "The clock is stopped", by, why)


def go_on(table: Table, *, by: str, why: str) -> Done:
    """Let the clock go on with the time it had left; with the whole time if something else is asked now."""
    if not table.clock.paused:
        raise StoreError("the clock is not stopped")
    table.clock.go_on()
    return _announce(table, "go on", {}, "The clock goes on", by, why)


def go_on_without_ruling(table: Table) -> Done | None:
    """Let a clock go on that has stood for a dispute as long as the terms of the game allow; None while it
    has not."""
    if not (table.clock.ruling_by and table.clock.ruling_by <= table.now):
        return None
    table.clock.go_on()
    return _announce(table, "go on", {}, "The clock goes on before the ruling", "host", "")


def restart(table: Table, *, by: str, why: str) -> Done:
    """Let the whole time run again from now, whatever deadline was named before: after the clock of the
    machine was wrong, or the machine was off. Moments in the future, which only a wrong clock can have
    written, count as now."""
    if table.row.waiting_since is None:
        raise StoreError("the game waits for nobody")
    table.clock.remember(
        due=None, since=None, paused=None, left=None, reminded=None, waited=None, ruling_by=None, runs=None
    )
    table.record.now = table.row.waiting_since = table.record.machine_time
    for row in table.seats.values():
        news = News.load(row.news)
        news.due = news.due_for = ""
        row.news = news.dump()
        if row.missed and datetime.fromisoformat(row.missed["due"]) > table.now:
            row.missed = {}
        table.record.keep(row)
    table.post.sent_at_latest(table.now)
    table.clock.bank.turn(table.waited_for(table.here()), anew=True)
    table.record.keep(table.row)
    return _announce(table, "restart", {}, "The time to answer begins anew", by, why)


def terms_written(words: str) -> dict[str, Any]:
    """Read terms of the clock as they are written, with commas between them or ``--`` in front of each:
    ``clock 3d, missed wait, days mon tue``. Raises StoreError for what is none."""
    known = {name.removesuffix("_hours").removeprefix("clock_"): name for name in CLOCK}
    terms: dict[str, Any] = {}
    for said in filter(None, (each.strip(" -") for each in re.split(r",| --", words))):
        name, _, value = said.replace(":", " ").replace("=", " ", 1).partition(" ")
        key = known.get(name.lower().replace("-", "_"), "")
        if not key or not value.strip():
            raise StoreError(unknown("the clock has no", name, known) if not key else f"{name}: say what")
        try:
            terms[key] = _term(key, value.strip().strip("\"'").lower())
        except ValueError as error:
            raise StoreError(f"{name}: {error}") from error
    return terms


def _term(key: str, value: str) -> float | int | str:
    if key.endswith("_hours"):
        return hours(value)
    return int(value) if key in ("clock_at", "dispute_days") else value


def set_terms(table: Table, terms: Mapping[str, Any], *, by: str, why: str) -> Done:
    """Change how the clock of the game runs: `CLOCK` lists what can be changed (terms.py says what it means).
    A deadline that letters have named does not come earlier."""
    strange = sorted(terms.keys() - set(CLOCK))
    if strange or not terms:
        raise StoreError(f"the clock has no {strange[0]}" if strange else "say what to change")
    try:
        table.row.settings = settled(table.row.settings | dict(terms))
    except ValueError as error:
        raise StoreError(str(error)) from error
    table.record.keep(table.row)
    if table.row.waiting_since is not None:
        table.clock.bank.turn(table.waited_for(table.here()), anew=False)
    disputes.go_on(table)
    return _announce(table, "policy", dict(terms), f"The clock has new terms ({in_words(terms)})", by, why)


def away(table: Table, seat: str, first: str, last: str, *, by: str, why: str) -> Done:
    """A player is away from the first to the last of these dates: a deadline for this seat that falls into it
    moves to its end."""
    row = seat_of(table, seat)
    try:
        days = [date.fromisoformat(first).isoformat(), date.fromisoformat(last).isoformat()]
    except ValueError as error:
        raise StoreError(f"{error}; write dates as 2027-07-31") from error
    if days[0] > days[1]:
        raise StoreError(f"the absence ends ({last}) before it begins ({first})")
    row.away = sorted([*row.away, days])
    table.record.keep(row)
    says = f"{table.game.seat(seat).title} is away from {days[0]} to {days[1]}"
    return _announce(table, "away", {"seat": seat, "days": days}, says, by, why)


def _due(table: Table) -> datetime:
    due = table.deadline()
    if due is None:
        raise StoreError("no deadline is running")
    return due


def _announce(table: Table, what: str, details: dict[str, Any], says: str, by: str, why: str) -> Done:
    """Write the event down, and tell every seat of the deadline as it is now, in its own time."""
    here = table.here()
    due = table.deadline(here)

    def told(zone: str) -> str:
        until = f"the deadline is {local_time(due, zone)}" if due else ""
        said = "; ".join(filter(None, (says, until)))
        return said[:1].upper() + said[1:]

    zone = common_zone(table)
    seats = {key: told(row.zone) for key, row in table.seats.items()}
    facts = details | ({"due": due.isoformat()} if due else {})
    done = note(table, what, facts, told(zone), seats, by=by, why=why, here=here)
    for key in done.told:
        table.clock.promise(key, here)
    return done
