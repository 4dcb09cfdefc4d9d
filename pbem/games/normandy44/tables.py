"""The counters, charts, arrivals, scenarios, cases and map of the game, read from its data files and frozen.

Charts speak of movement points as printed; the rules count half points,
because a road hex costs half a point.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

from pydantic import model_validator

from pbem.engine.data import Case, CasesFile, Data, Sourced, find_data, read
from pbem.engine.map import Map

GAME = "normandy44"

Hex = str
Side = Literal["allied", "german"]
Army = Literal["us", "uk", "german"]
Kind = Literal[
    "infantry",
    "mech infantry",
    "airborne",
    "commando",
    "armour",
    "heavy armour",
    "armour with infantry",
    "specialised armour",
    "flak",
    "artillery",
    "garrison",
    "headquarters",
]
INFANTRY: frozenset[str] = frozenset({"infantry", "mech infantry", "airborne", "commando", "garrison"})
"""C1, E6 What counts as infantry on the combat chart."""
ARMOUR: frozenset[str] = frozenset({"armour", "heavy armour", "armour with infantry", "specialised armour"})
"""C1 What counts as tanks; US and French combat commands have infantry of their own."""


# --- units.toml -----------------------------------------------------------------------------------------


class Counter(Sourced):
    """A counter as printed (0.1). `steps` holds attack and defence strength, best first,
    `pe` the stacking points at each of them (E1); a headquarters has `support` columns instead.
    `movement` is in movement points."""

    id: str
    name: str
    side: Side
    army: Army
    nation: Literal["us", "french", "british", "canadian", "polish", "german"]
    kind: Kind
    size: Literal["detachment", "battalion", "regiment", "brigade", "division", "corps"]
    steps: tuple[tuple[int, int], ...] = ()
    support: int = 0
    movement: int
    pe: tuple[int, ...] = ()
    independent: bool = False
    division: str = ""

    @model_validator(mode="after")
    def _steps_have_points(self) -> Counter:
        if len(self.steps) != len(self.pe) or bool(self.steps) == self.hq:
            raise ValueError(f"{self.id}: steps and pe must have the same length, none for headquarters")
        return self

    @property
    def hq(self) -> bool:
        return self.kind == "headquarters"

    @property
    def motor(self) -> bool:
        """3.2, E4 Mechanised or motorised: every allowance over six, of headquarters too."""
        return self.movement > CHARTS.movement.foot_allowance

    @property
    def infantry(self) -> bool:
        return self.kind in INFANTRY

    @property
    def armour(self) -> bool:
        return self.kind in ARMOUR

    @property
    def formation(self) -> str:
        """The division that a counter is, or is a part of; "" for independents and headquarters."""
        if self.independent or self.hq:
            return ""
        return self.division or self.id


class UnitsFile(Data):
    unit: tuple[Counter, ...]

    @model_validator(mode="after")
    def _distinct(self) -> UnitsFile:
        ids = [counter.id for counter in self.unit]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ValueError(f"two units are called {', '.join(twice)}")
        return self


# --- charts.toml ----------------------------------------------------------------------------------------


class CombatTable(Sourced):
    """The combat results table: `rows[die - 1][column]` is "attacker/defender"."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    carpet_column: str
    most_hexes: int
    most_hexes_source: str

    @cached_property
    def ratios(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(*map(int, column.split(":"))) for column in self.columns)

    def column(self, attack: int, defence: int) -> int:
        """7.2 The column of these strengths: the next lower one, never beyond the ends;
        anything against nothing is the best."""
        if defence <= 0:
            return len(self.columns) - 1
        ratio = Fraction(attack, defence)
        return max([number for number, each in enumerate(self.ratios) if each <= ratio], default=0)

    def shifted(self, column: int, by: int) -> int:
        """The column this far to the right, never beyond the ends."""
        return max(0, min(len(self.columns) - 1, column + by))


class Shifts(Sourced):
    combined_arms: int
    tanks_alone: int
    funnies: int
    paradrop: int
    bombardment: int


class Terrain(Sourced):
    foot: float
    motor: float | None = None
    shift: int
    free_exit: bool = False
    """C3 Leaving an enemy zone from here costs nothing."""
    air: bool = True
    """C3 Tactical air works against it."""

    def halves(self, motor: bool) -> int | None:
        """Half points to enter; None if this class may not."""
        cost = self.motor if motor else self.foot
        return None if cost is None else int(2 * cost)


class River(Sourced):
    foot: float
    motor: float | None = None
    shift: int

    def halves(self, motor: bool) -> int | None:
        """Half points to cross without a bridge; None if this class may not."""
        cost = self.motor if motor else self.foot
        return None if cost is None else int(2 * cost)


