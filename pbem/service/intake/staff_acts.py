"""What each command of the staff does (moderating/roles.py lists them), once it has been read and its sender
has been proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from typing import Any, Protocol

from sqlmodel import col, select

from pbem.engine.board import Board
from pbem.engine.game import SYSTEM
from pbem.engine.notes import UMPIRE
from pbem.engine.wording import unknown
from pbem.mail.compose import Attachment, attach
from pbem.service.intake import commands, released
from pbem.service.letters.log import local_time, log_of_phases, who
from pbem.service.letters.maps import board_of
from pbem.service.letters.rolls.page import page_of
from pbem.service.letters.ruled import What
from pbem.service.moderating import ending, held, library, missed, people, proposals, timing
from pbem.service.moderating.bench import dispute_part, held_part, waiting_part, zone_of
from pbem.service.moderating.hosting import Done
from pbem.service.moderating.roles import Command, parted, ruling_written
from pbem.service.moderating.rulings.named import decisions_at
from pbem.service.moderating.rulings.ruling import rule_on
from pbem.service.moderating.seats import let_play
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import OutboxRow
from pbem.service.record.table import Table
from pbem.service.record.terms import hours


class Shown(Protocol):
    """What was done, or would be, in lines."""

    def lines(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Order:
    """A line of a letter as a command. `words` follow its name, `why` is the reason, `code` what it ends
    with if it was sent back."""

    game: str
    command: Command
    words: str = ""
    why: str = ""
    code: str = ""

    def line(self) -> str:
        """The command as it is written, without game and code."""
        why = f" because {self.why}" if self.why else ""
        return f"{self.command.name} {self.words}".strip() + why


Act = Callable[[Table, Order, str], Shown]
"""What a command does, given the game, the line and the key of its writer."""

# --- those that act -----------------------------------------------------------------------------------------

_RULINGS: tuple[What, ...] = ("uphold", "reroll", "set", "strike", "correct", "back", "position", "undo")


def _ruling(what: What, *, dry_run: bool = False) -> Act:
    def act(table: Table, order: Order, by: str) -> Shown:
        proposals.must_be_free(table, by)
        about = parted(what, order.words)
        if table.row.settings.get("signers") == 2 and not dry_run:
            return proposals.ask_for_signature(table, what, *about, by=by, why=order.why)
        return rule_on(table, what, *about, by=by, why=order.why, dry_run=dry_run)

    return act


def _propose(table: Table, order: Order, by: str) -> Shown:
    """Propose a ruling, written as its own command is, to those who play."""
    return proposals.propose_ruling(table, *ruling_written(order.words), by=by, why=order.why)


def _done(act: Callable[..., Done], *read: Callable[[str], Any]) -> Act:
    """A use case whose arguments are the words of the line, as many as there are readers: the last takes the
    rest of the line."""

    def do(table: Table, order: Order, by: str) -> Shown:
        words = order.words.split(" ", len(read) - 1) if read else []
        given = [each(word) for each, word in zip(read, words, strict=True)]
        return act(table, *given, by=by, why=order.why)

    return do


def _extend(table: Table, order: Order, by: str) -> Shown:
    try:
        return timing.extend(table, hours(order.words), by=by, why=order.why)
    except ValueError as error:
        raise StoreError(str(error)) from error


def _terms(table: Table, order: Order, by: str) -> Shown:
    return timing.set_terms(table, timing.terms_written(order.words), by=by, why=order.why)


def _bot(table: Table, order: Order, by: str) -> Shown:
    """Hand a seat to a bot, or back, and play on."""
    seat, bot = order.words.lower().split()
    return let_play(table, seat, bot, by=by, why=order.why)


def _remove(table: Table, order: Order, by: str) -> Shown:
    """REMOVE: not its own writer, whose answer would have nobody to go to."""
    key = order.words.lower()
    if key == by:
        raise StoreError(
            f"{key} is you. Another moderator can remove you, or the host: pbem player remove "
            f"--game {table.row.id} {key}"
        )
    return people.remove_staff(table, key, by=by, why=order.why)


def _discard(table: Table, order: Order, by: str) -> Shown:
    return held.discard(table, int(order.words), by=by, why=order.why)


def _release(table: Table, order: Order, by: str) -> Shown:
    return released.release(table, int(order.words), by=by, why=order.why)


def _press(table: Table, order: Order, by: str) -> Shown:
    """Write to a player, or to all."""
    to, text = (each.strip() for each in order.words.split(":", 1))
    people = [key for key, row in table.seats.items() if row.address and not row.bot]
    seats = [key for key in people if to.lower() in ("all", *commands.names(table, key))]
    if not seats or not text:
        nobody = unknown("nobody here is called", to, [*people, "all"])
        raise StoreError(nobody if text else "the message is empty")
    asked = f"{commands.MODERATOR} to {to.lower()}"
    table.record.journal.append(table.row.phase, "press", asked, text, at=table.now, by=by)
    here = table.here()
    commands.send_press(table, here, commands.MODERATOR, seats, text, to_all=to.lower() == "all")
    says = f"press sent to {' and '.join(who(table, key) for key in seats)}: {text}"
    return Done(table.row.id, "press", (says,), tuple(seats))


ACTING: Mapping[str, Act] = {
    **{what.upper(): _ruling(what) for what in _RULINGS},
    "PROPOSE": _propose,
    "SIGN": _done(proposals.sign, int),
    "REFUSE": _done(proposals.refuse, int),
    "SIGNERS": _done(people.set_signers, str),
    "EXTEND": _extend,
    "PAUSE": _done(timing.pause),
    "CONTINUE": _done(timing.go_on),
    "RESTART": _done(timing.restart),
    "AWAY": _done(timing.away, str.lower, str, str),
    "TERMS": _terms,
    "FORCE": _done(missed.force),
    "RESUME": _done(released.resume),
    "END": _done(ending.end, str.lower),
    "JOIN": _done(people.join, str.lower, str),
    "REPLACE": _done(people.replace, str.lower, str),
    "SUBSTITUTE": _done(people.substitute, str.lower, str),
    "RETURN": _done(people.give_back, str.lower),
    "EJECT": _done(people.eject, str.lower),
    "BOT": _bot,
    "STANDBY": _done(people.standby, str),
    "ADDRESS": _done(people.set_address, str.lower, str),
    "NAME": _done(people.set_name, str.lower, str),
    "TOKEN": _done(people.renew_token, str.lower),
    "ADD": _done(people.add_staff, str.lower, str),
    "DELAY": _done(people.set_delay, str.lower, str.lower),
    "REMOVE": _remove,
    "SENDERS": _done(people.set_senders, str.lower),
    "ANONYMOUS": _done(people.set_anonymous, str.lower),
    "ADVICE": _done(people.set_advice, str.lower),
    "MUTE": _done(people.mute, str.lower),
    "UNMUTE": _done(people.unmute, str.lower),
    "OPEN": _done(people.set_open, str.lower),
    "RELIABILITY": _done(people.set_reliability, str.lower),
    "RELEASE": _release,
    "DISCARD": _discard,
    "PRESS": _press,
}

PREVIEWS: Mapping[str, Act] = {**ACTING} | {what.upper(): _ruling(what, dry_run=True) for what in _RULINGS}
"""What a command would do, for those that ask first: whoever calls it must roll back."""


# --- those that tell ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Answered:
    """What a letter is answered with beside lines: files, and the map that the letter shows. `prefix` is what
    a line about the game begins with, `role` what its writer is there."""

    prefix: str
    role: str
    files: list[Attachment] = field(default_factory=list)
    board: Board | None = None


Tell = Callable[[Table, Order, Answered], list[str]]


def _show(table: Table, order: Order, answered: Answered) -> list[str]:
    """SHOW: all about a roll, or a letter that was received."""
    if order.words.isdecimal():
        return held.page(table.record.session, int(order.words), order.game)
    return page_of(table, order.words.upper()).lines()


def _status(table: Table, order: Order, answered: Answered) -> list[str]:
    """STATUS: for an observer what everybody may know, for a moderator also what needs one."""
    lines = [*waiting_part(table).lines]
    if answered.role == "moderator":
        parts = [held_part(table, answered.prefix)]
        if table.row.status != "stopped":
            parts.insert(0, dispute_part(table, answered.prefix, table.now))
        for part in parts:
            lines += ["", part.title, *part.lines] if part.lines else ["", f"{part.title}: none"]
    return lines


def _list(table: Table, order: Order, answered: Answered) -> list[str]:
    """LIST: what was thrown and decided in a turn, by the names that rulings use."""
    _, turn = _seat_and_turn(table, order.words)
    listed = decisions_at(table, turn)
    lines, phase = [], ""
    for item in listed:
        if item.phase != phase:
            phase = item.phase
            lines.append(phase)
        lines.append(f"  {item.names:<10} {item.text}")
    return lines or ["Nothing was thrown or decided in this turn yet."]


def _rulings(table: Table, order: Order, answered: Answered) -> list[str]:
    """RULINGS: those of the game, then those of the library, on a case or with some words."""
    key = table.row.game
    here = (library.Entry(key, order.game, library.as_told(key, row)) for row in table.record.rulings)
    of_others = library.library(table.record.session, key)
    mine = library.about(here, order.words)
    found = [each for each in library.about(of_others, order.words) if each.game != order.game]
    return library.told([*mine, *found]) or ["There are none."]


def _log(table: Table, order: Order, answered: Answered) -> list[str]:
    """LOG: what a seat knows of a turn, or the umpire."""
    seat, turn = _seat_and_turn(table, order.words)
    here = table.here()
    turn = here.turn if turn is None else turn
    rows = [row for row in table.record.phases() if row.turn == turn]
    if not rows:
        raise StoreError(f"turn {turn} has not begun: it is turn {here.turn}")
    parts = log_of_phases(table, seat, rows, here)
    return [line for part in parts for line in (part.title, *part.lines, "")][:-1] or [
        "Nothing has happened."
    ]


def _map(table: Table, order: Order, answered: Answered) -> list[str]:
    """MAP: the whole map as a seat sees it, or the umpire; with "all" that of each."""
    from pbem import render

    every = re.match(r"all\b", order.words, re.IGNORECASE)
    seat, turn = _seat_and_turn(table, order.words[3:] if every else order.words)
    here, lines = table.here(), []
    playing = [key for key, row in table.seats.items() if row.bot != SYSTEM]
    for reader in (UMPIRE, *playing) if every else (seat,):
        board, _ = board_of(table, here, reader, turn)
        whose = "the whole map" if reader == UMPIRE else f"the map as {table.game.seat(reader).title} sees it"
        name = f"map-{reader}{f'-t{turn}' if turn is not None else ''}.svg"
        answered.files.append(attach(name, "image/svg+xml", render.whole_svg(board, "paper")))
        answered.board = answered.board or board
        lines.append(f"{name} is attached: {whose}, to zoom into.")
    return lines


def _become(table: Table, order: Order, answered: Answered) -> list[str]:
    """BECOME: the last letter to a seat that shows it the game, in its own words. Its reply address stays
    secret: who has it could play."""
    seat, _ = _seat_and_turn(table, order.words)
    if seat == UMPIRE:
        raise StoreError(unknown(f"game {table.row.id} has no seat", order.words, table.seats))
    kinds = col(OutboxRow.kind).in_(("turn", "reply", "ruling"))
    query = select(OutboxRow).where(OutboxRow.game == table.row.id, OutboxRow.seat == seat, kinds)
    last = table.record.session.exec(query.order_by(col(OutboxRow.id).desc()).limit(1)).first()
    if last is None:
        return [f"No letter with the game has gone to {who(table, seat)} yet."]
    text = message_from_bytes(last.raw, policy=policy.default).get_body(("plain",))
    body = text.get_content().rstrip().splitlines() if text is not None else []
    return [f"Subject: {last.subject}", f"written {local_time(last.created, zone_of(table))}", "", *body]


def _people(table: Table, order: Order, answered: Answered) -> list[str]:
    return people.listed(table)


def _seat_and_turn(table: Table, words: str) -> tuple[str, int | None]:
    """Return the seat that words name, the umpire's for none, and the turn, if any. Raises StoreError."""
    found = re.fullmatch(r"(?P<seat>(?!turn\b)\S*)? ?(?:turn (?P<turn>\d+))?", words.strip(), re.IGNORECASE)
    seat = (found["seat"] or UMPIRE).lower() if found else words
    if seat not in (UMPIRE, *table.seats):
        raise StoreError(unknown(f"game {table.row.id} has no seat", seat, table.seats))
    return seat, int(found["turn"]) if found and found["turn"] else None


TELLING: Mapping[str, Tell] = {
    "SHOW": _show,
    "STATUS": _status,
    "LIST": _list,
    "RULINGS": _rulings,
    "LOG": _log,
    "MAP": _map,
    "BECOME": _become,
    "PEOPLE": _people,
}
