"""The data files: counters, charts, map, and what is worked out of them."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.rampage.tables import (
    ALLIED_START,
    BRITISH_SET_UP,
    CAMPAIGN,
    CHARTS,
    FORTRESSES,
    GRID,
    MAP,
    SUPPLY_EDGE,
    UNITS,
    V1_SITES,
    VICTORY_CITIES,
    is_west,
    place_name,
    river_between,
    step_cost,
)


def test_2_1_counters_of_both_sides() -> None:
    """2.1, 3.1, 3.4, 13.1 Sixteen British and as many US divisions begin, three are airborne,
    22 Germans lie in the pocket."""
    allied = Counter((unit.group, unit.arrives > 0) for unit in UNITS.allied)
    assert allied == {
        ("us", False): 16,
        ("us", True): 5,
        ("british", False): 16,
        ("airborne", True): 3,
    }
    assert sum(unit.pocket for unit in UNITS.german) == 22
    assert len(UNITS.allied) + len(UNITS.german) == 108


def test_2_11_the_tigers_and_the_waffen_ss_are_elite() -> None:
    """2.11, 10.6 The SS divisions are elite; only the Tiger battalion never comes back."""
    assert all(unit.elite for unit in UNITS.german if "SS" in unit.id)
    assert [unit.id for unit in UNITS.german if unit.once] == ["503Tiger"]


@pytest.mark.parametrize(
    ("row", "hits", "double"), [("us", 3, 1), ("british", 2, 1), ("german", 2, 0)], ids=str
)
def test_10_5_rows_of_the_combat_table(row: str, hits: int, double: int) -> None:
    """10.5 US units hit with three faces, British and Germans with two; an Allied six takes two steps."""
    steps = CHARTS.fire[row].steps  # type: ignore[index]
    assert (sum(step > 0 for step in steps), steps.count(2)) == (hits, double)


def test_10_2_a_six_becomes_a_five() -> None:
    """10.2 With -1 a rolled six reads as a five: a hit, but no double one; with +1 a five reads as a six."""
    assert CHARTS.fire["us"].worth(-1)[5] == 1
    assert CHARTS.fire["british"].worth(1)[4] == 2
    assert CHARTS.fire["german"].worth(2) == (0, 0, 1, 1, 1, 1)


def test_3_1_the_ground_on_which_the_allies_begin() -> None:
    """3.1, 3.4 West of the row of markers lie 25 hexes, the British ones among them."""
    begin = GRID.named(ALLIED_START)
    assert len(begin) == 25
    assert set(BRITISH_SET_UP) <= set(begin)
    assert not set(MAP.hexes("front_line")) & set(begin)


def test_8_2_the_western_position_line_parts_the_map() -> None:
    """8.2, 8.4 Paris and every fortress are west of the line, the supply edge and every victory
    city east of it."""
    assert is_west("1507") and all(map(is_west, FORTRESSES))
    assert not any(map(is_west, VICTORY_CITIES))
    assert not any(map(is_west, GRID.named(SUPPLY_EDGE)))
    assert len(FORTRESSES) == 6 and all(map(is_west, V1_SITES))


@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("1001", "1002", 1),
        ("1601", "1600", 2),
        ("1302", "1301", 2),
        ("1701", "1601", 3),
        ("1803", "1804", 2),
        ("1804", "1904", 1),
        ("1901", "1902", None),
        ("2003", "2103", None),
    ],
    ids=["clear", "rough", "river", "river into rough", "river", "city on a river", "sea between", "sea"],
)
def test_9_12_cost_of_a_step(a: str, b: str, cost: int | None) -> None:
    """9.12 Clear one, rough two, one more across a river: three for a river into rough;
    nothing goes over the sea."""
    assert step_cost(a, b) == cost


def test_10_3_a_city_does_away_with_its_rivers() -> None:
    """10.3 The Seine at Rouen is drawn and does not count, in either direction; elsewhere it does."""
    assert "river_major" in MAP.hexside("1804", "1904")
    assert not river_between("1804", "1904") and not river_between("1904", "1804")
    assert river_between("1903", "2004")


def test_names_of_hexes() -> None:
    """A hex with a city carries its name in letters."""
    assert place_name("1507") == "Paris (1507)"
    assert place_name("1602") == "1602"


def test_the_default_set_up_is_legal() -> None:
    """3.4, 6.2 No hex of the default set-up holds more than six units or both army groups."""
    groups = {unit.id: unit.group for unit in UNITS.allied}
    for hex, ids in CAMPAIGN.set_up.items():
        assert len(ids) <= CHARTS.stacking.limit
        assert {groups[id] for id in ids} == {"british" if hex in BRITISH_SET_UP else "us"}
