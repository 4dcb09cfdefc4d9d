"""What the log of Normandy 1944 can say. The wording is in ``templates/normandy44/log.txt.j2``.

Everything on the map is open; only what a side allocates is hidden from the other until both have (2.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Arrow, Battle
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.wargame import notes as shared

# --- the beginning of a turn --------------------------------------------------------------------------------


class WeatherRolled(Note):
    """2.1 The weather of the turn; `die` is 0 where a scenario fixes it."""

    chart = "weather"
    cell = ("total", "weather")

    die: int
    modifier: int
    total: int
    weather: str


class Storm(Note):
    """14.1 A die for a Mulberry in adverse weather; 0 for one that was damaged before:
    it goes without a die."""

    chart = "storms"
    cell = ("die", "what")

    name: str
    die: int
    what: str
    """unhurt, damaged, destroyed."""


class Resources(Note):
    """2.2 Offensive markers that a side receives, and how many it has then."""

    chart = "offensive markers"
    cell = ("die", "number")

    side: str
    die: int = 0
    bonus: tuple[str, ...] = ()
    """Panzer divisions that have just come onto the map."""
    number: int
    stock: int


class Supported(Note):
    """2.3 Headquarters with an offensive marker."""

    side: str
    names: tuple[str, ...]
    stock: int
    """Markers kept."""


class Initiative(Note):
    """2.3 The side that is player number one."""

    side: str
    allied: int
    german: int


class AirPlan(Note):
    """2.4 Where the Allied aircraft go: (headquarters, fighters), air zones, (box, bombers), (hex, army)."""

    fighters: tuple[tuple[str, int], ...]
    zones: tuple[str, ...]
    boxes: tuple[tuple[str, int], ...]
    carpets: tuple[tuple[str, str], ...]


class Arrived(Note):
    """2.5 Reinforcements of this turn: where they are put ("reserve", or the name of a box)."""

    side: str
    names: tuple[str, ...]
    where: str
    phase: str = ""


class Capacity(Note):
    """14.0 Landing capacity of the turn: (place, points)."""

    sites: tuple[tuple[str, int], ...]


class PortNews(Note):
    """14 What has become of a port: begun, delayed, working, destroyed, hindered.
    `turn` is the one with which it works, or doubles its worth, if nothing comes between."""

    name: str
    what: str
    worth: int = 0
    left: int = 0
    turn: int = 0


class Appeared(Note):
    """E9 Von Schlieben's headquarters appears."""

    name: str
    hex: str


# --- D-Day --------------------------------------------------------------------------------------------------


class Dropped(shared.MapNote):
    """15.0 A parachute division comes down."""

    chart = "parachute drops"
    cell = ("total", "scatter_die", "direction", "landed", "step")

    name: str
    zone: str
    die: int
    total: int
    direction: str = ""
    scatter_die: int = 0
    landed: str
    step: bool

    def arrows(self) -> Iterator[Arrow]:
        if self.landed != self.zone:
            yield Arrow((self.zone, self.landed), "allied", "arrival")


class SetDown(Note):
    """15.0 Parachutists that did not take the hex they came down in."""

    name: str
    hex: str


class Repulsed(Note):
    """15.0 Units that did not get ashore go back to the reserve."""

    names: tuple[str, ...]
    hex: str


# --- activation ---------------------------------------------------------------------------------------------


class TrackRolled(Note):
    """11.1 A German unit tries to leave a box; `to` is the next box, "map" from the last one.
    `die` is 0 where none was needed."""

    cell = ("die", "bombers", "number", "passed")

    name: str
    box: str
    to: str
    die: int
    bombers: int
    number: int
    passed: bool


class Activated(Note):
    """6.2 Units that a supported headquarters activates."""

    side: str
    hq: str
    names: tuple[str, ...]


class Landed(shared.Entered):
    """11.2 Allied units land; `path` begins at the beach or port, `pe` is what it cost
    of the capacity of `site`."""

    side: str = "allied"
    site: str
    pe: int


