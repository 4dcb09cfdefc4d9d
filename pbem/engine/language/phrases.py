"""What a whole line may be: a grammar's usage lines compiled into phrases, one for the orders of each section
and one for standing orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cached_property
from itertools import islice
from typing import Any

from pbem.engine.language.model import (
    Condition,
    Declarations,
    Fault,
    IfClause,
    Line,
    Order,
    Pause,
    Policy,
    StandingLine,
)
from pbem.engine.language.names import Names
from pbem.engine.language.people import SPELLINGS, Verbs, everyday, ways
from pbem.engine.language.repair import complaint, corrected, either, misspelt_place, reworded, suggestion
from pbem.engine.language.slots import EVERYBODY, slot_types
from pbem.engine.language.usage import (
    Captures,
    Choice,
    Key,
    Maybe,
    Miss,
    Pattern,
    Piece,
    Scan,
    Series,
    Slot,
    SlotType,
    compile_usage,
    keywords,
    leading,
    spellings,
)
from pbem.engine.language.whole import says_all

STANDING = "standing"
LINE_WORDS = ("try", "if", "not", "and", "then", "else", "stay", "nothing")

TURNS = (
    (r"^(?P<who>.+?)\s+attacks?\s+\S.*?\s+(?:at|in)\s+(?P<hex>\d{4})\s*$", r"attack \g<hex> with \g<who>"),
)
"""Turns of phrase of any game (`Grammar.turns`): who is attacked is said by the hex alone."""

ARTICLE_OF_US = re.compile(r"\bthe us\b")
"""A usage line has ``by [the] <holder>``; the writer's own side is ``us``, without the article."""

# --- what a whole line is made of ------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Made:
    """Turns what `inner` captured into one thing, called `role`."""

    role: str
    inner: Pattern
    make: Callable[[Captures], Any]

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for end, captures in self.inner.match(scan, at):
            yield end, ((self.role, self.make(captures)),)

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        return self.inner.write(values, defaults)

    def slots(self) -> tuple[str, ...]:
        return self.inner.slots()

    def parts(self) -> Sequence[Pattern]:
        return (self.inner,)


@dataclass(slots=True, eq=False)
class Punctuation:
    """A mark that may stand here, one of `marks`; without any, the end of the line."""

    marks: str

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        if self.marks:
            yield (at + 1 if scan.keys[at] and scan.keys[at] in self.marks else at), ()
        elif at == scan.length:
            yield at, ()
        else:
            scan.miss(at, Miss(None))

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        return ""

    def slots(self) -> tuple[str, ...]:
        return ()

    def parts(self) -> Sequence[Pattern]:
        return ()


def _key(word: str) -> Key:
    return Key(word, frozenset({word}))


def _maker(kind: type[Any]) -> Callable[[Captures], Any]:
    return lambda captures: kind(**dict(captures))


def _clause(captures: Captures) -> IfClause:
    return IfClause(dict(captures)["condition"], len(captures) > 1)


def _clauses(conditions: Sequence[Pattern], count: int = 4) -> Pattern:
    """``if <condition> and not <condition> ...``, up to `count` of them."""
    negation = Made("negated", _key("not"), lambda captures: True)
    clause = Made("clause", Series((Maybe(negation), Choice(tuple(conditions)))), _clause)
    more: Pattern = Series((_key("and"), clause))
    for _ in range(count - 2):
        more = Series((_key("and"), clause, Maybe(more)))
    return Series((_key("if"), clause, Maybe(more)))


