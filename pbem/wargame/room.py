"""How much room a stacking limit leaves, as one number (`Desk.room`), whatever the rule of the game is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")


def sure_room(sizes: Mapping[K, int], fits: Callable[[Sequence[K]], bool]) -> int:
    """Return the greatest sum of sizes that surely fits: all units of these kinds whose sizes add up to no
    more may come in together. `sizes` has the kinds of units that need room; `fits` says whether a group of
    them may come in."""
    total = 1
    while all(fits(group) for group in _groups(tuple(sizes), sizes, total)):
        total += 1
    return total - 1


def _groups(kinds: Sequence[K], sizes: Mapping[K, int], total: int) -> Iterator[list[K]]:
    """Every group of units of these kinds whose sizes add up to `total`."""
    if not kinds:
        if not total:
            yield []
        return
    for count in range(total // sizes[kinds[0]] + 1):
        for rest in _groups(kinds[1:], sizes, total - count * sizes[kinds[0]]):
            yield [kinds[0]] * count + rest
