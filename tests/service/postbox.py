"""Games by mail for the tests of the service: seats with addresses, letters as a mail client sends them, and
what lies in the outbox."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlmodel import col, delete, select

from pbem.engine.autoplay import PlayedPhase, autoplay
from pbem.engine.bots import greedy_bot, random_bot
from pbem.engine.game import game
from pbem.games.normandy71.state import State
from pbem.mail.address import reply_address
from pbem.service.proof import letter_text
from pbem.service.receive import Received, receive
from pbem.service.start import NewGame, Player, start
from pbem.service.store import (
    GameRow,
    JournalRow,
    JournalWriter,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    Store,
    pack,
    phase_row,
)

GAME = game("normandy71")
ID = "cotentin"
SERVER = "pbem@club.example"
MODERATOR = "mod@club.example"
START = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
PLAYERS = {
    "allied": Player("Anna", "anna@x.example", "Europe/Paris"),
    "german": Player("Bert", "bert@y.example", "Europe/Berlin"),
}
SETTINGS = {
    "address": SERVER,
    "clock_hours": 72,
    "clock_at": 21,
    "zone": "Europe/Paris",
    "moderator": MODERATOR,
}


def new_game(seed: str = "1", **changes: Any) -> NewGame:
    """A game of Normandy between two people, with fixed dice."""
    values: dict[str, Any] = {"players": PLAYERS, "settings": SETTINGS, "seed": seed}
    return NewGame("normandy71", "cotentin", **(values | changes))


@dataclass
class Postbox:
    """A store in which one game is played by mail; every letter comes an hour after the one before."""

    store: Store
    game: str = "cotentin"
    server: str = SERVER
    now: datetime = START
    written: int = 0

    @classmethod
    def started(cls, store: Store, new: NewGame | None = None) -> Postbox:
        new = new or new_game()
        start(store, new, START)
        return cls(store, new.id)

    # --- letters in ---

    def raw(
        self,
        seat: str,
        body: str,
        *,
        sender: str | None = None,
        to: str | None = None,
        subject: str = "orders",
        headers: Iterable[str] = (),
    ) -> bytes:
        """A letter of a seat as bytes; `sender` and `to` are those of its owner unless they are given."""
        self.written += 1
        lines = [
            f"From: {self.address(seat) if sender is None else sender}",
            f"To: {self.reply_address(seat) if to is None else to}",
            f"Subject: {subject}",
            f"Message-ID: <m{self.written}@x.example>",
            f"Date: {format_datetime(START + timedelta(seconds=self.written))}",
            *headers,
        ]
        return ("\n".join(lines) + f"\n\n{body}\n").encode()

    def deliver(self, raw: bytes) -> Received:
        self.now += timedelta(hours=1)
        return receive(self.store, raw, self.now, self.server)

    def mail(self, seat: str, body: str, **how: Any) -> Received:
        """Write a letter and deliver it."""
        return self.deliver(self.raw(seat, body, **how))

    def address(self, seat: str) -> str:
        return self.seat(seat).address

    def reply_address(self, seat: str) -> str:
        return reply_address(self.server, self.game, seat, self.seat(seat).token_key)

    # --- what there is ---

    def seat(self, key: str) -> SeatRow:
        with self.store.transaction() as session:
            return session.get_one(SeatRow, (self.game, key))

    def questions(self, key: str) -> list[int]:
        """The numbers of the questions that a seat is asked."""
        return [question["number"] for question in self.seat(key).questions.get("open", ())]

    def row(self) -> GameRow:
        with self.store.transaction() as session:
            return session.get_one(GameRow, self.game)

    def phase(self) -> PhaseRow:
        with self.store.transaction() as session:
            return phase_row(session, self.game, session.get_one(GameRow, self.game).phase)

    def outbox(self, recipient: str = "", after: int = 0) -> list[OutboxRow]:
        """The letters written so far, to one recipient or to all."""
        with self.store.transaction() as session:
            rows = session.exec(
                select(OutboxRow).where(col(OutboxRow.id) > after).order_by(col(OutboxRow.id))
            )
            return [row for row in rows if recipient in ("", row.recipient)]

    def last(self) -> int:
        """The number of the last letter written."""
        return max((row.id or 0 for row in self.outbox()), default=0)

    def texts(self, recipient: str = "", after: int = 0) -> list[str]:
        return ["\n".join(letter_text(row.raw)) for row in self.outbox(recipient, after)]

    def letters(self) -> list[LetterRow]:
        with self.store.transaction() as session:
            return list(session.exec(select(LetterRow).order_by(col(LetterRow.id))))

    def journal(self) -> list[JournalRow]:
        with self.store.transaction() as session:
            query = select(JournalRow).where(JournalRow.game == self.game)
            return list(session.exec(query.order_by(col(JournalRow.number))))

    def papers(self) -> dict[str, tuple[Any, ...]]:
        """What every seat has handed in."""
        with self.store.transaction() as session:
            rows = session.exec(select(SeatRow).where(SeatRow.game == self.game))
            return {row.key: papers_of(row) for row in rows}


def papers_of(row: SeatRow) -> tuple[Any, ...]:
    return (row.sheet, row.standing, row.questions, row.missed)


def sent(store: Store, now: datetime) -> None:
    """All letters written so far go out."""
    with store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(col(OutboxRow.sent).is_(None))):
            row.sent = now
            session.add(row)


def facts(store: Store) -> dict[str, Any]:
    """Everything that a store holds, as plain values: two stores with equal facts hold the same."""
    tables: tuple[Any, ...] = (GameRow, SeatRow, PhaseRow, JournalRow, LetterRow, OutboxRow)
    with store.transaction() as session:
        return {
            table.__tablename__: sorted(repr(row.model_dump()) for row in session.exec(select(table)))
            for table in tables
        }


# --- games that stand where they are wanted -----------------------------------------------------------------


@cache
def played(kind: str, seed: str) -> tuple[PlayedPhase, ...]:
    """A game played by bots, as snapshots at the phase starts."""
    bots = {
        seat: random_bot(random.Random(seed + seat))
        if kind == "random"
        else greedy_bot(GAME.judge, random.Random(seed + seat))
        for seat in ("allied", "german")
    }
    return autoplay(GAME, seed, bots).phases


def position(kind: str, seed: str, label: str) -> State:
    snapshot = next(phase.snapshot for phase in played(kind, seed) if phase.label == label)
    state: State = GAME.load(snapshot)
    return state


def placed(path: Path, state: State, seed: str = "1", entries: tuple[Any, ...] = ()) -> Postbox:
    """A game that stands at `state`, nothing having been written to anybody."""
    box = Postbox.started(
        Store.create(path), new_game(seed, players={key: Player(p.name) for key, p in PLAYERS.items()})
    )
    with box.store.transaction() as session:
        row = session.get_one(GameRow, ID)
        for key, player in PLAYERS.items():
            seat = session.get_one(SeatRow, (ID, key))
            seat.address, seat.zone = player.address, player.zone
            seat.news = {}
        for table in (OutboxRow, JournalRow, PhaseRow):
            session.exec(delete(table))
        writer = JournalWriter(session, ID)
        writer.append(1, "start", "placed", {}, at=START)
        for entry in entries:
            writer.append(1, "answer", entry.asked, entry.answer, at=START, by=entry.by, digest=entry.digest)
        session.add(
            PhaseRow(
                game=ID, number=1, label=GAME.label(state), turn=state.turn, snapshot=pack(GAME.dump(state)),
                rolls=state.rolls
            )
        )  # fmt: skip
        row.phase, row.waiting_since = 1, START
    return box
