"""Games that releases of pbem have stored (`data/game-*.sql`) are opened, proved and played by this one.

A file that does not pass is never written anew: see "What may change" in pbem/games/README.md.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from conftest import HOUR
from postbox import Postbox
from stored_game import DATA, play

from pbem.mail.transport import FolderTransport
from pbem.service.intake.outbox import send_pending
from pbem.service.proof.lines import check_files
from pbem.service.proof.verify import compare, verify_game
from pbem.service.record.store import SCHEMA, Store
from pbem.service.tools.new_rules import upgrade

STORED = sorted(DATA.glob("game-*.sql"))
RED = "rita@mail.example"
LARGEST = 150_000


@pytest.fixture(params=STORED, ids=lambda path: path.stem)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Postbox:
    """The game of a release, upgraded as `pbem db upgrade` does."""
    path = tmp_path / "stored.pbem"
    file = sqlite3.connect(path)
    file.executescript(request.param.read_text(encoding="utf-8"))
    file.close()
    Store.create(path).close()
    return Postbox(Store.open(path), "toy", "pbem@host.example")


def test_there_is_one_of_the_first_release() -> None:
    assert DATA / "game-0.1.0.sql" in STORED
    assert all(path.stat().st_size <= LARGEST for path in STORED)


def test_it_opens_with_all_that_is_in_it(stored: Postbox) -> None:
    """Seats, standing orders, the draft on the sheet, letters and journal are as they were stored."""
    assert stored.store.version() == SCHEMA
    assert stored.row().status == "running" and stored.row().phase == 5
    assert [line["text"] for line in stored.seat("red").sheet["lines"]] == ["move R2 to 0302"]
    assert len(stored.seat("blue").standing) == 1 and stored.seat("blue").bot == "random"
    kinds = [row.kind for row in stored.journal()]
    assert {"start", "answer", "salt", "end", "press"} <= set(kinds)
    assert len(stored.outbox()) == 4


def test_it_replays_with_the_same_hashes(stored: Postbox) -> None:
    """The rules of this version ask the same, tell the same facts and come to the same states, in all four
    phases that have ended and the one that is being played."""
    compared = compare(stored.store)
    assert compared.phases == [row.kind for row in stored.journal()].count("end") == 4
    assert not any("not compared" in line for line in compared.lines())
    assert verify_game(stored.store).wrong == []
    assert [found.verdict for found in upgrade(stored.store, None, stored.now, dry_run=True)] == ["same"]


def test_its_letters_verify(stored: Postbox, tmp_path: Path) -> None:
    """Signatures, order lines and dice of its letters are right."""
    folder = tmp_path / "letters"
    folder.mkdir()
    for row in stored.outbox(RED):
        (folder / f"{row.id}.eml").write_bytes(row.raw)
    found = check_files([folder])
    assert found.wrong == [] and found.rolls == 1


def test_it_is_played_on(stored: Postbox, tmp_path: Path) -> None:
    """The draft is played when its writer closes it, and the letters written by this version fit those
    before."""
    stored.now = stored.journal()[-1].at + HOUR
    assert stored.mail("red", "done\n").outcome == "accepted"
    assert stored.row().phase > 5
    assert "carried out  L3 move R2 to 0302" in stored.texts(RED)[-1]
    assert verify_game(stored.store).wrong == []
    folder = tmp_path / "letters"
    send_pending(stored.store, FolderTransport(folder), stored.now)
    for seat in (RED, "bob@mail.example"):
        mine = [file for file in folder.rglob("*.eml") if seat.encode() in file.read_bytes()]
        assert mine == [] or check_files(mine).wrong == []


def test_the_game_to_store_is_that_of_this_version(tmp_path: Path) -> None:
    """What `stored_game.py` writes for the next release is a whole game."""
    path = tmp_path / "next.pbem"
    play(path)
    assert verify_game(Store.open(path)).wrong == []
