"""Standing orders: how a player's decisions in mid-phase are taken while the player is away.
The first standing order that has an answer decides; without one, the default of the decision does: no
support, no fighters, no gunfire, the cheapest losses and retreat, and no advance.

A standing order may leave a decision to the next one: ``losses: lose steps before ground in bocage`` does not
decide in other terrain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.language import Kind, Policy
from pbem.engine.play import Ask
from pbem.games.normandy44.advance import Advance
from pbem.games.normandy44.losses import Losses, losers
from pbem.games.normandy44.retreat import RetreatWay
from pbem.games.normandy44.support import Help
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, UNITS
from pbem.wargame.policies import Fixed, Settling, ends, nearest

LOSSES = Kind("losses", "7.3")
EXCESS = Kind("excess", "7.4")
RETREAT = Kind("retreat", "7.4")
SUPPORT = Kind("support", "6.3")
AIR = Kind("air", "10.1")
GUNS = Kind("guns", "12.0")
ADVANCE = Kind("advance", "7.4")
SET_DOWN = Kind("set down", "15.0")

NONE = "none"
COLUMNS = CHARTS.combat.columns

# --- losses (7.3) -------------------------------------------------------------------------------------------

PREFERENCES: Mapping[str, Callable[[str, int, bool], bool | int]] = {
    "reduced first": lambda id, left, attack: left == len(UNITS[id].steps),
    "full first": lambda id, left, attack: left < len(UNITS[id].steps),
    "infantry first": lambda id, left, attack: not UNITS[id].infantry,
    "armour first": lambda id, left, attack: not UNITS[id].armour,
    "weakest first": lambda id, left, attack: strength(id, left, attack),
    "strongest first": lambda id, left, attack: -strength(id, left, attack),
}
"""The unit for which this is least is named first, given the steps that it has left and whether it
attacks."""


def strength(id: str, left: int, attack: bool) -> int:
    """0.1 Return what a unit is worth in attack or defence with this many steps left."""
    return UNITS[id].steps[len(UNITS[id].steps) - left][0 if attack else 1]


def ranks(ask: Losses, way: str, prefs: tuple[str, ...]) -> list[int]:
    """Return how badly a way agrees with each of these preferences, step by step."""
    steps = list(_steps(ask, way))
    return [sum(PREFERENCES[pref](id, left, ask.attack) for id, left in steps) for pref in prefs]


def _steps(ask: Losses, way: str) -> Iterator[tuple[str, int]]:
    """Yield each step that is lost: of which unit, and how many steps it has before."""
    for id, steps in losers(way).items():
        for lost in range(steps):
            yield id, ask.steps[id] - lost


class Paying(Settling[Losses], kind=LOSSES):
    """Takes a result in the way that costs least by this line. Among ways that cost the same, the one that
    hits the fewest of the units to be spared; then the preferences decide, then the order in which the ways
    are offered."""

    units: tuple[str, ...] = ()
    prefs: tuple[str, ...] = ()

    def cost(self, ask: Losses, way: str) -> tuple[int, ...]:
        """Return what a way costs, whichever units pay: how far the ground given up is from the default."""
        return (abs(hexes(ask, way) - hexes(ask, ask.fallback)),)

    def decide(self, ask: Losses, earlier: Mapping[str, Any]) -> str | None:
        def price(way: str) -> tuple[Any, ...]:
            spared = sum(steps for id, steps in losers(way).items() if id in self.units)
            return (
                survivors(ask, way) <= 0,
                *self.cost(ask, way),
                spared,
                *ranks(ask, way, self.prefs),
            )

        return min(ask.options, key=price)


def hexes(ask: Losses, way: str) -> int:
    """7.3 Return the ground that is given up, in hexes."""
    return ask.ways[way].hexes


def survivors(ask: Losses, way: str) -> int:
    """Return the steps that all the units have left together. Lost units hold no hex: ways that leave no unit
    are the last resort."""
    return sum(ask.steps.values()) - ask.paid(way)


class InTerrain(Paying):
    """A line that is about some terrain only, if it names any; in other terrain the next one decides."""

    terrains: tuple[str, ...] = ()

    @property
    def settles(self) -> bool:
        return not self.terrains

    def decide(self, ask: Losses, earlier: Mapping[str, Any]) -> str | None:
        if self.terrains and MAP.terrain(ask.hex) not in self.terrains:
            return None
        return Paying.decide(self, ask, earlier)


class StepsFirst(InTerrain):
    usage = (
        "lose steps before ground [in <terrains:terrain...>] [(spare|never) <units>] "
        "[then <prefs:preference...>]"
    )
    help = "Your units hold their ground as long as a unit is left to hold it."
    example = "lose steps before ground in bocage"

    def cost(self, ask: Losses, way: str) -> tuple[int, ...]:
        return (hexes(ask, way),)


class GroundFirst(InTerrain):
    usage = (
        "lose ground before steps [in <terrains:terrain...>] [at most <most:number 1..> (hexes|hex)] "
        "[(spare|never) <units>] [then <prefs:preference...>]"
    )
    help = "Your units give ground rather than lose steps, but at most this many hexes."
    example = "lose ground before steps at most 2 hexes"

    most: int = 0
    """The most hexes; 0 for any number."""

    def cost(self, ask: Losses, way: str) -> tuple[int, ...]:
        ground = hexes(ask, way)
        return (max(0, ground - self.most) if self.most else 0, -ground)


class FewestSteps(InTerrain):
    usage = (
        "(fewest|least) steps [in <terrains:terrain...>] [(spare|never) <units>] [then <prefs:preference...>]"
    )
    help = (
        "The choice that costs the fewest steps, including those lost in the retreat; "
        "among equals, the one that gives up the least ground."
    )
    example = "fewest steps then weakest first"

    def cost(self, ask: Losses, way: str) -> tuple[int, ...]:
        return (ask.paid(way), hexes(ask, way))


class LosePreferring(Paying):
    usage = "<prefs:preference...>"
    help = "Which units lose the steps. The ground given up is the same as without this line."
    example = "full first, weakest first"


class LoseSparing(Paying):
    usage = "(spare|never) <units> [then <prefs:preference...>]"
    help = "These units lose steps only if they must: others lose them, or ground is given up."
    example = "never 503s, 101s then weakest first"

    def cost(self, ask: Losses, way: str) -> tuple[int, ...]:
        return (
            sum(steps for id, steps in losers(way).items() if id in self.units),
            *Paying.cost(self, ask, way),
        )


class ExcessPreferring(LosePreferring, kind=EXCESS):
    help = "Which units are lost where units retreat into a hex that has no room for all of them."
    example = "reduced first, weakest first"


class ExcessSparing(LoseSparing, kind=EXCESS):
    help = "These units are lost last where units retreat into a hex that has no room for all of them."
    example = "spare 3/2Pz then weakest first"


# --- retreats (7.4) -----------------------------------------------------------------------------------------


class RetreatTowards(Settling[RetreatWay], kind=RETREAT):
    usage = "(toward|towards|to) <hex>"
    help = (
        "Your units that retreat end as near to this hex as they can, by the way that costs the fewest steps."
    )
    example = "toward 0118"

    hex: str

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return nearest(GRID, self.hex, ends(ask), lambda way: (ask.steps[way], way != ask.fallback))


class RetreatCheaply(Settling[RetreatWay], kind=RETREAT):
    usage = "fewest losses [then (toward|towards|to) <hex>]"
    help = (
        "Your units retreat by the way that costs the fewest steps; "
        "among equals, the one that ends nearest to this hex."
    )
    example = "fewest losses then toward 0118"

    hex: str = ""

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        def cost(way: str) -> tuple[int, ...]:
            away = GRID.distance(goals[way], self.hex) if self.hex else 0
            return ask.steps[way], away, way != ask.fallback

        goals = ends(ask)
        return min(goals, key=cost)


# --- support of headquarters (6.3) --------------------------------------------------------------------------


def enough(ask: Help, odds: str) -> bool:
    """7.2 Whether the attack is at these odds or better for the attacker; always if the line names none."""
    return not odds or COLUMNS.index(ask.column) >= COLUMNS.index(odds)


def gain(ask: Help, option: str) -> int:
    """7.2 Return the columns by which an option improves the combat for the defender."""
    return COLUMNS.index(ask.column) - COLUMNS.index(ask.after[option])


def helpers(option: str) -> tuple[str, ...]:
    """6.3 Return the headquarters of an option: "LXXXIV + IIFJ"."""
    return () if option == NONE else tuple(option.split(" + "))


class SupportWith(Policy[Help], kind=SUPPORT):
    usage = (
        "with <units> [<together:=together>] [at <odds> or better] [<changing:=when it changes the column>]"
    )
    help = (
        "The first of these headquarters that can helps (with `together`, all the German ones that can), "
        "at the odds named or better ones for the attacker."
    )
    example = "with LXXXIV when it changes the column"

    units: tuple[str, ...]
    together: bool = False
    odds: str = ""
    changing: bool = False

    def decide(self, ask: Help, earlier: Mapping[str, Any]) -> str | None:
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


class SupportAlways(Policy[Help], kind=SUPPORT):
    usage = "always [at <odds> or better] [<changing:=when it changes the column>]"
    help = (
        "Any headquarters that can helps: the choice that changes the column most, with the fewest of them."
    )
    example = "always at 2:1 or better when it changes the column"

    odds: str = ""
    changing: bool = False

    @property
    def settles(self) -> bool:
        return not self.odds and not self.changing

    def decide(self, ask: Help, earlier: Mapping[str, Any]) -> str | None:
        if not enough(ask, self.odds):
            return None
        some = [option for option in ask.options if option != NONE]
        best = max(some, key=lambda option: (gain(ask, option), -len(helpers(option))), default=None)
        return best if best and (gain(ask, best) > 0 or not self.changing) else None


class SupportNever(Fixed, kind=SUPPORT):
    usage = "never"
    help = "Only headquarters that your attacks name help."
    answer = NONE


# --- fighters and ships (10.1, 12.0) ------------------------------------------------------------------------


class FightersUpTo(Policy[Help], kind=AIR):
    usage = (
        "[up to] <number> (fighters|fighter) [at <odds> or better] [<changing:=when they change the column>]"
    )
    help = (
        "At most this many fighters defend a hex that is attacked; "
        "no more than make a difference, if you say so."
    )
    example = "up to 2 fighters when they change the column"

    number: int
    odds: str = ""
    changing: bool = False

    @property
    def settles(self) -> bool:
        return self.number > 0 and not self.odds and not self.changing

    def decide(self, ask: Help, earlier: Mapping[str, Any]) -> str | None:
        some = [option for option in ask.options if 0 < int(option) <= self.number]
        if not some or not enough(ask, self.odds):
            return None
        if not self.changing:
            return max(some, key=int)
        best = max(some, key=lambda option: (gain(ask, option), -int(option)))
        return best if gain(ask, best) > 0 else None


class FightersNever(Fixed, kind=AIR):
    usage = "never"
    help = "No fighters in defence: they are kept for your own attacks."
    answer = "0"


class GunsUpTo(Policy[Help], kind=GUNS):
    usage = "[up to] <number> (points|point) [at <odds> or better]"
    help = (
        "At most this many points of naval gunfire defend a hex that is attacked, "
        "at the odds named or better ones for the attacker."
    )
    example = "up to 2 points at 2:1 or better"

    number: int
    odds: str = ""

    @property
    def settles(self) -> bool:
        return self.number > 0 and not self.odds

    def decide(self, ask: Help, earlier: Mapping[str, Any]) -> str | None:
        some = [option for option in ask.options if 0 < int(option) <= self.number]
        return max(some, key=int) if some and enough(ask, self.odds) else None


class GunsNever(Fixed, kind=GUNS):
    usage = "never"
    help = "No naval gunfire in defence: it is kept for your own attacks."
    answer = "0"


# --- advances (7.4) -----------------------------------------------------------------------------------------


def marching(option: str) -> tuple[str, ...]:
    """7.4 Return the units of an option: "4US, 82AB"."""
    return () if option == NONE else tuple(option.split(", "))


def largest(ask: Advance, goes: Callable[[str], bool]) -> str:
    """7.4 Return the largest option in which only units advance that `goes` allows; options come largest
    first."""
    return next(
        (option for option in ask.options if option != NONE and all(map(goes, marching(option)))), NONE
    )


class AdvanceAlways(Settling[Advance], kind=ADVANCE):
    usage = "always"
    help = "As many of your units as there is room for advance into the hex that they have won."

    def decide(self, ask: Advance, earlier: Mapping[str, Any]) -> str:
        return largest(ask, lambda id: True)


class AdvanceWith(Policy[Advance], kind=ADVANCE):
    usage = "[only] with <units>"
    help = (
        "As many of these units as there is room for advance; "
        "if none of them fought, the next standing order applies."
    )
    example = "only with 4US, 9US"

    units: tuple[str, ...]

    def decide(self, ask: Advance, earlier: Mapping[str, Any]) -> str | None:
        found = largest(ask, lambda id: id in self.units)
        return found if found != NONE else None


class NeverOutOf(Policy[Advance], kind=ADVANCE):
    usage = "never out of <hexes>"
    help = (
        "Your units in these hexes stay there, and as many of the others that fought beside them "
        "as there is room for advance; for other battles the next standing order applies."
    )
    example = "never out of 0818, 0819"

    hexes: tuple[str, ...]

    def decide(self, ask: Advance, earlier: Mapping[str, Any]) -> str | None:
        if not any(hex in self.hexes for hex in ask.origins.values()):
            return None
        return largest(ask, lambda id: ask.origins[id] not in self.hexes)


class AdvanceNever(Fixed, kind=ADVANCE):
    usage = "never"
    help = "Your units stay where they attacked from."
    answer = NONE


# --- parachutists (15.0) ------------------------------------------------------------------------------------


class SetDownTowards(Settling[Ask[str]], kind=SET_DOWN):
    usage = "(toward|towards|to) <hex>"
    help = "Parachutists that do not take the hex they came down in end as near to this one as they can."
    example = "toward 0617"

    hex: str

    def decide(self, ask: Ask[str], earlier: Mapping[str, Any]) -> str:
        return nearest(GRID, self.hex, ends(ask), lambda hex: hex != ask.fallback)


POLICIES: tuple[type[Policy[Any]], ...] = (
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
