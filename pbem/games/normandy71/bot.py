"""What an order is worth to the bot: a sound opponent for a beginner, not a master.

The bot judges by what its side may know: a stack under an enemy marker counts as an average one. The
Allied bot lands by the default plan, advances on the victory cities, leaves the map by the exit roads that
are near, attacks with gunfire at good odds and stays in supply. The German bot keeps its entrenchments,
cities and roads and counterattacks where it is strong enough. Figures are roughly in strength points.

A `Stance` says how a side plays; with the default one the judge is the greedy bot. The planner has others
(plan.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from math import inf
from typing import Any

from pbem.engine.game import Rate
from pbem.engine.hexes import indices
from pbem.engine.language import Order
from pbem.engine.play import Ask, Request
from pbem.games.normandy71 import naval, odds, supply, zones
from pbem.games.normandy71.allocation import Allocation
from pbem.games.normandy71.combat import Mission
from pbem.games.normandy71.entrenchment import Announcement
from pbem.games.normandy71.ground import Ground
from pbem.games.normandy71.movement import Movement
from pbem.games.normandy71.orders import Attack, Enter, Entrench, Exit, Glide, Land, Move, UseDefault
from pbem.games.normandy71.reinforcement import Landing
from pbem.games.normandy71.retreat import RetreatWay
from pbem.games.normandy71.state import ENEMY, LAST_TURN, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, EXITS, GRID, MAP, Edge
from pbem.games.normandy71.victory import CITY_HEXES, INLAND, division_out, in_regiments

UNSEEN = 5
"""The assumed strength of a stack under an enemy marker."""

CITIES: dict[Hex, int] = {hex: CHARTS.victory.cities[city] for hex, city in CITY_HEXES.items()}
VALUES: dict[Hex, int] = CITIES | {hex: CHARTS.victory.exits[edge] for hex, edge in EXITS.items()}
"""The points at every goal of the Allies."""
AMERICAN, BRITISH = ("Carentan", "Saint-Lo", "north", "west"), ("Caen", "Bayeux", "Falaise", "east")
"""The goals of each army: cities, and edges of the map to leave by."""
US_BEACHES = tuple(name for name in BEACHES if name.split()[1] in ("Utah", "Omaha"))
Goals = tuple[tuple[Hex, int, str], ...]
"""Hexes, their points, and the cities or edges that they belong to."""
GATHERED = 10
"""How near to an exit road a regiment counts for the division that is to leave by it, in hexes: about a day's
march."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A goal for the units of some formations: the edge of the map by which they leave, or a city. `worth` is
    what it counts more for them than for others."""

    goal: str
    who: tuple[str, ...]
    """Formations as views name them: ``US 4``, ``UK 7``, or a nation."""
    worth: float = 8.0


@dataclass(frozen=True, slots=True)
class Stance:
    """How a side plays. The defaults are those of the greedy bot."""

    margin: float = 0.6
    """How much better a hex must be for a unit to move there."""
    bar: float = 0.8
    """What an attack must gain, in strength points."""
    slope: float = 0.8
    """What each hex on the way to a goal costs."""
    goal: float = 0.25
    """What a victory point at a goal counts for."""
    own: float = 3.0
    """What a goal of a unit's own army counts more."""
    inland: float = 0.15
    """What each hex of depth counts for."""
    caught: float = 0.35
    """What each strength point by which the adjacent enemies are stronger costs after combat."""
    errands: tuple[Errand, ...] = ()
    keep: float = 0.0
    """Allies: what each victory point that has been gained counts for where one unit stands watch."""
    deny: float = 0.0
    """Germans: what each victory point counts for that a unit in a hex denies the Allies."""
    cut: float = 0.0
    """Germans: what each victory point counts for that the Allies lose on the ground because of a unit in a
    hex: it cuts their supply, or is next to a city or to a road by which a division has left."""
    retake: float = 0.0
    """Germans: what each victory point at a goal counts for that the Allies have gained and no German is next
    to; the less, the farther a unit is from it."""
    prize: float = 0.0
    """What each victory point counts for that an attacked stack holds or blocks."""
    deployment: str = ""
    """The plan of invasion or the set-up (plan.py); "" for the default one."""
    choosy: bool = False
    """Whether the attacks are written that gain most, and not the first ones of the map that gain anything
    (plan.py)."""


