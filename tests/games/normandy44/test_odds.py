"""Strengths, odds and shifts (7.2, C1, C3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.games.normandy44 import odds
from pbem.games.normandy44.odds import Fight
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHARTS
from tests.games.normandy44.kit import game


def fight(text: str, hex: str, *, landing: bool = False, drop: bool = False) -> Fight:
    """The attack on a hex by everybody of the other side in `text`."""
    state = game(text)
    side = "german" if state.holder(hex) == "allied" else "allied"
    attackers = tuple(unit for unit in state.on_map(side) if not unit.hq)
    return Fight(state, hex, attackers, odds.opposed(state, hex, side), landing, drop)


def shifts(text: str, hex: str, *, landing: bool = False, drop: bool = False) -> list[tuple[int, str]]:
    return [(part.value, part.why) for part in fight(text, hex, landing=landing, drop=drop).shifts]


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (1, 9, "1:4"),
        (3, 4, "1:2"),
        (4, 3, "1:1"),
        (5, 3, "3:2"),
        (40, 3, "8:1"),
        (1, 0, "8:1"),
    ],
)
def test_7_2_rounded_for_the_defender_and_held_within_the_table(
    attack: int, defence: int, column: str
) -> None:
    """7.2 Odds go down to the next column; below 1:4 and beyond 8:1 there is none."""
    assert CHARTS.combat.columns[CHARTS.combat.column(attack, defence)] == column


def test_8_3_defence_is_halved_and_rounded_up_out_of_supply() -> None:
    """8.3 A defence of three counts two."""
    seen = fight("3BR 1306, 709ID 1407 unsupplied", "1407")
    assert seen.defence == 2
    assert seen.defence_parts[0].case == "8.3"


def test_10_1_fighters_add_their_strength_on_either_side() -> None:
    """10.1 Three points each."""
    seen = fight("3BR 1306, 709ID 1407", "1407")
    seen.air, seen.cover = 2, 1
    assert (seen.attack, seen.defence) == (10, 6)


def test_7_1_headquarters_do_not_count_in_defence() -> None:
    """6.4, 7.1 All combat units in the hex defend together; a headquarters has no strength."""
    seen = fight("3BR 1306, 709ID 1407, FJR6 1407, ISS 1407", "1407")
    assert [unit.id for unit in seen.defenders] == ["709ID", "FJR6"]
    assert seen.defence == 6


def test_C3_terrain_and_fortified_line_are_not_added() -> None:
    """C3 Bocage and fortified line: one shift, the best for the defender."""
    assert shifts("4US 0419, 709ID 0418", "0418") == [(-1, "bocage")]
    assert shifts("3BR 0908, 709ID 1008", "1008") == [(-2, "city")]


def test_C3_a_river_counts_besides_terrain_only_if_all_attack_across_one() -> None:
    """C3 Rivers add to terrain; one attacker on the near bank undoes them,
    and of two rivers the lesser counts."""
    assert shifts("3BR 1407, 709ID 1408", "1408") == [(-1, "all across a minor river")]
    assert shifts("3BR 1407, 43BR 1308, 709ID 1408", "1408") == []
    assert shifts("4US 1217, 709ID 1216", "1216") == [(-1, "town"), (-2, "all across a major river")]
    across_both = "3BR 1209, 43BR 1307, 709ID 1308"
    assert shifts(across_both, "1308") == [(-1, "all across a minor river")]


def test_C1_tanks_with_infantry_against_infantry_alone() -> None:
    """C1 A column for the attacker, but not for the British, nor against a stack with tanks."""
    assert shifts("22/21Pz 1306, 125/21Pz 1306, 3BR 1407", "1407") == [
        (1, "tanks and infantry against infantry")
    ]
    assert shifts("29/11BAD 1306, 159/11BAD 1306, 709ID 1407", "1407") == []
    assert shifts("22/21Pz 1306, 125/21Pz 1306, 3BR 1407, 4Armd 1407", "1407") == []
    assert shifts("22/21Pz 1306, Wf7 1306, 3BR 1407", "1407") == []


def test_C1_a_combat_command_has_infantry_of_its_own() -> None:
    """C1 Alone it has the column of tanks with infantry, in the bocage, too."""
    assert shifts("A/2AD 1306, 709ID 1407", "1407") == [(1, "tanks and infantry against infantry")]
    assert shifts("A/2AD 0519, 709ID 0518", "0518") == [
        (-1, "bocage"),
        (1, "tanks and infantry against infantry"),
    ]


def test_C1_tanks_alone_suffer_outside_open_terrain() -> None:
    """C1 Against infantry alone, a column for the defender, but not in clear terrain."""
    assert shifts("4Armd 0519, 709ID 0518", "0518") == [
        (-1, "bocage"),
        (-1, "tanks alone against infantry, not in the open"),
    ]
    assert shifts("4Armd 1306, 709ID 1407", "1407") == []
    assert shifts("4Armd 0519, 3BR 0519, 709ID 0518", "0518") == [(-1, "bocage")]


def test_E6_mechanised_infantry_is_infantry() -> None:
    """E6 It is infantry in defence and in attack."""
    assert shifts("A/2AD 1306, 125/21Pz 1407", "1407") == [(1, "tanks and infantry against infantry")]


def test_C1_the_79th_shifts_a_column_once_and_alone() -> None:
    """C1 Not in the open; in place of the other shifts for types; two counters do no more than one."""
    assert shifts("79a 0519, 709ID 0518", "0518") == [(-1, "bocage"), (1, "79th Armoured")]
    assert shifts("79a 0519, 79b 0619, 709ID 0518", "0518") == [(-1, "bocage"), (1, "79th Armoured")]
    assert shifts("79a 1306, 3BR 1306, 709ID 1407", "1407") == []


def test_C1_C3_a_landing_meets_the_beach_only() -> None:
    """C3, 15.0 Neither the terrain behind the beach nor rivers count; the 79th helps there."""
    assert shifts("50BR 0710, 79a 0710, WN-Gold 0809", "0809", landing=True) == [(1, "79th Armoured")]
    assert shifts("1US 0614, WN-OmahaW 0714", "0714", landing=True) == []


def test_C1_a_drop_costs_a_column() -> None:
    """C1, 15.0 Parachutists attack a column to the left, in the terrain of the hex, and across no river."""
    assert shifts("82AB 0619, 709ID 0519", "0519", drop=True) == [(-1, "bocage"), (-1, "paradrop")]


def test_7_2_shifts_are_added_up_before_the_column_is_held_within_the_table() -> None:
    """7.2 9:1 in a city is 6:1, and no help brings more than 8:1."""
    seen = fight("3BR 0908, 43BR 0908, StB7 1008", "1008")
    assert (seen.odds, seen.column()) == ("8:1", "6:1")
    assert seen.column(5) == "8:1"
    assert seen.column(-20) == "1:4"


def test_7_2_chances_are_those_of_the_table() -> None:
    """7.2 Every cell of a column with its share of the six faces."""
    column = CHARTS.combat.columns.index("2:1")
    assert odds.chances(column) == {
        "1/0": Fraction(1, 3),
        "1/1": Fraction(1, 6),
        "0/1": Fraction(1, 3),
        "0/2": Fraction(1, 6),
    }
    assert all(sum(odds.chances(number).values()) == 1 for number in range(len(CHARTS.combat.columns)))


def test_7_3_points_of_a_result() -> None:
    """7.3 Steps of the attacker, points of the defender; E destroys him."""
    assert odds.points("2/0") == (2, 0)
    assert odds.points("0/E") == (0, None)


def test_7_2_outlook() -> None:
    """7.2 What an attack comes to with its fighters and support, as a letter tells it."""
    state: State = game("3BR 1306, 43BR 1306, 709ID 1407, ISS 1407")
    units = [state.units["3BR"], state.units["43BR"]]
    seen = odds.outlook(state, "allied", "1407", units, air=1, support=1)
    assert (seen.attack, seen.defence, seen.odds, seen.column) == (11, 3, "3:1", "4:1")
    assert [part.why for part in seen.attack_parts] == ["3BR", "43BR", "1 fighter"]
    assert seen.chances["0/3"] == Fraction(1, 6)
    assert state.log == []
