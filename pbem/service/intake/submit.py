"""Use case: orders handed in on this machine. They become a letter of their seat and go the way of every
letter."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP

from sqlmodel import col, select

from pbem.engine.game import SYSTEM
from pbem.engine.wording import unknown
from pbem.mail.address import NOWHERE
from pbem.service.intake.receive import Received, receive
from pbem.service.intake.reception import Reception
from pbem.service.proof.lines import letter_text
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import LetterRow, OutboxRow, SeatRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.terms import replies_to


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of the orders, and the confirmation as the seat's letter has it."""

    received: Received
    confirmation: tuple[str, ...]


def submit(store: Store, game_id: str | None, seat: str, text: str, now: datetime) -> Submitted:
    """Submit orders for a seat; anyone who may write to the store is trusted. Raises StoreError for an
    unknown game or seat, and for a seat that the game plays itself."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        known = session.get(SeatRow, (row.id, seat))
        if known is None:
            seats = session.exec(select(SeatRow.key).where(SeatRow.game == row.id)).all()
            raise StoreError(unknown(f"game {row.id} has no seat", seat, seats))
        if known.bot == SYSTEM:
            raise StoreError(f"seat {seat} of game {row.id} is played by the game itself")
        back = replies_to(row.settings, row.id, seat, known.token_key)
        known.address = known.address or f"{seat}@{NOWHERE}"
        session.add(known)
        raw = letter(known.address, back.address, text, back.subject("orders"))
        game = row.id
    received = receive(store, raw, now, Reception(vouched=True))
    with store.transaction() as session:
        query = select(OutboxRow).join(LetterRow, col(LetterRow.id) == OutboxRow.letter)
        mine = query.where(LetterRow.digest == hashlib.sha256(raw).hexdigest(), OutboxRow.game == game)
        reply = session.exec(mine).first()
    return Submitted(received, tuple(letter_text(reply.raw)) if reply else ())


def letter(sender: str, to: str, text: str, subject: str = "orders") -> bytes:
    """Orders as a mail, under a Message-ID of its own. It has no date: the same words may be submitted
    twice."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Message-ID"] = f"<{secrets.token_hex(16)}@{NOWHERE}>"
    message.set_content(text if text.endswith("\n") else text + "\n")
    return message.as_bytes()
