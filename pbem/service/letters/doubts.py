"""Notices about letters that may not act. The owner of a seat is notified of each letter that proves
something, of others at most once a day, and every letter to him lists what is held (unproved.py)."""

from __future__ import annotations

from datetime import timedelta

from pbem.mail.letter import Letter
from pbem.service.letters.layout import DOUBT, Writing, send_plain
from pbem.service.letters.log import Part
from pbem.service.letters.unproved import CODE, DROP, SOMEBODY, held_lines, sender_for
from pbem.service.play.sections import phase_title
from pbem.service.record.rows import LetterRow, SeatRow, StaffRow
from pbem.service.record.table import Table

NOTICE_EVERY = timedelta(days=1)
"""A letter that proves nothing is only notified if no notice was written for so long."""

MOST_NOTICES = 20
"""A letter that proves something is notified unless this many notices were written within an hour: more must
come from a program."""


def tell_owner(
    table: Table, seat: SeatRow | StaffRow, letter: Letter, row: LetterRow, doubt: str, *, proves: bool
) -> None:
    """Notify the owner of a seat, or one of the staff, of a held letter in this name; the owner can confirm
    it. `proves` says that it has the right secret or the right sender. The moderators find it in their
    digest."""
    if isinstance(seat, SeatRow):
        table.record.tell_moderators("", ())
    limit, since = (MOST_NOTICES, timedelta(hours=1)) if proves else (1, NOTICE_EVERY)
    if table.post.written(seat.key, DOUBT, table.now - since) >= limit:
        return
    sender = sender_for(table, seat, letter.sender)
    came = f"It came from {sender}"
    came += "." if sender == SOMEBODY else f" with the subject: {letter.subject}"
    lines = (
        f"Someone wrote to pbem as you ({_title(table, seat)} in {table.row.id}). "
        f"Nothing was done, because {doubt}.",
        came,
        f"If you sent it, answer this letter with one line: CONFIRM {row.identity[:CODE]}",
        "This letter holds a secret that works once: do not forward it.",
        f"If you did not, ignore this: the game has not changed. {DROP} drops what is held in your name.",
        *held_lines(table, seat, but=row.id or 0),
    )
    subject = f"[{table.row.id}] Did you send this?"
    send_plain(
        table, seat, Writing(DOUBT, subject, (), (Part("A letter in your name", lines),), letter=row.id)
    )


def tell_stopped(table: Table, seat: SeatRow, row: LetterRow, letter: Letter) -> None:
    """Notify the sender of a letter to a stopped game, without loading the game."""
    lines = (
        "The game has stopped because of an internal error. The moderator has been notified.",
        "Your letter is kept and will be processed when the game resumes.",
    )
    title = phase_title(table.game, table.record.phase().label)
    writing = Writing(
        "stopped", f"Re: [{table.row.id}] {title}", (), (Part("The game has stopped", lines),),
        letter=row.id, answers=letter.message_id,
    )  # fmt: skip
    send_plain(table, seat, writing)


def tell_waiting(table: Table, seat: SeatRow, row: LetterRow, letter: Letter) -> None:
    """Notify the sender of a letter that it waits until the dice have fallen."""
    round = table.dice.open_round()
    assert round is not None
    lines = (
        f"The game waits for {round.name} of the drand beacon, on which its dice hang.",
        "Your letter is kept as it is, and processed when the dice have fallen.",
    )
    title = phase_title(table.game, table.record.phase().label)
    writing = Writing(
        "waiting", f"Re: [{table.row.id}] {title}", (), (Part("Your letter waits", lines),),
        letter=row.id, answers=letter.message_id,
    )  # fmt: skip
    send_plain(table, seat, writing)


def _title(table: Table, owner: SeatRow | StaffRow) -> str:
    return owner.role if isinstance(owner, StaffRow) else table.game.seat(owner.key).title
