"""Letters to a moderator or an observer about his own seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.service.letters.layout import Writing, send_plain
from pbem.service.letters.log import Part
from pbem.service.moderating.roles import SECTIONS, Command, commands_of
from pbem.service.record.rows import JournalRow, StaffRow
from pbem.service.record.table import Table

USAGE = 26
"""Columns for a command in a list of them; a longer one pushes its explanation aside."""


def write_to_staff(table: Table, row: StaffRow, says: str, reason: Sequence[str] = ()) -> None:
    """Write to one of the staff about his own seat: what has changed, for what reason, and what he can
    write."""
    how = "Write commands to the address that this letter came from, each on a line of its own:"
    lines = (f"{says}.", *reason, *_OF_ROLE[row.role], how)
    known = [(title, [each.name for each in _may(section, row.role)]) for title, section in SECTIONS.items()]
    named = tuple(f"{title}: {', '.join(names)}" for title, names in known if names)
    parts = (Part("Your seat", lines), Part("Commands, which HELP explains", named))
    subject = f"[{table.row.id}] {says}"
    send_plain(table, row, Writing("seat", subject, (), parts, about=table.row.id))


def say_farewell(table: Table, row: StaffRow, reason: Sequence[str]) -> None:
    """Write to one of the staff who is removed, before his row is."""
    others = any(each.key != row.key for each in table.record.staff("moderator"))
    says = f"You are no longer {row.role} of this game"
    lines = (
        f"{says}.",
        *reason,
        "Letters that you send to the address of this letter from now on do nothing. They are kept.",
        f"If this is a mistake, {'reply: the moderator reads it' if others else 'ask the host of the game'}.",
    )
    writing = Writing("seat", f"[{table.row.id}] {says}", (), (Part("Your seat", lines),), about=table.row.id)
    send_plain(table, row, writing)


def removals(table: Table) -> list[JournalRow]:
    """The events by which moderators and observers have been removed, in order."""
    return [row for row in table.record.every_row("host") if row.asked == "remove"]


def former_keys(table: Table) -> set[str]:
    """The keys of those who have been removed. Nobody else gets one: letters of ours are known by it, and
    those that still come to its address would be somebody else's."""
    return {row.answer.get("staff", "") for row in removals(table)}


_OF_ROLE = {
    "moderator": (
        "What needs you comes in a digest, at most one a day, with lines to send back: letters that are "
        "held, what players write to the moderator. A disputed roll is written to you at once.",
    ),
    "observer": (),
}


def command_lines(role: str) -> Iterator[str]:
    """The commands of a role, a line each below what they are about."""
    for title, section in SECTIONS.items():
        if not (known := _may(section, role)):
            continue
        yield f"{title}:"
        for command in known:
            first = "* " if command.how == "asks first" else ""
            yield f"  {command.usage:<{USAGE}}  {first}{command.help}"
    if any(command.reason for command in commands_of(role)):
        yield ""
        yield "* is first answered with what it would do. The reason goes behind a line:"
        yield "  UPHOLD R22 because 9.2 allows it"


def _may(section: Iterable[Command], role: str) -> list[Command]:
    return [command for command in section if role in command.roles]
