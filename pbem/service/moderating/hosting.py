"""What people do to a game from outside play: each is an event in the journal, with who, when and why, and is
with letters to those it concerns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import msgspec

from pbem.service.letters.layout import Writing, send_plain
from pbem.service.letters.log import Part
from pbem.service.play.plain import Number, check_moments
from pbem.service.play.steps import Step
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table


class HostRow(msgspec.Struct, kw_only=True):
    """What a person has done to a game, as the journal keeps it, beside other details. A proposal says what
    is to be done (proposals.py)."""

    why: str
    proposal: Number | None = None
    do: Literal["undo", "extend", "rule", "sign"] | None = None
    about: str = ""
    seat: str = ""
    says: str = ""
    due: str = ""
    since: str | None = None
    hours: float | None = None
    place: Number | None = None
    to: str = ""
    what: str | None = None
    value: str = ""
    level: str = ""
    winner: str = ""

    def __post_init__(self) -> None:
        check_moments(due=self.due, since=self.since)
        done = {"undo": (self.place,), "extend": (self.hours, self.since)}
        done |= dict.fromkeys(("rule", "sign"), (self.what,))
        if self.do and None in (self.proposal, *done[self.do]):
            raise ValueError("is half a proposal")


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to a game, in sentences; `told` are the seats that were written to. With `done` False it
    was only tried."""

    game: str
    what: str
    says: tuple[str, ...]
    told: tuple[str, ...] = ()
    done: bool = True

    def lines(self) -> list[str]:
        who = f"letters go to: {', '.join(self.told)}" if self.told else "nobody gets a letter"
        return [*self.says, who] if self.done else ["not done, only tried:", *self.says, who]


def carry_out(
    store: Store, game_id: str | None, now: datetime, act: Callable[[Table], Done], *, dry_run: bool = False
) -> Done:
    """Do something to a game in a transaction; with `dry_run` only find out what it would do.

    `act` is one of the functions of people.py, timing.py and held.py on an open table. Raise StoreError for
    what cannot be.
    """
    with store.transaction() as session:
        done = act(Table(session, only_game(session, game_id), now))
        if dry_run:
            session.rollback()
            return Done(done.game, done.what, done.says, done.told, done=False)
    return done


def note(
    table: Table,
    what: str,
    details: Mapping[str, Any],
    says: str,
    told: Mapping[str, str],
    *,
    by: str,
    why: str,
    also: Mapping[str, Sequence[str]] | None = None,
    here: Step | None = None,
    news: bool = True,
) -> Done:
    """Write down what `by` has done to a game, and tell each seat of `told` its sentence, with the reason
    and the lines that `also` has for it. `here` is the game as it stands, where its deadline has changed.
    Without `news` the caller tells the moderators."""
    why = " ".join(why.split())
    table.record.journal.append(table.row.phase, "host", what, {**details, "why": why}, at=table.now, by=by)
    written = []
    for key, text in told.items():
        row = table.seats[key]
        if row.address and not row.bot:
            lines = (text, *lines_of(why), *(also or {}).get(key, ()))
            writing = Writing("host", f"[{table.row.id}] {text}", (), (Part("News", lines),))
            send_plain(table, row, writing, asks=here)
            written.append(key)
    if news:
        table.record.tell_moderators(f"{says} (by {by})", lines_of(why), by=by)
    table.record.session.flush()
    return Done(table.row.id, what, (says,), tuple(written))


def lines_of(why: str) -> list[str]:
    """The reason, if there is one, as a letter has it."""
    return [f"Reason: {why}"] if why else []
