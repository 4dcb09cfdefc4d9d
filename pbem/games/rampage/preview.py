"""What an order would bring, for desks to show players before it is carried out: path and cost, which Germans
it may meet and the chance of winning.

The chance of a battle is exact if the defenders are on the map (8.8). For any other hex the preview gives
the odds of the defence die. If the hex seals a pocket, it also gives the breakout, exactly as far as that
depends on dice and lots (breakout.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.engine.notes import Imagined
from pbem.engine.offer import Odds, Offer
from pbem.engine.wording import count, percent
from pbem.games.rampage import battle, breakout, control, defence, pockets
from pbem.games.rampage.battle import Battle
from pbem.games.rampage.movement import Marchers, Route
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


def of_drop(state: State, units: Sequence[Unit], hex: Hex) -> Offer:
    """13.5 Which Germans a drop of these divisions may meet, and what its success cuts off."""
    names = ", ".join(unit.id for unit in units)
    die = defence_die(state, hex)
    told = f"{names} at {place_name(hex)}: {sizes(die)}; all Germans fire first [13.5]"
    return Offer(hex, odds=(die,), told=(told,)).adding(*_sealing(state, units, hex, ()))


# --- moves ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A German hex on the path of a force: the hex it is entered from, and the points left
    there if no battle before it takes a second round."""

    origin: Hex
    hex: Hex
    points: int


def of_move(state: State, order: Move, force: Marchers, route: Route, sets_out: bool) -> Offer:
    """9.3 The path of a force, and which Germans it may meet on it, with the points that it has now;
    `sets_out` if this is its first leg."""
    way: tuple[Hex, ...] = (force.hex, *route.hexes)
    said: tuple[str, ...] = ()
    if state.partial == force.group:
        die = "a die decides the points when the force sets out, " if sets_out else ""
        said = (f"{die}one round for each battle [9.15]",)
    parts, taken = list[Offer](), list[Hex]()
    for entry in entries(state, force, route.hexes):
        parts.append(_meeting(state, order, force.units, entry, first=not taken))
        parts += _sealing(state, force.units, entry.hex, taken)
        taken.append(entry.hex)
    if order.spared and (strangers := [id for id in order.spared if id not in order.units]):
        parts.append(Offer(told=(f"spared, but not in this force: {', '.join(strangers)}",)))
    cost, of = Fraction(route.cost), Fraction(force.points)
    return Offer(way[-1], way, cost, of, told=said).adding(*parts)


def entries(state: State, force: Marchers, hexes: Sequence[Hex]) -> Iterator[Entry]:
    """9.3, 9.8 The German hexes that a force enters along these hexes."""
    here, points = force.hex, force.points
    for hex in hexes:
        points -= step_cost(here, hex) or 0
        if control.is_german(state, hex):
            yield Entry(here, hex, points)
        here = hex


def _meeting(state: State, order: Move, units: Sequence[Unit], entry: Entry, first: bool) -> Offer:
    """What is known of the battle for a hex: the defenders and the exact chance, or how many there may be.
    For the `first` hex, which the force reaches as it is now, also the chance against each number."""
    origin, hex = entry.origin, entry.hex
    most = most_rounds(state, order, units, entry.points)
    within = "one round" if most == 1 else f"{most} rounds"
    if there := known_defenders(state, hex):
        chance = _chances(order, units, origin, hex, there, most)
        told = (
            f"{place_name(hex)}: defended by {', '.join(unit.id for unit in there)}; "
            f"{percent(chance.won)} to win within {within}, {percent(chance.lost)} to lose all units [8.8]"
        )
        return Offer(odds=(_battle(hex, chance, len(there)),), told=(told,))
    if lone(state, hex):
        told = f"{place_name(hex)}: defended by a garrison that is not known yet [12.8]"
        met, sizes_there = Offer(told=(told,)), [1]
    else:
        die = defence_die(state, hex)
        river = ", across a river" if river_between(origin, hex) else ""
        met = Offer(odds=(die,), told=(f"{place_name(hex)}{river}: {sizes(die)}",))
        sizes_there = [size for size in spread(state, hex) if size]
    if not first or not sizes_there:
        return met
    ordinary = German(id="", type="infantry")
    found = {size: _chances(order, units, origin, hex, [ordinary] * size, most) for size in sizes_there}
    by_number = ", ".join(f"{size}: {percent(chance.won)}" for size, chance in found.items())
    told = f"chance to win within {within}, by number of ordinary infantry: {by_number} [10.1]"
    return met.adding(Offer(odds=tuple(_battle(hex, found[size], size) for size in found), told=(told,)))


def _battle(hex: Hex, chance: battle.Chances, defenders: int) -> Odds:
    """10.1 The chances of a battle against this number of Germans; they stand in the place of a column."""
    shares = (("won", chance.won), ("lost", chance.lost), ("repulsed", 1 - chance.won - chance.lost))
    return Odds(hex, "battle", str(defenders), shares)


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


def _sealing(state: State, units: Sequence[Unit], hex: Hex, taken: Sequence[Hex]) -> Iterator[Offer]:
    """11.2, 12.4 What the fall of a hex cuts off, which Germans then break out through it,
    and the chance that this eliminates the force. `taken` are the hexes that it has won before."""
    before = {each for pocket in pockets.made_by(state, taken) for each in pocket}
    known = [
        unit for unit in state.germans.values() if unit.place == "map" and unit.id not in imagined(state)
    ]
    for pocket in pockets.made_by(state, (*taken, hex)):
        if before.issuperset(pocket):
            continue
        cut = f"taking {place_name(hex)} cuts off {', '.join(map(place_name, pocket))} [12.4]"
        found = breakout.forecast(state, pocket, hex, units, known)
        if found is None:
            spared = "only a fortress city: it gets a garrison and does not break out [12.8]"
            yield Offer(told=(cut, spared))
            continue
        names = ", ".join(unit.id for unit in units)
        steps = count(sum(unit.steps for unit in units), "step")
        told = (
            f"at once {crowd(found.sizes)} through {hex} against {names} ({steps} at present): "
            f"{danger(found)} [{found.case}]"
        )
        yield Offer(odds=tuple(_breakouts(hex, found)), told=(cut, told))


def _breakouts(hex: Hex, found: breakout.Breakout) -> Iterator[Odds]:
    """12.5 The chance that a breakout eliminates the force, first after heavy bombers where they may come."""
    if found.bombed is not None:
        yield Odds(hex, "breakout", "bombers", (("lost", found.bombed.lost), ("held", 1 - found.bombed.lost)))
    yield Odds(hex, "breakout", "", (("lost", found.lost), ("held", 1 - found.lost)))


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


def defence_die(state: State, hex: Hex) -> Odds:
    """8.2 How many units may defend a hex, each number with its chance."""
    shares = tuple((str(size), Fraction(count, 6)) for size, count in spread(state, hex).items())
    return Odds(hex, "defence", shares=shares)


def sizes(die: Odds) -> str:
    """How many units may defend a hex, in words: ``defenders 0 (50%), 1 (17%)``."""
    hex, told = die.hex, ", ".join(f"{size} ({percent(chance)})" for size, chance in die.shares)
    kind = " (fortress)" if hex in FORTRESSES else " (victory city)" if hex in VICTORY_CITIES else ""
    return f"defenders {told}{kind} [{defence.formula(hex).case}]"
