"""What the tests of service and command line share: a small game, and stores on SQLite and PostgreSQL."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, text
from sqlmodel import SQLModel, col, delete, select, update

from pbem import render
from pbem.config import settings
from pbem.engine.board import Board
from pbem.mail.compose import Attachment
from pbem.render.palette import PaletteName
from pbem.service.letters.layout import Pictures
from pbem.service.moderating.start import NewGame, Player, start
from pbem.service.record import store as stores
from pbem.service.record.rows import GameRow, OutboxRow
from pbem.service.record.store import Store
from pbem.testing.post import Postbox
from pbem.testing.secrecy import Letters, Watch

pytest_plugins = ["pytester"]

NOW = datetime(2026, 6, 6, 18, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
PICTURES = 400
"""Boards whose pictures are kept."""
LONGEST = ("test_documents.py", "test_instructions.py", "test_reach.py")
"""The files with the longest tests."""
BEGINNINGS = 20
"""Games of secrets whose beginnings are kept."""
POSTGRES = os.environ.get("PBEM_TEST_POSTGRES", "")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the expected letters of the examples anew")
    parser.addoption("--full", action="store_true", help="run the dear tests too, as .ci/run does")
    parser.addoption("--long", action="store_true", help="run all tests, and all of them whole (sizes.py)")


def pytest_configure(config: pytest.Config) -> None:
    for option in ("full", "long"):
        if config.getoption(f"--{option}"):
            os.environ[f"PBEM_TEST_{option.upper()}"] = "1"  # processes of the same run have it too


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that are marked as dear or long are left out where they are not asked for; `--golden` asks for
    the dear ones, so that all that is on file is written. The longest tests come first, so that no process is
    still at one of them when the others are done."""
    from sizes import FULL, LONG  # when the options have been heard

    for item in items:
        if _looks_for_secrets(item):
            item.add_marker("dear")
    items.sort(key=lambda item: item.path.name not in LONGEST)
    dear = FULL or config.getoption("--golden")
    out = {mark for mark, asked in (("dear", dear), ("long", LONG)) if not asked}
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (left if out & {mark.name for mark in item.iter_markers()} else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _looks_for_secrets(item: pytest.Item) -> bool:
    """Whether a test compares what is seen of positions that differ in what is hidden, all through a game
    with many units; a bare run does so for the smaller games."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    larger = item.nodeid.partition("::Test")[2].startswith(("France44", "Normandy44", "Normandy71"))
    return params.get("check_of_a_play") == "secrets" and larger


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected lives to the end, so looking for garbage need not go through it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder of drawings for the whole run: the ground of a map is drawn once."""
    return tmp_path_factory.mktemp("drawings")


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """A command that ends its process at once leaves the collection of garbage off: a test goes on."""
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, drawings: Path) -> None:
    """No settings of the machine reach a test."""
    no_settings(monkeypatch, drawings)


