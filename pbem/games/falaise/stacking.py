"""Stacking (5): two units in a hex, one of them a regiment or brigade at most, at all times;
and who may not stack with whom. What is marked on a unit takes no room (5.4).

No unit is eliminated for over-stacking (5.2): what would over-stack a hex is refused, and an Allied retreat
over full hexes (retreat.py) is not stopped in one of them, because the friends there keep fire away,
and goes on until it finds room."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from pbem.engine.errors import NotAllowed
from pbem.games.falaise.ratings import CURRIE, PARENT
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import UNITS, Hex, place_name
from pbem.wargame.room import sure_room

LIMIT = 2


def fits(units: Sequence[Unit]) -> bool:
    """5.1, 5.3 Whether these units of one side may be in a hex together."""
    return len(units) < LIMIT or (len(units) == LIMIT and pair_fault(units[0].id, units[1].id) is None)


SIZES = {False: 2, True: 3}
"""5.3 What a unit counts against `room`, a regiment or brigade the second: with these sizes the limit of two
units, one of them a regiment, is a sum of 5."""


def size(unit: Unit) -> int:
    """5.3 What a unit counts against the room of a hex."""
    return SIZES[UNITS[unit.id].regiment]


def room(state: State, side: str, hex: Hex) -> int:
    """5.1, 5.3 The size of the units of a side that a hex still has room for. Which nations stack with each
    other, and Task Force Currie with whom (11.7), is not in it."""
    return WHOLE - sum(size(unit) for unit in state.at(hex) if unit.side == side)


def _number_fits(regiments: Sequence[bool]) -> bool:
    """5.1, 5.3 Whether as many units, regiments or not, may be in a hex together."""
    return len(regiments) <= LIMIT and sum(regiments) <= 1


WHOLE = sure_room(SIZES, _number_fits)


@cache
def pair_fault(a: str, b: str) -> str | None:
    """5.3, 11.7 Why two units may not share a hex, None if they may. Poles count as friends of all;
    of the other Allies none stacks with Americans."""
    one, other = UNITS[a], UNITS[b]
    if not _number_fits((one.regiment, other.regiment)):
        return "one regiment or brigade to a hex"
    if CURRIE in (a, b) and PARENT not in (a, b):
        return f"{CURRIE} stacks only with {PARENT}"
    nations = {one.nation, other.nation}
    if "us" in nations and one.side == other.side == "allied" and not nations <= {"us", "polish"}:
        return "Americans do not stack with other Allies than Poles"
    return None


def fault(state: State, units: Sequence[Unit], hex: Hex, leaving: Collection[Unit] = ()) -> NotAllowed | None:
    """5.1, 5.3 Why these units of one side may not come into a hex, None if they may.
    Units of `leaving` count as gone."""
    ids = {unit.id for unit in (*units, *leaving)}
    there = [unit for unit in state.at(hex) if unit.id not in ids]
    if any(unit.side != units[0].side for unit in there):
        return NotAllowed(f"{place_name(hex)} is held by the enemy", "7.2")
    if fits([*there, *units]):
        return None
    if len(there) + len(units) > LIMIT:
        names = f": {', '.join(unit.id for unit in there)} there" if there else ""
        return NotAllowed(f"{place_name(hex)} holds at most two units{names}", "5.3")
    (a, b) = (*there, *units)
    return NotAllowed(f"{a.id} and {b.id} cannot stack in {place_name(hex)}: {pair_fault(a.id, b.id)}", "5.3")
