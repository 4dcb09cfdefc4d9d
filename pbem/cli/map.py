"""`pbem map`: the current map, as one seat or the umpire sees it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import columns_option, examples, on_game, place, seat_option, show
from pbem.cli.terminal import WIDE_MAP, map_columns

if TYPE_CHECKING:
    from pbem.engine.board import Board
    from pbem.render.palette import PaletteName
    from pbem.service.record.store import Store


KINDS = (".png", ".apng", ".svg", ".txt", ".json")
CLOSE = 600
"""The width of a close-up, in pixels; lettering suits it."""


def _since(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return a value that names a turn, a roll or the last letter, as it is written."""
    if value and not re.fullmatch(r"[TR]\d+|letter", value, re.IGNORECASE):
        raise click.BadParameter(f'"{value}" is neither a turn (T2) nor a roll (R17), nor the word letter')
    return value


@click.command(
    "map",
    epilog=examples(
        "pbem map cotentin.pbem --seat allied --hex Carentan -o carentan.png",
        "pbem map cotentin.pbem --seat allied --since letter",
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
    "--since",
    metavar="T2|R17|letter",
    default="",
    callback=_since,
    help="Show every move and fight after this turn or roll, or since the seat's last letter with a map.",
)
@click.option(
    "--hex",
    "around",
    metavar="HEX|PLACE|UNIT",
    default="",
    help="Only what is around a hex, a place or a unit.",
)
@click.option(
    "--whole",
    is_flag=True,
    help="The whole map in a .png file, not only the part in play. An .svg file always has it.",
)
@click.option("--dark", is_flag=True, help="Draw in colours for a dark screen.")
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="A .png, .svg, .txt or .json file; an .apng file shows a turn step by step.  "
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
    since: str,
    around: str,
    whole: bool,
    dark: bool,
    as_json: bool,
    output: str | None,
    columns: int | None,
    width: int,
    picture: bool,
) -> None:
    """Draw the map as it is now, or as it was.

    What is around a hex is drawn large, 6 or 7 hexes across, as MAP and the hex does by mail.

    A turn in steps (.apng) is a picture that moves, and opens in any browser.
    """
    from pbem import render
    from pbem.engine.notes import UMPIRE
    from pbem.render.replay import LETTER
    from pbem.service.letters.maps import place_on
    from pbem.service.tools.queries import board_of

    if as_json and (output or picture):
        raise click.UsageError("--json prints the board: it goes with neither -o nor --picture")
    if whole and around:
        raise click.UsageError("--whole and --hex ask for different maps: leave one out")
    if since.lower() == LETTER and seat == UMPIRE:
        raise click.UsageError("--since letter is about the letters to one seat: say which, with --seat")
    look: PaletteName = "dark" if dark else "paper"
    columns = columns or (WIDE_MAP if output and output != "text" else map_columns())
    file = Path(output) if output and output != "text" else None
    kind = file.suffix.lower() if file else ".txt"
    if kind not in KINDS:
        raise click.UsageError(f'cannot write "{output}": a map is a .png, .apng, .svg, .txt or .json file')
    if kind == ".apng" and file:
        if not at:
            raise click.UsageError("an .apng file shows a turn: say which, such as --at T2")
        if around or dark or since:
            raise click.UsageError(
                "an .apng file shows the part in play by day: leave out --hex, --dark and --since"
            )
        file.write_bytes(render.moving(past(store, game_id, seat, at, whole=True), width))
        return
    if since:
        board = changed(store, game_id, seat, since, at)
    else:
        board = past(store, game_id, seat, at)[-1] if at else board_of(store, game_id, seat)
    hexes = place_on(board, around) if around else ()
    if board.focus:  # a map that is no close-up leaves no unit out
        hex_ids = dict.fromkeys((*board.focus, *(counter.hex for counter in board.counters)))
        board = replace(board, focus=tuple(hex_ids))

    def drawn() -> render.Scene:
        if not hexes:
            return render.layout(board, width, "whole" if whole else "focus", look)
        area = render.around(board, hexes[0], f"Around {board.map.called(hexes[0])}")
        return render.layout(board, CLOSE, "action", look, (area,))

    if as_json:
        click.echo(render.as_json(board), nl=False)
    elif picture:
        click.echo(render.half_block(render.scene_png(drawn()), columns), nl=False)
    elif file is None:
        show(render.text(board, columns, hexes).splitlines())
    elif kind == ".png":
        file.write_bytes(render.scene_png(drawn()))
    else:
        written = {
            ".svg": lambda: render.scene_svg(drawn()) if hexes else render.whole_svg(board, look),
            ".json": lambda: render.as_json(board),
            ".txt": lambda: render.text(board, columns, hexes),
        }
        file.write_text(written[kind](), encoding="utf-8")


def changed(store: Store, game_id: str | None, seat: str, since: str, at: str) -> Board:
    """The board of now, or of a turn or roll, with all that has happened since another, or since the seat's
    last letter. Most of the time that is nothing: then it is the board of now, and standard error says so."""
    from pbem.render.replay import LETTER, NothingSince, changed_since
    from pbem.service.tools.queries import board_of, tell

    try:
        return changed_since(tell(store, game_id, seat), since, at)
    except ValueError as error:
        if isinstance(error, NothingSince) and since.lower() == LETTER and not at:
            click.echo(str(error), err=True)
            return board_of(store, game_id, seat)
        instead = "; --since T1 or --since R1 shows what came after a turn or a roll"
        raise click.ClickException(f"{error}{instead if since.lower() == LETTER else ''}") from error


def past(store: Store, game_id: str | None, seat: str, at: str, *, whole: bool = False) -> list[Board]:
    """The boards of a turn or roll: the last one, or that of every step."""
    from pbem.render.replay import boards
    from pbem.service.tools.queries import tell

    story = tell(store, game_id, seat)
    try:
        return list(boards(story, at, at if whole else ""))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