class Fortified(Sourced):
    shift: int
    bombardment: int


class Beach(Sourced):
    shift: int
    bombardment: int
    most_pe: int


class MovementCosts(Sourced):
    road: float
    leave_zone: int
    overrun: int
    under_bombers: int
    foot_allowance: int


class Stacking(Sourced):
    pe: int
    headquarters: int
    zero_pe: int


class ActivationLimits(Sourced):
    divisions: int
    independents: int
    range: int
    support_range: int


class Sky(Sourced):
    """What a weather gives the Allies."""

    markers: int
    us_fighters: int
    uk_fighters: int
    bombers: int


class Weather(Sourced):
    table: tuple[Literal["clear", "overcast", "adverse"], ...]
    clear: Sky
    overcast: Sky
    adverse: Sky

    def of(self, total: int) -> str:
        """2.1 The weather of a modified die."""
        return self.table[max(1, total) - 1]

    def sky(self, weather: str) -> Sky:
        found: Sky = getattr(self, weather)
        return found


class ResourceTable(Sourced):
    table: tuple[int, ...]
    most: int

    def markers(self, total: int) -> int:
        """2.2 German offensive markers for a modified die."""
        return self.table[total - 1] if total <= len(self.table) else self.most


class Air(Sourced):
    fighter: int
    range: int
    per_zone: int
    per_box: int
    delay: int
    loss_from: int


class Naval(Sourced):
    us_cruisers: int
    us_destroyers: int
    uk_cruisers: int
    uk_destroyers: int
    cruiser_range: int
    destroyer_range: int
    hits_from: tuple[int, ...]
    """12.0 The least modified die that hits, for one point, two points ...;
    more points than listed do no better."""


class Drop(Sourced):
    good_to: int
    scatter_at: int
    american: int
    directions: tuple[str, ...]


class Landing(Sourced):
    beach: int
    beach_turns: tuple[int, ...]
    mulberry: int
    mulberry_damaged: int
    mulberry_delay: int
    storm_at: int
    minor: int
    minor_delay: int
    cherbourg: int
    cherbourg_delay: int
    cherbourg_full_delay: int
    german_presence: int


class Replacement(Sourced):
    motor_steps: int
    foot_steps: int
    distance: int
    zero_pe_rebuild: int


class TrackBox(Data):
    """A box of the strategic movement track; `number` is what a die must stay below to leave
    it (11.1, E0)."""

    name: str
    also: str = ""
    number: int


class Track(Sourced):
    routes: tuple[str, ...]
    boxes: tuple[TrackBox, ...]


class Calendar(Sourced):
    turns: tuple[str, ...]


class ChartsFile(Data):
    combat: CombatTable
    shifts: Shifts
    terrain: dict[str, Terrain]
    fortified: Fortified
    beach: Beach
    river: dict[Literal["minor", "major"], River]
    movement: MovementCosts
    stacking: Stacking
    activation: ActivationLimits
    weather: Weather
    resources: ResourceTable
    air: Air
    naval: Naval
    drop: Drop
    landing: Landing
    replacement: Replacement
    track: tuple[Track, ...]
    calendar: Calendar


# --- arrivals.toml and scenarios.toml -------------------------------------------------------------------


class AlliedArrival(Sourced):
    turn: int
    phase: Literal["A", "B"]
    units: tuple[str, ...]


class GermanArrival(Sourced):
    turn: int
    box: str
    routes: tuple[str, ...] = ()
    units: tuple[str, ...]


class ArrivalsFile(Data):
    allied: tuple[AlliedArrival, ...]
    german: tuple[GermanArrival, ...]


class At(Sourced):
    unit: str
    hex: Hex
    lost: int = 0


class DropZone(Sourced):
    unit: str
    hex: Hex


class FirstWaveUnit(Sourced):
    """15.0 A unit of the first wave, and where it may land."""

    unit: str
    hexes: tuple[Hex, ...]


class Scenario(Data):
    at: tuple[At, ...]
    allied: tuple[AlliedArrival, ...] = ()
    german: tuple[GermanArrival, ...] = ()
    drop: tuple[DropZone, ...] = ()
    assault: tuple[FirstWaveUnit, ...] = ()


class ScenariosFile(Data):
    cherbourg: Scenario
    cobra: Scenario
    campaign: Scenario

    def of(self, key: str) -> Scenario:
        found: Scenario = getattr(self, key)
        return found


# --- what the rules ask ---------------------------------------------------------------------------------

CHARTS = read(GAME, "charts.toml", ChartsFile)
UNITS: Mapping[str, Counter] = {counter.id: counter for counter in read(GAME, "units.toml", UnitsFile).unit}
ARRIVALS = read(GAME, "arrivals.toml", ArrivalsFile)
SCENARIOS = read(GAME, "scenarios.toml", ScenariosFile)
CASES: Mapping[str, Case] = read(GAME, "cases.toml", CasesFile).case

