"""Step losses (3.2, 9.6): the lead unit first, the rest as the owner likes;
who falls below cadre is eliminated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.games.france44.notes import Eliminated, StepsLost
from pbem.games.france44.state import Place, State, Unit
from pbem.games.france44.tables import NAMES, Hex

MANY_WAYS = 200
"""No more ways than this are offered."""


def lose(state: State, lost: Mapping[str, int], hex: Hex, why: str, case: str = "9.6") -> None:
    """3.2 Each unit loses the steps that `lost` gives it; a unit without any left is eliminated."""
    parts = tuple((id, min(steps, state.units[id].left)) for id, steps in lost.items() if steps)
    if not parts:
        return
    side = state.units[parts[0][0]].side
    state.note(StepsLost(case=case, side=side, hex=hex, lost=parts, why=why))
    for id, steps in parts:
        unit = state.units[id]
        if steps >= unit.left:
            eliminate(state, unit, why, case)
        else:
            unit.lost += steps


def eliminate(state: State, unit: Unit, why: str, case: str, place: Place = "eliminated") -> None:
    """3.2, 3.10, 10.1.1 A unit goes to the eliminated box, beside it, or out of the game;
    it is untried no more."""
    where = unit.hex or ""
    if unit.green:
        state.tried.append(unit.id)
    unit.place, unit.hex, unit.unsupplied, unit.green = place, None, False, False
    unit.lost = 0
    state.losses[unit.side] = state.losses.get(unit.side, 0) + 1
    state.note(Eliminated(case=case, side=unit.side, name=unit.id, hex=where, why=why, gone=place == "gone"))


# --- who loses them ---------------------------------------------------------------------------------------


def splits(left: Sequence[int], steps: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread the loss of `steps` over units, `left` being the steps that each has."""
    if not left:
        if not steps:
            yield ()
        return
    for first in range(min(left[0], steps), max(0, steps - sum(left[1:])) - 1, -1):
        for rest in splits(left[1:], steps - first):
            yield (first, *rest)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Losses(Ask[str]):
    """9.6 Which units lose steps? `steps` has those that each unit has left, `ways` the steps that each loses
    with each option."""

    kind: str = "losses"
    steps: Mapping[str, int]
    ways: Mapping[str, Mapping[str, int]]


async def pay(
    state: State, units: Sequence[Unit], hits: int, lead: Unit, hex: Hex, *, named: Sequence[str] = ()
) -> int:
    """9.6 Units of a side lose as many steps as there are hits in a combat: the lead unit the first,
    then those that an order names, then as the owner decides. Returns the number of steps lost."""
    hits = min(hits, sum(unit.left for unit in units))
    if not hits:
        return 0
    taken = {lead.id: 1}
    for id in named:
        unit = state.units[id]
        if sum(taken.values()) < hits and taken.get(id, 0) < unit.left:
            taken[id] = taken.get(id, 0) + 1
    ways = _ways(units, hits, taken)
    by_name = {name(way): way for way in sorted(ways, key=lambda way: _rank(state, way))[:MANY_WAYS]}
    answer = await Losses(
        case="9.6",
        what=f"{NAMES[units[0].side]} losses at {hex}",
        seat=units[0].side,
        options=tuple(by_name),
        says=lambda way: left(state, by_name[way]),
        intro=f"{count(hits, 'step')} to lose; the lead unit {lead.id} loses the first [9.6]. "
        "In brackets: set piece and mobile strength left",
        steps={unit.id: unit.left for unit in units},
        ways=by_name,
    )
    lose(state, by_name[answer], hex, "combat")
    return hits


def left(state: State, way: Mapping[str, int]) -> str:
    """3.2 What a way leaves of those who lose: ``V/US 1 step left (1-1)``, set piece and mobile strength."""
    told = []
    for id, steps in way.items():
        unit = state.units[id]
        printed, after = unit.counter.steps, unit.lost + steps
        if after >= len(printed):
            told.append(f"{id} eliminated")
        else:
            told.append(
                f"{id} {count(len(printed) - after, 'step')} left ({printed[after][0]}-{printed[after][1]})"
            )
    return ", ".join(told)


def _ways(units: Sequence[Unit], hits: int, taken: Mapping[str, int]) -> list[dict[str, int]]:
    ways = []
    for split in splits([unit.left for unit in units], hits):
        way = {unit.id: steps for unit, steps in zip(units, split, strict=True) if steps}
        if all(way.get(id, 0) >= steps for id, steps in taken.items()):
            ways.append(way)
    return ways


def name(way: Mapping[str, int]) -> str:
    """A way as an option: "lose V/US, 2AD/US, 2AD/US"."""
    return "lose " + ", ".join(id for id, steps in way.items() for _ in range(steps))


def _rank(state: State, way: Mapping[str, int]) -> tuple[int, int]:
    """Fewest units eliminated, then least strength lost."""
    dead = strength = 0
    for id, steps in way.items():
        unit = state.units[id]
        dead += steps >= unit.left
        printed = unit.counter.steps
        after = unit.lost + steps
        strength += sum(printed[unit.lost]) - (sum(printed[after]) if after < len(printed) else 0)
    return dead, strength
