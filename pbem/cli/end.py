"""`pbem end`: end a game before its rules do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.hosted import do, hosted
from pbem.cli.shell import examples, on_game_with

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "end",
    epilog=examples(
        "pbem end mill.pbem draw --dry-run",
        'pbem end mill.pbem german --why "the Allies have gone" --yes',
    ),
)
@on_game_with("how")
@hosted
def end_command(store: Store, game_id: str | None, how: str, why: str, by: str, **asked: Any) -> None:
    """End a game where it stands.

    HOW is draw, abandoned, annulled, or the seat that wins. Everybody gets the last letter with the result,
    and all secrets are opened, so this cannot be taken back.
    """
    from pbem.service.moderating.ending import end

    do(store, game_id, lambda table: end(table, how, by=by, why=why), final=True, **asked)
