"""The frame: which part of a map a picture shows, and how large.

Lengths on the map are hex sizes (centre to corner), as `Grid.center` gives them;
lengths on the picture are pixels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from math import ceil, floor, hypot
from typing import Literal

from pbem.engine.board import Battle, Board
from pbem.engine.hexes import HALF, Point
from pbem.engine.map import Map

FrameName = Literal["focus", "whole", "overview", "action"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

LARGEST_HEX = 46.0
SMALLEST_HEX = 14.0
MARGIN = 2 * 1.75
TALLEST = 0.72
LEAST = (18 * 1.6, 14 * 1.7)
SNAP = 3.0
ACROSS = {"flat": 7.14, "pointy": 6.45}
"""How many hexes wide a close-up is: the name of a unit and the number of its hex are read on a phone so."""
USUAL = 600
"""The width of the pictures of a letter, in pixels: what fits into one does in a larger one."""
NEARBY = 4.4
"""How far from the hex that is fought over an attacker belongs into the picture, in hex sizes."""
ROUND_ABOUT: dict[Height, tuple[float, float]] = {
    "alone": (1.5, 2.7),
    "of two": (1.5, 2.7),
    "part": (0.9, 1.3),
}
"""What a close-up shows beside and above the hexes that matter, in hex sizes."""
Height = Literal["alone", "of two", "part"]
HIGHEST: dict[str, dict[Height, float]] = {
    "flat": {"alone": 11.4, "of two": 9.6, "part": 19.5},
    "pointy": {"alone": 12.0, "of two": 8.1, "part": 23.0},
}
"""How high a close-up is at most, in hex sizes: one alone, one of two, a part of the whole map; for the bytes
of a letter."""
ABOUT = 3
"""How many hexes around one a close-up of it is to show, if there is room."""
COUNTER_ROOM = (0.855, 0.84, 0.88)
"""What a counter takes of a hex, number and all, in hex sizes: to either side, above and below the centre."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the map, `left`, `top` on, drawn `width` by `height` pixels with hexes of `size` pixels."""

    left: float
    top: float
    size: float
    width: int
    height: int
    whole: bool
    kind: Literal["full", "overview", "close"] = "full"
    """An overview and a close-up are drawn in flat colours without smooth edges, which makes small files, and
    without the numbers of all hexes. A close-up shows whole hexes only."""

    def at(self, point: Point) -> Point:
        """Where a point of the map lies on the picture of it."""
        return (point[0] - self.left) * self.size, (point[1] - self.top) * self.size

    def holds(self, point: Point) -> bool:
        """Whether a counter at this point of the picture lies wholly within the frame."""
        beside, above, below = (room * self.size - 1 for room in COUNTER_ROOM)
        return beside <= point[0] <= self.width - beside and above <= point[1] <= self.height - below

    def shows(self, point: Point, slack: float = 0.0) -> bool:
        """Whether a point of the picture lies within the frame, or at most `slack` pixels outside."""
        return -slack <= point[0] <= self.width + slack and -slack <= point[1] <= self.height + slack


def frame_for(
    map: Map, width: int, focus: Iterable[str] = (), kind: Literal["full", "overview"] = "full"
) -> Frame:
    """The frame around the hexes of `focus` with two hexes to spare, or of the whole map
    if there are none."""
    hexes = tuple(dict.fromkeys(focus))
    left, top, right, bottom = _around(map, hexes) if hexes else (0.0, 0.0, *map.grid.extent)
    size = min(width / (right - left), LARGEST_HEX, max(SMALLEST_HEX, TALLEST * width / (bottom - top)))
    # The pattern of the grid comes back after a whole number of pixels: that packs well.
    period = 3.0 if map.grid.kind == "flat" else 2 * HALF
    size = floor(size * period) / period
    left, right = _widened(left, right, width / size, map.grid.extent[0])
    shown = right - left >= map.grid.extent[0] and bottom - top >= map.grid.extent[1] - 0.01
    return Frame(left, top, size, width, ceil((bottom - top) * size), shown, kind)


def in_play(board: Board) -> tuple[str, ...]:
    """The hexes of a board where anything stands, may enter, is fought for or is marked. Marks for who holds
    a place and for supply do not count: they stand all over the map, even where a scenario is not played."""
    hexes = [counter.hex for counter in board.counters]
    hexes += [*board.entries, *board.focus]
    hexes += [mark.hex for mark in board.marks if mark.kind not in ("supply", "control")]
    hexes += [battle.hex for battle in board.battles]
    return tuple(dict.fromkeys(hexes))


