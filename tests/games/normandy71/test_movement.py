"""Movement (MOV), with what the other chapters say about moving: zones (ZOC.A), supply (SUP),
landing (INV.2, INV.4), leaving (VIC.X)."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.games.normandy71 import movement
from pbem.games.normandy71.movement import Movement
from pbem.games.normandy71.notes import (
    BeachLost,
    Broken,
    Entered,
    Exited,
    InSupplyNow,
    Landed,
    Lost,
    MarkerGone,
    Moved,
)
from pbem.games.normandy71.orders import Attack, Break, Build, Disentrench, Enter, Exit, Move
from pbem.games.normandy71.reach import step_cost
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import BEACHES, EXITS, GRID
from tests.games.normandy71.kit import at, game
from tests.games.playing import opening, play

ALLIED_1, ALLIED_2 = movement.allied_first_movement, movement.allied_second_movement
GERMAN_1, GERMAN_2 = movement.german_first_movement, movement.german_second_movement

# 0708 and all around it is open country, 3003 bocage; no roads, no rivers.


def refused(phase: object, state: State, order: object, case: str) -> NotAllowed:
    """Playing the order must be refused, citing the case."""
    with pytest.raises(NotAllowed) as caught:
        play(phase, state, order)  # type: ignore[arg-type]
    assert caught.value.case == case, caught.value
    return caught.value


# --- points ---------------------------------------------------------------------------------------------


def test_mov_a_one_point_for_each_clear_hex() -> None:
    """MOV.A A unit of allowance 4 goes four clear hexes."""
    state = game("8/4 allied 7-4 0708", turn=1)
    played = play(ALLIED_1, state, Move(("8/4",), ("0704",)))
    assert at(state, "8/4") == "0704"
    (seen,) = played.of(Moved, "allied")
    assert (seen.path, seen.points, seen.of) == (("0708", "0707", "0706", "0705", "0704"), 4, 4)


def test_mov_c_no_further_than_the_allowance() -> None:
    """MOV.C A unit of allowance 4 does not go five clear hexes, and is told where it can go."""
    error = refused(ALLIED_1, game("8/4 allied 7-4 0708", turn=1), Move(("8/4",), ("0703",)), "MOV.A")
    assert "move 8/4 to 0704" in error.legal


def test_mov_c_each_hex_named_is_gone_through() -> None:
    """MOV.C A path that is written out is followed hex by hex, detours included."""
    state = game("8/4 allied 7-4 0708", turn=1)
    play(ALLIED_1, state, Move(("8/4",), ("0808", "0807", "0707")))
    assert at(state, "8/4") == "0707"
    assert state.log[0].path == ("0708", "0808", "0807", "0707")  # type: ignore[attr-defined]


def test_mov_i_costs_add_up_by_terrain_and_class() -> None:
    """MOV.I Bocage costs foot two points and vehicles three; a road half a point;
    a river is paid unless bridged."""
    assert step_cost("3003", "2903", motor=False, roads=True) == 4
    assert step_cost("3003", "2903", motor=True, roads=True) == 6
    assert step_cost("0209", "0210", motor=True, roads=True) == 1
    assert step_cost("0209", "0309", motor=False, roads=True) == 2 + 2
    assert step_cost("0209", "0309", motor=True, roads=True) == 2 + 4
    assert step_cost("0209", "0308", motor=True, roads=False) == 2


def test_flooded_hexsides_are_charged_once() -> None:
    """A flooded hexside costs two points on foot and four for vehicles in place of the river in it."""
    assert step_cost("0114", "0214", motor=False, roads=False) == 2 * 2 + 2 * 2
    assert step_cost("0114", "0214", motor=True, roads=False) == 2 * 3 + 2 * 4


def test_nobody_moves_across_or_into_the_sea() -> None:
    """A sea hexside and an all-sea hex cannot be entered on foot or wheels."""
    assert step_cost("2027", "2127", motor=False, roads=True) is None
    assert step_cost("5031", "4931", motor=False, roads=True) is None


def test_zoc_a_germans_pay_only_to_enter() -> None:
    """ZOC.A A German unit pays to enter controlled hexes and nothing to leave them."""
    state = game("rec german 8-8 0708, a allied 7-4 0710", turn=2, supply=["3 Utah"])
    phase = Movement(state, "german", second=False)
    table = phase.table(state.units["rec"])
    assert table.cost(GRID.index("0708"), GRID.index("0709")) == 2 + 4
    assert table.cost(GRID.index("0709"), GRID.index("0708")) == 2


def test_zoc_b_several_controllers_cost_no_more() -> None:
    """ZOC.B A hex controlled by two enemy units costs what it costs with one."""
    one = game("8/4 allied 7-4 3002, x german 4-1 3004", turn=1)
    two = game("8/4 allied 7-4 3002, x german 4-1 3004, y german 4-1 2904", turn=1)
    costs = [
        Movement(s, "allied", False).table(s.units["8/4"]).cost(*map(GRID.index, ("3002", "3003")))
        for s in (one, two)
    ]
    assert costs == [4 + 4, 4 + 4]


# --- where units may go ---------------------------------------------------------------------------------


def test_mov_g_never_into_enemy_units() -> None:
    """MOV.G A hex with an enemy unit cannot be entered, nor passed through."""
    state = game("8/4 allied 7-4 0708, x german 4-1 0707", turn=1)
    refused(ALLIED_1, state, Move(("8/4",), ("0707",)), "MOV.G")


def test_mov_h_a_unit_moves_once_in_a_phase() -> None:
    """MOV.H A unit that has moved may not move again, nor may its parts."""
    state = game("8/4 allied 7-4 0708", turn=1)
    with pytest.raises(NotAllowed, match=r"MOV\.H"):
        play(ALLIED_1, state, Move(("8/4",), ("0707",)), Move(("8/4",), ("0706",)))
    state = game("8/4 allied 7-4 0708", turn=1)
    with pytest.raises(NotAllowed, match=r"MOV\.H"):
        play(ALLIED_1, state, Move(("8/4",), ("0707",)), Break("8/4"), Move(("8/4a",), ("0706",)))


def test_mov_f_through_a_full_hex_but_not_into_it() -> None:
    """MOV.F, STK.A A full hex may be passed through; nobody may end there while those in it stay."""
    state = game("a allied 7-4 0707, b allied 7-4 0707, 8/4 allied 7-4 0708", turn=1)
    play(ALLIED_1, state, Move(("8/4",), ("0707", "0706")))
    assert at(state, "8/4") == "0706"
    state = game("a allied 7-4 0706, b allied 7-4 0706, 8/4 allied 7-4 0708", turn=1)
    orders = [Move((id,), ("0707",)) for id in ("a", "b", "8/4")]
    with pytest.raises(NotAllowed, match=r"STK\.A"):
        play(ALLIED_1, state, *orders)


def test_mov_f_a_hex_may_be_too_full_until_the_phase_ends() -> None:
    """MOV.F, STK.A A unit may enter a full hex that another can still leave,
    and the phase does not end before that one has left."""
    text = "a allied 7-4 0707, b allied 7-4 0707, 8/4 allied 7-4 0708"
    state = game(text, turn=1)
    error = refused(ALLIED_1, state, Move(("8/4",), ("0707",)), "STK.A")
    assert error.legal and all(order.startswith(("move a ", "move b ")) for order in error.legal)
    state = game(text, turn=1)
    play(ALLIED_1, state, Move(("8/4",), ("0707",)), Move(("a",), ("0706",)))
    assert (at(state, "a"), at(state, "8/4")) == ("0706", "0707")


def test_mov_n_one_hex_is_always_possible() -> None:
    """MOV.N A unit of allowance 1 enters bocage, which costs two; it goes no further."""
    state = game("x german 4-1 3003")
    play(GERMAN_1, state, Move(("x",), ("3002",)))
    assert at(state, "x") == "3002"
    refused(GERMAN_1, game("x german 4-1 3005"), Move(("x",), ("3003",)), "MOV.A")


def test_mov_n_not_for_unsupplied_armour() -> None:
    """MOV.N Unsupplied armour must be able to pay for the hex, other units need not."""
    cut = "a german 4-1 5131, c allied 6-10 3013, i allied 7-4 3014"
    state = game(cut, supply=["3 Utah"])
    phase = Movement(state, "allied", second=False)
    assert not phase.supplied["c"] and not phase.supplied["i"]
    assert phase.one_hex(state.units["c"]) == 0
    assert phase.one_hex(state.units["i"]).bit_count() == 6


# --- supply ---------------------------------------------------------------------------------------------


def test_mov_j_half_the_allowance_without_supply() -> None:
    """MOV.J, SUP.A A unit out of supply has half its allowance; with supply it has all of it."""
    text = "131/7 allied 12-10 0708"
    cut = game(text + ", x german 4-1 5131", supply=["3 Utah"])
    fed = game(text, supply=["3 Utah"])
    assert Movement(cut, "allied", False).allowance(cut.units["131/7"]) == 10
    assert Movement(fed, "allied", False).allowance(fed.units["131/7"]) == 20


def test_mov_k_no_move_ends_out_of_supply() -> None:
    """MOV.K A supplied unit may pass through hexes without supply but not end there."""
    # 3004 lies four hexes from the nearest road.
    text = "131/7 allied 12-10 3005"
    refused(ALLIED_1, game(text, supply=["3 Utah"]), Move(("131/7",), ("3004",)), "MOV.K")
    state = game(text, supply=["3 Utah"])
    play(ALLIED_1, state, Move(("131/7",), ("3004", "3104")))
    assert at(state, "131/7") == "3104"


def test_mov_l_an_unsupplied_unit_only_goes_nearer() -> None:
    """MOV.L A unit out of supply may go only to hexes nearer to the nearest source in a straight line."""
    state = game("i allied 7-4 3013, a german 4-1 5131", supply=["3 Utah"])
    refused(ALLIED_1, state, Move(("i",), ("3012",)), "MOV.L")
    phase = Movement(state, "allied", second=False)
    here, source = GRID.index("3013"), GRID.index(BEACHES["3 Utah"])
    for hex in GRID.named(phase.destinations(state.units["i"])):
        assert GRID.steps(GRID.index(hex), source) < GRID.steps(here, source)


def test_mov_l_without_any_source_left_nobody_unsupplied_moves() -> None:
    """MOV.L When every supply area is dead there is nothing to go nearer to."""
    state = game("i allied 7-4 3013", supply=["3 Utah"])
    state.dead_beaches = ["3 Utah"]
    assert opening(ALLIED_1, state).subjects() == ()


def test_sup_g_commandos_and_reconnaissance_roam() -> None:
    """SUP.G Commandos out of supply move where they like, at half their allowance."""
    state = game("c allied 2-4 commando 3013, a german 4-1 5131", supply=["3 Utah"])
    play(ALLIED_1, state, Move(("c",), ("3012",)))
    assert at(state, "c") == "3012"


def test_mov_m_parachute_units_wait_for_supply() -> None:
    """MOV.M, SUP.F, PAR.D A parachute unit never yet in supply may not move;
    once it is in supply it may, for good."""
    text = "p allied 5-4 paratroop 5631 unsupplied, a german 4-1 5131, c allied 2-4 commando 3013"
    state = game(text, supply=["3 Utah"])
    refused(ALLIED_1, state, Move(("p",), ("5630",)), "MOV.M")
    state = game("p allied 5-4 paratroop 5631 unsupplied", supply=["3 Utah"])
    played = play(ALLIED_1, state, Move(("p",), ("5630",)))
    assert at(state, "p") == "5630" and not state.units["p"].never_supplied
    assert [note.name for note in played.of(InSupplyNow, "allied")] == ["p"]
    assert not played.of(InSupplyNow, "german")


def test_par_d_the_cull_after_game_turn_three() -> None:
    """PAR.D After the German second movement phase of game-turn 3 parachute units never in supply
    are destroyed."""
    text = "p allied 5-4 paratroop 5631 unsupplied, a german 4-1 5131"
    early, late = game(text, turn=2, supply=["3 Utah"]), game(text, turn=3, supply=["3 Utah"])
    play(GERMAN_2, early)
    play(GERMAN_2, late)
    assert (early.units["p"].place, late.units["p"].place) == ("map", "lost")


def test_sup_h_a_german_who_passes_through_kills_a_supply_area() -> None:
    """SUP.H A German unit that only passes through a supply area ends it; the Allied player alone is told."""
    state = game("r german 8-8 5131", supply=["3 Utah"])
    played = play(GERMAN_1, state, Move(("r",), ("5031", "5030")))
    assert state.dead_beaches == ["3 Utah"]
    assert [note.beach for note in played.of(BeachLost, "allied")] == ["3 Utah"]
    assert not played.of(BeachLost, "german")


# --- game-turn 1 ----------------------------------------------------------------------------------------


def test_inv_2_no_roads_but_bridges_on_the_day_of_the_landing() -> None:
    """INV.2 On game-turn 1 an Allied unit pays for the terrain and not the road, but crosses a bridge
    without paying for the river."""
    state = game("a allied 6-10 1321", turn=1)
    table = Movement(state, "allied", False).table(state.units["a"])
    assert table.cost(GRID.index("1321"), GRID.index("1221")) == 2
    later = game("a allied 6-10 1321", turn=2)
    assert (
        Movement(later, "allied", False).table(later.units["a"]).cost(GRID.index("1321"), GRID.index("1221"))
        == 1
    )


def test_inv_2_the_beach_is_the_first_hex() -> None:
    """INV.2 A unit of the first wave pays for its beach hex and moves on with the rest."""
    state = game("8/3 allied 7-4 box:16_Sword entry:invasion", turn=1)
    played = play(ALLIED_1, state, Move(("8/3",), ("1424", "1423", "1422")))
    assert at(state, "8/3") == "1422" and state.units["8/3"].place == "map"
    assert [(note.hex, note.how) for note in played.of(Landed)] == [("1425", "invasion")]
    refused(
        ALLIED_1,
        game("8/3 allied 7-4 box:16_Sword", turn=1),
        Move(("8/3",), ("1424", "1423", "1422", "1421")),
        "MOV.A",
    )


def test_inv_2_who_lands_in_an_enemy_zone_stays_there() -> None:
    """INV.2 A unit that lands next to a German may move no further in the first movement phase."""
    state = game("8/3 allied 7-4 box:16_Sword, x german 4-1 1424", turn=1)
    refused(ALLIED_1, state, Move(("8/3",), ("1425", "1324")), "INV.2")


def test_inv_2_the_first_wave_lands_even_without_orders() -> None:
    """INV.2 Units that nobody moves out of their boxes stand on their beaches at the end of the phase."""
    state = game("8/3 allied 7-4 box:16_Sword, 70 allied 6-10 box:16_Sword, x german 4-1 1424", turn=1)
    play(ALLIED_1, state)
    assert (at(state, "8/3"), at(state, "70")) == ("1425", "1425")


def test_inv_2_commandos_keep_out_of_enemy_zones() -> None:
    """INV.2 In the first movement phase of game-turn 1 a commando may not enter an enemy zone,
    nor leave one it has landed in."""
    state = game("c allied 2-4 commando 1425, x german 4-1 1422", turn=1)
    refused(ALLIED_1, state, Move(("c",), ("1424", "1423")), "INV.2")
    state = game("c allied 2-4 commando 1425, d allied 2-4 commando 1626, x german 4-1 1424", turn=1)
    refused(ALLIED_1, state, Move(("c",), ("1324",)), "INV.2")


def test_inv_4_half_the_allowance_in_the_second_movement_phase() -> None:
    """INV.4 All Allied allowances are halved in the second movement phase of game-turn 1;
    gliders and parachutists stay."""
    state = game("8/4 allied 7-4 0708", turn=1)
    assert Movement(state, "allied", second=True).allowance(state.units["8/4"]) == 4
    airborne = "g allied 5-4 glider 0708, p allied 5-4 paratroop 0709, 8/4 allied 7-4 0808"
    refused(ALLIED_2, game(airborne, turn=1), Move(("g",), ("0707",)), "INV.4")
    refused(ALLIED_1, game(airborne, turn=1), Move(("p",), ("0710",)), "INV.2")


def test_sup_k_all_but_parachutists_may_end_anywhere_on_game_turn_1() -> None:
    """SUP.K On game-turn 1 a unit may end its move where it will be out of supply."""
    state = game("8/4 allied 7-4 0708", turn=1)
    play(ALLIED_1, state, Move(("8/4",), ("0707",)))
    assert at(state, "8/4") == "0707"
    assert opening(ALLIED_1, game("8/4 allied 7-4 0708", turn=2)).subjects() == ()


def test_inv_1c_inverted_units_turn_upright_when_they_leave() -> None:
    """INV.1C An inverted parachute unit in supply moves off and is turned upright."""
    text = "p allied 5-4 paratroop 5631, q allied 5-4 paratroop 5631 inverted"
    state = game(text, supply=["3 Utah"])
    play(ALLIED_1, state, Move(("q",), ("5630",)))
    assert not state.units["q"].inverted


def test_inv_1c_the_upright_unit_may_leave_instead() -> None:
    """INV.1C When the upright unit moves off, the inverted one is turned upright at the end of the phase."""
    state = game("p allied 5-4 paratroop 5631, q allied 5-4 paratroop 5631 inverted", supply=["3 Utah"])
    play(ALLIED_1, state, Move(("p",), ("5630",)))
    assert not state.units["q"].inverted


def test_inv_1c_an_inverted_unit_in_supply_must_find_room() -> None:
    """INV.1C The phase does not end while an inverted unit in supply could move off;
    if it cannot, it is eliminated."""
    text = "p allied 5-4 paratroop 5631, q allied 5-4 paratroop 5631 inverted"
    refused(ALLIED_1, game(text, supply=["3 Utah"]), None, "STK.A")
    ring = ", ".join(f"n{k} allied 7-4 {hex}" for k, hex in enumerate(GRID.neighbours("5631")))
    state = game(f"{text}, {ring}", supply=["3 Utah"])
    state.announced = dict.fromkeys(state.units, 1)
    played = play(ALLIED_1, state)
    assert [(note.name, note.why) for note in played.of(Lost)] == [("q", "inverted")]


def test_inv_1c_an_inverted_unit_out_of_supply_may_wait() -> None:
    """INV.1C Without supply the stack stays as it came down."""
    text = (
        "p allied 5-4 paratroop 5631 unsupplied, q allied 5-4 paratroop 5631 inverted unsupplied, "
        "x german 4-1 5131"
    )
    state = game(text, supply=["3 Utah"])
    assert play(ALLIED_1, state).ended
    assert state.units["q"].inverted and at(state, "q") == "5631"


# --- breaking down and rebuilding -----------------------------------------------------------------------


def test_stk_c_parts_move_on_their_own() -> None:
    """STK.C, STK.D A unit is broken down in its movement phase and its parts move apart."""
    state = game("8/4 allied 7-4 0708", turn=1)
    played = play(ALLIED_1, state, Break("8/4"), Move(("8/4a",), ("0707",)), Move(("8/4b",), ("0709",)))
    assert [at(state, f"8/4{x}") for x in "abc"] == ["0707", "0709", "0708"]
    assert "8/4" not in state.units
    assert played.of(Broken)[0].into == ("8/4a", "8/4b", "8/4c")


def test_stk_a_breaking_down_may_not_leave_a_hex_too_full() -> None:
    """STK.A In bocage the three parts of a regiment are one too many:
    one must leave before the phase ends."""
    refused_state = game("8/4 allied 7-4 3003", turn=1)
    refused(ALLIED_1, refused_state, Break("8/4"), "STK.A")
    state = game("8/4 allied 7-4 3003", turn=1)
    play(ALLIED_1, state, Break("8/4"), Move(("8/4a",), ("3002",)))
    assert at(state, "8/4a") == "3002"


def test_stk_e_rebuilding_keeps_what_the_parts_have_done() -> None:
    """STK.E, MOV.H A unit rebuilt from a part that has moved has moved."""
    state = game("8/4 allied 7-4 0708", turn=1)
    with pytest.raises(NotAllowed, match=r"MOV\.H"):
        play(
            ALLIED_1,
            state,
            Break("8/4"),
            Move(("8/4a",), ("0707",)),
            Move(("8/4b", "8/4c"), ("0707",)),
            Build(("8/4a", "8/4b", "8/4c")),
            Move(("8/4",), ("0706",)),
        )
    assert state.units["8/4"].kind == "7-4"


# --- trenches -------------------------------------------------------------------------------------------


def test_ent_f_empty_markers_go_at_the_end_of_the_phase() -> None:
    """ENT.F A marker that nobody of its owner stands under is removed when a movement phase ends."""
    state = game("x german 4-1 0708, y german 4-1 1922", trenches="0708 german 1922 german")
    played = play(GERMAN_1, state, Move(("x",), ("0707",)))
    assert state.entrenchments == {"1922": "german"}
    assert [(note.hex, note.why) for note in played.of(MarkerGone)] == [("0708", "empty")]


def test_ent_c_who_enters_an_entrenched_hex_is_entrenched() -> None:
    """ENT.C, ENT.F One unit may leave an entrenched hex and another take its place under the marker."""
    state = game("x german 4-1 0708, y german 4-1 0707", trenches="0708 german")
    play(GERMAN_1, state, Move(("x",), ("0709",)), Move(("y",), ("0708",)))
    assert state.entrenched(state.units["y"]) and not state.entrenched(state.units["x"])


def test_ent_e_a_marker_can_be_taken_off() -> None:
    """ENT.E A side takes its own marker off at will, and not the enemy's."""
    state = game("x german 4-1 0708", trenches="0708 german")
    assert play(GERMAN_1, state, Disentrench("0708")).of(MarkerGone)[0].why == "removed"
    refused(
        ALLIED_1,
        game("8/4 allied 7-4 0808, x german 4-1 0708", turn=1, trenches="0708 german"),
        Disentrench("0708"),
        "ENT.E",
    )


