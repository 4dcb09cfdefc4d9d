"""Drives a phase of play from a journal of answers.

A rule is an ``async def`` that awaits a request: a die (`Roll`, `Hits`, `Draw`), a decision (`Ask`) or the
next order of a side that is writing orders (`Desk`, `FirstOf`). Nothing here is asyncio. `advance` sends
each request its recorded answer, asks for those that are missing, and stops at the first request that
nobody answers. What a rule keeps in its local variables is never saved: a phase is replayed from its start.

Answers are kept as plain JSON values, so that a journal can be stored, mailed and checked by anyone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed, OrderError, ReplayMismatch
from pbem.engine.notes import Note
from pbem.engine.wording import count

T = TypeVar("T")
O = TypeVar("O")  # noqa: E741  (O for order)

_DIGEST = "2:"
"""What a digest of the log begins with: the way it is made."""


# --- chance ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A request for dice. `what` tells it from every other die of the phase. A `sealed` roll may not be
    proved before the game ends, because one side must not know the result yet. The outcome of a `veiled` one
    depends on something that a side does not know, so a check of orders does not look beyond it. Low faces of
    a `low` one favour the seat that gives the orders: a check assumes the best dice first.

    `what` is a key although it reads well: the die is drawn from it. Rewording it would roll other
    dice; a better sentence belongs in the template of the note about the die.
    """

    case: str
    what: str
    sealed: bool = False
    veiled: bool = field(default=False, compare=False)
    low: bool = field(default=False, compare=False)

    kind: ClassVar[str] = "die"

    def faces(self, pick: Callable[[int], int]) -> list[Any]:
        """The recorded result, drawn with `pick(n)`, a fair number from 0 to n - 1."""
        raise NotImplementedError

    def check(self, recorded: Any) -> None:
        """Refuse a recorded result that these dice cannot show. Raises NotAllowed."""
        raise NotImplementedError

    def outcomes(self) -> Iterable[tuple[list[Any], int]]:
        """A recorded result for each outcome that the rules tell apart, with its weight."""
        raise NotImplementedError

    def worth_of(self, faces: Sequence[Any]) -> str:
        """What the rules make of a result, in short: ``4``, ``2 hits``, ``A, B``. Results with the same worth
        are one outcome."""
        return ", ".join(map(str, faces))

    @property
    def dice(self) -> str:
        """How the request is written in a proof line: d6, 8d6>=5, draw 1 of A,B,C."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Chance):
    """One die. Awaiting it gives the face, 1 to `sides`."""

    sides: int = 6

    def __await__(self) -> Generator[Roll, list[int], int]:
        return (yield self)[0]

    def faces(self, pick: Callable[[int], int]) -> list[Any]:
        return [1 + pick(self.sides)]

    def check(self, recorded: Any) -> None:
        _check_faces(self, recorded, 1, self.sides)

    def outcomes(self) -> Iterable[tuple[list[Any], int]]:
        return (([face], 1) for face in range(1, self.sides + 1))

    @property
    def dice(self) -> str:
        return f"d{self.sides}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits(Chance):
    """Several dice of which those showing `at_least` or more count. Awaiting it gives the number of hits."""

    count: int
    at_least: int
    sides: int = 6

    def __await__(self) -> Generator[Hits, list[int], int]:
        return sum(face >= self.at_least for face in (yield self))

    def faces(self, pick: Callable[[int], int]) -> list[Any]:
        return [1 + pick(self.sides) for _ in range(self.count)]

    def check(self, recorded: Any) -> None:
        _check_faces(self, recorded, self.count, self.sides)

    def outcomes(self) -> Iterable[tuple[list[Any], int]]:
        """By number of hits: n + 1 outcomes, not 6 to the power of n."""
        hit = max(0, min(self.sides, self.sides - self.at_least + 1))
        miss = self.sides - hit
        for hits in range(self.count + 1):
            if weight := comb(self.count, hits) * hit**hits * miss ** (self.count - hits):
                yield [self.sides] * hits + [1] * (self.count - hits), weight

    def worth_of(self, faces: Sequence[Any]) -> str:
        return count(sum(face >= self.at_least for face in faces), "hit")

    @property
    def dice(self) -> str:
        return f"{self.count}d{self.sides}>={self.at_least}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley(Chance):
    """Several dice, each read on a table: `worth` says what the faces 1, 2, 3 ... count for. Awaiting it
    gives the sum."""

    count: int
    worth: tuple[int, ...]

    def __await__(self) -> Generator[Volley, list[int], int]:
        return sum(self.worth[face - 1] for face in (yield self))

    def faces(self, pick: Callable[[int], int]) -> list[Any]:
        return [1 + pick(len(self.worth)) for _ in range(self.count)]

    def check(self, recorded: Any) -> None:
        _check_faces(self, recorded, self.count, len(self.worth))

    def outcomes(self) -> Iterable[tuple[list[Any], int]]:
        """By sum: few outcomes, however many dice."""
        ways: dict[int, tuple[int, list[int]]] = {0: (1, [])}
        for _ in range(self.count):
            sums: dict[int, tuple[int, list[int]]] = {}
            for so_far, (weight, faces) in ways.items():
                for face, worth in enumerate(self.worth, 1):
                    known = sums.get(so_far + worth, (0, [*faces, face]))
                    sums[so_far + worth] = known[0] + weight, known[1]
            ways = sums
        return ((faces, weight) for _, (weight, faces) in sorted(ways.items()))

    def worth_of(self, faces: Sequence[Any]) -> str:
        return f"sum {sum(self.worth[face - 1] for face in faces)}"

    @property
    def dice(self) -> str:
        return f"{self.count}d{len(self.worth)}@{','.join(map(str, self.worth))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Chance):
    """`count` items drawn from `pool` without putting any back (chits, counters, lots), in the order drawn.
    Items hold neither commas nor bars."""

    pool: tuple[str, ...]
    count: int = 1

    def __await__(self) -> Generator[Draw, list[str], tuple[str, ...]]:
        return tuple((yield self))

    def faces(self, pick: Callable[[int], int]) -> list[Any]:
        left = list(self.pool)
        return [left.pop(pick(len(left))) for _ in range(min(self.count, len(left)))]

    def check(self, recorded: Any) -> None:
        short = not isinstance(recorded, list) or len(recorded) != min(self.count, len(self.pool))
        if short or Counter(recorded) - Counter(self.pool):
            raise NotAllowed(f"{recorded!r} cannot be drawn from {', '.join(self.pool)}", self.case)

    def outcomes(self) -> Iterable[tuple[list[Any], int]]:
        """Every ordered draw; equal items are told apart only by their weight."""
        yield from _draws(Counter(self.pool), min(self.count, len(self.pool)))

    @property
    def dice(self) -> str:
        return f"draw {self.count} of {','.join(self.pool)}"


def _check_faces(request: Chance, recorded: Any, count: int, sides: int) -> None:
    ok = isinstance(recorded, list) and len(recorded) == count
    if not ok or not all(isinstance(face, int) and 1 <= face <= sides for face in recorded):
        shown = " ".join(map(str, recorded)) if isinstance(recorded, list) else str(recorded)
        dice = "a die shows" if count == 1 else f"{count} dice show"
        raise NotAllowed(f"{shown}: {dice} 1 to {sides}", request.case)


def _draws(left: Counter[str], count: int) -> Iterable[tuple[list[Any], int]]:
    if count == 0:
        yield [], 1
        return
    for item, copies in list(left.items()):
        if copies:
            rest = left.copy()
            rest[item] -= 1
            for tail, weight in _draws(rest, count - 1):
                yield [item, *tail], copies * weight


# --- decisions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Generic[T]):
    """A decision the rules leave to a seat; `options` holds every legal answer, each a plain JSON value.

    `what` and the options are keys although they read well: the journal records them, and a game that is
    being played would not find its answers again if they were reworded. `says` is worded as one likes.

    `kind` names the sort of decision: standing orders are written per kind. `default` is the answer when
    nobody gives one in time (by default the first option).

    A game derives a class for a kind of decision that standing orders and bots take by facts, and declares
    the facts beside the rule (never more than the seat may know). They follow from the state, so two asks
    are equal without them::

        @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
        class OpFire(Ask[str]):
            kind: str = "opfire"
            modifier: Mapping[str, int]
    """

    case: str
    what: str
    seat: str
    options: tuple[T, ...]
    kind: str = ""
    default: T | None = None
    intro: str = field(default="", compare=False)
    """What letters tell the seat before the options."""
    says: Callable[[T], str] = field(default=lambda option: "", compare=False)
    """What letters tell the seat of an option besides its name; worked out only when one is written."""
    orders_in: str = field(default="", compare=False)
    """The section whose orders carry the decision out: a seat that has closed it without any means the
    default."""

    def __await__(self) -> Generator[Ask[T], T, T]:
        if len(self.options) == 1:
            return self.options[0]
        return (yield self)

    @property
    def fallback(self) -> T:
        return self.options[0] if self.default is None else self.default

    def check(self, answer: Any) -> None:
        if answer not in self.options:
            listed = ", ".join(map(str, self.options))
            raise NotAllowed(f"{answer} is not one of: {listed}", self.case)


@dataclass(frozen=True, slots=True)
class AskAll:
    """Several decisions taken together, by one seat or by several; the answer is a tuple in the order of
    `asks`.

    `check(answers)` refuses answers that are each legal but not together. Decisions with one legal answer
    stay in the batch (they show the whole), but nobody is asked for them.
    """

    asks: tuple[Ask[Any], ...]
    together: Callable[[tuple[Any, ...]], None] = field(default=lambda answers: None, compare=False)

    def __await__(self) -> Generator[AskAll, Any, tuple[Any, ...]]:
        if all(len(ask.options) == 1 for ask in self.asks):
            return tuple(ask.options[0] for ask in self.asks)
        return tuple((yield self))

    def check(self, answers: Any) -> None:
        if not isinstance(answers, list | tuple) or len(answers) != len(self.asks):
            raise NotAllowed(f"{len(self.asks)} answers are wanted", self.case)
        for ask, answer in zip(self.asks, answers, strict=True):
            ask.check(answer)
        self.together(tuple(answers))

    @property
    def case(self) -> str:
        return self.asks[0].case

    @property
    def what(self) -> str:
        return "; ".join(ask.what for ask in self.asks)


Decision = Ask[Any] | AskAll | Desk[Any] | FirstOf[Any]
Request = Chance | Decision
Phase = Coroutine[Request, Any, T]


def seats_asked(request: Request | None) -> tuple[str, ...]:
    """The seats that a request waits for; none for dice."""
    if isinstance(request, FirstOf | AskAll):
        return tuple(dict.fromkeys(ask.seat for ask in request.asks))
    if isinstance(request, Ask | Desk):
        return (request.seat,)
    return ()


# --- the driver -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and where it came from: orders, standing, default, bot, moderator. At a `Desk` the value is
    an order (or None for "that is all"), for `FirstOf` a pair (seat, order)."""

    value: Any
    by: str = "orders"


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded answer: what was asked (case, who, what, how many times before), what was answered, by
    what means (dice, sealed, orders, standing, default, bot, moderator), and a digest of the facts of the log
    as its readers knew it when the decision was made. Dice of a ruling say so: ``dice ruling 2 of turn 3``
    were thrown for it, ``dice set by ruling 2`` are the moderator's."""

    asked: str
    answer: Any
    by: str = "dice"
    digest: str = ""

    @property
    def dice(self) -> str:
        """What threw it: "dice", or "sealed" for a roll that one side may not know yet; "" for a decision."""
        means = self.by.partition(" ")[0]
        return means if means in ("dice", "sealed") else ""

    @property
    def ruling(self) -> str:
        """What a ruling has to do with these dice: ``ruling 2 of turn 3``, ``set by ruling 2``; mostly ""."""
        return self.by.partition(" ")[2] if self.dice else ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a phase came: all its entries, how many of them are new, and the request it waits for (None: it
    ended)."""

    entries: list[Entry]
    new: int
    waiting: Request | None = None


class HasLog(Protocol):
    log: list[Note]
    rolls: int


Dice = Callable[[Chance, str], list[Any] | None]
Answers = Callable[[Decision], Answer | None]


def asked(request: Request) -> str:
    """What must match on replay: which dice, or which decision of which seat. All of it are keys; what may be
    reworded is not in it, nor are the options."""
    if isinstance(request, Chance):
        return f"{request.case}|{request.dice}|{request.what}"
    return f"{request.case}|{','.join(seats_asked(request))}|{request.what}"


def advance(
    phase: Phase[Any],
    state: HasLog,
    journal: Sequence[Entry] = (),
    *,
    answers: Answers | None = None,
    dice: Dice | None = None,
    heard: Callable[[Request], None] | None = None,
) -> Progress:
    """Run `phase` on `state` as far as the journal, the new answers and the dice carry it.

    `journal` holds the entries recorded since the phase began; `state` is as it was then and is changed in
    place. With `dice=None` the run stops before the first new die: a free check of the orders. `state.rolls`
    counts the open dice, so that a rule can cite the number of the roll it has just made. `heard` is given
    all that is asked, what the journal answers included.

    Raises ReplayMismatch when the rules no longer ask what was recorded or tell other facts before it,
    NotAllowed for an illegal new answer. Words count for nothing.
    """
    entries: list[Entry] = []
    labels = Labels()
    reader = _LogDigest(state)
    try:
        request = _next_request(phase, None)
        while request is not None:
            label = labels.next(request)
            if heard is not None:
                heard(request)
            if len(entries) < len(journal):
                try:
                    entry = _replayed(request, label, journal[len(entries)], reader)
                except ReplayMismatch as error:
                    error.step = len(entries) + 1
                    raise
            else:
                fresh = _answered(request, label, answers, dice, reader)
                if fresh is None:
                    return Progress(entries, max(0, len(entries) - len(journal)), waiting=request)
                entry = fresh
            entries.append(entry)
            if isinstance(request, Chance) and not request.sealed:
                state.rolls += 1
            request = _next_request(phase, entry.answer)
        if len(entries) < len(journal):
            raise ReplayMismatch(f"the phase ended before {journal[len(entries)].asked!r}", len(entries) + 1)
        return Progress(entries, len(entries) - len(journal))
    finally:
        phase.close()


def _next_request(phase: Phase[Any], answer: Any) -> Request | None:
    """What the rules ask after this answer; None when the phase has ended."""
    try:
        return phase.send(answer)
    except StopIteration:
        return None


def _answered(
    request: Request, label: str, answers: Answers | None, dice: Dice | None, reader: _LogDigest
) -> Entry | None:
    if isinstance(request, Chance):
        drawn = dice(request, label) if dice else None
        if drawn is None:
            return None
        request.check(drawn)
        return Entry(label, drawn, "sealed" if request.sealed else "dice")
    given = answers(request) if answers else None
    if given is None:
        return None
    check_value(request, given.value)
    return Entry(label, dumped(request, given.value), given.by, reader.digest())


def loaded(request: Decision, recorded: Any) -> Any:
    """Return the value of a decision as the journal has it recorded. Raise ValueError, KeyError or TypeError
    for what the request cannot read."""
    if isinstance(request, FirstOf):
        seat, order = recorded
        return seat, request.of(seat).load(order)
    return request.load(recorded) if isinstance(request, Desk) else recorded


def check_value(request: Decision, value: Any) -> None:
    """Refuse a value of a decision that the rules refuse. Raises OrderError."""
    if isinstance(request, FirstOf):
        seat, order = value
        request.of(seat).check(order)
    else:
        request.check(value)


def dumped(request: Decision, value: Any) -> Any:
    """Return a value of a decision as the journal keeps it, and as the rules are handed it."""
    if isinstance(request, Ask):
        return value
    if isinstance(request, AskAll):
        return list(value)
    if isinstance(request, FirstOf):
        seat, order = value
        return [seat, dumped(request.of(seat), order)]
    return request.settle(value).dump() if value is not None else None


def _replayed(request: Request, label: str, entry: Entry, reader: _LogDigest) -> Entry:
    """The recorded answer, if it still answers what the rules ask."""
    if entry.asked != label:
        raise ReplayMismatch(f"recorded {entry.asked!r}, the rules now ask {label!r}")
    try:
        if isinstance(request, Chance):
            request.check(entry.answer)
        else:
            check_value(request, loaded(request, entry.answer))
    except (OrderError, StopIteration, ValueError, KeyError, TypeError) as error:
        raise ReplayMismatch(f"{entry.asked!r} was answered {entry.answer!r}: {error}") from error
    if entry.digest and entry.digest != (now := reader.digest()):
        raise ReplayMismatch(
            f"before {entry.asked!r} the log now tells other facts than the players have read"
            f" (recorded {entry.digest}, now {now})"
        )
    return entry


class Labels:
    """Names what is asked, each time with the number of times that it was asked. Rules may await one request
    many times over."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[Request, str]] = {}
        self._times: Counter[str] = Counter()

    def next(self, request: Request) -> str:
        known = self._names.get(id(request))
        if known is None:
            known = self._names[id(request)] = (request, asked(request))
        name = known[1]
        self._times[name] += 1
        return f"{name}|{self._times[name]}"


class _LogDigest:
    """A running digest of the facts of the log: each note is read once."""

    def __init__(self, state: HasLog) -> None:
        self._log = state.log
        self._read = 0
        self._hash = hashlib.blake2b(digest_size=6)

    def digest(self) -> str:
        for note in self._log[self._read :]:
            self._hash.update(note.fingerprint())
        self._read = len(self._log)
        return _DIGEST + self._hash.hexdigest()
