"""Standing orders: how a player's decisions in mid-phase are taken while he is away.
The first standing line that has an answer decides; what no line covers goes by the default of the decision:
no reaction, the best morale leads, the fewest units are lost, nobody retreats of his own will,
headquarters go along, everybody advances one hex, and the Advantage is kept.

A line may leave a decision to the next one: ``reaction: react with 3 points: PzWest if Caen falls`` has
nothing to say while Caen holds. What a headquarters or piece does when it reacts is written under [reaction];
a standing line only says when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.engine.orders import Policy
from pbem.engine.play import Ask
from pbem.games.france44.advance import NONE as HALT
from pbem.games.france44.advantage import NO
from pbem.games.france44.control import HEXES
from pbem.games.france44.reaction import DENY, NONE, REACT
from pbem.games.france44.retreat import GOES, STAY, STAYS
from pbem.games.france44.state import ENEMY
from pbem.games.france44.tables import CHARTS, GRID, MAP, UNITS, Counter, Hex, terrains

PLACES: Mapping[str, Hex] = {name: hex for hex in HEXES for name in (*MAP.names(hex), hex)}
"""What can fall (11.3): the hexes of which it is kept who holds them, by their names and their numbers."""

# --- reactions (5.2) ----------------------------------------------------------------------------------------


def fallen(ask: Ask[Any], place: str) -> bool:
    """5.2, 11.3 Whether a place has been lost since the chit; always if a line names none."""
    return not place or PLACES[place] in ask.about["fallen"]


@dataclass(frozen=True, slots=True)
class ReactWith(Policy):
    points: int
    units: tuple[str, ...]
    place: str = ""

    kind: ClassVar[str] = "reaction"
    usage: ClassVar[str] = 'react with <points:number> (points|point) [":"] <units> [if <place> falls]'
    help: ClassVar[str] = (
        "With so many points in hand your side reacts: for 3 points one of these headquarters, "
        "for fewer these pieces; if you name a place, only if you have lost it since the chit. "
        "What they do is written under [reaction]; without that you are asked."
    )
    example: ClassVar[str] = "standing reaction: react with 3 points: PzWest if Caen falls"
    case: ClassVar[str] = "5.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if REACT not in ask.options or ask.about["points"] < self.points or not fallen(ask, self.place):
            return None
        armies = [id for id in self.units if UNITS[id].hq]
        if self.points >= CHARTS.points.army and armies and not set(armies) & set(ask.about["army"]):
            return None
        return REACT


@dataclass(frozen=True, slots=True)
class Deny(Policy):
    place: str = ""
    keep: int = 0

    kind: ClassVar[str] = "reaction"
    usage: ClassVar[str] = (
        "spend (one|a) point to deny [if <place> falls] [keeping <keep:number> (points|point)]"
    )
    help: ClassVar[str] = (
        "After a chit of the enemy a point is spent for nothing, so that he may not react himself; "
        "not if fewer points than you say would be left."
    )
    example: ClassVar[str] = "standing reaction: spend one point to deny keeping 3 points"
    case: ClassVar[str] = "5.1"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if ask.about["chit"] != ENEMY[ask.seat] or not fallen(ask, self.place):
            return None
        return DENY if ask.about["points"] - CHARTS.points.single >= self.keep else None


@dataclass(frozen=True, slots=True)
class ReactNever(Policy):
    kind: ClassVar[str] = "reaction"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Your side does not react, unless you have written `react` for this chit."
    example: ClassVar[str] = "standing reaction: never"
    case: ClassVar[str] = "5.2"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NONE


# --- the lead unit of the defence (9.3) ---------------------------------------------------------------------

LEADING: Mapping[str, Callable[[Mapping[str, Any]], int]] = {
    "best morale": lambda unit: -int(unit["morale"]),
    "worst morale": lambda unit: int(unit["morale"]),
    "most steps": lambda unit: -int(unit["steps"]),
    "infantry": lambda unit: unit["arm"] != "infantry",
    "armour": lambda unit: unit["arm"] != "armour",
}
"""Who leads is the one for whom this is least."""


def leader(ask: Ask[Any], prefs: Iterable[str], among: Iterable[str] = ()) -> str | None:
    """9.3 The unit that leads by these preferences, then the one that would lead without a line;
    of some units only, if they are named."""
    named = set(among)
    able = [id for id in ask.options if not named or id in named]
    units = ask.about["units"]
    order = list(prefs)
    return min(
        able,
        key=lambda id: (*(LEADING[pref](units[id]) for pref in order), id != ask.fallback),
        default=None,
    )


@dataclass(frozen=True, slots=True)
class LeadPreferring(Policy):
    prefs: tuple[str, ...]

    kind: ClassVar[str] = "lead"
    usage: ClassVar[str] = "<prefs:leading...>"
    help: ClassVar[str] = "Who leads your defence. The lead unit loses the first step."
    example: ClassVar[str] = "standing lead: best morale, infantry"
    case: ClassVar[str] = "9.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return leader(ask, self.prefs)


@dataclass(frozen=True, slots=True)
class LeadWith(Policy):
    units: tuple[str, ...]

    kind: ClassVar[str] = "lead"
    usage: ClassVar[str] = "with <units>"
    help: ClassVar[str] = (
        "The first of these units that defends leads; where none of them does the next line decides."
    )
    example: ClassVar[str] = "standing lead: with IIFJ, LXXXIV"
    case: ClassVar[str] = "9.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return next((id for id in self.units if id in ask.options), None)


@dataclass(frozen=True, slots=True)
class LeadSparing(Policy):
    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    kind: ClassVar[str] = "lead"
    usage: ClassVar[str] = "(spare|never) <units> [then <prefs:leading...>]"
    help: ClassVar[str] = "These units do not lead while another one can."
    example: ClassVar[str] = "standing lead: spare 1SS, 12SS then best morale"
    case: ClassVar[str] = "9.3"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        others = [id for id in ask.options if id not in self.units]
        return leader(ask, self.prefs or ("best morale", "most steps"), others)


# --- losses (9.6) -------------------------------------------------------------------------------------------

Rank = Callable[[Counter, int], int]
PREFERENCES: Mapping[str, Rank] = {
    "full first": lambda counter, left: left < len(counter.steps),
    "reduced first": lambda counter, left: left == len(counter.steps),
    "infantry first": lambda counter, left: counter.arm != "infantry",
    "armour first": lambda counter, left: counter.arm != "armour",
    "worst morale first": lambda counter, left: counter.morale,
    "weakest first": lambda counter, left: price(counter, left),
    "strongest first": lambda counter, left: -price(counter, left),
}
"""Who is named first is the one for whom this is least, given the steps that he has left."""


def price(counter: Counter, left: int) -> int:
    """3.8 What the next step of a unit is worth, in set piece and mobile strength together."""
    lost = len(counter.steps) - left
    after = sum(counter.steps[lost + 1]) if left > 1 else 0
    return sum(counter.steps[lost]) - after


def ranks(ask: Ask[Any], way: str, prefs: Iterable[str]) -> list[int]:
    """How badly a way agrees with each of these preferences, step by step."""
    steps = [
        (counter, int(ask.about["units"][id]["steps"]) - number)
        for id, count in ask.about["ways"][way].items()
        for number in range(count)
        if isinstance(counter := UNITS[id], Counter)
    ]
    return [sum(PREFERENCES[pref](counter, left) for counter, left in steps) for pref in prefs]


def dead(ask: Ask[Any], way: str, units: Iterable[str] = ()) -> int:
    """3.2 How many units a way eliminates; of some only, if they are named."""
    named = set(units)
    lost: Mapping[str, int] = ask.about["ways"][way]
    return sum(
        count >= ask.about["units"][id]["steps"] for id, count in lost.items() if not named or id in named
    )


@dataclass(frozen=True, slots=True)
class LosePreferring(Policy):
    prefs: tuple[str, ...]

    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "<prefs:preference...>"
    help: ClassVar[str] = (
        "Who loses the steps after the lead unit, which loses the first. "
        "Of equals those that lose the fewest units and the least strength."
    )
    example: ClassVar[str] = "standing losses: infantry first, full first"
    case: ClassVar[str] = "9.6"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return str(min(ask.options, key=lambda way: ranks(ask, way, self.prefs)))


@dataclass(frozen=True, slots=True)
class LoseSparing(Policy):
    units: tuple[str, ...]
    prefs: tuple[str, ...] = ()

    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "(spare|never) <units> [then <prefs:preference...>]"
    help: ClassVar[str] = (
        "These units lose a step only if it cannot be helped, even if another one is lost for it."
    )
    example: ClassVar[str] = "standing losses: spare 1SS, 12SS then infantry first"
    case: ClassVar[str] = "9.6"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        def cost(way: str) -> tuple[Any, ...]:
            lost: Mapping[str, int] = ask.about["ways"][way]
            return sum(lost.get(id, 0) for id in self.units), *ranks(ask, way, self.prefs)

        return str(min(ask.options, key=cost))


@dataclass(frozen=True, slots=True)
class LoseEvenly(Policy):
    prefs: tuple[str, ...] = ()

    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "evenly [then <prefs:preference...>]"
    help: ClassVar[str] = "As few units as can be are eliminated, and no unit loses more steps than it must."
    example: ClassVar[str] = "standing losses: evenly then weakest first"
    case: ClassVar[str] = "9.6"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        def cost(way: str) -> tuple[Any, ...]:
            most = max(ask.about["ways"][way].values(), default=0)
            return dead(ask, way), most, *ranks(ask, way, self.prefs)

        return str(min(ask.options, key=cost))


# --- retreats (9.7) -----------------------------------------------------------------------------------------


def speaks_of(hex: Hex, kinds: Iterable[str], hexes: Iterable[Hex]) -> bool:
    """9.4 Whether a line that names terrain, or hexes, speaks of a hex;
    of all of them if it names neither."""
    named, listed = set(kinds), set(hexes)
    return (not named or bool(named & {*terrains(hex)})) and (not listed or hex in listed)


def way_back(ask: Ask[Any], goal: Hex = "") -> str:
    """9.7 The way that ends nearest to a hex; without one, the way that would be taken
    by those who must go."""
    if not goal:
        return str(ask.about["best"])
    ways = [way for way in ask.options if way != STAY]
    return str(min(ways, key=lambda way: (_distance(way, goal), way != ask.about["best"])))


def _distance(way: str, hex: Hex) -> int:
    return GRID.distance(way.split()[-1], hex)


@dataclass(frozen=True, slots=True)
class StayThere(Policy):
    terrains: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "stay [in <terrains:terrain...>] [at <hexes>]"
    help: ClassVar[str] = (
        "Your units do not retreat where they need not, in this terrain or these hexes if you name some; "
        "where they must the next line decides."
    )
    example: ClassVar[str] = "standing retreat: stay in city, fortress, rough"
    case: ClassVar[str] = "9.7"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        if ask.about["must"] or not speaks_of(ask.about["hex"], self.terrains, self.hexes):
            return None
        return STAY


@dataclass(frozen=True, slots=True)
class GiveGround(Policy):
    terrains: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    steps: int = 0
    """Only with so many steps left, or fewer; 0 for any number."""
    hex: str = ""

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = (
        "give ground {in <terrains:terrain...> | (toward|towards|to) <hex> | at <hexes> | "
        "with <steps:number> (steps|step) or fewer}"
    )
    help: ClassVar[str] = (
        "Your units retreat even where they need not, if that spares a hit: in this terrain, in these hexes, "
        "or when a stack has so few steps left."
    )
    example: ClassVar[str] = "standing retreat: give ground in clear with 4 steps or fewer toward 2113"
    case: ClassVar[str] = "9.7"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        weak = not self.steps or sum(ask.about["steps"].values()) <= self.steps
        if not weak or not speaks_of(ask.about["hex"], self.terrains, self.hexes):
            return None
        if not ask.about["must"] and not ask.about["hits"]:
            return STAY
        return way_back(ask, self.hex)


@dataclass(frozen=True, slots=True)
class RetreatTowards(Policy):
    hex: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "(toward|towards|to) <hex>"
    help: ClassVar[str] = (
        "Your units that must retreat end as near to this hex as they can; "
        "whether those go that need not is for other lines."
    )
    example: ClassVar[str] = "standing retreat: toward 2113"
    case: ClassVar[str] = "9.7"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return way_back(ask, self.hex) if ask.about["must"] else None


# --- headquarters (4.10) ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeadquartersGo(Policy):
    units: tuple[str, ...] = ()

    kind: ClassVar[str] = "headquarters"
    usage: ClassVar[str] = "[<units>] (go|goes) along"
    help: ClassVar[str] = "These headquarters, or all, go along with the stack that retreats."
    example: ClassVar[str] = "standing headquarters: go along"
    case: ClassVar[str] = "4.10"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return GOES if not self.units or ask.about["hq"] in self.units else None


@dataclass(frozen=True, slots=True)
class HeadquartersStay(Policy):
    units: tuple[str, ...] = ()

    kind: ClassVar[str] = "headquarters"
    usage: ClassVar[str] = "[<units>] (stay|stays)"
    help: ClassVar[str] = (
        "These headquarters, or all, stay when their stack retreats; "
        "alone beside a full or reduced enemy they disperse."
    )
    example: ClassVar[str] = "standing headquarters: AOK7 stays"
    case: ClassVar[str] = "4.10"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return STAYS if not self.units or ask.about["hq"] in self.units else None


# --- advances (9.8) -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AdvanceAlways(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "always"
    help: ClassVar[str] = (
        "Each of your units that has attacked goes into the hex that was vacated, and stops there."
    )
    example: ClassVar[str] = "standing advance: always"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return str(ask.about["first"])


@dataclass(frozen=True, slots=True)
class AdvanceTowards(Policy):
    hex: str

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "(toward|towards|to) <hex>"
    help: ClassVar[str] = (
        "Each unit advances one hex or two, to end as near to this hex as it can; "
        "who would come no nearer stays where he is."
    )
    example: ClassVar[str] = "standing advance: toward 1411"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        here = GRID.distance(ask.about["from"], self.hex)
        ways = [way for way in ask.options if way != HALT and _distance(way, self.hex) < here]
        return str(min(ways, key=lambda way: (_distance(way, self.hex), len(way)), default=HALT))


@dataclass(frozen=True, slots=True)
class AdvanceWith(Policy):
    units: tuple[str, ...]

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "only with <units>"
    help: ClassVar[str] = "Of your units only these advance, by the next line that says how, or one hex."
    example: ClassVar[str] = "standing advance: only with 2AD/US, 3AD/US"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return None if ask.about["unit"] in self.units else HALT


@dataclass(frozen=True, slots=True)
class AdvanceArm(Policy):
    arm: str

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "only <arm>"
    help: ClassVar[str] = (
        "Only armour, or only infantry, advances, by the next line that says how, or one hex."
    )
    example: ClassVar[str] = "standing advance: only armour"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return None if ask.about["arm"] == self.arm else HALT


@dataclass(frozen=True, slots=True)
class NeverOutOf(Policy):
    hexes: tuple[str, ...]

    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never out of <hexes>"
    help: ClassVar[str] = "Your units in these hexes stay there; of others the next line decides."
    example: ClassVar[str] = "standing advance: never out of 1409, 3408"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        return HALT if ask.about["from"] in self.hexes else None


@dataclass(frozen=True, slots=True)
class AdvanceNever(Policy):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "Your units stay where they attacked from."
    example: ClassVar[str] = "standing advance: never"
    case: ClassVar[str] = "9.8"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return HALT


# --- the Advantage (12.10) ----------------------------------------------------------------------------------

DICE = ("attack morale", "attack hits", "defence morale", "defence hits", "air support")


def thrown(ask: Ask[Any], die: str, role: str, hexes: Iterable[Hex]) -> int | None:
    """12.10 The face of a die that has just been thrown, in a combat in which one has this role
    and at one of these hexes if a line names them; None if it was not."""
    listed = set(hexes)
    if role and role != ("attack" if ask.about["attacker"] == ask.seat else "defend"):
        return None
    if listed and not listed & set(str(ask.about["what"]).split()):
        return None
    face = ask.about["faces"].get(die)
    return None if face is None else int(face)


@dataclass(frozen=True, slots=True)
class ThrowHigh(Policy):
    die: str
    face: int
    hexes: tuple[str, ...] = ()
    role: str = ""

    kind: ClassVar[str] = "advantage"
    usage: ClassVar[str] = "throw <die> again on <face:number> or more [when we <role>] [at <hexes>]"
    help: ClassVar[str] = (
        "This die is thrown again if it shows so much or more; only when you attack or defend, "
        "and in combats at these hexes, if you say so. Faces run from 1 to 6, those of hits too."
    )
    example: ClassVar[str] = "standing advantage: throw air support again on 5 or more"
    case: ClassVar[str] = "12.10"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        face = thrown(ask, self.die, self.role, self.hexes)
        return self.die if face is not None and face >= self.face else None


@dataclass(frozen=True, slots=True)
class ThrowLow(Policy):
    die: str
    face: int
    hexes: tuple[str, ...] = ()
    role: str = ""

    kind: ClassVar[str] = "advantage"
    usage: ClassVar[str] = "throw <die> again on <face:number> or less [when we <role>] [at <hexes>]"
    help: ClassVar[str] = (
        "This die is thrown again if it shows so little or less; only when you attack or defend, "
        "and in combats at these hexes, if you say so. Low morale dice are good for whoever throws them, "
        "low dice of hits spare him losses."
    )
    example: ClassVar[str] = (
        "standing advantage: throw defence morale again on 2 or less when we attack at 1410"
    )
    case: ClassVar[str] = "12.10"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        face = thrown(ask, self.die, self.role, self.hexes)
        return self.die if face is not None and face <= self.face else None


@dataclass(frozen=True, slots=True)
class AdvantageNever(Policy):
    kind: ClassVar[str] = "advantage"
    usage: ClassVar[str] = "never"
    help: ClassVar[str] = "The Advantage is kept."
    example: ClassVar[str] = "standing advantage: never"
    case: ClassVar[str] = "12.10"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return NO


POLICIES: tuple[type[Policy], ...] = (
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
