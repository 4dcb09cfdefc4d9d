"""Exact chances of sums of fair dice, and of how far a running sum strays: counted, never approximated.

`Sums` counts the ways in which dice add up to each sum. `corridor` finds how far from its expectation the
running sum of 95 of 100 fair sequences stays from the first die to the last. `corrected` allows for having
looked at many groups of dice (Holm). All numbers are integers and fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import isqrt, prod

WITHIN = Fraction(95, 100)
"""The share of fair sequences that stay in their corridor."""


class Sums:
    """The sum of dice with these numbers of sides: each sum from `least` to `most` with its ways."""

    def __init__(self, sides: Iterable[int]) -> None:
        dice = sorted(sides)
        self.least = len(dice)
        self.most = sum(dice)
        self.total = prod(dice)
        alike, many = Counter(dice).most_common(1)[0] if dice else (1, 0)
        self.ways = _alike(alike, many)
        """The ways to throw `least`, `least` + 1 and so on; `total` in all."""
        for die in dice:
            if die != alike:
                self.ways = _one_more(self.ways, die)

    @property
    def expected(self) -> Fraction:
        return Fraction(self.least + self.most, 2)

    def chance(self, sum_: int) -> Fraction:
        """Return the chance that fair dice miss the expected sum by as much as `sum_` does, or by more, to
        either side. Raises ValueError for a sum that they cannot show."""
        if not self.least <= sum_ <= self.most:
            raise ValueError(f"these dice show {self.least} to {self.most}, not {sum_}")
        nearest = min(sum_, self.least + self.most - sum_)  # both ends are equally likely
        tail = sum(self.ways[: nearest - self.least + 1])
        return min(Fraction(1), Fraction(2 * tail, self.total))


def _alike(sides: int, count: int) -> list[int]:
    """The ways of the sum of `count` dice of `sides`: the coefficients of
    ``f = (1 + x + ... + x^(sides-1))^count``.

    They follow from one another, as ``f' (1 - x) (1 - x^sides)`` is f times a polynomial of three terms. That
    is some hundred times as fast as to add the dice one by one.
    """
    ways = [1]
    for at in range(count * (sides - 1)):
        whole = (at + count) * ways[at]
        if at + 1 >= sides:
            whole += (at + 1 - sides - count * sides) * ways[at + 1 - sides]
        if at >= sides:
            whole += (count * (sides - 1) - at + sides) * ways[at - sides]
        ways.append(whole // (at + 1))
    return ways


def _one_more(ways: Sequence[int], sides: int) -> list[int]:
    """The ways of a sum with one more die of `sides`."""
    before = [0, *accumulate(ways)]
    top = len(ways)
    return [before[min(at + 1, top)] - before[max(0, at + 1 - sides)] for at in range(top + sides - 1)]


def corridor(sides: Sequence[int], within: Fraction = WITHIN) -> Fraction:
    """Return the least distance from its expectation, in pips, that the running sum of these dice, in this
    order, never exceeds in at least the share `within` of all fair sequences. 0 without dice."""
    if not sides:
        return Fraction(0)
    total = prod(sides)

    def enough(half_pips: int) -> bool:
        return _staying(sides, half_pips) >= within * total

    low = -1  # too narrow
    high = max(1, isqrt(5 * sum(die * die for die in sides) // 3))  # about 2.24 standard deviations
    while not enough(high):
        low, high = high, high + high // 8 + 1
    while high - low > 1:
        middle = max(low + 1, high - high // 16 - 1) if low < 0 else (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Fraction(high, 2)


def _staying(sides: Sequence[int], half_pips: int) -> int:
    """Count the ways in which the running sum of dice stays within this many half pips of its expectation."""
    ways, least, expected = [1], 0, 0  # `expected` in half pips
    for die in sides:
        ways, least, expected = _one_more(ways, die), least + 1, expected + die + 1
        first = max(least, -((half_pips - expected) // 2))
        last = (expected + half_pips) // 2
        ways, least = ways[first - least : max(0, last - least + 1)], first
        if not ways:
            return 0
    return sum(ways)


def corrected(chances: Sequence[Fraction]) -> list[Fraction]:
    """Return the chances of many looks as Holm corrects them, in the same order: if fair dice alone were at
    work, the chance that any of the results is x or less would be at most x."""
    ranked = sorted(range(len(chances)), key=chances.__getitem__)
    result, worst = [Fraction(1)] * len(chances), Fraction(0)
    for rank, at in enumerate(ranked):
        worst = max(worst, min(Fraction(1), chances[at] * (len(chances) - rank)))
        result[at] = worst
    return result
