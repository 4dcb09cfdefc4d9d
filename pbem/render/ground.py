"""The ground: all of a picture that does not change while a game is played, as SVG.

Terrain, coast, rivers, roads, bridges, grid and hex numbers of one frame.
`sketch` is the small map of the inset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise

from pbem.engine.hexes import Point
from pbem.engine.map import OFF_MAP, Map
from pbem.render.frame import Frame
from pbem.render.lettering import number
from pbem.render.palette import Palette

GROUND = {
    "clear": "clear", "bocage": "bocage", "woods": "woods", "forest": "woods", "foret": "woods",
    "rough": "rough", "marsh": "marsh", "marais": "marsh", "town": "town", "ville": "town", "city": "city",
    "agglomeration": "city", "fort": "fort", "fortress": "fort", "sea": "sea", "all sea": "sea",
    OFF_MAP: "outside",
}  # fmt: skip
"""Word of a map's legend -> kind of ground. Words that are not here are drawn as clear."""

DIGIT = 1303 / 2048
"""How wide a digit is in the packaged font, as a part of the font size."""

SMALL = 16.0
"""Hexes below this size are drawn without numbers, tufts and a grid."""

_SOLID = ("city", "town", "woods")
_DASHES = ("6 4", "1.5 4", "10 3 2 3", "3 3")
BRIDGES = ("bridge", "rhine_bridge", "trun_bridge")
WATER = ("river_minor", "river_major", "flooded", "sea", "rhine", *BRIDGES)

_PATTERNS = {
    "bocage": (14, 12, "M2 4q1.5-3 3 0M9 10q1.5-3 3 0"),
    "woods": (14, 12, "M2 5l2-3l2 3zM9 11l2-3l2 3z"),
    "rough": (14, 12, "M2 5l3-3M9 11l3-3"),
    "marsh": (16, 12, "M2 4h6M10 10h5M4 6h3"),
    "town": (10, 10, "M2 2h3v3h-3zM7 7h2v2h-2z"),
    "city": (8, 8, "M1 1h2v2h-2zM5 5h2v2h-2z"),
    "fort": (8, 8, "M0 8L8 0M-1 1L1-1M7 9L9 7"),
    "sea": (28, 20, "M3 6q3-3 6 0t6 0M16 16q3-3 6 0t6 0"),
}


@lru_cache(maxsize=16)
def kinds_of(map: Map) -> Mapping[str, str]:
    """The kind of ground of every hex: its fort, city or town if it has one, else its terrain."""
    built = [
        (GROUND[word], map.marks.get(word, 0)) for word in GROUND if GROUND[word] in ("town", "city", "fort")
    ]
    kinds = {}
    for index, hex_id in enumerate(map.grid.ids):
        raised = [kind for kind, mark in built if mark >> index & 1]
        kinds[hex_id] = raised[-1] if raised else GROUND.get(map.terrains[index], "clear")
    return kinds


