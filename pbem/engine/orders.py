"""One order language for all games: text to orders, orders to text, and the help that explains it.

A game declares its verbs as frozen dataclasses derived from `Order`, each with a usage line such as
``[move] <units> [to] <path> [by <way>]``. From that line come the parser, the help that HELP mails, and the way an order is written.

The language of usage lines is explained in usage.py, the ways to name units and hexes in slots.py, the commands of every letter in
commands.py. reading.py takes a letter apart, repair.py says what is wrong with a line, reference.py writes the help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.engine.errors import OrderError, Unreadable
from pbem.engine.play import Ask, load_order

if TYPE_CHECKING:
    from pbem.engine.reading import Reader


@dataclass(frozen=True, slots=True)
class Order:
    """What a player wants done. A game derives one frozen dataclass for each verb; fields are named after the slots of the usage line
    and hold str, int, bool, None or tuples of str (`units`, `path`, `hexes`)."""

    verb: ClassVar[str]
    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]
    case: ClassVar[str]
    examples: ClassVar[Mapping[str, str]] = {}
    """The example for a seat to which `example` would mean nothing, because it names units of others."""
    seats: ClassVar[tuple[str, ...]] = ()
    """Who may give this order; empty for every seat that has the section."""
    legs: ClassVar[bool] = False
    """Whether several lines of one letter about the same units follow one another, instead of the last one replacing the others."""

    heads: ClassVar[bool] = False
    """Whether a line stands above others that belong to it: several of one letter stay where they were written."""

    leads: ClassVar[bool] = False
    """Whether a line that is added later goes before those of its section that do not lead."""

    @property
    def pauses(self) -> bool:
        """Whether its writer wants to see what comes of this order before anything further is done."""
        return False

    def dump(self) -> dict[str, Any]:
        """The order as plain JSON values, `verb` included; `Grammar.load` reads it back."""
        return {"verb": self.verb} | {f.name: getattr(self, f.name) for f in fields(self)}

    def subjects(self) -> tuple[str, ...]:
        """What the order is about: a later line of the same verb about the same subjects replaces it in a draft. By default its
        units, else its hex."""
        units = getattr(self, "units", None) or (getattr(self, "unit", None),)
        return tuple(u for u in units if u) or (str(getattr(self, "hex", "")),)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for an order to act: ``if 3120 is empty``. Declared like an order: usage line, help and example."""

    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]

    def about(self, order: Order) -> Condition:
        """The condition as it stands in a line with this order: what it leaves unsaid is taken from there."""
        return self


@dataclass(frozen=True, slots=True)
class Policy:
    """A standing order: how one kind of decision is taken while its seat is away. Declared like an order, written
    ``standing <kind>: <usage>``. The first standing line of the right kind that gives an answer decides."""

    kind: ClassVar[str]
    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]
    case: ClassVar[str]

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any | None:
        """One of `ask.options`, or None if this line has nothing to say. `earlier` holds the answers already given to the
        other asks of the same batch, by their `what`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """A unit as its player may name it. `kind` is what is printed on the counter (``7-4``), `hex` where it stands, if anywhere."""

    id: str
    kind: str
    hex: str | None = None
    enemy: bool = False


@dataclass(frozen=True, slots=True)
class Roster:
    """The names a player may use now: units in the order in which letters list them, hexes of the map."""

    units: Mapping[str, RosterUnit]
    hexes: frozenset[str] = field(repr=False, default=frozenset())
    groups: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)
    """Names that are no unit's, of formations say, with all that each may stand for: whoever writes one is asked which units he means."""


