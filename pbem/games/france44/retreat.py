"""Retreat (9.7) and the headquarters that goes along (4.10): a stack as a whole, two hexes or three,
out of the enemy's reach.

A stack that cannot go two hexes stays where it is for one more hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.games.france44 import airborne, command, control, crossing, stacking, zones
from pbem.games.france44.notes import Retreated
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import GRID, LAND, OPEN_GROUND, SOUTH, Hex, Side, ground

LEAST, MOST = 2, 3
STAY = "stay"
GOES, STAYS = "goes along", "stays"

Path = tuple[Hex, ...]


def longest(units: Sequence[Unit]) -> int:
    """9.7 How many hexes a stack can retreat: two if there is German infantry in it, else three."""
    german_foot = any(unit.side == "german" and unit.arm == "infantry" for unit in units)
    return LEAST if german_foot else MOST


def paths(
    state: State,
    units: Sequence[Unit],
    attackers: Sequence[Hex],
    coming: Mapping[Hex, Sequence[Unit]] | None = None,
) -> list[Path]:
    """9.7 The ways of a stack, without the hex that it leaves: never into hexes of the enemy,
    nor into his zones but where a unit of its side stands, within the stacking limits in every hex,
    not over the Rhine but by a bridge, and ending two hexes or more from every attacker.
    Stacks that go before this one count where they end (`coming`), and no longer where they stand."""
    start, side, arriving = units[0].placed, units[0].side, coming or {}
    leaving = {unit.id for stack in arriving.values() for unit in stack}
    loads: dict[Hex, list[Unit]] = {hex: list(stack) for hex, stack in arriving.items()}
    for unit in state.on_map(side):
        if not unit.hq and unit.id not in leaving and unit not in units:
            loads.setdefault(unit.placed, []).append(unit)
    onto_map = SOUTH >> GRID.index(start) & 1
    zone = zones.zone(state, ENEMY[side], south=not onto_map)  # 10.1.3 zones of Allies on the map only
    free = LAND & ~zones.occupied(state, ENEMY[side]) & ~(zone & ~GRID.bits(loads))
    found: list[Path] = []
    begun: list[Path] = [()]
    for length in range(1, longest(units) + 1):
        begun = [
            (*way, near)
            for way in begun
            for near in _neighbours((start, *way)[-1])
            if free >> GRID.index(near) & 1
            and near not in (start, *way)
            and _dry(state, side, (start, *way)[-1], near)
            and stacking.fits([*loads.get(near, ()), *units])
        ]
        if length >= LEAST:
            found += [way for way in begun if all(GRID.distance(way[-1], hex) >= LEAST for hex in attackers)]
    return found


def _neighbours(hex: Hex) -> tuple[Hex, ...]:
    return GRID.named(OPEN_GROUND.open[GRID.index(hex)])


def _dry(state: State, side: Side, a: Hex, b: Hex) -> bool:
    """9.7, 12.3 Whether no Rhine without a bridge lies between two hexes, or none that counts."""
    return not crossing.needs_boats(state, a, b) or airborne.ignored(state, side, a, b)


def ends(state: State, units: Sequence[Unit], ways: Iterable[Path]) -> dict[str, Path]:
    """9.7, 4.10, 11.3 The ways that differ, the shortest of those that do not: by the hex in which they end,
    by headquarters that could be taken along from a hex on the way, by places that change hands on it, by the
    right bank of the Rhine. Each is called after its end, or where several lead there by all its hexes."""
    found: dict[tuple[Hex, tuple[str, ...]], Path] = {}
    for path in ways:
        met = [hq.id for hex in path[:-1] for hq in staff(state, units, hex)]
        taken = [hex for hex in path if state.control.get(hex, units[0].side) != units[0].side]
        banks = [hex for hex in path[:1] if units[0].side == "allied" and hex in crossing.RIGHT_BANK]
        found.setdefault((path[-1], (*sorted(met), *sorted(taken), *banks)), path)
    goals = Counter(end for end, _ in found)
    return {end if goals[end] == 1 else " ".join(path): path for (end, _), path in found.items()}


def staff(state: State, units: Sequence[Unit], hex: Hex) -> list[Unit]:
    """4.10 The headquarters in a hex that could command one of these units."""
    return [hq for hq in state.at(hex) if hq.hq and any(command.may_command(hq, unit) for unit in units)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetreatWay(Ask[str]):
    """9.7 Which way does a stack go, or does it `STAY`? `must` says whether it may not stay, `best` is the
    way that it goes without an answer; `hits` counts those on all defenders, `steps` those that the stack has
    left."""

    kind: str = "retreat"
    hex: Hex
    must: bool
    best: str
    hits: int
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GoAlong(Ask[str]):
    """4.10 Does the headquarters `hq` go along with a stack that retreats?"""

    kind: str = "headquarters"
    hq: str


async def choose(
    state: State,
    units: Sequence[Unit],
    attackers: Sequence[Hex],
    *,
    must: bool,
    hits: int = 0,
    spares: int = 0,
    of: int = 0,
    alone: bool = True,
    coming: Mapping[Hex, Sequence[Unit]] | None = None,
) -> Path | None:
    """9.5, 9.7 The owner chooses where the stack goes, or to stay if he may; None if it stays.
    Without an answer a stack that need not go stays; one that must goes where it ends nearest to a
    headquarters of its side. `hits` are those on all defenders, a retreat `spares` some of them, `of` is the
    number of steps that they are taken from; `alone` says whether they are due from this stack only."""
    ways = ends(state, units, paths(state, units, attackers, coming))
    if not ways:
        return None
    side = units[0].side
    homes = [unit.placed for unit in state.on_map(side) if unit.hq and unit.hex != units[0].hex]

    def rank(name: str) -> tuple[int, int]:
        end = ways[name][-1]
        return min((GRID.distance(end, home) for home in homes), default=0), len(ways[name])

    best = min(ways, key=rank)
    least = max(0, hits - spares)
    names = ", ".join(unit.id for unit in units)
    answer = await RetreatWay(
        case="9.7",
        what=f"retreat from {units[0].placed}",
        seat=side,
        options=tuple(ways) if must else (STAY, *ways),
        default=best if must else STAY,
        says=lambda way: (
            _told(state, units, ways[way], coming or {}, "" if must else count(least, "hit"))
            if way != STAY
            else count(hits, "hit")
        ),
        intro=(
            f"{names} must retreat" + (f": {_of(hits, of)} in any case [9.7]" if of else " [10.1.3]")
            if must
            else (
                f"{names} may stay: {_of(hits, of)}; or retreat: "
                f"{_of(least, of)}{'' if alone else ', if the other stack also retreats'} [9.7]"
            )
        ),
        hex=units[0].placed,
        must=must,
        best=best,
        hits=hits,
        steps=sum(unit.left for unit in units),
    )
    return ways.get(answer)


def _of(hits: int, steps: int) -> str:
    return f"{count(hits, 'hit')} on {count(steps, 'step')}"


def _told(
    state: State, units: Sequence[Unit], path: Path, coming: Mapping[Hex, Sequence[Unit]], hits: str
) -> str:
    """9.7, 3.3, 7.1, 11.1, 4.10 Where a way ends, the hits that are left, and what is wrong there."""
    end, side = path[-1], units[0].side
    there = [*(unit for unit in state.at(end) if not unit.hq and unit.side == side), *coming.get(end, ())]
    told = [ground(end)]
    told += [hits] if hits else []
    if zones.zone(state, ENEMY[side]) >> GRID.index(end) & 1:
        told.append("next to the enemy")
    if there:
        told.append(f"with {', '.join(unit.id for unit in there)}")
    if not any(stacking.fits([*there, *units, other]) for other in _kinds(state, side)):
        told.append("then full")
    fed = Supply(state, side)
    if not any(
        reach >> GRID.index(end) & 1 and any(command.may_command(state.units[hq], unit) for unit in units)
        for hq, reach in fed.hqs.items()
    ):
        told.append("out of command range")
    if met := [hq.id for hex in path[:-1] for hq in staff(state, units, hex)]:
        told.append(f"past {', '.join(met)}")
    return "; ".join(told)


def _kinds(state: State, side: Side) -> list[Unit]:
    """7.1 An infantry and an armoured unit of a side: who could still find room."""
    arms: dict[str, Unit] = {}
    for unit in state.units.values():
        if unit.side == side and not unit.hq:
            arms.setdefault(unit.arm, unit)
    return list(arms.values())


async def go(state: State, units: Sequence[Unit], path: Path, spared: int) -> None:
    """9.7, 4.10 Those who are left go their way. A headquarters that could command one of them may go along,
    from where they started or from a hex on their way."""
    left = [unit for unit in units if unit.place == "map"]
    if not left:
        return
    start, side = left[0].placed, left[0].side
    going = list(left)
    for hq in [hq for hex in (start, *path[:-1]) for hq in staff(state, left, hex)]:
        answer = await GoAlong(
            case="4.10",
            what=f"{hq.id} in {hq.placed}",
            seat=side,
            options=(GOES, STAYS),
            default=GOES if hq.hex == start else STAYS,
            hq=hq.id,
        )
        if answer == GOES:
            going.append(hq)
    for unit in going:
        unit.hex = path[-1]
        control.entered(state, unit, path)
        for hex in path:
            crossing.crossed(state, unit, hex)
    names = tuple(unit.id for unit in going)
    state.note(Retreated(case="9.7", side=side, names=names, path=(start, *path), spared=spared))