GREEDY: dict[Side, Stance] = {"allied": Stance(), "german": Stance(margin=0.2, bar=0.5)}


def judge(state: State, request: Request, stance: Stance | None = None) -> Rate:
    """How the seat that is asked rates orders or options; at most 0: not worth doing. Without a stance the
    seat is the greedy bot's."""
    match request:
        case Ask():
            return partial(decision, request)
        case Movement():
            return partial(movement, Picture(request, stance or GREEDY[request.side]))
        case Allocation():
            chosen = stance or GREEDY[request.side]
            return partial(attack, request, strengths(state, request.side), chosen)
        case Landing():
            return reinforcement(request)
        case Announcement():
            return entrenchment(request)
    return lambda order: float(isinstance(order, UseDefault))


def strengths(state: State, side: Side) -> dict[Hex, float]:
    """Enemy-held hex -> the strength of its stack, as far as `side` can see it."""
    found: dict[Hex, float] = {}
    for unit in state.on_map(ENEMY[side]):
        hidden = state.entrenchments.get(unit.placed) == unit.side
        found[unit.placed] = float(UNSEEN) if hidden else found.get(unit.placed, 0.0) + unit.strength
    return found


# --- the map at one moment ------------------------------------------------------------------------------


@dataclass
class Picture:
    """The map as the side that writes its moves sees it now."""

    desk: Movement
    stance: Stance
    values: dict[tuple[Any, ...], float] = field(default_factory=dict)
    """The results of `standing`."""

    def __post_init__(self) -> None:
        self.state, self.side, self.after_combat = self.desk.state, self.desk.side, self.desk.second
        self.mine, self.area = self.desk.mine, self.desk.area
        self.enemy = strengths(self.state, self.side)

    @cached_property
    def goals(self) -> Goals:
        """What the Allies have not gained yet."""
        return goals(self.state)

    @cached_property
    def gained(self) -> tuple[tuple[Hex, int], ...]:
        """The hexes and points that the Allies hold, as both sides can see them."""
        out = [edge for edge, ids in self.state.exits.items() if len(ids) >= CHARTS.victory.exit_regiments]
        cities = [(hex, points) for hex, points in CITIES.items() if self.state.passed.get(hex) == "allied"]
        exited = (unit for unit in self.state.units.values() if unit.place == "exited")
        roads = dict.fromkeys(unit.edges[1] for unit in exited)
        points = CHARTS.victory.exits
        return (*cities, *((hex, points[EXITS[hex]]) for hex in roads if EXITS[hex] in out))

    @cached_property
    def ground(self) -> Ground:
        """What the Allies hold on the ground."""
        return Ground(self.state)

    @cached_property
    def open_goals(self) -> tuple[tuple[Hex, int], ...]:
        """What the Allies have gained and no German is next to."""
        beside = zones.held(self.state, "german") | zones.zone(self.state, "german")
        return tuple((hex, points) for hex, points in self.gained if not beside >> GRID.index(hex) & 1)

    @cached_property
    def from_enemy(self) -> tuple[int, ...]:
        """How far every hex is from the nearest enemy, by index."""
        return distances(GRID.bits(self.enemy))


def goals(state: State) -> Goals:
    """What the Allies have not gained yet: hex, points, and city or edge. When nothing is left, the
    cities."""
    area = supply.supplied(state, "allied")
    edges = [
        edge for edge in CHARTS.victory.exits if not division_out(state, area, edge) and in_time(state, edge)
    ]
    left = [(hex, CITIES[hex], city) for hex, city in CITY_HEXES.items() if state.passed.get(hex) != "allied"]
    left += [(hex, CHARTS.victory.exits[edge], str(edge)) for hex, edge in EXITS.items() if edge in edges]
    return tuple(left) or tuple((hex, CITIES[hex], city) for hex, city in CITY_HEXES.items())


def in_time(state: State, edge: Edge) -> bool:
    """VIC.X Whether units that leave by an edge now still count."""
    return edge != "north" or state.turn <= CHARTS.victory.north_before_end_of


def distances(starts: int) -> tuple[int, ...]:
    """How far every hex is from the nearest of a set of hexes, by index; all 0 if the set is empty."""
    found = [0] * len(GRID)
    reached = fresh = starts
    away = 0
    while fresh:
        for index in indices(fresh):
            found[index] = away
        fresh = GRID.spread(reached) & ~reached
        reached |= fresh
        away += 1
    return tuple(found)


