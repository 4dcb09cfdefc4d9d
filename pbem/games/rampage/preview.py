"""The words that desks show players about an order before it is carried out: which Germans it may meet
and the chance of winning.

The chance of a battle is exact if the defenders are on the map (8.8). For any other hex the preview gives
the odds of the defence die. If the hex seals a pocket, it also gives the breakout, exactly as far as that
depends on dice and lots (breakout.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.engine.notes import Imagined
from pbem.engine.wording import count, percent
from pbem.games.rampage import battle, breakout, control, defence, pockets
from pbem.games.rampage.battle import Battle
from pbem.games.rampage.movement import Marchers
from pbem.games.rampage.notes import Defended, Garrisoned
from pbem.games.rampage.orders import Move
from pbem.games.rampage.state import German, Hex, State, Unit
from pbem.games.rampage.tables import (
    CHARTS,
    FORTRESSES,
    VICTORY_CITIES,
    place_name,
    river_between,
    step_cost,
)


def of_drop(state: State, units: Sequence[Unit], hex: Hex) -> Iterable[str]:
    """13.5 Which Germans a drop of these divisions may meet, and what its success cuts off."""
    names = ", ".join(unit.id for unit in units)
    yield f"{names} at {place_name(hex)}: {sizes(state, hex)}; all Germans fire first [13.5]"
    yield from _sealing(state, units, hex, ())


# --- moves ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A German hex on the path of a force: the hex it is entered from, and the points left
    there if no battle before it takes a second round."""

    origin: Hex
    hex: Hex
    points: int


def of_move(
    state: State, order: Move, force: Marchers, hexes: Sequence[Hex], sets_out: bool
) -> Iterable[str]:
    """9.3 Which Germans a force may meet along these hexes, with the points that it has now;
    `sets_out` if this is its first leg."""
    if state.partial == force.group:
        die = "a die decides the points when the force sets out, " if sets_out else ""
        yield f"{die}one round for each battle [9.15]"
    taken: list[Hex] = []
    for entry in entries(state, force, hexes):
        yield from _meeting(state, order, force.units, entry, first=not taken)
        yield from _sealing(state, force.units, entry.hex, taken)
        taken.append(entry.hex)
    if order.spared and (strangers := [id for id in order.spared if id not in order.units]):
        yield f"spared, but not in this force: {', '.join(strangers)}"


def entries(state: State, force: Marchers, hexes: Sequence[Hex]) -> Iterator[Entry]:
    """9.3, 9.8 The German hexes that a force enters along these hexes."""
    here, points = force.hex, force.points
    for hex in hexes:
        points -= step_cost(here, hex) or 0
        if control.is_german(state, hex):
            yield Entry(here, hex, points)
        here = hex


def _meeting(state: State, order: Move, units: Sequence[Unit], entry: Entry, first: bool) -> Iterable[str]:
    """What is known of the battle for a hex: the defenders and the exact chance, or how many there may be.
    For the `first` hex, which the force reaches as it is now, also the chance against each number."""
    origin, hex = entry.origin, entry.hex
    most = most_rounds(state, order, units, entry.points)
    within = "one round" if most == 1 else f"{most} rounds"
    if there := known_defenders(state, hex):
        chance = _chances(order, units, origin, hex, there, most)
        yield (
            f"{place_name(hex)}: defended by {', '.join(unit.id for unit in there)}; "
            f"{percent(chance.won)} to win within {within}, {percent(chance.lost)} to lose all units [8.8]"
        )
        return
    if lone(state, hex):
        yield f"{place_name(hex)}: defended by a garrison that is not known yet [12.8]"
        sizes_there = [1]
    else:
        river = ", across a river" if river_between(origin, hex) else ""
        yield f"{place_name(hex)}{river}: {sizes(state, hex)}"
        sizes_there = [size for size in spread(state, hex) if size]
    if first and sizes_there:
        ordinary = German(id="", type="infantry")
        told = (
            f"{size}: {percent(_chances(order, units, origin, hex, [ordinary] * size, most).won)}"
            for size in sizes_there
        )
        yield f"chance to win within {within}, by number of ordinary infantry: {', '.join(told)} [10.1]"


