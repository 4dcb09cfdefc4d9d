"""The counters, orders of battle, charts, cases, defaults and map of the game,
read from its data files and frozen.

Charts speak of movement points as printed; the rules count half points,
because a road hex costs half a point.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from pbem.engine.data import Case, CasesFile, Data, Source, Sourced, find_data, read
from pbem.engine.errors import DataError
from pbem.engine.hexes import bits
from pbem.engine.map import Map
from pbem.games.normandy71.state import Hex, Side, State, Unit

GAME = "normandy71"

Size = Literal["regiment", "battalion"]
Edge = Literal["north", "south", "east", "west"]
Letter = Literal["A", "B", "C", "D", "E", "F"]
Entry = Literal["paradrop", "glider", "commando", "invasion", "reinforcement"]
Area = Literal[
    "anywhere",
    "within ten of Falaise",
    "within ten of the south edge",
    "within ten of Coutances",
    "in Caen or Saint-Lo",
]
Outcome = Literal["De", "Dr2", "Ex", "Ar2", "Ae"]


def _halves(points: float) -> float:
    if points < 0 or points * 2 != int(points * 2):
        raise ValueError("movement points are whole or half numbers")
    return points


Points = Annotated[float, AfterValidator(_halves)]


class Cost(Data):
    """What units pay in movement points, by class."""

    foot: Points
    motor: Points

    def halves(self, motor: bool) -> int:
        """The cost in half points."""
        return int(2 * (self.motor if motor else self.foot))


# --- units.toml -----------------------------------------------------------------------------------------


class Kind(Sourced):
    """A kind of counter: what is printed on it, and what it is. `parts` are the kinds it breaks down
    into (STK.B), `names` those that its units are given in turn (German only)."""

    name: str = Field(pattern=r"^\d+[-d]\d+$")
    side: Side
    type: str
    size: Size
    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @cached_property
    def printed(self) -> tuple[int, int]:
        """Strength and movement allowance."""
        strength, allowance = re.split("[-d]", self.name)
        return int(strength), int(allowance)

    @property
    def defend_only(self) -> bool:
        """Whether its units may never attack (U)."""
        return "d" in self.name

    def unit(self, id: str, **fields: object) -> Unit:
        """A new unit of this kind; `fields` are further fields of `Unit`."""
        strength, allowance = self.printed
        return Unit(
            id=id,
            side=self.side,
            kind=self.name,
            type=self.type,
            size=self.size,
            strength=strength,
            allowance=allowance,
            defend_only=self.defend_only,
            **fields,  # type: ignore[arg-type]
        )


class UnitsFile(Data):
    """Every kind of counter."""

    kind: tuple[Kind, ...]

    @cached_property
    def _kinds(self) -> dict[tuple[Side, str, str, Size], Kind]:
        return {(kind.side, kind.name, kind.type, kind.size): kind for kind in self.kind}

    @model_validator(mode="after")
    def _agree(self) -> UnitsFile:
        if len(self._kinds) < len(self.kind):
            raise ValueError("a kind of the same side, name, type and size is listed twice")
        for kind in self.kind:
            for part in kind.parts:
                if (kind.side, part, kind.type, "battalion") not in self._kinds:
                    raise ValueError(
                        f"{kind.name} {kind.type} breaks down into {part}, which is no battalion of that type"
                    )
        return self

    def get(self, side: Side, name: str, type: str = "", size: Size | None = None) -> Kind:
        """The kind of this name; without `type` or `size` the first of the name. Raises KeyError."""
        for kind in self.kind:
            if (
                (kind.side, kind.name) == (side, name)
                and type in ("", kind.type)
                and size in (None, kind.size)
            ):
                return kind
        raise KeyError(f"no {side} kind {name} {type} {size or ''}".rstrip())

    def of(self, unit: Unit) -> Kind:
        """The kind of a unit."""
        return self._kinds[unit.side, unit.kind, unit.type, unit.size]

    def wholes(self, side: Side, type: str, parts: tuple[str, ...]) -> tuple[Kind, ...]:
        """The kinds that can be rebuilt from exactly these parts of one type, weakest first (STK.E)."""
        wanted = sorted(parts)
        fitting = [
            k for k in self.kind if k.parts and (k.side, k.type) == (side, type) and sorted(k.parts) == wanted
        ]
        return tuple(sorted(fitting, key=lambda kind: kind.printed))


# --- oob.toml -------------------------------------------------------------------------------------------


class AllyLine(Sourced):
    """A line of the Allied order of battle: units of one kind that come in one turn in one way."""

    turn: int = Field(ge=1, le=6)
    entry: Entry
    kind: str
    type: str
    nation: Literal["US", "UK", "CA"]
    names: tuple[str, ...]


class StartLine(Data):
    """German units that are set up before the game, and where."""

    area: Area
    units: dict[str, int]


class LaterLine(Data):
    """German reinforcements: from which game-turn on, and by which edges of the map
    each of them may enter."""

    turn: int = Field(ge=1, le=6)
    edges: tuple[Edge, ...]
    units: dict[str, int]


class OrderOfBattle(Sourced):
    """One of the six German orders of battle; `points` are those it gives the Allied player (VIC.L)."""

    letter: Letter
    title: str
    points: int
    start: tuple[StartLine, ...]
    later: tuple[LaterLine, ...]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of units of each kind."""
        found: dict[str, int] = {}
        for units in (*(line.units for line in self.start), *(line.units for line in self.later)):
            for kind, count in units.items():
                found[kind] = found.get(kind, 0) + count
        return found


