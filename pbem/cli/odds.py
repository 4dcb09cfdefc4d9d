"""`pbem odds`: the odds of an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import examples, json_option, on_game_with, show_either

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "odds",
    epilog=examples(
        'pbem odds caen.pbem "3A to 1303"', 'pbem odds caen.pbem "1Inf to 1402" --seat allied --json'
    ),
)
@on_game_with("order")
@click.option(
    "--seat",
    metavar="SEAT",
    shell_complete=complete.seats,
    help="The seat giving the order.  [default: the seat that can give it]",
)
@json_option
def odds_command(store: Store, game_id: str | None, order: str, seat: str | None, as_json: bool) -> None:
    """Show the exact odds of an order without giving it.

    Write ORDER as in a letter, and in quotation marks. The odds use only what its seat knows.
    """
    from pbem.service.intake.trial import preview

    told = preview(store, game_id, seat, order)
    show_either(as_json, {"order": order, "told": told}, told)
