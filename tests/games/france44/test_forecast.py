"""Conditions, and lines that can be told beforehand to be idle."""

from __future__ import annotations

import pytest

from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.games.france44.forecast import never
from pbem.games.france44.orders import (
    Activate,
    AirSupport,
    Alive,
    Attack,
    Commit,
    Drop,
    Empty,
    Held,
    Interdict,
    IsAt,
    Move,
    Offensive,
    Place,
    PointsLeft,
    Replace,
)
from pbem.games.france44.state import State
from tests.games.france44.kit import game

TEXT = "VII/US 1208, US1 1208, 2SS 1209, XV/US gone, XX/US eliminated, XII/US track"


def war(text: str = TEXT, **fields: object) -> State:
    values = {
        "phase": "cycle",
        "cup": ["allied", "german", "administrative"],
        "control": {"1410": "german", "1207": "allied"},
    }
    return game(text, **(values | fields))  # type: ignore[arg-type]


def line(
    order: Order, *conditions: IfClause, section: str = "initiative", otherwise: Order | None = None
) -> Line:
    return Line(1, "", section, order, conditions, otherwise)


MOVE = Move(("VII/US",), ("1207",), 4)


@pytest.mark.parametrize(
    ("condition", "seat", "true"),
    [
        (Held("1208", "us"), "allied", True),
        (Held("1208", "enemy"), "german", True),
        (Held("1209", "us"), "allied", False),
        (Held("1410", "enemy"), "allied", True),
        (Held("1410", "us"), "german", True),
        (Held("1207", "us"), "allied", True),
        (Held("1311", "enemy"), "allied", False),
        (Empty("1311"), "allied", True),
        (Empty("1209"), "allied", False),
        (Alive("VII/US"), "allied", True),
        (Alive("XX/US"), "allied", False),
        (IsAt("VII/US", "1208"), "allied", True),
        (IsAt("VII/US", "1209"), "allied", False),
        (AirSupport(), "german", True),
        (PointsLeft(3), "allied", True),
        (PointsLeft(4), "allied", False),
    ],
)
def test_conditions(condition: Condition, seat: str, true: bool) -> None:
    """Every condition of the game is judged by what lies open; a hex without anybody in it by who controls
    it."""
    assert condition.holds(war(), seat) is true


def test_2_0_3_air_support_in_july_needs_no_die() -> None:
    """2.0.3, 9.2 One tactical marker flies in July; later there is support or there is not."""
    assert AirSupport().holds(war(turn=1, air=False), "allied")
    assert not AirSupport().holds(war(air=False), "allied")


@pytest.mark.parametrize(
    ("condition", "section", "why"),
    [
        (AirSupport(), "initiative", "there is no air support this turn [2.0.3]"),
        (AirSupport(), "reaction", ""),
        (PointsLeft(4), "initiative", "3 reaction points are left this turn, and no more will come [2.0.5]"),
        (PointsLeft(4), "reaction", ""),
        (PointsLeft(2), "initiative", ""),
        (Alive("XV/US"), "initiative", "XV/US is out of the game [10.1.1]"),
        (IsAt("XV/US", "1208"), "arrival", "XV/US is out of the game [10.1.1]"),
        (Alive("XX/US"), "initiative", ""),
    ],
)
def test_conditions_that_are_settled(condition: Condition, section: str, why: str) -> None:
    """2.0.3, 2.0.5, 10.1.5 What nothing in the turn can change is told at once;
    lines that may wait for the next turn stay open."""
    assert never(war(air=False), "allied", line(MOVE, IfClause(condition), section=section)) == why


def test_a_negated_condition_is_idle_when_it_is_true() -> None:
    """`if not` turns the judgement round."""
    assert (
        never(war(), "allied", line(MOVE, IfClause(AirSupport(), negated=True)))
        == "there is air support this turn [2.0.3]"
    )
    assert never(war(air=False), "allied", line(MOVE, IfClause(AirSupport(), negated=True))) == ""


def test_2_0_9_without_a_chit_in_the_cup_lines_may_be_for_the_next_turn() -> None:
    """2.0.9 A side whose last chit has been drawn may be writing for the next turn:
    nothing is said of its lines."""
    state = war(air=False, cup=["german", "administrative"])
    assert never(state, "allied", line(MOVE, IfClause(AirSupport()))) == ""
    assert (
        never(war(air=False, phase="allied_final", cup=[]), "allied", line(MOVE, IfClause(AirSupport())))
        == ""
    )


def test_orders_of_units_that_are_gone() -> None:
    """10.1.5, 4.10 Who is out of the game never acts again; the eliminated and the dispersed may."""
    assert "out of the game" in never(war(), "allied", line(Move(("XV/US",), ("1208",), 4)))
    assert never(war(), "allied", line(Move(("XV/US", "VII/US"), ("1207",), 4))) == ""
    assert never(war(), "allied", line(Replace("XX/US", 1), section="administration")) == ""
    assert "out of the game" in never(war(), "allied", line(Replace("XV/US", 1), section="administration"))
    assert never(war(), "allied", line(Activate("US1"))) == ""


@pytest.mark.parametrize(
    ("order", "fields", "section", "case"),
    [
        (Attack(("1209",), ("VII/US",), 4, air="tactical"), {"air": False}, "initiative", "[2.0.3]"),
        (Attack(("1209",), ("VII/US",), 4, air="tactical"), {"interdicting": 2}, "initiative", "[2.0.3]"),
        (Attack(("1209",), ("VII/US",), 4, air="heavy"), {"heavies": 0}, "initiative", "[9.2]"),
        (Drop("3405"), {}, "initiative", "[12.3]"),
        (Interdict(1), {"air": False, "phase": "begin"}, "commitment", "[2.0.3]"),
        (Offensive(), {"phase": "begin"}, "commitment", "[12.5]"),
        (Commit(6), {}, "commitment", "[2.0.8]"),
        (Place(("VI/US",), "2428"), {"turn": 4}, "south", "[10.1.3]"),
    ],
)  # fmt: skip
def test_orders_that_can_never_be_carried_out(
    order: Order, fields: dict[str, object], section: str, case: str
) -> None:
    """2.0.3, 2.0.8, 9.2, 10.1.3, 12.3, 12.5 What a turn cannot bring."""
    assert never(war(**fields), "allied", line(order, section=section)).endswith(case)


@pytest.mark.parametrize(
    ("order", "fields", "section"),
    [
        (Attack(("1209",), ("VII/US",), 4, air="tactical"), {}, "initiative"),
        (Attack(("1209",), ("VII/US",), 4, air="heavy"), {"air": False, "turn": 1}, "initiative"),
        (Drop("3405"), {"turn": 4}, "initiative"),
        (Interdict(1), {"air": False}, "commitment"),
        (Offensive(), {"phase": "begin", "turn": 5}, "commitment"),
        (Place(("VI/US",), "2428"), {"turn": 2}, "south"),
    ],
)
def test_orders_that_may_still_be_carried_out(order: Order, fields: dict[str, object], section: str) -> None:
    """9.2, 12.3, 12.5, 10.1.3 What may still come is let be."""
    assert never(war(**fields), "allied", line(order, section=section)) == ""


def test_what_stands_behind_else_may_still_act() -> None:
    """A line is idle only if neither its order nor what stands behind `else` can act."""
    idle = IfClause(AirSupport())
    state = war(air=False)
    assert never(state, "allied", line(MOVE, idle, otherwise=MOVE)) == ""
    gone = Move(("XV/US",), ("1208",), 4)
    assert never(state, "allied", line(MOVE, idle, otherwise=gone)) != ""
