"""What an order would bring, for desks to tell before it is carried out: what a move costs and which fire
threatens it, how likely each result of an assault is, and what a bombardment may do.
All of it can be seen on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.engine.offer import Odds, Offer
from pbem.engine.tally import Tally
from pbem.engine.wording import count, percent
from pbem.games.falaise import assault, march, opfire
from pbem.games.falaise.assault import Assaults
from pbem.games.falaise.movement import Danger, Movement, Plan
from pbem.games.falaise.orders import Attack, Exit, Move
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import CHARTS, MAP, Bombs, Hex, place_name

DIE = range(1, 7)
CHANGES = {"attacker": "you may change the result", "defender": "the defender may change the result"}


def chance(faces: int) -> Fraction:
    """The chance of rolling one of this many faces of the die."""
    return Fraction(max(0, min(len(DIE), faces)), len(DIE))


# --- moves (7) --------------------------------------------------------------------------------------------


def move(movement: Movement, order: Move) -> Offer:
    """7.2, 6.2 Path and cost of a legal move, and the fire that threatens it. Where it may stop the move
    early, the words say why the path ends short: of a move without fire the log tells that."""
    plan = movement.plan(order)
    path = _path(plan)
    dangers = movement.dangers(plan.units, path, order.cover)
    short = (f"no further: {plan.short}",) if plan.short and _may_end_early(path, dangers) else ()
    before = movement.march(plan.units)
    halves = min(plan.march.spent, plan.march.allowance) - before.spent
    offer = _way(path, halves, plan.march.allowance - before.spent)
    return replace(offer, told=short).adding(*_fire(movement.state, plan.units, dangers))


def way_in_words(movement: Movement, order: Move, *, most: bool) -> tuple[str, ...]:
    """7.2, 6.2 The path and cost of a legal move that fire may stop early; nothing of another, since the log
    tells that. With `most` the command has at most these movement points."""
    plan = movement.plan(order)
    path = _path(plan)
    if not _may_end_early(path, movement.dangers(plan.units, path, order.cover)):
        return ()
    points = f"{'at most ' * most}{march.written(plan.march.allowance)} MP"
    road, case = (" by road at half rate", "7.3") if plan.march.by_road else ("", "7.2")
    cost = f"{march.written(plan.march.spent)} of {points}{road} [{case}]"
    return (f"if no fire stops it: {' > '.join(path)}: {cost}",)


def _path(plan: Plan) -> tuple[Hex, ...]:
    """7.2 The hexes of a move, the first one included."""
    return (plan.units[0].placed, *plan.hexes)


def _may_end_early(path: Sequence[Hex], dangers: Sequence[Danger]) -> bool:
    """6.2 Whether fire may stop a move before its last hex."""
    return bool(dangers) and dangers[0].hex != path[-1]


def exit(movement: Movement, order: Exit) -> Offer:
    """3.3 What leaving the map costs units where they are; a unit that has not moved always can."""
    march = movement.march(movement.named(order.units))
    left = march.allowance - march.spent
    return _way((march.here,), min(movement.exit_cost(march), left), left)


def _way(path: tuple[Hex, ...], halves: int, of: int) -> Offer:
    """7.2 A path, and what it costs of the half points there are."""
    return Offer(path[-1], path, Fraction(halves, 2), Fraction(of, 2))


def _fire(state: State, units: Sequence[Unit], dangers: Iterable[Danger]) -> Iterator[Offer]:
    """6.2, 6.3 For each step that draws fire: the stack with the best modifier, and what it may do."""
    for hex, breaking_from in dangers:
        origin, tally = opfire.best(state, units, hex, breaking_from)
        doing = f"leaving {breaking_from}" if breaking_from else f"entering {hex}"
        case = "6.3" if breaking_from else "6.2"
        told = f"fire on {doing}: from {origin} at {opfire.outlook(tally.total)} [{case}]"
        halt, broken = opfire.chances(tally.total)
        shares = (("none", 1 - halt - broken), ("halt", halt), ("DIS", broken))
        yield Offer(odds=(Odds(hex, "fire", f"{tally.total:+d}", shares),), told=(told,))


# --- assaults (10) ----------------------------------------------------------------------------------------


def attack(assaults: Assaults, order: Attack) -> Offer:
    """10.2 Strengths, odds and modifiers of a legal assault, and the chance of each final result if the side
    that may change it does; which units help, and how likely (11.9)."""
    state, units = assaults.state, assaults.judge(order)
    fight = assaults.fight(order.hex, units)
    helpers = [unit for unit in units if unit.id in fight.helpers]
    attack, defence = fight.strengths
    names = ", ".join(unit.id for unit in fight.defenders)
    parts = "".join(f", {value:+d} {why}" for value, _, why in fight.modifiers.parts)
    told = [
        f"{place_name(order.hex)}: {attack} against {defence} ({names}): "
        f"{fight.column or 'below 1-3'}{parts} [10.2]"
    ]
    if fight.better:
        ours, theirs = fight.ters
        told.append(f"TER {ours} against {theirs}: {CHANGES[fight.better]} once [10.2]")
    found = [] if fight.mech else [_help(unit, assaults.help_chance(unit, units)) for unit in helpers]
    if found:
        joins = (f"{odds.column} {percent(odds.shares[0][1])}" for odds in found)
        told.append(f"joins: {', '.join(joins)} [11.9.2]")
    results = assault.chances(state, order.hex, units, fight.mech, helpers, passed=assaults.passed)
    told.append(", ".join(f"{result} {percent(share)}" for result, share in results.items()))
    found.append(Odds(order.hex, "assault", fight.column or "", tuple(results.items())))
    return Offer(order.hex, odds=tuple(found), told=tuple(told))


def _help(unit: Unit, chance: Fraction) -> Odds:
    """11.9.2 Whether a unit joins, which stands in the place of a column."""
    return Odds(unit.placed, "help", unit.id, (("joins", chance), ("stays", 1 - chance)))


# --- guns and aircraft (8) --------------------------------------------------------------------------------


def bombardment(state: State, hex: Hex, chart: Bombs, tally: Tally, *, friends: bool) -> Offer:
    """8.1 What one bombardment may do to the Germans in a hex, with this chart and these modifiers;
    8.4 where it endangers `friends`, also to Allied units adjacent to it."""
    totals = [die + tally.total for die in DIE]
    every = chance(sum(total >= chart.all for total in totals))
    one = chance(sum(total >= chart.one for total in totals)) - every
    parts = "".join(f", {value:+d} {why}" for value, _, why in tally.parts)
    open_to = [unit.id for unit in state.at(hex) if not unit.disrupted]
    match open_to:
        case []:
            told = "all already disrupted"
        case [id]:
            told = f"{id} disrupted {percent(one + every)}"
        case _:
            told = f"one unit disrupted {percent(one)}, all {percent(every)}"
    shares = (("none", 1 - one - every), ("one", one), ("all", every))
    found = Odds(hex, "bombardment", f"{tally.total:+d}", shares)
    offer = Offer(hex, odds=(found,), told=(f"{place_name(hex)}{parts}: {told} [8.1]",))
    beside = [unit.placed for near in MAP.neighbours(hex) for unit in state.at(near) if unit.side == "allied"]
    if not friends or not beside:
        return offer
    threat = chance(CHARTS.bombardment.friendly_fire)
    told = f"friendly fire {percent(threat)} at {', '.join(dict.fromkeys(beside))} [8.4]"
    struck = Odds(hex, "friendly fire", shares=(("struck", threat), ("spared", 1 - threat)))
    return offer.adding(Offer(odds=(struck,), told=(told,)))


# --- set-up (3.1) -----------------------------------------------------------------------------------------


def withheld(number: int) -> str:
    """3.1 How many unknown forces there are, and what they cost."""
    price = CHARTS.victory.withheld if number >= CHARTS.victory.withheld_from else 0
    return (
        f"{count(number, 'unit')} withheld: "
        f"{f'{price:+d} for the Allies' if price else 'no point for the Allies'} [3.1]"
    )
