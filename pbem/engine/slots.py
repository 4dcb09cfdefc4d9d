"""The types of slots: how units, hexes, paths, numbers and a game's own words are written by people."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pbem.engine.errors import Ambiguous, NotAllowed, Unreadable
from pbem.engine.orders import Words
from pbem.engine.usage import ARROWS, WORD, Found, Miss, Scan, Slot, SlotType, spellings

AND = frozenset({",", "&", "and", "+"})
BETWEEN_HEXES = ARROWS | {"to", ","}


def _hex(scan: Scan, at: int, slot: Slot) -> Found:
    if at < scan.length and (found := scan.names.hex(scan.pieces[at].text)):
        yield at + 1, found
    else:
        scan.miss(at, Miss(slot))


def _number(scan: Scan, at: int, slot: Slot) -> Found:
    if re.fullmatch(r"-?\d{1,9}", scan.keys[at]):
        yield at + 1, int(scan.keys[at])
    else:
        scan.miss(at, Miss(slot))


def _word(scan: Scan, at: int, slot: Slot) -> Found:
    if at < scan.length and WORD.fullmatch(scan.keys[at]) and scan.keys[at][0].isalnum():
        yield at + 1, scan.pieces[at].text
    else:
        scan.miss(at, Miss(slot))


def _text(scan: Scan, at: int, slot: Slot) -> Found:
    if at < scan.length:
        yield scan.length, scan.line[scan.pieces[at].column :].strip()
    else:
        scan.miss(at, Miss(slot))


def _unit(scan: Scan, at: int, slot: Slot) -> Found:
    """A unit by its id, by an id with blanks in it, or by the beginning of one."""
    names, keys = scan.names, scan.keys
    if (exact := names.units.get(keys[at])) is not None:
        yield at + 1, exact
        return
    if at < scan.length and keys[at] not in scan.reserved:
        for count in (2, 3):
            if (exact := names.units.get("".join(keys[at : at + count]))) is not None:
                yield at + count, exact
                return
        if (meant := names.groups.get(keys[at])) is not None:
            _no_unit(scan, at, meant, slot)
            return
        for count in (2, 1):
            if at + count > scan.length or keys[at + count - 1] in scan.reserved:
                continue
            key = "".join(keys[at : at + count])
            found = names.beginning(key) if len(key) > 1 else []
            if len(found) == 1:
                yield at + count, found[0]
                return
            if found:
                _several(scan, at, at + count, found, slot)
                return
    scan.miss(at, Miss(slot))


def _no_unit(scan: Scan, at: int, meant: tuple[str, ...], slot: Slot) -> None:
    """The name of a formation where a unit is wanted: which of its units was meant is never guessed."""
    column, length = scan.span(at, at + 1)
    text = f'"{scan.pieces[at].text}" is no unit: {", or ".join(meant)}? Name the units.'
    scan.miss(at, Miss(slot, Ambiguous(text, legal=meant, column=column, length=length)))


def _several(scan: Scan, at: int, end: int, found: list[str], slot: Slot) -> None:
    column, length = scan.span(at, end)
    listed = " or ".join(found[:6]) + (" or another" if len(found) > 6 else "")
    words = scan.line[column : column + length]
    scan.miss(
        at, Miss(slot, Ambiguous(f'"{words}": {listed}?', legal=found[:6], column=column, length=length))
    )


Units = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a list of units may end. `sure` is false for a reading that only serves when nothing else fits."""

    at: int
    units: Units
    sure: bool = True


def _units(scan: Scan, at: int, slot: Slot) -> Found:
    """A list of units in any of its forms, the longest list first."""
    stops: list[_Stop] = []
    units: Units = ()
    sure = True
    while item := _some_units(scan, at, slot):
        stops += [_Stop(stop.at, units + stop.units, sure and stop.sure) for stop in item]
        last = item[-1] if item[0].sure and not item[-1].sure and item[-1].at > item[0].at else item[0]
        sure = sure and last.sure
        units, at = units + last.units, last.at
        start = at
        while scan.keys[at] in AND:
            at += 1
        if at == start and scan.keys[at] not in scan.names.units:
            break
    for wanted in (True, False):
        for stop in reversed(stops):
            if stop.sure is wanted:
                yield stop.at, tuple(dict.fromkeys(stop.units))


