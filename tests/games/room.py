"""What desks say of the room in a hex, and what they refuse: hexes filled by legal orders, at real desks in
positions of games that bots have played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sizes import size, some

from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.language import Order
from pbem.testing.plays import Plan
from tests.games.again import Moment
from tests.games.offers import _played, _verb

LEAST = 5
"""Units that must have been refused, and that must have fitted."""

HEXES = 2
"""Hexes that are filled at one moment."""

UNITS = 9
"""Units that are sent into one hex."""


@dataclass(frozen=True)
class Coming:
    """A unit that is sent into a `hex`: the room there, what it counts, why it was refused, and whether a
    unit there can still leave."""

    order: Order
    hex: str
    room: int
    size: int
    refused: OrderError | None
    leaves: bool


def assert_room(
    game: Game[Any], plans: Sequence[Plan], full: Callable[[OrderError], bool], moments: int = 8
) -> None:
    """Assert that a unit for which a desk says that a hex has no room is refused as `full` tells, unless
    others can leave the hex, and that no other unit is. This many `moments` are tried for each verb of a
    play, of one play and half of them in a bare run.
    """
    refused = fitted = 0
    for plan in some(plans, 1):
        for each in coming(game, plan, size(-(-moments // 2), moments)):
            stacked = each.refused is not None and full(each.refused) and each.hex in str(each.refused)
            if not each.size:
                continue
            if each.size > each.room:
                assert stacked or each.leaves or each.refused, each
                refused += stacked
            else:
                assert not stacked, each
                fitted += each.refused is None
    assert refused >= LEAST and fitted >= LEAST, (refused, fitted)


def coming(game: Game[Any], plan: Plan, moments: int) -> Iterator[Coming]:
    """Units sent one after another into hexes into which many can go, at random moments of a play."""
    rng = random.Random(f"room {game.key} {plan}")
    places: dict[str, list[tuple[Any, int]]] = {}
    for phase in _played(game.key, plan).phases:
        for at, entry in enumerate(phase.entries):
            if verb := _verb(entry.answer):
                places.setdefault(verb, []).append((phase, at))
    for found in places.values():
        for phase, at in rng.sample(found, min(moments, len(found))):
            yield from _filled(Moment(game, phase, at), rng)


def _filled(moment: Moment, rng: random.Random) -> Iterator[Coming]:
    desk = moment.desk
    into: dict[str, dict[str, Order]] = {}
    subjects = list(desk.subjects())
    for subject in rng.sample(subjects, min(25, len(subjects))):
        for order in desk.options(subject):
            if len(order.actors()) == 1 and (order.arrives or getattr(order, "path", ())):
                hex = order.place()
                into.setdefault(hex, {}).setdefault(order.actors()[0], order)
    if not into or desk.room(next(iter(into))) is None:
        return
    for hex in sorted(into, key=lambda hex: -len(into[hex]))[:HEXES]:
        done: list[Order] = []
        after = moment.after()[0]
        for unit, order in list(into[hex].items())[:UNITS]:
            if after is None:
                break
            room = after.room(hex)
            assert room is not None
            refused = None
            try:
                after.check(order)
            except OrderError as error:
                refused = error
            there = {each.id for each in moment.state.at(hex)}
            leaves = bool(there & set(after.subjects()))
            yield Coming(order, hex, room, after.size(unit), refused, leaves)
            if refused is None:
                done.append(order)
                after = moment.after(*done)[0]
