"""What a ruling comes to, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.engine.wording import count
from pbem.service.letters.log import local_time
from pbem.service.record.rows import JournalRow

What = Literal["uphold", "reroll", "set", "strike", "correct", "back", "position", "undo"]
"""The kinds of ruling."""

HOW: Mapping[What, str] = {
    "uphold": "from now on: nothing changes",
    "position": "from now on: history stands",
}
"""What a ruling does to what was played, where it does not go back."""

FROM_THERE = "from there on: what was played later is played again as far as it stands"


@dataclass(frozen=True, slots=True)
class Leak:
    """A letter that has told a seat of what a ruling takes back."""

    seat: str
    subject: str
    written: datetime
    sent: bool

    def in_words(self, zone: str) -> str:
        unsent = "" if self.sent else ", not sent yet"
        return f"{self.seat}: {self.subject} ({local_time(self.written, zone)}{unsent})"


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, or with `done` False what it would do.

    `says` is the ruling in a sentence, for the moderator, `public` what every seat may read of it, `kept` the
    number of recorded answers that stand after it, `thrown` the dice thrown for it, `left` the decisions that
    are asked for again (seat, section, text), `opened` the sections that were closed and are open again
    (seat, sections), `changes` what is otherwise as the umpire sees it, `leaks` the letters that have told of
    what is taken back (N20), `falls` what each fall of the die would leave standing, `smaller` a ruling that
    would change less, `zone` that in which its times are written.
    """

    game: str
    number: int
    what: What
    about: str
    says: str
    by: str
    why: str
    done: bool
    kept: int = 0
    thrown: tuple[str, ...] = ()
    left: tuple[tuple[str, str, str], ...] = ()
    opened: tuple[tuple[str, str], ...] = ()
    changes: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()
    falls: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    smaller: str = ""
    zone: str = "UTC"
    public: str = ""

    def lines(self) -> list[str]:
        """The ruling in words."""
        lines = [f"{self.game}: {'' if self.done else 'preview of '}ruling {self.number}: {self.says}"]
        lines.append(f"  {HOW.get(self.what, FROM_THERE)}")
        if self.why:
            lines.append(f"  reason: {self.why}")
        if self.kept:
            lines.append(f"  {count(self.kept, 'recorded answer')} after it {stand(self.kept)}")
        lines += [f"  thrown: {each}" for each in self.thrown]
        lines += [f"  if it falls {each}" for each in self.falls]
        if self.left:
            lines.append("  asked for again:")
            lines += [
                f"    {seat} {f'[{section}] ' if section else ''}{text}" for seat, section, text in self.left
            ]
        lines += [f"  open again: {seat} {sections}" for seat, sections in self.opened]
        lines += ["  changes:", *(f"    {line}" for line in self.changes)] if self.changes else []
        if self.leaks:
            lines.append("  already told, by letter:")
            lines += [f"    {leak.in_words(self.zone)}" for leak in self.leaks]
        if self.before:
            lines.append(f"  state before {self.before}")
            lines.append(
                f"  state after  {self.after}" if self.after else "  state after  depends on the die"
            )
        if self.smaller and not self.done:
            lines.append(f"  smaller: {self.smaller}")
        return lines


TOLD_TO_ALL: frozenset[What] = frozenset({"uphold", "reroll", "set"})
"""The rulings whose sentence every seat reads; of the others a seat may read less than was ruled."""


def recorded(row: JournalRow, zone: str) -> list[str]:
    """A ruling of the journal in words, with its reason."""
    said = row.answer
    lines = [f"ruling {said['ruling']}, {local_time(row.at, zone)}, by {row.by}: {said['says']}"]
    return [*lines, f"  reason: {said['why']}"] if said["why"] else lines


def stand(kept: int) -> str:
    """The verb for a number of answers."""
    return "stands" if kept == 1 else "stand"
