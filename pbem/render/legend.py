"""What stands around the map: the header, the legend of what occurs, the scale, the compass and the inset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import Any

from pbem.engine.board import Arrow, Board, Border, Counter
from pbem.engine.hexes import HALF, Point
from pbem.engine.map import Map
from pbem.render.frame import Frame
from pbem.render.ground import BRIDGES, Ground, sketch, swatch
from pbem.render.lettering import cut_to, letters, number, text_width
from pbem.render.palette import Palette, face
from pbem.render.pieces import Piece, arrow, attack_line, border, burst, entry, mark, stack_svg
from pbem.render.signs import FLAGS, border_name, meaning

HEADER = 44
ROW = 22
TEXT = 11.5
INSET = 0.19
"""Width of the inset as a part of the picture's."""

Sign = tuple[str, float, str]
"""An entry of the legend: its drawing in a row of the legend, the drawing's width, and what it means."""


def header(board: Board, width: int, look: Palette) -> Piece:
    """The bar on top: what this is, and whose knowledge it shows."""
    aside = cut_to(board.subtitle, 13, width * 0.5)
    room = width - 48 - text_width(aside, 13)
    size = min(20.0, max(13.0, 20 * room / max(1.0, text_width(board.title, 20, True))))
    body = (
        f'<rect width="{width}" height="{HEADER}" fill="{look.bar}"/>'
        + letters(
            cut_to(board.title, size, room, True), 16, HEADER / 2 + size * 0.36, size, look.bar_ink, bold=True
        )
        + letters(aside, width - 16, HEADER / 2 + 5, 13, look.bar_faint, anchor="end")
    )
    return Piece("panel", 0, 0, width, HEADER, body, board.title)


def footer(board: Board, ground: Ground, top: int, width: int, look: Palette) -> list[Piece]:
    """The legend, the scale, and where the map comes from, from `top` downwards;
    the first piece is the paper.

    Every sign is a piece of its own: most of them come back in the next picture.
    """
    signs = []
    drawn, wide = _scale_bar(board.map, ground.frame, look)
    x, row = 16, 0
    for icon, icon_width, text in [(drawn, wide, ""), *_signs(board, ground, look)]:
        taken = ceil(icon_width + (6 + text_width(text, TEXT) if text else 0)) + 2
        if x + taken > width - 8:
            x, row = 16, row + 1
        words = letters(text, icon_width + 6, ROW / 2 + 4, TEXT, look.ink) if text else ""
        # On paper of its own, or the PNG would take the smooth edges of letters for holes.
        sheet = f'<rect width="{taken + 2}" height="{ROW}" fill="{look.paper}"/>'
        body = f'{sheet}<g transform="translate(2 0)">{icon}{words}</g>'
        signs.append(Piece("panel", x - 2, top + 6 + row * ROW, taken + 2, ROW, body))
        x += taken + 14
    height = 6 + (row + 1) * ROW + 20
    origin = ("Reconstructed map, not a printed one · " if board.map.reconstructed else "") + board.map.credit
    credit = letters(cut_to(origin, 10, width - 32), 16, height - 8, 10, look.faint)
    paper = (
        f'<rect width="{width}" height="{height}" fill="{look.paper}"/>'
        f'<path d="M0 .5H{width}" stroke="{look.grid}"/>'
    )
    return [Piece("panel", 0, top, width, height, paper + credit), *signs]


def _scale_bar(map: Map, frame: Frame, look: Palette) -> tuple[str, float]:
    """A bar of whole hexes with its length in kilometres, or in hexes when the map has no scale."""
    across = 2 * HALF * frame.size
    hexes = max(1, round(80 / across))
    length = hexes * across
    if map.hex_km is None:
        text = f"{hexes} hexes" if hexes > 1 else "1 hex"
    else:
        length_km, hex_km = (f"{round(km, 1):g} km" for km in (hexes * map.hex_km, map.hex_km))
        text = f"{length_km} · 1 hex = {hex_km}"
    middle = ROW / 2
    bar = (
        f'<path d="M0 {middle - 4}V{middle + 4}M0 {middle}H{number(length)}M{number(length)} '
        f'{middle - 4}V{middle + 4}" fill="none" stroke="{look.ink}" stroke-width="1.6"/>'
    )
    return bar + letters(text, length + 7, middle + 4, TEXT, look.ink), length + 7 + text_width(text, TEXT)


# --- what occurs ----------------------------------------------------------------------------------------


