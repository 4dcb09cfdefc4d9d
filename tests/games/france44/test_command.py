"""Command (4.4 to 4.7): nations, range, capacity."""

from __future__ import annotations

import pytest

from pbem.games.france44 import command
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID, SOUTH, UNITS
from tests.games.france44.kit import game

ONE_OF = {
    "us": "VII/US",
    "british": "XXX/BR",
    "french": "2DB/FR",
    "canadian": "II/CA",
    "polish": "1AD/PO",
}
# 1020 and the whole column from 1017 to 1027 is open country without rivers.
# US1 commands four hexes far, AOK12 three.


def fault(state: State, hq: str, *ids: str) -> str:
    """The case by which command is refused, "" if it is not."""
    found = command.fault(state, state.units[hq], [state.units[id] for id in ids])
    return found.case if found else ""


def reach(state: State, hq: str) -> set[str]:
    return set(GRID.named(command.reach(state, state.units[hq])))


# --- nations (4.4, 4.5, 3.6) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hq", "nations"),
    [
        ("US1", {"us", "french"}),
        ("BR2", {"british", "canadian", "polish", "us"}),
        ("FR1", {"french"}),
        ("CA1", {"canadian", "british", "polish"}),
    ],
)
def test_4_5_who_commands_whom(hq: str, nations: set[str]) -> None:
    """3.6, 4.4, 4.5 The table of the rulebook."""
    state = game(f"{hq} 1020, " + ", ".join(f"{id} 1021" for id in ONE_OF.values()))
    found = {
        nation
        for nation, id in ONE_OF.items()
        if command.may_command(state.units[hq], state.units[id]) and not fault(state, hq, id)
    }
    assert found == nations
    assert all(fault(state, hq, id) == "4.5" for nation, id in ONE_OF.items() if nation not in nations)


def test_4_4_there_is_no_polish_headquarters() -> None:
    """Four Allied nations have headquarters."""
    nations = {unit.nation for unit in UNITS.values() if unit.hq and unit.side == "allied"}
    assert nations == {"us", "british", "canadian", "french"}


def test_4_5_a_british_headquarters_commands_one_american_unit() -> None:
    """The second is one too many."""
    state = game("BR2 1020, XXX/BR 1021, VII/US 1022, 2AD/US 1022")
    assert fault(state, "BR2", "XXX/BR", "VII/US") == ""
    assert fault(state, "BR2", "VII/US", "2AD/US") == "4.5"


def test_4_5_nobody_commands_the_enemy() -> None:
    """German headquarters command Germans."""
    state = game("AOK7 1020, LXXX 1021, VII/US 1024")
    assert fault(state, "AOK7", "LXXX") == ""
    assert fault(state, "AOK7", "VII/US") == "4.5"


def test_4_8_a_headquarters_is_commanded_by_nobody() -> None:
    """It moves for a reaction point of its own."""
    assert fault(game("US1 1020, US3 1021"), "US1", "US3") == "4.8"


# --- range (4.6) --------------------------------------------------------------------------------------------


def test_4_6_range_is_counted_from_the_headquarters_to_the_unit() -> None:
    """The hex of the unit counts, that of the headquarters does not: four hexes for US1."""
    state = game("US1 1020, VII/US 1024, V/US 1025")
    assert fault(state, "US1", "VII/US") == ""
    assert fault(state, "US1", "V/US") == "4.6"


def test_4_6_ranges_are_three_to_six() -> None:
    """As printed on every headquarters."""
    assert {unit.range for unit in UNITS.values() if unit.hq} == {3, 4, 5, 6}
    assert "1023" in reach(game("AOK12 1020"), "AOK12")
    assert "1024" not in reach(game("AOK12 1020"), "AOK12")


FENCE = "LXXX 0721, LXXXI 0921, LXVII 1121, LXXIV 1321, XXV 0521"
"""Germans side by side, two hexes apart: their zones shut the way from 1019 to 1022."""


