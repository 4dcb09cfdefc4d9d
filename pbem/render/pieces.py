"""The pieces that are laid on the ground: counters, arrows, bursts, names, signs.
Each is a small drawing with a place.

A piece is SVG in a box of whole pixels, so that one drawing serves the vector map as it stands and the PNG
as a picture made once and pasted wherever it recurs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Literal

from pbem import paths
from pbem.engine.board import Arrow, Border, Counter, Mark, Size
from pbem.engine.errors import DataError
from pbem.engine.hexes import Point
from pbem.render.lettering import fitted, letters, number, text_width
from pbem.render.palette import NATIONS, Face, Palette, face, faded, legible

Layer = Literal["border", "name", "arrow", "attack", "counter", "number", "battle", "mark", "strip", "panel"]
SIZE_MARKS = {
    "company": "I", "battalion": "II", "regiment": "III", "brigade": "X", "division": "XX", "corps": "XXX",
    "army": "XXXX",
}  # fmt: skip
DETAILED = 34
"""The side of a counter, in pixels, from which its size and name are legible."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A drawing in a box: its upper left corner, its size, its SVG, and what it stands for."""

    layer: Layer
    x: int
    y: int
    width: int
    height: int
    body: str
    title: str = ""
    counters: tuple[Counter, ...] = ()
    hex: str = ""

    def box(self, margin: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.x - margin, self.y - margin, self.x + self.width + margin, self.y + self.height + margin


# --- symbols --------------------------------------------------------------------------------------------


@cache
def symbols() -> dict[str, str]:
    """The icon of each branch as an SVG ``<symbol>``. Raises DataError when the file is missing
    or lacks some."""
    path = paths.templates() / "map" / "symbols.svg"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    found = {
        match[1]: match[0] for match in re.finditer(r'<symbol id="([a-z-]+)".*?</symbol>', text, re.DOTALL)
    }
    if not found:
        raise DataError(f"{path}: holds no <symbol>")
    return found


def symbols_used(svg: str) -> str:
    """The definitions of the icons that a drawing refers to."""
    names = sorted(set(re.findall(r'href="#([a-z-]+)"', svg)))
    return "".join(symbols()[name] for name in names if name in symbols())


# --- counters -------------------------------------------------------------------------------------------


def counter_side(hex_size: float) -> int:
    """The side of a counter on hexes of this size: as large as the neighbours allow."""
    return round(min(1.42 * hex_size, max(21.0, 1.28 * hex_size)))


def stack(counters: Sequence[Counter], center: Point, side: int, look: Palette) -> Piece:
    """The counters of one hex: the first one lies on top, the others show behind it, a badge counts them."""
    shift = max(2, round(0.07 * side))
    badge = max(5, round(0.17 * side))
    pad = max(badge + 2, 2 * shift + 1, round(0.13 * side) + 2)
    body = stack_svg(tuple(counters), side, shift, badge, pad, look)
    box = side + 2 * pad
    x, y = round(center[0] - box / 2), round(center[1] - box / 2)
    return Piece(
        "counter",
        x,
        y,
        box,
        box,
        body,
        "\n".join(describe(counter) for counter in counters),
        tuple(counters),
        counters[0].hex,
    )


@lru_cache(maxsize=4096)
def stack_svg(
    counters: tuple[Counter, ...], side: int, shift: int, badge: int, pad: int, look: Palette
) -> str:
    """The drawing of a stack, its top counter `pad` pixels from the corner of the box."""
    drawn = []
    for depth in range(min(len(counters), 3) - 1, 0, -1):
        behind = face(counters[depth].colours, look)
        drawn.append(
            _plate(pad + depth * shift, pad - depth * shift, side, _fill(counters[depth], behind, look))
        )
    drawn.append(f'<g transform="translate({pad} {pad})">{_counter(counters[0], side, look)}</g>')
    if counters[0].entrenched and not counters[0].hidden:
        drawn.append(_dug_in(pad, pad + side, side, look))
    if len(counters) > 1:
        drawn.append(
            _badge(pad + side + 1, pad + 0.45 * side, badge, str(len(counters)), "#1d211c", "#ffffff")
        )
    if any(counter.unsupplied for counter in counters):
        drawn.append(_badge(pad + 1, pad + 1, badge, "!", look.warning, "#ffffff"))
    if any(counter.disrupted for counter in counters):
        drawn.append(_badge(pad + 1, pad + side - 1, badge, "D", look.special, "#ffffff"))
    return "".join(drawn)


def _fill(counter: Counter, colours: Face, look: Palette) -> str:
    return faded(colours, look) if counter.dimmed or counter.moved else colours.face


def _plate(x: float, y: float, side: int, fill: str) -> str:
    return (
        f'<rect x="{number(x + 0.5)}" y="{number(y + 0.5)}" width="{side - 1}" height="{side - 1}" '
        f'rx="{number(side * 0.08)}" fill="{fill}" stroke="#1d211c"/>'
    )


def _counter(counter: Counter, side: int, look: Palette) -> str:
    """One counter face, its corner at the origin."""
    colours = face(counter.colours, look)
    fill = _fill(counter, colours, look)
    ink = legible(colours.ink, fill)
    drawn = [_plate(0, 0, side, fill)]
    stripe = max(2, round(side * 0.07)) if colours.stripe else 0
    if stripe:
        drawn.append(f'<rect x="1" y="2" width="{stripe}" height="{side - 4}" fill="{colours.ink}"/>')
    inner = _back(counter, side, ink) if counter.hidden else _front(counter, side, colours, ink, stripe)
    drawn.append(f'<g transform="translate({number(stripe / 2)} 0)">{inner}</g>' if stripe else inner)
    if counter.moved:
        drawn.append(_moved(side, ink))
    return "".join(drawn)


def _back(counter: Counter, side: int, ink: str) -> str:
    """An unknown counter: a question mark, under a trench sign if it is dug in."""
    if counter.entrenched:
        return _trench(
            side * 0.14, side * 0.32, side * 0.72, side * 0.2, ink, max(1.3, side * 0.055)
        ) + letters("?", side / 2, side * 0.9, side * 0.5, ink, anchor="middle", bold=True)
    return letters("?", side / 2, side * 0.76, side * 0.72, ink, anchor="middle", bold=True)


def _front(counter: Counter, side: int, colours: Face, ink: str, stripe: int) -> str:
    """From top to bottom: the name and the size if there is room for them, the symbol in its frame,
    the figures."""
    detailed = side >= DETAILED
    drawn = []
    if detailed and counter.name:
        size = max(7.0, side * 0.17)
        drawn.append(
            fitted(
                counter.name,
                side / 2,
                side * 0.04 + size * 0.8,
                size,
                side - 3 - stripe,
                ink,
                anchor="middle",
            )
        )
    if counter.symbol != "none":
        high = side * (0.27 if detailed else 0.36)
        top = side * (0.345 if detailed and (counter.name or counter.size) else 0.1)
        drawn.append(_framed(counter, side / 2 - high * 0.75, top, high * 1.5, high, colours))
        if detailed and (nation := NATIONS.get(counter.colours)):
            room = side / 2 - high * 0.75 - 3.0
            base = top + high * 0.5 + side * 0.065
            drawn.append(
                fitted(nation, 1.5 + room / 2, base, side * 0.18, room, ink, anchor="middle", bold=True)
            )
        if detailed and counter.size:
            drawn.append(_size_mark(counter.size, side / 2, top - side * 0.035, side * 0.085, ink))
    if counter.figures:
        drawn.append(_figures(counter, side, detailed, ink, stripe))
    if counter.inverted:
        drawn.append(f'<path d="M2 {number(side * 0.74)}V{side - 2}H{number(side * 0.26)}z" fill="{ink}"/>')
    return "".join(drawn)


def _figures(counter: Counter, side: int, detailed: bool, ink: str, stripe: int) -> str:
    plain = counter.symbol == "none"
    most = side * (0.46 if plain else 0.33 if detailed else 0.46)
    size = min(most, (side - 3 - stripe) / text_width(counter.figures, 1, True))
    base = side * (0.6 if plain else 0.8) + size * 0.36
    return letters(counter.figures, side / 2, base, size, ink, anchor="middle", bold=True)


def _size_mark(size: Size, middle: float, base: float, high: float, ink: str) -> str:
    """The strokes or crosses over a frame: III for a regiment, XX for a division."""
    signs = SIZE_MARKS[size]
    wide = high if signs[0] == "X" else 0.0
    step = high * (1.5 if wide else 0.85)
    left = middle - (step * (len(signs) - 1) + wide) / 2
    path = ""
    for place in range(len(signs)):
        x = left + place * step
        path += f"M{number(x)} {number(base)}"
        path += (
            f"l{number(wide)} {number(-high)}m{number(-wide)} 0l{number(wide)} {number(high)}"
            if wide
            else f"v{number(-high)}"
        )
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{number(max(1.0, high * 0.28))}"/>'


def _framed(counter: Counter, left: float, top: float, wide: float, high: float, colours: Face) -> str:
    stroke = number(max(1.0, high * 0.075))
    where = f'x="{number(left)}" y="{number(top)}" width="{number(wide)}" height="{number(high)}"'
    fill = colours.frame
    inner = number(max(1.0, high * 0.075) * 20 / high)
    return (
        f'<rect {where} fill="{fill}"/>'
        f'<use href="#{counter.symbol}" {where} fill="none" stroke="#1d211c" stroke-width="{inner}"/>'
        f'<rect {where} fill="none" stroke="#1d211c" stroke-width="{stroke}"/>'
    )


def _dug_in(x: float, y: float, side: int, look: Palette) -> str:
    """A trench along the lower edge of a counter."""
    wide, high = side * 0.94, max(3.0, side * 0.1)
    place = (x + side * 0.03, y + high + 0.5, wide, high)
    return _trench(*place, look.halo, max(3.4, side * 0.09)) + _trench(
        *place, look.ink, max(1.4, side * 0.04)
    )


def trench_below(x: float, y: float, wide: int, look: Palette) -> str:
    """A trench along the lower edge of a wide counter."""
    place = (x + 3, y + 7.5, wide - 6, 7.0)
    return _trench(*place, look.halo, 5) + _trench(*place, look.ink, 2)


def _trench(x: float, y: float, wide: float, high: float, ink: str, stroke: float) -> str:
    """Battlements seen from above: the sign for entrenchments."""
    step = wide / 5
    teeth = "".join(f"v{number(-high if turn % 2 == 0 else high)}h{number(step)}" for turn in range(5))
    path = f"M{number(x)} {number(y)}{teeth}v{number(high)}"
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{number(stroke)}"/>'


def _moved(side: int, ink: str) -> str:
    """A small chevron on the right of the symbol: this unit has moved."""
    x, y, r = side * 0.81, side * 0.48, side * 0.09
    path = f"M{number(x - r)} {number(y - r)}l{number(r)} {number(r)}l{number(-r)} {number(r)}"
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{number(max(1.2, side * 0.045))}"/>'


def _badge(x: float, y: float, radius: float, text: str, fill: str, ink: str) -> str:
    size = radius * (1.5 if len(text) == 1 else 1.15)
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" stroke="#ffffff" '
        'stroke-width="1"/>'
    ) + letters(text, x, y + size * 0.36, size, ink, anchor="middle", bold=True)


