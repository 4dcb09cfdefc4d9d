"""Playing alone (13): the dice that find targets, that say what a command of the system does,
and that open the 86th Corps boundary."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.play import Chance, Draw, advance
from pbem.games.falaise import GAME
from pbem.games.falaise.activation import activation
from pbem.games.falaise.notes import BoundaryTried, RoundEnded, SystemActs, SystemPassed
from pbem.games.falaise.orders import Assault, MechAssault, Move
from pbem.games.falaise.restrictions import step_fault
from pbem.games.falaise.solitaire import air_targets, boundary, east_to_west, gun_target, task
from pbem.games.falaise.state import State
from tests.games.falaise.kit import game
from tests.games.playing import Played, play

ALONE = {"players": "one"}


def rolled(played: Played[State]) -> list[str]:
    """What each die was asked for."""
    return [each.what for each in played.requests if isinstance(each, Chance)]


# --- bombardment ------------------------------------------------------------------------------------------


def test_13_1_east_to_west() -> None:
    """13.1 Columns grow westward; within a column the north comes first."""
    state = game("KG/9Pz 2020, KG/708 2520, KG/17SS 2008, KG/243 2444")
    assert [unit.id for unit in east_to_west(state.on_map("german"))] == [
        "KG/17SS",
        "KG/9Pz",
        "KG/708",
        "KG/243",
    ]


def test_13_1_a_six_for_each_unit() -> None:
    """13.1 One die for each German unit, not for each hex, from the east; a six brings an airstrike.
    What is left over is lost."""
    state = game("Pz/12SS 2008, 25/12SS 2008, KG/9Pz 2020, KG/708 2030", airstrikes=3)
    found: list[str] = []

    async def phase(state: State) -> None:
        found.extend(await air_targets(state))

    played = play(phase, state, dice=[6, 5, 1, 6])
    assert rolled(played) == [f"airstrike on {id}" for id in ("Pz/12SS", "25/12SS", "KG/9Pz", "KG/708")]
    assert found == ["2008", "2030"]
    assert [(note.by, note.number) for note in played.of(SystemPassed)] == [("air", 2)]


def test_13_1_until_all_are_placed() -> None:
    """13.1 When the last airstrike has its target nobody is rolled for any more;
    without airstrikes nobody is at all."""
    text = "KG/17SS 2008, KG/9Pz 2020, KG/708 2030"
    assert len(rolled(play(air_targets, game(text, airstrikes=1), dice=[6]))) == 1
    assert play(air_targets, game(text, airstrikes=0)).notes == []


@pytest.mark.parametrize(
    ("dice", "chosen"), [([5], "KG/9Pz"), ([4, 6], "KG/17SS"), ([4, 4, 5], "KG/708"), ([1, 2, 4], None)]
)
def test_13_1_guns_nearest_first(dice: list[int], chosen: str | None) -> None:
    """13.1 The guns find their target with 5 or 6, the nearest Germans being rolled for first;
    perhaps they find none."""
    state = game("Koszutski 2010, KG/708 2016, KG/17SS 2014, KG/9Pz 2011")
    targets = [state.units[id] for id in ("KG/708", "KG/17SS", "KG/9Pz")]
    found: list[Any] = []

    async def phase(state: State) -> None:
        found.append(await gun_target(state, "Pol", targets))

    played = play(phase, state, dice=dice)
    assert (found[0].id if found[0] else None) == chosen
    assert played.of(SystemPassed)[0].number == len(dice) - (chosen is not None)


# --- activation -------------------------------------------------------------------------------------------

POLES = "Koszutski 2010, Stefanowicz 2114, Zgorzelski 2216"


@pytest.mark.parametrize(
    ("text", "dice", "units", "action"),
    [
        (POLES, [1], (), "none"),
        (POLES, [2, "Stefanowicz Koszutski"], ("Stefanowicz", "Koszutski"), "move"),
        (f"{POLES}, KG/9Pz 2011", [1, "Zgorzelski Koszutski"], ("Zgorzelski", "Koszutski"), "move"),
        (POLES, [3, "Koszutski Zgorzelski"], ("Koszutski", "Zgorzelski"), "mech assault"),
        (POLES, [4], ("Koszutski", "Stefanowicz", "Zgorzelski"), "move"),
        (POLES, [5], ("Koszutski", "Stefanowicz", "Zgorzelski"), "mech assault"),
        (POLES, [6], (), "assault"),
        (f"{POLES}, KG/9Pz 2011", [5], ("Koszutski",), "assault"),
        (f"{POLES}, KG/9Pz 2011", [6], ("Koszutski", "Stefanowicz", "Zgorzelski"), "either"),
    ],
)
def test_13_2_the_chart(text: str, dice: list[Any], units: tuple[str, ...], action: str) -> None:
    """13.2 The die, one more beside a German, says who acts and how; half of three units are two,
    drawn by lot."""
    state = game(text, options=ALONE)
    found = []

    async def phase(state: State) -> None:
        found.append(await task(state, "Pol"))

    played = play(phase, state, dice=dice)
    assert (found[0].units, found[0].action) == (units, action)
    (note,) = played.of(SystemActs)
    assert (note.command, note.action, note.names) == ("Pol", action, units)


def test_13_2_any_unit_beside_a_german() -> None:
    """13.2 The die is one higher for any unit of the command beside a German, a finished one too;
    but that one does not act again."""
    state = game("Koszutski 2010 finished, Stefanowicz 2114, Zgorzelski 2216, KG/9Pz 2011", options=ALONE)
    (note,) = play(lambda state: task(state, "Pol"), state, dice=[5]).of(SystemActs)
    assert (note.die, note.total, note.units, note.names) == (5, 6, "adjacent", ())


def test_13_2_no_die_for_nobody() -> None:
    """13.2 No die is thrown for a command that has nobody to act."""
    played = play(activation, game(cup=["Pol"], options=ALONE), dice=["Pol"])
    assert len(rolled(played)) == 1 and played.ended


def test_13_2_only_who_was_called_up() -> None:
    """13.2 The system is asked for the units that were drawn and for nobody else;
    only they are finished afterwards."""
    state = game(f"{POLES}, KG/708 2020", cup=["Pol"], options=ALONE)
    played = play(activation, state, dice=["Pol", 2, "Stefanowicz Koszutski", 4])
    (asked,) = [each for each in played.requests if isinstance(each, Desk)]
    assert asked.seat == "allied"
    finished = {unit.id: unit.finished for unit in played.state.on_map("allied")}
    assert finished == {"Koszutski": True, "Stefanowicz": True, "Zgorzelski": False}


@pytest.mark.parametrize(
    ("dice", "kinds"),
    [
        (["Pol", 3, 4], {Move}),  # all move
        (["Pol", 4, 4], {Move, MechAssault}),
        (["Pol", 5, 4], {Assault}),  # those beside a German
        (["Pol", 6, 4], {Move, MechAssault, Assault}),  # as they like
    ],
)
def test_13_2_what_is_offered(dice: list[Any], kinds: set[type]) -> None:
    """13.2 The system is offered what its die allows and nothing else."""
    state = game("Koszutski 2010, Stefanowicz 2114, KG/9Pz 2011", cup=["Pol"], options=ALONE)
    faces = [[die] for die in dice]
    waiting = advance(activation(state), state, dice=lambda request, label: faces.pop(0)).waiting
    assert isinstance(waiting, Desk)
    assert {type(order) for subject in waiting.subjects() for order in waiting.options(subject)} == kinds


def test_13_2_nothing() -> None:
    """13.2 With the lowest die a command does nothing: no movement points are rolled for, nobody is asked."""
    played = play(activation, game(POLES, cup=["Pol"], options=ALONE), dice=["Pol", 1])
    assert played.ended and not [each for each in played.requests if isinstance(each, Desk)]
    assert [note.mode for note in played.of(RoundEnded)] == [""]


def test_13_2_germans_are_asked_as_ever() -> None:
    """13.0 The Germans have a player: no such die is thrown for their commands,
    nor for anybody in a game for two."""
    alone = play(activation, game("KG/9Pz 2020", cup=["47Pz"], options=ALONE), dice=["47Pz", 4])
    assert not alone.of(SystemActs)
    two = play(activation, game(POLES, cup=["Pol"]), dice=["Pol", 4])
    assert not two.of(SystemActs)
    assert not [each for each in two.requests if isinstance(each, Draw) and each.case == "13.2"]


def test_13_0_who_plays() -> None:
    """13.0 The Allied seat is the system's in a game for one, a player's in a game for two."""
    assert GAME.systems_of(GAME.chosen({"players": "one"})) == ("allied",)
    assert GAME.systems_of(GAME.chosen({})) == ()


# --- the boundary -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "die", "open_"),
    [
        (2, 5, False),
        (2, 6, True),
        (3, 4, False),
        (3, 5, True),
        (4, 5, True),
        (5, 4, True),
        (6, 3, False),
        (10, 2, True),
    ],
)
def test_13_3_the_die(turn: int, die: int, open_: bool) -> None:
    """13.3 Six opens the boundary; the die is one higher from turn 3 on, two from turn 5 on, and so forth."""
    played = play(boundary, game(turn=turn, options=ALONE), dice=[die])
    assert played.state.boundary is open_
    assert [note.total for note in played.of(BoundaryTried)] == [die + (turn - 1) // 2]


@pytest.mark.parametrize(
    "fields", [{"turn": 1, "options": ALONE}, {"turn": 4}, {"turn": 4, "options": ALONE, "boundary": True}]
)
def test_13_3_when(fields: dict[str, Any]) -> None:
    """13.3 It is not tried on turn 1, nor in a game for two, nor once it has been passed."""
    assert not rolled(play(boundary, game(**fields)))


@pytest.mark.parametrize(
    ("options", "open_", "free"), [(ALONE, False, False), (ALONE, True, True), ({}, False, True)]
)
def test_13_3_who_crosses(options: dict[str, str], open_: bool, free: bool) -> None:
    """13.3, 11.4 Until then the system's units stay out of the zone, which a player's enter
    as they please."""
    state = game("Koszutski 1014", options=options, boundary=open_)
    fault = step_fault(state, state.units["Koszutski"], "1014", "0914")
    assert (fault is None) is free
    if fault:
        assert fault.case == "13.3"
