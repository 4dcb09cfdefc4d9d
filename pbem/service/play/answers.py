"""What the seats have handed in, laid out as answers to what the rules ask.

An answer comes from, in this order: the player's orders or decisions, the player's standing orders, a bot,
and once the deadline has passed the default. What none of them covers is left unanswered, and the game waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed, OrderError
from pbem.engine.game import Game, GameState
from pbem.engine.language import Line, Order, Pause
from pbem.engine.play import Answer, Ask, AskAll, Decision, Request
from pbem.service.play.papers import Papers
from pbem.service.play.sheet import SheetLine

BARE = "nothing is written below it"
"""Why a head is passed over that has no lines."""

UNMET = "its condition is not met"
"""Why a line is passed over that has nothing to say when its condition is not met."""


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


class Playing:
    """Answers the requests of one phase from the papers of all seats.

    `finished` are the (seat, section) pairs whose orders are complete, `unmet` those whose orders may not end
    yet because a rule demands something, `halted` those that stopped because their writer wants to see what
    came of the last line. `refused` are seats whose answers do not go together.
    """

    def __init__(self, game: Game[Any], state: GameState, papers: Mapping[str, Papers]) -> None:
        self.game = game
        self.state = state
        self.papers = papers
        self.outcomes: list[Outcome] = []
        self.decided: list[Decided] = []
        self.finished: list[tuple[str, str]] = []
        self.unmet: dict[tuple[str, str], OrderError] = {}
        self.halted: set[tuple[str, str]] = set()
        self.refused: dict[str, OrderError] = {}
        self.answered: list[tuple[str, str]] = []
        """(seat, what was asked) of the answers that have been used: each answers one question."""
        self._pausing: set[tuple[str, str]] = set()
        self._next: dict[tuple[str, str], int] = {}
        self._open: Outcome | None = None
        self._going_on: list[Outcome] = []

    def __call__(self, request: Decision) -> Answer | None:
        if self._goes_on(request):
            self.close()
        if isinstance(request, Desk):
            given = self._orders(request)
            return None if given is None else Answer(*given)
        if isinstance(request, FirstOf):
            return self._first_of(request)
        if isinstance(request, AskAll):
            return self._all(request)
        answer = self._one(request, {})
        self._use((request,), (answer,))
        return answer

    def _use(self, asks: Sequence[Ask[Any]], answers: Sequence[Answer | None]) -> None:
        self.answered += [
            (ask.seat, ask.what)
            for ask, answer in zip(asks, answers, strict=True)
            if answer is not None and answer.by == "orders"
        ]

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
        if isinstance(waiting, Ask | AskAll):
            for outcome in self.outcomes:
                outcome.under_way |= outcome.order is not None and outcome.order.declared
        for outcome in self._going_on:
            assert outcome.order is not None
            outcome.reached = reached(self.game, self.state, outcome.seat, outcome.order)

    def close(self) -> None:
        """Note where the log of the last line ends."""
        if self._open is None:
            return
        self._open.notes = (self._open.notes[0], len(self.state.log))
        order = self._open.order
        if order is not None and order.goes_on:
            self._going_on.append(self._open)
        elif order is not None:
            self._open.reached = reached(self.game, self.state, self._open.seat, order)
        self._open = None

    # --- orders ---------------------------------------------------------------------------------------

    def _first_of(self, request: FirstOf[Any]) -> Answer | None:
        ready = [ask for ask in request.asks if self._may_answer(ask)]
        if request.secret and len(ready) < len(request.asks):
            return None
        for ask in ready:
            if (given := self._orders(ask)) is not None:
                return Answer((ask.seat, given[0]), given[1])
        return None

    def _may_answer(self, request: Desk[Any]) -> bool:
        papers = self.papers[request.seat]
        return papers.bot is not None or papers.plays(request.section)

    def _orders(self, request: Desk[Any]) -> tuple[Any, str] | None:
        papers = self.papers[request.seat]
        if papers.bot is not None:
            answer = papers.bot(request, self.state)
            return None if answer is None else (answer.value, "bot")
        if not self._may_answer(request):
            return (None, "default") if request.first and not request.asks else None
        key = (request.seat, request.section)
        if key in self._pausing and papers.phase.late is None:
            self._halt(key)
        if key not in self.halted and (order := self._next_order(request, papers)) is not None:
            return order, "orders"
        return None if key in self.halted else self._stop(request, papers)

    def _halt(self, key: tuple[str, str]) -> None:
        """Stop for the writer."""
        self._pausing.discard(key)
        self.halted.add(key)

    def _next_order(self, request: Desk[Any], papers: Papers) -> Order | None:
        """The next line of the section that can be carried out; the others are noted as they are passed."""
        lines = papers.of(request.section)
        key = (request.seat, request.section)
        while (at := self._next.get(key, 0)) < len(lines):
            line = lines[at].line
            assert line is not None
            if isinstance(line.order, Pause):
                if request.first and not any(
                    later.line and _is_one_of(later.line, request.takes) for later in lines[at:]
                ):
                    return None  # it stops the orders that follow
                self._next[key] = at + 1
                self._begin(request, lines[at]).order = line.order
                if papers.phase.late is None:
                    self._halt(key)
                if key in self.halted:
                    return None
                continue
            if request.first and not _is_one_of(line, request.takes):
                return request.implied(line.order)
            if _is_one_of(line, request.until):
                return None
            self._next[key] = at + 1
            outcome = self._begin(request, lines[at])
            if line.order.outermost and _is_bare(lines[at + 1 :]):
                outcome.skipped = BARE
                self._is_refused(outcome, NotAllowed(BARE, request.case))
                continue
            if (order := self._taken(request, line, outcome, papers)) is not None:
                self.close()
                self._carry_out(request, outcome, order)
                if order.pauses:
                    self._pausing.add(key)
                return order
            if (instead := self._instead_of(request, line, outcome)) is not None:
                return instead
        return None

    def _begin(self, request: Desk[Any], line: SheetLine) -> Outcome:
        """Come to a line: what becomes of it is noted as it comes about."""
        outcome = Outcome(request.seat, line, self.state.phase)
        self.outcomes.append(outcome)
        return outcome

    def _carry_out(self, request: Desk[Any], outcome: Outcome, order: Order) -> None:
        """Note that the log that follows is that of a line."""
        outcome.notes = (len(self.state.log), len(self.state.log))
        self._open = outcome

    def _is_refused(self, outcome: Outcome, error: OrderError) -> None:
        """A rule refuses a line, or its first choice."""

    def _instead_of(self, request: Desk[Any], line: Line, outcome: Outcome) -> Order | None:
        """What is done in place of a line that a rule refuses: nothing."""
        return None

    def _taken(self, request: Desk[Any], line: Line, outcome: Outcome, papers: Papers) -> Order | None:
        """The first of a line's orders that can be carried out; why there is none is noted."""
        if (demand := papers.phase.dropped.get(outcome.line.name)) is not None:
            outcome.skipped = str(demand)
            return None
        choices = choices_of(self.game, self.state, line, request.seat)
        if not choices:
            outcome.skipped = UNMET
        reasons: list[str] = []
        for order in choices:
            error = refusal(request, order)
            if error is None:
                outcome.order, outcome.skipped, outcome.error = order, "", None
                return order
            self._is_refused(outcome, error)
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
            return self._demanded(request, papers, error)
        if not request.first and not self._left(request, papers):
            self.finished.append(key)
        by_orders = papers.of(request.section) or papers.phase.late is None
        return None, "orders" if by_orders else "default"

    def _demanded(self, request: Desk[Any], papers: Papers, error: OrderError) -> tuple[Any, str] | None:
        """Orders may not end yet: what the rule demands, where the papers leave it to the default."""
        key = (request.seat, request.section)
        self.unmet.setdefault(key, error)
        order = request.demanded() if request.section in papers.phase.least else None
        if order is None:
            return None
        self.unmet.pop(key)
        what = f"[{request.section}] {self.game.grammar.write(order)}"
        self.decided.append(Decided(request.seat, what, "", "default", why=str(error)))
        return order, "default"

    # --- decisions ------------------------------------------------------------------------------------

    def _one(self, ask: Ask[Any], earlier: dict[str, Any]) -> Answer | None:
        papers = self.papers[ask.seat]
        given = papers.phase.answers.get(ask.what)
        if given in ask.options and (ask.seat, ask.what) not in self.answered:
            return Answer(given, "orders")
        if ask.orders_in in papers.closed and not papers.of(ask.orders_in):
            self.finished.append((ask.seat, ask.orders_in))
            return Answer(ask.fallback, "orders")
        held = ask.what in papers.phase.withheld or papers.on_hold
        for line in papers.standing if not held else ():
            if line.policy is not None and line.kind == ask.kind:
                value = line.policy.decide(ask, earlier)
                if value is not None and value in ask.options:
                    self.decided.append(Decided(ask.seat, ask.what, value, "standing", line.text))
                    return Answer(value, "standing")
        return self._otherwise(ask, papers)

    def _otherwise(self, ask: Ask[Any], papers: Papers) -> Answer | None:
        """A decision that neither a player nor its standing orders have taken."""
        if papers.bot is not None:
            return papers.bot(ask, self.state)
        if papers.leaves(ask.what):
            self.decided.append(Decided(ask.seat, ask.what, ask.fallback, "default"))
            return Answer(ask.fallback, "default")
        return None

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
                    decision
                    for decision in self.decided
                    if (decision.seat, decision.what) != (ask.seat, ask.what)
                ]
                self.decided.append(Decided(ask.seat, ask.what, value, "default", why=str(error)))


def choices_of(game: Game[Any], state: GameState, line: Line, seat: str) -> list[Order]:
    """What a line may come to, of which the first that can be carried out counts: its order, and its `else`
    if a condition or a try fails."""
    holds = all(
        clause.condition.about(line.order).holds(state, seat) != clause.negated for clause in line.conditions
    )
    choices = [line.order] if holds else []
    if line.otherwise is not None and (line.attempt or not holds):
        choices.append(line.otherwise)
    return choices


def _is_one_of(line: Line, kinds: Sequence[type[Order]]) -> bool:
    """Whether a line gives an order of one of these kinds, as its order or as its `else`."""
    return bool({type(line.order), type(line.otherwise)} & {*kinds})


def _is_bare(below: Sequence[SheetLine]) -> bool:
    """Whether a head is followed by no line of its own."""
    return not below or (below[0].order is not None and below[0].order.outermost)


def refusal(request: Desk[Any], order: Order) -> OrderError | None:
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