def as_seen(counter: Counter) -> Counter:
    """What may be told of a counter: of a hidden one only its back, whatever else was filled in."""
    return _back_of(counter) if counter.hidden else counter


@lru_cache(maxsize=4096)
def _back_of(counter: Counter) -> Counter:
    return replace(counter, figures="", name="", symbol="none", size="", inverted=False, unit="")


@lru_cache(maxsize=4096)
def describe(counter: Counter) -> str:
    """A counter in words: ``7-4 919 Rgt (infantry regiment, entrenched)``;
    `terminal.read_text` reads it back."""
    seen = as_seen(counter)
    symbol = "" if seen.symbol == "none" else seen.symbol
    words = [" ".join(word for word in (symbol, seen.size) if word)]
    words += [flag for flag in FLAGS if getattr(seen, flag)]
    told = ", ".join(word for word in words if word)
    figures = seen.figures.replace(" ", "\u00a0") or ("?" if seen.hidden else "-")
    closing = f"({told})" if told or seen.name.endswith(")") else ""
    return " ".join(word for word in (figures, seen.name, closing) if word)


FLAGS = ("entrenched", "hidden", "inverted", "unsupplied", "disrupted", "moved", "dimmed")


# --- entries ----------------------------------------------------------------------------------------------


def entry(center: Point, hex_size: float, look: Palette, hex_id: str = "") -> Piece:
    """A disc on a hex where units of the reader may come onto the map."""
    r = 0.62 * hex_size
    (x, y) = center
    disc = (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{look.special}" '
        f'fill-opacity="0.25" stroke="{look.special}" stroke-width="2"/>'
    )
    return boxed("border", (x - r - 1, y - r - 1, x + r + 1, y + r + 1), disc, "open to your units", hex_id)


