"""The 86th Corps Zone and the Withdrawal Line (11.4): what puts the marker into the cup,
who comes with it, and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.play import Ask
from pbem.games.falaise import activation, placing, zone86
from pbem.games.falaise.notes import Arrived, ZoneTriggered
from pbem.games.falaise.orders import Assault, Attach, Enter, Move
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import GRID, MAP, SETUP, UNITS, region
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, play

# 1611 lies outside the six hexes around the Dives bridges, 1712 and 1713 inside; 1009 borders on the zone,
# 0910 and 0810 are in it, on the German side of the line. East of the Withdrawal Line columns 01 to 06 of row
# 20 lie, 2007 is west of it.

SOLITAIRE = {"players": "one"}


def step(text: str, *way: str, **fields: Any) -> State:
    """The state after the first unit of `text` has gone these hexes."""
    state = game(text, **fields)
    for hex in way:
        placing.put(state, [state.units[text.split()[0]]], hex)
    return state


# --- the ground -----------------------------------------------------------------------------------------


def test_11_4_the_bridges() -> None:
    """11.4 The bridges that count are those over the Dives south of row 20, the one in row 20 left out."""
    south = {
        key
        for key in MAP.hexsides("bridge")
        if key in MAP.rivers["Dives"] and all(int(hex[:2]) > 20 for hex in key.split("-"))
    }
    assert south == set(region("trigger bridges").hexsides)


@pytest.mark.parametrize(
    ("hex", "near"), [("1611", False), ("1712", True), ("3317", False), ("3316", True), ("3219", False)]
)
def test_11_4_six_hexes(hex: str, near: bool) -> None:
    """11.4 Six hexes from either end of a bridge."""
    ends = [end for key in region("trigger bridges").hexsides for end in key.split("-")]
    assert zone86.within(zone86.NEAR_BRIDGES, hex) is near
    assert (min(GRID.distance(hex, end) for end in ends) <= 6) is near


def test_11_4_entry_area() -> None:
    """11.4 The entry hexes lie in the zone; the Front Line parts them from the rest of it,
    which the Allies hold."""
    assert zone86.ENTRY & ~zone86.ZONE == 0
    assert zone86.ZONE & ~zone86.ENTRY, "part of the zone is on the Allied side"
    assert zone86.ENTRY & zone86.EAST == 0
    line = set(MAP.hexsides("front_line"))
    for hex in GRID.named(zone86.ENTRY):
        for near in MAP.neighbours(hex):
            if zone86.within(zone86.ZONE & ~zone86.ENTRY, near):
                assert "-".join(sorted((hex, near))) in line


@pytest.mark.parametrize(
    ("where", "east"),
    [("2006", True), ("2007", False), ("1703", True), ("3219", False), ("dead", False), ("exited", False)],
)
def test_11_4_east_of_the_line(where: str, east: bool) -> None:
    """11.3, 11.4 East of the Withdrawal Line; who is not on the map is not."""
    assert zone86.is_east(game(f"KG/9Pz {where}").units["KG/9Pz"]) is east


# --- the trigger ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "way", "triggered", "entered"),
    [
        ("4AB/4C 1611", ["1712"], True, False),  # from outside to within six hexes
        ("4AB/4C 1712", ["1713"], False, False),  # who was within them has not come
        ("4AB/4C 1712", ["1611"], False, False),
        ("4AB/4C 1712", ["1611", "1712"], True, False),  # but has once he had been outside
        ("4AB/4C 1009", ["0910"], True, True),  # into the zone
        ("4AB/4C 0910", ["0810"], False, False),  # inside it
        ("4AB/4C 0910", ["1009", "0910"], True, True),
        ("25/12SS 1611", ["1712"], False, False),  # Germans set nothing going
        ("25/12SS 1009", ["0910"], False, False),
        ("359/90 later", ["3309"], False, False),  # who is set up within six hexes has not come
    ],
)
def test_11_4_what_triggers(text: str, way: list[str], triggered: bool, entered: bool) -> None:
    """11.4 A step of an Allied unit from outside, not a position."""
    state = step(text, *way, cup=["74", "2CC"])
    assert state.zone_86 == ("triggered" if triggered else "closed")
    assert state.cup == (["2CC", "74", "86"] if triggered else ["74", "2CC"])
    assert state.zone_entered is entered
    notes = [(note.unit, note.hex, note.entered) for note in state.log if isinstance(note, ZoneTriggered)]
    assert notes == ([(text.split()[0], way[-1], entered)] if triggered else [])


def test_11_4_the_start() -> None:
    """11.4 The set-up triggers nothing, though the US 90th stands within six hexes."""
    state = game()
    for id, hex in SETUP.example.hexes.items():
        placing.put(state, [state.units[id]], hex)
    near = [id for id, hex in SETUP.example.hexes.items() if zone86.within(zone86.NEAR_BRIDGES, hex)]
    assert any(UNITS[id].division == "90" for id in near)
    assert (state.zone_86, state.cup) == ("closed", [])


@pytest.mark.parametrize("zone", ["triggered", "open"])
def test_11_4_one_marker(zone: str) -> None:
    """11.4 The marker goes into the cup once; to come into the zone still opens it to the Germans."""
    state = step("4AB/4C 1009", "0910", zone_86=zone, cup=["86"])
    assert (state.cup, state.zone_86, state.zone_entered) == (["86"], zone, True)
    assert not state.log


@pytest.mark.parametrize(("boundary", "zone"), [(False, "closed"), (True, "triggered")])
@pytest.mark.parametrize("way", ["1611 1712", "1009 0910"])
def test_13_3_the_system(way: str, boundary: bool, zone: str) -> None:
    """13.3 The system's side sets nothing going before its die has opened the boundary."""
    state = step(f"4AB/4C {way.split()[0]}", way.split()[1], options=SOLITAIRE, boundary=boundary)
    assert state.zone_86 == zone
    assert state.zone_entered is (boundary and "0910" in way)


