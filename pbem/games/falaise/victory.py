"""Victory points (3.2, 3.3), which side holds Argentan at the end (3.4), and surrender.

Allied points are counted as they come, each a line of the ledger; they may fall below zero.
German points are counted when the game is over and subtracted. The loss of a unit is logged and scored here,
whichever rule caused it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.game import Result
from pbem.engine.play import Roll
from pbem.games.falaise import communication, ratings, zone86
from pbem.games.falaise.notes import Controlled, Eliminated, FinalCount, Scored, StepLost, SurrenderTried
from pbem.games.falaise.state import Award, State, Unit
from pbem.games.falaise.tables import ARGENTAN, CHARTS

CUT_OFF, REDUCED, LOST, SURRENDERED = "cut off", "reduced", "lost", "surrendered"
"""What a line of the ledger is for: a German unit eliminated without communication; an Allied one reduced,
or lost; surrender."""


# --- the ledger -----------------------------------------------------------------------------------------


def award(state: State, what: str, points: int, case: str, unit: str = "") -> None:
    """3.2 Points for the Allies, below zero for those that they lose, are added up and logged."""
    record(state, what, points, case, unit)
    state.note(Scored(case=case, what=f"{unit} {what}" if unit else what, points=points, total=state.points))


def record(state: State, what: str, points: int, case: str, unit: str = "") -> None:
    """3.2 Enter points in the ledger; zero points are not entered."""
    if points:
        state.points += points
        state.ledger.append(Award(state.turn, what, points, case, unit))


# --- losses ---------------------------------------------------------------------------------------------


def lose_step(state: State, unit: Unit, case: str, why: str) -> None:
    """2.2 A unit loses a step: one of two steps is reduced, which costs the Allies a point (3.3),
    any other one eliminated."""
    if unit.steps == 1:
        eliminate(state, unit, case, why)
        return
    unit.steps -= 1
    state.note(StepLost(case=case, unit=unit.id, hex=unit.placed, left=unit.steps))
    if unit.side == "allied":
        award(state, REDUCED, CHARTS.victory.reduced_brigade, "3.3", unit.id)


def loss_in_words(state: State, unit: Unit) -> str:
    """2.2, 3.3 What the loss of a step would do to a unit, and what it would score,
    for letters that ask about it."""
    what = "eliminated" if unit.steps == 1 else "reduced"
    cut_off = unit.side == "german" and not communication.in_communication(state, unit)
    points = price(unit, cut_off) if unit.steps == 1 else 0
    if unit.steps > 1 and unit.side == "allied":
        points = CHARTS.victory.reduced_brigade
    scores = f", Allied points {points:+d}" if points else ""
    return f"{ratings.in_words(state, unit)}: {what}{scores}"


def eliminate(state: State, unit: Unit, case: str, why: str, cut_off: bool | None = None) -> None:
    """3.3 A unit is taken off the map and scored. Whether a German one has no line of communication is judged
    at this instant (6.5), unless a rule has settled it: `cut_off`."""
    if unit.side == "allied":
        cut_off = False
    elif cut_off is None:
        cut_off = not communication.in_communication(state, unit)
    points = price(unit, cut_off)
    what = LOST if unit.side == "allied" else SURRENDERED if why == SURRENDERED else CUT_OFF
    record(state, what, points, "3.3", unit.id)
    hex = unit.placed
    unit.place, unit.hex, unit.steps, unit.disrupted = "dead", None, 0, False
    state.note(Eliminated(case=case, unit=unit.id, hex=hex, why=why, cut_off=cut_off, points=points))


def price(unit: Unit, cut_off: bool) -> int:
    """3.3 What the elimination of a unit scores for the Allies. A brigade costs two points in all,
    so that one that has been reduced costs what is left of them; a German company scores nothing."""
    victory = CHARTS.victory
    if unit.side == "german":
        return victory.cut_off if cut_off and unit.counter.size != "company" else 0
    if unit.counter.steps == 1:
        return victory.lost_battalion
    return victory.lost_brigade - (victory.reduced_brigade if unit.steps == 1 else 0)


# --- the end of the game --------------------------------------------------------------------------------


async def victory(state: State) -> None:
    """3.3 The Victory Check: surrender, then Argentan (3.4), then the German points are taken off."""
    held = bool(state.at(ARGENTAN))
    for unit in without_communication(state):
        await surrender(state, unit)
    if held and state.argentan == "german" and not state.at(ARGENTAN):
        state.argentan, state.argentan_fell = "allied", True
        state.note(Controlled(case="3.4", side="allied"))
    lines = tuple((line.what, line.points, line.case) for line in german_points(state))
    state.note(FinalCount(case="3.3", german=lines, allied=state.points, result=total(state)))


def without_communication(state: State) -> list[Unit]:
    """3.3, 6.5 The German units that roll for surrender. All are judged before the first
    of them has rolled."""
    return communication.cut_off(state, "german")


def surrender_value(state: State, unit: Unit) -> float:
    """3.3 The Allied points that the surrender of a unit is likely to score if it is cut off at the end."""
    yielding = 6 + CHARTS.victory.surrender_add - ratings.printed(state, unit)
    return max(0, min(6, yielding)) / 6 * price(unit, cut_off=True)


async def surrender(state: State, unit: Unit) -> None:
    """3.3 A die and two against the printed TER; no die where any would do;
    `die` is then 0 in the log."""
    add, ter = CHARTS.victory.surrender_add, ratings.printed(state, unit)
    die = total = roll = 0
    if 1 + add <= ter:
        die = await Roll(case="3.3", what=f"surrender of {unit.id}")
        total, roll = die + add, state.rolls
    surrendered = not die or total > ter
    state.note(
        SurrenderTried(
            case="3.3",
            roll=roll,
            unit=unit.id,
            hex=unit.placed,
            die=die,
            total=total,
            ter=ter,
            surrendered=surrendered,
        )
    )
    if surrendered:
        eliminate(state, unit, "3.3", SURRENDERED, cut_off=True)


# --- the count ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the German score: what for, how many points, by which case."""

    what: str
    points: int
    case: str


