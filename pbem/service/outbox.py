"""Use case: send what waits in the outbox.

A letter is handed over after it has been committed, and marked as sent in a commit of its own. A crash between the two hands it
over again, with the same Message-ID and the same content: nothing is lost, and nothing differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.utils import parseaddr
from typing import Literal

from sqlmodel import col, select

from pbem.mail.transport import Outgoing, Sent, Transport
from pbem.service.store import REFUSED, OutboxRow, Store

BATCH = 20
"""So many letters go over one connection before they are marked as sent."""

NOWHERE = "pbem.invalid"
"""The host of seats that are played on this machine: their letters are read here and never mailed."""

_HEAD = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Handed:
    """What became of one letter of the outbox: sent, later (it will be tried again), refused (it never will), kept (for a seat without
    a mail address)."""

    key: str
    recipient: str
    subject: str
    result: Literal["sent", "later", "refused", "kept"]
    detail: str = ""


def send_pending(
    store: Store, transport: Transport, now: datetime, *, batch: int = BATCH, local: bool = False
) -> list[Handed]:
    """Hand every unsent letter to `transport` and note what became of it; does not raise for a letter that cannot go.

    With `local` letters to seats without a mail address are handed over too: a folder can take them.
    """
    handed: list[Handed] = []
    after = 0
    while rows := _waiting(store, after, batch):
        after = rows[-1].id or 0
        going = [row for row in rows if local or not row.recipient.endswith("@" + NOWHERE)]
        results = transport.send([outgoing(row) for row in going])
        there = {row.id: sent for row, sent in zip(going, results, strict=True)}
        handed += _note(store, rows, there, now)
    return handed


def outgoing(row: OutboxRow) -> Outgoing:
    """A letter of the outbox as a transport takes it."""
    head = message_from_bytes(_HEAD.split(row.raw, maxsplit=1)[0] + b"\n\n", policy=policy.default)
    return Outgoing(
        message_id=str(head["Message-ID"] or ""),
        sender=parseaddr(str(head["From"] or ""))[1],
        to=row.recipient,
        data=row.raw,
        slug=row.key,
    )


def pending(store: Store) -> int:
    """How many letters wait to be sent."""
    rows, after = 0, 0
    while found := _waiting(store, after, 1000):
        rows += len(found)
        after = found[-1].id or 0
    return rows


def _waiting(store: Store, after: int, batch: int) -> list[OutboxRow]:
    query = (
        select(OutboxRow)
        .where(
            col(OutboxRow.sent).is_(None),
            col(OutboxRow.id) > after,
            ~col(OutboxRow.error).startswith(REFUSED),
        )
        .order_by(col(OutboxRow.id))
        .limit(batch)
    )
    with store.transaction() as session:
        return list(session.exec(query))


def _note(store: Store, rows: list[OutboxRow], there: dict[int | None, Sent], now: datetime) -> list[Handed]:
    """Write down, in one commit, what became of a batch."""
    handed: list[Handed] = []
    mark: dict[str, Callable[[OutboxRow, str], None]] = {
        "sent": lambda row, _: _sent(row, now),
        "kept": lambda row, _: _sent(row, now),
        "later": lambda row, detail: setattr(row, "error", detail),
        "refused": lambda row, detail: setattr(row, "error", REFUSED + detail),
    }
    with store.transaction() as session:
        for stale in rows:
            row = session.get(OutboxRow, stale.id)
            if row is None or row.sent is not None:
                continue
            sent = there.get(row.id)
            result = sent.result if sent else "kept"
            row.attempts += 1
            mark[result](row, sent.detail if sent else "")
            session.add(row)
            handed.append(
                Handed(
                    row.key,
                    row.recipient,
                    row.subject,
                    result,
                    sent.detail if sent else "played on this machine",
                )
            )
    return handed


def _sent(row: OutboxRow, now: datetime) -> None:
    row.sent, row.error = now, ""
