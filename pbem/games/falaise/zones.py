"""Zones of control (6.1): the hexes around every unit, except across a river where no bridge
or ford leads over it, and for armour except across the Trun bridge.

What zones do stands elsewhere: op-fire (6.2) in opfire.py, breaking contact (6.3) in march.py
and movement.py, lines of communication (6.5) in communication.py. They do not hinder advances,
and neither the Withdrawal Line nor the Front Line stops them.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.hexes import bits, side_key
from pbem.engine.map import Links
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import GRID, MAP, Hex, Side

UNBRIDGED = frozenset((*MAP.hexsides("river_major"), *MAP.hexsides("river_minor"))) - {
    *MAP.hexsides("bridge"),
    *MAP.hexsides("ford"),
}
"""The hexsides that have a river and neither a bridge nor a ford."""
TRUN_BRIDGE = frozenset(MAP.hexsides("trun_bridge"))


def linked(a: Hex, b: Hex) -> bool:
    """6.1, 6.5, 10.3 Whether no river runs between two neighbours, or a bridge or ford leads over it."""
    return side_key(a, b) not in UNBRIDGED


def _links(closed: frozenset[str]) -> Links:
    """Which hexes lead to which neighbours when these hexsides are closed."""
    near, walled = [], 0
    for index, around in enumerate(GRID.adjacent):
        here = GRID.ids[index]
        open_to = [other for other in around if side_key(here, GRID.ids[other]) not in closed]
        near.append(bits(open_to) & MAP.on_map)
        walled |= (len(open_to) < len(around)) << index
    return Links(GRID, tuple(near), MAP.on_map, walled)


LINKS = _links(UNBRIDGED)
"""6.1, 6.5 Where zones reach, and lines of communication lead."""
ARMOUR_LINKS = _links(UNBRIDGED | TRUN_BRIDGE)
"""6.1 Where the zones of armour reach."""


NOBODY: Mapping[str, Hex] = {}
"""No unit that is reckoned to stand elsewhere."""


def occupied(state: State, side: Side, moved: Mapping[str, Hex] = NOBODY) -> int:
    """The set of the hexes with units of a side, if those `moved` stood in these hexes."""
    found = 0
    for unit in state.on_map(side):
        found |= 1 << GRID.index(moved.get(unit.id) or unit.placed)
    return found


def zone(state: State, side: Side, moved: Mapping[str, Hex] = NOBODY) -> int:
    """6.1 The set of the hexes into which the zones of a side reach, if those `moved` stood in these."""
    armour = others = 0
    for unit in state.on_map(side):
        at = 1 << GRID.index(moved.get(unit.id) or unit.placed)
        if unit.counter.armour:
            armour |= at
        else:
            others |= at
    return LINKS.spread(others) | ARMOUR_LINKS.spread(armour)


def reaches(unit: Unit, hex: Hex) -> bool:
    """6.1 Whether the zone of a unit reaches a hex."""
    links = ARMOUR_LINKS if unit.counter.armour else LINKS
    return bool(links.open[GRID.index(unit.placed)] >> GRID.index(hex) & 1)


def covering(state: State, side: Side, hex: Hex) -> list[Hex]:
    """6.1 The hexes with units of a side whose zone reaches a hex, by number."""
    return sorted({unit.placed for unit in state.on_map(side) if reaches(unit, hex)})


def firing(state: State, side: Side, origin: Hex, hex: Hex) -> list[Unit]:
    """6.2 The units of a stack that can fire into a hex: those whose zone reaches it."""
    return [unit for unit in state.at(origin) if unit.side == side and reaches(unit, hex)]
