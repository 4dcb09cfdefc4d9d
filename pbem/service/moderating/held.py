"""Use cases: letters that did not act, because their sender was in doubt, their game was stopped, or they
belong to no game. Those that act on a letter work on an open table (hosting.carry_out opens one)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.mail.address import without_codes, without_password
from pbem.mail.letter import Letter, parse
from pbem.mail.text import plain
from pbem.service.letters.diary import without_diary
from pbem.service.letters.unproved import sender_for
from pbem.service.moderating.hosting import Done, note
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store
from pbem.service.record.table import Table

KEPT = ("held", "stopped", "quarantined")
"""The outcomes of letters that did not act and still can, or can be looked at."""

MOST_SHOWN = 200
"""Moderators read at most this many characters of a letter of somebody who no longer has a part in it."""

MOST_LINES = 200
"""At most this many lines of a kept letter are shown."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A letter that did not act; `why` says why not."""

    number: int
    outcome: str
    game: str
    seat: str
    received: datetime
    sender: str
    subject: str
    why: str

    def line(self) -> str:
        """The letter in one line, without anything that a terminal would act on."""
        whose = f"{self.game} {self.seat}" if self.game else "no game"
        subject = shown(self.subject) or "(no subject)"
        return f"{self.number:>5}  {self.outcome:<11} {whose}  from {shown(self.sender) or '?'}  {subject}"


def letters(store: Store, game_id: str | None = None) -> list[Kept]:
    """Return the letters that did not act, of one game or of all and of none, oldest first."""
    with store.transaction() as session:
        return kept_letters(session, game_id)


def kept_letters(session: Session, game_id: str | None = None, *outcomes: str) -> list[Kept]:
    """Return the letters that did not act, of one game or of all and of none, oldest first: those with these
    outcomes, or all."""
    query = select(LetterRow).where(col(LetterRow.outcome).in_(outcomes or KEPT))
    if game_id:
        query = query.where(LetterRow.game == game_id)
    return [
        Kept(
            row.id or 0, row.outcome, row.game or "", row.seat, row.received, row.sender,
            parse(row.raw).subject, row.why,
        )
        for row in session.exec(query.order_by(col(LetterRow.id)))
    ]  # fmt: skip


def shown(text: str) -> str:
    """A line of somebody else's as a terminal or a letter can show it: without control characters, without
    signs that turn its direction, without the codes that quoted subjects have."""
    return without_codes(" ".join(plain(text).split("\n")))


def page(session: Session, number: int, game_id: str | None = None) -> list[str]:
    """Return what a letter that was received says, headers and text, without anything that a terminal would
    act on; its password and what is for a diary are left out. Raise StoreError if there is none of this
    number (in a game)."""
    row = session.get(LetterRow, number)
    if row is None or (game_id is not None and row.game != game_id):
        raise StoreError(f"there is no letter {number} here: pbem mail list shows those that did not act")
    letter = parse(row.raw)
    heads = {
        "Letter": f"{number}, {row.outcome}: {row.why}" if row.why else f"{number}, {row.outcome}",
        "Of": f"{row.game} {row.seat}" if row.game else "no game",
        "From": ", ".join(letter.senders),
        "To": ", ".join(map(_without_token, letter.recipients)),
        "Subject": letter.subject,
        "Date": f"{letter.date:%a %d %b %Y %H:%M %z}" if letter.date else "",
        "Message-ID": letter.message_id,
    }
    lines = [f"{name + ':':<12}{shown(value)}" for name, value in heads.items() if value]
    lines.append("")
    text = [shown(line) for line in without_diary(without_password(letter.lines))]
    lines += text[:MOST_LINES]
    if len(text) > MOST_LINES:
        lines.append(f"... and {len(text) - MOST_LINES} more lines")
    return lines + [f"({shown(fault)})" for fault in (*letter.faults, *letter.unopened)]


def first_line(letter: Letter) -> str:
    """The first line of a letter, as moderators read it in their digest."""
    first = next((line.text for line in letter.own if line.text.strip()), "")
    return f"> {shown(first)[:MOST_SHOWN]}"


def _without_token(address: str) -> str:
    """A recipient without the secret part of a reply address."""
    local, _, host = address.partition("@")
    head, plus, rest = local.partition("+")
    whose = rest.rpartition(".")[0]
    return f"{head}+{whose}...@{host}" if plus and whose else address


def game_of(store: Store, number: int) -> str | None:
    """Return the game of a letter that was received, None if it belongs to none. Raise StoreError if there is
    no such letter."""
    with store.transaction() as session:
        row = session.get(LetterRow, number)
        if row is None:
            raise StoreError(f"there is no letter {number} here: pbem mail list shows those that did not act")
        return row.game


def discard(table: Table, number: int, *, by: str, why: str) -> Done:
    """Never act on a letter that is held, kept for a stopped game, or of somebody who is no longer of the
    staff; its seat gets a letter about it."""
    row = kept(table, number, "discarded", *KEPT)
    row.outcome, row.why = "discarded", f"discarded by {by}"
    table.record.keep(row)
    says = f"A letter in the name of {row.seat} from {row.sender or 'an unknown address'} is discarded"
    told = {
        key: f"A letter in your name from {sender_for(table, seat, row.sender)} is discarded"
        for key, seat in table.seats.items()
        if key == row.seat
    }
    return note(table, "discard", {"letter": number, "seat": row.seat}, says, told, by=by, why=why)


def discard_stray(store: Store, number: int, *, by: str, dry_run: bool = False) -> Done:
    """Strike a letter that belongs to no game from the list; nobody is told."""
    with store.transaction() as session:
        row = session.get(LetterRow, number)
        if row is None or row.outcome != "quarantined":
            raise StoreError(f"letter {number} is not one that belongs to no game")
        row.outcome, row.why = "ignored", f"discarded by {by}"
        session.add(row)
        if dry_run:
            session.rollback()
    says = f"letter {number}, which belongs to no game, is discarded"
    return Done("", "discard", (says,), done=not dry_run)


def kept(table: Table, number: int, done: str, *outcomes: str) -> LetterRow:
    """A letter of a game with one of these outcomes, which is to be `done`. Raise StoreError for any
    other."""
    row = table.record.session.get(LetterRow, number)
    if row is None or row.game != table.row.id or row.outcome not in outcomes:
        what = f"is {row.outcome}" if row is not None and row.game == table.row.id else "is not there"
        raise StoreError(f"letter {number} cannot be {done}: it {what}, not {' or '.join(outcomes)}")
    return row
