"""Notices about letters that may not act. The owner of a seat is notified of letters in its name, the
moderator of letters that belong to no game, each at most once a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.engine.wording import count
from pbem.mail.compose import Key
from pbem.mail.letter import Letter
from pbem.service.letters.layout import Writing, send_plain
from pbem.service.letters.log import Part
from pbem.service.letters.notices import moderator, post_notice
from pbem.service.play.sections import phase_title
from pbem.service.store import GameRow, LetterRow, OutboxRow, SeatRow
from pbem.service.table import Table

NOTICE_EVERY = timedelta(days=1)
"""The least time between two notices about letters that may not act."""


def tell_owner(table: Table, seat: SeatRow, letter: Letter, row: LetterRow, doubt: str) -> None:
    """Notify the owner of a seat of a letter that claimed the seat without proof; the owner can confirm
    it."""
    last = table.session.exec(
        select(func.max(OutboxRow.created)).where(
            OutboxRow.game == table.row.id, OutboxRow.seat == seat.key, OutboxRow.kind == "doubt"
        )
    ).first()
    if last is not None and table.now - last < NOTICE_EVERY:
        return
    held = select(func.count()).where(
        LetterRow.game == table.row.id, LetterRow.seat == seat.key, LetterRow.outcome == "held"
    )
    others = table.session.exec(held.where(col(LetterRow.received) > last) if last else held).one()
    code = row.identity[:8]
    lines = [
        (
            f"Someone wrote to pbem as you ({table.game.seat(seat.key).title} in {table.row.id}). "
            f"Nothing was done, because {doubt}."
        ),
        f"It came from {letter.sender or 'an unknown address'} with the subject: {letter.subject}",
        f"If you sent it, answer this letter with one line: CONFIRM {code}",
        "If you did not, ignore this: the game has not changed.",
    ]
    if others:
        have = "has" if others == 1 else "have"
        lines.append(f"{count(others, 'more letter')} like it {have} arrived since the last notice.")
    writing = Writing(
        "doubt",
        f"[{table.row.id}] Did you send this?",
        (),
        (Part("A letter in your name", tuple(lines)),),
        letter=row.id,
    )
    send_plain(table, seat, writing)


def tell_stopped(table: Table, seat: SeatRow, row: LetterRow, letter: Letter) -> None:
    """Notify the sender of a letter to a stopped game, without loading the game."""
    lines = (
        "The game has stopped because of an internal error. The moderator has been notified.",
        "Your letter is kept and will be processed when the game resumes.",
    )
    title = phase_title(table.game, table.phase().label)
    writing = Writing(
        "stopped", f"Re: [{table.row.id}] {title}", (), (Part("The game has stopped", lines),),
        letter=row.id, answers=letter.message_id,
    )  # fmt: skip
    send_plain(table, seat, writing)


def tell_of_stray(
    session: Session, games: list[GameRow], letter: Letter, row: LetterRow, now: datetime, address: str
) -> None:
    """Notify the moderators of a letter that belongs to no game."""
    for name in sorted(set(filter(None, map(moderator, games)))):
        last = session.exec(
            select(func.max(OutboxRow.created)).where(
                OutboxRow.kind == "stray", OutboxRow.recipient == name.rpartition("<")[2].rstrip(">")
            )
        ).first()
        if last is not None and now - last < NOTICE_EVERY:
            continue
        strays = select(func.count()).where(LetterRow.outcome == "quarantined")
        others = session.exec(strays.where(col(LetterRow.received) > last) if last else strays).one()
        lines = [f"Set aside: letter number {row.id}, from {letter.sender or 'an unknown address'}."]
        if others:
            have = "has" if others == 1 else "have"
            lines.append(f"{count(others, 'more letter')} for no game {have} arrived since the last notice.")
        key = Key("pbem", "", name.partition("@")[0], "stray", row.id or 0)
        post_notice(session, address, name, "A letter was set aside", lines, now, key)
