"""Setting up (1.4, 1.8, 13): who stands where in July 1944, and who is still to come."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.france44 import control
from pbem.games.france44.state import State, Unit
from pbem.games.france44.tables import CHARTS, SCENARIOS, SETUP, TURNS, UNITS


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """1.4, 1.8, 13.1 The state before the first turn. In Falaise Gap only the pieces
    of Normandy take part."""
    state = State(scenario=scenario, options=dict(options), turn=1, heavies=CHARTS.air.heavies)
    state.units = {id: Unit(id) for id in UNITS if takes_part(scenario, id)}
    for line in SETUP.at:
        for id in line.units:
            if id in state.units:
                state.units[id].place, state.units[id].hex = "map", line.hex
    for unit in state.units.values():
        unit.green = not unit.hq and unit.counter.green
    control.begin(state)
    state.supply = dict(TURNS[1].supply)
    if options.get("advantage") == "yes" and scenario != "falaise":  # 12.10
        state.advantage = "allied"
    return state


def takes_part(scenario: str, id: str) -> bool:
    """13.1 Whether a piece is in the scenario."""
    if scenario != "falaise":
        return True
    west, east = SCENARIOS.falaise.columns
    placed = [line.hex for line in SETUP.at if id in line.units]
    if placed:
        return west <= int(placed[0][:2]) <= east
    return any(id in arrival.units and arrival.turn == 1 for arrival in SETUP.arrival)