def test_ent_who_digs_in_does_not_move() -> None:
    """ENT A unit announced last turn may not move in this player-turn."""
    state = game("x german 4-1 0708", announced={"x": 1})
    assert opening(GERMAN_1, state).subjects() == ()
    refused(
        GERMAN_1,
        game("x german 4-1 0708, y german 4-1 0808", announced={"x": 1}),
        Move(("x",), ("0707",)),
        "ENT",
    )


# --- leaving and entering the map -----------------------------------------------------------------------


def test_vic_x_leaving_the_map_by_road() -> None:
    """VIC.X, SUP.J A unit leaves by an exit road, counts for its edge, and the Germans lose the road."""
    state = game("a allied 20-10 0209", supply=["3 Utah"])
    played = play(ALLIED_1, state, Exit(("a",), "0109"))
    assert (state.units["a"].place, state.units["a"].hex, state.exits, state.closed_roads) == (
        "exited", None, {"east": ["a"]}, ["0109"],
    )  # fmt: skip
    assert [(note.hex, note.edge) for note in played.of(Exited)] == [("0109", "east")]


def test_vic_x_the_north_edge_counts_until_game_turn_3() -> None:
    """VIC.X A unit that leaves by the north edge after game-turn 3 is gone and gives nothing."""
    for turn, exits in ((3, {"north": ["a"]}), (4, {})):
        state = game("a allied 7-4 5434", turn=turn, supply=["3 Utah"])
        play(ALLIED_1, state, Exit(("a",), "5434"))
        assert (state.units["a"].place, state.exits) == ("exited", exits)


