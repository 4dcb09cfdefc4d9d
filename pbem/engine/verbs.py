"""Orders and conditions that most wargames have. A game derives its own, with the case, the example and,
where its rules differ, the words."""

from __future__ import annotations

from typing import Any

from pbem.engine.language import GOES, Condition, Order


class Place(Order):
    """Units set up in a hex."""

    usage = "place <units> [(at|on|in)] <hex>"
    help = "Sets these units up in this hex."
    arrives = True
    again = "instead"
    sort = GOES

    units: tuple[str, ...]
    hex: str


class UseDefault(Order):
    """The rest left to the game's default."""

    usage = "default"
    help = "Sets up the units that you have not placed yet, roughly where they were historically."
    example = "default"
    again = "instead"
    rank = 9


class Empty(Condition):
    """No unit in a hex. The state of its game has `holder(hex)`: the side with units there, or None."""

    usage = "<hex> is (empty|free)"
    help = "There is no unit of either side in the hex."

    hex: str

    def holds(self, state: Any, seat: str) -> bool:
        return state.holder(self.hex) is None


class Held(Condition):
    """A side in a hex, or in control of it: `by` is "us" or "enemy"."""

    usage = "<hex> is (held|controlled|occupied) by [the] <by:holder>"
    help = "Units of that side are in the hex: us or the enemy."

    hex: str
    by: str

    def holds(self, state: Any, seat: str) -> bool:
        holder = state.holder(self.hex)
        return holder is not None and (holder == seat) == (self.by == "us")


class Alive(Condition):
    """A unit of one's own on the map."""

    usage = "<unit> is (alive|on the map)"
    help = "Your unit is still on the map."

    unit: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.unit in state.units and state.units[self.unit].place == "map"


class IsAt(Condition):
    """A unit in a hex."""

    usage = "<unit> is (at|in) <hex>"
    help = "The unit is in that hex."

    unit: str
    hex: str

    def holds(self, state: Any, seat: str) -> bool:
        return self.unit in state.units and bool(state.units[self.unit].hex == self.hex)


HOLDERS = ("us", "enemy")
"""The vocabulary `holder` of `Held`."""