@pytest.mark.parametrize(
    ("fields", "open_"),
    [
        ({}, False),
        ({"zone_86": "triggered"}, False),
        ({"zone_86": "triggered", "zone_entered": True}, True),
        ({"zone_86": "open"}, True),
    ],
)
def test_11_4_germans(fields: dict[str, Any], open_: bool) -> None:
    """11.4 Germans may enter the zone once an Allied unit has, or the marker has been drawn."""
    assert zone86.open_to_germans(game(**fields)) is open_


def act(command: str, text: str, *orders: Any, dice: tuple[int, ...] = (4,), **fields: Any) -> Played[State]:
    """The round of a command whose marker is the only one in the cup."""
    choose: Callable[[Ask[Any]], Any] | None = fields.pop("choose", None)
    fields.setdefault("cup", [command])
    return play(activation.activation, game(text, **fields), *orders, dice=[command, *dice], choose=choose)


def test_11_4_by_moving() -> None:
    """11.4 In mid-move the marker goes into the cup, though it was empty: it is drawn in the same turn,
    as the last one."""
    played = act("Pol", "Koszutski 1611", Move(("Koszutski",), ("1712", "1713")))
    assert at(played.state, "Koszutski") == "1713"
    assert [note.hex for note in played.of(ZoneTriggered)] == ["1712"]
    assert played.state.cup == ["86"] and activation.pending(played.state)
    played = play(activation.activation, played.state, Enter(("980/272",), "0810"), dice=["86", 3])
    assert at(played.state, "980/272") == "0810"
    assert not activation.pending(played.state)


def test_11_4_by_advancing() -> None:
    """11.4 An advance into the six hexes does it as well."""
    order = Assault("1712", ("4AB/4C", "10/4C"), advance=("4AB/4C",))
    played = act("2CC", "4AB/4C 1611, 10/4C 1612, KG/243 1712", order, dice=(4, 6))
    assert at(played.state, "4AB/4C") == "1712"
    assert played.state.cup == ["86"]


def test_11_4_by_retreating() -> None:
    """11.4 And so does a retreat."""

    def choose(ask: Ask[Any]) -> Any:
        if ask.kind == "ter":
            return "keep"
        ways = [option for option in ask.options if ask.kind == "retreat" and "1712" in option]
        return ways[0] if ways else ask.fallback

    text = "6/2AB 1611, Pz/12SS 1511, 25/12SS 1511, 501SS 1512, 26/12SS 1512"
    order = Assault("1611", ("Pz/12SS", "25/12SS", "501SS", "26/12SS"))
    played = act("1SS", text, order, dice=(4, 3), choose=choose)
    assert [note.unit for note in played.of(ZoneTriggered)] == ["6/2AB"]
    assert played.state.cup == ["86"]


# --- when the marker is drawn -----------------------------------------------------------------------------


def test_11_4_who_waits() -> None:
    """11.4 What has not come yet of the 272nd, and the unknown forces; not the tank destroyers,
    nor who is dead."""
    state = game("980/272 dead, 981/272 0810, D/2SS unknown, DF/2SS dead, 19/9SS 1805")
    assert [unit.id for unit in zone86.waiting(state)] == ["D/2SS", "982/272"]


