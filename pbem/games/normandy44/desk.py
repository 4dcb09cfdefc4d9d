"""What the desks of both sides share: whose they are, and which orders that side may write there."""

from __future__ import annotations

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import Side


class SideDesk(Desk[Order]):
    """A desk at which either side may write. `verbs` are the orders of its section, of both sides."""

    verbs: tuple[type[Order], ...]

    def __init__(self, state: State, side: Side) -> None:
        self.state, self.side = state, side
        self.seat = side

    @property
    def takes(self) -> tuple[type[Order], ...]:
        """The orders of the section that this side may give now."""
        return tuple(verb for verb in self.verbs if not verb.seats or self.side in verb.seats)
