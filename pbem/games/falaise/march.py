"""What moving costs (7.1.1 to 7.3, 6.3), and the path of a move.

Points are counted in halves, because a road hex may cost half a point. Mechanised units may go by road
at half rate if their whole move of the round is such a march (7.3): everything is worked out at both rates,
and the one that costs less counts. In the tables a half point is FINE units, and a hex where fire
threatens one more: of two paths that cost the same the one under less fire is found.

For each hex a stack pays what the unit with the highest cost would.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from pbem.engine.hexes import EVERYWHERE, bits
from pbem.engine.map import CostTable, Extra, Reach
from pbem.games.falaise import ratings, restrictions
from pbem.games.falaise.restrictions import BARRIERS
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import ARGENTAN, CHARTS, GRID, MAP, Hex

FINE = 32
FAR = 160
"""Enough half points for any path across the map."""
BREAKING = 2 * CHARTS.movement.break_contact
"""6.3 Half points for breaking contact."""
EXIT = 2 * CHARTS.movement.road
"""3.3 Half points for leaving the map by the south edge."""
SOUTH = GRID.bits(hex for hex in GRID.ids if GRID.col_row(GRID.index(hex))[1] == GRID.rows[1]) & MAP.on_map
TOWNS = MAP.bits("town")


# --- points ---------------------------------------------------------------------------------------------


def allowance(state: State, unit: Unit, points: int, rating: int | None = None) -> int:
    """7.1.1 The half points of a unit when its command has this many points.
    `rating` replaces its own current one (7.2: Task Force Currie)."""
    ter = ratings.ter(state, unit) if rating is None else rating
    chart = CHARTS.ter
    change = chart.low_points if ter <= chart.low else chart.high_points if ter >= chart.high else 0
    return max(0, 2 * (points + change))


def written(halves: int) -> str:
    """Half points as players write movement points: ``2 1/2``."""
    whole, half = divmod(halves, 2)
    if not half:
        return str(whole)
    return f"{whole} 1/2" if whole else "1/2"


# --- what a step costs ----------------------------------------------------------------------------------


def step_cost(mech: bool, a: Hex, b: Hex) -> int | None:
    """7.2, 7.3 Half points for moving from a hex into its neighbour at the full rate; None if the terrain
    forbids it. On a road a hex costs a point whatever the terrain, and a bridge one more."""
    chart, kinds = CHARTS.movement, MAP.hexside(a, b)
    if MAP.road(a, b):
        return 2 * (chart.road + chart.bridge * ("bridge" in kinds))
    if not restrictions.passable(mech, a, b):
        return None
    terrain = CHARTS.terrain[MAP.terrain(b)]
    points = terrain.mech if mech else terrain.leg
    if MAP.has(b, "crest"):
        points += chart.crest
    if "ford" in kinds:
        points += chart.ford_mech if mech else chart.ford_leg
    elif "river_minor" in kinds:
        points += chart.river_leg
    return 2 * points


def half_rate(a: Hex, b: Hex) -> int | None:
    """7.3 Half points for a mechanised unit that goes by road at half rate; None off the road."""
    if not MAP.road(a, b):
        return None
    return 1 + 2 * CHARTS.movement.bridge * ("bridge" in MAP.hexside(a, b))


class Kind(NamedTuple):
    """What a stack is to terrain: whether it has units on foot, mechanised ones,
    and which barriers bind one of them."""

    leg: bool
    mech: bool
    limits: tuple[str, ...]

    @classmethod
    def of(cls, state: State, units: Iterable[Unit]) -> Kind:
        stack = list(units)
        limits = dict.fromkeys(name for unit in stack for name in restrictions.limits(state, unit))
        return cls(any(not unit.mech for unit in stack), any(unit.mech for unit in stack), tuple(limits))

    def after(self, hex: Hex) -> Kind:
        """11.9, 3.4 The stack once it has entered a hex: Argentan frees the 80th Division."""
        if hex != ARGENTAN or "argentan" not in self.limits:
            return self
        return self._replace(limits=tuple(name for name in self.limits if name != "argentan"))

    def barred(self, a: Hex, b: Hex) -> bool:
        return any(BARRIERS[name].stops(a, b) for name in self.limits)


class Front(NamedTuple):
    """The effect of the enemy on the map in a round: its hexes, its zones, where friends shield units that
    leave (6.3); by day or night; and whether the units may only withdraw (12.5)."""

    enemy: int
    zone: int
    shielded: int
    day: bool
    withdraw: bool = False


@cache
def terrain_table(kind: Kind) -> CostTable:
    """7.2 The map at the full rate."""

    def cost(a: Hex, b: Hex) -> int | None:
        if kind.barred(a, b):
            return None
        prices = [step_cost(mech, a, b) for mech in (False, True) if (kind.mech if mech else kind.leg)]
        return None if None in prices else FINE * max(price for price in prices if price is not None)

    return MAP.costs(cost)


@cache
def road_table(kind: Kind) -> CostTable:
    """7.3 The roads at half rate."""

    def cost(a: Hex, b: Hex) -> int | None:
        price = None if kind.barred(a, b) else half_rate(a, b)
        return None if price is None else FINE * price

    return MAP.costs(cost)


@lru_cache(maxsize=64)
def full_costs(kind: Kind, front: Front) -> CostTable:
    """6.2, 6.3, 7.2 What moving costs in this round. Entering a zone may draw fire; so may, by day,
    leaving the zones altogether, which costs a point."""
    zone, free = front.zone, ~front.zone
    extras = [Extra(EVERYWHERE, front.enemy, None), Extra(EVERYWHERE, zone, 1), *_breaking(zone, front)]
    if front.withdraw:
        extras += [Extra(free, EVERYWHERE, None), Extra(zone, zone, None)]
    return terrain_table(kind).with_extra(*extras)


@lru_cache(maxsize=64)
def march_costs(kind: Kind, front: Front) -> CostTable:
    """7.3 What marching at half rate costs in this round: not into enemy zones nor out of them,
    but that zones do not reach into towns for this."""
    seen = front.zone & ~TOWNS
    extras = [
        Extra(EVERYWHERE, front.enemy | seen, None),
        Extra(seen, EVERYWHERE, None),
        Extra(EVERYWHERE, front.zone & TOWNS, 1),
        *_breaking(front.zone & TOWNS, front),
    ]
    if front.withdraw:
        extras += [Extra(~front.zone, EVERYWHERE, None), Extra(front.zone, front.zone, None)]
    return road_table(kind).with_extra(*extras)


def _breaking(leaving: int, front: Front) -> tuple[Extra, Extra]:
    """6.3 Leaving these hexes of enemy zones for a hex in none: under fire by day, unless a friend stays."""
    price = FINE * BREAKING
    return (
        Extra(leaving & front.shielded, ~front.zone, price),
        Extra(leaving & ~front.shielded, ~front.zone, price + front.day),
    )


# --- a move so far --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class March:
    """A stack and its path so far this round: `way` begins where it set out. `full` half points
    have gone at the full rate; `half` is what a march at half rate has cost, None if it is none."""

    kind: Kind
    way: tuple[Hex, ...]
    allowance: int
    full: int = 0
    half: int | None = None

    @property
    def here(self) -> Hex:
        return self.way[-1]

    @property
    def spent(self) -> int:
        """7.3 The half points that the path has cost, at the better rate."""
        return self.full if self.half is None else min(self.full, self.half)

    @property
    def by_road(self) -> bool:
        return self.half is not None and self.half < self.full

    @property
    def affordable(self) -> bool:
        """7.2.1 Whether the points allow the path so far; one hex always, if there is a movement point."""
        return self.spent <= self.allowance or (len(self.way) == 2 and self.allowance >= 2)

    def step(self, front: Front, hex: Hex, alone: bool) -> March | None:
        """This march extended by one hex, None where no unit may go; `alone` if no friend is in that hex."""
        a, b = GRID.index(self.here), GRID.index(hex)
        price = full_costs(self.kind, front).cost(a, b)
        if price is None:
            return None
        half = None
        if self.half is not None and alone and (road := march_costs(self.kind, front).cost(a, b)) is not None:
            half = self.half + road // FINE
        full = self.full + price // FINE
        return March(self.kind.after(hex), (*self.way, hex), self.allowance, full, half)

    # --- where to ---

    def reach(
        self, front: Front, blocked: int, friends: int, goal: int | None = None, far: bool = False
    ) -> tuple[Reach, Reach | None]:
        """Every hex that it can go on to, at the full rate and at half rate, never entering `blocked`,
        nor by road `friends`; with a `goal` no further than that, with `far` whatever it costs."""
        start = GRID.index(self.here)
        left = FAR if far else self.allowance - self.full
        full = full_costs(self.kind, front).reach(
            start, FINE * left + FINE - 1 if left > 0 else 0, blocked, goal
        )
        if self.half is None:
            return full, None
        left = FAR if far else self.allowance - self.half
        road = march_costs(self.kind, front).reach(
            start, FINE * left + FINE - 1 if left > 0 else 0, blocked | friends, goal
        )
        return full, road

    def destinations(self, front: Front, blocked: int, friends: int) -> int:
        """The set of the hexes that it can be ordered to, for its points or because one hex is always allowed
        (7.2.1). A neighbour that may not be entered from here is not one of them, even if a path
        leads around."""
        full, road = self.reach(front, blocked, friends)
        found = full.hexes | (road.hexes if road else 0) | self._next(front, blocked)
        freed = self.by_argentan(front, blocked, friends)
        if freed is not None and freed.affordable:
            found |= freed.destinations(front, blocked, friends)
        here = 1 << GRID.index(self.here)
        return found & ~here & ~(GRID.spread(here) & ~self._beside(front))

    def by_argentan(self, front: Front, blocked: int, friends: int) -> March | None:
        """11.9 This march gone on to Argentan, which frees the 80th Division there; None if it is not bound,
        or cannot come there."""
        if "argentan" not in self.kind.limits:
            return None
        march = self
        for hex in self.way_to(ARGENTAN, front, blocked, friends) or ():
            step = march.step(front, hex, not friends >> GRID.index(hex) & 1)
            assert step is not None
            march = step
        return march if march.here == ARGENTAN else None

    def _next(self, front: Front, blocked: int) -> int:
        """7.2.1 The neighbours that it may enter whatever they cost."""
        if len(self.way) > 1 or self.allowance < 2:
            return 0
        return self._beside(front) & ~blocked

    def _beside(self, front: Front) -> int:
        """The neighbours that may be entered from here."""
        exits = full_costs(self.kind, front).exits[GRID.index(self.here)]
        return bits(near for _, nears in exits for near in nears)

    def way_to(self, goal: Hex, front: Front, blocked: int, friends: int) -> tuple[Hex, ...] | None:
        """The cheapest path on to a hex, under the least fire of those, as the hexes after this one:
        what the points allow if they do, else the cheapest of all; None if there is none."""
        index = GRID.index(goal)
        near = self._next(front, blocked) >> index & 1
        for far in (False, True):
            best: tuple[int, int, Reach] | None = None
            for rate, reach in enumerate(self.reach(front, blocked, friends, index, far)):
                if reach is not None and index in reach:
                    before = self.full if rate == 0 else self.half or 0
                    cost = FINE * before + reach.costs[index]
                    if best is None or (cost, -rate) < best[:2]:
                        best = cost, -rate, reach
            if best is not None:
                return tuple(GRID.ids[each] for each in best[2].path_to(index)[1:])
            if near:
                return (goal,)
        return None
