"""Backups: made while games go on, read from end to end, found out where a byte is wrong, and restored."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner
from conftest import HOUR, NOW, POSTGRES, begin
from postbox import Postbox, facts
from sqlalchemy.exc import SQLAlchemyError

from pbem.cli import main
from pbem.service.proof.verify import verify_store
from pbem.service.record.errors import StoreError
from pbem.service.record.store import Store, now_utc
from pbem.service.time.host import Worker, arrive
from pbem.service.tools import backup
from pbem.service.tools.backup import ASIDE, back_up, backups, restore, verify

PAGES = 16


@pytest.fixture(params=["sqlite", "postgres"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A played store in a file, or in a database, that nothing else is in."""
    if request.param == "sqlite":
        made = Store.create(tmp_path / "club.pbem")
        play(made)
        yield made
        made.close()
        return
    if not POSTGRES or not shutil.which("pg_dump"):
        pytest.skip("needs PBEM_TEST_POSTGRES and pg_dump")
    name = f"test_{uuid4().hex[:12]}"
    on_database("CREATE DATABASE", name)
    made = Store.create(f"{POSTGRES.rpartition('/')[0]}/{name}")
    try:
        play(made)
        yield made
    finally:
        made.close()
        on_database("DROP DATABASE IF EXISTS", name)


def postbox(store: Store) -> Postbox:
    return Postbox(store, "toy", "pbem@host.example")


def on_database(command: str, name: str) -> None:
    server = Store(POSTGRES)
    with server.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(f"{command} {name}")
    server.close()


def play(store: Store) -> None:
    """A turn by mail."""
    begin(store)
    box = postbox(store)
    for seat, text in (("red", "move R1 to 0201\ndone\n"), ("blue", "move B1 to 0401\n")):
        assert box.mail(seat, text).outcome == "accepted"


def test_destroyed_and_restored(own: Store, tmp_path: Path) -> None:
    """The same hashes and letters as before, every roll verifies, and the game goes on."""
    before = facts(own)
    made = back_up(own, tmp_path / "backup", 14, NOW)
    assert made.path.stat().st_mode & 0o777 == 0o600
    own.close()
    destroy(own.target)
    restore(made.path, own.target, NOW)
    again = Store.open(own.target)
    assert facts(again) == before
    assert [each.wrong for each in verify_store(again, None).values()] == [[]]
    assert postbox(again).mail("blue", "done\n").outcome == "accepted"
    again.close()


def destroy(target: str) -> None:
    """The disk is lost. What SQLite keeps beside a game file stays, which must not be played into another."""
    if "://" in target:
        name = target.rpartition("/")[2]
        on_database("DROP DATABASE", name)
        on_database("CREATE DATABASE", name)
        return
    connection = sqlite3.connect(target)
    connection.execute("UPDATE game SET status = 'over'")
    connection.commit()
    left = Path(f"{target}-wal")
    kept = left.read_bytes()
    connection.close()
    Path(target).unlink()
    left.write_bytes(kept)


def test_while_letters_come_in(tmp_path: Path) -> None:
    """Each backup is a whole store, whatever is written meanwhile."""
    store = Store.create(tmp_path / "club.pbem")
    begin(store)
    ended = threading.Event()

    def write() -> None:
        box = postbox(store)
        while not ended.is_set():
            box.mail("red", "move R1 to 0201\ndraft\n")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [back_up(store, tmp_path / "backup", 0, NOW + n * HOUR) for n in range(5)]
    finally:
        ended.set()
        writer.join()
    for each in made:
        assert verify(each.path) == 1
        copy = Store.open(each.path)
        assert all(found.ok for found in verify_store(copy, None).values())
        copy.close()
    store.close()


def test_the_oldest_go(tmp_path: Path) -> None:
    """As many are kept as are to be, each with its sum; those of other stores are left alone."""
    one, two = (Store.create(tmp_path / f"{name}.pbem") for name in ("club", "club-20260606T180000Z"))
    folder = tmp_path / "backup"
    other = back_up(two, folder, 1, NOW)
    made = [back_up(one, folder, 2, NOW + n * HOUR) for n in range(4)]
    assert backups(one, folder) == [each.path for each in made[2:]]
    assert [each.name for each in made[3].removed] == ["club-20260606T190000Z.pbem"]
    assert backups(two, folder) == [other.path]
    assert len(list(folder.iterdir())) == 6
    one.close()
    two.close()


