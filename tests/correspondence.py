"""What the tests of every game by letters share: two scripted players who play in memory or through the
mail."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from postbox import Postbox
from sqlmodel import Session, col, select

from pbem.engine.bots import greedy_bot
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.game import Game, GameState, game
from pbem.engine.language import StandingLine
from pbem.engine.play import Answer, Ask, AskAll, Decision, Dice, Request, advance, seats_asked
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.play.answers import Decided, questions
from pbem.service.play.papers import Papers
from pbem.service.play.sheet import SheetLine, in_order
from pbem.service.play.steps import Position, Step, play_on
from pbem.service.record.rows import LetterRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.testing.post import SETTINGS, START
from pbem.testing.post import put as put
from pbem.testing.secrecy import Letters as Letters
from pbem.testing.secrecy import Watch as Watch

PLAYERS = {
    "german": Player("Bert", "bert@y.example", "Europe/Berlin"),
    "allied": Player("Anna", "anna@x.example", "Europe/Paris"),
}
Standing = Mapping[str, Iterable[str]]
Letter = Callable[[Position, Step, str], str]
"""What a scripted player writes when he is asked for orders, given the position, what the game waits for, and
his seat."""


@dataclass(frozen=True)
class Script:
    """A game between two scripted players: `standing` are orders that answer every decision of the scenario,
    `letter` writes all others."""

    key: str
    id: str
    standing: Mapping[str, tuple[str, ...]]
    letter: Letter
    scenario: str | None = None

    @property
    def game(self) -> Game[Any]:
        return game(self.key)

    def lines(self, standing: Standing) -> dict[str, list[StandingLine]]:
        """Standing orders as they are read."""
        return {seat: list(self._read(seat, lines)) for seat, lines in standing.items()}

    def _read(self, seat: str, lines: Iterable[str]) -> Iterator[StandingLine]:
        roster = self.game.roster(self.game.start(self.scenario), seat)
        for line in lines:
            reading = self.game.grammar.read([(1, line)], roster)
            assert not reading.faults and len(reading.standing) == 1, (line, reading.faults)
            yield reading.standing[0]

    def without(self, seat: str, *lines: str) -> dict[str, tuple[str, ...]]:
        """The standing orders without those of a seat that begin like this."""
        return {
            key: tuple(line for line in mine if key != seat or not line.startswith(lines))
            for key, mine in self.standing.items()
        }


def wanted(request: Request | None, seat: str) -> Desk[Any]:
    """The orders that a seat is asked for."""
    asked = request.of(seat) if isinstance(request, FirstOf) else request
    assert isinstance(asked, Desk) and asked.seat == seat
    return asked


def closed(letter: str) -> str:
    """A letter that says of each of its headings that it is done, or that there are no orders for it."""
    parts = re.split(r"^(\[[^\]]+\])\s*$", letter, flags=re.MULTILINE)
    said = [parts[0]]
    for heading, lines in zip(parts[1::2], parts[2::2], strict=True):
        said += [f"{heading}\n{lines.strip()}\ndone" if lines.strip() else f"no orders: {heading}"]
    return "\n".join(filter(None, said)) + "\n"


def planned(rules: Game[Any], position: Position, seat: str, section: str) -> list[str]:
    """What the greedy bot would order in a section if the dice fell in some way."""
    state = rules.load(position.snapshot)
    label = rules.label(state)
    bot = greedy_bot(rules.judge, random.Random(f"{label} {seat}"))
    written: list[str] = []

    def order_of(request: Desk[Any]) -> Any:
        order = bot(request, state).value
        if order is not None and (request.seat, request.section) == (seat, section):
            written.append(rules.grammar.write(order))
        return order

    def answers(request: Decision) -> Answer:
        if isinstance(request, FirstOf):
            own = next((ask for ask in request.asks if ask.seat == seat), request.asks[0])
            return Answer((own.seat, order_of(own)))
        if isinstance(request, Desk):
            return Answer(order_of(request))
        assert isinstance(request, Ask)
        return Answer(request.fallback)

    dice = GameDice(HashChain(new_secret("planned"), rules.turns), "planned", max(1, state.turn), label)
    advance(rules.phase(state.phase).play(state), state, position.entries, answers=answers, dice=dice)
    return written


# --- a game in memory -----------------------------------------------------------------------------------


@dataclass
class Club:
    """A game from letters, in memory. `stops` are the decisions that had to be asked for: (phase, seat,
    kind); `fired` what standing orders decided, by phase; `snapshots` the position at the start of each
    phase; `book` the letters written, by phase, seat and section, to be used again."""

    script: Script
    standing: Standing
    book: dict[tuple[str, str, str], str] = field(default_factory=dict)
    seed: str = "7"
    stops: list[tuple[str, str, str]] = field(default_factory=list)
    fired: list[tuple[str, Decided]] = field(default_factory=list)
    snapshots: dict[str, bytes] = field(default_factory=dict)

    @property
    def game(self) -> Game[Any]:
        return self.script.game

    def play(self) -> GameState:
        """Play to the end, and give the state."""
        chain = HashChain(new_secret(self.seed), self.game.turns)
        papers = {
            seat: Papers(seat, standing=tuple(lines))
            for seat, lines in self.script.lines(self.standing).items()
        }
        position = Position(1, self.game.dump(self.game.start(self.script.scenario)))

        def dice(state: Any, label: str, number: int) -> Dice:
            return GameDice(chain, self.script.id, max(1, state.turn), label)

        while True:
            steps, papers = play_on(self.game, position, papers, dice)
            begun = position.snapshot
            for step in steps:
                self.snapshots[step.label] = begun
                self.fired += [(step.label, each) for each in step.decided if each.by == "standing"]
                begun = step.after or begun
            last = steps[-1]
            if last.over:
                return last.state
            snapshot = (steps[-2].after if len(steps) > 1 else position.snapshot) or b""
            before = position.entries if last.number == position.number else ()
            position = Position(last.number, snapshot, (*before, *last.fresh))
            for seat in seats_asked(last.waiting):
                papers[seat] = self.answer(papers[seat], position, last)

    def answer(self, paper: Papers, position: Position, step: Step) -> Papers:
        """The papers with the letter that is wanted."""
        answers = {}
        for ask in questions(step.waiting, paper.seat):
            self.stops.append((step.label, paper.seat, ask.kind))
            answers[ask.what] = self._as_ever(ask)
        paper = replace(paper, phase=replace(paper.phase, answers={**paper.phase.answers, **answers}))
        if not isinstance(step.waiting, Desk | FirstOf):
            return paper
        key = step.label, paper.seat, wanted(step.waiting, paper.seat).section
        if key not in self.book:
            self.book[key] = self.script.letter(position, step, paper.seat)
        roster = self.game.roster(step.state, paper.seat)
        reading = self.game.grammar.read(list(enumerate(self.book[key].splitlines(), 1)), roster)
        assert not reading.faults and not reading.unread, (reading.faults, reading.unread)
        lines = [SheetLine(0, line.section, line.text, line) for line in reading.orders]
        new = [
            line
            for section in reading.headings
            for line in in_order([line for line in lines if line.section == section])
        ]
        return replace(paper, lines=(*paper.lines, *new), closed=paper.closed | {*reading.headings})

    def _as_ever(self, ask: Ask[Any]) -> Any:
        """What the complete standing orders would have decided."""
        lines = self.script.lines(self.script.standing)[ask.seat]
        policies = (line.policy for line in lines if line.kind == ask.kind)
        return next(
            value for policy in policies if policy and (value := policy.decide(ask, {})) in ask.options
        )

    def same(self, other: Club) -> list[str]:
        """The phases of another game that begin as they do in this one."""
        return [label for label, at in other.snapshots.items() if self.snapshots.get(label) == at]


# --- a game through the mail ------------------------------------------------------------------------------


def begun(path: Path, script: Script, standing: Standing, seed: str = "7") -> Postbox:
    """A game through the real service in which both sides have sent their standing orders."""
    box = Postbox(Store.create(path), script.id)
    new = NewGame(script.key, script.id, script.scenario, players=PLAYERS, settings=SETTINGS, seed=seed)
    start(box.store, new, START)
    for seat, lines in standing.items():
        assert box.mail(seat, "\n".join(lines)).outcome == "accepted"
    return box


def looked_up(box: Postbox) -> tuple[Position, Step]:
    """Where a game stands, and what it is waiting for."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        return table.position(), table.here()


