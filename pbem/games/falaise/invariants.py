"""What must hold at the end of every phase, whatever was played: for tests, and for `pbem game check`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.falaise import stacking, zone86, zones
from pbem.games.falaise.setup import LIFTED
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import (
    ALLIED_COMMANDS,
    ARGENTAN,
    COMMAND_NAMES,
    GERMAN_COMMANDS,
    GRID,
    MAP,
    UNITS,
)
from pbem.wargame.invariants import filed, stacks

SET_UP = ("set_up_german", "set_up_allied")
"""After these phases not every unit is on the map."""
ATTACHED, MORE_ATTACHED = 3, 6
"""11.1, 12.2 The most units attached in a turn, and in that of the stronger counterattack."""


def invariants(state: State) -> Iterator[str]:
    """Everything that is wrong with the state at the end of a phase."""
    yield from _units(state)
    yield from stacks(state.on_map(), stacking.fits, both="5.3", full="5.3")
    yield from _lines(state)
    yield from _activations(state)
    yield from _points(state)


def set_up(state: State) -> bool:
    """3.1 Whether every unit must have been set up."""
    return bool(state.phase) and state.phase not in SET_UP


def _units(state: State) -> Iterator[str]:
    """2.2, 3.1 Every counter is in one place, with the steps that it can have there."""
    if list(state.units) != list(UNITS):
        yield "2.2 the units are not those of the counter sheet"
    yield from filed(state.units)
    for unit in state.units.values():
        if unit.hex is not None and unit.hex not in MAP:
            yield f"{unit.id} is in {unit.hex}, which is not a hex"
        if not (unit.steps == 0 if unit.place == "dead" else 1 <= unit.steps <= unit.counter.steps):
            yield f"2.2 {unit.id} is {unit.place} and has {unit.steps} steps"
        if unit.disrupted and unit.place != "map":
            yield f"9.0 {unit.id} is {unit.place} and disrupted"
        if unit.place in ("unknown", "exited") and unit.side != "german":
            yield f"{unit.id} is {unit.place} and not German"
        if unit.place == "later" and not unit.counter.later and set_up(state):
            yield f"3.1 {unit.id} has not been set up"
    if (hidden := sum(unit.place == "unknown" for unit in state.units.values())) > LIFTED:
        yield f"3.1 {hidden} units are unknown forces"


def _lines(state: State) -> Iterator[str]:
    """11.4, 13.3 No unit is beyond a line that is closed to it."""
    allied = zones.occupied(state, "allied")
    if beyond := allied & zone86.EAST:
        yield f"11.4 Allies stand east of the Withdrawal Line, in {', '.join(GRID.named(beyond))}"
    if (german := zones.occupied(state, "german") & zone86.ZONE) and not zone86.open_to_germans(state):
        yield f"11.4 Germans are in the closed 86th Corps Zone, in {', '.join(GRID.named(german))}"
    if (inside := allied & zone86.ZONE) and state.solitaire and not state.boundary:
        yield f"13.3 the system's side stands beyond the boundary, in {', '.join(GRID.named(inside))}"


def _activations(state: State) -> Iterator[str]:
    """4.0, 11.1, 11.10 Each marker is in one place, and no command acts twice in a turn."""
    known = (*GERMAN_COMMANDS, *ALLIED_COMMANDS, zone86.COMMAND)
    for key in dict.fromkeys((*state.cup, *state.held_back)):
        if key not in known:
            yield f"4.0 {key} is in the cup"
        if key in state.activated:
            yield f"4.0 {key} has been activated and is in the cup"
    for markers in (state.cup, state.held_back, state.activated):
        if len(set(markers)) != len(markers):
            yield f"4.0 a marker is there twice: {', '.join(markers)}"
    if both := sorted(set(state.cup) & set(state.held_back)):
        yield f"11.10 {', '.join(both)}: in the cup and held back"
    if strange := [key for key in state.activated if key not in COMMAND_NAMES]:
        yield f"4.0 {', '.join(strange)}: no such command"
    stronger = state.on("stronger_counterattack") and state.counterattack == state.turn
    most = MORE_ATTACHED if stronger else ATTACHED
    if state.attachments > most:
        yield f"11.1 {state.attachments} units have been attached, at most {most} may be"
    for unit in state.units.values():
        if unit.attached and unit.attached not in COMMAND_NAMES:
            yield f"11.1 {unit.id} is attached to {unit.attached}"


def _points(state: State) -> Iterator[str]:
    """3.2, 3.4, 11.8 The ledger adds up; the side in Argentan controls it."""
    if (found := sum(entry.points for entry in state.ledger)) != state.points:
        yield f"3.2 the ledger adds up to {found}, and {state.points} points are counted"
    for unit in state.at(ARGENTAN):
        if unit.side != state.argentan:
            yield f"3.4 {unit.id} is in Argentan, which is {state.argentan}"
    if state.argentan == "allied" and not state.argentan_fell:
        yield "3.4 Argentan is Allied and has never fallen"
    if not 0 <= state.rating_80 <= 3 or (not state.rating_80 and set_up(state)):
        yield f"11.8 the 80th Division is rated {state.rating_80}"
