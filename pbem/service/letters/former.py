"""Letters to people who have played a seat that others play now: that they are replaced, who plays when they
still send orders, and how the game has ended. What has been played they read only when it is over."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.mail.address import NOWHERE
from pbem.mail.compose import Envelope, Key, compose
from pbem.mail.letter import Letter
from pbem.service.letters.layout import Writing, as_text
from pbem.service.letters.log import Part, local_time, result_part
from pbem.service.play.sections import phase_title
from pbem.service.play.steps import Step
from pbem.service.record.post import Postmark
from pbem.service.record.rows import JournalRow, SeatRow
from pbem.service.record.table import Table

KIND = "former"
"""The kind of a letter to somebody who no longer plays."""


@dataclass(frozen=True, slots=True)
class Former:
    """Somebody who has played a seat, as the journal names him."""

    seat: str
    name: str
    address: str
    zone: str


def former_players(table: Table) -> list[Former]:
    """Those who have played a seat of the game and have no part in it now, each once, by their last seat."""
    found = {
        row.answer["before"]["address"]: Former(row.answer["seat"], **row.answer["before"])
        for row in _changes(table)
        if "before" in row.answer
    }
    away = (address for address in found if address and not address.endswith(f"@{NOWHERE}"))
    return [found[address] for address in away if not table.clock.has_part(address)]


def former_player(table: Table, seat: str, address: str) -> Former | None:
    """Who has played a seat and writes from this address; None if nobody has, or plays it now."""
    if not address or address == table.seats[seat].address:
        return None
    befores = [row.answer["before"] for row in _changes(table, seat) if "before" in row.answer]
    mine = [each for each in befores if each["address"] == address]
    return Former(seat, **mine[-1]) if mine else None


def _changes(table: Table, seat: str = "") -> Iterator[JournalRow]:
    """The events by which seats, or one, have changed hands, in order."""
    for row in table.record.every_row("host"):
        if ("before" in row.answer or row.asked == "take over") and seat in ("", row.answer["seat"]):
            yield row


def plays_now(table: Table, seat: str) -> str:
    """Who has played a seat of late, as everybody may know it."""
    row, title = table.seats[seat], table.game.seat(seat).title
    if row.bot:
        return f"The {row.bot} bot has played {title}"
    return f"{(row.name or 'Another player') if row.address else 'Nobody'} has played {title}"


def how_to_ask(table: Table) -> str:
    """How a former player asks for something; addresses of moderators reach nobody."""
    if table.record.staff("moderator"):
        return "reply to this email: the moderator reads its first line"
    return "ask the host of the game"


def farewell(table: Table, new: str, title: str, why: list[str], *, for_a_while: bool) -> Writing:
    """The letter to a player whose seat another one plays from now on, `new` being what he is called."""
    says = f"{new} plays {title} instead of you from now on"
    back = (
        "The side is yours again when the moderator gives it back to you. To ask for that, or if this is a "
    )
    if not for_a_while:
        back = "If this is a "
    lines = (
        f"{says}.",
        *why,
        "Your lines and standing orders stay with the side. Your press and your diary stay yours.",
        f"{back}mistake, {how_to_ask(table)}.",
        "Orders that you send from now on are not kept. You get one more letter, when the game is over.",
    )
    return Writing("host", f"[{table.row.id}] {says}", (), (Part("News", lines),))


def tell_former(table: Table, who: Former, letter: Letter) -> bool:
    """Answer somebody who has written for a seat that is his no longer, once on each day. Return whether he
    is answered."""
    since = local_time(_since(table, who.seat), who.zone)
    moderated = bool(table.record.staff("moderator"))
    read = "; the moderator reads its first line" * moderated
    ask = "say so in the first line of a reply" if moderated else how_to_ask(table)
    lines = (
        f"{plays_now(table, who.seat)} since {since}. Nothing of your letter was kept{read}.",
        f"If you would like to play again, or this is a mistake, {ask}.",
    )
    title = phase_title(table.game, table.record.phase().label) or "The game is over"
    writing = Writing(KIND, f"Re: [{table.row.id}] {title}", (), (Part("You no longer play", lines),))
    return write_once(table, who, writing, f"{table.now.astimezone(UTC):%Y-%m-%d}", letter.message_id)


def _since(table: Table, seat: str) -> datetime:
    """Since when a seat has been held as it is now."""
    return [row.at for row in _changes(table, seat)][-1]


def tell_of_the_end(table: Table, last: Step) -> None:
    """Write to all who have played that the game is over, each once."""
    for who in former_players(table):
        title = table.game.seat(who.seat).title
        lines = (
            f"The game in which you played {title} is over.",
            "The host can send you all of it: pbem export writes a file, which pbem replay shows.",
        )
        level = last.result(table.game).level
        writing = Writing(
            KIND, f"[{table.row.id}] The game is over: {level}", lines, (result_part(table, last),)
        )
        write_once(table, who, writing, "over")


def write_once(table: Table, who: Former, writing: Writing, name: str, answers: str = "") -> bool:
    """Put a letter into the outbox that holds no secret and proves nothing, unless this person has had one of
    this `name`. Return whether he has it only now."""
    host = table.address.partition("@")[2]
    person = hashlib.sha256(who.address.encode()).hexdigest()[:16]
    key = Key(table.row.id, f"{name}-{person}", "", KIND, secret=table.row.secret)
    if table.post.has(key):
        return False
    raw = compose(
        Envelope(
            key=key, sender=table.address, sender_name=f"pbem {table.row.id}", to=who.address,
            to_name=who.name, subject=writing.subject, text=as_text(writing), date=table.now,
            in_reply_to=answers, auto="auto-replied" if answers else "auto-generated",
        )
    )  # fmt: skip
    about = Postmark(key.message_id(host))
    table.post.put(key, who.address, writing.subject, raw, about, of_the_game=False)
    return True


def is_gone(row: SeatRow, to: str) -> bool:
    """Whether the player of a seat is to be told that another one, with the address `to`, plays it."""
    return bool(row.address) and row.address != to and not row.address.endswith(f"@{NOWHERE}")
