"""Exact chances of sums of dice: against all outcomes one by one, closed forms, and games of fair and of
loaded dice."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from math import comb

import pytest

from pbem.engine.pips import Sums, corrected, corridor

SMALL = [
    (6,), (6, 6), (4, 6), (2, 2, 2), (6, 6, 6, 6), (4, 6, 6, 8), (10, 10, 6), (3, 4, 5, 6, 7), (6,) * 5,
    (1, 6, 1),
]  # fmt: skip
MEAN = Fraction(7, 2)


def outcomes(sides: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every way in which dice can fall."""
    return list(product(*(range(1, die + 1) for die in sides)))


@pytest.mark.parametrize("sides", SMALL)
def test_sums_are_those_of_all_outcomes(sides: tuple[int, ...]) -> None:
    """The ways of each sum, and how likely it is to be as far off, are counted right."""
    every, sums = outcomes(sides), Sums(sides)
    found = Counter(map(sum, every))
    assert {sums.least + at: ways for at, ways in enumerate(sums.ways)} == found
    assert sums.total == len(every) and sums.expected == Fraction(sum(map(sum, every)), len(every))
    for total in found:
        off = abs(total - sums.expected)
        as_far = sum(ways for other, ways in found.items() if abs(other - sums.expected) >= off)
        assert sums.chance(total) == Fraction(as_far, len(every))


@pytest.mark.parametrize("sides", SMALL)
@pytest.mark.parametrize("within", [Fraction(1, 2), Fraction(95, 100), Fraction(1)])
def test_corridors_are_those_of_all_outcomes(sides: tuple[int, ...], within: Fraction) -> None:
    """The corridor is the narrowest that enough of all sequences never leave."""
    furthest = Counter(max(map(abs, way(faces, sides))) for faces in outcomes(sides))
    for wide, ways in zip(
        sorted(furthest), accumulate(furthest[each] for each in sorted(furthest)), strict=True
    ):
        if ways >= within * furthest.total():
            assert corridor(sides, within) == wide
            return


def way(faces: tuple[int, ...] | list[int], sides: tuple[int, ...]) -> list[Fraction]:
    """How far the running sum is off after each die."""
    return list(accumulate(face - Fraction(die + 1, 2) for face, die in zip(faces, sides, strict=True)))


