"""What players of Normandy (1971) say in their own words before the first turn."""

from __future__ import annotations

import pytest

from pbem.engine.game import game
from pbem.engine.language.model import Reading, Scope
from pbem.games.normandy71.state import State
from tests.games.normandy71 import kit

GAME = game("normandy71")
STATE = GAME.start(None, {})


def read(seat: str, section: str, text: str, state: State = STATE) -> Reading:
    lines = list(enumerate(text.splitlines(), 1))
    roster = GAME.roster(state, seat)
    return GAME.grammar.read(lines, roster, section, Scope(sections=(section,), turn=STATE.turn))


@pytest.mark.parametrize(
    ("section", "text", "lines"),
    [
        ("plan", "Utah beach 3: 8/4 and the 70th tank battalion", ["land 8/4, 70 at 3 Utah"]),
        ("plan", "9 Gold: 69/50, 4/7DG", ["land 69/50, 4/7DG/8 at 9 Gold"]),
        ("plan", "Rangers land at 4029", ["commando 2Rangers, 5Rangers at 4029"]),
        (
            "plan",
            "2 Rangers: 4029, 5 Rangers: 3929",
            ["commando 2Rangers at 4029", "commando 5Rangers at 3929"],
        ),
        (
            "plan",
            "501 at 4730, 502 at 4929 and 506 at 4728",
            ["drop 501/101 at 4730", "drop 502/101 at 4929", "drop 506/101 at 4728"],
        ),
        ("plan", "Supply areas are beaches 3 Utah and 16.", ["supply from 3 Utah, 16 Sword"]),
        ("plan", "the rest wherever you like", ["default"]),
    ],
)
def test_orders_before_the_first_turn(section: str, text: str, lines: list[str]) -> None:
    reading = read("allied", section, text)
    assert not reading.faults and not reading.unread
    assert [GAME.grammar.write(each.order) for each in reading.orders] == lines


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("plan", "Rangers at 4029 but not 4030"),
        ("plan", "505 next to 5026"),
        ("plan", "101st Airborne: 505 on 5026"),  # of the 82nd
        ("plan", "9 Gold: 69/50 unless 231/50 is there"),
        ("plan", "the rest at 5031"),
    ],
)
def test_no_word_is_passed_over(section: str, text: str) -> None:
    reading = read("allied", section, text)
    assert (reading.faults or reading.unread) and not reading.orders


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("22Pz goes to 1009", "place 22Pz/21 at 1009"),
        ("22Pz starts in the fort at 4129", "place 22Pz/21 at 4129"),
        ("22Pz in fort 4129", "place 22Pz/21 at 4129"),
        ("the others by default", "default"),
    ],
)
def test_the_german_set_up(text: str, line: str) -> None:
    state = kit.game("22Pz/21 german 15-6 later")
    reading = read("german", "set-up", text, state)
    assert [GAME.grammar.write(each.order) for each in reading.orders] == [line] and not reading.faults
