"""What must hold at the end of every phase, whatever was played: for tests, and for `pbem game check`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.hexes import bits
from pbem.games.normandy71 import stacking, victory
from pbem.games.normandy71.state import SIDES, Side, State, Unit
from pbem.games.normandy71.tables import CHARTS, GRID, LAND, MAP, OOB, UNITS, Kind, missions
from pbem.wargame.invariants import filed

UNSETTLED = ("deployment", "paradrop", "allied_reinforcement")
"""Phases that put units on the map and leave it to the next movement phase to spread them out (STK.A)."""
MOVING = ("allied_movement", "allied_second_movement", "german_movement", "german_second_movement")


def invariants(state: State) -> Iterator[str]:
    """Everything that is wrong with the state at the end of a phase."""
    yield from _places(state)
    yield from _stacks(state)
    yield from _markers(state)
    yield from _lineage(state)
    yield from _naval(state)
    yield from _rest(state)


def _places(state: State) -> Iterator[str]:
    """Every unit is in one place, on land if on the map; no hex holds both sides."""
    yield from filed(state.units)
    for unit in state.units.values():
        if unit.hex is not None and not LAND >> GRID.index(unit.hex) & 1:
            yield f"{unit.id} is in {unit.hex}, which is not land"
        if (unit.place == "box") != bool(unit.beach):
            yield f"{unit.id} has place {unit.place} and beach {unit.beach!r}"
    held = [bits(GRID.index(unit.placed) for unit in state.on_map(side)) for side in SIDES]
    if held[0] & held[1]:
        yield f"MOV.G both sides are in {', '.join(GRID.named(held[0] & held[1]))}"


def _stacks(state: State) -> Iterator[str]:
    """STK.A The stacking limit holds from the end of a movement phase on until units land again; inverted
    units do not count."""
    if state.phase in UNSETTLED:
        return
    stacks: dict[str, list[Unit]] = {}
    for unit in state.on_map():
        stacks.setdefault(unit.placed, []).append(unit)
    for hex, units in stacks.items():
        if not stacking.within_limit(hex, units):
            yield f"STK.A {hex} holds {', '.join(f'{unit.id} ({unit.kind})' for unit in units)}"


def _markers(state: State) -> Iterator[str]:
    """ENT Markers are on land outside the forts; after a movement phase units of their owner are under each
    of them."""
    for hex, side in state.entrenchments.items():
        if not CHARTS.ground(hex).entrench:
            yield f"ENT a marker is in {hex}, {MAP.terrain(hex)}"
        if state.phase in MOVING and state.holder(hex) != side:
            yield f"ENT.F an empty {side} marker is in {hex}"


def _lineage(state: State) -> Iterator[str]:
    """STK.B, STK.E Nothing is lost from the count: breaking down and rebuilding keep the number
    of indivisible parts."""
    for side in SIDES:
        expected = _expected(state, side)
        found = sum(_parts(UNITS.of(unit)) for unit in state.units.values() if unit.side == side)
        if found != expected:
            yield f"STK.B {side}: {found} parts are accounted for, not {expected}"


def _expected(state: State, side: Side) -> int:
    if side == "allied":
        return sum(len(line.names) * _parts(UNITS.get(side, line.kind, line.type)) for line in OOB.allied)
    if not state.order_of_battle:
        return 0
    counts = OOB.of(state.order_of_battle).counts
    return sum(
        count * _parts(next(k for k in UNITS.kind if k.name == kind and k.names))
        for kind, count in counts.items()
    )


def _parts(kind: Kind) -> int:
    """Into how many indivisible parts a kind can be broken down."""
    return sum(_parts(UNITS.get(kind.side, part, kind.type, "battalion")) for part in kind.parts) or 1


def _naval(state: State) -> Iterator[str]:
    """NAV.B No mission is used more often than there are."""
    for mission in missions(state):
        for use in ("attack", "defence"):
            if state.fired.get(f"{use} {mission.key}", 0) > mission.count:
                yield f"NAV.B {mission.key} has fired too often in {use}"


def _rest(state: State) -> Iterator[str]:
    """PAR.D, SUP.H, VIC.C Parachute units, supply areas and cities are recorded only where there are any."""
    for unit in state.units.values():
        if unit.never_supplied and unit.place == "map" and unit.type != "paratroop":
            yield f"PAR.D {unit.id} waits for supply and is no parachute unit"
    if set(state.dead_beaches) - set(state.plan.supply):
        yield "SUP.H a beach is dead that was no supply area"
    if set(state.passed) - set(victory.CITY_HEXES):
        yield "VIC.C a hex is recorded that belongs to no city"
