"""Paris beckons (12.5): the die for the French division, what changes it, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import Chance
from pbem.games.falaise.notes import ParisTried
from pbem.games.falaise.paris import paris, temptation
from pbem.games.falaise.recovery import recovery
from pbem.games.falaise.restrictions import step_fault
from pbem.games.falaise.state import State
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, play

ON = {"paris": "yes"}
APART = "Dio 3532, Langlade 3533, Billotte 3534"
IN_TOUCH = f"{APART}, KG/708 3531"


def rolled(played: Played[State]) -> list[str]:
    """What each die was asked for."""
    return [each.what for each in played.requests if isinstance(each, Chance)]


@pytest.mark.parametrize(
    ("text", "turn", "options"),
    [
        (IN_TOUCH, 2, ON),  # from turn 3 on
        (IN_TOUCH, 3, {}),  # an option
        ("Dio dead, Langlade dead, Billotte dead", 3, ON),  # nobody to call away
        ("Dio removed, Langlade removed, Billotte removed", 3, ON),
    ],
)
def test_12_5_no_die(text: str, turn: int, options: dict[str, str]) -> None:
    """12.5 The die is thrown under the option alone, from turn 3 on, while there are French on the map."""
    assert not rolled(play(paris, game(text, turn=turn, options=options)))


@pytest.mark.parametrize(
    ("text", "turn", "parts"),
    [
        (IN_TOUCH, 3, []),
        (APART, 3, [(1, "no German next to them")]),
        (IN_TOUCH, 4, [(1, "turns gone by")]),
        (IN_TOUCH, 7, [(1, "turns gone by")]),
        (IN_TOUCH, 8, [(2, "turns gone by")]),
        (
            "Dio 3532 reduced, Langlade dead, Billotte 3534, KG/708 3531",
            3,
            [(2, "units reduced or eliminated")],
        ),
        (
            "Dio 3532 reduced, Langlade dead, Billotte dead",
            8,
            [(3, "units reduced or eliminated"), (2, "turns gone by"), (1, "no German next to them")],
        ),
    ],
)
def test_12_5_what_changes_the_die(text: str, turn: int, parts: list[tuple[int, str]]) -> None:
    """12.5 One for each unit reduced or eliminated, for every fourth turn, and when no German stands next
    to any of them."""
    found = temptation(game(text, turn=turn, options=ON)).parts
    assert [(part.value, part.why) for part in found] == parts


@pytest.mark.parametrize(
    ("text", "die", "outcome"),
    [
        (IN_TOUCH, 4, "free"),
        (IN_TOUCH, 5, "waiting"),
        (IN_TOUCH, 6, "waiting"),
        (APART, 3, "free"),
        (APART, 4, "waiting"),
        (APART, 6, "gone"),
    ],
)
def test_12_5_what_comes_of_it(text: str, die: int, outcome: str) -> None:
    """12.5 Up to 4 the division is free, with 5 or 6 it may only withdraw this turn,
    from 7 on it leaves the game."""
    played = play(paris, game(text, options=ON), dice=[die])
    (note,) = played.of(ParisTried)
    assert (note.die, note.outcome) == (die, outcome)
    french = [played.state.units[id] for id in ("Dio", "Langlade", "Billotte")]
    assert {unit.place for unit in french} == {"removed" if outcome == "gone" else "map"}
    assert played.state.french == ("waiting" if outcome == "waiting" else "free")


def test_12_5_they_leave_without_points() -> None:
    """12.5, 3.3 Units that leave have not been eliminated: nobody scores, and the eliminated ones stay so."""
    played = play(paris, game("Dio 3532 disrupted, Langlade 3533, Billotte dead", options=ON), dice=[5])
    assert (played.state.points, played.state.ledger) == (0, [])
    assert [played.state.units[id].place for id in ("Dio", "Langlade", "Billotte")] == [
        "removed",
        "removed",
        "dead",
    ]
    assert at(played.state, "Dio") is None and not played.state.units["Dio"].disrupted


def test_12_5_waiting_lasts_a_turn() -> None:
    """12.5 A division that waits may step out of German zones and no other way;
    with the next turn it is free again."""
    state = play(paris, game(IN_TOUCH, options=ON), dice=[5]).state
    away, idle = state.units["Dio"], state.units["Billotte"]
    assert step_fault(state, away, "3532", "3633") is None
    fault = step_fault(state, idle, "3534", "3535")
    assert fault is not None and fault.case == "12.5"
    assert play(recovery, state).state.french == "free"


@pytest.mark.parametrize("fields", [{"turn": 5}, {"turn": 6}])
def test_12_5_a_die_each_turn(fields: dict[str, Any]) -> None:
    """12.5 Whoever waited in one turn is tried again in the next: a low die sets the division free."""
    played = play(paris, game(IN_TOUCH, options=ON, french="waiting", **fields), dice=[1])
    assert played.state.french == "free"
