"""A roll is disputed, and the clock stands meanwhile where the terms of the game say so (`disputes` in
terms.py)."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.service.letters.log import due_words, local_time
from pbem.service.letters.rolls.happened import find_roll
from pbem.service.letters.rolls.open import disputed_by, open_disputes
from pbem.service.letters.rolls.page import Page, page_for, zone_of
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table

MOST_OPEN = 3
"""Disputes that a seat may have open at the same time."""


def raise_dispute(table: Table, name: str, why: str, by: str, letter: int | None = None) -> dict[str, Page]:
    """Record that a seat disputes a roll, and return the page of each reader who gets one, by his key: every
    seat that may know of the roll, and the umpire. `letter` is the one that says so.

    Raises StoreError when the seat may know of no such roll, when the roll is disputed already, or when too
    many disputes of the seat are open.
    """
    open_ = open_disputes(table)
    happened = find_roll(table, name)
    page = page_for(happened, by)
    for dispute in open_:
        if dispute.roll == page.name:
            since = local_time(dispute.at, zone_of(table, by))
            raise StoreError(
                f"{dispute.roll} is disputed already, by {disputed_by(table, dispute, by)} since {since}."
            )
    mine = [each.roll for each in open_ if each.seat == by]
    if len(mine) >= MOST_OPEN:
        raise StoreError(
            f"You have {count(len(mine), 'open dispute')} ({', '.join(mine)}), which is the most: "
            "wait for a ruling on one of them."
        )
    pages = {by: page}
    for reader in (UMPIRE, *table.seats):
        if reader not in pages:
            try:
                pages[reader] = page_for(happened, reader)
            except StoreError:  # a seat that may not know of the roll
                continue
    answer = {"why": why, "roll": page.event, "seats": [key for key in pages if key != UMPIRE]}
    journal = table.record.journal
    journal.append(table.row.phase, "dispute", page.name, answer, at=table.now, by=by, letter=letter)
    return pages


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
    times = [each.at for each in open_disputes(table) if people <= set(each.seats)]
    return min(times) + timedelta(days=settings.get("dispute_days", 3)) if times else None
