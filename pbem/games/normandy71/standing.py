"""Standing orders: how a player's decisions are taken while the player is away (gunfire, retreats, losses).

Without one, the default of the decision decides: no gunfire, the first retreat, the cheapest losses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pbem.engine.language import Kind, Policy
from pbem.engine.play import Ask
from pbem.games.normandy71 import naval
from pbem.games.normandy71.combat import Mission
from pbem.games.normandy71.retreat import RetreatWay
from pbem.games.normandy71.tables import MAP

DEFENSIVE_GUNFIRE = Kind("defensive gunfire", "NAV.B")
GUNFIRE = Kind("gunfire", "NAV.C")
RETREAT = Kind("retreat", "COM")
LOSSES = Kind("losses", "COM")

# --- gunfire --------------------------------------------------------------------------------------------


def available(ask: Mission, wanted: str, earlier: Mapping[str, Any]) -> str:
    """Return the mission to fire: the wanted kind, or the strongest for "any", if one is left after the
    answers already given; else none."""
    used = Counter(answer for answer in earlier.values() if isinstance(answer, str))
    left = [kind for kind in ask.options if kind != naval.NONE and ask.left.get(kind, 0) > used[kind]]
    if wanted == naval.ANY:
        return max(left, key=lambda kind: ask.strengths[kind]) if left else naval.NONE
    return wanted if wanted in left else naval.NONE


def odds_of(column: str) -> Fraction:
    attack, defence = column.split("-")
    return Fraction(int(attack), int(defence))


class FireOnLargest(Policy[Mission], kind=DEFENSIVE_GUNFIRE):
    usage = "<mission> on [the] largest [attack]"
    help = "This mission fires at the strongest German attack, and no other."
    example = "heavy on the largest attack"

    mission: str

    def decide(self, ask: Mission, earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier) if ask.rank == 1 else naval.NONE


class FireAtOdds(Policy[Mission], kind=DEFENSIVE_GUNFIRE):
    usage = "<mission> (if|when) [the] odds [are] at least <odds>"
    help = (
        "This mission fires at German attacks of these odds or better, the strongest attack first, "
        "as long as there are any."
    )
    example = "any if odds at least 2-1"

    mission: str
    odds: str

    def decide(self, ask: Mission, earlier: Mapping[str, Any]) -> str:
        enough = odds_of(ask.odds) >= odds_of(self.odds)
        return available(ask, self.mission, earlier) if enough else naval.NONE


class FireAlways(Policy[Mission], kind=DEFENSIVE_GUNFIRE):
    usage = "<mission>"
    help = (
        "This mission fires at every German attack, the strongest first, as long as there are any; "
        "none to save them."
    )
    example = "any"

    mission: str

    def decide(self, ask: Mission, earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier)


class SupportAlways(Policy[Mission], kind=GUNFIRE):
    usage = "<mission>"
    help = (
        "In your own attacks for which you wrote no gunfire (where markers are lifted before it is allotted)."
    )
    example = "any"

    mission: str

    def decide(self, ask: Mission, earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier)


# --- retreats of the enemy ------------------------------------------------------------------------------


def best_path(ask: RetreatWay, cost: Callable[[str], tuple[int, ...]]) -> str:
    """SUP.H Return the retreat whose end costs least, the first of equals; among those that spare the supply
    areas of the side that chooses, if there are any."""
    return min(ask.sparing, key=lambda path: cost(path.split()[-1]))


def to_road(hex: str) -> int:
    """Return how many hexes a hex is from a road, at most 3."""
    for steps in range(3):
        if MAP.grid.within(hex, steps) & MAP.road_hexes:
            return steps
    return 3


class RetreatOffRoads(Policy[RetreatWay], kind=RETREAT):
    usage = "(away from|off) [the] roads"
    help = (
        "Enemy units that you send back end as far from roads as they can, not in your supply "
        "areas if there is another way."
    )
    example = "away from roads"

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-to_road(hex),))


COAST = MAP.hexes("coastal")


def to_coast(hex: str) -> int:
    """Return how many hexes a hex is from the nearest one that is partly sea."""
    return min(MAP.grid.distance(hex, other) for other in COAST)


class RetreatInland(Policy[RetreatWay], kind=RETREAT):
    usage = "away from [the] (coast|sea)"
    help = (
        "Enemy units that you send back end as far from the coast as they can, not in your supply "
        "areas if there is another way."
    )
    example = "away from the coast"
    seats = ("allied",)

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-to_coast(hex),))


class RetreatAway(Policy[RetreatWay], kind=RETREAT):
    usage = "away from <hex>"
    help = (
        "Enemy units that you send back end as far from this hex as they can, not in your supply "
        "areas if there is another way."
    )
    example = "away from 1518"

    hex: str

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-MAP.grid.distance(hex, self.hex),))


class RetreatTowards(Policy[RetreatWay], kind=RETREAT):
    usage = "towards <hex>"
    help = (
        "Enemy units that you send back end as near to this hex as they can, not in your supply "
        "areas if there is another way."
    )
    example = "towards 6110"

    hex: str

    def decide(self, ask: RetreatWay, earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (MAP.grid.distance(hex, self.hex),))


# --- losses ---------------------------------------------------------------------------------------------


class LoseCheapest(Policy[Ask[str]], kind=LOSSES):
    usage = "cheapest"
    help = "In an exchange you lose the fewest points that satisfy it."

    def decide(self, ask: Ask[str], earlier: Mapping[str, Any]) -> str:
        return ask.options[0]


class Spare(Policy[Ask[str]], kind=LOSSES):
    usage = "spare <units>"
    help = "In an exchange these units are lost only if they must be."
    example = "spare 70, 741"

    units: tuple[str, ...]

    def decide(self, ask: Ask[str], earlier: Mapping[str, Any]) -> str | None:
        spared = set(self.units)
        return next((option for option in ask.options if not spared & set(option.split(" + "))), None)


POLICIES: tuple[type[Policy[Any]], ...] = (
    FireOnLargest,
    FireAtOdds,
    FireAlways,
    SupportAlways,
    RetreatOffRoads,
    RetreatInland,
    RetreatAway,
    RetreatTowards,
    LoseCheapest,
    Spare,
)
