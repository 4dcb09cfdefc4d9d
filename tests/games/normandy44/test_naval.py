"""Naval gunfire (12.0)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import combat, naval
from pbem.games.normandy44.combat import Combat
from pbem.games.normandy44.notes import Attacked, Gunfire
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHERBOURG, GRID, MAP
from tests.games.normandy44.kit import game
from tests.games.playing import Played, play


def sea(text: str = "", **fields: Any) -> State:
    state = game(text, **fields)
    naval.reset(state)
    return state


def fired(state: State, points: int, *, beach: bool = False, die: int = 4) -> Played[State]:
    async def phase(state: State) -> None:
        await naval.fire(state, "uk", "0909", points, "attack", beach)

    return play(phase, state, dice=(die,))


def test_12_0_all_points_are_there_at_the_start_of_a_turn() -> None:
    """12.0 The points of both navies come back."""
    state = sea()
    assert (naval.left(state, "us"), naval.left(state, "uk")) == (6, 8)
    fired(state, 3)
    assert naval.left(state, "uk") == 5
    naval.reset(state)
    assert naval.left(state, "uk") == 8


def test_S1_no_ships_before_cherbourg() -> None:
    """S1 The first scenario has no naval support."""
    state = sea(scenario="cherbourg")
    assert naval.left(state, "us") == naval.in_range(state, "us", "0519") == 0


def test_12_0_cruisers_reach_three_hexes_and_destroyers_two() -> None:
    """12.0 Counted from the nearest sea hex."""
    state = sea()
    at = {"0909": 2, "1009": 3, "1109": 4}
    for hex, distance in at.items():
        assert min(GRID.distance(hex, water) for water in MAP.hexes("sea")) == distance
    assert [naval.in_range(state, "uk", hex) for hex in at] == [8, 4, 0]


def test_12_0_no_ships_next_to_cherbourg() -> None:
    """12.0 The sea hexes that touch Cherbourg do not count."""
    for hex in CHERBOURG:
        near = [hex for hex in MAP.neighbours(hex) if MAP.has(hex, "sea")]
        assert not naval.ANCHORAGE & GRID.bits(near)
    assert any(MAP.has(near, "sea") for hex in CHERBOURG for near in MAP.neighbours(hex))


def test_12_0_destroyers_fire_first() -> None:
    """12.0 Points of the ships with the shorter range are spent first."""
    state = sea()
    fired(state, 5)
    assert (state.guns["uk destroyers"], state.guns["uk cruisers"]) == (0, 3)


@pytest.mark.parametrize(
    ("points", "die", "hit"), [(1, 4, False), (1, 5, True), (2, 4, True), (4, 2, True), (4, 1, False)]
)
def test_12_0_more_points_hit_more_easily(points: int, die: int, hit: bool) -> None:
    """12.0 One point wants a five, every further one a pip less."""
    (note,) = fired(sea(), points, die=die).of(Gunfire)
    assert note.hit is hit


def test_C3_fortifications_protect_from_gunfire() -> None:
    """C3 One less on the die against a beach garrison or a fortified line, not against Allies in it."""
    (note,) = fired(sea(), 1, beach=True, die=5).of(Gunfire)
    assert (note.total, note.hit) == (4, False)
    assert naval.modifiers("0418", "attack").total == -1
    assert naval.modifiers("0418", "attack", beach=True).total == -1
    assert naval.modifiers("0418", "defence").total == 0
    assert naval.chance("0909", 1, "attack") == Fraction(1, 3)
    assert naval.chance("0909", 1, "attack", beach=True) == Fraction(1, 6)


def attacked(
    state: State,
    side: str,
    hex: str,
    ids: tuple[str, ...],
    dice: tuple[int, ...],
    choose: Any = None,
    **order: Any,
) -> Played[State]:
    async def phase(state: State) -> None:
        units = [state.units[id] for id in ids]
        await combat.fight(state, side, hex, units, order=Attack(hex, ids, **order))  # type: ignore[arg-type]

    return play(phase, state, dice=dice, choose=choose)


def test_12_0_a_hit_shifts_an_attack_by_a_column() -> None:
    """12.0 Two points hit with a four."""
    state = sea("3BR 0908, 709ID 0909")
    played = attacked(state, "allied", "0909", ("3BR",), (4, 1), guns=2)
    (note,) = played.of(Attacked)
    assert (note.odds, note.column) == ("1:1", "3:2")
    assert played.rolled() == ["gunfire at 0909", "attack on 0909"]


def test_12_0_a_miss_does_nothing_and_the_points_are_spent() -> None:
    """12.0 Points are gone for this turn, hit or miss."""
    state = sea("3BR 0908, 709ID 0909")
    played = attacked(state, "allied", "0909", ("3BR",), (3, 1), guns=2)
    assert played.of(Attacked)[0].column == "1:1"
    assert naval.left(state, "uk") == 6


def test_12_0_the_defender_may_fire() -> None:
    """12.0, 7.2 The Allied defender is asked, and a hit shifts the column to the left."""
    state = sea("3/2Pz 0908, 2/2Pz 0908, 304/2Pz 0908, 3BR 0909")
    played = attacked(
        state,
        "german",
        "0909",
        ("3/2Pz", "2/2Pz", "304/2Pz"),
        (4, 1),
        lambda ask: "2" if ask.kind == "guns" else None,
    )
    (ask,) = played.asked("guns")
    assert ask.options == ("0", "1", "2", "3", "4") and ask.fallback == "0"
    assert ask.column == "2:1" and ask.after["2"] == "3:2"
    assert ask.chance["2"] == pytest.approx(0.5)
    assert ask.says("2").startswith("6 of 8 left; hit 50%: 3:2: ")
    assert ask.says("0").startswith("8 of 8 left; 2:1: ")
    assert played.of(Attacked)[0].column == "3:2"


def test_12_0_no_more_points_than_are_in_range_or_do_good() -> None:
    """12.0 What is out of range, spent or in vain is refused."""
    state = sea("3BR 0908, 709ID 0909")
    desk = Combat(state, "allied", "a_first", lambda unit: None)
    with pytest.raises(NotAllowed):
        desk.check(Attack("0909", ("3BR",), guns=5))
    state.guns["uk destroyers"], state.guns["uk cruisers"] = 0, 1
    with pytest.raises(NotAllowed):
        desk.check(Attack("0909", ("3BR",), guns=2))
    desk.check(Attack("0909", ("3BR",), guns=1))