def imagined(state: State) -> set[str]:
    """The Germans that were drawn only in the imagination of a check."""
    at = next((at for at, note in enumerate(state.log) if isinstance(note, Imagined)), len(state.log))
    found: set[str] = set()
    for note in state.log[at:]:
        match note:
            case Defended(names=names) if note.die:
                found |= {*names}
            case Garrisoned(name=name) if note.lots:
                found.add(name)
    return found


def known_defenders(state: State, hex: Hex) -> list[German]:
    """8.8, 12.8 The Germans known to be in a hex."""
    guessed = imagined(state)
    return [unit for unit in state.defenders(hex) if unit.id not in guessed]


def lone(state: State, hex: Hex) -> bool:
    """12.8 Whether a fortress is cut off, and the check has imagined its garrison."""
    return hex in state.garrisons and bool(state.defenders(hex)) and not known_defenders(state, hex)


def _chances(
    order: Move, units: Sequence[Unit], origin: Hex, hex: Hex, germans: Sequence[German], rounds: int
) -> battle.Chances:
    """10.1 The exact chances of these units within `rounds`, with losses taken as ordered."""
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


def most_rounds(state: State, order: Move, units: Sequence[Unit], points: int) -> int:
    """9.4, 9.15 How many rounds a battle may last: as ordered, but no more than the points left in the hex
    can pay for."""
    if state.partial in {unit.group for unit in units}:
        return 1
    return min(order.rounds or CHARTS.movement.allowance, 1 + points // CHARTS.movement.round)


# --- pockets --------------------------------------------------------------------------------------------


def _sealing(state: State, units: Sequence[Unit], hex: Hex, taken: Sequence[Hex]) -> Iterable[str]:
    """11.2, 12.4 What the fall of a hex cuts off, which Germans then break out through it,
    and the chance that this eliminates the force. `taken` are the hexes that it has won before."""
    before = {each for pocket in pockets.made_by(state, taken) for each in pocket}
    known = [
        unit for unit in state.germans.values() if unit.place == "map" and unit.id not in imagined(state)
    ]
    for pocket in pockets.made_by(state, (*taken, hex)):
        if before.issuperset(pocket):
            continue
        yield f"taking {place_name(hex)} cuts off {', '.join(map(place_name, pocket))} [12.4]"
        found = breakout.forecast(state, pocket, hex, units, known)
        if found is None:
            yield "only a fortress city: it gets a garrison and does not break out [12.8]"
            continue
        names = ", ".join(unit.id for unit in units)
        steps = count(sum(unit.steps for unit in units), "step")
        yield (
            f"at once {crowd(found.sizes)} through {hex} against {names} ({steps} at present): "
            f"{danger(found)} [{found.case}]"
        )


def crowd(sizes: Mapping[int, Fraction]) -> str:
    """How many units break out, and how likely: ``22 Germans break out``."""
    if len(sizes) == 1:
        (size,) = sizes
        return f"{size} Germans break out" if size else "no unit breaks out"
    told = ", ".join(f"{size or 'none'} {percent(chance)}" for size, chance in sizes.items())
    return f"Germans break out ({told})"


def danger(found: breakout.Breakout) -> str:
    """The chance that a breakout eliminates every unit that faces it."""
    if found.bombed is None:
        return f"{percent(found.lost)} to lose all these units"
    bombed = percent(found.bombed.lost)
    return f"{bombed} to lose all these units after heavy bombers, {percent(found.lost)} without"


# --- the die of the defence -----------------------------------------------------------------------------


def spread(state: State, hex: Hex) -> dict[int, int]:
    """8.2 to 8.5, 8.7 How many faces of the die lead to each size of a defence."""
    formula, pool = defence.formula(hex), len(state.pool())
    ways: dict[int, int] = {}
    for die in range(1, 7):
        size = min(pool, formula.size(die))
        ways[size] = ways.get(size, 0) + 1
    return dict(sorted(ways.items()))


def sizes(state: State, hex: Hex) -> str:
    """How many units may defend a hex, and how likely: ``defenders 0 (50 %), 1 (17 %)``."""
    told = ", ".join(f"{size} ({percent(Fraction(count, 6))})" for size, count in spread(state, hex).items())
    kind = " (fortress)" if hex in FORTRESSES else " (victory city)" if hex in VICTORY_CITIES else ""
    return f"defenders {told}{kind} [{defence.formula(hex).case}]"
