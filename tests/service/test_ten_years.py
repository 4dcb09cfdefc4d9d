"""Ten years of deadlines by mail, over changes of the clocks: what a letter names is what pbem does.

Small games follow one another. Players answer, send drafts, are away or miss their turn; hosts extend, pause
and change the terms; letters go out late. Of every letter it is checked that each deadline in it, as its
reader's clock shows it, is the moment in its proof lines, that none is earlier than one that was named for
the same request before, and that pbem acts at none before its time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from postbox import Postbox, sent
from sizes import size
from sqlmodel import delete

from pbem.service.letters import layout
from pbem.service.moderating import people, timing
from pbem.service.moderating.hosting import Done, carry_out
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.proof.lines import letter_proof, letter_text
from pbem.service.record.clock import what_is_asked
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import GameRow, JournalRow, LetterRow, OutboxRow, PhaseRow, SeatRow, StaffRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.time import deadline

YEARS = size(2, 10)
BEGIN, END = datetime(2027, 1, 1, 18, 30, tzinfo=UTC), datetime(2027 + YEARS, 1, 1, tzinfo=UTC)
SERVER = "pbem@club.example"
HOW = {"by": "host", "why": "as agreed"}
NAMED = re.compile(
    r"(?:due|until|by|on|deadline is) \w{3} (?P<time>\d+ \w{3} \d\d:\d\d)(?: \((?P<offset>[+-]\d\d:\d\d)\))? "
    r"(?P<zone>\w+/\w+|UTC)"
)
ZONES = [
    ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
    ("America/New_York", "UTC", "Europe/Berlin"),
    ("Australia/Lord_Howe", "Europe/Berlin", "America/New_York"),
    ("UTC", "Australia/Lord_Howe", "Europe/Berlin"),
]
"""The zone of the game, and of its two players."""


def moments(text: str, year: int) -> list[tuple[str, datetime]]:
    """The deadlines that a letter names in words, each with its zone, to the minute."""
    found = []
    for match in NAMED.finditer(text):
        local = datetime.strptime(f"{year} {match['time']}", "%Y %d %b %H:%M").replace(
            tzinfo=ZoneInfo(match["zone"])
        )
        for fold in (0, 1):
            each = local.replace(fold=fold)
            if match["offset"] in (None, each.isoformat()[-6:]):
                found.append((match["zone"], each.astimezone(UTC)))
                break
    return found


@dataclass
class Club:
    """Games one after another, and what letters have named in the running one."""

    store: Store
    chance: random.Random
    now: datetime = BEGIN
    games: int = 0
    checked: int = 0
    acted: int = 0
    seen: int = 0
    written: int = 0
    named: dict[tuple[str, str, str], datetime] = field(default_factory=dict)

    @property
    def box(self) -> Postbox:
        return Postbox(self.store, self.game, SERVER, self.now - timedelta(hours=1), self.games * 10_000)

    @property
    def game(self) -> str:
        return f"g{self.games}"

    def begin(self) -> None:
        """Begin the next game, in an empty store."""
        with self.store.transaction() as session:
            for kind in (OutboxRow, LetterRow, JournalRow, PhaseRow, SeatRow, StaffRow, GameRow):
                session.execute(delete(kind))
        self.games, self.seen, self.named, self.written = self.games + 1, 0, {}, 0
        pick, (zone, *of_players) = self.chance.choice, ZONES[self.games % len(ZONES)]
        settings = {
            "address": SERVER, "zone": zone, "clock_hours": pick([120.0, 240.0, 500.0, 1000.0]),
            "grace_hours": pick([0.0, 0.0, 6.0]), "minimum_hours": pick([0.0, 48.0]),
            "days": pick(["mon tue wed thu fri sat sun", "mon tue wed thu fri", "sat sun"]),
            "missed": pick(["standing", "standing", "hold", "wait", "substitute", "bot"]),
            "standby": "Dora <dora@x.example>",
        } | pick([{}, {"clock_at": 2}, {"clock_at": 21}])  # fmt: skip
        players = {
            seat: Player(seat.title(), f"{seat}@x.example", zone)
            for seat, zone in zip(("red", "blue"), of_players, strict=True)
        }
        start(
            self.store,
            NewGame("clash", self.game, players=players, settings=settings, seed=self.game),
            self.now,
        )
        self.look()

    def table(self, look: Callable[[Table], object]) -> object:
        with self.store.transaction() as session:
            return look(Table(session, only_game(session, self.game), self.now))

    # --- what is checked ---

    def look(self) -> None:
        """Check the letters that were written just now."""
        letters = self.box.outbox(after=self.seen)
        with self.store.transaction() as session:
            table = Table(session, only_game(session, self.game), self.now)
            here = table.here()
            due, waited = table.deadline(here), table.waited_for(here)
            for row in letters:
                self.seen = row.id or 0
                self.letter(row, table.seats[row.seat].zone, due)
            if due is not None:
                for seat in waited:
                    key = (seat, table.seats[seat].address, what_is_asked(table, here, seat))
                    assert due >= self.named.get(key, due), (self.now, key, due, self.named[key])
                    self.named[key] = due

    def letter(self, row: OutboxRow, zone: str, due: datetime | None) -> None:
        """Each deadline in a letter is in its reader's zone, and the one that holds."""
        text = " ".join([row.subject, *letter_text(row.raw)])
        proved = re.search(r"deadline (\d{4}-\S+)", " ".join(letter_proof(row.raw)))
        if proved:
            assert due is not None and datetime.fromisoformat(proved[1]) == due
        body = " ".join(text.split())
        if due is None:
            assert not re.search(r", due (?!since)", body)
            return
        for said, moment in moments(body, due.astimezone(ZoneInfo(zone)).year):
            assert said == zone
            if "the deadline of" in body and moment < self.now:
                continue
            assert moment == due.replace(second=0, microsecond=0), (row.subject, moment, due, body)
            self.checked += 1

    # --- what happens ---

    def host(self, act: Callable[[Table], Done]) -> None:
        try:
            carry_out(self.store, self.game, self.now, act)
        except StoreError:
            return
        self.look()

    def write(self) -> None:
        """A player whom the game waits for writes: orders, a draft, or a question."""
        seats = list(self.table(lambda table: table.waited_for(table.here())))  # type: ignore[call-overload]
        if not seats:
            return
        box, seat = self.box, self.chance.choice(seats)
        self.written += 1
        box.written += self.written
        questions = [f"Q{number}: a\n" for number in box.questions(seat)]
        body = self.chance.choice([*(questions or ["done\nno orders\n", "no orders\n"]), "status\n"])
        box.mail(seat, body)
        self.look()

    def hosts(self) -> None:
        """Something that hosts do."""
        pick = self.chance.choice
        seat = pick(["red", "blue"])
        first = (self.now + timedelta(days=self.chance.randint(-2, 9))).date()
        last = first + timedelta(days=self.chance.randint(0, 12))
        acts: list[Callable[[Table], Done]] = [
            lambda table: timing.extend(table, pick([1.0, 24.0, 49.0]), **HOW),
            lambda table: timing.pause(table, **HOW),
            lambda table: timing.away(table, seat, first.isoformat(), last.isoformat(), **HOW),
            lambda table: timing.set_terms(table, {"clock_hours": pick([24.0, 48.0, 200.0])}, **HOW),
            lambda table: timing.set_terms(table, {"clock_at": pick([2, 3, 21])}, **HOW),
            lambda table: timing.set_terms(table, {"days": pick(["mon wed", "sat", "sun mon tue"])}, **HOW),
            lambda table: people.renew_token(table, seat, **HOW),
        ]
        self.host(pick(acts))
        if self.chance.random() < 0.7:
            self.now += timedelta(hours=self.chance.randint(1, 90))
            self.host(lambda table: timing.go_on(table, **HOW))

    def sweep(self) -> None:
        """Mail goes out, then the deadline passes: nothing happens a minute before it, or in the time of
        grace."""
        self.now += timedelta(minutes=self.chance.choice([0, 5, 70, 3000]))
        sent(self.store, self.now)
        due = self.table(lambda table: table.deadline())
        if not isinstance(due, datetime):
            self.host(lambda table: timing.go_on(table, **HOW))
            return
        grace = timedelta(hours=self.box.row().settings["grace_hours"])
        near = due - timedelta(hours=20), due - timedelta(minutes=1), due + grace - timedelta(seconds=1)
        for moment in near:
            if moment > self.now:
                self.now = moment
                before = self.state()
                assert deadline.act(self.store, self.game, self.now) == []
                assert self.state() == before, (self.now, due)
                self.look()
        sent(self.store, self.now)
        self.now = max(self.now, due + grace)
        waited, before = self.keys(), self.state()
        steps = deadline.act(self.store, self.game, self.now)
        if steps or self.state() != before:
            self.acted += 1
            assert all(self.named[key] + grace <= self.now for key in waited)
        self.look()

    def keys(self) -> list[tuple[str, str, str]]:
        """What the game is waiting for."""
        with self.store.transaction() as session:
            table = Table(session, only_game(session, self.game), self.now)
            here = table.here()
            return [
                (seat, table.seats[seat].address, what_is_asked(table, here, seat))
                for seat in table.waited_for(here)
            ]

    def state(self) -> tuple[object, ...]:
        """Who plays, and how far the game has come."""
        row = self.box.row()
        seats = [(seat.address, seat.bot) for seat in map(self.box.seat, ("red", "blue"))]
        journal = [each.kind for each in self.box.journal() if each.kind in ("answer", "end")]
        return row.status, row.phase, tuple(seats), len(journal)


@pytest.mark.dear
def test_ten_years_without_a_contradiction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_map", lambda *_: ())  # drawing takes most of the time
    club = Club(Store.create(tmp_path / "club.pbem"), random.Random("ten years"))
    club.begin()
    while club.now < END:
        if club.box.row().status != "running":
            assert club.box.row().status == "over", club.box.row().trouble
            club.begin()
        club.now += timedelta(minutes=club.chance.choice([1, 17, 300, 1000]))
        club.chance.choice([club.write, club.write, club.hosts, club.sweep, club.sweep, club.sweep])()
    club.store.close()
    counted = (club.games, club.checked, club.acted)
    assert all(10 * count > YEARS * least for count, least in zip(counted, (8, 300, 30), strict=True)), (
        counted
    )
