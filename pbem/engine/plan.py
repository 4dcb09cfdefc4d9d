"""How bots judge a game: a rating of orders for the greedy one, a plan for the one that looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from pbem.engine.play import Request

S = TypeVar("S")

Rate = Callable[[Any], float]
"""What an order or option is worth; at most 0: not worth doing."""

Judge = Callable[[Any, Request], Rate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[S]):
    """What the planner must know of a game (planner.py).

    A stance is a way to play a whole turn, in the game's own terms: where the main force marches, how much a
    side dares. `stances` are those of each side by name; the first is the one to play where there is no time
    to think.

    * `judge(state, request, stance)` rates orders and options as `Game.judge` does, for a seat that follows a
      stance.
    * `score(state, side)` is how good a position is for a side: at the end of the game by its result, before
      it by a guess in the same points.
    * `sample(state, seat, chance)` draws all that the seat cannot see anew, in place, so that the seat sees
      the same position. Without it nothing is hidden.
    * `orders(state, desk, stance)` yields orders of the planner's own making, the best first, which the desk
      may refuse: paths of several battles, pairs of units, what no single offer holds. They are looked at
      before the desk's offers.
    """

    stances: Mapping[str, Mapping[str, Any]]
    judge: Callable[[S, Request, Any], Rate]
    score: Callable[[S, str], float]
    sample: Callable[[S, str, Random], None] = lambda state, seat, chance: None
    orders: Callable[[S, Any, Any], Iterator[Any]] | None = None
    afresh: tuple[str, ...] = ()
    """The phases before each round of which a seat chooses anew; else once a turn."""
