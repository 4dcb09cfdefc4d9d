"""What an order is worth to the bot that plays a seat, and to the system that runs the Allies
in solitaire play (13).

Germans make for the ground east of the Withdrawal Line by the passes of the Dives that are still open,
keep a garrison in Argentan, and hold back mechanised units from the far west as unknown forces.
Of the Allies some divisions close the pocket: they take the posts of `POSTS`, and stay there.
Everybody else goes for the nearest Germans who have not got away. A command that has more to gain
from an assault round than from a movement round does not move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from pbem.engine.desk import Desk
from pbem.engine.game import Rate
from pbem.engine.hexes import EVERYWHERE
from pbem.engine.map import CostTable, Extra
from pbem.engine.play import Ask, Request
from pbem.games.falaise import assault, counterattack, ratings, restrictions, setup, zone86, zones
from pbem.games.falaise.march import FAR, FINE, Kind, half_rate, step_cost
from pbem.games.falaise.notes import Assaulted, Moved, SystemActs
from pbem.games.falaise.orders import Attach, Attack, Bombard, Enter, Move, Strike, UseDefault, Withhold
from pbem.games.falaise.state import OTHER, Hex, Mode, Side, State, Unit
from pbem.games.falaise.tables import ARGENTAN, GRID, MAP, Result

LADDER: tuple[Result, ...] = ("AL1", "CON", "DR", "DL1", "DLR")
"""Results from the worst to the best for the attacker."""
NORTHERN, TOWN = ("P1Arm", "C4Arm", "C3"), ("80",)
POSTS: tuple[tuple[Hex, tuple[str, ...]], ...] = (
    *((hex, NORTHERN) for hex in ("2810", "2315", "2612", "2910", "2017", "1718", "3310", "2711", "3312")),
    *((hex, ("90",)) for hex in ("3309", "3311", "3413")),
    *((hex, TOWN) for hex in ("3415", "3512")),
    *((hex, (restrictions.FRENCH,)) for hex in (ARGENTAN, "3317", "3710")),
)
"""Where units of some divisions close the pocket, the most urgent post first: the passes of the Dives,
the gap south of its source, and Argentan."""
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
they had rather go round."""
LAST = 10
"""The turn in which the counterattack is made, for it brings the unknown forces to safety."""
FAR_WEST = 21.0
"""Movement points to safety from which a mechanised unit had better be withheld."""
NEARLY_HOME = 10
"""Movement points to safety within which a retreat may lead a German out of the pocket."""
LATE = 8
"""From this turn on Germans in the pocket have nothing to lose."""
RINGS = 24
"""Further than so many hexes an enemy is out of mind."""
POINT = 2 * FINE
"""A movement point in the units of the cost tables (march.py)."""
NOWHERE = POINT * FAR


def worth(state: State, request: Request, choice: Any) -> float:
    """How good an order or option is in the eyes of the seat that is asked;
    zero or less is as good as doing nothing."""
    if isinstance(request, Ask):
        return decision(state, request, choice)
    if not isinstance(request, Desk):
        return 0.0
    match choice:
        case Move(units, path):
            return move(state, [state.units[id] for id in units], path[-1], request.section)
        case Attack():
            return attack(state, choice, request.section)
        case Strike(hex, number):
            return strike(state, hex) if number == 1 else 0.0
        case Bombard(_, hex):
            return shelling(state, hex)
        case Attach(units):
            return 0.0 if state.units[units[0]].counter.corps else 1.0
        case Enter(units, hex):
            return 100.0 - to_safety(hex, state.units[units[0]].mech) - scene(state, "german").farness(hex)
        case Withhold(units):
            unit = state.units[units[0]]
            return float(unit.mech and to_safety(unit.placed, True) >= FAR_WEST)
        case UseDefault():
            return 1.0
    return 0.0


# --- decisions ------------------------------------------------------------------------------------------


def decision(state: State, ask: Ask[Any], choice: Any) -> float:
    """Decisions in passing."""
    about = ask.about
    match ask.kind:
        case "opfire":
            return 0.0 if choice == "hold" else 10.0 + about["modifier"][choice]
        case "ter":
            better = LADDER.index(about["to"]) - LADDER.index(about["result"])
            return 0.0 if choice == "keep" else float(better if about["who"] == "attacker" else -better)
        case "losses":
            unit = about["units"][choice]
            return float(10 * (unit["steps"] == 2) - unit["strength"])
        case "disrupt":
            return -float(ratings.ter(state, state.units[choice]))
        case "friendly fire":
            return float(ratings.ter(state, state.units[choice]))
        case "retreat":
            unit = state.units[about["unit"]]
            end = choice.split()[-1]
            home = scene(state, "german").way_home(unit.mech, end) if unit.side == "german" else 0.0
            return 50.0 - 5 * len(about["fire"][choice]) - home
        case "advance":
            return 0.0 if choice == "stay" else advance(state, state.units[about["unit"]], choice.split()[-1])
        case "58th":
            return (
                1.0 if choice == "yes" and len(about["eligible"]) >= len(own(state, about["drawn"])) else 0.0
            )
        case "counterattack":
            return float(choice != "no" and state.turn >= LAST) * (1 + len(own(state, choice)))
        case "choose":
            return float(len(own(state, choice)))
    return 0.0