# --- close-ups ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the map that a close-up shows: the hexes that matter there and the fights in it."""

    hexes: tuple[str, ...]
    battles: tuple[Battle, ...] = ()
    caption: str | None = None
    """What its picture is called: None for what happened there, "" for where it lies."""
    height: Height | None = None
    """How high its picture may be; None for what suits the number of areas."""

    def among(self, areas: int) -> Height:
        """How high its picture may be if there are this many areas."""
        return self.height or ("alone" if areas == 1 else "of two")


def close_size(map: Map, width: int) -> float:
    """The size of a hex in a close-up; the pattern of the grid comes back after whole pixels."""
    step = 1.5 if map.grid.kind == "flat" else 2 * HALF
    return round(width / ACROSS[map.grid.kind]) / step


def action_frame(map: Map, width: int, hexes: Iterable[str], height: Height = "alone") -> Frame:
    """The close-up of these hexes with their neighbours, as high as one of this kind may be."""
    centers = [map.grid.center(hex_id) for hex_id in hexes]
    (west, east), (north, south) = _ends(x for x, _ in centers), _ends(y for _, y in centers)
    across, down = map.grid.extent
    size = close_size(map, width)
    step, row, at_edge = (1.5, HALF, 1.0) if map.grid.kind == "flat" else (HALF, 1.5, HALF)
    left, right = _widened(west, east, width / size, across)
    if right - left < across:
        # On whole columns, so that pieces and ground come back in the next picture, and as many as there is
        # room for, with the same to spare on either side.
        columns, spare = divmod(width / size - 2 * COUNTER_ROOM[0], step)
        start = at_edge - COUNTER_ROOM[0] - spare / 2
        last = round((across - 2 * at_edge) / step) - columns
        left = start + step * min(max(0, round((left - start) / step)), last)
    wanted = min(HIGHEST[map.grid.kind][height], south - north + 2 * ROUND_ABOUT[height][1])
    top, bottom = _widened(north, south, min(wanted, down), down)
    # From the upper edge of one row of hexes to the lower edge of another.
    first, edge = (HALF, HALF) if map.grid.kind == "flat" else (1.0, 1.0)
    edge = max(edge, COUNTER_ROOM[2])
    upper = ceil((top + COUNTER_ROOM[1] - first) / row - 0.01)
    lower = floor((bottom - COUNTER_ROOM[2] - first) / row + 0.05)  # the last row of a map has room enough
    top, bottom = first + upper * row - edge, first + lower * row + edge
    return Frame(left, top, size, width, round((bottom - top) * size), False, "close")


def _ends(places: Iterable[float]) -> tuple[float, float]:
    known = list(places)
    return min(known), max(known)


def busiest(board: Board, most: int = 2) -> tuple[Area, ...]:
    """The areas to show in close-ups, at most `most`, each with as many fights as fit into one: first that
    with the most fights and losses. Without a fight it is one area, that where most moves end, else where
    most units may enter. None if there is nothing of all that."""
    center = board.map.grid.center

    def near(battle: Battle) -> tuple[str, ...]:
        x, y = center(battle.hex)
        away = ((hex_id, *center(hex_id)) for hex_id in battle.attackers)
        return (battle.hex, *(hex_id for hex_id, ax, ay in away if hypot(ax - x, ay - y) < NEARBY))

    lost: dict[str, int] = {}
    for mark in board.marks:
        if mark.kind == "lost":
            lost[mark.hex] = lost.get(mark.hex, 0) + (int(mark.text) if mark.text.isdigit() else 1)
    spots = {near(each): 1 + min(4, lost.get(each.hex, 0)) for each in board.battles}
    fought = bool(spots)
    if not fought:
        for hex_id in [each.path[-1] for each in board.arrows] or board.entries:
            spots[(hex_id,)] = spots.get((hex_id,), 0) + 1
    if not fought:
        most = 1
    areas: list[Area] = []
    while spots and len(areas) < most:
        height: Height = "alone" if most == 1 else "of two"
        found = _fullest(board.map, spots, height)
        shown = tuple(dict.fromkeys(hex_id for spot in found for hex_id in spot))
        frame = action_frame(board.map, USUAL, shown, height)
        seen = tuple(each for each in board.battles if frame.holds(frame.at(center(each.hex))))
        areas.append(Area(shown, seen))
        gone = {*found, *map(near, seen)}
        spots = {spot: weight for spot, weight in spots.items() if spot not in gone}
    return tuple(areas) if len(areas) == most else busiest(board, len(areas)) if areas else ()


