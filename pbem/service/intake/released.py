"""Use case: act on a letter that was held."""

from __future__ import annotations

from pbem.mail.letter import parse
from pbem.service.intake.player_letters import process
from pbem.service.moderating.held import kept
from pbem.service.moderating.hosting import Done
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table


def release(table: Table, number: int, *, by: str, why: str) -> Done:
    """Act on a held letter as if its owner had confirmed it."""
    row = kept(table, number, "released", "held")
    if row.seat not in table.seats:
        raise StoreError(
            f"letter {number} is in the name of {row.seat}: only its owner can let it act, with CONFIRM"
        )
    if table.row.status == "stopped":
        raise StoreError(f"game {table.row.id} is stopped: resume it first")
    table.record.journal.append(
        table.row.phase,
        "host",
        "release",
        {"letter": number, "seat": row.seat, "why": why},
        at=table.now,
        by=by,
    )
    row.outcome = "accepted"  # it is held no longer, so that no letter written for it says so
    table.record.keep(row)
    result = process(table, table.seats[row.seat], parse(row.raw), row)
    row.outcome, row.why = result.outcome, f"released by {by}: {result.why}"
    table.record.keep(row)
    says = f"letter {number} of {row.seat} is {result.outcome}: {result.why}"
    return Done(table.row.id, "release", (says,), (row.seat,))
