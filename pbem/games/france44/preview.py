"""What a player is shown of an attack before its dice (strengths, morale, the exact chance of each outcome),
and of a move: path and cost before it is made, where it ended once it has been made (where it ended).

All of it follows from what both sides can see. The desks of activation.py call this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.engine.offer import Offer
from pbem.games.france44 import combat, odds, outcomes, zones
from pbem.games.france44.commanded import Commanded
from pbem.games.france44.movement import Route
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, Side, place_name

WASTED = {
    "heavy": "WARNING: heavy bombers make no difference here, and their marker is used up [9.2, 9.4]",
    "tactical": "WARNING: tactical air makes no difference here [9.4]",
}
"""The warning about air support that changes no chance."""


def attack(series: Commanded, order: Attack) -> Offer:
    """9 Strengths, morale and chances of a legal attack, led on the other side by the unit of the best
    morale."""
    units = [series.state.units[id] for id in dict.fromkeys(order.units)]
    battle = combat.battle_of(series, order, units, order.box or series.track.box)
    lead = next((unit for unit in units if unit.id == order.lead), None) or odds.best_lead(units)
    other = odds.best_lead(battle.defenders)
    supply = Supply(series.state, ENEMY[series.side])
    seen = odds.outlook(battle, lead, other, supply)
    ahead = outcomes.prospects(series.state, battle, seen)
    told = [
        outcomes.strengths(seen, battle.hexes),
        outcomes.morale(battle, seen, lead, other),
        *outcomes.chances(seen, ahead),
    ]
    if order.air and odds.outlook(replace(battle, air=""), lead, other, supply).results == seen.results:
        told.append(WASTED[order.air])
    return Offer(battle.hexes[0], odds=outcomes.shares(battle, seen, ahead), told=tuple(told))


def on_the_way(ways: Iterable[tuple[Route, int]]) -> Offer:
    """7.0 The path and cost of units that move together, each with its points: those of the one with the
    fewest left."""
    route, points = min(ways, key=lambda way: way[1] - way[0].spent)
    hexes = route.hexes
    return Offer(hexes[-1], hexes, Fraction(route.spent), Fraction(points))


def ends(state: State, side: Side, units: Sequence[Unit]) -> Iterable[str]:
    """3.3, 11.1 What there is to know of where units have moved: next to the enemy, out of supply."""
    zone = zones.zone(state, ENEMY[side])
    for hex in dict.fromkeys(unit.placed for unit in units):
        if zone >> GRID.index(hex) & 1:
            yield f"{place_name(hex)} is next to the enemy [3.3]"
    supply = Supply(state, side)
    if cut := [unit.id for unit in units if not supply.has(unit)]:
        yield f"out of supply if judged now: {', '.join(cut)} [11.1]"
