"""What must hold in any wargame, whatever was played: each yields what is wrong, and a game adds its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pbem.wargame.counters import Counter, Sided

V = TypeVar("V", bound=Sided[Any])


def filed(units: Mapping[str, Counter]) -> Iterator[str]:
    """Every counter is filed under its name, and has a hex if and only if it is on the map."""
    for key, unit in units.items():
        if key != unit.id:
            yield f"{unit.id} is filed under {key}"
        if (unit.place == "map") != (unit.hex is not None):
            yield f"{unit.id} has place {unit.place} and hex {unit.hex}"


def stacks(units: Iterable[V], fits: Callable[[list[V]], bool], *, both: str, full: str) -> Iterator[str]:
    """No hex holds units of both sides, or more than fit; `both` and `full` are the cases that say so."""
    found: dict[str, list[V]] = {}
    for unit in units:
        if unit.hex:
            found.setdefault(unit.hex, []).append(unit)
    for hex, there in found.items():
        names = ", ".join(unit.id for unit in there)
        if len({unit.side for unit in there}) > 1:
            yield f"{both} both sides are in {hex}: {names}"
        elif not fits(there):
            yield f"{full} {hex} holds {names}"
