"""`pbem games`: the games that can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, show_either

if TYPE_CHECKING:
    from pbem.service.tools.catalogue import Installed


@click.command("games", epilog=examples("pbem games", "pbem games --json"))
@json_option
def games_command(as_json: bool) -> None:
    """List the games that can be played."""
    from pbem.service.tools.catalogue import installed

    games = installed()
    show_either(as_json, games, [line for game in games for line in described(game)])


def described(game: Installed) -> list[str]:
    """Return a game as lines: title, seats, scenarios, options, or why it cannot be loaded."""
    if game.fault:
        return [game.fault]
    told = [game.title, f"seats: {', '.join(game.seats)}"]
    told += [f"scenario {key}: {title}" for key, title in game.scenarios.items()]
    told += [f"option {key}={'|'.join(values)}" for key, values in game.options.items()]
    return [f"{key:<14} {line}" for key, line in zip([game.key, *[""] * len(told)], told, strict=False)]
