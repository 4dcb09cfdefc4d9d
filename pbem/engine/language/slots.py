"""The types of slots: how units, hexes, paths, numbers and a game's own words are written by people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pbem.engine.errors import Ambiguous, NotAllowed, Unreadable
from pbem.engine.language.model import RosterUnit, Words
from pbem.engine.language.names import (
    ARMS,
    GENERIC,
    LONGEST_NAME,
    RANKS,
    Formation,
    Meant,
    folded,
    name_words,
    plain_id,
    plain_number,
)
from pbem.engine.language.people import NUMBERS
from pbem.engine.language.usage import ARROWS, WORD, Found, Miss, Scan, Slot, SlotType, spellings

AND = frozenset({",", "&", "and", "+", "plus", "et", "und"})
BETWEEN_HEXES = ARROWS | {"to", ",", "and", "&"}
AT = frozenset({"at", "in", "on", "from", "of"})
FIGHTING = frozenset({"division", "brigade", "regiment", "battalion"})
"""Words in the names of units that are not headquarters."""
EXCEPT = frozenset({"but", "except", "save", "excluding", "minus", "without"})
EVERYBODY = frozenset({"all", "everybody", "everyone", "everything"})


def _hex(scan: Scan, at: int, slot: Slot) -> Found:
    """A hex by its number or by the name of its place, or by both: ``1209``, ``Saint-Lo``, ``Saint-Lo
    (1209)``, ``1209 Saint-Lo``."""
    if at >= scan.length:
        scan.miss(at, Miss(slot))
        return
    if found := scan.names.hex(scan.pieces[at].text):
        end = at + 1
        bracket = scan.keys[end] == "("
        if named := scan.names.place(_capitalised(scan, end + bracket)):
            stop = end + bracket + named[1]
            if found in named[0] and (not bracket or scan.keys[stop] == ")"):
                end = stop + bracket
        yield end, found
    elif named := scan.names.place(_capitalised(scan, at)):
        yield from _named_hex(scan, at, named[0], at + named[1], slot)
    else:
        scan.miss(at, Miss(slot))


def _target(scan: Scan, at: int, slot: Slot) -> Found:
    """A hex, or an enemy unit that is seen in one: ``FJR6 in Carentan``, ``77ID``."""
    found = next(_hex(scan, at, slot), None)
    if found is not None:
        yield found
        return
    meant = _enemies(scan, at) if at < scan.length else None
    place = scan.names.place(_capitalised(scan, at)) if meant is not None else None
    if meant is None or (place is not None and place[1] >= meant.length):
        return  # ``Omaha`` is a beach of two hexes before it is what is left of its defenders
    units = [scan.names.roster.units[unit] for unit in meant.units]
    end = at + meant.length
    while name_words(scan.keys[end]) and name_words(scan.keys[end]) <= RANKS | ARMS | {"division", "corps"}:
        end += 1
    where = _at_hex(scan, end, slot)
    hexes = {unit.hex for unit in units if unit.hex}
    if where is None and len(hexes) == 1:
        yield end, str(hexes.pop())
    elif where is not None and any(unit.hex in (None, where[1]) for unit in units):
        yield where


def _enemies(scan: Scan, at: int) -> Meant | None:
    """The units of the enemy that some words may mean, whatever they may mean of one's own."""
    article = scan.keys[at] == "the"
    names = scan.names
    meant = names.meant(scan.words(at + article), scan.reserved)
    if meant is None:
        return None
    theirs = [unit for unit in meant.units if names.roster.units[unit].enemy]
    return Meant(theirs, meant.length + article) if theirs else None


def _capitalised(scan: Scan, at: int) -> list[str]:
    """The words from `at` on as they are written: a road is called by a capital letter."""
    return [
        piece.text if len(piece.text) > 1 or piece.text.isupper() else ""
        for piece in scan.pieces[at : at + LONGEST_NAME]
    ]


