"""A section that comes later this turn, as if it came up now: for lines that are judged before their turn,
and for forms. It is played on a copy of the state, of nothing that its seat may not know."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import Game, GameState, Phase
from pbem.engine.language import Order
from pbem.engine.play import Answer, Decision, Entry, Request, advance
from pbem.service.play.sections import open_orders, rest_of_turn
from pbem.service.play.steps import Position, Step

Play = tuple[GameState, Coroutine[Request, Any, None]]
"""A copy of a state, and what is to be played on it."""


def play_ahead(game: Game[Any], step: Step, seat: str, section: str) -> Play | None:
    """The play of one section of a seat by which lines for it are tried before their turn, after those of its
    sections that the game puts before it; None where the game has none."""
    ahead = game.ahead(section)
    if ahead is None:
        return None
    state = _copied(game, step)
    play = ahead.play(state, seat, section)
    return None if play is None else (state, play)


def desk_ahead(game: Game[Any], step: Step, position: Position, seat: str, section: str) -> Desk[Any] | None:
    """The desk at which a seat writes a section now or later this turn, as if it came up now and no one wrote
    anything before; None if it does not come up, or only after a die or a decision."""
    asked = open_orders(step.waiting, seat)
    if asked is not None and asked.section == section:
        return asked
    ahead = play_ahead(game, step, seat, section) or _phase_ahead(game, step, position, seat, section)
    if ahead is None:
        return None
    state, play = ahead
    waiting = advance(play, state, answers=lambda request: _passed(request, seat, section)).waiting
    desk = open_orders(waiting, seat)
    return desk if desk is not None and desk.section == section else None


def desk_below(
    game: Game[Any], step: Step, position: Position, seat: str, section: str, head: Order
) -> Desk[Any] | None:
    """The desk at which a seat writes what stands below an order that heads others (`Order.heads`), once this
    has been carried out in a section now or later this turn; None if something else comes up before."""
    asked = open_orders(step.waiting, seat)
    entries: tuple[Entry, ...] = ()
    if asked is not None and asked.section == section:
        state: GameState = game.load(position.snapshot)
        play, entries = game.phase(state.phase).play(state), position.entries
    else:
        ahead = play_ahead(game, step, seat, section) or _phase_ahead(game, step, position, seat, section)
        if ahead is None:
            return None
        state, play = ahead
    given: list[Order] = []

    def answers(request: Decision) -> Answer | None:
        desk = open_orders(request, seat)
        if desk is None or desk.section != section:
            return _passed(request, seat, section)
        if given:
            return None
        given.append(desk.settle(head))
        return Answer((seat, given[0]) if isinstance(request, FirstOf) else given[0], "orders")

    waiting = advance(play, state, entries, answers=answers).waiting
    desk = open_orders(waiting, seat)
    return desk if given and desk is not None and desk.section == section else None


def _phase_ahead(game: Game[Any], step: Step, position: Position, seat: str, section: str) -> Play | None:
    """The first phase after the running one in which a section is written, unless chance brings it up. The
    seat's own phases before it are over without a line; what a die, a decision or another seat would do
    before it is left out."""
    rest = rest_of_turn(game, step.state)
    at = next((n for n, each in enumerate(rest) if n and section in each.open_to(step.state, seat)), None)
    if at is None or rest[at].drawn:
        return None
    state = _after(game, game.load(position.snapshot), rest[0], seat, position.entries)
    state = state or _copied(game, step)
    for phase in rest[1:at]:
        state.phase = phase.key
        state = _after(game, game.load(game.dump(state)), phase, seat) or state
    state.phase = rest[at].key
    return state, rest[at].play(state)


def _after(
    game: Game[Any], state: GameState, phase: Phase[Any], seat: str, entries: tuple[Entry, ...] = ()
) -> GameState | None:
    """The state once a phase of a seat alone is over without an order; None where something else happens in
    it, or the turn ends with it."""
    if phase.seats != (seat,) or phase.drawn:
        return None
    turn = state.turn
    progress = advance(phase.play(state), state, entries, answers=lambda asked: _passed(asked, seat, ""))
    if progress.waiting is not None:
        return None
    game.next_phase(state)
    return state if state.turn == turn else None


def _copied(game: Game[Any], step: Step) -> GameState:
    copied: GameState = game.load(game.dump(replace(step.state, log=[])))
    return copied


def _passed(request: Decision, seat: str, section: str) -> Answer | None:
    """The end of the orders before those of a section; None where they are those, or cannot end yet."""
    if not isinstance(request, Desk | FirstOf):
        return None
    asks = request.asks if isinstance(request, FirstOf) else (request,)
    desk = next((each for each in asks if each.seat == seat), asks[0])
    if (desk.seat, desk.section) == (seat, section):
        return None
    try:
        desk.check(None)
    except OrderError:
        return None
    return Answer((desk.seat, None) if isinstance(request, FirstOf) else None)
