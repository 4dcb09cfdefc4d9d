"""`pbem demo`: a game to look at."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

import click

from pbem.cli.shell import progress, show, use_settings


@click.command("demo")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    default="normandy71",
    show_default=True,
    help="The example that is played: a game, or a folder of examples.",
)
def demo_command(folder: Path | None, game: str) -> None:
    """Play an example game and leave letters and maps to look at.

    Recorded letters are replayed into a new game, then bots finish it. Letters, maps and a log are
    written to FOLDER (default: demo).
    """
    from pbem.service.demo import demo

    use_settings()
    done = demo(folder or free(), game, progress())
    watched = sys.stderr.isatty() and sys.stdout.isatty()
    show([*([] if watched else done.letters_in()), *done.lines()])


def free() -> Path:
    """demo, or demo-2 and so on if that is taken."""
    names = (Path(f"demo-{number}" if number > 1 else "demo") for number in count(1))
    return next(path for path in names if not path.exists())
