"""Retreat after combat (7.4, C2, C3)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.normandy44 import retreat
from pbem.games.normandy44.notes import Harassed, HeadquartersLost, Retreated, StepsLost
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import GRID
from tests.games.normandy44.kit import at, game
from tests.games.playing import Played, play


def stack(state: State, hex: str, side: str = "german") -> list[Unit]:
    return [unit for unit in state.at(hex) if unit.side == side]


def ways(state: State, hex: str, hexes: int = 1) -> set[str]:
    side = state.holder(hex) or ""
    return {" ".join(path) for path in retreat.paths(state, stack(state, hex, side), hexes)}


def gone(
    state: State, hex: str, hexes: int = 1, *, to: str | None = None, dice: tuple[int, ...] = ()
) -> Played[State]:
    """The retreat of everybody in a hex, by this way if one is given."""
    units = list(state.at(hex))

    async def phase(state: State) -> None:
        await retreat.retreat(state, units, hexes)

    def choose(ask: Any) -> Any:
        return to if ask.kind == "retreat" else None

    return play(phase, state, dice=dice, choose=choose)


def toll(text: str, *path: str) -> int:
    """What retreating along a path costs those in its first hex, the enemy being where `text` puts him."""
    state = game(text)
    units = state.at(path[0])
    enemy = "allied" if units[0].side == "german" else "german"
    return retreat.toll(units, path[0], path[1:], retreat.zones.zone(state, enemy))


# --- where to -------------------------------------------------------------------------------------------


def test_7_4_never_into_enemies_or_over_a_lone_headquarters() -> None:
    """7.4 Neither combat units nor a headquarters alone can be run over in retreat."""
    state = game("709ID 1407, 3BR 1307, I/BR 1506")
    assert ways(state, "1407") == {"1306", "1406", "1507", "1408"}


def test_7_4_every_hex_leads_further_away() -> None:
    """7.4 A retreat of two hexes ends two hexes away."""
    state = game("709ID 1407, 3BR 1307")
    found = ways(state, "1407", 2)
    assert found
    assert all(GRID.distance("1407", way.split()[-1]) == 2 for way in found)


def test_S1_not_off_the_map_of_the_scenario() -> None:
    """S1 East of column 17 is no ground in the first scenario."""
    assert "0916" in ways(game("709ID 0917"), "0917")
    assert "0916" not in ways(game("709ID 0917", scenario="cherbourg"), "0917")


def test_7_4_not_across_the_sea() -> None:
    """7.4 Neither into the sea nor across an arm of it."""
    assert ways(game("709ID 0617"), "0617") == {"0517", "0618", "0717"}


def test_C3_tanks_stay_out_of_marsh_but_on_roads() -> None:
    """C3 The marsh south of 0817 is open to infantry, to tanks only by the road from Carentan."""
    assert "0917" in ways(game("709ID 0817"), "0817")
    assert "0917" not in ways(game("22/21Pz 0817"), "0817")
    assert "0917" not in ways(game("709ID 0817, 22/21Pz 0817"), "0817")
    assert "0917" in ways(game("22/21Pz 0818"), "0818")


def test_E8_a_garrison_has_no_way() -> None:
    """E8 It is fixed."""
    assert not ways(game("WN-Utah 0617"), "0617")


# --- prices ---------------------------------------------------------------------------------------------


def test_7_4_a_step_for_each_unit_and_each_controlled_hex() -> None:
    """7.4 Two units in one controlled hex lose a step each; in two such hexes two each,
    as far as they have them."""
    enemy = "3BR 1307"
    assert toll(f"709ID 1407, 352ID 1407, {enemy}", "1407", "1507") == 0
    assert toll(f"709ID 1407, 352ID 1407, {enemy}", "1407", "1408") == 2
    assert toll(f"352ID 1407, {enemy}, 43BR 1409", "1407", "1408", "1508") == 2
    assert toll(f"StB7 1407, {enemy}, 43BR 1409", "1407", "1408", "1508") == 1


def test_7_4_a_friend_does_not_cancel_the_zone() -> None:
    """7.4, 8.2 What holds for supply does not hold for retreats."""
    assert toll("709ID 1407, 352ID 1408, 3BR 1307", "1407", "1408") == 1


def test_C3_rivers_without_a_bridge_cost_steps() -> None:
    """C3, E4 A minor one from motorised units, a major one from all; a bridge makes both free."""
    assert toll("709ID 1407", "1407", "1408") == 0
    assert toll("125/21Pz 1407, 709ID 1407", "1407", "1408") == 1
    assert toll("709ID 1308, 125/21Pz 1308", "1308", "1209") == 2
    assert toll("709ID 1107, 125/21Pz 1107", "1107", "1008") == 0
    assert toll("125/21Pz 0811", "0811", "0810") == 0


def test_7_4_prices_add_up() -> None:
    """7.4, C3 A major river into an enemy zone costs two steps."""
    assert toll("352ID 1308", "1308", "1209") == 1
    assert toll("352ID 1308, 3BR 1109", "1308", "1209") == 2


def test_7_4_a_headquarters_retreats_unhurt() -> None:
    """6.4, 7.4 It goes with its units and pays nothing; it is lost if they all die on the way."""
    state = game("709ID 1407, ISS 1407, 3BR 1307")
    played = gone(state, "1407", to="1408")
    assert (at(state, "709ID"), at(state, "ISS")) == ("1408", "1408")
    assert played.of(Retreated)[0].names == ("709ID", "ISS")
    assert state.units["709ID"].lost == 1
    state = game("StB7 1407, ISS 1407, 3BR 1307")
    played = gone(state, "1407", to="1408")
    assert state.units["StB7"].place == "dead"
    assert [note.name for note in played.of(HeadquartersLost)] == ["ISS"]


def test_7_4_the_steps_are_logged_where_they_are_lost() -> None:
    """7.4 In the hex with the zone, not at the end."""
    state = game("352ID 1407, 3BR 1307")
    played = gone(state, "1407", 2, to="1408 1508")
    assert [(note.hex, note.lost) for note in played.of(StepsLost)] == [("1408", (("352ID", 1),))]
    assert at(state, "352ID") == "1508"


# --- choice ---------------------------------------------------------------------------------------------


def test_7_4_the_owner_chooses_and_by_default_loses_least() -> None:
    """7.4 Without an answer: fewest steps, then nearest to a headquarters."""
    state = game("709ID 1407, 3BR 1307, ISS 1506")
    played = gone(state, "1407")
    (ask,) = played.asked("retreat")
    assert ask.seat == "german"
    assert ask.steps == {"1306": 1, "1406": 0, "1506": 0, "1507": 0, "1408": 1}
    assert ask.fallback == at(state, "709ID") == "1506"
    assert ask.intro == "709ID retreats from 1407."
    assert ask.says("1306").startswith("1 step; ends in ") and ", adjacent to the enemy" in ask.says("1306")
    assert ask.says("1506").startswith("no step; ends in ") and "enemy" not in ask.says("1506")


def test_7_4_costs_by_hexes() -> None:
    """7.4 The least that one hex and two hexes cost."""
    state = game("709ID 1407, 3BR 1307, 43BR 1305, 49BR 1608, 50BR 1509")
    assert retreat.costs(state, stack(state, "1407"), 2) == {1: 0, 2: 0}
    ids = ["3BR", "15BR", "43BR", "49BR", "50BR", "51BR", "53BR", "59BR", "2CA", "3CA", "6AB", "1BE"]
    ring = ", ".join(f"{id} {hex}" for id, hex in zip(ids, GRID.ring("1407", 2), strict=True))
    state = game(f"352ID 1407, {ring}")
    assert retreat.costs(state, stack(state, "1407"), 2) == {1: 1}
    assert retreat.costs(state, stack(state, "1407"), 0) == {}


# --- stacking -------------------------------------------------------------------------------------------


def test_7_4_from_a_full_hex_a_retreat_goes_on() -> None:
    """7.4 With both neighbours that are left full, the stack goes on to the next hex."""
    full = "352ID 1506, 353ID 1506, 84ID 1507, 85ID 1507"
    closed = "3BR 1307, 43BR 1306, 15BR 1406, 49BR 1408"
    state = game(f"709ID 1407, {full}, {closed}")
    found = ways(state, "1407")
    assert found and all(len(way.split()) == 2 for way in found)
    assert {way.split()[0] for way in found} == {"1506", "1507"}


def test_7_4_each_way_into_a_full_hex_goes_on() -> None:
    """3.1, 7.4 A full hex is no dead end though others have room: the stack goes on from there,
    and only from there."""
    state = game("709ID 1407, 352ID 1506, 353ID 1506, 3BR 1307")
    assert ways(state, "1407") == {"1306", "1406", "1507", "1408", "1506 1505", "1506 1606", "1506 1607"}


def test_7_4_going_on_can_cost_less_than_room_at_once() -> None:
    """7.4 Free ground behind a full hex is offered beside two ways that cost steps, and is the default."""
    state = game("709ID 1407, 716ID 1407, 352ID 1506, 353ID 1506, 3BR 1305, 43BR 1608, 50BR 1307")
    played = gone(state, "1407")
    (ask,) = played.asked("retreat")
    assert ask.steps["1406"] == 2 and ask.steps["1507"] == 2
    assert ask.steps[ask.fallback] == 0 and ask.fallback.startswith("1506 ")


def test_7_4_the_excess_is_lost_where_there_is_no_room() -> None:
    """7.4 In a dead end the retreating player loses stacking points until the rest fits,
    and chooses which."""
    blocked = game("StB7 1507, Pz206 1507, 352ID 1507, 353ID 1507 lost=1")
    units = [blocked.units[id] for id in ("StB7", "Pz206")]

    async def phase(state: State) -> None:
        await retreat.shed(state, units)

    played = play(phase, blocked)
    (ask,) = played.asked("excess")
    assert set(ask.options) == {"lose Pz206", "lose StB7", "lose 352ID", "lose 2 steps of 353ID"}
    assert ask.fallback == "lose 352ID" and blocked.units["352ID"].lost == 1


def test_7_4_the_excess_may_be_of_those_who_were_there() -> None:
    """7.4 The owner may spare the stack that retreats, and lose steps of the units in the hex
    that it comes to."""
    state = game("StB7 1507, 352ID 1507, 353ID 1507")
    units = [state.units["StB7"]]

    async def phase(state: State) -> None:
        await retreat.shed(state, units)

    play(phase, state, choose=lambda ask: "lose 353ID" if ask.kind == "excess" else None)
    assert (state.units["353ID"].lost, at(state, "StB7")) == (1, "1507")


def test_7_4_many_small_units_too_many_are_soon_counted() -> None:
    """7.4 Twelve regiments in a hex for six: the ways are found without trying every split of their steps."""
    ids = ["125/21Pz", "192/21Pz", "2/2Pz", "304/2Pz", "10/9Pz", "11/9Pz", "60/116Pz", "156/116Pz"]
    ids += ["901/Lehr", "902/Lehr", "1/1SS", "2/1SS"]
    state = game(", ".join(f"{id} 1507" for id in ids))
    found = retreat.excess([state.units[id] for id in ids])
    assert len(found) == 924 and {way.steps for way in found} == {12}


def test_7_4_a_division_sheds_no_more_steps_than_it_must() -> None:
    """7.4, E1 A reduced division is a point lighter: a step is enough for one point too many."""
    state = game("709ID 1507, 352ID 1507, StB7 1507")
    units = [state.units["709ID"]]

    async def phase(state: State) -> None:
        await retreat.shed(state, units)

    play(phase, state, choose=lambda ask: "lose 709ID" if ask.kind == "excess" else None)
    assert state.units["709ID"].lost == 1 and at(state, "709ID") == "1507"


def test_7_4_a_second_headquarters_has_no_room() -> None:
    """3.1, 7.4 One headquarters to a hex: a stack with one goes on, and loses it where it cannot."""
    text = "StB7 1407, ISS 1407, IISS 1507, 3BR 1306, 43BR 1307, 15BR 1406, 49BR 1408, 50BR 1506"
    assert all(len(way.split()) == 2 for way in ways(game(text), "1407"))
    state = game("StB7 1507, ISS 1507, IISS 1507")
    units = [state.units["StB7"], state.units["ISS"]]

    async def phase(state: State) -> None:
        await retreat.shed(state, units)

    play(phase, state)
    assert [at(state, id) for id in ("StB7", "ISS", "IISS")] == ["1507", None, "1507"]


def test_7_4_the_owner_says_which_headquarters_has_no_room() -> None:
    """7.4 It may be the one that was there."""
    state = game("StB7 1507, ISS 1507, IISS 1507")
    units = [state.units["StB7"], state.units["ISS"]]

    async def phase(state: State) -> None:
        await retreat.shed(state, units)

    play(phase, state, choose=lambda ask: "IISS" if ask.kind == "headquarters" else None)
    assert [at(state, id) for id in ("StB7", "ISS", "IISS")] == ["1507", "1507", None]


# --- interdiction -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "lost"), [(4, 0), (5, 1), (6, 1)])
def test_C2_germans_retreat_under_interdiction(die: int, lost: int) -> None:
    """C2 One die for the stack; from five on it loses a step, of a unit of the owner's choice."""
    state = game("709ID 1407, 716ID 1407, 3BR 1307", interdicted=["IV"])
    played = gone(state, "1407", 2, to="1507 1607", dice=(die,))
    (note,) = played.of(Harassed)
    assert (note.zone, note.step) == ("IV", bool(lost))
    assert sum(state.units[id].lost for id in ("709ID", "716ID")) == lost
    asked = played.asked("losses")
    assert [ask.options for ask in asked] == [("lose 709ID", "lose 716ID")] * lost


def test_C2_not_where_no_fighter_is_nor_for_allies() -> None:
    """C2 Other air zones do not matter, and Allies are not fired on."""
    gone(game("709ID 1407, 3BR 1307", interdicted=["I"]), "1407", to="1507")
    gone(game("3BR 1407, 709ID 1307", interdicted=["IV"]), "1407", to="1507")


def test_10_2_woods_and_towns_hide_a_retreat_but_on_a_road() -> None:
    """10.2, C2 Woods and towns are exempt unless they are entered by road."""
    state = game("", interdicted=["II", "IV"])
    assert retreat.exposed(state, "1308", ("1309",)) == ""  # woods, off the road
    assert retreat.exposed(state, "1410", ("1309",)) == "II"  # woods, by road
    assert retreat.exposed(state, "1407", ("1506",)) == "IV"
