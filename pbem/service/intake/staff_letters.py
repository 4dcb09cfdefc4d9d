"""Use case: act on a letter of a moderator or an observer, whose sender has been proved.

Each line of the letter is one command (roles.py). What cannot be undone is first answered with what it would
do and the line to send back, which ends with a code: the code holds for this person, this command and the
journal as it is, so it acts once, and not after the game has moved on. Every line is answered.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Literal

from sqlmodel import Session, col, select

from pbem.engine.board import Board
from pbem.engine.language.commands import PLEASE
from pbem.engine.wording import count, unknown
from pbem.mail.address import without_password
from pbem.mail.compose import Attachment
from pbem.mail.letter import Letter, Line, parse
from pbem.service.intake.player_letters import Received
from pbem.service.intake.staff_acts import ACTING, PREVIEWS, TELLING, Answered, Order
from pbem.service.letters.layout import Pictures, Writing, send_plain
from pbem.service.letters.log import Part, local_time
from pbem.service.letters.unproved import held_for
from pbem.service.letters.wrapping import CODED
from pbem.service.moderating.bench import still_disputed, zone_of
from pbem.service.moderating.roles import COMMANDS, Command, commands_of
from pbem.service.moderating.staff_seat import command_lines
from pbem.service.record.errors import StoreError
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import GameRow, LetterRow, OutboxRow, StaffRow
from pbem.service.record.store import is_temporary, locked_game
from pbem.service.record.table import Table

MOST = 20
"""Commands that are carried out in one letter."""

MOST_ACTED = 100
"""At most this many lines that have acted are remembered, to act once."""

CODE = 8
"""Characters of the code by which a command that asks first is sent back."""

EVERY = "all"
"""Stands for all games of its writer, in front of a command."""

_SHELL = {command.shell: command for command in COMMANDS.values() if command.shell}
"""The commands by what the command line calls them."""

_GAME = re.compile(r"([a-z0-9][a-z0-9_-]*): +(.+)", re.IGNORECASE)
_WHY = re.compile(r"(.*?)(?:^| )because\b(?: of\b)?[:,]? ?(.*)", re.IGNORECASE)
_WHY_BEHIND = re.compile(r"([^;]*?) ?;[; ]*(.*)")
"""A reason without because, of commands whose words hold no such sign."""

State = Literal["done", "told", "to confirm", "refused", "not read"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a line."""

    title: str
    state: State
    lines: tuple[str, ...]


@dataclass(slots=True)
class _Letter:
    """A letter of the staff while it is acted on. `people` are the rows of its writer, by game: that of the
    address it came to, and for a moderator those of the other games with this address. `answered` is the
    letter of ours that it answers."""

    session: Session
    now: datetime
    home: GameRow
    people: dict[str, StaffRow]
    letter: Letter
    row: LetterRow
    answered: OutboxRow | None
    results: list[Result] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    board: Board | None = None
    """The map that the answer shows."""

    @property
    def owner(self) -> StaffRow:
        return self.people[self.home.id]

    def table(self, game: str) -> Table:
        """A game as it is now: whatever was taken back before leaves nothing in it."""
        row = self.home if game == self.home.id else locked_game(self.session, game)
        return Table(self.session, row, self.now)

    def prefix(self, game: str) -> str:
        """What a line about a game begins with."""
        return f"{game}: " if len(self.people) > 1 else ""


def answer(table: Table, owner: StaffRow, letter: Letter, row: LetterRow, *, elsewhere: bool) -> Received:
    """Act on a letter of one of the staff and answer it. `elsewhere` says that it may also act in other
    games, in which its writer has the same address."""
    session = table.record.session
    people = {owner.game: owner}
    if elsewhere:
        query = select(StaffRow).where(StaffRow.address == owner.address, StaffRow.role == owner.role)
        for other in session.exec(query.order_by(col(StaffRow.game), col(StaffRow.key).desc())):
            people[other.game] = owner if other.game == owner.game else other
    mail = _Letter(
        session, table.now, table.row, people, letter, row, table.post.answered(letter, owner.key)
    )  # fmt: skip
    _read_and_do(mail, letter)
    states = [result.state for result in mail.results]
    row.orders = states.count("done") + states.count("to confirm")
    said = _in_one_line(states)
    _reply(mail, said)
    wrong = not states or "refused" in states or "not read" in states
    return Received("explained" if wrong else "accepted", owner.game, owner.key, said)


