"""Lines tried: played as they would be, on a state that nobody keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError, Unwanted
from pbem.engine.game import Game, GameState
from pbem.engine.language import Line, Order
from pbem.engine.notes import Imagined
from pbem.engine.play import Answer, Ask, Chance, Decision, Request
from pbem.service.play.answers import Outcome, Playing, refusal
from pbem.service.play.history import reveals
from pbem.service.play.papers import Papers
from pbem.service.play.sheet import SheetLine

Pick = Callable[[int], int]
"""A number from 0 to n - 1: how dice, and decisions of others, are imagined."""


class Trying(Playing):
    """Plays the lines of one seat, closed or not, and keeps nothing of it. Dice and what others decide are
    imagined by `pick`, and nobody else gives orders. It tells no more than its seat may know before anything
    is revealed."""

    def __init__(
        self, game: Game[Any], state: GameState, papers: Mapping[str, Papers], seat: str, pick: Pick
    ) -> None:
        super().__init__(game, state, papers)
        self.seat = seat
        self.pick = pick
        self.desks: dict[str, Desk[Any]] = {}
        """The last desk of each section of the seat at which orders have been asked for."""
        self.behind = ""
        """The last thing before now that is not known yet."""
        self.others: set[str] = set()
        """Other seats that give orders before now; these are unknown."""
        self._foreign = False
        self._imagining = False
        self._together: set[tuple[str, str]] = set()
        self._desk: Desk[Any] | None = None

    def __call__(self, request: Decision) -> Answer | None:
        if isinstance(request, FirstOf):
            self._together |= {(ask.seat, ask.section) for ask in request.asks}
        elif isinstance(request, Desk):
            self._others_move(request)
        return super().__call__(request)

    def _others_move(self, request: Desk[Any]) -> None:
        """Note that another seat gives orders before what comes now, and not at the same time."""
        if request.seat != self.seat and (request.seat, request.section) not in self._together:
            self.behind = f"the {self.game.seat(request.seat).title} side"
            self._foreign = True

    def imagine(self, request: Chance, label: str) -> list[Any] | None:
        """Imagined dice; none where what comes of them depends on what the seat does not know."""
        pick = self.pick
        self.close()
        if request.veiled:
            return None
        self.behind = request.what
        self.suppose(request.case)
        return request.faces((lambda count: count - 1 - pick(count)) if request.low else pick)

    def suppose(self, case: str = "") -> None:
        """Mark in the log that what follows is imagined."""
        if not self._imagining:
            self._imagining = True
            self.state.note(Imagined(case=case))

    def _goes_on(self, request: Request | None) -> bool:
        return True

    def close(self) -> None:
        """Note where the log of the last line ends: no more than what is known before anything is
        revealed."""
        if self._open is None:
            return
        start, end = self._open.notes[0], len(self.state.log)
        order = self._open.order
        notes = range(start, end)
        revealed = next((at for at in notes if reveals(self.state.log[at])), end)
        if revealed == end and order is not None:
            assert self._desk is not None
            self._open.preview = (*self._open.preview, *self._desk.remarks(order))
        chancy = next((at for at in notes if self._imagining and self.state.log[at].chancy), revealed)
        self._open.notes = (start, min(chancy, revealed))
        self._open = None

    # --- orders ---------------------------------------------------------------------------------------

    def _may_answer(self, request: Desk[Any]) -> bool:
        return True

    def _orders(self, request: Desk[Any]) -> tuple[Any, str] | None:
        if request.seat == self.seat:
            self.desks[request.section] = request
        else:
            self.others.add(request.seat)
        return super()._orders(request)

    def _halt(self, key: tuple[str, str]) -> None:
        """Look on behind the pause."""
        self._pausing.discard(key)
        self.behind = "your pause"

    def _begin(self, request: Desk[Any], line: SheetLine) -> Outcome:
        outcome = super()._begin(request, line)
        outcome.after, outcome.foreign = self.behind, self._foreign
        return outcome

    def _carry_out(self, request: Desk[Any], outcome: Outcome, order: Order) -> None:
        outcome.preview = tuple(request.preview(request.settle(order)))
        self._desk = request
        super()._carry_out(request, outcome, order)

    def _is_refused(self, outcome: Outcome, error: OrderError) -> None:
        line = outcome.line.line
        if line is not None and not line.attempt and not isinstance(error, Unwanted):
            outcome.error = error

    def _instead_of(self, request: Desk[Any], line: Line, outcome: Outcome) -> Order | None:
        if outcome.error is not None:
            outcome.instead = next(
                (order for order in line.order.instead() if refusal(request, order) is None), None
            )
        return outcome.instead

    def _demanded(self, request: Desk[Any], papers: Papers, error: OrderError) -> tuple[Any, str] | None:
        """Orders may not end yet: go on with what the rule demands."""
        if request.seat == self.seat:
            self.unmet.setdefault((request.seat, request.section), error)
        order = request.demanded()
        return None if order is None else (order, "default")

    # --- decisions ------------------------------------------------------------------------------------

    def _one(self, ask: Ask[Any], earlier: dict[str, Any]) -> Answer | None:
        return super()._one(ask, earlier) if ask.seat == self.seat else self._imagined(ask)

    def _otherwise(self, ask: Ask[Any], papers: Papers) -> Answer:
        return self._imagined(ask)

    def _imagined(self, ask: Ask[Any]) -> Answer:
        """A decision that is not known: the default or, where the dice are bad or mixed, another."""
        self.behind = ask.what
        at = self.pick(len(ask.options))
        return Answer(ask.fallback if at == len(ask.options) - 1 else ask.options[at], "default")
