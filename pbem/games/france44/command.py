"""Command (4.5 to 4.7): which units a headquarters may command, how far its command reaches,
and for how many it is enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import zones
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.tables import CHARTS, GRID, LAND, OPEN_GROUND, SOUTH, Arm

ARMS: tuple[Arm, ...] = ("armour", "infantry")


def may_command(hq: Unit, unit: Unit) -> bool:
    """4.4, 4.5 Whether a headquarters can command units of this nation at all;
    of American ones a British headquarters only one."""
    if hq.side != unit.side:
        return False
    return unit.nation in CHARTS.command.of(hq.nation) or (hq.nation == "british" and unit.nation == "us")


def reach(state: State, hq: Unit) -> int:
    """4.6, 10.1.3 The set of the hexes within command range: through hexes of friends and free ones,
    into a hex next to a full or reduced enemy but not through it, never across a blocked hexside nor
    into a hex of the enemy. One in the southern row commands the whole row and nothing else."""
    if hq.in_south:
        return SOUTH
    enemy = ENEMY[hq.side]
    return _reach(
        hq.placed, hq.headquarters.range, zones.closed(state, hq.side), zones.occupied(state, enemy)
    )


@lru_cache(maxsize=256)
def _reach(hex: str, steps: int, closed: int, enemy: int) -> int:
    open_to = LAND & ~enemy
    start = 1 << GRID.index(hex)
    inner = OPEN_GROUND.flood(start, open_to & ~closed | start, steps - 1)
    return (inner | OPEN_GROUND.spread(inner)) & (open_to | SOUTH) | start


def _within(state: State, area: int, unit: Unit) -> bool:
    """4.6, 12.3 Whether a unit is within a command range; the 18th Airborne is wherever it came down."""
    return state.flown_in(unit) or bool(area >> GRID.index(unit.placed) & 1)


def fault(state: State, hq: Unit, units: Sequence[Unit]) -> NotAllowed | None:
    """4.5 to 4.7, 11.5 Why a headquarters may not command these units together, None if it may."""
    area = reach(state, hq)
    for unit in units:
        if unit.hq:
            return NotAllowed(
                f"{unit.id} is a headquarters: it moves only with a reaction point of its own", "4.8"
            )
        if not may_command(hq, unit):
            return NotAllowed(f"{hq.id} cannot command units like {unit.id}", "4.5", legal=names(state, hq))
        if not _within(state, area, unit):
            return NotAllowed(
                f"{unit.id} is out of the command range of {hq.id}", "4.6", legal=names(state, hq)
            )
    return too_many(hq, units)


def too_many(hq: Unit, units: Sequence[Unit]) -> NotAllowed | None:
    """4.5, 4.7 Why a headquarters may not command all these units at once, each of which it could
    command; None if it may."""
    if hq.nation == "british" and sum(unit.nation == "us" for unit in units) > CHARTS.command.british_us:
        return NotAllowed(f"{hq.id} can command at most one American unit", "4.5")
    for arm in ARMS:
        count, most = sum(unit.arm == arm for unit in units), hq.headquarters.capacity(arm)
        if count > most:
            return NotAllowed(f"{hq.id} can command at most {most} {arm} units, not {count}", "4.7")
    return None


def eligible(state: State, hq: Unit) -> list[Unit]:
    """4.5, 4.6 The units that a headquarters could command, whatever its capacity."""
    area = reach(state, hq)
    return [
        unit
        for unit in state.on_map(hq.side)
        if not unit.hq and may_command(hq, unit) and _within(state, area, unit)
    ]


def names(state: State, hq: Unit) -> tuple[str, ...]:
    """The names of those that it could command, for messages."""
    return tuple(unit.id for unit in eligible(state, hq))


def most_of(state: State, hq: Unit, units: Iterable[Unit] | None = None) -> list[Unit]:
    """4.7 As many of these eligible units (by default of all) as a headquarters can command together,
    in their order."""
    chosen: list[Unit] = []
    for unit in eligible(state, hq) if units is None else units:
        if too_many(hq, [*chosen, unit]) is None:
            chosen.append(unit)
    return chosen
