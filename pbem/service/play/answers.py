"""What the seats have handed in, laid out as answers to what the rules ask.

An answer comes from, in this order: the player's orders or decisions, the player's standing orders, a bot,
and once the deadline has passed the default. What none of them covers is left unanswered, and the game waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed, OrderError, Unwanted
from pbem.engine.game import Game, GameState
from pbem.engine.language import Line, Order, Pause, StandingLine
from pbem.engine.notes import Imagined
from pbem.engine.play import Answer, Ask, AskAll, Chance, Decision, Request
from pbem.service.play.history import reveals
from pbem.service.play.sheet import SheetLine

BARE = "nothing is written below it"
"""Why a head is passed over that has no lines."""

Bot = Callable[[Decision, Any], Answer]

UNMET = "its condition is not met"
"""Why a line is passed over that has nothing to say when its condition is not met."""


@dataclass(slots=True)
class Papers:
    """One seat's papers. `lines` are its order lines, those of each section in the order of play; `closed`
    the sections that are played when their turn comes; `answers` what it decided in answer to questions, by
    what was asked.

    `forced` tells that its time is up: its other sections stay as they are; `sections` are those that were
    being asked for, `asked` the questions (None: the deadline decides whatever else the phase asks).
    `defaults` leaves the other questions of this phase to the defaults.
    `dropped` are lines that are left out because a rule demands something that they stand in the way of;
    `least` are sections that end with what the rules demand, given by default. `withheld` is what is asked
    that its standing orders do not answer, because it has answered and the answer is held back. With `hold`
    its time is up, and neither its lines nor its standing orders count."""

    seat: str
    lines: list[SheetLine] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    standing: list[StandingLine] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    bot: Bot | None = None
    forced: bool = False
    sections: frozenset[str] = frozenset()
    asked: frozenset[str] | None = None
    defaults: bool = False
    dropped: dict[int, OrderError] = field(default_factory=dict)
    least: set[str] = field(default_factory=set)
    withheld: frozenset[str] = frozenset()
    hold: bool = False

    def of(self, section: str) -> list[SheetLine]:
        """The lines of a section that can be played: at a deadline the faulty ones are not."""
        late = self.forced and section in self.sections and section not in self.closed
        if late and self.hold:
            return []
        return [
            line
            for line in self.lines
            if line.section == section and line.readable and not (late and line.state == "faulty")
        ]

    def plays(self, section: str) -> bool:
        """Whether a section may be played now."""
        return section in self.closed or (self.forced and section in self.sections)

    def leaves(self, what: str) -> bool:
        """Whether a question is left to the default: what its player has not been asked is never decided by a
        deadline that did not name it."""
        return self.defaults or (self.forced and (self.asked is None or what in self.asked))


@dataclass(slots=True)
class Outcome:
    """What became of one line: carried out (`order`), passed over (`skipped` says why), or refused in a check
    (`error`). `notes` are the places in the log of what it did, `preview` what its owner may be told of it as
    things stood then; `after` names the die or decision that comes before it, `reached` the hex where its
    units ended if that is short of their goal, `under_way` whether a question keeps it from ending, `instead`
    what a check has done in place of a refused line, `foreign` whether it comes after orders of another seat,
    which a check does not know."""

    seat: str
    line: SheetLine
    phase: str
    order: Order | None = None
    skipped: str = ""
    error: OrderError | None = None
    notes: tuple[int, int] = (0, 0)
    preview: tuple[str, ...] = ()
    after: str = ""
    reached: str = ""
    under_way: bool = False
    instead: Order | None = None
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision that was taken for a seat, and by what: its standing line, the default, or a rule that
    demanded it (`why`)."""

    seat: str
    what: str
    value: Any
    by: str
    line: str = ""
    why: str = ""


Pick = Callable[[int], int]
"""A number from 0 to n - 1: how a check imagines dice, and decisions of others."""


