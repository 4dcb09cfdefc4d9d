"""Replacements (10.1.2), after the Rhine (12.9), Fuehrer divisions (3.11) and the 18th Airborne (3.12)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import administration, control
from pbem.games.france44.notes import Replaced
from pbem.games.france44.orders import Replace
from pbem.games.france44.replacement import Replacements, points, pool_of
from pbem.games.france44.tables import Side
from tests.games.france44.kit import game
from tests.games.playing import play

HOME = "US1 1207, BR2 1409"


def desk(text: str, side: Side = "allied", **fields: Any) -> Replacements:
    state = game(f"{HOME}, {text}", **fields)
    control.begin(state)
    return Replacements(state, side)


def refused(found: Replacements, *orders: Replace) -> str:
    """The case by which the last of these orders is refused; the others are carried out."""
    for order in orders[:-1]:
        found.check(order)
        found.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        found.check(orders[-1])
    return caught.value.case


def given(found: Replacements, *orders: Replace) -> list[Replaced]:
    for order in orders:
        found.check(order)
        found.carry_out(order)
    return [note for note in found.state.log if isinstance(note, Replaced)]


# --- points -------------------------------------------------------------------------------------------------


def test_10_1_2_armour_and_infantry_americans_and_other_allies_have_points_of_their_own() -> None:
    """10.1.2, 3.6 August: 2 and 4 American, 1 and 2 Allied points."""
    assert points(game(turn=2)) == {
        ("us", "armour"): 2,
        ("us", "infantry"): 4,
        ("allied", "armour"): 1,
        ("allied", "infantry"): 2,
        ("german", "armour"): 1,
        ("german", "infantry"): 2,
    }
    units = game().units
    kinds = {
        id: pool_of(units[id]) for id in ("V/US", "2AD/US", "XXX/BR", "2DB/FR", "1AD/PO", "LXXXIV", "3PG")
    }
    assert kinds == {
        "V/US": ("us", "infantry"),
        "2AD/US": ("us", "armour"),
        "XXX/BR": ("allied", "infantry"),
        "2DB/FR": ("allied", "armour"),
        "1AD/PO": ("allied", "armour"),
        "LXXXIV": ("german", "infantry"),
        "3PG": ("german", "armour"),
    }


def test_10_1_2_points_of_one_kind_are_no_good_for_another() -> None:
    found = desk("2AD/US 1207 lost=2, 3AD/US 1207 lost=2, V/US 1207 lost=1, 11AD/BR 1409 lost=2")
    assert refused(found, Replace("2AD/US", 2), Replace("3AD/US", 1)) == "10.1.2"
    found.check(Replace("V/US", 1))
    found.check(Replace("11AD/BR", 1))
    assert refused(found, Replace("11AD/BR", 2)) == "10.1.2"


def test_10_1_2_points_that_are_not_used_are_lost() -> None:
    """10.1.2 Every administrative phase begins with those of its turn."""
    state = game(f"{HOME}, 2AD/US 1207 lost=2")
    control.begin(state)
    play(administration.administration, state, Replace("2AD/US", 1))
    state.turn = 3
    assert Replacements(state, "allied").left == points(state)


# --- units on the map ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lost", "number", "now"), [(2, 1, "reduced"), (2, 2, "full"), (1, 1, "full")])
def test_10_1_2_a_point_is_a_step(lost: int, number: int, now: str) -> None:
    """10.1.2 One or two for a cadre, one for a reduced unit."""
    found = desk(f"V/US 1207 lost={lost}")
    (note,) = given(found, Replace("V/US", number))
    assert (note.now, note.rebuilt) == (now, False)
    assert found.state.units["V/US"].lost == lost - number


@pytest.mark.parametrize(("lost", "number"), [(1, 2), (2, 3), (0, 1)])
def test_10_1_2_no_more_points_than_steps_lost(lost: int, number: int) -> None:
    assert refused(desk(f"V/US 1207 lost={lost}"), Replace("V/US", number)) == "10.1.2"


def test_10_1_2_a_unit_on_the_map_must_be_in_the_supply_of_a_headquarters() -> None:
    """10.1.2, 4.6 Next to a source is not enough; nor is a headquarters that could not command it."""
    state = game("CA1 1207, V/US 1207 lost=1, XXX/BR 1207 lost=1, XIX/US 1409 lost=1")
    control.begin(state)
    found = Replacements(state, "allied")
    assert found.supply.has(state.units["V/US"])
    assert refused(found, Replace("V/US", 1)) == "10.1.2"
    assert refused(found, Replace("XIX/US", 1)) == "10.1.2"
    found.check(Replace("XXX/BR", 1))


def test_11_5_no_replacements_for_a_marked_unit() -> None:
    assert refused(desk("V/US 1207 lost=1 unsupplied"), Replace("V/US", 1)) == "11.5"


def test_4_1_headquarters_have_no_steps() -> None:
    assert refused(desk(""), Replace("US1", 1)) == "10.1.2"


# --- units in the eliminated box ----------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "lost", "now"), [(1, 2, "cadre"), (2, 1, "reduced"), (3, 0, "full")])
def test_10_1_2_an_eliminated_unit_is_raised_and_comes_in_at_once(number: int, lost: int, now: str) -> None:
    found = desk("V/US eliminated")
    (note,) = given(found, Replace("V/US", number))
    unit = found.state.units["V/US"]
    assert (unit.lost, unit.place, unit.rebuilt) == (lost, "due", True)
    assert (note.now, note.rebuilt) == (now, True)


def test_10_1_2_points_may_be_added_to_a_unit_that_has_just_been_raised() -> None:
    found = desk("V/US eliminated")
    given(found, Replace("V/US", 1), Replace("V/US", 2))
    assert (found.state.units["V/US"].lost, found.left["us", "infantry"]) == (0, 1)
    assert refused(found, Replace("V/US", 1)) == "10.1.2"


def test_10_1_1_who_has_fallen_to_attrition_waits_a_turn() -> None:
    """10.1.1, 10.1.2 It lies beside the box until the segment is over."""
    found = desk("V/US fresh")
    assert refused(found, Replace("V/US", 1)) == "10.1.1"
    state = game("V/US fresh")
    play(administration.replacements, state)
    assert state.units["V/US"].place == "eliminated"


@pytest.mark.parametrize("place", ["later", "due", "gone"])
def test_10_1_2_no_points_for_who_is_not_in_the_game(place: str) -> None:
    found = desk("")
    found.state.units["XV/US"].place = place  # type: ignore[assignment]
    assert refused(found, Replace("XV/US", 1)) == "10.1.2"


def test_10_1_2_both_sides_replace_at_the_same_time() -> None:
    state = game("V/US eliminated, LXXXIV eliminated")
    control.begin(state)
    played = play(administration.replacements, state, Replace("V/US", 2), None, Replace("LXXXIV", 1))
    assert [(note.side, note.points) for note in played.of(Replaced)] == [("allied", 2), ("german", 1)]


def test_10_1_2_nobody_replaces_units_of_the_other_side() -> None:
    assert refused(desk("LXXXIV eliminated"), Replace("LXXXIV", 1)) == "10.1.2"


# --- Fuehrer divisions, the Rhine, the Airborne -------------------------------------------------------------


def test_3_11_a_fuehrer_division_costs_one_point_and_has_one_step() -> None:
    found = desk("Kurmark eliminated", "german", turn=10, rhine_crossed=9)
    assert found.most(found.state.units["Kurmark"]) == 1
    (note,) = given(found, Replace("Kurmark", 1))
    assert note.now == "full"
    assert found.state.units["Kurmark"].lost == 0


def test_3_11_none_is_raised_before_the_rhine_is_crossed_but_by_attrition() -> None:
    found = desk("Donau eliminated", "german", turn=8)
    assert refused(found, Replace("Kurmark", 1)) == "10.1.2"
    found.check(Replace("Donau", 1))


def test_12_9_after_the_rhine_replacements_raise_fuehrer_divisions_only() -> None:
    text = "Kurmark eliminated, LXXXIV eliminated, 2SS 3708 lost=1, AOK1 3708"
    found = desk(text, "german", turn=10, rhine_crossed=9)
    assert list(found.subjects()) == ["Kurmark"]
    assert refused(found, Replace("LXXXIV", 1)) == "12.9"
    assert refused(found, Replace("2SS", 1)) == "12.9"
    assert "V/US" in desk("V/US 1207 lost=1", turn=10, rhine_crossed=9).subjects()


def test_3_12_the_airborne_is_rebuilt_in_its_box() -> None:
    """3.12 It is in supply there, reduced or destroyed."""
    found = desk("XVIII/US box lost=1")
    given(found, Replace("XVIII/US", 1))
    assert (found.state.units["XVIII/US"].place, found.state.units["XVIII/US"].lost) == ("box", 0)
    found = desk("XVIII/US eliminated", turn=5)
    given(found, Replace("XVIII/US", 2))
    unit = found.state.units["XVIII/US"]
    assert (unit.place, unit.lost, unit.rebuilt) == ("box", 1, False)


def test_3_12_after_varsity_it_is_rebuilt_like_other_infantry() -> None:
    found = desk("XVIII/US eliminated", turn=10, drop_stays=True)
    given(found, Replace("XVIII/US", 2))
    assert found.state.units["XVIII/US"].place == "due"
    found = desk("XVIII/US eliminated", turn=10)
    given(found, Replace("XVIII/US", 2))
    assert found.state.units["XVIII/US"].place == "box"


def test_10_1_2_what_can_be_replaced_is_offered() -> None:
    found = desk("V/US 1207 lost=2, VII/US 1207, XIX/US eliminated, 2AD/US 1207 lost=1")
    assert list(found.subjects()) == ["V/US", "XIX/US", "2AD/US"]
    assert found.options("XIX/US") == [Replace("XIX/US", number) for number in (1, 2, 3)]
