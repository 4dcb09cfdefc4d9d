"""What a player is told of an order that he has written, before anything is rolled: what it costs, whom he may meet, how likely he wins.

The chance of a battle is exact where the defenders stand on the map (8.8). Of any other hex the die is told: how many units may turn up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.engine.orders import Order
from pbem.engine.wording import percent
from pbem.games.rampage import battle, defence, replacement
from pbem.games.rampage.battle import Battle
from pbem.games.rampage.movement import NAMES
from pbem.games.rampage.notes import Moved
from pbem.games.rampage.orders import Drop, Move, Replenish
from pbem.games.rampage.state import ARMY_GROUPS, German, Hex, State, Unit
from pbem.games.rampage.tables import AFP, CHARTS, FORTRESSES, GRID, VICTORY_CITIES, place_name, river_between
from pbem.games.rampage.writing import groups_of


def preview(state: State, seat: str, order: Order) -> tuple[str, ...]:
    """What `seat` may be told of an order it has given; `state` is as it is after the order was taken."""
    match order:
        case Move():
            return tuple(_move(state, order))
        case Drop(units, hex):
            return (
                f"{', '.join(units)} at {place_name(hex)}: {sizes(state, hex)}; all Germans fire first [13.5]",
            )
        case Replenish():
            return tuple(_replacements(state, seat))
    return ()


def _replacements(state: State, seat: str) -> Iterable[str]:
    """7.8 How many more may be named."""
    for group in (group for group in ARMY_GROUPS if group in groups_of(state, seat)):
        left, most = replacement.left(state, group), replacement.capacity(state, group)
        yield f"{NAMES[group]}: {most - left} of {most} replacements used [7.8]"


# --- moves ----------------------------------------------------------------------------------------------


def _move(state: State, order: Move) -> Iterable[str]:
    units = [state.units[id] for id in order.units if id in state.units and state.units[id].hex]
    if not units:
        return
    if state.partial in {unit.group for unit in units}:
        yield "points by a die when the force sets out, one round for each battle [9.15]"
    origin, first = units[0].placed, True
    for hex in dict.fromkeys((*order.path, *order.onward)):
        if hex in state.german and hex != AFP:
            yield from _meeting(state, order, units, origin, hex, first)
            first = False
        origin = hex
    if order.spared and (strangers := [id for id in order.spared if id not in order.units]):
        yield f"spared but not of this force: {', '.join(strangers)}"


def _meeting(
    state: State, order: Move, units: Sequence[Unit], origin: Hex, hex: Hex, first: bool
) -> Iterable[str]:
    """What is known of the battle for a hex: who is there and the exact chance, or how many may turn up. Of the first hex on the way,
    which the force reaches as it is now, also the chance against so many."""
    there = state.defenders(hex)
    most = most_rounds(state, order, units, hex)
    within = "one round" if most == 1 else f"{most} rounds"
    if there:
        chance = _chances(order, units, origin, hex, there, most)
        yield f"{place_name(hex)}: {', '.join(unit.id for unit in there)} stand there; {percent(chance.won)} to win within {within}, {percent(chance.lost)} to lose everybody [8.8]"
        return
    river = ", across a river" if river_between(origin, hex) else ""
    yield f"{place_name(hex)}{river}: {sizes(state, hex)}"
    if (
        first
        and GRID.are_neighbours(origin, hex)
        and (counts := [size for size in spread(state, hex) if size])
    ):
        ordinary = German(id="", type="infantry")
        told = (
            f"{size}: {percent(_chances(order, units, origin, hex, [ordinary] * size, most).won)}"
            for size in counts
        )
        yield f"to win within {within} against so many ordinary infantry: {', '.join(told)} [10.1]"


def _chances(
    order: Move, units: Sequence[Unit], origin: Hex, hex: Hex, germans: Sequence[German], rounds: int
) -> battle.Chances:
    """10.1 The exact chances of these units within so many rounds, with the losses falling as ordered."""
    fight = Battle(
        hex=hex,
        origin=origin,
        attackers=list(units),
        defenders=list(germans),
        losses=order.prefs,
        spared=order.spared,
        kills=order.kills or battle.DEFAULT_KILLS,
    )
    return battle.chances(battle.outlook(fight, rounds))


def most_rounds(state: State, order: Move, units: Sequence[Unit], hex: Hex) -> int:
    """9.4, 9.15 How many rounds a battle may last: as the order says, but no more than the points pay for that are left in the hex."""
    if state.partial in {unit.group for unit in units}:
        return 1
    ids = {unit.id for unit in units}
    gone = [
        note
        for note in state.log
        if isinstance(note, Moved) and ids <= set(note.names) and note.path[-1] == hex
    ]
    left = gone[-1].of - gone[-1].spent if gone else CHARTS.movement.allowance - 1
    return min(order.rounds or CHARTS.movement.allowance, 1 + left // CHARTS.movement.round)


def spread(state: State, hex: Hex) -> dict[int, int]:
    """8.2 to 8.5, 8.7 How many faces of the die lead to each size of a defence."""
    formula, pool = defence.formula(hex), len(state.pool())
    ways: dict[int, int] = {}
    for die in range(1, 7):
        size = min(pool, formula.size(die))
        ways[size] = ways.get(size, 0) + 1
    return dict(sorted(ways.items()))


def sizes(state: State, hex: Hex) -> str:
    """How many units may defend a hex, and how likely: ``defended by nobody 50 %, 1 17 %``."""
    told = ", ".join(
        f"{size or 'nobody'} {percent(Fraction(count, 6))}" for size, count in spread(state, hex).items()
    )
    kind = " (fortress)" if hex in FORTRESSES else " (victory city)" if hex in VICTORY_CITIES else ""
    return f"defended by {told}{kind} [{defence.formula(hex).case}]"
