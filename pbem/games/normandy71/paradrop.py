"""The drop of game-turn 1 (INV.1C, PAR.B): where a parachute unit comes down, what becomes of it there,
and how likely it is lost."""

from __future__ import annotations

from fractions import Fraction

from pbem.engine.play import Roll
from pbem.games.normandy71 import paratroops, victory
from pbem.games.normandy71.notes import Dropped
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import ALL_SEA, CHARTS, GRID, MAP

DIRECTIONS = GRID.directions
"""INV.1C Faces 1 to 6 of the direction die: north, then clockwise."""


def scatter_row(hex: Hex) -> tuple[str, tuple[int, ...]]:
    """INV.1C The row of the scatter table for a drop zone: flooded if any hexside is, else by its terrain. A
    fort counts as bocage."""
    scatter = CHARTS.scatter
    if any("flooded" in MAP.hexside(hex, near) for near in MAP.neighbours(hex)):
        return "flooded", scatter.flooded
    terrain = MAP.terrain(hex)
    if terrain == "city":
        return "city", scatter.city
    return ("bocage", scatter.bocage) if terrain in ("bocage", "fort") else ("clear", scatter.clear)


async def drop(state: State, unit: Unit, zone: Hex) -> None:
    """INV.1C, PAR.B Roll the scatter die and the direction die. A unit is lost on a German unit, in the
    sea and off the map; one that lands in a city is the last to have passed through it (VIC.C)."""
    table, row = scatter_row(zone)
    die = await Roll(case="INV.1C", what=f"scatter of {unit.id}")
    roll, hexes, direction, way = state.rolls, row[die - 1], "", 0
    landed: Hex | None = zone
    if hexes > 0:
        way = await Roll(case="INV.1C", what=f"direction of {unit.id}")
        direction = DIRECTIONS[way - 1]
        landed = GRID.toward(zone, direction, hexes)
    why = "destroyed in the drop" if hexes < 0 else fate(state, landed)
    if why:
        unit.place, landed = "lost", None
    else:
        unit.place, unit.hex, unit.never_supplied = "map", landed, True
        paratroops.invert_excess(state, unit.placed)
        victory.pass_through(state, unit.side, (unit.placed,))
    state.note(
        Dropped(
            case="PAR.B" if why == "on a German unit" else "INV.1C",
            roll=roll,
            name=unit.id,
            zone=zone,
            table=table,
            die=die,
            scatter=max(0, hexes),
            direction=direction,
            direction_die=way,
            landed=landed,
            why=why,
            inverted=unit.inverted,
        )
    )


def fate(state: State, hex: Hex | None) -> str:
    """Why a unit that lands in a hex is lost; "" if it is not."""
    return fate_of_ground(hex) or ("on a German unit" if hex and state.holder(hex) == "german" else "")


def fate_of_ground(hex: Hex | None) -> str:
    """Why the ground alone would destroy a unit that lands in a hex; "" on land."""
    if hex is None or hex not in MAP:
        return "off the map"
    return "in the sea" if ALL_SEA >> GRID.index(hex) & 1 else ""


def dangers(zone: Hex) -> dict[str, Fraction]:
    """INV.1C The chance of each fate of a unit that jumps over a hex ("" for a landing), without Germans."""
    chances: dict[str, Fraction] = {}
    for hexes in scatter_row(zone)[1]:
        for direction in DIRECTIONS:
            landed = GRID.toward(zone, direction, hexes) if hexes > 0 else zone
            why = "in the drop" if hexes < 0 else fate_of_ground(landed)
            chances[why] = chances.get(why, Fraction(0)) + Fraction(1, 36)
    return chances
