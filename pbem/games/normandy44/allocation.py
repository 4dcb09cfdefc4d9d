"""Allocation (2.3, 2.4, 10): offensive markers go to headquarters, fighters and bombers to their missions,
then the initiative is known.

Both sides write at the same time and see each other's choices when both are done;
by the option `allocation` the Allies are first and the Germans see what they have chosen, as 2.3 has it.
The reinforcements of the turn (2.5) are laid out before: nothing in their phase depends on what is allocated,
and both sides can write the whole turn in one letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed
from pbem.engine.language import Order
from pbem.engine.wording import count
from pbem.games.normandy44 import carpet, ports, reinforcement, supply
from pbem.games.normandy44.desk import SideDesk
from pbem.games.normandy44.notes import AirPlan, Capacity, Initiative, Supported
from pbem.games.normandy44.orders import Carpet, Cover, Delay, Interdict, Support
from pbem.games.normandy44.state import SIDES, State, Unit
from pbem.games.normandy44.tables import AIR_ZONES, BOX_NAMES, CHARTS, GRID, Army, Hex, Side, Sky, box_of

FLYING: tuple[Army, ...] = ("us", "uk")
CARPET_TURNS: dict[Army, int] = {"uk": 7, "us": 8}
"""S2 The turn on which each army carpet bombs in Cobra."""
NO_SKY = CHARTS.weather.adverse
ONE_FIGHTER = NO_SKY.model_copy(update={"us_fighters": 1, "source": "rulebook Scenario 1"})
"""S1 What flies before Cherbourg in clear weather."""
BOXES: tuple[str, ...] = tuple(dict.fromkeys(box_of(name).name for name in BOX_NAMES))


async def allocation(state: State) -> None:
    """1.0, 2.3 to 2.5 The reinforcements of the turn, then what both sides allocate, then the initiative."""
    state.craters.clear()
    state.targets.clear()
    lay_out(state)
    desks = [Allocation(state, side) for side in SIDES]
    if state.option("allocation") == "in order":
        for desk in desks:
            if desk.subjects():
                await write(desk)
            desk.reveal()
    else:
        await write(*(desk for desk in desks if desk.subjects()), secret=True)
        for desk in desks:
            desk.reveal()
    settle_initiative(state)


def lay_out(state: State) -> None:
    """2.5, 14.0 The reinforcement phase: units arrive, work on the ports goes on,
    the landing capacity is counted."""
    reinforcement.arrive(state)
    ports.begin_turn(state)
    state.capacity = ports.capacity(state)
    sites = tuple((name, points) for name, points in state.capacity.items() if points)
    state.note(Capacity(case="14.0", sites=sites))


def settle_initiative(state: State) -> None:
    """2.3 The side with more supported headquarters is player number one; the Allies if both have as many."""
    allied, german = (len(supported(state, side)) for side in SIDES)
    state.initiative = "german" if german > allied else "allied"
    state.note(Initiative(case="2.3", side=state.initiative, allied=allied, german=german))


# --- what there is to give ------------------------------------------------------------------------------


def supported(state: State, side: Side) -> list[str]:
    """2.3 The headquarters of a side with an offensive marker."""
    return [id for id in state.supported if state.units[id].side == side]


def sky(state: State) -> Sky:
    """2.4, S1 What flies in the weather of the turn; before Cherbourg one American fighter,
    and in clear weather only."""
    if not state.weather:
        return NO_SKY
    if state.scenario != "cherbourg":
        return CHARTS.weather.sky(state.weather)
    return ONE_FIGHTER if state.weather == "clear" else NO_SKY


def fighters(state: State, army: Army) -> int:
    """2.4 The fighters that an army has this turn."""
    found = sky(state)
    return found.us_fighters if army == "us" else found.uk_fighters


def fighters_left(state: State, army: Army | None = None) -> int:
    """10.1, 10.2 The fighters that have no mission yet, of an army or of both. Whose they are over the zones
    makes no difference: they are counted as those of the army that needs them less."""
    free = {each: fighters(state, each) for each in FLYING}
    for id, number in state.fighters.items():
        free[state.units[id].army] -= number
    spare = sum(free.values()) - len(state.interdicted)
    return spare if army is None else min(spare, free[army])


def bombers_left(state: State) -> int:
    """10.3, 10.4 The bombers that have no mission yet."""
    return sky(state).bombers - sum(state.bombers.values()) - len(state.targets)


# --- carpet bombing (10.3) --------------------------------------------------------------------------------


def carpet_armies(state: State) -> list[Army]:
    """10.3, S2 The armies whose bombers may carpet bomb now: once a game each;
    in Cobra the British not before turn 7 and the Americans not before turn 8."""
    if not carpet.allowed(state) or bombers_left(state) <= 0:
        return []
    planned = (*state.carpets, *state.targets.values())
    return [army for army in FLYING if army not in planned and state.turn >= _not_before(state, army)]


def _not_before(state: State, army: Army) -> int:
    """S2 The first turn on which the bombers of an army may carpet bomb."""
    return CARPET_TURNS[army] if state.scenario == "cobra" else 0


def carpet_targets(state: State) -> list[Hex]:
    """10.3 The German hexes that may still be carpet bombed."""
    return [hex for hex in GRID.named(carpet.targets(state)) if hex not in state.targets]


def carpets_due(state: State) -> list[Army]:
    """S2 The armies that must carpet bomb this turn, or as soon as there is weather and a target:
    each on its turn of Cobra."""
    if state.scenario != "cobra":
        return []
    able = carpet_armies(state)[: bombers_left(state)]
    return able if able and carpet_targets(state) else []


# --- one side's orders ------------------------------------------------------------------------------------


def _army(word: str) -> Army:
    return "uk" if word.lower() == "uk" else "us"


class Allocation(SideDesk):
    """What one side may allocate."""

    case = "2.3"
    section = "allocation"
    verbs = (Support, Cover, Interdict, Delay, Carpet)

    @property
    def offers(self) -> tuple[type[Order], ...]:
        """2.4 The orders that can be of use: no bombers are offered where none fly."""
        idle = {Delay: bombers_left(self.state) <= 0, Carpet: not carpet_armies(self.state)}
        return tuple(kind for kind in self.takes if not idle.get(kind, False))

    def reveal(self) -> None:
        """2.3, 2.4 Show both sides where the markers and aircraft are."""
        state = self.state
        names = tuple(supported(state, self.side))
        state.note(Supported(case="2.3", side=self.side, names=names, stock=state.markers[self.side]))
        if self.side == "allied":
            plan = AirPlan(
                case="2.4",
                fighters=tuple(state.fighters.items()),
                zones=tuple(state.interdicted),
                boxes=tuple(state.bombers.items()),
                carpets=tuple((hex, army) for hex, army in state.targets.items()),
            )
            state.note(plan)

    def carry_out(self, order: Order) -> None:
        """Do what a checked order says."""
        state = self.state
        match order:
            case Support(units):
                for id in dict.fromkeys(units):
                    if state.markers[self.side] and id not in state.supported:
                        state.supported.append(id)
                        state.markers[self.side] -= 1
            case Cover(id, number):
                state.fighters[id] = state.fighters.get(id, 0) + number
            case Interdict(zone):
                state.interdicted.append(zone)
            case Delay(name, number):
                box = box_of(name).name
                state.bombers[box] = state.bombers.get(box, 0) + number
            case Carpet(hex, army):
                state.targets[hex] = _army(army)

    def remarks(self, order: Order) -> Iterable[str]:
        """2.2, 2.4 What is left to allocate."""
        state = self.state
        left = [count(state.markers[self.side], "offensive marker")]
        if self.side == "allied":
            fighters = ", ".join(f"{army.upper()} {fighters_left(state, army)}" for army in FLYING)
            flown = f", {fighters_left(state)} in all" if state.interdicted else ""
            left += [f"fighters {fighters}{flown}", count(bombers_left(state), "bomber")]
        yield f"left: {'; '.join(left)} [2.3]"

    # --- what is possible ---

    def candidates(self) -> list[str]:
        """2.3 The headquarters that may be given a marker."""
        if not self.state.markers[self.side]:
            return []
        fed = supply.area(self.state, self.side)
        return [unit.id for unit in self.state.on_map(self.side) if unit.hq and not self.fault(unit, fed)]

    def fault(self, unit: Unit, fed: int) -> NotAllowed | None:
        """2.3, 8.3 Why a headquarters gets no marker, given the hexes in supply."""
        if not unit.hq or unit.side != self.side:
            return NotAllowed(f"{unit.id} is not one of your headquarters", "2.3")
        if unit.place != "map":
            return NotAllowed(f"{unit.id} is not on the map", "2.3")
        if unit.id in self.state.supported:
            return NotAllowed(f"{unit.id} already has a marker", "2.3")
        if unit.unsupplied:
            return NotAllowed(f"{unit.id} is out of supply and cannot get a marker", "8.3")
        if not fed >> GRID.index(unit.placed) & 1:
            return NotAllowed(f"{unit.id} cannot trace a line to a depot for its marker", "2.3")
        return None

    def subjects(self) -> Sequence[str]:
        return list(dict.fromkeys(self._subjects()))

    def _subjects(self) -> Iterator[str]:
        if self.side == "allied" and carpets_due(self.state):
            yield from carpet_targets(self.state)  # what must be done comes first
        if self.candidates():
            yield "support"
        if self.side == "german":
            return
        for unit in self.state.on_map("allied"):
            if unit.hq and fighters_left(self.state, unit.army) > 0:
                yield unit.id
        if fighters_left(self.state) > 0:
            yield from (zone for zone in AIR_ZONES if zone not in self.state.interdicted)
        if self._spare_bombers() > 0:
            yield from (box for box in BOXES if self.state.bombers.get(box, 0) < CHARTS.air.per_box)
        if carpet_armies(self.state):
            yield from carpet_targets(self.state)

    def options(self, subject: str) -> Sequence[Order]:
        state = self.state
        if subject == "support":
            return [Support((id,)) for id in self.candidates()]
        if subject in AIR_ZONES:
            return [Interdict(subject)]
        if subject in BOXES:
            room = CHARTS.air.per_box - state.bombers.get(subject, 0)
            return [Delay(subject, n) for n in range(1, min(room, self._spare_bombers()) + 1)]
        if unit := state.units.get(subject):
            return [Cover(subject, n) for n in range(1, fighters_left(state, unit.army) + 1)]
        return [Carpet(subject, army.upper()) for army in carpet_armies(state)]

    def _spare_bombers(self) -> int:
        """10.4, S2 The bombers that may fly against the track: those that need not carpet bomb."""
        return bombers_left(self.state) - len(carpets_due(self.state))

    # --- what is refused ---

    def check(self, order: Order | None) -> None:
        """Refuse what a rule forbids. Raises NotAllowed."""
        match order:
            case None:
                self._check_done()
            case Support(units):
                self._check_support(units)
            case Cover():
                self._check_cover(order)
            case Interdict():
                self._check_interdict(order)
            case Delay():
                self._check_delay(order)
            case Carpet():
                self._check_carpet(order)

    def settle(self, order: Order) -> Order:
        """10.3 The order in full: whose bombers strike."""
        if isinstance(order, Carpet) and not order.army:
            return replace(order, army=self._striker(order).upper())
        return order

    def _check_done(self) -> None:
        """S2 In Cobra both armies must carpet bomb."""
        if self.side == "german":
            return
        if due := carpets_due(self.state):
            army = due[0]
            legal = tuple(f"carpet {hex} with {army.upper()}" for hex in carpet_targets(self.state)[:5])
            raise NotAllowed(f"the {army.upper()} bombers must carpet bomb this turn", "S2", legal=legal)

    def _check_support(self, ids: tuple[str, ...]) -> None:
        fed = supply.area(self.state, self.side)
        legal = tuple(f"support {id}" for id in self.candidates())
        for id in dict.fromkeys(ids):
            unit = self.state.units.get(id)
            if unit is None:
                raise NotAllowed(f"{id} is not one of your headquarters", "2.3", legal=legal)
            if fault := self.fault(unit, fed):
                raise NotAllowed(fault.text, fault.case, legal=legal)
        if not self.state.markers[self.side]:
            raise NotAllowed("you have no offensive markers left", "2.2")

    def _check_cover(self, order: Cover) -> None:
        unit = self.state.units.get(order.unit)
        if unit is None or not unit.hq or unit.side != "allied" or unit.place != "map":
            legal = tuple(each.id for each in self.state.on_map("allied") if each.hq)
            raise NotAllowed(f"{order.unit} is not one of your headquarters on the map", "10.1", legal=legal)
        left = fighters_left(self.state, unit.army)
        if not 1 <= order.number <= left:
            legal = tuple(f"cover {unit.id} with {n} fighters" for n in range(1, left + 1))
            fighters = count(left, f"{unit.army.upper()} fighter")
            text = f"{fighters} left this turn, not {order.number}"
            raise NotAllowed(text, "10.1", legal=legal)

    def _check_interdict(self, order: Interdict) -> None:
        free = tuple(zone for zone in AIR_ZONES if zone not in self.state.interdicted)
        if order.zone not in free:
            what = "already has a fighter" if order.zone in AIR_ZONES else "is not an air zone"
            raise NotAllowed(f"{order.zone} {what}", "10.2", legal=tuple(f"interdict {z}" for z in free))
        army = _army(order.army) if order.army else None
        if fighters_left(self.state, army) <= 0:
            raise NotAllowed(f"no {order.army + ' ' if army else ''}fighters are left this turn", "10.2")

    def _check_delay(self, order: Delay) -> None:
        if order.box not in BOX_NAMES:
            legal = tuple(f"delay {box}" for box in BOXES)
            raise NotAllowed(f"{order.box} is not a box of the track", "10.4", legal=legal)
        box = box_of(order.box).name
        over = self.state.bombers.get(box, 0)
        most, left = CHARTS.air.per_box - over, self._spare_bombers()
        if not 1 <= order.number <= most:
            raise NotAllowed(f"{box} takes at most {CHARTS.air.per_box} bombers and has {over}", "10.4")
        if order.number > left:
            raise NotAllowed(f"{count(left, 'bomber')} left for the track this turn", "10.4")

    def _check_carpet(self, order: Carpet) -> None:
        army = self._striker(order)
        if fault := carpet.fault(self.state, order.hex, army):
            raise fault
        if order.hex in self.state.targets:
            raise NotAllowed(f"{order.hex} is already a target", "10.3")
        if army not in carpet_armies(self.state):
            case = "S2" if self.state.turn < _not_before(self.state, army) else "10.3"
            raise NotAllowed(f"the {army.upper()} bombers cannot carpet bomb this turn", case)

    def _striker(self, order: Carpet) -> Army:
        """10.3 The army whose bombers strike: as ordered, or the first that may."""
        return _army(order.army) if order.army else next(iter(carpet_armies(self.state)), "us")
