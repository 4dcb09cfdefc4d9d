"""The units under command in a series of increments (6.0): their points, and what they have done in it.

Combat and advance (combat.py, advance.py) read and update this; series.py has the orders that are possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.engine.errors import NotAllowed
from pbem.games.france44 import airborne, crossing
from pbem.games.france44.movement import Ground, walk
from pbem.games.france44.state import State, Unit
from pbem.games.france44.tables import TRACK, Hex, Side
from pbem.games.france44.track import Track, weaker


@dataclass
class Commanded:
    """The units of one series of increments; `unsupplied` are those that react without supply (11.5)."""

    state: State
    side: Side
    units: list[Unit]
    hq: Unit | None = None
    """The activated headquarters; none for a single piece."""
    unsupplied: frozenset[str] = frozenset()
    administrative: frozenset[str] = frozenset()
    track: Track = field(default_factory=Track)
    spent: dict[str, int] = field(default_factory=dict)
    """Points spent in the current box."""
    arrived: dict[str, int] = field(default_factory=dict)
    """Unit -> the number of the increment in which it came into its hex (9.1)."""
    advanced: dict[str, int] = field(default_factory=dict)
    """Unit -> the number of the increment in which it advanced into its hex (9.1)."""
    displaced: dict[str, int] = field(default_factory=dict)
    """Unit of the enemy -> the number of the increment in which it retreated into its hex (9.1)."""
    attacked: set[str] = field(default_factory=set)
    """Units that have attacked or been attacked in the current increment (8.0)."""
    crossed: set[str] = field(default_factory=set)
    """Units that have crossed the Rhine in boats: they have moved for this phase (12.8)."""
    heavy_here: bool = False
    """9.2 A heavy bomber marker has been used in the current increment."""
    tactical_here: int = 0
    """9.2 Tactical air markers used in the current increment."""

    def __post_init__(self) -> None:
        self.by_river = {
            unit.id for unit in self.units if not unit.hq and crossing.at_river(unit.placed)
        }  # 12.8 as the phase begins
        self._ground: Ground | None = None

    # --- the units ---

    @property
    def ground(self) -> Ground:
        if self._ground is None:
            self._ground = Ground(self.state, self.side)
        return self._ground

    def changed(self) -> None:
        """Pieces have moved: zones and costs are worked out anew when they are next needed,
        and rivers count again beside an airborne corps that has left its place (12.3)."""
        airborne.moved(self.state)
        self._ground = None

    def here(self) -> Iterator[Unit]:
        """The commanded units that are still on the map."""
        return (unit for unit in self.units if unit.place == "map")

    def allowance(self, unit: Unit) -> int:
        """6.0, 11.5 The column of the track that a unit uses."""
        return weaker(unit.piece.allowance) if unit.id in self.unsupplied else unit.piece.allowance

    def points(self, unit: Unit, box: int) -> int:
        """3.9, 5.3, 6.0 Movement points that a unit still has in a box."""
        most = TRACK[box].for_allowance(self.allowance(unit)) * (2 if unit.id in self.administrative else 1)
        return most - (self.spent.get(unit.id, 0) if box == self.track.box else 0)

    def may_attack(self, unit: Unit, box: int) -> bool:
        """5.3, 6.0 Whether a unit may attack in a box."""
        least = TRACK[box].attack
        return (
            bool(least)
            and self.allowance(unit) >= least
            and not unit.hq
            and unit.id not in self.administrative
        )

    def can_act(self, unit: Unit) -> bool:
        """6.0, 7.0, 8.0 Whether a unit can still do in the current box what is done in it:
        move, or attack the first time."""
        what, box = self.track.what, self.track.box
        if self.fault(unit) is not None:
            return False
        moves = what != "attack" and self.points(unit, box) > 0
        return moves or (what != "move" and self.may_attack(unit, box) and unit.id not in self.attacked)

    def fault(self, unit: Unit) -> NotAllowed | None:
        """4.7 Why a unit cannot be ordered, None if it can."""
        if unit not in self.units:
            return NotAllowed(
                f"{unit.id} is not under command", "4.7", legal=tuple(u.id for u in self.here())
            )
        if unit.place != "map":
            return NotAllowed(f"{unit.id} is no longer on the map", "7.0")
        if unit.id in self.crossed:
            return NotAllowed(f"{unit.id} has crossed the Rhine: that took all of its movement", "12.8")
        return None

    async def step_along(self, unit: Unit, hexes: Sequence[Hex], *, boats: bool = False) -> tuple[Hex, ...]:
        """7.0, 9.8 A piece goes from hex to hex as far as it gets; gives the hexes that it has been in."""
        been = await walk(self.ground, unit, hexes, boats=boats)
        if len(been) > 1:
            self.arrived[unit.id] = self.track.count
        self.changed()
        return been
