"""Offensive support (6.2): which units a supported headquarters brings into action in phase A,
and in which order they move (5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from pbem.engine.errors import NotAllowed
from pbem.games.normandy44 import supply
from pbem.games.normandy44.notes import Activated
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, UNITS, Army, Hex, Side

Room = tuple[Fraction, int]
"""Divisions and independent units."""


@cache
def counters_of(formation: str) -> int:
    """6.2 Of how many counters a division consists: three in an American armoured one."""
    return sum(counter.formation == formation for counter in UNITS.values())


def share(unit: Unit) -> Room:
    """6.2 What a unit takes of those that a headquarters may activate: a part of its division,
    or an independent unit."""
    if unit.counter.independent:
        return Fraction(0), 1
    return Fraction(1, counters_of(unit.counter.formation)), 0


@dataclass(slots=True)
class Group:
    """A supported headquarters as it stood at the start of the phase, and how many it may still activate.
    `area` are the hexes within its range that have a line of supply to it, as a set."""

    hq: str
    army: Army
    hex: Hex
    area: int
    left: Room


@dataclass
class Offensive:
    """6.2 Which headquarters has activated each unit in the phase A of one side.
    `last` is the headquarters whose units moved last, `done` those whose units may move no more."""

    state: State
    side: Side
    by: dict[str, str] = field(default_factory=dict)
    last: str = ""
    done: dict[str, None] = field(default_factory=dict)
    unlogged: dict[str, list[str]] = field(default_factory=dict)
    """Headquarters -> units that it has activated, and that the log does not name yet."""

    def __post_init__(self) -> None:
        chart = CHARTS.activation
        self._faults: dict[tuple[str, bool], NotAllowed | None] = {}
        self.groups: dict[str, Group] = {}
        for id in self.state.supported:
            unit = self.state.units[id]
            if unit.side == self.side and unit.place == "map":
                near = GRID.within(unit.placed, chart.range)
                area = near & supply.reached(self.state, unit.placed, self.side)
                room = Fraction(chart.divisions), chart.independents
                self.groups[id] = Group(id, unit.army, unit.placed, area, room)

    # --- who may act ---

    def fault(self, unit: Unit, *, moving: bool) -> NotAllowed | None:
        """5.1, 6.2 Why a unit on the map may not act, or not move, in this phase; None if it may.
        It stays the same until another unit acts."""
        key = unit.id, moving
        if key not in self._faults:
            self._faults[key] = self._find_fault(unit, moving)
        return self._faults[key]

    def _find_fault(self, unit: Unit, moving: bool) -> NotAllowed | None:
        try:
            self.plan([unit], moving=moving)
        except NotAllowed as fault:
            return fault
        return None

    def plan(self, units: Sequence[Unit], *, moving: bool, hq: str = "") -> dict[str, str]:
        """6.2 By which headquarters each of these units acts, one after another: that which has activated it,
        `hq` if it is given, that whose units moved last, or the nearest that can. Raises NotAllowed."""
        left = {key: group.left for key, group in self.groups.items()}
        last, done = self.last, dict(self.done)
        found: dict[str, str] = {}
        for unit in units:
            key = self._group_of(unit, hq) or self._choose(unit, left, hq, last, done if moving else {})
            if unit.id not in self.by and unit.id != key:
                left[key] = _less(left[key], share(unit))
            found[unit.id] = key
            if moving and key in done:
                raise self._too_late(unit, key, last)
            if moving and key != last:
                done |= {last: None} if last else {}
                last = key
        return found

    def _group_of(self, unit: Unit, hq: str) -> str:
        """The headquarters that a unit acts with in any case, "" if that is still to be settled.
        Raises NotAllowed."""
        if unit.hq:
            if unit.id not in self.groups:
                raise NotAllowed(f"{unit.id} has no offensive marker and cannot act in phase A", "6.2")
            if hq not in ("", unit.id):
                raise NotAllowed(f"{unit.id} is a headquarters: no other one can activate it", "6.2")
            return unit.id
        known = self.by.get(unit.id, "")
        if known and hq not in ("", known):
            raise NotAllowed(f"{unit.id} has already been activated by {known} in this phase", "6.2")
        return known

    def _choose(self, unit: Unit, left: dict[str, Room], hq: str, last: str, done: dict[str, None]) -> str:
        """A headquarters for a unit that has none yet. Raises NotAllowed."""
        if hq and hq not in self.groups:
            raise NotAllowed(f"{hq} has no offensive marker", "6.2", legal=tuple(self.groups))
        asked = [self.groups[hq]] if hq else list(self.groups.values())
        near = sorted(asked, key=lambda group: GRID.distance(unit.placed, group.hex))
        preferred = [group for group in near if group.hq == last] + [
            group for group in near if group.hq != last
        ]
        faults = [(group.hq, self._unable(group, unit, left[group.hq])) for group in preferred]
        able = [key for key, fault in faults if fault is None]
        if free := next((key for key in able if key not in done), ""):
            return free
        if able:
            raise self._too_late(unit, able[0], last)
        raise next(
            (fault for _, fault in faults if fault),
            NotAllowed(f"none of your headquarters has an offensive marker to activate {unit.id}", "6.2"),
        )

    def _unable(self, group: Group, unit: Unit, left: Room) -> NotAllowed | None:
        """6.2, 9.0 Why a headquarters cannot activate a unit, None if it can."""
        if unit.army != group.army:
            return NotAllowed(f"{group.hq} cannot activate {unit.id} of another army", "9.0")
        if not group.area >> GRID.index(unit.placed) & 1:
            chart = CHARTS.activation
            where = f"within {chart.range} hexes of {group.hq} and trace a supply line to it"
            return NotAllowed(f"{unit.id} in {unit.placed} must be {where}", "6.2")
        wanted = share(unit)
        if wanted[0] > left[0] or wanted[1] > left[1]:
            rest = f"{_mixed(left[0])} divisions and {left[1]} independent units"
            return NotAllowed(f"{group.hq} can activate only {rest} more: too few for {unit.id}", "6.2")
        return None

    def _too_late(self, unit: Unit, hq: str, last: str) -> NotAllowed:
        text = f"{unit.id} cannot move any more: units of {last} have moved since those of {hq}"
        return NotAllowed(text, "5.1")

    # --- acting ---

    def activate(self, plan: dict[str, str]) -> None:
        """6.2 Settle who is activated by whom."""
        self._faults.clear()
        for id, hq in plan.items():
            if id != hq and id not in self.by:
                group = self.groups[hq]
                group.left = _less(group.left, share(self.state.units[id]))
                self.by[id] = hq
                self.unlogged.setdefault(hq, []).append(id)

    def log(self) -> None:
        """6.2 Log who has been activated since the last of these notes, one for each headquarters."""
        for hq, names in self.unlogged.items():
            self.state.note(Activated(case="6.2", side=self.side, hq=hq, names=tuple(names)))
        self.unlogged.clear()

    def move(self, plan: dict[str, str]) -> None:
        """5.1 Units move: those of the headquarters before theirs have had their turn."""
        self.activate(plan)
        for hq in plan.values():
            if hq != self.last:
                if self.last:
                    self.done[self.last] = None
                self.last = hq


def _less(room: Room, by: Room) -> Room:
    return room[0] - by[0], room[1] - by[1]


def _mixed(number: Fraction) -> str:
    """A number of divisions as people write it: 2, 1 1/3, 2/3."""
    whole, rest = divmod(number, 1)
    return " ".join(str(part) for part in (whole, rest) if part) or "0"
