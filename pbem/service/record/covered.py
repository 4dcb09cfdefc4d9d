"""Digests of the fields of rows, by which a change that pbem did not make is found and named.

Each row keeps the first digits of the SHA-256 of every field, as it was last written. This finds damage, and
what was changed by hand; against somebody who writes new digests as well stand the hash chain of the journal
and the letters, which commit to it and are signed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import JSON, event, inspect
from sqlmodel import Field, SQLModel

DIGITS = 12

OUTSIDE = {
    **dict.fromkeys(
        [f"{table}.digests" for table in ("game", "seat", "staff", "phase", "journal", "letter", "outbox")],
        "the digests themselves: one that was changed no longer fits its field",
    ),
    **dict.fromkeys(
        ["letter.id", "outbox.id"], "a number of the store, not of the game: another one where it is imported"
    ),
    "outbox.claimed_by": "which worker has a letter in hand, while it has",
    "game.quiet_until": "it follows from the other rows, and is worked out again",
}
"""The columns without a digest, and why."""

OF_THE_HOST = {
    "aside": "emails that belong to no game",
    "worker": "processes of the service, which come and go",
    "host": "the clock of the machine",
}
"""The tables that hold nothing of a game and have no digests, and what is in them."""


class Covered(SQLModel):
    """A row whose fields are covered by digests."""

    digests: dict[str, str] = Field(default_factory=dict, sa_type=JSON, nullable=False)


@cache
def fields(kind: Hashable) -> tuple[str, ...]:
    """The fields of a kind of row that are covered."""
    table = kind.__table__  # type: ignore[attr-defined]
    return tuple(column.name for column in table.columns if f"{table.name}.{column.name}" not in OUTSIDE)


def digest(value: Any) -> str:
    """The digest of a field, as Python has it or as a store or an exported game gives it back."""
    if isinstance(value, datetime):
        value = value.astimezone(UTC).isoformat()
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def altered(row: Covered) -> Iterator[str]:
    """Yield the fields of a row that are not as they were written."""
    known = fields(type(row))
    for name, told in row.digests.items():
        if name not in known:
            yield "digests"
        elif digest(getattr(row, name)) != told:
            yield name


def _keep(mapper: Any, connection: Any, row: Covered) -> None:
    """Write down the digests of the fields that are about to be written."""
    state = inspect(row)
    changed = [
        name
        for name in fields(type(row))
        if not state.has_identity or state.attrs[name].history.has_changes()
    ]
    if changed:
        row.digests = row.digests | {name: digest(getattr(row, name)) for name in changed}


for _moment in ("before_insert", "before_update"):
    event.listen(Covered, _moment, _keep, propagate=True)
