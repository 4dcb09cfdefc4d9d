"""Supply (11): sources, lines of twenty hexes, chains of headquarters, units in range."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.france44 import arrivals, begin, command
from pbem.games.france44.setup import setup
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply, _served, sources
from pbem.games.france44.tables import GERMAN_CITIES, GRID, PORTS, SOUTH, TURNS, Side
from tests.games.france44.kit import game

# La Rochelle (0719) is a source; the west of France south of the Loire is open country without rivers.


def supplied(state: State, id: str) -> bool:
    return Supply(state, state.units[id].side).has(state.units[id])


def source_hexes(state: State, side: Side) -> set[str]:
    return set(GRID.named(sources(state, side)))


def allied(text: str, *hexes: str, **fields: Any) -> State:
    """A state in which the Allies control these sources."""
    return game(text, control=dict.fromkeys(hexes or ("0719",), "allied"), **fields)


# --- sources (11.2, 11.3) -----------------------------------------------------------------------------------


def test_11_3_the_allied_sources_at_the_start() -> None:
    """1207, 1309 and 1409."""
    assert source_hexes(setup("crusade", {"advantage": "no"}), "allied") == {"1207", "1309", "1409"}


def test_11_2_the_german_sources_at_the_start() -> None:
    """Cities of Germany and ports in German hands, Saint-Nazaire for one."""
    found = source_hexes(setup("crusade", {"advantage": "no"}), "german")
    assert set(GERMAN_CITIES.values()) <= found
    assert PORTS["Saint-Nazaire"] in found
    assert not {"1207", "1309", "1409"} & found


def test_11_2_a_source_serves_whoever_controls_it() -> None:
    """A hex of the Normandy beaches too, should the Germans take it."""
    state = game("", control={"1309": "german", "1409": "allied"})
    assert "1309" in source_hexes(state, "german")
    assert source_hexes(state, "allied") == {"1409"}


@pytest.mark.parametrize("piece", ["VII/US 3510", "US1 3510", "VII/US 3510 lost=2"])
def test_11_3_a_german_city_fails_the_germans_only_while_an_allied_piece_stands_in_it(piece: str) -> None:
    """A headquarters is enough; as soon as it is gone the city serves again."""
    state = game(piece)
    assert "3510" not in source_hexes(state, "german")
    for unit in state.at("3510"):
        unit.hex = "3410"
    assert "3510" in source_hexes(state, "german")


def test_11_2_a_german_city_does_not_feed_the_allies() -> None:
    """Ruling: nobody controls it as one controls a port."""
    assert source_hexes(game("VII/US 3510"), "allied") == set()


def test_11_2_the_southern_row_is_an_allied_source_once_the_allies_are_set_up_in_it() -> None:
    """Not before the arrivals of September."""
    assert not sources(game("", turn=3), "allied") & SOUTH
    assert sources(game("", turn=3, south_open=True), "allied") & SOUTH == SOUTH
    assert not sources(game("", turn=3, south_open=True), "german") & SOUTH


# --- lines (11.1) -------------------------------------------------------------------------------------------


def test_11_1_a_supply_line_is_of_twenty_hexes_at_most() -> None:
    """Counted from the headquarters, the source included."""
    west = "0719"
    twenty = next(hex for hex in ("2717", "2718", "2719", "2720") if GRID.distance(west, hex) == 20)
    further = next(hex for hex in GRID.ring(twenty, 1) if GRID.distance(west, hex) == 21)
    assert supplied(allied(f"US1 {twenty}"), "US1")
    assert not supplied(allied(f"US1 {further}"), "US1")


def _fence(*, gap: str = "") -> str:
    """Germans in an arc around La Rochelle, from coast to coast, with a gap if one is named."""
    ids = ("LXXX", "LXXXI", "LXVII", "LXXIV", "XXV", "LXXXIX", "LXXXVIII", "LXXXII")
    posts = ("0816", "1017", "1019", "1021", "1022", "0823", "0623", "0616")
    return ", ".join(f"{id} {hex}" for id, hex in zip(ids, posts, strict=True) if hex != gap)


def test_11_1_a_line_does_not_lead_through_enemy_zones() -> None:
    """An arc of Germans shuts the port; a gap of two hexes opens it."""
    assert supplied(allied("US1 1320"), "US1")
    assert not supplied(allied(f"US1 1320, {_fence()}"), "US1")


@pytest.mark.parametrize("words", ["", "lost=2"])
def test_11_1_a_combat_unit_opens_an_enemy_zone_for_the_line(words: str) -> None:
    """Cadres as well; headquarters do not."""
    way = f"VII/US 1020 {words}, V/US 0920 {words}, VIII/US 1120 {words}"
    assert supplied(allied(f"US1 1920, {way}, {_fence()}"), "US1")
    assert not supplied(allied(f"US1 1920, US3 1020, BR2 0920, US9 1120, {_fence()}"), "US1")


@pytest.mark.parametrize("words", ["lost=2", ""])
def test_11_1_a_line_does_not_lead_into_a_hex_of_the_enemy(words: str) -> None:
    """Not even if a cadre or a headquarters is all that stands in the source."""
    assert not supplied(allied(f"US1 1020, LXXX 0719 {words}"), "US1")
    assert not supplied(allied("US1 1020, AOK7 0719"), "US1")
    source, enemy = GRID.bits(["1020"]), GRID.bits(["1021"])
    assert {"1021", "1022"} <= set(GRID.named(_served(source, 2, 0, 0)))
    assert not {"1021", "1022"} & set(GRID.named(_served(source, 2, 0, enemy)))


def test_3_3_11_1_a_line_may_end_in_a_source_that_lies_in_an_enemy_zone() -> None:
    """Into a zone, not through it."""
    state = allied("US1 0819, LXXX 0720, VII/US 0819")
    assert supplied(state, "US1")


def test_11_1_a_line_does_not_cross_a_blocked_hexside() -> None:
    """From 1610 to Le Havre it takes two hexes, by 1510 or 1710."""
    source = GRID.bits(["1609"])
    near = GRID.named(_served(source, 1, 0, 0))
    assert "1710" in near and "1610" not in near
    assert "1610" in GRID.named(_served(source, 2, 0, 0))


def test_10_1_3_11_1_no_line_runs_along_the_southern_row() -> None:
    """It is off the map: Germans shut in beside it have no way round."""
    inland = game("AOK7 0327, LXXX 0525", control={"0724": "german"})
    assert supplied(inland, "AOK7")
    corner = game("AOK7 2427, VII/US 2326, V/US 2425, VIII/US 2526, XV/US 2327", control={"0724": "german"})
    assert not supplied(corner, "AOK7")


def test_11_0_supply_is_judged_at_one_moment_and_holds_until_it_is_judged_again() -> None:
    """11.0, 11.5 Who has left every range is out of supply only when somebody looks."""
    state = allied("US1 1020, VII/US 1021")
    supply = Supply(state, "allied")
    state.control["0719"] = "german"
    assert supply.has(state.units["US1"]) and supply.has(state.units["VII/US"])
    assert not Supply(state, "allied").has(state.units["VII/US"])
    assert not state.units["VII/US"].unsupplied


# --- chains and units (11.1, 4.6) ---------------------------------------------------------------------------


def test_11_1_headquarters_form_a_chain_by_command_range() -> None:
    """The second is out of reach of the source and within four hexes of the first."""
    first = next(hex for hex in ("2717", "2718", "2719", "2720") if GRID.distance("0719", hex) == 20)
    ring = [
        hex
        for hex in GRID.ring(first, 4)
        if GRID.distance("0719", hex) == 24 and hex in GRID.named(_reach(game(f"US1 {first}"), "US1"))
    ]
    second = ring[0]
    assert not supplied(allied(f"US9 {second}"), "US9")
    assert supplied(allied(f"US1 {first}, US9 {second}"), "US9")


def _reach(state: State, id: str) -> int:
    return command.reach(state, state.units[id])


def test_11_1_a_unit_is_in_supply_within_the_range_of_a_headquarters_that_could_command_it() -> None:
    """4.5, 4.6 Nation and range count, capacity does not."""
    state = allied("US1 1020, VII/US 1024, V/US 1025, XXX/BR 1021")
    assert supplied(state, "VII/US")
    assert not supplied(state, "V/US")
    assert not supplied(state, "XXX/BR")


def test_11_1_a_headquarters_without_supply_gives_none() -> None:
    """4.6 No source, no supply."""
    state = game("US1 1020, VII/US 1021")
    assert not supplied(state, "US1")
    assert not supplied(state, "VII/US")


def test_11_1_a_unit_beside_a_source_is_in_supply_but_not_in_hq_supply() -> None:
    """As the garrisons of the Breton ports are at the start."""
    state = setup("crusade", {"advantage": "no"})
    supply = Supply(state, "german")
    garrison = state.units["LXXX"]
    assert supply.has(garrison) and supply.by_source(garrison)
    assert not supply.by_headquarters(garrison)
    near = allied("VII/US 0819, V/US 0919")
    assert supplied(near, "VII/US")
    assert not supplied(near, "V/US")


def test_11_1_beside_a_source_across_a_blocked_hexside_is_not_beside_it() -> None:
    """1610 and Le Havre."""
    assert not supplied(allied("VII/US 1610", "1609"), "VII/US")
    assert supplied(allied("VII/US 1710", "1609"), "VII/US")


def test_10_1_3_everybody_in_the_southern_row_is_in_supply() -> None:
    """11.2 They stand on a source."""
    state = game("US7 1228, VI/US 2028", turn=3, south_open=True)
    assert supplied(state, "US7") and supplied(state, "VI/US")


def test_12_3_12_4_the_airborne_is_in_supply_while_its_cycle_lasts() -> None:
    """After Market Garden and Varsity alike, until the reactions are over."""
    state = game("XVIII/US 3405")
    assert not supplied(state, "XVIII/US")
    for stays in (False, True):
        state.jumped, state.drop_stays = True, stays
        assert supplied(state, "XVIII/US")


# --- Antwerp (11.4) -----------------------------------------------------------------------------------------


def test_11_4_antwerp_gives_a_point_from_october_to_january() -> None:
    """The track of the rulebook: October 3(+1)."""
    assert {turn.number for turn in TURNS.values() if turn.antwerp} == {4, 5, 6, 7}
    assert all(turn.antwerp in (0, 1) for turn in TURNS.values())
    assert TURNS[4].month.startswith("October") and TURNS[4].supply["allied"] == 3


@pytest.mark.parametrize(
    ("text", "holder", "more"),
    [
        ("", "allied", 1),
        ("", "german", 0),
        ("LXXX 2804", "allied", 0),
        ("LXXX 2804 lost=2", "allied", 0),
        ("LXXX 2904", "allied", 1),
    ],
)
def test_11_4_antwerp_needs_control_and_a_free_scheldt(text: str, holder: Side, more: int) -> None:
    """2.0.4 At the beginning of the turn."""
    state = game(text, turn=4, control={"2907": holder})
    begin.add_supply(state)
    assert state.supply["allied"] == TURNS[4].supply["allied"] + more


def test_11_4_antwerp_is_an_entry_hex_from_october_on_under_the_same_conditions() -> None:
    """Judged in the administrative phase, in later months too."""
    control: dict[str, Side] = {"2907": "allied"}
    assert "2907" not in arrivals.entry_hexes(game("", turn=3, control=control), "allied")
    for turn in (4, 9):
        assert "2907" in arrivals.entry_hexes(game("", turn=turn, control=control), "allied")
    assert "2907" not in arrivals.entry_hexes(game("LXXX 2905", turn=4, control=control), "allied")
