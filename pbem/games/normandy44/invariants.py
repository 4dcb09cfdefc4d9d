"""What must hold at the end of every phase, whatever was played: for tests, and for `pbem game check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.normandy44 import stacking, zones
from pbem.games.normandy44.control import HEXES
from pbem.games.normandy44.notes import Replaced
from pbem.games.normandy44.state import SIDES, State
from pbem.games.normandy44.supply import SCHLIEBEN
from pbem.games.normandy44.tables import AIR_ZONES, BOXES, CHARTS, GRID, MULBERRIES, PLAYED, UNITS
from pbem.wargame.invariants import filed, stacks

PLACES: Mapping[str, tuple[str, ...]] = {
    "allied": ("map", "later", "reserve", "dead", "exited"),
    "german": ("map", "later", "track", "dead"),
}


def invariants(state: State) -> Iterator[str]:
    """Everything that is wrong with the state at the end of a phase."""
    yield from _units(state)
    yield from stacks(state.on_map(), stacking.fits, both="5.1", full="3.1")
    yield from _resources(state)
    yield from _aircraft(state)
    yield from _replacements(state)
    yield from _control(state)


def _units(state: State) -> Iterator[str]:
    """0.1 Every counter is in one place that its side has, with the steps that it can have there,
    and on the map on land that is played on."""
    if list(state.units) != list(UNITS):
        yield "0.1 the units are not those of the counter sheet"
    played = PLAYED[state.scenario]
    yield from filed(state.units)
    for unit in state.units.values():
        if unit.hex is not None and not (unit.hex in GRID and played >> GRID.index(unit.hex) & 1):
            yield f"S1 {unit.id} is in {unit.hex}, which is not land of this scenario"
        if unit.place not in PLACES[unit.side]:
            yield f"{unit.id} is {unit.side} and has place {unit.place}"
        if not (
            unit.lost == 0 if unit.hq else 0 <= unit.lost < len(unit.counter.steps) + (unit.place == "dead")
        ):
            yield f"7.3 {unit.id} is {unit.place} and has lost {unit.lost} steps"
        if unit.place == "track" and unit.box not in (*BOXES, "map"):
            yield f"11.1 {unit.id} is on the track in the box {unit.box!r}"
        if unit.back and not (unit.hq and unit.place == "dead"):
            yield f"6.4 {unit.id} is {unit.place} and returns on turn {unit.back}"


def _resources(state: State) -> Iterator[str]:
    """2.2, 2.3, 14 Markers, landing capacity and ports."""
    for side in SIDES:
        if state.markers[side] < 0:
            yield f"2.2 {side} has {state.markers[side]} offensive markers"
    for id in state.supported:
        if not state.units[id].hq:
            yield f"2.3 {id} is supported and no headquarters"
    if len(set(state.supported)) != len(state.supported):
        yield f"2.3 a headquarters has two markers: {', '.join(state.supported)}"
    for site, left in state.capacity.items():
        if left < 0:
            yield f"14.0 {site} has {left} points of landing capacity left"
    for name, port in state.ports.items():
        if (port.damaged or port.gone) and name not in MULBERRIES:
            yield f"14.1 {name} is damaged and no Mulberry"
    if state.units[SCHLIEBEN].place != "later" and not state.schlieben:
        yield "E9 Von Schlieben is there and has not appeared"


def _aircraft(state: State) -> Iterator[str]:
    """10, 12.0 Nothing flies or fires more often than the weather and the rules allow."""
    sky = CHARTS.weather.sky(state.weather) if state.weather else CHARTS.weather.clear
    flying = sum(state.fighters.values()) + len(state.interdicted)
    if flying > sky.us_fighters + sky.uk_fighters or min(state.fighters.values(), default=0) < 0:
        yield f"10.1 {flying} fighters are in the air in {state.weather} weather"
    if len(set(state.interdicted)) != len(state.interdicted) or set(state.interdicted) - set(AIR_ZONES):
        yield f"10.2 fighters are over {', '.join(state.interdicted)}"
    if sum(state.bombers.values()) + len(state.targets) > sky.bombers:
        yield f"10.4 too many bombers are in the air in {state.weather} weather"
    if len(set(state.carpets)) != len(state.carpets):
        yield f"10.3 bombers have carpet bombed twice: {', '.join(state.carpets)}"
    for name, left in state.guns.items():
        if not 0 <= left <= getattr(CHARTS.naval, name.replace(" ", "_")):
            yield f"12.0 {name} have {left} points left"


def _replacements(state: State) -> Iterator[str]:
    """13.0 The Germans replace one motorised step and two steps on foot in a turn; no unit gets two steps."""
    for side in SIDES:
        names = [
            name
            for note in state.log
            if isinstance(note, Replaced) and note.side == side
            for name in note.names
        ]
        if len(set(names)) != len(names):
            yield f"13.0 a unit has had two steps: {', '.join(names)}"
        motor = sum(UNITS[name].motor for name in names)
        limits = CHARTS.replacement
        if side == "german" and (motor > limits.motor_steps or len(names) - motor > limits.foot_steps):
            yield f"13.0 too many German replacements: {', '.join(names)}"


def _control(state: State) -> Iterator[str]:
    """S2, S3 The side in a hex that matters controls it; each unit off the map is recorded once."""
    for side in SIDES:
        for hex in GRID.named(zones.held(state, side) & GRID.bits(HEXES)):
            if state.control.get(hex) != side:
                yield f"S3 {side} units are in {hex}, which is {state.control.get(hex)}"
    gone = [id for edge in state.exits.values() for id, _ in edge]
    if sorted(gone) != sorted(unit.id for unit in state.units.values() if unit.place == "exited"):
        yield f"S2 the units that have left the map are recorded as {', '.join(gone)}"
