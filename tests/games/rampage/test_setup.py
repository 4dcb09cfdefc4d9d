"""The set-up (3) as it is written, filled in and refused."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.desk import Desk, FirstOf
from pbem.engine.errors import NotAllowed
from pbem.engine.play import Answer, Decision, advance
from pbem.games.rampage.notes import Conceded, Deployed
from pbem.games.rampage.orders import Concede, Place, UseDefault
from pbem.games.rampage.setup import set_up, setup
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import AFP, BRITISH_SET_UP, CAMPAIGN, CHARTS, US_SET_UP
from tests.games.playing import opening, play
from tests.games.rampage.kit import at


def new(**options: str) -> State:
    return setup("campaign", options)


def refused(order: Place, case: str, **options: str) -> NotAllowed:
    """The set-up must refuse the order, citing the case."""
    with pytest.raises(NotAllowed) as caught:
        play(set_up, new(**options), order)
    assert caught.value.case == case, caught.value
    return caught.value


def test_3_1_to_3_3_where_the_germans_begin() -> None:
    """3.1 to 3.3, 6.4 The pocket holds 22 divisions, the pool 24, the rest wait on the turn track;
    the front runs from 1003 to 1902."""
    state = new()
    assert len(state.defenders(AFP)) == 22
    assert len(state.pool()) == 24
    assert sum(unit.place == "later" for unit in state.germans.values()) == 22
    assert state.germans["12Inf"].arrives == 4


def test_3_4_nobody_writes_anything() -> None:
    """3.4 Without orders the armies stand where the default set-up has them, all at full strength."""
    played = play(set_up, new())
    for hex, ids in CAMPAIGN.set_up.items():
        assert {unit.id for unit in played.state.at(hex)} == set(ids)
    assert all(unit.steps == 2 for unit in played.state.on_map())
    assert [note.group for note in played.of(Deployed)] == ["us", "british"]


def test_3_4_units_are_placed_and_moved_about() -> None:
    """3.4 A later line moves a unit; the rest is filled in where there is room."""
    six = ("3A", "5A", "7A", "4A", "2A", "2FrA")
    played = play(
        set_up, new(), Place(six, "1402"), Place(("3A",), "1501"), Place(("1Inf",), "1402"), UseDefault()
    )
    state = played.state
    assert at(state, "3A") == "1501" and at(state, "5A") == "1402"
    assert at(state, "90Inf") not in (None, "1402"), "the default hex is full"
    assert all(len(state.at(hex)) <= CHARTS.stacking.limit for hex in (*US_SET_UP, *BRITISH_SET_UP))


def test_3_4_each_army_group_on_its_own_ground() -> None:
    """3.4 US units do not begin in British hexes, nor British ones elsewhere,
    nor anybody behind the front."""
    refused(Place(("3A",), "1801"), "3.4")
    refused(Place(("GdsA",), "1601"), "3.4")
    refused(Place(("3A",), "1602"), "3.4")
    assert "place GdsA at 1901" in refused(Place(("GdsA",), "1902"), "3.4").legal


def test_6_2_no_seventh_unit() -> None:
    """6.2 A hex holds six units."""
    refused(Place(("3A", "5A", "7A", "4A", "2A", "2FrA", "1Inf"), "1402"), "6.2")


def test_3_2_reinforcements_are_not_set_up() -> None:
    """3.2, 7.1 Units of the turn track, the airborne army among them, wait there."""
    refused(Place(("6A",), "1402"), "3.2")
    refused(Place(("82AB",), "1402"), "3.2")


def test_two_commanders_each_place_their_own() -> None:
    """Under `command two` both seats write at the same time, and neither places units of the other."""
    request = opening(set_up, new(command="two"))
    assert isinstance(request, FirstOf)
    assert [ask.seat for ask in request.asks] == ["us", "british"]
    refused(Place(("GdsA",), "1801"), "3.4", command="two")


@pytest.mark.parametrize("seat", ["us", "british"])
def test_the_default_of_one_commander_sets_up_his_army_alone(seat: str) -> None:
    """3.4 `default` of one of two commanders places no division of the other,
    who may still place each where he likes."""
    state = new(command="two")
    script: list[Any] = [(seat, UseDefault())]

    def answers(request: Decision) -> Answer | None:
        return Answer(script.pop(0)) if script else None

    advance(set_up(state), state, answers=answers)
    assert {unit.group for unit in state.on_map()} == {seat} and len(state.on_map()) == 16


def test_options_of_the_set_up_are_legal() -> None:
    """Every order that the set-up offers passes its own check."""
    request = opening(set_up, new())
    assert isinstance(request, Desk)
    offered = [order for subject in request.subjects() for order in request.options(subject)]
    for order in offered:
        request.check(order)
    assert len(offered) == 16 * len(US_SET_UP) + 16 * len(BRITISH_SET_UP) + 1


def test_5_5_conceding_ends_the_writing() -> None:
    """5.5 Who concedes is asked nothing further."""
    played = play(set_up, new(), Concede())
    assert played.state.conceded
    assert [note.seat for note in played.of(Conceded)] == ["allied"]
