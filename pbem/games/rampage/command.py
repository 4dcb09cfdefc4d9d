"""Which seat commands which units, and the base of all desks at which an Allied commander writes.

Under the option ``command`` one player leads all Allied forces, or two share them by army group;
``airborne`` says who of the two may order the airborne army.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.engine.desk import Desk, Rule
from pbem.engine.language import Order
from pbem.games.rampage.notes import Conceded
from pbem.games.rampage.orders import Concede
from pbem.games.rampage.state import ARMY_GROUPS, ArmyGroup, Group, State

ALLIED = "allied"


def two_commanders(options: Mapping[str, str]) -> bool:
    """1.1 Whether each army group has a commander of its own."""
    return options.get("command") == "two"


def seats(options: Mapping[str, str]) -> tuple[str, ...]:
    """The seats that are played under these options."""
    return ARMY_GROUPS if two_commanders(options) else (ALLIED,)


def seat_of(state: State, group: ArmyGroup) -> str:
    """The seat that commands an army group."""
    return group if state.options.get("command") == "two" else ALLIED


def seat_of_group(state: State, group: Group) -> str:
    """The seat that decides for units of a group; for the airborne army the first
    of those that may order it."""
    return airborne_seats(state)[0] if group == "airborne" else seat_of(state, group)


def groups_of(state: State, seat: str) -> tuple[ArmyGroup, ...]:
    """The army groups that a seat commands."""
    return tuple(group for group in ARMY_GROUPS if seat_of(state, group) == seat)


def airborne_seats(state: State) -> tuple[str, ...]:
    """The seats that may order the airborne army: one, or by agreement both."""
    chosen = state.options.get("airborne", "us")
    if state.options.get("command") != "two":
        return (ALLIED,)
    return ARMY_GROUPS if chosen == "both" else (chosen,)


def commands(state: State, seat: str, group: Group) -> bool:
    """Whether a seat may give orders to the units of a group."""
    return seat in airborne_seats(state) if group == "airborne" else seat == seat_of(state, group)


@dataclass(eq=False)
class AlliedDesk(Desk[Order]):
    """A desk at which an Allied commander writes; at each of them the game may be conceded (5.5)."""

    state: State
    seat: str

    @property
    def over(self) -> bool:
        """5.5 Whether the game has been conceded, here or at another desk."""
        return self.state.conceded

    def carry_out(self, order: Order) -> Rule | None:
        """5.5 Concede the game, or do what any other order says."""
        if isinstance(order, Concede):
            concede(self.state, self.seat)
            return None
        return self.obey(order)

    def obey(self, order: Any) -> Rule | None:
        """Do what a checked order says, any but the one to concede."""
        raise NotImplementedError


def concede(state: State, seat: str) -> None:
    """5.5 The Allied command concedes the game; either of two commanders may."""
    state.conceded = True
    state.note(Conceded(case="5.5", seat=seat))