class OobFile(Data):
    """Which units take part, and when."""

    allied: tuple[AllyLine, ...]
    german: tuple[OrderOfBattle, ...]

    @model_validator(mode="after")
    def _complete(self) -> OobFile:
        if [order.letter for order in self.german] != list("ABCDEF"):
            raise ValueError("the German orders of battle must be A to F")
        return self

    def of(self, letter: str) -> OrderOfBattle:
        """The German order of battle of this letter. Raises KeyError."""
        found = {order.letter: order for order in self.german}
        return found[letter]  # type: ignore[index]


# --- charts.toml ----------------------------------------------------------------------------------------


class CombatTable(Sourced):
    """Results by total of the die and its modifiers (rows, from 1 on) and odds (columns)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Outcome, ...], ...]
    results: dict[Outcome, str]

    @model_validator(mode="after")
    def _square(self) -> CombatTable:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("each row must have one result for each column of odds")
        if list(self._odds) != sorted(self._odds):
            raise ValueError("the columns must run from the worst odds to the best")
        return self

    @cached_property
    def _odds(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(*map(int, column.split("-"))) for column in self.columns)

    def column(self, attack: Fraction | int, defence: Fraction | int) -> str | None:
        """COM.G The odds rounded down to a column; None below the lowest one.
        No defence at all counts as the best odds.

        With 26 against 9 this is 2-1; 10 against 21 is 1 to 2.1, which is worse than 1-2 and so 1-3.
        """
        if defence <= 0:
            return self.columns[-1]
        ratio = Fraction(attack) / Fraction(defence)
        return next(
            (
                c
                for c, odds in zip(reversed(self.columns), reversed(self._odds), strict=True)
                if odds <= ratio
            ),
            None,
        )

    def result(self, column: str, total: int) -> Outcome:
        """The result for odds and a total; totals off the table count as its first or last row."""
        row = self.rows[max(1, min(total, len(self.rows))) - 1]
        return row[self.columns.index(column)]

    def chances(self, column: str, plus: int) -> dict[Outcome, Fraction]:
        """The chance of each result at these odds and with this die modifier, the best for the attacker
        first."""
        found = [self.result(column, die + plus) for die in range(1, 7)]
        return {result: Fraction(found.count(result), 6) for result in self.results if result in found}


class Terrain(Sourced):
    """What a kind of hex does: the cost to enter, what is added to the attacker's die."""

    enter: Cost
    die: int
    armour_attacks: bool = True
    """Whether armour may attack units in it (COM.J)."""
    entrench: bool = True


