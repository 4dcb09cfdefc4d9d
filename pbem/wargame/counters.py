"""Counters on the map and off it: which are in a hex, on which side, and which an order names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from pbem.engine.errors import NotAllowed


class Counter(Protocol):
    """What every counter has. `place` is "map" for one on the map; then `hex` says where."""

    @property
    def id(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def hex(self) -> str | None: ...


Side_co = TypeVar("Side_co", bound=str, covariant=True)


class Sided(Counter, Protocol[Side_co]):
    """A counter of a side."""

    @property
    def side(self) -> Side_co: ...


U = TypeVar("U", bound=Counter)
V = TypeVar("V", bound=Sided[Any])
S = TypeVar("S", bound=str)


class Placed:
    """A counter that can be asked for its hex where it must be on the map."""

    __slots__ = ()
    id: str
    hex: str | None

    @property
    def placed(self) -> str:
        assert self.hex, f"{self.id} is not on the map"
        return self.hex


class Counters(Generic[U]):
    """A state whose `units` are all counters of the game, including the lost and those still to come."""

    __slots__ = ()
    units: dict[str, U]

    def at(self, hex: str) -> list[U]:
        """Return the units in a hex, in the order of `units`."""
        return [unit for unit in self.units.values() if unit.hex == hex]

    def hex_of(self, id: str) -> str | None:
        """Return the hex of a unit; None if it is on none, or there is no such unit."""
        unit = self.units.get(id)
        return unit.hex if unit else None

    def own(self, id: str, mine: Callable[[U], bool], case: str, *, legal: Sequence[str] = ()) -> U:
        """Return the unit that an order names. Raises NotAllowed if it is not one of those that `mine`
        accepts."""
        unit = self.units.get(id)
        if unit is None or not mine(unit):
            raise NotAllowed(f"{id} is not one of your units", case, legal=legal)
        return unit


class Sides(Counters[V], Generic[V, S]):
    """A state whose counters are those of sides: ``class State(Sides[Unit, Side], GameState)``."""

    __slots__ = ()

    def on_map(self, side: S | None = None) -> list[V]:
        """Return the units on the map, all or those of one side, in the order of `units`."""
        return [
            unit
            for unit in self.units.values()
            if unit.place == "map" and (side is None or unit.side == side)
        ]

    def holder(self, hex: str) -> S | None:
        """Return the side with units in the hex, if any."""
        side: S | None = next((unit.side for unit in self.units.values() if unit.hex == hex), None)
        return side


def of_side(side: str) -> Callable[[Sided[str]], bool]:
    """Return what says whether a unit is of a side, for `own`."""
    return lambda unit: unit.side == side
