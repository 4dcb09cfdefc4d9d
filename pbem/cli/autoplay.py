"""`pbem autoplay`: whole games by bots."""

from __future__ import annotations

import click

from pbem.cli.shell import json_option, pairs, progress, show_either


@click.command("autoplay")
@click.argument("game")
@click.option(
    "--games", "count", default=1, show_default=True, type=click.IntRange(1), help="How many games."
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT|SEAT=BOT",
    help="random or greedy, for all seats or for one.  [default: random]",
)
@click.option("--seed0", default=0, show_default=True, help="The seed of the first game.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--scenario", help="The scenario.  [default: the first]")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="A choice that the game offers."
)
@json_option
def autoplay_command(
    game: str,
    count: int,
    bots: tuple[str, ...],
    seed0: int,
    jobs: int,
    scenario: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let bots play whole games and show how they ended.

    Each is replayed from its journal. Exits with 1 if a game does not finish or its replay differs.
    """
    from pbem.service.series import play_series

    say = progress(over=True)
    everyone = [bot for bot in bots if "=" not in bot]
    seated = {"": everyone[-1] if everyone else "random"} | pairs(
        [bot for bot in bots if "=" in bot], "--bot"
    )
    series = play_series(
        game,
        count,
        bots=seated,
        first_seed=seed0,
        jobs=jobs,
        scenario=scenario,
        options=pairs(options, "--option"),
        done=lambda played: say(f"{played} of {count} games"),
    )
    say("")
    show_either(as_json, series.facts(), series.lines())
    if not series.ok:
        raise SystemExit(1)
