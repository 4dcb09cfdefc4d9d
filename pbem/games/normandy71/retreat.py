"""Retreats (COM): two hexes, along a path that the other side chooses; a unit that cannot retreat is eliminated.

Never into an enemy unit, off the map, into an all-sea hex, across water between two shores or across a river or flooded hexside without a
bridge. The stacking limit holds where the retreat ends; zones of control do not bar it. Every unit goes two hexes, whatever its allowance.
"""

from __future__ import annotations

from pbem.engine.play import Ask
from pbem.games.normandy71 import paratroops, stacking, supply, victory
from pbem.games.normandy71.notes import Retreated
from pbem.games.normandy71.state import ENEMY, Hex, State, Unit
from pbem.games.normandy71.tables import MAP
from pbem.games.normandy71.telling import name_for, tell


def _steps() -> dict[Hex, tuple[Hex, ...]]:
    """COM From every hex the neighbours that the map lets a unit retreat into."""
    return {
        hex: tuple(
            near for near in MAP.neighbours(hex) if _may_cross(hex, near) and not MAP.has(near, "all sea")
        )
        for hex in MAP.grid.ids
    }


def _may_cross(a: Hex, b: Hex) -> bool:
    kinds = MAP.hexside(a, b)
    return "sea" not in kinds and ("bridge" in kinds or not kinds & {"river_major", "river_minor", "flooded"})


STEPS = _steps()


def paths(state: State, unit: Unit) -> tuple[str, ...]:
    """COM Every legal retreat of a unit, written as its two hexes: "4718 4619"."""
    start, enemy = unit.placed, {u.hex for u in state.on_map(ENEMY[unit.side])}
    found = []
    for first in STEPS[start]:
        if first in enemy:
            continue
        for last in STEPS[first]:
            if last not in enemy and MAP.grid.distance(start, last) == 2 and _room(state, last, unit):
                found.append(f"{first} {last}")
    return tuple(found)


def _room(state: State, hex: Hex, unit: Unit) -> bool:
    return stacking.within_limit(hex, [*paratroops.upright(state, hex), unit])


async def retreat(state: State, unit: Unit) -> None:
    """COM Two hexes, routed by the other side; eliminated if there is no way."""
    if unit.inverted:
        paratroops.remove(state, unit, "INV.1C", "inverted")
        return
    ways = paths(state, unit)
    if not ways:
        paratroops.remove(state, unit, "COM", "no retreat")
        return
    router = ENEMY[unit.side]
    start = unit.placed
    way = await Ask(
        case="COM",
        what=f"retreat of {name_for(unit, router)} from {start}",
        seat=router,
        kind="retreat",
        options=ways,
        about={"hex": start, "kind": unit.kind, "side": unit.side},
    )
    path = (start, *way.split())
    unit.hex = path[-1]
    tell(
        state,
        [unit],
        lambda names, readers: Retreated(
            case="COM", readers=readers, side=unit.side, name=names[0], path=path
        ),
    )
    victory.pass_through(state, unit.side, path[1:])
    supply.entered(state, unit, path[1:])
