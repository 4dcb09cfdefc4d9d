"""`pbem adjudicate`: the game is played on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, now, on_game, show_either

if TYPE_CHECKING:
    from pbem.service.store import Store


@click.command("adjudicate")
@on_game
@click.option(
    "--deadline",
    is_flag=True,
    help="Decide for those whose time is up, in every game of the store that is due.",
)
@click.option("--force", is_flag=True, help="Decide for those who are awaited, though they have time left.")
@click.option(
    "--resume",
    is_flag=True,
    help="Let a game go on that a fault of pbem had stopped, with the letters kept since.",
)
@json_option
def adjudicate_command(
    store: Store, game_id: str | None, deadline: bool, force: bool, resume: bool, as_json: bool
) -> None:
    """Play on as far as orders, standing orders and bots carry the game."""
    from pbem.service import deadline as clock
    from pbem.service import receive
    from pbem.service.look import status

    moment = now()
    if resume:
        receive.resume(store, game_id, moment)
    games: list[str | None] = [*clock.due(store, moment)] if deadline and not game_id else [game_id]
    played = [
        (
            clock.act(store, game, moment, force) if deadline or force else clock.play(store, game, moment),
            game,
        )
        for game in games
    ]
    stands = [status(store, game) for _, game in played]
    counts = [sum(len(step.fresh) for step in steps) for steps, _ in played]
    lines = [
        f"{stand.game}: {count} answers recorded; {stand.title}"
        for stand, count in zip(stands, counts, strict=True)
    ]
    facts = [
        {"game": stand.game, "answers": count, "status": stand}
        for stand, count in zip(stands, counts, strict=True)
    ]
    show_either(as_json, facts, lines or ["no game is due"])
