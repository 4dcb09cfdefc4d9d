"""`pbem orders check`: check orders before you send them."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.shell import (
    Group,
    examples,
    game_option,
    json_option,
    opened,
    read_text,
    show_either,
    store_option,
)


@click.group("orders", cls=Group)
def orders_command() -> None:
    """Check orders before you send them."""


@orders_command.command(
    "check",
    epilog=examples(
        "pbem orders check cotentin.pbem plan.txt --seat allied",
        "pbem orders check normandy71 plan.txt --seat allied",
    ),
)
@click.argument(
    "words", nargs=-1, required=True, metavar="[FILE|GAME] ORDERS", shell_complete=complete.file_or_game
)
@click.option(
    "--seat", required=True, metavar="SEAT", shell_complete=complete.seats, help="The seat giving the orders."
)
@store_option
@game_option
@json_option
def check_command(
    words: tuple[str, ...], seat: str, store: str | None, game_id: str | None, as_json: bool
) -> None:
    """Check orders as pbem would check a letter; nothing is kept.

    ORDERS is a file, or - for standard input. FILE is a game file or database URL. With the key of a
    game (see pbem games) instead, the orders are checked against its starting position. Exits with 1 if
    there is anything to correct.
    """
    from pbem.engine.installed import playable
    from pbem.service.intake.trial import check_file

    if len(words) > 2:
        raise click.UsageError("give [FILE|GAME] ORDERS")
    where, text = (words[0] if len(words) > 1 else store), read_text(words[-1])
    if where in playable():
        trial = check_file(where, seat, text)
    else:
        with opened(where) as open_store:
            trial = check_file(open_store, seat, text, game_id)
    show_either(as_json, trial.facts, trial.lines)
    if not trial.ok:
        raise SystemExit(1)
