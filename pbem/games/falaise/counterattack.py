"""The German counterattack (11.3, 12.2): declared once, at the beginning of turn 5 or of a later one.
A command is chosen, which acts first in this turn without being drawn; units are attached to it,
and unknown forces may come onto the map to join it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.games.falaise import attaching, stacking, zone86, zones
from pbem.games.falaise.attaching import Attachments
from pbem.games.falaise.entering import Entry
from pbem.games.falaise.notes import CounterattackDeclared
from pbem.games.falaise.orders import Attach, Enter, Hold
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import COMMAND_NAMES, GERMAN_COMMANDS, GRID, Hex

FIRST_TURN = 5
MORE = 3
"""12.2 Additional units that a stronger counterattack attaches."""


def due(state: State) -> bool:
    """11.3 Whether it can be declared now: from turn 5 on, once, and only while a unit could
    take part in it."""
    return state.turn >= FIRST_TURN and not state.counterattack and bool(commands(state))


def commands(state: State) -> tuple[str, ...]:
    """11.3 The commands that could make it: those with units east of the Withdrawal Line;
    all of them while there are unknown forces to come, or if units join from anywhere (12.2)."""
    markers = (*GERMAN_COMMANDS, *((zone86.COMMAND,) if state.zone_86 == "open" else ()))
    if unknown(state) or state.on("stronger_counterattack"):
        return markers
    return tuple(key for key in markers if core(state, key))


def unknown(state: State) -> tuple[Unit, ...]:
    """3.1 The German units that are held back."""
    return tuple(unit for unit in state.units.values() if unit.place == "unknown")


def core(state: State, command: str) -> list[Unit]:
    """11.3 The units of a command that take part without being attached: those that begin the turn east
    of the Withdrawal Line."""
    return [unit for unit in state.command_of(command) if zone86.is_east(unit)]


def entry_hexes(state: State) -> int:
    """11.3 Where unknown forces come onto the map: east of the Withdrawal Line,
    not next to an Allied unit."""
    allied = zones.occupied(state, "allied")
    return zone86.EAST & ~(allied | GRID.spread(allied))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counterattack(Ask[str]):
    """11.3 Which command makes the counterattack this `turn`? Or is there "no" counterattack?"""

    kind: str = "counterattack"
    turn: int


async def counterattack(state: State) -> None:
    """11.3 Is it declared, by which command, and with whom?"""
    choices = commands(state)
    answer = await Counterattack(
        case="11.3",
        what=f"counterattack in turn {state.turn}",
        seat="german",
        options=("no", *choices),
        turn=state.turn,
        intro=f"Unknown forces that may enter: {', '.join(unit.id for unit in unknown(state)) or 'none'}.",
        says=lambda key: (
            "no counterattack this turn"
            if key == "no"
            else (
                f"{COMMAND_NAMES[key]}; east of the line: "
                f"{', '.join(unit.id for unit in core(state, key)) or 'none'}"
            )
        ),
    )
    if answer == "no":
        return
    state.counterattack = state.turn
    state.counter_command = answer
    state.note(CounterattackDeclared(case="11.3", command=answer))
    await write(Gathering.of(state, answer))


@dataclass
class Gathering(Desk[Order]):
    """11.3 The units that join the counterattack: unknown forces that enter the map,
    and units that are attached."""

    case = "11.3"
    what = "counterattack forces"
    seat = "german"
    section = "counterattack"
    takes = (Enter, Attach, Hold)

    state: State
    entry: Entry
    attachments: Attachments
    held: bool = False

    @classmethod
    def of(cls, state: State, command: str) -> Gathering:
        """The gathering of a command at the beginning of the turn. 12.2 Three more units join
        from anywhere on the map."""
        why = "unknown forces enter east of the Withdrawal Line, not adjacent to an Allied unit"
        return cls(
            state,
            Entry(state, command, unknown(state), zone86.EAST, entry_hexes(state), "11.3", why),
            Attachments(
                state,
                command,
                core(state, command),
                case="11.3",
                fit=_must_be_east,
                left=attaching.MOST - state.attachments,
                more=MORE if state.on("stronger_counterattack") else 0,
            ),
        )

    def subjects(self) -> list[str]:
        return [*self.entry.subjects(), *self.attachments.subjects()]

    @property
    def over(self) -> bool:
        """Whether, as far as both sides can see, no more units may enter or be attached."""
        return self.held or not (self.entry.may_come() or self.attachments.subjects())

    def options(self, subject: str) -> Sequence[Order]:
        return [*self.entry.options(subject), *self.attachments.options(subject)]

    def room(self, hex: Hex) -> int:
        """5.3 The room that is left in a hex."""
        return stacking.room(self.state, self.seat, hex)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """Raises NotAllowed."""
        if isinstance(order, Enter):
            self.entry.check(order)
        elif isinstance(order, Attach):
            self.attachments.chosen(order)

    def settle(self, order: Order) -> Order:
        return self.attachments.settle(order) if isinstance(order, Attach) else order

    def carry_out(self, order: Order) -> None:
        """11.3 Units that have entered are part of the command: others may be attached that are near them."""
        if isinstance(order, Enter):
            self.entry.carry_out(order)
            self.attachments.core += [self.state.units[id] for id in order.units]
        elif isinstance(order, Attach):
            self.attachments.carry_out(order)
        else:
            self.held = True


def _must_be_east(unit: Unit) -> NotAllowed | None:
    """11.3 A unit that acts in the counterattack begins the turn east of the Withdrawal Line."""
    if zone86.is_east(unit):
        return None
    return Overtaken(f"{unit.id} does not begin the turn east of the Withdrawal Line", "11.3")
