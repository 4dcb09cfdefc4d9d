"""What the seats have handed in, laid out as answers to what the rules ask.

An answer comes from, in this order: the player's orders or decisions, the player's standing orders, a bot, and once the deadline
has passed the default. What none of them covers is left unanswered, and the game waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.errors import NotAllowed, OrderError, Overtaken
from pbem.engine.game import Game, GameState
from pbem.engine.orders import Line, Order, StandingLine
from pbem.engine.play import Answer, Ask, AskAll, Decision, FirstOf, Orders, Request
from pbem.service.history import reveals

Bot = Callable[[Decision, Any], Answer]

UNMET = "the condition does not hold"
"""Why a line is passed over that has nothing to say when its condition does not hold."""


@dataclass(slots=True)
class Papers:
    """One seat's papers. `lines` are its order lines in the order written; `released` the sections that are final; `answers` what it decided in
    answer to a decision letter, by what was asked. `forced` says that its time is up: what is missing is decided by default."""

    seat: str
    lines: list[Line] = field(default_factory=list)
    released: set[str] = field(default_factory=set)
    standing: list[StandingLine] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    bot: Bot | None = None
    asked: bool = False
    """It has answered a decision letter in this phase: what else comes up is not asked again."""
    forced: bool = False


@dataclass(slots=True)
class Fed:
    """What became of one line: carried out (`order`), passed over (`skipped` says why), or refused (`error`). `notes` are the places in
    the log of what it did, `preview` what its owner may be told of it as things stood then."""

    seat: str
    line: Line
    phase: str
    order: Order | None = None
    skipped: str = ""
    error: OrderError | None = None
    notes: tuple[int, int] = (0, 0)
    preview: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fired:
    """A decision that was taken for a seat, and by what: its standing line, or the default."""

    seat: str
    what: str
    value: Any
    by: str
    line: str = ""


class Desk:
    """Answers the requests of one phase from the papers of all seats.

    With `checking`, a seat, every line of that seat is tried, final or not, its sections end where its lines end, and nobody else is
    answered for. `blocked` names the seats whose final orders cannot all be carried out; their section has been begun and must not be kept.
    Where dice have fallen between orders nothing can be taken back: `halted` names the (seat, section) pairs that stopped on the way, because
    an order was refused (with the refusal) or because its writer wants to see what came of the last one (None).
    """

    def __init__(
        self, game: Game[Any], state: GameState, papers: dict[str, Papers], *, checking: str = ""
    ) -> None:
        self.game = game
        self.state = state
        self.papers = papers
        self.checking = checking
        self.fed: list[Fed] = []
        self.fired: list[Fired] = []
        self.closed: list[tuple[str, str]] = []
        self.blocked: dict[str, OrderError] = {}
        self.halted: dict[tuple[str, str], OrderError | None] = {}
        self._diced: set[tuple[str, str]] = set()
        self._pausing: set[tuple[str, str]] = set()
        self._led: set[tuple[str, str]] = set()
        """Sections of which lines were read before the die (`Orders.first`): if there are no others, their writer is asked again."""
        self._next: dict[tuple[str, str], int] = {}
        self._open: Fed | None = None
        self._asked: Orders[Any] | None = None
        """What the seat that is checked was last asked to write."""

    def __call__(self, request: Decision) -> Answer | None:
        self.close()
        if isinstance(request, Orders):
            found = self._orders(request)
            return None if found is None else Answer(*found)
        if isinstance(request, FirstOf):
            for ask in request.asks:
                if (found := self._orders(ask)) is not None:
                    return Answer((ask.seat, found[0]), found[1])
            return None
        if isinstance(request, AskAll):
            return self._all(request)
        return self._one(request, {})

    def threw(self) -> None:
        """A die has fallen: what has been ordered so far stands."""
        for fed in self.fed:
            if fed.order is not None:
                self._diced.add((fed.seat, fed.line.section))
        if self._open is not None and self._open.order is not None and self._open.order.pauses:
            self._pausing.add((self._open.seat, self._open.line.section))

    def close(self) -> None:
        """Note where the log of the last line ends. A check goes no further than to what has been revealed meanwhile."""
        if self._open is None:
            return
        start, end = self._open.notes[0], len(self.state.log)
        if self.checking:
            known = next((at for at in range(start, end) if reveals(self.state.log[at])), end)
            if known == end and self._open.order is not None:
                self._open.preview = self.game.preview(self.state, self._open.seat, self._open.order)
            end = known
        self._open.notes = (start, end)
        self._open = None

    # --- orders ---------------------------------------------------------------------------------------

    def _orders(self, request: Orders[Any]) -> tuple[Any, str] | None:
        papers = self.papers[request.seat]
        if papers.bot is not None:
            answer = papers.bot(request, self.state)
            return answer.value, "bot"
        if not (self.checking == papers.seat or papers.forced or request.section in papers.released):
            return (None, "default") if request.first else None
        self._asked = request if self.checking == papers.seat else None
        key = (request.seat, request.section)
        if (key in self._pausing and not papers.forced) or (
            key in self._led and not request.first and not (papers.forced or self._left(request, papers))
        ):
            self.halted[key] = None
        elif (order := self._next_order(request, papers)) is not None:
            return order, "orders"
        return None if key in self.halted else self._stop(request, papers)

    def _next_order(self, request: Orders[Any], papers: Papers) -> Order | None:
        """The next line of the section that can be carried out; the others are noted as they are passed."""
        lines = [line for line in papers.lines if line.section == request.section]
        key = (request.seat, request.section)
        while (at := self._next.get(key, 0)) < len(lines):
            kinds = {type(lines[at].order), type(lines[at].otherwise)}
            if request.first and not kinds & {*request.takes}:
                return None
            if kinds & {*request.until}:
                return None
            self._next[key] = at + 1
            (self._led.add if request.first else self._led.discard)(key)
            fed = Fed(request.seat, lines[at], self.state.phase)
            self.fed.append(fed)
            choices = choices_of(self.game, self.state, lines[at], request.seat)
            if not choices:
                fed.skipped = UNMET
            reasons: list[str] = []
            for order in choices:
                error = _refusal(request, order)
                if error is None:
                    fed.order, fed.skipped = order, ""
                    fed.notes = (len(self.state.log), len(self.state.log))
                    self._open = fed
                    return order
                if lines[at].attempt or isinstance(error, Overtaken):
                    reasons.append(str(error))
                    fed.skipped = "; else: ".join(reasons)
                else:
                    fed.error = error
            if fed.error is not None and key in self._diced and not papers.forced:
                self.halted[key] = fed.error
                return None
        return None

    def ahead(self) -> list[Fed]:
        """The lines that a check does not come to because a die falls before them, judged as things stand now: what each would do, or why it
        could not. Lines about units of which others speak before them are left out; so are all if something hidden has been revealed."""
        request = self._asked
        if request is None or any(reveals(note) for note in self.state.log):
            return []
        lines = [line for line in self.papers[request.seat].lines if line.section == request.section]
        at = self._next.get((request.seat, request.section), 0)
        return judged(self.game, self.state, request, lines[at:], lines[:at])

    def _left(self, request: Orders[Any], papers: Papers) -> bool:
        """Whether there are lines of the section that have not been read yet."""
        lines = sum(line.section == request.section for line in papers.lines)
        return self._next.get((request.seat, request.section), 0) < lines

    def _stop(self, request: Orders[Any], papers: Papers) -> tuple[Any, str] | None:
        """The end of a section, if its orders may end here."""
        refused = [fed.error for fed in self.fed if fed.error and fed.line.section == request.section]
        if refused and not (papers.forced or self.checking):
            self.blocked[request.seat] = refused[0]
            return None
        try:
            request.check(None)
        except OrderError as error:
            return self._must_go_on(request, papers, error)
        if not request.first and not self._left(request, papers):
            self.closed.append((request.seat, request.section))
        return None, "orders" if papers.lines or not papers.forced else "default"

    def _must_go_on(self, request: Orders[Any], papers: Papers, error: OrderError) -> tuple[Any, str] | None:
        """A rule still demands something: at the deadline the first legal order that it offers is given."""
        if papers.forced:
            for subject in request.subjects():
                for order in request.options(subject):
                    return order, "default"
        self.blocked[request.seat] = error
        return None

    # --- decisions ------------------------------------------------------------------------------------

    def _one(self, ask: Ask[Any], earlier: dict[str, Any]) -> Answer | None:
        papers = self.papers[ask.seat]
        if papers.answers.get(ask.what) in ask.options:
            return Answer(papers.answers[ask.what], "orders")
        for line in papers.standing:
            if line.policy is not None and line.kind == ask.kind:
                value = line.policy.decide(ask, earlier)
                if value is not None and value in ask.options:
                    self.fired.append(Fired(ask.seat, ask.what, value, "standing", line.text))
                    return Answer(value, "standing")
        if papers.bot is not None:
            return papers.bot(ask, self.state)
        if papers.forced or (papers.asked and not ask.weighty):
            self.fired.append(Fired(ask.seat, ask.what, ask.fallback, "default"))
            return Answer(ask.fallback, "default")
        return None

    def _all(self, request: AskAll) -> Answer | None:
        values: dict[str, Any] = {}
        by: set[str] = set()
        for ask in request.asks:
            answer = Answer(ask.options[0], "forced") if len(ask.options) == 1 else self._one(ask, values)
            if answer is None:
                return None
            values[ask.what] = answer.value
            by.add(answer.by)
        try:
            request.check(tuple(values.values()))
        except OrderError:
            return Answer(tuple(ask.fallback for ask in request.asks), "default")
        return Answer(
            tuple(values.values()),
            next(word for word in ("orders", "standing", "bot", "default", "forced") if word in by),
        )


def choices_of(game: Game[Any], state: GameState, line: Line, seat: str) -> list[Order]:
    """What a line may come to, of which the first that can be carried out counts: its order, and its `else` if a condition or a try
    fails."""
    holds = all(
        game.holds(state, seat, clause.condition.about(line.order)) != clause.negated
        for clause in line.conditions
    )
    found = [line.order] if holds else []
    if line.otherwise is not None and (line.attempt or not holds):
        found.append(line.otherwise)
    return found


def judged(
    game: Game[Any],
    state: GameState,
    request: Orders[Any],
    lines: Sequence[Line],
    before: Sequence[Line] = (),
) -> list[Fed]:
    """What would become of lines if each were given now in answer to `request`, with what their owner may be told of them; nothing is
    changed. Lines about units of which others speak before them, `before` included, are left out."""
    found: list[Fed] = []
    spoken = {unit for line in before for unit in line.order.subjects()}
    for line in lines:
        if spoken.isdisjoint(line.order.subjects()):
            found.append(_judged(game, state, request, line))
        spoken.update(line.order.subjects())
    return found


def _judged(game: Game[Any], state: GameState, request: Orders[Any], line: Line) -> Fed:
    fed = Fed(request.seat, line, state.phase)
    choices = choices_of(game, state, line, request.seat)
    if not choices:
        fed.skipped = UNMET
        return fed
    for order in choices:
        fed.error = _refusal(request, order)
        if fed.error is None:
            fed.order = request.settle(order)
            fed.preview = game.preview(state, request.seat, fed.order)
            break
    return fed


def _refusal(request: Orders[Any], order: Order) -> OrderError | None:
    """Why an order cannot be carried out now, or None."""
    try:
        if type(order) not in request.takes:
            raise NotAllowed(f"{order.verb} is not an order for [{request.section}]", request.case)
        request.check(order)
    except OrderError as error:
        return error
    return None


def questions(request: Request | None, seat: str) -> list[Ask[Any]]:
    """The decisions that a seat is asked for now."""
    if isinstance(request, Ask):
        return [request] if request.seat == seat else []
    if isinstance(request, AskAll):
        return [ask for ask in request.asks if ask.seat == seat and len(ask.options) > 1]
    return []
