"""What an order is worth to the bot that plays a seat: a sound opponent for a beginner, not a master.

It judges by what its seat may know: a stack under an enemy marker counts as an average one.
The Allied bot lands by the default plan, presses towards the victory cities, attacks with gunfire
where the odds are good and stays in supply. The German bot keeps its trenches, cities and roads
and strikes back where it is strong enough. Figures are in strength points, more or less.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pbem.engine.desk import Desk
from pbem.engine.game import Rate
from pbem.engine.hexes import indices
from pbem.engine.play import Ask, Request
from pbem.games.normandy71 import naval, odds, supply
from pbem.games.normandy71.orders import Attack, Enter, Entrench, Glide, Land, Move, UseDefault
from pbem.games.normandy71.state import ENEMY, LAST_TURN, Hex, Side, State, Unit
from pbem.games.normandy71.tables import BEACHES, CHARTS, GRID, MAP
from pbem.games.normandy71.victory import CITY_HEXES, INLAND

UNSEEN = 5
"""What a stack under an enemy marker is taken for."""

CITIES: dict[Hex, int] = {hex: CHARTS.victory.cities[city] for hex, city in CITY_HEXES.items()}
AMERICAN, BRITISH = ("Carentan", "Saint-Lo"), ("Caen", "Bayeux", "Falaise")
US_BEACHES = tuple(name for name in BEACHES if name.split()[1] in ("Utah", "Omaha"))


def worth(state: State, request: Request, choice: Any) -> float:
    """How good an order or option is in the eyes of the seat that is asked;
    zero or less is as good as doing nothing."""
    if isinstance(request, Ask):
        return decision(state, request, choice)
    if not isinstance(request, Desk):
        return 0.0
    side: Side = "german" if request.seat == "german" else "allied"
    match choice:
        case UseDefault():
            return 1.0
        case Attack():
            return attack(picture(state, side), choice)
        case Move(units, path):
            return move(
                picture(state, side),
                state.units[units[0]],
                path[-1],
                after_combat=request.section == "movement 2",
            )
        case Enter(units, hex, path):
            end = path[-1] if path else hex
            return 50.0 + standing(picture(state, side), state.units[units[0]], end, after_combat=False)
        case Land(units, beach) if request.section == "reinforcement":
            return reinforce(state, state.units[units[0]], beach)
        case Glide(_, hex):
            return 50.0 - picture(state, side).from_friends()[GRID.index(hex)]
        case Entrench(units):
            return dig(picture(state, side), state.units[units[0]])
    return 0.0


# --- the picture a seat has -----------------------------------------------------------------------------


@dataclass(slots=True)
class Picture:
    """What a seat sees of the map at one moment; kept until something is logged."""

    state: State
    side: Side
    phase: str
    noted: int
    mine: dict[Hex, list[Unit]] = field(default_factory=dict)
    enemy: dict[Hex, float] = field(default_factory=dict)
    """Enemy-held hex -> strength as far as it can be seen."""
    area: int = 0
    goals: tuple[Hex, ...] = ()
    values: dict[tuple[Any, ...], float] = field(default_factory=dict)
    _from_enemy: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        foe = ENEMY[self.side]
        for unit in self.state.on_map():
            if unit.side == self.side:
                self.mine.setdefault(unit.placed, []).append(unit)
            else:
                hidden = self.state.entrenchments.get(unit.placed) == foe
                before = self.enemy.get(unit.placed, 0.0)
                self.enemy[unit.placed] = float(UNSEEN) if hidden else before + unit.strength
        self.area = supply.supplied(self.state, self.side)
        self.goals = tuple(hex for hex in CITIES if self.state.passed.get(hex) != "allied") or tuple(CITIES)

    def from_enemy(self) -> tuple[int, ...]:
        """How far every hex is from the nearest enemy, by index."""
        if not self._from_enemy:
            self._from_enemy = distances(GRID.bits(self.enemy))
        return self._from_enemy

    def from_friends(self) -> tuple[int, ...]:
        """How far every hex is from the nearest of one's own stacks, by index."""
        return distances(GRID.bits(self.mine))

    def is_of(self, state: State, side: Side) -> bool:
        same = self.state is state and self.side == side and self.phase == state.phase
        return same and self.noted == len(state.log)


