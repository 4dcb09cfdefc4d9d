"""Advances after an assault (10.4): into the hex that the defenders have left,
and for mechanised units one hex further on their heels.

What the rules leave open and is settled here: the attackers advance one at a time, and each finds the hex
as those before it left it; the way of a defender that was eliminated in retreat is not followed;
units that stay behind to cover others (6.3) do not advance.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask
from pbem.games.falaise import communication, placing, ratings, restrictions, stacking, zones
from pbem.games.falaise.notes import Advanced
from pbem.games.falaise.orders import Attack
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import GRID, MAP, Hex, place_name

STAY = "stay"
WATER = frozenset({"river_major", "river_minor", "bridge", "ford"})
"""Hexsides after which an advance ends."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdvanceWay(Ask[str]):
    """10.4 By which way does a unit advance from `start`? Or does it `STAY`?"""

    kind: str = "advance"
    unit: str
    start: Hex


async def advance(
    state: State,
    hex: Hex,
    units: Sequence[Unit],
    retreats: Sequence[Sequence[Hex]],
    order: Attack,
    pinned: Container[str] = (),
) -> None:
    """10.4 The attackers `units` advance into `hex`, if no enemy is left there. `retreats` are the paths
    of the defenders that survive: none if all were eliminated, and then no unit goes further. What `order`
    says of it is done; otherwise the owner is asked about each unit that can go. Units in `pinned` stay
    (6.3)."""
    onward = tuple(dict.fromkeys(way[0] for way in retreats))
    free = [unit for unit in units if unit.place == "map" and unit.id not in pinned]
    for unit in in_turn(free, order):
        found = ways(state, unit, hex, onward)
        if not found:
            continue
        way = written(order, unit, hex, found)
        go(state, unit, await asked(state, unit, hex, found) if way is None else way)


def in_turn(units: Sequence[Unit], order: Attack) -> list[Unit]:
    """The order of the advance: mechanised units if they are to go on, or if nothing is ordered;
    otherwise as they are named."""
    named = [unit for id in order.advance for unit in units if unit.id == id]
    ranked = named or list(units)
    return sorted(ranked, key=lambda unit: not unit.mech) if order.onward or not named else ranked


def ways(state: State, unit: Unit, hex: Hex, onward: Sequence[Hex]) -> tuple[str, ...]:
    """10.4 Where a unit can advance to: the hex of the assault, "2715", and if it is mechanised
    and has crossed no river one of the hexes `onward`, "2715 2714". Zones are ignored,
    stacking limits hold in both hexes. None if an enemy is in the hex."""
    start = unit.placed
    if not open_to(state, unit, start, hex):
        return ()
    found = [hex]
    if unit.mech and not MAP.hexside(start, hex) & WATER:
        found += [f"{hex} {near}" for near in onward if open_to(state, unit, hex, near)]
    return tuple(found)


def open_to(state: State, unit: Unit, a: Hex, b: Hex) -> bool:
    """Whether a unit may advance from a hex into its neighbour."""
    if zones.occupied(state, OTHER[unit.side]) >> GRID.index(b) & 1:
        return False
    return not restrictions.crossing_fault(state, unit, a, b) and not stacking.fault(state, [unit], b)


def written(order: Attack, unit: Unit, hex: Hex, found: Sequence[str]) -> str | None:
    """What the order of the assault says of the advance of a unit; None if it says nothing.
    A unit that cannot go on as far as ordered goes into the hex."""
    if order.stay or (order.advance and unit.id not in order.advance):
        return STAY
    if not order.advance:
        return None
    further = f"{hex} {order.onward}"
    return further if further in found else hex


async def asked(state: State, unit: Unit, hex: Hex, found: Sequence[str]) -> str:
    """10.4 The attacker decides; without an answer the unit stays."""
    way: str = await AdvanceWay(
        case="10.4",
        what=f"advance of {unit.id} into {hex}",
        seat=unit.side,
        options=(STAY, *found),
        unit=unit.id,
        start=unit.placed,
        intro=f"{unit.id} ({ratings.in_words(state, unit)}) is in {place_name(unit.placed)}.",
        says=lambda way: told(state, unit, unit.placed if way == STAY else way.split()[-1]),
    )
    return way


def told(state: State, unit: Unit, hex: Hex) -> str:
    """What a unit would find in a hex after its advance: the ground, friends,
    and enemies whose zones reach it."""
    friends = [friend.id for friend in state.at(hex) if friend is not unit]
    found = [f"{place_name(hex)}, {MAP.terrain(hex)}"]
    found += [f"with {', '.join(friends)}"] if friends else []
    near = zones.covering(state, OTHER[unit.side], hex)
    found.append(f"enemy zones of {', '.join(near)}" if near else "in no enemy zone")
    if unit.side == "german" and not communication.hex_in_communication(state, "german", hex):
        found.append("no line of communication now")
    return "; ".join(found)


def go(state: State, unit: Unit, way: str) -> None:
    """10.4 The unit advances hex by hex, or stays."""
    if way == STAY:
        return
    path = (unit.placed, *way.split())
    for hex in path[1:]:
        placing.put(state, [unit], hex)
    state.note(Advanced(case="10.4", names=(unit.id,), path=path))