def _named_hex(scan: Scan, at: int, hexes: Sequence[str], end: int, slot: Slot) -> Found:
    """The hex of a place that has these; its number may follow in brackets or bare."""
    bracket = scan.keys[end] == "("
    number = scan.names.hex(scan.pieces[end + bracket].text) if end + bracket < scan.length else None
    if number in hexes and (not bracket or scan.keys[end + 2] == ")"):
        yield end + 1 + 2 * bracket, number
    elif len(hexes) == 1:
        yield end, hexes[0]
    else:
        column, length = scan.span(at, end)
        text = f'"{scan.line[column : column + length]}": {" or ".join(hexes)}?'
        scan.miss(at, Miss(slot, Ambiguous(text, legal=hexes, column=column, length=length), either=hexes))


def _number(scan: Scan, at: int, slot: Slot) -> Found:
    at = at + 1 if scan.keys[at] == "," else at
    if not re.fullmatch(r"-?\d{1,9}", scan.keys[at]):
        scan.miss(at, Miss(slot))
        return
    number = int(scan.keys[at])
    if slot.bounds is None or number in slot.bounds:
        yield at + 1, number
        return
    column, length = scan.span(at, at + 1)
    error = NotAllowed(f"must be {slot.bounds}, not {number}", column=column, length=length)
    scan.miss(at, Miss(slot, error))


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
    """A unit by one of its names (names.py)."""
    names, words = scan.names, scan.words(at)
    meant = names.meant(words, scan.reserved) if at < scan.length else None
    if meant is not None and len(meant.units) > 1 and (where := _at_hex(scan, at + meant.length, slot)):
        there = [unit for unit in meant.units if names.roster.units[unit].hex == where[1]]
        meant = Meant(there or meant.units, meant.length)
    formation = names.group(words) if at < scan.length else None
    if meant is None and (part := _of_division_behind(scan, at)):
        yield part
        return
    several = meant is not None and len(meant.units) > 1
    if meant is not None and several and (narrower := _of_formation(scan, at, meant)):
        yield narrower
    elif several and (shared := _of_kind_behind(scan, at)):
        yield at + 1, shared
    elif meant is not None and len(meant.units) == 1:
        if slot.field == "hq" and name_words(names.roster.units[meant.units[0]].name) & FIGHTING:
            column, length = scan.span(at, at + meant.length)
            error = NotAllowed(f"{meant.units[0]} is not a headquarters", column=column, length=length)
            scan.miss(at, Miss(slot, error))
        elif members := _part_or_whole(scan, at, meant):
            _which_formation(scan, at, at + meant.length, [meant.units, members], slot)
        elif division := _rather_a_division(scan, at, meant):
            _several(scan, at, at + meant.length, [meant.units[0], *division], slot)
        else:
            yield _ranked(scan, at + meant.length, meant.units[0]), meant.units[0]
    elif formation is not None:
        _no_unit(scan, at, formation, slot)
    elif meant is None:
        scan.miss(at, Miss(slot))
    else:
        _several(scan, at, at + meant.length, meant.units, slot)


def _ranked(scan: Scan, at: int, unit: str) -> int:
    """Where the words of rank and arm behind a clear name end, as far as they do not contradict it: ``69 Inf
    Bde``, ``743 Tank Bn``. A number is never one of them."""
    full = name_words(scan.names.roster.units[unit].name)
    end = at
    while end < scan.length and scan.keys[end].strip(".").isalpha() and scan.keys[end] not in scan.reserved:
        words = name_words(scan.keys[end])
        if not words or not words <= RANKS | ARMS | {"corps"}:
            break
        if words - RANKS - full and (words | full) & ARMS:
            break
        end += 1
    start = end + 1 + (scan.keys[end + 1] == "the")
    if scan.keys[end] in ("of", "from") and start < scan.length:
        found = scan.names.formation(scan.words(start), scan.reserved, sure=True)
        if found and any(unit in each.units for each in found[0]):
            return start + found[1]
    return end