class Ground:
    """The drawing of one frame of a map in one palette."""

    def __init__(self, map: Map, frame: Frame, look: Palette) -> None:
        self.map, self.frame, self.look = map, frame, look
        self.kinds = kinds_of(map)

    @cached_property
    def centers(self) -> dict[str, Point]:
        """The hexes of the frame that are on the map, and where their centres lie."""
        every = ((hex_id, self.frame.at(self.map.grid.center(hex_id))) for hex_id in self.map.grid.ids)
        return {
            hex_id: at
            for hex_id, at in every
            if self.kinds[hex_id] != "outside" and self.frame.shows(at, self.frame.size)
        }

    def word(self, kind: str) -> str:
        """What the map itself calls a kind of ground."""
        if kind == "sea":
            return "sea"
        return next((word for word in self.map.marks if GROUND.get(word) == kind), kind)

    def shows_side(self, kind: str) -> bool:
        """Whether a kind of hexside occurs in the frame."""
        return any(self._ends(key) for key in self.map.sides.get(kind, ()))

    def special_kinds(self) -> dict[str, str]:
        """The kinds of hexside in the frame that only this game knows, and the dashes of each."""
        kinds = [kind for kind in self.map.sides if kind not in WATER]
        dashes = {kind: _DASHES[order % len(_DASHES)] for order, kind in enumerate(kinds)}
        return {kind: dash for kind, dash in dashes.items() if self.shows_side(kind)}

    def svg(self) -> str:
        """The whole drawing, from the paper up."""
        frame, look = self.frame, self.look
        drawn = "".join([
            f'<rect width="{frame.width}" height="{frame.height}" fill="{look.paper}"/>',
            self.terrain(), self.coast(), self.rivers(), self.special(), self.roads(),
            "" if self.sparse else self.bridges(), self.forts(),
        ])  # fmt: skip
        if frame.kind != "full":
            cover = self.cover() if frame.kind == "close" else ""
            return f'<g shape-rendering="crispEdges">{drawn}{cover}</g>'
        return drawn if self.small else drawn + self.numbers()

    def cover(self) -> str:
        """Paper over the hexes that a close-up cannot show with all that may stand on them."""
        cut = [hex_id for hex_id, at in self.centers.items() if not self.frame.holds(at)]
        return f'<path d="{self._hexes(cut)}" fill="{self.look.paper}" stroke="{self.look.paper}"/>'

    @property
    def small(self) -> bool:
        """Whether hexes are too small for numbers, tufts and a grid: the drawing shows where things are."""
        return self.frame.size < SMALL

    @property
    def sparse(self) -> bool:
        """Whether small roads, small rivers and bridges are left out: they would fill a letter's picture."""
        return self.small and self.frame.kind == "overview"

    # --- hexes ---

    @cached_property
    def _outline(self) -> str:
        """The outline of a hex as relative steps from its first corner."""
        size = self.frame.size
        grid = self.map.grid
        corners = grid.corners(grid.ids[0])
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
        return "".join(f"l{number(dx * size)} {number(dy * size)}" for dx, dy in steps) + "z"

    @cached_property
    def _first_corner(self) -> Point:
        grid = self.map.grid
        (x, y), (cx, cy) = grid.center(grid.ids[0]), grid.corners(grid.ids[0])[0]
        return (cx - x) * self.frame.size, (cy - y) * self.frame.size

    def _hexes(self, hexes: Iterable[str]) -> str:
        dx, dy = self._first_corner
        points = (self.centers[hex_id] for hex_id in hexes)
        return "".join(f"M{number(x + dx)} {number(y + dy)}{self._outline}" for x, y in points)

    def terrain(self) -> str:
        """The hexes of each kind of ground, with its pattern, and the grid:
        faint, it must not be looked at."""
        outlines, fills, tufts, grid = [], [], [], []
        for kind, fill, tuft in self.look.terrain:
            hexes = [hex_id for hex_id in self.centers if self.kinds[hex_id] == kind]
            if not hexes:
                continue
            outlines.append(f'<path id="hexes-{kind}" d="{self._hexes(hexes)}"/>')
            fills.append(f'<use href="#hexes-{kind}" fill="{fill}"/>')
            grid.append(f'<use href="#hexes-{kind}"/>')
            if tuft and not self.small and self.frame.kind != "overview":
                outlines.append(pattern(kind, tuft, 2 if self.frame.kind == "close" else 1))
                tufts.append(f'<use href="#hexes-{kind}" fill="url(#tuft-{kind})"/>')
        if self.small:
            return f"<defs>{''.join(outlines)}</defs><g shape-rendering='crispEdges'>{''.join(fills)}</g>"
        width = 0.7 if self.frame.size < 24 else 1
        lines = f'<g fill="none" stroke="{self.look.grid}" stroke-width="{width}">{"".join(grid)}</g>'
        return f"<defs>{''.join(outlines)}</defs>{''.join(fills)}{''.join(tufts)}{lines}"

    def numbers(self) -> str:
        """The number of every hex at its upper edge.

        Digits are whole pixels wide and start on whole pixels: they are sharper so,
        and equal digits make equal pixels, which keeps the PNG small.
        """
        pitch = round(max(4.0, min(6.0, (0.21 * self.frame.size + 2.6) * DIGIT)))
        size = pitch / DIGIT
        lift = self.frame.size * (0.84 if self.map.grid.kind == "flat" else 0.66) - size * 0.8
        texts = "".join(
            f'<text x="{round(x) - 2 * pitch}" y="{round(y - lift)}">{hex_id}</text>'
            for hex_id, (x, y) in self.centers.items()
            if self.kinds[hex_id] != "sea" or self.frame.size > 20
        )
        return f'<g font-size="{size:.4f}" fill="{self.look.faint}">{texts}</g>'

    def forts(self) -> str:
        """A heavy rim around forts."""
        hexes = [hex_id for hex_id in self.centers if self.kinds[hex_id] == "fort"]
        if not hexes:
            return ""
        dash = number(self.frame.size * 0.25)
        return (
            f'<path d="{self._hexes(hexes)}" fill="none" stroke="{self.look.ink}" stroke-width="2" '
            f'stroke-dasharray="{dash} {dash}"/>'
        )

    # --- hexsides ---

    def _ends(self, key: str) -> tuple[Point, Point] | None:
        """The two ends of a hexside on the picture, None when it is not shown."""
        a, b = key.split("-")
        if a not in self.centers and b not in self.centers:
            return None
        one, other = self.map.grid.side_points(a, b)
        return self.frame.at(one), self.frame.at(other)

    def _sides(self, keys: Iterable[str]) -> str:
        found = (ends for key in keys if (ends := self._ends(key)))
        return "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in found)

    def coast(self) -> str:
        """The line between land and sea, and hexsides that are sea between two pieces of land."""
        grid, kinds = self.map.grid, self.kinds
        keys = [
            grid.hexside(hex_id, near)
            for hex_id in self.centers
            if kinds[hex_id] == "sea"
            for near in grid.neighbours(hex_id)
            if kinds[near] not in ("sea", "outside")
        ]
        width = max(1.6, 0.075 * self.frame.size)
        drawn = along(self._sides(keys), self.look.coast, width)
        water = self._sides(self.map.sides.get("sea", ()))
        return (
            drawn
            + along(water, self.look.coast, width * 2.4)
            + along(water, self.look.ground("sea")[0], width * 1.5)
        )

    def rivers(self) -> str:
        """Rivers, major ones darker and wider, flooded hexsides dotted."""
        sides, look, unit = self.map.sides, self.look, self.frame.size / 24
        minor = "" if self.sparse else self._sides(sides.get("river_minor", ()))
        major = self._sides(sides.get("river_major", ()))
        flooded = self._sides(sides.get("flooded", ()))
        width = max(1.6, 2.6 * unit)
        return (
            along(minor, look.river, width)
            + along(major, look.major, width * 1.6)
            + along(flooded, look.flooded, width * 2.6, f' stroke-dasharray="0.1 {number(width * 2.4)}"')
        )

    def special(self) -> str:
        """Hexsides that only one game knows (front lines, crests): dashed, in a casing that parts them
        from a river below."""
        width = max(1.6, 0.075 * self.frame.size)
        paths = [(self._sides(self.map.sides[kind]), dashes) for kind, dashes in self.special_kinds().items()]
        under = "".join(along(path, self.look.casing, width + 1.6) for path, _ in paths)
        over = (along(path, self.look.special, width, f' stroke-dasharray="{dash}"') for path, dash in paths)
        return under + "".join(over)

    def roads(self) -> str:
        """Roads from centre to centre, in a pale casing."""
        width = max(1.3, 0.062 * self.frame.size)
        few = self.sparse and "main" in self.map.roads
        drawn = {"main": self.map.roads["main"]} if few else self.map.roads
        paths = {kind: self._links(keys) for kind, keys in drawn.items()}
        cased = () if self.frame.kind == "overview" else paths.values()
        under = "".join(along(path, self.look.casing, width + 2) for path in cased)
        over = (
            along(path, self.look.road, width if kind == "main" else width * 0.6)
            for kind, path in paths.items()
        )
        return under + "".join(over)

    def _links(self, keys: Iterable[str]) -> str:
        drawn = []
        for key in keys:
            a, b = key.split("-")
            if a in self.centers or b in self.centers:
                (ax, ay), (bx, by) = (self.frame.at(self.map.grid.center(end)) for end in (a, b))
                drawn.append(f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}")
        return "".join(drawn)

    def bridges(self) -> str:
        """Two bars along the way across each bridged hexside."""
        size, drawn = self.frame.size, []
        for kind in BRIDGES:
            for key in self.map.sides.get(kind, ()):
                if ends := self._ends(key):
                    (ax, ay), (bx, by) = ends
                    mx, my = (ax + bx) / 2, (ay + by) / 2
                    ux, uy = (bx - ax) * 0.15, (by - ay) * 0.15
                    nx, ny = -uy * 1.9, ux * 1.9
                    for sign in (1, -1):
                        x, y = mx + sign * ux, my + sign * uy
                        drawn.append(f"M{number(x - nx)} {number(y - ny)}L{number(x + nx)} {number(y + ny)}")
        return along("".join(drawn), self.look.bridge, max(1.3, 0.06 * size))