def german_points(state: State) -> list[Line]:
    """3.3 The German score if the game ended now; lines worth nothing are left out."""
    chart = CHARTS.victory
    east = [unit for unit in state.on_map("german") if zone86.is_east(unit)]
    divisions = dict.fromkeys(unit.counter.division for unit in east if unit.counter.division)
    mech = [unit for unit in east if unit.mech]
    exited = [unit for unit in state.units.values() if unit.place == "exited"]
    scoring = [unit for unit in exited if unit.counter.size != "company"]
    found = [
        Line("divisions east of the Withdrawal Line", chart.division * len(divisions), "3.3"),
        Line("mechanised units east of the Withdrawal Line", chart.mech * len(mech), "3.3"),
        Line("units gone by the south edge", chart.exited * len(scoring), "3.3"),
    ]
    if state.argentan == "german":
        supplied = communication.hex_in_communication(state, "german", ARGENTAN)
        points = chart.argentan_supplied if supplied else chart.argentan
        found.append(Line(f"Argentan {'with' if supplied else 'without'} communication", points, "3.4"))
    return [line for line in found if line.points]


def allied_points(state: State) -> list[Line]:
    """3.3 The ledger of the Allies, grouped by what the points were for."""
    found: dict[tuple[str, str], int] = {}
    for entry in state.ledger:
        found[entry.what, entry.case] = found.get((entry.what, entry.case), 0) + entry.points
    return [Line(what, points, case) for (what, case), points in found.items()]


def total(state: State) -> int:
    """3.3 Allied points less German ones, if the game ended now; surrender is left to the dice."""
    return state.points - sum(line.points for line in german_points(state))


def result(state: State) -> Result:
    """3.3 How the game has ended, or would end now: at one point or more the Allies win, else the Germans."""
    points = total(state)
    lines: Sequence[tuple[str, int, str]] = [
        *((f"Allied: {line.what}", line.points, line.case) for line in allied_points(state)),
        ("Allied points", state.points, "3.3"),
        *((f"German: {line.what}", -line.points, line.case) for line in german_points(state)),
        ("Result", points, "3.3"),
    ]
    winner = "allied" if points > 0 else "german"
    return Result(
        level="Allied win" if winner == "allied" else "German win",
        winner=winner,
        figures=tuple((what, f"{value:+d}", case) for what, value, case in lines),
        margin=abs(points - 0.5),
    )