def test_vic_x_only_by_road_and_only_the_allies() -> None:
    """VIC.X Nobody leaves where no road does."""
    error = refused(ALLIED_1, game("a allied 7-4 5234", supply=["3 Utah"]), Exit(("a",), "5234"), "VIC.X")
    assert set(error.legal) == set(EXITS)
    refused(GERMAN_1, game("x german 7-2 0109"), Exit(("x",), "0109"), "VIC.X")


def test_oob_r_reinforcements_enter_at_their_edge() -> None:
    """OOB.R A reinforcement enters by one of its edges, the first hex counting, and moves on."""
    state = game("r german 8-8 turn:2 edge:south/east", turn=2)
    played = play(GERMAN_1, state, Enter(("r",), "0109", ("0209", "0210")))
    assert at(state, "r") == "0210"
    assert [note.names for note in played.of(Entered, "german")] == [("r",)]
    assert [note.names for note in played.of(Entered, "allied")] == [("8-8",)]


def test_oob_r_not_early_not_elsewhere_not_in_the_second_phase() -> None:
    """OOB.R Reinforcements do not come before their turn, by another edge or in the second movement phase."""
    refused(
        GERMAN_1,
        game("r german 8-8 turn:3 edge:south, s german 8-8 turn:2 edge:south"),
        Enter(("r",), "0801"),
        "OOB.R",
    )
    refused(GERMAN_1, game("r german 8-8 turn:2 edge:south"), Enter(("r",), "0109"), "OOB.R")
    refused(
        GERMAN_2, game("r german 8-8 turn:2 edge:south, x german 4-1 0708"), Enter(("r",), "0801"), "OOB.R"
    )


