"""Control of hexes, the front line and supply (3.6 to 3.8, 12.1, 12.2).

The land that the Germans control is kept in the state; the front line is read off it: the German hexes next
to an Allied one. So it is always closed, and is redrawn in the moment in which a hex changes hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.engine.hexes import flood
from pbem.games.rampage.notes import Controlled
from pbem.games.rampage.state import Hex, State
from pbem.games.rampage.tables import ALLIED_START, GRID, LAND, OVERLAND, SUPPLY_EDGE


def at_start() -> list[Hex]:
    """3.7 What the Germans control when play begins: all land in and east of the row of markers."""
    return list(GRID.named(LAND & ~ALLIED_START))


def german(state: State) -> int:
    """The hexes that the Germans control, as a set."""
    return _set(tuple(state.german))


@lru_cache(maxsize=256)
def _set(hexes: tuple[Hex, ...]) -> int:
    """A set of hexes; control is read far more often than it changes."""
    return GRID.bits(hexes)


def allied(state: State) -> int:
    """The hexes that the Allies control, as a set."""
    return LAND & ~german(state)


def is_german(state: State, hex: Hex) -> bool:
    """Whether the Germans control a hex."""
    return hex in state.german


def front(state: State) -> int:
    """3.6 The hexes with a German front line marker, as a set: German ones next to an Allied one."""
    held = german(state)
    return GRID.spread(LAND & ~held) & held


def front_hexes(state: State) -> tuple[Hex, ...]:
    """3.6 The hexes with a German front line marker."""
    return GRID.named(front(state))


def linked(held: int) -> int:
    """9.17, 12.1, 12.2 Of hexes that the Germans hold those in supply:
    linked to the east edge through German land, all-sea hexsides notwithstanding."""
    return flood(GRID.spread, SUPPLY_EDGE & held, held)


def supplied(state: State) -> int:
    """12.1 The German hexes in supply, as a set."""
    return linked(german(state))


def in_supply(state: State, hex: Hex) -> bool:
    """12.1 Whether a German-controlled hex is in supply."""
    return bool(supplied(state) >> GRID.index(hex) & 1)


def cut_off(state: State) -> int:
    """12.1 The German hexes that are out of supply, as a set."""
    return german(state) & ~supplied(state)


def unsupplied(state: State) -> tuple[Hex, ...]:
    """12.1 The German hexes that are out of supply."""
    return GRID.named(cut_off(state))


def allied_supplied(state: State) -> int:
    """4.1, 9.13 The Allied hexes in supply: linked through Allied land to the ground
    from which the Allies began."""
    held = allied(state)
    return OVERLAND.flood(ALLIED_START & held, held)


def pass_to_allies(state: State, hexes: Iterable[Hex], case: str, why: str) -> None:
    """3.6, 3.7 Hexes come under Allied control; the front line is redrawn at once. `why` is battle,
    undefended, landing or pocket."""
    wanted = tuple(hexes)
    taken = tuple(hex for hex in wanted if hex in state.german)
    if taken:
        state.german = [hex for hex in state.german if hex not in taken]
        state.note(Controlled(case=case, hexes=taken, to="allied", why=why))


def pass_to_germans(state: State, hex: Hex, case: str, why: str) -> None:
    """3.7, 12.6 A breakout gives a hex back to the Germans."""
    if hex not in state.german:
        state.german = sorted([*state.german, hex])
        state.note(Controlled(case=case, hexes=(hex,), to="german", why=why))