_latest: list[Picture] = []


def picture(state: State, side: Side) -> Picture:
    """The picture of this moment: worked out once for all the orders that are weighed in it."""
    if not _latest or not _latest[0].is_of(state, side):
        _latest[:] = [Picture(state, side, state.phase, len(state.log))]
    return _latest[0]


def distances(starts: int) -> tuple[int, ...]:
    """How far every hex is from the nearest of a set of hexes, by index; all nought if the set is empty."""
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


def move(seen: Picture, unit: Unit, end: Hex, *, after_combat: bool) -> float:
    """How much better a unit stands at the end of a move than where it is;
    landing is always better than waiting."""
    if unit.hex is None:
        return 100.0 + standing(seen, unit, end, after_combat=after_combat)
    margin = 0.6 if seen.side == "allied" else 0.2
    here = standing(seen, unit, unit.placed, after_combat=after_combat)
    return standing(seen, unit, end, after_combat=after_combat) - here - margin


def standing(seen: Picture, unit: Unit, hex: Hex, *, after_combat: bool) -> float:
    """What it is worth that a unit stands in a hex."""
    key = (
        unit.kind,
        unit.type,
        hex,
        after_combat,
        unit.hex == hex,
        unit.hex if unit.armour or unit.hex == hex else "",
    )
    if key not in seen.values:
        seen.values[key] = _standing(seen, unit, hex, after_combat)
    return seen.values[key]


def _standing(seen: Picture, unit: Unit, hex: Hex, after_combat: bool) -> float:
    company = [other for other in seen.mine.get(hex, ()) if other is not unit]
    value = contact(seen, unit, hex, company, after_combat)
    if unit.armour:
        value += 0.0 if any(not other.armour for other in company) else -4.0
    if not seen.area >> GRID.index(hex) & 1:
        value -= 6.0
    if MAP.terrain(hex) in ("bocage", "city", "fort"):
        value += 0.5
    return value + (
        allied_ground(seen, unit, hex) if seen.side == "allied" else german_ground(seen, unit, hex, company)
    )


def contact(seen: Picture, unit: Unit, hex: Hex, company: list[Unit], after_combat: bool) -> float:
    """What the enemy next to a hex is worth: prey before one's own combat phase, danger after it."""
    beside = [near for near in around(hex) if near in seen.enemy]
    if not beside:
        return 0.0
    stack = unit.strength + sum(other.strength for other in company)
    if after_combat:
        threat = sum(seen.enemy[near] for near in beside)
        return 0.5 - max(0.0, threat - stack) * 0.35
    return max(prey(seen, unit, hex, near) for near in beside)


def prey(seen: Picture, unit: Unit, hex: Hex, target: Hex) -> float:
    """How good it is to stand next to an enemy stack, with all that stand around it already
    and the gunfire to be had."""
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
    """The Allies go for the cities they have not had yet, each army for its own and for the near ones first,
    and inland."""
    at = GRID.index(hex)
    own = AMERICAN if unit.nation == "US" else BRITISH
    best = max(
        CITIES[goal] * 0.25 + 3.0 * (CITY_HEXES[goal] in own) - 0.8 * to_city(goal)[at] for goal in seen.goals
    )
    last_move = seen.state.turn == LAST_TURN and seen.phase == "allied_second_movement"
    return best + INLAND[hex] * (0.6 if last_move and unit.motor else 0.15)


def german_ground(seen: Picture, unit: Unit, hex: Hex, company: list[Unit]) -> float:
    """The Germans keep trenches and cities, stand on roads, and bring their mobile units up to the enemy."""
    at = GRID.index(hex)
    value = 3.0 if seen.state.entrenchments.get(hex) == "german" else 0.0
    if hex in CITIES and not company:
        value += 2.0 + CITIES[hex] * 0.6
    if MAP.road_hexes >> at & 1:
        value += 0.4
    if unit.hex is None or unit.allowance >= 6:
        value -= 0.7 * seen.from_enemy()[at]
        value += 0.3 * max(-float(to_city(goal)[at]) for goal in CITIES)
        value -= 0.6 if naval.RANGES[hex] <= 4 else 0.0
    else:
        value += 0.25 * max(CITIES[goal] * 0.3 - to_city(goal)[at] for goal in CITIES)
    return value


