"""`pbem rules`: put running games under the rules at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, now, on_game, show_either

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command("rules", epilog=examples("pbem rules club.pbem --dry-run", "pbem rules club.pbem"))
@on_game
@click.option("--dry-run", is_flag=True, help="Only show what would come out otherwise.")
@json_option
def rules_command(store: Store, game_id: str | None, dry_run: bool, as_json: bool) -> None:
    """Put running games under the rules of this version of pbem.

    Every game is rerun. If nothing comes out otherwise, it is marked with the version at hand. If something
    would, what is recorded stands, the rules at hand apply from now on, and the players are told.

    Exits with 1 if the running phase of a game cannot be played on, with --dry-run also if anything would
    come out otherwise.
    """
    from pbem.service.tools.new_rules import upgrade

    upgraded = upgrade(store, game_id, now(), dry_run=dry_run)
    lines = [line for each in upgraded for line in each.lines()]
    show_either(as_json, upgraded, lines or ["no game is running"])
    if any(each.verdict == "stuck" or (dry_run and each.verdict == "differs") for each in upgraded):
        raise SystemExit(1)
