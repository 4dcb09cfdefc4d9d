"""Standing orders: how a player's decisions in mid-round are taken while he is away.
The first standing line that has an answer decides; what no line covers goes by the default of the decision:
the best op-fire, the result that is best for its owner, no advance, no counterattack.

A line may leave a decision to the next one: ``opfire: never at breaking contact`` has nothing to say of units
that come nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.orders import Policy
from pbem.engine.play import Ask
from pbem.engine.verbs import HOLDERS
from pbem.games.falaise.tables import COMMAND_NAMES, GRID, MAP, UNITS, Hex, Result

HOLD = "hold"
KEEP, CHANGE = "keep", "change"
STAY = "stay"
NO, YES = "no", "yes"


class Settling(Policy):
    """A standing order that answers every decision of its kind."""

    @property
    def settles(self) -> bool:
        return True


# --- op-fire (6.2) ----------------------------------------------------------------------------------------


def best_fire(ask: Ask[Any]) -> str:
    """6.2 The stack that fires with the best modifier, the first of equals; nobody if none can."""
    stacks = [option for option in ask.options if option != HOLD]
    return max(stacks, key=lambda origin: int(ask.about["modifier"][origin]), default=HOLD)


def fire_from(modifier: int, ask: Ask[Any]) -> str:
    """6.2 The stack that fires best, if its modifier is high enough; else nobody fires."""
    best = best_fire(ask)
    return best if best != HOLD and ask.about["modifier"][best] >= modifier else HOLD


@dataclass(frozen=True, slots=True)
class FireAlways(Settling):
    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = "always"
    help: ClassVar[str] = "Your stack with the best modifier fires at whoever comes into a zone of yours."
    example: ClassVar[str] = "standing opfire: always"
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_fire(ask)


@dataclass(frozen=True, slots=True)
class FireNever(Settling):
    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Nobody fires."
    example: ClassVar[str] = "standing opfire: never"
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return HOLD


@dataclass(frozen=True, slots=True)
class FireAt(Settling):
    modifier: int

    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = '(if|when) [the] modifier [is] (at least|">" "=") <modifier:number>'
    help: ClassVar[str] = "The best stack fires if its modifier is so high or higher, otherwise nobody."
    example: ClassVar[str] = "standing opfire: if modifier >= 0"
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return fire_from(self.modifier, ask)


IF_MODIFIER = '[(if|when) [the] modifier [is] (at least|">" "=") <modifier:number>]'
ANY_MODIFIER = -9
"""Less than any modifier of op-fire."""


@dataclass(frozen=True, slots=True)
class FireAtMech(Policy):
    modifier: int = ANY_MODIFIER

    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = f"[always] at (mech|mechanised|mechanized) {IF_MODIFIER}"
    help: ClassVar[str] = (
        "The best stack fires at mechanised units, if its modifier is at least this; "
        "for other units the next standing order applies."
    )
    example: ClassVar[str] = "standing opfire: at mech if modifier >= 0"
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return fire_from(self.modifier, ask) if ask.about["mech"] else None


@dataclass(frozen=True, slots=True)
class FireAtBreaking(Policy):
    modifier: int = ANY_MODIFIER

    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = f"[always] at breaking contact {IF_MODIFIER}"
    help: ClassVar[str] = (
        "The best stack fires at units that break contact, if its modifier is at least this; "
        "for other units the next standing order applies."
    )
    example: ClassVar[str] = "standing opfire: at breaking contact if modifier >= 1"
    case: ClassVar[str] = "6.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return fire_from(self.modifier, ask) if ask.about["breaking"] else None


@dataclass(frozen=True, slots=True)
class FireWith(Policy):
    units: tuple[str, ...]
    modifier: int = ANY_MODIFIER

    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = f"with <units> {IF_MODIFIER}"
    help: ClassVar[str] = (
        "The stack of the first of these units that can fire does, if its modifier is at least this; "
        "where none of them does, the next standing order applies."
    )
    example: ClassVar[str] = "standing opfire: with Koszutski, Stefanowicz if modifier >= 0"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "standing opfire: with Pz/9SS, 501SS if modifier >= 0"
    }
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        for unit in self.units:
            for origin, stack in ask.about["stacks"].items():
                if unit in stack and ask.about["modifier"][origin] >= self.modifier:
                    return str(origin)
        return None


@dataclass(frozen=True, slots=True)
class NeverAtMech(Policy):
    town: bool = False

    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = "never at (mech|mechanised|mechanized) [<town:=in town>]"
    help: ClassVar[str] = "Nobody fires at mechanised units (in towns); of others the next line decides."
    example: ClassVar[str] = "standing opfire: never at mech in town"
    case: ClassVar[str] = "6.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        spared = ask.about["mech"] and (ask.about["town"] or not self.town)
        return HOLD if spared else None


@dataclass(frozen=True, slots=True)
class NeverAtBreaking(Policy):
    kind: ClassVar[str] = "opfire"
    usage: ClassVar[str] = "never at breaking contact"
    help: ClassVar[str] = "Nobody fires at units that break contact; of others the next line decides."
    example: ClassVar[str] = "standing opfire: never at breaking contact"
    case: ClassVar[str] = "6.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return HOLD if ask.about["breaking"] else None


# --- results changed by rating (10.2) ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangeAlways(Settling):
    kind: ClassVar[str] = "ter"
    usage: ClassVar[str] = "always"
    help: ClassVar[str] = (
        "Whenever your rating is higher, the result of an assault is changed in your favour."
    )
    example: ClassVar[str] = "standing ter: always"
    case: ClassVar[str] = "10.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return CHANGE


@dataclass(frozen=True, slots=True)
class ChangeNever(Settling):
    kind: ClassVar[str] = "ter"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Results of assaults stay as they were rolled."
    example: ClassVar[str] = "standing ter: never"
    case: ClassVar[str] = "10.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return KEEP


@dataclass(frozen=True, slots=True)
class ChangeExcept(Settling):
    results: tuple[str, ...]

    kind: ClassVar[str] = "ter"
    usage: ClassVar[str] = "[always] except <results:result...>"
    help: ClassVar[str] = "Results are changed in your favour, but these stay as they were rolled."
    example: ClassVar[str] = "standing ter: always except CON"
    case: ClassVar[str] = "10.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return KEEP if ask.about["result"] in self.results else CHANGE


@dataclass(frozen=True, slots=True)
class ChangeOnly(Settling):
    results: tuple[str, ...]

    kind: ClassVar[str] = "ter"
    usage: ClassVar[str] = "only <results:result...>"
    help: ClassVar[str] = "Only these results are changed in your favour."
    example: ClassVar[str] = "standing ter: only AL1, DR"
    case: ClassVar[str] = "10.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return CHANGE if ask.about["result"] in self.results else KEEP


# --- which unit: losses, disruption ------------------------------------------------------------------------

Rank = Callable[[str, Mapping[str, Any]], bool | int]
PREFERENCES: Mapping[str, Rank] = {
    "reduced first": lambda id, about: steps(id, about) == UNITS[id].steps,
    "full first": lambda id, about: steps(id, about) < UNITS[id].steps,
    "weakest first": lambda id, about: strength(id, about),
    "strongest first": lambda id, about: -strength(id, about),
    "infantry first": lambda id, about: UNITS[id].mech,
    "mechanised first": lambda id, about: not UNITS[id].mech,
}
"""Who is named first is the one for whom this is least."""


def steps(id: str, about: Mapping[str, Any]) -> int:
    """The steps that a unit has left, as the decision tells."""
    return int(about["units"][id]["steps"])


def strength(id: str, about: Mapping[str, Any]) -> int:
    """2.2 The combat factor of a unit with the steps that it has left."""
    printed = UNITS[id].strength
    return printed[len(printed) - steps(id, about)]


def first(ask: Ask[Any], prefs: tuple[str, ...], spared: tuple[str, ...] = ()) -> str | None:
    """The unit that comes first by these preferences among those that are not spared; None if all are."""
    units = [option for option in ask.options if option in UNITS and option not in spared]
    return min(units, key=lambda id: [PREFERENCES[pref](id, ask.about) for pref in prefs], default=None)


@dataclass(frozen=True, slots=True)
class Preferring(Settling):
    """One of several units is named: the first by these preferences, each of which decides
    where those before it do not."""

    prefs: tuple[str, ...]

    usage: ClassVar[str] = "<prefs:preference...>"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return first(ask, self.prefs)


@dataclass(frozen=True, slots=True)
class Sparing(Policy):
    """One of several units is named: none of these, as long as there is another."""

    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    usage: ClassVar[str] = "spare <units> [then <prefs:preference...>]"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return first(ask, self.prefs, self.units)


class LosePreferring(Preferring):
    kind: ClassVar[str] = "losses"
    help: ClassVar[str] = "Which of your units loses a step in an assault, where the order does not say it."
    example: ClassVar[str] = "standing losses: full first, weakest first"
    case: ClassVar[str] = "10.2"


class LoseSparing(Sparing):
    kind: ClassVar[str] = "losses"
    help: ClassVar[str] = "These units lose a step last; of the others goes who comes first by what follows."
    example: ClassVar[str] = "standing losses: spare Koszutski, Stefanowicz, then weakest first"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "german": "standing losses: spare Pz/9SS, 19/9SS, then weakest first"
    }
    case: ClassVar[str] = "10.2"


class DisruptPreferring(Preferring):
    kind: ClassVar[str] = "disrupt"
    help: ClassVar[str] = "Which of your units is disrupted where a bombardment disrupts one."
    example: ClassVar[str] = "standing disrupt: weakest first"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "8.1"


class DisruptSparing(Sparing):
    kind: ClassVar[str] = "disrupt"
    help: ClassVar[str] = "A bombardment that disrupts one unit disrupts none of these, if another is there."
    example: ClassVar[str] = "standing disrupt: spare 501SS"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "8.1"


class FriendlyFirePreferring(Preferring):
    kind: ClassVar[str] = "friendly fire"
    help: ClassVar[str] = "Which Allied unit friendly fire disrupts."
    example: ClassVar[str] = "standing friendly fire: mechanised first, strongest first"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "8.4"


# --- retreats (10.3) --------------------------------------------------------------------------------------


def best_way(ask: Ask[Any], cost: Callable[[list[Hex]], float]) -> str:
    """10.3 The way that costs least; of equals the one with the fewest hexes under fire."""
    return str(min(ask.options, key=lambda way: (cost(way.split()), len(ask.about["fire"][way]))))


def end(way: list[Hex]) -> Hex:
    return way[-1]


@dataclass(frozen=True, slots=True)
class RetreatTowards(Settling):
    hex: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "(toward|towards|to) <hex>"
    help: ClassVar[str] = "Your units that must retreat end as near to this hex as they can."
    example: ClassVar[str] = "standing retreat: toward 1703"
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"allied": "standing retreat: toward 1224"}
    case: ClassVar[str] = "10.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_way(ask, lambda way: GRID.distance(end(way), self.hex))


@dataclass(frozen=True, slots=True)
class RetreatAway(Settling):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "away from [the] enemy"
    help: ClassVar[str] = "Your units retreat through as few hexes as possible in which they may be fired on."
    example: ClassVar[str] = "standing retreat: away from the enemy"
    case: ClassVar[str] = "10.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_way(ask, lambda way: len(ask.about["fire"][" ".join(way)]))


@dataclass(frozen=True, slots=True)
class RetreatByRoad(Settling):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "along [the] roads"
    help: ClassVar[str] = "Your units retreat along roads as far as they can."
    example: ClassVar[str] = "standing retreat: along roads"
    case: ClassVar[str] = "10.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        def off_road(way: list[Hex]) -> int:
            walked = [ask.about["from"], *way]
            return sum(MAP.road(a, b) is None for a, b in zip(walked, way, strict=False))

        return best_way(ask, off_road)


# --- advances (10.4) --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AdvanceAlways(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "always"
    help: ClassVar[str] = "Your units advance into the hex that they have won, no further."
    example: ClassVar[str] = "standing advance: always"
    case: ClassVar[str] = "10.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return next((way for way in ask.options if way != STAY and len(way.split()) == 1), None)


@dataclass(frozen=True, slots=True)
class AdvanceOn(Settling):
    hex: str

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "[always] on (toward|towards|to) <hex>"
    help: ClassVar[str] = (
        "Your units advance as near to this hex as they can, mechanised ones on the heels of the defenders; "
        "they stay where that is nearer."
    )
    example: ClassVar[str] = "standing advance: on toward 2315"
    case: ClassVar[str] = "10.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        def left(way: str) -> int:
            last = ask.about["from"] if way == STAY else end(way.split())
            return GRID.distance(last, self.hex)

        return str(min(ask.options, key=left))


@dataclass(frozen=True, slots=True)
class AdvanceNever(Settling):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Your units stay where they attacked from."
    example: ClassVar[str] = "standing advance: never"
    case: ClassVar[str] = "10.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return STAY


@dataclass(frozen=True, slots=True)
class NeverOutOfTown(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never out of [a] town"
    help: ClassVar[str] = "Your units in a town stay there; of others the next line decides."
    example: ClassVar[str] = "standing advance: never out of town"
    case: ClassVar[str] = "10.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return STAY if MAP.terrain(ask.about["from"]) == "town" else None


# --- commands (11.2, 11.3, 12.1) and arrivals (11.5) --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SubstituteFor(Settling):
    commands: tuple[str, ...]
    units: int = 0

    kind: ClassVar[str] = "58th"
    usage: ClassVar[str] = "instead of <commands:command...> [with [at] least <units:number> units]"
    help: ClassVar[str] = (
        "The 58th Panzer Corps takes the place of the first of these that is drawn, "
        "if so many units at least can act with it; of no other."
    )
    example: ClassVar[str] = "standing 58th: instead of 84, 2FJ with at least 10 units"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        enough = len(ask.about["eligible"]) >= self.units
        return YES if ask.about["drawn"] in self.commands and enough else NO


@dataclass(frozen=True, slots=True)
class SubstituteNever(Settling):
    kind: ClassVar[str] = "58th"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "The 58th Panzer Corps stays out."
    example: ClassVar[str] = "standing 58th: never"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NO


@dataclass(frozen=True, slots=True)
class CounterattackWith(Settling):
    turn: int
    command: str

    kind: ClassVar[str] = "counterattack"
    usage: ClassVar[str] = "(from|in) turn <turn:number> with <command>"
    help: ClassVar[str] = (
        "Not before this turn; then, as soon as it can, this command makes the counterattack."
    )
    example: ClassVar[str] = "standing counterattack: from turn 6 with 2SS"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        ready = ask.about["turn"] >= self.turn and self.command in ask.options
        return self.command if ready else NO


@dataclass(frozen=True, slots=True)
class CounterattackNever(Settling):
    kind: ClassVar[str] = "counterattack"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "No counterattack is declared."
    example: ClassVar[str] = "standing counterattack: never"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "11.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NO


@dataclass(frozen=True, slots=True)
class ChooseFirst(Policy):
    commands: tuple[str, ...]

    kind: ClassVar[str] = "choose"
    usage: ClassVar[str] = "<commands:command...>"
    help: ClassVar[str] = "With better command: the first of these that can be chosen opens the turn."
    example: ClassVar[str] = "standing choose: 58Pz, 84"
    seats: ClassVar[tuple[str, ...]] = ("german",)
    case: ClassVar[str] = "12.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return next((command for command in self.commands if command in ask.options), None)


@dataclass(frozen=True, slots=True)
class ArriveWith(Policy):
    units: tuple[str, ...]

    kind: ClassVar[str] = "arrival"
    usage: ClassVar[str] = "with <units>"
    help: ClassVar[str] = "The tank destroyers come to the first of these units that has room for them."
    example: ClassVar[str] = "standing arrival: with 318/80, 317/80"
    seats: ClassVar[tuple[str, ...]] = ("allied",)
    case: ClassVar[str] = "11.5"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        for unit in self.units:
            for hex in ask.options:
                if unit in ask.about["with"][hex]:
                    return str(hex)
        return None


POLICIES: tuple[type[Policy], ...] = (
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
"""The vocabularies of this game's lines, orders and conditions among them; `odds` stands in assault.py."""
