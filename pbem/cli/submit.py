"""`pbem submit`: orders without a mail program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, now, on_game_with, read_text, show_either

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("submit")
@on_game_with("orders")
@click.option("--seat", required=True, metavar="SEAT", help="Whose orders these are.")
@json_option
def submit_command(store: Store, game_id: str | None, orders: str, seat: str, as_json: bool) -> None:
    """Submit orders for a seat and show the reply.

    ORDERS is a file, or - for standard input.
    """
    from pbem.service.submit import submit

    done = submit(store, game_id, seat, read_text(orders), now())
    show_either(as_json, done, done.confirmation or (f"{done.received.outcome}: {done.received.why}",))
