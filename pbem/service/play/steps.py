"""Play on from the current position as far as orders, standing orders, bots and dice allow.

Nothing here touches a database: `play_on` turns a position and the papers of the seats into the steps that
were played. How a check tries the lines of one seat stands in judging.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import Game, GameState, Phase, Result
from pbem.engine.notes import Note
from pbem.engine.play import Dice, Entry, Request, advance
from pbem.service.play.answers import Decided, Outcome, Playing
from pbem.service.play.papers import Papers

STEPS = 400
"""Upper limit on phases in one run; beyond it the rules must be looping."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two requests: the snapshot at the start of the running phase and the answers since."""

    number: int
    snapshot: bytes
    entries: tuple[Entry, ...] = ()


@dataclass(slots=True)
class Step:
    """What was played of one phase. `state` is as it is now; `before` and `notes` say what the log gained;
    `fresh` are the answers to be recorded; `after` is the snapshot of the next phase if this one has ended.
    `left` are the lines of which nothing became, with the reason."""

    number: int
    label: str
    turn: int
    state: GameState
    fresh: list[Entry]
    notes: tuple[Note, ...]
    before: int
    waiting: Request | None
    outcomes: list[Outcome] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)
    finished: list[tuple[str, str]] = field(default_factory=list)
    """(seat, section) of the orders that are complete."""
    asked: frozenset[tuple[str, str]] = frozenset()
    """(seat, section) of all orders that the phase has asked for since it began."""
    spent: list[tuple[str, str]] = field(default_factory=list)
    """(seat, section) of what will not come up any more: the orders that are complete, and once the phase has
    ended those that it had no use for."""
    halted: set[tuple[str, str]] = field(default_factory=set)
    """(seat, section) of the orders that stopped for their writer; what was done before remains."""
    refused: dict[str, OrderError] = field(default_factory=dict)
    """Seats whose answers conflict."""
    answered: list[tuple[str, str]] = field(default_factory=list)
    """(seat, what was asked) of the answers that were used."""
    after: bytes | None = None
    over: bool = False
    decreed: Result | None = None
    """How people have ended the game; None where its rules have."""

    def result(self, game: Game[Any]) -> Result:
        """Return how the game has ended, or would end now."""
        return self.decreed or game.report.result(self.state)

    @property
    def ended(self) -> bool:
        return self.after is not None


DiceOf = Callable[[GameState, str, int], Dice]
"""The dice of a phase, given its state, label and number."""


def state_hash(snapshot: bytes) -> str:
    return hashlib.sha256(snapshot).hexdigest()


def resume(game: Game[Any], position: Position) -> Step:
    """The position itself: the current state and its open request."""
    state = game.load(position.snapshot)
    label = game.label(state)
    progress = advance(game.phase(state.phase).play(state), state, position.entries) if state.phase else None
    waiting = progress.waiting if progress else None
    return Step(
        position.number,
        label,
        state.turn,
        state,
        [],
        tuple(state.log),
        len(state.log),
        waiting,
        over=not state.phase,
    )


def play_on(
    game: Game[Any],
    position: Position,
    papers: Mapping[str, Papers],
    dice: DiceOf | None,
    opened: Callable[[int, bytes], bytes] = lambda number, snapshot: snapshot,
) -> tuple[list[Step], dict[str, Papers]]:
    """Play phase after phase until the game waits, is over, or needs a die that `dice` does not give. Return
    what was played, and the papers without the lines that were. `opened` gives what a phase begins with,
    given its number and the state after the one before.

    Raises RuntimeError when the rules run in circles; errors of the rules pass through.
    """
    steps: list[Step] = []
    while True:
        step = _play_phase(game, position, papers, dice)
        steps.append(step)
        papers = _used_up(papers, step)
        if not step.ended or step.over:
            return steps, papers
        if len(steps) > STEPS:
            raise RuntimeError(f"{game.key}: {STEPS} phases played without a pause")
        assert step.after is not None
        position = Position(step.number + 1, opened(step.number + 1, step.after))
        papers = {seat: paper.next_phase() for seat, paper in papers.items()}


def _play_phase(
    game: Game[Any], position: Position, papers: Mapping[str, Papers], dice: DiceOf | None
) -> Step:
    state = game.load(position.snapshot)
    if not state.phase:
        return Step(position.number, "", state.turn, state, [], (), 0, None, over=True)
    label = game.label(state)
    desk = Playing(game, state, papers)
    before = _Mark(state)
    asked: set[tuple[str, str]] = set()

    def heard(request: Request) -> None:
        desks = request.asks if isinstance(request, FirstOf) else (request,)
        asked.update((each.seat, each.section) for each in desks if isinstance(each, Desk))

    progress = advance(
        game.phase(state.phase).play(state),
        state,
        position.entries,
        answers=before.watching(desk),
        dice=before.watching(dice(state, label, position.number)) if dice else None,
        heard=heard,
    )
    desk.stop(progress.waiting)
    if desk.unmet:
        return _without_what_stands_in_the_way(game, position, papers, dice, desk)
    notes = tuple(state.log)
    step = Step(
        position.number, label, state.turn, state, progress.entries[len(position.entries) :], notes,
        before.length(notes), progress.waiting, desk.outcomes, desk.decided, desk.finished,
        frozenset(asked), list(desk.finished), desk.halted, desk.refused, desk.answered,
    )  # fmt: skip
    if progress.waiting is None:
        game.next_phase(state)
        step.after = game.dump(state)
        step.over = not state.phase
        step.spent = _spent(game, label, step)
    return step


