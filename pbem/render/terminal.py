"""The map without pictures: as text for terminals and plain mails, and as coloured half blocks
for terminals that can.

The text has two parts. The sketch shows a window of the map in cells of four columns; the list names every
counter on the board, so that nothing is lost where the sketch is too small. `read_text` reads the list back.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Any

from PIL import Image

from pbem.engine.board import SIZES, SYMBOLS, Board, Counter, Size, Symbol
from pbem.render.ground import kinds_of
from pbem.render.pieces import FLAGS, describe

CELL = 4
STEP = 2
"""Columns of text for each step of `Grid.places` to the east: hexes of one line are two steps apart."""

LETTERS = {
    "clear": ".", "bocage": ",", "woods": "^", "rough": "%", "marsh": "=", "town": "+", "city": "#",
    "fort": "&", "sea": "~", "outside": " ",
}  # fmt: skip


# --- text -----------------------------------------------------------------------------------------------


def text(board: Board, columns: int = 100, around: Collection[str] = ()) -> str:
    """The board as text at most `columns` wide in its sketch: title, sketch, battles, moves,
    signs and counters.

    The sketch shows the focus of the board, or where its counters are; or what lies `around` some hexes, and
    then nothing else is listed. Raises ValueError if there is no room for ten hexes side by side.
    """
    if columns < 10 * CELL + 12:
        raise ValueError(f"a text map needs {10 * CELL + 12} columns, not {columns}")
    if around:
        board = _near(board, columns, around)
    head = " · ".join(part for part in (board.title, board.subtitle) if part)
    parts = [head, "\n".join(_sketch(board, columns)), _key(board)]
    parts += [
        told
        for told in (
            _battles(board),
            _arrows(board),
            _borders(board),
            _entries(board),
            _marks(board),
            _counters(board),
        )
        if told
    ]
    if board.map.reconstructed:
        parts.append(f"Reconstructed map, not a printed one. {board.map.credit}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _near(board: Board, columns: int, around: Collection[str]) -> Board:
    """Of a board what a sketch around some hexes shows."""
    board = replace(board, focus=tuple(around))
    rows = _rows(board, columns)[0].values()
    shown = {hex_id for row in rows for _, hex_id in row}
    return replace(
        board,
        counters=tuple(each for each in board.counters if each.hex in shown),
        arrows=tuple(each for each in board.arrows if not shown.isdisjoint(each.path)),
        battles=tuple(each for each in board.battles if each.hex in shown),
        marks=tuple(each for each in board.marks if each.hex in shown),
        borders=tuple(each for each in board.borders if each.hexes[0] in shown),
        entries=tuple(hex_id for hex_id in board.entries if hex_id in shown),
    )


def folded(written: str, columns: int) -> str:
    """A text map whose long lines are broken to `columns`; `read_text` reads it as before."""
    lines = []
    for line in written.splitlines():
        begun = len(line) - len(line.lstrip(" "))
        if len(line) <= columns or begun > 2:
            lines.append(line)
        else:
            inset = " " * (begun + 2 * bool(begun) + 2)
            lines += wrap(
                line, columns, subsequent_indent=inset, break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines) + "\n"


def read_text(written: str) -> tuple[Counter, ...]:
    """The counters that a text map lists, in its order. Raises ValueError for a line
    that is not a list of counters."""
    found: list[Counter] = []
    listed = re.sub(r"\n {6}(?=\S)", " ", written.partition("\nUnits\n")[2])
    for line in listed.splitlines():
        if not line.startswith("  "):
            break
        place = re.fullmatch(r"  (\S+) (\S+) (.+)", line)
        if place is None:
            raise ValueError(f"not a line of units: {line!r}")
        found += [_read_counter(place[1], place[2], each) for each in place[3].split(" | ")]
    return tuple(found)


def _read_counter(hex_id: str, colours: str, told: str) -> Counter:
    front, bracket, closed = told.rpartition(" (") if told.endswith(")") else (told, "", "")
    if not bracket:
        front, closed = told, ""
    figures, _, name = front.partition(" ")
    words = [word for word in closed.removesuffix(")").split(", ") if word]
    kind = words[0].split(" ") if words and words[0] not in FLAGS else []
    symbol: Symbol = next((each for each in SYMBOLS if each in kind), "none")
    size: Size = next((each for each in SIZES if each and each in kind), "")
    figures = "" if figures in ("?", "-") else figures.replace("\u00a0", " ")
    flags: dict[str, Any] = {flag: flag in words for flag in FLAGS}
    return Counter(hex_id, colours, figures, name, symbol, size, **flags)


def _counters(board: Board) -> str:
    return _listed("Units", iter(units(board)))


def units(board: Board) -> list[str]:
    """Return the counters in words, a line for each hex and side, which begins with the hex."""
    stacks: dict[tuple[str, str], list[str]] = {}
    for counter in board.counters:
        stacks.setdefault((counter.hex, counter.colours), []).append(describe(counter))
    return [f"{hex_id} {colours} {' | '.join(told)}" for (hex_id, colours), told in stacks.items()]


def _battles(board: Board) -> str:
    fought = (
        f"{b.label} {b.hex}" + (f" (from {', '.join(b.attackers)})" if b.attackers else "")
        for b in board.battles
    )
    return _listed("Battles", fought)


def _arrows(board: Board) -> str:
    return _listed("Moves", (f"{a.colours} {a.kind} {' > '.join(a.path)}" for a in board.arrows))


def _borders(board: Board) -> str:
    """Each line as the hexes that it bounds, on the side of those that hold it."""
    lines: dict[tuple[str, str], list[str]] = {}
    for each in board.borders:
        lines.setdefault((each.kind, each.colours), []).append(each.hexes[0])
    return _listed(
        "Lines",
        (
            f"{colours} {kind} at {' '.join(dict.fromkeys(hexes))}".strip()
            for (kind, colours), hexes in lines.items()
        ),
    )


def _entries(board: Board) -> str:
    return _listed("Open to your units", iter(wrap(" ".join(board.entries), 90)))


def _marks(board: Board) -> str:
    return _listed(
        "Signs", (" ".join(word for word in (m.hex, m.kind, m.colours, m.text) if word) for m in board.marks)
    )


def _listed(title: str, lines: Iterator[str]) -> str:
    told = [f"  {line}" for line in lines]
    return "\n".join([title, *told]) if told else ""


def _sketch(board: Board, columns: int) -> list[str]:
    """The window of the map, north up, each line led by the number of its first hex and closed
    by that of its last."""
    rows, left = _rows(board, columns)
    cells = _cells(board)
    return [line for y in sorted(rows) if (line := _line(sorted(rows[y]), left, cells)).strip()]


def _rows(board: Board, columns: int) -> tuple[dict[int, list[tuple[int, str]]], int]:
    """The hexes of the window by row, each with its column, and the column that the window begins with."""
    grid = board.map.grid
    places = {hex_id: grid.places[grid.index(hex_id)] for hex_id in grid.ids}
    wanted = [places[hex_id] for hex_id in board.focus or [c.hex for c in board.counters] or grid.ids]
    fits = (columns - 12) // STEP
    left, right = _window([x for x, _ in wanted], fits, [x for x, _ in places.values()])
    beyond = 3 if len({y for _, y in wanted}) > 6 else 8
    low, high = min(y for _, y in wanted) - beyond, max(y for _, y in wanted) + beyond
    rows: dict[int, list[tuple[int, str]]] = {}
    for hex_id, (x, y) in places.items():
        if left <= x <= right and low <= y <= high:
            rows.setdefault(y, []).append((x, hex_id))
    return rows, left


def _window(wanted: list[int], fits: int, every: list[int]) -> tuple[int, int]:
    middle = (min(wanted) + max(wanted)) // 2
    left = max(min(every), min(middle - fits // 2, max(every) - fits + 1))
    return left, left + fits - 1


def _line(hexes: list[tuple[int, str]], left: int, cells: dict[str, str]) -> str:
    line = ""
    for x, hex_id in hexes:
        line = line.ljust((x - left) * STEP) + cells[hex_id]
    if not line.strip():
        return ""
    return f"{hexes[0][1]}  {line.rstrip()}  {hexes[-1][1]}"


def _cells(board: Board) -> dict[str, str]:
    """What stands for each hex: the ground, or whose counters are there and how many;
    ``*`` where it was fought, ``/`` on a front line."""
    cells = {hex_id: f" {LETTERS[kind]}  " for hex_id, kind in kinds_of(board.map).items()}
    stacks: dict[str, list[Counter]] = {}
    for counter in board.counters:
        stacks.setdefault(counter.hex, []).append(counter)
    letters = initials(board)
    fought = {battle.hex for battle in board.battles}
    for hex_id, counters in stacks.items():
        unknown = "?" if counters[0].hidden else str(len(counters)) if len(counters) > 1 else ""
        cells[hex_id] = f"{'*' if hex_id in fought else ' '}{letters[counters[0].colours]}{unknown}".ljust(
            CELL
        )[:CELL]
    for hex_id in fought - stacks.keys():
        cells[hex_id] = " *".ljust(CELL)
    for hex_id in {border.hexes[0]: None for border in board.borders if border.kind == "front"}:
        if cells[hex_id].startswith(" "):
            cells[hex_id] = "/" + cells[hex_id][1:]
    return cells


def initials(board: Board) -> dict[str, str]:
    """A letter for each side: its first, or another of its letters where that is taken."""
    found: dict[str, str] = {}
    for colours in dict.fromkeys([*board.legend, *(counter.colours for counter in board.counters)]):
        free = (
            letter
            for letter in (colours + "abcdefghijklmnopqrstuvwxyz").upper()
            if letter not in found.values()
        )
        found[colours] = next(free)
    return found


def _key(board: Board) -> str:
    sides = [f"{letter} {board.legend.get(side, side)}" for side, letter in initials(board).items()]
    there = dict.fromkeys(kinds_of(board.map).values())
    ground = [f"{LETTERS[kind]} {kind}" for kind in there if kind != "outside"]
    fronts = dict.fromkeys(border.colours for border in board.borders if border.kind == "front")
    lines = [f"/ {board.legend.get(side, side)} front line" for side in fronts]
    return ", ".join([*sides, *ground, "2 number of counters", "? unknown", "* battle", *lines])


# --- half blocks ----------------------------------------------------------------------------------------


def half_block(picture: bytes, columns: int = 120, most_rows: int = 0) -> str:
    """A PNG as coloured half blocks, two pixels to a character, for a terminal of 24-bit colour
    `columns` wide; narrower if it would be higher than `most_rows`, unless that is 0."""
    source = Image.open(io.BytesIO(picture)).convert("RGB")
    if most_rows:
        columns = max(1, min(columns, 2 * most_rows * source.width // source.height))
    rows = max(1, round(source.height * columns / source.width / 2))
    small = source.resize((columns, 2 * rows), Image.Resampling.BOX)
    return "".join(_blocks(small, row) + "\x1b[0m\n" for row in range(rows))


def _blocks(picture: Image.Image, row: int) -> str:
    drawn, before = [], None
    for column in range(picture.width):
        above, below = picture.getpixel((column, 2 * row)), picture.getpixel((column, 2 * row + 1))
        assert isinstance(above, tuple) and isinstance(below, tuple)
        if (above, below) != before:
            drawn.append("\x1b[38;2;{};{};{};48;2;{};{};{}m".format(*above, *below))
            before = (above, below)
        drawn.append("▀")
    return "".join(drawn)
