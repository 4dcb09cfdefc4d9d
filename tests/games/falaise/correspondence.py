"""Two scripted players: what they write each time that pbem waits for them, and a game played from their letters without mail or store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.dice import GameDice, HashChain, new_secret
from pbem.engine.game import game
from pbem.engine.orders import StandingLine
from pbem.engine.play import Ask, Dice, Orders, Request, seats_asked
from pbem.games.falaise import activation
from pbem.games.falaise.state import State
from pbem.service.adjudicate import Position, Step, play_on
from pbem.service.desk import Fired, Papers, questions

GAME = game("falaise")
STANDING: Mapping[str, tuple[str, ...]] = {
    "german": (
        "standing opfire: always",
        "standing ter: always",
        "standing losses: full first, weakest first",
        "standing retreat: toward 1703",
        "standing advance: never",
        "standing 58th: never",
        "standing counterattack: from turn 7 with 2SS",
        "standing disrupt: weakest first",
        "standing friendly fire: strongest first",
        "standing overstack: weakest first",
    ),
    "allied": (
        "standing opfire: always",
        "standing ter: always",
        "standing losses: full first, weakest first",
        "standing retreat: away from the enemy",
        "standing advance: always",
        "standing arrival: with 317/80, 318/80",
        "standing overstack: weakest first",
    ),
}
"""Standing orders that answer every decision of the game."""
LETTERS: Mapping[str, str] = {
    "set-up": "[set-up]\ndefault\n",
    "redeployment": "[redeployment]\nwithhold D/2SS, DF/2SS, 19/9SS, 20/9SS\n",
    "counterattack": "[counterattack]\nhold\n",
}


def letter(state: State, request: Orders[Any]) -> str:
    """What a scripted player writes when he is asked for these orders: what is best in the eyes of the bot, for all his commands at once."""
    if request.section in LETTERS:
        return LETTERS[request.section]
    fires = list(_best(state, request, 6)) if request.section == "bombardment" else []
    begun = ["[bombardment]", *fires] if request.section == "bombardment" else []
    return "\n".join([*begun, *_commands(state, request.seat)]) + "\n"


def _commands(state: State, seat: str) -> Iterator[str]:
    for key in activation.sections_of(state, seat):
        yield f"[{key}]"
        as_it_stands = replace(state, log=[])
        copy: State = GAME.load(GAME.dump(as_it_stands))
        request = activation.request(copy, seat, key)
        lines = list(_best(copy, request, 40)) if request is not None else []
        yield from lines
        if all(line.startswith(("try attach", "try enter")) for line in lines):
            yield "hold"


def _best(state: State, request: Orders[Any], most: int) -> Iterator[str]:
    for subject in list(request.subjects())[:most]:
        options = request.options(subject)
        worths = [GAME.worth(state, request, order) for order in options]
        if options and max(worths) > 0:
            yield f"try {GAME.grammar.write(options[worths.index(max(worths))])}"


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
        """Play to the end, and give the final state."""
        chain = HashChain(new_secret(self.seed), GAME.turns)
        papers = {
            seat: Papers(seat, standing=list(_standing(lines))) for seat, lines in self.standing.items()
        }
        position = Position(1, GAME.dump(GAME.start()))

        def dice(state: Any, label: str, number: int) -> Dice:
            return GameDice(chain, "pocket", max(1, state.turn), label)

        while True:
            steps = play_on(GAME, position, papers, dice)
            begun = position.snapshot
            for step in steps:
                self.snapshots[step.label] = begun
                self.fired += [(step.label, fired) for fired in step.fired]
                begun = step.after or begun
            last = steps[-1]
            if last.over:
                found: State = last.state  # type: ignore[assignment]
                return found
            snapshot = (steps[-2].after if len(steps) > 1 else position.snapshot) or b""
            before = position.entries if last.number == position.number else ()
            position = Position(last.number, snapshot, (*before, *last.fresh))
            assert last.waiting is not None and not last.blocked, last.blocked
            for seat in seats_asked(last.waiting):
                self.answer(papers[seat], last, last.waiting)

    def answer(self, paper: Papers, step: Step, request: Request) -> None:
        """Write the letter that is wanted."""
        state: State = step.state  # type: ignore[assignment]
        asks = questions(request, paper.seat)
        for ask in asks:
            self.stops.append((step.label, paper.seat, ask.kind))
            paper.answers[ask.what] = _as_ever(ask)
            paper.asked = True
        if not isinstance(request, Orders):
            return
        key = step.label, paper.seat
        if key not in self.book:
            self.book[key] = letter(state, request)
        roster = GAME.roster(state, paper.seat)
        reading = GAME.grammar.read(list(enumerate(self.book[key].splitlines(), 1)), roster, request.section)
        assert not reading.faults, reading.faults
        paper.lines += reading.orders
        paper.released |= set(reading.headings)


def _as_ever(ask: Ask[Any]) -> Any:
    """What the complete standing orders would have decided."""
    lines = (line.policy for line in _standing(STANDING[ask.seat]) if line.kind == ask.kind)
    return next(value for policy in lines if policy and (value := policy.decide(ask, {})) in ask.options)


def _standing(lines: Iterable[str]) -> Iterator[StandingLine]:
    roster = GAME.roster(GAME.start(), "german")
    for line in lines:
        reading = GAME.grammar.read([(1, line)], roster)
        assert not reading.faults and len(reading.standing) == 1, (line, reading.faults)
        yield reading.standing[0]
