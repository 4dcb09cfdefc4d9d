"""The invasion game-turn (INV): secret deployment by both sides, landing of the first wave, paradrop.

The die for the German order of battle is rolled before anything is written: it tells the Allied player
nothing, and both sides can write at the same time. Which order of battle each face stands for is drawn
in secret (`sealed`) and revealed at the end.

The other special rules of the turn stand where the turn is played: landing, no roads,
half allowances in movement.py (INV.2, INV.4), compulsory attacks in allotment.py (INV.3), reinforcements
and gliders in reinforcement.py (INV.4), supply for all in supply.py (INV.5).
"""

from __future__ import annotations

from fractions import Fraction

from pbem.engine.desk import write
from pbem.engine.play import Draw, Roll
from pbem.games.normandy71 import paratroops, setup, victory
from pbem.games.normandy71.deployment import SetUp
from pbem.games.normandy71.notes import DieCast, Drawn, Dropped, Landed
from pbem.games.normandy71.planning import Planning
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import ALL_SEA, CHARTS, GRID, MAP, OOB

LETTERS = ("A", "B", "C", "D", "E", "F")
DIRECTIONS = GRID.directions
"""INV.1C Faces 1 to 6 of the direction die: north, then clockwise."""


# --- secret deployment ----------------------------------------------------------------------------------


async def secret_deployment(state: State) -> None:
    """INV.1A, INV.1B The German order of battle is drawn; then both sides write, at the same time, until
    nothing is left open."""
    await draw_order_of_battle(state)
    await write(Planning(state), SetUp(state), secret=True)


async def draw_order_of_battle(state: State) -> None:
    """INV.1B Each face of the die is given an order of battle in secret; the die is cast openly."""
    state.assignment = await Draw(case="INV.1B", what="orders of battle", pool=LETTERS, count=6, sealed=True)
    die = await Roll(case="INV.1B", what="German order of battle")
    order = OOB.of(state.assignment[die - 1])
    setup.create_germans(state, order.letter)
    state.note(DieCast(case="INV.1B", readers=("allied",), roll=state.rolls, die=die))
    state.note(
        Drawn(
            case="INV.1B",
            readers=("german",),
            roll=state.rolls,
            die=die,
            order_of_battle=order.letter,
            title=order.title,
        )
    )


# --- placement ------------------------------------------------------------------------------------------


async def placement(state: State) -> None:
    """INV.1C First wave into the beach boxes, commandos on their hexes, then the paradrop,
    one unit at a time."""
    for beach, ids in state.plan.beaches.items():
        for id in ids:
            state.units[id].place, state.units[id].beach = "box", beach
    by_hex: dict[Hex, list[Unit]] = {}
    for id, hex in state.plan.commandos.items():
        unit = state.units[id]
        unit.place, unit.hex = "map", hex
        by_hex.setdefault(hex, []).append(unit)
    for hex, units in by_hex.items():
        land(state, units, hex, "commando", "INV.1C")
    for id, hex in state.plan.drops.items():
        await drop(state, state.units[id], hex)


def land(state: State, units: list[Unit], hex: Hex, how: str, case: str) -> None:
    """Say that units have come ashore."""
    names = tuple(unit.id for unit in units)
    state.note(Landed(case=case, side="allied", names=names, hex=hex, how=how))


# --- the drop -------------------------------------------------------------------------------------------


def scatter_row(hex: Hex) -> tuple[str, tuple[int, ...]]:
    """INV.1C The row of the scatter table for a drop zone: flooded ground first, then the terrain;
    a fort counts as bocage."""
    scatter = CHARTS.scatter
    if any("flooded" in MAP.hexside(hex, near) for near in MAP.neighbours(hex)):
        return "flooded", scatter.flooded
    terrain = MAP.terrain(hex)
    if terrain == "city":
        return "city", scatter.city
    return ("bocage", scatter.bocage) if terrain in ("bocage", "fort") else ("clear", scatter.clear)


async def drop(state: State, unit: Unit, zone: Hex) -> None:
    """INV.1C, PAR.B Scatter die, direction die; lost on a German unit, in the sea or off the map. A unit that
    comes down in a city is the last to have passed there (VIC.C)."""
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
    """What becomes of a unit that comes down in a hex: "" if nothing ill."""
    return fate_of_ground(hex) or ("on a German unit" if hex and state.holder(hex) == "german" else "")


def fate_of_ground(hex: Hex | None) -> str:
    """What the map does to a unit that comes down in a hex: "" if it is land."""
    if hex is None or hex not in MAP:
        return "off the map"
    return "in the sea" if ALL_SEA >> GRID.index(hex) & 1 else ""


def dangers(zone: Hex) -> dict[str, Fraction]:
    """INV.1C How likely each fate of a unit is that jumps over a hex, Germans aside ("" for a landing)."""
    chances: dict[str, Fraction] = {}
    for hexes in scatter_row(zone)[1]:
        for direction in DIRECTIONS:
            landed = GRID.toward(zone, direction, hexes) if hexes > 0 else zone
            why = "in the drop" if hexes < 0 else fate_of_ground(landed)
            chances[why] = chances.get(why, Fraction(0)) + Fraction(1, 36)
    return chances
