"""The map and the patrols, read from the data files once and frozen."""

from __future__ import annotations

from pbem.engine.data import Data, Sourced, find_data, read
from pbem.engine.map import Map

KEY = "tour"
RED = "red"
BLUE = "blue"
TO_WIN = 4
"""3.1 Red wins a fight with at least this."""


class Patrol(Sourced):
    """A counter of 1.0."""

    side: str
    strength: str
    hex: str


class Units(Data):
    """units.toml"""

    unit: dict[str, Patrol]


MAP = Map.load(find_data(KEY, "map.toml"))
UNITS = read(KEY, "units.toml", Units).unit
(MILL,) = MAP.called_places["Mill"]
OWN = {side: tuple(id for id, unit in UNITS.items() if unit.side == side) for side in (RED, BLUE)}
