"""The administrative phase (5.6, 7.2, 7.3, 8.9, 10.6, 11.4)."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.games.rampage.administration import PORTS, Arrival, administration
from pbem.games.rampage.notes import Arrived, GermansArrived, PocketEscaped, Relieved, Returned, Waiting
from pbem.games.rampage.orders import Place
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import UNITS, WEST_OF_SEINE
from tests.games.playing import opening, play
from tests.games.rampage.kit import at, game

WEST = " ".join(hex for hex in WEST_OF_SEINE)
FULL = "2A 1507, 3A 1507, 4A 1507, 5A 1507, 7A 1507"


def refused(state: State, *units: str, hex: str) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        Arrival(state).check(Place(units, hex))
    return caught.value


# --- US reinforcements ----------------------------------------------------------------------------------


def test_7_3_the_box_of_the_next_turn_is_placed() -> None:
    """7.3 In phase IV of turn 3 the divisions of box 4 enter in cities that are held and supplied;
    those of box 5 wait for theirs."""
    state = game(turn=3, allied=WEST)
    played = play(administration, state, Place(("6A",), "1507"), Place(("83Inf",), "1311"))
    assert (at(state, "6A"), at(state, "83Inf")) == ("1507", "1311")
    assert [(note.names, note.how) for note in played.of(Arrived)] == [
        (("6A",), "orders"),
        (("83Inf",), "orders"),
    ]
    assert state.units["2Inf"].place == "later"


def test_7_3_what_is_not_placed_comes_by_itself() -> None:
    """7.3 Without an order a division goes into the first city with room."""
    state = game(turn=3, allied=WEST)
    played = play(administration, state, Place(("6A",), "1507"))
    assert at(state, "83Inf") == PORTS[0] and played.of(Arrived)[1].how == "by itself"


def test_7_3_without_a_city_they_wait_and_come_later() -> None:
    """7.3 When the British hold the only city nobody is asked; next turn they may come with that turn's."""
    state = game("GdsA 1202", turn=3)
    played = play(administration, state)
    assert played.of(Waiting)[0].names == ("6A", "83Inf") and not played.requests
    state = game(turn=4, allied=WEST)
    assert [unit.id for unit in Arrival(state).waiting()] == ["6A", "83Inf", "2Inf", "8Inf", "29Inf"]


def test_7_3_there_is_no_box_after_the_last_turn() -> None:
    """5.5, 7.3 In turn 5 nobody arrives any more."""
    assert opening(administration, game(turn=5, allied=WEST)) is None


def test_7_3_the_cities_are_those_on_the_seine_and_west_of_it() -> None:
    """7.3 Rouen, on the far bank of the river, is one; Amiens and Reims are not."""
    assert {"1507", "1904", "1311"} <= set(PORTS) and not {"2008", "1712"} & set(PORTS)


@pytest.mark.parametrize(
    ("text", "units", "hex", "case", "words"),
    [
        ("", ("6A",), "1405", "7.3", "not a city"),
        ("", ("6A",), "1904", "7.3", "not in Allied hands"),
        ("", ("2Inf",), "1507", "7.3", "not a reinforcement that arrives now"),
        ("", ("82AB",), "1507", "7.3", "not a reinforcement that arrives now"),
        ("GdsA 1507", ("6A",), "1507", "6.2", "British"),
        (FULL, ("6A", "83Inf"), "1507", "6.2", "room for 1 more"),
    ],
)
def test_7_3_where_nobody_may_be_placed(
    text: str, units: tuple[str, ...], hex: str, case: str, words: str
) -> None:
    """6.2, 7.3 A city, held and supplied, with room and without the other army group; only who is due."""
    error = refused(game(text, turn=3, allied=WEST), *units, hex=hex)
    assert error.case == case and words in error.text


def test_7_3_a_city_that_is_not_supplied_takes_nobody() -> None:
    """7.3 Paris in Allied hands with Germans all around it is not linked to the Allied ground."""
    assert "in supply" in refused(game(turn=3, allied="1507"), "6A", hex="1507").text


def test_13_8_reinforcements_relieve_an_airborne_division() -> None:
    """13.8 A US division that enters in a city where an airborne division stands takes its place."""
    state = game("82AB 1507", turn=3, allied=WEST)
    played = play(administration, state, Place(("6A",), "1507"))
    assert state.units["82AB"].place == "relieved" and played.of(Relieved)[0].names == ("82AB",)


def test_7_3_the_us_commander_places_them() -> None:
    """7.3 Of two commanders the US one is asked, whatever the British hold."""
    asked = opening(administration, game(turn=3, allied=WEST, options={"command": "two"}))
    assert isinstance(asked, Desk) and asked.seat == "us" and asked.section == "reinforcement"


# --- the Germans ----------------------------------------------------------------------------------------


def test_8_9_10_6_defenders_and_fallen_go_back() -> None:
    """8.9, 10.6 Defenders on the map and units that fell in supply are in the pool again;
    who is gone stays gone."""
    state = game("17L 1502, 6FJ 1904", pool="18L")
    state.germans["PzLr"].place = "fallen"
    played = play(administration, state)
    assert {"17L", "18L", "6FJ", "PzLr"} <= set(state.pool())
    (note,) = played.of(Returned)
    assert (note.defenders, note.fallen, note.pool) == (("17L", "6FJ"), ("PzLr",), 4)
    assert state.germans["47Inf"].place == "gone"


def test_8_9_garrisons_that_are_cut_off_stay() -> None:
    """8.9, 12.8 The garrison of a fortress without supply stays; once linked again it goes back
    like any defender."""
    state = game("17L 2003", allied="1902 1903 2004", garrisons=["2003"], pool="")
    play(administration, state)
    assert at(state, "17L") == "2003" and state.garrisons == ["2003"]
    linked = game("17L 2003", allied="1902 1903", garrisons=["2003"], pool="")
    play(administration, linked)
    assert at(linked, "17L") is None and linked.garrisons == [] and linked.pool() == ("17L",)


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_7_2_german_reinforcements_enter_the_pool(turn: int) -> None:
    """7.2 The units of the next box go into the pool, the 12th Infantry Division in phase IV of turn 3."""
    state = game(turn=turn, allied=WEST)
    played = play(administration, state)
    due = tuple(counter.id for counter in UNITS.german if counter.arrives == turn + 1)
    assert due and played.of(GermansArrived)[0].names == due and set(due) <= set(state.pool())
    assert ("12Inf" in due) == (turn == 3)


def test_11_4_a_pocket_that_was_never_sealed_escapes() -> None:
    """11.4 At the end of turn 1 its 22 divisions are in the pool and the hex is an ordinary German one."""
    state = game(turn=1, afp="standing")
    played = play(administration, state)
    assert len(played.of(PocketEscaped)[0].names) == 22 and state.afp == "escaped"
    assert all(unit.place != "afp" and unit.hex is None for unit in state.germans.values())
    assert "1602" in state.german


def test_9_11_the_ban_on_attacked_hexes_ends_with_the_turn() -> None:
    """9.11 In the next turn the other army group may attack where one has failed."""
    state = game(attacked={"1502": "us"})
    play(administration, state)
    assert state.attacked == {}
