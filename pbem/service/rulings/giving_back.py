"""What a ruling gives back to the seats: orders that no longer count as drafts, and open questions anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.language import Line
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.rerun import Given
from pbem.service.play.sections import asked_section
from pbem.service.play.sheet import SheetLine, in_order
from pbem.service.play.steps import Step
from pbem.service.table import Table


def give_back(
    table: Table, here: Step, left: Sequence[Given], turns: Mapping[int, int]
) -> dict[str, tuple[str, ...]]:
    """Put orders that no longer count back as drafts, and ask again what is open. `turns` tells the turn
    of each row.

    Return those of other turns, which no sheet can hold, by seat."""
    write = table.game.grammar.write
    later: dict[str, list[str]] = {}
    for key, seat in table.seats.items():
        sheet = table.sheet(seat).copy()
        back: list[SheetLine] = []
        for given in own_decisions(left):
            if given.seat != key or given.order is None:
                continue
            text = write(given.order)
            if turns[given.recorded.row] == here.turn:
                line = Line(0, text, given.section, given.order)
                back.append(SheetLine(sheet.take_name(), given.section, text, line))
            else:
                later.setdefault(key, []).append(f"[{given.section}] {text}")
        sheet.lines = back + sheet.lines
        open_again = dict.fromkeys([*(line.section for line in back), asked_section(here, key)])
        for section in filter(None, open_again):
            sheet.reopen(section)
            others = [line for line in sheet.lines if line.section != section]
            sheet.lines = [*in_order(sheet.of(section)), *others]
        sheet.turn = here.turn
        table.keep_sheet(seat, sheet)
        position = table.journal.last
        for section, each in list(seat.played.items()):
            if each["phase"] > here.number or (each["phase"] == here.number and section in open_again):
                seat.played = seat.played | {section: each | {"row": position, "by": "undone"}}
    ask_again(table, here)
    return {key: tuple(lines) for key, lines in later.items()}


def ask_again(table: Table, here: Step) -> None:
    """Ask every seat what the game is waiting for now; earlier answers to it do not count."""
    for key, seat in table.seats.items():
        asked = Questions.load(seat.questions)
        for question in asked.open:
            question.chosen, question.held = None, 0
        asked.ask(here.number, questions(here.waiting, key), [each.what for each in asked.open])
        seat.questions = asked.dump()
        table.session.add(seat)
    if table.row.status == "stopped":
        table.row.trouble = ""
    table.row.status = "over" if here.over else "running"
    table.row.waiting_since = table.now
    table.session.add(table.row)
    table.session.flush()


def own_decisions(left: Sequence[Given]) -> list[Given]:
    """Return those of the decisions that are left over that were a person's own: they will be asked for
    again."""
    return [
        given
        for given in left
        if given.recorded.entry.by in ("orders", "moderator")
        and (given.order is not None or not given.section)
    ]
