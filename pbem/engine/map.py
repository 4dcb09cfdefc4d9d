"""The map of a game: terrain, hexsides, rivers, roads and places on a numbered grid, and moving about on it.

`Map.load` reads and checks the TOML file of a map, the packaged one or a player's own. Rules ask the map by
printed hex numbers; what many units share (zones, supply, ranges) is worked out on sets of hexes, see
`hexes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field

from pbem.engine.data import Data, Source, faulty, load
from pbem.engine.errors import DataError
from pbem.engine.hexes import EVERYWHERE, Grid, bits, flood, indices, side_key

OFF_MAP = "off the map"
ROAD_CLASSES = ("main", "minor")

HexList = tuple[str, ...]


# --- the file -------------------------------------------------------------------------------------------


class GridFile(Data):
    """How the hexes are numbered; see `Grid`. Kilometres are from hexside to hexside."""

    order: Literal["CCRR", "RRCC"]
    kind: Literal["flat", "pointy"]
    shifted_parity: Literal["odd", "even"]
    col_grows: Literal["E", "W"]
    row_grows: Literal["N", "S"]
    cols: tuple[int, int]
    rows: tuple[int, int]
    hex_km_stated: float | None = Field(default=None, gt=0)
    hex_km_fitted: float | None = Field(default=None, gt=0)
    rotation_deg: float = 0.0


class Anchor(Data):
    """A hex that the rules tie to a real place, by which a reconstructed map was fitted."""

    hex: str
    lat: float
    lon: float
    what: str
    confidence: Literal["stated", "inferred"]
    residual_hex: float | None = None
    residual_after_warp: float | None = None


class TerrainFile(Data):
    """One letter for each hex: a string for each row, from the lowest column number to the highest."""

    legend: dict[str, str]
    rows: dict[str, str]


class MapFile(Data):
    """A map as it stands in its file. Hexes are named by their numbers, a hexside by its two hexes in order::

        [hexes]                     # lists of hexes, each under a name of the game's own
        prize = ["0301", "0302"]

        [hexsides]                  # drawn: river_minor, river_major, flooded, sea, bridge; others dashed
        river_minor = ["0102-0203", "0203-0303"]

        [rivers]                    # what a river is called; only hexsides say where one must cross it
        Orne = ["0102-0203"]

        [roads]                     # main or minor, from hex to hex
        main = ["0101-0201", "0201-0302"]

        [places]
        Trun = "0302"

        [cities]
        Caen = ["0101", "0102"]

    Terrains that are drawn: clear, bocage, woods, rough, marsh, town, city, fort, sea.
    """

    game: str
    title: str
    reconstructed: bool
    data: str
    source: Source | None = None
    grid: GridFile
    anchor: tuple[Anchor, ...] = ()
    terrain: TerrainFile
    hexes: dict[str, HexList] = Field(default_factory=dict)
    hexsides: dict[str, HexList] = Field(default_factory=dict)
    rivers: dict[str, HexList] = Field(default_factory=dict)
    roads: dict[Literal["main", "minor"], HexList] = Field(default_factory=dict)
    places: dict[str, str] = Field(default_factory=dict)
    cities: dict[str, HexList] = Field(default_factory=dict)
    features: dict[str, Any] = Field(default_factory=dict)


# --- the map --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Map:
    """A checked map. Hexes are printed numbers; sets of hexes are integers, see `hexes`.

    A terrain letter that the legend spells "clear+city" gives the hex the terrain "clear" and the mark
    "city". Marks are the terrains, those additions and the lists of hexes, all under one roof: `has`,
    `hexes`, `bits`. Hexsides are named by `side_key`.
    """

    game: str
    title: str
    reconstructed: bool
    credit: str
    source: str
    grid: Grid
    anchors: tuple[Anchor, ...]
    hex_km: float | None
    rotation: float
    terrains: tuple[str, ...]
    marks: Mapping[str, int]
    sides: Mapping[str, tuple[str, ...]]
    rivers: Mapping[str, tuple[str, ...]]
    roads: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str]
    cities: Mapping[str, tuple[str, ...]]
    features: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path | Traversable) -> Map:
        """The map in the file at `path`. Raises DataError listing every fault of the file."""
        reading = _Reading(load(path, MapFile))
        found = reading.map()
        if reading.faults:
            raise faulty(path, reading.faults)
        assert found is not None
        return found

    def require(
        self, *, hexes: Iterable[str] = (), hexsides: Iterable[str] = (), features: Iterable[str] = ()
    ) -> None:
        """Check that the map has the marks, kinds of hexside and features that a game counts on.

        Raises DataError listing those that are missing.
        """
        wanted = (
            ("hexes", hexes, self.marks),
            ("hexsides", hexsides, self.sides),
            ("features", features, self.features),
        )
        missing = [
            f"{what}.{name}: is missing"
            for what, names, there in wanted
            for name in names
            if name not in there
        ]
        if missing:
            raise faulty(self.title, missing)

    # --- hexes ---

    @cached_property
    def on_map(self) -> int:
        """The set of the hexes that the map shows; the rest of the numbered rectangle is off the map."""
        return self.grid.all & ~self.marks.get(OFF_MAP, 0)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The printed numbers of all hexes that the map shows."""
        return frozenset(hex_id for hex_id in self.grid.ids if hex_id in self)

    def __contains__(self, hex_id: object) -> bool:
        return hex_id in self.grid and self.terrains[self.grid.index(str(hex_id))] != OFF_MAP

    def terrain(self, hex_id: str) -> str:
        """The terrain of a hex, a word of the legend without what stands behind its plus sign."""
        return self.terrains[self.grid.index(hex_id)]

    def bits(self, mark: str) -> int:
        """The set of the hexes with a terrain or mark. Raises DataError when the map knows no such mark."""
        try:
            return self.marks[mark]
        except KeyError:
            raise DataError(
                f"{self.title}: no hexes are called {mark!r}; known: {', '.join(self.marks)}"
            ) from None

    def has(self, hex_id: str, mark: str) -> bool:
        """Whether a hex has this terrain or mark. Raises DataError when the map knows no such mark."""
        return bool(self.bits(mark) >> self.grid.index(hex_id) & 1)

    def hexes(self, mark: str) -> tuple[str, ...]:
        """The hexes with a terrain or mark. Raises DataError when the map knows no such mark."""
        return self.grid.named(self.bits(mark))

    def neighbours(self, hex_id: str) -> tuple[str, ...]:
        """The neighbours of a hex that are on the map, clockwise from north."""
        return tuple(near for near in self.grid.neighbours(hex_id) if near in self)

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for name, hex_id in self.places.items():
            found.setdefault(hex_id, []).append(name)
        for name, hex_ids in self.cities.items():
            for hex_id in hex_ids:
                if name not in found.setdefault(hex_id, []):
                    found[hex_id].append(name)
        return {hex_id: tuple(names) for hex_id, names in found.items()}

    @cached_property
    def called_places(self) -> dict[str, tuple[str, ...]]:
        """The hexes of every place and city, by name."""
        return {name: (hex_id,) for name, hex_id in self.places.items()} | dict(self.cities)

    def names(self, hex_id: str) -> tuple[str, ...]:
        """The places and cities in a hex."""
        return self._names.get(hex_id, ())

    def called(self, hex_id: str) -> str:
        """A hex as people speak of it: by a place in it if there is one, ``Caen (1008)``."""
        names = self.names(hex_id)
        return f"{names[0]} ({hex_id})" if names else hex_id

    # --- hexsides ---

    @cached_property
    def _kinds(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for kind, keys in self.sides.items():
            for key in keys:
                found.setdefault(key, set()).add(kind)
        return {key: frozenset(kinds) for key, kinds in found.items()}

    def hexside(self, a: str, b: str) -> frozenset[str]:
        """The kinds of the hexside between two neighbours; empty for a plain one."""
        return self._kinds.get(side_key(a, b), frozenset())

    def hexsides(self, kind: str) -> tuple[str, ...]:
        """The names of the hexsides of a kind. Raises DataError when the map knows no such kind."""
        try:
            return self.sides[kind]
        except KeyError:
            raise DataError(
                f"{self.title}: no hexsides are called {kind!r}; known: {', '.join(self.sides)}"
            ) from None

    def river(self, a: str, b: str) -> tuple[str, ...]:
        """The names of the rivers that run between two neighbours."""
        return self._rivers_by_side.get(side_key(a, b), ())

    @cached_property
    def _rivers_by_side(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name, keys in self.rivers.items():
            for key in keys:
                found[key] = (*found.get(key, ()), name)
        return found

    # --- roads ---

    @cached_property
    def _road_classes(self) -> dict[str, str]:
        best_last = reversed([name for name in ROAD_CLASSES if name in self.roads])
        return {key: name for name in best_last for key in self.roads[name]}

    def road(self, a: str, b: str) -> str | None:
        """The class of the road that crosses from a hex into its neighbour, the better one if there are
        two."""
        return self._road_classes.get(side_key(a, b))

    def road_links(self, *classes: str) -> Links:
        """The road network as links; without `classes` all roads count."""
        chosen = classes or ROAD_CLASSES
        return self.only(key for name in chosen for key in self.roads.get(name, ()))

    @cached_property
    def _all_roads(self) -> Links:
        return self.road_links()

    @cached_property
    def road_hexes(self) -> int:
        """The set of the hexes that a road enters or leaves."""
        return bits(index for index, near in enumerate(self._all_roads.open) if near)

    def road_flood(self, start: int, passable: int = EVERYWHERE) -> int:
        """The set `start` and all that can be reached from it along roads through `passable`."""
        return self._all_roads.flood(start, passable)

    def roads_from(self, start: int, passable: int = EVERYWHERE) -> dict[int, int]:
        """The shortest ways from the set `start` along roads through `passable`: the index of each hex that
        they reach -> that of the hex before it; of a start, its own."""
        before = {at: at for at in indices(start)}
        waiting = list(before)
        for at in waiting:
            for near in indices(self._all_roads.open[at] & passable):
                if near not in before:
                    before[near] = at
                    waiting.append(near)
        return before

    # --- links ---

    @cached_property
    def links(self) -> Links:
        """All neighbouring hexes on the map, whatever lies between them."""
        return self.without()

    def without(self, *kinds: str) -> Links:
        """The links that are left when hexsides of these kinds cannot be crossed. Derive once and keep."""
        return self.walled(key for kind in kinds for key in self.hexsides(kind))

    def walled(self, keys: Iterable[str]) -> Links:
        """The links that are left when these hexsides cannot be crossed."""
        near = [bits(around) & self.on_map for around in self.grid.adjacent]
        walled = 0
        for a, b in map(self._pair, keys):
            near[a] &= ~(1 << b)
            near[b] &= ~(1 << a)
            walled |= 1 << a | 1 << b
        return Links(self.grid, tuple(near), self.on_map, walled)

    def only(self, keys: Iterable[str]) -> Links:
        """The links across these hexsides and no others."""
        near = [0] * len(self.grid)
        for a, b in map(self._pair, keys):
            near[a] |= 1 << b
            near[b] |= 1 << a
        return Links(self.grid, tuple(near), self.on_map, self.grid.all)

    def _pair(self, key: str) -> tuple[int, int]:
        a, b = key.split("-")
        return self.grid.index(a), self.grid.index(b)

    def flood(self, start: int, passable: int = EVERYWHERE, steps: int | None = None) -> int:
        """The set `start` and all on the map that can be reached from it through `passable`, whatever
        hexsides lie between, in at most `steps` steps. Use `without(...).flood` where hexsides stop the
        way."""
        return self.grid.flood(start, self.on_map & passable, steps)

    # --- movement ---

    def costs(self, cost: Callable[[str, str], int | None], stop: int = 0) -> CostTable:
        """The table of what it costs to move from a hex into its neighbour, in whole units of the rules'
        choice (half points, say); None where there is no way. `cost` must give the same answer each time:
        each hex is asked about once, when it is first needed. Movement ends in the hexes of `stop`."""

        def exits(index: int) -> Row:
            here = self.grid.ids[index]
            ways = ((near, cost(here, self.grid.ids[near])) for near in self.grid.adjacent[index])
            return _row(
                (near, price) for near, price in ways if price is not None and self.on_map >> near & 1
            )

        return CostTable(self.grid, exits, stop)

    def reach(self, start: str, allowance: int, cost: Callable[[str, str], int | None]) -> Reach:
        """Where one unit can go. For many units make a table with `costs` and ask that."""
        return self.costs(cost).reach(self.grid.index(start), allowance)


@dataclass(frozen=True, eq=False)
class Links:
    """Which hexes lead to which neighbours, for zones of control, supply and roads on sets of hexes.

    `open` holds for every hex the set of neighbours it leads to. Hexes outside `walled` lead to all of their
    neighbours in `within`, which is quick to work out for all of them at once.
    """

    grid: Grid
    open: tuple[int, ...]
    within: int
    walled: int

    def spread(self, bitset: int) -> int:
        """The hexes that those of a set lead to: the zones of control of units in these hexes."""
        free = bitset & ~self.walled
        found = self.grid.spread(free) & self.within if free else 0
        for index in indices(bitset & self.walled):
            found |= self.open[index]
        return found

    def flood(self, start: int, passable: int = EVERYWHERE, steps: int | None = None) -> int:
        """The set `start` and all that can be reached from it through `passable`, in at most `steps`
        steps."""
        if steps is None and self.walled == self.grid.all:
            return self._walk(start, passable)
        return flood(self.spread, start, passable, steps)

    @cached_property
    def _near(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(indices(near)) for near in self.open)

    def _walk(self, start: int, passable: int) -> int:
        """`flood` hex by hex: on long thin networks a set at a time would hold only a few hexes."""
        count = len(self.grid)
        free = bytearray(map(int, f"{passable & self.grid.all:0{count}b}"[::-1]))
        waiting = list(indices(start))
        for index in waiting:
            free[index] = 0
        for index in waiting:
            for near in self._near[index]:
                if free[near]:
                    free[near] = 0
                    waiting.append(near)
        return bits(waiting)


# --- movement -------------------------------------------------------------------------------------------

Row = tuple[tuple[int, tuple[int, ...]], ...]
"""The ways out of a hex: (cost, indices of the neighbours that it takes one into), both ascending."""


class Extra(NamedTuple):
    """What moving from a hex of `leaving` into one of `entering` costs above the terrain; None forbids it.

    Zones: `Extra(EVERYWHERE, zone, 2)` to enter, `Extra(zone, EVERYWHERE, 1)` to leave, `Extra(zone, zone,
    None)` against moving from zone to zone. Enemy units: `Extra(EVERYWHERE, enemy, None)`.
    """

    leaving: int
    entering: int
    cost: int | None


class _Rows(dict[int, Row]):
    """Rows that are worked out when first asked for."""

    def __init__(self, work_out: Callable[[int], Row]) -> None:
        self.work_out = work_out

    def __missing__(self, index: int) -> Row:
        row = self[index] = self.work_out(index)
        return row


class CostTable:
    """What it costs to move from each hex into its neighbours, for units that move alike.

    Make one for each class of units, and one from it for each phase, `with_extra`, for zones and enemy units.
    """

    def __init__(self, grid: Grid, exits: Callable[[int], Row], stop: int = 0) -> None:
        self.grid = grid
        self.stop = stop
        self.exits = _Rows(exits)
        self.onward = (
            _Rows(lambda index: () if stop >> index & 1 else self.exits[index]) if stop else self.exits
        )

    def with_extra(self, *extras: Extra, stop: int = 0) -> CostTable:
        """This table with further costs, and with movement ending in the hexes of `stop` as well. A unit that
        starts in such a hex may leave it."""
        for extra in extras:
            if extra.cost is not None and extra.cost < 0:
                raise ValueError(f"an extra cost cannot be negative: {extra.cost}")
        touched = 0
        for leaving, entering, _ in extras:
            touched |= leaving & self.grid.spread(entering)
        rows = self.exits

        def exits(index: int) -> Row:
            if not touched >> index & 1:
                return rows[index]
            here = [(entering, cost) for leaving, entering, cost in extras if leaving >> index & 1]
            ways = ((near, _added(base, near, here)) for base, nears in rows[index] for near in nears)
            return _row((near, price) for near, price in ways if price is not None)

        return CostTable(self.grid, exits, self.stop | stop)

    def cost(self, a: int, b: int) -> int | None:
        """What moving from a hex into its neighbour costs, None if it cannot be done."""
        for price, nears in self.exits[a]:
            if b in nears:
                return price
        return None

    def cost_of(self, path: Sequence[int]) -> int | None:
        """What a path costs, its first hex being where it starts; None if it cannot be walked, for instance
        because movement ends on the way."""
        total = 0
        for number, (a, b) in enumerate(pairwise(path)):
            price = self.cost(a, b)
            if price is None or (number and self.stop >> a & 1):
                return None
            total += price
        return total

    def reach(
        self, start: int | Iterable[int], allowance: int, blocked: int = 0, goal: int | None = None
    ) -> Reach:
        """Everywhere that a unit with this allowance can go from `start` (or from the nearest of several
        starts), never entering the hexes of `blocked`. With a `goal`, only what is no further than it."""
        starts = (start,) if isinstance(start, int) else tuple(sorted(set(start)))
        allowance = max(allowance, 0)
        least = [allowance + 1] * len(self.grid)
        if blocked:
            for index in indices(blocked & self.grid.all):
                least[index] = -1
        for index in starts:
            least[index] = 0
        waiting: dict[int, list[int]] = {0: list(starts)}
        spents = [0]
        costs: dict[int, int] = {}
        rows = self.exits
        while spents and goal not in costs:
            spent = heappop(spents)
            left = allowance - spent
            for a in waiting[spent]:
                if least[a] != spent:
                    continue
                costs[a] = spent
                for price, nears in rows[a]:
                    if price > left:
                        break
                    total = spent + price
                    then = waiting.get(total)
                    if then is None:
                        then = waiting[total] = []
                        heappush(spents, total)
                    for b in nears:
                        if total < least[b]:
                            least[b] = total
                            then.append(b)
            rows = self.onward
        return Reach(self, starts, costs)


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a unit can go: `costs` by hex index, ascending by cost, its start at 0."""

    table: CostTable
    starts: tuple[int, ...]
    costs: Mapping[int, int] = field(repr=False)

    def __contains__(self, index: object) -> bool:
        return index in self.costs

    def __iter__(self) -> Iterator[int]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    @cached_property
    def hexes(self) -> int:
        """The set of all hexes that can be reached, the start among them."""
        return bits(self.costs)

    def previous(self, index: int) -> int | None:
        """The hex before this one on the cheapest way to it, the lowest index if several are as good; None
        for a start. Raises KeyError for a hex that cannot be reached."""
        spent = self.costs[index]
        if not spent:
            return None
        for a in sorted(self.table.grid.adjacent[index]):
            if a in self.costs and self.costs[a] < spent:
                may_leave = not self.costs[a] or not self.table.stop >> a & 1
                if may_leave and self.table.cost(a, index) == spent - self.costs[a]:
                    return a
        raise KeyError(index)

    def ways(self) -> dict[int, tuple[int, int | None]]:
        """For every hex its cost and the hex before it, ascending by cost."""
        return {index: (spent, self.previous(index)) for index, spent in self.costs.items()}

    def path_to(self, goal: int) -> tuple[int, ...]:
        """The cheapest way to a hex, from the start on; of equal ones the one that comes from the lowest
        index.

        Raises KeyError for a hex that cannot be reached.
        """
        path = [goal]
        while (before := self.previous(path[-1])) is not None:
            path.append(before)
        return tuple(reversed(path))


def _row(ways: Iterable[tuple[int, int]]) -> Row:
    """The ways out of a hex, each (index of the neighbour, cost), put together by cost."""
    found: dict[int, list[int]] = {}
    for near, price in ways:
        found.setdefault(price, []).append(near)
    if found and min(found) < 1:
        raise ValueError(f"a move must cost at least 1 unit, not {min(found)}: count in smaller units")
    return tuple((price, tuple(sorted(found[price]))) for price in sorted(found))


def _added(base: int, near: int, extras: Sequence[tuple[int, int | None]]) -> int | None:
    """The cost of entering `near` with those extras that hold there, None if one forbids it."""
    for entering, cost in extras:
        if entering >> near & 1:
            if cost is None:
                return None
            base += cost
    return base


# --- reading --------------------------------------------------------------------------------------------


class _Reading:
    """Turns a map file into a map, and gathers what is wrong with it."""

    def __init__(self, file: MapFile) -> None:
        self.file = file
        self.faults: list[str] = []

    def map(self) -> Map | None:
        """The map, good only if there are no `faults` afterwards; None when the grid itself is wrong."""
        file = self.file
        try:
            self.grid = _grid(file.grid)
        except ValueError as error:
            self.faults.append(f"grid: {error}")
            return None
        terrains, marks = self.terrain()
        for name, hex_ids in file.hexes.items():
            marks[name] = marks.get(name, 0) | bits(self.listed(f"hexes.{name}", hex_ids))
        self.listed("anchor", (anchor.hex for anchor in file.anchor))
        for name, hex_id in file.places.items():
            self.listed(f"places.{name}", (hex_id,))
        for name, hex_ids in file.cities.items():
            self.listed(f"cities.{name}", hex_ids)
        self.check_features("features", file.features)
        return Map(
            game=file.game,
            title=file.title,
            reconstructed=file.reconstructed,
            credit=file.data,
            source=self.source(),
            grid=self.grid,
            anchors=file.anchor,
            hex_km=file.grid.hex_km_stated or file.grid.hex_km_fitted,
            rotation=file.grid.rotation_deg,
            terrains=terrains,
            marks=marks,
            sides=self.sides("hexsides", file.hexsides),
            rivers=self.sides("rivers", file.rivers),
            roads=self.sides("roads", file.roads),
            places=file.places,
            cities=file.cities,
            features=file.features,
        )

    def source(self) -> str:
        if self.file.source is None and not self.file.reconstructed:
            self.faults.append(
                "source: is missing: a map that is not reconstructed must say where it was found"
            )
        return self.file.source or "reconstructed"

    def terrain(self) -> tuple[tuple[str, ...], dict[str, int]]:
        """The terrain of every hex, and the set of hexes of each terrain and of each addition to it."""
        legend, rows, grid = self.legend(), self.file.terrain.rows, self.grid
        names = [f"{row:02}" for row in range(grid.rows[0], grid.rows[1] + 1)]
        self.faults.extend(f"terrain.rows.{name}: there is no such row" for name in rows if name not in names)
        marks: dict[str, int] = {word: 0 for words in legend.values() for word in words}
        terrains: list[str] = []
        for name in names:
            letters = self.letters(name, rows.get(name))
            for letter in letters:
                words = legend.get(letter, ("",))
                for word in words:
                    marks[word] = marks.get(word, 0) | 1 << len(terrains)
                terrains.append(words[0])
        return tuple(terrains), marks

    def legend(self) -> dict[str, tuple[str, ...]]:
        legend = {}
        for letter, meaning in self.file.terrain.legend.items():
            words = tuple(word.strip() for word in meaning.split("+"))
            if len(letter) != 1 or not all(words):
                self.faults.append(
                    f"terrain.legend.{letter}: must be one letter with a terrain, not {meaning!r}"
                )
            legend[letter] = (OFF_MAP,) if meaning.startswith(OFF_MAP) else words
        return legend

    def letters(self, name: str, row: str | None) -> str:
        """A row of terrain letters, made to the width of the grid if it is wrong."""
        width = self.grid.width
        if row is None:
            self.faults.append(f"terrain.rows.{name}: is missing")
            return " " * width
        if len(row) != width:
            self.faults.append(f"terrain.rows.{name}: has {len(row)} letters, but there are {width} columns")
        for column, letter in enumerate(row[:width], self.grid.cols[0]):
            if letter not in self.file.terrain.legend:
                self.faults.append(
                    f"terrain.rows.{name}: column {column:02}: {letter!r} is not in the legend"
                )
        return row[:width].ljust(width)

    def listed(self, place: str, hex_ids: Iterable[str]) -> list[int]:
        """The indices of a list of hexes."""
        found = []
        for hex_id in hex_ids:
            if hex_id in self.grid:
                found.append(self.grid.index(hex_id))
            else:
                self.faults.append(f"{place}: there is no hex {hex_id}: {self.grid.bounds}")
        return found

    def sides(self, section: str, lists: Mapping[Any, HexList]) -> dict[str, tuple[str, ...]]:
        """Lists of hexsides under their proper names."""
        return {
            str(name): tuple(key for written in keys for key in self.side(f"{section}.{name}", written))
            for name, keys in lists.items()
        }

    def side(self, place: str, written: str) -> Iterator[str]:
        """The proper name of one hexside."""
        match = re.fullmatch(r"(\d{4})-(\d{4})", written, re.ASCII)
        if match is None:
            self.faults.append(f"{place}: {written!r} is not a hexside: it must be written like 0101-0102")
            return
        a, b = match.groups()
        if len(self.listed(f"{place}: {written}", (a, b))) == 2:
            if self.grid.are_neighbours(a, b):
                yield side_key(a, b)
            else:
                self.faults.append(f"{place}: {written} does not join neighbouring hexes")

    def check_features(self, place: str, value: Any) -> None:
        """Whatever looks like a hex number in a feature must be one; all else is left to the game."""
        if isinstance(value, dict):
            for name, part in value.items():
                self.check_features(f"{place}.{name}", part)
        elif isinstance(value, list):
            for part in value:
                self.check_features(place, part)
        elif isinstance(value, str) and re.fullmatch(r"\d{4}", value, re.ASCII):
            self.listed(place, (value,))


def _grid(file: GridFile) -> Grid:
    return Grid(
        file.order, file.kind, file.shifted_parity, file.col_grows, file.row_grows, file.cols, file.rows
    )
