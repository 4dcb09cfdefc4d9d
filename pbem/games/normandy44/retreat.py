"""Retreats after combat (7.4): all defenders of a hex go one way that their owner chooses, and pay for zones,
rivers and interdiction on it.

Decided here, where the rules are silent: every hex of a retreat leads further away from the hex
of the combat; a hex with nothing but an enemy headquarters is barred, too; the prices of zones, rivers and
interdiction add up; headquarters pay nothing; a way into a full hex goes on from there, and one that leads to
no room is open only where none does; one die is thrown for a retreat under interdiction, however long it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.engine.play import Ask, Roll
from pbem.engine.wording import count
from pbem.games.normandy44 import control, headquarters, losses, reach, stacking, supply, zones
from pbem.games.normandy44.notes import Harassed, Retreated
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import (
    AIR_ZONES,
    CHARTS,
    GRID,
    MAP,
    PLAYED,
    Hex,
    bridged,
    place_name,
    river_between,
)

Path = tuple[Hex, ...]
STEPS: dict[Hex, Path] = {
    hex: tuple(
        near
        for near in MAP.neighbours(hex)
        if "sea" not in MAP.hexside(hex, near) and not MAP.has(near, "sea")
    )
    for hex in GRID.ids
    if hex in MAP
}
"""From every hex its neighbours over land."""


# --- where to -------------------------------------------------------------------------------------------


def passable(units: Sequence[Unit], a: Hex, b: Hex) -> bool:
    """3.2, C3 Whether the ground lets these units together into a neighbouring hex:
    tanks and lorries not into marsh but by road."""
    motor = any(unit.counter.motor for unit in units)
    return CHARTS.terrain[MAP.terrain(b)].halves(motor) is not None or MAP.road(a, b) is not None


def further(state: State, units: Sequence[Unit], begun: Sequence[Path]) -> list[Path]:
    """7.4 These ways, each with its first hex being that of the combat, and one hex longer."""
    enemy = zones.occupied(state, ENEMY[units[0].side])
    free = PLAYED[state.scenario] & ~enemy
    return [
        (*way, near)
        for way in begun
        for near in STEPS[way[-1]]
        if free >> GRID.index(near) & 1
        and GRID.distance(way[0], near) == len(way)
        and passable(units, way[-1], near)
    ]


def routes(state: State, units: Sequence[Unit], hexes: int) -> list[Path]:
    """7.4 The paths of `hexes` hexes open to all these units, from the hex of the combat;
    none for beach garrisons (E8)."""
    if not units or any(unit.fixed for unit in units):
        return []
    found: list[Path] = [(units[0].placed,)]
    for _ in range(hexes):
        found = further(state, units, found)
    return found


def paths(state: State, units: Sequence[Unit], hexes: int) -> list[Path]:
    """7.4 The ways by which these units can retreat this many hexes; the hex that they leave is left out.
    A way that ends in a hex that is too full goes on until there is room; where no way at all leads to room,
    they stay as far as they were to go."""
    due = routes(state, units, hexes)
    ended = [longer for way in due for longer in _to_room(state, units, way)]
    return [way[1:] for way in ended or due]


def _to_room(state: State, units: Sequence[Unit], way: Path) -> list[Path]:
    """7.4 A way as it is if there is room at its end, else the shortest ways on from there that end
    with room; none if there are none."""
    begun = [way]
    while begun:
        if ended := [each for each in begun if has_room(state, units, each[-1])]:
            return ended
        begun = further(state, units, begun)
    return []


def has_room(state: State, units: Sequence[Unit], hex: Hex) -> bool:
    """3.1 Whether these units may stay in a hex with those that are there."""
    return stacking.fits([*(unit for unit in state.at(hex) if unit not in units), *units])


# --- what it costs --------------------------------------------------------------------------------------


def crossing_steps(unit: Unit, a: Hex, b: Hex) -> int:
    """C3, E4 Steps that a unit loses for a river in its retreat: without a bridge, any unit for a major
    one, motorised units for a minor one."""
    river = river_between(a, b)
    if river is None or bridged(a, b) or unit.hq:
        return 0
    return int(river == "major" or unit.counter.motor)


def toll(units: Sequence[Unit], start: Hex, path: Path, zone: int) -> int:
    """7.4 The steps that these units lose for zones and rivers if they retreat along a path."""
    legs = list(pairwise((start, *path)))
    controlled = sum(zone >> GRID.index(hex) & 1 for hex in path)
    total = 0
    for unit in units:
        if not unit.hq:
            total += min(unit.left, controlled + sum(crossing_steps(unit, a, b) for a, b in legs))
    return total


def costs(state: State, units: Sequence[Unit], most: int) -> dict[int, int]:
    """7.4 For every number of hexes that these units can retreat the steps that it costs them at least."""
    zone = zones.zone(state, ENEMY[units[0].side])
    start = units[0].placed
    found = {}
    for hexes in range(1, most + 1):
        ways = paths(state, units, hexes)
        if ways:
            found[hexes] = min(toll(units, start, way, zone) for way in ways)
    return found


def exposed(state: State, start: Hex, path: Path) -> str:
    """C2, 10.2 The interdicted air zone that fires on Germans who retreat along a path; "" if there is none.
    Woods and towns hide them but on a road."""
    under_fire = reach.interdicted(state, "german")
    for a, b in pairwise((start, *path)):
        seen = MAP.road(a, b) is not None or CHARTS.terrain[MAP.terrain(b)].air
        if seen and under_fire >> GRID.index(b) & 1:
            return next(name for name in state.interdicted if AIR_ZONES[name] >> GRID.index(b) & 1)
    return ""


# --- going ----------------------------------------------------------------------------------------------


async def retreat(state: State, units: Sequence[Unit], hexes: int) -> None:
    """7.4 All these units, headquarters among them, retreat together."""
    start, side = units[0].placed, units[0].side
    zone = zones.zone(state, ENEMY[side])
    path = await chosen(state, units, hexes, zone)
    state.note(Retreated(case="7.4", side=side, names=tuple(unit.id for unit in units), path=(start, *path)))
    for a, b in pairwise((start, *path)):
        go(state, units, a, b, zone)
    left = [unit for unit in units if unit.place == "map"]
    if side == "german" and fighting(left) and (name := exposed(state, start, path)):
        await harass(state, left, start, name)
        left = [unit for unit in units if unit.place == "map"]
    await shed(state, left)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetreatWay(Ask[str]):
    """7.4 By which way do units retreat? `steps` has what each way costs."""

    kind: str = "retreat"
    steps: Mapping[str, int]


async def chosen(state: State, units: Sequence[Unit], hexes: int, zone: int) -> Path:
    """7.4 The owner chooses the way; without an answer the one that costs the fewest steps,
    then the one that ends nearest to one of its headquarters or depots."""
    start, side = units[0].placed, units[0].side
    by_name = {" ".join(path): path for path in paths(state, units, hexes)}
    steps = {name: toll(units, start, path, zone) for name, path in by_name.items()}
    moving = {unit.id for unit in units}
    homes = GRID.bits(unit.placed for unit in state.on_map(side) if unit.hq and unit.id not in moving)
    havens = GRID.named(homes | supply.depots(state, side))

    def rank(name: str) -> tuple[int, int]:
        end = by_name[name][-1]
        return steps[name], min((GRID.distance(end, haven) for haven in havens), default=0)

    answer = await RetreatWay(
        case="7.4",
        what=f"retreat from {start}",
        seat=side,
        options=tuple(by_name),
        default=min(by_name, key=rank),
        steps=steps,
        intro=(
            f"{', '.join(unit.id for unit in units)} {'retreats' if len(units) == 1 else 'retreat'} "
            f"from {place_name(start)}."
        ),
        says=lambda name: means(state, units, by_name[name], steps[name], zone),
    )
    return by_name[answer]


def means(state: State, units: Sequence[Unit], path: Path, steps: int, zone: int) -> str:
    """7.4 What a letter says of a path: its cost, and the drawbacks of the hex where it ends."""
    end, side = path[-1], units[0].side
    parts = [count(steps, "step") if steps else "no step"]
    if name := exposed(state, units[0].placed, path) if side == "german" else "":
        parts.append(f"interdicted in zone {name}: a step lost on a die of {CHARTS.air.loss_from} or more")
    where = [MAP.terrain(end)] if MAP.names(end) else []
    where += ["adjacent to the enemy"] if zone >> GRID.index(end) & 1 else []
    where += ["out of supply"] if not supply.area(state, side) >> GRID.index(end) & 1 else []
    where += ["above the stacking limit: the excess is lost"] if not has_room(state, units, end) else []
    parts.append(
        ", ".join([f"ends at {place_name(end)}" if MAP.names(end) else f"ends in {MAP.terrain(end)}", *where])
    )
    return "; ".join(parts)


def go(state: State, units: Sequence[Unit], a: Hex, b: Hex, zone: int) -> None:
    """7.4 One hex of a retreat, and what is lost on it."""
    left = [unit for unit in units if unit.place == "map"]
    for unit in left:
        unit.hex = b
        control.entered(state, unit, (b,))
    river = {unit.id: crossing_steps(unit, a, b) for unit in left}
    drowned = {id: steps for id, steps in river.items() if steps}
    if drowned:
        losses.lose_all(state, drowned, "crossing a river", b, "C3")
    fired_on = {unit.id: 1 for unit in fighting(left)} if zone >> GRID.index(b) & 1 else {}
    if fired_on:
        losses.lose_all(state, fired_on, "retreat into an enemy zone", b, "7.4")
    if fighting(units, alive=False):
        bereave(state, units)


def fighting(units: Sequence[Unit], alive: bool = True) -> list[Unit]:
    """The combat units among these that are still there, or that are not."""
    return [unit for unit in units if not unit.hq and (unit.place == "map") == alive]


def bereave(state: State, units: Sequence[Unit]) -> None:
    """6.4 A headquarters is lost if all who retreated with it are destroyed, even if it comes upon others."""
    if not fighting(units):
        for unit in units:
            if unit.hq and unit.place == "map":
                headquarters.lose(state, unit, unit.placed, "with its units")


async def harass(state: State, units: Sequence[Unit], start: Hex, zone: str) -> None:
    """C2 A die for Germans who retreat under interdiction: from 5 on they lose a step."""
    die = await Roll(case="C2", what=f"interdiction of the retreat from {start}")
    hit = die >= CHARTS.air.loss_from
    hex = units[0].placed
    state.note(Harassed(case="C2", roll=state.rolls, hex=hex, zone=zone, die=die, step=hit))
    if hit:
        what = f"loss by interdiction after the retreat from {start}"
        await losses.pay(state, fighting(units), 1, hex, "interdiction", case="C2", what=what)
        bereave(state, units)


async def shed(state: State, units: Sequence[Unit]) -> None:
    """7.4 Where a retreat ends in a hex that is too full, and there was no going on, the owner loses
    the excess: units and headquarters of the owner's choice in the hex, whether or not they retreated."""
    if not units or has_room(state, units, units[0].placed):
        return
    hex = units[0].placed
    here = state.at(hex)
    if too_many_headquarters(state, hex):
        await shed_headquarters(state, [unit for unit in here if unit.hq], units, hex)
    fighters = [unit for unit in fighting(here) if not unit.fixed]
    if fighters and not stacking.fits(fighters):
        way = await losses.choose(
            fighters, excess(fighters), hex, case="7.4", kind="excess", what=f"excess in {hex}"
        )
        losses.lose_all(state, dict(way.lost), "no room", hex, "7.4")
        bereave(state, units)


