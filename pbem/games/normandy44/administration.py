"""The end of a turn (2.7): supply is judged, divisions are supplied by air (8.5), units get steps back
(13.0), lost headquarters return (6.4), ports go on, victory is judged, and everything is made ready
for the next turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.normandy44 import headquarters, naval, ports, supply, victory
from pbem.games.normandy44.desk import SideDesk
from pbem.games.normandy44.notes import AirSupplied, HeadquartersBack
from pbem.games.normandy44.orders import Rebuild, Replace, Return, Supply
from pbem.games.normandy44.reinforcement import capacity_for
from pbem.games.normandy44.replacement import FLAGS, Replacements
from pbem.games.normandy44.state import SIDES, State, Unit
from pbem.games.normandy44.tables import GRID, Hex, Side

DIVISION_PE = 3
"""8.5, E1 The stacking points of a division: independent units with no more together are its equivalent."""


async def end(state: State) -> None:
    """2.7 The end of a turn."""
    headquarters.schlieben(state)
    supply.mark(state)
    desks = [EndOfTurn(state, side) for side in SIDES]
    await write(*(desk for desk in desks if desk.subjects()), secret=True)
    ports.end_turn(state)
    victory.judge(state)
    reset(state)


def reset(state: State) -> None:
    """2.7, 12.0 Headquarters are turned up, aircraft go home, ships have all their points again."""
    for unit in state.units.values():
        unit.used = unit.acted = unit.landed = unit.ready = False
    state.supported.clear()
    state.initiative = ""
    state.fighters.clear()
    state.interdicted.clear()
    state.bombers.clear()
    state.targets.clear()
    state.capacity.clear()
    naval.reset(state)


class EndOfTurn(SideDesk):
    """What one side may do at the end of a turn."""

    case = "2.7"
    section = "end"
    verbs = (Replace, Rebuild, Supply, Return)

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(state, side)
        self.flown = False
        """8.5 Whether a division has been supplied by air."""
        self.steps = Replacements(state, side)

    @property
    def what(self) -> str:
        return f"{self.side} end of turn"

    # --- what is possible ---

    def subjects(self) -> Sequence[str]:
        return list(dict.fromkeys(self._subjects()))

    def _subjects(self) -> Iterator[str]:
        yield from (unit.id for unit in self.steps.eligible())
        yield from (unit.id for unit in self.steps.lost_units())
        if self._divisions():
            yield "supply"
        yield from (unit.id for unit in self._lost_headquarters() if self._return_hexes(unit))

    def options(self, subject: str) -> Sequence[Order]:
        if subject == "supply":
            return [Supply(units) for units in self._divisions()]
        unit = self.state.units[subject]
        if unit.place == "map":
            return [Replace((subject,))]
        if unit.hq:
            return [Return(subject, hex) for hex in self._return_hexes(unit)]
        return [Rebuild((subject,))]

    def _lost_headquarters(self) -> list[Unit]:
        units = self.state.units.values()
        return [u for u in units if u.side == self.side and headquarters.returnable(self.state, u)]

    def _return_hexes(self, unit: Unit) -> list[Hex]:
        """6.4 Where a headquarters is offered to come back: with its troops;
        anywhere that is legal if there is no room with them."""
        legal = headquarters.return_hexes(self.state, unit)
        manned = {other.placed for other in self.state.on_map(self.side)}
        return [hex for hex in legal if hex in manned] or list(legal)

    def _divisions(self) -> list[tuple[str, ...]]:
        """8.5 The divisions, and the single independent units, that may be supplied by air."""
        if self._air_fault():
            return []
        found: dict[str, list[str]] = {}
        for unit in self.state.on_map(self.side):
            if unit.unsupplied and not unit.hq:
                found.setdefault(unit.counter.formation or unit.id, []).append(unit.id)
        return [tuple(ids) for ids in found.values()]

    def _air_fault(self) -> str:
        """8.5 Why no unit can be supplied by air now, "" if one can."""
        if self.side == "german":
            return "only the Allies supply by air"
        if self.state.weather not in ("clear", "overcast"):
            return f"nothing flies in {self.state.weather or 'this'} weather"
        return "a division has already been supplied by air this turn" if self.flown else ""

    # --- what is refused ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids. Raises NotAllowed."""
        match order:
            case Replace(units):
                self.steps.check(units)
            case Rebuild(units):
                self.steps.check_rebuilding(units)
            case Supply(units):
                self._check_supply(units)
            case Return():
                self._check_return(order)

    def _check_supply(self, ids: Sequence[str]) -> None:
        if why := self._air_fault():
            raise NotAllowed(why, "8.5")
        legal = tuple(f"supply {', '.join(units)} by air" for units in self._divisions())
        units = [self.state.units[id] for id in dict.fromkeys(ids) if id in self.state.units]
        for unit in units:
            if unit.side != self.side or not unit.unsupplied or unit.hq:
                raise NotAllowed(
                    f"{unit.id} is not one of your combat units out of supply", "8.5", legal=legal
                )
        divisions = {unit.counter.formation for unit in units}
        light = divisions == {""} and sum(unit.pe for unit in units) <= DIVISION_PE
        if len(divisions) != 1 or ("" in divisions and not light):
            text = f"these exceed one division, or {DIVISION_PE} stacking points of independent units"
            raise NotAllowed(text, "8.5", legal=legal)

    def _check_return(self, order: Return) -> None:
        unit = self.state.units.get(order.unit)
        if unit is None or unit not in self._lost_headquarters():
            legal = tuple(each.id for each in self._lost_headquarters())
            raise NotAllowed(f"{order.unit} is not a headquarters that may return now", "6.4", legal=legal)
        hexes = headquarters.return_hexes(self.state, unit)
        if order.hex not in hexes:
            near = sorted(hexes, key=lambda hex: (self._distance(order.hex, hex), hex))[:5]
            legal = tuple(f"return {unit.id} at {hex}" for hex in near)
            raise NotAllowed(f"{unit.id} cannot return at {order.hex}", "6.4", legal=legal)

    @staticmethod
    def _distance(a: Hex, b: Hex) -> int:
        return GRID.distance(a, b) if a in GRID else 0

    # --- what is done ---

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        match order:
            case Replace(units):
                self.steps.replace(units)
            case Rebuild(units):
                self.steps.rebuild(units)
            case Supply(units):
                self._supply(units)
            case Return(id, hex):
                self._bring_back(self.state.units[id], hex)

    def remarks(self, order: Order) -> Iterable[str]:
        """13.0 What is left for replacements this turn."""
        if not isinstance(order, Replace | Rebuild):
            return
        if self.side == "german":
            motor, foot = self.steps.steps_left(True), self.steps.steps_left(False)
            yield f"steps left: {motor} motorised, {foot} foot [13.0]"
        else:
            points = (f"{army.upper()} {capacity_for(self.state, army)}" for army in FLAGS)
            yield f"landing points left: {', '.join(points)} [13.0]"

    def _supply(self, ids: Sequence[str]) -> None:
        """8.5 The marks of want of supply of a division are taken off."""
        names = tuple(dict.fromkeys(ids))
        for id in names:
            self.state.units[id].unsupplied = False
        self.flown = True
        self.state.note(AirSupplied(case="8.5", names=names))

    def _bring_back(self, unit: Unit, hex: Hex) -> None:
        """6.4 A headquarters returns, in supply."""
        unit.place, unit.hex, unit.back = "map", hex, 0
        self.state.note(HeadquartersBack(case="6.4", side=unit.side, name=unit.id, hex=hex))
