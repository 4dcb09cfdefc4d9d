"""`pbem bot`: let a bot play a seat."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.hosted import hosted, look_first
from pbem.cli.shell import examples, game_option, now, opened, show, store_option, think_on

BOTS = ("random", "greedy", "planner", "none")


@click.command(
    "bot",
    epilog=examples(
        'pbem bot cotentin.pbem german --why "Bernd is ill"',
        "pbem bot cotentin.pbem german none",
        "pbem bot cotentin.pbem allied --advise",
    ),
)
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="[FILE] SEAT [random|greedy|planner|none]",
    shell_complete=complete.file_seat_bot,
)
@click.option("--advise", is_flag=True, help="Only print what the planner would order for the seat.")
@store_option
@game_option
@hosted
def bot_command(
    words: tuple[str, ...],
    advise: bool,
    store: str | None,
    game_id: str | None,
    why: str,
    by: str,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Let a bot play a seat, and run the game on.

    The default is planner. Use none to give the seat back to its player. All players get word of it, and the
    journal keeps it as an event. If nobody else plays, the bots play the game to its end at once: that is
    shown first, and done with --yes.
    """
    from pbem.service.letters.advice import advised
    from pbem.service.moderating.seats import hand_to_bot, would_end
    from pbem.service.tools.queries import status, table_of

    named = words[-1] in BOTS and len(words) > 1
    bot = words[-1] if named else "planner"
    rest = words[:-1] if named else words
    if len(rest) not in (1, 2):
        raise click.UsageError("give [FILE] SEAT [random|greedy|planner|none]")
    if advise and named:
        raise click.UsageError("--advise asks the planner: name no bot")
    with opened(rest[0] if len(rest) > 1 else store) as open_store:
        if advise:
            with table_of(open_store, game_id, rest[-1]) as (table, _):
                show(advised(table, rest[-1]))
            return
        look_first(
            lambda dry: hand_to_bot(
                open_store, game_id, rest[-1], bot, now(), by=by, why=why, dry_run=dry
            ),
            dry_run=dry_run, yes=yes, as_json=as_json,
            final=bot != "none" and would_end(open_store, game_id, rest[-1], now()),
        )  # fmt: skip
        if not dry_run:
            think_on(open_store, game_id)
        if not (dry_run or as_json):
            show(status(open_store, game_id).lines())
