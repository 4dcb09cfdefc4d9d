"""N20 Observers: what both sides know, each turn once, as late as all who play have been told."""

from __future__ import annotations

from pathlib import Path

import pytest
from postbox import HOUR, NOW, Postbox, begin

from pbem.service import people
from pbem.service.deadline import act
from pbem.service.hosting import carry_out
from pbem.service.letters.proof import check_letters, letter_text
from pbem.service.start import Player
from pbem.service.store import OutboxRow, Store, StoreError
from pbem.service.verify import verify_game

ED = "ed@x.example"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game with an observer, before its first move."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store, blue=Player("Bob", "bob@mail.example"))
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    carry_out(store, "toy", NOW, lambda t: people.add_staff(t, "observer", f"Ed <{ED}>", by="host", why=""))
    return box


def delayed(box: Postbox, delay: str) -> None:
    carry_out(box.store, "toy", NOW, lambda t: people.set_delay(t, "observer", delay, by="host", why=""))


def played(box: Postbox) -> list[tuple[int, OutboxRow]]:
    """Play to the end by missed deadlines; the letters to the observer, each with the turn it came in."""
    found: list[tuple[int, OutboxRow]] = []
    for step in range(30):
        last = box.last()
        if box.row().status == "over":
            break
        act(box.store, None, NOW + (step + 1) * 200 * HOUR, force=True)
        found += [(box.phase().turn, row) for row in box.outbox(ED, after=last)]
    assert box.row().status == "over"
    return found


def words(row: OutboxRow) -> str:
    """What a letter says before its proof lines."""
    return "\n".join(letter_text(row.raw)).partition("== proof ==")[0]


def test_everything_comes_at_the_end(box: Postbox) -> None:
    """Without a delay one letter comes, when the game is over: the result, the log of both sides, the map."""
    assert "learns everything when the game is over" in " ".join(box.texts("rita@mail.example")[-1].split())
    [(_, row)] = played(box)
    text = words(row)
    assert row.subject == "[toy] The game is over" and "Result: " in text and "Turn 1, Clash" in text
    assert b"map.png" in row.raw
    assert check_letters([(row.key, row.raw)]).wrong == [] and verify_game(box.store).wrong == []


def test_each_turn_comes_once_as_late_as_settled(box: Postbox) -> None:
    """With a delay of one turn, turn 1 comes when turn 2 has ended, and nothing younger with it."""
    delayed(box, "1")
    assert "1 turn after it has ended" in " ".join(box.texts("bob@mail.example")[-1].split())
    letters = played(box)
    subjects = [row.subject for _, row in letters]
    assert subjects[0] == "[toy] What both sides know of turn 1" and letters[0][0] == 3
    assert "Turn 2" not in words(letters[0][1])
    assert subjects[-1] == "[toy] The game is over" and len(subjects) == len(set(subjects))
    assert "Turn 1, Clash" not in words(letters[-1][1])


@pytest.mark.parametrize("delay", ["0", "-1", "soon", "100"])
def test_a_delay_is_a_number_of_turns(box: Postbox, delay: str) -> None:
    with pytest.raises(StoreError, match="write a number of turns from 1 to 99, or end"):
        delayed(box, delay)


def test_only_an_observer_has_a_delay(box: Postbox) -> None:
    with pytest.raises(StoreError, match="red is no observer"):
        carry_out(box.store, "toy", NOW, lambda t: people.set_delay(t, "red", "2", by="host", why=""))
