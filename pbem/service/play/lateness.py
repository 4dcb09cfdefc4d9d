"""Late letters: which sections have been played since the letter that a letter answers was sent.

A letter replies to the letter from pbem that its In-Reply-To or References name, else to the one with the
turn and phase of its subject; otherwise it counts as written now. The sender's clock is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pbem.service.play.plain import Plain, Whole, check_moments

ClosedBy = Literal["done", "deadline", "early", "undone", ""]
"""What has closed a section."""


@dataclass(frozen=True, slots=True)
class Played:
    """When a section was last played: in which turn and phase (by number), up to which row of the journal,
    and what closed it: done, deadline, early (a deadline that was applied before it was due), or nothing."""

    turn: Whole
    phase: Whole
    row: Whole
    at: str
    by: ClosedBy

    def __post_init__(self) -> None:
        check_moments(at=self.at)

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.at)


class Missed(Plain):
    """The deadline that a seat let pass, or that was applied `early` by somebody: for which section, in which
    turn. `before` is the last one of that turn that the seat had let pass by then, if there was one."""

    turn: Whole
    due: str
    section: str
    early: str = ""
    before: str = ""

    def __post_init__(self) -> None:
        check_moments(due=self.due, before=self.before)


def let_pass(missed: Mapping[str, Any], turn: int) -> datetime | None:
    """Return the last deadline of a turn that a seat has let pass without writing since, from its row; None
    if there is none. One that was applied early, nobody has let pass."""
    if missed.get("turn") != turn:
        return None
    due = missed.get("before") if missed.get("early") else missed["due"]
    return datetime.fromisoformat(due) if due else None


def played_of(value: Mapping[str, Any]) -> dict[str, Played]:
    """The sections that a seat has played, from its row."""
    return {section: Played(**each) for section, each in value.items()}


WORDS = {
    "done": "as you closed it",
    "deadline": "because you missed the deadline",
    "early": "because it was closed early",
    "undone": "and was undone",
    "": "with nothing to order",
}


def reason(section: str, played: Played, when: str) -> str:
    """Why a line for a section is not used: it has been played, `when` in its reader's own time."""
    return f"[{section}] of turn {played.turn} was played {when}, {WORDS[played.by]}"


def late(played: Mapping[str, Played], position: int) -> dict[str, Played]:
    """The sections that were played after the letter whose journal position is given."""
    return {section: each for section, each in played.items() if each.row > position}
