"""How reliable people are: letters asked for and in time, deadlines missed, games left, over all the games of
a store. Each address is a person; what a bot does counts for nobody.

How many letters a running game has asked for can tell what is secret in it: standing orders answer unasked.
Only the host reads those of all games; for others they count once the game is over (`telling`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.engine.wording import count
from pbem.mail.address import NOWHERE
from pbem.service.record.game_record import GameRecord
from pbem.service.record.rows import GameRow, JournalRow, SeatRow
from pbem.service.record.store import is_temporary

LEAVING = {
    "eject": "ejected",
    "replace": "replaced",
    "resign": "resigned",
    "take over": "handed to a bot",
}
"""The events by which a player leaves a game, and what is said of him."""

HANDS = (*LEAVING, "substitute", "give back")
"""The events by which a seat that somebody plays changes hands."""

KINDS = ("start", "answer", "end", "thought", "host")
"""The kinds of journal rows that the reckoning needs. A thought comes with the answers of its bot: the time
it took is nobody's."""


@dataclass(slots=True)
class Record:
    """What is on record of a person: the games played and those of them that are over, letters asked for and
    in time, deadlines missed, and the games left, by how."""

    address: str
    name: str = ""
    games: int = 0
    over: int = 0
    asked: int = 0
    in_time: int = 0
    missed: int = 0
    left: Counter[str] = field(default_factory=Counter)

    def words(self) -> str:
        """``41 of 43 letters in time, 1 deadline missed, no game left``."""
        letters = f"{self.in_time} of {self.asked} letters in time" if self.asked else "no letter counted yet"
        left = f"{_some(self.left.total(), 'game')} left" + (f" ({how})" if (how := self.ways()) else "")
        return f"{letters}, {_some(self.missed, 'deadline')} missed, {left}"

    def ways(self) -> str:
        """How games were left: ``ejected, resigned 2 times``; "" for none."""
        ways = sorted(self.left.items())
        return ", ".join(f"{how} {number} times" if number > 1 else how for how, number in ways)

    def is_called(self, name: str) -> bool:
        """Whether a person is meant by an address, a name, or a word of the name."""
        asked, mine = name.casefold(), self.name.casefold()
        return asked in (self.address, mine, *mine.split())

    def facts(self) -> dict[str, Any]:
        """The record for programs."""
        return {
            "name": self.name, "address": self.address, "games": self.games, "over": self.over,
            "letters_asked": self.asked, "letters_in_time": self.in_time, "deadlines_missed": self.missed,
            "left": dict(sorted(self.left.items())),
        }  # fmt: skip


def _some(number: int, what: str) -> str:
    return count(number, what) if number else f"no {what}"


def table(people: Sequence[Record], broken: Sequence[str]) -> list[str]:
    """Records as a table, a line a person, and a line for each game that cannot be read."""
    heads = ("name", "address", "games", "over", "in time", "missed", "left")
    rows = [
        (
            each.name or "-", each.address, str(each.games), str(each.over),
            f"{each.in_time} of {each.asked}" if each.asked else "-", str(each.missed), each.ways() or "-",
        )
        for each in people
    ]  # fmt: skip
    wide = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in (heads, *rows)
    ]
    lines = lines if rows else ["Nobody plays or has played here by mail."]
    return [*lines, *(f"game {name} cannot be read: it is not counted" for name in broken)]


def waits(rows: Iterable[JournalRow]) -> Iterator[tuple[int, dict[str, bool]]]:
    """The answers by which a game went on after it had waited: the number of the row, and of each seat that
    was asked whether it was in time. It was if a letter brought the answer and no deadline had passed before.
    Where a moderator has applied a deadline early, nobody was late. `rows` are those of `KINDS`, in order."""
    before: datetime | None = None
    late: set[str] = set()
    early: set[str] = set()
    for row in rows:
        if row.kind == "host" and row.asked == "missed":  # the answers that a deadline brings come with it
            (late if row.answer.get("due") != "" else early).add(row.answer["seat"])
            continue
        if row.kind == "answer" and before is not None and row.at > before and not row.entry().dice:
            seats = set(row.asked.split("|")[1].split(",")) - early
            yield row.number, {seat: row.letter is not None and seat not in late for seat in seats}
            late, early = late - seats, set()
        before = row.at


