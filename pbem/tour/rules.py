"""The rules: Red moves by letter, Blue by itself, then a die decides who holds the Mill."""

from __future__ import annotations

from pbem.engine.desk import Desk
from pbem.engine.errors import NotAllowed
from pbem.engine.game import Result
from pbem.engine.offer import Offer
from pbem.engine.play import Ask, Roll
from pbem.tour.orders import Move
from pbem.tour.state import Fought, Moved, Rested, State, near, ways
from pbem.tour.tables import BLUE, MAP, MILL, OWN, RED, TO_WIN, UNITS


class March(Desk[Move]):
    """2.1 Red moves its patrols, one hex each."""

    case, section, takes, seat = "2.1", "march", (Move,), RED

    def __init__(self, state: State) -> None:
        self.state = state
        self.done: list[str] = []

    def subjects(self) -> list[str]:
        return [unit for unit in OWN[RED] if unit not in self.done and ways(self.state.units, unit)]

    def options(self, unit: str) -> list[Move]:
        return [Move(unit, hex) for hex in ways(self.state.units, unit)]

    def check(self, order: Move | None) -> None:
        if order is None:
            return
        units, unit, hex = self.state.units, order.unit, order.hex
        if unit not in OWN[RED]:
            raise NotAllowed(f"{unit} is not one of your patrols", "2.1", legal=OWN[RED])
        if unit in self.done:
            raise NotAllowed(f"{unit} has already moved", "2.1")
        there = next((other for other, at in units.items() if at == hex), None)
        if there is not None:
            raise NotAllowed(f"{there} is in {hex}", "2.1", legal=ways(units, unit))
        if hex not in ways(units, unit):
            raise NotAllowed(f"{hex} is not adjacent to {unit}", "2.1", legal=ways(units, unit))

    def offer(self, order: Move) -> Offer:
        told = ("counts in the fight for the Mill",) if MAP.grid.distance(order.hex, MILL) <= 1 else ()
        return Offer(order.hex, (self.state.units[order.unit], order.hex), told=told)

    def carry_out(self, order: Move) -> None:
        self.done.append(order.unit)
        _go(self.state, order.unit, order.hex, "2.1")


async def blue_march(state: State) -> None:
    """2.2 Each Blue patrol goes one hex nearer to the Mill, if there is one that is free."""
    for unit in OWN[BLUE]:
        here = MAP.grid.distance(state.units[unit], MILL)
        nearer = [hex for hex in ways(state.units, unit) if MAP.grid.distance(hex, MILL) < here]
        if nearer:
            _go(state, unit, nearer[0], "2.2")


def _go(state: State, unit: str, hex: str, case: str) -> None:
    state.note(Moved(case=case, unit=unit, path=(state.units[unit], hex)))
    state.units[unit] = hex


async def fight(state: State) -> None:
    """3.1 A die decides the fight, and the patrols in the Mill or next to it; 3.2 one of Red's rests."""
    die = await Roll(case="3.1", what="fight for the Mill")
    red, blue = near(state.units, RED), near(state.units, BLUE)
    won = die + red - blue >= TO_WIN
    state.wins += won
    state.note(Fought(case="3.1", die=die, red=red, blue=blue, won=won, roll=state.rolls))
    tired = await Ask(
        case="3.2",
        what="which patrol rests",
        seat=RED,
        options=OWN[RED],
        kind="rest",
        intro="It goes back to the hex in which it began.",
        says=lambda unit: f"goes back to {UNITS[unit].hex}",
    )
    home = UNITS[tired].hex
    if home not in state.units.values():
        state.units[tired] = home
        state.note(Rested(case="3.2", unit=tired, hex=home))


def result(state: State) -> Result:
    """3.3 Red needs one of the two fights."""
    figures = (("fights won by Red", str(state.wins), "3.3"),)
    return Result("Red wins", RED, figures) if state.wins else Result("Blue wins", BLUE, figures)
