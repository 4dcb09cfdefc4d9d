"""What must hold at the end of every phase, whatever was played: for tests, and for `pbem game check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.games.france44 import control, crossing, replacement, setup, stacking, zones
from pbem.games.france44.notes import (
    Activated,
    Interdicted,
    PhasePassed,
    PieceActivated,
    Replaced,
    RhineCrossed,
    TurnPoints,
)
from pbem.games.france44.state import ADMINISTRATIVE, AIRBORNE, ENEMY, SIDES, State
from pbem.games.france44.tables import (
    CHARTS,
    GRID,
    LAND,
    RHINE_BRIDGES,
    SOUTH,
    TURNS,
    UNITS,
    Side,
)
from pbem.wargame.invariants import filed, stacks

RESTING = ("map", "later", "due", "box", "eliminated", "track", "gone")
"""Places in which a piece can be between two phases; "fresh" lasts for a segment only (10.1.1)."""
CUP_PHASES = ("begin", "cycle")
"""The phases after which chits may still be in the cup."""


def invariants(state: State) -> Iterator[str]:
    """Everything that is wrong with the state at the end of a phase."""
    yield from _units(state)
    yield from _off_the_map(state)
    yield from stacks(state.on_map(), stacking.fits, both="7.1", full="7.1")
    yield from _headquarters(state)
    yield from _points(state)
    yield from _ledger(state)
    yield from _reactions(state)
    yield from _cup(state)
    yield from _air(state)
    yield from _replacements(state)
    yield from _control(state)
    yield from _rhine(state)
    yield from _advantage(state)


# --- pieces -----------------------------------------------------------------------------------------------


def _units(state: State) -> Iterator[str]:
    """1.7, 3.2, 13.1 Every counter of the scenario is in one place, with the steps that it can have,
    and on the map on land that is played on."""
    if list(state.units) != [id for id in UNITS if setup.takes_part(state.scenario, id)]:
        yield "1.7 the units are not those of the scenario"
    played = LAND | (SOUTH if state.south_open else 0)
    yield from filed(state.units)
    for unit in state.units.values():
        if unit.hex is not None and not (unit.hex in GRID and played >> GRID.index(unit.hex) & 1):
            yield f"1.3 {unit.id} is in {unit.hex}, where no unit can be"
        if unit.lost and (unit.hq or not 0 <= unit.lost < len(unit.counter.steps)):
            yield f"3.2 {unit.id} has lost {unit.lost} steps"
        if unit.green and (unit.hq or not unit.counter.green or unit.id in state.tried):
            yield f"3.10 {unit.id} is untried"


def _off_the_map(state: State) -> Iterator[str]:
    """3.12, 4.10, 10.1.1, 11.5 A unit off the map is where its kind can be, and carries no marker."""
    for unit in state.units.values():
        fuehrer = not unit.hq and unit.counter.fuehrer
        if unit.place not in RESTING or unit.rebuilt:
            yield f"10.1.2 {unit.id} is {unit.place} after its segment"
        if unit.unsupplied and unit.place != "map":
            yield f"11.5 {unit.id} is {unit.place} and marked as out of supply"
        if unit.place == "box" and unit.id != AIRBORNE:
            yield f"3.12 {unit.id} is in the airborne box"
        if unit.hq and unit.place in ("eliminated", "gone"):
            yield f"4.1 {unit.id} is a headquarters and {unit.place}"
        if (unit.place == "track") != bool(unit.back) or (unit.back and not (unit.hq or fuehrer)):
            yield f"4.10 {unit.id} is {unit.place} and comes back in turn {unit.back}"


def _headquarters(state: State) -> Iterator[str]:
    """4.8, 4.10 No headquarters is in an enemy zone of control without a unit of its side."""
    for side in SIDES:
        danger = zones.closed(state, side)
        for unit in state.on_map(side):
            if unit.hq and danger >> GRID.index(unit.placed) & 1:
                yield f"4.10 {unit.id} is alone in an enemy zone in {unit.hex}"


# --- points, chits, air -------------------------------------------------------------------------------------


def most_reaction(state: State, side: str) -> int:
    """2.0.5, 12.1, 12.2, 12.9 The most reaction points that a side can have in this turn."""
    points, most = CHARTS.points, TURNS[state.turn].reaction
    if side == "german":
        return 0 if state.rhine_crossed else most["german"]
    return most["allied"] + points.brittany + points.v1


def _points(state: State) -> Iterator[str]:
    """2.0.4, 2.0.5, 2.0.8, 12.9 Supply and reaction points are neither overdrawn nor too many."""
    for side in SIDES:
        if state.supply.get(side, 0) < 0:
            yield f"2.0.4 {side} has {state.supply[side]} supply points"
        if not 0 <= state.committed.get(side, 0) <= CHARTS.points.commit[side]:
            yield f"2.0.8 {side} has committed {state.committed[side]} points"
        if not 0 <= state.reaction.get(side, 0) <= most_reaction(state, side):
            yield f"2.0.5 {side} has {state.reaction[side]} reaction points"


def _ledger(state: State) -> Iterator[str]:
    """2.0.3 to 2.0.5, 2.0.8 After the beginning of a turn, both sides have the points that the log shows,
    less those committed or lost to air."""
    cut = sum(note.cost for note in state.log if isinstance(note, Interdicted))
    for note in state.log:
        if not isinstance(note, TurnPoints):
            continue
        side: Side = "allied" if note.side == "allied" else "german"
        if state.supply.get(side, 0) != note.supply - state.committed.get(side, 0):
            yield f"2.0.8 {side} has {state.supply.get(side, 0)} supply points left of {note.supply}"
        if state.reaction.get(side, 0) != note.reaction - (cut if side == "german" else 0):
            yield f"2.0.5 {side} has {state.reaction.get(side, 0)} reaction points, of {note.reaction}"


def _reactions(state: State) -> Iterator[str]:
    """2.0.9, 5.2, 12.5 A side spends at most three points in an opportunity, and only one side reacts to a
    chit; an offensive is opened with points of its own."""
    spent: Counter[str] = Counter()
    for note in state.log:
        match note:
            case Activated(side=side, cost=cost):
                spent[side] += cost
            case PieceActivated(side=side) | PhasePassed(side=side, what="denied"):
                spent[side] += CHARTS.points.single
    opened = state.phase == "cycle" and state.bulge == CHARTS.points.bulge_chits - 1
    for side, points in spent.items():
        most = CHARTS.points.reaction * (2 if opened and side == "german" else 1)
        if points > most:
            yield f"5.2 {side} has spent {points} reaction points at once"
    if all(spent[side] for side in SIDES) and not opened:
        yield "2.0.9 both sides have reacted to a chit"


def _cup(state: State) -> Iterator[str]:
    """2.0.6, 2.0.7, 2.0.9, 12.5 What is in the cup, and what has been set aside for an offensive."""
    chits, points = Counter(state.cup), CHARTS.points
    if set(chits) - {*SIDES, ADMINISTRATIVE} or chits[ADMINISTRATIVE] > 1:
        yield f"2.0.7 the cup holds {', '.join(state.cup)}"
    for side in SIDES:
        if chits[side] + (state.bulge if side == "german" else 0) > points.commit[side]:
            yield f"2.0.6 {chits[side]} {side} chits are in the cup"
    if state.bulge and not (0 < state.bulge <= points.bulge_chits and TURNS[state.turn].bulge):
        yield f"12.5 {state.bulge} phases of an offensive are left"
    if state.bulge_points and state.bulge != points.bulge_chits:
        yield "12.5 the reaction points that open the offensive have not been spent"
    if (state.cup or state.bulge) and state.phase not in CUP_PHASES:
        yield f"2.0.9 {len(state.cup) + state.bulge} chits are left after the cycle"


def _air(state: State) -> Iterator[str]:
    """2.0.3, 3.12, 9.2, 12.3 Air markers, and the 18th Airborne when its jump is over."""
    if not 0 <= state.heavies <= CHARTS.air.heavies:
        yield f"9.2 {state.heavies} heavy bomber markers are left"
    if not 0 <= state.interdicting <= (CHARTS.air.tacticals if state.air else 0):
        yield f"2.0.3 {state.interdicting} markers interdict"
    if state.jumped or state.drop:
        yield "12.3 the jump of the 18th Airborne is not over"


# --- replacements, control, the Rhine -----------------------------------------------------------------------


def _replacements(state: State) -> Iterator[str]:
    """10.1.2, 12.9 No more points of a kind have been used than the turn gives, and no more on a unit
    than it has steps."""
    crossed = state.rhine_crossed and not any(isinstance(note, RhineCrossed) for note in state.log)
    used: Counter[replacement.Pool] = Counter()
    each: Counter[str] = Counter()
    for note in state.log:
        crossed = crossed or isinstance(note, RhineCrossed)
        if not isinstance(note, Replaced):
            continue
        unit = state.units[note.name]
        used[replacement.pool_of(unit)] += note.points
        each[note.name] += note.points
        if note.side == "german" and crossed and not unit.counter.fuehrer:
            yield f"12.9 {note.name} has had replacements"
    there = replacement.points(state)
    for pool, points in used.items():
        if points > there[pool]:
            yield f"10.1.2 {points} points for {' '.join(pool)} have been used, of {there[pool]}"
    for id, points in each.items():
        if points > len(state.units[id].counter.steps):
            yield f"10.1.2 {id} has had {points} points"


def _control(state: State) -> Iterator[str]:
    """11.3 Whoever stands with a unit in a hex that matters holds it."""
    for side in SIDES:
        for hex in GRID.named(zones.held(state, side) & GRID.bits(control.HEXES)):
            if state.control.get(hex) == ENEMY[side]:
                yield f"11.3 {side} units are in {hex}, which is {ENEMY[side]}"


def _rhine(state: State) -> Iterator[str]:
    """12.6, 12.7, 12.9 Bridgeheads lie on the far bank, Germans are in none,
    and the Fuehrer divisions are raised once the Rhine is crossed."""
    germans = zones.held(state, "german")
    if len(set(state.bridgeheads)) != len(state.bridgeheads):
        yield f"12.6 a bridgehead counts twice: {', '.join(state.bridgeheads)}"
    for hex in state.bridgeheads:
        if hex not in crossing.EAST_BANK or germans >> GRID.index(hex) & 1:
            yield f"12.6 there is no bridgehead in {hex}"
    for key, standing in state.bridges.items():
        if not 0 <= standing <= RHINE_BRIDGES.get(key, -1):
            yield f"12.7 {standing} bridges stand at {key}"
    if not 0 <= state.rhine_crossed <= state.turn:
        yield f"12.9 the Rhine was crossed in turn {state.rhine_crossed}"
    for unit in state.units.values():
        waiting = unit.place == "later" and not unit.hq and unit.counter.fuehrer
        if waiting and state.rhine_crossed:
            yield f"12.9 {unit.id} has not been raised"


def _advantage(state: State) -> Iterator[str]:
    """12.10 The marker is in play only with the option, and never in Falaise Gap."""
    if bool(state.advantage) != (state.option("advantage") == "yes" and state.scenario != "falaise"):
        yield f"12.10 the Advantage is with {state.advantage or 'nobody'}"
