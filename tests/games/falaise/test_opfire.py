"""Op-fire and what it does (6.2 to 6.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.play import Phase
from pbem.games.falaise import opfire
from pbem.games.falaise.notes import Eliminated, FireHeld, OpFired
from pbem.games.falaise.opfire import OpFire
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game
from tests.games.playing import play

# 0224 is open ground; 2 combat factors of rating 5 fire from 0225 unless a test says otherwise.


def fire(*ids: str, hex: str = "0224", **how: Any) -> Callable[[State], Phase[Any]]:
    return lambda state: opfire.fire(state, [state.units[id] for id in ids], hex, **how)


def parts(text: str, hex: str = "0224", breaking: str | None = None, turn: int = 3) -> dict[str, int]:
    """The modifiers of the stack at 0225 against the first unit of `text`."""
    state = game(text, turn=turn)
    found = opfire.tally(state, [state.units[text.split()[0]]], hex, "0225", breaking)
    return {part.why: part.value for part in found.parts}


@pytest.mark.parametrize(
    ("die", "result", "effect"),
    [
        (2, "none", "none"),
        (3, "halt", "halt"),
        (4, "halt", "halt"),
        (5, "DIS", "disrupted"),
        (6, "DIS", "disrupted"),
    ],
)
def test_6_2_the_table(die: int, result: str, effect: str) -> None:
    """6.2 A modified die of four or five halts, six disrupts; better troops fire at one more."""
    played = play(fire("4/2C"), game("4/2C 0224, 25/12SS 0225"), dice=[die])
    (note,) = played.of(OpFired)
    assert (note.total, note.result, note.effect) == (die + 1, result, effect)
    assert played.state.units["4/2C"].disrupted is (effect == "disrupted")
    assert note.roll == 1 and note.origin == "0225" and note.firing == ("25/12SS",)


def test_6_2_modifiers() -> None:
    """6.2, 6.3 Strength, ratings, breaking contact, cover, night."""
    assert parts("4/2C 0224, 25/12SS 0225") == {"higher TER": 1}
    assert parts("25/12SS 0224, 4/2C 0225") == {"fire of 3 or 4 factors": 1, "lower TER": -1}
    assert parts("26/1 0224, 25/12SS 0225") == {}
    assert parts("26/1 0224, 501SS 0225") == {"fire of 3 or 4 factors": 1, "higher TER": 1}
    assert parts("26/1 0224, 501SS 0225, 25/12SS 0225") == {"fire of 5 factors or more": 2, "higher TER": 1}
    assert parts("26/1 0224, 25/12SS 0225", turn=4) == {"night": -1}
    assert parts("26/1 0223, 25/12SS 0225", hex="0223", breaking="0224") == {"breaking contact": -2}
    wood = game("26/1 0330, 25/12SS 0230")
    found = opfire.tally(wood, [wood.units["26/1"]], "0330", "0230")
    assert [(part.why, part.value) for part in found.parts] == [("into cover", -1)]


def test_6_2_highest_ratings() -> None:
    """6.2 Each side takes the best rating of its stack; the disrupted count with what they have left."""
    state = game("4/2C 0224, 6/2AB 0224, 25/12SS 0225 disrupted")
    units = [state.units["4/2C"], state.units["6/2AB"]]
    assert [part.why for part in opfire.tally(state, units, "0224", "0225").parts] == ["lower TER"]


def test_6_2_one_stack_and_who_is_asked() -> None:
    """6.2 The enemy chooses one stack, or holds; by default the one with the best modifier."""
    state = game("4/2C 0224, 25/12SS 0225, 501SS 0223")
    played = play(fire("4/2C"), state, dice=[1])
    (ask,) = played.asked("opfire")
    assert ask.seat == "german" and ask.options == ("hold", "0223", "0225") and ask.default == "0223"
    assert isinstance(ask, OpFire) and ask.modifier == {"0223": 2, "0225": 1} and ask.mech is False
    assert played.of(OpFired)[0].origin == "0223"


def test_6_2_hold() -> None:
    """6.2 Nobody has to fire."""
    played = play(fire("4/2C"), game("4/2C 0224, 25/12SS 0225"), choose=lambda ask: "hold")
    assert played.of(FireHeld) and not played.rolled()


def test_6_2_nobody_near() -> None:
    """6.2 Out of all zones nobody is asked."""
    assert not play(fire("4/2C"), game("4/2C 0224, 25/12SS 0226")).requests


def test_6_4_disrupted_movers_halt() -> None:
    """6.4, 9.1 A second disruption in movement is no more than a halt;
    of a stack those who were fresh are disrupted."""
    state = game("4/2C 0224 disrupted, 6/2AB 0224 disrupted, 25/12SS 0225")
    assert play(fire("4/2C", "6/2AB"), state, dice=[6]).of(OpFired)[0].effect == "halt"
    state = game("4/2C 0224 disrupted, 6/2AB 0224, 25/12SS 0225")
    played = play(fire("4/2C", "6/2AB"), state, dice=[6])
    assert played.of(OpFired)[0].effect == "disrupted" and state.units["6/2AB"].disrupted
    assert state.units["4/2C"].place == "map"


def test_6_4_disrupted_retreaters_die() -> None:
    """6.4, 10.3 Disrupted again in retreat a unit is eliminated, and a German one counts as cut off."""
    state = game("1053/85 0224 disrupted, 4/2C 0225")
    played = play(fire("1053/85", retreat=True), state, dice=[6])
    assert played.of(OpFired)[0].effect == "eliminated"
    (dead,) = played.of(Eliminated)
    assert dead.cut_off and dead.points == 1 and state.units["1053/85"].place == "dead"


def test_6_4_fresh_retreaters_are_disrupted() -> None:
    """6.4 The first disruption in retreat is just that."""
    state = game("1053/85 0224, 4/2C 0225")
    assert play(fire("1053/85", retreat=True), state, dice=[6]).of(OpFired)[0].effect == "disrupted"


def test_6_2_what_a_die_is_for() -> None:
    """6.2, 6.3 Dice are named by who enters or leaves which hex."""
    assert play(fire("4/2C"), game("4/2C 0224, 25/12SS 0225"), dice=[1]).rolled() == [
        "op-fire on 4/2C entering 0224"
    ]
    state = game("4/2C 0223, 25/12SS 0225")
    played = play(fire("4/2C", hex="0223", breaking_from="0224"), state, dice=[1])
    assert played.rolled() == ["op-fire on 4/2C leaving 0224 for 0223"]
    assert played.of(OpFired)[0].case == "6.3"