MAP = Map.load(find_data(GAME, "map.toml"))
MAP.require(
    hexes=("beach", "fortified_line", "coastal", "sea", *CHARTS.terrain),
    hexsides=("river_minor", "river_major", "bridge", "sea"),
    features=(
        "beaches",
        "ports",
        "mulberry",
        "german_depots",
        "road_exits",
        "cherbourg_from_column",
        "air_zones",
    ),
)
GRID = MAP.grid
LAND = MAP.on_map & ~MAP.bits("sea")
place_name = MAP.called

BEACHES: Mapping[str, tuple[Hex, ...]] = {
    name: tuple(hexes) for name, hexes in MAP.features["beaches"].items()
}
BEACH_HEXES: Mapping[Hex, str] = {hex: name for name, hexes in BEACHES.items() for hex in hexes}
"""Beach hex -> the beach."""
BEACH_ARMY: Mapping[str, Army] = {"Utah": "us", "Omaha": "us", "Gold": "uk", "Juno": "uk", "Sword": "uk"}
"""11.2 Who may land where."""
MULBERRIES: Mapping[str, Hex] = dict(MAP.features["mulberry"])
MINOR_PORTS: Mapping[str, Hex] = {
    name: hexes[0] for name, hexes in MAP.features["ports"].items() if name != "Cherbourg"
}
CHERBOURG: tuple[Hex, ...] = tuple(MAP.features["ports"]["Cherbourg"])
CAEN: tuple[Hex, ...] = MAP.cities["Caen"]
PORTS: Mapping[str, tuple[Hex, ...]] = {
    **{name: (hex,) for name, hex in MULBERRIES.items()},
    **{name: (hex,) for name, hex in MINOR_PORTS.items()},
    "Cherbourg": CHERBOURG,
}
GERMAN_DEPOTS: Mapping[str, Hex] = dict(MAP.features["german_depots"])
ROUTES: Mapping[str, Hex] = dict(MAP.features["road_exits"])
"""Letters of the roads off the map -> their hexes."""
AVRANCHES, ALENCON, LISIEUX = "2019", "2404", "1102"
UTAH = "0617"
SAINT_VAAST = MINOR_PORTS["Saint-Vaast"]

BOXES: Mapping[str, tuple[Track, int]] = {
    name: (track, number)
    for track in CHARTS.track
    for number, box in enumerate(track.boxes)
    for name in (box.name, box.also)
    if name
}
"""Name of a box -> its track and its place on it, 0 being next to the map."""
BOX_NAMES: tuple[str, ...] = tuple(BOXES)


def box_of(name: str) -> TrackBox:
    """The box of this name (11.1)."""
    track, number = BOXES[name]
    return track.boxes[number]


def _zone(bounds: Mapping[str, list[int]]) -> int:
    (west, east), (north, south) = bounds["cols"], bounds["rows"]
    return GRID.bits(
        hex for hex in GRID.ids if west <= int(hex[2:]) <= east and north <= int(hex[:2]) <= south
    )


AIR_ZONES: Mapping[str, int] = {name: _zone(bounds) for name, bounds in MAP.features["air_zones"].items()}
"""10.2 The four large zones of the map -> their hexes, as a set."""


def in_scenario(scenario: str) -> int:
    """The set of land hexes on which a scenario is played (S1)."""
    if scenario != "cherbourg":
        return LAND
    first = MAP.features["cherbourg_from_column"]
    return LAND & GRID.bits(hex for hex in GRID.ids if int(hex[2:]) >= first)


PLAYED: Mapping[str, int] = {key: in_scenario(key) for key in ScenariosFile.model_fields}
"""Scenario -> the set of the hexes that are played on."""

OVERLAND = MAP.without("sea")
"""Links between hexes but across an arm of the sea."""


def _unbridged() -> tuple[str, ...]:
    bridges = set(MAP.hexsides("bridge"))
    return tuple(side for side in MAP.hexsides("river_major") if side not in bridges)


UNBRIDGED = _unbridged()
"""Hexsides of a major river without a bridge: neither supply (E7) nor tanks cross them."""


def river_between(a: Hex, b: Hex) -> Literal["minor", "major"] | None:
    """The river between two neighbours, the greater one if both are marked."""
    kinds = MAP.hexside(a, b)
    return "major" if "river_major" in kinds else "minor" if "river_minor" in kinds else None


def bridged(a: Hex, b: Hex) -> bool:
    """Whether a bridge leads across the hexside."""
    return "bridge" in MAP.hexside(a, b)
