"""How far units can go in a movement phase (MOV, ZOC.A): what moving costs, which units may move, where a
move may end, and its path.

Movement points are counted in halves, because a road hex costs half a point. An allowance is halved only
once: without supply (MOV.J), or in the Allied second movement phase of game-turn 1 (INV.4), when only
parachute units can be out of supply and may not move. Enemy units and their ZOC cut supply, but they do
not move in this phase (MOV.D) and there is no combat (MOV.E), so everything found at its start is true to
its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import EVERYWHERE, flood
from pbem.engine.map import CostTable, Extra, Reach
from pbem.games.normandy71 import entrenchment, paratroops, reinforcement, stacking, supply, zones
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, GRID, LAND, MAP

# --- what moving costs ----------------------------------------------------------------------------------


def step_cost(a: Hex, b: Hex, motor: bool, roads: bool) -> int | None:
    """MOV.A, MOV.I Half points for moving from a hex to a neighbour, without ZOC; None if it is not possible.

    A road replaces all terrain, a bridge only the water that it crosses (INV.2).
    """
    kinds = MAP.hexside(a, b)
    if "sea" in kinds or MAP.has(b, "all sea"):
        return None
    if roads and MAP.road(a, b):
        return CHARTS.road.enter.halves(motor)
    cost = CHARTS.ground(b).enter.halves(motor)
    water = CHARTS.water(a, b)
    return cost if water is None or "bridge" in kinds else cost + water.add.halves(motor)


@cache
def terrain_costs(motor: bool, roads: bool) -> CostTable:
    """MOV.A The movement costs of the map for a class of units."""
    return MAP.costs(lambda a, b: step_cost(a, b, motor, roads))


def zone_cost(what: str, side: Side, motor: bool) -> int:
    """ZOC.A Half points for entering or leaving an enemy-controlled hex."""
    return getattr(CHARTS.zone, what)[side].halves(motor)  # type: ignore[no-any-return]


# --- the units of a phase --------------------------------------------------------------------------------


def nearest(wanted: Hex, hexes: Iterable[Hex]) -> list[Hex]:
    """The 3 of these hexes that are nearest to the wanted one."""
    if wanted not in MAP:
        return list(hexes)[:3]
    return sorted(hexes, key=lambda hex: (GRID.distance(hex, wanted), hex))[:3]


@dataclass(frozen=True, slots=True)
class Route:
    """A path for a unit, as hex indices from where it is (or lands, or enters), and its cost in half
    points."""

    path: tuple[int, ...]
    spent: int

    @property
    def hexes(self) -> tuple[Hex, ...]:
        return tuple(GRID.ids[index] for index in self.path)


@dataclass
class UnitReach:
    """Where the units of one side can go in a movement phase: supply and the enemy as they were at its start,
    where its units are, and which have moved."""

    state: State
    side: Side
    second: bool
    moved: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        state = self.state
        self.enemy = zones.held(state, ENEMY[self.side])
        self.zone = zones.zone(state, ENEMY[self.side])
        self.area = supply.supplied(state, self.side)
        self.supplied = {unit.id: supply.trace(state, unit, self.area) for unit in state.on_map(self.side)}
        paratroops.judge_supply(state)
        self.mine: dict[Hex, list[Unit]] = {}
        self.full = {"regiment": 0, "battalion": 0}
        for unit in state.on_map(self.side):
            self.mine.setdefault(unit.placed, []).append(unit)
        for hex in self.mine:
            self._recount(hex)
        self._reaches: dict[tuple[int, int, bool, bool], Reach] = {}
        self._routes: dict[tuple[str, tuple[Hex, ...]], Route] = {}

    @property
    def landing_day(self) -> bool:
        """INV.2, INV.4 An Allied movement phase of game-turn 1: no roads."""
        return self.side == "allied" and self.state.turn == 1

    def _recount(self, hex: Hex) -> None:
        """STK.A Note whether a hex is full for another regiment or battalion."""
        here = [unit.size for unit in self.mine.get(hex, ()) if not unit.inverted]
        regiments, battalions, bit = here.count("regiment"), here.count("battalion"), 1 << GRID.index(hex)
        for size, more in (("regiment", (1, 0)), ("battalion", (0, 1))):
            if stacking.holds(hex, regiments + more[0], battalions + more[1]):
                self.full[size] &= ~bit
            else:
                self.full[size] |= bit

    # --- who may move ---

    def unmoved(self) -> Iterator[Unit]:
        """The units of the side that may move, land or enter."""
        for unit in self.state.units.values():
            if unit.side == self.side and self.fault(unit) is None:
                yield unit

    def fault(self, unit: Unit) -> NotAllowed | None:
        """Why a unit may not move in this phase, None if it may."""
        if unit.place in ("exited", "lost"):
            return NotAllowed(f"{unit.id} is no longer on the map", "MOV")
        if unit.id in self.moved:
            return NotAllowed(f"{unit.id} has already moved", "MOV.H")
        if unit.place == "later":
            return reinforcement.entry_fault(self.state, unit, self.second)
        if entrenchment.resting(self.state, unit):
            return NotAllowed(f"{unit.id} is entrenching and may not move this turn", "ENT")
        if unit.place == "box" and self._lost_beach(unit):
            return NotAllowed(f"{unit.id} cannot land at {unit.beach}: the Germans have been there", "SUP.H")
        if unit.never_supplied:
            return NotAllowed(f"{unit.id} may not move until it has been in supply", "MOV.M")
        return self._landing_fault(unit) if self.landing_day else None

    def _lost_beach(self, unit: Unit) -> bool:
        """SUP.H Whether the beach where a unit waits is closed."""
        return (
            bool(self.enemy >> GRID.index(BEACHES[unit.beach]) & 1) or unit.beach in self.state.dead_beaches
        )

    def _landing_fault(self, unit: Unit) -> NotAllowed | None:
        if unit.type == "paratroop" and not self.second:
            return NotAllowed(f"{unit.id} may not move in the phase of its drop", "INV.2")
        if unit.type == "glider" and unit.place == "map":
            return NotAllowed(f"{unit.id} has just landed and may not move", "INV.4")
        if self._avoids_zones(unit) and unit.place == "map" and self.zone >> GRID.index(unit.placed) & 1:
            return NotAllowed(f"{unit.id} landed adjacent to a German and may not move on", "INV.2")
        return None

    def _avoids_zones(self, unit: Unit) -> bool:
        """INV.2 Commandos may not enter enemy ZOC in the first movement phase of game-turn 1."""
        return self.landing_day and not self.second and unit.type == "commando"

    # --- how far ---

    def allowance(self, unit: Unit) -> int:
        """MOV.J, INV.4 Half points that a unit may spend."""
        halved = (self.landing_day and self.second) or not self.supplied.get(unit.id, True)
        return unit.allowance if halved else 2 * unit.allowance

    def table(self, unit: Unit) -> CostTable:
        """MOV.A, ZOC.A, ZOC.B What moving costs a unit in this phase."""
        return self._tables[unit.motor, self._avoids_zones(unit)]

    @cached_property
    def _tables(self) -> dict[tuple[bool, bool], CostTable]:
        return {(motor, shy): self._table(motor, shy) for motor in (False, True) for shy in (False, True)}

    def _table(self, motor: bool, shy: bool) -> CostTable:
        enter, leave = (zone_cost(what, self.side, motor) for what in ("enter", "leave"))
        return terrain_costs(motor, not self.landing_day).with_extra(
            Extra(EVERYWHERE, self.enemy, None),  # MOV.G
            Extra(EVERYWHERE, self.zone, None if shy else enter),
            Extra(self.zone, EVERYWHERE, leave),
        )

    def landing_cost(self, unit: Unit, hex: int) -> int:
        """INV.2, SEQ Half points for landing: the beach is the first hex entered."""
        zone = zone_cost("enter", self.side, unit.motor) if self.zone >> hex & 1 else 0
        return CHARTS.ground(GRID.ids[hex]).enter.halves(unit.motor) + zone

    def start(self, unit: Unit) -> tuple[int, int]:
        """Where a unit on the map or in a beach box begins to move, and the half points it has there."""
        if unit.place == "map":
            return GRID.index(unit.placed), self.allowance(unit)
        hex = GRID.index(BEACHES[unit.beach])
        return hex, 0 if self._stopped(hex) else max(0, self.allowance(unit) - self.landing_cost(unit, hex))

    def _stopped(self, hex: int) -> bool:
        """INV.2 Whether a unit of the first wave that lands in this hex may move no further."""
        return self.landing_day and not self.second and bool(self.zone >> hex & 1)

    def reach(self, unit: Unit) -> Reach:
        """The hexes that a unit on the map or in a beach box has the points to reach."""
        return self._reach_from(unit, *self.start(unit))

    def _reach_from(self, unit: Unit, start: int, points: int) -> Reach:
        key = (start, points, unit.motor, self._avoids_zones(unit))
        if key not in self._reaches:
            self._reaches[key] = self.table(unit).reach(start, points)
        return self._reaches[key]

    def one_hex(self, unit: Unit) -> int:
        """MOV.N The neighbours that a unit can always enter; none for unsupplied armour or after landing."""
        if unit.place != "map" or (unit.armour and not self.supplied.get(unit.id, True)):
            return 0
        return GRID.bits(
            GRID.ids[near] for _, nears in self.table(unit).exits[GRID.index(unit.placed)] for near in nears
        )

    def ends(self, unit: Unit) -> int:
        """MOV.K, MOV.L, SUP.E, SUP.G, SUP.K Where supply allows a unit to end its move."""
        if unit.type in supply.ROAMERS or (self.state.turn == 1 and unit.type != "paratroop"):
            return LAND
        if self.supplied.get(unit.id, True):
            return self.area
        return self.nearer(GRID.index(unit.placed))

    def nearer(self, start: int) -> int:
        """MOV.L The hexes nearer to the nearest source of supply than `start`, in a straight line."""
        for closer in self._rings:
            if GRID.spread(closer) >> start & 1 and not closer >> start & 1:
                return closer & LAND
        return 0

    @cached_property
    def _rings(self) -> tuple[int, ...]:
        """The sets of hexes within 0, 1, 2 ... hexes of a source of supply."""
        rings = [supply.sources(self.state, self.side)]
        while rings[-1] and rings[-1] != GRID.all:
            rings.append(flood(GRID.spread, rings[-1], EVERYWHERE, 1))
        return tuple(rings)

    def destinations(self, unit: Unit) -> int:
        """Where supply, stacking and points allow a unit on the map or in a beach box to end its move now."""
        start, _ = self.start(unit)
        found = (
            (self.reach(unit).hexes | self.one_hex(unit))
            & self.ends(unit)
            & ~self.full[unit.size]
            & ~self.enemy
        )
        return found & ~(1 << start) if unit.place == "map" else found

    # --- the way there ---

    def route(self, unit: Unit, path: Sequence[Hex]) -> Route:
        """MOV.A, MOV.C, MOV.N The path of a unit on the map or in a beach box along these hexes. A single
        hex, or one not adjacent to the one before, is reached by the cheapest path. Raises NotAllowed."""
        key = (unit.id, tuple(path))
        if key not in self._routes:
            self._routes[key] = self._route(unit, path)
        return self._routes[key]

    def _route(self, unit: Unit, path: Sequence[Hex]) -> Route:
        start, points = self.start(unit)
        wanted = [self._index(hex) for hex in path]
        if wanted and wanted[0] == start:
            wanted = wanted[1:]
        if not wanted and unit.place == "map":
            raise NotAllowed(f"{unit.id} is already in {GRID.ids[start]}", "MOV")
        if len(wanted) == 1 and wanted[0] not in self.reach(unit) and self.one_hex(unit) >> wanted[0] & 1:
            route = Route((start, wanted[0]), points)
        else:
            route = self._along(unit, start, points, wanted)
        self._check_supply(unit, route)
        return route

    def _index(self, hex: Hex) -> int:
        if hex not in MAP:
            raise NotAllowed(f"there is no hex {hex} on the map", "MOV.A")
        return GRID.index(hex)

    def _along(self, unit: Unit, start: int, points: int, wanted: Sequence[int]) -> Route:
        """A path through these hexes for at most `points` half points. Raises NotAllowed."""
        table = self.table(unit)
        path, spent = [start], 0
        for goal in wanted:
            here = path[-1]
            direct = len(wanted) > 1 and goal in GRID.adjacent[here]
            if direct:
                cost = table.cost(here, goal)
                leg: tuple[int, ...] = (here, goal)
                price = cost if cost is not None else points + 1
            else:
                reach = self._reach_from(unit, here, points - spent)
                leg, price = (
                    (reach.path_to(goal), reach.costs[goal]) if goal in reach else ((here, goal), points + 1)
                )
            if spent + price > points:
                raise self._too_far(unit, table, path, spent, points, goal)
            path.extend(leg[1:])
            spent += price
        return Route(tuple(path), spent)

    def _too_far(
        self, unit: Unit, table: CostTable, path: Sequence[int], spent: int, points: int, goal: int
    ) -> NotAllowed:
        """Why a unit cannot go on to `goal`, and where it can go instead."""
        here, hex, legal = path[-1], GRID.ids[goal], self._alternatives(unit, GRID.ids[goal])
        if self.enemy >> goal & 1:
            return NotAllowed(f"{hex} is held by the enemy", "MOV.G", legal=legal)
        if self._avoids_zones(unit) and self.zone >> goal & 1:
            return NotAllowed(f"{unit.id} may not enter an enemy ZOC in this phase", "INV.2", legal=legal)
        if not LAND >> goal & 1:
            return NotAllowed(f"{hex} is all sea", "MOV.A", legal=legal)
        if unit.place == "box" and self._stopped(path[0]):
            return NotAllowed(
                f"{unit.id} lands at {GRID.ids[path[0]]} adjacent to a German and may move no further",
                "INV.2",
                legal=legal,
            )
        rest = (points - spent) / 2
        left = f"{unit.id} has {rest:g} MP left in {GRID.ids[here]}"
        cost = table.cost(here, goal) if GRID.steps(here, goal) == 1 else None
        if cost is not None:
            return NotAllowed(f"{left}, and {hex} costs {cost / 2:g}", "MOV.A", legal=legal)
        return NotAllowed(f"{left}, not enough to reach {hex}", "MOV.A", legal=legal)

    def _check_supply(self, unit: Unit, route: Route) -> None:
        """MOV.K, MOV.L A move must end in supply, or nearer to its source. Raises NotAllowed."""
        end = route.path[-1]
        if self.ends(unit) >> end & 1:
            return
        hex = GRID.ids[end]
        if self.supplied.get(unit.id, True):
            raise NotAllowed(
                f"{unit.id} would be out of supply in {hex}", "MOV.K", legal=self._alternatives(unit, hex)
            )
        raise NotAllowed(
            f"{unit.id} is out of supply, and {hex} is no nearer to a source of supply",
            "MOV.L",
            legal=self._alternatives(unit, hex),
        )

    def _alternatives(self, unit: Unit, wanted: Hex) -> tuple[str, ...]:
        """The nearest hexes to the wanted one into which the unit may move, as orders."""
        if unit.place == "later":
            return ()
        open_to = nearest(wanted, GRID.named(self.destinations(unit)))
        return tuple(f"move {unit.id} to {hex}" for hex in open_to)

    # --- leaving and entering the map ---

    def _exit_route(self, unit: Unit, hex: Hex) -> Route | None:
        """VIC.X The path of a unit to an exit hex and off the map. The exit costs as much as a road hex (a
        clear hex when roads do not work); a unit in the exit hex can always exit (MOV.N)."""
        goal = GRID.index(hex)
        if unit.place != "map" or not self.ends(unit) >> goal & 1:
            return None
        start, points = self.start(unit)
        if start == goal and (self.supplied[unit.id] or not unit.armour):
            return Route((start,), points)
        reach = self.reach(unit)
        road = CHARTS.terrain["clear"] if self.landing_day else CHARTS.road
        leaving = road.enter.halves(unit.motor)
        if self.zone >> goal & 1:
            leaving += zone_cost("leave", self.side, unit.motor)
        if goal not in reach or reach.costs[goal] + leaving > points:
            return None
        return Route(reach.path_to(goal), reach.costs[goal] + leaving)

    def _entry_ways(self, edges: tuple[str, ...], motor: bool, allowance: int) -> dict[int, int]:
        """Where reinforcements of this class can end their move -> the best entry hex for it."""
        key = (edges, motor, allowance)
        if key not in self._entry_cache:
            self._entry_cache[key] = self._find_entry_ways(edges, motor, allowance)
        return self._entry_cache[key]

    @cached_property
    def _entry_cache(self) -> dict[tuple[tuple[str, ...], bool, int], dict[int, int]]:
        return {}

    def _find_entry_ways(self, edges: tuple[str, ...], motor: bool, allowance: int) -> dict[int, int]:
        best: dict[int, tuple[int, int]] = {}
        entries = [GRID.index(hex) for hex in reinforcement.entry_hexes(edges, self.enemy | self.zone)]
        price = {entry: reinforcement.entry_cost(GRID.ids[entry], motor) for entry in entries}
        for cost in sorted(set(price.values())):
            starts = [entry for entry in entries if price[entry] == cost]
            reach = self._tables[motor, False].reach(starts, max(0, 2 * allowance - cost))
            root: dict[int, int] = {}
            for end, (spent, before) in reach.ways().items():
                root[end] = end if before is None else root[before]
                if end not in best or cost + spent < best[end][0]:
                    best[end] = (cost + spent, root[end])
        for entry in entries:
            best[entry] = (price[entry], entry)
        return {end: entry for end, (_, entry) in sorted(best.items())}

    def entry_route(self, unit: Unit, hex: Hex, path: Sequence[Hex]) -> Route:
        """OOB.R The path of a reinforcement onto the map and further. Raises NotAllowed."""
        if unit.place != "later":
            raise NotAllowed(f"{unit.id} is already on the map", "OOB.R", legal=self._alternatives(unit, hex))
        legal = reinforcement.entry_hexes(unit.edges, self.enemy | self.zone)
        if hex not in legal:
            raise NotAllowed(
                f"{unit.id} enters by the {' or '.join(unit.edges)} edge, "
                "at a hex that no enemy unit occupies or controls",
                "OOB.R",
                legal=tuple(f"enter {unit.id} at {near}" for near in nearest(hex, legal)),
            )
        entry, cost = GRID.index(hex), reinforcement.entry_cost(hex, unit.motor)
        wanted = [self._index(each) for each in path]
        if wanted and wanted[0] == entry:
            wanted = wanted[1:]
        onward = self._along(unit, entry, max(0, 2 * unit.allowance - cost), wanted)
        route = Route(onward.path, cost + onward.spent)
        self._check_supply(unit, route)
        return route
