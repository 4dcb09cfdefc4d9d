"""Use case: remind the seats that the game is waiting for of a deadline that is near."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.wording import count
from pbem.service.intake.inbox import choices
from pbem.service.letters.layout import Writing, send_plain
from pbem.service.letters.log import Part, due_words, local_time
from pbem.service.letters.reports import waiting_lines
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section, phase_title
from pbem.service.play.steps import Step
from pbem.service.record.table import Table


def remind(table: Table, here: Step) -> list[str]:
    """Write to each seat whose reminder is due now, once for each deadline. Return these seats."""
    reminded = table.clock.to_remind(here)
    for seat in reminded:
        send_plain(table, table.seats[seat], _reminder(table, here, seat), asks=here)
        table.clock.promise(seat, here)
    if reminded:
        due = table.deadline(here)
        assert due is not None
        known = table.row.clock.get("reminded", {})
        table.clock.remember(reminded=known | dict.fromkeys(reminded, due.isoformat()))
    return reminded


def _reminder(table: Table, here: Step, seat: str) -> Writing:
    """What is asked, until when, what happens otherwise, and the line to send: nothing else of the game."""
    row, due = table.seats[seat], table.deadline(here)
    assert due is not None
    title = phase_title(table.game, here.label)
    return Writing(
        "reminder",
        f"[{table.row.id}] {title}: reminder, due {local_time(due, row.zone)}",
        (f"pbem is waiting for you, until {due_words(due, table.now, row.zone)}.",),
        (
            Part("Waiting for", waiting_lines(table, here, seat)),
            Part("To answer", tuple(_to_answer(table, here, seat)), table=True),
        ),
        section=asked_section(here, seat),
    )


def _to_answer(table: Table, here: Step, seat: str) -> Iterator[str]:
    """The lines that end the waiting, each with what it does."""
    row, section = table.seats[seat], asked_section(here, seat)
    if not section:
        asks = {ask.what for ask in questions(here.waiting, seat)}
        for question in Questions.load(row.questions).open:
            if question.what in asks and question.chosen is None:
                yield f" {question.title}: a        answers: {question.what} ({choices(question)})"
        yield " DEFAULTS     leaves every question to your standing orders and the defaults"
        return
    lines, faulty = table.sheet(row).of(section), table.sheet(row).faulty(section)
    if not lines:
        yield f"You have no lines for [{section}] yet."
        yield f" NO ORDERS: {section}     closes it without any"
    elif faulty:
        yield f"You have {count(len(lines), 'line')} for [{section}], of which {len(faulty)} to correct."
        yield f" DONE {section} ANYWAY     plays the others"
    else:
        yield f"You have {count(len(lines), 'line')} for [{section}], as a draft."
        yield f" DONE {section}     plays what you have"
    yield " ORDERS     sends your lines and the order form"