def own(state: State, command: str) -> list[Unit]:
    return counterattack.core(state, command) if command == "no" else state.command_of(command)


def advance(state: State, unit: Unit, hex: Hex) -> float:
    """Whether to follow into a hex: Allies unless they hold a post, Germans if it leads them out."""
    seen = scene(state, unit.side)
    if unit.side == "allied":
        return float(not seen.at_post(unit))
    return seen.way_home(unit.mech, unit.placed) - seen.way_home(unit.mech, hex) - 1


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
    """What it costs an Allied unit to come to a hex from everywhere."""
    return ground(mech, limits, BEHIND).reach(GRID.index(goal), NOWHERE).costs


@lru_cache(maxsize=64)
def homeward(mech: bool, plugs: int) -> Mapping[int, int]:
    """What it costs a German to come to the ground east of the Withdrawal Line from everywhere,
    when Allies stand in the passes `plugs`."""
    held = (
        Extra(EVERYWHERE, plugs, POINT * PLUGGED),
        Extra(EVERYWHERE, GRID.spread(plugs), POINT * BESIDE_PLUG),
    )
    table = ground(mech, ()).with_extra(*held) if plugs else ground(mech, ())
    return table.reach(tuple(GRID.index(hex) for hex in GRID.named(zone86.EAST)), NOWHERE).costs


def to_safety(hex: Hex, mech: bool, plugs: int = 0) -> float:
    """Movement points from a hex to the ground east of the line."""
    return homeward(mech, plugs).get(GRID.index(hex), NOWHERE) / POINT


# --- how things stand -------------------------------------------------------------------------------------


class Post(NamedTuple):
    """Where an Allied unit is wanted, and what it costs to come there from everywhere."""

    hex: Hex
    costs: Mapping[int, int]

    def distance(self, hex: Hex) -> float:
        """Movement points from a hex to the post."""
        return self.costs.get(GRID.index(hex), NOWHERE) / POINT