def _rather_a_division(scan: Scan, at: int, meant: Meant) -> Units:
    """The units of a formation, here or not, that goes by the same words as a unit which is none of them:
    ``7th Armoured`` is the division before it is the 4th/7th Dragoon Guards."""
    words = scan.words(at)
    if meant.length < 2 or (found := scan.names.formation(words, scan.reserved)) is None:
        return ()
    unit = meant.units[0]
    by_id = plain_id(unit) == plain_id("".join(words[: meant.length]))
    if found[1] < meant.length or scan.names.roster.units[unit].enemy or by_id:
        return ()
    said = name_words(" ".join(words[: meant.length]))
    if said <= name_words(scan.names.roster.units[unit].name) and not said & ARMS:
        return ()  # ``4th Division`` is the division of that name before the brigades of an armoured one
    others = [each for each in found[0] if unit not in each.units]
    return tuple(one for each in others for one in each.units if not scan.names.roster.units[one].enemy)


def _of_kind_behind(scan: Scan, at: int) -> str:
    """``53 and 59 Br Inf``, ``the 8th and 9th Brigades``: the unit of a number whose kind stands behind the
    last of several numbers; "" if it is not one."""
    names, end = scan.names, at
    if not _is_number(scan.keys[at]):
        return ""
    last = at
    while end < scan.length and (_is_number(scan.keys[end]) or scan.keys[end] in AND | {"the"}):
        last = end if _is_number(scan.keys[end]) else last
        end += 1
    if last == at or end != last + 1:
        return ""
    words = scan.words(end)
    free = next((n for n, word in enumerate(words) if not name_words(word) <= GENERIC), len(words))
    for length in range(min(free, 3), 0, -1):
        meant = names.meant([scan.pieces[at].text, *words[:length]], scan.reserved)
        if meant is not None and meant.length == length + 1 and len(meant.units) == 1:
            return meant.units[0]
    return ""


def _of_division_behind(scan: Scan, at: int) -> tuple[int, str] | None:
    """``A, B/2AD``, ``A and B of 2AD``: the unit that a letter means by the division behind the last of
    several."""
    end, letters = at, 0
    while re.fullmatch("[a-z]", scan.keys[end]) or (letters and scan.keys[end] in AND):
        letters += scan.keys[end] not in AND
        end += 1
    of = scan.keys[end] == "of"
    last, stroke, division = scan.keys[end].partition("/")
    whole = bool(letters and stroke and len(last) == 1) or (of and at < end)
    if not whole:
        return None
    unit = f"{scan.keys[at]}/{scan.keys[end + 1] if of else division}"
    ids = [id for id in scan.names.roster.units if id.lower() == unit]
    if len(ids) != 1:
        return None
    return (end + 2 if of and end == at + 1 else at + 1), ids[0]


def _is_number(word: str) -> bool:
    return word.isdecimal() or (word[:1].isdecimal() and plain_number(word).isdecimal())


def _of_formation(scan: Scan, at: int, meant: Meant) -> tuple[int, str] | None:
    """``8th Bde (3rd British Div)``: of several units the one of the formation that is named behind in
    brackets or behind `of`; ``12 SS Pz Rgt``, ``2SS AA``: the one of the formation that is named in front."""
    names = scan.names
    start = at + meant.length
    while scan.keys[start] not in scan.reserved and name_words(scan.keys[start]) & (RANKS | ARMS):
        start += 1
    bracket = scan.keys[start] == "("
    if bracket or scan.keys[start] in ("of", "from"):
        behind = start + 1
        found = names.formation(scan.words(behind), scan.reserved, sure=True)
        end = behind + (found[1] if found else 0)
        if found and (not bracket or scan.keys[end] == ")"):
            units = [unit for unit in meant.units if any(unit in each.units for each in found[0])]
            if len(units) == 1:
                return end + bracket, units[0]
    if (front := names.formation(scan.words(at), scan.reserved)) is None:
        return None
    members = names.narrowed(id for each in front[0] for id in names.members(each))
    start = at + front[1]
    words = scan.words(start)
    free = next((n for n, word in enumerate(words) if word.lower() in scan.reserved), len(words))
    for length in range(free, 0, -1):
        wanted = name_words(" ".join(words[:length]))
        if wanted & {"division", "corps"} or not wanted - RANKS:
            continue
        called = [unit for unit in members.within if wanted <= name_words(names.roster.units[unit].name)]
        called = called or [unit for unit in members.within if _cut(unit) == folded(words[0]) and length == 1]
        if len(called) == 1:
            return start + length, called[0]
    return None


