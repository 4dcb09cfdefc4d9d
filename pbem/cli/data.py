"""`pbem data`: a game's maps, charts and orders of battle, for groups that own the printed game."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell import Group, examples, game_argument, show


@click.group("data", cls=Group)
def data_command() -> None:
    """Write the data files of a game, or check your own."""


@data_command.command(
    "export",
    epilog=examples("pbem data export normandy71 data/normandy71", "pbem data export rampage rampage-files"),
)
@game_argument
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export_command(game: str, folder: Path) -> None:
    """Write the data files of GAME to FOLDER."""
    from pbem.service.tools.datafiles import export

    show([str(path) for path in export(game, folder)])


@data_command.command(
    "check",
    epilog=examples("pbem data check normandy71 data/normandy71", "pbem data check rampage rampage-files"),
)
@game_argument
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def check_command(game: str, folder: Path) -> None:
    """Check whether GAME can be played with the data files in FOLDER.

    Exits with 1 if not, and names every error.
    """
    from pbem.service.tools.datafiles import check

    if wrong := check(game, folder):
        raise click.ClickException("\n".join(wrong))
    show([f"{game} can be played with the data files in {folder}"])
