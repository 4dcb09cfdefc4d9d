"""The German defence (8): how many units, and which."""

from __future__ import annotations

import pytest

from pbem.engine.play import Draw, Roll
from pbem.games.rampage import defence
from pbem.games.rampage.notes import Defended
from pbem.games.rampage.state import State
from tests.games.playing import Played, play
from tests.games.rampage.kit import game


def defend(state: State, hex: str, *dice: int | str) -> Played:
    return play(lambda state: defence.generate(state, hex), state, dice=dice)


def names(state: State, hex: str) -> list[str]:
    return [unit.id for unit in state.defenders(hex)]


@pytest.mark.parametrize(
    ("hex", "case", "sizes"),
    [
        ("1502", "8.2", (0, 0, 0, 1, 2, 3)),
        ("1904", "8.2", (0, 0, 0, 1, 2, 3)),
        ("2003", "8.3", (1, 1, 1, 1, 2, 3)),
        ("2419", "8.4", (1, 2, 3, 4, 5, 6)),
        ("3017", "8.5", (3, 4, 5, 6, 7, 8)),
    ],
)
def test_size_by_ground(hex: str, case: str, sizes: tuple[int, ...]) -> None:
    """8.2 to 8.5 West of the line the die less three, a fortress at least one, east of it the die,
    a victory city two more."""
    rule = defence.formula(hex)
    assert rule.case == case
    assert tuple(rule.size(die) for die in range(1, 7)) == sizes


def test_8_2_the_units_are_drawn_blind_and_the_draw_can_be_proved() -> None:
    """8.2 The die gives the number, and that many are drawn from the whole pool in one request
    that names it."""
    state = game(pool="17L 18L 6FJ PzLr")
    played = defend(state, "1502", 5, "PzLr 18L")
    roll, draw = played.requests
    assert isinstance(roll, Roll) and roll.case == "8.2" and roll.what == "defence of 1502"
    assert isinstance(draw, Draw) and draw.pool == ("17L", "18L", "6FJ", "PzLr") and draw.count == 2
    assert sorted(names(state, "1502")) == ["18L", "PzLr"] and state.pool() == ("17L", "6FJ")
    (note,) = played.of(Defended)
    assert (note.die, note.rolled, note.pool, [part.value for part in note.parts]) == (5, 2, 2, [-3])


def test_8_2_a_low_die_leaves_the_hex_empty() -> None:
    """8.2, 8.7 One to three west of the line: nobody is drawn."""
    state = game(pool="17L 18L")
    played = defend(state, "1502", 3)
    assert names(state, "1502") == [] and len(played.requests) == 1


def test_8_3_a_fortress_gets_a_unit_that_is_not_elite() -> None:
    """8.3 When the die gives nobody, one non-elite unit is taken; any other result is drawn blind,
    elites and all."""
    state = game(pool="17L 18L 6FJ PzLr")
    played = defend(state, "2003", 2, "18L")
    assert played.requests[1].pool == ("17L", "18L")
    assert names(state, "2003") == ["18L"] and played.of(Defended)[0].chosen == "18L"
    blind = defend(game(pool="17L 18L 6FJ PzLr"), "2003", 4, "6FJ")
    assert blind.requests[1].pool == ("17L", "18L", "6FJ", "PzLr") and blind.of(Defended)[0].chosen == ""


def test_8_3_a_pool_of_elites_has_nobody_for_a_fortress() -> None:
    """8.3, 8.7 Without a non-elite unit the fortress is undefended on a low die."""
    state = game(pool="6FJ PzLr")
    defend(state, "2003", 1)
    assert names(state, "2003") == [] and state.pool() == ("6FJ", "PzLr")


@pytest.mark.parametrize("hex", ["1502", "2003", "3017"])
def test_8_7_an_empty_pool_defends_nothing(hex: str) -> None:
    """8.7 With nobody in the pool no die is thrown, and even a fortress or a victory city is empty."""
    played = defend(game(pool=""), hex)
    assert played.ended and not played.requests
    assert played.of(Defended)[0].case == "8.7"


def test_8_7_a_short_pool_gives_what_it_has() -> None:
    """8.7 Fewer units than rolled: all of them come, without a draw, and the rest is not made up."""
    state = game(pool="17L 6FJ")
    played = defend(state, "3017", 6)
    assert sorted(names(state, "3017")) == ["17L", "6FJ"] and state.pool() == ()
    assert [type(request) for request in played.requests] == [Roll]


def test_8_8_defenders_who_are_there_are_the_defence() -> None:
    """8.8 After a repulse nothing is rolled again for the hex."""
    state = game("17L 1502, 6FJ 1502")
    played = defend(state, "1502")
    assert not played.requests and played.of(Defended)[0].names == ("17L", "6FJ")


def test_12_8_a_garrison_is_never_replaced() -> None:
    """12.8 A fortress whose garrison fell with its attackers gets no further units:
    it is empty when it is next entered."""
    state = game(allied="1902 1903 2004", garrisons=["2003"], pool="17L")
    played = defend(state, "2003")
    assert not played.requests and state.pool() == ("17L",)
    assert played.of(Defended)[0].case == "12.8" and played.of(Defended)[0].names == ()


def test_12_10_a_fortress_back_in_supply_is_rolled_for_again() -> None:
    """12.10 A garrison fell with its attackers, and then a breakout has linked the fortress to the German
    front: it has an ordinary defence."""
    state = game(allied="1902", garrisons=["2003"], pool="17L 18L")
    played = defend(state, "2003", 1, "18L")
    assert names(state, "2003") == ["18L"] and played.of(Defended)[0].case == "8.3"


def test_a_second_defence_of_a_hex_is_a_new_event() -> None:
    """8.1 A hex that is rolled for twice in a turn has two different dice."""
    state = game(pool="17L 18L 6FJ PzLr")

    async def twice(state: State) -> None:
        first = await defence.generate(state, "1502")
        defence.to_pool(first)
        await defence.generate(state, "1502")

    played = play(twice, state, dice=[1, 2])
    assert [entry.asked for entry in played.progress.entries] == [
        "8.2|d6|defence of 1502|1",
        "8.2|d6|defence of 1502|2",
    ]
