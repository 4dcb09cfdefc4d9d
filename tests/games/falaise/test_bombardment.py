"""Airstrikes (8.3, 12.3), artillery (8.2, 11.7, 12.4), their results (8.1, 9.1), friendly fire (8.4),
and the system's dice (13.1)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Answer, Ask, advance
from pbem.games.falaise import GAME
from pbem.games.falaise.assault import UnitHit
from pbem.games.falaise.bombardment import Bombardment, bombardment, in_range
from pbem.games.falaise.notes import Airstrikes, Bombarded, DisruptedBy, FriendlyFire, SystemPassed
from pbem.games.falaise.orders import Bombard, Strike
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import GRID
from tests.games.falaise.kit import game
from tests.games.playing import opening, play

DAY, NIGHT = 3, 4
STACK = "3/2Pz 2423, KG/9Pz 2423"
"""Two German units in the open."""


def refused(state: State, order: Order) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        Bombardment(state).check(order)
    return caught.value


def disrupted(state: State) -> set[str]:
    return {unit.id for unit in state.units.values() if unit.disrupted}


# --- airstrikes (8.3) --------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("sunny", ["no", "yes"])
def test_8_3_number_of_airstrikes(die: int, sunny: str) -> None:
    """8.3, 12.3 By day as many as the die shows; under a sunny sky three at least.
    What is not flown is gone with the phase."""
    played = play(bombardment, game(STACK, turn=DAY, options={"sunny_skies": sunny}), dice=[die])
    [note] = played.of(Airstrikes)
    assert note.number == (max(die, 3) if sunny == "yes" else die)
    assert note.case == ("12.3" if note.number > die else "8.3")
    assert played.state.airstrikes == 0


def test_8_0_only_the_allies_bombard() -> None:
    """8.0 Guns and aircraft are Allied, and have a phase of their own."""
    phases = [phase for phase in GAME.phases if "bombardment" in phase.sections]
    assert [(phase.key, phase.seats) for phase in phases] == [("bombardment", ("allied",))]
    request = opening(bombardment, game(f"{STACK}, 4/2C 2424", turn=NIGHT))
    assert (request.seat, request.takes) == ("allied", (Strike, Bombard))


def test_8_3_none_by_night() -> None:
    """8.3 By night no die is thrown and no airstrike flown; nobody is asked when no guns reach a German."""
    played = play(bombardment, game(f"{STACK}, 4/2C 1424", turn=NIGHT))
    assert played.requests == [] and played.notes == []
    assert opening(bombardment, game(f"{STACK}, 4/2C 1424", turn=NIGHT)) is None
    assert refused(game(STACK, turn=NIGHT), Strike("2423")).case == "8.3"


def test_8_3_nobody_is_asked_without_a_target() -> None:
    """9.1 Nor when all Germans are disrupted already."""
    played = play(bombardment, game("3/2Pz 2423 disrupted, Koszutski 2424", turn=NIGHT))
    assert played.requests == []


def test_8_3_airstrikes_go_anywhere() -> None:
    """8.3 Any hex with Germans, however far from any Allied unit, east of the Withdrawal Line too;
    not an empty one."""
    played = play(bombardment, game("KG/9Pz 2505", turn=DAY), Strike("2505"), dice=[1, 6])
    assert disrupted(played.state) == {"KG/9Pz"}
    assert refused(game(STACK, turn=DAY, airstrikes=2), Strike("2424")).case == "8.1"
    assert refused(game(STACK, turn=DAY, airstrikes=2), Strike("9999")).case == "8.1"
    assert refused(game(STACK, turn=DAY, airstrikes=2), Strike("2423", 7)).case == "8.3"
    assert refused(game(STACK, turn=DAY, airstrikes=2), Strike("2423", 0)).case == "8.3"


def test_8_3_no_more_than_the_die_gives() -> None:
    """8.3 An order for more airstrikes than are left flies those; a further one is void,
    and nobody is at fault."""
    played = play(bombardment, game(STACK, turn=DAY), Strike("2423", 5), dice=[2, 1, 1])
    assert [note.die for note in played.of(Bombarded)] == [1, 1]
    with pytest.raises(Overtaken):
        play(bombardment, game(STACK, turn=DAY), Strike("2423", 2), Strike("2423"), dice=[2, 1, 1])


# --- results (8.1, 9.1) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "turn", "hex", "die", "result"),
    [
        ("air", DAY, "2423", 2, "none"),
        ("air", DAY, "2423", 3, "one"),
        ("air", DAY, "2423", 4, "one"),
        ("air", DAY, "2423", 5, "all"),
        ("air", DAY, "2427", 3, "none"),
        ("air", DAY, "2427", 4, "one"),
        ("air", DAY, "2315", 6, "all"),
        ("2CC", DAY, "2423", 3, "none"),
        ("2CC", DAY, "2423", 4, "one"),
        ("2CC", DAY, "2423", 6, "all"),
        ("2CC", DAY, "2427", 4, "none"),
        ("2CC", DAY, "2427", 6, "one"),
        ("2CC", NIGHT, "2423", 4, "none"),
        ("2CC", NIGHT, "2423", 5, "one"),
        ("2CC", NIGHT, "2427", 5, "none"),
        ("Pol", DAY, "2423", 4, "none"),
        ("Pol", DAY, "2423", 5, "one"),
        ("Pol", DAY, "2423", 6, "one"),
        ("Pol", NIGHT, "2423", 6, "one"),
    ],
)
def test_8_1_results(by: str, turn: int, hex: str, die: int, result: str) -> None:
    """8.1, 11.7 Aircraft disrupt one unit from 3 and all from 5, guns one from 4 and all from 6;
    cover, night (for guns) and Polish guns take one off each."""
    gunners = {"2CC": "4/2C", "Pol": "Koszutski", "air": "4/2C"}[by]
    far = next(h for h in GRID.ring(hex, 4))
    state = game(f"3/2Pz {hex}, KG/9Pz {hex}, {gunners} {far}", turn=turn)
    order = Strike(hex) if by == "air" else Bombard(by, hex)
    played = play(bombardment, state, order, dice=[*([1] if turn == DAY else []), die])
    [note] = played.of(Bombarded)
    assert (note.by, note.hex, note.die, note.result) == (by, hex, die, result)
    assert note.total == die + sum(part.value for part in note.parts)
    expected: dict[str, set[str]] = {"none": set(), "one": {"KG/9Pz"}, "all": {"KG/9Pz", "3/2Pz"}}
    assert disrupted(played.state) == expected[result]
    chosen = {name for note in played.of(DisruptedBy) for name in note.names}
    assert set(note.disrupted) | chosen == expected[result]
    assert note.case == ("8.3" if by == "air" else "8.2")


def test_8_1_the_owner_chooses() -> None:
    """8.1 Of a stack of which one is disrupted its owner says which; without an answer it is the weakest."""
    played = play(bombardment, game(STACK, turn=DAY), Strike("2423"), dice=[1, 3], choose=lambda ask: "3/2Pz")
    assert disrupted(played.state) == {"3/2Pz"}
    [ask] = played.asked("disrupt")
    assert (ask.seat, ask.options, ask.fallback) == ("german", ("KG/9Pz", "3/2Pz"), "KG/9Pz")
    assert isinstance(ask, UnitHit) and ask.steps == {"KG/9Pz": 1, "3/2Pz": 1}


def test_9_1_a_disrupted_unit_is_not_disrupted_again() -> None:
    """9.1 The other unit of the stack takes the result, and nobody is asked;
    with all of them disrupted nothing happens."""
    state = game("3/2Pz 2423, KG/9Pz 2423 disrupted", turn=DAY)
    played = play(bombardment, state, Strike("2423", 2), dice=[2, 3, 6])
    assert [note.disrupted for note in played.of(Bombarded)] == [("3/2Pz",), ()]
    assert played.asked("disrupt") == []
    assert all(unit.steps == unit.counter.steps for unit in played.state.on_map())


def test_8_2_several_on_one_hex_in_any_order() -> None:
    """8.2 Guns and aircraft in any order, any number on one hex, each command once a turn."""
    state = game(f"{STACK}, 4/2C 2027, Koszutski 2427, 71/53 2029", turn=DAY)
    orders = (
        Strike("2423"),
        Bombard("2CC", "2423"),
        Bombard("Pol", "2423"),
        Strike("2423"),
        Bombard("12C", "2423"),
    )
    played = play(bombardment, state, *orders, dice=[2, 1, 1, 1, 1, 1])
    assert [note.by for note in played.of(Bombarded)] == ["air", "2CC", "Pol", "air", "12C"]
    assert played.rolled()[1:3] == ["airstrike on 2423", "2CC guns on 2423"]
    with pytest.raises(NotAllowed, match="already fired"):
        play(bombardment, game(f"{STACK}, 4/2C 2027", turn=DAY), *[Bombard("2CC", "2423")] * 2, dice=[1, 1])


# --- artillery (8.2, 11.7) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "command", "hex", "turn", "reach"),
    [
        ("4/2C", "2CC", "2423", DAY, 8),
        ("4/2C", "2CC", "2423", NIGHT, 8),
        ("4/2C", "2CC", "2421", DAY, 10),
        ("4/2C", "2CC", "2421", NIGHT, 8),
        ("Koszutski", "Pol", "2423", DAY, 5),
        ("Koszutski", "Pol", "2421", DAY, 7),
        ("Koszutski", "Pol", "2421", NIGHT, 5),
        ("29AB", "30C", "2423", DAY, 8),
        ("Dio", "15C", "2423", DAY, 8),
    ],
)
def test_8_2_range(unit: str, command: str, hex: str, turn: int, reach: int) -> None:
    """8.2, 11.7 Eight hexes, five for the Poles, two more by day from a crest,
    counted from any unit of the command, over anything."""
    state = game(f"{unit} {hex}", turn=turn)
    assert in_range(state, command) == GRID.within(hex, reach)
    for distance, good in ((reach, True), (reach + 1, False)):
        target = GRID.ring(hex, distance)[0]
        state.units["KG/9Pz"].place, state.units["KG/9Pz"].hex = "map", target
        if good:
            Bombardment(state).check(Bombard(command, target))
        else:
            assert refused(state, Bombard(command, target)).case == "8.2"


def test_8_2_any_unit_of_the_command_observes() -> None:
    """8.2 Only units of that very command; the refusal names what is in range."""
    state = game("KG/9Pz 2423, 2/2Pz 1425, 4/2C 1424, Koszutski 2427", turn=DAY)
    assert refused(state, Bombard("2CC", "2423")).legal == ("artillery 2CC on 1425",)
    Bombardment(state).check(Bombard("Pol", "2423"))
    assert refused(state, Bombard("1SS", "2423")).case == "8.2"
    assert refused(state, Bombard("2CC", "1426")).case == "8.1"


@pytest.mark.parametrize(
    ("friends", "options", "allowed"),
    [
        ("", {}, True),
        ("16/1 2424", {}, True),
        ("Koszutski 2424", {}, False),
        ("Koszutski 2424, 359/90 2424", {}, True),
        ("Koszutski 2424, 359/90 2424, 4/2C 2422", {}, False),
        ("Koszutski 2424, 359/90 2422", {}, False),
        ("4/2C 2424", {}, False),
        ("71/53 2424", {}, False),
        ("Dio 2424", {}, False),
        ("4/2C 2425", {}, True),
        ("4/2C 2424", {"better_coordination": "yes"}, True),
        ("Koszutski 2424, 71/53 2422", {"better_coordination": "yes"}, True),
        ("Dio 2424", {"better_coordination": "yes"}, False),
    ],
)
@pytest.mark.parametrize("command", ["7C", "15C"])
def test_8_2_us_guns_and_other_allies(
    friends: str, options: dict[str, str], allowed: bool, command: str
) -> None:
    """8.2, 12.4 US guns do not fire next to British, Canadian, Polish or French units;
    a US unit stacked with Poles clears their hex, but every hex must be clear. Better co-ordination lifts
    it for the Commonwealth, not for the French."""
    gunner = {"7C": "47/9", "15C": "357/90"}[command]
    state = game(f"KG/9Pz 2423, {gunner} 2723, {friends}".rstrip(", "), turn=DAY, options=options)
    if allowed:
        Bombardment(state).check(Bombard(command, "2423"))
        assert Bombard(command, "2423") in Bombardment(state).options(command)
    else:
        assert refused(state, Bombard(command, "2423")).case == "8.2"
        assert command not in Bombardment(state).subjects()


def test_8_2_others_fire_next_to_us_units() -> None:
    """8.2 The ban is one of US guns alone."""
    state = game("KG/9Pz 2423, 4/2C 2424, 16/1 2422", turn=DAY)
    Bombardment(state).check(Bombard("2CC", "2423"))


# --- friendly fire (8.4) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, True), (3, True), (4, False), (6, False)])
def test_8_4_friendly_fire(die: int, hit: bool) -> None:
    """8.4 A die for each Allied hex next to the target of an airstrike; 1 to 3 disrupts a unit there."""
    state = game("KG/9Pz 2423, 4/2C 2424, 5/2C 2425", turn=DAY)
    played = play(bombardment, state, Strike("2423"), dice=[1, 1, die])
    [note] = played.of(FriendlyFire)
    assert (note.hex, note.target, note.die, note.disrupted) == (
        "2424",
        "2423",
        die,
        ("4/2C",) if hit else (),
    )
    assert disrupted(played.state) == ({"4/2C"} if hit else set())
    assert played.rolled()[-1] == "friendly fire at 2424 from 2423"


def test_8_4_each_hex_by_itself_and_each_strike() -> None:
    """8.4 Two hexes, two dice, for each of two strikes; where all are disrupted nothing is left to happen."""
    state = game("KG/9Pz 2423, 4/2C 2424, 5/2C 2422", turn=DAY)
    played = play(bombardment, state, Strike("2423", 2), dice=[2, 1, 1, 6, 1, 6])
    assert [(note.hex, note.die) for note in played.of(FriendlyFire)] == [
        ("2422", 1),
        ("2424", 6),
        ("2424", 6),
    ]


@pytest.mark.parametrize(("turn", "dice"), [(DAY, [1, 1]), (NIGHT, [1, 3])])
def test_8_4_artillery_by_night_only(turn: int, dice: list[int]) -> None:
    """8.4 Guns endanger their own side by night, not by day."""
    state = game("KG/9Pz 2423, 4/2C 2424", turn=turn)
    played = play(bombardment, state, Bombard("2CC", "2423"), dice=dice)
    assert len(played.of(FriendlyFire)) == (turn == NIGHT)
    assert disrupted(played.state) == ({"4/2C"} if turn == NIGHT else set())


def test_8_4_the_germans_choose() -> None:
    """8.4 Which unit of a hex is hit the Germans say, the best by default;
    one that is disrupted already is no choice."""
    text = "KG/9Pz 2423, 4/2C 2424, 6/2AB 2424"
    played = play(
        bombardment, game(text, turn=DAY), Strike("2423"), dice=[1, 1, 2], choose=lambda ask: "6/2AB"
    )
    assert disrupted(played.state) == {"6/2AB"}
    [ask] = played.asked("friendly fire")
    assert (ask.case, ask.seat, ask.fallback, len(ask.options)) == ("8.4", "german", "4/2C", 2)
    again = play(bombardment, game(f"{text} disrupted", turn=DAY), Strike("2423"), dice=[1, 1, 2])
    assert disrupted(again.state) == {"4/2C", "6/2AB"} and again.asked("friendly fire") == []


@pytest.mark.parametrize(
    ("text", "dice", "kind", "among"),
    [
        (
            "KG/9Pz 2423, 3/2Pz 2423 disrupted, 4/2C 2424, 6/2AB 2424",
            [1, 1, 2],
            "friendly fire",
            ("4/2C", "6/2AB"),
        ),
        ("KG/9Pz 2423, 3/2Pz 2423, 4/2C 2424", [1, 3], "disrupt", ("3/2Pz", "KG/9Pz")),
    ],
)
def test_8_1_8_4_the_roll_is_told_before_the_question(
    text: str, dice: list[int], kind: str, among: tuple[str, ...]
) -> None:
    """8.1, 8.4 Who chooses the unit reads the roll in the log, and what the units are."""
    state, left, orders = game(text, turn=DAY), list(dice), iter([Strike("2423")])
    waiting = advance(
        bombardment(state),
        state,
        answers=lambda request: Answer(next(orders)) if isinstance(request, Desk) else None,
        dice=lambda request, label: [left.pop(0)],
    ).waiting
    assert isinstance(waiting, Ask) and waiting.kind == kind and not left
    note = state.log[-1]
    assert isinstance(note, Bombarded | FriendlyFire)
    assert (note.roll, note.die, note.disrupted, set(note.among)) == (len(dice), dice[-1], (), set(among))
    assert "mech" in waiting.says(among[-1])


# --- the request --------------------------------------------------------------------------------------------


def test_options_of_the_bombardment_are_legal() -> None:
    """Every order offered passes its own check: airstrikes by hex, guns by command."""
    state = game(f"{STACK}, 2/2Pz 1425 disrupted, 4/2C 1424, Koszutski 2427", turn=DAY)
    desk = Bombardment(state)
    state.airstrikes = 3
    assert desk.subjects() == ["2423", "Pol"]
    assert desk.options("2423") == [Strike("2423", 1), Strike("2423", 2), Strike("2423", 3)]
    for subject in desk.subjects():
        for order in desk.options(subject):
            desk.check(order)
    assert (desk.seat, desk.section) == ("allied", "bombardment")
    assert desk.settle(Strike("2423", 6)) == Strike("2423", 3)


# --- played alone (13.1)
# --------------------------------------------------------------------------------------


def alone(text: str, turn: int = DAY, **fields: Any) -> State:
    return game(text, turn=turn, options={"players": "one"}, **fields)


def test_13_1_airstrikes_by_dice() -> None:
    """13.1 A die for each German unit from east to west; a 6 sends an airstrike, until all are placed;
    then each is flown as usual."""
    state = alone("3/2Pz 2423, KG/9Pz 2423, 2/2Pz 2420, 304/2Pz 2430")
    played = play(bombardment, state, dice=[2, 6, 5, 6, 3, 1])
    assert played.rolled() == [
        "airstrikes available",
        "airstrike on 2/2Pz",
        "airstrike on 3/2Pz",
        "airstrike on KG/9Pz",
        "airstrike on 2420",
        "airstrike on 2423",
    ]
    assert [(note.by, note.hex, note.die) for note in played.of(Bombarded)] == [
        ("air", "2420", 3),
        ("air", "2423", 1),
    ]
    assert disrupted(played.state) == {"2/2Pz"} and played.asked("disrupt") == []


def test_13_1_airstrikes_for_whom_nobody_is_found_are_lost() -> None:
    """13.1 Six markers and one 6: the other five are not placed."""
    state = alone("3/2Pz 2423, 2/2Pz 2415")
    played = play(bombardment, state, dice=[6, 5, 6, 1])
    assert [note.hex for note in played.of(Bombarded)] == ["2423"]
    assert [(note.by, note.number) for note in played.of(SystemPassed)] == [("air", 1)]
    assert played.state.airstrikes == 0


def test_13_1_artillery_by_dice() -> None:
    """13.1 For each command in turn a die for each German in range, the nearest first,
    of equals the eastern one; 5 or 6 chooses, and there it ends."""
    state = alone("3/2Pz 2423, 2/2Pz 2425, 304/2Pz 2420, 4/2C 2426, 71/53 2022", turn=NIGHT)
    played = play(bombardment, state, dice=[4, 4, 4, 2, 5, 6])
    assert played.rolled() == [
        "12C guns at 304/2Pz",
        "12C guns at 3/2Pz",
        "12C guns at 2/2Pz",
        "2CC guns at 2/2Pz",
        "2CC guns at 3/2Pz",
        "2CC guns on 2423",
    ]
    assert [(note.by, note.hex) for note in played.of(Bombarded)] == [("2CC", "2423")]
    assert disrupted(played.state) == {"3/2Pz"}


def test_13_1_the_ban_holds_for_the_system_too() -> None:
    """13.1, 8.2 Units at which US guns may not fire are not rolled for."""
    state = alone("3/2Pz 2423, 357/90 2723, 71/53 1424, Dio 2424", turn=NIGHT)
    assert play(bombardment, state).rolled() == []
