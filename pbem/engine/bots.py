"""Software players. They answer any game's requests by choosing among the options that these offer.

`random_bot` plays any legal move, `greedy_bot` the one that a game's `judge` rates highest. Neither knows a
rule. Chance comes from the `random.Random` handed in, so that a seed makes a game that can be played again.

While a seat writes orders, the rules ask again after each of them. Until it stops or the phase ends, a bot
remembers what it has considered: it never reconsiders a unit that it passed over, and gives none more than
`MOST_ORDERS` orders unless the rules insist. So it always finishes, and quickly. A bot plays one game,
forwards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any, TypeVar

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import GameState, Judge, Rate
from pbem.engine.play import Answer, Answers, Ask, AskAll, Decision, Request

T = TypeVar("T")

Bot = Callable[[Decision, Any], Answer]
"""Takes a request and the state it was made in, gives a legal answer."""

MOST_ORDERS = 8
"""Most orders that a bot gives one unit or hex at one desk unless the rules demand more."""

MOST_OWN = 200
"""Most orders of its own making that a bot gives at one desk, so that it always comes to an end."""

DRAWS = 8
"""How often a batch of decisions is drawn as a whole before it is put together one by one."""

SEARCHED = 100_000
"""Most combinations of a batch that are tried when its defaults do not go together."""


class DeadEnd(RuntimeError):
    """The rules demand an answer and leave none, or never stop asking: they are at fault, not the player."""


def random_bot(rng: random.Random, eagerness: float = 0.8) -> Bot:
    """A player of random legal moves. `eagerness`, 0 to 1, is how likely a unit or hex that could act
    does."""
    return _Bot(_Whim(rng, eagerness))


Own = Callable[[Any, Desk[Any]], Iterable[Any]]
"""Orders of a player's own making for a state and a desk, the best first."""


def greedy_bot(judge: Judge, rng: random.Random, own: Own | None = None) -> Bot:
    """A player that takes what is worth most at the moment, in the order in which the rules list its units.

    It gives no order that is worth nothing, unless the rules insist. Among equals it takes the default of a
    decision, or picks at random. Orders of its `own` come before those that the desk offers, as long as there
    are any that the desk allows.
    """
    return _Bot(_Greed(rng, judge, own))


def seated(bots: Mapping[str, Bot], state: GameState) -> Answers:
    """The answers of several bots, each for its own seat, to the requests made of `state`.

    Seats that write orders at the same time take turns. Nothing is answered where a seat without a bot must
    have its say: None.
    """
    turns = 0

    def answers(request: Decision) -> Answer | None:
        nonlocal turns
        if isinstance(request, FirstOf):
            asks = [ask for ask in request.asks if ask.seat in bots]
            if not asks:
                return None
            ask = asks[turns % len(asks)]
            turns += 1
            answer = bots[ask.seat](ask, state)
            return Answer((ask.seat, answer.value), answer.by)
        if isinstance(request, AskAll):
            return _all_seats(request, bots, state)
        return bots[request.seat](request, state) if request.seat in bots else None

    return answers


def _all_seats(request: AskAll, bots: Mapping[str, Bot], state: GameState) -> Answer | None:
    """Let each seat decide its part of a batch in turn, with the parts of later seats as agreed so far."""
    seats = tuple(dict.fromkeys(ask.seat for ask in request.asks if len(ask.options) > 1))
    if not all(seat in bots for seat in seats):
        return None
    if len(seats) == 1:
        return bots[seats[0]](request, state)
    agreed = agreeable(request)
    for seat in seats:
        own = tuple(at for at, ask in enumerate(request.asks) if ask.seat == seat)
        part = _part(request, own, agreed)
        agreed = _filled(agreed, own, bots[seat](part, state).value)
    return Answer(agreed, "bot")


def _part(request: AskAll, own: tuple[int, ...], agreed: tuple[Any, ...]) -> AskAll:
    """The asks at the places `own` of a batch, as a batch in which all others are answered as agreed."""
    asks = tuple(request.asks[at] for at in own)
    return AskAll(asks, together=lambda answers: request.together(_filled(agreed, own, answers)))


def _filled(answers: tuple[Any, ...], places: tuple[int, ...], part: Sequence[Any]) -> tuple[Any, ...]:
    """`answers` with those at `places` replaced by `part`."""
    replaced = dict(zip(places, part, strict=True))
    return tuple(replaced.get(at, answer) for at, answer in enumerate(answers))