def parts(board: Board, own: Collection[str] = ()) -> tuple[Area, ...]:
    """The areas whose close-ups show every counter of the board. First comes the one with the most units of
    its reader, whose ids are `own`, and the most others besides."""
    center = board.map.grid.center
    weights: dict[str, int] = {}
    for counter in board.counters:
        weights[counter.hex] = weights.get(counter.hex, 0) + (1000 if counter.unit in own else 1)
    areas = []
    left = dict(weights)
    while left:
        found = _fullest(board.map, {(hex_id,): weight for hex_id, weight in left.items()}, "part")
        spots = [hex_id for (hex_id,) in found]
        frame = action_frame(board.map, USUAL, spots, "part")
        seen = [hex_id for hex_id in left if frame.holds(frame.at(center(hex_id)))]
        battles = tuple(each for each in board.battles if frame.holds(frame.at(center(each.hex))))
        areas.append(Area(tuple(spots), battles, "", "part"))
        done = seen or spots  # the frame keeps to whole rows, so it may leave out a spot of its own
        left = {hex_id: weight for hex_id, weight in left.items() if hex_id not in done}
    return tuple(areas)


def around(board: Board, hex_id: str, caption: str = "") -> Area:
    """The area that fills a close-up with a hex in the middle of it. Raises ValueError for a hex that the map
    does not have."""
    if hex_id not in board.map:
        raise ValueError(f"there is no hex {hex_id} on the map")
    ring = near = {hex_id: None}
    for _ in range(ABOUT):
        ring = {other: None for each in ring for other in board.map.neighbours(each) if other not in near}
        near = near | ring
    area = Area(tuple(near), (), caption, "alone")
    return replace(area, battles=tuple(each for each in board.battles if each.hex in shown_in(board, area)))


def shown_in(board: Board, area: Area) -> tuple[str, ...]:
    """The hexes that the close-up of an area shows whole, in the order of the map."""
    frame = action_frame(board.map, USUAL, area.hexes, area.among(1))
    grid = board.map.grid
    return tuple(each for each in grid.ids if each in board.map and frame.holds(frame.at(grid.center(each))))


def _fullest(map: Map, spots: dict[tuple[str, ...], int], height: Height) -> list[tuple[str, ...]]:
    """Of these spots those that weigh most together and fit into one close-up. Each spot in turn is the seed
    to which the next nearest ones are added while there is room."""
    size = close_size(map, USUAL)
    beside, above = ROUND_ABOUT[height]
    wide = USUAL / size - 2 * beside
    high = HIGHEST[map.grid.kind][height] - 2 * above
    boxes = {}
    for spot in spots:
        centers = [map.grid.center(hex_id) for hex_id in spot]
        (west, east), (north, south) = _ends(x for x, _ in centers), _ends(y for _, y in centers)
        boxes[spot] = (west, north, east, south)
    best: list[tuple[str, ...]] = []
    heaviest = 0
    for seed, (left, top, right, bottom) in boxes.items():
        x, y = (left + right) / 2, (top + bottom) / 2
        reached = [
            (abs((box[0] + box[2]) / 2 - x) + abs((box[1] + box[3]) / 2 - y), order, spot, box)
            for order, (spot, box) in enumerate(boxes.items())
            if spot != seed and abs(box[0] - x) < wide and abs(box[1] - y) < high
        ]
        taken = [seed]
        for _, _, spot, box in sorted(reached):
            joined = (min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3]))
            if joined[2] - joined[0] <= wide and joined[3] - joined[1] <= high:
                left, top, right, bottom = joined
                taken.append(spot)
        weight = sum(spots[spot] for spot in taken)
        if weight > heaviest:
            best, heaviest = taken, weight
    return best


def _around(map: Map, hexes: tuple[str, ...]) -> Box:
    centers = [map.grid.center(hex_id) for hex_id in hexes]
    across, down = map.grid.extent
    left, right = _span([x for x, _ in centers], LEAST[0], across)
    top, bottom = _span([y for _, y in centers], LEAST[1], down)
    return left, top, right, bottom


def _span(places: list[float], least: float, most: float) -> tuple[float, float]:
    """A stretch around `places`, on whole steps so that focuses close to each other share one drawing."""
    low, high = min(places) - MARGIN, max(places) + MARGIN
    spare = max(0.0, least - (high - low)) / 2
    low, high = SNAP * floor((low - spare) / SNAP), SNAP * ceil((high + spare) / SNAP)
    if high - low >= most:
        return 0.0, most
    shift = max(0.0, -low) - max(0.0, high - most)
    return low + shift, high + shift


def _widened(low: float, high: float, wanted: float, most: float) -> tuple[float, float]:
    """The stretch made `wanted` long, kept on the map if it fits there, else with the map in its middle."""
    if wanted >= most:
        return (most - wanted) / 2, (most + wanted) / 2
    low -= (wanted - (high - low)) / 2
    low = min(max(0.0, low), most - wanted)
    return low, low + wanted
