"""Movement rounds (7): the units of a command move one after another, alone or as stacks,
under op-fire (6.2, 6.3).

A line is one leg: it begins a move, or continues the current one and leaves behind
the units that it does not name. The cost is worked out for the whole path (march.py),
so one line or two lead to the same. A line is carried out as far as it can be: points,
enemies and friends in the way end it early, and only one that cannot begin is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.games.falaise import opfire, placing, ratings, restrictions, stacking, zone86, zones
from pbem.games.falaise.march import (
    BREAKING,
    EXIT,
    FAR,
    FINE,
    SOUTH,
    Front,
    Kind,
    March,
    allowance,
    full_costs,
    terrain_table,
    written,
)
from pbem.games.falaise.notes import Exited, Moved
from pbem.games.falaise.orders import Exit, Move
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import ALLIED_COMMANDS, COMMAND_NAMES, GRID, MAP, Hex, Side, place_name

__all__ = ["Danger", "Movement", "Plan", "allowance", "written"]


class Danger(NamedTuple):
    """6.2, 6.3 A step that draws fire: into `hex`, for entering a zone, or for leaving the zones
    at `breaking_from`."""

    hex: Hex
    breaking_from: Hex | None


class Plan(NamedTuple):
    """What a line leads to without fire: the hexes entered, all that were meant,
    the march at its end, and why it ends short if it does."""

    units: tuple[Unit, ...]
    hexes: tuple[Hex, ...]
    meant: tuple[Hex, ...]
    march: March
    short: NotAllowed | None


@dataclass(slots=True)
class Going:
    """7.2 The stack whose move is being made, and its march so far. `told` is the number of hexes of its path
    that the log has."""

    units: tuple[Unit, ...]
    march: March
    told: int = 1


class Movement:
    """One movement round of a command with this many movement points. `units` are those that may move;
    by default all of the command that are not finished."""

    def __init__(self, state: State, command: str, points: int, units: Iterable[Unit] | None = None) -> None:
        self.state = state
        self.command = command
        self.points = points
        self.side: Side = "allied" if command in ALLIED_COMMANDS else "german"
        chosen = state.command_of(command) if units is None else units
        self.units = [unit for unit in chosen if not unit.finished]
        self.moved: dict[str, None] = {}
        """The units that have taken part, in order, with those still moving."""
        self.halted: dict[str, None] = {}
        """The units stopped by op-fire."""
        self.pinned: dict[str, None] = {}
        """6.3 The units that stay in their hex for the whole round, so that others leave it without drawing
        fire."""
        self.going: Going | None = None
        self.enemy = zones.occupied(state, OTHER[self.side])
        self.zone = zones.zone(state, OTHER[self.side])
        self._active = {unit.id for unit in self.units}
        self._there: dict[Hex, list[Unit]] = {}
        self._in_the_way: dict[frozenset[str], tuple[int, int]] = {}
        idle = (friend for friend in state.on_map(self.side) if friend.id not in self._active)
        self._shields = GRID.bits({friend.placed for friend in idle})
        self._with_parent = ratings.with_parent(state, state.units[ratings.CURRIE])
        self._planned: tuple[Order, Plan] | None = None

    def finished_units(self) -> list[Unit]:
        """4.0 The units that have taken part and are on the map."""
        return [unit for id in self.moved if (unit := self.state.units[id]).place == "map"]

    # --- what is asked ---

    def subjects(self) -> list[str]:
        """The units that can still move, or leave the map; those of the move that is being made first."""
        going = self.going.units if self.going else ()
        others = [unit for unit in self.units if unit not in going]
        return [unit.id for unit in (*going, *others) if not self.fault(unit) and self._can_act(unit)]

    def can_act(self) -> bool:
        """Whether any unit can still move, or leave the map."""
        return any(not self.fault(unit) and self._can_act(unit) for unit in self.units)

    def _can_act(self, unit: Unit) -> bool:
        march = self.march((unit,))
        front, here = self._front((unit,)), GRID.index(march.here)
        if self._can_exit(march):
            return True
        for _, nears in full_costs(march.kind, front).exits[here]:
            for near in nears:
                hex = GRID.ids[near]
                if stacking.fits([*self._stacks().get(hex, ()), unit]):
                    step = march.step(front, hex, self._alone(hex, (unit,)))
                    if step is not None and step.affordable:
                        return True
        return False

    def options(self, subject: str) -> Sequence[Move | Exit]:
        """The legal orders of a unit, and of the stack that it moves with: to every hex within reach,
        and off the map. Paths that are not the cheapest, and covered ones, are checked but not listed."""
        unit = self.state.units.get(subject)
        if unit is None or self.fault(unit):
            return ()
        found: list[Move | Exit] = []
        for units in self._groups(unit):
            ids = tuple(each.id for each in units)
            march = self.march(units)
            blocked, friends = self._obstacles(units)
            open_to = march.destinations(self._front(units), blocked, friends)
            found += [Move(ids, (hex,)) for hex in GRID.named(open_to)]
            if self._can_exit(march):
                found.append(Exit(ids))
        return found

    def _groups(self, unit: Unit) -> list[tuple[Unit, ...]]:
        """7.2 The unit alone, and with those that it can move with as a stack."""
        if self.going and unit in self.going.units:
            mates = [other for other in self.going.units if other is not unit]
        else:
            there = self.state.at(unit.placed)
            mates = [
                other
                for other in there
                if other is not unit and other.id not in self.moved and not self.fault(other)
            ]
        return [(unit,), *([tuple(self._sorted((unit, *mates)))] if mates else [])]

    def _sorted(self, units: Iterable[Unit]) -> list[Unit]:
        """Units in the order of the roster, however an order names them."""
        ids = {unit.id for unit in units}
        return [unit for unit in self.units if unit.id in ids]

    # --- who may move ---

    def fault(self, unit: Unit) -> NotAllowed | None:
        """Why a unit may not move (any more) in this round; None if it may."""
        id = unit.id
        if unit.side != self.side:
            return NotAllowed(f"{id} is not one of your units", "7.0")
        if unit.place != "map":
            return Overtaken(f"{id} is not on the map", "7.0")
        if id not in self._active:
            return self._idle(unit)
        if id in self.pinned:
            return NotAllowed(f"{id} stays in {unit.hex} to cover others", "6.3")
        if id in self.halted:
            return Overtaken(f"{id} has been halted by op-fire", "6.2")
        if id in self.moved and not (self.going and unit in self.going.units):
            return NotAllowed(f"{id} has already moved", "7.2")
        return None

    def _idle(self, unit: Unit) -> NotAllowed:
        """Why a unit is not active: it may have been activated, or not been attached, since
        it was ordered to move."""
        if unit.finished:
            return Overtaken(f"{unit.id} has been activated this turn", "4.0")
        if unit.id in self.state.moved:
            return Overtaken(f"{unit.id} has been moved by the 58th Panzer Corps this turn", "7.2")
        text = f"{unit.id} does not act with {COMMAND_NAMES[self.command]}"
        if self.side == "german" or unit.command == self.command:
            return Overtaken(text, "7.0")
        return NotAllowed(text, "7.0")

    def allowance(self, unit: Unit) -> int:
        """7.1.1 Half points of a unit; 7.2 Task Force Currie goes by the rating of its brigade
        if it began the round with it."""
        rating = None
        if unit.id == ratings.CURRIE and self._with_parent:
            rating = ratings.ter(self.state, self.state.units[ratings.PARENT])
        return allowance(self.state, unit, self.points, rating)

    # --- the ground ---

    def _front(self, units: Sequence[Unit], cover: Sequence[str] = ()) -> Front:
        """The effect of the enemy on the map for these units. Friends that are not active shield units that
        leave their hex (6.3), and so do `cover` and units that have covered others."""
        shielded = self._shields
        for id in (*self.pinned, *cover):
            shielded |= 1 << GRID.index(self.state.units[id].placed)
        withdraw = any(restrictions.waits(self.state, unit) for unit in units)
        return Front(self.enemy, self.zone, shielded & self.zone, self.state.day, withdraw)

    def _stacks(self) -> dict[Hex, list[Unit]]:
        """The own units by hex; kept until one moves."""
        if not self._there:
            for unit in self.state.on_map(self.side):
                self._there.setdefault(unit.placed, []).append(unit)
        return self._there

    def _obstacles(self, units: Sequence[Unit]) -> tuple[int, int]:
        """5.1, 7.3 The hexes that a stack cannot enter because of friends, and all hexes
        with friends in them; kept until one moves."""
        ids = frozenset(unit.id for unit in units)
        if ids in self._in_the_way:
            return self._in_the_way[ids]
        blocked = friends = 0
        for hex, there in self._stacks().items():
            others = [other for other in there if other.id not in ids]
            if others:
                bit = 1 << GRID.index(hex)
                friends |= bit
                if len(others) + len(units) > stacking.LIMIT or stacking.pair_fault(
                    others[0].id, units[0].id
                ):
                    blocked |= bit
        self._in_the_way[ids] = blocked, friends
        return blocked, friends

    def _alone(self, hex: Hex, units: Sequence[Unit]) -> bool:
        ids = {unit.id for unit in units}
        return all(other.id in ids for other in self._stacks().get(hex, ()))

    def danger(self, a: Hex, b: Hex, front: Front) -> Danger | None:
        """6.2, 6.3 Whether a step from a hex into its neighbour draws fire: into a zone always,
        out of the zones by day and unless a friend stays behind."""
        if self.zone >> GRID.index(b) & 1:
            return Danger(b, None)
        leaving = self.zone & ~front.shielded
        return Danger(b, a) if front.day and leaving >> GRID.index(a) & 1 else None

    def dangers(self, units: Sequence[Unit], way: Sequence[Hex], cover: Sequence[str] = ()) -> list[Danger]:
        """6.2, 6.3 The steps of a path that would draw fire on these units."""
        front = self._front(units, cover)
        found = (self.danger(a, b, front) for a, b in pairwise(way))
        return [danger for danger in found if danger is not None]

    # --- judging an order ---

    def check(self, order: Order | None) -> None:
        """Refuse what 5, 6.3, 7 and 11 forbid. Raises NotAllowed; Overtaken if events
        have made the order void."""
        match order:
            case None:
                return
            case Move():
                self.plan(order)
            case Exit(ids):
                self._check_exit(self.named(ids))
            case _:
                raise NotAllowed(f"{order.verb} is not an order of a movement round", "7.0")

    def settle(self, order: Order) -> Order:
        """A move with every hex of its path, as far as it is known."""
        return replace(order, path=self.plan(order).meant) if isinstance(order, Move) else order

    def named(self, ids: Iterable[str]) -> tuple[Unit, ...]:
        """7.2 The units of an order, which move as one: part of the stack that is being moved,
        or units of one hex that have not moved. Raises NotAllowed."""
        units = [self._known(id) for id in dict.fromkeys(ids)]
        for unit in units:
            if fault := self.fault(unit):
                raise fault
        if self.going and any(unit in self.going.units for unit in units):
            if strangers := [unit.id for unit in units if unit not in self.going.units]:
                raise NotAllowed(f"a moving stack cannot pick up other units: {', '.join(strangers)}", "7.2")
        elif len({unit.hex for unit in units}) > 1:
            where = ", ".join(f"{unit.id} at {unit.hex}" for unit in units)
            raise NotAllowed(f"units that move as a stack begin in one hex: {where}", "7.2")
        return tuple(self._sorted(units))

    def _known(self, id: str) -> Unit:
        unit = self.state.units.get(id)
        if unit is None:
            raise NotAllowed(f"{id} is not one of your units", "7.0")
        return unit

    def plan(self, order: Move) -> Plan:
        """7.2 What a move leads to without fire. Raises NotAllowed for what no rule allows,
        Overtaken if it cannot go a single hex now."""
        if self._planned is None or self._planned[0] != order:
            self._planned = order, self._plan(order)
        return self._planned[1]

    def _plan(self, order: Move) -> Plan:
        units = self.named(order.units)
        march = self.march(units)
        if march.allowance < 2:
            raise Overtaken(f"{_names(units)}: no movement points", "7.2.1")
        self._check_cover(order.cover, units)
        front = self._front(units, order.cover)
        way = _Way(self, units, front, march)
        way.follow(order.path)
        gone = march
        short = way.barred
        for hex in way.meant:
            step = gone.step(front, hex, self._alone(hex, units))
            if step is None or not step.affordable:
                short = self._too_far(units, gone, step, hex, stuck=gone is march)
                break
            gone = step
        hexes = gone.way[len(march.way) :]
        if not hexes:
            raise short or Overtaken(f"{_names(units)}: already in {place_name(march.here)}", "7.2")
        self._check_left(order.cover, units, (march.here, *hexes[:-1]))
        return Plan(units, hexes, (*way.meant, *way.rest), gone, short)

    def march(self, units: Sequence[Unit]) -> March:
        """The march of these units so far: a new one, or that of the stack on the move,
        recomputed if it leaves units behind."""
        limit = min(self.allowance(unit) for unit in units)
        going = self.going
        if going is None or units[0] not in going.units:
            alone = len(units) == 1 and units[0].mech and self._alone(units[0].placed, units)
            return March(Kind.of(self.state, units), (units[0].placed,), limit, half=0 if alone else None)
        if len(units) == len(going.units):
            return replace(going.march, kind=Kind.of(self.state, units))  # 11.9 may have been lifted
        kind = Kind.of(self.state, units)
        table = full_costs(kind, self._front(units))
        way = [GRID.index(hex) for hex in going.march.way]
        prices = [table.cost(a, b) or 0 for a, b in pairwise(way)]
        return March(kind, going.march.way, limit, sum(price // FINE for price in prices))

    def _too_far(
        self, units: Sequence[Unit], march: March, step: March | None, hex: Hex, *, stuck: bool
    ) -> NotAllowed:
        """7.2 Why a stack stops short of a hex: out of points. If it is `stuck`,
        also where it could go instead."""
        rest = max(0, march.allowance - march.spent)
        cost = f", {place_name(hex)} costs {written(step.spent - march.spent)}" if step else ""
        text = (
            f"{_names(units)}: {written(rest)} movement point{'s' * (rest != 2)} left in {march.here}{cost}"
        )
        return Overtaken(text, "7.2", legal=self.instead(units, hex) if stuck else ())

    def _check_cover(self, cover: Sequence[str], units: Sequence[Unit]) -> None:
        """6.3 Only friends on the map can cover others. Raises NotAllowed."""
        for id in cover:
            friend = self._known(id)
            if friend.side != self.side or friend in units:
                raise NotAllowed(f"{id} cannot cover {_names(units)}", "6.3")
            if friend.place != "map":
                raise Overtaken(f"{id} is not on the map", "6.3")

    def _check_left(self, cover: Sequence[str], units: Sequence[Unit], left: Sequence[Hex]) -> None:
        """6.3 Units that cover others are in a hex that these leave. Raises NotAllowed."""
        for id in cover:
            if self.state.units[id].hex not in left:
                raise Overtaken(f"{id} is not in a hex that is left by {_names(units)}", "6.3")

    def instead(self, units: Sequence[Unit], wanted: Hex) -> tuple[str, ...]:
        """Orders that are within reach: the hexes nearest to the one that was ordered."""
        blocked, friends = self._obstacles(units)
        ends = GRID.named(self.march(units).destinations(self._front(units), blocked, friends))
        best = sorted(ends, key=lambda hex: (GRID.distance(hex, wanted), hex))[:3]
        return tuple(f"move {_names(units)} to {hex}" for hex in best)

    # --- carrying out ---

    async def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        if isinstance(order, Move):
            await self._move(order)
        elif isinstance(order, Exit):
            await self._exit(self.named(order.units))
        self._planned = None

    async def _move(self, order: Move) -> None:
        """7.2, 6.2 A stack follows its path, hex by hex, until it arrives or is stopped."""
        plan = self.plan(order)
        self._planned = None
        front = self._front(plan.units, order.cover)
        going = self._begin(plan.units)
        self.pinned |= dict.fromkeys(order.cover)
        for hex in plan.hexes:
            if not await self._step(going, hex, front):
                return
        self._tell(going, plan.short)

    def _begin(self, units: tuple[Unit, ...]) -> Going:
        """7.2 These units begin to move, or continue and leave the others behind for good."""
        march = self.march(units)
        told = self.going.told if self.going and units[0] in self.going.units else 1
        self.going = Going(units, march, told)
        self.moved |= dict.fromkeys(unit.id for unit in units)
        return self.going

    async def _step(self, going: Going, hex: Hex, front: Front) -> bool:
        """6.2, 6.3 One hex, and the fire that it draws; whether the stack may continue."""
        before = going.march.here
        step = going.march.step(front, hex, self._alone(hex, going.units))
        assert step is not None
        going.march = step
        placing.put(self.state, going.units, hex)
        self._there, self._in_the_way = {}, {}
        danger = self.danger(before, hex, front)
        if danger is None:
            self._pin_shields(before, front)
            return True
        self._tell(going)
        return await self._under_fire(going, danger)

    async def _under_fire(self, going: Going, danger: Danger) -> bool:
        """6.2 Whether the stack may continue after the enemy could fire."""
        effect = await opfire.fire(self.state, going.units, danger.hex, breaking_from=danger.breaking_from)
        if effect == "none":
            return True
        self.halted |= dict.fromkeys(unit.id for unit in going.units)
        self.going = None
        return False

    def _pin_shields(self, left: Hex, front: Front) -> None:
        """6.3 Friends whose presence protects units leaving the zones from fire stay there."""
        if front.day and front.shielded & self.zone & 1 << GRID.index(left):
            self.pinned |= dict.fromkeys(
                friend.id for friend in self.state.at(left) if friend.side == self.side
            )

    def _tell(self, going: Going, short: NotAllowed | None = None) -> None:
        """Log the hexes entered since the last note, and why they are the last."""
        way = going.march.way
        if len(way) == going.told and short is None:
            return
        self.state.note(
            Moved(
                case="7.3" if going.march.by_road else "7.2",
                side=self.side,
                names=tuple(unit.id for unit in going.units),
                path=way[going.told - 1 :],
                spent=written(min(going.march.spent, going.march.allowance)),
                of=written(going.march.allowance),
                road=going.march.by_road,
                why=short.text if short else "",
            )
        )
        going.told = len(way)

    # --- leaving the map ---

    def exit_cost(self, march: March) -> int:
        """3.3, 6.3 Half points for leaving the map from where a march is:
        from an enemy zone that is breaking contact."""
        return EXIT + BREAKING * (self.zone >> GRID.index(march.here) & 1)

    def _can_exit(self, march: March) -> bool:
        if self.side != "german" or not SOUTH >> GRID.index(march.here) & 1:
            return False
        first = len(march.way) == 1 and march.allowance >= 2  # 7.2.1
        return first or march.spent + self.exit_cost(march) <= march.allowance

    def _check_exit(self, units: tuple[Unit, ...]) -> None:
        """3.3 Raises NotAllowed for units that cannot leave the map."""
        march = self.march(units)
        if self.side != "german":
            raise NotAllowed("only German units leave the map", "3.3")
        if not SOUTH >> GRID.index(march.here) & 1:
            raise NotAllowed(f"{_names(units)}: {place_name(march.here)} is not on the southern edge", "3.3")
        if not self._can_exit(march):
            cost = written(self.exit_cost(march))
            raise Overtaken(
                f"{_names(units)}: leaving the map costs {cost}, "
                f"{written(max(0, march.allowance - march.spent))} left",
                "3.3",
            )

    async def _exit(self, units: tuple[Unit, ...]) -> None:
        """3.3 Units leave the map for good; by day under fire, if they leave an enemy zone
        and no friend stays (6.3)."""
        going = self._begin(units)
        hex, front = going.march.here, self._front(units)
        exposed = front.day and (self.zone & ~front.shielded) >> GRID.index(hex) & 1
        if exposed and not await self._under_fire(going, Danger(hex, hex)):
            return
        for unit in units:
            unit.place, unit.hex, unit.disrupted = "exited", None, False
        self._pin_shields(hex, front)
        self._there, self._in_the_way = {}, {}
        self.state.note(Exited(case="3.3", names=tuple(unit.id for unit in units), hex=hex))
        self.going = None


def _names(units: Iterable[Unit]) -> str:
    return ", ".join(unit.id for unit in units)


class _Way:
    """The path that the hexes of an order mean: omitted hexes are filled in, up to where enemies
    or friends bar it."""

    def __init__(self, movement: Movement, units: tuple[Unit, ...], front: Front, march: March) -> None:
        self.movement = movement
        self.units = units
        self.front = front
        self.at = march
        self.blocked, self.friends = movement._obstacles(units)
        self.meant: list[Hex] = []
        self.rest: tuple[Hex, ...] = ()
        self.barred: NotAllowed | None = None

    def follow(self, path: Sequence[Hex]) -> None:
        """Raises NotAllowed for a step that no rule allows."""
        for number, goal in enumerate(path):
            if goal == self.at.here:
                continue
            if goal not in MAP:
                raise NotAllowed(f"{goal} is not on the map", "7.2")
            self.barred = self.obstacle(goal)
            leg = None if self.barred else self.leg(goal, literal=len(path) > 1)
            if leg is None:
                self.rest = tuple(path[number:])
                return
            for hex in leg:
                step = self.step(hex)
                assert step is not None
                self.at = step
                self.meant.append(hex)

    def step(self, hex: Hex) -> March | None:
        return self.at.step(self.front, hex, self.movement._alone(hex, self.units))

    def obstacle(self, goal: Hex) -> NotAllowed | None:
        """5.1 Which units are in the way now."""
        if fault := stacking.fault(self.movement.state, self.units, goal):
            return Overtaken(fault.text, fault.case, legal=self.movement.instead(self.units, goal))
        return None

    def leg(self, goal: Hex, literal: bool) -> tuple[Hex, ...] | None:
        """The hexes to the next one that the order names: straight if they are neighbours and the points
        allow it, or if the order is `literal`; else the cheapest. None if the goal is a neighbour
        that may not be entered from here, or if every path is barred. Raises NotAllowed."""
        if GRID.are_neighbours(self.at.here, goal):
            step = self.step(goal)
            if step is None:
                self.barred = self.step_fault(goal)
                return None
            if literal or step.affordable:
                return (goal,)
        found = self.at.way_to(goal, self.front, self.blocked, self.friends) or self.by_argentan(goal)
        if found is None:
            self.barred = self.no_way(goal)
        return found

    def by_argentan(self, goal: Hex) -> tuple[Hex, ...] | None:
        """11.9 The path of the 80th Division to a hex that it may enter only once it has taken Argentan."""
        freed = self.at.by_argentan(self.front, self.blocked, self.friends)
        rest = freed and freed.way_to(goal, self.front, self.blocked, self.friends)
        return (*freed.way[len(self.at.way) :], *rest) if freed and rest else None

    def step_fault(self, goal: Hex) -> NotAllowed:
        """Why the next hex cannot be entered from here: it may have been possible when it was written only
        if the luck of the turn forbids it (12.5). Raises NotAllowed otherwise."""
        state, here = self.movement.state, self.at.here
        for unit in self.units:
            if fault := restrictions.step_fault(state, unit, here, goal):
                legal = self.movement.instead(self.units, goal)
                if fault.case == "12.5":
                    return Overtaken(fault.text, fault.case, legal=legal)
                raise NotAllowed(fault.text, fault.case, legal=legal)
        raise AssertionError(f"no reason against {here}-{goal}")

    def no_way(self, goal: Hex) -> NotAllowed:
        """Why no path leads to a hex: now, or ever. Raises NotAllowed in the second case."""
        here, names = self.at.here, _names(self.units)
        reach = terrain_table(self.at.kind).reach(GRID.index(here), FINE * FAR)
        text = f"{names}: no path leads from {place_name(here)} to {place_name(goal)}"
        if GRID.index(goal) in reach:
            return Overtaken(f"{text} past enemy units and full hexes", "7.2")
        for name in self.at.kind.limits:
            barrier = restrictions.BARRIERS[name]
            beyond = name == "line" and zone86.within(zone86.EAST, goal)
            if beyond or zone86.within(barrier.entering, goal):
                raise NotAllowed(
                    f"{text}: {barrier.why}", barrier.case, legal=self.movement.instead(self.units, goal)
                )
        raise NotAllowed(text, "7.2", legal=self.movement.instead(self.units, goal))