def records(
    session: Session, addresses: Collection[str] | None = None, *, telling: Collection[str] | None = ()
) -> tuple[list[Record], list[str]]:
    """The records of the people with these addresses, or of all who play or have played, by address; and the
    games that cannot be read. Of running games letters count in those of `telling` alone, or with None in
    all."""
    events = select(JournalRow).where(JournalRow.kind == "host", col(JournalRow.asked).in_(HANDS))
    playing = select(SeatRow.game, SeatRow.address).where(SeatRow.address != "")
    seated = {*session.exec(playing)}
    seated |= {(row.game, _before(row)["address"]) for row in session.exec(events) if "before" in row.answer}
    games = {game for game, address in seated if addresses is None or address in addresses}
    found: dict[str, Record] = {}
    broken: list[str] = []
    for row in session.exec(select(GameRow).where(col(GameRow.id).in_(games)).order_by(col(GameRow.id))):
        try:
            counts = telling is None or row.status == "over" or row.id in telling
            here = _of_game(session, row, letters=counts)
        except Exception as error:
            if is_temporary(error):  # of the store as a whole
                raise
            broken.append(row.id)
            continue
        for address, each in here.items():
            _add(found.setdefault(address, Record(address)), each)
    wanted = (each for each in found.values() if addresses is None or each.address in addresses)
    return sorted(wanted, key=lambda each: each.address), broken


def of_seats(
    session: Session, seats: Iterable[SeatRow], *, telling: Collection[str] = ()
) -> dict[str, Record]:
    """The records of those who play seats of one game, by seat; bots and empty seats have none."""
    people = {row.key: row.address for row in seats if row.address and not row.bot}
    found = {each.address: each for each in records(session, set(people.values()), telling=telling)[0]}
    return {key: found.get(address, Record(address)) for key, address in people.items()}


def _add(whole: Record, part: Record) -> None:
    whole.name = part.name or whole.name
    for what in ("games", "over", "asked", "in_time", "missed"):
        setattr(whole, what, getattr(whole, what) + getattr(part, what))
    whole.left += part.left


@dataclass(slots=True)
class _Chair:
    """Who holds a seat while the journal is read: the person, "" for nobody and for a bot, and whether he
    only stands in for its player."""

    person: str
    name: str
    bot: bool = False
    stands_in: bool = False

    @property
    def plays(self) -> str:
        return "" if self.bot else self.person


def _of_game(session: Session, game: GameRow, *, letters: bool) -> dict[str, Record]:
    """What one game adds to the records, by address."""
    rows = GameRecord(session, game, game.created).rows(1, *KINDS)
    seats = session.exec(select(SeatRow).where(SeatRow.game == game.id).order_by(col(SeatRow.key))).all()
    waited = dict(waits(rows)) if letters else {}
    found: dict[str, Record] = {}
    for seat in seats:
        for each in _of_seat(seat, rows, waited):
            known = found.setdefault(each.address, Record(each.address))
            _add(known, each)
            known.games, known.over = 1, int(game.status == "over")
    return found


def _of_seat(
    seat: SeatRow, rows: Sequence[JournalRow], waited: Mapping[int, Mapping[str, bool]]
) -> Iterable[Record]:
    """What one seat adds to the records of all who have held it. An event says who held it before, so each
    holder is known by the next one, the last by the row of the seat."""
    mine = [row for row in rows if row.kind == "host" and row.answer.get("seat") == seat.key]
    held = [(_before(row)["address"], _before(row)["name"]) for row in mine if "before" in row.answer]
    holders = iter([*held, (seat.address, seat.name)])
    chair = _Chair(*next(holders))
    found: dict[str, Record] = {}
    went: dict[str, str] = {}
    """How each of those who have left went."""

    def record() -> Record:
        return found.setdefault(chair.plays, Record(chair.plays, chair.name))

    for row in rows:
        asked = waited.get(row.number, {})
        if seat.key in asked:
            record().asked += 1
            record().in_time += asked[seat.key]
        if row.kind != "host" or row.answer.get("seat") != seat.key:
            continue
        if row.asked == "missed":
            record().missed += row.answer.get("due") != ""
        back = row.asked == "take over" and row.answer["bot"] == "none"
        if row.asked in LEAVING and not back and not chair.stands_in:
            record()
            went.setdefault(chair.person, LEAVING[row.asked])
        if row.asked == "take over":
            chair.bot = not back
        elif "before" in row.answer:
            chair = _Chair(*next(holders), stands_in=row.asked == "substitute")
        record()  # who sits down has played, whether anything is asked of him or not
        went.pop(chair.plays, None)
    record()
    for person, how in went.items():
        found[person].left[how] += 1
    return [each for address, each in found.items() if address and not address.endswith(f"@{NOWHERE}")]


def _before(row: JournalRow) -> dict[str, str]:
    """Who held the seat before an event."""
    before: dict[str, str] = row.answer["before"]
    return before
