"""What a seat has not read yet: what became of its lines, what was decided for it, which deadlines passed and
how far it has read the log. Its next letter is built from this, whichever run of play produced it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pbem.service.play.plain import Whole, check_moments


@dataclass(frozen=True, slots=True)
class LineNews:
    """What became of a line: carried out as far as `reached` ("" for all the way), or passed over with the
    reason. `under_way` is the order, as plain values, of a line that a question has interrupted."""

    title: str
    section: str
    text: str
    skipped: str = ""
    reached: str = ""
    under_way: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DecisionNews:
    """A decision that was taken for the seat: by a standing order (`line`), by default, or because a rule
    demanded it (`why`); `title` is the name under which it had been asked, if it had."""

    what: str
    value: str
    by: str
    line: str = ""
    why: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class DeadlineNews:
    """A deadline that passed: of which seat, for which section ("" for a decision), and by which policy for
    missed turns the game went on (terms.py). `early` is who applied it before it was due ("" for nobody):
    then its player has missed nothing."""

    seat: str
    what: str
    how: str = "standing"
    early: str = ""


@dataclass(slots=True)
class News:
    """The news of one seat. `phase` was running when its last turn letter was written and `notes` counts the
    notes of that log that it has read. `asked` is its last request, so that it is asked only once, and
    `letter` the key of the letter that asked. `due` is the deadline that letters have named for the request
    `due_for`. `begun` are lines that it knows only as under way. `calendar` is the entry that its
    calendar file gave last (letters/calendar.py)."""

    phase: Whole = 0
    notes: Whole = 0
    asked: str = ""
    letter: str = ""
    lines: list[LineNews] = field(default_factory=list)
    decided: list[DecisionNews] = field(default_factory=list)
    deadlines: list[DeadlineNews] = field(default_factory=list)
    begun: list[LineNews] = field(default_factory=list)
    over: bool = False
    due: str = ""
    due_for: str = ""
    calendar: str = ""

    def __post_init__(self) -> None:
        check_moments(due=self.due, calendar=self.calendar.partition(" ")[0])

    def told(self, phase: int, notes: int) -> None:
        """Mark everything up to this note of this phase as read."""
        self.phase, self.notes = phase, notes
        self.begun += [line for line in self.lines if line.under_way]
        self.lines, self.decided, self.deadlines = [], [], []

    def dump(self) -> dict[str, Any]:
        """News as plain JSON values."""
        return asdict(self)

    @classmethod
    def load(cls, value: Mapping[str, Any]) -> News:
        """Load news from a value that `dump` returned; none from an empty value."""
        if not value:
            return cls()
        lists = {
            "lines": [LineNews(**each) for each in value["lines"]],
            "decided": [DecisionNews(**each) for each in value["decided"]],
            "deadlines": [DeadlineNews(**each) for each in value["deadlines"]],
            "begun": [LineNews(**each) for each in value["begun"]],
        }
        return cls(**{**value, **lists})
