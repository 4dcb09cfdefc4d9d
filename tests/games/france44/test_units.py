"""Combat units (3): types, steps, nations, morale, strengths, green units, Fuehrer divisions,
the 18th Airborne."""

from __future__ import annotations

import pytest

from pbem.games.france44 import activation, airborne, losses, replacement
from pbem.games.france44.orders import Activate, Attack
from pbem.games.france44.state import State
from pbem.games.france44.tables import UNITS, Counter, Side
from tests.games.france44.kit import game
from tests.games.playing import play

COUNTERS = {piece.id: piece for piece in UNITS.values() if isinstance(piece, Counter)}


def test_3_1_four_symbols_two_arms() -> None:
    """Infantry is of corps size, armour of division size."""
    arms = {"infantry": "infantry", "paratroop": "infantry", "armour": "armour", "mechanized": "armour"}
    assert {counter.kind for counter in COUNTERS.values()} == set(arms)
    for counter in COUNTERS.values():
        assert counter.arm == arms[counter.kind]
        assert counter.size == ("corps" if counter.arm == "infantry" else "division")


def test_3_2_three_steps_or_one() -> None:
    """Nine Fuehrer divisions have a single one; a cadre has a strength of 1 either way."""
    single = [id for id, counter in COUNTERS.items() if len(counter.steps) == 1]
    assert len(single) == 9 and all(COUNTERS[id].fuehrer for id in single)
    rest = [counter for counter in COUNTERS.values() if not counter.fuehrer]
    assert all(len(counter.steps) == 3 and counter.steps[2] == (1, 1) for counter in rest)


def test_3_2_below_cadre_a_unit_is_eliminated() -> None:
    """Step by step; the morale stays what it was."""
    state = game("VII/US 1020")
    unit = state.units["VII/US"]
    seen = []
    for _ in range(3):
        seen.append((unit.lost, unit.cadre, unit.strength(False), unit.morale))
        losses.lose(state, {"VII/US": 1}, "1020", "combat")
    assert seen == [(0, False, 7, 4), (1, False, 4, 4), (2, True, 1, 4)]
    assert (unit.place, unit.hex, state.losses) == ("eliminated", None, {"allied": 1})


def test_3_8_set_piece_and_mobile_strength() -> None:
    """Infantry is worth more in the first, armour in the second."""
    state = game("VII/US 1020, 2AD/US 1020 lost=1")
    assert [state.units["VII/US"].strength(mobile) for mobile in (False, True)] == [7, 3]
    assert [state.units["2AD/US"].strength(mobile) for mobile in (False, True)] == [2, 5]


def test_3_6_replacements_and_command_go_by_nation() -> None:
    """Americans have points of their own; French and Poles draw on those of the other Allies."""
    state = game()
    pools = {
        id: replacement.pool_of(state.units[id])[0] for id in ("VII/US", "2DB/FR", "1AD/PO", "XXX/BR", "LXXX")
    }
    assert pools == {
        "VII/US": "us",
        "2DB/FR": "allied",
        "1AD/PO": "allied",
        "XXX/BR": "allied",
        "LXXX": "german",
    }


def test_3_7_3_10_a_green_unit_has_a_morale_of_one() -> None:
    """Whatever is printed on the counter that replaces it."""
    state = game("III/US 1020 green")
    assert state.units["III/US"].morale == 1
    state.units["III/US"].green = False
    assert state.units["III/US"].morale == COUNTERS["III/US"].morale == 3


def test_3_10_green_units_are_american_infantry() -> None:
    """No others have an asterisk."""
    green = [counter for counter in COUNTERS.values() if counter.green]
    assert green
    assert all((counter.nation, counter.arm) == ("us", "infantry") for counter in green)


def fought(text: str, hq: str, hex: str, *ids: str, side: Side, dice: tuple[int, ...]) -> State:
    """A set piece attack in box 1; the dice are morale and hits of the attacker, then of the defender."""
    state = game(text, control={"0719": "allied", "0724": "german"})
    orders = (Activate(hq, ids), Attack((hex,), ids, 1, stay=True))
    play(lambda s: activation.initiative(s, side), state, *orders, dice=dice)
    return state


