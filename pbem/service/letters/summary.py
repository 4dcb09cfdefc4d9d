"""The story of a game so far in about twenty lines, as one reader may know it.

It is made of the notes that the reader may read and of the reader's view at the end of each turn, and of
nothing else. In a long game, older turns share their lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from pbem.engine.errors import OrderError
from pbem.engine.game import SYSTEM, View
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.wording import count, sentence
from pbem.service.letters.layout import WAITING
from pbem.service.letters.log import Part, told_once, who
from pbem.service.letters.reports import NOTHING, waiting_lines
from pbem.service.letters.ruled import TOLD_TO_ALL
from pbem.service.letters.telling import day_of
from pbem.service.letters.wrapping import short_lines
from pbem.service.play.history import told_by
from pbem.service.play.steps import Step
from pbem.service.record.rows import PhaseRow
from pbem.service.record.table import Table, visible

BODY = 18
"""Lines for the turns together."""
ROOM = 2
"""Lines for a turn, or for a group of turns, if there are many."""
MOST = 4
"""Lines for a turn if there are few."""
NEWEST = 6
"""The newest turns of the longest games have a line each; this is how many."""
CUT = " ..."


@dataclass(frozen=True, slots=True)
class Span:
    """A turn or a group of turns, in at most `room` lines."""

    turns: tuple[int, ...]
    room: int


def summary_parts(table: Table, here: Step, seat: str) -> Iterator[Part]:
    """Yield the parts of a summary for a seat or the umpire: what is played and by whom, the turns, and the
    result or who is waited for."""
    game, view = table.game, table.game.view(here.state, seat)
    scenario = game.scenarios[table.row.scenario].title
    people = [who(table, key) for key, row in table.seats.items() if row.bot != SYSTEM]
    head = f"{game.title}: {scenario}. {' against '.join(people)}."
    ends = () if here.over else (f"{view.title}.",)
    yield Part(f"Summary of {table.row.id}", (head, *ends))
    if turns := list(_turns(table, here, seat)):
        yield Part("Turn by turn", tuple(turns), table=True)
    if here.over:
        yield Part("Result", (sentence(here.result(game).level),))
    else:
        yield Part(WAITING, waiting_lines(table, here, seat)[:ROOM])


def spans(turns: Sequence[int]) -> tuple[Span, ...]:
    """Group the turns: each stands alone while there is room, the newest in more lines. If there are more,
    the older ones form groups of nearly the same size."""
    if len(turns) * ROOM <= BODY:
        room = min(MOST, BODY // max(1, len(turns)))
        return tuple(Span((turn,), room) for turn in turns)
    if len(turns) <= BODY - ROOM:
        roomy = min(len(turns), BODY - len(turns))
        single = len(turns) - roomy
        return tuple(Span((turn,), ROOM if at >= single else 1) for at, turn in enumerate(turns))
    older, newest = turns[:-NEWEST], turns[-NEWEST:]
    groups = (BODY - NEWEST) // ROOM
    ends = [len(older) * at // groups for at in range(groups + 1)]
    joined = [Span(tuple(older[a:b]), ROOM) for a, b in pairwise(ends) if a < b]
    return (*joined, *(Span((turn,), 1) for turn in newest))


def _turns(table: Table, here: Step, seat: str) -> Iterator[str]:
    """Yield the lines of all turns."""
    by_turn = {
        turn: list(rows) for turn, rows in groupby(table.record.phases(), lambda row: max(1, row.turn))
    }
    if here.over and not any(_notes(table, row, here) for row in by_turn.get(here.turn, [])):
        by_turn = {turn: rows for turn, rows in by_turn.items() if turn != here.turn or turn == 1}
    stood: Sequence[str] = ()
    for span in spans(list(by_turn)):
        rows = [row for turn in span.turns for row in by_turn[turn]]
        after = by_turn.get(span.turns[-1] + 1)
        state = table.game.load(table.record.snapshot(after[0])) if after else here.state
        view = table.game.view(state, seat)
        first = table.game.view(table.game.load(table.record.snapshot(rows[0])), seat)
        notes = tuple(note for row in rows for note in _readable(_notes(table, row, here), seat))
        stood, before = _story(table, view, ()), stood or _story(table, first, ())
        told = [text for text in _story(table, view, notes) if text not in stood or text not in before]
        told += _rulings(table, rows, seat)
        named = f"T{span.turns[0]}" + (f"-{span.turns[-1]}" if len(span.turns) > 1 else "")
        day = day_of(first.title)
        yield fitted([f"{named}{f' ({day})' if day else ''}:", *(told or [NOTHING])], span.room)


def _notes(table: Table, row: PhaseRow, here: Step) -> Sequence[Note]:
    """Return the log of a phase; empty where today's rules refuse what was played."""
    if row.number == here.number:
        return here.notes
    try:
        told = told_by(table.game, table.record.snapshot(row), table.record.entries(row.number))
    except OrderError:
        return ()
    return [note for _, note in told]


def _readable(notes: Iterable[Note], seat: str) -> Sequence[Note]:
    """Return the notes that a reader may read; the umpire gets one of those that each side has its own."""
    notes = visible(notes, seat)
    if seat != UMPIRE:
        return notes
    facts = [note.facts() for note in notes]
    kept = {id(each) for each in told_once(facts, seat)}
    return [note for note, each in zip(notes, facts, strict=True) if id(each) in kept]


def _story(table: Table, view: View, notes: tuple[Note, ...]) -> Sequence[str]:
    """Return what notes come to, in sentences; of no notes, how the game stands."""
    report = table.game.report
    told = report.story(view, notes) if report.story is not None else report.summary(view, notes)
    return [text for text in told if text != NOTHING]


def _rulings(table: Table, rows: Sequence[PhaseRow], seat: str) -> Iterator[str]:
    """Yield how many rulings on these phases the reader knows of."""
    numbers = {row.number for row in rows}
    known = [row for row in table.record.rulings if row.phase in numbers]
    known = [row for row in known if seat == UMPIRE or row.answer["what"] in TOLD_TO_ALL]
    if known:
        about = ", ".join(str(row.answer["ruling"]) for row in known)
        yield f"{count(len(known), 'ruling')} ({about})."


def fitted(sentences: Sequence[str], room: int) -> str:
    """Return the first sentence and those others that still fit into `room` lines of a letter; if none fits,
    the second is cut at a word."""
    shown = sentences[0]
    for text in sentences[1:]:
        if len(short_lines(f"{shown} {text}")) <= room:
            shown += f" {text}"
    if shown != sentences[0] or len(sentences) == 1:
        return shown
    return _cut(f"{shown} {sentences[1]}", room)


def _cut(text: str, room: int) -> str:
    """Return as much of a text as fits into `room` lines, up to a word."""
    while len(short_lines(text + CUT)) > room:
        text = text.rpartition(" ")[0].rstrip(",;:")
    return text + CUT
