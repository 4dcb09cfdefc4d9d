"""How much work a letter may make.

No letter may take long: while a short one is read its store is locked, and a long one keeps the processor
busy. What it costs is counted in words looked at, never in seconds: the same letter is read the same on every
machine and at every time.
"""

from __future__ import annotations

MOST_LINES = 300
"""Read at most this many lines of a letter."""

MOST_WORDS = 100
LONGEST = 700
"""Read no line with more words, or with more characters. All units of a side on one line are fewer."""

MOST_WORK = 250_000
"""Look at most at this many words to read a letter, the same ones again and again: about a second. A plain
order takes a dozen, a line to correct a thousand."""

MOST_OFFERS = 20
"""Look for lines to send instead of at most this many."""


class TooMuchWork(Exception):
    """A letter has used up what it may cost."""


class TakesLong(Exception):
    """A letter takes more work than its reader has time for now. Nothing was read."""


class Work:
    """What the reading of one letter may still cost. If it is `now` or not at all, a letter that costs more
    is not read; otherwise it ends there."""

    __slots__ = ("left", "now", "offers")

    def __init__(self, words: int = MOST_WORK, offers: int = MOST_OFFERS, *, now: bool = False) -> None:
        self.left = words
        self.offers = offers
        self.now = now

    def spend(self, words: int) -> None:
        """Look at some words. Raises TooMuchWork or TakesLong if that is more than is left."""
        self.left -= words
        if self.left < 0:
            raise TakesLong if self.now else TooMuchWork


def is_too_long(line: str) -> bool:
    """Whether a line is too long to be read."""
    return len(line) > LONGEST or len(line.split()) > MOST_WORDS
