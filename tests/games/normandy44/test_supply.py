"""Supply (8): lines, depots, headquarters, the judgement at the end of a turn."""

from __future__ import annotations

import pytest

from pbem.games.normandy44 import control, ports, reinforcement, supply, view
from pbem.games.normandy44.notes import SupplyJudged
from pbem.games.normandy44.state import Port, State
from pbem.games.normandy44.tables import CHERBOURG, GRID, Side
from tests.games.normandy44.kit import game, put


def supplied(state: State, hex: str, side: Side) -> bool:
    return bool(supply.area(state, side) >> GRID.index(hex) & 1)


def surrounded(text: str = "709ID 1306") -> State:
    """A German in 1306 with American zones in all hexes around him."""
    state = game(text)
    for id, hex in zip(("4US", "9US", "90US", "79US", "83US", "8US"), GRID.ring("1306", 2)[::2], strict=True):
        put(state, id, hex)
    return state


# --- lines ----------------------------------------------------------------------------------------------


def test_8_2_a_line_of_any_length_to_a_depot() -> None:
    """8.2 A German in the far west is in supply by a depot at the other end of the map."""
    state = game("709ID 0122, 4US 2711, 9US 2721, 90US 2601, 79US 1901")
    assert GRID.named(supply.depots(state, "german")) == ("1101",)
    assert supplied(state, "0122", "german")


def test_8_2_enemy_zones_block_and_a_friend_cancels_them() -> None:
    """8.2 A ring of zones cuts a unit off; friends in a chain of the controlled hexes let
    the line through."""
    state = surrounded()
    assert not supplied(state, "1306", "german")
    middle = GRID.ring("1306", 2)[5]
    inner = next(hex for hex in GRID.neighbours(middle) if GRID.distance(hex, "1306") == 1)
    outer = next(hex for hex in GRID.neighbours(middle) if GRID.distance(hex, "1306") == 3)
    put(state, "91ID", inner)
    put(state, "243ID", outer)
    assert not supplied(state, "1306", "german")
    put(state, "LXXXIV", middle)
    assert supplied(state, "1306", "german")


def test_8_2_a_line_may_begin_in_an_enemy_zone() -> None:
    """8.2 A unit cancels the zones of the hex in which it stands, so that a free hex next to it is enough."""
    state = game("709ID 1306, 4US 1305")
    assert supplied(state, "1306", "german")
    assert supplied(state, "1405", "german"), "where a unit would be in supply if it stood there"
    assert not supplied(state, "1305", "german"), "never in a hex of the enemy"


def test_e7_major_rivers_stop_lines_and_bridges_let_them_through() -> None:
    """E7 No line crosses the Orne but by a bridge; minor rivers do not count."""
    assert not supply.LINKS.open[GRID.index("1009")] >> GRID.index("1108") & 1
    assert supply.LINKS.open[GRID.index("1008")] >> GRID.index("1108") & 1
    assert supply.LINKS.open[GRID.index("1009")] >> GRID.index("1109") & 1


def test_6_1_what_a_headquarters_reaches() -> None:
    """6.1, 6.2 Everything with a line to its hex, and nothing behind enemy zones."""
    state = surrounded("709ID 1306, LXXXIV 1310")
    reached = supply.reached(state, "1310", "german")
    assert reached >> GRID.index("1610") & 1
    assert not reached >> GRID.index("1306") & 1


# --- depots ---------------------------------------------------------------------------------------------


def test_8_2_allied_depots_are_beaches_and_ports_in_use() -> None:
    """8.2, 8.3 A beach under Allied control is a depot long after its landing capacity has gone;
    a port is one while it works."""
    state = game("4US 0617", turn=9, control={"0617": "allied", "0714": "german"})
    assert GRID.named(supply.depots(state, "allied")) == ("0617",)
    state.ports["Isigny"] = Port(left=0, worth=3)
    assert GRID.named(supply.depots(state, "allied")) == ("0617", "0816")
    put(state, "709ID", "0815")
    assert GRID.named(supply.depots(state, "allied")) == ("0617",), "in a German zone it does not work"


