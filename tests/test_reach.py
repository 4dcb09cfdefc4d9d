"""Each rulebook case that is met in code is met in play, not only in unit tests."""

from __future__ import annotations

import pytest
from reach import played, unreached

from pbem.engine.game import game
from pbem.engine.installed import games

NOT_BY_BOTS = {
    "rampage": ["14.2"],  # bots seldom close the pocket of Argentan and Falaise
    "falaise": ["7.1.2"],  # hold: people alone write it
    "normandy44": ["E7"],  # runs once, when the game is loaded
    "france44": ["2.0"],  # is cited by a chart
}
"""The cases that no game of bots reaches; unit tests do."""

OPTIONS = {"falaise": {"players": "one"}}
"""The choices that bring rules of their own."""

OURS = [key for key, where in games().items() if where.startswith("pbem.games.")]


@pytest.mark.dear
@pytest.mark.parametrize("key", OURS)
def test_play_reaches_every_case(key: str) -> None:
    """A random game of each scenario runs a rule, or has an order given, of every case; tests/reach.py plays
    more of them, and tells what unit tests reach."""
    options = [{}, OPTIONS[key]] if key in OPTIONS else [{}]
    assert unreached(key, played(game(key), 1, 0, options)) == NOT_BY_BOTS.get(key, [])


def test_a_rule_that_nothing_calls_is_found() -> None:
    """A case whose only rule never runs is named."""
    found = unreached("rampage", played(game("rampage"), 0, 0))
    assert "10.1" in found and "9.12" in found