@pytest.mark.parametrize(("defender", "tried"), [("LXXX 1021 lost=2", True), ("LXXX 1021, 2SS 1021", False)])
def test_3_10_a_green_attacker_is_tried_when_the_hex_is_vacated(defender: str, tried: bool) -> None:
    """Here by elimination; the steps that it has lost stay lost."""
    text = f"US1 1019, III/US 1020 green lost=1, VII/US 1020, {defender}"
    state = fought(text, "US1", "1021", "III/US", "VII/US", side="allied", dice=(1, 1, 1, 1))
    unit = state.units["III/US"]
    assert (not unit.green) is tried
    assert state.tried == (["III/US"] if tried else [])
    assert unit.lost >= 1


@pytest.mark.parametrize(("die", "tried"), [(1, False), (4, True)])
def test_3_10_a_green_defender_is_tried_when_the_attacker_loses_two_steps(die: int, tried: bool) -> None:
    """In that one combat: eight against six, both morale tests passed, one hit or two."""
    text = "PzWest 1022, 2SS 1021, 12SS 1021, III/US 1020 green, US1 1018"
    state = fought(text, "PzWest", "1020", "2SS", "12SS", side="german", dice=(1, die, 1, 1))
    unit = state.units["III/US"]
    assert (not unit.green) is tried
    assert unit.lost == 1


def test_3_10_a_green_unit_that_is_eliminated_comes_back_tried() -> None:
    """Whoever did it."""
    state = game("III/US 1020 green lost=2")
    losses.lose(state, {"III/US": 1}, "1020", "combat")
    assert state.units["III/US"].place == "eliminated"
    assert not state.units["III/US"].green and state.tried == ["III/US"]


def _fuehrer_points(state: State, id: str) -> int:
    return replacement.Replacements(state, "german").most(state.units[id])


def test_3_11_fuehrer_divisions_are_raised_for_one_point_from_the_box() -> None:
    """Nine of one step; once the Rhine is crossed nothing else is raised."""
    state = game("Clausewitz eliminated, 2SS eliminated", turn=8, rhine_crossed=8)
    assert _fuehrer_points(state, "Clausewitz") == 1
    assert _fuehrer_points(state, "2SS") == 0
    state = game("2SS eliminated", turn=8)
    assert _fuehrer_points(state, "2SS") > 0
    assert _fuehrer_points(state, "Holstein") == 0
    assert sum(counter.fuehrer for counter in COUNTERS.values()) == 9


# --- the 18th Airborne (3.12) -------------------------------------------------------------------------------


def test_3_12_after_market_garden_the_airborne_goes_back_to_its_box() -> None:
    """With the steps that it has lost; destroyed, it does not."""
    state = game("US1 1018, XVIII/US box lost=1", turn=4)
    airborne.drop(state, "1020")
    assert (state.units["XVIII/US"].hex, state.units["XVIII/US"].place) == ("1020", "map")
    airborne.lift(state)
    unit = state.units["XVIII/US"]
    assert (unit.place, unit.hex, unit.lost) == ("box", None, 1)
    airborne.drop(state, "1020")
    losses.lose(state, {"XVIII/US": 3}, "1020", "combat")
    airborne.lift(state)
    assert unit.place == "eliminated"


def test_3_12_after_varsity_it_stays() -> None:
    """12.4 In April or May, like any other infantry."""
    state = game("US1 1018, XVIII/US box", turn=10)
    airborne.drop(state, "1020")
    airborne.lift(state)
    assert (state.units["XVIII/US"].place, state.units["XVIII/US"].hex) == ("map", "1020")
    assert not state.jumped and state.drop is None


def test_3_12_it_is_refitted_in_the_box() -> None:
    """There it is in supply."""
    state = game("XVIII/US box lost=1", turn=4)
    assert replacement.Replacements(state, "allied").most(state.units["XVIII/US"]) == 1
