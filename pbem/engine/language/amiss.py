"""Lines that cannot be read: whether they were meant as orders, what is wrong with them, and what to send
instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from pbem.engine.errors import Ambiguous, NotAllowed, Unreadable
from pbem.engine.language.bearing import bears, is_harmless
from pbem.engine.language.commands import (
    COMMANDS,
    FIRST_WORDS,
    command,
    disputing,
)
from pbem.engine.language.courtesies import is_closing, is_greeting
from pbem.engine.language.free import free_reader
from pbem.engine.language.limits import CONDITIONS, REFUSALS
from pbem.engine.language.model import (
    ATTACK,
    GOES,
    Fault,
    Line,
    Order,
    Roster,
)
from pbem.engine.language.names import LONGEST_NAME, Names
from pbem.engine.language.never import contradiction, idle_else
from pbem.engine.language.parts import doubt
from pbem.engine.language.people import NUMBERS, VERBS, Verbs
from pbem.engine.language.phrases import STANDING, Phrase
from pbem.engine.language.repair import (
    complaint,
    distance,
    misspelt_place,
    near,
    reworded,
    split_orders,
)
from pbem.engine.language.senses import (
    Senses,
    first_word,
    squeezed,
    unlisted,
)
from pbem.engine.language.slots import EVERYBODY, Expanded, expanded
from pbem.engine.language.turns import AFTER_BATTLE
from pbem.engine.language.usage import ARROWS, Captures, Scan
from pbem.engine.language.whole import says_all

WHEN = re.compile(r"\s*when\s+(?P<section>[^:;]*?)\s*:(?P<orders>.*)", re.IGNORECASE)
REST = re.compile(
    r"\b(?:all\s+)?(?:the\s+)?(?:rest|others)\b(?:\s+of(?:\s+the)?)?(?:\s+(?:at|in|from|on))?"
    r"(?:\s+(?:the\s+)?(?P<hex>[A-Za-z]{0,2}\d{2,4}))?(?:\s+stack)?",
    re.IGNORECASE,
)
_AND = r"\s*(?:,\s*)?(?:\b(?:and|und|et)\b|&|\+)\s*(?:to\s+)?"


def each_one(text: str, path: tuple[str, ...]) -> bool:
    """Whether the hexes of a way are joined as if each were for one unit: ``to 2430 and 2429``."""
    last = rf"(?:{path[-2]}\b{_AND}{path[-1]}\b|[A-Z][\w'-]+{_AND}[A-Z][\w'-]+\W*$)"
    return re.search(rf"\b(?:respectively|resp)\b|{last}", text) is not None


QUESTION = re.compile(r"\s*when\s+(?:do|does|did|is|are|will|can|must|should)\b", re.IGNORECASE)
"""``When does turn 3 start?`` is no condition."""
UNIT_LIKE = re.compile(
    r"\d+x$|(?!https?:)(?=.*\d).+/.+|\d+(?!(?:st|nd|rd|th|am|pm|h)$)[a-z]+[\w/+.-]*$", re.IGNORECASE
)
AT_THE_END = re.compile(
    r"(?P<head>(?!\s*(?:if|unless|try)\b)[^;]*?),?\s+(?P<if>(?:if|unless)\b[^,;]*?)[\s.!]*", re.IGNORECASE
)
"""An order with its condition at the end."""
IF_POSSIBLE = re.compile(
    r"(?P<head>(?!\s*(?:if|unless|try)\b)[^;]*?),?\s+"
    r"(?P<if>(?:if|where|when) (?:possible|(?:it|they) can))[\s.!]*",
    re.IGNORECASE,
)
"""An order that is to be tried, as its end says."""
THEN = re.compile(r"\b(?:then|and on|on to)\b", re.IGNORECASE)
"""What joins the parts of a way."""
TOO = re.compile(r"\b(?:too|also|as well|likewise)\b", re.IGNORECASE)
"""What adds units to those that are named before."""
ORDINALS_OF = (("first", "1st"), ("second", "2nd"), ("third", "3rd"))
"""What the first, second and third of several sections are called."""
ORDINAL = re.compile(
    r"\b(?P<which>first|1st|second|2nd|third|3rd)\s+(?P<what>movement|move|mvt|phase|combat|reaction)\b",
    re.IGNORECASE,
)
"""Words for one of several sections of a like name."""
PARTS = re.compile(r",|\band\b", re.IGNORECASE)
"""What parts the clauses of an order."""
ONLY = re.compile(r"\b(?:but )?only\s*$", re.IGNORECASE)
"""What stands in front of a condition and is part of it."""
FEW_WORDS = 6
"""A line of at most this many words that begins with a condition may be one of an order."""
STOPS = REFUSALS | {"stop", "max", "maximum"}
"""What a line begins with that may stop or limit orders."""
NAMES_A_LINE = re.compile(r"(?<![\w/])L\s?\d{1,4}\b(?!/)", re.IGNORECASE)
"""The name of a kept line: ``L3-L5: withdraw``."""
SEEMS_A_HEX = re.compile(r"\b[A-Za-z]{0,2}\d{4}\b")
NOT_AN_ORDER_AFTER = frozenset(
    "is was are were has had have looks seems did does cannot can't could should would of might never".split()
)


_PAIRED = re.compile(
    r"\b\d{4}\s*(?:,?\s*(?:and|und|et|y|en|respectively)\s+|&\s*|\+\s*)\d{4}\b", re.IGNORECASE
)
"""Two hexes joined as two places are, not as the hexes of a way."""


def made(
    number: int,
    text: str,
    section: str,
    read: Captures,
    code: str,
    names: Names | None = None,
    going: Mapping[str, str] | None = None,
) -> Line:
    """A line of what was read. A way that begins where all its units are begins with the next hex. `going`
    says where the lines above it send units, if not as `names` has it."""
    roster = names.roster if names else None
    said = dict(read)
    path: tuple[str, ...] = getattr(said["order"], "path", ())
    units = said["order"].actors()
    if (
        roster is not None
        and units
        and len(path) > 1
        and {roster.units[unit].hex for unit in units} == {path[0]}
    ):
        said["order"] = replace(said["order"], path=path[1:])
    if names is not None and units:
        said["order"] = _by_those_who_can(said["order"], names.roster, going or names.going)
    named = getattr(said["order"], "units", ())
    clauses = tuple(value for role, value in read if role == "clause")
    return Line(
        number, text, section, said["order"], clauses, said.get("otherwise"), said.get("attempt", False),
        code=code, stands_for=tuple(named) if isinstance(named, Expanded) else (),
    )  # fmt: skip


def _by_those_who_can(order: Order, roster: Roster, going: Mapping[str, str]) -> Order:
    """An order in which a formation stands for its units: of an attack for those adjacent to its target, once
    they have gone where they are going, of a way over the map for those on it, of one that brings units in
    for those to come."""
    units: Any = getattr(order, "units", ())
    if not isinstance(units, Expanded):
        return order
    where = {unit: going.get(unit) or roster.units[unit].hex for unit in units}
    among = {unit for members in units.sets for unit in members}
    targets = order.targets()
    if targets and roster.neighbours:
        close = {hex for target in targets for hex in roster.neighbours(target)}
        able = {unit for unit in among if where[unit] in close}
    elif order.sort == GOES and getattr(order, "path", None) and not order.arrives:
        able = {unit for unit in among if where[unit]}
    elif order.sort == GOES:
        able = {unit for unit in among if not where[unit]}
    else:
        able = among
    named = {unit for unit in units if unit not in among}
    left = [unit for unit in units if unit in named or unit in able]
    if not left or not any(unit in able for unit in left):
        return order
    return replace(order, units=expanded(left, units.sets))  # type: ignore[call-arg]


def one_slip(word: str, words: Iterable[str]) -> bool:
    return word not in WORDS_OF_THEIR_OWN and any(
        distance(word, other, 1) == 1 and len(other) > 3 for other in words
    )


def _verb_of(word: str, phrase: Phrase) -> str:
    """The verb of a section that a word is, in full or by its first letters; "" if it is none."""
    if word in phrase.verbs:
        return word
    begun = [verb for verb in phrase.verbs if len(word) > 2 and verb.startswith(word)]
    return begun[0] if len(begun) == 1 else ""


WORDS_OF_THEIR_OWN = frozenset("more love over live lost none".split())
"""Words that are no slip of a verb."""


class Amiss(Senses):
    """Says what is wrong with a line."""

    def _wrong(self, number: int, text: str, line: Line) -> Fault | None:
        """What is wrong with a line that reads and can never act."""
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        if other := self._says_another(line):
            why = f"this says [{other}], and stands below [{line.section}]"
            close = f"[{other}]\n{self.reader.write_line(line)}"
            return Fault(number, text, Unreadable(why, column=start, length=length), close)
        if absent := self._absent(
            line.order, line.otherwise, *(clause.condition for clause in line.conditions)
        ):
            return Fault(number, text, NotAllowed(absent, column=start, length=length))
        if fault := self._of_several(number, text, line) or self._two_places(number, text, line):
            return fault
        if contradiction(line):
            why = "this can never apply: its conditions contradict each other"
            return Fault(number, text, Unreadable(why, column=start, length=length))
        if asked := self._of_the_last_part(number, text, line):
            return asked
        ends = line.otherwise is not None and line.otherwise.ends and line.order.actors()
        if ends and line.otherwise is not None and f"else {line.otherwise.verb}" not in line.text.lower():
            why = "do these units stay otherwise, or does all of the command?"
            either = (self.reader.write_line(replace(line, otherwise=None)), self.reader.write_line(line))
            error = Ambiguous(why, column=start, length=length)
            return Fault(number, text, error, either=tuple(map(self._sendable, either)))
        if idle_else(line):
            at = max(text.lower().rfind("else"), 0)
            why = 'this "else" can never apply: put "try" or "if" before it'
            return Fault(
                number, text, Unreadable(why, column=at, length=4), self._sendable(f"try {line.text}")
            )
        return None

    def _says_another(self, line: Line) -> str:
        """The section of a like name that the words of a line name, below the first or second of them: ``8/4
        to 5230 (second movement)`` below [movement]; "" if they name none."""
        base, _, number = line.section.partition(" ")
        found = ORDINAL.search(line.text)
        if not base or found is None or not base.startswith(found["what"][:3].lower().replace("mvt", "mov")):
            return ""
        which = 1 + next(at for at, words in enumerate(ORDINALS_OF) if found["which"].lower() in words)
        other = base if which == 1 else f"{base} {which}"
        return other if other in self._titles and other != line.section and (number or which > 1) else ""

    def _of_the_last_part(self, number: int, text: str, line: Line) -> Fault | None:
        """A line with a condition at its end that may be one of its last part alone: ``8/3 to 1422, then 1321
        if 1317 is empty``, ``attack 0714 with 1US, don't advance if it is clear``."""
        bound = AT_THE_END if line.conditions else IF_POSSIBLE if line.attempt else None
        found = bound.fullmatch(line.text) if bound and not line.otherwise else None
        if found is None:
            return None
        terms = free_reader(self.reader, line.section, self.seat).terms | {"advance"}
        head = ONLY.sub("", found["head"]).rstrip(" ,")
        *before, last = PARTS.split(head)
        words = last.lower().split()
        option = before and any(word in terms or word.removesuffix("s") in terms for word in words[:4])
        further = before and not line.conditions and len(words) == 1 and self.names.hex(words[0])
        if not (THEN.search(head) or TOO.search(last) or option or further):
            return None
        condition = "try" if line.attempt and not line.conditions else f"{found['if']},"
        whole = self._sendable(f"{condition} {head.lstrip()}")
        start = text.lower().rfind(found["if"].lower()[:6])
        error = Ambiguous("is this a condition of all of it, or of the last part?", column=max(start, 0))
        return Fault(number, text, error, either=(whole,))

    def _of_several(self, number: int, text: str, line: Line) -> Fault | None:
        """A line in which each of several units may have a hex of its own, or in which a formation may not
        mean all of its units: its writer says which."""
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        order, known = line.order, self.names.roster.units
        units: tuple[str, ...] = getattr(order, "units", ())
        path: tuple[str, ...] = getattr(order, "path", ())
        if 1 < len(units) == len(path) and each_one(line.text, path):
            each = [replace(order, units=(unit,), path=(hex,)) for unit, hex in zip(units, path, strict=True)]  # type: ignore[call-arg]
            apart = "\n".join(map(self.reader.write, each))
            error = Ambiguous("one way for all, or a hex for each?", legal=units, column=start, length=length)
            offers = (self._sendable(apart), self._sendable(self.reader.write(order)))
            return Fault(number, text, error, either=offers)
        if fault := self._of_parts(number, text, line):
            return fault
        if not path and order.arrives and (fault := self._or_move(number, text, line)):
            return fault
        if path and (fault := self._or_attack(number, text, line)):
            return fault
        if not isinstance(units, Expanded):
            return None
        spoken = [unit for unit in units if unit in self.spoken]
        fresh = tuple(unit for unit in units if unit not in self.spoken)
        on_map = path and not order.arrives and not any(known[unit].hex for unit in units)
        if on_map:
            why = f"{', '.join(units)}: not on the map"
            return Fault(number, text, NotAllowed(why, column=start, length=length))
        if not spoken or not fresh:
            return None
        error = Ambiguous(
            f"{', '.join(spoken)}: in a line above already; with or without?",
            legal=spoken, column=start, length=length,
        )  # fmt: skip
        orders = (replace(order, units=fresh), order)  # type: ignore[call-arg]
        ready = tuple(self._sendable(self.reader.write(each)) for each in orders)
        return Fault(number, text, error, either=ready)

    def _of_parts(self, number: int, text: str, line: Line) -> Fault | None:
        """A line whose words part, leave out or bind otherwise than its order (parts.py)."""
        known = self.names.roster.units
        where = {unit: known[unit].hex for unit in line.order.actors() if unit in known}
        found = doubt(line, self._has_verb(self._phrase(line.section), line.text), where)
        if found is None:
            return None
        offers = (
            each if isinstance(each, str) else "\n".join(map(self.reader.write, each))
            for each in found.offers
        )
        error = Ambiguous(found.why, column=len(text) - len(text.lstrip()), length=len(text.strip()))
        return Fault(number, text, error, either=tuple(filter(None, map(self._sendable, offers))))

    def _or_move(self, number: int, text: str, line: Line) -> Fault | None:
        """A line without a verb that would bring in units which are on the map: where they can move, that is
        meant."""
        order, phrase, known = line.order, self._phrase(line.section), self.names.roster.units
        units, hex = order.actors(), str(getattr(order, "hex", ""))
        here = units and all(unit in known and known[unit].hex for unit in units)
        if not here or not hex or self._has_verb(phrase, line.text):
            return None
        for kind in self.grammar.allowed(line.section, self.seat):
            if kind.sort != GOES or kind.arrives or kind.lasting:
                continue
            read = self._says(phrase, f"{kind.verb} {', '.join(units)} to {hex}")
            if not isinstance(read, Scan) and getattr(dict(read)["order"], "path", None):
                start, length = len(text) - len(text.lstrip()), len(text.strip())
                why = f"{', '.join(units)}: on the map already"
                meant = self._sendable(self.reader.write(dict(read)["order"]))
                return Fault(number, text, NotAllowed(why, column=start, length=length), meant)
        return None

    def _move_or_attack(self, number: int, text: str, line: str) -> Fault | None:
        """``Dio + Langlade on 3431``: units and a hex of the enemy, and no verb."""
        phrase = self._phrase()
        if self._has_verb(phrase, line):
            return None
        scan = Scan(unlisted(line), self.names, self.reader.reserved)
        for end, units in phrase.unit_lists(scan, 0):
            start = end + (scan.keys[end] in ("on", "against", "vs", "upon", "at", "in", ":"))
            hex = self.names.hex(scan.pieces[start].text) if start == scan.length - 1 else None
            if hex is None or start == end:
                continue
            for kind in self.grammar.allowed(self.section, self.seat):
                way = f"{kind.verb} {', '.join(units)} to {hex}"
                read = self._says(phrase, way) if kind.sort == GOES else None
                if read is None or isinstance(read, Scan) or not getattr(dict(read)["order"], "path", ()):
                    continue
                bare_line = made(number, f"{', '.join(units)} {hex}", self.section, read, "")
                if fault := self._or_attack(number, text, bare_line):
                    return fault
        return None

    @cached_property
    def _enemy_hexes(self) -> frozenset[str | None]:
        return frozenset(unit.hex for unit in self.names.roster.units.values() if unit.enemy) - {None}

    def _or_attack(self, number: int, text: str, line: Line) -> Fault | None:
        """A line without a verb that would send units into a hex of the enemy, where attacks have a verb of
        their own."""
        order, phrase = line.order, self._phrase(line.section)
        units, hex = order.actors(), getattr(order, "path", ("",))[-1]
        if not units or hex not in self._enemy_hexes:
            return None
        told = ARROWS | {"to", ":", "into", "via", "towards"}
        going = not told.isdisjoint(Scan(line.text, self.names, self.reader.reserved).keys)
        if going or self._has_verb(phrase, line.text):
            return None
        lines: list[str] = []
        for kind in self.grammar.allowed(line.section, self.seat):
            attack = f"{kind.verb} {hex} with {', '.join(units)}"
            read = self._says(phrase, attack) if kind.sort == ATTACK else None
            if read is not None and not isinstance(read, Scan):
                lines.append(self.reader.write(dict(read)["order"]))
        if not lines:
            return None
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        error = Ambiguous(
            f"the enemy is at {hex}: a move or an attack?", legal=lines, column=start, length=length
        )
        ready = [self._sendable(each) for each in (*lines, self.reader.write(order))]
        return Fault(number, text, error, either=tuple(ready))

    def _two_places(self, number: int, text: str, line: Line) -> Fault | None:
        """A line that may send each of its units to a hex of its own: ``A and B to X and Y``, ``A at X, B at
        Y``."""
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        units = line.order.actors()
        path: tuple[str, ...] = getattr(line.order, "path", ())
        if line.order.arrives and not line.conditions:
            own = {getattr(line.order, "hex", ""), *path}
            if others := [
                hex for hex in re.findall(r"\b\d{4}\b", text) if hex not in own and self.names.hex(hex)
            ]:
                why = f"{', '.join(units)} would not arrive at {others[0]}: send one line for each hex"
                each = self._sendable(self._each_in_its_place(number, text, line.order.verb))
                apart = Unreadable(why, column=text.index(others[0]), length=4)
                return Fault(number, text, apart, either=(each,) if each else ())
        if not line.conditions and 1 < len(units) == len(path) and _PAIRED.search(text):
            each = "\n".join(f"{unit} to {hex}" for unit, hex in zip(units, path, strict=True))
            one = f"{', '.join(units)} to {' '.join(path)}"
            why = f"one hex for each unit, or one way for all of them by {path[0]}?"
            error = Ambiguous(why, legal=path, column=start, length=length)
            return Fault(number, text, error, either=(each, one))
        return None

    def _each_in_its_place(self, number: int, text: str, verb: str) -> str:
        """The lines to send for ``A at X, B at Y`` with this verb; "" if a part of it is something else."""
        orders: list[Order] = []
        for part in re.split(r"\s*(?:[,;]|\band\b)\s*", text.strip(" .")):
            part = part if part.startswith(f"{verb} ") else f"{verb} {part}"
            read = self._says(self._phrase(), part)
            if isinstance(read, Scan) or len(re.findall(r"\b\d{4}\b", part)) != 1:
                return ""
            orders.append(made(number, part, self.section, read, "", self.names).order)
        return "\n".join(map(self.reader.write, orders)) if all(each.arrives for each in orders) else ""

    def _absent(self, *things: Any) -> str:
        """Why the first unit that some order, condition or standing order speaks of is not in the game; "" if
        all are."""
        units = self.names.roster.units
        for thing in filter(None, things):
            for item in fields(thing):
                value = getattr(thing, item.name)
                for name in value if isinstance(value, tuple) else (value,):
                    if isinstance(name, str) and name in units and units[name].absent:
                        return f"{name}: {units[name].absent}"
        return ""

    def _reads_elsewhere(self, line: str) -> bool:
        """Whether a line is an order of some open section."""
        phrases = (self.reader.phrase(section, self.seat) for section in self.scope.sections)
        return any(not isinstance(phrase.read(line, self.names), Scan) for phrase in phrases)

    def _is_close(self, line: str, scan: Scan) -> bool:
        """Whether a line is a slip or two away from an order."""
        phrase = self._phrase()
        told = any(map(str.isdecimal, line)) or any(turn.search(line) for turn, _ in phrase.turns)
        return told and phrase.is_close(scan)

    def _is_meant(self, scan: Scan) -> bool:
        """Whether a line that cannot be read was meant as an order or a letter command."""
        if not scan.length:
            return False
        first, verbs = scan.keys[0], self._verbs
        prose = self._is_prose(scan)
        digits = any(letter.isdecimal() for letter in scan.line)
        if first in verbs and not prose and (digits or scan.length <= 8 or self.section):
            return True
        if len(first) > 3 and (one_slip(first, verbs) or (len(first) > 5 and digits and near(first, verbs))):
            return True
        if first == "no" and not digits:
            known = scan.keys[1] in scan.reserved | verbs | VERBS
            return known and scan.length <= 5  # not "no rush"
        if first in FIRST_WORDS and (digits or scan.length <= 2) and scan.length <= 4:
            return True
        if scan.length <= 3 and len(first) > 3 and one_slip(first, COMMANDS):
            return True
        if len(first) > 1 and digits and any(verb.startswith(first) for verb in (*verbs, "try")):
            return True
        if first in ("if", "try", *EVERYBODY) and digits:
            return True
        if first == "i" and not digits and (scan.keys[1].endswith("ed") or self._is_prose(scan)):
            return False  # "I enjoyed the last turn", though there is an I Corps
        named = self._first_is_name(scan) or self._first_is_formation(scan) or bool(UNIT_LIKE.match(first))
        return (
            named
            and not prose
            and scan.length > 1
            and (digits or scan.furthest > 1 or self._has_place(scan))
            and self._has_target(scan)
        )

    def _is_prose(self, scan: Scan) -> bool:
        """Whether a line goes on as a report does: ``8/4 was``, ``the 47th cannot``."""
        meant = self.names.meant(scan.words(0), scan.reserved)
        return scan.keys[meant.length if meant else 1] in NOT_AN_ORDER_AFTER

    def _has_target(self, scan: Scan) -> bool:
        """Whether there is more to a line than units: a hex, or a word of the order language."""
        pieces = scan.pieces[1:]
        return any(
            self.names.hex(piece.text)
            or SEEMS_A_HEX.fullmatch(piece.text)
            or piece.text.lower() in self._verbs
            or piece.text in (":", ">", "->", "→")
            for piece in pieces
        ) or self._has_place(scan)

    def _has_place(self, scan: Scan) -> bool:
        """Whether a line names a place of the map behind its first word, or misspells one where it wants a
        hex."""
        words = [piece.text for piece in scan.pieces[1:]]
        return any(self.names.place(words[at : at + LONGEST_NAME]) for at in range(len(words))) or (
            scan.furthest > 0 and misspelt_place(scan) is not None
        )

    def _is_like(self, scan: Scan) -> bool:
        """Whether a line that is not read looks like an order all the same: it begins with a unit or a
        formation, a verb, a section or a condition, or holds a hex or a unit with a stroke in its name."""
        if not scan.length or scan.keys[0] in ("http", "https") or is_harmless(scan.line):
            return False
        if QUESTION.match(scan.line) and scan.line.rstrip().endswith("?"):
            return False
        if scan.keys[0] in CONDITIONS and (scan.length <= FEW_WORDS or self._is_of_the_game(scan)):
            return True
        if scan.keys[0] in self._verbs or self._begins_a_section(scan):
            return True
        limited = scan.keys[0] in STOPS and scan.length <= 8 and not scan.line.rstrip().endswith("?")
        told = {key.removesuffix("s") for key in scan.keys[1 : scan.length]}
        if limited and told & (self._verbs | VERBS):
            return True  # "no attacks"
        if self._is_box(scan) or NAMES_A_LINE.search(scan.line):
            return True
        meant = self.names.meant(scan.words(0), scan.reserved)
        numbered = any(map(str.isdecimal, scan.keys[0]))
        sure = meant is not None and (numbered or scan.keys[0] in self.names.units)
        prose = scan.keys[0] == "the" and self._is_prose(scan)
        if (sure or self._first_is_formation(scan)) and not prose:
            return True
        return any(
            (piece.text.isdecimal() and len(piece.text) >= 4 and self.names.hex(piece.text))
            or ("/" in piece.text and piece.text.lower().strip(".,!?") in self.names.units)
            for piece in scan.pieces
        )

    def _is_of_the_game(self, scan: Scan) -> bool:
        """Whether a line has a number, a verb of the game, or words that bear on orders."""
        told = {key.removesuffix("s") for key in scan.keys[1 : scan.length]}
        numbers = any(map(str.isdecimal, scan.line))
        return numbers or bool(told & (self._verbs | VERBS)) or bears(scan.line, self.names)

    def _is_box(self, scan: Scan) -> bool:
        """Whether a line is a number with a verb, shortened or not, and little else: ``4 A``, ``5: mov``,
        ``2 supply points``."""
        words = [key for key in scan.keys[: scan.length] if key.isalpha()]
        number = scan.keys[0].isdecimal() or scan.keys[0] in NUMBERS
        begun = any(verb.startswith(word) for word in words for verb in self._phrase().verbs)
        return number and scan.length <= 4 and begun

    def _begins_a_section(self, scan: Scan) -> bool:
        """Whether a line begins with the key or title of a section."""
        words = scan.words(0)
        begun = {squeezed(" ".join(words[:end])) for end in range(1, len(words) + 1)}
        return any(not titles.isdisjoint(begun) for titles in self._titles.values())

    def _fault(self, number: int, text: str, line: str, scan: Scan) -> Fault:
        """What is wrong with a line that was meant as an order, and what to send instead."""
        if not self.names.work.offers:
            return self._failed_command(number, text, scan) or Fault(number, text, complaint(scan))
        if other := self._misplaced(number, text, line) or self._failed_command(number, text, scan):
            return other
        if elsewhere := self._wrong_elsewhere(number, text, line):
            return elsewhere
        if one_slip(first_word(line), [STANDING]):
            read = self.reader.standing.read(line, self.names)
            if isinstance(read, Scan):
                return replace(self.reader.standing.fault(number, text, read), command=True)
        phrase = self._phrase()
        if asked := self._move_or_attack(number, text, line):
            return asked
        fault = self._as_if_with_verb(number, text, line, scan) or phrase.fault(number, text, scan)
        if not fault.suggestion:
            close = self._split(line) or self._of_the_rest(line) or self._respelt(line)
            fault = replace(fault, suggestion=close)
        return self._with_meaning(replace(fault, suggestion=self._sendable(fault.suggestion)))

    def _as_if_with_verb(self, number: int, text: str, line: str, scan: Scan) -> Fault | None:
        """What is wrong with a line that begins with units and has no verb, as if the likeliest verb of the
        section stood there; it is offered with each verb with which it reads."""
        phrase = self._phrase()
        if scan.furthest or not (self._first_is_name(scan) or self._first_is_formation(scan)):
            return None
        if self._has_verb(phrase, line):
            return None
        kinds = [kind for kind in self.grammar.allowed(self.section, self.seat) if not kind.grave]
        ready: list[str] = []
        left: list[tuple[int, str, Scan]] = []
        for verb in dict.fromkeys(kind.verb for kind in kinds if kind.sort == GOES and not kind.lasting):
            with_verb = f"{verb} {line.strip()}"
            read = self._says(phrase, with_verb)
            if not isinstance(read, Scan):
                whole = made(number, with_verb, self.section, read, "", self.names)
                apart = self._two_places(number, with_verb, whole)
                each = self._each_in_its_place(number, with_verb, verb) if apart else with_verb
                ready += [each] if each else []
            elif read.furthest > 1:
                left.append((read.furthest, verb, read))
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        if ready:
            error = Unreadable("a verb is missing", legal=ready, column=start, length=length)
            return Fault(number, text, error, either=tuple(map(self._sendable, ready)))
        if not left:
            return None
        _, verb, furthest = max(left, key=lambda each: each[0])
        fault = phrase.fault(number, text, furthest)
        fault.error.column = max(0, fault.error.column - len(verb) - 1 + start)
        return replace(fault, either=tuple(map(self._sendable, fault.either)))

    def _split(self, line: str) -> str:
        """The line as several orders, if it holds several."""
        if line.strip().lower().startswith(("if ", "unless ", "when ", "try ", "wenn ", "falls ")):
            return ""  # what stands in front may be said of all of them
        sentences = re.split(r"(?<=[.!])\s+", line.strip())
        while len(sentences) > 1 and (is_closing(sentences[-1]) or is_greeting(sentences[-1])):
            sentences.pop()
        offer = "\n".join(split_orders(" ".join(sentences), self._completed))
        return offer if says_all(line, offer, self.names) else ""

    def _respelt(self, line: str) -> str:
        """The orders of a line in a free order of words with a misspelt word or two; "" if it holds none."""
        section = self._present
        if self.lost or not self.names.work.offers:
            return ""
        found = free_reader(self.reader, section, self.seat).mended(line, self.names) or []
        written = [self.reader.write(each) for each in found if isinstance(each, Order)]
        offer = "\n".join(written)
        return offer if len(written) == len(found) and says_all(line, offer, self.names) else ""

    def _completed(self, part: str, before: str) -> str:
        """A part of a line as an order, if need be with the units of the order before it; as it is if it says
        of units that they do nothing. What comes of an attack is no order of its own."""
        phrase = self._phrase()
        if before and first_word(part) in AFTER_BATTLE and self._is_attack(before):
            return ""
        if not isinstance(phrase.read(part, self.names), Scan) or self._staying(part) is not None:
            return part
        units = ", ".join(self._units_of(before))
        verb = first_word(before) if first_word(before) in phrase.verbs else ""
        alike = [f"{verb} {part}"] if verb else []
        if units and all(map(self.names.hex, re.findall(r"[^\s,]+", part))):
            return ""  # the next hex of a way, or where the second unit goes
        alike += [f"{units} {part}"] if units else []
        alike += [f"{part} with {units}"] if units and " with " not in part else []
        for line in alike:
            if not isinstance(phrase.read(line, self.names), Scan):
                return line
        close = (line for line in reworded(part) if not isinstance(phrase.read(line, self.names), Scan))
        return next(close, "") or self._in_free_order(part)

    def _in_free_order(self, part: str) -> str:
        """The one order of a part of a line in a free order of words; "" if it is none."""
        section = self._present
        if self.lost or not self.names.work.offers:
            return ""
        found = free_reader(self.reader, section, self.seat).read(part, self.names) or []
        orders = [each for each in found if isinstance(each, Order)]
        return self.reader.write(orders[0]) if len(orders) == len(found) == 1 else ""

    def _is_attack(self, line: str) -> bool:
        read = self._says(self._phrase(), line)
        return not isinstance(read, Scan) and dict(read)["order"].sort == ATTACK

    def _units_of(self, line: str) -> tuple[str, ...]:
        read = self._says(self._phrase(), line)
        return () if isinstance(read, Scan) else dict(read)["order"].actors()

    def _of_the_rest(self, line: str) -> str:
        """``the rest to 1203`` with the names of those who are left in the hex of the line before."""
        found = REST.search(line)
        hexes = self._where(self.spoken) - {None}
        if not found or found["hex"] or len(hexes) != 1:
            return ""
        written = (
            f"{line[: found.start()]}{', '.join(self._others(str(hexes.pop())))}{line[found.end() :]}".strip()
        )
        return "" if isinstance(self._says(self._phrase(), written), Scan) else written

    def _with_meaning(self, fault: Fault, section: str | None = None) -> Fault:
        """The fault with what its suggestion says, under the heading in force or another; without one that
        would be faulty itself."""
        meant: list[Line] = []
        for line in fault.suggestion.splitlines():
            words = WHEN.fullmatch(line)
            for part in words["orders"].split(";") if words else [line]:
                read = self._says(self._phrase(section), part)
                if not isinstance(read, Scan) and "order" in dict(read):
                    meant.append(made(fault.number, part.strip(), section or self.section, read, ""))
        units = self.names.roster.units
        foreign = any(unit in units and units[unit].enemy for line in meant for unit in line.order.actors())
        paired = _PAIRED.search(fault.text) and any(
            1 < len(line.order.actors()) == len(getattr(line.order, "path", ())) for line in meant
        )
        if foreign or paired or any(self._wrong(line.number, line.text, line) for line in meant):
            return replace(fault, suggestion="")
        return replace(fault, meant=tuple(meant))

    def _misplaced(self, number: int, text: str, line: str) -> Fault | None:
        """A good order under a heading where it does not belong, or of another side."""
        start, length = len(line) - len(line.lstrip()), len(line.strip())
        if self.section in self.grammar.sections:
            known: dict[int, Captures | Scan] = {}
            for section in sorted(self.grammar.sections, key=lambda name: name not in self.scope.sections):
                phrase = self.reader.phrase(section, self.seat)
                if id(phrase) not in known:
                    known[id(phrase)] = phrase.read(line, self.names)
                read = known[id(phrase)]
                if isinstance(read, Scan) or not self._has_verb(phrase, line):
                    continue
                verb = dict(read)["order"].verb
                if wrong := self._two_places(number, text, made(number, line, section, read, "")):
                    return wrong
                if section in self.grammar.titles and section not in self.scope.sections[:1]:
                    legal = tuple(
                        f"[{name}]" for name in self.grammar.titles if name in self.scope.sections
                    ) or tuple(f"[{name}]" for name in self.grammar.titles)
                    error = Unreadable(
                        f"{verb} needs a heading that says which formation it is for",
                        legal=legal,
                        column=start,
                        length=length,
                    )
                    return Fault(number, text, error)
                error = Unreadable(
                    f"{verb} belongs under [{section}], not under [{self.section}]",
                    legal=(f"[{section}]",),
                    column=start,
                    length=length,
                )
                return Fault(
                    number,
                    text,
                    error,
                    f"[{section}]\n{line.strip()}",
                    meant=(made(number, line.strip(), section, read, ""),),
                )
        if self.seat and not isinstance(
            read := self.reader.phrase(self.section).read(line, self.names), Scan
        ):
            order = dict(read)["order"]
            verb_said = self._has_verb(self.reader.phrase(self.section), line)
            if verb_said and order.seats and self.seat not in order.seats:
                return Fault(
                    number,
                    text,
                    Unreadable(
                        f"{order.verb} is an order of the other side",
                        column=start,
                        length=len(first_word(line)),
                    ),
                )
        return None

    def _wrong_elsewhere(self, number: int, text: str, line: str) -> Fault | None:
        """A faulty order that begins with a verb of other sections: where it belongs, and what is wrong with
        it in the one of them in which most of it reads."""
        word = first_word(line)
        if self.section not in self.grammar.sections or _verb_of(word, self._phrase()):
            return None
        read: dict[str, Scan] = {}
        for section in self.scope.sections:
            phrase = self._phrase(section)
            if section not in self.grammar.titles and _verb_of(word, phrase):
                scan = phrase.read(line, self.names)
                if isinstance(scan, Scan):
                    read[section] = scan
        if not read:
            return None
        section = max(read, key=lambda section: read[section].furthest)
        phrase = self._phrase(section)
        fault = self._with_meaning(phrase.fault(number, text, read[section]), section)
        wrong = fault.error
        error = type(wrong)(
            f"{_verb_of(word, phrase)} belongs under [{section}], not under [{self.section}]; {wrong.text}",
            legal=wrong.legal,
            column=wrong.column,
            length=wrong.length,
        )
        headed = [f"[{section}]\n{offer}" if offer else "" for offer in (fault.suggestion, *fault.either)]
        return replace(fault, error=error, suggestion=headed[0], either=tuple(headed[1:]))

    def _has_verb(self, phrase: Phrase, line: str) -> bool:
        """Whether a line holds a verb of a section: without one it never belongs elsewhere."""
        verbs = Verbs(phrase.verbs)
        words = [piece.text.lower() for piece in Scan(line, self.names, self.reader.reserved).pieces]
        return any(
            word in phrase.verbs
            or verbs.of(word)
            or any(len(word) > 2 and verb.startswith(word) for verb in phrase.verbs)
            for word in words
        )

    def _failed_command(self, number: int, text: str, scan: Scan) -> Fault | None:
        first = scan.keys[0] if scan.length else ""
        if first == "no" and scan.length <= 5:
            words = text.strip().rstrip(".!")
            why = f'"{words}" alone orders nothing; NO ORDERS leaves the section without orders'
            column = len(text) - len(text.lstrip())
            return Fault(number, text, Unreadable(why, column=column, length=len(words)))
        named = self._first_is_name(scan) and self._has_target(scan)  # "Luck pulls out to 1420"
        if first in FIRST_WORDS and first not in self._verbs and first not in scan.reserved and not named:
            error = Unreadable(f"write it as: {FIRST_WORDS[first].usage}", length=len(first))
            return Fault(number, text, error, disputing(scan.line), command=True)
        if scan.length > 3 or len(first) < 4 or first in self._verbs or not one_slip(first, FIRST_WORDS):
            return None
        word = near(first, FIRST_WORDS)[0].upper()
        close = text[: scan.pieces[0].column] + word + text[scan.pieces[0].end :]
        if command(number, close) is None:
            return None
        error = Unreadable(
            f'unknown word "{scan.pieces[0].text}"', column=scan.pieces[0].column, length=len(first)
        )
        return Fault(number, text, error, close.strip(), command=True)
