"""What the order language is about: orders, conditions and standing orders as games declare them, the names
that a player may use, and what a letter says once it has been read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeVar, dataclass_transform

from pbem.engine.declare import complete, declare
from pbem.engine.desk import load_order
from pbem.engine.errors import OrderError
from pbem.engine.play import Ask

A = TypeVar("A", bound=Ask[Any])

Again = Literal["", "instead", "on"]
"""What a second order of the same kind for the same unit is (`Order.again`)."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Order:
    """What a player wants done. A game derives one class for each verb, which becomes a frozen dataclass by
    itself (declare.py). Fields are named after the slots of the usage line and hold str, int, bool, None or
    tuples of str (`units`, `path`, `hexes`)::

        class Move(Order):
            usage = "move <unit> [to] <hex>"
            help = "Moves a unit to a neighbouring hex."
            example = "move R1 to 0201"
            case = "2.1"

            unit: str
            hex: str
    """

    verb: ClassVar[str]
    """Left out where the usage line begins with it."""
    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]
    case: ClassVar[str]
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {}
    """The example for a seat to which `example` would mean nothing, because it names units of others;
    or several, where no unit is in every scenario: the first that fits is shown."""
    seats: ClassVar[tuple[str, ...]] = ()
    """Who may give this order; empty for every seat that has the section."""
    sort: ClassVar[str] = ""
    """What kind of thing it orders: GOES for all that say where units go, ATTACK for attacks, fire and air
    strikes; "" for its verb alone. A corrected line takes the place of a faulty one of the same sort."""
    rank: ClassVar[int] = 0
    """Its place in the order of play of a section: lower ranks come first, equal ones as they were
    written."""
    as_one: ClassVar[bool] = False
    """Whether its units must start in one hex: a line for units in several is an order for those of each."""
    arrives: ClassVar[bool] = False
    """Whether it brings units onto the map, at its `hex`: maps show where."""
    declared: ClassVar[bool] = False
    """Whether it is only declared, and carried out with the others of its section once that is closed."""

    goes_on: ClassVar[bool] = False
    """Whether its units move on only when the orders of their section end, so that how far they get is
    unknown before then."""
    again: ClassVar[Again] = ""
    """What a second order of this kind is, for the same unit (of an order that names none: for the same
    subject) and behind the first one in the same section: "instead" if only one of them can count, since the
    second is refused or undoes the first; "on" if it goes on from where the first one ended; "" if both
    stand."""
    excludes: ClassVar[tuple[str, ...]] = ()
    """The verbs of its section of which the same unit cannot have an order as well: the later one is refused,
    or undoes the earlier one. Each of them excludes this one too."""
    bars: ClassVar[tuple[str, ...]] = ()
    """The verbs of its section that no unit at all can be given behind this one, since the rule is about the
    whole section, such as the round of a command. Its own verb, if there is only one such order."""
    ends: ClassVar[bool] = False
    """Whether it ends the orders of its section: no line behind it is played."""
    outermost: ClassVar[bool] = False
    """Whether it heads other heads too: written alone, it stands above the lines that are kept."""
    lasting: ClassVar[bool] = False
    """Whether what it does cannot be taken back: a line without its verb never means it, and letters say that
    the unit does not come back."""
    grave: ClassVar[bool] = False
    """Whether it ends the game or gives it up: never abbreviated, and only with a code that its writer has to
    ask for."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declare(cls, Order)
        said = vars(cls)
        if "usage" in said and "verb" not in said:
            if word := re.match(r"[a-z][a-z0-9'-]*", cls.usage):
                cls.verb = word[0]
            elif not hasattr(cls, "verb"):
                raise TypeError(f"{cls.__name__} has no verb, and its usage line does not begin with one")

    @property
    def pauses(self) -> bool:
        """Whether its writer wants to see the result of this order before anything else is done."""
        return False

    @property
    def heads(self) -> str:
        """What the lines below it belong to: "section", or a name of its own ("piece 116Pz"); "" for an order
        that heads nothing."""
        return ""

    @property
    def stage(self) -> int | None:
        """Its place in the order of play; None for that of the line before it."""
        return self.rank

    def instead(self) -> tuple[Order, ...]:
        """In a check, what is tried in place of this order where a rule refuses it, so that it invents no
        errors in the lines that build on it."""
        return ()

    def dump(self) -> dict[str, Any]:
        """The order as plain JSON values, `verb` included; `Grammar.load` reads it back."""
        return {"verb": self.verb} | {f.name: getattr(self, f.name) for f in fields(self)}

    def actors(self) -> tuple[str, ...]:
        """The units that it orders about."""
        units = getattr(self, "units", None) or (getattr(self, "unit", None),)
        return tuple(unit for unit in units if unit)

    def targets(self) -> tuple[str, ...]:
        """The hexes that an attack, fire or air strike is aimed at; none for other orders."""
        if self.sort != ATTACK:
            return ()
        return tuple(getattr(self, "hexes", None) or (str(getattr(self, "hex", "")),))

    def place(self) -> str:
        """The hex that it is about: its first target, the end of its path, or where it puts something; "" for
        none."""
        hexes = self.targets() or getattr(self, "path", ())[-1:] or (str(getattr(self, "hex", "") or ""),)
        return str(hexes[0])

    def subjects(self) -> tuple[str, ...]:
        """What the order is about: the targets of an attack; otherwise its units, else its hex, else its
        verb."""
        return self.targets() or self.actors() or (str(getattr(self, "hex", "")) or self.verb,)


GOES, ATTACK = "goes", "attack"


def sent(order: Order) -> dict[str, str]:
    """Where an order sends units: the end of their way, or the hex in which they arrive."""
    path = getattr(order, "path", ()) or ((order.hex,) if order.arrives and hasattr(order, "hex") else ())
    return dict.fromkeys(order.actors(), path[-1]) if path else {}


class Pause(Order):
    """A line of any section: lines below it wait until its writer has seen the result of those above."""

    usage = "pause"
    help = "Stops here: you see the results of the lines above, and the lines below become a draft."
    example = "pause"
    case = ""

    @property
    def pauses(self) -> bool:
        return True

    @property
    def stage(self) -> int | None:
        return None


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Condition:
    """What must hold for an order to act: ``if 3120 is empty``. Declared like an order: usage line, help and
    example."""

    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {}
    """As with an order."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declare(cls, Condition)

    def about(self, order: Order) -> Condition:
        """The condition as it stands in a line with this order: what it leaves unsaid is taken from there."""
        return self

    def holds(self, state: Any, seat: str) -> bool:
        """Whether it is true now, by what the seat knows."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of decision as standing orders name it, with the case that asks for it. `seats` are those that
    take such decisions; empty for every seat."""

    name: str
    case: str
    seats: tuple[str, ...] = ()


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Policy(Generic[A]):
    """A standing order: how one kind of decision is taken while its seat is away. The first standing order of
    the right kind that gives an answer decides.

    A game derives a class for each; the fields are the slots of the usage line, which is written ``standing
    <kind>: <usage>``. Its example need not repeat ``standing <kind>:``. `A` is the class of the asks of its
    kind, with the facts to decide by::

        OPFIRE = Kind("opfire", "6.2")

        class FireAt(Policy[OpFire], kind=OPFIRE):
            usage = "if modifier >= <modifier:number>"
            help = "The best stack fires if its modifier is at least this; otherwise no unit fires."
            example = "if modifier >= 0"

            modifier: int

            def decide(self, ask, earlier): ...
    """

    kind: ClassVar[str]
    usage: ClassVar[str]
    help: ClassVar[str]
    example: ClassVar[str]
    """Left out where the usage line is its own example."""
    case: ClassVar[str]
    examples: ClassVar[Mapping[str, str | tuple[str, ...]]] = {}
    """As with an order."""
    seats: ClassVar[tuple[str, ...]] = ()
    """Whose decisions it is about; empty for every seat."""

    def __init_subclass__(cls, kind: Kind | None = None, case: str = "") -> None:
        """Declare a standing order for a kind of decision; `case` where it is not the case of the kind."""
        super().__init_subclass__()
        declare(cls, Policy)
        if kind:
            cls.kind, cls.case = kind.name, case or kind.case
            cls.seats = kind.seats or cls.seats
        if hasattr(cls, "kind"):
            said = vars(cls)
            if example := said.get("example") or said.get("usage"):
                cls.example = cls._written(example)
            if "examples" in said:
                cls.examples = {
                    seat: cls._written(given) if isinstance(given, str) else tuple(map(cls._written, given))
                    for seat, given in cls.examples.items()
                }

    @classmethod
    def _written(cls, line: str) -> str:
        start = f"standing {cls.kind}: "
        return line if line.startswith(start) else start + line

    def actors(self) -> tuple[str, ...]:
        """The units of the writer that it names."""
        units = getattr(self, "units", ())  # of some it is a number
        return units if isinstance(units, tuple) else ()

    @property
    def settles(self) -> bool:
        """Whether it answers every decision of its kind, so that no line of that kind behind it is ever
        reached."""
        return False

    def decide(self, ask: A, earlier: Mapping[str, Any]) -> Any | None:
        """One of `ask.options`, or None if this line has nothing to say. `earlier` holds the answers already
        given to the other asks of the same batch, by their `what`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """A unit as its player may name it. `kind` is what is printed on the counter (``7-4``), `hex` where it
    is, as far as the player knows, `name` what it is called in full. `here` is False for one that cannot act
    yet or any more; `gone` tells that it never will; `absent` says why there is no such unit in the game now
    (``8/4 is not broken down``): no line can be about it."""

    id: str
    kind: str
    hex: str | None = None
    enemy: bool = False
    name: str = ""
    here: bool = True
    gone: bool = False
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    """The names a player may use: every unit of the game in the order in which letters list them, the lost,
    those to come and the parts of units not yet broken down included, so that no name ever comes to mean
    another unit; hexes of the map."""

    units: Mapping[str, RosterUnit]
    hexes: frozenset[str] = field(repr=False, default=frozenset())
    groups: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)
    """Names of formations, with all that each may mean in words: the writer is asked for the units."""
    places: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)
    """Names of places and roads as maps and letters print them, each with its hexes."""
    seat: str = ""
    """The writer; orders that only other seats may give are not read."""
    lexicon: Any = field(repr=False, default=None, compare=False)
    """The full names of all units of the game, made ready once (`names.Lexicon`); left out, it is made from
    those of `units`."""
    formations: tuple[Any, ...] = field(repr=False, default=(), compare=False)
    """The divisions and the like whose units stand for them (`names.Formation`)."""
    neighbours: Callable[[str], tuple[str, ...]] | None = field(repr=False, default=None, compare=False)
    """The hexes around one, if the map is known."""
    toward: Callable[[str, str, int], str | None] | None = field(repr=False, default=None, compare=False)
    """Finds the hex a number of hexes away in a direction, if the map is known."""
    commanded: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict, compare=False)
    """The units that take their orders below a heading, by section, where a formation has one of its own: a
    name that fits several units means one of these there."""


Words = Mapping[str, tuple[str, ...]]
"""Closed vocabularies of a game by slot type: ``{"mission": ("heavy", "medium", "light", "any")}``."""


@dataclass(frozen=True, slots=True)
class IfClause:
    """A condition as it stands in a line: ``if <condition>`` or, `negated`, ``if not <condition>``."""

    condition: Condition
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a line is to be kept, as its writer says: in the place of line `name` (``L9: ...``), or behind it
    (``after L9: ...``)."""

    name: int
    after: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An order with what hangs on it. All `conditions` must hold, otherwise the unit does `otherwise`, or
    stays (None). `attempt`: if the order cannot be done, pass over it without complaint. `text` is the line
    as the player wrote it.

    A line that stands under no heading has the section "", and in `fits` the same words as an order of each
    section that takes them. `code` proves that its writer means an order that ends the game."""

    number: int
    text: str
    section: str
    order: Order
    conditions: tuple[IfClause, ...] = ()
    otherwise: Order | None = None
    attempt: bool = False
    spot: Spot | None = None
    fits: tuple[Line, ...] = field(default=(), compare=False)
    code: str = field(default="", compare=False)
    stands_for: tuple[str, ...] = field(default=(), compare=False)
    """The units of the order, where a formation or a set stands for them in the text: a reply echoes them."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A standing order, or, without a policy, the wish to clear those of `kind` ("" for all kinds)."""

    number: int
    text: str
    kind: str
    policy: Policy[Any] | None


