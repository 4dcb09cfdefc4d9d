"""`pbem autoplay`: whole games by bots."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import complete
from pbem.cli.shell import examples, game_argument, json_option, pairs, progress_bar, show_either, usage


@click.command(
    "autoplay",
    epilog=examples(
        "pbem autoplay rampage --games 2",
        "pbem autoplay normandy71 --bot greedy --bot german=random --jobs 2",
        "pbem autoplay rampage --compare greedy random --picture bots.png",
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
    help="The bot for every seat, or for one: random, greedy or planner.  [default: random]",
)
@click.option(
    "--think",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="How many decisions a planner imagines in each turn; 0: it follows its book.",
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
@click.option(
    "--compare",
    "compared",
    nargs=2,
    metavar="BOT BOT",
    help="Compare two bots instead: pairs of games with the same dice, as many as --games, sides changed.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --compare: keep each game in this file, and go on where an earlier run stopped.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --compare: draw how far each bot was ahead, turn by turn.",
)
@click.option(
    "--cluster",
    default="",
    metavar="tcp://HOST:PORT",
    help="With --compare: play on a Dask cluster instead of processes of this machine.",
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
    compared: tuple[str, str] | None,
    results: Path | None,
    picture: Path | None,
    cluster: str,
    as_json: bool,
    think: int,
) -> None:
    """Let bots play whole games and show the results.

    Each is replayed from its journal. Exits with 1 if a game does not finish or its replay differs.

    With --compare two bots play pairs of games, with the same dice and the sides changed: the sum of both
    margins decides a pair, and a draw counts half.
    """
    if compared is None:
        if results or picture or cluster:
            raise click.UsageError("--results, --picture and --cluster go with --compare")
    else:
        if bots:
            raise click.UsageError("--compare names the bots: leave out --bot")
        compare_bots(
            game, compared, count, jobs, cluster, seed0, scenario, pairs(options, "--option"), results,
            picture, as_json, think,
        )  # fmt: skip
        return
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
            think=think,
            done=lambda played: done(played, count),
        )
    show_either(as_json, series.facts(), series.lines())
    if not series.ok:
        raise SystemExit(1)


def compare_bots(
    game: str,
    bots: tuple[str, str],
    number: int,
    jobs: int,
    cluster: str,
    seed0: int,
    scenario: str | None,
    options: dict[str, str],
    results: Path | None,
    picture: Path | None,
    as_json: bool,
    think: int,
) -> None:
    """Compare two bots and show what comes of it."""
    from pbem.service.tools.compare import compare, executor

    with usage(), progress_bar("Playing games", 2 * number) as done, executor(jobs, cluster) as run:
        found = compare(
            game, *bots, number, run=run, first_seed=seed0, scenario=scenario, options=options,
            results=results, think=think, done=lambda played: done(played, 2 * number),
        )  # fmt: skip
    if picture is not None:
        picture.write_bytes(found.picture())
    show_either(as_json, found.facts(), found.lines())
