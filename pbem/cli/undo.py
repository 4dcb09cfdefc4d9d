"""`pbem undo`: take back the most recent orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, now, on_game, show_either, think_on

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command("undo", epilog=examples("pbem undo caen.pbem", 'pbem undo caen.pbem --reason "wrong hex"'))
@on_game
@click.option("--reason", default="", help="Reason, shown to all players.")
@json_option
def undo_command(store: Store, game_id: str | None, reason: str, as_json: bool) -> None:
    """Undo the most recent orders.

    Never past a roll, a reveal, another seat's decision or the end of a turn.
    """
    from pbem.service.moderating.rulings.ruling import rule

    done = rule(store, game_id, "undo", by="host", why=reason, now=now())
    think_on(store, game_id)
    show_either(as_json, done, done.lines())
