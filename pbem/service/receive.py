"""Use case: receive a letter. One transaction takes it in, acts on it, and puts the answers into the outbox.

Every letter ends in exactly one of: accepted, explained (answered with what is wrong), held (its sender is in doubt; the owner is told),
quarantined (it belongs to no game here; the moderator is told), ignored (auto-replies, bounces, lists: never answered), stopped (kept until
a game that a fault of pbem has stopped goes on).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from pbem.engine.orders import Command, Grammar, Line, Reading, Roster
from pbem.engine.reading import HEADING
from pbem.mail.address import Claim, find_password, read_address, verify_password, without_password
from pbem.mail.address import check as token_fits
from pbem.mail.letter import Letter, parse
from pbem.service import replies
from pbem.service.adjudicate import Step
from pbem.service.check import Check, check_lines
from pbem.service.desk import questions
from pbem.service.letters import choice_letter, sections_in_turn, upcoming_sections
from pbem.service.start import tell
from pbem.service.store import GameRow, LetterRow, SeatRow, Store, StoreError, locked_game, only_game
from pbem.service.table import Table
from pbem.service.trouble import guarded

Outcome = Literal["accepted", "explained", "held", "quarantined", "ignored", "duplicate", "stopped"]


@dataclass(frozen=True, slots=True)
class Received:
    """What became of a letter. `why` is for the log and the command line."""

    outcome: Outcome
    game: str = ""
    seat: str = ""
    why: str = ""


@dataclass(slots=True)
class Inbox:
    """One letter on its way through: read, authenticated, acted upon."""

    table: Table
    seat: SeatRow
    letter: Letter
    row: LetterRow
    reading: Reading = field(default_factory=Reading)
    answers: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Titled parts for the reply: what commands gave."""


def receive(store: Store, raw: bytes, now: datetime, address: str = "pbem@localhost") -> Received:
    """Take in one mail. `address` is the server's own, from which it writes to moderators. The same mail delivered again changes
    nothing. A fault in the rules stops its game and keeps the letter; other errors pass through, with nothing done."""
    letter = parse(raw)
    with store.transaction() as session:
        identity = identity_of(letter)
        if session.exec(select(LetterRow.id).where(LetterRow.identity == identity)).first() is not None:
            return Received("duplicate", why="this letter has been received before")
        row = LetterRow(
            identity=identity,
            sender=letter.sender,
            message_id=letter.message_id,
            received=now,
            raw=raw,
            outcome="ignored",
        )
        session.add(row)
        session.flush()
        result = _sort(session, letter, row, now, address)
        row.outcome, row.why = result.outcome, result.why
        row.game, row.seat = result.game or None, result.seat
        session.add(row)
    return result


