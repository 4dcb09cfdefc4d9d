"""The command pool (4.0): the cup (4.0, 11.2 to 11.4, 11.10), the tank destroyers
(11.5) and the new commander (11.6)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.play import Ask
from pbem.games.falaise import ratings
from pbem.games.falaise.command import command, fill_cup, relief, tank_destroyers
from pbem.games.falaise.notes import Arrived, BoundaryTried, ParisTried, ReliefTried
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS
from tests.games.falaise.kit import at, game
from tests.games.playing import opening, play

GERMAN, ALLIED = sorted(GERMAN_COMMANDS), sorted(ALLIED_COMMANDS)


# --- the cup --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "cup", "held_back"),
    [
        ({"turn": 1}, GERMAN, ALLIED),  # 11.10
        ({"turn": 2}, GERMAN, ALLIED),
        ({"turn": 3}, sorted(GERMAN + ALLIED), []),
        ({"turn": 10}, sorted(GERMAN + ALLIED), []),
        ({"turn": 2, "zone_86": "open"}, sorted([*GERMAN, "86"]), ALLIED),  # 11.4
        ({"turn": 4, "zone_86": "open"}, sorted([*GERMAN, *ALLIED, "86"]), []),
        ({"turn": 4, "zone_86": "triggered"}, sorted([*GERMAN, *ALLIED, "86"]), []),
        ({"turn": 5, "counter_command": "2SS"}, sorted({*GERMAN, *ALLIED} - {"2SS"}), []),  # 11.3
        ({"turn": 5, "counter_command": "86", "zone_86": "open"}, sorted(GERMAN + ALLIED), []),
    ],
)
def test_4_0_the_cup(fields: dict[str, Any], cup: list[str], held_back: list[str]) -> None:
    """4.0 All markers, but those of the counterattack and the 58th Corps;
    that of the 86th once it is triggered; the Allied ones of turns 1 and 2 wait."""
    state = game(**fields, cup=["74"], activated=["84"])
    fill_cup(state)
    assert (state.cup, state.held_back, state.activated) == (cup, held_back, [])
    assert "58Pz" not in state.cup


def test_4_0_commands_without_units() -> None:
    """4.0 A marker is in the cup whether or not its command has anybody left."""
    assert play(command, game()).state.cup == sorted(GERMAN + ALLIED)


def test_4_0_order_of_the_dice() -> None:
    """4.0 Arrival, relief, Paris and the boundary come before the cup is filled; each die is told."""
    state = game(
        "317/80 3222, 4AB/4C 1218, Dio 3532",
        turn=5,
        options={"players": "one", "paris": "yes"},
    )
    played = play(command, state, dice=[1, 1, 1])
    assert [type(note) for note in played.notes] == [Arrived, ReliefTried, ParisTried, BoundaryTried]
    assert played.state.cup


# --- the tank destroyers (11.5) ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "turn", "hexes"),
    [
        ("317/80 3222, 318/80 3221", 4, None),
        ("317/80 3222, 318/80 3221", 5, ("3222", "3221")),
        ("317/80 3222, 318/80 3221", 7, ("3222", "3221")),  # as long as it has not come
        ("317/80 3222, 318/80 dead", 5, ("3222",)),
        ("317/80 3222, Koszutski 3222, 318/80 3221", 5, ("3221",)),  # 5.3 full
        ("317/80 3222, Koszutski 3222", 5, None),
        ("357/90 3222", 5, None),  # another division
        ("317/80 dead, 318/80 dead", 5, None),
        ("317/80 3222, 610TD dead", 5, None),
        ("317/80 3222, 610TD 3223", 5, None),
    ],
)
def test_11_5_where(text: str, turn: int, hexes: tuple[str, ...] | None) -> None:
    """11.5 On turn 5, or as soon as there is room, with a unit of the 80th Division; the Allies choose."""
    state = game(text, turn=turn)
    before = (state.units["610TD"].place, at(state, "610TD"))
    last: list[str] = []

    def choose(ask: Ask[Any]) -> Any:
        assert (ask.kind, ask.seat, ask.options) == ("arrival", "allied", hexes)
        last.append(ask.options[-1])
        return ask.options[-1]

    played = play(tank_destroyers, state, choose=choose)
    if hexes is None:
        assert (played.state.units["610TD"].place, at(played.state, "610TD")) == before
        assert not played.notes
        return
    assert at(played.state, "610TD") == hexes[-1]
    assert bool(last) is (len(hexes) > 1), "one hex is no choice"
    assert [(note.names, note.hex) for note in played.of(Arrived)] == [(("610TD",), hexes[-1])]


def test_11_5_not_finished() -> None:
    """11.5 It comes before its command is drawn, and acts with it."""
    state = play(command, game("317/80 3222", turn=5)).state
    assert at(state, "610TD") == "3222"
    assert [unit.id for unit in state.command_of("15C") if not unit.finished] == ["317/80", "610TD"]


# --- the new commander (11.6) -----------------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 7))
def test_11_6_odd(die: int) -> None:
    """11.6 An odd number replaces the commander, and his division is rated two higher."""
    played = play(relief, game("4AB/4C 1218", turn=5), dice=[die])
    assert played.state.relieved is (die in (1, 3, 5))
    [note] = played.of(ReliefTried)
    assert (note.die, note.done, note.case) == (die, die in (1, 3, 5), "11.6")
    rating = ratings.ter(played.state, played.state.units["4AB/4C"])
    assert rating == (4 if played.state.relieved else 2)


@pytest.mark.parametrize(
    ("text", "turn", "relieved", "tried"),
    [
        ("4AB/4C 1218", 4, False, False),
        ("4AB/4C 1218", 5, False, True),
        ("4AB/4C 1218", 10, False, True),
        ("4AB/4C 1218", 6, True, False),
        ("Currie 1218", 6, False, True),
        ("4/2C 1218, 4AB/4C dead", 6, False, False),  # nobody is left to be better led
    ],
)
def test_11_6_when(text: str, turn: int, relieved: bool, tried: bool) -> None:
    """11.6 Once a turn from turn 5 on, until it is done."""
    request = opening(relief, game(text, turn=turn, relieved=relieved))
    assert (request is not None) is tried
