"""What the tests of every game share: a phase played with scripted orders, dice and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import getmembers, isclass
from types import ModuleType
from typing import Any, Generic, TypeVar

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.game import GameState
from pbem.engine.language import Order
from pbem.engine.notes import UMPIRE, Note
from pbem.engine.play import Answer, Ask, AskAll, Chance, Decision, Phase, Progress, advance
from pbem.engine.tally import Modifier

S = TypeVar("S", bound=GameState)
N = TypeVar("N", bound=Note)
A = TypeVar("A", bound=Ask[Any])


@dataclass
class Played(Generic[S]):
    """What came of a phase: the state as it was left, the notes, the requests in order,
    and where it stopped."""

    state: S
    progress: Progress
    requests: list[Any] = field(default_factory=list)

    @property
    def notes(self) -> list[Note]:
        return self.state.log

    @property
    def ended(self) -> bool:
        return self.progress.waiting is None

    def of(self, kind: type[N], reader: str = UMPIRE) -> list[N]:
        """The notes of one kind that a reader may read."""
        return [note for note in self.notes if isinstance(note, kind) and note.seen_by(reader)]

    def asked(self, kind: str) -> list[Ask[Any]]:
        """The decisions of one kind that were put to a seat."""
        return [each for each in self.requests if isinstance(each, Ask) and each.kind == kind]

    def rolled(self) -> list[str]:
        """What each die was thrown for."""
        return [each.what for each in self.requests if isinstance(each, Chance)]


def decision(
    kind: type[A], /, *options: str, seat: str = "german", what: str = "a decision", **facts: Any
) -> A:
    """A decision of this kind, with these facts to take it by."""
    return kind(case="1.0", what=what, seat=seat, options=options, **facts)


def play(
    phase: Callable[[S], Phase[Any]],
    state: S,
    *orders: Order | None,
    dice: Sequence[int | str | Sequence[Any]] = (),
    choose: Callable[[Ask[Any]], Any] | None = None,
) -> Played[S]:
    """Play a phase: `orders` are written in turn to whoever is asked for orders, then "that is all";
    `dice` are the faces in turn (a draw as the names drawn, ``"1SS 2SS"``); `choose` answers decisions
    (without it, or where it gives None, each takes its default). All orders and dice must be used up."""
    written, faces = list(orders), list(dice)
    requests: list[Any] = []

    def chosen(ask: Ask[Any]) -> Any:
        answer = choose(ask) if choose else None
        return ask.fallback if answer is None else answer

    def answers(request: Decision) -> Answer:
        requests.append(request)
        if isinstance(request, Desk):
            done = not written or (written[0] is None and not request.first)
            left = not done and (request.first or request.until) and type(written[0]) not in request.takes
            return Answer(written.pop(0) if written and not left else None)
        if isinstance(request, FirstOf):
            return Answer((request.asks[0].seat, written.pop(0) if written else None))
        if isinstance(request, AskAll):
            return Answer([chosen(ask) for ask in request.asks])
        return Answer(chosen(request))

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


def opening(phase: Callable[[S], Phase[Any]], state: S) -> Any:
    """The first request of a phase; None if it ends without one."""
    return advance(phase(state), state).waiting


def kinds(notes: ModuleType) -> list[type[Note]]:
    """The kinds of note that a game declares, by their names."""
    return [kind for _, kind in getmembers(notes, isclass) if issubclass(kind, Note) and kind is not Note]


def filled(
    kind: type[Note], values: Mapping[str, object], names: tuple[str, ...], hex: str, *parts: Modifier
) -> Note:
    """A note with plausible facts, of the case 9.99: those in `values` by their names, `names` for lists, a
    `hex` for other words."""
    facts: dict[str, Any] = {"case": "9.99"}
    plain = {"int": 2, "bool": True, "float": 2.5, "tuple[str, ...]": names, "tuple[Modifier, ...]": parts}
    for each in fields(kind):
        if each.name not in ("readers", "roll", "case"):
            word = values.get(each.name, plain.get(str(each.type), hex))
            facts[each.name] = plain.get(str(each.type), word) if str(each.type) in FIXED else word
    return kind(**facts)


FIXED = ("int", "bool", "tuple[Modifier, ...]")
"""Types of facts whose values are the same in every note."""
