"""Letters of this game: beaches by their numbers, a plan checked before the game, and lines that wait."""

from __future__ import annotations

import pytest
from one_order import read_line

from pbem.engine.errors import OrderError
from pbem.games.normandy71 import GAME
from pbem.service.intake.trial import check_file
from tests.games.normandy71.kit import game

PLAN = """[plan]
land 8/4, 70 at 3
land 22/4 at 3
supply 3, 8 Omaha
drop 505/82 at 4025
land 8/4 at 18
"""


def test_beaches_may_be_named_by_number() -> None:
    """INV.1A A beach is written in full or by its number alone."""
    roster = GAME.roster(game("8/4 allied 7-4 later"), "allied")
    assert read_line(GAME.grammar, "land 8/4 at 3", roster).dump()["beach"] == "3"
    assert read_line(GAME.grammar, "supply 3, 8 Omaha", roster).dump()["beaches"] == ("3", "8 Omaha")
    with pytest.raises(OrderError):
        read_line(GAME.grammar, "land 8/4 at 18", roster)


def test_a_plan_can_be_checked_before_the_game() -> None:
    """INV.1A, INV.1C What can be done is ready, with its dangers; units that come later and beaches that do
    not exist are to be corrected."""
    trial = check_file("normandy71", "allied", PLAN)
    lines = {line["text"]: line for line in trial.facts["lines"]}
    assert not trial.ok
    assert {text: line["state"] for text, line in lines.items()} == {
        "land 8/4, 70 at 3": "ready",
        "land 22/4 at 3": "faulty",
        "supply 3, 8 Omaha": "ready",
        "drop 505/82 at 4025": "ready",
        "land 8/4 at 18": "faulty",
    }
    assert lines["land 22/4 at 3"]["case"] == "INV.1A"
    assert lines["drop 505/82 at 4025"]["says"] == [
        "a unit that jumps over 4025 (flooded) may be lost: 17% in the drop [INV.1C]"
    ]
    # The number of another beach is never offered for one that is wrong.
    assert [fault["suggestion"] for fault in trial.facts["faults"]] == [""]


def test_inv_1a_a_sixth_supply_area_is_refused() -> None:
    """INV.1A Five beaches are the most, and the reply says so with the case."""
    (line,) = check_file("normandy71", "allied", "[plan]\nsupply 1, 2, 3, 4, 5, 6\n").facts["lines"]
    assert (line["state"], line["case"]) == ("faulty", "INV.1A") and "not 6" in line["says"][0]
