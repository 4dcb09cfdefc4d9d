"""The tables of the store: a row each for games, seats, staff, phases, journal and letters."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Index,
    LargeBinary,
    Text,
    TypeDecorator,
    UniqueConstraint,
    event,
    inspect,
)
from sqlmodel import Field, Session, SQLModel

from pbem.engine.play import Entry
from pbem.service.record.covered import Covered
from pbem.service.record.errors import StoreError

LARGEST_STATE = 100_000_000
"""The largest snapshot that is read, in bytes: many times that of any game."""


class Moment(TypeDecorator[datetime]):
    """A point in time. SQLite forgets the zone; what comes back is UTC, as it went in."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class GameRow(Covered, table=True):
    """One game. `secret` is the end of its hash chain; `settings` hold the host's choices (terms.py): address
    and clock. `clock` is what the clock has to remember (clock.py)."""

    __tablename__ = "game"
    __table_args__ = (Index("game_quiet", "status", "quiet_until"),)

    id: str = Field(primary_key=True)
    game: str
    scenario: str
    options: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    status: str = "running"
    """running, over, stopped (a fault: `trouble` has the traceback)"""
    phase: int = 1
    settings: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created: datetime = Field(sa_column=Column(Moment(), nullable=False))
    waiting_since: datetime | None = Field(default=None, sa_column=Column(Moment()))
    trouble: str = Field(default="", sa_column=Column(Text, nullable=False))
    rules: str
    """The version of its rules under which it began."""
    letter_key: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    """The key with which its letters are signed. Nothing of it follows from `secret`, which everybody knows
    once the last turn is over."""
    clock: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    quiet_until: datetime | None = Field(default=None, sa_column=Column(Moment()))
    """Before this moment there is nothing to do about its deadline; None if that is not known."""


