"""How the bot rates orders. It can replace a missing second commander, and is a fair measure of the odds.

It weighs ground against risk: what a hex adds to the conditions of 4.1, how near it is to the missing ones,
what a pocket would add, times the chance of taking it, less the divisions tied down and the steps that it may
cost. Each army group has its own direction: the British along the coast, the US by Paris and Troyes
to the Saar.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.game import Rate
from pbem.engine.hexes import flood, indices
from pbem.engine.language import Order
from pbem.engine.play import Ask, Request
from pbem.games.rampage import control, defence, victory
from pbem.games.rampage.administration import Arrival
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.battle import Battlefield, modifiers
from pbem.games.rampage.operations import BREAK_OFF, AnotherRound, Operations
from pbem.games.rampage.orders import Drop, Ground, Move, Place, Replenish, UseDefault
from pbem.games.rampage.state import Hex, State, Type, Unit
from pbem.games.rampage.tables import (
    AFP,
    CHARTS,
    GRID,
    SUPPLY_EDGE,
    VICTORY_CITIES,
    WEST_OF_SEINE,
    Row,
    v1_sites,
)

ROUNDS = 2
"""Rounds that a battle is assumed to last."""
LIMIT = 9
"""More steps than any defence has."""
SEEN_AHEAD = 14
"""Hexes from which a goal still attracts a force."""
NOT_YET = -1.0
RESERVE, WARY = 2.5, 5.0
"""Spare steps that a British force needs for each step that an attack may cost:
before and after a division has been lost (4.2)."""
SITE, FAR = 6.0, 4.0
"""What a launching site or a city on the Seine adds to a hex, and what a victory city adds
to those on the way there."""
SAFE_ODDS = 85
"""Per cent from which a worn British force fights on regardless (4.2)."""
SPREAD = "full first, infantry first"
"""Spread losses over all units, so that for a long time none is eliminated."""


def judge(state: State, request: Request) -> Rate:
    """Return what rates the orders of a desk, or the options of a decision, for the seat that is asked."""
    match request:
        case Ask():
            return partial(decision, state, request)
        case Operations() | Assault() | Arrival():
            return partial(on_the_map, Picture(state))
        case Desk():
            return partial(off_the_map, state)
    return lambda choice: 0.0


def on_the_map(seen: Picture, order: Order) -> float:
    """Rate the orders whose worth depends on the map: moves, drops, reinforcements."""
    units = seen.state.units
    match order:
        case Move(ids, path):
            return move(seen, [units[id] for id in ids], path[-1])
        case Drop(ids, hex):
            return drop(seen, [units[id] for id in ids], hex)
        case Place(ids, hex):
            return 50.0 - seen.distance(units[ids[0]].group, hex)
    return 0.0


def off_the_map(state: State, order: Order) -> float:
    """Rate the orders whose worth does not: the default set-up, and which arm to ground or replenish."""
    match order:
        case UseDefault():
            return 1.0
        case Ground(units):
            return 1.0 if state.units[units[0]].type == "infantry" else 0.5
        case Replenish(units):
            return 2.0 if state.units[units[0]].type == "armour" else 1.0
    return 0.0


def decision(state: State, ask: Ask[Any], choice: Any) -> float:
    """Rate an option of a decision: spread losses, call bombers, and break off before a British force
    loses a division."""
    if ask.kind == "losses":
        return 1.0 if choice == SPREAD else 0.0
    if ask.kind == "bombers":
        return 1.0 if choice == "yes" else 0.0
    if isinstance(ask, AnotherRound) and choice == BREAK_OFF:
        steps = ask.attackers
        british = any(state.units[id].group == "british" for id in steps)
        worn = sum(steps.values()) - len(steps) < ask.defenders
        return 1.0 if british and worn and ask.odds < SAFE_ODDS else 0.0
    return 0.0


# --- the picture ----------------------------------------------------------------------------------------


class Picture:
    """What the bot makes of the map, once for each request."""

    def __init__(self, state: State) -> None:
        conditions = victory.conditions(state)
        self.state = state
        self.german, self.supplied = control.german(state), control.supplied(state)
        self.missing = frozenset(hex for each in conditions if not each.met for hex in each.missing)
        """The hexes that the conditions of 4.1 still lack."""
        west = [hex for hex in WEST_OF_SEINE if hex in self.missing]
        coast = [hex for hex in v1_sites(state) if hex in self.missing]
        cities = [hex for hex in VICTORY_CITIES if hex in self.missing]
        south = [hex for hex in west if int(hex[:2]) <= 16]
        british = tuple([hex for hex in west if hex not in south] + coast) or tuple(cities)
        self.goals: dict[str, tuple[Hex, ...]] = {
            "british": british,
            "us": tuple(south) or tuple(cities or coast),
            "airborne": british,
        }
        self.far: dict[str, tuple[Hex, ...]] = {
            "us": tuple(cities),
            "british": tuple(cities),
            "airborne": (),
        }
        """The victory cities, which attract an army group even while it has other goals west of them."""
        self.values: dict[tuple[str, Hex], float] = {}
        self.distances: dict[tuple[str, Hex], int] = {}

    def distance(self, group: str, hex: Hex) -> int:
        """How far a hex is from the nearest of an army group's goals."""
        known = self.distances.get((group, hex))
        if known is None:
            away = (GRID.distance(hex, goal) for goal in self.goals[group])
            known = self.distances[group, hex] = min(away, default=0)
        return known

    def value(self, group: str, hex: Hex) -> float:
        """The worth of a hex to the army group that takes it."""
        known = self.values.get((group, hex))
        if known is None:
            known = self.values[group, hex] = self._value(group, hex)
        return known

    def _value(self, group: str, hex: Hex) -> float:
        worth = 1.0 + 5.0 * nearness(self.goals[group], hex) + FAR * nearness(self.far[group], hex)
        if hex in VICTORY_CITIES and self.missing.issuperset(VICTORY_CITIES):
            worth += 8.0
        elif hex in self.missing:
            worth += 2.0 if hex in WEST_OF_SEINE else SITE
        sealed = self.sealed_by(hex)
        if self.state.afp == "standing" and sealed >> GRID.index(AFP) & 1:
            return NOT_YET
        return worth + sum(0.7 + (GRID.ids[at] in self.missing) for at in indices(sealed))

    def sealed_by(self, hex: Hex) -> int:
        """The German hexes that the fall of a hex would cut off."""
        left = self.german & ~(1 << GRID.index(hex))
        return left & self.supplied & ~flood(GRID.spread, SUPPLY_EDGE & left, left)