def no_settings(patch: pytest.MonkeyPatch, drawings: Path) -> None:
    for name in [
        name for name in os.environ if name.startswith("PBEM_") and not name.startswith("PBEM_TEST")
    ]:
        patch.delenv(name)
    patch.setenv("PBEM_CACHE", str(drawings))
    settings.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def quick_stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new game file is a copy of one that the migrations have made, statements are compiled once for all
    stores, and nothing waits for the disk: no test cuts the power. Other processes that a test starts, and
    files of old versions, have none of it."""
    migrated = Store.upgrade
    empty = tmp_path_factory.mktemp("store") / "empty.pbem"
    Store.create(empty).close()

    def upgrade(self: Store) -> None:
        if "://" in self.target or self.version() is not None:
            migrated(self)
        else:
            self.engine.dispose()
            shutil.copyfile(empty, self.target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "upgrade", upgrade)
        patch.setattr(stores, "SYNCHRONOUS", "OFF")
        share_statements(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_toy(
    quick_stores: None, quick_pictures: None, drawings: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The toy game is started once, and copied into the game files of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        no_settings(patch, drawings)
        store = Store.create(tmp_path_factory.mktemp("toy") / "toy.pbem")
        begin(store)
        BEGUN.append(store)
    settings.cache_clear()
    yield
    BEGUN.pop().close()


@pytest.fixture(scope="session", autouse=True)
def quick_pictures() -> Iterator[None]:
    """The pictures of a letter are drawn once for all tests of a process that show the same board. Games that
    start alike send the same first maps."""
    with pytest.MonkeyPatch.context() as patch:
        share_pictures(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_secrets() -> Iterator[None]:
    """Games in which a player tries to find out secrets are begun once for all runs of a process that begin
    alike."""
    with pytest.MonkeyPatch.context() as patch:
        share_beginnings(patch)
        yield


def share_beginnings(patch: pytest.MonkeyPatch) -> None:
    """Let all games of a `Watch` that begin with the same letters be copies of the first one."""
    begin_with = Watch.club
    begun: dict[tuple[Any, ...], tuple[Watch, bytes, datetime, int]] = {}

    def club(self: Watch, path: Path, letters: Letters, scenario: str | None = None) -> Postbox:
        key = (id(self), repr(letters), scenario)
        if key not in begun:
            if len(begun) >= BEGINNINGS:
                del begun[next(iter(begun))]
            box = begin_with(self, path, letters, scenario)
            box.store.close()
            begun[key] = (
                self,
                path.read_bytes(),
                box.now,
                box.written,
            )  # with self, so that it stays this one
        _, data, now, written = begun[key]
        path.write_bytes(data)
        return Postbox(Store.open(path), self.id, now=now, written=written)

    patch.setattr(Watch, "club", club)


def share_statements(patch: pytest.MonkeyPatch) -> None:
    """Let all stores of this process that are of one kind compile their statements once."""
    opened = stores.open_engine
    engines: dict[str, Engine] = {}

    def open_engine(target: str | Path) -> Engine:
        engine = opened(target)
        first = engines.setdefault(engine.dialect.name, engine)
        if first.dialect.server_version_info:
            engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    patch.setattr(stores, "open_engine", open_engine)


def share_pictures(patch: pytest.MonkeyPatch) -> None:
    """Let all letters of this process that show the same board share its pictures."""
    drawn: dict[tuple[Any, ...], tuple[Board, tuple[Attachment, ...]]] = {}
    draw = Pictures.of
    names = [each.name for each in fields(Board) if each.name not in ("map", "legend", "signs")]

    def of(self: Pictures, board: Board, look: PaletteName = "paper") -> tuple[Attachment, ...]:
        told = (*board.legend.items(), *board.signs.items())
        with_what = (look, id(board.map), *told, render.layout, render.scene_png)
        key = (*with_what, *(getattr(board, name) for name in names))
        if key not in drawn:
            if len(drawn) >= PICTURES:
                del drawn[next(iter(drawn))]
            drawn[key] = (
                board,
                draw(self, board, look),
            )  # with the board, so that its map stays the same one
        return drawn[key][1]

    patch.setattr(Pictures, "of", of)


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    return tmp_path / "toy.pbem"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, game_file: Path) -> Iterator[Store]:
    """An empty store: a game file, and a schema of its own on the PostgreSQL server that PBEM_TEST_POSTGRES
    names. Tests marked with `changes_tables` have one that nobody uses after them."""
    if request.param == "sqlite":
        made = Store.create(game_file)
        yield made
        made.close()
        return
    if not POSTGRES:
        pytest.skip("PBEM_TEST_POSTGRES names no PostgreSQL server")
    yield from schema(kept=not request.node.get_closest_marker("changes_tables"))


IDLE: list[str] = []
"""Schemas that this process has made on the server and no test uses now, as URLs."""


SEQUENCES = text("SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()")


def schema(kept: bool = True) -> Iterator[Store]:
    """A store in a schema that no other process has and no other test uses meanwhile. It is emptied for the
    next one, as making it takes longer than most tests; or not `kept`, if its tables are changed."""
    url = IDLE.pop() if IDLE and kept else new_schema()
    made = Store.create(url)
    try:
        yield made
    finally:
        if kept:
            empty(made)
            IDLE.append(url)
        made.close()
        if not kept:
            drop(url)


def new_schema() -> str:
    """Make a schema on the server; return its URL. As with game files, nothing waits for the disk."""
    name = f"test_{uuid4().hex[:12]}"
    on_server(f"CREATE SCHEMA {name}")
    sign = "&" if "?" in POSTGRES else "?"
    return f"{POSTGRES}{sign}options=-csearch_path%3D{name}%20-csynchronous_commit%3Doff"


def empty(made: Store) -> None:
    """Take all rows out of a store on the server, and let its numbers begin at 1 again."""
    with made.engine.begin() as connection:
        for each in reversed(SQLModel.metadata.sorted_tables):
            connection.execute(text(f"DELETE FROM {each.name}"))
        for sequence in connection.execute(SEQUENCES).scalars().all():
            connection.execute(text(f"ALTER SEQUENCE {sequence} RESTART"))


def drop(url: str) -> None:
    name = url.partition("search_path%3D")[2].partition("%20")[0]
    on_server(f"DROP SCHEMA {name} CASCADE")


def on_server(command: str) -> None:
    server = Store(POSTGRES)
    with server.engine.begin() as connection:
        connection.execute(text(command))
    server.close()


@pytest.fixture(scope="session", autouse=True)
def no_schema_left() -> Iterator[None]:
    yield
    while IDLE:
        drop(IDLE.pop())


@pytest.fixture
def toy(store: Store) -> Store:
    """A store with a running toy game "toy" between Rita and Bob, three days to answer, dice fixed."""
    begin(store)
    return store


BEGUN: list[Store] = []
"""A game file with the toy game as `begin` starts it."""


def begin(
    store: Store, id: str = "toy", seed: str = "toy", *, welcome: bool = False, **players: Player
) -> None:
    """Start a toy game at NOW. Of the first letters only that to red is left, who is asked for orders; with
    `welcome` all."""
    usual = (id, seed, welcome, players) == ("toy", "toy", False, {})
    if usual and BEGUN and store.engine.dialect.name == "sqlite" and not games_in(store):
        with BEGUN[0].engine.connect() as begun, store.engine.connect() as own:
            source, copy = begun.connection.driver_connection, own.connection.driver_connection
            assert source is not None and copy is not None
            source.backup(copy)
        return
    seated = {"red": Player("Rita", "rita@mail.example"), "blue": Player("Bob", "bob@mail.example")} | players
    settings = {"address": "pbem@host.example", "clock_hours": 72, "moderator": "mod@host.example"}
    start(store, NewGame("clash", id, players=seated, settings=settings, seed=seed), NOW)
    if welcome:
        return
    with store.transaction() as session:
        others = [f"{id}-t1.red_march-{letter}-1" for letter in ("blue-turn", "moderator-seat")]
        session.execute(delete(OutboxRow).where(col(OutboxRow.key).in_(others)))
        if session.get(OutboxRow, 1) is None:
            asked = col(OutboxRow.key) == f"{id}-t1.red_march-red-turn-1"
            session.execute(update(OutboxRow).where(asked).values(id=1))


def games_in(store: Store) -> int:
    with store.transaction() as session:
        return len(session.exec(select(GameRow.id)).all())
