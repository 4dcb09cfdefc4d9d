"""The administrative phase (10.1), when its chit is drawn: supply and attrition, replacements,
arrivals from the south, German and then Allied arrivals."""

from __future__ import annotations

from pbem.engine.desk import write
from pbem.games.france44 import arrivals, attrition, crossing, headquarters, replacement, south
from pbem.games.france44.state import SIDES, State
from pbem.games.france44.tables import TURNS, Side

REPLACEMENTS, SOUTH = "administration", "south"


def arrival(side: str) -> str:
    """10.1.4, 10.1.5 The segment in which a side's arrivals come in."""
    return f"{side} arrival"


SEGMENTS = (REPLACEMENTS, SOUTH, *(arrival(side) for side in south.SIDES))
"""10.1 What sides write in this phase, in its order."""


def over(state: State, segment: str) -> bool:
    """10.1 Whether a segment of the phase that is being played is over."""
    return bool(state.segment) and SEGMENTS.index(segment) < SEGMENTS.index(state.segment)


async def administration(state: State) -> None:
    """10.1 The segments in their order."""
    attrition.judge(state)
    arrivals.announce(state)
    state.segment = REPLACEMENTS
    await replacements(state)
    if TURNS[state.turn].south:
        state.segment = SOUTH
        await south.south(state)
    for side in south.SIDES:
        state.segment = arrival(side)
        await arrive(state, side)
    state.segment = ""
    headquarters.disperse_lone(state)
    crossing.judge_bridgeheads(state)


async def replacements(state: State) -> None:
    """10.1.2 Both sides use their replacement points at the same time;
    then units that attrition has just eliminated join the others in the box."""
    desks = [replacement.Replacements(state, side) for side in SIDES]
    await write(*(desk for desk in desks if desk.subjects()), secret=True)
    for unit in state.units.values():
        if unit.place == "fresh":
            unit.place = "eliminated"


async def arrive(state: State, side: Side) -> None:
    """10.1.4, 10.1.5 The arrivals of a side come in, then move on."""
    desk = arrivals.Arrivals(state, side)
    if desk.subjects():
        await write(desk)
    await desk.move_on()