@cache
def to_city(hex: Hex) -> tuple[int, ...]:
    """How far every hex is from a city hex, by index."""
    return distances(GRID.bits([hex]))


@cache
def around(hex: Hex) -> tuple[Hex, ...]:
    return MAP.neighbours(hex)


# --- moving ---------------------------------------------------------------------------------------------


def movement(seen: Picture, order: Order) -> float:
    """How much better a unit is at the end of a move than where it is; to land or to enter is always better
    than to wait."""
    match order:
        case Move((id, *_), path):
            unit = seen.state.units[id]
            if unit.hex is None:
                return 100.0 + standing(seen, unit, path[-1])
            here = standing(seen, unit, unit.placed)
            return standing(seen, unit, path[-1]) - here - seen.stance.margin
        case Enter((id, *_), hex, path):
            return 50.0 + standing(seen, seen.state.units[id], path[-1] if path else hex)
        case Exit((id, *_), hex):
            return leaving(seen, seen.state.units[id], hex)
    return 0.0


def leaving(seen: Picture, unit: Unit, hex: Hex) -> float:
    """What it is worth that an Allied unit leaves the map: much, if a division can gather at that road and
    its edge has not brought points yet."""
    edge = EXITS[hex]
    if edge not in {what for _, _, what in seen.goals} or unit.size != "regiment":
        return 0.0
    out = sum(in_regiments(seen.state.units[id]) for id in seen.state.exits.get(edge, ()))
    away = to_city(hex)
    near = [other for here in seen.mine.values() for other in here if other.size == "regiment"]
    coming = sum(away[GRID.index(other.placed)] <= GATHERED for other in near)
    whole = out < CHARTS.victory.exit_regiments <= out + coming
    return 2.0 * CHARTS.victory.exits[edge] if whole else 0.0


def standing(seen: Picture, unit: Unit, hex: Hex) -> float:
    """What it is worth that a unit is in a hex."""
    key = (
        unit.kind,
        unit.type,
        unit.nation,
        errands(unit, seen.stance),
        hex,
        unit.hex == hex,
        unit.hex if unit.armour or unit.hex == hex else "",
    )
    if key not in seen.values:
        seen.values[key] = _standing(seen, unit, hex)
    return seen.values[key]


def _standing(seen: Picture, unit: Unit, hex: Hex) -> float:
    company = [other for other in seen.mine.get(hex, ()) if other is not unit]
    value = contact(seen, unit, hex, company)
    if unit.armour:
        value += 0.0 if any(not other.armour for other in company) else -4.0
    if not seen.area >> GRID.index(hex) & 1:
        value -= 6.0
    if MAP.terrain(hex) in ("bocage", "city", "fort"):
        value += 0.5
    return value + (
        allied_ground(seen, unit, hex) if seen.side == "allied" else german_ground(seen, unit, hex, company)
    )


def contact(seen: Picture, unit: Unit, hex: Hex, company: list[Unit]) -> float:
    """What adjacent enemies are worth: prey before the side's own combat phase, danger after it."""
    beside = [near for near in around(hex) if near in seen.enemy]
    if not beside:
        return 0.0
    stack = unit.strength + sum(other.strength for other in company)
    if seen.after_combat:
        threat = sum(seen.enemy[near] for near in beside)
        return 0.5 - max(0.0, threat - stack) * seen.stance.caught
    return max(prey(seen, unit, hex, near) for near in beside)


def prey(seen: Picture, unit: Unit, hex: Hex, target: Hex) -> float:
    """What it is worth to be adjacent to an enemy stack, given the units already around it and gunfire."""
    if unit.defend_only or (unit.armour and not CHARTS.ground(target).armour_attacks):
        return -1.0
    beside = [near for near in around(target) if near in seen.mine]
    friends = sum(
        o.strength for near in beside for o in seen.mine[near] if o is not unit and not o.defend_only
    )
    strength = friends + unit.strength
    if seen.side == "allied":
        strength += 10 if naval.RANGES[target] <= 14 else 0
    ratio = strength / max(1.0, seen.enemy[target])
    if ratio >= 3:
        return 5.0 if friends < 6 * seen.enemy[target] else 1.5
    if ratio >= 1.5:
        return 2.5
    return 0.5 if ratio >= 1 else -2.0


