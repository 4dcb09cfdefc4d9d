"""`pbem submit`: orders from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import examples, json_option, now, on_game_with, read_text, show_either, think_on

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "submit",
    epilog=examples(
        "pbem submit cotentin.pbem plan.txt --seat allied",
        "pbem submit caen.pbem - --seat allied < orders.txt",
    ),
)
@on_game_with("orders")
@click.option(
    "--seat", required=True, metavar="SEAT", shell_complete=complete.seats, help="The seat giving the orders."
)
@json_option
def submit_command(store: Store, game_id: str | None, orders: str, seat: str, as_json: bool) -> None:
    """Submit orders for a seat and show the reply.

    ORDERS is a file, or - for standard input.
    """
    from pbem.service.intake.submit import submit

    done = submit(store, game_id, seat, read_text(orders), now())
    think_on(store, game_id)
    show_either(as_json, done, done.confirmation or (f"{done.received.outcome}: {done.received.why}",))
