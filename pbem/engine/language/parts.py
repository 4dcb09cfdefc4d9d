"""What the words of an order may mean besides the order read from them: they part what it joins, leave out
what it takes in, or bind less than it does. Its writer is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.engine.language.model import ATTACK, GOES, Line, Order
from pbem.engine.language.people import NUMBERS
from pbem.engine.language.slots import Expanded

CONDITION_FIRST = re.compile(
    r"^\s*(?:try\s+)?(?:if|unless|when|falls|wenn)\b.*?[,:]\s*(?:then\b)?", re.IGNORECASE
)
"""A condition in front of an order."""
ONE_BY_ONE = re.compile(r"\b(?:then|after(?:wards| that)?|next|followed by|before)\b", re.IGNORECASE)
"""What parts two attacks, or two units of which one goes first."""
FOLLOWS = re.compile(r"\bfollow(?:s|ing)?\b(?!\s+by\b)", re.IGNORECASE)
"""What stands between a unit and the one that goes before it."""
ALL_BUT = re.compile(
    r"\b(?:all|every(?:one|body|thing))\s+(?P<but>(?:but|except(?: for)?|without|save)\b[^,;]*?)\s+"
    r"(?:at|in|from)\s+(?P<at>\d{4})\b",
    re.IGNORECASE,
)
"""All units but some, with a hex where they stand."""
RANGE = re.compile(r"\s*(?:to|through|thru|until|till|bis|\.\.+)\s*", re.IGNORECASE)
"""What stands between the first and the last of several."""
MINUS = re.compile(r"(?<=\S)\s[-–−](\w[\w/]*)")
"""Names with a minus in front: ``all at 1407 -1Inf``."""
SENT = re.compile(r"\b(?:to|into|towards?)\s+(?:hex\s+)?\d{4}\b", re.IGNORECASE)
"""Where something is sent that may go there: ``12C to 1433``."""
BETTER_THAN = re.compile(r"(?<![=\w])>\s*\d+\s*[:-]\s*\d")
"""Odds that are not enough by themselves: ``at >1:1``."""
ODDS_OR_NAME = re.compile(r"(?<![\w/-])(?P<one>\d{1,2})-(?P<other>\d)(?![\w/-])")
"""Odds as Americans write them, or the number of a unit and that of its division: ``1US, 3-1``."""
ADVANCES = re.compile(
    r"[,;.]\s*(?P<who>[^,;.]*?)\s+(?P<no>(?:does|do|will|shall|should)(?:n['’]t| not)|no|not|never)?\s*"
    r"(?:to )?(?:advances?|follows? up)\b",
    re.IGNORECASE,
)
"""Who advances after an attack, or does not."""
LOSS_EACH = re.compile(r"\b(?:loss(?:es)?|steps?)\b[^,;]*\b(?:each|apiece|per unit)\b", re.IGNORECASE)
"""Losses of each unit."""
COUNTED = re.compile(
    r"\b(?<!/)(?P<number>[2-9]|1\d)\s+"
    r"(?:units|divisions|divs|tanks|stacks|regiments|brigades|battalions|of\s+\d{4})\b",
    re.IGNORECASE,
)
"""Some of several: ``5 units from 1407``."""
ALL_OF_THEM = re.compile(
    r"\b(?:all|the)\s+(?P<n>two|three|four|five|[2-5])(?=\s+(?:of\b|regiments|re?gts|regs|brigades|bdes|battalions"
    r"|bns|divisions|divs|units|kgs)|[\s.!]*$|,)",
    re.IGNORECASE,
)
"""A number of units that are all meant: ``59 Div attacks 1433, all three brigades``."""
LISTED = re.compile(
    r"\b\w+/?\w*,\s+\S+\s+(?:to|into|towards?)\s+(?:hex(?:es)?\s+)?\d{4},\s+\d{4}\s*\W*$", re.IGNORECASE
)
"""Two units and two hexes, both listed in the same way: ``8/3, 9/3 to 1422, 1423``."""
SORTIES = re.compile(
    r"(?<!\d\s)(?<!\bone\s)(?<!\btwo\s)(?<!\bthree\s)\b(?:air\s?strikes|bombers|fighters|typhoons"
    r"|thunderbolts|jabos|planes)\b(?!\s+(?:\d|one\b|x\s?\d|twice\b))",
    re.IGNORECASE,
)
"""Several aircraft, without a number."""
IN_BRACKETS = re.compile(r"\b(?:to|into|at)\s+(?P<one>\d{4}|[A-Z][\w'-]+)\s*\(\s*(?!(?P=one))\d{4}\s*\)\W*$")
"""A hex or a place, and a hex in brackets, which is another one if they make a way of two."""
EITHER = re.compile(r"\b\d{4}\s*/\s*\d{4}\b")
"""One hex or the other."""
THEIR_OWN = re.compile(
    r",\s*(?:its|their|the)\s+(?:division|regiment|brigade|corps|battalion|others?|rest)\b", re.IGNORECASE
)
"""Others behind a hex, which may be sent to the next one."""
STACKS = re.compile(
    r"\b(?:all|every(?:one|body|thing))\s+(?:at|in|from)\s+(?P<one>\d{4})\s*(?:,|and|&|\+)+\s*"
    r"(?:(?:at|in)\s+)?(?P<other>\d{4})(?=\s)",
    re.IGNORECASE,
)
"""All units of two hexes."""


COMMENTS = re.compile(r";|#|//")
"""What parts an order and its comment."""
BESIDE = re.compile(
    r"\b(?:stack(?:s|ed|ing)?|together)(?: up)? with\b|\b(?:joins?|joining|beside|alongside)\b", re.IGNORECASE
)
"""What stands between units that go somewhere and those who are there."""
BOTH = re.compile(r"^(?:(?!//|--)[^;#(])*?\bboth\b", re.IGNORECASE)
"""A word for two units, in front of any comment."""


class Doubt(NamedTuple):
    """What to ask of a line, and what may be meant: orders, several for lines below each other, or words."""

    why: str
    offers: Sequence[Sequence[Order] | str] = ()


def doubt(line: Line, has_verb: bool, known: Mapping[str, str | None]) -> Doubt | None:
    """What to ask of a line whose words do not say all that its order does; None if they do. `has_verb`:
    whether they say what is to be done; `known` says where units are."""
    order, words = line.order, CONDITION_FIRST.sub("", line.text)
    units, path = order.actors(), getattr(order, "path", ())
    if order.sort == ATTACK and SENT.search(words) and not has_verb:
        return Doubt("a move, or fire?", [[order]])
    if getattr(order, "odds", "") and BETTER_THAN.search(words):
        return Doubt("these odds too, or only better ones?", [[order]])
    if getattr(order, "odds", None) == "" and (asked := _odds_or_name(order, words)):
        return asked
    if len(path) > 1 and THEIR_OWN.search(words):
        return Doubt("a way of two hexes, or a hex for others too?", [[order]])
    if order.sort == GOES and BESIDE.search(words):
        there = [unit for unit in units if known.get(unit) == order.place()]
        left = tuple(unit for unit in units if unit not in there)
        if there and left:
            why = f"{', '.join(there)}: there already; with or without?"
            return Doubt(why, [[_with(order, units=left)], [order]])
    of_all = getattr(order, "units", ())
    if isinstance(of_all, Expanded) and (named := _some_of(of_all, words)):
        why = f"{', '.join(named)} alone, or all of {', '.join(units)}?"
        return Doubt(why, [[_with(order, units=named)], [order]])
    if len(units) == 1 and BOTH.search(words):
        return Doubt("both? name each unit that is meant", [[order]])
    found = ALL_BUT.search(words)
    if found:
        here = f"{words[: found.start()]}all at {found['at']} {found['but']} {words[found.end() :].strip()}"
        return Doubt(f"the units at {found['at']}, or all there are?", [here, [order]])
    counted = COUNTED.search(words)
    if counted and units and len(units) != int(counted["number"]):
        return Doubt(f"which {counted['number']}? name each unit that is meant")
    all_ = ALL_OF_THEM.search(words)
    number = int(NUMBERS.get(all_["n"].lower(), all_["n"])) if all_ else 0
    if 0 < len(units) < number:
        sets = of_all.sets if isinstance(of_all, Expanded) else ()
        whole = [[_with(order, units=tuple(each))] for each in sets if len(each) == number]
        return Doubt(f"all {number}, or those that can?", [*whole[:1], [order]])
    if SORTIES.search(words):
        numbers = [item.name for item in fields(order) if type(getattr(order, item.name)) is int]
        ones = [name for name in numbers if getattr(order, name) == 1]
        if len(ones) == 1:
            return Doubt("how many?", [[order], [_with(order, **{ones[0]: 2})]])
    if len(units) == len(path) == 2 and LISTED.search(words):
        each = [_with(order, units=(unit,), path=(hex,)) for unit, hex in zip(units, path, strict=True)]
        return Doubt("one way for all, or a hex for each?", [each, [order]])
    if len(path) > 1 and (EITHER.search(words) or (len(path) == 2 and IN_BRACKETS.search(words))):
        return Doubt("one after the other, or one of them?", [[order]])
    found = STACKS.search(words)
    if found and found["other"] in path[:-1]:
        both = f"{words[: found.start()]}all at {found['one']}, all at {found['other']}"
        rest = words[found.end() :].strip()
        return Doubt("the units of both hexes, or a way through the second?", [f"{both} {rest}"])
    return (
        _one_by_one(order, words) or _without(order, words) or (_of_each(order, words) if units[1:] else None)
    )


def _some_of(units: Expanded, words: str) -> tuple[str, ...]:
    """Those units of the formation in front of a colon that a line names by themselves behind it: ``21Pz:
    attack 0808 with 22, 192``; none if it names all or none of them."""
    label, colon, behind = COMMENTS.split(words)[0].partition(":")
    among = {unit for members in units.sets for unit in members}
    named = tuple(unit for unit in units if colon and _found(unit, behind))
    spoken = [unit for unit in named if unit in among and not _found(unit, label)]
    return named if spoken and len(named) < len(units) else ()


def _one_by_one(order: Order, words: str) -> Doubt | None:
    """``attack 1617, then 1716``, ``2A followed by 3A to 1508``, ``2A to 4A to 1508``."""
    targets = order.targets()
    if any(ONE_BY_ONE.search(gap) for gap in between(words, targets)):
        apart = [_with(order, hexes=(hex,)) for hex in targets] if hasattr(order, "hexes") else [order]
        return Doubt("one attack, or one after the other?", [apart, [order]])
    units = order.actors()
    gaps = between(words, units)
    if len(units) > 1 and any(FOLLOWS.search(gap) for gap in gaps):
        before = FOLLOWS.split(words)[0]
        last = next((unit for unit in units if between(before, (unit, unit))), units[0])
        return Doubt("do both go there, or the one that follows?", [[_with(order, units=(last,))], [order]])
    if any(ONE_BY_ONE.search(gap) for gap in gaps):
        return Doubt("together, or one after the other?", [[order]])
    if any(RANGE.fullmatch(gap) for gap in gaps):
        return Doubt("from one to the other: name each unit that is meant", [[order]])
    return None


def _without(order: Order, words: str) -> Doubt | None:
    """``all at 1407 -1Inf to 1307``."""
    minus = {name.lower() for name in MINUS.findall(words)}
    out = [unit for unit in order.actors() if minus & {unit.lower(), unit.lower().partition("/")[0]}]
    left = tuple(unit for unit in order.actors() if unit not in out)
    if not out:
        return None
    return Doubt(f"with or without {', '.join(out)}?", [[_with(order, units=left)]] * bool(left) + [[order]])


def _odds_or_name(order: Order, words: str) -> Doubt | None:
    """``attack 0714 with 1US, 3-1``: only odds of some number to 1, or of 1 to some number, are odds."""
    for found in ODDS_OR_NAME.finditer(words):
        one, other = found["one"], found["other"]
        meant = [unit for unit in order.actors() if unit.startswith(f"{one}/{other}")]
        left = tuple(unit for unit in order.actors() if unit not in meant)
        if meant and left and "1" in (one, other):
            odds = _with(order, units=left, odds=f"{one}:{other}")
            return Doubt(f"{one}-{other}: odds, or {meant[0]}?", [[odds], [order]])
    return None


def _of_each(order: Order, words: str) -> Doubt | None:
    """What is said of each of several units, or of some of them: ``..., no more than 1 step loss each``,
    ``attack 1007 with 51BR, 1SSB, 1SSB doesn't advance``."""
    units = order.actors()
    if getattr(order, "losses", None) and LOSS_EACH.search(words):
        return Doubt("losses of all together, or of each?", [[order]])
    found = ADVANCES.search(words)
    named = tuple(unit for unit in units if found and between(found["who"], (unit, unit)))
    all_ = getattr(order, "stay", False) or set(getattr(order, "advance", ())) == set(units)
    if found is None or not named or set(named) == set(units) or not all_:
        return None
    going = tuple(unit for unit in units if (unit in named) != bool(found["no"]))
    return Doubt("who advances?", [[_with(order, stay=False, advance=who)] for who in (going, units)])


def _with(order: Order, **values: Any) -> Order:
    return replace(order, **values)


def _found(name: str, words: str) -> re.Match[str] | None:
    called = "|".join(map(re.escape, dict.fromkeys((name, name.partition("/")[0]))))
    return re.search(rf"(?<![\w/])(?:{called})(?![\w/])", words, re.IGNORECASE)


def between(words: str, named: Sequence[str]) -> list[str]:
    """The words between each two of these names, in the order in which they stand; none if one of them is not
    named as it is, or by what stands before its stroke."""
    found = [_found(name, words) for name in named]
    if not all(found):
        return []
    places = sorted(each.span() for each in found if each is not None)
    return [words[end:start] for (_, end), (start, _) in pairwise(places)]
