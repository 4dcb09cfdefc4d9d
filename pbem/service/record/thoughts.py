"""What the planners of a game have thought: rows of its journal, each with the stance that a seat follows
from then on. No player reads them: they are plans."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from pbem.engine.game import Game, GameState
from pbem.engine.planner import Thought, first_stance, has_choice, moment
from pbem.service.play.plain import Plain, Whole
from pbem.service.play.thinking import Thinking
from pbem.service.record.game_record import GameRecord
from pbem.service.record.rows import SeatRow


class ThoughtRow(Plain):
    """A thought in the journal: for which turn, and which `round` where a seat chooses for each (else 0), the
    stance, and what was tried: names, games, and what these came to on average."""

    turn: Whole
    round: Whole
    stance: str
    tried: list[tuple[str, Whole, float]]


@dataclass(frozen=True, slots=True)
class Stance:
    """The stance that a seat follows, and the moment for which it was chosen; None if nobody has thought."""

    name: str
    chosen: tuple[int, int] | None = None


class Thoughts:
    """The thoughts of a game that count, and the bots that follow them."""

    def __init__(self, record: GameRecord, game: Game[Any]) -> None:
        self.record, self.game = record, game

    @property
    def budget(self) -> int:
        """How many decisions are imagined in each turn; 0 where planners do not think."""
        return int(self.record.row.settings.get("think", 0))

    def thinks(self, seat: SeatRow) -> bool:
        """Whether a seat is played by a planner that thinks, and has something to choose from."""
        return self.budget > 0 and seat.bot == "planner" and has_choice(self.game, seat.key)

    def stance(self, seat: str) -> Stance:
        """The stance in use: that of the last thought. The rules may have lost it since: then it is the first
        one, as where there is no thought."""
        first, plan = first_stance(self.game, seat), self.game.plan
        row = next((row for row in reversed(self.record.rows(1, "thought")) if row.asked == seat), None)
        if row is None or plan is None:
            return Stance(first)
        known, said = plan.stances[self.game.seat(seat).side], row.answer
        name = said["stance"] if said["stance"] in known else first
        return Stance(name, (int(said["turn"]), int(said["round"])))

    def bot(self, seat: str, chance: random.Random) -> Thinking:
        """The bot of a seat that `thinks`."""
        stance = self.stance(seat)
        return Thinking(self.game, seat, chance, stance.name, stance.chosen)

    def lacking(self, seat: SeatRow, state: GameState) -> tuple[int, int] | None:
        """The moment for which somebody has to think before a seat acts in the phase of `state`; None if
        nobody has to."""
        if not self.thinks(seat):
            return None
        here = moment(self.game, state, seat.key)
        return here if here != self.stance(seat.key).chosen else None

    def append(self, phase: int, seat: str, turn: int, round_: int, thought: Thought) -> None:
        """Write down a thought for a moment: a turn, and its round or 0."""
        tried = [[name, games, round(worth, 3)] for name, games, worth in thought.tried]
        answer = {"turn": turn, "round": round_, "stance": thought.stance, "tried": tried}
        record = self.record
        record.journal.append(phase, "thought", seat, answer, at=record.now, by="planner")
