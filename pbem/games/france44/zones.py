"""Zones of control (3.3): the six hexes around every full or reduced combat unit,
except across blocked hexsides.

What they cost stands in movement.py, what they bar in command.py, supply.py and retreat.py.
Cadres and headquarters have none.
"""

from __future__ import annotations

from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID, LAND, OPEN_GROUND, Side


def held(state: State, side: Side) -> int:
    """The set of the hexes in which combat units of a side stand, cadres included."""
    return GRID.bits({unit.placed for unit in state.on_map(side) if not unit.hq})


def occupied(state: State, side: Side) -> int:
    """The set of the hexes in which pieces of a side stand, headquarters included."""
    return GRID.bits({unit.placed for unit in state.on_map(side)})


def zone(state: State, side: Side, *, south: bool = True) -> int:
    """3.3 The set of the hexes that units of a side control. Units in the southern row reach out of it,
    nothing reaches into it (10.1.3); without `south` they do not count."""
    units = GRID.bits({unit.placed for unit in state.on_map(side) if not unit.hq and not unit.cadre})
    return OPEN_GROUND.spread(units if south else units & LAND) & LAND


def closed(state: State, side: Side, *, south: bool = True) -> int:
    """3.3 The set of the hexes through which a side traces nothing:
    enemy zones without a combat unit of its own."""
    enemy: Side = "german" if side == "allied" else "allied"
    return zone(state, enemy, south=south) & ~held(state, side)
