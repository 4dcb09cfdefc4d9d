"""`pbem map`: the current map, as one seat or the umpire sees it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import columns_option, examples, on_game, place, seat_option, show
from pbem.cli.terminal import WIDE_MAP, map_columns

if TYPE_CHECKING:
    from pbem.engine.board import Board
    from pbem.service.record.store import Store


KINDS = (".png", ".apng", ".svg", ".txt")


@click.command(
    "map",
    epilog=examples(
        "pbem map cotentin.pbem",
        "pbem map cotentin.pbem --seat allied -o map.png",
        "pbem map cotentin.pbem --at T1 -o turn-1.apng",
    ),
)
@on_game
@seat_option
@click.option(
    "--at",
    metavar="T2|R17",
    default="",
    callback=place,
    help="The map after this turn or roll, not the current one.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="A .png, .svg or .txt file; an .apng file shows a turn step by step.  "
    "[default: text on standard output]",
)
@columns_option
@click.option(
    "--width",
    default=1400,
    show_default=True,
    type=click.IntRange(100),
    help="Width of a picture, in pixels.",
)
@click.option("--picture", is_flag=True, help="Draw in the terminal with coloured half blocks.")
def map_command(
    store: Store,
    game_id: str | None,
    seat: str,
    at: str,
    output: str | None,
    columns: int | None,
    width: int,
    picture: bool,
) -> None:
    """Draw the map as it is now, or as it was.

    A turn in steps (.apng) is a picture that moves, and opens in any browser.
    """
    from pbem import render
    from pbem.service.tools.queries import board_of

    columns = columns or (WIDE_MAP if output and output != "text" else map_columns())
    file = Path(output) if output and output != "text" else None
    kind = file.suffix.lower() if file else ".txt"
    if kind not in KINDS:
        raise click.UsageError(f'cannot write "{output}": a map is a .png, .apng, .svg or .txt file')
    if kind == ".apng" and file:
        if not at:
            raise click.UsageError("an .apng file shows a turn: say which, such as --at T2")
        file.write_bytes(render.moving(past(store, game_id, seat, at, whole=True), width))
        return
    board = past(store, game_id, seat, at)[-1] if at else board_of(store, game_id, seat)
    if kind == ".png" and file:
        file.write_bytes(render.png(board, width))
    elif kind == ".svg" and file:
        file.write_text(render.svg(board, width), encoding="utf-8")
    elif file:
        file.write_text(render.text(board, columns), encoding="utf-8")
    elif picture:
        click.echo(render.half_block(render.png(board, width), columns), nl=False)
    else:
        show(render.text(board, columns).splitlines())


def past(store: Store, game_id: str | None, seat: str, at: str, *, whole: bool = False) -> list[Board]:
    """The boards of a turn or roll: the last one, or that of every step."""
    from pbem.render.replay import boards
    from pbem.service.tools.queries import tell

    story = tell(store, game_id, seat)
    try:
        return list(boards(story, at, at if whole else ""))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