class Scene:
    """How things stand for a side. What is asked for is worked out once."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.modes: dict[str, Mode] = {}

    @cached_property
    def enemy(self) -> int:
        """Where the enemy stands."""
        return zones.occupied(self.state, OTHER[self.side])

    @cached_property
    def zone(self) -> int:
        """Where his zones reach."""
        return zones.zone(self.state, OTHER[self.side])

    @cached_property
    def rings(self) -> list[int]:
        """The hexes within 0, 1, 2... of enemies who have not got away to the east."""
        found = [self.enemy & ~zone86.EAST]
        for _ in range(RINGS):
            found.append(found[-1] | GRID.spread(found[-1]))
        return found

    def farness(self, hex: Hex) -> int:
        """Hexes to the nearest of those enemies, at the most as many as there are rings."""
        index = GRID.index(hex)
        return next((far for far, ring in enumerate(self.rings) if ring >> index & 1), len(self.rings))

    def way_home(self, mech: bool, hex: Hex) -> float:
        """Movement points from a hex to safety for a German, held passes being dear."""
        return to_safety(hex, mech, self.enemy & PASSES)

    @cached_property
    def posts(self) -> Mapping[str, Post]:
        """Which Allied unit holds which post, or makes for it: for each post the one that is there soonest
        of those that are left."""
        free = [
            (unit, GRID.index(unit.placed), 3 + unit.counter.ter, restrictions.limits(self.state, unit))
            for unit in self.state.on_map("allied")
            if unit.counter.division in POSTED
        ]
        found: dict[str, Post] = {}
        for hex, divisions in POSTS:
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
        """Whether an Allied unit stands where it is wanted."""
        post = self.posts.get(unit.id)
        return post is not None and post.hex == unit.hex

    def mode(self, command: str) -> Mode:
        """What kind of round a command should have, or has by now: it assaults if that promises
        more than it would lose by standing still."""
        if command not in self.modes:
            self.modes[command] = _begun(self.state) or _intended(self, command)
        return self.modes[command]


_kept: dict[Side, tuple[tuple[Any, ...], Scene]] = {}


def scene(state: State, side: Side) -> Scene:
    """How things stand for a side now; kept until somebody has acted."""
    page = (state.turn, state.phase, state.round, len(state.log), state.rolls)
    found = _kept.get(side)
    if found is None or found[1].state is not state or found[0] != page:
        found = _kept[side] = page, Scene(state, side)
    return found[1]


def _begun(state: State) -> Mode:
    """The kind of the round that is being played, as far as it has been settled by orders,
    or by the die of the system (13.2)."""
    for note in state.log:
        match note:
            case Moved() | SystemActs(action="move" | "mech assault"):
                return "movement"
            case Assaulted() | SystemActs(action="assault"):
                return "assault"
    return ""


def _intended(seen: Scene, command: str) -> Mode:
    """The kind of round that a command had better have. 11.2 The 58th Corps never assaults."""
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
            gain += max(0.0, promise(state, hex, near, False))
    return "assault" if gain > sum(haste(seen, unit) for unit in units) else "movement"


def haste(seen: Scene, unit: Unit) -> float:
    """What it costs to leave a unit where it is for a turn."""
    if unit.side == "german":
        return 0.0 if zone86.is_east(unit) else 0.5
    if unit.id in seen.posts:
        return 0.0 if seen.at_post(unit) else 2.0
    return 0.0 if seen.farness(unit.placed) <= 1 else 0.3


# --- moving -----------------------------------------------------------------------------------------------


def move(state: State, units: Sequence[Unit], goal: Hex, section: str) -> float:
    """What it brings to send units to a hex."""
    seen = scene(state, units[0].side)
    if seen.mode(section) == "assault":
        return 0.0
    here = units[0].placed
    feared = (seen.zone >> GRID.index(goal) & 1) - (seen.zone >> GRID.index(here) & 1)
    together = 0.01 * len(units)
    if units[0].side == "german":
        return german_move(seen, units, here, goal) - 1.5 * feared + together
    wanted = [seen.posts.get(unit.id) for unit in units]
    if post := wanted[0]:
        if any(other is None or other.hex != post.hex for other in wanted):
            return 0.0
        return post.distance(here) - post.distance(goal) - 0.3 * feared + together
    return seen.farness(here) - seen.farness(goal) - 0.3 * feared + together


def german_move(seen: Scene, units: Sequence[Unit], here: Hex, goal: Hex) -> float:
    """The way gone to the east; the last garrison of Argentan stays, and who is east is content."""
    if zone86.is_east(units[0]) or (here == ARGENTAN and len(seen.state.at(here)) <= len(units)):
        return -1.0
    mech = all(unit.mech for unit in units)
    return seen.way_home(mech, here) - seen.way_home(mech, goal)


# --- fighting ---------------------------------------------------------------------------------------------


def attack(state: State, order: Attack, section: str) -> float:
    """What an assault promises; helpers had better keep their own round."""
    units = [state.units[id] for id in order.units]
    mech = order.verb == "mech"
    if not mech and scene(state, units[0].side).mode(section) == "movement":
        return 0.0
    helpers = [unit for unit in units if unit.command != section and section != "58Pz"]
    if len(helpers) > 1:
        return 0.0
    return promise(state, order.hex, units, mech, helpers) - 0.02 * len(units) - 0.5 * len(helpers)


def promise(state: State, hex: Hex, units: Sequence[Unit], mech: bool, helpers: Sequence[Unit] = ()) -> float:
    """What an assault promises, less what it threatens. To make Germans retreat who are almost
    home is no help."""
    foes = state.at(hex)
    loss, prize = min(map(step_value, units)), min(map(step_value, foes))
    doomed = units[0].side == "german" and state.turn >= LATE and not zone86.is_east(units[0])
    key = 1.0 if hex == ARGENTAN or PASSES >> GRID.index(hex) & 1 else 0.0
    driven = -0.3 if units[0].side == "allied" and to_safety(hex, True) < NEARLY_HOME else 0.1
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


def strike(state: State, hex: Hex) -> float:
    """What an airstrike brings: it may hit the friends beside its target."""
    return target(state, hex) - 0.5 * friends(state, hex)


def shelling(state: State, hex: Hex) -> float:
    """What guns bring: by day they do not endanger friends."""
    return target(state, hex) - (0.0 if state.day else 0.5) * friends(state, hex)


def friends(state: State, hex: Hex) -> int:
    """The hexes with Allied units beside a target."""
    beside = GRID.spread(1 << GRID.index(hex))
    return (beside & scene(state, "german").enemy).bit_count()


def target(state: State, hex: Hex) -> float:
    """Germans who are not disrupted yet; better where friends stand by to attack, and near the posts.
    Who has got away is let go."""
    fresh = sum(1.0 + 0.5 * unit.mech for unit in state.at(hex) if not unit.disrupted)
    if not fresh or zone86.within(zone86.EAST, hex):
        return 0.0
    return fresh * (1.0 + 0.3 * min(3, friends(state, hex)) + zone86.within(WATCHED, hex))


def judge(state: State, request: Request) -> Rate:
    """How the orders or options of a request are rated."""
    return lambda choice: worth(state, request, choice)
