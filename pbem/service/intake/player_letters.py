"""Use case: act on a letter of a player, whose sender has been proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from textwrap import shorten
from typing import Literal

from sqlmodel import col, select

from pbem.engine.wording import count
from pbem.mail.letter import Letter, parse
from pbem.service.intake import commands
from pbem.service.intake.inbox import Inbox, acts, consider, drop_refused, inbox_of, keep, set_aside
from pbem.service.intake.reading import Readings
from pbem.service.intake.replies import in_one_line, is_chat, is_unread, pleas_of, reply
from pbem.service.intake.trouble import guarded
from pbem.service.letters import doubts
from pbem.service.letters.lessons import DONE, has_lessons, learned
from pbem.service.letters.log import Part, writer
from pbem.service.letters.reports import answer, tell
from pbem.service.letters.unproved import Held, held_for
from pbem.service.record.rows import LetterRow, SeatRow
from pbem.service.record.table import Table

Outcome = Literal[
    "accepted", "explained", "held", "quarantined", "ignored", "duplicate", "stopped", "waiting"
]

CHAT_SHOWN = 200
"""The moderator reads at most this many characters of a line that was not read."""


@dataclass(frozen=True, slots=True)
class Received:
    """What became of a letter. `why` is for the log and the command line; `also` says what became of it in
    other games and seats that it was sent to."""

    outcome: Outcome
    game: str = ""
    seat: str = ""
    why: str = ""
    also: tuple[Received, ...] = ()


def process(
    table: Table, seat: SeatRow, letter: Letter, row: LetterRow, readings: Readings | None = None
) -> Received:
    """Act on a letter. If its game is stopped, or stops because of it, keep the letter and notify its
    sender. Raises DoFirst if `readings` lacks that of a long letter."""
    key = seat.key
    result = None
    if table.row.status != "stopped":
        result = guarded(table, lambda: _act(inbox_of(table, seat, letter, row, readings)))
    if result is None:
        doubts.tell_stopped(table, table.seats[key], row, letter)
        return Received("stopped", table.row.id, key, "the game is stopped; the letter is kept")
    return result


def let_in_waiting(table: Table) -> list[Received]:
    """Process the letters that have waited for a round of the beacon, in order of arrival, until the game
    waits for another one."""
    query = select(LetterRow).where(LetterRow.game == table.row.id, LetterRow.outcome == "waiting")
    results: list[Received] = []
    for row in table.record.session.exec(query.order_by(col(LetterRow.id))).all():
        if table.dice.open_round() is not None:
            break
        again = Table(table.record.session, table.row, table.now)
        result = process(again, again.seats[row.seat], parse(row.raw), row)
        row.outcome, row.why = result.outcome, result.why
        table.record.keep(row)
        table.record.session.flush()
        results.append(result)
    return results


def _act(inbox: Inbox) -> Received:
    table, seat, row = inbox.table, inbox.seat, inbox.row
    consider(inbox)
    if table.dice.open_round() is not None and acts(inbox):
        doubts.tell_waiting(table, seat, row, inbox.letter)
        return Received("waiting", table.row.id, seat.key, "kept until the dice have fallen")
    if inbox.said("confirm") and not inbox.tried:
        _confirm(inbox)
        inbox.here = table.here()
        consider(inbox)
    commands.press_back(inbox)
    commands.act(inbox)
    after = inbox.here
    if inbox.tried:
        set_aside(inbox)
    else:
        plays = keep(inbox)
        commands.first_salt(inbox)
        if plays:
            inbox.steps = table.play_on(inbox.here, letter=row.id)
            after = inbox.steps[-1]
            drop_refused(inbox)
    inbox.parts += commands.carry_out(inbox, after)
    if has_lessons(table):
        learned(table, seat, *_done(inbox))
    if inbox.steps:
        tell(table, inbox.steps, seat.key, lambda: reply(inbox, after))
    else:
        answer(table, after, reply(inbox, after))
    _tell_of_words(inbox)
    wrong = bool(inbox.reading.faults) or bool(inbox.judgement.faulty()) or is_unread(inbox) or inbox.tried
    return Received("explained" if wrong else "accepted", table.row.id, seat.key, in_one_line(inbox))


def _done(inbox: Inbox) -> Iterator[str]:
    """What the lessons of a tutorial ask for that a letter has done."""
    if inbox.tried:
        yield from ("try",) if inbox.reading.orders or inbox.reading.faults else ()
        return
    known = inbox.seat.settings.get(DONE, ())
    if inbox.sheet.faulty():
        yield "mistake"
    elif "mistake" in known and (inbox.reading.orders or inbox.said("withdraw")):
        yield "correct"
    if inbox.closing.closed:
        yield "done"
    if inbox.answers and not inbox.refused:
        yield "answer"


def _tell_of_words(inbox: Inbox) -> None:
    """Let the moderators know of lines that ask for help, whatever else is in the letter, and of a letter in
    which nothing was read: it may be a plea in words that pbem does not know."""
    table, key, pleas = inbox.table, inbox.seat.key, pleas_of(inbox)
    lines = [f"> {shorten(each.text.strip(), CHAT_SHOWN, placeholder=' ...')}" for each in pleas]
    if is_chat(inbox):
        first = next(each for each in inbox.reading.unread if each.text.strip())
        lines.insert(0, f"> {shorten(first.text.strip(), CHAT_SHOWN, placeholder=' ...')}")
        says = f"A letter of {writer(table, key)} held nothing that pbem reads"
    elif lines:
        says = f"{writer(table, key)} asks for help"
    else:
        return
    if pleas:
        game, today = table.row.id, table.now.date()
        lines += [
            "What may help, with your own words and days:",
            f"{game}: PRESS {key}: your words",
            f"{game}: AWAY {key} {today} {today + timedelta(days=7)}",
            f"{game}: EXTEND 3d",
            f"{game}: SUBSTITUTE {key} somebody@mail.example",
        ]
    table.record.tell_moderators(says, [*dict.fromkeys(lines)], urgent=bool(pleas))


def _confirm(inbox: Inbox) -> None:
    """CONFIRM: act on a held letter of the owner as if it had just arrived; CONFIRM NONE drops all."""
    table, seat = inbox.table, inbox.seat
    for command in inbox.said("confirm"):
        code = command.argument.lower()
        if code == "none":
            dropped = table.post.drop(seat.key, "dropped by its owner")
            inbox.parts.append(Part("Confirm", (f"{count(dropped, 'held email')} dropped.",)))
            continue
        held = _held(inbox, code)
        if isinstance(held, str):
            inbox.parts.append(Part("Confirm", (held,)))
            continue
        inbox.parts.append(Part("Confirm", (f"Your email {held.origin(seat.zone)}, is processed now.",)))
        row = table.record.session.get_one(LetterRow, held.number)
        row.outcome = "accepted"  # it is held no longer, so that no letter written for it says so
        table.record.keep(row)
        result = _act(inbox_of(table, seat, parse(row.raw), row, inbox.readings))
        row.outcome, row.why = result.outcome, f"confirmed by its owner: {result.why}"
        table.record.keep(row)


def _held(inbox: Inbox, code: str) -> Held | str:
    """The held letter that CONFIRM is about: the one with this code. Without a code it is the newest, if it
    is the only one or the answered letter is about it; else say which there are to choose from."""
    held = held_for(inbox.table, inbox.seat)
    if code:
        return next((each for each in held if each.code == code), "No letter is held under this code.")
    if not held:
        return "No letter is held in your name."
    asked = inbox.answered.letter if inbox.answered is not None else None
    if len(held) == 1 or held[0].number == asked:
        return held[0]
    return (
        f"{count(len(held), 'email')} are held, so CONFIRM needs a code; the newest is {held[0].confirm()}."
    )
