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

from pbem.engine.game import SYSTEM
from pbem.engine.wording import count
from pbem.service.record.rows import JournalRow
from pbem.service.record.table import Table

_TURN = re.compile(r"t(\d+)\.")


PASSES = ("join", "replace", "substitute", "give back")
"""What a host does by which a seat passes from one person to another (moderating/people.py)."""


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
    turns = table.record.turns()
    first = min((number for number, turn in turns.items() if turn >= first_turn), default=1)
    rows = table.record.rows(max(1, first - 1), "start", "answer", "end", "thought")
    letters_out = _letters_out(table, max(turns.values()))
    named = {row.letter: row.phase for row in reversed(rows) if row.kind == "answer"}
    letters = table.post.received(first_turn, rows[0].at, {letter for letter in named if letter})
    writers = {each.id: each.seat for each in letters}
    ordering = [each for each in letters if each.orders > 0]
    letters_in = Counter((each.turn, each.seat) for each in ordering)
    times: dict[str, list[datetime]] = defaultdict(list)
    for letter in ordering:
        times[letter.seat].append(letter.received)
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


def _letters_out(table: Table, last: int) -> Counter[tuple[int, str]]:
    """Everything written to a seat, by the turn that was being played."""
    letters: Counter[tuple[int, str]] = Counter()
    for key in table.post.every_key():
        rest = key.removeprefix(f"{table.row.id}-")
        turn = _TURN.match(rest)
        seat = next((seat for seat in table.seats if f"-{seat}-" in f"-{rest}"), "")
        letters[int(turn[1]) if turn else last, seat] += 1
    return letters


def _hours(
    rows: Iterable[JournalRow], turns: dict[int, int], letters: Mapping[str, list[datetime]]
) -> dict[tuple[int, str], float]:
    """Return the hours that the game waited for each seat in each turn: until its request was answered, or,
    if several seats were asked together, until its last letter before that."""
    hours: dict[tuple[int, str], float] = defaultdict(float)
    before: datetime | None = None
    for row in rows:
        if before is not None and row.at > before and row.kind == "answer" and not row.entry().dice:
            seats = row.asked.split("|")[1].split(",")
            for seat in seats:
                mine = [at for at in letters.get(seat, ()) if before < at <= row.at] if len(seats) > 1 else []
                hours[turns[row.phase], seat] += (max(mine, default=row.at) - before).total_seconds() / 3600
        before = row.at
    return hours


def lines(table: Table, reader: str, first_turn: int, *, everything: bool) -> tuple[str, ...]:
    """Return the mail of each turn from `first_turn` on in words, without turns in which nobody wrote or was
    waited for. `everything` also lists all mail of other seats, and letters to those who wrote none."""
    by_turn: dict[int, list[str]] = {}
    shared = _shared_until(table, reader)
    for budget in sorted(budgets(table, first_turn), key=lambda each: each.seat != reader):
        you = "your side" if budget.turn <= shared else "you"
        if told := _told(table, budget, reader, everything, you):
            by_turn.setdefault(budget.turn, []).append(told)
    return tuple(f"Turn {turn}: {'; '.join(told)}" for turn, told in sorted(by_turn.items()))


def _shared_until(table: Table, seat: str) -> int:
    """The last turn in which a seat has passed from one person to another; 0 if it never has. Up to then its
    letters are not all from and to the one who plays it now."""
    turns = table.record.turns()
    passed = [
        turns.get(row.phase, 0)
        for row in table.record.every_row("host")
        if row.asked in PASSES and row.answer.get("seat") == seat and row.answer["before"]["address"]
    ]
    return max(passed, default=0)


def _told(table: Table, each: Budget, reader: str, everything: bool, you: str) -> str:
    own = each.seat == reader
    who = you if own else table.game.seat(each.seat).title
    waited = f"{each.hours if own or everything else each.stood:.0f} h waiting for {who}"
    if own or everything:
        any_ = each.letters_in or each.hours or (everything and each.letters_out)
        letters = f"{count(each.letters_in, 'letter')} from {who}, {each.letters_out} to {who}"
        return f"{letters}, {waited}" if any_ else ""
    letters = f"{count(each.moves, 'letter')} from {who} moved the game forward"
    return f"{letters}, {waited}" if each.moves or each.stood else ""
