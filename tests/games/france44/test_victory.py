"""Victory (2.0.12, 13.1, 13.2)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.france44 import control, crossing, setup, victory
from pbem.games.france44.notes import Decided
from pbem.games.france44.state import State
from pbem.games.france44.tables import (
    ANTWERP,
    BREST,
    BRUSSELS,
    GERMAN_CITIES,
    METZ,
    PARIS,
    SAINT_NAZAIRE,
    V1_SITES,
)
from tests.games.france44.kit import OPTIONS, game
from tests.games.playing import play

EAST = ("3609", "3610", "3611", "3612", "3613", "3714")
"""Hexes of the right bank."""


def ending(
    scenario: str, text: str = "", *, turn: int = 3, allied: tuple[str, ...] = (), **fields: Any
) -> State:
    """The end of a turn in which the Allies hold these hexes too."""
    state = game(text, scenario=scenario, turn=turn, **fields)
    control.begin(state)
    state.control |= dict.fromkeys(allied, "allied")
    return state


def level(state: State) -> str:
    play(victory.verdict, state)
    return state.ended


# --- Falaise Gap (13.1) -------------------------------------------------------------------------------------


def falaise(*towns: str, **fields: Any) -> State:
    state = setup.setup("falaise", OPTIONS)
    for name, value in fields.items():
        setattr(state, name, value)
    state.control |= dict.fromkeys(towns, "allied")
    return state


def points(state: State) -> int:
    return sum(points for _, points in victory.falaise_points(state))


@pytest.mark.parametrize(
    ("towns", "losses", "total", "reached", "ahead"),
    [
        (("1111", "1210", "1410", "1411"), {"german": 1}, 10, "Allied decisive victory", 6),
        (("1111", "1210"), {"german": 3, "allied": 1}, 8, "Allied marginal victory", 4),
        (("1111",), {"german": 2, "allied": 1}, 4, "German victory", 1),
        ((), {}, 0, "German victory", 5),
    ],
)
def test_13_1_points_of_falaise_gap(
    towns: tuple[str, ...], losses: dict[str, int], total: int, reached: str, ahead: int
) -> None:
    """13.1 Two for a town and for a German unit eliminated, less two for an Allied one;
    9 and 5 points are needed."""
    state = falaise(*towns, losses=losses)
    assert points(state) == total
    assert level(state) == reached
    assert victory.result(state).margin == ahead


def test_13_1_germans_cut_off_are_worth_a_point_each() -> None:
    """13.1 Judged when the turn ends, and no marker is added."""
    state = falaise()
    for unit in state.units.values():
        if unit.side == "german" and unit.id not in ("9SS", "LXXXIV"):
            unit.place, unit.hex = "eliminated", None
    assert points(state) == 2
    assert not state.units["9SS"].unsupplied


def test_13_1_falaise_gap_lasts_one_turn() -> None:
    state = falaise()
    played = play(victory.verdict, state)
    (note,) = played.of(Decided)
    assert (note.case, note.level, note.winner) == ("13.1", "German victory", "german")


# --- Breakout to the West Wall (13.2) -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ((PARIS,), 2),
        ((ANTWERP,), 3),
        ((BRUSSELS,), 1),
        ((METZ,), 2),
        ((SAINT_NAZAIRE, BREST), 2),
        ((BREST,), 0),
        (tuple(V1_SITES.values()), 2),
        (tuple(V1_SITES.values())[1:], 0),
    ],
)
def test_13_2_points_of_the_west_wall(held: tuple[str, ...], worth: int) -> None:
    assert sum(each for _, each in victory.westwall_points(ending("westwall", allied=held))) == worth


def test_13_2_antwerp_counts_with_the_scheldt_only() -> None:
    state = ending("westwall", "LXXXIX 2806", allied=(ANTWERP,))
    assert sum(each for _, each in victory.westwall_points(state)) == 0


def test_13_2_german_cities_count_while_an_allied_piece_stands_there() -> None:
    """13.2, 11.3 A headquarters does; nobody keeps a German city by passing through."""
    state = ending("westwall", "US1 3310, V/US 3510")
    assert victory.cities_taken(state) == 2
    assert sum(each for _, each in victory.westwall_points(state)) == 4
    state.units["V/US"].hex = "3410"
    assert victory.cities_taken(state) == 1


def test_13_2_bridgeheads_are_worth_five() -> None:
    state = across("westwall", 2, turn=3)
    before = dict(victory.westwall_points(ending("westwall", allied=(ANTWERP,))))
    assert sum(dict(victory.westwall_points(state)).values()) == sum(before.values()) + 10


def test_13_2_bridgeheads_count_with_a_supplied_unit_on_them() -> None:
    """13.2, 12.6 A corps on the west bank wins three markers by its zone and no point;
    nor does a unit out of supply."""
    heads = "Bridgeheads over the Rhine"
    state = ending("westwall", "V/US 3510, US1 3512", allied=(ANTWERP,))
    crossing.judge_bridgeheads(state)
    assert state.bridgeheads and dict(victory.westwall_points(state))[heads] == 0
    state = across("westwall", 2, turn=3)
    state.control = dict.fromkeys(state.control, "german")
    assert dict(victory.westwall_points(state))[heads] == 0


@pytest.mark.parametrize(
    ("held", "heads", "total", "reached"),
    [
        ((PARIS, ANTWERP, METZ, SAINT_NAZAIRE, BREST, *V1_SITES.values()), 0, 11, "Allied victory"),
        ((PARIS, ANTWERP), 2, 15, "Allied victory"),
        ((PARIS, ANTWERP, METZ, BRUSSELS), 0, 8, "Allied victory"),
        ((PARIS, ANTWERP, METZ), 0, 7, "draw"),
        ((PARIS, BRUSSELS, METZ), 0, 5, "draw"),
        ((PARIS, METZ), 0, 4, "draw"),
        ((PARIS, BRUSSELS), 0, 3, "German victory"),
        ((), 0, 0, "German victory"),
    ],
)
def test_13_2_levels_of_the_west_wall(held: tuple[str, ...], heads: int, total: int, reached: str) -> None:
    """13.2 Eight points, four for a draw."""
    state = across("westwall", heads, turn=3, allied=held)
    assert victory.points(state) == total
    assert level(state) == reached
    result = victory.result(state)
    assert result.winner == {"A": "allied", "G": "german", "d": None}[reached[0]]
    assert result.margin == {"A": total - 7, "G": 4 - total, "d": 0}[reached[0]]


def test_13_2_what_the_allies_had_by_september_1944_is_a_draw() -> None:
    """13.2 Paris, Brussels and the V-1 sites, and Antwerp without the Scheldt: five points."""
    state = ending("westwall", "LXXXIX 2806", allied=(PARIS, BRUSSELS, ANTWERP, BREST, *V1_SITES.values()))
    assert victory.points(state) == 5
    assert level(state) == "draw"
    assert (victory.result(state).winner, victory.result(state).margin) == (None, 0)


# --- To the Rhine (13.2) ------------------------------------------------------------------------------------


def across(
    scenario: str,
    count: int,
    *,
    turn: int,
    extra: str = "",
    allied: tuple[str, ...] = (ANTWERP,),
    **fields: Any,
) -> State:
    """A number of bridgeheads, each with a unit of an army in supply from Antwerp."""
    units = ("V/US", "VII/US", "VIII/US", "XIX/US", "XV/US", "XX/US")
    text = ", ".join(f"{id} {hex}" for id, hex in zip(units[:count], EAST, strict=False))
    base = "US1 3512, US3 3210, US9 3008"
    return ending(
        scenario,
        f"{base}, {text}, {extra}",
        turn=turn,
        allied=allied,
        bridgeheads=list(EAST[:count]),
        rhine_crossed=turn,
        **fields,
    )


@pytest.mark.parametrize(
    ("count", "reached"),
    [
        (4, "Allied decisive victory"),
        (3, "Allied marginal victory"),
        (2, "Allied marginal victory"),
        (1, "draw"),
        (0, "German victory"),
    ],
)
def test_13_2_levels_of_the_rhine(count: int, reached: str) -> None:
    assert level(across("rhine", count, turn=9)) == reached


def test_13_2_six_bridgeheads_end_the_game_at_once() -> None:
    state = across("rhine", 6, turn=7)
    assert level(state) == "Allied automatic victory"
    assert victory.margin(state, "Allied automatic victory") > victory.margin(
        state, "Allied decisive victory"
    )
    assert level(across("rhine", 5, turn=7)) == ""


def test_13_2_a_bridgehead_without_a_unit_in_supply_does_not_count() -> None:
    state = across("rhine", 3, turn=9)
    assert victory.bridgeheads_held(state, supplied=True) == 3
    state.units["V/US"].hex = "3510"
    assert victory.bridgeheads_held(state, supplied=True) == 2
    state.control = dict.fromkeys(state.control, "german")
    assert victory.bridgeheads_held(state, supplied=True) == 0
    assert victory.bridgeheads_held(state, supplied=False) == 2


@pytest.mark.parametrize(
    ("scenario", "turn", "lost", "reached"),
    [
        ("rhine", 3, ("1207", "1309"), "German automatic victory"),
        ("crusade", 3, ("1207", "1409"), "German automatic victory"),
        ("rhine", 2, ("1207", "1309"), ""),
        ("rhine", 3, ("1207",), ""),
        ("westwall", 2, ("1207", "1309"), ""),
    ],
)
def test_13_2_two_normandy_hexes_in_german_hands_end_the_long_scenarios(
    scenario: str, turn: int, lost: tuple[str, ...], reached: str
) -> None:
    state = ending(scenario, turn=turn)
    state.control |= dict.fromkeys(lost, "german")
    assert level(state) == reached


# --- Crusade in Europe (13.2) -------------------------------------------------------------------------------


def surrendering(turn: int, heads: int = 3, cities: int = 8) -> State:
    state = across("crusade", heads, turn=turn)
    spare = [unit for unit in state.units.values() if unit.side == "allied" and unit.place == "later"]
    for unit, hex in zip(spare, tuple(GERMAN_CITIES.values())[:cities], strict=False):
        unit.place, unit.hex = "map", hex
    return state


@pytest.mark.parametrize(
    ("turn", "reached"),
    [
        (8, "Allied decisive victory"),
        (9, "Allied decisive victory"),
        (10, "Allied substantive victory"),
        (11, "draw"),
    ],
)
def test_13_2_germany_surrenders(turn: int, reached: str) -> None:
    """13.2 Three bridgeheads held and eight cities taken; the sooner the better,
    and the game ends with it."""
    assert level(surrendering(turn)) == reached


@pytest.mark.parametrize(("heads", "cities"), [(2, 8), (3, 7)])
def test_13_2_not_with_less(heads: int, cities: int) -> None:
    state = surrendering(8, heads, cities)
    assert level(state) == ""
    state.turn = 11
    assert level(state) == "German marginal victory"


def test_13_2_the_rhine_never_crossed_is_a_german_decisive_victory() -> None:
    assert level(ending("crusade", turn=11)) == "German decisive victory"


def test_2_0_12_the_result_while_the_game_goes_on() -> None:
    """2.0.12 What it would be if it ended now, with what it turns on."""
    state = ending("crusade", turn=5)
    result = victory.result(state)
    assert (result.level, result.winner) == ("German decisive victory", "german")
    assert ("Rhine crossed", "no", "12.9") in result.figures
    assert ("Allied points", "2", "13.2") in victory.result(ending("westwall", allied=(PARIS,))).figures
    assert state.ended == ""
