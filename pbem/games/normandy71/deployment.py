"""The desks of the secret deployment, and the German setup (INV.1B): every unit of the order of battle in its
area, entrenched unless its player says otherwise.

German units may not be set up in partially-sea hexes. Forts are not partially-sea, and never have a marker
(ENT).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.wording import some
from pbem.games.normandy71 import stacking
from pbem.games.normandy71.notes import Deployed, FilledIn
from pbem.games.normandy71.orders import Place, UseDefault
from pbem.games.normandy71.state import Hex, Side, State, Unit
from pbem.games.normandy71.tables import CHARTS, DEFAULTS, EDGES, GRID, LAND, MAP, PARTIALLY_SEA

TEN = 10


def _within_ten(city: str) -> int:
    found = GRID.bits(MAP.cities[city])
    for _ in range(TEN):
        found |= GRID.spread(found)
    return found


def _areas() -> dict[str, tuple[Hex, ...]]:
    """INV.1B The hexes of each area in the orders of battle. The south edge is the first of its ten rows."""
    south = EDGES["south"]
    for _ in range(TEN - 1):
        south |= GRID.spread(south)
    free = LAND & ~PARTIALLY_SEA
    found = {
        "anywhere": LAND,
        "within ten of Falaise": _within_ten("Falaise"),
        "within ten of the south edge": south,
        "within ten of Coutances": _within_ten("Coutances"),
        "in Caen or Saint-Lo": GRID.bits((*MAP.cities["Caen"], *MAP.cities["Saint-Lo"])),
    }
    return {name: GRID.named(area & free) for name, area in found.items()}


AREAS = _areas()
_SETS = {name: frozenset(hexes) for name, hexes in AREAS.items()}


@cache
def nearest_first(area: str, wanted: Hex) -> tuple[Hex, ...]:
    """The hexes of an area, those nearest to the wanted one first."""
    return tuple(sorted(AREAS[area], key=lambda at: (GRID.distance(at, wanted), at)))


class DeploymentDesk(Desk[Order]):
    """One side's secret deployment, written while the other side writes its own."""

    side: Side
    state: State

    def close(self) -> None:
        """INV.1A, INV.1B Tell both sides that this one has finished."""
        self.state.note(Deployed(case=self.case, side=self.side))

    def __await__(self) -> Generator[Any, Any, Order | None]:
        # In the journal every order has its seat, even when only one side is still writing.
        _, order = yield from FirstOf((self,), secret=True).__await__()
        return order