def test_oob_r_never_into_a_controlled_hex_but_later_if_withheld() -> None:
    """OOB.R Reinforcements may not enter a hex that the enemy controls;
    those withheld may come on any later turn."""
    refused(
        GERMAN_1, game("r german 8-8 turn:2 edge:south, a allied 7-4 0802"), Enter(("r",), "0801"), "OOB.R"
    )
    state = game("r german 8-8 turn:2 edge:south", turn=5)
    play(GERMAN_1, state, Enter(("r",), "0801"))
    assert at(state, "r") == "0801"


def test_oob_r_the_nearest_entries_are_offered() -> None:
    """OOB.R Who would enter where it cannot be, or moves a unit that must enter first, is offered the nearest
    hexes of its edge."""
    state = game("r german 8-8 turn:2 edge:south")
    assert refused(GERMAN_1, state, Enter(("r",), "3003"), "OOB.R").legal[0] == "enter r at 2901"
    assert refused(GERMAN_1, state, Move(("r",), ("3003",)), "OOB.R").legal[0] == "enter r at 2901"


def test_oob_r_a_slow_unit_enters_bocage_all_the_same() -> None:
    """MOV.N A unit of allowance 1 enters the map in bocage and stays there."""
    state = game("r german 4-1 turn:2 edge:west")
    play(GERMAN_1, state, Enter(("r",), "6305"))
    assert at(state, "r") == "6305"
    refused(GERMAN_1, game("r german 4-1 turn:2 edge:west"), Enter(("r",), "6305", ("6205",)), "MOV.A")


