"""A player's diary: what he writes for himself with DIARY. While the game runs only he gets it back; once it
is over the replay shows each entry where it was written.

Entries are kept with the seat and not in the journal: players name orders by the numbers of its rows (UNDO
J45), so a row more would tell an opponent that something was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from pbem.engine.language.commands import END_BLOCK, begins_block, command
from pbem.engine.language.senses import unlisted
from pbem.mail.letter import Line
from pbem.service.letters.log import local_time
from pbem.service.play.plain import Number, Plain, Whole, check_moments, read_as
from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table

KEPT = "diary"
"""Where the settings of a seat have its entries."""

HIDDEN = "(for the player's diary)"
"""What others read in place of a line of a letter that is for the diary."""

MOST_A_TURN = 20
"""Entries that a player may write in one turn."""

LONGEST = 2_000
"""The most characters of an entry."""


class Entry(Plain):
    """An entry: its text, when it was written, in which turn and phase, behind which row of the journal, and
    by whom: another player of the seat does not get it."""

    text: str
    at: str
    turn: Whole
    phase: Number
    row: Whole
    address: str
    name: str = ""

    def __post_init__(self) -> None:
        check_moments(at=self.at)


@dataclass(frozen=True, slots=True)
class Opened:
    """An entry as the replay tells it: who wrote it, in lines, in which phase, behind which row."""

    lines: tuple[str, ...]
    phase: int
    row: int


def entries(seat: SeatRow) -> list[Entry]:
    """The entries of all who have played a seat, in order."""
    return [read_as(Entry, each) for each in seat.settings.get(KEPT, ())]


def mine(seat: SeatRow) -> list[Entry]:
    """The entries of the seat's present player."""
    return [each for each in entries(seat) if each.address == seat.address]


def write(table: Table, seat: SeatRow, text: str, turn: int) -> str:
    """Keep an entry. Return why it is not kept; "" if it is."""
    if table.row.status == "over":
        return "the game is over"
    if len(text) > LONGEST:
        return f"an entry has at most {LONGEST} characters, and this one has {len(text)}"
    if sum(each.turn == turn for each in mine(seat)) >= MOST_A_TURN:
        return f"the limit is {MOST_A_TURN} entries a turn"
    entry = Entry(
        text=text, at=table.now.isoformat(), turn=turn, phase=table.row.phase,
        row=table.record.journal.last, address=seat.address, name=seat.name,
    )  # fmt: skip
    _keep(seat, [*entries(seat), entry])
    table.record.keep(seat)
    return ""


def take_along(seat: SeatRow, old: str) -> None:
    """Let a player who writes from another address than the `old` one go on with the same diary."""
    every = entries(seat)
    for each in every:
        if each.address == old:
            each.address = seat.address
    if every:
        _keep(seat, every)


def _keep(seat: SeatRow, every: Iterable[Entry]) -> None:
    seat.settings = seat.settings | {KEPT: [msgspec.to_builtins(each) for each in every]}


def written(table: Table, seat: SeatRow) -> list[str]:
    """The diary of the seat's present player, as he gets it back."""
    lines: list[str] = []
    for each in mine(seat):
        when = msgspec.convert(each.at, type=type(table.now))
        lines += [f"Turn {each.turn}, {local_time(when, seat.zone)}", *each.text.splitlines(), ""]
    return lines[:-1]


def opened(table: Table) -> tuple[Opened, ...]:
    """All diaries of a game that is over, in the order in which they were written."""
    every = [(each, key) for key, seat in table.seats.items() for each in entries(seat)]
    return tuple(_opened(table, each, key) for each, key in sorted(every, key=lambda pair: pair[0].at))


def _opened(table: Table, entry: Entry, key: str) -> Opened:
    name = f" ({entry.name})" if entry.name else ""
    first, *others = entry.text.splitlines()
    return Opened((f"Diary of {table.game.seat(key).title}{name}: {first}", *others), entry.phase, entry.row)


def without_diary(lines: Sequence[Line]) -> Iterator[str]:
    """The lines of a letter as others may read them: what is for the diary is left out."""
    block = False
    for line in lines:
        found = command(0, unlisted(line.text.lstrip("> ")))
        if block:
            end = END_BLOCK.fullmatch(line.text.lstrip("> "))
            block = not (end and end["name"].lower() == KEPT)
        elif found is not None and found.name == KEPT and found.argument:
            block = begins_block(found)
        else:
            yield line.text
            continue
        yield HIDDEN
