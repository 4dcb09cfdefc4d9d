"""Usage lines: the small language in which a verb says how it is written, and the patterns made from it.

* ``word``              a keyword; players may shorten it to any unique beginning of two letters or more
* ``"%"``               a mark, which may also stand right behind a word
* ``<slot>``            fills the field `slot`; the name is also its type
* ``<slot:type>``       the same with another type
* ``<slot:type...>``    one or more of that type, separated by commas or ``and``: a tuple
* ``<flag:=dug in>``    the field `flag` is True where these words are written
* ``[...]``             may be left out; keywords alone are put back when pbem writes the order
* ``(a|b)``             one of these
* ``{a|b}``             some of these, none or all, each once and in any order

Types: `unit`, `units`, `hex`, `hexes`, `path`, `number`, `word` (any one), `text` (the rest of the line), and every
vocabulary of the game. Lark reads the usage lines. A player's line is matched by walking the pattern, since what a
word means depends on who reads it (unit ids, hexes) and a good complaint on how far the line made sense.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Protocol

from lark import Lark, Token, Transformer
from lark.exceptions import LarkError

from pbem.engine.errors import OrderError
from pbem.engine.orders import Roster, RosterUnit

Captures = tuple[tuple[str, Any], ...]
Found = Iterator[tuple[int, Any]]

# --- words of a line -----------------------------------------------------------------------------------

WORD = re.compile(r"\.\.|->|–>|[→–—]|(?:(?!\.\.|->)[^\s,:;<>%&=()\[\]\"→–—])+|[,:;<>%&=()\[\]\"]")
ARROWS = frozenset({">", "->", "–>", "→", "–", "—"})
HEX = re.compile(r"[A-Za-z]{0,2}\d{2,4}$")


@dataclass(frozen=True, slots=True)
class Piece:
    """One word or mark of a line, from `column` to `end`."""

    text: str
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.text)


class Names:
    """What a roster's names look like to a reader: case-free, by beginning, by kind."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.units = {name.lower().replace(" ", ""): name for name in roster.units}
        self.groups = {name.lower(): meant for name, meant in roster.groups.items()}

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.units)

    @cached_property
    def kinds(self) -> dict[str, list[RosterUnit]]:
        """Own units by kind, in roster order."""
        found: dict[str, list[RosterUnit]] = {}
        for unit in self.own:
            found.setdefault(unit.kind.lower(), []).append(unit)
        return found

    @cached_property
    def own(self) -> list[RosterUnit]:
        return [unit for unit in self.roster.units.values() if not unit.enemy]

    @cached_property
    def order(self) -> list[str]:
        return [unit.id for unit in self.own]

    def beginning(self, key: str) -> list[str]:
        """The units whose id begins with `key`: one's own if there are any, else the enemy's. A number is never cut in two:
        ``11`` is not 116/29, it is more likely a slip for 1/1."""
        at = bisect_left(self._sorted, key)
        found = []
        while at < len(self._sorted) and self._sorted[at].startswith(key):
            if not (key[-1].isdigit() and self._sorted[at][len(key) :][:1].isdigit()):
                found.append(self.units[self._sorted[at]])
            at += 1
        own = [name for name in found if not self.roster.units[name].enemy]
        return own or found

    def hex(self, text: str) -> str | None:
        hexes = self.roster.hexes
        if text in hexes:
            return text
        upper = text.upper()
        if hexes:
            return upper if upper in hexes else None
        return upper if HEX.match(text) else None


class Miss:
    """What would have let the line go on: the pattern that was wanted, or a complaint that says it better."""

    __slots__ = ("error", "replace", "wanted")

    def __init__(
        self, wanted: Key | Slot | None, error: OrderError | None = None, replace: str | None = None
    ) -> None:
        self.wanted = wanted
        self.error = error
        self.replace = replace
        """Words to stand in the place that `error` points at."""