class Hexside(Sourced):
    """What a kind of hexside adds to the cost of crossing it, and to the die if all attackers attack
    across it (COM.T)."""

    add: Cost
    die: int


class Road(Sourced):
    enter: Cost


class Digging(Sourced):
    """What an entrenchment adds to the attacker's die, and the faces that dig one (ENT)."""

    die: int
    regiment: tuple[int, ...]
    battalion: tuple[int, ...]

    def faces(self, size: Size) -> tuple[int, ...]:
        return self.regiment if size == "regiment" else self.battalion


class Zone(Sourced):
    """What entering and leaving enemy-controlled hexes costs above the terrain (ZOC.A)."""

    enter: dict[Side, Cost]
    leave: dict[Side, Cost]


class Stacking(Sourced):
    """The most battalions with no regiment in a hex, with 1, with 2 (STK)."""

    bocage: tuple[int, ...]
    other: tuple[int, ...]


class SupplyChart(Sourced):
    to_road: int
    to_edge: int
    attacks: int


class Invasion(Sourced):
    beaches: int
    supply_areas: int
    points: int
    glider_range: int


class MissionKind(Sourced):
    """A kind of naval gunfire mission: how many there are, strength in attack and in defence (0:
    cannot defend), range in hexes."""

    key: Literal["light", "medium", "heavy"]
    count: int
    attack: int
    defence: int
    range: int


class Scatter(Sourced):
    """How far a parachute unit scatters, by the face of the die; -1 is its loss (INV.1C)."""

    clear: tuple[int, ...] = Field(min_length=6, max_length=6)
    bocage: tuple[int, ...] = Field(min_length=6, max_length=6)
    city: tuple[int, ...] = Field(min_length=6, max_length=6)
    flooded: tuple[int, ...] = Field(min_length=6, max_length=6)


class Level(Data):
    """A level of victory, from this many points on."""

    name: str
    from_: int = Field(alias="from")


class Victory(Sourced):
    cities: dict[str, int]
    exits: dict[Edge, int]
    exit_regiments: int
    north_before_end_of: int
    depth: float
    historical: int
    levels: tuple[Level, ...]


class ChartsFile(Data):
    """Every chart of the game."""

    combat: CombatTable
    terrain: dict[Literal["clear", "bocage", "city", "fort"], Terrain]
    hexside: dict[Literal["river", "flooded"], Hexside]
    road: Road
    entrenchment: Digging
    zone: Zone
    stacking: Stacking
    supply: SupplyChart
    invasion: Invasion
    naval: dict[Literal["literal", "monotone"], tuple[MissionKind, ...]]
    scatter: Scatter
    victory: Victory

    def ground(self, hex: Hex) -> Terrain:
        """The terrain line of a land hex."""
        return self.terrain[MAP.terrain(hex)]  # type: ignore[index]

    def water(self, a: Hex, b: Hex) -> Hexside | None:
        """The river line of the hexside between two neighbours: flooded before river,
        None if no water runs there."""
        kinds = MAP.hexside(a, b)
        if "flooded" in kinds:
            return self.hexside["flooded"]
        return self.hexside["river"] if kinds & {"river_major", "river_minor"} else None


# --- cases.toml and defaults.toml -----------------------------------------------------------------------


class DefaultPlan(Sourced):
    """The default Allied plan (INV.1A)."""

    beaches: dict[str, tuple[str, ...]]
    supply: tuple[str, ...]
    commandos: dict[str, Hex]
    drops: dict[str, Hex]


class DefaultsFile(Data):
    """The defaults: the Allied plan, and a German setup for each order of battle (unit -> hex)."""

    plan: DefaultPlan
    set_up: dict[Letter, dict[str, Hex]]