def _cut(unit: str) -> str:
    """The letters of a unit's own part of its id: ``AA`` of 2AA/2SS."""
    return "".join(letter for letter in folded(unit.split("/")[0]) if letter.isalpha())


def _no_unit(
    scan: Scan, at: int, formation: tuple[tuple[str, ...], int], slot: Slot, ready: tuple[str, ...] = ()
) -> None:
    """Refuse the name of a formation where a unit is expected: pbem never guesses which unit was meant."""
    meant, words = formation
    column, length = scan.span(at, at + words)
    text = f'"{scan.line[column : column + length]}" is not a unit: {", or ".join(meant)}? Name the units.'
    error = Ambiguous(text, legal=meant, column=column, length=length)
    scan.miss(at, Miss(slot, error, either=[each for each in ready if each]))


def _several(scan: Scan, at: int, end: int, found: list[str], slot: Slot) -> None:
    column, length = scan.span(at, end)
    listed = " or ".join(found[:6]) + (" or another" if len(found) > 6 else "")
    words = scan.line[column : column + length]
    error = Ambiguous(f'"{words}": {listed}?', legal=found[:6], column=column, length=length)
    scan.miss(at, Miss(slot, error, either=found))


Units = tuple[str, ...]


class Expanded(tuple[str, ...]):
    """Units for which their formations stand in a line. `sets` are the units of each."""

    sets: tuple[Units, ...] = ()


