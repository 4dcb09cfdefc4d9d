"""The map in a window of a terminal: as many hexes as fit around those where something happens, in styled
text. The letters are those of the text map; names of places and rivers are added where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from pbem.engine.board import Board, Counter
from pbem.engine.map import Map
from pbem.render.ground import kinds_of
from pbem.render.terminal import CELL, LETTERS, STEP, initials

RIVERS = ("river_major", "river_minor")
LEAST_NAME, MOST_NAME = 3, 14
"""Fewest and most letters of a name of a place that are shown."""


class Span(NamedTuple):
    """Text in one style: "", one of `STYLES`, or the palette key of a side. `here` is for the hexes where
    something happens."""

    text: str
    style: str = ""
    here: bool = False


STYLES = ("head", "faint", "town", "river", "battle")

Place = tuple[int, int]
"""A column and a row: of hexes as in `Grid.places`, or of text."""


def window(
    board: Board, columns: int, rows: int, here: Sequence[str] = (), corner: Place | None = None
) -> tuple[list[list[Span]], Place]:
    """Return `rows` lines of the map around the hexes `here`, the most important one first, and the place of
    their corner. `corner` is that of the window before, which stays if the hexes, if any, are well inside."""
    places = _places(board.map)
    gutter = max(map(len, places)) + 1
    wide = max(1, (columns - gutter - CELL) // STEP + 1)
    wanted = [places[hex] for hex in here if hex in places]
    if not wanted and corner is None:
        wanted = [places[each.hex] for each in board.counters if each.hex in places]
    left, top = (
        _begin(
            [place[axis] for place in wanted],
            [place[axis] for place in places.values()],
            size,
            None if corner is None else corner[axis],
        )
        for axis, size in ((0, wide), (1, rows))
    )
    shown = {
        hex: (gutter + (x - left) * STEP, y - top)
        for hex, (x, y) in places.items()
        if left <= x < left + wide and top <= y < top + rows
    }
    canvas = _canvas(board, shown, here)
    first: dict[int, tuple[int, str]] = {}
    for hex, (column, row) in shown.items():
        if row not in first or column < first[row][0]:
            first[row] = (column, hex)
    for row, (_, hex) in first.items():
        for at, letter in enumerate(hex):
            canvas[at, row] = Span(letter, "faint")
    return [_line(canvas, columns, row) for row in range(rows)], (left, top)


def key(board: Board) -> list[Span]:
    """Return what the letters of the sides that are on the map and the signs mean."""
    spans: list[Span] = []
    there = {counter.colours for counter in board.counters}
    for side, letter in initials(board).items():
        if side in there:
            spans += [Span(letter, side), Span(f" {board.legend.get(side, side)}  ")]
    return [*spans, Span("*", "battle"), Span(" battle  "), Span("x", "battle"), Span(" lost")]


def _line(canvas: Mapping[Place, Span], columns: int, row: int) -> list[Span]:
    cells = [canvas.get((column, row), Span(" ")) for column in range(columns)]
    runs = (list(run) for _, run in groupby(cells, key=lambda cell: cell[1:]))
    return [run[0]._replace(text="".join(cell.text for cell in run)) for run in runs]


_kinds = lru_cache(maxsize=4)(kinds_of)


@lru_cache(maxsize=4)
def _places(map: Map) -> dict[str, Place]:
    """Where the hexes of a map are."""
    kinds = _kinds(map)
    return {
        hex: place
        for hex, place in zip(map.grid.ids, map.grid.places, strict=True)
        if kinds[hex] != "outside"
    }


def _begin(wanted: Sequence[int], every: Sequence[int], size: int, before: int | None) -> int:
    """Return where a window of this size begins on one axis."""
    low, high, margin = min(wanted, default=min(every)), max(wanted, default=max(every)), min(2, size // 4)
    if before is not None and (not wanted or (before + margin <= low and high < before + size - margin)):
        begin = before
    else:
        begin = ((low + high) // 2 if high - low < size or not wanted else wanted[0]) - size // 2
    return max(min(every), min(begin, max(every) - size + 1))


def _canvas(board: Board, shown: Mapping[str, Place], here: Sequence[str]) -> dict[Place, Span]:
    """Return what is at each column and row: counters and signs, then the ground, and names of places and
    rivers where there is room."""
    stacks: dict[str, list[Counter]] = {}
    for counter in board.counters:
        stacks.setdefault(counter.hex, []).append(counter)
    letters, kinds = initials(board), _kinds(board.map)
    signs = {mark.hex: "x" for mark in board.marks if mark.kind == "lost"}
    signs |= {battle.hex: "*" for battle in board.battles}
    canvas: dict[Place, Span] = {}
    taken: set[Place] = set()
    for hex, (column, row) in shown.items():
        there, marked = stacks.get(hex, ()), hex in here
        if there:
            side = there[0].colours
            count = "?" if there[0].hidden else str(len(there)) if len(there) > 1 else ""
            spans = [Span(letter, side, marked) for letter in letters[side] + count]
        else:
            kind = kinds[hex]
            spans = [Span(LETTERS[kind], {"sea": "river", "town": "town", "city": "town"}.get(kind, "faint"))]
        if marked or hex in signs:
            spans = [Span(signs.get(hex, " "), "battle"), *spans, Span(" ")][:CELL]
            spans = [span._replace(here=marked) for span in spans]
            column -= 1
        cells = {(column + 1 + at, row): span for at, span in enumerate(spans)}
        canvas |= cells
        if there or marked or hex in signs:
            taken |= cells.keys()
    _name_places(board.map, shown, canvas, taken)
    for place, sign in _rivers(board.map, shown):
        canvas.setdefault(place, Span(sign, "river"))
    return canvas


def _name_places(map: Map, shown: Mapping[str, Place], canvas: dict[Place, Span], taken: set[Place]) -> None:
    """Write the names of places to the right of their hexes, over the ground."""
    named = [(place, map.names(hex)[0][:MOST_NAME]) for hex, place in shown.items() if map.names(hex)]
    taken |= {(column + 1, row) for (column, row), _ in named}
    for (column, row), name in named:
        begin = column + 2
        while (begin, row) in taken:
            begin += 1
        room = next((at for at in range(len(name) + 1) if (begin + at, row) in taken), len(name))
        if room < len(name):
            room -= 1
        if room >= min(LEAST_NAME, len(name)):
            cells = {(begin + at, row): Span(letter, "town") for at, letter in enumerate(name[:room])}
            canvas |= cells
            taken |= cells.keys()


def _rivers(map: Map, shown: Mapping[str, Place]) -> Iterator[tuple[Place, str]]:
    """Yield where a sign for each hexside of a river may be, and the sign: between its two hexes."""
    for side in (side for kind in RIVERS for side in map.sides.get(kind, ())):
        a, _, b = side.partition("-")
        if a in shown and b in shown:
            (column, row), (other, below) = sorted((shown[a], shown[b]), key=lambda place: place[::-1])
            if row == below:
                yield (max(column, other) - 1, row), "│"
            elif below - row == 2:
                yield (column + 1, row + 1), "─"
            elif other > column:
                yield (column + 2, row), "╱"
            else:
                yield (column, row), "╲"