@dataclass(frozen=True, slots=True)
class Command:
    """A letter command that belongs to no game (commands.py). `argument` is what it is about: the topic of
    HELP, the turn of LOG, the addressee of PRESS, the number of a question or a line. `text` is free; `names`
    are the sections, units, hexes or names of lines that it speaks of."""

    name: str
    argument: str
    number: int
    text: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that says where those below it belong. `section` is "" for one that is not known, of which
    `near` is the likeliest; `ahead` tells that it names a turn that is not the present one."""

    number: int
    text: str
    section: str
    near: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was meant as an order and is none. `suggestion` holds whole lines to send instead, if there
    are any close; they are never applied by themselves. `section` is the heading it stands under, `meant`
    what it would be as suggested."""

    number: int
    text: str
    error: OrderError
    suggestion: str = ""
    section: str = ""
    spot: Spot | None = None
    meant: tuple[Line, ...] = field(default=(), compare=False)
    command: bool = False
    """It was meant as a letter command, an answer or a standing order, not as an order of a section."""
    either: tuple[str, ...] = ()
    """Lines of which one was meant, where a name fits several units."""
    words: str = ""
    """The text without the name of a kept line in front, where there is one."""
    about: tuple[str, ...] = field(default=(), compare=False)
    """The units and hexes that it names."""
    sort: str = field(default="", compare=False)
    """What kind of thing it was meant to order (`Order.sort`), if its first word tells."""
    heads: type[Order] | None = field(default=None, compare=False)
    """The kind of head that its first word begins, if it begins one (`Order.heads`)."""
    headless: bool = False
    """All that it lacks is a heading."""
    fatal: bool = False
    """Nothing that its letter says is done may be closed, whatever else it says: press has no end, say."""

    def __str__(self) -> str:
        if self.suggestion:
            return f"{self.error} Did you mean: {self.suggestion}"
        return str(self.error)


