"""What a ruling gives back to the seats: orders that no longer count as drafts, their sections open again,
and open questions anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.language import Line
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.rerun import Given
from pbem.service.play.sections import asked_section, heading, open_sections
from pbem.service.play.sheet import SheetLine, in_order
from pbem.service.play.steps import Step
from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table


@dataclass(frozen=True, slots=True)
class Returned:
    """What a ruling gives back to a seat besides drafts and questions: `later` are orders of other turns,
    which no sheet can hold, `opened` the sections (of later turns: the turns) that it had closed and that are
    not closed any more."""

    later: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What is open again, in words for the seat; "" if nothing is."""
        return f"Open again for you: {', '.join(self.opened)}." if self.opened else ""


def give_back(
    table: Table, here: Step, left: Sequence[Given], turns: Mapping[int, int]
) -> dict[str, Returned]:
    """Put orders that no longer count back as drafts, open the sections of what was taken back, and ask again
    what is open. What else a seat has closed stays closed. `turns` tells the turn of each row."""
    returned = {key: _returned(table, here, seat, left, turns) for key, seat in table.seats.items()}
    ask_again(table, here)
    return returned


def _returned(
    table: Table, here: Step, seat: SeatRow, left: Sequence[Given], turns: Mapping[int, int]
) -> Returned:
    write = table.game.grammar.write
    sheet = table.sheet(seat).copy()
    mine = [given for given in left if given.seat == seat.key and given.section]
    own = [given for given in mine if _is_own(given)]
    now = [given for given in mine if turns[given.recorded.row] == here.turn]
    closed = dict.fromkeys(given.section for given in own if given in now)
    # what was closed for a later turn never closes the section of that name in this one
    ahead = [*sheet.closed, *sheet.held] if sheet.turn > here.turn else []
    closed |= dict.fromkeys(() if ahead else [*sheet.closed, *sheet.held])
    back = [
        SheetLine(sheet.take_name(), given.section, text, Line(0, text, given.section, given.order))
        for given in own
        if given.order is not None and given in now and (text := write(given.order))
    ]
    sheet.lines = back + sheet.lines
    taken = dict.fromkeys(given.section for given in now)
    for section in (*ahead, *taken):
        sheet.reopen(section)
    place = _in_play(table, here, seat.key)
    again = {line.section for line in back}
    sheet.lines = [
        line
        for section in sorted(sheet.sections(), key=place)
        for line in (in_order(sheet.of(section)) if section in again else sheet.of(section))
    ]
    later = [turns[given.recorded.row] for given in own if given not in now]
    later += [sheet.turn] if ahead else []
    sheet.turn = here.turn
    table.keep_sheet(seat, sheet)
    position, asked = table.record.journal.last, asked_section(here, seat.key)
    for section, played in list(seat.played.items()):
        comes_up = section in taken or section == asked
        if played["phase"] > here.number or (played["phase"] == here.number and comes_up):
            seat.played = seat.played | {section: played | {"row": position, "by": "undone"}}
    reopened = sorted((section for section in closed if section not in sheet.closed), key=place)
    opened = [heading(table.game, section) for section in reopened]
    opened += [f"turn {turn}" for turn in dict.fromkeys(later)]
    texts = [
        f"[{given.section}] {write(given.order)}"
        for given in own
        if given.order is not None and given not in now
    ]
    return Returned(tuple(texts), tuple(opened))


def _in_play(table: Table, here: Step, seat: str) -> Callable[[str], int]:
    """A key that sorts sections in the order in which they come up, those that do not come up last."""
    order = open_sections(table.game, here, seat)
    return lambda section: order.index(section) if section in order else len(order)


def ask_again(table: Table, here: Step) -> None:
    """Ask every seat what the game is waiting for now; earlier answers to it do not count."""
    for key, seat in table.seats.items():
        asked = Questions.load(seat.questions)
        for question in asked.open:
            question.chosen, question.held = None, 0
        asked.ask(here.number, questions(here.waiting, key), [each.what for each in asked.open])
        seat.questions = asked.dump()
        table.record.keep(seat)
    if table.row.status == "stopped":
        table.row.trouble = ""
    table.row.status = "over" if here.over else "running"
    table.clock.bank.turn(table.waited_for(here), anew=True)
    table.row.waiting_since = table.now
    table.record.keep(table.row)
    table.record.session.flush()


def own_decisions(left: Sequence[Given]) -> list[Given]:
    """Return those of the decisions that are left over that were a person's own: they will be asked for
    again."""
    return [given for given in left if _is_own(given) and (given.order is not None or not given.section)]


def _is_own(given: Given) -> bool:
    """Whether a decision was a person's own, and not one of a standing order, a bot or a default."""
    return given.recorded.entry.by in ("orders", "moderator")
