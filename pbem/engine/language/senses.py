"""What words of a letter may mean: the lines read so far, and what each line says, section by section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.engine.language.bearing import bears
from pbem.engine.language.free import free_reader
from pbem.engine.language.limits import LIMITS
from pbem.engine.language.model import (
    Command,
    Fault,
    Heading,
    Line,
    Order,
    Said,
    Scope,
    SpanKind,
)
from pbem.engine.language.names import ARMS, LONGEST_NAME, Names, name_words
from pbem.engine.language.people import NUMBERS, ORDINALS, STAY, Verbs
from pbem.engine.language.phrases import STANDING, Phrase, Reader
from pbem.engine.language.repair import SUPPORT, distance, near
from pbem.engine.language.usage import Captures, Scan
from pbem.engine.language.whole import says_all

BULLET = re.compile(r"\s*(?:[-*•·‣▪–—+>]\s+|\(*(?:\d{1,2}|[A-Za-z])[.)]+\s+)")
COMMENT = re.compile(r";|#|(?<![:\w])//|(?<!:)//(?!\w)|(?:^|\s)--(?=\s|$)")
NUMBERED = ARMS | {"ss", "division", "corps", "army", "regiment", "brigade", "battalion", "aa"}
OPEN = re.compile(r"(?:[:+&]|\b(?:and|with|plus|by|at|on|to|from|the)) *$", re.IGNORECASE)
"""The end of a line that goes on in the next."""
SENTENCE_END = re.compile(r"[;.!?]+\s*")
OTHERS = re.compile(
    r"\s*(?:all\s+)?(?:the\s+)?(?:rest|others|everybody else|everyone else|nobody else)\b", re.IGNORECASE
)


STAYS = frozenset(
    "where it is they are put in place position at on here there do does nothing the rest still for now "
    "this turn phase please put fast behind reserve back all three".split()
)
"""Words behind one that says that units do nothing."""


IDLE = frozenset({"nothing", "halten", "halt"})
DEEDS = frozenset("move moves movement attack attacks action orders".split())
"""What units do not do of which a line says that they do ``no attack``."""
LEFT = re.compile(
    r"\s*(?:all\s+)?(?:the\s+)?(?:rest|others)\s+(?:of|in|at|from)\s+(?:the\s+)?(?P<hex>\w{0,2}\d{4})\s+"
    r"(?:holds?|stays?|passe?s?|remains?|waits?)"
    r"(?:\s+(?:put|here|there|in place|where (?:it|they) (?:is|are)))?"
    r"\s*[.!]*\s*",
    re.IGNORECASE,
)
"""``the rest of 1604 stays put``."""


STANDING_ORDER = re.compile(r"\s*(?:(?-i:SO|S\.O\.)|standing orders?\b)\s*:?\s*(?=\S)", re.IGNORECASE)
"""How people begin a standing order besides ``standing``."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A line without its comments, columns as they were; `comments` are their texts with the columns where
    they begin."""

    line: str
    comments: tuple[tuple[int, str], ...] = ()


def bare(text: str, names: Names) -> Bare:
    """Cut the comments off a line: behind ``;``, ``#``, ``//`` and `` -- ``, and in brackets that hold no
    hex. A ``#`` before the number of a hex or in front of a list is none; ``#36`` behind an order is no part
    of its comment."""
    comments: list[tuple[int, str]] = []
    line = re.sub(r"#(?=\d{4}\b)|^\s*#\d{1,3}[.:)]?(?=\s)", lambda found: " " * len(found[0]), text)
    cut = COMMENT.search(line)
    if cut:
        mark = re.match(r"\d{1,3}[.:)]?\s+", text[cut.end() :]) if cut[0] == "#" else None
        start = cut.end() + (mark.end() if mark else 0)
        comments.append((start, text[start:]))
        line = line[: cut.start()]
    for found in re.finditer(r"\(([^()]*)\)", line):
        inside = found[1].strip()
        first, *others = inside.split() or [""]
        if (first.isdecimal() and names.hex(first) and not others) or _is_whereabouts(inside, names):
            continue
        whose = None if inside.isdecimal() else names.formation(inside.split())
        if whose and whose[1] == len(inside.split()) and line[: found.start()].strip():
            continue
        if BULLET.match(line) and found.start() <= 2 and len(inside) <= 2:
            continue
        comments.append((found.start() + 1, found[1]))
        line = line[: found.start()] + " " * len(found[0]) + line[found.end() :]
    return Bare(line.rstrip(), tuple(comments))


def _is_whereabouts(inside: str, names: Names) -> bool:
    """Whether brackets say where a unit is: ``(from 0717)``."""
    words = inside.split()
    return (
        len(words) == 2 and words[0].lower() in ("at", "in", "from", "on") and names.hex(words[1]) is not None
    )


_NUMBERED = re.compile(r"\s*\d{1,2}\.\s+([^\W\d_]+)\b")


def unlisted(line: str) -> str:
    """The line with the mark of a list in front of it blanked out. A number with a full stop before a word
    that names no unit by itself is its number: ``12. SS``, ``91. ID``."""
    found = BULLET.match(line)
    if (numbered := _NUMBERED.match(line)) and (words := name_words(numbered[1])) and words <= NUMBERED:
        return line
    return " " * found.end() + line[found.end() :] if found and line[found.end() :].strip() else line


@dataclass(frozen=True, slots=True)
class Broken:
    """The lines before, as the beginning of one that a mail program may have broken: `start` is where what
    they say begins; `whole` tells that they read as an order by themselves."""

    start: int
    number: int
    text: str
    parts: int = 1
    whole: bool = False

    @property
    def comma(self) -> bool:
        """Whether it ends as if more were to come."""
        return self.text.rstrip(" ;").endswith(",")

    @property
    def open(self) -> bool:
        """Whether it cannot end there: with a comma, or a word that joins two others."""
        return self.comma or OPEN.search(self.text) is not None


def first_word(line: str) -> str:
    found = re.match(r"\s*(\w+)", line)
    return found[1].lower() if found else ""


def squeezed(title: str) -> str:
    return "".join(re.split(r"[\s\[\]:·]+", title.lower()))


_WHICH = re.compile(
    rf"\b(?:{'|'.join(ORDINALS)}|[1-9](?:st|nd|rd|th)|(?:phase|part|no\.?|number)\s+[1-9a-d]|[1-9])\b"
    r"|(?<=[\s(])[b-d](?=\)|$)",
    re.IGNORECASE,
)


def which_one(title: str) -> tuple[str, int]:
    """A title without the words that tell which of several is meant, and their number; 0 without such words:
    ``second movement``, ``movement (2)``, ``movement phase B``."""
    found = _WHICH.search(title)
    if found is None:
        return title, 0
    last = found[0].lower().rstrip(" )").split()[-1]
    if last in ORDINALS:
        number = ORDINALS.index(last) + 1
    elif last[0].isdecimal():
        number = int(last[0])
    else:
        number = "abcd".index(last[0]) + 1
    rest = f"{title[: found.start()]} {title[found.end() :]}"
    words = [
        word for word in re.split(r"[\s()\-–—,:]+", rest) if word and word.lower() not in ("phase", "the")
    ]
    return " ".join(words), number


class Senses:
    """A letter as far as it has been read."""

    def __init__(self, reader: Reader, names: Names, section: str, scope: Scope) -> None:
        self.reader = reader
        self.grammar = reader.grammar
        self._names = names
        self._narrowed: dict[str, Names] = {}
        self.seat = names.roster.seat
        self.section = section
        self.begun = bool(section)
        """Whether a heading was in force above the first line."""
        self.scope = scope
        self.lost: Heading | None = None
        """The heading in force, if it is not known."""
        self.said: list[Said] = []
        self.press: Command | None = None
        self.pressed: list[str] = []
        self.closing = False
        """Whether the line before was the closing of a letter, or a name below it."""
        self.claims: dict[int, SpanKind] = {}
        """Lines that say nothing: courtesies, comments, the ends of broken lines."""
        self.commented: dict[int, list[int]] = {}
        """The columns where the comments of each line begin."""
        self.other_turn = False
        """Whether the last heading that names a turn names one that is not being played."""
        self.idle: dict[int, str] = {}
        """Lines below no heading that say that nothing is ordered."""
        self.signed: set[int] = set()
        """Lines that may be signatures, where they do not stand among orders."""
        self.broken: Broken | None = None
        self.known: dict[tuple[int, str], Captures | Scan] = {}
        """What words of the present line say, by section."""
        self.spoken: set[str] = set()
        """Units that earlier lines of the section speak of: `the rest` are the others."""
        self.colons: set[int] = set()
        """Lines that are headings by their colon alone: ``12th Corps:``."""

    def _by_itself(self, line: str) -> list[Line]:
        """The orders of a line as if it stood alone below the heading in force; none if one of its words is
        not read."""
        raise NotImplementedError

    @property
    def names(self) -> Names:
        """The names that may be used: below the heading of a formation those of its units come first."""
        commanded = self._names.roster.commanded.get(self.section)
        if not commanded:
            return self._names
        if self.section not in self._narrowed:
            self._narrowed[self.section] = self._names.below(commanded)
        return self._narrowed[self.section]

    @names.setter
    def names(self, names: Names) -> None:
        self._names = names
        self._narrowed.clear()

    @property
    def _present(self) -> str:
        """The section in force, else the one that is asked for; "" if there is none."""
        return self.section or next(iter(self.scope.sections), "")

    def _tells(self, words: str, said: Set[str] = frozenset()) -> bool:
        """Whether words may say something of the game: they hold a figure, a number, a unit, a place, a
        section, a verb, or one of the words that limit or bind (`LIMITS`). Units and hexes that are `said`
        already, by these or other names, add nothing."""
        scan = Scan(words, self.names, self.reader.reserved)
        capitals = [piece.text if piece.text[:1].isupper() else "" for piece in scan.pieces]
        at = 0
        while at < scan.length:
            word = scan.keys[at].strip("'’\".!?")
            again = self._said_again(scan, capitals, at, said)
            if again and not (again == 1 and word in LIMITS):  # "all" limits, though 82AB is All-American
                at += again
                continue
            if word in said:
                at += 1
                continue
            if (
                any(map(str.isdecimal, word))
                or word in LIMITS
                or word in NUMBERS
                or word in self._verbs
                or any(squeezed(word) in titles for titles in self._titles.values() if word)
                or self.names.known(scan.words(at), scan.reserved)
                or (capitals[at] and self.names.place(capitals[at : at + LONGEST_NAME]))
            ):
                return True
            at += 1
        return False

    def _alters(self, comment: str, said: Set[str] = frozenset()) -> bool:
        """Whether a comment may say something of the game (`_tells`, `bears`), or holds a word of the parts
        that an order of the section may have: ``attack 5131 with 8/4 (heavy)``."""
        section = self._present
        terms = free_reader(self.reader, section, self.seat).terms if not self.lost else frozenset()
        if self._tells(comment, said) or bears(comment, self.names, places=False):
            return True
        return not (terms | SUPPORT).isdisjoint(re.findall(r"[a-z]+", comment.lower()))

    def _said_again(self, scan: Scan, capitals: Sequence[str], at: int, said: Set[str]) -> int:
        """How many words from `at` on name a hex or unit that is `said` already; 0 if they do not."""
        if self.names.hex(scan.pieces[at].text) in said:
            return 1
        place = self.names.place(capitals[at : at + LONGEST_NAME]) if capitals[at] else None
        if place is not None and not said.isdisjoint(place[0]):
            return place[1]
        meant = self.names.meant(scan.words(at), scan.reserved) if said else None
        return meant.length if meant is not None and set(meant.units) <= said else 0

    def _order_in(self, text: str, message: bool = False) -> str:
        """The end of a line that reads as an order, as when the line end between the two got lost; "" if
        there is none. In front of it stands chat; in a `message`, whatever its writer wrote."""
        ends = [found.end() for found in SENTENCE_END.finditer(text)]
        orders = (text[end:].strip() for end in ends)
        return next(
            (
                order
                for order in orders
                if any(map(str.isdecimal, order))
                and (
                    message
                    or says_all(text, order, self.names)
                    or re.fullmatch(r"\W*[^\W\d]+(?:\s+[^\d\s]+){2,}\W*", text[: text.rindex(order)])
                )
                and not isinstance(self._try(bare(order, self.names).line), Scan)
            ),
            "",
        )

    @cached_property
    def _titles(self) -> dict[str, set[str]]:
        """What every section may be called, squeezed: its key, its title, and what letters print for it."""
        known = {
            name: {squeezed(name), squeezed(self.grammar.titles.get(name, name))}
            for name in (*self.grammar.sections, STANDING)
        }
        for title, section in self.scope.titles.items():
            known.setdefault(section, set()).add(squeezed(title))
        return known

    def _sections(self, title: str, whole: bool = False) -> list[str]:
        """The sections that a title may mean: as it stands, by the words of a formation's name, or by a
        beginning that fits one open section (not if it must be the `whole` title)."""
        wanted = squeezed(title)
        if not wanted:
            return []
        open_ = [name for name in self._titles if name in self.scope.sections or not self.scope.sections]
        for names in (open_, list(self._titles)):
            if exact := [name for name in names if wanted in self._titles[name]]:
                return exact
        if formations := self._formations(title):
            return formations
        base, number = which_one(title)
        if number:
            return self._one_of_several(base, number)
        for names in (open_, list(self._titles)):
            begun = [name for name in names if any(each.startswith(wanted) for each in self._titles[name])]
            if begun and not whole and len(wanted) > 1:
                return begun
        return []

    def _one_of_several(self, base: str, number: int) -> list[str]:
        """The section that comes up as this one of several of a like name: `movement 2`; none if there is no
        such one, so that a heading that names the second never means the first."""
        wanted = squeezed(base)
        named = [name for name in self._titles if wanted and wanted in self._titles[name]]
        if not named and wanted in ("move", "moves", "mvt"):
            named = [name for name in self._titles if name == "movement"]
        again = [name for name in self._titles for each in named if name == f"{each} {number}"]
        several = any(f"{each} 2" in self._titles for each in named)
        return again or (named if number == 1 and several else [])

    def _formations(self, title: str) -> list[str]:
        """The drawn sections whose full names hold all words of a title, the writer's own first."""
        words = name_words(title.removeprefix("the ").strip())
        if not words or len(title.split()) > 5:
            return []
        found = [name for name, called in self.grammar.formations.items() if words <= name_words(called)]
        return [name for name in found if name in self.scope.sections] or found

    def _near(self, title: str, limit: int) -> str:
        """The section whose key or title is a slip away."""
        written = {each: name for name, titles in self._titles.items() for each in titles}
        close = near(squeezed(title), list(written))
        return written[close[0]] if close and distance(squeezed(title), close[0], limit) <= limit else ""

    @property
    def _drawn_in_force(self) -> bool:
        return self.section in self.grammar.titles

    def _phrase(self, section: str | None = None) -> Phrase:
        """What may stand under the heading in force, under none what is asked for now, under an unknown one
        what may stand under the nearest."""
        name = self.section if section is None else section
        if not name and section is None:
            name = (self.lost.near if self.lost else "") or next(iter(self.scope.sections), "")
        return self.reader.phrase(name, self.seat)

    def _says(self, phrase: Phrase, line: str) -> Captures | Scan:
        """What some words say in a section. Each line is looked at in several ways: what was read once is not
        read again."""
        key = id(phrase), line
        if key not in self.known:
            self.known[key] = phrase.read(line, self.names)
        return self.known[key]

    def _try(self, line: str) -> Captures | Scan:
        """The line as an order of the heading in force, or under none of any section."""
        read = self._says(self._phrase(), line)
        if not isinstance(read, Scan) or self.section or self.lost or not self.scope.sections:
            return read
        for section in (*self.scope.sections, *self.grammar.sections):
            again = self._says(self.reader.phrase(section, self.seat), line)
            if not isinstance(again, Scan):
                return again
        return read

    def _others(self, hex: str) -> list[str]:
        """The writer's units in a hex that no earlier line of the section speaks of."""
        return [unit.id for unit in self.names.own if unit.hex == hex and unit.id not in self.spoken]

    def _sendable(self, line: str) -> str:
        """A line to send instead of one under this heading: if chance decides of it, the line says where it
        belongs."""
        lines = (
            [f"when {self.section}: {each}" for each in line.splitlines()]
            if self.section in self.grammar.titles
            else [line]
        )
        return "\n".join(lines) if line else ""

    def _staying(self, line: str) -> tuple[str, ...] | None:
        """The units of which a line says that they do nothing (none for all the others); None if it says
        something else, or more than that."""
        scan = Scan(line, self.names, self.reader.reserved)
        keys = scan.keys[: scan.length]
        at = next((at for at, key in enumerate(keys) if key in STAY | IDLE), None)
        none = next((at for at, key in enumerate(keys[:-1]) if at and key == "no"), None)
        if none is not None and keys[none + 1] in DEEDS and at is None:
            at = none
        if at is None:
            return None
        if left := LEFT.fullmatch(line):
            there = self.names.hex(left["hex"])
            return tuple(self._others(there)) if there else None
        if OTHERS.match(line):
            found = OTHERS.match(line)
            assert found is not None
            rest = re.findall(r"[^\W_]+", line[found.end() :].lower())
            return () if all(word in STAYS or word in STAY for word in rest) else None
        start = 1 if keys[0] == "the" else 0
        for end, units in self._phrase().unit_lists(scan, start if at else 1):
            behind = end + (scan.keys[end] in (":", ",", "all", "both"))
            if at and behind != at:
                continue
            tail = scan.pieces[at + 1 + (at == none) if at else end :]
            hexes = {self.names.hex(piece.text) for piece in tail if piece.text[0].isdecimal()}
            others = [piece.text.lower() for piece in tail if not self.names.hex(piece.text)]
            told = all(word in STAYS or not word[0].isalnum() for word in others)
            named = [word for word in others if word not in STAYS and word[0].isalnum()]
            place = self.names.place(named)
            meant = place[0] if place is not None and place[1] == len(named) else ()
            known = told or not self._where(units).isdisjoint(meant)
            return units if hexes <= self._where(units) and known else None
        return self._all_of_name(keys, at)

    def _all_of_name(self, keys: Sequence[str], at: int) -> tuple[str, ...] | None:
        """``the flak stays``: all units of a name without a number; None if the line says more."""
        name = [key for key in keys[:at] if key not in ("the", "all", "our", "my", "units")]
        meant = self.names.meant(name, self.reader.reserved) if all(map(str.isalpha, name)) else None
        if meant is None or meant.length < len(name) or not all(word in STAYS for word in keys[at + 1 :]):
            return None
        return tuple(unit for unit in meant.units if not self.names.roster.units[unit].enemy) or None

    def _where(self, units: Iterable[str]) -> set[str | None]:
        """Where units are; formations, which orders may speak of too, are nowhere."""
        known = self.names.roster.units
        return {known[unit].hex for unit in units if unit in known}

    def _is_standing(self, line: str) -> bool:
        first = first_word(line)
        begun = len(first) > 3 and STANDING.startswith(first) and first not in self._phrase().verbs
        return self.section == STANDING or first == STANDING or begun or bool(self._standing_order(line))

    def _standing_order(self, line: str) -> str:
        """A line that begins with ``SO`` or ``standing order`` in the words of the usage lines; "" if it is
        none. Without a colon it must read: ``SO 3A to 1302`` is an order."""
        found = STANDING_ORDER.match(line)
        if found is None:
            return ""
        said = f"{STANDING} {line[found.end() :]}"
        colon, read = ":" in found[0], self.reader.standing.read(said, self.names)
        kinds = {policy.kind.split()[0].lower() for policy in self.grammar.policies}
        named = first_word(line[found.end() :]).rstrip(":") in kinds
        return said if colon or named or not isinstance(read, Scan) else ""

    def _scan_of(self, line: str) -> Scan:
        read = self._says(self._phrase(), line)
        return read if isinstance(read, Scan) else Scan(line, self.names, self.reader.reserved)

    def _first_is_formation(self, scan: Scan) -> bool:
        """Whether a line begins with the name of a formation that has a number: ``12SS``, ``the 116th Panzer
        Division``."""
        start = 1 if scan.keys[0] == "the" else 0
        return any(map(str.isdecimal, scan.keys[start])) and self.names.group(scan.words(start)) is not None

    def _first_is_name(self, scan: Scan) -> bool:
        return bool(scan.length) and self.names.meant(scan.words(0), scan.reserved) is not None

    def _taking(self, line: str) -> str:
        """The only open section that takes the verb of a line under no heading; "" if the one asked for takes
        it, or several do."""
        verb = first_word(line)
        open_ = () if self.lost else self.scope.sections
        taking = [name for name in open_ if verb in self.reader.phrase(name, self.seat).verbs]
        return taking[0] if len(taking) == 1 else ""

    @cached_property
    def _all_verbs(self) -> frozenset[str]:
        return frozenset(
            verb for section in self.grammar.sections for verb in self.reader.phrase(section, self.seat).verbs
        )

    @property
    def _verbs(self) -> frozenset[str]:
        return self._phrase().verbs | self._all_verbs

    def _fail(self, fault: Fault) -> None:
        if not fault.command:
            words = fault.words or unlisted(fault.text).strip()
            about, sort = self._mentioned(fault.text), self._sort_of(fault.text)
            orders = (kind for kind in self.grammar.orders if kind.heads is not Order.heads)
            heads = next((kind for kind in orders if kind.verb == sort), None)
            fault = replace(fault, words=words, about=about, sort=sort, heads=heads)
        self.said.append(replace(fault, section=fault.section or self.section))

    def _mentioned(self, line: str) -> tuple[str, ...]:
        """The units and hexes that a line names, whatever it says of them."""
        scan = Scan(bare(line, self.names).line, self.names, self.reader.reserved)
        found: dict[str, None] = {}
        at = 0
        while at < scan.length:
            meant = self.names.meant(scan.words(at), scan.reserved)
            hex = self.names.hex(scan.pieces[at].text)
            if meant is not None and not (hex and meant.length == 1 and len(meant.units) > 1):
                found |= dict.fromkeys(meant.units)
                at += meant.length
                continue
            found |= dict.fromkeys([hex] if hex else [])
            at += 1
        return tuple(found)

    def _sort_of(self, line: str) -> str:
        """What kind of order the first word of a line begins, or nearly begins; "" if that is not clear."""
        first = first_word(unlisted(line))
        sorts = {kind.verb: kind.sort or kind.verb for kind in self.grammar.orders}
        phrase = self._phrase()
        verb = first if first in sorts else Verbs(phrase.verbs, self._all_verbs).of(first)
        close = near(first, sorts) if not verb and len(first) > 2 else []
        found = {sorts[each] for each in ([verb] if verb else close) if each in sorts}
        return found.pop() if len(found) == 1 else ""
