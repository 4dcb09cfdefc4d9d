"""Conditions of lines that wait, and lines that can never act."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.games.falaise.forecast import never
from pbem.games.falaise.orders import (
    Activated,
    Alive,
    Assault,
    Attach,
    Bombard,
    Disrupted,
    Empty,
    Enter,
    Exit,
    FirstThisTurn,
    Held,
    Hold,
    IsAt,
    MechAssault,
    Move,
    PointsAtLeast,
    Reduced,
    Strike,
)
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game

TROOPS = (
    "25/12SS 1525, Pz/12SS 1525, 26/12SS 1526 finished, 501SS dead, 1055/89 1626 reduced disrupted, "
    "1051/84 2143, 978/271 1431, KG/9Pz 3219, 4/2C 1425, 6/2AB 1425, 71/53 1428, "
    "Koszutski 1115, 357/90 3109, 317/80 3520, Dio 3424, D/2SS unknown"
)


def war(**fields: Any) -> State:
    """A state in the action rounds of turn 3: 2CC acts, 74 and Pol have acted."""
    given: dict[str, Any] = {
        "phase": "activation", "active": "2CC", "activated": ["74", "Pol", "2CC"], "allowance": 4,
        "cup": ["12C", "15C", "1SS", "2FJ", "2SS", "30C", "47Pz", "7C", "84"],
    } | fields  # fmt: skip
    return game(TROOPS, **given)


def line(
    section: str, order: Order, *conditions: Condition, otherwise: Order | None = None, attempt: bool = False
) -> Line:
    clauses = tuple(IfClause(each) for each in conditions)
    return Line(1, "", section, order, clauses, otherwise, attempt)


def unless(section: str, order: Order, condition: Condition) -> Line:
    return Line(1, "", section, order, (IfClause(condition, negated=True),))


def why(line: Line, seat: str = "german", **fields: Any) -> str:
    return never(war(**fields), seat, line)


# --- conditions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        (Held("1525", "us"), True),
        (Held("1425", "us"), False),
        (Held("1425", "enemy"), True),
        (Held("1527", "enemy"), False),
        (Empty("1527"), True),
        (Empty("1525"), False),
        (Disrupted("1055/89"), True),
        (Disrupted("25/12SS"), False),
        (Disrupted(among=("25/12SS", "1055/89")), True),
        (Disrupted(among=("25/12SS", "501SS")), False),
        (Reduced("1055/89"), True),
        (Reduced("978/271"), False),
        (Reduced(among=("978/271", "1055/89")), True),
        (FirstThisTurn(), False),
        (Activated("74"), True),
        (Activated("2CC"), False),
        (Activated("84"), False),
        (PointsAtLeast(4), True),
        (PointsAtLeast(5), False),
        (IsAt("Koszutski", "1115"), True),
        (IsAt("Koszutski", "1116"), False),
        (Alive("25/12SS"), True),
        (Alive("501SS"), False),
        (Alive("D/2SS"), False),
    ],
)
def test_conditions_are_judged_as_things_stand(condition: Condition, true: bool) -> None:
    """4.0, 7.1.1, 9.1 A condition is true or false of the state in the action round of the active command."""
    assert condition.holds(war(), "german") is true


def test_4_0_first_this_turn() -> None:
    """4.0 A command is the first while nobody else has acted this turn, itself counted or not."""
    assert FirstThisTurn().holds(war(activated=["2CC"]), "allied")
    assert FirstThisTurn().holds(war(activated=[]), "allied")


def test_conditions_hold_for_each_side_in_its_own_words() -> None:
    """We and the enemy are who the writer says they are."""
    assert Held("1425", "us").holds(war(), "allied") and Held("1525", "enemy").holds(war(), "allied")


def test_conditions_take_the_units_of_their_line() -> None:
    """`if disrupted` speaks of any unit of the line, `if 1055/89 is disrupted` of that one."""
    order = Move(("25/12SS", "1055/89"), ("1720",))
    assert Disrupted().about(order).holds(war(), "german")
    assert not Disrupted("25/12SS").about(order).holds(war(), "german")
    assert not Reduced().about(Move(("25/12SS",), ("1720",))).holds(war(), "german")


def test_conditions_of_fire_are_about_its_target() -> None:
    """`unless disrupted` behind an airstrike or artillery speaks of the units in the hex that is fired at."""
    state = war()
    fresh, broken = state.units["25/12SS"].placed, state.units["1055/89"].placed
    assert fresh != broken
    for order in (Strike, lambda hex: Bombard("2CC", hex)):
        assert Disrupted().about(order(broken)).holds(state, "allied")
        assert not Disrupted().about(order(fresh)).holds(state, "allied")


# --- commands ---------------------------------------------------------------------------------------------

GO = Move(("25/12SS",), ("1720",))


def test_4_0_a_command_that_has_acted_acts_no_more() -> None:
    """4.0 Lines for a command that has been activated this turn are idle;
    before the cup is filled the last turn counts for nothing."""
    move = Move(("978/271",), ("1720",))
    assert why(line("74", move)) == "the 74th Corps has been activated this turn [4.0]"
    assert not why(line("74", move), phase="bombardment")
    assert not why(line("2CC", Move(("4/2C",), ("1426",))), "allied")


def test_11_2_the_58th_corps_is_there_on_four_turns() -> None:
    """11.2 It acts on turns 1 to 4, and in no assault round."""
    assert "on turns 1 to 4" in why(line("58Pz", GO), turn=5)
    assert not why(line("58Pz", GO), turn=4)
    assert "no assault rounds" in why(line("58Pz", Assault("1425", ("25/12SS",))), turn=4)
    assert not why(line("58Pz", MechAssault("1425", ("Pz/12SS",))), turn=4)


def test_a_line_that_may_act_is_let_pass() -> None:
    """Nothing is said of what may still come to pass, nor of other sections."""
    assert not why(line("1SS", GO)) and not why(line("1SS", Hold()))
    assert not why(line("bombardment", Hold()))
    assert not why(line("1SS", GO, Held("1720", "enemy"))) and not why(line("1SS", GO, Empty("1720")))


# --- conditions that are settled --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "condition", "fields", "told"),
    [
        ("1SS", FirstThisTurn(), {}, "74 acted first this turn [4.0]"),
        ("1SS", FirstThisTurn(), {"activated": ["2CC"]}, "2CC acts first this turn [4.0]"),
        (
            "1SS",
            FirstThisTurn(),
            {"phase": "command", "counter_command": "2SS", "turn": 6},
            "2SS acts first this turn [11.3]",
        ),
        ("1SS", FirstThisTurn(), {"phase": "command"}, ""),
        ("2SS", FirstThisTurn(), {"phase": "command", "counter_command": "2SS", "turn": 6}, ""),
        ("1SS", PointsAtLeast(12), {}, "1SS has at most 3 movement points this turn [7.1.1]"),
        ("1SS", PointsAtLeast(4), {}, "1SS has at most 3 movement points"),
        ("1SS", PointsAtLeast(3), {}, ""),
        ("12C", PointsAtLeast(3), {}, ""),
        ("12C", PointsAtLeast(3), {"turn": 4}, "12C has at most 2 movement points"),
        ("12C", PointsAtLeast(2), {"turn": 4}, ""),
        ("2CC", PointsAtLeast(5), {}, "2CC has at most 4 movement points"),
        ("1SS", Activated("1SS"), {}, "1SS cannot have been activated before its own round [4.0]"),
        ("1SS", Activated("2FJ"), {}, ""),
        ("1SS", Activated("58Pz"), {"turn": 5}, "[11.2]"),
        ("1SS", Activated("58Pz"), {}, ""),
        ("1SS", Alive("501SS"), {}, "501SS is eliminated"),
        ("1SS", Alive("Koszutski"), {}, ""),
        ("1SS", IsAt("501SS", "1720"), {}, "501SS is eliminated"),
        ("1SS", IsAt("Koszutski", "2508"), {}, ""),
        ("1SS", Disrupted("501SS"), {}, "501SS is eliminated"),
        ("1SS", Disrupted(), {}, ""),
        ("1SS", Reduced("Pz/12SS"), {}, "Pz/12SS has one step and is never reduced [2.2]"),
        ("1SS", Reduced("357/90"), {}, ""),
    ],
)
def test_conditions_that_can_never_be_true(
    section: str, condition: Condition, fields: dict[str, Any], told: str
) -> None:
    """4.0, 7.1.1, 11.2, 11.3 A condition that is false for good makes its line idle;
    one that may come true does not."""
    seat = "allied" if section in ("2CC", "12C") else "german"
    orders = {"2CC": Move(("4/2C",), ("1426",)), "12C": Move(("71/53",), ("1528",)), "1SS": GO}
    order = orders.get(section, Hold())
    found = why(line(section, order, condition), seat, **fields)
    assert told in found if told else found == ""


def test_11_10_the_allies_are_not_first_on_turns_1_and_2() -> None:
    """11.10 On turns 1 and 2 no Allied command acts first; on turn 3 one may."""
    order = Move(("71/53",), ("1528",))
    assert "[11.10]" in why(line("12C", order, FirstThisTurn()), "allied", phase="command", turn=2)
    assert not why(line("12C", order, FirstThisTurn()), "allied", phase="command", turn=3)


@pytest.mark.parametrize(
    ("condition", "fields", "told"),
    [
        (Activated("74"), {}, "74 has been activated [4.0]"),
        (Activated("84"), {}, ""),
        (PointsAtLeast(1), {}, "1SS has at least 1 movement point this turn [7.1.1]"),
        (PointsAtLeast(2), {}, ""),
        (
            FirstThisTurn(),
            {"phase": "command", "counter_command": "1SS", "turn": 6},
            "1SS acts first this turn [11.3]",
        ),
        (FirstThisTurn(), {}, ""),
        (Alive("501SS"), {}, ""),
    ],
)
def test_conditions_that_can_never_be_false(condition: Condition, fields: dict[str, Any], told: str) -> None:
    """`if not` makes a line idle where its condition is true for good."""
    found = why(unless("1SS", GO, condition), **fields)
    assert told in found if told else found == ""


def test_the_else_of_a_line_counts() -> None:
    """A line whose order is idle may act by its `else`, unless that is idle as well,
    or can never come to pass."""
    dead = Move(("501SS",), ("1720",))
    assert not why(line("1SS", GO, PointsAtLeast(12), otherwise=GO))
    assert not why(line("1SS", dead, otherwise=GO, attempt=True))
    assert why(line("1SS", dead, otherwise=GO))
    assert why(line("1SS", GO, PointsAtLeast(12), otherwise=dead))


# --- units ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "order", "told"),
    [
        ("1SS", Move(("501SS",), ("1720",)), "501SS is eliminated"),
        ("1SS", Move(("4/2C",), ("1720",)), "4/2C is not yours"),
        ("1SS", Move(("26/12SS",), ("1720",)), "26/12SS is finished for this turn [4.0]"),
        ("1SS", Move(("978/271",), ("1720",)), "the 74th Corps, which has been activated this turn [4.0]"),
        ("1SS", Move(("D/2SS",), ("1720",)), "D/2SS cannot enter the map before [1SS] acts"),
        ("86", Move(("D/2SS",), ("0909",)), ""),
        ("1SS", Move(("1051/84",), ("1720",)), ""),
        ("1SS", Move(("25/12SS",), ("1720",)), ""),
    ],
)
def test_7_0_units_that_can_never_act(section: str, order: Order, told: str) -> None:
    """4.0, 7.0 The dead, the enemy, the finished, and units whose own command has acted;
    a German unit of another command may be attached."""
    found = why(line(section, order))
    assert told in found if told else found == ""


def test_11_1_units_that_can_no_longer_be_attached() -> None:
    """11.1 Once three are attached no other command's unit acts; nor does one that is attached elsewhere."""
    order = Move(("1051/84",), ("1720",))
    assert "no more units can be attached" in why(line("1SS", order), attachments=3)
    state = war()
    state.units["1051/84"].attached = "2FJ"
    assert "is attached to 2FJ" in never(state, "german", line("1SS", order))
    assert not why(line("84", order), attachments=3)


