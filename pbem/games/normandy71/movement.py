"""Movement (MOV): the four movement phases, what moving costs, where a unit may end, landing and leaving the map.

Movement points are counted in halves, because a road hex costs half a point. An allowance is halved once at most: without supply
(MOV.J), or in the Allied second movement phase of game-turn 1 (INV.4), when only parachute units can be out of supply and those stay
where they are. Only enemy units and zones cut supply and they do not move (MOV.D), so what is worked out at the start of a phase holds
to its end.

A unit that has moved stays where it is for the rest of the phase, and so do its parts (MOV.H). To break down before moving comes to the
same as in mid-move, to rebuild at the destination to the same as on the way (STK.C, STK.E).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import EVERYWHERE, flood
from pbem.engine.map import CostTable, Extra, Reach
from pbem.engine.orders import Grammar, Order
from pbem.engine.play import Orders
from pbem.games.normandy71 import entrenchment, paratroops, reinforcement, stacking, supply, victory, zones
from pbem.games.normandy71.notes import Broken, Entered, Exited, Landed, Moved
from pbem.games.normandy71.orders import Break, Build, Disentrench, Enter, Exit, Move
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, EXITS, GRID, LAND, MAP
from pbem.games.normandy71.telling import names_for, tell

VERBS: dict[Side, tuple[type[Order], ...]] = {
    "allied": (Move, Exit, Break, Build, Disentrench),
    "german": (Move, Enter, Break, Build, Disentrench),
}
LOAD: dict[Side, Callable[[object], Order | None]] = {side: Grammar(orders=verbs).load for side, verbs in VERBS.items()}


# --- the four phases ------------------------------------------------------------------------------------


async def allied_first_movement(state: State) -> None:
    """SEQ Allied first movement; on game-turn 1 the first wave lands (INV.2)."""
    await movement(state, "allied", second=False)


async def allied_second_movement(state: State) -> None:
    """SEQ Allied second movement, with the reinforcements that wait at the beaches (INV.4)."""
    await movement(state, "allied", second=True)


async def german_first_movement(state: State) -> None:
    """SEQ German first movement, with reinforcements (OOB.R)."""
    await movement(state, "german", second=False)


async def german_second_movement(state: State) -> None:
    """SEQ German second movement. After that of game-turn 3 unsupplied parachute units are lost (PAR.D)."""
    await movement(state, "german", second=True)
    paratroops.judge_supply(state, lambda unit: supply.in_supply(state, unit))
    paratroops.cull(state)


async def movement(state: State, side: Side, *, second: bool) -> None:
    """MOV, MOV.B The side moves as many of its units as it likes, one after another."""
    phase = Movement(state, side, second)
    if phase.subjects():
        orders = Orders[Order](
            case="MOV",
            what=f"{side} {'second' if second else 'first'} movement",
            seat=side,
            section="movement 2" if second else "movement",
            takes=VERBS[side],
            check=phase.check,
            subjects=phase.subjects,
            options=phase.options,
            load=LOAD[side],
        )
        while (order := await orders) is not None:
            phase.carry_out(order)
    phase.end()


# --- what moving costs ----------------------------------------------------------------------------------


def step_cost(a: Hex, b: Hex, motor: bool, roads: bool) -> int | None:
    """MOV.A, MOV.I Half points for moving from a hex into its neighbour, zones aside; None if it cannot be done.

    A road takes the place of all terrain, a bridge only of the water it crosses (INV.2).
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
    """MOV.A The costs of the map for a class of units."""
    return MAP.costs(lambda a, b: step_cost(a, b, motor, roads))


def zone_cost(what: str, side: Side, motor: bool) -> int:
    """ZOC.A Half points for entering or leaving an enemy-controlled hex."""
    return getattr(CHARTS.zone, what)[side].halves(motor)  # type: ignore[no-any-return]


# --- one phase ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Route:
    """A way that a unit can go: hex indices, the first being where it stands (or lands, or enters), and the half points it takes."""

    path: tuple[int, ...]
    spent: int

    @property
    def hexes(self) -> tuple[Hex, ...]:
        return tuple(GRID.ids[index] for index in self.path)


