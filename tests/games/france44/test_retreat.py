"""Retreat (9.7), and headquarters that go along (4.10)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import Ask
from pbem.games.france44 import retreat
from pbem.games.france44.notes import Retreated, RhineCrossed
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import State
from pbem.games.france44.tables import GRID, OPEN_GROUND
from tests.games.france44.fighting import answers, fights, war
from tests.games.france44.kit import at, game

ATTACK = Attack(("1021",), ("VII/US",), 4, stay=True)
MUST = (1, 1, 6, 1)
"""The attacker passes, the defender fails: he must go."""


def ways(state: State, ids: str, attackers: str, **known: Any) -> set[str]:
    units = [state.units[id] for id in ids.split()]
    return {" ".join(path) for path in retreat.paths(state, units, attackers.split(), **known)}


def asked(
    state: State, order: Attack, kind: str, dice: tuple[int, ...], hq: str = ""
) -> tuple[Ask[str], dict[str, str]]:
    """The first question of a kind in an attack, and what its options were said to be when it was asked."""
    found: list[tuple[Ask[str], dict[str, str]]] = []

    def choose(ask: Any) -> Any:
        if ask.kind == kind:
            found.append((ask, {option: ask.says(option) for option in ask.options}))
        return None

    fights(state, order, hq=hq, dice=dice, choose=choose)
    return found[0]


def ends(found: set[str]) -> set[str]:
    return {way.split()[-1] for way in found}


@pytest.mark.parametrize(
    ("units", "lengths"),
    [
        ("LXXXIV", {2}),
        ("2Pz", {2, 3}),
        ("LXXXIV 2Pz", {2}),
        ("VII/US", {2, 3}),
        ("VII/US 2AD/US", {2, 3}),
    ],
)
def test_9_7_german_infantry_two_hexes_others_two_or_three(units: str, lengths: set[int]) -> None:
    """9.7 German armour with infantry only two, too."""
    state = game(", ".join(f"{id} 1021" for id in units.split()))
    found = ways(state, units, "1022")
    assert {len(way.split()) for way in found} == lengths
    assert all(GRID.distance(end, "1022") >= 2 for end in ends(found))


def test_9_7_two_hexes_away_from_every_attacker() -> None:
    """9.7 A hex two steps off that an attacker is next to will not do, though the way is long enough."""
    state = game("LXXXIV 1021, VII/US 1022 lost=2, V/US 0922 lost=2")
    assert "0821" in ends(ways(state, "LXXXIV", "1022"))
    found = ends(ways(state, "LXXXIV", "1022 0922"))
    assert "0821" not in found and "1019" in found


def test_9_7_not_into_enemy_zones_but_where_a_friend_stands() -> None:
    """3.3, 9.7 A friendly combat unit opens the hex, a headquarters does not; a cadre bars nothing."""
    state = game("LXXXIV 1021, VII/US 1022, V/US 1219")
    assert not any("1120" in way for way in ways(state, "LXXXIV", "1022"))
    state.units["LXXIV"].place, state.units["LXXIV"].hex = "map", "1120"
    assert "1020 1120" in ways(state, "LXXXIV", "1022")
    state.units["LXXIV"].place, state.units["LXXIV"].hex = "later", None
    state.units["AOK1"].place, state.units["AOK1"].hex = "map", "1120"
    assert not any("1120" in way for way in ways(state, "LXXXIV", "1022"))
    state.units["V/US"].lost = 2
    assert "1020 1120" in ways(state, "LXXXIV", "1022")


def test_9_7_not_into_an_enemy_piece_nor_out_of_the_map() -> None:
    """7.1, 9.7 Not even a lone headquarters; nor into the sea, nor across a blocked hexside,
    nor into the southern row."""
    state = game("LXXXIV 1021, US1 1020")
    assert not any(way.startswith("1020") for way in ways(state, "LXXXIV", "1022"))
    west = game("LXXXIV 0614")
    found = ways(west, "LXXXIV", "0714")
    assert found and not any(way.startswith(("0615", "0515", "0514")) for way in found)
    south = game("LXXXIV 1227")
    assert not any("1228" in way or "1128" in way for way in ways(south, "LXXXIV", "1226"))
    assert not OPEN_GROUND.open[GRID.index("0614")] >> GRID.index("0615") & 1


def test_9_7_not_over_the_rhine_but_by_a_bridge() -> None:
    """9.7, 12.8 Only where the units may move; the Allies beside the 18th Airborne may go there, too."""
    state = game("LXXXIV 3408")
    assert {way.split()[0] for way in ways(state, "LXXXIV", "3308")} >= {"3508"}
    state.bridges = {"3408-3508": 0}
    assert not any(way.startswith(("3508", "3509")) for way in ways(state, "LXXXIV", "3308"))
    state = game("VII/US 3407, XVIII/US 3508", drop="3508", jumped=True)
    assert any(way.startswith("3508") for way in ways(state, "VII/US", "3307"))


def test_9_7_stacking_holds_on_the_way() -> None:
    """7.1, 9.7 A hex that is full is not passed through."""
    full = ", ".join(f"{id} 1020" for id in ("1SS", "12SS", "2SS", "9SS"))
    state = game(f"LXXXIV 1021, {full}")
    assert not any(way.startswith("1020") for way in ways(state, "LXXXIV", "1022"))


def test_9_7_player_note_four_units_do_not_go_where_one_stands() -> None:
    """9.7, player note: all of the stack or nobody."""
    four = ", ".join(f"{id} 1021" for id in ("1SS", "12SS", "2SS", "9SS"))
    ids = "1SS 12SS 2SS 9SS"
    around = "VII/US 1022, 2AD/US 1121, 4AD/US 0921, 3AD/US 1119, 5AD/US 0919"
    state = game(f"{four}, {around}, 116Pz 1020, 2Pz 1019")
    assert not ways(state, ids, "1022")
    state.units["116Pz"].place, state.units["116Pz"].hex = "later", None
    state.units["3AD/US"].lost = state.units["5AD/US"].lost = 2
    state.units["2AD/US"].lost = state.units["4AD/US"].lost = 2
    assert "1020 1018" not in ways(state, ids, "1022") and ways(state, ids, "1022")
    assert not any("1019" in way for way in ways(state, ids, "1022"))


def test_9_7_a_stack_that_goes_first_takes_room_and_frees_its_hex() -> None:
    """9.7, 7.1 Of two hexes attacked the second stack finds the first one where it went,
    and enemy zones where it stood."""
    state = game("VII/US 1022, LXXXIV 1021, LXXXII 1021, 2Pz 1122, LXXIV 1122")
    first = [state.units["LXXXIV"], state.units["LXXXII"]]
    coming = {"1120": first}
    assert "1121 1120" in ways(state, "2Pz LXXIV", "1022")
    assert "1121 1120" not in ways(state, "2Pz LXXIV", "1022", coming=coming)
    alone = game("VII/US 1022, LXXXIV 1021, 2Pz 1122")
    assert "1021 1020" in ways(alone, "2Pz", "1022")
    assert "1021 1020" not in ways(alone, "2Pz", "1022", coming={"1019": [alone.units["LXXXIV"]]})


def test_9_7_the_owner_chooses_by_default_the_way_home() -> None:
    """9.7 Who need not go stays unless he says so; who must goes where a headquarters is nearest."""
    state = war("VII/US 1022, LXXXIV 1021")
    (ask,) = fights(state, ATTACK, dice=MUST).asked("retreat")
    assert ask.seat == "german" and ask.must and at(state, "LXXXIV") == "1019"
    state = war("VII/US 1022, LXXXIV 1021")
    (ask,) = fights(state, ATTACK, dice=(1, 1, 1, 1)).asked("retreat")
    assert ask.options[0] == ask.default == "stay" and at(state, "LXXXIV") == "1021"


def test_4_10_a_headquarters_goes_along_if_it_could_command_one_of_them() -> None:
    """4.10 Or stays, and is alone in the enemy's zone then."""
    for answer, where in (("goes along", "1019"), ("stays", None)):
        state = war("VII/US 1022, LXXXIV 1021, AOK1 1021")
        fights(state, ATTACK, dice=MUST, choose=answers(headquarters=answer))
        assert at(state, "AOK1") == where
    state = war("2Pz 1021, 9SS 1021, 2AD/US 1022, CA1 1022, US1 1024", control={"1207": "allied"})
    played = fights(state, Attack(("1022",), ("2Pz",), 4, stay=True), side="german", dice=MUST)
    assert not played.asked("headquarters") and state.units["CA1"].place == "track"
    assert at(state, "2AD/US") in ("1024", "1025")


