"""Words above the first order of a letter and below its last DONE: what bears on the orders holds them, chat
holds nothing."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from pbem.engine.language import Reading
from pbem.engine.language.choices import chosen
from pbem.engine.language.model import Scope
from tests.language.test_language import desk

BESIDE = tomllib.loads((Path(__file__).parent / "beside.toml").read_text())
LETTERS = tomllib.loads((Path(__file__).parent / "letters.toml").read_text())
HELD_WITHOUT_NEED, NOT_HELD = 9, 16
"""What is reached now; lowered as pbem learns to tell them apart."""
ORDERS = ("3BR to 0908", "attack 0714 with 1US")


def letter(*lines: str) -> Reading:
    here = desk("normandy44")
    scope = Scope(sections=("phase B", "phase A"), turn=here.state.turn)
    numbered = list(enumerate(lines, 1))
    return here.game.grammar.read(numbered, here.rosters["allied"], "", scope)


@cache
def taken_for_orders(text: str) -> bool:
    """Whether words are an order or a command by themselves, or look like one."""
    read = letter("[phase B]", text)
    return bool(read.orders or read.commands or read.faults)


def above(text: str) -> Reading:
    return letter("Hi Bernd,", "", text, "", "[phase B]", *ORDERS, "done", "", "Anna")


def below(text: str) -> Reading:
    return letter("Hi Bernd,", "", "[phase B]", *ORDERS, "done", "", text, "", "Anna")


@pytest.mark.parametrize("text", BESIDE["bears"])
def test_what_bears_on_the_orders_holds_them(text: str) -> None:
    heads = text.endswith(":")  # nothing stands below it there
    for read in (above(text), *(() if heads else (below(text),))):
        said = [*read.faults, *read.holding]
        assert said or taken_for_orders(text), text
        assert all(each.section in ("", "phase B") for each in read.holding)


@pytest.mark.parametrize("text", BESIDE["chat"])
def test_chat_holds_nothing(text: str) -> None:
    for read in (above(text), below(text)):
        assert [line.text for line in read.orders] == list(ORDERS)
        assert not read.faults and not read.holding, (text, read.holding)


def test_letters_of_friends() -> None:
    """Few letters of chat are held, and most of those that say something of their orders."""

    def held(text: str) -> bool:
        orders = "\n".join(("[phase B]", *ORDERS, "done"))
        read = letter(*text.replace("@O", orders).splitlines())
        return bool(read.faults or read.holding)

    assert sum(map(held, LETTERS["chat"])) <= HELD_WITHOUT_NEED
    assert sum(not held(text) for text in LETTERS["bears"]) <= NOT_HELD


def test_a_letter_of_words_alone() -> None:
    """They may be about what an earlier letter closed."""
    assert letter("Hi Bernd,", "", "Please wait until I am back.", "", "Anna").holding
    assert not letter("Hi Bernd,", "", "I like the new map.", "", "Anna").holding
    assert not letter().holding


def test_a_letter_of_a_choice_and_its_words() -> None:
    """A letter and the words of another choice name none; the letter of a word's own choice does."""
    options = ("hold", "1526", "1425")
    assert [chosen(options, words) for words in ("b", "b 1526", "option b", '"b"', "(b)")] == [1] * 5
    assert [chosen(options, words) for words in ("a 1526", "c 1526", "b hold")] == [None] * 3


def test_each_sentence_counts() -> None:
    """Talk of the last turn beside an order to stay does not make it chat."""
    assert above("Sorry about last week. Keep 1US back, please.").holding
    assert not above("Sorry about last week. It was hectic.").holding


@pytest.mark.parametrize(
    "lines",
    [
        ("[phase B] (on hold)", *ORDERS, "done"),
        ("[phase B]", "(next turn)", *ORDERS, "done"),
        ("[phase B]", *ORDERS, "done", "", "(draft)"),
        ("[phase B]", *ORDERS, "DONE; wait for Klaus"),
        ("[phase B]", *ORDERS, "done (so far)"),
        ("[phase B]", *ORDERS, "done", "", "Cheers, Jim (ignore the above)"),
        ("[phase B]", *ORDERS, "done", "", "Thanks for holding it back."),
        ("[phase B]", *ORDERS, "done", "", "Pending"),
    ],
)
def test_what_stands_in_brackets_or_thanks(lines: tuple[str, ...]) -> None:
    """A comment behind a heading, DONE or a greeting, and thanks for something, may say that orders are not
    for now."""
    read = letter(*lines)
    finished = [each for each in read.commands if each.name == "done"]
    assert not finished or read.faults or read.holding


@pytest.mark.parametrize("line", ["Love, Jim", "More soon,", "Keep well.", "Keep smiling!", "Take care, Jim"])
def test_closings(line: str) -> None:
    read = letter("[phase B]", *ORDERS, "done", "", line)
    assert not read.faults and not read.holding and len(read.commands) == 1


def test_a_done_that_is_taken_back_is_told_in_words() -> None:
    read = letter("[phase B]", *ORDERS, "scrap that", "done all")
    assert [each.text for each in read.unread] == ["scrap that", "DONE ALL"] and not read.commands
