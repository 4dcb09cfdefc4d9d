"""A series of games of bots: what is told of how they ended."""

from __future__ import annotations

from pbem.service.tools.selfplay import Played, Series


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