def test_4_6_3_3_range_goes_into_an_enemy_zone_but_not_through() -> None:
    """Up to the zones of the Germans, and not beyond them."""
    free, shut = reach(game("US1 1019"), "US1"), reach(game(f"US1 1019, {FENCE}"), "US1")
    assert {"1020", "1021", "1022"} <= free
    assert "1020" in shut
    assert not {"1021", "1022"} & shut


def test_4_6_range_goes_through_an_enemy_zone_with_a_friend_in_it() -> None:
    """A row of Germans, and a cadre in a gap of it."""
    beyond = "1022"
    assert beyond not in reach(game(f"US1 1019, {FENCE}"), "US1")
    assert beyond in reach(game(f"US1 1019, {FENCE}, VII/US 1020 lost=2, V/US 1021"), "US1")


def test_4_6_a_friendly_headquarters_does_not_open_a_zone() -> None:
    """Only a combat unit does."""
    assert "1022" not in reach(game(f"US1 1019, {FENCE}, US3 1020, BR2 1021"), "US1")


def test_4_6_range_does_not_enter_a_hex_of_the_enemy() -> None:
    """Not even one that only a cadre or a headquarters holds."""
    state = game("US1 1020, LXXX 1021 lost=2, AOK7 1019")
    assert not {"1021", "1019"} & reach(state, "US1")


def test_4_6_range_does_not_cross_a_blocked_hexside() -> None:
    """1610 is next to 1609, but the way round is two hexes."""
    assert "1609" not in _within(game("BR2 1610"), "BR2", 1)
    assert "1609" in _within(game("BR2 1610"), "BR2", 2)


def _within(state: State, hq: str, steps: int) -> set[str]:
    piece = state.units[hq]
    return set(GRID.named(command._reach(piece.placed, steps, 0, 0)))


def test_10_1_3_a_headquarters_in_the_south_commands_the_row_alone() -> None:
    """All of it without tracing, and nothing beyond it."""
    state = game("US7 1228, VI/US 2528, VII/US 1227")
    assert reach(state, "US7") == set(GRID.named(SOUTH))
    assert fault(state, "US7", "VI/US") == ""
    assert fault(state, "US7", "VII/US") == "4.6"


def test_10_1_3_another_headquarters_commands_into_the_row_within_its_range() -> None:
    """Range is traced into it as into any hex."""
    state = game("US1 1225, VI/US 1228, I/FR 2528")
    assert fault(state, "US1", "VI/US") == ""
    assert fault(state, "US1", "I/FR") == "4.6"


def test_12_3_the_airborne_is_in_range_wherever_it_came_down() -> None:
    """Until the reactions of the chit are over."""
    state = game("US1 1020, XVIII/US 3405")
    assert fault(state, "US1", "XVIII/US") == "4.6"
    state.jumped = True
    assert fault(state, "US1", "XVIII/US") == ""
    assert "XVIII/US" in command.names(state, state.units["US1"])


# --- capacity (4.7) -----------------------------------------------------------------------------------------


def test_4_7_each_arm_has_its_capacity() -> None:
    """AOK15 commands one unit of armour and four of infantry."""
    state = game("AOK15 1020, 2SS 1021, 12SS 1021, LXXX 1022, LXXXI 1022, LXVII 1019, LXXIV 1019, XXV 1018")
    assert fault(state, "AOK15", "2SS", "LXXX", "LXXXI", "LXVII", "LXXIV") == ""
    assert fault(state, "AOK15", "2SS", "12SS") == "4.7"
    assert fault(state, "AOK15", "LXXX", "LXXXI", "LXVII", "LXXIV", "XXV") == "4.7"


def test_4_7_as_many_as_it_can_command() -> None:
    """The rest is left out, in order."""
    state = game("AOK15 1020, 2SS 1021, 12SS 1021, LXXX 1022, LXXXI 1025")
    found = [unit.id for unit in command.most_of(state, state.units["AOK15"])]
    assert sorted(found) == ["12SS", "LXXX", "LXXXI"] or sorted(found) == ["2SS", "LXXX", "LXXXI"]
