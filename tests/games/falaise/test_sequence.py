"""The sequence of play (4.0)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.falaise import GAME, activation
from pbem.games.falaise.sequence import PHASES
from pbem.games.falaise.tables import ALLIED_COMMANDS, COMMAND_NAMES, GERMAN_COMMANDS
from tests.games.falaise.kit import game

SET_UP = ["set_up_german", "set_up_allied", "redeployment"]
TURN = ["bombardment", "command", "activation", "recovery"]


@pytest.mark.parametrize(
    ("turn", "fields", "phases"),
    [
        (1, {}, [*SET_UP, *TURN]),
        (2, {}, TURN),
        (4, {}, TURN),
        (5, {}, ["counterattack", *TURN]),
        (6, {"counterattack": 5}, TURN),
        (10, {}, ["counterattack", *TURN, "victory"]),
        (10, {"counterattack": 7}, [*TURN, "victory"]),
    ],
)
def test_4_0_phases_of_a_turn(turn: int, fields: dict[str, Any], phases: list[str]) -> None:
    """3.1, 3.3, 4.0, 11.3 Set-up before turn 1, the counterattack on turns 5 to 10 until it has been
    declared, the victory check after recovery on turn 10."""
    state = game("19/9SS 1805", turn=turn, **fields)
    assert [phase.key for phase in PHASES if phase.when(state)] == phases


@pytest.mark.parametrize("day", [True, False])
def test_4_0_bombardment_by_night_too(day: bool) -> None:
    """4.0, 8.2 Guns fire by night as well: the phase is played every turn."""
    [phase] = [phase for phase in PHASES if phase.key == "bombardment"]
    assert phase.when(game(turn=3 if day else 4))


def test_4_0_who_writes() -> None:
    """4.0 The sections of each phase, and whose they are; those of the commands are both sides',
    each its own."""
    written = {phase.key: (phase.seats, phase.sections) for phase in PHASES}
    assert written["counterattack"] == (("german",), ("counterattack",))
    assert written["bombardment"] == (("allied",), ("bombardment",))
    assert written["activation"] == (("german", "allied"), tuple(COMMAND_NAMES))
    assert [written[key][1] for key in ("command", "recovery", "victory")] == [(), (), ()]
    assert set(COMMAND_NAMES) == {*GERMAN_COMMANDS, *ALLIED_COMMANDS, "86", "58Pz"}


@pytest.mark.parametrize(
    ("fields", "again"),
    [
        ({"cup": ["74"]}, True),
        ({"held_back": ["Pol"]}, True),  # 11.10
        ({"counter_command": "2SS"}, True),  # 11.3
        ({}, False),
        ({"activated": ["74"]}, False),
    ],
)
def test_4_0_until_the_cup_is_empty(fields: dict[str, Any], again: bool) -> None:
    """4.0 Action rounds go on until all commands have been activated."""
    state = game("978/271 0224", **fields)
    [phase] = [phase for phase in PHASES if phase.key == "activation"]
    assert phase.again is activation.pending
    assert phase.again(state) is again


def test_4_0_rounds_and_turns() -> None:
    """4.0 A round leads to another one while markers are in the cup, then to recovery,
    and that to the next turn."""
    state = game("978/271 0224", turn=3, phase="activation", cup=["74"])
    GAME.next_phase(state)
    assert (state.turn, state.phase) == (3, "activation")
    state.cup = []
    GAME.next_phase(state)
    assert (state.turn, state.phase) == (3, "recovery")
    GAME.next_phase(state)
    assert (state.turn, state.phase) == (4, "bombardment")


def test_4_0_the_end_of_the_game() -> None:
    """3.3, 4.0 The game ends with the victory check of turn 10."""
    assert GAME.over(game(turn=10, phase="victory"))
    assert not GAME.over(game(turn=10, phase="recovery")) and not GAME.over(game(turn=9, phase="victory"))
