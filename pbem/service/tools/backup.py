"""Use cases: back a store up while games go on, and restore it.

A backup of a game file is a game file, made with the backup API of SQLite; one of a PostgreSQL database is an
archive of `pg_dump`. Beside each stands its SHA-256 sum, in a file that `sha256sum -c` reads, so that a byte
that the disk has lost since is found before anything is restored.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path

from sqlalchemy.engine import make_url

from pbem.engine.wording import count
from pbem.paths import PRIVATE_FOLDER, denied, private, settle
from pbem.service.record.errors import StoreError
from pbem.service.record.store import Store, name_of, url_of
from pbem.service.time.host import at_work

FILE, ARCHIVE, SUM = ".pbem", ".dump", ".sha256"
"""How the names of backups end: of a game file, of a database, and of the sum beside either."""

ASIDE = ".before-restore"
"""What is added to the name of a game file in whose place a backup has been put."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made and looked at: its size in bytes, and how many games are in it; None if that
    cannot be told. `removed` are older ones that were too many."""

    path: Path
    bytes: int
    games: int | None
    removed: tuple[Path, ...] = ()

    def lines(self) -> list[str]:
        """It in words."""
        games = f"{count(self.games, 'game')}, " if self.games is not None else ""
        removed = f"; removed: {', '.join(each.name for each in self.removed)}" if self.removed else ""
        return [f"{self.path}: {games}{self.bytes / 2**20:.1f} MB, opened and verified{removed}"]


def backups(store: Store, folder: Path) -> list[Path]:
    """The backups of a store in a folder, oldest first."""
    name, ends = _named(store.target)
    return sorted(path for path in folder.glob(f"{name}-*{ends}") if _is_dated(path, name, ends))


def back_up(store: Store, folder: Path, keep: int, now: datetime) -> Backup:
    """Back up a store into a folder, and check that the backup can be read. Of its backups keep the newest,
    as many as `keep` says, and remove the others; 0 keeps all. Raise StoreError if the backup cannot be made
    or read; then nothing is removed."""
    name, ends = _named(store.target)
    path = folder / f"{name}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{ends}"
    part = path.with_name(f"{path.name}.part")
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        os.close(private(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY))
        if ends == FILE:
            _copy(Path(store.target), part)
        else:
            _run("pg_dump", store.target, "--format=custom", f"--file={part}")
        games = _look_into(part, ends)
        _write_sum(path, part)
        part.replace(path)
        settle(folder)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"no backup at {path}: {_why(error)}") from error
    finally:
        with suppress(OSError):  # it may be what has failed
            part.unlink(missing_ok=True)
    removed = backups(store, folder)[:-keep] if keep else []
    for each in removed:
        each.unlink()
        _sum_of(each).unlink(missing_ok=True)
    return Backup(path, path.stat().st_size, games, tuple(removed))


def verify(path: Path) -> int | None:
    """Return how many games are in a backup; None for one of a database. Raise StoreError if it is damaged or
    no backup."""
    if not path.is_file():
        raise StoreError(f"there is no backup {path}")
    said = _sum_of(path)
    if said.is_file() and said.read_text().split()[:1] != [_sum(path)]:
        raise StoreError(
            f"{path} is damaged: its sum is not the one in {said.name}. Nothing was done; take another backup"
        )
    return _look_into(path, path.suffix)


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that was put in place. `aside` is where the game file lies now that was there before."""

    store: str
    games: int | None
    aside: Path | None = None

    def lines(self) -> list[str]:
        """It in words."""
        games = f": {count(self.games, 'game')}" if self.games is not None else ""
        was = f"; what was there before is now {self.aside}" if self.aside else ""
        return [f"{self.store} is restored{games}{was}"]


