"""Stacking and movement (6, 9): which units may share a hex, what a force may enter, and the path
of an order.

A path leads from hex to hex. It may lead through several German hexes: each is a battle,
and the force continues only if it wins. Omitted hexes are filled in with the cheapest path
through Allied-controlled hexes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from pbem.engine.errors import NotAllowed
from pbem.engine.map import Reach
from pbem.engine.wording import count
from pbem.games.rampage import control
from pbem.games.rampage.state import Hex, State, Unit
from pbem.games.rampage.tables import (
    AFP,
    CHARTS,
    GRID,
    LAND,
    MAP,
    costs,
    place_name,
    river_between,
    step_cost,
)

NAMES = {"us": "US", "british": "British"}
FAR = 3 * len(GRID)
"""More points than any path across the map can cost: every hex, each of them rough and across a river."""


class Barred(NotAllowed):
    """A path that is barred now. It may have been open when the order was written, or could still have
    opened."""


@dataclass(frozen=True, slots=True)
class Route:
    """A path: the hexes after its first one, and its cost in movement points if no battle takes
    a second round."""

    hexes: tuple[Hex, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Marchers:
    """Units of one army group that move together from `hex` with `points` left."""

    units: tuple[Unit, ...]
    hex: Hex
    points: int

    @property
    def group(self) -> str:
        return self.units[0].group

    @property
    def names(self) -> str:
        return ", ".join(unit.id for unit in self.units)


# --- where a force may be ---------------------------------------------------------------------------------


def strangers(state: State, force: Marchers, hex: Hex) -> list[Unit]:
    """Units of the army groups in a hex that are not in the force. Airborne divisions make room (6.3, 13.8),
    and Germans never count (6.5)."""
    own = {unit.id for unit in force.units}
    return [unit for unit in state.at(hex) if unit.group != "airborne" and unit.id not in own]


def entry_fault(state: State, force: Marchers, hex: Hex) -> NotAllowed | None:
    """Why a force may not enter a hex now, whatever it costs; None if it may."""
    if control.is_german(state, hex):
        return attack_fault(state, force.group, hex)
    return room_fault(state, force, hex)


def attack_fault(state: State, group: str, hex: Hex) -> NotAllowed | None:
    """9.11, 11.1 Why an army group may not attack a German hex this turn."""
    if hex == AFP and state.afp == "standing":
        text = f"{hex} is the Argentan-Falaise Pocket: no unit may enter while its marker is there"
        return NotAllowed(text, "11.1")
    attacker = state.attacked.get(hex, group)
    if attacker != group:
        return Barred(
            f"{place_name(hex)} has already been attacked by {NAMES[attacker]} units this turn", "9.11"
        )
    return None


def room_fault(state: State, force: Marchers, hex: Hex) -> NotAllowed | None:
    """6.2 Why a force may not enter an Allied hex, even to pass through; None if it may."""
    others = strangers(state, force, hex)
    foreign = [unit for unit in others if unit.group != force.group]
    if foreign:
        text = (
            f"{place_name(hex)} contains {NAMES[foreign[0].group]} units; the army groups cannot share a hex"
        )
        return Barred(text, "6.2")
    if len(force.units) > _left(others):
        there = f"{place_name(hex)} already has {count(len(others), 'unit')}"
        full = f"{there}; the stacking limit is {CHARTS.stacking.limit}"
        return Barred(full, "6.2")
    return None


def _left(others: Sequence[Unit]) -> int:
    """6.2 How many units of the army groups a hex has room for beside these."""
    return CHARTS.stacking.limit - len(others)


def room(state: State, hex: Hex, groups: Collection[str], coming: Collection[Unit] = ()) -> int:
    """6.2, 6.3 How many more units of these army groups a hex has room for, not counting those of `coming`
    that are in it: none where there are units of another one. Whether two groups that one seat commands
    would meet there is not in it."""
    others = [unit for unit in state.at(hex) if unit.group != "airborne" and unit not in coming]
    return 0 if any(unit.group not in groups for unit in others) else _left(others)


def closed(state: State, force: Marchers) -> int:
    """The Allied-controlled hexes that a force may not enter, as a set (6.1, 6.2)."""
    own = {unit.id for unit in force.units}
    counts: dict[Hex, int] = {}
    foreign: dict[Hex, None] = {}
    for unit in state.on_map():
        if unit.group == "airborne" or unit.id in own:
            continue
        counts[unit.placed] = counts.get(unit.placed, 0) + 1
        if unit.group != force.group:
            foreign[unit.placed] = None
    room = CHARTS.stacking.limit - len(own)
    full = (hex for hex, count in counts.items() if count > room)
    return GRID.bits((*foreign, *full))


# --- the path --------------------------------------------------------------------------------------------


@dataclass
class Planner:
    """Works out the path of a force; German hexes on it count as won for the rest of the path."""

    state: State
    force: Marchers
    won: int = 0
    """The hexes of its path so far."""

    @cached_property
    def free(self) -> int:
        """The Allied hexes that it may enter."""
        return control.allied(self.state) & ~closed(self.state, self.force)

    @property
    def open(self) -> int:
        """Where it can go without a fight."""
        return self.free | self.won

    def route(self, path: Sequence[Hex]) -> Route:
        """9.8, 9.12 The path along these hexes. Raises NotAllowed if it is barred or costs too much."""
        here, spent = self.force.hex, 0
        hexes: list[Hex] = []
        for goal in path:
            if goal == here:
                continue
            leg = self.leg(here, goal, self.force.points - spent)
            for hex in leg.hexes:
                self.won |= 1 << GRID.index(hex)
            hexes += leg.hexes
            spent += leg.cost
            here = goal
        if not hexes:
            raise Barred(f"{self.force.names} already in {place_name(self.force.hex)}", "9.8")
        return Route(tuple(hexes), spent)

    def leg(self, here: Hex, goal: Hex, points: int) -> Route:
        """The path from a hex to the next one that the order names: direct between neighbours,
        else the cheapest."""
        if goal not in MAP or not LAND >> GRID.index(goal) & 1:
            raise NotAllowed(f"{goal} is not a land hex of the map", "9.8")
        if fault := entry_fault(self.state, self.force, goal):
            raise fault
        if GRID.are_neighbours(here, goal) and (price := step_cost(here, goal)) is not None:
            found: Route | None = Route((goal,), price)
        else:
            found = self.cheapest(here, goal, points) or self.cheapest(here, goal, FAR)
        if found is None:
            raise self.no_path(here, goal)
        if found.cost > points:
            left = f"{self.force.names}: {points} movement point{'s' * (points != 1)} left in {here}"
            raise Barred(f"{left}, {place_name(goal)} costs {found.cost}", "9.12", legal=self.instead(goal))
        return found

    def no_path(self, here: Hex, goal: Hex) -> Barred:
        """9.8 The refusal of a goal that no path leads to, because of Germans, the sea, or an Allied hex
        that the force may not enter."""
        text = f"no path leads from {here} to {place_name(goal)} through Allied hexes"
        across = Planner(self.state, self.force, control.allied(self.state) | self.won)
        if (way := across.cheapest(here, goal, FAR)) is not None:
            shut = next(hex for hex in way.hexes[:-1] if not self.open >> GRID.index(hex) & 1)
            fault = entry_fault(self.state, self.force, shut)
            text += f": {fault.text}" if fault else ""
        elif GRID.are_neighbours(here, goal):
            text += ": there is only sea along their common hexside"
        return Barred(text, "9.8", legal=self.instead(goal))

    def cheapest(self, here: Hex, goal: Hex, points: int) -> Route | None:
        """The cheapest path through open hexes to any last one; among equals, one without a river
        into the last hex."""
        reach = self.reach(here, points)
        index = GRID.index(goal)
        if index in reach:
            return self._named(reach.path_to(index), reach.costs[index])
        ways = []
        for near in GRID.neighbours(goal):
            price = step_cost(near, goal)
            if price is not None and GRID.index(near) in reach:
                ways.append((reach.costs[GRID.index(near)] + price, river_between(near, goal), near))
        if not ways:
            return None
        cost, _, near = min(ways)
        return self._named((*reach.path_to(GRID.index(near)), index), cost)

    def reach(self, here: Hex, points: int) -> Reach:
        """Where the force can go without a fight."""
        near = GRID.within(here, points) if points < FAR else GRID.all
        return costs().reach(GRID.index(here), points, near & ~self.open)

    def _named(self, path: Sequence[int], cost: int) -> Route:
        return Route(tuple(GRID.ids[index] for index in path[1:]), cost)

    def instead(self, goal: Hex) -> tuple[str, ...]:
        """Orders within reach, those ending nearest to `goal` first, German hexes before Allied ones."""
        near = sorted(
            destinations(self.state, self.force),
            key=lambda hex: (GRID.distance(hex, goal), not control.is_german(self.state, hex), hex),
        )
        return tuple(f"move {self.force.names} to {hex}" for hex in near[:3])


def destinations(state: State, force: Marchers) -> tuple[Hex, ...]:
    """Every hex that a force can go to or attack now: Allied ones by cost, then German ones."""
    reach = Planner(state, force).reach(force.hex, force.points)
    ends = [GRID.ids[index] for index in reach if GRID.ids[index] != force.hex]
    attacks = [
        hex
        for hex in control.front_hexes(state)
        if attack_fault(state, force.group, hex) is None and least(reach, hex) <= force.points
    ]
    return (*ends, *attacks)


def least(reach: Reach, hex: Hex) -> int:
    """The fewest points for entering a hex out of those that can be reached."""
    ways = (
        reach.costs[GRID.index(near)] + price
        for near in GRID.neighbours(hex)
        if (price := step_cost(near, hex)) is not None and GRID.index(near) in reach
    )
    return min(ways, default=FAR)
