"""Usage lines: the small language in which a verb says how it is written, and the patterns made from it.

* ``word``              a keyword; players may shorten it to any unique beginning of two letters or more
* ``"%"``               a mark, which may also stand right behind a word
* ``<slot>``            fills the field `slot`; the name is also its type
* ``<slot:type>``       the same with another type
* ``<slot:type...>``    one or more of that type, separated by commas or ``and``: a tuple
* ``<slot:number 1..6>``  a number from 1 to 6; ``1..``: from 1 on
* ``<flag:=dug in>``    the field `flag` is True where these words are written
* ``[...]``             may be left out; keywords alone are put back when pbem writes the order
* ``(a|b)``             one of these
* ``{a|b}``             some of these, none or all, each once and in any order

Types: `unit`, `units`, `hex`, `hexes`, `path`, `number`, `word` (any one), `text` (the rest of the line), and
every vocabulary of the game. `Notation` reads the usage lines. A player's line is matched by walking the
pattern, since what a word means depends on who reads it (unit ids, hexes) and a good complaint on how far the
line made sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.engine.errors import OrderError
from pbem.engine.language.names import LONGEST_NAME, Names, folded

Captures = tuple[tuple[str, Any], ...]
Found = Iterator[tuple[int, Any]]

# --- words of a line -----------------------------------------------------------------------------------

WORD = re.compile(r"\.\.|->|=>|–>|[→–—]|(?:(?!\.\.|->|=>)[^\s,:;<>%&=()\[\]\"→–—])+|[,:;<>%&=()\[\]\"]")
ARROWS = frozenset({">", "->", "=>", "–>", "→", "–", "—", "-"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One word or mark of a line, from `column` on. `text` is what it is read as; in the line it is `width`
    letters wide."""

    text: str
    column: int
    width: int

    @property
    def end(self) -> int:
        return self.column + self.width


class Miss:
    """What would have let the line go on: the pattern that was wanted, or a complaint that says it better."""

    __slots__ = ("either", "error", "replace", "wanted")

    def __init__(
        self,
        wanted: Key | Slot | None,
        error: OrderError | None = None,
        replace: str | None = None,
        either: Sequence[str] = (),
    ) -> None:
        self.wanted = wanted
        self.error = error
        self.replace = replace
        """Words to stand in the place that `error` points at."""
        self.either = either
        """The names of which one was meant."""


