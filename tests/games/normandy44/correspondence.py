"""Two scripted players: what they write each time that pbem waits for them, and a game played from their letters without mail or store."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.bots import greedy_bot
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.game import game
from pbem.engine.orders import StandingLine
from pbem.engine.play import (
    Answer,
    Ask,
    Decision,
    Dice,
    FirstOf,
    Orders,
    Request,
    advance,
    seats_asked,
)
from pbem.games.normandy44.state import State
from pbem.service.adjudicate import Position, Step, play_on
from pbem.service.desk import Fired, Papers, questions

GAME = game("normandy44")
SCENARIO = "cherbourg"
STANDING: Mapping[str, tuple[str, ...]] = {
    "german": (
        "standing losses: lose steps before ground in town, city then weakest first",
        "standing losses: lose ground before steps at most 2 hexes then full first",
        "standing retreat: fewest losses then toward 0219",
        "standing support: with LXXXIV when it changes the column",
        "standing support: never",
        "standing advance: never",
    ),
    "allied": (
        "standing losses: fewest steps then strongest first",
        "standing retreat: toward 0617",
        "standing support: always at 2:1 or better when it changes the column",
        "standing support: never",
        "standing air: up to 1 fighter when they change the column",
        "standing air: never",
        "standing guns: never",
        "standing advance: always",
    ),
}
"""Standing orders that answer every decision of the scenario."""
DECIDED = {
    "german": ("losses", "retreat", "support", "advance"),
    "allied": ("losses", "retreat", "support", "air", "guns", "advance"),
}
"""The kinds of decision that may come up for each side."""


def letter(position: Position, request: Request, seat: str) -> str:
    """What a scripted player writes when he is asked for orders: what the greedy bot would do if the dice fell in some way. Every line is
    tried only, because they fall in another. The end of the turn, at which there is next to nothing to order here, is written at once."""
    asked = request.of(seat) if isinstance(request, FirstOf) else request
    assert isinstance(asked, Orders)
    lines = [f"[{asked.section}]", *(f"try {line}" for line in _planned(position, seat))]
    if asked.section == "allocation":
        lines.append("[end]")
    return "\n".join(lines) + "\n"


def _planned(position: Position, seat: str) -> list[str]:
    state: State = GAME.load(position.snapshot)
    label = GAME.label(state)
    bot = greedy_bot(GAME.worth, random.Random(f"{label} {seat}"))
    written: list[str] = []

    def order_of(request: Orders[Any]) -> Any:
        order = bot(request, state).value if request.seat == seat else None
        if order is not None:
            written.append(GAME.grammar.write(order))
        return order

    def answers(request: Decision) -> Answer:
        if isinstance(request, FirstOf):
            own = next((ask for ask in request.asks if ask.seat == seat), request.asks[0])
            return Answer((own.seat, order_of(own)))
        if isinstance(request, Orders):
            return Answer(order_of(request))
        assert isinstance(request, Ask)
        return Answer(request.fallback)

    dice = GameDice(HashChain(new_secret("planned"), GAME.turns), "planned", max(1, state.turn), label)
    advance(GAME.phase(state.phase).play(state), state, position.entries, answers=answers, dice=dice)
    return written


@dataclass
class Club:
    """A game from letters, in memory. `stops` are the decisions that had to be asked for: (phase, seat, kind); `fired` what standing orders
    decided, by phase; `snapshots` the position at the start of each phase; `book` the letters written, by phase and seat, to be used again."""

    standing: Mapping[str, Iterable[str]]
    book: dict[tuple[str, str], str] = field(default_factory=dict)
    seed: str = "7"
    stops: list[tuple[str, str, str]] = field(default_factory=list)
    fired: list[tuple[str, Fired]] = field(default_factory=list)
    snapshots: dict[str, bytes] = field(default_factory=dict)

    def play(self) -> State:
        """Play to the end, or until a letter out of the book of another game cannot be carried out in this one, and give the state."""
        chain = HashChain(new_secret(self.seed), GAME.turns)
        papers = {
            seat: Papers(seat, standing=list(_standing(lines))) for seat, lines in self.standing.items()
        }
        position = Position(1, GAME.dump(GAME.start(SCENARIO)))

        def dice(state: Any, label: str, number: int) -> Dice:
            return GameDice(chain, "cherbourg", max(1, state.turn), label)

        while True:
            steps = play_on(GAME, position, papers, dice)
            begun = position.snapshot
            for step in steps:
                self.snapshots[step.label] = begun
                self.fired += [(step.label, fired) for fired in step.fired]
                begun = step.after or begun
            last = steps[-1]
            if last.over or last.blocked:
                found: State = last.state  # type: ignore[assignment]
                return found
            snapshot = (steps[-2].after if len(steps) > 1 else position.snapshot) or b""
            before = position.entries if last.number == position.number else ()
            position = Position(last.number, snapshot, (*before, *last.fresh))
            assert last.waiting is not None
            for seat in seats_asked(last.waiting):
                self.answer(papers[seat], position, last, last.waiting)

    def answer(self, paper: Papers, position: Position, step: Step, request: Request) -> None:
        """Write the letter that is wanted."""
        for ask in questions(request, paper.seat):
            self.stops.append((step.label, paper.seat, ask.kind))
            paper.answers[ask.what] = _as_ever(ask)
            paper.asked = True
        if not isinstance(request, Orders | FirstOf):
            return
        key = step.label, paper.seat
        if key not in self.book:
            self.book[key] = letter(position, request, paper.seat)
        roster = GAME.roster(step.state, paper.seat)  # type: ignore[arg-type]
        reading = GAME.grammar.read(list(enumerate(self.book[key].splitlines(), 1)), roster)
        assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
        paper.lines += reading.orders
        paper.released |= set(reading.headings)


def _as_ever(ask: Ask[Any]) -> Any:
    """What the complete standing orders would have decided."""
    lines = (line.policy for line in _standing(STANDING[ask.seat]) if line.kind == ask.kind)
    return next(value for policy in lines if policy and (value := policy.decide(ask, {})) in ask.options)


def _standing(lines: Iterable[str]) -> Iterator[StandingLine]:
    roster = GAME.roster(GAME.start(SCENARIO), "german")
    for line in lines:
        reading = GAME.grammar.read([(1, line)], roster)
        assert not reading.faults and len(reading.standing) == 1, (line, reading.faults)
        yield reading.standing[0]
