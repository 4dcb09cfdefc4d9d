"""A letter, line by line: headings, orders, standing orders, letter commands, faults, and chat that is left alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, replace
from functools import cached_property
from typing import Any

from pbem.engine.commands import COMMANDS, FIRST_WORDS, command, short_answer
from pbem.engine.errors import Ambiguous, OrderError, Unreadable
from pbem.engine.never import contradiction, idle_else
from pbem.engine.orders import (
    Clause,
    Command,
    Condition,
    Fault,
    Grammar,
    Line,
    Order,
    Policy,
    Reading,
    Roster,
    StandingLine,
)
from pbem.engine.repair import complaint, distance, near, suggestion
from pbem.engine.slots import slot_types
from pbem.engine.usage import (
    ARROWS,
    Captures,
    Choice,
    Key,
    Maybe,
    Miss,
    Names,
    Pattern,
    Scan,
    Series,
    Slot,
    compile_usage,
    keywords,
    leading,
    spellings,
)

HEADING = re.compile(r"\s*\[\s*([^\[\]]*?)\s*\]\s*:?\s*")
WHEN = re.compile(r"\s*(?:[-*•]\s)?\s*when\s+(?P<section>[^:;]*?)\s*:(?P<orders>.*)", re.IGNORECASE)
THEN = re.compile(r";\s*then\b", re.IGNORECASE)
STANDING = "standing"
LINE_WORDS = ("try", "if", "not", "and", "then", "else", "stay", "nothing")
SIGNATURE = re.compile(r"\s*(?:[A-Z][A-Za-z'-]*\.?\s*){1,3}")
UNIT_LIKE = re.compile(
    r"\d+x$|(?!https?:)(?=.*\d).+/.+|\d+(?!(?:st|nd|rd|th|am|pm|h)$)[a-z]+[\w/+.-]*$", re.IGNORECASE
)


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
class Mark:
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


def _clause(captures: Captures) -> Clause:
    return Clause(dict(captures)["condition"], len(captures) > 1)


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

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.types = slot_types(grammar.words)
        declared: list[type[Any]] = [*grammar.orders, *grammar.conditions, *grammar.policies]
        self.patterns = {kind: self._pattern(kind) for kind in declared}
        self.defaults = {kind: _defaults(kind) for kind in declared}
        self.reserved = frozenset(
            {key.word for pattern in self.patterns.values() for key in keywords(pattern)}
            | {word for policy in grammar.policies for word in policy.kind.lower().split()}
            | set(LINE_WORDS)
            | {STANDING, "clear"}
        )
        in_turn = {
            kind for name, kinds in grammar.sections.items() if name not in grammar.titles for kind in kinds
        }
        drawn = {kind for name in grammar.titles for kind in grammar.allowed(name)}
        self.headed = frozenset(drawn - in_turn)
        """Orders that stand only under headings of which chance decides: they must name theirs."""
        self._phrases: dict[str, Phrase] = {}

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

    def begins(self, line: str) -> bool:
        """Whether a line is a heading: ``[movement]``, ``when 1SS: order; order``."""
        return bool(HEADING.fullmatch(line) or (self.grammar.titles and WHEN.fullmatch(line)))

    def sections(self, title: str) -> list[str]:
        """The sections that a title may mean: blanks and capitals do not count, and a beginning of two letters or more will do."""
        wanted = _squeezed(title)
        known = {
            name: {_squeezed(name), _squeezed(self.grammar.titles.get(name, name))}
            for name in (*self.grammar.sections, STANDING)
        }
        exact = [name for name, written in known.items() if wanted in written]
        return exact or [
            name
            for name, written in known.items()
            if len(wanted) > 1 and any(each.startswith(wanted) for each in written)
        ]

    def phrase(self, section: str) -> Phrase:
        """What a line under `section` may be ("standing": a standing order)."""
        if section not in self._phrases:
            make = self._standing_phrase if section == STANDING else self._order_phrase
            self._phrases[section] = make(section)
        return self._phrases[section]

    def _made(self, role: str, kinds: Iterable[type[Any]]) -> list[Pattern]:
        # Compiled anew: the spellings of a keyword depend on the section it stands in.
        return [Made(role, self._pattern(kind), _maker(kind)) for kind in kinds]

    def _order_phrase(self, section: str) -> Phrase:
        orders = self._made("order", self.grammar.allowed(section))
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
            start = Series((clauses, Mark(",:"), Maybe(_key("then")), Mark(",:")))
            before = (Maybe(attempt), Maybe(start), Maybe(attempt))
            after = (Maybe(clauses),)
        whole = Series((*before, order, *after, Maybe(Series((_key("else"), instead))), Mark("")))
        return self._spelt(whole, orders, rest)

    def _standing_phrase(self, section: str) -> Phrase:
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
        whole = Series((Choice((start, clear, *policies)), Mark("")))
        return self._spelt(whole, [start, clear, *policies], [])

    def _spelt(self, whole: Pattern, beginnings: Sequence[Pattern], rest: Sequence[Pattern]) -> Phrase:
        """Give every keyword its spellings: beginnings are told apart among themselves, the others likewise."""
        first = [key for pattern in beginnings for key in leading(pattern)[0]]
        ids = {id(key) for key in first}
        inner = [key for pattern in (*beginnings, *rest) for key in keywords(pattern) if id(key) not in ids]
        for keys in (first, inner):
            known = spellings((key.word for key in keys), self.reserved)
            for key in keys:
                written = {spelling for spelling, word in known.items() if word == key.word}
                key.accepts = frozenset(written | ({":"} | ARROWS if key.word == "to" else set()))
        return Phrase(whole, frozenset(key.word for key in first), self.reserved)

    # --- letters -------------------------------------------------------------------------------------------

    def read(self, text_lines: Sequence[tuple[int, str]], roster: Roster, section: str) -> Reading:
        last = max((number for number, text in text_lines if text.strip()), default=0)
        letter = _LetterReader(self, Names(roster), section, last)
        for number, text in text_lines:
            letter.take(number, text)
        return letter.reading()

    @cached_property
    def units(self) -> Phrase:
        """A bare list of units, as WITHDRAW takes it."""
        return Phrase(Series((Slot("units", self.types["units"]), Mark(""))), frozenset(), self.reserved)

    # --- writing -------------------------------------------------------------------------------------------

    def write(self, thing: Order | Condition | Policy) -> str:
        kind = type(thing)
        values = {item.name: getattr(thing, item.name) for item in fields(thing)}
        written = self.patterns[kind].write(values, self.defaults[kind])
        if written is None:
            raise ValueError(f"{thing!r} lacks a value that its usage line {kind.usage!r} needs")
        return written

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


def _squeezed(title: str) -> str:
    return "".join(title.lower().split())


def _constant(value: Any) -> Callable[[Captures], Any]:
    return lambda captures: value


def _has_default(item: Field[Any]) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _defaults(kind: type[Any]) -> dict[str, Any]:
    return {item.name: item.default for item in fields(kind) if item.default is not MISSING}


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a line may be, and the words by which one recognises it."""

    pattern: Pattern
    verbs: frozenset[str]
    reserved: frozenset[str]

    def read(self, line: str, names: Names) -> Captures | Scan:
        """What the line says; if it says nothing, the scan that knows how far it made sense."""
        scan = Scan(line, names, self.reserved)
        for _, captures in self.pattern.match(scan, 0):
            return captures
        return scan

    def fault(self, number: int, text: str, scan: Scan) -> Fault:
        def attempt(line: str) -> Scan | None:
            found = self.read(line, scan.names)
            return found if isinstance(found, Scan) else None

        return Fault(number, text, complaint(scan), suggestion(scan, attempt))


