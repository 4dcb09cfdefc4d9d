"""The counters, charts, track, turns, set-up, scenarios, cases and map of the game,
read from its data files and frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

from pydantic import Field, model_validator

from pbem.engine.data import Case, CasesFile, Data, Sourced, find_data, read
from pbem.engine.hexes import side_key
from pbem.engine.map import Map

GAME = "france44"

Hex = str
Side = Literal["allied", "german"]
NAMES: dict[str, str] = {"allied": "Allied", "german": "German"}
"""Sides as adjectives."""
Nation = Literal["us", "british", "canadian", "french", "polish", "german"]
Arm = Literal["armour", "infantry"]
Fight = Literal["set_piece", "mobile"]
"""9.1 The two kinds of combat."""
Corner = Literal["standoff", "retreat", "repulse", "stalemate"]
"""9.6 The four boxes of the combat matrix."""


# --- units.toml -----------------------------------------------------------------------------------------


class Counter(Sourced):
    """A combat unit as printed (3). `steps` holds set piece and mobile strength at full strength,
    reduced and as a cadre."""

    id: str
    name: str
    side: Side
    nation: Nation
    kind: Literal["infantry", "paratroop", "armour", "mechanized"]
    arm: Arm
    size: Literal["corps", "division"]
    morale: int
    steps: tuple[tuple[int, int], ...]
    allowance: int
    green: bool = False
    """3.10 Begins untried, with a morale of 1."""
    fuehrer: bool = False
    """3.11 One step only, for the last months."""

    hq: Literal[False] = False


class Headquarters(Sourced):
    """A headquarters as printed (4): command range in hexes, and how many units of each arm it commands."""

    id: str
    name: str
    side: Side
    nation: Nation
    range: int = Field(ge=3, le=6)
    armour: int
    infantry: int
    allowance: int

    hq: Literal[True] = True

    def capacity(self, arm: Arm) -> int:
        """4.7 How many units of an arm it commands."""
        return self.armour if arm == "armour" else self.infantry


class UnitsFile(Data):
    unit: tuple[Counter, ...]
    headquarters: tuple[Headquarters, ...]

    @property
    def pieces(self) -> list[Counter | Headquarters]:
        return [*self.unit, *self.headquarters]

    @model_validator(mode="after")
    def _distinct(self) -> UnitsFile:
        ids = [piece.id for piece in self.pieces]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ValueError(f"two units are called {', '.join(twice)}")
        return self


# --- charts.toml ----------------------------------------------------------------------------------------


class Movement(Sourced):
    clear: int
    rough: int
    river: int
    enter_zone: int
    leave_zone: int
    weaker: dict[int, int]
    """11.5 Printed allowance -> allowance of a piece that reacts out of supply."""
    weaker_source: str


class Stacking(Sourced):
    armour: int
    infantry: int
    units: int


class Command(Sourced):
    """4.5 Nation of a headquarters -> nations that it commands; a British one also `british_us`
    American units."""

    us: tuple[Nation, ...]
    british: tuple[Nation, ...]
    french: tuple[Nation, ...]
    canadian: tuple[Nation, ...]
    german: tuple[Nation, ...]
    british_us: int
    supply_range: int

    def of(self, nation: Nation) -> tuple[Nation, ...]:
        found: tuple[Nation, ...] = getattr(self, nation)
        return found


class Terrain(Sourced):
    """9.4 What the defender's lead unit gains in morale: in set piece, in mobile combat."""

    clear: tuple[int, int]
    rough: tuple[int, int]
    city: tuple[int, int]
    fortress: tuple[int, int]
    river: tuple[int, int]
    rhine: tuple[int, int]

    def gain(self, what: str, fight: Fight) -> int:
        pair: tuple[int, int] = getattr(self, what)
        return pair[fight == "mobile"]


class Marker(Data):
    """9.4 What an air marker does to the morale of the German lead,
    and of the Allied one in mobile combat."""

    set_piece: int
    mobile: int
    lead: int


class Air(Sourced):
    tactical: Marker
    heavy: Marker
    tacticals: int
    heavies: int
    interdiction: int


class Box(Sourced):
    """9.6 A box of the combat matrix: changes to the hits of attacker and defender."""

    set_piece: tuple[int, int]
    mobile: tuple[int, int]
    retreat: Literal["may", "must"]

    def changes(self, fight: Fight) -> tuple[int, int]:
        return self.set_piece if fight == "set_piece" else self.mobile


