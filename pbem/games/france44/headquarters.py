"""Headquarters that disperse (4.10): alone in an enemy zone one leaves the map at once,
and comes in again two turns later."""

from __future__ import annotations

from pbem.games.france44 import zones
from pbem.games.france44.notes import Dispersed
from pbem.games.france44.state import ENEMY, SIDES, State, Unit
from pbem.games.france44.tables import CHARTS, GRID


def disperse(state: State, unit: Unit, case: str = "4.10") -> None:
    """4.10 A headquarters leaves the map for two turns."""
    where = unit.placed
    unit.place, unit.hex, unit.unsupplied = "track", None, False
    unit.back = state.turn + CHARTS.headquarters.away
    state.note(Dispersed(case=case, side=unit.side, name=unit.id, hex=where, back=unit.back))


def disperse_lone(state: State) -> None:
    """4.10 Every headquarters that stands in an enemy zone without a combat unit of its side
    disperses at once."""
    for side in SIDES:
        posts = [unit for unit in state.on_map(side) if unit.hq]
        if not posts:
            continue
        danger = zones.zone(state, ENEMY[side]) & ~zones.held(state, side)
        for unit in posts:
            if danger >> GRID.index(unit.placed) & 1:
                disperse(state, unit)
