"""What a seat has handed in, as it is played: nothing changes here, each phase gets papers of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.errors import OrderError
from pbem.engine.language import StandingLine
from pbem.engine.play import Answer, Decision
from pbem.service.play.sheet import SheetLine

Bot = Callable[[Decision, Any], Answer | None]
"""Takes a request and the state it was made in; None where the game has to wait for its answer."""


@dataclass(frozen=True, slots=True)
class Late:
    """The time of a seat is up. `sections` are those that it was being asked for: its others stay as they
    are. `asked` are the questions that the deadline decides (None: whatever else the phase asks). With `hold`
    neither its lines nor its standing orders count."""

    sections: frozenset[str] = frozenset()
    asked: frozenset[str] | None = None
    hold: bool = False


@dataclass(frozen=True, slots=True)
class ForPhase:
    """What a seat has handed in for one phase alone, or what becomes of its papers there.

    `answers` is what it decided in answer to questions, by what was asked; `withheld` what is asked that its
    standing orders do not answer, because it has answered and the answer is held back. `defaults` leaves
    the other questions to the defaults. `dropped` are lines that are left out because a rule demands
    something that they stand in the way of; `least` are sections that end with what the rules demand, given
    by default."""

    answers: Mapping[str, Any] = field(default_factory=dict)
    withheld: frozenset[str] = frozenset()
    defaults: bool = False
    late: Late | None = None
    dropped: Mapping[int, OrderError] = field(default_factory=dict)
    least: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Papers:
    """One seat's papers. `lines` are its order lines, those of each section in the order of play; `closed`
    the sections that are played when their turn comes; `phase` is what holds for the running phase alone."""

    seat: str
    lines: tuple[SheetLine, ...] = ()
    closed: frozenset[str] = frozenset()
    standing: tuple[StandingLine, ...] = ()
    bot: Bot | None = None
    phase: ForPhase = ForPhase()

    def next_phase(self) -> Papers:
        """The same papers for the phase that follows: a deadline, and the answers to questions, are about
        their own phase."""
        return replace(self, phase=ForPhase())

    def without(self, lines: Mapping[int, OrderError]) -> Papers:
        """The same papers where these lines are left out, by name, each with what a rule demands."""
        return replace(self, phase=replace(self.phase, dropped={**self.phase.dropped, **lines}))

    def with_least(self, section: str) -> Papers:
        """The same papers where a section ends with what the rules demand."""
        return replace(self, phase=replace(self.phase, least=self.phase.least | {section}))

    @property
    def on_hold(self) -> bool:
        """Whether its time is up, and neither its lines nor its standing orders count."""
        return self.phase.late is not None and self.phase.late.hold

    def is_late(self, section: str) -> bool:
        """Whether a deadline plays a section."""
        return self.phase.late is not None and section in self.phase.late.sections

    def of(self, section: str) -> list[SheetLine]:
        """The lines of a section that can be played: at a deadline the faulty ones are not."""
        late = self.is_late(section) and section not in self.closed
        if late and self.on_hold:
            return []
        return [
            line
            for line in self.lines
            if line.section == section and line.readable and not (late and line.state == "faulty")
        ]

    def plays(self, section: str) -> bool:
        """Whether a section may be played now."""
        return section in self.closed or self.is_late(section)

    def leaves(self, what: str) -> bool:
        """Whether a question is left to the default: what its player has not been asked is never decided by a
        deadline that did not name it."""
        late = self.phase.late
        return self.phase.defaults or (late is not None and (late.asked is None or what in late.asked))
