"""Setting up (3): the Germans by the rules, the Allies by their players,
each army group on its own ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.rampage import control
from pbem.games.rampage.command import AlliedDesk, commands, groups_of, seats
from pbem.games.rampage.movement import room
from pbem.games.rampage.notes import Deployed
from pbem.games.rampage.orders import Concede, Place, UseDefault
from pbem.games.rampage.state import ARMY_GROUPS, ArmyGroup, Hex, State, Unit
from pbem.games.rampage.tables import BRITISH_SET_UP, CAMPAIGN, CHARTS, GRID, UNITS, US_SET_UP

GROUND: dict[str, tuple[Hex, ...]] = {"us": US_SET_UP, "british": BRITISH_SET_UP}
"""3.4 Where each army group is set up."""


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """3.1 to 3.3 The state before the Allied set-up: the Germans in pool, pocket and turn track,
    no Allied unit on the map yet."""
    return State(
        scenario=scenario,
        options=dict(options),
        turn=1,
        units={counter.id: counter.unit() for counter in UNITS.allied},
        germans={counter.id: counter.unit() for counter in UNITS.german},
        german=control.at_start(),
    )


async def set_up(state: State) -> None:
    """3.4 Both army groups are set up; units that no order places take their default hexes."""
    await write(*(SetUp(state, seat) for seat in seats(state.options)))
    for group in ARMY_GROUPS:
        fill_in(state, group)
        hexes = sorted({unit.placed for unit in state.on_map(group)})
        state.note(Deployed(case="3.4", group=group, hexes=tuple(hexes)))


def waiting(state: State, group: ArmyGroup) -> list[Unit]:
    """3.4 The units of an army group that still have to be set up."""
    return [
        unit
        for unit in state.units.values()
        if unit.group == group and unit.place == "later" and not unit.arrives
    ]


def fill_in(state: State, group: ArmyGroup) -> None:
    """3.4 Place the remaining units of an army group in their default hexes,
    or in the nearest hexes of its ground with room."""
    wanted = {id: hex for hex, ids in CAMPAIGN.set_up.items() for id in ids}
    for unit in waiting(state, group):
        open_hexes = (hex for hex in GROUND[group] if room(state, hex, ARMY_GROUPS))
        unit.hex = min(open_hexes, key=lambda hex: (GRID.distance(hex, wanted[unit.id]), hex))
        unit.place = "map"


@dataclass(eq=False)
class SetUp(AlliedDesk):
    """The set-up of one seat: units are on the map as soon as an order places them."""

    case = "3.4"
    section = "set-up"
    takes = (Place, UseDefault, Concede)

    def open(self) -> list[Unit]:
        """The units of this seat that are not placed yet."""
        return [unit for group in groups_of(self.state, self.seat) for unit in waiting(self.state, group)]

    def subjects(self) -> Sequence[str]:
        found = [unit.id for unit in self.open()]
        return [*found, "default"] if found else []

    def options(self, subject: str) -> Sequence[Order]:
        if subject == "default":
            return [UseDefault()]
        unit = self.state.units[subject]
        return [
            Place((subject,), hex)
            for hex in GROUND[unit.group]
            if room(self.state, hex, ARMY_GROUPS, (unit,))
        ]

    def room(self, hex: Hex) -> int:
        """6.2 How many more units a hex has room for."""
        return room(self.state, hex, groups_of(self.state, self.seat))

    def check(self, order: Order | None) -> None:
        """Refuse what 3.4 and 6.2 forbid. Raises NotAllowed."""
        if not isinstance(order, Place):
            return
        units = [self.named(id) for id in dict.fromkeys(order.units)]
        for unit in units:
            if order.hex not in GROUND[unit.group]:
                army = "British" if unit.group == "british" else "US"
                legal = tuple(f"place {unit.id} at {hex}" for hex in GROUND[unit.group][:5])
                raise NotAllowed(
                    f"{order.hex} is not a set-up hex of the {army} army group ({unit.id})",
                    "3.4",
                    legal=legal,
                )
        if len(units) > room(self.state, order.hex, ARMY_GROUPS, units):
            limit = CHARTS.stacking.limit
            raise NotAllowed(f"{order.hex} would exceed its stacking limit of {limit} units", "6.2")

    def named(self, id: str) -> Unit:
        """A unit that this seat sets up. Raises NotAllowed."""
        unit = self.state.own(id, lambda unit: commands(self.state, self.seat, unit.group), "3.4")
        if unit.group == "airborne" or unit.arrives:
            raise NotAllowed(f"{id} is not set up: it arrives in turn {unit.arrives}", "3.2")
        return unit

    def obey(self, order: Place | UseDefault) -> None:
        """Place the units of a checked order; a later line for a unit moves it."""
        match order:
            case Place(units, hex):
                for id in units:
                    unit = self.state.units[id]
                    unit.place, unit.hex = "map", hex
            case UseDefault():
                for group in groups_of(self.state, self.seat):
                    fill_in(self.state, group)
