"""Chapter 2: the sides move, one after the other."""

from __future__ import annotations

from typing import Any

from fourth_game.notes import Moved, Spied
from fourth_game.orders import Move, Scout
from fourth_game.state import State
from fourth_game.tables import MAP

from pbem.engine.errors import NotAllowed
from pbem.engine.orders import Order
from pbem.engine.play import Orders


async def red_march(state: State) -> None:
    """2.1 Red moves."""
    await march(state, "red")


async def blue_march(state: State) -> None:
    """2.1 Blue moves."""
    await march(state, "blue")


async def march(state: State, seat: str) -> None:
    """2.1 A side moves its units, one hex each; 2.2 or looks with them."""
    done: list[str] = []
    while (order := await writing(state, seat, done)) is not None:
        done.append(order.unit)
        if isinstance(order, Scout):
            for unit, hex in state.units.items():
                if hex == order.hex:
                    state.note(Spied(case="2.2", readers=(seat,), unit=unit, hex=hex))
        else:
            state.units[order.unit] = order.hex
            state.note(Moved(case="2.1", unit=order.unit, hex=order.hex))


def ways(state: State, unit: str) -> list[str]:
    """2.1 The hexes to which a unit can go."""
    return [hex for hex in MAP.grid.neighbours(state.units[unit]) if hex not in state.units.values()]


def writing(state: State, seat: str, done: list[str]) -> Orders[Any]:
    """The request for the next order of a side: what is legal now, and why the rest is not."""

    def subjects() -> list[str]:
        return [unit for unit in state.own(seat) if unit not in done and ways(state, unit)]

    def check(order: Order | None) -> None:
        if order is None:
            return
        if not isinstance(order, Move | Scout) or order.unit not in state.own(seat):
            raise NotAllowed("that is not a unit of yours", "2.1", legal=state.own(seat))
        if order.unit in done:
            raise NotAllowed(f"{order.unit} has moved", "2.1")
        if isinstance(order, Move) and order.hex not in ways(state, order.unit):
            raise NotAllowed(f"{order.unit} cannot go to {order.hex}", "2.1", legal=ways(state, order.unit))

    return Orders(
        case="2.1",
        what=f"{seat} moves",
        seat=seat,
        section="march",
        takes=(Move, Scout),
        check=check,
        subjects=subjects,
        options=lambda unit: [Move(unit, hex) for hex in ways(state, unit)],
    )
