"""Weather, storms and offensive markers (2.1, 2.2, E3, 14.1)."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import weather
from pbem.games.normandy44.notes import Resources, Storm, WeatherRolled
from pbem.games.normandy44.state import Port
from tests.games.normandy44.kit import game
from tests.games.playing import play


@pytest.mark.parametrize(
    ("die", "expected"),
    [(1, "clear"), (3, "clear"), (4, "overcast"), (5, "overcast"), (6, "adverse")],
)
def test_2_1_the_die_gives_the_weather(die: int, expected: str) -> None:
    state = game(turn=1)
    play(weather.roll_weather, state, dice=[die])
    assert state.weather == expected


def test_2_1_clear_weather_ends_the_adjustment() -> None:
    state = game(turn=5, bad_turns=3)
    play(weather.roll_weather, state, dice=[6])
    assert (state.weather, state.bad_turns) == ("clear", 0)
    play(weather.roll_weather, state, dice=[6])
    assert state.weather == "adverse"


def test_s2_cobra_begins_in_clear_weather() -> None:
    state = game(scenario="cobra", turn=7, weather="")
    played = play(weather.roll_weather, state)
    assert state.weather == "clear"
    assert not played.rolled()
    assert played.of(WeatherRolled)[0].case == "S2"


@pytest.mark.parametrize(("die", "expected"), [(1, 2), (4, 2), (6, 0)])
def test_2_2_the_allies_get_two_markers_but_none_in_adverse_weather(die: int, expected: int) -> None:
    state = game(turn=1)
    play(weather.weather, state, dice=[die, 1])
    assert state.markers["allied"] == expected


@pytest.mark.parametrize(("die", "expected"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_2_2_the_germans_get_none_to_two_markers_by_a_die(die: int, expected: int) -> None:
    state = game(turn=1)
    played = play(weather.weather, state, dice=[1, die])
    assert state.markers["german"] == expected
    note = next(note for note in played.of(Resources) if note.side == "german")
    assert (note.die, note.number, note.roll) == (die, expected, 2)


def test_2_3_markers_that_were_kept_are_still_there() -> None:
    state = game(turn=2, markers={"allied": 1, "german": 2})
    play(weather.weather, state, dice=[1, 3])
    assert state.markers == {"allied": 3, "german": 3}


def test_e3_a_panzer_division_gives_its_bonus_once_however_few_of_its_units_have_come() -> None:
    state = game("25/12SS 1204, 130/Lehr reserve", turn=1)
    state.units["130/Lehr"].place = "track"
    played = play(weather.german_markers, state, dice=[2])
    assert played.of(Resources)[0].bonus == ("12SS",)
    assert state.markers["german"] == 1  # 2 + 1
    state.units["26/12SS"].place, state.units["26/12SS"].hex = "map", "1204"
    played = play(weather.german_markers, state, dice=[2])
    assert played.of(Resources)[-1].bonus == ()
    assert state.markers["german"] == 1


def test_e3_a_division_lost_at_once_has_come_all_the_same_and_17_ss_is_none() -> None:
    state = game("37/17SS 1118, 3/2Pz dead")
    assert weather.bonus(state) == ["2Pz"]
    assert "17SS" not in weather.PANZER_DIVISIONS
    assert len(weather.PANZER_DIVISIONS) == 10


def test_2_2_two_markers_are_the_most() -> None:
    state = game("25/12SS 1204, 130/Lehr 1204, 3/2Pz 1205")
    play(weather.german_markers, state, dice=[6])
    assert state.markers["german"] == 2


def test_14_1_storms_come_in_adverse_weather_only() -> None:
    state = game(ports={"Arromanches": Port(left=0, worth=9)})
    assert not play(weather.weather, state, dice=[4, 1]).of(Storm)
    state.bad_turns = 0
    played = play(weather.weather, state, dice=[6, 5, 1])
    assert [note.what for note in played.of(Storm)] == ["unhurt"]