def allied_ground(seen: Picture, unit: Unit, hex: Hex) -> float:
    """The Allies go inland and for the cities they have not taken yet, each army for its own and near ones
    first."""
    at = GRID.index(hex)
    own = AMERICAN if unit.nation == "US" else BRITISH
    knobs = seen.stance
    best = pull(seen.goals, own, knobs.goal, knobs.own, knobs.slope, errands(unit, knobs))[at]
    if knobs.keep:
        best += knobs.keep * sum(p for goal, p in seen.gained if alone(seen.mine, unit, goal, hex))
    last_move = seen.state.turn == LAST_TURN and seen.after_combat
    return best + INLAND[hex] * (0.6 if last_move and unit.motor else knobs.inland)


@lru_cache(maxsize=128)
def pull(
    goals: Goals, army: tuple[str, ...], goal: float, own: float, slope: float, sent: tuple[Errand, ...]
) -> tuple[float, ...]:
    """How much the best of these goals draws a unit of an army to every hex, by index."""
    extra = {each.goal: each.worth for each in sent}
    found = [-inf] * len(GRID)
    for hex, points, what in goals:
        worth = points * goal + own * (what in army) + extra.get(what, 0.0)
        for at, away in enumerate(to_city(hex)):
            found[at] = max(found[at], worth - slope * away)
    return tuple(found)


@lru_cache(maxsize=32)
def towards(goals: tuple[tuple[Hex, int], ...]) -> tuple[float, ...]:
    """The points of the best of these goals, the fewer the farther every hex is from it, by index."""
    found = [0.0] * len(GRID)
    for hex, points in goals:
        for at, away in enumerate(to_city(hex)):
            found[at] = max(found[at], points * (1 - away / GATHERED))
    return tuple(found)


def errands(unit: Unit, stance: Stance) -> tuple[Errand, ...]:
    """The errands on which a stance sends a unit."""
    if not stance.errands:
        return ()
    names = (unit.nation, f"{unit.nation} {(unit.part_of or unit.id).rpartition('/')[2]}", unit.id)
    return tuple(each for each in stance.errands if any(name in each.who for name in names))


def alone(mine: Mapping[Hex, list[Unit]], unit: Unit, goal: Hex, hex: Hex) -> bool:
    """Whether a unit in a hex would be the only one of its side in or next to a goal."""
    if hex != goal and hex not in around(goal):
        return False
    return not any(other is not unit for near in (goal, *around(goal)) for other in mine.get(near, ()))


def german_ground(seen: Picture, unit: Unit, hex: Hex, company: list[Unit]) -> float:
    """The Germans keep entrenchments, cities and roads, and bring their mobile units up to the enemy."""
    at = GRID.index(hex)
    value = 3.0 if seen.state.entrenchments.get(hex) == "german" else 0.0
    if hex in CITIES and not company:
        value += 2.0 + CITIES[hex] * 0.6
    if MAP.road_hexes >> at & 1:
        value += 0.4
    if seen.stance.deny:
        points = (*CITIES.items(), *seen.gained)
        value += seen.stance.deny * sum(p for goal, p in points if alone(seen.mine, unit, goal, hex))
    if seen.stance.cut:
        lost = seen.ground.kept_from(hex, company) if unit.hex == hex else seen.ground.taken_in(hex)
        value += seen.stance.cut * lost
    if seen.stance.retake:
        value += seen.stance.retake * towards(seen.open_goals)[at]
    if unit.hex is None or unit.allowance >= 6:
        value -= 0.7 * seen.from_enemy[at]
        value += 0.3 * max(-float(to_city(goal)[at]) for goal in CITIES)
        value -= 0.6 if naval.RANGES[hex] <= 4 else 0.0
    else:
        value += 0.25 * max(CITIES[goal] * 0.3 - to_city(goal)[at] for goal in CITIES)
    return value


# --- fighting -------------------------------------------------------------------------------------------

GAIN = {"De": 1.0, "Dr2": 0.45, "Ex": 1.0, "Ar2": 0.0, "Ae": 0.0}
PRICE = {"De": 0.0, "Dr2": 0.0, "Ex": 0.0, "Ar2": 0.3, "Ae": 1.0}
WASTED = 100.0
"""The worth of an own supply area that a retreat would close (SUP.H)."""