@dataclass(frozen=True, slots=True)
class Unread:
    """Words that are no part of an order. `like` tells that they look like one. The section in which they
    stand is not closed by that letter if they do, or if they stand among orders (`holds`)."""

    number: int
    text: str
    section: str = ""
    like: bool = False
    suggestion: str = ""
    """Lines to send instead, if it was meant as an order or a letter command."""
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """Words for oneself behind an order, a heading or a command, which say nothing about the game."""

    number: int
    text: str
    section: str = ""


Said = Line | StandingLine | Command | Heading | Fault | Unread | Comment

SpanKind = Literal[
    "heading", "order", "clause", "answer", "command", "courtesy", "comment", "quotation", "unread"
]


@dataclass(frozen=True, slots=True)
class Span:
    """What some words of a letter are taken for: in which line they stand, from which column to which (the
    last one excluded), and for words that are not read the section that they hold open ("" for all)."""

    number: int
    start: int
    end: int
    kind: SpanKind
    section: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a letter says, in the order of its lines. `cover` tells of every word what it is taken for
    (cover.py)."""

    said: tuple[Said, ...] = ()
    cover: tuple[Span, ...] = field(default=(), compare=False)
    ends: int = 0
    """The number of the line from which on nothing was read, since the letter is too long; 0 if all was."""

    @property
    def orders(self) -> tuple[Line, ...]:
        return tuple(each for each in self.said if isinstance(each, Line))

    @property
    def standing(self) -> tuple[StandingLine, ...]:
        return tuple(each for each in self.said if isinstance(each, StandingLine))

    @property
    def commands(self) -> tuple[Command, ...]:
        return tuple(each for each in self.said if isinstance(each, Command))

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(each for each in self.said if isinstance(each, Fault))

    @property
    def unread(self) -> tuple[Unread, ...]:
        return tuple(each for each in self.said if isinstance(each, Unread))

    @property
    def comments(self) -> tuple[Comment, ...]:
        return tuple(each for each in self.said if isinstance(each, Comment))

    @property
    def holding(self) -> tuple[Unread, ...]:
        """The words that are not read and keep their section open."""
        return tuple(each for each in self.unread if each.holds or each.like)

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(each.section for each in self.said if isinstance(each, Heading) and each.section)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a letter may speak of besides the units and hexes of its roster.

    sections   those still open to its writer, the one that is asked for first
    titles     further names of sections, as letters print them
    questions  the choices of each open question, by its number
    settled    the choices of each question of this turn that has been decided, and what was chosen
    going      where kept lines send units
    turn       the present one
    writer     the words of the writer's name, with which letters are signed
    always     whether lines close their section without a DONE
    kept       the lines that are kept and read, by the numbers of their names
    """

    sections: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)
    settled: Mapping[int, tuple[tuple[Any, ...], int | None]] = field(default_factory=dict)
    going: Mapping[str, str] = field(default_factory=dict)
    turn: int = 0
    writer: frozenset[str] = frozenset()
    always: bool = False
    kept: Mapping[int, Line] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Idiom:
    """What players of one game say in other words: a usage line that takes every word of theirs, and the
    canonical lines that it stands for, with its slots in braces; what stands in square brackets there is left
    out where a slot is not filled.

    `sections` are those where it holds; `below` is the sort of order (`Order.sort`) of the stage below which
    alone it does. `where` lists the values that a slot must have, `check` says whether all go together.
    ``{commanded}`` are the units of the head."""

    usage: str
    says: str
    sections: tuple[str, ...] = ()
    below: str = ""
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    check: Callable[[Mapping[str, Any]], bool] | None = None