def test_7_0_allied_units_act_with_their_own_command() -> None:
    """7.0, 11.9.2 An Allied unit never moves with another command; it may help in an assault."""
    assert "not to the Canadian 2nd Corps" in why(line("2CC", Move(("71/53",), ("1528",))), "allied")
    helped = Assault("1525", ("4/2C", "71/53"))
    near = war()
    near.units["71/53"].hex = "1524"
    assert not never(near, "allied", line("2CC", helped))
    assert "not to the Canadian 2nd Corps" in never(near, "allied", line("2CC", Assault("1525", ("71/53",))))


def test_11_1_attaching_is_idle_where_nobody_can_be_attached() -> None:
    """11.1 A list of priorities is idle only if all on it are."""
    assert "already belongs" in why(line("1SS", Attach(("25/12SS",))))
    assert "74th Corps" in why(line("1SS", Attach(("978/271", "501SS"))))
    assert not why(line("1SS", Attach(("978/271", "1051/84"))))
    assert "no more units" in why(line("1SS", Attach(("1051/84",))), attachments=3)
    assert "only German commands" in why(line("12C", Attach(("4/2C",))), "allied")


def test_11_4_11_9_hexes_that_stay_closed() -> None:
    """11.4, 11.9 No Allied unit goes east of the Withdrawal Line, nor this turn next to the Dives
    if its division may not; others may."""
    assert "[11.4]" in why(line("Pol", Move(("Koszutski",), ("1703",))), "allied", activated=["2CC"])
    assert "[11.9]" in why(line("15C", Move(("Dio",), ("2612",))), "allied")
    assert not why(line("15C", Move(("357/90",), ("2612",))), "allied")
    assert not why(line("15C", Move(("317/80",), ("3018",))), "allied")


