"""Ratings: the worked example of Glicko, and what holds of any."""

from __future__ import annotations

import random

import pytest

from pbem.service.tools.ratings import Match, Rating, after, rated


def test_the_example_that_glickman_gives() -> None:
    """glicko.net/glicko/glicko.pdf, "An example": won against 1400, lost against 1550 and 1700."""
    others = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    found = after(Rating(1500, 200), others)
    assert (round(found.value), round(found.deviation, 1)) == (1464, 151.4)
    assert found.interval == (1167, 1761)


def test_without_games_nothing_is_known() -> None:
    assert rated([]) == {} and after(Rating(), []).value == 1500
    assert after(Rating(), []).deviation == pytest.approx(350)


def test_a_win_raises_one_as_it_lowers_the_other() -> None:
    found = rated([Match("a", "b", 1.0)])
    assert found["a"].value - 1500 == pytest.approx(1500 - found["b"].value) and found["a"].value > 1600
    drawn = rated([Match("a", "b", 0.5)])
    assert drawn["a"].value == drawn["b"].value == 1500 and drawn["a"].deviation < 350


def test_strength_is_found_and_the_interval_holds_it() -> None:
    """Players of known strength: after many games they stand in their order, and 95 of 100 intervals hold."""
    dice = random.Random(7)
    truth = {f"p{number}": 1200 + 20.0 * number for number in range(30)}
    matches = []
    for _ in range(3_000):
        a, b = dice.sample(sorted(truth), 2)
        wins = dice.random() < 1 / (1 + 10 ** ((truth[b] - truth[a]) / 400))
        matches.append(Match(a, b, float(wins)))
    found = rated(matches)
    mean = sum(each.value for each in found.values()) / 30 - sum(truth.values()) / 30
    held = sum(low <= truth[name] + mean <= high for name, (low, high) in
               ((name, each.interval) for name, each in found.items()))  # fmt: skip
    assert held >= 26
    assert found["p29"].value > found["p15"].value > found["p0"].value