Words = Mapping[str, tuple[str, ...]]
"""Closed vocabularies of a game by slot type: ``{"mission": ("heavy", "medium", "light", "any")}``."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition as it stands in a line: ``if <condition>`` or, `negated`, ``if not <condition>``."""

    condition: Condition
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An order with what hangs on it. All `conditions` must hold, otherwise the unit does `otherwise`, or stays (None).
    `attempt`: if the order cannot be done, pass over it without complaint. `text` is the line as the player wrote it."""

    number: int
    text: str
    section: str
    order: Order
    conditions: tuple[Clause, ...] = ()
    otherwise: Order | None = None
    attempt: bool = False


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A standing order, or, without a policy, the wish to clear those of `kind` ("" for all kinds)."""

    number: int
    text: str
    kind: str
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class Command:
    """A letter command that belongs to no game (commands.py). `argument` is what it is about: the topic of HELP, the turn of
    LOG, the addressee of PRESS, the question of ANSWER, the roll of DISPUTE, the units of WITHDRAW. `text` is free."""

    name: str
    argument: str
    number: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was meant as an order and is none. `suggestion` is a whole line to send instead, if one is close; it is
    never applied by itself."""

    number: int
    text: str
    error: OrderError
    suggestion: str = ""

    def __str__(self) -> str:
        if self.suggestion:
            return f"{self.error} Did you mean: {self.suggestion}"
        return str(self.error)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a letter holds, each part in the order of its lines; `unread` are lines that were not meant for us, `headings`
    the sections it names, with orders or without."""

    orders: tuple[Line, ...] = ()
    standing: tuple[StandingLine, ...] = ()
    commands: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Grammar:
    """How the players of one game write.

    `sections` are the headings a letter may carry (``[movement]``) and the orders that belong under each; `words` the
    game's closed vocabularies. `titles` names the sections whose turn chance decides (`Phase.drawn`): ``{"1SS": "1SS Pz"}``;
    orders for one of them may also be written on one line, ``when 1SS Pz: order; order``. Usage lines are compiled when
    the first letter is read; one that is wrong, or names a slot that its dataclass lacks, raises ValueError then.
    """

    orders: tuple[type[Order], ...] = ()
    """All of them; left out, those of the sections."""
    conditions: tuple[type[Condition], ...] = ()
    policies: tuple[type[Policy], ...] = ()
    words: Words = field(default_factory=dict)
    sections: Mapping[str, tuple[type[Order], ...]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.orders:
            kinds = dict.fromkeys(kind for section in self.sections.values() for kind in section)
            object.__setattr__(self, "orders", tuple(kinds))

    def read(self, text_lines: Sequence[tuple[int, str]], roster: Roster, section: str = "") -> Reading:
        """Read the numbered lines of a letter; `section` is the heading in force at its beginning. Never raises for what
        a player wrote: every line ends up in one part of the result."""
        return self._reader.read(text_lines, roster, section)

    def read_line(self, text: str, roster: Roster, section: str = "") -> Order:
        """The one plain order that `text` is. Raises OrderError."""
        reading = self.read([(1, text)], roster, section)
        if reading.faults:
            raise reading.faults[0].error
        if len(reading.orders) != 1:
            raise Unreadable(f'"{text.strip()}" is not an order')
        return reading.orders[0].order

    def begins(self, text: str) -> bool:
        """Whether a line of a letter is a heading: it says under which section the lines after it stand."""
        return self._reader.begins(text)

    def write(self, order: Order) -> str:
        """The order in full, as its usage line has it; reading it back gives the same order."""
        return self._reader.write(order)

    def write_line(self, line: Line) -> str:
        """The line in full: try, conditions, order, else."""
        return self._reader.write_line(line)

    def write_standing(self, line: StandingLine) -> str:
        """The standing order in full."""
        return self._reader.write_standing(line)

    def load(self, value: Any) -> Order | None:
        """The order that `Order.dump` made plain; None for None. Raises ValueError for what it did not make."""
        return load_order(value, self._verbs.values())

    def help(self, topic: str | None = None) -> str:
        """The order reference, all of it or what it says on one verb, section, condition, standing order or letter command."""
        from pbem.engine.reference import reference

        return reference(self, topic)

    def template(self, lines: Mapping[str, Sequence[str]], seat: str = "") -> str:
        """An order letter ready to fill in: a heading for each section of `lines` with its lines, and as comments an example of
        each order that may stand there, and that `seat` may give."""
        from pbem.engine.reference import template

        return template(self, lines, seat)

    def heading(self, section: str) -> str:
        """A section as letters name it: ``[movement]``, or with the title that it has: ``[1SS] 1SS Pz``."""
        title = self.titles.get(section, section)
        return f"[{section}]" if title == section else f"[{section}] {title}"

    def allowed(self, section: str) -> tuple[type[Order], ...]:
        """The orders that may stand under a heading; without one, all."""
        return self.sections.get(section, self.orders)

    @cached_property
    def _verbs(self) -> dict[str, type[Order]]:
        verbs = {kind.verb: kind for kind in self.orders}
        if len(verbs) < len(self.orders):
            raise ValueError("two orders of a grammar have the same verb")
        return verbs

    @cached_property
    def _reader(self) -> Reader:
        # Patterns are made when they are first needed: many commands start a game's module and read no letter.
        from pbem.engine.reading import Reader

        return Reader(self)