@pytest.mark.parametrize("with_sum", [True, False], ids=["with its sum", "without"])
def test_overwritten_pages_are_found(tmp_path: Path, with_sum: bool) -> None:
    """A page overwritten at random is found each time, and nothing is restored; `pbem dice verify` finds it
    in the game file."""
    store = Store.create(tmp_path / "club.pbem")
    play(store)
    made = back_up(store, tmp_path / "backup", 14, NOW)
    store.close()
    whole = made.path.read_bytes()
    size = 4096
    rng = random.Random(1)
    for page in rng.sample(range(1, len(whole) // size), PAGES):
        made.path.write_bytes(whole[: page * size] + rng.randbytes(size) + whole[(page + 1) * size :])
        if not with_sum:
            Path(f"{made.path}.sha256").unlink(missing_ok=True)
            done = CliRunner().invoke(main, ["dice", "verify", str(made.path)])
            assert done.exit_code == 1, (page, done.output)
            for ends in ("-wal", "-shm"):
                Path(f"{made.path}{ends}").unlink(missing_ok=True)
            continue
        with pytest.raises(StoreError, match="is damaged"):
            restore(made.path, str(tmp_path / "new.pbem"), NOW)
        assert not (tmp_path / "new.pbem").exists()


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    """A store that is there is replaced only if that is said, and lies aside then; not while it is served."""
    store = Store.create(tmp_path / "club.pbem")
    begin(store)
    made = back_up(store, tmp_path / "backup", 14, NOW)
    play_on = postbox(store)
    assert play_on.mail("red", "move R1 to 0201\ndone\n").outcome == "accepted"
    after = facts(store)
    with pytest.raises(StoreError, match="is there already: --over"):
        restore(made.path, store.target, NOW)
    arrive(store, Worker("w1", "here", 11, "0.1.0"), NOW, lambda process: True)
    with pytest.raises(StoreError, match=r"a worker is at work on .* \(w1\)"):
        restore(made.path, store.target, NOW, over=True)
    assert facts(store) == after
    store.close()
    done = restore(made.path, store.target, NOW + timedelta(minutes=3), over=True)
    assert done.aside == Path(f"{store.target}{ASIDE}-1")
    was = Store.open(done.aside)
    assert facts(was) == after
    was.close()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.unlink(), "there is no backup"),
        (lambda path: path.write_bytes(b"no database" * 1000), "is damaged: its sum"),
        (lambda path: [path.with_name(path.name + ".sha256").unlink(), path.write_bytes(b"x" * 9000)],
         "cannot be read as a game file: file is not a database"),
    ],
    ids=["gone", "overwritten", "without a sum"],
)  # fmt: skip
def test_what_cannot_be_restored(tmp_path: Path, spoil: Callable[[Path], object], says: str) -> None:
    store = Store.create(tmp_path / "club.pbem")
    made = back_up(store, tmp_path / "backup", 14, NOW)
    store.close()
    spoil(made.path)
    with pytest.raises(StoreError, match=says):
        restore(made.path, str(tmp_path / "new.pbem"), NOW)


def test_a_backup_that_cannot_be_made(tmp_path: Path) -> None:
    """The reason is said, the older ones stay, and nothing half made lies about."""
    store = Store.create(tmp_path / "club.pbem")
    folder = tmp_path / "backup"
    back_up(store, folder, 1, NOW)
    there = sorted(folder.iterdir())
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE game")
    with pytest.raises((StoreError, SQLAlchemyError), match="no such table: game"):
        back_up(store, folder, 1, NOW + HOUR)
    assert sorted(folder.iterdir()) == there
    store.close()


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the settings: where backups go and how many are kept; `pbem upgrade` makes one first."""
    monkeypatch.chdir(tmp_path)
    Path("pbem.toml").write_text('store = "club.pbem"\n[backup]\nfolder = "kept"\nkeep = 1\n')
    store = Store.create("club.pbem")
    play(store)
    before = facts(store)
    store.close()
    run = CliRunner()
    made = run.invoke(main, ["backup"])
    assert made.exit_code == 0 and made.output.startswith("kept/club-") and "1 game, " in made.output
    (path,) = Path("kept").glob("*.pbem")
    assert subprocess.run(["sha256sum", "-c", f"{path.name}.sha256"], cwd="kept").returncode == 0
    Path("club.pbem").unlink()
    done = run.invoke(main, ["restore", str(path)])
    assert (done.exit_code, done.output) == (0, "club.pbem is restored: 1 game\n")
    again = Store.open("club.pbem")
    assert facts(again) == before
    arrive(again, Worker("w1", "here", 11, "0.1.0"), now_utc(), lambda process: True)
    again.close()
    busy = run.invoke(main, ["upgrade"])
    assert busy.exit_code == 1 and "stop pbem serve first" in busy.output
    again = Store.open("club.pbem")
    with again.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM worker")
    again.close()
    done = run.invoke(main, ["upgrade", "--keep", "5"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0].startswith("kept/club-") and "version 0003 -> 0003" in lines[1] and "toy" in lines[2]


def test_nothing_is_left_of_what_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a game file where the name is mistyped, nor half a copy where there is no room for one."""
    done = CliRunner().invoke(main, ["upgrade", str(tmp_path / "clubb.pbem")])
    assert done.exit_code == 1 and "no game file" in done.output and not list(tmp_path.iterdir())
    store = Store.create(tmp_path / "club.pbem")
    made = back_up(store, tmp_path / "backup", 14, NOW)
    store.close()
    monkeypatch.setattr(backup, "_put_aside", failing)
    with pytest.raises(StoreError, match=r"again\.pbem is not restored: no room"):
        restore(made.path, str(tmp_path / "again.pbem"), NOW)
    assert not list(tmp_path.glob("again*"))


def failing(place: Path) -> None:
    raise OSError("no room")


def test_no_message_has_the_password_of_a_database() -> None:
    """The error of one that is out of reach."""
    with pytest.raises(
        StoreError, match=r"^postgresql\+psycopg://pbem:\*{3}@127.0.0.1:1/games cannot"
    ) as said:
        Store.open("postgresql://pbem:geheim@127.0.0.1:1/games")
    assert "geheim" not in str(said.value)