class _LetterReader:
    """Reads one letter. `loud` tells whether a line that is no order is taken for a failed one: so it is under a heading, until
    a blank line ends the block."""

    def __init__(self, reader: Reader, names: Names, section: str, last: int) -> None:
        self.reader = reader
        self.names = names
        self.section = section
        self.last = last
        self.loud = False
        self.press: list[str] | None = None
        self.orders: list[Line] = []
        self.standing: list[StandingLine] = []
        self.commands: list[Command] = []
        self.faults: list[Fault] = []
        self.unread: list[tuple[int, str]] = []
        self.headings: list[str] = []

    def reading(self) -> Reading:
        self._end_press()
        return Reading(
            tuple(self.orders),
            tuple(self.standing),
            tuple(self.commands),
            tuple(self.faults),
            tuple(self.unread),
            tuple(self.headings),
        )

    def take(self, number: int, text: str) -> None:
        line = _bare(text)
        if not line.strip():
            if not text.strip():
                self._end_press()
                self.loud = False
            return
        if heading := HEADING.fullmatch(line):
            self._end_press()
            self._heading(number, text, heading[1])
        elif self._when(number, text) or self._command(number, text) or self._ordered(number, text, line):
            return
        elif number == self.last and self.press != [] and self._is_signature(line):
            self.unread.append((number, text.strip()))
        elif self.press is not None and not UNIT_LIKE.match(line.split()[0]):
            self.press.append(text.strip())
        elif found := short_answer(number, line):
            self.commands.append(found)
        else:
            self._end_press()
            self._failed(number, text, line)

    # --- the kinds of line ---------------------------------------------------------------------------------

    def _heading(self, number: int, text: str, title: str) -> None:
        column = text.index("[")
        length = text.index("]") - column + 1
        known = list(dict.fromkeys([*self.reader.grammar.sections, STANDING]))
        self._open(number, text, title, known, column, length, "[{}]")

    def _open(
        self, number: int, text: str, title: str, known: Sequence[str], column: int, length: int, form: str
    ) -> bool:
        """Let the heading `title`, one of `known`, be in force from here on; if it is none, the fault is noted, and no heading is.
        `form` is how such a heading is written."""
        self.loud = True
        begun = [name for name in self.reader.sections(title) if name in known]
        if len(begun) == 1:
            self.section = begun[0]
            self.headings.append(self.section)
            return True
        self.section = ""
        if begun:
            error: OrderError = Ambiguous(
                f"[{title}]: {' or '.join(begun)}?", legal=begun, column=column, length=length
            )
            self.faults.append(Fault(number, text, error))
            return False
        error = Unreadable(f"There is no section [{title}].", legal=known, column=column, length=length)
        close = near(title.lower(), [name.lower() for name in known])
        name = next((name for name in known if close and name.lower() == close[0]), "")
        self.faults.append(Fault(number, text, error, form.format(name) if name else ""))
        return False

    def _when(self, number: int, text: str) -> bool:
        """``when 1SS: order; order``: the heading of a section whose turn chance decides, and its orders, on one line."""
        titles = list(self.reader.grammar.titles)
        if not titles or _first_word(_bare(text)) != "when":
            return False
        line = text.split("#")[0].rstrip()
        found = WHEN.fullmatch(line)
        named = [name for name in self.reader.sections(found["section"]) if name in titles] if found else []
        if not named and not self.loud and not any(map(str.isdigit, line)):
            return False
        self._end_press()
        if found is None:
            wanted = "when <section>: order; order"
            error = Unreadable(
                f"This is written: {wanted}", column=len(line) - len(line.lstrip()), length=len(line.strip())
            )
            self.faults.append(Fault(number, text, error))
            self.loud = True
            return True
        rest = found["orders"]
        at = found.start("section"), len(found["section"])
        if self._open(number, text, found["section"], titles, *at, f"when {{}}:{rest}"):
            column = found.start("orders")
            for piece in rest.split(";"):
                self._piece(number, text, piece, column)
                column += len(piece) + 1
        return True

    def _piece(self, number: int, text: str, piece: str, column: int) -> None:
        """One of the orders of a ``when`` line, which begins in this column of the line."""
        line = piece.strip()
        if not line:
            return
        phrase = self.reader.phrase(self.section)
        read, faults = phrase.read(line, self.names), len(self.faults)
        if isinstance(read, Scan):
            self.faults.append(self._fault(number, text, line, read, phrase))
        else:
            self._keep(number, line, read)
        if len(self.faults) > faults:
            fault = self.faults.pop()
            fault.error.column += column + piece.index(line)
            self.faults.append(replace(fault, text=text))

    def _command(self, number: int, text: str) -> bool:
        found = command(number, text)
        if found is None:
            return False
        if found.name in self.reader.phrase(self.section).verbs and self._ordered(number, text, _bare(text)):
            return True
        self._end_press()
        if found.name == "withdraw" and found.argument.lower() not in ("", "all"):
            return self._withdraw(number, text, found)
        if found.name == "press":
            self.press = [found.text] if found.text else []
        self.commands.append(found)
        return True

    def _withdraw(self, number: int, text: str, found: Command) -> bool:
        read = self.reader.units.read(found.argument, self.names)
        if not isinstance(read, Scan):
            self.commands.append(Command(found.name, ", ".join(dict(read)["units"]), number))
            return True
        if "withdraw" in self.reader.phrase(self.section).verbs or not any(map(str.isdigit, found.argument)):
            return False
        start = text.index(found.argument)
        fault = self.reader.units.fault(number, text, read)
        fault.error.column += start
        close = text[:start] + fault.suggestion if fault.suggestion else ""
        self.faults.append(Fault(number, text, fault.error, close.strip()))
        return True

    def _ordered(self, number: int, text: str, line: str) -> bool:
        """Take the line as an order or a standing order, if it reads as one."""
        standing = self._is_standing(line)
        read = self.reader.phrase(STANDING if standing else self.section).read(line, self.names)
        if isinstance(read, Scan):
            return False
        self._end_press()
        self.loud = True
        if standing:
            self._stand(number, text, dict(read))
            return True
        if self._chain(number, text, line, read) or self._second_order(number, text, line):
            return True
        self._keep(number, text, read)
        return True

    def _chain(self, number: int, text: str, line: str, read: Captures) -> bool:
        """``order; then order; then order``: several orders on one line, the first of which is `line`."""
        first, *others = THEN.split(text.split("#")[0])
        if not others or _bare(first) != line:
            return False
        self._keep(number, line, read)
        for piece in others:
            self._piece(number, text, piece, text.index(piece))
        return True

    def _keep(self, number: int, text: str, read: Captures) -> None:
        """Take an order as it was read, unless it can never act, or does not say for whom it is."""
        said = dict(read)
        clauses = tuple(value for role, value in read if role == "clause")
        line = Line(
            number,
            text.strip(),
            self.section,
            said["order"],
            clauses,
            said.get("otherwise"),
            said.get("attempt", False),
        )
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        if self.section not in self.reader.grammar.sections and type(line.order) in self.reader.headed:
            self.faults.append(self._headless(number, text, line.order.verb))
        elif contradiction(line):
            error = Unreadable(
                "This can never act: it asks for a thing and for its opposite.", column=start, length=length
            )
            self.faults.append(Fault(number, text, error))
        elif idle_else(line):
            at = max(text.lower().rfind("else"), 0)
            error = Unreadable(
                "This else can never act: say what is tried or asked before it.", column=at, length=4
            )
            self.faults.append(Fault(number, text, error, self._sendable(f"try {_bare(text).strip()}")))
        else:
            self.orders.append(line)

    def _headless(self, number: int, text: str, verb: str) -> Fault:
        """An order that does not say for whom it is."""
        titles = self.reader.grammar.titles
        why = f"{verb} needs a heading that says for whom it is."
        start, length = len(text) - len(text.lstrip()), len(text.strip())
        error = Unreadable(why, legal=[f"[{name}]" for name in titles], column=start, length=length)
        return Fault(number, text, error)

    def _sendable(self, line: str) -> str:
        """A line to send instead of one under this heading: if chance decides of it, the line says where it belongs."""
        return f"when {self.section}: {line}" if line and self.section in self.reader.grammar.titles else line

    def _fault(self, number: int, text: str, line: str, scan: Scan, phrase: Phrase) -> Fault:
        """What is wrong with a line that was meant as one of `phrase`."""
        other = self._misplaced(number, text, line) or self._failed_command(number, text, scan)
        if other:
            return other
        fault = phrase.fault(number, text, scan)
        standing = phrase is self.reader.phrase(STANDING)
        return fault if standing else replace(fault, suggestion=self._sendable(fault.suggestion))

    def _second_order(self, number: int, text: str, line: str) -> bool:
        """A comment that reads as an order was meant as one: one line holds one order, and nothing is lost in silence."""
        rest = text[len(line) :].lstrip(" #;")
        if not rest or isinstance(self.reader.phrase(self.section).read(rest, self.names), Scan):
            return False
        error = Unreadable(
            "What follows ; or # is a comment, and this one reads as an order: write one order to a line.",
            column=len(line), length=len(text) - len(line),
        )  # fmt: skip
        both = (line.strip(), rest.strip())
        drawn = self.section in self.reader.grammar.titles
        close = self._sendable("; ".join(both)) if drawn else "\n".join(both)
        self.faults.append(Fault(number, text, error, close))
        return True

    def _is_standing(self, line: str) -> bool:
        first = _first_word(line)
        begun = (
            len(first) > 3
            and STANDING.startswith(first)
            and first not in self.reader.phrase(self.section).verbs
        )
        return self.section == STANDING or first == STANDING or begun

    def _stand(self, number: int, text: str, said: dict[str, Any]) -> None:
        policy: Policy | None = said.get("policy")
        kind = policy.kind if policy else dict(said["clear"]).get("kind", "")
        self.standing.append(StandingLine(number, text.strip(), kind, policy))

    def _failed(self, number: int, text: str, line: str) -> None:
        standing = self._is_standing(line) or _one_slip(_first_word(line), [STANDING])
        phrase = self.reader.phrase(STANDING if standing else self.section)
        scan = phrase.read(line, self.names)
        if isinstance(scan, Scan) and (self.loud or standing or self._is_meant(scan, phrase)):
            self.faults.append(self._fault(number, text, line, scan, phrase))
        else:
            self.unread.append((number, text.strip()))

    def _is_signature(self, line: str) -> bool:
        """Whether the last line of a letter, which is no order, looks like a name."""
        phrase = self.reader.phrase(self.section)
        scan = phrase.read(line, self.names)
        return bool(SIGNATURE.fullmatch(line)) and isinstance(scan, Scan) and not self._is_meant(scan, phrase)

    def _is_meant(self, scan: Scan, phrase: Phrase) -> bool:
        """Whether a line outside of any block was meant as an order."""
        if not scan.length:
            return False
        first = scan.keys[0]
        digits = any(letter.isdigit() for letter in scan.line)
        if first in phrase.verbs or UNIT_LIKE.match(first) or self.names.hex(scan.pieces[0].text):
            return True
        if len(first) > 3 and (_one_slip(first, phrase.verbs) or (digits and near(first, phrase.verbs))):
            return True
        if first in FIRST_WORDS and digits and scan.length <= 4:
            return True
        if scan.length <= 3 and len(first) > 3 and _one_slip(first, COMMANDS):
            return True
        if digits and any(miss.error is not None for miss in scan.misses):
            return True
        begins = len(first) > 1 and any(verb.startswith(first) for verb in (*phrase.verbs, "try"))
        if begins and digits:
            return True
        return any(_is_unit_id(key) and key in self.names.units for key in scan.keys)

    def _misplaced(self, number: int, text: str, line: str) -> Fault | None:
        """A good order under a heading where it does not belong."""
        if self.section not in self.reader.grammar.sections:
            return None
        for section in self.reader.grammar.sections:
            read = self.reader.phrase(section).read(line, self.names)
            if not isinstance(read, Scan):
                verb = dict(read)["order"].verb
                if section in self.reader.grammar.titles:
                    return self._headless(number, text, verb)
                why = f"{verb} stands under [{section}], not under [{self.section}]."
                start = len(line) - len(line.lstrip())
                error = Unreadable(why, legal=[f"[{section}]"], column=start, length=len(line.strip()))
                return Fault(number, text, error, f"[{section}]\n{line.strip()}")
        return None

    def _failed_command(self, number: int, text: str, scan: Scan) -> Fault | None:
        first = scan.keys[0] if scan.length else ""
        if first in FIRST_WORDS and first not in scan.reserved:
            return Fault(
                number, text, Unreadable(f"This is written: {FIRST_WORDS[first].usage}", length=len(first))
            )
        if scan.length > 3 or len(first) < 4 or not _one_slip(first, FIRST_WORDS):
            return None
        word = near(first, FIRST_WORDS)[0].upper()
        close = text[: scan.pieces[0].column] + word + text[scan.pieces[0].end :]
        if command(number, close) is None:
            return None
        error = Unreadable(
            f'I do not know the word "{scan.pieces[0].text}".',
            column=scan.pieces[0].column,
            length=len(first),
        )
        return Fault(number, text, error, close.strip())

    def _end_press(self) -> None:
        if self.press is not None:
            last = self.commands.pop()
            self.commands.append(Command(last.name, last.argument, last.number, "\n".join(self.press)))
            self.press = None


def _bare(text: str) -> str:
    """The line without its comment; a bullet before it becomes a blank, so that columns stay true."""
    line = re.split(r"[#;]", text, maxsplit=1)[0].rstrip()
    return re.sub(r"^(\s*)[-*•](?=\s)", r"\1 ", line)


def _first_word(line: str) -> str:
    found = re.match(r"\s*(\w+)", line)
    return found[1].lower() if found else ""


def _one_slip(word: str, words: Iterable[str]) -> bool:
    return any(distance(word, other, 1) == 1 and len(other) > 3 for other in words)


def _is_unit_id(key: str) -> bool:
    """Whether a unit's id is one that chat would not hold by chance."""
    return any(letter.isdigit() for letter in key) and not key.isdigit()
