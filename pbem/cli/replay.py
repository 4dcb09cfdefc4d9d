"""`pbem replay`: the history of a game, page by page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import terminal
from pbem.cli.shell import (
    columns_option,
    examples,
    json_option,
    on_game,
    pager_option,
    place,
    progress_bar,
    seat_option,
    show,
    show_either,
    show_json,
)
from pbem.engine.wording import count
from pbem.paths import private

if TYPE_CHECKING:
    from pbem.service.record.store import Store
    from pbem.service.tools.queries import Page

PARTS = r"Orders$|Log$|Dice$"
"""The headings of a page."""

KEYS = "n next, p back, a number: that turn, m map, g picture, q quit"


@click.command(
    "replay",
    epilog=examples(
        "pbem replay cotentin.pbem",
        "pbem replay cotentin.pbem -o cotentin.html --seat german --from T1",
        "pbem replay cotentin.pbem --seat german --turn 1 --no-map",
    ),
)
@on_game
@seat_option
@click.option("--turn", type=int, help="Show only this turn; in a terminal, begin with it.")
@click.option(
    "--map/--no-map", "maps", default=True, show_default=True, help="Show a text map on every page."
)
@columns_option
@click.option(
    "--verify", is_flag=True, help="Adjudicate every phase anew and compare facts and states; show no pages."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the game to one HTML file that opens in any browser, with no network.",
)
@click.option(
    "--from",
    "start",
    metavar="T2|R17",
    default="",
    callback=place,
    help="With -o: begin with this turn or roll.",
)
@click.option(
    "--to", "end", metavar="T2|R17", default="", callback=place, help="With -o: end with this turn or roll."
)
@pager_option
@json_option
def replay_command(
    store: Store,
    game_id: str | None,
    seat: str,
    turn: int | None,
    maps: bool,
    columns: int | None,
    verify: bool,
    output: Path | None,
    start: str,
    end: str,
    pager: bool,
    as_json: bool,
) -> None:
    """Step through the history of a game, phase by phase.

    With -o it becomes one HTML file to show to friends: map, log and dice, each
    die proved in the page. With --seat it holds what that seat may know, and
    nothing else.

    Otherwise each page has the orders, dice and results of a phase, and a map. On a pipe, all pages are
    printed.
    Exit code 1 if today's rules do not lead to what was recorded; the first difference is named. Other words
    are not one: --verify lists them apart.
    """
    from pbem.service.tools.queries import pages

    columns = columns or terminal.map_columns()
    if (start or end) and output is None:
        raise click.UsageError("--from and --to go with -o FILE")
    if output is not None:
        write_page(store, game_id, seat, output, start, end)
    elif verify:
        verify_states(store, game_id, as_json)
    elif as_json:
        show_json([facts(page) for page in pages(store, game_id, seat, turn)])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        leaf_through(Book(pages(store, game_id, seat)), turn, maps, columns, pager)
    else:
        for page in pages(store, game_id, seat, turn):
            show([*page.lines(), "", *(drawn(page, columns) if maps else ())], heads=PARTS)


def write_page(store: Store, game_id: str | None, seat: str, page: Path, start: str, end: str) -> None:
    """Write the game as one HTML file, for its owner alone: it may hold what one seat knows."""
    from pbem.service.tools.queries import replay_page

    try:
        text, story = replay_page(store, game_id, seat, start, end)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    with open(page, "w", encoding="utf-8", newline="\n", opener=private) as file:
        file.write(text)
    size = page.stat().st_size / 1e6
    steps = count(len(story.tracks[0].steps), "step")
    click.echo(f"Wrote {page} ({size:.1f} MB, {steps}). Open it in a browser.")


def verify_states(store: Store, game_id: str | None, as_json: bool) -> None:
    """Adjudicate everything anew, and say how it compares with what was recorded."""
    from pbem.service.proof.verify import compare

    with progress_bar("Rerunning phases") as done:
        compared = compare(store, game_id, done)
    show_either(as_json, compared, compared.lines())


def facts(page: Page) -> dict[str, object]:
    return {name: value for name, value in asdict_without_board(page).items() if name != "board"}


def asdict_without_board(page: Page) -> dict[str, object]:
    from dataclasses import replace

    return asdict(replace(page, board=None))  # type: ignore[arg-type]


def drawn(page: Page, columns: int) -> list[str]:
    """Return the map of a page as lines, and an empty one."""
    from pbem import render

    return [*render.text(page.board, columns).splitlines(), ""]


class Book:
    """The pages of a replay, made one by one as far as they are asked for: each is adjudicated anew."""

    def __init__(self, pages: Iterator[Page]) -> None:
        self._coming: Iterator[Page] | None = pages
        self._pages: list[Page] = []

    def __iter__(self) -> Iterator[Page]:
        at = 0
        while at < len(self._pages) or self._read_on():
            yield self._pages[at]
            at += 1

    def _read_on(self) -> bool:
        """Add the next page; whether there was one."""
        page = next(self._coming, None) if self._coming is not None else None
        if page is None:
            self._coming = None
            return False
        self._pages.append(page)
        return True

    def place(self, fits: Callable[[int, Page], bool]) -> int:
        """Return the number, from 0, of the first page that fits, or else of the last page."""
        for at, page in enumerate(self):
            if fits(at, page):
                return at
        return len(self._pages) - 1

    def page(self, at: int) -> Page:
        """Return a page that `place` has found."""
        return self._pages[at]

    def folio(self, at: int) -> str:
        """Return the page number, and how many there are as soon as that is known."""
        return f"{at + 1}" if self._coming is not None else f"{at + 1} of {len(self._pages)}"


def leaf_through(book: Book, turn: int | None, maps: bool, columns: int, pager: bool) -> None:
    """Show pages in a terminal, forwards and backwards; with `pager`, long ones in the pager."""
    at = book.place(lambda number, page: page.turn >= (turn or 0))
    while at >= 0:
        page = book.page(at)
        click.clear()
        show([*page.lines(), *(drawn(page, columns) if maps else ())], heads=PARTS, pager=pager)
        ask = f"[{book.folio(at)}] {KEYS}"
        key = click.prompt(ask, default="n", show_default=False, prompt_suffix=" > ").strip().lower()
        if key == "q":
            return
        if key == "m":
            maps = not maps
        elif key == "g":
            picture(page, columns)
        else:
            at = book.place(wanted(key, at))


def wanted(key: str, at: int) -> Callable[[int, Page], bool]:
    """Return what the page that a key asks for looks like: one of a turn, the one before or the next."""
    if key.isdecimal():
        return lambda number, page: page.turn >= int(key)
    to = max(0, at - 1) if key == "p" else at + 1
    return lambda number, page: number == to


def picture(page: Page, columns: int) -> None:
    from pbem import render

    click.echo(render.half_block(render.png(page.board), columns), nl=False)
    click.pause()
