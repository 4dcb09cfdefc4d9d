"""The exact chances of battles: against a calculation of their own, and against the engine's walk over
the rules themselves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from pbem.engine.play import Phase
from pbem.games.rampage.battle import Battle, Battlefield, battle_round, chances, outlook, win_chance
from pbem.games.rampage.state import German, Group, Type, Unit
from pbem.testing.odds import rounds
from tests.games.rampage.convolution import Force, results


@dataclass(frozen=True)
class Case:
    """A battle: who attacks from where to where, against whom; `attack` and `defence` are what the ground
    does to armour."""

    name: str
    origin: str
    hex: str
    allies: Force
    elite: Force
    others: Force
    attack: int = 0
    defence: int = 0
    river: bool = False
    rounds: int = 6


US_TANKS, US_FOOT = ("us", "armour", 2), ("us", "infantry", 2)
BR_TANKS, BR_FOOT = ("british", "armour", 2), ("british", "infantry", 2)
WORN = ("us", "infantry", 1)
PANZER, FOOT = ("german", "armour", 1), ("german", "infantry", 1)

CASES = (
    Case("one on one in the open", "1303", "1304", (US_FOOT,), (), (FOOT,)),
    Case("tanks in the open", "1303", "1304", (US_TANKS, US_FOOT), (), (FOOT, FOOT), attack=1),
    Case("panzers shoot back in the open", "1303", "1304",
        (US_TANKS, US_TANKS), (PANZER,), (FOOT,), attack=1),
    Case("two rounds only", "1303", "1304", (US_FOOT, WORN), (PANZER,), (FOOT,), rounds=2),
    Case("one round for want of supply", "1303", "1304",
        (BR_TANKS, BR_FOOT), (), (FOOT, FOOT), attack=1, rounds=1),
    Case("across a river", "1701", "1801", (BR_FOOT, BR_FOOT), (FOOT,), (FOOT,), river=True),
    Case("tanks into a city", "1506", "1507", (US_TANKS, US_FOOT), (), (FOOT, PANZER), attack=-1),
    Case("out of a city", "1507", "1407", (US_TANKS, US_FOOT), (), (PANZER, FOOT), defence=-1),
    Case("tanks into the rough", "1614", "1714", (US_TANKS,), (PANZER,), (), attack=-1),
    Case("six divisions against five", "1303", "1304",
        (BR_TANKS, BR_TANKS, *[BR_FOOT] * 4), (PANZER, FOOT), (FOOT, FOOT, PANZER), attack=1),
)  # fmt: skip


def fight(case: Case) -> Battle:
    """The battle of a case, before its first round."""
    attackers = [
        Unit(
            id=f"a{at}",
            group=group(row),
            nation=row,
            type=arm_of(arm),
            steps=steps,
            hex=case.origin,
            place="map",
        )
        for at, (row, arm, steps) in enumerate(case.allies)
    ]
    enemies = [(each, True) for each in case.elite] + [(each, False) for each in case.others]
    defenders = [
        German(id=f"g{at}", type=arm_of(arm), elite=elite, place="map", hex=case.hex)
        for at, ((_, arm, _), elite) in enumerate(enemies)
    ]
    return Battle(
        hex=case.hex,
        origin=case.origin,
        attackers=attackers,
        defenders=defenders,
        losses=("reduced first", "infantry first"),
        kills=("elites first", "armour first"),
    )


def group(row: str) -> Group:
    return "us" if row == "us" else "british"


def arm_of(arm: str) -> Type:
    return "armour" if arm == "armour" else "infantry"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_10_1_chances_are_those_of_a_calculation_of_their_own(case: Case) -> None:
    """10.1, 10.2, 10.3, 10.4, 10.5 The chances to win a typical battle and to lose everybody in it are,
    to the last digit, what dice folded by hand give."""
    won, lost = results(
        case.allies,
        case.elite,
        case.others,
        attack=case.attack,
        defence=case.defence,
        river=case.river,
        rounds=case.rounds,
    )
    assert 0 < won < 1 and 0 <= lost < 1 and won + lost <= 1
    assert chances(outlook(fight(case), case.rounds)) == (won, lost)


@pytest.mark.parametrize("case", CASES[:4], ids=lambda case: case.name)
def test_10_1_chances_are_those_of_the_rules_walked_round_by_round(case: Case) -> None:
    """10.1 Walking the very procedure that is played, for every outcome of every die,
    gives the same chance."""

    def play(battle: Battle) -> Phase[None]:
        return battle_round(battle, battle)

    def key(battle: Battle) -> tuple[object, ...]:
        allies = tuple(sorted((unit.type, unit.steps) for unit in battle.attackers))
        germans = tuple(sorted((unit.type, unit.elite) for unit in battle.defenders))
        return allies, germans, battle.round

    walked = rounds(
        lambda: fight(case),
        play,
        key=key,
        over=lambda battle: battle.over or battle.round == case.rounds,
        result=lambda battle: (battle.won, not battle.attackers),
    )
    assert sum(walked.values()) == 1
    won, lost = chances(outlook(fight(case), case.rounds))
    assert (walked[True, False], walked.get((False, True), 0)) == (won, lost)


def test_10_3_a_city_does_away_with_the_river() -> None:
    """10.3 A river hexside on the rim of a city gives nobody anything."""
    assert Battlefield("1801", "1701").river
    assert not Battlefield("1507", "1607").river


def test_9_6_nobody_wins_without_a_round() -> None:
    """9.6 Without a round left to fight the battle is not won; without a German it is."""
    battle = fight(CASES[0])
    assert win_chance(outlook(battle, 0)) == Fraction(0)
    battle.defenders.clear()
    assert win_chance(outlook(battle, 0)) == Fraction(1)
