"""The store: one schema for a game file (SQLite) and for a server (PostgreSQL).

The journal is append-only. Each of its rows says what was asked and what was answered, and is hash-chained to
the row before. An undo is a row too: it says back to which row the game goes. Snapshots stand at the start of
every phase.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Engine,
    Index,
    LargeBinary,
    Text,
    TypeDecorator,
    UniqueConstraint,
    and_,
    bindparam,
    event,
    insert,
    inspect,
    or_,
    text,
)
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlmodel import Field, Session, col, create_engine, select

from pbem.engine.data import use_own
from pbem.engine.play import Entry
from pbem.engine.wording import unknown
from pbem.paths import private
from pbem.service.record import covered
from pbem.service.record.covered import Covered

SCHEMA = "0001"
"""The alembic revision this code works with."""

SYNCHRONOUS = "FULL"
"""How SQLite waits for the disk: a letter that has been confirmed survives a power cut."""

BUSY_MS = 30_000
"""How long to wait for a locked game file, in milliseconds."""

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


class StoreError(RuntimeError):
    """The store cannot be used as it is: no such file, not ours, wrong version, out of reach. The text says
    what to do."""


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
    """random, greedy; system, where the game itself plays the seat; "" for a person"""
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
    """What its player has chosen: `data`, whether letters bring the position as JSON."""


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
    the state at the start of `phase`); host (what a person has done to the game: hosting.py); undo (of an
    earlier release, `answer` being the number of the last row that stands)."""

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
    __table_args__ = (UniqueConstraint("identity", name="letter_identity"),)

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


# --- opening ----------------------------------------------------------------------------------------------


def url_of(target: str | Path) -> str:
    """A database URL from a URL or from the path of a game file."""
    if "://" in str(target):
        return (
            str(target)
            .replace("postgres://", "postgresql+psycopg://", 1)
            .replace("postgresql://", "postgresql+psycopg://", 1)
        )
    return f"sqlite:///{target}"


def open_engine(target: str | Path) -> Engine:
    """Return an engine for a game file or a URL. SQLite is set to lose nothing: WAL, full sync, one writer.

    A new game file is made for its owner alone. One that cannot be written can be read.
    """
    url = url_of(target)
    if not url.startswith("sqlite"):
        return create_engine(url)
    if is_only_to_read(target):
        return _reading(Path(target))
    engine = create_engine(url, connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False})
    if (file := engine.url.database) and not Path(file).exists():
        os.close(private(file, os.O_CREAT | os.O_WRONLY))

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={SYNCHRONOUS}",
            f"busy_timeout={BUSY_MS}",
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def is_only_to_read(target: str | Path) -> bool:
    """Whether the user of this process may read a game file but not write it: it is on a read-only disk, or
    somebody else's."""
    path = Path(target)
    return os.access(path, os.R_OK) and not (os.access(path, os.W_OK) and os.access(_folder(path), os.W_OK))


def _reading(path: Path) -> Engine:
    """An engine that only reads a game file. Without a write-ahead log beside it SQLite must not look for
    one, as it could not make it."""
    fixed = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    return create_engine(f"sqlite:///file:{quote(str(path.absolute()))}?mode=ro{fixed}&uri=true")


def _folder(path: Path) -> Path:
    return path.absolute().parent


def use_data_beside(target: str | Path) -> None:
    """The folders ``data/<game>`` beside a game file hold its players' own maps, charts and units; before a
    game is first needed."""
    if "://" not in str(target):
        for folder in sorted(Path(target).absolute().parent.glob("data/*/")):
            use_own(folder.name, folder)


