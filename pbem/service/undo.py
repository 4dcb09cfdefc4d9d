"""Use case: undo the last orders of a seat, as long as no one has learned anything from them.

An undo goes back to just after the last roll, the last reveal, the last decision of another seat or the end
of the last turn (whose link is known), never past one. It is a journal row itself; what was undone stays
readable there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.engine.language import Line, Order
from pbem.service.letters.layout import Pictures, Writing, send
from pbem.service.letters.log import Part, log_lines, visible_facts
from pbem.service.letters.news import News
from pbem.service.letters.reports import question_part, waiting_lines
from pbem.service.letters.sheets import sheet_lines
from pbem.service.play.answers import questions
from pbem.service.play.history import Move, Retold, retell, reveals
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, phase_title
from pbem.service.play.sheet import SheetLine, in_order
from pbem.service.play.steps import Step
from pbem.service.store import JournalRow, Store, StoreError, only_game, unpack
from pbem.service.table import Table


@dataclass(frozen=True, slots=True)
class Undone:
    """What was undone: the decisions of `seat` after journal row `stands`; its orders (section, text),
    `lines`, are a draft again."""

    game: str
    seat: str
    stands: int
    phase: str
    lines: tuple[tuple[str, str], ...]
    decisions: int


def undo(store: Store, game_id: str | None, now: datetime, reason: str = "") -> Undone:
    """Undo the decisions of the last seat to decide, as far back as allowed. They become its draft again and
    every seat is notified. Raise StoreError with the reason if nothing can be undone."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        if table.row.status == "over":
            raise StoreError("nothing can be undone: the game is over and all its rolls have been revealed")
        tail = _Tail.of(table)
        undone = tail.undone(table)
        title = phase_title(table.game, table.phase(tail.rows[0].phase).label)
        table.journal.append(
            tail.rows[0].phase, "undo", reason or "no reason given", undone.stands, at=now, by="moderator"
        )
        _reopen(table, tail.rows[0].phase)
        _give_back(table, undone.seat, tail.orders())
        here = table.here()
        for seat in table.seats:
            send(table, seat, _letter(table, seat, tail, undone, here, title, reason), here, Pictures())
    return undone


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of the journal that can be undone: answers of one seat, in order, each with its effects; `last`
    is the last row that remains."""

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
        write = table.game.grammar.write
        lines = tuple((section, write(order)) for section, order in self.orders())
        return Undone(self.game, self.seat, self.last, self.phase, lines, len(self.rows))

    def orders(self) -> list[tuple[str, Order]]:
        """The orders that are undone, each with its section."""
        return [
            (move.orders.section, move.order)
            for move in self.moves
            if move.orders is not None and move.order is not None
        ]


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
    """Return why a row may not be undone after those of `seat` that follow it; "" if it may."""
    if row.kind == "start":
        return "no decision has been taken yet"
    if row.kind == "end":
        turn = table.phase(row.phase).turn
        ended = table.phase(row.phase + 1).turn != turn
        return f"turn {turn} is over and its link is revealed" if ended else ""
    if row.kind == "salt":
        return f"{row.asked} has added a salt, which cannot be undone"
    if row.kind != "answer":
        return ""
    if row.by in ("dice", "sealed"):
        return f"the last event was a roll ({row.asked})"
    move = told.move(row)
    if len(move.seats) != 1 or seat not in ("", move.seats[0]):
        return f"the last event was a decision by {', '.join(move.seats)} ({row.asked})"
    if any(reveals(note) for note in move.notes):
        return f"it has revealed secret information ({row.asked})"
    return ""


def _reopen(table: Table, number: int) -> None:
    """Reopen the phase and delete those after it."""
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
    notes = len(table.here().notes)
    for seat in table.seats.values():
        news = News.load(seat.news)
        if news.phase >= number:
            news.notes = min(news.notes, notes) if news.phase == number else notes
            news.phase, news.over = number, False
        seat.news = news.dump()
        table.session.add(seat)
    table.session.add(table.row)
    table.session.flush()


def _give_back(table: Table, key: str, orders: Sequence[tuple[str, Order]]) -> None:
    """Put the undone orders back as a draft, before those not carried out yet, and ask the undone decisions
    again."""
    seat, here = table.seats[key], table.here()
    sheet = table.sheet(seat).copy()
    write = table.game.grammar.write
    back = [
        SheetLine(sheet.take_name(), section, write(order), Line(0, write(order), section, order))
        for section, order in orders
    ]
    sheet.lines = back + sheet.lines
    if back:
        news = News.load(seat.news)
        news.begun = []
        seat.news = news.dump()
    for section in dict.fromkeys([*(line.section for line in back), asked_section(here, key)]):
        sheet.reopen(section)
        others = [line for line in sheet.lines if line.section != section]
        sheet.lines = [*in_order(sheet.of(section)), *others]
    table.keep_sheet(seat, sheet)
    position = table.journal.last
    for section, each in list(seat.played.items()):
        if each["phase"] >= here.number:
            seat.played = seat.played | {section: each | {"row": position, "by": "undone"}}
    for who, row in table.seats.items():
        asked = Questions.load(row.questions)
        for question in asked.open:
            question.chosen, question.held = None, 0
        asked.ask(here.number, questions(here.waiting, who), [each.what for each in asked.open])
        row.questions = asked.dump()
        table.session.add(row)


def _letter(
    table: Table, seat: str, tail: _Tail, undone: Undone, here: Step, title: str, reason: str
) -> Writing:
    who = table.game.seat(undone.seat).title
    lead = f"Undone: the last orders or decision of the {who} side in {title}."
    facts = [fact for move in tail.moves for fact in visible_facts(move.notes, seat)]
    parts = [
        Part(
            "What was undone",
            log_lines(table.game.key, facts, seat) or ("nothing that you knew about",),
        )
    ]
    if reason:
        parts.insert(0, Part("Reason", tuple(reason.splitlines())))
    if seat == undone.seat:
        lines = sheet_lines(table.sheet(table.seats[seat]), None)
        parts.append(Part("Your lines", (*lines, "Send DONE to play them unchanged."), table=True))
    if asks := questions(here.waiting, seat):
        parts.append(question_part(asks, Questions.load(table.seats[seat].questions)))
    parts.append(Part("Waiting for", waiting_lines(table, here, seat)))
    return Writing(
        "undo",
        f"[{table.row.id}] {title}: undone",
        (lead,),
        tuple(parts),
        section=asked_section(here, seat),
    )