def restore(path: Path, target: str, now: datetime, over: bool = False) -> Restored:
    """Put a backup in the place of a store. Raise StoreError if it is damaged; if there is a store already,
    unless `over`; and if a worker is at work there."""
    games = verify(path)
    if "://" in target:
        _restore_database(path, target, now, over)
        return Restored(name_of(target), games)
    if path.suffix != FILE:
        raise StoreError(f"{path} is a backup of a database: restore it into one (postgresql://...)")
    place = Path(target)
    part = place.with_name(f"{place.name}.part")
    try:
        if place.exists():
            _must_be_free(target, now, over)
        os.close(private(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY))
        _copy(path, part)
        aside = _put_aside(place)
        part.replace(place)
        settle(place.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{name_of(target)} is not restored: {_why(error)}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Restored(target, games, aside)


def _why(error: OSError | sqlite3.Error) -> str:
    """An error in words, and what to do about a file that may not be used."""
    if isinstance(error, PermissionError) and error.filename:
        return f"{error.filename}: {error.strerror}. {denied(error.filename)}"
    return str(error)


# --- game files ---------------------------------------------------------------------------------------------


def _copy(path: Path, to: Path) -> None:
    """Copy a game file, which may be written to meanwhile, to the disk."""
    source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    copy = sqlite3.connect(to)
    try:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    finally:
        copy.close()
        source.close()
    with to.open("rb") as file:
        os.fsync(file.fileno())


def _put_aside(place: Path) -> Path | None:
    """Rename a game file, and what SQLite keeps beside it, to names that are free; return that of the file,
    None if there was none. SQLite would play what a lost file has left beside it into the next one."""
    there = [each for each in ("", "-wal", "-shm") if Path(f"{place}{each}").exists()]
    number = 1
    while any(Path(f"{place}{ASIDE}-{number}{each}").exists() for each in there):
        number += 1
    aside = Path(f"{place}{ASIDE}-{number}")
    for each in there:
        Path(f"{place}{each}").rename(f"{aside}{each}")
    return aside if "" in there else None


# --- databases ----------------------------------------------------------------------------------------------


def _restore_database(path: Path, target: str, now: datetime, over: bool) -> None:
    if path.suffix != ARCHIVE:
        raise StoreError(f"{path} is a game file: move its games with pbem export and pbem import")
    store = Store(target)
    try:
        is_there = store.version() is not None
    finally:
        store.close()
    if is_there:
        _must_be_free(target, now, over)
    clean = ("--clean", "--if-exists") if is_there else ()
    _run("pg_restore", target, "--single-transaction", "--no-owner", *clean, last=str(path))


def _run(program: str, target: str, *words: str, last: str = "") -> None:
    """Run a program of PostgreSQL on a database; the password does not show among the running processes."""
    url = make_url(url_of(target)).set(drivername="postgresql")
    known = {"PGPASSWORD": str(url.password)} if url.password else {}
    shown = url.set(password=None).render_as_string(hide_password=False)
    _call([program, *words, f"--dbname={shown}", *([last] if last else [])], known)


def _call(words: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    if shutil.which(words[0]) is None:
        raise StoreError(
            f"there is no program {words[0]} here: install the client programs of PostgreSQL "
            "(Debian: apt install postgresql-client)"
        )
    done = subprocess.run(words, env={**os.environ, **(environment or {})}, capture_output=True, text=True)
    if done.returncode:
        raise StoreError(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()}")


# --- both ---------------------------------------------------------------------------------------------------


def _named(target: str) -> tuple[str, str]:
    """How the names of the backups of a store begin and end."""
    if "://" in target and not target.startswith("sqlite"):
        return make_url(target).database or "pbem", ARCHIVE
    return Path(target).stem, FILE


def _is_dated(path: Path, name: str, ends: str) -> bool:
    """Whether a file is a backup of the store of this name, not of one whose name begins with it."""
    try:
        datetime.strptime(path.name, f"{name.replace('%', '%%')}-%Y%m%dT%H%M%SZ{ends}")
    except ValueError:
        return False
    return True


def _look_into(path: Path, ends: str) -> int | None:
    """Read a whole backup; return how many games are in it. Raise StoreError if it cannot be read."""
    if ends == ARCHIVE:
        _call(["pg_restore", f"--file={os.devnull}", str(path)])
        return None
    copy = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        damage = [line for (line,) in copy.execute("PRAGMA integrity_check(1)") if line != "ok"]
        if damage:
            raise StoreError(f"{path} is damaged, says SQLite: {damage[0]}")
        games: int = copy.execute("SELECT count(*) FROM game").fetchone()[0]
        return games
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read as a game file: {error}") from error
    finally:
        copy.close()


def _must_be_free(target: str, now: datetime, over: bool) -> None:
    """Raise StoreError for a store that is there, unless it may be replaced and nobody is at work on it."""
    if not over:
        raise StoreError(f"{name_of(target)} is there already: --over puts the backup in its place")
    store = Store(target)
    try:
        busy = at_work(store, now)
    except Exception:  # what is to be replaced may be damaged
        busy = []
    finally:
        store.close()
    if busy:
        raise StoreError(
            f"a worker is at work on {name_of(target)} ({', '.join(busy)}): stop pbem serve first"
        )


def _sum_of(path: Path) -> Path:
    return path.with_name(f"{path.name}{SUM}")


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _write_sum(path: Path, part: Path) -> None:
    """Write the sum of a backup that is to have the name `path`."""
    with open(_sum_of(path), "w", opener=private) as file:
        file.write(f"{_sum(part)}  {path.name}\n")
