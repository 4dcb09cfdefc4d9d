"""Notes that several wargames write alike, and what the map shows of a note.

A game derives its own, with the case in the docstring and what else it has to say. The names of classes and
fields are facts that are compared when a phase is played again: they stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pbem.engine.board import Arrow, Battle
from pbem.engine.notes import Note


class MapNote(Note):
    """A note of which the map shows something. Sides are keys of the palette."""

    def arrows(self) -> Iterator[Arrow]:
        """The ways that units have gone."""
        yield from ()

    def battles(self) -> Iterator[Battle]:
        """Where units have fought."""
        yield from ()

    def lost(self) -> Iterator[tuple[str, str, int]]:
        """Units lost: the hex, the side, and how many."""
        yield from ()


class Travelled(MapNote):
    """Units go along a path, which begins where they were or came in."""

    drawn: ClassVar[Literal["move", "retreat", "advance", "arrival"]] = "move"

    side: str
    names: tuple[str, ...]
    path: tuple[str, ...]

    def arrows(self) -> Iterator[Arrow]:
        if len(self.path) > 1:
            yield Arrow(self.path, self.side, self.drawn)


class Retreated(Travelled):
    """Units retreat."""

    drawn = "retreat"


class Entered(Travelled):
    """Units come onto the map, and go on."""

    drawn = "arrival"


class Perished(MapNote):
    """A unit leaves the map as a loss; `hex` is empty if it was not on it."""

    fate: ClassVar[str] = "lost"
    """What a list of losses calls it: ``12SS lost``."""

    side: str
    name: str
    hex: str

    def lost(self) -> Iterator[tuple[str, str, int]]:
        if self.hex:
            yield self.hex, self.side, 1


class StepsLost(Note):
    """Steps that units lose, (unit, steps), and why."""

    side: str
    hex: str
    lost: tuple[tuple[str, int], ...]
    why: str


class TookControl(Note):
    """A hex that matters changes hands."""

    side: str
    hex: str


class SupplyJudged(Note):
    """Which units are out of supply from now on, and which are back in supply."""

    side: str
    out: tuple[str, ...]
    again: tuple[str, ...]


class Decided(Note):
    """The game is over."""

    level: str
    winner: str
