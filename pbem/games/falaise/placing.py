"""Entering a hex by any rule, and what follows at once: which side controls Argentan (3.4),
and the trigger of the 86th Corps (11.4)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.falaise import zone86
from pbem.games.falaise.notes import Controlled
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import ARGENTAN, Hex


def put(state: State, units: Iterable[Unit], hex: Hex) -> None:
    """3.4, 11.4 These units are in a hex now: moved, advanced, retreated or newly arrived there."""
    for unit in units:
        before = unit.hex
        unit.place, unit.hex = "map", hex
        if hex == ARGENTAN:
            take_argentan(state, unit)
        zone86.entered(state, unit, before, hex)


def take_argentan(state: State, unit: Unit) -> None:
    """3.4, 11.9 The side that enters Argentan controls it; once it has fallen to the Allies the 80th Division
    is free for good."""
    if unit.side == state.argentan:
        return
    state.argentan = unit.side
    state.argentan_fell = True
    state.note(Controlled(case="3.4", side=unit.side))
