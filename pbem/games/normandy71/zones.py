"""Zones of control (ZOC): the 6 hexes around every unit. They cost movement points and cut supply, and have
no effect in combat.

Their cost is on the chart (ZOC.A). reach.py adds it to the movement costs, only once if several units
control a hex (ZOC.B); supply.py cuts supply in them (ZOC.D)."""

from __future__ import annotations

from pbem.games.normandy71.state import Side, State
from pbem.games.normandy71.tables import GRID


def held(state: State, side: Side) -> int:
    """The set of hexes with units of a side."""
    return GRID.bits({unit.placed for unit in state.on_map(side)})


def zone(state: State, side: Side) -> int:
    """ZOC.C The set of hexes that units of a side control: all their neighbours, whatever the terrain and the
    units there."""
    return GRID.zone(held(state, side))
