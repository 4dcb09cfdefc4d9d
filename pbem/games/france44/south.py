"""Arrivals from the south (10.1.3), in September: a pursuit that comes onto the map.

The southern row (1128 to 2528) lies off the map for everybody else. The Germans are set up in it,
then the Allies in hexes of the row next to them; each German stack retreats two hexes onto the map
(armour alone up to three), and the Allies next to it may advance through the hex that it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.games.france44 import advance, control, headquarters, losses, retreat, stacking, zones
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.notes import Advanced, Retreated, SetUpSouth
from pbem.games.france44.orders import Place
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import GRID, LAND, MAP, OPEN_GROUND, SETUP, SOUTH, Hex, Side

HEXES: tuple[Hex, ...] = GRID.named(SOUTH)
SIDES: tuple[Side, ...] = ("german", "allied")


def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """10.1.3 The southern hexes next to a southern hex."""
    return tuple(near for near in MAP.neighbours(hex) if near in HEXES)


def arrivals(state: State, side: Side) -> list[Unit]:
    """1.4, 10.1.3 The pieces of a side that come from the south and have not been set up."""
    ids = [
        id
        for arrival in SETUP.arrival
        if arrival.side == side and arrival.entry == "south" and arrival.turn == state.turn
        for id in arrival.units
    ]
    return [state.units[id] for id in ids if id in state.units and state.units[id].place == "later"]


def _unpursued(state: State, units: Sequence[Unit] = (), there: Hex = "") -> list[Hex]:
    """10.1.3 The southern hexes of Germans next to which no Allied unit stands but one could,
    if these units were `there`."""

    def held(hex: Hex, side: Side) -> bool:
        return any(unit.side == side and not unit.hq and unit not in units for unit in state.at(hex))

    return [
        hex
        for hex in HEXES
        if held(hex, "german")
        and there not in neighbours(hex)
        and not any(held(near, "allied") for near in neighbours(hex))
        and not all(held(near, "german") for near in neighbours(hex))
    ]


async def south(state: State) -> None:
    """10.1.3 Germans, then Allies are set up; the Germans retreat onto the map and the Allies follow."""
    for side in SIDES:
        desk = SouthernArrivals(state, side)
        if desk.subjects():
            await write(desk)
        desk.fill_in()
    state.south_open = True
    for hex in HEXES:
        await pursue(state, hex)


async def pursue(state: State, hex: Hex) -> None:
    """10.1.3 The Germans of one southern hex retreat, and the Allies next to it advance;
    who cannot retreat is destroyed."""
    germans = [unit for unit in state.at(hex) if unit.side == "german"]
    if not germans:
        return
    pursuers = [unit for near in neighbours(hex) for unit in state.at(near) if unit.side == "allied"]
    await _withdraw(state, germans, hex, [unit.placed for unit in pursuers if not unit.hq])
    for unit in pursuers:
        if unit.hq or unit.place != "map":
            continue
        ways = {" ".join(path): path for path in _ways(state, unit, hex)}
        if not ways:
            continue
        first = next(iter(ways))
        answer = await advance.AdvanceWay(
            case="10.1.3",
            what=f"advance of {unit.id} through {hex}",
            seat="allied",
            options=(advance.NONE, *ways),
            default=first,
            unit=unit.id,
            arm=unit.arm,
            start=unit.placed,
            first=first,
        )
        if answer in ways:
            start, path = unit.placed, ways[answer]
            unit.hex = path[-1]
            control.entered(state, unit, path)
            state.note(Advanced(case="10.1.3", side="allied", name=unit.id, start=start, path=path))
    headquarters.disperse_lone(state)


def _ways(state: State, unit: Unit, hex: Hex) -> list[tuple[Hex, ...]]:
    """10.1.3, 9.8 Through the southern hex that the Germans have left, which no zone reaches,
    into any hex of the map next to it, or into it alone."""
    if not stacking.fits([*state.at(hex), unit]):
        return []
    open_to = OPEN_GROUND.open[GRID.index(hex)] & LAND & ~zones.occupied(state, "german")
    onto_map = [near for near in GRID.named(open_to) if stacking.fits([*state.at(near), unit])]
    return [*((hex, near) for near in onto_map), (hex,)]


async def _withdraw(state: State, units: Sequence[Unit], hex: Hex, attackers: Sequence[Hex]) -> None:
    """10.1.3, 9.7 A German stack retreats onto the map, its headquarters with it;
    zones of the pursuers themselves do not bar it."""
    fighting = [unit for unit in units if not unit.hq]
    staff = [unit for unit in units if unit.hq]
    path = await retreat.choose(state, fighting, attackers, must=True) if fighting else None
    if path is None:
        for unit in fighting:
            losses.eliminate(state, unit, "no way out of the south", "10.1.3")
        for unit in staff:
            headquarters.disperse(state, unit, "10.1.3")
        return
    for unit in units:
        unit.hex = path[-1]
        control.entered(state, unit, path)
    names = tuple(unit.id for unit in units)
    state.note(Retreated(case="10.1.3", side="german", names=names, path=(hex, *path)))


class SouthernArrivals(SideDesk):
    """The southern arrivals of one side while they are set up."""

    case = "10.1.3"
    section = "south"
    takes = (Place,)
    orders_for = "southern arrivals"

    def open_to(self, units: Sequence[Unit]) -> list[Hex]:
        """7.1, 10.1.3 Where these pieces may be set up: Germans anywhere in the row, Allies next to Germans;
        headquarters with a unit of theirs."""
        return [hex for hex in HEXES if not self._fault(units, hex)]

    def _fault(self, units: Sequence[Unit], hex: Hex) -> NotAllowed | None:
        if hex not in HEXES:
            return NotAllowed(f"{hex} is not in the southern row, {HEXES[0]} to {HEXES[-1]}", "10.1.3")
        here = [unit for unit in self.state.at(hex) if unit not in units]
        if any(unit.side == ENEMY[self.side] for unit in here):
            return Overtaken(f"{hex} is held by the enemy", "7.1")
        if not stacking.fits([*here, *units]):
            return Overtaken(f"{hex} is full: a hex holds {stacking.in_words()}", "7.1")
        beside = any(
            unit.side == "german" and not unit.hq for near in neighbours(hex) for unit in self.state.at(near)
        )
        if self.side == "allied" and not beside and any(not unit.hq for unit in units):
            return NotAllowed(f"{hex} is not adjacent to Germans in the southern row", "10.1.3")
        if self.side == "allied" and self._too_few(units, hex):
            return NotAllowed(
                "Allied units must be adjacent to every German hex of the southern row", "10.1.3"
            )
        if all(unit.hq for unit in (*units, *here)):
            return Overtaken(f"a headquarters is set up with one of your units, not alone in {hex}", "4.8")
        return None

    def _too_few(self, units: Sequence[Unit], hex: Hex) -> bool:
        """10.1.3 Whether the Allies who are left after this would be too few for the German hexes
        that have no pursuer yet."""
        waiting = [unit for unit in arrivals(self.state, "allied") if not unit.hq]
        enough = len(_unpursued(self.state)) <= len(waiting)
        left = [unit for unit in waiting if unit not in units]
        return enough and len(_unpursued(self.state, units, hex)) > len(left)

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in arrivals(self.state, self.side) if self.open_to([unit])]

    def options(self, subject: str) -> Sequence[Order]:
        return [Place((subject,), hex) for hex in self.open_to([self.state.units[subject]])]

    def room(self, hex: Hex) -> int:
        """7.1 The room that is left in a hex."""
        return stacking.room(unit for unit in self.state.at(hex) if unit.side == self.side)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        if not isinstance(order, Place):
            return
        units = []
        for id in dict.fromkeys(order.units):
            unit = self.state.units.get(id)
            mine = arrivals(self.state, self.side)
            if unit is None or (unit not in mine and unit.hex not in HEXES) or unit.side != self.side:
                raise NotAllowed(f"{id} is not an arrival from the south now", "10.1.3")
            units.append(unit)
        if fault := self._fault(units, order.hex):
            raise fault

    def carry_out(self, order: Order) -> None:
        """Place pieces."""
        assert isinstance(order, Place)
        self._place([self.state.units[id] for id in dict.fromkeys(order.units)], order.hex)

    def _place(self, units: Sequence[Unit], hex: Hex) -> None:
        for unit in units:
            unit.place, unit.hex = "map", hex
        names = tuple(unit.id for unit in units)
        self.state.note(SetUpSouth(case="10.1.3", side=self.side, names=names, hex=hex))

    def fill_in(self) -> None:
        """10.1.3 Set up the units that have no hex yet, next to the Rhone valley in the east of the row,
        the Allied ones so that as many German hexes as possible have a pursuer; headquarters last."""
        for unit in sorted(arrivals(self.state, self.side), key=lambda unit: unit.hq):
            hexes = self.open_to([unit])
            if hexes:
                self._place([unit], max(hexes, key=self._wanted))

    def _wanted(self, hex: Hex) -> tuple[int, int]:
        if self.side == "german":
            spread = -len(self.state.at(hex))
            return spread if int(hex[:2]) % 2 else -9, int(hex[:2])
        free = sum(
            not any(unit.side == "allied" for at in neighbours(near) for unit in self.state.at(at))
            for near in neighbours(hex)
            if any(unit.side == "german" for unit in self.state.at(near))
        )
        return free, -len(self.state.at(hex))
