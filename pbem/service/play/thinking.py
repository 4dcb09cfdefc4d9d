"""A planner in a stored game: where it has to choose how to play, it waits until it has been thought out."""

from __future__ import annotations

import random
from typing import Any

from pbem.engine.game import Game, GameState
from pbem.engine.planner import follower, moment
from pbem.engine.play import Answer, Decision


class Thinking:
    """A bot that follows `stance`, which was chosen for the moment `chosen` (None: none has been yet), and
    answers None where its seat has to choose anew."""

    def __init__(
        self, game: Game[Any], seat: str, chance: random.Random, stance: str, chosen: tuple[int, int] | None
    ) -> None:
        self.game, self.seat, self.chosen = game, seat, chosen
        self._bot = follower(game, seat, stance, chance)

    def __call__(self, request: Decision, state: GameState) -> Answer | None:
        here = moment(self.game, state, self.seat)
        return self._bot(request, state) if here in (None, self.chosen) else None
