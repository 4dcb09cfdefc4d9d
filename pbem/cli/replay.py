"""`pbem replay`: the history of a game, page by page."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pbem.cli.shell import json_option, on_game, seat_option, show, show_json

if TYPE_CHECKING:
    from pbem.service.look import Page
    from pbem.service.store import Store

KEYS = "n next, p back, a number: that turn, m map, g picture, q quit"


@click.command("replay")
@on_game
@seat_option
@click.option("--turn", type=int, help="This turn alone; in the terminal, begin with it.")
@click.option(
    "--map/--no-map", "maps", default=True, show_default=True, help="Show a text map on every page."
)
@click.option("--columns", default=100, show_default=True, help="The width of the map.")
@click.option(
    "--verify", is_flag=True, help="Adjudicate every phase anew and compare the hashes; show nothing."
)
@json_option
def replay_command(
    store: Store,
    game_id: str | None,
    seat: str,
    turn: int | None,
    maps: bool,
    columns: int,
    verify: bool,
    as_json: bool,
) -> None:
    """Step through the history of a game: phases, orders, dice, results, maps. On a pipe, print all of it.

    Exit code 1 if today's rules do not lead to what was recorded; the phase is named.
    """
    from pbem.service.look import pages

    if verify:
        count_states(store, game_id)
    elif as_json:
        show_json([facts(page) for page in pages(store, game_id, seat, turn)])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        leaf_through(list(pages(store, game_id, seat)), turn, maps, columns)
    else:
        for page in pages(store, game_id, seat, turn):
            show([*page.lines(), ""])
            if maps:
                draw(page, columns)


def count_states(store: Store, game_id: str | None) -> None:
    """Adjudicate everything anew, and say so."""
    from pbem.service.verify import replay

    states = [phase for phase in replay(store, game_id) if phase.state_hash]
    show([f"{len(states)} phases adjudicated anew; all states are those that were recorded"])


def facts(page: Page) -> dict[str, object]:
    return {name: value for name, value in asdict_without_board(page).items() if name != "board"}


def asdict_without_board(page: Page) -> dict[str, object]:
    from dataclasses import replace

    return asdict(replace(page, board=None))  # type: ignore[arg-type]


def draw(page: Page, columns: int) -> None:
    from pbem import render

    click.echo(render.text(page.board, columns))


def leaf_through(found: list[Page], turn: int | None, maps: bool, columns: int) -> None:
    """Pages in a terminal, forwards and backwards."""
    at = place(found, turn) if turn is not None else 0
    while found:
        click.clear()
        show(found[at].lines())
        if maps:
            draw(found[at], columns)
        key = (
            click.prompt(
                f"[{at + 1} of {len(found)}] {KEYS}", default="n", show_default=False, prompt_suffix=" > "
            )
            .strip()
            .lower()
        )
        if key == "q":
            return
        if key == "m":
            maps = not maps
        elif key == "g":
            picture(found[at], columns)
        elif key.isdigit():
            at = place(found, int(key))
        else:
            at = max(0, at - 1) if key == "p" else min(len(found) - 1, at + 1)


def place(found: list[Page], turn: int) -> int:
    """The first page of a turn, or the last page before it."""
    return next((number for number, page in enumerate(found) if page.turn >= turn), len(found) - 1)


def picture(page: Page, columns: int) -> None:
    from pbem import render

    click.echo(render.half_block(render.png(page.board), columns), nl=False)
    click.pause()
