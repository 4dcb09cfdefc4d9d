"""What the desks tell of orders beforehand: cost and fire of moves, odds and chances of assaults,
what bombs may do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.engine.language import Order
from pbem.games.falaise.activation import Joining, Round
from pbem.games.falaise.bombardment import Bombardment
from pbem.games.falaise.orders import (
    Assault,
    Attach,
    Attack,
    Bombard,
    Exit,
    Hold,
    MechAssault,
    Move,
    Strike,
    Withhold,
)
from pbem.games.falaise.setup import Redeployment
from tests.games.falaise.kit import game
from tests.games.playing import play


def war(text: str, command: str = "1SS", *, best: bool = False, **fields: object) -> Round:
    """The action round of a command whose die has been thrown."""
    fields = {"phase": "activation", "active": command, "allowance": 4, "activated": [command]} | fields
    return Round.of(game(text, **fields), command, rolled=True, best=best)  # type: ignore[arg-type]


def preview(round: Round, order: Order) -> list[str]:
    """What is told of an order that has been checked and settled."""
    round.check(order)
    return list(round.preview(round.settle(order)))


# --- moves ------------------------------------------------------------------------------------------------


def test_7_2_the_log_tells_what_a_move_without_fire_costs() -> None:
    """7.2 Where nothing can stop a move its note has path, cost and why it ends short:
    nothing is told twice."""
    assert preview(war("1055/89 2122"), Move(("1055/89",), ("2120",))) == []
    assert preview(war("1055/89 2122", allowance=1), Move(("1055/89",), ("2120",))) == []


def test_6_2_fire_is_told_with_the_best_modifier() -> None:
    """6.2 Each step into a zone is named with the stack that fires best, and the chances of a halt
    and of disruption; if only the last step is under fire the log has the cost."""
    lines = preview(war("1055/89 2122, 357/90 2119"), Move(("1055/89",), ("2120",)))
    # Three factors +1, rating 3 against 2 +1: of six faces 2 and 3 halt, 4 to 6 disrupt.
    assert lines == ["fire on entering 2120: from 2119 at +2: halt 33%, disrupted 50% [6.2]"]


def test_6_3_breaking_contact_is_told_by_day_and_unless_a_friend_covers() -> None:
    """6.3 Leaving a zone for none draws fire at two less; by night, and past a friend who stays,
    it does not."""
    order = Move(("1055/89",), ("2122",))
    (day,) = preview(war("1055/89 2121, 357/90 2120"), order)
    assert day.startswith("fire on leaving 2121: from 2120 at +0") and day.endswith("[6.3]")
    assert preview(war("1055/89 2121, 357/90 2120", turn=4), order) == []
    covered = Move(order.units, order.path, ("25/12SS",))
    assert preview(war("1055/89 2121, 25/12SS 2121, 357/90 2120"), covered) == []


@pytest.mark.parametrize(
    ("legs", "whole"),
    [
        ([("2121", "2120", "2019", "2018")], "2122 > 2121 > 2120 > 2019 > 2018"),
        ([("2121",), ("2120", "2019", "2018")], "2121 > 2120 > 2019 > 2018"),
    ],
)
def test_7_2_of_a_move_that_fire_may_interrupt_the_whole_way_is_told(
    legs: Sequence[tuple[str, ...]], whole: str
) -> None:
    """7.2, 6.2 The whole path with its cost and every danger. A second leg counts on from the first."""
    round = war("1055/89 2122, 357/90 2119", allowance=5)
    *before, last = [Move(("1055/89",), path) for path in legs]
    for order in before:
        play(lambda state: round.carry_out(order), round.state)  # noqa: B023
    way, *fire = preview(round, last)
    assert way == f"if no fire stops it: {whole}: 4 of 5 MP [7.2]"
    assert [line.split(":")[0] for line in fire] == [
        f"fire on entering {hex}" for hex in ("2120", "2019", "2018")
    ]
    assert round.state.units["1055/89"].hex == whole[:4], "telling changes nothing"


def test_7_2_a_move_under_fire_that_the_points_end_says_so() -> None:
    """7.2 Short of points it is told where it ends and why."""
    round = war("1055/89 2122, 357/90 2119", allowance=3)
    way, short, *fire = preview(round, Move(("1055/89",), ("2121", "2120", "2019", "2018")))
    assert way == "if no fire stops it: 2122 > 2121 > 2120 > 2019: 3 of 3 MP [7.2]"
    assert short.startswith("no further: ") and len(fire) == 2


def test_7_1_1_before_the_die_the_best_points_are_told() -> None:
    """7.1.1 A line that waits for its command is judged by the best points, and says so."""
    round = war("1055/89 2122, 357/90 2119", best=True)
    way, *_ = preview(round, Move(("1055/89",), ("2120", "2019")))
    assert way == "if no fire stops it: 2122 > 2121 > 2120 > 2019: 3 of at most 4 MP [7.2]"


def test_11_2_ways_of_the_58th_corps_are_told() -> None:
    """11.2 Whoever is west of the Orne moves with the 58th Corps: fire on the way is told as any other."""
    lines = preview(war("5/3FJ 2043, 4/2C 2041", "58Pz"), Move(("5/3FJ",), ("2042",)))
    assert [line.split(":")[0] for line in lines] == ["fire on entering 2042"]


# --- assaults ---------------------------------------------------------------------------------------------


def test_10_2_odds_and_chances_are_exact() -> None:
    """10.2 Strengths, odds, modifiers, who may change the result, and the chance of each final result."""
    lines = preview(war("4/2C 2121, 1055/89 2120", "2CC"), Assault("2120", ("4/2C",)))
    assert lines[0] == "2120: 3 against 2 (1055/89): 1-1 [10.2]"
    assert lines[1] == "TER 3 against 2: you may change the result once [10.2]"
    # 1-1: AL1 AL1 CON CON DR DR becomes CON CON DR DR DL1 DL1.
    assert lines[2] == "CON 33%, DR 33%, DL1 33%"


def test_11_9_2_help_is_told_with_its_chance() -> None:
    """11.9.2 Of units of other commands it is told how likely they join."""
    order: Attack = Assault("2120", ("4/2C", "71/53"))
    round = war("4/2C 2121, 71/53 2020, 1055/89 2120", "2CC")
    # Rating 3 against a die with one for another nation and one for the Allies: only a 1 will do.
    assert "joins: 71/53 17% [11.9.2]" in preview(round, order)
    round = war("6/2AB 2121, Koszutski 2020, 1055/89 2120", "2CC")
    mech = preview(round, MechAssault("2120", ("6/2AB", "Koszutski")))
    assert "-1 of several nations" in mech[0] and not [line for line in mech if line.startswith("joins")]


def test_11_9_2_a_unit_that_has_passed_its_check_joins_for_sure() -> None:
    """11.9.2 It need not roll again in this round: it counts as the others do."""
    order = Assault("2120", ("4/2C", "71/53"))
    round = war("4/2C 2121, 71/53 2020, 1055/89 2120", "2CC")
    round.assaults(False).tried["71/53"] = True
    lines = preview(round, order)
    assert "joins: 71/53 100% [11.9.2]" in lines
    # 6 against 2 is 3-1: the chances are those of one column, not mixed with those of 3 against 2.
    assert lines[0].startswith("2120: 6 against 2 (1055/89): 3-1")
    assert lines[-1] == preview(war("4/2C 2121, 5/2C 2020, 1055/89 2120", "2CC"), both())[-1]


def both() -> Assault:
    return Assault("2120", ("4/2C", "5/2C"))


def test_11_2_the_58th_corps_is_told_what_its_assaults_bring() -> None:
    """11.2 Its units, which belong to other commands, are not helpers."""
    lines = preview(war("Pz/12SS 2435, 978/271 2436, 4/2C 2535", "58Pz"), MechAssault("2535", ("Pz/12SS",)))
    assert lines[0].startswith("2535: ") and not [line for line in lines if line.startswith("joins")]


# --- the rest ---------------------------------------------------------------------------------------------


def test_8_1_8_4_bombs_and_friendly_fire() -> None:
    """8.1, 8.4 The chances of a bombardment, and the Allies who may be hit by it: from the air always,
    by guns at night."""
    state = game("4/2C 2121, 1055/89 2120", phase="bombardment")
    desk = Bombardment(state)
    assert list(desk.preview(Strike("2120"))) == [
        "2120: 1055/89 disrupted 67% [8.1]",
        "friendly fire 50% at 2121 [8.4]",
    ]
    assert list(desk.preview(Bombard("2CC", "2120"))) == ["2120: 1055/89 disrupted 50% [8.1]"]
    two = Bombardment(game("4/2C 2121, 1055/89 2120, 25/12SS 2120", phase="bombardment"))
    assert list(two.preview(Bombard("2CC", "2120"))) == ["2120: one unit disrupted 33%, all 17% [8.1]"]
    state.turn = 4
    assert list(desk.preview(Bombard("2CC", "2120")))[1] == "friendly fire 50% at 2121 [8.4]"


def test_3_1_withholding_tells_its_price() -> None:
    """3.1 Four unknown forces cost nothing, five a point: what has been withheld before counts."""
    names = ("D/2SS", "DF/2SS", "Pz/2SS", "19/9SS", "20/9SS")
    desk = Redeployment(game(", ".join(f"{name} 2{number}10" for number, name in enumerate(names))))
    four, fifth = Withhold(names[:4]), Withhold(names[4:])
    desk.carry_out(four)
    assert list(desk.remarks(four)) == ["4 units withheld: no point for the Allies [3.1]"]
    desk.carry_out(fifth)
    assert list(desk.remarks(fifth)) == ["5 units withheld: +1 for the Allies [3.1]"]


def test_other_orders_say_nothing() -> None:
    """Of an order without anything to tell nothing is told."""
    round = war("KG/9Pz 4020", "47Pz")
    assert not list(round.preview(Hold())) and not list(round.preview(Exit(("KG/9Pz",))))
    assert not list(Joining(round).preview(Attach(("25/12SS",))))
