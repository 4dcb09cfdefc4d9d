"""Orders in a free order of words: ``5131: 8 and 22 Infantry, heavy gunfire``, ``3A to 1303, 4A to 1304, the
rest stays``.

A line that no usage line fits as it stands is divided into what it names: units, hexes, verbs, numbers, words
of the game, and turns of phrase that stand for a part of an order. A line is read if each of its words is one
of these, or a filler that says nothing, and if these together make orders in one way. A word that is none of
them leaves the line unread: nothing is read around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from pbem.engine.language.courtesies import LIMITS
from pbem.engine.language.model import ATTACK, GOES, Order
from pbem.engine.language.names import GENERIC, Names, folded, name_words
from pbem.engine.language.people import NUMBERS, Verbs
from pbem.engine.language.slots import Expanded, expanded
from pbem.engine.language.usage import (
    Choice,
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

if TYPE_CHECKING:
    from pbem.engine.language.phrases import Phrase, Reader

MOST_STEPS = 4_000
"""At most this many ways to put a line together are looked at: reading must be quick, whatever the text."""
MOST_WORDS = 60
MOST_ORDERS = 12

FILLERS = frozenset(
    "the our my its their his your this that these those will shall should would must can please pls thanks "
    "also too so now here immediately directly together hex hexes unit units division div corps there back "
    "just simply forward up down inland quickly fast again we i it they he she them him is are be as well "
    "own straight go along ok okay road strategic strategically movement strategical "
    "der die das den dem le la les des el los las il lo gli de van zum zur".split()
)
"""Words that say nothing an order could depend on, where the hexes are named."""
LIMITING = LIMITS | frozenset("most max maximum least min minimum".split())
"""Words that are never left out: of an option that they stand in front of, and of whatever else they limit."""
TO = frozenset("to into toward towards onto nach vers hacia verso naar auf gen > -> => – — → : @ =".split())
ON = frozenset("on at in against vs versus upon gegen auf contre contra contro tegen en à a sur sobre".split())
WITH = frozenset("with w/ w using by mit avec con met from-together plus".split())
VIA = frozenset("via through over über uber par por".split())
FROM = frozenset("from von aus de depuis desde".split())
AND = frozenset(", & + and und et y e ed en then next afterwards puis danach dann luego poi . / u. -".split())
_END = r"(?= |$)"
REST = re.compile(
    r"(?:all )?(?:the )?(?:rest|others|remainder|remaining (?:units|ones))(?: of (?:the )?(?:units|army|others))?"
    r"|every(?:one|body|thing) else|all (?:the )?other(?:s| units)|alles andere|alle anderen|(?:der )?rest"
)
REST = re.compile(rf"(?:{REST.pattern}){_END}")
_STAY = re.compile(
    r"(?:(?:do(?:es)? not|don't|dont|doesn't|doesnt|will not|won't|cannot|can't) "
    r"(?:move|attack|fight|do anything)(?: at all)?"
    r"|no (?:move|movement|attack|attacks|orders|action|fighting)"
    r"|(?:to )?(?:stay|stays|stand|stands|remain|remains|hold|holds|sit|sits|wait|waits)"
    r"(?: (?:put|fast|still|firm|behind|aboard|in place|in position|in its place|in their places|where (?:it|they) "
    r"(?:is|are)|as (?:it|they) (?:is|are)|dug in|in reserve|for now|tight|there|here|ashore|put))*"
    r"|holds? (?:position|positions|its ground|their ground|the line)|nothing|do(?:es)? nothing|pass(?:es)?"
    r"|not yet|bleib(?:t|en)(?: stehen)?|hält|halten|rest(?:e|ent)|an ort und stelle|stay)"
    r"(?: (?:this turn|this phase|for now))*"
    rf"{_END}"
)
"""What is said of units that do nothing."""
COUNT = re.compile(
    r"(?:all|both|the)? ?(?P<n>two|three|four|five|2|3|4|5)(?: of (?:them|it))?"
    r"(?: (?:regiments|regts|brigades|battalions|divisions|units|kgs|combat commands))?|(?P<both>both)(?: of them)?"
)
COUNT = re.compile(rf"(?:{COUNT.pattern}){_END}")
_N = r"(\d{1,2}|one|two|three|four|five|six|a|an)"
_ODDS_CUE = r"(?:at )?(?:the )?least|min\.?|minimum(?: of)?|(?:no|not) (?:worse|less|lower|below|under)(?: than)?"
_ODDS = re.compile(
    rf"(?:but |and )?(?:(?:only|but only) )?(?:(?:if|when) )?(?:the )?(?:odds )?(?:are )?"
    rf"(?:(?:it's|its|it is|we get|we have|that is|the odds are) )?(?:(?:at|with) )?(?:(?:{_ODDS_CUE}) )?(?:at )?"
    r"(?P<one>\d{1,2})(?: ?[-:] ?| to )(?P<other>\d{1,2})(?!\d)"
    r"(?: (?:at (?:the )?least|or (?:better|more|higher|above)|minimum|min\.?|odds|only))*"
    r"(?: ?,? (?:otherwise|else|if not)(?: they| it| he| both| we)?"
    r" (?:stays?|holds?|remains?|no attack|do(?:es)? not|not|sits? tight|none|stands? fast|pass))?"
    rf"{_END}"
)
"""Odds below which an attack is not made."""
_EVEN = re.compile(rf"(?:only )?(?:if |at )?(?:least )?even odds(?: or better| at least)?{_END}")

RESPELT: tuple[tuple[str, str], ...] = (
    (r"\b(?:hitler ?jugend|HJ)\b", "12SS"),
    (r"\bdas reich\b", "2SS"),
    (r"\b(?:leibstandarte|LS?S?AH)\b", "1SS"),
    (r"\bhohenstaufen\b", "9SS"),
    (r"\bfrundsberg\b", "10SS"),
    (r"\b(?:windhund|greyhound) division\b", "116Pz"),
    (r"(?<=\w)['’]s\b(?! (?:free|empty|held))", ""),
    (r"\bgreif(?:t|en)\b(.*?)\ban\b", r"attacks\1"),
    (r"\brück(?:t|en)\b(.*?)\bvor\b", r"moves\1"),
    (r"\b(?:come|comes|coming) in\b", "enters"),
    (r"\b(?:go|goes|come|comes|get|gets) ashore\b", "lands"),
    (r"\bhas a go at\b|\bhave a go at\b", "attacks"),
    (r"\bby way of\b", "via"),
    (r"\b(?:strategic|strategical|strategische[rs]?|mouvement strat[ée]gique)(?: (?:move|movement|bewegung))?\b", ""),
    (r"\b(?:par la|along the|by|on the) (?:route|road)\b", ""),
    (r"\.{2,}|…|[!?]+(?= |$)", ","),
    (r"=+>|—>|–>", "->"),
    (r"(?<=\w)/(?= )|(?<= )/(?= )", ","),
    (r"\bu\.(?= )", "and"),
    (r"(?<=\d{4})[.](?= |$)|(?<=\w{4})[.](?= [A-Z\d])", ","),
)
"""What people call things besides, and how they write them, in any game."""
_RESPELT = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in RESPELT)

TAKE = frozenset("take takes retake retakes capture captures seize seizes occupy occupies liberate liberates".split())
"""Verbs that mean an attack where the enemy is, else a move."""

OPTIONS: tuple[tuple[str, str], ...] = (
    (r"(?:with )?no advances?(?: after combat)?|(?:do(?:es)? not|don't|dont) advance|nobody advances", "no advance"),
    (
        r"(?:and |, )?(?:then )?(?:follows? up|advances? after(?: the)?(?: combat)?|advance yes|and advances?"
        r"|advances? if (?:they|it|he|the enemy) (?:goes?|retreats?|leaves?|falls?))",
        "advance {units}",
    ),
)
"""Turns of phrase for a part of an order, in any game that has it; `{units}` are those of the order."""


@dataclass(frozen=True, slots=True)
class Said:
    """One concept of a line."""

    sort: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Clause:
    """An order as it is put together."""

    kinds: frozenset[type[Order]] | None = None
    verb: str = ""
    guessed: bool = False
    """Whether its verb is that of the clause before."""
    units: tuple[str, ...] = ()
    sets: tuple[tuple[str, ...], ...] = ()
    rest: bool = False
    borrowed: bool = False
    """Whether its units are those of the clause before."""
    targets: tuple[str, ...] = ()
    joint: str = ""
    via: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    counts: tuple[int, ...] = ()
    each: bool = False
    stay: bool = False
    pending: str = ""
    """The preposition that was read last, for what follows it."""
    parted: bool = False
    """Whether a comma, `and` or `then` was read last."""

    @property
    def empty(self) -> bool:
        return not (self.units or self.rest or self.targets or self.kinds or self.numbers or self.words)

    @property
    def whole(self) -> bool:
        """Whether it could be an order as it is."""
        return bool(self.stay or self.targets or self.via or self.words or self.options)


@dataclass(frozen=True, slots=True)
class Staying:
    """Units that do nothing; without any, all the others."""

    units: tuple[str, ...]


Outcome = Order | Staying


class FreeReader:
    """Reads lines of one section in a free order of words."""

    def __init__(self, reader: Reader, phrase: Phrase, kinds: Sequence[type[Order]]) -> None:
        self.reader = reader
        self.phrase = phrase
        self.kinds = tuple(kind for kind in kinds if not kind.grave)
        self.patterns = {kind: reader.patterns[kind] for kind in self.kinds}
        self.beginnings = {kind: _beginning(pattern) for kind, pattern in self.patterns.items()}
        self.bare = {kind for kind, pattern in self.patterns.items() if isinstance(_first(pattern), Maybe)}
        """The kinds whose verb may be left out."""
        self.spare = {kind: _spare_words(pattern) for kind, pattern in self.patterns.items()}
        self.slots = {kind: tuple(_slots(pattern)) for kind, pattern in self.patterns.items()}
        self.verbs = Verbs(frozenset(word for words in self.beginnings.values() for word in words), phrase.elsewhere)
        builtin = {id(reader.types[name]) for name in ("unit", "units", "hex", "hexes", "path", "number", "word", "text")}
        self.vocabularies = {
            id(slot.type): slot
            for slots in self.slots.values()
            for slot in slots
            if id(slot.type) not in builtin and not slot.type.title.startswith("one or more of ")
        } | {
            id(slot.type): slot
            for slots in self.slots.values()
            for slot in slots
            if slot.type.title.startswith("one or more of ")
        }
        self.respelt = tuple(
            (re.compile(said, re.IGNORECASE), instead) for said, instead in reader.grammar.respelt
        )
        self.sayings = tuple(
            (re.compile(rf"(?:{said}){_END}"), option) for said, option in (*reader.grammar.sayings, *OPTIONS)
        )

    def read(self, line: str, names: Names) -> list[Outcome] | None:
        """The orders of a line, each of whose words is accounted for; None if it does not read so, or in more
        ways than one."""
        for pattern, instead in (*self.respelt, *_RESPELT):
            line = pattern.sub(instead, line)
        scan = Scan(line, names, self.reader.reserved)
        if not 1 < scan.length <= MOST_WORDS:
            return None
        return _Line(self, scan).read()


def _beginning(pattern: Pattern) -> tuple[str, ...]:
    """The keywords of a pattern in front of its first slot, those first with which a line may begin."""
    first = [key.word for key in leading(pattern)[0]]
    more: list[str] = []
    for item in pattern.parts() if isinstance(pattern, Series) else (pattern,):
        if item.slots():
            break
        more += [key.word for key in keywords(item)]
    return tuple(dict.fromkeys((*first, *more)))


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
    return frozenset(word for part in pattern.parts() for word in _spare_words(part))


def _slots(pattern: Pattern) -> Iterator[Slot]:
    if isinstance(pattern, Slot):
        yield pattern
    for part in pattern.parts():
        yield from _slots(part)


class _Line:
    """One line, put together word by word."""

    def __init__(self, free: FreeReader, scan: Scan) -> None:
        self.free = free
        self.scan = scan
        self.names = scan.names
        self.steps = 0
        self.known: dict[int, list[tuple[int, Said]]] = {}
        self.found: list[list[Outcome]] = []

    def read(self) -> list[Outcome] | None:
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

    def _tagged(self, at: int) -> Iterator[tuple[int, Said]]:
        """What the words from `at` on may be, the likeliest first: where each ends, and what it says."""
        scan, key = self.scan, self.scan.keys[at]
        tail = " ".join(scan.keys[at : scan.length])
        yield from self._told(at, tail)
        yield from self._nation(at, tail)
        for count, (end, units) in enumerate(self.free.phrase.unit_lists(scan, at)):
            if count < 3 and self._are_own(units) and self._named(at, end, units):
                yield end, Said("units", units)
        for slot in self.free.vocabularies.values():
            for end, value in slot.type.read(Scan(scan.line, scan.names, scan.reserved, scan.pieces), at, slot):
                yield end, Said("word", (slot, value))
                break
        if found := self._target(at):
            yield found[0], Said("target", found[1])
        if rest := REST.match(tail):
            yield from self._matched(at, tail, rest, Said("rest"))
        if stay := _STAY.match(tail):
            yield from self._matched(at, tail, stay, Said("stay"))
        yield from self._verb(at)
        if key in NUMBERS or key.isdigit():
            yield at + 1, Said("number", int(NUMBERS.get(key, key)))
        if (count_ := COUNT.match(tail)) and (count_["n"] or count_["both"]):
            number = 2 if count_["both"] else int(NUMBERS.get(count_["n"], count_["n"]))
            yield from self._matched(at, tail, count_, Said("count", number))
        if key in ("all", "whole", "entire"):
            yield at + 1, Said("all")
        if key in ("each", "je"):
            yield at + 1, Said("each")
        for sort, words in (("from", FROM), ("via", VIA), ("with", WITH), ("on", ON), ("to", TO), ("and", AND)):
            if key in words or key.rstrip(".") in words:
                yield at + 1, Said(sort)
        if key not in LIMITING and any(key in spare for spare in self.free.spare.values()):
            yield at + 1, Said("key", key)
        if key.rstrip(".,!?…") in FILLERS:
            yield at + 1, Said("filler")

    def _nation(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """``the Canadians``: a set of units that goes by the name of a nation."""
        found = re.match(r"(?:the )?(british|canadians|poles|french|americans|germans)(?= |$)", tail)
        for formation in self.names.roster.formations if found else ():
            assert found is not None
            members = self.names.members(formation) if formation.key == found[1] else ()
            if members:
                yield at + found[0].count(" ") + 1, Said("units", expanded(members, (members,)))

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

    def _told(self, at: int, tail: str) -> Iterator[tuple[int, Said]]:
        """Turns of phrase that stand for a part of an order, and odds."""
        odds = [slots for slots in self.free.slots.values() if any(slot.field == "odds" and not slot.type.title.startswith("a number") for slot in slots)]
        if odds and (found := _ODDS.match(tail)):
            yield from self._matched(at, tail, found, Said("option", f"at {found['one']}-{found['other']} or better"))
        if odds and (found := _EVEN.match(tail)):
            yield from self._matched(at, tail, found, Said("option", "at 1-1 or better"))
        for pattern, option in self.free.sayings:
            if found := pattern.match(tail):
                groups = [NUMBERS.get(each, "1" if each in ("a", "an") else each) if each else "" for each in found.groups()]
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
        word = self.scan.keys[at].rstrip(".!")
        if word in TAKE:
            kinds = {kind for kind in self.free.kinds if kind.sort == ATTACK or kind in self.free.bare}
            yield at + 1, Said("verb", (frozenset(kinds), "take"))
        mine = word if word in self.free.verbs.here else self.free.verbs.of(word)
        kinds = {kind for kind, words in self.free.beginnings.items() if mine and mine in words}
        if kinds:
            yield at + 1, Said("verb", (frozenset(kinds), mine))

    # --- clauses -----------------------------------------------------------------------------------------

    def _ways(self, at: int, clause: Clause, before: tuple[Clause, ...]) -> Iterator[tuple[Clause, ...]]:
        """Every way to put the words from `at` on to the clauses so far."""
        self.steps += 1
        self.names.work.spend(1)
        if self.steps > MOST_STEPS or len(before) >= MOST_ORDERS:
            return
        if at >= self.scan.length:
            if not clause.empty and not clause.pending and not clause.parted:
                yield (*before, clause)
            return
        for end, said in self._concepts(at):
            for longer, done in self._with(clause, said, bool(before)):
                yield from self._ways(end, longer, (*before, *done))

    def _with(self, clause: Clause, said: Said, several: bool) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        """The clause with one more concept, or a new clause that begins with it, and the clauses that it
        ends."""
        still = replace(clause, pending="", parted=False)
        if clause.pending in ("from", "via") and said.sort not in ("target", "filler"):
            return
        match said.sort:
            case "filler":
                yield clause, ()
            case "and":
                yield replace(clause, parted=True), ()
            case "from" | "via" | "with" | "on" | "to":
                yield replace(clause, pending=said.sort, parted=clause.parted), ()
            case "key":
                yield replace(still, keys=still.keys | {said.value}), ()
            case "option":
                yield replace(still, options=(*still.options, said.value)), ()
            case "all":
                if len(clause.units) > 1 or clause.sets:
                    yield clause, ()
            case "each":
                yield replace(still, each=True), ()
            case "count":
                yield replace(still, counts=(*still.counts, said.value)), ()
            case "number":
                if not clause.numbers or not clause.whole:
                    yield replace(still, numbers=(*still.numbers, said.value)), ()
                if clause.whole:
                    yield Clause(kinds=clause.kinds, verb=clause.verb, guessed=True, numbers=(said.value,)), (clause,)
            case "word":
                yield from self._with_word(clause, said.value)
            case "verb":
                yield from self._with_verb(clause, *said.value)
            case "units" | "rest":
                yield from self._with_units(clause, said)
            case "stay":
                if not clause.targets and (not clause.kinds or clause.guessed) and not clause.options:
                    yield replace(still, stay=True, kinds=None), ()
                if clause.whole and clause.parted:
                    yield Clause(units=clause.units, borrowed=True, stay=True), (clause,)
            case "target":
                yield from self._with_target(clause, said.value)

    def _with_word(self, clause: Clause, value: tuple[Slot, Any]) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        slot, word = value
        words = word if isinstance(word, tuple) else (word,)
        more = tuple((slot.type.title, each) for each in words)
        still = replace(clause, pending="", parted=False)
        known = {title for title, _ in clause.words}
        if slot.type.title not in known:
            yield replace(still, words=(*clause.words, *more)), ()
        elif clause.targets or clause.units or clause.numbers:
            yield Clause(kinds=clause.kinds, verb=clause.verb, guessed=True, words=more), (clause,)

    def _with_verb(
        self, clause: Clause, kinds: frozenset[type[Order]], verb: str
    ) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        still = replace(clause, pending="", parted=False)
        if (clause.kinds is None or clause.guessed) and not (clause.whole and clause.parted):
            yield replace(still, kinds=kinds, verb=verb, guessed=False), ()
        elif clause.kinds and (both := clause.kinds & kinds):
            if not clause.whole:
                yield replace(still, kinds=both, verb=clause.verb), ()
        if clause.whole:
            borrowed = not clause.rest and bool(clause.units)
            yield Clause(kinds=kinds, verb=verb, units=clause.units, sets=clause.sets, borrowed=borrowed), (clause,)

    def _with_units(self, clause: Clause, said: Said) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        units = said.value or ()
        sets = units.sets if isinstance(units, Expanded) else ()
        rest = said.sort == "rest"
        still = replace(clause, pending="", parted=False)
        if not clause.whole or clause.pending == "with" or not (clause.units or clause.rest):
            anew = clause.borrowed and clause.pending != "with"
            own = () if anew else clause.units
            if units and set(units) <= set(own):
                yield still, ()
            elif not (set(own) & set(units)):
                yield replace(
                    still, units=(*own, *units), sets=(*(() if anew else clause.sets), *sets),
                    rest=clause.rest or rest, borrowed=False,
                ), ()  # fmt: skip
        if clause.whole and (clause.units or clause.rest) and clause.pending != "with":
            kinds = None if clause.stay else clause.kinds
            yield Clause(kinds=kinds, verb=clause.verb, guessed=True, units=units, sets=sets, rest=rest), (clause,)

    def _with_target(self, clause: Clause, hex: str) -> Iterator[tuple[Clause, tuple[Clause, ...]]]:
        still = replace(clause, pending="", parted=False)
        match clause.pending:
            case "from":
                yield replace(still, origin=(*clause.origin, hex)), ()
                return
            case "via":
                yield replace(still, via=(*clause.via, hex)), ()
                return
        if clause.stay and not clause.targets:
            yield replace(still, origin=(*clause.origin, hex)), ()
            return
        joint = clause.joint or clause.pending or ""
        targets = (*clause.targets, hex) if hex not in clause.targets[-1:] else clause.targets
        yield replace(still, targets=targets, joint=joint), ()

    # --- orders ------------------------------------------------------------------------------------------

    def _orders(self, clauses: Sequence[Clause]) -> list[Outcome] | None:
        """The orders of the clauses; None if one of them is none, or may be two."""
        found: list[Outcome] = []
        for clause in clauses:
            orders = self._order(clause)
            if orders is None:
                return None
            found += orders
        named = [unit for each in found for unit in (each.units if isinstance(each, Staying) else ())]
        acting = {unit for each in found if isinstance(each, Order) for unit in each.actors()}
        return None if acting & set(named) else found

    def _order(self, clause: Clause) -> list[Outcome] | None:
        if any(count != len(clause.units) for count in clause.counts) and not clause.rest:
            return None
        if clause.stay:
            return self._staying(clause)
        if clause.rest:
            return None
        if clause.origin and not self._starts(clause):
            return None
        for kinds in [tuple(clause.kinds)] if clause.kinds else self._without_verb(clause):
            found: dict[tuple[Order, ...], bool] = {}
            if clause.verb == "take" and any(kind.sort == ATTACK for kind in kinds):
                attack = self._enemies(clause.targets)
                kinds = tuple(kind for kind in kinds if (kind.sort == ATTACK) == attack)
            for kind in sorted(kinds, key=self.free.kinds.index):
                if orders := self._made(kind, clause):
                    found.setdefault(tuple(orders), clause.verb in self.free.beginnings[kind][:1])
            if len(found) > 1 and len(best := [each for each, first in found.items() if first]) == 1:
                return list(best[0])
            if found:
                return list(next(iter(found))) if len(found) == 1 else None
        return None

    def _without_verb(self, clause: Clause) -> Iterator[tuple[type[Order], ...]]:
        """The kinds of order that a clause without a verb may be: an attack, if it says ``on`` a hex of the
        enemy; else those whose verb may be left out; else any."""
        may = [kind for kind in self.free.kinds if not kind.lasting]
        if clause.joint == "on" and self._enemies(clause.targets):
            yield tuple(kind for kind in may if kind.sort == ATTACK)
            if any(kind.sort == ATTACK for kind in may):
                return
        yield tuple(kind for kind in may if kind in self.free.bare)
        yield tuple(kind for kind in may if kind.sort != ATTACK and kind.verb in self.free.phrase.orders)

    def _enemies(self, hexes: Iterable[str]) -> bool:
        units = self.names.roster.units.values()
        return all(any(unit.enemy and unit.hex == hex for unit in units) for hex in hexes)

    def _staying(self, clause: Clause) -> list[Outcome] | None:
        if clause.kinds or clause.targets or clause.options or clause.numbers or clause.words or clause.via:
            return None
        if clause.rest:
            return [Staying(())]
        own = {unit.id for unit in self.names.own if unit.here}
        ends = next((kind for kind in self.free.kinds if kind.ends and not self.free.slots[kind]), None)
        if ends and (set(clause.units) >= own or (self.names.within and set(clause.units) >= own & self.names.within)):
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

    def _made(self, kind: type[Order], clause: Clause) -> list[Order]:
        """The clause as orders of a kind; none if it does not fit."""
        if not clause.keys <= self.free.spare[kind]:
            return []
        where = [bool(self.names.roster.units[unit].hex) for unit in clause.units if unit in self.names.roster.units]
        if clause.kinds is None and where and kind.sort == GOES and (any(where) if kind.arrives else not all(where)):
            return []
        if (values := self._values(kind, clause)) is None:
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

    def _reads(self, line: str, kind: type[Order]) -> Order | None:
        scan = Scan(line, self._plain, self.scan.reserved)
        for _, captures in self.free.phrase.pattern.match(scan, 0):
            order: Order = dict(captures)["order"]
            return order if type(order) is kind else None
        return None

    @property
    def _plain(self) -> Any:
        return self.names

    def _values(self, kind: type[Order], clause: Clause) -> list[dict[str, Any]] | None:
        """What the fields of an order hold, by what the clause says; several for one that is given for each
        unit or hex. None if something is lacking or left over."""
        reader, types = self.free.reader, self.free.reader.types
        needed = {item.name for item in fields(kind)} - set(reader.defaults[kind])
        units, targets = tuple(clause.units), (*clause.via, *clause.targets)
        if clause.via and not clause.targets:
            return None
        numbers, words, origin = list(clause.numbers), list(clause.words), clause.origin
        found: dict[str, Any] = {}
        several = ""
        taken: set[str] = set()
        slots = self.free.slots[kind]
        for slot in sorted(slots, key=lambda slot: slot.field not in needed):
            title, name = slot.type.title, slot.field
            must = name in needed
            if name in found or name in taken:
                continue
            if title == types["units"].title and units and (must or name == "units"):
                found[name], units = expanded(units, clause.sets), ()
            elif title == types["unit"].title and units and must:
                if len(units) > 1:
                    several = name
                found[name], units = units[0], units[1:] if len(units) == 1 else ()
                taken.add(name)
            elif title == types["path"].title and targets and (must or name == "path"):
                found[name], targets = targets, ()
            elif title == types["hexes"].title and name == "origins" and origin:
                found[name] = origin
            elif title == types["hexes"].title and targets and must:
                found[name], targets = targets, ()
            elif title == types["hex"].title and targets and must:
                if len(targets) > 1 and not any(each.type is types["path"] for each in slots):
                    several, found[name], targets = name, targets[0], ()
                else:
                    found[name], targets = targets[0], targets[1:]
            elif title == types["number"].title and numbers and (must or self._only_number(kind)):
                found[name] = numbers.pop(0)
            else:
                single = title.removeprefix("one or more of ")
                mine = [each for each in words if each[0].removeprefix("one or more of ") == single]
                if not mine:
                    continue
                many = title.startswith("one or more of ")
                found[name] = tuple(each[1] for each in mine) if many else mine[0][1]
                words = [each for each in words if each not in (mine if many else mine[:1])]
        if units or targets or numbers or words or needed - set(found):
            return None
        if not several:
            return [found]
        if clause.kinds is None:
            return None
        every = clause.units if several in taken else (*clause.via, *clause.targets)
        if several not in taken and (clause.units or (not clause.each and len(every) > 6)):
            return None
        return [found | {several: each} for each in every]

    def _only_number(self, kind: type[Order]) -> bool:
        number = self.free.reader.types["number"].title
        return sum(slot.type.title == number for slot in self.free.slots[kind]) == 1
