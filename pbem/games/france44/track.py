"""Increments (6.0): the marker on the movement point expenditure track,
and what a box gives to each allowance.

One box serves all commanded units at once: they move in it, or they attack,
and then the marker goes on to a box that is joined to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.engine.errors import NotAllowed
from pbem.games.france44.tables import CHARTS, TRACK, TrackBox

What = Literal["move", "attack"]


def weaker(allowance: int) -> int:
    """11.5 The allowance of a piece that reacts out of supply: one column lower; 0 if there is none."""
    return CHARTS.movement.weaker[allowance]


def in_words(number: int) -> str:
    """6.0 A box in words: what it gives to allowances of 2, 3, 4 and 6, and who may attack."""
    box = TRACK[number]
    attack = f"attack from allowance {box.attack} on" if box.attack else "no attack"
    return f"{'/'.join(map(str, box.points))} points, {attack}"


@dataclass
class Track:
    """6.0 Where the marker stands in a phase; `past` are the boxes that it has left,
    `count` numbers the increments from 1."""

    box: int = 0
    what: What | None = None
    past: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return len(self.past) + bool(self.box)

    @property
    def here(self) -> TrackBox:
        return TRACK[self.box]

    def onward(self) -> tuple[int, ...]:
        """6.0 The boxes that the marker may go to next."""
        if not self.box:
            return tuple(box.number for box in TRACK.values() if box.start)
        return self.here.next

    def choose(self, box: int, what: What) -> int:
        """6.0 The box in which a line is carried out: the one it names, else the current one.
        Raises NotAllowed."""
        number = box or self.box
        if not number:
            raise NotAllowed(
                "the first line must name the box of the track it is for, as in inc 1: move ...",
                "6.0",
                legal=tuple(f"inc {each}" for each in self.onward()),
            )
        if number == self.box:
            if self.what not in (None, what):
                raise NotAllowed(
                    f"box {number} is for {self._doing()}: units move or attack in an increment, not both",
                    "6.0",
                )
        elif number not in self.onward():
            after = f"after {self.box}" if self.box else "at the start"
            raise NotAllowed(
                f"box {number} cannot be entered {after}",
                "6.0",
                legal=tuple(f"inc {n}" for n in self.onward()),
            )
        if what == "attack" and not TRACK[number].attack:
            raise NotAllowed(f"no unit can attack in box {number}", "6.0")
        return number

    def _doing(self) -> str:
        return "moving" if self.what == "move" else "attacking"

    def enter(self, box: int, what: What | None) -> None:
        """6.0 The marker goes to a box, or what is done in the current one is settled."""
        if box != self.box:
            self.past = (*self.past, self.box) if self.box else ()
            self.box, self.what = box, None
        self.what = what or self.what
