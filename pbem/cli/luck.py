"""`pbem luck`: how high the dice of a game fell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, on_game, seat_option, show_either

if TYPE_CHECKING:
    from pbem.service.record.store import Store


@click.command(
    "luck",
    epilog=examples(
        "pbem luck cotentin.pbem",
        "pbem luck cotentin.pbem --seat allied -o luck.png",
        "pbem luck club.pbem --game utah --json",
    ),
)
@on_game
@seat_option
@click.option("--dark", is_flag=True, help="Draw in colours for a dark screen.")
@json_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also draw the dice of each side, die by die, as a .png file.",
)
def luck_command(
    store: Store, game_id: str | None, seat: str, dark: bool, as_json: bool, output: Path | None
) -> None:
    """Compare the dice of a game with fair dice, exactly.

    The sum of the dice is compared with every sum that fair dice can show: of all of them, by side, by rule
    and by turn. High is not always good: each game says which end of a die helps whom.

    Draws, sealed dice and dice that a moderator has set do not count. A roll that was rolled again counts as
    it was rolled last.
    """
    from pbem.service.tools.queries import luck

    if output and output.suffix.lower() != ".png":
        raise click.UsageError(f'cannot write "{output}": the picture is a .png file')
    found = luck(store, game_id, seat)
    if output:
        from pbem.render.luck import luck_png

        output.write_bytes(luck_png(found.title, tuple(found.courses()), "dark" if dark else "paper"))
    show_either(as_json, found.facts(), found.lines())
