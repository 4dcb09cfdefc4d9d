"""What pbem writes back to a letter: the confirmation with everything that was read, what letter commands gave, and the notices to owners and
moderators."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from pbem.engine.game import SYSTEM
from pbem.engine.orders import Command
from pbem.engine.play import Ask
from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.service.adjudicate import Step
from pbem.service.check import Check, Checked, fault_lines
from pbem.service.letters import (
    Part,
    Pictures,
    Writing,
    awaited_lines,
    choice_letter,
    forces,
    local_time,
    log_of_phases,
    open_orders,
    order_form,
    phase_title,
    send,
    what_next,
)
from pbem.service.notices import post_notice
from pbem.service.store import LetterRow, SeatRow
from pbem.service.table import Table

if TYPE_CHECKING:
    from pbem.service.receive import Inbox

MARKS = {"ok": " ok  ", "no": " NO  ", "if": " if  ", "later": "later"}
PRESS_LIMIT = 20
"""Messages that a seat may send with PRESS in one turn."""


# --- the confirmation ---------------------------------------------------------------------------------------


def confirm(inbox: Inbox, here: Step, check: Check, *, final: bool, after: Step, trial: bool = False) -> None:
    """P2, P3: one answer to every letter that was read, with the whole set of its seat's orders. `after` is the game once the letter has
    been acted upon."""
    table, seat = inbox.table, inbox.seat
    lead = (_headline(inbox, here, check, final, trial),)
    parts: list[Part] = []
    if inbox.reading.faults:
        lines = tuple(line for fault in inbox.reading.faults for line in fault_lines(fault))
        parts.append(Part("Lines left out" if final else "Lines that need you", lines, table=True))
    if check.lines:
        title = "Your orders, tried" if trial else "Your orders as they stand"
        parts.append(Part(title, tuple(shown(check)), table=True))
    if check.missing and (check.lines or inbox.reading.commands):
        parts.append(Part("Still missing", tuple(check.missing)))
    if seat.standing:
        parts.append(Part("Your standing orders", tuple(seat.standing)))
    parts += [Part(title, lines, table=True) for title, lines in inbox.answers]
    if unread := [f"line {number}: {text.strip()}" for number, text in inbox.reading.unread if text.strip()]:
        parts.append(Part("Not read as orders", tuple(unread[:20])))
    if inbox.letter.faults:
        parts.append(Part("About the mail itself", inbox.letter.faults))
    if not final and not trial and (inbox.reading.orders or inbox.reading.faults):
        parts.append(Part("What next", (what_next(table, seat),)))
    parts.append(Part("Awaited", awaited_lines(table, after, seat.key)))
    receipt = f"Letter received {local_time(table.now, seat.zone)}, SHA-256 {inbox.letter.digest}"
    parts.append(Part("Receipt", (receipt,)))
    orders = tuple(
        f"[{checked.line.section}] {checked.line.text.strip()}" for checked in check.lines if checked.line
    )
    writing = Writing(
        "reply", f"Re: [{table.row.id}] {phase_title(table.game, here.label) if here.label else 'The game is over'}",
        lead, tuple(parts), board=_map_wanted(inbox, here), orders=orders,
    )  # fmt: skip
    send(
        table, seat.key, writing, here, Pictures(), answers=inbox.letter.message_id, number=inbox.row.id or 0
    )


def _headline(inbox: Inbox, here: Step, check: Check, final: bool, trial: bool) -> str:
    """``cotentin · turn 2 · Allied · received 21:14 Europe/Paris · nothing is final yet: 1 line needs you``"""
    table, seat = inbox.table, inbox.seat
    wrong = len(inbox.reading.faults) + sum(checked.verdict == "no" for checked in check.lines)
    if trial:
        state = "only tried: nothing was kept"
    elif final:
        state = "final"
    elif wrong:
        state = f"nothing is final yet: {wrong} line{'s need' if wrong > 1 else ' needs'} you"
    elif inbox.reading.orders:
        state = "kept as a draft"
    else:
        state = "received"
    when = local_time(table.now, seat.zone)
    return f"{table.row.id} · turn {here.turn} · {table.game.seat(seat.key).title} · {when} · {state}"


def shown(check: Check) -> list[str]:
    """All orders of a check and what would become of them; under headings, where they may be for sections of which chance decides."""
    lines: list[str] = []
    section = ""
    for checked in check.lines:
        if check.titles and checked.line and checked.line.section != section:
            section = checked.line.section
            lines.append(f"[{section}]")
        lines += order_lines(checked)
    return lines


def order_lines(checked: Checked) -> list[str]:
    """One order and what would become of it, as a confirmation shows it."""
    text = checked.line.text.strip() if checked.line else ""
    first = f"{MARKS.get(checked.verdict, '     ')} {text}"
    bare = re.split("[;#]", text, maxsplit=1)[0].strip()
    says = [f"        {line}" for line in checked.says if line.strip() != bare]
    if checked.error is not None and checked.error.legal:
        says.append("        legal: " + ", ".join(checked.error.legal))
    return [first, *says]


def _map_wanted(inbox: Inbox, here: Step) -> Any:
    if not any(command.name == "map" for command in inbox.reading.commands):
        return None
    table = inbox.table
    return table.game.board(table.game.view(here.state, inbox.seat.key), ())


def in_one_line(inbox: Inbox, final: bool) -> str:
    reading = inbox.reading
    what = f"{len(reading.orders)} orders, {len(reading.standing)} standing, {len(reading.commands)} commands, {len(reading.faults)} faults"
    return f"{what}; {'final' if final else 'not final'}"


def tell_stopped(table: Table, seat: SeatRow, row: LetterRow) -> None:
    """The sender of a letter to a game that a fault of pbem has stopped."""
    if seat.address:
        lines = [
            "The game was stopped by a fault of pbem. The moderator has been told, and your letter is kept:",
            "it is taken up when the game goes on.",
        ]
        key = Key(table.row.id, table.phase().label, seat.key, "stopped", row.id or 0)
        post_notice(
            table.session,
            table.address,
            seat.address,
            f"[{table.row.id}] The game is stopped",
            lines,
            table.now,
            key,
        )


# --- letter commands ----------------------------------------------------------------------------------------


def _help(inbox: Inbox, here: Step, command: Command) -> None:
    text = inbox.table.game.grammar.help(command.argument or None)
    inbox.answers.append(
        (f"Help{': ' + command.argument if command.argument else ''}", tuple(text.splitlines()))
    )


def _status(inbox: Inbox, here: Step, command: Command) -> None:
    table = inbox.table
    view = table.game.view(here.state, inbox.seat.key)
    inbox.answers.append(("Status", (view.title,)))
    inbox.answers += [(part.title, part.lines) for part in forces(table.game, view)]


def _map(inbox: Inbox, here: Step, command: Command) -> None:
    inbox.answers.append(("Map", ("The map as you see it now is in this letter.",)))


def _log(inbox: Inbox, here: Step, command: Command) -> None:
    turn = int(command.argument) if command.argument else here.turn
    rows = [row for row in inbox.table.phases() if row.turn == turn]
    parts = log_of_phases(inbox.table, inbox.seat.key, rows, here)
    inbox.answers += [(part.title, part.lines) for part in parts] or [
        (f"Log of turn {turn}", ("nothing to tell",))
    ]


def _history(inbox: Inbox, here: Step, command: Command) -> None:
    """What the dice decided, phase by phase; LOG gives the whole of a turn."""
    parts = log_of_phases(inbox.table, inbox.seat.key, inbox.table.phases(), here)
    found = [(part.title, tuple(line for line in part.lines if line.startswith("R"))) for part in parts]
    inbox.answers += [(f"History: {title}", lines or ("no dice",)) for title, lines in found]
    if not found:
        inbox.answers.append(("History", ("nothing has happened yet",)))


def _orders(inbox: Inbox, here: Step, command: Command) -> None:
    lines = [f"[{section}] {text}" for section, text in inbox.seat.lines]
    inbox.answers.append(("Orders kept", tuple(lines) or ("none",)))
    if open_orders(here.waiting, inbox.seat.key) is not None:
        inbox.answers.append(
            ("Order form", tuple(order_form(inbox.table, here, inbox.seat.key).splitlines()))
        )


def _standing(inbox: Inbox, here: Step, command: Command) -> None:
    lines = tuple(inbox.seat.standing)
    inbox.answers.append(("Standing orders", lines or ("none; HELP standing says what there is",)))


def _press(inbox: Inbox, here: Step, command: Command) -> None:
    """PRESS to a seat, to all, or to the moderator; the words go on as they are."""
    table, to = inbox.table, command.argument.lower()
    sent = table.press_count(inbox.seat.key, here.turn)
    if sent >= PRESS_LIMIT:
        inbox.answers.append(("Press", (f"Not sent: {PRESS_LIMIT} messages a turn are enough.",)))
        return
    others = [key for key, row in table.seats.items() if key != inbox.seat.key and row.bot != SYSTEM]
    seats = [key for key in others if to in ("all", key, table.game.seat(key).title.lower())]
    moderator = str(table.row.settings.get("moderator", "")) if to in ("moderator", "umpire") else ""
    if not seats and not moderator:
        known = ", ".join([*others, "all", "moderator"])
        inbox.answers.append(
            ("Press", (f'There is nobody called "{command.argument}"; there are: {known}.',))
        )
        return
    sender = table.game.seat(inbox.seat.key).title
    part = Part(f"Press from {sender}{' to all' if to == 'all' else ''}", tuple(command.text.splitlines()))
    writing = Writing("press", f"[{table.row.id}] Press from {sender}", (), (part,))
    table.journal.append(
        table.row.phase, "press", f"{inbox.seat.key} to {to}", command.text, at=table.now, letter=inbox.row.id
    )
    for key in seats:
        send(table, key, writing, here, Pictures(), number=table.journal.last)
    if moderator:
        post_notice(
            table.session, table.address, moderator,
            f"[{table.row.id}] Press from {sender}", list(part.lines), table.now,
            Key(table.row.id, here.label, "moderator", "press", table.journal.last),
        )  # fmt: skip
    inbox.answers.append(("Press", (f"Sent to {command.argument.capitalize() if to != 'all' else 'all'}.",)))


def _dispute(inbox: Inbox, here: Step, command: Command) -> None:
    """DISPUTE, RULING: the moderator gets the request with the roll's proof."""
    table = inbox.table
    moderator = str(table.row.settings.get("moderator", ""))
    found = [roll for roll in table.rolls() if f"R{roll.number}" == command.argument]
    if not found:
        inbox.answers.append((command.argument, ("There is no such roll in the log.",)))
        return
    roll = found[0]
    lines = (
        f"{command.argument} {roll.phase}|{roll.label} = {', '.join(map(str, roll.faces))}",
        command.text,
    )
    inbox.answers.append(
        (
            f"Roll {command.argument}",
            (lines[0], "The link of its turn is revealed when the turn is over; pbem dice verify checks it."),
        )
    )
    if moderator:
        post_notice(
            table.session, table.address, moderator,
            f"[{table.row.id}] {inbox.seat.key} asks for a ruling on {command.argument}", list(lines), table.now,
            Key(table.row.id, here.label, "moderator", f"ruling-{command.argument}", inbox.row.id or 0),
        )  # fmt: skip


