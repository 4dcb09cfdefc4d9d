"""`pbem data`: the maps, charts and orders of battle of a game, for groups that own the printed one."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell import Group, show


@click.group("data", cls=Group)
def data_command() -> None:
    """Write the data files of a game, or check changed ones."""


@data_command.command("export")
@click.argument("game")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export_command(game: str, folder: Path) -> None:
    """Write the data files of GAME into FOLDER."""
    from pbem.service.datafiles import export

    show([str(path) for path in export(game, folder)])


@data_command.command("check")
@click.argument("game")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def check_command(game: str, folder: Path) -> None:
    """Check whether GAME can be played with the data files in FOLDER.

    Exit code 1 if not; every error is named.
    """
    from pbem.service.datafiles import check

    if wrong := check(game, folder):
        raise click.ClickException("\n".join(wrong))
    show([f"{game} can be played with the data files in {folder}"])
