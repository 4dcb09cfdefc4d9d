"""Tactical efficiency ratings (2.2, 9.1, 11.6, 11.8)."""

from __future__ import annotations

from typing import Any

from pbem.games.falaise import ratings
from tests.games.falaise.kit import game


def ter(text: str, id: str, **fields: Any) -> int:
    state = game(text, **fields)
    return ratings.ter(state, state.units[id])


def test_9_1_disruption() -> None:
    """9.1, 6.2 Disruption takes two off, never below nothing."""
    assert ter("25/12SS 1720", "25/12SS") == 5
    assert ter("25/12SS 1720 disrupted", "25/12SS") == 3
    assert ter("KG/243 1720 disrupted", "KG/243") == 0


def test_11_6_new_commander() -> None:
    """11.6 The red ratings rise by two for good, and disruption is taken off what they are then."""
    assert ter("4AB/4C 1720", "4AB/4C") == 2
    assert ter("4AB/4C 1720", "4AB/4C", relieved=True) == 4
    assert ter("4AB/4C 1720 disrupted", "4AB/4C", relieved=True) == 2
    assert ter("4/2C 1720", "4/2C", relieved=True) == 3


def test_11_6_currie() -> None:
    """5.3, 11.6 Task Force Currie has the present rating of its brigade while they are stacked,
    else its own."""
    assert ter("10/4C 1720, Currie 1720", "Currie") == 2
    assert ter("10/4C 1720, Currie 1720", "Currie", relieved=True) == 4
    assert ter("10/4C 1720 disrupted, Currie 1720", "Currie") == 0
    assert ter("10/4C 1720, Currie 1721", "Currie", relieved=True) == 4
    assert ter("10/4C 1720, Currie 1721 disrupted", "Currie") == 2


def test_11_8_rolled() -> None:
    """11.8 The 80th Division has the rating that was rolled."""
    assert ter("317/80 1720", "317/80", rating_80=3) == 3
    assert ter("317/80 1720 disrupted", "317/80", rating_80=3) == 1


def test_6_2_highest() -> None:
    """6.2 Of several units the best rating counts; the printed one is what it was."""
    state = game("25/12SS 1720 disrupted, 1053/85 1720")
    assert ratings.highest(state, state.at("1720")) == 3
    assert ratings.printed(state, state.units["25/12SS"]) == 5
