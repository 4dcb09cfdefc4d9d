"""The order verbs: every way to write instructions for battle, and that what pbem writes reads back
as the same order."""

from __future__ import annotations

import pytest
from one_order import read_line

from pbem.engine.errors import Unreadable
from pbem.engine.language import Order
from pbem.games.rampage import GRAMMAR
from pbem.games.rampage.orders import Concede, Drop, Ground, Move, Place, Replenish
from pbem.games.rampage.state import State
from pbem.games.rampage.view import roster
from tests.games.rampage.kit import game

U = ("3A", "1Inf")


@pytest.fixture
def state() -> State:
    return game("3A 1501, 1Inf 1501, 4CanA 1801", turn=2)


def read(state: State, text: str, section: str = "operations") -> Order:
    return read_line(GRAMMAR, text, roster(state, "allied"), section)


LINES = [
    ("3A, 1Inf to 1602", Move(U, ("1602",))),
    ("move 3A + 1Inf 1502 1503", Move(U, ("1502", "1503"))),
    ("attack 3A, 1Inf to 1602", Move(U, ("1602",))),
    ("3A, 1Inf to 1602, fight until won", Move(U, ("1602",), won=True)),
    ("3A, 1Inf to 1602 fight at most 3 rounds", Move(U, ("1602",), rounds=3)),
    ("3A, 1Inf to 1602, fight at most 1 round", Move(U, ("1602",), rounds=1)),
    ("3A, 1Inf to 1602, stop at 4 losses", Move(U, ("1602",), losses=4)),
    ("3A, 1Inf to 1602, stop if odds of winning < 40%", Move(U, ("1602",), odds=40)),
    ("3A, 1Inf to 1602, stop if the odds of winning are under 40 percent", Move(U, ("1602",), odds=40)),
    ("3A, 1Inf to 1602, stop if <40%", Move(U, ("1602",), odds=40)),
    (
        "3A, 1Inf to 1602, take losses: reduced first, infantry first, never 3A",
        Move(U, ("1602",), prefs=("reduced first", "infantry first"), spared=("3A",)),
    ),
    ("3A, 1Inf to 1602, take losses never 3A", Move(U, ("1602",), spared=("3A",))),
    ("3A, 1Inf to 1602, kill others first", Move(U, ("1602",), kills=("others first",))),
    ("3A, 1Inf to 1602, then continue to 1603 1604", Move(U, ("1602",), ("1603", "1604"))),
    ("3A, 1Inf to 1602 then 1603", Move(U, ("1602",), ("1603",))),
    ("3A, 1Inf to 1602, pause after battles", Move(U, ("1602",), pause=True)),
    (
        (
            "3A, 1Inf to 1602, pause after battles, then continue to 1603, stop at 2 losses, "
            "fight at most 4 rounds"
        ),
        Move(U, ("1602",), ("1603",), rounds=4, losses=2, pause=True),
    ),
]


@pytest.mark.parametrize(("text", "order"), LINES, ids=[text for text, _ in LINES])
def test_lines_and_what_they_mean(state: State, text: str, order: Order) -> None:
    """Instructions stand in any order, with commas or without; written out again they mean the same."""
    assert read(state, text) == order
    assert read(state, GRAMMAR.write(order)) == order


def test_a_pause_is_known_to_the_desk() -> None:
    """An order with `pause after battles` asks for the next line only when its outcome is known."""
    assert Move(U, ("1602",), pause=True).pauses
    assert not Move(U, ("1602",)).pauses


@pytest.mark.parametrize(
    ("section", "text", "order"),
    [
        ("set-up", "place 3A, 1Inf at 1501", Place(U, "1501")),
        ("grounding", "ground 3A", Ground(("3A",))),
        ("replacement", "replenish 3A and 1Inf", Replenish(U)),
        ("airborne", "drop 1BrAB at 3017", Drop(("1BrAB",), "3017")),
        ("operations", "concede the game", Concede()),
    ],
)
def test_the_other_verbs(state: State, section: str, text: str, order: Order) -> None:
    """Every section takes its verbs, and they are written back as they are read."""
    assert read(state, text, section) == order
    assert read(state, GRAMMAR.write(order), section) == order


def test_an_instruction_given_twice_is_not_understood(state: State) -> None:
    """Each instruction stands once in a line."""
    with pytest.raises(Unreadable):
        read(state, "3A to 1602, stop at 4 losses, stop at 5 losses")
