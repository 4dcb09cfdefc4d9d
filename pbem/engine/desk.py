"""A stretch of orders: one seat writes at a desk, order by order, until it says that this was all.

A desk is what the rules await and what bots, checks and letters are handed. It holds what the phase knows so
far (what would else be the local variables of a rule) and answers what may be ordered, why not, what it
means, what it will bring and what comes of it. A game derives a desk for each kind of stretch; `write` is
the only loop. ::

    class Replacement(Desk[Order]):
        case, section, takes = "7.6", "replacement", (Replenish,)

        def subjects(self): ...
        def options(self, subject): ...
        def check(self, order): ...
        def carry_out(self, order): ...

    async def replacement(state):
        await write(*(Replacement(state, seat) for seat in SEATS))
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pbem.engine.errors import OrderError
from pbem.engine.offer import Offer

Rule = Coroutine[Any, Any, None]

SAMPLED = 64
"""At most this many units or hexes are looked at for examples of legal orders."""


class OrderLike(Protocol):
    """What the engine needs of a game's order: its verb and the way to and from plain values
    (language/model.py)."""

    verb: ClassVar[str]

    def dump(self) -> dict[str, Any]: ...

    def subjects(self) -> tuple[str, ...]: ...

    def place(self) -> str: ...


O = TypeVar("O", bound=OrderLike)  # noqa: E741  (O for order)


class Desk(Generic[O]):
    """The request for the next order of a seat, and all that is asked about it; None says that this was all.

    `section` is the heading under which a letter writes these orders (``[movement]``), `takes` the order
    types that may be written here. `what` tells this desk from the others of its phase: it is part of the
    journal and must not be reworded.
    """

    case: str
    seat: str

    @property
    def section(self) -> str:
        """The heading of these orders in a letter."""
        raise _lacking(self, "section")

    @property
    def takes(self) -> tuple[type[O], ...]:
        """The order types that may be written here."""
        raise _lacking(self, "takes")

    @property
    def what(self) -> str:
        """The name of this desk in the journal."""
        return f"{self.seat} {self.section}"

    @property
    def over(self) -> bool:
        """Whether no seat writes any more, such as after one has conceded."""
        return False

    @property
    def first(self) -> bool:
        """Whether another desk for the same section follows, after a die. A seat that has not closed its
        orders is not waited for here (unless this `asks`), and lines of kinds that are not taken here are
        left for the other desk."""
        return False

    def implied(self, order: O, /) -> O | None:
        """At a `first` desk: the order that a line of a kind not taken here stands for, as its writer would
        have written it above that line; None if it stands for none."""
        return None

    @property
    def asks(self) -> bool:
        """Whether a seat that has not closed its orders is waited for even at a `first` desk."""
        return False

    @property
    def until(self) -> tuple[type[O], ...]:
        """Lines of these kinds begin orders of their own under the same heading: these orders end before
        them, and they are left for a later desk."""
        return ()

    @property
    def offers(self) -> tuple[type[O], ...]:
        """Those of the order types taken that can still be of use, for forms; none stands for all of the
        section."""
        return ()

    # --- what may be ordered ---

    def subjects(self) -> Sequence[str]:
        """The units or hexes that can still act; what is compulsory comes first."""
        raise _lacking(self, "subjects")

    def options(self, subject: str, /) -> Sequence[O]:
        """The legal orders of one of them: with `subjects` every legal order, for bots, fuzz, help and
        forms."""
        raise _lacking(self, "options")

    def check(self, order: O | None, /) -> None:
        """Refuse an order that a rule forbids now, or (None) to stop. Raises OrderError."""
        raise _lacking(self, "check")

    def too_late(self, order: O, /) -> OrderError | None:
        """Once these orders are over: why an order behind them is not carried out any more, if a rule says
        so; None if it is only that they are over."""
        return None

    def settle(self, order: O, /) -> O:
        """What a legal order means in full, as the journal keeps it: the path that a unit takes, say."""
        return order

    def least(self) -> Iterable[O]:
        """The orders that may be given by default where the orders end and a rule still demands something,
        the least harmful first."""
        return (order for subject in self.subjects() for order in self.options(subject))

    def room(self, hex: str, /) -> int | None:
        """How much more of its seat's units a hex holds at the end of these orders, with all of them where
        they are now; less than 0 if there are too many. None where these orders have no such limit. Units
        whose `size` adds up to no more are not refused for their number or kind; those that may share no hex
        with some others, whatever its room, are left to `check`. Nothing that the seat does not know: enemies
        count for nothing."""
        return None

    def size(self, unit: str, /) -> int:
        """What a unit counts against the `room` of a hex; 0 for one of which it does not speak."""
        return 1

    # --- what comes of it ---

    def offer(self, order: O, /) -> Offer:
        """What a legal order would bring if it were carried out now: where it ends, what it costs, the exact
        odds, and the words for it; the same whether `settle` has filled it in or not. Nothing that the seat
        does not know."""
        return Offer(order.place())

    def preview(self, order: O, /) -> tuple[str, ...]:
        """What its seat reads of a legal order before it is carried out: the words of its `offer`. A game may
        put those for its way and cost before them, where the log does not tell them."""
        return self.offer(order).told

    def carry_out(self, order: O, /) -> Rule | None:
        """Do what a checked order says; an `async def` where it needs dice or decisions."""
        raise _lacking(self, "carry_out")

    def remarks(self, order: O, /) -> Iterable[str]:
        """What the seat may be told, in a check, of an order that has been carried out as far as the first
        die: where it has come to, what is left. Nothing that it does not know."""
        return ()

    def close(self) -> Rule | None:
        """Do what follows when the seat has said that this was all."""
        return None

    # --- for the engine ---

    def samples(self) -> dict[type[O], O]:
        """One legal order of each kind that is possible now."""
        return sampled(self.subjects(), self.options, len(self.takes))

    def samples_after(self) -> dict[type[O], O]:
        """One order of each kind that is possible only once another of these `samples` has been given."""
        return {}

    def demanded(self) -> O | None:
        """The order that is given by default when a rule still demands one; None if there is none."""
        return next(iter(self.least()), None)

    def load(self, value: Any) -> O | None:
        """The order that was recorded as plain values; None for None. Raises ValueError for what is none of
        those taken here."""
        return load_order(value, self.takes)

    def __await__(self) -> Generator[Desk[O], Any, O | None]:
        return self.load((yield self))


def _lacking(desk: Desk[Any], name: str) -> NotImplementedError:
    return NotImplementedError(f"the desk {type(desk).__name__} has no `{name}`")


def sampled(subjects: Sequence[str], options: Callable[[str], Sequence[O]], kinds: int) -> dict[type[O], O]:
    """Return one order of each kind among the `options` of the first `SAMPLED` of these `subjects`; there are
    at most this many `kinds`."""
    found: dict[type[O], O] = {}
    for subject in subjects[:SAMPLED]:
        by_kind: dict[type[O], list[O]] = {}
        for order in options(subject):
            by_kind.setdefault(type(order), []).append(order)
        for kind, orders in by_kind.items():
            found.setdefault(kind, orders[len(orders) // 2])
        if len(found) == kinds:
            break
    return found


@dataclass(frozen=True, slots=True)
class FirstOf(Generic[O]):
    """Several seats write orders at the same time; the answer is (seat, its next order or None). If they
    write in `secret`, nothing is carried out before all of them have closed their orders; otherwise who
    closes first is first."""

    asks: tuple[Desk[O], ...]
    secret: bool = False

    def __await__(self) -> Generator[FirstOf[O], Any, tuple[str, O | None]]:
        seat, order = yield self
        return seat, self.of(seat).load(order)

    def of(self, seat: str) -> Desk[O]:
        """The desk of a seat. Raises StopIteration if it has none."""
        return next(ask for ask in self.asks if ask.seat == seat)

    @property
    def case(self) -> str:
        return self.asks[0].case

    @property
    def what(self) -> str:
        return " and ".join(ask.what for ask in self.asks)


async def next_order(desks: tuple[Desk[O], ...], secret: bool = False) -> tuple[str, O | None]:
    """The next order of any of the seats that write at the same time, in `secret` or not, with its seat; None
    when that was all of that seat's."""
    if len(desks) > 1:
        return await FirstOf(desks, secret)
    return desks[0].seat, await desks[0]


async def write(*desks: Desk[O], secret: bool = False) -> None:
    """Carry out what the seats write, each at its desk and all at the same time, until each has said that
    this was all or a desk is `over`. What they write in `secret` is carried out when all have closed their
    orders."""
    writing = {desk.seat: desk for desk in desks}
    while writing and not any(desk.over for desk in desks):
        said = await next_order(tuple(writing.values()), secret)
        seat, order = said  # in one step None would pass for a kind of order
        rule = writing[seat].carry_out(order) if order is not None else writing.pop(seat).close()
        if rule is not None:
            await rule


def load_order(value: Any, kinds: Iterable[type[O]]) -> O | None:
    """The order of one of these kinds that `Order.dump` made plain; None for None. Raises ValueError for what
    it did not make."""
    if value is None:
        return None
    try:
        kind: type[O] = _by_verb(tuple(kinds))[value["verb"]]
        return kind(
            **{
                name: tuple(item) if type(item) is list else item
                for name, item in value.items()
                if name != "verb"
            }
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not an order of this game: {value!r}") from error


@cache
def _by_verb(kinds: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    return {kind.verb: kind for kind in kinds}
