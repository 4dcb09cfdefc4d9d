"""Retreats (10.3) with the op-fire they draw (6.2, 6.4): where to, how far, what stops them
and what they do not survive.

0624 is open country for three hexes around: north-east 0524, then clockwise 0623, 0724, 0725, 0625, 0525.
Beyond 0525 lie 0424, 0425 and 0526. 0818 stands on the Dives, with bridges to 0718 and 0918.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from pbem.engine.play import Ask, Phase
from pbem.games.falaise import communication
from pbem.games.falaise.notes import Eliminated, OpFired, Retreated
from pbem.games.falaise.opfire import best, chances
from pbem.games.falaise.retreat import retreat, under_fire, ways
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import GRID, MAP
from tests.games.falaise.kit import at, game
from tests.games.playing import Played, play

START = "0624"
RING = ("0524", "0623", "0724", "0725", "0625", "0525")
ALLIES = ("129/43", "130/43", "214/43", "69/50", "151/50", "231/50")
PAIRS = (
    ("978/271", "KG/243"),
    ("979/271", "KG/275"),
    ("989/277", "KG/708"),
    ("990/277", "KG/17SS"),
    ("991/277", "KG/9Pz"),
    ("986/276", "KG/5FJ"),
)


def retreated(
    text: str,
    *ids: str,
    dice: Sequence[int] = (),
    ways: Sequence[str] = (),
    fire: str | None = None,
    **fields: Any,
) -> Played:
    """These units retreat, each by the way written, the enemy firing as said."""
    left = list(ways)

    def choose(ask: Ask[Any]) -> Any:
        if ask.kind == "retreat":
            return left.pop(0) if left else None
        return fire

    played = play(phase_of(*ids), game(text, **fields), dice=dice, choose=choose)
    assert played.ended, played.progress.waiting
    return played


def phase_of(*ids: str) -> Callable[[State], Phase[Any]]:
    async def phase(state: State) -> None:
        await retreat(state, [state.units[id] for id in ids])

    return phase


def ways_of(text: str, id: str, **fields: Any) -> set[str]:
    """The ways of a unit, as they are offered."""
    state = game(text, **fields)
    return {" ".join(way) for way in ways(state, state.units[id])}


# --- where to -------------------------------------------------------------------------------------------


def test_10_3_two_hexes_away_from_the_start() -> None:
    """10.3 In the open a unit has eighteen ways, all of two hexes, none ending next to where it stood."""
    found = ways_of(f"941/353 {START}", "941/353")
    assert len(found) == 18
    assert all(GRID.distance(START, way.split()[-1]) == 2 and len(way.split()) == 2 for way in found)
    assert "0524 0525" not in found and f"0524 {START}" not in found


def test_10_3_not_into_the_enemy() -> None:
    """10.3 Hexes with enemies are neither entered nor passed."""
    found = ways_of(f"941/353 {START}, 71/53 0524, 158/53 0425", "941/353")
    assert found and not any({"0524", "0425"} & set(way.split()) for way in found)


@pytest.mark.parametrize(
    ("id", "there", "passes"),
    [
        ("941/353", "942/353 0525", False),
        ("941/353", "KG/275 0525", True),
        ("941/353", "KG/275 0525, KG/243 0525", False),
        ("KG/708", "942/353 0525", True),
        ("KG/708", "942/353 0525, KG/243 0525", False),
    ],
)
def test_10_3_germans_never_over_stack_on_the_way(id: str, there: str, passes: bool) -> None:
    """10.3, 5.2 The stacking limits hold in the first hex, too."""
    found = ways_of(f"{id} {START}, {there}", id)
    assert any(way.startswith("0525") for way in found) == passes


@pytest.mark.parametrize(("there", "ends"), [("942/353 0424", False), ("KG/275 0424", True)])
def test_10_3_germans_end_within_the_limits(there: str, ends: bool) -> None:
    """10.3 The stacking limits hold in the second hex."""
    found = ways_of(f"941/353 {START}, {there}", "941/353")
    assert ("0525 0424" in found) == ends


def test_10_3_allies_pass_over_full_hexes() -> None:
    """10.3, 5.2 Allied units may over-stack on the way, and end where there is room,
    no further than they must."""
    found = ways_of(f"71/53 {START}, 158/53 0525, 160/53 0424", "71/53")
    assert "0525 0425" in found and "0525 0424" not in found
    assert all(len(way.split()) == 2 for way in found)


def blocked(*full: str) -> str:
    """The Allied 71/53 with one way out, by 0525, and brigades in the hexes named."""
    germans = (
        f"{id} {hex}"
        for id, hex in zip(("941/353", "942/353", "943/353", "957/363", "958/363"), RING[:5], strict=True)
    )
    friends = (f"{id} {hex}" for id, hex in zip(ALLIES, full, strict=False))
    return ", ".join((f"71/53 {START}", *germans, *friends))


def test_10_3_allies_go_on_until_they_find_room() -> None:
    """10.3, 5.2 With every second hex full an Allied unit goes three, and not back next to its start."""
    assert ways_of(blocked(), "71/53") == {"0525 0424", "0525 0425", "0525 0526"}
    assert ways_of(blocked("0424", "0425"), "71/53") == {"0525 0526"}
    found = ways_of(blocked("0424", "0425", "0526"), "71/53")
    assert "0525 0424 0324" in found and "0525 0526 0627" not in found
    assert found == {way for way in found if len(way.split()) == 3 and way.startswith("0525 ")}
    assert not any(GRID.distance(START, way.split()[-1]) < 2 for way in found)


def test_10_3_a_long_retreat_is_gone_to_its_end() -> None:
    """10.3 The third hex is reached, with no fire where friends stand."""
    played = retreated(blocked("0424", "0425", "0526", "0525"), "71/53", ways=["0525 0424 0324"])
    assert at(played.state, "71/53") == "0324"
    assert played.of(Retreated)[0].path == (START, "0525", "0424", "0324")


def test_5_2_no_retreat_is_halted_in_a_full_hex() -> None:
    """5.2, 10.3 In a full hex, though a German zone reaches it, an Allied unit in retreat is not fired on:
    so it is never halted where it may not stay, and nobody is eliminated for over-stacking."""
    text = f"71/53 {START}, 158/53 0525, 160/53 0524, 941/353 0426"
    state = game(text)
    assert not under_fire(state, state.units["71/53"], "0525", [state.units["71/53"]])
    played = retreated(text, "71/53", ways=["0525 0425"], dice=(1,), fire="0426")
    assert at(played.state, "71/53") == "0425" and not played.of(Eliminated)
    assert [note.hex for note in played.of(OpFired)] == ["0425"]


def test_10_3_germans_do_not_go_further() -> None:
    """10.3 With every second hex full a German unit has no way."""
    around = ", ".join(f"{id} {hex}" for id, hex in zip(ALLIES, RING[:5], strict=False))
    friends = "942/353 0424, 943/353 0425, 957/363 0526"
    assert ways_of(f"941/353 {START}, {around}, {friends}", "941/353") == set()


@pytest.mark.parametrize(
    ("start", "open_to", "closed"),
    [("0818", {"0718", "0918", "0919", "0819", "0719"}, {"0817"}), ("2711", {"2712"}, {"2811"})],
)
def test_10_3_rivers_at_bridges_and_fords_alone(start: str, open_to: set[str], closed: set[str]) -> None:
    """10.3 The Dives is crossed where a bridge or ford leads over it; no way crosses it elsewhere."""
    found = ways_of(f"71/53 {start}", "71/53")
    firsts = {way.split()[0] for way in found}
    assert open_to <= firsts and not closed & firsts
    for way in found:
        hexes = (start, *way.split())
        for a, b in pairwise(hexes):
            kinds = MAP.hexside(a, b)
            assert not kinds & {"river_major", "river_minor"} or kinds & {"bridge", "ford"}, way


def test_10_3_streams_too() -> None:
    """10.3 A retreat crosses no other river off bridges either, although infantry could move across."""
    firsts = {way.split()[0] for way in ways_of("71/53 0431", "71/53")}
    assert firsts == {"0331", "0430", "0531"}


def crosses(way: str, start: str, kind: str) -> bool:
    hexes = (start, *way.split())
    return any(kind in MAP.hexside(a, b) for a, b in pairwise(hexes))


@pytest.mark.parametrize(("id", "over"), [("71/53", False), ("941/353", True)], ids=["Allied", "German"])
def test_7_2_2_the_withdrawal_line(id: str, over: bool) -> None:
    """7.2.2, 11.4 Allied units do not retreat across the Withdrawal Line, Germans may."""
    found = ways_of(f"{id} 1107", id)
    assert found
    assert any(crosses(way, "1107", "withdrawal_line") for way in found) == over


@pytest.mark.parametrize("entered", [True, False])
def test_7_2_2_the_86th_zone(entered: bool) -> None:
    """7.2.2, 11.4 Germans retreat into the 86th Corps Zone only when it is open to them."""
    found = ways_of("941/353 0818", "941/353", zone_entered=entered, zone_86="open" if entered else "closed")
    assert any(way.startswith("0718") for way in found) == entered


@pytest.mark.parametrize(("id", "over"), [("Pz/12SS", False), ("KG/Lehr", True)])
def test_7_2_2_the_trun_bridge(id: str, over: bool) -> None:
    """7.2.2, 7.2.1 Armour does not retreat over the Trun bridge; other mechanised units may."""
    found = ways_of(f"{id} 2415", id)
    assert any(way.startswith("2315") for way in found) == over


def test_7_2_2_limits_of_movement_do_not_bind_retreats() -> None:
    """7.2.2, 11.9 The French may be driven to the Dives."""
    assert any("1718" in way.split() for way in ways_of("Dio 1617", "Dio"))


def test_10_3_nobody_leaves_the_map() -> None:
    """10.3 At the edge every way stays on the map."""
    edge = next(
        hex for hex in MAP.grid.ids if hex in MAP and hex.startswith("40") and MAP.terrain(hex) != "sea"
    )
    assert all(hex in MAP for way in ways_of(f"71/53 {edge}", "71/53") for hex in way.split())


# --- no way -----------------------------------------------------------------------------------------------


def test_10_3_without_a_way_a_unit_is_lost_as_if_cut_off() -> None:
    """10.3, 3.3 Who cannot retreat is eliminated, and scores although it had a line of communication."""
    friends = [f"{id} {hex}" for hex, pair in zip(RING, PAIRS, strict=True) for id in pair]
    text = ", ".join((f"941/353 {START}", *friends))
    state = game(text)
    assert communication.in_communication(state, state.units["941/353"])
    played = retreated(text, "941/353")
    (note,) = played.of(Eliminated)
    assert (note.case, note.cut_off, note.points) == ("10.3", True, 1)
    assert played.state.points == 1 and played.state.units["941/353"].place == "dead"
    assert not played.of(Retreated)


def test_10_3_each_unit_of_a_stack_goes_its_own_way() -> None:
    """10.3 One after another, and what the first has done bars or helps the second."""
    germans = (f"{id} {hex}" for id, hex in zip(ALLIES, RING[:5], strict=False))
    text = f"941/353 {START}, KG/275 {START}, 942/353 0424, KG/243 0425, KG/708 0425, " + ", ".join(germans)
    played = retreated(text, "941/353", "KG/275", fire="hold")
    assert [ask.what for ask in played.asked("retreat")] == [f"retreat of KG/275 from {START}"]
    assert at(played.state, "941/353") == "0526", "the only way it has, so nobody is asked"
    assert played.asked("retreat")[0].options == ("0525 0424", "0525 0526")


# --- op-fire ----------------------------------------------------------------------------------------------

# 71/53 at 0523 covers 0524 and 0424's neighbour 0423, but not 0424: three factors give +1,
# the ratings are equal.
FIRE = [
    (2, "none", "0424", False),
    (3, "halt", "0524", False),
    (4, "halt", "0524", False),
    (5, "disrupted", "0524", True),
]


@pytest.mark.parametrize(("die", "effect", "end", "disrupted"), FIRE)
def test_10_3_op_fire_in_the_first_hex(die: int, effect: str, end: str, disrupted: bool) -> None:
    """10.3, 6.2 A halt or a disruption in the first hex ends the retreat there."""
    played = retreated(f"941/353 {START}, 71/53 0523", "941/353", dice=[die], ways=["0524 0424"])
    (note,) = played.of(OpFired)
    assert (note.effect, note.hex, note.retreat) == (effect, "0524", True)
    assert at(played.state, "941/353") == end
    assert played.state.units["941/353"].disrupted == disrupted


@pytest.mark.parametrize(("die", "place", "points"), [(4, "map", 0), (5, "dead", 1)])
def test_6_4_the_disrupted_do_not_survive_a_second_disruption(die: int, place: str, points: int) -> None:
    """6.4, 10.3 A disrupted unit that is disrupted in retreat is eliminated, and counts as cut off."""
    text = f"941/353 {START} disrupted, 71/53 0523 disrupted"
    played = retreated(text, "941/353", dice=[die], ways=["0524 0424"])
    assert played.state.units["941/353"].place == place
    assert played.state.points == points
    assert played.of(OpFired)[0].effect == ("halt" if place == "map" else "eliminated")


def test_10_3_op_fire_in_the_second_hex() -> None:
    """10.3, 6.2 In the second hex a halt changes nothing, a disruption counts."""
    text = f"941/353 {START}, 71/53 0324"
    for die, disrupted in ((3, False), (5, True)):
        played = retreated(text, "941/353", dice=[die], ways=["0525 0424"])
        assert at(played.state, "941/353") == "0424"
        assert played.state.units["941/353"].disrupted == disrupted
        assert [note.path for note in played.of(Retreated)] == [(START, "0525", "0424")]


def test_6_4_disrupted_in_the_first_hex_is_the_end_of_it() -> None:
    """10.3 A unit that is disrupted in the first hex goes no further, and is not fired at again."""
    text = f"941/353 {START}, 71/53 0523, 158/53 0324"
    played = retreated(text, "941/353", dice=[5], ways=["0524 0424"])
    assert len(played.of(OpFired)) == 1 and at(played.state, "941/353") == "0524"


def test_10_3_a_friend_in_the_hex_shields() -> None:
    """10.3 Where a friend stands that does not retreat nobody fires."""
    played = retreated(f"941/353 {START}, KG/275 0524, 71/53 0523", "941/353", ways=["0524 0424"])
    assert at(played.state, "941/353") == "0424" and not played.asked("opfire")


def test_10_3_those_who_retreat_with_it_do_not_shield() -> None:
    """10.3 The second unit is fired at where the first one has been halted."""
    played = retreated(
        f"941/353 {START}, KG/275 {START}, 71/53 0523",
        "941/353",
        "KG/275",
        dice=[4, 2],
        ways=["0524 0424", "0524 0424"],
    )
    assert [note.names for note in played.of(OpFired)] == [("941/353",), ("KG/275",)]
    assert at(played.state, "941/353") == "0524" and at(played.state, "KG/275") == "0524"


def test_10_3_leaving_a_zone_draws_no_fire() -> None:
    """10.3, 6.3 Retreats break no contact."""
    played = retreated(f"941/353 {START}, 71/53 0623", "941/353", ways=["0525 0425"])
    assert at(played.state, "941/353") == "0425" and not played.asked("opfire")


def test_6_2_the_enemy_may_hold_his_fire() -> None:
    """6.2 Nobody need fire."""
    played = retreated(f"941/353 {START}, 71/53 0523", "941/353", ways=["0524 0424"], fire="hold")
    assert at(played.state, "941/353") == "0424" and not played.of(OpFired)


# --- the decision -----------------------------------------------------------------------------------------


def test_10_3_the_owner_is_asked_and_told_of_the_fire() -> None:
    """10.3 Options are ways, each with the hexes in which fire is to be feared; the default has the fewest,
    and for Germans ends nearest to the way out."""
    played = retreated(f"941/353 {START}, 71/53 0523, 158/53 0324", "941/353")
    (ask,) = played.asked("retreat")
    assert ask.seat == "german" and ask.unit == "941/353" and ask.start == START
    assert ask.fire["0524 0424"] == ["0524", "0424"]
    assert ask.fire["0525 0424"] == ["0424"]
    assert ask.fire["0725 0726"] == []
    assert ask.fire.keys() == set(ask.options)
    assert ask.fire[ask.fallback] == []
    safe = [way for way in ask.options if not ask.fire[way]]
    home = {way: GRID.distance(way.split()[-1], "1703") for way in safe}
    assert home[ask.fallback] == min(home.values()) < max(home.values())
    assert at(played.state, "941/353") == ask.fallback.split()[-1]


def test_10_3_by_default_the_weaker_fire_is_faced() -> None:
    """10.3, 6.2 Of ways that are all under fire the default is the one on which it is least likely
    to disrupt; each way says where it ends, and what is wrong there."""
    text = f"941/353 {START} disrupted, 71/53 0523, Greys/4AB 0523, 176/59 0726, 177/59 0425"
    played = retreated(text, "941/353", fire="hold")
    (ask,) = played.asked("retreat")
    assert "eliminated if fire disrupts it again [6.4]" in ask.intro
    state = game(text)
    unit = state.units["941/353"]

    def risk(way: str) -> Fraction:
        return sum((chances(best(state, [unit], hex)[1].total)[1] for hex in ask.fire[way]), Fraction(0))

    assert risk(ask.fallback) == min(map(risk, ask.options)) < max(map(risk, ask.options))
    told = ask.says("0623 0522") if "0623 0522" in ask.options else ask.says(ask.options[0])
    assert told.startswith("ends in ") and "hexes to 1703" in told
    feared = next(way for way in ask.options if ask.fire[way])
    assert "fire in" in ask.says(feared) and "disrupted" in ask.says(feared)
    assert "no line of communication" not in ask.says(feared)
    shut = retreated(f"{text}, 158/53 1703", "941/353", fire="hold").asked("retreat")[0]
    assert "no line of communication there now" in shut.says(feared)


def test_10_3_friends_are_counted_where_fire_is_feared() -> None:
    """10.3 A friend in a hex takes away the danger, unless it retreats, too."""
    state = game(f"941/353 {START}, KG/275 0524, 71/53 0523")
    unit, friend = state.units["941/353"], state.units["KG/275"]
    assert not under_fire(state, unit, "0524", [unit])
    assert under_fire(state, unit, "0524", [unit, friend])


def test_3_4_who_retreats_into_argentan_takes_it() -> None:
    """3.4 Control passes with a retreat as with a move."""
    state = game("357/90 3019")
    found = [" ".join(way) for way in ways(state, state.units["357/90"]) if "3219" in way]
    assert found
    played = retreated("357/90 3019", "357/90", ways=[found[0]])
    assert played.state.argentan == "allied"
