"""Initiative (5.1): one headquarters in supply and its units, or nothing; the jump before it (12.3, 12.4)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import activation, control
from pbem.games.france44.activation import Initiative
from pbem.games.france44.notes import Activated, Attacked, Dropped, Moved, PhasePassed
from pbem.games.france44.orders import Activate, Administrative, Drop, Increment, Move, Piece
from pbem.games.france44.state import State
from tests.games.france44.kit import at, game
from tests.games.playing import opening, play

FRONT = "US1 1207, XIX/US 1207, 2AD/US 1207, V/US 1309, BR2 1409, XXX/BR 1409, AOK7 1412, LXXXIV 1411"


def front(text: str = "", **fields: Any) -> State:
    state = game(f"{FRONT}, {text}", **fields)
    control.begin(state)
    return state


async def allied(state: State) -> None:
    await activation.initiative(state, "allied")


async def german(state: State) -> None:
    await activation.initiative(state, "german")


def refused(state: State, *orders: Any) -> str:
    """The case by which the last of these orders is refused."""
    with pytest.raises(NotAllowed) as caught:
        play(allied, state, *orders)
    return caught.value.case


# --- activating ---------------------------------------------------------------------------------------------


def test_5_1_one_headquarters_and_its_units_act() -> None:
    state = front()
    played = play(allied, state, Activate("US1", ("XIX/US", "2AD/US")), Move(("2AD/US",), ("1208",), 1))
    (note,) = played.of(Activated)
    assert (note.hq, note.names, note.cost) == ("US1", ("XIX/US", "2AD/US"), 0)
    assert at(state, "2AD/US") == "1208"
    assert state.reaction == {"allied": 3, "german": 3}


def test_5_1_only_one_headquarters_in_a_phase() -> None:
    assert refused(front(), Activate("US1", ("XIX/US",)), Activate("BR2", ("XXX/BR",))) == "5.1"


def test_5_1_or_the_player_passes() -> None:
    played = play(allied, front())
    assert played.of(PhasePassed)[0].what == "initiative"
    assert played.of(Activated) == []


def test_5_1_without_a_headquarters_in_supply_nobody_is_asked() -> None:
    """5.1, 11.5 All have lost their way to a source: the phase is over before it begins."""
    state = game("US1 1207, XIX/US 1207", control={})
    assert opening(allied, state) is None
    assert play(allied, state).of(PhasePassed)


def test_5_1_single_pieces_are_not_activated_by_a_chit() -> None:
    assert Piece not in activation.VERBS["allied"]
    assert refused(front(), Move(("XIX/US",), ("1208",), 1)) == "5.1"


def test_5_1_units_stay_under_command_beyond_the_range() -> None:
    """5.1 The note: range matters when the headquarters is activated only."""
    state = front("US3 1207, 4AD/US 1112")
    state.control["1207"] = "allied"
    orders = (Activate("US3", ("4AD/US",)), Move(("4AD/US",), ("1114",), 4), Move(("4AD/US",), ("1014",), 8))
    played = play(allied, state, *orders)
    assert [note.path[-1] for note in played.of(Moved)] == ["1114", "1014"]


def test_5_1_only_units_under_command_act() -> None:
    assert refused(front(), Activate("US1", ("XIX/US",)), Move(("2AD/US",), ("1208",), 1)) == "4.7"


def test_4_5_nations_are_minded() -> None:
    """4.5 A British headquarters commands one American unit, an American one no British."""
    state = front()
    play(allied, state, Activate("BR2", ("XXX/BR", "V/US")))
    assert refused(front(), Activate("BR2", ("XIX/US", "V/US"))) == "4.5"
    assert refused(front(), Activate("US1", ("XXX/BR",))) == "4.5"


def test_4_7_left_out_as_many_units_as_it_can() -> None:
    played = play(allied, front(), Activate("US1"))
    assert played.of(Activated)[0].names == ("V/US", "XIX/US", "2AD/US")


def test_11_5_a_headquarters_out_of_supply_is_not_activated() -> None:
    state = front("US3 4404")
    assert [hq.id for hq in Initiative(state, "allied").headquarters()] == ["US1", "BR2"]
    assert refused(state, Activate("US3", ())) == "11.5"


def test_11_5_activation_takes_stale_markers_off() -> None:
    """11.5 Judged now, in supply now: a marker from the last administrative phase goes."""
    state = front()
    for id in ("US1", "XIX/US", "2AD/US"):
        state.units[id].unsupplied = True
    play(allied, state, Activate("US1", ("XIX/US",)))
    assert [state.units[id].unsupplied for id in ("US1", "XIX/US", "2AD/US")] == [False, False, True]


def test_4_8_headquarters_are_not_commanded_by_others() -> None:
    assert refused(front("US3 1207"), Activate("US1", ("US3",))) == "4.8"


def test_5_1_what_can_be_activated_is_offered() -> None:
    desk = Initiative(front(), "allied")
    assert list(desk.subjects()) == ["US1", "BR2"]
    for subject in desk.subjects():
        assert desk.options(subject)
        for order in desk.options(subject):
            desk.check(order)


def test_5_3_administrative_movement_is_chosen_before_the_first_increment() -> None:
    administrative = Administrative(("2AD/US",))
    state = front()
    play(allied, state, Activate("US1", ("2AD/US",)), administrative, Move(("2AD/US",), ("1108",), 4))
    assert at(state, "2AD/US") == "1108"
    assert refused(front(), Activate("US1", ("2AD/US",)), Increment(4), administrative) == "5.3"


# --- the jump (12.3, 12.4) ----------------------------------------------------------------------------------

ARNHEM = "3306"


def army(turn: int = 3, text: str = "", **fields: Any) -> State:
    """An army in Belgium, supplied from Antwerp, with the corps in England."""
    state = game(f"XVIII/US box, US3 3007, 3AD/US 3007, {text}", turn=turn, **fields)
    control.begin(state)
    state.control["2907"] = "allied"
    return state


@pytest.mark.parametrize(("turn", "may"), [(2, False), (3, True), (9, True), (10, True), (11, True)])
def test_12_3_12_4_from_september_to_may_if_the_corps_is_in_its_box(turn: int, may: bool) -> None:
    desk = Initiative(army(turn), "allied")
    assert ("drop" in desk.subjects()) == may
    if not may:
        assert refused(army(turn), Drop(ARNHEM)) == "12.3"
    assert "drop" not in Initiative(army(turn, "XVIII/US eliminated"), "allied").subjects()


def test_12_3_the_jump_comes_before_the_headquarters_is_chosen() -> None:
    state = army()
    played = play(allied, state, Drop(ARNHEM), Activate("US3", ("3AD/US", "XVIII/US")))
    assert played.of(Dropped)[0].case == "12.3"
    assert refused(army(), Activate("US3", ("3AD/US",)), Drop(ARNHEM)) == "12.3"


def test_12_3_within_five_hexes_of_a_headquarters_and_not_onto_the_enemy() -> None:
    """12.3 An enemy zone does not matter."""
    assert refused(army(), Drop("3606")) == "12.3"
    assert refused(army(text="LXXXIX 3306"), Drop(ARNHEM)) == "12.3"
    play(allied, army(text="LXXXIX 3307"), Drop(ARNHEM))


def test_12_3_the_corps_is_in_supply_and_under_command_wherever_it_is() -> None:
    """12.3 Cut off by zones all round: its headquarters commands it, it takes a place of infantry,
    and needs no order to be included."""
    ring = "LIII 3305, LXVI 3307, LXXXVIII 3205"
    state = army(text=ring)
    desk = Initiative(state, "allied")
    play(allied, state, Drop(ARNHEM))
    desk = Initiative(state, "allied")
    assert desk.supply.has(state.units["XVIII/US"])
    desk.check(Activate("US3", ("XVIII/US",)))
    crowd = "V/US 3008, VII/US 3008, XIX/US 3107"
    state = army(text=f"{ring}, {crowd}")
    four = ("V/US", "VII/US", "XIX/US", "XVIII/US")
    assert refused(state, Drop(ARNHEM), Activate("US3", four)) == "4.7"
    state = army(text=ring)
    played = play(allied, state, Drop(ARNHEM), Activate("US3"))
    assert played.of(Activated)[0].names == ("XVIII/US", "3AD/US")


def test_12_4_in_varsity_too() -> None:
    """12.4 The rules are those of Market Garden until the reactions are over."""
    state = army(10, "LIII 3305, LXVI 3307, LXXXVIII 3205")
    played = play(allied, state, Drop(ARNHEM), Activate("US3", ("XVIII/US",)))
    assert played.of(Dropped)[0].stays
    assert Initiative(state, "allied").supply.has(state.units["XVIII/US"])
    state.jumped = False
    assert not Initiative(state, "allied").supply.has(state.units["XVIII/US"])


def test_12_3_rivers_beside_the_corps_do_not_count() -> None:
    """12.3 Moving across one costs nothing more, until the corps leaves its landing hex."""
    state = army(text="2AD/US 3206")
    orders = (Drop("3205"), Activate("US3", ("2AD/US", "XVIII/US")), Move(("2AD/US",), ("3205",), 5))
    play(allied, state, *orders)
    assert at(state, "2AD/US") == "3205"
    assert (
        refused(army(text="2AD/US 3206"), Activate("US3", ("2AD/US",)), Move(("2AD/US",), ("3205",), 5))
        == "7.0"
    )
    moved = Move(("XVIII/US",), ("3105",), 4), Move(("2AD/US",), ("3205",), 4)
    assert refused(army(text="2AD/US 3206"), *orders[:2], *moved) == "7.0"


def test_12_3_supply_is_judged_after_the_jump() -> None:
    """12.3, 11.5 The corps comes down in an enemy zone before Brest and opens the way:
    the headquarters can be activated."""
    text = "XVIII/US box, US3 0608, 3AD/US 0608, LXXXVIII 0407, LXXXIX 0208"
    state = game(text, turn=3, control={"0308": "allied"})
    assert Initiative(state, "allied").headquarters() == []
    assert refused(state, Activate("US3", ("3AD/US",))) == "11.5"
    played = play(allied, state, Drop("0408"), Activate("US3", ("3AD/US",)))
    assert played.of(Activated)[0].hq == "US3"


def test_12_0_nobody_has_to_jump() -> None:
    state = army()
    played = play(allied, state, Activate("US3", ("3AD/US",)))
    assert played.of(Dropped) == []
    assert state.units["XVIII/US"].place == "box"


def test_12_3_the_germans_do_not_jump() -> None:
    assert Drop not in activation.VERBS["german"]
    assert "drop" not in Initiative(army(), "german").subjects()


def test_5_1_the_germans_activate_in_the_same_way() -> None:
    state = front()
    played = play(german, state, Activate("AOK7", ("LXXXIV",)), Move(("LXXXIV",), ("1412",), 1))
    assert at(state, "LXXXIV") == "1412"
    assert played.of(Attacked) == []
