"""Victory (VIC): points for cities, exited divisions and the depth of the beachhead,
and for the German order of battle.

Points are counted at the end of game-turn 6. Before that, the figures that the Allied player may see do not
include the order of battle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from pbem.engine.game import Result
from pbem.engine.hexes import indices
from pbem.games.normandy71 import supply, zones
from pbem.games.normandy71.state import Hex, Side, State, Unit
from pbem.games.normandy71.tables import CHARTS, GRID, LAND, MAP, OOB, PARTIALLY_SEA, UNITS, Edge

CITY_HEXES: dict[Hex, str] = {hex: city for city in CHARTS.victory.cities for hex in MAP.cities[city]}


def pass_through(state: State, side: Side, path: Iterable[Hex]) -> None:
    """VIC.C Remember which side passed last through each city hex of a path."""
    for hex in path:
        if hex in CITY_HEXES:
            state.passed[hex] = side


@dataclass(frozen=True, slots=True)
class Score:
    """What the Allied player has gained on the ground, part by part."""

    cities: dict[str, int]
    exits: dict[str, int]
    depth: Fraction
    hexes: int
    """How far inland the deepest supplied unit is, in hexes."""
    beachheads: int

    @property
    def ground(self) -> Fraction:
        return sum(self.cities.values()) + sum(self.exits.values()) + self.depth


def score(state: State) -> Score:
    """VIC.C, VIC.X, VIC.D The points if the game ended now."""
    area = supply.supplied(state, "allied")
    victory = CHARTS.victory
    cities = {city: points for city, points in victory.cities.items() if holds_city(state, area, city)}
    exits = {str(edge): points for edge, points in victory.exits.items() if division_out(state, area, edge)}
    hexes, count = deepest(state, area), max(1, beachheads(state))
    return Score(cities, exits, hexes * Fraction(victory.depth) / count, hexes, count)


# --- the three sources ----------------------------------------------------------------------------------


def holds_city(state: State, area: int, city: str) -> bool:
    """VIC.C Whether every hex is in supply and was last passed by the Allies, with no German in it or
    adjacent."""
    hexes = GRID.bits(MAP.cities[city])
    last = all(state.passed.get(hex) == "allied" for hex in MAP.cities[city])
    return last and not hexes & ~area and not (hexes | GRID.zone(hexes)) & zones.held(state, "german")


def division_out(state: State, area: int, edge: Edge) -> bool:
    """VIC.X, ZOC.D Whether a division has exited by roads of an edge (the north edge: in time) that lead
    off the map in supply: their exit hexes are in supply and not in a German ZOC."""
    gone = [state.units[id] for id in state.exits.get(edge, ())]
    open_ = area & ~zones.zone(state, "german")
    supplied = [unit for unit in gone if open_ >> GRID.index(exit_road(unit)) & 1]
    return sum(map(in_regiments, supplied), Fraction(0)) >= CHARTS.victory.exit_regiments


def exit_road(unit: Unit) -> Hex:
    """VIC.X The road hex by which a unit has left the map."""
    return unit.edges[1]


def in_regiments(unit: Unit) -> Fraction:
    """VIC.X A regiment or brigade counts 1, a battalion its share of the unit that it is a part of, or
    1/3."""
    if unit.size == "regiment":
        return Fraction(1)
    wholes = [
        kind
        for kind in UNITS.kind
        if (kind.side, kind.type) == (unit.side, unit.type) and unit.kind in kind.parts
    ]
    parent = next((kind for kind in wholes if kind.name == unit.whole), wholes[0] if wholes else None)
    return Fraction(1, len(parent.parts)) if parent else Fraction(1, 3)


def _inland() -> dict[Hex, int]:
    """VIC.D How far every land hex is from the nearest partially-sea hex."""
    found: dict[Hex, int] = {}
    reached = fresh = PARTIALLY_SEA
    steps = 0
    while fresh:
        found.update((GRID.ids[index], steps) for index in indices(fresh & LAND))
        fresh = GRID.spread(reached) & ~reached
        reached |= fresh
        steps += 1
    return found


INLAND = _inland()


def deepest(state: State, area: int) -> int:
    """VIC.D How far inland the deepest supplied Allied unit is, in hexes."""
    inland = [INLAND[unit.placed] for unit in state.on_map("allied") if supply.trace(state, unit, area)]
    return max(inland, default=0)


def beachheads(state: State) -> int:
    """VIC.D How many separate groups the open supply areas form. Roads join them unless the enemy occupies or
    controls the road."""
    cut = zones.held(state, "german") | zones.zone(state, "german")
    free = LAND & ~cut
    left = GRID.bits(supply.areas(state).values())
    count = 0
    while left:
        start = left & -left
        left &= ~(start | MAP.road_flood(start & free, free))
        count += 1
    return count


# --- the end --------------------------------------------------------------------------------------------


DISPUTED = 30
"""VIC.L This total is in two rows of the rulebook's table."""


def level(points: Fraction, disputed: str = "lower") -> str:
    """VIC.L The level of victory. Fractions are dropped; `disputed` is the row to which 30 points belong."""
    whole = floor(points)
    if whole == DISPUTED and disputed == "upper":
        whole += 1
    return max(
        (step for step in CHARTS.victory.levels if step.from_ <= whole), key=lambda step: step.from_
    ).name


def result(state: State) -> Result:
    """VIC.L How the game has ended, or would end now. It contains secrets, so it is shown only at the end."""
    found = score(state)
    figures = list(ground_figures(found))
    if state.order_of_battle:
        order = OOB.of(state.order_of_battle)
        points = found.ground + order.points
        figures.append(
            (f"German order of battle {order.letter}, {order.title}", f"{order.points:+d}", "VIC.L")
        )
    else:
        points = found.ground
    figures.append(("Total", written(points), "VIC.L"))
    if found.ground >= CHARTS.victory.historical:
        figures.append(("Historical victory on the ground", "yes", "VIC.L"))
    name = level(points, state.options.get("thirty", "lower"))
    needed = min(step.from_ for step in CHARTS.victory.levels if step.name.startswith("Allied"))
    ahead = abs(floor(points) - needed + 0.5)
    return Result(level=name, winner=name.split()[0].lower(), figures=tuple(figures), margin=ahead)


def ground_figures(found: Score) -> tuple[tuple[str, str, str], ...]:
    """The parts of the score that both sides can count on the board."""
    parts = [(city, str(points), "VIC.C") for city, points in found.cities.items()]
    parts += [(f"Exit {edge}", str(points), "VIC.X") for edge, points in found.exits.items()]
    share = f", shared by {found.beachheads} beachheads" if found.beachheads > 1 else ""
    parts.append((f"Depth {found.hexes} hexes{share}", written(found.depth), "VIC.D"))
    return tuple(parts)


def written(points: Fraction) -> str:
    """Points as people write them: 12, 12.5, 4.33."""
    return f"{float(points):.4g}"