class Entered(shared.Entered):
    """11.1 German units come onto the map."""

    side: str = "german"
    strategic: bool = False


class Moved(shared.Travelled):
    """5.1 Units that move alike; points in movement points."""

    points: float
    of: float
    strategic: bool = False
    step: bool = False


class Exited(shared.Travelled):
    """S2 Allied units leave the map: `edge` is L, east or south."""

    side: str = "allied"
    edge: str


class HeadquartersLost(shared.Perished):
    """5.2, 6.4 A headquarters is lost; `back` is the turn at whose end it may return."""

    why: str
    """overrun, attacked, with its units, no room."""
    back: int


# --- combat -------------------------------------------------------------------------------------------------


class Bombed(Note):
    """10.3 Carpet bombing of one unit: `steps` is what it loses."""

    chart = "combat results"
    cell = ("die", "result", "steps")

    hex: str
    army: str
    name: str
    die: int
    result: str
    steps: int


class NobodyBombed(Note):
    """10.3 The bombers find no unit in the hex."""

    hex: str
    army: str


class Gunfire(Note):
    """12.0 Naval gunfire in a combat, of this many points."""

    cell = ("total", "needed", "hit")

    hex: str
    army: str
    points: int
    use: str
    """attack or defence."""
    die: int
    modifiers: tuple[Modifier, ...]
    total: int
    needed: int
    hit: bool


class Attacked(shared.MapNote):
    """7.2 A combat. `parts` are the shifts of the column, with what they are for."""

    chart = "combat results"
    cell = ("column", "die", "result")

    attacker: str
    hex: str
    origins: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack: int
    defence: int
    attack_parts: tuple[Modifier, ...]
    defence_parts: tuple[Modifier, ...]
    odds: str
    shifts: tuple[Modifier, ...]
    column: str
    die: int
    result: str

    def battles(self) -> Iterator[Battle]:
        yield Battle(self.hex, f"R{self.roll}", self.origins)


class LoneHeadquarters(shared.MapNote):
    """6.4 An attack on a headquarters that is alone: it is lost without a die."""

    attacker: str
    hex: str
    attackers: tuple[str, ...]

    def battles(self) -> Iterator[Battle]:
        yield Battle(self.hex, "HQ")


class StepsLost(shared.StepsLost):
    """7.3 Steps that units lose, (unit, steps): `why` is combat, bombers, breaking away, interdiction,
    crossing a river, retreat into an enemy zone."""


class Lost(shared.Perished):
    """7.3 A unit is destroyed: `why` as for steps, or no ground to come down on, no room."""

    fate = "destroyed"

    why: str


class Retreated(shared.Retreated):
    """7.4 Units retreat."""


class Harassed(Note):
    """C2 The die for a German retreat under interdiction."""

    cell = ("die", "step")

    hex: str
    zone: str
    die: int
    step: bool


class Advanced(Note):
    """7.4 Victors advance."""

    side: str
    names: tuple[str, ...]
    hex: str


# --- the end of a turn --------------------------------------------------------------------------------------


class SupplyJudged(shared.SupplyJudged):
    """8.4 Units that are out of supply from now on, and those that are back in supply."""


class AirSupplied(Note):
    """8.5 A division supplied by air."""

    names: tuple[str, ...]


class Replaced(Note):
    """13.0 Units that get a step back; `pe` is the landing capacity that it costs."""

    side: str
    names: tuple[str, ...]
    pe: int = 0


class Rebuilt(Note):
    """13.0 A destroyed Allied unit is rebuilt."""

    name: str
    pe: int


class HeadquartersBack(Note):
    """6.4 A lost headquarters returns."""

    side: str
    name: str
    hex: str


class TookControl(shared.TookControl):
    """A victory town, beach or port changes hands."""


class Decided(shared.Decided):
    """2.8 The game is over."""
