"""What an order would bring, as plain data: for forms, maps and the words of a preview. The `offer` of a desk
makes one; nothing in it is more than the seat of the desk may know."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """What chance decides of an order, in one place.

    hex     where: the hex that is attacked, entered or fired at; "" for none
    column  the column or ratio as the game names it ("3-1", "+2"); "" if there is none, or it is hidden
    shares  each result with its exact chance, in the order of the game; empty if they are not known before
    """

    hex: str = ""
    column: str = ""
    shares: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a legal order would bring if it were carried out now.

    end   the hex where its units end or, if they stay where they are, at which it is aimed; "" for none
    way   the hexes of the way there, from the first to `end`; of units that take different ways, that of the
          one with the fewest points left; empty if nothing moves
    cost  what that way costs, in movement points as the game counts them; None if it costs none
    of    the points there were to pay it with
    odds  what chance decides, in the order in which it does; empty if it decides nothing
    told  what the seat is told of it, in words: cost, exact odds, warnings

    A move that chance may stop is told as it goes if nothing stops it.
    """

    end: str = ""
    way: tuple[str, ...] = ()
    cost: Fraction | None = None
    of: Fraction | None = None
    odds: tuple[Odds, ...] = ()
    told: tuple[str, ...] = ()
