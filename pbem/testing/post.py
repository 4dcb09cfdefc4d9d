"""A game by mail in a store of its own: letters as a mail client sends them, and what lies in the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Self

from sqlmodel import Session, col, delete, select

from pbem.engine.game import Game, GameState, game
from pbem.mail.address import ReplyTo, reply_to
from pbem.service.intake.receive import Received, receive
from pbem.service.intake.reception import AS_IT_COMES, Reception
from pbem.service.letters.reports import tell
from pbem.service.moderating.digest import write_digests
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.proof.lines import letter_proof, letter_text
from pbem.service.record.journal import JournalWriter
from pbem.service.record.rows import (
    GameRow,
    JournalRow,
    LetterRow,
    OutboxRow,
    PhaseRow,
    SeatRow,
    StaffRow,
    pack,
)
from pbem.service.record.store import Store, only_game, phase_row
from pbem.service.record.table import Table
from pbem.service.record.terms import in_subject

SERVER = "pbem@club.example"
MODERATOR = "mod@club.example"
START = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
SETTINGS = {
    "address": SERVER,
    "clock_hours": 72,
    "clock_at": 21,
    "zone": "Europe/Paris",
    "moderator": MODERATOR,
}


@dataclass
class Postbox:
    """A store in which one game is played by mail; every letter comes an hour after the one before."""

    store: Store
    game: str
    server: str = SERVER
    now: datetime = START
    written: int = 0
    how: Reception = AS_IT_COMES

    @classmethod
    def started(cls, store: Store, new: NewGame) -> Self:
        """A game that has just been started."""
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
        back = None if to is None else ReplyTo(to)
        if back is None or sender is None:
            with self.store.transaction() as session:
                own = self._person(session, seat).address
                back = back or self._reply_to(session, seat)
            sender = own if sender is None else sender
        lines = [
            f"From: {sender}",
            f"To: {back.address}",
            f"Subject: {back.subject(subject)}",
            f"Message-ID: <m{self.written}@x.example>",
            f"Date: {format_datetime(START + timedelta(seconds=self.written))}",
            *headers,
        ]
        return ("\n".join(lines) + f"\n\n{body}\n").encode()

    def deliver(self, raw: bytes) -> Received:
        self.now += timedelta(hours=1)
        return receive(self.store, raw, self.now, self.how)

    def mail(self, seat: str, body: str, **how: Any) -> Received:
        """Write a letter and deliver it."""
        return self.deliver(self.raw(seat, body, **how))

    def address(self, seat: str) -> str:
        return self.person(seat).address

    def reply_address(self, seat: str) -> str:
        return self.reply_to(seat).address

    def reply_to(self, seat: str) -> ReplyTo:
        """How letters to somebody are answered."""
        with self.store.transaction() as session:
            return self._reply_to(session, seat)

    # --- what there is ---

    def person(self, key: str) -> SeatRow | StaffRow:
        """A seat, or one of the staff."""
        with self.store.transaction() as session:
            return self._person(session, key)

    def _reply_to(self, session: Session, seat: str) -> ReplyTo:
        settings = session.get_one(GameRow, self.game).settings
        secret = self._person(session, seat).token_key
        return reply_to(self.server, self.game, seat, secret, in_subject=in_subject(settings))

    def _person(self, session: Session, key: str) -> SeatRow | StaffRow:
        seat = session.get(SeatRow, (self.game, key))
        return seat or session.get_one(StaffRow, (self.game, key))

    def digests(self) -> int:
        """Write the moderators the digests that are due; return how many."""
        return write_digests(self.store, self.now)

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

    def proofs(self, recipient: str = "", after: int = 0) -> list[str]:
        """What proves the letters written so far, to one recipient or to all."""
        return ["\n".join(letter_proof(row.raw)) for row in self.outbox(recipient, after)]

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


def people(rules: Game[Any], options: Mapping[str, str]) -> dict[str, Player]:
    """A player for every seat that is played under these options and that the game does not play itself."""
    chosen = rules.chosen(options)
    return {
        seat.key: Player(seat.title, f"{seat.key}@players.example", "Europe/Paris")
        for seat in rules.seats_of(chosen)
        if seat.key not in rules.systems_of(chosen)
    }


def put(store: Store, id: str, state: GameState, players: Mapping[str, Player]) -> None:
    """Begin a game with this state, before any letter about it has been written."""
    with store.transaction() as session:
        row = only_game(session, id)
        for key, player in players.items():
            seat = session.get_one(SeatRow, (id, key))
            seat.address, seat.zone, seat.news = player.address, player.zone, {}
        for kind in (OutboxRow, JournalRow, PhaseRow):
            session.exec(delete(kind))
        rules = game(row.game)
        snapshot = pack(rules.dump(state))
        session.add(PhaseRow(game=id, number=1, label=rules.label(state), turn=state.turn, snapshot=snapshot))
        JournalWriter(session, id).append(1, "start", "put", {}, at=START)
        row.phase = 1
        session.flush()
        table = Table(session, row, START)
        tell(table, table.play_on())