# --- reading --------------------------------------------------------------------------------------------


def _read_map() -> Map:
    found = Map.load(find_data(GAME, "map.toml"))
    found.require(
        hexes=(
            "clear",
            "bocage",
            "city",
            "fort",
            "all sea",
            "coastal",
            "exit_north",
            "exit_south",
            "exit_east",
            "exit_west",
        ),
        hexsides=("river_major", "river_minor", "flooded", "bridge", "sea"),
        features=("beaches",),
    )
    return found


MAP: Map = _read_map()
UNITS: UnitsFile = read(GAME, "units.toml", UnitsFile)
OOB: OobFile = read(GAME, "oob.toml", OobFile)
CHARTS: ChartsFile = read(GAME, "charts.toml", ChartsFile)
CASES: dict[str, Case] = read(GAME, "cases.toml", CasesFile).case
DEFAULTS: DefaultsFile = read(GAME, "defaults.toml", DefaultsFile)

GRID = MAP.grid
BEACHES: dict[str, Hex] = dict(MAP.features["beaches"])
"""The seventeen numbered beaches: name as in orders ("3 Utah") -> hex."""

ALL_SEA: int = MAP.bits("all sea")
LAND: int = MAP.on_map & ~ALL_SEA
PARTIALLY_SEA: int = MAP.bits("coastal")
OVERLAND = MAP.without("sea")
"""The links between hexes for everything that goes on foot, on wheels or by supply truck:
not across the sea."""

_EDGE_BITS: dict[Edge, int] = {
    "south": bits(i for i in range(len(GRID)) if GRID.col_row(i)[1] == GRID.rows[0]) & LAND,
    "north": bits(i for i in range(len(GRID)) if GRID.col_row(i)[1] == GRID.rows[1]) & LAND,
    "east": bits(i for i in range(len(GRID)) if GRID.col_row(i)[0] == GRID.cols[0]) & LAND,
    "west": bits(i for i in range(len(GRID)) if GRID.col_row(i)[0] == GRID.cols[1]) & LAND,
}
EDGES: dict[Edge, int] = _EDGE_BITS
"""Map edge -> the land hexes along it, as a set."""
BORDER: int = EDGES["north"] | EDGES["south"] | EDGES["east"] | EDGES["west"]
EXITS: dict[Hex, Edge] = {hex: edge for edge in EDGES for hex in MAP.hexes(f"exit_{edge}")}
"""Road hexes by which units may leave the map -> the edge."""


def missions(state: State) -> tuple[MissionKind, ...]:
    """NAV.D The kinds of mission in the reading of the chart that was chosen for this game
    (option `naval`)."""
    return CHARTS.naval["monotone" if state.options.get("naval") == "monotone" else "literal"]


def _check_against_map() -> None:
    """The data files may name only hexes, beaches and terrains that the map has."""
    for name in (*DEFAULTS.plan.beaches, *DEFAULTS.plan.supply):
        if name not in BEACHES:
            raise DataError(
                f"defaults.toml: plan: there is no beach {name!r}; there are: {', '.join(BEACHES)}"
            )
    for city in CHARTS.victory.cities:
        if city not in MAP.cities:
            raise DataError(
                f"charts.toml: victory.cities: the map has no city {city!r}; it has: {', '.join(MAP.cities)}"
            )


_check_against_map()

__all__ = [
    "ALL_SEA",
    "BEACHES",
    "BORDER",
    "CASES",
    "CHARTS",
    "DEFAULTS",
    "EDGES",
    "EXITS",
    "GRID",
    "LAND",
    "MAP",
    "OOB",
    "OVERLAND",
    "PARTIALLY_SEA",
    "UNITS",
    "Area",
    "Case",
    "Cost",
    "Edge",
    "Kind",
    "MissionKind",
    "Outcome",
    "Source",
    "Terrain",
    "missions",
]
