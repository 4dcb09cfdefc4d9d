"""A series of games of bots: what is told of how they ended."""

from __future__ import annotations

import dataclasses

import pytest
from fourth_game import GAME

from pbem.service.tools import selfplay
from pbem.service.tools.selfplay import Played, Series, play_series


def test_figures_and_words() -> None:
    """Lowest, median and highest of what every game counts, how often each short word stands, and nothing of
    long lists."""
    games = [
        Played(seed, "won", "red", {"points": points}, {"river": month, "lost": lost})
        for seed, (points, month, lost) in enumerate(
            ((3, "no", "1, 2, 3, 4, 5, 6, 7, 8, 9"), (7, "May 1944", ""), (5, "May 1944", ""))
        )
    ]
    series = Series("lots", {"red": "random"}, games)
    assert series.spread() == {"points": (3, 5, 7)}
    assert series.counts() == {"river": {"May 1944": 2, "no": 1}}
    assert "  points: lowest 3, median 5, highest 7" in series.lines()
    assert "  river: May 1944 2, no 1" in series.lines()


def test_a_fault_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in a rule is named with its file, line, phase and game; the traceback is in the facts."""

    async def clash(state: object) -> None:
        raise TypeError("no die")

    phases = [dataclasses.replace(each, play=clash) if each.key == "clash" else each for each in GAME.phases]
    broken = dataclasses.replace(GAME, phases=tuple(phases))
    monkeypatch.setattr(selfplay, "game", lambda key: broken)
    series = play_series("clash", 1, bots={"": "random"})
    line = clash.__code__.co_firstlineno + 1
    said = f"TypeError: no die (test_series.py, line {line}), in t1.clash of clash, seed '0'"
    assert series.lines()[-1] == f"  seed 0: {said}"
    assert "Traceback" in series.facts()["faults"]["0"]
