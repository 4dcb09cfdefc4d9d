"""What the planner must know (engine/planner.py): ways to play, a guess at the result, and orders of its own.

The Allies cannot gain everything. Each of their stances lands where the way to some of the goals is short,
and sends divisions to them: three regiments that leave by an edge of the map bring more than any city. The
Germans take points back with single units: one beside a city, or beside a road by which a division has left,
is enough. What a side cannot see is drawn anew in guess.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.game import Plan
from pbem.engine.language import Order
from pbem.games.normandy71 import victory
from pbem.games.normandy71.allocation import Allocation
from pbem.games.normandy71.bot import CITIES, GREEDY, Errand, Stance, goals, judge, to_city
from pbem.games.normandy71.deployment import GermanSetup
from pbem.games.normandy71.guess import sample
from pbem.games.normandy71.invasion_plan import InvasionPlan
from pbem.games.normandy71.orders import Drop, Land, Place, Supply
from pbem.games.normandy71.state import Hex, State
from pbem.games.normandy71.tables import CHARTS, GRID

# --- where the Allies land ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beachhead:
    """Where a plan of invasion differs from the default one."""

    supply: tuple[str, ...] = ()
    beaches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    drops: Mapping[str, Hex] = field(default_factory=dict)


NORTHERN = {"505/82": "5434", "507/82": "5433", "508/82": "5533", "502/101": "5432", "506/101": "5331"}
"""Drops on the road north and its exit, before the Germans of the north can enter there."""

LANDINGS: Mapping[str, Beachhead] = {
    "": Beachhead(),
    "utah": Beachhead(
        supply=("1 Utah", "3 Utah", "8 Omaha", "11 Gold", "14 Juno"),
        beaches={"1 Utah": ("16/1", "741")},
        drops=NORTHERN,
    ),
    "utah and omaha": Beachhead(
        supply=("1 Utah", "3 Utah", "5 Omaha", "7 Omaha", "8 Omaha"),
        beaches={
            "1 Utah": ("16/1", "741"),
            "5 Omaha": ("SherRgrs/8", "7/3C", "6CAR/2C"),
            "6 Omaha": ("8/3",),
            "7 Omaha": ("69/50", "4/7DG/8", "231/50"),
            "8 Omaha": ("8/3C", "10CAR/2C", "13/18H/27"),
        },
        drops={**NORTHERN, "3Para/6": "5225", "5Para/6": "5126"},
    ),
    "peninsula": Beachhead(
        supply=("1 Utah", "2 Utah", "3 Utah", "4 Utah"),
        beaches={
            "1 Utah": ("16/1", "741", "116/29", "743"),
            "2 Utah": ("69/50", "4/7DG/8", "231/50", "SherRgrs/8"),
            "3 Utah": ("7/3C", "6CAR/2C"),
            "4 Utah": ("8/3C", "10CAR/2C", "8/3", "13/18H/27"),
        },
        drops={**NORTHERN, "3Para/6": "5332", "5Para/6": "5232"},
    ),
    "east of utah": Beachhead(supply=("8 Omaha", "11 Gold", "14 Juno", "16 Sword")),
}
"""Plans of invasion by name. A single beachhead keeps all points for depth (VIC.D). More units than a beach
holds wait off shore and land in the second movement phase."""

SET_UPS: Mapping[str, Mapping[str, Hex]] = {
    "": {},
    "north": {"736/716": "5434", "726/716": "5533", "729/709": "5433"},
}
"""What a set-up puts elsewhere than the default one, by name. A division that leaves by the road north brings
the Allies most of all, and no German comes there in time later on."""

# --- ways to play ---------------------------------------------------------------------------------------

ALLIED = replace(GREEDY["allied"], choosy=True, prize=0.3, keep=1.0)
GERMAN = replace(GREEDY["german"], choosy=True, deployment="north", deny=2.0, cut=1.5, retake=2.5)

NORTH = Errand("north", ("US 1", "US 4", "US 82", "US 101"))
WEST = Errand("west", ("US 2", "US 9", "US 90"))
SOUTH = tuple(Errand(goal, ("UK", "CA")) for goal in ("Carentan", "Saint-Lo", "south"))
EAST = Errand("east", ("UK 3", "UK 6", "UK 27"))

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "allied": {
        "utah and omaha": replace(ALLIED, deployment="utah and omaha", errands=(NORTH, WEST, *SOUTH)),
        "peninsula": replace(
            ALLIED,
            deployment="peninsula",
            errands=(NORTH, Errand("west", (*WEST.who, "UK", "CA")), *SOUTH),
        ),
        "north and west": replace(ALLIED, deployment="utah", errands=(NORTH, WEST)),
        "caen and east": replace(ALLIED, errands=(EAST,)),
        "one beachhead": replace(ALLIED, deployment="east of utah", errands=(EAST,)),
    },
    "german": {
        "deny": GERMAN,
        "hold": replace(GERMAN, bar=1.5, caught=0.5),
        "strike": replace(GERMAN, deny=1.5, bar=-0.5, caught=0.2),
    },
}
"""The stances of each side, those that did best in play first."""

# --- orders ---------------------------------------------------------------------------------------------


def orders(state: State, desk: Any, stance: Stance) -> Iterator[Order]:
    """The invasion plan or the set-up of a stance; attacks, those that gain most first."""
    match desk:
        case InvasionPlan():
            yield from landing(desk, LANDINGS[stance.deployment])
        case GermanSetup():
            yield from set_up(desk, SET_UPS[stance.deployment])
        case Allocation() if stance.choosy:
            yield from attacks(state, desk, stance)


def landing(desk: InvasionPlan, wanted: Beachhead) -> Iterator[Order]:
    """The lines of the plan that are not in it yet."""
    plan = desk.plan
    for beach, ids in wanted.beaches.items():
        if missing := tuple(id for id in ids if id not in plan.beaches.get(beach, ())):
            yield Land(missing, beach)
    if wanted.supply and tuple(plan.supply) != wanted.supply:
        yield Supply(wanted.supply)
    for id, hex in wanted.drops.items():
        if plan.drops.get(id) != hex:
            yield Drop((id,), hex)


def set_up(desk: GermanSetup, wanted: Mapping[str, Hex]) -> Iterator[Order]:
    """The lines of the set-up that are not in it yet, as far as these units begin on the map."""
    for id, hex in wanted.items():
        if any(unit.id == id and unit.hex != hex for unit in desk.units()):
            yield Place((id,), hex)


def attacks(state: State, desk: Allocation, stance: Stance) -> Iterator[Order]:
    """All attacks that gain something, the best first: after game-turn 1 the Allies have only 4 (SUP.M), and
    the strongest gunfire can be used only once."""
    rate = judge(state, desk, stance)
    found = [(rate(order), order) for hex in desk.subjects() for order in desk.options(hex)]
    yield from (order for worth, order in sorted(found, key=lambda each: -each[0]) if worth > 0)


# --- a guess at the result ------------------------------------------------------------------------------

HALFWAY = 0.5
"""The part of its points that a goal counts for at most before it has been gained."""
FAR = 20
"""From this distance in hexes on, a goal counts for nothing."""
STRENGTH = 0.02
"""Points for each strength point of the losses."""


def score(state: State, side: str) -> float:
    """The Allied points on the ground, or less than none for the Germans: the order of battle is the same
    whatever they do. Before the end, a part of what is within reach, and the losses."""
    points = float(victory.score(state).ground)
    if state.phase:
        points += within_reach(state) + STRENGTH * losses(state)
    return points if side == "allied" else -points


def within_reach(state: State) -> float:
    """A part of the points of goals to which the Allies are near, with a unit for a city and with a division,
    counting the units that have left, for an edge."""
    units = [unit.placed for unit in state.on_map("allied") if unit.size == "regiment"]
    best: dict[str, float] = {}
    for hex, points, what in goals(state):
        away = to_city(hex)
        near = sorted(away[GRID.index(at)] for at in units)
        needed = 1 if hex in CITIES else CHARTS.victory.exit_regiments - len(state.exits.get(what, ()))
        far = near[needed - 1] if 0 < needed <= len(near) else 0 if needed <= 0 else FAR
        worth = HALFWAY * points * max(0.0, 1 - far / FAR)
        best[what] = max(best.get(what, 0.0), worth)
    return sum(best.values())


def losses(state: State) -> float:
    """The strength that the Germans have lost more than the Allies."""
    lost = [unit for unit in state.units.values() if unit.place == "lost"]
    return float(sum(unit.strength if unit.side == "german" else -unit.strength for unit in lost))


PLAN: Plan[State] = Plan(stances=STANCES, judge=judge, score=score, sample=sample, orders=orders)
