"""A diary: what a player writes for himself. Nobody else learns of it, by no word and no byte, until the game
is over; then the replay shows it where it was written."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from conftest import HOUR, NOW
from postbox import Postbox
from protocol_kit import closed, first_line, flat, kept, told, toy_box

from pbem.service.letters import diary, mutes
from pbem.service.moderating import people
from pbem.service.moderating.hosting import carry_out
from pbem.service.record.store import Store
from pbem.service.time.deadline import act
from pbem.service.tools import transfer
from pbem.service.tools.queries import replay_page, tell
from pbem.testing.secrecy import covered_up

SECRET = "The left wing is bare."
BLOCK = f"diary:\nFirst line; # all signs\n\n{SECRET}\nmove R1 to 0201\nend diary\n"


@pytest.fixture
def box(tmp_path: Path) -> Postbox:
    return toy_box(tmp_path)


def sent_back(box: Postbox, seat: str) -> str:
    """The diary that a seat gets with DIARY; "" if none is attached."""
    last = box.last()
    box.mail(seat, "DIARY\n")
    (row,) = box.outbox(box.address(seat), last)
    mail = message_from_bytes(row.raw, policy=policy.default)
    found = [part for part in mail.iter_attachments() if (part.get_filename() or "").startswith("diary-")]
    return "".join(part.get_content() for part in found)


def played_out(box: Postbox) -> None:
    for step in range(24):
        if box.row().status == "over":
            return
        act(box.store, None, box.now + step * HOUR, force=True)


# --- what is written ----------------------------------------------------------------------------------------


def test_an_entry_is_a_line_or_a_block(box: Postbox) -> None:
    """Nothing in it is an order or a command; the reply does not repeat it, and DIARY sends it."""
    text = told(box, "red", f"diary: attack 0402? {SECRET}\nmove R2 to 0202\n")
    assert "Kept: your diary has 1 entry." in text and SECRET not in text
    assert kept(box, "red") == {"L1": "move R2 to 0202"}
    told(box, "red", BLOCK)
    assert kept(box, "red") == {"L1": "move R2 to 0202"}
    back = sent_back(box, "red")
    assert f"Turn 1, Sat 6 Jun 19:00 UTC\nattack 0402? {SECRET}\n" in back
    assert f"First line; # all signs\n\n{SECRET}\nmove R1 to 0201\n" in back
    assert sent_back(box, "blue") == ""


def test_a_block_without_an_end_closes_nothing(box: Postbox) -> None:
    text = told(box, "red", "move R1 to 0201\ndone\ndiary:\nSo far so good.\nend press\n")
    assert "the entry has no end: write END DIARY below it; nothing was kept" in text
    assert "the diary in this letter has no END DIARY" in first_line(text)
    assert closed(box, "red") == [] and sent_back(box, "red") == ""


@pytest.mark.parametrize(
    "line", ["Diary of a soldier is a book", "The diary: later", "diary keeping is dull"]
)
def test_chat_is_no_entry(box: Postbox, line: str) -> None:
    told(box, "red", f"{line}\n")
    assert sent_back(box, "red") == ""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            f"diary:\n{'x' * 500}\n{'x' * 500}\n{'x' * 999}\nend diary\n",
            "Not kept: an entry has at most 2000 characters, and this one has 2001.",
        ),
        ("diary:\nend diary\n", "Not kept: the entry is empty."),
        ("try\ndiary: x\n", "Not done: a letter with TRY changes nothing."),
        ("diary\n", "It is empty. DIARY: and your words write an entry."),
    ],
)
def test_what_is_not_kept(box: Postbox, body: str, why: str) -> None:
    assert why in told(box, "red", body)
    assert diary.entries(box.seat("red")) == []


def test_the_limit_of_a_turn(box: Postbox) -> None:
    for start in (0, 10, 20):
        text = told(box, "red", "".join(f"diary: entry {start + n}\n" for n in range(10)))
    assert "Not kept: the limit is 20 entries a turn." in text
    assert len(diary.entries(box.seat("red"))) == 20


def test_a_diary_is_its_writers(box: Postbox) -> None:
    """A substitute neither gets it nor adds to it; it moves with its writer's address."""
    how = {"by": "host", "why": ""}
    told(box, "red", f"diary: {SECRET}\n")
    carry_out(box.store, "toy", box.now, lambda t: people.set_address(t, "red", "rita@new.example", **how))
    assert SECRET in sent_back(box, "red")
    carry_out(box.store, "toy", box.now, lambda t: people.substitute(t, "red", "dora@mail.example", **how))
    assert sent_back(box, "red") == ""
    told(box, "red", "diary: Dora here.\n")
    carry_out(box.store, "toy", box.now, lambda t: people.give_back(t, "red", **how))
    back = sent_back(box, "red")
    assert SECRET in back and "Dora" not in back


