"""Entrenchment (ENT): announcing, resting, rolling, and how markers come off."""

from __future__ import annotations

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.play import Roll
from pbem.games.normandy71.entrenchment import allied_entrenchment, german_entrenchment, remove_empty
from pbem.games.normandy71.notes import Announced, Dug
from pbem.games.normandy71.orders import Entrench
from tests.games.normandy71.kit import game
from tests.games.playing import opening, play


def test_ent_announced_one_turn_rolled_for_the_next() -> None:
    """ENT Units are announced at the end of one player-turn, for both sides to hear,
    and roll at the end of the next."""
    state = game("x german 7-2 0708", turn=2)
    played = play(german_entrenchment, state, Entrench(("x",)))
    assert state.announced == {"x": 2}
    assert [(note.names, note.hexes) for note in played.of(Announced, "allied")] == [(("7-2",), ("0708",))]
    state.log.clear()
    state.turn = 3
    played = play(german_entrenchment, state, dice=[3])
    assert state.entrenchments == {"0708": "german"} and state.announced == {}
    (dug,) = played.of(Dug, "german")
    assert (dug.name, dug.die, dug.needed, dug.success, dug.roll) == ("x", 3, 3, True, 1)


@pytest.mark.parametrize(
    ("kind", "die", "success"), [("7-2", 3, True), ("7-2", 4, False), ("8-8", 2, True), ("8-8", 3, False)]
)
def test_ent_a_regiment_needs_three_a_battalion_two(kind: str, die: int, success: bool) -> None:
    """ENT A regiment digs in with 1 to 3, a battalion with 1 or 2."""
    state = game(f"x german {kind} 0708", announced={"x": 1})
    play(german_entrenchment, state, dice=[die])
    assert bool(state.entrenchments) == success


def test_ent_who_was_retreated_does_not_roll() -> None:
    """ENT A unit that was retreated since it was announced may not roll; it may be announced again."""
    state = game("x german 7-2 0708", announced={"x": 1}, retreated=["x"])
    played = play(german_entrenchment, state, Entrench(("x",)))
    assert not [request for request in played.requests if isinstance(request, Roll)]
    assert state.announced == {"x": 2} and state.retreated == []


def test_ent_only_in_supply() -> None:
    """ENT A unit out of supply does not roll."""
    state = game("a allied 7-4 3004", announced={"a": 1}, supply=["3 Utah"])
    played = play(allied_entrenchment, state)
    assert not [request for request in played.requests if isinstance(request, Roll)]


def test_ent_each_unit_rolls_until_one_succeeds() -> None:
    """ENT, ENT.C Every unit of a hex may roll; when one digs in all are entrenched and the others
    need not roll."""
    text = "x german 7-2 0708, y german 7-2 0708"
    state = game(text, announced={"x": 1, "y": 1})
    play(german_entrenchment, state, dice=[6, 1])
    assert state.entrenchments == {"0708": "german"}
    state = game(text, announced={"x": 1, "y": 1})
    play(german_entrenchment, state, dice=[1])
    assert all(state.entrenched(unit) for unit in state.units.values())


def test_ent_nobody_entrenches_in_a_fort_or_twice() -> None:
    """ENT, ENT.C Forts take no marker, and who is entrenched or announced is not announced again."""
    state = game("f german 4-1 4129, e german 4-1 0708, x german 4-1 1922", trenches="0708 german")
    request = opening(german_entrenchment, state)
    assert isinstance(request, Desk) and request.subjects() == ("x",)
    for id, case in (("f", "fort"), ("e", "already entrenched")):
        with pytest.raises(NotAllowed, match=case):
            request.check(Entrench((id,)))
    with pytest.raises(NotAllowed, match="already been announced"):
        play(german_entrenchment, state, Entrench(("x",)), Entrench(("x",)))


def test_ent_nothing_is_announced_after_the_last_turn() -> None:
    """LEN On game-turn 6 there is no next turn to dig in."""
    assert opening(german_entrenchment, game("x german 4-1 0708", turn=6)) is None


def test_ent_the_die_does_not_name_a_german() -> None:
    """ENT.B What is rolled for is named to both sides by its kind and hex."""
    state = game("914/352 german 7-2 0708", announced={"914/352": 1})
    request = opening(german_entrenchment, state)
    assert isinstance(request, Roll) and "914" not in request.what and "0708" in request.what


def test_ent_f_an_enemy_does_not_keep_a_marker() -> None:
    """ENT.F A marker under which only an enemy stands goes, and he is not entrenched."""
    state = game("a allied 7-4 0708", trenches="0708 german")
    assert not state.entrenched(state.units["a"])
    remove_empty(state)
    assert state.entrenchments == {}
