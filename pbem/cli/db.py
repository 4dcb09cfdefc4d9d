"""`pbem db`: the database itself."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.shell import Group, examples, show, store_option
from pbem.cli.stores import target


@click.group("db", cls=Group)
def db_command() -> None:
    """Maintain the database."""


@db_command.command(
    "upgrade",
    epilog=examples("pbem db upgrade cotentin.pbem", "pbem db upgrade postgresql://pbem@localhost/games"),
)
@click.argument("file", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@store_option
def upgrade_command(file: str | None, store: str | None) -> None:
    """Upgrade a game file or database to this version of pbem.

    Creates the tables if there are none yet.
    """
    from pbem.service.record.store import Store

    open_store = Store(target(file or store))
    before = open_store.version()
    open_store.upgrade()
    show([f"{open_store.name}: version {before or 'none'} -> {open_store.version()}"])
    open_store.close()
