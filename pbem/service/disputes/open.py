"""Which disputes are open, and how one is raised."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.engine.notes import UMPIRE
from pbem.engine.wording import count
from pbem.service.disputes.happened import find_roll
from pbem.service.disputes.page import Page, page_for, zone_of
from pbem.service.letters.log import local_time, who
from pbem.service.store import JournalRow, StoreError
from pbem.service.table import Table

MOST_OPEN = 3
"""Disputes that a seat may have open at the same time."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disputed roll: its name (``R22``), the seat that disputes it and why, since when, and the seats that
    have its page."""

    roll: str
    seat: str
    why: str
    at: datetime
    seats: tuple[str, ...]


def open_disputes(table: Table, reader: str = UMPIRE) -> tuple[Dispute, ...]:
    """The disputes that a reader knows of and no ruling has settled, oldest first. One whose roll has been
    taken back since is settled too."""
    found: dict[str, JournalRow] = {}
    for row in table.rows(1, "dispute", "ruling"):
        if row.kind == "dispute":
            found[row.asked] = row
        else:
            found.pop(row.asked.upper(), None)
    if not found:
        return ()
    rolls = {f"R{roll.number}": roll.event for roll in table.rolls()}
    return tuple(
        Dispute(name, row.by, row.answer["why"], row.at, tuple(row.answer["seats"]))
        for name, row in found.items()
        if rolls.get(name) == row.answer["roll"] and reader in (UMPIRE, *row.answer["seats"])
    )


def open_lines(table: Table, reader: str = UMPIRE) -> tuple[str, ...]:
    """The open disputes that a reader knows of, in words. The reason is for the moderator alone."""
    zone = zone_of(table, reader)
    return tuple(
        f"{each.roll} is disputed by {_by(table, each, reader)} since "
        f"{local_time(each.at, zone)}; no ruling yet."
        f"{f' Reason: {each.why}' if each.why and reader == UMPIRE else ''}"
        for each in open_disputes(table, reader)
    )


def _by(table: Table, dispute: Dispute, reader: str) -> str:
    """Who disputes a roll: for a reader of the same side his side, which another person may have played."""
    return "your side" if dispute.seat == reader else who(table, dispute.seat)


def raise_dispute(table: Table, name: str, why: str, by: str, letter: int | None = None) -> dict[str, Page]:
    """Record that a seat disputes a roll, and return the page of each reader who gets one, by his key: every
    seat that may know of the roll, and the umpire. `letter` is the one that says so.

    Raises StoreError when the seat may know of no such roll, when the roll is disputed already, or when too
    many disputes of the seat are open.
    """
    open_ = open_disputes(table)
    happened = find_roll(table, name)
    page = page_for(happened, by)
    for each in open_:
        if each.roll == page.name:
            since = local_time(each.at, zone_of(table, by))
            raise StoreError(f"{each.roll} is disputed already, by {_by(table, each, by)} since {since}.")
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
    table.journal.append(table.row.phase, "dispute", page.name, answer, at=table.now, by=by, letter=letter)
    return pages
