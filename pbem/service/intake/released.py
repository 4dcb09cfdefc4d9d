"""Use cases: act on a letter that was held, and on those that were kept while their game was stopped."""

from __future__ import annotations

from sqlmodel import col, select

from pbem.engine.wording import count
from pbem.mail.letter import parse
from pbem.service.intake.player_letters import Received, process
from pbem.service.moderating.held import kept
from pbem.service.moderating.hosting import Done
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import LetterRow
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


def resume(table: Table, *, by: str, why: str) -> Done:
    """Let a stopped game go on, as `go_on` does."""
    results = go_on(table)
    table.record.journal.append(
        table.row.phase, "host", "resume", {"letters": len(results), "why": why}, at=table.now, by=by
    )
    says = f"The game goes on; {count(len(results), 'letter')} kept since then: "
    outcomes = ", ".join(f"{each.seat} {each.outcome}" for each in results) or "none"
    return Done(table.row.id, "resume", (says + outcomes,), tuple(dict.fromkeys(r.seat for r in results)))


def go_on(table: Table) -> list[Received]:
    """Let a stopped game go on, and process the letters kept since, in order of arrival. Raises StoreError
    for a game that is not stopped."""
    row, session = table.row, table.record.session
    if row.status != "stopped":
        raise StoreError(f"game {row.id} is {row.status}, not stopped")
    row.status, row.trouble = "running", ""
    session.add(row)
    query = select(LetterRow).where(LetterRow.game == row.id, LetterRow.outcome == "stopped")
    results: list[Received] = []
    for letter in session.exec(query.order_by(col(LetterRow.id))).all():
        again = Table(session, row, table.now)
        result = process(again, again.seats[letter.seat], parse(letter.raw), letter)
        letter.outcome, letter.why = result.outcome, result.why
        session.add(letter)
        session.flush()
        results.append(result)
    return results