def test_closed_forms() -> None:
    """Two-sided dice are coins; the formula of de Moivre counts the sums of 40 dice."""
    assert Sums([2] * 50).ways == [comb(50, heads) for heads in range(51)]
    moivre = [
        sum((-1) ** k * comb(40, k) * comb(total - 6 * k - 1, 39) for k in range((total - 40) // 6 + 1))
        for total in range(40, 241)
    ]
    assert Sums([6] * 40).ways == moivre
    assert Sums([6, 6, 6]).chance(3) == Fraction(2, 216)
    assert Sums([6] * 3).chance(10) == 1 and Sums([]).chance(0) == 1
    assert corridor([]) == 0


def test_a_coin_leaves_its_corridor_as_the_reflection_principle_says() -> None:
    """The chance that 20 coins are ever 5 or more ahead of even, to one side, is that of the end, reflected;
    to both sides by the images of it."""
    steps, barrier = 20, 10  # in halves: a coin steps by 1 half, so the walk is of plus and minus 1

    def ends(at: int) -> int:
        return comb(steps, (steps + at) // 2) if abs(at) <= steps and (steps + at) % 2 == 0 else 0

    stays = sum(
        ends(at + 4 * image * barrier) - ends(2 * barrier - at + 4 * image * barrier)
        for at in range(1 - barrier, barrier)
        for image in range(-2, 3)
    )
    share = Fraction(stays, 2**steps)
    assert corridor([2] * steps, share) == Fraction(barrier - 1, 2)
    assert corridor([2] * steps, share + Fraction(1, 2**steps)) > Fraction(barrier - 1, 2)


def test_a_sum_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="these dice show 2 to 12, not 13"):
        Sums([6, 6]).chance(13)


def test_holm() -> None:
    """The smallest chance counts as often as there are looks, the next once less; none is less than
    one before it, nor more than 1."""
    chances = [Fraction(1, 50), Fraction(1, 100), Fraction(1, 2), Fraction(1, 49)]
    assert corrected(chances) == [Fraction(3, 50), Fraction(4, 100), Fraction(1, 2), Fraction(3, 50)]
    assert corrected([Fraction(3, 4), Fraction(3, 5)]) == [1, 1]
    assert corrected([]) == []


def test_fair_sequences_leave_the_corridor_as_often_as_it_says() -> None:
    """Of 1,000 fair sequences of 60 dice at most 5 of 100 leave it, and not many fewer: seeded, within the
    bounds that a fair corridor keeps in all but 1 of 1,000 runs."""
    chance, sides, wide = random.Random(37), (6,) * 60, corridor([6] * 60)
    left = sum(max(map(abs, way([chance.randint(1, 6) for _ in sides], sides))) > wide for _ in range(1000))
    assert 25 <= left <= most_of(1000, Fraction(5, 100))


def most_of(games: int, share: Fraction) -> int:
    """The most games of a number that a share of all games gives, but for 1 run of 1,000."""
    so_far, most, here = 0.0, -1, float(share)
    while so_far < 0.999:
        most += 1
        so_far += comb(games, most) * here**most * (1 - here) ** (games - most)
    return most


# --- a loaded die -------------------------------------------------------------------------------------------

LOADED = (1, 2, 3, 4, 5, 6, 6)
"""A die on which a six is twice as likely as any other face."""


def loaded_ways(dice: int) -> list[int]:
    """The ways of the sum of loaded dice, of 7 to the power of their number."""
    ways = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for total, so_far in ways.items():
            for face in LOADED:
                more[total + face] = more.get(total + face, 0) + so_far
        ways = more
    return [ways[total] for total in sorted(ways)]


def called_high(dice: int) -> int:
    """The least sum of a number of dice that is called unusually high."""
    sums = Sums([6] * dice)
    low, high = int(sums.expected), sums.most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sums.chance(middle) <= Fraction(5, 100) else (middle, high)
    return high


def usual(dice: int) -> range:
    """The sums of a number of dice that are not called unusual."""
    high = called_high(dice)
    return range(7 * dice - high + 1, high)


def power(dice: int) -> Fraction:
    """How likely loaded dice are to be called unusual, exactly."""
    fair = usual(dice)
    found = sum(ways for total, ways in enumerate(loaded_ways(dice), dice) if total not in fair)
    return Fraction(found, 7**dice)


def test_a_loaded_die_is_found_in_as_many_rolls_as_it_should_take() -> None:
    """A six that is twice as likely adds 5/14 of a pip to a die. By the usual rule that takes about 180 dice
    to be found in 8 of 10 games: so it is, counted exactly, and in as many of 500 games that are thrown."""
    assert Fraction(sum(LOADED), 7) - MEAN == Fraction(5, 14)
    assert power(60) < Fraction(5, 10) and power(130) < Fraction(75, 100)
    found = power(180)
    assert Fraction(78, 100) < found < Fraction(84, 100)
    chance, fair = random.Random(1937), usual(180)
    games = sum(sum(chance.choices(LOADED, k=180)) not in fair for _ in range(500))
    assert games <= most_of(500, found) and 500 - games <= most_of(500, 1 - found)


def test_a_die_loaded_a_little_needs_thousands() -> None:
    """A six that is 1.2 times as likely adds 5/62 of a pip. The average of 200 such dice is not called high;
    of 12,500 it is, and by Chebyshev less than what is called high comes in at most 1 of 10 games."""
    weights = (5, 5, 5, 5, 5, 6)
    mean = Fraction(sum(face * weight for face, weight in enumerate(weights, 1)), 31)
    square = Fraction(sum(face * face * weight for face, weight in enumerate(weights, 1)), 31)
    assert mean - MEAN == Fraction(5, 62)
    assert mean * 200 < called_high(200)
    room = mean * 12_500 - called_high(12_500)
    assert room > 0 and 12_500 * (square - mean * mean) / room**2 <= Fraction(1, 10)
