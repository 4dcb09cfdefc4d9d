"""What an order is worth to the bot that plays a seat: a companion for a missing second commander,
and a fair measure of the odds.

It weighs ground against risk: what a hex brings to the conditions of 4.1, how near it lies to what is still
missing, what a pocket would bring with it, times the chance of taking it, less the divisions tied down
and the steps that it may cost. Each army group has its own direction: the British along the coast,
the US by Paris and Troyes to the Saar.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.game import Rate
from pbem.engine.hexes import flood, indices
from pbem.engine.orders import Order
from pbem.engine.play import Ask, Request
from pbem.games.rampage import control, defence, victory
from pbem.games.rampage.administration import Arrival
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.battle import Ground as Terrain
from pbem.games.rampage.battle import modifiers
from pbem.games.rampage.operations import Operations
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
"""So many rounds a battle is reckoned to last."""
LIMIT = 9
"""More steps than any defence has."""
SEEN_AHEAD = 14
"""From so many hexes away a goal draws a force."""
NOT_YET = -1.0
RESERVE, WARY = 2.5, 5.0
"""So many steps to spare, for each that it may cost, must a British force have to attack:
before and after a division has been lost (4.2)."""
SITE, FAR = 6.0, 4.0
"""What a launching site or a city on the Seine adds to a hex, and what a victory city adds
to those on the way there."""
SAFE_ODDS = 85
"""Per cent from which a worn British force fights on all the same (4.2)."""
SPREAD = "full first, infantry first"
"""Whom losses fall on: spread over all, they eliminate nobody for long."""


def judge(state: State, request: Request) -> Rate:
    """How the orders of a desk or the options of a decision are rated by the seat that is asked."""
    match request:
        case Ask():
            return partial(decision, state, request)
        case Operations() | Assault() | Arrival():
            return partial(on_the_map, Picture(state))
        case Desk():
            return partial(off_the_map, state)
    return lambda choice: 0.0


def on_the_map(seen: Picture, order: Order) -> float:
    """Orders that are worth what they bring on the map: moves, drops, reinforcements."""
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
    """Orders that need no look at the map: the default set-up, and for which arm to ground or replenish."""
    match order:
        case UseDefault():
            return 1.0
        case Ground(units):
            return 1.0 if state.units[units[0]].type == "infantry" else 0.5
        case Replenish(units):
            return 2.0 if state.units[units[0]].type == "armour" else 1.0
    return 0.0


def decision(state: State, ask: Ask[Any], choice: Any) -> float:
    """The decisions in passing: losses are spread, bombers called; a British force breaks off before
    it loses a division."""
    if ask.kind == "losses":
        return 1.0 if choice == SPREAD else 0.0
    if ask.kind == "bombers":
        return 1.0 if choice == "yes" else 0.0
    if ask.kind == "battle" and choice == "break off":
        steps = ask.about["attackers"]
        british = any(state.units[id].group == "british" for id in steps)
        worn = sum(steps.values()) - len(steps) < len(ask.about["defenders"])
        return 1.0 if british and worn and ask.about["odds"] < SAFE_ODDS else 0.0
    return 0.0


# --- the picture ----------------------------------------------------------------------------------------


class Picture:
    """What the bot makes of the map when it looks at a request."""

    def __init__(self, state: State) -> None:
        conditions = victory.conditions(state)
        self.state = state
        self.german, self.supplied = control.german(state), control.supplied(state)
        self.missing = frozenset(hex for each in conditions if not each.met for hex in each.missing)
        """What the conditions of 4.1 still lack."""
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
        """The victory cities for the army group that goes for them while others are still
        at work west of them."""
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
        """What it is worth to an army group to take a hex."""
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
        """The German hexes that would be cut off, were a hex to fall."""
        left = self.german & ~(1 << GRID.index(hex))
        return left & self.supplied & ~flood(GRID.spread, SUPPLY_EDGE & left, left)


def nearness(goals: Sequence[Hex], hex: Hex) -> float:
    """1 in a goal, 0 as far from all of them as anybody looks ahead."""
    return max((1 - GRID.distance(hex, goal) / SEEN_AHEAD for goal in goals), default=0.0) if goals else 0.0


# --- moving and fighting ----------------------------------------------------------------------------------


def move(seen: Picture, units: Sequence[Unit], goal: Hex) -> float:
    """What it brings to send these units to a hex: the ground itself if it is German,
    else the way gone towards a goal."""
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
    """The chance to take a hex and the steps that it may cost, reckoned over all sizes of its defence."""
    origin = here if GRID.are_neighbours(here, goal) else _attacked_from(state, here, goal)
    rounds = 1 if units[0].group == state.partial else ROUNDS
    dice = tuple(
        sum(unit.steps for unit in units if (unit.row, unit.type) == (row, arm)) for row, arm in CLASSES
    )
    reached = chances(dice, _armour_modifier(Terrain(goal, origin)), rounds)
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
def _armour_modifier(ground: Terrain) -> int:
    """What the ground does to the dice of attacking armour."""
    return modifiers(ground, False, "armour", first_round=False).total


@cache
def chances(dice: tuple[int, ...], armour: int, rounds: int) -> tuple[float, ...]:
    """How likely these dice hit at least 0, 1, 2 ... steps in so many rounds,
    as if they lost nothing meanwhile."""
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
    """A drop pays where it takes what is missing, close enough to the front to be relieved;
    most divisions wait for turn 3."""
    state = seen.state
    if state.turn < CHARTS.supply.turn or hex not in seen.missing or any(u.row == "british" for u in units):
        return 0.0
    chance, _ = prospects(state, units, hex, hex)
    near = min(GRID.distance(hex, each) for each in control.front_hexes(state))
    return seen.value("airborne", hex) * chance - 2.0 if near <= 2 and chance > 0.6 else 0.0
