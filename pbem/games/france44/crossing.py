"""The Rhine (12.6 to 12.9): bridgeheads, bridges that are blown, boats, and what follows
when the Allies are across.

"East" is the bank beyond the Rhine and the Neder Rijn. Only the Rhine proper counts as crossed (12.9):
who stands north of the Neder Rijn has not crossed it, and a corps that has jumped has not either.
"""

from __future__ import annotations

from pbem.engine.hexes import side_key
from pbem.games.france44 import advantage, zones
from pbem.games.france44.notes import BridgeheadChanged, BridgeRolled, FuehrerRaised, RhineCrossed
from pbem.games.france44.state import AIRBORNE, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import (
    CHARTS,
    GERMAN_CITIES,
    GERMANY,
    GRID,
    LAND,
    MAP,
    NEDER_RIJN,
    RHINE,
    RHINE_BRIDGES,
    UNITS,
    Hex,
)

_FAR = MAP.without("rhine", "sea").flood(1 << GRID.index(GERMAN_CITIES["Hannover"]), LAND)
"""Everything beyond the river: what can be reached from Hannover without crossing it."""


def _bank(sides: frozenset[str]) -> tuple[Hex, ...]:
    """The hexes of the far bank along these hexsides."""
    touching = dict.fromkeys(hex for key in sorted(sides) for hex in key.split("-"))
    return tuple(hex for hex in touching if _FAR >> GRID.index(hex) & 1)


EAST_BANK: tuple[Hex, ...] = _bank(RHINE)
"""12.6 Where bridgeheads can be."""
RIGHT_BANK: frozenset[Hex] = frozenset((*_bank(RHINE - NEDER_RIJN), *GRID.named(_FAR & GERMANY)))
"""12.9 Where the Allies have crossed the Rhine: its right bank, and Germany beyond it,
to which a way leads round by Holland."""
BRIDGES_AT: dict[Hex, tuple[str, ...]] = {
    hex: tuple(key for key in RHINE_BRIDGES if hex in key.split("-"))
    for key in RHINE_BRIDGES
    for hex in key.split("-")
}
"""12.7 Hex at either end of a printed bridge -> the hexsides."""


# --- ways across ----------------------------------------------------------------------------------------


def is_open(state: State, key: str) -> bool:
    """12.6, 12.7 Whether units can cross a hexside of the Rhine: by a bridge that stands,
    or at a bridgehead."""
    if state.bridges.get(key, RHINE_BRIDGES.get(key, 0)) > 0:
        return True
    return any(hex in state.bridgeheads for hex in key.split("-"))


def open_sides(state: State) -> frozenset[str]:
    """12.6, 12.7 The hexsides of the Rhine that can be crossed without boats."""
    return frozenset(key for key in RHINE if is_open(state, key))


def needs_boats(state: State, a: Hex, b: Hex) -> bool:
    """12.8 Whether only boats lead from a hex into its neighbour."""
    key = side_key(a, b)
    return key in RHINE and not is_open(state, key)


def at_river(hex: Hex) -> bool:
    """12.8 Whether a hex lies on the Rhine."""
    return any(side_key(hex, near) in RHINE for near in MAP.neighbours(hex))


# --- bridges (12.7) ---------------------------------------------------------------------------------------


async def try_bridges(state: State, hex: Hex) -> None:
    """12.7 The Allies enter a hex at the end of printed bridges: those not yet tried are, one die for each;
    a 1 leaves it standing."""
    for key in BRIDGES_AT.get(hex, ()):
        if key in state.bridges:
            continue
        a, b = key.split("-")
        names = {f"bridge {number}": 6 for number in range(1, RHINE_BRIDGES[key] + 1)}
        thrown = await advantage.throw(state, "12.7", key, names, _bridge)
        dice = tuple(die.face for die in thrown.values())
        standing = sum(die <= CHARTS.bridges.stands_on for die in dice)
        state.bridges[key] = standing
        state.note(BridgeRolled(case="12.7", roll=state.rolls, hexes=(a, b), dice=dice, standing=standing))


def _bridge(name: str, face: int) -> str:
    """12.7 What a die means for a bridge."""
    return f"die {face}: {'stands' if face <= CHARTS.bridges.stands_on else 'blown'}"


# --- bridgeheads (12.6) -------------------------------------------------------------------------------------


def judge_bridgeheads(state: State) -> None:
    """12.6 Bridgeheads are won by supplied Allied units or by their zones alone, and lost to German ones."""
    zone = {side: zones.zone(state, side) for side in ("allied", "german")}
    held = {side: zones.held(state, side) for side in ("allied", "german")}
    supply: Supply | None = None
    for hex in EAST_BANK:
        bit = 1 << GRID.index(hex)
        if held["allied"] & bit:
            supply = supply or Supply(state, "allied")
            won = any(supply.has(unit) for unit in state.at(hex) if not unit.hq)
            lost = False
        else:
            free = not held["german"] & bit
            won = free and bool(zone["allied"] & bit) and not zone["german"] & bit
            lost = not free or (bool(zone["german"] & bit) and not zone["allied"] & bit)
        _set_bridgehead(state, hex, won and not _blown_at(state, hex), lost)


def _blown_at(state: State, hex: Hex) -> bool:
    """12.6 Whether a blown bridge leads to a hex: no bridgehead is placed over it."""
    return any(state.bridges.get(key) == 0 for key in BRIDGES_AT.get(hex, ()))


def _set_bridgehead(state: State, hex: Hex, won: bool, lost: bool) -> None:
    if won and hex not in state.bridgeheads:
        state.bridgeheads.append(hex)
    elif lost and hex in state.bridgeheads:
        state.bridgeheads.remove(hex)
    else:
        return
    state.note(BridgeheadChanged(case="12.6", hex=hex, won=won))


# --- across (12.9) ------------------------------------------------------------------------------------------


def crossed(state: State, unit: Unit, hex: Hex) -> None:
    """12.9 An Allied unit comes to the right bank of the Rhine, for the first time with consequences
    that stay: no more German reaction points, the Fuehrer divisions in the eliminated box,
    and replacements for them alone."""
    if state.rhine_crossed or unit.side != "allied" or unit.hq or hex not in RIGHT_BANK:
        return
    if state.jumped and unit.id == AIRBORNE and not state.drop_stays:
        return
    state.rhine_crossed = state.turn
    state.reaction["german"] = 0
    state.note(RhineCrossed(case="12.9", hex=hex))
    for other in state.units.values():
        counter = UNITS[other.id]
        if not counter.hq and counter.fuehrer and other.place in ("later", "track"):
            other.place, other.back = "eliminated", 0
            state.note(FuehrerRaised(case="12.9", name=other.id, turn=0))