class Answerer:
    """Answers the requests of one phase from the papers of all seats.

    With `trying`, a seat, and `pick`, the lines of that seat are tried, closed or not; dice and what others
    decide are imagined, and nobody else gives orders. `finished` are the (seat, section) pairs whose orders
    are complete, `unmet` those whose orders may not end yet because a rule demands something, `halted` those
    that stopped because their writer wants to see what came of the last line. `refused` are seats whose
    answers do not go together.
    """

    def __init__(
        self,
        game: Game[Any],
        state: GameState,
        papers: dict[str, Papers],
        *,
        trying: str = "",
        pick: Pick | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.papers = papers
        self.trying = trying
        self.pick = pick
        self.outcomes: list[Outcome] = []
        self.decided: list[Decided] = []
        self.finished: list[tuple[str, str]] = []
        self.unmet: dict[tuple[str, str], OrderError] = {}
        self.halted: set[tuple[str, str]] = set()
        self.refused: dict[str, OrderError] = {}
        self.desks: dict[tuple[str, str], Desk[Any]] = {}
        """The last desk of each seat and section at which orders have been asked for."""
        self.answered: list[tuple[str, str]] = []
        """(seat, what was asked) of the answers that have been used: each answers one question."""
        self.behind = ""
        """In a check: the last thing before now that is not known yet."""
        self.others: set[str] = set()
        """In a check: other seats give orders before now, and these are unknown."""
        self._foreign = False
        self._imagining = False
        self._together: set[tuple[str, str]] = set()
        self._pausing: set[tuple[str, str]] = set()
        self._next: dict[tuple[str, str], int] = {}
        self._open: Outcome | None = None
        self._desk: Desk[Any] | None = None
        self._going_on: list[Outcome] = []

    def __call__(self, request: Decision) -> Answer | None:
        if self.trying or self._goes_on(request):
            self.close()
        if isinstance(request, Desk):
            self._others_move(request)
            found = self._orders(request)
            return None if found is None else Answer(*found)
        if isinstance(request, FirstOf):
            self._together |= {(ask.seat, ask.section) for ask in request.asks}
            return self._first_of(request)
        if isinstance(request, AskAll):
            return self._all(request)
        answer = self._one(request, {})
        self._use((request,), (answer,))
        return answer

    def _others_move(self, request: Desk[Any]) -> None:
        """In a check: note that another seat gives orders before what comes now, and not at the same time."""
        together = (request.seat, request.section) in self._together
        if self.trying and request.seat != self.trying and not together:
            self.behind = f"the {self.game.seat(request.seat).title} side"
            self._foreign = True

    def _use(self, asks: Sequence[Ask[Any]], answers: Sequence[Answer | None]) -> None:
        self.answered += [
            (ask.seat, ask.what)
            for ask, answer in zip(asks, answers, strict=True)
            if answer is not None and answer.by == "orders"
        ]

    def imagine(self, request: Chance, label: str) -> list[Any] | None:
        """The dice of a check; none where what comes of them depends on what the seat does not know."""
        assert self.pick is not None
        pick = self.pick
        self.close()
        if request.veiled:
            return None
        self.behind = request.what
        self.suppose(request.case)
        return request.faces((lambda count: count - 1 - pick(count)) if request.low else pick)

    def suppose(self, case: str = "") -> None:
        """In a check: mark in the log that what follows is imagined."""
        if not self._imagining:
            self._imagining = True
            self.state.note(Imagined(case=case))

    def _goes_on(self, request: Request | None) -> bool:
        """Whether a request shows that the last line has been carried out: its section is asked for again, or
        nothing is."""
        if self._open is None or request is None:
            return True
        asks = request.asks if isinstance(request, FirstOf) else (request,)
        mine = self._open.seat, self._open.line.section
        return mine in [(ask.seat, ask.section) for ask in asks if isinstance(ask, Desk)]

    def stop(self, waiting: Request | None) -> None:
        """Nothing more is played: the last line has come to its end, or what is waited for interrupts it."""
        if self._open is not None and isinstance(waiting, Ask | AskAll) and not self._goes_on(waiting):
            self._open.under_way, self._open = True, None
        self.close()
        for outcome in self._going_on:
            assert outcome.order is not None
            outcome.reached = reached(self.game, self.state, outcome.seat, outcome.order)

    def close(self) -> None:
        """Note where the log of the last line ends. A check tells no more than what is known before anything
        is revealed."""
        if self._open is None:
            return
        start, end = self._open.notes[0], len(self.state.log)
        order = self._open.order
        if self.trying:
            notes = range(start, end)
            revealed = next((at for at in notes if reveals(self.state.log[at])), end)
            if revealed == end and order is not None:
                assert self._desk is not None
                self._open.preview = (*self._open.preview, *self._desk.remarks(order))
            end = next((at for at in notes if self._imagining and self.state.log[at].chancy), revealed)
            end = min(end, revealed)
        elif order is not None and order.goes_on:
            self._going_on.append(self._open)
        elif order is not None:
            self._open.reached = reached(self.game, self.state, self._open.seat, order)
        self._open.notes = (start, end)
        self._open = None

    # --- orders ---------------------------------------------------------------------------------------

    def _first_of(self, request: FirstOf[Any]) -> Answer | None:
        ready = [ask for ask in request.asks if self._may_answer(ask)]
        if request.secret and not self.trying and len(ready) < len(request.asks):
            return None
        for ask in ready:
            if (found := self._orders(ask)) is not None:
                return Answer((ask.seat, found[0]), found[1])
        return None

    def _may_answer(self, request: Desk[Any]) -> bool:
        papers = self.papers[request.seat]
        return bool(self.trying) or papers.bot is not None or papers.plays(request.section)

    def _orders(self, request: Desk[Any]) -> tuple[Any, str] | None:
        papers = self.papers[request.seat]
        self.desks[request.seat, request.section] = request
        if self.trying and request.seat != self.trying:
            self.others.add(request.seat)
        if papers.bot is not None and not self.trying:
            answer = papers.bot(request, self.state)
            return answer.value, "bot"
        if not self._may_answer(request):
            return (None, "default") if request.first and not request.asks else None
        key = (request.seat, request.section)
        if key in self._pausing and not papers.forced:
            self._halt(key)
        if key not in self.halted and (order := self._next_order(request, papers)) is not None:
            return order, "orders"
        return None if key in self.halted else self._stop(request, papers)

    def _halt(self, key: tuple[str, str]) -> None:
        """Stop for the writer; a check looks on behind the pause."""
        self._pausing.discard(key)
        if self.trying:
            self.behind = "your pause"
        else:
            self.halted.add(key)

    def _next_order(self, request: Desk[Any], papers: Papers) -> Order | None:
        """The next line of the section that can be carried out; the others are noted as they are passed."""
        lines = papers.of(request.section) if not self.trying or request.seat == self.trying else []
        key = (request.seat, request.section)
        while (at := self._next.get(key, 0)) < len(lines):
            line = lines[at].line
            assert line is not None
            if isinstance(line.order, Pause):
                if request.first and not any(
                    each.line and _is_one_of(each.line, request.takes) for each in lines[at:]
                ):
                    return None  # it stops the orders that follow
                self._next[key] = at + 1
                self.outcomes.append(
                    Outcome(request.seat, lines[at], self.state.phase, line.order, after=self.behind)
                )
                if not papers.forced:
                    self._halt(key)
                if key in self.halted:
                    return None
                continue
            if request.first and not _is_one_of(line, request.takes):
                return request.implied(line.order)
            if _is_one_of(line, request.until):
                return None
            self._next[key] = at + 1
            outcome = Outcome(
                request.seat, lines[at], self.state.phase, after=self.behind, foreign=self._foreign
            )
            self.outcomes.append(outcome)
            if line.order.outermost and _is_bare(lines[at + 1 :]):
                outcome.skipped = BARE
                if self.trying and not line.attempt:
                    outcome.error = NotAllowed(BARE, request.case)
                continue
            if (order := self._taken(request, line, outcome, papers)) is not None:
                self.close()
                outcome.notes = (len(self.state.log), len(self.state.log))
                if self.trying:
                    outcome.preview = tuple(request.preview(request.settle(order)))
                self._open, self._desk = outcome, request
                if order.pauses:
                    self._pausing.add(key)
                return order
            if (instead := self._instead_of(request, line, outcome)) is not None:
                return instead
        return None

    def _instead_of(self, request: Desk[Any], line: Line, outcome: Outcome) -> Order | None:
        """In a check: what is done in place of a line that a rule refuses."""
        if outcome.error is not None:
            outcome.instead = next(
                (order for order in line.order.instead() if _refusal(request, order) is None), None
            )
        return outcome.instead

    def _taken(self, request: Desk[Any], line: Line, outcome: Outcome, papers: Papers) -> Order | None:
        """The first of a line's orders that can be carried out; why there is none is noted."""
        if (demand := papers.dropped.get(outcome.line.name)) is not None:
            outcome.skipped = str(demand)
            return None
        choices = choices_of(self.game, self.state, line, request.seat)
        if not choices:
            outcome.skipped = UNMET
        reasons: list[str] = []
        for order in choices:
            error = _refusal(request, order)
            if error is None:
                outcome.order, outcome.skipped, outcome.error = order, "", None
                return order
            if self.trying and not line.attempt and not isinstance(error, Unwanted):
                outcome.error = error
            reasons.append(str(error))
            outcome.skipped = "; else: ".join(reasons)
        return None

    def _left(self, request: Desk[Any], papers: Papers) -> bool:
        """Whether there are lines of the section that have not been read yet."""
        return self._next.get((request.seat, request.section), 0) < len(papers.of(request.section))

    def _stop(self, request: Desk[Any], papers: Papers) -> tuple[Any, str] | None:
        """The end of a section, if its orders may end here; what a rule still demands is given by default if
        the seat's papers say so."""
        key = (request.seat, request.section)
        try:
            request.check(None)
        except OrderError as error:
            if request.seat == (self.trying or request.seat):
                self.unmet.setdefault(key, error)
            if self.trying or request.section in papers.least:
                return self._demanded(request, error)
            return None
        if not request.first and not self._left(request, papers):
            self.finished.append(key)
        return None, "orders" if papers.of(request.section) or not papers.forced else "default"

    def _demanded(self, request: Desk[Any], error: OrderError) -> tuple[Any, str] | None:
        order = request.demanded()
        if order is None:
            return None
        if not self.trying:
            self.unmet.pop((request.seat, request.section), None)
            what = f"[{request.section}] {self.game.grammar.write(order)}"
            self.decided.append(Decided(request.seat, what, "", "default", why=str(error)))
        return order, "default"

    # --- decisions ------------------------------------------------------------------------------------

    def _one(self, ask: Ask[Any], earlier: dict[str, Any]) -> Answer | None:
        papers = self.papers[ask.seat]
        if self.trying and ask.seat != self.trying:
            return self._imagined(ask)
        given = papers.answers.get(ask.what)
        if given in ask.options and (ask.seat, ask.what) not in self.answered:
            return Answer(given, "orders")
        if ask.orders_in in papers.closed and not papers.of(ask.orders_in):
            self.finished.append((ask.seat, ask.orders_in))
            return Answer(ask.fallback, "orders")
        for line in papers.standing if ask.what not in papers.withheld and not papers.hold else ():
            if line.policy is not None and line.kind == ask.kind:
                value = line.policy.decide(ask, earlier)
                if value is not None and value in ask.options:
                    self.decided.append(Decided(ask.seat, ask.what, value, "standing", line.text))
                    return Answer(value, "standing")
        if self.trying:
            return self._imagined(ask)
        if papers.bot is not None:
            return papers.bot(ask, self.state)
        if papers.leaves(ask.what):
            self.decided.append(Decided(ask.seat, ask.what, ask.fallback, "default"))
            return Answer(ask.fallback, "default")
        return None

    def _imagined(self, ask: Ask[Any]) -> Answer:
        """In a check: a decision that is not known, the default or, where the dice are bad or mixed,
        another."""
        assert self.pick is not None
        self.behind = ask.what
        at = self.pick(len(ask.options))
        return Answer(ask.fallback if at == len(ask.options) - 1 else ask.options[at], "default")

    def _all(self, request: AskAll) -> Answer | None:
        answers: dict[str, Answer] = {}
        for ask in request.asks:
            earlier = {what: answer.value for what, answer in answers.items()}
            answer = Answer(ask.options[0], "forced") if len(ask.options) == 1 else self._one(ask, earlier)
            if answer is None:
                return None
            answers[ask.what] = answer
        try:
            request.check(tuple(answer.value for answer in answers.values()))
        except OrderError as error:
            return self._not_together(request, answers, error)
        self._use(request.asks, [answers[ask.what] for ask in request.asks])
        by = {answer.by for answer in answers.values()}
        words = ("orders", "standing", "bot", "default", "forced")
        values = tuple(answer.value for answer in answers.values())
        return Answer(values, next(word for word in words if word in by))

    def _not_together(self, request: AskAll, answers: dict[str, Answer], error: OrderError) -> Answer | None:
        """Answers that are each legal but not together: what was decided by standing orders gives way to the
        defaults; what a player has answered is asked again."""
        for keep in (("orders", "forced"), ("forced",)):
            values = tuple(
                answers[ask.what].value if answers[ask.what].by in keep else ask.fallback
                for ask in request.asks
            )
            try:
                request.check(values)
            except OrderError:
                continue
            mine = {ask.seat for ask in request.asks if answers[ask.what].by == "orders"}
            if "orders" not in keep and mine:
                break
            self._instead(request, answers, values, error)
            if "orders" in keep:
                self._use(request.asks, [answers[ask.what] for ask in request.asks])
            return Answer(values, "orders" if "orders" in keep and mine else "default")
        self.refused |= {ask.seat: error for ask in request.asks if answers[ask.what].by == "orders"}
        if self.refused:
            return None
        values = tuple(ask.fallback for ask in request.asks)
        self._instead(request, answers, values, error)
        return Answer(values, "default")

    def _instead(
        self, request: AskAll, answers: dict[str, Answer], values: tuple[Any, ...], error: OrderError
    ) -> None:
        """Tell that defaults took the place of standing orders."""
        for ask, value in zip(request.asks, values, strict=True):
            if answers[ask.what].value != value and len(ask.options) > 1:
                self.decided = [
                    each for each in self.decided if (each.seat, each.what) != (ask.seat, ask.what)
                ]
                self.decided.append(Decided(ask.seat, ask.what, value, "default", why=str(error)))


def choices_of(game: Game[Any], state: GameState, line: Line, seat: str) -> list[Order]:
    """What a line may come to, of which the first that can be carried out counts: its order, and its `else`
    if a condition or a try fails."""
    holds = all(
        clause.condition.about(line.order).holds(state, seat) != clause.negated for clause in line.conditions
    )
    found = [line.order] if holds else []
    if line.otherwise is not None and (line.attempt or not holds):
        found.append(line.otherwise)
    return found


def _is_one_of(line: Line, kinds: Sequence[type[Order]]) -> bool:
    """Whether a line gives an order of one of these kinds, as its order or as its `else`."""
    return bool({type(line.order), type(line.otherwise)} & {*kinds})


def _is_bare(below: Sequence[SheetLine]) -> bool:
    """Whether a head is followed by no line of its own."""
    return not below or (below[0].order is not None and below[0].order.outermost)


def _refusal(request: Desk[Any], order: Order) -> OrderError | None:
    """Why an order cannot be carried out now, or None."""
    try:
        if type(order) not in request.takes:
            raise NotAllowed(f"{order.verb} is not an order for [{request.section}]", request.case)
        request.check(order)
    except OrderError as error:
        return error
    return None


def reached(game: Game[Any], state: GameState, seat: str, order: Order) -> str:
    """The hex where the units of an order ended, if it is not the one they were sent to; "" if it is, or they
    are in several."""
    path = (*getattr(order, "path", ()), *getattr(order, "onward", ()))
    if not path:
        return ""
    ends = {game.hex_of(state, seat, unit) for unit in order.actors()}
    return next((end for end in ends if len(ends) == 1 and end and end != path[-1]), "")


def questions(request: Request | None, seat: str) -> list[Ask[Any]]:
    """The decisions that a seat is asked for now."""
    return [ask for ask in _asks(request) if ask.seat == seat and len(ask.options) > 1]


def _asks(request: Request | None) -> Iterator[Ask[Any]]:
    if isinstance(request, Ask):
        yield request
    elif isinstance(request, AskAll):
        yield from request.asks
