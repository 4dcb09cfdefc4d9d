"""Standing orders: how a player's decisions in mid-phase are taken while the player is away.
The first standing order that has an answer decides; without one, the default of the decision does: no
reaction, the best morale leads, the fewest units are lost, no unit retreats unless it must, headquarters go
along, every unit advances one hex, and the Advantage is kept.

A standing order may leave a decision to the next one: ``reaction: react with 3 points: PzWest if Caen falls``
does not decide while Caen holds. What a headquarters or piece does when it reacts is written under
[reaction]; a standing order only says when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.engine.language import Kind, Policy
from pbem.games.france44.advance import NONE as HALT
from pbem.games.france44.advance import AdvanceWay
from pbem.games.france44.advantage import NO, Reroll
from pbem.games.france44.combat import Lead
from pbem.games.france44.control import HEXES
from pbem.games.france44.losses import Losses
from pbem.games.france44.reaction import DENY, NONE, REACT, Opportunity
from pbem.games.france44.retreat import GOES, STAY, STAYS, GoAlong, RetreatWay
from pbem.games.france44.state import ENEMY
from pbem.games.france44.tables import CHARTS, GRID, MAP, UNITS, Counter, Hex, terrains
from pbem.wargame.policies import Fixed, Rank, ends, first, nearest

REACTION = Kind("reaction", "5.2")
LEAD = Kind("lead", "9.3")
LOSSES = Kind("losses", "9.6")
RETREAT = Kind("retreat", "9.7")
HEADQUARTERS = Kind("headquarters", "4.10")
ADVANCE = Kind("advance", "9.8")
ADVANTAGE = Kind("advantage", "12.10")

PLACES: Mapping[str, Hex] = {name: hex for hex in HEXES for name in (*MAP.names(hex), hex)}
"""What can fall (11.3): the hexes whose control is recorded, by their names and their numbers."""

# --- reactions (5.2) ----------------------------------------------------------------------------------------


def fallen(ask: Opportunity, place: str) -> bool:
    """5.2, 11.3 Whether a place has been lost since the chit; always if the line names none."""
    return not place or PLACES[place] in ask.fallen


class ReactWith(Policy[Opportunity], kind=REACTION):
    usage = 'react with <points:number 1..> (points|point) [":"] <units> [if <place> falls]'
    help = (
        "Your side reacts if it has this many points: for 3 points one of these headquarters, "
        "for fewer these pieces; if you name a place, only if you have lost it since the chit. "
        "What they do is written under [reaction]; otherwise you are asked."
    )
    example = "react with 3 points: PzWest if Caen falls"

    points: int
    units: tuple[str, ...]
    place: str = ""

    def decide(self, ask: Opportunity, earlier: Mapping[str, Any]) -> str | None:
        if REACT not in ask.options or ask.points < self.points or not fallen(ask, self.place):
            return None
        armies = [id for id in self.units if UNITS[id].hq]
        if self.points >= CHARTS.points.army and armies and not set(armies) & set(ask.army):
            return None
        return REACT


class Deny(Policy[Opportunity], kind=REACTION, case="5.1"):
    usage = "spend (one|a) point to deny [if <place> falls] [keeping <keep:number 0..> (points|point)]"
    help = (
        "After an enemy chit, spends a point to deny the enemy a reaction to it; "
        "not if that would leave you fewer points than you say."
    )
    example = "spend one point to deny keeping 3 points"

    place: str = ""
    keep: int = 0

    def decide(self, ask: Opportunity, earlier: Mapping[str, Any]) -> str | None:
        if ask.chit != ENEMY[ask.seat] or not fallen(ask, self.place):
            return None
        return DENY if ask.points - CHARTS.points.single >= self.keep else None


class ReactNever(Fixed, kind=REACTION):
    usage = "never"
    help = "Your side does not react, unless you have written `react` for this chit."
    answer = NONE


# --- the lead unit of the defence (9.3) ---------------------------------------------------------------------

LEADING: Mapping[str, Rank[Lead]] = {
    "best morale": lambda id, ask: -ask.units[id].morale,
    "worst morale": lambda id, ask: ask.units[id].morale,
    "most steps": lambda id, ask: -ask.units[id].steps,
    "infantry": lambda id, ask: ask.units[id].arm != "infantry",
    "armour": lambda id, ask: ask.units[id].arm != "armour",
}
"""The unit for which this is least leads."""


def leader(ask: Lead, prefs: Iterable[str], among: Iterable[str]) -> str | None:
    """9.3 Return the unit that leads by these preferences, then the one that would lead without a line;
    of all units that can if `among` is empty."""
    return first(ask, LEADING, prefs, tuple(among) or ask.options, lambda id: id != ask.fallback)


class LeadPreferring(Policy[Lead], kind=LEAD):
    usage = "<prefs:leading...>"
    help = "Which unit leads your defence. The lead unit loses the first step."
    example = "best morale, infantry"

    prefs: tuple[str, ...]

    def decide(self, ask: Lead, earlier: Mapping[str, Any]) -> str | None:
        return leader(ask, self.prefs, ask.options)


class LeadWith(Policy[Lead], kind=LEAD):
    usage = "with <units>"
    help = (
        "The first of these units that defends leads; if none of them does, the next standing order applies."
    )
    example = "with IIFJ, LXXXIV"

    units: tuple[str, ...]

    def decide(self, ask: Lead, earlier: Mapping[str, Any]) -> str | None:
        return next((id for id in self.units if id in ask.options), None)


class LeadSparing(Policy[Lead], kind=LEAD):
    usage = "(spare|never) <units> [then <prefs:leading...>]"
    help = "These units do not lead while another one can."
    example = "spare 1SS, 12SS then best morale"

    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    def decide(self, ask: Lead, earlier: Mapping[str, Any]) -> str | None:
        others = [id for id in ask.options if id not in self.units]
        return leader(ask, self.prefs or ("best morale", "most steps"), others)


# --- losses (9.6) -------------------------------------------------------------------------------------------

PREFERENCES: Mapping[str, Callable[[Counter, int], int]] = {
    "full first": lambda counter, left: left < len(counter.steps),
    "reduced first": lambda counter, left: left == len(counter.steps),
    "infantry first": lambda counter, left: counter.arm != "infantry",
    "armour first": lambda counter, left: counter.arm != "armour",
    "worst morale first": lambda counter, left: counter.morale,
    "weakest first": lambda counter, left: price(counter, left),
    "strongest first": lambda counter, left: -price(counter, left),
}
"""The unit for which this is least is named first, given the steps that it has left."""


def price(counter: Counter, left: int) -> int:
    """3.8 Return what the next step of a unit is worth, in set piece and mobile strength together."""
    lost = len(counter.steps) - left
    after = sum(counter.steps[lost + 1]) if left > 1 else 0
    return sum(counter.steps[lost]) - after


def ranks(ask: Losses, way: str, prefs: Iterable[str]) -> list[int]:
    """Return how badly a way agrees with each of these preferences, step by step."""
    steps = [
        (counter, ask.steps[id] - number)
        for id, count in ask.ways[way].items()
        for number in range(count)
        if isinstance(counter := UNITS[id], Counter)
    ]
    return [sum(PREFERENCES[pref](counter, left) for counter, left in steps) for pref in prefs]


def dead(ask: Losses, way: str, units: Iterable[str] = ()) -> int:
    """3.2 Return how many units a way eliminates; only of `units`, if any are named."""
    named = set(units)
    return sum(count >= ask.steps[id] for id, count in ask.ways[way].items() if not named or id in named)


class LosePreferring(Policy[Losses], kind=LOSSES):
    usage = "<prefs:preference...>"
    help = (
        "Which units lose steps after the lead unit, which loses the first. "
        "Among equals, the choice that loses the fewest units and the least strength."
    )
    example = "infantry first, full first"

    prefs: tuple[str, ...]

    def decide(self, ask: Losses, earlier: Mapping[str, Any]) -> str:
        return min(ask.options, key=lambda way: ranks(ask, way, self.prefs))


class LoseSparing(Policy[Losses], kind=LOSSES):
    usage = "(spare|never) <units> [then <prefs:preference...>]"
    help = "These units lose steps only if they must, even if another unit is eliminated instead."
    example = "spare 1SS, 12SS then infantry first"

    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    def decide(self, ask: Losses, earlier: Mapping[str, Any]) -> str:
        def cost(way: str) -> tuple[Any, ...]:
            return sum(ask.ways[way].get(id, 0) for id in self.units), *ranks(ask, way, self.prefs)

        return min(ask.options, key=cost)


class LoseEvenly(Policy[Losses], kind=LOSSES):
    usage = "evenly [then <prefs:preference...>]"
    help = "As few units as possible are eliminated, and no unit loses more steps than it must."
    example = "evenly then weakest first"

    prefs: tuple[str, ...] = ()

    def decide(self, ask: Losses, earlier: Mapping[str, Any]) -> str:
        def cost(way: str) -> tuple[Any, ...]:
            most = max(ask.ways[way].values(), default=0)
            return dead(ask, way), most, *ranks(ask, way, self.prefs)

        return min(ask.options, key=cost)


# --- retreats (9.7) -----------------------------------------------------------------------------------------


def speaks_of(hex: Hex, kinds: Iterable[str], hexes: Iterable[Hex]) -> bool:
    """9.4 Whether a line that names terrain or hexes is about a hex; a line that names neither is about
    all."""
    named, listed = set(kinds), set(hexes)
    return (not named or bool(named & {*terrains(hex)})) and (not listed or hex in listed)


def way_back(ask: RetreatWay, goal: Hex = "") -> str:
    """9.7 Return the way that ends nearest to a hex; without one, the way that units take which must
    retreat."""
    if not goal:
        return ask.best
    return nearest(GRID, goal, ends(ask, leaving=(STAY,)), lambda way: way != ask.best)


class StayThere(Policy[RetreatWay], kind=RETREAT):
    usage = "stay [in <terrains:terrain...>] [at <hexes>]"
    help = (
        "Your units do not retreat unless they must, in this terrain or these hexes if you name any; "
        "where they must, the next standing order applies."
    )
    example = "stay in city, fortress, rough"

    terrains: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str | None:
        if ask.must or not speaks_of(ask.hex, self.terrains, self.hexes):
            return None
        return STAY


class GiveGround(Policy[RetreatWay], kind=RETREAT):
    usage = (
        "give ground {in <terrains:terrain...> | (toward|towards|to) <hex> | at <hexes> | "
        "with <steps:number 1..> (steps|step) or fewer}"
    )
    help = (
        "Your units retreat even where they need not, if that spares a hit: in this terrain, in these hexes, "
        "or when the stack has at most this many steps left."
    )
    example = "give ground in clear with 4 steps or fewer toward 2113"

    terrains: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    steps: int = 0
    """Only with at most this many steps left; 0 for any number."""
    hex: str = ""

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str | None:
        weak = not self.steps or ask.steps <= self.steps
        if not weak or not speaks_of(ask.hex, self.terrains, self.hexes):
            return None
        if not ask.must and not ask.hits:
            return STAY
        return way_back(ask, self.hex)


class RetreatTowards(Policy[RetreatWay], kind=RETREAT):
    usage = "(toward|towards|to) <hex>"
    help = (
        "Your units that must retreat end as near to this hex as they can; "
        "other standing orders decide whether units retreat that need not."
    )
    example = "toward 2113"

    hex: str

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str | None:
        return way_back(ask, self.hex) if ask.must else None


# --- headquarters (4.10) ------------------------------------------------------------------------------------


class HeadquartersGo(Policy[GoAlong], kind=HEADQUARTERS):
    usage = "[<units>] (go|goes) along"
    help = "These headquarters, or all, retreat with their stack."
    example = "go along"

    units: tuple[str, ...] = ()

    def decide(self, ask: GoAlong, earlier: Mapping[str, Any]) -> str | None:
        return GOES if not self.units or ask.hq in self.units else None


class HeadquartersStay(Policy[GoAlong], kind=HEADQUARTERS):
    usage = "[<units>] (stay|stays)"
    help = (
        "These headquarters, or all, stay when their stack retreats; "
        "alone next to a full-strength or reduced enemy unit they disperse."
    )
    example = "AOK7 stays"

    units: tuple[str, ...] = ()

    def decide(self, ask: GoAlong, earlier: Mapping[str, Any]) -> str | None:
        return STAYS if not self.units or ask.hq in self.units else None


# --- advances (9.8) -----------------------------------------------------------------------------------------


class AdvanceAlways(Policy[AdvanceWay], kind=ADVANCE):
    usage = "always"
    help = "Each of your units that attacked enters the vacated hex and stops there."

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str:
        return ask.first


class AdvanceTowards(Policy[AdvanceWay], kind=ADVANCE):
    usage = "(toward|towards|to) <hex>"
    help = (
        "Each unit advances one hex or two, to end as near to this hex as it can; "
        "a unit that would come no nearer stays put."
    )
    example = "toward 1411"

    hex: str

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str:
        ways = {HALT: ask.start} | ends(ask, leaving=(HALT,))
        return nearest(GRID, self.hex, ways, lambda way: 0 if way == HALT else len(way))


class AdvanceWith(Policy[AdvanceWay], kind=ADVANCE):
    usage = "only with <units>"
    help = "Only these of your units advance: as the next standing order says, or one hex."
    example = "only with 2AD/US, 3AD/US"

    units: tuple[str, ...]

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str | None:
        return None if ask.unit in self.units else HALT


class AdvanceArm(Policy[AdvanceWay], kind=ADVANCE):
    usage = "only <arm>"
    help = "Only armour, or only infantry, advances: as the next standing order says, or one hex."
    example = "only armour"

    arm: str

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str | None:
        return None if ask.arm == self.arm else HALT


class NeverOutOf(Policy[AdvanceWay], kind=ADVANCE):
    usage = "never out of <hexes>"
    help = "Your units in these hexes stay there; for other units the next standing order applies."
    example = "never out of 1409, 3408"

    hexes: tuple[str, ...]

    def decide(self, ask: AdvanceWay, earlier: Mapping[str, Any]) -> str | None:
        return HALT if ask.start in self.hexes else None


class AdvanceNever(Fixed, kind=ADVANCE):
    usage = "never"
    help = "Your units stay where they attacked from."
    answer = HALT


# --- the Advantage (12.10) ----------------------------------------------------------------------------------

DICE = ("attack morale", "attack hits", "defence morale", "defence hits", "air support")


def thrown(ask: Reroll, die: str, role: str, hexes: Iterable[Hex]) -> int | None:
    """12.10 Return the face of a die that has just been rolled, in a combat in which the side has this role
    and at one of these hexes, if the line names them; None if it was not."""
    listed = set(hexes)
    if role and role != ("attack" if ask.attacker == ask.seat else "defend"):
        return None
    if listed and not listed & set(ask.what.split()):
        return None
    return ask.faces.get(die)


class ThrowHigh(Policy[Reroll], kind=ADVANTAGE):
    usage = "throw <die> again on <face:number 1..6> or more [when we <role>] [at <hexes>]"
    help = (
        "Rerolls this die if it shows this or more; only when you attack or defend, "
        "and in combats at these hexes, if you say so. Faces run from 1 to 6, also on the dice for hits."
    )
    example = "throw air support again on 5 or more"

    die: str
    face: int
    hexes: tuple[str, ...] = ()
    role: str = ""

    def decide(self, ask: Reroll, earlier: Mapping[str, Any]) -> str | None:
        face = thrown(ask, self.die, self.role, self.hexes)
        return self.die if face is not None and face >= self.face else None


class ThrowLow(Policy[Reroll], kind=ADVANTAGE):
    usage = "throw <die> again on <face:number 1..6> or less [when we <role>] [at <hexes>]"
    help = (
        "Rerolls this die if it shows this or less; only when you attack or defend, "
        "and in combats at these hexes, if you say so. Low morale dice are good for the side that "
        "rolls them, low dice for hits spare it losses."
    )
    example = "throw defence morale again on 2 or less when we attack at 1410"

    die: str
    face: int
    hexes: tuple[str, ...] = ()
    role: str = ""

    def decide(self, ask: Reroll, earlier: Mapping[str, Any]) -> str | None:
        face = thrown(ask, self.die, self.role, self.hexes)
        return self.die if face is not None and face <= self.face else None


class AdvantageNever(Fixed, kind=ADVANTAGE):
    usage = "never"
    help = "The Advantage is kept."
    answer = NO


POLICIES: tuple[type[Policy[Any]], ...] = (
    ReactWith,
    Deny,
    ReactNever,
    LeadPreferring,
    LeadWith,
    LeadSparing,
    LosePreferring,
    LoseSparing,
    LoseEvenly,
    StayThere,
    GiveGround,
    RetreatTowards,
    HeadquartersGo,
    HeadquartersStay,
    AdvanceAlways,
    AdvanceTowards,
    AdvanceWith,
    AdvanceArm,
    NeverOutOf,
    AdvanceNever,
    ThrowHigh,
    ThrowLow,
    AdvantageNever,
)
WORDS: Mapping[str, tuple[str, ...]] = {
    "place": tuple(PLACES),
    "leading": tuple(LEADING),
    "preference": tuple(PREFERENCES),
    "terrain": ("clear", "rough", "city", "fortress"),
    "arm": ("armour", "infantry"),
    "die": DICE,
    "role": ("attack", "defend"),
}
"""The vocabularies of these lines."""
