"""Games under other rules than those they began with: what `pbem rules` finds, writes down and tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import HOUR, NOW, begin
from postbox import Postbox
from sqlalchemy import text

from pbem.cli import main
from pbem.service.proof.verify import verify_game
from pbem.service.record.store import Store
from pbem.service.tools.new_rules import Upgraded, upgrade

LATER = NOW + 20 * HOUR


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game, begun under version 0.9 of its rules, waiting for blue to decide who goes back."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store)
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    box.mail("red", "move R1 to 0201\ndone\n")
    box.mail("blue", "no orders\n")
    assert box.questions("blue") == [1]
    alter(box, "UPDATE game SET rules = '0.9'")
    return box


def alter(box: Postbox, statement: str) -> None:
    with box.store.engine.begin() as connection:
        connection.execute(text(statement))


def other_past(box: Postbox) -> None:
    """Red's march came out otherwise under the rules that recorded it."""
    alter(box, "UPDATE phase SET state_hash = 'beef' WHERE number = 2")


def upgraded(box: Postbox, *, dry_run: bool = False) -> Upgraded:
    (found,) = upgrade(box.store, None, LATER, dry_run=dry_run)
    return found


def noted(box: Postbox) -> list[dict[str, str]]:
    return [row.answer for row in box.journal() if row.asked == "upgrade"]


def test_a_game_that_comes_out_the_same_is_marked(box: Postbox) -> None:
    """It is an event of the journal; the players need not be written to."""
    last = box.last()
    found = upgraded(box)
    assert (found.stored, found.now, found.verdict, found.done) == ("0.9", "1", "same", True)
    assert box.row().rules == "1" and box.last() == last
    assert (noted(box)[0]["from"], noted(box)[0]["to"]) == ("0.9", "1")
    assert not upgraded(box).done and len(noted(box)) == 1
    assert verify_game(box.store, "toy").wrong == []


def test_a_game_that_comes_out_otherwise_goes_on_under_the_old_result(box: Postbox) -> None:
    """What was recorded stands, the players are told once, and the game can be played to its end."""
    other_past(box)
    last = box.last()
    found = upgraded(box)
    assert found.verdict == "differs" and found.done and "turn 1, phase 2, t1.red_march" in found.difference
    assert box.row().rules == "0.9" and noted(box)[0]["difference"] == found.difference
    letters = box.outbox(after=last)
    assert sorted(row.seat for row in letters) == ["blue", "red"]
    told = " ".join(box.texts("bob@mail.example", last)[0].split())
    assert "Version 1 of the rules applies from Turn 1, Clash on. What was played before stands" in told
    assert "beef" not in told
    assert not upgraded(box).done and box.last() == max(row.id or 0 for row in letters)
    box.mail("blue", "Q1: a\n")
    assert box.phase().label == "t2.red_march"


def test_a_running_phase_that_comes_out_otherwise_is_left_alone(box: Postbox) -> None:
    alter(box, "UPDATE journal SET asked = 'other|d6|die|1' WHERE phase = 4 AND kind = 'answer' AND number = "
               "(SELECT MIN(number) FROM journal WHERE phase = 4 AND kind = 'answer')")  # fmt: skip
    found = upgraded(box)
    assert found.verdict == "stuck" and not found.done and "other|d6|die|1" in found.difference
    assert box.row().rules == "0.9" and noted(box) == []


def test_a_dry_run_writes_nothing(box: Postbox) -> None:
    other_past(box)
    last = box.last()
    found = upgraded(box, dry_run=True)
    assert found.verdict == "differs" and not found.done
    assert noted(box) == [] and box.last() == last and box.row().rules == "0.9"


def test_a_game_that_cannot_be_opened_does_not_hold_up_the_others(box: Postbox) -> None:
    begin(box.store, "another")
    alter(box, "UPDATE game SET game = 'gone' WHERE id = 'toy'")
    another, toy = upgrade(box.store, None, LATER)
    assert (another.game, another.verdict, toy.game, toy.verdict) == ("another", "same", "toy", "stuck")
    assert "gone" in toy.difference


@pytest.mark.parametrize(
    ("other", "args", "code", "verdict"),
    [(False, ["--dry-run"], 0, "same"), (True, ["--dry-run"], 1, "differs"), (True, [], 0, "differs")],
)
def test_the_exit_code_tells_of_differences(
    box: Postbox, other: bool, args: list[str], code: int, verdict: str
) -> None:
    if other:
        other_past(box)
    ran = CliRunner().invoke(main, ["rules", box.store.target, "--json", *args])
    assert ran.exit_code == code
    assert [each["verdict"] for each in json.loads(ran.stdout)] == [verdict]
