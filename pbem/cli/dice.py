"""`pbem dice`: show and verify every roll."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import complete
from pbem.cli.shell import (
    Group,
    examples,
    game_option,
    json_option,
    on_game,
    opened,
    seat_option,
    show_either,
    show_json,
)
from pbem.cli.stores import target

if TYPE_CHECKING:
    from pbem.service.letters.proof import Findings
    from pbem.service.store import Store


@click.group("dice", cls=Group)
def dice_command() -> None:
    """Show and verify the dice of a game."""


@dice_command.command(
    "show",
    epilog=examples("pbem dice show cotentin.pbem", "pbem dice show cotentin.pbem --seat allied --turn 1"),
)
@on_game
@seat_option
@click.option("--turn", type=int, help="Show only this turn.")
@json_option
def show_command(store: Store, game_id: str | None, seat: str, turn: int | None, as_json: bool) -> None:
    """List every roll with the event it decided."""
    from pbem.service.queries import rolls

    found = rolls(store, game_id, seat, turn)
    show_either(
        as_json,
        found,
        [f"{roll['name']:<5} {roll['phase']}|{roll['label']} = {roll['shows']}" for roll in found],
    )


@dice_command.command(
    "verify", epilog=examples("pbem dice verify cotentin.pbem", "pbem dice verify saved-letters")
)
@click.argument("where", required=False, metavar="[FILE|FOLDER]", shell_complete=complete.files)
@game_option
@json_option
def verify_command(where: str | None, game_id: str | None, as_json: bool) -> None:
    """Verify every roll, link, order and text of a game.

    FILE is a game file. A FOLDER of saved letters is verified on its own. Exits with 1 if anything was
    altered, and names it.
    """
    found = verify(where, game_id)
    if as_json:
        show_json(found)
    for name, findings in found.items():
        if not as_json:
            click.echo(f"{name}: {findings.summary()}")
        for line in findings.wrong:
            click.echo(line, err=True)
    if not all(findings.ok for findings in found.values()):
        raise SystemExit(1)


def verify(where: str | None, game_id: str | None) -> dict[str, Findings]:
    """Return what verifying saved letters, or the games of a store, has found."""
    from pbem.service.letters import proof

    path = Path(where or target(None))
    if path.is_dir():
        return {str(path): proof.check_folder(path)}
    if path.suffix == ".eml":
        return {str(path): proof.check_letters([(path.name, path.read_bytes())])}
    from pbem.service.store import game_ids
    from pbem.service.verify import verify_game

    with opened(where) as store:
        with store.transaction() as session:
            games = [game_id] if game_id else game_ids(session)
        return {game: verify_game(store, game) for game in games}
