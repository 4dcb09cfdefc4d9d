"""Questions: decisions that the rules ask of a seat, under numbers that never move, and what it has answered
so far.

Answers are carried out when the last open question is answered. Until then a new answer replaces an older
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pbem.engine.language.choices import choice_letter
from pbem.engine.play import Ask
from pbem.service.play.plain import Number, Whole


@dataclass(slots=True)
class Question:
    """A decision asked of a seat in `phase`. `options` are the choices in words, `chosen` is the place of its
    answer among them (None: not answered yet). `held` is the letter whose faulty lines hold the answer back,
    or whose faulty answer keeps standing orders from answering; 0 if nothing does."""

    number: Number
    phase: Whole
    what: str
    options: list[str]
    chosen: Whole | None = None
    held: int = 0

    def __post_init__(self) -> None:
        if self.chosen is not None and self.chosen >= len(self.options):
            raise ValueError(f"there is no option {self.chosen}")

    @property
    def title(self) -> str:
        return f"Q{self.number}"

    @property
    def answer(self) -> str:
        """What was answered: ``b heavy``."""
        return f"{choice_letter(self.chosen)} {self.options[self.chosen]}" if self.chosen is not None else ""


@dataclass(slots=True)
class Questions:
    """All questions of a seat. `past` are those of this turn that have been decided; `defaults` is the phase
    in which its player left all further questions to standing orders and defaults; `next` is the number of
    the next question."""

    next: Number = 1
    open: list[Question] = field(default_factory=list)
    past: list[Question] = field(default_factory=list)
    defaults: int = 0

    def ask(self, phase: int, asks: Sequence[Ask[Any]], used: Sequence[str] = ()) -> None:
        """Bring the open questions up to date with what is asked in `phase`. Those that are not asked any
        more, or whose answers have just been `used`, are past; new ones get the next numbers."""
        asked = {ask.what: ask for ask in asks}
        over = [
            question
            for question in self.open
            if question.phase != phase or question.what not in asked or question.what in used
        ]
        self.past += over
        self.open = [each for each in self.open if each not in over]
        known = {each.what for each in self.open}
        for ask in asks:
            if ask.what not in known:
                words = [str(option) for option in ask.options]
                self.open.append(Question(self.next, phase, ask.what, words))
                self.next += 1

    def new_turn(self) -> None:
        """Forget what was decided in earlier turns."""
        self.past = []

    def named(self, number: int) -> Question | None:
        """The open question with this number."""
        return next((each for each in self.open if each.number == number), None)

    def title_of(self, phase: int, what: str) -> str:
        """The name of the open question about something; "" if that was never asked."""
        return next((each.title for each in self.open if (each.phase, each.what) == (phase, what)), "")

    def values(self, asks: Sequence[Ask[Any]], *, forced: bool = False) -> dict[str, Any]:
        """The answers that count, by what was asked: those that are not held back, or at a deadline
        (`forced`) all."""
        options = {ask.what: ask.options for ask in asks}
        return {
            question.what: options[question.what][question.chosen]
            for question in self.open
            if question.chosen is not None and question.what in options and (forced or not question.held)
        }

    def withheld(self) -> frozenset[str]:
        """What is asked that standing orders do not answer, for its player has: the answer waits for
        corrections in the same letter, or could not be understood."""
        return frozenset(each.what for each in self.open if each.held)

    def dump(self) -> dict[str, Any]:
        """The questions as plain JSON values."""
        return asdict(self)

    @classmethod
    def load(cls, value: Mapping[str, Any]) -> Questions:
        """The questions that `dump` made plain; none for an empty value."""
        if not value:
            return cls()
        asked, past = ([Question(**each) for each in value[name]] for name in ("open", "past"))
        return cls(value["next"], asked, past, value["defaults"])
