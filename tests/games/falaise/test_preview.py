"""What is told of orders beforehand: cost and fire of moves, odds and chances of assaults,
what bombs may do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.engine.play import advance
from pbem.games.falaise.movement import Movement
from pbem.games.falaise.notes import Allotted
from pbem.games.falaise.orders import Assault, Bombard, Exit, Hold, MechAssault, Move, Strike, Withhold
from pbem.games.falaise.preview import preview
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game
from tests.games.playing import play


def war(text: str, **fields: object) -> State:
    """A state in an action round whose die has been thrown."""
    state = game(
        text,
        **({"phase": "activation", "active": "1SS", "allowance": 4} | fields),  # type: ignore[arg-type]
    )
    state.note(Allotted(case="7.1.1", command=state.active, parts=(), die=3, total=3, points=state.allowance))
    return state


# --- moves ------------------------------------------------------------------------------------------------


def test_7_2_what_a_way_costs() -> None:
    """7.2, 7.1.1 The hexes of the way with what it costs of what the unit has; short of points,
    how far it comes and why."""
    state = war("1055/89 2122")
    (line,) = preview(state, "german", Move(("1055/89",), ("2120",)))
    assert line == "2122 > 2121 > 2120: 2 of 4 MP [7.2]"
    far = preview(war("1055/89 2122", allowance=1), "german", Move(("1055/89",), ("2120",)))
    assert far[0] == "2122 > 2121: 1 of 1 MP [7.2]" and far[1].startswith("no further: ")


def test_7_1_1_before_the_die_the_best_points_are_told() -> None:
    """7.1.1 A line that waits for its command is judged by the best points, and says so."""
    state = war("1055/89 2122")
    state.log.clear()
    (line,) = preview(state, "german", Move(("1055/89",), ("2121",)))
    assert line == "2122 > 2121: 1 of at most 4 MP [7.2]"


def test_11_2_ways_of_the_58th_corps_are_told() -> None:
    """11.2 Whoever is west of the Orne moves with the 58th Corps: the way is told as any other."""
    (line,) = preview(war("5/3FJ 2043", active="58Pz"), "german", Move(("5/3FJ",), ("2042",)))
    assert line.startswith("2043 > 2042: ") and line.endswith(" of 6 MP [7.2]")


def test_7_3_half_rate_is_named() -> None:
    """7.3 A march by road at half rate is called so."""
    (line,) = preview(war("25/12SS 1724"), "german", Move(("25/12SS",), ("1822",)))
    assert "by road at half rate [7.3]" in line and " of 6 MP" in line


def test_6_2_fire_is_told_with_the_best_modifier() -> None:
    """6.2 Each step into a zone is named with the stack that fires best, and the chances of a halt
    and of disruption."""
    state = war("1055/89 2122, 357/90 2119")
    lines = preview(state, "german", Move(("1055/89",), ("2120",)))
    # Three factors +1, rating 3 against 2 +1: of six faces 2 and 3 halt, 4 to 6 disrupt.
    assert lines[1] == "fire on entering 2120: from 2119 at +2: halt 33 %, disrupted 50 % [6.2]"
    assert not [
        line
        for line in preview(war("1055/89 2122"), "german", Move(("1055/89",), ("2120",)))
        if "fire" in line
    ]


def test_6_3_breaking_contact_is_told_by_day_and_unless_a_friend_covers() -> None:
    """6.3 Leaving a zone for none draws fire at two less; by night, and past a friend who stays,
    it does not."""
    order = Move(("1055/89",), ("2122",))
    day = preview(war("1055/89 2121, 357/90 2120"), "german", order)
    assert "fire on leaving 2121: from 2120 at +0" in day[-1] and day[-1].endswith("[6.3]")
    assert not [
        line for line in preview(war("1055/89 2121, 357/90 2120", turn=4), "german", order) if "fire" in line
    ]
    covered = preview(
        war("1055/89 2121, 25/12SS 2121, 357/90 2120"), "german", Move(order.units, order.path, ("25/12SS",))
    )
    assert not [line for line in covered if "fire" in line]


def test_6_2_of_a_move_that_has_been_made_the_fire_is_told() -> None:
    """6.2 Once the order has been carried out as far as the first die, the log has the cost,
    and the fire that is coming is told."""
    state = war("1055/89 2122, 357/90 2119")
    order = Move(("1055/89",), ("2120",))

    async def moving(state: State) -> None:
        await Movement(state, "1SS", 4).carry_out(order)

    play(moving, state)
    fire = "fire on entering 2120: from 2119 at +2: halt 33 %, disrupted 50 % [6.2]"
    assert preview(state, "german", order) == (fire,)


@pytest.mark.parametrize(
    ("legs", "whole"),
    [
        ([("2121", "2120", "2019", "2018")], "2122 > 2121 > 2120 > 2019 > 2018"),
        ([("2121",), ("2120", "2019", "2018")], "2121 > 2120 > 2019 > 2018"),
    ],
)
def test_7_2_of_a_move_that_fire_interrupts_the_whole_way_is_told(
    legs: Sequence[tuple[str, ...]], whole: str
) -> None:
    """7.2, 6.2 An order that is checked goes as far as the first fire: what is told of it is the whole way,
    with its cost and every danger. A second leg is reckoned on from the first."""
    state = war("1055/89 2122, 357/90 2119", allowance=5)
    orders = [Move(("1055/89",), path) for path in legs]

    async def moving(state: State) -> None:
        movement = Movement(state, "1SS", 5)
        for order in orders:
            await movement.carry_out(order)

    advance(moving(state), state)
    assert state.units["1055/89"].hex == "2120"
    way, *fire = preview(state, "german", orders[-1])
    assert way == f"if no fire stops it: {whole}: 4 of 5 MP [7.2]"
    assert [line.split(":")[0] for line in fire] == [
        f"fire on entering {hex}" for hex in ("2120", "2019", "2018")
    ]
    assert state.units["1055/89"].hex == "2120", "telling changes nothing"


# --- assaults ---------------------------------------------------------------------------------------------


def test_10_2_odds_and_chances_are_exact() -> None:
    """10.2 Strengths, odds, modifiers, who may change the result, and the chance of each final result."""
    state = war("4/2C 2121, 1055/89 2120", active="2CC")
    lines = preview(state, "allied", Assault("2120", ("4/2C",)))
    assert lines[0] == "2120: 3 against 2 (1055/89): 1-1 [10.2]"
    assert lines[1] == "TER 3 against 2: you may change the result once [10.2]"
    # 1-1: AL1 AL1 CON CON DR DR becomes CON CON DR DR DL1 DL1.
    assert lines[2] == "CON 33 %, DR 33 %, DL1 33 %"


def test_11_9_2_help_is_told_with_its_chance() -> None:
    """11.9.2 Of units of other commands it is told how likely they join."""
    state = war("4/2C 2121, 71/53 2020, 1055/89 2120", active="2CC")
    lines = preview(state, "allied", Assault("2120", ("4/2C", "71/53")))
    # Rating 3 against a die with one for another nation and one for the Allies: only a 1 will do.
    assert "joins: 71/53 17 % [11.9.2]" in lines
    mech = preview(
        war("6/2AB 2121, Koszutski 2020, 1055/89 2120", active="2CC"),
        "allied",
        MechAssault("2120", ("6/2AB", "Koszutski")),
    )
    assert "-1 of several nations" in mech[0] and not [line for line in mech if line.startswith("joins")]


def test_10_1_an_assault_that_cannot_be_judged_says_nothing() -> None:
    """10.1 Where nobody stands next to the hex, or no enemy in it, there is nothing to tell."""
    assert preview(war("4/2C 2123, 1055/89 2120", active="2CC"), "allied", Assault("2120", ("4/2C",))) == ()
    assert preview(war("4/2C 2121", active="2CC"), "allied", Assault("2120", ("4/2C",))) == ()


# --- the rest ---------------------------------------------------------------------------------------------


def test_8_1_8_4_bombs_and_friendly_fire() -> None:
    """8.1, 8.4 The chances of a bombardment, and the Allies who may be hit by it: from the air always,
    by guns at night."""
    state = game("4/2C 2121, 1055/89 2120", phase="bombardment")
    strike = preview(state, "allied", Strike("2120"))
    assert strike == ("2120: 1055/89 disrupted 67 % [8.1]", "friendly fire 50 % at 2121 [8.4]")
    guns = preview(state, "allied", Bombard("2CC", "2120"))
    assert guns == ("2120: 1055/89 disrupted 50 % [8.1]",)
    two = game("4/2C 2121, 1055/89 2120, 25/12SS 2120", phase="bombardment")
    assert preview(two, "allied", Bombard("2CC", "2120")) == (
        "2120: one unit disrupted 33 %, all 17 % [8.1]",
    )
    state.turn = 4
    assert preview(state, "allied", Bombard("2CC", "2120"))[1] == "friendly fire 50 % at 2121 [8.4]"


def test_3_1_withholding_tells_its_price() -> None:
    """3.1 Four unknown forces cost nothing, five a point."""
    names = ["D/2SS", "DF/2SS", "Pz/2SS", "19/9SS", "20/9SS"]
    four, five = (game(", ".join(f"{name} unknown" for name in names[:number])) for number in (4, 5))
    assert preview(four, "german", Withhold(tuple(names[:4]))) == (
        "4 units withheld: no point for the Allies [3.1]",
    )
    assert preview(five, "german", Withhold(tuple(names))) == ("5 units withheld: +1 for the Allies [3.1]",)


def test_other_orders_say_nothing() -> None:
    """Of an order without anything to tell nothing is told."""
    state = war("KG/9Pz 4020")
    assert preview(state, "german", Hold()) == () and preview(state, "german", Exit(("KG/9Pz",))) == ()
    assert preview(state, "german", Move(("25/12SS",), ("1724",))) == ()
