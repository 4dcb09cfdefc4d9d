"""The chits of a turn and the last reactions (2.0.9 to 2.0.11), with the German offensive
(12.5) and the end of a jump (12.3)."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from pbem.engine.installed import home
from pbem.engine.play import Ask
from pbem.games.france44 import airborne, control, cycle
from pbem.games.france44.notes import Activated, ChitDrawn, Lifted, PhasePassed, PieceActivated
from pbem.games.france44.orders import Activate, Drop, Increment, Move, Piece
from pbem.games.france44.state import State
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play

FRONT = "US1 1207, XIX/US 1207, V/US 1309, AOK7 1412, LXXXIV 1411"


def front(text: str = "", **fields: Any) -> State:
    state = game(f"{FRONT}, {text}", **fields)
    control.begin(state)
    return state


def deciding(**answers: str) -> Any:
    """Who answers what when asked for a reaction; the others as by default."""
    return lambda ask: answers.get(ask.seat) if ask.kind == "reaction" else None


def seats(played: Played[State]) -> list[str]:
    """Who was asked for a reaction, in order."""
    return [ask.seat for ask in played.asked("reaction")]


# --- drawing ----------------------------------------------------------------------------------------------


def test_2_0_9_chits_are_drawn_one_at_a_time() -> None:
    state = front(cup=["allied", "allied", "german", "administrative"])
    played = play(cycle.cycle, state, dice=["german"])
    (note,) = played.of(ChitDrawn)
    assert (note.chit, note.left, note.roll) == ("german", 3, 1)
    assert state.cup == ["allied", "allied", "administrative"]
    assert cycle.more(state)


def test_2_0_9_the_last_chit_needs_no_drawing_and_ends_the_cycle() -> None:
    state = front(cup=["allied"])
    played = play(cycle.cycle, state)
    assert played.rolled() == []
    assert played.of(ChitDrawn)[0].chit == "allied"
    assert not cycle.more(state)


def test_2_0_9_chits_of_one_kind_need_no_drawing_either() -> None:
    played = play(cycle.cycle, front(cup=["german", "german"]))
    assert played.rolled() == []


def test_2_0_9_the_administrative_chit_opens_no_reaction() -> None:
    played = play(cycle.cycle, front(cup=["administrative"]))
    assert seats(played) == []
    assert played.state.reaction == {"allied": 3, "german": 3}


# --- who reacts ---------------------------------------------------------------------------------------------


def test_2_0_9_first_the_other_side_reacts_then_the_initiative_player() -> None:
    played = play(cycle.cycle, front(cup=["allied"]))
    assert seats(played) == ["german", "allied"]
    played = play(cycle.cycle, front(cup=["german"]))
    assert seats(played) == ["allied", "german"]


def test_5_1_a_point_spent_for_nothing_keeps_the_initiative_player_from_reacting() -> None:
    """5.1 The note: spend a point, do nothing."""
    state = front(cup=["allied"])
    played = play(cycle.cycle, state, choose=deciding(german="deny"))
    assert seats(played) == ["german"]
    assert state.reaction == {"allied": 3, "german": 2}
    assert played.of(PhasePassed)[-1].what == "denied"


def test_5_1_a_reaction_of_the_other_side_is_the_only_one() -> None:
    state = front(cup=["allied"])
    played = play(
        cycle.cycle,
        state,
        None,
        Piece("LXXXIV"),
        Move(("LXXXIV",), ("1412",), 1),
        choose=deciding(german="react"),
    )
    assert at(state, "LXXXIV") == "1412"
    assert seats(played) == ["german"]


def test_5_1_who_wanted_to_react_but_spent_nothing_has_declined() -> None:
    played = play(cycle.cycle, front(cup=["allied"]), choose=deciding(german="react"))
    assert seats(played) == ["german", "allied"]


def test_5_1_who_has_no_points_is_not_asked() -> None:
    played = play(cycle.cycle, front(cup=["allied"], reaction={"allied": 1, "german": 0}))
    assert seats(played) == ["allied"]


def test_5_1_passing_opens_the_reaction_too() -> None:
    played = play(cycle.cycle, front(cup=["allied"]), None)
    assert played.of(PhasePassed)[0].what == "initiative"
    assert seats(played)[0] == "german"


def test_5_2_the_reaction_learns_which_hexes_have_fallen() -> None:
    """5.2 Le Havre falls, and the Germans are told when they may react."""
    state = front("7AD/BR 1709, CA1 1709", cup=["allied"])
    played = play(cycle.cycle, state, Activate("CA1", ("7AD/BR",)), Move(("7AD/BR",), ("1609",), 1))
    asked = played.asked("reaction")[0]
    assert asked.fallen == ("1609",)
    assert asked.points == 3
    assert played.asked("reaction")[1].fallen == ()


# --- heavy bombers (9.2) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("chit", ["allied", "german"])
def test_9_2_every_initiative_chit_frees_the_heavy_bombers(chit: str) -> None:
    state = front(cup=[chit], heavy_used=True)
    play(cycle.cycle, state)
    assert not state.heavy_used


def test_9_2_no_other_chit_or_reaction_does() -> None:
    """9.2 A marker used since the last initiative chit bars the other one, in the last reaction as well."""
    state = front(cup=["administrative"], heavy_used=True)
    play(cycle.cycle, state)
    play(cycle.german_final, state)
    play(cycle.allied_final, state)
    assert state.heavy_used


# --- the last reactions -------------------------------------------------------------------------------------


def test_2_0_10_the_germans_have_a_last_reaction_of_three_points() -> None:
    state = front(reaction={"allied": 0, "german": 5})
    played = play(cycle.german_final, state, Activate("AOK7", ("LXXXIV",)), choose=deciding(german="react"))
    assert seats(played) == ["german"]
    assert played.of(Activated)[0].cost == 3
    assert state.reaction["german"] == 2


def test_2_0_11_the_allies_have_one_too_whatever_the_germans_have_spent() -> None:
    state = front()
    play(cycle.german_final, state, Piece("LXXXIV"), choose=deciding(german="react"))
    played = play(cycle.allied_final, state, Piece("V/US"), choose=deciding(allied="react"))
    assert state.reaction == {"allied": 2, "german": 2}
    assert [note.name for note in played.of(PieceActivated)] == ["LXXXIV", "V/US"]


# --- the German offensive (12.5) ----------------------------------------------------------------------------


def bulge(**fields: Any) -> State:
    return front(turn=6, cup=["allied", "german", "administrative"], bulge=2, bulge_points=True, **fields)


def test_12_5_reaction_points_first_then_two_initiative_phases_in_a_row() -> None:
    """12.5 Each phase has its reactions; the cup is not touched before both are over."""
    state = bulge()
    played = play(cycle.cycle, state)
    assert seats(played) == ["german", "allied", "german"]
    assert played.asked("reaction")[0].chit == "offensive"
    assert (state.bulge, state.bulge_points) == (1, False)
    second = play(cycle.cycle, state)
    assert seats(second) == ["allied", "german"]
    assert state.bulge == 0
    assert len(state.cup) == 3
    assert played.of(ChitDrawn) == second.of(ChitDrawn) == []
    assert play(cycle.cycle, state, dice=["allied"]).of(ChitDrawn)


def test_12_5_up_to_three_points_open_the_offensive() -> None:
    state = bulge(reaction={"allied": 0, "german": 7})
    answers = iter(["react", "none"])

    def choose(ask: Ask[Any]) -> Any:
        return next(answers) if ask.kind == "reaction" else None

    played = play(
        cycle.cycle, state, Activate("AOK7", ("LXXXIV",)), None, Activate("AOK7", ("LXXXIV",)), choose=choose
    )
    assert [note.cost for note in played.of(Activated)] == [3, 0]
    assert state.reaction["german"] == 4


# --- Market Garden and Varsity ------------------------------------------------------------------------------


def jump(turn: int) -> State:
    return front("XVIII/US box, US3 3107, XXX/BR 3107", turn=turn, cup=["allied"])


def test_12_3_after_the_reactions_the_corps_goes_back_to_its_box() -> None:
    """12.3 It is still there while both sides react."""
    state = jump(3)
    where: list[str | None] = []

    def watch(ask: Ask[Any]) -> None:
        where.append(at(state, "XVIII/US"))

    played = play(cycle.cycle, state, Drop("3306"), choose=watch)
    assert where == ["3306", "3306"]
    assert state.units["XVIII/US"].place == "box"
    assert (state.drop, state.jumped) == (None, False)
    assert played.of(Lifted)


def test_12_4_after_varsity_it_stays_like_any_other_infantry() -> None:
    state = jump(10)
    played = play(cycle.cycle, state, Drop("3306"))
    assert at(state, "XVIII/US") == "3306"
    assert (state.drop, state.jumped, state.drop_stays) == (None, False, True)
    assert played.of(Lifted) == []


def test_12_3_with_losses_it_goes_back_as_it_is_and_eliminated_it_does_not() -> None:
    state = jump(3)
    state.units["XVIII/US"].lost = 1
    play(cycle.cycle, state, Drop("3306"))
    assert (state.units["XVIII/US"].place, state.units["XVIII/US"].lost) == ("box", 1)
    state = game("XVIII/US eliminated", turn=3, jumped=True)
    airborne.lift(state)
    assert state.units["XVIII/US"].place == "eliminated"


def test_7_0_time_passes_without_a_move() -> None:
    """6.0 The marker may go to a box in which nobody acts; the phase then ends with the letter."""
    state = front(cup=["allied"])
    played = play(cycle.cycle, state, Activate("US1", ("XIX/US",)), Increment(1))
    assert played.of(Activated)[0].names == ("XIX/US",)


# --- what may be written ahead ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "cup", "seat", "expected"),
    [
        (2, "allied german administrative", "allied", "initiative reaction administration arrival"),
        (2, "german administrative", "allied", "reaction administration arrival"),
        (3, "administrative", "german", "reaction administration south arrival"),
        (2, "allied", "allied", "initiative reaction"),
        (2, "", "german", "reaction"),
    ],
)
def test_2_0_9_what_chits_in_the_cup_may_bring_up(turn: int, cup: str, seat: str, expected: str) -> None:
    """2.0.9 Initiative while a chit of one's own is left, the administrative phase while its chit is;
    reactions all through the turn."""
    state = front(turn=turn, cup=cup.split(), phase="german_final")
    assert cycle.sections_of(state, seat) == tuple(expected.split())


@pytest.mark.parametrize(
    ("segment", "seat", "expected"),
    [
        ("administration", "german", "reaction administration south arrival"),
        ("south", "german", "reaction south arrival"),
        ("german arrival", "allied", "reaction arrival"),
        ("allied arrival", "allied", "reaction arrival"),
        ("allied arrival", "german", "reaction"),
    ],
)
def test_10_1_segments_that_are_over_are_not_open(segment: str, seat: str, expected: str) -> None:
    """10.1 Replacements, the south, German and then Allied arrivals."""
    state = front(turn=3, cup=[], chit="administrative", segment=segment, phase="cycle")
    assert cycle.sections_of(state, seat) == tuple(expected.split())


def test_10_1_the_segment_ends_with_the_phase() -> None:
    state = front(cup=["administrative"])
    play(cycle.cycle, state)
    assert state.segment == ""


def test_2_0_9_the_chit_that_is_played_counts() -> None:
    """2.0.9, 12.5 The last chit is still being played; a German offensive comes without chits."""
    state = front(cup=[], phase="cycle", chit="allied")
    assert "initiative" in cycle.sections_of(state, "allied")
    assert "initiative" not in cycle.sections_of(state, "german")
    state.bulge = 2
    assert "initiative" in cycle.sections_of(state, "german")


# --- the list of the README ---------------------------------------------------------------------------------


def test_2_0_9_the_steps_of_a_chit_name_what_there_is() -> None:
    """Every module and function in the list of what happens to a chit exists."""
    text = (home("france44") / "README.md").read_text(encoding="utf-8")
    [steps] = re.findall(r"^## One chit.*?^(?=## )", text, re.M | re.S)
    named = re.findall(r"`([a-z0-9]+)\.(\w+)`", steps)
    assert len(named) > 15
    for module, name in named:
        assert hasattr(importlib.import_module(f"pbem.games.france44.{module}"), name), f"{module}.{name}"
