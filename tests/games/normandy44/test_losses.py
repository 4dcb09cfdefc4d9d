"""Steps, ways to meet a result, Flak, headquarters that lose their units (7.3, 6.4, C2)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.normandy44 import combat, losses
from pbem.games.normandy44.losses import ways
from pbem.games.normandy44.notes import Attacked, HeadquartersLost, Lost, StepsLost
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game
from tests.games.playing import Played, play


def fought(
    state: State, hex: str, *ids: str, dice: tuple[int, ...], choose: Any = None, **order: Any
) -> Played[State]:
    """The attack of these units on a hex."""
    side = state.units[ids[0]].side

    async def phase(state: State) -> None:
        await combat.fight(state, side, hex, [state.units[id] for id in ids], order=Attack(hex, ids, **order))

    return play(phase, state, dice=dice, choose=choose)


def answer(kind: str, value: str) -> Any:
    return lambda ask: value if ask.kind == kind else None


# --- steps ----------------------------------------------------------------------------------------------


def test_7_3_steps_turn_a_counter_over_and_then_destroy_it() -> None:
    """7.3 A three-step division goes 4-4, 3-3, 1-2, and is lost with the third."""
    state = game("4US 0519")
    unit = state.units["4US"]
    for strengths in ((4, 4), (3, 3), (1, 2)):
        assert (unit.attack, unit.defence) == strengths
        losses.lose(state, unit, 1, "test")
    assert (unit.place, unit.hex) == ("dead", None)
    kinds = [type(note) for note in state.log]
    assert kinds == [StepsLost, StepsLost, StepsLost, Lost]


def test_E6_flak_and_the_79th_have_one_step() -> None:
    """E6 Their first loss is their last."""
    state = game("FlakA 1407, 79a 1306")
    for id in ("FlakA", "79a"):
        losses.lose(state, state.units[id], 1, "test")
        assert state.units[id].place == "dead"


def test_E8_a_garrison_that_loses_a_step_is_eliminated() -> None:
    """E8 Beach garrisons have one step."""
    state = game("WN-Gold 0809")
    losses.lose(state, state.units["WN-Gold"], 1, "test")
    assert state.units["WN-Gold"].place == "dead"


# --- splits ---------------------------------------------------------------------------------------------

TWO_DIVISIONS = "3BR 1306, 43BR 1306, 709ID 1407, 716ID 1407"


def names(text: str, points: int, *, most: int = 9, armour: bool = False) -> list[str]:
    state = game(text)
    units = [unit for unit in state.at("1407") if not unit.hq]
    return [way.name for way in ways(units, points, armour, most, lambda units, hexes: True)]


def test_7_3_example_0_2_and_its_splits() -> None:
    """7.3 The example of the rulebook: two steps of one unit, a step of two units,
    a step and a hex, or two hexes."""
    assert names(TWO_DIVISIONS, 2) == [
        "lose 2 steps of 709ID",
        "lose 709ID, 716ID",
        "lose 2 steps of 716ID",
        "lose 709ID, retreat 1",
        "lose 716ID, retreat 1",
        "retreat 2",
    ]


def test_7_4_example_0_3_and_its_splits() -> None:
    """7.4 The example of the rulebook: a hex and two steps meet 0/3, as do three steps,
    or two hexes and a step, or three hexes."""
    found = names(TWO_DIVISIONS, 3)
    assert "lose 709ID, 716ID, retreat 1" in found
    assert found == [
        "lose 2 steps of 709ID, 716ID",
        "lose 709ID, 2 steps of 716ID",
        "lose 2 steps of 709ID, retreat 1",
        "lose 709ID, 716ID, retreat 1",
        "lose 2 steps of 716ID, retreat 1",
        "lose 709ID, retreat 2",
        "lose 716ID, retreat 2",
        "retreat 3",
    ]


def test_7_3_fewer_steps_than_points_destroy_everybody() -> None:
    """7.3 A lone battalion may stand and die or go; it cannot pay with both."""
    assert names("StB7 1407", 2) == ["lose StB7", "retreat 2"]


def test_7_3_the_split_is_asked_in_play() -> None:
    """7.3 2:1 and a six are 0/2; the owner of the defenders chooses, and without an answer gives ground."""
    text = "3BR 1306, 43BR 1306, 709ID 1407"
    played = fought(game(text), "1407", "3BR", "43BR", dice=(6,))
    (ask,) = played.asked("losses")
    assert played.of(Attacked)[0].result == "0/2"
    assert ask.options == ("lose 2 steps of 709ID", "lose 709ID, retreat 1", "retreat 2")
    assert ask.seat == "german" and ask.fallback == "retreat 2"
    assert ask.hex == "1407" and ask.attack is False and ask.steps == {"709ID": 2}
    assert ask.ways["lose 709ID, retreat 1"] == losses.Way((("709ID", 1),), 1)
    assert ask.retreat_cost == {1: 0, 2: 0}
    state = game(text)
    fought(state, "1407", "3BR", "43BR", dice=(6,), choose=answer("losses", "lose 709ID, retreat 1"))
    assert state.units["709ID"].lost == 1 and state.units["709ID"].hex != "1407"


def test_7_3_a_retreat_of_three_hexes_and_the_cap_of_the_option() -> None:
    """7.3 4:1 and a six are 0/3: three hexes are free to take, with the option `retreat` two at most."""
    text = "1US 1306, 9US 1306, 4US 1406, 709ID 1407"
    for option, longest in (("free", "retreat 3"), ("two", "lose 709ID, retreat 2")):
        state = game(text, options={"retreat": option})
        played = fought(state, "1407", "1US", "9US", "4US", dice=(6,))
        (note,), (ask,) = played.of(Attacked), played.asked("losses")
        assert (note.column, note.result) == ("4:1", "0/3")
        assert ask.options[-1] == longest


def test_7_3_everybody_is_destroyed_by_an_E() -> None:
    """7.3 E: no choice, no retreat; the headquarters in the hex goes, too (6.4)."""
    state = game("1US 1306, 9US 1306, 4US 1406, StB7 1407, Pz206 1407, ISS 1407")
    played = fought(state, "1407", "1US", "9US", "4US", dice=(6,))
    assert played.of(Attacked)[0].result == "0/E"
    assert not played.asked("losses")
    assert [state.units[id].place for id in ("StB7", "Pz206", "ISS")] == ["dead"] * 3


def test_7_4_a_stack_without_a_way_loses_steps() -> None:
    """7.4 Surrounded, it cannot choose ground."""
    ring = "3BR 1306, 43BR 1306, 15BR 1406, 49BR 1506, 50BR 1507, 51BR 1408, 53BR 1307"
    state = game(f"{ring}, 709ID 1407, 352ID 1407")
    played = fought(state, "1407", "3BR", "43BR", "15BR", "49BR", dice=(6,))
    assert played.of(Attacked)[0].result == "0/2"
    assert all("retreat" not in option for option in played.asked("losses")[0].options)


def test_E8_a_garrison_does_not_retreat() -> None:
    """E8 It is fixed: ground can be given only once it is gone."""
    state = game("3BR 0908, 43BR 0908, 50BR 1008, WN-Ouistreham 0907, 716ID 0907")
    played = fought(state, "0907", "3BR", "43BR", "50BR", dice=(6,))
    (ask,) = played.asked("losses")
    assert played.of(Attacked)[0].result == "0/2"
    moving = [option for option in ask.options if "retreat" in option]
    assert moving and all("WN-Ouistreham" in option for option in moving)


# --- attackers ------------------------------------------------------------------------------------------


def test_7_3_the_attacker_loses_steps_only() -> None:
    """7.3 2/0: the attacker chooses who, never ground; nobody is hit harder
    than he must be without an answer."""
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, 353ID 1407")
    played = fought(state, "1407", "3BR", "4Armd", dice=(1,))
    (note,), (ask,) = played.of(Attacked), played.asked("losses")
    assert note.result == "2/0"
    assert ask.seat == "allied" and ask.attack is True
    assert all("retreat" not in option for option in ask.options)


def test_7_3_an_order_says_who_loses_first() -> None:
    """7.3 One step for each name; what is left is asked for."""
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, 353ID 1407")
    played = fought(state, "1407", "3BR", "4Armd", dice=(1,), losses=("4Armd", "3BR"))
    assert played.of(Attacked)[0].result == "2/0"
    assert not played.asked("losses")
    assert (state.units["3BR"].lost, state.units["4Armd"].lost) == (1, 1)
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, 353ID 1407")
    (ask,) = fought(state, "1407", "3BR", "4Armd", dice=(1,), losses=("4Armd",)).asked("losses")
    assert ask.options == ("lose 3BR, 4Armd", "lose 2 steps of 4Armd")


def test_7_3_too_few_steps_destroy_the_attackers() -> None:
    """7.3 A battalion that owes two steps dies, with a headquarters in its hex (6.4)."""
    state = game("StB7 1306, ISS 1306, 3BR 1407")
    played = fought(state, "1407", "StB7", dice=(1,))
    assert played.of(Attacked)[0].result == "3/0"
    assert state.units["StB7"].place == "dead"
    assert [note.name for note in played.of(HeadquartersLost)] == ["ISS"]


def test_6_4_a_headquarters_survives_with_one_of_its_units() -> None:
    """6.4 It goes only if nobody is left in its hex."""
    state = game("StB7 1306, Pz206 1306, ISS 1306, 3BR 1407")
    fought(state, "1407", "StB7", dice=(1,))
    assert state.units["ISS"].hex == "1306"


# --- Flak -----------------------------------------------------------------------------------------------


def test_C2_flak_takes_the_first_step_from_tanks() -> None:
    """C2 Where Flak defends, one of the attacker's steps comes from his tanks;
    without any it does not matter."""
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, FlakA 1407")
    (ask,) = fought(state, "1407", "3BR", "4Armd", dice=(1,)).asked("losses")
    assert ask.options == ("lose 3BR, 4Armd", "lose 2 steps of 4Armd")
    state = game("3BR 1306, 43BR 1306, 352ID 1407, FlakA 1407")
    (ask,) = fought(state, "1407", "3BR", "43BR", dice=(2,)).asked("losses")
    assert len(ask.options) > 1


def test_C2_flak_overrules_the_order_of_losses() -> None:
    """C2 The infantry that is named pays only after the tanks."""
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, FlakA 1407")
    fought(state, "1407", "3BR", "4Armd", dice=(1,), losses=("3BR",))
    assert (state.units["3BR"].lost, state.units["4Armd"].lost) == (1, 1)
    state = game("3BR 1306, 4Armd 1306, 352ID 1407, FlakA 1407")
    played = fought(state, "1407", "3BR", "4Armd", dice=(3,), losses=("3BR", "4Armd"))
    assert played.of(Attacked)[0].result == "1/0"
    assert (state.units["3BR"].lost, state.units["4Armd"].lost) == (0, 1)


def test_C2_flak_in_attack_does_so_too() -> None:
    """C2 The defender's first step comes from his tanks."""
    assert names("4Armd 1407, 3BR 1407", 1, armour=True) == ["lose 4Armd", "retreat 1"]


@pytest.mark.parametrize("count", [7, 12])
def test_7_3_no_more_ways_than_can_be_read(count: int) -> None:
    """7.3 A great battle does not offer thousands of ways."""
    ids = ["3BR", "15BR", "43BR", "49BR", "50BR", "51BR", "53BR", "59BR", "2CA", "3CA", "6AB", "1BE"][:count]
    state = game(", ".join(f"{id} 1306" for id in ids))
    units = [state.units[id] for id in ids]

    async def phase(state: State) -> None:
        await losses.pay(state, units, 3, "1407", "combat", attack=True)

    (ask,) = play(phase, state).asked("losses")
    assert len(ask.options) <= losses.MANY_WAYS and ask.fallback in ask.options
    assert sum(unit.lost for unit in units) == 3
