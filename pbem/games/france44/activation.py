"""Initiative (5.1): a chit of a side is drawn; it activates one headquarters in supply, or passes.
The desk on which such a phase is written also serves the army reactions (5.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.desk import sampled, write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.france44 import airborne, command, preview, stacking
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.notes import Activated, PhasePassed
from pbem.games.france44.orders import (
    Activate,
    Administrative,
    Attack,
    Drop,
    Increment,
    Move,
)
from pbem.games.france44.series import Series
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, Hex, Side
from pbem.wargame.counters import of_side

INCREMENTS: tuple[type[Order], ...] = (Administrative, Increment, Move, Attack)
VERBS: dict[Side, tuple[type[Order], ...]] = {
    "allied": (Drop, Activate, *INCREMENTS),
    "german": (Activate, *INCREMENTS),
}


async def initiative(state: State, side: Side) -> Unit | None:
    """5.1, 9.2 The initiative phase of a side, for which the other heavy bombers are free again; the
    headquarters that acted. Who has no headquarters in supply passes without being asked."""
    state.heavy_used = False
    desk = Initiative(state, side)
    if desk.subjects():
        await write(desk)
    if desk.series is None:
        state.note(PhasePassed(case="5.1", side=side, what="initiative"))
        return None
    return desk.series.hq


class Initiative(SideDesk):
    """An initiative phase while it is played: first a jump, then a headquarters, then its increments."""

    case = "5.1"
    section = "initiative"
    orders_for = "initiative"

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(state, side)
        self.series: Series | None = None
        """The increments of the units under command; None before there are any."""
        self.supply = Supply(state, side)

    @property
    def takes(self) -> tuple[type[Order], ...]:
        return VERBS[self.side]

    @property
    def offers(self) -> tuple[type[Order], ...]:
        """12.3 The orders that can be of use: a jump in its months alone."""
        jumps = self.side == "allied" and airborne.allowed(self.state)
        return tuple(kind for kind in VERBS[self.side] if kind is not Drop or jumps)

    # --- who can be activated ---

    def headquarters(self) -> list[Unit]:
        """5.1, 11.5 The headquarters that may be activated: those in supply."""
        return [hq for hq in self.state.on_map(self.side) if hq.hq and self.supply.has(hq)]

    def check_activate(self, order: Activate) -> list[Unit]:
        """4.5 to 4.7, 5.1, 11.5 The units that an order puts under command. Raises NotAllowed."""
        hq = self.state.units.get(order.hq)
        able = tuple(f"activate {each.id}" for each in self.headquarters())
        if hq is None or hq.side != self.side or not hq.hq:
            raise NotAllowed(f"{order.hq} is not one of your headquarters", "5.1", legal=able)
        if hq.place != "map":
            raise Overtaken(f"{hq.id} is not on the map", "5.1", legal=able)
        if not self.supply.has(hq):
            raise Overtaken(f"{hq.id} is out of supply", "11.5", legal=able)
        if not order.units:
            return command.most_of(self.state, hq, self._supplied(command.eligible(self.state, hq)))
        units = []
        for id in dict.fromkeys(order.units):
            unit = self.state.own(id, of_side(self.side), "4.7")
            if unit.place != "map":
                raise Overtaken(f"{id} is not on the map", "4.7")
            units.append(unit)
        if fault := command.fault(self.state, hq, units):
            raise fault
        return units

    def _supplied(self, units: Sequence[Unit]) -> list[Unit]:
        """11.5 Those of them that are in supply: a unit in the range of a headquarters in supply is."""
        return [unit for unit in units if self.supply.has(unit)]

    # --- the request ---

    def room(self, hex: Hex) -> int:
        """7.1 The room that is left in a hex."""
        return stacking.room(unit for unit in self.state.at(hex) if unit.side == self.side)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def subjects(self) -> Sequence[str]:
        if self.series is not None:
            return self.series.subjects()
        found = [hq.id for hq in self.headquarters()]
        jump = self.side == "allied" and airborne.allowed(self.state) and airborne.zone(self.state)
        return ["drop", *found] if jump else found

    def options(self, subject: str) -> Sequence[Order]:
        if self.series is not None:
            return self.series.options(subject)
        if subject == "drop":
            return [drop for hex in GRID.named(airborne.zone(self.state)) if self._fits(drop := Drop(hex))]
        sets = {tuple(unit.id for unit in units): None for units in self._sets(self.state.units[subject])}
        return [Activate(subject, ids) for ids in sets if ids]

    def _sets(self, hq: Unit) -> Iterator[list[Unit]]:
        """4.7 As many units as a headquarters commands: armour first, those next to the enemy first,
        or those farthest from him."""
        able = command.eligible(self.state, hq)
        enemies = [unit.placed for unit in self.state.on_map(ENEMY[self.side]) if not unit.hq]
        far = {unit.id: min((GRID.distance(unit.placed, hex) for hex in enemies), default=0) for unit in able}
        yield command.most_of(self.state, hq, sorted(able, key=lambda unit: unit.arm != "armour"))
        yield command.most_of(self.state, hq, sorted(able, key=lambda unit: far[unit.id]))
        yield command.most_of(self.state, hq, sorted(able, key=lambda unit: -far[unit.id]))

    def samples_after(self) -> dict[type[Order], Order]:
        """6.0 What the units of the headquarters that may be activated could do then."""
        first = self.samples().get(Activate)
        if self.series is not None or not isinstance(first, Activate):
            return {}
        units = [self.state.units[id] for id in first.units]
        series = Series(self.state, self.side, units, hq=self.state.units[first.hq])
        return sampled(series.subjects(), series.options, len(self.takes))

    def _fits(self, order: Drop) -> bool:
        try:
            airborne.check_drop(self.state, order.hex)
        except NotAllowed:
            return False
        return True

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        match order:
            case None:
                return
            case Drop(hex):
                if self.series is not None:
                    raise NotAllowed("the airborne must jump before a headquarters is activated", "12.3")
                airborne.check_drop(self.state, hex)
            case Activate():
                if self.series is not None:
                    raise NotAllowed("only one headquarters is activated in a phase", "5.1")
                self.check_activate(order)
            case _ if self.series is None:
                raise NotAllowed("no headquarters has been activated yet", "5.1")
            case _:
                self.series.check(order)

    async def carry_out(self, order: Order) -> None:
        """Carry out a checked order."""
        match order:
            case Drop(hex):
                airborne.drop(self.state, hex)
                self.supply = Supply(self.state, self.side)
            case Activate():
                self.activate(order)
            case _:
                assert self.series is not None
                await self.series.carry_out(order)

    def offer(self, order: Order) -> Offer:
        """7.0, 9 The path and cost of a move, the chances of an attack."""
        if isinstance(order, Attack | Move) and self.series is not None:
            return self.series.offer(order)
        return super().offer(order)

    def remarks(self, order: Order) -> Iterable[str]:
        """3.3, 11.1 Where the units of a move have come to."""
        if not isinstance(order, Move) or self.series is None:
            return ()
        moved = [self.state.units[id] for id in dict.fromkeys(order.units) if id in self.series.spent]
        on_map = [unit for unit in moved if unit.place == "map"]
        return preview.ends(self.state, self.side, on_map) if on_map else ()

    def activate(self, order: Activate, cost: int = 0) -> None:
        """5.1, 11.5 A headquarters takes units under its command for the phase; stale markers come off."""
        units = self.check_activate(order)
        hq = self.state.units[order.hq]
        for unit in (hq, *units):
            unit.unsupplied = False
        self.series = Series(self.state, self.side, units, hq=hq)
        names = tuple(unit.id for unit in units)
        self.state.note(
            Activated(case="5.2" if cost else "5.1", side=self.side, hq=hq.id, names=names, cost=cost)
        )
