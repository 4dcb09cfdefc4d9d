"""`pbem replay`: the history of a game, page by page."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
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
    from pbem.service.letters.telling import Scene
    from pbem.service.record.store import Store
    from pbem.service.tools.queries import Page

PARTS = r"Orders$|Log$|Dice$"
"""The headings of a page."""


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
    "--map/--no-map",
    "maps",
    default=None,
    help="Show a text map of every phase.  [default: in a terminal only]",
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
    maps: bool | None,
    columns: int | None,
    verify: bool,
    output: Path | None,
    start: str,
    end: str,
    pager: bool,
    as_json: bool,
) -> None:
    """Step through the history of a game.

    In a terminal it shows log and map, step by step; the key ? lists the keys. On a pipe it prints the
    orders, results and dice of each phase; with --map also a map, and of its lists what has changed.

    With -o it becomes one HTML file to show to friends: map, log and dice, each
    die proved in the page. With --seat it holds what that seat may know, and
    nothing else. Without it the page of a running game shows what every side
    hides: give that one to no player.

    Exit code 1 if today's rules do not lead to what was recorded; the first difference is named. Other words
    are not one: --verify lists them apart.
    """
    columns = columns or terminal.map_columns()
    if (start or end) and output is None:
        raise click.UsageError("--from and --to go with -o FILE")
    if output is not None:
        write_page(store, game_id, seat, output, start, end)
    elif verify:
        verify_states(store, game_id, as_json)
    elif not as_json and (reader := screen_reader()) is not None:
        reader.read(lambda: steps(store, game_id, seat), turn, maps is not False)
    else:
        from pbem.service.tools.queries import pages

        told = pages(store, game_id, seat, turn)
        if as_json:
            show_json([facts(page) for page in told])
        else:
            show(printed(told, columns if maps else 0), heads=PARTS, pager=pager)


def steps(store: Store, game_id: str | None, seat: str) -> Iterator[Scene]:
    """Return what the reader of a replay shows. Opens the game, which takes a moment."""
    from pbem.service.tools.queries import scenes

    return scenes(store, game_id, seat)


def screen_reader() -> ModuleType | None:
    """Return the reader of a replay, or None where there is no screen for it."""
    if not (terminal.is_terminal(sys.stdin) and terminal.is_watched()):
        return None
    try:
        from pbem.cli import reader
    except ImportError:  # Python for Windows has no curses
        click.echo(
            "This Python has no curses: the replay is printed. On Windows, use WSL to step through it."
        )
        return None
    return reader if reader.has_screen() else None


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
    if story.is_open_book:
        click.echo(
            "Warning: the game is still running, and this page shows what every side hides. Give it to no "
            f"player. For a page that holds only what one side may know, add --seat: "
            f"{' or '.join(f'--seat {player.seat}' for player in story.players)}.",
            err=True,
        )


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


def printed(pages: Iterable[Page], columns: int) -> Iterator[str]:
    """Yield pages as lines, with maps if these may have any columns. Of the lists below a map, only what is
    not as on the page before."""
    before: dict[str, list[str]] = {}
    if columns:
        from pbem import render
    for page in pages:
        yield from [*page.lines(), ""]
        if columns:
            head, sketch, *lists = render.text(page.board, columns).rstrip().split("\n\n")
            yield from [head, "", *sketch.splitlines(), ""]
            now = {title: lines for title, *lines in map(str.splitlines, lists)}
            for title, lines in now.items():
                if title not in before or (told := list(changes(lines, before[title]))):
                    yield from [title, *(told if title in before else lines), ""]
            before = now


def changes(lines: Sequence[str], before: Sequence[str]) -> Iterator[str]:
    """Yield what of a list was not in it before, and which hexes and lines are no longer in it. Of a line
    along hexsides, ``at`` many hexes, only the hexes that have come or gone."""
    had = dict(line.partition(" at ")[::2] for line in before)
    for line in lines:
        begin, at, hexes = line.partition(" at ")
        if line in before:
            continue
        if not at or begin not in had:
            yield line
            continue
        now, then = hexes.split(), had[begin].split()
        yield " ".join(
            [
                begin,
                *(f"+{hex}" for hex in now if hex not in then),
                *(f"-{hex}" for hex in then if hex not in now),
            ]
        )
    names = {line.split(" at ")[0] if " at " in line else line.split()[0] for line in lines}
    gone = [line.split()[0] for line in before if " at " not in line and line.split()[0] not in names]
    gone += [begin.strip() for begin, rest in had.items() if rest and begin not in names]
    if gone:
        yield f"  gone: {', '.join(dict.fromkeys(gone))}"
