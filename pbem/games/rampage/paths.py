"""How the planner moves a force: it looks along whole paths of several battles and takes the first leg of the
best one.

A path is worth what its hexes and those that it cuts off are worth, and how much nearer it brings the force
to the goals of its mission, times the chance of winning all its battles, less the steps that they may cost.
After each battle the rest of the way is planned anew.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import comb

from pbem.engine.hexes import indices
from pbem.games.rampage import bot, control, defence
from pbem.games.rampage.battle import Battlefield
from pbem.games.rampage.movement import Marchers, Planner, attack_fault
from pbem.games.rampage.state import Hex, State
from pbem.games.rampage.tables import (
    AFP,
    CHARTS,
    FORTRESSES,
    GRID,
    LAND,
    is_west,
    step_cost,
)

MOST_BATTLES = 6
"""Battles that a path may have: no force has points for more."""
MOST_PATHS = 700
"""Paths looked at from each hex that a force can reach, which bounds the time that it takes."""
LONGEST_BATTLE = 3
"""Rounds that a battle is thought to last at most, whatever the points: later ones decide little."""
EXTRA_WEST, EXTRA_EAST = 0.3, 0.8
"""Movement points that a battle takes on average for further rounds. West of the line every other hex is
undefended."""
STEPS_PER_DEFENDER = 0.4
"""Allied steps that a German division costs on average."""
STILL = 0.4
"""A march without a battle must be worth this much more than the best path with one: ground taken is not lost
again, a march can wait."""
HALTED = 0.9
"""What coming nearer counts without a battle: a force that only marches takes nothing on its way."""
BREAKOUT_STEPS = 1.0
"""Steps that a breakout costs the force that closes the pocket, on the safe side: every second
British division that is lost falls in one."""
BREAKOUT_SIZES = (0, 0, 0, 1, 2, 3)
"""12.5 The German divisions that break out, for each roll of the die west of the line."""
FORTRESS_CUT_OFF = 0.3
"""Worth of cutting off a fortress. It stays German, but can no longer draw more than one division."""


@dataclass(frozen=True, slots=True)
class Mission:
    """What a force is to do."""

    goals: tuple[Hex, ...]
    """Where it is drawn to: the nearest of these. Without goals nowhere."""
    pull: float
    """What a movement point nearer to them is worth."""
    prizes: Mapping[Hex, float]
    """What taking a hex is worth, over `plain`."""
    plain: float
    """What taking any hex is worth."""
    step: float
    """What losing a step costs."""
    least: float
    """The least chance of winning at which a battle is sought."""
    last_stand: frozenset[Hex] = frozenset()
    """Hexes that are attacked at any odds: it is now or never."""
    spare: float = 0.0
    """Steps beyond the first of each division that must be there for each step that a path may cost."""
    stakes: Mapping[Hex, float] = field(default_factory=dict)
    """Hexes that are worth divisions, and how many levels of 4.1 each."""
    reserve: int = 0
    """Steps that count as spare there although they are not: the division that may be lost."""

    def prize(self, hex: Hex) -> float:
        return self.plain + self.prizes.get(hex, 0.0)


@dataclass(frozen=True, slots=True)
class Path:
    """A way for a force: the hexes up to its first battle, and those of the battles that are to follow."""

    worth: float
    leg: tuple[Hex, ...]
    onward: tuple[Hex, ...] = ()


@lru_cache(maxsize=512)
def distances(goals: tuple[Hex, ...]) -> Mapping[Hex, float]:
    """The movement points from every hex to the nearest goal over land in any hands, with what battles
    take."""
    found = dict.fromkeys(goals, 0.0)
    waiting = [(0.0, goal) for goal in sorted(goals)]
    while waiting:
        so_far, hex = heapq.heappop(waiting)
        if so_far > found[hex]:
            continue
        for near in GRID.neighbours(hex):
            price = step_cost(near, hex) if LAND >> GRID.index(near) & 1 else None
            if price is None:
                continue
            total = so_far + price + battle_points(near)
            if total < found.get(near, UNREACHED):
                found[near] = total
                heapq.heappush(waiting, (total, near))
    return found


UNREACHED = 1e9
"""More than any distance."""


def away(goals: tuple[Hex, ...], hex: Hex) -> float:
    """How far a hex is from the nearest of these goals; 0 without any."""
    return distances(goals).get(hex, UNREACHED) if goals else 0.0


@cache
def battle_points(hex: Hex) -> float:
    """The points that a battle for a hex takes for its later rounds."""
    return EXTRA_WEST if is_west(hex) else EXTRA_EAST


@lru_cache(maxsize=1 << 16)
def cut_off(german: int) -> int:
    """12.1 Of the hexes that the Germans hold those that are out of supply. Other forces look at the same
    ground."""
    return german & ~control.linked(german)


class Search:
    """The search for the best path of one force with one mission."""

    def __init__(self, state: State, force: Marchers, mission: Mission) -> None:
        self.state, self.force, self.mission = state, force, mission
        self.german = control.german(state)
        self.cut_before = cut_off(self.german)
        self.spare = sum(unit.steps - 1 for unit in force.units)
        self.start = self.distance(force.hex)
        self.pool = len(state.pool())
        self.dice = tuple(
            sum(unit.steps for unit in force.units if (unit.row, unit.type) == (row, arm))
            for row, arm in bot.CLASSES
        )
        self._sizes: dict[Hex, tuple[int, ...]] = {}
        self._battles: dict[tuple[Hex, Hex, int], tuple[float, float]] = {}
        self._gains: dict[int, float | None] = {}
        self._looked_at = 0

    def best(self) -> Path | None:
        """The best path, or None if it is better to stay."""
        reach = Planner(self.state, self.force).reach(self.force.hex, self.force.points)
        ways = sorted((reach.costs[index], GRID.ids[index]) for index in reach)
        found: Path | None = None
        for cost, hex in ways:
            walk = tuple(GRID.ids[index] for index in reach.path_to(GRID.index(hex))[1:])
            self._looked_at = 0
            for worth, battles in self._from(hex, cost, (), 0, 1.0, 0.0):
                if found is None or worth > found.worth:
                    found = Path(worth, (*walk, battles[0]), battles[1:])
        for _, hex in ways:
            worth = HALTED * self.nearer(hex)
            if hex != self.force.hex and worth > (found.worth if found else 0.0) + STILL:
                found = Path(worth, tuple(GRID.ids[i] for i in reach.path_to(GRID.index(hex))[1:]))
        return found

    def distance(self, hex: Hex) -> float:
        return away(self.mission.goals, hex)

    def nearer(self, hex: Hex) -> float:
        """What standing in a hex is worth: how much nearer it is to the goals."""
        return self.mission.pull * (self.start - self.distance(hex))

    def _from(
        self, hex: Hex, cost: float, battles: tuple[Hex, ...], taken: int, chance: float, lost: float
    ) -> Iterator[tuple[float, tuple[Hex, ...]]]:
        """Every path that continues from a hex with a battle: its worth and its battles."""
        for near in GRID.neighbours(hex):
            if self._looked_at >= MOST_PATHS:
                return
            self._looked_at += 1
            if not self.german >> GRID.index(near) & 1 or near in battles:
                continue
            price = step_cost(hex, near)
            if price is None or cost + price > self.force.points:
                continue
            if attack_fault(self.state, self.force.group, near):
                continue
            wins, costs = self._battle(near, hex, self.force.points - cost - price)
            whole, then = (*battles, near), taken | 1 << GRID.index(near)
            gain = self._gain(then)
            closes = bool(self._pocket(then) & ~self._pocket(taken))
            if gain is None or not self._dares(near, wins, costs, lost, closes):
                continue
            costs += BREAKOUT_STEPS if closes else 0.0
            likely, steps = chance * wins, lost + costs
            yield likely * (gain + self.nearer(near)) - self.mission.step * steps, whole
            if len(whole) < MOST_BATTLES:
                after = cost + price + battle_points(near)
                yield from self._from(near, after, whole, then, likely, steps)

    def _dares(self, hex: Hex, wins: float, costs: float, lost: float, closes: bool) -> bool:
        """Whether the mission allows a battle after `lost` steps on the way to it. `closes`: its victory
        closes a pocket, and the breakout comes on top of what the battle costs."""
        mission = self.mission
        if hex in mission.last_stand:
            return wins >= LAST_CHANCE
        if stake := mission.stakes.get(hex):
            left = max(0, self.spare + mission.reserve - round(lost))
            at_risk = divisions_lost(self._sizes[hex], left)
            at_risk += divisions_lost(BREAKOUT_SIZES, left) if closes else 0.0
            return wins >= LAST_CHANCE and wins * stake > at_risk
        costs += BREAKOUT_STEPS if closes else 0.0
        return wins >= mission.least and self.spare >= mission.spare * (costs + lost / 2)

    def _battle(self, hex: Hex, origin: Hex, left: float) -> tuple[float, float]:
        """The chance of winning a battle with these points left, and the steps that it may cost."""
        rounds = 1 if self.force.group == self.state.partial else int(max(1, min(LONGEST_BATTLE, 1 + left)))
        key = (hex, origin, rounds)
        if key not in self._battles:
            self._battles[key] = self._prospects(hex, origin, rounds)
        return self._battles[key]

    def _prospects(self, hex: Hex, origin: Hex, rounds: int) -> tuple[float, float]:
        """The chance to take a hex within these rounds and the steps that it may cost, averaged over all
        sizes of its defence."""
        reached = bot.chances(self.dice, bot.armour_modifier(Battlefield(hex, origin)), rounds)
        if (sizes := self._sizes.get(hex)) is None:
            sizes = self._sizes[hex] = defences(self.state, hex, self.pool)
        chance = sum(reached[size] if size < len(reached) else 0.0 for size in sizes) / len(sizes)
        return chance, STEPS_PER_DEFENDER * sum(sizes) / len(sizes)

    def gain(self, *hexes: Hex) -> float | None:
        """What taking these hexes brings, with all that they cut off; None if that would seal the
        Argentan-Falaise Pocket, whose 22 divisions would destroy the force."""
        return self._gain(GRID.bits(hexes))

    def _gain(self, taken: int) -> float | None:
        if taken not in self._gains:
            self._gains[taken] = self._weighed(taken)
        return self._gains[taken]

    def _weighed(self, taken: int) -> float | None:
        pocket = self._pocket(taken)
        if pocket >> GRID.index(AFP) & 1 and self.state.afp == "standing":
            return None
        prize = self.mission.prize
        worth = sum(prize(GRID.ids[at]) for at in indices(taken))
        for hex in GRID.named(pocket):
            worth += FORTRESS_CUT_OFF if hex in FORTRESSES else prize(hex)
        return worth

    def _pocket(self, taken: int) -> int:
        """12.4 The hexes that are cut off once these are taken."""
        return cut_off(self.german & ~taken) & ~self.cut_before


LAST_CHANCE = 0.1
"""The least chance of winning at which a hex is attacked because it is now or never."""


@lru_cache(maxsize=512)
def divisions_lost(sizes: tuple[int, ...], spare: int) -> float:
    """The divisions that a battle costs on average beyond these spare steps; `sizes` are those that the
    German force may have, each equally likely."""

    def chance(hits: int, size: int) -> float:
        return comb(size, hits) * STEPS_PER_DEFENDER**hits * (1 - STEPS_PER_DEFENDER) ** (size - hits)

    lost = ((hits - spare) * chance(hits, size) for size in sizes for hits in range(spare + 1, size + 1))
    return sum(lost) / len(sizes)


def defences(state: State, hex: Hex, pool: int) -> tuple[int, ...]:
    """8.1, 8.8, 12.8 The sizes that the defence of a hex may have, each equally likely."""
    if there := len(state.defenders(hex)):
        return (there,)
    if hex in state.garrisons:
        return (0,)
    formula = defence.formula(hex)
    return tuple(min(pool, formula.size(die)) for die in range(1, 7))


def points(state: State, group: str) -> int:
    """9.15 The points that a force may expect to set out with."""
    return EXPECTED_DIE if group == state.partial else CHARTS.movement.allowance


EXPECTED_DIE = 3
"""Points that a force of the partially supplied army group can count on."""
