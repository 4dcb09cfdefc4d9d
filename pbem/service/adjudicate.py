"""Play a game on from where it stands, as far as orders, standing orders, bots and dice carry it.

Nothing here touches a database: `play_on` turns a position and the papers of the seats into the steps that were played. The same loop
checks a letter (without dice) and adjudicates (with them).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.errors import OrderError
from pbem.engine.game import Game, GameState, Phase
from pbem.engine.notes import Note
from pbem.engine.play import Chance, Dice, Entry, Request, advance
from pbem.service.desk import Desk, Fed, Fired, Papers

STEPS = 400
"""More phases than any game plays in one go: past this the rules run in circles."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two requests: the snapshot at the start of the running phase and the answers since."""

    number: int
    snapshot: bytes
    entries: tuple[Entry, ...] = ()


@dataclass(slots=True)
class Step:
    """What was played of one phase. `state` is as it is now; `before` and `notes` say what the log gained; `fresh` are the answers to be
    recorded; `after` is the snapshot of the next phase if this one has ended."""

    number: int
    label: str
    turn: int
    state: GameState
    fresh: list[Entry]
    notes: tuple[Note, ...]
    before: int
    waiting: Request | None
    fed: list[Fed] = field(default_factory=list)
    fired: list[Fired] = field(default_factory=list)
    closed: list[tuple[str, str]] = field(default_factory=list)
    """(seat, section) of the orders that are complete, once the phase has ended also of those that it had no use for."""
    blocked: dict[str, OrderError] = field(default_factory=dict)
    refused: list[Fed] = field(default_factory=list)
    """The final orders of blocked seats that could not be carried out."""
    halted: dict[tuple[str, str], OrderError | None] = field(default_factory=dict)
    """(seat, section) of the orders that stopped on the way, with the refusal if one stopped them; what was done before stands."""
    after: bytes | None = None
    over: bool = False
    ahead: list[Fed] = field(default_factory=list)
    """In a check: the lines that a die keeps back, as things stand before it."""

    @property
    def ended(self) -> bool:
        return self.after is not None


DiceOf = Callable[[GameState, str, int], Dice]
"""The dice of a phase, given its state, label and number."""


def state_hash(snapshot: bytes) -> str:
    return hashlib.sha256(snapshot).hexdigest()


def resume(game: Game[Any], position: Position) -> Step:
    """The position itself: the state as it stands and what is waited for."""
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
    papers: dict[str, Papers],
    dice: DiceOf | None,
    *,
    checking: str = "",
) -> list[Step]:
    """Play phase after phase until the game waits, is over, or needs a die that `dice` does not give.

    With `checking`, a seat, its orders are tried, and play stops where the phases of others begin: how far these would go on without
    orders may depend on what the seat does not know.
    Raises RuntimeError when the rules run in circles; errors of the rules pass through.
    """
    steps: list[Step] = []
    while True:
        step = _play_phase(game, position, papers, dice, checking)
        steps.append(step)
        _use_up(papers, step)
        if not step.ended or step.over or (checking and _all_tried(game, step, papers[checking])):
            return steps
        if len(steps) > STEPS:
            raise RuntimeError(f"{game.key}: {STEPS} phases played without a pause")
        assert step.after is not None
        position = Position(step.number + 1, step.after)
        _relieve(game, papers, step)
        for paper in papers.values():  # a decision letter, and the answer to it, is about its own phase
            paper.asked, paper.answers = False, {}


def _all_tried(game: Game[Any], step: Step, paper: Papers) -> bool:
    """Whether a check may end with this step: none of the seat's lines is left, or the phases of others begin, or what comes now depends on what others
    have written in secret at the same time."""
    played = game.phase(step.label.split(".")[1])
    writing = [seat.key for seat in game.seats_of(step.state.options) if played.open_to(step.state, seat.key)]
    together = len(writing) > 1 and not played.drawn
    return not paper.lines or together or paper.seat not in game.phase(step.state.phase).seats


