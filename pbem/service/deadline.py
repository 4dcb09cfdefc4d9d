"""Use case: act at a deadline. The section that was asked for is closed as it is, and no other: lines that
can be played are played, the rest is decided by standing orders and defaults."""

from __future__ import annotations

from datetime import datetime

from pbem.service.letters.reports import tell
from pbem.service.play.steps import Step
from pbem.service.store import Store, StoreError, only_game
from pbem.service.table import Table
from pbem.service.trouble import guarded


def play(store: Store, game_id: str | None, now: datetime) -> list[Step]:
    """Adjudicate as far as orders, standing orders and bots carry the game, and write what there is to
    tell."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        return guarded(table, lambda: _played(table)) or []


def act(store: Store, game_id: str | None, now: datetime, force: bool = False) -> list[Step]:
    """Play on without waiting any longer for the seats that are waited for; `force` does so before their time
    is up.

    Do nothing and return no step while there is time left or the game is not waiting for anyone. Raises
    StoreError
    """
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        _must_run(table)
        return guarded(table, lambda: _decided(table, force)) or []


def _must_run(table: Table) -> None:
    if table.row.status != "running":
        why = table.row.trouble.strip().splitlines()[-1:] or ["it has ended"]
        raise StoreError(f"game {table.row.id} is {table.row.status}: {why[0]}")


def _decided(table: Table, force: bool) -> list[Step]:
    """Decide for those whose time is up, and note that they have missed it."""
    here = table.here()
    late = table.awaited(here)
    if not late or not (force or table.is_due(here)):
        return []
    due = table.deadline(here) or table.now
    steps = table.play_on(here, forced=late)
    for key in late:
        table.seats[key].missed = {
            "turn": here.turn,
            "due": min(due, table.now).isoformat(),
            "section": late[key],
        }
        table.session.add(table.seats[key])
    tell(table, steps)
    return steps


def _played(table: Table) -> list[Step]:
    steps = table.play_on()
    tell(table, steps)
    return steps
