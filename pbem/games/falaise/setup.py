"""Setting up (3.1): first the Germans, then the Allies, each division on its stretch of the Starting Front
Line, but for those that the rule names; then the Germans lift up to six units, to set them down elsewhere
or to keep them off the map as unknown forces.

At any time of the set-up all units on the map are in legal hexes: an order that would leave
another unit where it may not be is refused. Units that are not placed are set up as in the example of
setup.toml, or in the nearest hex that is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.play import Roll
from pbem.games.falaise import preview, stacking, zone86
from pbem.games.falaise.notes import Deployed, Rated, Redeployed, Withheld
from pbem.games.falaise.orders import Place, Redeploy, UseDefault, Withhold
from pbem.games.falaise.ratings import PARENT
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import (
    CHARTS,
    GERMAN_EXIT,
    GRID,
    MAP,
    SETUP,
    UNITS,
    Counter,
    Hex,
    Side,
    place_name,
)
from pbem.games.falaise.victory import award
from pbem.wargame.counters import of_side

GERMAN_SIDE = MAP.without("front_line").flood(GRID.bits([GERMAN_EXIT]))
"""The hexes on the German side of the Starting Front Line."""
GROUND: dict[Side, int] = {
    "german": GERMAN_SIDE & ~zone86.ZONE,
    "allied": MAP.on_map & ~GERMAN_SIDE & ~zone86.EAST,
}
"""Where a side may be at all when the game begins: Germans not in the 86th Corps Zone,
Allies not east of the Withdrawal Line (11.4)."""

SECTORS = {sector.division: sector.hexes for sector in SETUP.sector}
SPECIAL = {id: special for special in SETUP.special for id in special.units}
LIFTED = 6
"""3.1 At most this many units are lifted after set-up, and"""
SET_DOWN = 2
"""at most this many of them are set down elsewhere."""
SHOWN = 5
"""At most this many legal hexes are listed in a refusal."""
APART: tuple[frozenset[str], ...] = (frozenset({"1", "9", "90"}),)
"""3.1 Divisions whose units are not set up adjacent to one another."""
ALONE = "80"
"""3.1 The division that is not set up adjacent to another Allied division."""

_RELATIVE = [id for relative in SETUP.relative for id in relative.units if id != PARENT]
"""3.1 The units that are set up beside others. The parent of Task Force Currie, listed with it,
has a sector of its own."""

Where = Mapping[str, Hex]
"""Unit -> where it is set up."""


@dataclass(frozen=True, slots=True)
class Beside:
    """3.1 A unit that is set up by the side of others: with one of its `hosts`, next to one, or either."""

    hosts: tuple[str, ...]
    how: Literal["with", "next to", "with or next to"]
    rule: str


def _beside(counter: Counter) -> Beside:
    """3.1 The units beside which one of the list of relative set-ups is set up:
    units of its corps that have a place of their own."""
    corps = [
        other
        for other in UNITS.values()
        if other.corps == counter.corps and other.id not in _RELATIVE and not other.later
    ]
    brigades = tuple(other.id for other in corps if other.regiment and other.symbol == "infantry")
    everybody = tuple(other.id for other in corps)
    match counter.id:
        case "Currie":
            return Beside((PARENT,), "with", f"with {PARENT}")
        case "29AB":
            return Beside(everybody, "next to", "adjacent to a unit of the 30th Corps")
        case "KG/Lehr" | "KG/1SS":
            return Beside(
                everybody, "with or next to", "with or adjacent to a unit of the 2nd Parachute Corps"
            )
        case _:
            return Beside(brigades, "with", f"with an infantry brigade of {counter.corps}")


BESIDE = {id: _beside(UNITS[id]) for id in _RELATIVE}


# --- the phases -----------------------------------------------------------------------------------------


def setup(scenario: str, options: Mapping[str, str]) -> State:
    """3.1 The state before the German set-up: no unit is on the map yet, all are at full strength."""
    units = {counter.id: Unit(counter.id, steps=counter.steps) for counter in UNITS.values()}
    return State(scenario=scenario, options=dict(options), turn=1, units=units)


async def set_up_german(state: State) -> None:
    """3.1 The German set-up."""
    await set_up(state, "german")


async def set_up_allied(state: State) -> None:
    """3.1 The Allied set-up, and the rating of the 80th Division (11.8)."""
    await set_up(state, "allied")
    await rate_80th(state)


async def set_up(state: State, side: Side) -> None:
    """3.1 A side is set up; units that its player does not place are filled in."""
    desk = SetUp(state, side)
    await write(desk)
    desk.fill_in()
    hexes = tuple(sorted({unit.placed for unit in state.on_map(side)}))
    state.note(Deployed(case="3.1", side=side, hexes=hexes))


async def rate_80th(state: State) -> None:
    """11.8 Half a die, rounded down, but 1 at least, is the TER of the US 80th Division."""
    die = await Roll(case="11.8", what="TER of the 80th Division")
    state.rating_80 = max(1, die // 2)
    state.note(Rated(case="11.8", roll=state.rolls, die=die, ter=state.rating_80))


async def redeployment(state: State) -> None:
    """3.1 After both set-ups the Germans lift up to six units: at most two are set down elsewhere,
    the others are unknown forces. Only the Germans see their names; more than four of them give
    the Allies a point (3.2)."""
    desk = Redeployment(state)
    await write(desk)
    if moved := desk.moved():
        state.note(Redeployed(case="3.1", moved=moved))
    if not (names := desk.withheld()):
        return
    state.note(Withheld(case="3.1", readers=("german",), number=len(names), names=names))
    state.note(Withheld(case="3.1", readers=("allied",), number=len(names)))
    if len(names) >= CHARTS.victory.withheld_from:
        award(state, "unknown forces", CHARTS.victory.withheld, "3.1")


# --- where a unit may be set up ---------------------------------------------------------------------------


def stack(state: State, where: Where, hex: Hex) -> list[Unit]:
    """The units that are set up in a hex."""
    return [state.units[id] for id, at in where.items() if at == hex]


def room(state: State, where: Where, id: str, hex: Hex) -> bool:
    """5.3 Whether a unit can stack with those that are set up in a hex."""
    others = [unit for unit in stack(state, where, hex) if unit.id != id]
    return stacking.fits([*others, state.units[id]])


def sector_is_full(state: State, where: Where, id: str) -> bool:
    """3.1 Whether the stacking rules leave a unit no room in the sector of its division."""
    return not any(room(state, where, id, hex) for hex in SECTORS[UNITS[id].division])


def behind(where: Where, id: str) -> list[Hex]:
    """3.1 Where a unit is set up whose sector is full: adjacent to a unit of its division in the sector;
    if the division has none there, next to the sector."""
    counter = UNITS[id]
    sector = SECTORS[counter.division]
    mates = [at for other, at in where.items() if UNITS[other].division == counter.division and other != id]
    fronts = [hex for hex in sector if hex in mates] or list(sector)
    area = GRID.spread(GRID.bits(fronts)) & GROUND[counter.side] & ~GRID.bits(sector)
    return list(GRID.named(area))


def beside(where: Where, id: str) -> list[Hex]:
    """3.1 Where a unit is set up that belongs beside others: in their hexes, next to them, or either."""
    rule = BESIDE[id]
    hosts = GRID.bits(where[host] for host in rule.hosts if host in where)
    area = GRID.spread(hosts) if rule.how != "with" else 0
    if rule.how != "next to":
        area |= hosts
    return list(GRID.named(area & GROUND[UNITS[id].side]))


def candidates(state: State, where: Where, id: str) -> Sequence[Hex]:
    """3.1 The hexes in which a unit may be set up as far as its own place goes,
    neighbours and stacking apart."""
    if id in SPECIAL:
        return SPECIAL[id].hexes
    if id in BESIDE:
        return beside(where, id)
    if sector_is_full(state, where, id):
        return behind(where, id)
    return SECTORS[UNITS[id].division]


def in_words(state: State, where: Where, id: str) -> str:
    """3.1 Where a unit is set up, in words."""
    if id in SPECIAL:
        return SPECIAL[id].rule
    if id in BESIDE:
        missing = not any(host in where for host in BESIDE[id].hosts)
        return BESIDE[id].rule + (", which is placed before it or in the same line" if missing else "")
    division = UNITS[id].division
    if sector_is_full(state, where, id):
        return f"adjacent to a unit of its division in the sector of {division}, which is full"
    return f"in the sector of {division}, {', '.join(SECTORS[division])}"


def too_close(where: Where, id: str) -> str:
    """3.1 The unit of another division beside which a unit may not be set up, "" if there is none."""
    division, side = UNITS[id].division, UNITS[id].side
    for other, at in where.items():
        theirs = UNITS[other].division
        if UNITS[other].side != side or theirs == division or GRID.distance(at, where[id]) > 1:
            continue
        if ALONE in (division, theirs) or any({division, theirs} <= group for group in APART):
            return other
    return ""


def place_fault(state: State, where: Where, id: str) -> NotAllowed | None:
    """3.1, 5.3 What is wrong with where a unit is set up, None if nothing is."""
    hex = where[id]
    if hex not in candidates(state, where, id):
        return NotAllowed(f"{id} is set up {in_words(state, where, id)}; {hex} is not there", "3.1")
    return company_fault(state, where, id)


def company_fault(state: State, where: Where, id: str) -> NotAllowed | None:
    """3.1, 5.3 Whether a unit is set up in a hex that has room,
    apart from those that it may not be next to."""
    hex = where[id]
    if not room(state, where, id, hex):
        others = ", ".join(unit.id for unit in stack(state, where, hex) if unit.id != id)
        return NotAllowed(f"{id} cannot stack with {others} in {place_name(hex)}", "5.3")
    if other := too_close(where, id):
        return NotAllowed(f"{id} may not be set up adjacent to {other} ({where[other]})", "3.1")
    return None


def left_alone(where: Where, id: str) -> bool:
    """3.1 Whether a unit that is set up already belongs beside others, and they are not there."""
    counter, hex = UNITS[id], where[id]
    if id in BESIDE:
        return hex not in beside(where, id)
    return id not in SPECIAL and hex not in SECTORS[counter.division] and hex not in behind(where, id)


def legal_hexes(state: State, where: Where, id: str) -> list[Hex]:
    """3.1 Every hex in which a unit may be set up with the others where they are."""
    found = candidates(state, where, id)
    return [hex for hex in found if not company_fault(state, {**where, id: hex}, id)]


@dataclass(slots=True)
class SetUp(Desk[Order]):
    """The set-up of one side while it is written: units are on the map as soon as they are placed."""

    case = "3.1"
    section = "set-up"
    takes = (Place, UseDefault)

    state: State
    seat: Side

    def where(self) -> dict[str, Hex]:
        """The hexes of the units of this side."""
        return {unit.id: unit.placed for unit in self.state.on_map(self.seat)}

    def open(self) -> list[Unit]:
        """The units that are still to be placed, those that belong beside others last."""
        found = [
            unit
            for unit in self.state.units.values()
            if unit.side == self.seat and unit.place == "later" and not unit.counter.later
        ]
        return sorted(found, key=lambda unit: unit.id in BESIDE)

    def subjects(self) -> Sequence[str]:
        found = [unit.id for unit in self.open()]
        return [*found, "default"] if found else []

    def options(self, subject: str) -> Sequence[Order]:
        if subject == "default":
            return [UseDefault()]
        return [Place((subject,), hex) for hex in legal_hexes(self.state, self.where(), subject)]

    def room(self, hex: Hex) -> int:
        """5.3 The room that is left in a hex."""
        return stacking.room(self.state, self.seat, hex)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what 3.1 and 5.3 forbid, and stopping while a unit is behind its sector for no reason.
        Raises NotAllowed."""
        if order is None:
            self.check_end()
        elif isinstance(order, Place):
            self.check_place(order)

    def check_place(self, order: Place) -> None:
        if order.hex not in MAP:
            raise NotAllowed(f"{order.hex} is not on the map", "3.1")
        ids = [self.named(id) for id in dict.fromkeys(order.units)]
        before = self.where()
        where = {**before, **dict.fromkeys(ids, order.hex)}
        for id in ids:
            if fault := place_fault(self.state, where, id):
                raise NotAllowed(fault.text, fault.case, legal=self.legal(id))
        for id in where:
            if id not in ids and left_alone(where, id) and not left_alone(before, id):
                rule = BESIDE[id].rule if id in BESIDE else "adjacent to a unit of its division"
                raise NotAllowed(f"{id} would be left alone at {where[id]}: it is set up {rule}", "3.1")

    def legal(self, id: str) -> tuple[str, ...]:
        """Some legal orders for a unit, those near its hex of the example first;
        if the units beside which it is set up are missing, how to place one of them first."""
        wanted = SETUP.example.hexes[id]
        others = {other: at for other, at in self.where().items() if other != id}
        hexes = sorted(legal_hexes(self.state, others, id), key=lambda hex: (GRID.distance(hex, wanted), hex))
        if not hexes and id in BESIDE:
            return ("default", *(f"place {host} at {SETUP.example.hexes[host]}" for host in BESIDE[id].hosts))
        return tuple(f"place {id} at {hex}" for hex in hexes[:SHOWN])

    def named(self, id: str) -> str:
        """The name of a unit that this seat sets up. Raises NotAllowed."""
        unit = self.state.own(id, of_side(self.seat), "3.1")
        if unit.counter.later:
            case = "11.5" if self.seat == "allied" else "11.4"
            raise NotAllowed(f"{id} is not set up: it arrives later", case)
        return id

    def check_end(self) -> None:
        """3.1 A unit is behind its sector only while the sector is full."""
        where = self.where()
        for id, hex in where.items():
            if id in SPECIAL or id in BESIDE or hex in SECTORS[UNITS[id].division]:
                continue
            if not sector_is_full(self.state, where, id):
                raise NotAllowed(f"there is now room for {id} in its sector", "3.1", legal=self.legal(id))

    # --- carrying out ---

    def carry_out(self, order: Order) -> None:
        """Place the units of a checked order; a later line for a unit moves it."""
        match order:
            case Place(units, hex):
                for id in units:
                    self.put(self.state.units[id], hex)
            case UseDefault():
                self.fill_in()

    def put(self, unit: Unit, hex: Hex) -> None:
        unit.place, unit.hex = "map", hex

    def fill_in(self) -> None:
        """3.1 Set up what is left: where the example has it, or in the nearest legal hex."""
        for unit in self.open():
            wanted = SETUP.example.hexes[unit.id]
            hexes = legal_hexes(self.state, self.where(), unit.id)
            self.put(unit, min(hexes, key=lambda hex: (GRID.distance(hex, wanted), hex)))


