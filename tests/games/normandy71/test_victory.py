"""Victory (VIC): cities, exits, depth and levels."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.games.normandy71 import invasion, movement, reinforcement, supply, victory
from pbem.games.normandy71.orders import Exit, Glide
from pbem.games.normandy71.state import State
from pbem.games.normandy71.tables import EXITS, GRID, MAP
from tests.games.normandy71.kit import game, unit
from tests.games.playing import play

BEACHHEADS = ("5 Omaha", "9 Gold", "14 Juno", "16 Sword")


def gone(state: State, edge: str, *units: str) -> State:
    """Let units (`id kind`) have left by an edge."""
    road = next(hex for hex, side in EXITS.items() if side == edge)
    for text in units:
        id, kind = text.split()
        made = unit(f"{id} allied {kind}")
        made.place, made.edges = "exited", (edge, road)
        state.units[id] = made
        state.exits.setdefault(edge, []).append(id)
    return state


# --- cities ---------------------------------------------------------------------------------------------


def test_vic_c_a_city_needs_supply_passage_and_no_german_near() -> None:
    """VIC.C All three conditions must hold for every hex of the city."""
    everywhere = GRID.all
    caen = dict.fromkeys(MAP.cities["Caen"], "allied")
    state = game(passed=caen)
    assert victory.holds_city(state, everywhere, "Caen")
    assert not victory.holds_city(game(passed=caen | {"1619": "german"}), everywhere, "Caen")
    assert not victory.holds_city(game(passed={"1518": "allied"}), everywhere, "Caen")
    assert not victory.holds_city(state, everywhere & ~GRID.bits(["1618"]), "Caen")
    assert not victory.holds_city(game("g german 4-1 1419", passed=caen), everywhere, "Caen")
    assert victory.holds_city(game("g german 4-1 1319", passed=caen), everywhere, "Caen")


def test_vic_c_bayeux_in_supply_from_gold() -> None:
    """VIC.C With a supply area near by and nobody in the way Bayeux counts two points."""
    state = game(turn=6, supply=["9 Gold"], passed={"3024": "allied"})
    assert victory.score(state).cities == {"Bayeux": 2}


def test_vic_c_moving_through_is_remembered() -> None:
    """VIC.C Who passed last is kept for each hex of a city."""
    state = game()
    victory.pass_through(state, "allied", ("1517", "1518", "1519"))
    victory.pass_through(state, "german", ("1618",))
    assert state.passed == {"1518": "allied", "1618": "german"}


def test_vic_c_coming_down_in_a_city_holds_it() -> None:
    """VIC.C A parachute or glider unit that lands in a city hex was the last to pass there; one that is lost
    there was not."""
    text = "p allied 5-4 paratroop entry:paradrop, g allied 5-4 glider later entry:glider turn:1"
    state = game(text, turn=1, passed={"5325": "german"})
    state.plan.drops = {"p": "5325"}
    play(invasion.placement, state, dice=(1,))
    assert state.passed == {"5325": "allied"}
    state.passed.clear()
    play(reinforcement.allied_reinforcement, state, Glide("g", "5325"))
    assert state.passed == {"5325": "allied"}
    text = "p allied 5-4 paratroop entry:paradrop, x german 4-1 5325"
    lost = game(text, turn=1, passed={"5325": "german"})
    lost.plan.drops = {"p": "5325"}
    play(invasion.placement, lost, dice=(1,))
    assert lost.units["p"].place == "lost" and lost.passed == {"5325": "german"}


# --- exits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "counts"),
    [
        (["a 7-4", "b 7-4", "c 7-4"], True),
        (["a 7-4", "b 7-4", "c 20-10"], True),
        (["a 7-4", "b 7-4"], False),
        (["a 7-4", "b 7-4", "c 6-10", "d 6-10"], False),
        (["a 7-4", "b 7-4", "c 6-10", "d 6-10", "e 6-10"], True),
    ],
)
def test_vic_x_a_division_is_three_regiments_or_as_much(units: list[str], counts: bool) -> None:
    """VIC.X Three regiments or brigades count, and battalions as the parts of one."""
    state = gone(game(), "east", *units)
    assert victory.division_out(state, GRID.all, "east") is counts


def test_vic_x_needs_supply_through_the_exit_at_the_end() -> None:
    """VIC.X Without supply to the road hex by which they left nothing is scored,
    and an edge is scored once."""
    state = gone(game(), "east", *(f"{name} 7-4" for name in "abcdefg"))
    assert not victory.division_out(state, 0, "east")
    assert victory.score(state).exits == {}
    road = victory.exit_road(state.units["a"])
    assert victory.division_out(state, GRID.bits([road]), "east")


def test_vic_x_and_zoc_d_an_enemy_zone_closes_the_exit() -> None:
    """VIC.X, ZOC.D The line must run through the exit hex: a German beside it cuts it, though a unit in the
    hex itself would be in supply."""
    state = gone(game(turn=6, supply=["3 Utah"]), "north", *(f"{name} 7-4" for name in "abc"))
    road = victory.exit_road(state.units["a"])
    assert victory.score(state).exits == {"north": 12}
    near = next(
        hex for hex in MAP.neighbours(road) if not MAP.has(hex, "all sea") and not MAP.road(road, hex)
    )
    state.units["g"] = unit(f"g german 4-1 {near}")
    assert supply.supplied(state, "allied") >> GRID.index(road) & 1
    assert victory.score(state).exits == {}


def test_vic_x_leaving_by_the_north_counts_until_the_end_of_game_turn_3() -> None:
    """VIC.X, SUP.J Units leave by road; the road is closed to German supply;
    later than game-turn 3 the north edge scores nothing."""
    hex = next(hex for hex, edge in EXITS.items() if edge == "north")
    for turn, scored in ((3, True), (4, False)):
        state = game(f"x allied 7-4 {hex}", turn=turn, supply=["1 Utah"])
        play(movement.allied_first_movement, state, Exit(("x",), hex))
        assert state.units["x"].place == "exited" and state.closed_roads == [hex]
        assert state.exits == ({"north": ["x"]} if scored else {})


# --- depth ----------------------------------------------------------------------------------------------


def test_vic_d_half_a_point_for_each_hex_of_the_deepest_supplied_unit() -> None:
    """VIC.D Only units in supply count, only the deepest of them, from the nearest partially-sea hex."""
    state = game("x allied 7-4 2624, y allied 7-4 0902", turn=6, supply=["9 Gold"])
    near = victory.INLAND["2624"]
    area = supply.supplied(state, "allied")
    assert supply.trace(state, state.units["x"], area)
    found = victory.score(state)
    supplied = [u for u in state.on_map() if supply.trace(state, u, area)]
    assert found.hexes == max(victory.INLAND[u.placed] for u in supplied) >= near
    assert found.depth == Fraction(found.hexes, 2)


def test_vic_d_depth_is_shared_by_unconnected_beachheads() -> None:
    """VIC.D Two supply areas joined by road are one beachhead; an enemy on every road between
    them makes two."""
    joined = game("x allied 7-4 2624", turn=6, supply=["9 Gold", "11 Gold"])
    assert victory.beachheads(joined) == 1
    ring = MAP.grid.named(MAP.grid.zone(MAP.grid.within("2327", 1)))
    wall = ", ".join(
        f"g{n} german 4-1 {hex}"
        for n, hex in enumerate(ring)
        if not MAP.has(hex, "all sea") and hex != "2627"
    )
    parted = game(f"x allied 7-4 2624, {wall}", turn=6, supply=["9 Gold", "11 Gold"])
    assert victory.beachheads(parted) == 2
    assert victory.score(parted).depth == Fraction(victory.score(parted).hexes, 4)


def test_vic_d_no_supply_no_depth() -> None:
    """VIC.D Without a living supply area nothing is deep."""
    assert victory.score(game("x allied 7-4 1215", turn=6)).ground == 0


# --- levels ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "level"),
    [
        (-5, "German Decisive"), (9, "German Decisive"), ("9.5", "German Decisive"),
        (10, "German Provisional"), ("14.5", "German Provisional"),
        (15, "German Marginal"), ("22.5", "German Marginal"),
        (23, "Allied Marginal"), (30, "Allied Marginal"),
        (31, "Allied Provisional"), ("39.5", "Allied Provisional"),
        (40, "Allied Decisive"),
    ],
)  # fmt: skip
def test_vic_l_levels(points: int | str, level: str) -> None:
    """VIC.L A fraction of the total is dropped; 30 points belong to the lower of their two rows."""
    assert victory.level(Fraction(points)) == level


def test_vic_l_thirty_points_by_option() -> None:
    """VIC.L The option `thirty` gives 30 points to the upper row."""
    assert victory.level(Fraction(30), "upper") == "Allied Provisional"


def test_vic_l_the_order_of_battle_adds_its_points() -> None:
    """VIC.L The German order of battle adds to the Allied points or takes from them."""
    for letter, total in (("A", "-5"), ("B", "0"), ("F", "20")):
        result = victory.result(game(turn=6, order_of_battle=letter))
        assert {what: value for what, value, _ in result.figures}["Total"] == total
    assert result.level == "German Marginal" and result.winner == "german"


@pytest.mark.parametrize(
    ("points", "margin"), [("21", 1.5), ("22.5", 0.5), ("22.9", 0.5), ("23", 0.5), ("24.9", 1.5)]
)
def test_vic_l_whoever_wins_is_ahead(monkeypatch: pytest.MonkeyPatch, points: str, margin: float) -> None:
    """VIC.L The margin drops fractions as the level does."""
    monkeypatch.setattr(victory, "score", lambda state: victory.Score({}, {}, Fraction(points), 1, 1))
    assert victory.result(game(turn=6, order_of_battle="B")).margin == margin
