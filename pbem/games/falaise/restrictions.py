"""Where units may not go: across rivers (7.2), the Trun bridge (7.2.1), the Withdrawal Line
and the 86th Corps Zone (11.4), next to the Dives and north of Argentan (11.9), off to Paris (12.5),
and in solitaire play over the corps boundary (13.3).

Advances and retreats are no movement (7.2.2): the limits of 11.9 and 12.5 do not bind them.
Nor do those bind assaults; what does stands in `attack_fault`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.engine.errors import NotAllowed
from pbem.engine.hexes import EVERYWHERE, bits, side_key
from pbem.games.falaise import zone86, zones
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import ARGENTAN, GRID, MAP, Hex

DIVES = GRID.bits(hex for key in MAP.rivers["Dives"] for hex in key.split("-"))
"""11.9 The hexes next to the Dives."""
NORTH = bits(
    index for index in range(len(GRID)) if GRID.col_row(index)[1] < GRID.col_row(GRID.index(ARGENTAN))[1]
)
"""11.9 The hexes north of the row of Argentan."""
DIVES_DIVISIONS = ("P1Arm", "C3", "C4Arm", "90")
"""11.9 The divisions that may come adjacent to the Dives from the start."""
FRENCH = "F2Arm"
WITHDRAWAL_LINE = frozenset(MAP.hexsides("withdrawal_line"))
MAJOR = frozenset(MAP.hexsides("river_major")) & zones.UNBRIDGED
"""7.2 The Dives and the Orne, without a bridge or ford: no unit crosses."""


class Barrier(NamedTuple):
    """What some units may not do: cross one of `sides`, or go from a hex of `leaving`
    into one of `entering`."""

    case: str
    why: str
    sides: frozenset[str] = frozenset()
    leaving: int = EVERYWHERE
    entering: int = 0

    def stops(self, a: Hex, b: Hex) -> bool:
        """Whether it keeps a unit from crossing between two neighbours."""
        if side_key(a, b) in self.sides:
            return True
        return bool(self.leaving >> GRID.index(a) & 1 and self.entering >> GRID.index(b) & 1)


BARRIERS: Mapping[str, Barrier] = {
    "trun": Barrier("7.2.1", "armour cannot cross the Trun bridge", zones.TRUN_BRIDGE),
    "line": Barrier("11.4", "no Allied unit may cross the German Withdrawal Line", WITHDRAWAL_LINE),
    "zone": Barrier(
        "11.4",
        "no German unit may enter the 86th Corps Zone before an Allied unit has",
        leaving=~zone86.ZONE,
        entering=zone86.ZONE,
    ),
    "boundary": Barrier(
        "13.3",
        "the Allies may not cross the 86th Corps boundary yet",
        leaving=~zone86.ZONE,
        entering=zone86.ZONE,
    ),
    "dives": Barrier("11.9", "its division may not move adjacent to the Dives", entering=DIVES),
    "argentan": Barrier(
        "11.9",
        "the 80th Division stays south of the row of Argentan until the town has fallen",
        entering=NORTH,
    ),
}
MOVING = ("dives", "argentan")
"""7.2.2 Barriers to movement, not to advances and retreats."""


def limits(state: State, unit: Unit) -> tuple[str, ...]:
    """The barriers that hold for a unit now, by their names."""
    found = ["trun"] if unit.counter.armour else []
    if unit.side == "german":
        return (*found, "zone") if not zone86.open_to_germans(state) else tuple(found)
    found.append("line")
    if state.solitaire and not state.boundary:
        found.append("boundary")
    if _kept_from_dives(state, unit):
        found.append("dives")
    if unit.counter.division == "80" and not state.argentan_fell:
        found.append("argentan")
    return tuple(found)


def _kept_from_dives(state: State, unit: Unit) -> bool:
    """11.9 The French always, most others until the turn after the German counterattack."""
    if unit.counter.division == FRENCH:
        return True
    lifted = 0 < state.counterattack < state.turn
    return unit.counter.division not in DIVES_DIVISIONS and not lifted


def waits(state: State, unit: Unit) -> bool:
    """12.5 Whether a unit may only withdraw this turn, from a German zone and no further."""
    return unit.counter.division == FRENCH and state.french == "waiting"


def passable(mech: bool, a: Hex, b: Hex) -> bool:
    """7.2 Whether the terrain lets a unit cross between two neighbours: the Dives and the Orne only at
    bridges and fords, mechanised units also other rivers."""
    return side_key(a, b) not in (zones.UNBRIDGED if mech else MAJOR)


def barrier_fault(unit: Unit, names: tuple[str, ...], a: Hex, b: Hex) -> NotAllowed | None:
    """The first of these barriers between two neighbours, None if there is none."""
    for name in names:
        if BARRIERS[name].stops(a, b):
            return NotAllowed(
                f"{unit.id} cannot go from {a} to {b}: {BARRIERS[name].why}", BARRIERS[name].case
            )
    return None


def terrain_fault(unit: Unit, a: Hex, b: Hex) -> NotAllowed | None:
    """7.2 Why the terrain keeps a unit from crossing between two neighbours, None if it does not."""
    if b not in MAP:
        return NotAllowed(f"{b} is not on the map", "7.2")
    if passable(unit.mech, a, b):
        return None
    river = ", ".join(MAP.river(a, b)) or "a river"
    who = "mechanised units" if side_key(a, b) not in MAJOR else "units"
    return NotAllowed(
        f"{unit.id} cannot go from {a} to {b}: {who} cross {river} only at bridges and fords",
        "7.2",
    )


def step_fault(state: State, unit: Unit, a: Hex, b: Hex) -> NotAllowed | None:
    """7.2, 11.4, 11.9, 12.5, 13.3 Why a unit may not move from a hex into its neighbour,
    points and other units aside; None if it may."""
    if fault := terrain_fault(unit, a, b) or barrier_fault(unit, limits(state, unit), a, b):
        return fault
    if waits(state, unit):
        zone = zones.zone(state, "german")
        if not zone >> GRID.index(a) & 1 or zone >> GRID.index(b) & 1:
            return NotAllowed(f"{unit.id} may only withdraw from a German zone this turn", "12.5")
    return None


def crossing_fault(state: State, unit: Unit, a: Hex, b: Hex) -> NotAllowed | None:
    """7.2.2 Why a unit may not advance or retreat from a hex into its neighbour, None if it may.
    That retreats cross no river but at bridges and fords (10.3) is another matter: see `zones.linked`."""
    names = tuple(name for name in limits(state, unit) if name not in MOVING)
    return terrain_fault(unit, a, b) or barrier_fault(unit, names, a, b)


def attack_fault(state: State, unit: Unit, a: Hex, b: Hex) -> NotAllowed | None:
    """11.4, 7.2.1 Why a unit may not attack from a hex into its neighbour, None if it may:
    not over the Withdrawal Line if it is Allied, not over the Trun bridge if it is armour,
    and over the Dives or the Orne only at bridges and fords."""
    if side_key(a, b) in MAJOR:
        river = ", ".join(MAP.river(a, b))
        return NotAllowed(
            f"{unit.id} cannot attack {b} from {a}: the {river} is in between, without a bridge or ford",
            "10.1",
        )
    names = tuple(name for name in limits(state, unit) if name in ("trun", "line"))
    if fault := barrier_fault(unit, names, a, b):
        return NotAllowed(fault.text.replace("cannot go from", "cannot attack from"), fault.case)
    return None
