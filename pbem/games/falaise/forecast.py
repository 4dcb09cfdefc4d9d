"""Lines that wait for their command to be drawn: which of them are known beforehand to be idle (`never`).

`never` is certain or silent. It relies on what cannot be undone within a turn (eliminated and finished units,
a command that has acted) and on bounds that no die and no enemy can exceed: the best movement points, the
furthest that retreats can take a unit before its command is drawn. A line that `never` lets pass may still be
overtaken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.engine.wording import count
from pbem.games.falaise import activation, attaching, restrictions, zone86
from pbem.games.falaise.command import INITIATIVE_TURNS
from pbem.games.falaise.orders import (
    Activated,
    Alive,
    Assault,
    Attach,
    Attack,
    Disrupted,
    Enter,
    Exit,
    FirstThisTurn,
    IsAt,
    MechAssault,
    Move,
    OfUnits,
    PointsAtLeast,
    Reduced,
)
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import (
    ALLIED_COMMANDS,
    CHARTS,
    COMMAND_NAMES,
    GERMAN_COMMANDS,
    GRID,
    MAP,
    UNITS,
    Hex,
    Side,
)

GONE = {"dead": "is eliminated", "exited": "has left the map", "removed": "has been taken off the map"}
COMING = ("later", "unknown")
"""Units that may still enter the map, as part of the command with which they enter."""
RETREAT: dict[Side, int] = {"german": 2, "allied": 4}
"""10.3 How far an attack can send a unit back. An Allied one passes over full hexes;
three of them in a row are not considered."""

# --- what the rest of the turn can still bring ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of a turn, for one section of one seat: how far a unit can still get before
    and while its command acts."""

    state: State
    section: str

    @property
    def side(self) -> Side:
        return "allied" if self.section in ALLIED_COMMANDS else "german"

    @property
    def acting(self) -> bool:
        """Its action round is being played."""
        return self.state.phase == "activation" and self.state.active == self.section

    @property
    def activated(self) -> Sequence[str]:
        """The commands that have acted this turn, without the active one. Those of the last turn remain
        until the cup is filled."""
        if self.state.phase != "activation":
            return ()
        return [key for key in self.state.activated if key != self.state.active]

    @property
    def to_come(self) -> list[str]:
        """The commands of the other side that may still act before this one."""
        if self.acting:
            return []
        others = (
            (*GERMAN_COMMANDS, zone86.COMMAND, activation.TRAFFIC)
            if self.side == "allied"
            else ALLIED_COMMANDS
        )
        return [key for key in others if key not in self.activated]

    def points(self) -> tuple[int, int]:
        """7.1.1 The fewest and the most movement points that the command can have this turn."""
        if self.acting and self.state.allowance:
            return self.state.allowance, self.state.allowance
        bonus = activation.modifiers(self.state, self.section).total
        return activation.points(1 + bonus), activation.points(6 + bonus)

    def carried(self, unit: Unit) -> int:
        """How many hexes a unit can have gone when its command is drawn: by retreats,
        and in turns 1 to 4 with the 58th Panzer Corps (11.2)."""
        far = RETREAT[unit.side] * len(self.to_come)
        if (
            unit.side == "german"
            and not self.acting
            and self.section != activation.TRAFFIC
            and _58th_may_act(self)
        ):
            far += Rest(self.state, activation.TRAFFIC).marched(unit)
        return far

    def marched(self, unit: Unit) -> int:
        """7.3 The most hexes that a unit can move: two for a point if it is mechanised
        and has roads all the way."""
        most = self.points()[1] + (CHARTS.ter.high_points if UNITS[unit.id].ter >= CHARTS.ter.high else 0)
        return max(1, most * (2 if unit.mech else 1))


def _58th_may_act(rest: Rest) -> bool:
    return rest.state.turn <= activation.LAST_58TH and activation.TRAFFIC not in rest.activated


# --- lines that are idle ----------------------------------------------------------------------------------


