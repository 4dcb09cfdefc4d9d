"""Numbers that cannot be meant: a line with one is not played, and its fault says what is possible."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.game import game

LINES = [
    ("rampage", "allied", "operations", "3A to 1602, fight at most -3 rounds", "-3", "1 or more"),
    ("rampage", "allied", "operations", "3A to 1602, fight max 0 rounds", "0", "1 or more"),
    ("rampage", "allied", "operations", "3A to 1602, stop at 0 losses", "0", "1 or more"),
    ("rampage", "allied", "operations", "3A to 1602, stop if odds under 150%", "150", "from 1 to 100"),
    ("rampage", "allied", "", "standing battle: fight at most 0 rounds", "0", "1 or more"),
    ("rampage", "allied", "", "standing battle: stop at -2 losses", "-2", "1 or more"),
    ("rampage", "allied", "", "standing battle: stop if odds under 0%", "0", "from 1 to 100"),
    ("france44", "german", "", "standing retreat: give ground with 0 steps or fewer", "0", "1 or more"),
    ("france44", "german", "", "standing reaction: react with 0 points: 116Pz", "0", "1 or more"),
    (
        "france44",
        "german",
        "",
        "standing advantage: throw air support again on 7 or more",
        "7",
        "from 1 to 6",
    ),
    (
        "normandy44",
        "german",
        "",
        "standing losses: lose ground before steps at most 0 hexes",
        "0",
        "1 or more",
    ),
    ("falaise", "german", "", "standing counterattack: from turn 12 with 2SS", "12", "from 5 to 10"),
    ("falaise", "german", "1SS", "if at least -1 points: hold", "-1", "0 or more"),
]


@pytest.mark.parametrize(("key", "seat", "section", "line", "number", "bounds"), LINES)
def test_a_number_out_of_bounds_is_a_fault(
    key: str, seat: str, section: str, line: str, number: str, bounds: str
) -> None:
    """The fault points at the number, and nothing is read in its place."""
    rules = game(key)
    reading = rules.grammar.read([(1, line)], rules.roster(rules.start(), seat), section)
    assert not reading.orders and not reading.standing
    [fault] = reading.faults
    error = fault.error
    assert isinstance(error, NotAllowed) and error.text == f"must be {bounds}, not {number}"
    assert fault.text[error.column : error.column + error.length] == number


@pytest.mark.parametrize(("key", "seat", "section", "line", "number", "bounds"), LINES)
def test_the_least_number_is_read(
    key: str, seat: str, section: str, line: str, number: str, bounds: str
) -> None:
    """The same line with the least number that is possible is read."""
    rules = game(key)
    least = bounds.removeprefix("from ").split()[0]
    text = line.replace(f" {number}", f" {least}", 1)
    reading = rules.grammar.read([(1, text)], rules.roster(rules.start(), seat), section)
    assert not reading.faults and (reading.orders or reading.standing)
