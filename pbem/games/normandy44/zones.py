"""Zones of control (4.0): the hexes around every combat unit, except across the sea and across major rivers,
bridge or not (C3, E4).

The effects of zones are elsewhere: they stop movement and hold units fast (reach.py), cut lines of supply
(supply.py), cost steps in a retreat (retreat.py) and stop ports from working (ports.py).
"""

from __future__ import annotations

from pbem.games.normandy44.state import SIDES, State
from pbem.games.normandy44.tables import GRID, LAND, MAP, UNITS, Side

REACH = MAP.without("river_major", "sea")
"""C3, E4 Where zones reach: a bridge over a major river does not let them across."""
COUNTERS: dict[Side, frozenset[str]] = {
    side: frozenset(id for id, counter in UNITS.items() if counter.side == side) for side in SIDES
}
TROOPS: dict[Side, frozenset[str]] = {
    side: frozenset(id for id in COUNTERS[side] if not UNITS[id].hq) for side in SIDES
}
"""0.1 The combat units of a side; looked up more often than anything else."""


def held(state: State, side: Side) -> int:
    """0.1 The set of the hexes with combat units of a side; headquarters are not combat units."""
    return _hexes(state, TROOPS[side])


def occupied(state: State, side: Side) -> int:
    """The set of the hexes with units of a side, headquarters included."""
    return _hexes(state, COUNTERS[side])


def _hexes(state: State, ids: frozenset[str]) -> int:
    """The set of the hexes with any of these units."""
    return GRID.bits({unit.hex for unit in state.units.values() if unit.hex is not None and unit.id in ids})


def zone(state: State, side: Side) -> int:
    """4.0 The set of the land hexes that combat units of a side control, even if occupied."""
    return REACH.spread(held(state, side)) & LAND
