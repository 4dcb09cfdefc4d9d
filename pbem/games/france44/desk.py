"""What all requests for orders of this game have in common: the game as it is, and the side that writes."""

from __future__ import annotations

from typing import ClassVar

from pbem.engine.desk import Desk
from pbem.engine.language import Order
from pbem.games.france44.state import State
from pbem.games.france44.tables import NAMES, Side


class SideDesk(Desk[Order]):
    """A request for the orders of a side. `orders_for` says what they are for: a key of the journal."""

    orders_for: ClassVar[str]

    def __init__(self, state: State, side: Side) -> None:
        self.state, self.side, self.seat = state, side, side

    @property
    def what(self) -> str:
        return f"{NAMES[self.side]} {self.orders_for}"
