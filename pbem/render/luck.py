"""What a luck report looks like: what a page shows of it, and the picture of how far the dice of each side
have strayed from their average, die by die, with the corridor in which most fair games stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pbem.render.lettering import cut_to, letters, number, text_width
from pbem.render.palette import Palette, face, palette
from pbem.render.picture import chart_png

WIDTH, PAGE_WIDTH = 900, 380
"""The widths of the picture and of a panel on a page, in pixels."""
HIGH, PAGE_HIGH = 190, 150
"""The heights of a panel."""
LEFT, RIGHT, TOP, GAP = 64, 18, 64, 48
COLUMNS = ("dice", "sum", "average", "off", "by chance")
"""The heads of the table."""


SCALE = (
    "Sum of the dice so far, against fair dice on average. "
    "Each band holds 95 of 100 fair games from start to end."
)
"""What the picture shows."""


@dataclass(frozen=True, slots=True)
class Course:
    """The way of one side's dice: after each die, how far the sum was above the average of fair dice.

    `corridor` is how far from it 95 of 100 fair games with as many dice stay all the time; `turns` are the
    turns with the place of the first die of each. `colours` is a key of the palette.
    """

    side: str
    colours: str
    way: tuple[float, ...]
    corridor: float
    turns: Mapping[int, int]

    @property
    def name(self) -> str:
        return self.side[:1].upper() + self.side[1:]

    def told(self) -> str:
        """Return the picture in words."""
        ends = f"{self.way[-1]:+.1f}".removesuffix(".0") if self.way[-1] else "0"
        outside = max(map(abs, self.way)) > self.corridor
        band = f"the band of ±{_plain(self.corridor)}"
        return f"{len(self.way)} dice, {ends} in the end, {'leaves' if outside else 'stays in'} {band}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what its dice are grouped by ("" for all dice), their name, a cell for each of
    `COLUMNS`."""

    by: str
    name: str
    cells: tuple[str, ...]
    unusual: bool


@dataclass(frozen=True, slots=True)
class Report:
    """A luck report as a page shows it: the result in sentences, the way of each side's dice, the table, and
    what is to be said of it."""

    said: tuple[str, ...]
    courses: tuple[Course, ...] = ()
    rows: tuple[Row, ...] = ()
    remarks: tuple[str, ...] = ()


def luck_png(title: str, courses: Sequence[Course], look: str = "paper") -> bytes:
    """Return the picture as a PNG: a panel for each course, all to one scale of pips. Raises ValueError for
    an unknown palette."""
    colours = palette(look)
    body, height = _drawn(title, courses, colours)
    return chart_png(body, WIDTH, height)


def _drawn(title: str, courses: Sequence[Course], look: Palette) -> tuple[str, int]:
    """The picture as SVG, and its height."""
    height = TOP + len(courses) * (HIGH + GAP) + 8
    parts = [
        f'<rect width="{WIDTH}" height="{height}" fill="{look.paper}"/>',
        letters(cut_to(title, 18, WIDTH - 40, True), 20, 28, 18, look.ink, bold=True),
        letters(SCALE if courses else "No side has enough dice yet.", 20, 49, 12.5, look.faint),
    ]
    reach = _reach(courses)
    for at, course in enumerate(courses):
        top = TOP + at * (HIGH + GAP) + 24
        behind = LEFT + text_width(course.name, 14, True) + 12
        parts.append(letters(course.name, LEFT, top - 8, 14, look.ink, bold=True))
        parts.append(letters(course.told(), behind, top - 8, 12.5, look.faint))
        parts += _panel(course, (WIDTH, HIGH), top, reach, face(course.colours, look).arrow, look)
    return "".join(parts), height


def panels(
    courses: Sequence[Course], look: Palette, line: Callable[[str], str]
) -> Iterator[tuple[Course, str]]:
    """Yield each course with its panel as SVG for a page, all to one scale. `look` may name its colours, such
    as ``var(--ink)``; `line` gives that of a side by its key of the palette."""
    reach = _reach(courses)
    for course in courses:
        body = _panel(course, (PAGE_WIDTH, PAGE_HIGH), 8, reach, line(course.colours), look)
        yield (
            course,
            f'<svg viewBox="0 0 {PAGE_WIDTH} {PAGE_HIGH + 26}" role="img" '
            f'aria-label="{escape(course.name)}: {course.told()}">{"".join(body)}</svg>',
        )


def _reach(courses: Sequence[Course]) -> float:
    """How many pips the scale of some courses reaches to either side."""
    return 1.06 * max((max(course.corridor, *map(abs, course.way)) for course in courses), default=1.0)


def _panel(
    course: Course, size: tuple[int, int], top: float, reach: float, line: str, look: Palette
) -> Iterator[str]:
    """One side: its band, its turns, and the line of its dice; `size` is the width of the picture and the
    height of the panel."""
    high = size[1]
    wide, middle = size[0] - LEFT - RIGHT, top + high / 2
    many = len(course.way)

    def x(dice: float) -> float:
        return LEFT + wide * dice / many

    def y(pips: float) -> float:
        return middle - pips * high / 2 / reach

    yield (
        f'<rect x="{LEFT}" y="{number(top)}" width="{wide}" height="{high}" '
        f'fill="{look.ground("clear")[0]}"/>'
    )
    yield (
        f'<rect x="{LEFT}" y="{number(y(course.corridor))}" width="{wide}" '
        f'height="{number(y(-course.corridor) - y(course.corridor))}" fill="{look.ground("sea")[0]}"/>'
    )
    last = -100.0
    for turn, first in course.turns.items():
        at = x(first)
        if first:
            yield _stroke(f"M{number(at)} {number(top)}V{number(top + high)}", look.grid, 1)
        if at - last >= 26:
            yield letters(f"T{turn}", at + 3, top + high + 14, 11, look.faint)
            last = at
    for pips in _marks(reach):
        yield _stroke(f"M{LEFT - 4} {number(y(pips))}H{LEFT}", look.faint, 1)
        shown = f"{pips:+d}" if pips else "average"
        yield letters(shown, LEFT - 7, y(pips) + 4, 11 if pips else 10.5, look.faint, anchor="end")
    yield _stroke(f"M{LEFT} {number(middle)}H{LEFT + wide}", look.faint, 1)
    way = "".join(f"L{number(x(die))} {number(y(off))}" for die, off in enumerate(course.way, 1))
    yield _stroke(f"M{LEFT} {number(middle)}{way}", line, 2)
    yield f'<circle cx="{number(x(many))}" cy="{number(y(course.way[-1]))}" r="4" fill="{line}"/>'


def _stroke(way: str, colour: str, wide: float) -> str:
    return (
        f'<path d="{way}" fill="none" stroke="{colour}" stroke-width="{number(wide)}" '
        'stroke-linejoin="round"/>'
    )


def _marks(reach: float) -> Iterator[int]:
    """Round numbers of pips for the scale, five or seven of them."""
    step = next(step for step in _steps() if step * 3 >= reach * 0.98)
    yield from (mark for mark in range(-3 * step, 3 * step + 1, step) if abs(mark) <= reach)


def _steps() -> Iterator[int]:
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def _plain(pips: float) -> str:
    return f"{pips:.1f}".removesuffix(".0")
