"""Conditions, and lines that can be told beforehand to be idle."""

from __future__ import annotations

import pytest

from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.games.normandy44.forecast import never, settled
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
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game

TEXT = (
    "4US 0617, 82AB 0619 lost=1 unsupplied, 709ID 0519, VII/US 0617, V/US 0713, 90US reserve phase=A, "
    "WN-Utah 0618"
)


def war(text: str = TEXT, **fields: object) -> State:
    return game(text, **({"phase": "a_first", "supported": ["VII/US"]} | fields))  # type: ignore[arg-type]


def line(
    order: Order, *conditions: IfClause, section: str = "phase A", otherwise: Order | None = None
) -> Line:
    return Line(1, "", section, order, conditions, otherwise)


MOVE = Move(("4US",), ("0518",))
MOVE_709 = Move(("709ID",), ("0420",))


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
    assert condition.holds(war(), seat) is true


@pytest.mark.parametrize(
    ("condition", "section", "known"),
    [
        (WeatherIs("adverse"), "phase A", False),
        (WeatherIs("clear"), "phase A", True),
        (WeatherIs("adverse"), "allocation", None),
        (HaveInitiative(), "phase B", True),
        (IsSupported("V/US"), "phase A", False),
        (IsSupported("VII/US"), "phase A", True),
        (IsSupplied("82AB"), "phase B", False),
        (IsSupplied("82AB"), "end", None),
        (Alive("90US"), "phase A", None),
    ],
)
def test_conditions_that_are_settled(condition: Condition, section: str, known: bool | None) -> None:
    """2.1, 2.3, 8.4 What no event of the turn can change is certain;
    lines for the next turn's sections stay open."""
    assert settled(war(), "allied", section, condition) is known


def test_a_condition_forgives_what_it_says() -> None:
    """2.1, 2.3, 8.4 A line whose condition does not hold this turn is no fault,
    nor is the one beside it with the opposite condition; whatever its order."""
    for condition in (WeatherIs("adverse"), IsSupported("V/US"), IsSupplied("82AB"), HaveInitiative()):
        for negated in (False, True):
            assert never(war(), "german", line(MOVE_709, IfClause(condition, negated=negated))) == ""
    idle = Activate(("4US",), "V/US")
    assert never(war(), "allied", line(idle, IfClause(WeatherIs("adverse")))) == ""
    assert never(war(), "allied", line(idle, IfClause(WeatherIs("clear")))) != ""


def test_2_6_no_headquarters_is_supported_after_phase_a() -> None:
    """2.6 A line that waits for a marker where there never is one is a fault,
    but not with `else` or the other way round."""
    supported = IsSupported("VII/US")
    for section in ("phase B", "end"):
        assert never(war(), "allied", line(MOVE, IfClause(supported), section=section)).endswith("[2.6]")
        assert never(war(), "allied", line(MOVE, IfClause(supported), section=section, otherwise=MOVE)) == ""
        assert never(war(), "allied", line(MOVE, IfClause(supported, negated=True), section=section)) == ""


def test_what_is_open_before_the_allocation() -> None:
    """2.3 As long as both sides allocate, initiative, markers and arrivals are open; the weather is not."""
    state = war(phase="allocation", initiative="")
    for condition in (HaveInitiative(), IsSupported("V/US")):
        assert settled(state, "allied", "phase A", condition) is None
    assert settled(state, "allied", "phase A", WeatherIs("adverse")) is False
    assert never(state, "allied", line(Activate(("4US",), "V/US"))) == ""
    assert never(state, "allied", line(Land(("9US",), "0617"))) == ""


def test_13_0_orders_of_units_that_are_gone() -> None:
    """13.0, S2 A destroyed German or a unit that has left the map never acts again;
    a destroyed Allied one may be raised again."""
    state = war("709ID dead, 91ID 0721, A/4AD exited, 4US dead, LXXXIV dead")
    assert "destroyed [13.0]" in never(state, "german", line(Move(("709ID",), ("0518",))))
    assert never(state, "german", line(Move(("709ID", "91ID"), ("0518",)))) == ""
    assert "left the map [S2]" in never(state, "allied", line(Move(("A/4AD",), ("0518",))))
    assert never(state, "allied", line(MOVE)) == ""
    assert never(state, "german", line(Move(("LXXXIV",), ("0518",)))) == ""
    assert never(state, "german", line(Move(("709ID",), ("0518",)), IfClause(Alive("709ID")))) == ""


def test_orders_that_can_never_be_carried_out() -> None:
    """6.2, 8.3, E8, 2.5, S1, 10.3 What a turn cannot bring: a marker, supply, a garrison that moves,
    an arrival, an exit, a second carpet."""
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
        seat = next((state.units[id].side for id in order.actors()), "allied")
        assert never(state, seat, line(order)).endswith(case), order
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
    idle = IfClause(WeatherIs("adverse"))
    assert never(war(), "allied", line(MOVE, idle, otherwise=MOVE)) == ""
    assert never(war(), "allied", line(MOVE, idle, otherwise=Activate(("4US",), "V/US"))) != ""
