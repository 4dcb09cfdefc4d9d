"""Words that players try by mail and that pbem does not have: each is answered with what it has, none acts,
and the moderator learns of letters in which nothing was read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from protocol_kit import flat, kept, new_game, normandy, told, toy_box

from pbem.engine.language.commands import FIRST_WORDS
from pbem.service.letters.ideas import IDEAS, idea, is_plea
from pbem.service.moderating.roles import COMMANDS
from pbem.service.record.rows import StaffRow
from pbem.service.tools import queries

MODERATOR = "mod@club.example"

SAID = [
    ("resign", "To be replaced, write PRESS moderator: and your words."),
    ("I quit.", "To be replaced, write PRESS moderator: and your words."),
    ("please unsubscribe me", "Letters stop when somebody else plays your side"),
    ("statistics", "STATUS sends the state of the game"),
    ("Note: today I lost a division", "DIARY: and your words keep a line for you alone."),
    ("diary I hope for rain", "DIARY: and your words keep a line for you alone."),
    ("report", "SUMMARY sends the game so far in about 20 lines, LOG what has happened in this turn"),
    ("the story", "SUMMARY sends the game so far"),
    ("vacation 1 July to 14 July", "EXTEND 2d because of ... proposes to put off the deadline."),
    ("I want to offer a draw", "PRESS german: your words"),
    ("odds 8/4 to 5230", "TRY, alone on a line above your orders"),
    ("web page", "DESK sends a page that writes your orders on a map"),
    ("can I click orders?", "DESK sends a page that writes your orders on a map"),
    ("app", "DESK sends a page that writes your orders on a map"),
    ("who is waiting?", "STATUS says who the game is waiting for"),
]


@pytest.mark.parametrize(("said", "says"), SAID)
def test_an_idea_is_answered_with_what_pbem_has(tmp_path: Path, said: str, says: str) -> None:
    """Nothing is done, kept or closed."""
    box = normandy(tmp_path)
    before = [row.kind for row in box.journal()]
    text = told(box, "allied", f"{said}\n")
    assert says in text and "Nothing in this email was read." in text
    assert kept(box, "allied") == {} and [row.kind for row in box.journal()] == before


def test_a_game_that_can_be_conceded_says_so(tmp_path: Path) -> None:
    box = new_game(tmp_path, "rampage", "allied")
    assert "CONCEDE ends the game. To be replaced, write to the host." in told(box, "allied", "resign\n")
    assert queries.status(box.store, box.game).status == "running"


def test_an_order_that_may_have_been_a_wish_is_answered_too(tmp_path: Path) -> None:
    """PAUSE is an order of every game; alone in a letter it may ask for more time."""
    box = normandy(tmp_path)
    text = told(box, "allied", "pause\n")
    assert 'If "pause" is not meant as an order: EXTEND 2d' in text
    text = told(box, "allied", "order page\n")
    assert 'If "order page" is not meant as an order: DESK sends a page' in text
    assert "not meant" not in told(box, "allied", "8/4 to 5230\n")


@pytest.mark.parametrize(
    "line",
    [
        "Report from the front: all is well",
        "Time flies",
        "I leave 8/4 where it is",
        "Oops. 741, of course.",
        "Last turn: what can still be had?",
    ],
)
def test_chat_is_no_idea(tmp_path: Path, line: str) -> None:
    with queries.table_of(normandy(tmp_path).store, None) as (table, _):
        assert idea(table, "allied", line) == ""


def test_what_the_ideas_name_is_a_command() -> None:
    """Words in capitals are commands that a player has, or the moderator's AWAY."""
    named = {word for each in IDEAS for word in re.findall(r"\b[A-Z]{3,}\b", each.says)}
    assert {word.lower() for word in named} <= {*FIRST_WORDS, "orders"}
    assert "AWAY" in COMMANDS


# --- letters that hold nothing ------------------------------------------------------------------------------

PLEA = "I am in hospital this week, could somebody move for me?"


