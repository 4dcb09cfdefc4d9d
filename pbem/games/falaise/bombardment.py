"""Bombardment (8.0): Allied airstrikes (8.3) and artillery (8.2) disrupt German units,
and sometimes their own (8.4).

All orders are in one section and carried out line by line. A strike or a shelling rolls one die,
and one more for each Allied hex adjacent to its target where friendly fire threatens. In a solitaire game
dice choose the targets (13.1, solitaire.py).

Of one disrupted unit in a stack, its own side chooses which (8.1); of an Allied one hit by friendly fire,
the Germans do (8.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.engine.desk import Desk, write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.play import Roll
from pbem.engine.tally import Tally
from pbem.games.falaise import preview, ratings, solitaire
from pbem.games.falaise.assault import UnitHit
from pbem.games.falaise.notes import Airstrikes, Bombarded, DisruptedBy, FriendlyFire
from pbem.games.falaise.orders import Bombard, Strike
from pbem.games.falaise.state import State, Unit
from pbem.games.falaise.tables import (
    ALLIED_COMMANDS,
    CHARTS,
    COMMAND_NAMES,
    GRID,
    MAP,
    Bombs,
    Hex,
    Nation,
    place_name,
)

AIR = "air"
"""Stands for a command where aircraft bombard."""
POLES = "Pol"
US_GUNS = ("7C", "15C")
"""8.2 The commands whose guns do not fire at hexes adjacent to other nations."""
COMMONWEALTH: tuple[Nation, ...] = ("british", "canadian", "polish")
"""11.9.1 The nations of the Commonwealth forces, the Poles included."""
SHOWN = 5


async def bombardment(state: State) -> None:
    """8.1 The number of airstrikes, then airstrikes and guns in any order;
    orders are asked for only if there is something to fire with, and at."""
    await availability(state)
    if state.solitaire:
        await by_dice(state)
    else:
        await by_orders(state)
    state.airstrikes = 0


async def availability(state: State) -> None:
    """8.3 By day a die gives the number of airstrike markers, at most six; 12.3 at least three,
    under a sunny sky."""
    chart = CHARTS.bombardment
    state.airstrikes = 0
    if not state.day:
        return
    die = await Roll(case="8.3", what="airstrikes available")
    least = chart.sunny_airstrikes if state.on("sunny_skies") else 0
    state.airstrikes = min(chart.airstrikes, max(die, least))
    case = "12.3" if state.airstrikes > die else "8.3"
    state.note(Airstrikes(case=case, roll=state.rolls, die=die, number=state.airstrikes))


async def by_orders(state: State) -> None:
    """8.2 Airstrikes and guns in the order in which they are written."""
    desk = Bombardment(state)
    if desk.subjects():
        await write(desk)


async def by_dice(state: State) -> None:
    """13.1 The system's bombardment: all airstrikes are placed before the first is flown;
    then command after command chooses and fires."""
    for hex in await solitaire.air_targets(state):
        await bombard(state, AIR, hex)
    for command in ALLIED_COMMANDS:
        open_to = open_hexes(state, command)
        targets = [unit for unit in state.on_map("german") if open_to >> GRID.index(unit.placed) & 1]
        if targets and (unit := await solitaire.gun_target(state, command, targets)):
            await bombard(state, command, unit.placed)


# --- who may fire at what --------------------------------------------------------------------------------


def in_range(state: State, command: str) -> int:
    """8.2, 11.7 The hexes within range of the guns of a command, counted from any of its units;
    by day further from a crest."""
    chart = CHARTS.bombardment
    reach = chart.polish_range if command == POLES else chart.range
    found = 0
    for hex in dict.fromkeys(unit.placed for unit in state.command_of(command)):
        crest = state.day and MAP.has(hex, "crest")
        found |= GRID.within(hex, reach + chart.crest_range if crest else reach)
    return found


def barring(state: State) -> list[Unit]:
    """8.2, 12.4 The Allied units adjacent to which US guns do not fire: those of another nation with no US
    unit in their hex. Under better co-ordination the Commonwealth no longer counts; the French still do."""
    allies = state.on_map("allied")
    cleared = {unit.hex for unit in allies if unit.counter.nation == "us"}
    free = COMMONWEALTH if state.on("better_coordination") else ()
    return [unit for unit in allies if unit.hex not in cleared and unit.counter.nation not in free]


def open_hexes(state: State, command: str) -> int:
    """8.2 The hexes at which the guns of a command may fire, if Germans are there."""
    reach = in_range(state, command)
    if command in US_GUNS:
        reach &= ~GRID.spread(GRID.bits(unit.placed for unit in barring(state)))
    return reach


def artillery_fault(state: State, command: str, hex: Hex) -> NotAllowed | None:
    """8.2 Why the guns of a command may not fire at a hex, None if they may."""
    if not in_range(state, command) >> GRID.index(hex) & 1:
        name = COMMAND_NAMES[command]
        return NotAllowed(f"{place_name(hex)} is out of range of every unit of the {name}", "8.2")
    near = [unit for unit in barring(state) if GRID.are_neighbours(unit.placed, hex)]
    if command in US_GUNS and near:
        return NotAllowed(f"US guns do not fire at a hex adjacent to {near[0].id} ({near[0].placed})", "8.2")
    return None


# --- what comes of it -------------------------------------------------------------------------------------


def modifiers(state: State, by: str, hex: Hex) -> Tally:
    """8.1 What changes the die of a bombardment; `by` is air or a command."""
    tally = Tally()

    def count(key: str, holds: bool) -> None:
        if holds:
            modifier = CHARTS.modifier[key]
            tally.add(modifier.value, modifier.case, modifier.why)

    count("polish", by == POLES)
    count("night_guns", by != AIR and not state.day)
    count("bombed_cover", CHARTS.terrain[MAP.terrain(hex)].cover)
    return tally


def chart_of(by: str) -> Bombs:
    """8.2, 8.3 The totals from which a bombardment disrupts."""
    return CHARTS.bombardment.airstrike if by == AIR else CHARTS.bombardment.artillery


def endangers_friends(state: State, by: str) -> bool:
    """8.4 Whether friendly fire threatens: from the air always, from guns by night."""
    return by == AIR or not state.day


async def bombard(state: State, by: str, hex: Hex) -> None:
    """8.1 One airstrike, or the guns of a command, against a hex."""
    chart = chart_of(by)
    tally = modifiers(state, by, hex)
    what = f"airstrike on {hex}" if by == AIR else f"{by} guns on {hex}"
    die = await Roll(case="8.1", what=what)
    roll, total = state.rolls, die + tally.total
    result = "all" if total >= chart.all else "one" if total >= chart.one else "none"
    open_to = [unit for unit in state.at(hex) if not unit.disrupted]
    choice = result == "one" and len(open_to) > 1
    hit = [] if choice or result == "none" else open_to
    disrupt(hit)
    state.note(
        Bombarded(
            case="8.3" if by == AIR else "8.2",
            roll=roll,
            by=by,
            hex=hex,
            parts=tuple(tally.parts),
            die=die,
            total=total,
            result=result,
            disrupted=tuple(unit.id for unit in hit),
            among=tuple(unit.id for unit in open_to) if choice else (),
        )
    )
    if choice:
        await one_of(state, "8.1", "disrupt", hex, open_to)
    if endangers_friends(state, by):
        await friendly_fire(state, hex)


async def friendly_fire(state: State, target: Hex) -> None:
    """8.4 For each hex with Allies adjacent to the target a die: on 1 to 3 one of them is disrupted, as the
    Germans choose. Where all of them are already disrupted no die is rolled."""
    for hex in MAP.neighbours(target):
        open_to = [unit for unit in state.at(hex) if unit.side == "allied" and not unit.disrupted]
        if not open_to:
            continue
        die = await Roll(case="8.4", what=f"friendly fire at {hex} from {target}")
        struck = die <= CHARTS.bombardment.friendly_fire
        choice = struck and len(open_to) > 1
        hit = open_to if struck and not choice else []
        disrupt(hit)
        names = tuple(unit.id for unit in hit)
        among = tuple(unit.id for unit in open_to) if choice else ()
        state.note(
            FriendlyFire(
                case="8.4", roll=state.rolls, hex=hex, target=target, die=die, disrupted=names, among=among
            )
        )
        if choice:
            await one_of(state, "8.4", "friendly fire", hex, open_to)


async def one_of(state: State, case: str, kind: str, hex: Hex, units: Sequence[Unit]) -> None:
    """8.1, 8.4 One of these units of a hex is disrupted: the Germans say which, of their own
    and of the enemy's. The first option, the default, is the least of their own,
    or the best of the enemy's."""
    own = units[0].side == "german"
    ranked = sorted(units, key=lambda unit: (unit.strength, ratings.ter(state, unit)), reverse=not own)
    by_name = {unit.id: unit for unit in ranked}
    answer = await UnitHit(
        case=case,
        what=f"who is disrupted at {hex}",
        seat="german",
        kind=kind,
        options=tuple(by_name),
        steps={unit.id: unit.steps for unit in ranked},
        says=lambda id: ratings.in_words(state, by_name[id]),
    )
    disrupt([by_name[answer]])
    why = "bombardment" if own else "friendly fire"
    state.note(DisruptedBy(case=case, names=(answer,), hex=hex, why=why))


