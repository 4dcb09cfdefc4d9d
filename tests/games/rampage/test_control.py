"""Control, the front line, and supply (3.6 to 3.8, 12.1, 12.2)."""

from __future__ import annotations

from pbem.games.rampage import control
from pbem.games.rampage.notes import Controlled
from pbem.games.rampage.tables import GRID, MAP, SUPPLY_EDGE
from tests.games.rampage.kit import game


def test_3_1_the_front_at_the_start() -> None:
    """3.1 The markers stand in the row from 1003 to 1902, the pocket's own among them."""
    assert control.front_hexes(game(turn=1)) == MAP.hexes("front_line")


def test_3_6_the_front_is_redrawn_at_once() -> None:
    """3.6 A hex that falls lays its German neighbours open, and no gap is left."""
    state = game(turn=1)
    control.pass_to_allies(state, ("1303",), "3.6", "battle")
    front = control.front_hexes(state)
    assert "1303" not in front
    assert {"1304", "1404", "1204"} <= set(front)
    ours = control.allied(state)
    assert all(hex in front for hex in state.german if GRID.spread(ours) >> GRID.index(hex) & 1)
    assert state.log[-1] == Controlled(case="3.6", hexes=("1303",), to="allied", why="battle")


def test_3_7_control_changes_once() -> None:
    """3.7 A hex that is Allied already does not change hands again; a breakout gives one back."""
    state = game(turn=1)
    control.pass_to_allies(state, ("1001",), "3.6", "battle")
    assert not state.log
    control.pass_to_allies(state, ("1303",), "3.6", "battle")
    control.pass_to_germans(state, "1303", "12.6", "breakout")
    assert control.is_german(state, "1303") and state.german == sorted(state.german)


def test_12_1_supply_runs_from_the_east_edge() -> None:
    """9.17, 12.1 Everything is in supply at the start; what is ringed by Allied hexes is not."""
    state = game(turn=1)
    assert control.supplied(state) == control.german(state)
    ring = game(allied=" ".join(GRID.neighbours("1603")))
    assert control.unsupplied(ring) == ("1603",)
    assert not control.in_supply(ring, "1603") and control.in_supply(ring, "1703") is False


def test_12_1_without_the_edge_nobody_is_supplied() -> None:
    """12.1 Supply needs a German hex of the edge itself."""
    edge = set(GRID.named(SUPPLY_EDGE))
    state = game(german=" ".join(hex for hex in control.at_start() if hex not in edge))
    assert control.supplied(state) == 0


def test_12_2_german_supply_crosses_the_sea() -> None:
    """12.2 An all-sea hexside between two coastal hexes carries German supply:
    2711 lives through 2812 alone."""
    assert "sea" in MAP.hexside("2711", "2812")
    held = {"2711", "2812", "2813", "2814", "2815", "2816", "2817", "2818", "2819"}
    state = game(german=" ".join(sorted(held)))
    assert control.in_supply(state, "2711")
    control.pass_to_allies(state, ("2812",), "3.6", "battle")
    assert not control.in_supply(state, "2711")


def test_4_1_allied_supply_is_a_link_by_land() -> None:
    """4.1, 9.13 An Allied hex far behind the front counts only when land links it to where the Allies
    began."""
    state = game(allied="3017")
    assert not control.allied_supplied(state) >> GRID.index("3017") & 1
    assert control.allied_supplied(state) >> GRID.index("1801") & 1
    linked = game(allied="1303 1304")
    assert control.allied_supplied(linked) >> GRID.index("1304") & 1