def closed_to_us(path: Path) -> str:
    """Why the user of this process may not use a game file, by the rights of it and its folder; "" if he
    may."""
    if os.name != "posix":
        return ""
    import pwd

    for each in (_folder(path), path):
        try:
            stat = each.stat()
        except PermissionError:
            return f"user {pwd.getpwuid(os.geteuid()).pw_name} may not enter the folder of {path}"
        if not os.access(each, os.R_OK | os.W_OK | (os.X_OK if each.is_dir() else 0)):
            owner = pwd.getpwuid(stat.st_uid).pw_name
            who = pwd.getpwuid(os.geteuid()).pw_name
            return f"user {who} may not open and write {each} (owner {owner}, mode {stat.st_mode & 0o777:o})"
    return ""


class Store:
    """A game file or a database. Each use case runs in one `transaction`."""

    def __init__(self, target: str | Path) -> None:
        self.target = str(target)
        use_data_beside(target)
        self.engine = open_engine(target)

    @classmethod
    def open(cls, target: str | Path) -> Store:
        """Open an existing store. Raise StoreError if there is none, or it is of another version."""
        if "://" not in str(target) and not Path(target).is_file():
            raise StoreError(f"no game file {target}; create one: pbem new GAME -o {target}")
        store = cls(target)
        try:
            found = store.version()
            if found != SCHEMA:
                _refuse_later(target, found)
                have = f"version {found}" if found else "no pbem tables"
                raise StoreError(
                    f"{target} has {have}, this pbem works with version {SCHEMA}: "
                    f"run pbem db upgrade {target}"
                )
        except StoreError:
            store.close()
            raise
        return store

    @classmethod
    def create(cls, target: str | Path) -> Store:
        """The store at `target`, made or brought up to date if need be."""
        store = cls(target)
        if store.version() != SCHEMA:
            store.upgrade()
        return store

    def version(self) -> str | None:
        """The schema version of the database; None if it has none. Raises StoreError when it cannot be
        read."""
        try:
            with self.engine.connect() as connection:
                if not self.engine.dialect.has_table(connection, "alembic_version"):
                    return None
                row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
                return str(row[0]) if row else None
        except Exception as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            why = closed_to_us(Path(self.target)) if "://" not in self.target else ""
            raise StoreError(why or f"{self.target} cannot be read as a game file: {reason}") from error

    def upgrade(self) -> None:
        """Bring the schema to this version with the alembic migrations. Raise StoreError if it is of a later
        one."""
        _refuse_later(self.target, self.version())
        from alembic import command
        from alembic.config import Config

        from pbem.paths import migrations

        config = Config()
        config.set_main_option("script_location", str(migrations()))
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that is committed at the end, or not at all."""
        try:
            with Session(self.engine, expire_on_commit=False) as session:
                yield session
                session.commit()
        except OperationalError as error:
            if "readonly" not in str(error.orig):
                raise
            raise StoreError(f"{closed_to_us(Path(self.target))}: it can only be looked at") from error

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the pages of a game file; a database server sees to its own."""
        if self.engine.dialect.name != "sqlite":
            return []
        try:
            with self.engine.connect() as connection:
                found = connection.exec_driver_sql("PRAGMA quick_check(5)").scalars().all()
        except DatabaseError as error:
            found = [error.orig]
        lines = [line for each in found for line in str(each).splitlines() if not line.startswith("***")]
        return [] if lines == ["ok"] else [f"the file is damaged, says SQLite: {line}" for line in lines]

    def compact(self) -> None:
        """Give back to the disk what a game file no longer needs; a database server does so by itself."""
        if self.engine.dialect.name == "sqlite":
            connection = self.engine.raw_connection()
            connection.cursor().execute("VACUUM")
            connection.close()

    def close(self) -> None:
        self.engine.dispose()


def _refuse_later(target: str | Path, found: str | None) -> None:
    """Raise StoreError if the version found in a store is later than that of this pbem."""
    if found and found > SCHEMA:
        raise StoreError(
            f"{target} has version {found}, this pbem works with version {SCHEMA}: install a later pbem"
        )


def is_temporary(error: BaseException) -> bool:
    """Whether trying again later may help: the database is locked, full or out of reach."""
    return isinstance(error, OperationalError | OSError)


