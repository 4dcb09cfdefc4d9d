"""Parachute infantry (PAR)."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.play import Answer, Draw, advance
from pbem.games.normandy71 import combat, invasion, movement, paratroops
from pbem.games.normandy71.notes import Attacked, InSupplyNow, Lost
from pbem.games.normandy71.orders import Attack, Drop, UseDefault
from pbem.games.normandy71.setup import setup
from tests.games.normandy71.kit import game
from tests.games.playing import opening, play

JUMPER = "p allied 5-4 paratroop entry:paradrop {flag} {hex}"


def test_par_c_no_attack_on_the_turn_of_the_drop() -> None:
    """PAR.C Paratroops do not attack on game-turn 1, in supply or not."""
    for flag in ("", "unsupplied"):
        state = game(JUMPER.format(flag=flag, hex="1215") + ", x allied 7-4 1217, g german 4-1 1216", turn=1)
        with pytest.raises(NotAllowed) as error:
            opening(combat.allied_combat, state).check(Attack(("1216",), ("p",)))
        assert error.value.case == "PAR.C"


def test_par_d_a_supply_area_feeds_before_the_landing() -> None:
    """PAR.D, SUP A parachute unit near a road from a supply area is freed on game-turn 1 though nobody has
    landed there yet."""
    state = game(JUMPER.format(flag="unsupplied", hex="5131"), turn=1, supply=["3 Utah"])
    play(movement.allied_first_movement, state)
    assert not state.units["p"].never_supplied


def test_par_d_supply_frees_a_unit_for_good() -> None:
    """PAR.D A paratroop unit in supply at the start of a phase is free from then on,
    and its player is told."""
    state = game(
        JUMPER.format(flag="unsupplied", hex="2627") + ", g german 4-1 2626", turn=2, supply=["9 Gold"]
    )
    played = play(combat.allied_combat, state, Attack(("2626",)), dice=(1,))
    assert not state.units["p"].never_supplied
    assert played.of(InSupplyNow, "allied") and not played.of(InSupplyNow, "german")
    assert played.of(Attacked, "allied")[0].attackers == ("p",)


def test_par_d_unsupplied_paratroops_are_destroyed_after_game_turn_3() -> None:
    """PAR.D Those never in supply are lost at the end of the German second movement phase of game-turn
    3, not before."""
    for turn, place in ((2, "map"), (3, "lost")):
        state = game(JUMPER.format(flag="unsupplied", hex="1215") + ", x allied 7-4 1415", turn=turn)
        played = play(movement.german_second_movement, state)
        lone = state.units["p"]
        assert (lone.place, lone.hex is None, lone.inverted) == (place, place == "lost", False)
        assert state.units["x"].place == "map"
        assert [note.why for note in played.of(Lost)] == (["paratroops"] if place == "lost" else [])


def test_par_d_a_last_look_at_supply_before_the_end() -> None:
    """PAR.D A unit that stands in supply when game-turn 3 ends is not destroyed."""
    state = game(JUMPER.format(flag="unsupplied", hex="2627"), turn=3, supply=["9 Gold"])
    play(movement.german_second_movement, state)
    assert state.units["p"].place == "map" and not state.units["p"].never_supplied


def test_gliders_and_commandos_are_not_paratroops() -> None:
    """PAR.D Only parachute units are bound to be supplied."""
    state = game("g allied 5-4 glider 1215, c allied 2-4 commando 1415", turn=3)
    paratroops.cull(state)
    assert {unit.place for unit in state.units.values()} == {"map"}


def test_par_a_every_paratroop_unit_jumps_on_game_turn_1() -> None:
    """PAR.A The default plan drops every parachute unit that the plan forgets, so that none is left to come
    later."""
    state = setup("campaign", {})
    written = (("german", UseDefault()), ("german", None), ("allied", Drop(("505/82",), "5530")))
    given = iter([*written, ("allied", UseDefault()), ("allied", None)])
    advance(
        invasion.secret_deployment(state),
        state,
        answers=lambda request: Answer(next(given)),
        dice=lambda request, label: list(request.pool) if isinstance(request, Draw) else [1],
    )
    jumpers = [unit.id for unit in state.units.values() if unit.entry == "paradrop"]
    assert len(jumpers) == 8 and sorted(state.plan.drops) == sorted(jumpers)
    assert state.plan.drops["505/82"] == "5530"
    play(invasion.placement, state, dice=(1,) * 8)
    assert {state.units[id].place for id in jumpers} <= {"map", "lost"}
