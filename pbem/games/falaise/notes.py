"""What the log of The Pocket at Falaise can say. The wording is in ``templates/falaise/log.txt.j2``.

Each note says who may read it where it is written: only the Germans know the unknown forces until they
enter.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.board import Arrow, Battle
from pbem.engine.facts import Prose
from pbem.engine.notes import Note
from pbem.engine.tally import Modifier
from pbem.games.falaise.tables import UNITS
from pbem.wargame import notes as shared

# --- set-up and what begins a turn ------------------------------------------------------------------------


class Deployed(Note):
    """3.1 A side has been set up."""

    side: str
    hexes: tuple[str, ...]


class Redeployed(Note):
    """3.1 German units have been moved to another place after set-up: (unit, from, to)."""

    moved: tuple[tuple[str, str, str], ...]


class Withheld(Note):
    """3.1 Units set aside as unknown forces; `names` is empty for readers who may not know them."""

    number: int
    names: tuple[str, ...] = ()


class Rated(Note):
    """11.8 The rating of the US 80th Division."""

    chart = "rating of the 80th Division"
    cell = ("die", "ter")

    die: int
    ter: int


class CounterattackDeclared(Note):
    """11.3 The German counterattack, and the command that makes it."""

    command: str


class Airstrikes(Note):
    """8.3 The number of airstrike markers this turn."""

    chart = "airstrikes"
    cell = ("die", "number")

    die: int
    number: int


class ReliefTried(Note):
    """11.6 An attempt to replace the commander of the Canadian 4th Armoured Division."""

    cell = ("die", "done")

    die: int
    done: bool


class BoundaryTried(Note):
    """13.3 May the system's side cross the 86th Corps boundary?"""

    cell = ("die", "total", "done")

    die: int
    total: int
    done: bool


class ParisTried(Note):
    """12.5 Does Paris beckon the French? `outcome` is free, waiting or gone."""

    chart = "Paris beckons"
    cell = ("total", "outcome")

    die: int
    parts: tuple[Modifier, ...]
    total: int
    outcome: str


class Arrived(Note):
    """11.3, 11.4, 11.5 Units come onto the map."""

    side: str
    names: tuple[str, ...]
    hex: str


# --- bombardment ------------------------------------------------------------------------------------------


class Bombarded(Note):
    """8.1 An airstrike (`by` is air) or the guns of a command against a hex; `result` is none, one or all."""

    chart = "bombardment"
    cell = ("total", "result")

    by: str
    hex: str
    parts: tuple[Modifier, ...]
    die: int
    total: int
    result: str
    disrupted: tuple[str, ...]
    among: tuple[str, ...] = ()
    """The units one of which is disrupted, where the Germans still have to say which."""


class FriendlyFire(Note):
    """8.4 Bombs or shells beside one's own troops."""

    cell = ("die", "disrupted")

    hex: str
    target: str
    die: int
    disrupted: tuple[str, ...]
    among: tuple[str, ...] = ()
    """As with `Bombarded`."""


class SystemPassed(Note):
    """13.1 The system's dice for targets: this many Germans were rolled for and not chosen;
    `by` is air or a command."""

    cell = ("number",)

    by: str
    number: int


# --- activation -------------------------------------------------------------------------------------------


class Drawn(Note):
    """4.0 A command marker is drawn, or played without a draw (`how` is drawn, initiative, counterattack,
    chosen). `cup` is the number left."""

    cell = ("command", "cup")

    command: str
    how: str
    cup: int


class PutBack(Note):
    """11.10, 11.2 A marker goes back into the cup: the third of the turn must be Allied,
    or the 58th Corps takes its place."""

    command: str
    why: str
    """58th or initiative."""


class Allotted(Note):
    """7.1.1 Movement points of a command."""

    chart = "movement points"
    cell = ("total", "points")

    command: str
    parts: tuple[Modifier, ...]
    die: int
    total: int
    points: int


class SystemActs(Note):
    """13.2 What the system's die makes of a command."""

    chart = "what the system does"
    cell = ("total", "units", "action")

    command: str
    die: int
    total: int
    units: str
    action: str
    names: tuple[str, ...]


class Attached(Note):
    """11.1 Units act with another command this turn."""

    command: str
    names: tuple[str, ...]
    left: int


class RoundEnded(Note):
    """7.0 An action round is over; `mode` is movement, assault, or empty when no unit acted."""

    command: str
    mode: str


class ZoneTriggered(Note):
    """11.4 The marker of the 86th Corps goes into the cup: `unit` has come to `hex`."""

    unit: str
    hex: str
    entered: bool


