"""Standing orders that several wargames share: those that always answer, and how their lines choose.

A kind of decision is a `Kind`, a standing order a class derived from `Policy` (engine/language). One that
always gives the same answer is `Fixed`::

    class AdvanceNever(Fixed, kind=ADVANCE):
        usage = "never"
        help = "Your units stay where they attacked from."
        answer = STAY

The names of the classes are stored with the standing orders of a game that is being played: keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from pbem.engine.hexes import Grid
from pbem.engine.language import Policy
from pbem.engine.play import Ask

A = TypeVar("A", bound=Ask[Any])


class Settling(Policy[A]):
    """A standing order that answers every decision of its kind."""

    @property
    def settles(self) -> bool:
        return True


class Fixed(Settling[Ask[Any]]):
    """A standing order that always gives the same `answer`."""

    answer: ClassVar[Any]

    def decide(self, ask: Ask[Any], earlier: Mapping[str, Any]) -> Any:
        return self.answer


# --- ways ---------------------------------------------------------------------------------------------------


def ends(ask: Ask[Any], leaving: Iterable[str] = ()) -> dict[str, str]:
    """Return the hex in which each option ends. An option is a way, its hexes in order (``1409 1410``);
    those in `leaving`, such as staying, are left out."""
    return {way: way.split()[-1] for way in ask.options if way not in leaving}


def nearest(grid: Grid, hex: str, ends: Mapping[str, str], then: Callable[[str], Any] = lambda way: 0) -> str:
    """Return the way that ends nearest to a hex, of equals the one with the least `then`, the first of
    those. `ends` says where each way ends."""
    return min(ends, key=lambda way: (grid.distance(ends[way], hex), then(way)))


# --- units --------------------------------------------------------------------------------------------------

Rank = Callable[[str, A], Any]
"""How a unit ranks by a preference, given the decision: the unit with the least is named first."""


def first(
    ask: A,
    ranks: Mapping[str, Rank[A]],
    prefs: Iterable[str],
    among: Iterable[str],
    then: Callable[[str], Any] = lambda id: 0,
) -> str | None:
    """Return the unit that comes first by these preferences, each deciding where those before it do not, then
    by the least `then`; None if there is no unit."""
    order = [ranks[pref] for pref in prefs]
    return min(among, key=lambda id: (*(rank(id, ask) for rank in order), then(id)), default=None)
