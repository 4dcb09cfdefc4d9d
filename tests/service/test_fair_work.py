"""No letter keeps the others waiting: what the reading of one may cost is limited, and what lies beyond is
told and plays nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from postbox import Postbox
from protocol_kit import closed, first_line, kept, normandy, told

from pbem.engine.game import game
from pbem.engine.language.model import Fault, Line, Reading, Scope, Unread
from pbem.engine.language.work import MOST_LINES, MOST_OFFERS, MOST_WORDS

GOOD = "move 8/3 to 1422"


@pytest.fixture
def allied(tmp_path: Path) -> Postbox:
    return normandy(tmp_path)


def read(*lines: str) -> Reading:
    rules = game("normandy71")
    scope = Scope(tuple(rules.grammar.sections))
    return rules.grammar.read(list(enumerate(lines, 1)), rules.roster(rules.start(None), "allied"), "", scope)


def test_a_line_that_is_too_long_is_not_read_and_holds() -> None:
    """It may hold any order, so it looks like one; the lines around it are read."""
    reading = read("[movement]", GOOD, "if " + "3120 is empty and " * MOST_WORDS + "22/4 to 3120", GOOD)
    assert [type(each) for each in reading.said[1:]] == [Line, Unread, Line]
    assert reading.unread[0].like and not reading.ends


def test_a_long_paragraph_without_figures_is_chat() -> None:
    """Mail programs send a paragraph as one line."""
    reading = read(
        "Dear Bert, " + "the weather is fine and the sea is calm. " * 20, "[movement]", GOOD, "done"
    )
    assert len(reading.orders) == 1 and not reading.holding


def test_what_lies_beyond_the_last_line_is_not_read() -> None:
    """Neither orders nor DONE are read there, and the same letter is always read the same."""
    lines = ["[movement]", *[GOOD] * (MOST_LINES + 10), "done"]
    reading = read(*lines)
    assert len(reading.orders) == MOST_LINES - 1 and reading.ends == MOST_LINES + 1
    assert len(reading.holding) == 12 and not reading.commands
    assert reading == read(*lines)


def test_lines_that_cost_too_much_end_the_reading() -> None:
    """Work is counted in words looked at: the rest is not read, whatever it says."""
    reading = read("[movement]", *["if " + "3120 is empty and " * 22 + "22/4 to 3120"] * 200, GOOD)
    assert 0 < reading.ends < 100 and not reading.orders
    assert len(reading.faults) + len(reading.unread) == 201


def test_lines_to_send_instead_are_looked_for_in_the_first_faults() -> None:
    reading = read("[movement]", *[f"mvoe 8/3 to 142{n % 10}" for n in range(MOST_OFFERS + 5)])
    offered = [each for each in reading.said if isinstance(each, Fault | Unread) and each.suggestion]
    assert len(offered) == MOST_OFFERS and not reading.orders


def test_a_letter_that_is_too_long_closes_nothing(allied: Postbox) -> None:
    """What was not read may correct any line: all that the letter says is done stays open."""
    text = told(allied, "allied", f"[movement]\n{GOOD}\ndone\n" + "\n".join(["well said"] * MOST_LINES))
    assert closed(allied, "allied") == [] and list(kept(allied, "allied").values()) == [GOOD]
    assert "stays open: part of your email could not be read" in first_line(text)
    assert f"Nothing was read from line {MOST_LINES + 1} on: at most {MOST_LINES} lines" in " ".join(
        text.split()
    )


def test_a_line_that_is_too_long_is_told(allied: Postbox) -> None:
    text = told(allied, "allied", f"[movement]\n{GOOD}\nattack {'1321, ' * 110}\ndone\n")
    assert closed(allied, "allied") == []
    assert "1 line was not read; [movement] stays open." in first_line(text)
    assert f"line of more than {MOST_WORDS} words" in " ".join(text.split())
