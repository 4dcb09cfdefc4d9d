"""`pbem status`: the state of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, on_game, seat_option, show_either

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "status", epilog=examples("pbem status cotentin.pbem", "pbem status cotentin.pbem --seat allied --json")
)
@on_game
@seat_option
@click.option("--mail", is_flag=True, help="Add the letters of every turn and the hours waited.")
@json_option
def status_command(store: Store, game_id: str | None, seat: str, mail: bool, as_json: bool) -> None:
    """Show who a game is waiting for, for what, and when it is due.

    Exits with 1 if a game cannot be opened; the others are still shown.
    """
    from pbem.service.tools.queries import BROKEN, statuses

    listed = statuses(store, game_id, seat, mail=mail)
    show_either(as_json, listed, [line for status in listed for line in status.lines()], heads=r"\S")
    if any(status.status == BROKEN for status in listed):
        raise SystemExit(1)