async def shed_headquarters(state: State, hqs: Sequence[Unit], coming: Sequence[Unit], hex: Hex) -> None:
    """3.1, 7.4 Of two headquarters in a hex one is lost, as the owner chooses;
    without an answer the one that has retreated."""
    lost = await Ask(
        case="7.4",
        what=f"headquarters to be lost in {hex}",
        seat=hqs[0].side,
        kind="headquarters",
        options=tuple(hq.id for hq in hqs),
        default=next(hq.id for hq in hqs if hq in coming),
        intro=f"Only {CHARTS.stacking.headquarters} headquarters can stay in {place_name(hex)}.",
    )
    headquarters.lose(state, state.units[lost], hex, "no room")


def too_many_headquarters(state: State, hex: Hex) -> bool:
    """3.1 Whether more headquarters are in a hex than may stay there."""
    return sum(unit.hq for unit in state.at(hex)) > CHARTS.stacking.headquarters


def excess(units: Sequence[Unit]) -> list[losses.Way]:
    """7.4 The ways for these units in one hex to lose steps until it is not too full,
    and no step more than each needs for that."""
    found: list[tuple[int, ...]] = []

    def lose(split: tuple[int, ...]) -> None:
        if stacking.fits(reduced(units, (*split, *[0] * (len(units) - len(split))))):
            found.append((*split, *[0] * (len(units) - len(split))))
        elif len(split) < len(units):
            for steps in reliefs(units[len(split)]):
                lose((*split, steps))

    lose(())
    least = [
        split for split in found if not any(stacking.fits(reduced(units, less)) for less in fewer(split))
    ]
    return [
        losses.Way(tuple((unit.id, count) for unit, count in zip(units, split, strict=True) if count))
        for split in least
    ]


def reliefs(unit: Unit) -> list[int]:
    """3.1, E1 How many steps a unit may lose so that every one of them counts:
    none, and those with which it weighs less."""
    weights = [stacking.load(reduced([unit], [steps])) for steps in range(unit.left + 1)]
    return [steps for steps in range(unit.left + 1) if not steps or weights[steps] < weights[steps - 1]]


def reduced(units: Sequence[Unit], split: Sequence[int]) -> list[Unit]:
    """The units that would be left after such losses."""
    return [
        Unit(unit.id, lost=unit.lost + count)
        for unit, count in zip(units, split, strict=True)
        if count < unit.left
    ]


def fewer(split: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The same losses with one step less."""
    return [(*split[:place], count - 1, *split[place + 1 :]) for place, count in enumerate(split) if count]
