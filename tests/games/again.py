"""What may still be ordered once an order has been carried out (`Order.again`, `excludes`, `bars`), at real
desks in positions of games that bots have played."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.autoplay import PlayedPhase
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import Game
from pbem.engine.language import Again, Order
from pbem.engine.play import Answer, Decision, Request, advance
from pbem.testing.plays import Plan
from tests.games.offers import _by_default, _desk, _played, _verb

MOMENTS = 4
"""Moments of a play that are tried for each verb."""

SUBJECTS = 20
"""Units or hexes whose orders are tried at one desk."""

SECONDS = 6
"""Second orders of one verb that are tried behind a first one."""


@dataclass(frozen=True)
class Tried:
    """An order behind another one, of the same unit (`same`) or of other units: whether it was refused, or
    had the effect that it would have had without the first (`undoes`), or began where the first ended
    (`on`)."""

    first: Order
    second: Order
    same: bool
    refused: bool
    undoes: bool = False
    on: bool = False


def assert_true_to(game: Game[Any], plans: Sequence[Plan], seen: Collection[type[Order]]) -> None:
    """Assert that what the orders of a game say of a second order (`Order.again`, `excludes`, `bars`) is what
    its desks do, and that a second order of each of the kinds `seen` has been tried."""
    again: dict[str, list[Tried]] = {}
    for plan in plans:
        for each in tried(game, plan):
            first, second = each.first, each.second
            if second.verb in first.bars:
                assert each.refused or (each.same and each.undoes), each
            elif each.same and second.verb in first.excludes:
                assert each.refused or each.undoes, each
            elif each.same and second.verb == first.verb:
                again.setdefault(first.verb, []).append(each)
    found = {kind: again.get(kind.verb, []) for kind in game.grammar.orders}
    false = {kind: pairs for kind, pairs in found.items() if pairs and not _true(kind.again, pairs)}
    assert not false, false
    unseen = [kind.verb for kind in seen if not found[kind] and kind.verb not in kind.bars]
    assert not unseen, unseen


def _true(said: Again, found: Sequence[Tried]) -> bool:
    match said:
        case "instead":
            return all(each.refused or each.undoes for each in found)
        case "on":
            return any(each.on for each in found)
    return any(not each.refused and not each.undoes for each in found)


def assert_both_ways(game: Game[Any]) -> None:
    """Assert that orders which exclude each other both say so, and name verbs of a common section."""
    for kinds in game.grammar.sections.values():
        verbs = {kind.verb: kind for kind in kinds}
        for kind in kinds:
            for other in kind.excludes:
                assert other not in verbs or kind.verb in verbs[other].excludes, (kind, other)
    for kind in game.grammar.orders:
        for other in (*kind.excludes, *kind.bars):
            assert any(
                {kind.verb, other} <= {each.verb for each in kinds}
                for kinds in game.grammar.sections.values()
            ), (kind, other)


def about(order: Order) -> set[str]:
    """The units that an order is given to, or what else it is about."""
    return set(order.actors() or order.subjects())


def tried(game: Game[Any], plan: Plan) -> Iterator[Tried]:
    """Pairs of orders at random moments of a play: the first is carried out, the second is one that was or is
    offered. Orders of a lower rank are not tried second: a section is played in the order of ranks."""
    rng = random.Random(f"again {game.key} {plan}")
    moments: dict[str, list[tuple[PlayedPhase, int]]] = {}
    for phase in _played(game.key, plan).phases:
        for at, entry in enumerate(phase.entries):
            if verb := _verb(entry.answer):
                moments.setdefault(verb, []).append((phase, at))
    for places in moments.values():
        for phase, at in rng.sample(places, min(MOMENTS, len(places))):
            yield from Moment(game, phase, at).pairs(rng)


class Moment:
    """A moment of a play at which an order was given, and the desk at which it was."""

    def __init__(self, game: Game[Any], phase: PlayedPhase, at: int) -> None:
        self.game, self.phase, self.at = game, phase, at
        self.desk = _desk(game, phase, at)[1]
        self.state: Any = None
        """The state in which the last run ended."""
        self.alone: dict[Order, Any] = {}
        """What comes of an order behind no other one."""

    def pairs(self, rng: random.Random) -> Iterator[Tried]:
        """An order of each kind that is offered, each with some behind it."""
        before: dict[str, list[Order]] = {}
        subjects = list(self.desk.subjects())
        for order in _offered(self.desk, rng.sample(subjects, min(SUBJECTS, len(subjects)))):
            before.setdefault(order.verb, []).append(order)
        every = [order for orders in before.values() for order in orders]
        for orders in before.values():
            first = self.desk.settle(rng.choice(orders))
            end = self.desk.offer(first).end
            after, _ = self.after(first)
            if after is None:
                continue
            seconds: dict[tuple[str, bool], list[Order]] = {}
            for second in dict.fromkeys((*every, *_offered(after, about(first)))):
                if second.rank >= first.rank:
                    same = bool(about(second) & about(first))
                    seconds.setdefault((second.verb, same), []).append(second)
            for (_, same), found in seconds.items():
                for second in rng.sample(found, min(SECONDS, len(found))):
                    yield self.tried(after, first, second, same, end)

    def tried(self, after: Desk[Any], first: Order, second: Order, same: bool, end: str) -> Tried:
        """A second order, behind a first one that ended in `end`."""
        try:
            if not isinstance(second, after.takes):
                return Tried(first, second, same, refused=True)
            after.check(second)
        except OrderError:
            return Tried(first, second, same, refused=True)
        way = after.offer(after.settle(second)).way
        undoes = False
        if same:
            if second not in self.alone:
                self.alone[second] = self.after(second)[1]
            both = self.after(first, second)[1]
            undoes = both is not None and both == self.alone[second]
        return Tried(first, second, same, False, undoes, bool(way) and way[0] == end)

    def after(self, *orders: Order) -> tuple[Desk[Any] | None, Any]:
        """The next desk of the same section and seat behind these orders, and the state without its log with
        who can act there; None if there is none, or one of them is refused. Decisions go by default,
        dice fall by lot."""
        state: Any = self.game.load(self.phase.snapshot)
        self.state = state
        left = list(orders)
        rng = random.Random(f"{self.phase.label} {self.at}")

        def answers(request: Decision) -> Answer | None:
            if self.like(request) is None:
                return _by_default(request)
            if not left:
                return None
            order = left.pop(0)
            return Answer((self.desk.seat, order) if isinstance(request, FirstOf) else order)

        try:
            progress = advance(
                self.game.phase(state.phase).play(state),
                state,
                self.phase.entries[: self.at],
                answers=answers,
                dice=lambda request, label: request.faces(rng.randrange),
            )
        except OrderError:
            return None, None
        found = self.like(progress.waiting)
        if found is None or left:
            return None, None
        plain = json.loads(self.game.dump(state))
        return found, ({key: plain[key] for key in plain if key != "log"}, list(found.subjects()))

    def like(self, request: Request | None) -> Desk[Any] | None:
        """The desk among those asked that is of the same section and seat."""
        for ask in request.asks if isinstance(request, FirstOf) else (request,):
            if isinstance(ask, Desk) and (ask.section, ask.seat) == (self.desk.section, self.desk.seat):
                return ask
        return None


def _offered(desk: Desk[Any], subjects: Collection[str]) -> list[Order]:
    """The orders that are offered to those of these subjects that can still act."""
    return [each for subject in desk.subjects() if subject in subjects for each in desk.options(subject)]
