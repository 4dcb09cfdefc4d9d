"""`pbem log`: what has happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, on_game, seat_option, show, show_json

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("log")
@on_game
@seat_option
@click.option("--turn", type=int, help="This turn alone.")
@json_option
def log_command(store: Store, game_id: str | None, seat: str, turn: int | None, as_json: bool) -> None:
    """Show the log: every result with its case, odds and die."""
    from pbem.service import look

    if as_json:
        show_json(look.log_facts(store, game_id, seat, turn))
        return
    for part in look.log(store, game_id, seat, turn):
        show([part.title, "-" * len(part.title), *part.lines, ""])