# --- what is seen ---------------------------------------------------------------------------------------


def test_moves_are_public_but_not_what_they_cost() -> None:
    """The enemy sees which Allied unit went where, not the points, which would tell whether
    it is in supply."""
    played = play(ALLIED_1, game("8/4 allied 7-4 0708", turn=1), Move(("8/4",), ("0707",)))
    (own,), (other,) = played.of(Moved, "allied"), played.of(Moved, "german")
    assert (own.names, own.points, own.of) == (("8/4",), 1, 4)
    assert (other.names, other.path, other.points, other.of) == (("8/4",), own.path, 0, 0)


def test_german_units_are_named_to_the_enemy_by_kind() -> None:
    """A German move is told to the Allied player with the kind of the unit, never its name."""
    played = play(GERMAN_1, game("914/352 german 7-2 0708"), Move(("914/352",), ("0707",)))
    assert [note.names for note in played.of(Moved, "german")] == [("914/352",)]
    assert [note.names for note in played.of(Moved, "allied")] == [("7-2",)]


def test_breaking_down_under_a_marker_is_not_seen() -> None:
    """ENT.B The enemy does not learn that a unit under an entrenchment marker breaks down."""
    played = play(GERMAN_1, game("x german 7-2 0708", trenches="0708 german"), Break("x"))
    assert played.of(Broken, "german") and not played.of(Broken, "allied")


