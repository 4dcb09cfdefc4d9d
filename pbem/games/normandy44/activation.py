"""Activation (2.6): in phase A and in phase B player one acts, then player two: reinforcements and movement first, then combat. The first attack
ends movement.

What moves stands in movement.py, what fights in combat.py; here both are joined into one request for orders. The German reaction on
D-Day (15.0) is an activation as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.errors import NotAllowed
from pbem.engine.orders import Order
from pbem.engine.play import Orders
from pbem.games.normandy44 import carpet, reinforcement
from pbem.games.normandy44.combat import Combat
from pbem.games.normandy44.march import PhaseKind
from pbem.games.normandy44.movement import Movement
from pbem.games.normandy44.orders import Activate, Attack, Enter, Exit, Land, Move
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import BOXES, GRID, Side

VERBS: Mapping[str, tuple[type[Order], ...]] = {
    "reaction": (Move, Attack),
    "phase A": (Activate, Land, Enter, Move, Exit, Attack),
    "phase B": (Land, Enter, Move, Exit, Attack),
}
"""Section -> what may be written there."""
SECTIONS: Mapping[PhaseKind, str] = {"reaction": "reaction", "A": "phase A", "B": "phase B"}


# --- the four activations of a turn -------------------------------------------------------------------------


def acting(state: State, phase: str) -> Side:
    """2.3, 2.6 Who acts in this phase of a turn: the player with the initiative in a_first and b_first."""
    first = state.initiative or "allied"
    return first if phase.endswith("first") else ENEMY[first]


async def first_a(state: State) -> None:
    """2.6 Player one acts with his supported headquarters."""
    await activate(state, acting(state, "a_first"), "A")


async def second_a(state: State) -> None:
    """2.6 Player two acts with his supported headquarters; then the offensive markers come off the map."""
    await activate(state, acting(state, "a_second"), "A")
    state.supported.clear()


async def first_b(state: State) -> None:
    """2.6 Player one acts with everybody."""
    await activate(state, acting(state, "b_first"), "B")


async def second_b(state: State) -> None:
    """2.6 Player two acts with everybody."""
    await activate(state, acting(state, "b_second"), "B")


async def activate(state: State, side: Side, phase: PhaseKind) -> None:
    """2.6 One activation of a side, from its reinforcements on the strategic track (11.1) to its last attack."""
    if side == "german" and phase != "reaction":
        await reinforcement.advance_track(state)
    desk = Activation(state, side, phase)
    if next(desk.able(), None) is not None:
        orders = desk.orders()
        while (order := await orders) is not None:
            await desk.carry_out(order)
    await desk.end()


def request(state: State, seat: str, section: str) -> Orders[Order] | None:
    """The orders that a seat would be asked for if its activation came now; None while there is nothing to judge them by. German units next to
    the map on the track are taken to get through, and what the other side has allocated in secret is not counted on (2.3)."""
    phase = next((key for key, name in SECTIONS.items() if name == section), None)
    unknown = phase == "reaction" and not any(state.on_map("allied"))
    if phase is None or unknown or seat not in ENEMY:
        return None
    side: Side = "german" if seat == "german" else "allied"
    if not state.initiative:
        forget_allocation(state, ENEMY[side])
    for unit in state.units.values():
        if unit.place == "track" and (unit.box == "map" or BOXES[unit.box][1] == 0):
            unit.ready = True
    return Activation(state, side, phase).orders()


def forget_allocation(state: State, side: Side) -> None:
    """2.3, 2.4 Put out of mind what a side has allocated."""
    state.supported = [id for id in state.supported if state.units[id].side != side]
    if side == "allied":
        state.fighters, state.interdicted, state.bombers, state.targets = {}, [], {}, {}


# --- one of them -----------------------------------------------------------------------------------------------


@dataclass
class Activation:
    """2.6 An activation while it is played."""

    state: State
    side: Side
    phase: PhaseKind

    def __post_init__(self) -> None:
        self.movement = Movement(self.state, self.side, self.phase)
        self.combat = Combat(self.state, self.side, self.phase, self.fault)
        self.fighting = False

    def orders(self) -> Orders[Order]:
        section = SECTIONS[self.phase]
        takes = (verb for verb in VERBS[section] if not verb.seats or self.side in verb.seats)
        return Orders.at(
            self,
            case="15.0" if self.phase == "reaction" else "2.6",
            what=f"{self.side} {section}",
            seat=self.side,
            section=section,
            takes=tuple(takes),
        )

    def fault(self, unit: Unit) -> NotAllowed | None:
        """6.2, 15.0, E5 Why a unit on the map may not fight in this phase, None if it may."""
        if self.phase == "reaction":
            return self.movement.reaction_fault(unit)
        if self.movement.offensive is None or unit.id in self.movement.arrived:
            return None
        return self.movement.offensive.fault(unit, moving=False)

    # --- what is asked ---

    def subjects(self) -> Sequence[str]:
        return list(self.able())

    def able(self) -> Iterator[str]:
        """Units that can move, then hexes that can be attacked, as they are found."""
        if not self.fighting:
            yield from self.movement.able()
        yield from self.combat.targets()

    def options(self, subject: str) -> Sequence[Order]:
        if subject not in GRID:
            return () if self.fighting else self.movement.options(subject)
        return [order for order in self.combat.options(subject) if self._allowed(order)]

    def _allowed(self, order: Attack) -> bool:
        """Whether movement may end now, and phase A has headquarters for all of the attackers together."""
        try:
            self._check_attackers([self.state.units[id] for id in order.units])
        except NotAllowed:
            return False
        return True

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        if isinstance(order, Attack):
            self._check_attackers(self.combat.judge(order))
        elif not self.fighting:
            self.movement.check(order)
        elif order is not None:
            raise NotAllowed("movement is over as soon as somebody attacks", "2.6")

    def _check_attackers(self, units: Sequence[Unit]) -> None:
        if not self.fighting:
            self.movement.check(None)
        self._plan(units)

    def _plan(self, units: Sequence[Unit]) -> dict[str, str]:
        """6.2, E5 Which headquarters have these units attack in phase A; reinforcements need none. Raises NotAllowed."""
        if self.movement.offensive is None:
            return {}
        under = [unit for unit in units if unit.id not in self.movement.arrived]
        return self.movement.offensive.plan(under, moving=False)

    def settle(self, order: Order) -> Order:
        return order if isinstance(order, Attack) else self.movement.settle(order)

    # --- carrying out ---

    async def carry_out(self, order: Order) -> None:
        """2.6 One order."""
        if not isinstance(order, Attack):
            self.movement.carry_out(order)
            return
        if not self.fighting:
            await self._end_movement()
            if not self._still_stands(order):
                return
        if self.movement.offensive:
            self.movement.offensive.activate(self._plan(self.combat.judge(order)))
            self.movement.offensive.tell()
        await self.combat.carry_out(order)

    async def _end_movement(self) -> None:
        """2.6, 10.3 Combat begins; before the first one of phase A carpet bombs fall."""
        self.movement.end()
        if self.movement.offensive:
            self.movement.offensive.tell()
        self.fighting = True
        if self.phase == "A":
            await carpet.strike(self.state)

    def _still_stands(self, order: Attack) -> bool:
        """10.3 Whether the bombs have left both sides of an attack there; else it is passed over."""
        try:
            self.combat.check(order)
        except NotAllowed:
            return False
        return True

    async def end(self) -> None:
        """2.6 The activation is over; who has not fought has at least finished moving."""
        if not self.fighting:
            await self._end_movement()
