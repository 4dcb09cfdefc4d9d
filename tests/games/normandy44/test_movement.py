"""Movement order by order: moving, stacking, landing, entering, leaving the map (2.6, 3.1, 5, 11, S2)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.normandy44.movement import Movement
from pbem.games.normandy44.notes import (
    Entered,
    Exited,
    HeadquartersLost,
    Landed,
    Moved,
    StepsLost,
    TookControl,
)
from pbem.games.normandy44.orders import Activate, Attack, Enter, Exit, Land, Move
from pbem.games.normandy44.state import Port, State
from pbem.games.normandy44.tables import GRID
from tests.games.normandy44.kit import at, game, put


def moved(state: State, *orders: Order, side: Any = "allied", phase: Any = "B") -> Movement:
    """A movement in which these orders are checked, settled and carried out."""
    movement = Movement(state, side, phase)
    for order in orders:
        movement.check(order)
        settled = movement.settle(order)
        movement.check(settled)
        movement.carry_out(settled)
    movement.check(None)
    movement.end()
    return movement


def refused(
    state: State, *orders: Order, side: Any = "allied", phase: Any = "B", end: bool = False
) -> NotAllowed:
    """What the last order (or with `end` the end of movement) is refused with."""
    movement = Movement(state, side, phase)
    for order in orders if end else orders[:-1]:
        movement.check(order)
        movement.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        movement.check(None if end else orders[-1])
    return caught.value


def noted(state: State, kind: type[Any]) -> list[Any]:
    return [note for note in state.log if isinstance(note, kind)]


# --- moving -----------------------------------------------------------------------------------------------


def test_5_1_a_move_is_carried_out_and_told() -> None:
    """5.1 The unit goes by the cheapest way; the note has every hex and the points."""
    state = game("4US 1306")
    moved(state, Move(("4US",), ("1206", "1106")))
    assert at(state, "4US") == "1106"
    (note,) = noted(state, Moved)
    assert (note.path, note.points, note.of) == (("1306", "1206", "1106"), 2, 8)
    assert state.units["4US"].acted


def test_5_1_units_move_once_in_a_phase() -> None:
    """5.1 A move is completed before the next begins."""
    error = refused(game("4US 1306"), Move(("4US",), ("1206",)), Move(("4US",), ("1106",)))
    assert error.case == "5.1"


def test_5_1_units_of_one_order_move_alike() -> None:
    """5.1 One note for all that go the same way."""
    state = game("4US 1306, 9US 1306")
    moved(state, Move(("4US", "9US"), ("1206",)))
    (note,) = noted(state, Moved)
    assert note.names == ("4US", "9US")


def test_5_3_strategic_movement_is_used_when_it_is_needed() -> None:
    """5.3 The note says so."""
    state = game("709ID 1306")
    moved(
        state,
        Move(("709ID",), ("1206", "1106", "1107", "1207", "1206", "1305", "1306", "1206")),
        side="german",
    )
    (note,) = noted(state, Moved)
    assert (note.case, note.strategic, note.points, note.of) == ("5.3", True, 8 - 0.5, 12)


def test_5_2_a_lone_headquarters_is_run_over() -> None:
    """5.2 It is lost, and the way leads on."""
    state = game("A/4AD 1306, LXXXIV 1305")
    moved(state, Move(("A/4AD",), ("1305", "1206")))
    assert state.units["LXXXIV"].place == "dead"
    (note,) = noted(state, HeadquartersLost)
    assert (note.why, note.hex, note.back) == ("overrun", "1305", 4)
    assert noted(state, Moved)[0].points == 1 + 2 + 1


def test_5_2_not_with_its_troops() -> None:
    """5.2 With a combat unit in its hex it is safe from being run over."""
    state = game("A/4AD 1306, LXXXIV 1305, 709ID 1305")
    assert refused(state, Move(("A/4AD",), ("1305",))).case == "5.1"


def test_4_0_breaking_away_for_a_step() -> None:
    """4.0 The step goes first, and the move costs no points for leaving."""
    state = game("4US 1306, 709ID 1307")
    moved(state, Move(("4US",), ("1305",), True))
    assert (state.units["4US"].lost, at(state, "4US")) == (1, "1305")
    assert noted(state, StepsLost)[0].case == "4.0"
    (note,) = noted(state, Moved)
    assert (note.points, note.step) == (1, True)
    assert refused(game("4US 1306"), Move(("4US",), ("1305",), True)).case == "4.0"


def test_e8_garrisons_never_move() -> None:
    """E8 A beach garrison stays where it is."""
    assert refused(game("WN-Utah 0617"), Move(("WN-Utah",), ("0618",)), side="german").case == "E8"


def test_s1_control_follows_combat_units() -> None:
    """S1, S3 Every hex passed changes hands."""
    state = game("709ID 0419", control={"0317": "allied"})
    moved(state, Move(("709ID",), ("0318", "0317")), side="german")
    assert state.control["0317"] == "german"
    assert noted(state, TookControl)[0].hex == "0317"


def test_options_are_legal_orders() -> None:
    """Whatever is offered passes its own check."""
    state = game(
        "4US 1306, 9US 1206, 90US reserve phase=A, VII/US 1206, 709ID 1307, LXXXIV 1509", capacity={"0617": 3}
    )
    movement = Movement(state, "allied", "B")
    for subject in movement.able():
        for order in movement.options(subject):
            movement.check(order)
            movement.check(movement.settle(order))
    assert {"4US", "9US", "90US", "VII/US"} == set(movement.able())


# --- stacking ---------------------------------------------------------------------------------------------


def test_3_1_no_end_in_a_full_hex() -> None:
    """3.1 Two divisions in a zone that cannot both go leave no room for a third."""
    state = game("4US 1306, 9US 1306, 90US 1206")
    movement = Movement(state, "allied", "B")
    movement.carry_out(Move(("4US",), ("1305", "1306", "1305")))
    assert "1306" not in [order.path[-1] for order in movement.options("9US") if isinstance(order, Move)]
    first = refused(
        game("4US 1306, 9US 1306, 90US 1206, 79US 1106"),
        Move(("4US",), ("1305",)),
        Move(("9US",), ("1305",)),
        Move(("90US",), ("1305",)),
    )
    assert first.case == "3.1"


def test_3_1_stacking_does_not_count_on_the_way() -> None:
    """3.1, 5.1 A unit goes through a full hex."""
    state = game("4US 1206, 9US 1206, 90US 1306")
    moved(state, Move(("90US",), ("1206", "1106")))
    assert at(state, "90US") == "1106"


def test_3_1_a_full_hex_can_be_entered_if_others_can_still_leave() -> None:
    """3.1 They must then do so before movement ends."""
    into = Move(("90US",), ("1206",))
    text = "4US 1206, 9US 1206, 90US 1306"
    error = refused(game(text), into, end=True)
    assert error.case == "3.1"
    assert error.legal[0].startswith("move 4US to ")
    state = game(text)
    moved(state, into, Move(("4US",), ("1106",)))
    assert [unit.id for unit in state.at("1206")] == ["9US", "90US"]


def test_3_1_who_finds_no_room_is_lost() -> None:
    """3.1 Should a hex still hold too much and nobody be able to leave, the last to come is lost."""
    state = game("4US 1206, 9US 1206, 90US 1206, XXX/BR 1306, I/BR 1306")
    Movement(state, "allied", "B").end()
    assert [unit.id for unit in state.at("1206")] == ["4US", "9US"]
    assert len(state.at("1306")) == 1


# --- landing ----------------------------------------------------------------------------------------------


def test_2_6_landing_on_a_beach_costs_its_hex() -> None:
    """2.6, 11.2 The beach is the first hex; the capacity goes down by the stacking points,
    and there is no strategic movement."""
    state = game("90US reserve phase=A", capacity={"0617": 3}, control={"0617": "german"})
    movement = moved(state, Land(("90US",), "0617", ("0618", "0619")))
    (note,) = noted(state, Landed)
    assert (note.site, note.pe, note.path) == ("0617", 3, ("0617", "0618", "0619"))
    assert state.capacity == {"0617": 0}
    assert state.control["0617"] == "allied"
    unit = state.units["90US"]
    assert (unit.landed, unit.acted, unit.hex, unit.phase) == (True, True, "0619", "")
    assert "90US" in movement.moved
    start = Movement(game("90US reserve phase=A"), "allied", "B").start_ashore(unit, "0617", "0617")
    assert (start.points, start.strategic) == (16 - 4, None), "the beach is bocage"


def test_2_6_from_a_port_all_points_are_left() -> None:
    """2.6 A port is where movement begins."""
    state = game(
        "90US reserve phase=A", capacity={"Saint-Vaast": 3}, ports={"Saint-Vaast": Port(left=0, worth=3)}
    )
    start = Movement(state, "allied", "B").start_ashore(state.units["90US"], "0317", "Saint-Vaast")
    assert start.points == 16


def test_4_0_who_lands_in_an_enemy_zone_goes_no_further() -> None:
    """4.0 The beach itself is entered, and there the unit stops."""
    state = game("90US reserve phase=A, 709ID 0517", capacity={"0617": 3})
    assert {
        order.path for order in Movement(state, "allied", "B").options("90US") if isinstance(order, Land)
    } == {()}
    assert refused(state, Land(("90US",), "0617", ("0717",))).case == "5.1"


def test_14_0_not_more_than_the_capacity() -> None:
    """14.0, 11.2 Three points for two divisions are too few, and British troops do not land at Utah."""
    state = game("90US reserve phase=A, 9US reserve phase=A, 3BR reserve phase=A", capacity={"0617": 3})
    assert refused(state, Land(("90US", "9US"), "0617")).case == "14.0"
    assert refused(state, Land(("3BR",), "0617")).case == "11.2"


def test_2_5_starred_reinforcements_land_in_phase_b() -> None:
    """2.5 Not in phase A."""
    state = game("90US reserve phase=B", capacity={"0617": 3})
    assert refused(state, Land(("90US",), "0617"), phase="A").case == "2.5"
    moved(state, Land(("90US",), "0617"))
    assert at(state, "90US") == "0617"


def test_5_1_what_is_in_the_reserve_does_not_move() -> None:
    """5.1 It must land, and is told where."""
    state = game("90US reserve phase=A", capacity={"0617": 3})
    assert refused(state, Move(("90US",), ("0618",))).legal == ("land 90US at 0617",)


# --- German reinforcements ----------------------------------------------------------------------------------


def test_2_6_entering_costs_a_road_hex() -> None:
    """2.6, 11.1 Half a point is gone on entering, a whole one under interdiction."""
    state = game("25/12SS track box=Le_Mans ready")
    unit = state.units["25/12SS"]
    assert Movement(state, "german", "B").start_by_road(unit, "2601").points == 20 - 1
    state.interdicted = ["IV"]
    assert Movement(state, "german", "B").start_by_road(unit, "2601").points == 20 - 2


def test_11_1_units_enter_by_the_roads_of_their_track() -> None:
    """11.1, E0 From Le Mans by E, F and G; moving on is part of it."""
    state = game("25/12SS track box=Le_Mans ready, 26/12SS track box=Le_Mans ready")
    error = refused(state, Enter(("25/12SS",), "1101"), side="german")
    assert (error.case, error.legal[0]) == ("11.1", "enter 25/12SS at 2201")
    moved(state, Enter(("25/12SS", "26/12SS"), "2601", ("2501",)), side="german")
    (note,) = noted(state, Entered)
    assert (note.names, note.path) == (("25/12SS", "26/12SS"), ("2601", "2501"))
    assert (state.units["25/12SS"].box, state.units["25/12SS"].ready) == ("", False)


def test_5_3_germans_may_enter_by_strategic_movement() -> None:
    """5.3 Only the Allies are barred from it on the turn of arrival."""
    state = game("25/12SS track box=Le_Mans ready")
    start = Movement(state, "german", "B").start_by_road(state.units["25/12SS"], "2601")
    assert start.strategic == 40 - 1


def test_11_1_not_ready_not_on_the_map() -> None:
    """11.1 A unit that was blocked stays on the track."""
    state = game("25/12SS track box=Le_Mans")
    assert refused(state, Enter(("25/12SS",), "2601"), side="german").case == "11.1"


# --- leaving the map ----------------------------------------------------------------------------------------


def test_s2_allied_units_leave_the_map_for_good() -> None:
    """S2 They count with the points that they had."""
    state = game("A/4AD 2711, 4US 2226 lost=1", scenario="cobra", turn=10)
    moved(state, Exit(("A/4AD",), "2711"), Exit(("4US",), "2227"))
    assert state.exits == {"south": [("A/4AD", 1)], "L": [("4US", 2)]}
    assert state.units["4US"].place == "exited"
    assert noted(state, Exited)[1].path == ("2226", "2227")


def test_s2_only_there_and_only_troops() -> None:
    """S2 Not inside the map, not out of reach, no headquarters, no Germans, nobody in the first scenario."""
    state = game("A/4AD 2711, 4US 1306 unsupplied, VII/US 2711, 709ID 2601", scenario="cobra", turn=10)
    for order in (
        Exit(("4US",), "1306"),
        Exit(("4US",), "2227"),
        Exit(("VII/US",), "2711"),
    ):
        assert refused(state, order).case == "S2"
    assert refused(state, Exit(("709ID",), "2601"), side="german").case == "S2"
    assert refused(game("4US 2227", scenario="cherbourg"), Exit(("4US",), "2227")).case == "S2"
    assert Exit(("A/4AD",), "2711") in Movement(state, "allied", "B").options("A/4AD")


# --- the German reaction on D-Day ---------------------------------------------------------------------------


def test_15_0_reaction_one_hex_near_the_landing() -> None:
    """15.0 Germans within two hexes of an Allied unit move one hex, in supply whatever their markers say;
    others not at all."""
    state = game("4US 0617, 709ID 0619 unsupplied, 91ID 0720", turn=0)
    movement = Movement(state, "german", "reaction")
    assert GRID.distance("0619", "0617") == 2
    assert list(movement.able()) == ["709ID"]
    assert refused(state, Move(("91ID",), ("0820",)), side="german", phase="reaction").case == "15.0"
    two = refused(state, Move(("709ID",), ("0420",)), side="german", phase="reaction")
    assert two.case == "15.0"
    moved(state, Move(("709ID",), ("0618",)), side="german", phase="reaction")
    assert at(state, "709ID") == "0618"


# --- phase A ------------------------------------------------------------------------------------------------


def test_2_6_other_orders_are_none_of_movement() -> None:
    """2.6 Activation by name belongs to phase A alone."""
    state = game("4US 0617, VII/US 0617", supported=["VII/US"])
    assert refused(state, Activate(("4US",), "VII/US")).case == "6.2"
    assert refused(state, Attack("0519", ("4US",))).case == "2.6"
    assert refused(state, Move(("nobody",), ("0519",))).case == "5.1"
    put(state, "90US", "later")
    assert refused(state, Move(("90US",), ("0519",))).case == "5.1"
