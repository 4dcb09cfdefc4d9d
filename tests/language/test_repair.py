"""Misspelt words and what they may be meant for."""

from __future__ import annotations

from itertools import permutations

from pbem.engine.language.repair import near


def test_words_that_are_as_near_keep_their_order() -> None:
    """Neither of `attaca`, `attacb` and `attacd` is nearer to `attacc` than the others."""
    for candidates in permutations(("attaca", "attacb", "attacd")):
        assert near("attacc", candidates) == list(candidates)


def test_words_that_stand_on_the_line_come_last() -> None:
    """Of two that are as near the one that is written already comes second."""
    assert near("attacc", ("attaca", "attacb"), ("attaca",)) == ["attacb", "attaca"]