class Scan:
    """A line cut into words, and how far any reading of it came. `pieces` are its words as they are to be
    read, where these are not simply the ones that it has."""

    def __init__(
        self, line: str, names: Names, reserved: frozenset[str], pieces: Sequence[Piece] | None = None
    ) -> None:
        self.line = line
        self.names = names
        self.reserved = reserved
        self.pieces = self._unlabelled(list(self._cut(line))) if pieces is None else list(pieces)
        self.keys = [piece.text.lower() for piece in self.pieces]
        self.length = len(self.keys)
        names.work.spend(self.length)
        self.keys.extend(("", "", "", ""))
        self.furthest = 0
        self.misses: list[Miss] = []
        self._names_at: dict[int, list[str]] = {}

    def _cut(self, line: str) -> Iterator[Piece]:
        end = len(line.rstrip().rstrip(".!"))
        for found in WORD.finditer(line, 0, end):
            text, column = found[0], found.start()
            joint = self._joint(text)
            if not joint:
                yield Piece(text, column, len(text))
                continue
            for part in re.finditer(f"[{joint}]|[^{joint}]+", text):
                yield Piece(part[0].replace("-", ">"), column + part.start(), len(part[0]))

    def _unlabelled(self, pieces: list[Piece]) -> list[Piece]:
        """The words without the formation in front of a colon, of whose units the line speaks: ``50th Div:
        69 and 151 on 1439``; and without one in brackets behind them: ``8th Bde (3rd British Div)``."""
        pieces = self._unbracketed(pieces)
        at = next((at for at, piece in enumerate(pieces[: LONGEST_NAME + 2]) if piece.text == ":"), 0)
        start = 1 if at and pieces[0].text.lower() == "the" else 0
        words = [piece.text for piece in pieces[start:at]]
        found = self.names.formation(words, self.reserved, sure=True) if at and words else None
        if found is None or found[1] < len(words):
            return pieces
        members = frozenset(id for each in found[0] for id in self.names.members(each))
        narrow = self.names.narrowed(members)
        rest = [piece.text for piece in pieces[at + 1 : at + 1 + LONGEST_NAME]]
        marks = (n for n, word in enumerate(rest) if not any(map(str.isalnum, word)))
        rest = rest[: next(marks, len(rest))]
        meant = narrow.meant(rest, self.reserved) if rest else None
        of_it = meant is not None and members.issuperset(meant.units)
        if not of_it and not (rest and rest[0].lower() in ("all", "both")):
            return pieces
        self.names = narrow
        return pieces[at + 1 :]

    def _unbracketed(self, pieces: list[Piece]) -> list[Piece]:
        """The words without formations in brackets, which say whose units are meant."""
        for at, piece in enumerate(pieces):
            if piece.text != "(" or not at:
                continue
            end = next((n for n in range(at + 1, len(pieces)) if pieces[n].text == ")"), at)
            words = [each.text for each in pieces[at + 1 : end]]
            words = words[1:] if words[:1] and words[0].lower() in ("of", "the") else words
            found = self.names.formation(words, self.reserved) if words else None
            if found is None or found[1] < len(words):
                continue
            members = [id for each in found[0] for id in self.names.members(each)]
            if members:
                self.names = self.names.narrowed(members, labelled=self.names.labelled)
                return self._unbracketed([*pieces[:at], *pieces[end + 1 :]])
        return pieces

    def _joint(self, text: str) -> str:
        """The sign that joins names written without blanks: ``8/4+22/4``, ``15+43``, ``4818-4918``."""
        if len(text) > 1 and "+" in text and folded(text) not in self.names.units:
            parts = text.split("+")
            named = any(folded(part) in self.names.units or self.names.hex(part) for part in parts)
            if not named and self.names.meant([text], self.reserved) is None:
                named = all(self.names.meant([part], self.reserved) for part in parts)
            return "+" if named else ""
        if "-" in text and folded(text) not in self.names.units:
            parts = text.split("-")
            return "-" if len(parts[0]) > 2 and all(map(self.names.hex, parts)) else ""
        return ""

    def words(self, at: int) -> list[str]:
        """The words from `at` on, up to the next mark, that may make a name together, as they are written."""
        if at not in self._names_at:
            found = [piece.text for piece in self.pieces[at : min(at + LONGEST_NAME, self.length)]]
            marks = (n for n, word in enumerate(found) if not any(map(str.isalnum, word)))
            self._names_at[at] = found[: next(marks, len(found))]
        return self._names_at[at]

    def miss(self, at: int, miss: Miss) -> None:
        if at > self.furthest:
            self.furthest = at
            self.misses.clear()
        if at == self.furthest:
            self.misses.append(miss)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Column and length of the words `start` to `stop` (exclusive)."""
        column = self.pieces[start].column
        return column, max(1, self.pieces[stop - 1].end - column)

    def came(self) -> int:
        """How far into the line it could be read, as a column."""
        return self.pieces[self.furthest].column if self.furthest < self.length else len(self.line)


NEGATIONS = frozenset({"none", "nothing", "nobody", "never", "not"})
"""Words that are only read when they are written in full: ``no heavy`` is not ``none, heavy``."""
SMALL = frozenset("in on to or".split())
"""Words that begin no other word: ``In defence`` is no increment."""


def spellings(words: Iterable[str], taken: frozenset[str] = frozenset()) -> dict[str, str]:
    """Every way to write each word: in full, or by a beginning of two letters or more that is none of `taken`
    or `SMALL`, and that no other word has, unless those only go on from this one (``nor`` is north, not
    north-west). `NEGATIONS` are written in full."""
    distinct = sorted(dict.fromkeys(words), key=len)
    short: dict[str, str | None] = {}
    for word in distinct:
        for n in range(2, len(word)):
            begun = word[:n].lower()
            first = short.setdefault(begun, word)
            if first is not None and not word.lower().startswith(first.lower()):
                short[begun] = None
    clear = {
        begun: word
        for begun, word in short.items()
        if word is not None and begun not in taken and begun not in SMALL and word not in NEGATIONS
    }
    return clear | {word.lower(): word for word in distinct}


# --- patterns ------------------------------------------------------------------------------------------


class Pattern(Protocol):
    """A piece of a usage line."""

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        """Every reading from word `at` on, the likeliest first: where it ends and what it fills."""

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The words for these values; None where a slot has none."""

    def slots(self) -> tuple[str, ...]: ...

    def parts(self) -> Sequence[Pattern]: ...


