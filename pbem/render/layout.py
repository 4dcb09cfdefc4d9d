"""Where everything goes: a board becomes a scene of placed pieces, which both the vector map
and the PNG follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, inf, pi, sin

from pbem.engine.board import Arrow, Battle, Board, Counter, Mark
from pbem.engine.hexes import Point
from pbem.engine.map import Map
from pbem.render import closeup, legend, pieces
from pbem.render.frame import (
    Area,
    Box,
    Frame,
    FrameName,
    action_frame,
    busiest,
    frame_for,
    in_play,
)
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


def layout(
    board: Board,
    width: int = 1400,
    frame: FrameName = "focus",
    look: str = "paper",
    areas: tuple[Area, ...] = (),
    place: int = 0,
) -> Scene:
    """Place everything that a board shows on a picture `width` pixels wide.

    `frame` is ``focus`` (the hexes that matter now, with the whole map as an inset), ``whole``, ``overview``
    (the hexes in play, small) or ``action`` (a close-up of one of the `areas`, that at `place`, or of where
    most was fought if none are given; the overview if nothing happened); `look` the palette.

    Raises ValueError for a width outside 400 to 4000, an unknown palette, or a hex that the map does not
    have.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a map can be {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if frame == "action" and (areas := areas or busiest(board, 1)):
        return Closeup(board, width, palette(look), areas, place).scene()
    if frame in SLIM:
        return Overview(board, width, palette(look), areas).scene()
    shown = frame_for(board.map, width, board.focus if frame == "focus" else ())
    return Layout(board, shown, palette(look)).scene()


@lru_cache(maxsize=64)
def ground_of(map: Map, frame: Frame, look: Palette) -> Ground:
    """The ground of a frame, kept because most pictures of a game share it."""
    return Ground(map, frame, look)


SQUARE = 64
READ = 30
"""The side of a counter, in pixels, from which figures on it are drawn on an overview."""
BESIDE = 0.14
"""How far from the middle of a road an arrow runs along it, in hex sizes."""


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
                    if a < right and c > left and b < bottom and d > top:  # `min` and `max` are slow here
                        wide = (c if c < right else right) - (a if a > left else left)
                        total += weight * wide * ((d if d < bottom else bottom) - (b if b > top else top))
        return total


def _cheapest(spots: int, cost: Callable[[int], float], step: float) -> int:
    """The number of the spot that costs least, the first of those. Each costs at least `step` for every spot
    before it, so that those after a cheap one need no look."""
    best, least = 0, inf
    for order in range(spots):
        if (found := cost(order)) < least:
            best, least = order, found
        if least <= step * (order + 1):
            break
    return best


class Layout:
    """Where everything on a picture goes: the whole of what every kind of picture shares."""

    most_names = 0
    """How many places are named at most; 0 for as many as find room."""
    more_spots: tuple[Point, ...] = ()
    """Where else about the middle of a hex a mark may lie."""
    sign = 0.0
    """From the middle of a mark to its edge, in pixels; 0 for what suits the hexes."""

    def __init__(self, board: Board, frame: Frame, look: Palette) -> None:
        self.board, self.frame, self.look, self.width = board, frame, look, frame.width
        self.slim = frame.kind != "full"
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
                not self.matters(order)
                or (order.path, order.colours, order.kind) in drawn
                or not any(map(self.shown, points))
                or len(points) < 2
            ):
                continue
            drawn.add((order.path, order.colours, order.kind))
            step = min((order.path[-2], order.path[-1]), (order.path[-1], order.path[-2]))
            beside = ways[step] = ways.get(step, -1) + 1
            nudge = (0, 1, -1, 2, -2)[beside % 5] * 0.2 * self.frame.size
            if self.on_road(order.path):
                nudge = (1, -1, 2, -2, 3)[beside % 5] * BESIDE * self.frame.size
            side = self.side if order.path[-1] in self.stacks else 0.3 * self.frame.size
            made = pieces.arrow(order, points, self.frame.size, side, nudge, self.look)
            if made:
                placed.append(made)
                for x, y in pieces.inside(points, self.frame.size * 0.8):
                    self.taken.add((x - 5, y - 5, x + 5, y + 5), 1)
        return placed

    def matters(self, order: Arrow) -> bool:
        """Whether an arrow is to be drawn here."""
        return True

    def on_road(self, path: tuple[str, ...]) -> bool:
        """Whether a way follows a road anywhere."""
        hexside, roads = self.board.map.grid.hexside, self.board.map.roads
        return any(hexside(a, b) in keys for keys in roads.values() for a, b in pairwise(path) if a != b)

    # --- battles ---

    def battles(self) -> tuple[list[Piece], list[Piece]]:
        bursts, lines = [], []
        radius = pieces.burst_radius(self.frame.size)
        for battle in self.board.battles:
            if not self.shown(self.at(battle.hex)):
                continue
            spot = self.spot_for(battle, radius)
            bursts.append(self.burst(battle, spot))
            self.taken.add(bursts[-1].box(-1), 12)
            for attacker in battle.attackers:
                start = self.at(attacker)
                if hypot(start[0] - spot[0], start[1] - spot[1]) > self.side * 0.5:
                    lines.append(pieces.attack_line(start, spot, self.side, self.look))
        return bursts, lines

    def burst(self, battle: Battle, spot: Point) -> Piece:
        """The star of a battle."""
        return pieces.burst(battle.label, spot, self.frame.size, self.look, battle.hex)

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

        return spots[_cheapest(len(spots), cost, 12)]

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
        spots += self.more_spots
        if kind.kind == "exit":
            spots.insert(0, (out[0] * 0.6, out[1] * 0.6))
        sign = pieces.mark(kind, (0.0, 0.0), self.frame.size, self.look, out, self.sign)
        left, top, right, bottom = sign.box()

        def cost(order: int) -> float:
            dx, dy = (round(center[at] + spots[order][at] * reach + (left, top)[at]) for at in (0, 1))
            return self.taken.cost((dx, dy, dx + right - left, dy + bottom - top)) + 6 * order

        dx, dy = spots[_cheapest(len(spots), cost, 6)]
        placed = pieces.moved_to(sign, center[0] + dx * reach + left, center[1] + dy * reach + top)
        self.taken.add(placed.box(), 8)
        return placed

    # --- names ---

    def names(self) -> list[Piece]:
        """The names of places, cities first, each where it hides least. One that finds no room is left out: a
        lesser place always, a city where the picture is small."""
        size, larger = self.lettering()
        placed = []
        for text, hexes, city in self.named():
            points = [self.at(hex_id) for hex_id in hexes]
            x, y = sum(px for px, _ in points) / len(points), sum(py for _, py in points) / len(points)
            if not self.shown((x, y)):
                continue
            made, cost = self.best_name(text, (x, y), larger if city else size, city, hexes[0])
            if made and (cost < (3 if self.slim else 5) * made.width or (city and not self.slim)):
                placed.append(made)
                self.taken.add(made.box(1), 10)
            if len(placed) == self.most_names:
                break
        return placed

    def lettering(self) -> tuple[float, float]:
        """The size of the names of places, and of cities."""
        size = max(9.0, min(14.0, 0.16 * self.frame.size + 6.6))
        return size, 1.18 * size

    def named(self) -> Iterable[tuple[str, tuple[str, ...], bool]]:
        """Every name on the map with its hexes: the cities, then the other places."""
        map = self.board.map
        yield from ((text, hexes, True) for text, hexes in map.cities.items() if hexes)
        yield from ((text, (hex_id,), False) for text, hex_id in map.places.items() if text not in map.cities)

    def best_name(
        self, text: str, center: Point, size: float, bold: bool, hex_id: str, ink: str = ""
    ) -> tuple[Piece | None, float]:
        half = text_width(text, size, bold) / 2
        x, y = center
        beside, above, below = self.clear(hex_id)
        aside = half * 0.7 + beside * 0.6
        spots = (
            (0.0, below + size * 0.8), (0.0, -above - size * 0.15),
            (half + beside, size * 0.35), (-half - beside, size * 0.35),
            (aside, below + size * 0.6), (-aside, below + size * 0.6), (aside, -above), (-aside, -above),
            (0.0, below + size * 1.9),
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
        return pieces.name(text, px, base, size, bold, self.look, hex_id, ink), cost

    def clear(self, hex_id: str) -> tuple[float, float, float]:
        """How far beside, above and below the middle of a hex its name is clear of what stands there."""
        far = self.side / 2 + 4 if hex_id in self.stacks else 0.3 * self.frame.size
        return far, far, far

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


NAMES = 10
"""The names on an overview: they are half of its bytes."""
CROWDED = 30
"""More arrows than these are a tangle on an overview."""


class Overview(Layout):
    """The hexes in play, small: where the stacks stand, where the fights are, what the close-ups show."""

    most_names = NAMES

    def __init__(self, board: Board, width: int, look: Palette, areas: tuple[Area, ...]) -> None:
        super().__init__(board, frame_for(board.map, width, in_play(board), "overview"), look)
        self.areas = areas

    def scene(self) -> Scene:
        counters = self.counters()
        arrows = [] if len(self.board.arrows) > CROWDED else self.arrows()
        stars = self.stars()
        marks = self.marks()
        outlines = self.outlines()
        labels = self.labels()
        names = self.names()
        placed = (
            *self.entries(), *self.borders(), *arrows, *names, *counters, *marks, *outlines, *stars, *labels
        )  # fmt: skip
        return Scene(
            self.board,
            self.look,
            self.width,
            self.frame.height,
            0,
            self.frame,
            self.ground,
            placed,
            slim=True,
        )

    def outlines(self) -> list[Piece]:
        """What the close-ups show, with the number of each."""
        placed = []
        for order, area in enumerate(self.areas, 1):
            shown = action_frame(self.board.map, self.width, area.hexes, area.among(len(self.areas)))
            left, top = self.frame_point((shown.left, shown.top))
            right, bottom = self.frame_point(
                (shown.left + shown.width / shown.size, shown.top + shown.height / shown.size)
            )
            box = (
                max(2.0, left),
                max(2.0, top),
                min(self.width - 2.0, right),
                min(self.frame.height - 2.0, bottom),
            )
            text = str(order) if len(self.areas) > 1 else ""
            placed += pieces.outline(box, text, closeup.LETTERING, self.look)
        return placed

    def stars(self) -> list[Piece]:
        placed = []
        radius = max(4.5, 0.36 * self.side)
        for battle in self.board.battles:
            x, y = self.at(battle.hex)
            if self.shown((x, y)):
                spot = (x, y) if self.side < READ else self.spot_for(battle, radius)
                placed.append(pieces.burst("", spot, self.frame.size, self.look, battle.hex, radius))
                self.taken.add((spot[0] - radius, spot[1] - radius, spot[0] + radius, spot[1] + radius), 12)
        return placed

    def labels(self) -> list[Piece]:
        """The numbers of the fights that no close-up shows, each beside its star."""
        shown = {battle for area in self.areas for battle in area.battles}
        placed = []
        for battle in self.board.battles:
            center = self.at(battle.hex)
            if battle in shown or not self.shown(center) or not battle.label:
                continue
            made, _ = self.best_name(
                battle.label, center, closeup.LETTERING, True, battle.hex, self.look.burst
            )
            if made:
                placed.append(replace(made, layer="battle"))
                self.taken.add(made.box(1), 10)
        return placed

    def lettering(self) -> tuple[float, float]:
        return closeup.LETTERING, closeup.LETTERING

    def named(self) -> Iterable[tuple[str, tuple[str, ...], bool]]:
        """Cities in the frame, then other places, those nearest to a stack first."""
        held = [self.at(hex_id) for hex_id in self.stacks]

        def distance(found: tuple[str, tuple[str, ...], bool]) -> float:
            x, y = self.at(found[1][0])
            return min([(hx - x) ** 2 + (hy - y) ** 2 for hx, hy in held], default=0.0)

        shown = [found for found in super().named() if self.shown(self.at(found[1][0]))]
        for city in (True, False):
            yield from sorted((found for found in shown if found[2] is city), key=distance)[: 2 * NAMES]

    def counters(self) -> list[Piece]:
        """Plain markers where figures could not be read."""
        if self.side >= READ:
            return super().counters()
        placed = []
        side = max(8, self.side)
        for hex_id, counters in self.stacks.items():
            x, y = self.at(hex_id)
            if self.shown((x, y)):
                placed.append(pieces.marker(counters, (x, y), side, self.look))
                self.taken.add(placed[-1].box(1), 3)
        return placed


STRIPS = {"alone": 5, "of two": 3, "part": 12}
"""How many stacks are laid open at most in a close-up, by its height."""
SPARE = 1.5
"""What a strip may hide, for each of its pixels: it may lie on the numbers of empty hexes."""
GRAZE = 3
"""How many pixels a strip may reach over the edge of a counter."""


def _hides(strip: Piece, number: Piece) -> bool:
    """Whether a strip covers so much of a number that it could be misread."""
    (a, b, c, d), (e, f, g, h) = strip.box(), number.box(-2)
    return min(c, g) - max(a, e) > 6 and min(d, h) - max(b, f) > 4


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap by more than `GRAZE` pixels."""
    (a, b, c, d), (e, f, g, h) = one, other
    return min(c, g) - max(a, e) > GRAZE and min(d, h) - max(b, f) > GRAZE


def _face(stack: Piece) -> Box:
    """What is seen of a stack in a close-up, with its badges."""
    left, top, right, bottom = stack.box()
    return left + closeup.RADIUS, top, right - closeup.RADIUS + GRAZE, bottom


def _boxes(*layers: list[Piece]) -> list[Box]:
    return [piece.box(-GRAZE) for layer in layers for piece in layer]


class Closeup(Layout):
    """A part of the map where hexes are large enough to be read on a phone, with a bar above and below."""

    most_names = 6
    more_spots = ((-0.7, 0.3), (0.5, 0.3), (0.0, 0.5), (-1.1, 0.1), (1.1, 0.1))
    sign = 18.0

    def __init__(self, board: Board, width: int, look: Palette, areas: tuple[Area, ...], place: int) -> None:
        self.areas, self.area = areas, areas[place]
        self.high = self.area.among(len(areas))
        frame = action_frame(board.map, width, self.area.hexes, self.high)
        super().__init__(board, frame, look)
        self.top = closeup.BAR
        self.wide = closeup.counter_width(board.map, self.frame)

    def lettering(self) -> tuple[float, float]:
        return closeup.LETTERING, closeup.LETTERING + 2

    def clear(self, hex_id: str) -> tuple[float, float, float]:
        if hex_id not in self.stacks:
            return super().clear(hex_id)
        x, y = self.at(hex_id)
        _, top, right, bottom = closeup.stack(
            self.stacks[hex_id], (x, y), self.wide, self.frame, self.look
        ).box()
        return right - x, y - top + closeup.PLATE, bottom - y

    def shown(self, point: Point) -> bool:
        return self.frame.holds((point[0], point[1] - self.top))

    def scene(self) -> Scene:
        counters, arrows = self.counters(), self.arrows()
        fights = {hex_id for battle in self.area.battles for hex_id in (battle.hex, *battle.attackers)}
        near = {*self.stacks, *fights, *(order.path[-1] for order in self.board.arrows)}
        numbers = self.numbers(near)
        bursts, lines = self.battles()
        marks = self.marks()
        names = self.names()
        named = [piece.box() for piece in names]
        strips, ties = self.strips(fights, [*map(_face, counters), *_boxes(marks, bursts)], named)
        names = [piece for piece in names if not any(_meet(strip.box(), piece.box()) for strip in strips)]
        numbers = [piece for piece in numbers if not any(_hides(strip, piece) for strip in strips)]
        height = self.top + self.frame.height
        below = closeup.foot(
            self.board,
            [counter for piece in counters for counter in piece.counters],
            self.note(),
            height,
            self.width,
            self.look,
        )
        above = closeup.title(self.board, self.area, self.frame, self.look)
        placed = (
            *self.entries(), *self.borders(), *arrows, *ties, *names, *lines, *counters, *numbers, *strips,
            *marks, *bursts, above, below,
        )  # fmt: skip
        high = height + below.height
        return Scene(
            self.board, self.look, self.width, high, self.top, self.frame, self.ground, placed, self.slim
        )

    def note(self) -> str:
        """Which of the areas this is, and how many fights neither shows."""
        told = []
        if len(self.areas) > 1:
            what = "areas" if self.area.caption is None else "parts"
            told.append(f"{self.areas.index(self.area) + 1} of {len(self.areas)} {what}")
        shown = {battle for area in self.areas for battle in area.battles}
        rest = len(set(self.board.battles) - shown) if self.area.caption is None else 0
        if rest:
            told.append(f"{rest} more fight{'s' if rest > 1 else ''} on the whole map")
        return "; ".join(told)

    def counters(self) -> list[Piece]:
        placed = []
        for hex_id, counters in self.stacks.items():
            center = self.at(hex_id)
            if self.shown(center):
                piece = closeup.stack(counters, center, self.wide, self.frame, self.look)
                placed.append(piece)
                left, top, right, bottom = piece.box(-closeup.RADIUS)
                self.taken.add((left, top + 6, right, bottom + 6), 4)
                # The symbol matters less than the nation, the name and the figures.
                self.taken.add((left + 34, top + 6, right, top + 6 + closeup.TOP), 8)
                self.taken.add((left, top + 6 + closeup.TOP, right, bottom), 8)
        return placed

    def matters(self, order: Arrow) -> bool:
        """Moves into the picture and retreats out of it; those that pass through would be a tangle."""
        ends = (order.path[-1], *order.path[: order.kind in ("retreat", "supply")])
        return any(self.shown(self.at(hex_id)) for hex_id in ends)

    def burst(self, battle: Battle, spot: Point) -> Piece:
        return closeup.burst(battle.label, spot, self.look, battle.hex)

    def spot_for(self, battle: Battle, radius: float) -> Point:
        """About the counter of the defenders, where the star hides least; rather towards the attackers."""
        x, y = self.at(battle.hex)
        towards = [self.at(attacker) for attacker in battle.attackers]
        found: list[tuple[float, Point]] = []
        wide, high = closeup.STAR
        for out in (0.6, 0.85, 1.1, 1.25):
            for turn in range(16):
                px = x + out * self.frame.size * cos(pi * turn / 8)
                py = y + out * self.frame.size * sin(pi * turn / 8)
                if not self.frame.shows((px, py - self.top), -wide):
                    continue
                box = (px - wide, py - high, px + wide, py + high)
                away = sum(hypot(px - ax, py - ay) for ax, ay in towards) / max(1, len(towards))
                found.append((self.taken.cost(box) + 8 * away + 600 * out, (px, py)))
        return min(found)[1] if found else (x, y)

    def numbers(self, near: set[str]) -> list[Piece]:
        """The numbers of the hexes that an order may name: those that are `near` and their neighbours."""
        placed = []
        neighbours = self.board.map.neighbours
        for hex_id in self.ground.centers:
            center = self.at(hex_id)
            if self.shown(center) and (hex_id in near or not near.isdisjoint(neighbours(hex_id))):
                fill = self.look.ground(self.ground.kinds[hex_id])[0]
                piece = closeup.hex_number(hex_id, center, self.frame, fill, self.look)
                placed.append(piece)
                self.taken.add(piece.box(), 9)
        return placed

    def strips(self, fights: set[str], kept: list[Box], named: list[Box]) -> tuple[list[Piece], list[Piece]]:
        """The stacks of known units laid open, those in fights first, where there is room beside them. They
        keep clear of the boxes `kept`, and where it can be of those `named`."""
        grid = self.board.map.grid
        centre = (self.width / 2, self.top + self.frame.height / 2)

        def urgency(hex_id: str) -> tuple[bool, float]:
            x, y = self.at(hex_id)
            return hex_id not in fights, hypot(x - centre[0], y - centre[1])

        stacked = [
            hex_id
            for hex_id, counters in self.stacks.items()
            if len(counters) > 1 and hex_id in grid.ids and self.shown(self.at(hex_id))
            and not all(counter.hidden for counter in counters)
        ]  # fmt: skip
        placed: list[Piece] = []
        ties: list[Piece] = []
        for hex_id in sorted(stacked, key=urgency)[: STRIPS[self.high]]:
            piece = closeup.strip(self.stacks[hex_id], self.look)
            spot = self.spot_for_strip(piece, self.at(hex_id), [*kept, *named])
            if spot := spot or self.spot_for_strip(piece, self.at(hex_id), kept):
                piece = pieces.moved_to(piece, *spot)
                placed.append(piece)
                kept.append(piece.box(2))
                self.taken.add(piece.box(2), 30)
                x, y = self.at(hex_id)
                left, top, right, bottom = piece.box(-4)
                end = (min(max(x, left), right), min(max(y, top), bottom))
                ties.append(closeup.tie((x, y), end, self.look))
        return placed, ties

    def spot_for_strip(self, strip: Piece, center: Point, kept: list[Box]) -> Point | None:
        """Where a strip hides least, near its stack and clear of some boxes; None if it hides too much
        everywhere."""
        x, y = center
        best: tuple[float, Point] | None = None
        for out in (1.0, 1.15, 1.3, 1.5, 1.7, 2.0, 2.4):
            beside = (self.wide / 2 + 8) * out + strip.width / 2
            over = 0.8 * self.frame.size * out + strip.height / 2
            for dx, dy in (
                (1, 0), (-1, 0), (0, -1), (0, 1), (1, 0.5), (-1, 0.5), (1, -0.5), (-1, -0.5), (0.5, 1),
                (-0.5, 1), (0.5, -1), (-0.5, -1), (1, 1), (-1, 1), (1, -1), (-1, -1),
            ):  # fmt: skip
                left, top = x + dx * beside - strip.width / 2, y + dy * over - strip.height / 2
                right, bottom = left + strip.width, top + strip.height
                if (
                    left < 4 or right > self.width - 4 or top < self.top + 4
                    or bottom > self.top + self.frame.height - 4
                ):  # fmt: skip
                    continue
                if any(_meet((left, top, right, bottom), box) for box in kept):
                    continue
                hidden = self.taken.cost((left, top, right, bottom))
                cost = hidden + 25 * hypot(dx * beside, dy * over)
                if hidden < SPARE * strip.width * strip.height and (best is None or cost < best[0]):
                    best = cost, (left, top)
        return best[1] if best else None