# --- the journal ------------------------------------------------------------------------------------------


def now_utc() -> datetime:
    return datetime.now(UTC)


def locked_game(session: Session, game_id: str) -> GameRow:
    """The game's row, locked until the end of the transaction. Raises StoreError when there is none."""
    row = find_game(session, game_id)
    if row is None:
        raise StoreError(unknown("no game here is called", game_id, game_ids(session)))
    return row


def find_game(session: Session, game_id: str) -> GameRow | None:
    """The game's row, locked until the end of the transaction; None if there is none."""
    return session.exec(_GAME, params={"game": game_id}).first()


def game_ids(session: Session, status: str = "") -> list[str]:
    """Return the ids of all games, or of those with this status."""
    query = select(GameRow.id).order_by(col(GameRow.id))
    return list(session.exec(query.where(GameRow.status == status) if status else query))


def only_game(session: Session, game_id: str | None) -> GameRow:
    """The game called `game_id`, or the only one there is. Raises StoreError."""
    return locked_game(session, game_id or only_key(session))


def only_key(session: Session) -> str:
    """The id of the only game there is. Raises StoreError."""
    known = game_ids(session)
    if len(known) != 1:
        raise StoreError(f"say which game (--game): {', '.join(known) or 'there is none here'}")
    return known[0]


def seats(session: Session, game_id: str) -> dict[str, SeatRow]:
    """The seats of a game, as they are now that its row is locked."""
    return {row.key: row for row in session.exec(_SEATS, params={"game": game_id})}


def staff(session: Session, game_id: str, role: str = "") -> list[StaffRow]:
    """The staff of a game, or those with this role, in the order in which they came."""
    rows = session.exec(_STAFF, params={"game": game_id})
    return sorted(
        (row for row in rows if role in ("", row.role)), key=lambda row: (row.role, len(row.key), row.key)
    )


def phase_row(session: Session, game_id: str, number: int) -> PhaseRow:
    row = session.get(PhaseRow, (game_id, number))
    if row is None:
        raise StoreError(f"game {game_id} has no phase {number}: the game file is damaged")
    return row


def journal(session: Session, game_id: str) -> list[JournalRow]:
    """Every row of the journal, undone or not."""
    return list(session.exec(_JOURNAL, params={"game": game_id}))


PLAYED = ("answer", "end", "position")
"""Kinds of journal rows that play has brought: only these can be taken back."""

TAKING_BACK = ("undo", "ruling")
"""Kinds of journal rows that take others back."""


def standing_rows(rows: Sequence[JournalRow]) -> list[JournalRow]:
    """The rows that still count: an undo, or a ruling that goes back, takes back what was played after the
    row it names. What people have said and ruled stands."""
    kept: list[JournalRow] = []
    for row in rows:
        stands = taken_back_to(row)
        if stands is not None:
            kept = [each for each in kept if each.number <= stands or each.kind not in PLAYED]
        if row.kind != "undo":
            kept.append(row)
    return kept


def taken_back_to(row: JournalRow) -> int | None:
    """The last row that stands of what was played before a row of the journal that takes some of it back;
    None for a row that does not."""
    if row.kind == "ruling":
        return int(row.answer["stands"]) if "stands" in row.answer else None
    return int(row.answer) if row.kind == "undo" else None


def phase_entries(session: Session, game_id: str, phase: int) -> list[Entry]:
    """The answers recorded in a phase that still count, in order."""
    rows = standing_rows(list(session.exec(_PHASE_ENTRIES, params={"game": game_id, "phase": phase})))
    return [row.entry() for row in rows if row.kind == "answer"]


_HASH = "2:"
"""What the hash of a journal row begins with: the way it is made."""


