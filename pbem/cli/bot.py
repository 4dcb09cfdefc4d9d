"""`pbem bot`: let a bot play a seat."""

from __future__ import annotations

import click

from pbem.cli import complete
from pbem.cli.shell import examples, game_option, now, opened, show, store_option

BOTS = ("random", "greedy", "planner", "none")


@click.command("bot", epilog=examples("pbem bot cotentin.pbem german", "pbem bot cotentin.pbem german none"))
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="[FILE] SEAT [random|greedy|planner|none]",
    shell_complete=complete.file_seat_bot,
)
@store_option
@game_option
def bot_command(words: tuple[str, ...], store: str | None, game_id: str | None) -> None:
    """Let a bot play a seat, and run the game on.

    The default is greedy. Use none to give the seat back to its player.
    """
    from pbem.service.moderating.seats import hand_to_bot
    from pbem.service.tools.queries import status

    bot = words[-1] if words[-1] in BOTS and len(words) > 1 else "greedy"
    rest = words[:-1] if words[-1] in BOTS and len(words) > 1 else words
    if len(rest) not in (1, 2):
        raise click.UsageError("give [FILE] SEAT [random|greedy|planner|none]")
    with opened(rest[0] if len(rest) > 1 else store) as open_store:
        hand_to_bot(open_store, game_id, rest[-1], bot, now())
        show(status(open_store, game_id).lines())
