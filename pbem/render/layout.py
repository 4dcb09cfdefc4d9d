"""Where everything goes: a board becomes a scene of placed pieces, which both the vector map
and the PNG follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import hypot

from pbem.engine.board import Battle, Board, Counter, Mark
from pbem.engine.hexes import Point
from pbem.engine.map import Map
from pbem.render import legend, pieces
from pbem.render.frame import Box, Frame, FrameName, action_frame, busiest, frame_for
from pbem.render.ground import Ground
from pbem.render.lettering import text_width
from pbem.render.palette import Palette, palette
from pbem.render.pieces import Piece

NARROWEST, WIDEST = 400, 4000

SLIM: tuple[FrameName, ...] = ("overview", "action")
"""Frames for pictures that a phone loads with a letter: few colours, no title and no legend."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture as a list of things to paint: the ground at (0, `top`), then the pieces in their order."""

    board: Board
    look: Palette
    width: int
    height: int
    top: int
    frame: Frame
    ground: Ground
    pieces: tuple[Piece, ...]
    slim: bool = False

    def outside(self) -> tuple[Counter, ...]:
        """The counters of the board that lie outside the frame."""
        shown = {piece.hex for piece in self.pieces if piece.layer == "counter"}
        return tuple(pieces.as_seen(counter) for counter in self.board.counters if counter.hex not in shown)


