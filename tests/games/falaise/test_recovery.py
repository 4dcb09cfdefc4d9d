"""Recovery (9.2) and what the end of a turn clears (4.0)."""

from __future__ import annotations

import pytest

from pbem.games.falaise.notes import Recovered
from pbem.games.falaise.recovery import recovery
from tests.games.falaise.kit import game
from tests.games.playing import play

DAY, NIGHT = 3, 4
CUT_OFF = "2/2Pz 2425, 304/2Pz 2526, 3/2Pz 2626, 19/9SS 2625, 20/9SS 2524, Pz/9SS 2424"
"""Germans all around 2525."""


@pytest.mark.parametrize(
    ("text", "turn", "recovers"),
    [
        ("KG/9Pz 2525 disrupted", DAY, False),
        ("KG/9Pz 2525 disrupted", NIGHT, True),
        ("KG/9Pz 2506 disrupted", DAY, True),
        ("KG/9Pz 2507 disrupted", DAY, False),
        ("4/2C 2525 disrupted", DAY, True),
        ("4/2C 2525 disrupted", NIGHT, True),
        (f"4/2C 2525 disrupted, {CUT_OFF}", DAY, True),
        (f"4/2C 2525 disrupted, {CUT_OFF}", NIGHT, False),
    ],
)
def test_9_2_who_recovers(text: str, turn: int, recovers: bool) -> None:
    """9.2 Allies by day always, by night with a line of communication; Germans by night always,
    by day east of the Withdrawal Line."""
    id = text.split()[0]
    played = play(recovery, game(text, turn=turn))
    assert played.state.units[id].disrupted is not recovers
    [note] = played.of(Recovered)
    assert (note.names, note.still) == (((id,), ()) if recovers else ((), (id,)))


def test_9_2_nothing_to_tell() -> None:
    """9.2 With nobody disrupted nothing is told."""
    assert play(recovery, game("KG/9Pz 2525")).notes == []


def test_4_0_the_turn_ends() -> None:
    """4.0, 11.1, 12.5 Finished units may act again, attachments end, and nothing is left
    of the activations."""
    state = game(
        "KG/9Pz 2525 finished, 501SS 2524 finished to=47Pz, 4/2C 1424 finished",
        active="47Pz",
        allowance=8,
        activated=["1SS", "2CC"],
        attachments=3,
        airstrikes=2,
        french="waiting",
    )
    state = play(recovery, state).state
    assert not any(unit.finished or unit.attached for unit in state.units.values())
    assert state.units["501SS"].command == "1SS"
    assert (state.active, state.allowance, state.activated, state.attachments) == ("", 0, [], 0)
    assert (state.airstrikes, state.french) == (0, "free")


def test_4_0_what_lasts() -> None:
    """11.3, 11.4, 11.6, 13.3 Points, the counterattack, the zone, the new commander and the boundary
    outlast the turn."""
    state = game(points=3, counterattack=5, zone_86="open", zone_entered=True, relieved=True, boundary=True)
    after = play(recovery, state).state
    assert (after.points, after.counterattack, after.zone_86) == (3, 5, "open")
    assert after.zone_entered and after.relieved and after.boundary
