"""Reinforcements (2.5, 11): the Allied reserve and where it may land, the German strategic movement track
and by which roads it empties.

Landing and entering are movement, see movement.py; the capacity of the ports is in ports.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pbem.engine.play import Roll
from pbem.games.normandy44 import ports, supply
from pbem.games.normandy44.notes import Arrived, TrackRolled
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import (
    ARRIVALS,
    BEACH_ARMY,
    BEACH_HEXES,
    BOXES,
    CHARTS,
    GRID,
    PLAYED,
    PORTS,
    ROUTES,
    SCENARIOS,
    AlliedArrival,
    Army,
    GermanArrival,
    Hex,
    box_of,
)

FACES = 6
DIRECT = "map"
"""The box of units that come onto the map without the track (2.5)."""


# --- arrivals -------------------------------------------------------------------------------------------


def allied_chart(scenario: str) -> tuple[AlliedArrival, ...]:
    """C4, S1 The Allied arrival chart of a scenario."""
    return SCENARIOS.cherbourg.allied if scenario == "cherbourg" else ARRIVALS.allied


def german_chart(scenario: str) -> tuple[GermanArrival, ...]:
    """C5, E9, S1 The German arrival chart of a scenario."""
    return SCENARIOS.cherbourg.german if scenario == "cherbourg" else ARRIVALS.german


def arrive(state: State) -> None:
    """2.5 The reinforcement phase: this turn's units go into the Allied reserve and onto the German track.
    Who is left from earlier turns may land from phase A on (11.2); rebuilt units wait for phase B once
    (13.0)."""
    for unit in state.units.values():
        if unit.place == "reserve":
            unit.phase = "A" if unit.phase else "B"
    for landing in allied_chart(state.scenario):
        if units := _due(state, landing):
            for unit in units:
                unit.place, unit.phase = "reserve", landing.phase
            state.note(
                Arrived(case="2.5", side="allied", names=_names(units), where="reserve", phase=landing.phase)
            )
    for entry in german_chart(state.scenario):
        if units := _due(state, entry):
            box = entry.box if entry.box == DIRECT else box_of(entry.box).name
            for unit in units:
                unit.place, unit.box, unit.routes = "track", box, entry.routes
            state.note(Arrived(case="2.5", side="german", names=_names(units), where=box))


def takes_part(state: State, unit: Unit) -> bool:
    """S1 to S3 Whether a unit is in play, has been or will be: one that is still to come has a line
    in the charts of the scenario, or is von Schlieben (E9)."""
    if unit.place != "later" or unit.id == supply.SCHLIEBEN:
        return True
    return state.turn <= arrival_turns(state.scenario).get(unit.id, -1)


@cache
def arrival_turns(scenario: str) -> dict[str, int]:
    """2.5 The turn on which each unit of the charts of a scenario arrives."""
    charts: tuple[AlliedArrival | GermanArrival, ...] = (*allied_chart(scenario), *german_chart(scenario))
    return {id: arrival.turn for arrival in charts for id in arrival.units}


def _due(state: State, arrival: AlliedArrival | GermanArrival) -> list[Unit]:
    """The units of a line of the charts, if it is that of this turn and they are still to come."""
    if arrival.turn != state.turn:
        return []
    return [state.units[id] for id in arrival.units if state.units[id].place == "later"]


def _names(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)


# --- the German track -----------------------------------------------------------------------------------


async def advance_track(state: State) -> None:
    """11.1, E0, 10.4 At the start of a German activation every unit on the track tries to leave its box,
    towards the map: blocked if a die and the bombers over the box reach its number. No die is thrown
    where none could block. From the last box a unit is ready to enter."""
    for unit in state.units.values():
        if unit.place == "track":
            await _leave_box(state, unit)


async def _leave_box(state: State, unit: Unit) -> None:
    unit.ready = unit.box == DIRECT
    if unit.ready:
        return
    track, place = BOXES[unit.box]
    box = track.boxes[place]
    bombers = CHARTS.air.delay * state.bombers.get(box.name, 0)
    die = 0
    if FACES + bombers >= box.number:
        die = await Roll(case="11.1", what=f"{unit.id} leaves {box.name}")
    passed = die == 0 or die + bombers < box.number
    to = track.boxes[place - 1].name if place else DIRECT
    state.note(
        TrackRolled(
            case="11.1",
            roll=state.rolls if die else 0,
            name=unit.id,
            box=box.name,
            to=to,
            die=die,
            bombers=bombers,
            number=box.number,
            passed=passed,
        )
    )
    if passed and place:
        unit.box = to
    else:
        unit.ready = passed


def entry_hexes(state: State, unit: Unit) -> list[Hex]:
    """11.1, E0 The road hexes by which a unit of the track may enter: those of its track or its own,
    on the map of the scenario and without Allied units."""
    return [hex for hex in _roads(state, unit) if state.holder(hex) != "allied"]


def enters_at(state: State, unit: Unit, hex: Hex) -> bool:
    """11.1, E0 Whether a unit of the track may enter by this hex."""
    return hex in _roads(state, unit) and state.holder(hex) != "allied"


def _roads(state: State, unit: Unit) -> list[Hex]:
    """The road hexes of its track or its own, on the map of the scenario."""
    routes = unit.routes or BOXES[unit.box][0].routes
    played = PLAYED[state.scenario]
    return [hex for route in routes if played >> GRID.index(hex := ROUTES[route]) & 1]


# --- landing --------------------------------------------------------------------------------------------


def open_sites(state: State, army: Army) -> dict[str, tuple[Hex, ...]]:
    """11.2, 14.0 Where units of an army may land now: its own beaches without Germans, and every port in use.
    Site -> its hexes."""
    found: dict[str, tuple[Hex, ...]] = {}
    for site in state.capacity:
        if site in BEACH_HEXES:
            lost = state.holder(site) == "german" or ports.destroyed(state, site)
            if BEACH_ARMY[BEACH_HEXES[site]] == army and not lost:
                found[site] = (site,)
        elif ports.works(state, site):
            found[site] = tuple(hex for hex in PORTS[site] if state.holder(hex) != "german")
    return found


def sites(
    state: State, unit: Unit, phase: str, open_to: Mapping[str, tuple[Hex, ...]]
) -> list[tuple[str, Hex, int]]:
    """11.2, 14.0 Where a unit of the reserve may land in phase A or B among the open sites of its army,
    with what it costs of the capacity there: (site, hex, points). Units without stacking points,
    and rebuilt ones that are paid for (13.0), land however little capacity there is."""
    if unit.place != "reserve" or not unit.phase or (unit.phase == "B" and phase == "A"):
        return []
    pe = 0 if unit.paid else unit.pe
    return [(site, hex, pe) for site, hexes in open_to.items() if state.capacity[site] >= pe for hex in hexes]


def pay(state: State, site: str, pe: int) -> None:
    """11.2 What lands is taken off the capacity of its site for the rest of the turn."""
    assert 0 <= pe <= state.capacity[site], f"{site} has {state.capacity[site]} points left, not {pe}"
    state.capacity[site] -= pe


def capacity_for(state: State, army: Army) -> int:
    """13.0 The landing points that an army can still use this turn, wherever they are."""
    return sum(state.capacity[site] for site in open_sites(state, army))


def draw(state: State, army: Army, pe: int) -> None:
    """13.0 Replacements are paid for where an army has capacity: on its beaches first, then in the ports."""
    for site in open_sites(state, army):
        part = min(pe, state.capacity[site])
        pay(state, site, part)
        pe -= part
    assert pe == 0, f"{pe} landing points too few for {army}"
