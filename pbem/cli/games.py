"""`pbem games`: what can be played."""

from __future__ import annotations

import click

from pbem.cli.shell import json_option, show_either


@click.command("games")
@json_option
def games_command(as_json: bool) -> None:
    """List the games that can be played."""
    from pbem.service.look import installed

    games = installed()
    lines = [f"{game.key:<14} {game.title}\n{'':<14} seats: {', '.join(game.seats)}" for game in games]
    for number, game in enumerate(games):
        lines[number] += "".join(
            f"\n{'':<14} scenario {key}: {title}" for key, title in game.scenarios.items()
        )
        lines[number] += "".join(
            f"\n{'':<14} option {key}={'|'.join(values)}" for key, values in game.options.items()
        )
    show_either(as_json, games, lines)
