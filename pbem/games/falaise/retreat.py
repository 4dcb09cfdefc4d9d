"""Retreats after an assault (10.3): two hexes for every defender that is left,
by a way that its owner chooses, under the op-fire of the enemy.

What the rules leave open and is settled here: the units of a hex retreat one after another,
each by a way of its own; an Allied unit goes further than two hexes only where no way of two ends within
the stacking limits, and then as few hexes as it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.engine.play import Ask
from pbem.games.falaise import (
    communication,
    opfire,
    placing,
    ratings,
    restrictions,
    stacking,
    victory,
    zones,
)
from pbem.games.falaise.notes import Retreated
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import GERMAN_EXIT, GRID, MAP, Hex, place_name

LENGTH = 2
"""Hexes of a retreat."""
Way = tuple[Hex, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetreatWay(Ask[str]):
    """10.3 By which way does a unit retreat from `start`? `fire` has the hexes of each way in which fire
    threatens."""

    kind: str = "retreat"
    unit: str
    start: Hex
    fire: Mapping[str, Sequence[Hex]]


# --- where to -------------------------------------------------------------------------------------------


STEPS = {
    hex: tuple(near for near in MAP.neighbours(hex) if zones.linked(hex, near))
    for hex in GRID.ids
    if hex in MAP
}
"""10.3 From every hex the neighbours into which a unit may retreat as far as rivers go:
over those only by bridges and fords."""


def ways(state: State, unit: Unit) -> tuple[Way, ...]:
    """10.3 Every legal retreat path of a unit, without the hex that it leaves;
    none if it must be eliminated.

    A path ends where the unit may stack, not adjacent to where it began. Germans stay within the stacking
    limits all along; Allies go on over hexes that are full until they find room (5.2).
    """
    enemy, start = zones.occupied(state, OTHER[unit.side]), unit.placed
    begun: list[Way] = [(start,)]
    known: set[Hex] = set()
    length = 0
    while begun:
        length += 1
        ended: list[Way] = []
        going: list[Way] = []
        for way in begun:
            for near in STEPS[way[-1]]:
                if near in way or enemy >> GRID.index(near) & 1:
                    continue
                if restrictions.crossing_fault(state, unit, way[-1], near):
                    continue
                room = stacking.fault(state, [unit], near) is None
                if not room and unit.side == "german":
                    continue
                if room and length >= LENGTH:
                    if GRID.distance(start, near) >= LENGTH:
                        ended.append((*way[1:], near))
                elif length <= LENGTH or near not in known:  # beyond that one path to each full hex is enough
                    known.add(near)
                    going.append((*way, near))
        if ended:
            return tuple(ended)
        begun = going
    return ()


def under_fire(state: State, unit: Unit, hex: Hex, together: Sequence[Unit]) -> bool:
    """10.3 Whether a unit may be fired on where it enters a hex in retreat: in the zone of an enemy,
    and with no friend there but those that retreat with it (`together`)."""
    others = {other.id for other in together} | {unit.id}
    if any(friend.side == unit.side and friend.id not in others for friend in state.at(hex)):
        return False
    return bool(zones.covering(state, OTHER[unit.side], hex))


# --- going ----------------------------------------------------------------------------------------------


async def retreat(state: State, units: Sequence[Unit]) -> list[Way]:
    """10.3 The defenders of a hex retreat, in this order; the paths of the survivors."""
    gone = []
    for unit in units:
        way = await retreat_of(state, unit, units)
        if unit.place == "map":
            gone.append(way)
    return gone


async def retreat_of(state: State, unit: Unit, together: Sequence[Unit]) -> Way:
    """10.3 One unit retreats, or is eliminated if it has no path; the hexes that it entered.
    A halt or a disruption in the first of them ends it there; a disrupted unit that is disrupted again
    is eliminated (6.4)."""
    found = ways(state, unit)
    if not found:
        victory.eliminate(state, unit, "10.3", "no way to retreat", cut_off=True)
        return ()
    walked = [unit.placed]
    gone: list[Hex] = []
    for hex in await chosen(state, unit, found, together):
        placing.put(state, [unit], hex)
        gone.append(hex)
        walked.append(hex)
        if under_fire(state, unit, hex, together):
            tell(state, unit, walked)
            walked = [hex]
            effect = await opfire.fire(state, [unit], hex, retreat=True)
            if unit.place != "map" or (effect != "none" and len(gone) == 1):
                break
    tell(state, unit, walked)
    return tuple(gone)


async def chosen(state: State, unit: Unit, found: Sequence[Way], together: Sequence[Unit]) -> Way:
    """10.3 The owner chooses the path; by default the one on which fire is least likely to disrupt,
    then to halt the unit, for a German the one of these that ends nearest to the exit."""
    by_name = {" ".join(way): way for way in found}
    best = {
        hex: opfire.best(state, [unit], hex)
        for hex in dict.fromkeys(hex for way in found for hex in way)
        if under_fire(state, unit, hex, together)
    }
    fire = {name: [hex for hex in way if hex in best] for name, way in by_name.items()}

    def rank(name: str) -> tuple[Fraction, Fraction, int]:
        risks = [opfire.chances(best[hex][1].total) for hex in fire[name]]
        home = GRID.distance(by_name[name][-1], GERMAN_EXIT) if unit.side == "german" else 0
        return (
            sum((dis for _, dis in risks), Fraction(0)),
            sum((halt for halt, _ in risks), Fraction(0)),
            home,
        )

    def says(name: str) -> str:
        end = by_name[name][-1]
        told = [f"ends in {place_name(end)}, {MAP.terrain(end)}"]
        told += [
            f"fire in {hex} from {best[hex][0]} at {opfire.outlook(best[hex][1].total)}" for hex in fire[name]
        ]
        if unit.side == "german":
            if not communication.hex_in_communication(state, "german", end):
                told.append("no line of communication there now")
            told.append(f"{GRID.distance(end, GERMAN_EXIT)} hexes to {GERMAN_EXIT}")
        return "; ".join(told)

    again = ", and is eliminated if fire disrupts it again [6.4]" if unit.disrupted else ""
    name = await RetreatWay(
        case="10.3",
        what=f"retreat of {unit.id} from {unit.placed}",
        seat=unit.side,
        options=tuple(by_name),
        default=min(by_name, key=rank),
        unit=unit.id,
        start=unit.placed,
        fire=fire,
        intro=f"{unit.id} ({ratings.in_words(state, unit)}) must retreat{again}.",
        says=says,
    )
    return by_name[name]


def tell(state: State, unit: Unit, walked: Sequence[Hex]) -> None:
    """Log the hexes gone since the last note."""
    if len(walked) > 1:
        state.note(Retreated(case="10.3", unit=unit.id, path=tuple(walked)))
