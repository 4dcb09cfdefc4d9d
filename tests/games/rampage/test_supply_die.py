"""Army group supply from turn 3 on (9.14, 9.15)."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.play import Roll
from pbem.games.rampage.notes import Grounded, SupplyDecided
from pbem.games.rampage.orders import Ground
from pbem.games.rampage.state import State
from pbem.games.rampage.supply_die import Grounding, due, supply_die
from tests.games.playing import opening, play
from tests.games.rampage.kit import game

ARMIES = (
    "2A 1501, 3A 1501, 1Inf 1501, 4Inf 1501, 5Inf 1501 reduced, 82AB 1507,"
    "GdsA 1701, 7BrA 1701, 3BrInf 1701, 15BrInf 1701 reduced"
)


def army(text: str = ARMIES, **fields: object) -> State:
    return game(text, turn=3, **fields)  # type: ignore[arg-type]


def refused(state: State, order: Ground | None, *grounded: str) -> NotAllowed:
    grounding = Grounding(state)
    if grounded:
        grounding.carry_out(Ground(grounded))
    with pytest.raises(NotAllowed) as caught:
        grounding.check(order)
    return caught.value


def test_9_14_the_die_is_thrown_in_turn_3_alone() -> None:
    """9.14 Once, at the start of turn 3."""
    assert [due(game(turn=turn)) for turn in range(1, 6)] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("die", "full", "partial"),
    [
        (1, "british", "us"),
        (2, "british", "us"),
        (3, "british", "us"),
        (4, "us", "british"),
        (5, "us", "british"),
        (6, "us", "british"),
    ],
)
def test_9_14_the_die_decides(die: int, full: str, partial: str) -> None:
    """9.14 One to three supplies the British in full, four to six the US army group."""
    state = army("")
    played = play(supply_die, state, dice=[die])
    (note,) = played.of(SupplyDecided)
    assert (note.full, note.partial, state.partial, state.supply_die) == (full, partial, partial, die)
    assert isinstance(played.requests[0], Roll) and played.requests[0].case == "9.14"


def test_9_15_three_divisions_of_the_group_are_grounded() -> None:
    """9.15 The divisions named leave the game for good, without having been eliminated."""
    state = army()
    played = play(supply_die, state, Ground(("2A", "1Inf", "4Inf")), dice=[1])
    assert played.of(Grounded)[0].names == ("2A", "1Inf", "4Inf")
    assert [state.units[id].place for id in ("2A", "1Inf", "4Inf", "3A")] == [
        "grounded",
        "grounded",
        "grounded",
        "map",
    ]
    assert state.units["2A"].hex is None and not played.asked("grounding")


def test_9_15_they_may_be_named_in_several_lines() -> None:
    """9.15 One line each does as well as one for all; then nothing is left to ground."""
    state = army()
    played = play(supply_die, state, *(Ground((id,)) for id in ("2A", "3A", "1Inf")), dice=[2])
    assert [note.names for note in played.of(Grounded)] == [("2A",), ("3A",), ("1Inf",)]
    assert state.units["4Inf"].place == "map"


def test_9_15_one_may_not_stop_half_way() -> None:
    """9.15 After the first division has been named the writing cannot end before the third."""
    state = army(partial="us")
    error = refused(state, None, "2A")
    assert "2 more must be grounded" in error.text and error.legal == (
        "ground 1Inf",
        "ground 4Inf",
        "ground 3A",
    )


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (("5Inf",), "not at full strength"),
        (("GdsA",), "does not belong to the US army group"),
        (("82AB",), "does not belong to the US army group"),
        (("6A",), "not on the map"),
        (("17L",), "not one of your divisions"),
        (("2A", "3A", "1Inf", "4Inf"), "only 3 more"),
    ],
)
def test_9_15_who_may_be_grounded(units: tuple[str, ...], words: str) -> None:
    """9.15 Full-strength divisions of that army group on the map, and three of them."""
    assert words in refused(army(partial="us"), Ground(units)).text


@pytest.mark.parametrize(
    ("answer", "gone"),
    [("infantry first", ("1Inf", "4Inf", "2A")), ("armour first", ("2A", "3A", "1Inf"))],
)
def test_9_15_who_names_nobody_is_asked_by_type(answer: str, gone: tuple[str, ...]) -> None:
    """9.15 Without an order the player says which arm goes first, and the divisions follow
    in the order of battle."""
    state = army()
    played = play(supply_die, state, dice=[3], choose=lambda ask: answer)
    assert played.of(Grounded)[0].names == gone
    assert played.asked("grounding")[0].fallback == "infantry first"


def test_9_15_with_fewer_than_three_all_of_them_go() -> None:
    """9.15 Two full-strength divisions: both are grounded, and there is nothing to choose by naming more."""
    state = army()
    play(supply_die, state, dice=[6])
    assert [state.units[id].place for id in ("GdsA", "7BrA", "3BrInf")] == ["grounded"] * 3
    short = army("GdsA 1701, 3BrInf 1701, 15BrInf 1701 reduced")
    played = play(supply_die, short, dice=[4])
    assert played.ended and len(played.requests) == 1, "nobody is asked where nothing can be chosen"
    assert short.units["15BrInf"].place == "map" and short.units["GdsA"].place == "grounded"


def test_9_15_a_choice_that_decides_nothing_is_not_asked() -> None:
    """9.15 With infantry alone either arm first means the same divisions;
    the letter of a real choice names them."""
    foot = army("1Inf 1501, 4Inf 1501, 5Inf 1501, 9Inf 1501")
    assert not play(supply_die, foot, dice=[1]).asked("grounding")
    (ask,) = play(supply_die, army(), dice=[1]).asked("grounding")
    assert ask.intro == "3 full-strength divisions of the US army group must leave the game."
    assert [ask.says(option) for option in ask.options] == [
        "1Inf, 4Inf, 2A leave the game",
        "2A, 3A, 1Inf leave the game",
    ]


def test_the_commander_of_the_group_is_asked() -> None:
    """9.15 Of two players the one whose army group is short of supply decides."""
    state = army(ARMIES.replace(" reduced", ""), options={"command": "two"})
    played = play(supply_die, state, Ground(("GdsA", "7BrA", "3BrInf")), dice=[5])
    asked = [request for request in played.requests if isinstance(request, Desk)]
    assert {request.seat for request in asked} == {"british"}
    assert isinstance(opening(supply_die, army()), Roll)