def _in_one_line(states: Sequence[State]) -> str:
    said = [f"{states.count(state)} {state}" for state in dict.fromkeys(states)]
    return ", ".join(said) or "nothing to read"


def _reply(mail: _Letter, said: str) -> None:
    """Answer every line of a letter."""
    parts = [Part(each.title, each.lines, table=True) for each in mail.results if each.state != "not read"]
    if unread := [line for each in mail.results if each.state == "not read" for line in each.lines]:
        parts.append(Part("Not read", tuple(unread), table=True))
    unread = [f"{why}." for why in (*mail.letter.unopened, *mail.letter.faults)]
    if not mail.letter.own:
        unread.append("All of its text is quoted, or it has none. Write your lines above the quotation.")
    if unread:
        parts.append(Part("About your email", tuple(unread)))
    if all(each.state == "not read" for each in mail.results):
        parts.append(Part("Commands", tuple(_help(mail)), table=True))
    elif all(each.state in ("not read", "refused") for each in mail.results):
        parts.append(Part("Commands", ("HELP lists them.",)))
    writing = Writing(
        "desk", f"[{mail.home.id}] Your email: {said}", (), tuple(parts),
        letter=mail.row.id, answers=mail.letter.message_id, about=mail.home.id, files=tuple(mail.files),
    )  # fmt: skip
    pictures = None
    if (board := mail.board) is not None:
        writing, pictures = replace(writing, board=lambda: board), Pictures()
    mail.session.flush()
    send_plain(mail.table(mail.home.id), mail.owner, writing, pictures)


# --- reading ------------------------------------------------------------------------------------------------


def _read_and_do(mail: _Letter, letter: Letter, *, again: bool = False) -> None:
    """Carry out the lines of a letter, one after another; `again` for one that was held until now."""
    done = 0
    for number, text in _joined(mail, without_password(letter.own)):
        read = _read(mail, number, text)
        if isinstance(read, Result):
            mail.results.append(read)
            continue
        for order in read:
            done += 1
            if order.command.name == "CONFIRM" and again:
                mail.results.append(_unread(number, text, "it is in a letter that was held itself"))
            elif done > MOST:
                limit = f"Not done: the limit is {MOST} commands in one email."
                mail.results.append(Result(text, "refused", (limit,)))
            else:
                mail.results.append(_do(mail, order))


