"""A series of increments (6.0): commanded units move or attack box by box, in an initiative phase
or a reaction.

Who is commanded stands in activation.py and reaction.py, how a combat goes in combat.py. Who has moved
or attacked in a box may be ordered again in it as far as its points go (7.0), but attacks once (8.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import indices
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.france44 import combat, crossing, preview, stacking
from pbem.games.france44.commanded import Commanded
from pbem.games.france44.movement import Route
from pbem.games.france44.notes import AdministrativeChosen, BoxEntered, Moved
from pbem.games.france44.orders import Administrative, Attack, Increment, Move
from pbem.games.france44.state import Unit
from pbem.games.france44.tables import GRID, Hex
from pbem.games.france44.track import What
from pbem.wargame.counters import of_side

AMPHIBIOUS = 1
"""12.8 The first box, in which the Rhine is crossed in boats."""


class Series(Commanded):
    """One series of increments: what its units may be ordered, and what comes of it."""

    # --- orders ---

    def check(self, order: Order) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case Administrative(units):
                self._check_administrative([self._named(id) for id in units])
            case Increment(box):
                self.track.choose(box, "move")
                if box == self.track.box:
                    raise NotAllowed(f"the marker is already in box {box}", "6.0")
            case Move(units, path, box):
                number = self.track.choose(box, "move")
                self._check_room([self._named(id) for id in dict.fromkeys(units)], path, number)
            case Attack():
                number = self.track.choose(order.box, "attack")
                combat.check(self, order, [self._named(id) for id in dict.fromkeys(order.units)], number)
            case _:
                raise NotAllowed(f"{order.verb} is not an order for an increment", "6.0")

    def _named(self, id: str) -> Unit:
        unit = self.state.own(id, of_side(self.side), "7.0")
        if fault := self.fault(unit):
            raise fault
        return unit

    def _check_administrative(self, units: Sequence[Unit]) -> None:
        if self.track.box:
            raise NotAllowed("administrative movement is chosen before the first increment", "5.3")
        for unit in units:
            if unit not in self.units:
                raise NotAllowed(f"{unit.id} is not under command", "5.3")

    def _check_room(self, units: Sequence[Unit], path: Sequence[Hex], box: int) -> None:
        """7.0, 7.1 Each unit can go, and all of them have room where they end."""
        ends: dict[Hex, list[Unit]] = {}
        for unit in units:
            route = self.route(unit, path, box)
            ends.setdefault(route.hexes[-1], []).append(unit)
        for hex, coming in ends.items():
            there = [unit for unit in self.state.at(hex) if unit.side == self.side and unit not in coming]
            if not stacking.fits([*there, *coming]):
                raise NotAllowed(
                    f"{hex} has no room for all of them: a hex holds {stacking.in_words()}", "7.1"
                )

    def route(self, unit: Unit, path: Sequence[Hex], box: int) -> Route:
        """7.0, 12.8 The way of a unit along these hexes in a box, in boats where only they lead across
        the Rhine. Raises NotAllowed."""
        points, administrative = self.points(unit, box), unit.id in self.administrative
        if len(path) == 1 and not unit.hq and self.ground.boats_only(unit.placed, path[0]):
            reach = self.ground.reach(unit, points, administrative)
            if GRID.index(path[0]) not in reach:
                return self._boats(unit, path[0], box)
        return self.ground.route(unit, path, points, administrative)

    def _boats(self, unit: Unit, hex: Hex, box: int) -> Route:
        """12.8 Across the Rhine: in the first box, by a unit that has stood on the river since the phase
        began and has not moved."""
        if box != AMPHIBIOUS or unit.id not in self.by_river or self.spent.get(unit.id):
            raise NotAllowed(
                f"boats cross the Rhine only in box {AMPHIBIOUS}, with units "
                "that began the phase on the river",
                "12.8",
            )
        if unit.id in self.administrative or not self.points(unit, box):
            raise NotAllowed(f"{unit.id} cannot use boats by administrative movement", "5.3")
        goal = GRID.index(hex)
        if not self.ground.boats(unit) >> goal & 1:
            raise NotAllowed(f"{hex} is held by the enemy, or full", "12.8")
        return Route((GRID.index(unit.placed), goal), self.points(unit, box), boats=True)

    # --- carrying out ---

    async def carry_out(self, order: Order) -> None:
        """Carry out a checked order."""
        match order:
            case Administrative(units):
                self._choose_administrative(units)
            case Increment(box):
                self._enter(box, None)
            case Move(units, path, box):
                self._enter(self.track.choose(box, "move"), "move")
                await self._move([self.state.units[id] for id in dict.fromkeys(units)], path)
            case Attack():
                self._enter(self.track.choose(order.box, "attack"), "attack")
                await combat.fight(self, order)
                self.changed()
        crossing.judge_bridgeheads(self.state)

    def _choose_administrative(self, ids: Sequence[str]) -> None:
        """5.3 These units go by administrative movement all through the phase."""
        fresh = tuple(id for id in dict.fromkeys(ids) if id not in self.administrative)
        self.administrative |= frozenset(fresh)
        if fresh:
            self.state.note(AdministrativeChosen(case="5.3", side=self.side, names=fresh))

    def _enter(self, box: int, what: What | None) -> None:
        """6.0 The marker moves on: a new increment begins."""
        fresh, told = box != self.track.box, self.track.what
        self.track.enter(box, what)
        if fresh:
            self.spent, self.attacked = {}, set()
            self.heavy_here, self.tactical_here = False, 0
        if fresh or told is None:
            self.state.note(BoxEntered(case="6.0", side=self.side, box=box, what=what or "nothing"))

    async def _move(self, units: Sequence[Unit], path: Sequence[Hex]) -> None:
        """7.0 Units go their way one after another, as far as a bridge that is blown before them allows."""
        ground, box = self.ground, self.track.box
        for unit, route in [(unit, self.route(unit, path, box)) for unit in units]:
            of, administrative = self.points(unit, box), unit.id in self.administrative
            reached = await self.step_along(unit, route.hexes, boats=route.boats)
            if len(reached) == 1:
                continue
            points = route.spent if route.boats else ground.price(unit, reached, administrative)
            self.spent[unit.id] = self.spent.get(unit.id, 0) + points
            if route.boats:
                self.crossed.add(unit.id)
            self.state.note(
                Moved(
                    case="12.8" if route.boats else "7.0",
                    side=self.side,
                    names=(unit.id,),
                    path=reached,
                    points=points,
                    of=of,
                    administrative=administrative,
                    crossing=route.boats,
                )
            )

    # --- what comes of it ---

    def offer(self, order: Move | Attack) -> Offer:
        """7.0, 9 The path and cost of a move, the chances of an attack."""
        if isinstance(order, Attack):
            return preview.attack(self, order)
        box = self.track.choose(order.box, "move")
        units = [self.state.units[id] for id in dict.fromkeys(order.units)]
        return preview.on_the_way(
            (self.route(unit, order.path, box), self.points(unit, box)) for unit in units
        )

    # --- what is offered ---

    def subjects(self) -> tuple[str, ...]:
        """The units that can still do something in the current box or the next ones; before the first box
        "administrative" for those that may choose that movement, and last "marker" for the marker itself."""
        found = tuple(unit.id for unit in self.here() if self.fault(unit) is None and self._boxes(unit))
        choice = ("administrative",) if self._may_choose() else ()
        return (*choice, *found, "marker") if self.track.onward() and self.units else found

    def _may_choose(self) -> list[Unit]:
        """5.3 The units that may still choose administrative movement."""
        if self.track.box:
            return []
        return [unit for unit in self.here() if unit.id not in self.administrative]

    def _boxes(self, unit: Unit) -> tuple[int, ...]:
        """The boxes in which a unit can act: the current one and those after it."""
        numbers = ((self.track.box,) if self.track.box else ()) + self.track.onward()
        return tuple(n for n in numbers if self.points(unit, n) > 0 or self.may_attack(unit, n))

    def options(self, subject: str) -> Sequence[Order]:
        """The legal orders of one unit alone, and of it with its neighbours in an attack;
        for the marker the boxes it can go to."""
        if subject == "marker":
            return [Increment(number) for number in self.track.onward()]
        if subject == "administrative":
            return [Administrative((unit.id,)) for unit in self._may_choose()]
        unit = self.state.units[subject]
        found: list[Order] = []
        for number in self._boxes(unit):
            fresh = number != self.track.box
            if fresh or self.track.what != "attack":
                found += self._moves(unit, number)
            if fresh or self.track.what != "move":
                found += combat.options(self, unit, number)
        return found

    def _moves(self, unit: Unit, number: int) -> Iterator[Order]:
        points = self.points(unit, number)
        if points <= 0:
            return
        start = GRID.index(unit.placed)
        reach = self.ground.reach(unit, points, unit.id in self.administrative)
        for index in reach:
            if index != start:
                yield Move((unit.id,), (GRID.ids[index],), number)
        if (
            number == AMPHIBIOUS
            and unit.id in self.by_river
            and not self.spent.get(unit.id)
            and unit.id not in self.administrative
        ):
            for index in indices(self.ground.boats(unit) & ~reach.hexes):
                yield Move((unit.id,), (GRID.ids[index],), number)
