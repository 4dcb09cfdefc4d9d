"""Stacking and unit breakdown (STK): how many units may share a hex, and how units are broken down and
rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from string import ascii_lowercase

from pbem.engine.errors import NotAllowed
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import CHARTS, MAP, UNITS, Kind
from pbem.wargame.room import sure_room

# --- the limit ------------------------------------------------------------------------------------------


def within_limit(hex: Hex, units: Iterable[Unit]) -> bool:
    """STK Whether these units may end a phase together in a hex. Inverted paratroops do not count (INV.1C).

    The limit is the explicit one in the rulebook: 3 battalions, or 1 regiment and 2 battalions, or 2
    regiments; in bocage 2 battalions or 1 regiment. Forts count as bocage only for movement and armour, so
    they have the limit of a clear hex."""
    counted = [unit.size for unit in units if not unit.inverted]
    return holds(hex, counted.count("regiment"), counted.count("battalion"))


def holds(hex: Hex, regiments: int, battalions: int) -> bool:
    """STK Whether a hex may hold this many units at the end of a phase."""
    return _holds(_most(hex), regiments, battalions)


def _holds(most: Sequence[int], regiments: int, battalions: int) -> bool:
    return regiments < len(most) and battalions <= most[regiments]


SIZES = {"battalion": 2, "regiment": 3}
"""STK What a unit counts against `room`: with these sizes the limit is a sum, 7 in a hex and 4 in bocage."""


def size(unit: Unit) -> int:
    """STK, INV.1C What a unit counts against the room of a hex; inverted ones take none."""
    return 0 if unit.inverted else SIZES[unit.size]


def room(hex: Hex, units: Iterable[Unit]) -> int:
    """STK The size of the units that a hex still has room for beside these."""
    return _whole(_most(hex)) - sum(map(size, units))


@cache
def _whole(most: tuple[int, ...]) -> int:
    """STK The size of the units that fit in a hex with this limit."""
    return sure_room(SIZES, lambda group: _holds(most, group.count("regiment"), group.count("battalion")))


@cache
def _most(hex: Hex) -> tuple[int, ...]:
    """STK The most battalions beside 0, 1, 2 ... regiments in a hex."""
    return CHARTS.stacking.bocage if MAP.terrain(hex) == "bocage" else CHARTS.stacking.other


def limit_in_words(hex: Hex) -> str:
    """STK The stacking limit of a hex, in words."""
    if MAP.terrain(hex) == "bocage":
        return "2 battalions or 1 regiment"
    return "3 battalions, or 1 regiment and 2 battalions, or 2 regiments"


# --- breaking down and rebuilding -----------------------------------------------------------------------


def parts_of(unit: Unit) -> tuple[str, ...]:
    """STK.B The kinds that a unit breaks down into; none for most."""
    return UNITS.of(unit).parts


def names_of_parts(state: State, unit: Unit) -> tuple[str, ...]:
    """STK.D The names of the parts of a unit: its own with letters that are not in use."""
    free = (f"{unit.id}{letter}" for letter in _letters() if f"{unit.id}{letter}" not in state.units)
    return tuple(next(free) for _ in parts_of(unit))


def break_down(state: State, unit: Unit) -> tuple[Unit, ...]:
    """STK.B, STK.D Put the parts of a unit in its place. They are named after it: 8/4a, 8/4b, 8/4c.

    Letters in use are skipped. Raises NotAllowed for units that do not break down.
    """
    kinds = parts_of(unit)
    if not kinds:
        raise NotAllowed(f"{unit.id} ({unit.kind}) does not break down", "STK.B")
    ids = names_of_parts(state, unit)
    del state.units[unit.id]
    parts = []
    for id, name in zip(ids, kinds, strict=True):
        kind = UNITS.get(unit.side, name, unit.type, "battalion")
        strength, allowance = kind.printed
        part = replace(
            unit,
            id=id,
            kind=name,
            size="battalion",
            strength=strength,
            allowance=allowance,
            part_of=unit.id,
            whole=unit.kind,
        )
        state.units[part.id] = part
        parts.append(part)
    return tuple(parts)


def _letters() -> Iterable[str]:
    yield from ascii_lowercase
    for first in ascii_lowercase:
        for second in ascii_lowercase:
            yield first + second


def whole_of(units: Sequence[Unit]) -> Kind:
    """STK.E The kind that these units can be rebuilt into. Raises NotAllowed.

    A 7-6 and a 5-6 are the parts of a 15-6 and of a 16-6: they become a 16-6 only if both come from one,
    so that no strength is gained.
    """
    first = units[0]
    if any((unit.hex, unit.place) != (first.hex, first.place) for unit in units):
        raise NotAllowed("units can be rebuilt only if they are all in one hex", "STK.E")
    if any(unit.side != first.side or unit.type != first.type for unit in units):
        raise NotAllowed("units can be rebuilt only from parts of one type", "STK.E")
    if any(unit.inverted for unit in units):
        raise NotAllowed("inverted units cannot be rebuilt", "INV.1C")
    names = tuple(unit.kind for unit in units)
    fitting = (
        UNITS.wholes(first.side, first.type, names) if all(unit.size == "battalion" for unit in units) else ()
    )
    if not fitting:
        raise NotAllowed(
            f"{' + '.join(names)} are not the parts of a larger unit of type {first.type}", "STK.E"
        )
    origins = {unit.whole for unit in units}
    return next((kind for kind in fitting if origins == {kind.name}), fitting[0])


def rebuild(state: State, units: Sequence[Unit]) -> Unit:
    """STK.E Put a larger unit in the place of its parts. It takes the first free name of a unit that they
    come from, or else the name of its first part. Raises NotAllowed."""
    kind, first = whole_of(units), units[0]
    for unit in units:
        del state.units[unit.id]
    names = [unit.part_of for unit in units if unit.part_of] + [unit.id for unit in units]
    strength, allowance = kind.printed
    whole = replace(
        first,
        id=next(name for name in names if name not in state.units),
        kind=kind.name,
        size=kind.size,
        strength=strength,
        allowance=allowance,
        part_of="",
        whole="",
        never_supplied=any(unit.never_supplied for unit in units),
    )
    state.units[whole.id] = whole
    return whole