def _joined(mail: _Letter, lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """The lines of a letter. One that a mail program has broken before its code is put together again: where
    its code fits, or where no line behind it begins like a command."""
    texts = [(line.number, " ".join(line.text.strip().lstrip("-*• ").split())) for line in lines]
    texts = [(number, text) for number, text in texts if text]
    at = 0
    while at < len(texts):
        number, text = texts[at]
        lasts = 1
        if _parsed(text)[0] and not CODED.fullmatch(text):
            whole, plain = text, True
            for behind, (line, more) in enumerate(texts[at + 1 :], 1):
                if line != number + behind:
                    break
                whole, plain = f"{whole} {more}", plain and _parsed(more)[0] is None
                if CODED.fullmatch(whole) and (plain or _is_asked(mail, whole)):
                    text, lasts = whole, behind + 1
                    break
        yield number, text
        at += lasts


def _is_asked(mail: _Letter, text: str) -> bool:
    """Whether a line has the code that its writer was given for it."""
    read = _read(mail, 0, text)
    return not isinstance(read, Result) and any(_fits(mail, order) for order in read)


def _parsed(text: str) -> tuple[Command | None, str, str]:
    """The command that a line is, as letters or the command line call it; the words behind it, and the game
    in front."""
    match = _GAME.fullmatch(text)
    for game, rest in [("", text), *([(match[1].lower(), match[2])] if match else [])]:
        for shell, command in _SHELL.items():
            if f"{rest.lower()} ".startswith(f"{shell} "):
                return command, rest[len(shell) :].strip(), game
        first, _, words = rest.partition(" ")
        if (known := COMMANDS.get(first.upper().rstrip(".!"))) is not None:
            return known, words.strip(), game
    return None, "", ""


def _read(mail: _Letter, number: int, text: str) -> list[Order] | Result:
    """Read a line as a command, for one game or all of its writer's, or say why it is none."""
    plain, code = text, ""
    if match := CODED.fullmatch(text):
        plain, code = match[1], match[2].lower()
    command, words, game = _parsed(PLEASE.sub("", plain))
    if command is None:
        return _unread(number, text, near=_nearest(mail, text))
    why = ""
    if command.reason and (
        match := _WHY.fullmatch(words) or (None if command.is_free else _WHY_BEHIND.fullmatch(words))
    ):
        words, why = match[1], match[2].strip() if match[2].strip(" .") else ""
    if not command.is_free:
        words = words.rstrip(" .")
    if not re.fullmatch(command.words, words, re.IGNORECASE):
        return _unread(number, text, near=command.usage)
    if mail.owner.role not in command.roles:
        return Result(text, "refused", (f"Not done: only a {' or a '.join(command.roles)} may do this.",))
    where = game or mail.home.id
    if where == EVERY and where not in mail.people:
        return [Order(each, command, words, why, code) for each in mail.people]
    if where not in mail.people:
        known = unknown("you have no game", where, mail.people)
        return Result(text, "refused", (f"Not done: {known}.",))
    if not game and command.name not in ("HELP", "CONFIRM") and _must_say_game(mail):
        example = f"{mail.home.id}: {plain}"
        return Result(text, "refused", ("Not done: say in which game. Send instead:", f"    {example}"))
    return [Order(where, command, words, why, code)]


def _must_say_game(mail: _Letter) -> bool:
    """Whether a line without a game could be about several: its writer has several, and does not answer a
    letter about one alone."""
    about = mail.answered.about.split() if mail.answered is not None else []
    return len(mail.people) > 1 and about != [mail.home.id]


def _nearest(mail: _Letter, text: str) -> str:
    """The line that another was probably meant as: with its own words where these fit the command, else as
    an example; "" if it is like none."""
    known = {command.name: command for command in commands_of(mail.owner.role)}
    first, _, rest = PLEASE.sub("", text).partition(" ")
    near = get_close_matches(first.upper().strip(".,:!"), known, 1, 0.7)
    if not near:
        return ""
    command = known[near[0]]
    words = _WHY.sub(r"\1", rest).rstrip(" .") if command.reason else rest
    fits = re.fullmatch(command.words, words, re.IGNORECASE)
    return f"{command.name} {rest}".strip() if fits else command.usage


def _unread(number: int, text: str, why: str = "", near: str = "") -> Result:
    lines = [f"line {number}: {text}"]
    lines += [f"      {why}"] if why else []
    lines += [f"      If this is a command, write it as: {near}"] if near else []
    return Result(text, "not read", tuple(lines))


# --- doing --------------------------------------------------------------------------------------------------


def _do(mail: _Letter, order: Order) -> Result:
    """Carry out a command: all of it, or nothing."""
    title = f"{mail.prefix(order.game)}{order.line()}"
    try:
        with mail.session.begin_nested():
            state, lines = _done(mail, order)
        return Result(title, state, tuple(lines))
    except StoreError as error:
        mail.session.expire_all()
        return Result(title, "refused", (f"Not done: {_by_mail(str(error))}",))
    except Exception as error:
        if is_temporary(error):
            raise
        mail.session.expire_all()
        fault = traceback.format_exc().splitlines()
        says = f"A moderator's command failed because of an internal error: {order.line()}"
        tell_moderators(mail.session, order.game, says, fault, mail.now, by=mail.people[order.game].key)
        why = f"Not done, because of an internal error of pbem ({type(error).__name__}: {error})."
        return Result(title, "refused", (why, "Nothing has changed. Please tell the host."))


def _by_mail(reason: str) -> str:
    """A reason as a letter has it, without options of the command line."""
    reason = reason.replace(": --why TEXT", "; end the line with because and the reason")
    return reason.rstrip(".") + "."


def _done(mail: _Letter, order: Order) -> tuple[State, list[str]]:
    if order.command.name in _TELLING:
        return _TELLING[order.command.name](mail, order)
    if order.command.how == "tells":
        told = Answered(mail.prefix(order.game), mail.people[order.game].role)
        lines = TELLING[order.command.name](mail.table(order.game), order, told)
        mail.files += told.files
        mail.board = mail.board or told.board
        return "told", lines
    owner = mail.people[order.game]
    if (when := owner.told.get("acted", {}).get(_once(mail, order))) is not None:
        at = local_time(datetime.fromisoformat(when), zone_of(mail.table(order.game)))
        return "told", [f"This line acted already, {at}. It does not act again."]
    act = ACTING[order.command.name]
    if order.command.how == "asks first" and not _fits(mail, order):
        return "to confirm", _preview(mail, order)
    lines = act(mail.table(order.game), order, owner.key).lines()
    _remember(mail, order)
    if order.command.shell.startswith("rule "):
        lines += still_disputed(mail.table(order.game), mail.prefix(order.game))
    return "done", lines


def _preview(mail: _Letter, order: Order) -> list[str]:
    """What a command would do, and the line to send back."""
    if order.command.needs_reason and not order.why:
        raise StoreError("a ruling needs a reason that its readers can understand: --why TEXT")
    owner, code = mail.people[order.game], _code(mail, order)
    nested = mail.session.begin_nested()
    try:
        lines = PREVIEWS[order.command.name](mail.table(order.game), order, owner.key).lines()
    finally:
        nested.rollback()
        mail.session.expire_all()
    if order.code:
        lines = ["The game has moved on since you were asked, or the line has changed.", *lines]
    send = f"{mail.prefix(order.game)}{order.line()} CODE {code}"
    return ["Nothing is done yet.", *lines, "", "To do it, send this line:", f"    {send}"]


def _fits(mail: _Letter, order: Order) -> bool:
    return hmac.compare_digest(order.code, _code(mail, order))


def _code(mail: _Letter, order: Order) -> str:
    """The code of a command: it is keyed with the secret of its writer's reply address, so that nobody else
    can know it, and a new address makes it useless."""
    owner, head = mail.people[order.game], mail.table(order.game).record.journal.head
    said = "|".join([order.game, owner.key, order.line(), head])
    return hmac.digest(owner.token_key, f"pbem code\0{said}".encode(), hashlib.sha256).hex()[:CODE]


def _once(mail: _Letter, order: Order) -> str:
    """What a line is remembered by once it has acted: its code, or the letter that it answers and its words.
    A line of a letter that answers none can act every time."""
    if order.code:
        return order.code
    if mail.answered is None:
        return ""
    said = f"{mail.answered.key}|{order.game}|{order.line().lower()}"
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _remember(mail: _Letter, order: Order) -> None:
    if mark := _once(mail, order):
        owner = mail.people[order.game]
        acted = [*owner.told.get("acted", {}).items(), (mark, mail.now.astimezone(UTC).isoformat())]
        owner.told = owner.told | {"acted": dict(acted[-MOST_ACTED:])}
        mail.session.add(owner)


# --- those that tell of the letter itself -------------------------------------------------------------------


def _help(mail: _Letter) -> Iterator[str]:
    yield from command_lines(mail.owner.role)
    if len(mail.people) > 1:
        yield (
            f"Your games: {', '.join(mail.people)}. A line may begin with one, or with all of them: "
            f"{mail.home.id}: STATUS, {EVERY}: STATUS"
        )


def _tell_help(mail: _Letter, order: Order) -> tuple[State, list[str]]:
    return "told", list(_help(mail))


def _confirm(mail: _Letter, order: Order) -> tuple[State, list[str]]:
    """CONFIRM: act on a held letter of the writer as if it had just arrived; CONFIRM NONE drops all."""
    owner, code = mail.people[order.game], order.words.lower()
    if code == "none":
        dropped = mail.table(order.game).post.drop(owner.key, "dropped by its owner")
        return "done", [f"{count(dropped, 'email')} dropped."]
    letters = [each for each in held_for(mail.table(order.game), owner) if each.code == code]
    if len(letters) != 1:
        raise StoreError("no letter is held under this code")
    row = mail.session.get_one(LetterRow, letters[0].number)
    row.outcome, row.why = "accepted", "confirmed by its owner"
    mail.session.add(row)
    at = len(mail.results)
    _read_and_do(mail, parse(row.raw), again=True)
    done = count(len(mail.results) - at, "line")
    return "done", [
        f"Your email {letters[0].origin(zone_of(mail.table(order.game)))}, is processed now: {done}."
    ]


_TELLING: dict[str, Callable[[_Letter, Order], tuple[State, list[str]]]] = {
    "HELP": _tell_help,
    "CONFIRM": _confirm,
}
