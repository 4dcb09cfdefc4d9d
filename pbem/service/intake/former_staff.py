"""Use case: a letter of somebody who moderated or watched a game and has been removed. It does nothing and is
kept. He reads so at most once a day, and the moderators of the game read of it."""

from __future__ import annotations

import re
from datetime import UTC

from pbem.mail.letter import Letter
from pbem.service.intake.player_letters import Received
from pbem.service.intake.strays import tell_of_stray
from pbem.service.letters.former import KIND, Former, write_once
from pbem.service.letters.layout import Writing
from pbem.service.letters.log import Part
from pbem.service.moderating.held import first_line
from pbem.service.moderating.staff_seat import removals
from pbem.service.record.rows import LetterRow
from pbem.service.record.table import Table

_NAMED = re.compile(r"\[([a-z0-9_-]{1,64})\]")


def named_game(subject: str) -> str:
    """The game that a subject names, as those of our letters do; "" if it names none."""
    named = _NAMED.search(subject.lower())
    return named[1] if named else ""


def former_staff(table: Table, address: str, key: str = "") -> tuple[Former, str] | None:
    """Who was removed from the staff of the game and had this address, with his role; None if nobody was.
    With a `key` he must have had it."""
    for row in reversed(removals(table)):
        was = row.answer.get("was")  # what was removed before pbem wrote this down is known to nobody
        if was and was["address"] == address != "" and key in ("", row.answer["staff"]):
            return Former(row.answer["staff"], was["name"], was["address"], was["zone"]), was["role"]
    return None


def answer_former(table: Table, who: tuple[Former, str], letter: Letter, row: LetterRow) -> Received:
    """Keep a letter of somebody who was removed; tell him and the moderators. `row` is the letter as it is
    stored."""
    person, role = who
    named, game = person.name or person.address, table.row.id
    news = f"{named}, who is no longer {role}, has written; the letter is kept: SHOW {row.id}"
    moderated = table.record.tell_moderators(news, [first_line(letter)])
    if not moderated:
        tell_of_stray(table.record.session, letter, row, table.now)
    reads = "the moderator of the game reads of it" if moderated else "the host of the game finds it"
    lines = [f"You are no longer {role} of {game}. Nothing of your letter was done. It is kept: {reads}."]
    if table.clock.has_part(person.address):
        lines.append("For the part that you have in the game now, answer one of the letters about that.")
    subject = f"Re: [{game}] You are no longer {role}"
    writing = Writing(KIND, subject, (), (Part("You are no longer of the staff", tuple(lines)),))
    day = f"staff-{table.now.astimezone(UTC):%Y-%m-%d}"
    answered = write_once(table, person, writing, day, letter.message_id)
    why = f"from {person.address}, who is no longer {role}{': the reply says so' * answered}"
    return Received("quarantined", game, person.seat, why)
