"""Retreats (COM): 2 hexes along a path that the other side chooses; a unit that cannot retreat is eliminated.

Never into an enemy unit, off the map, into an all-sea hex, across water between two shores or across a river
or flooded hexside without a bridge. The stacking limit applies where the retreat ends; ZOC do not
prevent it. Every unit retreats 2 hexes, whatever its allowance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pbem.engine.play import Ask
from pbem.engine.wording import some
from pbem.games.normandy71 import paratroops, stacking, supply, victory, zones
from pbem.games.normandy71.disclosure import disclose, name_for, names_for
from pbem.games.normandy71.notes import Retreated
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, GRID, MAP


@cache
def steps(hex: Hex) -> tuple[Hex, ...]:
    """COM The neighbours of a hex into which the map allows a retreat."""
    return tuple(
        near for near in MAP.neighbours(hex) if _may_cross(hex, near) and not MAP.has(near, "all sea")
    )


def _may_cross(a: Hex, b: Hex) -> bool:
    kinds = MAP.hexside(a, b)
    return "sea" not in kinds and ("bridge" in kinds or not kinds & {"river_major", "river_minor", "flooded"})


def paths(state: State, unit: Unit) -> tuple[str, ...]:
    """COM Every legal retreat of a unit, written as its two hexes: "4718 4619"."""
    start, enemy = unit.placed, {u.hex for u in state.on_map(ENEMY[unit.side])}
    found = []
    for first in steps(start):
        if first in enemy:
            continue
        for last in steps(first):
            if last not in enemy and MAP.grid.distance(start, last) == 2 and _room(state, last, unit):
                found.append(f"{first} {last}")
    return tuple(found)


def _room(state: State, hex: Hex, unit: Unit) -> bool:
    return stacking.within_limit(hex, [*paratroops.upright(state, hex), unit])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetreatWay(Ask[str]):
    """COM By which way does a unit of `side` retreat, as the other side chooses? The `sparing` ways are those
    that do not harm the chooser (SUP.H), or all if every way does."""

    kind: str = "retreat"
    side: Side
    sparing: Sequence[str]


async def retreat(state: State, unit: Unit, ahead: Sequence[Hex] = ()) -> None:
    """COM Retreat a unit 2 hexes along the path that the other side chooses, or eliminate it if there is
    none. `ahead` are the hexes still to be attacked in this phase. Paths that harm the chooser (SUP.H)
    come last, so that the default is none of them."""
    if unit.inverted:
        paratroops.remove(state, unit, "INV.1C", "inverted")
        return
    router = ENEMY[unit.side]
    ways = paths(state, unit)
    if not ways:
        paratroops.remove(state, unit, "COM", "no retreat")
        return
    start = unit.placed
    sparing = spared(state, router, ways)
    way = await RetreatWay(
        case="COM",
        what=f"retreat of {name_for(unit, router)} from {start}",
        seat=router,
        options=(*sparing, *(way for way in ways if way not in sparing)),
        side=unit.side,
        sparing=sparing,
        says=lambda way: described(state, unit, way, ahead),
    )
    path = (start, *way.split())
    unit.hex = path[-1]
    disclose(
        state,
        [unit],
        lambda names, readers: Retreated(
            case="COM", readers=readers, side=unit.side, name=names[0], path=path
        ),
    )
    victory.pass_through(state, unit.side, path[1:])
    supply.entered(state, unit, path[1:])


def spared(state: State, router: Side, ways: Sequence[str]) -> Sequence[str]:
    """SUP.H The paths among which the default, standing orders and the bot choose: for the Allies none
    over an invaded beach if there is another, or else none over a supply area. All such beaches are
    avoided alike, so that the path does not show which of them are supply areas."""
    if router == "german":
        return ways
    beaches = {BEACHES[name] for name in (*state.plan.beaches, *state.plan.supply)}
    off_beaches = [way for way in ways if not beaches & set(way.split())]
    return off_beaches or [way for way in ways if not harmed(state, router, way)] or ways


def harmed(state: State, router: Side, way: str) -> tuple[str, ...]:
    """SUP.H The supply areas of the chooser that a retreating German would close for good on this path."""
    if router != "allied":
        return ()
    return tuple(beach for beach, hex in supply.areas(state).items() if hex in way.split())


def described(state: State, unit: Unit, way: str, ahead: Sequence[Hex]) -> str:
    """Where a retreat ends and what it means to the chooser, from what that side may know. Whether an Allied
    unit would be in supply is hidden from the Germans (SUP.H)."""
    router, end = ENEMY[unit.side], way.split()[-1]
    told = [f"ends in {MAP.terrain(end)}" if MAP.called(end) == end else f"ends at {MAP.called(end)}"]
    told += [f"ends your supply area {beach} for good" for beach in harmed(state, router, way)]
    told += [f"passes {MAP.called(hex)}" for hex in way.split()[:-1] if hex in victory.CITY_HEXES]
    if state.entrenchments.get(end) == unit.side:
        told.append("entrenched there")  # ENT.B, ENT.C
    elif friends := paratroops.upright(state, end):
        told.append(f"joins {some(names_for(friends, router))}")
    if end in ahead:
        told.append("still to be attacked")
    if zones.zone(state, router) >> GRID.index(end) & 1:
        told.append("adjacent to your units")
    in_supply = state.turn == 1 or supply.supplied(state, unit.side) >> GRID.index(end) & 1  # SUP.K
    if unit.side == "german" and not in_supply:
        told.append("out of supply")
    return ", ".join(told)
