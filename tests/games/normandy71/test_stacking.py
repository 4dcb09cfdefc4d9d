"""Stacking and unit breakdown (STK)."""

from __future__ import annotations

import pytest

from pbem.engine.errors import NotAllowed
from pbem.games.normandy71.stacking import break_down, rebuild, within_limit
from tests.games.normandy71.kit import game, units

CLEAR, BOCAGE, FORT, CITY = "0708", "3003", "4230", "1518"
R, B = "allied 7-4", "allied 6-10"


def stack(regiments: int, battalions: int) -> list:  # type: ignore[type-arg]
    text = ", ".join([f"r{n} {R}" for n in range(regiments)] + [f"b{n} {B}" for n in range(battalions)])
    return list(units(text).values())


@pytest.mark.parametrize(
    ("hex", "most"),
    [
        (CLEAR, {0: 3, 1: 2, 2: 0}),
        (BOCAGE, {0: 2, 1: 0}),
        (FORT, {0: 3, 1: 2, 2: 0}),
        (CITY, {0: 3, 1: 2, 2: 0}),
    ],
)
def test_stk_the_limit(hex: str, most: dict[int, int]) -> None:
    """STK Three battalions, or a regiment and two, or two regiments; in bocage two battalions
    or a regiment."""
    for regiments in range(4):
        for battalions in range(5):
            legal = regiments in most and battalions <= most[regiments]
            assert within_limit(hex, stack(regiments, battalions)) == legal, (regiments, battalions)


def test_inv_1c_inverted_units_do_not_count() -> None:
    """INV.1C An inverted parachute unit is not part of the stack."""
    state = game(
        "p allied 5-4 paratroop 3003, q allied 5-4 paratroop 3003 inverted, "
        "8/4 allied 7-4 3004, 22/4 allied 7-4 3004"
    )
    assert [within_limit(hex, state.at(hex)) for hex in ("3003", "3004")] == [True, False]


def test_stk_b_parts_take_the_name_place_and_type_of_the_whole() -> None:
    """STK.B, STK.D A 15-6 gives a tank 7-6 and a tank 5-6, in its hex, named after it;
    the 7-6 breaks down no further."""
    state = game("22Pz/21 german 15-6 0708")
    parts = break_down(state, state.units["22Pz/21"])
    assert [(p.id, p.kind, p.type, p.size, p.strength, p.hex, p.part_of) for p in parts] == [
        ("22Pz/21a", "7-6", "armour", "battalion", 7, "0708", "22Pz/21"),
        ("22Pz/21b", "5-6", "armour", "battalion", 5, "0708", "22Pz/21"),
    ]
    assert list(state.units) == ["22Pz/21a", "22Pz/21b"]
    with pytest.raises(NotAllowed, match=r"STK\.B"):
        break_down(state, parts[0])


@pytest.mark.parametrize("kind", ["22-10", "12-10", "6-10"])
def test_stk_b_other_units_do_not_break_down(kind: str) -> None:
    """STK.B Units that are not on the list stay whole."""
    state = game(f"x allied {kind} 0708")
    with pytest.raises(NotAllowed, match=r"STK\.B"):
        break_down(state, state.units["x"])


def test_stk_e_any_like_parts_will_do() -> None:
    """STK.E A unit can be rebuilt from parts of different units; letters and names in use are passed over."""
    state = game("8/4 allied 7-4 0708, 22/4 allied 7-4 0708")
    a, b = break_down(state, state.units["8/4"]), break_down(state, state.units["22/4"])
    whole = rebuild(state, [a[0], b[0], b[1]])
    assert (whole.id, whole.kind, whole.size, whole.strength) == ("8/4", "7-4", "regiment", 7)
    assert list(state.units) == ["8/4b", "8/4c", "22/4c", "8/4"]
    again = break_down(state, whole)
    assert [part.id for part in again] == ["8/4a", "8/4d", "8/4e"]


def test_stk_e_parts_of_unlike_type_do_not_mix() -> None:
    """STK.E Commandos, parachutists and infantry make no regiment together, nor do a tank 7-6
    and a grenadier."""
    state = game(
        "a allied 2-4 infantry 0708, b allied 2-4 infantry 0708, c allied 2-4 commando 0708, "
        "d allied 2-4 commando 0708"
    )
    with pytest.raises(NotAllowed, match="one type"):
        rebuild(state, [state.units[id] for id in "abc"])
    with pytest.raises(NotAllowed, match=r"STK\.E"):
        rebuild(state, [state.units[id] for id in "cd"])
    with pytest.raises(NotAllowed, match="one type"):
        mixed = game("x german 3-6 infantry 0708, y german 3-6 motorised 0708")
        rebuild(mixed, list(mixed.units.values()))


def test_stk_e_only_in_one_hex() -> None:
    """STK.E Parts in different hexes cannot be rebuilt."""
    state = game("a allied 2-4 paratroop 0708, b allied 2-4 paratroop 0707")
    with pytest.raises(NotAllowed, match="one hex"):
        rebuild(state, list(state.units.values()))


def test_stk_e_no_strength_is_gained_from_mixed_tanks() -> None:
    """STK.E The parts of a 15-6 and of a 16-6 make a 15-6 together; those of one 16-6 make it again."""
    state = game("p german 15-6 0708, q german 16-6 0708")
    a, b = break_down(state, state.units["p"]), break_down(state, state.units["q"])
    assert rebuild(state, [a[0], b[1]]).kind == "15-6"
    state = game("q german 16-6 0708")
    assert rebuild(state, break_down(state, state.units["q"])).kind == "16-6"