class Reader:
    """A grammar made ready for reading."""

    def __init__(self, grammar: Declarations) -> None:
        self.grammar = grammar
        self.types = slot_types(grammar.words, grammar.formations, grammar.aliases)
        declared: list[type[Any]] = [*grammar.orders, Pause, *grammar.conditions, *grammar.policies]
        self.patterns = {kind: self._pattern(kind) for kind in declared}
        self.defaults = {kind: _defaults(kind) for kind in declared}
        self.fields = {kind: tuple(item.name for item in fields(kind)) for kind in declared}
        self.reserved = frozenset(
            {key.word for pattern in self.patterns.values() for key in keywords(pattern)}
            | {word for policy in grammar.policies for word in policy.kind.lower().split()}
            | set(LINE_WORDS)
            | {STANDING, "clear"}
        )
        choices = " ".join(word for words in grammar.words.values() for word in words)
        self.words = self.reserved | set(re.findall(r"[^\W\d_]{2,}", choices.lower()))
        """All words of the order language, those that a slot may hold included."""
        self._leading = frozenset(
            key.word for kind in grammar.orders for key in leading(self.patterns[kind])[0]
        )
        self._turns = tuple(
            (re.compile(said, re.IGNORECASE), instead) for said, instead in (*TURNS, *grammar.turns)
        )
        self._phrases: dict[tuple[type[Order], ...], Phrase] = {}
        self.made: dict[tuple[type[Order], ...], Any] = {}
        """What other readers have made ready for the orders of a section."""

    def _pattern(self, kind: type[Any]) -> Pattern:
        """The compiled usage of a declaration. Raises ValueError if its slots and its fields do not agree."""
        pattern = compile_usage(kind.usage, self.types)
        slots, names = set(pattern.slots()), {item.name for item in fields(kind)}
        needed = {item.name for item in fields(kind) if not _has_default(item)}
        if slots - names or needed - slots:
            raise ValueError(
                f"{kind.__name__}: usage {kind.usage!r} does not match the fields {', '.join(sorted(names))}"
            )
        return pattern

    # --- phrases: whole lines of one section ---------------------------------------------------------------

    def phrase(self, section: str, seat: str = "") -> Phrase:
        """What a line of `seat` under `section` may be ("standing": a standing order)."""
        if section == STANDING:
            return self.standing
        kinds = self.grammar.allowed(section, seat)
        if kinds not in self._phrases:
            self._phrases[kinds] = self._order_phrase(kinds)
        return self._phrases[kinds]

    def _made(self, role: str, kinds: Iterable[type[Any]]) -> list[Pattern]:
        # Compiled for each section: the spellings of a keyword depend on it.
        return [Made(role, self._pattern(kind), _maker(kind)) for kind in kinds]

    def _order_phrase(self, kinds: Sequence[type[Order]]) -> Phrase:
        orders = self._made("order", (*kinds, Pause))
        order = Choice(tuple(orders))
        instead = Choice(
            (_key("stay"), _key("nothing"), Made("otherwise", order, lambda captures: captures[0][1]))
        )
        attempt = Made("attempt", _key("try"), lambda captures: True)
        before: tuple[Pattern, ...] = (Maybe(attempt),)
        after: tuple[Pattern, ...] = ()
        rest: list[Pattern] = []
        if self.grammar.conditions:
            clauses = _clauses(rest := self._made("condition", self.grammar.conditions))
            start = Series((clauses, Punctuation(",:"), Maybe(_key("then")), Punctuation(",:")))
            before = (Maybe(attempt), Maybe(start), Maybe(attempt))
            after = (Maybe(clauses),)
        whole = Series((*before, order, *after, Maybe(Series((_key("else"), instead))), Punctuation("")))
        exact = {
            id(key) for kind, made in zip(kinds, orders, strict=False) if kind.grave for key in keywords(made)
        }
        bare = any(leading(pattern)[1] for pattern in orders)
        free = any(":text>" in kind.usage for kind in kinds)
        named = (
            () if bare or free else tuple(kind.verb for kind in kinds if not kind.grave and not kind.lasting)
        )
        return self._spelt(whole, orders, rest, exact, named)

    @cached_property
    def standing(self) -> Phrase:
        """What a standing order may be."""
        policies: list[Pattern] = []
        kinds: list[Pattern] = []
        for policy in self.grammar.policies:
            words = tuple(Key(word) for word in policy.kind.lower().split())
            body = self._made("policy", [policy])[0]
            policies.append(Series((*words, body)))
            kinds.append(
                Made("kind", Series(tuple(Key(word.word) for word in words)), _constant(policy.kind))
            )
        clear: Pattern = Series(
            (Key("clear"), Made("clear", Maybe(Choice(tuple(kinds))), lambda captures: captures))
        )
        start = Series((Key(STANDING), Choice((clear, *policies))))
        whole = Series((Choice((start, clear, *policies)), Punctuation("")))
        return self._spelt(whole, [start, clear, *policies], [], set())

    def _spelt(
        self,
        whole: Pattern,
        beginnings: Sequence[Pattern],
        rest: Sequence[Pattern],
        exact: set[int],
        named: tuple[str, ...] = (),
    ) -> Phrase:
        """Give every keyword its spellings: words that begin an order are kept apart from one another,
        and so are the others. Keys of `exact` have one."""
        first = [key for pattern in beginnings for key in leading(pattern)[0]]
        ids = {id(key) for key in first}
        inner = [key for pattern in (*beginnings, *rest) for key in keywords(pattern) if id(key) not in ids]
        asked = {id(key) for pattern in rest for key in keywords(pattern)}
        for keys in (first, inner):
            known = spellings((key.word for key in keys if id(key) not in exact), self.reserved)
            for key in keys:
                written = {spelling for spelling, word in known.items() if word == key.word} | {key.word}
                also = SPELLINGS.get(key.word, frozenset()) if keys is inner else frozenset()
                if id(key) in asked:  # "if the weather is clear and 30US to 1116" asks for no place
                    also -= {"to", *SPELLINGS["to"]}
                key.accepts = frozenset({key.word} if id(key) in exact else written | also)
        verbs = frozenset(key.word for key in first)
        return Phrase(whole, verbs, self.reserved, self.types["units"], self._leading, self._turns, named)

    @cached_property
    def units(self) -> Phrase:
        """A bare list of units, as WITHDRAW takes it."""
        units = self.types["units"]
        return Phrase(Series((Slot("units", units), Punctuation(""))), frozenset(), self.reserved, units)

    # --- writing -------------------------------------------------------------------------------------------

    def write(self, thing: Order | Condition | Policy[Any]) -> str:
        kind = type(thing)
        values = {name: getattr(thing, name) for name in self.fields[kind]}
        written = self.patterns[kind].write(values, self.defaults[kind])
        if written is None:
            raise ValueError(f"{thing!r} lacks a value that its usage line {kind.usage!r} needs")
        return ARTICLE_OF_US.sub("us", written)

    def write_line(self, line: Line) -> str:
        clauses = [f"{'not ' * clause.negated}{self.write(clause.condition)}" for clause in line.conditions]
        parts = [
            f"if {' and '.join(clauses)}, then " if clauses else "",
            "try " if line.attempt else "",
            self.write(line.order),
            f", else {self.write(line.otherwise)}" if line.otherwise else "",
        ]
        return "".join(parts)

    def write_standing(self, line: StandingLine) -> str:
        if line.policy is None:
            return f"standing clear {line.kind}".rstrip()
        return f"standing {line.policy.kind}: {self.write(line.policy)}"