# --- borders --------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def border(
    line: Border, ends: tuple[Point, Point], inner: Point, hex_size: float, look: Palette
) -> tuple[Piece, Piece]:
    """A hexside of a line, from end to end: its rim and the line itself, which lies on the rims of all
    its neighbours.

    A front carries two teeth that point at `inner`, the centre of the hex of the side that holds it;
    a boundary is dashed.
    """
    colour = face(line.colours or "neutral", look).arrow
    wide = max(2.4, 0.11 * hex_size)
    (ax, ay), (bx, by) = ends
    path = f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}"
    dashes = f' stroke-dasharray="{number(wide * 2)} {number(wide * 1.6)}"' if line.kind == "boundary" else ""
    reach = wide + 2 + (0.2 * hex_size if line.kind == "front" else 0)
    box = (min(ax, bx) - reach, min(ay, by) - reach, max(ax, bx) + reach, max(ay, by) + reach)
    rim = (
        f'<path d="{path}" fill="none" stroke="{look.halo}" stroke-width="{number(wide + 2.4)}" '
        'stroke-linecap="round"/>'
    )
    drawn = (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(wide)}" '
        f'stroke-linecap="round"{dashes}/>'
    )
    if line.kind == "front":
        drawn += f'<path d="{_teeth(ends, inner, hex_size)}" fill="{colour}"/>'
    title = f"{line.kind} {'-'.join(line.hexes)}"
    return boxed("border", box, rim), boxed("border", box, drawn, title, line.hexes[0])


