"""Battles (10): rounds, modifiers, losses, and chances against the coroutine itself,
played through for every outcome."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.play import Answer, Ask, Decision, Volley, advance
from pbem.engine.wording import percent
from pbem.games.rampage.battle import (
    DEFAULT_LOSSES,
    LOSS_ORDERS,
    Battle,
    Battlefield,
    battle_round,
    modifiers,
    outlook,
    told_by_hits,
    win_chance,
)
from pbem.games.rampage.notes import Fired, Losses
from pbem.service.letters.log import log_lines, short_log
from pbem.testing.odds import distribution
from tests.games.rampage.kit import game

# 1302 and 1303 are open country without a river between them, 1601 is rough and behind a river
# from 1602, 1904 is a city.


def battle(allied: str, germans: str, hex: str = "1303", origin: str = "1302", **fields: Any) -> Battle:
    """A battle between units as in the kit: ``3A, 1Inf reduced`` against ``1SS, 84Inf``."""
    named = [part.split() for part in allied.split(",")]
    state = game(", ".join(" ".join((id, origin, *words)) for id, *words in named))
    against = [state.germans[id.strip()] for id in germans.split(",")]
    return Battle(hex, origin, [state.units[id] for id, *_ in named], against, seat="allied", **fields)


def fight(
    fought: Battle, *faces: int | Sequence[int], choose: str = ""
) -> tuple[list[Volley], list[Ask[Any]], list[Any]]:
    """Play a round with these dice, for each class of firing units a list, or the face that they all show;
    the dice and decisions that were asked for, and the notes."""
    volleys: list[Volley] = []
    asks: list[Ask[Any]] = []
    left = list(faces)

    def dice(request: Any, label: str) -> list[Any]:
        volleys.append(request)
        face = left.pop(0)
        return [face] * request.count if isinstance(face, int) else list(face)

    def answers(request: Decision) -> Answer:
        assert isinstance(request, Ask)
        asks.append(request)
        return Answer(choose or request.fallback)

    progress = advance(battle_round(fought, fought), fought, answers=answers, dice=dice)
    assert progress.waiting is None and not left
    return volleys, asks, fought.log


def of(notes: list[Any], kind: type) -> list[Any]:
    return [note for note in notes if isinstance(note, kind)]


# --- the order of fire ----------------------------------------------------------------------------------


def test_10_1_elites_fire_first_and_are_believed_at_once() -> None:
    """10.1 What the elite hits take out does not fire: of one full division a die is left."""
    fought = battle("1Inf", "1SS, 84Inf")
    volleys, _, _ = fight(fought, [5], [1], [4])
    assert [(each.what, each.count) for each in volleys] == [
        ("round 1 at 1303: elite German armour fire", 1),
        ("round 1 at 1303: german infantry fire", 1),
        ("round 1 at 1303: us infantry fire", 1),
    ]
    assert [unit.id for unit in fought.defenders] == ["84Inf"]
    assert fought.attackers[0].steps == 1


def test_10_1_nobody_fires_when_nobody_is_left_to_fire_at() -> None:
    """10.1 When the elite fire has taken the last of the attackers the battle is over (7):
    the others throw no dice."""
    fought = battle("1Inf reduced", "1SS, 84Inf")
    volleys, _, notes = fight(fought, [6])
    assert [each.what for each in volleys] == ["round 1 at 1303: elite German armour fire"]
    assert not fought.attackers and len(fought.defenders) == 2 and len(of(notes, Fired)) == 1


def test_10_1_everybody_else_fires_at_the_same_time() -> None:
    """10.1 Non-elite defenders and Allies may eliminate each other in one step; then nobody has won."""
    fought = battle("1Inf reduced", "84Inf")
    fight(fought, [6], [4])
    assert fought.over and not fought.won
    assert not fought.attackers and not fought.defenders


def test_10_1_each_step_throws_a_die() -> None:
    """2.5, 2.6, 10.1 Allies throw a die for each step, classes apart; three hits on two Germans are two."""
    fought = battle("3A, 1Inf, 4Inf reduced", "84Inf, 85Inf")
    volleys, _, notes = fight(fought, 1, [1, 2], [6, 6, 1])
    assert [each.count for each in volleys] == [2, 2, 3]
    assert fought.won
    assert of(notes, Losses) == [Losses(case="10.4", hex="1303", round=1, germans=("84Inf", "85Inf"))]
    assert [note.steps for note in of(notes, Fired)] == [0, 0, 4]


def test_10_5_what_dice_showed_is_told_with_what_each_did() -> None:
    """10.5 Faces that did the same stand together; the log has them behind the number of dice."""
    assert told_by_hits([6, 1, 5, 3, 6], (0, 0, 0, 1, 1, 2)) == "1 3 miss, 5 hits, 6 6 hit 2 times"
    assert told_by_hits([4, 5, 4], (0, 0, 0, 1, 1, 2)) == "4 4 5"
    for short in (False, True):
        note = Fired(
            case="10.1", roll=4, hex="1502", round=1, firer="us", arm="armour", dice=2, parts=(), steps=1,
            faces=told_by_hits([5, 2], (0, 0, 0, 1, 1, 2)),
        )  # fmt: skip
        facts = [note.facts()]
        told = short_log("rampage", facts, "allied", "T") if short else log_lines("rampage", facts, "allied")
        words = "\n".join(told)
        assert "2 dice (2 misses, 5 hits): 1 hit" in words


def test_13_5_in_a_landing_all_germans_fire_first() -> None:
    """13.5 Even non-elites fire before the drop does; there is no river and both fire into one hex."""
    fought = battle("82AB", "84Inf, 21Pz", hex="1904", origin="1904", kind="landing")
    volleys, _, _ = fight(fought, [6], [5])
    assert not fought.attackers, "both steps went before a die was thrown for them"
    assert [each.what.split(": ")[1] for each in volleys] == ["german armour fire", "german infantry fire"]
    assert volleys[0].worth == (0, 0, 0, 0, 0, 1), "armour firing into a city"


def test_12_5_in_a_breakout_only_the_germans_fire() -> None:
    """12.5 There is no return fire, and every German has +1; armour from clear into clear one more (1.5)."""
    fought = battle("1Inf", "84Inf, 21Pz", kind="breakout")
    volleys, _, _ = fight(fought, [2], [4])
    assert [each.worth for each in volleys] == [(0, 0, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1)]
    assert fought.attackers[0].steps == 1 and len(fought.defenders) == 2


def test_11_3_a_whole_round_for_the_pocket() -> None:
    """11.3 Read as a whole round, the Allies fire back, the attacked side across a river with +1."""
    fought = battle("1Inf", "84Inf", hex="1501", origin="1602", kind="breakout", returned=True)
    volleys, _, _ = fight(fought, [1], [3, 1])
    assert volleys[1].worth == (0, 0, 1, 1, 2, 2)
    assert not fought.defenders


# --- modifiers ------------------------------------------------------------------------------------------

ASSAULTS = [
    ("clear into clear, armour", Battlefield("1303", "1302"), False, "armour", True, 1),
    ("clear into clear, infantry", Battlefield("1303", "1302"), False, "infantry", True, 0),
    ("clear into clear, defending armour", Battlefield("1303", "1302"), True, "armour", True, 0),
    ("into rough", Battlefield("1601", "1700"), False, "armour", True, -1),
    ("out of rough, defenders", Battlefield("1602", "1501"), True, "armour", True, 0),
    ("out of rough, defenders, second round", Battlefield("1602", "1501"), True, "armour", False, -1),
    ("river, defenders", Battlefield("1602", "1601"), True, "infantry", True, 1),
    ("river, defenders, second round", Battlefield("1602", "1601"), True, "infantry", False, 0),
    ("river, attackers", Battlefield("1602", "1601"), False, "infantry", True, 0),
    ("into a city", Battlefield("1904", "1903"), False, "armour", True, -1),
    ("over the river of a city", Battlefield("1904", "1804"), True, "infantry", True, 0),
    ("out of a city", Battlefield("1303", "1202"), False, "armour", True, 0),
]


@pytest.mark.parametrize(
    ("ground", "german", "arm", "first", "total"), [row[1:] for row in ASSAULTS], ids=[r[0] for r in ASSAULTS]
)
def test_10_2_modifiers(ground: Battlefield, german: bool, arm: Any, first: bool, total: int) -> None:
    """10.2, 10.3 What rough, cities, rivers and open ground do to the dice of either side."""
    assert modifiers(ground, german, arm, first).total == total


def test_10_2_a_rough_city_counts_once() -> None:
    """10.2 Rough and city do not add up for armour: Metz and the like are no worse than either."""
    tally = modifiers(Battlefield("1719", "1718"), False, "armour", True)
    assert [part.value for part in tally.parts if part.case == "10.2" and part.value < 0] == [-1]


# --- losses ---------------------------------------------------------------------------------------------


def test_10_4_losses_follow_their_order() -> None:
    """10.4 Reduced units go first if that was laid down, infantry first among equals;
    the spared last of all."""
    fought = battle("1Inf, 4Inf reduced, 3A reduced", "1SS, 2SS, 9SS", losses=("reduced first",))
    fight(fought, [5, 6, 1], 1)
    assert [unit.id for unit in fought.attackers] == ["1Inf"]
    spared = battle("1Inf, 4Inf reduced", "1SS", losses=("reduced first",), spared=("4Inf",))
    fight(spared, [5], [1, 1])
    assert [(unit.id, unit.steps) for unit in spared.attackers] == [("1Inf", 1), ("4Inf", 1)]


@pytest.mark.parametrize(
    ("losses", "left"),
    [
        ("full first", {"1Inf": 1, "4Inf": 1, "3A": 1}),
        ("armour first", {"1Inf": 2, "4Inf": 1}),
        ("infantry first", {"1Inf": 1, "3A": 2}),
    ],
)
def test_10_4_other_orders(losses: str, left: dict[str, int]) -> None:
    """10.4 The owner apportions his losses as he likes, by steps or by type;
    what he leaves open is reduced first, infantry first."""
    fought = battle("1Inf, 4Inf reduced, 3A", "1SS, 2SS", losses=(losses,))
    classes = 2 if "3A" in left else 1
    fight(fought, 5, *[1] * classes)
    assert {unit.id: unit.steps for unit in fought.attackers} == left


def test_10_4_the_owner_is_asked_only_where_it_matters() -> None:
    """10.4 Without a word on losses their order is asked once in a battle;
    never when every way comes to the same."""
    alike = battle("1Inf reduced, 4Inf reduced", "1SS")
    assert fight(alike, [5], [1])[1] == []
    mixed = battle("1Inf, 3A", "1SS, 2SS")
    _, asks, _ = fight(mixed, [5, 1], 1, 1, choose="armour first, full first")
    assert [(ask.kind, ask.case, ask.options) for ask in asks] == [("losses", "10.4", LOSS_ORDERS)]
    assert [(unit.id, unit.steps) for unit in mixed.attackers] == [("1Inf", 2), ("3A", 1)]
    assert mixed.losses == ("armour first", "full first")
    assert fight(mixed, [5, 1], 1)[1] == [], "it is known now"


def test_10_4_elites_are_killed_first() -> None:
    """10.4 The player picks the Germans who fall: elites unless he says otherwise."""
    first = battle("1Inf", "84Inf, 1SS")
    fight(first, [1], [1], [4, 1])
    assert [unit.id for unit in first.defenders] == ["84Inf"]
    others = battle("1Inf", "84Inf, 1SS", kills=("others first",))
    fight(others, [1], [1], [4, 1])
    assert [unit.id for unit in others.defenders] == ["1SS"]


def test_10_6_where_the_dead_go() -> None:
    """7.5, 10.6, 12.3 Germans fall and return later; the Tigers, and those without supply, are gone;
    Allied dead never return."""
    fought = battle("1Inf", "503Tiger, 84Inf")
    fight(fought, [1], [1], [6, 6])
    isolated = battle("1Inf reduced", "85Inf", isolated=True)
    _, _, _ = fight(isolated, [5], [5])
    assert fought.won
    dead = isolated.log[0]
    assert isinstance(dead, Fired)
    (killed, lost) = of(isolated.log, Losses)
    assert killed.germans == ("85Inf",) and lost.eliminated == ("1Inf",)


# --- chances --------------------------------------------------------------------------------------------

BATTLES = [
    ("1Inf", "84Inf", 1),
    ("1Inf, 3A reduced", "84Inf", 1),
    ("1Inf", "84Inf, 85Inf", 1),
    ("3BrInf, GdsA", "1SS, 84Inf", 1),
    ("2FrA, 1Inf reduced", "1SS, 21Pz, 84Inf", 1),
]


@pytest.mark.parametrize(("allied", "germans", "rounds"), BATTLES, ids=[f"{a} v {g}" for a, g, _ in BATTLES])
def test_10_1_the_chance_of_a_round(allied: str, germans: str, rounds: int) -> None:
    """10.1 The chance of winning in one round is what every outcome of the round itself adds up to."""

    def start() -> tuple[Battle, Any]:
        fought = battle(allied, germans, losses=DEFAULT_LOSSES)
        return fought, battle_round(fought, fought)

    exact = distribution(start, lambda fought: fought.won)
    assert win_chance(outlook(battle(allied, germans), rounds)) == exact.get(True, Fraction(0))


def test_10_1_a_second_round_is_worth_something() -> None:
    """9.4, 10.1 One division against one: by hand, half a chance of a hit per die,
    a third that it is hit back."""
    hit, struck = Fraction(3, 4), Fraction(1, 3)
    one = win_chance(outlook(battle("1Inf", "84Inf"), 1))
    assert one == hit
    two = win_chance(outlook(battle("1Inf", "84Inf"), 2))
    missed = 1 - hit
    again = (1 - struck) * hit + struck * Fraction(1, 2) * (1 - struck)
    assert two == hit + missed * again


def test_10_1_a_lost_battle_has_no_chance() -> None:
    """10.1 Without rounds there is no victory, without defenders there is nothing else."""
    assert win_chance(outlook(battle("1Inf", "84Inf"), 0)) == 0
    fought = battle("1Inf", "84Inf")
    fought.defenders.clear()
    assert win_chance(outlook(fought, 0)) == 1


# --- what a decision tells --------------------------------------------------------------------------------


@pytest.mark.parametrize("elite", [True, False])
def test_10_4_the_price_of_each_order_of_losses_is_told(elite: bool) -> None:
    """10.4 The letter names who is hit and the exact chance to win after it:
    that of the rest of the battle played through."""
    names, faces = ("6FJ, 84Inf", ([5],)) if elite else ("84Inf, 85Inf", ([5, 1], 1, 1))
    fought = battle("3A, 1Inf reduced", names, more=1)
    waiting: list[Ask[Any]] = []

    def dice(request: Any, label: str) -> list[Any]:
        face = left.pop(0)
        return [face] * request.count if isinstance(face, int) else list(face)

    def answers(request: Decision) -> None:
        assert isinstance(request, Ask)
        waiting.append(request)

    left = list(faces)
    advance(battle_round(fought, fought), fought, answers=answers, dice=dice)
    (ask,) = waiting
    assert ask.intro.startswith("1 step to lose now: 3A (2 steps), 1Inf (1 step) against ")
    told = {option: ask.says(option) for option in ask.options}
    assert told["reduced first, infantry first"].startswith("1Inf eliminated; then ")
    assert told["full first, infantry first"].startswith("3A reduced; then ")

    def start() -> tuple[Battle, Any]:
        if not elite:  # the next round alone is left
            later = battle("3A reduced, 1Inf reduced", names, losses=DEFAULT_LOSSES, round=1)
            return later, battle_round(later, later)
        again = battle("3A, 1Inf reduced", names, losses=("full first", "infantry first"))
        return again, both_rounds(again)

    async def both_rounds(fought: Battle) -> None:
        while fought.round < 2 and not fought.over:
            await battle_round(fought, fought)

    def hit_first(fought: Battle) -> tuple[bool, bool]:
        """Whether it was won, and whether the elite hit in the first round."""
        return fought.won, not elite or fought.log[0].steps == 1  # type: ignore[attr-defined]

    walked = distribution(start, hit_first)
    chance = walked[True, True] / (walked[True, True] + walked[False, True])
    assert told["full first, infantry first"] == f"3A reduced; then {percent(chance)} to win"
