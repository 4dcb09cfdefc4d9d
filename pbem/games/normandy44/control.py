"""Control of the hexes that matter: victory towns, landing beaches, ports (S1 to S3, 14).

The rulebook does not say what control is. Here the side whose combat unit was last in a hex has it,
whether it stays there or not; headquarters take nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.normandy44 import ports
from pbem.games.normandy44.notes import TookControl
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import (
    ALENCON,
    AVRANCHES,
    BEACH_HEXES,
    CAEN,
    GRID,
    LISIEUX,
    PLAYED,
    PORTS,
    UTAH,
    Hex,
    Side,
)

HEXES: tuple[Hex, ...] = tuple(
    dict.fromkeys(
        (
            *(hex for hexes in PORTS.values() for hex in hexes),
            *BEACH_HEXES,
            *CAEN,
            AVRANCHES,
            ALENCON,
            LISIEUX,
        )
    )
)
"""The hexes whose control is recorded."""

BEHIND_THE_LINE: dict[str, tuple[Hex, ...]] = {
    "cobra": tuple(dict.fromkeys((*BEACH_HEXES, *(hex for hexes in PORTS.values() for hex in hexes))))
}
"""S2 What the Allies hold at the start of a scenario without a unit in it."""


def begin(state: State) -> None:
    """S1 to S3 All hexes are German at the start, except those with Allied combat units
    and those behind the Allied line."""
    played = PLAYED[state.scenario]
    state.control = {hex: "german" for hex in HEXES if played >> GRID.index(hex) & 1}
    ashore = [unit.placed for unit in state.on_map("allied") if not unit.hq]
    for hex in (*BEHIND_THE_LINE.get(state.scenario, ()), *ashore):
        if hex in state.control:
            state.control[hex] = "allied"


def entered(state: State, unit: Unit, hexes: Iterable[Hex]) -> None:
    """S1, S3, 14.0 A unit passes through these hexes or stops in them: control changes hands,
    and Germans wreck ports."""
    if unit.hq:
        return
    for hex in hexes:
        if unit.side == "german":
            ports.entered(state, unit, hex)
            state.utah_lost |= hex == UTAH
        if state.control.get(hex, unit.side) != unit.side:
            state.control[hex] = unit.side
            state.note(TookControl(case=_case(hex), side=unit.side, hex=hex))


def holds(state: State, side: Side, hexes: Iterable[Hex]) -> bool:
    """S1 to S3 Whether a side controls all of these hexes."""
    return all(state.control.get(hex) == side for hex in hexes)


def _case(hex: Hex) -> str:
    """What the hex matters for, before all."""
    if hex in BEACH_HEXES or any(hex in hexes for hexes in PORTS.values()):
        return "14.0"
    return "S3"
