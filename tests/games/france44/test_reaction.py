"""Reaction (5.2): an army for three points, or up to three pieces for one each."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.france44 import control, reaction
from pbem.games.france44.notes import Activated, BoxEntered, Moved, PhasePassed, PieceActivated
from pbem.games.france44.orders import Activate, Administrative, Attack, Denial, Increment, Move, Piece, React
from pbem.games.france44.reaction import Reaction
from pbem.games.france44.state import State
from tests.games.france44.kit import at, game
from tests.games.playing import Played, opening, play

FRONT = "US1 1207, XIX/US 1207, 2AD/US 1207, V/US 1309, 3AD/US 1309, BR2 1409, AOK7 1412, LXXXIV 1411"


def front(text: str = "", **fields: Any) -> State:
    state = game(f"{FRONT}, {text}", **fields)
    control.begin(state)
    return state


async def allied(state: State) -> None:
    await reaction.opportunity(state, "allied", chit="german")


def react(state: State, *orders: Any, dice: Any = ()) -> Played[State]:
    """The Allies react with these orders."""
    return play(allied, state, React(), *orders, dice=dice)


def refused(state: State, *orders: Any) -> str:
    """The case by which the last of these orders is refused."""
    with pytest.raises(NotAllowed) as caught:
        react(state, *orders)
    return caught.value.case


# --- whether to react --------------------------------------------------------------------------------------


def test_5_2_nobody_has_to_spend_a_point() -> None:
    """5.2 Without orders and without an answer nothing is spent."""
    state = front()
    played = play(allied, state)
    (asked,) = played.asked("reaction")
    assert asked.options == ("none", "deny", "react")
    assert asked.army == ("US1", "BR2")
    assert asked.what == "Allied reaction"
    assert asked.intro == "After the German chit: 3 reaction points in hand [5.1]"
    told = asked.says("react")
    assert 'a point for each unit, at most 3, or 3 for an army (US1, BR2); for example "piece V/US"' in told
    assert re.search(r'"inc 1: move V/US to \d{4}"$', told)
    assert asked.says("none") == "do nothing; 3 points left" and asked.says("deny")
    assert state.reaction["allied"] == 3
    assert played.of(PhasePassed)[0].what == "reaction"


@pytest.mark.parametrize(
    ("chit", "told"),
    [
        (
            "allied",
            "After your own chit, because the enemy spent nothing: 3 reaction points in hand [5.1]",
        ),
        ("german", "After the German chit, Caen (1409) lost: 3 reaction points in hand [5.1]"),
        (
            "final",
            "The last reaction of the turn: 3 reaction points in hand; "
            "unspent points are lost [2.0.10, 2.0.11]",
        ),
        ("offensive", "The offensive opens with a reaction: 3 reaction points in hand [12.5]"),
    ],
)
def test_5_2_the_occasion_of_a_reaction_is_told(chit: str, told: str) -> None:
    fallen = ["1409"] if chit == "german" else []
    played = play(lambda s: reaction.opportunity(s, "allied", chit=chit, fallen=fallen), front())
    assert played.asked("reaction")[0].intro == told


@pytest.mark.parametrize("chit", ["allied", "final", "offensive"])
def test_5_2_a_point_denies_only_after_a_chit_of_the_other_side(chit: str) -> None:
    """5.2, 2.0.10 Where nobody reacts after oneself it would be wasted, and is not offered."""
    played = play(lambda s: reaction.opportunity(s, "allied", chit=chit), front())
    assert played.asked("reaction")[0].options == ("none", "react")


def test_5_2_what_is_written_is_not_asked() -> None:
    state = front()
    played = play(allied, state, Denial())
    assert played.asked("reaction") == []
    assert state.reaction["allied"] == 2
    assert played.of(PhasePassed)[0].what == "denied"


def test_5_2_without_points_there_is_no_opportunity() -> None:
    assert opening(allied, front(reaction={"allied": 0, "german": 3})) is None


def test_5_2_points_are_those_of_the_turn_track() -> None:
    """5.2 Two points left: no army, and an opportunity ends with the second piece."""
    state = front(reaction={"allied": 2, "german": 3})
    (asked,) = play(allied, state).asked("reaction")
    assert (asked.points, asked.army) == (2, ())
    react(state, Piece("V/US"), Piece("3AD/US"))
    assert state.reaction["allied"] == 0


# --- an army ------------------------------------------------------------------------------------------------


def test_5_2_an_army_reacts_for_three_points() -> None:
    state = front(reaction={"allied": 5, "german": 0})
    played = react(state, Activate("US1", ("XIX/US", "2AD/US")), Move(("2AD/US",), ("1208",), 1))
    assert state.reaction["allied"] == 2
    (note,) = played.of(Activated)
    assert (note.case, note.cost, note.names) == ("5.2", 3, ("XIX/US", "2AD/US"))


def test_5_2_an_army_needs_three_points() -> None:
    state = front(reaction={"allied": 2, "german": 0})
    assert refused(state, Activate("US1", ("XIX/US",))) == "5.2"
    assert not [subject for subject in Reaction(state, "allied").subjects() if subject.startswith("army")]


def test_5_2_a_point_spent_rules_out_an_army() -> None:
    """5.2 That would be four points."""
    for points in (3, 9):
        with pytest.raises(NotAllowed, match="before any of them is spent"):
            react(
                front(reaction={"allied": points, "german": 0}), Piece("V/US"), Activate("US1", ("XIX/US",))
            )


def test_5_2_one_army_and_nothing_else() -> None:
    many = {"allied": 9, "german": 0}
    assert refused(front(reaction=many), Activate("US1", ("XIX/US",)), Activate("BR2", ("V/US",))) == "5.2"
    with pytest.raises(NotAllowed, match="an army has reacted"):
        react(front(reaction=many), Activate("US1", ("XIX/US",)), Piece("V/US"))


def test_11_5_an_army_needs_supply() -> None:
    state = front("US3 4404, 5AD/US 4404")
    assert refused(state, Activate("US3", ("5AD/US",))) == "11.5"


# --- single pieces ------------------------------------------------------------------------------------------


def test_5_2_up_to_three_pieces_one_after_another() -> None:
    state = front("VII/US 1207", reaction={"allied": 9, "german": 0})
    played = react(
        state,
        Piece("V/US"),
        Move(("V/US",), ("1310",), 1),
        Piece("2AD/US"),
        Move(("2AD/US",), ("1208",), 1),
        Piece("XIX/US"),
    )
    assert [note.left for note in played.of(PieceActivated)] == [8, 7, 6]
    assert refused(front("VII/US 1207"), *map(Piece, ("V/US", "2AD/US", "XIX/US", "VII/US"))) == "5.2"


def test_5_2_the_second_point_may_be_spent_after_the_first_piece_has_acted() -> None:
    """5.2 Points are not declared beforehand: each piece begins the track anew."""
    played = react(front(), Piece("V/US"), Increment(1), Piece("3AD/US"), Move(("3AD/US",), ("1310",), 4))
    assert [note.box for note in played.of(BoxEntered)] == [1, 4]


def test_5_2_a_unit_reacts_once_in_a_phase() -> None:
    assert refused(front(), Piece("V/US"), Piece("V/US")) == "5.2"
    assert "piece V/US" not in _after(Piece("V/US")).subjects()


def _after(*orders: Any) -> Reaction:
    """The desk after these orders."""
    desk = Reaction(front(), "allied")
    for order in orders:
        with pytest.raises(StopIteration):
            desk.carry_out(order).send(None)
    return desk


def test_5_2_a_piece_runs_the_track_alone() -> None:
    assert refused(front(), Piece("V/US"), Move(("3AD/US",), ("1310",), 1)) == "4.7"


def test_5_2_a_piece_may_attack() -> None:
    state = front("116Pz 1209")
    played = react(state, Piece("3AD/US"), Attack(("1209",), ("3AD/US",), 1, stay=True), dice=[1, 1, 6, 6])
    assert [note.box for note in played.of(BoxEntered)] == [1]


def test_5_2_a_headquarters_only_moves() -> None:
    """5.2, 4.8 With its six points; it is not activated and does not fight."""
    state = front()
    played = react(state, Piece("US1"), Move(("US1",), ("1108",), 1))
    assert at(state, "US1") == "1108"
    assert played.of(Activated) == []
    assert refused(front("116Pz 1208"), Piece("US1"), Attack(("1208",), ("US1",), 1)) in ("4.9", "8.0", "6.0")


def test_4_8_a_headquarters_can_move_administratively() -> None:
    state = front()
    react(state, Piece("BR2"), Administrative(("BR2",)), Move(("BR2",), ("1310",), 4))
    assert at(state, "BR2") == "1310"


def test_5_2_a_piece_needs_no_headquarters_and_no_supply() -> None:
    """5.2, 11.5 It is marked, and a column slower: 6 becomes 4."""
    state = front("4AD/US 4404")
    played = react(state, Piece("4AD/US"), Increment(1))
    assert state.units["4AD/US"].unsupplied
    assert played.of(PieceActivated)[0].unsupplied
    desk = _after()
    desk.state.units["4AD/US"].place, desk.state.units["4AD/US"].hex = "map", "4404"
    desk = Reaction(desk.state, "allied")
    desk._begin_piece(desk.state.units["4AD/US"])
    assert desk.series is not None
    assert desk.series.points(desk.state.units["4AD/US"], 1) == 4


def test_11_5_who_is_down_to_nothing_cannot_react() -> None:
    """11.5 An allowance of 2 becomes 0."""
    slow = next(u.id for u in game().units.values() if u.side == "german" and u.piece.allowance == 2)
    state = game(f"{slow} 1412, 7AD/BR 1512, 11AD/BR 1311")
    with pytest.raises(NotAllowed) as caught:
        Reaction(state, "german").check(Piece(slow))
    assert caught.value.case == "11.5"
    assert f"piece {slow}" not in Reaction(state, "german").subjects()


def test_11_5_supply_is_judged_when_each_piece_is_activated() -> None:
    """11.5 A headquarters comes near first: the unit that reacts after it is in supply,
    and a stale marker goes."""
    text = "US3 1213, 4AD/US 1220 unsupplied"
    state = front(text)
    assert not Reaction(state, "allied").supply.has(state.units["4AD/US"])
    played = react(state, Piece("US3"), Move(("US3",), ("1214",), 1), Piece("4AD/US"))
    assert [note.unsupplied for note in played.of(PieceActivated)] == [False, False]
    assert not state.units["4AD/US"].unsupplied
    played = react(front(text), Piece("4AD/US"))
    assert played.of(PieceActivated)[0].unsupplied


def test_5_2_another_sides_piece_is_refused() -> None:
    assert refused(front(), Piece("LXXXIV")) == "5.2"
    with pytest.raises(Overtaken):
        react(front(), Piece("VIII/BR"))


def test_5_2_what_can_react_is_offered() -> None:
    desk = Reaction(front(), "allied")
    subjects = list(desk.subjects())
    assert {"army US1", "army BR2", "piece US1", "piece V/US"} <= set(subjects)
    for subject in subjects:
        for order in desk.options(subject):
            desk.check(order)
    assert refused(front(), Move(("V/US",), ("1310",), 1)) == "5.2"


def test_5_2_active_units_behave_as_in_an_initiative_phase() -> None:
    """5.2, 6.0 The same boxes of the track, one after another."""
    played = react(
        front(),
        Activate("US1", ("3AD/US",)),
        Move(("3AD/US",), ("1310",), 4),
        Move(("3AD/US",), ("1309",), 10),
    )
    assert [note.path[-1] for note in played.of(Moved)] == ["1310", "1309"]
