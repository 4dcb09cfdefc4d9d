"""Where on the map some words are: a hex, a place or a unit, as orders name them."""

from __future__ import annotations

from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.language.model import Roster
from pbem.engine.language.names import Names
from pbem.engine.language.repair import near


def hexes_of(roster: Roster, text: str) -> tuple[str, ...]:
    """Return the hexes of what `text` names: one by its number, those of a place, or that of a unit as
    far as the reader of the roster knows it.

    Raises OrderError for a name that is not known, with the nearest one that is, for one of several units in
    different hexes, and for a unit that is not on the map.
    """
    names, words = Names(roster), text.split()
    if len(words) == 1 and (hex_id := names.hex(words[0])):
        return (hex_id,)
    place = names.place(words)
    if place is not None and (place[1] == len(words) or names.hex(" ".join(words[place[1] :]).strip("()"))):
        return place[0]
    meant = names.meant(words, frozenset())
    if meant is None or meant.length < len(words):
        raise _unknown(roster, text)
    units = [roster.units[unit] for unit in meant.units]
    found = dict.fromkeys(unit.hex for unit in units if unit.hex)
    if not found:
        raise OrderError(f"{units[0].id} is not on the map, as far as you know")
    if len(found) > 1:
        several = [f"{unit.id} in {unit.hex}" for unit in units if unit.hex]
        raise Ambiguous(f'"{text}": {" or ".join(several)}?', legal=list(found))
    return tuple(found)


def _unknown(roster: Roster, text: str) -> Unreadable:
    if text.isdecimal() and len(text) == 4:
        return Unreadable(f"there is no hex {text} on the map")
    units = [unit.id for unit in roster.units.values() if unit.hex]
    close = near(text.lower(), [*roster.places, *units])[:1]
    meant = f"; did you mean {close[0]}?" if close else ""
    return Unreadable(f'"{text}" is no hex, place or unit of this map{meant}', legal=close)
