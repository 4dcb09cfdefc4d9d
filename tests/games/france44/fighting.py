"""What the tests of combat share: an open country without rivers to fight in, series of increments,
and decisions answered by kind.

Around 1021 everything is clear. Germans draw their supply from Saint-Nazaire through AOK7 in 1018, Allies
theirs from 1207.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.france44.odds import Air, Battle
from pbem.games.france44.series import Series
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import Fight, Side
from tests.games.france44.kit import game
from tests.games.playing import Played, play

CONTROL = {"1207": "allied", "0614": "german"}
STAFF = "AOK7 1018"


def war(text: str, **fields: Any) -> State:
    """A state in which the Germans around 1021 are in supply."""
    fields.setdefault("control", dict(CONTROL))
    return game(f"{text}, {STAFF}" if "AOK7" not in text else text, **fields)


def series(state: State, side: Side = "allied", *, hq: str = "", **fields: Any) -> Series:
    """A series of increments of all combat units of a side."""
    units = [unit for unit in state.on_map(side) if not unit.hq]
    return Series(state, side, units, hq=state.units[hq] if hq else None, **fields)


def fights(
    state: State,
    *orders: Order,
    side: Side = "allied",
    hq: str = "",
    dice: Sequence[int] = (),
    choose: Callable[[Any], Any] | None = None,
    **fields: Any,
) -> Played[State]:
    """These orders in turn in one series, each judged before it is carried out. The four dice of a combat:
    morale and hits of the attacker, then of the defender."""

    async def phase(state: State) -> None:
        desk = series(state, side, hq=hq, **fields)
        for order in orders:
            desk.check(order)
            await desk.carry_out(order)

    return play(phase, state, dice=tuple(dice), choose=choose)


def answers(**kinds: Any) -> Callable[[Any], Any]:
    """Decisions by kind; a list is used up one after another."""

    def choose(ask: Any) -> Any:
        answer = kinds.get(ask.kind)
        return answer.pop(0) if isinstance(answer, list) else answer

    return choose


def refused(state: State, order: Order, side: Side = "allied", **fields: Any) -> NotAllowed:
    with pytest.raises(NotAllowed) as error:
        series(state, side, **fields).check(order)
    return error.value


def battle(
    state: State,
    hexes: str,
    ids: str,
    fight: Fight = "set_piece",
    *,
    hq: str = "",
    air: Air = "",
    weak: frozenset[str] = frozenset(),
) -> Battle:
    """A combat before its dice."""
    units = tuple(state.units[id] for id in ids.split())
    staff = state.units[hq] if hq else None
    return Battle(state, tuple(hexes.split()), units, fight, hq=staff, air=air, weak=weak)


def supply(state: State, side: Side = "german") -> Supply:
    return Supply(state, side)
