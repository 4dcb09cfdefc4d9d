"""`pbem backup`, `pbem restore` and `pbem upgrade`: a store that survives its disk and its program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import complete
from pbem.cli.shell import examples, json_option, now, show, show_either, store_option
from pbem.cli.stores import target

if TYPE_CHECKING:
    from pbem.service.record.store import Store
    from pbem.service.tools.backup import Backup

F = TypeVar("F", bound=Callable[..., Any])


def into_folder(function: F) -> F:
    """The options that say where backups go."""
    options = (
        click.option(
            "--folder",
            type=click.Path(file_okay=False, path_type=Path),
            help="Where backups are.  [default: from the settings, else backup]",
        ),
        click.option(
            "--keep",
            type=click.IntRange(0),
            help="How many backups to keep, 0 for all.  [default: from the settings, else 14]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("backup", epilog=examples("pbem backup club.pbem", "pbem backup club.pbem --keep 30"))
@click.argument("file", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@store_option
@into_folder
@json_option
def backup_command(
    file: str | None, store: str | None, folder: Path | None, keep: int | None, as_json: bool
) -> None:
    """Back a game file or database up, while games go on.

    The backup is read from end to end, and its sum is written beside it. Then the oldest backups go, until
    as many are left as are to be kept. A database is dumped with pg_dump.
    """
    from pbem.service.record.store import Store

    open_store = Store.open(target(file or store))
    made = backed_up(open_store, folder, keep)
    open_store.close()
    show_either(as_json, made, made.lines())


def backed_up(store: Store, folder: Path | None, keep: int | None) -> Backup:
    """Back a store up to where options and settings say."""
    from pbem.config import settings
    from pbem.service.tools.backup import back_up

    known = settings().backup
    return back_up(store, folder or known.folder, known.keep if keep is None else keep, now())


@click.command(
    "restore",
    epilog=examples(
        "pbem restore backup/club-20260101T040000Z.pbem again.pbem",
        "pbem restore backup/club-20260101T040000Z.pbem club.pbem --over",
    ),
)
@click.argument("backup", type=click.Path(path_type=Path), shell_complete=complete.files)
@click.argument("file", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@store_option
@click.option("--over", is_flag=True, help="Put the backup in the place of a store that is there.")
@json_option
def restore_command(backup: Path, file: str | None, store: str | None, over: bool, as_json: bool) -> None:
    """Put a backup in the place of a game file or database.

    The backup is verified first. A game file that is replaced is kept under another name; a database is
    overwritten.

    What came after the backup is lost: the mail server no longer has letters that were taken since. Letters
    that were sent since are sent again, the same to the last byte.
    """
    from pbem.service.tools.backup import restore

    done = restore(backup, target(file or store), now(), over)
    show_either(as_json, done, done.lines())


@click.command("upgrade", epilog=examples("pbem upgrade club.pbem", "pbem upgrade club.pbem --keep 30"))
@click.argument("file", required=False, metavar="[FILE|URL]", shell_complete=complete.files)
@store_option
@into_folder
def upgrade_command(file: str | None, store: str | None, folder: Path | None, keep: int | None) -> None:
    """Bring a store to this version of pbem, after a backup.

    First a backup, then the database (pbem db upgrade), then the rules of the running games (pbem rules).
    Stop pbem serve before you install another version, and start it afterwards.

    Exits with 1 if the running phase of a game cannot be played on under the rules at hand.
    """
    from pbem.service.record.errors import StoreError
    from pbem.service.record.store import Store
    from pbem.service.time.host import at_work
    from pbem.service.tools.new_rules import upgrade

    open_store = Store.found(target(file or store))
    before = open_store.version()
    if before is None:
        raise StoreError(f"{open_store.name} has no games; create one: pbem new GAME")
    if busy := at_work(open_store, now()):
        raise StoreError(f"a worker is at work here ({', '.join(busy)}): stop pbem serve first")
    show(backed_up(open_store, folder, keep).lines())
    open_store.upgrade()
    show([f"{open_store.name}: version {before} -> {open_store.version()}"])
    upgraded = upgrade(open_store, None, now())
    open_store.close()
    show([line for each in upgraded for line in each.lines()] or ["no game is running"])
    if any(each.verdict == "stuck" for each in upgraded):
        raise SystemExit(1)