def nearness(goals: Sequence[Hex], hex: Hex) -> float:
    """From 1 in a goal down to 0 at `SEEN_AHEAD` hexes from all of them."""
    return max((1 - GRID.distance(hex, goal) / SEEN_AHEAD for goal in goals), default=0.0) if goals else 0.0


# --- moving and fighting ----------------------------------------------------------------------------------


def move(seen: Picture, units: Sequence[Unit], goal: Hex) -> float:
    """The worth of sending these units to a hex: that of the hex if it is German,
    otherwise that of coming closer to a goal."""
    state, group = seen.state, units[0].group
    here = units[0].placed
    if goal not in state.german:
        nearer = seen.distance(group, here) - seen.distance(group, goal)
        behind = seen.distance(group, here) > 3 and not _faces_germans(seen, here)
        return 0.2 * nearer if nearer > 0 and behind else 0.0
    value = seen.value(group, goal)
    if value <= 0:
        return value
    chance, lost = prospects(state, units, here, goal)
    if chance < 0.5:
        return NOT_YET
    spare = sum(unit.steps - 1 for unit in units)
    wary = group == "british" and goal not in VICTORY_CITIES
    if wary and spare < (WARY if victory.british_lost(state) else RESERVE) * lost:
        return NOT_YET
    return value * chance - lost - 0.25 * len(units)


def _faces_germans(seen: Picture, hex: Hex) -> bool:
    return bool(GRID.zone(1 << GRID.index(hex)) & seen.german)


def prospects(state: State, units: Sequence[Unit], here: Hex, goal: Hex) -> tuple[float, float]:
    """The chance to take a hex and the steps that it may cost, averaged over all sizes of its defence."""
    origin = here if GRID.are_neighbours(here, goal) else _attacked_from(state, here, goal)
    rounds = 1 if units[0].group == state.partial else ROUNDS
    dice = tuple(
        sum(unit.steps for unit in units if (unit.row, unit.type) == (row, arm)) for row, arm in CLASSES
    )
    reached = chances(dice, armour_modifier(Battlefield(goal, origin)), rounds)
    there = len(state.defenders(goal))
    formula, pool = defence.formula(goal), len(state.pool())
    sizes = [there] if there else [min(pool, formula.size(die)) for die in range(1, 7)]
    chance = sum(reached[size] if size < len(reached) else 0.0 for size in sizes) / len(sizes)
    return chance, 0.45 * sum(sizes) / len(sizes)


CLASSES: tuple[tuple[Row, Type], ...] = (
    ("us", "armour"),
    ("us", "infantry"),
    ("british", "armour"),
    ("british", "infantry"),
)


@cache
def armour_modifier(ground: Battlefield) -> int:
    """The die modifier of attacking armour on this ground."""
    return modifiers(ground, False, "armour", first_round=False).total


@cache
def chances(dice: tuple[int, ...], armour: int, rounds: int) -> tuple[float, ...]:
    """The chance that these dice hit at least 0, 1, 2 ... steps in `rounds` rounds,
    without losses of their own."""
    ways = {0: 1.0}
    for (row, arm), count in zip(CLASSES, dice, strict=True):
        worth = CHARTS.fire[row].worth(armour if arm == "armour" else 0)
        for _ in range(count * rounds):
            ways = _with_a_die(ways, worth)
    return tuple(sum(chance for steps, chance in ways.items() if steps >= least) for least in range(LIMIT))


def _with_a_die(ways: dict[int, float], worth: tuple[int, ...]) -> dict[int, float]:
    found: dict[int, float] = {}
    for so_far, chance in ways.items():
        for steps in worth:
            total = min(LIMIT, so_far + steps)
            found[total] = found.get(total, 0.0) + chance / len(worth)
    return found


def _attacked_from(state: State, here: Hex, goal: Hex) -> Hex:
    """The Allied hex next to a goal from which a force would attack it."""
    near = [hex for hex in GRID.neighbours(goal) if hex not in state.german]
    return min(near or [here], key=lambda hex: (GRID.distance(hex, here), hex))


# --- the airborne army ------------------------------------------------------------------------------------


def drop(seen: Picture, units: Sequence[Unit], hex: Hex) -> float:
    """The worth of a drop: it must take a missing hex, close enough to the front to be relieved,
    and not before the turn of the supply die."""
    state = seen.state
    if state.turn < CHARTS.supply.turn or hex not in seen.missing or any(u.row == "british" for u in units):
        return 0.0
    chance, _ = prospects(state, units, hex, hex)
    near = min(GRID.distance(hex, each) for each in control.front_hexes(state))
    return seen.value("airborne", hex) * chance - 2.0 if near <= 2 and chance > 0.6 else 0.0
