"""`pbem odds`: what an order may lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, on_game_with, show_either

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("odds")
@on_game_with("order")
@click.option("--seat", metavar="SEAT", help="Whose order it is.  [default: the seat that can give it]")
@json_option
def odds_command(store: Store, game_id: str | None, order: str, seat: str | None, as_json: bool) -> None:
    """Show the exact chances of an order; nothing is changed.

    ORDER is written as in a letter, such as "attack 4817 with 8/4, 12/4". The chances are worked out from
    what its seat knows.
    """
    from pbem.service.trial import preview

    told = preview(store, game_id, seat, order)
    show_either(as_json, {"order": order, "told": told}, told)
