"""How each scenario begins (S1 to S3): units, ports and control."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.normandy44 import control, naval, ports, weather
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import SCENARIOS, UNITS

FIRST: Mapping[str, int] = {"campaign": 0, "cherbourg": 1, "cobra": 7}
"""The turn with which a scenario begins; turn 0 is D-Day."""


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """S1 to S3 The state before the first phase. Units that are neither on the map nor
    in the arrival charts take no part."""
    chosen = SCENARIOS.of(scenario)
    state = State(scenario=scenario, options=dict(options), turn=FIRST[scenario])
    state.units = {id: Unit(id) for id in UNITS}
    for at in chosen.at:
        unit = state.units[at.unit]
        unit.place, unit.hex, unit.lost = "map", at.hex, at.lost
    for id in (*(drop.unit for drop in chosen.drop), *(assault.unit for assault in chosen.assault)):
        unit = state.units[id]
        unit.place, unit.phase = "reserve", "A"
    state.panzers = weather.on_the_map(state)
    state.ports = ports.at_start(scenario)
    control.begin(state)
    naval.reset(state)
    return state