COMMANDS: dict[str, Callable[[Any, Step, Command], None]] = {
    "help": _help,
    "status": _status,
    "map": _map,
    "log": _log,
    "history": _history,
    "orders": _orders,
    "standing": _standing,
    "press": _press,
    "ruling": _dispute,
    "dispute": _dispute,
}


def chosen(ask: Ask[Any], text: str) -> Any | None:
    """The option that the words of an answer name: its letter, its text, or the beginning of its text alone."""
    word = text.strip().strip(".").lower()
    words = {word, re.split(r"[,;.!(]| -", word, maxsplit=1)[0].strip()}
    for at, option in enumerate(ask.options):
        if words & {choice_letter(at), str(option).lower()}:
            return option
    begun = [option for option in ask.options if str(option).lower().startswith(word)]
    return begun[0] if len(begun) == 1 else None


# --- notices ------------------------------------------------------------------------------------------------


def tell_owner(table: Table, seat: SeatRow, letter: Letter, row: LetterRow, doubt: str) -> None:
    """A letter that claims a seat without proving it: nothing is done, and the owner learns of it."""
    if not seat.address:
        return
    lines = [
        f"A letter that claims to be yours ({table.game.seat(seat.key).title} in {table.row.id}) was not acted upon: {doubt}.",
        f"It came from {letter.sender or 'nobody'} with the subject: {letter.subject}",
        f"If it was yours, answer to the address of a letter from this game, from the address it is sent to: CONFIRM {row.identity[:8]}",
        "If it was not, there is nothing to do: the game has not changed.",
    ]
    key = Key(table.row.id, table.phase().label, seat.key, "doubt", row.id or 0)
    base = table.address
    post_notice(
        table.session,
        base,
        seat.address,
        f"[{table.row.id}] A letter in your name was not acted upon",
        lines,
        table.now,
        key,
    )


def tell_moderator(
    session: Session, moderator: str, letter: Letter, row: LetterRow, now: datetime, address: str
) -> None:
    """One line for the moderator about a letter that belongs to no game."""
    lines = [
        f"Set aside: a letter from {letter.sender or 'nobody'}, subject {letter.subject!r}, letter number {row.id}."
    ]
    post_notice(
        session,
        address,
        moderator,
        "A letter was set aside",
        lines,
        now,
        Key("pbem", "", moderator.partition("@")[0], "aside", row.id or 0),
    )
