"""What a line in a free order of words is made of: the clauses of free.py, and what comes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.engine.language.model import Order
from pbem.engine.language.usage import Captures


@dataclass(frozen=True, slots=True)
class Said:
    """One concept of a line."""

    sort: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Clause:
    """An order as it is put together."""

    kinds: frozenset[type[Order]] | None = None
    """What it may be by its verb; None without one."""
    verb: str = ""
    guessed: bool = False
    """Whether its verb is that of the clause before."""
    units: tuple[str, ...] = ()
    sets: tuple[tuple[str, ...], ...] = ()
    """Those of its units for which a formation or a set stands."""
    subject: tuple[str, ...] = ()
    """Those of its units that stand in front of its verb."""
    company: tuple[str, ...] = ()
    """Those of its units that are named behind `with`."""
    after: tuple[str, ...] = ()
    """Those of its hexes that are named behind the units behind `with`: ``1502 with 2A and 1403``."""
    left_of: tuple[str, ...] = ()
    """The formation of whose units it is about the rest."""
    rest: bool = False
    """Whether it is about the units that no other line speaks of."""
    borrowed: bool = False
    """Whether its units are those of the clause before."""
    lent: bool = False
    """Whether others behind `with` take their place: ``attack 1502 with 2A and attack 1403 with 5A``, ``move
    2A to 1502, then attack 1403 with 5A``."""
    targets: tuple[str, ...] = ()
    joint: str = ""
    """The preposition in front of its first hex."""
    via: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    """Where its units are said to be."""
    numbers: tuple[int, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    """Words of the game, each behind the title of its vocabulary."""
    options: tuple[str, ...] = ()
    """Parts of an order in the words of its usage line."""
    keys: frozenset[str] = frozenset()
    """Keywords that may be left out."""
    peace: bool = False
    """Whether it is said that its units attack nobody."""
    counts: tuple[int, ...] = ()
    """How many units it says that it is about."""
    each: bool = False
    near: bool = False
    """Whether its units go one hex: its target is next to where they are."""
    step: tuple[int, str] | None = None
    """How many hexes its units go in which direction."""
    way: bool = False
    """Whether its first hex stands behind a word such as ``to``."""
    onward: bool = False
    """Whether it goes on behind its first hex."""
    stay: bool = False
    afterwards: bool = False
    """Whether its verb says what comes of a battle: ``advances``."""
    counted: bool = False
    """Whether a number stands right in front of its verb: ``3 airstrikes``."""
    last: str = ""
    """The sort of concept that was read last."""
    word: str = ""
    """The word for it."""
    pending: str = ""
    """The preposition that was read last, for what follows it."""
    parted: str = ""
    """The comma, `and` or `then` that was read last."""

    @property
    def ready(self) -> Clause:
        """The clause with nothing left open by its last word."""
        return replace(self, pending="", parted="", last="")

    @property
    def empty(self) -> bool:
        return not (
            self.units or self.rest or self.targets or self.kinds or self.numbers or self.words or self.stay
        )

    @property
    def whole(self) -> bool:
        """Whether it could be an order as it is."""
        return bool(self.stay or self.targets or self.step or self.via or self.words or self.options)


@dataclass(frozen=True, slots=True)
class Bound:
    """An order on a condition, as it was read."""

    captures: Captures

    @property
    def order(self) -> Order:
        order: Order = dict(self.captures)["order"]
        return order


@dataclass(frozen=True, slots=True)
class Staying:
    """Units that do nothing; without any, all the others."""

    units: tuple[str, ...]


Outcome = Order | Staying | Bound