def agreeable(request: AskAll) -> tuple[Any, ...]:
    """Answers that go together: the defaults if they do, else the first combination of options that does.

    Raises DeadEnd when none is found.
    """
    defaults = tuple(ask.fallback for ask in request.asks)
    if _go(request, defaults):
        return defaults
    for answers in islice(product(*(ask.options for ask in request.asks)), SEARCHED):
        if _go(request, answers):
            return answers
    raise DeadEnd(f"no answers go together for {request.what!r} [{request.case}]")


def _go(request: AskAll, answers: tuple[Any, ...]) -> bool:
    try:
        request.together(answers)
    except OrderError:
        return False
    return True


# --- tastes ---------------------------------------------------------------------------------------------


class _Taste:
    """How a bot chooses where the rules leave a choice."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def face(self) -> None:
        """Begin with a new request."""

    def eager(self, subjects: list[str]) -> Iterator[str]:
        """The subjects to consider, in turn."""
        raise NotImplementedError

    def stirs(self) -> bool:
        """Whether to look at all at what a subject can do."""
        return True

    def own(self, state: Any, request: Desk[Any]) -> Iterable[Any]:
        """Orders to give before those that the desk offers."""
        return ()

    def wanted(self, state: Any, request: Desk[Any], orders: Sequence[Any]) -> Any | None:
        """An order worth giving, or None."""
        raise NotImplementedError

    def best(self, state: Any, request: Request, options: Sequence[T]) -> T:
        """The option to take if one must be taken."""
        raise NotImplementedError

    def ranked(self, state: Any, ask: Ask[Any]) -> list[Any]:
        """The options of a decision, best first."""
        raise NotImplementedError

    def batches(self, request: AskAll) -> Iterable[tuple[Any, ...]]:
        """Whole batches to try before one is put together."""
        return ()


class _Whim(_Taste):
    def __init__(self, rng: random.Random, eagerness: float) -> None:
        super().__init__(rng)
        self.eagerness = eagerness

    def eager(self, subjects: list[str]) -> Iterator[str]:
        while subjects:
            at = self.rng.randrange(len(subjects))
            subjects[at], subjects[-1] = subjects[-1], subjects[at]
            yield subjects.pop()

    def stirs(self) -> bool:
        return self.rng.random() < self.eagerness

    def wanted(self, state: Any, request: Desk[Any], orders: Sequence[Any]) -> Any | None:
        return self.rng.choice(orders)

    def best(self, state: Any, request: Request, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def ranked(self, state: Any, ask: Ask[Any]) -> list[Any]:
        return self.rng.sample(ask.options, len(ask.options))

    def batches(self, request: AskAll) -> Iterable[tuple[Any, ...]]:
        for _ in range(DRAWS):
            yield tuple(self.rng.choice(ask.options) for ask in request.asks)


class _Greed(_Taste):
    def __init__(self, rng: random.Random, judge: Judge, own: Own | None) -> None:
        super().__init__(rng)
        self.judge = judge
        self._own = own
        self._rates: list[tuple[Request, Rate]] = []

    def face(self) -> None:
        self._rates.clear()

    def _rate(self, state: Any, request: Request) -> Rate:
        """How this request is rated; the game looks at it once."""
        for known, rate in self._rates:
            if known is request:
                return rate
        rate = self.judge(state, request)
        self._rates.append((request, rate))
        return rate

    def eager(self, subjects: list[str]) -> Iterator[str]:
        return iter(subjects)

    def own(self, state: Any, request: Desk[Any]) -> Iterable[Any]:
        return self._own(state, request) if self._own else ()

    def wanted(self, state: Any, request: Desk[Any], orders: Sequence[Any]) -> Any | None:
        most, equals = self._finest(state, request, orders)
        return self.rng.choice(equals) if most > 0 else None

    def best(self, state: Any, request: Request, options: Sequence[T]) -> T:
        _, equals = self._finest(state, request, options)
        if isinstance(request, Ask) and request.fallback in equals:
            return request.fallback  # type: ignore[no-any-return]
        return self.rng.choice(equals)

    def ranked(self, state: Any, ask: Ask[Any]) -> list[Any]:
        first = [ask.fallback, *(option for option in ask.options if option != ask.fallback)]
        rate = self._rate(state, ask)
        return sorted(first, key=lambda option: -rate(option))

    def _finest(self, state: Any, request: Request, options: Sequence[T]) -> tuple[float, list[T]]:
        """The highest worth and the options that reach it."""
        rate = self._rate(state, request)
        worths = [rate(option) for option in options]
        most = max(worths)
        return most, [option for option, worth in zip(options, worths, strict=True) if worth == most]


# --- the player -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Memory:
    """Whom a bot has passed over in one stretch of orders, and how many orders it gave to each."""

    passed: set[str] = field(default_factory=set)
    given: Counter[str] = field(default_factory=Counter)
    own: int = 0
    """How many orders of its own making it gave; `MOST_OWN` once it has none left."""

    def fresh(self, subject: str) -> bool:
        return subject not in self.passed and self.given[subject] < MOST_ORDERS


class _Bot:
    def __init__(self, taste: _Taste) -> None:
        self.taste = taste
        self.page: tuple[int, str, int] | None = None
        self.memories: dict[tuple[str, str], _Memory] = {}

    def __call__(self, request: Decision, state: Any) -> Answer:
        return Answer(self._chosen(request, state), "bot")

    def _chosen(self, request: Decision, state: Any) -> Any:
        self.taste.face()
        if isinstance(request, Ask):
            return self.taste.best(state, request, request.options)
        if isinstance(request, AskAll):
            return self._batch(request, state)
        if isinstance(request, FirstOf):
            ask = self.taste.rng.choice(request.asks)
            return ask.seat, self._order(ask, state)
        return self._order(request, state)

    def _batch(self, request: AskAll, state: Any) -> tuple[Any, ...]:
        """Batches as they come if one is legal; else the agreeable one, bettered answer by answer."""
        for batch in self.taste.batches(request):
            if _go(request, batch):
                return batch
        answers = agreeable(request)
        for at, ask in enumerate(request.asks):
            for option in self.taste.ranked(state, ask):
                bettered = (*answers[:at], option, *answers[at + 1 :])
                if option == answers[at] or _go(request, bettered):
                    answers = bettered
                    break
        return answers

    def _order(self, request: Desk[Any], state: Any) -> Any | None:
        memory = self._memory(request, state)
        if (order := self._own_order(request, state, memory)) is not None:
            return order
        for subject in self.taste.eager([s for s in request.subjects() if memory.fresh(s)]):
            order = self._wish(request, state, subject)
            if order is not None:
                memory.given[subject] += 1
                return order
            memory.passed.add(subject)
        order = self._compelled(request, state, memory)
        if order is None:
            del self.memories[request.seat, request.what]
        return order

    def _own_order(self, request: Desk[Any], state: Any, memory: _Memory) -> Any | None:
        """The first order of the player's own making that the desk allows."""
        if memory.own >= MOST_OWN:
            return None
        for order in self.taste.own(state, request):
            try:
                request.check(order)
            except OrderError:
                continue
            memory.own += 1
            return order
        memory.own = MOST_OWN
        return None

    def _wish(self, request: Desk[Any], state: Any, subject: str) -> Any | None:
        if not self.taste.stirs():
            return None
        orders = request.options(subject)
        return self.taste.wanted(state, request, orders) if orders else None

    def _compelled(self, request: Desk[Any], state: Any, memory: _Memory) -> Any | None:
        """Return None if the seat may stop, else an order of the first subject that has one. The rules list
        compulsory subjects first; those with many orders come last, so that two cannot undo each other's for
        ever."""
        try:
            request.check(None)
        except OrderError as refusal:
            waiting = sorted(request.subjects(), key=lambda subject: memory.given[subject] // MOST_ORDERS)
            for subject in waiting:
                if orders := request.options(subject):
                    memory.given[subject] += 1
                    return self.taste.best(state, request, orders)
            raise DeadEnd(f"{request.seat} may not stop and has no orders left: {refusal}") from refusal
        return None

    def _memory(self, request: Desk[Any], state: GameState) -> _Memory:
        page = (state.turn, state.phase, state.round)
        if page != self.page:
            self.page = page
            self.memories.clear()
        return self.memories.setdefault((request.seat, request.what), _Memory())
