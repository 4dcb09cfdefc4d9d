"""Whole games keep the rules, and the invariants notice what does not."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.engine.autoplay import autoplay
from pbem.engine.bots import Bot, random_bot
from pbem.games.rampage import GAME
from pbem.games.rampage.invariants import invariants
from pbem.games.rampage.notes import Controlled
from pbem.games.rampage.state import State
from tests.games.rampage.kit import game

CHOICES = {option.key: option.choices for option in GAME.options}


def bots(seed: int) -> dict[str, Bot]:
    rng = random.Random(seed)
    return {seat.key: random_bot(rng) for seat in GAME.seats}


@pytest.mark.parametrize("seed", range(3))
def test_3_7_control_switches_only_as_the_rules_allow(seed: int) -> None:
    """3.7, 10.6 Hexes turn Allied that were German; back they turn by a breakout alone;
    gone units never return, nor do dead divisions."""
    german = set(GAME.start().german)
    gone: set[str] = set()

    def check(state: State) -> Iterator[str]:
        for note in state.log:
            if not isinstance(note, Controlled):
                continue
            if note.to == "allied":
                assert german.issuperset(note.hexes), note
                german.difference_update(note.hexes)
            else:
                assert note.why == "breakout" and german.isdisjoint(note.hexes), note
                german.update(note.hexes)
        assert german == set(state.german)
        lost = {unit.id for unit in state.germans.values() if unit.place == "gone"}
        lost |= {unit.id for unit in state.units.values() if unit.place in ("dead", "grounded", "relieved")}
        assert gone <= lost
        gone.update(lost)
        return invariants(state)

    autoplay(GAME, f"control {seed}", bots(seed), check=check)
    assert gone


def test_the_start_keeps_every_invariant() -> None:
    """Nothing is wrong before the first order, and with an opened pocket,
    nor in a plain state of the tests."""
    assert not list(invariants(GAME.start())) and not list(invariants(game("3A 1501, 17L 1502", pool="18L")))


def faults(state: State) -> str:
    return "; ".join(invariants(state))


@pytest.mark.parametrize(
    ("text", "fields", "words"),
    [
        ("3A 1507", {}, "3.7 3A is in 1507"),
        ("17L 1501", {}, "3.7 17L is in 1501"),
        ("3A 1501, GdsA 1501", {}, "6.2 both army groups"),
        ("3A 1501, 1Inf 1501, 2A 1501, 4A 1501, 5A 1501, 7A 1501, 4Inf 1501", {}, "6.2 1501 holds 7"),
        ("", {"allied": "1902 1903 2004"}, "12.4 2003 are cut off"),
        ("", {"garrisons": ["1904"]}, "12.8 1904 is listed"),
        ("17L 1502", {"phase": "administration"}, "8.9 Germans"),
    ],
)
def test_invariants_notice_what_is_wrong(text: str, fields: dict[str, object], words: str) -> None:
    """Wrong control, both groups or too many in a hex, unresolved pockets, empty garrisons,
    defenders after phase IV."""
    assert words in faults(game(text, **fields))  # type: ignore[arg-type]


def test_invariants_count_steps_and_counters() -> None:
    """A dead division with steps, one that is nowhere, a marker on a full division,
    a counter lost or in a pocket that is gone."""
    state = game("3A 1501, 4A 1501")
    state.units["3A"].place = "dead"
    state.units["4A"].replenishing = True
    state.germans["1SS"].place = "afp"
    del state.germans["17L"]
    found = faults(state)
    for words in (
        "3A has place dead and hex 1501",
        "3A is dead and has 2",
        "4A is being replenished",
        "11.1 1SS",
    ):
        assert words in found, found
    assert "the German units are not those" in found
