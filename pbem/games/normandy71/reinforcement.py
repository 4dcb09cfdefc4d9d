"""Reinforcements: Allied ones at the supply areas (INV.4), gliders, and by which hexes German ones enter
(OOB.R).

German reinforcements enter in their first movement phase, see movement.py. Units that do not enter are
withheld: they may enter by the same edges on any later turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.games.normandy71 import stacking, supply, victory, zones
from pbem.games.normandy71.notes import Landed, Lost
from pbem.games.normandy71.orders import Glide, Land
from pbem.games.normandy71.state import Hex, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, EDGES, EXITS, GRID, LAND

# --- German ---------------------------------------------------------------------------------------------


def entry_fault(state: State, unit: Unit, second: bool) -> NotAllowed | None:
    """OOB.R Why a unit that is not on the map yet cannot enter in this movement phase, None if it can."""
    if unit.side == "allied":
        return NotAllowed(f"{unit.id} is not ashore: it lands in the reinforcement phase", "INV.4")
    if not unit.edges:
        return NotAllowed(f"{unit.id} was not set up", "INV.1B")
    if second:
        return NotAllowed("reinforcements enter in the first movement phase", "OOB.R")
    if unit.arrives > state.turn:
        return NotAllowed(f"{unit.id} arrives on game-turn {unit.arrives}", "OOB.R")
    return None


@lru_cache(maxsize=32)
def entry_hexes(edges: tuple[str, ...], barred: int) -> tuple[Hex, ...]:
    """OOB.R The hexes along these edges that reinforcements may enter; `barred` are those that the enemy
    occupies or controls. All of them are in supply, being at the edge of the map (SUP.I)."""
    along = 0
    for edge, hexes in EDGES.items():
        if edge in edges:
            along |= hexes
    return GRID.named(along & ~barred)


@cache
def entry_cost(hex: Hex, motor: bool) -> int:
    """OOB.R Half points for entering the map: the cost of the first hex, of a road hex where a road
    enters."""
    return (CHARTS.road if hex in EXITS else CHARTS.ground(hex)).enter.halves(motor)


# --- Allied ---------------------------------------------------------------------------------------------


async def allied_reinforcement(state: State) -> None:
    """INV.4, SEQ Put reinforcements into the boxes of the supply areas; on game-turn 1 gliders land. The
    Allied player is always asked, because waiting units and open supply areas are secret."""
    await write(Landing(state))


@dataclass(eq=False)
class Landing(Desk[Order]):
    """The Allied reinforcement phase. `placed` are the units put into a box in this phase; they may still
    be put elsewhere."""

    case = "INV.4"
    seat = "allied"
    section = "reinforcement"
    takes = (Land, Glide)

    state: State
    placed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        held = zones.held(self.state, "german")
        self.areas = {
            beach: hex for beach, hex in supply.areas(self.state).items() if not held >> GRID.index(hex) & 1
        }
        self.closed = held | zones.zone(self.state, "german")

    def waiting(self) -> list[Unit]:
        """Reinforcements that may arrive: those of this turn and of earlier ones."""
        return [u for u in self.state.units.values() if self._fault(u) is None and u.id not in self.placed]

    def gliders(self) -> list[Unit]:
        """INV.4 Glider units that may land: on game-turn 1 only."""
        if self.state.turn != 1:
            return []
        return [u for u in self.state.units.values() if u.entry == "glider" and u.place == "later"]

    def _fault(self, unit: Unit) -> NotAllowed | None:
        if unit.side != "allied" or unit.entry != "reinforcement":
            return NotAllowed(f"{unit.id} is not a reinforcement", "INV.4")
        if unit.place != "later" and unit.id not in self.placed:
            return NotAllowed(f"{unit.id} has already arrived", "INV.4")
        if unit.arrives > self.state.turn:
            return NotAllowed(f"{unit.id} arrives on game-turn {unit.arrives}", "INV.4")
        return None

    def points_left(self, beach: str, without: Sequence[str] = ()) -> float:
        """INV.4 The strength that may still arrive at a supply area: 30 points in all on game-turn 1, later
        without limit."""
        if self.state.turn != 1:
            return float("inf")
        there = (id for id, box in self.placed.items() if box == beach and id not in without)
        return CHARTS.invasion.points - sum(self.state.units[id].strength for id in there)

    def landing_zone(self) -> int:
        """INV.4 Where gliders may land: within 4 hexes of a parachute unit, not on or adjacent to a
        German."""
        jumped = {u.placed for u in self.state.on_map("allied") if u.type == "paratroop"}
        return (
            GRID.flood(GRID.bits(jumped), steps=CHARTS.invasion.glider_range) & LAND & ~self.closed
            if jumped
            else 0
        )

    def subjects(self) -> tuple[str, ...]:
        landing = [
            unit.id
            for unit in self.waiting()
            if any(unit.strength <= self.points_left(beach) for beach in self.areas)
        ]
        gliding = [unit.id for unit in self.gliders()] if self.landing_zone() else []
        return (*landing, *gliding)

    def options(self, subject: str) -> Sequence[Order]:
        unit = self.state.units[subject]
        if unit.entry == "glider":
            free = (hex for hex in GRID.named(self.landing_zone()) if self._fits(unit, hex))
            return [Glide(subject, hex) for hex in free] if unit.place == "later" else []
        return [
            Land((subject,), beach)
            for beach in self.areas
            if unit.strength <= self.points_left(beach, (subject,))
        ]

    @staticmethod
    def _stays(unit: Unit) -> bool:
        """STK.A, INV.4, MOV.M Whether a unit cannot move away for a glider in the second movement phase."""
        return unit.type == "glider" or unit.never_supplied

    def _fits(self, unit: Unit, hex: Hex) -> bool:
        return stacking.within_limit(hex, [*self.state.at(hex), unit])

    def room(self, hex: Hex) -> int:
        """STK.A The room that is left for gliders in a hex. One without any may still be entered if others
        can leave it."""
        return stacking.room(hex, (unit for unit in self.state.at(hex) if unit.side == self.seat))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """Refuse an order that a rule forbids now. Raises NotAllowed."""
        if isinstance(order, Land):
            self._check_land(order)
        elif isinstance(order, Glide):
            self._check_glide(order)

    def _check_land(self, order: Land) -> None:
        units = [self.state.units.get(id) for id in dict.fromkeys(order.units)]
        for id, unit in zip(dict.fromkeys(order.units), units, strict=True):
            if unit is None:
                raise NotAllowed(f"{id} is not one of your units", "INV.4")
            if fault := self._fault(unit):
                raise fault
        beach = self._beach(order.beach)
        coming = sum(unit.strength for unit in units if unit)
        if coming > self.points_left(beach, order.units):
            left = self.points_left(beach, order.units)
            raise NotAllowed(
                f"at most {CHARTS.invasion.points} points may arrive at a supply area on game-turn 1: "
                f"{beach} has {left:g} left",
                "INV.4",
                legal=tuple(
                    f"land {order.units[0]} at {other}"
                    for other in self.areas
                    if coming <= self.points_left(other)
                ),
            )

    def _beach(self, word: str) -> str:
        """The live supply area named by its name or its number. Raises NotAllowed."""
        wanted = " ".join(word.split()).lower()
        name = next((beach for beach in BEACHES if wanted in (beach.lower(), beach.split()[0])), None)
        if name is None:
            raise NotAllowed(f"there is no beach {word}", "INV.4", legal=tuple(self.areas))
        if name not in self.areas:
            case = "SUP.H" if name in self.state.plan.supply else "INV.4"
            raise NotAllowed(f"{name} is not one of your open supply areas", case, legal=tuple(self.areas))
        return name

    def _check_glide(self, order: Glide) -> None:
        unit = self.state.units.get(order.unit)
        if unit is None or unit not in self.gliders():
            raise NotAllowed(f"{order.unit} is not a glider unit that can land now", "INV.4")
        if order.hex not in GRID or not LAND >> GRID.index(order.hex) & 1:
            raise NotAllowed(f"{order.hex} is not a land hex of the map", "INV.4")
        if not self.landing_zone() >> GRID.index(order.hex) & 1:
            text = (
                f"{order.hex} must be within 4 hexes of a parachute unit and not on or adjacent to a German"
            )
            raise NotAllowed(
                text, "INV.4", legal=tuple(f"glide {unit.id} to {o.hex}" for o in self._near(unit, order.hex))
            )
        if not stacking.within_limit(order.hex, [*filter(self._stays, self.state.at(order.hex)), unit]):
            raise NotAllowed(
                f"{order.hex} would exceed its stacking limit: {stacking.limit_in_words(order.hex)}", "STK.A"
            )

    def _near(self, unit: Unit, wanted: Hex) -> list[Glide]:
        found = [order for order in self.options(unit.id) if isinstance(order, Glide)]
        return sorted(found, key=lambda order: (GRID.distance(order.hex, wanted), order.hex))[:3]

    def offer(self, order: Order) -> Offer:
        """STK.A Where units land, and a warning about a glider that lands where other units must move on."""
        if isinstance(order, Land):
            return Offer(BEACHES[self._beach(order.beach)])
        if not isinstance(order, Glide):
            return super().offer(order)
        until = "until some of its units move on in the second movement phase"
        told = f"{order.hex} exceeds its stacking limit {until} [STK.A]"
        return Offer(order.hex, told=() if self._fits(self.state.units[order.unit], order.hex) else (told,))

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        if isinstance(order, Land):
            for id in dict.fromkeys(order.units):
                unit = self.state.units[id]
                unit.place, unit.beach = "box", self._beach(order.beach)
                self.placed[id] = unit.beach
        elif isinstance(order, Glide):
            unit = self.state.units[order.unit]
            unit.place, unit.hex = "map", order.hex
            victory.pass_through(self.state, unit.side, (order.hex,))  # VIC.C
            self.state.note(
                Landed(case="INV.4", side="allied", names=(unit.id,), hex=order.hex, how="glider")
            )

    def close(self) -> None:
        """INV.4 Gliders land on game-turn 1 or, like parachute units that do not jump (PAR.A), never."""
        for unit in self.gliders():
            unit.place = "lost"
            self.state.note(
                Lost(case="INV.4", readers=("allied",), side="allied", name=unit.id, hex="", why="drop")
            )
