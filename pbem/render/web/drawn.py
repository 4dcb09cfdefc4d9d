"""The map and the counters of a page, as SVG in colours that are CSS variables: one drawing serves light and
dark. Lengths are map units, `SIZE` from the centre of a hex to its corner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from html import escape
from itertools import pairwise
from math import ceil

from pbem.engine.board import Counter
from pbem.engine.hexes import Point
from pbem.engine.map import Map
from pbem.render.frame import Frame
from pbem.render.ground import Ground, along, kinds_of, pattern
from pbem.render.lettering import number
from pbem.render.palette import DARK, FACES, PAPER, Palette, face
from pbem.render.pieces import SIZE_MARKS, symbols

SIZE = 20.0

Line = tuple[Point, ...]

_COLOURS = tuple(
    each.name for each in fields(Palette) if each.name not in ("name", "terrain") and "bar" not in each.name
)
VARIABLES = replace(
    PAPER,
    **{name: f"var(--m-{name})" for name in _COLOURS},  # type: ignore[arg-type]
    terrain=tuple((kind, f"var(--t-{kind})", tuft and f"var(--p-{kind})") for kind, _, tuft in PAPER.terrain),
)
"""A palette that names each colour instead of saying which it is."""


def colours(look: Palette) -> str:
    """The CSS variables of a palette."""
    told = [f"--m-{name}:{getattr(look, name)}" for name in _COLOURS]
    for kind, fill, tuft in look.terrain:
        told += [f"--t-{kind}:{fill}", *([f"--p-{kind}:{tuft}"] if tuft else [])]
    told += [f"--s-{key}:{face(key, look).arrow}" for key in FACES]
    return ";".join(told)


def colour_of(side: str) -> str:
    """The CSS variable with the colour of a side, by its key of the palette."""
    return f"var(--s-{side if side in FACES else 'neutral'})"


def light() -> str:
    """The colours of the map by day."""
    return colours(PAPER)


def dark() -> str:
    """The colours of the map in the dark."""
    return colours(DARK)


def extent(map: Map) -> tuple[int, int]:
    """Width and height of the drawing of a map."""
    across, down = map.grid.extent
    return ceil(across * SIZE), ceil(down * SIZE)


def center(map: Map, hex: str) -> Point:
    """Where the centre of a hex lies."""
    x, y = map.grid.center(hex)
    return x * SIZE, y * SIZE


# --- the ground -------------------------------------------------------------------------------------------


def ground(map: Map) -> tuple[str, str]:
    """The definitions and the drawing of all that does not change: areas of one terrain joined, rivers and
    roads as long lines."""
    width, height = extent(map)
    drawn = Ground(map, Frame(0, 0, SIZE, width, height, True), VARIABLES)
    kinds = kinds_of(map)
    defs, body, tufts = [], [], []
    for kind, fill, tuft in VARIABLES.terrain:
        hexes = {hex for hex in map.grid.ids if kinds[hex] == kind}
        if not hexes or kind == "outside":
            continue
        path = _area(map, hexes)
        body.append(f'<path id="t-{kind}" d="{path}" fill="{fill}" fill-rule="evenodd"/>')
        if tuft:
            defs.append(pattern(kind, tuft))
            tufts.append(f'<use href="#t-{kind}" style="fill:url(#tuft-{kind})" class="tuft"/>')
    land = _area(map, {hex for hex in map.grid.ids if kinds[hex] != "outside"})
    defs.append(_grid_pattern(map))
    sides = map.sides
    body += tufts
    body.append(f'<path d="{land}" fill="url(#grid)" fill-rule="evenodd" class="grid"/>')
    body.append(drawn.coast())
    body.append(_stroke(_ways(map, sides.get("river_minor", ()), _side), VARIABLES.river, 2.2))
    body.append(_stroke(_ways(map, sides.get("river_major", ()), _side), VARIABLES.major, 4.2))
    flooded = _ways(map, sides.get("flooded", ()), _side)
    body.append(_stroke(flooded, VARIABLES.flooded, 5, ' stroke-dasharray="0.1 6"'))
    body.append(drawn.special())
    roads = {kind: _ways(map, keys, _link) for kind, keys in map.roads.items()}
    defs += [f'<path id="r-{kind}" d="{path}"/>' for kind, path in roads.items()]
    body += [_used(kind, VARIABLES.casing, 3.6 if kind == "main" else 2.6) for kind in roads]
    body += [_used(kind, VARIABLES.road, 1.7 if kind == "main" else 1) for kind in roads]
    body += [drawn.bridges(), drawn.forts()]
    return "".join(defs), "".join(body)


def names(map: Map) -> str:
    """The names of cities and places."""
    told = []
    cities = {text: hexes[0] for text, hexes in map.cities.items()}
    for text, hex in {**map.places, **cities}.items():
        x, y = center(map, hex)
        big = ' class="c"' if text in cities else ""
        told.append(f'<text{big} x="{number(x)}" y="{number(y + SIZE * 1.08)}">{escape(text)}</text>')
    return "".join(told)


def _stroke(path: str, colour: str, width: float, more: str = "") -> str:
    return along(path, colour, width, f' stroke-linejoin="round"{more}')


def _used(road: str, colour: str, width: float) -> str:
    """Roads of a kind, whose path is defined once, in a colour."""
    return (
        f'<use href="#r-{road}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _area(map: Map, hexes: set[str]) -> str:
    """The outline of an area of hexes."""
    edges: dict[frozenset[Point], tuple[Point, Point]] = {}
    for hex in hexes:
        corners = [_near(point) for point in map.grid.corners(hex)]
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            key = frozenset((a, b))
            if edges.pop(key, None) is None:
                edges[key] = (a, b)
    return "".join(_straight(line) for line in chains(edges.values()))


def _near(point: Point) -> Point:
    """A corner, the same for all hexes that share it."""
    return round(point[0], 3), round(point[1], 3)


def _side(map: Map, key: str) -> tuple[Point, Point]:
    a, b = map.grid.side_points(*key.split("-"))
    return _near(a), _near(b)


def _link(map: Map, key: str) -> tuple[Point, Point]:
    a, b = (map.grid.center(end) for end in key.split("-"))
    return _near(a), _near(b)


def _ways(map: Map, keys: Iterable[str], ends: Callable[[Map, str], tuple[Point, Point]]) -> str:
    return "".join(_rounded(line) for line in chains(ends(map, key) for key in keys))


def chains(segments: Iterable[tuple[Point, Point]]) -> Iterator[Line]:
    """Segments as lines that are as long as possible: each ends where not exactly two meet."""
    near: dict[Point, list[Point]] = defaultdict(list)
    for a, b in segments:
        if b not in near[a]:
            near[a].append(b)
            near[b].append(a)
    left = {(a, b) for a, others in near.items() for b in others}
    ends = [point for point in near if len(near[point]) != 2]
    for start in (*ends, *near):
        for following in near[start]:
            if (start, following) in left:
                yield _walk(start, following, near, left)


def _walk(a: Point, b: Point, near: dict[Point, list[Point]], left: set[tuple[Point, Point]]) -> Line:
    line = [a, b]
    left -= {(a, b), (b, a)}
    while len(near[line[-1]]) == 2:
        on = next((point for point in near[line[-1]] if (line[-1], point) in left), None)
        if on is None:
            break
        left -= {(line[-1], on), (on, line[-1])}
        line.append(on)
    return tuple(line)


def _at(point: Point) -> Point:
    """A corner in map units, as a path has it."""
    return round(point[0] * SIZE, 1), round(point[1] * SIZE, 1)


def _steps(points: Sequence[Point]) -> str:
    """The way from the first of these points to each of the others, as a path has it."""
    x, y = points[0]
    told = ""
    for to_x, to_y in points[1:]:
        dx, dy = number(to_x - x), number(to_y - y)
        told += f"{'' if dx[0] == '-' or not told else ' '}{dx}{'' if dy[0] == '-' else ' '}{dy}"
    return told


def _begin(point: Point) -> str:
    return f"M{number(point[0])} {number(point[1])}"


def _straight(line: Line) -> str:
    closed = line[0] == line[-1]
    points = [_at(point) for point in (line[:-1] if closed else line)]
    steps = " ".join(_steps(leg) for leg in pairwise(points)).replace(" -", "-")
    return _begin(points[0]) + (f"l{steps}" if steps else "") + ("z" if closed else "")


def _rounded(line: Line) -> str:
    """A curve through the middles of the legs: a river and no wiring."""
    if len(line) < 3:
        return _straight(line)
    middles = [_at(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in pairwise(line)]
    path = f"{_begin(_at(line[0]))}l{_steps((_at(line[0]), middles[0]))}q"
    corners = zip(middles, line[1:-1], middles[1:], strict=False)
    path += " ".join(_steps((before, _at(corner), after)) for before, corner, after in corners)
    return path.replace(" -", "-") + f"l{_steps((middles[-1], _at(line[-1])))}"


def _grid_pattern(map: Map) -> str:
    """The hex grid as a pattern: one hex and its neighbours, again and again."""
    half = 3**0.5
    wide, high = (3.0, half) if map.grid.kind == "flat" else (half, 3.0)
    first = map.grid.ids[0]
    (x, y), corners = map.grid.center(first), map.grid.corners(first)
    outline = [(px - x, py - y) for px, py in corners]
    path = ""
    for dx, dy in ((0.5, 0.5), (0, 0), (1, 0), (0, 1), (1, 1)):
        points = [((px + dx * wide) * SIZE, (py + dy * high) * SIZE) for px, py in outline]
        path += "M" + "L".join(f"{px:.2f} {py:.2f}" for px, py in points) + "z"
    left, top = ((x - wide / 2) * SIZE) % (wide * SIZE), ((y - high / 2) * SIZE) % (high * SIZE)
    return (
        f'<pattern id="grid" width="{wide * SIZE:.4f}" height="{high * SIZE:.4f}" x="{left:.3f}" '
        f'y="{top:.3f}" patternUnits="userSpaceOnUse"><path d="{path}" fill="none" '
        f'stroke="{VARIABLES.grid}" stroke-width=".8"/></pattern>'
    )


# --- counters ---------------------------------------------------------------------------------------------


def counters(looks: Mapping[Counter, int]) -> str:
    """The definitions of counter faces, `k` and the number of each: 40 by 40 around the origin, in two
    degrees, with figures and symbol, and with the name for those who look closely."""
    parts: dict[str, str] = {}
    faces = "".join(_counter(look, at, parts) for look, at in looks.items())
    shared = "".join(f'<g id="{id}">{drawing}</g>' for drawing, id in parts.items())
    return icons(list(looks)) + shared + faces


def _counter(look: Counter, at: int, parts: dict[str, str]) -> str:
    """A face; what it has in common with others is drawn once, in `parts` with its id."""
    side = FACES.get(look.colours, FACES["neutral"])
    key = look.colours if look.colours in FACES else "neutral"
    plate = f'<rect x="-20" y="-20" width="40" height="40" rx="4" class="pl f-{key}"/>'
    plate += '<path class="st" d="M-17.5-18v36"/>' if side.stripe else ""
    dx = 1.5 if side.stripe else 0
    inner = _back(dx) if look.hidden else _front(look, key, dx, parts)
    if look.entrenched:
        inner += _shared('<path class="dig" d="M-19 23v-6h7v6h7v-6h8v6h7v-6h8v6"/>', parts)
    return f'<g id="k{at}" class="{"k" if side.stripe else "l"}">{_shared(plate, parts)}{inner}</g>'


def _shared(drawing: str, parts: dict[str, str]) -> str:
    return f'<use href="#{parts.setdefault(drawing, f"c{len(parts)}")}"/>'


def _front(look: Counter, key: str, dx: float, parts: dict[str, str]) -> str:
    small = max(6.0, min(16.5, 58 / max(1, len(look.figures))))
    if look.symbol == "none":
        middle = close = _text("fg", dx, 6, small, look.figures)
    else:
        middle = _shared(_icon(look, key, dx, -16, 27, 17), parts) + _text(
            "fg", dx, 16.5, small, look.figures
        )
        size = f'<text x="{dx}" y="-6.2" class="sz">{SIZE_MARKS.get(look.size, "")}</text>'
        close = _shared(size + _icon(look, key, dx, -5, 21, 12.5), parts)
        close += _text("fg", dx, 18, min(11.5, small), look.figures)
    name = _text("na", dx, -12.6, max(3.6, min(7.4, 62 / max(1, len(look.name)))), look.name)
    corner = '<path class="rd" d="M-20 8V16a4 4 0 0 0 4 4H-8z"/>' if look.inverted else ""
    return f'<g class="mid">{middle}</g><g class="near">{name}{close}</g>{corner}'


def _text(kind: str, x: float, y: float, size: float, words: str) -> str:
    across = f' x="{number(x)}"' if x else ""
    return f'<text{across} y="{number(y)}" class="{kind}" font-size="{number(size)}">{escape(words)}</text>'


def _icon(look: Counter, key: str, dx: float, top: float, wide: float, high: float) -> str:
    where = f'x="{number(dx - wide / 2)}" y="{number(top)}" width="{number(wide)}" height="{number(high)}"'
    return f'<rect class="fr g-{key}" {where}/><use href="#{look.symbol}" {where} class="sy"/>'


def _back(dx: float) -> str:
    return _text("fg", dx, 9, 26, "?")


def faces(keys: Iterable[str]) -> str:
    """The CSS of the counters of these sides."""
    told = []
    for key in sorted({key if key in FACES else "neutral" for key in keys}):
        told.append(f".f-{key}{{fill:{FACES[key].face}}}.g-{key}{{fill:{FACES[key].frame}}}")
    return "".join(told)


def icons(looks: Sequence[Counter]) -> str:
    """The definitions of the symbols that these counters show."""
    return "".join(symbols()[name] for name in sorted({each.symbol for each in looks} - {"none"}))
