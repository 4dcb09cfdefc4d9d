"""Who holds the hexes that matter (11.3): supply sources, ports, and what the scenarios count.

A combat unit takes a hex by entering or passing through it; the hex stays with its side
until one of the other side does. Headquarters take nothing. A German city is another matter:
it serves the Germans whenever no Allied piece stands in it (11.3).
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.france44.notes import TookControl
from pbem.games.france44.state import State, Unit
from pbem.games.france44.tables import BRUSSELS, METZ, NORMANDY, PARIS, PORTS, SCENARIOS, SOURCES, Hex, Side

HEXES: tuple[Hex, ...] = tuple(
    dict.fromkeys((*SOURCES, *PORTS.values(), PARIS, BRUSSELS, METZ, *SCENARIOS.falaise.towns.values()))
)
"""The hexes of which it is kept who holds them."""


def begin(state: State) -> None:
    """11.3 At the start the Allies hold the three hexes of Normandy and what their units stand on,
    the Germans everything else."""
    state.control = dict.fromkeys(HEXES, "german")
    for hex in (*NORMANDY, *(unit.placed for unit in state.on_map("allied") if not unit.hq)):
        if hex in state.control:
            state.control[hex] = "allied"


def entered(state: State, unit: Unit, hexes: Iterable[Hex]) -> None:
    """11.3 A unit enters these hexes or passes through them."""
    if unit.hq:
        return
    for hex in hexes:
        if state.control.get(hex, unit.side) != unit.side:
            state.control[hex] = unit.side
            state.note(TookControl(case="11.3", side=unit.side, hex=hex))


def holds(state: State, side: Side, hexes: Iterable[Hex]) -> bool:
    """11.3 Whether a side holds all of these hexes."""
    return all(state.control.get(hex) == side for hex in hexes)
