"""Lines that wait for their phase: what their conditions say when the time comes (`holds`), which of them
can be told beforehand to be idle (`never`), and by what play they are judged before it (`ahead`).

`never` is certain or silent. A line counts as one for this turn only while its section is sure to come
up again in it: at the beginning of a turn, as long as a chit of its side, or the administrative one,
lies in the cup. Reactions may not come up at all, and their lines then wait for the next turn.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

from pbem.engine.desk import write
from pbem.engine.language import Condition, IfClause, Line, Order
from pbem.engine.play import Request
from pbem.games.france44 import activation, arrivals, begin, combat, reaction, replacement
from pbem.games.france44.orders import (
    Activate,
    AirSupport,
    Alive,
    Attack,
    Commit,
    Drop,
    Enter,
    Interdict,
    IsAt,
    Move,
    Offensive,
    Piece,
    Place,
    PointsLeft,
    Replace,
)
from pbem.games.france44.state import ADMINISTRATIVE, ENEMY, State, Unit
from pbem.games.france44.tables import CHARTS, TURNS, Side

SOUTH_TURN = max(turn.number for turn in TURNS.values() if turn.south)

# --- lines that are idle ----------------------------------------------------------------------------------


def never(state: State, seat: str, line: Line) -> str:
    """Why a line can never act; "" if it may. Its `else` counts as well as its order."""
    why = next(filter(None, (_idle(state, seat, line.section, each) for each in line.conditions)), "")
    why = why or _order_never(state, seat, line.section, line.order)
    if why and line.otherwise is not None and (line.attempt or line.conditions):
        return why if _order_never(state, seat, line.section, line.otherwise) else ""
    return why


def _this_turn(state: State, seat: str, section: str) -> bool:
    """2.0.9 Whether the lines of a section are sure to be read in the turn that is played."""
    match section:
        case "commitment":
            return state.phase == "begin"
        case "initiative":
            return state.phase in ("begin", "cycle") and seat in state.cup
        case "administration" | "arrival":
            return state.phase in ("begin", "cycle") and ADMINISTRATIVE in state.cup
    return False


Settled = tuple[bool, str] | None
"""What a condition will be when the line acts, and why; None while it is open."""


def _idle(state: State, seat: str, section: str, clause: IfClause) -> str:
    """Why a condition is false for good."""
    known = settled(state, seat, section, clause.condition)
    return known[1] if known is not None and known[0] == clause.negated else ""


def settled(state: State, seat: str, section: str, condition: Condition) -> Settled:
    """What is certain of a condition before its time."""
    match condition:
        case AirSupport() if _this_turn(state, seat, section):
            has = state.air_support
            return has, f"there is {'' if has else 'no '}air support this turn [2.0.3]"
        case PointsLeft() if _this_turn(state, seat, section) and not condition.holds(state, seat):
            left = sum(points for side, points in state.reaction.items() if side == seat)
            return False, f"{left} reaction points are left this turn, and no more will come [2.0.5]"
        case Alive(id) | IsAt(id, _):
            unit = state.units.get(id)
            why = f"{id} is not in this scenario [13.1]" if unit is None else _gone(unit)
            return (False, why) if why else None
    return None


def _gone(unit: Unit) -> str:
    """Why a unit never comes back (10.1.1, 10.1.5)."""
    return f"{unit.id} is out of the game [10.1.1]" if unit.place == "gone" else ""


def _order_never(state: State, seat: str, section: str, order: Order) -> str:
    """Why an order can never be carried out."""
    now = _this_turn(state, seat, section)
    match order:
        case Move() | Attack() | Place() | Enter() if why := _all(state, order.units):
            return why
        case Replace(unit, _) | Piece(unit) if why := _all(state, (unit,)):
            return why
        case Activate(hq, _) if why := _all(state, (hq,)):
            return why
        case Attack() if now and order.air:
            return _no_air(state, seat, order)
        case Drop() if now:
            turn = TURNS[state.turn]
            return (
                ""
                if turn.market_garden or turn.varsity
                else "the 18th Airborne cannot jump this month [12.3]"
            )
        case Interdict() if now and not state.air:
            return "there is no air support to interdict with this turn [2.0.3]"
        case Offensive() if now and not TURNS[state.turn].bulge:
            return "an offensive can be declared only from October to January [12.5]"
        case Commit(number) if number > max(CHARTS.points.commit.values()):
            return f"no side can commit more than {max(CHARTS.points.commit.values())} points [2.0.8]"
        case Place() if state.turn > SOUTH_TURN:
            return "no more units arrive from the south [10.1.3]"
    return ""


def _no_air(state: State, seat: str, order: Attack) -> str:
    """9.2 Air support that cannot be had this turn."""
    if seat != "allied":
        return "the Germans have no air support [9.2]"
    if not state.air_support:
        return "there is no air support this turn [2.0.3]"
    if order.air == "heavy" and not state.heavies:
        return "both heavy bomber markers have been used [9.2]"
    if order.air == "tactical" and not combat.tacticals(state):
        return "every tactical air marker interdicts this turn [2.0.3]"
    return ""


def _all(state: State, ids: Sequence[str]) -> str:
    """The reason of the first unit, if there is one for each of them."""
    reasons = [_gone(state.units[id]) for id in ids if id in state.units]
    return reasons[0] if reasons and all(reasons) else ""


# --- lines judged before their time -------------------------------------------------------------------------


def ahead(state: State, seat: str, section: str) -> Coroutine[Request, Any, None] | None:
    """The play of a section of a seat as if its turn came now, line by line by the rules.
    None if there is nothing to judge lines by: for the south, where no unit has arrived yet,
    and for a reaction without a point."""
    if seat not in ENEMY:
        return None
    side: Side = "german" if seat == "german" else "allied"
    match section:
        case "commitment":
            return write(begin.Commitment(state, side, state.committed.get(side, 0)))
        case "initiative":
            return _initiative(state, side)
        case "reaction" if state.reaction.get(side, 0):
            return reaction.opportunities(state, side)
        case "administration":
            return write(replacement.Replacements(state, side))
        case "arrival":
            arrivals.announce(state)
            return write(arrivals.Arrivals(state, side))
    return None


async def _initiative(state: State, side: Side) -> None:
    await activation.initiative(state, side)
