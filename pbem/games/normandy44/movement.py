"""Movement (2.6, 3.1, 5): the movement half of an activation, order by order: activating, landing, entering,
moving and leaving the map.

How far units may go is in reach.py, which units may act in phase A in offensive.py. Stacking is ignored
on the way (3.1): a full hex may be entered for good as long as others there can still leave it,
and movement cannot end while one exceeds its limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import flood
from pbem.engine.language import Order
from pbem.engine.wording import count
from pbem.games.normandy44 import control, headquarters, losses, reinforcement, stacking, zones
from pbem.games.normandy44.notes import Entered, Exited, Landed, Moved
from pbem.games.normandy44.offensive import Offensive
from pbem.games.normandy44.orders import Activate, Enter, Exit, Land, Move
from pbem.games.normandy44.reach import EDGES, Route, UnitReach, edge_of
from pbem.games.normandy44.state import ENEMY, Unit
from pbem.games.normandy44.tables import GRID, Army, Hex
from pbem.wargame.counters import of_side

REACTION_RANGE = 2
"""15.0 Germans within this many hexes of an Allied unit react to the landing."""

PLACES = ("map", "reserve", "track")
"""Where units are that can move."""

Site = tuple[str, Hex, int]
"""A place to land: what its capacity is kept under, its hex, the stacking points that it costs."""


@dataclass
class Movement(UnitReach):
    """The movement of one side in one activation."""

    def __post_init__(self) -> None:
        UnitReach.__post_init__(self)
        state = self.state
        self.moved: dict[str, None] = {}
        self.arrived: dict[str, None] = {}
        self.offensive = Offensive(state, self.side) if self.phase == "A" else None
        self.reacting = flood(GRID.spread, zones.occupied(state, ENEMY[self.side]), GRID.all, REACTION_RANGE)
        self.mine: dict[Hex, list[Unit]] = {}
        for unit in state.on_map(self.side):
            self.mine.setdefault(unit.placed, []).append(unit)
        self._open_sites: dict[Army, dict[str, tuple[Hex, ...]]] = {}
        self._full = dict.fromkeys(stacking.WEIGHTS, 0)
        for hex in self.mine:
            self._count(hex)

    def _count(self, hex: Hex) -> None:
        """3.1 Note what a hex has no room for."""
        bit, here = 1 << GRID.index(hex), stacking.load(self.mine.get(hex, ()))
        for more in stacking.WEIGHTS:
            if stacking.holds(here, more):
                self._full[more] &= ~bit
            else:
                self._full[more] |= bit

    # --- who may move ---

    def fault(self, unit: Unit) -> NotAllowed | None:
        """Why a unit of the side may not move, land or enter now, None if it may."""
        if unit.id in self.moved:
            return NotAllowed(f"{unit.id} has already moved in this phase", "5.1")
        match unit.place:
            case "map":
                return self._place_fault(unit)
            case "reserve" if self.phase == "A" and unit.phase == "B":
                return NotAllowed(f"{unit.id} cannot land before phase B this turn", "2.5")
            case "track" if not unit.ready:
                return NotAllowed(f"{unit.id} is still on its way to the map", "11.1")
            case "reserve" | "track" if self.phase != "reaction":
                return None
        return NotAllowed(f"{unit.id} is not on the map", "5.1")

    def _place_fault(self, unit: Unit) -> NotAllowed | None:
        if unit.fixed:
            return NotAllowed(f"{unit.id} is a beach garrison and cannot move", "E8")
        if self.phase == "reaction":
            return self.reaction_fault(unit)
        return self.offensive.fault(unit, moving=True) if self.offensive else None

    def reaction_fault(self, unit: Unit) -> NotAllowed | None:
        """15.0 Why a German unit may not react to the landing, None if it may."""
        if self.reacting >> GRID.index(unit.placed) & 1:
            return None
        return NotAllowed(
            f"{unit.id} in {unit.placed} is not within {REACTION_RANGE} hexes of an Allied unit", "15.0"
        )

    def _own(self, id: str) -> Unit:
        return self.state.own(id, of_side(self.side), "5.1")

    def _named(self, ids: Iterable[str], *places: str) -> list[Unit]:
        """The units of an order, which must be in one of these places and able to move. Raises NotAllowed."""
        units = [self._own(id) for id in dict.fromkeys(ids)]
        for unit in units:
            if unit.place not in places:
                raise self._elsewhere(unit)
            if fault := self.fault(unit):
                raise fault
        return units

    def _elsewhere(self, unit: Unit) -> NotAllowed:
        """Why an order does not fit the place where a unit is."""
        options = [
            order for order in self.options(unit.id) if isinstance(order, Land | Enter) and not order.path
        ]
        legal = tuple(f"{order.verb} {unit.id} at {order.hex}" for order in options[:3])
        where = {
            "map": "is already on the map",
            "reserve": "is in the reserve: it must land first",
            "track": "is on the strategic movement track: it must enter first",
        }
        return NotAllowed(f"{unit.id} {where.get(unit.place, 'is not on the map')}", "5.1", legal=legal)

    # --- what is asked ---

    def able(self) -> Iterator[str]:
        """The units that can still move, land, enter or leave."""
        own = (unit for unit in self.state.units.values() if unit.side == self.side)
        return (unit.id for unit in own if unit.place in PLACES and self._can_go(unit))

    def _can_go(self, unit: Unit) -> bool:
        if self.fault(unit):
            return False
        if unit.place == "reserve":
            return any(True for _ in self._sites(unit))
        if unit.place == "track":
            return bool(reinforcement.entry_hexes(self.state, unit))
        return bool(self.destinations(unit)) or bool(self._exits(unit))

    def options(self, subject: str) -> Sequence[Order]:
        """The legal orders of one unit that leave every hex within its limit. A unit may also pass through
        full hexes, or be moved into one that others can still leave: that is checked, not listed."""
        unit = self.state.units[subject]
        if self.fault(unit):
            return ()
        if unit.place == "reserve":
            return self._landings(unit)
        if unit.place == "track":
            return self._entries(unit)
        free = self.destinations(unit)
        moves: list[Order] = [Move((subject,), (hex,)) for hex in GRID.named(free)]
        if self.phase != "reaction" and self.step_fault(unit) is None:
            dear = self._room(unit, self.ends(unit, self.start(unit), step=True)) & ~free
            moves += [Move((subject,), (hex,), True) for hex in GRID.named(dear)]
        return [*moves, *self._exits(unit)]

    def destinations(self, unit: Unit) -> int:
        """5 The hexes where a unit on the map can go now and stay, at no cost of a step."""
        return self._room(unit, self.ends(unit, self.start(unit)))

    def _room(self, unit: Unit, ends: int) -> int:
        """3.1 Those of the hexes that have room for a unit, without its own hex."""
        here = 1 << GRID.index(unit.placed) if unit.place == "map" else 0
        return ends & ~self._full.get(stacking.weight(unit), 0) & ~here

    def _sites(self, unit: Unit) -> Iterable[Site]:
        """11.2, 14.0 Where a unit of the reserve can land with the capacity that is left."""
        if unit.army not in self._open_sites:
            self._open_sites[unit.army] = reinforcement.open_sites(self.state, unit.army)
        return reinforcement.sites(self.state, unit, self.phase, self._open_sites[unit.army])

    def _landings(self, unit: Unit) -> list[Order]:
        found: list[Order] = []
        for hex, site in {hex: site for site, hex, _ in reversed(list(self._sites(unit)))}.items():
            start = self.start_ashore(unit, hex, site)
            for end in GRID.named(self._room(unit, self.ends(unit, start))):
                found.append(Land((unit.id,), hex, () if end == hex else (end,)))
        return found

    def _entries(self, unit: Unit) -> list[Order]:
        """11.1 Each road, and on from it every hex that no other road led to before."""
        found: list[Order] = []
        known = 0
        for hex in reinforcement.entry_hexes(self.state, unit):
            ends = self._room(unit, self.ends(unit, self.start_by_road(unit, hex))) & ~known
            known |= ends
            for end in GRID.named(ends):
                found.append(Enter((unit.id,), hex, () if end == hex else (end,)))
        return found

    def _exits(self, unit: Unit) -> list[Exit]:
        """S2 Where a unit can leave the map now."""
        if self._exit_fault(unit):
            return []
        start = self.start(unit)
        edge = (EDGES["L"] | EDGES["east"] | EDGES["south"]) & self.ends(unit, start)
        return [Exit((unit.id,), hex) for hex in GRID.named(edge) if self.way_off(unit, hex)]

    # --- checking orders ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case None:
                self._check_end()
            case Activate(ids, hq):
                self._check_activate(ids, hq)
            case Move(ids, _, step):
                units = self._named(ids, "map")
                self._plan(units)
                for unit in units:
                    if step and (fault := self.step_fault(unit)):
                        raise fault
                    self._check_room(units, self._route(unit, order))
            case Land(ids, hex):
                units = self._named(ids, "reserve")
                self._paying(units, hex)
                for unit in units:
                    self._check_room(units, self._route(unit, order))
            case Enter(ids):
                units = self._named(ids, "track")
                for unit in units:
                    self._check_room(units, self._route(unit, order))
            case Exit(ids, hex):
                units = self._named(ids, "map")
                self._plan(units)
                for unit in units:
                    self._check_exit(unit, hex)
            case _:
                raise NotAllowed(f"{order.verb} is not an order of this phase", "2.6")

    def _plan(self, units: Sequence[Unit]) -> dict[str, str]:
        """6.2 Which headquarters have these units move in phase A. Raises NotAllowed."""
        return self.offensive.plan(units, moving=True) if self.offensive else {}

    def _check_activate(self, ids: Sequence[str], hq: str) -> None:
        if self.offensive is None:
            raise NotAllowed("units need no headquarters to act in this phase", "6.2")
        units = [self._own(id) for id in dict.fromkeys(ids)]
        for unit in units:
            if unit.place != "map" or unit.fixed:
                raise NotAllowed(
                    f"{unit.id} cannot be activated: it is not on the map, or is a beach garrison", "6.2"
                )
            if unit.id in self.arrived:
                raise NotAllowed(f"{unit.id} has just arrived and needs no headquarters to act", "E5")
        self.offensive.plan(units, moving=False, hq=hq)

    def _route(self, unit: Unit, order: Move | Land | Enter) -> Route:
        """The way of a unit by an order. Raises NotAllowed."""
        match order:
            case Move(_, path, step):
                route = self.way(unit, self.start(unit), path, step=step)
                if len(route.path) < 2:
                    raise NotAllowed(f"{unit.id} is already in {unit.placed}", "5.1")
                return route
            case Land(_, hex, path):
                return self.way(unit, self.start_ashore(unit, hex, self._site(unit, hex)[0]), path)
        if not reinforcement.enters_at(self.state, unit, order.hex):
            hexes = reinforcement.entry_hexes(self.state, unit)
            legal = tuple(f"enter {unit.id} at {hex}" for hex in hexes[:3])
            raise NotAllowed(f"{unit.id} cannot enter at {order.hex}", "11.1", legal=legal)
        return self.way(unit, self.start_by_road(unit, order.hex), order.path)

    def _site(self, unit: Unit, hex: Hex) -> Site:
        """11.2 Where a unit lands in a hex: the first place there that can take it. Raises NotAllowed."""
        sites = list(self._sites(unit))
        if found := next((site for site in sites if site[1] == hex), None):
            return found
        legal = tuple(f"land {unit.id} at {place}" for _, place, _ in sites[:3])
        raise NotAllowed(f"{unit.id} cannot land at {hex}", "11.2", legal=legal)

    def _paying(self, units: Sequence[Unit], hex: Hex) -> list[Site]:
        """14.0 Where each of these units lands in a hex, the capacity being enough for all of them.
        Raises NotAllowed."""
        found = [self._site(unit, hex) for unit in units]
        for site, _, _ in found:
            wanted, left = (
                sum(pe for other, _, pe in found if other == site),
                self.state.capacity.get(site, 0),
            )
            if wanted > left:
                text = f"{count(wanted, 'stacking point')} cannot land at {hex}: {left} left there"
                raise NotAllowed(text, "14.0")
        return found

    def _check_room(self, coming: Sequence[Unit], route: Route) -> None:
        """3.1 A full hex may be entered for good only if others can still leave it."""
        hex = GRID.ids[route.path[-1]]
        staying = [
            other for other in self.mine.get(hex, ()) if other not in coming and not self._can_go(other)
        ]
        if not stacking.fits([*staying, *coming]):
            raise NotAllowed(f"they would exceed the stacking limit of {hex}: {stacking.in_words()}", "3.1")

    def _exit_fault(self, unit: Unit) -> str:
        """S2 Why a unit may not leave the map, "" if it may."""
        if self.side != "allied" or self.state.scenario == "cherbourg":
            german = self.side == "german"
            return "German units cannot leave the map" if german else "no unit may leave the map"
        return f"{unit.id} is a headquarters and cannot leave the map" if unit.hq else ""

    def _check_exit(self, unit: Unit, hex: Hex) -> Route:
        if fault := self._exit_fault(unit):
            raise NotAllowed(fault, "S2")
        if hex not in GRID or not edge_of(hex):
            raise NotAllowed(f"{hex} is not hex L, nor on the east or south edge", "S2")
        route = self.way_off(unit, hex)
        if route is None:
            legal = tuple(f"exit {unit.id} at {other.hex}" for other in self._exits(unit)[:3])
            raise NotAllowed(f"{unit.id} cannot reach {hex} and leave the map there", "S2", legal=legal)
        return route

    def routes(self, order: Move | Land | Enter | Exit) -> list[Route]:
        """The ways of the units of an order. Raises NotAllowed."""
        units = [self.state.units[id] for id in dict.fromkeys(order.units)]
        if isinstance(order, Exit):
            return [self._check_exit(unit, order.hex) for unit in units]
        return [self._route(unit, order) for unit in units]

    # --- carrying out ---

    def settle(self, order: Order) -> Order:
        """An order with every hex of the way, if its units go one way."""
        if isinstance(order, Move | Land | Enter):
            ways = {route.hexes[1:] for route in self.routes(order)}
            if len(ways) == 1:
                (way,) = ways
                match order:
                    case Move(ids, _, step):
                        return Move(ids, way, step)
                    case Land(ids, hex):
                        return Land(ids, hex, way)
                    case Enter(ids, hex):
                        return Enter(ids, hex, way)
        return order

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        ids = dict.fromkeys(getattr(order, "units", ()))
        units = [self.state.units[id] for id in ids]
        match order:
            case Activate(_, hq):
                assert self.offensive is not None
                self.offensive.activate(self.offensive.plan(units, moving=False, hq=hq))
            case Move(_, _, step):
                self._set_out(units)
                self._move(list(zip(units, self.routes(order), strict=True)), step)
            case Land(_, hex):
                self._land(units, self.routes(order), hex)
            case Enter():
                self._enter(list(zip(units, self.routes(order), strict=True)))
            case Exit(_, hex):
                self._set_out(units)
                for unit in units:
                    self._leave(unit, hex)

    def _set_out(self, units: Sequence[Unit]) -> None:
        """6.2 Note by which headquarters units act in phase A."""
        if self.offensive:
            self.offensive.move(self.offensive.plan(units, moving=True))

    def _move(self, routes: Sequence[tuple[Unit, Route]], step: bool) -> None:
        if step:
            costs = {unit.id: 1 for unit, _ in routes}
            losses.lose_all(self.state, costs, "breaking away", routes[0][0].placed, "4.0")
        for route, together in groupby(routes, lambda item: item[1]):
            self._log_move([unit for unit, _ in together], route, step)
        for unit, route in routes:
            self._put(unit, route.hexes[1:])

    def _log_move(self, units: Sequence[Unit], route: Route, step: bool = False) -> None:
        names = tuple(unit.id for unit in units)
        self.state.note(
            Moved(
                case="5.3" if route.strategic else "5.1",
                side=self.side,
                names=names,
                path=route.hexes,
                points=route.spent / 2,
                of=route.of / 2,
                strategic=route.strategic,
                step=step,
            )
        )

    def _land(self, units: Sequence[Unit], routes: Sequence[Route], hex: Hex) -> None:
        landing = list(zip(units, routes, self._paying(units, hex), strict=True))
        for (path, site), together in groupby(landing, lambda item: (item[1].hexes, item[2][0])):
            alike = list(together)
            names, pe = tuple(unit.id for unit, _, _ in alike), sum(paid for _, _, (_, _, paid) in alike)
            self.state.note(Landed(case="11.2", names=names, site=site, pe=pe, path=path))
        for unit, route, (site, _, pe) in landing:
            reinforcement.pay(self.state, site, pe)
            unit.landed, unit.phase, unit.paid = True, "", False
            self._arrive(unit, route)

    def _enter(self, routes: Sequence[tuple[Unit, Route]]) -> None:
        for route, together in groupby(routes, lambda item: item[1]):
            names = tuple(unit.id for unit, _ in together)
            self.state.note(Entered(case="11.1", names=names, path=route.hexes, strategic=route.strategic))
        for unit, route in routes:
            unit.box, unit.ready, unit.routes = "", False, ()
            self._arrive(unit, route)

    def _arrive(self, unit: Unit, route: Route) -> None:
        self.arrived[unit.id] = None
        self._put(unit, route.hexes)

    def _leave(self, unit: Unit, hex: Hex) -> None:
        """S2 A unit moves to the edge and leaves the map for good."""
        route = self._check_exit(unit, hex)
        edge, points = edge_of(hex), unit.pe
        self._put(unit, route.hexes[1:])
        self.mine[hex].remove(unit)
        self._count(hex)
        unit.place, unit.hex = "exited", None
        self.state.exits.setdefault(edge, []).append((unit.id, points))
        self.state.note(Exited(case="S2", names=(unit.id,), path=route.hexes, edge=edge))

    def _put(self, unit: Unit, hexes: Sequence[Hex]) -> None:
        """A unit goes through these hexes and stays in the last; headquarters alone in its way are lost
        (5.2)."""
        if unit.place == "map":
            self.mine[unit.placed].remove(unit)
            self._count(unit.placed)
        goal = hexes[-1] if hexes else unit.placed
        unit.place, unit.hex, unit.acted = "map", goal, True
        self.mine.setdefault(goal, []).append(unit)
        self._count(goal)
        self.moved[unit.id] = None
        for hex in hexes:
            self._run_over(hex)
        control.entered(self.state, unit, hexes)

    def _run_over(self, hex: Hex) -> None:
        """5.2 An enemy headquarters alone in the way of a unit is lost."""
        if self.lone >> GRID.index(hex) & 1:
            for other in self.state.at(hex):
                if other.side != self.side:
                    headquarters.lose(self.state, other, hex, "overrun")
            self.recount()
            self._open_sites.clear()

    # --- the end of movement ---

    def _check_end(self) -> None:
        """3.1 Refuse to end movement while units can still leave an overfull hex. Raises NotAllowed."""
        for hex in self._overfull():
            legal = [way for unit in self.mine[hex] if (way := self._way_off(unit))]
            if legal:
                text = f"{hex} exceeds the stacking limit: {stacking.in_words()}"
                raise NotAllowed(text, "3.1", legal=tuple(legal[:3]))

    def _way_off(self, unit: Unit) -> str:
        """An order that takes the unit out of its hex, "" if there is none."""
        if self.fault(unit):
            return ""
        if ends := self.destinations(unit):
            return f"move {unit.id} to {GRID.named(ends)[0]}"
        return next((f"exit {unit.id} at {way.hex}" for way in self._exits(unit)), "")

    def _overfull(self) -> list[Hex]:
        return [hex for hex, units in self.mine.items() if not stacking.fits(units)]

    def surplus(self) -> list[Unit]:
        """3.1 The units that are lost if movement ends now: of those too many in a hex that none of them
        can leave, the last to come."""
        found: list[Unit] = []
        for hex in self._overfull():
            units = list(self.mine[hex])
            while not stacking.fits(units):
                unit = next(unit for unit in reversed(units) if _relieves(units, unit))
                units.remove(unit)
                found.append(unit)
        return found

    def end(self) -> None:
        """3.1 Movement is over, and the surplus units are lost."""
        for unit in self.surplus():
            hex = unit.placed
            self.mine[hex].remove(unit)
            if unit.hq:
                headquarters.lose(self.state, unit, hex, "no room")
            else:
                losses.destroy(self.state, unit, "no room", "3.1")
            self._count(hex)


def _relieves(units: Sequence[Unit], unit: Unit) -> bool:
    """3.1 Whether what a stack has too much of is of the kind of this unit."""
    load, own = stacking.load(units), stacking.weight(unit)
    return any(own[at] and not stacking.holds(_only(load, at)) for at in range(len(load)))


def _only(load: stacking.Weight, at: int) -> stacking.Weight:
    """One part of a load."""
    return load[0] * (at == 0), load[1] * (at == 1), load[2] * (at == 2)