def _play_phase(
    game: Game[Any], position: Position, papers: dict[str, Papers], dice: DiceOf | None, checking: str
) -> Step:
    state = game.load(position.snapshot)
    if not state.phase:
        return Step(position.number, "", state.turn, state, [], (), 0, None, over=True)
    label = game.label(state)
    desk = Desk(game, state, papers, checking=checking)
    before = _Mark(state)
    progress = advance(
        game.phase(state.phase).play(state),
        state,
        position.entries,
        answers=before.watching(desk),
        dice=before.watching(_watched(dice(state, label, position.number), desk)) if dice else None,
    )
    desk.close()
    if desk.blocked and not checking:
        return _without_blocked(game, position, papers, dice, desk)
    notes = tuple(state.log)
    step = Step(
        position.number, label, state.turn, state, progress.entries[len(position.entries) :], notes,
        before.length(notes), progress.waiting, desk.fed, desk.fired, desk.closed, desk.blocked,
        [fed for fed in desk.fed if fed.error is not None and (fed.seat, fed.line.section) in desk.halted],
        desk.halted,
    )  # fmt: skip
    step.ahead = desk.ahead() if isinstance(progress.waiting, Chance) and checking else []
    step.blocked |= {seat: error for (seat, _), error in desk.halted.items() if error is not None}
    if progress.waiting is None:
        game.next_phase(state)
        step.after = game.dump(state)
        step.over = not state.phase
        step.closed = _spent(game, label, step)
    return step


def _spent(game: Game[Any], label: str, step: Step) -> list[tuple[str, str]]:
    """The (seat, section) pairs that a phase leaves behind when it ends: what was ordered for it does not wait for next turn's, whether
    the rules asked for it or not. While the phase is to be played again only what was closed is spent, and what cannot come up any more. A
    section that a phase opens to one seat and a later phase to another is kept for the other; so is one that a later phase of the turn opens to the
    same seat."""
    phase = game.phase(label.split(".")[1])
    rest = game.phases[game.phases.index(phase) + 1 :] if step.state.turn == step.turn else ()
    later = [each for each in rest if each.when(step.state)]
    again = step.state.phase == phase.key and step.state.round > 1
    return [
        *step.closed,
        *(
            (seat, section)
            for seat in phase.seats
            for section in phase.sections
            if _is_over(phase, section in phase.open_to(step.state, seat), again)
            and not any(section in each.open_to(step.state, seat) for each in later)
        ),
    ]


def _is_over(phase: Phase[Any], open: bool, again: bool) -> bool:
    """Whether a section of a phase that has been played will not come up for a seat, to which it is `open` or not, before it is opened anew."""
    return (not again or not open) if phase.drawn else (not again and open)


def _without_blocked(
    game: Game[Any], position: Position, papers: dict[str, Papers], dice: DiceOf | None, desk: Desk
) -> Step:
    """Final orders that cannot all be carried out are not begun: the phase is played without them, and the seat is told. A
    seat whose time is up loses the last order that stands in the way instead."""
    others = dict(papers)
    for seat in desk.blocked:
        paper = papers[seat]
        if paper.forced:
            given = [fed.line for fed in desk.fed if fed.order is not None and fed.line in paper.lines]
            if not given:
                raise RuntimeError(f"{game.key}: {seat} can neither go on nor stop: {desk.blocked[seat]}")
            others[seat] = replace(paper, lines=[line for line in paper.lines if line is not given[-1]])
        else:
            others[seat] = replace(paper, released=set())
    step = _play_phase(game, position, others, dice, "")
    step.blocked = desk.blocked | step.blocked
    step.refused = [fed for fed in desk.fed if fed.error is not None]
    return step


def _watched(dice: Dice, desk: Desk) -> Dice:
    """Dice that tell the desk when they fall."""

    def throw(request: Chance, label: str) -> list[Any] | None:
        desk.threw()
        return dice(request, label)

    return throw


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


def _relieve(game: Game[Any], papers: dict[str, Papers], step: Step) -> None:
    """A deadline is over for a seat when another has written orders, or a turn has ended: what comes after has a time of its own. Of the sections that
    chance brings up it decides all that are still to come in the turn: the others need not wait for each of them, unless the phase is lenient."""
    forced = [paper for paper in papers.values() if paper.forced]
    if not forced or step.after is None:
        return
    phase = game.phase(step.label.split(".")[1])
    state = game.load(step.after)
    for paper in forced:
        drawn = paper.seat in phase.seats and not phase.lenient
        wrote = drawn if phase.drawn else bool(phase.open_to(state, paper.seat))
        paper.forced = state.turn == step.turn and (not phase.sections or wrote)


def _use_up(papers: dict[str, Papers], step: Step) -> None:
    """Lines that have been read are spent, and so is all of a closed section with its release. A section that was halted on the way is
    no longer final."""
    for fed in step.fed:
        paper = papers[fed.seat]
        paper.lines = [line for line in paper.lines if line is not fed.line]
    for seat, section in step.halted:
        papers[seat].released.discard(section)
    for seat, section in step.closed:
        if seat not in papers:  # a seat that is not played under these options
            continue
        paper = papers[seat]
        paper.lines = [line for line in paper.lines if line.section != section]
        paper.released.discard(section)
