"""Lines of communication (6.5): up to ten hexes to a road, and along the road to where the side's supplies
come from; or up to ten hexes straight there.

For the Allies that is the north, west or south edge of the map. For the Germans it is one hex near the east
edge, by road or without one. A line crosses rivers at bridges and fords only and enters no enemy zone;
friends lift zones from its first ten hexes, never from the road. The hex where it begins does not count:
its unit is there already. Zones change with every step, so that a line is judged when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.games.falaise import zones
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import GERMAN_EXIT, GRID, MAP, Hex, Side

OVERLAND = 10
"""Hexes to the road, or to the end."""


def _allied_edges() -> int:
    """The hexes of the north, west and south edges."""
    north, south = GRID.rows
    west = GRID.cols[1]
    found = 0
    for index in range(len(GRID)):
        column, row = GRID.col_row(index)
        found |= (column == west or row in (north, south)) << index
    return found & MAP.on_map


ENDS: dict[Side, int] = {"german": GRID.bits((GERMAN_EXIT,)), "allied": _allied_edges()}
"""Where the lines of a side end, by road or without one."""


def in_communication(state: State, unit: Unit) -> bool:
    """6.5 Whether a unit on the map has a line of communication now."""
    return hex_in_communication(state, unit.side, unit.placed)


def hex_in_communication(state: State, side: Side, hex: Hex) -> bool:
    """6.5 Whether a unit of a side in a hex has a line of communication, or would have one."""
    return bool(communicating(state, side) >> GRID.index(hex) & 1)


def communicating(state: State, side: Side, moved: Mapping[str, Hex] = zones.NOBODY) -> int:
    """6.5 The set of the hexes in which a unit of a side has a line of communication, or would have one:
    worked out from the ends of the lines back to where they begin; if the enemies `moved` stood in these
    hexes."""
    enemy, zone = zones.occupied(state, OTHER[side], moved), zones.zone(state, OTHER[side], moved)
    return _past(side, zones.occupied(state, side), enemy, zone)


@lru_cache(maxsize=32)
def _past(side: Side, own: int, enemy: int, zone: int) -> int:
    passable = MAP.on_map & ~enemy & (~zone | own)
    ends = network(side, MAP.on_map & ~enemy & ~zone) | ENDS[side] & passable
    return ENDS[side] | ends | zones.LINKS.spread(zones.LINKS.flood(ends, passable, OVERLAND - 1))


def cut_off(state: State, side: Side) -> list[Unit]:
    """6.5 The units of a side on the map that have no line of communication now."""
    lines = communicating(state, side)
    return [unit for unit in state.on_map(side) if not lines >> GRID.index(unit.placed) & 1]


@lru_cache(maxsize=32)
def network(side: Side, free: int) -> int:
    """6.5 The road hexes from which a road leads to the end through hexes of `free`."""
    return MAP.road_flood(ENDS[side] & MAP.road_hexes & free, free)
