"""Action rounds: which command acts (4.0, 11.2, 11.10, 12.1), its points (7.1.1), who acts (7.0, 11.1, 11.2),
in what order (7.0, 10.0), and who is finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Ask, Chance, Draw, advance
from pbem.games.falaise import GAME, activation
from pbem.games.falaise.activation import Round
from pbem.games.falaise.attaching import Attachments
from pbem.games.falaise.notes import Allotted, Attached, Drawn, PutBack, RoundEnded
from pbem.games.falaise.orders import Assault, Attach, Enter, Exit, Hold, MechAssault, Move
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS, GRID, MAP
from pbem.games.falaise.view import view
from pbem.service.letters.log import forces
from tests.games.falaise.kit import at, game, rehearsal
from tests.games.playing import Played, opening, play

# 0118 to 0327 is open ground without roads. A bridge leads over the Orne from 2335 in the west to 2334.
# 978/271 and 979/271 are of the 74th Corps, 192/21Pz and 25/12SS of the 1st SS (all on foot), Pz/12SS of the
# 1st SS and KG/9Pz of the 47th (mechanised), 4/2C and 6/2AB of the Canadian 2nd Corps, the second mechanised.

GERMAN, ALLIED = sorted(GERMAN_COMMANDS), sorted(ALLIED_COMMANDS)
BETTER = {"better_command": "yes"}


def answers(**by_kind: Any) -> Callable[[Ask[Any]], Any]:
    """Answers by the kind of decision ("58th" is written as traffic); the default for others."""
    return lambda ask: by_kind.get({"58th": "traffic"}.get(ask.kind, ask.kind), ask.fallback)


def act(
    command: str, text: str, *orders: Order, dice: Sequence[int] = (4,), choose: Any = None, **fields: Any
) -> Played[State]:
    """The round of a command whose marker is the only one in the cup."""
    fields.setdefault("cup", [command])
    return play(activation.activation, game(text, **fields), *orders, dice=[command, *dice], choose=choose)


def again(
    state: State, command: str, *orders: Order, dice: Sequence[int] = (4,), choose: Any = None
) -> Played[State]:
    """A round of another command in the same turn."""
    state.cup = sorted({*state.cup, command})
    return play(activation.activation, state, *orders, dice=[command, *dice], choose=choose)


def refused(played: Callable[[], object]) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        played()
    return caught.value


def how(played: Played[State]) -> list[tuple[str, str, str]]:
    return [(note.case, note.command, note.how) for note in played.of(Drawn)]


# --- markers (4.0) --------------------------------------------------------------------------------------


def test_4_0_a_marker_is_drawn() -> None:
    """4.0 Out of all that are in the cup; it stays out."""
    played = act("74", "978/271 0224", cup=["2CC", "74", "84"])
    assert played.requests[0] == Draw(case="4.0", what="command", pool=("2CC", "74", "84"))
    assert (played.state.cup, played.state.activated) == (["2CC", "84"], ["74"])
    assert [(note.command, note.how, note.cup, note.case) for note in played.of(Drawn)] == [
        ("74", "drawn", 2, "4.0")
    ]
    assert (played.state.active, played.state.allowance) == ("", 0), "the round is over"


def test_4_0_nobody_to_act() -> None:
    """4.0 A command without units on the map is activated without a die or a question."""
    played = act("74", "978/271 dead", dice=())
    assert played.ended and played.state.activated == ["74"]
    assert [note.mode for note in played.of(RoundEnded)] == [""]


def test_4_0_all_of_them_are_finished() -> None:
    """4.0 All units of the command are finished after its round, whatever they have done; others are not."""
    state = act("74", "978/271 0224, 979/271 0226, 1053/85 0228", Move(("978/271",), ("0225",))).state
    finished = [unit.id for unit in state.units.values() if unit.finished]
    assert finished == ["978/271", "979/271"]
    state = act("74", "978/271 0224", Hold()).state
    assert state.units["978/271"].finished


def test_4_0_finished_units_do_not_act() -> None:
    """4.0 A unit that has helped another command is left out of its own round."""
    text = "978/271 0224 finished, 979/271 0226"
    state = game(text, activated=["74"])
    assert [unit.id for unit in activation.active_units(state, "74")] == ["979/271"]
    with pytest.raises(Overtaken):
        act("74", text, Move(("978/271",), ("0225",)))


def test_4_0_mode_is_told() -> None:
    """7.0 The end of a round tells what kind of round it was."""
    moved = act("2CC", "4/2C 0224", Move(("4/2C",), ("0225",)))
    fought = act("2CC", "4/2C 0224, KG/243 0225", Assault("0225", ("4/2C",), stay=True), dice=(4, 1))
    assert [played.of(RoundEnded)[0].mode for played in (moved, fought)] == ["movement", "assault"]


# --- the Germans begin (11.10) ----------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1, 2])
def test_11_10_two_german_activations(turn: int) -> None:
    """11.10 The first two are drawn from German markers alone; then the Allied ones go into the cup."""
    state = game(turn=turn, cup=list(GERMAN), held_back=list(ALLIED))
    played = play(activation.activation, state, dice=["74"])
    assert played.requests[0].pool == tuple(GERMAN)
    assert how(played) == [("11.10", "74", "initiative")]
    assert played.state.held_back == ALLIED
    state = play(activation.activation, played.state, dice=["84"]).state
    assert (state.held_back, state.cup) == ([], sorted({*GERMAN, *ALLIED} - {"74", "84"}))


@pytest.mark.parametrize("turn", [1, 2])
def test_11_10_the_third_is_allied(turn: int) -> None:
    """11.10 German markers go back until an Allied one is drawn; the 58th Corps may not take the place
    of one that does not act."""
    cup = sorted({*GERMAN, *ALLIED} - {"74", "84"})
    state = game("978/271 2435, 1053/85 2436", turn=turn, cup=list(cup), activated=["74", "84"])
    played = play(activation.activation, state, dice=["1SS", "2SS", "Pol"], choose=answers(traffic="yes"))
    assert [each.pool for each in played.requests if isinstance(each, Draw)] == [tuple(cup)] * 3
    assert [(note.case, note.command, note.why) for note in played.of(PutBack)] == [
        ("11.10", "1SS", "initiative"),
        ("11.10", "2SS", "initiative"),
    ]
    assert played.state.activated == ["74", "84", "Pol"]
    assert played.state.cup == [key for key in cup if key != "Pol"]
    assert not played.asked("58th")


@pytest.mark.parametrize(
    ("turn", "activated"), [(3, ["74", "84"]), (1, ["74"]), (1, ["74", "84", "Pol"]), (3, [])]
)
def test_11_10_only_the_third_of_two_turns(turn: int, activated: list[str]) -> None:
    """11.10 Otherwise a German marker that is drawn acts."""
    state = game(turn=turn, cup=["1SS", "7C"], activated=list(activated))
    played = play(activation.activation, state, dice=["1SS"])
    assert played.state.activated == [*activated, "1SS"]
    assert not played.of(PutBack)


def test_11_10_with_the_58th() -> None:
    """11.2, 11.10 The 58th Corps is one of the two; the marker that it has replaced
    is in the German cup again."""
    state = game("978/271 2435", turn=1, cup=list(GERMAN), held_back=list(ALLIED))
    state = play(activation.activation, state, dice=["84", 4], choose=answers(traffic="yes")).state
    assert (state.activated, state.cup, state.held_back) == (["58Pz"], GERMAN, ALLIED)
    state = play(activation.activation, state, dice=["84"]).state
    assert (state.activated, state.held_back) == (["58Pz", "84"], [])
    assert state.cup == sorted({*GERMAN, *ALLIED} - {"84"})


# --- the Germans choose (12.1) ----------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1, 4])
@pytest.mark.parametrize("command", ["2SS", "58Pz"])
def test_12_1_chosen(turn: int, command: str) -> None:
    """12.1 On turns 1 to 4 the Germans choose who begins, the 58th Corps too; nothing is drawn."""
    state = game("978/271 2435, 19/9SS 0224", turn=turn, options=BETTER, cup=sorted([*GERMAN, "Pol"]))
    played = play(activation.activation, state, dice=[4], choose=answers(choose=command))
    [ask] = played.asked("choose")
    assert (ask.seat, ask.case) == ("german", "12.1")
    assert set(ask.options) == {*GERMAN, "58Pz"}
    assert how(played) == [("12.1", command, "chosen")]
    assert played.state.activated == [command]
    assert played.state.cup == sorted({*GERMAN, "Pol"} - {command})
    assert not played.asked("58th")


@pytest.mark.parametrize(
    ("turn", "activated", "options"),
    [(5, [], BETTER), (4, ["74"], BETTER), (4, [], {})],
)
def test_12_1_drawn(turn: int, activated: list[str], options: dict[str, str]) -> None:
    """12.1 Not later, not for a second command of a turn, not without the option."""
    state = game(turn=turn, options=options, cup=["1SS", "Pol"], activated=activated)
    assert isinstance(opening(activation.activation, state), Draw)


def test_12_1_markers_to_choose_from() -> None:
    """12.1 The 86th Corps when its marker is in the cup, the 58th when it could move somebody."""
    ask = opening(activation.activation, game(turn=4, options=BETTER, cup=["74", "86", "Pol"]))
    assert ask.options == ("74", "86")


# --- the 58th Corps (11.2) --------------------------------------------------------------------------------


def test_11_2_the_region() -> None:
    """11.2 West or south of the Orne and west of column 21: out of it one comes over the Orne,
    or into that column."""
    orne = set(MAP.rivers["Orne-Aval"])
    assert activation.WEST_OF_ORNE
    for hex in sorted(activation.WEST_OF_ORNE):
        assert int(hex[2:]) > 21
        for near in MAP.neighbours(hex):
            if near not in activation.WEST_OF_ORNE:
                assert "-".join(sorted((hex, near))) in orne or near[2:] == "21"


@pytest.mark.parametrize(
    ("text", "activated", "eligible"),
    [
        ("978/271 2335, 979/271 2334", [], ["978/271"]),
        ("978/271 3322, 979/271 3321", [], ["978/271"]),
        ("978/271 2335, 1053/85 2436", ["74"], ["1053/85"]),  # its corps has been activated
        ("978/271 2335 finished, 1053/85 2436", [], ["1053/85"]),
        ("978/271 2335 to=1SS", ["74"], ["978/271"]),
        ("978/271 2335 to=1SS", ["1SS"], []),
        ("Co/7Army 2335", [], ["Co/7Army"]),  # of no corps
        ("978/271 unknown, 4/2C 2436", [], []),
    ],
)
def test_11_2_whom_it_moves(text: str, activated: list[str], eligible: list[str]) -> None:
    """11.2 Germans west of the Orne who are not finished and whose command has not been activated."""
    state = game(text, activated=activated)
    assert [unit.id for unit in activation.traffic_units(state)] == eligible
    assert [unit.id for unit in activation.active_units(state, "58Pz")] == eligible


@pytest.mark.parametrize(
    ("command", "turn", "fields", "asked"),
    [
        ("84", 1, {}, True),
        ("84", 4, {}, True),
        ("84", 5, {}, False),
        ("84", 3, {"activated": ["58Pz"]}, False),  # once a turn
        ("84", 3, {"activated": ["74"]}, False),  # nobody to move
        ("86", 3, {}, True),
        ("Pol", 3, {}, False),
    ],
)
def test_11_2_asked(command: str, turn: int, fields: dict[str, Any], asked: bool) -> None:
    """11.2 On turns 1 to 4, once, for any German marker drawn, if it could move somebody."""
    state = game("978/271 2335", turn=turn, cup=[command], **fields)
    played = play(activation.activation, state, dice=[command])
    assert bool(played.asked("58th")) is asked
    for ask in played.asked("58th"):
        assert (ask.seat, ask.options, ask.fallback) == ("german", ("no", "yes"), "no")
        assert isinstance(ask, activation.Substitution) and (ask.drawn, ask.eligible) == (command, 1)
        assert f"({command}) is drawn" in ask.intro
        assert ask.says("yes") == f"moves 1 unit west of the Orne, 978/271; {command} returns to the cup"
    assert played.state.activated[-1] == command, "nobody has said yes"


def test_11_2_asked_again() -> None:
    """11.2 Who declines is asked again when the next German marker is drawn; who has accepted is not."""
    state = game("978/271 2335", cup=["1SS", "84"])
    first = play(activation.activation, state, dice=["84"])
    assert first.asked("58th")
    second = play(activation.activation, first.state, dice=["1SS", 4], choose=answers(traffic="yes"))
    assert second.asked("58th") and second.state.cup == ["1SS"]
    assert not again(second.state, "1SS", dice=()).asked("58th")


def test_11_2_while_it_is_open_the_marker_is_out_of_the_cup() -> None:
    """11.2 While the Germans are asked, the drawn marker is in the cup for nobody:
    views and letters say that it may still be replaced."""
    state = game("978/271 2335", phase="activation", cup=["1SS", "84"])
    advance(activation.activation(state), state, dice=lambda request, label: ["84"])
    assert (state.cup, state.drawn) == (["1SS"], "84")
    seen = view(state, "allied")
    assert seen.cup == ("1SS",)
    assert {command.key: command.standing for command in seen.commands}["84"] == "drawn"
    assert "84: drawn; the 58th Panzer Corps may still" in " ".join(
        line for part in forces(GAME, seen) for line in part.lines
    )
    (note,) = [note for note in state.log if isinstance(note, Drawn)]
    assert note.cup == 1


def test_11_10_is_remembered_until_the_third_round() -> None:
    """11.10 That the first two rounds are German is told until they are over, not all turn long."""
    for activated, told in (([], True), (["74"], True), (["74", "84"], True), (["74", "84", "Pol"], False)):
        seen = view(game(turn=2, phase="activation", activated=activated), "german")
        assert any("11.10" in line for line in seen.notes) is told, activated


def test_11_2_it_takes_the_place() -> None:
    """11.2 The marker goes back into the cup, is drawn again later, and the units of all commands move."""
    played = act(
        "84",
        "978/271 2435, 192/21Pz 2436, 957/363 0224",
        Move(("978/271",), ("2535",)),
        Move(("192/21Pz",), ("2536",)),
        choose=answers(traffic="yes"),
    )
    state = played.state
    assert [(note.case, note.command, note.why) for note in played.of(PutBack)] == [("11.2", "84", "58th")]
    assert how(played) == [("4.0", "84", "drawn"), ("11.2", "58Pz", "58th")]
    assert (state.activated, state.cup) == (["58Pz"], ["84"])
    assert activation.pending(state)
    assert (at(state, "978/271"), at(state, "192/21Pz")) == ("2535", "2536")
    [request] = {each.section for each in played.requests if isinstance(each, Desk)}
    assert request == "58Pz"
    assert not again(state, "84").asked("58th")


def traffic(text: str, *orders: Order, dice: Sequence[int] = (4,)) -> Played[State]:
    """The round of the 58th Corps in place of the 84th."""
    return act("84", text, *orders, dice=dice, choose=answers(traffic="yes"))


def test_11_2_no_assault_round() -> None:
    """11.2 It moves and makes mechanised assaults alone."""
    text = "Pz/12SS 2435, 978/271 2436, 4/2C 2535"
    fault = refused(lambda: traffic(text, Assault("2535", ("Pz/12SS",))))
    assert fault.case == "11.2" and not isinstance(fault, Overtaken)
    state = game(text, active="58Pz", activated=["58Pz"], allowance=5)
    assert all(isinstance(order, MechAssault) for order in Round.of(state, "58Pz").options("2535"))
    played = traffic(text, MechAssault("2535", ("Pz/12SS",), stay=True), dice=(4, 4))
    assert played.state.units["Pz/12SS"].finished, "nobody attacks twice in a turn (10.1)"
    assert not played.state.units["978/271"].finished


def test_11_2_who_is_finished() -> None:
    """11.2, 7.2 Whoever ends his move east of the Orne is finished; whoever stays west of it is not,
    but has moved; whoever has not moved may still do so."""
    text = "192/21Pz 2335, 978/271 2436, 979/271 2538"
    state = traffic(text, Move(("192/21Pz",), ("2334",)), Move(("978/271",), ("2536",))).state
    assert [unit.id for unit in state.units.values() if unit.finished] == ["192/21Pz"]
    assert state.moved == ["978/271"]
    played = again(state, "74", Move(("979/271",), ("2638",)))
    assert at(played.state, "979/271") == "2638"


def test_11_2_no_second_move() -> None:
    """7.2, 11.2 Who has been moved does not move again with his own command, but may assault with it,
    in either way."""

    def moved() -> State:
        order = Move(("978/271",), ("2537",))
        return traffic("978/271 2436, 979/271 2640, 4/2C 2637", order, dice=(4, 1)).state

    assert refused(lambda: again(moved(), "74", Move(("978/271",), ("2437",)))).case == "7.2"
    played = again(moved(), "74", Assault("2637", ("978/271",), stay=True), dice=(4, 5))
    assert played.state.units["978/271"].finished
    state = game("Pz/12SS 2435, 4/2C 2535", moved=["Pz/12SS"], activated=["58Pz"])
    played = again(state, "1SS", MechAssault("2535", ("Pz/12SS",), stay=True), dice=(4, 4))
    assert played.of(RoundEnded)[0].mode == "movement"


def test_11_2_attaches_nobody() -> None:
    """11.1, 11.2 It attaches nobody, and whom it has moved nobody attaches: he has been activated."""
    fault = refused(lambda: traffic("978/271 2435, 979/271 2334", Attach(("979/271",))))
    assert fault.case == "11.2"
    state = traffic("978/271 2435, 979/271 2438, 192/21Pz 2537", Move(("978/271",), ("2436",))).state
    state.cup = ["1SS"]
    with pytest.raises(Overtaken):
        again(state, "1SS", Attach(("978/271",)))
    assert again(state, "1SS", Attach(("979/271",))).state.units["979/271"].attached == "1SS"


# --- movement points (7.1.1) ------------------------------------------------------------------------------

COORDINATION = {"better_coordination": "yes"}


@pytest.mark.parametrize(
    ("command", "turn", "options", "change"),
    [
        *((key, 3, {}, 0) for key in (*GERMAN, "86", "58Pz", *ALLIED)),
        *((key, 4, {}, 1) for key in (*GERMAN, "86", "58Pz")),
        *((key, 4, {}, -2) for key in ("7C", "15C")),
        *((key, 4, {}, -1) for key in ("12C", "30C", "2CC", "Pol")),
        *((key, 4, COORDINATION, -1) for key in ("7C", "15C", "12C", "Pol")),  # 12.4
        ("74", 4, COORDINATION, 1),
        ("7C", 3, COORDINATION, 0),
    ],
)
def test_7_1_1_night(command: str, turn: int, options: dict[str, str], change: int) -> None:
    """7.1.1, 12.4 What night does to the die; the option makes it one less for the US commands."""
    tally = activation.modifiers(game(turn=turn, options=options), command)
    assert tally.total == change
    better = bool(options) and command in ("7C", "15C")
    assert [part.case for part in tally.parts] == ([("12.4" if better else "7.1.1")] if change else [])


@pytest.mark.parametrize(
    ("total", "points"), [(-1, 1), (0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (8, 3)]
)
def test_7_1_1_table(total: int, points: int) -> None:
    """7.1.1 The activation table, its ends included."""
    assert activation.points(total) == points


def test_7_1_1_told() -> None:
    """7.1.1 Die, modifier and points are told, and are those of the round."""
    played = act("7C", "16/1 0224", Move(("16/1",), ("0225",)), dice=(1,), turn=4)
    [note] = played.of(Allotted)
    assert (note.die, note.total, note.points, note.command) == (1, -1, 1, "7C")
    played = act("2CC", "4/2C 0118", Move(("4/2C",), ("0218", "0318", "0317")), dice=(3,))
    assert (played.of(Allotted)[0].points, at(played.state, "4/2C")) == (2, "0318")


def test_7_1_1_too_few() -> None:
    """7.1.1 A die that lets nobody move ends the round; it is thrown all the same."""
    played = act("15C", "317/80 3526", dice=(2,), turn=4, rating_80=1)
    assert played.of(Allotted)[0].points == 1
    assert not [each for each in played.requests if isinstance(each, Desk)]
    assert played.state.units["317/80"].finished


# --- attachments (11.1) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fields", "kind"),
    [
        ("25/12SS 0224", {}, None),
        ("25/12SS 0226", {}, None),  # two hexes
        ("25/12SS 0227", {}, Overtaken),
        ("Co/PGEb 0225", {}, None),  # a company, of no corps
        ("25/12SS 0225 finished", {}, Overtaken),
        ("25/12SS 0225", {"activated": ["1SS"]}, Overtaken),
        ("25/12SS 0225", {"moved": ["25/12SS"]}, Overtaken),  # activated with the 58th
        ("25/12SS 0225 to=84", {}, Overtaken),
        ("25/12SS 0225", {"attachments": 2}, None),
        ("25/12SS 0225", {"attachments": 3}, Overtaken),
        ("25/12SS unknown", {}, Overtaken),
        ("979/271 0225", {}, NotAllowed),  # of the command itself
        ("4/2C 0226", {}, NotAllowed),
    ],
)
def test_11_1_who_may_be_attached(text: str, fields: dict[str, Any], kind: type | None) -> None:
    """11.1 Germans within two hexes whose command has not acted, and who have not;
    what has happened is overtaken, what never can be refused."""
    id = text.split()[0]
    fields = {"activated": [], **fields}
    state = game(f"978/271 0224, {text}", **fields)
    state.activated.append("74")
    round = Round.of(state, "74")
    offered = [order for order in round.options(id) if isinstance(order, Attach)]
    if kind is None:
        round.check(Attach((id,)))
        assert offered == [Attach((id,))] and id in round.subjects()
        return
    assert type(refused(lambda: round.check(Attach((id,))))) is kind
    assert not offered


def test_11_1_three_a_turn_by_priority() -> None:
    """11.1 A list is one of priorities: who may not is passed over, and after three nobody else is attached,
    with no command of this turn."""
    text = (
        "978/271 0224, 1053/85 0325, 25/12SS 0225, 957/363 0226, KG/9Pz 0226, 2/2Pz 0223, "
        "304/2Pz 0223, 942/353 0324, 60/116Pz 0325"
    )
    order = Attach(("957/363", "25/12SS", "KG/9Pz", "2/2Pz", "304/2Pz"))
    played = act("74", text, order, activated=["84"])
    state = played.state
    [note] = played.of(Attached)
    assert (note.names, note.left, note.command, note.case) == (
        ("25/12SS", "KG/9Pz", "2/2Pz"),
        0,
        "74",
        "11.1",
    )
    assert (state.attachments, state.units["304/2Pz"].attached) == (3, "")
    with pytest.raises(Overtaken):
        again(state, "1SS", Attach(("304/2Pz",)))


def test_11_1_in_several_lines() -> None:
    """11.1 Three lines are as good as one, and count together; other commands use what is left."""
    text = "978/271 0224, 1053/85 0325, 25/12SS 0225, KG/9Pz 0226, 2/2Pz 0223, 304/2Pz 0324"
    state = act("74", text, Attach(("25/12SS",)), Attach(("KG/9Pz",))).state
    assert state.attachments == 2
    played = again(state, "1SS", Attach(("2/2Pz", "304/2Pz")))
    assert [note.names for note in played.of(Attached)][-1] == ("2/2Pz",)
    assert played.state.attachments == 3


@pytest.mark.parametrize(
    "orders", [(Attach(("25/12SS", "KG/9Pz")),), (Attach(("25/12SS",)), Attach(("KG/9Pz",)))]
)
def test_11_1_not_by_way_of_another(orders: tuple[Attach, ...]) -> None:
    """11.1 Two hexes from a unit of the command, not from one that has been attached to it,
    however the lines are cut."""
    text = "978/271 0224, 25/12SS 0226, KG/9Pz 0228"
    if len(orders) > 1:
        with pytest.raises(Overtaken):
            act("74", text, *orders)
    else:
        assert [note.names for note in act("74", text, *orders).of(Attached)] == [("25/12SS",)]


def test_11_1_they_act_with_the_command() -> None:
    """11.1 Who is attached moves or assaults in the round, is finished with it, and does not act
    with his own command."""
    text = "978/271 0224, 25/12SS 0225, 192/21Pz 0122"
    state = act("74", text, Attach(("25/12SS",)), Move(("25/12SS",), ("0325",))).state
    assert at(state, "25/12SS") == "0325" and state.units["25/12SS"].finished
    with pytest.raises(Overtaken):
        again(state, "1SS", Move(("25/12SS",), ("0324",)))
    with pytest.raises(Overtaken):
        act("74", text, Move(("25/12SS",), ("0325",)))
    text = "978/271 0224, 25/12SS 0225, 4/2C 0325"
    played = act(
        "74", text, Attach(("25/12SS",)), Assault("0325", ("25/12SS", "978/271"), stay=True), dice=(4, 4)
    )
    assert played.state.units["25/12SS"].finished


def test_11_1_companies() -> None:
    """3.0, 11.1 A company belongs to no corps, and acts only when it is attached, or moved by the 58th."""
    text = "978/271 0224, Co/PGEb 0225"
    with pytest.raises(Overtaken):
        act("74", text, Move(("Co/PGEb",), ("0325",)))
    state = act("74", text, Attach(("Co/PGEb",)), Move(("Co/PGEb",), ("0325",))).state
    assert at(state, "Co/PGEb") == "0325"


def test_11_1_a_command_without_units() -> None:
    """11.1 Nobody is near a command that has nobody on the map."""
    played = act("74", "25/12SS 0224", dice=())
    assert not [each for each in played.requests if isinstance(each, Desk)]


def test_11_1_only_germans() -> None:
    """11.1 Allied commands attach nobody."""
    fault = refused(lambda: act("2CC", "4/2C 0224, 71/53 0225", Attach(("71/53",))))
    assert fault.case == "11.1" and not isinstance(fault, Overtaken)


def test_11_1_whoever_has_looked() -> None:
    """11.1 Who joins can move and assault, even if it has been asked before who could."""
    state = game("978/271 0224, 25/12SS 0225, 4/2C 0326", activated=["74"], allowance=5)
    round = Round.of(state, "74")
    assert "0326" not in round.subjects()
    play(lambda state: round.carry_out(Attach(("25/12SS",))), state)
    round.check(Move(("25/12SS",), ("0125",)))
    round.check(Assault("0326", ("25/12SS",)))
    assert "0326" in round.subjects()


def test_11_1_settled() -> None:
    """11.1 The journal keeps those alone who were attached."""
    state = game("978/271 0224, 25/12SS 0225, KG/9Pz 0229", activated=["74"])
    round = Round.of(state, "74")
    assert round.settle(Attach(("KG/9Pz", "25/12SS"))) == Attach(("25/12SS",))
    assert isinstance(round.attachments, Attachments) and round.attachments.left == 3, "nobody has been yet"


# --- the order of things in a round (7.0, 10.0) -------------------------------------------------------------


def test_7_0_who_is_asked() -> None:
    """7.0 The side of the command writes under its name."""
    for command, text, seat in (("74", "978/271 0224", "german"), ("2CC", "4/2C 0224", "allied")):
        played = act(command, text)
        [request] = [each for each in played.requests if isinstance(each, Desk)]
        assert (request.seat, request.section) == (seat, command)
        assert set(request.takes) == {Attach, Enter, Move, Exit, MechAssault, Assault, Hold}


GROUND = "4/2C 0224, 5/2C 0118, 6/2AB 0224, 10/2AB 0123, KG/243 0325, KG/708 0124"
MOVED = Move(("5/2C",), ("0119",))
ATTACKED = Assault("0325", ("4/2C",), stay=True)
MECH = MechAssault("0325", ("6/2AB",), stay=True)


@pytest.mark.parametrize(
    ("orders", "dice", "case"),
    [
        ((MOVED, ATTACKED), (4,), "7.0"),
        ((ATTACKED, MOVED), (4, 1), "7.0"),
        ((ATTACKED, MechAssault("0124", ("6/2AB",))), (4, 1), "7.0"),
        ((MECH, MOVED), (4, 2), "10.0"),
        ((MECH, Assault("0124", ("4/2C",))), (4, 2), "10.0"),
    ],
)
def test_7_0_the_kind_of_round(orders: tuple[Order, ...], dice: tuple[int, ...], case: str) -> None:
    """7.0, 10.0 The first order makes it a round of assaults, or one of movement and, after that,
    mechanised assaults."""
    fault = refused(lambda: act("2CC", GROUND, *orders, dice=dice))
    assert isinstance(fault, Overtaken) and fault.case == case


def test_7_0_movement_then_mechanised_assault() -> None:
    """7.1, 10.0 The die for the points comes first, then movement, then mechanised assaults;
    who has moved may make one."""
    played = act("2CC", GROUND, MOVED, MECH, dice=(4, 2))
    dice = [each.case for each in played.requests if isinstance(each, Chance)]
    assert dice[-2:] == ["7.1.1", "10.2"]
    assert played.of(RoundEnded)[0].mode == "movement"


def test_7_0_assaults_one_after_another() -> None:
    """10.1 Several assaults in a round; each kind of round offers its own kind alone."""
    played = act(
        "2CC",
        GROUND,
        ATTACKED,
        Assault("0124", ("6/2AB",), stay=True),
        dice=(4, 1, 2),
        choose=answers(ter="keep"),
    )
    assert played.of(RoundEnded)[0].mode == "assault"
    request = next(each for each in played.requests if isinstance(each, Desk))
    assert request.case == "7.0"


@pytest.mark.parametrize(
    ("first", "dice"),
    [(Move(("989/277",), ("0126",)), (4,)), (Assault("0325", ("978/271",), stay=True), (4, 4))],
)
def test_7_0_attached_first(first: Order, dice: tuple[int, ...]) -> None:
    """7.0, 11.1 Units are attached before anybody moves or assaults."""
    text = "978/271 0224, 25/12SS 0223, 4/2C 0325, 979/271 0120, 5/2C 0119, 989/277 0127"
    fault = refused(lambda: act("74", text, first, Attach(("25/12SS",)), dice=dice))
    assert isinstance(fault, Overtaken) and fault.case == "11.1"


def test_11_4_entered_first() -> None:
    """11.4 Units enter before anybody moves."""
    text = "980/272 0709, 982/272 0711, 25/12SS 0710"
    orders = (Move(("980/272",), ("0708",)), Enter(("981/272",), "0810"))
    fault = refused(lambda: act("86", text, *orders, zone_86="open"))
    assert isinstance(fault, Overtaken) and fault.case == "11.4"
    state = act("86", text, Attach(("25/12SS",)), Enter(("981/272",), "0810"), zone_86="open").state
    assert at(state, "981/272") == "0810", "but among them in any order"


def test_11_4_only_with_the_86th() -> None:
    """11.4 Nobody enters with another marker."""
    fault = refused(lambda: act("74", "978/271 0224", Enter(("980/272",), "0810")))
    assert fault.case == "11.4" and not isinstance(fault, Overtaken)


def test_7_1_2_hold() -> None:
    """7.1.2 A round ends when its player says so, whoever could still act."""
    played = act("2CC", GROUND, Hold())
    assert played.ended and played.of(RoundEnded)[0].mode == ""
    assert len([each for each in played.requests if isinstance(each, Desk)]) == 1


@pytest.mark.parametrize("task", ["move", "mech assault", "assault", "either"])
def test_13_2_what_the_die_allows(task: str) -> None:
    """13.2 The system's units do what the die says: all other orders are passed over,
    and nobody else acts."""
    state = game(GROUND, active="2CC", activated=["2CC"], allowance=5)
    round = Round.of(state, "2CC", activation.Task(("4/2C", "6/2AB"), task))
    may: dict[Order, bool] = {
        Move(("4/2C",), ("0225",)): task != "assault",
        ATTACKED: task in ("assault", "either"),
        MECH: task in ("mech assault", "either"),
        MOVED: False,
    }
    for order, allowed in may.items():
        if allowed:
            round.check(order)
        else:
            with pytest.raises(Overtaken):
                round.check(order)
    assert all(
        "5/2C" not in getattr(each, "units", ()) for id in round.subjects() for each in round.options(id)
    )


@pytest.mark.parametrize(("order", "dice"), [(None, []), (MOVED, []), (ATTACKED, [1]), (MECH, [2])])
def test_7_0_what_is_offered_is_legal(order: Order | None, dice: list[int]) -> None:
    """7.0 Every order that is offered passes, before and after the round has become one of a kind."""
    state = game(GROUND, active="2CC", activated=["2CC"], allowance=5)
    round = Round.of(state, "2CC")
    if order is not None:
        play(lambda state: round.carry_out(order), state, dice=dice)
    assert round.subjects() and round.can_act()
    for subject in round.subjects():
        offered = round.options(subject)
        assert offered
        for each in offered:
            round.check(each)


# --- helpers (11.9.1) -------------------------------------------------------------------------------------


def test_11_9_1_neighbours() -> None:
    """11.9.1 Who stands next to or with a unit of the command when its round begins is noted,
    and again when others have joined."""
    text = "978/271 0224, 25/12SS 0225, KG/9Pz 0224, 192/21Pz 0226, 957/363 0227, 4/2C 0324"
    state = game(text, activated=["74"])
    round = Round.of(state, "74")
    assert round.neighbours == ["25/12SS", "KG/9Pz"]
    play(lambda state: round.carry_out(Attach(("25/12SS",))), state)
    assert round.neighbours == ["192/21Pz", "KG/9Pz"]


# --- what may be written (4.0) ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fields", "seat", "found"),
    [
        ("978/271 0224, 4/2C 0324", {}, "german", ("74", "86", "58Pz")),
        ("978/271 0224, 4/2C 0324", {}, "allied", ("2CC",)),
        ("978/271 0224", {"turn": 5}, "german", ("74", "86")),  # 11.2
        ("978/271 0224", {"activated": ["74"]}, "german", ("86", "58Pz")),
        ("978/271 0224", {"activated": ["74"], "active": "74"}, "german", ("74", "86", "58Pz")),
        ("978/271 0224", {"activated": ["58Pz"]}, "german", ("74", "86")),
        ("978/271 dead, 980/272 dead, 981/272 dead, 982/272 dead", {"turn": 5}, "german", ()),
        ("980/272 0810, 981/272 dead, 982/272 dead", {"turn": 5}, "german", ("86",)),
        ("", {"phase": "set_up_german"}, "german", (*GERMAN_COMMANDS, "86", "58Pz")),
        ("", {"phase": "set_up_allied"}, "allied", ALLIED_COMMANDS),
        ("978/271 0224 to=1SS", {"turn": 5, "activated": ["1SS"]}, "german", ("86",)),
    ],
)
def test_4_0_sections(text: str, fields: dict[str, Any], seat: str, found: tuple[str, ...]) -> None:
    """4.0, 11.2, 11.4 The commands that act now or may still be drawn, and have somebody to act,
    or somebody to come."""
    state = game(text, **fields)
    assert activation.sections_of(state, seat) == found
    for key in found:
        assert activation.can_come(state, key)


def test_4_0_judged_beforehand() -> None:
    """4.0, 7.1.1 A line is judged as if its command were drawn now, with the best of dice."""
    state = game("4/2C 0118, 71/53 0324")
    (request,) = rehearsal(state, "allied", "2CC")
    assert (request.section, request.seat) == ("2CC", "allied")
    request.check(Move(("4/2C",), ("0118", "0218", "0318", "0317")))
    assert state.allowance == 3
    assert isinstance(refused(lambda: request.check(Move(("71/53",), ("0325",)))), NotAllowed)


@pytest.mark.parametrize(
    ("fields", "seat", "section"),
    [
        ({}, "german", "2CC"),
        ({}, "allied", "12C"),
        ({"activated": ["2CC"]}, "allied", "2CC"),
        ({"phase": "set_up_allied"}, "allied", "2CC"),
    ],
)
def test_4_0_not_judged(fields: dict[str, Any], seat: str, section: str) -> None:
    """4.0 No command of that seat, or one that will not act, or not known yet where anybody stands."""
    assert activation.ahead(game("4/2C 0224", **fields), seat, section) is None


def test_4_0_judged_in_its_round() -> None:
    """7.1.1 For the active command the points are those that it has."""
    state = game("4/2C 0224", active="2CC", activated=["2CC"], allowance=3)
    assert rehearsal(state, "allied", "2CC")
    assert (state.allowance, state.activated) == (3, ["2CC"])


def test_11_4_judged_beforehand() -> None:
    """11.4 Lines for the 86th Corps are judged while its marker is still out."""
    request = rehearsal(game(""), "german", "86")[0]
    request.check(Enter(("980/272",), "0810"))
    assert "980/272" in request.subjects()
    assert GRID.index("0810") in [
        GRID.index(order.hex) for order in request.options("980/272") if isinstance(order, Enter)
    ]


def test_7_0_units_are_attached_before_the_die() -> None:
    """7.0, 11.1 Who is attached is settled before the die for movement points; afterwards it is too late."""
    state = game("978/271 0224, 25/12SS 0225", cup=["74"])
    played = play(activation.activation, state, Attach(("25/12SS",)), dice=["74", 4])
    asked = [request.what for request in played.requests]
    assert asked == ["command", "attachments of 74", "movement points of 74", "action round of 74"]
    assert state.units["25/12SS"].finished
    late = Round.of(game("978/271 0224, 25/12SS 0225", activated=["74"], active="74"), "74", rolled=True)
    assert refused(lambda: late.check(Attach(("25/12SS",)))).case == "7.0"
