"""The 86th Corps Zone and the Withdrawal Line (11.4): what opens the zone, and which units may enter the map,
and where, when the marker of its corps is drawn. restrictions.py says where Germans and Allies may not go
because of it, entering.py how units are put on the map; 13.3 is in solitaire.py.

What triggers it is a step from a hex outside the range of the bridges to one inside: a unit that is set up
or arrives within range triggers nothing.
"""

from __future__ import annotations

from pbem.games.falaise.notes import ZoneTriggered
from pbem.games.falaise.state import Hex, State, Unit
from pbem.games.falaise.tables import GERMAN_EXIT, GRID, MAP, region

COMMAND = "86"
RANGE = 6
"""Within this many hexes of one of the bridges an Allied unit triggers the zone."""
ZONE = MAP.bits("zone_86")
ENTRY = GRID.bits(region("86 entry").hexes)
"""The hexes of the zone on the German side of the Front Line."""
EAST = MAP.without("withdrawal_line").flood(GRID.bits((GERMAN_EXIT,)))
"""The hexes east of the German Withdrawal Line."""


def _around_bridges() -> int:
    near = 0
    for key in region("trigger bridges").hexsides:
        for end in key.split("-"):
            near |= GRID.within(end, RANGE)
    return near


NEAR_BRIDGES = _around_bridges()
"""The hexes within six hexes of either end of a Dives bridge south of row 20."""


def within(area: int, hex: Hex) -> bool:
    """Whether a hex belongs to a set of hexes."""
    return bool(area >> GRID.index(hex) & 1)


def is_east(unit: Unit) -> bool:
    """3.3, 9.2, 11.3 Whether a unit is east of the Withdrawal Line."""
    return unit.hex is not None and within(EAST, unit.hex)


def entered(state: State, unit: Unit, before: Hex | None, hex: Hex) -> None:
    """11.4 A unit has gone from `before` (None: it was not on the map) to the neighbouring hex `hex`,
    by a move, an advance or a retreat. An Allied one that comes from outside into the zone,
    or to within six hexes of the bridges, puts the marker of the 86th Corps into the cup at once.
    13.3 The system's side sets nothing going before it may cross the boundary."""
    if unit.side != "allied" or before is None or (state.solitaire and not state.boundary):
        return
    into_zone = within(ZONE, hex) and not within(ZONE, before)
    if into_zone:
        state.zone_entered = True
    near = within(NEAR_BRIDGES, hex) and not within(NEAR_BRIDGES, before)
    if state.zone_86 == "closed" and (into_zone or near):
        state.zone_86 = "triggered"
        state.cup = sorted([*state.cup, COMMAND])
        state.note(ZoneTriggered(case="11.4", unit=unit.id, hex=hex, entered=into_zone))


def open_to_germans(state: State) -> bool:
    """11.4 Whether Germans may enter the zone: an Allied unit has been in it,
    or the marker has been drawn."""
    return state.zone_entered or state.zone_86 == "open"


def waiting(state: State) -> list[Unit]:
    """11.4 The units that may enter the map when the marker is drawn: what is left of the 272nd Division,
    and the unknown forces."""
    return [
        unit
        for unit in state.units.values()
        if unit.place == "unknown" or (unit.place == "later" and unit.counter.corps == COMMAND)
    ]
