"""What an order would bring, for its writer: path and cost, odds and chances, and warnings. The desks call
these functions with what they know.

They say only what that side can see: an enemy in the open counts in full, in supply or not (SUP.H), and of a
stack under a marker only the die modifier is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache

from pbem.engine.offer import Odds, Offer
from pbem.engine.wording import percent
from pbem.games.normandy71 import naval, odds, paradrop, stacking, supply
from pbem.games.normandy71.reach import Route
from pbem.games.normandy71.state import ENEMY, Hex, State, Unit
from pbem.games.normandy71.tables import CHARTS, GRID

Way = tuple[Route, int]
"""The path of a unit and the half points it has for it."""


@cache
def drop(zone: Hex) -> Offer:
    """INV.1C, PAR.B How likely a unit that jumps over a hex is lost. Germans do not count: where they are is
    secret."""
    chances = paradrop.dangers(zone)
    table, _ = paradrop.scatter_row(zone)
    ground = "open sea" if paradrop.fate_of_ground(zone) else table
    listed = ", ".join(f"{percent(chance)} {why}" for why, chance in chances.items() if why)
    told = f"a unit that jumps over {zone} ({ground}) may be lost: {listed} [INV.1C]"
    shares = tuple((why or "lands", chance) for why, chance in chances.items())
    return Offer(zone, odds=(Odds(zone, "drop", shares=shares),), told=(told,) if listed else ())


def crowded(hex: Hex, fate: str) -> str:
    """STK.A What becomes of units that come ashore in a hex to which the plan sends too many."""
    holds = stacking.limit_in_words(hex)
    then = f"units above it must move on, or {fate} [STK.A]"
    return f"too many units for {hex}: after the first movement phase the limit is {holds}; {then}"


def attack(state: State, attackers: Sequence[Unit], hexes: Sequence[Hex], missions: Iterable[str]) -> Offer:
    """COM.G, ENT.B The odds and chances of an attack with these gunfire missions; under a marker only what
    the attacker brings."""
    side = attackers[0].side
    parts = [sum(unit.strength for unit in attackers)]
    parts += [naval.mission(state, kind).attack for kind in missions]
    sum_ = f"{', '.join(unit.id for unit in attackers)}: {' + '.join(map(str, parts))}"
    modifiers = odds.die_modifiers(state, attackers, hexes)
    if any(state.entrenchments.get(hex) == ENEMY[side] for hex in hexes):
        told = f"{sum_} against a stack under a marker; die {modifiers.total:+d} [ENT.B]"
        return Offer(hexes[0], odds=(Odds(hexes[0], "attack"),), told=(told,))
    defenders = [unit for hex in hexes for unit in state.at(hex) if unit.side != side]
    _, halves = odds.defence_parts(state, defenders, lambda unit: True)
    column = odds.column(sum(parts), halves)
    plus = odds.die_words(modifiers)
    full = " if in supply" if side == "german" or state.turn > 1 else ""
    shares = CHARTS.combat.chances(column, modifiers.total)
    told = f"{sum_} : {halves / 2:g}{full} = {column}, {plus}   {odds.chances(shares)}"
    return Offer(hexes[0], odds=(Odds(hexes[0], "attack", column, tuple(shares.items())),), told=(told,))


def on_the_way(ways: Iterable[Way], told: Iterable[str] = ()) -> Offer:
    """MOV.A The path and cost of units that move together: those of the one with the fewest points left."""
    route, points = min(ways, key=lambda way: way[1] - way[0].spent)
    hexes = route.hexes
    return Offer(hexes[-1], hexes, Fraction(route.spent, 2), Fraction(points, 2), told=tuple(told))


def warnings(state: State, units: Sequence[Unit], end: Hex, zone: int, area: int) -> Iterable[str]:
    """SUP.K, COM.J Warnings about the hex where units would end their move. `zone` is the set of hexes that
    the enemy controls, `area` the set of those in supply."""
    fed = area >> GRID.index(end) & 1
    if zone >> GRID.index(end) & 1:
        yield f"{end} is adjacent to the enemy"
    lost = [unit.id for unit in units if not supply.reached(state, unit, end, area)]
    if lost:
        yield f"out of supply in {end}: {', '.join(lost)}"
    elif state.turn == 1 and not fed:
        yield f"{end} would be out of supply from game-turn 2 on, if judged now [SUP.K]"
    together = [*state.at(end), *units]
    if odds.only_armour(together):
        yield f"armour alone in {end}: {', '.join(unit.id for unit in units)} [COM.J]"