class Combat(Sourced):
    hits: tuple[int, ...]
    headquarters: int
    retreat_spares: int
    no_retreat_costs: int
    standoff: Box
    retreat: Box
    repulse: Box
    stalemate: Box

    def corner(self, attack: bool, defence: bool) -> Corner:
        """9.6 The box for passed or failed morale tests of attacker and defender."""
        if attack:
            return "standoff" if defence else "retreat"
        return "repulse" if defence else "stalemate"

    def box(self, corner: Corner) -> Box:
        found: Box = getattr(self, corner)
        return found


class Strength(Sourced):
    """How strengths compare: the first line that fits decides."""

    name: str
    ratio: str = ""
    above: str = ""
    hits: tuple[int, int]

    def fits(self, attack: int, defence: int) -> bool:
        if self.ratio:
            return attack >= Fraction(self.ratio) * defence
        return not self.above or attack > Fraction(self.above) * defence


class Attrition(Sourced):
    """10.1.1 Steps lost: with a new marker, with one from before."""

    open: tuple[int, int]
    surrounded: tuple[int, int]


class Points(Sourced):
    reaction: int
    army: int
    single: int
    commit: dict[Side, int]
    first_chits: dict[Side, int]
    brittany: int
    v1: int
    bulge_chits: int


class BridgeDie(Sourced):
    stands_on: int


class DropRange(Sourced):
    range: int


class Away(Sourced):
    away: int


class ChartsFile(Data):
    movement: Movement
    stacking: Stacking
    command: Command
    terrain: Terrain
    air: Air
    combat: Combat
    strength: tuple[Strength, ...]
    attrition: Attrition
    points: Points
    bridges: BridgeDie
    drop: DropRange
    headquarters: Away

    def compare(self, attack: int, defence: int) -> Strength:
        """The line of the strength table for these totals."""
        return next(line for line in self.strength if line.fits(attack, defence))


# --- track.toml, turns.toml -----------------------------------------------------------------------------


class TrackBox(Sourced):
    """6.0 A box of the track. `points` are those of allowances 2, 3, 4 and 6;
    `attack` the least allowance that may attack, 0 if none may."""

    number: int
    start: bool
    points: tuple[int, int, int, int]
    attack: int
    next: tuple[int, ...]

    def for_allowance(self, allowance: int) -> int:
        """Movement points in this box for an allowance; none for 0."""
        return self.points[ALLOWANCES.index(allowance)] if allowance in ALLOWANCES else 0


ALLOWANCES = (2, 3, 4, 6)


class TrackFile(Data):
    box: tuple[TrackBox, ...]


class ReplacementRate(Data):
    armour: int
    infantry: int


class Turn(Sourced):
    """A month of the turn track. Air support comes on a die of 1 to `air_to`, not at all
    (or without a die, July) for 0."""

    number: int
    month: str
    air_to: int
    supply: dict[Side, int]
    antwerp: int
    reaction: dict[Side, int]
    us: ReplacementRate
    allied: ReplacementRate
    german: ReplacementRate
    market_garden: bool
    varsity: bool
    bulge: bool
    south: bool


class TurnsFile(Data):
    turn: tuple[Turn, ...]


# --- setup.toml, scenarios.toml --------------------------------------------------------------------------


class At(Sourced):
    hex: Hex
    units: tuple[str, ...]


class Arrival(Sourced):
    side: Side
    turn: int
    entry: Literal["normandy", "german city", "south", "airborne"]
    units: tuple[str, ...]


class SetupFile(Data):
    at: tuple[At, ...]
    arrival: tuple[Arrival, ...]


class Scenario(Sourced):
    title: str
    first_turn: int
    last_turn: int


class Falaise(Scenario):
    columns: tuple[int, int]
    towns: dict[str, Hex]
    town_points: int
    german_loss: int
    german_unsupplied: int
    allied_loss: int
    decisive: int
    marginal: int


class Westwall(Scenario):
    paris: int
    antwerp: int
    brussels: int
    metz: int
    brittany: int
    v1: int
    german_city: int
    bridgehead: int
    allied: int
    draw: int


class Rhine(Scenario):
    decisive: int
    marginal: int
    draw: int
    automatic: int
    german_from: int
    german_hexes: int


class Crusade(Scenario):
    bridgeheads: int
    cities: int
    decisive_by: int
    substantive_by: int
    german_from: int
    german_hexes: int


class ScenariosFile(Data):
    falaise: Falaise
    westwall: Westwall
    rhine: Rhine
    crusade: Crusade

    def of(self, key: str) -> Scenario:
        found: Scenario = getattr(self, key)
        return found


# --- what the rules ask ---------------------------------------------------------------------------------