def pattern(kind: str, colour: str, apart: int = 1) -> str:
    """The tufts, trees, waves of a kind of ground as an SVG pattern called ``tuft-<kind>``; `apart` says how
    many times as far from each other as usual."""
    width, height, path = _PATTERNS[kind]
    width, height = width * apart, height * apart
    solid = kind in _SOLID
    paint = f'fill="{colour}"' if solid else f'fill="none" stroke="{colour}"'
    return (
        f'<pattern id="tuft-{kind}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f'<path d="{path}" {paint}/></pattern>'
    )


def swatch(kind: str, look: Palette) -> str:
    """A sample of a kind of ground, for the legend: 20 by 14, four pixels down."""
    fill, tuft = look.ground(kind)
    tufts = ""
    if tuft:
        path = _PATTERNS[kind][2].split("M16 16")[0]
        paint = f'fill="{tuft}"' if kind in _SOLID else f'fill="none" stroke="{tuft}"'
        tufts = (
            f'<path d="{path}"'
            f' transform="translate({1 if kind != "sea" else 2} {5 if kind != "sea" else 4})" {paint}/>'
        )
    rim = f'stroke="{look.ink}" stroke-dasharray="4 4"' if kind == "fort" else f'stroke="{look.grid}"'
    return f'<rect x=".5" y="4.5" width="19" height="13" fill="{fill}" {rim}/>{tufts}'


