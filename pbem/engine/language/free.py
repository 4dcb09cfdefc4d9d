"""Orders in a free order of words: ``5131: 8 and 22 Infantry, heavy gunfire``, ``3A to 1303, 4A to 1304, the
rest stays``.

A line that no usage line fits as it stands is divided into what it names: units, hexes, verbs, numbers, words
of the game, and turns of phrase that stand for a part of an order. A line is read if each of its words is one
of these, or a filler that says nothing, and if these together make orders in one way. A word that is none of
them leaves the line unread: nothing is read around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import fields, replace
from typing import Any

from pbem.engine.language.clauses import Bound, Clause, Outcome, Said, Staying
from pbem.engine.language.filling import Filling
from pbem.engine.language.limits import TIMES
from pbem.engine.language.model import ATTACK, GOES, Order
from pbem.engine.language.names import GENERIC, LONGEST_NAME, NAME_WORDS, Names, folded, name_words
from pbem.engine.language.people import ATTACKS, NUMBERS, VERBS, Verbs
from pbem.engine.language.phrases import Phrase, Reader
from pbem.engine.language.repair import SUPPORT, near
from pbem.engine.language.slots import EVERYBODY, Expanded, expanded
from pbem.engine.language.turns import (
    AFTER_BATTLE,
    AND,
    APART,
    AROUND,
    CONDITIONAL,
    COUNT,
    DISTANCE,
    EACH,
    END,
    EVEN,
    EVERYONE,
    FILLERS,
    FOES,
    FROM,
    GOING,
    IDLE,
    KINDS,
    LIMITING,
    MEASURES,
    NATION,
    NO_FIGHT,
    ODDS,
    ON,
    OPTIONS,
    PEACE,
    RESPELT,
    REST,
    REST_OF,
    SETS,
    STAFF,
    STAY,
    STAYING,
    STEP,
    TAKE,
    TO,
    TOO,
    UNTIL,
    VIA,
    WITH,
    are_foes,
    condition,
    initials,
)
from pbem.engine.language.usage import (
    Flag,
    Key,
    Maybe,
    Pattern,
    Scan,
    Series,
    Slot,
    Some,
    keywords,
    leading,
)

MOST_STEPS = 4_000
"""At most this many ways to put a line together are looked at: reading must be quick, whatever the text."""
MOST_WORDS = 60
MOST_ORDERS = 12
MOST_MENDED = 2
MOST_ASKED = 9
"""A condition in front of an order has at most this many words if no comma ends it."""
DOUBLED = re.compile(r"\b(\d{4})(?:,\s*|\s+(?:and\s+)?)\1\b")
"""The same hex twice: a slip, or two strikes?"""
PLEASE = re.compile(r"(?:,? (?:please|pls|plz|pse|thanks|thx|tks))+(?=[.! ]*$)", re.IGNORECASE)
"""Courtesies behind a line."""
KNOWN = FILLERS | TO | ON | WITH | VIA | FROM | UNTIL | AND
"""The small words that a misspelt one may be."""


class FreeReader:
    """Reads lines of one section in a free order of words."""

    def __init__(self, reader: Reader, phrase: Phrase, kinds: Sequence[type[Order]]) -> None:
        self.reader = reader
        self.phrase = phrase
        self.kinds = tuple(kind for kind in kinds if not kind.grave)
        self.patterns = {kind: reader.patterns[kind] for kind in self.kinds}
        self.beginnings = {kind: _beginning(pattern) for kind, pattern in self.patterns.items()}
        self.leads = {
            kind: frozenset(key.word for key in leading(pattern)[0])
            for kind, pattern in self.patterns.items()
        }
        self.bare = {kind for kind, pattern in self.patterns.items() if isinstance(_first(pattern), Maybe)}
        """The kinds whose verb may be left out."""
        self.spare = {kind: _spare_words(pattern) for kind, pattern in self.patterns.items()}
        goes = [kind for kind in self.kinds if kind.sort == GOES]
        self.goes = goes[0] if len(goes) == 1 and not goes[0].lasting else None
        """The one kind of order by which units get somewhere, if there is only one: every verb of going may
        mean it."""
        self.needed = {
            kind: {item.name for item in fields(kind)} - set(reader.defaults[kind]) for kind in self.kinds
        }
        self.slots = {kind: tuple(_slots(pattern)) for kind, pattern in self.patterns.items()}
        self.verbs = Verbs(
            frozenset(word for words in self.beginnings.values() for word in words), phrase.elsewhere
        )
        builtin = {
            id(reader.types[name])
            for name in ("unit", "units", "hex", "hexes", "path", "number", "word", "text")
        }
        self.vocabularies = {
            id(slot.type): slot
            for kind, slots in self.slots.items()
            for slot in slots
            if id(slot.type) not in builtin and slot.field not in reader.defaults[kind]
        }
        """The words of the game that an order must hold."""
        optional = {
            item.word if isinstance(item, Key) else item.type.title.removeprefix("one or more of ")
            for pattern in self.patterns.values()
            for item in _optional(pattern)
        }
        listed = {
            word for name, words in reader.grammar.words.items() for word in words
            if any(title == name or title.startswith(f"{name} (") for title in optional)
        }  # fmt: skip
        small = (
            TO
            | ON
            | WITH
            | VIA
            | FROM
            | AND
            | FILLERS
            | frozenset("a of is are then again for better most take".split())
        )
        self.terms = frozenset(word for word in optional | listed if word.isalpha()) - small
        """The words of the parts of an order that may be left out."""
        self.stages = reader.grammar.stages.words if reader.grammar.stages else frozenset()
        """What the game calls the stages in which orders are carried out: the number of one is no unit."""
        self.others = tuple(
            (re.compile(said, re.IGNORECASE), instead) for said, instead in reader.grammar.respelt
        )
        self.sayings = tuple(
            (re.compile(rf"(?:{said}){END}"), option) for said, option in (*reader.grammar.sayings, *OPTIONS)
        )
        self.moves_fight = any(kind.sort == GOES and "attack" in self.beginnings[kind] for kind in self.kinds)
        """Whether who moves attacks by that: an attack is a move."""

    def respelt(self, line: str) -> str:
        """A line with what people call things, and how they write them, as the order language has it."""
        line = PLEASE.sub("", line)
        for pattern, instead in (*self.others, *RESPELT):
            line = pattern.sub(instead, line)
        return line

    def read(self, line: str, names: Names, spoken: Set[str] = frozenset()) -> list[Outcome] | None:
        """The orders of a line, each of whose words is accounted for; None if it does not read so, or in more
        ways than one. `spoken` are the units of earlier lines: `the rest` are the others."""
        if DOUBLED.search(line):
            return None
        if "?" not in line and (orders := self._sentences(line, names, spoken)):
            return orders
        written = line.strip()
        line = self.respelt(written)
        if "?" in line:
            return None
        usual = self._as_usual(line, names) if line != written else None
        plain = usual or self._plain(line, names, spoken)
        if plain is None and (found := CONDITIONAL.match(line)):
            return self._on_condition(found, names) or self._without_comma(line, names)
        return plain or self._without_comma(line, names)

    def _without_comma(self, line: str, names: Names) -> list[Outcome] | None:
        """``if Carentan is ours 29US goes to 0816``: an order behind a condition without a comma between
        them."""
        words = line.split()
        if not words or words[0].lower() not in ("if", "unless", "when"):
            return None
        for end in range(4, min(len(words) - 1, MOST_ASKED)):
            asked, rest = " ".join(words[1:end]), " ".join(words[end:])
            found = CONDITIONAL.match(f"{words[0]} {asked}, {rest}")
            if not re.search("[,:;]", asked) and condition(asked, "", names) != asked and found:
                return self._on_condition(found, names)
        return None

    def _sentences(self, line: str, names: Names, spoken: Set[str]) -> list[Outcome] | None:
        """The orders of a line of several sentences, each of which reads alone."""
        sentences = re.split(r"(?<=[\w)])[.!]+\s+(?=\S)", line.strip().rstrip(".! "))
        if not 1 < len(sentences) <= MOST_ORDERS:
            return None
        found: list[Outcome] = []
        for sentence in sentences:
            orders = self._as_usual(sentence, names) or self._plain(sentence, names, spoken)
            if not orders:
                return None
            found += orders
        return found

    def mended(self, line: str, names: Names) -> list[Outcome] | None:
        """The orders of a line in which one or two words are misspelt, to be offered; None if it does not
        read so."""
        scan = Scan(line, names, self.reader.reserved)
        if "?" in line or not 1 < scan.length <= MOST_WORDS:
            return None
        mine = _Line(self, scan)
        strange = [
            piece
            for at, piece in enumerate(scan.pieces)
            if len(piece.text) > 2 and piece.text.isalpha() and not any(mine.covering(at))
        ]
        words = {piece.text.lower() for piece in strange}
        if not 0 < len(strange) <= MOST_MENDED or words & (LIMITING | TIMES):
            return None
        known = [word for word in (*KNOWN, *VERBS, *self.verbs.here, *NAME_WORDS) if len(word) > 2]
        lines = [line]
        for piece in reversed(strange):
            close = near(piece.text.lower(), known)[:3]
            lines = [f"{each[: piece.column]}{word}{each[piece.end :]}" for each in lines for word in close]
        found = (self.read(each, names) for each in lines)
        return next((each for each in found if each), None)

    def _plain(self, line: str, names: Names, spoken: Set[str] = frozenset()) -> list[Outcome] | None:
        line = re.sub(r"(?<=\d{4})\.(?= |$)", lambda found: self._full_stop(found, names), line)
        scan = Scan(line, names, self.reader.reserved)
        if not 0 < scan.length <= MOST_WORDS:
            return None
        return _Line(self, scan, spoken).read()

    def _as_usual(self, line: str, names: Names) -> list[Outcome] | None:
        """The order of a line that reads as usage lines have it once it has been put in other words."""
        read = self.phrase.read(line, names)
        return None if isinstance(read, Scan) else [Bound(read)]

    def _full_stop(self, found: re.Match[str], names: Names) -> str:
        """A full stop behind the number of a hex ends a sentence; one behind a unit's is part of its name."""
        number = found.string[: found.start()].rsplit(maxsplit=1)[-1]
        return "," if names.hex(number) and names.meant([number], frozenset()) is None else "."

    def _on_condition(self, found: re.Match[str], names: Names) -> list[Outcome] | None:
        """``716ID attacks 0908 if there is anybody in it, otherwise it stays``: one order and its condition,
        in the words of the usage lines."""
        main = self._plain(found["main"] or found["rest"] or "", names)
        if not self.reader.grammar.conditions or not main or len(main) != 1 or not isinstance(main[0], Order):
            return None
        order, other = main[0], (found["other"] or found["else"] or "").strip(" .,!")
        instead = ""
        if other and not STAYING.fullmatch(other.lower()):
            alone = self._plain(other, names)
            if alone is None or len(alone) != 1 or not isinstance(alone[0], Order):
                alone = self._plain(f"{', '.join(order.actors())} {other}", names)
            if alone is None or len(alone) != 1 or not isinstance(alone[0], Order):
                return None
            instead = f", else {self.reader.write(alone[0])}"
        hexes = order.targets() or getattr(order, "path", ())[-1:] or (str(getattr(order, "hex", "")),)
        asked = condition(found["if"] or found["when"], hexes[-1], names)
        unless = (found["word"] or found["behind"]).lower() == "unless"
        if unless and re.search(r"\b(?:and|or)\b", asked):
            return None
        if unless:
            asked = asked.removeprefix("not ") if asked.startswith("not ") else f"not {asked}"
        line = f"if {asked}, {self.reader.write(order)}{instead}"
        for _, captures in self.phrase.pattern.match(Scan(line, names, self.reader.reserved), 0):
            return [Bound(captures)]
        return None


