"""Use case: receive a letter. One transaction stores it, acts on it and puts the replies into the outbox.

Every letter ends as exactly one of: accepted, explained (answered with its errors), held (sender in doubt;
the owner is notified), quarantined (belongs to no game here; the moderator is notified), ignored
(auto-replies, bounces, loops: never answered), stopped (kept until its game resumes after an internal error),
duplicate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, or_, select

from pbem.mail.address import Claim, find_password, read_address, verify_password
from pbem.mail.address import check as token_fits
from pbem.mail.letter import Letter, parse
from pbem.service import commands
from pbem.service.inbox import Inbox, consider, drop_refused, inbox_of, keep, set_aside
from pbem.service.letters import doubts
from pbem.service.letters.log import Part, local_time
from pbem.service.letters.replies import in_one_line, is_unread, reply
from pbem.service.letters.reports import answer, tell
from pbem.service.store import GameRow, LetterRow, SeatRow, Store, StoreError, locked_game, only_game
from pbem.service.strays import kept
from pbem.service.table import Table
from pbem.service.trouble import guarded

Outcome = Literal["accepted", "explained", "held", "quarantined", "ignored", "duplicate", "stopped"]

IDLE_LETTERS = 20
"""Answer at most this many letters without orders per seat and hour: more must come from a program."""


@dataclass(frozen=True, slots=True)
class Received:
    """What became of a letter. `why` is for the log and the command line; `also` says what became of it in
    other games and seats that it was sent to."""

    outcome: Outcome
    game: str = ""
    seat: str = ""
    why: str = ""
    also: tuple[Received, ...] = ()


def receive(store: Store, raw: bytes, now: datetime, address: str = "pbem@localhost") -> Received:
    """Receive one email. `address` is the server's own, used to write to moderators. A duplicate changes
    nothing. An error in the rules stops its game and keeps the letter; other errors pass through with nothing
    stored."""
    letter = parse(raw)
    first, *others = [_received(store, letter, raw, claim, now, address) for claim in _claims(letter)]
    return replace(first, also=tuple(others))


def _claims(letter: Letter) -> Sequence[Claim | None]:
    """The seats that the recipients of a letter claim, each once. Every game may have a server address of its
    own: the token decides."""
    found: dict[tuple[str, str], Claim] = {}
    for recipient in letter.recipients:
        local, _, host = recipient.partition("@")
        if claim := read_address([recipient], f"{local.partition('+')[0]}@{host}"):
            found.setdefault((claim.game, claim.seat), claim)
    return list(found.values()) or [None]


def _received(
    store: Store, letter: Letter, raw: bytes, claim: Claim | None, now: datetime, address: str
) -> Received:
    with store.transaction() as session:
        row = LetterRow(
            identity=identity_of(letter, claim), words=words_of(letter, claim), digest=letter.digest,
            sender=letter.sender, message_id=letter.message_id, received=now, raw=raw, outcome="ignored",
        )  # fmt: skip
        if _is_known(session, row):
            return Received("duplicate", why="this letter has already been received")
        session.add(row)
        session.flush()
        result = _sort(session, letter, claim, row, now, address)
        row.outcome, row.why = result.outcome, result.why
        row.game, row.seat = result.game or None, result.seat
        if result.outcome in ("quarantined", "ignored"):
            row.raw = kept(raw)
        session.add(row)
    return result


def identity_of(letter: Letter, claim: Claim | None) -> str:
    """The same letter delivered twice to a seat has the same identity, whatever the mail servers wrote on
    it."""
    return _digest(letter.message_id, letter, claim)


def words_of(letter: Letter, claim: Claim | None) -> str:
    """Return the identity of a letter from its words and date, for copies with another Message-ID; "" without
    a date."""
    return _digest(letter.date.isoformat(), letter, claim) if letter.date else ""


def _digest(first: str, letter: Letter, claim: Claim | None) -> str:
    to = [claim.game, claim.seat] if claim else sorted(letter.recipients)
    parts = [first, letter.sender, letter.content_digest, *to]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _is_known(session: Session, row: LetterRow) -> bool:
    same = col(LetterRow.identity) == row.identity
    if row.words:
        same = or_(same, col(LetterRow.words) == row.words)
    return session.exec(select(LetterRow.id).where(same)).first() is not None


def _sort(
    session: Session, letter: Letter, claim: Claim | None, row: LetterRow, now: datetime, address: str
) -> Received:
    if letter.kind not in ("letter", "list"):
        return Received("ignored", why=f"an automatic email ({letter.kind}): never answered")
    found = _addressed(session, claim.game if claim else "", claim.seat if claim else "", letter)
    token_ok = found is not None and claim is not None and token_fits(claim, found[1].token_key)
    if letter.kind == "list" and not token_ok:
        return Received("ignored", why="an automatic email (list): never answered")
    if found is None:
        return _quarantined(session, letter, row, now, address)
    game_row, seat = found
    table = Table(session, game_row, now)
    seat = table.seats[seat.key]
    if (doubt := _doubt(letter, seat, token_ok)) is not None:
        doubts.tell_owner(table, seat, letter, row, doubt)
        return Received("held", game_row.id, seat.key, doubt)
    if _loops(session, game_row.id, seat.key, now):
        return Received(
            "ignored",
            game_row.id,
            seat.key,
            f"{IDLE_LETTERS} letters without an order within an hour: a loop?",
        )
    return _taken_up(table, seat, letter, row)


def _loops(session: Session, game: str, seat: str, now: datetime) -> bool:
    """Whether a seat has had so many replies to letters without orders that a program must be writing."""
    query = select(LetterRow.orders).where(
        LetterRow.game == game, LetterRow.seat == seat, col(LetterRow.received) > now - timedelta(hours=1),
        col(LetterRow.outcome).in_(("accepted", "explained")),
    )  # fmt: skip
    last = session.exec(query.order_by(col(LetterRow.id).desc()).limit(IDLE_LETTERS)).all()
    return len(last) == IDLE_LETTERS and not any(last)


def _addressed(
    session: Session, game_id: str, seat_key: str, letter: Letter
) -> tuple[GameRow, SeatRow] | None:
    """The seat that a letter is meant for: by its address, or by its sender and the game named in its
    subject."""
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
    known = letter.sender == seat.address and not letter.doubtful
    if password_ok and (token_ok or known):
        return None
    if letter.doubtful:
        return letter.doubtful
    from_ = f"it came from {letter.sender or 'an unknown address'}, which is not your registered address"
    if not token_ok:
        return "it was not sent to your secret reply address" + ("" if known else f", and {from_}")
    return None if known else from_


def _quarantined(session: Session, letter: Letter, row: LetterRow, now: datetime, address: str) -> Received:
    """Keep a letter for no seat here and notify the moderators."""
    doubts.tell_of_stray(session, list(session.exec(select(GameRow))), letter, row, now, address)
    return Received("quarantined", why="it is not addressed to any seat of a game here")


# --- acting on a letter -------------------------------------------------------------------------------------


def _taken_up(table: Table, seat: SeatRow, letter: Letter, row: LetterRow) -> Received:
    """Act on a letter. If its game is stopped, or stops because of it, keep the letter and notify its
    sender."""
    key = seat.key
    result = None
    if table.row.status != "stopped":
        result = guarded(table, lambda: _act(inbox_of(table, seat, letter, row)))
    if result is None:
        doubts.tell_stopped(table, table.seats[key], row, letter)
        return Received("stopped", table.row.id, key, "the game is stopped; the letter is kept")
    return result


def resume(store: Store, game_id: str | None, now: datetime) -> list[Received]:
    """Resume a stopped game and process the letters kept since, in order of arrival."""
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
            result = _taken_up(table, table.seats[letter.seat], parse(letter.raw), letter)
            letter.outcome, letter.why = result.outcome, result.why
            session.add(letter)
            session.flush()
            results.append(result)
        return results


def _act(inbox: Inbox) -> Received:
    table, seat, row = inbox.table, inbox.seat, inbox.row
    row.game, row.seat, row.turn = table.row.id, seat.key, inbox.here.turn
    consider(inbox)
    if inbox.said("confirm") and not inbox.tried:
        _confirm(inbox)
        inbox.here = table.here()
        consider(inbox)
    commands.press_back(inbox)
    commands.act(inbox)
    after = inbox.here
    if inbox.tried:
        set_aside(inbox)
    elif keep(inbox):
        inbox.steps = table.play_on(inbox.here, letter=row.id)
        after = inbox.steps[-1]
        drop_refused(inbox)
    inbox.parts += commands.carry_out(inbox, after)
    if inbox.steps:
        tell(table, inbox.steps, reply(inbox, after))
    else:
        answer(table, after, reply(inbox, after))
    wrong = bool(inbox.reading.faults) or bool(inbox.judgement.faulty()) or is_unread(inbox) or inbox.tried
    return Received("explained" if wrong else "accepted", table.row.id, seat.key, in_one_line(inbox))


def _confirm(inbox: Inbox) -> None:
    """CONFIRM: act on a held letter of the owner as if it had just arrived."""
    for command in inbox.said("confirm"):
        row = _held(inbox, command.argument)
        if row is None:
            inbox.parts.append(Part("Confirm", ("No letter is held under this code.",)))
            continue
        when = local_time(row.received, inbox.seat.zone)
        inbox.parts.append(Part("Confirm", (f"Your letter of {when} is processed now.",)))
        result = _act(inbox_of(inbox.table, inbox.seat, parse(row.raw), row))
        row.outcome, row.why = result.outcome, f"confirmed by its owner: {result.why}"
        inbox.table.session.add(row)


def _held(inbox: Inbox, code: str) -> LetterRow | None:
    """The held letter that CONFIRM is about: the one with this code, else the one that the answered letter
    was about."""
    table = inbox.table
    query = select(LetterRow).where(
        LetterRow.game == table.row.id, LetterRow.seat == inbox.seat.key, LetterRow.outcome == "held"
    )
    if code:
        query = query.where(col(LetterRow.identity).startswith(code))
    elif inbox.answered is not None and inbox.answered.letter:
        query = query.where(LetterRow.id == inbox.answered.letter)
    rows = table.session.exec(query).all()
    return rows[0] if len(rows) == 1 else None
