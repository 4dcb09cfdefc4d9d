"""A software player that looks ahead: it follows a stance, which is a way to play a whole turn.

A game's `Plan` (plan.py) says which stances a side has and how each rates orders. At the start of its turn
the planner plays on with each of them in imagined games (imagine.py) and follows the one that comes out best,
if that is clear; without time to think it follows the first. The greedy bot turns a stance into orders, so
that none is ever refused.

What the seat cannot see is drawn anew for every imagined game: the planner knows no more than its seat does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from pbem.engine.bots import Bot, greedy_bot, random_bot
from pbem.engine.game import Game, GameState, Plan
from pbem.engine.imagine import Budget, play_on
from pbem.engine.play import Answer, Decision
from pbem.engine.wording import unknown

BOTS = ("random", "greedy", "planner")
"""The software players by name."""

HORIZON = 2
"""Turns that are imagined, the one being played included."""

FIRST_LOOK = 4
"""Games that each stance is played in before the worse half is dropped."""

CLEAR = 2.0
"""Standard errors by which a stance must be ahead of the one in use to take its place."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking: the stance to follow, and how many games each of them was tried in and what they
    came to on average."""

    stance: str
    tried: tuple[tuple[str, int, float], ...] = ()


def choose(
    game: Game[Any], snapshot: bytes, seat: str, now: str, think: int, key: str, horizon: int = HORIZON
) -> Thought:
    """Choose the stance to follow from the start of a phase.

    `now` is the stance in use, which keeps its place unless another is clearly better. `think` is the number
    of decisions to imagine, `key` names the imagined dice: equal arguments lead to an equal choice.
    """
    plan, side = game.plan, game.seat(seat).side
    if plan is None or think <= 0 or not has_choice(game, seat):
        return Thought(now)
    worths: dict[str, list[float]] = {name: [] for name in (now, *plan.stances[side])}
    left = list(worths)
    budget, sample, look = Budget(think), 0, FIRST_LOOK
    while budget.left > 0 and len(left) > 1:
        for name in left:
            worths[name].append(_worth(game, plan, snapshot, seat, name, f"{key}|{sample}", horizon, budget))
        sample += 1
        if sample == look and len(left) > 2:
            rivals = sorted(left[1:], key=lambda name: -fmean(worths[name]))
            left, look = [now, *rivals[: (len(rivals) + 1) // 2]], 2 * look
    best = max(left[1:], key=lambda name: fmean(worths[name]))
    better = _ahead(worths[best], worths[now]) >= CLEAR
    tried = tuple((name, len(each), fmean(each)) for name, each in worths.items())
    return Thought(best if better else now, tried)


def has_choice(game: Game[Any], seat: str) -> bool:
    """Whether a seat has more than one stance to choose from."""
    return game.plan is not None and len(game.plan.stances[game.seat(seat).side]) > 1


def moment(game: Game[Any], state: GameState, seat: str) -> tuple[int, int] | None:
    """Return for which turn a seat chooses its stance in the phase of `state`: turn and round, 0 unless the
    game's plan has it choose before each round. It chooses once for each moment; None where the phase is
    not its own."""
    if seat not in game.phase(state.phase).seats:
        return None
    afresh = game.plan is not None and state.phase in game.plan.afresh
    return state.turn, state.round if afresh else 0


def _ahead(rival: Sequence[float], now: Sequence[float]) -> float:
    """How many standard errors the rival is ahead, over the games with the same dice."""
    gaps = [a - b for a, b in zip(rival, now, strict=True)]
    if len(gaps) < FIRST_LOOK:
        return 0.0
    spread = stdev(gaps) / sqrt(len(gaps))
    mean = fmean(gaps)
    return mean / spread if spread else (CLEAR if mean > 0 else 0.0)


def _worth(
    game: Game[Any],
    plan: Plan[Any],
    snapshot: bytes,
    seat: str,
    stance: str,
    sample: str,
    horizon: int,
    budget: Budget,
) -> float:
    """What a stance comes to in one imagined game, in which the other side follows its first one."""
    state = game.load(snapshot)
    plan.sample(state, seat, random.Random(sample))
    side = game.seat(seat).side
    chance = random.Random(f"{sample}|bots")
    bots = {
        each.key: follower(game, each.key, stance if each.side == side else None, chance)
        for each in game.seats_of(state.options)
    }
    play_on(game, state, bots, sample, state.turn + horizon - 1, budget)
    return plan.score(state, side)


def first_stance(game: Game[Any], seat: str) -> str:
    """Return the name of the stance that a seat follows without thinking; "" in a game without a plan."""
    return next(iter(game.plan.stances[game.seat(seat).side])) if game.plan else ""


def follower(game: Game[Any], seat: str, stance: str | None, chance: random.Random) -> Bot:
    """Return a player that follows one stance of its side, its first one for None. Raises KeyError for a
    stance that it does not have."""
    plan = game.plan
    if plan is None:
        return greedy_bot(game.judge, chance)
    chosen = plan.stances[game.seat(seat).side][stance or first_stance(game, seat)]
    judge = partial(_judged, plan, chosen)
    return greedy_bot(judge, chance, partial(_own, plan, chosen) if plan.orders else None)


def _judged(plan: Plan[Any], stance: Any, state: Any, request: Any) -> Any:
    return plan.judge(state, request, stance)


def _own(plan: Plan[Any], stance: Any, state: Any, desk: Any) -> Any:
    assert plan.orders is not None
    return plan.orders(state, desk, stance)


class Planner:
    """A planner in a game that is played without interruption: `begin` is called with the snapshot of each
    phase before it is played. It chooses its stance anew in the first phase of a turn in which its seat
    acts, and before each round of the phases for which the game's plan says so."""

    def __init__(self, game: Game[Any], seat: str, chance: random.Random, think: int) -> None:
        self.game, self.seat, self.chance, self.think = game, seat, chance, think
        self.stance = first_stance(game, seat)
        self._thought: tuple[int, int] | None = None
        self._bot = follower(game, seat, self.stance or None, chance)

    def begin(self, snapshot: bytes, state: GameState) -> None:
        """Think, if the seat is to choose here. `state` is what the snapshot holds."""
        here = moment(self.game, state, self.seat) if self.think else None
        if here is None or here == self._thought:
            return
        self._thought = here
        key = f"{self.chance.random()}"
        stance = choose(self.game, snapshot, self.seat, self.stance, self.think, key).stance
        if stance != self.stance:
            self.stance = stance
            self._bot = follower(self.game, self.seat, stance, self.chance)

    def __call__(self, request: Decision, state: Any) -> Answer:
        return self._bot(request, state)


def bot_for(name: str, game: Game[Any], seat: str, chance: random.Random, think: int = 0) -> Bot:
    """Return the software player of a name for a seat. `think` is how many decisions a planner imagines in
    each turn. Raises KeyError for an unknown name."""
    match name:
        case "random":
            return random_bot(chance)
        case "greedy":
            return greedy_bot(game.judge, chance)
        case "planner":
            return Planner(game, seat, chance, think)
    raise KeyError(unknown("there is no bot", name, BOTS))
