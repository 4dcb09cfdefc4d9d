"""`pbem autoplay`: whole games by bots."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.shell import examples, game_argument, json_option, pairs, progress_bar, show_either, usage


@click.command(
    "autoplay",
    epilog=examples(
        "pbem autoplay rampage --games 2",
        "pbem autoplay normandy71 --bot greedy --bot german=random --jobs 2",
    ),
)
@game_argument
@click.option(
    "--games", "count", default=1, show_default=True, type=click.IntRange(1), help="Number of games."
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT|SEAT=BOT",
    shell_complete=complete.bots,
    help="The bot for every seat, or for one: random or greedy.  [default: random]",
)
@click.option("--seed0", default=0, show_default=True, help="Seed of the first game.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Number of processes.")
@click.option("--scenario", shell_complete=complete.scenarios, help="The scenario.  [default: the first]")
@click.option(
    "--option",
    "options",
    multiple=True,
    shell_complete=complete.options,
    metavar="KEY=VALUE",
    help="A game option (see pbem games).",
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
    """Let bots play whole games and show the results.

    Each is replayed from its journal. Exits with 1 if a game does not finish or its replay differs.
    """
    from pbem.service.tools.selfplay import play_series

    everyone = [bot for bot in bots if "=" not in bot]
    seated = {"": everyone[-1] if everyone else "random"} | pairs(
        [bot for bot in bots if "=" in bot], "--bot"
    )
    with usage(), progress_bar("Playing games", count) as done:
        series = play_series(
            game,
            count,
            bots=seated,
            first_seed=seed0,
            jobs=jobs,
            scenario=scenario,
            options=pairs(options, "--option"),
            done=lambda played: done(played, count),
        )
    show_either(as_json, series.facts(), series.lines())
    if not series.ok:
        raise SystemExit(1)
