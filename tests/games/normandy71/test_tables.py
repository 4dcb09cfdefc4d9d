"""The data files: counters, orders of battle, charts and cases as they are loaded."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.engine.data import load
from pbem.engine.errors import DataError
from pbem.games.normandy71 import tables
from pbem.games.normandy71.tables import (
    BEACHES,
    BORDER,
    CHARTS,
    EDGES,
    EXITS,
    GRID,
    LAND,
    MAP,
    OOB,
    PARTIALLY_SEA,
    UNITS,
    missions,
)
from tests.games.normandy71.kit import game

TOTALS = {"A": 576, "B": 342, "C": 428, "D": 511, "E": 511, "F": 617}
POINTS = {"A": -5, "B": 0, "C": 5, "D": 10, "E": 15, "F": 20}


def strength(kind: str) -> int:
    return int(kind.replace("d", "-").split("-")[0])


@pytest.mark.parametrize("letter", "ABCDEF")
def test_oob_each_german_order_of_battle_has_its_strength_and_points(letter: str) -> None:
    """OOB.A to OOB.F, VIC.L The strengths of an order of battle add up, and it gives the Allies the points
    of the last table."""
    order = OOB.of(letter)
    assert sum(strength(kind) * count for kind, count in order.counts.items()) == TOTALS[letter]
    assert order.points == POINTS[letter]


def test_oob_b_is_the_historical_one_line_by_line() -> None:
    """OOB.B The historical deployment stands as in the rulebook."""
    order = OOB.of("B")
    assert [(line.area, line.units) for line in order.start] == [
        ("anywhere", {"4-1": 7, "7-2": 2}),
        ("within ten of Falaise", {"15-6": 1, "7-6": 2, "8-8": 1}),
        ("within ten of the south edge", {"8-4": 1, "2-6": 1}),
        ("within ten of Coutances", {"10-6": 1}),
    ]
    assert [(line.turn, line.edges, line.units) for line in order.later] == [
        (1, ("north",), {"4-1": 3}),
        (1, ("west",), {"7-2": 2}),
        (2, ("east",), {"4-1": 6}),
        (2, ("south", "east"), {"18-6": 1, "14-6": 2, "8-8": 1, "6d6": 1}),
        (3, ("south", "east"), {"10d6": 3}),
        (4, ("south", "east"), {"16-6": 1, "14-6": 2, "8-8": 1}),
        (6, ("south", "east"), {"14-6": 2, "8-8": 1, "5-2": 3}),
    ]


def test_every_unit_of_every_order_of_battle_has_a_name() -> None:
    """There are names enough for the largest number of each German kind, no name stands twice,
    and all are single words."""
    names = [name for kind in UNITS.kind for name in kind.names] + [
        name for line in OOB.allied for name in line.names
    ]
    assert not [name for name, count in Counter(names).items() if count > 1]
    assert not [name for name in names if " " in name or "," in name]
    for order in OOB.german:
        for kind, count in order.counts.items():
            assert next(len(k.names) for k in UNITS.kind if k.name == kind and k.names) >= count


def test_par_eight_parachute_units_and_two_gliders() -> None:
    """PAR, INV.4 The Allied player has eight parachute units, all of regiment size, and two gliders."""
    by_entry: Counter[str] = Counter()
    for line in OOB.allied:
        by_entry[line.entry] += len(line.names)
        if line.entry == "paradrop":
            assert UNITS.get("allied", line.kind, line.type).size == "regiment"
    assert (by_entry["paradrop"], by_entry["glider"]) == (8, 2)


def test_u_a_d_between_the_figures_means_defend_only() -> None:
    """U Units with a d may only defend; the figures are strength and allowance."""
    assert [k.name for k in UNITS.kind if k.defend_only] == ["10d6", "6d6"]
    assert UNITS.get("german", "10d6").printed == (10, 6)


def test_stk_b_what_breaks_down_into_what() -> None:
    """STK.B The units of the list break down as it says, and no others."""
    listed = {(kind.side, kind.name, kind.parts) for kind in UNITS.kind if kind.parts}
    assert listed == {
        ("allied", "7-4", ("2-4",) * 3),
        ("allied", "5-4", ("2-4",) * 2),
        ("allied", "20-10", ("6-10",) * 3),
        ("german", "7-2", ("2-2",) * 3),
        ("german", "5-2", ("2-2",) * 2),
        ("german", "4-1", ("2-1",) * 2),
        ("german", "15-6", ("7-6", "5-6")),
        ("german", "16-6", ("7-6", "5-6")),
        ("german", "18-6", ("8-6", "6-6")),
        ("german", "10-6", ("3-6",) * 3),
        ("german", "7-6", ("3-6",) * 2),
        ("german", "14-6", ("4-6",) * 3),
    }


def test_com_g_the_example_of_the_rulebook_is_two_to_one() -> None:
    """COM.G 26 against 9 is 2-1."""
    assert CHARTS.combat.column(26, 9) == "2-1"


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (9, 9, "1-1"),
        (8, 9, "1-2"),
        (10, 21, "1-3"),
        (1, 4, "1-4"),
        (1, 5, None),
        (63, 9, "6-1"),
        (72, 9, "8-1"),
        (200, 9, "10-1"),
        (1, 0, "10-1"),
    ],
)
def test_com_g_odds_are_rounded_for_the_defender(attack: int, defence: int, column: str | None) -> None:
    """COM.G Odds are rounded down to a column; below the lowest there is none,
    above the highest it is the highest."""
    assert CHARTS.combat.column(attack, defence) == column


def test_com_better_odds_and_lower_totals_are_never_worse() -> None:
    """COM In every row results improve with the odds, in every column they worsen with the total."""
    rank = {"Ae": 0, "Ar2": 1, "Ex": 2, "Dr2": 3, "De": 4}
    rows = [[rank[result] for result in row] for row in CHARTS.combat.rows]
    assert all(row == sorted(row) for row in rows)
    assert all(list(column) == sorted(column, reverse=True) for column in zip(*rows, strict=True))
    assert set(CHARTS.combat.results) == set(rank)


def test_com_totals_off_the_table_count_as_its_last_row() -> None:
    """COM A total above the last row is read there."""
    assert CHARTS.combat.result("1-1", 99) == CHARTS.combat.result("1-1", len(CHARTS.combat.rows)) == "Ae"


@pytest.mark.parametrize(("reading", "sums"), [("literal", (51, 36)), ("monotone", (36, 51))])
def test_nav_the_example_of_the_rulebook(reading: str, sums: tuple[int, int]) -> None:
    """NAV At six hexes 26 points with a medium or heavy mission make 51 or 36;
    there are eight missions and both kinds can defend."""
    kinds = {each.key: each for each in missions(game(options={"naval": reading}))}
    assert (26 + kinds["medium"].attack, 26 + kinds["heavy"].attack) == sums
    assert min(kinds["medium"].range, kinds["heavy"].range) >= 6
    assert kinds["medium"].defence and kinds["heavy"].defence
    assert sum(each.count for each in kinds.values()) == 8


def test_ent_the_faces_that_dig() -> None:
    """ENT, ENT.A A regiment digs in with 1 to 3, a battalion with 1 or 2; a trench adds four to the die."""
    digging = CHARTS.entrenchment
    assert (digging.faces("regiment"), digging.faces("battalion"), digging.die) == ((1, 2, 3), (1, 2), 4)


def test_forts_are_bocage_for_movement_and_armour() -> None:
    """COM.T, ENT, INV.1B The forts 4230 and 4129 cost what bocage costs, keep armour out,
    take no marker and are not partially sea."""
    forts = MAP.bits("fort")
    assert GRID.named(forts) == ("4129", "4230")
    fort, bocage = CHARTS.terrain["fort"], CHARTS.terrain["bocage"]
    assert (fort.enter, fort.armour_attacks, fort.entrench) == (bocage.enter, False, False)
    assert not forts & PARTIALLY_SEA


def test_the_map_has_what_the_game_needs() -> None:
    """INV.1A, VIC.X Seventeen beaches in partially-sea hexes, roads off every edge,
    every exit at the border."""
    assert len(BEACHES) == 17 and all(MAP.has(hex, "coastal") for hex in BEACHES.values())
    assert set(EXITS.values()) == set(EDGES) == {"north", "south", "east", "west"}
    assert GRID.bits(EXITS) & ~BORDER == 0 and BORDER & ~LAND == 0


def test_a_broken_chart_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A table with a short row does not load, and the message says which."""
    text = tables.find_data("normandy71", "charts.toml").read_text()
    (tmp_path / "charts.toml").write_text(
        text.replace('["Ar2", "Ar2", "Ex",  "Dr2",', '["Ar2", "Ar2", "Dr2",', 1)
    )
    with pytest.raises(DataError, match="each row must have one result for each column"):
        load(tmp_path / "charts.toml", tables.ChartsFile)
