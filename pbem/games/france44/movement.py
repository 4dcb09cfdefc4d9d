"""Movement (7): what it costs to go from hex to hex, and where a piece can go with the points of a box.

Costs add up (7.0), and nobody moves a hex that he cannot pay for. Stacking limits hold on the way too (7.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import EVERYWHERE, side_key
from pbem.engine.map import CostTable, Extra, Reach
from pbem.games.france44 import airborne, control, crossing, headquarters, stacking, zones
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import CHARTS, GRID, LAND, MAP, RHINE, SOUTH, Hex, Side, river

COSTS = CHARTS.movement

ANY_COST = 999
"""More points than any way on the map takes."""


def hex_cost(hex: Hex) -> int:
    """7.0 Points for entering a hex across no river: its terrain; a city or fortress adds nothing."""
    return COSTS.rough if MAP.terrain(hex) == "rough" else COSTS.clear


def step_cost(a: Hex, b: Hex, open_sides: frozenset[str], bridged: Hex | None) -> int | None:
    """7.0, 12.3, 12.6, 12.8 Points for moving from a hex into its neighbour, zones aside;
    None if it cannot be done without boats."""
    if "sea" in MAP.hexside(a, b) or MAP.has(b, "sea"):
        return None
    key = side_key(a, b)
    if not river(a, b) or bridged in (a, b):
        return hex_cost(b)
    if key in RHINE and key not in open_sides:
        return None
    return hex_cost(b) + COSTS.river


@lru_cache(maxsize=32)
def terrain_costs(open_sides: frozenset[str], bridged: Hex | None) -> CostTable:
    """7.0 The costs of the map while these hexsides of the Rhine can be crossed;
    rivers beside `bridged` do not count (12.3)."""
    return MAP.costs(lambda a, b: step_cost(a, b, open_sides, bridged))


@dataclass(frozen=True, slots=True)
class Route:
    """A way of a piece: hex indices from where it stands, and the points that it takes. `boats`:
    across the Rhine (12.8)."""

    path: tuple[int, ...]
    spent: int
    boats: bool = False

    @property
    def hexes(self) -> tuple[Hex, ...]:
        return tuple(GRID.ids[index] for index in self.path)


class Ground:
    """What moving costs a side now: made anew whenever pieces have moved or bridges have gone."""

    def __init__(self, state: State, side: Side) -> None:
        self.state, self.side = state, side
        enemy = ENEMY[side]
        self.bridged = state.drop if side == "allied" else None
        self.enemy = zones.occupied(state, enemy)
        self.zone = zones.zone(state, enemy)
        self.held = zones.held(state, side)
        self.stacks: dict[int, list[Unit]] = {}
        for unit in state.on_map(side):
            if not unit.hq:
                self.stacks.setdefault(GRID.index(unit.placed), []).append(unit)
        self.full = {arm: self._full(arm) for arm in ("armour", "infantry")}
        self._tables: dict[tuple[bool, bool, str], CostTable] = {}

    def _full(self, arm: str) -> int:
        """7.1 The set of the hexes into which no more units of an arm can go."""
        found = 0
        for index, units in self.stacks.items():
            armour, infantry = stacking.load(units)
            if not stacking.holds(armour + (arm == "armour"), infantry + (arm == "infantry")):
                found |= 1 << index
        return found

    def table(self, unit: Unit, administrative: bool) -> CostTable:
        """3.3, 4.8, 5.3, 7.0 What moving costs a piece."""
        arm = "" if unit.hq else unit.arm
        key = unit.hq, administrative, arm
        if key not in self._tables:
            barred = self.enemy | (GRID.all & ~LAND)
            barred |= self.full[arm] if arm else self.zone & ~self.held
            barred |= self.zone if administrative else 0
            self._tables[key] = terrain_costs(crossing.open_sides(self.state), self.bridged).with_extra(
                Extra(EVERYWHERE, barred, None),
                Extra(EVERYWHERE, self.zone, COSTS.enter_zone),
                Extra(self.zone, EVERYWHERE, COSTS.leave_zone),
            )
        return self._tables[key]

    def reach(self, unit: Unit, points: int, administrative: bool = False) -> Reach:
        """7.0 Everywhere that this many points can take a piece."""
        return self.table(unit, administrative).reach(GRID.index(unit.placed), points)

    def route(self, unit: Unit, path: Sequence[Hex], points: int, administrative: bool = False) -> Route:
        """7.0 The way of a piece along these hexes; a hex that is not next to the one before is reached
        by the cheapest way. Raises NotAllowed."""
        table, start = self.table(unit, administrative), GRID.index(unit.placed)
        wanted = [self._index(hex) for hex in path]
        if wanted and wanted[0] == start:
            wanted = wanted[1:]
        if not wanted:
            raise NotAllowed(f"{unit.id} is already in {unit.placed}", "7.0")
        way, spent = [start], 0
        for goal in wanted:
            here = way[-1]
            leg: tuple[int, ...] = (here, goal)
            price = table.cost(here, goal) if GRID.steps(here, goal) == 1 else None
            if len(wanted) == 1 or price is None:
                reach = table.reach(here, points - spent)
                if goal in reach:
                    leg, price = reach.path_to(goal), reach.costs[goal]
            if price is None or spent + price > points:
                raise self._too_far(unit, here, goal, points - spent, administrative)
            way.extend(leg[1:])
            spent += price
        return Route(tuple(way), spent)

    def price(self, unit: Unit, hexes: Sequence[Hex], administrative: bool = False) -> int:
        """7.0 Points that a piece takes along these hexes, its own first."""
        return self.table(unit, administrative).cost_of([GRID.index(hex) for hex in hexes]) or 0

    def _index(self, hex: Hex) -> int:
        if hex not in MAP:
            raise NotAllowed(f"there is no hex {hex} on the map", "7.0")
        return GRID.index(hex)

    def _too_far(self, unit: Unit, here: int, goal: int, left: int, administrative: bool) -> NotAllowed:
        """Why a piece cannot go on to a hex, and where it can go instead."""
        hex, table = GRID.ids[goal], self.table(unit, administrative)
        legal = self._instead(unit, left, hex, administrative) if GRID.index(unit.placed) == here else ()
        if SOUTH >> goal & 1:
            return NotAllowed(f"{hex} is off the map except for arrivals", "10.1.3", legal=legal)
        if not LAND >> goal & 1:
            return NotAllowed(f"{hex} is not on land", "7.0", legal=legal)
        if self.enemy >> goal & 1:
            return NotAllowed(f"{hex} is held by the enemy", "7.1", legal=legal)
        if administrative and self.zone >> goal & 1:
            return NotAllowed(
                f"{hex} is in an enemy ZOC: administrative movement cannot enter it", "5.3", legal=legal
            )
        if unit.hq and self.zone & ~self.held & 1 << goal:
            return NotAllowed(
                f"{unit.id} cannot enter {hex}, an enemy ZOC without one of your units", "4.8", legal=legal
            )
        if not unit.hq and self.full[unit.arm] >> goal & 1:
            return NotAllowed(f"{hex} is full: a hex holds {stacking.in_words()}", "7.1", legal=legal)
        text = f"{unit.id} has {left} movement point{'s' * (left != 1)} in {GRID.ids[here]}"
        if GRID.steps(here, goal) == 1:
            if self.boats_only(GRID.ids[here], hex):
                return NotAllowed(
                    f"only boats cross the Rhine from {GRID.ids[here]} to {hex}", "12.8", legal=legal
                )
            cost = table.cost(here, goal)
            if cost is not None:
                return NotAllowed(f"{text}, {hex} costs {cost}", "7.0", legal=legal)
            return NotAllowed(f"there is no way from {GRID.ids[here]} to {hex}", "3.3", legal=legal)
        ever = table.reach(here, ANY_COST, goal=goal)
        needs = f"{hex} needs {ever.costs[goal]}" if goal in ever else f"no way leads to {hex}"
        return NotAllowed(f"{text}; {needs}", "7.0", legal=legal)

    def _instead(self, unit: Unit, points: int, wanted: Hex, administrative: bool) -> tuple[str, ...]:
        reach = self.reach(unit, points, administrative)
        hexes = [GRID.ids[index] for index in reach if index != GRID.index(unit.placed)]
        nearest = sorted(hexes, key=lambda hex: (GRID.distance(hex, wanted), hex))
        return tuple(f"move {unit.id} to {hex}" for hex in nearest[:3])

    # --- boats (12.8) ---

    def boats_only(self, a: Hex, b: Hex) -> bool:
        """12.3, 12.8 Whether only boats lead from a hex into its neighbour;
        beside the 18th Airborne the Allies need none."""
        return crossing.needs_boats(self.state, a, b) and not airborne.ignored(self.state, self.side, a, b)

    def boats(self, unit: Unit) -> int:
        """12.8 The set of the free hexes into which a unit may cross the Rhine in boats."""
        found = 0
        for near in MAP.neighbours(unit.placed):
            index = GRID.index(near)
            open_to = (LAND & ~self.enemy & ~self.full[unit.arm]) >> index & 1
            if open_to and self.boats_only(unit.placed, near):
                found |= 1 << index
        return found


async def walk(ground: Ground, unit: Unit, hexes: Sequence[Hex], *, boats: bool = False) -> tuple[Hex, ...]:
    """4.10, 11.3, 12.7, 12.9 A piece goes from hex to hex, with all that comes of it;
    gives the hexes that it has been in. It stops where a bridge before it is blown, or others
    who were stopped there have filled the hex (7.1)."""
    state, been = ground.state, [hexes[0]]
    for hex in hexes[1:]:
        if (not boats and ground.boats_only(been[-1], hex)) or not stacking.fits([*state.at(hex), unit]):
            break
        unit.hex = hex
        been.append(hex)
        control.entered(state, unit, (hex,))
        crossing.crossed(state, unit, hex)
        if unit.side == "allied" and not unit.hq:
            await crossing.try_bridges(state, hex)
        headquarters.disperse_lone(state)
    return tuple(been)
