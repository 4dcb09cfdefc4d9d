"""The whole map as one small SVG document, to be zoomed into: every unit of every stack can be read there.

Small lettering costs nothing in SVG, so a stack is a list within its hex. What costs is repetition: ground of
one kind is one outline, lines are joined into long ones, and what looks alike shares a style.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product
from math import ceil
from string import ascii_lowercase
from xml.sax.saxutils import escape, quoteattr

from pbem.engine.board import Battle, Board, Border, Counter
from pbem.engine.hexes import HALF, Point
from pbem.engine.map import Map
from pbem.render import legend, pieces
from pbem.render.frame import Frame
from pbem.render.ground import Ground, along, pattern
from pbem.render.layout import Layout, Scene
from pbem.render.lettering import FAMILY, letters, number, text_width
from pbem.render.palette import NATIONS, Palette, PaletteName, face, faded, legible, palette
from pbem.render.pieces import SIZE_MARKS, Piece

SIZE = 30.0
"""The size of a hex, in pixels; all lengths of this file suit it."""
PITCH = 4
"""How wide a digit of the number of a hex is."""
RIM = 1400
"""Header and legend are as in a picture of this width."""
ROOM = {"flat": (-21, -18, 42, 40), "pointy": (-22, -17, 44, 36)}
"""What the units of a hex may take about its centre: left, top, width, height."""
ROW = 13
"""How high the row of a unit in a stack is, as long as there is room."""
STAR = 8.5
"""Half the width of the star of a battle."""
CARD = 30
"""How high a unit is that stands alone."""

Whole = tuple[int, int]
"""A point in whole pixels."""
Way = Sequence[Whole]


def whole_svg(board: Board, look: PaletteName = "paper") -> str:
    """Return the whole map as an SVG document with all that the board shows.

    Every unit is a group of class ``counter`` whose ``data-`` attributes hold what it shows. Every hex
    has a text with its number, unless it is sea where nothing is. Raises ValueError for a hex that the map
    does not have.
    """
    return _document(_Whole(board, palette(look)).scene())


def _document(scene: Scene) -> str:
    body = "".join(_group(piece) for piece in scene.pieces)
    defs = pieces.symbols_used(body) + _flags(scene.look)
    title = " · ".join(part for part in (scene.board.title, scene.board.subtitle) if part)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}" '
        f'width="{scene.width}" height="{scene.height}" font-family="{FAMILY}, Verdana, sans-serif">'
        f"<title>{escape(title)}</title><defs>{defs}</defs>"
        f'<g class="ground" transform="translate(0 {scene.top})">{scene.ground.svg()}</g>{body}</svg>\n'
    )
    return _with_styles(drawn)


def _group(piece: Piece) -> str:
    """A piece as a group; one that is drawn in the coordinates of the map is not moved there and back."""
    title = f"<title>{escape(piece.title)}</title>" if piece.title and piece.layer != "panel" else ""
    layer: str = "stack" if piece.counters else piece.layer
    if piece.hex and layer in ("mark", "battle", "border"):
        layer = f'{layer}" data-hex="{piece.hex}'
    back = f'<g transform="translate({-piece.x} {-piece.y})">'
    if piece.body.startswith(back):
        return f'<g class="{layer}">{title}{piece.body.removeprefix(back).removesuffix("</g>")}</g>'
    place = f' transform="translate({piece.x} {piece.y})"' if piece.x or piece.y else ""
    return f'<g class="{layer}"{place}>{title}{piece.body}</g>'


# --- styles ---------------------------------------------------------------------------------------------

_STYLE = (
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
    "paint-order", "font-size", "font-weight", "text-anchor",
)  # fmt: skip
_UNITS, _NONE = {"font-size": "px"}, ""
_TAG = re.compile(r'<([a-z]+)((?: [\w:-]+="[^"]*")+)(/?)>')
_ATTRIBUTE = re.compile(r' ([\w:-]+)="([^"]*)"')


def _with_styles(drawn: str) -> str:
    """The document with a style sheet for what several elements have in common."""
    looks: Tally[tuple[tuple[str, str], ...]] = Tally()
    for tag in _TAG.finditer(drawn):
        if found := _style(tag):
            looks[found] += 1
    names = ("".join(each) for long in (1, 2) for each in product(ascii_lowercase, repeat=long))
    shared = {style: next(names) for style, times in looks.most_common() if times > 1}

    def with_class(tag: re.Match[str]) -> str:
        name = shared.get(_style(tag))
        if name is None:
            return tag[0]
        rest = "".join(f' {key}="{text}"' for key, text in _ATTRIBUTE.findall(tag[2]) if key not in _STYLE)
        return f'<{tag[1]}{rest} class="{name}"{tag[3]}>'

    rules = "".join(
        f".{name}{{{';'.join(f'{key}:{text}{_UNITS.get(key, _NONE)}' for key, text in style)}}}"
        for style, name in shared.items()
    )
    return _TAG.sub(with_class, drawn).replace("<defs>", f"<style>{rules}</style><defs>", 1)


def _style(tag: re.Match[str]) -> tuple[tuple[str, str], ...]:
    """What an element looks like, as far as it may come from a style sheet; () for one that has a class."""
    attributes = _ATTRIBUTE.findall(tag[2])
    if tag[1] == "svg" or any(key == "class" for key, _ in attributes):
        return ()
    return tuple((key, text) for key, text in attributes if key in _STYLE)


# --- lines and outlines -----------------------------------------------------------------------------------


def _path(ways: Iterable[Way], closed: bool = False) -> str:
    """Lines as the shortest path: from each point to the next by steps, straight ones put together."""
    drawn = []
    for way in ways:
        steps: list[Whole] = []
        for (ax, ay), (bx, by) in pairwise(way):
            dx, dy = bx - ax, by - ay
            if steps and _is_straight(steps[-1], (dx, dy)):
                before = steps.pop()
                dx, dy = dx + before[0], dy + before[1]
            steps.append((dx, dy))
        if closed:
            steps.pop()
        told = " ".join(f"{dx} {dy}" for dx, dy in steps).replace(" -", "-")
        drawn.append(f"M{way[0][0]} {way[0][1]}l{told}{'z' * closed}")
    return "".join(drawn)


def _is_straight(one: Whole, other: Whole) -> bool:
    """Whether two steps go the same way."""
    turn = one[0] * other[1] - one[1] * other[0]
    return turn == 0 and one[0] * other[0] + one[1] * other[1] > 0


def _joined(lines: Iterable[tuple[Whole, Whole]]) -> list[list[Whole]]:
    """Stretches joined to as few long lines as a simple walk finds."""
    open_: dict[Whole, dict[Whole, None]] = {}
    for a, b in lines:
        if a != b:
            open_.setdefault(a, {})[b] = None
            open_.setdefault(b, {})[a] = None
    ways = []
    starts = sorted(open_, key=lambda point: len(open_[point]) % 2 == 0)
    for start in starts:
        while open_[start]:
            way = [start]
            while onward := open_[way[-1]]:
                there = next(iter(onward))
                del onward[there], open_[there][way[-1]]
                way.append(there)
            ways.append(way)
    return ways


def _around(corners: Iterable[Sequence[Whole]]) -> list[list[Whole]]:
    """The outlines of an area of hexes, from the corners of each of them in order."""
    edges: dict[tuple[Whole, Whole], None] = {}
    for ring in corners:
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (b, a) in edges:
                del edges[b, a]
            else:
                edges[a, b] = None
    onward: dict[Whole, list[Whole]] = {}
    for a, b in edges:
        onward.setdefault(a, []).append(b)
    rings = []
    for start in onward:
        while onward[start]:
            ring = [start]
            while len(ring) == 1 or ring[-1] != start:
                ring.append(onward[ring[-1]].pop())
            rings.append(ring)
    return rings


class _Ground(Ground):
    """The ground in whole pixels, each kind in one piece."""

    def _point(self, point: Point) -> Whole:
        x, y = self.frame.at(point)
        return round(x), round(y)

    def _hexes(self, hexes: Iterable[str]) -> str:
        corners = self.map.grid.corners
        rings = ([self._point(corner) for corner in corners(hex_id)[:6]] for hex_id in hexes)
        return _path(_around(rings), closed=True)

    def _sides(self, keys: Iterable[str]) -> str:
        shown = [key.split("-") for key in keys if self._ends(key)]
        ends = (self.map.grid.side_points(*hexes) for hexes in shown)
        return _path(_joined((self._point(a), self._point(b)) for a, b in ends))

    def _links(self, keys: Iterable[str]) -> str:
        center = self.map.grid.center
        ends = (key.split("-") for key in keys)
        return _path(_joined((self._point(center(a)), self._point(center(b))) for a, b in ends))

    def terrain(self) -> str:
        """Each kind of ground with its pattern, and the grid as the pattern that it is."""
        shapes, fills, tufts, there = [], [], [], []
        for kind, fill, tuft in self.look.terrain:
            hexes = [hex_id for hex_id in self.centers if self.kinds[hex_id] == kind]
            if not hexes:
                continue
            there.append(kind)
            shapes.append(f'<path id="hexes-{kind}" d="{self._hexes(hexes)}"/>')
            fills.append(f'<use href="#hexes-{kind}" fill="{fill}" stroke="{fill}"/>')
            if tuft:
                tufts.append(f"<defs>{pattern(kind, tuft)}</defs>")
                tufts.append(f'<use href="#hexes-{kind}" fill="url(#tuft-{kind})"/>')
        return f"<defs>{''.join(shapes)}</defs>{''.join(fills)}{''.join(tufts)}{self._grid(there)}"

    def _grid(self, kinds: Sequence[str]) -> str:
        """The sides of all hexes, as the pattern that they are."""
        grid = self.map.grid
        x, y = self.frame.at(grid.center(grid.ids[0]))
        s, h = SIZE, HALF * SIZE
        lines = (
            ((0, h), (s / 2, h), (s, 0), (2 * s, 0), (2.5 * s, h), (3 * s, h)),
            ((s / 2, h), (s, 2 * h), (2 * s, 2 * h), (2.5 * s, h)),
        )
        wide, high = 3 * s, 2 * h
        if grid.kind == "pointy":
            wide, high = high, wide
            lines = tuple(tuple((b, a) for a, b in line) for line in lines)  # type: ignore[assignment]
        path = "".join("M" + "L".join(f"{a:.2f} {b:.2f}" for a, b in line) for line in lines)
        drawn = (
            f'<defs><pattern id="grid" x="{x:.2f}" y="{y:.2f}" width="{wide:.3f}" height="{high:.3f}" '
            f'patternUnits="userSpaceOnUse"><path d="{path}" fill="none" stroke="{self.look.grid}"/>'
            "</pattern></defs>"
        )
        return drawn + "".join(f'<use href="#hexes-{kind}" fill="url(#grid)"/>' for kind in kinds)

    def numbers(self) -> str:
        """Left to `_Whole`, which knows where anything stands."""
        return ""


@lru_cache(maxsize=16)
def _ground_of(map: Map, look: Palette) -> _Ground:
    across, down = map.grid.extent
    return _Ground(map, Frame(0.0, 0.0, SIZE, ceil(across * SIZE), ceil(down * SIZE), True), look)


# --- the layout -------------------------------------------------------------------------------------------


class _Whole(Layout):
    """Everything on one map, with each unit of a stack by itself."""

    sign = 6.5

    def __init__(self, board: Board, look: Palette) -> None:
        self.whole_ground = _ground_of(board.map, look)
        super().__init__(board, self.whole_ground.frame, look)
        self.scale = self.width / RIM
        self.top = round(legend.HEADER * self.scale)
        self.side = ROOM[board.map.grid.kind][2]

    def scene(self) -> Scene:
        counters, arrows = self.counters(), self.arrows()
        bursts, lines = self.battles()
        borders = self.borders()
        marks = self.marks()
        names = self.names()
        under, height = self.under()
        placed = (
            *self.entries(), *borders, *arrows, *names, self.numbers(), *lines, *counters, *marks, *bursts,
            *self.panels([*counters, *arrows]), self.over(), under,
        )  # fmt: skip
        return Scene(
            self.board, self.look, self.width, height, self.top, self.frame, self.whole_ground, placed
        )

    def over(self) -> Piece:
        """The header, as large as in a picture of this size."""
        head = legend.header(self.board, RIM, self.look)
        body = f'<g transform="scale({self.scale:.3f})">{head.body}</g>'
        return Piece("panel", 0, 0, self.width, self.top, body, head.title)

    def under(self) -> tuple[Piece, int]:
        """The legend, and where it ends."""
        small = replace(self.frame, size=self.frame.size / self.scale)
        below = legend.footer(self.board, Ground(self.board.map, small, self.look), 0, RIM, self.look)
        drawn = "".join(f'<g transform="translate({each.x} {each.y})">{each.body}</g>' for each in below)
        top, high = self.top + self.frame.height, ceil(below[0].height * self.scale)
        body = f'<g transform="scale({self.scale:.3f})">{drawn}</g>'
        return Piece("panel", 0, top, self.width, high, body), top + high

    def numbers(self) -> Piece:
        """The number of every hex, but of open sea where nothing is."""
        board, kinds = self.board, self.whole_ground.kinds
        used = {hex_id for counter in board.counters for hex_id in (counter.hex,)} | {*board.entries}
        used |= {mark.hex for mark in board.marks} | {battle.hex for battle in board.battles}
        used |= {hex_id for arrow in board.arrows for hex_id in arrow.path}
        used |= {hex_id for battle in board.battles for hex_id in battle.attackers}
        columns: dict[int, list[str]] = {}
        lift = 20 if board.map.grid.kind == "flat" else 19
        for hex_id in board.map.grid.ids:
            if kinds[hex_id] == "outside" or (kinds[hex_id] == "sea" and hex_id not in used):
                continue
            x, y = self.at(hex_id)
            left = round(x - text_width(hex_id, PITCH * 2048 / 1303) / 2)
            columns.setdefault(left, []).append(f'<text y="{round(y - lift)}">{hex_id}</text>')
        body = "".join(f'<g transform="translate({x} 0)">{"".join(told)}</g>' for x, told in columns.items())
        size = f"{PITCH * 2048 / 1303:.2f}"
        drawn = f'<g class="hexes" font-size="{size}" fill="{self.look.faint}">{body}</g>'
        return Piece("number", 0, 0, self.width, self.frame.height, drawn)

    def borders(self) -> list[Piece]:
        """All stretches of a line in one piece, which names the hexes on either side of each."""
        alike: dict[tuple[str, str, str], list[Border]] = {}
        for each in self.board.borders:
            alike.setdefault((each.kind, each.colours, each.name), []).append(each)
        return [self.border(stretches) for stretches in alike.values()]

    def border(self, stretches: Sequence[Border]) -> Piece:
        grid, one = self.board.map.grid, stretches[0]
        colour = face(one.colours or "neutral", self.look).arrow
        lines, teeth = [], ""
        for each in stretches:
            a, b = (self.frame_point(point) for point in grid.side_points(*each.hexes))
            lines.append(((round(a[0]), round(a[1])), (round(b[0]), round(b[1]))))
            for x, y in pieces.inside((a, b), SIZE * 0.25):
                self.taken.add((x - 3, y - 3, x + 3, y + 3), 2)
            if one.kind == "front":
                teeth += _tooth(a, b, self.at(each.hexes[0]))
        path = _path(_joined(lines))
        dashes = ' stroke-dasharray="6 5"' if one.kind == "boundary" else ""
        drawn = along(path, self.look.halo, 5.4) + along(path, colour, 3, dashes)
        if teeth:
            drawn += f'<path d="{teeth}" fill="{colour}"/>'
        told = " ".join("-".join(each.hexes) for each in stretches)
        facts = f'data-kind="{one.kind}" data-colours={quoteattr(one.colours)} data-hexes="{told}"'
        return Piece("border", 0, 0, self.width, self.frame.height, f"<g {facts}>{drawn}</g>", one.name)

    def burst(self, battle: Battle, spot: Point) -> Piece:
        """A small star: between the units of full hexes there is little room."""
        return pieces.burst(battle.label, spot, SIZE, self.look, battle.hex, STAR)

    # --- counters ---

    def counters(self) -> list[Piece]:
        placed = []
        left, top, wide, high = ROOM[self.board.map.grid.kind]
        for hex_id, counters in self.stacks.items():
            x, y = self.at(hex_id)
            corner = (round(x) + left, round(y) + top)
            cells = "".join(
                f"<g{_data(each)}{_moved_to(spot)}>{_unit(each, spot[2], len(counters) == 1, self.look)}</g>"
                for each, spot in zip(counters, _cells(len(counters), wide, high), strict=True)
            )
            told = "\n".join(pieces.describe(counter) for counter in counters)
            placed.append(Piece("counter", *corner, wide, high, cells, told, tuple(counters), hex_id))
            taken = high if len(counters) > 2 else CARD
            self.taken.add((corner[0], corner[1], corner[0] + wide, corner[1] + taken), 14)
        return placed


Cell = tuple[float, float, float, float]
"""The left and the upper edge of a unit's place, its width in the measures of the unit, and its scale."""


