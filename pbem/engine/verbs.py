"""Orders and conditions that most wargames have. A game derives its own, with the case, the example and,
where its rules differ, the words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.engine.orders import GOES, Condition, Order


@dataclass(frozen=True, slots=True)
class Place(Order):
    """Units set up in a hex."""

    units: tuple[str, ...]
    hex: str

    arrives: ClassVar[bool] = True
    verb: ClassVar[str] = "place"
    usage: ClassVar[str] = "place <units> [(at|on|in)] <hex>"
    help: ClassVar[str] = "Sets these units up in this hex."
    sort: ClassVar[str] = GOES


@dataclass(frozen=True, slots=True)
class UseDefault(Order):
    """The rest left to the game's default."""

    verb: ClassVar[str] = "default"
    usage: ClassVar[str] = "default"
    help: ClassVar[str] = "Sets up whatever you have not placed yet, roughly as the armies stood."
    example: ClassVar[str] = "default"
    rank: ClassVar[int] = 9


@dataclass(frozen=True, slots=True)
class Empty(Condition):
    """Nobody in a hex."""

    hex: str

    usage: ClassVar[str] = "<hex> is (empty|free)"
    help: ClassVar[str] = "No unit of either side stands there."


@dataclass(frozen=True, slots=True)
class Held(Condition):
    """A side in a hex, or in control of it: `by` is "us" or "enemy"."""

    hex: str
    by: str

    usage: ClassVar[str] = "<hex> is (held|controlled|occupied) by [the] <by:holder>"
    help: ClassVar[str] = "Units of that side stand there: us, the enemy."


@dataclass(frozen=True, slots=True)
class Alive(Condition):
    """A unit of one's own on the map."""

    unit: str

    usage: ClassVar[str] = "<unit> is (alive|there)"
    help: ClassVar[str] = "That unit of yours is still on the map."


HOLDERS = ("us", "enemy")
"""The vocabulary `holder` of `Held`."""