def expanded(units: Sequence[str], sets: Sequence[Units]) -> Units:
    if not sets:
        return tuple(units)
    found = Expanded(units)
    found.sets = tuple(sets)
    return found


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a list of units may end. `sure` is false for a reading that only serves when nothing else
    fits."""

    at: int
    units: Units
    sure: bool = True
    sets: tuple[Units, ...] = ()


def _units(scan: Scan, at: int, slot: Slot) -> Found:
    """A list of units in any of its forms, the longest list first."""
    stops: list[_Stop] = []
    units: Units = ()
    sure = True
    sets: tuple[Units, ...] = ()
    called: dict[str, str] = {}
    while item := _some_units(scan, at, slot):
        if _is_named_twice(scan, at, item[0], called, slot):
            return
        stops += [_Stop(stop.at, units + stop.units, sure and stop.sure, sets + stop.sets) for stop in item]
        last = item[-1] if item[0].sure and not item[-1].sure and item[-1].at > item[0].at else item[0]
        sure = sure and last.sure
        units, at, sets = units + last.units, last.at, sets + last.sets
        start = at
        while scan.keys[at] in AND:
            at += 1
        if (at == start and not _next_unit(scan, at)) or _are_odds(scan, at):
            break
    for wanted in (True, False):
        for stop in reversed(stops):
            if stop.sure is wanted:
                yield stop.at, expanded(tuple(dict.fromkeys(stop.units)), stop.sets)


def _is_named_twice(scan: Scan, at: int, item: _Stop, called: dict[str, str], slot: Slot) -> bool:
    """Whether a list names a unit again in other words: one of the two is a slip. `called` are the words for
    each so far."""
    if len(item.units) != 1:
        return False
    unit, words = item.units[0], " ".join(piece.text for piece in scan.pieces[at : item.at])
    if called.setdefault(unit, words).lower() == words.lower() or "+" in unit:
        return False
    column, length = scan.span(at, item.at)
    error = NotAllowed(f'"{called[unit]}" and "{words}" are both {unit}', column=column, length=length)
    scan.miss(item.at, Miss(slot, error))
    return True


def _are_odds(scan: Scan, at: int) -> bool:
    """Whether odds stand behind a list: ``with Pz/2SS, 2:1``."""
    one, mark, other = (*scan.keys[at : at + 3], "", "", "")[:3]
    return mark == ":" and all(word.isdecimal() and len(word) < 3 for word in (one, other))


def _next_unit(scan: Scan, at: int) -> bool:
    """Whether a list goes on without a comma: with an id, or with a name that has a number in it."""
    if at >= scan.length or folded(scan.keys[at]) in scan.names.units:
        return at < scan.length
    word = scan.keys[at]
    if word.isdecimal() and at + 1 < scan.length and scan.keys[at + 1] not in scan.reserved:
        behind = name_words(scan.keys[at + 1])
        if behind and behind <= ARMS | RANKS | {"division", "ss"}:
            meant = scan.names.meant(scan.words(at), scan.reserved)
            return meant is not None and meant.length > 1 and len(meant.units) == 1
    numbered = any(map(str.isdecimal, word)) and not word.isdecimal()
    named = numbered and scan.names.hex(scan.pieces[at].text) is None
    return named and word not in scan.names.kinds and scan.names.meant([word], scan.reserved) is not None


def _some_units(scan: Scan, at: int, slot: Slot) -> list[_Stop]:
    """One item of a list of units: the ways to read it, the plainest first; none if it is not one."""
    keys = scan.keys
    if formation := _formation_units(scan, at, slot):
        return formation
    if keys[at] in EVERYBODY:
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


def _which_formation(scan: Scan, at: int, end: int, sets: Sequence[Sequence[str]], slot: Slot) -> None:
    """Ask which of several formations of one name is meant, or which of its units, with the units of each."""
    listed = [", ".join(members) for members in sets if members]
    if len(listed) > 1:
        column, length = scan.span(at, end)
        text = f'"{scan.line[column : column + length]}": {" or ".join(f"({each})" for each in listed)}?'
        error = Ambiguous(text, legal=listed, column=column, length=length)
        scan.miss(at, Miss(slot, error, either=listed))


_WHOLE = frozenset({"whole", "all", "both", "entire", "everything", "everybody", "everyone"})
_PARTS = frozenset(
    "units battalions regiments brigades kgs commands combat tanks panzers groups forces".split()
)


def _formation_units(scan: Scan, at: int, slot: Slot) -> list[_Stop]:
    """The units of a formation that are here, where its name stands in their place: ``85th Infanterie``,
    ``the whole 50th Div``, ``all three regiments of the 12SS``."""
    names, start = scan.names, at + (scan.keys[at] == "the")
    counted, whole = 0, False
    if scan.keys[start] in _WHOLE:
        whole, counted = True, 2 if scan.keys[start] == "both" else 0
        start += 1
        start += scan.keys[start] in ("of", "the")
        number = NUMBERS.get(scan.keys[start], scan.keys[start])
        if number.isdecimal() and len(number) == 1 and scan.keys[start + 1] in _PARTS:
            counted, start = int(number), start + 1
        named = start
        while scan.keys[start] in _PARTS:
            start += 1
        parts = start > named
        if parts and names.within and scan.keys[start] not in ("of", "in", "from", "at"):
            members = tuple(unit.id for unit in names.own if unit.id in names.within)
            return [_Stop(start, members, sets=(members,))] if counted in (0, len(members)) else []
        start += scan.keys[start] in ("of", "from")
        start += scan.keys[start] == "the"
    found = names.formation(scan.words(start), scan.reserved) if start < scan.length else None
    if found is None:
        return []
    formations, length = found
    if len(formations) > 1:
        _which_formation(scan, start, start + length, [names.members(each) for each in formations], slot)
        return []
    group = names.group(scan.words(start))
    if group and group[1] == length and len(group[0]) > 1 and not whole and not names.within:
        ready = ", ".join(names.members(formations[0]))
        _no_unit(scan, start, group, slot, (ready,))  # 1SS is a corps and a division
        return []
    meant = names.meant(scan.words(start), scan.reserved)
    if meant is not None and not whole:
        here = names.roster.units[meant.units[0]]
        single = len(meant.units) == 1 and not (here.enemy and formations[0].side == names.roster.seat)
        text = " ".join(scan.words(start)[:length])
        whole = name_words(text) == name_words(formations[0].key) and len(formations[0].units) > 1
        members = names.members(formations[0])
        same = single and meant.length == length
        if same and _is_its_own_name(formations[0], text, meant.units[0], members):
            if not whole and "division" not in name_words(text):
                return []  # asked by `_unit`
        elif single and meant.length >= length and not (whole and meant.length == length):
            return []
        text = folded("".join(scan.keys[start : start + length]))
        others = [each for each in meant.units if each not in formations[0].units]
        if any(folded(each.split("/")[0]) == text for each in others):
            return []
        if meant.length > length or (len(meant.units) > 1 and _of_formation(scan, start, meant)):
            return []
    members = names.members(formations[0])
    if whole and not counted:
        stop = _Stop(start + length, members, sets=(members,))
        if members and (excepted := _excepted(scan, stop, slot)):
            return [*excepted, stop]
    own = [unit for unit in formations[0].units if not names.roster.units[unit].enemy] if members else []
    if not members or not own or (counted and counted != len(members)):
        return []
    end = start + length
    if scan.keys[end].strip(".") in ("division", "div", "corps", "brigade", "id"):
        return []
    return [_Stop(end, members, sets=(members,))]


def _part_or_whole(scan: Scan, at: int, meant: Meant) -> Units:
    """The units of a formation whose name is also that of the one unit read from it; none if the words can
    only mean that unit."""
    found = scan.names.formation(scan.words(at), scan.reserved)
    if found is None or found[1] != meant.length or scan.names.within:
        return ()
    members, text = scan.names.members(found[0][0]), " ".join(scan.words(at)[: meant.length])
    return members if _is_its_own_name(found[0][0], text, meant.units[0], members) else ()


def _is_its_own_name(formation: Formation, text: str, unit: str, members: Units) -> bool:
    """Whether words for one of the units of a formation are its own name as well: ``Panzer Lehr``, ``12 SS
    Panzer Division``, and not ``Lehr's panzers``."""
    said = name_words(text)
    own = unit in members and len(members) > 1 and said - {"division"} <= formation.words
    plural = any(word in _PARTS for word in text.lower().split())
    return own and not said & RANKS and not plural and folded(unit.partition("/")[0]) != folded(text)


