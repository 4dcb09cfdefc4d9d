"""Advance after combat (7.4): attackers go into the hex that the defenders have left or lost, free of cost,
within the stacking limits.

Decided here, where the rules are silent: ground closed to motorised units also bars their advance:
marsh off the road, and a major river without a bridge (E4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pbem.engine.play import Ask
from pbem.games.normandy44 import control, retreat, stacking, zones
from pbem.games.normandy44.notes import Advanced
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, Hex, bridged, place_name, river_between

NONE = "none"
MANY_WAYS = 200
"""Offer at most this many sets of units."""
MOST = CHARTS.stacking.pe + CHARTS.stacking.zero_pe
"""3.1 The most combat units that fit into a hex."""


async def advance(state: State, hex: Hex, attackers: Sequence[Unit], order: Attack) -> None:
    """7.4 Attackers may advance into the hex that they have won; none where bombers have ploughed it up
    (10.3)."""
    units = [unit for unit in attackers if may_advance(state, unit, hex)]
    if not units or order.stay:
        return
    going = named(state, units, hex, order) if order.advance else await chosen(state, units, hex)
    if not going:
        return
    for unit in going:
        unit.hex = hex
    state.note(Advanced(case="7.4", side=going[0].side, names=tuple(unit.id for unit in going), hex=hex))
    for unit in going:
        control.entered(state, unit, (hex,))


def may_advance(state: State, unit: Unit, hex: Hex) -> bool:
    """7.4, 10.3, E4 Whether an attacker can advance into a hex at all."""
    if unit.place != "map" or state.at(hex) or hex in state.craters:
        return False
    ford = river_between(unit.placed, hex) == "major" and not bridged(unit.placed, hex)
    return not (ford and unit.counter.motor) and retreat.passable([unit], unit.placed, hex)


def named(state: State, units: Sequence[Unit], hex: Hex, order: Attack) -> list[Unit]:
    """7.4 Those whom the order names, as far as there is room."""
    by_id = {unit.id: unit for unit in units}
    going: list[Unit] = []
    for id in dict.fromkeys(order.advance):
        if id in by_id and stacking.fits([*going, by_id[id]]):
            going.append(by_id[id])
    return going


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Advance(Ask[str]):
    """7.4 Which units advance into `hex`, each from its hex in `origins`? Or `NONE`?"""

    kind: str = "advance"
    hex: Hex
    origins: Mapping[str, Hex]


async def chosen(state: State, units: Sequence[Unit], hex: Hex) -> list[Unit]:
    """7.4 The owner chooses. By default no unit advances, so that no hex is left empty and no headquarters
    alone by mistake."""
    by_name = {", ".join(unit.id for unit in group): group for group in groups(units)}
    close = zones.zone(state, ENEMY[units[0].side]) >> GRID.index(hex) & 1
    near = ", adjacent to the enemy" if close else ""
    answer = await Advance(
        case="7.4",
        what=f"advance into {hex}",
        seat=units[0].side,
        options=(*by_name, NONE),
        default=NONE,
        hex=hex,
        origins={unit.id: unit.placed for unit in units},
        intro=f"{place_name(hex)} is empty ({MAP.terrain(hex)}{near}); advancing costs nothing.",
        says=lambda name: means(state, by_name.get(name, ())),
    )
    return list(by_name.get(answer, ()))


def means(state: State, going: Sequence[Unit]) -> str:
    """7.4 What a letter says of an advance: the hexes that it leaves without combat units,
    and the headquarters left there."""
    parts = []
    for hex in dict.fromkeys(unit.placed for unit in going):
        staying = [unit for unit in state.at(hex) if unit not in going]
        if all(unit.hq for unit in staying):
            alone = [unit.id for unit in staying]
            parts.append(
                f"leaves {', '.join(alone)} alone at {hex}" if alone else f"leaves {place_name(hex)} empty"
            )
    return "; ".join(parts)


def groups(units: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """3.1, 7.4 The sets of these units that have room together, the largest first."""
    found = [
        group
        for count in range(1, min(len(units), MOST) + 1)
        for group in combinations(units, count)
        if stacking.fits(group)
    ]
    return sorted(found, key=size, reverse=True)[:MANY_WAYS]


def size(group: Sequence[Unit]) -> tuple[int, int, int]:
    """How large a set of units is: stacking points, then defence, then units."""
    return sum(unit.pe for unit in group), sum(unit.defence for unit in group), len(group)
