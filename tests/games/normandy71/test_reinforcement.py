"""Reinforcements in the beach boxes and gliders (INV.4). Those of the Germans (OOB.R) are tested
with movement."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.games.normandy71 import invariants, movement
from pbem.games.normandy71.notes import Landed, Lost
from pbem.games.normandy71.orders import Glide, Land, Move
from pbem.games.normandy71.reinforcement import allied_reinforcement
from pbem.games.normandy71.state import State
from tests.games.normandy71.kit import at, game
from tests.games.playing import opening, play

WAVE = ", ".join(f"r{n} allied 7-4 later turn:1 entry:reinforcement" for n in range(6))


def refused(state: State, order: object, case: str) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        play(allied_reinforcement, state, order)  # type: ignore[arg-type]
    assert caught.value.case == case, caught.value
    return caught.value


def test_inv_4_reinforcements_wait_in_the_box_and_land_in_the_second_phase() -> None:
    """INV.4, SEQ What is put into the box of a supply area moves in the second movement phase,
    the beach being its first hex."""
    state = game("r allied 7-4 later turn:2 entry:reinforcement", supply=["16 Sword"])
    play(allied_reinforcement, state, Land(("r",), "16 Sword"))
    assert (state.units["r"].place, state.units["r"].beach, state.units["r"].hex) == ("box", "16 Sword", None)
    played = play(movement.allied_second_movement, state, Move(("r",), ("1424", "1423")))
    assert at(state, "r") == "1423"
    assert [(note.hex, note.how) for note in played.of(Landed)] == [("1425", "reinforcement")]


def test_inv_4_thirty_points_for_a_supply_area_on_game_turn_1() -> None:
    """INV.4 Four regiments of seven may arrive at one supply area on game-turn 1, a fifth may not;
    elsewhere and later it may."""
    state = game(WAVE, turn=1, supply=["16 Sword", "3 Utah"])
    error = refused(state, Land(("r0", "r1", "r2", "r3", "r4"), "16 Sword"), "INV.4")
    assert error.legal == ()
    state = game(WAVE, turn=1, supply=["16 Sword", "3 Utah"])
    play(allied_reinforcement, state, Land(("r0", "r1", "r2", "r3"), "16"), Land(("r4",), "3 Utah"))
    assert [state.units[f"r{n}"].beach for n in range(6)] == ["16 Sword"] * 4 + ["3 Utah", ""]
    later = game(WAVE, turn=2, supply=["16 Sword"])
    play(allied_reinforcement, later, Land(tuple(f"r{n}" for n in range(6)), "16 Sword"))
    assert all(later.units[f"r{n}"].place == "box" for n in range(6))


def test_inv_4_a_second_thought_within_the_phase() -> None:
    """INV.4 A unit put into one box may be put into another before the phase ends,
    and its points go with it."""
    state = game(WAVE, turn=1, supply=["16 Sword", "3 Utah"])
    play(
        allied_reinforcement,
        state,
        Land(("r0", "r1", "r2", "r3"), "16 Sword"),
        Land(("r0",), "3 Utah"),
        Land(("r4",), "16 Sword"),
    )
    assert [state.units[f"r{n}"].beach for n in range(5)] == ["3 Utah", *["16 Sword"] * 4]


def test_inv_4_only_at_supply_areas_and_not_before_their_turn() -> None:
    """INV.4 Reinforcements arrive at supply areas only, from their game-turn on."""
    text = "r allied 7-4 later turn:2 entry:reinforcement, s allied 7-4 later turn:3 entry:reinforcement"
    refused(game(text, supply=["16 Sword"]), Land(("r",), "3 Utah"), "INV.4")
    refused(game(text, supply=["16 Sword"]), Land(("s",), "16 Sword"), "INV.4")
    refused(game(text, supply=["16 Sword"]), Land(("r",), "19 Gold"), "INV.4")


def test_sup_h_not_at_a_dead_supply_area() -> None:
    """SUP.H Reinforcements do not arrive where a German has been; with no area left nobody can land."""
    text = "r allied 7-4 later turn:2 entry:reinforcement"
    dead = game(text, supply=["16 Sword", "3 Utah"], dead_beaches=["16 Sword"])
    error = refused(dead, Land(("r",), "16 Sword"), "SUP.H")
    assert error.legal == ("3 Utah",)
    none = game(text, supply=["16 Sword"], dead_beaches=["16 Sword"])
    assert opening(allied_reinforcement, none).subjects() == ()


def test_sup_h_who_waits_at_a_dead_beach_arrives_elsewhere() -> None:
    """SUP.H A unit left in the box of a supply area that dies is free to arrive at another."""
    state = game(
        "r allied 7-4 box:16_Sword entry:reinforcement", supply=["16 Sword"], dead_beaches=["16 Sword"]
    )
    play(movement.allied_second_movement, state)
    assert (state.units["r"].place, state.units["r"].beach) == ("later", "")


def test_reinforcements_without_room_go_on_waiting() -> None:
    """STK.A A unit for which the beach has no room stays in its box and lands later."""
    text = "a allied 7-4 1425, b allied 7-4 1425, r allied 7-4 box:16_Sword entry:reinforcement"
    state = game(text, supply=["16 Sword"])
    state.announced = {"a": 1, "b": 1}
    play(movement.allied_second_movement, state)
    assert state.units["r"].place == "box"


def test_inv_4_gliders_land_near_parachutists_and_away_from_germans() -> None:
    """INV.4 A glider lands within four hexes of a parachute unit, not on or next to a German."""
    text = "g allied 5-4 glider later entry:glider, p allied 5-4 paratroop 0708, x german 4-1 0711"
    played = play(allied_reinforcement, state := game(text, turn=1), Glide("g", "0704"))
    assert at(state, "g") == "0704"
    assert [(note.hex, note.how) for note in played.of(Landed, "german")] == [("0704", "glider")]
    refused(game(text, turn=1), Glide("g", "0703"), "INV.4")
    error = refused(game(text, turn=1), Glide("g", "0710"), "INV.4")
    assert error.legal and "glide g to 0711" not in error.legal


def test_stk_a_a_glider_lands_in_a_hex_that_others_can_leave() -> None:
    """STK.A The limit counts at the end of the second movement phase: a full hex takes a glider if one of its
    units may move then."""
    text = "g allied 5-4 glider later entry:glider, p allied 5-4 paratroop {0} 0708, a allied {1} 0708"
    state = game(text.format("", "7-4"), turn=1)
    desk = opening(allied_reinforcement, state)
    (warning,) = desk.preview(Glide("g", "0708"))
    assert "0708 exceeds its stacking limit" in warning and not list(desk.preview(Glide("g", "0709")))
    play(allied_reinforcement, state, Glide("g", "0708"))
    state.phase = "allied_reinforcement"
    assert not [fault for fault in invariants.invariants(state) if "STK.A" in fault]
    play(movement.allied_second_movement, state, Move(("a",), ("0709",)))
    assert (at(state, "g"), at(state, "a")) == ("0708", "0709")
    refused(game(text.format("unsupplied", "5-4 paratroop unsupplied"), turn=1), Glide("g", "0708"), "STK.A")


def test_inv_4_gliders_come_on_game_turn_1_or_not_at_all() -> None:
    """INV.4 A glider that does not land on game-turn 1 is lost."""
    state = game("g allied 5-4 glider later entry:glider, p allied 5-4 paratroop 0708", turn=1)
    played = play(allied_reinforcement, state)
    assert state.units["g"].place == "lost" and played.of(Lost, "allied")


def test_every_option_is_legal() -> None:
    """What options() lists is accepted by check()."""
    text = f"{WAVE}, g allied 5-4 glider later entry:glider, p allied 5-4 paratroop 0708, x german 4-1 0711"
    request = opening(allied_reinforcement, game(text, turn=1, supply=["16 Sword", "3 Utah"]))
    assert isinstance(request, Desk) and set(request.subjects()) == {*(f"r{n}" for n in range(6)), "g"}
    for subject in request.subjects():
        assert request.options(subject)
        for order in request.options(subject):
            request.check(order)