def test_4_10_a_headquarters_on_the_way_may_be_taken_along() -> None:
    """4.10 Whether the unit began its retreat in that hex or not; by default it stays."""
    for answer, where in (("goes along", "1019"), (None, "1020")):
        state = war("VII/US 1022, 2Pz 1021, AOK1 1020")
        choose = answers(headquarters=answer, retreat="1020 1019")
        played = fights(state, ATTACK, dice=MUST, choose=choose)
        assert [ask.what for ask in played.asked("headquarters")] == ["AOK1 in 1020"]
        assert at(state, "AOK1") == where


def test_4_10_nobody_takes_it_along_if_all_are_eliminated() -> None:
    """4.10 It stays behind, and disperses."""
    state = war("VII/US 1022, LXXXIV 1021 lost=2, AOK1 1021")
    played = fights(state, ATTACK, dice=MUST)
    assert not played.asked("headquarters") and state.units["AOK1"].place == "track"


def test_9_7_those_who_are_left_go() -> None:
    """9.6, 9.7 The losses come first; what they leave of the stack goes."""
    state = war("VII/US 1022, LXXXIV 1021 lost=2, 2Pz 1021")
    choose = answers(lead="LXXXIV", retreat="1019")
    fights(state, ATTACK, dice=MUST, choose=choose)
    assert (at(state, "LXXXIV"), at(state, "2Pz")) == (None, "1019")


