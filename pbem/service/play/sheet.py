"""The sheet of a seat: its order lines of this turn as they were read, under names that never move.

A line is kept as what it was read as, beside its text; it is never read again under other names. Names count
on through the whole game: no number is given twice. A line that takes the place of another takes its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from pbem.engine.language import Condition, Grammar, IfClause, Line, Order, Policy, StandingLine
from pbem.service.play.plain import Number, Plain, Whole, read_as

State = Literal["ready", "waiting", "faulty"]


@dataclass(slots=True)
class SheetLine:
    """A line as it is kept. `line` is what was read, None where nothing could be; then `why` says why not,
    with the rulebook `case`, `offers` what to send instead, which would mean `meant`, `about` which units and
    hexes it names, `sort` what kind of order it was meant to be. `state` and `why` are as its writer last
    read them. `letter` is the letter it came with."""

    name: Number
    section: str
    text: str
    line: Line | None = None
    state: State = "ready"
    why: str = ""
    case: str = ""
    offers: tuple[str, ...] = ()
    meant: tuple[Line, ...] = ()
    letter: int = 0
    about: tuple[str, ...] = ()
    sort: str = ""

    @property
    def order(self) -> Order | None:
        return self.line.order if self.line else None

    @property
    def readable(self) -> bool:
        return self.line is not None

    @property
    def title(self) -> str:
        return f"L{self.name}"

    @property
    def lines(self) -> tuple[Line, ...]:
        """What it says, or would say if it were written as offered."""
        return (self.line,) if self.line else self.meant

    def dump(self) -> dict[str, Any]:
        """The line as plain JSON values."""
        plain: dict[str, Any] = {
            "name": self.name,
            "section": self.section,
            "text": self.text,
            "letter": self.letter,
        }
        if self.line is not None:
            plain["line"] = _dump_line(self.line)
        if self.meant:
            plain["meant"] = [_dump_line(each) for each in self.meant]
        said = {"state": self.state, "why": self.why, "case": self.case, "offers": list(self.offers)}
        said |= {"about": list(self.about), "sort": self.sort}
        return plain | {name: value for name, value in said.items() if value and value != "ready"}

    @classmethod
    def check(cls, value: Any) -> int:
        """Return the name of a plain line. Raise ValueError, with the place, for one that `dump` has not
        made; what it says is left to `load`."""
        if not isinstance(value, dict):
            raise ValueError("Expected object")
        for name in ("name", "section", "text", "letter"):
            if name not in value:
                raise ValueError(f"{name}: is missing")
        said = [*value.get("meant", ()), *([value["line"]] if "line" in value else [])]
        if not all(isinstance(each, dict) for each in said):
            raise ValueError("line: Expected object")
        plain = {name: each for name, each in value.items() if name not in ("line", "meant")}
        return read_as(cls, plain, whole=False).name

    @classmethod
    def load(cls, grammar: Grammar, value: Mapping[str, Any]) -> SheetLine:
        """The line that `dump` made plain. Raises ValueError for what it did not make."""
        section, text = value["section"], value["text"]
        return cls(
            value["name"],
            section,
            text,
            _load_line(grammar, value["line"], section, text) if "line" in value else None,
            value.get("state", "ready"),
            value.get("why", ""),
            value.get("case", ""),
            tuple(value.get("offers", ())),
            tuple(_load_line(grammar, each, section, text) for each in value.get("meant", ())),
            value["letter"],
            tuple(value.get("about", ())),
            value.get("sort", ""),
        )


@dataclass(slots=True)
class Sheet:
    """The lines of one seat for `turn`, those of each section in the order of play. `closed` are the sections
    that are played when their turn comes, `held` those for which DONE was said while a later one of the same
    letter was faulty: they close with it. `next` is the name of the next new line."""

    turn: Whole = 0
    lines: list[SheetLine] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    next: Number = 1
    always: bool = False
    """STANDING DONE: ALWAYS: a letter without a fault closes the sections that it holds lines for."""
    empty: bool = False
    """STANDING EMPTY: CLOSE: DONE ALL also closes the sections of the turn without lines."""

    def of(self, section: str) -> list[SheetLine]:
        """The lines of a section, in the order of play."""
        return [line for line in self.lines if line.section == section]

    def sections(self) -> list[str]:
        """The sections with lines, in the order of their first ones."""
        return list(dict.fromkeys(line.section for line in self.lines))

    def named(self, name: int) -> SheetLine | None:
        return next((line for line in self.lines if line.name == name), None)

    def faulty(self, section: str | None = None) -> list[SheetLine]:
        """The faulty lines, of one section or of all."""
        return [line for line in self.lines if line.state == "faulty" and section in (None, line.section)]

    def reopen(self, section: str) -> bool:
        """Make a section a draft again; whether it was closed."""
        was = section in self.closed or section in self.held
        self.closed = [each for each in self.closed if each != section]
        self.held = [each for each in self.held if each != section]
        return was

    def close(self, section: str) -> None:
        self.held = [each for each in self.held if each != section]
        if section not in self.closed:
            self.closed.append(section)

    def take_name(self) -> int:
        """A name for a new line."""
        self.next += 1
        return self.next - 1

    def copy(self) -> Sheet:
        lines = [replace(line) for line in self.lines]
        return replace(self, lines=lines, closed=list(self.closed), held=list(self.held))

    def dump(self) -> dict[str, Any]:
        """The sheet as plain JSON values."""
        return {
            "turn": self.turn,
            "lines": [line.dump() for line in self.lines],
            "closed": self.closed,
            "held": self.held,
            "next": self.next,
            "always": self.always,
            "empty": self.empty,
        }

    @staticmethod
    def check(value: Mapping[str, Any]) -> None:
        """Raise ValueError, with the place, for a value that `dump` has not made; what its lines say is left
        to `load`."""
        lines = value.get("lines")
        names: list[int] = []
        for at, line in enumerate(lines if isinstance(lines, list) else ()):
            try:
                names.append(SheetLine.check(line))
            except ValueError as error:
                raise ValueError(f"lines.{at}.{error}") from None
        next_ = read_as(Sheet, {**value, "lines": []}).next
        if len(names) != len(set(names)):
            raise ValueError("two lines have the same name")
        if max(names, default=0) >= next_:
            raise ValueError(f"the next line would be L{next_}, which is taken")

    @classmethod
    def load(cls, grammar: Grammar, value: Mapping[str, Any]) -> Sheet:
        """The sheet that `dump` made plain; an empty one for an empty value."""
        if not value:
            return cls()
        lines = [_loaded(grammar, each) for each in value["lines"]]
        closed, held = list(value["closed"]), list(value["held"])
        return cls(value["turn"], lines, closed, held, value["next"], value["always"], value["empty"])


# --- the order of play --------------------------------------------------------------------------------------


def stages(lines: Sequence[SheetLine]) -> list[int]:
    """The place of each line in the order of play; one that names none has that of the line before it."""
    places: list[int] = []
    for line in lines:
        stage = line.order.stage if line.order is not None else _meant_stage(line)
        places.append(places[-1] if stage is None and places else stage or 0)
    return places


def _meant_stage(line: SheetLine) -> int | None:
    return line.meant[0].order.stage if line.meant else None


def groups(lines: Sequence[SheetLine]) -> list[list[SheetLine]]:
    """Lines under their heads: a group begins with each line that heads others (`Order.heads`); those before
    the first one are a group too."""
    blocks: list[list[SheetLine]] = [[]]
    for line in lines:
        if line.order is not None and line.order.heads:
            blocks.append([])
        blocks[-1].append(line)
    return [group for group in blocks if group]


def in_order(lines: Sequence[SheetLine]) -> list[SheetLine]:
    """The lines of a section in the order of play: heads as they are written, and below each its lines by
    their stages, equal ones as written."""
    ordered: list[SheetLine] = []
    for group in groups(lines):
        head = 1 if group[0].order is not None and group[0].order.heads else 0
        rest = group[head:]
        ranked = sorted(zip(stages(rest), range(len(rest)), rest, strict=True), key=lambda item: item[:2])
        ordered += [*group[:head], *(line for _, _, line in ranked)]
    return ordered


# --- as plain values ----------------------------------------------------------------------------------------


def _loaded(grammar: Grammar, value: Mapping[str, Any]) -> SheetLine:
    """A line that was kept; one that this version of the game cannot read any more is faulty, and keeps its
    text."""
    try:
        return SheetLine.load(grammar, value)
    except (ValueError, KeyError, TypeError):
        why = "this version of pbem cannot read the line any more: send it again"
        return SheetLine(
            value["name"], value["section"], value["text"], state="faulty", why=why, letter=value["letter"]
        )


def _dump_line(line: Line) -> dict[str, Any]:
    plain: dict[str, Any] = {"order": line.order.dump()}
    if line.conditions:
        plain["if"] = [{**_dump_thing(clause.condition), "not": clause.negated} for clause in line.conditions]
    if line.otherwise is not None:
        plain["else"] = line.otherwise.dump()
    if line.attempt:
        plain["try"] = True
    return plain


def _load_line(grammar: Grammar, value: Mapping[str, Any], section: str, text: str) -> Line:
    order = grammar.load(value["order"])
    assert order is not None
    clauses = tuple(
        IfClause(_load_thing(grammar.conditions, clause), clause["not"]) for clause in value.get("if", ())
    )
    return Line(0, text, section, order, clauses, grammar.load(value.get("else")), value.get("try", False))


def _dump_thing(thing: Condition | Policy[Any]) -> dict[str, Any]:
    return {"is": type(thing).__name__} | {item.name: getattr(thing, item.name) for item in fields(thing)}


def _load_thing(kinds: Iterable[type[Any]], value: Mapping[str, Any]) -> Any:
    """A condition or standing order that was made plain. Raises ValueError for one that this game does not
    have."""
    kind = next((kind for kind in kinds if kind.__name__ == value["is"]), None)
    if kind is None:
        raise ValueError(f"not a condition or standing order of this game: {value['is']}")
    names = {item.name for item in fields(kind)}
    return kind(
        **{
            name: tuple(item) if isinstance(item, list) else item
            for name, item in value.items()
            if name in names
        }
    )


class KeptStanding(Plain):
    """A standing order as it is kept."""

    text: str
    kind: str
    policy: dict[str, Any]


def dump_standing(lines: Iterable[StandingLine]) -> list[dict[str, Any]]:
    """Standing orders as plain JSON values."""
    return [
        {"text": line.text, "kind": line.kind, "policy": _dump_thing(line.policy)}
        for line in lines
        if line.policy is not None
    ]


def load_standing(grammar: Grammar, values: Iterable[Mapping[str, Any]]) -> Iterator[StandingLine]:
    """The standing orders that `dump_standing` made plain. Raises ValueError for what it did not make."""
    for number, value in enumerate(values, 1):
        policy = _load_thing(grammar.policies, value["policy"])
        yield StandingLine(number, value["text"], value["kind"], policy)
