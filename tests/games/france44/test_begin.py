"""The beginning of a turn (2.0.1 to 2.0.8), with the bonuses of 12.1 and 12.2 and the offensive of 12.5."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.notes import UMPIRE
from pbem.games.france44 import begin, control
from pbem.games.france44.notes import (
    AirRolled,
    ChitsPlaced,
    Committed,
    FuehrerRaised,
    Interdicted,
    OffensiveDeclared,
    TurnPoints,
    WrittenAgain,
)
from pbem.games.france44.orders import Commit, Interdict, Offensive
from pbem.games.france44.setup import setup
from pbem.games.france44.state import SIDES, State
from pbem.games.france44.tables import ANTWERP, BREST, SAINT_NAZAIRE, TURNS, V1_SITES
from tests.games.france44.kit import OPTIONS, game
from tests.games.playing import opening, play

OCTOBER = 4


def refused(desk: begin.Commitment, order: Any) -> str:
    """The case by which an order is refused."""
    with pytest.raises(NotAllowed) as caught:
        desk.check(order)
    return caught.value.case


def taken(*hexes: str, turn: int = 2, text: str = "", **fields: Any) -> State:
    """A turn in which the Allies hold these hexes and the Germans all others."""
    state = game(text, turn=turn, **fields)
    control.begin(state)
    state.control |= dict.fromkeys(hexes, "allied")
    return state


# --- turn 1 and the turns after it ------------------------------------------------------------------------


def test_2_0_turn_1_begins_with_step_8() -> None:
    """2.0 No die for air support and no more supply than the set-up gives; chits are those of the set-up."""
    state = setup("westwall", OPTIONS)
    played = play(begin.begin, state)
    assert played.rolled() == []
    assert state.supply == TURNS[1].supply
    assert played.of(ChitsPlaced)[0].allied == 4
    assert played.of(ChitsPlaced)[0].german == 2
    assert sorted(state.cup) == ["administrative", *["allied"] * 4, *["german"] * 2]


def test_2_0_2_reaction_points_do_not_carry_over() -> None:
    """2.0.2 What is left of them is gone when a turn begins."""
    state = taken(reaction={"allied": 9, "german": 9})
    play(begin.begin, state, dice=[6])
    assert state.reaction == TURNS[2].reaction


@pytest.mark.parametrize(("die", "available"), [(5, True), (6, False)])
def test_2_0_3_a_die_for_air_support(die: int, available: bool) -> None:
    """2.0.3 August: 1 to 5."""
    state = taken(air=not available)
    played = play(begin.begin, state, dice=[die])
    assert state.air == available
    assert played.of(AirRolled)[0].available == available
    assert played.of(AirRolled)[0].roll == 1


def test_2_0_3_without_air_support_nothing_interdicts_and_markers_return() -> None:
    state = taken(interdicting=2)
    play(begin.begin, state, dice=[6])
    assert state.interdicting == 0
    assert refused(begin.Commitment(taken(air=False), "allied", 0), Interdict(1)) == "2.0.3"


@pytest.mark.parametrize("number", [1, 2])
def test_2_0_3_each_interdicting_marker_costs_two_reaction_points(number: int) -> None:
    state = taken()
    played = play(begin.begin, state, Interdict(number), dice=[1])
    assert state.reaction["german"] == TURNS[2].reaction["german"] - 2 * number
    assert state.interdicting == number
    assert played.of(Interdicted)[0].cost == 2 * number


def test_2_0_3_there_are_two_tactical_markers() -> None:
    assert refused(begin.Commitment(taken(), "allied", 0), Interdict(3)) == "2.0.3"


def test_2_0_3_german_reaction_points_never_fall_below_none() -> None:
    state = taken(rhine_crossed=2)
    play(begin.begin, state, Interdict(2), dice=[1])
    assert state.reaction["german"] == 0


def test_2_0_3_no_interdiction_in_july() -> None:
    """2.0.3, 9.2 The one marker of the first turn supports attacks."""
    desk = begin.Commitment(setup("crusade", OPTIONS), "allied", 4)
    assert desk.subjects() == ["commit"]
    assert refused(desk, Interdict(1)) == "2.0.3"


def test_2_0_4_supply_of_the_turn_is_added_to_what_is_left() -> None:
    state = taken(supply={"allied": 9, "german": 1})
    played = play(begin.begin, state, dice=[6])
    assert state.supply == {"allied": 9 + 5, "german": 1 + 2}
    note = played.of(TurnPoints)[0]
    assert (note.supply, note.gained) == (14, 5)


@pytest.mark.parametrize(
    ("turn", "text", "held", "gained"),
    [
        (OCTOBER, "", True, 4),
        (OCTOBER, "", False, 3),
        (OCTOBER, "LXXXIX 2806", True, 3),
        (OCTOBER, "AOK15 2905", True, 3),
        (7, "", True, 4),
        (3, "", True, 4),
        (8, "", True, 4),
    ],
)
def test_11_4_antwerp_is_worth_a_supply_point_from_october_to_january(
    turn: int, text: str, held: bool, gained: int
) -> None:
    """11.4 October 3(+1): with Antwerp in Allied hands and no German piece in the estuary.
    Nothing is added in September and February (4)."""
    state = taken(*([ANTWERP] if held else []), turn=turn, text=text)
    play(begin.begin, state, dice=[6])
    assert state.supply["allied"] == gained


def test_2_0_5_reaction_points_are_those_of_the_turn_track() -> None:
    state = taken(turn=6)
    played = play(begin.begin, state, dice=[6])
    assert state.reaction == {"allied": 3, "german": 8}
    assert [note.reaction for note in played.of(TurnPoints)] == [3, 8]


def test_12_1_brittany_is_worth_three_reaction_points() -> None:
    """12.1 St. Nazaire and Brest together; lost again as soon as one of them is."""
    for hexes, bonus in (((SAINT_NAZAIRE, BREST), 3), ((SAINT_NAZAIRE,), 0), ((BREST,), 0)):
        state = taken(*hexes)
        play(begin.begin, state, dice=[6])
        assert state.reaction["allied"] == TURNS[2].reaction["allied"] + bonus


def test_12_2_the_v_1_sites_are_worth_two_and_five_with_brittany() -> None:
    """12.2, 12.1 All five ports; the marker with both shows +5."""
    sites = tuple(V1_SITES.values())
    assert len(sites) == 5
    for hexes, bonus in ((sites, 2), (sites[1:], 0), ((*sites, SAINT_NAZAIRE, BREST), 5)):
        state = taken(*hexes)
        played = play(begin.begin, state, dice=[6])
        assert state.reaction["allied"] == TURNS[2].reaction["allied"] + bonus
        parts = {part.case for part in played.of(TurnPoints)[0].parts}
        assert ("12.2" in parts) == (sites[0] in hexes)


def test_12_9_no_german_reaction_points_after_the_rhine() -> None:
    state = taken(turn=9, rhine_crossed=8)
    play(begin.begin, state, dice=[6])
    assert state.reaction == {"allied": TURNS[9].reaction["allied"], "german": 0}


# --- chits and commitment -----------------------------------------------------------------------------------


def test_2_0_6_points_committed_in_the_last_turn_become_chits() -> None:
    state = taken(committed={"allied": 3, "german": 1})
    played = play(begin.begin, state, dice=[6])
    assert [state.cup.count(side) for side in ("allied", "german")] == [3, 1]
    assert state.committed == {"allied": 0, "german": 0}
    assert (played.of(ChitsPlaced)[0].allied, played.of(ChitsPlaced)[0].german) == (3, 1)


def test_2_0_6_the_committed_marker_goes_back_to_nought_before_it_is_moved_again() -> None:
    state = taken(committed={"allied": 3, "german": 1})
    assert begin.place_chits(state) == {"allied": 3, "german": 1}
    assert state.committed == {"allied": 0, "german": 0}


def test_2_0_6_without_committed_points_there_are_no_initiative_chits() -> None:
    state = taken(committed={"allied": 0, "german": 0})
    play(begin.begin, state, dice=[6])
    assert state.cup == ["administrative"]


def test_2_0_7_the_administrative_chit_is_in_the_cup() -> None:
    state = taken(committed={"allied": 5, "german": 3})
    play(begin.begin, state, dice=[6])
    assert state.cup.count("administrative") == 1


def test_2_0_8_committed_points_are_chits_of_the_next_turn_only() -> None:
    """2.0.8 They leave the supply track now, and the cup of this turn does not know them."""
    state = taken(supply={"allied": 4, "german": 2})
    play(begin.begin, state, Commit(4), None, Commit(1), dice=[6])
    assert state.committed == {"allied": 4, "german": 1}
    assert state.supply == {"allied": 4 + 5 - 4, "german": 2 + 2 - 1}
    assert state.cup == ["administrative"]


def test_2_0_8_the_last_line_counts_and_nobody_has_to_commit() -> None:
    state = taken(supply={"allied": 4, "german": 2})
    played = play(begin.begin, state, Commit(4), Commit(2), dice=[6])
    assert state.committed == {"allied": 2, "german": 0}
    (note,) = played.of(WrittenAgain)
    assert (note.readers, note.was, note.now) == (("allied",), 4, 2)


def test_2_0_8_five_and_three_points_at_most_and_no_more_than_there_are() -> None:
    rich = taken(supply={"allied": 9, "german": 9})
    for side, most in (("allied", 5), ("german", 3)):
        desk = begin.Commitment(rich, side, 0)  # type: ignore[arg-type]
        desk.check(Commit(most))
        assert refused(desk, Commit(most + 1)) == "2.0.8"
        assert Commit(most) in desk.options("commit")
        assert Commit(most + 1) not in desk.options("commit")
    poor = begin.Commitment(taken(supply={"allied": 2, "german": 0}), "allied", 0)
    poor.check(Commit(2))
    assert refused(poor, Commit(3)) == "2.0.8"


def test_2_0_8_nothing_is_committed_in_the_last_turn() -> None:
    """There is no next turn for which it could be; nobody is asked."""
    for scenario, turn in (("falaise", 1), ("westwall", 3)):
        state = game(scenario=scenario, turn=turn, supply={"allied": 5, "german": 5})
        for side in SIDES:
            desk = begin.Commitment(state, side, 3)
            assert "commit" not in desk.subjects() and refused(desk, Commit(1)) == "2.0.8"


def test_2_0_8_nobody_is_asked_who_has_nothing_to_decide() -> None:
    state = taken(supply={"allied": 0, "german": 0}, air=False)
    assert begin.Commitment(state, "german", 2).subjects() == []
    assert opening(begin.begin, setup("crusade", OPTIONS)) is not None


def test_2_0_8_what_a_side_commits_is_its_secret() -> None:
    state = taken()
    played = play(begin.begin, state, Commit(2), None, Commit(1), dice=[6])
    assert [note.side for note in played.of(Committed, "allied")] == ["allied"]
    assert [note.side for note in played.of(Committed, "german")] == ["german"]
    assert len(played.of(Committed, UMPIRE)) == 2


# --- the offensive (12.5), Fuehrer divisions ----------------------------------------------------------------


def test_12_5_the_offensive_takes_two_chits_out_of_the_cup() -> None:
    state = taken(turn=OCTOBER, committed={"allied": 2, "german": 3})
    played = play(begin.begin, state, None, Offensive(), dice=[6])
    assert state.cup.count("german") == 1
    assert (state.bulge, state.bulge_points) == (2, True)
    assert played.of(OffensiveDeclared)


@pytest.mark.parametrize(
    ("turn", "chits", "may"), [(3, 3, False), (4, 2, True), (7, 2, True), (8, 3, False), (6, 1, False)]
)
def test_12_5_from_october_to_january_with_two_chits_in_the_cup(turn: int, chits: int, may: bool) -> None:
    desk = begin.Commitment(taken(turn=turn), "german", chits)
    assert ("offensive" in desk.subjects()) == may
    if may:
        desk.check(Offensive())
    else:
        assert refused(desk, Offensive()) == "12.5"


def test_12_5_the_offensive_is_the_german_players_choice() -> None:
    """12.0 Nothing happens unless it is declared."""
    state = taken(turn=OCTOBER, committed={"allied": 2, "german": 3})
    play(begin.begin, state, dice=[6])
    assert (state.bulge, state.cup.count("german")) == (0, 3)


def test_10_1_1_a_fuehrer_division_comes_to_the_eliminated_box_in_its_turn() -> None:
    state = taken(turn=5, text="Kurmark track back=5, Donau track back=6")
    played = play(begin.begin, state, dice=[6])
    assert state.units["Kurmark"].place == "eliminated"
    assert state.units["Kurmark"].back == 0
    assert state.units["Donau"].place == "track"
    assert [note.name for note in played.of(FuehrerRaised)] == ["Kurmark"]


def test_9_2_a_new_turn_frees_the_heavy_bombers() -> None:
    state = taken(heavy_used=True)
    play(begin.begin, state, dice=[6])
    assert not state.heavy_used