def _cells(count: int, wide: int, high: int) -> Iterator[Cell]:
    """Where the units of a stack go: in as many columns as make them largest."""
    if count == 1:
        yield 0, 0, wide, 1
        return

    def scale(columns: int) -> float:
        return min(1 / columns, high / ROW / ceil(count / columns))

    columns = max(range(1, count + 1), key=lambda columns: (round(scale(columns), 3), -columns))
    down = ceil(count / columns)
    for order in range(count):
        column, row = divmod(order, down)
        each = wide / columns
        yield column * each, row * ROW * scale(columns), each / scale(columns), scale(columns)


def _moved_to(cell: Cell) -> str:
    left, top, _, scale = cell
    told = f"translate({number(left)} {number(top)})" if left or top else ""
    told += f"scale({scale:.2f})" if scale != 1 else ""
    return f' transform="{told}"' if told else ""


def _data(counter: Counter) -> str:
    shown = [
        (name, getattr(counter, name)) for name in ("hex", "colours", "figures", "name", "symbol", "size")
    ]
    told = "".join(f" data-{name}={quoteattr(value)}" for name, value in shown if value and value != "none")
    flags = " ".join(flag for flag in pieces.FLAGS if getattr(counter, flag))
    return f' class="counter"{told}' + (f' data-flags="{flags}"' if flags else "")


