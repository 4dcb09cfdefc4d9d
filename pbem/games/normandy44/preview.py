"""What a player may know of an order before any die is rolled: the path and cost of a move, the odds of an
attack with the exact chance of each result; and where a move has ended. The desks say what else is left of
markers, aircraft, landing capacity and steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.engine.offer import Odds, Offer
from pbem.engine.wording import count, percent
from pbem.games.normandy44 import naval, odds, stacking, supply, support, zones
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.reach import Route
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import GRID, PORTS, Hex, Side, place_name

# --- attacks (7) ------------------------------------------------------------------------------------------


def attack(state: State, side: Side, order: Attack) -> Offer:
    """7.2 Strengths, odds, shifts and the exact chance of each result, with the help that is ordered;
    then what gunfire may add, and what help the enemy may bring."""
    defenders = odds.opposed(state, order.hex, side)
    if not defenders:
        told = f"{place_name(order.hex)}: only headquarters, lost without a die roll [6.4]"
        return Offer(order.hex, told=(told,))
    units = [state.units[id] for id in dict.fromkeys(order.units)]
    columns = support.columns(state.units[id] for id in dict.fromkeys(order.support))
    seen = odds.outlook(state, side, order.hex, units, air=order.air, support=columns)
    guns = (gunfire(order.hex, order.guns),) if order.guns else ()
    answers = Offer(told=tuple(_answers(state, side, order.hex, defenders)))
    return results(order.hex, seen).adding(*guns, answers)


def results(hex: Hex, seen: odds.Outlook) -> Offer:
    """7.2 Strengths, odds and shifts, then how likely each result is."""
    ours, theirs = (
        odds.strength_in_words(seen.attack, seen.attack_parts),
        odds.strength_in_words(seen.defence, seen.defence_parts),
    )
    shifts = "".join(f", {value:+d} {why}" for value, _, why in seen.shifts)
    column = f" = {odds.shifted(seen.column)}" if seen.shifts else ""
    likely = ", ".join(f"{result} {percent(chance)}" for result, chance in seen.chances.items())
    told = (
        f"{place_name(hex)}: {ours} against {theirs}: {seen.odds}{shifts}{column} [7.2]",
        f"losses of attackers/defenders: {likely} [7.3]",
    )
    return Offer(hex, odds=(Odds(hex, "attack", seen.column, tuple(seen.chances.items())),), told=told)


def gunfire(hex: Hex, points: int, beach: bool = False) -> Offer:
    """12.0 How likely gunfire at a hex is to shift the column, against a landing beach or in an attack."""
    hit = naval.chance(hex, points, "attack", beach=beach)
    told = f"{count(points, 'point')} of gunfire: {percent(hit)} chance of one more column [12.0]"
    shares = (("one more column", hit), ("no effect", 1 - hit))
    return Offer(hex, odds=(Odds(hex, "gunfire", shares=shares),), told=(told,))


def _answers(state: State, side: Side, hex: Hex, defenders: Sequence[Unit]) -> Iterable[str]:
    """6.3, 10.1, 12.0 The help that the enemy may still give these defenders; none of it is hidden."""
    army = support.one_army(defenders)
    if army is None:
        return
    extra = [f"{hq.id} -{hq.counter.support}" for hq in support.able(state, ENEMY[side], army, [hex])]
    if side == "german":
        if fighters := support.in_range(state, army, hex):
            extra.append(count(fighters, "fighter"))
        if guns := naval.in_range(state, army, hex):
            extra.append(f"{count(guns, 'point')} of gunfire")
    if extra:
        yield f"the enemy may add: {', '.join(extra)} [6.3]"


# --- moves (5) and landings (11.2) --------------------------------------------------------------------------


def on_the_way(routes: Iterable[Route]) -> Offer:
    """5 The path and cost of units that move together: those of the one with the fewest points left."""
    route = min(routes, key=lambda route: route.of - route.spent)
    hexes = route.hexes
    return Offer(hexes[-1], hexes, Fraction(route.spent, 2), Fraction(route.of, 2))


def moved(state: State, side: Side, end: Hex, supplied: bool = True) -> Iterable[str]:
    """Warn about the hex where a move has ended: adjacent enemies, supply (not if `supplied` is false, as on
    D-Day), stacking."""
    at = 1 << GRID.index(end)
    if zones.zone(state, ENEMY[side]) & at:
        yield f"{end} is adjacent to the enemy [4.0]"
    if supplied and not supply.area(state, side) & at:
        yield f"{end} is out of supply if judged now [8.2]"
    if not stacking.fits(state.at(end)):
        yield f"{end} exceeds the stacking limit so far: at the end of movement {stacking.in_words()} [3.1]"


def landed(state: State, hex: Hex) -> Iterable[str]:
    """11.2 What the beach or the ports of a hex can still take this turn."""
    for name, left in state.capacity.items():
        if hex in (name, *PORTS.get(name, ())):
            where = name if name in PORTS else place_name(name)
            yield f"{where}: {count(left, 'landing point')} left [11.2]"
