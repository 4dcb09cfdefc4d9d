"""Games that end before their time, for tests that look at the first phases of a game alone."""

from __future__ import annotations

from typing import Any, cast

from pbem.engine.game import Game, GameState


class _Shortened:
    """A game that is over after this many phases, whatever its rules say."""

    def __init__(self, game: Game[Any], phases: int) -> None:
        self.game, self.left = game, phases

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def next_phase(self, state: GameState) -> None:
        self.game.next_phase(state)
        self.left -= 1
        if not self.left:
            state.phase = ""


def shortened(game: Game[Any], phases: int) -> Game[Any]:
    """The game as bots play it to this many phases and no further. It is good for one play. The last phase
    cannot be played again to the same hash."""
    return cast(Game[Any], _Shortened(game, phases))