def never(state: State, seat: str, line: Line) -> str:
    """Why a line can never act this turn; "" if it may. Its `else` counts as well as its order."""
    if line.section not in COMMAND_NAMES:
        return ""
    rest = Rest(state, line.section)
    if line.section in rest.activated:
        return f"the {COMMAND_NAMES[line.section]} has been activated this turn [4.0]"
    if line.section == activation.TRAFFIC and state.turn > activation.LAST_58TH:
        return f"the 58th Panzer Corps acts only on turns 1 to {activation.LAST_58TH} [11.2]"
    why = next(filter(None, (_idle(rest, seat, clause) for clause in line.conditions)), "")
    why = why or _order_never(rest, line.order)
    if why and line.otherwise is not None and (line.attempt or line.conditions):
        return why if _order_never(rest, line.otherwise) else ""
    return why


def _idle(rest: Rest, seat: str, clause: IfClause) -> str:
    """Why a condition is false for good."""
    known = settled(rest, clause.condition)
    if known is None or known[0] != clause.negated:
        return ""
    return known[1]


Settled = tuple[bool, str] | None
"""What a condition will be when the command acts, and why; None while it is open."""


def settled(rest: Rest, condition: Condition) -> Settled:
    """What is certain of a condition before its time."""
    match condition:
        case FirstThisTurn():
            return _first(rest)
        case PointsAtLeast(points):
            return _points(rest, points)
        case Activated(command):
            if command in rest.activated:
                return True, f"{command} has been activated [4.0]"
            if command == rest.section:
                return False, f"{command} cannot have been activated before its own round [4.0]"
            if command == activation.TRAFFIC and rest.state.turn > activation.LAST_58TH:
                return False, f"the 58th Panzer Corps acts only on turns 1 to {activation.LAST_58TH} [11.2]"
        case Reduced() | Disrupted():
            return _worn(rest, condition)
        case IsAt(id) | Alive(id):
            if why := _gone(rest.state.units[id]):
                return False, why
    return None


def _first(rest: Rest) -> Settled:
    """4.0, 11.3, 11.10 Whether the command acts first this turn."""
    state = rest.state
    if rest.activated:
        return False, f"{rest.activated[0]} acted first this turn [4.0]"
    if rest.acting:
        return True, f"{rest.section} acts first this turn [4.0]"
    chosen = state.counter_command or (state.active if state.phase == "activation" else "")
    if chosen:
        first = chosen == rest.section
        return first, f"{chosen} acts first this turn [{'11.3' if state.counter_command else '4.0'}]"
    if rest.side == "allied" and state.turn <= INITIATIVE_TURNS:
        return False, f"on turns 1 to {INITIATIVE_TURNS} the Germans act first [11.10]"
    return None


def _points(rest: Rest, points: int) -> Settled:
    """7.1.1 Whether the command has at least this many movement points."""
    fewest, most = rest.points()
    if points > most:
        return False, f"{rest.section} has at most {count(most, 'movement point')} this turn [7.1.1]"
    if points <= fewest:
        return True, f"{rest.section} has at least {count(fewest, 'movement point')} this turn [7.1.1]"
    return None


def _worn(rest: Rest, condition: OfUnits) -> Settled:
    """2.2, 9.1 Eliminated units are neither disrupted nor reduced, and a unit of one step is never
    reduced."""
    units = [rest.state.units[id] for id in condition.units]
    left = [unit for unit in units if not _gone(unit)]
    if units and not left:
        return False, _gone(units[0])
    if isinstance(condition, Reduced) and left and all(unit.counter.steps == 1 for unit in left):
        return False, f"{left[0].id} has one step and is never reduced [2.2]"
    return None


def _gone(unit: Unit) -> str:
    return f"{unit.id} {GONE[unit.place]}" if unit.place in GONE else ""


# --- orders that nothing can make possible ------------------------------------------------------------------