def layout(board: Board, width: int = 1400, frame: FrameName = "focus", look: str = "paper") -> Scene:
    """Place everything that a board shows on a picture `width` pixels wide.

    `frame` is ``focus`` (the hexes that matter now, with the whole map as an inset), ``whole``, ``overview``
    (the whole map, small) or ``action`` (where most was fought, large; the overview if nothing happened);
    `look` the palette. Raises ValueError for a width outside 400 to 4000, an unknown palette,
    or a hex that the map does not have.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a map can be {NARROWEST} to {WIDEST} pixels wide, not {width}")
    return _Layout(board, width, frame, palette(look)).scene()


@lru_cache(maxsize=64)
def ground_of(map: Map, frame: Frame, look: Palette) -> Ground:
    """The ground of a frame, kept because most pictures of a game share it."""
    return Ground(map, frame, look)


SQUARE = 64


@dataclass(slots=True)
class _Taken:
    """What is already on the picture, by squares of 64 pixels so that looking around is quick."""

    squares: dict[tuple[int, int], list[tuple[Box, float]]] = field(default_factory=dict)

    def add(self, box: Box, weight: float) -> None:
        """Note that `box` is taken; the weight says how bad it is to hide it."""
        left, top, right, bottom = box
        for column in range(int(left // SQUARE), int(right // SQUARE) + 1):
            for row in range(int(top // SQUARE), int(bottom // SQUARE) + 1):
                # Each square holds its own part, so that no part is counted twice.
                x, y = column * SQUARE, row * SQUARE
                part = (max(left, x), max(top, y), min(right, x + SQUARE), min(bottom, y + SQUARE))
                self.squares.setdefault((column, row), []).append((part, weight))

    def cost(self, box: Box) -> float:
        """How much of what is there the box would hide, by weight."""
        left, top, right, bottom = box
        total = 0.0
        for column in range(int(left // SQUARE), int(right // SQUARE) + 1):
            for row in range(int(top // SQUARE), int(bottom // SQUARE) + 1):
                for (a, b, c, d), weight in self.squares.get((column, row), ()):
                    if a < right and c > left and b < bottom and d > top:
                        total += weight * (min(c, right) - max(a, left)) * (min(d, bottom) - max(b, top))
        return total


class _Layout:
    def __init__(self, board: Board, width: int, frame: FrameName, look: Palette) -> None:
        self.board, self.width, self.look = board, width, look
        action = busiest(board) if frame == "action" else ()
        focus = board.focus if frame == "focus" else ()
        self.frame = action_frame(board.map, width, action) if action else frame_for(board.map, width, focus)
        self.slim = frame in SLIM
        self.ground = ground_of(board.map, self.frame, look)
        self.top = 0 if self.slim else legend.HEADER
        self.side = pieces.counter_side(self.frame.size)
        self.taken = _Taken()
        self.stacks: dict[str, list[Counter]] = {}
        for counter in board.counters:
            self.stacks.setdefault(counter.hex, []).append(pieces.as_seen(counter))

    def at(self, hex_id: str) -> Point:
        """Where the centre of a hex lies on the picture."""
        x, y = self.frame.at(self.board.map.grid.center(hex_id))
        return x, y + self.top

    def shown(self, point: Point) -> bool:
        return self.frame.shows((point[0], point[1] - self.top), self.frame.size * 0.3)

    def scene(self) -> Scene:
        counters, arrows = self.counters(), self.arrows()
        around = [] if self.slim else self.panels([*counters, *arrows])
        bursts, lines = self.battles()
        borders = self.borders()
        marks = self.marks()
        names = self.names()
        height = self.top + self.frame.height
        rim = []
        if not self.slim:
            below = legend.footer(self.board, self.ground, height, self.width, self.look)
            rim = [legend.header(self.board, self.width, self.look), *below]
            height += below[0].height
        placed = [
            *self.entries(),
            *borders,
            *arrows,
            *lines,
            *names,
            *counters,
            *marks,
            *bursts,
            *around,
            *rim,
        ]
        return Scene(
            self.board,
            self.look,
            self.width,
            height,
            self.top,
            self.frame,
            self.ground,
            tuple(placed),
            self.slim,
        )

    # --- entries and borders ---

    def entries(self) -> list[Piece]:
        centers = {hex_id: self.at(hex_id) for hex_id in self.board.entries}
        return [
            pieces.entry(center, self.frame.size, self.look, hex_id)
            for hex_id, center in centers.items()
            if self.shown(center)
        ]

    def borders(self) -> list[Piece]:
        """The rims of all borders below the lines of all, so that the stretches of a line join."""
        rims, lines = [], []
        grid = self.board.map.grid
        for each in self.board.borders:
            inner, outer = (self.at(hex_id) for hex_id in each.hexes)
            if self.shown(inner) or self.shown(outer):
                one, other = grid.side_points(*each.hexes)
                ends = (self.frame_point(one), self.frame_point(other))
                rim, line = pieces.border(each, ends, inner, self.frame.size, self.look)
                rims.append(rim)
                lines.append(line)
                for x, y in pieces.inside(ends, self.frame.size * 0.25):
                    self.taken.add((x - 3, y - 3, x + 3, y + 3), 2)
        return [*rims, *lines]

    # --- counters and arrows ---

    def counters(self) -> list[Piece]:
        placed = []
        for hex_id, counters in self.stacks.items():
            center = self.at(hex_id)
            if self.shown(center):
                placed.append(pieces.stack(counters, center, self.side, self.look))
                half = self.side / 2 + 2
                self.taken.add((center[0] - half, center[1] - half, center[0] + half, center[1] + half), 3)
                if len(counters) > 1:
                    x, y, badge = center[0] + half, center[1], 0.2 * self.side
                    self.taken.add((x - badge, y - badge, x + badge, y + badge), 20)
        return placed

    def arrows(self) -> list[Piece]:
        placed: list[Piece] = []
        ways: dict[tuple[str, str], int] = {}
        drawn: set[tuple[tuple[str, ...], str, str]] = set()
        for order in self.board.arrows:
            points = [self.at(hex_id) for hex_id in order.path]
            if (
                (order.path, order.colours, order.kind) in drawn
                or not any(map(self.shown, points))
                or len(points) < 2
            ):
                continue
            drawn.add((order.path, order.colours, order.kind))
            step = min((order.path[-2], order.path[-1]), (order.path[-1], order.path[-2]))
            beside = ways[step] = ways.get(step, -1) + 1
            nudge = (0, 1, -1, 2, -2)[beside % 5] * 0.2 * self.frame.size
            side = self.side if order.path[-1] in self.stacks else 0.3 * self.frame.size
            made = pieces.arrow(order, points, self.frame.size, side, nudge, self.look)
            if made:
                placed.append(made)
                for x, y in pieces.inside(points, self.frame.size * 0.8):
                    self.taken.add((x - 5, y - 5, x + 5, y + 5), 1)
        return placed

    # --- battles ---

    def battles(self) -> tuple[list[Piece], list[Piece]]:
        bursts, lines = [], []
        radius = pieces.burst_radius(self.frame.size)
        for battle in self.board.battles:
            if not self.shown(self.at(battle.hex)):
                continue
            spot = self.spot_for(battle, radius)
            bursts.append(pieces.burst(battle.label, spot, self.frame.size, self.look, battle.hex))
            self.taken.add((spot[0] - radius, spot[1] - radius, spot[0] + radius, spot[1] + radius), 12)
            for attacker in battle.attackers:
                start = self.at(attacker)
                if hypot(start[0] - spot[0], start[1] - spot[1]) > self.side * 0.5:
                    lines.append(pieces.attack_line(start, spot, self.side, self.look))
        return bursts, lines

    def spot_for(self, battle: Battle, radius: float) -> Point:
        """Between the sides where there is room, else at a corner of the defenders' hex."""
        x, y = self.at(battle.hex)
        spots = []
        for attacker in battle.attackers:
            ax, ay = self.at(attacker)
            length = hypot(ax - x, ay - y) or 1.0
            reach = min(0.5 * length, 0.87 * self.frame.size)
            spots.append((x + (ax - x) / length * reach, y + (ay - y) / length * reach))
        if spots:
            middle = (sum(px for px, _ in spots) / len(spots), sum(py for _, py in spots) / len(spots))
            spots.insert(0, middle)
        spots += [self.frame_point(corner) for corner in self.board.map.grid.corners(battle.hex)]

        def cost(order: int) -> float:
            px, py = spots[order]
            return self.taken.cost((px - radius, py - radius, px + radius, py + radius)) + 12 * order

        return spots[min(range(len(spots)), key=cost)]

    def frame_point(self, point: Point) -> Point:
        x, y = self.frame.at(point)
        return x, y + self.top

    # --- marks ---

    def marks(self) -> list[Piece]:
        placed = []
        for kind in self.board.marks:
            center = self.at(kind.hex)
            if self.shown(center):
                placed.append(self.mark(kind, center))
        return placed

    def mark(self, kind: Mark, center: Point) -> Piece:
        """At the first place in or about the hex where it hides nothing, else where it hides least."""
        out = legend.edge_direction(self.board.map, kind.hex)
        reach = 0.52 * self.frame.size + 0.18 * self.side
        free = kind.hex not in self.stacks
        spots = [(0.0, 0.0)] if free else []
        spots += [(-0.9, -0.75), (0.9, -0.75), (-0.9, 0.8), (0.9, 0.8), (0.0, -1.15), (0.0, 1.15)]
        if kind.kind == "exit":
            spots.insert(0, (out[0] * 0.6, out[1] * 0.6))
        sign = pieces.mark(kind, (0.0, 0.0), self.frame.size, self.look, out)
        tried = [
            pieces.moved_to(sign, center[0] + dx * reach + sign.x, center[1] + dy * reach + sign.y)
            for dx, dy in spots
        ]
        best = min(range(len(tried)), key=lambda order: self.taken.cost(tried[order].box()) + 6 * order)
        self.taken.add(tried[best].box(), 8)
        return tried[best]

    # --- names ---

    def names(self) -> list[Piece]:
        """The names of places, cities first, each where it hides least;
        a lesser place that finds no room is left out."""
        size = max(9.0, min(14.0, 0.16 * self.frame.size + 6.6))
        placed = []
        for text, hexes, city in self.named():
            points = [self.at(hex_id) for hex_id in hexes]
            x, y = sum(px for px, _ in points) / len(points), sum(py for _, py in points) / len(points)
            if not self.shown((x, y)):
                continue
            made, cost = self.best_name(text, (x, y), size * (1.18 if city else 1.0), city, hexes[0])
            if made and (city or cost < 5 * made.width):
                placed.append(made)
                self.taken.add(made.box(1), 10)
        return placed

    def named(self) -> Iterable[tuple[str, tuple[str, ...], bool]]:
        """Every name on the map with its hexes: the cities, then the other places."""
        map = self.board.map
        yield from ((text, hexes, True) for text, hexes in map.cities.items() if hexes)
        yield from ((text, (hex_id,), False) for text, hex_id in map.places.items() if text not in map.cities)

    def best_name(
        self, text: str, center: Point, size: float, bold: bool, hex_id: str
    ) -> tuple[Piece | None, float]:
        half = text_width(text, size, bold) / 2
        x, y = center
        unit = self.frame.size
        clear = self.side / 2 + 4 if hex_id in self.stacks else 0.3 * unit
        spots = (
            (0.0, clear + size * 0.8), (0.0, -clear - size * 0.15),
            (half + clear, size * 0.35), (-half - clear, size * 0.35),
            (half * 0.7 + clear * 0.6, clear + size * 0.6), (-half * 0.7 - clear * 0.6, clear + size * 0.6),
            (half * 0.7 + clear * 0.6, -clear), (-half * 0.7 - clear * 0.6, -clear),
            (0.0, clear + size * 1.9),
        )  # fmt: skip
        best: tuple[float, float, float] | None = None
        for order, (dx, dy) in enumerate(spots):
            px = min(max(x + dx, half + 4), self.width - half - 4)
            base = min(max(y + dy, self.top + size + 2), self.top + self.frame.height - size * 0.4)
            box = (px - half, base - size * 0.8, px + half, base + size * 0.2)
            cost = self.taken.cost(box) + 4 * order + 2 * (abs(px - x - dx) + abs(base - y - dy))
            if best is None or cost < best[0]:
                best = (cost, px, base)
            if cost < 4:
                break
        if best is None:
            return None, 0.0
        cost, px, base = best
        return pieces.name(text, px, base, size, bold, self.look, hex_id), cost

    # --- panels on the map ---

    def panels(self, busy: list[Piece]) -> list[Piece]:
        """The compass, and the small map when the frame does not show the whole one."""
        area = (0.0, float(self.top), float(self.width), float(self.top + self.frame.height))
        points = [(piece.x + piece.width / 2, piece.y + piece.height / 2) for piece in busy]
        points += [self.at(hex_id) for hex_id in self.board.focus]
        points += [self.at(battle.hex) for battle in self.board.battles]
        points += [self.at(kind.hex) for kind in self.board.marks]
        placed = []
        if not self.frame.whole:
            small = legend.inset(self.board, self.frame, round(self.width * legend.INSET), self.look)
            x, y = legend.quietest_corner((small.width, small.height), area, points)
            placed.append(pieces.moved_to(small, x, y))
            self.taken.add(placed[0].box(4), 50)
            points += [
                (x + small.width * i / 8, y + small.height * j / 8) for i in range(9) for j in range(9)
            ]
        x, y = legend.quietest_corner((44, 44), area, points)
        placed.append(legend.compass(self.board.map, x, y, self.look))
        self.taken.add(placed[-1].box(2), 50)
        return placed