# --- redeployment and unknown forces --------------------------------------------------------------------


@dataclass(slots=True)
class Redeployment(Desk[Order]):
    """3.1 The changes that the Germans make to their set-up, while they are written."""

    case = "3.1"
    what = "redeployment and unknown forces"
    seat = "german"
    section = "redeployment"
    takes = (Withhold, Redeploy)

    state: State
    lifted: dict[str, Hex] = field(default_factory=dict)
    """The units that have been lifted, and the hex of each before."""

    def withheld(self) -> tuple[str, ...]:
        return tuple(id for id in self.lifted if self.state.units[id].place == "unknown")

    def moved(self) -> tuple[tuple[str, Hex, Hex], ...]:
        """The units that are set down elsewhere: (unit, from, to)."""
        units = ((self.state.units[id], hex) for id, hex in self.lifted.items())
        return tuple((unit.id, hex, unit.placed) for unit, hex in units if unit.place == "map")

    def subjects(self) -> Sequence[str]:
        if len(self.lifted) == LIFTED:
            return []
        return [unit.id for unit in self.state.on_map("german") if unit.id not in self.lifted]

    def options(self, subject: str) -> Sequence[Order]:
        found: list[Order] = [Withhold((subject,))]
        if len(self.moved()) < SET_DOWN:
            unit = self.state.units[subject]
            open_to = self.open_ground() & ~self.full(unit)
            found += [Redeploy((subject,), hex) for hex in GRID.named(open_to)]
        return found

    def full(self, unit: Unit) -> int:
        """5.3 The hexes that have no room for a unit, its own among them."""
        hexes = dict.fromkeys(other.placed for other in self.state.on_map("german"))
        return GRID.bits(
            hex for hex in hexes if hex == unit.hex or not stacking.fits([*self.state.at(hex), unit])
        )

    def open_ground(self) -> int:
        """3.1 Where units may be set down: the German side of the line, not next to an Allied unit,
        nor in the 86th Corps Zone (11.4); the ground east of the Withdrawal Line is on the German side."""
        allies = GRID.bits(unit.placed for unit in self.state.on_map("allied"))
        return GROUND["german"] & ~GRID.spread(allies)

    def room(self, hex: Hex) -> int:
        """5.3 The room that is left in a hex."""
        return stacking.room(self.state, self.seat, hex)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what 3.1 forbids. Raises NotAllowed."""
        if not isinstance(order, Withhold | Redeploy):
            return
        ids = [self.named(id) for id in dict.fromkeys(order.units)]
        more = [id for id in ids if id not in self.lifted]
        if len(self.lifted) + len(more) > LIFTED:
            left = LIFTED - len(self.lifted)
            raise NotAllowed(f"at most {LIFTED} units may be lifted: {left} left", "3.1")
        if isinstance(order, Redeploy):
            self.check_redeploy(ids, order.hex)

    def named(self, id: str) -> str:
        unit = self.state.own(id, of_side("german"), "3.1")
        if unit.place != "map" and id not in self.lifted:
            raise NotAllowed(f"{id} is not on the map", "3.1")
        return id

    def check_redeploy(self, ids: Sequence[str], hex: Hex) -> None:
        down = [id for id, _, _ in self.moved() if id not in ids]
        if len(down) + len(ids) > SET_DOWN:
            listed = f": {', '.join(down)} already" if down else ""
            legal = tuple(f"withhold {id}" for id in ids)
            raise NotAllowed(
                f"at most {SET_DOWN} units may be set down elsewhere{listed}", "3.1", legal=legal
            )
        if hex not in MAP or not GERMAN_SIDE >> GRID.index(hex) & 1:
            raise NotAllowed(f"{hex} is not on the German side of the Front Line", "3.1")
        if not GROUND["german"] >> GRID.index(hex) & 1:
            raise NotAllowed(f"{hex} is in the 86th Corps Zone, which is still closed", "11.4")
        near = [unit for unit in self.state.on_map("allied") if GRID.are_neighbours(unit.placed, hex)]
        if near:
            raise NotAllowed(f"{hex} is adjacent to {near[0].id} ({near[0].placed})", "3.1")
        others = [unit for unit in self.state.at(hex) if unit.id not in ids]
        if not stacking.fits([*others, *(self.state.units[id] for id in ids)]):
            raise NotAllowed(f"{', '.join(ids)} cannot stack in {place_name(hex)}", "5.3")

    # --- carrying out ---

    def carry_out(self, order: Order) -> None:
        """Lift the units of a checked order; a later line for a unit changes what becomes of it."""
        assert isinstance(order, Withhold | Redeploy)
        for id in dict.fromkeys(order.units):
            unit = self.state.units[id]
            if id not in self.lifted:
                self.lifted[id] = unit.placed
            if isinstance(order, Redeploy):
                unit.place, unit.hex = "map", order.hex
            else:
                unit.place, unit.hex = "unknown", None

    def remarks(self, order: Order) -> Iterable[str]:
        """3.1 How many units are withheld now, and what they cost."""
        return (preview.withheld(len(self.withheld())),) if isinstance(order, Withhold) else ()
