"""Supply (SUP): up to three hexes to a road, then along the road to a source.

Enemy units and the hexes that they control cut a line, even where friendly units are (SUP.D). Only the hex of
the traced unit itself may be controlled, and an Allied unit on a supply area is always in supply (SUP.L).
Supply is judged at the start of a phase and by hex: it is the same for every unit of the side there (SUP.C).
Lines do not cross the sea.

Lack of supply halves units (SUP.A), keeps parachute units that never had any from moving (SUP.F), and
never eliminates a unit by itself (SUP.B). This is in reach.py (MOV.J to MOV.N) and odds.py (COM.I), the
limit of 4 attacks (SUP.M) in allocation.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.engine.hexes import bits, indices
from pbem.games.normandy71 import zones
from pbem.games.normandy71.notes import BeachLost
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, BORDER, CHARTS, EXITS, GRID, LAND, MAP, OVERLAND

ROAMERS = ("commando", "reconnaissance")
"""SUP.G Types that may move out of supply."""


ALL_BEACHES = GRID.bits(BEACHES.values())
"""The hexes that may be supply areas."""


def areas(state: State) -> dict[str, Hex]:
    """SUP, SUP.H The Allied supply areas that are still open: beach -> hex."""
    return {name: BEACHES[name] for name in state.plan.supply if name not in state.dead_beaches}


def sources(state: State, side: Side) -> int:
    """MOV.L The set of hexes from which the distance to supply is counted: open supply areas, or for the
    Germans the edge of the map."""
    return GRID.bits(areas(state).values()) if side == "allied" else BORDER


def supplied(state: State, side: Side) -> int:
    """SUP The set of hexes in which a unit of `side` can trace a supply line now (without SUP.K)."""
    enemy, zone = zones.held(state, ENEMY[side]), zones.zone(state, ENEMY[side])
    if side == "allied":
        return _allied_area(enemy, zone, GRID.bits(areas(state).values()))
    roads = bits(GRID.index(hex) for hex in EXITS if hex not in state.closed_roads)  # SUP.J
    return _german_area(enemy, zone, roads)


@lru_cache(maxsize=32)
def _allied_area(enemy: int, zone: int, here: int) -> int:
    """The hexes in supply for the Allies, from enemy hexes, enemy ZOC and open supply areas."""
    free, open_to = LAND & ~enemy & ~zone, LAND & ~enemy
    return _in_reach(MAP.road_flood(here & free, free), CHARTS.supply.to_road, free, open_to) | here & open_to


def from_beaches(held: int) -> int:
    """The set of hexes that would be in supply for the Allies with enemies in the hexes of `held`, if every
    beach were a supply area."""
    return _allied_area(held, GRID.zone(held), ALL_BEACHES)


def line_to(held: int, end: int) -> int:
    """The hexes of a supply line from a beach to the hex with the index `end`, as `from_beaches` reckons it;
    none if there is none."""
    free = LAND & ~held & ~GRID.zone(held)
    before = _ways(free)
    found = {end: end}
    for _ in range(CHARTS.supply.to_road + 1):
        if (joined := next((at for at in found if at in before), None)) is not None:
            return bits((*_back(found, joined), *_back(before, joined)))
        for at in tuple(found):
            for near in indices(OVERLAND.spread(1 << at) & free):
                found.setdefault(near, at)
    return 0


def _back(before: Mapping[int, int], at: int) -> Iterator[int]:
    """The hexes from one to where the ways to it begin, both included."""
    yield at
    while before[at] != at:
        at = before[at]
        yield at


@lru_cache(maxsize=8)
def _ways(free: int) -> dict[int, int]:
    """The way along roads through free hexes from every beach: index -> the index before."""
    return MAP.roads_from(ALL_BEACHES & free, free)


@lru_cache(maxsize=32)
def _german_area(enemy: int, zone: int, roads: int) -> int:
    """The hexes in supply for the Germans, from enemy hexes, enemy ZOC and open exit roads."""
    free, open_to = LAND & ~enemy & ~zone, LAND & ~enemy
    by_road = _in_reach(MAP.road_flood(roads & free, free), CHARTS.supply.to_road, free, open_to)
    by_edge = _in_reach(BORDER & free, CHARTS.supply.to_edge, free, open_to)  # SUP.I
    return by_road | by_edge | (roads | BORDER) & open_to


def _in_reach(ends: int, steps: int, free: int, open_to: int) -> int:
    """The hexes from which a line of at most `steps` hexes leads to one of `ends` through free hexes; the
    first may be controlled."""
    return ends | OVERLAND.spread(OVERLAND.flood(ends, free, steps - 1)) & open_to if ends else 0


def trace(state: State, unit: Unit, area: int) -> bool:
    """SUP.K Whether a unit is in supply where it is; `area` is what `supplied` gives for its side."""
    return reached(state, unit, unit.placed, area)


def reached(state: State, unit: Unit, hex: Hex, area: int) -> bool:
    """SUP.K Whether a unit is, or would be, in supply in a hex. On game-turn 1 all units are, except Allied
    parachute units."""
    if state.turn == 1 and unit.type != "paratroop":
        return True
    return bool(area >> GRID.index(hex) & 1)


def entered(state: State, unit: Unit, hexes: Iterable[Hex]) -> None:
    """SUP.H A unit moves or retreats through these hexes. A German one closes the supply areas among them;
    only the Allied log shows it."""
    if unit.side != "german":
        return
    passed = tuple(hexes)
    for name, hex in areas(state).items():
        if hex in passed:
            state.dead_beaches.append(name)
            state.note(BeachLost(case="SUP.H", readers=("allied",), beach=name, hex=hex))
