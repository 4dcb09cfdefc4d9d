"""Advance after combat (9.8)."""

from __future__ import annotations

from pbem.games.france44 import advance
from pbem.games.france44.notes import Advanced, BridgeRolled, TookControl
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import State
from tests.games.france44.fighting import answers, fights, war
from tests.games.france44.kit import at, game

DIES = (1, 1, 6, 6)
"""The attacker passes, the defender fails and takes all the hits that there are."""


def ways(state: State, id: str, vacated: str, boats: bool = False) -> set[str]:
    return {" ".join(path) for path in advance.paths(state, state.units[id], vacated.split(), boats)}


def test_9_8_the_first_hex_is_the_vacated_one_then_any() -> None:
    """9.8 No enemy near: everybody may go on a second hex, in any direction; even back."""
    state = game("VII/US 1022")
    second = {"1020", "1121", "1122", "1022", "0922", "0921"}
    assert ways(state, "VII/US", "1021") == {"1021", *(f"1021 {hex}" for hex in second)}


def test_9_8_infantry_stops_in_another_enemys_zone_armour_goes_on() -> None:
    """9.8 Into a zone, too, but not into an enemy; a cadre has no zone."""
    state = game("VII/US 1022, 2AD/US 1022, LXXXIV 1020")
    assert ways(state, "VII/US", "1021") == {"1021"}
    armour = ways(state, "2AD/US", "1021")
    assert {"1021", "1021 1121", "1021 0921"} <= armour and "1021 1020" not in armour
    state.units["LXXXIV"].lost = 2
    assert "1021 1121" in ways(state, "VII/US", "1021")


def test_9_8_into_a_zone_from_a_hex_without_one() -> None:
    """9.8 Infantry too, for it is the vacated hex that counts."""
    state = game("VII/US 1022, LXXXIV 1019")
    assert "1021 1020" in ways(state, "VII/US", "1021")


def test_9_8_not_across_blocked_sides_nor_into_the_sea_or_the_south() -> None:
    """9.8, 10.1.3 Le Havre is not reached from the far side of the estuary."""
    assert ways(game("2AD/US 1611"), "2AD/US", "1610") >= {"1610", "1610 1510"}
    assert "1610 1609" not in ways(game("2AD/US 1611"), "2AD/US", "1610")
    assert not any("1228" in way for way in ways(game("2AD/US 1226"), "2AD/US", "1227"))


def test_9_8_stacking_holds_for_each() -> None:
    """7.1, 9.8 The third unit of infantry finds no room, but beyond."""
    state = war("VII/US 1022, V/US 1022, VIII/US 1122, LXXXIV 1021 lost=2")
    order = Attack(("1021",), ("VII/US", "V/US", "VIII/US"), 4, advance=("VII/US", "V/US", "VIII/US"))
    fights(state, order, dice=(1, 1, 6, 1))
    assert [at(state, id) for id in ("VII/US", "V/US", "VIII/US")] == ["1021", "1021", "1122"]
    assert ways(state, "VIII/US", "1021") == set()
    state.units["V/US"].hex = "1020"
    state.units["XIX/US"].place, state.units["XIX/US"].hex = "map", "1020"
    assert "1021 1121" in ways(state, "VIII/US", "1021") and "1021 1020" not in ways(state, "VIII/US", "1021")


def test_9_8_only_those_who_took_part_one_by_one() -> None:
    """9.8 Each is asked; none need go; by default each goes into the vacated hex."""
    state = war("VII/US 1022, 2AD/US 1022, V/US 1022, LXXXIV 1021 lost=2")
    order = Attack(("1021",), ("VII/US", "2AD/US"), 4)
    played = fights(state, order, dice=(1, 1, 6, 1), choose=answers(advance=["none", None]))
    asks = played.asked("advance")
    assert [ask.unit for ask in asks] == ["VII/US", "2AD/US"]
    assert all(ask.options[:2] == ("none", "1021") for ask in asks)
    assert [at(state, id) for id in ("VII/US", "2AD/US", "V/US")] == ["1022", "1021", "1022"]


