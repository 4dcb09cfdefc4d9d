"""What decides a combat before its dice: its kind, strengths, morale, the matrix and the chances
(3.7, 3.8, 4.9, 9.1, 9.3 to 9.6, 11.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.games.france44 import odds
from pbem.games.france44.odds import kind_of_fight
from pbem.games.france44.state import State
from pbem.games.france44.tables import CHARTS, Corner, Fight
from tests.games.france44.fighting import battle, supply, war
from tests.games.france44.kit import game


def values(parts: Any) -> list[tuple[int, str]]:
    return [(part.value, part.case) for part in parts]


def kind(state: State, hexes: str, ids: str, before: int = 1, **known: str) -> Fight:
    """The kind of a combat; `known` are the units that arrived, advanced or were displaced in increment 1."""
    lists = {
        name: dict.fromkeys(known.get(name, "").split(), 1) for name in ("arrived", "advanced", "displaced")
    }
    units = [state.units[id] for id in ids.split()]
    return kind_of_fight(state, hexes.split(), units, before=before, **lists)


# --- the kind of combat (9.1) -----------------------------------------------------------------------------


def test_9_1_mobile_if_all_attackers_came_in_the_increment_before() -> None:
    """9.1 One that did not makes it set piece, and so does an increment in between."""
    state = war("2AD/US 1022, 3AD/US 1022, LXXXIV 1021")
    assert kind(state, "1021", "2AD/US 3AD/US", arrived="2AD/US 3AD/US") == "mobile"
    assert kind(state, "1021", "2AD/US 3AD/US", arrived="2AD/US") == "set_piece"
    assert kind(state, "1021", "2AD/US", before=2, arrived="2AD/US") == "set_piece"


def test_9_1_the_first_increment_is_always_set_piece() -> None:
    """9.1, play note: nobody can have moved before it."""
    assert kind(war("2AD/US 1022, LXXXIV 1021"), "1021", "2AD/US", before=0) == "set_piece"


def test_9_1_a_river_or_rough_ground_makes_it_set_piece() -> None:
    """9.1 One attacker across a river is enough, and one hex of two that is rough."""
    state = war("2AD/US 1411, 3AD/US 1510, LXXXIV 1511, LXXIV 1311")
    assert kind(state, "1511", "3AD/US", arrived="3AD/US") == "mobile"
    assert kind(state, "1511", "2AD/US", arrived="2AD/US") == "set_piece"
    assert kind(state, "1511", "2AD/US 3AD/US", arrived="2AD/US 3AD/US") == "set_piece"
    assert kind(state, "1311", "2AD/US", arrived="2AD/US") == "set_piece"


@pytest.mark.parametrize("hex", ["4417", "3415"])
def test_9_1_a_city_or_fortress_is_set_piece_but_in_pursuit(hex: str) -> None:
    """9.1 Mobile there only against one who fled into it in the increment before,
    by those who advanced then."""
    south = f"{hex[:2]}{int(hex[2:]) + 1:02d}"
    state = war(f"2AD/US {south}, 3AD/US {south}, LXXXIV {hex}, LXXIV {hex}")
    both = "2AD/US 3AD/US"
    assert kind(state, hex, both, arrived=both) == "set_piece"
    assert kind(state, hex, both, arrived=both, advanced=both) == "set_piece"
    assert kind(state, hex, both, arrived=both, displaced="LXXIV") == "set_piece"
    assert kind(state, hex, both, arrived=both, advanced="2AD/US", displaced="LXXIV") == "set_piece"
    assert kind(state, hex, both, arrived=both, advanced=both, displaced="LXXIV") == "mobile"


def test_9_1_a_city_on_rough_ground_is_never_mobile() -> None:
    """9.1 The pursuit is into a city or fortress on clear terrain."""
    state = war("2AD/US 3210, LXXXIV 3211")
    assert (
        kind(state, "3211", "2AD/US", arrived="2AD/US", advanced="2AD/US", displaced="LXXXIV") == "set_piece"
    )


def test_12_3_beside_the_airborne_a_river_does_not_make_it_set_piece() -> None:
    """12.3 For Allied attackers; Germans who attack the corps across the river have it before them."""
    state = war("XVIII/US 1411, 2Pz 1511", drop="1411", jumped=True)
    assert kind(state, "1511", "XVIII/US", arrived="XVIII/US") == "mobile"
    assert kind(state, "1411", "2Pz", arrived="2Pz") == "set_piece"


# --- strengths (3.8, 4.9, 11.5) -----------------------------------------------------------------------------


def test_3_8_strengths_by_kind_and_steps() -> None:
    """3.2, 3.8 Armour is stronger on the move; a cadre counts one."""
    state = war("2AD/US 1022, 3AD/US 1022 lost=1, VII/US 1022 lost=2, LXXXIV 1021")
    ids = "2AD/US 3AD/US VII/US"
    assert values(battle(state, "1021", ids).attack_parts) == [(4, "3.8"), (2, "3.8"), (1, "3.8")]
    assert values(battle(state, "1021", ids, "mobile").attack_parts) == [(7, "3.8"), (5, "3.8"), (1, "3.8")]


def test_8_0_two_hexes_defend_with_one_strength() -> None:
    """8.0 All combat units in both of them."""
    state = war("VII/US 1022, LXXXIV 1021, 2Pz 1021, LXXIV 1122")
    seen = battle(state, "1021 1122", "VII/US")
    assert [unit.id for unit in seen.defenders] == ["LXXXIV", "2Pz", "LXXIV"]
    assert odds.total(seen.defence_parts(supply(state))) == 11


def test_4_9_the_activated_headquarters_adds_three() -> None:
    """4.9 To the attack in set piece and mobile combat alike."""
    state = war("VII/US 1022, US1 1022, LXXXIV 1021")
    for fight, strength in (("set_piece", 7), ("mobile", 3)):
        parts = battle(state, "1021", "VII/US", fight, hq="US1").attack_parts  # type: ignore[arg-type]
        assert values(parts) == [(strength, "3.8"), (3, "4.9")]


def test_4_9_a_supplied_headquarters_adds_three_to_the_defence() -> None:
    """4.9 Once, however many there are, and only in a hex with defenders."""
    state = war("VII/US 1022, LXXXIV 1021, AOK7 1021, AOK1 1021")
    assert values(battle(state, "1021", "VII/US").defence_parts(supply(state))) == [(4, "3.8"), (3, "4.9")]
    elsewhere = war("VII/US 1022, LXXXIV 1021, AOK7 1020")
    assert values(battle(elsewhere, "1021", "VII/US").defence_parts(supply(elsewhere))) == [(4, "3.8")]


def test_4_9_a_headquarters_out_of_supply_adds_nothing() -> None:
    """4.9, 11.5 Nor are the units that depend on it in supply."""
    state = war("VII/US 1022, LXXXIV 1021, AOK7 1021", control={})
    assert values(battle(state, "1021", "VII/US").defence_parts(supply(state))) == [(4, "3.8"), (-2, "11.5")]


def test_4_9_an_allied_headquarters_must_be_able_to_command_a_defender() -> None:
    """4.9 A Canadian one does not help Americans; a British one may help one American unit."""
    for hq, bonus in (("CA1", 0), ("US1", 3), ("BR2", 3)):
        state = war(f"2Pz 1021, VII/US 1022, {hq} 1022")
        parts = battle(state, "1022", "2Pz").defence_parts(supply(state, "allied"))
        assert sum(part.value for part in parts if part.case == "4.9") == bonus, hq


def test_11_5_defenders_out_of_supply_are_added_up_and_halved() -> None:
    """11.5 Together, rounded up; whether they carry a marker or not; those in supply count in full."""
    state = game("VII/US 1022, LXXIV 1021, XXV 1021 unsupplied")
    assert odds.total(battle(state, "1021", "VII/US").defence_parts(supply(state))) == 3
    cadres = game("VII/US 1022, LXXIV 1021, XXV 1021 lost=2, LXXX 1021 lost=2")
    assert odds.total(battle(cadres, "1021", "VII/US").defence_parts(supply(cadres))) == 3


def test_11_5_half_of_the_defenders_may_be_in_supply() -> None:
    """11.5 One stands by a source, the other does not."""
    state = game("VII/US 0814, LXXXIV 0714, LXXIV 0715, 2Pz 0813", control={"0614": "german"})
    both = battle(state, "0714 0813", "VII/US")
    assert values(both.defence_parts(supply(state))) == [(4, "3.8"), (4, "3.8"), (-2, "11.5")]


def test_11_5_a_piece_that_reacts_out_of_supply_attacks_at_half() -> None:
    """11.5 Rounded up."""
    state = war("VII/US 1022, LXXXIV 1021")
    assert values(battle(state, "1021", "VII/US", weak=frozenset({"VII/US"})).attack_parts) == [(4, "11.5")]


def test_3_7_morale_is_as_printed_whatever_the_steps() -> None:
    """3.2, 3.7, 3.10 A cadre keeps it; an untried unit has one."""
    state = war("VII/US 1022, V/US 1022 lost=2, III/US 1122 green")
    assert [state.units[id].morale for id in ("VII/US", "V/US", "III/US")] == [4, 3, 1]


# --- morale (3.7, 9.3, 9.4) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hexes", "attackers", "fight", "gain"),
    [
        ("VII/US 1022, LXXXIV 1021", "1021", "VII/US", "set_piece", ("clear", 0)),
        ("VII/US 1310, LXXXIV 1311", "1311", "VII/US", "set_piece", ("rough", 1)),
        ("VII/US 4416, LXXXIV 4417", "4417", "VII/US", "set_piece", ("city", 1)),
        ("VII/US 4416, LXXXIV 4417", "4417", "VII/US", "mobile", ("clear", 0)),
        ("VII/US 3414, LXXXIV 3415", "3415", "VII/US", "set_piece", ("fortress", 2)),
        ("VII/US 3414, LXXXIV 3415", "3415", "VII/US", "mobile", ("fortress", 1)),
        ("VII/US 1411, LXXXIV 1511", "1511", "VII/US", "set_piece", ("river", 1)),
        ("VII/US 1411, V/US 1510, LXXXIV 1511", "1511", "VII/US V/US", "set_piece", ("clear", 0)),
        ("VII/US 3408, LXXXIV 3509", "3509", "VII/US", "set_piece", ("rhine", 2)),
        ("VII/US 3409, LXXXIV 3509", "3509", "VII/US", "set_piece", ("city", 1)),
        ("VII/US 1210, LXXXIV 1311", "1311", "VII/US", "set_piece", ("rough", 1)),
    ],
)
def test_9_4_the_best_terrain_helps_the_defender(
    text: str, hexes: str, attackers: str, fight: Fight, gain: tuple[str, int]
) -> None:
    """9.4 One kind only; a river if all attack across it, the Rhine where there is no bridge;
    a bridge makes it a river."""
    assert battle(war(text), hexes, attackers, fight).terrain() == gain


def test_9_4_of_two_hexes_the_better_one_counts() -> None:
    """9.4 For the one lead unit of the defence."""
    state = war("VII/US 1310, LXXXIV 1311, LXXIV 1410")
    both = battle(state, "1311 1410", "VII/US")
    assert both.terrain() == ("rough", 1)
    assert both.defence_morale(state.units["LXXXIV"]).total == 4


def test_12_3_beside_the_airborne_the_river_does_not_help_germans() -> None:
    """12.3 It helps the corps itself against German attacks."""
    state = war("XVIII/US 1411, 2Pz 1511", drop="1411", jumped=True)
    assert battle(state, "1511", "XVIII/US").terrain() == ("clear", 0)
    assert battle(state, "1411", "2Pz").terrain() == ("river", 1)
    state.drop = None
    assert battle(state, "1511", "XVIII/US").terrain() == ("river", 1)


@pytest.mark.parametrize(
    ("air", "fight", "needs"),
    [
        ("", "set_piece", (4, 4)),
        ("tactical", "set_piece", (4, 3)),
        ("tactical", "mobile", (5, 2)),
        ("heavy", "set_piece", (4, 2)),
        ("heavy", "mobile", (4, 4)),
    ],
)
def test_9_4_air_support_and_morale(air: Any, fight: Fight, needs: tuple[int, int]) -> None:
    """9.2, 9.4 Tactical air -1 in set piece; in mobile combat -2, and +1 for the Allied lead.
    Heavy bombers -2 in set piece only."""
    state = war("2AD/US 1022, 2Pz 1021")
    seen = battle(state, "1021", "2AD/US", fight, air=air)
    ours, theirs = (state.units[id] for id in ("2AD/US", "2Pz"))
    assert (seen.attack_morale(ours).total, seen.defence_morale(theirs).total) == needs


def test_9_3_the_lead_by_default_has_the_best_morale_then_the_most_steps() -> None:
    """3.7, 3.10, 9.3 An untried unit counts with a morale of one."""
    state = war("V/US 1022, VII/US 1022 lost=1, 2AD/US 1022, III/US 1122 green")
    units = [state.units[id] for id in ("V/US", "VII/US", "2AD/US", "III/US")]
    assert odds.best_lead(units).id == "2AD/US"
    assert state.units["III/US"].morale == 1
    assert odds.best_lead([state.units["III/US"], state.units["V/US"]]).id == "V/US"


# --- the dice and the matrix (9.5, 9.6) ---------------------------------------------------------------------


def test_9_5_a_test_is_passed_with_the_morale_or_less() -> None:
    """9.5 Nothing passes or fails by itself."""
    assert [odds.passes(morale) for morale in (-1, 0, 3, 6, 7)] == [0, 0, Fraction(1, 2), 1, 1]


def test_9_5_the_hit_die_has_three_ones_two_twos_and_a_three() -> None:
    """9.5 Hits of the roller's own side; never less than none."""
    assert [odds.hits(die, 0, 0) for die in range(1, 7)] == [1, 1, 1, 2, 2, 3]
    assert odds.hits(6, 1, 2) == 6 and odds.hits(1, -1, -1) == 0