class Moved(shared.Travelled):
    """7.2 Units have moved; `spent` and `of` are movement points, written out ("2 1/2")."""

    spent: str
    of: str
    road: bool = False
    why: Prose = ""
    """Why they stopped short of where they were to go."""


class Exited(Note):
    """3.3 German units leave the map by the south edge."""

    names: tuple[str, ...]
    hex: str


class OpFired(shared.MapNote):
    """6.2 Op-fire by the stack at `origin` on units in `hex`; `result` is none, halt or DIS,
    `effect` what it came to: none, halt, disrupted, eliminated."""

    chart = "op-fire"
    cell = ("total", "result", "effect")

    side: str
    firing: tuple[str, ...]
    origin: str
    names: tuple[str, ...]
    hex: str
    parts: tuple[Modifier, ...]
    die: int
    total: int
    result: str
    effect: str
    retreat: bool = False

    def battles(self) -> Iterator[Battle]:
        """Fire that had an effect, from where it came."""
        if self.effect != "none":
            yield Battle(self.hex, f"R{self.roll}", (self.origin,))


class FireHeld(Note):
    """6.2 No unit fires on units that enter or leave a zone of control."""

    side: str
    names: tuple[str, ...]
    hex: str


# --- assaults ---------------------------------------------------------------------------------------------


class HelpTried(Note):
    """11.9.2 Does a unit of another command join a prepared assault?"""

    cell = ("total", "ter", "done")

    unit: str
    parts: tuple[Modifier, ...]
    die: int
    total: int
    ter: int
    done: bool


class CalledOff(Note):
    """11.9.2 A prepared assault is not made: without the help that failed its odds are worse
    than was ordered. `odds` is empty below 1-3."""

    hex: str
    odds: str
    wanted: str


class Assaulted(shared.MapNote):
    """10.2 An assault: strengths, odds (empty below 1-3, where no die is thrown), die and result;
    what the side that is `better` rated `may` turn it into, empty if nothing."""

    chart = "assault"
    cell = ("odds", "total", "result")

    side: str
    mech: bool
    hex: str
    origins: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    strengths: tuple[int, int]
    odds: str
    parts: tuple[Modifier, ...]
    die: int
    total: int
    result: str
    ters: tuple[int, int]
    may: str = ""
    better: str = ""

    def battles(self) -> Iterator[Battle]:
        yield Battle(self.hex, f"R{self.roll}" if self.roll else "", self.origins)


class ResultChosen(Note):
    """10.2 The side with the higher rating has changed the result of an assault, or let it stand."""

    side: str
    hex: str
    result: str
    final: str


class StepLost(Note):
    """10.2 A unit loses a step."""

    unit: str
    hex: str
    left: int


class DisruptedBy(Note):
    """9.0 Units become disrupted: `why` is assault, bombardment or friendly fire."""

    names: tuple[str, ...]
    hex: str
    why: str


class Eliminated(shared.MapNote):
    """A unit is eliminated: the case says how, `why` in words. `cut_off` says whether a German one had no
    line of communication (6.5), `points` what it scores (3.3)."""

    unit: str
    hex: str
    why: Prose
    cut_off: bool
    points: int

    def lost(self) -> Iterator[tuple[str, str, int]]:
        yield self.hex, UNITS[self.unit].side, 1


class Retreated(shared.MapNote):
    """10.3 A unit retreats."""

    unit: str
    path: tuple[str, ...]

    def arrows(self) -> Iterator[Arrow]:
        if len(self.path) > 1:
            yield Arrow(self.path, UNITS[self.unit].side, "retreat")


class Advanced(shared.MapNote):
    """10.4 Units advance."""

    names: tuple[str, ...]
    path: tuple[str, ...]

    def arrows(self) -> Iterator[Arrow]:
        if len(self.path) > 1:
            yield Arrow(self.path, UNITS[self.names[0]].side, "advance")


class Controlled(Note):
    """3.4 Argentan changes hands."""

    side: str


class Scored(Note):
    """3.3 Victory points outside of eliminations."""

    what: Prose
    points: int
    total: int


# --- the end of a turn --------------------------------------------------------------------------------------


class Recovered(Note):
    """9.2 Units that are no longer disrupted, and those that still are."""

    names: tuple[str, ...]
    still: tuple[str, ...]


class SurrenderTried(Note):
    """3.3 A German unit without a line of communication at the end of the game."""

    cell = ("total", "ter", "surrendered")

    unit: str
    hex: str
    die: int
    total: int
    ter: int
    surrendered: bool


class FinalCount(Note):
    """3.3 The German points, and what is left of the Allied ones: (what, points, case)."""

    german: tuple[tuple[Prose, int, str], ...]
    allied: int
    result: int
