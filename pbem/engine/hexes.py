"""Hex grids: printed numbers, directions, distances, and sets of hexes as integers.

People name a hex by its printed number, "2214". Inside, the hexes of the numbered rectangle are counted row
by row, 0 to n - 1, and a set of hexes is an integer whose bit i stands for hex i, so that a zone of control
or a supply area is a handful of shifts.

Numbers may grow towards either side of the sheet. All geometry is done on the picture, north up: `x` counts
to the east and `y` to the south, both in half hexes where the grid is staggered, so that neighbouring hexes
differ by (0, 2) or (1, 1) on a flat-topped grid and by (2, 0) or (1, 1) on a pointed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin, sqrt
from typing import Literal

EVERYWHERE = -1
"""The set of all hexes of any grid: an integer whose every bit is set."""

FLAT = {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)}
POINTY = {"NE": (1, -1), "E": (2, 0), "SE": (1, 1), "SW": (-1, 1), "W": (-2, 0), "NW": (-1, -1)}

FEW = 10
"""List at most this many hexes one by one and write out larger sets as a whole: each is faster there."""

HALF = sqrt(3) / 2
"""Half the width of a hex, across the flats, when its size (centre to corner) is 1."""

Point = tuple[float, float]


def bits(indices: Iterable[int]) -> int:
    """The set of the hexes with these indices."""
    total = 0
    for index in indices:
        total |= 1 << index
    return total


def indices(bitset: int) -> Iterator[int]:
    """The indices in a set, ascending. Raises ValueError for a set without an end, such as EVERYWHERE."""
    if bitset < 0:
        raise ValueError("a set without an end cannot be listed; cut it down to the hexes of a grid first")
    if bitset.bit_count() <= FEW:
        while bitset:
            lowest = bitset & -bitset
            yield lowest.bit_length() - 1
            bitset ^= lowest
        return
    digits = f"{bitset:b}"[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def side_key(a: str, b: str) -> str:
    """The one name of the hexside between two hexes, whichever is named first: the lower number leads."""
    return f"{a}-{b}" if a < b else f"{b}-{a}"


def flood(spread: Callable[[int], int], start: int, passable: int, steps: int | None = None) -> int:
    """The set `start` and all that can be reached from it through `passable`, in at most `steps` steps.

    `spread` gives the neighbours of a set. The hexes of `start` count whether they are passable or not.
    """
    reached = frontier = start
    while frontier and steps != 0:
        frontier = spread(frontier) & passable & ~reached
        reached |= frontier
        if steps is not None:
            steps -= 1
    return reached


@dataclass(frozen=True)
class Grid:
    """How the hexes of a map are numbered and which of them touch.

    `order` says whether the column or the row comes first in a number; `kind` whether the hexes have a flat
    top (straight columns) or a pointed one (straight rows). The columns (flat) or rows (pointy) of
    `shifted_parity` lie half a hex further on, in the direction in which the numbers along them grow.
    `cols` and `rows` are the lowest and the highest number. Raises ValueError for an impossible grid.
    """

    order: Literal["CCRR", "RRCC"]
    kind: Literal["flat", "pointy"]
    shifted_parity: Literal["odd", "even"]
    col_grows: Literal["E", "W"]
    row_grows: Literal["N", "S"]
    cols: tuple[int, int]
    rows: tuple[int, int]

    def __post_init__(self) -> None:
        for what, (low, high) in (("cols", self.cols), ("rows", self.rows)):
            if not 0 <= low <= high <= 99:
                raise ValueError(
                    f"{what} must run from a lower to a higher number within 0 to 99, not {low} to {high}"
                )

    # --- numbers and indices ---

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return self.cols[1] - self.cols[0] + 1

    @cached_property
    def height(self) -> int:
        """The number of rows."""
        return self.rows[1] - self.rows[0] + 1

    def __len__(self) -> int:
        return self.width * self.height

    @cached_property
    def all(self) -> int:
        """The set of all hexes."""
        return (1 << len(self)) - 1

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The printed number of every hex, by index."""
        return tuple(self._printed(*self.col_row(index)) for index in range(len(self)))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {hex_id: index for index, hex_id in enumerate(self.ids)}

    def __contains__(self, hex_id: object) -> bool:
        return hex_id in self._index

    def index(self, hex_id: str) -> int:
        """The index of a printed number. Raises ValueError when the grid has no such hex."""
        try:
            return self._index[hex_id]
        except KeyError:
            raise ValueError(f"there is no hex {hex_id}: {self.bounds}") from None

    @property
    def bounds(self) -> str:
        """In words, which numbers there are."""
        (west, east), (low, high) = self.cols, self.rows
        order = "column then row" if self.order == "CCRR" else "row then column"
        return f"columns run from {west:02} to {east:02} and rows from {low:02} to {high:02}, {order}"

    def col_row(self, index: int) -> tuple[int, int]:
        """The column and row numbers of a hex."""
        row, col = divmod(index, self.width)
        return col + self.cols[0], row + self.rows[0]

    def bits(self, hex_ids: Iterable[str]) -> int:
        """The set of the hexes with these printed numbers."""
        return bits(map(self.index, hex_ids))

    def named(self, bitset: int) -> tuple[str, ...]:
        """The printed numbers of a set, by ascending index."""
        return tuple(self.ids[index] for index in indices(bitset & self.all))

    def _printed(self, col: int, row: int) -> str:
        return f"{col:02}{row:02}" if self.order == "CCRR" else f"{row:02}{col:02}"

    def _shifted(self, line: int) -> int:
        """1 for a column or row that lies half a hex further on, else 0."""
        return line % 2 if self.shifted_parity == "odd" else 1 - line % 2

    # --- where a hex lies on the picture ---

    def _place(self, col: int, row: int) -> tuple[int, int]:
        east = 1 if self.col_grows == "E" else -1
        south = 1 if self.row_grows == "S" else -1
        if self.kind == "flat":
            return east * col, south * (2 * row + self._shifted(col))
        return east * (2 * col + self._shifted(row)), south * row

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(x, y) of every hex by index, east and south growing, in half hexes where the grid is staggered."""
        return tuple(self._place(*self.col_row(index)) for index in range(len(self)))

    @cached_property
    def _at(self) -> dict[tuple[int, int], int]:
        return {place: index for index, place in enumerate(self.places)}

    @cached_property
    def _origin(self) -> tuple[int, int]:
        return min(x for x, _ in self.places), min(y for _, y in self.places)

    @cached_property
    def _scale(self) -> Point:
        return (1.5, HALF) if self.kind == "flat" else (HALF, 1.5)

    @cached_property
    def _margin(self) -> Point:
        return (1.0, HALF) if self.kind == "flat" else (HALF, 1.0)

    def center(self, hex_id: str) -> Point:
        """The centre of a hex on the picture, north up and y down, in units of the hex's size (centre to
        corner); the picture of the whole grid begins at (0, 0)."""
        (x, y), (left, top) = self.places[self.index(hex_id)], self._origin
        return (
            self._margin[0] + (x - left) * self._scale[0],
            self._margin[1] + (y - top) * self._scale[1],
        )

    @cached_property
    def extent(self) -> Point:
        """Width and height of the picture of the whole grid, in the units of `center`."""
        (left, top), (right, bottom) = (
            self._origin,
            (max(x for x, _ in self.places), max(y for _, y in self.places)),
        )
        return (
            2 * self._margin[0] + (right - left) * self._scale[0],
            2 * self._margin[1] + (bottom - top) * self._scale[1],
        )

    def corners(self, hex_id: str) -> tuple[Point, ...]:
        """The six corners, clockwise; the side towards `directions[k]` joins corners k and k + 1."""
        x, y = self.center(hex_id)
        return tuple((x + dx, y + dy) for dx, dy in self._corner_offsets)

    @cached_property
    def _corner_offsets(self) -> tuple[Point, ...]:
        first = -120 if self.kind == "flat" else -90
        return tuple((cos(radians(first + 60 * k)), sin(radians(first + 60 * k))) for k in range(6))

    def side_points(self, a: str, b: str) -> tuple[Point, Point]:
        """The two ends of the hexside between neighbours. Raises ValueError when they do not touch."""
        side = self.directions.index(self.direction(a, b))
        corners = self.corners(a)
        return corners[side], corners[(side + 1) % 6]

    # --- neighbours ---

    @cached_property
    def _steps(self) -> dict[str, tuple[int, int]]:
        return FLAT if self.kind == "flat" else POINTY

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """The names of the six directions, clockwise from north."""
        return tuple(self._steps)

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """The indices of every hex's neighbours, clockwise from north."""
        return tuple(
            tuple(self._at[x + dx, y + dy] for dx, dy in self._steps.values() if (x + dx, y + dy) in self._at)
            for x, y in self.places
        )

    def neighbours(self, hex_id: str) -> tuple[str, ...]:
        """The printed numbers of a hex's neighbours, clockwise from north."""
        return tuple(self.ids[index] for index in self.adjacent[self.index(hex_id)])

    def are_neighbours(self, a: str, b: str) -> bool:
        """Whether two hexes share a hexside."""
        return self.distance(a, b) == 1

    def toward(self, hex_id: str, direction: str, steps: int = 1) -> str | None:
        """The hex `steps` away in a direction, or None when that is beyond the edge."""
        x, y = self.places[self.index(hex_id)]
        dx, dy = self._steps[direction]
        found = self._at.get((x + steps * dx, y + steps * dy))
        return None if found is None else self.ids[found]

    def direction(self, a: str, b: str) -> str:
        """The direction from a hex to its neighbour. Raises ValueError when they do not touch."""
        (ax, ay), (bx, by) = self.places[self.index(a)], self.places[self.index(b)]
        for name, step in self._steps.items():
            if step == (bx - ax, by - ay):
                return name
        raise ValueError(f"{a} and {b} are not neighbours")

    def hexside(self, a: str, b: str) -> str:
        """The name of the hexside between neighbours. Raises ValueError when they do not touch."""
        self.direction(a, b)
        return side_key(a, b)

    # --- distances ---

    def distance(self, a: str, b: str) -> int:
        """How many steps two hexes are apart."""
        return self.steps(self.index(a), self.index(b))

    def steps(self, a: int, b: int) -> int:
        """How many steps the hexes with these indices are apart."""
        (ax, ay), (bx, by) = self.places[a], self.places[b]
        if self.kind == "flat":
            across, along = abs(ax - bx), abs(ay - by)
        else:
            across, along = abs(ay - by), abs(ax - bx)
        return across + max(0, (along - across) // 2)

    def within(self, hex_id: str, steps: int) -> int:
        """The set of the hexes at most `steps` away, the hex itself among them."""
        return flood(self.spread, 1 << self.index(hex_id), self.all, steps)

    def ring(self, hex_id: str, radius: int) -> tuple[str, ...]:
        """The hexes exactly `radius` away, clockwise, from the one in the first direction on."""
        if radius == 0:
            return (self.ids[self.index(hex_id)],)
        steps = tuple(self._steps.values())
        x, y = self.places[self.index(hex_id)]
        x, y = x + radius * steps[0][0], y + radius * steps[0][1]
        found = []
        for dx, dy in steps[2:] + steps[:2]:
            for _ in range(radius):
                if (x, y) in self._at:
                    found.append(self.ids[self._at[x, y]])
                x, y = x + dx, y + dy
        return tuple(found)

    def line(self, a: str, b: str) -> tuple[str, ...]:
        """The hexes that a straight line between two centres passes through, both ends included.

        Where it runs exactly along a hexside one of the two hexes is taken: the same one both ways.
        """
        start, end = self.index(a), self.index(b)
        if start > end:
            return self.line(b, a)[::-1]
        count = self.steps(start, end)
        return tuple(self.ids[self._on_line(start, end, step, count)] for step in range(count + 1))

    def _on_line(self, start: int, end: int, step: int, count: int) -> int:
        """The hex `step` of `count` on the way, or its twin when that one is off the grid."""
        for nudge in (1, -1):
            found = self._at.get(self._rounded(start, end, step, count, nudge))
            if found is not None:
                return found
        raise ValueError(f"the line from {self.ids[start]} to {self.ids[end]} leaves the grid")

    def _rounded(self, start: int, end: int, step: int, count: int, nudge: int) -> tuple[int, int]:
        """The place nearest to a point on the way, in whole numbers throughout: `nudge` settles ties."""
        if count == 0:
            return self.places[start]
        (aq, ar), (bq, br) = self._axial(start), self._axial(end)
        fine = 16 * count
        q = 16 * (aq * (count - step) + bq * step) + nudge
        r = 16 * (ar * (count - step) + br * step) + nudge
        s = -q - r
        whole = [(2 * part + fine) // (2 * fine) for part in (q, r, s)]
        off = [abs(near * fine - part) for near, part in zip(whole, (q, r, s), strict=True)]
        worst = off.index(max(off))
        whole[worst] -= sum(whole)
        skew = self._skew
        if self.kind == "flat":
            return whole[0], 2 * whole[1] + whole[0] + skew
        return 2 * whole[1] + whole[0] + skew, whole[0]

    @cached_property
    def _skew(self) -> int:
        """0 or 1: what x and y of this grid differ by when halved."""
        x, y = self.places[0]
        return (x - y) % 2

    def _axial(self, index: int) -> tuple[int, int]:
        x, y = self.places[index]
        if self.kind == "flat":
            return x, (y - x - self._skew) // 2
        return y, (x - y - self._skew) // 2

    # --- sets of hexes ---

    @cached_property
    def _columns(self) -> tuple[int, int, int]:
        """The sets: all but the first column, all but the last column, the shifted columns or rows."""
        first = bits(range(0, len(self), self.width))
        last = first << (self.width - 1)
        if self.kind == "flat":
            shifted = bits(i for i in range(len(self)) if self._shifted(self.col_row(i)[0]))
        else:
            shifted = bits(i for i in range(len(self)) if self._shifted(self.col_row(i)[1]))
        return self.all & ~first, self.all & ~last, shifted

    @cached_property
    def spread(self) -> Callable[[int], int]:
        """A function from a set of hexes to the set of all their neighbours.

        A hex of the set itself is in the result only if it is a neighbour of another one.
        """
        # Shifting by one goes to the next column of the same row, shifting by the width to the next row. Of
        # the
        # two slanted steps to either side, shifted lines take the one onwards, the others the one back.
        every, width = self.all, self.width
        not_first, not_last, shifted = self._columns
        straight = every & ~shifted

        def flat(bitset: int) -> int:
            bitset &= every
            beside = (bitset & not_last) << 1 | (bitset & not_first) >> 1
            onwards = (bitset | beside & straight) << width
            back = (bitset | beside & shifted) >> width
            return (beside | onwards | back) & every

        shifted_not_last, straight_not_first = shifted & not_last, straight & not_first

        def pointy(bitset: int) -> int:
            bitset &= every
            beside = (bitset & not_last) << 1 | (bitset & not_first) >> 1
            ahead = bitset | (bitset & shifted_not_last) << 1 | (bitset & straight_not_first) >> 1
            return (beside | ahead << width | ahead >> width) & every

        return flat if self.kind == "flat" else pointy

    def zone(self, bitset: int) -> int:
        """The zones of control of units in these hexes: their neighbours. See `map.Links.spread` for zones
        that some hexsides keep out."""
        return self.spread(bitset)

    def flood(self, start: int, passable: int = EVERYWHERE, steps: int | None = None) -> int:
        """The set `start` and all that can be reached from it through `passable`, in at most `steps`
        steps."""
        return flood(self.spread, start, passable, steps)