def test_7_2_a_long_way_is_gone_as_far_as_it_can_be() -> None:
    """7.2 However far its goal, a move that can begin is not idle."""
    assert not why(line("84", Move(("1051/84",), ("1703",))))


def test_7_2_who_was_moved_by_the_58th_corps_moves_no_more() -> None:
    """7.2, 11.2 A unit that the 58th Corps has moved may still assault with its own command, and not move."""
    move, assault = Move(("1051/84",), ("2043",)), Assault("2243", ("1051/84",))
    assert "moved by the 58th" in why(line("84", move), moved=["1051/84"]) and not why(line("84", move))
    assert not why(line("84", assault), moved=["1051/84"])


def test_3_3_leaving_the_map() -> None:
    """3.3 A unit too far from the southern edge cannot leave by it this turn; Allies never do."""
    assert "southern edge" in why(
        line("1SS", Exit(("1055/89",))),
        turn=5,
        cup=["1SS"],
        activated=["74", "Pol", "12C", "30C", "7C", "15C", "2CC"],
    )
    assert not why(line("47Pz", Exit(("KG/9Pz",))))
    assert "only German units" in why(line("2CC", Exit(("4/2C",))), "allied")


# --- assaults ---------------------------------------------------------------------------------------------


def test_10_0_mechanised_assaults_need_mechanised_units() -> None:
    """10.0 German infantry never takes part; Allied infantry with a mechanised unit does."""
    assert "only Allied infantry" in why(line("1SS", MechAssault("1425", ("Pz/12SS", "25/12SS"))))
    assert not why(line("1SS", MechAssault("1425", ("Pz/12SS",))))
    assert "needs a mechanised unit" in why(line("2CC", MechAssault("1525", ("4/2C",))), "allied")
    assert not why(line("2CC", MechAssault("1525", ("4/2C", "6/2AB"))), "allied")