# --- options --------------------------------------------------------------------------------------------


def test_every_option_is_legal() -> None:
    """What options() lists is accepted by check(), for every unit that can act, in both kinds of phase."""
    text = (
        "8/4 allied 7-4 5030, 22/4 allied 7-4 5130, 70 allied 6-10 5030, c allied 2-4 commando 4330, "
        "x german 4-1 5331, 22Pz/21 german 15-6 1215, r german 8-8 turn:2 edge:south/east, "
        "e allied 20-10 0209, l allied 7-4 box:3_Utah"
    )
    for phase in (ALLIED_1, ALLIED_2, GERMAN_1, GERMAN_2):
        request = opening(phase, game(text, supply=["3 Utah"]))
        assert isinstance(request, Desk) and request.subjects()
        for subject in request.subjects():
            options = request.options(subject)
            assert options
            for order in options:
                request.check(order)


def test_only_orders_of_movement_are_taken() -> None:
    """SEQ, MOV.E There is no combat in a movement phase: an attack is refused."""
    refused(ALLIED_1, game("8/4 allied 7-4 0708, x german 4-1 0707", turn=1), Attack(("0707",)), "SEQ")


# --- what is not there ----------------------------------------------------------------------------------


def test_mov_b_nobody_has_to_move() -> None:
    """MOV.B A side may end its movement without having moved anybody."""
    state = game("8/4 allied 7-4 0708, 22/4 allied 7-4 0707", turn=1)
    played = play(ALLIED_1, state)
    assert played.ended and played.of(Moved) == []
    assert (at(state, "8/4"), at(state, "22/4")) == ("0708", "0707")