@dataclass(eq=False)
class GermanSetup(DeploymentDesk):
    """The German setup while it is written: units are on the map as soon as they are placed."""

    case = "INV.1B"
    what = "the set-up"
    seat = side = "german"
    section = "set-up"
    takes = (Place, UseDefault)

    state: State

    def units(self) -> list[Unit]:
        """The units to set up, those with the smallest area first."""
        found = [unit for unit in self.state.units.values() if unit.side == "german" and unit.entry in AREAS]
        return sorted(found, key=lambda unit: len(AREAS[unit.entry]))

    def unplaced(self) -> list[Unit]:
        return [unit for unit in self.units() if unit.place != "map"]

    # --- what may be ordered ---

    def subjects(self) -> tuple[str, ...]:
        found = tuple(unit.id for unit in self.unplaced())
        return (*found, "default") if found else ()

    def options(self, subject: str) -> Sequence[Order]:
        if subject == "default":
            return [UseDefault()]
        unit = self.state.units[subject]
        stacks = self.stacks()
        return [
            Place((subject,), hex)
            for hex in AREAS[unit.entry]
            if stacking.within_limit(hex, [*stacks.get(hex, ()), unit]) and self.leaves_room([unit], hex)
        ]

    def room(self, hex: Hex) -> int:
        """STK The room that is left in a hex."""
        return stacking.room(hex, self.stacks().get(hex, ()))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """Refuse an order that the setup rules forbid. Raises NotAllowed."""
        if order is None:
            self.check_end()
        elif isinstance(order, Place):
            units = [self.named(id) for id in dict.fromkeys(order.units)]
            for unit in units:
                self.check_area(unit, order.hex)
            others = [unit for unit in self.stacks().get(order.hex, ()) if unit not in units]
            if not stacking.within_limit(order.hex, [*others, *units]):
                words = stacking.limit_in_words(order.hex)
                raise NotAllowed(
                    f"{order.hex} ({MAP.terrain(order.hex)}) would exceed its stacking limit: {words}", "STK"
                )
            if not self.leaves_room(units, order.hex):
                raise NotAllowed(
                    f"{order.hex} is needed for units that must be set up in Caen or Saint-Lo", "INV.1B"
                )

    def check_end(self) -> None:
        """INV.1B Every unit of the order of battle that begins on the map has been set up.
        Raises NotAllowed."""
        if missing := [unit.id for unit in self.unplaced()]:
            verb = "is" if len(missing) == 1 else "are"
            raise NotAllowed(
                f"{some(missing)} {verb} not set up yet; DEFAULT sets up the rest",
                "INV.1B",
                legal=("default",),
            )

    def least(self) -> Sequence[Order]:
        """INV.1B Complete an unfinished setup by the default one."""
        return [UseDefault()]

    def named(self, id: str) -> Unit:
        unit = self.state.units.get(id)
        if unit is None or unit.side != "german" or unit.entry not in AREAS:
            raise NotAllowed(
                f"{id} is not one of your units that set up at the start", "INV.1B", legal=self.subjects()
            )
        return unit

    def check_area(self, unit: Unit, hex: Hex) -> None:
        if hex not in MAP or MAP.has(hex, "all sea"):
            raise NotAllowed(f"{hex} is not a land hex", "INV.1B")
        if MAP.has(hex, "coastal"):
            raise NotAllowed(f"{hex} is partially sea: no German unit may be set up there", "INV.1B")
        if hex not in _SETS[unit.entry]:
            raise NotAllowed(f"{unit.id} ({unit.kind}) must be set up {unit.entry}; {hex} is not", "INV.1B")

    def stacks(self) -> dict[Hex, list[Unit]]:
        found: dict[Hex, list[Unit]] = {}
        for unit in self.state.on_map("german"):
            found.setdefault(unit.placed, []).append(unit)
        return found

    def leaves_room(self, units: Sequence[Unit], hex: Hex) -> bool:
        """OOB.A Whether the units that must set up in Caen or Saint-Lo still have room if these units take a
        hex."""
        narrow = "in Caen or Saint-Lo"
        if hex not in _SETS[narrow]:
            return True
        waiting = [unit for unit in self.unplaced() if unit.entry == narrow and unit not in units]
        if not waiting:
            return True
        stacks = {at: [u for u in here if u not in units] for at, here in self.stacks().items()}
        stacks.setdefault(hex, []).extend(units)
        for unit in waiting:
            room = [at for at in AREAS[narrow] if stacking.within_limit(at, [*stacks.get(at, ()), unit])]
            if not room:
                return False
            stacks.setdefault(room[0], []).append(unit)
        return True

    # --- carrying out ---

    def carry_out(self, order: Order) -> None:
        """Place the units of a checked order; a later line moves a unit again."""
        match order:
            case Place(units, hex, open_):
                for id in units:
                    self.put(self.state.units[id], hex)
                self.mark(hex, entrenched=not open_)
            case UseDefault():
                self.fill_in()

    def put(self, unit: Unit, hex: Hex) -> None:
        left = unit.hex
        unit.hex, unit.place = hex, "map"
        if left and left != hex and self.state.holder(left) is None:
            self.state.entrenchments.pop(left, None)

    def mark(self, hex: Hex, entrenched: bool) -> None:
        """ENT.C Entrench all units in a hex or none: the last line for the hex decides."""
        if entrenched and CHARTS.ground(hex).entrench:
            self.state.entrenchments[hex] = "german"
        else:
            self.state.entrenchments.pop(hex, None)

    def fill_in(self) -> None:
        """INV.1B Set up the missing units and notify their owner: each where the default setup has it, or in
        the nearest hex of its area with room."""
        defaults = DEFAULTS.set_up[self.state.order_of_battle]  # type: ignore[index]
        places: dict[Hex, list[str]] = {}
        for unit in self.unplaced():
            stacks = self.stacks()
            hex = next(
                at
                for at in nearest_first(unit.entry, defaults[unit.id])
                if stacking.within_limit(at, [*stacks.get(at, ()), unit])
            )
            self.put(unit, hex)
            self.mark(hex, entrenched=True)
            places.setdefault(hex, []).append(unit.id)
        if places:
            listed = tuple((hex, tuple(ids)) for hex, ids in sorted(places.items()))
            self.state.note(FilledIn(case="INV.1B", readers=("german",), places=listed))
