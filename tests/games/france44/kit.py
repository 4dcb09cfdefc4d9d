"""Builders for the tests of this game: states written as a line of text."""

from __future__ import annotations

from typing import Any

from pbem.games.france44.state import State, Unit
from pbem.games.france44.tables import UNITS

PLACES = ("later", "due", "box", "eliminated", "fresh", "track", "gone")
OPTIONS = {"advantage": "no"}


def game(text: str = "", *, scenario: str = "crusade", turn: int = 2, **fields: Any) -> State:
    """A state with every counter off the map ("later") but those in `text`:
    ``VII/US 1208 lost=1, XIX/US 1207 green, US1 1208``.

    Instead of a hex a place may stand (due, box, eliminated, fresh, track, gone). Words:
    ``lost=2`` (a cadre), ``back=5``, unsupplied, green, rebuilt. Nobody is green unless it says so;
    no hex is under anybody's control, both sides have three reaction points and there is air support,
    unless `fields` say otherwise; they are fields of the state.
    """
    fields.setdefault("reaction", {"allied": 3, "german": 3})
    fields.setdefault("supply", {"allied": 0, "german": 0})
    fields.setdefault("air", True)
    fields.setdefault("heavies", 2)
    options = {**OPTIONS, **fields.pop("options", {})}
    state = State(scenario=scenario, options=options, turn=turn, **fields)
    state.units = {id: Unit(id) for id in UNITS}
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def put(state: State, id: str, where: str, *words: str) -> Unit:
    """Put a piece into a hex, or into one of the places off the map."""
    unit = state.units[id]
    if where in PLACES:
        unit.place, unit.hex = where, None  # type: ignore[assignment]
    else:
        unit.place, unit.hex = "map", where
    for word in words:
        match word.split("="):
            case ["lost", steps]:
                unit.lost = int(steps)
            case ["back", turn]:
                unit.back = int(turn)
            case [flag]:
                assert flag in ("unsupplied", "green", "rebuilt"), flag
                setattr(unit, flag, True)
    return unit


def at(state: State, id: str) -> str | None:
    """Where a piece is; None off the map."""
    return state.units[id].hex
