"""Operations (9.1 to 9.11, 9.16): the forces act one after another, in the order written. A line is one leg
of a force: it starts the force or continues its move, and leaves behind the units that it does not name.

One force is under way at a time; the game remembers which units have acted (9.9). A force is finished when it
is repulsed, or when its seat starts another one or closes its orders. The path of an order is worked out
when the order is read; its outcome depends on the battles. An order that battles have made void
is `Overtaken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pbem.engine.desk import write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.play import Ask, Roll
from pbem.engine.wording import count, percent
from pbem.games.rampage import airborne, control, defence, pockets, preview
from pbem.games.rampage.battle import DEFAULT_KILLS, Battle, battle_round, chances, outlook, sides, win_chance
from pbem.games.rampage.command import AlliedDesk, commands, groups_of, seat_of, seats
from pbem.games.rampage.movement import Barred, Marchers, Planner, Route, destinations, entry_fault, room
from pbem.games.rampage.notes import Allotted, Dropped, Engaged, Moved, Repulsed, Stopped, Won
from pbem.games.rampage.orders import Concede, Move
from pbem.games.rampage.state import German, Hex, State, Unit
from pbem.games.rampage.tables import CHARTS, place_name, step_cost

EVEN = 50
"""Per cent: without an answer a battle continues while the chance of winning it is at least this."""

FIGHT_ON, BREAK_OFF = "fight on", "break off"
"""The answers to `AnotherRound`."""

Why = Literal["", "orders", "points", "supply", "lost"]


async def operations(state: State) -> None:
    """9.1, 9.10 Phase III: the seats write, and every line is carried out at once. While a force is under way
    only its commander goes on: the forces of the other one wait until it is done."""
    shared = SharedPhase()
    shared.desks = tuple(Operations(state, seat, shared) for seat in seats(state.options))
    while (turn := shared.whose_turn()) and not state.conceded:
        shared.turn = turn
        await write(*turn)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnotherRound(Ask[str]):
    """10.1 Is another round of a battle fought? `round` is its number, `losses` the steps that the force has
    lost in this battle, `odds` the exact chance of winning in per cent. `attackers` gives the steps of each
    unit, `defenders` the number of German divisions."""

    kind: str = "battle"
    round: int
    losses: int
    odds: float
    attackers: Mapping[str, int]
    defenders: int


@dataclass(slots=True)
class Force:
    """A force on the move (9.1): its units, where it is, and the points that it has left out
    of those it set out with."""

    units: list[Unit]
    hex: Hex
    points: int
    of: int

    @property
    def group(self) -> Literal["us", "british"]:
        group = self.units[0].group
        assert group != "airborne"
        return group

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(unit.id for unit in self.units)

    def marchers(self, units: Sequence[Unit] = ()) -> Marchers:
        """The force, or these units of it, as movement sees them."""
        return Marchers(tuple(units or self.units), self.hex, self.points)


class SharedPhase:
    """What the desks of phase III share: which of them may write next, and what chance has brought."""

    def __init__(self) -> None:
        self.desks: tuple[Operations, ...] = ()
        self.turn: list[Operations] = []
        """The desks at which orders are being written."""
        self.unforeseen = False
        """A die was rolled or a path was barred: orders that no longer fit are overtaken, not wrong."""

    def whose_turn(self) -> list[Operations]:
        """9.1 The desks at which the next order may be written, of those that are not closed:
        that of the force under way, if it can go on."""
        writing = [desk for desk in self.desks if not desk.closed]
        if len(writing) == 1:
            return writing
        return [desk for desk in writing if desk.goes_on()] or writing


@dataclass(eq=False)
class Operations(AlliedDesk):
    """Phase III as one seat plays it."""

    case = "9.1"
    section = "operations"
    takes = (Move, Concede)

    shared: SharedPhase = field(default_factory=SharedPhase)
    active: Force | None = None
    """The force that it is moving, until it begins another (9.1)."""
    done: dict[str, str] = field(default_factory=dict)
    """Unit -> why it is finished for this turn: dropped, acted, back (repulsed), lost."""
    closed: bool = False
    """The seat has said that this was all."""

    # --- what is asked ---

    @property
    def over(self) -> bool:
        """Whether the game has been conceded, or other desks than before are to write (9.1)."""
        return self.state.conceded or self.shared.whose_turn() != self.shared.turn

    def goes_on(self) -> bool:
        """9.1 Whether a force of this seat is under way and can go on."""
        return self.active is not None and bool(destinations(self.state, self.active.marchers()))

    def subjects(self) -> Sequence[str]:
        """The units that can still move, those of the active force first."""
        going = self.active.units if self.active and self.goes_on() else []
        return [unit.id for unit in (*going, *self.ready())]

    def ready(self) -> list[Unit]:
        """9.1 The units of the seat that have not begun to act this turn."""
        active = self.active.units if self.active else []
        return [
            unit
            for unit in self.state.on_map()
            if commands(self.state, self.seat, unit.group) and unit not in active and not self.fault(unit)
        ]

    def options(self, subject: str) -> Sequence[Order]:
        """The legal legs of a unit with all units that may join it, and of the unit on its own."""
        unit = self.state.units[subject]
        if self.active and unit in self.active.units:
            together = self.active.marchers()
        elif unit in (ready := self.ready()):
            mates = tuple(other for other in ready if other.hex == unit.hex)
            together = Marchers(mates, unit.placed, CHARTS.movement.allowance)
        else:
            return ()
        forces = [together]
        if len(together.units) > 1:
            forces.append(replace(together, units=(unit,)))
        return [
            Move(tuple(each.id for each in force.units), (hex,))
            for force in forces
            for hex in destinations(self.state, force)
        ]

    def room(self, hex: Hex) -> int:
        """6.2 How many more units of the seat a hex has room for."""
        return room(self.state, hex, groups_of(self.state, self.seat))

    def size(self, unit: str) -> int:
        """6.3, 13.8 Airborne divisions make room for others."""
        return int(self.state.units[unit].group != "airborne")

    # --- judging an order ---

    def check(self, order: Order | None) -> None:
        """Refuse what 6, 7.7 and 9 forbid. Raises NotAllowed; Overtaken if it is events
        that have made the order void."""
        if isinstance(order, Move):
            try:
                self.plan(order)
            except Barred as error:
                if self.shared.unforeseen:
                    raise Overtaken(error.text, error.case, legal=error.legal) from error
                raise

    def plan(self, order: Move) -> tuple[Marchers, Route]:
        """The units that act and their path, its parts before and after a victory joined.
        Raises NotAllowed."""
        force = self.named(order.units)
        return force, Planner(self.state, force).route((*order.path, *order.onward))

    def named(self, ids: Iterable[str]) -> Marchers:
        """9.1, 9.2 The force that an order means: part of the active one, or units of one hex
        that have not acted. Units that were lost in this phase are passed over. Raises NotAllowed."""
        units = [self.own(id) for id in dict.fromkeys(ids)]
        alive = [unit for unit in units if self.done.get(unit.id) != "lost"]
        if not alive:
            raise Overtaken(f"{', '.join(unit.id for unit in units)}: eliminated", "7.5")
        for unit in alive:
            if fault := self.fault(unit):
                raise fault
        active = self.active
        if active and any(unit in active.units for unit in alive):
            strangers = [unit.id for unit in alive if unit not in active.units]
            if strangers:
                raise NotAllowed(f"a moving force cannot pick up units: {', '.join(strangers)}", "9.2")
            return active.marchers(alive)
        if len({unit.hex for unit in alive}) > 1:
            where = ", ".join(f"{unit.id} at {unit.hex}" for unit in alive)
            raise Barred(f"the units of a force must start in the same hex: {where}", "9.1")
        if len({unit.group for unit in alive}) > 1:
            raise NotAllowed("a force cannot mix units of the two army groups", "6.2")
        return Marchers(tuple(alive), alive[0].placed, CHARTS.movement.allowance)

    def own(self, id: str) -> Unit:
        """A unit that the seat commands. Raises NotAllowed."""
        return self.state.own(id, lambda unit: commands(self.state, self.seat, unit.group), "9.1")

    def fault(self, unit: Unit) -> NotAllowed | None:
        """Why a unit may not act, None if it may (7.7, 9.1, 9.2, 9.6, 13.8)."""
        match self.done.get(unit.id):
            case "back":
                return Overtaken(f"{unit.id} was repulsed and is finished for this turn", "9.6")
            case "lost":
                return Overtaken(f"{unit.id} has been eliminated", "7.5")
            case "dropped":
                return NotAllowed(f"{unit.id} was left at {unit.hex} and is finished for this turn", "9.2")
            case "acted":
                return NotAllowed(
                    f"{unit.id} has already acted this turn, and another force has started since", "9.1"
                )
        if unit.place != "map":
            return NotAllowed(f"{unit.id} {unit.whereabouts}", "9.1")
        if unit.group == "airborne":
            return NotAllowed(f"{unit.id} is airborne and cannot move after landing", "13.8")
        if unit.replenishing:
            return NotAllowed(f"{unit.id} is being replenished and cannot move or fight this turn", "7.7")
        return None

    def settle(self, order: Order) -> Order:
        """The leg with every hex of its path."""
        if not isinstance(order, Move):
            return order
        force = self.named(order.units)
        path = Planner(self.state, force).route(order.path).hexes
        whole = Planner(self.state, force).route((*order.path, *order.onward)).hexes if order.onward else path
        return replace(order, path=path, onward=whole[len(path) :])

    # --- what comes of it ---

    def offer(self, order: Order) -> Offer:
        """9.3 The path of the force, and which Germans it may meet on it, with the points that it has
        left."""
        if not isinstance(order, Move):
            return super().offer(order)
        force, route = self.plan(order)
        sets_out = not self.active or force.units[0] not in self.active.units
        return preview.of_move(self.state, order, force, route, sets_out)

    async def obey(self, order: Move) -> None:
        """One leg: start or continue, leave behind the units that are not named, and move."""
        marchers, route = self.plan(order)
        active = self.active
        if active is None or marchers.units[0] not in active.units:
            active = await self.begin(marchers)
        else:
            self.leave_behind(active, marchers.units)
        await self.go(active, order, route)
        if not active.units:
            self.active = None

    def close(self) -> None:
        """9.1 The seat has closed its orders: its force is done."""
        self.end()
        self.closed = True

    async def begin(self, marchers: Marchers) -> Force:
        """9.1, 9.15 A force sets out; one of the partially supplied army group rolls a die
        for its points."""
        self.end()
        points = CHARTS.movement.allowance
        force = Force(list(marchers.units), marchers.hex, points, points)
        if self.state.partial == force.group:
            die = await Roll(case="9.15", what=f"movement points of {marchers.names}")
            force.points = force.of = die
            self.shared.unforeseen = True
            self.state.note(
                Allotted(case="9.15", roll=self.state.rolls, names=force.names, hex=force.hex, die=die)
            )
        self.active = force
        return force

    def end(self) -> None:
        """9.1 The force of the seat has completed its actions."""
        if self.active:
            self.done |= dict.fromkeys(self.active.names, "acted")
        self.active = None

    def leave_behind(self, force: Force, going: Sequence[Unit]) -> None:
        """9.2 Units that do not continue stay where they are, finished for this turn."""
        left = [unit for unit in force.units if unit not in going]
        if left:
            force.units = [unit for unit in force.units if unit in going]
            self.done |= {unit.id: "dropped" for unit in left}
            names = tuple(unit.id for unit in left)
            self.state.note(Dropped(case="9.2", names=names, hex=force.hex))

    async def go(self, force: Force, order: Move, route: Route) -> None:
        """9.8, 9.5 Move along the path, hex by hex, through battles, until the points run out
        or the path is barred."""
        walked = [force.hex]
        for hex in route.hexes:
            cost = step_cost(force.hex, hex)
            assert cost is not None
            fault = entry_fault(self.state, force.marchers(), hex)
            if fault or cost > force.points:
                self.stop(force, walked, hex, fault)
                return
            force.points -= cost
            walked.append(hex)
            if control.is_german(self.state, hex):
                self.log_way(force, walked)
                if not await self.attack(force, hex, order):
                    return
                walked = [hex]
            else:
                self.enter(force, hex)
        self.log_way(force, walked)

    def log_way(self, force: Force, walked: Sequence[Hex]) -> None:
        """Log the hexes gone since the last note."""
        if len(walked) > 1:
            spent = force.of - force.points
            self.state.note(
                Moved(
                    case="9.8",
                    group=force.group,
                    names=force.names,
                    path=tuple(walked),
                    spent=spent,
                    of=force.of,
                )
            )

    def stop(self, force: Force, walked: Sequence[Hex], hex: Hex, fault: NotAllowed | None) -> None:
        """The force stops short of its goal: it is out of points, or the next hex is now closed to it."""
        self.shared.unforeseen = True
        self.log_way(force, walked)
        self.state.note(
            Stopped(
                case=fault.case if fault else "9.8",
                names=force.names,
                hex=force.hex,
                short_of=hex,
                why=fault.text if fault else "",
                points=force.points,
            )
        )

    def enter(self, force: Force, hex: Hex) -> None:
        """The force enters a hex; airborne divisions there are relieved (13.8)."""
        force.hex = hex
        for unit in force.units:
            unit.hex = hex
        airborne.relieve(self.state, hex)

    # --- battles ---

    async def attack(self, force: Force, hex: Hex, order: Move) -> bool:
        """9.3 The force enters a German hex and fights for it if it is defended;
        return whether it can continue from there."""
        state = self.state
        state.attacked[hex] = force.group
        self.shared.unforeseen = True
        germans = await defence.generate(state, hex)
        if germans and not await self.fight(force, hex, germans, order):
            return False
        self.enter(force, hex)
        control.pass_to_allies(
            state, (hex,), "3.6" if germans else "8.7", "battle" if germans else "undefended"
        )
        await pockets.after_switch(state, hex, order.prefs, order.spared)
        self.strike_off_lost(force)
        return bool(force.units)

    async def fight(self, force: Force, hex: Hex, germans: Sequence[German], order: Move) -> bool:
        """10.1, 9.4 to 9.7 The battle, round by round; return whether it is won.
        Attackers that lose return to the hex they came from and are finished."""
        state = self.state
        battle = Battle(
            hex=hex,
            origin=force.hex,
            attackers=list(force.units),
            defenders=list(germans),
            seat=seat_of(state, force.group),
            losses=order.prefs,
            spared=order.spared,
            kills=order.kills or DEFAULT_KILLS,
            isolated=not control.in_supply(state, hex),
        )
        state.note(
            Engaged(
                case="9.3",
                hex=hex,
                origin=force.hex,
                attackers=force.names,
                defenders=tuple(unit.id for unit in germans),
                river=battle.ground.river,
            )
        )
        why: Why = ""
        while not why:
            battle.more = 0 if state.partial == force.group else force.points // CHARTS.movement.round
            await battle_round(battle, state)
            self.strike_off_lost(force)
            if battle.won:
                state.note(
                    Won(
                        case="10.1",
                        hex=hex,
                        rounds=battle.round,
                        attackers=force.names,
                        points=force.points,
                    )
                )
                return True
            why = "lost" if battle.over else await self.reason_to_stop(force, battle, order)
            force.points -= 0 if why else CHARTS.movement.round
        self.repulse(force, battle, why)
        return False

    def strike_off_lost(self, force: Force) -> None:
        """Remove eliminated units from the force."""
        self.done |= {unit.id: "lost" for unit in force.units if unit.place != "map"}
        force.units = [unit for unit in force.units if unit.place == "map"]

    async def reason_to_stop(self, force: Force, battle: Battle, order: Move) -> Why:
        """9.6, 9.7, 9.15 Why the battle ends here, undecided; "" for another round.
        The seat is asked if no instruction decides."""
        if self.state.partial == force.group:
            return "supply"
        if force.points < CHARTS.movement.round:
            return "points"
        if order.rounds is not None and battle.round >= order.rounds:
            return "orders"
        if order.losses is not None and battle.lost >= order.losses:
            return "orders"
        if order.odds is not None and 100 * self.chance(force, battle) < order.odds:
            return "orders"
        if order.won or order.rounds or order.losses is not None or order.odds is not None:
            return ""
        return await self.ask(force, battle)

    def chance(self, force: Force, battle: Battle) -> float:
        """The exact chance of winning if the battle is fought until it is won, or the points are used up."""
        return float(win_chance(outlook(battle, force.points // CHARTS.movement.round)))

    async def ask(self, force: Force, battle: Battle) -> Why:
        """10.1 (8) Another round? The default is yes while winning is at least as likely as not."""
        found = chances(outlook(battle, force.points // CHARTS.movement.round))
        per_cent = float(100 * found.won)
        rounds = count(force.points // CHARTS.movement.round, "round")
        told = {
            FIGHT_ON: (
                f"{percent(found.won)} to win within {rounds}, {percent(found.lost)} to lose all units, "
                f"otherwise back to {battle.origin}"
            ),
            BREAK_OFF: (
                f"back to {battle.origin} and finished for this turn; the Germans stay in {battle.hex} "
                "until phase IV [9.6, 8.8]"
            ),
        }
        answer = await AnotherRound(
            case="10.1",
            what=f"round {battle.round + 1} at {battle.hex}",
            seat=battle.seat,
            options=(FIGHT_ON, BREAK_OFF),
            default=FIGHT_ON if per_cent >= EVEN else BREAK_OFF,
            round=battle.round + 1,
            losses=battle.lost,
            odds=round(per_cent, 1),
            attackers={unit.id: unit.steps for unit in battle.attackers},
            defenders=len(battle.defenders),
            intro=(
                f"{place_name(battle.hex)} from {battle.origin}: {sides(battle)}. "
                f"{count(battle.lost, 'step')} lost so far, {count(force.points, 'movement point')} "
                f"left; a round costs {CHARTS.movement.round}."
            ),
            says=told.__getitem__,
        )
        return "" if answer == FIGHT_ON else "orders"

    def repulse(self, force: Force, battle: Battle, why: Why) -> None:
        """9.6, 10.1 (7) The Germans hold. The rest of the force returns to the hex from which it attacked
        and is finished."""
        self.state.note(
            Repulsed(
                case={"orders": "9.6", "points": "9.7", "supply": "9.15", "lost": "10.1"}[why],
                hex=battle.hex,
                back=battle.origin if force.units else "",
                names=force.names,
                defenders=tuple(unit.id for unit in battle.defenders),
                why=why,
            )
        )
        self.done |= dict.fromkeys(force.names, "back")
        force.units.clear()
