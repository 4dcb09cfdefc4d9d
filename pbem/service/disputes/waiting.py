"""The clock stands while a roll is disputed, where the terms of the game say so (`disputes` in terms.py)."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.service.disputes.open import open_disputes
from pbem.service.letters.log import due_words
from pbem.service.table import Table


def stand(table: Table) -> None:
    """Stop the clock for a dispute that has just been raised."""
    clock, until = table.clock, _until(table)
    runs = table.row.status == "running" and clock.hours and table.row.waiting_since and not clock.paused
    if until and table.now < until and runs:
        clock.stop(table.here(), until)


def go_on(table: Table) -> None:
    """Let the clock go on if it stands for disputes of which none is open any more."""
    if table.clock.ruling_by and _until(table) is None:
        table.clock.go_on()


def clock_lines(table: Table, zone: str) -> list[str]:
    """What an open dispute means for the clock; nothing if the game has none, or if the host has stopped
    it."""
    if until := table.clock.ruling_by:
        latest = due_words(until, table.now, zone)
        return [f"The clock is stopped until the ruling, {latest} at the latest. Letters are read as ever."]
    runs = table.clock.hours and not table.clock.paused
    return ["The clock does not wait for the ruling: deadlines stay as they are."] if runs else []


def _until(table: Table) -> datetime | None:
    """Until when the clock may stand for open disputes; None if it may not.

    It is counted from the oldest of them, so that nobody can stop the clock for ever. Only rolls count that
    all players may know of: if the clock stood for another, it would tell of it.
    """
    settings = table.row.settings
    if settings.get("disputes") != "wait":
        return None
    people = {key for key, row in table.seats.items() if not row.bot}
    found = [each.at for each in open_disputes(table) if people <= set(each.seats)]
    return min(found) + timedelta(days=settings.get("dispute_days", 3)) if found else None