def _range(order: list[str], first: str, last: str) -> Units:
    if first not in order or last not in order:
        return (first, last)
    low, high = sorted((order.index(first), order.index(last)))
    return tuple(order[low : high + 1])


def _at_hex(scan: Scan, at: int, slot: Slot) -> tuple[int, str] | None:
    """``at 3024``, ``in Caen``, ``(3024)``: where the words end, and the hex."""
    if scan.keys[at] == "(":
        found = next(_hex(scan, at + 1 + (scan.keys[at + 1] in AT), slot), None)
        return (found[0] + 1, found[1]) if found and scan.keys[found[0]] == ")" else None
    return next(_hex(scan, at + 1, slot), None) if scan.keys[at] in AT and at + 1 < scan.length else None


def _standing_at(scan: Scan, at: int, units: Units, slot: Slot) -> list[_Stop]:
    """``8/4 at 3024``: the hex is checked and changes nothing."""
    found = _at_hex(scan, at, slot)
    if found is None:
        return []
    end, hex = found
    away = [
        name for name in units if hex not in (scan.names.roster.units[name].hex, scan.names.going.get(name))
    ]
    if not away:
        return [_Stop(end, units, sure=False)]
    where = scan.names.roster.units[away[0]].hex
    column, length = scan.span(at, end)
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
    """``all at 1104``, ``everything in 1104 but 28Inf``, ``all but the Rangers``."""
    found = _everyone(scan, at, slot)
    return [each for stop in found for each in (*_excepted(scan, stop, slot), stop)]