def along(path: str, colour: str, width: float, more: str = "") -> str:
    """A path drawn as a line with round ends, `more` being further attributes; "" for an empty path."""
    if not path:
        return ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
        f'stroke-linecap="round"{more}/>'
    )


@lru_cache(maxsize=64)
def sketch(map: Map, width: float, look: Palette) -> tuple[str, float, float]:
    """A small map of bare ground and great rivers, `width` pixels wide: (SVG, its scale, its height).

    Neighbours of one kind are joined to thick strokes, which keeps it small.
    """
    across, down = map.grid.extent
    scale = width / across
    kinds, grid = kinds_of(map), map.grid
    flat = grid.kind == "flat"
    lines: dict[str, list[list[Point]]] = {}
    before: dict[int, tuple[str, list[Point]]] = {}
    for hex_id in grid.ids if not flat else sorted(grid.ids, key=lambda h: grid.places[grid.index(h)]):
        place = grid.places[grid.index(hex_id)]
        line = place[0] if flat else place[1]
        kind = kinds[hex_id]
        x, y = grid.center(hex_id)
        kept = before.get(line)
        if kept and kept[0] == kind:
            kept[1][1] = (x, y)
        else:
            run = [(x, y), (x, y)]
            lines.setdefault(kind, []).append(run)
            before[line] = (kind, run)
    drawn = [f'<rect width="{number(width)}" height="{number(down * scale)}" fill="{look.paper}"/>']
    for kind, fill, _ in look.terrain:
        path = "".join(_run(run, 0.95, flat, scale) for run in lines.get(kind, []) if kind != "outside")
        if path:
            drawn.append(f'<path d="{path}" stroke="{fill}" stroke-width="{number(1.6 * scale)}"/>')
    rivers = ""
    for key in map.sides.get("river_major", ()):
        (ax, ay), (bx, by) = grid.side_points(*key.split("-"))
        rivers += f"M{number(ax * scale)} {number(ay * scale)}L{number(bx * scale)} {number(by * scale)}"
    return "".join(drawn) + along(rivers, look.major, 0.8), scale, down * scale


def _run(run: list[Point], half: float, flat: bool, scale: float) -> str:
    (ax, ay), (bx, by) = sorted(run)
    if flat:
        low, high = (min(ay, by) - half) * scale, (max(ay, by) + half) * scale
        return f"M{number(ax * scale)} {number(low)}V{number(high)}"
    return f"M{number((ax - half) * scale)} {number(ay * scale)}H{number((bx + half) * scale)}"
