"""Stacking (7.1): at no time, not even on the way, does a hex hold more than four armoured units,
two of infantry, or four in all."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.france44.state import Unit
from pbem.games.france44.tables import CHARTS

Load = tuple[int, int]
"""Armoured units, units of infantry."""


def load(units: Iterable[Unit]) -> Load:
    """3.1, 7.1 What these pieces count for: paratroops as infantry, panzergrenadiers as armour,
    headquarters for nothing."""
    arms = [unit.arm for unit in units if not unit.hq]
    return arms.count("armour"), arms.count("infantry")


def holds(armour: int, infantry: int) -> bool:
    """7.1 Whether a hex may hold so many."""
    limits = CHARTS.stacking
    return armour <= limits.armour and infantry <= limits.infantry and armour + infantry <= limits.units


def fits(units: Iterable[Unit]) -> bool:
    """7.1 Whether these pieces may be in a hex together."""
    return holds(*load(units))


def in_words() -> str:
    """7.1 What a hex holds, for messages."""
    limits = CHARTS.stacking
    return f"{limits.units} units at most, {limits.infantry} of infantry and {limits.armour} of armour"
