"""Parachute infantry (PAR): dropped on game-turn 1, unable to move until it has been in supply, and lost
after game-turn 3 if it never was.

The drop itself is in paradrop.py (INV.1C). Gliders and commandos are not paratroops; German parachute
units are infantry."""

from __future__ import annotations

from pbem.games.normandy71 import stacking, supply
from pbem.games.normandy71.disclosure import disclose
from pbem.games.normandy71.notes import InSupplyNow, Lost
from pbem.games.normandy71.state import Hex, State, Unit

LAST_TURN_UNSUPPLIED = 3


def may_attack(state: State, unit: Unit) -> bool:
    """PAR.C, PAR.D A paratroop unit attacks neither on the turn of its drop nor before
    it has been in supply."""
    return not unit.never_supplied and not (state.turn == 1 and unit.entry == "paradrop")


def judge_supply(state: State) -> None:
    """PAR.D A paratroop unit in supply at the start of a phase is free for good."""
    waiting = [unit for unit in state.on_map("allied") if unit.never_supplied]
    area = supply.supplied(state, "allied") if waiting else 0
    for unit in waiting:
        if supply.trace(state, unit, area):
            unit.never_supplied = False
            state.note(InSupplyNow(case="PAR.D", readers=("allied",), name=unit.id, hex=unit.placed))


def invert_excess(state: State, hex: Hex) -> None:
    """INV.1C Invert paratroops above the stacking limit, the last to land first."""
    while not stacking.within_limit(hex, upright(state, hex)):
        jumpers = [unit for unit in upright(state, hex) if unit.entry == "paradrop"]
        if not jumpers:
            return
        jumpers[-1].inverted = True


def upright(state: State, hex: Hex) -> list[Unit]:
    """The units in a hex that count for stacking: all but inverted ones."""
    return [unit for unit in state.at(hex) if not unit.inverted]


def cull(state: State) -> None:
    """PAR.D At the end of game-turn 3 paratroops that have never been in supply are destroyed."""
    if state.turn < LAST_TURN_UNSUPPLIED:
        return
    for unit in [unit for unit in state.on_map("allied") if unit.never_supplied]:
        remove(state, unit, "PAR.D", "paratroops")


def remove(state: State, unit: Unit, case: str, why: str) -> None:
    """Eliminate a unit, and log it."""
    hex = unit.placed
    disclose(
        state,
        [unit],
        lambda names, readers: Lost(
            case=case, readers=readers, side=unit.side, name=names[0], hex=hex, why=why
        ),
    )
    unit.place, unit.hex, unit.inverted = "lost", None, False