def _some_units(scan: Scan, at: int, slot: Slot) -> list[_Stop]:
    """One item of a list of units: the ways to read it, the plainest first; none if it is not one."""
    keys = scan.keys
    if keys[at] == "all":
        return _all_units(scan, at, slot)
    if counted := re.fullmatch(r"(\d{1,2})x?", keys[at]):
        start = at + 1 + (keys[at + 1] == "x")
        if keys[start] in scan.names.kinds:
            return _counted_units(scan, at, start, int(counted[1]), slot)
        if keys[at].endswith("x") or keys[at + 1] == "x":
            return _unknown_kind(scan, at, start, slot)
    for end, first in _unit(scan, at, slot):
        units: Units = (first,)
        if keys[end] == "..":
            for stop, last in _unit(scan, end + 1, slot):
                end, units = stop, _range(scan.names.order, first, last)
        return [_Stop(end, units), *_standing_at(scan, end, units, slot)]
    return []


def _range(order: list[str], first: str, last: str) -> Units:
    if first not in order or last not in order:
        return (first, last)
    low, high = sorted((order.index(first), order.index(last)))
    return tuple(order[low : high + 1])


def _at_hex(scan: Scan, at: int) -> str | None:
    return (
        scan.names.hex(scan.pieces[at + 1].text) if scan.keys[at] == "at" and at + 1 < scan.length else None
    )


def _standing_at(scan: Scan, at: int, units: Units, slot: Slot) -> list[_Stop]:
    """``8/4 at 3024``: the hex is checked and changes nothing."""
    hex = _at_hex(scan, at)
    if hex is None:
        return []
    away = [name for name in units if scan.names.roster.units[name].hex != hex]
    if not away:
        return [_Stop(at + 2, units, sure=False)]
    where = scan.names.roster.units[away[0]].hex
    column, length = scan.span(at, at + 2)
    scan.miss(
        at + 1,
        Miss(
            slot,
            NotAllowed(
                f"{away[0]} is {f'at {where}' if where else 'not on the map'}, not at {hex}",
                column=column,
                length=length,
            ),
            f"at {where}" if where and len(units) == 1 else "",
        ),
    )
    return []


def _all_units(scan: Scan, at: int, slot: Slot) -> list[_Stop]:
    kind = scan.keys[at + 1]
    own = scan.names.kinds.get(kind, scan.names.own)
    end = at + 2 if kind in scan.names.kinds else at + 1
    everywhere = _Stop(end, tuple(unit.id for unit in own), sure=True)
    hex = _at_hex(scan, end)
    if hex is None:
        return [everywhere] if everywhere.units else []
    here = tuple(unit.id for unit in own if unit.hex == hex)
    if not here:
        column, length = scan.span(at, end + 2)
        error = NotAllowed(f"none of your units is at {hex}", column=column, length=length)
        scan.miss(end + 2, Miss(slot, error))
        return []
    return [_Stop(end + 2, here), _Stop(end, everywhere.units, sure=False)]


def _counted_units(scan: Scan, at: int, kind_at: int, count: int, slot: Slot) -> list[_Stop]:
    """``3x 2-4 at 3024``: that many units of a kind which stand there, in roster order."""
    kind = scan.pieces[kind_at].text
    own = scan.names.kinds[scan.keys[kind_at]]
    hex = _at_hex(scan, kind_at + 1)
    end = kind_at + 1 if hex is None else kind_at + 3
    there = [unit.id for unit in own if hex is None or unit.hex == hex]
    where = f"at {hex}" if hex else "yours"
    column, length = scan.span(at, end)
    if len(there) < count:
        listed = ", ".join(there)
        number = f"only {len(there)} unit{'s' * (len(there) != 1)}" if there else "no units"
        verb = "is" if len(there) == 1 else "are"
        text = f"{number} {kind} {verb} {where}" + (f" ({listed})" if there else "")
        instead = (listed + (f" at {hex}" if hex else "")) if there else ""
        scan.miss(end, Miss(slot, NotAllowed(text, legal=there, column=column, length=length), instead))
        return []
    if hex is None and len(there) > count:
        text = f"you have {len(there)} units {kind}; say which, or where: {count}x {kind} at <hex>"
        scan.miss(end, Miss(slot, Ambiguous(text, legal=there[:6], column=column, length=length)))
        return []
    return [_Stop(end, tuple(there[:count]))]


