"""The turn (2.0): its phases, and when the game is over (2.0.12)."""

from __future__ import annotations

import pytest

from pbem.games.france44 import GAME, setup, victory
from pbem.games.france44.sequence import PHASES
from pbem.games.france44.state import State
from pbem.games.france44.tables import SCENARIOS, TURNS
from tests.games.france44.kit import OPTIONS
from tests.games.playing import play


def walk(state: State, count: int) -> list[tuple[int, str]]:
    """The next phases, with the turns that they belong to."""
    found = []
    for _ in range(count):
        found.append((state.turn, state.phase))
        GAME.next_phase(state)
    return found


def begun(scenario: str = "crusade", phase: str = "begin") -> State:
    state = setup.setup(scenario, OPTIONS)
    state.phase = phase
    return state


def test_2_0_the_phases_of_a_turn() -> None:
    keys = ["begin", "cycle", "german_final", "allied_final", "verdict"]
    assert walk(begun(), 6) == [*((1, key) for key in keys), (2, "begin")]


def test_2_0_1_the_turn_marker_moves_on() -> None:
    state = begun(phase="verdict")
    GAME.next_phase(state)
    assert (state.turn, state.phase) == (2, "begin")


def test_2_0_9_the_cycle_goes_on_until_the_cup_is_empty() -> None:
    state = begun(phase="cycle")
    state.cup = ["allied", "administrative"]
    GAME.next_phase(state)
    assert (state.phase, state.round) == ("cycle", 2)
    state.cup = []
    GAME.next_phase(state)
    assert (state.phase, state.round) == ("german_final", 1)


def test_12_5_and_while_phases_of_an_offensive_are_left() -> None:
    state = begun(phase="cycle")
    state.bulge = 1
    GAME.next_phase(state)
    assert (state.phase, state.round) == ("cycle", 2)


def test_2_0_10_2_0_11_the_germans_react_last_before_the_allies() -> None:
    keys = [phase.key for phase in PHASES]
    assert (
        keys.index("cycle") < keys.index("german_final") < keys.index("allied_final") < keys.index("verdict")
    )
    seats = {phase.key: phase.seats for phase in PHASES}
    assert (seats["german_final"], seats["allied_final"]) == (("german",), ("allied",))


@pytest.mark.parametrize(
    ("scenario", "last"), [("falaise", 1), ("westwall", 3), ("rhine", 9), ("crusade", 11)]
)
def test_2_0_12_the_game_ends_after_the_last_turn_of_its_scenario(scenario: str, last: int) -> None:
    assert SCENARIOS.of(scenario).last_turn == last
    state = begun(scenario, "verdict")
    state.turn = last
    play(victory.verdict, state)
    assert GAME.over(state)
    GAME.next_phase(state)
    assert state.phase == ""


def test_2_0_12_and_not_before() -> None:
    state = begun("westwall", "verdict")
    state.turn = 2
    play(victory.verdict, state)
    assert not GAME.over(state)


def test_1_1_eleven_months_from_july_1944_to_may_1945() -> None:
    assert [TURNS[number].month for number in (1, 11)] == ["July 1944", "May 1945"]
    assert sorted(TURNS) == list(range(1, 12))
