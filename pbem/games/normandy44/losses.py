"""Losses (7.3): steps, destroyed units, headquarters that lose their units (6.4),
and how a result is split between steps and ground.

Decided here, where the rules are silent: a headquarters is lost with its units on either side
of a combat, and under bombers, if it is left alone in the hex; on either side Flak makes the enemy lose
its first step from its armour (C2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.games.normandy44 import headquarters
from pbem.games.normandy44.notes import Lost, StepsLost
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import UNITS, Hex

MANY_WAYS = 200
"""Offer at most this many ways to meet a result."""


# --- losing steps ---------------------------------------------------------------------------------------


def lose(state: State, unit: Unit, steps: int, why: str) -> None:
    """7.3 Remove `steps` steps from a unit; without steps it is destroyed."""
    lose_all(state, {unit.id: steps}, why, unit.hex or "")


def lose_all(state: State, lost: Mapping[str, int], why: str, hex: Hex, case: str = "7.3") -> None:
    """7.3 Units lose steps together, in a combat for `hex` if they are not on the map; the dead are removed.
    `lost` is steps by unit."""
    by_hex: dict[Hex, list[tuple[str, int]]] = {}
    for id, steps in lost.items():
        unit = state.units[id]
        by_hex.setdefault(unit.hex or hex, []).append((id, min(steps, unit.left)))
    for at, parts in by_hex.items():
        side = state.units[parts[0][0]].side
        state.note(StepsLost(case=case, side=side, hex=at, lost=tuple(parts), why=why))
        for id, steps in parts:
            unit = state.units[id]
            if steps >= unit.left:
                remove(state, unit, why, at, case)
            else:
                unit.lost += steps


def destroy(state: State, unit: Unit, why: str, case: str = "7.3") -> None:
    """7.3 A unit is destroyed at once."""
    remove(state, unit, why, unit.hex or "", case)


def remove(state: State, unit: Unit, why: str, hex: Hex, case: str) -> None:
    """7.3 Take a unit off the map for good. The steps that it had lost before stay noted,
    so that its strengths can still be read."""
    unit.place, unit.hex, unit.unsupplied, unit.phase = "dead", None, False, ""
    state.note(Lost(case=case, side=unit.side, name=unit.id, hex=hex, why=why))


def orphaned(state: State, hexes: Iterable[Hex]) -> None:
    """6.4 Headquarters in hexes where all their units have just been destroyed are lost."""
    for hex in dict.fromkeys(hexes):
        units = state.at(hex)
        if all(unit.hq for unit in units):
            for unit in units:
                headquarters.lose(state, unit, hex, "with its units")


# --- ways to meet a result ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """7.3 A way to meet a result: (unit, steps) for those who lose any, and the hexes
    that all defenders retreat."""

    lost: tuple[tuple[str, int], ...]
    hexes: int = 0

    @property
    def steps(self) -> int:
        return sum(steps for _, steps in self.lost)

    @property
    def name(self) -> str:
        """The way as an option: "lose 2 steps of 709ID, 716ID, retreat 1"."""
        parts = [f"{steps} steps of {id}" if steps > 1 else id for id, steps in self.lost]
        lost = [f"lose {', '.join(parts)}"] if parts else []
        return ", ".join([*lost, *([f"retreat {self.hexes}"] if self.hexes else [])])


def losers(name: str) -> dict[str, int]:
    """7.3 The steps that units lose in a way of this name."""
    found = {}
    for part in name.removeprefix("lose ").split(", "):
        steps, _, id = part.rpartition(" steps of ")
        if id in UNITS:
            found[id] = int(steps or 1)
    return found


def splits(left: Sequence[int], steps: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread `steps` steps over units with `left` steps each,
    the first unit losing most first."""
    if not left:
        if not steps:
            yield ()
        return
    for first in range(min(left[0], steps), max(0, steps - sum(left[1:])) - 1, -1):
        for rest in splits(left[1:], steps - first):
            yield (first, *rest)


def in_steps(units: Sequence[Unit], steps: int, armour: bool = False) -> list[Way]:
    """7.3 The ways to lose `steps` steps, or all steps if there are fewer.
    With `armour` some are of tanks if there are any (C2)."""
    left = [unit.left for unit in units]
    tanks = [bool(unit.counter.armour) for unit in units]
    bound = armour and steps > 0 and any(tanks)
    found = []
    for split in splits(left, min(steps, sum(left))):
        if not bound or any(count and tank for count, tank in zip(split, tanks, strict=True)):
            lost = tuple((unit.id, count) for unit, count in zip(units, split, strict=True) if count)
            found.append(Way(lost))
    return found


def ways(
    units: Sequence[Unit],
    points: int,
    armour: bool,
    most: int,
    can_retreat: Callable[[Sequence[Unit], int], bool],
) -> list[Way]:
    """7.3 The ways of the defender: every point a step of one unit or a hex for all who are left, at most
    `most` hexes. A stack that pays all points in steps and dies of it does not retreat."""
    everybody = sum(unit.left for unit in units)
    found: list[Way] = []
    for hexes in range(min(points, most) + 1):
        steps = points - hexes
        if steps >= everybody and hexes:
            continue
        for way in in_steps(units, steps, armour):
            if not hexes or can_retreat(survivors(units, way), hexes):
                found.append(Way(way.lost, hexes))
    return found


def survivors(units: Sequence[Unit], way: Way) -> list[Unit]:
    """7.3 The units that survive a way's steps."""
    lost = dict(way.lost)
    return [unit for unit in units if unit.left > lost.get(unit.id, 0)]


