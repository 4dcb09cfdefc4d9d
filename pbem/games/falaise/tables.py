"""The counters, charts, cases, sectors and map of the game, read from its data files and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from pbem.engine.board import Symbol
from pbem.engine.data import Case, CasesFile, Data, Sourced, SourcedModifier, faulty, find_data, read
from pbem.engine.map import Map

GAME = "falaise"

Hex = str
Side = Literal["german", "allied"]
Nation = Literal["ss", "wehrmacht", "luftwaffe", "british", "canadian", "polish", "us", "french"]
Result = Literal["AL1", "CON", "DR", "DL1", "DLR"]
"""10.2 What an assault comes to: the attacker loses a step; contact, no unit moves; the defenders retreat;
they lose a step; both."""


# --- units.toml -----------------------------------------------------------------------------------------


class Counter(Sourced):
    """A combat unit as printed (2.2). `strength` holds its combat factor at full strength and,
    with two steps, reduced; `ter` its rating (0: rolled, 11.8), `red` whether that rises when the commander
    is relieved (11.6); `regiment` whether it is a regiment or brigade for stacking (5.3)."""

    id: str
    name: str
    side: Side
    nation: Nation
    corps: str
    """The command that activates it, "" for the two companies, which have none (3.0)."""
    division: str
    symbol: Symbol
    size: Literal["company", "battalion", "regiment", "brigade", "kampfgruppe", "task force"]
    regiment: bool
    mech: bool = False
    armour: bool = False
    steps: int = Field(ge=1, le=2)
    strength: tuple[int, ...] = Field(min_length=1, max_length=2)
    ter: int = Field(ge=0, le=6)
    red: bool = False
    later: bool = False
    """Not on the map at the start (11.4, 11.5)."""
    values: str

    @model_validator(mode="after")
    def _steps_have_strengths(self) -> Counter:
        if len(self.strength) != self.steps:
            raise ValueError(f"{self.id} has {self.steps} steps and {len(self.strength)} strengths")
        return self


class UnitsFile(Data):
    unit: tuple[Counter, ...]

    @model_validator(mode="after")
    def _distinct(self) -> UnitsFile:
        ids = [counter.id for counter in self.unit]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ValueError(f"two units are called {', '.join(twice)}")
        return self


# --- setup.toml -----------------------------------------------------------------------------------------


class Sector(Sourced):
    """The stretch of the Starting Front Line of one division (3.1)."""

    side: Side
    division: str
    hexes: tuple[Hex, ...]


class Special(Sourced):
    """Units that are set up in hexes of their own (3.1)."""

    units: tuple[str, ...]
    rule: str
    hexes: tuple[Hex, ...]


class Relative(Sourced):
    """Units that are set up with or next to others (3.1); `rule` says how, setup.py does it."""

    units: tuple[str, ...]
    rule: str


class Region(Sourced):
    key: str
    hexes: tuple[Hex, ...] = ()
    hexsides: tuple[str, ...] = ()


class Example(Sourced):
    """One legal set-up of every unit that begins on the map."""

    hexes: dict[str, Hex]


class SetupFile(Data):
    sector: tuple[Sector, ...]
    special: tuple[Special, ...]
    relative: tuple[Relative, ...]
    region: tuple[Region, ...]
    example: Example


# --- charts.toml ----------------------------------------------------------------------------------------


class Valued(Sourced):
    value: int


class TurnTrack(Sourced):
    number: int
    labels: tuple[str, ...]
    day: tuple[int, ...]


class TerChart(Sourced):
    """What changes a rating (9.1, 11.6), and the points that low and high ratings lose or gain (7.1.1)."""

    disrupted: int
    relieved: int
    low: int
    low_points: int
    high: int
    high_points: int


class ActivationChart(Sourced):
    """Movement points of a command by modified die, 0 to 7 (7.1.1), and what night does to the die."""

    points: tuple[int, ...] = Field(min_length=8, max_length=8)
    night: dict[Literal["german", "us", "us_better", "commonwealth"], Valued]


class Terrain(Sourced):
    """Movement points for entering (7.2); `cover` whether it protects from assault,
    op-fire and bombardment."""

    leg: int
    mech: int
    cover: bool = False


class MovementChart(Sourced):
    road: int
    road_half: Literal["1/2"]
    bridge: int
    crest: int
    river_leg: int
    ford_leg: int
    ford_mech: int
    break_contact: int


class AssaultChart(Sourced):
    columns: tuple[str, ...]
    rows: tuple[tuple[Result, ...], ...] = Field(min_length=6, max_length=6)
    attacker_may: dict[Result, Result]
    defender_may: dict[Result, Result]

    @model_validator(mode="after")
    def _even(self) -> AssaultChart:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("every row of the assault table has a result for each column")
        return self

    def result(self, column: str, die: int) -> Result:
        """The result in a column for a modified die, below 1 read as 1, above 6 as 6."""
        return self.rows[max(1, min(6, die)) - 1][self.columns.index(column)]


class OpfireChart(Sourced):
    """The least modified die for a halt, and for a disruption (6.2)."""

    halt: int
    disrupted: int


class Bombs(Data):
    one: int
    all: int


class BombardmentChart(Sourced):
    artillery: Bombs
    airstrike: Bombs
    range: int
    polish_range: int
    crest_range: int
    airstrikes: int
    sunny_airstrikes: int
    friendly_fire: int


class VictoryChart(Sourced):
    """Victory points (3.1, 3.3)."""

    cut_off: int
    reduced_brigade: int
    lost_battalion: int
    lost_brigade: int
    withheld: int
    withheld_from: int
    division: int
    mech: int
    argentan: int
    argentan_supplied: int
    exited: int
    surrender_add: int


class SolitaireRow(Sourced):
    units: Literal["none", "half", "all", "adjacent"]
    action: Literal["none", "move", "mech assault", "assault", "either"]


class ChartsFile(Data):
    turns: TurnTrack
    ter: TerChart
    activation: ActivationChart
    terrain: dict[str, Terrain]
    movement: MovementChart
    assault: AssaultChart
    opfire: OpfireChart
    bombardment: BombardmentChart
    modifier: dict[str, SourcedModifier]
    victory: VictoryChart
    solitaire: tuple[SolitaireRow, ...] = Field(min_length=7, max_length=7)


# --- cases.toml -----------------------------------------------------------------------------------------

UNITS: Mapping[str, Counter] = {counter.id: counter for counter in read(GAME, "units.toml", UnitsFile).unit}
SETUP = read(GAME, "setup.toml", SetupFile)
CHARTS = read(GAME, "charts.toml", ChartsFile)
CASES: dict[str, Case] = read(GAME, "cases.toml", CasesFile).case
MAP = Map.load(find_data(GAME, "map.toml"))
GRID = MAP.grid

GERMAN_COMMANDS = ("1SS", "2SS", "47Pz", "74", "84", "2FJ")
"""The commands that are in the cup from the start (4.0); 86 joins them (11.4),
58Pz replaces one of them (11.2)."""
ALLIED_COMMANDS = ("12C", "30C", "2CC", "Pol", "7C", "15C")
COMMAND_NAMES: Mapping[str, str] = {
    "1SS": "1st SS Panzer Corps", "2SS": "2nd SS Panzer Corps", "47Pz": "47th Panzer Corps",
    "74": "74th Corps", "84": "84th Corps", "2FJ": "2nd Parachute Corps", "86": "86th Corps",
    "58Pz": "58th Panzer Corps", "12C": "British 12th Corps", "30C": "British 30th Corps",
    "2CC": "Canadian 2nd Corps", "Pol": "Polish 1st Armoured Division", "7C": "US 7th Corps",
    "15C": "US 15th Corps",
}  # fmt: skip
COMMAND_TITLES: Mapping[str, str] = {
    "1SS": "1SS Pz",
    "2SS": "2SS Pz",
    "47Pz": "47 Pz",
    "74": "74 Corps",
    "84": "84 Corps",
    "2FJ": "2 FJ",
    "86": "86 Corps",
    "58Pz": "58 Pz",
    "12C": "12 Corps",
    "30C": "30 Corps",
    "2CC": "2 Canadian Corps",
    "Pol": "Polish",
    "7C": "7 Corps",
    "15C": "15 Corps",
}
"""The commands as people write them in the headings of their letters."""
ARGENTAN: Hex = "3219"
GERMAN_EXIT: Hex = "1703"
"""6.5 Where German lines of communication leave the map."""


def region(key: str) -> Region:
    """A region of setup.toml. Raises KeyError."""
    for found in SETUP.region:
        if found.key == key:
            return found
    raise KeyError(key)


PLACE_NAMES: dict[Hex, str] = {hex: name for name, hex in MAP.places.items()}


def place_name(hex: Hex) -> str:
    """A hex as letters call it: ``Argentan (3219)``, or only its number if it has no name."""
    return f"{PLACE_NAMES[hex]} ({hex})" if hex in PLACE_NAMES else hex


def is_day(turn: int) -> bool:
    """2.1 Whether a turn is a day turn."""
    return turn in CHARTS.turns.day


def _check() -> None:
    """The data files must agree with each other."""
    faults = [f"case {key}: is cited by charts.toml and is none" for key in _cited() if key not in CASES]
    wanted = sorted(counter.id for counter in UNITS.values() if not counter.later)
    if sorted(SETUP.example.hexes) != wanted:
        faults.append("setup.toml: the example must place every unit of the start once")
    faults += [f"setup.toml: there is no unit {id}" for id in _set_up() if id not in UNITS]
    faults += [f"setup.toml: there is no hex {hex}" for hex in SETUP.example.hexes.values() if hex not in MAP]
    if faults:
        raise faulty(GAME, faults)


def _cited() -> tuple[str, ...]:
    return tuple(modifier.case for modifier in CHARTS.modifier.values())


def _set_up() -> list[str]:
    listed: list[Special | Relative] = [*SETUP.special, *SETUP.relative]
    return [id for item in listed for id in item.units]


_check()
