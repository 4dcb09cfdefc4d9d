"""Loss and return of headquarters (6.4), and von Schlieben's, which comes when Cherbourg is cut off (E9, S1).

Attacks on headquarters are in combat.py, overruns in reach.py.
"""

from __future__ import annotations

from pbem.games.normandy44 import supply
from pbem.games.normandy44.notes import Appeared, HeadquartersLost
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.supply import SCHLIEBEN
from pbem.games.normandy44.tables import CHERBOURG, GRID, Hex

AWAY = 2
"""6.4 A lost headquarters may return this many turns later."""
CASES = {"overrun": "5.2", "no room": "3.1"}
"""Why a headquarters is lost, other than in combat -> the case."""


def lose(state: State, unit: Unit, hex: Hex, why: str) -> None:
    """5.2, 6.4 A headquarters is lost, and with it its offensive marker and the fighters on it.
    `why` is overrun, attacked, with its units or no room."""
    unit.place, unit.hex, unit.unsupplied = "dead", None, False
    unit.back = state.turn + AWAY
    if unit.id in state.supported:
        state.supported.remove(unit.id)
    state.fighters.pop(unit.id, None)
    case = CASES.get(why, "6.4")
    state.note(HeadquartersLost(case=case, side=unit.side, name=unit.id, hex=hex, why=why, back=unit.back))


def returnable(state: State, unit: Unit) -> bool:
    """6.4 Whether a lost headquarters may come back at the end of this turn."""
    return unit.hq and unit.place == "dead" and unit.back <= state.turn


def return_hexes(state: State, unit: Unit) -> tuple[Hex, ...]:
    """6.4, 3.1 Where a headquarters may come back: in supply, not beside another one;
    von Schlieben's only in Cherbourg (E9)."""
    if unit.id == SCHLIEBEN:
        return _in_cherbourg(state)
    return GRID.named(supply.area(state, unit.side) & ~_closed(state, unit))


def _closed(state: State, unit: Unit) -> int:
    """3.1, 5.1 The set of the hexes with an enemy or with a headquarters of its own side."""
    return GRID.bits({other.placed for other in state.on_map() if other.hq or other.side == ENEMY[unit.side]})


def schlieben(state: State) -> None:
    """E9, S1 At the end of a turn von Schlieben's headquarters appears in Cherbourg, once,
    if no German line leads there any more."""
    unit = state.units.get(SCHLIEBEN)
    if unit is None or state.schlieben or not supply.cut_off(state, CHERBOURG):
        return
    if hexes := _in_cherbourg(state):
        unit.place, unit.hex = "map", hexes[0]
        state.schlieben = True
        state.note(Appeared(case="E9", name=unit.id, hex=hexes[0]))


def _in_cherbourg(state: State) -> tuple[Hex, ...]:
    """E9 The German hexes of Cherbourg that have room for von Schlieben, those with troops first."""
    closed = _closed(state, state.units[SCHLIEBEN])
    own = [
        hex for hex in CHERBOURG if state.control.get(hex) == "german" and not closed >> GRID.index(hex) & 1
    ]
    return tuple(sorted(own, key=lambda hex: not state.at(hex)))
