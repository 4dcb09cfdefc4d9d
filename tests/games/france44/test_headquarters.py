"""Headquarters (4): no steps, a bonus in combat, dispersal and retreat."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.france44 import arrivals, headquarters, retreat
from pbem.games.france44.odds import Battle
from pbem.games.france44.state import State
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import UNITS, Side
from tests.games.france44.kit import at, game
from tests.games.playing import play

CONTROL: dict[str, Side] = {"0719": "allied", "0724": "german"}


def west(text: str, **fields: Any) -> State:
    return game(text, control=dict(CONTROL), **fields)


# --- dispersal (4.10) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "disperses"),
    [
        ("US1 1020, LXXX 1021", True),
        ("US1 1020, LXXX 1021 lost=1", True),
        ("US1 1020, LXXX 1021 lost=2", False),
        ("US1 1020, AOK7 1021", False),
        ("US1 1020, VII/US 1020 lost=2, LXXX 1021", False),
        ("US1 1020, US3 1020, LXXX 1021", True),
        ("US1 1610, LXXXI 1609", False),
    ],
)
def test_4_10_a_headquarters_alone_in_an_enemy_zone_disperses(text: str, disperses: bool) -> None:
    """Next to a full or reduced enemy, without a combat unit, not across a blocked hexside."""
    state = game(text)
    headquarters.disperse_lone(state)
    assert (state.units["US1"].place == "track") is disperses


def test_4_10_example_dispersed_in_turn_3_it_is_back_in_turn_5() -> None:
    """As an arrival in Normandy, or at a German city."""
    state = game("US1 1020, LXXX 1021, AOK7 1023, VII/US 1024", turn=3)
    headquarters.disperse_lone(state)
    assert {id: state.units[id].back for id in ("US1", "AOK7")} == {"US1": 5, "AOK7": 5}
    for turn, place in ((4, "track"), (5, "due")):
        state.turn = turn
        arrivals.announce(state)
        assert {state.units[id].place for id in ("US1", "AOK7")} == {place}
    assert state.units["US1"] in arrivals.due(state, "allied")
    assert set(arrivals.entry_hexes(state, "allied")) >= {"1309"}


def test_4_1_a_headquarters_has_no_steps() -> None:
    """It is dispersed, never eliminated, and leaves its marker behind."""
    state = game("US1 1020 unsupplied")
    headquarters.disperse(state, state.units["US1"])
    unit = state.units["US1"]
    assert (unit.place, unit.hex, unit.unsupplied) == ("track", None, False)
    assert not any(hasattr(piece, "steps") for piece in UNITS.values() if piece.hq)


# --- the bonus (4.9) ----------------------------------------------------------------------------------------


def defence(state: State, *hexes: str) -> int:
    """Strength of the defenders against 2SS, or against VII/US."""
    side: Side = "allied" if any(u.side == "allied" for u in state.at(hexes[0])) else "german"
    attacker = next(unit for unit in state.on_map() if unit.side != side)
    battle = Battle(state, hexes, (attacker,), "set_piece")
    return sum(part.value for part in battle.defence_parts(Supply(state, side)))


def test_4_9_a_headquarters_adds_three_to_units_with_it() -> None:
    """In defence without being activated; VII/US counts seven."""
    assert defence(west("VII/US 1020, 2SS 1021, US3 1018"), "1020") == 7
    assert defence(west("VII/US 1020, US1 1020, 2SS 1021"), "1020") == 10


def test_4_9_one_headquarters_at_most() -> None:
    """Three once, over two hexes too."""
    assert defence(west("VII/US 1020, US1 1020, US3 1020, 2SS 1021"), "1020") == 10
    state = west("VII/US 1020, US1 1020, V/US 1120, US3 1120, 2SS 1121")
    assert defence(state, "1020", "1120") == 7 + 6 + 3


def test_4_9_an_allied_headquarters_helps_units_that_it_could_command() -> None:
    """4.5 A Canadian one does not help Americans."""
    assert defence(west("VII/US 1020, CA1 1020, 2SS 1021, US3 1018"), "1020") == 7


def test_4_9_11_5_a_headquarters_out_of_supply_adds_nothing() -> None:
    """And the unit itself is halved, rounded up: four."""
    assert defence(game("VII/US 1020, US1 1020, 2SS 1021"), "1020") == 4


def test_11_5_defenders_out_of_supply_are_added_up_before_they_are_halved() -> None:
    """Seven and four are eleven, so six; a marker from before does not count if they are in supply again."""
    assert defence(game("VII/US 1020, 2AD/US 1020, 2SS 1021"), "1020") == 6
    assert defence(west("VII/US 1020 unsupplied, 2AD/US 1020, US3 1018, 2SS 1021"), "1020") == 11


# --- going along (4.10) -------------------------------------------------------------------------------------


def go(state: State, *ids: str, answer: str | None = None) -> list[str]:
    """The headquarters that are asked whether they go along with a retreat from 1020 to 1018."""
    units = [state.units[id] for id in ids]
    played = play(
        lambda s: retreat.go(s, units, ("1019", "1018"), 0), state, choose=lambda ask: answer or retreat.GOES
    )
    return [ask.hq for ask in played.asked("headquarters")]


def test_4_10_a_headquarters_may_retreat_with_units_that_it_could_command() -> None:
    """It need not be in the range of anything, nor activated."""
    state = game("VII/US 1020, US1 1020")
    assert go(state, "VII/US") == ["US1"]
    assert at(state, "US1") == at(state, "VII/US") == "1018"


def test_4_10_it_may_stay() -> None:
    """The owner decides."""
    state = game("VII/US 1020, US1 1020")
    go(state, "VII/US", answer=retreat.STAYS)
    assert (at(state, "US1"), at(state, "VII/US")) == ("1020", "1018")


def test_4_10_it_stays_with_units_that_it_could_not_command() -> None:
    """A Canadian headquarters and an American corps; nobody asks."""
    state = game("VII/US 1020, CA1 1020")
    assert go(state, "VII/US") == []
    assert at(state, "CA1") == "1020"
