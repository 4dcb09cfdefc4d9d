"""Supply (8): lines of any length from a unit to a depot, or to a headquarters that has such a line.

A line is a chain of hexes free of enemy combat units and of enemy zones; a friend in a hex cancels
the zones there (8.2). Only the sea and major rivers without a bridge stop it (E7). Both ends count as hexes
of the line, but a unit cancels the zones of its own hex, so that it may begin in an enemy zone.

The effects of being out of supply are with strengths (state.py), movement (reach.py), attacks
(combat.py) and support (support.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.engine.map import Links
from pbem.games.normandy44 import ports, zones
from pbem.games.normandy44.notes import SupplyJudged
from pbem.games.normandy44.state import ENEMY, SIDES, State
from pbem.games.normandy44.tables import (
    GERMAN_DEPOTS,
    GRID,
    OVERLAND,
    PLAYED,
    PORTS,
    UNBRIDGED,
    Hex,
    Side,
)

SCHLIEBEN = "Schlieben"
"""E9 The headquarters that comes when Cherbourg is cut off, and needs no depot."""


def _links() -> Links:
    """E7 Which hexes lead to which neighbours for lines of supply."""
    near, walled = list(OVERLAND.open), OVERLAND.walled
    for key in UNBRIDGED:
        a, b = map(GRID.index, key.split("-"))
        near[a] &= ~(1 << b)
        near[b] &= ~(1 << a)
        walled |= 1 << a | 1 << b
    return Links(GRID, tuple(near), OVERLAND.within, walled)


LINKS = _links()
"""E7 Hexsides that lines of supply may cross."""


# --- lines ----------------------------------------------------------------------------------------------


def network(state: State, side: Side) -> int:
    """8.2 The set of the hexes that lines of a side may pass now."""
    enemy = ENEMY[side]
    return _open(state, side) & ~(zones.zone(state, enemy) & ~zones.occupied(state, side))


def _open(state: State, side: Side) -> int:
    """The hexes where a unit of a side could be: land on the map of the scenario
    without enemy combat units."""
    return PLAYED[state.scenario] & ~zones.held(state, ENEMY[side])


def lines(state: State, side: Side, ends: int) -> int:
    """8.2 The set of the hexes from which a unit of a side has a line to one of these;
    the hex that it stands in may be controlled."""
    return _lines(network(state, side), _open(state, side), ends)


@lru_cache(maxsize=64)
def _lines(passable: int, open_to: int, ends: int) -> int:
    """`lines`, given the hexes that may be passed and those where a unit may be; they change seldom."""
    reached = LINKS.flood(ends & passable, passable)
    return (reached | LINKS.spread(reached) | ends) & open_to


def reached(state: State, hex: Hex, side: Side) -> int:
    """6.1, 6.2 The set of the hexes from which a unit of a side has a line to this hex,
    say that of its headquarters."""
    return lines(state, side, 1 << GRID.index(hex))


# --- sources --------------------------------------------------------------------------------------------


def depots(state: State, side: Side) -> int:
    """8.2 The set of the hexes with a depot of a side that works."""
    if side == "german":
        return GRID.bits(GERMAN_DEPOTS.values()) & _open(state, side)
    found = [hex for hex in ports.beaches(state) if state.control.get(hex) == "allied"]
    for name, hexes in PORTS.items():
        if ports.works(state, name):
            found += hexes
    return GRID.bits(found) & _open(state, side)


def area(state: State, side: Side) -> int:
    """8.1, 8.2 The set of the hexes in which a unit of a side is in supply.

    By the option `lines` a depot will do, or it takes a headquarters that has a line to a depot.
    Von Schlieben is always in supply and supplies others (E9).
    """
    served = lines(state, side, depots(state, side))
    posts = {unit.id: 1 << GRID.index(unit.placed) for unit in state.on_map(side) if unit.hq}
    if state.option("lines") == "headquarters":
        served = lines(state, side, _union(post for post in posts.values() if post & served))
    return served | lines(state, side, posts.get(SCHLIEBEN, 0))


def _union(sets: Iterable[int]) -> int:
    total = 0
    for each in sets:
        total |= each
    return total


def cut_off(state: State, hexes: Iterable[Hex]) -> bool:
    """E9, S1 Whether no German depot has a line to any of these hexes."""
    return not lines(state, "german", depots(state, "german")) & GRID.bits(hexes)


# --- the end of a turn ----------------------------------------------------------------------------------


def mark(state: State) -> None:
    """8.4 At the end of a turn, mark the units on the map without a line as out of supply,
    and unmark the others."""
    for side in SIDES:
        fed = area(state, side)
        out: list[str] = []
        again: list[str] = []
        for unit in state.on_map(side):
            wanting = not fed >> GRID.index(unit.placed) & 1
            if wanting != unit.unsupplied:
                (out if wanting else again).append(unit.id)
            unit.unsupplied = wanting
        if out or again:
            state.note(SupplyJudged(case="8.4", side=side, out=tuple(out), again=tuple(again)))