def attack(desk: Allocation, enemy: Mapping[Hex, float], stance: Stance, order: Order) -> float:
    """What an attack gains on average, in strength points, less what it costs."""
    if not isinstance(order, Attack):
        return 0.0
    state = desk.state
    attackers = [state.units[id] for id in order.units]
    defence = sum(enemy[hex] for hex in order.hexes)
    strength = sum(unit.strength for unit in attackers)
    guns = fires(desk, order) if order.missions else 0.0
    column = odds.column(int(strength + guns), max(1, int(2 * defence)))
    plus = odds.die_modifiers(state, attackers, order.hexes).total
    value = 0.0
    for result, chance in CHARTS.combat.chances(column, plus).items():
        lost = PRICE[result] * strength + (min(strength, defence) if result == "Ex" else 0.0)
        value += float(chance) * (GAIN[result] * defence - lost)
    trench = sum(
        2.0 for hex in {unit.placed for unit in attackers} if state.entrenchments.get(hex) == desk.side
    )
    idle = 0.02 * strength + 0.3 * len(order.missions)
    if stance.prize and desk.side == "allied":
        gone = float(sum(c for r, c in CHARTS.combat.chances(column, plus).items() if GAIN[r]))
        value += gone * stance.prize * sum(blocked(state, hex) for hex in order.hexes)
    return value - trench - idle - stance.bar


def blocked(state: State, hex: Hex) -> int:
    """The points of the cities and exits that Germans in a hex keep from the Allies."""
    return sum(
        points
        for goal, points in VALUES.items()
        if hex == goal or (hex in around(goal) and (goal in CITIES or in_time(state, EXITS[goal])))
    )


def fires(desk: Allocation, order: Attack) -> float:
    """The strength that the gunfire of an attack will add."""
    hexes = tuple(dict.fromkeys(order.hexes))
    chosen = naval.choose(desk.state, hexes, order.missions, desk.remaining)
    return float(sum(naval.mission(desk.state, kind).attack for kind in chosen.values()))


# --- other orders and decisions -------------------------------------------------------------------------


def reinforcement(desk: Landing) -> Rate:
    """Gliders land near friends. Reinforcements land behind their own army, at beaches where few units
    wait and the way inland is open."""
    state = desk.state
    friends = distances(GRID.bits(unit.placed for unit in state.on_map("allied"))) if desk.gliders() else ()

    def rate(order: Order) -> float:
        match order:
            case Glide(_, hex):
                return 50.0 - friends[GRID.index(hex)]
            case Land((id, *_), beach):
                full = sum(other.place == "box" and other.beach == beach for other in state.units.values())
                crowd = len(state.at(BEACHES[beach]))
                home = (state.units[id].nation == "US") == (beach in US_BEACHES)
                return 10.0 + (4.0 if home else 0.0) - full - 0.5 * crowd
        return 0.0

    return rate


def entrenchment(desk: Announcement) -> Rate:
    """Slow German infantry digs in where it holds a city or faces the enemy; the Allies never dig in."""
    enemy = zones.held(desk.state, ENEMY[desk.side])
    near = GRID.flood(enemy, steps=3) if enemy else 0

    def rate(order: Order) -> float:
        assert isinstance(order, Entrench)
        unit = desk.state.units[order.units[0]]
        digs = desk.side == "german" and unit.allowance <= 2
        return float(digs and (unit.placed in CITIES or bool(near >> GRID.index(unit.placed) & 1)))

    return rate


def decision(ask: Ask[Any], choice: Any) -> float:
    """What an option of a decision is worth."""
    if isinstance(ask, RetreatWay):
        wasteful = choice not in ask.sparing
        return route(choice.split()[-1], ask.side) - wasteful * WASTED
    if isinstance(ask, Mission):
        if choice == naval.NONE:
            return 0.0
        wanted = ask.kind == "gunfire" or 2 * ask.attack >= ask.defence
        return float(ask.strengths[choice]) if wanted else -1.0
    return 0.0


def route(end: Hex, side: Side) -> float:
    """Send Germans away from the cities, and Allied units back to the sea."""
    if side == "german":
        return float(min(to_city(goal)[GRID.index(end)] for goal in CITIES))
    return -float(INLAND[end])
