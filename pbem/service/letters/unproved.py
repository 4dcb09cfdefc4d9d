"""Letters that are held in somebody's name, as the owner of the name reads of them: every letter to him lists
them until he has settled them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.engine.wording import count
from pbem.service.letters.log import common_zone, local_time
from pbem.service.record.rows import SeatRow, StaffRow
from pbem.service.record.table import Table

CODE = 8
"""Digits of the code that names a held letter."""

MOST_LISTED = 3
"""At most this many held letters are listed with their senders; of others only the codes."""

MOST_CODES = 20
"""At most this many codes of further ones are listed."""

SOMEBODY = "the address of somebody else in this game"
"""What stands for an address that the owner of a name may not know."""

DROP = "CONFIRM NONE"
"""What settles all held letters without letting one act."""


@dataclass(frozen=True, slots=True)
class Held:
    """A held letter: its number, the code that confirms it, where it came from, and when."""

    number: int
    code: str
    sender: str
    received: datetime

    def confirm(self) -> str:
        """The line that lets it act."""
        return f"CONFIRM {self.code}"

    def origin(self, zone: str) -> str:
        """Where it came from and when."""
        return f"from {self.sender}, {local_time(self.received, zone)}"


def question(identity: str) -> str:
    """What the secret is good for that a letter carries which asks about a held one."""
    return f"held-{identity[:CODE]}"


def sender_for(table: Table, owner: SeatRow | StaffRow, sender: str) -> str:
    """Where a letter in somebody's name came from, as its owner may know it: only moderators read addresses
    of others in the game."""
    is_moderator = isinstance(owner, StaffRow) and owner.role == "moderator"
    if not is_moderator and table.record.is_of_another(owner, sender):
        return SOMEBODY
    return sender or "an unknown address"


def held_for(table: Table, owner: SeatRow | StaffRow) -> list[Held]:
    """Return the letters that are held in the name of a player or of one of the staff, newest first."""
    return [
        Held(row.id or 0, row.identity[:CODE], sender_for(table, owner, row.sender), row.received)
        for row in table.post.held(owner.key)
    ]


def zone_for(table: Table, row: SeatRow | StaffRow) -> str:
    """The time zone in which a person reads times: that of the game for the staff."""
    return row.zone if isinstance(row, SeatRow) else common_zone(table)


def held_lines(table: Table, row: SeatRow | StaffRow, but: int = 0) -> tuple[str, ...]:
    """Say which letters are held in the name of a person, newest first, and what settles them; no lines if
    none are. `but` is the number of one to leave out."""
    held = [each for each in held_for(table, row) if each.number != but]
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