# --- nobody learns of it ------------------------------------------------------------------------------------

LINES = (
    "move B1 to 0402\ndone\n",
    "undo\n",
    "status\nlog\nhistory\nluck\nsummary\norders\nundo\nreplay\n",
    "press red: well?\n",
    "try\nundo\n",
)
ASKED = ("STATUS", "LIST", "LOG", "MAP", "PEOPLE", "BECOME red", "SHOW 1")


def seen_by_others(path: Path, words: str) -> list[str]:
    """All that the opponent and the moderator are written about a game in which red writes his first letter
    in these words, then asks for what he has written, and all that the umpire's page tells."""
    path.mkdir()
    box = toy_box(path)
    box.mail("red", f"move R1 to 0201\ndone\n{words}")
    box.mail("red", "diary\n")
    for lines in LINES:
        box.mail("blue", lines)
    for line in ASKED:
        box.mail("moderator", f"{line}\n")
    box.digests()
    rows = [row for row in box.outbox() if row.recipient != box.address("red")]
    assert len(rows) > 8
    told = [f"{row.recipient} {row.subject} {covered_up(row.raw).decode()}" for row in rows]
    return [*told, *(str(tell(box.store, None, reader)) for reader in ("umpire", "blue", "red"))]


def test_nobody_else_learns_of_it(tmp_path: Path) -> None:
    """Two games alike but for what red writes for himself: every letter to others is the same byte for byte,
    also what the moderator reads of the letters from and to red."""
    one = seen_by_others(tmp_path / "one", f"diary: {SECRET}\n")
    two = seen_by_others(tmp_path / "two", "diary: Rain. Nothing to tell of, really nothing.\n")
    assert one == two and not any("left wing" in each for each in one)


def test_the_opponent_does_not_learn_that_there_is_one(tmp_path: Path) -> None:
    """Not even by the numbers of orders, which count the rows of the journal."""
    with_it = [each for each in seen_by_others(tmp_path / "one", BLOCK) if each.startswith("bob@")]
    without = [each for each in seen_by_others(tmp_path / "two", "") if each.startswith("bob@")]
    assert with_it == without and any(re.search(r"\bJ\d+\b", each) for each in with_it)


# --- the end ------------------------------------------------------------------------------------------------


def test_the_replay_opens_it_at_the_end(box: Postbox) -> None:
    """In the page of every reader, where it was written; until then in none, and never in that of a site."""
    told(box, "red", f"diary: {SECRET}\n")
    told(box, "red", "move R1 to 0201\ndone\n")
    told(box, "blue", "diary: We wait.\n")
    assert all(SECRET not in replay_page(box.store, None, reader)[0] for reader in ("umpire", "red", "blue"))
    played_out(box)
    for reader in ("umpire", "red", "blue"):
        page, story = replay_page(box.store, None, reader)
        assert page.index(SECRET) < page.index("We wait.") and "Diary of Red (Rita): " in page
        heads = [step.lines[0] for step in story.tracks[0].steps if step.lines]
        first, second = f"Diary of Red (Rita): {SECRET}", "Diary of Blue (Bob): We wait."
        moved = next(at for at, head in enumerate(heads) if "R1 goes to 0201" in head)
        assert heads.index(first) < moved < heads.index(second) < len(heads) - 1
    page, _ = replay_page(box.store, None, "umpire", diaries=False)
    assert "Diary of" not in page
    assert "Not kept: the game is over." in told(box, "red", "diary: one more\n")
    assert box.now > NOW and SECRET in flat(sent_back(box, "red"))


def test_it_is_exported_with_the_game(box: Postbox, tmp_path: Path) -> None:
    told(box, "red", f"diary: {SECRET}\n")
    box.mail("blue", "mute red\n")
    data = transfer.export(box.store, "toy")
    other = Store.create(tmp_path / "other.pbem")
    transfer.import_(other, data)
    there = Postbox(other, "toy", box.server, box.now)
    assert [each.text for each in diary.mine(there.seat("red"))] == [SECRET]
    assert mutes.is_muted(there.seat("blue"), there.seat("red"))
