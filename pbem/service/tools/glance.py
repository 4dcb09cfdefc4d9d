"""What a game file holds, at a glance: for shell completion, without waiting for a lock and without a
database library."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

PATIENCE = 0.2
"""How long to wait for a locked game file, in seconds."""


def game_ids(target: str) -> list[str]:
    """Return the games in a game file; none for a database URL. Raise sqlite3.Error if it cannot be read."""
    return _names(target, "SELECT id FROM game ORDER BY id")


def seats(target: str, game: str | None = None) -> list[str]:
    """Return the seats of the games in a game file, or of one of them."""
    return _names(target, "SELECT DISTINCT key FROM seat WHERE game = coalesce(?, game) ORDER BY key", game)


def _names(target: str, query: str, *values: str | None) -> list[str]:
    if "://" in target:
        return []
    where = f"file:{quote(str(Path(target).absolute()))}?mode=ro"
    with closing(sqlite3.connect(where, uri=True, timeout=PATIENCE)) as connection:
        return [str(name) for (name,) in connection.execute(query, values)]
