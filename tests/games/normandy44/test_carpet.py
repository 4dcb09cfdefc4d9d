"""Carpet bombing (10.3)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.normandy44 import carpet, combat
from pbem.games.normandy44.notes import Advanced, Bombed, HeadquartersLost, NobodyBombed
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import at, game
from tests.games.playing import Played, play

FRONT = "4US 1117, 709ID 1118, 352ID 1118, LXXXIV 1118"


def struck(
    text: str = FRONT, *, hex: str = "1118", dice: tuple[int, ...] = (), **fields: Any
) -> Played[State]:
    return play(carpet.strike, game(text, targets={hex: "us"}, **fields), dice=dice)


def refused(state: State, hex: str, army: Any = "us") -> bool:
    return carpet.fault(state, hex, army) is not None


def test_10_3_each_unit_is_attacked_at_3_to_2() -> None:
    """10.3 A die for each unit in the column 3:2; the defender's points are steps,
    those of the attacker are passed over."""
    played = struck(dice=(3, 6))
    notes = played.of(Bombed)
    assert [(note.name, note.die, note.result, note.steps) for note in notes] == [
        ("709ID", 3, "1/1", 1),
        ("352ID", 6, "0/2", 2),
    ]
    units = played.state.units
    assert (units["709ID"].lost, units["352ID"].lost, units["4US"].lost) == (1, 2, 0)
    assert at(played.state, "709ID") == "1118" and not played.asked("retreat")
    assert played.rolled() == ["carpet bombing of 709ID", "carpet bombing of 352ID"]


def test_10_3_terrain_does_not_matter() -> None:
    """10.3 In a town the column is the same."""
    played = struck("4US 1217, 352ID 1216", hex="1216", dice=(6,))
    assert played.of(Bombed)[0].result == "0/2"


def test_10_3_headquarters_are_not_bombed_but_lost_with_their_units() -> None:
    """10.3, 6.4 No die for a headquarters; alone after the bombs it is gone."""
    played = struck("4US 1117, StB7 1118, LXXXIV 1118", dice=(6,))
    assert [note.name for note in played.of(HeadquartersLost)] == ["LXXXIV"]


def test_10_3_the_hex_is_ploughed_up_and_the_bombers_are_spent() -> None:
    """10.3 The counter stays in the hex until the next air phase; once in a game."""
    state = struck(dice=(1, 1)).state
    assert (state.craters, state.carpets, state.targets) == (["1118"], ["us"], {})
    assert refused(state, "1118", "us") and not refused(state, "1118", "uk")


def test_10_3_nobody_there() -> None:
    """10.3 Who has moved away is not hit, nor are Allies who have come; the bombers are used up."""
    played = struck("4US 1118")
    assert played.of(NobodyBombed) and played.state.units["4US"].lost == 0
    assert played.state.carpets == ["us"]


def test_10_3_a_strike_without_targets_does_nothing() -> None:
    """10.3 No target, no die."""
    assert not play(carpet.strike, game(FRONT)).notes


def test_10_3_the_target_is_german_and_next_to_an_allied_unit() -> None:
    """10.3 Adjacent to a combat unit of the Allies, and held by Germans."""
    state = game(f"{FRONT}, 353ID 1320, VII/US 1319")
    assert not refused(state, "1118")
    assert refused(state, "1320")  # only a headquarters is near
    assert refused(state, "1119") and refused(state, "1117")
    assert carpet.fault(state, "1320", "us").legal == ("1118",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("scenario", "option", "allowed"),
    [
        ("cherbourg", "yes", False),
        ("cobra", "no", True),
        ("campaign", "yes", True),
        ("campaign", "no", False),
    ],
)
def test_10_3_only_where_the_scenario_allows_it(scenario: str, option: str, allowed: bool) -> None:
    """10.3, S1, S2, S3 Never before Cherbourg, always in Cobra, in the campaign by its option."""
    state = game("4US 1119, 709ID 1118", scenario=scenario, options={"carpet": option})
    assert refused(state, "1118") is not allowed


def test_10_3_nobody_advances_into_the_craters() -> None:
    """10.3 The attack after the bombs wins the hex, and nobody goes there."""
    state = game("4US 1117, 9US 1117, StB7 1118", craters=["1118"])

    async def phase(state: State) -> None:
        units = [state.units["4US"], state.units["9US"]]
        await combat.fight(
            state, "allied", "1118", units, order=Attack("1118", ("4US", "9US"), advance=("4US",))
        )

    played = play(phase, state, dice=(6,))
    assert not state.at("1118")
    assert not played.of(Advanced) and not played.asked("advance")
