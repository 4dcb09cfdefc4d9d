"""What the dice of a game hang on besides the secret of the host, by the setting `dice` of its row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal

import msgspec

from pbem.engine import beacon
from pbem.service.play.plain import Number, Plain, check_moments
from pbem.service.record.rows import GameRow, JournalRow

DiceRule = Literal["seed", "salts", "beacon"]
"""seed: a seed fixes the secret (tests and examples). salts: words of every player go into the dice. beacon:
dice also hang on a round of the beacon that comes out after the orders for them were closed."""

PROMISES: dict[str, str] = {
    "seed": "fixed by a seed, for tests and examples: anyone who knows the seed can work out every roll",
    "salts": (
        "no player can foresee or choose a roll, alone or with others; "
        "the host, who holds the game file, could"
    ),
    "beacon": (
        "nobody can foresee or choose a roll, not even the host, as long as the letter that names the "
        "round of the drand beacon reaches you before that round comes out"
    ),
}
"""What the first letter promises of the dice: who can foresee or choose them, and no more."""


def rule_of(row: GameRow) -> str:
    """What the dice of a game hang on. Settings that somebody has spoilt stop no other game: without the word
    it is what new games have."""
    return str(row.settings.get("dice", "salts"))


def salts_that_count(given: Iterable[JournalRow], rule: str) -> list[str]:
    """Return the salts of a phase, given the `salt` rows of the journal before it opened: the newest of each
    seat, by the names of the seats. With a beacon none counts: a host could add one once a round is out."""
    if rule == "beacon":
        return []
    newest = {row.asked: row.answer for row in given}
    return [f"{seat}: {newest[seat]}" for seat in sorted(newest)]


def salts_kept(rulings: Sequence[JournalRow], phase: str) -> list[str] | None:
    """Return the salts with which a phase of this label had opened before one of `rulings` went back to
    before it: letters have named them, so they count when it opens again. None if it never had."""
    for row in reversed(rulings):
        if phase in row.answer.get("opened", {}):
            return list(row.answer["opened"][phase])
    return None


class NamedRound(Plain):
    """A round of the beacon in the journal, when it is named (`closed`) or when its signature has come."""

    round: Number
    closed: str | None = None
    late: dict[str, str] = msgspec.field(default_factory=dict)
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{96}$")] | None = None

    def __post_init__(self) -> None:
        check_moments(closed=self.closed)


# --- rounds of the beacon -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the beacon that was named for a stretch of play, when its orders had been `closed`. It waits
    until it has its `signature`, or a ruling has `dropped` it. `late` are the seats for which a deadline has
    closed a section, with the section; `row` is the row of the journal that names it, `phase` its phase."""

    number: int
    closed: datetime
    row: int
    phase: int
    late: Mapping[str, str]
    signature: str = ""
    signed: int = 0
    """The row of the journal with the signature."""
    dropped: str = ""

    @property
    def waits(self) -> bool:
        return not self.signature and not self.dropped

    @property
    def name(self) -> str:
        return f"round {self.number}"

    @property
    def value(self) -> str:
        """What goes into the dice; "" while it waits."""
        return beacon.value_of(self.signature) if self.signature else ""

    def line(self) -> str:
        """The round as a proof line."""
        end = self.signature or (f"dropped by {self.dropped}" if self.dropped else "")
        return f"{self.name} closed {self.closed.isoformat()} {end}".rstrip()


def rounds_of(rows: Iterable[JournalRow]) -> list[Round]:
    """Return the rounds that the rows of a journal name. A ruling that goes back drops the one that waits."""
    rounds: list[Round] = []
    for row in rows:
        last = rounds[-1] if rounds and rounds[-1].waits else None
        if row.kind == "ruling" and "stands" in row.answer and last:
            rounds[-1] = replace(last, dropped=f"ruling {row.answer['ruling']}")
        elif row.kind == "beacon" and "closed" in row.answer:
            closed = datetime.fromisoformat(row.answer["closed"])
            rounds.append(Round(row.answer["round"], closed, row.number, row.phase, row.answer["late"]))
        elif row.kind == "beacon" and last and row.answer["round"] == last.number:
            rounds[-1] = replace(last, signature=row.answer["signature"], signed=row.number)
    return rounds
