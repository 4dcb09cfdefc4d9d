"""Action rounds (7.0): a command marker is drawn from the cup, a die gives the command its movement points,
and its units either assault, or move and then make mechanised assaults. `next_command` says which marker
it is (4.0, 11.2, 11.3, 11.10, 12.1), `active_units` which units act, `Round` what they may still do.

Each action round is a phase of its own, played again until the cup is empty.
Its player writes under the name of the command.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.desk import Desk, Rule, write
from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.hexes import bits
from pbem.engine.language import Order
from pbem.engine.offer import Offer
from pbem.engine.play import Ask, Draw, Request, Roll
from pbem.engine.tally import Tally
from pbem.engine.wording import count, some
from pbem.games.falaise import attaching, counterattack, preview, solitaire, stacking, zone86
from pbem.games.falaise.assault import Assaults
from pbem.games.falaise.attaching import Attachments
from pbem.games.falaise.command import INITIATIVE_TURNS
from pbem.games.falaise.entering import Entry
from pbem.games.falaise.movement import Movement
from pbem.games.falaise.notes import Allotted, Drawn, PutBack, RoundEnded
from pbem.games.falaise.orders import Assault, Attach, Attack, Enter, Exit, Hold, MechAssault, Move
from pbem.games.falaise.solitaire import Task
from pbem.games.falaise.state import OTHER, Mode, State, Unit
from pbem.games.falaise.tables import (
    ALLIED_COMMANDS,
    CHARTS,
    COMMAND_NAMES,
    GERMAN_COMMANDS,
    GRID,
    Hex,
    Side,
    region,
)
from pbem.games.falaise.zones import occupied, zone

TRAFFIC = "58Pz"
"""11.2 The command that moves others over the Orne."""
LAST_58TH = 4
"""11.2, 12.1 Until this turn the 58th Corps can act, and under 12.1 the Germans choose the first command."""
FIRST_GERMANS = 2
"""11.10 Turns 1 and 2 begin with this many German activations."""
WEST_OF_ORNE = frozenset(region("58Pz").hexes)
US_COMMANDS = ("7C", "15C")


async def activation(state: State) -> None:
    """4.0, 7.0 One action round."""
    command = await next_command(state)
    state.active = command
    state.activated.append(command)
    task = await solitaire.task(state, command) if state.solitaire and side_of(command) == "allied" else None
    state.allowance = best_points(state, command)  # the best die decides whether any unit could act
    round = Round.of(state, command, task)
    if round.can_act():
        await gather(round)
        state.allowance = await allot(state, command)
        round = Round.of(state, command, task, rolled=True)
        await write(round)
    round.finish()
    admit_allies(state)
    state.active, state.allowance = "", 0


async def gather(round: Round) -> None:
    """7.0, 11.1 Units are attached when the marker has been drawn, before the die for movement points.
    Units that enter with the 86th Corps may do so at either time."""
    round.state.allowance = 0
    await write(Joining(round))


def side_of(command: str) -> Side:
    return "allied" if command in ALLIED_COMMANDS else "german"


def pending(state: State) -> bool:
    """4.0 Whether another command is to be activated this turn."""
    return bool(state.cup or state.held_back or state.counter_command)


# --- which command --------------------------------------------------------------------------------------


async def next_command(state: State) -> str:
    """4.0 The command that acts now: that of the counterattack (11.3), one that the Germans choose (12.1),
    or one that is drawn; on turns 1 and 2 two Germans and then an Allied one come first (11.10).
    The 58th Corps may take the place of a German one (11.2)."""
    if state.counter_command:
        command, state.counter_command = state.counter_command, ""
        tell_draw(state, command, "counterattack")
        return command
    if state.on("better_command") and state.turn <= LAST_58TH and not state.activated:
        return await chosen(state)
    command = await drawn(state)
    if side_of(command) == "german" and await replaced(state, command):
        state.cup = sorted([*state.cup, command])
        state.note(PutBack(case="11.2", command=command, why="58th"))
        tell_draw(state, TRAFFIC, "58th")
        return TRAFFIC
    return command


async def chosen(state: State) -> str:
    """12.1 The Germans choose the command that begins a turn, the 58th Corps among them."""
    own = [key for key in state.cup if side_of(key) == "german"]
    if traffic_units(state):
        own.append(TRAFFIC)
    command = await Ask(
        case="12.1",
        what=f"who begins turn {state.turn}",
        seat="german",
        kind="choose",
        options=tuple(own),
        says=lambda key: f"{COMMAND_NAMES[key]}, {count(len(active_units(state, key)), 'unit')}",
    )
    if command in state.cup:
        state.cup.remove(command)
    tell_draw(state, command, "chosen")
    return command


async def drawn(state: State) -> str:
    """4.0 A marker is drawn from the cup. 11.10 The third of turns 1 and 2 must be Allied:
    German ones go back."""
    third = state.turn <= INITIATIVE_TURNS and len(state.activated) == FIRST_GERMANS
    while True:
        pool = tuple(sorted(state.cup))
        (command,) = await Draw(case="4.0", what="command", pool=pool)
        how = "initiative" if state.held_back else "drawn"
        tell_draw(state, command, how, len(pool) - 1)
        if not third or side_of(command) == "allied":
            state.cup.remove(command)
            return command
        state.note(PutBack(case="11.10", command=command, why="initiative"))


def tell_draw(state: State, command: str, how: str, left: int | None = None) -> None:
    cases = {"drawn": "4.0", "initiative": "11.10", "counterattack": "11.3", "chosen": "12.1", "58th": "11.2"}
    cup = len(state.cup) if left is None else left
    roll = state.rolls if how in ("drawn", "initiative") else 0
    state.note(Drawn(case=cases[how], roll=roll, command=command, how=how, cup=cup))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Substitution(Ask[str]):
    """11.2 Does the 58th Corps act, with its `eligible` units, in place of the command `drawn`?"""

    kind: str = "58th"
    drawn: str
    eligible: int


async def replaced(state: State, command: str) -> bool:
    """11.2 Once a turn, on turns 1 to 4, the 58th Corps may act in place of a German command that was drawn;
    its marker goes back into the cup."""
    units = traffic_units(state)
    if not units:
        return False
    state.drawn = command
    answer = await Substitution(
        case="11.2",
        what=f"58th Corps instead of {command}",
        seat="german",
        options=("no", "yes"),
        drawn=command,
        eligible=len(units),
        intro=(
            f"{COMMAND_NAMES[command]} ({command}) is drawn: {count(len(state.command_of(command)), 'unit')}."
        ),
        says=lambda option: (
            (
                f"moves {count(len(units), 'unit')} west of the Orne, {some([unit.id for unit in units])}; "
                f"{command} returns to the cup"
            )
            if option == "yes"
            else f"{command} acts"
        ),
    )
    state.drawn = ""
    return answer == "yes"


def traffic_units(state: State) -> list[Unit]:
    """11.2 The units that the 58th Corps could move: Germans west of the Orne that are not finished,
    and whose command has not been activated."""
    if state.turn > LAST_58TH or TRAFFIC in state.activated:
        return []
    return west_of_orne(state)


def west_of_orne(state: State) -> list[Unit]:
    return [
        unit
        for unit in state.on_map("german")
        if unit.placed in WEST_OF_ORNE and not unit.finished and unit.command not in state.activated
    ]


def admit_allies(state: State) -> None:
    """11.10 The Allied markers go into the cup after the second German activation."""
    if state.held_back and len(state.activated) >= FIRST_GERMANS:
        state.cup, state.held_back = sorted([*state.cup, *state.held_back]), []


# --- movement points ------------------------------------------------------------------------------------


def modifiers(state: State, command: str) -> Tally:
    """7.1.1, 12.4 What night does to the die of a command."""
    found = Tally()
    if not state.day:
        key = "german" if side_of(command) == "german" else "us" if command in US_COMMANDS else "commonwealth"
        better = key == "us" and state.on("better_coordination")
        value = CHARTS.activation.night["us_better" if better else key].value  # type: ignore[index]
        found.add(value, "12.4" if better else "7.1.1", "night")
    return found


def points(total: int) -> int:
    """7.1.1 The movement points for a modified die."""
    table = CHARTS.activation.points
    return table[max(0, min(len(table) - 1, total))]


def best_points(state: State, command: str) -> int:
    """7.1.1 The movement points of a command with the best die."""
    return points(6 + modifiers(state, command).total)


async def allot(state: State, command: str) -> int:
    """7.1.1 The die for movement points."""
    die = await Roll(case="7.1.1", what=f"movement points of {command}")
    parts = modifiers(state, command)
    total = die + parts.total
    found = points(total)
    state.note(
        Allotted(
            case="7.1.1",
            roll=state.rolls,
            command=command,
            parts=tuple(parts.parts),
            die=die,
            total=total,
            points=found,
        )
    )
    return found


# --- who acts -------------------------------------------------------------------------------------------


def active_units(state: State, command: str, task: Task | None = None) -> list[Unit]:
    """7.0 The units that act in the round of a command: those of it that are not finished;
    for the command that makes the counterattack only those that begin the turn east of the Withdrawal Line,
    and those that have joined it (11.3); for the 58th Corps all that are west of the Orne (11.2);
    for the system those that the chart calls up (13.2)."""
    if command == TRAFFIC:
        return west_of_orne(state)
    units = [unit for unit in state.command_of(command) if not unit.finished]
    if in_counterattack(state, command):
        units = [unit for unit in units if unit.attached or zone86.is_east(unit)]
    if task is not None:
        units = [unit for unit in units if unit.id in task.units]
    return units


def in_counterattack(state: State, command: str) -> bool:
    """11.3 Whether this is the round of the counterattack: the first one of the turn
    in which it was declared."""
    return state.counterattack == state.turn and state.activated[:1] == [command]


@dataclass
class Round(Desk[Order]):
    """7.0 An action round while it is played. Units enter and are attached first;
    the first order to move or to assault decides which kind of round it is."""

    case = "7.0"
    takes = (Attach, Enter, Move, Exit, MechAssault, Assault, Hold)

    state: State
    command: str
    units: list[Unit]
    task: Task | None = None
    seat: Side = field(init=False)
    mode: Mode = ""
    held: bool = False
    begun: bool = False
    """A unit has moved or assaulted: no more units are attached or enter."""
    fought: bool = False
    """A mechanised assault has been made: no more units move (10.0)."""
    mech_instead: str = ""
    """The first assault of an assault round as a mechanised one, if it could be one."""
    entry: Entry | None = None
    attachments: Attachments | None = None
    rolled: bool = False
    """The die for movement points has been rolled."""
    best: bool = False
    """The points are those of the best die: the round is only imagined."""
    neighbours: list[str] = field(default_factory=list)
    """11.9.1 Units of other commands that were adjacent to one of this command, or stacked with it,
    when the round began."""
    _movement: Movement | None = None
    _assaults: dict[bool, Assaults] = field(default_factory=dict)

    @classmethod
    def of(
        cls, state: State, command: str, task: Task | None = None, rolled: bool = False, best: bool = False
    ) -> Round:
        """The round of a command that has just been drawn, or when its points have been `rolled`."""
        found = cls(state, command, active_units(state, command, task), task, rolled=rolled, best=best)
        found.note_neighbours()
        joined = rolled or command == TRAFFIC or in_counterattack(state, command)
        if found.seat == "german" and not joined:
            left = attaching.MOST - state.attachments
            found.attachments = Attachments(state, command, list(found.units), left=left)
        if command == zone86.COMMAND and not in_counterattack(state, command):
            found.entry = arrivals(state)
        return found

    def __post_init__(self) -> None:
        self.seat = side_of(self.command)

    @property
    def section(self) -> str:
        return self.command

    @property
    def what(self) -> str:
        return f"action round of {self.command}"

    @property
    def over(self) -> bool:
        return self.held or not self.can_act()

    def note_neighbours(self) -> None:
        """11.9.1 Note which units are adjacent to those of the command."""
        own = {unit.id for unit in self.units}
        near = bits(GRID.index(unit.placed) for unit in self.units)
        near |= GRID.spread(near)
        self.neighbours = [
            unit.id
            for unit in self.state.on_map(self.seat)
            if unit.id not in own and near >> GRID.index(unit.placed) & 1
        ]

    # --- its two parts ---

    @property
    def movement(self) -> Movement:
        """7.1 The movement of the round. Units that the 58th Corps has moved do not move again (7.2)."""
        if self._movement is None:
            able = [unit for unit in self.units if unit.id not in self.state.moved]
            self._movement = Movement(self.state, self.command, self.state.allowance, able)
        return self._movement

    def assaults(self, mech: bool) -> Assaults:
        """10.0 The assaults of the round."""
        if mech not in self._assaults:
            active = [unit.id for unit in self.units]
            pinned = self._movement.pinned if self._movement else ()
            self._assaults[mech] = Assaults(
                self.state, self.seat, self.command, mech, self.neighbours, active, pinned
            )
        return self._assaults[mech]

    def may_move(self) -> bool:
        allowed = self.task is None or self.task.action != "assault"
        return self.mode != "assault" and not self.fought and allowed

    def may_assault(self, mech: bool) -> bool:
        """10.0, 11.2, 13.2 Whether the round can still have assaults of this kind."""
        if self.task is not None and self.task.action not in (
            ("mech assault" if mech else "assault"),
            "either",
        ):
            return False
        if mech:
            return self.mode != "assault"
        return self.mode != "movement" and self.command != TRAFFIC

    # --- what is asked ---

    @property
    def offers(self) -> tuple[type[Order], ...]:
        """7.0 The orders that can still be of use: after the die no units are attached,
        and units enter only with the 86th Corps."""
        idle = {
            Attach: self.attachments is None,
            Enter: self.entry is None,
            Exit: self.seat == "allied",
            Assault: not self.may_assault(False),
            MechAssault: not self.may_assault(True),
        }
        return tuple(verb for verb in self.takes if not idle.get(verb, False))

    def joiners(self) -> Sequence[str]:
        """Units that can enter or be attached."""
        entering = self.entry.subjects() if self.entry else ()
        return [*entering, *(self.attachments.subjects() if self.attachments else ())]

    def may_be_joined(self) -> bool:
        """Whether a unit may enter or be attached, as far as both sides can see."""
        attached = self.attachments is not None and bool(self.attachments.subjects())
        return attached or (self.entry is not None and self.entry.may_come())

    def joiner_options(self, subject: str) -> Sequence[Order]:
        entering = self.entry.options(subject) if self.entry else ()
        return [*entering, *(self.attachments.options(subject) if self.attachments else ())]

    def can_act(self) -> bool:
        """Whether there is anything left to order."""
        if not self.begun and self.may_be_joined():
            return True
        if self.may_move() and self.movement.can_act():
            return True
        return any(self.may_assault(mech) and self.assaults(mech).subjects() for mech in (False, True))

    def subjects(self) -> Sequence[str]:
        """Units that can enter, be attached or move, then hexes that can be assaulted."""
        found: dict[str, None] = {}
        if not self.begun:
            found |= dict.fromkeys(self.joiners())
        if self.may_move():
            found |= dict.fromkeys(self.movement.subjects())
        for mech in (False, True):
            if self.may_assault(mech):
                found |= dict.fromkeys(self.assaults(mech).subjects())
        return list(found)

    def options(self, subject: str) -> Sequence[Order]:
        if subject in GRID:
            return [
                order
                for mech in (False, True)
                if self.may_assault(mech)
                for order in self.assaults(mech).options(subject)
            ]
        found = list(self.joiner_options(subject)) if not self.begun else []
        if self.may_move():
            found += self.movement.options(subject)
        return found

    def room(self, hex: Hex) -> int:
        """5.3 The room that is left in a hex."""
        return stacking.room(self.state, self.seat, hex)

    def size(self, unit: str) -> int:
        return stacking.size(self.state.units[unit])

    # --- judging ---

    def check(self, order: Order | None) -> None:
        """Refuse what 7, 10 and 11 forbid. Raises NotAllowed; Overtaken if events have made
        the order void."""
        match order:
            case Enter():
                self.check_beginning("11.4")
                if self.entry is None:
                    raise NotAllowed(f"no units enter with the {COMMAND_NAMES[self.command]}", "11.4")
                self.entry.check(order)
            case Attach():
                self.check_beginning("11.1")
                self.joining().chosen(order)
            case Move() | Exit():
                self.check_kind(order)
                self.movement.check(order)
            case Attack():
                mech = isinstance(order, MechAssault)
                if not mech and self.command == TRAFFIC:
                    raise NotAllowed("the 58th Corps never makes an assault round", "11.2")
                self.check_kind(order)
                self.assaults(mech).check(order)

    def check_beginning(self, case: str) -> None:
        if self.begun:
            raise Overtaken("units enter and are attached before any unit moves or assaults", case)

    def joining(self) -> Attachments:
        """11.1 The attachments of the round. Raises NotAllowed where there are none,
        Overtaken after the die."""
        if self.attachments is not None:
            return self.attachments
        if self.seat == "allied":
            raise NotAllowed("only German commands attach units", "11.1")
        if self.command == TRAFFIC:
            raise NotAllowed("the 58th Corps attaches no units: it moves units of every command", "11.2")
        if in_counterattack(self.state, self.command):
            raise NotAllowed("units were attached when the counterattack was declared", "11.3")
        raise Overtaken("units are attached when the marker is drawn, before the points are known", "7.0")

    def kind_fault(self, order: Order) -> Overtaken | None:
        """7.0, 10.0, 13.2 Why the round, of whatever kind it has become, does not have an order to move or to
        assault; None if it may."""
        match order:
            case Move() | Exit():
                may, what = self.may_move(), "movement"
            case Attack():
                mech = isinstance(order, MechAssault)
                may, what = self.may_assault(mech), "mechanised assault" if mech else "assault"
            case _:
                return None
        if may:
            return None
        if self.fought and what == "movement":
            return Overtaken(
                "movement comes before the mechanised assaults: put this line above them", "10.0"
            )
        if self.task is not None and not self.mode:
            return Overtaken(f"the die calls for {self.task.action}, not for {what}", "13.2")
        name = COMMAND_NAMES[self.command]
        if self.mode == "assault":
            text = f"the {name} is making an assault round, in which none of its units moves: "
            text += (
                f"for moves and a mechanised assault, order `{self.mech_instead}` below the moves instead"
                if self.mech_instead
                else "order either its assaults or its moves"
            )
            return Overtaken(text, "7.0", legal=(self.mech_instead,) if self.mech_instead else ())
        return Overtaken(
            f"the {name} is making a movement round, in which it makes mechanised assaults only: "
            "order either its moves or its assaults",
            "10.0" if self.fought else "7.0",
        )

    def check_kind(self, order: Order) -> None:
        """7.0, 10.0, 13.2 Raises Overtaken if the round has become one of another kind."""
        if fault := self.kind_fault(order):
            raise fault

    def too_late(self, order: Order) -> Overtaken | None:
        """7.0, 10.0 A round that is over keeps its kind."""
        return None if self.held else self.kind_fault(order)

    def note_mech(self, order: Assault) -> None:
        """10.0 Note how the first assault could be made in a movement round, if it could."""
        mech = MechAssault(order.hex, order.units)
        try:
            self.assaults(True).check(mech)
        except NotAllowed:
            return
        self.mech_instead = f"mech assault {order.hex} with {', '.join(order.units)}"

    def settle(self, order: Order) -> Order:
        match order:
            case Attach():
                return self.joining().settle(order)
            case Move() | Exit():
                return self.movement.settle(order)
        return order

    # --- what comes of it ---

    def offer(self, order: Order) -> Offer:
        match order:
            case Move():
                return preview.move(self.movement, order)
            case Exit():
                return preview.exit(self.movement, order)
            case Attack():
                return preview.attack(self.assaults(isinstance(order, MechAssault)), order)
        return super().offer(order)

    def preview(self, order: Order) -> tuple[str, ...]:
        """7.2 The path and cost of a move that fire may stop, before the words of its offer."""
        way = preview.way_in_words(self.movement, order, most=self.best) if isinstance(order, Move) else ()
        return (*way, *self.offer(order).told)

    async def carry_out(self, order: Order) -> None:
        """7.0 One order."""
        match order:
            case Enter():
                assert self.entry is not None
                self.entry.carry_out(order)
                self.join(order.units)
                if self.attachments:
                    self.attachments.core += [self.state.units[id] for id in order.units]
            case Attach():
                before = {unit.id for unit in self.state.command_of(self.command)}
                self.joining().carry_out(order)
                self.join([u.id for u in self.state.command_of(self.command) if u.id not in before])
            case Move() | Exit():
                self.begun, self.mode = True, "movement"
                await self.movement.carry_out(order)
            case Assault():
                if not self.mode and self.may_assault(True):
                    self.note_mech(order)
                self.begun, self.mode = True, "assault"
                await self.assaults(False).carry_out(order)
            case MechAssault():
                self.begun, self.mode, self.fought = True, "movement", True
                await self.assaults(True).carry_out(order)
            case Hold():
                self.held = True

    def join(self, ids: Sequence[str]) -> None:
        """11.1, 11.4 Units that have joined the command act in the round."""
        self.units += [self.state.units[id] for id in ids]
        self.note_neighbours()
        self._movement = None
        self._assaults.clear()

    def finish(self) -> None:
        """4.0, 7.0 The units that were active are finished for the turn. 11.2 Of the units that
        the 58th Corps moved only those no longer west of the Orne are finished; the others may still assault
        with their own command, but not move again (7.2)."""
        took_part = [unit.id for unit in self._movement.finished_units()] if self._movement else []
        for unit in self.units:
            if unit.place != "map":
                continue
            if self.command != TRAFFIC:
                unit.finished = True
            elif unit.id in took_part:
                if unit.placed in WEST_OF_ORNE:
                    self.state.moved.append(unit.id)
                else:
                    unit.finished = True
        self.state.note(RoundEnded(case="7.0", command=self.command, mode=self.mode))


@dataclass
class Joining(Desk[Order]):
    """7.0, 11.1 The units that join a command before its die: they enter with it, or are attached."""

    case = "11.1"
    takes = (Enter, Attach)
    first = True
    asks = True

    round: Round
    seat: Side = field(init=False)

    def __post_init__(self) -> None:
        self.seat = self.round.seat

    @property
    def section(self) -> str:
        return self.round.command

    @property
    def what(self) -> str:
        return f"attachments of {self.round.command}"

    @property
    def over(self) -> bool:
        return not self.round.may_be_joined()

    def subjects(self) -> Sequence[str]:
        return self.round.joiners()

    def options(self, subject: str) -> Sequence[Order]:
        return self.round.joiner_options(subject)

    def room(self, hex: Hex) -> int:
        """5.3 The room that is left in a hex."""
        return self.round.room(hex)

    def size(self, unit: str) -> int:
        return self.round.size(unit)

    def check(self, order: Order | None) -> None:
        """Refuse what 11.1 and 11.4 forbid. Raises NotAllowed; Overtaken if events made the order void."""
        self.round.check(order)

    def settle(self, order: Order) -> Order:
        return self.round.settle(order)

    def carry_out(self, order: Order) -> Rule:
        return self.round.carry_out(order)


def arrivals(state: State) -> Entry:
    """11.4 When the marker of the 86th Corps is drawn the 272nd Division and the unknown forces may come:
    into the zone, on the German side of the Front Line, outside enemy zones. Units that do not come then
    can come with a later draw."""
    state.zone_86 = "open"
    hexes = zone86.ENTRY & ~zone(state, OTHER["german"]) & ~occupied(state, "allied")
    why = (
        "units enter in the 86th Corps Zone, on the German side of the line and in no Allied zone of control"
    )
    return Entry(state, zone86.COMMAND, tuple(zone86.waiting(state)), zone86.ENTRY, hexes, "11.4", why)


# --- writing beforehand -----------------------------------------------------------------------------------


def sections_of(state: State, seat: str) -> tuple[str, ...]:
    """4.0 The commands for which a seat may still write in this turn: those that act or may yet be drawn,
    and have units to act."""
    keys = ALLIED_COMMANDS if seat == "allied" else (*GERMAN_COMMANDS, zone86.COMMAND, TRAFFIC)
    return tuple(key for key in keys if can_come(state, key))


def can_come(state: State, key: str) -> bool:
    """Whether a command acts now or may yet be drawn this turn. While the counterattack is declared,
    any German one that unknown forces may join."""
    if key in state.activated:
        return key == state.active
    if key == TRAFFIC:
        return state.turn <= LAST_58TH
    if key == zone86.COMMAND:
        return bool(zone86.waiting(state) or state.command_of(key))
    if state.phase == "counterattack" and side_of(key) == "german" and counterattack.unknown(state):
        return True
    return state.phase.startswith("set_up") or bool(state.command_of(key))


def ahead(state: State, seat: str, section: str) -> Coroutine[Request, Any, None] | None:
    """The action round of a command as if it were drawn now, with the best die;
    None if it is not the seat's, or it is not on the map yet."""
    if section not in sections_of(state, seat) or state.phase.startswith("set_up"):
        return None
    imagined = state.active != section
    if imagined:
        state.active, state.allowance = section, best_points(state, section)
        state.activated += [key for key in (state.counter_command,) if key not in ("", section)]
        state.activated.append(section)
    return _rehearsal(state, section, imagined)


async def _rehearsal(state: State, command: str, imagined: bool) -> None:
    points = state.allowance
    await gather(Round.of(state, command))
    state.allowance = points
    await write(Round.of(state, command, rolled=True, best=imagined))
