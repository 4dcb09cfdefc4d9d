"""Advance after combat (9.8): those who took part may go into the hex that was vacated, one after another,
and some of them a hex further.

Infantry stops in a vacated hex that another enemy controls; armour goes on, and so does everybody
where no enemy controls it. Over the Rhine in boats all stop in the hex that they have won (12.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask
from pbem.games.france44 import airborne, crossing, stacking, zones
from pbem.games.france44.commanded import Commanded
from pbem.games.france44.notes import Advanced
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import GRID, LAND, OPEN_GROUND, Arm, Hex, ground

NONE = "none"


async def advance(
    series: Commanded, order: Attack, units: Sequence[Unit], vacated: Sequence[Hex], boats: bool
) -> None:
    """9.8 Each attacker in turn may advance into a vacated hex, or through it into the next one."""
    if order.stay:
        return
    state = series.state
    for unit in units:
        ways = {" ".join(path): path for path in paths(state, unit, vacated, boats)}
        if not ways:
            continue
        path = _ordered(order, unit, ways) if order.advance else await _chosen(unit, ways)
        if path:
            gone = await series.step_along(unit, (unit.placed, *path), boats=boats)
            if len(gone) == 1:
                continue
            series.advanced[unit.id] = series.track.count
            if boats:
                series.crossed.add(unit.id)
            start, *onward = gone
            note = Advanced(case="9.8", side=unit.side, name=unit.id, start=start, path=tuple(onward))
            state.note(note)


def paths(state: State, unit: Unit, vacated: Sequence[Hex], boats: bool) -> list[tuple[Hex, ...]]:
    """9.8, 12.8 The ways in which a unit may advance: into a vacated hex next to it,
    and on into any hex after that."""
    enemy = ENEMY[unit.side]
    held, zone = zones.occupied(state, enemy), zones.zone(state, enemy)
    found: list[tuple[Hex, ...]] = []
    for hex in vacated:
        if not GRID.are_neighbours(unit.placed, hex) or not _may_enter(
            state, unit, unit.placed, hex, held, boats
        ):
            continue
        found.append((hex,))
        stops = zone >> GRID.index(hex) & 1 and unit.arm == "infantry"
        if boats or stops:
            continue
        found += [
            (hex, near)
            for near in GRID.named(OPEN_GROUND.open[GRID.index(hex)])
            if _may_enter(state, unit, hex, near, held, False)
        ]
    return found


def _may_enter(state: State, unit: Unit, a: Hex, b: Hex, held: int, boats: bool) -> bool:
    """7.1, 9.8 Whether a unit may go from a hex into the next one: no enemy, room,
    no river Rhine without a bridge but in boats."""
    dry = boats or not crossing.needs_boats(state, a, b) or airborne.ignored(state, unit.side, a, b)
    if not dry or not (LAND & ~held) >> GRID.index(b) & 1:
        return False
    return stacking.fits([*(other for other in state.at(b) if other is not unit), unit])


def _ordered(order: Attack, unit: Unit, ways: dict[str, tuple[Hex, ...]]) -> tuple[Hex, ...] | None:
    """9.8 What the order says of a unit: through the hex to the one it names,
    else into the first vacated hex."""
    if unit.id not in order.advance:
        return None
    onward = next((path for path in ways.values() if path[-1] == order.onward), None)
    return onward or next(iter(ways.values()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdvanceWay(Ask[str]):
    """9.8 Which way does a unit advance from `start`, or `NONE`? `first` is the way that it goes without an
    answer."""

    kind: str = "advance"
    unit: str
    arm: Arm
    start: Hex
    first: str


async def _chosen(unit: Unit, ways: dict[str, tuple[Hex, ...]]) -> tuple[Hex, ...] | None:
    """9.8 The owner decides; without an answer the unit goes into the vacated hex."""
    first = next(iter(ways))
    answer = await AdvanceWay(
        case="9.8",
        what=f"advance of {unit.id}",
        seat=unit.side,
        options=(NONE, *ways),
        default=first,
        says=lambda way: ground(way.split()[-1]) if way != NONE else "",
        unit=unit.id,
        arm=unit.arm,
        start=unit.placed,
        first=first,
    )
    return ways.get(answer)
