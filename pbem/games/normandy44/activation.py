"""Activation (2.6): in phase A and in phase B player one acts, then player two:
reinforcements and movement first, then combat. The first attack ends movement.

Moves are in movement.py, attacks in combat.py; one desk takes the orders for both.
The German reaction on D-Day (15.0) is an activation as well.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.play import Request
from pbem.games.normandy44 import carpet, preview, reinforcement, stacking
from pbem.games.normandy44.allocation import Allocation
from pbem.games.normandy44.combat import Combat
from pbem.games.normandy44.desk import SideDesk
from pbem.games.normandy44.movement import Movement
from pbem.games.normandy44.orders import Activate, Attack, Enter, Exit, Land, Move
from pbem.games.normandy44.reach import PhaseKind
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import BOXES, GRID, Hex, Side

VERBS: Mapping[PhaseKind, tuple[type[Order], ...]] = {
    "reaction": (Move, Attack),
    "A": (Activate, Land, Enter, Move, Exit, Attack),
    "B": (Land, Enter, Move, Exit, Attack),
}
"""What may be written in each phase."""
SECTIONS: Mapping[PhaseKind, str] = {"reaction": "reaction", "A": "phase A", "B": "phase B"}


# --- the four activations of a turn -------------------------------------------------------------------------


def acting(state: State, phase: str) -> Side:
    """2.3, 2.6 The side that acts in this phase: the one with the initiative in a_first and b_first."""
    first = state.initiative or "allied"
    return first if phase.endswith("first") else ENEMY[first]


def title_of(phase: str) -> Callable[[State], str]:
    """What an activation is called in a state: ``Allied phase A``, once the initiative is known."""
    letter = phase[0].upper()
    order = "side with the initiative" if phase.endswith("first") else "other side"

    def title(state: State) -> str:
        if not state.initiative:
            return f"Phase {letter}, {order}"
        return f"{acting(state, phase).capitalize()} phase {letter}"

    return title


async def first_a(state: State) -> None:
    """2.6 Player one acts with its supported headquarters."""
    await activate(state, acting(state, "a_first"), "A")


async def second_a(state: State) -> None:
    """2.6 Player two acts with its supported headquarters; then the offensive markers come off the map."""
    await activate(state, acting(state, "a_second"), "A")
    state.supported.clear()


async def first_b(state: State) -> None:
    """2.6 Player one acts with all its units."""
    await activate(state, acting(state, "b_first"), "B")


async def second_b(state: State) -> None:
    """2.6 Player two acts with all its units."""
    await activate(state, acting(state, "b_second"), "B")


async def activate(state: State, side: Side, phase: PhaseKind) -> None:
    """2.6 One activation of a side, from its reinforcements on the strategic track
    (11.1) to its last attack."""
    if side == "german" and phase != "reaction":
        await reinforcement.advance_track(state)
    desk = Activation(state, side, phase)
    await act(desk)
    await desk.end()


async def act(desk: Activation) -> None:
    """2.6, 10.3 The orders of an activation. Where bombs are to fall, attacks are ordered behind them."""
    asked = desk.useful
    if asked:
        await write(desk)
    if desk.awaits_bombs:
        await desk.end_movement()
        if asked or desk.useful:
            await write(desk)


def ahead(state: State, seat: str, section: str) -> Coroutine[Request, Any, None] | None:
    """The activation of a side as if it came now, behind what the side orders before it in this turn;
    None while there is nothing to judge lines by. German units next to the map on the track are taken to get
    through, and what the other side has allocated in secret is not counted on (2.3)."""
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
    return expected(state, side, phase)


async def expected(state: State, side: Side, phase: PhaseKind) -> None:
    """2.6 An activation of a side with what that side orders before it:
    while markers and aircraft are allocated, its allocation, and before phase B its phase A."""
    if state.phase == "allocation":
        await write(Allocation(state, side))
        if phase == "B":
            earlier = Activation(state, side, "A")
            await act(earlier)
            await earlier.end()
            state.supported.clear()
    await act(Activation(state, side, phase))


def forget_allocation(state: State, side: Side) -> None:
    """2.3, 2.4 Remove what a side has allocated."""
    state.supported = [id for id in state.supported if state.units[id].side != side]
    if side == "allied":
        state.fighters, state.interdicted, state.bombers, state.targets = {}, [], {}, {}


# --- one of them --------------------------------------------------------------------------------------------


class Activation(SideDesk):
    """2.6 An activation while it is played."""

    def __init__(self, state: State, side: Side, phase: PhaseKind) -> None:
        super().__init__(state, side)
        self.phase, self.verbs = phase, VERBS[phase]
        self.case = "15.0" if phase == "reaction" else "2.6"
        self.movement = Movement(state, side, phase)
        self.combat = Combat(state, side, phase, self.fault)
        self.fighting = False

    @property
    def section(self) -> str:
        return SECTIONS[self.phase]

    @property
    def takes(self) -> tuple[type[Order], ...]:
        return tuple(verb for verb in super().takes if verb not in self.until)

    @property
    def until(self) -> tuple[type[Order], ...]:
        """10.3 Attacks are ordered behind the bombs."""
        return (Attack,) if self.awaits_bombs else ()

    @property
    def awaits_bombs(self) -> bool:
        """10.3 Whether bombs fall when movement ends, so that no attack is ordered before."""
        return self.phase == "A" and not self.fighting and bool(self.state.targets)

    def fault(self, unit: Unit) -> NotAllowed | None:
        """6.2, 15.0, E5 Why a unit on the map may not fight in this phase, None if it may."""
        if self.phase == "reaction":
            return self.movement.reaction_fault(unit)
        if self.movement.offensive is None or unit.id in self.movement.arrived:
            return None
        return self.movement.offensive.fault(unit, moving=False)

    # --- what is asked ---

    @property
    def useful(self) -> bool:
        """Whether anything can be ordered."""
        return next(self.able(), None) is not None

    def subjects(self) -> Sequence[str]:
        return list(self.able())

    def able(self) -> Iterator[str]:
        """Units that can move, then hexes that can be attacked, as they are found."""
        if not self.fighting:
            yield from self.movement.able()
        if not self.awaits_bombs:
            yield from self.combat.targets()

    def options(self, subject: str) -> Sequence[Order]:
        if subject not in GRID:
            return () if self.fighting else self.movement.options(subject)
        return [order for order in self.combat.options(subject) if self._allowed(order)]

    def _allowed(self, order: Attack) -> bool:
        """Whether movement may end now, and phase A has headquarters for all of the attackers together."""
        try:
            self._check_attackers(order, [self.state.units[id] for id in order.units])
        except NotAllowed:
            return False
        return True

    def room(self, hex: Hex) -> int:
        """3.1 The stacking points for which a hex has room. One without any may still be entered if others
        can leave it."""
        return stacking.room(self.movement.mine.get(hex, ()))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids now. Raises NotAllowed."""
        if isinstance(order, Attack):
            units = self.combat.judge(order)
            self._check_attackers(order, units)
            self.combat.check_odds(order, units)
        elif not self.fighting:
            self.movement.check(order)
        elif order is not None:
            raise NotAllowed("movement ended with the first attack", "2.6")

    def _check_attackers(self, order: Attack, units: Sequence[Unit]) -> None:
        if not self.fighting:
            self.movement.check(None)
            self._check_room(order)
        self._plan(units)

    def _check_room(self, order: Attack) -> None:
        """3.1 Refuse an attack with units that the end of movement costs. Raises NotAllowed."""
        for unit in self.movement.surplus():
            if unit.id in (*order.units, *order.support):
                text = f"{unit.id} exceeds the stacking limit of {unit.hex} and is lost when movement ends"
                raise NotAllowed(text, "3.1")

    def _plan(self, units: Sequence[Unit]) -> dict[str, str]:
        """6.2, E5 Which headquarters have these units attack in phase A; reinforcements need none.
        Raises NotAllowed."""
        if self.movement.offensive is None:
            return {}
        under = [unit for unit in units if unit.id not in self.movement.arrived]
        return self.movement.offensive.plan(under, moving=False)

    def settle(self, order: Order) -> Order:
        return order if isinstance(order, Attack) else self.movement.settle(order)

    def offer(self, order: Order) -> Offer:
        """7.2 The odds of an attack; the path and cost of a move, in words when it has been made."""
        match order:
            case Attack():
                return preview.attack(self.state, self.side, order)
            case Move() | Land() | Enter() | Exit():
                return preview.on_the_way(self.movement.routes(order))
        return super().offer(order)

    # --- carrying out ---

    async def carry_out(self, order: Order) -> None:
        """2.6 One order."""
        if not isinstance(order, Attack):
            self.movement.carry_out(order)
            return
        if not self.fighting:
            await self.end_movement()
        if self.movement.offensive:
            self.movement.offensive.activate(self._plan(self.combat.judge(order)))
            self.movement.offensive.log()
        await self.combat.carry_out(order)

    def remarks(self, order: Order) -> Iterable[str]:
        """Where a move has ended, and what can still land."""
        match order:
            case Move(units):
                end, judged = self.state.units[units[0]].placed, self.phase != "reaction"
                return preview.moved(self.state, self.side, end, judged)
            case Land(_, hex):
                return preview.landed(self.state, hex)
        return ()

    async def end_movement(self) -> None:
        """2.6, 10.3 Combat begins; before the first one of phase A carpet bombs fall."""
        self.movement.end()
        if self.movement.offensive:
            self.movement.offensive.log()
        self.fighting = True
        if self.phase == "A":
            await carpet.strike(self.state)

    async def end(self) -> None:
        """2.6 End the activation, and movement if there was no attack."""
        if not self.fighting:
            await self.end_movement()
