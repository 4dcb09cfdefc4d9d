"""`pbem desk`: the order desk of a seat, a page that writes its letter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import examples, on_game
from pbem.paths import private

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "desk",
    epilog=examples(
        "pbem desk cotentin.pbem --seat allied",
        "pbem desk cotentin.pbem --seat german -o orders.html",
    ),
)
@on_game
@click.option(
    "--seat", required=True, metavar="SEAT", shell_complete=complete.seats, help="The seat that orders."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The HTML file to write.  [default: <game>-<seat>.html]",
)
def desk_command(store: Store, game_id: str | None, seat: str, output: Path | None) -> None:
    """Write an order desk: a page that writes a seat's orders on a map.

    The page is one HTML file that opens in any browser, with no network. It holds what the seat may know and
    order now. It sends nothing: mail the letter that it writes.
    """
    from pbem.service.tools.queries import order_desk

    desk = order_desk(store, game_id, seat)
    page = output or Path(f"{desk.game}-{seat}.html")
    with open(page, "w", encoding="utf-8", newline="\n", opener=private) as file:
        file.write(desk.page)
    size = page.stat().st_size / 1e6
    click.echo(f"Wrote {page} ({size:.1f} MB). Open it in a browser.")
    if desk.idle:
        click.echo(desk.idle)