def test_mov_d_the_other_side_does_not_move() -> None:
    """MOV.D In an Allied movement phase no German unit can be ordered to move, by either side."""
    state = game("8/4 allied 7-4 0708, x german 4-1 0720", turn=1)
    refused(ALLIED_1, state, Move(("x",), ("0721",)), "MOV")
    request = opening(ALLIED_1, game("8/4 allied 7-4 0708, x german 4-1 0720", turn=1))
    assert isinstance(request, Desk) and request.seat == "allied" and request.subjects() == ("8/4",)


def test_sup_e_nobody_moves_out_of_supply_or_further_out() -> None:
    """SUP.E A supplied unit may not end its move unsupplied, an unsupplied one may not end it further
    from supply."""
    state = game("131/7 allied 12-10 3005", supply=["3 Utah"])
    phase = Movement(state, "allied", False)
    assert not phase.destinations(state.units["131/7"]) & ~phase.area
    cut = game("8/4 allied 7-4 3004", supply=["3 Utah"])
    phase, unit = Movement(cut, "allied", False), cut.units["8/4"]
    (beach,) = (BEACHES[name] for name in cut.plan.supply)
    ends = [GRID.distance(hex, beach) for hex in GRID.named(phase.destinations(unit))]
    assert ends and max(ends) < GRID.distance("3004", beach)


