"""`pbem undo`: the last orders are taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, now, on_game, show_either

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("undo")
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
        f"{done.decisions} decisions of {done.seat} are taken back; {done.phase} is open again",
        *(f"  [{s}] {t}" for s, t in done.lines),
    ]
    show_either(as_json, done, lines)