# --- fighting -------------------------------------------------------------------------------------------

GAIN = {"De": 1.0, "Dr2": 0.45, "Ex": 1.0, "Ar2": 0.0, "Ae": 0.0}
PRICE = {"De": 0.0, "Dr2": 0.0, "Ex": 0.0, "Ar2": 0.3, "Ae": 1.0}
BAR = {"allied": 0.8, "german": 0.5}
WASTED = 100.0
"""What a supply area of one's own is worth that a retreat would end (SUP.H)."""


def attack(seen: Picture, order: Attack) -> float:
    """What an attack gains on average, in strength points, less what it costs."""
    state = seen.state
    attackers = [state.units[id] for id in order.units]
    defence = sum(seen.enemy[hex] for hex in order.hexes)
    strength = sum(unit.strength for unit in attackers)
    guns = fires(state, order) if order.missions else 0.0
    column = odds.column(int(strength + guns), max(1, int(2 * defence)))
    plus = odds.die_modifiers(state, attackers, order.hexes).total
    value = 0.0
    for result, chance in CHARTS.combat.chances(column, plus).items():
        lost = PRICE[result] * strength + (min(strength, defence) if result == "Ex" else 0.0)
        value += float(chance) * (GAIN[result] * defence - lost)
    trench = sum(
        2.0 for hex in {unit.placed for unit in attackers} if state.entrenchments.get(hex) == seen.side
    )
    idle = 0.02 * strength + 0.3 * len(order.missions)
    return value - trench - idle - BAR[seen.side]


def fires(state: State, order: Attack) -> float:
    """The strength that the gunfire of an attack will add."""
    chosen = naval.choose(
        state, tuple(dict.fromkeys(order.hexes)), order.missions, naval.left(state, "attack")
    )
    return float(sum(naval.mission(state, kind).attack for kind in chosen.values()))


# --- other orders and decisions -------------------------------------------------------------------------


def reinforce(state: State, unit: Unit, beach: str) -> float:
    """Reinforcements come ashore behind their own army, where few are waiting and the way inland is open."""
    full = sum(other.place == "box" and other.beach == beach for other in state.units.values())
    crowd = len(state.at(BEACHES[beach]))
    home = (unit.nation == "US") == (beach in US_BEACHES)
    return 10.0 + (4.0 if home else 0.0) - full - 0.5 * crowd


def dig(seen: Picture, unit: Unit) -> float:
    """Slow German infantry digs in where it holds a city or faces the enemy;
    the Allies have no time for it."""
    if seen.side == "allied" or unit.allowance > 2:
        return 0.0
    faced = bool(seen.enemy) and seen.from_enemy()[GRID.index(unit.placed)] <= 3
    return 1.0 if unit.placed in CITIES or faced else 0.0


def decision(state: State, ask: Ask[Any], choice: Any) -> float:
    """The options of a decision in the other's turn."""
    if ask.kind == "retreat":
        wasteful = choice not in ask.about["ways"]
        return route(str(choice).split()[-1], ask.about["side"]) - wasteful * WASTED
    if ask.kind in ("gunfire", "defensive gunfire"):
        if choice == naval.NONE:
            return 0.0
        wanted = ask.kind == "gunfire" or 2 * ask.about["attack"] >= ask.about["defence"]
        return float(ask.about["strengths"][choice]) if wanted else -1.0
    return 0.0


def route(end: Hex, side: Side) -> float:
    """Germans are sent away from the cities, Allied units back to the sea."""
    if side == "german":
        return float(min(to_city(goal)[GRID.index(end)] for goal in CITIES))
    return -float(INLAND[end])


def judge(state: State, request: Request) -> Rate:
    """How the orders or options of a request are rated."""
    return lambda choice: worth(state, request, choice)
