"""The counters, charts, cases, scenario and map of the game, read from its data files and frozen."""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import Field, model_validator

from pbem.engine.data import Case, CasesFile, Data, Sourced, SourcedModifier, faulty, find_data, read
from pbem.engine.map import CostTable, Map
from pbem.games.rampage.state import German, Group, Hex, State, Type, Unit

GAME = "rampage"

ModifierKey = Literal["rough", "city", "open", "river", "breakout"]
Row = Literal["us", "british", "german"]


# --- units.toml -----------------------------------------------------------------------------------------


class AlliedCounter(Sourced):
    """An Allied division; `arrives` is its box of the turn track, 0 for those set up at the start."""

    id: str
    group: Group
    nation: Literal["us", "french", "british", "canadian", "polish"]
    type: Type
    arrives: int = Field(default=0, ge=0, le=5)

    def unit(self) -> Unit:
        """A new unit of this counter, still to come."""
        return Unit(id=self.id, group=self.group, nation=self.nation, type=self.type, arrives=self.arrives)


class GermanCounter(Sourced):
    """A German unit; `pocket` for those that begin in the Argentan-Falaise Pocket, `once` for the battalion
    that never returns."""

    id: str
    type: Type
    elite: bool = False
    pocket: bool = False
    once: bool = False
    arrives: int = Field(default=0, ge=0, le=5)

    def unit(self) -> German:
        """A new unit of this counter, where it begins (3.1, 3.2, 3.3)."""
        place: Literal["afp", "later", "pool"] = "afp" if self.pocket else "later" if self.arrives else "pool"
        return German(
            id=self.id,
            type=self.type,
            elite=self.elite,
            once=self.once,
            place=place,
            hex=AFP if self.pocket else None,
            arrives=self.arrives,
        )


class UnitsFile(Data):
    """Every counter of both sides."""

    allied: tuple[AlliedCounter, ...]
    german: tuple[GermanCounter, ...]

    @model_validator(mode="after")
    def _distinct(self) -> UnitsFile:
        ids = [*(counter.id for counter in self.allied), *(counter.id for counter in self.german)]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ValueError(f"two units are called {', '.join(twice)}")
        return self


# --- charts.toml ----------------------------------------------------------------------------------------


class FireRow(Sourced):
    """Steps that each face of the die takes, 1 to 6 (10.5)."""

    steps: tuple[int, ...] = Field(min_length=6, max_length=6)

    def worth(self, modifier: int) -> tuple[int, ...]:
        """Steps by face when the die is modified: a total above six counts as six, one below one as one."""
        return tuple(self.steps[max(1, min(6, face + modifier)) - 1] for face in range(1, 7))


class MovementChart(Sourced):
    """Points of a turn, and what entering, crossing and another round of battle cost (9.4, 9.12)."""

    allowance: int
    clear: int
    rough: int
    river: int
    round: int


class DefenceChart(Sourced):
    """What is added to the die for the number of defenders (8.2, 8.4, 8.5), and what a fortress gets at least
    (8.3)."""

    west: int
    east: int
    victory_city: int
    fortress_least: int


class ReplacementChart(Sourced):
    us: int
    british: int
    short: int
    grounded: int
    from_turn: int


class Stacking(Sourced):
    limit: int


class SupplyChart(Sourced):
    turn: int
    british_fully: tuple[int, ...]


class AirborneChart(Sourced):
    first_turn: int
    last_turn: int
    divisions: int


class Bombers(Sourced):
    dice: int


class Victory(Sourced):
    """How many of the conditions there are and make a draw, and how many British divisions
    may be lost for nothing."""

    conditions: int
    draw: int
    free_losses: int
    seventh_site: Hex
    montgomery: Hex


class Turns(Sourced):
    labels: tuple[str, ...]


class ChartsFile(Data):
    """Every chart of the game."""

    fire: dict[Row, FireRow]
    modifier: dict[ModifierKey, SourcedModifier]
    movement: MovementChart
    defence: DefenceChart
    replacement: ReplacementChart
    stacking: Stacking
    supply: SupplyChart
    airborne: AirborneChart
    bombers: Bombers
    victory: Victory
    turns: Turns


# --- cases.toml and scenarios.toml ----------------------------------------------------------------------


class Scenario(Sourced):
    """A scenario with a set-up for players who write none: hex -> units."""

    title: str
    turns: int
    set_up: dict[Hex, tuple[str, ...]]


class ScenariosFile(Data):
    campaign: Scenario


# --- reading --------------------------------------------------------------------------------------------


def _read_map() -> Map:
    found = Map.load(find_data(GAME, "map.toml"))
    found.require(
        hexes=(
            "clear",
            "rough",
            "city",
            "sea",
            "coastal",
            "v1_sites",
            "br_setup",
            "front_line",
            "west_of_seine",
            "supply_edge",
        ),
        hexsides=("river_major", "river_minor", "sea", "western_position_line"),
        features=("awfc", "victory_city", "seine_objectives", "afp"),
    )
    return found


