"""The library of rulings: what moderators have ruled in games that are over, by case and by words."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import HOUR, NOW, begin
from postbox import Postbox
from test_rulings import played, ruled
from test_staff_mail import told

from pbem.service.moderating import library
from pbem.service.moderating.ending import end
from pbem.service.moderating.hosting import carry_out
from pbem.service.record.store import Store
from tests.cli.test_commands import ok


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A toy game with three rulings that is over."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store)
    played(store)
    ruled(store, "uphold", "R1")
    ruled(store, "set", "R1", "5")
    ruled(store, "strike", "J5")
    carry_out(store, "toy", NOW, lambda table: end(table, "draw", by="host", why="agreed"))
    return store


def found(store: Store, words: str = "", rules: str = "") -> list[str]:
    return [each.ruled.about for each in library.find(store, words, rules)]


def test_by_case_and_by_words(store: Store) -> None:
    assert found(store) == ["R1", "R1", "J5"]
    assert found(store, "3.1") == found(store, "3") == ["R1", "R1"]
    assert found(store, "9.2") == found(store, rules="rampage") == []
    assert found(store, "counts fell") == ["R1"]
    assert found(store, "struck AGREED") == ["J5"]
    lines = library.told(library.find(store, "counts"))
    assert lines == [
        "[3.1] The clash: game toy, R1, 7 June 2026",
        "     R1 counts as 5 (it fell 4)",
        "     Reason: as agreed",
    ]


def test_games_that_run_are_left_out(store: Store) -> None:
    """What was ruled there may be a secret; its own moderator finds it."""
    begin(store, "mill")
    box = Postbox(store, "mill", "pbem@host.example", NOW + HOUR)
    box.mail("red", "move R1 to 0201\nmove R2 to 0103\ndone\n")
    box.mail("blue", "move B1 to 0402\ndone\n")
    told(box, "mill: UPHOLD R1 because nothing was wrong\n")
    assert len(found(store)) == 3
    box.mail("red", "rulings 3.1\n")
    text = " ".join(box.texts(box.address("red"))[-1].split())
    assert "game toy, R1" in text and "nothing was wrong" not in text
    assert "Rulings of moderators in games that are over on 3.1" in text
    both = " ".join(told(box, "mill: RULINGS 3.1\n").split())
    assert "game mill, R1" in both and "nothing was wrong" in both and "game toy, R1" in both
    assert "There are none" in told(box, "mill: RULINGS bridge\n")


def test_on_the_command_line(store: Store, tmp_path: Path) -> None:
    store.close()
    shown = ok("rule", "find", tmp_path / "toy.pbem", "counts")
    assert shown.splitlines()[1].strip() == "R1 counts as 5 (it fell 4)"
    assert shown.splitlines()[-2].startswith(
        "Found 1 ruling on counts; searched 3 rulings in 1 game that is over"
    )
    assert "cite one in your reason: pbem rule uphold FILE R1 --why" in shown.splitlines()[-1]
    assert "there is none" in ok("rule", "find", tmp_path / "toy.pbem", "bridge")
    none = ok("rule", "find", tmp_path / "toy.pbem", "bridge", "--rules", "falaise")
    assert "there is none on bridge; searched 0 rulings in 0 games of falaise that are over." in none
    assert "Rulings of running games are not searched" in none
