"""What an order is worth to the bot that plays a seat, and to the system that runs the Allies
in solitaire play (13).

Germans make for the ground east of the Withdrawal Line by the passes of the Dives that are still open,
keep a garrison in Argentan, and hold back mechanised units from the far west as unknown forces.
Of the Allies some divisions close the pocket: they take the posts of `POSTS`, and stay there.
All others make for the nearest Germans that have not got away. A command that has more to gain
from an assault round than from a movement round does not move.

A `Stance` changes some of this: its defaults are the greedy bot, plan.py has those of the planner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from pbem.engine.game import Rate
from pbem.engine.hexes import EVERYWHERE
from pbem.engine.language import Order
from pbem.engine.map import CostTable, Extra
from pbem.engine.play import Ask, Request
from pbem.games.falaise import (
    assault,
    communication,
    counterattack,
    ratings,
    restrictions,
    setup,
    victory,
    zone86,
    zones,
)
from pbem.games.falaise.activation import Joining, Round, Substitution
from pbem.games.falaise.advance import STAY, AdvanceWay
from pbem.games.falaise.assault import KEEP, ResultChange, UnitHit
from pbem.games.falaise.bombardment import Bombardment
from pbem.games.falaise.counterattack import Counterattack, Gathering
from pbem.games.falaise.march import FAR, FINE, SOUTH, Kind, half_rate, step_cost
from pbem.games.falaise.opfire import HOLD, OpFire
from pbem.games.falaise.orders import (
    Attach,
    Attack,
    Bombard,
    Enter,
    Exit,
    MechAssault,
    Move,
    Strike,
    UseDefault,
    Withhold,
)
from pbem.games.falaise.retreat import RetreatWay
from pbem.games.falaise.state import OTHER, Hex, Mode, Side, State, Unit
from pbem.games.falaise.tables import ARGENTAN, CHARTS, GRID, MAP, Result

LADDER: tuple[Result, ...] = ("AL1", "CON", "DR", "DL1", "DLR")
"""Results from the worst to the best for the attacker."""
NORTHERN = ("P1Arm", "C4Arm", "C3")
NORTHERN_POSTS: tuple[Hex, ...] = ("2810", "2315", "2612", "2910", "2017", "1718", "3310", "2711", "3312")
"""The passes of the Dives, and two hexes of the gap south of its source."""
Posts = tuple[tuple[Hex, tuple[str, ...]], ...]
"""Posts: a hex, and the divisions of which one unit is wanted there; the most urgent first."""


def posts(gap: Sequence[Hex] = ("3309", "3311", "3413"), town: Sequence[Hex] = ("3415", "3512")) -> Posts:
    """Where units of some divisions close the pocket: the passes of the Dives, the `gap` south of its source,
    and Argentan, with the posts of the 80th at `town`."""
    return (
        *((hex, NORTHERN) for hex in NORTHERN_POSTS),
        *((hex, ("90",)) for hex in gap),
        *((hex, ("80",)) for hex in town),
        *((hex, (restrictions.FRENCH,)) for hex in (ARGENTAN, "3317", "3710")),
    )


POSTS = posts()
"""The posts of the greedy bot, and the divisions that have any."""
POSTED = tuple(dict.fromkeys(division for _, divisions in POSTS for division in divisions))
WATCHED = GRID.bits(near for post, _ in POSTS for near in GRID.named(GRID.within(post, 2)))
"""The hexes within two of a post."""
PASSES = GRID.bits(
    end
    for kind in ("bridge", "ford")
    for side in MAP.hexsides(kind)
    if side in MAP.rivers["Dives"]
    for end in side.split("-")
)
"""Both ends of the bridges and fords of the Dives."""
PLUGGED, BESIDE_PLUG = 8, 1
"""Movement points that a German reckons for a pass that is held, and for a hex next to it."""
BEHIND, HOSTILE = setup.GROUND["german"], 3
"""Ground that the Germans hold at the start, and the movement points that Allies reckon for each hex of it:
they prefer to go round."""
LAST = 10
"""The turn in which the counterattack is made, because it brings the unknown forces to safety."""
FAR_WEST = 21.0
"""Mechanised units at least this many movement points from safety are withheld."""
NEARLY_HOME = 10
"""Movement points to safety within which a retreat may lead a German out of the pocket."""
LAST_MOVES = 7
"""From this turn on Allied moves are made with an eye to who surrenders at the end."""
ROOM = 4
"""Germans this many hexes east of the Withdrawal Line are in nobody's way."""
LATE = 8
"""From this turn on Germans in the pocket have nothing to lose."""
RINGS = 24
"""Enemies further away than this many hexes are ignored."""
POINT = 2 * FINE
"""A movement point in the units of the cost tables (march.py)."""
NOWHERE = POINT * FAR
TASKS: Mapping[str, Mode] = {"move": "movement", "mech assault": "movement", "assault": "assault"}
"""13.2 The kind of round that the die of the system calls for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """How a side plays; the defaults are the greedy bot."""

    fear: float = 1.5
    """What it costs a German unit to end its move in an enemy zone."""
    caution: float = 0.3
    """The same for an Allied unit."""
    shun: float = 0.0
    """Movement points that Germans reckon for a hex in an enemy zone on their way; 0: they only go round
    passes that are held."""
    room: float = 0.0
    """What each hex is worth that Germans east of the Withdrawal Line go on, to make room for others; 0: they
    stay."""
    south: float = 0.0
    """Movement points that Germans reckon against leaving by the south edge for each point that they would
    bring east of the Withdrawal Line; 0: they never leave that way."""
    eager: float = 1.0
    """How much more than to the greedy bot it is worth to assault rather than to move."""
    driven: float = 0.1
    """What it is worth to make enemies retreat; not Germans that are almost home."""
    spared: float = 0.7
    """What the loss of a step costs Allies that attack."""
    posts: Posts = POSTS
    """The posts that Allied units hold or make for."""
    closing: float = 2.0
    """What it costs to leave an Allied unit for a turn short of its post."""
    head: float = 0.0
    """Allies make for Germans at most this many movement points from safety, if there are any; 0: for all."""
    lines: float = 0.0
    """What a point is worth that a move brings because a German without communication may surrender at the
    end (3.3): to Allies that cut lines, and to Germans that find one in the last turn."""


GREEDY = Stance()


def judge(state: State, request: Request, stance: Stance = GREEDY) -> Rate:
    """How good the orders or options of a request are in the eyes of the seat that is asked;
    at most 0: not worth doing."""
    match request:
        case Ask():
            return decision(state, request, stance)
        case Round():
            return action_round(state, request, stance)
        case Joining() | Gathering():
            return joining(state)
        case Bombardment():
            return bombing(state)
    return lambda order: setting_up(state, order)


# --- decisions ------------------------------------------------------------------------------------------


def decision(state: State, ask: Ask[Any], stance: Stance) -> Rate:
    """Decisions in passing."""
    match ask:
        case OpFire(modifier=modifier):
            return lambda choice: 0.0 if choice == HOLD else 10.0 + modifier[choice]
        case ResultChange(result=result, to=to, who=who):
            better = LADDER.index(to) - LADDER.index(result)
            change = float(better if who == "attacker" else -better)
            return lambda choice: 0.0 if choice == KEEP else change
        case UnitHit(kind="losses"):
            return lambda choice: loss(state.units[choice])
        case UnitHit(kind="disrupt"):
            return lambda choice: -float(ratings.ter(state, state.units[choice]))
        case UnitHit(kind="friendly fire"):
            return lambda choice: float(ratings.ter(state, state.units[choice]))
        case RetreatWay(unit=id, fire=fire):
            return retreat(Scene(state, "german", stance), state.units[id], fire)
        case AdvanceWay(unit=id):
            return advance(Scene(state, state.units[id].side, stance), state.units[id])
        case Substitution(drawn=drawn, eligible=eligible):
            more = eligible >= len(own(state, drawn))
            return lambda choice: float(choice == "yes" and more)
        case Counterattack():
            return lambda choice: float(choice != "no" and state.turn >= LAST) * (1 + len(own(state, choice)))
        case Ask(kind="choose"):
            return lambda choice: float(len(own(state, choice)))
    return lambda choice: 0.0


def loss(unit: Unit) -> float:
    """How well a unit bears the loss of a step: one that survives it better, the weakest of those."""
    return float(10 * (unit.steps == 2) - unit.strength)


def own(state: State, command: str) -> list[Unit]:
    return counterattack.core(state, command) if command == "no" else state.command_of(command)


def retreat(seen: Scene, unit: Unit, fire: Mapping[str, Sequence[Hex]]) -> Rate:
    """Where to retreat to: under little fire, Germans towards safety."""

    def rate(choice: str) -> float:
        home = seen.way_home(unit.mech, choice.split()[-1]) if unit.side == "german" else 0.0
        return 50.0 - 5 * len(fire[choice]) - home

    return rate


def advance(seen: Scene, unit: Unit) -> Rate:
    """Whether to follow into a hex: Allies unless they hold a post, Germans if it leads them out."""

    def rate(choice: str) -> float:
        if choice == STAY:
            return 0.0
        if unit.side == "allied":
            return float(not seen.at_post(unit))
        return seen.way_home(unit.mech, unit.placed) - seen.way_home(unit.mech, choice.split()[-1]) - 1

    return rate


# --- desks ----------------------------------------------------------------------------------------------


def setting_up(state: State, order: Order) -> float:
    """The example of the set-up; mechanised units in the far west are held back."""
    match order:
        case Withhold(units):
            unit = state.units[units[0]]
            return float(unit.mech and to_safety(unit.placed, True) >= FAR_WEST)
        case UseDefault():
            return 1.0
    return 0.0


def joining(state: State) -> Rate:
    """The units that join a command: those that belong to no corps, and those that can enter near safety
    and near the enemy."""
    seen = Scene(state, "german")

    def rate(order: Order) -> float:
        match order:
            case Attach(units):
                return 0.0 if state.units[units[0]].counter.corps else 1.0
            case Enter(units, hex):
                return 100.0 - to_safety(hex, state.units[units[0]].mech) - seen.farness(hex)
        return 0.0

    return rate


def action_round(state: State, desk: Round, stance: Stance) -> Rate:
    """The orders of an action round, in which a command either moves or assaults."""
    seen = Scene(state, desk.seat, stance)
    called_for = TASKS.get(desk.task.action, "") if desk.task else ""
    mode = called_for or desk.mode or intended(seen, desk.command)
    join = joining(state)

    def rate(order: Order) -> float:
        match order:
            case Move(units, path):
                if mode == "assault":
                    return 0.0
                return move(seen, [state.units[id] for id in units], path[-1])
            case Exit(units):
                return 0.0 if mode == "assault" else leaving(seen, [state.units[id] for id in units])
            case Attack():
                mech = isinstance(order, MechAssault)
                return 0.0 if mode == "movement" and not mech else attack(seen, order, desk.command)
        return join(order)

    return rate


def bombing(state: State) -> Rate:
    """What an airstrike or the guns of a command bring; both may hit friends adjacent to the target,
    guns by night only."""
    allies = zones.occupied(state, "allied")

    def rate(order: Order) -> float:
        match order:
            case Strike(hex, 1):
                return target(state, hex, allies) - 0.5 * friends(allies, hex)
            case Bombard(_, hex):
                return target(state, hex, allies) - (0.0 if state.day else 0.5) * friends(allies, hex)
        return 0.0

    return rate


# --- ground -----------------------------------------------------------------------------------------------


@cache
def ground(mech: bool, limits: tuple[str, ...], shunned: int = 0) -> CostTable:
    """What a step costs where no enemy is; mechanised units march at half rate wherever there is a road.
    Hexes of `shunned` cost more."""
    kind = Kind(not mech, mech, limits)

    def cost(a: Hex, b: Hex) -> int | None:
        price = None if kind.barred(a, b) else step_cost(mech, a, b)
        if price is None:
            return None
        if mech:
            price = half_rate(a, b) or price
        return FINE * price + POINT * HOSTILE * (shunned >> GRID.index(b) & 1)

    return MAP.costs(cost)


@cache
def distances(goal: Hex, mech: bool, limits: tuple[str, ...]) -> Mapping[int, int]:
    """What it costs an Allied unit to reach a hex, from every hex."""
    return ground(mech, limits, BEHIND).reach(GRID.index(goal), NOWHERE).costs


@lru_cache(maxsize=64)
def homeward(mech: bool, plugs: int) -> Mapping[int, int]:
    """What it costs a German unit to reach the ground east of the Withdrawal Line, from every hex,
    when Allied units hold the passes `plugs`."""
    held = (
        Extra(EVERYWHERE, plugs, POINT * PLUGGED),
        Extra(EVERYWHERE, GRID.spread(plugs), POINT * BESIDE_PLUG),
    )
    table = ground(mech, ()).with_extra(*held) if plugs else ground(mech, ())
    return table.reach(tuple(GRID.index(hex) for hex in GRID.named(zone86.EAST)), NOWHERE).costs


@lru_cache(maxsize=16)
def past(ends: int, mech: bool, enemy: int, zone: int, shun: int) -> Mapping[int, int]:
    """What it costs a German unit to go past enemies to one of the hexes `ends`, from every hex, when a hex
    in an enemy zone costs so much more."""
    extras = Extra(EVERYWHERE, enemy, POINT * PLUGGED), Extra(EVERYWHERE, zone, shun)
    table = ground(mech, ()).with_extra(*extras)
    return table.reach(tuple(GRID.index(hex) for hex in GRID.named(ends)), NOWHERE).costs


@cache
def depths() -> Sequence[int]:
    """The hexes east of the Withdrawal Line that are at least 1, 2... up to `ROOM` hexes beyond it."""
    found = [zone86.EAST]
    while len(found) < ROOM:
        found.append(found[-1] & ~GRID.spread(MAP.on_map & ~found[-1]))
    return found


def depth(hex: Hex) -> int:
    """Hexes from the Withdrawal Line to a hex east of it, at most `ROOM`; 0 west of it."""
    return sum(zone86.within(beyond, hex) for beyond in depths())


def to_safety(hex: Hex, mech: bool, plugs: int = 0) -> float:
    """Movement points from a hex to the ground east of the line."""
    return homeward(mech, plugs).get(GRID.index(hex), NOWHERE) / POINT


# --- the situation -------------------------------------------------------------------------------------


class Post(NamedTuple):
    """A post for an Allied unit, and what it costs to reach it from every hex."""

    hex: Hex
    costs: Mapping[int, int]

    def distance(self, hex: Hex) -> float:
        """Movement points from a hex to the post."""
        return self.costs.get(GRID.index(hex), NOWHERE) / POINT


class Scene:
    """The situation of a side during one request. Each part is worked out once, when it is needed."""

    def __init__(self, state: State, side: Side, stance: Stance = GREEDY) -> None:
        self.state = state
        self.side = side
        self.stance = stance

    @cached_property
    def enemy(self) -> int:
        """The hexes with enemy units."""
        return zones.occupied(self.state, OTHER[self.side])

    @cached_property
    def zone(self) -> int:
        """The hexes in enemy zones of control."""
        return zones.zone(self.state, OTHER[self.side])

    @cached_property
    def rings(self) -> list[int]:
        """The hexes within 0, 1, 2... of enemies that have not got away to the east."""
        found = [self.enemy & ~zone86.EAST]
        if head := self.stance.head:
            near = GRID.bits(hex for hex in GRID.named(found[0]) if to_safety(hex, True) <= head)
            found = [near or found[0]]
        for _ in range(RINGS):
            found.append(found[-1] | GRID.spread(found[-1]))
        return found

    def farness(self, hex: Hex) -> int:
        """Hexes to the nearest of those enemies, at most as many as there are rings."""
        index = GRID.index(hex)
        return next((far for far, ring in enumerate(self.rings) if ring >> index & 1), len(self.rings))

    def way_home(self, mech: bool, hex: Hex) -> float:
        """Movement points from a hex to safety for a German, which held passes make longer."""
        if self.stance.shun:
            return self._past(zone86.EAST, mech).get(GRID.index(hex), NOWHERE) / POINT
        return to_safety(hex, mech, self.enemy & PASSES)

    def _past(self, ends: int, mech: bool) -> Mapping[int, int]:
        return past(ends, mech, self.enemy, self.zone, round(POINT * self.stance.shun))

    def way_out(self, units: Sequence[Unit], hex: Hex) -> float:
        """Movement points from a hex to safety or, for those with little to bring there, off the map."""
        mech = all(unit.mech for unit in units)
        home = self.way_home(mech, hex)
        if not self.stance.south or all(unit.counter.size == "company" for unit in units):
            return home
        off = self._past(SOUTH, mech).get(GRID.index(hex), NOWHERE) / POINT
        return min(home, off + self.stance.south * max(self.brings(unit) for unit in units))

    @cached_property
    def may_yield(self) -> list[tuple[int, float]]:
        """3.3 The hexes of the Germans in the pocket, and what each is likely to score if it is cut off."""
        return [
            (GRID.index(unit.placed), victory.surrender_value(self.state, unit))
            for unit in self.state.on_map("german")
            if not zone86.is_east(unit)
        ]

    def yielding(self, units: Sequence[Unit], goal: Hex) -> float:
        """3.3, 6.5 What Germans that are cut off would score if these Allied units stood in a hex."""
        moved = {unit.id: goal for unit in units}
        lines = communication.communicating(self.state, "german", moved)
        return sum(points for at, points in self.may_yield if not lines >> at & 1)

    @cached_property
    def lines(self) -> int:
        """6.5 The hexes in which Germans have a line of communication."""
        return communication.communicating(self.state, "german")

    @cached_property
    def safe(self) -> set[str]:
        """The German divisions with units east of the line."""
        return {unit.counter.division for unit in self.state.on_map("german") if zone86.is_east(unit)}

    def brings(self, unit: Unit) -> float:
        """3.3 The points that a German unit would score east of the line."""
        division = unit.counter.division
        first = bool(division) and division not in self.safe
        return float(CHARTS.victory.mech * unit.mech + CHARTS.victory.division * first)

    @cached_property
    def posts(self) -> Mapping[str, Post]:
        """Which Allied unit holds which post, or makes for it: for each post the one of those left
        that can be there soonest."""
        free = [
            (unit, GRID.index(unit.placed), 3 + unit.counter.ter, restrictions.limits(self.state, unit))
            for unit in self.state.on_map("allied")
            if unit.counter.division in POSTED
        ]
        found: dict[str, Post] = {}
        for hex, divisions in self.stance.posts:
            soonest: tuple[float, int, Post] | None = None
            for number, (unit, here, pace, limits) in enumerate(free):
                if unit.counter.division in divisions:
                    costs = distances(hex, unit.mech, limits)
                    days = costs.get(here, NOWHERE) / pace
                    if soonest is None or days < soonest[0]:
                        soonest = days, number, Post(hex, costs)
            if soonest:
                found[free.pop(soonest[1])[0].id] = soonest[2]
        return found

    def at_post(self, unit: Unit) -> bool:
        """Whether an Allied unit is at its post."""
        post = self.posts.get(unit.id)
        return post is not None and post.hex == unit.hex


def intended(seen: Scene, command: str) -> Mode:
    """The better kind of round for a command. 11.2 The 58th Corps never assaults."""
    state = seen.state
    units = [unit for unit in state.command_of(command) if not unit.finished]
    gain = 0.0
    for hex in GRID.named(GRID.spread(GRID.bits(unit.placed for unit in units)) & seen.enemy):
        near = [
            unit
            for unit in units
            if GRID.are_neighbours(unit.placed, hex)
            and not restrictions.attack_fault(state, unit, unit.placed, hex)
        ]
        if near:
            gain += max(0.0, promise(seen, hex, near, False))
    return "assault" if seen.stance.eager * gain > sum(haste(seen, unit) for unit in units) else "movement"


def haste(seen: Scene, unit: Unit) -> float:
    """What it costs to leave a unit where it is for a turn."""
    if unit.side == "german":
        return 0.0 if zone86.is_east(unit) else 0.5
    if unit.id in seen.posts:
        return 0.0 if seen.at_post(unit) else seen.stance.closing
    return 0.0 if seen.farness(unit.placed) <= 1 else 0.3


# --- moving -----------------------------------------------------------------------------------------------


def move(seen: Scene, units: Sequence[Unit], goal: Hex) -> float:
    """What sending units to a hex is worth."""
    here = units[0].placed
    feared = (seen.zone >> GRID.index(goal) & 1) - (seen.zone >> GRID.index(here) & 1)
    together = 0.01 * len(units)
    together += seen.stance.lines * surrendering(seen, units, here, goal)
    if units[0].side == "german":
        return german_move(seen, units, here, goal) - seen.stance.fear * feared + together
    wanted = [seen.posts.get(unit.id) for unit in units]
    if post := wanted[0]:
        if any(other is None or other.hex != post.hex for other in wanted):
            return 0.0
        return post.distance(here) - post.distance(goal) - seen.stance.caution * feared + together
    return seen.farness(here) - seen.farness(goal) - seen.stance.caution * feared + together


def surrendering(seen: Scene, units: Sequence[Unit], here: Hex, goal: Hex) -> float:
    """3.3, 6.5 The points that a move is likely to bring at the end because it cuts or finds German lines."""
    if not seen.stance.lines or seen.state.turn < LAST_MOVES:
        return 0.0
    if seen.side == "allied":
        return seen.yielding(units, goal) - seen.yielding(units, here)
    if seen.state.turn < CHARTS.turns.number:
        return 0.0
    kept = (seen.lines >> GRID.index(goal) & 1) - (seen.lines >> GRID.index(here) & 1)
    return kept * sum(victory.surrender_value(seen.state, unit) for unit in units)


def german_move(seen: Scene, units: Sequence[Unit], here: Hex, goal: Hex) -> float:
    """The progress to the east; the last garrison of Argentan and units east of the line stay."""
    if zone86.is_east(units[0]):
        return seen.stance.room * (depth(goal) - depth(here)) or -1.0
    if here == ARGENTAN and len(seen.state.at(here)) <= len(units):
        return -1.0
    return seen.way_out(units, here) - seen.way_out(units, goal)


def leaving(seen: Scene, units: Sequence[Unit]) -> float:
    """3.3 What leaving the map is worth: the way home that it saves, less what would be scored there."""
    home = seen.way_home(all(unit.mech for unit in units), units[0].placed)
    return home - seen.stance.south * max(map(seen.brings, units)) if seen.stance.south else 0.0


# --- fighting ---------------------------------------------------------------------------------------------


def attack(seen: Scene, order: Attack, command: str) -> float:
    """What an assault promises; helpers are better kept for their own round."""
    units = [seen.state.units[id] for id in order.units]
    helpers = [unit for unit in units if unit.command != command and command != "58Pz"]
    if len(helpers) > 1:
        return 0.0
    mech = isinstance(order, MechAssault)
    return promise(seen, order.hex, units, mech, helpers) - 0.02 * len(units) - 0.5 * len(helpers)


def promise(seen: Scene, hex: Hex, units: Sequence[Unit], mech: bool, helpers: Sequence[Unit] = ()) -> float:
    """What an assault promises, less what it threatens. Making Germans retreat
    that are almost home is no help."""
    state, stance, allied = seen.state, seen.stance, seen.side == "allied"
    loss = stance.spared if allied else min(map(step_value, units))
    prize = min(map(step_value, state.at(hex)))
    doomed = not allied and state.turn >= LATE and not zone86.is_east(units[0])
    key = 1.0 if hex == ARGENTAN or PASSES >> GRID.index(hex) & 1 else 0.0
    driven = -0.3 if allied and to_safety(hex, True) < NEARLY_HOME else stance.driven
    gain: Mapping[Result, float] = {
        "AL1": -0.3 if doomed else -loss,
        "CON": -0.05,
        "DR": driven + key,
        "DL1": prize,
        "DLR": prize + driven + key,
    }
    chances = assault.chances(state, hex, units, mech, helpers)
    return sum(float(chance) * gain[result] for result, chance in chances.items())


def step_value(unit: Unit) -> float:
    """What the loss of its next step costs a side."""
    if unit.side == "allied" or unit.steps == 2:
        return 0.7
    return 3.0 if unit.mech else 1.5


# --- bombardment ------------------------------------------------------------------------------------------


def friends(allies: int, hex: Hex) -> int:
    """The hexes with Allied units adjacent to a target."""
    return (GRID.spread(1 << GRID.index(hex)) & allies).bit_count()


def target(state: State, hex: Hex, allies: int) -> float:
    """Germans that are not disrupted yet; better where friends can attack them, and near the posts.
    Units that have got away are ignored."""
    fresh = sum(1.0 + 0.5 * unit.mech for unit in state.at(hex) if not unit.disrupted)
    if not fresh or zone86.within(zone86.EAST, hex):
        return 0.0
    return fresh * (1.0 + 0.3 * min(3, friends(allies, hex)) + zone86.within(WATCHED, hex))
