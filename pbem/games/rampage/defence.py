"""The German defence (8): when the Allies enter a German-controlled hex, a die says how many units defend it,
and lots say which.

Where defenders of an earlier battle of the turn are still in the hex, or a garrison, these are the defence
and no die is rolled (8.8, 12.8). A garrison that fell together with its last attackers is not replaced
while its fortress is cut off: who enters next takes it. Back in supply it is rolled for again (12.10).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.engine.play import Draw, Roll
from pbem.engine.tally import Modifier
from pbem.games.rampage import control
from pbem.games.rampage.notes import Defended
from pbem.games.rampage.state import German, Hex, State
from pbem.games.rampage.tables import CHARTS, FORTRESSES, VICTORY_CITIES, is_west


@dataclass(frozen=True, slots=True)
class Formula:
    """How many units defend a hex: the die plus `plus`, but at least `least`."""

    plus: int
    least: int
    case: str
    why: str

    def size(self, die: int) -> int:
        """How many units this die gives."""
        return max(self.least, die + self.plus)

    @property
    def parts(self) -> tuple[Modifier, ...]:
        """The modifiers of the die, for the log."""
        return (Modifier(self.plus, self.case, self.why),) if self.plus else ()


def formula(hex: Hex) -> Formula:
    """8.2 to 8.5 The formula of a hex; a drop uses the same ones (8.6, 13.5)."""
    chart = CHARTS.defence
    if hex in VICTORY_CITIES:
        return Formula(chart.victory_city, 0, "8.5", "victory city")
    if hex in FORTRESSES:
        return Formula(chart.west, chart.fortress_least, "8.3", "fortress west of the line")
    if is_west(hex):
        return Formula(chart.west, 0, "8.2", "west of the line")
    return Formula(chart.east, 0, "8.4", "east of the line")


async def generate(state: State, hex: Hex) -> list[German]:
    """8.1, 12.10 Who defends a hex that the Allies enter: those already there, else as many as the die says;
    they are put on the map.

    No units at all means that the hex falls without a fight (8.7).
    """
    if there := state.defenders(hex):
        report(state, hex, there, "8.8")
        return there
    lone = hex in state.garrisons and not control.in_supply(state, hex)
    if lone or not state.pool():
        report(state, hex, [], "12.8" if lone else "8.7")
        return []
    rule, what = formula(hex), f"defence of {hex}"
    die = await Roll(case=rule.case, what=what, low=True)
    roll, size = state.rolls, rule.size(die)
    chosen = rule.least > 0 and die + rule.plus <= 0
    units = await (draw_garrison(state, what, rule.case) if chosen else draw(state, what, rule.case, size))
    station(units, hex)
    state.note(
        Defended(
            case=rule.case,
            roll=roll,
            hex=hex,
            die=die,
            parts=rule.parts,
            rolled=size,
            names=names(units),
            chosen=units[0].id if chosen and units else "",
            pool=len(state.pool()),
            lots=lots_since(state, roll),
        )
    )
    return units


def lots_since(state: State, roll: int) -> int:
    """The number of the draw that came after a roll; 0 if no unit was drawn."""
    return state.rolls if state.rolls > roll else 0


def report(state: State, hex: Hex, units: Iterable[German], case: str) -> None:
    """Log a defence for which nothing was rolled."""
    state.note(
        Defended(case=case, hex=hex, die=0, parts=(), rolled=0, names=names(units), pool=len(state.pool()))
    )


async def draw(state: State, what: str, case: str, count: int) -> list[German]:
    """8.2, 8.7 Units drawn blindly from the force pool; all that are left, without lots,
    when there are no more than wanted."""
    return await lots(state, state.pool(), what, case, count)


async def draw_garrison(state: State, what: str, case: str) -> list[German]:
    """8.3, 12.8 One non-elite unit out of the pool, which of them by lot; none if the pool holds none."""
    ordinary = [id for id in state.pool() if not state.germans[id].elite]
    return await lots(state, ordinary, what, case, 1)


async def lots(state: State, ids: Sequence[str], what: str, case: str, count: int) -> list[German]:
    """`count` of these units, by lot unless all of them are wanted."""
    drawn = tuple(ids)
    if 0 < count < len(drawn):
        drawn = await Draw(case=case, what=what, pool=drawn, count=count)
    return [state.germans[id] for id in drawn] if count > 0 else []


def station(units: Iterable[German], hex: Hex) -> None:
    """Put units on the map."""
    for unit in units:
        unit.place, unit.hex = "map", hex


def to_pool(units: Iterable[German]) -> None:
    """10.6, 12.6 Put units back into the force pool."""
    for unit in units:
        unit.place, unit.hex = "pool", None


def names(units: Iterable[German]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)
