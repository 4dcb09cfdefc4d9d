"""N13: what mail a game costs: for each seat and turn the letters in, the letters out, and the hours for
which the others waited for it.

A player sees only what they could have known of another side: the letters that moved the game forward and how
long the game waited. Drafts, corrections, advance orders and letters to that side are shown when the game is
over.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sql
from sqlalchemy import bindparam, or_
from sqlmodel import col, select

from pbem.engine.game import SYSTEM
from pbem.engine.wording import count
from pbem.service.record.store import JournalRow, LetterRow, Moment, OutboxRow, PhaseRow
from pbem.service.record.table import Table

_TURN = re.compile(r"t(\d+)\.")

_TURNS = (
    select(PhaseRow.number, PhaseRow.turn)
    .where(PhaseRow.game == bindparam("game"))
    .order_by(col(PhaseRow.number))
)
_LETTERS = sql.select(
    col(LetterRow.id),
    col(LetterRow.seat),
    col(LetterRow.turn),
    col(LetterRow.orders),
    col(LetterRow.received),
).where(
    col(LetterRow.game) == bindparam("game"),
    or_(
        col(LetterRow.turn) >= bindparam("turn"),
        col(LetterRow.received) >= bindparam("since", type_=Moment()),
        col(LetterRow.id).in_(bindparam("named", expanding=True)),
    ),
)
_KEYS = select(OutboxRow.key).where(OutboxRow.game == bindparam("game"))


@dataclass(frozen=True, slots=True)
class Budget:
    """The mail of one seat in one turn. `moves` counts the letters in that moved the game forward, `hours`
    how long the game waited for the seat. `stood` is how long it waited for this seat and others asked at the
    same time: which of them wrote when is secret."""

    turn: int
    seat: str
    letters_in: int
    moves: int
    letters_out: int
    hours: float
    stood: float


def budgets(table: Table, first_turn: int = 0) -> list[Budget]:
    """The mail of every turn from `first_turn` on that has begun, for each seat that a person may play, in
    the order of turns and seats."""
    seats = [
        seat.key
        for seat in table.game.seats
        if seat.key in table.seats and table.seats[seat.key].bot != SYSTEM
    ]
    turns = dict(table.record.session.exec(_TURNS, params={"game": table.row.id}).all())
    first = min((number for number, turn in turns.items() if turn >= first_turn), default=1)
    rows = table.record.rows(max(1, first - 1), "start", "answer", "end")
    letters_out = _letters_out(table, max(turns.values()))
    named = {row.letter: row.phase for row in reversed(rows) if row.kind == "answer"}
    letters = _letters(table, first_turn, rows[0].at, {letter for letter in named if letter})
    writers = {each.id: each.seat for each in letters}
    ordering = [each for each in letters if each.orders > 0]
    letters_in = Counter((each.turn, each.seat) for each in ordering)
    times: dict[str, list[datetime]] = defaultdict(list)
    for each in ordering:
        times[each.seat].append(each.received)
    moves = Counter((turns[phase], writers[at]) for at, phase in named.items() if at in writers)
    hours, stood = _hours(rows, turns, times), _hours(rows, turns, {})
    return [
        Budget(
            turn,
            seat,
            letters_in[turn, seat],
            moves[turn, seat],
            letters_out[turn, seat],
            hours[turn, seat],
            stood[turn, seat],
        )
        for turn in dict.fromkeys(turns.values())
        if turn >= first_turn
        for seat in seats
    ]


def _letters(table: Table, turn: int, since: datetime, named: set[int]) -> list[Any]:
    """What is to be known of the letters that came from a turn or from a moment on, and of those that are
    `named`."""
    params = {"game": table.row.id, "turn": turn, "since": since, "named": sorted(named)}
    return list(table.record.session.execute(_LETTERS, params))


def _letters_out(table: Table, last: int) -> Counter[tuple[int, str]]:
    """Everything written to a seat, by the turn that was being played."""
    found: Counter[tuple[int, str]] = Counter()
    for key in table.record.session.exec(_KEYS, params={"game": table.row.id}):
        rest = key.removeprefix(f"{table.row.id}-")
        turn = _TURN.match(rest)
        seat = next((seat for seat in table.seats if f"-{seat}-" in f"-{rest}"), "")
        found[int(turn[1]) if turn else last, seat] += 1
    return found


def _hours(
    rows: Iterable[JournalRow], turns: dict[int, int], letters: Mapping[str, list[datetime]]
) -> dict[tuple[int, str], float]:
    """Return the hours that the game waited for each seat in each turn: until its request was answered, or,
    if several seats were asked together, until its last letter before that."""
    found: dict[tuple[int, str], float] = defaultdict(float)
    before: datetime | None = None
    for row in rows:
        if before is not None and row.at > before and row.kind == "answer" and not row.entry().dice:
            seats = row.asked.split("|")[1].split(",")
            for seat in seats:
                mine = [at for at in letters.get(seat, ()) if before < at <= row.at] if len(seats) > 1 else []
                found[turns[row.phase], seat] += (max(mine, default=row.at) - before).total_seconds() / 3600
        before = row.at
    return found


def lines(table: Table, reader: str, first_turn: int, *, everything: bool) -> tuple[str, ...]:
    """Return the mail of each turn from `first_turn` on in words, without turns that have none. `everything`
    also lists all mail of other seats."""
    by_turn: dict[int, list[str]] = {}
    for each in sorted(budgets(table, first_turn), key=lambda each: each.seat != reader):
        if told := _told(table, each, reader, everything):
            by_turn.setdefault(each.turn, []).append(told)
    return tuple(f"Turn {turn}: {'; '.join(told)}" for turn, told in sorted(by_turn.items()))


def _told(table: Table, each: Budget, reader: str, everything: bool) -> str:
    own = each.seat == reader
    who = "you" if own else table.game.seat(each.seat).title
    waited = f"{each.hours if own or everything else each.stood:.0f} h waiting for {who}"
    if own or everything:
        any_ = each.letters_in or each.letters_out or each.hours
        letters = f"{count(each.letters_in, 'letter')} from {who}, {each.letters_out} to {who}"
        return f"{letters}, {waited}" if any_ else ""
    letters = f"{count(each.moves, 'letter')} from {who} moved the game forward"
    return f"{letters}, {waited}" if each.moves or each.stood else ""
