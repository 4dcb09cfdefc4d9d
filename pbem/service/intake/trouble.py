"""Internal errors: the game stops, its letters are kept, its moderator is notified and other games go on."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TypeVar

from pbem.service.intake.reading import DoFirst
from pbem.service.record.errors import StoreError
from pbem.service.record.store import is_temporary
from pbem.service.record.table import Table

T = TypeVar("T")


def guarded(table: Table, work: Callable[[], T]) -> T | None:
    """Do `work` on a game. If it fails because of a fault of pbem, what it did is taken back and the game is
    stopped; None then. What may pass by itself (a locked database, a full disk) is raised, and so are what a
    person has to decide (StoreError) and what is to be done first (DoFirst)."""
    try:
        with table.record.session.begin_nested():
            return work()
    except Exception as error:
        if is_temporary(error) or isinstance(error, StoreError | DoFirst):
            raise
        _stop(table, error)
        return None


def _stop(table: Table, error: Exception) -> None:
    table.record.session.expire_all()
    table.row.status = "stopped"
    table.row.trouble = "".join(traceback.format_exception(error))
    table.record.keep(table.row)
    lines = [
        f"All letters are kept. Once it is fixed, `pbem adjudicate --game {table.row.id} --resume` processes",
        "them.",
        *table.row.trouble.splitlines(),
    ]
    says = f"Game {table.row.id} has stopped because of an internal error"
    table.record.tell_moderators(says, lines)
