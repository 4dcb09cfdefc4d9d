"""Replacements and rebuilt units (13.0)."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44.notes import Rebuilt, Replaced
from pbem.games.normandy44.replacement import Replacements, rebuilding_cost
from pbem.games.normandy44.state import Port, Side
from tests.games.normandy44.kit import game


def desk(text: str, side: Side = "allied", **fields: object) -> Replacements:
    fields.setdefault("capacity", {"Isigny": 3})
    fields.setdefault("ports", {"Isigny": Port(left=0, worth=3)})
    return Replacements(game(text, **fields), side)  # type: ignore[arg-type]


def refused(desk: Replacements, *ids: str) -> str:
    with pytest.raises(NotAllowed) as error:
        desk.check(ids)
    assert error.value.case == "13.0"
    return error.value.text


def refused_rebuilding(desk: Replacements, *ids: str) -> str:
    with pytest.raises(NotAllowed) as error:
        desk.check_rebuilding(ids)
    assert error.value.case == "13.0"
    return error.value.text


def test_13_0_an_allied_step_costs_a_point_of_the_landing_capacity() -> None:
    found = desk("9US 0714 lost=2, 30US 0714 lost=1, 3BR 0809 lost=1")
    assert [unit.id for unit in found.eligible()] == ["9US", "30US", "3BR"]
    found.check(("9US", "3BR"))
    found.replace(("9US", "3BR"))
    state = found.state
    assert (state.units["9US"].lost, state.units["3BR"].lost) == (1, 0)
    assert state.capacity["Isigny"] == 1
    note = state.log[-1]
    assert isinstance(note, Replaced)
    assert (note.names, note.pe) == (("9US", "3BR"), 2)


def test_13_0_one_step_a_turn_for_a_unit() -> None:
    found = desk("9US 0714 lost=2")
    found.replace(("9US",))
    assert not found.eligible()
    assert "had a step" in refused(found, "9US")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9US 0714", "at full strength"),
        ("9US 0714 lost=1 acted", "moved or fought"),
        ("9US 0714 lost=1 unsupplied", "out of supply"),
        ("9US 0714 lost=1, 352ID 0914", "within 2 hexes"),
        ("9US 0714 lost=1, LXXXIV 0914", "within 2 hexes"),
        ("9US dead", "not one of your combat units"),
        ("9US reserve lost=1", "not one of your combat units"),
    ],
)
def test_13_0_who_gets_none(text: str, why: str) -> None:
    found = desk(text)
    assert not found.eligible()
    assert why in refused(found, "9US")


def test_13_0_three_hexes_from_the_enemy_is_far_enough() -> None:
    desk("9US 0714 lost=1, 352ID 1014").check(("9US",))


def test_13_0_without_capacity_no_steps() -> None:
    found = desk("9US 0714 lost=1, 30US 0714 lost=1", capacity={"Isigny": 1})
    assert "2 landing points" in refused(found, "9US", "30US")
    found.replace(("9US",))
    assert not found.eligible()
    assert "but 0 left" in refused(found, "30US")


def test_13_0_both_armies_share_the_ports_but_not_the_beaches() -> None:
    capacity = {"0617": 1, "0808": 1, "Isigny": 1}
    found = desk("9US 0714 lost=1, 30US 0714 lost=1, 3BR 0809 lost=1, 50BR 0809 lost=1", capacity=capacity)
    found.check(("9US", "30US", "3BR"))
    assert "both armies" in refused(found, "9US", "30US", "3BR", "50BR")


def test_13_0_the_germans_have_one_motorised_step_and_two_on_foot() -> None:
    text = "709ID 2019 lost=1, 77ID 2019 lost=1, 243ID 2103 lost=1, 2/2Pz 2104 lost=1, 3/2Pz 2104 lost=1"
    found = desk(text, "german")
    assert len(found.eligible()) == 5
    assert "on foot" in refused(found, "709ID", "77ID", "243ID")
    assert "motorised" in refused(found, "2/2Pz", "3/2Pz")
    found.check(("709ID", "77ID", "2/2Pz"))
    found.replace(("709ID", "2/2Pz"))
    assert [unit.id for unit in found.eligible()] == ["243ID", "77ID"]
    assert found.state.capacity == {"Isigny": 3}


@pytest.mark.parametrize(("id", "cost"), [("A/4AD", 2), ("1US", 6), ("A/2AD", 4), ("79a", 2)])
def test_13_0_a_rebuilt_unit_costs_twice_its_points(id: str, cost: int) -> None:
    """The two examples of the rulebook: a combat command costs two points, an infantry division six;
    without points, two."""
    assert rebuilding_cost(game().units[id]) == cost


def test_13_0_a_rebuilt_unit_waits_for_phase_b_of_the_next_turn_paid_for() -> None:
    found = desk("1US dead lost=3", capacity={"0617": 3, "Isigny": 3})
    assert [unit.id for unit in found.lost_units()] == ["1US"]
    found.check_rebuilding(("1US",))
    found.rebuild(("1US",))
    unit = found.state.units["1US"]
    assert (unit.place, unit.lost, unit.paid, unit.phase) == ("reserve", 0, True, "")
    assert sum(found.state.capacity.values()) == 0
    note = found.state.log[-1]
    assert isinstance(note, Rebuilt)
    assert (note.name, note.pe) == ("1US", 6)


def test_13_0_what_is_not_rebuilt() -> None:
    found = desk("1US dead, VII/US dead, 4US 0617, A/4AD dead, B/4AD dead")
    assert [unit.id for unit in found.lost_units()] == ["A/4AD", "B/4AD"]
    assert "landing points" in refused_rebuilding(found, "1US")
    assert "landing points" in refused_rebuilding(found, "A/4AD", "B/4AD")
    assert "not destroyed" in refused_rebuilding(found, "VII/US")
    assert "not destroyed" in refused_rebuilding(found, "4US")
    assert not desk("709ID dead", "german").lost_units()


def test_1_0_replacements_in_the_campaign_only() -> None:
    found = desk("9US 0717 lost=1, 1US dead", scenario="cobra", turn=8)
    assert not found.eligible()
    assert not found.lost_units()
    assert "campaign" in refused(found, "9US")
    assert "campaign" in refused_rebuilding(found, "1US")


def test_3_1_no_step_that_would_fill_a_hex_beyond_its_limit() -> None:
    """A brigade with its second step counts a point more (E1)."""
    found = desk("4US 0714, 8Armd 0714 lost=1, 27Armd 0714 lost=1, 4Armd 0714 lost=1")
    assert found.eligible() == []
    with pytest.raises(NotAllowed, match="0714 would exceed the stacking limit") as error:
        found.check(("8Armd",))
    assert error.value.case == "3.1"
    both = desk("4US 0714, 8Armd 0714 lost=1, 27Armd 0714 lost=1", capacity={"Isigny": 9})
    both.check(("8Armd",))
    with pytest.raises(NotAllowed, match="0714 would exceed the stacking limit"):
        both.check(("8Armd", "27Armd"))
