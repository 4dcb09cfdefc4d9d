"""The store: one schema for a game file (SQLite) and for a server (PostgreSQL)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    Engine,
    bindparam,
    event,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlmodel import Session, col, create_engine, select

from pbem.engine.data import use_own
from pbem.engine.wording import unknown
from pbem.paths import how_to_open, private, user_name
from pbem.service.record.errors import StoreError, WrongVersion
from pbem.service.record.rows import GameRow, PhaseRow, SeatRow, StaffRow

SCHEMA = "0003"
"""The alembic revision this code works with."""

SYNCHRONOUS = "FULL"
"""How SQLite waits for the disk: a letter that has been confirmed survives a power cut."""

BUSY_MS = 30_000
"""How long to wait for a locked game file, in milliseconds."""

_GAME = select(GameRow).where(GameRow.id == bindparam("game")).with_for_update()

_SEATS = select(SeatRow).where(SeatRow.game == bindparam("game"))
_SEATS = _SEATS.execution_options(populate_existing=True)

_STAFF = select(StaffRow).where(StaffRow.game == bindparam("game"))


def url_of(target: str | Path) -> str:
    """A database URL from a URL or from the path of a game file."""
    if "://" in str(target):
        return (
            str(target)
            .replace("postgres://", "postgresql+psycopg://", 1)
            .replace("postgresql://", "postgresql+psycopg://", 1)
        )
    return f"sqlite:///{target}"


def name_of(target: str | Path) -> str:
    """The name of a store in messages: the path of a game file, or a URL without its password."""
    return make_url(url_of(target)).render_as_string() if "://" in str(target) else str(target)


def open_engine(target: str | Path) -> Engine:
    """Return an engine for a game file or a URL. SQLite is set to lose nothing: WAL, full sync, one writer.

    A new game file is made for its owner alone. One that cannot be written can be read.
    """
    url = url_of(target)
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
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
    me = user_name(os.geteuid())
    for place in (_folder(path), path):
        try:
            stat = place.stat()
        except PermissionError:
            return f"user {me} may not enter the folder of {path}"
        if not os.access(place, os.R_OK | os.W_OK | (os.X_OK if place.is_dir() else 0)):
            owner = user_name(stat.st_uid)
            return (
                f"user {me} may not open and write {place} (owner {owner}, mode {stat.st_mode & 0o777:o}; "
                f"to mend it: {how_to_open(place)})"
            )
    return ""


ROOM = 2**20
"""Bytes of free disk without which SQLite cannot even open a game file: it keeps two files beside it."""


def _no_room(target: str) -> str:
    """That the disk of a game file is full, and what to do; "" if it is not."""
    folder = _folder(Path(target))
    if shutil.disk_usage(folder).free >= ROOM:
        return ""
    return f"{target} cannot be opened, as its disk is full: make room in {folder}. Nothing is lost meanwhile"


class Store:
    """A game file or a database. Each use case runs in one `transaction`."""

    def __init__(self, target: str | Path) -> None:
        self.target = str(target)
        use_data_beside(target)
        self.engine = open_engine(target)

    @classmethod
    def open(cls, target: str | Path) -> Store:
        """Open an existing store. Raise StoreError if there is none, or it is of another version."""
        store = cls.found(target)
        try:
            version = store.version()
            if version != SCHEMA:
                _refuse_later(target, version)
                have = f"version {version}" if version else "no pbem tables"
                raise WrongVersion(
                    f"{name_of(target)} has {have}, this pbem works with version {SCHEMA}: "
                    f"run pbem db upgrade {name_of(target)}"
                )
        except StoreError:
            store.close()
            raise
        return store

    @classmethod
    def found(cls, target: str | Path) -> Store:
        """An existing store of whatever version. Raise StoreError if there is none."""
        if "://" not in str(target) and not Path(target).is_file():
            raise StoreError(f"no game file {target}; create one: pbem new GAME -o {target}")
        return cls(target)

    @classmethod
    def create(cls, target: str | Path) -> Store:
        """The store at `target`, made or brought up to date if need be."""
        store = cls(target)
        if store.version() != SCHEMA:
            store.upgrade()
        return store

    @property
    def name(self) -> str:
        """Its name in messages."""
        return name_of(self.target)

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
            if "://" in self.target:
                raise StoreError(f"{self.name} cannot be opened: {reason}") from error
            why = closed_to_us(Path(self.target)) or _no_room(self.target)
            raise StoreError(why or f"{self.name} cannot be read as a game file: {reason}") from error

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
                reports = connection.exec_driver_sql("PRAGMA quick_check(5)").scalars().all()
        except DatabaseError as error:
            reports = [error.orig]
        lines = [line for each in reports for line in str(each).splitlines() if not line.startswith("***")]
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
        raise WrongVersion(
            f"{name_of(target)} has version {found}, this pbem works with version {SCHEMA}: "
            "install a later pbem"
        )


def is_temporary(error: BaseException) -> bool:
    """Whether trying again later may help: the database is locked, full or out of reach, or memory is out."""
    return isinstance(error, OperationalError | OSError | MemoryError)


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
