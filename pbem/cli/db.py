"""`pbem db`: the database itself."""

from __future__ import annotations

import click

from pbem.cli.shell import Group, show, store_option, target


@click.group("db", cls=Group)
def db_command() -> None:
    """Look after the database."""


@db_command.command("upgrade")
@click.argument("file", required=False, metavar="[FILE|URL]")
@store_option
def upgrade_command(file: str | None, store: str | None) -> None:
    """Upgrade a game file or database to this version of pbem.

    Where there are no tables yet, they are made.
    """
    from pbem.service.store import Store

    found = Store(target(file or store))
    before = found.version()
    found.upgrade()
    show([f"{found.target}: version {before or 'none'} -> {found.version()}"])
    found.close()
