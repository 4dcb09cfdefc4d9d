"""Standing orders: how a player's decisions in mid-phase are taken while he is away.
The first standing line that has an answer decides; what no line covers goes by the default of the decision:
no support, no fighters, no gunfire, the cheapest losses and retreat, and no advance.

A line may leave a decision to the next one: ``losses: lose steps before ground in bocage`` has nothing to say
of other terrain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.orders import Policy
from pbem.engine.play import Ask
from pbem.games.normandy44.losses import losers
from pbem.games.normandy44.tables import CHARTS, GRID, UNITS

NONE = "none"
COLUMNS = CHARTS.combat.columns

# --- losses (7.3) -------------------------------------------------------------------------------------------

Rank = Callable[[str, int, bool], bool | int]
PREFERENCES: Mapping[str, Rank] = {
    "reduced first": lambda id, left, attack: left == len(UNITS[id].steps),
    "full first": lambda id, left, attack: left < len(UNITS[id].steps),
    "infantry first": lambda id, left, attack: not UNITS[id].infantry,
    "armour first": lambda id, left, attack: not UNITS[id].armour,
    "weakest first": lambda id, left, attack: strength(id, left, attack),
    "strongest first": lambda id, left, attack: -strength(id, left, attack),
}
"""Who is named first is the one for whom this is least, given the steps that he has left
and whether he attacks."""


def strength(id: str, left: int, attack: bool) -> int:
    """0.1 What a unit is worth in attack or defence with so many steps left."""
    return UNITS[id].steps[len(UNITS[id].steps) - left][0 if attack else 1]


def ranks(ask: Ask[Any], way: str, prefs: tuple[str, ...]) -> list[int]:
    """How badly a way agrees with each of these preferences, step by step."""
    steps = list(_steps(ask, way))
    return [
        sum(PREFERENCES[pref](id, left, ask.about.get("attack", False)) for id, left in steps)
        for pref in prefs
    ]


def _steps(ask: Ask[Any], way: str) -> Iterator[tuple[str, int]]:
    """Each step that is lost: whose, and how many he has left before it."""
    left = {id: int(about["steps"]) for id, about in ask.about["units"].items()}
    for id, steps in losers(way).items():
        for lost in range(steps):
            yield id, left[id] - lost


@dataclass(frozen=True, slots=True)
class Paying(Policy):
    """A result is taken in the way that costs least in the eyes of this line. Of ways that cost the same,
    the one that hits the fewest of the units to be spared; then the preferences decide,
    then the order in which the ways are offered."""

    units: tuple[str, ...] = ()
    prefs: tuple[str, ...] = ()

    kind: ClassVar[str] = "losses"
    case: ClassVar[str] = "7.3"

    @property
    def settles(self) -> bool:
        return True

    def cost(self, ask: Ask[Any], way: str) -> tuple[int, ...]:
        """What a way costs, before it is asked who pays: the ground that is given up unless the rules
        would have it so."""
        return (abs(hexes(ask, way) - hexes(ask, ask.fallback)),)

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        def price(way: str) -> tuple[Any, ...]:
            spared = sum(steps for id, steps in losers(way).items() if id in self.units)
            return (
                survivors(ask, way) <= 0,
                *self.cost(ask, way),
                spared,
                *ranks(ask, way, self.prefs),
            )

        return str(min(ask.options, key=price))


def hexes(ask: Ask[Any], way: str) -> int:
    """7.3 The ground that is given up, in hexes."""
    return int(ask.about["ways"][way]["hexes"])


def paid(ask: Ask[Any], way: str) -> int:
    """7.3, 7.4 The steps that a way costs in all: those lost at once, and those that such a retreat
    costs at least."""
    return int(ask.about["ways"][way]["steps"]) + int(ask.about["retreat_cost"].get(hexes(ask, way), 0))


def survivors(ask: Ask[Any], way: str) -> int:
    """The steps that are left to all the units together. A hex cannot be held by the dead:
    ways that leave nobody are the last resort."""
    return sum(int(about["steps"]) for about in ask.about["units"].values()) - paid(ask, way)


@dataclass(frozen=True, slots=True)
class InTerrain(Paying):
    """A line that speaks of some terrain only, if it names any; of other terrain the next line decides."""

    terrains: tuple[str, ...] = ()

    @property
    def settles(self) -> bool:
        return not self.terrains

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if self.terrains and ask.about["terrain"] not in self.terrains:
            return None
        return Paying.decide(self, ask, earlier)


@dataclass(frozen=True, slots=True)
class StepsFirst(InTerrain):
    usage: ClassVar[str] = (
        "lose steps before ground [in <terrains:terrain...>] [(spare|never) <units>] "
        "[then <prefs:preference...>]"
    )
    help: ClassVar[str] = "Your units hold their ground as long as somebody is left to hold it."
    example: ClassVar[str] = "standing losses: lose steps before ground in bocage"

    def cost(self, ask: Ask[Any], way: str) -> tuple[int, ...]:
        return (hexes(ask, way),)


@dataclass(frozen=True, slots=True)
class GroundFirst(InTerrain):
    most: int = 0
    """Hexes at most; 0 for as many as it takes."""

    usage: ClassVar[str] = (
        "lose ground before steps [in <terrains:terrain...>] [at most <most:number> (hexes|hex)] "
        "[(spare|never) <units>] [then <prefs:preference...>]"
    )
    help: ClassVar[str] = "Your units give ground rather than lose steps, but not more than so many hexes."
    example: ClassVar[str] = "standing losses: lose ground before steps at most 2 hexes"

    def cost(self, ask: Ask[Any], way: str) -> tuple[int, ...]:
        ground = hexes(ask, way)
        return (max(0, ground - self.most) if self.most else 0, -ground)


@dataclass(frozen=True, slots=True)
class FewestSteps(InTerrain):
    usage: ClassVar[str] = (
        "(fewest|least) steps [in <terrains:terrain...>] [(spare|never) <units>] [then <prefs:preference...>]"
    )
    help: ClassVar[str] = (
        "Whatever costs the fewest steps, those lost in the retreat among them; "
        "of equals what gives up the least ground."
    )
    example: ClassVar[str] = "standing losses: fewest steps then weakest first"

    def cost(self, ask: Ask[Any], way: str) -> tuple[int, ...]:
        return (paid(ask, way), hexes(ask, way))


@dataclass(frozen=True, slots=True)
class LosePreferring(Paying):
    usage: ClassVar[str] = "<prefs:preference...>"
    help: ClassVar[str] = (
        "Who loses the steps. The ground that is given up stays what it would be without a line."
    )
    example: ClassVar[str] = "standing losses: full first, weakest first"


@dataclass(frozen=True, slots=True)
class LoseSparing(Paying):
    usage: ClassVar[str] = "(spare|never) <units> [then <prefs:preference...>]"
    help: ClassVar[str] = (
        "These units lose a step only if it cannot be helped: others pay, or ground is given up."
    )
    example: ClassVar[str] = "standing losses: never 503s, 101s then weakest first"

    def cost(self, ask: Ask[Any], way: str) -> tuple[int, ...]:
        return (
            sum(steps for id, steps in losers(way).items() if id in self.units),
            *Paying.cost(self, ask, way),
        )


class ExcessPreferring(LosePreferring):
    kind: ClassVar[str] = "excess"
    help: ClassVar[str] = "Who is lost where units retreat into a hex that has no room for all of them."
    example: ClassVar[str] = "standing excess: reduced first, weakest first"
    case: ClassVar[str] = "7.4"


class ExcessSparing(LoseSparing):
    kind: ClassVar[str] = "excess"
    help: ClassVar[str] = (
        "These units are lost last where units retreat into a hex that has no room for all of them."
    )
    example: ClassVar[str] = "standing excess: spare 3/2Pz then weakest first"
    case: ClassVar[str] = "7.4"


# --- retreats (7.4) -----------------------------------------------------------------------------------------


def best_way(ask: Ask[Any], cost: Callable[[str], tuple[int, ...]]) -> str:
    """7.4 The way that costs least; of equals the one that would be taken without a line, then the first."""
    return str(min(ask.options, key=lambda way: (cost(way), way != ask.fallback)))


@dataclass(frozen=True, slots=True)
class RetreatTowards(Policy):
    hex: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "(toward|towards|to) <hex>"
    help: ClassVar[str] = (
        "Your units that retreat end as near to this hex as they can, by the way that costs the fewest steps."
    )
    example: ClassVar[str] = "standing retreat: toward 0118"
    case: ClassVar[str] = "7.4"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_way(ask, lambda way: (_distance(way, self.hex), ask.about["steps"][way]))


@dataclass(frozen=True, slots=True)
class RetreatCheaply(Policy):
    hex: str = ""

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "fewest losses [then (toward|towards|to) <hex>]"
    help: ClassVar[str] = (
        "Your units retreat by the way that costs the fewest steps; "
        "of equals the one that ends nearest to this hex."
    )
    example: ClassVar[str] = "standing retreat: fewest losses then toward 0118"
    case: ClassVar[str] = "7.4"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_way(
            ask, lambda way: (ask.about["steps"][way], _distance(way, self.hex) if self.hex else 0)
        )


def _distance(way: str, hex: str) -> int:
    return GRID.distance(way.split()[-1], hex)


# --- support of headquarters (6.3) --------------------------------------------------------------------------


def enough(ask: Ask[Any], odds: str) -> bool:
    """7.2 Whether the attack stands at these odds or better for the attacker; always if a line names none."""
    return not odds or COLUMNS.index(ask.about["column"]) >= COLUMNS.index(odds)


def gain(ask: Ask[Any], option: str) -> int:
    """7.2 The columns by which an option makes the combat better for whoever is asked."""
    by = COLUMNS.index(ask.about["after"][option]) - COLUMNS.index(ask.about["column"])
    return by if ask.about["attack"] else -by


def helpers(option: str) -> tuple[str, ...]:
    """6.3 The headquarters of an option: "LXXXIV + IIFJ"."""
    return () if option == NONE else tuple(option.split(" + "))


@dataclass(frozen=True, slots=True)
class SupportWith(Policy):
    units: tuple[str, ...]
    together: bool = False
    odds: str = ""
    changing: bool = False

    kind: ClassVar[str] = "support"
    usage: ClassVar[str] = (
        "with <units> [<together:=together>] [at <odds> or better] [<changing:=when it changes the column>]"
    )
    help: ClassVar[str] = (
        "The first of these headquarters that can helps (all that can, of the Germans, with `together`), "
        "against odds that are good enough for the attacker to worry about."
    )
    example: ClassVar[str] = "standing support: with LXXXIV when it changes the column"
    case: ClassVar[str] = "6.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if not enough(ask, self.odds):
            return None
        mine = [
            option for option in ask.options if option != NONE and set(helpers(option)) <= set(self.units)
        ]
        if self.changing:
            mine = [option for option in mine if gain(ask, option) > 0]
        if self.together:
            return max(mine, key=lambda option: len(helpers(option)), default=None)
        alone = [option for option in mine if len(helpers(option)) == 1]
        return min(alone, key=self.units.index, default=None)


@dataclass(frozen=True, slots=True)
class SupportAlways(Policy):
    odds: str = ""
    changing: bool = False

    kind: ClassVar[str] = "support"
    usage: ClassVar[str] = "always [at <odds> or better] [<changing:=when it changes the column>]"
    help: ClassVar[str] = (
        "Whoever can helps: what changes the column most, with the fewest headquarters that do it."
    )
    example: ClassVar[str] = "standing support: always at 2:1 or better when it changes the column"
    case: ClassVar[str] = "6.3"

    @property
    def settles(self) -> bool:
        return not self.odds and not self.changing

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if not enough(ask, self.odds):
            return None
        some = [option for option in ask.options if option != NONE]
        best = max(some, key=lambda option: (gain(ask, option), -len(helpers(option))), default=None)
        return best if best and (gain(ask, best) > 0 or not self.changing) else None


@dataclass(frozen=True, slots=True)
class SupportNever(Policy):
    kind: ClassVar[str] = "support"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "No headquarters helps but those that your attacks name."
    example: ClassVar[str] = "standing support: never"
    case: ClassVar[str] = "6.3"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NONE


# --- fighters and ships (10.1, 12.0) ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FightersUpTo(Policy):
    number: int
    odds: str = ""
    changing: bool = False

    kind: ClassVar[str] = "air"
    usage: ClassVar[str] = (
        "[up to] <number> (fighters|fighter) [at <odds> or better] [<changing:=when they change the column>]"
    )
    help: ClassVar[str] = (
        "So many fighters at most defend a hex that is attacked; "
        "no more than make a difference, if you say so."
    )
    example: ClassVar[str] = "standing air: up to 2 fighters when they change the column"
    case: ClassVar[str] = "10.1"

    @property
    def settles(self) -> bool:
        return self.number > 0 and not self.odds and not self.changing

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        some = [option for option in ask.options if 0 < int(option) <= self.number]
        if not some or not enough(ask, self.odds):
            return None
        if not self.changing:
            return str(max(some, key=int))
        best = max(some, key=lambda option: (gain(ask, option), -int(option)))
        return best if gain(ask, best) > 0 else None


@dataclass(frozen=True, slots=True)
class FightersNever(Policy):
    kind: ClassVar[str] = "air"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "No fighters in defence: they are kept for your own attacks."
    example: ClassVar[str] = "standing air: never"
    case: ClassVar[str] = "10.1"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return "0"


@dataclass(frozen=True, slots=True)
class GunsUpTo(Policy):
    number: int
    odds: str = ""

    kind: ClassVar[str] = "guns"
    usage: ClassVar[str] = "[up to] <number> (points|point) [at <odds> or better]"
    help: ClassVar[str] = (
        "So many points of naval gunfire at most defend a hex that is attacked, "
        "at these odds or worse ones for you."
    )
    example: ClassVar[str] = "standing guns: up to 2 points at 2:1 or better"
    case: ClassVar[str] = "12.0"

    @property
    def settles(self) -> bool:
        return self.number > 0 and not self.odds

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        some = [option for option in ask.options if 0 < int(option) <= self.number]
        return max(some, key=int) if some and enough(ask, self.odds) else None


@dataclass(frozen=True, slots=True)
class GunsNever(Policy):
    kind: ClassVar[str] = "guns"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "No naval gunfire in defence: it is kept for your own attacks."
    example: ClassVar[str] = "standing guns: never"
    case: ClassVar[str] = "12.0"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return "0"


# --- advances (7.4) -----------------------------------------------------------------------------------------


def marching(option: str) -> tuple[str, ...]:
    """7.4 The units of an option: "4US, 82AB"."""
    return () if option == NONE else tuple(option.split(", "))


def largest(ask: Ask[Any], goes: Callable[[str], bool]) -> str:
    """7.4 The first option, options being in the order of their size, in which nobody advances for whom
    `goes` says no."""
    return next(
        (str(option) for option in ask.options if option != NONE and all(map(goes, marching(option)))), NONE
    )


@dataclass(frozen=True, slots=True)
class AdvanceAlways(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "always"
    help: ClassVar[str] = "As many of your units as find room advance into the hex that they have won."
    example: ClassVar[str] = "standing advance: always"
    case: ClassVar[str] = "7.4"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return largest(ask, lambda id: True)


@dataclass(frozen=True, slots=True)
class AdvanceWith(Policy):
    units: tuple[str, ...]

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "[only] with <units>"
    help: ClassVar[str] = (
        "Of these units as many as find room advance; where none of them has fought the next line decides."
    )
    example: ClassVar[str] = "standing advance: only with 4US, 9US"
    case: ClassVar[str] = "7.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        found = largest(ask, lambda id: id in self.units)
        return found if found != NONE else None


@dataclass(frozen=True, slots=True)
class NeverOutOf(Policy):
    hexes: tuple[str, ...]

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never out of <hexes>"
    help: ClassVar[str] = (
        "Your units in these hexes stay there, and as many as find room of the others "
        "that fought beside them advance; of other battles the next line decides."
    )
    example: ClassVar[str] = "standing advance: never out of 0818, 0819"
    case: ClassVar[str] = "7.4"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        origins: Mapping[str, str] = ask.about["from"]
        if not any(hex in self.hexes for hex in origins.values()):
            return None
        return largest(ask, lambda id: origins[id] not in self.hexes)


@dataclass(frozen=True, slots=True)
class AdvanceNever(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Your units stay where they attacked from."
    example: ClassVar[str] = "standing advance: never"
    case: ClassVar[str] = "7.4"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NONE


# --- parachutists (15.0) ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetDownTowards(Policy):
    hex: str

    kind: ClassVar[str] = "set down"
    usage: ClassVar[str] = "(toward|towards|to) <hex>"
    help: ClassVar[str] = (
        "Parachutists that do not take the hex they came down in end as near to this one as they can."
    )
    example: ClassVar[str] = "standing set down: toward 0617"
    case: ClassVar[str] = "15.0"

    @property
    def settles(self) -> bool:
        return True

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_way(ask, lambda hex: (_distance(hex, self.hex),))


POLICIES: tuple[type[Policy], ...] = (
    StepsFirst,
    GroundFirst,
    FewestSteps,
    LosePreferring,
    LoseSparing,
    ExcessPreferring,
    ExcessSparing,
    RetreatTowards,
    RetreatCheaply,
    SupportWith,
    SupportAlways,
    SupportNever,
    FightersUpTo,
    FightersNever,
    GunsUpTo,
    GunsNever,
    AdvanceAlways,
    AdvanceWith,
    NeverOutOf,
    AdvanceNever,
    SetDownTowards,
)
WORDS: Mapping[str, tuple[str, ...]] = {
    "preference": tuple(PREFERENCES),
    "terrain": tuple(CHARTS.terrain),
    "odds": COLUMNS,
}
"""The vocabularies of these lines."""
