"""The journal of a game: it is only added to. Each of its rows says what was asked and what was answered, and
is hash-chained to the row before. A ruling that goes back is a row too: it says which rows still stand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import and_, bindparam, insert, or_
from sqlmodel import Session, col, select

from pbem.engine.play import Entry
from pbem.service.record import covered
from pbem.service.record.rows import JournalRow, LetterRow

PLAYED = ("answer", "end", "position", "thought")
"""Kinds of journal rows that play has brought: only these can be taken back."""

_HASH = "2:"
"""What the hash of a journal row begins with: the way it is made."""

_JOURNAL = select(JournalRow).where(JournalRow.game == bindparam("game")).order_by(col(JournalRow.number))

_PHASE_ENTRIES = _JOURNAL.where(
    or_(
        and_(col(JournalRow.phase) == bindparam("phase"), col(JournalRow.kind) == "answer"),
        col(JournalRow.kind) == "ruling",
    )
)

_LAST_LINK = (
    select(JournalRow.number, JournalRow.hash)
    .where(JournalRow.game == bindparam("game"))
    .order_by(col(JournalRow.number).desc())
    .limit(1)
)

_NEW_LINKS = insert(JournalRow.__table__)  # type: ignore[attr-defined]


def journal(session: Session, game_id: str) -> list[JournalRow]:
    """Every row of the journal, taken back or not."""
    return list(session.exec(_JOURNAL, params={"game": game_id}))


def standing_rows(rows: Sequence[JournalRow]) -> list[JournalRow]:
    """The rows that still count: a ruling that goes back takes back what was played after the row it names.
    What people have said and ruled stands."""
    kept: list[JournalRow] = []
    for row in rows:
        stands = taken_back_to(row)
        if stands is not None:
            kept = [each for each in kept if each.number <= stands or each.kind not in PLAYED]
        kept.append(row)
    return kept


def taken_back_to(row: JournalRow) -> int | None:
    """The last row that stands of what was played before a ruling that goes back; None for any other row."""
    return int(row.answer["stands"]) if row.kind == "ruling" and "stands" in row.answer else None


def phase_entries(session: Session, game_id: str, phase: int) -> list[Entry]:
    """The answers recorded in a phase that still count, in order."""
    rows = standing_rows(list(session.exec(_PHASE_ENTRIES, params={"game": game_id, "phase": phase})))
    return [row.entry() for row in rows if row.kind == "answer"]


def row_hash(previous: str, row: JournalRow | SimpleNamespace, letter: str) -> str:
    """The link of a journal row: SHA-256 over the link before and everything the row says.

    `letter` is the digest of the letter that the row names, "" for none: its number is another wherever the
    game is imported.
    """
    moment = row.at.astimezone(UTC).isoformat()
    said = [row.game, row.number, row.phase, row.kind, row.asked, row.answer, row.by, row.digest]
    content = [previous, *said, moment, letter]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return _HASH + hashlib.sha256(text.encode()).hexdigest()


def broken_links(rows: Sequence[JournalRow], letters: Mapping[int | None, str]) -> list[str]:
    """Return what is wrong with the hash chain of a whole journal, row by row. `letters` are the digests of
    the letters received, by number."""
    wrong: list[str] = []
    before = ""
    for place, row in enumerate(rows, 1):
        if row.number != place:
            wrong.append(f"journal row {place} is missing")
            return wrong
        if row_hash(before, row, letters.get(row.letter, "")) != row.hash:
            wrong.append(f"journal row {row.number} ({row.kind} {row.asked}) does not fit its hash")
        before = row.hash
    return wrong


class JournalWriter:
    """Appends rows to the journal of one game, each chained to the one before."""

    def __init__(self, session: Session, game_id: str) -> None:
        self._session = session
        self._game = game_id
        self._number, self._hash = session.exec(_LAST_LINK, params={"game": game_id}).first() or (0, "")

    @property
    def last(self) -> int:
        return self._number

    @property
    def head(self) -> str:
        """The hash of the last row, which covers the whole journal."""
        return self._hash

    def append(
        self,
        phase: int,
        kind: str,
        asked: str,
        answer: Any,
        *,
        at: datetime,
        by: str = "",
        digest: str = "",
        letter: int | None = None,
    ) -> None:
        """Write one row."""
        self._write([self._row(phase, kind, asked, answer, by, digest, letter, at)])

    def append_answers(
        self, phase: int, entries: Iterable[Entry], *, at: datetime, letter: int | None = None
    ) -> None:
        """Write the answers given in a phase, which a letter has set off, all at once."""
        rows = [self._row(phase, "answer", e.asked, e.answer, e.by, e.digest, letter, at) for e in entries]
        self._write(rows)

    def _row(
        self, phase: int, kind: str, asked: str, answer: Any, by: str, digest: str, letter: int | None,
        at: datetime,
    ) -> dict[str, Any]:  # fmt: skip
        """The next row, with its link and the digests of its fields."""
        self._number += 1
        values = {
            "game": self._game, "number": self._number, "phase": phase, "kind": kind, "asked": asked,
            "answer": answer, "by": by, "digest": digest, "letter": letter, "at": at,
        }  # fmt: skip
        named = self._session.get(LetterRow, letter) if letter else None
        self._hash = row_hash(self._hash, SimpleNamespace(**values), named.digest if named else "")
        values["hash"] = self._hash
        return values | {"digests": {name: covered.digest(value) for name, value in values.items()}}

    def _write(self, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.connection().execute(_NEW_LINKS, rows)
