"""What a player is told of an order that he has written, before anything is rolled: odds and chances,
and what he may overlook.

It is built on what he knows: an enemy in the open counts in full, whether he is supplied or not (SUP.H),
and of a stack under a marker nothing is told but what the die is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.orders import Order
from pbem.engine.wording import percent
from pbem.games.normandy71 import invasion, naval, odds, stacking, supply, zones
from pbem.games.normandy71.notes import Allotted
from pbem.games.normandy71.orders import Attack, Commando, Drop, Glide, Land, Move
from pbem.games.normandy71.planning import Planning, beach_named
from pbem.games.normandy71.state import ENEMY, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, GRID


def preview(state: State, seat: str, order: Order) -> tuple[str, ...]:
    """What `seat` may be told of an order it has given; `state` is as it is after the order was taken."""
    side: Side = "german" if seat == "german" else "allied"
    match order:
        case Attack(hexes):
            written = _written(state, side, tuple(dict.fromkeys(hexes)))
            return _attack(state, side, written) if written else ()
        case Land(_, beach) if state.phase == "deployment":
            return _crowded(state, BEACHES[beach_named(beach)], "wait in the box")
        case Drop(_, hex):
            return _drop(hex)
        case Commando(_, hex):
            return _crowded(state, hex, "are lost")
        case Glide(_, hex) if not stacking.within_limit(hex, state.at(hex)):
            return (
                f"too many in {hex} until some of its units move on in the second movement phase [STK.A]",
            )
        case Move(units):
            return tuple(_move(state, side, [state.units[id] for id in units if id in state.units]))
    return ()


def _drop(zone: Hex) -> tuple[str, ...]:
    """INV.1C, PAR.B How likely a unit that jumps there is lost, Germans aside: where they are is secret."""
    dangers = {why: chance for why, chance in invasion.dangers(zone).items() if why}
    if not dangers:
        return ()
    table, _ = invasion.scatter_row(zone)
    told = ", ".join(f"{percent(chance)} {why}" for why, chance in dangers.items())
    sea = "open sea" if invasion.fate_of_ground(zone) else table
    return (f"a unit that jumps over {zone} ({sea}) may be lost: {told} [INV.1C]",)


def _crowded(state: State, hex: Hex, fate: str) -> tuple[str, ...]:
    """STK.A What becomes of units that come ashore where the plan sends too many."""
    if Planning(state).fits((), hex):
        return ()
    holds = stacking.limit_in_words(hex)
    then = f"those above that move on then, or {fate} [STK.A]"
    return (f"too many for {hex}: at the end of the first movement phase it may hold {holds}; {then}",)


def _written(state: State, side: Side, hexes: tuple[str, ...]) -> Allotted | None:
    """The attack as it was taken down: who takes part, which missions."""
    found = [
        note
        for note in state.log
        if isinstance(note, Allotted) and (note.attacker, note.hexes) == (side, hexes)
    ]
    return found[-1] if found else None


def _attack(state: State, side: Side, written: Allotted) -> tuple[str, ...]:
    attackers = [state.units[id] for id in written.attackers]
    ground = sum(unit.strength for unit in attackers)
    guns = [naval.mission(state, kind).attack for kind in written.missions if kind]
    sum_ = f"{', '.join(written.attackers)}: {' + '.join(map(str, [ground, *guns]))}"
    modifiers = odds.die_modifiers(state, attackers, written.hexes)
    if any(state.entrenchments.get(hex) == ENEMY[side] for hex in written.hexes):
        return (f"{sum_} against a stack under a marker; die {modifiers.total:+d} [ENT.B]",)
    defenders = [unit for hex in written.hexes for unit in state.at(hex) if unit.side != side]
    _, halves = odds.defence_parts(state, defenders, lambda unit: True)
    points = ground + sum(guns)
    column = odds.column(points, halves)
    plus = odds.die_words(modifiers)
    full = " if in supply" if side == "german" or state.turn > 1 else ""
    return (f"{sum_} : {halves / 2:g}{full} = {column}, {plus}   {odds.chances(column, modifiers.total)}",)


def _move(state: State, side: Side, units: Sequence[Unit]) -> Iterable[str]:
    moved = [unit for unit in units if unit.place == "map"]
    if not moved:
        return
    end = moved[0].placed
    if zones.zone(state, ENEMY[side]) >> GRID.index(end) & 1:
        yield f"{end} is next to the enemy"
    area = supply.supplied(state, side)
    if lost := [unit.id for unit in moved if not supply.trace(state, unit, area)]:
        yield f"out of supply in {end}: {', '.join(lost)}"
    if (
        state.turn == 1
        and not area >> GRID.index(end) & 1
        and all(supply.trace(state, unit, area) for unit in moved)
    ):
        yield f"{end} will be out of supply from game-turn 2 on, as things stand [SUP.K]"
    if alone := [unit.id for unit in moved if odds.lone_armour(state, unit)]:
        yield f"armour alone in {end}: {', '.join(alone)} [COM.J]"