def test_10_1_units_that_cannot_come_next_to_the_hex() -> None:
    """10.1 In its own round a unit attacks only its neighbours; one that has moved first,
    or may be sent back before, gets further."""
    assert "cannot be adjacent to 1225" in why(line("2CC", Assault("1225", ("4/2C",))), "allied")
    assert not why(line("2CC", Assault("1525", ("4/2C",))), "allied")
    assert not why(line("2CC", MechAssault("1626", ("6/2AB",))), "allied")
    assert "cannot be adjacent to 4025" in why(line("2CC", MechAssault("4025", ("6/2AB",))), "allied")
    near, far = Assault("1530", ("71/53",)), Assault("4035", ("71/53",))
    assert not why(line("12C", near), "allied")
    assert "cannot be adjacent to 4035" in why(
        line("12C", far), "allied", activated=["1SS", "2SS", "47Pz", "74", "2FJ", "58Pz", "2CC"]
    )


@pytest.mark.parametrize("odds", ["", "1-1"])
def test_10_1_one_who_can_never_attack_makes_the_line_idle(odds: str) -> None:
    """10.1 All the units that are named attack, or nobody does, whatever odds the line asks for."""
    assert "501SS is eliminated" in why(line("1SS", MechAssault("1425", ("Pz/12SS", "501SS"), odds=odds)))
    assert not why(line("1SS", MechAssault("1425", ("Pz/12SS",), odds=odds)))


def test_11_4_nobody_attacks_across_the_withdrawal_line() -> None:
    """11.4 A hex that is east of the line on all sides is attacked by no Allied unit."""
    told = why(line("15C", Assault("1703", ("357/90",))), "allied")
    assert told.endswith("from any hex [11.4]")


# --- entering ---------------------------------------------------------------------------------------------


def test_11_4_who_enters_with_the_86th_corps() -> None:
    """11.4 Unknown forces and the 272nd enter in the zone, on the German side of the line,
    with the 86th Corps and with no other."""
    inside, outside = "0909", "1909"
    assert not why(line("86", Enter(("D/2SS", "980/272"), inside)))
    assert not why(line("86", Move(("D/2SS",), ("1206",))), activated=["2SS", "2CC"])
    assert "is not in the 86th Corps Zone" in why(line("86", Enter(("D/2SS",), outside)))
    assert "not one of the units that can enter" in why(line("86", Enter(("25/12SS",), inside)))
    assert "units enter only with" in why(line("1SS", Enter(("D/2SS",), inside)))
