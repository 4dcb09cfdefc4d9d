"""Builders for the tests of this game: states written as a line of text, and a phase played with scripted orders and dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pbem.engine.notes import Note
from pbem.engine.orders import Order
from pbem.engine.play import Answer, Ask, AskAll, Chance, Decision, FirstOf, Orders, Phase, Progress, advance
from pbem.games.rampage import control
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import UNITS

N = TypeVar("N", bound=Note)


def game(
    text: str = "",
    *,
    turn: int = 2,
    allied: str = "",
    german: str | None = None,
    pool: str | None = None,
    **fields: Any,
) -> State:
    """A state with every counter off the map but those in `text`: ``3A 1501, 1Inf 1501 reduced, 1SS 1904``.

    `allied` are hexes that have turned Allied since the start, `german` all that the Germans hold (instead), `pool` the units of the
    force pool (without it those of the start; the rest are then gone). The Argentan-Falaise Pocket has escaped unless `afp` says
    otherwise. `fields` are further fields of the state.
    """
    fields.setdefault("afp", "escaped")
    state = State(scenario="campaign", turn=turn, **fields)
    state.units = {counter.id: counter.unit() for counter in UNITS.allied}
    state.germans = {counter.id: counter.unit() for counter in UNITS.german}
    lost = allied.split()
    state.german = german.split() if german is not None else [h for h in control.at_start() if h not in lost]
    settle(state, pool)
    for part in text.split(","):
        if part.strip():
            put(state, *part.split())
    return state


def settle(state: State, pool: str | None) -> None:
    """Lay out the Germans: the force pool, and the pocket's units where they are by now."""
    named = pool.split() if pool is not None else None
    assert named is None or not set(named) - set(state.germans), pool
    for unit in state.germans.values():
        if unit.place == "afp" and state.afp != "standing":
            unit.place, unit.hex = "pool", None
        if named is not None and unit.place != "afp":
            unit.place = "pool" if unit.id in named else "gone"


def put(state: State, id: str, hex: str, *words: str) -> None:
    """Put a unit of either side into a hex; `reduced`, `replenishing`."""
    assert set(words) <= {"reduced", "replenishing"}, words
    if id in state.germans:
        state.germans[id].place, state.germans[id].hex = "map", hex
        return
    unit = state.units[id]
    unit.place, unit.hex = "map", hex
    unit.steps = 1 if {"reduced", "replenishing"} & set(words) else 2
    unit.replenishing = "replenishing" in words


@dataclass
class Played:
    """What came of a phase: the state as it was left, the notes, the requests in order, and where it stopped."""

    state: State
    progress: Progress
    requests: list[Any] = field(default_factory=list)

    @property
    def notes(self) -> list[Note]:
        return self.state.log

    @property
    def ended(self) -> bool:
        return self.progress.waiting is None

    def of(self, kind: type[N]) -> list[N]:
        """The notes of one kind."""
        return [note for note in self.notes if isinstance(note, kind)]

    def asked(self, kind: str) -> list[Ask[Any]]:
        """The decisions of one kind that were put to a seat."""
        return [each for each in self.requests if isinstance(each, Ask) and each.kind == kind]


def play(
    phase: Callable[[State], Phase[Any]],
    state: State,
    *orders: Order | None,
    dice: Sequence[int | str | Sequence[Any]] = (),
    choose: Callable[[Ask[Any]], Any] | None = None,
) -> Played:
    """Play a phase: `orders` are written in turn to whoever is asked for orders, then "that is all"; `dice` are the faces in turn (a
    draw as the names drawn, ``"1SS 2SS"``); `choose` answers decisions (without it each takes its default). All orders and dice must be
    used up."""
    written, faces = list(orders), list(dice)
    requests: list[Any] = []

    def answers(request: Decision) -> Answer:
        requests.append(request)
        if isinstance(request, Orders):
            return Answer(written.pop(0) if written else None)
        if isinstance(request, FirstOf):
            return Answer((request.asks[0].seat, written.pop(0) if written else None))
        if isinstance(request, AskAll):
            return Answer([choose(ask) if choose else ask.fallback for ask in request.asks])
        return Answer(choose(request) if choose else request.fallback)

    def thrown(request: Chance, label: str) -> list[Any] | None:
        requests.append(request)
        if not faces:
            return None
        face = faces.pop(0)
        return [face] if isinstance(face, int) else face.split() if isinstance(face, str) else list(face)

    progress = advance(phase(state), state, answers=answers, dice=thrown)
    assert not written, f"orders left over: {written}"
    assert not faces, f"dice left over: {faces}"
    return Played(state, progress, requests)


def opening(phase: Callable[[State], Phase[Any]], state: State) -> Any:
    """The first request of a phase; None if it ends without one."""
    return advance(phase(state), state).waiting


def at(state: State, id: str) -> str | None:
    """Where a unit of either side is."""
    return (state.units.get(id) or state.germans[id]).hex
