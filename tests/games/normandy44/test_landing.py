"""D-Day (15.0): drop, landings, German reaction."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import landing
from pbem.games.normandy44.landing import FirstWave
from pbem.games.normandy44.notes import Attacked, Dropped, Gunfire, Landed, Moved, Repulsed, SetDown
from pbem.games.normandy44.orders import Assault, Guns, Move, UseDefault
from pbem.games.normandy44.setup import setup
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import GRID, LAND, MAP
from tests.games.normandy44.kit import OPTIONS, at, game, put
from tests.games.playing import opening, play

GOOD_DROPS = (1, 1, 1)
NO_GUNS = tuple(Guns(0, hex) for hex in ("0617", "0714", "0713", "0710", "0809", "0808", "0907"))


def d_day(**moved: str) -> State:
    state = setup("campaign", OPTIONS)
    for id, hex in moved.items():
        put(state, id.replace("_", "-"), hex)
    return state


# --- the plan -------------------------------------------------------------------------------------------


def test_15_0_without_orders_all_land_as_in_history() -> None:
    wave = FirstWave(d_day())
    wave.carry_out(UseDefault())
    assert [unit.id for unit in wave.at("0907")] == ["1SSB"]
    assert [unit.id for unit in wave.at("0809")] == ["3CA", "4SSB"]
    assert [unit.id for unit in wave.at("0710")] == ["50BR", "79a"]
    assert wave.hexes() == ["0617", "0714", "0713", "0710", "0809", "0808", "0907"]
    assert set(wave.guns.values()) == {2}
    assert wave.points("0617") == 2 and wave.points("0907") == 2


def test_15_0_what_is_written_goes_before_the_default() -> None:
    wave = FirstWave(d_day())
    wave.carry_out(Assault(("4SSB",), "0907"))
    wave.carry_out(Guns(4, "0714"))
    wave.fill_in()
    assert [unit.id for unit in wave.at("0907")] == ["4SSB", "1SSB"]
    assert wave.guns["0714"] == 4
    assert wave.guns["0617"] == wave.guns["0710"] == 2, "points for one beach leave the others what there is"
    assert wave.guns["0713"] == 0 and wave.points("0713") == 0


def test_15_0_divisions_land_where_the_map_says() -> None:
    with pytest.raises(NotAllowed, match=r"15\.0") as refused:
        FirstWave(d_day()).check(Assault(("3BR",), "0809"))
    assert refused.value.legal == ("1SSB", "4SSB", "79a", "79b")


def test_15_0_a_division_may_be_named_where_it_lands_anyway() -> None:
    wave = FirstWave(d_day(**{"91ID": "0619"}))
    for order in (Assault(("3BR", "79b"), "0808"), Assault(("4US",), "0617"), Assault(("82AB",), "0619")):
        wave.check(order)
        assert [*wave.preview(order)] or order.hex == "0619"
        wave.carry_out(order)
    assert [unit.id for unit in wave.at("0808")] == ["3BR", "79b"]
    assert wave.hexes() == sorted(landing.WAVE, key=landing._from_west)
    for id, hex in (("4US", "0714"), ("82AB", "0717"), ("9US", "0617")):
        with pytest.raises(NotAllowed, match=r"15\.0"):
            wave.check(Assault((id,), hex))


def test_e8_commandos_may_land_at_ouistreham_and_special_tanks_may_not() -> None:
    wave = FirstWave(d_day())
    wave.check(Assault(("1SSB",), "0907"))
    wave.check(Assault(("1SSB",), "0811"))
    with pytest.raises(NotAllowed, match="E8"):
        wave.check(Assault(("79a",), "0907"))
    with pytest.raises(NotAllowed, match="E8"):
        wave.check(Assault(("1SSB",), "0713"))


def test_3_1_a_division_and_both_commandos_are_too_many_for_a_beach() -> None:
    wave = FirstWave(d_day())
    wave.check(Assault(("1SSB", "79a"), "0808"))
    with pytest.raises(NotAllowed, match=r"3\.1"):
        wave.check(Assault(("1SSB", "4SSB"), "0808"))
    wave.carry_out(Assault(("79a",), "0808"))
    with pytest.raises(NotAllowed, match=r"3\.1"):
        wave.check(Assault(("79b",), "0808"))
    wave.check(Assault(("79a",), "0808"))


def test_12_0_each_navy_has_its_own_points() -> None:
    wave = FirstWave(d_day())
    wave.carry_out(Guns(4, "0714"))
    wave.check(Guns(2, "0617"))
    wave.check(Guns(6, "0714"))
    wave.check(Guns(4, "0808"))
    with pytest.raises(NotAllowed, match=r"12\.0"):
        wave.check(Guns(3, "0617"))
    with pytest.raises(NotAllowed, match=r"15\.0"):
        wave.check(Guns(1, "0814"))


def test_15_0_all_that_is_offered_is_legal() -> None:
    request: Any = opening(landing.landing, d_day())
    assert isinstance(request, landing.FirstWave) and request.what == "the first wave"
    offered = [order for subject in request.subjects() for order in request.options(subject)]
    assert UseDefault() in offered and Guns(2, "0714") in offered and Assault(("79b",), "0809") in offered
    for order in offered:
        request.check(order)


# --- the drop -------------------------------------------------------------------------------------------


def drop(die: int, *more: int, unit: str = "6AB", **moved: str) -> Any:
    state = d_day(**moved)
    return play(lambda s: landing.drop(s, s.units[unit], landing.DROPS[unit]), state, dice=(die, *more))


def test_15_0_one_to_four_lands_in_the_drop_zone() -> None:
    played = drop(4)
    assert at(played.state, "6AB") == "1007"
    assert played.state.units["6AB"].lost == 0
    assert len(played.rolled()) == 1


def test_15_0_five_scatters_and_six_costs_a_step_besides() -> None:
    played = drop(5, 1, unit="6AB")
    assert at(played.state, "6AB") == "0906" and played.state.units["6AB"].lost == 0
    (note,) = played.of(Dropped)
    assert (note.direction, note.scatter_die, note.step) == ("NE", 1, False)
    played = drop(6, 1)
    assert at(played.state, "6AB") == "0906" and played.state.units["6AB"].lost == 1


def test_15_0_americans_add_one() -> None:
    played = drop(4, 4, unit="82AB")
    assert at(played.state, "82AB") != landing.DROPS["82AB"] and played.state.units["82AB"].lost == 0
    played = drop(5, 4, unit="82AB")
    assert played.state.units["82AB"].lost == 1
    assert drop(3, unit="82AB").state.units["82AB"].hex == landing.DROPS["82AB"]


@pytest.mark.parametrize("zone", landing.DROPS.values())
def test_15_0_nobody_scatters_into_the_sea(zone: str) -> None:
    assert all(LAND >> GRID.index(near) & 1 for near in MAP.neighbours(zone))
    assert len(MAP.neighbours(zone)) == 6


def test_15_0_paratroops_on_germans_attack_one_column_to_the_left() -> None:
    played = drop(5, 4, 6)
    (fight,) = played.of(Attacked)
    assert fight.hex == "1107" and fight.attackers == ("6AB",) and fight.defenders == ("192/21Pz",)
    assert any(part.case == "C1" and part.value == -1 for part in fight.shifts)
    assert at(played.state, "6AB") == "1107"
    assert at(played.state, "192/21Pz") != "1107"


def test_15_0_paratroops_who_do_not_take_the_hex_are_set_down_beside_it() -> None:
    played = drop(5, 4, 1)
    (note,) = played.of(SetDown)
    (asked,) = played.asked("set down")
    assert at(played.state, "6AB") == note.hex == asked.fallback
    away = {near: GRID.distance(near, landing.DROPS["6AB"]) for near in asked.options}
    assert away[asked.fallback] == min(away.values())
    assert asked.intro.startswith("6AB did not take ")
    assert "1106" not in asked.options
    assert set(asked.options) <= set(MAP.neighbours("1107"))
    assert at(played.state, "192/21Pz") == "1107"


def test_15_0_paratroops_take_a_garrison() -> None:
    played = drop(5, 6, 6, unit="6AB")
    assert at(played.state, "6AB") == "0907"
    assert played.state.units["WN-Ouistreham"].place == "dead"


# --- the landings ---------------------------------------------------------------------------------------


def assault(die: int, *dice: int, hex: str = "0714", ids: tuple[str, ...] = ("29US",), guns: int = 0) -> Any:
    return play(
        lambda s: landing.assault(s, hex, [s.units[id] for id in ids], guns), d_day(), dice=(die, *dice)
    )


def test_15_0_victors_come_ashore_and_control_the_beach() -> None:
    played = assault(6)
    assert at(played.state, "29US") == "0714"
    assert played.state.units["WN-OmahaW"].place == "dead"
    assert played.state.control["0714"] == "allied"
    assert [note.names for note in played.of(Landed)] == [("29US",)]
    assert not played.asked("advance")


def test_e8_a_garrison_that_must_lose_anything_is_gone_and_retreats_nowhere() -> None:
    played = assault(5, hex="0617", ids=("4US",))
    assert played.state.units["WN-Utah"].place == "dead" and not played.asked("losses")


def test_15_0_a_repulsed_landing_goes_back_to_the_reserve() -> None:
    played = assault(1)
    unit = played.state.units["29US"]
    assert (unit.place, unit.hex, unit.phase) == ("reserve", None, "A")
    assert played.state.units["WN-OmahaW"].place == "map"
    assert unit.lost == 2
    (note,) = played.of(Repulsed)
    assert note.names == ("29US",)
    assert played.state.control["0714"] == "german"


def test_12_0_ships_fire_at_the_beach_and_its_bunkers_help_it() -> None:
    played = assault(6, 6, guns=2)
    (fire,) = played.of(Gunfire)
    assert (fire.points, fire.total, fire.hit) == (2, 5, True)
    assert sum(played.state.guns.values()) == 12


def test_15_0_an_empty_coast_is_landed_on_without_a_fight() -> None:
    state = d_day()
    played = play(lambda s: landing.assault(s, "0811", [s.units["4SSB"]], 0), state)
    assert at(state, "4SSB") == "0811" and not played.of(Attacked)
    assert state.control["0811"] == "allied"


def test_3_1_who_finds_no_room_on_the_beach_goes_back() -> None:
    state = d_day()
    put(state, "WN-Ouistreham", "dead")
    put(state, "6AB", "0907")
    play(lambda s: landing.assault(s, "0907", [s.units["1SSB"], s.units["4SSB"]], 0), state)
    assert at(state, "1SSB") == "0907"
    assert state.units["4SSB"].place == "reserve"


def test_15_0_the_whole_landing() -> None:
    played = play(landing.landing, d_day(), *NO_GUNS, dice=(*GOOD_DROPS, *[6] * 7))
    state = played.state
    assert played.ended
    assert [at(state, id) for id in ("4US", "29US", "1US", "50BR", "3CA", "3BR")] == [
        "0617", "0714", "0713", "0710", "0809", "0808",
    ]  # fmt: skip
    assert [at(state, id) for id in ("82AB", "101AB", "6AB")] == ["0619", "0717", "1007"]
    assert [at(state, id) for id in ("1SSB", "4SSB", "79a", "79b")] == ["0907", "0809", "0710", "0808"]
    assert played.rolled()[:3] == ["drop of 82AB", "drop of 101AB", "drop of 6AB"]


# --- the reaction ---------------------------------------------------------------------------------------


def test_15_0_germans_within_two_hexes_react_by_one_hex() -> None:
    state = d_day()
    put(state, "6AB", "1007")
    played = play(landing.reaction, state, Move(("192/21Pz",), ("1207",)))
    assert at(state, "192/21Pz") == "1207"
    assert len(played.of(Moved)) == 1
    request = opening(landing.reaction, _with_paratroops())
    assert "22/21Pz" not in request.subjects() and "125/21Pz" in request.subjects()
    with pytest.raises(NotAllowed):
        request.check(Move(("125/21Pz",), ("1305",)))


def _with_paratroops() -> State:
    state = d_day()
    put(state, "6AB", "1007")
    return state


def test_15_0_after_the_reaction_everybody_is_fresh_for_turn_1() -> None:
    state = _with_paratroops()
    state.units["LXXXIV"].used = True
    state.guns = {}
    play(landing.reaction, state, Move(("192/21Pz",), ("1207",)))
    assert not state.units["LXXXIV"].used and not state.units["192/21Pz"].acted
    assert sum(state.guns.values()) == 14
    assert not state.units["6AB"].unsupplied


def test_14_1_mulberries_begin_on_d_day() -> None:
    state = game("1US 0713, 6AB 1007", turn=0)
    state.control = {"0713": "allied"}
    state.ports = setup("campaign", OPTIONS).ports
    play(landing.reaction, state)
    assert state.ports["Saint-Laurent"].left > 0
