"""The frame: which part of a map a picture shows, and how large.

Lengths on the map are hex sizes (centre to corner), as `Grid.center` gives them;
lengths on the picture are pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

from pbem.engine.board import Board
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
ACTION = (14.4, 6.4, 9.6)
"""The part of the map in which fights are shown large, in hex sizes: across, and least and most down."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the map, `left`, `top` on, drawn `width` by `height` pixels with hexes of `size` pixels."""

    left: float
    top: float
    size: float
    width: int
    height: int
    whole: bool

    def at(self, point: Point) -> Point:
        """Where a point of the map lies on the picture of it."""
        return (point[0] - self.left) * self.size, (point[1] - self.top) * self.size

    def shows(self, point: Point, slack: float = 0.0) -> bool:
        """Whether a point of the picture lies within the frame, or at most `slack` pixels outside."""
        return -slack <= point[0] <= self.width + slack and -slack <= point[1] <= self.height + slack


def frame_for(map: Map, width: int, focus: Iterable[str] = ()) -> Frame:
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
    return Frame(left, top, size, width, ceil((bottom - top) * size), shown)


def action_frame(map: Map, width: int, hexes: Iterable[str]) -> Frame:
    """The frame that shows these hexes large, each with its neighbours."""
    centers = [map.grid.center(hex_id) for hex_id in hexes]
    (west, east), (north, south) = _ends(x for x, _ in centers), _ends(y for _, y in centers)
    across, down = map.grid.extent
    size = min(LARGEST_HEX, width / ACTION[0])
    left, _ = _widened(west, east, width / size, across)
    top, bottom = _widened(north, south, min(ACTION[2], max(ACTION[1], south - north + MARGIN)), down)
    return Frame(left, top, size, width, round((bottom - top) * size), False)


def _ends(places: Iterable[float]) -> tuple[float, float]:
    known = list(places)
    return min(known), max(known)


def busiest(board: Board) -> tuple[str, ...]:
    """The hexes of as many fights as fit into one `action_frame`, the attackers' included; without a fight,
    those where most moves end, else where most units may enter. None if there is nothing of all that."""
    center = board.map.grid.center
    spots: list[tuple[str, ...]] = (
        [(each.hex, *each.attackers) for each in board.battles]
        or [each.path[-1:] for each in board.arrows]
        or [(hex_id,) for hex_id in board.entries]
    )

    def around(spot: tuple[str, ...]) -> list[tuple[str, ...]]:
        x, y = center(spot[0])
        away = [(abs(ax - x), abs(ay - y)) for ax, ay in (center(other[0]) for other in spots)]
        near = [dx < ACTION[0] / 2 - 1 and dy < ACTION[2] / 2 - 1 for dx, dy in away]
        return [other for other, fits in zip(spots, near, strict=True) if fits]

    most = max(map(around, spots), key=len, default=[])
    return tuple(dict.fromkeys(hex_id for spot in most for hex_id in spot))


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