def _excepted(scan: Scan, stop: _Stop, slot: Slot) -> list[_Stop]:
    """All but those named behind."""
    start = stop.at + (scan.keys[stop.at] == ",")
    if scan.keys[start] not in EXCEPT:
        return []
    start += 1 + (scan.keys[start + 1] == "for")
    start += scan.keys[start] == "the"
    found: list[_Stop] = []
    for end, named in _units(scan, start, slot):
        left = tuple(unit for unit in stop.units if unit not in named)
        if left and set(named) <= set(stop.units):
            found.append(_Stop(end, left, sets=(left,)))
    return found


def _everyone(scan: Scan, at: int, slot: Slot) -> list[_Stop]:
    kind = scan.keys[at + 1]
    own = scan.names.kinds.get(kind, scan.names.own)
    if commanded := scan.names.commanded:
        own = [unit for unit in own if unit.id in commanded]
    end = at + 2 if kind in scan.names.kinds else at + 1
    mine = [
        unit for unit in own if unit.id in scan.names.commanded
    ] or own  # of the formation whose turn it is
    every = tuple(unit.id for unit in mine if unit.here)
    everywhere = _Stop(end, every, sure=True, sets=(every,))  # of an attack those who can take part
    found = _at_hex(scan, end, slot)
    if found is None:
        return [everywhere] if everywhere.units else []
    stop, hex = found
    here = tuple(next(filter(None, _units_at(scan, own, hex)), ()))
    if not here:
        column, length = scan.span(at, stop)
        error = NotAllowed(f"you have no units at {hex}", column=column, length=length)
        scan.miss(stop, Miss(slot, error))
        return []
    return [_Stop(stop, here), _Stop(end, everywhere.units, sure=False)]


def _units_at(scan: Scan, own: Sequence[RosterUnit], hex: str) -> tuple[list[str], list[str]]:
    """Return the units that will be in a hex after the lines so far, and those that are there now."""
    going = scan.names.going
    return (
        [unit.id for unit in own if going.get(unit.id, unit.hex) == hex],
        [unit.id for unit in own if unit.hex == hex],
    )


def _counted_units(scan: Scan, at: int, kind_at: int, count: int, slot: Slot) -> list[_Stop]:
    """Read ``3x 2-4 at 3024``: this many units of a kind in the hex, in roster order."""
    kind = scan.pieces[kind_at].text
    own = scan.names.kinds[scan.keys[kind_at]]
    found = _at_hex(scan, kind_at + 1, slot)
    end, hex = found or (kind_at + 1, None)
    there = [unit.id for unit in own]
    if hex is not None:
        lists = _units_at(scan, own, hex)
        coming = [unit.id for unit in own if unit.hex is None and unit.here]
        if coming and not any(lists):  # ``enter 2x 4-1 at 0801``: the hex is where they go
            end, hex, there = kind_at + 1, None, coming
        else:
            there = next((ids for ids in lists if len(ids) >= count), max(lists, key=len))
    where = f"at {hex}" if hex else "yours"
    column, length = scan.span(at, end)
    if len(there) < count:
        listed = ", ".join(there)
        number = f"only {len(there)} unit{'s' * (len(there) != 1)}" if there else "no units"
        verb = "is" if len(there) == 1 else "are"
        text = f"{number} of type {kind} {verb} {where}" + (f" ({listed})" if there else "")
        instead = (listed + (f" at {hex}" if hex else "")) if there else ""
        scan.miss(end, Miss(slot, NotAllowed(text, legal=there, column=column, length=length), instead))
        return []
    if hex is None and len(there) > count:
        text = (
            f"you have {len(there)} units of type {kind}: name them, or give their hex: "
            f"{count}x {kind} at <hex>"
        )
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
    text = f"you have no units of type {scan.pieces[kind_at].text}"
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


