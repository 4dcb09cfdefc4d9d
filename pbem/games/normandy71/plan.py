"""What the planner must know (engine/planner.py): ways to play, a guess at the result, what a side cannot see,
and attacks chosen among all.

The Allies cannot gain everything: each of their stances sends divisions to edges of the map and cities that
go together, and lands where the way there is short. The German ones differ in how much they dare, and stand
where one unit takes points from the Allies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.game import Plan
from pbem.engine.language import Order
from pbem.games.normandy71.allocation import Allocation
from pbem.games.normandy71.bot import GREEDY, Errand, Stance, judge
from pbem.games.normandy71.guess import sample
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.orders import Drop, Land, Supply
from pbem.games.normandy71.state import Hex, State
from pbem.games.normandy71 import victory

ALLIED = replace(GREEDY["allied"], choosy=True, prize=0.3)
GERMAN = replace(GREEDY["german"], deny=1.0, choosy=True)


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a plan of invasion differs from the default one."""

    supply: tuple[str, ...] = ()
    drops: Mapping[str, Hex] = field(default_factory=dict)
    beaches: Mapping[str, str] = field(default_factory=dict)


LANDINGS: Mapping[str, Landing] = {
    "": Landing(),
    "north": Landing(
        drops={"505/82": "5434", "507/82": "5433", "508/82": "5533", "502/101": "5432", "506/101": "5331"}
    ),
    "utah": Landing(
        supply=("1 Utah", "3 Utah", "8 Omaha", "11 Gold", "14 Juno"),
        beaches={"16/1": "1 Utah", "741": "1 Utah"},
    ),
    "both": Landing(
        supply=("1 Utah", "3 Utah", "8 Omaha", "11 Gold", "14 Juno"),
        beaches={"16/1": "1 Utah", "741": "1 Utah"},
        drops={"505/82": "5434", "507/82": "5433", "508/82": "5533", "502/101": "5432", "506/101": "5331"},
    ),
    "one": Landing(supply=("8 Omaha", "11 Gold", "14 Juno", "16 Sword")),
    "centre": Landing(supply=("11 Gold", "14 Juno", "16 Sword")),
}

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "allied": {
        "east": replace(ALLIED, errands=(Errand("east", ("UK 3", "UK 6", "UK 27")),), keep=1.0),
        "choosy": ALLIED,
    },
    "german": {"deny": GERMAN},
}


def orders(state: State, desk: Any, stance: Stance) -> Iterator[Order]:
    """The invasion plan of a stance; attacks, those that gain most first."""
    match desk:
        case InvasionPlan():
            yield from landing(desk, LANDINGS[stance.landing])
        case Allocation() if stance.choosy:
            yield from attacks(state, desk, stance)


def landing(desk: InvasionPlan, wanted: Landing) -> Iterator[Order]:
    """The lines of the plan that are not in it yet."""
    plan = desk.plan
    for id, beach in wanted.beaches.items():
        if id not in plan.beaches.get(beach, ()):
            yield Land((id,), beach)
    if wanted.supply and tuple(plan.supply) != wanted.supply:
        yield Supply(wanted.supply)
    for id, hex in wanted.drops.items():
        if plan.drops.get(id) != hex:
            yield Drop((id,), hex)


def attacks(state: State, desk: Allocation, stance: Stance) -> Iterator[Order]:
    """All attacks that gain something, the best first."""
    rate = judge(state, desk, stance)
    found = [(rate(order), order) for hex in desk.subjects() for order in desk.options(hex)]
    yield from (order for worth, order in sorted(found, key=lambda each: -each[0]) if worth > 0)


def score(state: State, side: str) -> float:
    """The Allied points, or less than none for the Germans."""
    points = float(victory.score(state).ground)
    return points if side == "allied" else -points


PLAN: Plan[State] = Plan(stances=STANCES, judge=judge, score=score, sample=sample, orders=orders)