CHARTS = read(GAME, "charts.toml", ChartsFile)
UNITS: Mapping[str, Counter | Headquarters] = {
    piece.id: piece for piece in read(GAME, "units.toml", UnitsFile).pieces
}
TRACK: Mapping[int, TrackBox] = {box.number: box for box in read(GAME, "track.toml", TrackFile).box}
TURNS: Mapping[int, Turn] = {turn.number: turn for turn in read(GAME, "turns.toml", TurnsFile).turn}
SETUP = read(GAME, "setup.toml", SetupFile)
SCENARIOS = read(GAME, "scenarios.toml", ScenariosFile)
CASES: Mapping[str, Case] = read(GAME, "cases.toml", CasesFile).case


def series() -> Iterator[tuple[int, ...]]:
    """6.0 Every series of boxes from a beginning to its end."""

    def onward(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        after = TRACK[path[-1]].next
        if not after:
            yield path
        for number in after:
            yield from onward((*path, number))

    for box in TRACK.values():
        if box.start:
            yield from onward((box.number,))


MAP = Map.load(find_data(GAME, "map.toml"))
MAP.require(
    hexes=(
        "sea",
        "rough",
        "city",
        "fortress",
        "normandy_entry",
        "scheldt_estuary",
        "allied_supply_source",
        "south_entry",
    ),
    hexsides=("river_major", "river_minor", "sea", "rhine", "rhine_bridge", "border"),
    features=("ports", "v1_sites", "german_cities", "rhine_bridges", "neder_rijn"),
)
GRID = MAP.grid
SOUTH = MAP.bits("south_entry")
LAND = MAP.on_map & ~MAP.bits("sea") & ~SOUTH
"""The hexes that are played on; those of the south are for arrivals only (10.1.3)."""

NORMANDY: tuple[Hex, ...] = MAP.hexes("normandy_entry")
SCHELDT: tuple[Hex, ...] = MAP.hexes("scheldt_estuary")
SOURCES: tuple[Hex, ...] = MAP.hexes("allied_supply_source")
PORTS: Mapping[str, Hex] = dict(MAP.features["ports"])
V1_SITES: Mapping[str, Hex] = dict(MAP.features["v1_sites"])
GERMAN_CITIES: Mapping[str, Hex] = dict(MAP.features["german_cities"])
BREST, SAINT_NAZAIRE, ANTWERP = PORTS["Brest"], PORTS["Saint-Nazaire"], PORTS["Antwerp"]
PARIS, BRUSSELS, METZ = MAP.cities["Paris"][0], MAP.cities["Brussels"][0], MAP.cities["Metz"][0]

RHINE: frozenset[str] = frozenset(MAP.hexsides("rhine"))
NEDER_RIJN: frozenset[str] = frozenset(MAP.features["neder_rijn"])
"""The part of it from Arnhem to the sea."""
RHINE_BRIDGES: Mapping[str, int] = {
    key: MAP.features["rhine_bridges"].get(key, 1) for key in MAP.hexsides("rhine_bridge")
}
"""12.7 Hexside of the Rhine with a printed bridge -> how many bridges."""
OPEN_GROUND = MAP.without("sea")
"""Links between hexes but across blocked hexsides (3.3)."""
GERMANY = MAP.without("border", "sea").flood(1 << GRID.index(GERMAN_CITIES["Hannover"]), LAND)
"""The set of the hexes of Germany. Only 12.9 and the course of a game ask for it."""


def river(a: Hex, b: Hex) -> bool:
    """Whether a river, the Rhine included, runs between two neighbours."""
    return bool(MAP.hexside(a, b) & {"river_major", "river_minor", "rhine"})


def rhine(a: Hex, b: Hex) -> bool:
    """Whether the Rhine runs between two neighbours (12.8)."""
    return side_key(a, b) in RHINE


def blocked(a: Hex, b: Hex) -> bool:
    """3.3 A blocked (red) hexside: nothing passes it."""
    return "sea" in MAP.hexside(a, b)


def place_name(hex: Hex) -> str:
    """A hex as people speak of it: by a place in it if there is one."""
    names = MAP.names(hex)
    return f"{names[0]} ({hex})" if names else hex


def terrains(hex: Hex) -> tuple[str, ...]:
    """9.4 What a hex counts as: its terrain, then city and fortress."""
    return (MAP.terrain(hex), *(mark for mark in ("city", "fortress") if MAP.has(hex, mark)))


def ground(hex: Hex) -> str:
    """What there is in a hex that a letter offers by its number: its place and terrain."""
    return ", ".join((*MAP.names(hex)[:1], *terrains(hex)))
