"""Use case: act at a deadline. What a seat has written so far counts, and the rest is decided by its standing orders and defaults."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import select

from pbem.engine.play import seats_asked
from pbem.service.adjudicate import Step
from pbem.service.start import tell
from pbem.service.store import GameRow, Store, StoreError, only_game
from pbem.service.table import Table
from pbem.service.trouble import guarded


def due(store: Store, now: datetime) -> list[str]:
    """The running games whose deadline has passed, by id."""
    with store.transaction() as session:
        rows = session.exec(select(GameRow).where(GameRow.status == "running").order_by(GameRow.id)).all()
        deadlines = {row.id: Table(session, row, now).deadline() for row in rows}
    return [game for game, moment in deadlines.items() if moment is not None and moment <= now]


def play(store: Store, game_id: str | None, now: datetime) -> list[Step]:
    """Adjudicate as far as orders, standing orders and bots carry the game, and write what there is to tell."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        return guarded(table, lambda: _played(table, ())) or []


def act(store: Store, game_id: str | None, now: datetime, force: bool = False) -> list[Step]:
    """Play on without waiting any longer for the seats that are waited for; `force` does so before their time is up.

    Nothing is done, and no step given, while there is time left or nobody is waited for. Raises StoreError for a game that is over
    or stopped.
    """
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        moment = table.deadline()
        if not force and (moment is None or moment > now):
            return []
        return guarded(table, lambda: _played(table, late) if (late := awaited(table)) else []) or []


def awaited(table: Table) -> tuple[str, ...]:
    """The seats that the game waits for now, bots left out."""
    return tuple(seat for seat in seats_asked(table.here().waiting) if not table.seats[seat].bot)


def _must_run(table: Table) -> None:
    if table.row.status != "running":
        why = table.row.trouble.strip().splitlines()[-1:] or ["it has ended"]
        raise StoreError(f"game {table.row.id} is {table.row.status}: {why[0]}")


def _played(table: Table, late: tuple[str, ...]) -> list[Step]:
    steps = table.play_on(forced=late)
    tell(table, steps)
    return steps
