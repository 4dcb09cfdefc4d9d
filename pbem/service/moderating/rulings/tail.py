"""The end of the journal that can be undone, because no one has learned anything from it.

An undo goes back to just after the last roll, the last reveal, the last decision of another seat or the end
of the last turn (whose link is known), never past one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.service.play.history import Move, Retold, retell, reveals
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import JournalRow, unpack
from pbem.service.record.table import Table


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of the journal that can be undone: answers of one seat, in order, each with its effects; `last`
    is the last row that remains."""

    game: str
    seat: str
    rows: tuple[JournalRow, ...]
    moves: tuple[Move, ...]
    last: int
    phase: str

    @classmethod
    def of(cls, table: Table) -> Tail:
        standing = table.record.rows()
        told = _Told(table, standing)
        rows: list[JournalRow] = []
        seat, stop, cut = "", "no decision has been taken yet", len(standing)
        for at in range(len(standing) - 1, -1, -1):
            row = standing[at]
            if stop_here := _barrier(table, row, told, seat):
                stop = stop_here
                break
            if row.kind == "answer":
                seat = told.move(row).seats[0]
                rows.insert(0, row)
                cut = at
        if not rows:
            raise StoreError(f"nothing can be undone: {stop}")
        moves = tuple(told.move(row) for row in rows)
        return cls(table.row.id, seat, tuple(rows), moves, standing[cut - 1].number, told.label(rows[0]))


class _Told:
    """The phases that the tail of a journal lies in, each retold when it is first needed."""

    def __init__(self, table: Table, standing: Sequence[JournalRow]) -> None:
        self._table = table
        self._rows = [row for row in standing if row.kind == "answer"]
        self._phases: dict[int, Retold] = {}
        self._place: dict[int, int] = {}

    def move(self, row: JournalRow) -> Move:
        if row.phase not in self._phases:
            rows = [each for each in self._rows if each.phase == row.phase]
            snapshot = unpack(self._table.record.phase(row.phase).snapshot)
            self._phases[row.phase] = retell(self._table.game, snapshot, [each.entry() for each in rows])
            self._place |= {each.number: at for at, each in enumerate(rows)}
        return self._phases[row.phase].moves[self._place[row.number]]

    def label(self, row: JournalRow) -> str:
        return self._table.record.phase(row.phase).label


def _barrier(table: Table, row: JournalRow, told: _Told, seat: str) -> str:
    """Return why a row may not be undone after those of `seat` that follow it; "" if it may."""
    if row.kind == "start":
        return "no decision has been taken yet"
    if row.kind == "end":
        turn = table.record.phase(row.phase).turn
        ended = table.record.phase(row.phase + 1).turn != turn
        return f"turn {turn} is over and its link is revealed" if ended else ""
    if row.kind == "salt":
        return f"{table.game.seat(row.asked).title} has added a salt, which cannot be undone"
    if row.kind == "beacon":
        return f"{row.asked} of the beacon was named after it"
    if row.kind != "answer":
        return ""
    if row.entry().dice:
        names = {roll.row: f", R{roll.number}" for roll in table.dice.rolls()}
        return f"the last event was a roll{names.get(row.number, ' that is still secret')}"
    move = told.move(row)
    if len(move.seats) != 1 or seat not in ("", move.seats[0]):
        titles = " and ".join(table.game.seat(each).title for each in move.seats)
        return f"the last event was a decision of {titles}"
    if any(reveals(note) for note in move.notes):
        title = table.game.seat(move.seats[0]).title
        return f"the last order or decision of {title} has revealed secret information"
    return ""
