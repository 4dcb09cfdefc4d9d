"""Replacements (10.1.2): points for armour and infantry, American, other Allied and German, a step each;
what is not used is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.wording import count
from pbem.games.france44.desk import SideDesk
from pbem.games.france44.notes import Replaced
from pbem.games.france44.orders import Replace
from pbem.games.france44.state import AIRBORNE, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import TURNS, Arm, Side
from pbem.wargame.counters import of_side

Pool = tuple[Literal["us", "allied", "german"], Arm]
STATES = ("full", "reduced", "cadre")


def pool_of(unit: Unit) -> Pool:
    """10.1.2, 3.6 The points that a unit draws on: Americans have their own."""
    if unit.side == "german":
        return "german", unit.arm
    return ("us" if unit.nation == "us" else "allied"), unit.arm


def points(state: State) -> dict[Pool, int]:
    """10.1.2 The points of the turn."""
    turn = TURNS[state.turn]
    arms: tuple[Arm, ...] = ("armour", "infantry")
    owners: tuple[Literal["us", "allied", "german"], ...] = ("us", "allied", "german")
    return {(owner, arm): getattr(getattr(turn, owner), arm) for owner in owners for arm in arms}


class Replacements(SideDesk):
    """The replacements of one side while they are written."""

    case = "10.1.2"
    section = "administration"
    takes = (Replace,)
    orders_for = "replacements"

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(state, side)
        self.left = points(state)
        """10.1.2 The points that are left of those of the turn."""
        self.supply = Supply(state, side)

    def most(self, unit: Unit) -> int:
        """10.1.2 Points that a unit can use now."""
        if self.fault(unit):
            return 0
        missing = len(unit.counter.steps) if unit.place == "eliminated" else unit.lost
        return min(missing, self.left[pool_of(unit)])

    def fault(self, unit: Unit) -> NotAllowed | None:
        """10.1.2, 11.5, 12.9, 3.12 Why a unit cannot have replacements, None if it can."""
        if unit.hq:
            return NotAllowed(f"{unit.id} is a headquarters", "10.1.2")
        if self.side == "german" and self.state.rhine_crossed and not unit.counter.fuehrer:
            return NotAllowed("the Rhine is crossed: replacements rebuild only Fuehrer divisions", "12.9")
        match unit.place:
            case "eliminated" | "box":
                return None
            case "due" if unit.rebuilt:
                return None
            case "map" if not self.supply.by_headquarters(unit):
                return NotAllowed(f"{unit.id} is not supplied by a headquarters", "10.1.2")
            case "map" if unit.unsupplied:
                return NotAllowed(f"{unit.id} is marked as out of supply", "11.5")
            case "map":
                return None
            case "fresh":
                return NotAllowed(f"{unit.id} was eliminated by attrition in this phase", "10.1.1")
        return NotAllowed(f"{unit.id} is not in the game", "10.1.2")

    def subjects(self) -> Sequence[str]:
        return [
            unit.id
            for unit in self.state.units.values()
            if unit.side == self.side and not unit.hq and self.most(unit)
        ]

    def options(self, subject: str) -> Sequence[Order]:
        most = self.most(self.state.units[subject])
        return [Replace(subject, number) for number in range(1, most + 1)]

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        if not isinstance(order, Replace):
            return
        unit = self.state.own(order.unit, of_side(self.side), "10.1.2")
        if fault := self.fault(unit):
            raise fault
        if not 0 < order.number <= self.most(unit):
            raise NotAllowed(
                f"{unit.id} can use {count(self.most(unit), 'point')}; points of its kind left: "
                f"{self.left[pool_of(unit)]}",
                "10.1.2",
            )

    def offer(self, order: Order) -> Offer:
        """10.1.2 That a unit which is raised again must be ordered to come in."""
        offer = super().offer(order)
        if not isinstance(order, Replace):
            return offer
        unit = self.state.units[order.unit]
        if unit.rebuilt or (unit.place == "eliminated" and not self._to_england(unit)):
            told = (
                f"without a line `enter {unit.id} at ...` under [arrival] it goes back to "
                "the eliminated box, and the points are lost [10.1.2]"
            )
            return offer.adding(Offer(told=(told,)))
        return offer

    def carry_out(self, order: Order) -> None:
        """10.1.2 A unit gets steps back, or is raised again and comes in as an arrival of this phase."""
        assert isinstance(order, Replace)
        unit = self.state.units[order.unit]
        self.left[pool_of(unit)] -= order.number
        rebuilt = unit.place == "eliminated"
        if rebuilt:
            unit.lost = len(unit.counter.steps) - order.number
            unit.place, unit.rebuilt = ("box", False) if self._to_england(unit) else ("due", True)
        else:
            unit.lost -= order.number
        now = "full" if unit.counter.fuehrer else STATES[unit.lost]
        self.state.note(
            Replaced(
                case="10.1.2",
                side=self.side,
                name=unit.id,
                points=order.number,
                now=now,
                rebuilt=rebuilt,
            )
        )

    def _to_england(self, unit: Unit) -> bool:
        """3.12, 12.4 The 18th Airborne is raised again in its box, until it has jumped in Varsity."""
        return unit.id == AIRBORNE and not self.state.drop_stays
