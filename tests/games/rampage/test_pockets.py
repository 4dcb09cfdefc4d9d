"""Pockets, the Argentan-Falaise Pocket, fortress cities and heavy bombers (11, 12, 14.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.engine.play import Answer, Ask, Chance, Decision, Draw, Roll, Volley, advance
from pbem.engine.wording import percent
from pbem.games.rampage import pockets
from pbem.games.rampage.breakout import breakout_parts, forecast, way_out
from pbem.games.rampage.notes import Bombed, BreakoutForce, BreakoutResult, Fired, Garrisoned, PocketFormed
from pbem.games.rampage.state import State
from pbem.games.rampage.tables import UNITS
from tests.games.playing import Played, play
from tests.games.rampage.kit import at, game

POCKETED = tuple(counter.id for counter in UNITS.german if counter.pocket)
AROUND_AFP = "1502 1603 1702"
HAVRE = "1902 1903 2004"


def switch(
    state: State,
    hex: str,
    *dice: int | str | Sequence[int],
    choose: Callable[[Ask[Any]], Any] | None = None,
    **losses: Any,
) -> Played:
    """What follows when `hex` has just turned Allied."""
    return play(lambda state: pockets.after_switch(state, hex, **losses), state, dice=dice, choose=choose)


def all_of(face: int, state: State, hex: str, *dice: int | str) -> Played:
    """The same, with every die that is fired showing one face; the other dice are `dice`."""
    requests: list[Any] = []
    others = list(dice)

    def thrown(request: Chance, label: str) -> list[Any]:
        requests.append(request)
        if isinstance(request, Volley):
            return [face] * request.count
        die = others.pop(0)
        return die.split() if isinstance(die, str) else [die]

    def answers(request: Decision) -> Answer:
        requests.append(request)
        assert isinstance(request, Ask)
        return Answer(request.fallback)

    progress = advance(pockets.after_switch(state, hex), state, answers=answers, dice=thrown)
    assert progress.waiting is None and not others
    return Played(state, progress, requests)


def sealed(text: str = "3A 1603, 1Inf 1603", **fields: Any) -> State:
    """Turn 1: the ring around the hex of the Argentan-Falaise Pocket has just been closed at 1603."""
    return game(text, turn=1, allied=AROUND_AFP, afp="standing", **fields)


# --- supply and formation -------------------------------------------------------------------------------


def test_12_4_nothing_happens_while_all_is_in_supply() -> None:
    """12.4 A switch that cuts nobody off makes no pocket."""
    state = game("3A 1603", allied="1603")
    assert not switch(state, "1603").notes


def test_12_2_german_supply_crosses_all_sea_hexsides() -> None:
    """12.2 A coastal hex whose land neighbours are all Allied is in supply across the water,
    while the hex beyond is German."""
    ring = "2610 2611 2712"
    state = game(allied=ring)
    assert "2711" in state.german and not switch(state, "2712").notes


# --- the Argentan-Falaise Pocket -----------------------------------------------------------------------


def test_11_2_all_22_divisions_break_out_with_the_bonus() -> None:
    """11.2, 11.5, 12.5 The pocket alone rolls no die for more units; all its divisions fire once,
    with one added, and nobody fires back."""
    state = sealed()
    played = all_of(1, state, "1603")
    (force,) = played.of(BreakoutForce)
    assert force.pocket == POCKETED and force.die == 0 and force.names == () and force.case == "11.2"
    fires = played.of(Fired)
    assert sum(fire.dice for fire in fires) == 22 and {fire.firer for fire in fires} == {"elite", "german"}
    plus = {fire.arm: sum(part.value for part in fire.parts) for fire in fires}
    assert plus == {"armour": 2, "infantry": 1}
    assert not [each for each in played.requests if isinstance(each, Roll | Draw)]


def test_11_3_failure_removes_the_pocket_for_good() -> None:
    """11.3 B The Allies hold: all 22 are gone, the marker with them, and 1602 is Allied."""
    state = sealed()
    played = all_of(1, state, "1603")
    assert {state.germans[id].place for id in POCKETED} == {"gone"} and state.afp == "destroyed"
    assert "1602" not in state.german and "1603" not in state.german
    (result,) = played.of(BreakoutResult)
    assert not result.success and result.case == "11.3" and state.units["3A"].steps == 2


def test_11_3_success_puts_all_of_them_into_the_pool() -> None:
    """11.3 A Nobody of the sealing force is left: the divisions are in the pool, the hex is German,
    and 1602 is Allied all the same."""
    state = sealed()
    played = all_of(6, state, "1603")
    assert {state.germans[id].place for id in POCKETED} == {"pool"} and state.afp == "escaped"
    assert "1603" in state.german and "1602" not in state.german
    assert state.units["3A"].place == "dead" and played.of(BreakoutResult)[0].success
    assert all(unit.hex is None for unit in state.germans.values())


def test_11_6_a_larger_pocket_rolls_for_more() -> None:
    """11.6 With 1502 in the pocket, the 22 are joined by a die less three, drawn from the pool."""
    ring = "1603 1702 1503 1403 1402"
    state = game("3A 1603", turn=1, allied=ring, afp="standing", pool="17L 18L 6FJ")
    played = all_of(1, state, "1603", 5, "17L 6FJ")
    (force,) = played.of(BreakoutForce)
    assert (force.die, force.names, force.case) == (5, ("17L", "6FJ"), "11.6") and force.pocket == POCKETED
    assert state.germans["6FJ"].place == "gone" and state.pool() == ("18L",)
    assert {"1602", "1502"}.isdisjoint(state.german)


def test_11_3_as_a_whole_round_the_allies_fire_back() -> None:
    """11.3 With `afp = round` the sealing force fires too; after a failure that changes nothing,
    all Germans being gone."""
    state = sealed(options={"afp": "round"})
    assert {fire.firer for fire in all_of(1, state, "1603").of(Fired)} == {"elite", "german", "us"}
    assert {state.germans[id].place for id in POCKETED} == {"gone"}


# --- heavy bombers --------------------------------------------------------------------------------------


def test_14_2_a_roll_of_three_leaves_19() -> None:
    """14.2 The rulebook's example: two dice show three, three divisions go back to the pool
    and 19 break out."""
    state = sealed(options={"heavy_bombers": "yes"}, pool="")
    played = all_of(1, state, "1603", 1, 2, "1SS 84Inf 85Inf")
    (note,) = played.of(Bombed)
    assert (note.dice, note.left, note.names) == (3, 19, ("1SS", "84Inf", "85Inf"))
    assert len(played.of(BreakoutForce)[0].pocket) == 19
    assert sum(fire.dice for fire in played.of(Fired)) == 19
    assert state.pool() == ("1SS", "84Inf", "85Inf")
    assert sum(unit.place == "gone" for unit in state.germans.values() if unit.id in POCKETED) == 19


def test_14_2_bombers_are_called_by_choice() -> None:
    """14.2 The player may leave the bombers at home; without the option nobody is asked."""
    for options, asked in (({"heavy_bombers": "yes"}, 1), ({"heavy_bombers": "no"}, 0)):
        state = sealed("3A 1603", options=options)
        waiting = switch(state, "1603", choose=lambda ask: "no" if ask.kind == "bombers" else ask.fallback)
        assert len(waiting.asked("bombers")) == asked
        assert isinstance(waiting.progress.waiting, Volley)
        assert waiting.of(BreakoutForce)[0].pocket == POCKETED


def test_14_2_the_letter_tells_what_bombers_are_worth() -> None:
    """14.2 Who faces whom, and the chance to lose everybody with bombers and without them."""
    state = sealed(options={"heavy_bombers": "yes"})
    (ask,) = switch(state, "1603").asked("bombers")
    assert "22 divisions break out through 1603 against 3A (2 steps), 1Inf (2 steps)" in ask.intro
    found = forecast(sealed(options={"heavy_bombers": "yes"}), ("1602",), "1603", state.at("1603"))
    assert found is not None and found.bombed is not None
    assert ask.says("yes").startswith(f"{percent(found.bombed.lost)} to lose all these units; ")
    assert ask.says("no") == f"{percent(found.lost)} to lose all these units"


# --- other pockets --------------------------------------------------------------------------------------


def test_12_5_west_of_the_line_the_die_less_three() -> None:
    """12.5 One die whatever the pocket's size, less three if all of it lies west of the line;
    nobody drawn, no battle."""
    state = game("3A 1604", allied="1503 1604 1703 1702 1502 1602")
    assert pockets.next_pocket(state) == ("1603",)
    played = switch(state, "1604", 3)
    assert played.of(BreakoutForce)[0].names == () and not played.of(BreakoutResult)
    assert "1603" not in state.german and "1604" not in state.german


def test_12_5_one_hex_east_of_the_line_makes_it_a_whole_die() -> None:
    """12.5 If any hex of the pocket is east of the line nothing is taken off the die,
    and a victory city adds nothing."""
    assert [part.value for part in breakout_parts(("1603", "1604"))] == [-3]
    assert breakout_parts(("1603", "2419")) == () == breakout_parts(("2418",))


def test_12_6_success_gives_the_hex_back_and_the_units_to_the_pool() -> None:
    """12.6 The force that closed the pocket is eliminated: the battle hex is German, the pocket Allied,
    the units are in the pool."""
    state = game("3A 1604 reduced", allied="1503 1604 1703 1702 1502 1602", pool="17L 6FJ PzLr")
    played = switch(state, "1604", 5, "6FJ 17L", [6])
    assert played.of(BreakoutResult)[0].case == "12.6" and state.units["3A"].place == "dead"
    assert "1604" in state.german and "1603" not in state.german
    assert state.pool() == ("17L", "6FJ", "PzLr")


def test_12_7_failure_removes_the_units_for_good() -> None:
    """12.7 One step is left in the hex: the pocket is Allied and the units are gone."""
    state = game("3A 1604", allied="1503 1604 1703 1702 1502 1602", pool="17L 6FJ PzLr")
    played = switch(state, "1604", 5, "6FJ 17L", [6], [1], losses=("reduced first",))
    assert played.of(BreakoutResult)[0].case == "12.7" and state.units["3A"].steps == 1
    assert {"1603", "1604"}.isdisjoint(state.german)
    assert [state.germans[id].place for id in ("17L", "6FJ", "PzLr")] == ["gone", "gone", "pool"]


def test_12_5_defenders_left_by_a_repulse_join_the_breakout() -> None:
    """8.8, 12.5 Units that lie in the pocket share in the breakout and in its fate."""
    state = game("3A 1604, 17L 1603", allied="1503 1604 1703 1702 1502 1602", pool="18L")
    played = switch(state, "1604", 1, [1])
    assert played.of(BreakoutForce)[0].names == ("17L",) and state.germans["17L"].place == "gone"
    assert at(state, "17L") is None


def test_12_4_one_switch_can_make_two_pockets() -> None:
    """12.4, 12.5 Each pocket has its own die, the one with the lowest hex first."""
    ring = "1502 1602 1702 1503 1703 1504 1505 1404 1405 1406 1506 1606 1704 1705 1803 1804"
    state = game("3A 1604", allied=f"{ring} 1604")
    played = switch(state, "1604", 1, 1)
    assert [note.hexes for note in played.of(PocketFormed)] == [("1603",), ("1605",)]
    assert [entry.asked for entry in played.progress.entries] == [
        "12.5|d6|breakout at 1604|1",
        "12.5|d6|breakout at 1604|2",
    ]


# --- fortress cities ------------------------------------------------------------------------------------


def test_12_8_a_lone_fortress_gets_a_garrison_and_stays_german() -> None:
    """12.8 Cut off by itself it gets one non-elite unit and makes no breakout;
    later switches leave it alone."""
    state = game("3A 2004", allied=HAVRE, pool="17L 18L 6FJ PzLr")
    played = switch(state, "2004", "18L")
    (draw,) = played.requests
    assert draw.pool == ("17L", "18L") and draw.case == "12.8"
    assert at(state, "18L") == "2003" and state.garrisons == ["2003"] and "2003" in state.german
    assert played.of(Garrisoned)[0].name == "18L" and not played.of(BreakoutForce)
    later = switch(state, "1903")
    assert not later.requests and len(later.of(PocketFormed)) == 1


def test_12_8_defenders_of_an_earlier_battle_are_the_garrison() -> None:
    """8.8, 12.8 Who holds the fortress already stays in it, and nobody is drawn."""
    state = game("3A 2004, 6FJ 2003, 17L 2003", allied=HAVRE, pool="18L")
    played = switch(state, "2004")
    assert not played.requests and state.garrisons == ["2003"] and state.pool() == ("18L",)
    assert {note.name for note in played.of(Garrisoned)} == {"6FJ", "17L"}


def test_12_9_a_fortress_in_a_larger_pocket_is_set_first_and_stays() -> None:
    """12.9 The garrison is drawn before the die; the rest of the pocket breaks out and turns Allied,
    the fortress stays German."""
    state = game("3A 1903", allied="1902 1903 2005 1904 2105 2104", pool="17L 18L 6FJ")
    assert pockets.next_pocket(state) == ("2003", "2004")
    played = switch(state, "1903", "17L", 4, "18L", [1])
    kinds = [type(note).__name__ for note in played.notes]
    assert kinds.index("Garrisoned") < kinds.index("BreakoutForce")
    assert at(state, "17L") == "2003" and state.germans["18L"].place == "gone"
    assert "2003" in state.german and "2004" not in state.german


def test_12_8_without_anybody_for_it_the_fortress_falls() -> None:
    """8.7, 12.8 When the pool holds no non-elite unit the fortress turns Allied with the pocket."""
    state = game("3A 2004", allied=HAVRE, pool="6FJ PzLr")
    played = switch(state, "2004")
    assert played.of(Garrisoned)[0].name == "" and state.garrisons == [] and "2003" not in state.german


@pytest.mark.parametrize(("hex", "origin"), [("1502", "1602"), ("1603", "1602")])
def test_11_2_the_breakout_comes_out_of_the_hex_of_the_pocket(hex: str, origin: str) -> None:
    """10.2, 11.2 Among equally open hexes next to the battle hex the Germans come out of 1602."""
    assert way_out(("1503", "1602"), hex) == origin
