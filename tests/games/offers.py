"""What desks offer, and what then comes of it: orders carried out in positions of games that bots have
played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Generic, TypeVar

from sizes import FULL

from pbem.engine.autoplay import Played, PlayedPhase
from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import OrderError
from pbem.engine.game import Game, GameState
from pbem.engine.game import game as installed
from pbem.engine.language import Order
from pbem.engine.notes import Note
from pbem.engine.offer import Offer
from pbem.engine.play import Answer, Ask, AskAll, Decision, Entry, advance
from pbem.testing.plays import Plan, Play
from tests.shortened import shortened

N = TypeVar("N", bound=Note)

EACH = 5
"""Orders that are tried at one desk."""

PHASES = 10**6 if FULL else 40
"""How far the games are played."""


@dataclass(frozen=True)
class CarriedOut(Generic[N]):
    """An order, what its desk offered, the `state` in which it did, and the first note asked for that tells
    what came of it; None if there was none."""

    state: Any
    order: Any
    offer: Offer
    note: N | None


def carried_out(
    game: Game[Any],
    plan: Plan,
    kinds: tuple[type[Order], ...],
    told: type[N],
    most: int,
    means: Callable[[N, Any], bool] = lambda note, order: True,
) -> Iterator[CarriedOut[N]]:
    """At most this many offers of orders of these kinds, at random moments of a game of bots: each order
    alone is carried out, and the rest of the phase goes by defaults and random dice until a note of the kind
    `told` comes up that `means` this order."""
    rng = random.Random(f"offers of {game.key} {plan}")
    yield from islice(_tried(game, plan, kinds, told, means, rng), most)


def _tried(
    game: Game[Any],
    plan: Plan,
    kinds: tuple[type[Order], ...],
    told: type[N],
    means: Callable[[N, Any], bool],
    rng: random.Random,
) -> Iterator[CarriedOut[N]]:
    played = _played(game.key, plan)
    verbs = {kind.verb for kind in kinds}
    moments = [
        (phase, at)
        for phase in played.phases
        for at, entry in enumerate(phase.entries)
        if _verb(entry.answer) in verbs
    ]
    rng.shuffle(moments)
    for phase, at in moments:
        state, desk = _desk(game, phase, at)
        orders = [each for subject in desk.subjects() for each in desk.options(subject)]
        legal = [each for each in orders if isinstance(each, kinds)]
        for order in rng.sample(legal, min(EACH, len(legal))):
            yield _tried_one(game, phase, at, state, desk, order, told, means, rng)


def _tried_one(
    game: Game[Any],
    phase: PlayedPhase,
    at: int,
    state: GameState,
    desk: Desk[Any],
    order: Order,
    told: type[N],
    means: Callable[[N, Any], bool],
    rng: random.Random,
) -> CarriedOut[N]:
    """What a desk offers of an order, and what comes of it in another run of the same phase."""
    offer, settled = desk.offer(order), desk.settle(order)
    assert desk.offer(settled) == offer, "an offer differs once the order is settled"
    order = settled
    words = desk.preview(order)
    assert desk.offer(order) == offer and desk.preview(order) == words, "an offer changes something"
    assert words[len(words) - len(offer.told) :] == offer.told, "the preview leaves words of the offer out"

    def wanted(note: Note) -> bool:
        return isinstance(note, told) and note.seen_by(desk.seat) and means(note, order)

    note = _first(game, phase.snapshot, phase.entries[:at], desk.seat, order, wanted, rng)
    return CarriedOut(state, order, offer, note)  # type: ignore[arg-type]


@cache
def _played(key: str, plan: Plan) -> Played[Any]:
    played = Play.of(shortened(installed(key), PHASES), plan).played
    assert played is not None
    return played


def _verb(answer: Any) -> str:
    """The verb of a recorded order, "" of any other answer."""
    recorded = answer[1] if isinstance(answer, list) and len(answer) == 2 else answer
    return str(recorded.get("verb", "")) if isinstance(recorded, dict) else ""


def _desk(game: Game[Any], phase: PlayedPhase, at: int) -> tuple[GameState, Desk[Any]]:
    """The desk at which the entry with this number was written, with its state."""
    state = game.load(phase.snapshot)
    request = advance(game.phase(state.phase).play(state), state, phase.entries[:at]).waiting
    if isinstance(request, FirstOf):
        return state, request.of(phase.entries[at].answer[0])
    assert isinstance(request, Desk)
    return state, request


def _first(
    game: Game[Any],
    snapshot: bytes,
    entries: Sequence[Entry],
    seat: str,
    order: Order,
    wanted: Callable[[Note], bool],
    rng: random.Random,
) -> Note | None:
    """The first wanted note that comes of an order after these entries."""
    state = game.load(snapshot)
    given: list[int] = []

    def heard() -> Note | None:
        return next(filter(wanted, state.log[given[0] :]), None)

    def answers(request: Decision) -> Answer | None:
        if not given:
            given.append(len(state.log))
            return Answer((seat, order) if isinstance(request, FirstOf) else order)
        return None if heard() else _by_default(request)

    advance(
        game.phase(state.phase).play(state),
        state,
        entries,
        answers=answers,
        dice=lambda request, label: request.faces(rng.randrange),
    )
    return heard()


def _by_default(request: Decision) -> Answer | None:
    """That is all, or the default; None if a rule demands more."""
    if isinstance(request, Ask):
        return Answer(request.fallback)
    if isinstance(request, AskAll):
        return Answer([ask.fallback for ask in request.asks])
    try:
        if isinstance(request, FirstOf):
            request.asks[0].check(None)
            return Answer((request.asks[0].seat, None))
        request.check(None)
    except OrderError:
        return None
    return Answer(None)
