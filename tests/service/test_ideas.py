"""Words that players try by mail and that pbem does not have: each is answered with what it has, none acts,
and the moderator learns of letters in which nothing was read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from protocol_kit import flat, kept, new_game, normandy, told, toy_box

from pbem.engine.language.commands import FIRST_WORDS
from pbem.service.letters.ideas import IDEAS, idea
from pbem.service.record.rows import StaffRow
from pbem.service.tools import queries

MODERATOR = "mod@club.example"

SAID = [
    ("resign", "To be replaced, write PRESS moderator: and your words."),
    ("I quit.", "To be replaced, write PRESS moderator: and your words."),
    ("please unsubscribe me", "Letters stop when somebody else plays your side"),
    ("statistics", "STATUS sends the state of the game"),
    ("Diary: today I lost a division", "A line that begins with ; is for yourself alone"),
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
    """Words in capitals are commands that a player has."""
    named = {word for each in IDEAS for word in re.findall(r"\b[A-Z]{3,}\b", each.says)}
    assert {word.lower() for word in named} <= {*FIRST_WORDS, "orders"}


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