def _order_never(rest: Rest, order: Order) -> str:
    match order:
        case Move():
            return _first_fault(_move_fault(rest, order, unit) for unit in _units(rest, order.units))
        case Exit():
            return _first_fault(_exit_fault(rest, unit) for unit in _units(rest, order.units))
        case Attack():
            return _attack_fault(rest, order)
        case Attach():
            return _all_faults(_attach_fault(rest, unit) for unit in _units(rest, order.units))
        case Enter():
            return _first_fault(_enter_fault(rest, order.hex, unit) for unit in _units(rest, order.units))
    return ""


def _units(rest: Rest, ids: Iterable[str]) -> list[Unit]:
    return [rest.state.units[id] for id in dict.fromkeys(ids)]


def _first_fault(faults: Iterable[str]) -> str:
    return next(filter(None, faults), "")


def _all_faults(faults: Iterable[str]) -> str:
    """The first fault, if all have one."""
    found = list(faults)
    return found[0] if found and all(found) else ""


def _duty_fault(rest: Rest, unit: Unit, case: str) -> str:
    """4.0 Why a unit cannot act in any round of this turn."""
    if unit.side != rest.side:
        return f"{unit.id} is not yours [{case}]"
    if why := _gone(unit):
        return f"{why} [{case}]"
    if unit.place in COMING:
        return (
            ""
            if _may_come(rest, unit)
            else f"{unit.id} cannot enter the map before [{rest.section}] acts [{case}]"
        )
    if rest.state.phase == "activation":
        if unit.finished:
            return f"{unit.id} is finished for this turn [4.0]"
        if unit.command in rest.activated:
            return (
                f"{unit.id} belongs to the {COMMAND_NAMES[unit.command]}, "
                "which has been activated this turn [4.0]"
            )
    return ""


def _may_come(rest: Rest, unit: Unit) -> bool:
    """3.1, 11.3 to 11.5 Whether a unit off the map may be on it when its command acts."""
    state = rest.state
    if state.phase != "activation":
        return True
    return rest.section == zone86.COMMAND and unit in zone86.waiting(state)


def _belongs(rest: Rest, unit: Unit) -> str:
    """11.1, 11.2 Why a unit cannot act with this command; "" if it is one of it, or may become one."""
    if unit.command == rest.section or rest.section == activation.TRAFFIC or unit.place in COMING:
        return ""
    if unit.side == "allied":
        return (
            f"{unit.id} belongs to the {COMMAND_NAMES[unit.command]}, "
            f"not to the {COMMAND_NAMES[rest.section]} [7.0]"
        )
    if unit.attached:
        return f"{unit.id} is attached to {unit.attached} this turn [11.1]"
    if not _attachments_left(rest):
        return (
            f"{unit.id} is not of the {COMMAND_NAMES[rest.section]}, and no more units can be attached "
            "this turn [11.1]"
        )
    return ""


def _attachments_left(rest: Rest) -> bool:
    """11.1 Three a turn; before the action rounds the count is still that of the last turn,
    and means nothing."""
    return rest.state.phase != "activation" or rest.state.attachments < attaching.MOST


def _placed(rest: Rest, unit: Unit) -> bool:
    """Whether it is known where a unit starts from: not before set-up is over, nor for units that have yet
    to enter."""
    return unit.place == "map" and rest.state.phase not in ("set_up_german", "set_up_allied", "redeployment")


def _move_fault(rest: Rest, order: Move, unit: Unit) -> str:
    """7.2 A move is made as far as possible: however far its goal is, only one that cannot begin is idle."""
    if why := _duty_fault(rest, unit, "7.2") or _belongs(rest, unit):
        return why
    if rest.state.phase == "activation" and unit.id in rest.state.moved:
        return f"{unit.id} has been moved by the 58th Panzer Corps this turn [7.2]"
    if case := _barred(rest, unit, order.path[0]):
        return f"{unit.id} may not enter {order.path[0]} this turn [{case}]"
    return ""


