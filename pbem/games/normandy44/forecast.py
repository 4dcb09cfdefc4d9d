"""Lines written ahead that can never act (`never`), and conditions that are already decided (`settled`).

`never` reports only what is certain. It relies on what cannot change within a turn: units lost for good, the
weather, the initiative, the offensive markers, and supply marks, which change only at its end (8.4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.games.normandy44 import carpet, replacement
from pbem.games.normandy44.orders import (
    Activate,
    Alive,
    Attack,
    Carpet,
    Enter,
    Exit,
    HaveInitiative,
    IsAt,
    IsFull,
    IsSupplied,
    IsSupported,
    Land,
    Move,
    Rebuild,
    Replace,
    WeatherIs,
)
from pbem.games.normandy44.state import State, Unit

SECTIONS = ("allocation", "phase A", "phase B", "end")
"""The sections of a turn in the order of play."""
BEGUN = {"allocation": 0, "a_first": 1, "a_second": 1, "b_first": 2, "b_second": 2, "end": 3}
"""Phase -> how many sections of the turn are over."""

# --- lines that are idle ----------------------------------------------------------------------------------


def never(state: State, seat: str, line: Line) -> str:
    """Why a line can never act; "" if it may. A line whose condition does not hold this turn is no fault:
    it is passed over, or its `else` is tried."""
    why = next(filter(None, (_misplaced(line.section, each) for each in line.conditions)), "")
    idle = why or any(_idle(state, seat, line.section, each) for each in line.conditions)
    tried = [] if idle else [line.order]
    if line.otherwise is not None and (line.attempt or line.conditions):
        tried.append(line.otherwise)
    reasons = [_order_never(state, seat, line.section, order) for order in tried]
    if tried:
        return reasons[0] if all(reasons) else ""
    return why


def _misplaced(section: str, clause: IfClause) -> str:
    """2.6 Why a condition holds on no turn in this section: the markers go at the end of phase A."""
    condition = clause.condition
    if isinstance(condition, IsSupported) and not clause.negated and section in ("phase B", "end"):
        return f"{condition.unit} is no longer supported after phase A [2.6]"
    return ""


def _this_turn(state: State, section: str) -> bool:
    """Whether lines of a section are for the turn that is played: it is not over yet."""
    return section in SECTIONS and SECTIONS.index(section) >= BEGUN.get(state.phase, len(SECTIONS))


def _allocated(state: State, section: str) -> bool:
    """2.3 Whether a line is for this turn and both sides have allocated: initiative,
    supported headquarters and arrivals are settled."""
    return _this_turn(state, section) and state.phase != "allocation" and bool(state.initiative)


def _idle(state: State, seat: str, section: str, clause: IfClause) -> bool:
    """Whether it is certain that a clause will not hold when its line acts."""
    known = settled(state, seat, section, clause.condition)
    return known is not None and known == clause.negated


def settled(state: State, seat: str, section: str, condition: Condition) -> bool | None:
    """What a condition will be when its line acts; None while it is open. 2.1, 2.3, 8.4 Weather, initiative,
    markers and supply marks stay as they are for the rest of their turn."""
    match condition:
        case WeatherIs(weather) if _this_turn(state, section):
            return state.weather == weather
        case HaveInitiative() if _allocated(state, section):
            return state.initiative == seat
        case IsSupported(id) if section == "phase A" and _allocated(state, section):
            return id in state.supported
        case IsSupplied(id) if section != "end" and _this_turn(state, section) and state.units[id].unsupplied:
            return False
        case Alive(id) | IsFull(id) | IsSupplied(id) | IsAt(id, _) if _gone(state.units[id]):
            return False
    return None


def _gone(unit: Unit) -> str:
    """Why a unit never comes back: it has left the map, or is a German one that has been destroyed (13.0)."""
    if unit.place == "exited":
        return f"{unit.id} has left the map [S2]"
    if unit.place == "dead" and unit.side == "german" and not unit.hq:
        return f"{unit.id} is destroyed [13.0]"
    return ""


def _order_never(state: State, seat: str, section: str, order: Order) -> str:
    """Why an order can never be carried out."""
    if strangers := [unit.id for unit in _all_named(state, order) if unit.side != seat]:
        return f"{strangers[0]} is not one of your units [{order.case}]"
    units = [state.units[id] for id in getattr(order, "units", ()) if id in state.units]
    if why := _all(units, _gone):
        return why
    match order:
        case Move() | Attack() if why := _all(units, _fixed):
            return why
        case Attack() if _this_turn(state, section):
            return _all(units, _cannot_attack)
        case Activate(_, hq) if _allocated(state, section):
            return "" if hq in state.supported else f"{hq} has no offensive marker this turn [6.2]"
        case Land() | Enter() if _allocated(state, section):
            return _all(units, _cannot_arrive)
        case Exit() if state.scenario == "cherbourg":
            return "no unit may leave the map in this scenario [S1]"
        case Carpet():
            return _no_carpet(state, order)
        case Replace() | Rebuild() if not replacement.played(state):
            return "only the campaign has replacements [13.0]"
    return ""


def _all_named(state: State, order: Order) -> list[Unit]:
    """The units that an order gives something to do, the headquarters that activate
    or support them included."""
    hqs = (getattr(order, "hq", ""), *(order.support if isinstance(order, Attack) else ()))
    return [state.units[id] for id in (*order.actors(), *hqs) if id in state.units]


def _all(units: Sequence[Unit], why: Callable[[Unit], str]) -> str:
    """The reason of the first unit, if there is one for each of them."""
    reasons = [why(unit) for unit in units]
    return reasons[0] if reasons and all(reasons) else ""


def _fixed(unit: Unit) -> str:
    return f"{unit.id} is a beach garrison: it cannot move or attack [E8]" if unit.fixed else ""


def _cannot_attack(unit: Unit) -> str:
    """8.3 Why a unit cannot attack this turn: supply marks change only at its end."""
    if unit.hq:
        return f"{unit.id} is a headquarters: it cannot attack [6.4]"
    return f"{unit.id} is out of supply until the end of this turn [8.3]" if unit.unsupplied else ""


def _cannot_arrive(unit: Unit) -> str:
    """2.5 Why a unit cannot arrive this turn: it is on the map, or comes later."""
    if unit.place == "map":
        return f"{unit.id} is already on the map [2.5]"
    return f"{unit.id} does not arrive this turn [2.5]" if unit.place == "later" else ""


def _no_carpet(state: State, order: Carpet) -> str:
    """10.3 Bombers that have been used up, or may not be used in this game."""
    if not carpet.allowed(state):
        return "there is no carpet bombing in this game [10.3]"
    if order.army.lower() in state.carpets:
        return f"the {order.army.upper()} bombers have already carpet bombed [10.3]"
    return ""
