"""D-Day (15.0): the parachute divisions drop, the first wave lands, the Germans react.

The Allied player writes for all of it at once: where commandos and special tanks land,
and what the ships fire at. Defaults fill in the rest, so that every unit lands somewhere.
Units that do not get ashore wait in the reserve for turn 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.play import Ask, Roll
from pbem.engine.wording import count
from pbem.games.normandy44 import (
    activation,
    administration,
    combat,
    control,
    losses,
    naval,
    odds,
    ports,
    preview,
    stacking,
    zones,
)
from pbem.games.normandy44.notes import Dropped, Landed, Repulsed, SetDown
from pbem.games.normandy44.orders import Assault, Attack, Guns, UseDefault
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, LAND, MAP, SCENARIOS, UNITS, Army, Hex, place_name

_D_DAY = SCENARIOS.campaign
DROPS: dict[str, Hex] = {drop.unit: drop.hex for drop in _D_DAY.drop}
"""15.0 Parachute divisions and their drop zones, in the order in which they jump."""
WAVE: dict[Hex, str] = {each.hexes[0]: each.unit for each in _D_DAY.assault if len(each.hexes) == 1}
"""15.0 Beach hexes and the division that attacks each: it takes up the three points of its beach."""
FIXED: dict[str, Hex] = {unit: hex for hex, unit in WAVE.items()} | DROPS
"""15.0 The divisions whose hexes the rules give."""
FREE: dict[str, tuple[Hex, ...]] = {each.unit: each.hexes for each in _D_DAY.assault if len(each.hexes) > 1}
"""15.0, E8 Commandos and special tanks, and where each of them may land."""
HISTORICAL: dict[str, Hex] = {"1SSB": "0907", "4SSB": "0809", "79a": "0710", "79b": "0808"}
"""Where they land by default."""
USUAL_GUNS = 2
"""Points of gunfire for each landing by default."""


async def landing(state: State) -> None:
    """15.0 Phase 1: the drop, one division after another, then the landings from west to east."""
    wave = FirstWave(state)
    await write(wave)
    for id, zone in DROPS.items():
        await drop(state, state.units[id], zone)
    for hex in wave.hexes():
        await assault(state, hex, wave.at(hex), wave.guns.get(hex, 0))


async def reaction(state: State) -> None:
    """15.0 Phase 2: Germans near the landings move by a hex and attack. Then D-Day is over;
    supply is not judged yet."""
    await activation.activate(state, "german", "reaction")
    ports.end_turn(state)
    administration.reset(state)


# --- what the Allies write ------------------------------------------------------------------------------


class FirstWave(Desk[Order]):
    """The plan of the landings: who lands where with the divisions, and the points of naval
    gunfire for each hex."""

    case = "15.0"
    seat = "allied"
    section = "landing"
    takes = (Assault, Guns, UseDefault)
    what = "the first wave"

    def __init__(self, state: State) -> None:
        self.state = state
        self.chosen: dict[str, Hex] = {}
        self.guns: dict[Hex, int] = {}

    def hexes(self) -> list[Hex]:
        """The hexes where units land, from west to east."""
        return sorted({*WAVE, *self.chosen.values()}, key=_from_west)

    def at(self, hex: Hex, without: Iterable[str] = ()) -> list[Unit]:
        """The units that land in a hex, its division first."""
        free = [id for id, goal in self.chosen.items() if goal == hex and id not in without]
        return [self.state.units[id] for id in ([WAVE[hex]] if hex in WAVE else []) + free]

    def points(self, hex: Hex) -> int:
        """12.0 Points of gunfire that are left for a hex, what it has been given counted in."""
        army = _army(hex)
        promised = sum(n for other, n in self.guns.items() if other != hex and _army(other) == army)
        return naval.left(self.state, army) - promised

    # --- what is possible ---

    def room(self, hex: Hex) -> int:
        """3.1 The stacking points for which a hex has room beside those that land there."""
        return stacking.room(self.at(hex))

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    def check(self, order: Order | None) -> None:
        """15.0 Refuse what cannot land there, and gunfire that there is not."""
        if isinstance(order, Assault):
            self._check_assault(order)
        elif isinstance(order, Guns):
            self._check_guns(order)

    def _check_assault(self, order: Assault) -> None:
        for id in order.units:
            if FIXED.get(id) == order.hex:
                continue  # it lands there anyway
            if id in FIXED:
                where = place_name(FIXED[id])
                raise NotAllowed(f"{id} lands at {where} by the rules", "15.0", legal=tuple(FREE))
            if id not in FREE:
                raise NotAllowed(f"{id} does not land on D-Day", "15.0", legal=tuple(FREE))
            if order.hex not in FREE[id]:
                raise NotAllowed(f"{id} cannot land at {place_name(order.hex)}", "E8", legal=FREE[id])
        chosen = [id for id in order.units if id in FREE]
        if chosen and not stacking.fits(self._with(order)):
            names = ", ".join(unit.id for unit in self._with(order))
            where = place_name(order.hex)
            raise NotAllowed(
                f"{names} together exceed the stacking limit of {where}: {stacking.in_words()}",
                "3.1",
                legal=[hex for hex in FREE[chosen[0]] if self._fits(chosen, hex)],
            )

    def _with(self, order: Assault) -> list[Unit]:
        chosen = [id for id in order.units if id in FREE]
        return self.at(order.hex, without=chosen) + [self.state.units[id] for id in chosen]

    def _fits(self, ids: Sequence[str], hex: Hex) -> bool:
        return stacking.fits(self._with(Assault(tuple(ids), hex)))

    def _check_guns(self, order: Guns) -> None:
        if order.hex not in self.targets():
            raise NotAllowed(
                f"no unit can land against Germans at {place_name(order.hex)}", "15.0", legal=self.targets()
            )
        if order.number > self.points(order.hex):
            raise NotAllowed(
                f"{count(order.number, 'point')} on {order.hex}, but {self.points(order.hex)} left", "12.0"
            )

    def targets(self) -> list[Hex]:
        """15.0 German hexes in which a unit lands, or may land."""
        possible = {*WAVE, *(hex for hexes in FREE.values() for hex in hexes)}
        held = zones.held(self.state, "german")
        return sorted((hex for hex in possible if held >> GRID.index(hex) & 1), key=_from_west)

    def subjects(self) -> list[str]:
        return [UseDefault().verb, *FREE, *self.targets()]

    def options(self, subject: str) -> list[Order]:
        if subject in FREE:
            return [Assault((subject,), hex) for hex in FREE[subject] if self._fits((subject,), hex)]
        if subject in self.targets():
            return [Guns(number, subject) for number in range(self.points(subject) + 1)]
        return [UseDefault()]

    def offer(self, order: Order) -> Offer:
        """15.0 The odds of a landing with all that are to land there, and the chance of gunfire."""
        match order:
            case Assault(_, hex) if (wave := self._with(order)) and odds.opposed(self.state, hex, "allied"):
                return preview.results(hex, odds.outlook(self.state, "allied", hex, wave, landing=True))
            case Guns(number, hex):
                return preview.gunfire(hex, number, beach=True)
        return super().offer(order)

    def carry_out(self, order: Order) -> None:
        match order:
            case Assault(units, hex):
                self.chosen.update((id, hex) for id in units if id in FREE)
            case Guns(number, hex):
                self.guns[hex] = number
            case UseDefault():
                self.fill_in()

    def close(self) -> None:
        self.fill_in()

    def fill_in(self) -> None:
        """15.0 Send units without orders to their historical hexes, if they fit; give landings without
        gunfire the usual points, as long as there are any."""
        for id, usual in HISTORICAL.items():
            if id not in self.chosen:
                first = (usual, *(hex for hex in FREE[id] if hex != usual))
                self.chosen[id] = next(hex for hex in first if self._fits((id,), hex))
        for hex in self.hexes():
            if hex in self.targets() and hex not in self.guns:
                self.guns[hex] = min(USUAL_GUNS, self.points(hex))


def _from_west(hex: Hex) -> tuple[int, str]:
    return GRID.places[GRID.index(hex)][0], hex


def _army(hex: Hex) -> Army:
    """11.2 Whose ships lie off a hex: only commandos land outside the beaches of the divisions."""
    return UNITS[WAVE[hex]].army if hex in WAVE else "uk"


# --- the drop -------------------------------------------------------------------------------------------


async def drop(state: State, unit: Unit, zone: Hex) -> None:
    """15.0 A division comes down on its zone, or scatters by a hex and may lose a step.
    On Germans it attacks at once; if it does not take the hex it is set down beside it."""
    chart = CHARTS.drop
    die = await Roll(case="15.0", what=f"drop of {unit.id}")
    roll, total = state.rolls, die + (chart.american if unit.army == "us" else 0)
    direction, scatter, hex = "", 0, zone
    if total > chart.good_to:
        scatter = await Roll(case="15.0", what=f"scatter of {unit.id}")
        direction = chart.directions[scatter - 1]
        hex = GRID.toward(zone, direction) or zone
    step = total > chart.scatter_at
    unit.lost += step
    state.note(
        Dropped(
            case="15.0",
            roll=roll,
            name=unit.id,
            zone=zone,
            die=die,
            total=total,
            direction=direction,
            scatter_die=scatter,
            landed=hex,
            step=step,
        )
    )
    if state.holder(hex) != "german" or await combat.fight(state, "allied", hex, [unit], drop=True):
        if unit.place != "dead":
            put_ashore(state, [unit], hex)
    elif unit.place != "dead":
        await set_down(state, unit, hex)


async def set_down(state: State, unit: Unit, hex: Hex) -> None:
    """15.0 Parachutists that have not taken the hex they came down in are put next to it, where no enemy is;
    without such a hex they are lost."""
    options = tuple(
        near
        for near in MAP.neighbours(hex)
        if LAND >> GRID.index(near) & 1
        and state.holder(near) != "german"
        and stacking.fits([unit, *state.at(near)])
    )
    if not options:
        losses.destroy(state, unit, "no ground to come down on")
        return
    foes, zone = zones.zone(state, "german"), DROPS[unit.id]
    chosen = await Ask(
        case="15.0",
        what=f"where {unit.id} comes down beside {hex}",
        seat="allied",
        kind="set down",
        options=options,
        default=min(options, key=lambda near: (foes >> GRID.index(near) & 1, GRID.distance(near, zone))),
        intro=f"{unit.id} did not take {place_name(hex)}; its drop zone is {place_name(zone)}.",
        says=lambda near: "adjacent to the enemy" if foes >> GRID.index(near) & 1 else "",
    )
    state.note(SetDown(case="15.0", name=unit.id, hex=chosen))
    put_ashore(state, [unit], chosen)


# --- the landings ---------------------------------------------------------------------------------------


async def assault(state: State, hex: Hex, wave: Sequence[Unit], guns: int) -> None:
    """15.0 A landing: against Germans it is fought out first. Victors must come ashore;
    who does not, or finds no room, goes back to the reserve."""
    taken = state.holder(hex) != "german"
    if not taken:
        order = Attack(hex, tuple(unit.id for unit in wave), guns=guns)
        taken = await combat.fight(state, "allied", hex, list(wave), order=order, landing=True)
    ashore: list[Unit] = []
    back: list[Unit] = []
    for unit in wave:
        if unit.place != "dead":
            room = taken and stacking.fits([*state.at(hex), *ashore, unit])
            (ashore if room else back).append(unit)
    if ashore:
        put_ashore(state, ashore, hex)
        names = tuple(unit.id for unit in ashore)
        state.note(Landed(case="15.0", names=names, site=hex, pe=0, path=(hex,)))
    if back:
        for unit in back:
            unit.place, unit.phase = "reserve", "A"
        state.note(Repulsed(case="15.0", names=tuple(unit.id for unit in back), hex=hex))


def put_ashore(state: State, units: Iterable[Unit], hex: Hex) -> None:
    """15.0 Units that have won a hex stay in it and control it."""
    for unit in units:
        unit.place, unit.hex, unit.phase = "map", hex, ""
        control.entered(state, unit, (hex,))
