"""How strong players are, on the scale of Elo and with an interval, by the system that Mark Glickman has
published as Glicko (glicko.net/glicko/glicko.pdf)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, pi, sqrt

START, UNKNOWN = 1500.0, 350.0
"""The rating of somebody who has not played, and how uncertain it is (a standard deviation)."""

_Q = log(10) / 400


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength: 95 of 100 such players are within two `deviation`s of `value`."""

    value: float = START
    deviation: float = UNKNOWN

    @property
    def interval(self) -> tuple[int, int]:
        """The interval that holds the strength of 95 players of 100."""
        return round(self.value - 1.96 * self.deviation), round(self.value + 1.96 * self.deviation)


@dataclass(frozen=True, slots=True)
class Match:
    """A game between two players: what the first of them scored, 1, 0.5 or 0."""

    first: str
    second: str
    score: float


def rated(matches: Iterable[Match]) -> Mapping[str, Rating]:
    """The ratings of all players after their matches, which come in the order of their ends. Each match
    counts at once, by the ratings before it."""
    known: dict[str, Rating] = {}
    for match in matches:
        first, second = known.get(match.first, Rating()), known.get(match.second, Rating())
        known[match.first] = after(first, [(second, match.score)])
        known[match.second] = after(second, [(first, 1 - match.score)])
    return known


def after(mine: Rating, results: Iterable[tuple[Rating, float]]) -> Rating:
    """A rating after games against others, each with what was scored: the formulas of steps 2 of Glicko."""
    information = gain = 0.0
    for other, score in results:
        g = 1 / sqrt(1 + 3 * (_Q * other.deviation / pi) ** 2)
        expected = 1 / (1 + 10 ** (-g * (mine.value - other.value) / 400))
        information += (_Q * g) ** 2 * expected * (1 - expected)
        gain += g * (score - expected)
    precision = 1 / mine.deviation**2 + information
    return Rating(mine.value + _Q / precision * gain, sqrt(1 / precision))
