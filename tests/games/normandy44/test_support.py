"""Tactical support by headquarters (6.3) and fighters (10.1)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.errors import NotAllowed
from pbem.engine.play import Ask
from pbem.games.normandy44 import combat, naval, odds, support
from pbem.games.normandy44.combat import Combat
from pbem.games.normandy44.notes import Attacked
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import State
from tests.games.normandy44.kit import game
from tests.games.playing import Played, play


def fought(
    state: State, hex: str, *ids: str, dice: tuple[int, ...] = (1,), choose: Any = None, **order: Any
) -> Played[State]:
    """The attack of these units on a hex."""
    side = state.units[ids[0]].side
    attack = Attack(hex, ids, **order)

    async def phase(state: State) -> None:
        await combat.fight(state, side, hex, [state.units[id] for id in ids], order=attack)

    return play(phase, state, dice=dice, choose=choose)


def answer(kind: str, value: str) -> Any:
    """Give this answer to decisions of a kind, defaults to all others."""
    return lambda ask: value if ask.kind == kind else None


def refused(state: State, hex: str, *ids: str, **order: Any) -> str:
    """The case by which an attack is refused."""
    desk = Combat(state, state.units[ids[0]].side, "a_first", lambda unit: None)
    with pytest.raises(NotAllowed) as error:
        desk.check(Attack(hex, ids, **order))
    return error.value.case


GERMANS = "709ID 1407, LXXXIV 1407, IIFJ 1506, ISS 1705"


def test_6_3_a_headquarters_shifts_the_column_once_a_turn() -> None:
    """6.3 VIII (+2) makes 1:1 a 2:1 and is face down then."""
    state = game("3BR 1306, VIII/BR 1206, 709ID 1407")
    played = fought(state, "1407", "3BR", support=("VIII/BR",))
    (note,) = played.of(Attacked)
    assert (note.odds, note.column) == ("1:1", "2:1")
    assert state.units["VIII/BR"].used
    assert (
        refused(game("3BR 1306, VIII/BR 1206 used, 709ID 1407"), "1407", "3BR", support=("VIII/BR",)) == "6.3"
    )


def test_6_3_support_reaches_two_hexes() -> None:
    """6.3 Two hexes from an attacker, not three."""
    state = game("3BR 1306, I/BR 1106, XII/BR 1006, 709ID 1407")
    Combat(state, "allied", "a_first", lambda unit: None).check(Attack("1407", ("3BR",), support=("I/BR",)))
    assert refused(state, "1407", "3BR", support=("XII/BR",)) == "6.3"


def test_8_3_no_support_out_of_supply() -> None:
    """8.3 An unsupplied headquarters gives no support."""
    state = game("3BR 1306, I/BR 1306 unsupplied, 709ID 1407")
    assert refused(state, "1407", "3BR", support=("I/BR",)) == "8.3"


def test_9_0_no_support_for_the_other_army() -> None:
    """9.0 An American headquarters does not help the British."""
    state = game("3BR 1306, VII/US 1306, 709ID 1407")
    assert refused(state, "1407", "3BR", support=("VII/US",)) == "9.0"


def test_6_3_only_germans_add_headquarters() -> None:
    """6.3 Two Allied headquarters are one too many; two German ones add up."""
    state = game("3BR 1306, I/BR 1306, XII/BR 1206, 709ID 1407")
    assert refused(state, "1407", "3BR", support=("I/BR", "XII/BR")) == "6.3"
    german = game("709ID 1306, LXXXIV 1306, ISS 1206, 3BR 1407")
    played = fought(german, "1407", "709ID", support=("LXXXIV", "ISS"))
    assert played.of(Attacked)[0].column == "2:1"  # 1:2 and three columns


def test_7_2_support_beyond_the_last_column_makes_up_for_the_defenders() -> None:
    """7.2, 6.3 At 8:1 support of the attacker is added before that of the defender, and meets it."""
    text = "3BR 1306, 43BR 1306, VIII/BR 1206, StB7 1407, IIFJ 1506"
    for helpers, column in (((), "6:1"), (("VIII/BR",), "8:1")):
        state = game(text)
        played = fought(
            state, "1407", "3BR", "43BR", dice=(6,), choose=answer("support", "IIFJ"), support=helpers
        )
        assert played.of(Attacked)[0].column == column
        assert state.units["VIII/BR"].used == bool(helpers)


def test_7_2_fighters_are_asked_for_where_later_help_makes_them_count() -> None:
    """7.2, 10.1, 12.0 Beyond an end of the table fighters and gunfire change nothing alone,
    but together with the headquarters that follow."""
    panzers = ("3/2Pz", "2/2Pz", "304/2Pz", "130/Lehr", "901/Lehr")
    text = ", ".join(f"{id} 0908" for id in panzers) + ", 1SSB 0909 lost=1"
    alone = game(text, fighters={})
    naval.reset(alone)
    assert not fought(alone, "0909", *panzers).asked("guns")
    helped = game(f"{text}, VIII/BR 0909", fighters={})
    naval.reset(helped)
    assert fought(helped, "0909", *panzers).asked("guns")


def test_6_3_support_that_changes_nothing_is_kept() -> None:
    """6.3 At 8:1 a headquarters stays face up if the defender can add nothing."""
    state = game("3BR 1306, 43BR 1306, I/BR 1206, StB7 1407")
    fought(state, "1407", "3BR", "43BR", dice=(6,), support=("I/BR",))
    assert not state.units["I/BR"].used


def test_6_3_a_unit_that_is_no_headquarters_gives_no_support() -> None:
    """6.3 Divisions do not support each other."""
    state = game("3BR 1306, 43BR 1206, 709ID 1407")
    assert refused(state, "1407", "3BR", support=("43BR",)) == "6.3"


def test_6_3_the_defender_is_asked_after_the_attacker() -> None:
    """6.3, 7.2 The options are each headquarters within two hexes and, for Germans, several;
    without an answer none helps."""
    state = game(f"3BR 1306, 43BR 1306, {GERMANS}")
    played = fought(state, "1407", "3BR", "43BR")
    (ask,) = played.asked("support")
    assert ask.options == ("none", "LXXXIV", "IIFJ", "LXXXIV + IIFJ")
    assert ask.seat == "german" and ask.fallback == "none"
    assert ask.column == "2:1"
    assert ask.after == {
        "none": "2:1",
        "LXXXIV": "3:2",
        "IIFJ": "1:1",
        "LXXXIV + IIFJ": "1:2",
    }
    assert played.of(Attacked)[0].column == "2:1"


def test_6_3_a_letter_tells_the_combat_and_each_column_after() -> None:
    """6.3, 7.2 Who attacks whom at which odds, and the chance of each result with each headquarters."""
    state = game(f"3BR 1306, 43BR 1306, {GERMANS}")
    (ask,) = fought(state, "1407", "3BR", "43BR").asked("support")
    assert ask.intro.startswith("3BR 4 + 43BR 4 = 8 from 1306 against 709ID 3 at 1407: 2:1")
    assert ask.says("none") == odds.column_in_words("2:1") and ask.says("LXXXIV") == odds.column_in_words(
        "3:2"
    )
    assert ask.says("none").startswith("2:1: ") and ask.says("none").endswith("%")


def test_6_3_the_defender_helps() -> None:
    """6.3 Two German headquarters shift the column by three."""
    state = game(f"3BR 1306, 43BR 1306, {GERMANS}")
    played = fought(state, "1407", "3BR", "43BR", choose=answer("support", "LXXXIV + IIFJ"))
    assert played.of(Attacked)[0].column == "1:2"
    assert state.units["LXXXIV"].used and state.units["IIFJ"].used


def test_6_3_the_defender_is_not_asked_in_vain() -> None:
    """6.3 At 1:4 no headquarters makes it worse for the attacker."""
    state = game("StB7 1306, 3BR 1407, I/BR 1407")
    assert not fought(state, "1407", "StB7").asked("support")


def test_9_0_mixed_defenders_get_no_help() -> None:
    """9.0 Americans and British in one hex: neither headquarters, fighters nor ships help."""
    text = "3/2Pz 0908, 2/2Pz 0908, 22/21Pz 0908, 3BR 0909, 4US 0909, I/BR 0909, VII/US 1009"
    state = game(text, fighters={"I/BR": 2}, guns={"uk destroyers": 4, "us destroyers": 3})
    played = fought(state, "0909", "3/2Pz", "2/2Pz", "22/21Pz")
    assert not any(
        isinstance(each, Ask) and each.kind in ("support", "air", "guns") for each in played.requests
    )
    one_army = game(text.replace("4US 0909", "50BR 0909"), fighters={"I/BR": 2}, guns={"uk destroyers": 4})
    played = fought(one_army, "0909", "3/2Pz", "2/2Pz", "22/21Pz")
    kinds = [each.kind for each in played.requests if isinstance(each, Ask)]
    assert kinds[:3] == ["air", "guns", "support"]


def test_10_1_fighters_within_five_hexes_join_an_attack_once() -> None:
    """10.1 Three points each, from headquarters of the army within five hexes; then they are gone."""
    state = game(
        "3BR 1306, I/BR 1206, XII/BR 0801, VII/US 1206, 709ID 1407",
        fighters={"I/BR": 1, "XII/BR": 1, "VII/US": 2},
    )
    assert support.in_range(state, "uk", "1407") == 1
    assert refused(state, "1407", "3BR", air=2) == "10.1"
    played = fought(state, "1407", "3BR", air=1)
    assert played.of(Attacked)[0].attack == 7
    assert state.fighters == {"I/BR": 0, "XII/BR": 1, "VII/US": 2}


@pytest.mark.parametrize("hex", ["1007", "1320", "1008"])
def test_C3_no_fighters_over_woods_and_towns(hex: str) -> None:
    """10.1, C3 Neither over woods nor over towns and cities."""
    state = game("", fighters={"I/BR": 1})
    state.units["I/BR"].place, state.units["I/BR"].hex = "map", hex
    assert support.in_range(state, "uk", hex) == 0


def test_10_1_germans_have_no_fighters() -> None:
    """10.1, 12.0 Neither aircraft nor ships help a German attack."""
    assert refused(game("709ID 1306, 3BR 1407"), "1407", "709ID", air=1) == "10.1"
    assert refused(game("709ID 1306, 3BR 1407"), "1407", "709ID", guns=1) == "12.0"


def test_10_1_the_defender_may_send_fighters() -> None:
    """10.1, 7.2 The Allied defender is asked first of all; without an answer none flies."""
    state = game("3/2Pz 1306, 2/2Pz 1306, 304/2Pz 1306, 3BR 1407, I/BR 1507", fighters={"I/BR": 2})
    played = fought(state, "1407", "3/2Pz", "2/2Pz", "304/2Pz", choose=answer("air", "1"))
    (ask,) = played.asked("air")
    assert ask.options == ("0", "1", "2") and ask.fallback == "0"
    assert ask.column == "2:1"
    assert ask.after == {"0": "2:1", "1": "3:2", "2": "1:1"}
    assert played.of(Attacked)[0].defence == 7
    assert state.fighters == {"I/BR": 1}