@lru_cache(maxsize=4096)
def _unit(counter: Counter, wide: float, alone: bool, look: Palette) -> str:
    """A unit with all that is known of it: its symbol, size and nation, its name, its figures, its marks. It
    has three lines if it stands alone, two in a stack."""
    colours = face(counter.colours, look)
    fill = faded(colours, look) if counter.dimmed or counter.moved else colours.face
    ink = legible(colours.ink, fill)
    high = CARD if alone else ROW
    drawn = [
        f'<rect width="{number(wide)}" height="{high}" rx="1.5" fill="{fill}" stroke="#1d211c" '
        'stroke-width="0.7"/>'
    ]
    if colours.stripe:
        drawn.append(f'<path d="M1.4 1v{high - 2}" stroke="{ink}" stroke-width="1.2"/>')
    across, tall, left = (16, 10.7, 3.5) if alone else (10.5, 7, 3)
    top = 2.5 if alone else 1.2
    if counter.symbol != "none":
        where = f'x="{left}" y="{top}" width="{across}" height="{tall}"'
        drawn.append(
            f'<rect {where} fill="{colours.frame}" stroke="#1d211c" stroke-width="0.8"/>'
            f'<use href="#{counter.symbol}" {where} fill="none" stroke="#1d211c" stroke-width="1.6"/>'
        )
    size, nation = SIZE_MARKS.get(counter.size, ""), NATIONS.get(counter.colours, "")
    if alone:
        if nation:
            drawn.append(letters(nation, wide - 2, 8.5, 6.5, ink, anchor="end", bold=True))
        if size:
            drawn.append(letters(size, left + across + 1.5, 13, 5.5, ink))
        if counter.name:
            drawn.append(_fitting(counter.name, wide / 2, 21, 7, wide - 6, ink))
        if text := "?" if counter.hidden else counter.figures:
            drawn.append(_fitting(text, wide / 2, 28.4, 8, wide - 16, ink, bold=True))
        spots = [(wide - 4.5, 25.7), (6.0, 25.7), (wide - 4.5, 15.0), (wide - 4.5, 12.0), (wide / 2, high)]
    else:
        if size:
            drawn.append(letters(size, left + across / 2, 12.2, 4, ink, anchor="middle"))
        room = wide - left - across - 3
        if counter.name:
            drawn.append(_fitting(counter.name, left + across + 1.5, 5.8, 5.8, room, ink, anchor="start"))
        at = left + across + 1.5
        if text := "?" if counter.hidden else counter.figures:
            drawn.append(_fitting(text, at, 11.9, 6, room - 9, ink, anchor="start", bold=True))
        if nation:
            drawn.append(letters(nation, wide - 1.2, 11.6, 4, ink, anchor="end", bold=True))
        spots = [(wide - 11 - 5 * step, 9.6) for step in range(5)]
    marks = [flag for flag in _FLAGS if getattr(counter, flag) and not (counter.hidden and flag in _FRONT)]
    for flag, (x, y) in zip(marks, spots, strict=False):
        drawn.append(f'<use href="#{_FLAGS[flag]}" x="{number(x)}" y="{number(y)}" stroke="{ink}"/>')
    return "".join(drawn)


