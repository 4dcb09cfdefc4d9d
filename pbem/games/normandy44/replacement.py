"""Replacements and rebuilt units (13.0), in the campaign only. The Germans have steps,
the Allies pay with landing capacity.

The orders are taken at the end of the turn, see administration.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.engine.errors import NotAllowed
from pbem.engine.wording import count
from pbem.games.normandy44 import reinforcement, stacking, zones
from pbem.games.normandy44.notes import Rebuilt, Replaced
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, Army, Side
from pbem.wargame.counters import of_side

FLAGS: tuple[Army, ...] = ("us", "uk")
STEP_PE = 1
"""13.0 The landing points that an Allied step costs."""
TWICE = 2
"""13.0 A rebuilt unit costs this many times its stacking points."""


def played(state: State) -> bool:
    """1.0, 2.7 Whether the scenario has replacements: only the campaign does."""
    return state.scenario == "campaign"


def rebuilding_cost(unit: Unit) -> int:
    """13.0 The landing points for rebuilding a unit."""
    return TWICE * unit.counter.pe[0] or CHARTS.replacement.zero_pe_rebuild


@dataclass
class Replacements:
    """What one side may replace and rebuild at the end of a turn, and what it has replaced already."""

    state: State
    side: Side
    replaced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        enemies = zones.occupied(self.state, ENEMY[self.side])
        self.too_near = GRID.flood(enemies, steps=CHARTS.replacement.distance) if enemies else 0

    # --- steps ---

    def fault(self, unit: Unit) -> NotAllowed | None:
        """13.0 Why a unit gets no step back now, however many there are."""
        if not played(self.state):
            return NotAllowed("only the campaign has replacements", "13.0")
        if unit.side != self.side or unit.place != "map" or unit.hq:
            return NotAllowed(f"{unit.id} is not one of your combat units on the map", "13.0")
        if not unit.lost:
            return NotAllowed(f"{unit.id} is at full strength", "13.0")
        if unit.id in self.replaced:
            return NotAllowed(f"{unit.id} has already had a step back this turn", "13.0")
        if unit.acted:
            return NotAllowed(f"{unit.id} has already moved or fought this turn", "13.0")
        if unit.unsupplied:
            return NotAllowed(f"{unit.id} is out of supply", "13.0")
        if self.too_near >> GRID.index(unit.placed) & 1:
            return NotAllowed(f"{unit.id} is within {CHARTS.replacement.distance} hexes of the enemy", "13.0")
        return self.crowding([unit])

    def crowding(self, units: Sequence[Unit]) -> NotAllowed | None:
        """3.1, E1 Why these units may not have a step more each: their hex would hold too much.
        None if they may."""
        for hex in dict.fromkeys(unit.placed for unit in units):
            grown = [replace(u, lost=u.lost - 1) if u in units else u for u in self.state.at(hex)]
            if not stacking.fits(grown):
                return NotAllowed(f"{hex} would exceed the stacking limit: {stacking.in_words()}", "3.1")
        return None

    def steps_left(self, motor: bool) -> int:
        """13.0 The steps that the Germans have left this turn for motorised units, or for those on foot."""
        chart = CHARTS.replacement
        given = sum(self.state.units[id].counter.motor == motor for id in self.replaced)
        return (chart.motor_steps if motor else chart.foot_steps) - given

    def eligible(self) -> list[Unit]:
        """13.0 The units that can get a step now."""
        if not played(self.state):
            return []
        able = [unit for unit in self.state.on_map(self.side) if unit.lost and self.fault(unit) is None]
        return [unit for unit in able if self._to_be_had(unit)]

    def _to_be_had(self, unit: Unit) -> bool:
        """13.0 Whether there is a step left for such a unit."""
        if self.side == "german":
            return self.steps_left(unit.counter.motor) > 0
        return reinforcement.capacity_for(self.state, unit.army) >= STEP_PE

    def check(self, ids: Sequence[str]) -> None:
        """Refuse steps that 13.0 does not give. Raises NotAllowed."""
        legal = tuple(f"replace {unit.id}" for unit in self.eligible())
        units = [self._named(id, legal) for id in dict.fromkeys(ids)]
        fault = next(filter(None, map(self.fault, units)), None) or self.crowding(units)
        if fault:
            raise NotAllowed(fault.text, fault.case, legal=legal)
        if self.side == "allied":
            self._afford({unit.id: STEP_PE for unit in units}, legal)
            return
        for motor, what in ((True, "motorised units"), (False, "units on foot")):
            wanted = sum(unit.counter.motor == motor for unit in units)
            if wanted > (left := self.steps_left(motor)):
                text = f"{count(wanted, 'step')} for {what}, but {left} left this turn"
                raise NotAllowed(text, "13.0", legal=legal)

    def _afford(self, costs: Mapping[str, int], legal: Sequence[str]) -> None:
        """13.0, 14.0 Refuse what the landing capacity cannot pay: unit -> points. Each army has its beaches,
        both have the ports."""
        wanted = dict.fromkeys(FLAGS, 0)
        for id, points in costs.items():
            wanted[self.state.units[id].army] += points
        both: dict[str, None] = {}
        for army in FLAGS:
            sites = reinforcement.open_sites(self.state, army)
            both |= dict.fromkeys(sites)
            self._afford_at(list(sites), wanted[army], f"{army.upper()} units", legal)
        self._afford_at(list(both), sum(wanted.values()), "both armies", legal)

    def _afford_at(self, sites: Sequence[str], points: int, whom: str, legal: Sequence[str]) -> None:
        left = sum(self.state.capacity[site] for site in sites)
        if points > left:
            text = f"{count(points, 'landing point')} needed for {whom}, but {left} left"
            raise NotAllowed(text, "13.0", legal=legal)

    def _named(self, id: str, legal: Sequence[str]) -> Unit:
        return self.state.own(id, of_side(self.side), "13.0", legal=legal)

    def replace(self, ids: Sequence[str]) -> None:
        """13.0 Give these units a step each."""
        units = [self.state.units[id] for id in dict.fromkeys(ids)]
        for unit in units:
            unit.lost -= 1
            self.replaced.append(unit.id)
            if self.side == "allied":
                reinforcement.draw(self.state, unit.army, STEP_PE)
        names = tuple(unit.id for unit in units)
        pe = STEP_PE * len(units) if self.side == "allied" else 0
        self.state.note(Replaced(case="13.0", side=self.side, names=names, pe=pe))

    # --- rebuilt units ---

    def lost_units(self) -> list[Unit]:
        """13.0 The destroyed Allied units that there is capacity to rebuild, one at a time."""
        if self.side == "german" or not played(self.state):
            return []
        dead = [unit for unit in self.state.units.values() if self._destroyed(unit)]
        room = {army: reinforcement.capacity_for(self.state, army) for army in FLAGS}
        return [unit for unit in dead if rebuilding_cost(unit) <= room[unit.army]]

    def _destroyed(self, unit: Unit) -> bool:
        return unit.side == self.side and unit.place == "dead" and not unit.hq

    def check_rebuilding(self, ids: Sequence[str]) -> None:
        """Refuse units that 13.0 does not allow to be rebuilt. Raises NotAllowed."""
        legal = tuple(f"rebuild {unit.id}" for unit in self.lost_units())
        if not played(self.state):
            raise NotAllowed("only the campaign has rebuilt units", "13.0")
        units = [self._named(id, legal) for id in dict.fromkeys(ids)]
        for unit in units:
            if not self._destroyed(unit):
                raise NotAllowed(f"{unit.id} is not destroyed, or is a headquarters", "13.0", legal=legal)
        self._afford({unit.id: rebuilding_cost(unit) for unit in units}, legal)

    def rebuild(self, ids: Sequence[str]) -> None:
        """13.0 Rebuild units at full strength: they are paid for and wait for phase B
        of the next turn."""
        for id in dict.fromkeys(ids):
            unit = self.state.units[id]
            cost = rebuilding_cost(unit)
            reinforcement.draw(self.state, unit.army, cost)
            unit.place, unit.lost, unit.unsupplied, unit.paid, unit.phase = "reserve", 0, False, True, ""
            self.state.note(Rebuilt(case="13.0", name=unit.id, pe=cost))