def waited_for(box: Postbox) -> tuple[str, ...]:
    """The seats that the game waits for: of those that write at the same time, who has not closed yet."""
    with box.store.transaction() as session:
        table = Table(session, only_game(session, box.game), box.now)
        return tuple(table.waited_for(table.here()))


def letters_of(box: Postbox, turn: int) -> dict[str, int]:
    """N13: how many order letters each seat has used in a turn."""
    with box.store.transaction() as session:
        return letters_of_turn(session, box.game, turn)


def letters_of_turn(session: Session, game_id: str, turn: int) -> dict[str, int]:
    """N13: how many order letters each seat has used in a turn, those that had to be corrected included."""
    query = select(LetterRow.seat).where(
        LetterRow.game == game_id, LetterRow.turn == turn, col(LetterRow.orders) > 0
    )
    return Counter(session.exec(query))


def correspond(box: Postbox, script: Script, turns: int, decide: str = "") -> Postbox:
    """Write letters until this many turns have been played, or the game waits for something else than orders;
    with `decide` decisions are answered so."""
    before: tuple[Position, tuple[str, ...]] | None = None
    letter = ""
    while True:
        position, here = looked_up(box)
        waited = waited_for(box)
        assert before != (position, waited), f"nothing came of {letter!r}: {box.texts()[-1]}"
        before = position, waited
        if here.over or here.turn > turns:
            return box
        seat = waited[0]
        if isinstance(here.waiting, Ask | AskAll):
            if not decide:
                return box
            letter = "\n".join(f"Q{number}: {decide}" for number in box.questions(seat))
        else:
            letter = closed(script.letter(position, here, seat))
        assert box.mail(seat, letter).outcome == "accepted", letter