def disrupt(units: Sequence[Unit]) -> None:
    for unit in units:
        unit.disrupted = True


# --- the orders ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Bombardment(Desk[Order]):
    """The bombardment phase while it is written."""

    case = "8.1"
    what = "bombardment"
    seat = "allied"
    section = "bombardment"
    takes = (Strike, Bombard)

    state: State
    fired: list[str] = field(default_factory=list)
    """The commands whose guns are done for the turn."""
    open: dict[str, int] = field(init=False)
    """Command -> the hexes at which its guns may fire; no unit moves in this phase."""

    def __post_init__(self) -> None:
        self.open = {command: open_hexes(self.state, command) for command in ALLIED_COMMANDS}

    def subjects(self) -> Sequence[str]:
        """The hexes that can be struck from the air, and the commands whose guns have a target."""
        germans = self.targets()
        struck = germans if self.state.airstrikes else []
        return [*struck, *(command for command in ALLIED_COMMANDS if self.gun_targets(command))]

    def targets(self) -> list[Hex]:
        """9.1 The hexes where a bombardment can do something: a unit there is not disrupted yet."""
        fit = (unit.placed for unit in self.state.on_map("german") if not unit.disrupted)
        return list(dict.fromkeys(fit))

    def gun_targets(self, command: str) -> list[Hex]:
        if command in self.fired:
            return []
        return [hex for hex in self.targets() if self.open[command] >> GRID.index(hex) & 1]

    def options(self, subject: str) -> Sequence[Order]:
        if subject in ALLIED_COMMANDS:
            return [Bombard(subject, hex) for hex in self.gun_targets(subject)]
        return [Strike(subject, number) for number in range(1, self.state.airstrikes + 1)]

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what 8.2 and 8.3 forbid. Raises NotAllowed; Overtaken when the die has given
        no airstrike for it."""
        match order:
            case Strike():
                self.check_strike(order)
            case Bombard():
                self.check_guns(order)

    def check_target(self, hex: Hex) -> None:
        if hex not in MAP:
            raise NotAllowed(f"{hex} is not on the map", "8.1")
        if not any(unit.side == "german" for unit in self.state.at(hex)):
            raise NotAllowed(f"there are no Germans in {place_name(hex)}", "8.1")

    def check_strike(self, order: Strike) -> None:
        if not self.state.day:
            raise NotAllowed("there are no airstrikes by night", "8.3")
        most = CHARTS.bombardment.airstrikes
        if not 1 <= order.number <= most:
            raise NotAllowed(f"there are at most {most} airstrikes a turn", "8.3")
        self.check_target(order.hex)
        if not self.state.airstrikes:
            raise Overtaken("no airstrikes are left this turn", "8.3")

    def check_guns(self, order: Bombard) -> None:
        command = order.command
        if command not in ALLIED_COMMANDS:
            raise NotAllowed(f"{command} has no guns that fire in this phase", "8.2", legal=self.legal(""))
        if command in self.fired:
            raise NotAllowed(f"the guns of {command} have already fired this turn", "8.2")
        self.check_target(order.hex)
        if fault := artillery_fault(self.state, command, order.hex):
            raise NotAllowed(fault.text, fault.case, legal=self.legal(command))

    def legal(self, command: str) -> tuple[str, ...]:
        """Some shellings that would be legal, by this command or by any."""
        commands = (command,) if command else ALLIED_COMMANDS
        found = [f"artillery {key} on {hex}" for key in commands for hex in self.gun_targets(key)]
        return tuple(found[:SHOWN])

    def settle(self, order: Order) -> Order:
        """An order for more airstrikes than are left uses those that are left."""
        if isinstance(order, Strike):
            return Strike(order.hex, min(order.number, self.state.airstrikes))
        return order

    # --- what comes of it ---

    def offer(self, order: Order) -> Offer:
        """8.1, 8.4 The chances of one strike, or of the guns."""
        match order:
            case Strike(hex):
                return self.outlook(AIR, hex)
            case Bombard(command, hex):
                return self.outlook(command, hex)
        return super().offer(order)

    def outlook(self, by: str, hex: Hex) -> Offer:
        state = self.state
        friends = endangers_friends(state, by)
        return preview.bombardment(state, hex, chart_of(by), modifiers(state, by, hex), friends=friends)

    async def carry_out(self, order: Order) -> None:
        match order:
            case Strike(hex, number):
                for _ in range(number):
                    self.state.airstrikes -= 1
                    await bombard(self.state, AIR, hex)
            case Bombard(command, hex):
                self.fired.append(command)
                await bombard(self.state, command, hex)