@dataclass(frozen=True, slots=True)
class Stages:
    """Stages in which the lines below a head are carried out, which players name on a line of their own: the
    field of the orders that holds the number, the words for a stage, the words for the sort of order that it
    is for, the canonical line of one in which nothing is done, and the sections that have them."""

    field: str
    words: frozenset[str]
    sorts: Mapping[str, str]
    says: str
    sections: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Declarations:
    """What the players of one game may write.

    `sections` are the headings a letter may carry (``[movement]``) and the orders that belong under each;
    `words` the game's closed vocabularies. `titles` names the sections whose turn chance decides
    (`Phase.drawn`): ``{"1SS": "1SS Pz"}``; orders for one of them may also be written on one line, ``when 1SS
    Pz: order; order``. Usage lines are compiled when the first letter is read; one that is wrong, or names a
    slot that its class has no field for, raises ValueError then.
    """

    orders: tuple[type[Order], ...] = ()
    """All of them; left out, those of the sections."""
    conditions: tuple[type[Condition], ...] = ()
    policies: tuple[type[Policy[Any]], ...] = ()
    words: Words = field(default_factory=dict)
    aliases: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """What else the words of a vocabulary go by; what may be several of them is asked."""
    sections: Mapping[str, tuple[type[Order], ...]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    formations: Mapping[str, str] = field(default_factory=dict)
    """The full names of sections whose turn chance decides: their words name a section too (``XXX
    Corps``)."""

    writers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The seats that may write in a section; left out, all of them.
    The help that a seat gets has no others."""

    sayings: tuple[tuple[str, str], ...] = ()
    """Turns of phrase for a part of an order, as regular expressions over the words of a line in small
    letters, with what they mean in the order language; "" for words that say nothing in this game
    (free.py)."""

    respelt: tuple[tuple[str, str], ...] = ()
    """What units and orders go by besides, as regular expressions with the words that stand for them in the
    order language: nicknames, nouns of the rulebook for its verbs (free.py)."""

    turns: tuple[tuple[str, str], ...] = ()
    """Turns of phrase that players of this game use, as regular expressions with what pbem reads instead:
    such a line is offered, not taken."""
    idioms: tuple[Idiom, ...] = ()
    stages: Stages | None = None
    commanded: Callable[[str], tuple[str, ...]] | None = None
    """The units that a head may command: below it, names mean these before others."""

    def __post_init__(self) -> None:
        if not self.orders:
            kinds = dict.fromkeys(kind for section in self.sections.values() for kind in section)
            object.__setattr__(self, "orders", tuple(kinds))
        declared = ((Order, self.orders), (Condition, self.conditions), (Policy, self.policies))
        for base, classes in declared:
            for each in classes:
                complete(each, base)

    def load(self, value: Any) -> Order | None:
        """The order that `Order.dump` made plain; None for None. Raises ValueError for what it did not
        make."""
        return load_order(value, self._verbs.values())

    def heading(self, section: str) -> str:
        """A section as letters name it: ``[movement]``, or with the full name or title that it has:
        ``[1SS] 1st SS Panzer Corps``."""
        title = self.formations.get(section) or self.titles.get(section, section)
        return f"[{section}]" if title == section else f"[{section}] {title}"

    def allowed(self, section: str, seat: str = "") -> tuple[type[Order], ...]:
        """The orders that may stand under a heading (without one, all), and that `seat` may give, if one is
        named."""
        kinds = self.sections.get(section, self.orders)
        return tuple(kind for kind in kinds if not seat or not kind.seats or seat in kind.seats)

    @cached_property
    def _verbs(self) -> dict[str, type[Order]]:
        verbs: dict[str, type[Order]] = {kind.verb: kind for kind in self.orders} | {Pause.verb: Pause}
        if len(verbs) <= len(self.orders):
            raise ValueError("two orders of a grammar have the same verb")
        return verbs
