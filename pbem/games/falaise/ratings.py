"""Tactical efficiency ratings (2.2): what is printed, and what disruption (9.1), a new commander (11.6),
a rolled rating (11.8) and the company of a parent brigade (5.3) make of it."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import CHARTS

CURRIE, PARENT = "Currie", "10/4C"
"""5.3, 11.6 Task Force Currie, and the brigade whose rating it has while the two are stacked."""
ROLLED = "80"
"""11.8 The division whose rating is rolled."""


def printed(state: State, unit: Unit) -> int:
    """2.2, 11.8 The rating on the counter; for the US 80th Division the one that was rolled."""
    return state.rating_80 if unit.counter.division == ROLLED else unit.counter.ter


def with_parent(state: State, unit: Unit) -> bool:
    """5.3 Whether a unit is Task Force Currie, stacked with its brigade."""
    return unit.id == CURRIE and unit.hex is not None and state.units[PARENT].hex == unit.hex


def ter(state: State, unit: Unit) -> int:
    """9.1, 11.6, 6.2 The rating as it is now, never below 0. Task Force Currie has that of its brigade,
    disruption and all, while they are stacked."""
    if with_parent(state, unit):
        return ter(state, state.units[PARENT])
    rating = printed(state, unit)
    if unit.counter.red and state.relieved:
        rating += CHARTS.ter.relieved
    if unit.disrupted:
        rating += CHARTS.ter.disrupted
    return max(0, rating)


def highest(state: State, units: Iterable[Unit]) -> int:
    """6.2, 10.2 The best rating among some units."""
    return max(ter(state, unit) for unit in units)


def in_words(state: State, unit: Unit) -> str:
    """2.2 A unit as a decision needs it: ``3-4 mech brigade, 2 of 2 steps``;
    factor and rating as they are now."""
    kind = unit.counter.size if not unit.mech else f"mech {unit.counter.size}"
    steps = "" if unit.counter.steps == 1 else f", {unit.steps} of {unit.counter.steps} steps"
    return f"{unit.strength}-{ter(state, unit)} {kind}{steps}{', disrupted' if unit.disrupted else ''}"