def test_s1_utah_is_destroyed_by_germans_before_cherbourg() -> None:
    """S1 Once Germans have been in it Utah is no depot and nobody lands there, whoever holds it;
    elsewhere it goes on."""
    for scenario, depots in (("cherbourg", ()), ("campaign", ("0617",))):
        state = game("4US 0617, 90US reserve phase=A", scenario=scenario, turn=2, control={"0617": "allied"})
        state.capacity = {"0617": 3}
        control.entered(state, state.units["709ID"], ("0617",))
        control.entered(state, state.units["4US"], ("0617",))
        assert GRID.named(supply.depots(state, "allied")) == depots
        assert tuple(reinforcement.open_sites(state, "us")) == depots
        assert ("0617" in ports.capacity(state)) == bool(depots)
        assert ("0617" in view.view(state, "allied").beaches) == bool(depots)


def test_s1_only_depots_on_the_map_of_the_scenario() -> None:
    """S1 Of the German depots the Rennes road alone lies west of column 17."""
    assert GRID.named(supply.depots(game(scenario="cherbourg"), "german")) == ("2721",)


def test_8_2_an_allied_unit_closes_a_german_depot() -> None:
    """8.2 No depot works with an enemy combat unit in it; a headquarters does not close it."""
    state = game("VII/US 2721", scenario="cherbourg")
    assert supply.depots(state, "german")
    put(state, "4US", "2721")
    assert not supply.depots(state, "german")


def test_8_1_by_option_a_unit_needs_a_headquarters() -> None:
    """8.1 With the option `lines` at headquarters a depot is not enough:
    a headquarters with a line to one must be within reach."""
    state = game("4US 0617", control={"0617": "allied"}, options={"lines": "headquarters"})
    assert not supplied(state, "0617", "allied")
    put(state, "VII/US", "0618")
    assert supplied(state, "0617", "allied")
    state.control["0617"] = "german"
    assert not supplied(state, "0617", "allied"), "a headquarters without a depot supplies nobody"


def test_9_0_an_allied_headquarters_supplies_both_armies() -> None:
    """9.0 A British unit is in supply by an American headquarters."""
    text = "3BR 0617, VII/US 0618"
    state = game(text, control={"0617": "allied"}, options={"lines": "headquarters"})
    assert supplied(state, "0617", "allied")


@pytest.mark.parametrize("lines", ["depot", "headquarters"])
def test_e9_schlieben_supplies_a_pocket(lines: str) -> None:
    """E9 Von Schlieben's headquarters needs no depot, and who has a line to it is in supply."""
    state = surrounded("709ID 1306")
    state.options["lines"] = lines
    assert not supplied(state, "1306", "german")
    put(state, "Schlieben", "1306")
    assert supplied(state, "1306", "german")


def test_e9_cherbourg_is_cut_off_when_no_line_leads_to_a_depot() -> None:
    """E9, S1 Americans across the foot of the peninsula cut Cherbourg off; one gap is enough for a line."""
    wall = "4US 0720, 9US 0722, 90US 0718, 79US 0617"
    assert supply.cut_off(game(wall, scenario="cherbourg"), CHERBOURG)
    assert not supply.cut_off(game("4US 0720, 90US 0718, 79US 0617", scenario="cherbourg"), CHERBOURG)


# --- the end of a turn -----------------------------------------------------------------------------------


def test_8_4_marked_at_the_end_of_a_turn() -> None:
    """8.4 Who has no line is marked, headquarters too; who has one again is unmarked at the end
    of the next turn."""
    state = surrounded("709ID 1306, LXXXIV 1306, 91ID 1310 unsupplied")
    supply.mark(state)
    assert state.units["709ID"].unsupplied
    assert state.units["LXXXIV"].unsupplied
    assert not state.units["91ID"].unsupplied
    note = next(n for n in state.log if isinstance(n, SupplyJudged) and n.side == "german")
    assert (note.out, note.again) == (("709ID", "LXXXIV"), ("91ID",))
    for unit in state.on_map("allied"):
        unit.place, unit.hex = "dead", None
    assert state.units["709ID"].unsupplied, "as long as the turn lasts"
    supply.mark(state)
    assert not state.units["709ID"].unsupplied


def test_8_3_the_defence_of_a_marked_unit_is_halved_and_rounded_up() -> None:
    """8.3 Three points of defence become two."""
    state = game("709ID 1306 unsupplied")
    unit = state.units["709ID"]
    printed = unit.counter.steps[0][1]
    assert unit.defence == (printed + 1) // 2


def test_8_4_nobody_changes_nothing_is_told() -> None:
    """8.4 No note when the supply of a side stays as it is."""
    state = game("709ID 1306")
    supply.mark(state)
    assert state.log == []
