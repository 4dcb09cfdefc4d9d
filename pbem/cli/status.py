"""`pbem status`: where games stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, on_game, seat_option, show_either

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("status")
@on_game
@seat_option
@json_option
def status_command(store: Store, game_id: str | None, seat: str, as_json: bool) -> None:
    """Show where a game is, and who it is waiting for until when.

    Exit code 1 if one of the games cannot be opened; the others are shown.
    """
    from pbem.service.look import BROKEN, statuses

    found = statuses(store, game_id, seat)
    show_either(as_json, found, [line for status in found for line in status.lines()])
    if any(status.status == BROKEN for status in found):
        raise SystemExit(1)
