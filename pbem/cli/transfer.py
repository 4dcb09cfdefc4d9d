"""`pbem export` and `pbem import`: one game in one file."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import examples, on_game, show
from pbem.cli.stores import target
from pbem.paths import private

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "export",
    epilog=examples(
        "pbem export cotentin.pbem -o cotentin.json", "pbem export club.pbem --game utah > utah.json"
    ),
)
@on_game
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write.  [default: standard output]",
)
def export_command(store: Store, game_id: str | None, output: Path | None) -> None:
    """Write a whole game to one JSON file.

    The file contains the secrets of the game. Keep it as safe as the game file.
    """
    from pbem.service.tools.transfer import export

    text = json.dumps(export(store, game_id), ensure_ascii=False)
    if output is None:
        click.echo(text)
    else:
        with open(output, "w", encoding="utf-8", opener=private) as file:
            file.write(text)


@click.command(
    "import",
    epilog=examples(
        "pbem import cotentin.json -o club.pbem", "pbem import cotentin.json -o moved.pbem --send-pending"
    ),
)
@click.argument("exported", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--store",
    "file",
    metavar="FILE|URL",
    shell_complete=complete.files,
    help="The store to add it to, or a new file.",
)
@click.option(
    "--send-pending", is_flag=True, help="Send its unsent letters from here; the other host must not."
)
def import_command(exported: Path, file: str | None, send_pending: bool) -> None:
    """Add an exported game to a store.

    Every row is checked first. If anything is wrong, it is named and nothing is written.
    """
    from pbem.service.record.store import Store, use_data_beside
    from pbem.service.tools.transfer import import_, load, read

    where = target(file)
    use_data_beside(where)
    game = read(load(exported))  # before a file is made
    with closing(Store.create(where)) as store:
        name = import_(store, game, send_pending=send_pending)
        show([f"Imported game {name} into {store.name}. Next: pbem status {store.name}"])