def strength_lost(units: Sequence[Unit], way: Way) -> int:
    """Attack and defence strength that go with a way's steps."""
    lost, total = dict(way.lost), 0
    for unit in units:
        after = unit.lost + lost.get(unit.id, 0)
        steps = unit.counter.steps
        total += sum(steps[unit.lost]) - (sum(steps[after]) if after < len(steps) else 0)
    return total


# --- choosing -------------------------------------------------------------------------------------------


def means(units: Sequence[Unit], way: Way, dear: Mapping[int, int]) -> str:
    """7.3, 7.4 What a letter says of a way: what becomes of units that lose steps,
    and what the retreat costs."""
    lost = dict(way.lost)
    hurt = [unit for unit in units if unit.id in lost]
    dead = [unit.id for unit in hurt if lost[unit.id] >= unit.left]
    left = [
        f"{unit.id} {'-'.join(map(str, unit.counter.steps[unit.lost + lost[unit.id]]))}"
        for unit in hurt
        if unit.id not in dead
    ]
    single = [id for id, steps in way.lost if steps == 1]
    each = "one step each" if len(single) > 1 else "one step"
    parts = []
    if single and len(lost) > 1:
        parts.append(each if len(single) == len(lost) else f"{each} of {', '.join(single)}")
    parts += [f"{', '.join(dead)} destroyed"] if dead else []
    parts += [f"left: {', '.join(left)}"] if left else []
    if way.hexes in dear:
        more = f"losing {count(dear[way.hexes], 'more step')}" if dear[way.hexes] else "with no further loss"
        parts.append(f"retreat of {count(way.hexes, 'hex')}, {more}")
    return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Losses(Ask[str]):
    """7.3 How do units take the result of a combat for `hex`, in `attack` or in defence? 7.4 Or which of them
    are lost where `hex` is too full? `steps` has the steps that each unit has left, `ways` the way of each
    option, `retreat_cost` the fewest steps that a retreat costs, by its hexes."""

    hex: Hex
    attack: bool
    steps: Mapping[str, int]
    ways: Mapping[str, Way]
    retreat_cost: Mapping[int, int]

    def paid(self, option: str) -> int:
        """The steps that an option costs: those lost at once, and the fewest that the retreat costs."""
        way = self.ways[option]
        return way.steps + self.retreat_cost.get(way.hexes, 0)


async def choose(
    units: Sequence[Unit],
    found: Sequence[Way],
    hex: Hex,
    *,
    attack: bool = False,
    case: str = "7.3",
    costs: Mapping[int, int] | None = None,
    kind: str = "losses",
    what: str = "",
    says: str = "",
) -> Way:
    """7.3 The owner takes a result in one of these ways. Without an answer as few steps as possible are lost,
    those of the retreat (`costs`, by hexes) counted, then as few units, then as little strength."""
    dear = costs or {}

    def rank(way: Way) -> tuple[int, int, int, int]:
        dead = len(units) - len(survivors(units, way))
        return way.steps + dear.get(way.hexes, 0), dead, strength_lost(units, way), way.hexes

    offered = list(found)
    if len(offered) > MANY_WAYS:
        offered = sorted(offered, key=rank)[:MANY_WAYS]
    by_name = {way.name: way for way in offered}
    answer = await Losses(
        case=case,
        what=what or f"losses of the {'attacker' if attack else 'defender'} at {hex}",
        seat=units[0].side,
        kind=kind,
        options=tuple(by_name),
        default=min(offered, key=rank).name,
        intro=says,
        hex=hex,
        attack=attack,
        steps={unit.id: unit.left for unit in units},
        ways=by_name,
        retreat_cost=dear,
        says=lambda name: means(units, by_name[name], dear),
    )
    return by_name[answer]


def written(units: Sequence[Unit], names: Sequence[str], steps: int, armour: bool) -> dict[str, int]:
    """7.3 The steps that an order gives to units by name: one for each time that one is named,
    as far as they go. If tanks must lose the first step (C2) and none is named, that step is left open."""
    by_id = {unit.id: unit for unit in units}
    order = [name for name in names if name in by_id]
    if armour and any(unit.counter.armour for unit in units):
        tanks = [name for name in order if by_id[name].counter.armour]
        order.sort(key=lambda name: name not in tanks[:1])
        steps -= not tanks
    taken: dict[str, int] = {}
    for name in order:
        if steps > 0 and taken.get(name, 0) < by_id[name].left:
            taken[name] = taken.get(name, 0) + 1
            steps -= 1
    return taken


async def pay(
    state: State,
    units: Sequence[Unit],
    steps: int,
    hex: Hex,
    why: str,
    *,
    named: Sequence[str] = (),
    armour: bool = False,
    attack: bool = False,
    case: str = "7.3",
    what: str = "",
    says: str = "",
) -> None:
    """7.3 Units lose `steps` steps together: first those that an order names, then as their owner chooses."""
    if not steps or not units:
        return
    taken = written(units, named, steps, armour)
    paid = any(state.units[id].counter.armour for id in taken)
    rest = min(steps, sum(unit.left for unit in units)) - sum(taken.values())
    if rest:
        found = [
            way
            for way in in_steps(units, sum(taken.values()) + rest, armour and not paid)
            if _holds(way, taken)
        ]
        way = await choose(units, found, hex, attack=attack, case=case, what=what, says=says)
        taken = dict(way.lost)
    lose_all(state, taken, why, hex, case)


def _holds(way: Way, taken: Mapping[str, int]) -> bool:
    lost = dict(way.lost)
    return all(lost.get(id, 0) >= steps for id, steps in taken.items())
