"""Recovery (9.2) and the end of a turn (4.0): disruption is taken off, finished units are turned back,
attachments end."""

from __future__ import annotations

from pbem.games.falaise import communication, zone86
from pbem.games.falaise.notes import Recovered
from pbem.games.falaise.state import State, Unit


async def recovery(state: State) -> None:
    """9.2, 4.0 All are judged as they are at first; nothing of what is undone here changes a zone
    or a line of communication."""
    disrupted = [unit for unit in state.on_map() if unit.disrupted]
    fit = [unit for unit in disrupted if recovers(state, unit)]
    still = [unit for unit in disrupted if unit not in fit]
    for unit in fit:
        unit.disrupted = False
    if disrupted:
        names, left = (tuple(unit.id for unit in units) for units in (fit, still))
        state.note(Recovered(case="9.2", names=names, still=left))
    end_turn(state)


def recovers(state: State, unit: Unit) -> bool:
    """9.2 Whether a disrupted unit recovers: Allies by day always and by night in communication (6.5);
    Germans by night always and by day east of the Withdrawal Line."""
    if unit.side == "german":
        return not state.day or zone86.is_east(unit)
    return state.day or communication.in_communication(state, unit)


def end_turn(state: State) -> None:
    """4.0, 11.1 Nothing is left of the activations of this turn."""
    for unit in state.units.values():
        unit.finished, unit.attached = False, ""
    state.activated, state.moved = [], []
    state.active, state.allowance, state.attachments = "", 0, 0
    state.airstrikes = 0
    state.french = "free"
