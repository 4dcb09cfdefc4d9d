"""The components (1.2 to 1.7): counters, charts, track, map."""

from __future__ import annotations

from pbem.games.france44.tables import (
    CASES,
    CHARTS,
    GERMAN_CITIES,
    GRID,
    LAND,
    MAP,
    NORMANDY,
    PORTS,
    RHINE,
    RHINE_BRIDGES,
    SCENARIOS,
    SCHELDT,
    SETUP,
    SOURCES,
    SOUTH,
    TURNS,
    UNITS,
    V1_SITES,
    blocked,
)

MONTHS = {turn.month: turn for turn in TURNS.values()}


def count(side: str, hq: bool) -> int:
    return sum(piece.side == side and piece.hq == hq for piece in UNITS.values())


def test_1_7_the_counters() -> None:
    """1.7 Seven Allied headquarters and eight German ones, 46 German units;
    54 Allied counters with both sorts of the six green corps."""
    assert (count("allied", True), count("german", True)) == (7, 8)
    green = sum(not piece.hq and piece.green for piece in UNITS.values())
    assert (count("allied", False) + green, count("german", False)) == (54, 46)


def test_1_7_values_are_within_what_the_rules_allow() -> None:
    """3.7 to 3.9, 4.6, 4.8 Allowances 2, 3, 4 and 6; headquarters have 6 and a range of 3 to 6."""
    for piece in UNITS.values():
        if piece.hq:
            assert (piece.allowance, 3 <= piece.range <= 6) == (6, True)
            continue
        assert piece.allowance in (2, 3, 4, 6)
        assert 1 <= piece.morale <= 6
        assert len(piece.steps) == (1 if piece.fuehrer else 3)
        if not piece.fuehrer:
            assert piece.steps[2] == (1, 1)
    assert sum(not piece.hq and piece.fuehrer for piece in UNITS.values()) == 9


def test_1_3_hexes_that_the_rules_name() -> None:
    """1.3, 3.3, 11.3, 11.4, 10.1.3, 12.7"""
    assert blocked("1609", "1610")
    assert NORMANDY == ("1207", "1309", "1409")
    assert set(SCHELDT) == {"2705", "2706", "2804", "2805", "2806", "2905", "2906"}
    assert GRID.named(SOUTH) == tuple(f"{column}28" for column in range(11, 26))
    assert not LAND & SOUTH
    assert GERMAN_CITIES["Cologne"] == "3510"
    assert GERMAN_CITIES["Mannheim"] == "3715"


def test_1_3_places_are_on_land() -> None:
    for hex in (*PORTS.values(), *GERMAN_CITIES.values(), *SOURCES, *SCENARIOS.falaise.towns.values()):
        assert LAND >> GRID.index(hex) & 1, hex
    assert set(V1_SITES) == {"Le Havre", "Calais", "Boulogne", "Dunkirk", "Ostend"}
    assert set(V1_SITES.values()) <= set(PORTS.values())


def test_12_7_bridges_are_on_the_rhine() -> None:
    """12.7 Three dice for 3511, two bridges at Cologne and at Mannheim over different hexsides."""
    assert set(RHINE_BRIDGES) <= RHINE
    at = {
        hex: [key for key in RHINE_BRIDGES if hex in key.split("-")]
        for hex in ("3511", "3510", "3715", "3409")
    }
    assert sum(RHINE_BRIDGES[key] for key in at["3511"]) == 3
    assert (len(at["3510"]), len(at["3715"])) == (2, 2)
    assert at["3409"]


def test_1_5_the_turn_track() -> None:
    """1.5, 11.4, 12.3 to 12.5, 10.1.3 What may happen in which month; October brings 3(+1) supply points."""
    assert (MONTHS["October 1944"].supply["allied"], MONTHS["October 1944"].antwerp) == (3, 1)
    numbers = {
        name: [n for n, turn in TURNS.items() if getattr(turn, name)]
        for name in ("antwerp", "market_garden", "varsity", "bulge", "south")
    }
    assert numbers == {
        "antwerp": [4, 5, 6, 7],
        "market_garden": [3, 4, 5, 6, 7, 8, 9],
        "varsity": [10, 11],
        "bulge": [4, 5, 6, 7],
        "south": [3],
    }


def test_1_6_the_charts() -> None:
    """1.6, 2.0.8, 5.2, 7.1, 10.1.1, 12.3"""
    assert CHARTS.attrition.open == (0, 1)
    assert CHARTS.attrition.surrounded == (1, 2)
    assert CHARTS.points.commit == {"allied": 5, "german": 3}
    assert (CHARTS.points.reaction, CHARTS.points.army, CHARTS.points.single) == (3, 3, 1)
    assert (CHARTS.stacking.armour, CHARTS.stacking.infantry, CHARTS.stacking.units) == (4, 2, 4)
    assert CHARTS.drop.range == 5
    assert CHARTS.command.supply_range == 20


def test_1_4_arrivals_come_by_their_ways() -> None:
    """1.4, 3.12, 10.1.3 to 10.1.5"""
    entries = {(arrival.side, arrival.entry) for arrival in SETUP.arrival}
    assert entries == {
        ("allied", "normandy"),
        ("allied", "south"),
        ("allied", "airborne"),
        ("german", "german city"),
        ("german", "south"),
    }
    assert all((arrival.turn == 3) for arrival in SETUP.arrival if arrival.entry in ("south", "airborne"))


def test_1_8_four_scenarios_from_turn_1() -> None:
    """1.8, 13.1, 13.2 Falaise Gap lasts one turn, the longest eleven."""
    lengths = [SCENARIOS.of(key).last_turn for key in ("falaise", "westwall", "rhine", "crusade")]
    assert lengths == [1, 3, 9, 11]
    assert {SCENARIOS.of(key).first_turn for key in ("falaise", "westwall", "rhine", "crusade")} == {1}


def test_1_0_what_is_reconstructed_says_so() -> None:
    """1.0 The rulebook has neither map nor charts."""
    assert MAP.reconstructed
    assert all(turn.source for turn in TURNS.values())
    assert CASES["1.0"].status == "note"


def test_1_2_one_hundred_combat_units_and_fifteen_headquarters() -> None:
    """1.2, 1.7 Green units have two counters each."""
    green = sum(not piece.hq and piece.green for piece in UNITS.values())
    assert sum(not piece.hq for piece in UNITS.values()) + green == 100
    assert sum(piece.hq for piece in UNITS.values()) == 15
