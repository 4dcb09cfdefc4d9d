"""Zones of control (6.1)."""

from __future__ import annotations

from pbem.games.falaise import zones
from pbem.games.falaise.tables import GRID
from tests.games.falaise.kit import game


def around(text: str, side: str = "german") -> set[str]:
    return set(GRID.named(zones.zone(game(text), side)))  # type: ignore[arg-type]


def test_6_1_six_hexes() -> None:
    """6.1 A zone is the six hexes around a unit, its own not among them."""
    assert around("25/12SS 0224") == set(GRID.neighbours("0224"))


def test_6_1_not_across_a_river() -> None:
    """6.1 A zone does not reach over a river without a bridge, nor one over the Dives."""
    assert "1202" not in around("25/12SS 1203")
    assert "1303" in around("25/12SS 1203"), "there is a bridge to it"
    assert zones.linked("1203", "1303") and not zones.linked("1203", "1202")
    assert "2612" not in around("25/12SS 2613") and "2613" not in around("25/12SS 2612")


def test_6_1_across_bridges_and_fords() -> None:
    """6.1 A zone reaches over a bridge of the Dives, and over its ford."""
    assert "2713" in around("25/12SS 2612")
    assert "2712" in around("25/12SS 2711")


def test_6_1_armour_not_over_the_trun_bridge() -> None:
    """6.1 The zone of armour does not reach over the bridge at Trun; that of other units does."""
    assert "2415" not in around("501SS 2315")
    assert "2415" in around("25/12SS 2315")


def test_6_2_who_covers_and_fires() -> None:
    """6.2 Every hex whose stack reaches; of a stack with armour at Trun only the others fire."""
    state = game("501SS 2315, 1053/85 2315, 25/12SS 2516, 357/90 2415")
    assert zones.covering(state, "german", "2415") == ["2315", "2516"]
    assert [unit.id for unit in zones.firing(state, "german", "2315", "2415")] == ["1053/85"]
    assert zones.covering(state, "allied", "2516") == ["2415"]
