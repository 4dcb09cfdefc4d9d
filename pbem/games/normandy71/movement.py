"""Movement (MOV): the four movement phases, order by order: moving, landing, entering and leaving the map,
breaking down and rebuilding.

How far units can go is in reach.py.

A unit that has moved stays where it is for the rest of the phase, and so do its parts (MOV.H). Breaking down
before the move has the same effect as in mid-move, and so has rebuilding at its end (STK.C, STK.E).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.normandy71 import entrenchment, paratroops, preview, reinforcement, stacking, supply, victory
from pbem.games.normandy71.disclosure import disclose, names_for
from pbem.games.normandy71.notes import Broken, Entered, Exited, Landed, Moved
from pbem.games.normandy71.orders import Break, Build, Disentrench, Enter, Exit, Move
from pbem.games.normandy71.reach import Route, UnitReach, nearest
from pbem.games.normandy71.state import Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, EXITS, GRID

# --- the four phases ------------------------------------------------------------------------------------


async def allied_first_movement(state: State) -> None:
    """SEQ Allied first movement; on game-turn 1 the first wave lands (INV.2)."""
    await write(Movement(state, "allied", second=False))


async def allied_second_movement(state: State) -> None:
    """SEQ Allied second movement, with the reinforcements waiting at the beaches (INV.4)."""
    await write(Movement(state, "allied", second=True))


async def german_first_movement(state: State) -> None:
    """SEQ German first movement, with reinforcements (OOB.R)."""
    await write(Movement(state, "german", second=False))


async def german_second_movement(state: State) -> None:
    """SEQ German second movement. After that of game-turn 3 unsupplied parachute units are lost (PAR.D)."""
    await write(Movement(state, "german", second=True))
    paratroops.judge_supply(state)
    paratroops.cull(state)


# --- one phase ----------------------------------------------------------------------------------------


@dataclass(eq=False)
class Movement(UnitReach, Desk[Order]):
    """MOV, MOV.B One movement phase of one side, order by order. The side is always asked: whether any of its
    units can move depends on supply and on units still to come, which are secret."""

    case = "MOV"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seat = self.side

    @property
    def section(self) -> str:
        return "movement 2" if self.second else "movement"

    @property
    def what(self) -> str:
        return f"{self.side} {'second' if self.second else 'first'} movement"

    @property
    def takes(self) -> tuple[type[Order], ...]:
        return (Move, Exit if self.side == "allied" else Enter, Break, Build, Disentrench)

    # --- what may be ordered ---

    def subjects(self) -> tuple[str, ...]:
        """The units that can still move, land, enter or leave."""
        return tuple(unit.id for unit in self.unmoved() if self._can_act(unit))

    def _can_act(self, unit: Unit) -> bool:
        if unit.place == "later":
            return bool(self._entries(unit))
        return bool(self.destinations(unit)) or bool(self._ways_out(unit))

    def options(self, subject: str) -> Sequence[Order]:
        """The legal orders of one unit that keep every hex within its limit. It may also pass through full
        hexes, or move into one that others can still leave: `check` accepts this, but it is not listed."""
        unit = self.state.units[subject]
        if self.fault(unit):
            return ()
        if unit.place == "later":
            return self._entries(unit)
        moves: list[Order] = [Move((subject,), (hex,)) for hex in GRID.named(self.destinations(unit))]
        return [*moves, *self._ways_out(unit), *self._regroupings(unit)]

    def _ways_out(self, unit: Unit) -> list[Exit]:
        if self.side != "allied":
            return []
        return [Exit((unit.id,), hex) for hex in EXITS if self._exit_route(unit, hex) is not None]

    def _regroupings(self, unit: Unit) -> list[Order]:
        """STK.B, STK.E The orders that break a unit down, or rebuild one from it, and keep its hex within the
        limit."""
        found: list[Order] = []
        if unit.place != "map" or unit.inverted:
            return found
        here = self.mine[unit.placed]
        sizes = [other.size for other in here if other is not unit and not other.inverted]
        parts = stacking.parts_of(unit)
        if parts and stacking.holds(
            unit.placed, sizes.count("regiment"), sizes.count("battalion") + len(parts)
        ):
            found.append(Break(unit.id))
        for count in (2, 3):
            mates = [
                other
                for other in here
                if other.type == unit.type and other.part_of and other.size == "battalion"
            ]
            group = [unit, *[other for other in mates if other is not unit]][:count]
            if unit.part_of and len(group) == count and self._can_build(group):
                found.append(Build(tuple(each.id for each in group)))
        return found

    def _can_build(self, group: Sequence[Unit]) -> bool:
        try:
            self._check_build(group)
        except NotAllowed:
            return False
        others = [
            other.size for other in self.mine[group[0].placed] if other not in group and not other.inverted
        ]
        return stacking.holds(group[0].placed, others.count("regiment") + 1, others.count("battalion"))

    def room(self, hex: Hex) -> int:
        """STK.A The room that is left in a hex. One without any may still be entered if others can leave it
        (MOV.F)."""
        return stacking.room(hex, self.mine.get(hex, ()))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    # --- checking orders ---

    def check(self, order: Order | None) -> None:
        """Refuse an order that a rule forbids now. Raises NotAllowed."""
        match order:
            case None:
                self._check_end()
            case Move(units, path):
                for unit in self._named(units):
                    self._check_afoot(unit, path[-1])
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
            raise self._unknown(id)
        return unit

    def _unknown(self, id: str) -> NotAllowed:
        """Why the side has no such unit: it has been broken down, or is part of a unit that has not."""
        own = [unit for unit in self.state.units.values() if unit.side == self.side]
        if parts := [unit.id for unit in own if unit.part_of == id]:
            return NotAllowed(f"{id} is broken down into {', '.join(parts)}", "STK.D")
        for unit in own:
            if unit.place == "map" and id in stacking.names_of_parts(self.state, unit):
                return NotAllowed(f"{unit.id} is not broken down", "STK.D", legal=(f"break {unit.id}",))
        return NotAllowed(f"{id} is not one of your units", "MOV")

    def _on_map(self, id: str) -> Unit:
        unit = self._own(id)
        if unit.place != "map":
            raise NotAllowed(f"{id} {unit.absence}", "MOV")
        return unit

    def _named(self, ids: Iterable[str]) -> list[Unit]:
        """The units of an order. Raises NotAllowed if one of them may not move."""
        units = [self._own(id) for id in dict.fromkeys(ids)]
        for unit in units:
            if fault := self.fault(unit):
                raise fault
        return units

    def _check_afoot(self, unit: Unit, goal: Hex) -> None:
        if unit.place == "later":
            entries = reinforcement.entry_hexes(unit.edges, self.enemy | self.zone)
            legal = tuple(f"enter {unit.id} at {hex}" for hex in nearest(goal, entries))
            raise NotAllowed(f"{unit.id} is not on the map yet: it must enter first", "OOB.R", legal=legal)

    def _check_room(self, ids: Iterable[str], route: Route) -> None:
        """MOV.F, STK.A A move may end in a full hex only if others can still leave it."""
        hex = GRID.ids[route.path[-1]]
        coming = [self.state.units[id] for id in dict.fromkeys(ids)]
        there = [other for other in self.mine.get(hex, ()) if other not in coming]
        if stacking.within_limit(hex, [*there, *coming]):
            return
        staying = [other for other in there if not self._can_leave(other)]
        if not stacking.within_limit(hex, [*staying, *coming]):
            raise NotAllowed(
                f"{hex} would exceed its stacking limit: {stacking.limit_in_words(hex)}", "STK.A"
            )

    def _can_leave(self, unit: Unit) -> bool:
        return self.fault(unit) is None and self._can_act(unit)

    # --- leaving and entering ---

    def _check_exit(self, unit: Unit, hex: Hex) -> Route:
        if self.side != "allied":
            raise NotAllowed("only Allied units exit the map", "VIC.X")
        if hex not in EXITS:
            raise NotAllowed(f"no road leaves the map at {hex}", "VIC.X", legal=tuple(EXITS))
        route = self._exit_route(unit, hex)
        if route is None:
            legal = tuple(f"exit {unit.id} at {other.hex}" for other in self._ways_out(unit))
            raise NotAllowed(
                f"{unit.id} cannot reach {hex} in supply and exit by its road", "VIC.X", legal=legal
            )
        return route

    def _entries(self, unit: Unit) -> list[Order]:
        """OOB.R The orders by which a German reinforcement can enter and go on to every hex in reach."""
        known = self._entry_ways(unit.edges, unit.motor, unit.allowance)
        open_to = ~self.full[unit.size] & self.ends(unit)
        found: list[Order] = []
        for end, entry in known.items():
            if open_to >> end & 1:
                path = () if end == entry else (GRID.ids[end],)
                found.append(Enter((unit.id,), GRID.ids[entry], path))
        return found

    # --- breaking and building ---

    def _check_break(self, id: str, parts: int | None) -> None:
        unit = self._on_map(id)
        names = stacking.parts_of(unit)
        if not names:
            raise NotAllowed(f"{id} ({unit.kind}) does not break down", "STK.B")
        if unit.inverted:
            raise NotAllowed(f"{id} is inverted and cannot be broken down", "INV.1C")
        if parts is not None and parts != len(names):
            raise NotAllowed(
                f"{id} breaks down into {len(names)} parts, not {parts}", "STK.B", legal=(f"break {id}",)
            )
        hex, moved = unit.placed, id in self.moved
        if moved and not stacking.holds(hex, *self._sizes(hex, [unit], 0, len(names))):
            raise NotAllowed(
                f"{id} has already moved, and its parts would exceed the stacking limit of {hex}", "STK.A"
            )

    def _sizes(self, hex: Hex, without: Sequence[Unit], regiments: int, battalions: int) -> tuple[int, int]:
        """The regiments and battalions in a hex without some units and with some more."""
        left = [unit.size for unit in self.mine.get(hex, ()) if unit not in without and not unit.inverted]
        return left.count("regiment") + regiments, left.count("battalion") + battalions

    def _check_build(self, units: Sequence[Unit]) -> None:
        kind = stacking.whole_of(units)
        if len({entrenchment.resting(self.state, unit) for unit in units}) > 1:
            raise NotAllowed("entrenching units can be rebuilt only with other entrenching units", "ENT")
        if len({unit.never_supplied for unit in units}) > 1:
            raise NotAllowed(
                "parachute units that have never been in supply can be rebuilt only with others like them",
                "MOV.M",
            )
        moved = any(unit.id in self.moved for unit in units)
        regiments, battalions = (1, 0) if kind.size == "regiment" else (0, 1)
        hex = units[0].placed
        if moved and not stacking.holds(hex, *self._sizes(hex, units, regiments, battalions)):
            raise NotAllowed(
                f"{hex} would exceed its stacking limit: {stacking.limit_in_words(hex)}", "STK.A"
            )

    # --- what comes of it ---

    def offer(self, order: Order) -> Offer:
        """MOV.A, COM.J, SUP.K The path and cost of a move, an entry or an exit; of a move also warnings about
        the hex where it ends."""
        if not isinstance(order, Move | Enter | Exit):
            return super().offer(order)
        units = [self.state.units[id] for id in dict.fromkeys(order.units)]
        ways = [self._way(unit, order) for unit in units]
        if not isinstance(order, Move):
            return preview.on_the_way(ways)
        end = ways[0][0].hexes[-1]
        return preview.on_the_way(ways, preview.warnings(self.state, units, end, self.zone, self.area))

    def _way(self, unit: Unit, order: Move | Enter | Exit) -> tuple[Route, int]:
        """The path of a unit by an order, and the half points it has for it."""
        match order:
            case Move(_, path):
                return self.route(unit, path), self.start(unit)[1]
            case Enter(_, hex, path):
                return self.entry_route(unit, hex, path), 2 * unit.allowance
            case Exit(_, hex):
                return self._check_exit(unit, hex), self.start(unit)[1]

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        match order:
            case Move(units, path):
                self._go(
                    [
                        (self.state.units[id], self.route(self.state.units[id], path))
                        for id in dict.fromkeys(units)
                    ]
                )
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
        self._routes.clear()

    def settle(self, order: Order) -> Order:
        """A move with every hex of its path, if all its units take the same one."""
        if isinstance(order, Move):
            ways = {self.route(self.state.units[id], order.path).hexes[1:] for id in order.units}
            if len(ways) == 1 and (way := ways.pop()):
                return Move(order.units, way)
        return order

    def _put(self, unit: Unit, route: Route) -> None:
        """Move a unit to the end of its path."""
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
            self.state.note(
                Landed(
                    case="INV.2" if how == "invasion" else "INV.4",
                    side=self.side,
                    names=names,
                    hex=hex,
                    how=how or "reinforcement",
                )
            )

    def _tell_move(self, units: Sequence[Unit], route: Route, points: int) -> None:
        """Both sides see a move; only its owner sees the points, because a halved allowance reveals
        supply."""
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
            disclose(
                self.state,
                [unit for unit, _ in together],
                lambda names, readers, path=path: Entered(  # type: ignore[misc]
                    case="OOB.R", readers=readers, side=self.side, names=names, path=path
                ),
            )
        for unit, route in routes:
            self._put(unit, route)

    def _leave(self, units: Sequence[Unit], hex: Hex) -> None:
        """VIC.X, SUP.J Units exit by a road, which the Germans cannot use for supply from now on."""
        edge = EXITS[hex]
        for unit in units:
            route = self._check_exit(unit, hex)
            if len(route.path) > 1:
                self._tell_move([unit], route, self.start(unit)[1])
            self._put(unit, route)
            self.mine[hex].remove(unit)
            self._recount(hex)
            unit.place, unit.hex, unit.edges = "exited", None, (edge, hex)
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
        """STK.D Put units in the place of others; they keep what these have done this phase (MOV.H)."""
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
        """STK.A, INV.1C The phase may not end while a hex is above its limit and a unit can still leave it.
        Raises NotAllowed."""
        for hex in self._overfull():
            ways = [way for unit in self._last_to_come(hex) for way in self._ways_off(unit)[:1]]
            if ways:
                names = ", ".join(way.units[0] for way in ways)
                limit = stacking.limit_in_words(hex)
                text = f"{hex} exceeds its stacking limit ({limit}); {names} can still leave it"
                legal = tuple(_in_words(way) for way in ways[:3])
                raise NotAllowed(text, "STK.A", legal=legal)

    def least(self) -> Iterator[Order]:
        """STK.A, INV.1C The orders that take units out of hexes above their limit: the last to arrive first,
        each by the cheapest path."""
        for hex in self._overfull():
            for unit in self._last_to_come(hex):
                yield from self._ways_off(unit)

    def _last_to_come(self, hex: Hex) -> list[Unit]:
        """INV.1C The units in a hex in the order in which they must leave it: inverted ones, then the last to
        arrive."""
        return sorted(self.mine[hex], key=lambda unit: unit.inverted)[::-1]

    def _ways_off(self, unit: Unit) -> list[Move | Exit]:
        """The orders that take a unit out of its hex, the cheapest first and exits last."""
        if self.fault(unit):
            return []
        reach = self.reach(unit)
        costs = {
            hex: reach.costs[at] if (at := GRID.index(hex)) in reach else self.allowance(unit)
            for hex in GRID.named(self.destinations(unit))
        }
        near = sorted(costs, key=lambda hex: (costs[hex], GRID.distance(hex, unit.placed), hex))
        return [*(Move((unit.id,), (hex,)) for hex in near), *self._ways_out(unit)]

    def _overfull(self) -> list[Hex]:
        """The hexes above their limit. Inverted units count once they should have found room."""
        return [hex for hex, units in self.mine.items() if not stacking.holds(hex, *self._counted(units))]

    def _counted(self, units: Sequence[Unit]) -> tuple[int, int]:
        counted = [unit.size for unit in units if not unit.inverted or self._must_sort_out(unit)]
        return counted.count("regiment"), counted.count("battalion")

    def _must_sort_out(self, unit: Unit) -> bool:
        """INV.1C An inverted unit must find room by the end of the first movement phase that it begins in
        supply and free to move."""
        return self.supplied.get(unit.id, True) and not (self.landing_day and not self.second)

    def close(self) -> None:
        """End the phase: units in beach boxes land, units without room are lost, empty markers are
        removed."""
        for unit in [
            unit for unit in self.state.units.values() if unit.place == "box" and unit.side == self.side
        ]:
            self._land_at_last(unit)
        for hex in self._overfull():
            self._thin_out(hex)
        for units in self.mine.values():
            self._turn_upright(units)
        entrenchment.remove_empty(self.state)

    def _land_at_last(self, unit: Unit) -> None:
        """INV.2 Land a unit that has not moved out of its box on its beach if there is room; if not, it
        waits.

        If a German has been on the beach, the unit may arrive elsewhere as a reinforcement (SUP.H)."""
        here = GRID.index(BEACHES[unit.beach])
        if self._lost_beach(unit):
            unit.place, unit.beach, unit.entry = "later", "", "reinforcement"
        elif not self.full[unit.size] >> here & 1 or (self.landing_day and self._jumpers_on(unit.beach)):
            self._go([(unit, Route((here,), 0))])
            paratroops.invert_excess(self.state, unit.placed)

    def _jumpers_on(self, beach: str) -> bool:
        """INV.1C Whether a beach has scattered parachute units that can be inverted to make room."""
        return any(
            unit.entry == "paradrop" and not unit.inverted for unit in self.mine.get(BEACHES[beach], ())
        )

    def _thin_out(self, hex: Hex) -> None:
        """INV.1C, STK.A Surplus units that cannot move are lost: inverted ones first, then the last to
        arrive."""
        units = self.mine[hex]
        while not stacking.holds(hex, *self._counted(units)):
            unit = next((unit for unit in reversed(units) if unit.inverted), units[-1])
            units.remove(unit)
            case, why = ("INV.1C", "inverted") if unit.inverted else ("STK.A", "no room")
            paratroops.remove(self.state, unit, case, why)
        self._recount(hex)

    def _turn_upright(self, units: Sequence[Unit]) -> None:
        """INV.1C Turn inverted units upright when all units in their hex have room."""
        inverted = [unit for unit in units if unit.inverted]
        sizes = [unit.size for unit in units]
        if inverted and stacking.holds(units[0].placed, sizes.count("regiment"), sizes.count("battalion")):
            for unit in inverted:
                unit.inverted = False


def _in_words(way: Move | Exit) -> str:
    """An order as it is written in a letter."""
    if isinstance(way, Exit):
        return f"exit {way.units[0]} at {way.hex}"
    return f"move {way.units[0]} to {way.path[-1]}"


def tell_regrouping(state: State, side: Side, old: Sequence[Unit], new: Sequence[Unit], hex: Hex) -> None:
    """STK.B, STK.E Log a breakdown or rebuilding for both sides, or only its owner under a marker (ENT.B)."""
    case = "STK.B" if len(new) > 1 else "STK.E"
    hidden = state.entrenchments.get(hex) == side
    for seat in (side,) if hidden else ("allied", "german"):
        state.note(
            Broken(
                case=case,
                readers=(seat,),
                side=side,
                names=names_for(old, seat),
                into=names_for(new, seat),
                hex=hex,
            )
        )