class SeatRow(Covered, table=True):
    """Who plays a seat, and what this seat has handed in and been told.

    `sheet` holds its order lines of this turn (play/sheet.py), `standing` its standing orders,
    `questions` what it is asked and has answered (play/questions.py), `played` the last time that each of
    its sections was played (play/lateness.py), `missed` the deadline that it let pass and has not written
    since, `news` what it has not been told yet (news.py).
    """

    __tablename__ = "seat"

    game: str = Field(primary_key=True, foreign_key="game.id")
    key: str = Field(primary_key=True)
    name: str = ""
    address: str = Field(default="", index=True)
    token_key: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    password: str = ""
    zone: str = "UTC"
    bot: str = ""
    """random, greedy, planner; system, where the game itself plays the seat; "" for a person"""
    sheet: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    standing: list[Any] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    questions: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    played: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    missed: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    news: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    letters: int = 0
    """How many letters have been written to this seat: each has a number of its own."""
    away: list[list[str]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """The days on which its player is away: pairs of the first and the last date."""
    settings: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """What its player has chosen: `data`, whether letters bring the position as JSON; `brief`, whether they
    are short; `calendar`, whether they bring deadlines for a calendar."""


ROLES = ("moderator", "observer")


class StaffRow(Covered, table=True):
    """Somebody who is part of a game without playing: a moderator, or an observer.

    `key` is unique among the seats and the staff of a game. `settings` hold what an observer or moderator has
    chosen (delay, hour of the digest), `told` what the last digest said, and when.
    """

    __tablename__ = "staff"

    game: str = Field(primary_key=True, foreign_key="game.id")
    key: str = Field(primary_key=True)
    role: str
    """One of `ROLES`."""
    name: str = ""
    address: str = Field(default="", index=True)
    token_key: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    password: str = ""
    zone: str = "UTC"
    settings: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    told: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    letters: int = 0
    """How many letters have been written to this person: each has a number of its own."""


class PhaseRow(Covered, table=True):
    """A phase: its snapshot, and once it has ended its log and the hash of the state after it."""

    __tablename__ = "phase"

    game: str = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    label: str
    turn: int
    snapshot: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    salts: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    rolls: int = 0
    ended: bool = False
    state_hash: str = ""
    notes: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class JournalRow(Covered, table=True):
    """A row of the journal. `kind`: start; answer (a die or a decision); salt; beacon (a round, when it is
    named and when its signature comes: dice_rules.py); end (of a phase, `answer` holding the state hash);
    press; dispute (of the roll `asked`); ruling (moderating/rulings/); position (what a ruling has changed in
    the state at the start of `phase`); thought (what a planner has chosen for the seat `asked`: thoughts.py);
    host (what a person has done to the game: hosting.py)."""

    __tablename__ = "journal"
    __table_args__ = (Index("journal_phase", "game", "phase"),)

    game: str = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    phase: int
    kind: str
    asked: str = Field(sa_column=Column(Text, nullable=False))
    answer: Any = Field(default=None, sa_column=Column(JSON))
    by: str = ""
    digest: str = ""
    letter: int | None = None
    at: datetime = Field(sa_column=Column(Moment(), nullable=False))
    hash: str

    def entry(self) -> Entry:
        return Entry(self.asked, self.answer, self.by, self.digest)


class LetterRow(Covered, table=True):
    """A letter as it was received, and what became of it: accepted, explained, held, quarantined, ignored."""

    __tablename__ = "letter"
    __table_args__ = (
        UniqueConstraint("identity", name="letter_identity"),
        Index("letter_received", "received"),
        Index("letter_sender", "sender", "received"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str | None = Field(default=None, foreign_key="game.id", index=True)
    seat: str = ""
    identity: str
    """Message-ID, sender, content and addressee in one digest: the same letter delivered again is the same
    row."""
    words: str = Field(default="", index=True)
    """Date, sender, content and addressee in one digest: the same letter under another Message-ID."""
    digest: str = ""
    """SHA-256 of the mail as it was received."""
    sender: str = ""
    message_id: str = ""
    received: datetime = Field(sa_column=Column(Moment(), nullable=False))
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    outcome: str = ""
    why: str = Field(default="", sa_column=Column(Text, nullable=False))
    turn: int = 0
    orders: int = 0
    """How many order lines, answers and closings it held."""
    aside: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Lines that were not used, because they came late or were only tried: KEEP puts them on the sheets."""
    checked: str | None = ""
    """What was found out about its sender (mail/senders.py); None if it came before that was written down."""


@event.listens_for(Session, "before_flush")
def _look_again(session: Session, context: Any, instances: Any) -> None:
    """Whatever is written to a game or a seat may bring its deadline nearer: it is looked at again, unless
    this says until when it is quiet."""
    for row in (*session.new, *session.dirty):
        game = session.get(GameRow, row.game) if isinstance(row, SeatRow) else row
        if isinstance(game, GameRow) and not inspect(game).attrs.quiet_until.history.added:
            game.quiet_until = None


REFUSED = "refused: "
"""How the error of a letter begins that no mail server will ever take."""


CAME_BACK = "came back: "
"""How the error of a letter begins that was sent, and came back from the mail server of its reader."""


class OutboxRow(Covered, table=True):
    """A letter to be sent. `key` says what it is (game, phase, seat, kind, number): it is written once."""

    __tablename__ = "outbox"
    __table_args__ = (UniqueConstraint("key", name="outbox_key"),)

    id: int | None = Field(default=None, primary_key=True)
    game: str | None = Field(default=None, foreign_key="game.id", index=True)
    key: str
    recipient: str
    seat: str = ""
    kind: str = ""
    message_id: str = Field(default="", index=True)
    position: int = 0
    """The last row of the journal when it was written."""
    section: str = ""
    """The section that it asks for."""
    letter: int | None = None
    """The letter that it answers, or is about."""
    about: str = ""
    """Of press: the seat that wrote it; of a letter to the staff: its games."""
    subject: str = ""
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created: datetime = Field(sa_column=Column(Moment(), nullable=False))
    sent: datetime | None = Field(default=None, sa_column=Column(Moment(), index=True))
    attempts: int = 0
    error: str = Field(default="", sa_column=Column(Text, nullable=False))
    tried: datetime | None = Field(default=None, sa_column=Column(Moment()))
    """When it was last handed to a mail server."""
    next_try: datetime | None = Field(default=None, sa_column=Column(Moment()))
    """Before this moment a letter that could not go is not tried again."""
    claimed: datetime | None = Field(default=None, sa_column=Column(Moment()))
    """When a process took it in hand; after a while (`outbox.LEASE`) another one may."""
    claimed_by: str | None = None
    """The worker of the service that took it in hand."""


class AsideRow(SQLModel, table=True):
    """An email on which pbem fails each time: its bytes, and the error. It belongs to no game."""

    __tablename__ = "aside"

    id: int | None = Field(default=None, primary_key=True)
    received: datetime = Field(sa_column=Column(Moment(), nullable=False))
    source: str
    """The way in by which it came."""
    digest: str = Field(index=True)
    """SHA-256 of its bytes: delivered again, it is the same row."""
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    error: str = Field(sa_column=Column(Text, nullable=False))
    tries: int


class WorkerRow(SQLModel, table=True):
    """A process of `pbem serve`. `sources` holds its ways in and since when nothing is unread in each."""

    __tablename__ = "worker"

    name: str = Field(primary_key=True)
    host: str
    pid: int
    version: str
    began: datetime = Field(sa_column=Column(Moment(), nullable=False))
    seen: datetime = Field(sa_column=Column(Moment(), nullable=False))
    ended: bool = False
    """Whether it has stopped by itself: a worker that was killed has not."""
    sources: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class HostRow(SQLModel, table=True):
    """The clock of the host, in one row (time/host.py): when a worker last looked at it; while a person has
    to confirm the time, the moment before it jumped; from when to when no worker was there, while deadlines
    have to be put off because of it."""

    __tablename__ = "host"

    id: int = Field(default=1, primary_key=True)
    seen: datetime = Field(sa_column=Column(Moment(), nullable=False))
    held: datetime | None = Field(default=None, sa_column=Column(Moment()))
    down_from: datetime | None = Field(default=None, sa_column=Column(Moment()))
    down_until: datetime | None = Field(default=None, sa_column=Column(Moment()))


def pack(snapshot: bytes) -> bytes:
    return zlib.compress(snapshot, 6)


def unpack(snapshot: bytes) -> bytes:
    """Return what `pack` was given. Raise StoreError for anything else, and for more than a state can be."""
    try:
        inflate = zlib.decompressobj()
        state = inflate.decompress(snapshot, LARGEST_STATE)
    except zlib.error as error:
        raise StoreError(f"a snapshot is damaged: {error}") from error
    if not inflate.eof:
        raise StoreError("a snapshot is damaged: it is cut short or too large")
    return state
