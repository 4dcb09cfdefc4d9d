"""Offensive support (6.2): who acts in phase A, and in which order (5.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44.movement import Movement
from pbem.games.normandy44.notes import Activated
from pbem.games.normandy44.offensive import Offensive, counters_of, share
from pbem.games.normandy44.orders import Activate, Move
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import GRID, Side
from tests.games.normandy44.kit import game, put

# 1306 and all around it is open country without roads and rivers.


def offensive(state: State, side: Side = "allied") -> Offensive:
    return Offensive(state, side)


def refused(state: State, *ids: str, hq: str = "", moving: bool = False, side: Side = "allied") -> NotAllowed:
    units = [state.units[id] for id in ids]
    with pytest.raises(NotAllowed) as caught:
        Offensive(state, side).plan(units, moving=moving, hq=hq)
    return caught.value


DIVISIONS = "1US 1206, 2US 1206, 4US 1106, 9US 1106, 90US 1107, 79US 1107"


def test_6_2_five_divisions_and_three_independents() -> None:
    """6.2 A sixth division and a fourth independent unit are too many."""
    state = game(f"VII/US 1306, {DIVISIONS}", supported=["VII/US"])
    found = offensive(state)
    five = [state.units[id] for id in ("1US", "2US", "4US", "9US", "90US")]
    found.activate(found.plan(five, moving=False))
    assert found.fault(state.units["79US"], moving=False) is not None
    assert found.fault(state.units["1US"], moving=False) is None
    state = game("LXXXIV 1306, FJR6 1206, Schn30 1206, 503s 1106, 101s 1106", supported=["LXXXIV"])
    assert refused(state, "FJR6", "Schn30", "503s", "101s", side="german").case == "6.2"
    offensive(state, "german").plan([state.units[id] for id in ("FJR6", "Schn30", "503s")], moving=False)


def test_6_2_a_combat_command_is_a_third_of_a_division() -> None:
    """6.2 The three counters of an armoured division count as one division,
    the two of a British one as one."""
    assert counters_of("4AD") == 3
    assert share(game().units["A/4AD"]) == (Fraction(1, 3), 0)
    assert share(game().units["22/7BAD"]) == (Fraction(1, 2), 0)
    assert share(game().units["4US"]) == (Fraction(1), 0)
    assert share(game().units["101s"]) == (Fraction(0), 1)
    text = (
        "A/4AD 1305, B/4AD 1305, R/4AD 1305, A/6AD 1305, VII/US 1306, 1US 1206, 2US 1206, 4US 1106, 9US 1106"
    )
    state = game(text, supported=["VII/US"])
    four = ("1US", "2US", "4US", "9US")
    offensive(state).plan([state.units[id] for id in (*four, "A/4AD", "B/4AD", "R/4AD")], moving=False)
    error = refused(state, *four, "A/4AD", "B/4AD", "R/4AD", "A/6AD")
    assert "0 divisions" in error.text


def test_6_2_within_five_hexes_and_with_a_line() -> None:
    """6.2 Further away, or behind enemy zones, nobody is activated."""
    state = game("VII/US 1306, 4US 1311, 9US 1312", supported=["VII/US"])
    assert offensive(state).fault(state.units["4US"], moving=True) is None
    assert refused(state, "9US").case == "6.2"
    state = game("LXXXIV 1310, 709ID 1306", supported=["LXXXIV"])
    assert offensive(state, "german").fault(state.units["709ID"], moving=True) is None
    for id, hex in zip(("4US", "9US", "90US", "79US", "83US", "8US"), GRID.ring("1306", 2)[::2], strict=True):
        put(state, id, hex)
    assert offensive(state, "german").fault(state.units["709ID"], moving=True) is not None


def test_9_0_no_headquarters_activates_the_other_army() -> None:
    """9.0 Canadians count as British, Frenchmen as Americans."""
    state = game("VII/US 1306, 3BR 1305, L/2DB 1305", supported=["VII/US"])
    assert refused(state, "3BR").case == "9.0"
    assert offensive(state).plan([state.units["L/2DB"]], moving=True) == {"L/2DB": "VII/US"}


def test_6_2_only_supported_headquarters() -> None:
    """6.2 One without a marker neither activates nor moves; one with it moves."""
    state = game("VII/US 1306, V/US 1206, 4US 1305", supported=["V/US"])
    assert refused(state, "VII/US").case == "6.2"
    assert refused(state, "4US", hq="VII/US").case == "6.2"
    assert offensive(state).plan([state.units["V/US"]], moving=True) == {"V/US": "V/US"}
    assert refused(game("4US 1305"), "4US").case == "6.2"


def test_6_2_the_nearest_headquarters_unless_another_is_named() -> None:
    """6.2 And that whose units moved last before the others."""
    state = game("VII/US 1306, V/US 1206, 4US 1305, 9US 1106, 1US 1106", supported=["VII/US", "V/US"])
    found = offensive(state)
    (nine, one) = state.units["9US"], state.units["1US"]
    assert found.plan([nine], moving=True) == {"9US": "V/US"}
    assert found.plan([nine], moving=True, hq="VII/US") == {"9US": "VII/US"}
    found.move(found.plan([nine], moving=True, hq="VII/US"))
    assert found.plan([one], moving=True) == {"1US": "VII/US"}, "that whose units have just moved"


def test_6_2_by_one_headquarters_only() -> None:
    """6.2 A unit that one has activated is not activated by another."""
    state = game("VII/US 1306, V/US 1206, 4US 1305", supported=["VII/US", "V/US"])
    found = offensive(state)
    found.activate(found.plan([state.units["4US"]], moving=False, hq="V/US"))
    with pytest.raises(NotAllowed) as caught:
        found.plan([state.units["4US"]], moving=False, hq="VII/US")
    assert caught.value.case == "6.2"


def test_5_1_units_move_in_the_order_of_their_headquarters() -> None:
    """5.1 When units of a second headquarters have moved, those of the first move no more,
    but may still fight."""
    state = game("VII/US 1306, V/US 1206, 4US 1305, 9US 1106, 1US 1305", supported=["VII/US", "V/US"])
    movement = Movement(state, "allied", "A")
    for order in (
        Activate(("4US", "1US"), "VII/US"),
        Move(("4US",), ("1406",)),
        Activate(("9US",), "V/US"),
        Move(("9US",), ("1107",)),
    ):
        movement.check(order)
        movement.carry_out(order)
    for id in ("1US", "VII/US"):
        with pytest.raises(NotAllowed) as caught:
            movement.check(Move((id,), ("1406",)))
        assert caught.value.case == "5.1"
    assert movement.offensive is not None
    assert movement.offensive.fault(state.units["1US"], moving=False) is None
    movement.offensive.log()
    notes = [note for note in state.log if isinstance(note, Activated)]
    assert [(note.hq, note.names) for note in notes] == [("VII/US", ("4US", "1US")), ("V/US", ("9US",))]


def test_6_2_a_move_activates_by_itself() -> None:
    """6.2 No order to activate is needed; the note tells by whom."""
    state = game("VII/US 1306, 4US 1305", supported=["VII/US"])
    movement = Movement(state, "allied", "A")
    movement.check(Move(("4US",), ("1406",)))
    movement.carry_out(Move(("4US",), ("1406",)))
    assert movement.offensive is not None
    movement.offensive.log()
    assert [note.hq for note in state.log if isinstance(note, Activated)] == ["VII/US"]
    assert list(movement.able()) == ["VII/US"]


def test_6_2_who_cannot_be_activated_is_not_offered() -> None:
    """6.2 Subjects of phase A are those that some headquarters can still bring into action."""
    state = game("VII/US 1306, 4US 1305, 9US 2019, V/US 1206", supported=["VII/US"])
    assert list(Movement(state, "allied", "A").able()) == ["4US", "VII/US"]
    assert set(Movement(state, "allied", "B").able()) == {"4US", "9US", "VII/US", "V/US"}
