"""Replacements (7.4 to 7.8): a few reduced divisions of each army group are rebuilt every turn,
and sit the turn out for it.

They are full again in phase IV, see administration.py. Nothing is saved for later turns (7.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.games.rampage.command import AlliedDesk, commands, groups_of, seats
from pbem.games.rampage.movement import NAMES
from pbem.games.rampage.notes import Replenishing
from pbem.games.rampage.orders import Concede, Replenish
from pbem.games.rampage.state import ARMY_GROUPS, ArmyGroup, State, Unit
from pbem.games.rampage.tables import CHARTS


async def replacement(state: State) -> None:
    """7.6 Phase I: each seat names the divisions that are replenished, as many or as few as it likes."""
    desks = (Replacement(state, seat) for seat in seats(state.options))
    await write(*(desk for desk in desks if desk.subjects()))


def capacity(state: State, group: ArmyGroup) -> int:
    """7.8 How many divisions an army group may replenish in a turn."""
    chart = CHARTS.replacement
    most = chart.british if group == "british" else chart.us
    return most - chart.short if group == state.partial else most


def left(state: State, group: ArmyGroup) -> int:
    """7.8 How many more divisions of an army group may be replenished this turn."""
    return capacity(state, group) - sum(unit.replenishing for unit in state.on_map(group))


def fault(unit: Unit) -> str:
    """7.8 Why a division cannot be replenished; "" if it can."""
    if unit.place != "map":
        return unit.whereabouts
    if unit.group == "airborne":
        return "belongs to the airborne army, which receives no replacements"
    if unit.group == "british" and unit.type == "infantry":
        return "is British infantry, which receives no replacements"
    if unit.replenishing:
        return "is already being replenished"
    return "is already at full strength" if unit.steps == 2 else ""


@dataclass(eq=False)
class Replacement(AlliedDesk):
    """What one seat may replenish."""

    case = "7.6"
    section = "replacement"
    takes = (Replenish, Concede)

    @property
    def what(self) -> str:
        return f"{self.seat} replacements"

    def eligible(self) -> list[Unit]:
        """The divisions that may still be named, in the order of their counters."""
        open_ = [group for group in groups_of(self.state, self.seat) if left(self.state, group) > 0]
        return [unit for group in open_ for unit in self.state.on_map(group) if not fault(unit)]

    def subjects(self) -> Sequence[str]:
        return [unit.id for unit in self.eligible()]

    def options(self, subject: str) -> Sequence[Order]:
        return [Replenish((subject,))]

    def check(self, order: Order | None) -> None:
        """Refuse what 7.8 forbids. Raises NotAllowed."""
        if isinstance(order, Replenish):
            self._check_units(tuple(dict.fromkeys(order.units)))

    def _check_units(self, ids: tuple[str, ...]) -> None:
        legal = tuple(f"replenish {unit.id}" for unit in self.eligible()[:3])
        for id in ids:
            unit = self.state.units.get(id)
            if unit is None or not commands(self.state, self.seat, unit.group):
                raise NotAllowed(f"{id} is not one of your divisions", "7.8", legal=legal)
            if why := fault(unit):
                raise NotAllowed(f"{id} {why}", "7.8", legal=legal)
        for group in groups_of(self.state, self.seat):
            named = sum(self.state.units[id].group == group for id in ids)
            room = left(self.state, group)
            if named > room:
                most = capacity(self.state, group)
                text = (
                    f"the {NAMES[group]} army group can replenish at most {most} divisions a turn: "
                    f"{named} named, {room} left"
                )
                raise NotAllowed(text, "7.8", legal=legal)

    def obey(self, order: Replenish) -> None:
        """7.7 Put the markers on the divisions."""
        named = [self.state.units[id] for id in dict.fromkeys(order.units)]
        for unit in named:
            unit.replenishing = True
        for group in ARMY_GROUPS:
            if ids := tuple(unit.id for unit in named if unit.group == group):
                self.state.note(Replenishing(case="7.7", group=group, names=ids))

    def remarks(self, order: Order) -> Iterable[str]:
        """7.8 How many replacements of each army group of the seat are used."""
        for group in groups_of(self.state, self.seat) if isinstance(order, Replenish) else ():
            most = capacity(self.state, group)
            yield f"{NAMES[group]}: {most - left(self.state, group)} of {most} replacements used [7.8]"