def _without_what_stands_in_the_way(
    game: Game[Any], position: Position, papers: Mapping[str, Papers], dice: DiceOf | None, desk: Playing
) -> Step:
    """Orders that are closed may not end because a rule demands something: the line that stands in its way is
    left out, the last one first if several do together; if none does, for it is demanded without any lines as
    well, the least that the rule demands is done by default."""
    (seat, section), error = next(iter(desk.unmet.items()))
    paper = papers[seat]
    given = [
        outcome.line.name
        for outcome in desk.outcomes
        if outcome.order is not None and (outcome.seat, outcome.line.section) == (seat, section)
    ]

    def without(*names: int) -> dict[str, Papers]:
        return {**papers, seat: paper.without(dict.fromkeys(names, error))}

    for name in reversed(given):
        if not _is_unmet(game, position, without(name), seat, section):
            return _play_phase(game, position, without(name), dice)
    if section not in paper.phase.least and _is_unmet(game, position, without(*given), seat, section):
        return _play_phase(game, position, {**papers, seat: paper.with_least(section)}, dice)
    if given:
        return _play_phase(game, position, without(given[-1]), dice)
    raise RuntimeError(f"{game.key}: {seat} can neither go on nor stop: {error}")


def _is_unmet(
    game: Game[Any], position: Position, papers: Mapping[str, Papers], seat: str, section: str
) -> bool:
    """Whether a rule still demands something of a section, with these papers and no further dice."""
    state = game.load(position.snapshot)
    desk = Playing(game, state, papers)
    advance(game.phase(state.phase).play(state), state, position.entries, answers=desk)
    return (seat, section) in desk.unmet


def _spent(game: Game[Any], label: str, step: Step) -> list[tuple[str, str]]:
    """The (seat, section) pairs that a phase leaves behind when it ends: what was ordered for it does not
    wait for next turn's, whether the rules asked for it or not. While the phase is to be played again only
    what was finished is spent, and what cannot come up any more. A section that a phase opens to one seat and
    a later phase to another is kept for the other; so is one that a later phase of the turn opens to the same
    seat."""
    phase = game.phase(label.split(".")[1])
    rest = game.phases[game.phases.index(phase) + 1 :] if step.state.turn == step.turn else ()
    later = [each for each in rest if each.when(step.state)]
    again = step.state.phase == phase.key and step.state.round > 1
    return [
        *step.finished,
        *(
            (seat, section)
            for seat in phase.seats
            for section in phase.sections
            if _is_over(phase, section in phase.open_to(step.state, seat), again)
            and not any(section in each.open_to(step.state, seat) for each in later)
        ),
    ]


def _is_over(phase: Phase[Any], open: bool, again: bool) -> bool:
    """Whether a section of a played phase will not come up again for a seat, for which it is now `open` or
    not, until it is reopened."""
    return (not again or not open) if phase.drawn else (not again and open)


class _Mark:
    """Remembers how long the log was when the recorded answers had been replayed."""

    def __init__(self, state: GameState) -> None:
        self._state = state
        self._length: int | None = None

    def watching(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            if self._length is None:
                self._length = len(self._state.log)
            return inner(*args)

        return call

    def length(self, notes: tuple[Note, ...]) -> int:
        return 0 if self._length is None else self._length


NO_USE = "there was nothing to order"
TOO_LATE = "its turn is over"
HELD = "you missed the deadline, and this game plays no lines that DONE has not closed"
EARLY = "it was closed early, and this game plays no lines then that DONE has not closed"


def _ended_by(step: Step, seat: str, section: str) -> str:
    """Why the lines that are left of a section are passed over: a line of it has ended it, or there was
    nothing to order."""
    for outcome in step.outcomes:
        if (outcome.seat, outcome.line.section) == (seat, section) and outcome.order and outcome.order.ends:
            return f"{outcome.line.title} ended the orders"
    return NO_USE


def _used_up(papers: Mapping[str, Papers], step: Step) -> dict[str, Papers]:
    """Return the papers without the lines that have been played, and without what is left of a section that
    is finished; that is noted as passed over. A section that was halted on the way is a draft again."""
    played = {id(outcome.line) for outcome in step.outcomes}
    opened = {*step.halted, *step.spent}
    for seat, section in dict.fromkeys(step.spent):
        if seat not in papers:  # a seat that is not played under these options
            continue
        paper = papers[seat]
        held = paper.on_hold and paper.is_late(section)
        why = HELD if held else _ended_by(step, seat, section)
        for line in paper.lines:
            if line.section == section and id(line) not in played:
                said = why if held else line.why or why
                step.outcomes.append(Outcome(seat, line, step.label.split(".")[1], skipped=said))
                played.add(id(line))
    ended = step.ended and step.state.turn != step.turn
    for seat, paper in papers.items():
        for line in paper.lines if ended or step.over else ():
            if id(line) not in played:
                step.outcomes.append(Outcome(seat, line, step.label.split(".")[1], skipped=TOO_LATE))
                played.add(id(line))
    return {
        seat: replace(
            paper,
            lines=tuple(line for line in paper.lines if id(line) not in played),
            closed=frozenset(each for each in paper.closed if not ended and (seat, each) not in opened),
        )
        for seat, paper in papers.items()
    }