def _barred(rest: Rest, unit: Unit, hex: Hex) -> str:
    """11.4, 11.9 The case that keeps a unit out of a hex all through this turn;
    it may already be there."""
    if hex == unit.hex:
        return ""
    if unit.side == "allied" and zone86.within(zone86.EAST, hex):
        return "11.4"
    kept = "dives" in restrictions.limits(rest.state, unit) and zone86.within(restrictions.DIVES, hex)
    return "11.9" if kept else ""


def _exit_fault(rest: Rest, unit: Unit) -> str:
    if unit.side != "german":
        return "only German units leave the map [3.3]"
    if why := _duty_fault(rest, unit, "3.3") or _belongs(rest, unit):
        return why
    rows = GRID.rows[1] - int(unit.placed[:2]) if _placed(rest, unit) else 0
    if rows > rest.carried(unit) + rest.marched(unit):
        return f"{unit.id} cannot reach the southern edge this turn [3.3]"
    return ""


def _attack_fault(rest: Rest, order: Attack) -> str:
    """10.0, 10.1 All the units that are named attack, or none."""
    units = _units(rest, order.units)
    if isinstance(order, Assault) and rest.section == activation.TRAFFIC:
        return "the 58th Panzer Corps has no assault rounds [11.2]"
    if isinstance(order, MechAssault):
        leg = [unit.id for unit in units if not unit.mech]
        if leg and rest.side == "german":
            return f"{leg[0]} is not mechanised: only Allied infantry joins mechanised assaults [10.0]"
        if len(leg) == len(units):
            return "a mechanised assault needs a mechanised unit [10.0]"
    faults = [_attacker_fault(rest, order, unit) for unit in units]
    own = [fault or _belongs(rest, unit) for fault, unit in zip(faults, units, strict=True)]
    return _all_faults(own) or _first_fault(faults)


def _attacker_fault(rest: Rest, order: Attack, unit: Unit) -> str:
    """Why a unit can never attack the hex, as one of the command or as a helper (11.9.1, 11.9.2)."""
    if why := _duty_fault(rest, unit, "10.1"):
        return why
    if case := _shut(rest, unit, order.hex):
        return f"{unit.id} cannot attack {order.hex} from any hex [{case}]"
    if not _placed(rest, unit):
        return ""
    far = rest.carried(unit)
    if isinstance(order, MechAssault) and (unit.command == rest.section or unit.side == "german"):
        far += rest.marched(unit)  # a German one may be attached
    if GRID.distance(unit.placed, order.hex) - 1 > far:
        return f"{unit.id} cannot be adjacent to {order.hex} when {rest.section} attacks [10.1]"
    return ""


def _shut(rest: Rest, unit: Unit, hex: Hex) -> str:
    """7.2.1, 10.1, 11.4 The case that keeps a unit from attacking a hex from any of its neighbours,
    "" if nothing does."""
    case = ""
    for near in MAP.neighbours(hex):
        fault = restrictions.attack_fault(rest.state, unit, near, hex)
        beyond = unit.side == "allied" and zone86.within(zone86.EAST, near)
        if not fault and not beyond:
            return ""
        case = fault.case if fault and not beyond else case or "11.4"
    return case


def _attach_fault(rest: Rest, unit: Unit) -> str:
    if rest.side != "german":
        return "only German commands attach units [11.1]"
    if unit.command == rest.section:
        return f"{unit.id} already belongs to the {COMMAND_NAMES[rest.section]} [11.1]"
    return _duty_fault(rest, unit, "11.1") or _belongs(rest, unit)


def _enter_fault(rest: Rest, hex: Hex, unit: Unit) -> str:
    if rest.section != zone86.COMMAND:
        return "units enter only with the counterattack or the 86th Corps [11.4]"
    if unit not in zone86.waiting(rest.state) and not (
        unit.side == "german" and rest.state.phase != "activation"
    ):
        return f"{unit.id} is not one of the units that can enter [11.4]"
    if not zone86.within(zone86.ENTRY, hex):
        return f"{hex} is not in the 86th Corps Zone on your side of the line [11.4]"
    return ""