def test_11_4_drawn() -> None:
    """11.4 The 272nd and unknown forces come into the zone, act at once, and count as no attachments;
    whoever belongs to another corps is attached."""
    played = act(
        "86",
        "D/2SS unknown",
        Enter(("980/272",), "0810"),
        Enter(("D/2SS",), "0710"),
        Move(("D/2SS",), ("0709",)),
        zone_86="triggered",
    )
    state = played.state
    assert (at(state, "980/272"), at(state, "D/2SS")) == ("0810", "0709")
    assert (state.units["D/2SS"].attached, state.units["980/272"].attached) == ("86", "")
    assert state.units["D/2SS"].finished and state.units["980/272"].finished
    assert (state.zone_86, state.attachments) == ("open", 0)
    assert [(note.case, note.names, note.hex) for note in played.of(Arrived)] == [
        ("11.4", ("980/272",), "0810"),
        ("11.4", ("D/2SS",), "0710"),
    ]


def entering(text: str, **fields: Any) -> Any:
    """What is asked when the marker is drawn."""
    fields.setdefault("zone_86", "triggered")
    state = game(text, **fields)
    state.active, state.activated = "86", ["86"]
    return activation.Round.of(state, "86")


@pytest.mark.parametrize(
    ("units", "hex", "kind", "text"),
    [
        (("980/272",), "0810", None, ""),
        (("980/272",), "0918", NotAllowed, ""),  # in the zone, on the Allied side of the line
        (("980/272",), "1009", NotAllowed, ""),  # outside the zone
        (("980/272",), "1805", NotAllowed, ""),  # east of the Withdrawal Line is for the counterattack
        (("980/272",), "0910", Overtaken, "4AB/4C 1010"),  # in an Allied zone
        (("980/272",), "0910", Overtaken, "4AB/4C 0910"),  # Allies there
        (("980/272",), "0810", Overtaken, "981/272 0810"),  # full
        (("980/272", "981/272"), "0810", Overtaken, ""),  # two regiments
        (("980/272", "D/2SS"), "0810", None, "D/2SS unknown"),
        (("980/272", "980/272"), "0810", None, ""),  # named twice
        (("980/272",), "0810", Overtaken, "980/272 0710"),  # has come
        (("980/272",), "0810", Overtaken, "980/272 dead"),
        (("D/2SS",), "0810", Overtaken, "D/2SS 1805"),  # it may have come with the counterattack
        (("610TD",), "0810", NotAllowed, ""),
        (("D/2SS",), "0810", NotAllowed, ""),  # is neither of the 272nd nor of the unknown forces
    ],
)
def test_11_4_where_and_who(units: tuple[str, ...], hex: str, kind: type | None, text: str) -> None:
    """11.4 In the zone on the German side of the line, out of enemy zones, within stacking limits;
    what the enemy or chance has done is overtaken."""
    check = entering(text).check
    if kind is None:
        check(Enter(units, hex))
        return
    with pytest.raises(NotAllowed) as caught:
        check(Enter(units, hex))
    assert type(caught.value) is kind and caught.value.case in ("11.4", "5.3")


def test_11_4_listed() -> None:
    """11.4 What is offered is what is legal: every open hex, and nobody who has come."""
    round = entering("982/272 0710, 4AB/4C 1010, D/2SS unknown")
    assert {"980/272", "981/272", "D/2SS"} <= set(round.subjects())
    offered = [order for order in round.options("980/272") if isinstance(order, Enter)]
    allied = game("4AB/4C 1010")
    wanted = zone86.ENTRY & ~activation.zone(allied, "allied") & ~GRID.bits(["0710"])
    assert {order.hex for order in offered} == set(GRID.named(wanted))
    for order in offered:
        round.check(order)
    assert not [order for order in round.options("982/272") if isinstance(order, Enter)]


def test_11_4_nobody_left() -> None:
    """11.4 The marker opens the zone even if nobody is left to come; there is no die then."""
    played = act("86", "980/272 dead, 981/272 dead, 982/272 dead", dice=(), zone_86="triggered")
    assert played.ended and played.state.zone_86 == "open"


def test_11_4_who_did_not_come() -> None:
    """11.4 Who does not come with the first draw can come with a later one."""
    played = act("86", "", Enter(("980/272",), "0810"), zone_86="triggered")
    state = played.state
    state.turn, state.cup, state.activated = 4, ["86"], []
    for unit in state.units.values():
        unit.finished = False
    played = play(activation.activation, state, Enter(("981/272",), "0710"), dice=["86", 3])
    assert at(played.state, "981/272") == "0710"


def test_11_4_near_those_who_came() -> None:
    """11.1, 11.4 Units that have come are of the command: others near them may be attached,
    who were too far before."""
    text = "25/12SS 0811, D/2SS unknown"
    with pytest.raises(Overtaken):
        act("86", text, Attach(("25/12SS",)), zone_86="open")
    played = act("86", text, Enter(("D/2SS",), "0810"), Attach(("25/12SS",)), zone_86="open")
    assert (played.state.units["25/12SS"].attached, played.state.attachments) == ("86", 1)
