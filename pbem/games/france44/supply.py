"""Supply (11): headquarters trace to sources, combat units to headquarters that could command them,
or are adjacent to a source.

Supply is judged at three moments only (11.5): at activation, for defenders in combat,
and in the administrative phase. Nothing here is kept: each judgement is worked out afresh.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from pbem.games.france44 import command, zones
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import (
    CHARTS,
    GERMAN_CITIES,
    GRID,
    LAND,
    OPEN_GROUND,
    PORTS,
    SOURCES,
    SOUTH,
    Side,
)


def sources(state: State, side: Side) -> int:
    """11.2, 11.3 The set of the hexes that are sources of supply of a side.

    The Allies have the source hexes that they control, and from the arrivals of September the southern row.
    The Germans have their cities while no Allied piece is there, and every port and source hex
    that they control.
    """
    enemy = zones.occupied(state, ENEMY[side])
    if side == "german":
        hexes = [*GERMAN_CITIES.values()]
        hexes += [
            hex for hex in dict.fromkeys((*PORTS.values(), *SOURCES)) if state.control.get(hex) == "german"
        ]
        return GRID.bits(hexes) & ~enemy
    found = GRID.bits(hex for hex in SOURCES if state.control.get(hex) == "allied") & ~enemy
    return found | (SOUTH if state.south_open else 0)


@dataclass
class Supply:
    """11.0, 11.5 The supply of a side at one moment: whoever judges it asks then,
    and it holds until somebody judges again."""

    state: State
    side: Side
    hqs: dict[str, int] = field(default_factory=dict)
    """Headquarters in supply -> the set of the hexes within its command range."""

    def __post_init__(self) -> None:
        self.sources = sources(self.state, self.side)
        served = _served(
            self.sources,
            CHARTS.command.supply_range,
            zones.closed(self.state, self.side),
            zones.occupied(self.state, ENEMY[self.side]),
        )
        waiting = [unit for unit in self.state.on_map(self.side) if unit.hq]
        ranges = {unit.id: command.reach(self.state, unit) for unit in waiting}
        while True:
            chained = 0
            for reach in self.hqs.values():
                chained |= reach
            found = [
                unit for unit in waiting if unit.in_south or (served | chained) >> GRID.index(unit.placed) & 1
            ]
            if not found:
                return
            for unit in found:
                self.hqs[unit.id] = ranges[unit.id]
            waiting = [unit for unit in waiting if unit not in found]

    def has(self, unit: Unit) -> bool:
        """11.1 Whether a piece is in supply."""
        if unit.hq:
            return unit.id in self.hqs
        return self.by_source(unit) or self.by_headquarters(unit)

    def by_source(self, unit: Unit) -> bool:
        """11.1 Whether a unit stands in a source hex or next to one; the 18th Airborne is supplied
        by air (12.3)."""
        if self.state.flown_in(unit):
            return True
        near = self.sources | OPEN_GROUND.spread(self.sources)
        return bool(near >> GRID.index(unit.placed) & 1)

    def by_headquarters(self, unit: Unit) -> bool:
        """4.6, 11.1 Whether a unit is in the command range of a headquarters in supply that could command it:
        HQ supply."""
        here = GRID.index(unit.placed)
        return any(
            area >> here & 1 and command.may_command(self.state.units[id], unit)
            for id, area in self.hqs.items()
        )


@lru_cache(maxsize=128)
def _served(sources: int, steps: int, closed: int, enemy: int) -> int:
    """The hexes from which a line of at most `steps` hexes leads to a source: not into enemy hexes,
    into enemy zones but not through them, and not along the southern row, which is off the map (10.1.3)."""
    open_to = LAND & ~enemy
    inner = OPEN_GROUND.flood(sources, open_to & ~closed, steps - 1)
    return inner | OPEN_GROUND.spread(inner) & open_to