_ways = _listed(_hex, BETWEEN_HEXES, loose=True)


def _path(scan: Scan, at: int, slot: Slot) -> Found:
    """The hexes of a way. ``respectively`` behind them is left to the question whether each is for one
    unit."""
    for end, hexes in _ways(scan, at, slot):
        after = end + (scan.keys[end] == ",")
        yield (after + 1 if scan.keys[after] in ("respectively", "resp", "resp.") else end), hexes


_ODDS = re.compile(r"(\d+)[-:](\d+)")


def _vocabulary(
    name: str,
    words: tuple[str, ...],
    formations: Mapping[str, str],
    aliases: Mapping[str, tuple[str, ...]],
) -> SlotType:
    """Words of a game; where they are formations, these go by their full names too, and odds are written 2-1
    and 2:1."""
    written = spellings(words)
    written |= {
        f"{odds[1]}{mark}{odds[2]}": word
        for word in words
        if (odds := _ODDS.fullmatch(word))
        for mark in "-:"
    }
    known = {" ".join(WORD.findall(text)): word for text, word in written.items()}
    also = {" ".join(WORD.findall(text.lower())): meant for text, meant in aliases.items()}
    longest = max((len(text.split()) for text in (*known, *also)), default=1)
    called = {word: name_words(formations[word]) for word in words if word in formations}

    def read(scan: Scan, at: int, slot: Slot) -> Found:
        for count in range(longest, 0, -1):
            written = " ".join(scan.keys[at : at + count])
            meant = also.get(written, ())
            if len(meant) > 1:
                _several(scan, at, at + count, list(meant), slot)
                return
            if (word := meant[0] if meant else known.get(written)) is not None:
                yield at + count, word
        for count in range(len(scan.words(at)) if called else 0, 0, -1):
            wanted = name_words(" ".join(scan.words(at)[:count]))
            if wanted and len(fits := [word for word, full in called.items() if wanted <= full]) == 1:
                yield at + count, fits[0]
        scan.miss(at, Miss(slot))

    title = f"{name} ({', '.join(words)})" if len(words) <= 8 else name
    likely = (*words, *(text.split()[0] for text in aliases if text[:1].isalpha()))
    return SlotType(title, read, candidates=lambda scan: likely)


def _unit_names(scan: Scan) -> list[str]:
    """The units that a misspelt name may mean: those that can act, one's own first."""
    units = (unit for unit in scan.names.roster.units.values() if unit.here)
    return [unit.id for unit in sorted(units, key=lambda unit: (unit.enemy, unit.hex is None))]


def _hex_names(scan: Scan) -> list[str]:
    return sorted(scan.names.roster.hexes)


def _joined(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda values: ", ".join(map(write, values))


def slot_types(
    words: Words,
    formations: Mapping[str, str] | None = None,
    aliases: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
) -> dict[str, SlotType]:
    """Every type a usage line may name, given the vocabularies of a game and the full names of its
    formations."""
    types = {
        "unit": SlotType("a unit", _unit, candidates=_unit_names),
        "units": SlotType("units", _units, ", ".join, candidates=_unit_names),
        "hex": SlotType("a hex", _target, candidates=_hex_names),
        "hexes": SlotType("hexes", _listed(_target, AND, loose=True), ", ".join, candidates=_hex_names),
        "path": SlotType("the hexes of a path", _path, " ".join, candidates=_hex_names),
        "number": SlotType("a number", _number),
        "word": SlotType("a word", _word),
        "text": SlotType("text", _text),
    }
    types |= {
        name: _vocabulary(name, listed, formations or {}, (aliases or {}).get(name, {}))
        for name, listed in words.items()
    }
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