def _unknown_kind(scan: Scan, at: int, kind_at: int, slot: Slot) -> list[_Stop]:
    if kind_at >= scan.length:
        scan.miss(at, Miss(slot))
        return []
    column, length = scan.span(kind_at, kind_at + 1)
    kinds = list(scan.names.kinds)
    close = get_close_matches(scan.keys[kind_at], kinds, 1)
    text = f"You have no units {scan.pieces[kind_at].text}."
    error = Unreadable(text, legal=close or kinds, column=column, length=length)
    scan.miss(kind_at, Miss(slot, error, close[0] if close else None))
    return []


def _listed(item: Callable[[Scan, int, Slot], Found], between: frozenset[str], loose: bool) -> Any:
    """One or more of `item`; `loose` if blanks are enough between them."""

    def read(scan: Scan, at: int, slot: Slot) -> Found:
        stops: list[tuple[int, tuple[Any, ...]]] = []
        values: tuple[Any, ...] = ()
        while (found := next(item(scan, at, slot), None)) is not None:
            at, values = found[0], (*values, found[1])
            stops.append((at, values))
            start = at
            while scan.keys[at] in between:
                at += 1
            if at == start and not loose:
                break
        yield from reversed(stops)

    return read


def _vocabulary(name: str, words: tuple[str, ...]) -> SlotType:
    known = {" ".join(WORD.findall(text)): word for text, word in spellings(words).items()}
    longest = max((len(text.split()) for text in known), default=1)

    def read(scan: Scan, at: int, slot: Slot) -> Found:
        for count in range(longest, 0, -1):
            if (word := known.get(" ".join(scan.keys[at : at + count]))) is not None:
                yield at + count, word
        scan.miss(at, Miss(slot))

    title = f"{name} ({', '.join(words)})" if len(words) <= 8 else name
    return SlotType(title, read, candidates=lambda scan: words)


def _unit_names(scan: Scan) -> list[str]:
    units = scan.names.roster.units.values()
    return [unit.id for unit in sorted(units, key=lambda unit: (unit.enemy, unit.hex is None))]


def _hex_names(scan: Scan) -> list[str]:
    return sorted(scan.names.roster.hexes)


def _joined(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda values: ", ".join(map(write, values))


def slot_types(words: Words) -> dict[str, SlotType]:
    """Every type a usage line may name, given the vocabularies of a game."""
    types = {
        "unit": SlotType("a unit", _unit, candidates=_unit_names),
        "units": SlotType("units", _units, ", ".join, candidates=_unit_names),
        "hex": SlotType("a hex", _hex, candidates=_hex_names),
        "hexes": SlotType("hexes", _listed(_hex, AND, loose=True), ", ".join, candidates=_hex_names),
        "path": SlotType(
            "the hexes of a path", _listed(_hex, BETWEEN_HEXES, loose=True), " ".join, candidates=_hex_names
        ),
        "number": SlotType("a number", _number),
        "word": SlotType("a word", _word),
        "text": SlotType("text", _text),
    }
    types |= {name: _vocabulary(name, listed) for name, listed in words.items()}
    many = {
        f"{name}...": SlotType(
            f"one or more of {one.title}",
            _listed(one.read, AND, loose=name in words),
            _joined(one.write),
            one.candidates,
        )
        for name, one in types.items()
        if name not in ("units", "hexes", "path", "text")
    }
    return types | many
