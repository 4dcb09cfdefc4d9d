"""The invariants: silent about what the rules allow, and outspoken about what they forbid."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import random_bot
from pbem.games.normandy71 import GAME
from pbem.games.normandy71.invariants import invariants
from pbem.games.normandy71.state import State
from tests.games.normandy71.kit import game

ASHORE = "8/4 allied 7-4 5031, x german 4-1 4230"


def wrong(state: State) -> str:
    """What is wrong with a state of a few units, the missing ones aside."""
    return "; ".join(fault for fault in invariants(state) if not fault.startswith("STK.B"))


def test_the_start_is_sound() -> None:
    """Nothing is wrong before the first order, nor with two units where they may stand."""
    assert list(invariants(GAME.start())) == []
    assert wrong(game(ASHORE, phase="german_movement")) == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state: setattr(state.units["8/4"], "place", "later"), "8/4 has place later and hex 5031"),
        (lambda state: setattr(state.units["8/4"], "hex", "4230"), "MOV.G both sides are in 4230"),
        (lambda state: setattr(state.units["8/4"], "id", "22/4"), "22/4 is filed under 8/4"),
        (
            lambda state: setattr(state.units["8/4"], "beach", "3 Utah"),
            "8/4 has place map and beach '3 Utah'",
        ),
        (lambda state: setattr(state.units["8/4"], "never_supplied", True), "PAR.D 8/4 waits for supply"),
        (
            lambda state: state.entrenchments.update({"1010": "german"}),
            "ENT.F an empty german marker is in 1010",
        ),
        (lambda state: state.fired.update({"attack heavy": 99}), "NAV.B heavy has fired too often in attack"),
        (lambda state: state.dead_beaches.append("3 Utah"), "SUP.H a beach is dead that was no supply area"),
        (
            lambda state: state.passed.update({"5031": "allied"}),
            "VIC.C a hex is recorded that belongs to no city",
        ),
    ],
)  # fmt: skip
def test_each_is_noticed(change: Callable[[State], object], words: str) -> None:
    """One thing that may not be, and the words for it."""
    state = game(ASHORE, phase="german_movement")
    change(state)
    assert words in wrong(state)


def test_stk_a_an_overfull_hex_is_noticed_once_units_have_spread() -> None:
    """STK.A While units land more may stand in a hex; after the movement phase they may not."""
    text = ", ".join(f"{id} allied 7-4 1215" for id in ("8/4", "16/1", "116/29"))
    assert wrong(game(text, phase="allied_reinforcement")) == ""
    assert "STK.A 1215 holds 8/4 (7-4)" in wrong(game(text, phase="allied_movement"))


def test_stk_b_every_part_is_accounted_for() -> None:
    """STK.B A unit that vanishes is missed."""

    rng = random.Random(1)
    played = autoplay(GAME, "count", {seat: random_bot(rng) for seat in ("allied", "german")})
    state = GAME.load(played.phases[20].snapshot)
    assert not [fault for fault in invariants(state) if fault.startswith("STK.B")]
    del state.units[next(iter(state.units))]
    assert [fault for fault in invariants(state) if fault.startswith("STK.B allied")]