def _signs(board: Board, ground: Ground, look: Palette) -> Iterator[Sign]:
    for colours, side in board.legend.items():
        yield _counter_sign(Counter("", colours), 1, look, side)
    yield from _counter_signs(board, look)
    yield from _arrow_signs(board, look)
    if board.battles:
        sample = burst(board.battles[0].label, (0, 0), 22, look)
        yield _piece_sign(sample, meaning(board, "battle"))
    if any(battle.attackers for battle in board.battles):
        drawn = attack_line((-12.0, ROW / 2), (30.0, ROW / 2), 30, look)
        yield _piece_sign(drawn, meaning(board, "attack"), 32, moved=False)
    yield from _border_signs(board, look)
    if board.entries:
        yield _piece_sign(entry((11.0, 11.0), 15, look), meaning(board, "entry"))
    for kind in dict.fromkeys(each.kind for each in board.marks):
        told = next(each for each in board.marks if each.kind == kind)
        text = told.text if kind == "beach" else ""
        yield _piece_sign(mark(replace(told, text=text), (0, 0), 25, look), meaning(board, kind))
    named = {each.name for each in board.borders}
    yield from (sign for sign in _ground_signs(ground) if sign[2] not in named)


def _counter_sign(counter: Counter, count: int, look: Palette, meaning: str) -> Sign:
    body = stack_svg((counter,) * count, 15, 2, 5, 3, look)
    return f'<g transform="translate(-2 1)">{body}</g>', 20, meaning


def _counter_signs(board: Board, look: Palette) -> Iterator[Sign]:
    counters = board.counters
    stacked = len({counter.hex for counter in counters}) < len(counters)
    if stacked:
        plain = Counter("", counters[0].colours)
        yield _counter_sign(plain, 2, look, meaning(board, "stack"))
    unknown = next((each for each in counters if each.hidden), None)
    if unknown:
        dug_in = any(each.hidden and each.entrenched for each in counters)
        sample = Counter("", unknown.colours, hidden=True, entrenched=dug_in)
        yield _counter_sign(sample, 1, look, "unknown, dug in" if dug_in else "unknown")
    for flag in FLAGS:
        shown = next((each for each in counters if getattr(each, flag) and not each.hidden), None)
        if shown:
            bare = Counter("", shown.colours)
            setting: dict[str, Any] = {flag: True}
            yield _counter_sign(replace(bare, **setting), 1, look, meaning(board, flag))
    if figures := board.signs.get("figures"):
        yield "", -6, f"figures: {figures}"


def _arrow_signs(board: Board, look: Palette) -> Iterator[Sign]:
    seen = dict.fromkeys((each.kind, face(each.colours, look).arrow) for each in board.arrows)
    for kind, colour in seen:
        sample = next(
            each for each in board.arrows if (each.kind, face(each.colours, look).arrow) == (kind, colour)
        )
        side = board.legend.get(sample.colours, sample.colours.capitalize())
        drawn = arrow(
            Arrow(("", ""), sample.colours, sample.kind), [(0.0, 11.0), (34.0, 11.0)], 24, 0, 0, look
        )
        if drawn:
            told = "supply line" if kind == "supply" else f"{side} {kind}"
            yield _piece_sign(drawn, told, 36, moved=False)


def _border_signs(board: Board, look: Palette) -> Iterator[Sign]:
    kinds = dict.fromkeys((each.kind, each.colours, each.name) for each in board.borders)
    for kind, colours, name in kinds:
        sample = Border(("", ""), colours, kind)
        drawn = border(sample, ((0.0, 14.0), (24.0, 14.0)), (12.0, -10.0), 24, look)[1]
        yield _piece_sign(drawn, border_name(board, colours, kind, name), 26, moved=False)


def _piece_sign(piece: Piece, meaning: str, width: float | None = None, moved: bool = True) -> Sign:
    dx, dy = (0.0, (ROW - piece.height) / 2) if moved else (piece.x, piece.y)
    wide = piece.width if width is None else width
    return f'<g transform="translate({number(dx)} {number(dy)})">{piece.body}</g>', wide, meaning


@lru_cache(maxsize=64)
def _ground_signs(ground: Ground) -> tuple[Sign, ...]:
    return tuple(_terrain_signs(ground, ground.look)) + tuple(_hexside_signs(ground, ground.look))


def _terrain_signs(ground: Ground, look: Palette) -> Iterator[Sign]:
    there = {ground.kinds[hex_id] for hex_id in ground.centers}
    for kind, _, _ in look.terrain:
        if kind in there and kind != "outside":
            yield swatch(kind, look), 20, ground.word(kind)


