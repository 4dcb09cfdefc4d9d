"""`pbem map`: the current map, as one seat or the umpire sees it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, on_game, seat_option

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command(
    "map",
    epilog=examples(
        "pbem map cotentin.pbem",
        "pbem map cotentin.pbem --seat allied -o map.png",
        "pbem map cotentin.pbem --picture --columns 120",
    ),
)
@on_game
@seat_option
@click.option(
    "-o", "--output", metavar="FILE", help="A .png, .svg or .txt file.  [default: text on standard output]"
)
@click.option("--columns", default=100, show_default=True, help="Width of a text map, in characters.")
@click.option("--width", default=1400, show_default=True, help="Width of a picture, in pixels.")
@click.option("--picture", is_flag=True, help="Draw in the terminal with coloured half blocks.")
def map_command(
    store: Store, game_id: str | None, seat: str, output: str | None, columns: int, width: int, picture: bool
) -> None:
    """Draw the current map."""
    from pbem import render
    from pbem.service.queries import board_of

    board = board_of(store, game_id, seat)
    kind = Path(output).suffix.lower() if output and output != "text" else ".txt"
    if kind == ".png" and output:
        Path(output).write_bytes(render.png(board, width))
    elif kind == ".svg" and output:
        Path(output).write_text(render.svg(board, width), encoding="utf-8")
    elif kind == ".txt" and output and output != "text":
        Path(output).write_text(render.text(board, columns), encoding="utf-8")
    elif kind != ".txt":
        raise click.UsageError(f'cannot write "{output}": a map is a .png, .svg or .txt file')
    else:
        click.echo(
            render.half_block(render.png(board, width), columns) if picture else render.text(board, columns),
            nl=False,
        )
