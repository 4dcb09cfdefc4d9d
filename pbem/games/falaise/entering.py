"""Units that enter the map during the game: the unknown forces with the counterattack (11.3)
or the 86th Corps (11.4), and the 272nd Division (11.4). Those chapters say which units may enter
and where; here an order to enter is judged and carried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.falaise import placing, stacking, zone86
from pbem.games.falaise.notes import Arrived
from pbem.games.falaise.orders import Enter
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import GRID, Hex


@dataclass(frozen=True, slots=True)
class Entry:
    """The units that may enter (`units`), where (`area`, a set of hexes, and `hexes`, those of them that the
    enemy leaves open), as part of which command, by which case. `why` says what is wrong with any other
    hex."""

    state: State
    command: str
    units: tuple[Unit, ...]
    area: int
    hexes: int
    case: str
    why: str

    def subjects(self) -> list[str]:
        """The units that can still come somewhere."""
        return [unit.id for unit in self.units if unit.place != "map" and self._hexes_for(unit)]

    def may_come(self) -> bool:
        """3.1 Whether a unit may enter, as far as both sides can see: only its owner knows how much room
        an unknown force needs."""
        if any(unit.place == "later" and self._hexes_for(unit) for unit in self.units):
            return True
        room = any(len(self.state.at(hex)) < stacking.LIMIT for hex in GRID.named(self.hexes))
        return room and any(unit.place == "unknown" for unit in self.units)

    def options(self, subject: str) -> Sequence[Enter]:
        """Every hex where a unit can come onto the map."""
        unit = next((unit for unit in self.units if unit.id == subject and unit.place != "map"), None)
        return [Enter((subject,), hex) for hex in self._hexes_for(unit)] if unit else []

    def _hexes_for(self, unit: Unit) -> list[Hex]:
        return [hex for hex in GRID.named(self.hexes) if not stacking.fault(self.state, [unit], hex)]

    def check(self, order: Enter) -> None:
        """Refuse units that may not enter, or not there. Raises NotAllowed; Overtaken for units that have
        already entered, and where enemy units or a full hex prevent it."""
        units = self._named(order)
        if not zone86.within(self.hexes, order.hex):
            text = f"no unit can enter at {order.hex}: {self.why}"
            raise (Overtaken if zone86.within(self.area, order.hex) else NotAllowed)(text, self.case)
        if fault := stacking.fault(self.state, units, order.hex):
            raise Overtaken(fault.text, fault.case, legal=fault.legal)

    def _named(self, order: Enter) -> list[Unit]:
        return [self._unit(id) for id in dict.fromkeys(order.units)]

    def _unit(self, id: str) -> Unit:
        unit = self.state.units[id]
        if unit.side == "german" and unit.place not in ("unknown", "later"):
            raise Overtaken(f"{id} has already entered", self.case)
        if not any(other is unit for other in self.units):
            raise NotAllowed(f"{id} is not one of the units that can enter now", self.case)
        return unit

    def carry_out(self, order: Enter) -> None:
        """The units are on the map; those of other corps belong to this command for the turn,
        and are not counted as attachments."""
        units = self._named(order)
        for unit in units:
            if unit.counter.corps != self.command:
                unit.attached = self.command
        placing.put(self.state, units, order.hex)
        self.state.note(
            Arrived(case=self.case, side="german", names=tuple(unit.id for unit in units), hex=order.hex)
        )
