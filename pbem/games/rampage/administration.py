"""The administrative phase (5.6): US reinforcements arrive, and both sides are made ready for the next turn.

Reinforcements are placed first, before any German goes back to the pool;
divisions without an order enter the first city that has room, or wait for a later turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import bits
from pbem.engine.language import Order
from pbem.games.rampage import airborne, control
from pbem.games.rampage.command import AlliedDesk, seat_of
from pbem.games.rampage.defence import names, to_pool
from pbem.games.rampage.movement import room
from pbem.games.rampage.notes import Arrived, GermansArrived, PocketEscaped, Replenished, Returned, Waiting
from pbem.games.rampage.orders import Concede, Place
from pbem.games.rampage.state import Hex, State, Unit
from pbem.games.rampage.tables import (
    CAMPAIGN,
    CITIES,
    FORTRESSES,
    GRID,
    MAP,
    WEST_OF_SEINE,
    place_name,
)

BANKS = bits(GRID.index(hex) for side in MAP.rivers["Seine"] for hex in side.split("-"))
PORTS: tuple[Hex, ...] = GRID.named(CITIES & (BANKS | GRID.bits(WEST_OF_SEINE)))
"""7.3 The cities on the Seine and west of it, where US reinforcements arrive."""


async def administration(state: State) -> None:
    """5.6 Phase IV."""
    leave_open(state)
    await reinforce(state)
    if state.conceded:
        return
    send_back(state)
    muster(state)
    finish_replenishing(state)
    state.attacked.clear()


def leave_open(state: State) -> None:
    """11.4 The Argentan-Falaise Pocket was never sealed: at the end of turn 1 its units join
    the force pool."""
    if state.afp == "standing":
        units = [unit for unit in state.germans.values() if unit.place == "afp"]
        to_pool(units)
        state.afp = "escaped"
        state.note(PocketEscaped(case="11.4", names=names(units)))


# --- US reinforcements ----------------------------------------------------------------------------------


async def reinforce(state: State) -> None:
    """7.3 The US divisions of the next turn, and those left waiting, are placed in cities."""
    arrival = Arrival(state)
    if arrival.subjects():
        await write(arrival)
    if not state.conceded:
        arrival.place_the_rest()


@dataclass(eq=False)
class Arrival(AlliedDesk):
    """7.3 The US divisions that arrive now, and the cities where they may."""

    case = "7.3"
    section = "reinforcement"
    takes = (Place, Concede)
    what = "US reinforcements"

    seat: str = field(init=False)

    def __post_init__(self) -> None:
        self.seat = seat_of(self.state, "us")

    def waiting(self) -> list[Unit]:
        """The divisions that may arrive now; none after the last turn."""
        if self.state.turn >= CAMPAIGN.turns:
            return []
        due = range(1, self.state.turn + 2)
        return [
            unit
            for unit in self.state.units.values()
            if unit.place == "later" and unit.group != "airborne" and unit.arrives in due
        ]

    def cities(self, count: int = 1) -> list[Hex]:
        """The cities with room for `count` divisions."""
        held = control.allied_supplied(self.state)
        return [hex for hex in PORTS if held >> GRID.index(hex) & 1 and not self.fault(hex, count)]

    def fault(self, hex: Hex, count: int) -> str:
        """6.2 Why `count` US divisions cannot enter a hex; "" if they can.
        They relieve airborne divisions there (13.8)."""
        if any(unit.group == "british" for unit in self.state.at(hex)):
            return "holds British divisions"
        left = self.room(hex)
        return f"has room for {left} more" if count > left else ""

    def room(self, hex: Hex) -> int:
        """6.2 How many more US divisions a hex has room for."""
        return room(self.state, hex, ("us",))

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in self.waiting()] if self.cities() else []

    def options(self, subject: str) -> Sequence[Order]:
        return [Place((subject,), hex) for hex in self.cities()]

    def check(self, order: Order | None) -> None:
        """Refuse what 7.3 forbids. Raises NotAllowed."""
        if not isinstance(order, Place):
            return
        waiting = {unit.id for unit in self.waiting()}
        ids = tuple(dict.fromkeys(order.units))
        for id in ids:
            if id not in waiting:
                raise NotAllowed(
                    f"{id} is not a reinforcement that arrives now", "7.3", legal=sorted(waiting)
                )
        legal = tuple(f"place {' '.join(ids)} at {hex}" for hex in self.cities(len(ids)))
        if order.hex not in PORTS:
            raise NotAllowed(f"{order.hex} is not a city on or west of the Seine", "7.3", legal=legal)
        if not control.allied_supplied(self.state) >> GRID.index(order.hex) & 1:
            raise NotAllowed(
                f"{place_name(order.hex)} is not in Allied hands and in supply", "7.3", legal=legal
            )
        if why := self.fault(order.hex, len(ids)):
            raise NotAllowed(f"{place_name(order.hex)} {why}", "6.2", legal=legal)

    def obey(self, order: Place) -> None:
        self.place([self.state.units[id] for id in dict.fromkeys(order.units)], order.hex)

    def place(self, units: Sequence[Unit], hex: Hex, how: str = "orders") -> None:
        """Put divisions into a city; `how` says whether an order names it."""
        for unit in units:
            unit.place, unit.hex = "map", hex
        self.state.note(Arrived(case="7.3", names=tuple(unit.id for unit in units), hex=hex, how=how))
        airborne.relieve(self.state, hex)

    def place_the_rest(self) -> None:
        """7.3 Divisions that no order has placed enter the first city with room, or keep waiting."""
        for unit in self.waiting():
            if cities := self.cities():
                self.place([unit], cities[0], "by itself")
        if waiting := tuple(unit.id for unit in self.waiting()):
            self.state.note(Waiting(case="7.3", names=waiting))


# --- the Germans, and the divisions that were rebuilt -----------------------------------------------------


def send_back(state: State) -> None:
    """8.9, 10.6 Every defender returns to the pool, except in a fortress that is cut off,
    and so do units that fell in supply."""
    cut_off = GRID.named(control.cut_off(state) & GRID.bits(FORTRESSES))
    state.garrisons = [hex for hex in state.garrisons if hex in cut_off]
    germans = state.germans.values()
    defenders = [unit for unit in germans if unit.place == "map" and unit.hex not in cut_off]
    fallen = [unit for unit in germans if unit.place == "fallen"]
    to_pool([*defenders, *fallen])
    if defenders or fallen:
        pool = len(state.pool())
        state.note(Returned(case="8.9", defenders=names(defenders), fallen=names(fallen), pool=pool))


def muster(state: State) -> None:
    """7.2 The German units of the next turn enter the force pool."""
    new = [
        unit for unit in state.germans.values() if unit.place == "later" and unit.arrives == state.turn + 1
    ]
    to_pool(new)
    if new:
        state.note(GermansArrived(case="7.2", names=names(new)))


def finish_replenishing(state: State) -> None:
    """7.7 Divisions under a marker are full again."""
    rebuilt = [unit for unit in state.on_map() if unit.replenishing]
    for unit in rebuilt:
        unit.steps, unit.replenishing = 2, False
    if rebuilt:
        state.note(Replenished(case="7.7", names=tuple(unit.id for unit in rebuilt)))
