"""How far units may go in a movement (3.2, 4.0, 5, 10.2): what moving costs, where a unit can end,
and by which way it gets there.

Movement points are counted in halves, because a road hex costs half a point.
Enemy units do not move, and there is no combat while a side moves, so zones and costs are worked out once;
only headquarters that are run over change them (5.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import EVERYWHERE
from pbem.engine.map import CostTable, Extra, Reach
from pbem.games.normandy44 import zones
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import (
    AIR_ZONES,
    BEACH_HEXES,
    CHARTS,
    GRID,
    LAND,
    MAP,
    PLAYED,
    ROUTES,
    Hex,
    Side,
    bridged,
    river_between,
)

PhaseKind = Literal["A", "B", "reaction"]
"""The offensive phase, the normal phase, the German reaction on D-Day."""

ROAD = int(2 * CHARTS.movement.road)
LEAVE_ZONE = 2 * CHARTS.movement.leave_zone
OVERRUN = 2 * CHARTS.movement.overrun
CRATERS = 2 * CHARTS.movement.under_bombers

FREE_EXIT = GRID.bits(hex for hex in GRID.named(LAND) if CHARTS.terrain[MAP.terrain(hex)].free_exit)
"""C3 The hexes from which an enemy zone is left without a price: bocage and woods."""


def _edges() -> dict[str, int]:
    """S2 Where the Allies leave the map for good: name of the edge -> its hexes, as a set."""
    east, south = f"{GRID.cols[0]:02}", f"{GRID.rows[1]:02}"
    hexes = GRID.named(LAND)
    return {
        "L": GRID.bits((ROUTES["L"],)),
        "east": GRID.bits(hex for hex in hexes if hex[2:] == east),
        "south": GRID.bits(hex for hex in hexes if hex[:2] == south),
    }


EDGES = _edges()
"""S2 The corner in the south-east belongs to the east edge, which comes first."""


@cache
def _index(hex: Hex) -> int:
    """The number of a hex of the map. Raises NotAllowed."""
    if hex not in MAP:
        raise NotAllowed(f"there is no hex {hex} on the map", "5.1")
    return GRID.index(hex)


def edge_of(hex: Hex) -> str:
    """S2 The edge over which units leave the map here: L, east or south; "" inside the map."""
    return next((name for name, hexes in EDGES.items() if hexes >> GRID.index(hex) & 1), "")


# --- what moving costs ------------------------------------------------------------------------------------


def step_cost(a: Hex, b: Hex, motor: bool, hampered: bool = False) -> int | None:
    """3.2, 10.2 Half points for moving from a hex into its neighbour, zones and bombers aside;
    None if it cannot be done.

    A road takes the place of all terrain, a bridge that of the water under it.
    `hampered` by interdiction everything costs twice as much, but for woods and towns off the road.
    """
    if "sea" in MAP.hexside(a, b) or not LAND >> GRID.index(b) & 1:
        return None
    road = MAP.road(a, b) is not None
    cost = ROAD if road else _off_road(a, b, motor)
    if cost is None or not hampered:
        return cost
    return 2 * cost if road or CHARTS.terrain[MAP.terrain(b)].air else cost


def _off_road(a: Hex, b: Hex, motor: bool) -> int | None:
    cost = CHARTS.terrain[MAP.terrain(b)].halves(motor)
    river = river_between(a, b)
    if cost is None or river is None or bridged(a, b):
        return cost
    water = CHARTS.river[river].halves(motor)
    return None if water is None else cost + water


@lru_cache(maxsize=64)
def terrain_costs(motor: bool, hampered: int) -> CostTable:
    """3.2, 10.2 The costs of the map for a class of units, for which the hexes of a set lie
    under interdiction."""
    return MAP.costs(lambda a, b: step_cost(a, b, motor, bool(hampered >> GRID.index(b) & 1)))


def interdicted(state: State, side: Side) -> int:
    """10.2 The set of the hexes in air zones with a fighter, for the Germans; none for the Allies."""
    found = 0
    if side == "german":
        for name in state.interdicted:
            found |= AIR_ZONES[name]
    return found


# --- the units of a phase -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Where a unit begins to move, as an index, with the half points that it has left there;
    `strategic` is what it has by strategic movement, None where that is not allowed.
    `sure` says whether it can always move one hex (5.1)."""

    hex: int
    points: int
    strategic: int | None = None
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """A path that a unit can take: hex indices, the first being where it is, lands or enters,
    and the half points that it takes out of `of`."""

    path: tuple[int, ...]
    spent: int
    of: int
    strategic: bool = False

    @property
    def hexes(self) -> tuple[Hex, ...]:
        return tuple(GRID.ids[index] for index in self.path)


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where a unit must stop, with `left` half points, before the hex it would
    have to enter next."""

    table: CostTable
    path: Sequence[int]
    left: int
    goal: int


@dataclass
class UnitReach:
    """What is true while one side moves: enemy zones, and what they and the terrain cost."""

    state: State
    side: Side
    phase: PhaseKind

    def __post_init__(self) -> None:
        state, enemy = self.state, ENEMY[self.side]
        self.enemy = zones.held(state, enemy)
        self.zone = zones.zone(state, enemy)
        self.hampered = interdicted(state, self.side)
        self.craters = GRID.bits(state.craters)
        self.near_enemy = GRID.spread(zones.occupied(state, enemy))
        self.recount()

    def recount(self) -> None:
        """5.2 Note which enemy headquarters are alone in their hex; costs depend on them."""
        self.lone = zones.occupied(self.state, ENEMY[self.side]) & ~self.enemy
        self._tables: dict[tuple[bool, bool, bool, bool], CostTable] = {}
        self._reaches: dict[tuple[int, int, bool, bool, bool, bool], Reach] = {}
        self._ways: dict[tuple[bool, bool, Start, tuple[int, ...], bool], Route | Stuck] = {}

    # --- how far ---

    def allowance(self, unit: Unit) -> int:
        """8.3 Half points that a unit may spend: half of them if it is motorised and out of supply."""
        printed = unit.counter.movement
        halved = unit.unsupplied and unit.counter.motor and self.phase != "reaction"
        return printed if halved else 2 * printed

    def strategic_fault(self, unit: Unit) -> str:
        """5.3, 8.3 Why a unit may not use strategic movement, "" if it may."""
        if self.phase == "reaction":
            return "units move at most 1 hex"
        if unit.unsupplied:
            return "it is out of supply"
        if unit.landed or unit.place == "reserve":
            return "it lands this turn"
        if unit.place == "map" and self.near_enemy >> GRID.index(unit.placed) & 1:
            return "it begins adjacent to the enemy"
        return ""

    def start(self, unit: Unit) -> Start:
        """5.1, 5.3, 15.0 Where a unit on the map begins."""
        here, points = GRID.index(unit.placed), self.allowance(unit)
        if self.phase == "reaction":
            return Start(here, 0, sure=True)
        return Start(here, points, None if self.strategic_fault(unit) else 2 * points, sure=True)

    def start_ashore(self, unit: Unit, hex: Hex, site: str) -> Start:
        """2.6, 11.2 Where a unit that lands begins: a beach is the first hex that it enters,
        a port is not."""
        cost = 0
        if site in BEACH_HEXES:
            cost = CHARTS.terrain[MAP.terrain(hex)].halves(unit.counter.motor) or 0
        return self._first(unit, hex, cost, strategic=False)

    def start_by_road(self, unit: Unit, hex: Hex) -> Start:
        """2.6 Where a unit that comes onto the map begins: it has entered a road hex."""
        index = GRID.index(hex)
        cost = 2 * ROAD if self.hampered >> index & 1 else ROAD
        return self._first(unit, hex, cost, strategic=not self.strategic_fault(unit))

    def _first(self, unit: Unit, hex: Hex, cost: int, strategic: bool) -> Start:
        """A start after the first hex has been entered; in an enemy zone it is the last one (4.0)."""
        index, points = GRID.index(hex), self.allowance(unit)
        if self.zone >> index & 1:
            return Start(index, 0)
        cost += CRATERS if self.craters >> index & 1 else 0
        left = max(0, points - cost)
        return Start(index, left, max(0, 2 * points - cost) if strategic else None)

    # --- costs ---

    def table(self, unit: Unit, *, step: bool = False, strategic: bool = False) -> CostTable:
        """4.0, 5 What moving costs a unit. With `step` it pays for breaking away with a step;
        by `strategic` movement it keeps out of zones."""
        key = unit.counter.motor, unit.hq, step, strategic
        if key not in self._tables:
            self._tables[key] = self._table(*key)
        return self._tables[key]

    def _table(self, motor: bool, hq: bool, step: bool, strategic: bool) -> CostTable:
        barred = self.enemy | (GRID.all & ~PLAYED[self.state.scenario]) | (self.lone if hq else 0)
        barred |= self.zone if strategic else 0
        return terrain_costs(motor, self.hampered).with_extra(
            Extra(EVERYWHERE, barred, None),
            Extra(EVERYWHERE, self.lone, OVERRUN),
            Extra(EVERYWHERE, self.craters, CRATERS),
            Extra(self.zone, self.zone, None),
            Extra(self.zone & ~FREE_EXIT, EVERYWHERE, 0 if step else LEAVE_ZONE),
            stop=self.zone,
        )

    def _reach_from(
        self, unit: Unit, start: int, points: int, *, step: bool = False, strategic: bool = False
    ) -> Reach:
        key = start, points, unit.counter.motor, unit.hq, step, strategic
        if key not in self._reaches:
            self._reaches[key] = self.table(unit, step=step, strategic=strategic).reach(start, points)
        return self._reaches[key]

    # --- where to ---

    def one_hex(self, unit: Unit, start: Start) -> int:
        """5.1 The neighbours that a unit can always move into: never closed terrain,
        never from zone to zone."""
        if not start.sure:
            return 0
        found = 0
        for _, nears in self.table(unit).exits[start.hex]:
            for near in nears:
                found |= 1 << near
        return found

    def ends(self, unit: Unit, start: Start, *, step: bool = False) -> int:
        """5 Everywhere that a unit can go from there, by normal or strategic movement;
        the start among them."""
        found = self._reach_from(unit, start.hex, start.points, step=step).hexes | self.one_hex(unit, start)
        if start.strategic is not None:
            found |= self._reach_from(unit, start.hex, start.strategic, strategic=True).hexes
        return found

    def step_fault(self, unit: Unit) -> NotAllowed | None:
        """4.0 Why a unit on the map cannot break away for a step, None if it can."""
        if not self.zone & ~FREE_EXIT & 1 << GRID.index(unit.placed):
            return NotAllowed(f"{unit.id} can leave {unit.placed} without breaking away", "4.0")
        if unit.left < 2:
            return NotAllowed(f"{unit.id} has no step to spare", "4.0")
        return None

    # --- the way there ---

    def way(self, unit: Unit, start: Start, path: Sequence[Hex], *, step: bool = False) -> Route:
        """5.1, 5.3 The way of a unit along these hexes; a single hex, or one not next to the one before,
        is reached by the cheapest way. Strategic movement is used where normal movement does not do.
        Raises NotAllowed."""
        wanted = [_index(hex) for hex in path]
        if wanted and wanted[0] == start.hex:
            wanted = wanted[1:]
        key = unit.counter.motor, unit.hq, start, tuple(wanted), step
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = self._way(unit, start, wanted, step=step)
            if isinstance(found, Route):  # hex by hex it is the same way
                self._ways.setdefault((*key[:3], found.path[1:], step), found)
        if isinstance(found, Route):
            return found
        raise self._too_far(unit, start, found)

    def _way(self, unit: Unit, start: Start, wanted: Sequence[int], *, step: bool) -> Route | Stuck:
        """The way by normal movement, or else by strategic movement; where normal movement stops if neither
        does."""
        found = self._along(unit, start, wanted, step=step)
        if isinstance(found, Stuck) and start.strategic is not None:
            further = self._along(unit, start, wanted, strategic=True)
            if isinstance(further, Route):
                return further
        return found

    def _along(
        self,
        unit: Unit,
        start: Start,
        wanted: Sequence[int],
        *,
        step: bool = False,
        strategic: bool = False,
    ) -> Route | Stuck:
        points = start.points
        if strategic:
            assert start.strategic is not None
            points = start.strategic
        table = self.table(unit, step=step, strategic=strategic)
        path, spent = [start.hex], 0
        for goal in wanted:
            here = path[-1]
            if len(path) > 1 and table.stop >> here & 1:
                return Stuck(table, path, points - spent, goal)
            leg: tuple[int, ...] = (here, goal)
            near = GRID.steps(here, goal) == 1
            price = table.cost(here, goal) if near else None
            if len(wanted) == 1 or not near:
                reach = self._reach_from(unit, here, points - spent, step=step, strategic=strategic)
                if goal in reach:
                    leg, price = reach.path_to(goal), reach.costs[goal]
            if price is not None and spent + price > points and len(wanted) == 1 and start.sure:
                return Route((here, goal), points, points)
            if price is None or spent + price > points:
                return Stuck(table, path, points - spent, goal)
            path.extend(leg[1:])
            spent += price
        return Route(tuple(path), spent, points, strategic)

    def _too_far(self, unit: Unit, start: Start, stuck: Stuck) -> NotAllowed:
        """Why a unit cannot go on, and where it can go instead."""
        here, goal = stuck.path[-1], stuck.goal
        hex = GRID.ids[goal]
        if len(stuck.path) > 1 and stuck.table.stop >> here & 1:
            return NotAllowed(f"{unit.id} must stop in {GRID.ids[here]}, in an enemy ZOC", "4.0")
        legal = self._instead(unit, start, hex)
        if not PLAYED[self.state.scenario] >> goal & 1:
            why = "is not on the map of this scenario" if LAND >> goal & 1 else "is sea"
            return NotAllowed(f"{hex} {why}", "5.1", legal=legal)
        if self.enemy >> goal & 1:
            return NotAllowed(f"{hex} is occupied by the enemy", "5.1", legal=legal)
        if unit.hq and self.lone >> goal & 1:
            return NotAllowed("a headquarters cannot overrun another one", "5.2", legal=legal)
        near = GRID.steps(here, goal) == 1
        if near and self.zone >> here & self.zone >> goal & 1:
            text = f"{unit.id} cannot go from {GRID.ids[here]} to {hex}: from one enemy ZOC into another"
            return NotAllowed(text, "4.0", legal=legal)
        if self.phase == "reaction":
            return NotAllowed(f"{unit.id} moves at most 1 hex", "15.0", legal=legal)
        text = f"{unit.id} has {stuck.left / 2:g} MP left in {GRID.ids[here]}"
        cost = stuck.table.cost(here, goal) if near else None
        if cost is not None:
            return NotAllowed(f"{text}; {hex} costs {cost / 2:g}", "5.1", legal=legal)
        return NotAllowed(f"{text} and cannot reach {hex}{self._in_vain(unit)}", "5.1", legal=legal)

    def _in_vain(self, unit: Unit) -> str:
        fault = self.strategic_fault(unit)
        return f" (no strategic movement: {fault})" if fault else ", not even by strategic movement"

    def _instead(self, unit: Unit, start: Start, wanted: Hex) -> tuple[str, ...]:
        """The nearest hexes to the wanted one into which a unit on the map can move, as orders."""
        if unit.place != "map":
            return ()
        open_to = GRID.named(self.ends(unit, start) & ~(1 << start.hex))
        nearest = sorted(open_to, key=lambda hex: (GRID.distance(hex, wanted), hex))
        return tuple(f"move {unit.id} to {hex}" for hex in nearest[:3])

    # --- off the map ---

    def way_off(self, unit: Unit, hex: Hex) -> Route | None:
        """S2 The way of a unit on the map to a hex of the edge and off it, None if it cannot.
        The last step costs a road hex where a road leaves the map, else a clear hex;
        a unit already there can always leave."""
        goal, start = GRID.index(hex), self.start(unit)
        leaving = ROAD if hex in ROUTES.values() else CHARTS.terrain["clear"].halves(unit.counter.motor) or 0
        if self.zone & ~FREE_EXIT & 1 << goal:
            leaving += LEAVE_ZONE
        if goal == start.hex:
            return Route((goal,), min(leaving, start.points), start.points)
        if self.zone >> goal & 1:
            return None
        for points, strategic in ((start.points, False), (start.strategic, True)):
            if points is None:
                continue
            reach = self._reach_from(unit, start.hex, points, strategic=strategic)
            if goal in reach and reach.costs[goal] + leaving <= points:
                return Route(reach.path_to(goal), reach.costs[goal] + leaving, points, strategic)
        return None
