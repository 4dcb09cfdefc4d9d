"""What an order would bring, as plain data: for forms, maps and the words of a preview. The `offer` of a desk
makes one; nothing in it is more than the seat of the desk may know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """One thing about an order that chance decides.

    hex     where: the hex that is attacked, entered or fired at; "" for none
    what    which of them it is, in the word of the game: attack, fire, defence, breakout
    column  the column, ratio or modifier as the game names it ("3-1", "+2"); "" if there is none, or it is
            hidden
    shares  each result with its exact chance, in the order of the game; empty if they are not known before
    """

    hex: str
    what: str
    column: str = ""
    shares: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a legal order would bring if it were carried out now.

    end   the hex where its units end or, if they stay where they are, at which it is aimed; "" for none
    way   the hexes of the way there, from the first to `end`; of units that take different ways, that of the
          one with the fewest points left; empty if nothing moves
    cost  what that way costs, in movement points as the game counts them; None if it costs none
    of    the points there are to pay it with; where a die decides them first, the most there may be
    odds  what chance decides, in the order of the words; empty if it decides nothing
    told  the words for its seat that way and cost do not say: exact odds, warnings, why it goes no further

    A move that chance may stop is offered as it goes if nothing stops it.
    """

    end: str = ""
    way: tuple[str, ...] = ()
    cost: Fraction | None = None
    of: Fraction | None = None
    odds: tuple[Odds, ...] = ()
    told: tuple[str, ...] = ()

    def adding(self, *parts: Offer) -> Offer:
        """This offer with the odds and the words of others after its own."""
        every = (self, *parts)
        return replace(
            self,
            odds=tuple(odds for part in every for odds in part.odds),
            told=tuple(line for part in every for line in part.told),
        )
