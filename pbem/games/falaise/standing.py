"""Standing orders: how a player's decisions in mid-round are taken while the player is away.
The first standing order that has an answer decides; without one, the default of the decision does: the best
op-fire, the result that is best for its owner, no advance, no counterattack.

A standing order may leave a decision to the next one: ``opfire: never at breaking contact`` does not decide
about units that come nearer.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from pbem.engine.language import Kind, Policy
from pbem.engine.play import Ask
from pbem.engine.verbs import HOLDERS
from pbem.games.falaise.activation import Substitution
from pbem.games.falaise.advance import STAY, AdvanceWay
from pbem.games.falaise.assault import CHANGE, KEEP, ResultChange, UnitHit
from pbem.games.falaise.command import Arrival
from pbem.games.falaise.counterattack import FIRST_TURN, Counterattack
from pbem.games.falaise.opfire import HOLD, OpFire
from pbem.games.falaise.retreat import RetreatWay
from pbem.games.falaise.tables import CHARTS, COMMAND_NAMES, GRID, MAP, UNITS, Result
from pbem.wargame.policies import Fixed, Rank, Settling, ends, first, nearest

OPFIRE = Kind("opfire", "6.2")
TER = Kind("ter", "10.2")
LOSSES = Kind("losses", "10.2")
DISRUPT = Kind("disrupt", "8.1", seats=("german",))
FRIENDLY_FIRE = Kind("friendly fire", "8.4", seats=("german",))
RETREAT = Kind("retreat", "10.3")
ADVANCE = Kind("advance", "10.4")
CORPS_58 = Kind("58th", "11.2", seats=("german",))
COUNTERATTACK = Kind("counterattack", "11.3", seats=("german",))
CHOOSE = Kind("choose", "12.1", seats=("german",))
ARRIVAL = Kind("arrival", "11.5", seats=("allied",))

NO, YES = "no", "yes"


# --- op-fire (6.2) ----------------------------------------------------------------------------------------


def best_fire(ask: OpFire) -> str:
    """6.2 Return the stack that fires with the best modifier, the first of equals; HOLD if none can."""
    stacks = [option for option in ask.options if option != HOLD]
    return max(stacks, key=lambda origin: ask.modifier[origin], default=HOLD)


def fire_from(modifier: int, ask: OpFire) -> str:
    """6.2 Return the stack that fires best, or HOLD if its modifier is too low."""
    best = best_fire(ask)
    return best if best != HOLD and ask.modifier[best] >= modifier else HOLD


class FireAlways(Settling[OpFire], kind=OPFIRE):
    usage = "always"
    help = "Your stack with the best modifier fires at any unit that enters one of your zones of control."

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str:
        return best_fire(ask)


class FireNever(Fixed, kind=OPFIRE):
    usage = "never"
    help = "No op-fire."
    answer = HOLD


class FireAt(Settling[OpFire], kind=OPFIRE):
    usage = '(if|when) [the] modifier [is] (at least|">" "=") <modifier:number>'
    help = "The best stack fires if its modifier is at least this; otherwise no unit fires."
    example = "if modifier >= 0"

    modifier: int

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str:
        return fire_from(self.modifier, ask)


IF_MODIFIER = '[(if|when) [the] modifier [is] (at least|">" "=") <modifier:number>]'
ANY_MODIFIER = -9
"""Less than any modifier of op-fire."""


class FireAtMech(Policy[OpFire], kind=OPFIRE):
    usage = f"[always] at (mech|mechanised|mechanized) {IF_MODIFIER}"
    help = (
        "The best stack fires at mechanised units, if its modifier is at least this; "
        "for other units the next standing order applies."
    )
    example = "at mech if modifier >= 0"

    modifier: int = ANY_MODIFIER

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str | None:
        return fire_from(self.modifier, ask) if ask.mech else None


class FireAtBreaking(Policy[OpFire], kind=OPFIRE, case="6.3"):
    usage = f"[always] at breaking contact {IF_MODIFIER}"
    help = (
        "The best stack fires at units that break contact, if its modifier is at least this; "
        "for other units the next standing order applies."
    )
    example = "at breaking contact if modifier >= 1"

    modifier: int = ANY_MODIFIER

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str | None:
        return fire_from(self.modifier, ask) if ask.breaking else None


class FireWith(Policy[OpFire], kind=OPFIRE):
    usage = f"with <units> {IF_MODIFIER}"
    help = (
        "The stack of the first of these units that can fire does, if its modifier is at least this; "
        "where none of them does, the next standing order applies."
    )
    example = "with Koszutski, Stefanowicz if modifier >= 0"
    examples = {"german": "with Pz/9SS, 501SS if modifier >= 0"}

    units: tuple[str, ...]
    modifier: int = ANY_MODIFIER

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str | None:
        for unit in self.units:
            for origin, stack in ask.stacks.items():
                if unit in stack and ask.modifier[origin] >= self.modifier:
                    return origin
        return None


class NeverAtMech(Policy[OpFire], kind=OPFIRE):
    usage = "never at (mech|mechanised|mechanized) [<town:=in town>]"
    help = "No fire at mechanised units (in towns); for other units the next standing order applies."
    example = "never at mech in town"

    town: bool = False

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str | None:
        spared = ask.mech and (ask.town or not self.town)
        return HOLD if spared else None


class NeverAtBreaking(Policy[OpFire], kind=OPFIRE, case="6.3"):
    usage = "never at breaking contact"
    help = "No fire at units that break contact; for other units the next standing order applies."

    def decide(self, ask: OpFire, earlier: Mapping[str, Any]) -> str | None:
        return HOLD if ask.breaking else None


# --- results changed by rating (10.2) ---------------------------------------------------------------------


class ChangeAlways(Fixed, kind=TER):
    usage = "always"
    help = "Whenever your rating is higher, the result of an assault is changed in your favour."
    answer = CHANGE


class ChangeNever(Fixed, kind=TER):
    usage = "never"
    help = "Results of assaults stay as they were rolled."
    answer = KEEP


class ChangeExcept(Settling[ResultChange], kind=TER):
    usage = "[always] except <results:result...>"
    help = "Results are changed in your favour, but these stay as they were rolled."
    example = "always except CON"

    results: tuple[str, ...]

    def decide(self, ask: ResultChange, earlier: Mapping[str, Any]) -> str:
        return KEEP if ask.result in self.results else CHANGE


class ChangeOnly(Settling[ResultChange], kind=TER):
    usage = "only <results:result...>"
    help = "Only these results are changed in your favour."
    example = "only AL1, DR"

    results: tuple[str, ...]

    def decide(self, ask: ResultChange, earlier: Mapping[str, Any]) -> str:
        return CHANGE if ask.result in self.results else KEEP


# --- which unit: losses, disruption ------------------------------------------------------------------------

PREFERENCES: Mapping[str, Rank[UnitHit]] = {
    "reduced first": lambda id, ask: steps(id, ask) == UNITS[id].steps,
    "full first": lambda id, ask: steps(id, ask) < UNITS[id].steps,
    "weakest first": lambda id, ask: strength(id, ask),
    "strongest first": lambda id, ask: -strength(id, ask),
    "infantry first": lambda id, ask: UNITS[id].mech,
    "mechanised first": lambda id, ask: not UNITS[id].mech,
}
"""The unit for which this is least is named first."""


def steps(id: str, ask: UnitHit) -> int:
    """Return the steps that a unit has left, according to the decision."""
    return ask.steps[id]


def strength(id: str, ask: UnitHit) -> int:
    """2.2 Return the combat factor of a unit with the steps that it has left."""
    printed = UNITS[id].strength
    return printed[len(printed) - steps(id, ask)]


def hit(ask: UnitHit, prefs: tuple[str, ...], spared: tuple[str, ...] = ()) -> str | None:
    """Return the unit that comes first by these preferences, except those that are spared; None if all
    are."""
    units = [option for option in ask.options if option in UNITS and option not in spared]
    return first(ask, PREFERENCES, prefs, units)


class Preferring(Settling[UnitHit]):
    """Names the unit that comes first by these preferences."""

    usage = "<prefs:preference...>"

    prefs: tuple[str, ...]

    def decide(self, ask: UnitHit, earlier: Mapping[str, Any]) -> str | None:
        return hit(ask, self.prefs)


class Sparing(Policy[UnitHit]):
    """Names none of these units while there is another."""

    usage = "spare <units> [then <prefs:preference...>]"

    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    def decide(self, ask: UnitHit, earlier: Mapping[str, Any]) -> str | None:
        return hit(ask, self.prefs, self.units)


class LosePreferring(Preferring, kind=LOSSES):
    help = "Which of your units loses a step in an assault, unless the order says so."
    example = "full first, weakest first"


class LoseSparing(Sparing, kind=LOSSES):
    help = "These units lose steps last; the preferences decide among the others."
    example = "spare Koszutski, Stefanowicz, then weakest first"
    examples = {"german": "spare Pz/9SS, 19/9SS, then weakest first"}


class DisruptPreferring(Preferring, kind=DISRUPT):
    help = "Which of your units is disrupted where a bombardment disrupts one."
    example = "weakest first"


class DisruptSparing(Sparing, kind=DISRUPT):
    help = "A bombardment that disrupts one unit spares these while another is in the hex."
    example = "spare 501SS"


class FriendlyFirePreferring(Preferring, kind=FRIENDLY_FIRE):
    help = "Which Allied unit friendly fire disrupts."
    example = "mechanised first, strongest first"


# --- retreats (10.3) --------------------------------------------------------------------------------------


def under_fire(ask: RetreatWay, way: str) -> int:
    """10.3 Return in how many hexes of a way the units may be fired on."""
    return len(ask.fire[way])


class RetreatTowards(Settling[RetreatWay], kind=RETREAT):
    usage = "(toward|towards|to) <hex>"
    help = "Your units that must retreat end as near to this hex as they can."
    example = "toward 1703"
    examples = {"allied": "toward 1224"}

    hex: str

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return nearest(GRID, self.hex, ends(ask), lambda way: under_fire(ask, way))


class RetreatAway(Settling[RetreatWay], kind=RETREAT):
    usage = "away from [the] enemy"
    help = "Your units retreat through as few hexes as possible in which they may be fired on."
    example = "away from the enemy"

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return min(ask.options, key=lambda way: under_fire(ask, way))


class RetreatByRoad(Settling[RetreatWay], kind=RETREAT):
    usage = "along [the] roads"
    help = "Your units retreat along roads as far as they can."
    example = "along roads"

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        def off_road(way: str) -> int:
            return sum(MAP.road(a, b) is None for a, b in pairwise([ask.start, *way.split()]))

        return min(ask.options, key=lambda way: (off_road(way), under_fire(ask, way)))


# --- advances (10.4) --------------------------------------------------------------------------------------


class AdvanceAlways(Policy[AdvanceWay], kind=ADVANCE):
    usage = "always"
    help = "Your units advance into the hex that they have won, no further."

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str | None:
        return next((way for way in ask.options if way != STAY and len(way.split()) == 1), None)


class AdvanceOn(Settling[AdvanceWay], kind=ADVANCE):
    usage = "[always] on (toward|towards|to) <hex>"
    help = (
        "Your units advance as near to this hex as they can, mechanised ones on the heels of the defenders; "
        "they stay if that is nearer."
    )
    example = "on toward 2315"

    hex: str

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str:
        return nearest(GRID, self.hex, {STAY: ask.start} | ends(ask, leaving=(STAY,)))


class AdvanceNever(Fixed, kind=ADVANCE):
    usage = "never"
    help = "Your units stay where they attacked from."
    answer = STAY


class NeverOutOfTown(Policy[AdvanceWay], kind=ADVANCE):
    usage = "never out of [a] town"
    help = "Your units in a town stay there; for other units the next standing order applies."
    example = "never out of town"

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str | None:
        return STAY if MAP.terrain(ask.start) == "town" else None


# --- commands (11.2, 11.3, 12.1) and arrivals (11.5) --------------------------------------------------------


class SubstituteFor(Settling[Substitution], kind=CORPS_58):
    usage = "instead of <commands:command...> [with [at] least <units:number 0..> units]"
    help = (
        "The 58th Panzer Corps takes the place of the first of these that is drawn, "
        "if at least this many units can act with it; it replaces no other."
    )
    example = "instead of 84, 2FJ with at least 10 units"

    commands: tuple[str, ...]
    units: int = 0

    def decide(self, ask: Substitution, earlier: Mapping[str, Any]) -> str:
        enough = ask.eligible >= self.units
        return YES if ask.drawn in self.commands and enough else NO


class SubstituteNever(Fixed, kind=CORPS_58):
    usage = "never"
    help = "The 58th Panzer Corps stays out."
    answer = NO


class CounterattackWith(Settling[Counterattack], kind=COUNTERATTACK):
    usage = f"(from|in) turn <turn:number {FIRST_TURN}..{CHARTS.turns.number}> with <command>"
    help = "Not before this turn; then, as soon as it can, this command makes the counterattack."
    example = "from turn 6 with 2SS"

    turn: int
    command: str

    def decide(self, ask: Counterattack, earlier: Mapping[str, Any]) -> str:
        ready = ask.turn >= self.turn and self.command in ask.options
        return self.command if ready else NO


class CounterattackNever(Fixed, kind=COUNTERATTACK):
    usage = "never"
    help = "No counterattack is declared."
    answer = NO


class ChooseFirst(Policy[Ask[str]], kind=CHOOSE):
    usage = "<commands:command...>"
    help = "With better command: the first of these that can be chosen opens the turn."
    example = "58Pz, 84"

    commands: tuple[str, ...]

    def decide(self, ask: Ask[str], earlier: Mapping[str, Any]) -> str | None:
        return next((command for command in self.commands if command in ask.options), None)


class ArriveWith(Policy[Arrival], kind=ARRIVAL):
    usage = "with <units>"
    help = "The tank destroyers arrive with the first of these units that has room for them."
    example = "with 318/80, 317/80"

    units: tuple[str, ...]

    def decide(self, ask: Arrival, earlier: Mapping[str, Any]) -> str | None:
        for unit in self.units:
            for hex in ask.options:
                if unit in ask.present[hex]:
                    return hex
        return None


POLICIES: tuple[type[Policy[Any]], ...] = (
    FireAlways,
    FireAt,
    FireAtMech,
    FireAtBreaking,
    FireWith,
    NeverAtMech,
    NeverAtBreaking,
    FireNever,
    ChangeExcept,
    ChangeAlways,
    ChangeOnly,
    ChangeNever,
    LosePreferring,
    LoseSparing,
    DisruptPreferring,
    DisruptSparing,
    FriendlyFirePreferring,
    RetreatTowards,
    RetreatAway,
    RetreatByRoad,
    AdvanceAlways,
    AdvanceOn,
    NeverOutOfTown,
    AdvanceNever,
    SubstituteFor,
    SubstituteNever,
    CounterattackWith,
    CounterattackNever,
    ChooseFirst,
    ArriveWith,
)
RESULTS: tuple[Result, ...] = ("AL1", "CON", "DR", "DL1", "DLR")
WORDS: Mapping[str, tuple[str, ...]] = {
    "command": tuple(COMMAND_NAMES),
    "preference": tuple(PREFERENCES),
    "result": RESULTS,
    "holder": HOLDERS,
}
"""The vocabularies of this game's lines, including orders and conditions; `odds` is in assault.py."""
