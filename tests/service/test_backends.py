"""The same game on SQLite and on PostgreSQL, and letters that come at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import NOW, POSTGRES, schema
from postbox import ID, PLAYERS, Postbox, new_game
from sqlmodel import col, select

from pbem.mail.transport import FolderTransport
from pbem.service.intake.outbox import send_pending
from pbem.service.intake.receive import receive
from pbem.service.moderating.seats import hand_to_bot
from pbem.service.proof.lines import check_files
from pbem.service.proof.verify import replay, verify_game
from pbem.service.record.rows import GameRow
from pbem.service.record.store import Store


def play_to_the_end(store: Store, folder: Path) -> Postbox:
    """A game of Normandy, its seats played by bots in turn. What it writes to the Allied player and to the
    moderator is sent into a folder at the end."""
    box = Postbox.started(store, new_game("7", players={"allied": PLAYERS["allied"]}))
    hand_to_bot(store, ID, "german", "greedy", box.now)
    box.mail("allied", "[plan]\ndefault\ndone\n")
    while True:
        for idle, playing in (("german", "allied"), ("allied", "german")):
            hand_to_bot(store, ID, idle, "none", box.now)
            hand_to_bot(store, ID, playing, "greedy", box.now)
            if box.row().status != "running":
                send_pending(store, FolderTransport(folder), box.now)
                return box


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the game on SQLite has sent."""
    return tmp_path_factory.mktemp("sent")


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory, sent: Path) -> Postbox:
    return play_to_the_end(Store.create(tmp_path_factory.mktemp("backends") / "game.pbem"), sent)


@pytest.fixture
def postgres() -> Iterator[Store]:
    if not POSTGRES:
        pytest.skip("PBEM_TEST_POSTGRES names no PostgreSQL server")
    yield from schema()


def end(box: Postbox) -> tuple[str, list[str], list[tuple[str, str]]]:
    """What two games have in common if they are the same: journal hash, state hashes, letters."""
    journal = box.journal()
    hashes = [str(row.answer) for row in journal if row.kind == "end"]
    return journal[-1].hash, hashes, [(row.key, row.recipient) for row in box.outbox()]


@pytest.mark.dear
def test_a_whole_game_is_stored_and_proved(on_sqlite: Postbox, sent: Path) -> None:
    """A game played to its end through the store can be replayed and verified, as can the letters of its one
    player alone."""
    assert on_sqlite.row().status == "over"
    assert verify_game(on_sqlite.store).wrong == []
    assert len(list(replay(on_sqlite.store))) == 57
    found = check_files([sent])
    assert found.wrong == [] and found.pending == [] and found.rolls >= 30
    last = (proof for proof in reversed(on_sqlite.proofs()) if " to allied\n" in proof)
    assert "\nS t1.deployment|INV.1B|draw 6 of A,B,C,D,E,F|" in next(last)


@pytest.mark.dear
def test_a_whole_game_is_the_same_on_both_backends(
    on_sqlite: Postbox, postgres: Store, tmp_path: Path
) -> None:
    """Played alike on PostgreSQL, a game has the same journal, the same states, and the same letters byte for
    byte."""
    other = play_to_the_end(postgres, tmp_path)
    assert end(other) == end(on_sqlite)
    assert [row.raw for row in other.outbox()] == [row.raw for row in on_sqlite.outbox()]
    assert verify_game(postgres).wrong == []


def test_letters_that_come_at_the_same_time_are_all_kept(toy: Store) -> None:
    """Letters of one seat handled by several processes at once are taken one after another: none of their
    orders is lost."""
    box = Postbox(toy, "toy", "pbem@host.example", NOW)
    raws = [box.raw("red", f"draft\n{line}\n") for line in ("move R1 to 0201", "move R2 to 0202")]
    raws += [box.raw("red", f"salt number {number}\n") for number in range(4)]
    with ThreadPoolExecutor(len(raws)) as threads:
        outcomes = list(threads.map(lambda raw: receive(toy, raw, NOW).outcome, raws))
    assert outcomes == ["accepted"] * len(raws)
    lines = [line["text"] for line in box.seat("red").sheet["lines"]]
    assert sorted(lines) == ["move R1 to 0201", "move R2 to 0202"]
    assert sum(row.kind == "salt" for row in box.journal()) == 1  # one counts for each seat and phase
    assert verify_game(toy).wrong == []


def test_statements_are_compiled_once(store: Store) -> None:
    """Moments among the columns do not keep SQLAlchemy from knowing a statement again."""
    statement = select(GameRow).where(col(GameRow.created) <= NOW)
    compiled: dict[object, object] = {}
    with store.transaction() as session:
        for _ in range(2):
            session.execute(statement, execution_options={"compiled_cache": compiled})
    assert len(compiled) == 1
