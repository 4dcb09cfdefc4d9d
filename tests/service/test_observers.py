"""N20 Observers: what both sides know, each turn once, as late as all who play have been told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from postbox import HOUR, NOW, Postbox, begin

from pbem.service.letters import observers, reports
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.moderating.rulings.ruling import rule
from pbem.service.moderating.start import Player
from pbem.service.play.steps import Step
from pbem.service.proof.lines import check_letters, letter_proof, letter_text
from pbem.service.proof.verify import verify_game
from pbem.service.record.errors import StoreError
from pbem.service.record.rows import OutboxRow, StaffRow
from pbem.service.record.store import Store, only_game
from pbem.service.record.table import Table
from pbem.service.record.turn_dice import Roll
from pbem.service.time.deadline import act
from pbem.service.tools.transfer import COLUMNS

ED = "ed@x.example"
HOW = {"by": "host", "why": ""}


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    """The toy game with an observer, before its first move."""
    store = Store.create(tmp_path / "toy.pbem")
    begin(store, blue=Player("Bob", "bob@mail.example"))
    box = Postbox(store, "toy", "pbem@host.example", NOW)
    carry_out(store, "toy", NOW, lambda t: people.add_staff(t, "observer", f"Ed <{ED}>", by="host", why=""))
    return box


def delayed(box: Postbox, delay: str) -> None:
    carry_out(box.store, "toy", NOW, lambda t: people.set_delay(t, "observer", delay, **HOW))


def add(box: Postbox, delay: str, who: str, role: str = "observer") -> None:
    carry_out(box.store, "toy", NOW, lambda t: people.add_staff(t, role, who, delay=delay, **HOW))


def end_turns(box: Postbox, turns: int) -> None:
    """Let deadlines pass until this many turns have ended."""
    end = box.phase().turn + turns
    while box.phase().turn < end:
        box.now += 200 * HOUR
        act(box.store, None, box.now, force=True)


def flat(text: str) -> str:
    return " ".join(text.split())


def proof_lines(row: OutboxRow) -> list[str]:
    return letter_proof(row.raw)[1:]


def links(box: Postbox, last: int) -> list[str]:
    """The proof lines of the links up to a turn."""
    with box.store.transaction() as session:
        chain = Table(session, only_game(session, "toy"), NOW).dice.chain
        return [f"link {number} {chain.link(number).hex()}" for number in range(last + 1)]


def all_rolls(box: Postbox) -> list[Roll]:
    with box.store.transaction() as session:
        return Table(session, only_game(session, "toy"), NOW).dice.rolls(sealed=True)


def played(box: Postbox) -> list[tuple[int, OutboxRow]]:
    """Play to the end by missed deadlines; the letters to the observer, each with the turn it came in."""
    found: list[tuple[int, OutboxRow]] = []
    for _ in range(30):
        last = box.last()
        if box.row().status == "over":
            break
        box.now += 200 * HOUR
        act(box.store, None, box.now, force=True)
        found += [(box.phase().turn, row) for row in box.outbox(ED, after=last)]
    assert box.row().status == "over"
    return found


def words(row: OutboxRow) -> str:
    """What a letter says before its proof lines."""
    return "\n".join(letter_text(row.raw))


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


def test_the_delay_may_be_settled_when_he_is_added(box: Postbox) -> None:
    """He is told at once when he will read what, and so are players and moderators, by letter and digest."""
    add(box, "2", "Fred <fred@x.example>")
    reads = "reads what both sides know of each turn 2 turns after it has ended"
    text = flat(box.texts("fred@x.example")[0])
    assert f"You are observer of this game from now on. An observer {reads}." in text and "STATUS" in text
    box.digests()
    for reader in ("rita@mail.example", "bob@mail.example", "mod@host.example"):
        assert f"Fred is observer of this game from now on, and {reads}" in flat(box.texts(reader)[-1])
    with box.store.transaction() as session:
        lines = people.listed(Table(session, only_game(session, "toy"), NOW))
    assert [line for line in lines if "fred@x.example" in line and reads in line]


def test_who_takes_a_seat_later_reads_of_observers_in_the_first_letter(box: Postbox) -> None:
    carry_out(box.store, "toy", NOW, lambda t: people.replace(t, "blue", "Cem <cem@x.example>", **HOW))
    text = flat(box.texts("cem@x.example")[0])
    assert "observer Ed, who learns everything when the game is over, and nothing secret before" in text


def test_who_is_added_late_reads_at_once_what_is_old_enough(box: Postbox) -> None:
    """In turn 3, with a delay of one turn, turn 1 comes with the appointment; when all is over, all does."""
    end_turns(box, 2)
    add(box, "1", "Fred <fred@x.example>")
    subjects = [row.subject for row in box.outbox("fred@x.example")]
    assert subjects == [
        "[toy] You are observer of this game from now on",
        "[toy] What both sides know of turn 1",
    ]
    played(box)
    add(box, "end", "Gerd <gerd@x.example>")
    assert box.outbox("gerd@x.example")[-1].subject == "[toy] The game is over"


def test_a_letter_proves_the_dice_of_its_turns_and_no_others(box: Postbox) -> None:
    """It has the links up to its last turn alone: with a later one dice could be foreseen or orders guessed.
    At the end it proves all of them."""
    delayed(box, "1")
    letters = [row for _, row in played(box)]
    first = proof_lines(letters[0])
    assert [line for line in first if line.startswith("link ")] == links(box, 1)
    rolls = [line for line in first if re.match(r"R\d+ ", line)]
    assert rolls and all(" t1." in line for line in rolls)
    found = check_letters([(row.key, row.raw) for row in letters[:1]])
    assert (found.wrong, found.pending) == ([], []) and found.rolls == len(rolls)
    whole = check_letters([(letters[-1].key, letters[-1].raw)])
    assert (whole.wrong, whole.pending) == ([], []) and whole.rolls == len(all_rolls(box))


def test_a_turn_that_a_ruling_goes_back_to_is_told_again(box: Postbox) -> None:
    """He reads it once more as it is played then, and the moderator reads that he knew of it before."""
    delayed(box, "1")
    end_turns(box, 2)
    ruled = rule(box.store, "toy", "back", "turn 1", by="host", why="agreed", now=box.now + 500 * HOUR)
    assert [leak.subject for leak in ruled.leaks if leak.seat == "observer"] == [
        "[toy] What both sides know of turn 1"
    ]
    with box.store.transaction() as session:
        told = session.get_one(StaffRow, ("toy", "observer")).told
    assert COLUMNS["told"](told) == {"over": False, "back": 1}
    last = box.last()
    played(box)
    again = box.outbox(ED, after=last)
    assert again[0].subject == "[toy] What both sides know of turn 1"
    assert "Ruling 1 has gone back to turn 1: this is how it was played then." in flat(words(again[0]))
    assert "Ruling 1" not in words(again[-1])
    assert check_letters([(row.key, row.raw) for row in box.outbox(ED)]).wrong == []
    assert verify_game(box.store).wrong == []


def test_a_ruling_on_a_turn_that_he_has_not_read_is_no_leak(box: Postbox) -> None:
    delayed(box, "1")
    end_turns(box, 2)
    ruled = rule(box.store, "toy", "back", "turn 2", by="host", why="agreed", now=box.now + 500 * HOUR)
    assert "observer" not in [leak.seat for leak in ruled.leaks]


def test_a_failure_in_between_neither_doubles_nor_loses_a_letter(
    box: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His letter is written with what ends the turn, or neither is."""
    delayed(box, "1")
    end_turns(box, 1)

    def fail(table: Table, last: Step) -> None:
        observers.tell_observers(table, last)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(reports, "tell_observers", fail)
        end_turns(box, 1)
    assert box.phase().turn == 2 and [row.kind for row in box.outbox(ED)] == ["seat", "seat"]
    end_turns(box, 1)
    assert [row.kind for row in box.outbox(ED)] == ["seat", "seat", "observer"]


@pytest.mark.parametrize("delay", ["0", "-1", "soon", "100"])
def test_a_delay_is_a_number_of_turns(box: Postbox, delay: str) -> None:
    with pytest.raises(StoreError, match="write a number of turns from 1 to 99, or end"):
        delayed(box, delay)


def test_only_an_observer_has_a_delay(box: Postbox) -> None:
    with pytest.raises(StoreError, match="a moderator has no delay"):
        add(box, "2", "Fred <fred@x.example>", "moderator")
    with pytest.raises(StoreError, match="red is no observer"):
        carry_out(box.store, "toy", NOW, lambda t: people.set_delay(t, "red", "2", by="host", why=""))
