"""Use case: take back the last orders of a seat, as long as nobody has learned anything from them.

An undo goes back to just after the last die, the last reveal, the last decision of another seat or the end of the last turn (whose link is
known), and never across one. It is a row of the journal itself; what was undone stays readable there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.service.adjudicate import Step
from pbem.service.history import Move, Retold, retell, reveals
from pbem.service.letters import (
    Part,
    Pictures,
    Writing,
    awaited_lines,
    log_lines,
    phase_title,
    send,
    visible_facts,
)
from pbem.service.store import JournalRow, Store, StoreError, only_game, unpack
from pbem.service.table import Table


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back: `seat`'s decisions after journal row `stands`, its orders now kept as `lines` (section, text) again."""

    game: str
    seat: str
    stands: int
    phase: str
    lines: tuple[tuple[str, str], ...]
    decisions: int


def undo(store: Store, game_id: str | None, now: datetime, reason: str = "") -> Undone:
    """Take back the decisions of the last seat to decide, up to what may not be taken back. They become its draft again, and
    every seat is told. Raises StoreError when nothing can be undone, saying why."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        if table.row.status == "over":
            raise StoreError("nothing can be undone: the game is over and all its dice are revealed")
        tail = _Tail.of(table)
        undone = tail.undone(table)
        title = phase_title(table.game, table.phase(tail.rows[0].phase).label)
        table.journal.append(
            tail.rows[0].phase, "undo", reason or "no reason given", undone.stands, at=now, by="moderator"
        )
        _reopen(table, tail.rows[0].phase)
        _give_back(table, undone)
        here = table.here()
        for seat in table.seats:
            send(
                table,
                seat,
                _letter(table, seat, tail, undone, here, title, reason),
                here,
                Pictures(),
                number=table.journal.last,
            )
    return undone


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of the journal that can be taken back: answers of one seat, in order, each with what it did; `last` is the last row that
    stands."""

    game: str
    seat: str
    rows: tuple[JournalRow, ...]
    moves: tuple[Move, ...]
    last: int
    phase: str

    @classmethod
    def of(cls, table: Table) -> _Tail:
        standing = table.rows()
        told = _Told(table, standing)
        found: list[JournalRow] = []
        seat, stop, cut = "", "no decision has been taken yet", len(standing)
        for at in range(len(standing) - 1, -1, -1):
            row = standing[at]
            if stop_here := _barrier(table, row, told, seat):
                stop = stop_here
                break
            if row.kind == "answer":
                seat = told.move(row).seats[0]
                found.insert(0, row)
                cut = at
        if not found:
            raise StoreError(f"nothing can be undone: {stop}")
        moves = tuple(told.move(row) for row in found)
        return cls(table.row.id, seat, tuple(found), moves, standing[cut - 1].number, told.label(found[0]))

    def undone(self, table: Table) -> Undone:
        lines = tuple(
            (move.orders.section, table.game.grammar.write(move.order))
            for move in self.moves
            if move.orders is not None and move.order is not None
        )
        return Undone(self.game, self.seat, self.last, self.phase, lines, len(self.rows))


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
            snapshot = unpack(self._table.phase(row.phase).snapshot)
            self._phases[row.phase] = retell(self._table.game, snapshot, [each.entry() for each in rows])
            self._place |= {each.number: at for at, each in enumerate(rows)}
        return self._phases[row.phase].moves[self._place[row.number]]

    def label(self, row: JournalRow) -> str:
        return self._table.phase(row.phase).label


def _barrier(table: Table, row: JournalRow, told: _Told, seat: str) -> str:
    """Why a row may not be taken back after those of `seat` that follow it; empty if it may."""
    if row.kind == "start":
        return "no decision has been taken yet"
    if row.kind == "end":
        turn = table.phase(row.phase).turn
        ended = table.phase(row.phase + 1).turn != turn
        return f"turn {turn} is over and its link is revealed" if ended else ""
    if row.kind == "salt":
        return f"{row.asked} has added a salt, which stands"
    if row.kind != "answer":
        return ""
    if row.by in ("dice", "sealed"):
        return f"the last thing that happened is a die ({row.asked})"
    move = told.move(row)
    if len(move.seats) != 1 or seat not in ("", move.seats[0]):
        return f"the last thing that happened is a decision of {', '.join(move.seats)} ({row.asked})"
    if any(reveals(note) for note in move.notes):
        return f"it has revealed what was hidden ({row.asked})"
    return ""


def _reopen(table: Table, number: int) -> None:
    """The phase is open again, and those after it have not begun."""
    row = table.phase(number)
    row.ended, row.state_hash, row.notes = False, "", []
    table.session.add(row)
    for later in table.phases():
        if later.number > number:
            table.session.delete(later)
    table.session.flush()
    table.row.phase = number
    table.row.waiting_since = table.now
    table.row.status, table.row.trouble = "running", ""
    for seat in table.seats.values():
        seat.told_phase = min(seat.told_phase, number)
        if seat.asked_in > number:
            seat.asked_in = 0
        table.session.add(seat)
    table.session.add(table.row)
    table.session.flush()


def _give_back(table: Table, undone: Undone) -> None:
    """The orders that were undone are a draft again, before those that had not been carried out yet."""
    seat = table.seats[undone.seat]
    seat.lines = [list(line) for line in undone.lines] + [list(line) for line in seat.lines]
    seat.released, seat.answers = [], {}
    table.session.add(seat)


def _letter(
    table: Table, seat: str, tail: _Tail, undone: Undone, here: Step, title: str, reason: str
) -> Writing:
    who = table.game.seat(undone.seat).title
    lead = f"Taken back: the last {undone.decisions} decisions of {who} in {title}, from journal row {undone.stands + 1} on."
    facts = [fact for move in tail.moves for fact in visible_facts(move.notes, seat)]
    parts = [
        Part(
            "What has not happened after all",
            log_lines(table.game.key, facts, seat) or ("nothing that you knew of",),
        )
    ]
    if reason:
        parts.insert(0, Part("Reason", tuple(reason.splitlines())))
    if seat == undone.seat and undone.lines:
        kept = tuple(f"[{section}] {text}" for section, text in undone.lines)
        parts.append(
            Part("Your orders, a draft again", (*kept, "Send FINAL to have them carried out as they are."))
        )
    parts.append(Part("Awaited", awaited_lines(table, here, seat)))
    return Writing("undo", f"[{table.row.id}] {title}: taken back", (lead,), tuple(parts))
