"""What a player is told of an order that he has written, before anything is rolled: what a way costs
and where it leads, the odds of an attack with the exact chance of each result, what is left of markers,
aircraft and landing capacity. All of it follows from what lies open to him.

An order is judged before it is carried out (a line that waits for its turn) or when it has been,
as far as the first die.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.engine.errors import NotAllowed
from pbem.engine.orders import Order
from pbem.engine.wording import count, percent
from pbem.games.normandy44 import (
    allocation,
    landing,
    march,
    naval,
    odds,
    reinforcement,
    replacement,
    stacking,
    supply,
    support,
    zones,
)
from pbem.games.normandy44.notes import Moved, Replaced
from pbem.games.normandy44.orders import (
    Assault,
    Attack,
    Carpet,
    Cover,
    Delay,
    Guns,
    Interdict,
    Land,
    Move,
    Rebuild,
    Replace,
    Support,
)
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import GRID, PORTS, Hex, Side, place_name
from pbem.games.normandy44.view import ARMIES


def preview(state: State, seat: str, order: Order) -> tuple[str, ...]:
    """What `seat` may be told of an order that it has given."""
    side: Side = "german" if seat == "german" else "allied"
    match order:
        case Attack():
            return tuple(_attack(state, side, order))
        case Move():
            return tuple(_move(state, side, order))
        case Land(_, hex):
            return tuple(_landing(state, hex))
        case Support() | Cover() | Interdict() | Delay() | Carpet():
            return (_allocated(state, side),)
        case Replace() | Rebuild():
            return (_replacements(state, side),)
        case Assault(units, hex):
            return tuple(_assault(state, units, hex))
        case Guns(number, hex):
            return (_gunfire(number, naval.chance(hex, number, "attack", beach=True)),)
    return ()


def _units(state: State, ids: Iterable[str]) -> list[Unit]:
    return [state.units[id] for id in dict.fromkeys(ids) if state.units[id].place == "map"]


# --- attacks (7) ------------------------------------------------------------------------------------------


def _attack(state: State, side: Side, order: Attack) -> Iterable[str]:
    """7.2 Strengths, odds, shifts and the exact chance of each result, with the help that is ordered;
    then what gunfire may add, and what help the enemy may bring."""
    units = _units(state, order.units)
    defenders = odds.opposed(state, order.hex, side)
    if not units:
        return
    if not defenders:
        if any(unit.side != side for unit in state.at(order.hex)):
            yield f"{place_name(order.hex)}: headquarters alone, lost without a die [6.4]"
        return
    columns = support.columns(state.units[id] for id in order.support if state.units[id].hq)
    yield from _odds(order.hex, odds.outlook(state, side, order.hex, units, air=order.air, support=columns))
    if order.guns:
        hit = naval.chance(order.hex, order.guns, "attack")
        yield _gunfire(order.guns, hit)
    yield from _answers(state, side, order.hex, defenders)


def _odds(hex: Hex, seen: odds.Outlook) -> Iterable[str]:
    """7.2 Strengths, odds and shifts, then how likely each result is."""
    ours, theirs = (
        odds.strength(seen.attack, seen.attack_parts),
        odds.strength(seen.defence, seen.defence_parts),
    )
    shifts = "".join(f", {value:+d} {why}" for value, _, why in seen.shifts)
    column = f" = {seen.column}" if seen.shifts else ""
    yield f"{place_name(hex)}: {ours} against {theirs}: {seen.odds}{shifts}{column} [7.2]"
    told = ", ".join(f"{result} {percent(chance)}" for result, chance in seen.chances.items())
    yield f"attackers/defenders: {told} [7.3]"


def _gunfire(points: int, hit: Fraction) -> str:
    return f"{count(points, 'point')} of gunfire: {percent(hit)} for a column more [12.0]"


def _answers(state: State, side: Side, hex: Hex, defenders: Sequence[Unit]) -> Iterable[str]:
    """6.3, 10.1, 12.0 The help that the enemy may still bring to these defenders; all of it lies open."""
    army = support.one_army(defenders)
    if army is None:
        return
    told = [f"{hq.id} -{hq.counter.support}" for hq in support.able(state, ENEMY[side], army, [hex])]
    if side == "german":
        if fighters := support.in_range(state, army, hex):
            told.append(count(fighters, "fighter"))
        if guns := naval.in_range(state, army, hex):
            told.append(f"{count(guns, 'point')} of gunfire")
    if told:
        yield f"the enemy may add: {', '.join(told)} [6.3]"


# --- moves (5) --------------------------------------------------------------------------------------------


def _move(state: State, side: Side, order: Move) -> Iterable[str]:
    """5.1 The cost of a way to come; of one that has been gone the log has told it,
    and what there is to know of where it ends is told."""
    units = _units(state, order.units)
    if not units:
        return
    if not _gone(state, order):
        yield from _ways(state, side, units, order)
        return
    end, at = units[0].placed, GRID.index(units[0].placed)
    if zones.zone(state, ENEMY[side]) >> at & 1:
        yield f"{end} is next to the enemy [4.0]"
    if state.phase != "reaction" and not supply.area(state, side) >> at & 1:
        yield f"{end} is out of supply as things stand [8.2]"
    if not stacking.fits(state.at(end)):
        yield f"{end} holds too much so far: at the end {stacking.in_words()} [3.1]"


def _gone(state: State, order: Move) -> bool:
    """Whether the units have made their move."""
    return any(isinstance(note, Moved) and set(note.names) & set(order.units) for note in state.log)


def _ways(state: State, side: Side, units: Sequence[Unit], order: Move) -> Iterable[str]:
    """5.1, 5.3 The way of each unit with its cost, units that go alike together."""
    plan = march.March(state, side, _phase(state))
    told: dict[str, list[str]] = {}
    for unit in units:
        try:
            route = plan.way(unit, plan.start(unit), order.path, step=order.step)
        except NotAllowed:
            continue
        points = f"{route.spent / 2:g} of {route.of / 2:g} MP" if route.of else "one hex"
        cost = f"{points}{', strategic [5.3]' if route.strategic else ' [5.1]'}"
        near = ", next to the enemy" if plan.zone >> route.path[-1] & 1 else ""
        told.setdefault(f"{' > '.join(route.hexes)}: {cost}{near}", []).append(unit.id)
    for way, ids in told.items():
        yield way if len(told) == 1 else f"{', '.join(ids)}: {way}"


def _phase(state: State) -> march.PhaseKind:
    if state.turn == 0:
        return "reaction"
    return "A" if state.phase.startswith("a_") else "B"


# --- D-Day, landing, allocation, replacements -------------------------------------------------------------


def _assault(state: State, units: Sequence[str], hex: Hex) -> Iterable[str]:
    """15.0 The odds of a landing by these units and the division of that beach."""
    wave = [state.units[id] for id in (*filter(None, (landing.WAVE.get(hex),)), *units)]
    if odds.opposed(state, hex, "allied"):
        yield from _odds(hex, odds.outlook(state, "allied", hex, wave, landing=True))


def _landing(state: State, site: Hex) -> Iterable[str]:
    """11.2 What a beach or port can still take this turn."""
    names = [name for name in state.capacity if site in (name, *PORTS.get(name, ()))]
    for name in names:
        where = name if name in PORTS else place_name(name)
        yield f"{where}: {count(state.capacity[name], 'landing point')} left [11.2]"


def _allocated(state: State, side: Side) -> str:
    """2.2, 2.4 What is left to allocate."""
    told = [count(state.markers[side], "offensive marker")]
    if side == "allied":
        fighters = (f"{ARMIES[army]} {allocation.fighters_left(state, army)}" for army in allocation.FLYING)
        flown = f", {allocation.fighters_left(state)} in all" if state.interdicted else ""
        told += [f"fighters {', '.join(fighters)}{flown}", count(allocation.bombers_left(state), "bomber")]
    return f"left: {'; '.join(told)} [2.3]"


def _replacements(state: State, side: Side) -> str:
    """13.0 What is left for replacements this turn."""
    if side == "allied":
        armies = (f"{ARMIES[army]} {reinforcement.capacity_for(state, army)}" for army in allocation.FLYING)
        return f"landing points left: {', '.join(armies)} [13.0]"
    ledger = replacement.Replacements(state, side)
    ledger.replaced = [
        name for note in state.log if isinstance(note, Replaced) and note.side == side for name in note.names
    ]
    return f"steps left: {ledger.steps_left(True)} motorised, {ledger.steps_left(False)} foot [13.0]"
