"""Standing orders: how a player's decisions in the other's turn are taken while he is away (gunfire,
retreats, losses).

What no line covers is answered by the decision's own default: no gunfire, the first retreat,
the cheapest losses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from pbem.engine.orders import Policy
from pbem.engine.play import Ask
from pbem.games.normandy71 import naval
from pbem.games.normandy71.tables import MAP

# --- gunfire --------------------------------------------------------------------------------------------


def available(ask: Ask[Any], wanted: str, earlier: Mapping[str, Any]) -> str:
    """The mission to fire: the wanted kind, or the strongest for "any", if one is left after the answers
    already given; else none."""
    used = Counter(answer for answer in earlier.values() if isinstance(answer, str))
    left = [
        kind for kind in ask.options if kind != naval.NONE and ask.about["left"].get(kind, 0) > used[kind]
    ]
    if wanted == naval.ANY:
        return max(left, key=lambda kind: ask.about["strengths"][kind]) if left else naval.NONE
    return wanted if wanted in left else naval.NONE


def odds_of(column: str) -> Fraction:
    attack, defence = column.split("-")
    return Fraction(int(attack), int(defence))


@dataclass(frozen=True, slots=True)
class FireOnLargest(Policy):
    mission: str

    kind: ClassVar[str] = "defensive gunfire"
    usage: ClassVar[str] = "<mission> on [the] largest [attack]"
    help: ClassVar[str] = "This mission fires at the strongest German attack, and no other."
    example: ClassVar[str] = "standing defensive gunfire: heavy on the largest attack"
    case: ClassVar[str] = "NAV.B"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier) if ask.about["rank"] == 1 else naval.NONE


@dataclass(frozen=True, slots=True)
class FireAtOdds(Policy):
    mission: str
    odds: str

    kind: ClassVar[str] = "defensive gunfire"
    usage: ClassVar[str] = "<mission> (if|when) [the] odds [are] at least <odds>"
    help: ClassVar[str] = (
        "This mission fires at German attacks of these odds or better, the strongest attack first, "
        "as long as there are any."
    )
    example: ClassVar[str] = "standing defensive gunfire: any if odds at least 2-1"
    case: ClassVar[str] = "NAV.B"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        enough = odds_of(ask.about["odds"]) >= odds_of(self.odds)
        return available(ask, self.mission, earlier) if enough else naval.NONE


@dataclass(frozen=True, slots=True)
class FireAlways(Policy):
    mission: str

    kind: ClassVar[str] = "defensive gunfire"
    usage: ClassVar[str] = "<mission>"
    help: ClassVar[str] = (
        "This mission fires at every German attack, the strongest first, as long as there are any; "
        "none to save them."
    )
    example: ClassVar[str] = "standing defensive gunfire: any"
    case: ClassVar[str] = "NAV.B"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier)


@dataclass(frozen=True, slots=True)
class SupportAlways(Policy):
    mission: str

    kind: ClassVar[str] = "gunfire"
    usage: ClassVar[str] = "<mission>"
    help: ClassVar[str] = (
        "In your own attacks for which you wrote no gunfire (where markers are lifted before it is allotted)."
    )
    example: ClassVar[str] = "standing gunfire: any"
    case: ClassVar[str] = "NAV.C"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return available(ask, self.mission, earlier)


# --- retreats of the enemy ------------------------------------------------------------------------------


def best_path(ask: Ask[Any], cost: Callable[[str], tuple[int, ...]]) -> str:
    """SUP.H The retreat whose end costs least, the first of equals; of those that spare the router's own
    supply areas if there are any."""
    return str(min(ask.about["ways"], key=lambda path: cost(path.split()[-1])))


def to_road(hex: str) -> int:
    """How many hexes a hex is from a road, three at most."""
    for steps in range(3):
        if MAP.grid.within(hex, steps) & MAP.road_hexes:
            return steps
    return 3


@dataclass(frozen=True, slots=True)
class RetreatOffRoads(Policy):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "(away from|off) [the] roads"
    help: ClassVar[str] = (
        "Enemy units that you send back end as far from roads as they can, not in your supply "
        "areas if there is another way."
    )
    example: ClassVar[str] = "standing retreat: away from roads"
    case: ClassVar[str] = "COM"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-to_road(hex),))


COAST = MAP.hexes("coastal")


def to_coast(hex: str) -> int:
    """How many hexes a hex is from the nearest that is partly sea."""
    return min(MAP.grid.distance(hex, other) for other in COAST)


@dataclass(frozen=True, slots=True)
class RetreatInland(Policy):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "away from [the] (coast|sea)"
    help: ClassVar[str] = (
        "Enemy units that you send back end as far from the coast as they can, not in your supply "
        "areas if there is another way."
    )
    example: ClassVar[str] = "standing retreat: away from the coast"
    case: ClassVar[str] = "COM"
    seats: ClassVar[tuple[str, ...]] = ("allied",)

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-to_coast(hex),))


@dataclass(frozen=True, slots=True)
class RetreatAway(Policy):
    hex: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "away from <hex>"
    help: ClassVar[str] = (
        "Enemy units that you send back end as far from this hex as they can, not in your supply "
        "areas if there is another way."
    )
    example: ClassVar[str] = "standing retreat: away from 1518"
    case: ClassVar[str] = "COM"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (-MAP.grid.distance(hex, self.hex),))


@dataclass(frozen=True, slots=True)
class RetreatTowards(Policy):
    hex: str

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "towards <hex>"
    help: ClassVar[str] = (
        "Enemy units that you send back end as near to this hex as they can, not in your supply "
        "areas if there is another way."
    )
    example: ClassVar[str] = "standing retreat: towards 6110"
    case: ClassVar[str] = "COM"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return best_path(ask, lambda hex: (MAP.grid.distance(hex, self.hex),))


# --- losses ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoseCheapest(Policy):
    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "cheapest"
    help: ClassVar[str] = "In an exchange the fewest points are lost that are enough."
    example: ClassVar[str] = "standing losses: cheapest"
    case: ClassVar[str] = "COM"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str:
        return str(ask.options[0])


@dataclass(frozen=True, slots=True)
class Spare(Policy):
    units: tuple[str, ...]

    kind: ClassVar[str] = "losses"
    usage: ClassVar[str] = "spare <units>"
    help: ClassVar[str] = "In an exchange these units are lost only if it cannot be helped."
    example: ClassVar[str] = "standing losses: spare 70, 741"
    case: ClassVar[str] = "COM"

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> str | None:
        spared = set(self.units)
        return next((option for option in ask.options if not spared & set(option.split(" + "))), None)


POLICIES: tuple[type[Policy], ...] = (
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
