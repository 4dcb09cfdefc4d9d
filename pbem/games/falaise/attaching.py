"""German attachments (11.1): up to three units a turn act with a command that is not their own.
The counterattack attaches in the same way, with a condition of its own (11.3) and perhaps three more units
from anywhere (12.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.falaise.notes import Attached
from pbem.games.falaise.orders import Attach
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import COMMAND_NAMES, GRID

MOST = 3
"""Units that may be attached in a turn."""
REACH = 2
"""An attached unit is at most this many hexes from one of the command."""


@dataclass
class Attachments:
    """Units that join a command for this turn. `core` are the units of that command that act,
    one of which must be near; those that join are not added, so that no unit joins by way of another.
    `fit` says what else is required of units that join. `left` units may still join this turn,
    and `more` to which neither applies (12.2)."""

    state: State
    command: str
    core: list[Unit]
    case: str = "11.1"
    fit: Callable[[Unit], NotAllowed | None] = lambda unit: None
    left: int = MOST
    more: int = 0
    _near: tuple[int, int] = (-1, 0)

    def subjects(self) -> list[str]:
        """The units that could be attached now."""
        if not ((self.left and self.core) or self.more):
            return []
        return [unit.id for unit in self.state.on_map("german") if not self.fault(unit)]

    def options(self, subject: str) -> Sequence[Attach]:
        """The order to attach a unit, if it may be given."""
        unit = self.state.units.get(subject)
        return (Attach((subject,)),) if unit and not self.fault(unit) else ()

    def fault(self, unit: Unit) -> NotAllowed | None:
        """11.1 Why a unit may not be attached, None if it may. Faults that the draw or earlier
        moves brought about are Overtaken."""
        if unit.side != "german":
            return NotAllowed(f"{unit.id} is not German", "11.1")
        if unit.place != "map":
            return Overtaken(f"{unit.id} is not on the map", "11.1")
        if unit.counter.corps == self.command:
            return NotAllowed(f"{unit.id} already belongs to the {COMMAND_NAMES[self.command]}", "11.1")
        if unit.attached:
            return Overtaken(f"{unit.id} is attached to {unit.attached} this turn", "11.1")
        if unit.finished or unit.id in self.state.moved or unit.command in self.state.activated:
            return Overtaken(f"{unit.id} or its command has already been activated this turn", "11.1")
        if self.more:
            return None
        return (
            self.ordinary(unit)
            if self.left
            else Overtaken("no more units may be attached this turn", self.case)
        )

    def ordinary(self, unit: Unit) -> NotAllowed | None:
        """11.1, 11.3 What keeps a unit from being one of the three of a turn."""
        if not self.near() >> GRID.index(unit.placed) & 1:
            return Overtaken(
                f"{unit.id} is more than {REACH} hexes from every unit of {self.command}", "11.1"
            )
        return self.fit(unit)

    def near(self) -> int:
        """11.1 The hexes within reach of a unit of the command; recomputed when others
        have joined it."""
        if self._near[0] != len(self.core):
            here = GRID.bits({unit.placed for unit in self.core})
            self._near = len(self.core), GRID.flood(here, steps=REACH)
        return self._near[1]

    def chosen(self, order: Attach) -> list[Unit]:
        """The units of a list of priorities that are attached now; the others are passed over.
        Raises the fault of the first if none can be."""
        found, faults, room = list[Unit](), list[NotAllowed](), replace(self)
        for unit in (self.state.units[id] for id in dict.fromkeys(order.units)):
            if fault := room.fault(unit):
                faults.append(fault)
            else:
                room.count(unit)
                found.append(unit)
        if not found:
            raise faults[0]
        return found

    def count(self, unit: Unit) -> bool:
        """Whether a unit is one of the three of a turn; else it is one of those of 12.2."""
        ordinary = self.left > 0 and self.ordinary(unit) is None
        self.left -= ordinary
        self.more -= not ordinary
        return ordinary

    def settle(self, order: Attach) -> Attach:
        """The order with only the units that are attached."""
        return Attach(tuple(unit.id for unit in self.chosen(order)))

    def carry_out(self, order: Attach) -> None:
        """11.1 From now on until the end of the turn the units belong to the command."""
        units = self.chosen(order)
        for unit in units:
            self.state.attachments += self.count(unit)
        for unit in units:
            unit.attached = self.command
        names = tuple(unit.id for unit in units)
        self.state.note(
            Attached(case=self.case, command=self.command, names=names, left=self.left + self.more)
        )