def test_the_moderator_learns_of_a_letter_in_which_nothing_was_read(tmp_path: Path) -> None:
    """With its first line; the reply says so, and how to write to him. The other side learns nothing."""
    box = toy_box(tmp_path)
    text = told(box, "red", f"{PLEA}\n\nRita\n")
    assert "The moderator's next digest names this letter and quotes its first line." in text
    assert "to the moderator: PRESS moderator: and your words" in text
    assert box.digests() == 1
    (digest,) = box.texts("mod@host.example")
    assert "A letter of Red (Rita) held nothing that pbem reads" in flat(digest) and PLEA in flat(digest)
    assert box.texts(box.address("blue"), box.last() - 2) == []


@pytest.mark.parametrize("body", ["Thanks!\n", "status\n", "press blue: help me\n", "> all quoted\n"])
def test_other_letters_are_not_told(tmp_path: Path, body: str) -> None:
    box = toy_box(tmp_path)
    box.mail("red", body)
    assert box.digests() == 0


def test_without_a_moderator_the_host_is_named(tmp_path: Path) -> None:
    box = toy_box(tmp_path)
    with box.store.transaction() as session:
        session.delete(session.get_one(StaffRow, ("toy", "moderator")))
    text = told(box, "red", f"{PLEA}\nresign\n")
    assert "moderator" not in text and "To be replaced, write to the host." in text


@pytest.mark.parametrize(
    "body",
    [
        f"{PLEA}\n\nmove R1 to 0201\n",
        f"move R1 to 0201\ndone\n\n{PLEA}\n",
        f"[march]\nmove R1 to 0201\n{PLEA}\ndone\n",
        f"status\n{PLEA}\n",
        f"press blue: well played\n{PLEA}\n",
    ],
)
def test_a_plea_reaches_the_moderator_whatever_stands_beside_it(tmp_path: Path, body: str) -> None:
    """The digest quotes the line, without the orders, and names what would help; the reply says so. The other
    side learns nothing of it."""
    box = toy_box(tmp_path)
    last = box.last()
    box.mail("red", body)
    text = flat("\n".join(box.texts(box.address("red"), last)))
    assert "The moderator reads this line in the next digest." in text
    assert "with the dates: the moderator can put off deadlines for those days (AWAY)" in text
    assert box.digests() == 1
    (digest,) = (flat(each) for each in box.texts("mod@host.example"))
    quoted = f"> {PLEA} What may help, with your own words and days: toy: PRESS red: your words toy: AWAY red"
    assert f"Red (Rita) asks for help (Sat 6 Jun 19:00 UTC) {quoted}" in digest
    assert "R1" not in digest.partition("Where the game is")[0]
    assert all("hospital" not in each for each in box.texts(box.address("blue"), last))


@pytest.mark.parametrize("word", ["RESIGN", "Resign.", "UNSUBSCRIBE", "AWAY", "Quit"])
def test_a_wish_in_one_word_is_no_signature(tmp_path: Path, word: str) -> None:
    """Alone, or above a name, it is answered and reaches the moderator."""
    for number, body in enumerate((f"{word}\n", f"{word}\n\nRita\n", f"move R1 to 0201\n\n{word}\n")):
        (path := tmp_path / str(number)).mkdir()
        box = toy_box(path)
        text = told(box, "red", body)
        assert "write PRESS moderator: and your words" in text and box.digests() == 1
        assert f"> {word}" in box.texts("mod@host.example")[-1]


@pytest.mark.parametrize(
    ("line", "pleads"),
    [
        ("Could anyone else take over my side until May?", True),
        ("I am away next week.", True),
        ("I can no longer play, sorry", True),
        ("We need a substitute for the Allies", True),
        ("vacation 1 July to 14 July", True),
        ("I want to resign", True),
        ("I am sure that somebody will hold 0402", False),
        ("I cannot move 8/4: why?", False),
        ("Keep away from Caen", False),
        ("statistics", False),
        ("Helpless, all of them.", False),
    ],
)
def test_what_is_a_plea(line: str, pleads: bool) -> None:
    assert is_plea(line) is pleads
