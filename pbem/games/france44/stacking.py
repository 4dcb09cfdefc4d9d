"""Stacking (7.1): at no time, not even on the way, does a hex hold more than four armoured units,
two of infantry, or four in all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbem.games.france44.state import Unit
from pbem.games.france44.tables import CHARTS
from pbem.wargame.room import sure_room

Load = tuple[int, int]
"""Armoured units, units of infantry."""


def load(units: Iterable[Unit]) -> Load:
    """3.1, 7.1 What these pieces count for: paratroops as infantry, panzergrenadiers as armour,
    headquarters for nothing."""
    arms = [unit.arm for unit in units if not unit.hq]
    return arms.count("armour"), arms.count("infantry")


def holds(armour: int, infantry: int) -> bool:
    """7.1 Whether a hex may hold this many."""
    limits = CHARTS.stacking
    return armour <= limits.armour and infantry <= limits.infantry and armour + infantry <= limits.units


def fits(units: Iterable[Unit]) -> bool:
    """7.1 Whether these pieces may be in a hex together."""
    return holds(*load(units))


SIZES = {"armour": 2, "infantry": 3}
"""7.1 What a unit counts against `room`, by its arm."""


def size(unit: Unit) -> int:
    """7.1 What a piece counts against the room of a hex."""
    return 0 if unit.hq else SIZES[unit.arm]


def room(units: Iterable[Unit]) -> int:
    """7.1 The size of the units that surely have room in a hex beside these. There are three limits, so no
    sum says it all: of one more unit it says whether it has room, but of several it may deny what is allowed,
    such as two of each arm in an empty hex."""
    return _room(*load(units))


@cache
def _room(armour: int, infantry: int) -> int:
    return sure_room(
        SIZES, lambda arms: holds(armour + arms.count("armour"), infantry + arms.count("infantry"))
    )


def in_words() -> str:
    """7.1 What a hex holds, for messages."""
    limits = CHARTS.stacking
    return f"{limits.units} units at most, {limits.infantry} of infantry and {limits.armour} of armour"
