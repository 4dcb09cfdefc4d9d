"""What a seat has not been told yet: what became of its lines, what was decided for it, which deadlines
passed, and how far it has read the log. Its next letter is made from this, whatever the last stretch of play
was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


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
    """A deadline that passed: of which seat, for what, in words."""

    seat: str
    what: str


@dataclass(slots=True)
class News:
    """`phase` is the phase that was being played when the seat was last written a turn letter, `notes` how
    many notes of its log it has been told; `asked` is what that seat has been asked for, so that it is asked
    once; `letter` the key of the letter that asked. `begun` are lines of which it has been told only that
    they are under way."""

    phase: int = 0
    notes: int = 0
    asked: str = ""
    letter: str = ""
    lines: list[LineNews] = field(default_factory=list)
    decided: list[DecisionNews] = field(default_factory=list)
    deadlines: list[DeadlineNews] = field(default_factory=list)
    begun: list[LineNews] = field(default_factory=list)
    over: bool = False

    def told(self, phase: int, notes: int) -> None:
        """All has been told, up to this note of this phase."""
        self.phase, self.notes = phase, notes
        self.begun += [line for line in self.lines if line.under_way]
        self.lines, self.decided, self.deadlines = [], [], []

    def dump(self) -> dict[str, Any]:
        """News as plain JSON values."""
        return asdict(self)

    @classmethod
    def load(cls, value: Mapping[str, Any]) -> News:
        """The news that `dump` made plain; what a value lacks is as in the beginning."""
        news = cls(
            **{name: value[name] for name in ("phase", "notes", "asked", "letter", "over") if name in value}
        )
        news.lines = [LineNews(**each) for each in value.get("lines", ())]
        news.decided = [DecisionNews(**each) for each in value.get("decided", ())]
        news.deadlines = [DeadlineNews(**each) for each in value.get("deadlines", ())]
        news.begun = [LineNews(**each) for each in value.get("begun", ())]
        return news