def free_reader(reader: Reader, section: str, seat: str) -> FreeReader:
    """The reader of lines of a section in a free order of words, made once."""
    kinds = reader.grammar.allowed(section, seat)
    if kinds not in reader.made:
        reader.made[kinds] = FreeReader(reader, reader.phrase(section, seat), kinds)
    found: FreeReader = reader.made[kinds]
    return found


def _beginning(pattern: Pattern) -> tuple[str, ...]:
    """The keywords of a pattern in front of its first slot, those first with which a line may begin."""
    first = [key.word for key in leading(pattern)[0]]
    more: list[str] = []
    for item in pattern.parts() if isinstance(pattern, Series) else (pattern,):
        if item.slots():
            break
        more += [key.word for key in keywords(item)]
    small = TO | ON | WITH | VIA | FROM | AND | FILLERS | {"for", "of", "a"}
    return tuple(word for word in dict.fromkeys((*first, *more)) if word in first or word not in small)


def _first(pattern: Pattern) -> Pattern:
    return _first(pattern.items[0]) if isinstance(pattern, Series) else pattern


def _spare_words(pattern: Pattern) -> frozenset[str]:
    """The keywords that may be left out of a usage line without changing what it says."""
    match pattern:
        case Maybe():
            if not pattern.slots():
                return frozenset(key.word for key in keywords(pattern))
            return _spare_words(pattern.inner)
        case Flag() | Key() | Slot():
            return frozenset()
    found = frozenset(word for part in pattern.parts() for word in _spare_words(part))
    for before, after in zip(pattern.parts(), pattern.parts()[1:], strict=False):
        if isinstance(before, Slot) and before.type.title == "a number" and not after.slots():
            found |= {key.word for key in keywords(after)}  # "bombers" of "with <number> bombers"
    return found