@dataclass
class Movement:
    """One movement phase of one side: what was true at its start, and who has moved."""

    state: State
    side: Side
    second: bool
    moved: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        state = self.state
        self.enemy = zones.held(state, ENEMY[self.side])
        self.zone = zones.zone(state, ENEMY[self.side])
        areas: dict[Side, int] = {"allied": supply.supplied(state, "allied"), "german": supply.supplied(state, "german")}
        self.area = areas[self.side]
        self.supplied = {unit.id: supply.trace(state, unit, areas[unit.side]) for unit in state.on_map()}
        paratroops.judge_supply(state, lambda unit: self.supplied[unit.id])
        self.mine: dict[Hex, list[Unit]] = {}
        self.full = {"regiment": 0, "battalion": 0}
        for unit in state.on_map(self.side):
            self.mine.setdefault(unit.placed, []).append(unit)
        for hex in self.mine:
            self._recount(hex)
        self._reaches: dict[tuple[int, int, bool, bool], Reach] = {}

    @property
    def landing_day(self) -> bool:
        """INV.2, INV.4 An Allied movement phase of game-turn 1: no roads."""
        return self.side == "allied" and self.state.turn == 1

    def _recount(self, hex: Hex) -> None:
        """STK.A Note whether another regiment or battalion would be too many in a hex."""
        here = [unit.size for unit in self.mine.get(hex, ()) if not unit.inverted]
        regiments, battalions, bit = here.count("regiment"), here.count("battalion"), 1 << GRID.index(hex)
        for size, more in (("regiment", (1, 0)), ("battalion", (0, 1))):
            if stacking.holds(hex, regiments + more[0], battalions + more[1]):
                self.full[size] &= ~bit
            else:
                self.full[size] |= bit

    # --- who may move ---

    def unmoved(self) -> Iterator[Unit]:
        """Units of the side that may move, land or enter."""
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
            return NotAllowed(f"{unit.id} is digging in and may not move this turn", "ENT")
        if unit.place == "box" and self._lost_beach(unit):
            return NotAllowed(f"{unit.id} cannot land at {unit.beach}: the Germans have been there", "SUP.H")
        if unit.never_supplied:
            return NotAllowed(f"{unit.id} may not move until it has been in supply", "MOV.M")
        return self._landing_fault(unit) if self.landing_day else None

    def _lost_beach(self, unit: Unit) -> bool:
        """SUP.H Whether the beach at which a unit waits can no longer be used."""
        return bool(self.enemy >> GRID.index(BEACHES[unit.beach]) & 1) or unit.beach in self.state.dead_beaches

    def _landing_fault(self, unit: Unit) -> NotAllowed | None:
        if unit.type == "paratroop" and not self.second:
            return NotAllowed(f"{unit.id} may not move in the phase of its drop", "INV.2")
        if unit.type == "glider" and unit.place == "map":
            return NotAllowed(f"{unit.id} has just landed and may not move", "INV.4")
        if self._shy(unit) and unit.place == "map" and self.zone >> GRID.index(unit.placed) & 1:
            return NotAllowed(f"{unit.id} has landed next to a German and may move no further", "INV.2")
        return None

    def _shy(self, unit: Unit) -> bool:
        """INV.2 Commandos keep out of enemy zones in the first movement phase of game-turn 1."""
        return self.landing_day and not self.second and unit.type == "commando"

    # --- how far ---

    def allowance(self, unit: Unit) -> int:
        """MOV.J, INV.4 Half points that a unit may spend."""
        halved = (self.landing_day and self.second) or not self.supplied.get(unit.id, True)
        return unit.allowance if halved else 2 * unit.allowance

    def table(self, unit: Unit) -> CostTable:
        """MOV.A, ZOC.A, ZOC.B What moving costs a unit in this phase."""
        return self._tables[unit.motor, self._shy(unit)]

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
        """INV.2, SEQ Half points for coming ashore: the beach is the first hex entered."""
        zone = zone_cost("enter", self.side, unit.motor) if self.zone >> hex & 1 else 0
        return CHARTS.ground(GRID.ids[hex]).enter.halves(unit.motor) + zone

    def start(self, unit: Unit) -> tuple[int, int]:
        """Where a unit on the map or in a beach box begins to move, and the half points that it has left there."""
        if unit.place == "map":
            return GRID.index(unit.placed), self.allowance(unit)
        hex = GRID.index(BEACHES[unit.beach])
        stopped = self.landing_day and not self.second and self.zone >> hex & 1  # INV.2
        return hex, 0 if stopped else max(0, self.allowance(unit) - self.landing_cost(unit, hex))

    def reach(self, unit: Unit) -> Reach:
        """Everywhere that the points of a unit on the map or in a beach box can take it."""
        start, points = self.start(unit)
        key = (start, points, unit.motor, self._shy(unit))
        if key not in self._reaches:
            self._reaches[key] = self.table(unit).reach(start, points)
        return self._reaches[key]

    def one_hex(self, unit: Unit) -> int:
        """MOV.N The neighbours that a unit can always move into; none for unsupplied armour, nor after landing."""
        if unit.place != "map" or (unit.armour and not self.supplied.get(unit.id, True)):
            return 0
        return GRID.bits(GRID.ids[near] for _, nears in self.table(unit).exits[GRID.index(unit.placed)] for near in nears)

    def ends(self, unit: Unit) -> int:
        """MOV.K, MOV.L, SUP.E, SUP.G, SUP.K Where a unit may end its move as far as supply goes."""
        if unit.type in supply.ROAMERS or (self.state.turn == 1 and unit.type != "paratroop"):
            return LAND
        if self.supplied.get(unit.id, True):
            return self.area
        return self.nearer(GRID.index(unit.placed))

    def nearer(self, start: int) -> int:
        """MOV.L The hexes nearer to the nearest source of supply than this one, in a straight line."""
        for closer in self._rings:
            if GRID.spread(closer) >> start & 1 and not closer >> start & 1:
                return closer & LAND
        return 0

    @cached_property
    def _rings(self) -> tuple[int, ...]:
        """The sets of hexes at most 0, 1, 2 ... hexes away from a source of supply."""
        rings = [supply.sources(self.state, self.side)]
        while rings[-1] and rings[-1] != GRID.all:
            rings.append(flood(GRID.spread, rings[-1], EVERYWHERE, 1))
        return tuple(rings)

    def destinations(self, unit: Unit) -> int:
        """Where a unit on the map or in a beach box may go now and stay: supply, stacking and points allow it."""
        start, _ = self.start(unit)
        found = (self.reach(unit).hexes | self.one_hex(unit)) & self.ends(unit) & ~self.full[unit.size] & ~self.enemy
        return found & ~(1 << start) if unit.place == "map" else found

    # --- what is asked ---

    def subjects(self) -> tuple[str, ...]:
        """The units that can still move, land, enter or leave."""
        return tuple(unit.id for unit in self.unmoved() if self._can_act(unit))

    def _can_act(self, unit: Unit) -> bool:
        if unit.place == "later":
            return bool(self._entries(unit))
        return bool(self.destinations(unit)) or bool(self._ways_out(unit))

    def options(self, subject: str) -> Sequence[Order]:
        """The legal orders of one unit that leave every hex within its limit. A unit may also pass through full hexes, or be moved
        into one that others can still leave: that is checked, not listed."""
        unit = self.state.units[subject]
        if self.fault(unit):
            return ()
        if unit.place == "later":
            return self._entries(unit)
        moves: list[Order] = [Move((subject,), (hex,)) for hex in GRID.named(self.destinations(unit))]
        return [*moves, *self._ways_out(unit), *self._regroupings(unit)]

    def _ways_out(self, unit: Unit) -> list[Order]:
        if self.side != "allied":
            return []
        return [Exit((unit.id,), hex) for hex in EXITS if self._exit_route(unit, hex) is not None]

    def _regroupings(self, unit: Unit) -> list[Order]:
        """STK.B, STK.E Ways to break a unit down, or to rebuild one with it, that keep its hex within the limit."""
        found: list[Order] = []
        if unit.place != "map" or unit.inverted:
            return found
        here = self.mine[unit.placed]
        sizes = [other.size for other in here if other is not unit and not other.inverted]
        parts = stacking.parts_of(unit)
        if parts and stacking.holds(unit.placed, sizes.count("regiment"), sizes.count("battalion") + len(parts)):
            found.append(Break(unit.id))
        for count in (2, 3):
            mates = [other for other in here if other.type == unit.type and other.part_of and other.size == "battalion"]
            group = [unit, *[other for other in mates if other is not unit]][:count]
            if unit.part_of and len(group) == count and self._can_build(group):
                found.append(Build(tuple(each.id for each in group)))
        return found

    def _can_build(self, group: Sequence[Unit]) -> bool:
        try:
            self._check_build(group)
        except NotAllowed:
            return False
        others = [other.size for other in self.mine[group[0].placed] if other not in group and not other.inverted]
        return stacking.holds(group[0].placed, others.count("regiment") + 1, others.count("battalion"))

    # --- checking orders ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case None:
                self._check_end()
            case Move(units, path):
                for unit in self._named(units):
                    self._check_afoot(unit)
                    self._check_room(units, self.route(unit, path))
            case Exit(units, hex):
                for unit in self._named(units):
                    self._check_exit(unit, hex)
            case Enter(units, hex, path):
                for unit in self._named(units):
                    self._check_room(units, self.entry_route(unit, hex, path))
            case Break(id, parts):
                self._check_break(id, parts)
            case Build(units):
                self._check_build([self._on_map(id) for id in dict.fromkeys(units)])
            case Disentrench(hex):
                entrenchment.check_disentrench(self.state, self.side, hex)
            case _:
                raise NotAllowed(f"{order.verb} is not an order of this phase", "SEQ")

    def _own(self, id: str) -> Unit:
        unit = self.state.units.get(id)
        if unit is None or unit.side != self.side:
            raise NotAllowed(f"{id} is not a unit of yours", "MOV")
        return unit

    def _on_map(self, id: str) -> Unit:
        unit = self._own(id)
        if unit.place != "map":
            raise NotAllowed(f"{id} is not on the map", "MOV")
        return unit

    def _named(self, ids: Iterable[str]) -> list[Unit]:
        """The units of an order. Raises NotAllowed if one of them may not move."""
        units = [self._own(id) for id in dict.fromkeys(ids)]
        for unit in units:
            if fault := self.fault(unit):
                raise fault
        return units

    def _check_afoot(self, unit: Unit) -> None:
        if unit.place == "later":
            raise NotAllowed(f"{unit.id} is not on the map yet: it must enter first", "OOB.R", legal=(f"enter {unit.id}",))

    def _check_room(self, ids: Iterable[str], route: Route) -> None:
        """MOV.F, STK.A A full hex may be entered for good only if others can still leave it."""
        hex = GRID.ids[route.path[-1]]
        coming = [self.state.units[id] for id in dict.fromkeys(ids)]
        staying = [other for other in self.mine.get(hex, ()) if other not in coming and not self._can_leave(other)]
        if not stacking.within_limit(hex, [*staying, *coming]):
            raise NotAllowed(f"{hex} cannot hold them: it may hold {stacking.limit_in_words(hex)}", "STK.A")

    def _can_leave(self, unit: Unit) -> bool:
        return self.fault(unit) is None and self._can_act(unit)

    def route(self, unit: Unit, path: Sequence[Hex]) -> Route:
        """MOV.A, MOV.C, MOV.N The way of a unit on the map or in a beach box along these hexes; a single hex, or one not next to the
        one before, is reached by the cheapest way. Raises NotAllowed."""
        start, points = self.start(unit)
        wanted = [self._index(hex) for hex in path]
        if wanted and wanted[0] == start:
            wanted = wanted[1:]
        if not wanted and unit.place == "map":
            raise NotAllowed(f"{unit.id} is in {GRID.ids[start]} already", "MOV")
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
        """A way through these hexes for at most so many half points. Raises NotAllowed."""
        table = self.table(unit)
        path, spent = [start], 0
        for goal in wanted:
            here = path[-1]
            direct = len(wanted) > 1 and GRID.steps(here, goal) == 1
            if direct:
                cost = table.cost(here, goal)
                leg, price = (here, goal), cost if cost is not None else points + 1
            else:
                reach = self.reach(unit) if spent == 0 and here == start else table.reach(here, points - spent)
                inside = goal in reach
                leg, price = (reach.path_to(goal), reach.costs[goal]) if inside else ((here, goal), points + 1)
            if spent + price > points:
                raise self._too_far(unit, table, path, spent, points, goal)
            path.extend(leg[1:])
            spent += price
        return Route(tuple(path), spent)

    def _too_far(
        self, unit: Unit, table: CostTable, path: Sequence[int], spent: int, points: int, goal: int
    ) -> NotAllowed:
        """Why a unit cannot go on to `goal`, and where it can go instead."""
        here, hex, legal = path[-1], GRID.ids[goal], self._instead(unit, GRID.ids[goal])
        if self.enemy >> goal & 1:
            return NotAllowed(f"{hex} is held by the enemy", "MOV.G", legal=legal)
        if self._shy(unit) and self.zone >> goal & 1:
            return NotAllowed(f"{unit.id} may not enter an enemy zone of control in this phase", "INV.2", legal=legal)
        if not LAND >> goal & 1:
            return NotAllowed(f"{hex} is all sea", "MOV.A", legal=legal)
        left = f"{unit.id} has {(points - spent) / 2:g} movement points in {GRID.ids[here]}"
        cost = table.cost(here, goal) if GRID.steps(here, goal) == 1 else None
        if cost is not None:
            return NotAllowed(f"{left}, {hex} costs {cost / 2:g}", "MOV.A", legal=legal)
        return NotAllowed(f"{left}, too few to reach {hex}", "MOV.A", legal=legal)

    def _check_supply(self, unit: Unit, route: Route) -> None:
        """MOV.K, MOV.L A move may not end out of supply, or not nearer to it. Raises NotAllowed."""
        end = route.path[-1]
        if self.ends(unit) >> end & 1:
            return
        hex = GRID.ids[end]
        if self.supplied.get(unit.id, True):
            raise NotAllowed(f"{unit.id} would be out of supply in {hex}", "MOV.K", legal=self._instead(unit, hex))
        raise NotAllowed(
            f"{unit.id} is out of supply and {hex} is no nearer to a source", "MOV.L", legal=self._instead(unit, hex)
        )

    def _instead(self, unit: Unit, wanted: Hex) -> tuple[str, ...]:
        """The nearest hexes to the wanted one into which the unit may move, as orders."""
        if unit.place == "later":
            return ()
        open_to = sorted(GRID.named(self.destinations(unit)), key=lambda hex: (GRID.distance(hex, wanted), hex))
        return tuple(f"move {unit.id} to {hex}" for hex in open_to[:3])

    # --- leaving the map ---

    def _exit_route(self, unit: Unit, hex: Hex) -> Route | None:
        """VIC.X The way of a unit to an exit hex and off the map; leaving costs as much as a road hex (a clear hex when roads do not
        work), and a unit that stands there can always leave (MOV.N)."""
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

    def _check_exit(self, unit: Unit, hex: Hex) -> Route:
        if self.side != "allied":
            raise NotAllowed("only Allied units leave the map", "VIC.X")
        if hex not in EXITS:
            raise NotAllowed(f"no road leaves the map at {hex}", "VIC.X", legal=tuple(EXITS))
        route = self._exit_route(unit, hex)
        if route is None:
            raise NotAllowed(f"{unit.id} cannot reach {hex} in supply and leave by its road", "VIC.X")
        return route

    # --- reinforcements ---

    def _entries(self, unit: Unit) -> list[Order]:
        """OOB.R Ways for a German reinforcement to enter: to each entry hex, and on to every hex that it can reach."""
        known = self._entry_ways(unit.edges, unit.motor, unit.allowance)
        open_to = ~self.full[unit.size] & self.ends(unit)
        found: list[Order] = []
        for end, entry in known.items():
            if open_to >> end & 1:
                path = () if end == entry else (GRID.ids[end],)
                found.append(Enter((unit.id,), GRID.ids[entry], path))
        return found

    def _entry_ways(self, edges: tuple[str, ...], motor: bool, allowance: int) -> dict[int, int]:
        """Where reinforcements of this class can end, and the entry hex from which they get there best."""
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
        """OOB.R The way of a reinforcement onto the map and on. Raises NotAllowed."""
        if unit.place != "later":
            raise NotAllowed(f"{unit.id} is on the map already", "OOB.R", legal=self._instead(unit, hex))
        legal = reinforcement.entry_hexes(unit.edges, self.enemy | self.zone)
        if hex not in legal:
            raise NotAllowed(
                f"{unit.id} enters by the {' or '.join(unit.edges)} edge, at a hex that no enemy holds or controls",
                "OOB.R",
                legal=tuple(f"enter {unit.id} at {each}" for each in legal[:3]),
            )
        entry, cost = GRID.index(hex), reinforcement.entry_cost(hex, unit.motor)
        wanted = [self._index(each) for each in path]
        if wanted and wanted[0] == entry:
            wanted = wanted[1:]
        points = max(0, 2 * unit.allowance - cost)
        table, way, spent = self.table(unit), [entry], 0
        for goal in wanted:
            reach = table.reach(way[-1], points - spent)
            if len(wanted) > 1 and GRID.steps(way[-1], goal) == 1:
                price = table.cost(way[-1], goal)
                if price is None or spent + price > points:
                    raise self._too_far(unit, table, way, spent, points, goal)
                way.append(goal)
                spent += price
            elif goal in reach:
                way.extend(reach.path_to(goal)[1:])
                spent += reach.costs[goal]
            else:
                raise self._too_far(unit, table, way, spent, points, goal)
        route = Route(tuple(way), cost + spent)
        self._check_supply(unit, route)
        return route

    # --- breaking and building ---

    def _check_break(self, id: str, parts: int | None) -> None:
        unit = self._on_map(id)
        names = stacking.parts_of(unit)
        if not names:
            raise NotAllowed(f"{id} ({unit.kind}) does not break down", "STK.B")
        if unit.inverted:
            raise NotAllowed(f"{id} is inverted and does not break down", "INV.1C")
        if parts is not None and parts != len(names):
            raise NotAllowed(f"{id} breaks down into {len(names)}, not {parts}", "STK.B", legal=(f"break {id}",))
        hex, moved = unit.placed, id in self.moved
        if moved and not stacking.holds(hex, *self._sizes(hex, [unit], 0, len(names))):
            raise NotAllowed(f"{hex} may hold {stacking.limit_in_words(hex)}, and {id} has moved", "STK.A")

    def _sizes(self, hex: Hex, without: Sequence[Unit], regiments: int, battalions: int) -> tuple[int, int]:
        """How many regiments and battalions a hex holds without some units and with some more."""
        left = [unit.size for unit in self.mine.get(hex, ()) if unit not in without and not unit.inverted]
        return left.count("regiment") + regiments, left.count("battalion") + battalions

    def _check_build(self, units: Sequence[Unit]) -> None:
        kind = stacking.whole_of(units)
        if len({entrenchment.resting(self.state, unit) for unit in units}) > 1:
            raise NotAllowed("units that are digging in are rebuilt only with others that are", "ENT")
        if len({unit.never_supplied for unit in units}) > 1:
            raise NotAllowed("parachute units that were never in supply are rebuilt only with their like", "MOV.M")
        moved = any(unit.id in self.moved for unit in units)
        regiments, battalions = (1, 0) if kind.size == "regiment" else (0, 1)
        hex = units[0].placed
        if moved and not stacking.holds(hex, *self._sizes(hex, units, regiments, battalions)):
            raise NotAllowed(f"{hex} may hold {stacking.limit_in_words(hex)}", "STK.A")

    # --- carrying out ---

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        match order:
            case Move(units, path):
                self._go([(self.state.units[id], self.route(self.state.units[id], path)) for id in dict.fromkeys(units)])
            case Exit(units, hex):
                self._leave([self.state.units[id] for id in dict.fromkeys(units)], hex)
            case Enter(units, hex, path):
                coming = [self.state.units[id] for id in dict.fromkeys(units)]
                self._enter([(unit, self.entry_route(unit, hex, path)) for unit in coming])
            case Break(id):
                self._break(self.state.units[id])
            case Build(units):
                self._build([self.state.units[id] for id in dict.fromkeys(units)])
            case Disentrench(hex):
                entrenchment.disentrench(self.state, hex)

    def _put(self, unit: Unit, route: Route) -> None:
        """A unit goes its way and stays at its end."""
        hexes = route.hexes
        if unit.place == "map":
            self.mine[unit.placed].remove(unit)
            self._recount(unit.placed)
            hexes = hexes[1:]
        unit.place, unit.hex, unit.beach, unit.inverted = "map", GRID.ids[route.path[-1]], "", False
        self.mine.setdefault(unit.hex, []).append(unit)
        self._recount(unit.hex)
        self.moved[unit.id] = None
        self.state.announced.pop(unit.id, None)
        victory.pass_through(self.state, self.side, hexes)  # VIC.C
        supply.entered(self.state, unit, hexes)  # SUP.H

    def _go(self, routes: Sequence[tuple[Unit, Route]]) -> None:
        for (path, spent, points, landing), together in groupby(routes, self._manner):
            units = [unit for unit, _ in together]
            if landing:
                self._tell_landing(units, GRID.ids[path[0]])
            if len(path) > 1:
                self._tell_move(units, Route(path, spent), points)
        for unit, route in routes:
            self._put(unit, route)

    def _manner(self, item: tuple[Unit, Route]) -> tuple[tuple[int, ...], int, int, bool]:
        unit, route = item
        return route.path, route.spent, self.start(unit)[1], unit.place == "box"

    def _tell_landing(self, units: Sequence[Unit], hex: Hex) -> None:
        for how, alike in groupby(units, lambda unit: unit.entry):
            names = tuple(unit.id for unit in alike)
            self.state.note(Landed(case="INV.2", side=self.side, names=names, hex=hex, how=how or "reinforcement"))

    def _tell_move(self, units: Sequence[Unit], route: Route, points: int) -> None:
        """A move is seen by both sides; the points only by the owner, because a halved allowance tells of supply."""
        for seat in ("allied", "german"):
            own = seat == self.side
            self.state.note(
                Moved(
                    case="MOV",
                    readers=(seat,),
                    side=self.side,
                    names=names_for(units, seat),
                    path=route.hexes,
                    points=route.spent / 2 if own else 0.0,
                    of=points / 2 if own else 0.0,
                )
            )

    def _enter(self, routes: Sequence[tuple[Unit, Route]]) -> None:
        for path, together in groupby(routes, lambda item: item[1].hexes):
            tell(
                self.state,
                [unit for unit, _ in together],
                lambda names, readers, path=path: Entered(  # type: ignore[misc]
                    case="OOB.R", readers=readers, side=self.side, names=names, path=path
                ),
            )
        for unit, route in routes:
            self._put(unit, route)

    def _leave(self, units: Sequence[Unit], hex: Hex) -> None:
        """VIC.X, SUP.J Units leave the map by a road, which the Germans cannot use for supply from now on."""
        edge = EXITS[hex]
        for unit in units:
            route = self._check_exit(unit, hex)
            if len(route.path) > 1:
                self._tell_move([unit], route, self.start(unit)[1])
            self._put(unit, route)
            self.mine[hex].remove(unit)
            self._recount(hex)
            unit.place, unit.hex, unit.edges = "exited", None, (edge,)
            if edge != "north" or self.state.turn <= CHARTS.victory.north_before_end_of:
                self.state.exits.setdefault(edge, []).append(unit.id)
        if hex not in self.state.closed_roads:
            self.state.closed_roads.append(hex)
        self.state.note(
            Exited(case="VIC.X", side=self.side, names=tuple(unit.id for unit in units), hex=hex, edge=edge)
        )

    def _break(self, unit: Unit) -> None:
        hex = unit.placed
        parts = stacking.break_down(self.state, unit)
        self._replace([unit], parts, hex)

    def _build(self, units: Sequence[Unit]) -> None:
        hex = units[0].placed
        self._replace(units, [stacking.rebuild(self.state, units)], hex)

    def _replace(self, old: Sequence[Unit], new: Sequence[Unit], hex: Hex) -> None:
        """STK.D Units take the place of others, with what they have done and what they may do (MOV.H)."""
        self.mine[hex] = [unit for unit in self.mine[hex] if unit not in old] + list(new)
        self._recount(hex)
        moved = any(unit.id in self.moved for unit in old)
        supplied = all(self.supplied.get(unit.id, True) for unit in old)
        announced = [self.state.announced.pop(unit.id) for unit in old if unit.id in self.state.announced]
        retreated = any(unit.id in self.state.retreated for unit in old)
        for unit in new:
            self.supplied[unit.id] = supplied
            if moved:
                self.moved[unit.id] = None
            if len(announced) == len(old):
                self.state.announced[unit.id] = announced[0]
            if retreated:
                self.state.retreated.append(unit.id)
        tell_regrouping(self.state, self.side, old, new, hex)

    # --- the end of the phase ---

    def _check_end(self) -> None:
        """STK.A, INV.1C Nobody stops while a hex holds too much and somebody can still leave it. Raises NotAllowed."""
        for hex in self._overfull():
            legal = [
                f"move {unit.id} to {GRID.named(ends)[0]}"
                for unit in self.mine[hex]
                if self.fault(unit) is None and (ends := self.destinations(unit))
            ]
            if legal:
                text = f"{hex} holds too many units: it may hold {stacking.limit_in_words(hex)}"
                raise NotAllowed(text, "STK.A", legal=tuple(legal[:3]))

    def _overfull(self) -> list[Hex]:
        """Hexes that hold too much; inverted units count where they should have sorted themselves out by now."""
        return [hex for hex, units in self.mine.items() if not stacking.holds(hex, *self._counted(units))]

    def _counted(self, units: Sequence[Unit]) -> tuple[int, int]:
        counted = [unit.size for unit in units if not unit.inverted or self._must_sort_out(unit)]
        return counted.count("regiment"), counted.count("battalion")

    def _must_sort_out(self, unit: Unit) -> bool:
        """INV.1C An inverted unit must find room by the end of the first movement phase in which it is supplied and may move."""
        return self.supplied.get(unit.id, True) and not (self.landing_day and not self.second)

    def end(self) -> None:
        """The phase is over: who waits in a beach box lands, who finds no room is lost, empty markers go."""
        for unit in [unit for unit in self.state.units.values() if unit.place == "box" and unit.side == self.side]:
            self._land_at_last(unit)
        for hex in self._overfull():
            self._thin_out(hex)
        for units in self.mine.values():
            self._turn_upright(units)
        entrenchment.remove_empty(self.state)

    def _land_at_last(self, unit: Unit) -> None:
        """INV.2 A unit that was not moved out of its box lands on the beach if there is room, and else goes on waiting.

        If a German has taken the beach, it is free to arrive elsewhere (SUP.H).
        """
        here = GRID.index(BEACHES[unit.beach])
        if self._lost_beach(unit):
            unit.place, unit.beach = "later", ""
        elif not self.full[unit.size] >> here & 1:
            self._go([(unit, Route((here,), 0))])

    def _thin_out(self, hex: Hex) -> None:
        """INV.1C, STK.A Units too many that cannot move are lost, inverted ones first, then the last to come."""
        units = self.mine[hex]
        while not stacking.holds(hex, *self._counted(units)):
            unit = next((unit for unit in reversed(units) if unit.inverted), units[-1])
            units.remove(unit)
            case, why = ("INV.1C", "inverted") if unit.inverted else ("STK.A", "no room")
            paratroops.remove(self.state, unit, case, why)
        self._recount(hex)

    def _turn_upright(self, units: Sequence[Unit]) -> None:
        """INV.1C When all units of a hex have room again, none stays inverted."""
        inverted = [unit for unit in units if unit.inverted]
        sizes = [unit.size for unit in units]
        if inverted and stacking.holds(units[0].placed, sizes.count("regiment"), sizes.count("battalion")):
            for unit in inverted:
                unit.inverted = False


def tell_regrouping(state: State, side: Side, old: Sequence[Unit], new: Sequence[Unit], hex: Hex) -> None:
    """STK.B, STK.E Breaking down is seen by both sides, unless it happens under a marker (ENT.B)."""
    case = "STK.B" if len(new) > 1 else "STK.E"
    hidden = state.entrenchments.get(hex) == side
    for seat in (side,) if hidden else ("allied", "german"):
        state.note(
            Broken(case=case, readers=(seat,), side=side, names=names_for(old, seat), into=names_for(new, seat), hex=hex)
        )
