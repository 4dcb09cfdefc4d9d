"""`pbem undo`: take back the most recent orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, now, on_game, show_either
from pbem.engine.wording import count

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("undo", epilog=examples("pbem undo caen.pbem", 'pbem undo caen.pbem --reason "wrong hex"'))
@on_game
@click.option("--reason", default="", help="Reason, shown to all players.")
@json_option
def undo_command(store: Store, game_id: str | None, reason: str, as_json: bool) -> None:
    """Undo the most recent orders.

    Never past a roll, a reveal, another seat's decision or the end of a turn.
    """
    from pbem.service.undo import undo

    done = undo(store, game_id, now(), reason)
    lines = [
        f"undid {count(done.decisions, 'decision')} of {done.seat}; {done.phase} is open again",
        *(f"  [{s}] {t}" for s, t in done.lines),
    ]
    show_either(as_json, done, lines)
