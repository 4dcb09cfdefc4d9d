"""Supply (SUP): up to three hexes to a road, then along the road to a source.

A line is cut by enemy units and by the hexes they control, under friends too (SUP.D); only the hex
of the traced unit itself may be controlled, and an Allied unit on a supply area always is supplied (SUP.L).
Supply is judged at the start of a phase, by hex: all units of a side that could stand there would be supplied
there (SUP.C). Lines do not cross the sea.

Lack of supply halves units (SUP.A), freezes parachute units that never had any (SUP.F), and never kills
by itself (SUP.B). That stands in reach.py (MOV.J to MOV.N) and odds.py (COM.I), the limit of four attacks
(SUP.M) in allocation.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.engine.hexes import bits
from pbem.games.normandy71 import zones
from pbem.games.normandy71.notes import BeachLost
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, BORDER, CHARTS, EXITS, GRID, LAND, MAP, OVERLAND

ROAMERS = ("commando", "reconnaissance")
"""SUP.G Types that may leave supply as they like."""


def areas(state: State) -> dict[str, Hex]:
    """SUP, SUP.H The Allied supply areas that are still alive: beach -> hex."""
    return {name: BEACHES[name] for name in state.plan.supply if name not in state.dead_beaches}


def sources(state: State, side: Side) -> int:
    """MOV.L The set of hexes from which the distance to supply is counted: live supply areas;
    for the Germans the border of the map."""
    return GRID.bits(areas(state).values()) if side == "allied" else BORDER


def supplied(state: State, side: Side) -> int:
    """SUP The set of the hexes in which a unit of `side` can trace a line of supply as things stand
    (SUP.K is not in it)."""
    enemy, zone = zones.held(state, ENEMY[side]), zones.zone(state, ENEMY[side])
    if side == "allied":
        return _allied_area(enemy, zone, GRID.bits(areas(state).values()))
    roads = bits(GRID.index(hex) for hex in EXITS if hex not in state.closed_roads)  # SUP.J
    return _german_area(enemy, zone, roads)


@lru_cache(maxsize=32)
def _allied_area(enemy: int, zone: int, here: int) -> int:
    """The Allied hexes in supply, given enemy hexes, enemy zones and live supply areas;
    these change seldom."""
    free, open_to = LAND & ~enemy & ~zone, LAND & ~enemy
    return _in_reach(MAP.road_flood(here & free, free), CHARTS.supply.to_road, free, open_to) | here & open_to


@lru_cache(maxsize=32)
def _german_area(enemy: int, zone: int, roads: int) -> int:
    """The German hexes in supply, given enemy hexes, enemy zones and the exit roads still open."""
    free, open_to = LAND & ~enemy & ~zone, LAND & ~enemy
    by_road = _in_reach(MAP.road_flood(roads & free, free), CHARTS.supply.to_road, free, open_to)
    by_edge = _in_reach(BORDER & free, CHARTS.supply.to_edge, free, open_to)  # SUP.I
    return by_road | by_edge | (roads | BORDER) & open_to


def _in_reach(ends: int, steps: int, free: int, open_to: int) -> int:
    """The hexes from which a line of so many steps leads to one of `ends`, through hexes that are free;
    its first may be controlled."""
    return ends | OVERLAND.spread(OVERLAND.flood(ends, free, steps - 1)) & open_to if ends else 0


def trace(state: State, unit: Unit, area: int) -> bool:
    """SUP.K Whether a unit is in supply where it stands, `area` being what `supplied` gives for its side.

    On game-turn 1 everybody is, except Allied parachute units.
    """
    if state.turn == 1 and unit.type != "paratroop":
        return True
    return bool(area >> GRID.index(unit.placed) & 1)


def entered(state: State, unit: Unit, hexes: Iterable[Hex]) -> None:
    """SUP.H A unit passes through these hexes, moving or retreating:
    a German kills the supply areas among them. Only the Allied player is told."""
    if unit.side != "german":
        return
    passed = tuple(hexes)
    for name, hex in areas(state).items():
        if hex in passed:
            state.dead_beaches.append(name)
            state.note(BeachLost(case="SUP.H", readers=("allied",), beach=name, hex=hex))
