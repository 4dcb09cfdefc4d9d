"""How the planner plays The Pocket at Falaise: its stances, its set-up and the units that it withholds (3.1),
and what it makes of a position.

Nothing is drawn for what a seat cannot see: every counter is on the table or among the unknown forces, so
which of them wait there follows from what all can see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from pbem.engine.desk import Desk
from pbem.engine.game import Plan
from pbem.engine.language import Order
from pbem.games.falaise import bot, setup, victory, zone86
from pbem.games.falaise.bot import Stance, posts
from pbem.games.falaise.orders import Place, Redeploy, Withhold
from pbem.games.falaise.setup import Redeployment, SetUp
from pbem.games.falaise.state import Hex, State, Unit
from pbem.games.falaise.tables import CHARTS, GRID

SET_UP: Mapping[str, Hex] = {"CCA/3A": "3735", "CCB/3A": "3734", "317/80": "3519", "318/80": "3517"}
"""What the Allies set up elsewhere than in the example: on the roads by which Germans leave by the south
edge, to Ranes and from Argentan."""
CLOSER = posts(gap=("3010", "3309", "3311"), town=("3218", "3415"))
"""Posts on the ways to Chambois and out of Argentan to the east."""

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "german": {
        "south": Stance(fear=0.0, shun=0.7, south=1.5, room=0.1, lines=3.0),
        "breakout": Stance(fear=0.0, shun=0.7, south=3.0, room=0.1, lines=3.0),
        "east": Stance(fear=0.0, shun=0.7, room=0.1, lines=3.0),
        "careful": Stance(shun=0.7, south=3.0, room=0.1, lines=3.0),
    },
    "allied": {
        "assault": Stance(
            posts=CLOSER, closing=60.0, head=8.0, eager=30.0, driven=0.5, spared=0.4, lines=5.0
        ),
        "heads": Stance(head=12.0, lines=5.0),
        "bold": Stance(head=12.0, caution=0.0, lines=5.0),
        "stoppers": Stance(lines=5.0),
    },
}
"""Germans march past enemies, round their zones where that is no great detour, and those with little to save
beyond the Withdrawal Line leave by the south edge; those beyond it make room for others. Of the Allies some
hold the posts of bot.py; the others make for the Germans that are nearest to safety, or for any. In the first
stance a command that is adjacent to Germans assaults them rather than moves on: those that are disrupted do
not march as far (7.1.1, 9.1). It moves on all the same while a unit of it is short of its post. In the last
turns Allies go where they cut German lines of communication."""

REACH = {True: 24.0, False: 18.0}
"""Movement points within which a unit has a chance to get away when the game begins, mechanised or
on foot."""
PACE = 3.0
"""Movement points that a German makes in a turn."""
CERTAIN = 0.9
"""The most that is made of a unit's chance to get away."""
CAPTURED = 0.6
"""What a German that does not get away is likely to score for the Allies."""


# --- set-up and unknown forces --------------------------------------------------------------------------


def orders(state: State, desk: Desk[Order], stance: Stance) -> Iterator[Order]:
    """3.1 Orders of its own for the set-up."""
    match desk:
        case SetUp(seat="allied"):
            yield from (Place((unit.id,), SET_UP[unit.id]) for unit in desk.open() if unit.id in SET_UP)
        case Redeployment():
            yield from lifted(state, desk)


def lifted(state: State, desk: Redeployment) -> Iterator[Order]:
    """3.1 The unit to lift next, the most useful first: two are set down east of the line, the others wait
    until the counterattack brings them there (11.3)."""
    if not (subjects := desk.subjects()):
        return
    unit = max((state.units[id] for id in subjects), key=lambda unit: saved(state, unit))
    if len(desk.moved()) < setup.SET_DOWN:
        open_to = desk.open_ground() & zone86.EAST & ~desk.full(unit)
        yield from (Redeploy((unit.id,), hex) for hex in GRID.named(open_to)[:1])
    yield Withhold((unit.id,))


def saved(state: State, unit: Unit) -> float:
    """3.3 The points that a unit would score for the Germans if it were lifted, over those that are likely if
    it stays: for itself, and for a division of which no other may get away."""
    lost = 1 - at_first(unit)
    division = unit.counter.division
    others = [
        1 - at_first(other)
        for other in state.units.values()
        if other is not unit and other.counter.division == division and other.side == "german"
    ]
    alone = prod(others) if division else 0.0
    return lost * (CHARTS.victory.mech * unit.mech + CHARTS.victory.division * alone)


def at_first(unit: Unit) -> float:
    """How likely a German gets away from where it has been set up; it does if it is not on the map yet."""
    return max(0.0, 1 - bot.to_safety(unit.hex, unit.mech) / REACH[unit.mech]) if unit.hex else 1.0


# --- what a position is worth ---------------------------------------------------------------------------


def score(state: State, side: str) -> float:
    """The points of a side (3.3): those of the end, or before it those of now with what is likely to come."""
    points = float(victory.total(state))
    if state.phase:
        points += to_come(state)
    return points if side == "allied" else -points


def to_come(state: State) -> float:
    """Points of the Allies that are likely to come, less those of the Germans."""
    chart, left = CHARTS.victory, CHARTS.turns.number - state.turn
    found = chart.argentan * left / CHARTS.turns.number if state.argentan == "german" else 0.0
    caught: dict[str, float] = {}
    for unit in state.units.values():
        if unit.side == "german" and unit.place in ("map", "unknown"):
            out = likely_out(unit, left)
            if not zone86.is_east(unit):
                found += CAPTURED * (1 - out) - chart.mech * unit.mech * out
            division = unit.counter.division
            caught[division] = caught.get(division, 1.0) * (1 - out)
    safe = {unit.counter.division for unit in state.on_map("german") if zone86.is_east(unit)}
    return found - sum(
        chart.division * (1 - lost) for name, lost in caught.items() if name not in {"", *safe}
    )


def likely_out(unit: Unit, left: int) -> float:
    """How likely a German is to be east of the line at the end, with this many turns left."""
    if unit.hex is None or zone86.is_east(unit):
        return 1.0
    away = bot.to_safety(unit.hex, unit.mech)
    return max(0.0, min(CERTAIN, CERTAIN - away / (PACE * left + 1)))


PLAN: Plan[State] = Plan(stances=STANCES, judge=bot.judge, score=score, orders=orders)
