"""How to win (4, 14.1)."""

from __future__ import annotations

import pytest

from pbem.games.rampage import GAME, victory
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import ALLIED_START, GRID, LAND, SEINE_OBJECTIVES, V1_SITES, WEST_OF_SEINE
from tests.games.rampage.kit import game

WAY_TO_ARNHEM = [
    "2608",
    "2609",
    "2610",
    "2710",
    "2711",
    "2712",
    "2713",
    "2714",
    "2814",
    "2815",
    "2816",
    "2916",
    "3017",
]
SITES = (*V1_SITES, "2206", "2306", "2005", "2006", "2406", "2506", "2408")


def held(*hexes: str, **fields: object) -> State:
    """A state in which the Allies hold these hexes besides those they began with."""
    lost = GRID.bits(hex for hex in hexes if hex in GRID)
    german = " ".join(GRID.named(LAND & ~ALLIED_START & ~lost))
    return game(german=german, **fields)  # type: ignore[arg-type]


def dead(state: State, *ids: str) -> State:
    for id in ids:
        state.units[id].place, state.units[id].steps = "dead", 0
    return state


SEINE = (*WEST_OF_SEINE, *SEINE_OBJECTIVES)


def met(state: State) -> tuple[bool, ...]:
    return tuple(condition.met for condition in victory.conditions(state))


def test_4_1_nothing_is_met_at_the_start() -> None:
    """4.1 The opening position is a German win, and every condition says what is missing."""
    state = game(turn=1)
    assert met(state) == (False, False, False) and victory.level(state) == "loss"
    first, second, third = victory.conditions(state)
    assert {"1507", "1904", "1311", "1602"} <= set(first.missing)
    assert second.missing == V1_SITES and "3017" in third.missing
    assert victory.result(state).winner == "german"


def test_4_1_the_seine_needs_every_hex() -> None:
    """4.1 The first condition fails for one hex west of the river."""
    assert met(held(*SEINE))[0]
    lacking = held(*(hex for hex in SEINE if hex != "1505"))
    assert victory.conditions(lacking)[0].missing == ("1505",)


def test_4_1_two_conditions_draw_and_three_win() -> None:
    """4.1 The Seine and the launching sites are the historical draw; a victory city on top of them wins."""
    two = held(*SEINE, *SITES)
    assert met(two) == (True, True, False)
    assert (victory.level(two), victory.result(two).winner) == ("draw", None)
    three = held(*SEINE, *SITES, *WAY_TO_ARNHEM)
    assert met(three) == (True, True, True)
    assert (victory.level(three), victory.result(three).winner) == ("win", "allied")


def test_4_1_one_condition_loses() -> None:
    """4.1 One condition alone is not even a draw."""
    assert victory.level(held(*SEINE)) == "loss"


def test_4_1_13_7_a_city_that_is_not_linked_does_not_count() -> None:
    """4.1, 13.7 Arnhem in the hands of a dropped division, with no Allied hexes leading to it,
    is not in supply."""
    cut_off = held(*SEINE, *SITES, "3017", "2916", turn=5)
    assert met(cut_off) == (True, True, False) and victory.level(cut_off) == "draw"
    assert victory.level(held(*SEINE, *SITES, *WAY_TO_ARNHEM, turn=5)) == "win"


def test_4_1_the_link_does_not_cross_the_sea() -> None:
    """4.1 An all-sea hexside links nothing for the Allies: 2206 and 2306 touch across one."""
    assert GRID.are_neighbours("2206", "2306")
    state = held("1904", "1903", "1902", "1804", "1803", "2005", "2105", "2206", "2306")
    assert victory.conditions(state)[1].missing == tuple(hex for hex in V1_SITES if hex != "2105")


def test_4_1_the_seventh_site_is_an_option() -> None:
    """4.1 With the option a seventh launching site must be held too."""
    without = tuple(hex for hex in SITES if hex != "2206")
    assert met(held(*SEINE, *without))[1]
    seven = held(*SEINE, *without, options={"v1": "seven"})
    assert victory.conditions(seven)[1].missing == ("2206",)


@pytest.mark.parametrize(
    ("lost", "level"),
    [
        ((), "win"),
        (("3BrInf",), "win"),
        (("3BrInf", "GdsA"), "draw"),
        (("3BrInf", "2CanInf", "1PolA"), "loss"),
        (("3BrInf", "1BrAB"), "draw"),
        (("82AB", "101AB", "1Inf", "2FrA"), "win"),
        (("3BrInf", "2CanInf", "1PolA", "GdsA", "7BrA"), "loss"),
    ],
)
def test_4_2_the_british_loss_penalty(lost: tuple[str, ...], level: str) -> None:
    """4.2, 13.9 The first British division lost is free, the second makes a draw of a win,
    the third a defeat; the airborne one counts."""
    state = dead(held(*SEINE, *SITES, *WAY_TO_ARNHEM), *lost)
    assert victory.level(state) == level


def test_4_2_grounded_and_relieved_divisions_were_not_eliminated() -> None:
    """4.2, 9.15, 13.8 Only eliminated divisions count."""
    state = held(*SEINE, *SITES, *WAY_TO_ARNHEM)
    for id in ("3BrInf", "GdsA", "7BrA"):
        state.units[id].place = "grounded"
    state.units["1BrAB"].place = "relieved"
    assert victory.british_lost(state) == () and victory.level(state) == "win"


def test_14_1_montgomery_wants_arnhem() -> None:
    """14.1 With the option a win takes Arnhem, whatever other victory city is held; a draw does not."""
    by_aachen = ["2312", "2313", "2314", "2315", "2316", "2317", "2418"]
    way = [
        "1905",
        "1906",
        "1907",
        "1908",
        "2008",
        "2108",
        "2109",
        "2110",
        "2111",
        "2112",
        "2212",
        "2213",
        "2211",
        "2311",
    ]
    plain = held(*SEINE, *SITES, *way, *by_aachen)
    assert victory.level(plain) == "win"
    asked = held(*SEINE, *SITES, *way, *by_aachen, options={"montgomery": "yes"})
    assert victory.level(asked) == "draw" and victory.conditions(asked)[3].case == "14.1"
    both = held(*SEINE, *SITES, *WAY_TO_ARNHEM, options={"montgomery": "yes"})
    assert victory.level(both) == "win"


def test_5_5_conceding_is_defeat() -> None:
    """5.5 Whatever is held, who concedes has lost."""
    state = held(*SEINE, *SITES, *WAY_TO_ARNHEM, conceded=True)
    assert victory.level(state) == "loss"
    assert ("Conceded", "turn 2", "5.5") in victory.result(state).figures


def test_5_5_the_game_ends_with_the_concession() -> None:
    """5.5 After the phase in which the Allies concede there is no further one;
    otherwise the last is the administration of turn 5."""
    state = GAME.start()
    state.conceded = True
    GAME.next_phase(state)
    assert state.phase == ""
    last = game(turn=5, phase="administration")
    assert GAME.over(last) and not GAME.over(game(turn=4, phase="administration"))


def test_the_figures_say_what_is_missing() -> None:
    """4.1 The result lists each condition as met or with what it lacks, and the British losses."""
    state = dead(held(*SEINE), "3BrInf", "GdsA")
    figures = {what: value for what, value, _ in victory.result(state).figures}
    assert figures["Paris, Rouen, Troyes and all west of the Seine"] == "met"
    assert figures["The launching sites"].startswith("missing Dieppe (2105), 2106")
    assert figures["A victory city"].startswith("any one of Arnhem (3017), ")
    assert figures["British divisions eliminated"] == "GdsA, 3BrInf: -1 levels"
