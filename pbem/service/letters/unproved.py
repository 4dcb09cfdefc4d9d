"""Letters that are held in somebody's name, as the owner of the name reads of them: every letter to him lists
them until he has settled them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.engine.wording import count
from pbem.service.letters.log import local_time
from pbem.service.record.store import LetterRow, SeatRow, StaffRow
from pbem.service.record.table import Table

CODE = 8
"""Digits of the code that names a held letter."""

MOST_LISTED = 3
"""At most this many held letters are listed with their senders; of others only the codes."""

MOST_CODES = 20
"""At most this many codes of further ones are listed."""

DROP = "CONFIRM NONE"
"""What settles all held letters without letting one act."""


_HELD = (
    select(LetterRow.id, LetterRow.identity, LetterRow.sender, LetterRow.received)
    .where(
        LetterRow.game == bindparam("game"), LetterRow.seat == bindparam("seat"), LetterRow.outcome == "held"
    )
    .order_by(col(LetterRow.id).desc())
)


@dataclass(frozen=True, slots=True)
class Held:
    """A held letter: its number, the code that confirms it, who sent it, and when it came."""

    number: int
    code: str
    sender: str
    received: datetime

    def confirm(self) -> str:
        """The line that lets it act."""
        return f"CONFIRM {self.code}"

    def origin(self, zone: str) -> str:
        """Where it came from and when."""
        return f"from {self.sender or 'an unknown address'}, {local_time(self.received, zone)}"


def held_for(session: Session, game: str, key: str) -> list[Held]:
    """Return the letters that are held in the name of a seat or of one of the staff, newest first."""
    rows = session.exec(_HELD, params={"game": game, "seat": key})
    return [Held(number or 0, identity[:CODE], sender, at) for number, identity, sender, at in rows]


def drop(session: Session, game: str, key: str, why: str) -> int:
    """Never let the letters act that are held in somebody's name; return how many they were."""
    query = select(LetterRow).where(
        LetterRow.game == game, LetterRow.seat == key, LetterRow.outcome == "held"
    )
    rows = session.exec(query).all()
    for row in rows:
        row.outcome, row.why = "discarded", why
        session.add(row)
    return len(rows)


def zone_for(table: Table, row: SeatRow | StaffRow) -> str:
    """The time zone in which a person reads times: that of the game for the staff."""
    return row.zone if isinstance(row, SeatRow) else str(table.row.settings.get("zone", "UTC"))


def held_lines(table: Table, row: SeatRow | StaffRow, but: int = 0) -> tuple[str, ...]:
    """Say which letters are held in the name of a person, newest first, and what settles them; no lines if
    none are. `but` is the number of one to leave out."""
    held = [each for each in held_for(table.record.session, table.row.id, row.key) if each.number != but]
    if not held:
        return ()
    zone = zone_for(table, row)
    says = f"{count(len(held), 'other email' if but else 'email')} in your name"
    if len(held) == 1:
        (only,) = held
        return (f"{says} is held: {only.confirm()} lets it act, {DROP} drops it ({only.origin(zone)}).",)
    lines = [f"{says} are held, newest first; {DROP} drops them all:"]
    lines += [f"  {each.origin(zone)}: {each.confirm()}" for each in held[:MOST_LISTED]]
    if older := held[MOST_LISTED:]:
        codes = ", ".join(each.code for each in older[:MOST_CODES])
        more = f" and {len(older) - MOST_CODES} more" if len(older) > MOST_CODES else ""
        lines.append(f"  older: {codes}{more}")
    return tuple(lines)
