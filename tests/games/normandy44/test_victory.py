"""Victory in the three scenarios (S1 to S3, 2.8)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import control, victory
from pbem.games.normandy44.notes import Decided
from pbem.games.normandy44.setup import setup
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import (
    ALENCON,
    AVRANCHES,
    BEACH_HEXES,
    CAEN,
    CHERBOURG,
    LISIEUX,
    SAINT_VAAST,
)
from tests.games.normandy44.kit import OPTIONS, game

TOWNS = (AVRANCHES, ALENCON, LISIEUX)
ARMOUR = [("A/4AD", 1), ("B/4AD", 1), ("R/4AD", 1)]
INFANTRY = [("90US", 3)]
BRITISH = [("22/7BAD", 2), ("131/7BAD", 1)]


def at(scenario: str, turn: int, *allied: str, text: str = "", caen: str = "one") -> State:
    """A scenario at the end of a turn: these hexes are Allied, all others German."""
    state = game(text, scenario=scenario, turn=turn, options={"caen": caen})
    control.begin(state)
    state.control = dict.fromkeys(state.control, "german")
    if scenario != "cherbourg":
        state.control.update(dict.fromkeys(BEACH_HEXES, "allied"))
    state.control.update(dict.fromkeys(allied, "allied"))
    return state


def judged(state: State) -> str:
    victory.judge(state)
    notes = [note for note in state.log if isinstance(note, Decided)]
    assert [note.level for note in notes] == ([state.ended] if state.ended else [])
    return state.ended


# --- Cherbourg ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "level"),
    [
        (1, ""),
        (2, "Allied strategic victory"),
        (3, "Allied operational victory"),
        (4, "Allied marginal victory"),
    ],
)
def test_s1_the_turn_of_the_fall_of_cherbourg_counts(turn: int, level: str) -> None:
    assert judged(at("cherbourg", turn, *CHERBOURG)) == level


def test_s1_half_of_cherbourg_is_a_draw_in_the_end() -> None:
    assert judged(at("cherbourg", 3, CHERBOURG[0])) == ""
    state = at("cherbourg", 4, CHERBOURG[0])
    assert judged(state) == "draw"
    assert victory.result(state).winner is None


def test_s1_germans_who_keep_cherbourg_win_marginally() -> None:
    assert judged(at("cherbourg", 4)) == "German marginal victory"


def test_s1_germans_need_utah_cherbourg_and_saint_vaast_for_a_strategic_victory() -> None:
    state = at("cherbourg", 4)
    state.utah_lost = True
    assert judged(state) == "German strategic victory"
    other = at("cherbourg", 4, SAINT_VAAST)
    other.utah_lost = True
    assert judged(other) == "German marginal victory"


def test_s1_two_divisions_with_a_line_to_the_south_make_an_operational_victory() -> None:
    assert judged(at("cherbourg", 4, text="37/17SS 1620, 91ID 1621")) == "German operational victory"
    assert judged(at("cherbourg", 4, text="37/17SS 1620, FJR6 1621")) == "German marginal victory"
    assert judged(at("cherbourg", 4, text="91ID 1620, 77ID 1621")) == "German marginal victory"


def test_s1_divisions_that_are_cut_off_do_not_count() -> None:
    state = at("cherbourg", 4, text="37/17SS 0222, 91ID 1621, 4US 0421, 9US 0419, 79US 0423")
    assert victory.southward(state) == ("91ID",)
    assert judged(state) == "German marginal victory"


# --- Cobra and the campaign -----------------------------------------------------------------------------


def test_s2_three_stacking_points_of_one_division_make_an_exit() -> None:
    state = at("cobra", 9)
    state.exits = {"L": [("A/4AD", 1), ("B/4AD", 1), ("A/6AD", 1), ("90US", 2), ("4Armd", 2), ("8Armd", 2)]}
    assert victory.divisions(state, "L") == {}
    state.exits["L"] += [("R/4AD", 1), ("9US", 3)]
    assert victory.divisions(state, "L") == {"4AD": True, "9US": False}
    assert victory.broken_out(state, "L") and not victory.broken_out(state, "east")


def test_s2_one_of_the_two_divisions_must_be_armoured() -> None:
    state = at("cobra", 9)
    state.exits = {"east": [("90US", 3), ("9US", 3)]}
    assert not victory.broken_out(state, "east")


@pytest.mark.parametrize(("scenario", "more"), [("cobra", ()), ("campaign", CHERBOURG)])
def test_s2_s3_automatic_victory_of_the_allies(scenario: str, more: tuple[str, ...]) -> None:
    state = at(scenario, 8, *TOWNS, *CAEN, *more)
    state.exits = {"L": [*ARMOUR, *INFANTRY]}
    assert judged(state) == ""
    state.exits["east"] = [*BRITISH, ("3BR", 3)]
    assert judged(state) == "Allied automatic victory"


def test_s3_automatic_victory_needs_all_of_cherbourg_in_the_campaign() -> None:
    state = at("campaign", 8, *TOWNS, *CAEN, CHERBOURG[0])
    state.exits = {"L": [*ARMOUR, *INFANTRY], "east": [*BRITISH, ("3BR", 3)]}
    assert judged(state) == ""


def test_s2_germans_who_keep_avranches_and_caen_to_turn_10_win() -> None:
    assert judged(at("cobra", 9, "1008")) == ""
    assert judged(at("cobra", 10, "1008")) == "German automatic victory"
    assert judged(at("cobra", 10, "1008", caen="both")) == ""
    assert judged(at("cobra", 10, caen="both")) == "German automatic victory"
    assert judged(at("cobra", 10, *CAEN)) == ""
    assert judged(at("cobra", 10, "1008", AVRANCHES)) == ""


def test_s3_keeping_caen_wins_nothing_in_the_campaign() -> None:
    assert judged(at("campaign", 10)) == ""


def test_s3_germans_with_more_than_half_of_the_beaches_win_at_once() -> None:
    state = at("campaign", 3)
    state.control.update(dict.fromkeys(list(BEACH_HEXES)[:3], "german"))
    assert judged(state) == ""
    state.control[list(BEACH_HEXES)[3]] = "german"
    assert judged(state) == "German automatic victory"


@pytest.mark.parametrize(
    ("allied", "level"),
    [
        (TOWNS, "Allied operational victory"),
        ((AVRANCHES, ALENCON), "Allied marginal victory"),
        ((AVRANCHES, LISIEUX), "Allied marginal victory"),
        ((ALENCON, LISIEUX), "draw"),
        ((AVRANCHES,), "German marginal victory"),
        ((ALENCON,), "German operational victory"),
        ((), "German strategic victory"),
    ],
)
@pytest.mark.parametrize(("scenario", "more"), [("cobra", ()), ("campaign", (*CAEN, *CHERBOURG))])
def test_s2_s3_towns_at_the_end_of_turn_12(
    scenario: str, more: tuple[str, ...], allied: tuple[str, ...], level: str
) -> None:
    assert judged(at(scenario, 11, *allied, *more)) == ""
    assert judged(at(scenario, 12, *allied, *more)) == level


@pytest.mark.parametrize("edges", [("east",), ("south",), ("east", "south")])
def test_s2_two_divisions_by_the_east_or_south_edge_make_it_strategic(edges: tuple[str, ...]) -> None:
    state = at("cobra", 12, *TOWNS)
    state.exits = {edges[0]: list(ARMOUR), edges[-1]: [*(ARMOUR if len(edges) == 1 else []), *INFANTRY]}
    assert judged(state) == "Allied strategic victory"


def test_s2_hex_l_is_neither_east_nor_south() -> None:
    state = at("cobra", 12, *TOWNS)
    state.exits = {"L": [*ARMOUR, *INFANTRY]}
    assert judged(state) == "Allied operational victory"


def test_s3_without_cherbourg_the_three_towns_make_a_draw() -> None:
    assert judged(at("campaign", 12, *TOWNS, *CAEN)) == "draw"


# --- the result -----------------------------------------------------------------------------------------


def test_2_8_the_result_shows_what_it_turns_on() -> None:
    state = at("cobra", 9, AVRANCHES, "1008")
    state.exits = {"south": list(ARMOUR)}
    result = victory.result(state)
    assert (result.level, result.winner) == ("German marginal victory", "german")
    assert ("Avranches", "Allied", "S2") in result.figures
    assert ("Caen", "1008 Allied, 1108 German", "S2") in result.figures
    assert ("Allied divisions off the map by the south edge", "4AD", "S2") in result.figures


def test_2_8_a_decided_game_stays_decided() -> None:
    state = at("cobra", 10, "1008")
    judged(state)
    state.control.update(dict.fromkeys(CAEN, "allied"))
    assert victory.result(state).level == "German automatic victory"
    assert victory.result(state).margin > victory.margin("German strategic victory")


def test_s1_the_result_of_the_first_scenario() -> None:
    result = victory.result(setup("cherbourg", OPTIONS))
    assert ("Cherbourg", "German", "S1") in result.figures
    assert ("Germans have been on Utah", "no", "S1") in result.figures
