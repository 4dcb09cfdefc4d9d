"""What the planner would order in a seat's place, in the lines of a letter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.engine.wording import unknown
from pbem.service.play.advising import Advised, advice
from pbem.service.play.questions import Questions
from pbem.service.play.sections import asked_section
from pbem.service.record.errors import StoreError
from pbem.service.record.table import Table


def advised(table: Table, seat: str) -> tuple[str, ...]:
    """What the planner would send for a seat now. The same position brings the same advice. Raises StoreError
    for an unknown seat."""
    if seat not in table.seats:
        raise StoreError(unknown(f"game {table.row.id} has no seat", seat, table.seats))
    sample = f"{table.row.id}|{seat}|{table.record.journal.head}"
    asked = Questions.load(table.seats[seat].questions)
    kept = table.sheet(table.seats[seat]).sections()
    given = advice(table.game, table.position(), seat, sample)
    if not given:
        return tuple(_nothing(asked_section(table.here(), seat), kept))
    return tuple(_lines(given, asked, kept))


def _nothing(section: str, kept: Collection[str]) -> Iterator[str]:
    """What is advised where the planner would order nothing: the line that ends the section that waits for
    it, with the lines `kept` or without any."""
    if not section:
        yield "Nothing waits for you now."
    elif section in kept:
        yield f"; The planner would add nothing in [{section}]. This closes it with your lines:"
        yield f"DONE {section}"
    else:
        yield f"; The planner would order nothing in [{section}]. This closes it:"
        yield f"NO ORDERS: {section}"


def _lines(given: Sequence[Advised], asked: Questions, kept: Collection[str]) -> Iterator[str]:
    """The advice as a letter that can be sent as it is: orders below their headings, answers by the numbers
    of their questions, all else as comments. Advice for a section with lines `kept` takes their place."""
    yield "; What the planner would send in your place: an idea, not the best move."
    yield "; Nothing of it is kept. Send the lines that you want."
    numbers = {question.what: question.title for question in asked.open}
    section, supposed, last = None, False, ""
    begun = set[str]()
    for each in given:
        if each.supposed and not supposed:
            supposed = True
            yield ""
            yield "; Dice must fall before what follows. Each line has a ; in front."
            yield "; With dice as imagined here:"
            section = None
        aside = "; " if supposed else ""
        if each.section != section:
            section = each.section
            yield ""
            if section:
                replaces = section in kept and section not in begun and not supposed
                yield f"{aside}{'new ' if replaces else ''}[{section}]"
                begun.add(section)
        if each.section:
            line = f"{aside}{each.says}"
        else:
            number = numbers.pop(each.what, "") if not supposed else ""
            line = f"{number}: {each.says}" if number else f"; {each.what}: {each.says}"
        if line != last:
            yield line
        last = line
