"""Where units may not go (7.2.1, 7.2.2, 11.4, 11.9, 12.5, 13.3)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.falaise import restrictions
from tests.games.falaise.kit import game

SOLITAIRE = {"players": "one"}


def step(text: str, b: str, **fields: Any) -> str | None:
    """The case that keeps the first unit of `text` from moving into a hex; None if nothing does."""
    state = game(text, **fields)
    unit = state.units[text.split()[0]]
    fault = restrictions.step_fault(state, unit, unit.placed, b)
    return fault.case if fault else None


def crossing(text: str, b: str, **fields: Any) -> str | None:
    state = game(text, **fields)
    unit = state.units[text.split()[0]]
    fault = restrictions.crossing_fault(state, unit, unit.placed, b)
    return fault.case if fault else None


def attack(text: str, b: str, **fields: Any) -> str | None:
    state = game(text, **fields)
    unit = state.units[text.split()[0]]
    fault = restrictions.attack_fault(state, unit, unit.placed, b)
    return fault.case if fault else None


@pytest.mark.parametrize(
    ("text", "b", "case"),
    [
        ("1053/85 1203", "1202", None),  # on foot over the Vie
        ("KG/Lehr 1203", "1202", "7.2"),  # not mechanised
        ("KG/Lehr 1203", "1303", None),  # at a bridge
        ("1053/85 2612", "2613", "7.2"),  # nobody over the Dives
        ("1053/85 2612", "2713", None),  # but at a bridge
        ("1053/85 2711", "2712", None),  # and the ford
        ("501SS 2315", "2415", "7.2.1"),  # no armour over the bridge at Trun
        ("KG/Lehr 2315", "2415", None),
    ],
)
def test_7_2_terrain(text: str, b: str, case: str | None) -> None:
    """7.2, 7.2.1 Rivers off bridges and fords, and armour at Trun; advances and retreats are bound alike
    (7.2.2)."""
    assert step(text, b) == case
    assert crossing(text, b) == case


def test_11_4_withdrawal_line() -> None:
    """11.4 No Allied unit moves, advances or attacks over the Withdrawal Line; Germans do."""
    assert (
        step("4/2C 2007", "2006", counterattack=1)
        == crossing("4/2C 2007", "2006")
        == attack("4/2C 2007", "2006")
        == "11.4"
    )
    assert (
        step("25/12SS 2007", "2006")
        is crossing("25/12SS 2007", "2006")
        is attack("25/12SS 2007", "2006")
        is None
    )


def test_11_4_zone() -> None:
    """11.4 Germans enter the 86th Corps Zone once an Allied unit has, or its marker has been drawn;
    inside they move freely."""
    out, inside = outside_and_inside()
    assert step(f"1053/85 {out}", inside) == crossing(f"1053/85 {out}", inside) == "11.4"
    assert step(f"1053/85 {out}", inside, zone_86="triggered") == "11.4"
    assert step(f"1053/85 {out}", inside, zone_86="open") is None
    assert step(f"1053/85 {out}", inside, zone_entered=True) is None
    assert step(f"1053/85 {inside}", out) is None
    assert step(f"4AB/4C {out}", inside) is None


def outside_and_inside() -> tuple[str, str]:
    """Two neighbours, the second in the zone of the 86th Corps, with nothing between them."""
    from pbem.games.falaise import zone86
    from pbem.games.falaise.tables import GRID, MAP

    for inside in GRID.named(zone86.ZONE):
        for out in MAP.neighbours(inside):
            free = not MAP.hexside(out, inside) - {"front_line"} and not zone86.within(
                restrictions.DIVES, inside
            )
            if free and not zone86.within(zone86.ZONE, out):
                return out, inside
    raise AssertionError("no such hexes")


def test_13_3_boundary() -> None:
    """13.3 The system's side crosses the boundary only when its die has allowed it;
    between two players it is free."""
    out, inside = outside_and_inside()
    assert step(f"4AB/4C {out}", inside, options=SOLITAIRE) == "13.3"
    assert crossing(f"4AB/4C {out}", inside, options=SOLITAIRE) == "13.3"
    assert step(f"4AB/4C {out}", inside, options=SOLITAIRE, boundary=True) is None


@pytest.mark.parametrize(
    ("id", "case"),
    [
        ("Koszutski", None),
        ("9/3C", None),
        ("4AB/4C", None),
        ("359/90", None),
        ("6/2AB", "11.9"),
        ("4/2C", "11.9"),
        ("71/53", "11.9"),
        ("610TD", "11.9"),
        ("Dio", "11.9"),
    ],
)
def test_11_9_dives(id: str, case: str | None) -> None:
    """11.9 Only four divisions may move next to the Dives, until the turn after the counterattack;
    it does not bind advances."""
    assert step(f"{id} 1420", "1419", turn=6, counterattack=6) == case
    later = step(f"{id} 1420", "1419", turn=7, counterattack=6)
    assert later == ("11.9" if id == "Dio" else None), "the French never"
    assert crossing(f"{id} 1420", "1419") is None
    assert step(f"{id} 1419", "1420") is None, "away from it anybody may go"


def test_11_9_eightieth() -> None:
    """11.9 The 80th Division stays south of the row of Argentan until the town has fallen once;
    the tank destroyers do not."""
    assert step("317/80 3222", "3122") == "11.9"
    assert step("317/80 3222", "3221") is None
    assert step("317/80 3222", "3122", argentan_fell=True, argentan="german") is None
    assert step("610TD 3222", "3122") is None
    assert crossing("317/80 3222", "3122") is None


def test_12_5_french_wait() -> None:
    """12.5 While Paris beckons a French unit may only step out of German zones."""
    enemy = "25/12SS 2125"
    assert step(f"Dio 2124, {enemy}", "2123", french="waiting") is None
    assert step(f"Dio 2124, {enemy}", "2224", french="waiting") == "12.5", "into a zone"
    assert step(f"Dio 2123, {enemy}", "2122", french="waiting") == "12.5", "in no zone"
    assert step(f"Dio 2123, {enemy}", "2122") is None


def test_10_1_attacks() -> None:
    """10.1, 7.2.1 Nobody attacks over the Dives without bridge or ford, armour not over the bridge at Trun;
    rivers, and the limits of 11.9, do not forbid it."""
    assert attack("1053/85 2612", "2613") == "10.1"
    assert attack("1053/85 2612", "2713") is None
    assert attack("25/12SS 1203", "1202") is None
    assert attack("501SS 2315", "2415") == "7.2.1"
    assert attack("25/12SS 2315", "2415") is None
    assert attack("4/2C 1420", "1419") is None