@pytest.mark.parametrize(
    ("attack", "defence", "name", "hits"),
    [
        (12, 4, "triple or more", (-1, 1)),
        (11, 4, "double", (0, 1)),
        (8, 4, "double", (0, 1)),
        (7, 4, "even", (0, 0)),
        (4, 4, "even", (0, 0)),
        (3, 4, "weaker", (1, 0)),
        (2, 4, "half at most", (2, -1)),
        (1, 9, "half at most", (2, -1)),
    ],
)
def test_9_6_how_strengths_compare(attack: int, defence: int, name: str, hits: tuple[int, int]) -> None:
    """9.6 The first line that fits; exactly twice or three times is enough, exactly half is too little."""
    found = CHARTS.compare(attack, defence)
    assert (found.name, found.hits) == (name, hits)


@pytest.mark.parametrize(
    ("won", "held", "corner", "retreat"),
    [
        (True, True, "standoff", "may"),
        (True, False, "retreat", "must"),
        (False, True, "repulse", "may"),
        (False, False, "stalemate", "must"),
    ],
)
def test_9_6_the_four_boxes(won: bool, held: bool, corner: Corner, retreat: str) -> None:
    """9.6, both examples: set piece, attack passed and defence failed is Retreat;
    attack failed and defence passed is Repulse."""
    assert CHARTS.combat.corner(won, held) == corner
    assert CHARTS.combat.box(corner).retreat == retreat


def test_9_6_the_outlook_is_exact() -> None:
    """9.5, 9.6 All 1296 throws of the four dice: 7 against 4 in the clear, morale 4 against 3."""
    state = war("VII/US 1022, LXXXIV 1021")
    units = state.units
    seen = odds.outlook(battle(state, "1021", "VII/US"), units["VII/US"], units["LXXXIV"], supply(state))
    assert (seen.attack, seen.defence, seen.comparison.name) == (7, 4, "even")
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    assert seen.corners == {"standoff": third, "retreat": third, "repulse": sixth, "stalemate": sixth}
    assert sum(seen.results.values()) == 1
    assert seen.results["standoff", 1, 1] == third / 4
    assert seen.results["retreat", 3, 4] == third / 36
    mean = Fraction(10, 6)
    assert seen.attack_loss == mean + third  # one more in repulse and stalemate
    assert seen.defence_loss == mean + third - sixth  # one more in retreat, one less in repulse
