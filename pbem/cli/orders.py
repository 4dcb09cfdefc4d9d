"""`pbem orders check`: orders are tried before they are sent."""

from __future__ import annotations

import click

from pbem.cli.shell import Group, game_option, json_option, opened, read_text, show_either, store_option


@click.group("orders", cls=Group)
def orders_command() -> None:
    """Check orders before they are sent."""


@orders_command.command("check")
@click.argument("words", nargs=-1, required=True, metavar="[FILE|GAME] ORDERS")
@click.option("--seat", required=True, metavar="SEAT", help="Whose orders these are.")
@store_option
@game_option
@json_option
def check_command(
    words: tuple[str, ...], seat: str, store: str | None, game_id: str | None, as_json: bool
) -> None:
    """Check orders as a letter is checked; nothing is changed.

    ORDERS is a file, or - for standard input. FILE is a game file or database URL; with the name of a
    game (see pbem games) instead, orders are checked at its very start. Exit code 1 if anything needs
    the player.
    """
    from pbem.engine.game import games
    from pbem.service.trial import check_file

    if len(words) > 2:
        raise click.UsageError("give [FILE|GAME] ORDERS")
    where, text = (words[0] if len(words) > 1 else store), read_text(words[-1])
    if where in games():
        trial = check_file(where, seat, text)
    else:
        with opened(where) as found:
            trial = check_file(found, seat, text, game_id)
    show_either(as_json, trial.facts, trial.lines)
    if not trial.ok:
        raise SystemExit(1)