def test_ent_d_trenches_do_not_hinder_movement() -> None:
    """ENT.D A way through hexes with markers costs what it costs without them."""

    def spent(trenches: str) -> float:
        state = game("x german 7-6 0708, y german 4-1 0706", trenches=trenches)
        return play(GERMAN_1, state, Move(("x",), ("0707", "0706", "0705"))).of(Moved, "german")[0].points

    assert spent("0706 german 0707 german") == spent("") == 3


@pytest.mark.parametrize(
    ("text", "supply", "move", "remarks"),
    [
        ("a allied 6-10 armour 2626", ["9 Gold"], "2926", ["armour alone in 2926: a [COM.J]"]),
        ("a allied 2-4 commando 2627", ["9 Gold"], "2625", ["2625 is adjacent to the enemy"]),
        (
            "a allied 2-4 commando 2626",
            [],
            "2625",
            ["2625 is adjacent to the enemy", "out of supply in 2625: a"],
        ),
    ],
)
def test_an_offer_warns_of_the_hex_where_a_move_ends(
    text: str, supply: list[str], move: str, remarks: list[str]
) -> None:
    """COM.J, SUP.K Of a move its writer is told of enemies beside its end, armour alone and lost supply."""
    phase = Movement(game(f"{text}, g german 4-1 2524", supply=supply), "allied", second=False)
    order = phase.settle(Move(("a",), (move,)))
    phase.check(order)
    assert list(phase.offer(order).told) == remarks
