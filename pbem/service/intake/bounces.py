"""Use case: a letter of ours comes back. The moderators of its game read whose address takes no mail, and
why; nobody is answered."""

from __future__ import annotations

import re
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.mail.address import without_codes
from pbem.mail.letter import Letter
from pbem.mail.text import plain
from pbem.service.intake.player_letters import Received
from pbem.service.record.notices import tell_moderators
from pbem.service.record.rows import CAME_BACK, OutboxRow

MOST = 100_000
"""Bytes of a report that are looked through."""

SAYS = "A letter came back: the address may be wrong, or its mailbox full"

_ACTION = re.compile(rb"^Action:[ \t]*(\w+)", re.IGNORECASE | re.MULTILINE)
_DIAGNOSIS = re.compile(
    rb"^(?:Diagnostic-Code:[ \t]*(?:smtp;[ \t]*)?|Status:[ \t]*)(\S[^\r\n]{0,200})",
    re.IGNORECASE | re.MULTILINE,
)


def came_back(session: Session, letter: Letter, raw: bytes, now: datetime) -> Received:
    """Deal with what a mail server writes about a letter of ours (RFC 3464). That it is late is no news: it
    is still on its way."""
    row = None
    if letter.about:
        query = select(OutboxRow).where(OutboxRow.message_id == letter.about).order_by(col(OutboxRow.id))
        row = session.exec(query).first()
    if row is None or row.game is None:
        return Received("ignored", why="an automatic email (bounce): never answered")
    action, diagnosis = _ACTION.search(raw[:MOST]), _diagnosis(raw[:MOST])
    if action is not None and action[1].lower() != b"failed":
        return Received("ignored", row.game, row.seat, "a letter is on its way: never answered")
    why = f"{row.recipient}: {diagnosis or 'no reason is given'} ({without_codes(row.subject)})"
    row.error = f"{CAME_BACK}{diagnosis or 'no reason is given'}"
    session.add(row)
    tell_moderators(session, row.game, SAYS, [why], now, by=row.seat)
    return Received(
        "ignored", row.game, row.seat or "", f"a letter to {row.recipient} came back: {diagnosis}"
    )


def _diagnosis(raw: bytes) -> str:
    """The reason that a report gives, what the mail server said before a bare status code."""
    found = [match[1].decode("utf-8", "replace") for match in _DIAGNOSIS.finditer(raw)]
    return " ".join(plain(max(found, key=len, default="")).split())