@dataclass(slots=True, eq=False)
class Key:
    """A keyword. `accepts` are the spellings that stand for it among its neighbours."""

    word: str
    accepts: frozenset[str] = frozenset()

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        keys = scan.keys
        at = at + 1 if keys[at] == "," else at
        if keys[at] in self.accepts:
            yield (at + 2 if keys[at + 1] == ":" and keys[at] != ":" else at + 1), ()
        else:
            scan.miss(at, Miss(self))

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        return self.word

    def slots(self) -> tuple[str, ...]:
        return ()

    def parts(self) -> Sequence[Pattern]:
        return ()

    def candidates(self, scan: Scan) -> Iterable[str]:
        return (self.word,)

    @property
    def name(self) -> str:
        return f'"{self.word}"'


@dataclass(frozen=True, slots=True)
class SlotType:
    """How a sort of value is read and written; `title` says what is wanted, in a few words."""

    title: str
    read: Callable[[Scan, int, Slot], Found]
    write: Callable[[Any], str] = str
    candidates: Callable[[Scan], Iterable[str]] = field(default=lambda scan: ())


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a number may be; without a `most` any number from the least on."""

    least: int
    most: int | None

    def __contains__(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)

    def __str__(self) -> str:
        return f"{self.least} or more" if self.most is None else f"from {self.least} to {self.most}"


@dataclass(slots=True, eq=False)
class Slot:
    """A field to fill. `type.read` knows how its values are written by people."""

    field: str
    type: SlotType
    bounds: Bounds | None = None
    """What a number may be."""

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for end, value in self.type.read(scan, at, self):
            yield end, ((self.field, value),)

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        value = values.get(self.field)
        return None if value is None or value in ((), "") else self.type.write(value)

    def slots(self) -> tuple[str, ...]:
        return (self.field,)

    def parts(self) -> Sequence[Pattern]:
        return ()

    def candidates(self, scan: Scan) -> Iterable[str]:
        return self.type.candidates(scan)

    @property
    def name(self) -> str:
        return self.type.title


@dataclass(slots=True, eq=False)
class Series:
    """One pattern after another."""

    items: tuple[Pattern, ...]

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        return self._from(0, scan, at)

    def _from(self, index: int, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        if index == len(self.items) - 1:
            yield from self.items[index].match(scan, at)
            return
        for middle, first in self.items[index].match(scan, at):
            for end, rest in self._from(index + 1, scan, middle):
                yield end, first + rest

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        written: list[str] = []
        for item in self.items:
            words = item.write(values, defaults)
            if words is None:
                return None
            written.append(_singular(item, words) if "1" in written[-2:] else words)
        return "".join(part if part in (":", "%") else f" {part}" for part in written if part).lstrip()

    def slots(self) -> tuple[str, ...]:
        return tuple(slot for item in self.items for slot in item.slots())

    def parts(self) -> Sequence[Pattern]:
        return self.items


def _singular(item: Pattern, plural: str) -> str:
    """The word for one, where a pattern has a choice of both: ``point`` of ``(points|point)``."""
    words = {
        key.word for part in (item, *item.parts()) for key in (part, *part.parts()) if isinstance(key, Key)
    }
    return next((word for word in (plural[:-1], plural[:-2]) if word in words), plural)


@dataclass(slots=True, eq=False)
class Flag:
    """Words that make a field True."""

    field: str
    words: Series

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for end, _ in self.words.match(scan, at):
            yield end, ((self.field, True),)

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        return self.words.write(values, defaults) if values.get(self.field) else None

    def slots(self) -> tuple[str, ...]:
        return (self.field,)

    def parts(self) -> Sequence[Pattern]:
        return self.words.items


@dataclass(slots=True, eq=False)
class Maybe:
    """What may be left out."""

    inner: Pattern

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        yield from self.inner.match(scan, at)
        yield at, ()

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        slots = self.inner.slots()
        if slots and all(values.get(slot) == defaults.get(slot) for slot in slots):
            return ""
        return self.inner.write(values, defaults) or ""

    def slots(self) -> tuple[str, ...]:
        return self.inner.slots()

    def parts(self) -> Sequence[Pattern]:
        return (self.inner,)


@dataclass(slots=True, eq=False)
class Choice:
    """One of several patterns."""

    items: tuple[Pattern, ...]
    _fullest_first: list[Pattern] | None = field(default=None, init=False)

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for item in self.items:
            yield from item.match(scan, at)

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The words of the item with the most slots of those that can be written, the first of equals."""
        if self._fullest_first is None:
            self._fullest_first = sorted(self.items, key=lambda item: -len(item.slots()))
        written = (item.write(values, defaults) for item in self._fullest_first)
        return next((words for words in written if words is not None), None)

    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot for item in self.items for slot in item.slots()))

    def parts(self) -> Sequence[Pattern]:
        return self.items


