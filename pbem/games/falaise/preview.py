"""What a player is told of an order that he has written, before anything is rolled: what a way costs
and where fire is to be feared on it, how likely each result of an assault is, and what a bombardment may do.
All of it follows from what lies open on the map.

An order is judged before it is carried out (a line that waits for its turn) or when it has been,
as far as the first die.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.engine.errors import NotAllowed
from pbem.engine.orders import Order
from pbem.engine.wording import count, percent
from pbem.games.falaise import activation, assault, bombardment, march, opfire
from pbem.games.falaise.movement import Danger, Movement
from pbem.games.falaise.notes import Allotted, Moved
from pbem.games.falaise.orders import Attack, Bombard, MechAssault, Move, Strike, Withhold
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import CHARTS, MAP, Hex, place_name

DIE = range(1, 7)
CHANGES = {"attacker": "you may change the result", "defender": "the defender may change the result"}


def preview(state: State, seat: str, order: Order) -> tuple[str, ...]:
    """What `seat` may be told of an order that it has given."""
    match order:
        case Move():
            return tuple(_move(state, order))
        case Attack():
            return tuple(_attack(state, order))
        case Strike(hex):
            return tuple(_bombardment(state, bombardment.AIR, hex))
        case Bombard(command, hex):
            return tuple(_bombardment(state, command, hex))
        case Withhold():
            return tuple(_withheld(state))
    return ()


def chance(faces: int) -> str:
    """So many faces of the die, as a chance."""
    return percent(Fraction(max(0, min(len(DIE), faces)), len(DIE)))


# --- moves (7) --------------------------------------------------------------------------------------------


def _move(state: State, order: Move) -> Iterable[str]:
    """7.2 The cost of the whole way, and the fire on it. Of an order that has been carried out as far
    as the first fire the log has told only that much."""
    units = [state.units[id] for id in order.units if state.units[id].place == "map"]
    if not units:
        return
    gone = _gone(state, units)
    ends = [unit.hex for unit in units]
    try:
        yield from _way(state, order, units, gone)
    except NotAllowed:
        return
    finally:
        for unit, hex in zip(units, ends, strict=True):
            unit.hex = hex


def _way(state: State, order: Move, units: Sequence[Unit], gone: Sequence[Moved]) -> Iterable[str]:
    """7.2 The same, reckoned from where the order began: `gone` are the stretches of the move so far,
    the last of which is the order's. Raises NotAllowed."""
    command = state.active or units[0].command
    if gone:
        for unit in units:
            unit.hex = gone[0].path[0]
    movement = Movement(state, command, state.allowance, activation.active_units(state, command))
    if gone[:-1]:
        movement.resume(units, [note.path for note in gone[:-1]], len(gone[0].names) == 1)
    here = units[0].placed
    plan = movement.plan(order)
    most = "" if _allotted(state) else "at most "
    points = f"{march.written(plan.march.spent)} of {most}{march.written(plan.march.allowance)} MP"
    road = " by road at half rate" if plan.march.by_road else ""
    way = (here, *plan.hexes)
    if not gone or way != gone[-1].path:
        begun = "if no fire stops it: " if gone else ""
        yield f"{begun}{' > '.join(way)}: {points}{road} [{'7.3' if road else '7.2'}]"
        if plan.short:
            yield f"no further: {plan.short}"
    yield from _fire(state, units, movement.dangers(plan.units, way, order.cover))


def _allotted(state: State) -> bool:
    """7.1.1 Whether the points are those of a die; a line that waits for its command is judged
    by the best one."""
    return any(isinstance(note, Allotted) and note.command == state.active for note in state.log)


def _gone(state: State, units: Sequence[Unit]) -> list[Moved]:
    """The stretches of the move that these units have made last, in order;
    none if they have not moved to where they are."""
    found: list[Moved] = []
    here = units[0].hex
    for note in reversed(state.log):
        if (
            isinstance(note, Moved)
            and {unit.id for unit in units} <= set(note.names)
            and note.path[-1] == here
        ):
            found.insert(0, note)
            here = note.path[0]
    return [note for note in found if len(note.path) > 1]


