"""What must hold at the end of every phase, whatever was played: for tests, and for `pbem game check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.games.rampage import control
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import AFP, ALLIED_START, CHARTS, FORTRESSES, GRID, LAND, UNITS
from pbem.wargame.invariants import filed


def invariants(state: State) -> Iterator[str]:
    """Everything that is wrong with the state at the end of a phase."""
    yield from _allied(state)
    yield from _stacks(state)
    yield from _germans(state)
    yield from _ground(state)
    yield from _fortresses(state)
    yield from _supply(state)


def _allied(state: State) -> Iterator[str]:
    """2.5, 7.5 Every division is in one place, with as many steps as it can have there."""
    if list(state.units) != [counter.id for counter in UNITS.allied]:
        yield "2.1 the Allied units are not those of the counter sheet"
    yield from filed(state.units)
    for unit in state.units.values():
        if unit.hex is not None and unit.hex in state.german:
            yield f"3.7 {unit.id} is in {unit.hex}, which the Germans control"
        if unit.steps not in ((1, 2) if unit.place != "dead" else (0,)):
            yield f"2.5 {unit.id} is {unit.place} and has {unit.steps} steps"
        if unit.replenishing and (unit.place, unit.steps) != ("map", 1):
            yield f"7.7 {unit.id} is being replenished and is {unit.place} with {unit.steps} steps"


def _stacks(state: State) -> Iterator[str]:
    """6.2, 6.3 At most six units in a hex, and never both army groups; the airborne army stacks with
    either."""
    for hex, count in Counter(unit.placed for unit in state.on_map()).items():
        if count > CHARTS.stacking.limit:
            yield f"6.2 {hex} holds {count} units"
        if {"us", "british"} <= {unit.group for unit in state.at(hex)}:
            yield f"6.2 both army groups are in {hex}"


def _germans(state: State) -> Iterator[str]:
    """3.1, 10.6 No counter is lost: each is in the pool, in the pocket, on the map, on the track,
    fallen, or gone."""
    if list(state.germans) != [counter.id for counter in UNITS.german]:
        yield "2.1 the German units are not those of the counter sheet"
    for unit in state.germans.values():
        if (unit.hex is not None) != (unit.place in ("map", "afp")):
            yield f"{unit.id} has place {unit.place} and hex {unit.hex}"
        if unit.hex is not None and unit.hex not in state.german:
            yield f"3.7 {unit.id} is in {unit.hex}, which the Allies control"
        if (unit.place == "afp") > (state.afp == "standing" and unit.hex == AFP):
            yield f"11.1 {unit.id} is in the pocket, which is {state.afp}"


def _ground(state: State) -> Iterator[str]:
    """3.6, 3.7 The Germans hold land hexes, none twice, and never one from which the Allies began;
    the line around the Allies is closed."""
    german = GRID.bits(state.german)
    if len(set(state.german)) != len(state.german) or german & ~LAND:
        yield "3.7 the German-controlled hexes are not distinct land hexes"
    if german & ALLIED_START:
        yield (
            f"3.7 the Germans control {', '.join(GRID.named(german & ALLIED_START))}, where the Allies began"
        )
    if GRID.zone(LAND & ~german) & german & ~control.front(state):
        yield "3.6 the front line is broken open"


def _fortresses(state: State) -> Iterator[str]:
    """12.8, 12.9 Garrisons are in fortress cities that are German and in no other hex that is cut off."""
    for hex in state.garrisons:
        if hex not in FORTRESSES or hex not in state.german:
            yield f"12.8 {hex} is listed as a garrison"


def _supply(state: State) -> Iterator[str]:
    """8.9, 12.4, 12.8 Only garrisoned fortresses are cut off, and no other German is left on the map after
    phase IV."""
    open_ = control.cut_off(state) & ~GRID.bits(state.garrisons)
    if open_:
        yield f"12.4 {', '.join(GRID.named(open_))} are cut off"
    if (
        state.phase == "administration"
        and not state.conceded
        and any(
            unit.place == "fallen" or (unit.place == "map" and unit.hex not in state.garrisons)
            for unit in state.germans.values()
        )
    ):
        yield "8.9 Germans have not gone back to the pool"