def identity_of(letter: Letter) -> str:
    """The same letter delivered twice has the same identity, whatever the mail servers wrote on it."""
    parts = [letter.message_id, letter.sender, letter.content_digest, *sorted(letter.recipients)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _sort(session: Session, letter: Letter, row: LetterRow, now: datetime, address: str) -> Received:
    if letter.kind != "letter":
        return Received("ignored", why=f"an automatic mail ({letter.kind}): never answered")
    claim = _claim(letter)
    found = _addressed(session, claim.game if claim else "", claim.seat if claim else "", letter)
    if found is None:
        return _quarantined(session, letter, row, now, address)
    game_row, seat = found
    table = Table(session, game_row, now)
    seat = table.seats[seat.key]
    if (doubt := _doubt(letter, seat, claim is not None and token_fits(claim, seat.token_key))) is not None:
        replies.tell_owner(table, seat, letter, row, doubt)
        return Received("held", game_row.id, seat.key, doubt)
    return _taken_up(Inbox(table, seat, letter, row))


def _claim(letter: Letter) -> Claim | None:
    """What seat the letter's recipients claim. Every game may have a server address of its own: the token decides."""
    for recipient in letter.recipients:
        local, _, host = recipient.partition("@")
        if claim := read_address([recipient], f"{local.partition('+')[0]}@{host}"):
            return claim
    return None


def _addressed(
    session: Session, game_id: str, seat_key: str, letter: Letter
) -> tuple[GameRow, SeatRow] | None:
    """The seat that a letter is meant for: by its address, or by its sender and the game named in its subject."""
    if game_id:
        if session.get(SeatRow, (game_id, seat_key)) is None:
            return None
        return _locked(session, game_id, seat_key)
    mine = (
        list(session.exec(select(SeatRow).where(SeatRow.address == letter.sender))) if letter.sender else []
    )
    named = [seat for seat in mine if f"[{seat.game}]" in letter.subject.lower()] or mine
    if len(named) != 1:
        return None
    return _locked(session, named[0].game, named[0].key)


def _locked(session: Session, game_id: str, seat_key: str) -> tuple[GameRow, SeatRow]:
    """The game locked, and the seat as it is now that another letter has been dealt with in the meantime."""
    row = locked_game(session, game_id)
    seat = session.get_one(SeatRow, (game_id, seat_key), populate_existing=True)
    return row, seat


def _doubt(letter: Letter, seat: SeatRow, token_ok: bool) -> str | None:
    """Why the letter may not act, or None if its sender has proved to be the owner of the seat."""
    password = find_password(letter.own)
    password_ok = bool(password and seat.password and verify_password(password, seat.password))
    known = letter.sender == seat.address
    if password_ok and (token_ok or known):
        return None
    if not token_ok:
        return "it was not sent to your secret reply address" + (
            "" if known else f", and it came from {letter.sender or 'nobody'}"
        )
    return None if known else f"it came from {letter.sender or 'an unknown address'}, not from yours"


def _quarantined(session: Session, letter: Letter, row: LetterRow, now: datetime, address: str) -> Received:
    """A letter for no seat here: kept, and the moderator gets a line."""
    games = list(session.exec(select(GameRow)))
    moderators = sorted({str(game.settings["moderator"]) for game in games if game.settings.get("moderator")})
    for moderator in moderators:
        replies.tell_moderator(session, moderator, letter, row, now, address)
    return Received("quarantined", why="it is addressed to no seat of a game here")


# --- acting on a letter -------------------------------------------------------------------------------------


def _taken_up(inbox: Inbox) -> Received:
    """Act on a letter, unless its game is stopped or stops because of it: then it is kept and its sender is told."""
    table, seat, row = inbox.table, inbox.seat.key, inbox.row
    result = guarded(table, lambda: _act(inbox)) if table.row.status != "stopped" else None
    if result is None:
        replies.tell_stopped(table, table.seats[seat], row)
        return Received("stopped", table.row.id, seat, "the game is stopped; the letter is kept")
    return result


def resume(store: Store, game_id: str | None, now: datetime) -> list[Received]:
    """Let a stopped game go on, and take up the letters that were kept meanwhile, in the order in which they came."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        if row.status != "stopped":
            raise StoreError(f"game {row.id} is {row.status}, not stopped")
        row.status, row.trouble = "running", ""
        session.add(row)
        query = select(LetterRow).where(LetterRow.game == row.id, LetterRow.outcome == "stopped")
        results: list[Received] = []
        for letter in session.exec(query.order_by(col(LetterRow.id))).all():
            table = Table(session, row, now)
            result = _taken_up(Inbox(table, table.seats[letter.seat], parse(letter.raw), letter))
            letter.outcome, letter.why = result.outcome, result.why
            session.add(letter)
            session.flush()
            results.append(result)
        return results


def _act(inbox: Inbox) -> Received:
    table, seat = inbox.table, inbox.seat
    here = table.here()
    inbox.row.game, inbox.row.seat, inbox.row.turn = table.row.id, seat.key, here.turn
    roster = table.game.roster(here.state, seat.key)
    coming = sections_in_turn(table.game, here, seat.key)
    lines = _placed(table.game.grammar, roster, coming, _written(inbox.letter))
    inbox.reading = table.game.grammar.read(lines, roster, next(iter(coming), ""))
    trying = any(command.name == "try" for command in inbox.reading.commands)
    kept = _Kept.of(seat)
    _commands(inbox, here)
    _take(inbox, here)
    here_papers = table.papers(here.state)
    new = {(line.section, line.text) for line in inbox.reading.orders}
    check = check_lines(table.game, table.position(), here_papers[seat.key], here_papers, new)
    said = _said(inbox, "final", "done", "answer", "withdraw")
    given = len(inbox.reading.orders) + len(inbox.reading.standing) + len(said)
    inbox.row.orders = 0 if trying else given or len(inbox.reading.headings)
    faults = bool(inbox.reading.faults)
    if trying:
        kept.back_to(seat)
        replies.confirm(inbox, here, check, final=False, after=here, trial=True)
        return Received("explained", table.row.id, seat.key, "tried, nothing kept")
    final = _release(inbox, here, check)
    table.session.add(seat)
    acts = bool(inbox.row.orders)
    moves = seat.released or inbox.reading.standing or _said(inbox, "answer")
    steps = table.play_on(here, letter=inbox.row.id) if moves else None
    replies.confirm(inbox, here, check, final=final, after=steps[-1] if steps else here)
    if steps:
        tell(inbox.table, steps)
    for command in _said(inbox, "confirm"):
        _confirmed(inbox, command.argument)
    outcome: Outcome = "explained" if faults or not (acts or inbox.reading.commands) else "accepted"
    return Received(outcome, table.row.id, seat.key, replies.in_one_line(inbox, final))


def _confirmed(inbox: Inbox, code: str) -> None:
    """CONFIRM: the owner stands by a letter that was held; it is acted upon now, as if it had just come."""
    table = inbox.table
    query = select(LetterRow).where(
        LetterRow.game == table.row.id, LetterRow.seat == inbox.seat.key, LetterRow.outcome == "held",
        col(LetterRow.identity).startswith(code),
    )  # fmt: skip
    row = table.session.exec(query).first()
    if row is not None:
        result = _act(Inbox(table, inbox.seat, parse(row.raw), row))
        row.outcome, row.why = result.outcome, f"confirmed by its owner: {result.why}"
        table.session.add(row)


@dataclass(slots=True)
class _Kept:
    """A seat's papers as they were before a letter that is only tried."""

    values: dict[str, Any]

    NAMES = ("lines", "wanted", "released", "standing", "answers")

    @classmethod
    def of(cls, seat: SeatRow) -> _Kept:
        return cls({name: getattr(seat, name) for name in cls.NAMES})

    def back_to(self, seat: SeatRow) -> None:
        for name, value in self.values.items():
            setattr(seat, name, value)


def _written(letter: Letter) -> list[tuple[int, str]]:
    """The lines that the sender wrote, empty ones kept, for they end a block. Who writes between the lines of a quoted order form writes under
    its headings: a quoted heading counts when something of his own stands in its block."""
    lines: list[tuple[int, str]] = []
    heading: tuple[int, str] | None = None
    block_ends = False
    for line in without_password(letter.lines):
        if line.quoted:
            text = line.text.lstrip("> ").rstrip()
            if HEADING.fullmatch(text):
                heading, block_ends = (line.number, text), False
            elif text and block_ends:
                heading = None
            block_ends = block_ends or not text
        elif line.text.strip() and heading is not None:
            lines.append(heading)
            heading = None
        lines.append((line.number, "" if line.quoted else line.text))
    return lines


def _placed(
    grammar: Grammar, roster: Roster, coming: Sequence[str], lines: Sequence[tuple[int, str]]
) -> list[tuple[int, str]]:
    """The lines of a letter, where those before its first heading that can only be orders of a later section stand under the heading of the
    next such section: corrected lines may be sent alone. The first of `coming` is in force at the beginning."""
    placed: list[tuple[int, str]] = []
    now = first = next(iter(coming), "")
    for at, line in enumerate(lines):
        if grammar.begins(line[1]):
            return [*placed, *lines[at:]]
        section = first
        if any(map(str.isdigit, line[1])):
            section = next((each for each in coming if _is_read(grammar.read([line], roster, each))), first)
        if section != now and line[1].strip():
            placed.append((line[0], f"[{section}]"))
            now = section
        placed.append(line)
    return placed


def _is_read(reading: Reading) -> bool:
    return bool(reading.orders or reading.standing or reading.commands)


def _said(inbox: Inbox, *names: str) -> list[Command]:
    return [command for command in inbox.reading.commands if command.name in names]


def _take(inbox: Inbox, here: Step) -> None:
    """Keep the good lines: a new line for the same subject replaces the old one, standing orders are added."""
    seat, table = inbox.seat, inbox.table
    if inbox.reading.orders:
        before = table.lines(seat, here.state) if seat.lines else ()
        lines = merged(before, inbox.reading.orders)
        seat.lines = [[line.section, line.text] for line in lines]
        table.know(seat, here.state, lines)
    standing = list(seat.standing)
    for line in inbox.reading.standing:
        if line.policy is None:
            standing = (
                []
                if not line.kind
                else [text for text in standing if not _of_kind(table, text, line.kind, here)]
            )
        elif (text := table.game.grammar.write_standing(line)) not in standing:
            standing.append(text)
    seat.standing = standing


def _of_kind(table: Table, text: str, kind: str, here: Step) -> bool:
    reading = table.game.grammar.read([(1, text)], table.game.roster(here.state, table.row.id), "standing")
    return any(line.kind == kind for line in reading.standing)


def merged(before: Sequence[Line], new: Sequence[Line]) -> list[Line]:
    """The kept lines with new ones: a new line takes the place of the old ones of the same section and verb that share a subject. Where
    lines are legs of one move, those of the same letter follow one another; where they head others, each of a letter stands where it was written."""
    kept = list(before)
    fresh: list[Line] = []
    for line in new:
        rivals = [old for old in kept if _rivals(line, old)]
        last = next((old for old in reversed(fresh) if old in rivals), None) if line.order.legs else None
        if last is not None:
            kept.insert(kept.index(last) + 1, line)
        elif rivals and not (line.order.heads and all(old in fresh for old in rivals)):
            at = kept.index(rivals[0])
            kept = [old for old in kept if old not in rivals]
            kept.insert(min(at, len(kept)), line)
        elif line.order.leads:
            kept.insert(_first_follower(kept, line), line)
        else:
            kept.append(line)
        fresh.append(line)
    return kept


def _first_follower(kept: Sequence[Line], leader: Line) -> int:
    """The place of the first line of the same section that does not lead (`Order.leads`)."""
    places = [at for at, line in enumerate(kept) if line.section == leader.section and not line.order.leads]
    return places[0] if places else len(kept)


def _rivals(line: Line, old: Line) -> bool:
    """Whether two lines are of one section and verb, and about the same units."""
    same = old.section == line.section and old.order.verb == line.order.verb
    return same and not set(line.order.subjects()).isdisjoint(old.order.subjects())


def _release(inbox: Inbox, here: Step, check: Check) -> bool:
    """Whether the seat's orders are final now. A letter without faults is final for the sections it names and those before them, unless it
    says DRAFT; FINAL makes a faulty one final without its bad lines, and alone what has been drafted. Of sections that chance brings up it is
    final for those alone that it, or a faulty one before it, names."""
    seat, table = inbox.seat, inbox.table
    coming = upcoming_sections(table.game, here, seat.key)
    named = {line.section for line in inbox.reading.orders} | set(inbox.reading.headings)
    drawn = table.game.grammar.titles
    if not named and (said := _said(inbox, "done", "final")):
        kept = {section for section, _ in seat.lines if section in drawn and said[-1].name == "final"}
        named = set(seat.wanted) | kept or set(sections_in_turn(table.game, here, seat.key)[:1])
    in_order = [section for section in coming if section not in drawn]
    places = [in_order.index(section) for section in named if section in in_order]
    wanted = set(seat.wanted) | set(in_order[: max(places) + 1] if places else ())
    if not _said(inbox, "draft"):
        wanted |= {section for section in named if section in coming and section in drawn}
    seat.wanted = sorted(wanted)
    if _said(inbox, "draft") or not named or not wanted:
        return False
    if (inbox.reading.faults or inbox.letter.too_big or not check.ok) and not _said(inbox, "final"):
        return False
    if _said(inbox, "final"):
        bad = [checked.line for checked in check.lines if checked.verdict == "no"]
        seat.lines = [
            pair for pair in seat.lines if pair not in [[line.section, line.text] for line in bad if line]
        ]
        if check.missing:
            return False
    seat.released = sorted(set(seat.released) | wanted)
    seat.wanted = []
    return True


def _commands(inbox: Inbox, here: Step) -> None:
    """Carry out the letter commands, each in the order written; a letter that is only tried tells nobody and salts nothing."""
    if _said(inbox, "try"):
        _leave_out(inbox, "press", "salt", "ruling", "dispute", "confirm")
    for command in inbox.reading.commands:
        action = replies.COMMANDS.get(command.name)
        if action is not None:
            action(inbox, here, command)
    for command in _said(inbox, "answer"):
        _answer(inbox, here, command)
    for command in _said(inbox, "withdraw"):
        _withdraw(inbox, here, command)
    for command in _said(inbox, "salt"):
        text = command.text.replace("|", " ").replace(" / ", " ").strip()
        inbox.table.journal.append(
            inbox.table.row.phase, "salt", inbox.seat.key, text, at=inbox.table.now, letter=inbox.row.id
        )
        inbox.answers.append(("Salt", (f'"{text}" counts in every roll from the next phase on.',)))


def _leave_out(inbox: Inbox, *names: str) -> None:
    left = [command for command in inbox.reading.commands if command.name in names]
    inbox.answers += [
        (command.name.capitalize(), ("Not done: this letter was only tried.",)) for command in left
    ]
    rest = tuple(command for command in inbox.reading.commands if command not in left)
    inbox.reading = replace(inbox.reading, commands=rest)


def _answer(inbox: Inbox, here: Step, command: Command) -> None:
    """ANSWER n: a letter or the words of an option of the open decision n."""
    asks = questions(here.waiting, inbox.seat.key)
    number = int(command.argument)
    if not 1 <= number <= len(asks):
        have = f"there are {len(asks)}" if asks else "nothing is asked of you now"
        inbox.answers.append((f"Answer {number}", (f"There is no question {number}: {have}.",)))
        return
    ask = asks[number - 1]
    value = replies.chosen(ask, command.text)
    if value is None:
        listed = ", ".join(f"{choice_letter(at)} {option}" for at, option in enumerate(ask.options))
        inbox.answers.append(
            (f"Answer {number}", (f'"{command.text}" is not one of: {listed} [{ask.case}]',))
        )
        return
    inbox.seat.answers = inbox.seat.answers | {ask.what: value}
    inbox.answers.append((f"Answer {number}", (f"{ask.what}: {value}",)))


def _withdraw(inbox: Inbox, here: Step, command: Command) -> None:
    """WITHDRAW: take back kept lines, all or those about some units or hexes."""
    words = {
        word.strip().lower() for word in command.argument.replace(" and ", ",").split(",") if word.strip()
    }
    lines = inbox.table.lines(inbox.seat, here.state)
    gone = [
        line for line in lines
        if not words or "all" in words or words & {subject.lower() for subject in line.order.subjects()}
    ]  # fmt: skip
    inbox.seat.lines = [[line.section, line.text] for line in lines if line not in gone]
    inbox.seat.released = []
    inbox.answers.append(
        ("Withdrawn", tuple(line.text for line in gone) or ("nothing: no such order was kept",))
    )
