"""Zones of control (ZOC): the six hexes around every unit. They cost movement points and cut supply,
and do nothing in combat.

What they cost stands on the chart (ZOC.A) and is laid over the movement costs in reach.py,
once however many units control a hex (ZOC.B); that they cut supply (ZOC.D) stands in supply.py.
"""

from __future__ import annotations

from pbem.games.normandy71.state import Side, State
from pbem.games.normandy71.tables import GRID


def held(state: State, side: Side) -> int:
    """The set of the hexes in which units of a side stand."""
    return GRID.bits({unit.placed for unit in state.on_map(side)})


def zone(state: State, side: Side) -> int:
    """ZOC.C The set of the hexes that units of a side control: all their neighbours,
    whatever the terrain or who stands there."""
    return GRID.zone(held(state, side))
