"""Chapter 2: the sides move, one after the other."""

from fourth_game.notes import Moved, Spied
from fourth_game.orders import Move, Scout
from fourth_game.state import State
from fourth_game.tables import MAP

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer

CLASH = "red wins the clash with 3 in 6"


class March(Desk[Order]):
    """2.1 A side moves its units, one hex each; 2.2 or looks with them."""

    case, section, takes = "2.1", "march", (Move, Scout)

    def __init__(self, state: State, seat: str) -> None:
        self.state, self.seat = state, seat
        self.done: list[str] = []

    def ways(self, unit: str) -> list[str]:
        """2.1 The hexes to which a unit can go."""
        units = self.state.units
        return [hex for hex in MAP.grid.neighbours(units[unit]) if hex not in units.values()]

    def subjects(self) -> list[str]:
        return [unit for unit in self.state.own(self.seat) if unit not in self.done and self.ways(unit)]

    def options(self, unit: str) -> list[Move]:
        return [Move(unit, hex) for hex in self.ways(unit)]

    def check(self, order: Order | None) -> None:
        if order is None:
            return
        if not isinstance(order, Move | Scout) or order.unit not in self.state.own(self.seat):
            raise NotAllowed("that is not one of your units", "2.1", legal=self.state.own(self.seat))
        if order.unit in self.done:
            raise NotAllowed(f"{order.unit} has already moved", "2.1")
        if isinstance(order, Move) and order.hex not in self.ways(order.unit):
            raise NotAllowed(f"{order.unit} cannot go to {order.hex}", "2.1", legal=self.ways(order.unit))

    def offer(self, order: Order) -> Offer:
        if isinstance(order, Scout):
            return Offer(order.hex)
        assert isinstance(order, Move)
        return Offer(order.hex, (self.state.units[order.unit], order.hex), told=(CLASH,))

    def carry_out(self, order: Order) -> None:
        assert isinstance(order, Move | Scout)
        self.done.append(order.unit)
        if isinstance(order, Move):
            self.state.units[order.unit] = order.hex
            self.state.note(Moved(case="2.1", unit=order.unit, hex=order.hex))
            return
        for unit, hex in self.state.units.items():
            if hex == order.hex:
                self.state.note(Spied(case="2.2", readers=(self.seat,), unit=unit, hex=hex))
