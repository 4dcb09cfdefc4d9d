"""Stacking (3.1): how many units may share a hex at the end of a movement, an advance or a retreat."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.normandy44.state import Unit
from pbem.games.normandy44.tables import CHARTS

Weight = tuple[int, int, int]
"""Stacking points, headquarters, units of no points."""

WEIGHTS: tuple[Weight, ...] = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (2, 0, 0), (3, 0, 0))
"""What a single unit can weigh."""


def weight(unit: Unit) -> Weight:
    """3.1, E1 What a unit counts for in its hex. Beach garrisons belong to their hex and do not count
    (E8)."""
    if unit.hq:
        return 0, 1, 0
    if unit.fixed:
        return 0, 0, 0
    return unit.pe, 0, int(not unit.pe)


def load(units: Iterable[Unit]) -> Weight:
    """3.1 What these units count for together."""
    points = headquarters = weightless = 0
    for unit in units:
        more = weight(unit)
        points, headquarters, weightless = points + more[0], headquarters + more[1], weightless + more[2]
    return points, headquarters, weightless


def holds(load: Weight, more: Weight = (0, 0, 0)) -> bool:
    """3.1 Whether a hex may hold this load and `more`."""
    limits = CHARTS.stacking
    return (
        load[0] + more[0] <= limits.pe
        and load[1] + more[1] <= limits.headquarters
        and load[2] + more[2] <= limits.zero_pe
    )


def fits(units: Iterable[Unit]) -> bool:
    """3.1 Whether these units may stay together in a hex."""
    return holds(load(units))


def room(units: Iterable[Unit]) -> int:
    """3.1 The stacking points that a hex with these units has room for. The limits of headquarters and of
    units without points are not in it: these have the size 0."""
    return CHARTS.stacking.pe - load(units)[0]


def size(unit: Unit) -> int:
    """3.1 The stacking points of a unit."""
    return weight(unit)[0]


def in_words() -> str:
    """3.1 The stacking limit, for messages."""
    limits = CHARTS.stacking
    return (
        f"{limits.pe} stacking points, {limits.headquarters} headquarters and {limits.zero_pe} "
        "unit without points"
    )
