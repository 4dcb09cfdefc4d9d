"""The sequence of play (1.0, 2.6, 2.8)."""

from __future__ import annotations

import pytest
from one_order import read_line

from pbem.games.normandy44 import GAME
from pbem.games.normandy44.orders import Delay
from pbem.games.normandy44.sequence import PHASES
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game

TURN = ["weather", "allocation", "a_first", "a_second", "b_first", "b_second", "end"]


def walk(state: State, count: int) -> list[tuple[int, str]]:
    """The next phases, with the turns that they belong to."""
    found = []
    for _ in range(count):
        found.append((state.turn, state.phase))
        GAME.next_phase(state)
    return found


def test_1_0_the_phases_of_a_turn() -> None:
    state = GAME.start("cherbourg")
    assert walk(state, 8) == [*((1, key) for key in TURN), (2, "weather")]


def test_15_0_d_day_comes_before_the_first_turn_of_the_campaign() -> None:
    state = GAME.start("campaign")
    assert walk(state, 3) == [(0, "landing"), (0, "reaction"), (1, "weather")]


def test_s2_cobra_begins_with_the_weather_of_turn_7() -> None:
    assert walk(GAME.start("cobra"), 1) == [(7, "weather")]


@pytest.mark.parametrize(("scenario", "last"), [("cherbourg", 4), ("cobra", 12), ("campaign", 12)])
def test_2_8_the_game_ends_after_the_last_turn_of_the_scenario(scenario: str, last: int) -> None:
    state = game(scenario=scenario, turn=last)
    state.phase = "b_second"
    assert not GAME.over(state)
    state.phase = "end"
    assert GAME.over(state)
    state.turn -= 1
    assert not GAME.over(state)


def test_2_8_or_when_a_side_has_won() -> None:
    state = game(turn=3, ended="Automatic victory")
    state.phase = "end"
    assert GAME.over(state)
    GAME.next_phase(state)
    assert state.phase == ""


def sections(initiative: str, seat: str) -> list[tuple[str, tuple[str, ...]]]:
    state = game(initiative=initiative)
    found = ((phase.key, phase.open_to(state, seat)) for phase in PHASES if phase.key[:2] in ("a_", "b_"))
    return [(key, open_) for key, open_ in found if open_]


@pytest.mark.parametrize(("seat", "turn"), [("allied", "first"), ("german", "second")])
def test_2_6_player_one_acts_first_in_both_phases(seat: str, turn: str) -> None:
    expected = [(f"a_{turn}", ("phase A",)), (f"b_{turn}", ("phase B",))]
    assert sections("allied", seat) == expected


def test_2_3_before_the_initiative_is_known_both_may_write_for_both_phases() -> None:
    for seat in ("allied", "german"):
        assert {section for _, open_ in sections("", seat) for section in open_} == {"phase A", "phase B"}


@pytest.mark.parametrize("box", ["Pas de Calais*", "Sud France*", "Le Mans", "Benelux"])
def test_every_box_of_the_track_can_be_written(box: str) -> None:
    roster = GAME.roster(GAME.start("campaign"), "allied")
    assert read_line(GAME.grammar, f"delay {box} with 1 bomber", roster) == Delay(box, 1)
