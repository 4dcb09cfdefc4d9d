"""Plain letters to people about a game: to owners of seats whose letters are in doubt, and to moderators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from pbem.fields import person
from pbem.mail.compose import Envelope, Key, compose
from pbem.service.store import REFUSED, GameRow, OutboxRow


def moderator(row: GameRow) -> str:
    """Return the moderator of a game as `post_notice` takes one, or "", whatever the settings hold."""
    settings = _settings(row)
    address, name = str(settings.get("moderator") or ""), str(settings.get("moderator_name") or "")
    return f"{name} <{address}>" if address and name else address


def tell_moderator(
    session: Session, row: GameRow, subject: str, lines: list[str], now: datetime, key: Key
) -> bool:
    """Write a plain letter to the moderator of a game, if it has one; whether it has."""
    to = moderator(row)
    if to:
        server = str(_settings(row).get("address") or "pbem@localhost")
        post_notice(session, server, to, f"[{row.id}] {subject}", lines, now, key)
    return bool(to)


def post_notice(
    session: Session, address: str, to: str, subject: str, lines: list[str], now: datetime, key: Key
) -> None:
    """Write a plain letter to someone without a seat: `to` is an address, with or without a name.

    Never raises for a notice that cannot be written: it is kept among the refused letters, with the reason.
    """
    if session.exec(select(OutboxRow.id).where(OutboxRow.key == key.slug)).first() is not None:
        return
    text, error = "\n".join(lines), ""
    try:
        name, to = person(to)
        raw = compose(
            Envelope(key=key, sender=address, to=to, to_name=name, subject=subject, text=text, date=now)
        )
    except ValueError as fault:
        raw, error = text.encode("utf-8", "replace"), f"{REFUSED}{fault}"
    session.add(
        OutboxRow(
            game=None, key=key.slug, recipient=to, subject=subject, raw=raw, created=now, error=error,
            kind=key.kind, message_id=key.message_id(address.partition("@")[2]),
        )
    )  # fmt: skip


def _settings(row: GameRow) -> dict[str, Any]:
    return row.settings if isinstance(row.settings, dict) else {}
