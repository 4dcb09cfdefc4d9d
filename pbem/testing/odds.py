"""Exact odds: the rules themselves, played through for every outcome of every die.

A coroutine cannot be copied, so a branch is played from the start with the dice that lead to it already
known. A request for dice names the outcomes that the rules tell apart (`Chance.outcomes`), which keeps the
branches few: eight dice of which hits are counted fork nine ways. A battle of many rounds is walked round by
round instead (`rounds`), and states that come to the same are taken together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from pbem.engine.desk import FirstOf
from pbem.engine.play import Answer, Answers, Ask, AskAll, Chance, Decision, HasLog, Phase, advance, asked

S = TypeVar("S", bound=HasLog)
R = TypeVar("R", bound=Hashable)

BRANCHES = 100_000
"""Give up after this many branches (a few seconds) unless `limit` says otherwise."""

ROUNDS = 1_000
"""A battle that lasts longer than this many rounds is taken to be endless."""


class TooManyBranches(RuntimeError):
    """What was asked has more outcomes than may be played through."""


def fallbacks(request: Decision) -> Answer:
    """The answers when no one decides: the default of a decision, and no further order."""
    if isinstance(request, Ask):
        return Answer(request.fallback, "default")
    if isinstance(request, AskAll):
        return Answer(tuple(ask.fallback for ask in request.asks), "default")
    if isinstance(request, FirstOf):
        return Answer((request.asks[0].seat, None), "default")
    return Answer(None, "default")


def distribution(
    start: Callable[[], tuple[S, Phase[Any]]],
    result: Callable[[S], R],
    answers: Answers | None = None,
    *,
    limit: int = BRANCHES,
) -> dict[R, Fraction]:
    """How likely each `result` of a procedure is; the probabilities are exact and add up to one.

    `start()` gives a fresh state and the procedure that is to be played on it, the same each time;
    `result(state)` what is wanted of the state in which it ends. Decisions are taken by `answers`, by default
    as `fallbacks` takes them; they must depend on nothing but the request and what was played. The results
    stand in the order in which they are first met, lowest faces first.

    Raises TooManyBranches when there are more than `limit`, ValueError when a decision stays unanswered.
    """
    totals: dict[R, Fraction] = {}
    for state, weight in _branches(start, answers or fallbacks, _Allowance(limit)):
        found = result(state)
        totals[found] = totals.get(found, Fraction(0)) + weight
    return totals


def rounds(
    start: Callable[[], S],
    play_round: Callable[[S], Phase[Any]],
    key: Callable[[S], Hashable],
    over: Callable[[S], bool],
    result: Callable[[S], R],
    *,
    answers: Answers | None = None,
    copy: Callable[[S], S] = deepcopy,
    limit: int = BRANCHES,
) -> dict[R, Fraction]:
    """How likely each `result` of a battle of many rounds is, exactly.

    `start()` gives the state before the first round, `play_round(state)` the procedure of one round,
    `over(state)` whether the battle has ended. States with the same `key(state)` must be alike in all that
    the rest of the battle and its result depend on: only the first of them is played on, with the weight of
    all. A round that may leave everything as it was is played until something happens. The log of earlier
    rounds is dropped.

    Raises TooManyBranches when more than `limit` branches are played in all or the battle does not end within
    `ROUNDS` rounds, ValueError when a decision stays unanswered or a round changes nothing whatever the dice
    show.
    """
    allowance = _Allowance(limit)
    states: dict[Hashable, S] = {}
    moves: dict[Hashable, dict[Hashable, Fraction]] = {}

    def known(state: S) -> Hashable:
        here = key(state)
        if here not in states:
            state.log.clear()
            states[here] = state
        return here

    def after(here: Hashable) -> dict[Hashable, Fraction]:
        """Where a round leads from `here`, given that it leads elsewhere."""

        def fresh() -> tuple[S, Phase[Any]]:
            state = copy(states[here])
            return state, play_round(state)

        leads: dict[Hashable, Fraction] = {}
        for state, weight in _branches(fresh, answers or fallbacks, allowance):
            there = known(state)
            leads[there] = leads.get(there, Fraction(0)) + weight
        stays = leads.pop(here, Fraction(0))
        if not leads:
            raise ValueError(f"a round changes nothing, whatever the dice show: {here!r}")
        return {there: weight / (1 - stays) for there, weight in leads.items()} if stays else leads

    fighting = {known(start()): Fraction(1)}
    totals: dict[R, Fraction] = {}
    for _ in range(ROUNDS):
        later: dict[Hashable, Fraction] = {}
        for here, weight in fighting.items():
            if over(states[here]):
                found = result(states[here])
                totals[found] = totals.get(found, Fraction(0)) + weight
                continue
            if here not in moves:
                moves[here] = after(here)
            for there, share in moves[here].items():
                later[there] = later.get(there, Fraction(0)) + weight * share
        if not later:
            return totals
        fighting = later
    raise TooManyBranches(f"the battle has not ended after {ROUNDS} rounds")


# --- the walk -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Fork:
    """A request for dice on the way: its outcomes, of which number `at` is being played."""

    outcomes: list[tuple[list[Any], int]]
    total: int
    at: int = 0


@dataclass(slots=True)
class _Allowance:
    """How many branches may still be played."""

    limit: int
    played: int = 0

    def spend(self) -> None:
        self.played += 1
        if self.played > self.limit:
            raise TooManyBranches(
                f"more than {self.limit} branches; ask about a smaller part, or walk a battle round by round"
            )


def _branches(
    start: Callable[[], tuple[S, Phase[Any]]], answers: Answers, allowance: _Allowance
) -> Iterator[tuple[S, Fraction]]:
    """The state at the end of each branch with its probability, the last die turning first like an
    odometer."""
    path: list[_Fork] = []
    while True:
        allowance.spend()
        state = _played(start, answers, path)
        ways = total = 1
        for fork in path:
            ways *= fork.outcomes[fork.at][1]
            total *= fork.total
        yield state, Fraction(ways, total)
        while path and path[-1].at + 1 == len(path[-1].outcomes):
            path.pop()
        if not path:
            return
        path[-1].at += 1


def _played(start: Callable[[], tuple[S, Phase[Any]]], answers: Answers, path: list[_Fork]) -> S:
    """One branch from start to end: the forks of `path` as they stand, and the first outcome of every later
    one, which joins the path."""
    met = 0

    def dice(request: Chance, label: str) -> list[Any]:
        nonlocal met
        if met == len(path):
            outcomes = list(request.outcomes())
            path.append(_Fork(outcomes, sum(weight for _, weight in outcomes)))
        fork = path[met]
        met += 1
        return fork.outcomes[fork.at][0]

    state, phase = start()
    progress = advance(phase, state, answers=answers, dice=dice)
    if progress.waiting is not None:
        raise ValueError(f"no answer to {asked(progress.waiting)!r}")
    return state
