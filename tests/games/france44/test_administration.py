"""The administrative phase (10.1): its segments in their order."""

from __future__ import annotations

import pytest

from pbem.engine.desk import FirstOf
from pbem.games.france44 import administration, control
from pbem.games.france44.notes import (
    Dispersed,
    Eliminated,
    Entered,
    Replaced,
    Retreated,
    SetUpSouth,
    StepsLost,
    SupplyJudged,
)
from pbem.games.france44.orders import Enter, Replace
from pbem.games.france44.state import State
from tests.games.france44.kit import at, game
from tests.games.playing import Played, play


def sound(text: str = "", *, turn: int = 2) -> State:
    state = game(text, turn=turn)
    control.begin(state)
    return state


def phase(state: State, *orders: Replace | Enter | None) -> Played[State]:
    return play(administration.administration, state, *orders)


def test_10_1_the_segments_in_their_order() -> None:
    """10.1 Supply and attrition, replacements, the south, German and then Allied arrivals."""
    state = sound("V/US 1207 lost=1, US1 1207, 2AD/US 4404 unsupplied", turn=3)
    played = play(
        administration.administration,
        state,
        Replace("V/US", 1),
        *[None] * 3,
        Enter(("LIII",), "3510"),
        None,
        Enter(("10AD/US",), "1309"),
    )
    kinds = [(type(note), getattr(note, "side", "")) for note in played.notes]
    places = [
        kinds.index(each)
        for each in (
            (SupplyJudged, "german"),
            (StepsLost, "allied"),
            (Replaced, "allied"),
            (SetUpSouth, "german"),
            (SetUpSouth, "allied"),
            (Retreated, "german"),
            (Entered, "german"),
            (Entered, "allied"),
        )
        if each in kinds
    ]
    assert len(places) >= 7
    assert places == sorted(places)


@pytest.mark.parametrize("turn", [2, 4])
def test_10_1_southern_arrivals_come_in_september_only(turn: int) -> None:
    state = sound(turn=turn)
    assert phase(state).of(SetUpSouth) == []
    assert not state.south_open


def test_10_1_1_supply_is_judged_before_replacements_are_given() -> None:
    """10.1.1, 11.5 A unit back in supply loses its marker first, and can then have replacements."""
    state = sound("V/US 1207 lost=1 unsupplied, US1 1207")
    phase(state, Replace("V/US", 1))
    assert (state.units["V/US"].lost, state.units["V/US"].unsupplied) == (0, False)


def test_10_1_1_a_unit_lost_to_attrition_is_not_raised_in_the_same_phase() -> None:
    """10.1.1, 10.1.2 Afterwards it lies in the box with the others."""
    state = sound("2AD/US 4404 lost=2 unsupplied")
    played = phase(state)
    assert played.of(Eliminated)[0].case == "10.1.1"
    assert state.units["2AD/US"].place == "eliminated"
    assert not [request for request in played.requests if getattr(request, "section", "") == "administration"]
    assert not [request for request in played.requests if isinstance(request, FirstOf)]


def test_10_1_2_a_unit_raised_again_comes_in_in_the_same_phase() -> None:
    state = sound("V/US eliminated")
    phase(state, Replace("V/US", 2), None, None, Enter(("V/US",), "1207"))
    assert (at(state, "V/US"), state.units["V/US"].lost, state.units["V/US"].rebuilt) == ("1207", 1, False)


def test_10_1_4_germans_come_before_the_allies() -> None:
    state = sound(turn=4)
    played = phase(state, Enter(("LXIII",), "3510"), None, Enter(("9AD/US",), "1309"))
    assert [note.side for note in played.of(Entered)] == ["german", "allied"]


def test_4_10_a_headquarters_left_alone_disperses_in_the_administrative_phase_too() -> None:
    """10.1.1 Its only companion is lost to attrition beside the enemy."""
    state = sound("US3 4404, 2AD/US 4404 lost=2 unsupplied, LXXXIV 4405")
    played = phase(state)
    assert "US3" in [note.name for note in played.of(Dispersed)]
