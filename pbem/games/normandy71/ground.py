"""What the German bot makes of the ground: the points that the Allies hold there (VIC.C, VIC.X, VIC.D), and
what a German unit in a hex takes from them.

It is reckoned as both sides can see it: the supply areas are secret (SUP.H), so every beach counts as one,
and all of them as one beachhead. The rules are in victory.py and supply.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pbem.engine.hexes import indices
from pbem.games.normandy71 import supply, zones
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import CHARTS, GRID, MAP
from pbem.games.normandy71.victory import INLAND, exit_road, in_regiments


class Ground:
    """The Allied points on the ground in a position, and if the Germans stood elsewhere."""

    def __init__(self, state: State) -> None:
        cities, exits = CHARTS.victory.cities, CHARTS.victory.exits
        passed = {hex for hex, side in state.passed.items() if side == "allied"}
        self._held = zones.held(state, "german")
        self._depths = sorted(
            {(INLAND[unit.placed], GRID.index(unit.placed)) for unit in state.on_map("allied")}, reverse=True
        )
        self._cities = [
            (GRID.bits(MAP.cities[city]), cities[city])
            for city in cities
            if passed.issuperset(MAP.cities[city])
        ]
        self._exits = [
            ([(GRID.index(exit_road(unit)), in_regiments(unit)) for unit in gone], points)
            for edge, points in exits.items()
            if (gone := [state.units[id] for id in state.exits.get(edge, ())])
        ]
        self._known: dict[int, float] = {}

    @property
    def points(self) -> float:
        """The points now."""
        return self._with(self._held)

    def taken_in(self, hex: Hex) -> float:
        """The points that the Allies would lose if one more German unit stood in a hex."""
        at = 1 << GRID.index(hex)
        return self.points - self._with(self._held | at) if self.lines & at else 0.0

    def kept_from(self, hex: Hex, company: Sequence[Unit]) -> float:
        """The points that the Allies would gain if a German unit with this company left its hex."""
        at = 1 << GRID.index(hex)
        return 0.0 if company else self._with(self._held & ~at) - self.points

    @cached_property
    def lines(self) -> int:
        """The hexes of a supply line to everything that brings points, and those next to them: a German
        unit anywhere else takes nothing."""
        area = supply.from_beaches(self._held)
        ends = [at for _, at in self._depths if area >> at & 1][:1]
        ends += [at for hexes, _ in self._cities for at in indices(hexes)]
        ends += [at for sizes, _ in self._exits for at, _ in sizes]
        found = 0
        for end in dict.fromkeys(ends):
            found |= supply.line_to(self._held, end)
        return found | GRID.zone(found)

    def _with(self, held: int) -> float:
        """The points with Germans in the hexes of a set."""
        if held not in self._known:
            zone, area = GRID.zone(held), supply.from_beaches(held)
            found = sum(points for hexes, points in self._cities if not hexes & (~area | held | zone))
            for sizes, points in self._exits:
                out = sum(size for at, size in sizes if (area & ~zone) >> at & 1)
                found += points if out >= CHARTS.victory.exit_regiments else 0
            deepest = next((hexes for hexes, at in self._depths if area >> at & 1), 0)
            self._known[held] = found + deepest * float(CHARTS.victory.depth)
        return self._known[held]
