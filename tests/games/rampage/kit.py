"""Builders for the tests of this game: states written as a line of text, and a phase played with scripted orders and dice."""

from __future__ import annotations

from typing import Any

from pbem.games.rampage import control
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import UNITS


def game(
    text: str = "",
    *,
    turn: int = 2,
    allied: str = "",
    german: str | None = None,
    pool: str | None = None,
    **fields: Any,
) -> State:
    """A state with every counter off the map but those in `text`: ``3A 1501, 1Inf 1501 reduced, 1SS 1904``.

    `allied` are hexes that have turned Allied since the start, `german` all that the Germans hold (instead), `pool` the units of the
    force pool (without it those of the start; the rest are then gone). The Argentan-Falaise Pocket has escaped unless `afp` says
    otherwise. `fields` are further fields of the state.
    """
    fields.setdefault("afp", "escaped")
    state = State(scenario="campaign", turn=turn, **fields)
    state.units = {counter.id: counter.unit() for counter in UNITS.allied}
    state.germans = {counter.id: counter.unit() for counter in UNITS.german}
    lost = allied.split()
    state.german = german.split() if german is not None else [h for h in control.at_start() if h not in lost]
    settle(state, pool)
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def settle(state: State, pool: str | None) -> None:
    """Lay out the Germans: the force pool, and the pocket's units where they are by now."""
    named = pool.split() if pool is not None else None
    assert named is None or not set(named) - set(state.germans), pool
    for unit in state.germans.values():
        if unit.place == "afp" and state.afp != "standing":
            unit.place, unit.hex = "pool", None
        if named is not None and unit.place != "afp":
            unit.place = "pool" if unit.id in named else "gone"


def put(state: State, id: str, hex: str, *words: str) -> None:
    """Put a unit of either side into a hex; `reduced`, `replenishing`."""
    assert set(words) <= {"reduced", "replenishing"}, words
    if id in state.germans:
        state.germans[id].place, state.germans[id].hex = "map", hex
        return
    unit = state.units[id]
    unit.place, unit.hex = "map", hex
    unit.steps = 1 if {"reduced", "replenishing"} & set(words) else 2
    unit.replenishing = "replenishing" in words


def at(state: State, id: str) -> str | None:
    """Where a unit of either side is."""
    return (state.units.get(id) or state.germans[id]).hex
