"""Use case: one file with everything of a game, to move it to another host, to keep it or to report a fault with it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from sqlmodel import Session, SQLModel, col, select

from pbem.service.store import (
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    Store,
    StoreError,
    only_game,
    row_hash,
)

FORMAT = "pbem game"
VERSION = 1
PARTS: dict[str, type[SQLModel]] = {
    "seats": SeatRow,
    "phases": PhaseRow,
    "journal": JournalRow,
    "letters": LetterRow,
    "outbox": OutboxRow,
}
ORDERED = {"seats": "key", "phases": "number", "journal": "number", "letters": "id", "outbox": "id"}

R = TypeVar("R", bound=SQLModel)


def export(store: Store, game_id: str | None = None) -> dict[str, Any]:
    """Everything of a game as plain JSON values: its secret, so keep the file as safe as the game itself, its seats, snapshots,
    journal and letters. Bytes are base64, times ISO 8601. Raises StoreError for an unknown game."""
    with store.transaction() as session:
        row = only_game(session, game_id)
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": _plain(row)}
        for name, kind in PARTS.items():
            query = select(kind).where(col(kind.game) == row.id)  # type: ignore[attr-defined]
            data[name] = [_plain(each) for each in session.exec(query.order_by(getattr(kind, ORDERED[name])))]
    return data


def import_(store: Store, data: Mapping[str, Any]) -> str:
    """Take in an exported game and return its id. Raises StoreError, with nothing changed, for a file that is none of ours or of another
    version, a game that is here already, and a journal whose hash chain is broken."""
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise StoreError(
            f"not an exported game of version {VERSION}: format {data.get('format')!r}, version {data.get('version')!r}"
        )
    try:
        game = _row(GameRow, data["game"])
        rows = {name: [_row(kind, value) for value in data[name]] for name, kind in PARTS.items()}
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise StoreError(f"the exported game is damaged: {error!r}") from error
    if wrong := broken_links([row for row in rows["journal"] if isinstance(row, JournalRow)]):
        raise StoreError(f"the journal of the exported game was altered: {wrong[0]}")
    with store.transaction() as session:
        if session.get(GameRow, game.id) is not None:
            raise StoreError(f"there is a game {game.id!r} here already")
        session.add(game)
        session.flush()
        letters = _add_letters(session, rows.pop("letters"))
        for row in (each for part in rows.values() for each in part):
            if isinstance(row, OutboxRow):
                row.id = None
            if isinstance(row, JournalRow) and row.letter is not None:
                row.letter = letters.get(row.letter)
            session.add(row)
    return game.id


def broken_links(rows: list[JournalRow]) -> list[str]:
    """What is wrong with the hash chain of a whole journal, row by row; empty if nothing is."""
    wrong: list[str] = []
    before = ""
    for place, row in enumerate(rows, 1):
        if row.number != place:
            wrong.append(f"journal row {place} is missing")
            return wrong
        if row_hash(before, row) != row.hash:
            wrong.append(f"journal row {row.number} ({row.kind} {row.asked}) does not fit its hash")
        before = row.hash
    return wrong


def _add_letters(session: Session, rows: list[SQLModel]) -> dict[int, int]:
    """Letters get new numbers here; the old ones are needed where the journal names them."""
    numbers: dict[int, int] = {}
    for row in rows:
        assert isinstance(row, LetterRow)
        if session.exec(select(LetterRow.id).where(LetterRow.identity == row.identity)).first() is not None:
            raise StoreError(f"a letter of the exported game is here already: {row.message_id}")
        old, row.id = row.id, None
        session.add(row)
        session.flush()
        numbers[old or 0] = row.id or 0
    return numbers


def _plain(row: SQLModel) -> dict[str, Any]:
    return {name: _value(getattr(row, name)) for name in type(row).model_fields}


def _value(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return value


def _row(kind: type[R], values: Mapping[str, Any]) -> R:
    """A row from plain values. Raises KeyError, TypeError or ValueError for values that make none."""
    fields = kind.model_fields
    if set(values) != set(fields):
        raise ValueError(f"{kind.__name__} has the fields {', '.join(fields)}, not {', '.join(values)}")
    return kind(**{name: _loaded(values[name]) for name in fields})


def _loaded(value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"base64"}:
        return base64.b64decode(value["base64"], validate=True)
    if isinstance(value, dict) and set(value) == {"time"}:
        return datetime.fromisoformat(value["time"])
    return value
