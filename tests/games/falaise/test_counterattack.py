"""The German counterattack (11.3, 12.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.games.falaise import activation, zone86
from pbem.games.falaise.command import command as pool
from pbem.games.falaise.counterattack import Gathering, commands, counterattack, due
from pbem.games.falaise.notes import Arrived, Attached, CounterattackDeclared, Drawn
from pbem.games.falaise.orders import Attach, Enter, Hold, Move
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import GERMAN_COMMANDS
from tests.games.falaise.kit import at, game, rehearsal
from tests.games.playing import Played, opening, play

# The Withdrawal Line runs between columns 06 and 07 of rows 18 and 19: 1805, 1806 and 1905 lie east of it,
# 1807 and 1808 west. 19/9SS, 20/9SS are of the 2nd SS Panzer Corps, KG/9Pz, 2/2Pz and 304/2Pz of the 47th.

STRONGER = {"stronger_counterattack": "yes"}
EAST = "19/9SS 1805"


def by(command: str) -> Callable[[Ask[Any]], Any]:
    return lambda ask: command if ask.kind == "counterattack" else ask.fallback


def declare(text: str, *orders: Order, command: str = "2SS", turn: int = 5, **fields: Any) -> Played[State]:
    return play(counterattack, game(text, turn=turn, **fields), *orders, choose=by(command))


def gathering(text: str, command: str = "2SS", **fields: Any) -> Gathering:
    return Gathering.of(game(text, turn=5, counterattack=5, **fields), command)


# --- whether, and by whom ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "turn", "fields", "may"),
    [
        (EAST, 4, {}, False),
        (EAST, 5, {}, True),
        (EAST, 10, {}, True),
        (EAST, 7, {"counterattack": 5}, False),  # once
        ("19/9SS 1807", 5, {}, False),  # nobody could take part
        ("19/9SS 1807, D/2SS unknown", 5, {}, True),
        ("19/9SS 1807", 5, {"options": STRONGER}, True),
    ],
)
def test_11_3_when(text: str, turn: int, fields: dict[str, Any], may: bool) -> None:
    """11.3 From turn 5 on, once a game, while somebody could take part."""
    assert due(game(text, turn=turn, **fields)) is may


@pytest.mark.parametrize(
    ("text", "fields", "found"),
    [
        ("19/9SS 1805, KG/9Pz 1807", {}, ("2SS",)),
        ("19/9SS 1805, KG/9Pz 1806", {}, ("2SS", "47Pz")),
        ("19/9SS 1805, D/2SS unknown", {}, GERMAN_COMMANDS),
        ("19/9SS 1805, D/2SS unknown", {"zone_86": "triggered"}, GERMAN_COMMANDS),
        ("19/9SS 1805, D/2SS unknown", {"zone_86": "open"}, (*GERMAN_COMMANDS, "86")),
        ("980/272 1805", {"zone_86": "open"}, ("86",)),
        ("Co/PGEb 1805", {}, ()),  # a company has no command
        ("19/9SS 1805", {"options": STRONGER}, GERMAN_COMMANDS),
    ],
)
def test_11_3_by_whom(text: str, fields: dict[str, Any], found: tuple[str, ...]) -> None:
    """11.3, 12.2 A command with units east of the Withdrawal Line, or any that others can join;
    the 86th once it has come, the 58th never."""
    assert commands(game(text, turn=5, **fields)) == found


def test_11_3_asked() -> None:
    """11.3 The Germans are asked, and may decline; then they are asked again next turn."""
    ask = opening(counterattack, game(f"{EAST}, D/2SS unknown", turn=5))
    assert (ask.kind, ask.seat, ask.case) == ("counterattack", "german", "11.3")
    assert ask.options == ("no", *GERMAN_COMMANDS) and ask.fallback == "no"
    assert ask.says("2SS").endswith("east of the line: 19/9SS")
    assert ask.intro == "Unknown forces that may enter: D/2SS."
    played = play(counterattack, game(EAST, turn=5))
    assert played.ended and (played.state.counterattack, played.state.counter_command) == (0, "")
    assert not played.notes and due(played.state)


def test_11_3_declared() -> None:
    """11.3 The command is told, is not in the cup, and acts first without a draw."""
    played = declare(EAST)
    state = played.state
    assert (state.counterattack, state.counter_command) == (5, "2SS")
    assert [note.command for note in played.of(CounterattackDeclared)] == ["2SS"]
    state = play(pool, state, dice=[]).state
    assert "2SS" not in state.cup and len(state.cup) == 11
    played = play(activation.activation, state, Move(("19/9SS",), ("1804",)), dice=[4])
    assert played.state.activated == ["2SS"] and not played.state.counter_command
    assert [(note.case, note.command, note.how, note.cup) for note in played.of(Drawn)] == [
        ("11.3", "2SS", "counterattack", 11)
    ]
    assert at(played.state, "19/9SS") == "1804"
    assert not due(played.state)


# --- who acts ---------------------------------------------------------------------------------------------


def fought(
    text: str, *orders: Order, command: str = "2SS", dice: tuple[int, ...] = (4,), **fields: Any
) -> Any:
    """The round of the counterattack."""
    state = game(text, turn=5, counterattack=5, counter_command=command, cup=["47Pz", "74"], **fields)
    return play(activation.activation, state, *orders, dice=dice)


def test_11_3_west_of_the_line() -> None:
    """11.3 Units of the command that begin the turn west of the line do not act, and have no other chance:
    they cannot be attached either."""
    text = "19/9SS 1805, 20/9SS 1807, KG/9Pz 1808"
    with pytest.raises(Overtaken):
        fought(text, Move(("20/9SS",), ("1806",)))
    state = fought(text).state
    assert state.units["19/9SS"].finished and not state.units["20/9SS"].finished
    with pytest.raises(Overtaken):
        play(activation.activation, state, Attach(("20/9SS",)), dice=["47Pz", 4])


def test_11_3_only_its_own_round() -> None:
    """11.3 The line binds the counterattack alone: other commands, and the same one in another turn,
    act wherever they are."""
    state = game("KG/9Pz 1807", turn=5, counterattack=5, activated=["2SS"], cup=["47Pz"])
    state = play(activation.activation, state, Move(("KG/9Pz",), ("1806",)), dice=["47Pz", 4]).state
    assert at(state, "KG/9Pz") == "1806"
    state = game("20/9SS 1807", turn=6, counterattack=5, cup=["2SS"])
    state = play(activation.activation, state, Move(("20/9SS",), ("1806",)), dice=["2SS", 4]).state
    assert at(state, "20/9SS") == "1806"


def test_11_3_those_who_joined_act() -> None:
    """11.3, 12.2 Units that have been attached act in the round, wherever they are."""
    text = "19/9SS 1805, KG/9Pz 1806 to=2SS, 2/2Pz 1811 to=2SS"
    state = fought(text, Move(("KG/9Pz",), ("1706",)), Move(("2/2Pz",), ("1810",))).state
    assert (at(state, "KG/9Pz"), at(state, "2/2Pz")) == ("1706", "1810")
    assert state.units["KG/9Pz"].finished


def test_11_3_attached_before() -> None:
    """11.3 Who joins is settled when it is declared, not in its round."""
    with pytest.raises(NotAllowed) as caught:
        fought("19/9SS 1805, KG/9Pz 1806", Attach(("KG/9Pz",)))
    assert caught.value.case == "11.3" and not isinstance(caught.value, Overtaken)


def test_11_3_by_the_86th() -> None:
    """11.3, 11.4 The 86th Corps is not drawn then: nobody enters with its marker."""
    with pytest.raises(NotAllowed):
        fought("980/272 1805", Enter(("981/272",), "0810"), command="86", zone_86="open")


# --- unknown forces ---------------------------------------------------------------------------------------


def test_11_3_unknown_forces_enter() -> None:
    """11.3 They are part of the command for the turn, act in its round, and are not counted
    as attachments."""
    text = "D/2SS unknown, KG/9Pz unknown, Co/PGEb unknown"
    played = declare(text, Enter(("D/2SS", "KG/9Pz"), "1805"), Enter(("Co/PGEb",), "1806"))
    state = played.state
    assert [note.names for note in played.of(Arrived)] == [("D/2SS", "KG/9Pz"), ("Co/PGEb",)]
    assert {note.case for note in played.of(Arrived)} == {"11.3"}
    assert [state.units[id].attached for id in ("D/2SS", "KG/9Pz", "Co/PGEb")] == ["", "2SS", "2SS"]
    assert state.attachments == 0
    state.activated = ["2SS"]
    assert [unit.id for unit in activation.active_units(state, "2SS")] == ["KG/9Pz", "D/2SS", "Co/PGEb"]


@pytest.mark.parametrize(
    ("units", "hex", "kind", "text"),
    [
        (("D/2SS",), "1806", None, ""),
        (("D/2SS",), "1805", None, "4AB/4C 1807"),
        (("D/2SS",), "1806", Overtaken, "4AB/4C 1807"),  # next to an Allied unit, over the line or not
        (("D/2SS",), "1806", Overtaken, "19/9SS 1806, 20/9SS 1806"),
        (("D/2SS",), "0206", Overtaken, "4AB/4C 0207"),  # though no zone reaches over the river between
        (("D/2SS",), "1807", NotAllowed, ""),  # west of the line
        (("D/2SS",), "0810", NotAllowed, ""),  # the 86th Corps Zone is not east of it
        (("980/272",), "1806", NotAllowed, ""),  # comes with the 86th Corps
        (("19/9SS",), "1806", Overtaken, "19/9SS 1807"),  # is on the map
        (("4AB/4C",), "1806", NotAllowed, ""),
    ],
)
def test_11_3_where_they_enter(units: tuple[str, ...], hex: str, kind: type | None, text: str) -> None:
    """11.3 In any hex east of the line, not next to an Allied unit, within stacking limits."""
    found = gathering(f"D/2SS unknown, {text}")
    if kind is None:
        found.check(Enter(units, hex))
        assert Enter(units, hex) in found.options("D/2SS")
        return
    with pytest.raises(NotAllowed) as caught:
        found.check(Enter(units, hex))
    assert type(caught.value) is kind


def test_11_3_who_does_not_come() -> None:
    """11.3, 11.4 Any or all: who does not come then waits for the 86th Corps."""
    state = declare("D/2SS unknown, DF/2SS unknown", Enter(("D/2SS",), "1805"), Hold()).state
    assert state.units["DF/2SS"].place == "unknown"
    assert "DF/2SS" in [unit.id for unit in zone86.waiting(state)]


# --- attachments ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("KG/9Pz 1806", True),
        ("KG/9Pz 1803", True),  # two hexes
        ("KG/9Pz 1802", False),
        ("KG/9Pz 1807", False),  # west of the line, though only two hexes away
        ("Co/PGEb 1806", True),
        ("20/9SS 1806", False),  # of the command anyway
        ("KG/9Pz 1808, 20/9SS 1807", False),
    ],
)
def test_11_3_who_may_be_attached(text: str, may: bool) -> None:
    """11.1, 11.3 Units of other commands within two hexes of one that takes part,
    east of the line themselves."""
    found = gathering(f"{EAST}, {text}")
    id = text.split()[0]
    assert (id in found.subjects()) is may
    assert (Attach((id,)) in found.options(id)) is may
    if may:
        found.check(Attach((id,)))
    else:
        with pytest.raises(NotAllowed):
            found.check(Attach((id,)))


def test_11_3_the_three_of_the_turn() -> None:
    """11.3 Three, by priority; no other command attaches anybody in this turn."""
    text = "19/9SS 1805, KG/9Pz 1805, 2/2Pz 1804, 304/2Pz 1804, 25/12SS 1806, 978/271 1706, 26/12SS 1706"
    played = declare(text, Attach(("KG/9Pz", "20/9SS", "2/2Pz", "304/2Pz", "25/12SS")))
    state = played.state
    assert [note.names for note in played.of(Attached)] == [("KG/9Pz", "2/2Pz", "304/2Pz")]
    assert {note.case for note in played.of(Attached)} == {"11.3"}
    assert (state.attachments, state.units["25/12SS"].attached) == (3, "")
    state = play(activation.activation, play(pool, state).state, dice=[4]).state
    with pytest.raises(Overtaken):
        play(activation.activation, state, Attach(("26/12SS",)), dice=["74", 4])


def test_11_3_one_now_two_later() -> None:
    """11.1, 11.3 What the counterattack leaves of the three another command may use."""
    text = "19/9SS 1805, KG/9Pz 1805, 978/271 1706, 25/12SS 1706, 26/12SS 1606, 125/21Pz 1606"
    state = play(pool, declare(text, Attach(("KG/9Pz",))).state).state
    state = play(activation.activation, state, dice=[4]).state
    order = Attach(("25/12SS", "26/12SS", "125/21Pz"))
    played = play(activation.activation, state, order, dice=["74", 4])
    assert played.of(Attached)[-1].names == ("25/12SS", "26/12SS")


def test_11_3_near_those_who_entered() -> None:
    """11.3 Unknown forces that have come are of the command; those who have been attached are not:
    nobody joins by way of them."""
    text = "D/2SS unknown, KG/9Pz 1804, 2/2Pz 1802"
    with pytest.raises(Overtaken):
        gathering(text).check(Attach(("KG/9Pz",)))
    found = gathering(text)
    found.carry_out(Enter(("D/2SS",), "1806"))
    found.carry_out(Attach(("KG/9Pz",)))
    with pytest.raises(Overtaken):
        found.check(Attach(("2/2Pz",)))


def test_11_3_orders() -> None:
    """11.3 Only entering and attaching is ordered here; it ends when nobody is left to join,
    and with `hold`."""
    played = declare(f"{EAST}, KG/9Pz 1806, 2/2Pz 1806", Hold())
    [request] = [each for each in played.requests if isinstance(each, Desk)]
    assert (request.seat, request.section, request.takes) == (
        "german",
        "counterattack",
        (Enter, Attach, Hold),
    )
    assert played.ended and not played.of(Attached)
    assert not [each for each in declare(EAST).requests if isinstance(each, Desk)]


# --- 12.2 -------------------------------------------------------------------------------------------------


def test_12_2_three_more() -> None:
    """12.2 Six in all: three under the rules of 11.3, three from anywhere, cut off or not;
    those do not count among the three of the turn."""
    far = "978/271 3030, 979/271 3032, 989/277 1811, 990/277 1813"
    text = f"{EAST}, KG/9Pz 1805, {far}, 2/2Pz 1804, 304/2Pz 1804, Co/PGEb 1806"
    played = declare(
        text,
        Attach(("978/271", "979/271", "989/277", "990/277", "KG/9Pz")),
        Attach(("2/2Pz", "304/2Pz", "Co/PGEb")),
        options=STRONGER,
    )
    assert [note.names for note in played.of(Attached)] == [
        ("978/271", "979/271", "989/277", "KG/9Pz"),
        ("2/2Pz", "304/2Pz"),
    ]
    assert played.state.attachments == 3


def test_12_2_what_is_left() -> None:
    """12.2 Who comes from far away takes nothing from the three of the turn; who could be one of those is."""
    state = declare(
        f"{EAST}, 978/271 3030, KG/9Pz 1806", Attach(("978/271", "KG/9Pz")), options=STRONGER
    ).state
    assert state.attachments == 1


def test_12_2_without_the_option() -> None:
    """12.2 Is an option."""
    with pytest.raises(Overtaken):
        declare(f"{EAST}, 978/271 3030, KG/9Pz 1806", Attach(("978/271",)))


def test_12_2_nobody_east() -> None:
    """12.2 A command with nobody east of the line can be joined from anywhere:
    those three make the counterattack."""
    state = declare("20/9SS 1807, 978/271 1809", Attach(("978/271",)), options=STRONGER).state
    state = play(pool, state).state
    state = play(activation.activation, state, Move(("978/271",), ("1808",)), dice=[4]).state
    assert at(state, "978/271") == "1808" and not state.units["20/9SS"].finished


# --- writing beforehand -----------------------------------------------------------------------------------


def test_11_3_judged_beforehand() -> None:
    """11.3 Lines for other commands are judged with the counterattack before them."""
    state = game("19/9SS 1805, KG/9Pz 1806, 978/271 1706", turn=5, counterattack=5, counter_command="2SS")
    request = rehearsal(state, "german", "74")[0]
    request.check(Attach(("KG/9Pz",)))
    with pytest.raises(Overtaken):
        request.check(Attach(("19/9SS",)))


def test_11_3_sections() -> None:
    """11.3 While it is declared, lines may be written for any command that unknown forces may join."""
    state = game("D/2SS unknown", turn=5, phase="counterattack")
    assert set(GERMAN_COMMANDS) <= set(activation.sections_of(state, "german"))
    state.phase = "bombardment"
    assert not set(GERMAN_COMMANDS) & set(activation.sections_of(state, "german"))
