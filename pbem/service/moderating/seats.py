"""Use case: let a bot play a seat, and play on as far as that carries the game."""

from __future__ import annotations

from datetime import datetime

from pbem.service.letters.reports import tell
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.moderating.people import take_over
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table


def hand_to_bot(
    store: Store,
    game_id: str | None,
    seat: str,
    bot: str,
    now: datetime,
    *,
    by: str = "host",
    why: str = "",
    dry_run: bool = False,
) -> Done:
    """Let a bot play a seat from now on ("none": its own player again). Raises StoreError for an unknown
    game, seat or bot, and for a seat that the game plays itself."""
    return carry_out(
        store, game_id, now, lambda table: let_play(table, seat, bot, by=by, why=why), dry_run=dry_run
    )


def would_end(store: Store, game_id: str | None, seat: str, now: datetime) -> bool:
    """Whether a bot in this seat would play the game to its end at once, as nobody else plays. Raises
    StoreError for an unknown game."""
    with store.transaction() as session:
        table = Table(session, only_game(session, game_id), now)
        return table.row.status == "running" and seat in table.seats and table.clock.is_last_player(seat)


def let_play(table: Table, seat: str, bot: str, *, by: str, why: str) -> Done:
    """As `hand_to_bot`, on an open table."""
    done = take_over(table, seat, bot, by=by, why=why)
    if table.row.status == "running":
        tell(table, table.play_on())
    return done