def _optional(pattern: Pattern, inside: bool = False) -> Iterator[Key | Slot]:
    """The keywords and slots of the parts of a usage line that may be left out and say something."""
    inside = inside or (isinstance(pattern, Maybe | Some) and bool(pattern.slots()))
    if inside and isinstance(pattern, Key | Slot):
        yield pattern
    for part in pattern.parts():
        yield from _optional(part, inside)


def _slots(pattern: Pattern) -> Iterator[Slot]:
    if isinstance(pattern, Slot):
        yield pattern
    for part in pattern.parts():
        yield from _slots(part)


def _carried_on(order: Outcome, then: Outcome, joint: str | None) -> Order | None:
    """An order that brings units in with the way that these go on behind it: ``1US lands at 0714, then moves
    to 0813`` is one order. None if it is none, or has a way already."""
    if not (isinstance(order, Order) and isinstance(then, Order)) or then.sort != GOES:
        return None
    if not order.arrives or getattr(order, "path", None) != () or set(order.actors()) != set(then.actors()):
        return None
    path = getattr(then, "path", ())
    if then.arrives:  # no unit comes twice
        path = (then.hex, *path) if joint == "to" and type(then) is type(order) else ()  # type: ignore[attr-defined]
    return replace(order, path=path) if path else None  # type: ignore[call-arg]


def _comes_again(order: Outcome, then: Outcome) -> bool:
    """Whether both bring in the same units: no unit comes twice."""
    both = isinstance(order, Order) and isinstance(then, Order) and order.arrives and then.arrives
    return both and bool(set(order.actors()) & set(then.actors()))  # type: ignore[union-attr]