def test_12_9_a_retreat_over_the_rhine_is_a_crossing() -> None:
    """12.9 By whatever means the Allies first come to the other bank."""
    state = war("VII/US 3408, 2Pz 3309, AOK1 3209", turn=9)
    order = Attack(("3408",), ("2Pz",), 4, stay=True)
    played = fights(state, order, side="german", dice=MUST, choose=answers(retreat="3608"))
    assert state.rhine_crossed == 9 and played.of(RhineCrossed)


def test_9_7_what_each_way_leads_to_is_told() -> None:
    """9.7 Where a way ends and on what ground, how many hits are left, and what is wrong there;
    what staying costs."""
    state = war("VII/US 1022, LXXXIV 1021, AOK7 1019, 2Pz 1120, V/US 1219")
    ask, told = asked(state, ATTACK, "retreat", (1, 1, 1, 4))
    assert ask.intro == "LXXXIV may stay: 2 hits on 3 steps; or retreat: 1 hit on 3 steps [9.7]"
    assert (told["stay"], told["1019"]) == ("2 hits", "clear; 1 hit")
    assert told["1120"] == "clear; 1 hit; next to the enemy; with 2Pz"
    assert all(" " not in option for option in ask.options)
    ask, told = asked(war("VII/US 1022, LXXXIV 1021"), ATTACK, "retreat", (1, 1, 6, 1))
    assert ask.intro == "LXXXIV must retreat: 2 hits on 3 steps in any case [9.7]"
    assert told["1019"] == "clear"


def test_9_7_a_way_into_a_full_hex_or_out_of_command_is_told() -> None:
    """7.1, 4.6 Two corps fill a hex for infantry, four units for everybody."""
    state = war("VII/US 1022, 2Pz 1021, 9SS 1019, 1SS 1019, 12SS 1019, AOK7 0715")
    units = [state.units["2Pz"]]
    told = retreat._told(state, units, ("1020", "1019"), {}, "")
    assert told == "clear; with 1SS, 12SS, 9SS; then full; out of command range"


def test_9_7_only_ways_that_differ_are_offered() -> None:
    """9.7, 11.3, 4.10 One way for each end, but for a headquarters or a place on the way."""
    state = war("VII/US 1022, 2Pz 1021")
    found = retreat.ends(state, units := [state.units["2Pz"]], paths := retreat.paths(state, units, ["1022"]))
    assert set(found) == {path[-1] for path in paths} and len(found) < len(paths)
    assert len(found["1019"]) == 2
    state.units["AOK1"].place, state.units["AOK1"].hex = "map", "1020"
    found = retreat.ends(state, units, paths)
    assert {name for name in found if name.endswith("1019")} >= {"1020 1019"}
    state.units["AOK1"].place, state.units["AOK1"].hex = "later", None
    state.control["0920"] = "allied"
    assert any(" " in name and "0920" in name for name in retreat.ends(state, units, paths))


def test_9_7_whom_the_hits_destroy_anyway_is_not_asked() -> None:
    """9.6, 9.7 Two hits on a cadre: gone by going and by staying; with one hit he may save himself."""
    state = war("VII/US 1022, LXXXIV 1021 lost=2")
    played = fights(state, ATTACK, dice=(1, 1, 1, 4))
    assert not played.asked("retreat") and not played.of(Retreated)
    assert state.units["LXXXIV"].place == "eliminated"
    state = war("VII/US 1022, 1SS 1021 lost=2, 12SS 1021, 2SS 1021")
    assert fights(state, ATTACK, dice=(1, 1, 6, 6)).asked("retreat")


# --- the lead unit (9.3) ------------------------------------------------------------------------------------


def test_9_3_the_defender_is_told_who_attacks_and_what_each_lead_unit_brings() -> None:
    """9.1 to 9.6 Strengths, the lead unit of the attack, bombers; morale,
    steps and chances of each choice."""
    state = war("VII/US 1022, V/US 1022, US1 1022, LXXXIV 1021, 2Pz 1021 lost=1")
    order = Attack(("1021",), ("VII/US", "V/US"), 4, air="heavy", stay=True)
    ask, told = asked(state, order, "lead", (1, 1, 1, 1), hq="US1")
    assert ask.intro == (
        "Attack from 1022, heavy air. 1021, set piece: VII/US 7 + V/US 6 + US1 3 = 16 against LXXXIV 4 + 2Pz "
        "2 = 6: double [9.6]. VII/US leads: morale 4, passed 67% [9.4]. "
        "Your lead unit is tested for morale and loses the first step [9.3, 9.6]."
    )
    assert told["LXXXIV"].startswith("3 steps, morale 3 + heavy air -2 = 1, passed 17%; you lose ")
    assert told["2Pz"].startswith("2 steps, morale 4 + heavy air -2 = 2, passed 33%; you lose ")