def _hexside_signs(ground: Ground, look: Palette) -> Iterator[Sign]:
    for kind, colour, width, told, dashes in (
        ("river_minor", look.river, 2, "river", ""), ("river_major", look.major, 3.2, "major river", ""),
        ("flooded", look.flooded, 5, "flooded", "0.1 6.5"),
    ):  # fmt: skip
        if ground.shows_side(kind):
            yield _stroke(colour, width, dashes), 20, told
    if ground.map.roads.get("main"):
        yield _stroke(look.road, 1.8, ""), 20, "road"
    if any(map(ground.shows_side, BRIDGES)):
        bars = f'<path d="M5 7H15M5 15H15" stroke="{look.bridge}" stroke-width="1.7"/>'
        yield bars, 20, "bridge"
    for kind, dashes in ground.special_kinds().items():
        yield _stroke(look.special, 1.6, dashes), 20, kind.replace("_", " ")


def _stroke(colour: str, width: float, dashes: str) -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="M1 11H19" stroke="{colour}" stroke-width="{number(width)}" stroke-linecap="round"{dash}/>'
    )


# --- on the map -----------------------------------------------------------------------------------------


def compass(map: Map, x: float, y: float, look: Palette) -> Piece:
    """Where north lies: up, or as far to the right of it as the map is turned.
    (x, y) is the upper left corner."""
    turned = f' transform="rotate({number(map.rotation)} 22 22)"' if map.rotation else ""
    body = (
        f'<circle cx="22" cy="22" r="21" fill="{look.paper}" stroke="{look.grid}"/><g{turned}>'
        f'<path d="M22 5L27 25L22 21L17 25z" fill="{look.ink}"/>'
        + letters("N", 22, 39, 13, look.ink, anchor="middle", bold=True)
        + "</g>"
    )
    return Piece("panel", round(x), round(y), 44, 44, body, "north")


def inset(board: Board, frame: Frame, width: int, look: Palette) -> Piece:
    """The whole map in small, with every stack as a dot and the frame of the picture marked;
    placed at (0, 0)."""
    ground, scale, height = sketch(board.map, width, look)
    dots = []
    for counter in {counter.hex: counter for counter in reversed(board.counters)}.values():
        x, y = (part * scale for part in board.map.grid.center(counter.hex))
        colours = face(counter.colours, look)
        dots.append(
            f'<rect x="{number(x - 1.5)}" y="{number(y - 1.5)}" width="3.4" height="3.4" '
            f'fill="{colours.face}" stroke="#1d211c" stroke-width=".6"/>'
        )
    left, top = max(0.0, frame.left * scale), max(0.0, frame.top * scale)
    right = min(width, (frame.left + frame.width / frame.size) * scale)
    bottom = min(height, (frame.top + frame.height / frame.size) * scale)
    view = (
        f'x="{number(left + 1)}" y="{number(top + 1)}" width="{number(right - left - 2)}" '
        f'height="{number(bottom - top - 2)}"'
    )
    body = (
        f'<rect width="{width + 6}" height="{number(height + 6)}" fill="{look.paper}"/>'
        f'<g transform="translate(3 3)">{ground}{"".join(dots)}'
        f'<rect {view} fill="none" stroke="{look.burst}" stroke-width="2"/></g>'
        f'<rect x=".5" y=".5" width="{width + 5}" height="{number(height + 5)}" fill="none" '
        f'stroke="{look.ink}"/>'
    )
    return Piece("panel", 0, 0, width + 6, round(height + 6), body, "the whole map")


def quietest_corner(size: Point, area: tuple[float, float, float, float], busy: list[Point]) -> Point:
    """The corner of `area` in which a panel of this size hides the fewest of the points of interest."""
    width, height = size
    left, top, right, bottom = area
    corners = [
        (left + 8, bottom - height - 8),
        (right - width - 8, bottom - height - 8),
        (left + 8, top + 8),
        (right - width - 8, top + 8),
    ]

    def hidden(corner: Point) -> int:
        x, y = corner
        return sum(x - 12 < px < x + width + 12 and y - 12 < py < y + height + 12 for px, py in busy)

    return min(corners, key=hidden)


def edge_direction(map: Map, hex_id: str) -> Point:
    """The way off the map that is shortest from a hex, as a unit vector."""
    x, y = map.grid.center(hex_id)
    across, down = map.grid.extent
    return min(((x, (-1.0, 0.0)), (across - x, (1.0, 0.0)), (y, (0.0, -1.0)), (down - y, (0.0, 1.0))))[1]
