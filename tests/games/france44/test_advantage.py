"""Operational Advantage (12.10)."""

from __future__ import annotations

from typing import Any

from pbem.games.france44 import advantage
from pbem.games.france44.notes import Attacked, Rerolled
from pbem.games.france44.orders import Attack
from pbem.games.france44.setup import setup
from pbem.games.france44.state import State
from tests.games.france44.fighting import answers, fights, war
from tests.games.playing import Played

ATTACK = Attack(("1021",), ("VII/US",), 4, stay=True)


def thrown(answer: Any, *dice: int, **fields: Any) -> tuple[State, Played[State]]:
    fields = {"advantage": "allied"} | fields
    state = war("VII/US 1022, LXXXIV 1021", **fields)
    return state, fights(state, ATTACK, dice=dice, choose=answers(advantage=answer, retreat="stay"))


def test_12_10_who_holds_it_may_have_a_die_thrown_again() -> None:
    """12.10 The new face counts, even if it is worse; one die of either side."""
    _, played = thrown("attack morale", 6, 1, 1, 1, 2)
    (ask,), (note,), (again,) = played.asked("advantage"), played.of(Attacked), played.of(Rerolled)
    assert ask.seat == "allied" and ask.default == "no"
    assert ask.options == ("no", "attack morale", "attack hits", "defence morale", "defence hits")
    assert ask.faces["attack morale"] == 6 and ask.attacker == "allied"
    assert ask.says("attack morale") == "die 6, 4 or less needed: failed"
    assert ask.says("defence hits") == "die 1: 1 hit before changes" and not ask.says("no")
    assert (note.attack_die, note.corner) == (2, "standoff")
    assert (again.first, again.second) == (6, 2)
    assert again.roll == 5 and note.rolls == ("R5", "R2", "R3", "R4")
    _, played = thrown("defence hits", 1, 1, 1, 6, 1)
    assert played.of(Attacked)[0].defence_hit_die == 1


def test_12_10_it_goes_to_the_other_side_for_the_next_turn() -> None:
    """12.10 Nobody has it for the rest of this one."""
    state, _ = thrown("attack morale", 6, 1, 1, 1, 2, turn=3)
    assert (state.advantage, state.advantage_from) == ("german", 4)
    assert not advantage.usable(state)
    state.turn = 4
    assert advantage.usable(state)


def test_12_10_it_can_be_kept() -> None:
    """12.10 Then it may be used at the next throw."""
    state, played = thrown("no", 6, 1, 1, 1)
    assert not played.of(Rerolled) and advantage.usable(state) and state.advantage == "allied"


def test_12_10_without_it_nobody_is_asked() -> None:
    """12.10 An option; and not before the turn from which it may be used."""
    for fields in ({"advantage": ""}, {"advantage_from": 3}):
        _, played = thrown(None, 1, 1, 1, 1, **fields)
        assert not played.asked("advantage")


def test_12_10_the_allies_begin_with_it_but_in_falaise_gap_nobody() -> None:
    """12.10 It is not for the first scenario."""
    assert setup("crusade", {"advantage": "yes"}).advantage == "allied"
    assert setup("crusade", {"advantage": "no"}).advantage == ""
    assert setup("falaise", {"advantage": "yes"}).advantage == ""
