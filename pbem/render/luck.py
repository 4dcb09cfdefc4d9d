"""The picture of a luck report: how far the dice of each side have strayed from their average, die by die,
with the corridor in which most fair games stay."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.render.lettering import cut_to, letters, number, text_width
from pbem.render.palette import Palette, face, palette
from pbem.render.picture import rasterise

WIDTH = 900
HIGH = 190
"""The height of a panel, in pixels."""
LEFT, RIGHT, TOP, GAP = 64, 18, 64, 48


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


def luck_png(title: str, courses: Sequence[Course], look: str = "paper") -> bytes:
    """Return the picture as a PNG: a panel for each course, all to one scale of pips. Raises ValueError for
    an unknown palette."""
    colours = palette(look)
    body, height = _drawn(title, courses, colours)
    picture = rasterise(body, WIDTH, height).convert("RGB").quantize(64)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _drawn(title: str, courses: Sequence[Course], look: Palette) -> tuple[str, int]:
    """The picture as SVG, and its height."""
    height = TOP + len(courses) * (HIGH + GAP) + 8
    scale = "Sum of the dice so far, against fair dice on average."
    said = f"{scale} Each band holds 95 of 100 fair games from start to end."
    parts = [
        f'<rect width="{WIDTH}" height="{height}" fill="{look.paper}"/>',
        letters(cut_to(title, 18, WIDTH - 40, True), 20, 28, 18, look.ink, bold=True),
        letters(said if courses else "No side has enough dice yet.", 20, 49, 12.5, look.faint),
    ]
    reach = max((max(course.corridor, *map(abs, course.way)) for course in courses), default=1.0)
    for at, course in enumerate(courses):
        parts += _panel(course, TOP + at * (HIGH + GAP) + 24, reach * 1.06, look)
    return "".join(parts), height


def _panel(course: Course, top: float, reach: float, look: Palette) -> Iterator[str]:
    """One side: its band, its turns, and the line of its dice."""
    wide, middle = WIDTH - LEFT - RIGHT, top + HIGH / 2
    many = len(course.way)

    def x(dice: float) -> float:
        return LEFT + wide * dice / many

    def y(pips: float) -> float:
        return middle - pips * HIGH / 2 / reach

    line = face(course.colours, look).arrow
    ends = f"{course.way[-1]:+.1f}".removesuffix(".0") if course.way[-1] else "0"
    outside = max(map(abs, course.way)) > course.corridor
    band = f"the band of ±{_plain(course.corridor)}"
    said = f"{many} dice, {ends} in the end, {'leaves' if outside else 'stays in'} {band}"
    name = course.side[:1].upper() + course.side[1:]
    yield letters(name, LEFT, top - 8, 14, look.ink, bold=True)
    yield letters(said, LEFT + text_width(name, 14, True) + 12, top - 8, 12.5, look.faint)
    yield (
        f'<rect x="{LEFT}" y="{number(top)}" width="{wide}" height="{HIGH}" '
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
            yield _stroke(f"M{number(at)} {number(top)}V{number(top + HIGH)}", look.grid, 1)
        if at - last >= 26:
            yield letters(f"T{turn}", at + 3, top + HIGH + 14, 11, look.faint)
            last = at
    for pips in _marks(reach):
        yield _stroke(f"M{LEFT - 4} {number(y(pips))}H{LEFT}", look.faint, 1)
        shown = f"{pips:+d}" if pips else "average"
        size = 11 if pips else 10.5
        yield letters(shown, LEFT - 7, y(pips) + 4, size, look.faint, anchor="end")
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
