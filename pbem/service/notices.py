"""Plain letters to people about a game: to owners of seats whose letters are in doubt, and to moderators."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, select

from pbem.mail.compose import Envelope, Key, compose
from pbem.service.store import OutboxRow


def post_notice(
    session: Session, address: str, to: str, subject: str, lines: list[str], now: datetime, key: Key
) -> None:
    """A plain letter to somebody who holds no seat."""
    if session.exec(select(OutboxRow.id).where(OutboxRow.key == key.slug)).first() is not None:
        return
    envelope = Envelope(key=key, sender=address, to=to, subject=subject, text="\n".join(lines), date=now)
    session.add(
        OutboxRow(game=None, key=key.slug, recipient=to, subject=subject, raw=compose(envelope), created=now)
    )