def _constant(value: Any) -> Callable[[Captures], Any]:
    return lambda captures: value


def _has_default(item: Field[Any]) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _defaults(kind: type[Any]) -> dict[str, Any]:
    return {item.name: item.default for item in fields(kind) if item.default is not MISSING}


def _drops_a_count(raw: Scan, scan: Scan, captures: Captures) -> bool:
    """Whether one way to read a line passes over its `all`, `both` or `everything`, which says how many
    airstrikes there are, since its order has no units that could be meant."""
    order = dict(captures).get("order")
    if order is None or hasattr(order, "units") or order.actors():
        return False
    return any(raw.keys.count(word) > scan.keys.count(word) for word in (*EVERYBODY, "both"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a line may be, and the words by which one recognises it."""

    pattern: Pattern
    verbs: frozenset[str]
    reserved: frozenset[str]
    units: SlotType
    elsewhere: frozenset[str] = frozenset()
    """The words that may begin an order of any section."""
    turns: tuple[tuple[re.Pattern[str], str], ...] = ()
    """Turns of phrase of this game (`Grammar.turns`)."""
    orders: tuple[str, ...] = ()
    """The verbs of a section in which every order begins with one: a line without any is one of them, if it
    fits no other."""

    def read(self, line: str, names: Names) -> Captures | Scan:
        """What the line says, in the first of the ways in which it says anything (people.py); if it says
        nothing, the scan that came furthest."""
        raw = best = Scan(line, names, self.reserved)
        if raw.keys[0] in ("else", "otherwise"):
            return raw  # an order of optional words is none in front of "otherwise nothing"
        verbs = Verbs(self.verbs, self.elsewhere)
        for scan in ways(raw, verbs, self._ends):
            for _, captures in self.pattern.match(scan, 0):
                if not _drops_a_count(raw, scan, captures):
                    return captures
                break
            if scan.came() > best.came():
                best = scan
        return self._without_verb(raw, verbs) or best

    def _without_verb(self, raw: Scan, verbs: Verbs) -> Captures | None:
        """What a line without a verb says, if it says one thing alone."""
        if not self.orders or not raw.length or raw.keys[0] in self.reserved:
            return None
        scan = Scan(raw.line, raw.names, raw.reserved, everyday(tuple(raw.pieces), raw, verbs))
        if scan.length < 2 or any(end == scan.length for end, _ in self.unit_lists(scan, 0)):
            return None  # who names a hex or units alone gives no order
        found: list[Captures] = []
        for verb in self.orders:
            with_verb = Scan(
                scan.line, scan.names, scan.reserved, [Piece(verb, scan.pieces[0].column, 0), *scan.pieces]
            )
            found += islice((captures for _, captures in self.pattern.match(with_verb, 0)), 1)
        return found[0] if len(found) == 1 else None

    def unit_lists(self, scan: Scan, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Where a list of units that begins at a word may end, and the units, the longest list first."""
        fresh = Scan(scan.line, scan.names, scan.reserved, scan.pieces)
        return self.units.read(fresh, at, Slot("units", self.units))

    def _ends(self, scan: Scan, at: int) -> Iterator[int]:
        return (end for end, _ in self.unit_lists(scan, at))

    def fault(self, number: int, text: str, scan: Scan) -> Fault:
        """What is wrong with a line that does not read, and a line to send instead if there is one. In a
        letter with many faults none is looked for."""
        if not scan.names.work.offers:
            return Fault(number, text, complaint(scan))
        attempt = self._attempt(scan.names)

        def whole(line: str, offer: str) -> bool:
            return says_all(line, offer, scan.names)

        close = suggestion(scan, attempt, self.turns, self.verbs, whole)
        choices = () if close else either(scan, attempt)
        said = scan.line
        if choices and (place := misspelt_place(scan)):
            name, start, width = place
            said = f"{said[:start]}{name}{said[start + width :]}"
        choices = tuple(line for line in choices if whole(said, line))
        return Fault(number, text, complaint(scan), close, either=choices)

    def is_close(self, scan: Scan) -> bool:
        """Whether the line reads with a typing error or two mended, or in other words."""
        if not scan.names.work.offers:
            return False
        attempt = self._attempt(scan.names)
        return bool(corrected(scan, attempt)) or any(
            attempt(line) is None for line in reworded(scan.line, self.turns)
        )

    def _attempt(self, names: Names) -> Callable[[str], Scan | None]:
        def attempt(line: str) -> Scan | None:
            found = self.read(line, names)
            return found if isinstance(found, Scan) else None

        return attempt
