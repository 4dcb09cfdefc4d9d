"""The map, the counters and the charts, read from the data files once and frozen."""

from pydantic import Field

from pbem.engine.data import Data, Sourced, find_data, read
from pbem.engine.map import Map

KEY = "clash"


class Counter(Sourced):
    """A counter of 1.0."""

    side: str
    strength: str
    hex: str


class Units(Data):
    """units.toml"""

    unit: dict[str, Counter]


class ClashChart(Sourced):
    """3.1 The result for each face of the die."""

    case: str
    results: list[str] = Field(min_length=6, max_length=6)


MAP = Map.load(find_data(KEY, "map.toml"))
UNITS = read(KEY, "units.toml", Units).unit
CLASH = read(KEY, "charts.toml", ClashChart)
