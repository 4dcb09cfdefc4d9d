"""`pbem demo`: a game to look at."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import click

from pbem.cli.shell import show, use_settings


@click.command("demo")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    default="normandy71",
    show_default=True,
    help="The example that is played: a game, or a folder of examples.",
)
def demo_command(folder: Path | None, game: str) -> None:
    """Play recorded letters through a new game, let bots finish it, and leave letters, maps and a log in FOLDER (default: demo)."""
    from pbem.service.demo import demo

    use_settings()
    show(demo(folder or free(), game).lines())


def free() -> Path:
    """demo, or demo-2 and so on if that is taken."""
    names = (Path(f"demo-{number}" if number > 1 else "demo") for number in count(1))
    return next(path for path in names if not path.exists())
