"""Paris beckons (12.5, an option): from turn 3 on a die says whether the French 2nd Armoured Division stays
for the battle."""

from __future__ import annotations

from pbem.engine.hexes import bits
from pbem.engine.play import Roll
from pbem.engine.tally import Tally
from pbem.games.falaise import zones
from pbem.games.falaise.notes import ParisTried
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import GRID

DIVISION = "F2Arm"
FIRST_TURN = 3
TURNS = 4
"""The die is one higher for every this many turns."""
WAITING, GONE = 5, 7
"""From these totals on the division only withdraws for a turn, and leaves for good."""


def french(state: State) -> list[Unit]:
    """The units of the division, wherever they are."""
    return [unit for unit in state.units.values() if unit.counter.division == DIVISION]


async def paris(state: State) -> None:
    """12.5 The die of a turn: the division fights on, may only withdraw this turn, or leaves the game."""
    if not state.on("paris") or state.turn < FIRST_TURN:
        return
    units = [unit for unit in french(state) if unit.place == "map"]
    if not units:
        return
    die = await Roll(case="12.5", what="Paris beckons")
    tally = temptation(state)
    total = die + tally.total
    outcome = "gone" if total >= GONE else "waiting" if total >= WAITING else "free"
    if outcome == "gone":
        for unit in units:
            unit.place, unit.hex = "removed", None
            unit.disrupted = unit.finished = False
    state.french = "waiting" if outcome == "waiting" else "free"
    state.note(
        ParisTried(
            case="12.5", die=die, parts=tuple(tally.parts), total=total, outcome=outcome, roll=state.rolls
        )
    )


def temptation(state: State) -> Tally:
    """12.5 What draws the division away: its losses, the days gone by, and no German in front of it."""
    tally = Tally()
    units = french(state)
    worn = sum(unit.place == "dead" or unit.steps < unit.counter.steps for unit in units)
    tally.add(worn, "12.5", "units reduced or eliminated")
    tally.add(state.turn // TURNS, "12.5", "turns gone by")
    here = bits(GRID.index(unit.placed) for unit in units if unit.place == "map")
    in_touch = GRID.spread(here) & zones.occupied(state, "german")
    tally.add(0 if in_touch else 1, "12.5", "no German next to them")
    return tally