class _Line:
    """One line, put together word by word."""

    def __init__(self, free: FreeReader, scan: Scan, spoken: Set[str] = frozenset()) -> None:
        self.free = free
        self.spoken = spoken
        self.beside: Set[str] = frozenset()
        """The units of the other parts of the line, while one is made an order."""
        self.scan = scan
        self.names = scan.names
        self.steps = 0
        self.known: dict[int, list[tuple[int, Said]]] = {}

    def read(self) -> list[Outcome] | None:
        """The orders of the first way to put the line together that makes orders; None without one."""
        for clauses in self._ways(0, Clause(), ()):
            if (orders := self._orders(clauses)) is not None:
                return orders
            if self.steps > MOST_STEPS:
                return None
        return None

    # --- the concepts of a line --------------------------------------------------------------------------

    def _concepts(self, at: int) -> list[tuple[int, Said]]:
        if at not in self.known:
            self.known[at] = list(self._tagged(at))
        return self.known[at]

    def covering(self, at: int) -> Iterator[tuple[int, Said]]:
        """What the word at `at` may be, or be part of."""
        for start in range(max(0, at - LONGEST_NAME), at + 1):
            yield from ((end, said) for end, said in self._concepts(start) if end > at)

    def _tagged(self, at: int) -> Iterator[tuple[int, Said]]:
        """What the words from `at` on may be, the likeliest first: where each ends, and what it says."""
        scan, key = self.scan, self.scan.keys[at]
        behind = scan.keys[at + 1].rstrip(".,!") if at + 1 < scan.length else ""
        if behind in APART.get(key, ()):
            return
        tail = " ".join(scan.keys[at : scan.length])
        yield from self._told(at, tail)
        if everyone := AROUND.match(tail):
            yield from self._matched(at, tail, everyone, Said("all"))
        yield from self._nation(at, tail)
        if everyone := EVERYONE.match(tail):
            yield from self._everyone(at, tail, everyone)
        yield from self._units_at(at, behind)
        yield from self._words_at(at)
        if found := self._target(at):
            yield found[0], Said("target", found[1])
        foes = FOES.match(tail)
        there = self._target(at + foes[0].count(" ") + 1) if foes else None
        if foes and there and are_foes(foes["who"], self.names):
            yield there[0], Said("foe", there[1])
        yield from self._distances(at, tail)
        if of := REST_OF.match(tail):
            yield from self._rest_of(at + of[0].count(" ") + 1)
        if rest := REST.match(tail):
            yield from self._matched(at, tail, rest, Said("rest"))
        if idle := IDLE.match(tail):
            yield from self._matched(at, tail, idle, Said("idle"))
        if not self.free.moves_fight and (peace := NO_FIGHT.match(tail)):
            yield from self._matched(at, tail, peace, Said("peace"))
        if stay := STAY.match(tail):
            yield from self._matched(at, tail, stay, Said("stay", stay[0]))
        yield from self._verb(at)
        yield from self._figures(at, tail)
        if too := TOO.match(tail):
            yield from self._matched(at, tail, too, Said("too"))
        yield from self._small_words(at)

    def _units_at(self, at: int, behind: str) -> Iterator[tuple[int, Said]]:
        """The lists of units that begin here; `behind` is the next word. A figure that counts or measures
        names no unit."""
        scan, key = self.scan, self.scan.keys[at]
        for count, (end, units) in enumerate(self.free.phrase.unit_lists(scan, at)):
            if scan.keys[end - 1].rstrip(".") == "v" and self._target(end) is not None:
                continue  # "6AB + 1SSB v 1106" names no V Corps
            inside = any(word in EVERYBODY for word in scan.keys[at + 1 : end])
            figure = key[0].isdecimal() or key in NUMBERS
            if end == at + 1 and figure and (behind in MEASURES or behind in self.free.stages):
                continue
            if key in ("x", "×") and behind.isdecimal():
                continue  # "heavy x 2"
            if at and key.isdecimal() and scan.keys[at - 1] in self.free.stages:
                continue
            if count < 3 and not inside and self._are_own(units) and self._named(at, end, units):
                yield end, Said("everyone" if key in EVERYBODY else "units", units)

    def _distances(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """``one hex north``, ``2 hexes from``."""
        if step := STEP.match(tail):
            number = int(NUMBERS.get(step["n"], "1" if step["n"] in ("a", "an") else step["n"]))
            yield from self._matched(at, tail, step, Said("step", (number, initials(step["way"]))))
        if far := DISTANCE.match(tail):
            number = int(NUMBERS.get(far["n"], "1" if far["n"] == "a" else far["n"]))
            yield from self._matched(at, tail, far, Said("distance", number))

    def _figures(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """Numbers: of something, or of units."""
        key = self.scan.keys[at]
        in_words = key in NUMBERS and key != "ten"  # "ten" is a slip of "then"
        if in_words or (key.isdecimal() and len(key) < 3):
            yield at + 1, Said("number", int(NUMBERS.get(key, key)))
        if counted := COUNT.match(tail):
            written = counted["all"] or counted["n"]
            number = int(NUMBERS.get(written, written)) if written else 2
            members = tuple(unit.id for unit in self.names.own if unit.here and unit.id in self.names.within)
            if at == 0 and len(members) == number:  # ``21Pz: both at 1420``
                yield from self._matched(at, tail, counted, Said("units", expanded(members, (members,))))
            yield from self._matched(at, tail, counted, Said("count", number))

    def _small_words(self, at: int) -> Iterator[tuple[int, Said]]:
        """The words between the others: what joins them, what an order may leave out, what says nothing."""
        scan, key = self.scan, self.scan.keys[at]
        if key in ("all", "whole", "entire"):
            yield at + 1, Said("all")
        if key in EACH:
            yield at + 1, Said("each")
        if key in UNTIL:
            yield at + 1, Said("until")
        if key in ("round", "around"):
            yield at + 1, Said("near", key)
        for sort, words in (
            ("from", FROM),
            ("via", VIA),
            ("with", WITH),
            ("on", ON),
            ("to", TO),
            ("and", AND),
        ):
            if key.rstrip(".") == "v" and self._target(at + 1) is None:
                continue  # "V Corps" is no enemy
            if key in words or key.rstrip(".") in words:
                yield at + 1, Said(sort, key)
        spare = any(
            key in words and not (key in SUPPORT and kind.sort == ATTACK)  # "attack with naval"
            for kind, words in self.free.spare.items()
        )
        if spare and key not in LIMITING:
            yield at + 1, Said("key", key)
        set_of = at and scan.keys[at - 1 - (at > 1 and scan.keys[at - 1] == "the")] in SETS
        filler = key.rstrip(".,!?…") in FILLERS and not (set_of and key in KINDS)
        if key == "i" and next(self._words_at(at), None):
            filler = False  # "zones I and II"
        if filler or (key in STAFF and self._is_staff(at + 1)):
            yield at + 1, Said("filler", key)

    def _words_at(self, at: int) -> Iterator[tuple[int, Said]]:
        """The words of the game that begin at a word of the line."""
        scan = self.scan
        for slot in self.free.vocabularies.values():
            fresh = Scan(scan.line, scan.names, scan.reserved, scan.pieces)
            for end, value in slot.type.read(fresh, at, slot):
                yield end, Said("word", (slot, value))
                break

    def _nation(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """``the Canadians``: a set of units that goes by the name of a nation."""
        found = NATION.match(tail)
        for formation in self.names.roster.formations if found else ():
            assert found is not None
            members = self.names.members(formation) if formation.key == found[1] else ()
            if members:
                yield at + found[0].count(" ") + 1, Said("units", expanded(members, (members,)))

    def _everyone(self, at: int, tail: str, found: re.Match[str]) -> Iterator[tuple[int, Said]]:
        """``all reinforcements``: those who are to come, where units are brought in; else all on the map."""
        coming = all(self._brings_in(kind) for kind in self.free.kinds if kind.sort == GOES)
        own = tuple(unit.id for unit in self.names.own if not unit.absent and (unit.hex is None) == coming)
        if own:
            yield from self._matched(at, tail, found, Said("everyone", expanded(own, (own,))))

    def _rest_of(self, at: int) -> Iterator[tuple[int, Said]]:
        """``the rest of 12SS``: the units of a formation that no other line or clause speaks of."""
        for end, units in self.free.phrase.unit_lists(self.scan, at):
            if isinstance(units, Expanded) and len(units) > 1:
                yield end, Said("rest of", units)
                return

    def _are_own(self, units: Sequence[str]) -> bool:
        known = self.names.roster.units
        return bool(units) and not any(unit in known and known[unit].enemy for unit in units)

    def _named(self, at: int, end: int, units: Sequence[str]) -> bool:
        """Whether words name units by more than their kind: ``Corps HQ`` is not the one corps that has such a
        word in its name."""
        words = self.scan.keys[at:end]
        if self.names.within or len(units) > 1 or any(folded(word) in self.names.units for word in words):
            return True
        return not name_words(" ".join(words)) <= GENERIC

    def _is_staff(self, at: int) -> bool:
        """Whether a headquarters is named from a word on: ``HQ LXXXIV``."""
        _, units = next(iter(self.free.phrase.unit_lists(self.scan, at)), (0, ()))
        units = units or (("?",) if self.scan.keys[at] in STAFF and self._is_staff(at + 1) else ())
        return units == ("?",) or self._are_staff(units[:1])

    def _are_staff(self, units: Sequence[str]) -> bool:
        """Whether units are headquarters, as far as their names tell."""
        known = self.names.roster.units
        staff = {"corps", "army", "headquarters", "panzergroup"}
        return bool(units) and all(unit in known and name_words(known[unit].name) & staff for unit in units)

    def _told(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """Turns of phrase that stand for a part of an order, and odds."""
        odds = [
            slots
            for slots in self.free.slots.values()
            if any(slot.field == "odds" and not slot.type.title.startswith("a number") for slot in slots)
        ]
        if odds and (found := ODDS.match(tail)):
            yield from self._matched(
                at, tail, found, Said("option", f"at {found['one']}-{found['other']} or better")
            )
        if odds and (found := EVEN.match(tail)):
            yield from self._matched(at, tail, found, Said("option", "at 1-1 or better"))
        for pattern, option in self.free.sayings:
            if found := pattern.match(tail):
                groups = [
                    NUMBERS.get(each, "1" if each in ("a", "an") else each) if each else ""
                    for each in found.groups()
                ]
                text = option
                for number, value in enumerate(groups, 1):
                    text = text.replace(f"\\{number}", value)
                yield from self._matched(at, tail, found, Said("option", text) if text else Said("filler"))

    def _matched(self, at: int, tail: str, found: re.Match[str], said: Said) -> Iterator[tuple[int, Said]]:
        """A concept that takes whole words of the line."""
        text = found[0].rstrip()
        if text and (len(text) == len(tail) or tail[len(text)] == " "):
            yield at + text.count(" ") + 1, said

    def _target(self, at: int) -> tuple[int, str] | None:
        """A hex, or the hex of an enemy unit."""
        scan = Scan(self.scan.line, self.names, self.scan.reserved, self.scan.pieces)
        kind = self.free.reader.types["hex"]
        found = next(iter(kind.read(scan, at, Slot("hex", kind))), None)
        if found is None:
            return None
        end, hex = found
        bracket = scan.keys[end] == "("
        again = next(iter(kind.read(scan, end + bracket, Slot("hex", kind))), None) if bracket else None
        if again and again[1] == hex and scan.keys[again[0]] == ")":
            end = again[0] + 1
        return end, hex

    def _verb(self, at: int) -> Iterator[tuple[int, Said]]:
        word = self.scan.keys[at].rstrip(".!,")
        if word in TAKE:
            kinds = {kind for kind in self.free.kinds if kind.sort == ATTACK or kind in self.free.bare}
            yield at + 1, Said("verb", (frozenset(kinds), "take", word))
        mine = word if word in self.free.verbs.here else self.free.verbs.of(word)
        kinds = {kind for kind, words in self.free.beginnings.items() if mine and mine in words}
        if kinds:
            verb = "join" if word in ("join", "joins") else mine
            yield at + 1, Said("verb", (frozenset(kinds), verb, word))
        elif word in GOING and self.free.goes:
            yield at + 1, Said("verb", (frozenset((self.free.goes,)), word, word))

    # --- clauses -----------------------------------------------------------------------------------------

    def _ways(self, at: int, clause: Clause, before: tuple[Clause, ...]) -> Iterator[tuple[Clause, ...]]:
        """Every way to put the words from `at` on to the clauses so far."""
        self.steps += 1
        self.names.work.spend(1)
        if self.steps > MOST_STEPS or len(before) >= MOST_ORDERS:
            return
        if at >= self.scan.length:
            if not clause.empty and not clause.pending and clause.parted in ("", ",", ".", ")"):
                yield (*before, clause)
            return
        if at and self.scan.keys[at - 1].endswith(".") and self.scan.pieces[at].text[:1].isupper():
            clause = replace(clause, parted=clause.parted or ".")  # "with 51BR, 1SSB. Move to 0908"
        for end, said in self._concepts(at):
            if said.sort == "too":
                more = before and self._doing_the_same(before[-1], clause)
                yield from self._ways(end, more, before[:-1]) if more else ()
                continue
            for longer, done in self._with(clause, said):
                yield from self._ways(end, longer, (*before, *done))

    def _doing_the_same(self, last: Clause, clause: Clause) -> Clause | None:
        """The clause before with the units of this one, which says no more than that they do the same."""
        more = bool(clause.units) and not clause.whole and (clause.guessed or not clause.kinds)
        if not more or last.stay or set(last.units) & set(clause.units):
            return None
        return replace(last.ready, units=(*last.units, *clause.units), sets=(*last.sets, *clause.sets))

    def _with(self, clause: Clause, said: Said) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        """The clause with one more concept, or a new clause that begins with it, and the clauses that it
        ends."""
        still = clause.ready
        if clause.pending in ("from", "via", "until") and said.sort not in ("target", "filler"):
            return
        match said.sort:
            case "filler":
                if said.value != "there" or clause.last != "option" or len(clause.targets) < 2:
                    yield clause, ()  # not "to 1502 then 1503, 2 rounds there"
            case "and":
                if (
                    said.value != ")" or not clause.parted.isalpha()
                ):  # "(then back again)" names no next clause
                    yield replace(clause, parted=said.value), ()
            case "from" | "via" | "until" | "with" | "on" | "to":
                yield replace(clause, pending=said.sort, word=str(said.value or "")), ()
            case "key":
                counted = clause.counted or clause.last == "number"  # "2 bombers"
                yield replace(still, keys=still.keys | {said.value}, counted=counted), ()
            case "option":
                yield replace(still, options=(*still.options, said.value), last="option"), ()
            case "all":
                if len(clause.units) > 1 or clause.sets:
                    yield clause, ()
            case "step":
                if not clause.targets and clause.step is None:
                    yield replace(still, step=said.value), ()
            case "distance":
                if said.value == 1 and not clause.targets:
                    yield replace(still, near=True), ()
            case "near":
                if clause.stay:
                    yield replace(clause, pending="on", word=said.value), ()
            case "each":
                yield replace(still, each=True), ()
            case "count":
                yield replace(still, counts=(*still.counts, said.value)), ()
            case "number":
                if not clause.numbers or not clause.whole:
                    yield replace(still, numbers=(*still.numbers, said.value), last="number"), ()
                if clause.whole:
                    yield (
                        Clause(
                            kinds=clause.kinds,
                            verb=clause.verb,
                            guessed=True,
                            numbers=(said.value,),
                            counted=clause.counted,
                        ),
                        (clause,),
                    )
            case "word":
                yield from self._with_word(clause, said.value)
            case "verb":
                yield from self._with_verb(clause, *said.value)
            case "everyone" if clause.units:
                return
            case "rest of":
                for longer, done in self._with_units(clause, Said("units", said.value)):
                    yield replace(longer, left_of=said.value), done
            case "units" | "rest" | "everyone":
                yield from self._with_units(clause, said)
            case "idle":
                yield Clause(rest=True, stay=True), () if clause.empty else (clause,)
            case "peace":
                yield replace(still, peace=True), ()
            case "stay" if self._fights(clause) and not clause.guessed and PEACE.match(said.value):
                return  # "attack 0912 with 50BR, no attack"
            case "stay":
                if not clause.targets and (not clause.kinds or clause.guessed) and not clause.options:
                    yield replace(still, stay=True, kinds=None), ()
                if clause.whole and clause.parted:
                    yield Clause(units=clause.units, borrowed=True, stay=True), (clause,)
            case "foe":
                if clause.kinds and any(kind.sort == ATTACK for kind in clause.kinds):
                    yield from self._with_target(clause, said.value)
            case "target":
                yield from self._with_target(clause, said.value)

    def _with_word(
        self, clause: Clause, value: tuple[Slot, Any]
    ) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        slot, word = value
        words = word if isinstance(word, tuple) else (word,)
        more = tuple((slot.type.title, each) for each in words)
        still = clause.ready
        known = {title for title, _ in clause.words}
        if slot.type.title not in known:
            yield replace(still, words=(*clause.words, *more)), ()
        elif clause.targets or clause.units or clause.numbers:
            yield Clause(kinds=clause.kinds, verb=clause.verb, guessed=True, words=more), (clause,)

    def _with_verb(
        self, clause: Clause, kinds: frozenset[type[Order]], verb: str, word: str
    ) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        still = clause.ready
        fought = clause.kinds and all(kind.sort == ATTACK for kind in clause.kinds)
        then = word in AFTER_BATTLE and not any(kind.sort == ATTACK for kind in kinds)
        if fought and then and (clause.parted or not clause.guessed):
            return  # "attack 1118 with 9US, advance 9US to 1118" moves nobody before the battle
        if fought and clause.guessed and clause.units and clause.parted and not clause.whole:
            return  # "attack 1118 with 4US, 9US, then move to 1117" is no move of 9US alone
        if (clause.kinds is None or clause.guessed) and not (clause.whole and clause.parted):
            yield (
                replace(
                    still,
                    kinds=kinds,
                    verb=verb,
                    guessed=False,
                    afterwards=then,
                    subject=clause.units,
                    counted=clause.last == "number",
                ),
                (),
            )
        elif clause.kinds and not clause.whole and (both := clause.kinds & kinds):
            yield replace(still, kinds=both, verb=clause.verb), ()
        if clause.company and clause.last == "units":
            return  # "attack 1118 with 9US, 35US attacks 1217"
        if clause.whole:
            borrowed = not clause.rest and bool(clause.units)
            ordered = bool(clause.kinds and not clause.guessed) or clause.parted != "then"
            imperative = ordered and not clause.subject and not word.endswith("s")
            lent = borrowed and (imperative or set(clause.units) == set(clause.company))
            yield (
                Clause(
                    kinds=kinds, verb=verb, units=clause.units, sets=clause.sets, borrowed=borrowed, lent=lent
                ),
                (clause,),
            )

    def _with_units(self, clause: Clause, said: Said) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        units = said.value or ()
        if clause.verb == "join" and clause.subject and not clause.whole:  # "743 joins the 116th"
            hexes = {self.names.going.get(unit) or self._hex(unit) for unit in units}
            if len(hexes) == 1 and (hex := hexes.pop()):
                yield replace(clause.ready, targets=(hex,), joint="to"), ()
            return
        if clause.pending in ("to", "on", "until") and clause.word.isalpha():
            return
        if clause.stay and clause.pending == "with":
            return  # "79b stays with 3BR": beside it, wherever it goes
        sets = units.sets if isinstance(units, Expanded) else ()
        rest = said.sort == "rest"
        if rest and clause.last == "option":
            return  # "attack 1007 with 51BR, fighters 1, rest on 1008": the rest of the fighters?
        still = clause.ready
        if clause.pending == "with" and clause.after:  # "1502 with 2A and 1403 with 5A"
            targets = clause.targets[: -len(clause.after)]
            then = Clause(
                kinds=clause.kinds, verb=clause.verb, guessed=True, units=units, sets=sets, company=units,
                rest=rest, targets=clause.after,
            )  # fmt: skip
            yield then, (replace(clause, targets=targets, after=()),)
            return
        if not clause.whole or clause.pending == "with" or not (clause.units or clause.rest):
            anew = clause.borrowed and (clause.lent or clause.pending != "with")
            own = () if anew else clause.units
            if units and set(units) == set(own):
                yield still, ()
            elif clause.borrowed and clause.pending == "with" and set(own) < set(units):
                yield replace(still, units=units, sets=sets, borrowed=False), ()
            elif clause.sets and units and set(units) < set(clause.sets[-1]):
                # ``21 Pz (22 and 192)``, ``Brits: 7BrA``: of the formation in front only these are meant
                if clause.parted == "(" or clause.word == ":":
                    others = tuple(unit for unit in own if unit not in clause.sets[-1])
                    yield replace(still, units=(*others, *units), sets=clause.sets[:-1]), ()
            elif clause.word == ":" and own and self._are_staff(own) and not self._are_staff(units):
                yield replace(still, units=units, sets=sets), ()  # "VII/US: 4US to 1117" is its heading
            elif not (set(own) & set(units)):
                yield replace(
                    still, units=(*own, *units), sets=(*(() if anew else clause.sets), *sets),
                    company=(*clause.company, *units) if clause.pending == "with" else clause.company,
                    rest=clause.rest or rest, borrowed=False, last="units",
                ), ()  # fmt: skip
        paired = clause.company and clause.parted and not clause.targets
        if (clause.whole or paired) and (clause.units or clause.rest) and clause.pending != "with":
            kinds = None if clause.stay else clause.kinds
            yield (
                Clause(kinds=kinds, verb=clause.verb, guessed=True, units=units, sets=sets, rest=rest),
                (clause,),
            )

    def _with_target(self, clause: Clause, hex: str) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        still = clause.ready
        match clause.pending:
            case "from":
                yield replace(still, origin=(*clause.origin, hex)), ()
                return
            case "via":
                yield replace(still, via=(*clause.via, hex)), ()
                return
            case "on" if clause.last == "option" and clause.targets != (hex,):
                return  # "heavy on 1518" is no further hex to attack
        if clause.stay and not clause.targets:
            yield replace(still, origin=(*clause.origin, hex)), ()
            return
        joint = clause.joint or clause.pending or ""
        if hex not in clause.targets[-1:]:
            behind = clause.targets and clause.company and clause.company == clause.units
            still = replace(still, after=(*still.after, hex) if behind else ())
            targets = (*clause.targets, hex)
        else:
            targets = clause.targets
        onward = clause.onward or (bool(clause.targets) and clause.pending in ("to", "until"))
        way = clause.way or (not clause.targets and clause.pending == "to" and clause.word.isalpha())
        yield replace(still, targets=targets, joint=joint, onward=onward, way=way), ()

    # --- orders ------------------------------------------------------------------------------------------

    def _orders(self, clauses: Sequence[Clause]) -> list[Outcome] | None:
        """The orders of the clauses; None if one of them is none, or may be two."""
        if len(clauses) > 1 and any(clause.each and clause.options for clause in clauses):
            return None  # "2A to 1502 and 5A to 1403, 2 rounds each"
        found: list[Outcome] = []
        for at, clause in enumerate(clauses):
            if clause.afterwards and any(map(self._fights, clauses[:at])):
                return None  # "attack 1015 with Koszutski, Koszutski advances to 1015"
            if clause.guessed and clause.way and self._fights(clause):
                return None  # "attack 1625 with 6/2C and 7/3C to 1421"
            if clause.left_of:
                others = {unit for each in clauses if each is not clause for unit in each.units} | self.spoken
                left = tuple(unit for unit in clause.units if unit not in others)
                if not others & set(clause.left_of) or not left:
                    return None
                clause = replace(clause, units=left, sets=(left,), left_of=())
            self.beside = {unit for each in clauses if each is not clause for unit in each.units}
            orders = self._order(clause)
            if orders is None:
                return None
            if found and len(orders) == 1 and (on := _carried_on(found[-1], orders[0], clause.joint)):
                found[-1] = on
            elif any(_comes_again(each, order) for each in found for order in orders):
                return None
            else:
                found += orders
        named = [unit for each in found for unit in (each.units if isinstance(each, Staying) else ())]
        acting = {unit for each in found if isinstance(each, Order) for unit in each.actors()}
        return None if acting & set(named) else found

    @staticmethod
    def _fights(clause: Clause) -> bool:
        """Whether a clause is an attack."""
        return bool(clause.kinds) and all(kind.sort == ATTACK for kind in clause.kinds or ())

    def _order(self, clause: Clause) -> list[Outcome] | None:
        if any(count != len(clause.units) for count in clause.counts) and not clause.rest:
            return None
        if clause.stay:
            return self._staying(clause)
        if clause.origin and not self._starts(clause):
            return None
        led = set(clause.units) - set(clause.subject) - set(clause.company)
        if led and clause.subject and self._are_staff(clause.subject):
            return None  # "VII Corps moves 4US to 1117": does its headquarters go along?
        if clause.near and not self._is_near(clause):
            return None
        if clause.step is not None:
            return self._stepping(clause, *clause.step)
        clause = self._joining(clause)
        for kinds in [tuple(clause.kinds)] if clause.kinds else self._without_verb(clause):
            found: dict[tuple[Order, ...], bool] = {}
            if clause.verb == "take" and len({kind.sort == ATTACK for kind in kinds}) > 1:
                attack = self._enemies(clause.targets)
                kinds = tuple(kind for kind in kinds if (kind.sort == ATTACK) == attack)
            for kind in sorted(kinds, key=self.free.kinds.index):
                if orders := self._made(kind, clause):
                    found.setdefault(tuple(orders), clause.verb in self.free.leads[kind])
            if len(found) > 1 and len(best := [each for each, first in found.items() if first]) == 1:
                return list(best[0])
            if found:
                return list(next(iter(found))) if len(found) == 1 else None
        return None

    def _joining(self, clause: Clause) -> Clause:
        """``Greys with 71/53``, set up where earlier lines place those that they are with; a hex that is
        named besides must be that one."""
        company, own = clause.company, clause.units[: -len(clause.company) or None]
        if not company or not own or (*own, *company) != clause.units or clause.via or clause.counts:
            return clause
        if not any(kind.arrives for kind in self.free.kinds):
            return clause
        if any(map(self._hex, own)) and not self._sets_up():
            return clause
        there = {self.names.going.get(unit) for unit in company}
        if len(there) > 1 or None in there or set(clause.targets) - there:
            return clause
        return replace(clause, units=own, company=(), sets=(), targets=tuple(filter(None, there)), joint="on")

    def _sets_up(self) -> bool:
        """Whether units are set up in this section: it has a default for those that are not named."""
        return any(not slots for each, slots in self.free.slots.items() if not each.ends)

    def _stepping(self, clause: Clause, number: int, way: str) -> list[Outcome] | None:
        """``one hex south``: an order for the units of each hex."""
        found: list[Outcome] = []
        toward = self.names.roster.toward
        starts = dict.fromkeys(self.names.going.get(unit) or self._hex(unit) for unit in clause.units)
        for start in starts:
            end = toward(start, way, number) if toward and start else None
            if end is None or not set(clause.targets) <= {end}:
                return None
            there = tuple(
                unit for unit in clause.units if (self.names.going.get(unit) or self._hex(unit)) == start
            )
            one = replace(
                clause, step=None, each=False, units=there, sets=(), counts=(), targets=(end,), joint="to"
            )
            if (orders := self._order(one)) is None:
                return None
            found += orders
        return found or None

    def _hex(self, unit: str) -> str | None:
        known = self.names.roster.units
        return known[unit].hex if unit in known else None

    def _without_verb(self, clause: Clause) -> Iterator[tuple[type[Order], ...]]:
        """The kinds of order that a clause without a verb may be: an attack, if it says ``on`` a hex of the
        enemy or names odds, or nothing moves; else those whose verb may be left out; else any."""
        if not (clause.units or clause.words or clause.rest):
            return  # "Le Havre again." is no order
        may = [kind for kind in self.free.kinds if not kind.lasting]
        moves = any(kind.sort == GOES for kind in may)
        odds = any(option.startswith("at ") for option in clause.options)
        told = (clause.joint == "on" or odds) and self._enemies(clause.targets)
        if clause.targets and (told or (clause.units and not moves)):
            yield tuple(kind for kind in may if kind.sort == ATTACK)
            if any(kind.sort == ATTACK for kind in may):
                return
        yield tuple(kind for kind in may if kind in self.free.bare)
        named = self.free.phrase.orders
        if not (clause.targets or clause.words or clause.numbers):
            return
        yield tuple(
            kind
            for kind in may
            if kind.sort != ATTACK
            and (kind.verb not in ATTACKS or kind.sort == GOES)
            and (kind.verb in named or not named)
        )

    def _enemies(self, hexes: Iterable[str]) -> bool:
        units = self.names.roster.units.values()
        return all(any(unit.enemy and unit.hex == hex for unit in units) for hex in hexes)

    def _staying(self, clause: Clause) -> list[Outcome] | None:
        if clause.kinds or clause.targets or clause.options or clause.numbers or clause.words or clause.via:
            return None
        if clause.rest:
            return [Staying(())]
        own = {unit.id for unit in self.names.own if unit.here and unit.hex}
        if clause.origin and not clause.units:  # "hold at 3739"
            there = tuple(unit.id for unit in self.names.own if unit.here and unit.hex in clause.origin)
            return [Staying(there)] if there else None
        ends = next((kind for kind in self.free.kinds if kind.ends and not self.free.slots[kind]), None)
        mine = own & self.names.commanded or own
        if ends and (not clause.units or (mine and set(clause.units) >= mine)):
            return [ends()]
        where = {self.names.roster.units[unit].hex for unit in clause.units}
        if not clause.units or not set(clause.origin) <= where:
            return None
        return [Staying(tuple(clause.units))]

    def _starts(self, clause: Clause) -> bool:
        """Whether units are where a line says that they come from."""
        going, units = self.names.going, self.names.roster.units
        return all(
            {going.get(unit, units[unit].hex), units[unit].hex} & set(clause.origin) for unit in clause.units
        ) and bool(clause.units)

    def _is_near(self, clause: Clause) -> bool:
        """Whether the one hex that a clause names is next to where its units are."""
        starts = [self.names.going.get(unit) or self._hex(unit) for unit in clause.units]
        around = self.names.roster.neighbours
        if around is None or len(clause.targets) != 1:
            return False
        return all(start and clause.targets[0] in around(start) for start in starts)

    def _made(self, kind: type[Order], clause: Clause) -> list[Order]:
        """The clause as orders of a kind; none if it does not fit."""
        if not clause.keys <= self.free.spare[kind] or (clause.peace and kind.sort == ATTACK):
            return []
        if clause.each and clause.units and kind.sort == ATTACK:
            return []  # one attack of all, or one for each?
        if clause.rest:
            if clause.units or clause.kinds is None or not (rest := self._rest(kind)):
                return []
            clause = replace(clause, units=rest, sets=(rest,), rest=False)
        if clause.kinds is None and kind.sort == GOES and not self._fits_map(kind, clause):
            return []
        if kind.arrives and clause.company and clause.sets:
            return []
        if kind.arrives and not self._sets_up() and any(map(self._hex, clause.units)):
            return []
        if kind.arrives and any(
            self.names.roster.units[unit].hex in clause.targets for unit in clause.company
        ):
            return []
        if self._one_each(kind, clause):
            each_ = zip(clause.units, clause.targets, strict=True)
            ones = [replace(clause, units=(unit,), targets=(hex,), counts=()) for unit, hex in each_]
            made = [self._made(kind, one) for one in ones]
            return [order for orders in made for order in orders] if all(made) else []
        filling = Filling(
            self.free.reader.types, self.free.slots[kind], self.free.needed[kind], clause,
            lambda hex: self._starts(replace(clause, origin=(hex,))),
        )  # fmt: skip
        if (values := filling.values()) is None:
            return []
        found: list[Order] = []
        for each in values:
            text = self.free.reader.write(kind(**each))
            options = [option.replace("{units}", ", ".join(clause.units)) for option in clause.options]
            line = ", ".join((text, *options))
            read = self._reads(line, kind)
            if read is None:
                return []
            if not options and not isinstance(each.get("units"), Expanded):
                found.append(read)
            else:
                units = each.get("units")
                found.append(replace(read, units=units) if isinstance(units, Expanded) else read)  # type: ignore[call-arg]
        return found

    def _one_each(self, kind: type[Order], clause: Clause) -> bool:
        """``176, 177 and 197 in 1331, 1332 and 1333``: as many units set up, each named, as there are
        hexes."""
        path = any(slot.type is self.free.reader.types["path"] for slot in self.free.slots[kind])
        plain = not (clause.sets or clause.company or clause.via or clause.onward or path)
        return plain and kind.arrives and len(clause.units) == len(clause.targets) > 1

    def _rest(self, kind: type[Order]) -> tuple[str, ...]:
        """The units that no earlier line and no other part of this one speaks of, for an order that brings
        them in, or that all on the map may have; none for moves, where the rest of a stack may be meant."""
        if any(slot.type.title == self.free.reader.types["path"].title for slot in self.free.slots[kind]):
            return ()
        mine = self.names.commanded
        left = [
            unit
            for unit in self.names.own
            if unit.here and unit.id not in self.spoken | self.beside and (not mine or unit.id in mine)
        ]
        return tuple(unit.id for unit in left if (unit.hex is None) == self._brings_in(kind))

    def _brings_in(self, kind: type[Order]) -> bool:
        """Whether an order brings units onto the map: it says where they go, and needs no way."""
        path, needed = self.free.reader.types["path"], self.free.needed[kind]
        return kind.sort == GOES and not any(
            slot.type is path and slot.field in needed for slot in self.free.slots[kind]
        )

    def _fits_map(self, kind: type[Order], clause: Clause) -> bool:
        """Whether a line without a verb may be an order of this kind, if the section has some that bring
        units in and some that move them: one that brings them in where none of them is on the map, one that
        moves them where all are, or where the line says ``to``."""
        if (
            len({self._brings_in(each) for each in self.free.kinds if each.sort == GOES and not each.lasting})
            < 2
        ):
            return True
        here = [bool(self._hex(unit)) for unit in clause.units if unit in self.names.roster.units]
        if clause.joint == "to" and clause.way:
            return not self._brings_in(kind)
        return not any(here) if self._brings_in(kind) else all(here)

    def _reads(self, line: str, kind: type[Order]) -> Order | None:
        scan = Scan(line, self._plain, self.scan.reserved)
        for _, captures in self.free.phrase.pattern.match(scan, 0):
            order: Order = dict(captures)["order"]
            return order if type(order) is kind else None
        return None

    @property
    def _plain(self) -> Any:
        return self.names
