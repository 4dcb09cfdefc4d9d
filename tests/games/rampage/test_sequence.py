"""The sequence of play (5)."""

from __future__ import annotations

import pytest

from pbem.games.rampage import GAME
from pbem.games.rampage.sequence import PHASES
from tests.games.rampage.kit import game


@pytest.mark.parametrize(
    ("turn", "phases"),
    [
        (1, ["set_up", "operations", "administration"]),
        (2, ["replacement", "airborne", "operations", "administration"]),
        (3, ["supply_die", "replacement", "airborne", "operations", "administration"]),
        (5, ["replacement", "airborne", "operations", "administration"]),
    ],
)
def test_5_2_phases_of_a_turn(turn: int, phases: list[str]) -> None:
    """5.1, 5.2, 5.3, 9.14 Turn 1 begins with the set-up and skips two phases, turn 3 begins
    with the supply die."""
    state = game(turn=turn)
    assert [phase.key for phase in PHASES if phase.when(state)] == phases


def test_13_4_no_second_drop() -> None:
    """13.4 After the assault there is no further airborne phase."""
    state = game(turn=3, drop_turn=2)
    assert "airborne" not in [phase.key for phase in PHASES if phase.when(state)]


def test_5_5_the_end_of_the_game() -> None:
    """5.5 The game ends after phase IV of turn 5, or when it is conceded."""
    state = game(turn=5, phase="administration")
    assert GAME.over(state)
    assert not GAME.over(game(turn=4, phase="administration")) and not GAME.over(
        game(turn=5, phase="operations")
    )
    assert GAME.over(game(turn=2, phase="operations", conceded=True))


def test_5_4_turning_the_page() -> None:
    """5.4 Phase IV leads to the next turn."""
    state = game(turn=2, phase="administration")
    GAME.next_phase(state)
    assert (state.turn, state.phase) == (3, "supply_die")
