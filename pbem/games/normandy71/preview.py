"""Words for the writer of an order: its odds and chances, and warnings. The desks call these functions with
what they know.

They say only what that side can see: an enemy in the open counts in full, in supply or not (SUP.H), and of a
stack under a marker only the die modifier is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.wording import percent
from pbem.games.normandy71 import naval, odds, paradrop, stacking, supply
from pbem.games.normandy71.state import ENEMY, Hex, State, Unit
from pbem.games.normandy71.tables import GRID


def drop(zone: Hex) -> Iterable[str]:
    """INV.1C, PAR.B How likely a unit that jumps over a hex is lost. Germans do not count: where they are is
    secret."""
    dangers = {why: chance for why, chance in paradrop.dangers(zone).items() if why}
    if dangers:
        table, _ = paradrop.scatter_row(zone)
        ground = "open sea" if paradrop.fate_of_ground(zone) else table
        listed = ", ".join(f"{percent(chance)} {why}" for why, chance in dangers.items())
        yield f"a unit that jumps over {zone} ({ground}) may be lost: {listed} [INV.1C]"


def crowded(hex: Hex, fate: str) -> str:
    """STK.A What becomes of units that come ashore in a hex to which the plan sends too many."""
    holds = stacking.limit_in_words(hex)
    then = f"units above it must move on, or {fate} [STK.A]"
    return f"too many units for {hex}: after the first movement phase the limit is {holds}; {then}"


def attack(state: State, attackers: Sequence[Unit], hexes: Sequence[Hex], missions: Iterable[str]) -> str:
    """COM.G, ENT.B The odds and chances of an attack with these gunfire missions; under a marker only what
    the attacker brings."""
    side = attackers[0].side
    parts = [sum(unit.strength for unit in attackers)]
    parts += [naval.mission(state, kind).attack for kind in missions]
    sum_ = f"{', '.join(unit.id for unit in attackers)}: {' + '.join(map(str, parts))}"
    modifiers = odds.die_modifiers(state, attackers, hexes)
    if any(state.entrenchments.get(hex) == ENEMY[side] for hex in hexes):
        return f"{sum_} against a stack under a marker; die {modifiers.total:+d} [ENT.B]"
    defenders = [unit for hex in hexes for unit in state.at(hex) if unit.side != side]
    _, halves = odds.defence_parts(state, defenders, lambda unit: True)
    column = odds.column(sum(parts), halves)
    plus = odds.die_words(modifiers)
    full = " if in supply" if side == "german" or state.turn > 1 else ""
    return f"{sum_} : {halves / 2:g}{full} = {column}, {plus}   {odds.chances(column, modifiers.total)}"


def moved(state: State, units: Sequence[Unit], zone: int, area: int) -> Iterable[str]:
    """SUP.K, COM.J Warnings about the hex where units have ended their move. `zone` is the set of hexes that
    the enemy controls, `area` the set of those in supply."""
    end = units[0].placed
    fed = area >> GRID.index(end) & 1
    if zone >> GRID.index(end) & 1:
        yield f"{end} is adjacent to the enemy"
    lost = [unit.id for unit in units if not supply.trace(state, unit, area)]
    if lost:
        yield f"out of supply in {end}: {', '.join(lost)}"
    elif state.turn == 1 and not fed:
        yield f"{end} would be out of supply from game-turn 2 on, if judged now [SUP.K]"
    if alone := [unit.id for unit in units if odds.lone_armour(state, unit)]:
        yield f"armour alone in {end}: {', '.join(alone)} [COM.J]"