def _fitting(
    text: str, x: float, y: float, size: float, room: float, ink: str, *, anchor: str = "middle",
    bold: bool = False,
) -> str:  # fmt: skip
    """A text set smaller where it would run wider than its room."""
    size = min(size, room / max(0.1, text_width(text, 1, bold)))
    return letters(text, x, y, size, ink, anchor=anchor, bold=bold)


_FLAGS = {
    "unsupplied": "is-out", "disrupted": "is-torn", "entrenched": "is-dug", "moved": "is-gone",
    "inverted": "is-turned",
}  # fmt: skip
_FRONT = ("inverted",)
"""What is seen of the front of a counter alone."""


def _flags(look: Palette) -> str:
    """The marks of units about (0, 0), drawn once for all."""

    def badge(key: str, fill: str, sign: str) -> str:
        return (
            f'<g id="{key}"><circle r="2.7" fill="{fill}" stroke="#ffffff" stroke-width="0.5"/>'
            f'<path d="{sign}" fill="none" stroke="#ffffff" stroke-width="0.9"/></g>'
        )

    return (
        badge("is-out", look.warning, "M0-1.8v2.3M0 1.1v0.9")
        + badge("is-torn", look.special, "M-1-1.6v3.2h0.5q1.7 0 1.7-1.6t-1.7-1.6z")
        + '<path id="is-dug" d="M-4 1.2v-2.4h1.6v2.4h1.6v-2.4h1.6v2.4h1.6v-2.4h1.6v2.4" fill="none" '
        'stroke-width="0.8"/>'
        '<path id="is-gone" d="M-1-2l2 2l-2 2" fill="none" stroke-width="0.9"/>'
        '<path id="is-turned" d="M-2 2v-4l4 4z"/>'
    )


def _tooth(a: Point, b: Point, inner: Point) -> str:
    """A triangle on a hexside that points to the hex that holds it."""
    (ax, ay), (bx, by) = a, b
    mx, my = (ax + bx) / 2, (ay + by) / 2
    px, py = mx + (inner[0] - mx) * 0.24, my + (inner[1] - my) * 0.24
    ux, uy = (bx - ax) * 0.15, (by - ay) * 0.15
    ends = ((mx - ux, my - uy), (px, py), (mx + ux, my + uy))
    return "M" + "L".join(f"{round(x)} {round(y)}" for x, y in ends) + "z"
