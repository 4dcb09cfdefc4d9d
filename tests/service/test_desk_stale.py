"""A letter of an order desk that comes when the game has moved on: it says for which turn it was written, and
names kept lines. Whatever its subject, it is told to be late, and plays and closes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import HOUR
from postbox import ID, PLAYERS, Postbox, copy_of, new_game, position, sent
from protocol_kit import ALLIED, closed, first_line, kept, told
from sizes import some

from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools.queries import desk_page
from pbem.testing.post import put

PLANNED = "[movement]\n22/4 to 3726\n\n[movement 2]\n22/4 to 3727\n"
"""The lines L1 and L2, kept before the page is made."""

AFTER = "\n[turn 2 combat]\nno orders\n"
"""What the page says of the next section, which is open."""


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return copy_of(asked, tmp_path / "normandy.pbem")


def asked(path: Path) -> Postbox:
    """Normandy (1971) in turn 2: the Allied player has been asked for [movement] by letter."""
    box = Postbox.started(Store.create(path), new_game())
    put(box.store, ID, position("greedy", "1", ALLIED), PLAYERS)
    sent(box.store, box.now)
    box.mail("allied", PLANNED)
    return box


def data(box: Postbox) -> dict[str, Any]:
    """What the page of the Allied player holds."""
    page: Any = re.search(r'id="data">(.*?)</script>', desk_page(box.store, box.game, "allied"), re.DOTALL)
    found: dict[str, Any] = json.loads(page[1])
    return found


def play(box: Postbox) -> None:
    """Another letter plays [movement]."""
    box.mail("allied", "[movement]\ndone\n")
    assert box.phase().label == "t2.allied_combat"


def to_next_turn(box: Postbox) -> None:
    """Deadlines pass until the Allied player is asked for [movement] of turn 3, and a letter is answered."""
    for step in range(1, 30):
        if box.phase().label == "t3.allied_movement":
            box.mail("allied", "status\n")
            return
        act(box.store, ID, box.now + 100 * step * HOUR, force=True)
    raise AssertionError("turn 3 does not come")


def deliver(box: Postbox, body: str, subject: str) -> str:
    """The reply to a letter of the page. Nothing is played or closed because of it."""
    before = (box.phase().label, closed(box, "allied"), len(box.journal()))
    reply = told(box, "allied", body, subject=subject)
    assert (box.phase().label, closed(box, "allied"), len(box.journal())) == before
    return reply


def test_the_letter_has_the_subject_of_the_letter_it_was_made_beside(box: Postbox) -> None:
    """So that it answers that letter."""
    page = data(box)
    subjects = [row.subject for row in box.outbox(box.address("allied"))]
    assert page["turn"] == 2 and page["subject"].removeprefix("Re: ") in subjects


@pytest.mark.parametrize("after", ["", AFTER])
def test_a_letter_for_what_was_played_is_late_by_its_subject(box: Postbox, after: str) -> None:
    """(a) A new mail with the subject of the page, which leaves the next section open, too."""
    subject = data(box)["subject"]
    play(box)
    before = kept(box, "allied")
    reply = deliver(box, f"[turn 2 movement]\n743 to 4028\ndone\n{after}", subject)
    assert first_line(reply).startswith("You were late: 1 line was not used.")
    assert "[movement] of turn 2 was played" in reply and kept(box, "allied") == before
    assert ("[combat] stays open: part of your email arrived too late." in reply) == bool(after)


@pytest.mark.parametrize("after", ["", AFTER])
def test_a_letter_for_what_was_played_is_refused_without_a_subject(box: Postbox, after: str) -> None:
    """(b) Nothing says which letter it answers, but its section is over; the next one stays open, since its
    writer did not know that."""
    play(box)
    before = kept(box, "allied")
    reply = deliver(box, f"[turn 2 movement]\n743 to 4028\ndone\n{after}", "")
    assert first_line(reply).startswith("1 line was refused.")
    assert "[movement] of turn 2 was played" in reply and kept(box, "allied") == before
    stays = "[combat] stays open: part of your email is for [movement], which has been played."
    assert (stays in reply) == bool(after)


def test_done_anyway_goes_ahead_without_what_was_played(box: Postbox) -> None:
    play(box)
    reply = told(box, "allied", "[turn 2 movement]\n743 to 4028\n\n[turn 2 combat]\ndone anyway\n")
    assert "Played: Allied combat." in reply and box.phase().label == "t2.allied_reinforcement"


@pytest.mark.parametrize(
    "body", some(["743 to 4028\ndone", "no orders", "L1: 22/4 to 3727\ndone", "withdraw L1"], 2)
)
def test_a_letter_of_an_earlier_turn_is_told_so(box: Postbox, body: str) -> None:
    """(c) The same section is open again, in another turn; there is no subject."""
    play(box)
    to_next_turn(box)
    reply = deliver(box, f"[turn 2 movement]\n{body}\n{AFTER}", "")
    assert "turn 2 is not the one being played" in reply
    assert set(box.seat("allied").sheet["closed"]) == set()
    assert all(line["state"] == "faulty" for line in box.seat("allied").sheet["lines"])


def test_a_letter_of_an_earlier_turn_is_late_by_its_subject(box: Postbox) -> None:
    """(c) With the subject of the page nothing is kept."""
    subject = data(box)["subject"]
    play(box)
    to_next_turn(box)
    reply = deliver(box, f"[turn 2 movement]\n743 to 4028\ndone\n{AFTER}", subject)
    assert first_line(reply).startswith("You were late: 1 line was not used.") and not kept(box, "allied")


@pytest.mark.parametrize("with_subject", [True, False])
@pytest.mark.parametrize(
    ("line", "says"),
    some(
        [
            ("L1: 22/4 to 3727", "[movement] of turn 2 was played"),
            ("after L1: 743 to 4028", "[movement] of turn 2 was played"),
            ("withdraw L1", "L1 is no longer on your sheet: it was played or withdrawn"),
            ("after L1: L2", "L1 is no longer on your sheet: it was played or withdrawn"),
            ("L1: 22/4 stays", "L1 is no longer on your sheet: it was played or withdrawn"),
        ],
        2,
    ),
)
def test_a_line_that_was_played_does_not_change(
    box: Postbox, line: str, says: str, with_subject: bool
) -> None:
    """To replace it, to withdraw it, to put a line behind it: the reply says why it is not there, and the
    rest of the letter waits."""
    subject = data(box)["subject"] if with_subject else ""
    play(box)
    before = kept(box, "allied")
    assert list(before) == ["L2"]
    reply = deliver(box, f"[turn 2 movement]\n{line}\ndone\n{AFTER}", subject)
    assert says in reply and "[combat] stays open: " in reply and kept(box, "allied") == before


def test_a_line_that_was_played_is_no_place_in_another_section(box: Postbox) -> None:
    """The new line is kept, to be corrected: it is not put anywhere else."""
    play(box)
    reply = deliver(box, "[turn 2 movement 2]\nafter L1: 22/4 to 3727\ndone\n", "")
    assert "L1 is no longer on your sheet: it was played or withdrawn" in reply
    assert "1 line to correct in [movement 2]." in first_line(reply)


@pytest.mark.parametrize("answers", ["nothing", "a later letter"])
def test_the_line_above_the_letter_says_when_it_was_written(box: Postbox, answers: str) -> None:
    """What the page writes above its letter counts where a mail answers nothing, and where it is put into the
    reply to a letter about another phase. It is not read as anything else."""
    beside = data(box)["beside"]
    assert beside == f"Re: [{ID}] - T2 Allied first movement"
    play(box)
    before = kept(box, "allied")
    later = box.outbox(box.address("allied"))[-1]
    headers = [f"In-Reply-To: {later.message_id}"] if answers != "nothing" else []
    body = f"{beside}\n\n[turn 2 movement]\n743 to 4028\ndone\n{AFTER}"
    asked = (box.phase().label, closed(box, "allied"))
    reply = told(box, "allied", body, subject="orders", headers=headers)
    assert first_line(reply).startswith("You were late: 1 line was not used.")
    assert (box.phase().label, closed(box, "allied")) == asked and kept(box, "allied") == before
    assert "T2 Allied first movement" not in reply.partition("Receipt")[0]


def test_the_line_above_a_letter_in_time_changes_nothing(box: Postbox) -> None:
    """A letter of this phase is played; the line is neither listed nor kept."""
    beside = data(box)["beside"]
    reply = told(box, "allied", f"{beside}\n\n[turn 2 movement]\ndone\n", subject="")
    assert "Played: Allied first movement." in first_line(reply) and "About your email" not in reply


def test_a_letter_for_another_game_plays_nothing(box: Postbox) -> None:
    """The letter of a page of another game that is sent to this one: none of its lines counts, whatever they
    would mean here, and it is said which game it is for."""
    before, asked = kept(box, "allied"), (box.phase().label, closed(box, "allied"))
    reply = told(box, "allied", f"Re: [caen] - T2 Allied movement\n\n[movement]\n743 to 4028\ndone\n{AFTER}")
    assert first_line(reply).startswith("Nothing in this email was read.")
    assert "order desk of game caen" in first_line(reply)
    assert kept(box, "allied") == before and (box.phase().label, closed(box, "allied")) == asked
