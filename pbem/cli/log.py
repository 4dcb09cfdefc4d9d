"""`pbem log`: what happened in a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell import examples, json_option, on_game, pager_option, seat_option, show, show_json

if TYPE_CHECKING:
    from pbem.service.letters.log import Part
    from pbem.service.record.store import Store


@click.command(
    "log",
    epilog=examples(
        "pbem log cotentin.pbem",
        "pbem log cotentin.pbem --seat german --turn 1",
        "pbem log cotentin.pbem --seat german --summary",
    ),
)
@on_game
@seat_option
@click.option("--turn", type=int, help="Show only this turn.")
@click.option("--summary", is_flag=True, help="Tell the game so far in about twenty lines.")
@pager_option
@json_option
def log_command(
    store: Store,
    game_id: str | None,
    seat: str,
    turn: int | None,
    summary: bool,
    pager: bool,
    as_json: bool,
) -> None:
    """Show the log: every result with its case, odds and roll."""
    from pbem.service.tools import queries

    if summary:
        if turn is not None:
            raise click.UsageError("--summary is of the whole game: leave --turn out")
        _show_summary(queries.summary(store, game_id, seat), pager=pager, as_json=as_json)
        return
    if as_json:
        show_json(queries.log_facts(store, game_id, seat, turn))
        return
    parts = queries.log(store, game_id, seat, turn)
    show(
        [line for part in parts for line in (part.title, "-" * len(part.title), *part.lines, "")],
        pager=pager,
    )


def _show_summary(parts: list[Part], *, pager: bool, as_json: bool) -> None:
    if as_json:
        show_json([{"title": part.title, "lines": part.lines} for part in parts])
        return
    show(
        [line for part in parts for line in (part.title, "-" * len(part.title), *part.lines, "")], pager=pager
    )
