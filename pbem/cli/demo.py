"""`pbem demo`: an example game to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from shlex import quote
from shutil import which
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pbem.cli import complete
from pbem.cli.shell import examples, progress, show, use_settings

if TYPE_CHECKING:
    from pbem.service.tools.tour import Exchange

SHOWN = 45
"""Of a letter of the tutorial at least this many lines are shown, up to the end of a part."""


@click.command(
    "demo",
    epilog=examples("pbem demo", "pbem demo cobra --game normandy44", "pbem demo lessons --tour"),
)
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    default="normandy71",
    show_default=True,
    shell_complete=complete.games,
    help="The example to play: a game, or a folder of examples.",
)
@click.option(
    "--tour",
    is_flag=True,
    help="Show how to play by mail: a game of two turns, letter by letter. Enter goes on, Ctrl-C ends it.",
)
@click.pass_context
def demo_command(ctx: click.Context, folder: Path | None, game: str, tour: bool) -> None:
    """Play an example game and write its letters and maps to a folder.

    Replays recorded letters into a new game, lets bots finish it, and writes letters, maps, a log,
    the game as one page and an order desk to FOLDER (default: demo). Open its index.html in a browser.
    """
    use_settings()
    if tour:
        if ctx.get_parameter_source("game") is not ParameterSource.DEFAULT:
            raise click.UsageError("--tour has a game of its own: give --game or --tour")
        _tour(folder or free())
        return
    from pbem.service.tools.demo import demo

    try:
        done = demo(folder or free(), game, progress())
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from error
    watched = sys.stderr.isatty() and sys.stdout.isatty()
    show([*([] if watched else done.letters_in()), *done.lines(called())])


def _tour(folder: Path) -> None:
    """Play the tutorial into a folder, and show it letter by letter."""
    from pbem.service.tools.tour import GAME, SEAT, tour

    progress()("Playing the tutorial")
    done, exchanges = tour(folder)
    letters = len(exchanges) - 1
    show([f"A game by mail in {letters} letters. You are Nell, a newcomer.", ""])
    for number, exchange in enumerate(exchanges, 1):
        show(_letter(exchange, f"pbem writes, letter {number}"), heads=r"(==|--) .*|Lesson .*|The end of .*")
        if exchange.sends:
            show(
                [
                    "",
                    f"-- You reply, letter {number} of {letters}",
                    *[f"   {line}" for line in exchange.sends],
                ]
            )
        show([""])
        if exchange.sends:
            click.pause("Press Enter for the answer ")
    begin = f'{called()} new {GAME} --player "{SEAT}=Nell <nell@mail.example>"'
    show([*done.lines(called()), "", "To play it yourself, by mail:", f"  {begin}"])


def _letter(exchange: Exchange, title: str) -> Iterator[str]:
    """Yield a letter as the tour shows it: its head and as much of it as a screen has."""
    yield f"== {title}"
    yield f"Subject: {exchange.subject}"
    yield ""
    for number, line in enumerate(exchange.lines):
        if not line and number >= SHOWN:
            yield ""
            yield f"({len(exchange.lines) - number} more lines: {exchange.file})"
            return
        yield line


def called() -> str:
    """Return how this pbem is called: by its path if another one, or none, is found by the name alone."""
    path, on_path = Path(sys.argv[0]), which("pbem")
    if path.name != "pbem" or (on_path and path.exists() and path.samefile(on_path)):
        return "pbem"
    return quote(str(path))


def free() -> Path:
    """Return demo, or demo-2 and so on if that is taken."""
    names = (Path(f"demo-{number}" if number > 1 else "demo") for number in count(1))
    return next(path for path in names if not path.exists())