def row_hash(previous: str, row: JournalRow | SimpleNamespace, letter: str) -> str:
    """The link of a journal row: SHA-256 over the link before and everything the row says.

    `letter` is the digest of the letter that the row names, "" for none: its number is another wherever the
    game is imported.
    """
    moment = row.at.astimezone(UTC).isoformat()
    said = [row.game, row.number, row.phase, row.kind, row.asked, row.answer, row.by, row.digest]
    content = [previous, *said, moment, letter]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return _HASH + hashlib.sha256(text.encode()).hexdigest()


def broken_links(rows: Sequence[JournalRow], letters: Mapping[int | None, str]) -> list[str]:
    """Return what is wrong with the hash chain of a whole journal, row by row. `letters` are the digests of
    the letters received, by number."""
    wrong: list[str] = []
    before = ""
    for place, row in enumerate(rows, 1):
        if row.number != place:
            wrong.append(f"journal row {place} is missing")
            return wrong
        if row_hash(before, row, letters.get(row.letter, "")) != row.hash:
            wrong.append(f"journal row {row.number} ({row.kind} {row.asked}) does not fit its hash")
        before = row.hash
    return wrong


# Statements of every letter, made once: to put one together costs as much as to run it.
_GAME = select(GameRow).where(GameRow.id == bindparam("game")).with_for_update()
_SEATS = select(SeatRow).where(SeatRow.game == bindparam("game"))
_SEATS = _SEATS.execution_options(populate_existing=True)
_STAFF = select(StaffRow).where(StaffRow.game == bindparam("game"))
_JOURNAL = select(JournalRow).where(JournalRow.game == bindparam("game")).order_by(col(JournalRow.number))
_PHASE_ENTRIES = _JOURNAL.where(
    or_(
        and_(col(JournalRow.phase) == bindparam("phase"), col(JournalRow.kind) == "answer"),
        col(JournalRow.kind).in_(TAKING_BACK),
    )
)
_LAST_LINK = (
    select(JournalRow.number, JournalRow.hash)
    .where(JournalRow.game == bindparam("game"))
    .order_by(col(JournalRow.number).desc())
    .limit(1)
)


_NEW_LINKS = insert(JournalRow.__table__)  # type: ignore[attr-defined]


class JournalWriter:
    """Appends rows to the journal of one game, each chained to the one before."""

    def __init__(self, session: Session, game_id: str) -> None:
        self._session = session
        self._game = game_id
        self._number, self._hash = session.exec(_LAST_LINK, params={"game": game_id}).first() or (0, "")

    @property
    def last(self) -> int:
        return self._number

    @property
    def head(self) -> str:
        """The hash of the last row, which covers the whole journal."""
        return self._hash

    def append(
        self,
        phase: int,
        kind: str,
        asked: str,
        answer: Any,
        *,
        at: datetime,
        by: str = "",
        digest: str = "",
        letter: int | None = None,
    ) -> None:
        """Write one row."""
        self._write([self._row(phase, kind, asked, answer, by, digest, letter, at)])

    def append_answers(
        self, phase: int, entries: Iterable[Entry], *, at: datetime, letter: int | None = None
    ) -> None:
        """Write the answers given in a phase, which a letter has set off, all at once."""
        rows = [self._row(phase, "answer", e.asked, e.answer, e.by, e.digest, letter, at) for e in entries]
        self._write(rows)

    def _row(
        self, phase: int, kind: str, asked: str, answer: Any, by: str, digest: str, letter: int | None,
        at: datetime,
    ) -> dict[str, Any]:  # fmt: skip
        """The next row, with its link and the digests of its fields."""
        self._number += 1
        values = {
            "game": self._game, "number": self._number, "phase": phase, "kind": kind, "asked": asked,
            "answer": answer, "by": by, "digest": digest, "letter": letter, "at": at,
        }  # fmt: skip
        named = self._session.get(LetterRow, letter) if letter else None
        self._hash = row_hash(self._hash, SimpleNamespace(**values), named.digest if named else "")
        values["hash"] = self._hash
        return values | {"digests": {name: covered.digest(value) for name, value in values.items()}}

    def _write(self, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.connection().execute(_NEW_LINKS, rows)


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
