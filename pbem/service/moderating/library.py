"""A library of rulings: those of games that are over, by the case of the rulebook that they are about, so
that a moderator can rule "as in game gap, R32"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec
from sqlmodel import Session, col, func, select

from pbem.engine.wording import count
from pbem.service.letters.caselist import titles
from pbem.service.record.rows import GameRow, JournalRow
from pbem.service.record.store import Store

MOST_READ = 2000
"""The library holds at most this many rulings, those of the games that began last."""

MOST_FOUND = 20
"""At most this many rulings are listed for one question."""


class Ruled(msgspec.Struct, frozen=True):
    """A ruling of a game: on which roll, order or place, under which case, and why."""

    number: int
    about: str
    case: str
    title: str
    says: str
    why: str
    day: str


class Entry(msgspec.Struct, frozen=True):
    """A ruling with the rulebook and the game that it is from."""

    rules: str
    game: str
    ruled: Ruled

    def lines(self) -> list[str]:
        """The ruling in words, below its case."""
        ruled = self.ruled
        case = f"[{ruled.case}] {ruled.title}".strip() if ruled.case else "Without a case"
        return [
            f"{case}: game {self.game}, {ruled.about}, {ruled.day}",
            f"     {ruled.says}",
            *([f"     Reason: {ruled.why}"] if ruled.why else []),
        ]


def as_told(rules: str, row: JournalRow) -> Ruled:
    """Return a ruling of the journal, with the title of its case in this rulebook."""
    said = row.answer
    case = said.get("case", "")
    title = titles(rules).get(case, "")
    return Ruled(int(said["ruling"]), row.asked, case, title, said["says"], said["why"], day_of(row.at))


def day_of(moment: datetime) -> str:
    """Return a day as the site and the library write it: ``3 May 2026``."""
    return moment.astimezone(UTC).strftime("%-d %B %Y")


def library(session: Session, rules: str = "") -> Iterator[Entry]:
    """Yield the rulings of the games that are over, newest games first: those of a rulebook, by its key, or
    of all. Games that still run are left out: what was ruled in them may be a secret there."""
    query = select(GameRow.game, JournalRow).join(JournalRow)
    query = query.where(GameRow.status == "over", JournalRow.kind == "ruling")
    query = query.where(GameRow.game == rules) if rules else query
    query = query.order_by(col(GameRow.created).desc(), col(JournalRow.number)).limit(MOST_READ)
    for key, row in session.exec(query):
        yield Entry(key, row.game, as_told(key, row))


def about(entries: Iterator[Entry], words: str) -> list[Entry]:
    """Return the rulings on a case and its parts (``9.2``), or with all of these words in them."""
    wanted = words.casefold().split()
    return [each for each in entries if all(_has(each, word) for word in wanted)]


def _has(entry: Entry, word: str) -> bool:
    what = entry.ruled
    if re.fullmatch(r"\d+(\.\w+)*", word):
        return f"{what.case.casefold()}.".startswith(f"{word}.")
    text = " ".join((entry.rules, entry.game, what.about, what.title, what.says, what.why))
    return word in text.casefold()


def find(store: Store, words: str, rules: str = "") -> list[Entry]:
    """Return what `about` finds in the library of a store."""
    with store.transaction() as session:
        return about(library(session, rules), words)


def searched(store: Store, rules: str = "") -> tuple[int, int]:
    """Return how many games that are over the library has been made from, of a rulebook or of all, and how
    many rulings it holds."""
    over = select(func.count()).select_from(GameRow).where(GameRow.status == "over")
    over = over.where(GameRow.game == rules) if rules else over
    with store.transaction() as session:
        return session.exec(over).one(), sum(1 for _ in library(session, rules))


def told(found: Sequence[Entry]) -> list[str]:
    """Rulings in lines, at most `MOST_FOUND` of them."""
    lines = [line for each in found[:MOST_FOUND] for line in each.lines()]
    if len(found) > MOST_FOUND:
        lines.append(f"and {count(len(found) - MOST_FOUND, 'ruling')} more: name a case or another word")
    return lines
