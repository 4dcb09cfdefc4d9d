"""The picture of a comparison: how far two bots were ahead after each turn, with a panel for each side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.render.lettering import cut_to, letters, number, text_width
from pbem.render.palette import palette
from pbem.render.picture import chart_png

WIDTH, HIGH = 900, 190
LEFT, RIGHT, TOP, GAP = 64, 18, 64, 48
LINES = ("#1f5fa8", "#b5482a")
"""The colours of the two bots, told apart also by those who see no red or green."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One side: for each bot its name and how far it was ahead after each turn."""

    side: str
    ways: tuple[tuple[str, tuple[float, ...]], ...]


def margins_png(title: str, panels: Sequence[Panel]) -> bytes:
    """Return the picture as a PNG, all panels to one scale."""
    look = palette("paper")
    height = TOP + len(panels) * (HIGH + GAP) + 8
    reach = (
        1.06 * max((abs(each) for panel in panels for _, way in panel.ways for each in way), default=1) or 1
    )
    body = [
        f'<rect width="{WIDTH}" height="{height}" fill="{look.paper}"/>',
        letters(cut_to(title, 18, WIDTH - 40, True), 20, 28, 18, look.ink, bold=True),
        letters("How far each bot was ahead after each turn, on average.", 20, 49, 12.5, look.faint),
    ]
    for at, panel in enumerate(panels):
        body += _panel(panel, TOP + at * (HIGH + GAP) + 24, reach)
    return chart_png("".join(body), WIDTH, height)


def _panel(panel: Panel, top: float, reach: float) -> Iterator[str]:
    look = palette("paper")
    wide, middle = WIDTH - LEFT - RIGHT, top + HIGH / 2
    turns = max((len(way) for _, way in panel.ways), default=1)

    def x(turn: int) -> float:
        return LEFT + wide * turn / turns

    def y(points: float) -> float:
        return middle - points * HIGH / 2 / reach

    ground = look.ground("clear")[0]
    yield f'<rect x="{LEFT}" y="{number(top)}" width="{wide}" height="{HIGH}" fill="{ground}"/>'
    yield letters(panel.side, LEFT, top - 8, 14, look.ink, bold=True)
    at = LEFT + text_width(panel.side, 14, True) + 16
    for points in (-reach / 1.06, 0, reach / 1.06):
        shown = f"{points:+.1f}".removesuffix(".0") if points else "even"
        yield letters(shown, LEFT - 7, y(points) + 4, 11, look.faint, anchor="end")
    yield f'<path d="M{LEFT} {number(middle)}H{LEFT + wide}" stroke="{look.faint}" stroke-width="1"/>'
    for turn in range(1, turns + 1):
        if turns <= 24 or turn % 5 == 0:
            yield letters(f"T{turn}", x(turn), top + HIGH + 14, 11, look.faint, anchor="end")
    for (bot, way), colour in zip(panel.ways, LINES, strict=False):
        yield letters(bot, at, top - 8, 13, colour, bold=True)
        at += text_width(bot, 13, True) + 14
        path = "".join(f"L{number(x(turn))} {number(y(points))}" for turn, points in enumerate(way, 1))
        yield (
            f'<path d="M{LEFT} {number(middle)}{path}" fill="none" stroke="{colour}" stroke-width="2.5" '
            'stroke-linejoin="round"/>'
        )
