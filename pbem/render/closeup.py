"""The pieces of a close-up, which is read on a phone: wide counters, strips that open stacks, the numbers of
hexes, and the bars above and below.

A phone shows a picture of 600 pixels 390 wide, so nothing here is lettered below `LETTERING` pixels: that
is 11 there. What does not fit is narrowed or set in two lines, never cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan2, cos, degrees, hypot, pi, sin

from pbem.engine.board import Board, Counter
from pbem.engine.hexes import HALF, Point
from pbem.engine.map import Map
from pbem.render import pieces
from pbem.render.frame import Area, Frame
from pbem.render.lettering import fitted, in_lines, letters, number, text_width
from pbem.render.palette import NATIONS, Face, Palette, face, faded, legible
from pbem.render.pieces import Piece

LETTERING = 17.0
"""The size of all lettering, in pixels."""
LINE = 18
"""From one line of a name to the next."""
TOP = 22
"""The upper row of a counter: its symbol, whether it has moved, its nation."""
PLATE = 18
"""How high the plate is on which the number of a hex stands."""
ROW = 24
BAR = 32
EDGE = 6
"""How high the bar below is that has nothing to say."""
RADIUS = 10
"""Of the badges on a counter."""
DIGITS = 1303 / 2048 * LETTERING


def counter_width(map: Map, frame: Frame) -> int:
    """As wide as the neighbour in the next column allows."""
    return round(frame.size * (1.5 if map.grid.kind == "flat" else 2 * HALF)) - 8


def upper_edge(frame: Frame) -> float:
    """How far above the centre of a hex its number begins."""
    return 0.84 * frame.size


# --- counters -------------------------------------------------------------------------------------------


def stack(counters: Sequence[Counter], center: Point, wide: int, frame: Frame, look: Palette) -> Piece:
    """The counters of one hex, below its number: the first one lies on top, a badge counts them."""
    drawn, high = _stack(tuple(counters), wide, look)
    x = round(center[0] - wide / 2) - RADIUS
    y = round(center[1] - upper_edge(frame)) + PLATE - 2
    told = "\n".join(pieces.describe(counter) for counter in counters)
    width = wide + 2 * RADIUS
    return Piece("counter", x, y, width, high, drawn, told, tuple(counters), counters[0].hex)


@lru_cache(maxsize=2048)
def _stack(counters: tuple[Counter, ...], wide: int, look: Palette) -> tuple[str, int]:
    """The drawing of a stack and its height. There is room for badges on either side and below, for the next
    counter above."""
    top = counters[0]
    lines = in_lines(top.name, LETTERING, wide - 8) if top.name and not top.hidden else ("",)
    high = TOP + LINE * len(lines) + (LINE + 2 if top.figures or top.hidden or not top.name else 3)
    drawn = []
    if len(counters) > 1:
        behind = face(counters[1].colours, look)
        drawn.append(_plate(RADIUS + 4, 1, wide - 1, high, _fill(counters[1], behind, look), look))
    badges: list[tuple[float, str, str]] = []
    if any(counter.disrupted for counter in counters):
        badges.append((RADIUS + 7, "D", look.special))
    if any(counter.unsupplied for counter in counters):
        badges.append((RADIUS + 7 + 2 * RADIUS * len(badges), "!", look.warning))
    if len(counters) > 1:
        badges.append((RADIUS + wide - 6, str(len(counters)), "#1d211c"))
    clear = (min(len(badges) - (len(counters) > 1), 1) * 13, 14 * (len(counters) > 1))
    drawn.append(
        f'<g transform="translate({RADIUS} 4)">{_counter(top, lines, wide - 1, high, look, clear)}</g>'
    )
    drawn += [_badge(x, high - 4, text, fill) for x, text, fill in badges]
    return "".join(drawn), high + 4 + RADIUS


def _fill(counter: Counter, colours: Face, look: Palette) -> str:
    return faded(colours, look) if counter.dimmed or counter.moved else colours.face


def _plate(x: float, y: float, wide: float, high: float, fill: str, look: Palette) -> str:
    return (
        f'<rect x="{number(x + 0.5)}" y="{number(y + 0.5)}" width="{number(wide - 1)}" '
        f'height="{number(high - 1)}" rx="4" fill="{fill}" stroke="{look.ink}"/>'
    )


def _badge(x: float, y: float, text: str, fill: str) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{RADIUS}" fill="{fill}" stroke="#ffffff"/>'
    ) + fitted(text, x, y + LETTERING * 0.365, LETTERING, 15, "#ffffff", anchor="middle", bold=True)


def _counter(
    counter: Counter, lines: Sequence[str], wide: int, high: int, look: Palette, clear: tuple[int, int]
) -> str:
    """A counter face: symbol, nation, name and figures, its corner at the origin. The figures keep `clear` of
    the badges on the left and on the right."""
    colours = face(counter.colours, look)
    fill = _fill(counter, colours, look)
    ink = legible(colours.ink, fill)
    drawn = [_plate(0, 0, wide, high, fill, look)]
    left = 4
    if colours.stripe:
        drawn.append(f'<rect x="2" y="3" width="3" height="{high - 6}" fill="{ink}"/>')
        left = 7
    middle = (left + wide - 3) / 2
    if counter.symbol != "none" and not counter.hidden:
        drawn.append(_framed(counter, left, 3, colours))
    if nation := NATIONS.get(counter.colours, ""):
        drawn.append(letters(nation, wide - 4, 17, LETTERING, ink, anchor="end", bold=True))
    if counter.moved:
        x = left + 31
        path = f"M{x} 6l5 6l-5 6m6 -12l5 6l-5 6"
        drawn.append(f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
    if counter.hidden:
        drawn.append(letters("?", middle, TOP + 27, 30, ink, anchor="middle", bold=True))
    else:
        base = TOP + 14
        for line in lines if counter.name else ():
            drawn.append(fitted(line, middle, base, LETTERING, wide - left - 4, ink, anchor="middle"))
            base += LINE
        if not counter.name:
            base += LINE // 2
        if counter.figures:
            size, at = LETTERING + 1, middle + (clear[0] - clear[1]) / 2
            room = wide - left - 4 - sum(clear)
            drawn.append(fitted(counter.figures, at, base + 1, size, room, ink, anchor="middle", bold=True))
        if counter.inverted:
            drawn.append(f'<path d="M{wide - 2} 20v14l-14 -14z" fill="{ink}"/>')
    if counter.entrenched:
        drawn.append(pieces.trench_below(0, high - 4, wide, look))
    return "".join(drawn)


def _framed(counter: Counter, left: float, top: float, colours: Face) -> str:
    where = f'x="{number(left + 0.5)}" y="{number(top + 0.5)}" width="26" height="17"'
    return (
        f'<rect {where} fill="{colours.frame}"/>'
        f'<use href="#{counter.symbol}" {where} fill="none" stroke="#1d211c" stroke-width="1.5"/>'
        f'<rect {where} fill="none" stroke="#1d211c"/>'
    )


# --- strips ---------------------------------------------------------------------------------------------


def strip(counters: Sequence[Counter], look: Palette) -> Piece:
    """A stack laid open: a row for each unit, to be moved to where there is room. Its corner is (0, 0)."""
    drawn, wide, high = _strip(tuple(counters), look)
    return Piece("strip", 0, 0, wide, high, drawn, hex=counters[0].hex)


@lru_cache(maxsize=512)
def _strip(counters: tuple[Counter, ...], look: Palette) -> tuple[str, int, int]:
    nation = max(text_width(NATIONS.get(each.colours, ""), LETTERING, True) for each in counters)
    name = min(130.0, max(text_width(each.name, LETTERING) for each in counters))
    figures = max(text_width(_figures(each), LETTERING, True) for each in counters)
    at_symbol = 6 + nation + (6 if nation else 0)
    at_name = at_symbol + 34
    wide = round(at_name + name + 12 + figures + 6)
    drawn = []
    for row, each in enumerate(counters):
        colours = face(each.colours, look)
        fill, base = _fill(each, colours, look), row * ROW + 18
        ink = legible(colours.ink, fill)
        drawn.append(
            f'<rect x=".5" y="{row * ROW + 0.5}" width="{wide - 1}" height="{ROW}" fill="{fill}" '
            f'stroke="{look.ink}"/>'
            + letters(NATIONS.get(each.colours, ""), 6, base, LETTERING, ink, bold=True)
        )
        if each.hidden:
            drawn.append(letters("?", at_name, base, LETTERING, ink, bold=True))
            continue
        if each.symbol != "none":
            drawn.append(_framed(each, round(at_symbol), row * ROW + 3, colours))
        drawn.append(fitted(each.name, at_name, base, LETTERING, name, ink))
        drawn.append(letters(_figures(each), wide - 6, base, LETTERING, ink, anchor="end", bold=True))
    return "".join(drawn), wide, len(counters) * ROW + 1


def _figures(counter: Counter) -> str:
    signs = (" D" if counter.disrupted else "") + (" !" if counter.unsupplied else "")
    return counter.figures + signs


def tie(start: Point, end: Point, look: Palette) -> Piece:
    """The line from a stack to its strip."""
    path = f"M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}"
    body = (
        f'<path d="{path}" stroke="{look.halo}" stroke-width="6"/>'
        f'<path d="{path}" stroke="{look.ink}" stroke-width="2.4"/>'
    )
    xs, ys = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return pieces.boxed("attack", (xs[0] - 4, ys[0] - 4, xs[1] + 4, ys[1] + 4), body)


# --- battles ------------------------------------------------------------------------------------------

STAR = (27, 17)
"""Half the width and the height of the star of a battle: its number is as large as all else."""


def burst(label: str, center: Point, look: Palette, hex_id: str) -> Piece:
    """A battle: a flat star with the number that the log gives it."""
    wide, high = STAR
    x, y = round(center[0]) - wide - 1, round(center[1]) - high - 1
    drawn = _star(label, look)
    return Piece("battle", x, y, 2 * wide + 2, 2 * high + 2, drawn, f"battle {label}", hex=hex_id)


@lru_cache(maxsize=512)
def _star(label: str, look: Palette) -> str:
    wide, high = STAR
    points = []
    for spike in range(32):
        out = 1.0 if spike % 2 == 0 else 0.84
        angle = 2 * pi * spike / 32
        points.append(
            f"{number(wide + 1 + wide * out * sin(angle))} {number(high + 1 - high * out * cos(angle))}"
        )
    star = f'<path d="M{"L".join(points)}z" fill="{look.burst}" stroke="#ffffff"/>'
    text = fitted(label, wide + 1, high + 7, LETTERING, 1.62 * wide, "#ffffff", anchor="middle", bold=True)
    return star + text


# --- numbers --------------------------------------------------------------------------------------------


def hex_number(hex_id: str, center: Point, frame: Frame, ground: str, look: Palette) -> Piece:
    """The number of a hex at its upper edge, on a plate in the colour of the ground."""
    wide = round(len(hex_id) * DIGITS) + 4
    body = f'<rect width="{wide}" height="{PLATE}" rx="3" fill="{ground}"/>' + letters(
        hex_id, 2, 15, LETTERING, look.ink
    )
    x, y = round(center[0]) - wide // 2, round(center[1] - upper_edge(frame))
    return Piece("number", x, y, wide, PLATE, body, hex=hex_id)


# --- bars -----------------------------------------------------------------------------------------------


def title(board: Board, area: Area, frame: Frame, look: Palette) -> Piece:
    """The bar above: which fights these are, where, how far a hex is, and where north lies."""
    width, base = frame.width, BAR / 2 + 6
    across = frame.size * (1.5 if board.map.grid.kind == "flat" else 2 * HALF)
    km = f"{board.map.hex_km:.2g} km" if board.map.hex_km else "1 hex"
    turned = f"rotate({number(board.map.rotation)} {width - 18} {BAR / 2})"
    left = width - 38 - text_width(km, LETTERING)
    drawn = [
        f'<rect width="{width}" height="{BAR}" fill="{look.bar}"/>',
        letters(km, left, base, LETTERING, look.bar_ink),
        f'<path d="M{number(left - 8 - across)} 10v12m0 -6h{number(across)}m0 -6v12" fill="none" '
        f'stroke="{look.bar_ink}" stroke-width="2"/>',
        f'<path transform="{turned}" d="M{width - 18} 4l7 23l-7 -5l-7 5z" fill="{look.bar_ink}"/>',
    ]
    room = left - across - 30
    drawn.append(fitted(_what(board, area, room), 10, base, LETTERING, room, look.bar_ink, bold=True))
    return Piece("panel", 0, 0, width, BAR, "".join(drawn), "what this picture shows")


def _what(board: Board, area: Area, room: float) -> str:
    """``R86, R89: east of Falaise``; many fights are counted."""
    if area.caption:
        return area.caption
    where = whereabouts(board.map, area)
    if area.caption == "":
        return where[:1].upper() + where[1:] or "Part of the map"
    if not area.battles:
        where = f"{'Most moves' if board.arrows else 'Open to your units'}: {where}".removesuffix(": ")
    labels = list(dict.fromkeys(battle.label for battle in area.battles if battle.label))
    if not labels:
        return where
    for told in (
        ", ".join(labels),
        f"{', '.join(labels[:3])} and {len(labels) - 3} more" if len(labels) > 4 else "",
        f"{len(labels)} fights",
    ):
        text = f"{told}: {where}" if told and where else told or where
        if text_width(text, LETTERING, True) <= room / 0.9:
            return text
    return text


def whereabouts(map: Map, area: Area) -> str:
    """The middle of an area by the nearest place with a name: ``at Falaise``, ``east of Falaise``."""
    hexes = [battle.hex for battle in area.battles] or list(area.hexes)
    centers = [map.grid.center(hex_id) for hex_id in hexes]
    x, y = sum(x for x, _ in centers) / len(centers), sum(y for _, y in centers) / len(centers)
    known = {name: hexes[0] for name, hexes in map.cities.items() if hexes} | dict(map.places)
    places = ((*map.grid.center(hex_id), name) for name, hex_id in known.items() if hex_id in map)
    distant = [
        (hypot(px - x, py - y) * (1.0 if name not in map.cities else 0.7), px, py, name)
        for px, py, name in places
    ]
    if not distant:
        return ""
    _, px, py, name = min(distant)
    if hypot(px - x, py - y) < 1.9:
        return f"at {name}"
    bearing = (degrees(atan2(x - px, py - y)) - map.rotation) % 360
    winds = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
    return f"{winds[round(bearing / 45) % 8]} of {name}"


def foot(board: Board, shown: Sequence[Counter], note: str, top: int, width: int, look: Palette) -> Piece:
    """The bar below: the sides in the picture, and a note on what else there is to see."""
    x, row, drawn = 10.0, 0, []
    for colours in dict.fromkeys(counter.colours for counter in shown):
        letters_, name = NATIONS.get(colours, ""), board.legend.get(colours, "")
        text = name if letters_ == name or not letters_ else f"{letters_} {name}".strip()
        if not text:
            continue
        taken = 26 + text_width(text, LETTERING)
        if x + taken > width - 8:
            x, row = 10.0, row + 1
        y = row * ROW + 6
        drawn.append(
            f'<rect x="{number(x)}" y="{y + 1}" width="20" height="16" rx="3" '
            f'fill="{face(colours, look).face}" stroke="{look.bar_ink}"/>'
            + letters(text, x + 26, y + 15, LETTERING, look.bar_ink)
        )
        x += taken + 16
    if note:
        wide = text_width(note, LETTERING)
        left = max(x, width - 10 - wide)
        if x + wide > width - 10 and x > 10:
            left, row = 10.0, row + 1
        drawn.append(fitted(note, left, row * ROW + 21, LETTERING, width - 20, look.bar_faint))
    high = (row + 1) * ROW + 8 if drawn else EDGE
    paper = f'<rect width="{width}" height="{high}" fill="{look.bar}"/>'
    return Piece("panel", 0, top, width, high, paper + "".join(drawn), note)
