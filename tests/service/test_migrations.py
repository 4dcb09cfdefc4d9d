"""The schema of the store: what the migrations make is what the tables of `rows.py` declare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from conftest import begin
from sqlalchemy import Connection, create_engine, inspect, text
from sqlmodel import SQLModel

from pbem.paths import migrations
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.store import SCHEMA, Store, game_ids

pytestmark = pytest.mark.changes_tables

TABLES = {"game", "seat", "staff", "phase", "journal", "letter", "outbox", "aside", "worker", "host"}


def settings() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations()))
    return config


def migrate(store: Store, to: str) -> None:
    """Run the migrations on a store, up to its head or down to its base."""
    config = settings()
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        {"head": command.upgrade, "base": command.downgrade}[to](config, to)


def tables(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(inspect(connection).get_table_names()) - {"alembic_version"}


def differences(connection: Connection) -> list[Any]:
    """What alembic would write into the next migration."""
    options = {"compare_type": True, "compare_server_default": True}
    return compare_metadata(MigrationContext.configure(connection, opts=options), SQLModel.metadata)


def described(connection: Connection) -> dict[str, list[Any]]:
    """All that a database says of its tables."""
    found = inspect(connection)
    names = ("name", "type", "nullable", "default")
    return {
        table: [
            [tuple(str(column[name]) for name in names) for column in found.get_columns(table)],
            found.get_pk_constraint(table)["constrained_columns"],
            sorted((each["constrained_columns"], each["referred_table"], each["referred_columns"])
                   for each in found.get_foreign_keys(table)),
            sorted((each["name"], each["column_names"]) for each in found.get_unique_constraints(table)),
            sorted((each["name"], each["column_names"], bool(each["unique"]))
                   for each in found.get_indexes(table)),
        ]
        for table in sorted(TABLES)
    }  # fmt: skip


def test_the_migrations_are_one_line() -> None:
    """There is one first and one last migration, and the last one is the version that the store works
    with."""
    scripts = ScriptDirectory.from_config(settings())
    assert scripts.get_bases() == ["0001"]
    assert scripts.get_heads() == [SCHEMA]


def test_a_new_store_is_at_the_last_migration(store: Store) -> None:
    """What `Store.create` makes has the version of the last migration, and all tables."""
    assert store.version() == SCHEMA
    assert tables(store) == TABLES


def test_migrations_go_both_ways(store: Store) -> None:
    """Downgrading takes away every table, upgrading brings them back, and a game can be begun in them."""
    migrate(store, "base")
    assert tables(store) == set() and store.version() is None
    migrate(store, "head")
    assert tables(store) == TABLES and store.version() == SCHEMA
    begin(store)
    assert verify_game(store).wrong == []
    with store.transaction() as session:
        assert game_ids(session) == ["toy"]


def test_the_migrations_make_what_the_tables_declare(store: Store) -> None:
    """Alembic has nothing to add to a migrated store: no column, type, default or index."""
    migrate(store, "base")
    migrate(store, "head")
    with store.engine.connect() as connection:
        assert differences(connection) == []


def test_a_difference_is_found(store: Store) -> None:
    """A column that only the database has, or another type, is noticed by the test above."""
    with store.engine.begin() as connection:
        connection.execute(text("ALTER TABLE seat ADD COLUMN shoe VARCHAR"))
        connection.execute(text("DROP INDEX journal_phase"))
    with store.engine.connect() as connection:
        assert sorted(each[0] for each in differences(connection)) == ["add_index", "remove_column"]


def test_keys_are_those_of_the_tables(store: Store) -> None:
    """Primary and foreign keys, which alembic does not compare, and the order of the columns are those of
    tables made from the declarations."""
    migrate(store, "base")
    migrate(store, "head")
    with store.engine.connect() as connection:
        migrated = described(connection)
    migrate(store, "base")
    with store.engine.begin() as connection:
        SQLModel.metadata.create_all(connection)
        assert described(connection) == migrated


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A game file whose version is still to be written."""
    path = tmp_path / "other.pbem"
    Store.create(path).close()
    return path


def say_version(path: Path, version: str) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()


def test_a_game_file_of_an_earlier_version_is_not_opened(other: Path) -> None:
    """The error names the command that upgrades it."""
    say_version(other, "0000")
    with pytest.raises(StoreError, match=r"has version 0000, .* run pbem db upgrade"):
        Store.open(other)


def test_a_game_file_of_a_later_version_is_left_alone(other: Path) -> None:
    """This pbem neither opens nor upgrades it, and says what helps."""
    say_version(other, "9999")
    for use in (Store.open, Store.create):
        with pytest.raises(StoreError, match=r"has version 9999, .* install a later pbem"):
            use(other)