def test_9_8_the_order_says_who_advances_and_how_far() -> None:
    """9.8 Who is not named stays, who cannot go on stops in the vacated hex; with `no advance` all stay."""
    text = "VII/US 1022, 2AD/US 1022, 3AD/US 1022, LXXXIV 1021 lost=2, LXXIV 1020"
    order = Attack(("1021",), ("VII/US", "2AD/US", "3AD/US"), 4, advance=("VII/US", "2AD/US"), onward="0921")
    state = war(text)
    played = fights(state, order, dice=(1, 1, 6, 1))
    assert not played.asked("advance")
    assert [at(state, id) for id in ("VII/US", "2AD/US", "3AD/US")] == ["1021", "0921", "1022"]
    assert [note.path for note in played.of(Advanced)] == [("1021",), ("1021", "0921")]
    state = war(text)
    fights(state, Attack(("1021",), ("VII/US", "2AD/US"), 4, stay=True), dice=(1, 1, 6, 1))
    assert at(state, "VII/US") == at(state, "2AD/US") == "1022"


def test_9_8_no_advance_where_the_defender_stays() -> None:
    """9.8 The hex must be vacated."""
    state = war("VII/US 1022, LXXXIV 1021")
    assert not fights(state, Attack(("1021",), ("VII/US",), 4), dice=(1, 1, 1, 1)).asked("advance")


def test_9_8_of_two_hexes_the_vacated_one_is_entered() -> None:
    """8.0, 9.8 And the other one through it, if it is vacated, too."""
    state = war("2AD/US 1022, VII/US 1022, LXXXIV 1021 lost=2, LXXIV 1122 lost=2")
    order = Attack(("1021", "1122"), ("VII/US", "2AD/US"), 4)
    played = fights(state, order, dice=DIES, choose=answers(advance=["1122", "1021 1122"]))
    assert {"1021", "1122", "1021 1122", "1122 1021"} <= set(played.asked("advance")[0].options)
    assert at(state, "VII/US") == at(state, "2AD/US") == "1122"


def test_9_8_the_advance_takes_hexes() -> None:
    """11.3 By passing through them, too."""
    state = war("2AD/US 2114, LXXXIV 2113 lost=2", control={"2113": "german", "0614": "german"})
    order = Attack(("2113",), ("2AD/US",), 4, advance=("2AD/US",), onward="2112")
    played = fights(state, order, dice=(1, 1, 6, 6))
    assert at(state, "2AD/US") == "2112" and [note.hex for note in played.of(TookControl)] == ["2113"]


def test_9_8_a_headquarters_stays_behind_and_disperses() -> None:
    """4.10 It is not taken along by an advance: alone beside the enemy it leaves the map."""
    state = war("VII/US 1022, US1 1022, LXXXIV 1021 lost=2, 2Pz 0922")
    fights(state, Attack(("1021",), ("VII/US",), 4, advance=("VII/US",)), dice=(1, 1, 6, 1))
    assert at(state, "VII/US") == "1021" and state.units["US1"].place == "track"


def test_12_8_in_boats_one_hex_only() -> None:
    """12.8 The vacated one; without boats not over the Rhine at all but by a bridge."""
    state = game("2AD/US 3408")
    assert ways(state, "2AD/US", "3509", boats=True) == {"3509"}
    assert ways(state, "2AD/US", "3509") == set()
    bridged = game("2AD/US 3409")
    assert {"3509", "3509 3608"} <= ways(bridged, "2AD/US", "3509")
    assert not any(
        way.endswith("3510") for way in ways(game("2AD/US 3608", bridges={"3509-3510": 0}), "2AD/US", "3509")
    )


def test_12_3_beside_the_airborne_the_rhine_does_not_stop_an_advance() -> None:
    """12.3 For Allied units."""
    state = game("2AD/US 3407, XVIII/US 3508", drop="3508", jumped=True)
    assert "3408 3508" in ways(state, "2AD/US", "3408")
    blown = {"3408-3508": 0}
    state = game("2AD/US 3407, XVIII/US 3508", drop="3508", jumped=True, bridges=blown)
    assert "3408 3508" in ways(state, "2AD/US", "3408")
    state.drop = None
    assert "3408 3508" not in ways(state, "2AD/US", "3408")


def test_12_7_an_advance_tries_the_bridges_and_may_be_cut_short() -> None:
    """12.7 The Germans roll as the hex is entered; where the bridge ahead is blown the unit stops,
    and the log says how far it came."""
    state = war("2AD/US 3308, LXXXIV 3408 lost=2", turn=9)
    order = Attack(("3408",), ("2AD/US",), 4, advance=("2AD/US",), onward="3508")
    played = fights(state, order, dice=(1, 1, 6, 6, 2))
    assert played.of(BridgeRolled)[0].standing == 0
    assert at(state, "2AD/US") == "3408" and played.of(Advanced)[0].path == ("3408",)
