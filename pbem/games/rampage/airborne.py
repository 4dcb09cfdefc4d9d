"""The First Allied Airborne Army (13): one assault in a game, of one to three divisions in hexes next
to each other.

All drops are judged together, before the first of them is resolved; then each hex is defended and fought
for in turn. The defence is rolled as for any hex (8.6, 13.5). A landing that closes a pocket is followed
by the breakout like any other switch of control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import indices
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.rampage import control, defence, pockets, preview
from pbem.games.rampage.battle import Battle, battle_round
from pbem.games.rampage.command import AlliedDesk, airborne_seats, seat_of_group
from pbem.games.rampage.notes import Landed, LandingLost, Relieved, Won
from pbem.games.rampage.orders import Concede, Drop
from pbem.games.rampage.state import German, Hex, State, Unit
from pbem.games.rampage.tables import CHARTS, FORTRESSES, GRID, LAND, MAP, place_name

GROUND: int = LAND & ~MAP.bits("rough") & ~GRID.bits(FORTRESSES)
"""13.4 The hexes that allow a drop at all."""


def can_drop(state: State) -> bool:
    """13.2, 13.4 Whether the assault may come now: from turn 2 on."""
    return CHARTS.airborne.first_turn <= state.turn and may_come(state)


def may_come(state: State) -> bool:
    """13.4 Whether the assault, once in a game, may still come, now or later."""
    return state.turn <= CHARTS.airborne.last_turn and not state.drop_turn and bool(waiting(state))


def waiting(state: State) -> list[Unit]:
    """13.2 The airborne divisions that have not jumped."""
    return [unit for unit in state.units.values() if unit.group == "airborne" and unit.place == "later"]


def relieve(state: State, hex: Hex) -> None:
    """13.8 An Allied force of the armies has entered a hex: airborne divisions there leave the game."""
    there = [unit for unit in state.at(hex) if unit.group == "airborne"]
    for unit in there:
        unit.place, unit.hex = "relieved", None
    if there:
        state.note(Relieved(case="13.8", names=names(there), hex=hex))


async def airborne_drop(state: State) -> None:
    """13.3 Phase II: the drops are written, then all of them are carried out."""
    drops: dict[str, Hex] = {}
    await write(*(Assault(state, seat, drops) for seat in airborne_seats(state)))
    if drops and not state.conceded:
        state.drop_turn = state.turn
        for hex, units in by_hex(state, drops).items():
            await land(state, hex, units)


# --- the landing ----------------------------------------------------------------------------------------


async def land(state: State, hex: Hex, units: Sequence[Unit]) -> None:
    """13.5 The landing in one hex: the defence, the only round of battle, and who is left."""
    for unit in units:
        unit.place, unit.hex = "map", hex
    state.note(Landed(case="13.4", names=names(units), hex=hex))
    if hex not in state.german:
        return
    germans = await defence.generate(state, hex)
    seat = seat_of_group(state, "airborne")
    battle = Battle(hex, hex, list(units), list(germans), kind="landing", seat=seat)
    if germans:
        await battle_round(battle, state)
    if battle.defenders:
        wipe_out(state, hex, battle.defenders)
        return
    if germans:
        state.note(Won(case="13.5", hex=hex, rounds=battle.round, attackers=names(battle.attackers)))
    state.drops.append(hex)
    control.pass_to_allies(state, (hex,), "13.5", "landing")
    await pockets.after_switch(state, hex)


def wipe_out(state: State, hex: Hex, germans: Iterable[German]) -> None:
    """13.5 Germans are left after the round: every airborne division in the hex is eliminated."""
    lost = state.at(hex)
    for unit in lost:
        unit.place, unit.hex, unit.steps = "dead", None, 0
    state.note(LandingLost(case="13.5", names=names(lost), hex=hex, defenders=defence.names(germans)))


# --- the orders -----------------------------------------------------------------------------------------


def by_hex(state: State, drops: Mapping[str, Hex]) -> dict[Hex, list[Unit]]:
    """The divisions that jump into each hex, the hexes in the order in which they were written."""
    found: dict[Hex, list[Unit]] = {}
    for id, hex in drops.items():
        found.setdefault(hex, []).append(state.units[id])
    return found


@dataclass(eq=False)
class Assault(AlliedDesk):
    """13.4 The drops as they are being written. A later line for a unit moves it; where two seats write,
    both write on the same list."""

    case = "13.4"
    section = "airborne"
    takes = (Drop, Concede)

    drops: dict[str, Hex] = field(default_factory=dict)
    """Unit -> the hex into which it jumps."""

    def __post_init__(self) -> None:
        self.zone = GROUND & control.german(self.state) & ~control.front(self.state)

    @property
    def what(self) -> str:
        return f"{self.seat} airborne drops"

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in waiting(self.state) if unit.id not in self.drops]

    def options(self, subject: str) -> Sequence[Order]:
        """The drops next to those already written; every sequence of lines leads to the same sets
        of hexes."""
        others = self.others((subject,))
        zone = self.zone & (others | GRID.zone(others)) if others else self.zone
        joined = (hex for hex in _bits(zone) if together(others | hex))
        return [Drop((subject,), hex) for hex in GRID.named(sum(joined))]

    def others(self, ids: Iterable[str]) -> int:
        """The hexes into which other divisions than these jump."""
        moved = tuple(ids)
        return GRID.bits(hex for id, hex in self.drops.items() if id not in moved)

    def check(self, order: Order | None) -> None:
        """Refuse what 13.4 forbids, one drop at a time and, when the writing ends, all of them together.
        Raises NotAllowed."""
        if isinstance(order, Drop):
            self._check_drop(order)
        elif order is None and not together(GRID.bits(self.drops.values())):
            hexes = ", ".join(dict.fromkeys(self.drops.values()))
            raise NotAllowed(f"the drop hexes {hexes} must be next to each other", "13.4")

    def _check_drop(self, order: Drop) -> None:
        ready = {unit.id for unit in waiting(self.state)}
        for id in order.units:
            if id not in ready:
                text = f"{id} is not an airborne division that can still drop"
                raise NotAllowed(
                    text, "13.3", legal=tuple(f"drop {unit} at {order.hex}" for unit in sorted(ready))
                )
        if why := self.fault(order.hex):
            raise NotAllowed(f"{hex_name(order.hex)} {why}", "13.4", legal=self.near(order))
        chosen = self.others(order.units) | GRID.bits((order.hex,))
        free = len(ready) - len({*self.drops, *order.units})
        if not could_join(chosen, self.zone, free):
            raise NotAllowed(f"{order.hex} is not next to the other drop hexes", "13.4")

    def near(self, order: Drop) -> tuple[str, ...]:
        """The legal drops nearest to one that is not."""
        if order.hex not in MAP:
            return ()
        hexes = sorted(GRID.named(self.zone), key=lambda hex: (GRID.distance(hex, order.hex), hex))
        return tuple(f"drop {order.units[0]} at {hex}" for hex in hexes[:3])

    def fault(self, hex: Hex) -> str:
        """13.4 Why a drop into a hex is not allowed; "" if it is."""
        if hex not in MAP or not LAND >> GRID.index(hex) & 1:
            return "is not a land hex of the map"
        if MAP.has(hex, "rough"):
            return "is rough"
        if hex in FORTRESSES:
            return "is a fortress city"
        if hex not in self.state.german:
            return "is in Allied hands: drops must be into German-controlled hexes"
        return "" if self.zone >> GRID.index(hex) & 1 else "is a front line hex"

    def offer(self, order: Order) -> Offer:
        """13.5 Which Germans the drop may meet, counting earlier drops into the same hex."""
        if not isinstance(order, Drop):
            return super().offer(order)
        before = (id for id, hex in self.drops.items() if hex == order.hex)
        units = [self.state.units[id] for id in dict.fromkeys((*before, *order.units))]
        return preview.of_drop(self.state, units, order.hex)

    def obey(self, order: Drop) -> None:
        for id in dict.fromkeys(order.units):
            self.drops.pop(id, None)
            self.drops[id] = order.hex


def together(hexes: int) -> bool:
    """13.4 Whether drop hexes are connected."""
    return not hexes or GRID.flood(hexes & -hexes, hexes) == hexes


def could_join(hexes: int, zone: int, free: int) -> bool:
    """13.4 Whether drop hexes are connected, or could be with `free` more hexes of the zone."""
    if together(hexes):
        return True
    return free > 0 and any(could_join(hexes | hex, zone, free - 1) for hex in _bits(zone & GRID.zone(hexes)))


def _bits(hexes: int) -> Iterator[int]:
    return (1 << index for index in indices(hexes))


def hex_name(hex: Hex) -> str:
    """A hex as players read it, whether or not it is on the map."""
    return place_name(hex) if hex in MAP else hex


def names(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)
