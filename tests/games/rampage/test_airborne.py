"""The First Allied Airborne Army (13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.engine.desk import FirstOf
from pbem.engine.errors import NotAllowed
from pbem.games.rampage.airborne import Assault, airborne_drop, by_hex, can_drop, relieve
from pbem.games.rampage.notes import (
    BreakoutForce,
    Controlled,
    Defended,
    Fired,
    Landed,
    LandingLost,
    PocketFormed,
    Relieved,
    Won,
)
from pbem.games.rampage.orders import Drop
from pbem.games.rampage.state import State
from tests.games.playing import Played, opening, play
from tests.games.rampage.kit import at, game

ARMY = ("82AB", "101AB", "1BrAB")


def drop(state: State, *drops: str, dice: Sequence[Any] = ()) -> Played:
    """Drops written as ``"82AB 101AB 1605"``."""
    orders = [Drop(tuple(text.split()[:-1]), text.split()[-1]) for text in drops]
    return play(airborne_drop, state, *orders, dice=dice)


def refused(state: State, *drops: str) -> NotAllowed:
    """The refusal of the last of these drops, or of stopping after "end"."""
    assault = Assault(state, "allied")
    *before, last = (
        None if text == "end" else Drop(tuple(text.split()[:-1]), text.split()[-1]) for text in drops
    )
    for order in before:
        assert order is not None
        assault.check(order)
        assault.carry_out(order)
    with pytest.raises(NotAllowed) as caught:
        assault.check(last)
    return caught.value


# --- when and where -------------------------------------------------------------------------------------


def test_13_2_13_4_once_from_turn_2_on() -> None:
    """13.2, 13.4 Not in turn 1, in any one turn afterwards, never twice."""
    assert [can_drop(game(turn=turn)) for turn in range(1, 6)] == [False, True, True, True, True]
    assert not can_drop(game(turn=3, drop_turn=2))


def test_13_3_nobody_has_to_drop() -> None:
    """13.3 Writing nothing keeps the assault for a later turn."""
    state = game()
    played = drop(state)
    assert played.ended and state.drop_turn == 0 and can_drop(state)
    assert all(state.units[id].place == "later" for id in ARMY)


@pytest.mark.parametrize(
    ("hex", "words"),
    [
        ("1502", "front line"),
        ("2003", "fortress"),
        ("2118", "rough"),
        ("1501", "rough"),
        ("1701", "Allied hands"),
        ("2400", "land hex"),
        ("9999", "land hex"),
    ],
)
def test_13_4_where_nobody_may_jump(hex: str, words: str) -> None:
    """13.4 Not into rough, a fortress, a front line hex, the sea or ground that the Allies hold."""
    error = refused(game(), f"82AB {hex}")
    assert error.case == "13.4" and words in error.text


def test_13_4_who_may_jump() -> None:
    """13.3 Only airborne divisions that have not jumped, and the refusal names them."""
    error = refused(game(), "3A 1605")
    assert error.case == "13.3" and "drop 1BrAB at 1605" in error.legal
    assert refused(game("82AB 1605"), "82AB 1604").case == "13.3"


def test_13_4_drop_hexes_lie_next_to_each_other() -> None:
    """13.4 Two hexes that do not touch need the third division between them,
    and the writing cannot end without it."""
    assert "next to" in refused(game(), "82AB 2010", "101AB 2014").text
    assert "next to each other" in refused(game(), "82AB 2010", "101AB 2012", "end").text
    assault = Assault(game(), "allied")
    for order in (Drop(("82AB",), "2010"), Drop(("101AB",), "2012"), Drop(("1BrAB",), "2011")):
        assault.check(order)
        assault.carry_out(order)
    assault.check(None)
    assert list(by_hex(game(), assault.drops)) == ["2010", "2012", "2011"]


def test_13_4_a_later_line_moves_a_drop() -> None:
    """13.4 As long as the writing lasts a division may be given another hex."""
    state = game(pool="")
    drop(state, "82AB 2010", "82AB 2012")
    assert at(state, "82AB") == "2012"


def test_13_4_the_options_never_lead_into_a_dead_end() -> None:
    """13.4 Whatever is chosen from the options, the writing may end; all of them are legal."""
    assault = Assault(game(), "allied")
    for id in assault.subjects():
        options = assault.options(id)
        for order in options:
            assault.check(order)
        assault.carry_out(options[len(options) // 2])
        assault.check(None)
    assert not assault.subjects()


def test_13_4_all_hexes_are_judged_before_the_first_landing() -> None:
    """13.4 A hex that becomes a front line hex only by the landing beside it may be dropped into."""
    state = game(pool="")
    drop(state, "82AB 2010", "101AB 2011")
    assert (at(state, "82AB"), at(state, "101AB")) == ("2010", "2011")
    assert {"2010", "2011"}.isdisjoint(state.german) and state.drops == ["2010", "2011"]


# --- the landing ----------------------------------------------------------------------------------------


def test_13_5_an_undefended_hex_is_taken() -> None:
    """13.5 A low die west of the line: the division occupies the hex and establishes control."""
    state = game(pool="17L")
    played = drop(state, "82AB 1605", dice=[2])
    assert "1605" not in state.german and at(state, "82AB") == "1605" and state.drop_turn == 2
    assert played.of(Landed)[0].names == ("82AB",) and not played.of(Fired)
    assert played.of(Controlled)[0].why == "landing"


def test_8_6_13_5_a_victory_city_is_defended_by_the_die_plus_two() -> None:
    """8.5, 8.6, 13.5 The formulas are those of any attack, that of the victory cities too."""
    state = game(pool="17L 18L 47Inf 48Inf 49Inf 59Inf")
    played = drop(state, "1BrAB 3017", dice=[1, "17L 18L 47Inf", [1, 1, 1], [1, 1]])
    assert played.of(Defended)[0].rolled == 3 and played.of(Defended)[0].case == "8.5"


def test_13_5_all_germans_fire_before_the_landing() -> None:
    """13.5 Elites and others fire first: a division that loses a step to them fires with one die."""
    state = game(pool="17L 6FJ")
    played = drop(state, "82AB 101AB 2419", dice=[2, [5], [6], [6, 4]])
    assert [(fire.firer, fire.dice) for fire in played.of(Fired)] == [("elite", 1), ("german", 1), ("us", 2)]
    assert [state.units[id].steps for id in ("82AB", "101AB")] == [0, 2]
    assert not state.defenders("2419") and "2419" not in state.german
    assert played.of(Won)[0].attackers == ("101AB",)


def test_13_5_a_german_left_wipes_out_the_landing() -> None:
    """13.5 One round only: with a German left all airborne divisions of the hex are dead,
    those elsewhere are not."""
    state = game(pool="17L 18L 47Inf")
    dice = [5, "17L 18L", [1, 1], [1, 1, 1, 1], 3]
    played = drop(state, "82AB 101AB 2010", "1BrAB 2011", dice=dice)
    assert [state.units[id].place for id in ARMY] == ["dead", "dead", "map"]
    assert state.units["82AB"].steps == 0 and {"17L", "18L"} == {unit.id for unit in state.defenders("2010")}
    (note,) = played.of(LandingLost)
    assert (note.hex, note.names) == ("2010", ("82AB", "101AB"))
    assert "2010" in state.german and "2011" not in state.german and state.drops == ["2011"]


def test_13_5_rivers_and_arms_change_nothing() -> None:
    """13.5, 13.6 Both sides fire into the same hex: no river counts, and no armour attacks
    from clear into clear."""
    state = game(pool="17L PzLr")
    played = drop(state, "1BrAB 2112", dice=[6, [1], [1], [6, 6]])
    assert all(fire.parts == () for fire in played.of(Fired))
    assert "2112" not in state.german and at(state, "1BrAB") == "2112"


def test_12_4_a_landing_may_close_a_pocket() -> None:
    """12.4 Control that is won by a drop cuts hexes off like any other: the Hague behind three landings."""
    state = game("17L 3013", pool="")
    played = drop(state, "82AB 2912", "101AB 2913", "1BrAB 3014", dice=[4, [1]])
    assert played.of(PocketFormed)[0].hexes == ("3013",) and played.of(PocketFormed)[0].cause == "3014"
    assert played.of(BreakoutForce)[0].hex == "3014" and "3013" not in state.german
    assert state.germans["17L"].place == "gone"


def test_13_8_an_allied_force_relieves_the_division() -> None:
    """13.8 Airborne divisions leave the game when a force of the armies enters their hex;
    they were not eliminated."""
    state = game("82AB 1605, 101AB 1605, 1BrAB 1606")
    relieve(state, "1605")
    assert [state.units[id].place for id in ARMY] == ["relieved", "relieved", "map"]
    relieve(state, "1607")
    assert [note.names for note in state.log if isinstance(note, Relieved)] == [("82AB", "101AB")]


# --- who commands it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, ("allied",)),
        ({"command": "two"}, ("us",)),
        ({"command": "two", "airborne": "british"}, ("british",)),
        ({"command": "two", "airborne": "both"}, ("us", "british")),
    ],
)
def test_who_orders_the_airborne_army(options: dict[str, str], seats: tuple[str, ...]) -> None:
    """13.1 One commander has it; of two, one or either as agreed."""
    asked = opening(airborne_drop, game(options=options))
    asks = asked.asks if isinstance(asked, FirstOf) else (asked,)
    assert tuple(ask.seat for ask in asks) == seats