def _teeth(ends: tuple[Point, Point], inner: Point, hex_size: float) -> str:
    """Two triangles on a hexside, their points towards the hex that holds it."""
    (ax, ay), (bx, by) = ends
    ux, uy = _unit(((ax + bx) / 2, (ay + by) / 2), inner)
    high, half = 0.2 * hex_size, 0.13
    path = ""
    for share in (0.28, 0.72):
        corners = ((share - half, 0.0), (share, high), (share + half, 0.0))
        points = (
            f"{number(ax + (bx - ax) * along + ux * up)} {number(ay + (by - ay) * along + uy * up)}"
            for along, up in corners
        )
        path += f"M{'L'.join(points)}z"
    return path


# --- arrows and battles ---------------------------------------------------------------------------------


def boxed(
    layer: Layer, box: tuple[float, float, float, float], body: str, title: str = "", hex_id: str = ""
) -> Piece:
    """A piece from a drawing in the coordinates of the picture and the box that holds it."""
    x, y = int(box[0] // 1), int(box[1] // 1)
    width, height = int(-(-box[2] // 1)) - x, int(-(-box[3] // 1)) - y
    return Piece(
        layer,
        x,
        y,
        max(1, width),
        max(1, height),
        f'<g transform="translate({-x} {-y})">{body}</g>',
        title,
        hex=hex_id,
    )


def arrow(
    order: Arrow, points: Sequence[Point], hex_size: float, side: float, nudge: float, look: Palette
) -> Piece | None:
    """A move along `points`: out of the first hex, round the corners, its head at the edge
    of the last counter.

    `nudge` moves it sideways so that arrows along one way lie beside each other. None if it leads nowhere.
    """
    if len(points) < 2:
        return None
    line = _clipped(_beside(points, nudge), 0.28 * hex_size, 0.5 * side + 2)
    colour = face(order.colours, look).arrow
    wide = max(2.0, 0.085 * hex_size)
    head = max(7.0, 0.3 * hex_size)
    tip, before = line[-1], line[-2]
    ux, uy = _unit(before, tip)
    foot = (tip[0] - ux * head * 0.8, tip[1] - uy * head * 0.8)
    path = _rounded([*line[:-1], foot], 0.55 * hex_size)
    wings = [
        (tip[0] - ux * head - uy * side_ * head * 0.5, tip[1] - uy * head + ux * side_ * head * 0.5)
        for side_ in (1, -1)
    ]
    point = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (wings[0], tip, wings[1], foot)) + "z"
    dashes = (
        f' stroke-dasharray="{number(wide * 2.2)} {number(wide * 1.5)}"' if order.kind == "retreat" else ""
    )
    start = ""
    if order.kind in ("arrival", "supply"):
        x, y = line[0]
        start = (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(wide * 1.5)}" fill="{look.halo}" '
            f'stroke="{colour}" stroke-width="{number(wide * 0.7)}"/>'
        )
    rim = f'fill="none" stroke="{look.halo}" stroke-linejoin="round" stroke-linecap="round"'
    body = (
        f'<path d="{path}" {rim} stroke-width="{number(wide + 2.6)}"/>'
        f'<path d="{point}" {rim} stroke-width="3"/>'
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(wide)}"{dashes}/>'
        f'<path d="{point}" fill="{colour}"/>{start}'
    )
    if order.kind == "advance":
        body += f'<path d="{path}" fill="none" stroke="{look.halo}" stroke-width="{number(wide * 0.3)}"/>'
    reach = head + wide
    xs, ys = [x for x, _ in line], [y for _, y in line]
    box = (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
    return boxed("arrow", box, body, f"{order.kind} {' > '.join(order.path)}", order.path[-1])


def _unit(a: Point, b: Point) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _beside(points: Sequence[Point], nudge: float) -> list[Point]:
    """A line `nudge` pixels to the right of another, corner by corner."""
    if not nudge:
        return list(points)
    ways = [_unit(a, b) for a, b in pairwise(points)]
    moved = []
    for (x, y), before, after in zip(points, [ways[0], *ways], [*ways, ways[-1]], strict=True):
        ux, uy = before[0] + after[0], before[1] + after[1]
        length = hypot(ux, uy)
        if length < 0.5:
            (ux, uy), length = before, 1.0
        far = nudge * min(1.4, 2 / max(length, 0.1)) / length
        moved.append((x - uy * far, y + ux * far))
    return moved


def _clipped(points: list[Point], at_start: float, at_end: float) -> list[Point]:
    (ax, ay), (bx, by) = points[0], points[1]
    ux, uy = _unit((ax, ay), (bx, by))
    vx, vy = _unit(points[-1], points[-2])
    # The edge of a square lies further off along its diagonal than straight ahead.
    far = at_end / max(abs(vx), abs(vy), 0.75)
    end = (points[-1][0] + vx * far, points[-1][1] + vy * far)
    return [(ax + ux * at_start, ay + uy * at_start), *points[1:-1], end]


def _rounded(points: list[Point], radius: float) -> str:
    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        for near, far in ((before, 0), (after, 1)):
            reach = min(radius, hypot(near[0] - corner[0], near[1] - corner[1]) / 2)
            ux, uy = _unit(corner, near)
            x, y = corner[0] + ux * reach, corner[1] + uy * reach
            path += (
                f"Q{number(corner[0])} {number(corner[1])} {number(x)} {number(y)}"
                if far
                else f"L{number(x)} {number(y)}"
            )
    return path + f"L{number(points[-1][0])} {number(points[-1][1])}"


def attack_line(start: Point, end: Point, side: float, look: Palette) -> Piece:
    """A short dotted line from an attacker's counter to the burst."""
    ux, uy = _unit(start, end)
    x, y = start[0] + ux * side * 0.4, start[1] + uy * side * 0.4
    path = f"M{number(x)} {number(y)}L{number(end[0])} {number(end[1])}"
    body = (
        f'<path d="{path}" stroke="{look.halo}" stroke-width="4.4" stroke-linecap="round"/>'
        f'<path d="{path}" stroke="{look.burst}" stroke-width="2.2" stroke-dasharray="3 2.2"/>'
    )
    box = (min(x, end[0]) - 4, min(y, end[1]) - 4, max(x, end[0]) + 4, max(y, end[1]) + 4)
    return boxed("attack", box, body)


def burst_radius(hex_size: float) -> float:
    """How large a burst is on hexes of this size."""
    return max(10.0, min(18.0, 0.4 * hex_size))


def burst(
    label: str, center: Point, hex_size: float, look: Palette, hex_id: str = "", radius: float = 0.0
) -> Piece:
    """A battle: a star with the number that the log gives it, `radius` large or as suits the hexes."""
    radius = radius or burst_radius(hex_size)
    box, x, y = round(2 * radius + 2), round(center[0] - radius - 1), round(center[1] - radius - 1)
    return Piece("battle", x, y, box, box, _star(label, radius, look), f"battle {label}", hex=hex_id)


@lru_cache(maxsize=512)
def _star(label: str, radius: float, look: Palette) -> str:
    middle = radius + 1
    points = []
    for spike in range(24):
        reach = radius if spike % 2 == 0 else radius * 0.82
        angle = 2 * pi * spike / 24
        points.append(f"{number(middle + reach * sin(angle))} {number(middle - reach * cos(angle))}")
    star = f'<path d="M{"L".join(points)}z" fill="{look.burst}" stroke="#ffffff" stroke-width="1"/>'
    if not label:
        return star
    size = min(radius * 0.95, radius * 1.5 / max(0.1, text_width(label, 1, True)))
    return star + letters(label, middle, middle + size * 0.36, size, "#ffffff", anchor="middle", bold=True)


# --- marks ----------------------------------------------------------------------------------------------


def mark(
    kind: Mark,
    center: Point,
    hex_size: float,
    look: Palette,
    way_out: Point = (0.0, -1.0),
    unit: float = 0.0,
) -> Piece:
    """A sign on a hex, `unit` pixels from its middle to its edge or as suits the hexes; `way_out` is where
    an exit leads."""
    unit = unit or max(7.0, min(13.0, 0.3 * hex_size))
    body, width = _SIGNS[kind.kind](kind, unit, look, way_out)
    height = 2 * unit + 2
    box = (
        center[0] - unit - 1,
        center[1] - unit - 1,
        center[0] - unit - 1 + width,
        center[1] - unit - 1 + height,
    )
    x, y = round(box[0]), round(box[1])
    title = " ".join(word for word in (kind.kind, kind.text, kind.colours) if word)
    return Piece("mark", x, y, round(width), round(height), body, title, hex=kind.hex)


def _beside_sign(text: str, unit: float, colour: str, look: Palette) -> tuple[str, float]:
    """The text behind a sign and the width of both."""
    if not text:
        return "", 2 * unit + 2
    size = max(8.0, unit * 0.95)
    drawn = letters(text, 2 * unit + 3, unit + 1 + size * 0.36, size, colour, bold=True, halo=look.halo)
    return drawn, 2 * unit + 6 + text_width(text, size, True)


def _lost(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    m, r = unit + 1, unit * 0.62
    cross = (
        f"M{number(m - r)} {number(m - r)}l{number(2 * r)} {number(2 * r)}"
        f"m0 {number(-2 * r)}l{number(-2 * r)} {number(2 * r)}"
    )
    text, width = _beside_sign(kind.text, unit, look.warning, look)
    return (
        f'<path d="{cross}" stroke="{look.halo}" stroke-width="{number(unit * 0.62)}"'
        ' stroke-linecap="round"/>'
        f'<path d="{cross}" stroke="{look.warning}" stroke-width="{number(unit * 0.34)}"'
        f' stroke-linecap="round"/>{text}'
    ), width


def _supply(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    m = unit + 1
    colours = face(kind.colours or "neutral", look)
    text, width = _beside_sign(kind.text, unit, look.ink, look)
    return (
        (
            f'<circle cx="{number(m)}" cy="{number(m)}" r="{number(unit * 0.82)}" fill="{colours.face}" '
            'stroke="#1d211c" stroke-width="1.4"/>'
        )
        + letters("S", m, m + unit * 0.42, unit * 1.15, colours.ink, anchor="middle", bold=True)
        + text
    ), width


def _objective(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    m = unit + 1
    points = []
    for spike in range(10):
        reach = unit * (0.95 if spike % 2 == 0 else 0.42)
        points.append(f"{number(m + reach * sin(pi * spike / 5))} {number(m - reach * cos(pi * spike / 5))}")
    fill = face(kind.colours, look).face if kind.colours else "#ffffff"
    text, width = _beside_sign(kind.text, unit, look.ink, look)
    return f'<path d="M{"L".join(points)}z" fill="{fill}" stroke="#1d211c" stroke-width="1.2"/>{text}', width


def _control(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    colours = face(kind.colours or "neutral", look)
    u = unit
    text, width = _beside_sign(kind.text, u, look.ink, look)
    flag = (
        f"M{number(u * 0.62)} {number(u * 0.25)}h{number(u * 1.25)}v{number(u * 0.85)}h{number(-u * 1.25)}z"
    )
    pole = f"M{number(u * 0.62)} {number(u * 0.2)}v{number(u * 1.75)}"
    stripe = (
        (
            f'<path d="M{number(u * 0.95)} {number(u * 0.3)}v{number(u * 0.75)}" stroke="{colours.ink}" '
            'stroke-width="1.6"/>'
        )
        if colours.stripe
        else ""
    )
    return (
        f'<path d="{flag}" fill="{colours.face}" stroke="#1d211c" stroke-width="1.1"/>{stripe}'
        f'<path d="{pole}" stroke="{look.ink}" stroke-width="1.6"/>{text}'
    ), width


def _beach(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    size = unit
    width = max(2 * unit, text_width(kind.text, size, True) + unit * 0.9)
    return (
        (
            f'<rect x="1" y="{number(unit * 0.3)}" width="{number(width)}" height="{number(unit * 1.5)}" '
            f'rx="{number(unit * 0.5)}" fill="{look.major}" stroke="#ffffff" stroke-width="1"/>'
        )
        + letters(
            kind.text, 1 + width / 2, unit * 1.05 + size * 0.36, size, "#ffffff", anchor="middle", bold=True
        )
    ), width + 2


def _target(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    m, r = unit + 1, unit * 0.62
    path = (
        f"M{number(m)} 1V{number(m - r * 0.4)}M{number(m)} {number(m + r * 0.4)}V{number(2 * m - 1)}"
        f"M1 {number(m)}H{number(m - r * 0.4)}M{number(m + r * 0.4)} {number(m)}H{number(2 * m - 1)}"
    )
    ring = f'<circle cx="{number(m)}" cy="{number(m)}" r="{number(r)}" fill="none"'
    text, width = _beside_sign(kind.text, unit, look.special, look)
    return (
        f'{ring} stroke="{look.halo}" stroke-width="4"/>'
        f'<path d="{path}" stroke="{look.halo}" stroke-width="4"/>'
        f'{ring} stroke="{look.special}" stroke-width="1.8"/>'
        f'<path d="{path}" stroke="{look.special}" stroke-width="1.8"/>{text}'
    ), width


def _exit(kind: Mark, unit: float, look: Palette, way_out: Point) -> tuple[str, float]:
    m, (ux, uy) = unit + 1, way_out
    points = ((0.9, 0.0), (0.0, 0.75), (0.0, 0.3), (-0.8, 0.3), (-0.8, -0.3), (0.0, -0.3), (0.0, -0.75))
    drawn = "L".join(
        f"{number(m + unit * (a * ux - b * uy))} {number(m + unit * (a * uy + b * ux))}" for a, b in points
    )
    fill = face(kind.colours, look).arrow if kind.colours else look.ink
    text, width = _beside_sign(kind.text, unit, look.ink, look)
    return f'<path d="M{drawn}z" fill="{fill}" stroke="{look.halo}" stroke-width="1.2"/>{text}', width


_SIGNS = {
    "lost": _lost, "supply": _supply, "objective": _objective, "control": _control, "beach": _beach,
    "target": _target, "exit": _exit,
}  # fmt: skip


def outline(box: tuple[float, float, float, float], text: str, size: float, look: Palette) -> list[Piece]:
    """The rim of a part of the map, in four strokes, with a text in its upper left corner."""
    left, top, right, bottom = (round(part) for part in box)
    wide, high = right - left, bottom - top
    found = []
    for x, y, w, h in (
        (left, top, wide, 2), (left, bottom - 2, wide, 2), (left, top, 2, high), (right - 2, top, 2, high)
    ):  # fmt: skip
        body = f'<rect width="{w}" height="{h}" fill="{look.burst}"/>'
        found.append(Piece("strip", x, y, w, h, body))
    if text:
        room, tall = round(text_width(text, size, True) + 10), round(size + 5)
        body = f'<rect width="{room}" height="{tall}" fill="{look.burst}"/>' + letters(
            text, room / 2, tall / 2 + size * 0.36, size, "#ffffff", anchor="middle", bold=True
        )
        found.append(Piece("strip", left, top, room, tall, body, f"close-up {text}"))
    return found


def marker(counters: Sequence[Counter], center: Point, side: int, look: Palette) -> Piece:
    """A stack as a plain square in the colours of its first counter."""
    colours = face(counters[0].colours, look)
    where = f'x=".5" y=".5" width="{side - 1}" height="{side - 1}"'
    body = f'<rect {where} fill="{colours.face}" stroke="{look.ink}"/>'
    x, y = round(center[0] - side / 2), round(center[1] - side / 2)
    told = "\n".join(describe(counter) for counter in counters)
    return Piece("counter", x, y, side, side, body, told, tuple(counters), counters[0].hex)


def name(
    text: str, x: float, base: float, size: float, bold: bool, look: Palette, hex_id: str, ink: str = ""
) -> Piece:
    """The name of a place, its text centred on `x`, in a rim of paper."""
    half = text_width(text, size, bold) / 2 + size * 0.2
    left, top = round(x - half), round(base - size)
    width, height = round(2 * half), round(size * 1.4)
    body = letters(text, half, size, size, ink or look.ink, anchor="middle", bold=bold, halo=look.halo)
    return Piece("name", left, top, width, height, body, hex=hex_id)


def inside(line: Sequence[Point], step: float) -> list[Point]:
    """Points along a line, about `step` apart."""
    found = []
    for (ax, ay), (bx, by) in pairwise(line):
        count = max(1, round(hypot(bx - ax, by - ay) / step))
        found += [(ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(count)]
    return found


def moved_to(piece: Piece, x: float, y: float) -> Piece:
    """The same piece somewhere else."""
    return replace(piece, x=round(x), y=round(y))
