"""The lessons of a tutorial: what each letter of such a game begins with.

A game has lessons if it has a template ``lessons.txt.j2``. What its player has done so far is kept with the
seat and read from the record, so the next lesson follows what was done, whatever the turn. A lesson that was
not done comes again.
"""

from __future__ import annotations

from typing import Any, Final

from pbem.service.letters.log import Part, blocks, has_template
from pbem.service.play.answers import questions
from pbem.service.play.questions import Questions
from pbem.service.play.steps import Step
from pbem.service.record.rows import SeatRow
from pbem.service.record.table import Table

DONE: Final = "lessons"
"""The setting of a seat that holds what its player has done."""

SHOWN: Final = "lesson"
"""The setting of a seat that holds the title of the lesson in its last letter."""

AGAIN = "This lesson is still open. The first line above, and the parts below, say what came of your letter."


def has_lessons(table: Table) -> bool:
    """Whether the letters of a game teach."""
    return is_tutorial(table.game.key)


def is_tutorial(key: str) -> bool:
    """Whether the game with this key is a tutorial: its letters teach."""
    return has_template(key, "lessons")


def learned(table: Table, row: SeatRow, *what: str) -> None:
    """Keep what the player of a seat has done for the first time."""
    known = list(row.settings.get(DONE, ()))
    if new := [each for each in what if each not in known]:
        row.settings = row.settings | {DONE: [*known, *new]}
        table.record.keep(row)


def lesson(table: Table, row: SeatRow, step: Step) -> tuple[Part, ...]:
    """The lesson for the next letter to a seat; none in a game without lessons, nor while its dice wait."""
    if not has_lessons(table) or table.dice.open_round() is not None:
        return ()
    parts = blocks(table.game.key, "lessons", **_facts(table, row, step))
    again = [part.title for part in parts] == row.settings.get(SHOWN) and not step.over
    row.settings = row.settings | {SHOWN: [part.title for part in parts]}
    table.record.keep(row)
    return tuple(Part(part.title, ((AGAIN, "") if again else ()) + part.lines, table=True) for part in parts)


def _facts(table: Table, row: SeatRow, step: Step) -> dict[str, Any]:
    """What the template of the lessons can speak of: the `view`, what was done (`did`), the lines of the
    sheet and those to correct (`lines`, `faulty`: name -> text), the names of the open `questions`, the last
    roll, whether the game has a moderator, and whether it is over."""
    sheet = table.sheet(row)
    asked = Questions.load(row.questions)
    about = {ask.what for ask in questions(step.waiting, row.key)}
    rolls = table.dice.rolls()
    did = {*row.settings.get(DONE, ())}
    did |= {"standing"} if row.standing else set()
    did |= {"dispute"} if any(each.by == row.key for each in table.record.rows(1, "dispute")) else set()
    faulty = {line.title: line.text.strip() for line in sheet.faulty()}
    return {
        "view": table.game.view(step.state, row.key),
        "did": did,
        "lines": {line.title: line.text.strip() for line in sheet.lines if line.title not in faulty},
        "faulty": faulty,
        "questions": [each.title for each in asked.open if each.what in about and each.chosen is None],
        "roll": f"R{rolls[-1].number}" if rolls else "",
        "moderator": bool(table.record.staff("moderator")),
        "over": step.over,
    }
