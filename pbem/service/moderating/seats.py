"""Use case: change who plays a seat."""

from __future__ import annotations

from datetime import datetime

from pbem.engine.game import SYSTEM
from pbem.engine.planner import BOTS
from pbem.engine.wording import unknown
from pbem.service.letters.reports import tell
from pbem.service.play.steps import Step
from pbem.service.record.errors import StoreError
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table


def hand_to_bot(store: Store, game_id: str | None, seat: str, bot: str, now: datetime) -> list[Step]:
    """Let a bot play a seat from now on ("none": a person again), and play on as far as that carries the
    game. Raises StoreError for an unknown game, seat or bot, and for a seat that the game plays itself."""
    if bot not in (*BOTS, "none"):
        raise StoreError(unknown("there is no bot", bot, [*BOTS, "none"]))
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        if seat not in table.seats:
            raise StoreError(unknown(f"game {table.row.id} has no seat", seat, table.seats))
        if table.seats[seat].bot == SYSTEM:
            raise StoreError(f"seat {seat} of game {table.row.id} is played by the game itself")
        table.seats[seat].bot = "" if bot == "none" else bot
        session.add(table.seats[seat])
        if bot == "none" or table.row.status != "running":
            return []
        steps = table.play_on()
        tell(table, steps)
        return steps
