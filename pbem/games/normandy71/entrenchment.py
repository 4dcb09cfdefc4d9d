"""Entrenchment (ENT): announced at the end of a player-turn, a turn of rest, then a die roll; and how markers
are removed.

A marker belongs to a hex and to the side that dug in: all units of that side in the hex are entrenched,
also those that arrive later (ENT.C). Entrenchment does not affect movement (ENT.D). Its die modifier is in
odds.py (ENT.A), and who may look under a marker in combat.py and view.py (ENT.B)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.play import Roll
from pbem.games.normandy71 import supply
from pbem.games.normandy71.disclosure import disclose, name_for
from pbem.games.normandy71.notes import Announced, Dug, MarkerGone
from pbem.games.normandy71.orders import Entrench
from pbem.games.normandy71.state import LAST_TURN, Hex, Side, State, Unit
from pbem.games.normandy71.tables import CHARTS
from pbem.wargame.counters import of_side


async def allied_entrenchment(state: State) -> None:
    """ENT The end of the Allied player-turn."""
    await entrench(state, "allied")


async def german_entrenchment(state: State) -> None:
    """ENT The end of the German player-turn."""
    await entrench(state, "german")


async def entrench(state: State, side: Side) -> None:
    """ENT Roll for units that have sat out this player-turn, then announce those that will sit out the
    next."""
    area = supply.supplied(state, side)
    for unit in state.on_map(side):
        if resting(state, unit) and unit.id not in state.retreated and supply.trace(state, unit, area):
            await dig(state, unit)
    forget(state, side)
    await announce(state, side)


def resting(state: State, unit: Unit) -> bool:
    """ENT Whether the unit was announced last turn: it may neither move nor attack in this player-turn,
    even if it has retreated."""
    return state.announced.get(unit.id) == state.turn - 1


async def dig(state: State, unit: Unit) -> None:
    """ENT, ENT.C Roll for one unit. If it digs in, so do all units in its hex, without a roll of their
    own."""
    if state.entrenched(unit):
        return
    hex, faces = unit.placed, CHARTS.entrenchment.faces(unit.size)
    die = await Roll(case="ENT", what=f"{name_for(unit, 'allied')} entrenching in {hex}")
    if die in faces:
        state.entrenchments[hex] = unit.side
    disclose(
        state,
        [unit],
        lambda names, readers: Dug(
            case="ENT",
            readers=readers,
            roll=state.rolls,
            side=unit.side,
            name=names[0],
            hex=hex,
            die=die,
            needed=max(faces),
            success=die in faces,
        ),
    )


def forget(state: State, side: Side) -> None:
    """ENT Forget last turn's announcements, and the retreats since."""
    for id, turn in list(state.announced.items()):
        unit = state.units.get(id)
        if unit is None or unit.place != "map" or (unit.side == side and turn < state.turn):
            del state.announced[id]
    state.retreated = [id for id in state.retreated if id in state.units and state.units[id].side != side]


async def announce(state: State, side: Side) -> None:
    """ENT Announce, for both sides to hear, which units will sit out the next player-turn and then roll."""
    desk = Announcement(state, side)
    if state.turn < LAST_TURN and desk.subjects():
        await write(desk)


@dataclass(eq=False)
class Announcement(Desk[Order]):
    """ENT The units that one side announces at the end of its player-turn."""

    case = "ENT"
    section = "entrenchment"
    takes = (Entrench,)

    state: State
    side: Side

    def __post_init__(self) -> None:
        self.seat = self.side

    def subjects(self) -> tuple[str, ...]:
        return tuple(unit.id for unit in self.state.on_map(self.side) if self._fault(unit) is None)

    def options(self, subject: str) -> Sequence[Order]:
        return [Entrench((subject,))] if subject in self.subjects() else []

    def check(self, order: Order | None) -> None:
        """Refuse units that cannot be announced. Raises NotAllowed."""
        for id in order.units if isinstance(order, Entrench) else ():
            unit = self.state.own(id, of_side(self.side), "ENT")
            if unit.place != "map":
                raise NotAllowed(f"{id} {unit.absence}", "ENT")
            if fault := self._fault(unit):
                raise fault

    def _fault(self, unit: Unit) -> NotAllowed | None:
        """Why a unit cannot be announced; None if it can."""
        if not CHARTS.ground(unit.placed).entrench:
            return NotAllowed(f"units cannot entrench in the fort in {unit.placed}", "ENT")
        if self.state.entrenched(unit):
            return NotAllowed(f"{unit.id} is already entrenched", "ENT.C")
        if self.state.announced.get(unit.id) == self.state.turn:
            return NotAllowed(f"{unit.id} has already been announced", "ENT")
        return None

    def carry_out(self, order: Order) -> None:
        """Note a checked announcement, and log it for both sides."""
        assert isinstance(order, Entrench)
        units = [self.state.units[id] for id in dict.fromkeys(order.units)]
        self.state.announced.update((unit.id, self.state.turn) for unit in units)
        hexes = tuple(dict.fromkeys(unit.placed for unit in units))
        disclose(
            self.state,
            units,
            lambda names, readers: Announced(
                case="ENT", readers=readers, side=self.side, names=names, hexes=hexes
            ),
        )


# --- markers --------------------------------------------------------------------------------------------


def check_disentrench(state: State, side: Side, hex: Hex) -> None:
    """ENT.E A side may remove its own markers. Raises NotAllowed."""
    if state.entrenchments.get(hex) != side:
        own = sorted(marked for marked, owner in state.entrenchments.items() if owner == side)
        raise NotAllowed(
            f"you have no marker in {hex}", "ENT.E", legal=tuple(f"disentrench {each}" for each in own[:6])
        )


def disentrench(state: State, hex: Hex, case: str = "ENT.E", why: str = "removed") -> None:
    """ENT.C, ENT.E Remove the marker from a hex; `why` is removed, attacked out or empty."""
    owner = state.entrenchments.pop(hex)
    state.note(MarkerGone(case=case, side=owner, hex=hex, why=why))


def remove_empty(state: State) -> None:
    """ENT.F Remove markers without units of their owner at the end of a movement phase."""
    for hex, owner in list(state.entrenchments.items()):
        if state.holder(hex) != owner:
            disentrench(state, hex, "ENT.F", "empty")
