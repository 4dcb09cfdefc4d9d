"""What an order desk holds, in plain values: nothing that its seat may not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.engine.board import Board
from pbem.engine.offer import Offer


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the seat: `hex` is "" for one that is not on the map, `kind` what its counter shows."""

    id: str
    kind: str
    hex: str
    name: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A kind of order: how it is written, what it does and its case. `sort`, `again`, `excludes` and `bars`
    are those of the order (`Order`)."""

    verb: str
    usage: str
    example: str
    help: str
    case: str
    sort: str
    again: str = ""
    excludes: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal order as a line of a letter: who acts, of what subject it is, and what it would bring."""

    text: str
    verb: str
    units: tuple[str, ...]
    subject: str
    offer: Offer


@dataclass(frozen=True, slots=True)
class Head:
    """A line that heads others, and what could be ordered below it."""

    text: str
    left: tuple[str, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the turn. `asked`: it is asked for now. `known`: what could be ordered is known now, and
    not only after a die or a decision. `state` is that of its kept lines: "", draft or closed. `left` are the
    units and hexes that can act, what is compulsory first; `demand` what a rule asks for before the orders
    may end. `room` is how much more a hex holds as all units stand now, None where nothing limits it, and
    `sizes` what a unit counts against it. `cut`: there are more orders than are on the page."""

    key: str
    title: str
    asked: bool
    known: bool
    state: str
    left: tuple[str, ...]
    demand: str
    verbs: tuple[Verb, ...]
    choices: tuple[Choice, ...]
    heads: tuple[Head, ...] = ()
    room: Mapping[str, int | None] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that is kept on the seat's sheet: its name (L9), what it says and how it was judged, and of the
    order that it was read as the verb, who acts, on what it is aimed and where it ends."""

    name: str
    section: str
    text: str
    state: str
    why: str
    verb: str
    units: tuple[str, ...]
    targets: tuple[str, ...]
    end: str


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that is asked of the seat: each option with the letter that answers it, its words, what is
    told of it, and whether it is taken by default. `chosen` is the letter of the answer so far."""

    name: str
    what: str
    case: str
    intro: str
    options: tuple[tuple[str, str, str, bool], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Form:
    """An order desk: one seat at one moment.

    when      the moment in words: Turn 2, Allied movement
    due       until when, "" for no deadline
    to        the address that the letter goes to, with its `subject`; "" in a game without mail
    beside    the line above the letter that says of which moment it is, whatever its subject
    standing  the standing orders in force, `policies` those that there are
    press     to whom messages may be written
    """

    game: str
    title: str
    seat: str
    side: str
    reader: str
    turn: int
    when: str
    due: str
    to: str
    subject: str
    beside: str
    board: Board
    units: tuple[Unit, ...]
    parts: tuple[Part, ...]
    kept: tuple[Kept, ...]
    questions: tuple[Question, ...]
    standing: tuple[str, ...]
    policies: tuple[Verb, ...]
    press: tuple[str, ...]
    credits: str
