"""The solitaire game (13.0): the Germans have a player, these dice run the Allied side.
They say what is bombarded (13.1), which units of a command act and in what way (13.2),
and when the 86th Corps boundary is open (13.3). Within that, the system's side is played by the bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.play import Draw, Roll
from pbem.games.falaise import zones
from pbem.games.falaise.notes import BoundaryTried, SystemActs, SystemPassed
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import CHARTS, GRID, Hex

AIR, GUNS = 6, 5
"""13.1 From these faces on a unit is struck from the air, or shelled."""
BOUNDARY, FIRST_TURN = 6, 2
"""13.3 From this total on the boundary is open; from this turn on it is tried."""


# --- bombardment (13.1) -------------------------------------------------------------------------------------


def east_to_west(units: Sequence[Unit]) -> list[Unit]:
    """13.1 Units from east to west (columns grow westward), those of one column from north to south."""
    return sorted(units, key=lambda unit: (unit.placed[2:], unit.placed[:2]))


async def air_targets(state: State) -> list[Hex]:
    """13.1 Where this turn's airstrikes go: a die for each German unit until all are placed.
    Those for which no target is found are lost."""
    found: list[Hex] = []
    passed = 0
    for unit in east_to_west(state.on_map("german")):
        if len(found) == state.airstrikes:
            break
        if await Roll(case="13.1", what=f"airstrike on {unit.id}") >= AIR:
            found.append(unit.placed)
        else:
            passed += 1
    if state.airstrikes:
        state.note(SystemPassed(case="13.1", by="air", number=passed))
    return found


async def gun_target(state: State, command: str, targets: Sequence[Unit]) -> Unit | None:
    """13.1 The target of the guns of a command: a die for each of the German units that they may fire
    at (`targets`), the nearest first, until one is chosen; perhaps none."""
    own = state.command_of(command)

    def farness(unit: Unit) -> int:
        return min(GRID.distance(unit.placed, other.placed) for other in own)

    passed = 0
    for unit in sorted(east_to_west(targets), key=farness):
        if await Roll(case="13.1", what=f"{command} guns at {unit.id}") >= GUNS:
            break
        passed += 1
    else:
        unit = None
    state.note(SystemPassed(case="13.1", by=command, number=passed))
    return unit


# --- activation (13.2) --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """13.2 What the system does with a command: the units that act, and how (as in the chart;
    "either" leaves the kind of round open)."""

    units: tuple[str, ...]
    action: str


async def task(state: State, command: str) -> Task:
    """13.2 A die, one more if a German unit is adjacent to any unit of the command, says how many of its
    units act and what they do. Half of those that are not finished, rounded up, are drawn by lot. No die is
    rolled for a command that has no units to act."""
    there = state.command_of(command)
    units = [unit for unit in there if not unit.finished]
    if not units:
        return Task((), "none")
    beside = GRID.spread(zones.occupied(state, "german"))
    near = [unit for unit in there if beside >> GRID.index(unit.placed) & 1]
    die = await Roll(case="13.2", what=f"what {command} does")
    total = die + bool(near)
    row = CHARTS.solitaire[total - 1]
    names: tuple[str, ...] = ()
    if row.units == "all":
        names = tuple(unit.id for unit in units)
    elif row.units == "adjacent":
        names = tuple(unit.id for unit in near if not unit.finished)
    elif row.units == "half":
        pool = tuple(unit.id for unit in units)
        names = await Draw(case="13.2", what=f"half of {command}", pool=pool, count=(len(pool) + 1) // 2)
    state.note(
        SystemActs(
            case="13.2",
            command=command,
            die=die,
            total=total,
            units=row.units,
            action=row.action,
            names=names,
            roll=state.rolls,
        )
    )
    return Task(names, row.action)


# --- the boundary (13.3) ------------------------------------------------------------------------------------


async def boundary(state: State) -> None:
    """13.3 From turn 2 on a die, one more for every two turns, opens the 86th Corps Zone
    to the system's side."""
    if not state.solitaire or state.boundary or state.turn < FIRST_TURN:
        return
    die = await Roll(case="13.3", what="crossing the 86th Corps boundary")
    total = die + (state.turn - 1) // 2
    state.boundary = total >= BOUNDARY
    state.note(BoundaryTried(case="13.3", die=die, total=total, done=state.boundary, roll=state.rolls))