MAP: Map = _read_map()
GRID = MAP.grid
AFP: Hex = next(iter(MAP.features["afp"].values()))
"""The hex of the Argentan-Falaise Pocket (3.1)."""

UNITS: UnitsFile = read(GAME, "units.toml", UnitsFile)
CHARTS: ChartsFile = read(GAME, "charts.toml", ChartsFile)
CASES: dict[str, Case] = read(GAME, "cases.toml", CasesFile).case
CAMPAIGN: Scenario = read(GAME, "scenarios.toml", ScenariosFile).campaign

FORTRESSES: dict[Hex, str] = {hex: name for name, hex in MAP.features["awfc"].items()}
"""The six Atlantic Wall fortress cities: hex -> name."""
VICTORY_CITIES: dict[Hex, str] = {hex: name for name, hex in MAP.features["victory_city"].items()}
SEINE_OBJECTIVES: dict[Hex, str] = {hex: name for name, hex in MAP.features["seine_objectives"].items()}
V1_SITES: tuple[Hex, ...] = MAP.hexes("v1_sites")
WEST_OF_SEINE: tuple[Hex, ...] = MAP.hexes("west_of_seine")
BRITISH_SET_UP: tuple[Hex, ...] = MAP.hexes("br_setup")

LAND: int = MAP.on_map & ~MAP.bits("sea")
CITIES: int = MAP.bits("city")
OVERLAND = MAP.without("sea")
"""The links between hexes for everything that goes on foot or on wheels: not across an all-sea hexside."""
SUPPLY_EDGE: int = MAP.bits("supply_edge") & LAND
"""Where German supply comes from (12.1)."""

_FRONT: int = MAP.bits("front_line")
_WEST_END = BRITISH_SET_UP[0]
ALLIED_START: int = OVERLAND.flood(GRID.bits((_WEST_END,)), LAND & ~_FRONT)
"""The hexes west of the line from which the Allies begin (3.4, 3.7)."""
US_SET_UP: tuple[Hex, ...] = tuple(hex for hex in GRID.named(ALLIED_START) if hex not in BRITISH_SET_UP)
WEST: int = MAP.without("western_position_line").flood(GRID.bits((_WEST_END,)), LAND)
"""The land west of the Western Position Line (8.2); the rest of the land is east of it (8.4)."""


def v1_sites(state: State) -> tuple[Hex, ...]:
    """4.1 The launching sites of this game: the six that the rules list, and a seventh if that was chosen
    (option `v1`)."""
    return (*V1_SITES, CHARTS.victory.seventh_site) if state.options.get("v1") == "seven" else V1_SITES


def is_west(hex: Hex) -> bool:
    """Whether a hex is west of the Western Position Line (8.2)."""
    return bool(WEST >> GRID.index(hex) & 1)


def is_city(hex: Hex) -> bool:
    return bool(CITIES >> GRID.index(hex) & 1)


def river_between(a: Hex, b: Hex) -> bool:
    """10.3 Whether a river counts between two neighbours: a city at either end does away with it,
    for all purposes."""
    if is_city(a) or is_city(b):
        return False
    return bool(MAP.hexside(a, b) & {"river_major", "river_minor"})


@cache
def step_cost(a: Hex, b: Hex) -> int | None:
    """9.12 Movement points for going from a hex into its neighbour; None across an all-sea hexside
    or into the sea."""
    if "sea" in MAP.hexside(a, b) or not LAND >> GRID.index(b) & 1:
        return None
    chart = CHARTS.movement
    ground = chart.rough if MAP.has(b, "rough") else chart.clear
    return ground + (chart.river if river_between(a, b) else 0)


@cache
def costs() -> CostTable:
    """9.12 What moving costs all over the map."""
    return MAP.costs(step_cost)


CITY_NAMES: dict[Hex, str] = {hex: name for name, hexes in MAP.cities.items() for hex in hexes}


def place_name(hex: Hex) -> str:
    """The name of a hex: ``Paris (1507)``, or only its number if it has no city."""
    return f"{CITY_NAMES[hex]} ({hex})" if hex in CITY_NAMES else hex


def _check() -> None:
    """The data files must agree with each other."""
    faults = [f"case {key}: is cited by charts.toml and is none" for key in _cited() if key not in CASES]
    placed = [id for ids in CAMPAIGN.set_up.values() for id in ids]
    wanted = [unit.id for unit in UNITS.allied if unit.group != "airborne" and not unit.arrives]
    if sorted(placed) != sorted(wanted):
        faults.append("scenarios.toml: the default set-up must place every unit of the start once")
    faults += [f"scenarios.toml: there is no hex {hex}" for hex in CAMPAIGN.set_up if hex not in MAP]
    if faults:
        raise faulty(GAME, faults)


def _cited() -> tuple[str, ...]:
    return tuple(modifier.case for modifier in CHARTS.modifier.values())


_check()
