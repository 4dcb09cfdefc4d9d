"""What the planner would do in a seat's place: its orders and decisions, from now until others must move.

It plays on from the position on a state that nobody keeps, and gives orders for this seat alone. Dice that
have not fallen are imagined, so that a whole section can be advised; what comes after the first of them is
marked. Nothing here is remembered, and no die of the game is touched.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pbem.engine.bots import Bot, greedy_bot, seated
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.game import Game
from pbem.engine.planner import bot_for
from pbem.engine.play import Answer, Ask, AskAll, Chance, Decision, advance
from pbem.service.play.history import reveals
from pbem.service.play.steps import Position

MOST = 60
"""Most orders and decisions that are advised at once."""


@dataclass(frozen=True, slots=True)
class Advised:
    """An order of a section, or a decision (`section` is ""): what was asked, and the answer in words.
    `supposed` says that a die was imagined before it."""

    section: str
    what: str
    says: str
    supposed: bool


class _Advising:
    """Answers for one seat as its bot would. Other seats decide by default and give no orders."""

    def __init__(self, game: Game[Any], state: Any, seat: str, bot: Bot, sample: str) -> None:
        self.game, self.state, self.seat, self.bot, self.sample = game, state, seat, bot, sample
        others = greedy_bot(lambda state, request: lambda option: 0.0, random.Random(sample))
        bots = {each.key: bot if each.key == seat else others for each in game.seats}
        self.decide = seated(bots, state)
        self.given: list[Advised] = []
        self.imagined = False
        self._before: int | None = None

    def _is_revealed(self) -> bool:
        """Whether what has been played here reveals what the seat does not know: nothing that follows may be
        told."""
        if self._before is None:
            self._before = len(self.state.log)
        return any(map(reveals, self.state.log[self._before :]))

    def dice(self, request: Chance, label: str) -> list[Any] | None:
        """Imagined dice; none where what comes of them depends on what the seat does not know."""
        self.imagined = True
        if request.veiled or self._is_revealed():
            return None
        return request.faces(random.Random(f"{self.sample}|{label}").randrange)

    def __call__(self, request: Decision) -> Answer | None:
        if self._is_revealed() or len(self.given) >= MOST:
            return None
        if isinstance(request, FirstOf):
            asks = [ask for ask in request.asks if ask.seat == self.seat]
            return Answer((self.seat, self._order(asks[0])), "bot") if asks else None
        if isinstance(request, Desk):
            return Answer(self._order(request), "bot") if request.seat == self.seat else None
        answer = self.decide(request)
        assert answer is not None  # there is a bot for every seat
        if isinstance(request, AskAll):
            for ask, value in zip(request.asks, answer.value, strict=True):
                self._decided(ask, value)
        else:
            self._decided(request, answer.value)
        return answer

    def _decided(self, ask: Ask[Any], value: Any) -> None:
        if ask.seat == self.seat and len(ask.options) > 1:
            self.given.append(Advised("", ask.what, str(value), self.imagined))

    def _order(self, desk: Desk[Any]) -> Any:
        order = self.bot(desk, self.state).value
        if order is not None:
            says = self.game.grammar.write(order)
            self.given.append(Advised(desk.section, "", says, self.imagined))
        return order


def advice(
    game: Game[Any], position: Position, seat: str, sample: str, bot: str = "planner"
) -> list[Advised]:
    """Return what a bot would do for a seat from this position on. `sample` names the imagined dice: the same
    name brings the same advice."""
    state = game.load(position.snapshot)
    if not state.phase:
        return []
    player = bot_for(bot, game, seat, random.Random(sample))
    advising = _Advising(game, state, seat, player, sample)
    answers: Callable[[Decision], Answer | None] = advising
    advance(game.phase(state.phase).play(state), state, position.entries, answers=answers, dice=advising.dice)
    return advising.given
