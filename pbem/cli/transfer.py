"""`pbem export` and `pbem import`: one game in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import on_game, show, target
from pbem.paths import private

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("export")
@on_game
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write.  [default: standard output]",
)
def export_command(store: Store, game_id: str | None, output: Path | None) -> None:
    """Write everything of a game, secrets included, into one JSON file."""
    from pbem.service.transfer import export

    text = json.dumps(export(store, game_id), ensure_ascii=False)
    if output is None:
        click.echo(text)
    else:
        with open(output, "w", encoding="utf-8", opener=private) as file:
            file.write(text)


@click.command("import")
@click.argument("exported", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o", "--store", "file", metavar="FILE|URL", help="The store to put it into; a new file is begun."
)
def import_command(exported: Path, file: str | None) -> None:
    """Put an exported game into a store that does not have it yet."""
    from pbem.service.store import Store
    from pbem.service.transfer import import_

    data = json.loads(exported.read_text(encoding="utf-8"))
    store = Store.create(target(file))
    show([f"{import_(store, data)} is now in {store.target}"])
