"""Conditions, and lines that can be told beforehand to be idle."""

from __future__ import annotations

import pytest

from pbem.engine.orders import Clause, Condition, Line, Order
from pbem.games.normandy44.orders import (
    Activate,
    Alive,
    Attack,
    Carpet,
    Empty,
    Enter,
    Exit,
    HaveInitiative,
    Held,
    IsAt,
    IsFull,
    IsSupplied,
    IsSupported,
    Land,
    Move,
    WeatherIs,
)
from pbem.games.normandy44.planning import holds, never
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game

TEXT = "4US 0617, 82AB 0619 lost=1 unsupplied, 709ID 0519, VII/US 0617, V/US 0713, 90US reserve phase=A, WN-Utah 0618"


def war(text: str = TEXT, **fields: object) -> State:
    return game(text, **({"phase": "a_first", "supported": ["VII/US"]} | fields))  # type: ignore[arg-type]


def line(order: Order, *conditions: Clause, section: str = "phase A", otherwise: Order | None = None) -> Line:
    return Line(1, "", section, order, conditions, otherwise)


MOVE = Move(("4US",), ("0518",))


@pytest.mark.parametrize(
    ("condition", "seat", "true"),
    [
        (Held("0617", "us"), "allied", True),
        (Held("0617", "us"), "german", False),
        (Held("0617", "enemy"), "german", True),
        (Held("0518", "enemy"), "german", False),
        (Empty("0518"), "allied", True),
        (Empty("0519"), "allied", False),
        (Alive("4US"), "allied", True),
        (Alive("90US"), "allied", False),
        (WeatherIs("clear"), "allied", True),
        (WeatherIs("adverse"), "allied", False),
        (HaveInitiative(), "allied", True),
        (HaveInitiative(), "german", False),
        (IsSupported("VII/US"), "allied", True),
        (IsSupported("V/US"), "allied", False),
        (IsSupplied("4US"), "allied", True),
        (IsSupplied("82AB"), "allied", False),
        (IsSupplied("90US"), "allied", False),
        (IsFull("4US"), "allied", True),
        (IsFull("82AB"), "allied", False),
        (IsAt("4US", "0617"), "allied", True),
        (IsAt("4US", "0618"), "allied", False),
    ],
)  # fmt: skip
def test_conditions(condition: Condition, seat: str, true: bool) -> None:
    """Every condition of the game is judged by what lies open."""
    assert holds(war(), seat, condition) is true


def test_a_condition_of_another_game_is_an_error() -> None:
    with pytest.raises(TypeError):
        holds(war(), "allied", object())


@pytest.mark.parametrize(
    ("condition", "section", "why"),
    [
        (WeatherIs("adverse"), "phase A", "the weather of this turn is clear [2.1]"),
        (WeatherIs("clear"), "phase A", ""),
        (WeatherIs("adverse"), "allocation", ""),
        (HaveInitiative(), "phase B", ""),
        (IsSupported("V/US"), "phase A", "V/US has no offensive marker this turn [2.3]"),
        (IsSupported("VII/US"), "phase A", ""),
        (IsSupported("VII/US"), "phase B", "no headquarters is supported any more after phase A, VII/US neither [2.6]"),
        (IsSupplied("82AB"), "phase B", "82AB is out of supply until the end of this turn [8.4]"),
        (IsSupplied("82AB"), "end", ""),
        (Alive("90US"), "phase A", ""),
    ],
)  # fmt: skip
def test_conditions_that_are_settled(condition: Condition, section: str, why: str) -> None:
    """2.1, 2.3, 2.6, 8.4 What no event of the turn can change is told at once; lines for the next turn's sections stay open."""
    assert never(war(), "allied", line(MOVE, Clause(condition), section=section)) == why


def test_a_negated_condition_is_idle_when_it_is_true() -> None:
    """`if not` turns the judgement round."""
    assert never(war(), "allied", line(MOVE, Clause(WeatherIs("clear"), negated=True))) != ""
    assert never(war(), "allied", line(MOVE, Clause(WeatherIs("adverse"), negated=True))) == ""
    assert (
        never(war(), "german", line(MOVE, Clause(HaveInitiative())))
        == "the enemy has the initiative this turn [2.3]"
    )


def test_what_is_open_before_the_allocation() -> None:
    """2.3 As long as both sides allocate, initiative, markers and arrivals are open; the weather is not."""
    state = war(phase="allocation", initiative="")
    for condition in (HaveInitiative(), IsSupported("V/US")):
        assert never(state, "allied", line(MOVE, Clause(condition))) == ""
    assert never(state, "allied", line(MOVE, Clause(WeatherIs("adverse")))) != ""
    assert never(state, "allied", line(Activate(("4US",), "V/US"))) == ""
    assert never(state, "allied", line(Land(("9US",), "0617"))) == ""


def test_13_0_orders_of_units_that_are_gone() -> None:
    """13.0, S2 A destroyed German or a unit that has left the map never acts again; a destroyed Allied one may be raised again."""
    state = war("709ID dead, 91ID 0721, A/4AD exited, 4US dead, LXXXIV dead")
    assert "destroyed [13.0]" in never(state, "german", line(Move(("709ID",), ("0518",))))
    assert never(state, "german", line(Move(("709ID", "91ID"), ("0518",)))) == ""
    assert "left the map [S2]" in never(state, "allied", line(Move(("A/4AD",), ("0518",))))
    assert never(state, "allied", line(MOVE)) == ""
    assert never(state, "german", line(Move(("LXXXIV",), ("0518",)))) == ""
    assert never(state, "german", line(Move(("91ID",), ("0721",)), Clause(Alive("709ID")))) != ""


def test_orders_that_can_never_be_carried_out() -> None:
    """6.2, 8.3, E8, 2.5, S1, 10.3 What a turn cannot bring: a marker, supply, a garrison that moves, an arrival, an exit, a second carpet."""
    state = war(carpets=["us"])
    wrong: list[tuple[Order, str]] = [
        (Activate(("4US",), "V/US"), "[6.2]"),
        (Attack("0519", ("82AB",)), "[8.3]"),
        (Attack("0519", ("VII/US",)), "[6.4]"),
        (Move(("WN-Utah",), ("0519",)), "[E8]"),
        (Land(("4US",), "0617"), "[2.5]"),
        (Enter(("2FJ",), "2721"), "[2.5]"),
        (Carpet("0519", "US"), "[10.3]"),
    ]
    for order, case in wrong:
        assert never(state, "allied", line(order)).endswith(case), order
    right: list[Order] = [
        Activate(("4US",), "VII/US"),
        Attack("0519", ("82AB", "4US")),
        Land(("90US",), "0617"),
        Carpet("0519", "UK"),
        Exit(("4US",), "2227"),
    ]
    for order in right:
        assert never(state, "allied", line(order)) == "", order
    assert never(war(scenario="cherbourg"), "allied", line(Exit(("4US",), "2227"))).endswith("[S1]")
    assert never(war(scenario="cherbourg"), "allied", line(Carpet("0519", "UK"))).endswith("[10.3]")
    assert never(war(options={"carpet": "no"}), "allied", line(Carpet("0519", "UK"))).endswith("[10.3]")


def test_what_stands_behind_else_may_still_act() -> None:
    """A line is idle only if neither its order nor what stands behind `else` can act."""
    idle = Clause(WeatherIs("adverse"))
    assert never(war(), "allied", line(MOVE, idle, otherwise=MOVE)) == ""
    assert never(war(), "allied", line(MOVE, idle, otherwise=Activate(("4US",), "V/US"))) != ""
