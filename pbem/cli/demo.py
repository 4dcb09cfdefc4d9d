"""`pbem demo`: an example game to look at."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from shlex import quote
from shutil import which

import click

from pbem.cli import complete
from pbem.cli.shell import examples, progress, show, use_settings


@click.command("demo", epilog=examples("pbem demo", "pbem demo cobra --game normandy44"))
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    default="normandy71",
    show_default=True,
    shell_complete=complete.games,
    help="The example to play: a game, or a folder of examples.",
)
def demo_command(folder: Path | None, game: str) -> None:
    """Play an example game and write its letters and maps to a folder.

    Replays recorded letters into a new game, lets bots finish it, and writes letters, maps, a log,
    the game as one page and an order desk to FOLDER (default: demo). Open its index.html in a browser.
    """
    from pbem.service.tools.demo import demo

    use_settings()
    try:
        done = demo(folder or free(), game, progress())
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from error
    watched = sys.stderr.isatty() and sys.stdout.isatty()
    show([*([] if watched else done.letters_in()), *done.lines(called())])


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