def _fire(state: State, units: Sequence[Unit], dangers: Iterable[Danger]) -> Iterable[str]:
    """6.2, 6.3 For each step that draws fire: the stack with the best modifier, and what it may do."""
    for hex, breaking_from in dangers:
        origin, tally = opfire.best(state, units, hex, breaking_from)
        doing = f"leaving {breaking_from}" if breaking_from else f"entering {hex}"
        case = "6.3" if breaking_from else "6.2"
        yield f"fire on {doing}: from {origin} at {opfire.outlook(tally.total)} [{case}]"


# --- assaults (10) ----------------------------------------------------------------------------------------


def _attack(state: State, order: Attack) -> Iterable[str]:
    """10.2 Strengths, odds and modifiers, and the chance of each final result if whoever may change it does;
    who helps, and how likely (11.9)."""
    mech = isinstance(order, MechAssault)
    units = [state.units[id] for id in dict.fromkeys(order.units)]
    beside = MAP.neighbours(order.hex)
    if any(unit.hex not in beside for unit in units):
        return
    if all(unit.side == units[0].side for unit in state.at(order.hex)):
        return
    command = state.active or units[0].command
    helpers = [unit for unit in units if unit.command != command]
    sure = [unit for unit in units if unit not in helpers]
    if not sure:
        return
    fight = assault.Fight(state, order.hex, tuple(units), mech, tuple(unit.id for unit in helpers))
    attack, defence = fight.strengths
    names = ", ".join(unit.id for unit in fight.defenders)
    parts = "".join(f", {value:+d} {why}" for value, _, why in fight.modifiers.parts)
    yield (
        f"{place_name(order.hex)}: {attack} against {defence} ({names}): "
        f"{fight.column or 'below 1-3'}{parts} [10.2]"
    )
    if fight.better:
        ours, theirs = fight.ters
        yield f"TER {ours} against {theirs}: {CHANGES[fight.better]} once [10.2]"
    if helpers and not mech:
        nations = tuple(unit.counter.nation for unit in sure)
        told = (f"{unit.id} {percent(assault.help_chance(state, unit, nations))}" for unit in helpers)
        yield f"joins: {', '.join(told)} [11.9.2]"
    found = assault.chances(state, order.hex, units, mech, helpers)
    yield ", ".join(f"{result} {percent(share)}" for result, share in found.items())


# --- guns and aircraft (8) --------------------------------------------------------------------------------


def _bombardment(state: State, by: str, hex: Hex) -> Iterable[str]:
    """8.1, 8.4 What one bombardment may do to the Germans in a hex, and to Allies next to it."""
    chart = CHARTS.bombardment.airstrike if by == bombardment.AIR else CHARTS.bombardment.artillery
    tally = bombardment.modifiers(state, by, hex)
    totals = [die + tally.total for die in DIE]
    every = sum(total >= chart.all for total in totals)
    one = sum(total >= chart.one for total in totals) - every
    parts = "".join(f", {value:+d} {why}" for value, _, why in tally.parts)
    open_to = [unit.id for unit in state.at(hex) if not unit.disrupted]
    match open_to:
        case []:
            told = "all disrupted already"
        case [id]:
            told = f"{id} disrupted {chance(one + every)}"
        case _:
            told = f"one unit disrupted {chance(one)}, all {chance(every)}"
    yield f"{place_name(hex)}{parts}: {told} [8.1]"
    if by == bombardment.AIR or not state.day:
        near = {
            unit.placed: None
            for near in MAP.neighbours(hex)
            for unit in state.at(near)
            if unit.side == "allied"
        }
        if near:
            threat = chance(CHARTS.bombardment.friendly_fire)
            yield f"friendly fire {threat} at {', '.join(near)} [8.4]"


# --- set-up (3.1) -----------------------------------------------------------------------------------------


def _withheld(state: State) -> Iterable[str]:
    """3.1 How many unknown forces there are, and what they cost."""
    number = sum(unit.place == "unknown" for unit in state.units.values())
    price = CHARTS.victory.withheld if number >= CHARTS.victory.withheld_from else 0
    yield (
        f"{count(number, 'unit')} withheld: "
        f"{f'{price:+d} for the Allies' if price else 'no point for the Allies'} [3.1]"
    )
