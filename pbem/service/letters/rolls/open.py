"""Which disputes are open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.engine.notes import UMPIRE
from pbem.service.letters.log import local_time, who
from pbem.service.letters.rolls.page import zone_of
from pbem.service.record.rows import JournalRow
from pbem.service.record.table import Table


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
    disputes: dict[str, JournalRow] = {}
    for row in table.record.rows(1, "dispute", "ruling"):
        if row.kind == "dispute":
            disputes[row.asked] = row
        else:
            disputes.pop(row.asked.upper(), None)
    if not disputes:
        return ()
    rolls = {f"R{roll.number}": roll.event for roll in table.dice.rolls()}
    return tuple(
        Dispute(name, row.by, row.answer["why"], row.at, tuple(row.answer["seats"]))
        for name, row in disputes.items()
        if rolls.get(name) == row.answer["roll"] and reader in (UMPIRE, *row.answer["seats"])
    )


def open_lines(table: Table, reader: str = UMPIRE) -> tuple[str, ...]:
    """The open disputes that a reader knows of, in words. The reason is for the moderator alone."""
    zone = zone_of(table, reader)
    return tuple(
        f"{dispute.roll} is disputed by {disputed_by(table, dispute, reader)} since "
        f"{local_time(dispute.at, zone)}; no ruling yet."
        f"{f' Reason: {dispute.why}' if dispute.why and reader == UMPIRE else ''}"
        for dispute in open_disputes(table, reader)
    )


def disputed_by(table: Table, dispute: Dispute, reader: str) -> str:
    """Who disputes a roll: for a reader of the same side his side, which another person may have played."""
    return "your side" if dispute.seat == reader else who(table, dispute.seat)
