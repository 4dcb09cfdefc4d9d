"""Arrivals (10.1.4 to 10.1.6): Germans at their cities, Allies in Normandy or at Antwerp,
on by administrative movement.

All of a side are put into their entry hexes before any of them moves on. Allies that zones shut out
everywhere are lost for good; Germans wait, and so does everybody for whom there is no room.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.games.france44 import control, headquarters, stacking, zones
from pbem.games.france44.begin import antwerp_open
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.movement import Ground, hex_cost, walk
from pbem.games.france44.notes import Entered, SentBack, ShutOut
from pbem.games.france44.orders import Enter
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import (
    ANTWERP,
    CHARTS,
    GERMAN_CITIES,
    GRID,
    NORMANDY,
    SETUP,
    TRACK,
    Hex,
    Side,
)
from pbem.wargame.counters import of_side

ANTWERP_FROM = 4
"""11.4 From October on."""
WHOLE_TRACK = 1
"""10.1.4 All points at once: those of the box that is a series by itself."""


def due(state: State, side: Side) -> list[Unit]:
    """10.1.4, 10.1.5, 4.10, 10.1.2 Who may come in now: arrivals of this turn or waiting,
    headquarters back from the track, units raised again."""
    return [unit for unit in state.units.values() if unit.side == side and unit.place == "due"]


def announce(state: State) -> None:
    """1.4, 3.12, 4.10 The arrivals of the turn, and headquarters whose time is up, become due."""
    for arrival in SETUP.arrival:
        if arrival.turn != state.turn or arrival.entry == "south":
            continue
        for id in arrival.units:
            unit = state.units.get(id)
            if unit is not None and unit.place == "later":
                unit.place = "box" if arrival.entry == "airborne" else "due"
    for unit in state.units.values():
        if unit.place == "track" and unit.hq and unit.back <= state.turn:
            unit.place, unit.back = "due", 0


def entry_hexes(state: State, side: Side) -> tuple[Hex, ...]:
    """10.1.4 to 10.1.6, 11.4 Where arrivals of a side may come in: never beside an enemy
    without a friend there, nor where the enemy is."""
    if side == "german":
        hexes = tuple(GERMAN_CITIES.values())
    else:
        antwerp = (ANTWERP,) if state.turn >= ANTWERP_FROM and antwerp_open(state) else ()
        hexes = (*NORMANDY, *antwerp)
    barred = zones.occupied(state, ENEMY[side]) | zones.closed(state, side)
    return tuple(hex for hex in hexes if not barred >> GRID.index(hex) & 1)


class Arrivals(SideDesk):
    """The arrivals of one side while they are written; they move on when all have come in."""

    section = "arrival"
    takes = (Enter,)
    orders_for = "arrivals"

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(state, side)
        self.case = "10.1.4" if side == "german" else "10.1.5"
        self.moves: list[tuple[Unit, tuple[Hex, ...]]] = []
        """Those that have come in, and where each of them goes on."""

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in due(self.state, self.side) if self._hexes(unit)]

    def _hexes(self, unit: Unit) -> list[Hex]:
        """7.1, 10.1.6 The entry hexes with room for a unit."""
        return [
            hex for hex in entry_hexes(self.state, self.side) if stacking.fits([*self.state.at(hex), unit])
        ]

    def options(self, subject: str) -> Sequence[Order]:
        unit, ground, stacks = self.state.units[subject], self._ground(), self._stacks()
        found: list[Order] = []
        for hex in self._hexes(unit):
            found.append(Enter((subject,), hex))
            reach = ground.table(unit, True).reach(GRID.index(hex), self.points(unit, hex))
            ends = [GRID.ids[index] for index in reach if GRID.ids[index] != hex]
            found += [
                Enter((subject,), hex, (end,)) for end in ends if stacking.fits([*stacks.get(end, ()), unit])
            ]
        return found

    def _ground(self) -> Ground:
        return Ground(self.state, self.side)

    def points(self, unit: Unit, hex: Hex) -> int:
        """3.3, 5.3, 10.1.4, 10.1.6 Points that an arrival has left in its entry hex:
        twice its allowance less what the hex costs, an enemy zone in it included."""
        guarded = zones.zone(self.state, ENEMY[self.side]) >> GRID.index(hex) & 1
        cost = hex_cost(hex) + (CHARTS.movement.enter_zone if guarded else 0)
        return max(0, 2 * TRACK[WHOLE_TRACK].for_allowance(unit.piece.allowance) - cost)

    def room(self, hex: Hex) -> int:
        """7.1, 10.1.6 The room that is left in a hex now and, since arrivals go on when all have come in, at
        the end."""
        now = [unit for unit in self.state.at(hex) if unit.side == self.side]
        return min(stacking.room(now), stacking.room(self._stacks().get(hex, ())))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        if not isinstance(order, Enter):
            return
        units = [self._unit(id) for id in dict.fromkeys(order.units)]
        open_to = entry_hexes(self.state, self.side)
        if order.hex not in open_to:
            legal = tuple(f"enter {units[0].id} at {hex}" for hex in open_to[:3])
            raise NotAllowed(f"no unit can enter at {order.hex} now", "10.1.6", legal=legal)
        if not stacking.fits([*self.state.at(order.hex), *units]):
            raise Overtaken(f"{order.hex} is full: a hex holds {stacking.in_words()}", "7.1")
        if order.path:
            ends = [self.way(unit, order.hex, order.path)[-1] for unit in units]
            if not stacking.fits([*self._stacks().get(ends[0], ()), *units]):
                raise Overtaken(
                    f"{ends[0]} has no room for all of them: a hex holds {stacking.in_words()}", "7.1"
                )

    def _stacks(self) -> dict[Hex, list[Unit]]:
        """7.1, 10.1.6 Who will stand where when those who have come in so far have moved on."""
        going = {unit.id: path[-1] for unit, path in self.moves if path}
        found: dict[Hex, list[Unit]] = {}
        for unit in self.state.on_map(self.side):
            found.setdefault(going.get(unit.id, unit.placed), []).append(unit)
        return found

    def _unit(self, id: str) -> Unit:
        unit = self.state.own(id, of_side(self.side), "10.1.6")
        if unit.place != "due":
            raise NotAllowed(f"{id} is not among the arrivals now", "10.1.6")
        return unit

    def way(self, unit: Unit, hex: Hex, path: Sequence[Hex]) -> tuple[Hex, ...]:
        """5.3, 10.1.4 The way of an arrival from its entry hex on. Raises NotAllowed."""
        place, unit.hex = unit.hex, hex
        try:
            return self._ground().route(unit, path, self.points(unit, hex), administrative=True).hexes
        finally:
            unit.hex = place

    def carry_out(self, order: Order) -> None:
        """10.1.6 Units are put into their entry hex."""
        assert isinstance(order, Enter)
        for id in dict.fromkeys(order.units):
            unit = self.state.units[id]
            unit.place, unit.hex, unit.rebuilt = "map", order.hex, False
            unit.green = not unit.hq and unit.counter.green and unit.id not in self.state.tried
            control.entered(self.state, unit, (order.hex,))
            self.moves.append((unit, order.path))

    async def move_on(self) -> None:
        """10.1.4 to 10.1.6 All have come in and move on, if there is still a way;
        who is shut out is lost or waits."""
        for unit, path in self.moves:
            try:
                way = self.way(unit, unit.placed, path) if path else (unit.placed,)
            except NotAllowed:
                way = (unit.placed,)
            way = await walk(self._ground(), unit, way)
            self.state.note(
                Entered(
                    case=self.case,
                    side=self.side,
                    names=(unit.id,),
                    path=way,
                )
            )
        headquarters.disperse_lone(self.state)
        self._send_back()

    def _send_back(self) -> None:
        """10.1.2, 10.1.5 Who has been raised again and has not come in is back in the eliminated box.
        Allies whom zones shut out of every entry hex are lost, headquarters excepted."""
        back = [unit for unit in due(self.state, self.side) if unit.rebuilt]
        for unit in back:
            unit.place, unit.rebuilt, unit.lost = "eliminated", False, 0
        if back:
            self.state.note(SentBack(case="10.1.2", side=self.side, names=tuple(unit.id for unit in back)))
        if self.side == "allied" and not entry_hexes(self.state, "allied"):
            shut = [unit for unit in due(self.state, "allied") if not unit.hq]
            for unit in shut:
                unit.place = "gone"
            if shut:
                names = tuple(unit.id for unit in shut)
                self.state.note(ShutOut(case="10.1.5", side="allied", names=names))