class Scan:
    """A line cut into words, and how far any reading of it came."""

    def __init__(self, line: str, names: Names, reserved: frozenset[str]) -> None:
        self.line = line
        self.names = names
        self.reserved = reserved
        self.pieces = list(self._cut(line))
        self.keys = [piece.text.lower() for piece in self.pieces]
        self.length = len(self.keys)
        self.keys.extend(("", "", "", ""))
        self.furthest = 0
        self.misses: list[Miss] = []

    def _cut(self, line: str) -> Iterator[Piece]:
        end = len(line.rstrip().rstrip("."))
        for found in WORD.finditer(line, 0, end):
            text, column = found[0], found.start()
            joint = self._joint(text)
            if not joint:
                yield Piece(text, column)
                continue
            for part in re.finditer(f"[{joint}]|[^{joint}]+", text):
                yield Piece(part[0].replace("-", ">"), column + part.start())

    def _joint(self, text: str) -> str:
        """The sign that joins names written without blanks: ``8/4+22/4``, ``4818-4918``."""
        if len(text) > 1 and "+" in text and text.lower() not in self.names.units:
            parts = text.lower().split("+")
            return "+" if any(part in self.names.units or self.names.hex(part) for part in parts) else ""
        if "-" in text and text.lower() not in self.names.units:
            parts = text.split("-")
            return "-" if len(parts[0]) > 2 and all(map(self.names.hex, parts)) else ""
        return ""

    def miss(self, at: int, miss: Miss) -> None:
        if at > self.furthest:
            self.furthest = at
            self.misses.clear()
        if at == self.furthest:
            self.misses.append(miss)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Column and length of the words `start` to `stop` (exclusive)."""
        column = self.pieces[start].column
        return column, self.pieces[stop - 1].end - column


def spellings(words: Iterable[str], taken: frozenset[str] = frozenset()) -> dict[str, str]:
    """Every way to write each word: in full, or by a beginning of two letters or more that is not itself one of `taken` and
    that no other word has, unless those only go on from this one (``nor`` is north, not north-west)."""
    distinct = sorted(dict.fromkeys(words), key=len)
    short: dict[str, str | None] = {}
    for word in distinct:
        for n in range(2, len(word)):
            begun = word[:n].lower()
            first = short.setdefault(begun, word)
            if first is not None and not word.lower().startswith(first.lower()):
                short[begun] = None
    clear = {begun: word for begun, word in short.items() if word is not None and begun not in taken}
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


@dataclass(slots=True, eq=False)
class Slot:
    """A field to fill. `type.read` knows how its values are written by people."""

    field: str
    type: SlotType

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
        written = [item.write(values, defaults) for item in self.items]
        return None if None in written else " ".join(filter(None, written)).replace(" :", ":")

    def slots(self) -> tuple[str, ...]:
        return tuple(slot for item in self.items for slot in item.slots())

    def parts(self) -> Sequence[Pattern]:
        return self.items


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

    def match(self, scan: Scan, at: int) -> Iterator[tuple[int, Captures]]:
        for item in self.items:
            yield from item.match(scan, at)

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        written = [(len(item.slots()), item.write(values, defaults)) for item in self.items]
        return max((some for some in written if some[1] is not None), default=(0, None), key=lambda s: s[0])[
            1
        ]

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
    """The keywords that a line of this pattern may begin with, and whether it may begin with what comes after."""
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

USAGE = r"""
start: choice
choice: sequence ("|" sequence)*
sequence: item+
?item: WORD -> key
     | MARK -> mark
     | "[" choice "]" -> maybe
     | "(" choice ")"
     | "{" choice "}" -> some
     | "<" NAME [":" TYPE] ">" -> slot
     | "<" NAME ":=" WORDS ">" -> flag
WORD: /[a-z][a-z0-9'-]*/
MARK: /"[<>%&=:]"/
NAME: /[a-z_][a-z0-9_]*/
TYPE: /[a-z_][a-z0-9_]*(\.\.\.)?/
WORDS: /[a-z][a-z0-9' -]*/
%ignore /\s+/
"""


@cache
def _usage_parser() -> Lark:
    return Lark(USAGE, parser="lalr", lexer="contextual", maybe_placeholders=True)


class _Builder(Transformer[Token, Pattern]):
    def __init__(self, types: Mapping[str, SlotType]) -> None:
        super().__init__()
        self.types = types

    def start(self, children: list[Pattern]) -> Pattern:
        return children[0]

    def choice(self, children: list[Pattern]) -> Pattern:
        return children[0] if len(children) == 1 else Choice(tuple(children))

    def sequence(self, children: list[Pattern]) -> Pattern:
        return children[0] if len(children) == 1 else Series(tuple(children))

    def key(self, children: list[Token]) -> Pattern:
        return Key(str(children[0]))

    def mark(self, children: list[Token]) -> Pattern:
        return Key(children[0].strip('"'))

    def maybe(self, children: list[Pattern]) -> Pattern:
        return Maybe(children[0])

    def some(self, children: list[Pattern]) -> Pattern:
        inner = children[0]
        return Some(inner.items if isinstance(inner, Choice) else (inner,))

    def slot(self, children: list[Token | None]) -> Pattern:
        name, kind = str(children[0]), str(children[1] or children[0])
        if kind not in self.types:
            raise ValueError(f"<{name}:{kind}>: no such type; there are {', '.join(self.types)}")
        return Slot(name, self.types[kind])

    def flag(self, children: list[Token]) -> Pattern:
        return Flag(str(children[0]), Series(tuple(Key(word) for word in children[1].split())))


def compile_usage(usage: str, types: Mapping[str, SlotType]) -> Pattern:
    """The pattern of a usage line. Raises ValueError for a line that is not one."""
    try:
        tree = _usage_parser().parse(usage)
        return _Builder(types).transform(tree)
    except LarkError as error:
        raise ValueError(f"usage {usage!r}: {error}") from error