@dataclass(slots=True, eq=False)
class Some:
    """Some of several patterns, none or all of them, each once and in any order."""

    items: tuple[Pattern, ...]

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        return self._more(self.items, scan, at)

    def _more(self, left: tuple[Pattern, ...], scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for index, item in enumerate(left):
            for middle, first in item.match(scan, at):
                for end, rest in self._more(left[:index] + left[index + 1 :], scan, middle):
                    yield end, first + rest
        yield at, ()

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        return ", ".join(filter(None, (Maybe(item).write(values, defaults) for item in self.items)))

    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot for item in self.items for slot in item.slots()))

    def parts(self) -> Sequence[Pattern]:
        return self.items


def keywords(pattern: Pattern) -> Iterator[Key]:
    """Every keyword of a pattern."""
    if isinstance(pattern, Key):
        yield pattern
    for part in pattern.parts():
        yield from keywords(part)


def leading(pattern: Pattern) -> tuple[list[Key], bool]:
    """The keywords that a line of this pattern may begin with, and whether it may begin with what comes
    after."""
    match pattern:
        case Key():
            return [pattern], False
        case Slot():
            return [], False
        case Maybe():
            return leading(pattern.inner)[0], True
        case Choice():
            found = [leading(item) for item in pattern.items]
            return [key for keys, _ in found for key in keys], any(open_ for _, open_ in found)
        case Some():
            return [key for item in pattern.items for key in leading(item)[0]], True
    keys: list[Key] = []
    for part in pattern.parts():
        more, open_ = leading(part)
        keys += more
        if not open_:
            return keys, False
    return keys, True


# --- usage lines ---------------------------------------------------------------------------------------

KEYWORD = re.compile(r"[a-z][a-z0-9'-]*")
MARK = re.compile(r'"([<>%&=:])"')
NAME = re.compile(r"[a-z_][a-z0-9_]*")
TYPE = re.compile(r"[a-z_][a-z0-9_]*(?:\.\.\.)?")
BOUNDS = re.compile(r"(\d+)\.\.(\d*)")
FLAG_WORDS = re.compile(r"[a-z][a-z0-9' -]*")
FOUND = re.compile(r"""[\w'-]+|"[^"]*"?|.""")


