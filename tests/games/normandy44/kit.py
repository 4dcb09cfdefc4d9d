"""Builders for the tests of this game: states written as a line of text."""

from __future__ import annotations

from typing import Any

from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import UNITS

PLACES = ("later", "reserve", "track", "dead", "exited")
OPTIONS = {
    "allocation": "simultaneous",
    "carpet": "yes",
    "retreat": "free",
    "lines": "depot",
    "caen": "one",
}


def game(text: str = "", *, scenario: str = "campaign", turn: int = 2, **fields: Any) -> State:
    """A state with every counter off the map ("later") but those in `text`:
    ``4US 0617, 709ID 0519 lost=1 unsupplied, VII/US 0617``.

    Instead of a hex a place may stand (reserve, track, dead, exited). Words: ``lost=1``, unsupplied, acted,
    used, ready, ``box=Paris``, ``phase=A``. The weather is clear and the Allies have the initiative,
    unless `fields` say otherwise; they are fields of the state.
    """
    fields.setdefault("weather", "clear")
    fields.setdefault("initiative", "allied")
    options = {**OPTIONS, **fields.pop("options", {})}
    state = State(scenario=scenario, options=options, turn=turn, **fields)
    state.units = {id: Unit(id) for id in UNITS}
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def put(state: State, id: str, where: str, *words: str) -> Unit:
    """Put a unit into a hex, or into one of the places off the map."""
    unit = state.units[id]
    if where in PLACES:
        unit.place, unit.hex = where, None  # type: ignore[assignment]
    else:
        unit.place, unit.hex = "map", where
    for word in words:
        match word.split("="):
            case ["lost", steps]:
                unit.lost = int(steps)
            case ["box", name]:
                unit.box = name.replace("_", " ")
            case ["phase", phase]:
                unit.phase = phase
            case [flag]:
                assert flag in ("unsupplied", "acted", "used", "ready", "landed", "paid"), flag
                setattr(unit, flag, True)
    return unit


def at(state: State, id: str) -> str | None:
    """Where a unit is; None off the map."""
    return state.units[id].hex
