"""Sections: the stretches of orders that a seat writes, what letters call them, and which of them may still
come in this turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.game import Game, GameState, Phase
from pbem.engine.play import Request
from pbem.service.play.steps import Step

MOST_ENTRIES = 150
"""At most this many hexes are shown as open to units to come: more are half the map."""


def open_orders(request: Request | None, seat: str) -> Desk[Any] | None:
    """The orders that a seat is asked to write now."""
    asks = request.asks if isinstance(request, FirstOf) else (request,) if isinstance(request, Desk) else ()
    return next((ask for ask in asks if isinstance(ask, Desk) and ask.seat == seat), None)


def entries(game: Game[Any], step: Step, seat: str) -> tuple[str, ...]:
    """The hexes where units of a seat that are not on the map yet may be put by the orders it is asked for;
    none where they are too many to tell anything."""
    asked = open_orders(step.waiting, seat)
    if asked is None or not any(kind.arrives for kind in asked.takes):
        return ()
    units = game.roster(step.state, seat).units
    waiting = [unit for unit in asked.subjects() if unit in units and units[unit].hex is None]
    hexes = sorted({order.hex for unit in waiting for order in asked.options(unit) if order.arrives})
    return tuple(hexes) if len(hexes) <= MOST_ENTRIES else ()


def asked_section(step: Step, seat: str) -> str:
    """The section that a seat is asked to write now; "" if it is none."""
    asked = open_orders(step.waiting, seat)
    return asked.section if asked else ""


def rest_of_turn(game: Game[Any], state: GameState) -> list[Phase[Any]]:
    """The phases from the running one to the end of the turn."""
    if not state.phase:
        return []
    keys = [phase.key for phase in game.phases]
    rest = game.phases[keys.index(state.phase) :]
    return [phase for phase in rest if phase.key == state.phase or phase.when(state)]


def open_sections(game: Game[Any], step: Step, seat: str, over: Sequence[str] = ()) -> list[str]:
    """The sections that a seat may still write in this turn: the one it is asked for first, then in the order
    of play. `over` are those that it has finished in the running phase; those that another round of it brings
    up again are open all the same."""
    state, asked = step.state, asked_section(step, seat)
    keys = [asked] if asked else []
    for at, phase in enumerate(rest_of_turn(game, state)):
        ended = [section for section in over if not phase.repeats(state, seat, section)]
        done = ended if at == 0 and not asked else ()
        keys += [
            section for section in phase.open_to(state, seat) if section not in keys and section not in done
        ]
    return keys


def is_drawn(game: Game[Any], section: str) -> bool:
    """Whether chance decides when a section comes up."""
    return section in game.grammar.titles


def in_turn(game: Game[Any], step: Step, seat: str, over: Sequence[str] = ()) -> list[str]:
    """Those of the open sections that come up in a known order: the one asked for, and all that chance does
    not bring up."""
    asked = asked_section(step, seat)
    return [
        section
        for section in open_sections(game, step, seat, over)
        if section == asked or not is_drawn(game, section)
    ]


def own_stretch(game: Game[Any], step: Step, seat: str) -> list[str]:
    """The sections of the seat's phases from here to the next phase of another seat, or of chance."""
    state, asked = step.state, asked_section(step, seat)
    if not state.phase:
        return []
    if game.phase(state.phase).drawn:
        return [asked] if asked else []
    keys = [asked] if asked else []
    for at, phase in enumerate(rest_of_turn(game, state)):
        mine = phase.open_to(state, seat)
        if at and phase.sections and (phase.drawn or not mine):
            break
        if at or asked:
            keys += [section for section in mine if section not in keys]
    return keys


def titles(game: Game[Any], state: GameState, seat: str) -> dict[str, str]:
    """What letters call the sections of a seat besides their keys: the titles of phases that have one for
    it."""
    by_title: dict[str, str] = {}
    for phase in game.phases:
        mine = phase.sections if seat in phase.seats else ()
        if len(mine) == 1 and not phase.drawn:
            by_title.setdefault(phase.title, mine[0])
    return by_title


def heading(game: Game[Any], section: str) -> str:
    """A section as letters name it: ``[movement]``, ``[1SS]``."""
    return f"[{section}]"


def phase_title(game: Game[Any], label: str, state: Callable[[], GameState] | None = None) -> str:
    """``t2.allied_combat`` in words: Turn 2, Allied combat. A `state` of the phase tells more of some, such
    as whose it is; it is asked for only if it does."""
    turn, _, phase = label.partition(".")
    key, _, again = phase.partition(".")
    if not key:
        return "The game is over"
    played = game.phase(key)
    title = played.title_in(state()) if state is not None and played.named is not None else played.title
    return f"Turn {turn[1:]}, {title}" + (f" ({again})" if again else "")