class Notation:
    """The reader of one usage line: each method reads what it is named after, from where the last one ended.

    ::

        usage    = choice
        choice   = sequence { "|" sequence }
        sequence = item { item }
        item     = keyword | mark | "[" choice "]" | "(" choice ")" | "{" choice "}" | "<" slot ">"
        slot     = name [ ":" type [ bounds ] ] | name ":=" flag words
        keyword  = a letter, then letters, digits, ' and -
        mark     = one of < > % & = : in double quotes
        name     = a letter or _, then letters, digits and _
        type     = a name, with ... behind it for several
        bounds   = digits, "..", perhaps digits; only behind the type number

    Letters are lower case. Spaces are allowed between any two parts. Errors are ValueErrors with the column,
    counted from 1.
    """

    def __init__(self, usage: str, types: Mapping[str, SlotType]) -> None:
        self.line = usage
        self.types = types
        self.at = 0
        self.go_on(0)

    def usage(self) -> Pattern:
        """Read the whole line."""
        whole = self.choice()
        if self.at < len(self.line):
            raise self.error(f"{self.found()} does not belong here")
        return whole

    def choice(self) -> Pattern:
        """Read alternatives; a single one stands for itself."""
        items = [self.sequence()]
        while self.sign("|"):
            items.append(self.sequence())
        return items[0] if len(items) == 1 else Choice(tuple(items))

    def sequence(self) -> Pattern:
        """Read items, at least one; a single one stands for itself."""
        items: list[Pattern] = []
        while item := self.item():
            items.append(item)
        if not items:
            raise self.error(f"expected a keyword, a slot or a bracket, found {self.found()}")
        return items[0] if len(items) == 1 else Series(tuple(items))

    def item(self) -> Pattern | None:
        """Read an item, if one begins here."""
        start = self.at
        if self.sign("["):
            return Maybe(self.closed("]", start))
        if self.sign("("):
            return self.closed(")", start)
        if self.sign("{"):
            inner = self.closed("}", start)
            return Some(inner.items if isinstance(inner, Choice) else (inner,))
        if self.sign("<"):
            return self.slot()
        if mark := self.token(MARK):
            return Key(mark[1])
        if keyword := self.token(KEYWORD):
            # "if 3120 empty" says the same as "if 3120 is empty"
            return Maybe(Key("is")) if keyword[0] == "is" else Key(keyword[0])
        return None

    def closed(self, sign: str, start: int) -> Pattern:
        """Read a choice and the `sign` that closes the bracket at `start`."""
        inner = self.choice()
        if not self.sign(sign):
            opened = f'the "{self.line[start]}" in column {start + 1}'
            raise self.error(f'expected "{sign}" for {opened}, found {self.found()}')
        return inner

    def slot(self) -> Pattern:
        """Read a slot or a flag behind its "<"."""
        start = self.at
        name = self.expected(NAME, "the name of a field")[0]
        pattern = self.flag(name) if self.sign(":=") else self.typed(name, start)
        if not self.sign(">"):
            raise self.error(f'expected ">" after <{name}, found {self.found()}')
        return pattern

    def flag(self, name: str) -> Pattern:
        """Read the words that set the field `name`."""
        words = self.expected(FLAG_WORDS, f"the words that set {name}")[0]
        return Flag(name, Series(tuple(Key(word) for word in words.split())))

    def typed(self, name: str, start: int) -> Pattern:
        """Read the type of a slot; without one, the name at `start` is the type."""
        kind = name
        if self.sign(":"):
            start = self.at
            kind = self.expected(TYPE, "a type")[0]
        if kind not in self.types:
            raise self.error(f'there is no type "{kind}"; there are {", ".join(self.types)}', start)
        return Slot(name, self.types[kind], self.bounds() if kind == "number" else None)

    def bounds(self) -> Bounds | None:
        """Read the bounds of a number, if it has any."""
        found = self.token(BOUNDS)
        return Bounds(int(found[1]), int(found[2]) if found[2] else None) if found else None

    def sign(self, text: str) -> bool:
        """Read `text`, if it is next."""
        there = self.line.startswith(text, self.at)
        if there:
            self.go_on(self.at + len(text))
        return there

    def expected(self, token: re.Pattern[str], what: str) -> re.Match[str]:
        """Read a token that must be next. Raise ValueError saying `what` was expected."""
        if found := self.token(token):
            return found
        raise self.error(f"expected {what}, found {self.found()}")

    def token(self, token: re.Pattern[str]) -> re.Match[str] | None:
        """Read a token and the spaces after it, if it is next."""
        found = token.match(self.line, self.at)
        if found:
            self.go_on(found.end())
        return found

    def go_on(self, at: int) -> None:
        """Go on at this place, or behind the spaces there."""
        self.at = len(self.line) - len(self.line[at:].lstrip())

    def found(self) -> str:
        """Return what is next, for an error."""
        part = FOUND.match(self.line, self.at)
        return '"' + part[0].strip('"') + '"' if part else "the end"

    def error(self, why: str, at: int | None = None) -> ValueError:
        """Return the error for a place in the line, by default where it is read."""
        column = (self.at if at is None else at) + 1
        return ValueError(f'usage "{self.line}", column {column}: {why}')


def compile_usage(usage: str, types: Mapping[str, SlotType]) -> Pattern:
    """Return the pattern of a usage line. Raise ValueError, with the column, for a line that is not one."""
    return Notation(usage, types).usage()
