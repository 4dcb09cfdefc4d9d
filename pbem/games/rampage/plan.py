"""How the planner plays Rampage: its stances and what it makes of them at each desk.

The three conditions of 4.1 need three armies. Two stacks of six US divisions, the spearheads, march on a
victory city: no smaller force beats what stands east of the line, and one stack alone arrives worn and late.
They move last, through what others have cleared, and from turn 3 on the second clears land if much is left.
The other US divisions clear the land west of the Seine in columns of two or three, the British the coast with
its launching sites. How a force finds its way is in paths.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pbem.engine.desk import Desk
from pbem.engine.game import Plan, Rate
from pbem.engine.language import Order
from pbem.engine.play import Ask, Request
from pbem.games.rampage import bot, control, victory
from pbem.games.rampage.administration import Arrival
from pbem.games.rampage.airborne import Assault
from pbem.games.rampage.movement import Marchers
from pbem.games.rampage.operations import Operations
from pbem.games.rampage.orders import Drop, Ground, Move, Place, Replenish
from pbem.games.rampage.paths import UNREACHED, Mission, Path, Search, away, points
from pbem.games.rampage.replacement import Replacement
from pbem.games.rampage.setup import SetUp
from pbem.games.rampage.state import ARMY_GROUPS, Hex, State, Unit
from pbem.games.rampage.supply_die import Grounding
from pbem.games.rampage.tables import (
    CAMPAIGN,
    CHARTS,
    GRID,
    SEINE_OBJECTIVES,
    VICTORY_CITIES,
    WEST_OF_SEINE,
    v1_sites,
)

SAARBRUCKEN, STRASBOURG, AACHEN, ARNHEM = "1719", "1422", "2418", "3017"


@dataclass(frozen=True, slots=True)
class Stance:
    """A way to play a turn."""

    city: Hex | None = SAARBRUCKEN
    """The victory city that the spearhead marches on; None: there is no spearhead, and all US divisions
    clear the land."""
    british_city: Hex = AACHEN
    """The victory city that the strongest British stack marches on once its army group has full supply."""
    caution: float = 2.0
    """Spare steps that a British force must have for each step that a path may cost."""
    press: bool = False
    """Whether one spearhead marches on although the US army group is short of supply (9.15)."""


STANCES = {
    "saar": Stance(),
    "strasbourg": Stance(city=STRASBOURG),
    "arnhem": Stance(british_city=ARNHEM),
    "broad": Stance(city=None),
    "daring": Stance(caution=1.2),
    "press": Stance(press=True),
}
"""The best first. None seals the Argentan-Falaise Pocket: even where bombers strike it (14.2) that costs more
than it brings."""

# --- what the orders of a turn are made of ----------------------------------------------------------------

SPEARHEAD = 5
"""Divisions that a US stack must have to march on a city: fewer are worn down on the way."""
RELEASED, LEFT_TO_OTHERS = 3, 12
"""From this turn on the second spearhead clears the land if more hexes than these are left to clear: those at
Troyes, mostly, which nobody else reaches."""
STRONG = 8
"""Steps that a stack must have to take a city: the British one that marches on it, say."""
LEAST, LEAST_LATE = 0.5, 0.4
"""The chance of winning from which a battle is sought, and the same in the last two turns, when there is no
time to wait for a better one."""
WORTHWHILE = 0.05
"""What a path must be worth for the force to set out."""
COLUMNS = 4
"""Units of a US stack from which it may send off a part."""
LAST_TURNS = CAMPAIGN.turns - 1
"""The turn from which a city is attacked at worse odds than usual."""

PLAIN = 0.1
"""Worth of any hex: it is one less for the Germans to hold."""
WEST, SITE = 1.0, 4.0
"""Worth of a hex that the first condition of 4.1 lacks, and of a launching site: there are 100 of the one and
six of the other, and each condition counts the same."""
CITY_SOON, CITY_NOW = 20.0, 30.0
"""Worth of a victory city before the last two turns and in them: more than all else a force can do."""
SPEARHEAD_WEST = 0.35
"""Worth of a hex of the first condition to the spearhead, which leaves such hexes to others."""
MARCH, CLEARING_FIRST, CLEARING, DRAWN = 1.2, 0.3, 0.6, 0.3
"""What a movement point nearer to the goals is worth: to a stack that marches on a city, to the columns that
clear the land in turn 1, when all of it is near, and later, when what is missing lies in corners, and to all
others."""
NORTH = "16"
"""The first row of hexes that the British take: they come along the coast."""
WORN = 1.75
"""How much more cautious the British are once a division has been lost: the next one lowers the result."""
LAST_SITES = 2
"""From this many sites down the last ones are at stake: the British are worn, and one fortress would stop
them."""
STAKE_EARLY, STAKE_CITY = 0.5, 0.5
"""Levels of 4.1 that the last sites are worth before the last turn, when there is time for a better attack,
and a victory city at any time: mostly the worn stack that arrives there fails."""
US_STEP, BRITISH_STEP = 0.5, 0.7
"""What a step costs: a British one more, for each second British division lowers the result (4.2)."""


def orders(state: State, desk: Desk[Any], stance: Stance) -> Iterator[Order]:
    """Yield the orders for a desk, the best first."""
    match desk:
        case SetUp():
            yield from set_up(desk)
        case Grounding():
            yield from grounded(state, desk)
        case Replacement():
            yield from replenished(state, desk)
        case Assault():
            yield from dropped(state, desk)
        case Operations():
            yield from operations(state, desk, stance)
        case Arrival():
            yield from arriving(state, desk, stance)


# --- operations -------------------------------------------------------------------------------------------


def operations(state: State, desk: Operations, stance: Stance) -> Iterator[Order]:
    """The next leg of the force under way if it has a path, then the first legs of all others. The spearheads
    go last: on ground that others have cleared they spend their points on marching and lose no steps."""
    if desk.active and desk.active.units:
        force = desk.active.marchers()
        path = Search(state, force, mission(state, force.units, stance)).best()
        if path and path.worth > WORTHWHILE:
            yield leg(state, force, path)
    found: list[tuple[float, Marchers, Path]] = []
    for stack in stacks(desk.ready()):
        for units in columns(state, stack, stance):
            force = Marchers(tuple(units), units[0].placed, points(state, units[0].group))
            path = Search(state, force, mission(state, units, stance)).best()
            if path and path.worth > WORTHWHILE:
                found.append((path.worth * (len(stack) / len(units)) ** 0.5, force, path))
    for _, force, path in sorted(found, key=lambda each: (leads(state, each[1].units, stance), -each[0])):
        yield leg(state, force, path)


def stacks(units: Iterable[Unit]) -> list[list[Unit]]:
    """The units of each army group in each hex."""
    found: dict[tuple[str, Hex], list[Unit]] = {}
    for unit in units:
        if unit.group != "airborne":
            found.setdefault((unit.group, unit.placed), []).append(unit)
    return list(found.values())


def columns(state: State, stack: list[Unit], stance: Stance) -> list[list[Unit]]:
    """The forces that a stack may send off: the whole, or a part, so that more hexes are attacked. The
    spearhead stays together."""
    found = [stack]
    strongest = sorted(stack, key=lambda unit: -unit.steps)
    if stack[0].group == "british":
        if len(stack) >= 6:
            found.append(strongest[:3])
    elif len(stack) >= COLUMNS and not leads(state, stack, stance):
        armour_first = sorted(stack, key=lambda unit: (-unit.steps, unit.type != "armour"))
        head, tail = armour_first[0], armour_first[-1]
        found.append([head, tail] if head.type != tail.type else armour_first[:2])
        if len(stack) >= 6:
            found.append(armour_first[:3])
    return found


def steps(units: Iterable[Unit]) -> int:
    return sum(unit.steps for unit in units)


def leads(state: State, units: Sequence[Unit], stance: Stance) -> bool:
    """Whether these US divisions are a spearhead: one of the large stacks nearest to the cities. With a
    single round of battle and a few points a turn (9.15) hardly any stack reaches a city in time: unless
    the stance presses on, all clear the land then."""
    if stance.city is None or units[0].group != "us" or not lacking_cities(state):
        return False
    if not large(units) or (state.partial == "us" and not stance.press):
        return False
    goals = wanted(state, stance.city)
    able = [stack for stack in stacks(state.on_map("us")) if large(stack)]
    able.sort(key=lambda stack: (away(goals, stack[0].placed), -steps(stack)))
    return units[0].placed in [stack[0].placed for stack in able[: spearheads(state)]]


def large(units: Sequence[Unit]) -> bool:
    """Whether a stack is large enough for a spearhead."""
    return len(units) >= SPEARHEAD


def spearheads(state: State) -> int:
    """How many stacks march on a city: two, until the first condition of 4.1 needs the second one."""
    if state.partial == "us":
        return 1
    west, _ = lacking(state)
    return 1 if state.turn >= RELEASED and len(west) > LEFT_TO_OTHERS else 2


def mission(state: State, units: Sequence[Unit], stance: Stance) -> Mission:
    """What a force is to do."""
    return british(state, units, stance) if units[0].group == "british" else american(state, units, stance)


def lacking_cities(state: State) -> tuple[Hex, ...]:
    """4.1, 14.1 The victory cities of which one is still to be taken; Arnhem alone if only it is lacking."""
    conditions = victory.conditions(state)[2:]
    return next((condition.missing for condition in conditions if not condition.met), ())


def wanted(state: State, city: Hex) -> tuple[Hex, ...]:
    """The victory cities to march on: this one, or Aachen where it is nearer; none once they are held."""
    missing = lacking_cities(state)
    return tuple(hex for hex in dict.fromkeys((city, AACHEN)) if hex in missing) or missing


def prizes(state: State) -> dict[Hex, float]:
    """What hexes are worth for the conditions of 4.1."""
    found = dict.fromkeys((*WEST_OF_SEINE, *SEINE_OBJECTIVES), WEST)
    found |= dict.fromkeys(v1_sites(state), SITE)
    worth = CITY_NOW if state.turn >= LAST_TURNS else CITY_SOON
    return found | dict.fromkeys(lacking_cities(state), worth)


def lacking(state: State) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
    """The German hexes of the first condition, and the German launching sites."""
    german = frozenset(state.german)
    west = tuple(hex for hex in victory.SEINE if hex in german)
    return west, tuple(hex for hex in v1_sites(state) if hex in german)


def least_odds(state: State) -> float:
    """The chance at which a battle is sought."""
    return LEAST_LATE if state.turn >= LAST_TURNS else LEAST


def last_stand(state: State) -> frozenset[Hex]:
    """In the last turn the US attack a victory city at any odds: their losses do not count (4.2)."""
    return frozenset(VICTORY_CITIES) if state.turn >= CAMPAIGN.turns else frozenset()


def american(state: State, units: Sequence[Unit], stance: Stance) -> Mission:
    """The spearhead marches on its city, the others clear the land west of the Seine, then follow it."""
    west, sites = lacking(state)
    worth, pull = prizes(state), DRAWN
    if leads(state, units, stance):
        assert stance.city is not None
        goals, pull = wanted(state, stance.city), MARCH
        worth |= dict.fromkeys(WEST_OF_SEINE, SPEARHEAD_WEST - PLAIN)
        worth |= dict.fromkeys((*SEINE_OBJECTIVES, *sites), 0.0)
    elif west:
        goals, pull = west, CLEARING_FIRST if state.turn == 1 else CLEARING
    else:
        goals = lacking_cities(state) or sites
    return Mission(goals, pull, worth, PLAIN, US_STEP, least_odds(state), last_stand(state))


def british(state: State, units: Sequence[Unit], stance: Stance) -> Mission:
    """The launching sites first, then what is missing along the lower Seine, then a city. With full supply
    the strongest stack marches on a city from turn 3 on."""
    west, sites = lacking(state)
    north = tuple(hex for hex in west if hex[:2] >= NORTH)
    goals, pull = sites, DRAWN
    if not sites:
        goals = north or wanted(state, stance.british_city)
        if west and not north and len(units) <= 3:
            goals = west
    supplied = state.turn >= CHARTS.supply.turn and state.partial != "british"
    if supplied and (cities := wanted(state, stance.british_city)) and marches(state, units, cities):
        goals, pull = cities, MARCH
    plain = PLAIN
    if not west and not sites and (pull != MARCH or state.turn >= CAMPAIGN.turns):
        pull = plain = 0.0  # all is done but a city: other ground is worth no division
    lost = bool(victory.british_lost(state))
    return Mission(
        goals,
        pull,
        prizes(state),
        plain,
        BRITISH_STEP,
        least_odds(state),
        spare=stance.caution * (WORN if lost else 1.0),
        stakes=stakes(state, sites),
        reserve=0 if lost else 1,
    )


def stakes(state: State, sites: tuple[Hex, ...]) -> dict[Hex, float]:
    """4.1, 4.2 What the British may risk divisions for, and how many levels each is worth: a division lost
    lowers the result by one, the last launching sites together raise it by one."""
    found = dict.fromkeys(lacking_cities(state), STAKE_CITY)
    if len(sites) <= LAST_SITES:
        level = 1.0 if state.turn >= CAMPAIGN.turns else STAKE_EARLY
        found |= {site: level / len(sites) for site in sites}
    return found


def marches(state: State, units: Sequence[Unit], cities: tuple[Hex, ...]) -> bool:
    """Whether these units are the British stack that marches on a city: the nearest strong one."""
    strong = [stack[0].placed for stack in stacks(state.on_map("british")) if steps(stack) >= STRONG]
    nearest = min(strong, key=lambda hex: away(cities, hex), default=None)
    return steps(units) >= STRONG and units[0].placed == nearest


BREAK_OFF, NEVER = 45, 3
"""Per cent of winning below which the US break off a battle; at a victory city in the last turn not as long
as there is hope. The British, who must not lose divisions, are asked before each round (`bot.decision`)."""
SPREAD = ("full first", "infantry first")
"""Losses are spread, so that no division is eliminated and all can be replenished."""


def leg(state: State, force: Marchers, path: Path) -> Move:
    """The order for the first leg of a path."""
    goal = path.leg[-1]
    odds: int | None = None
    if goal in state.german and force.group == "us":
        odds = NEVER if goal in VICTORY_CITIES and state.turn >= CAMPAIGN.turns else BREAK_OFF
    return Move(tuple(unit.id for unit in force.units), path.leg, odds=odds, prefs=SPREAD)


# --- the other phases -------------------------------------------------------------------------------------

SET_UP: dict[Hex, tuple[str, ...]] = {
    "1402": ("1Inf", "4Inf", "5Inf", "9Inf", "28Inf", "30Inf"),
    "1302": ("2A", "35Inf", "3A", "79Inf", "4A", "80Inf"),
    "1202": ("5A", "90Inf", "7A", "2FrA"),
    "1802": ("GdsA", "7BrA", "3BrInf", "15BrInf", "43BrInf", "50BrInf"),
    "1701": ("11BrA", "51BrInf", "49BrInf", "53BrInf"),
    "1801": ("4CanA", "1PolA", "2CanInf", "3CanInf", "59BrInf", "6BrInf"),
}
"""The spearheads at the gap south of the pocket, the other armour beside and behind it with an infantry
division for each; the British as far forward as they may be, an armoured division in every stack."""
REAR = 4
"""Hexes behind the front from which a reduced division is replenished: it would reach no battle this turn."""


def set_up(desk: SetUp) -> Iterator[Order]:
    waiting = {unit.id for unit in desk.open()}
    for hex, ids in SET_UP.items():
        if left := tuple(id for id in ids if id in waiting):
            yield Place(left, hex)


def behind(state: State, hex: Hex) -> int:
    """How many hexes a hex is behind the front."""
    return min((GRID.distance(hex, each) for each in control.front_hexes(state)), default=0)


def grounded(state: State, desk: Grounding) -> Iterator[Order]:
    """Ground divisions outside the large stacks, those farthest behind the front first; of these US armour,
    which cities and rough ground hinder, or British infantry, of which there is more than enough."""
    arm: Literal["armour", "infantry"] = "armour" if state.partial == "us" else "infantry"
    units = [state.units[id] for id in desk.subjects()]
    kept = {unit.id for unit in units if large(state.at(unit.placed))}
    for unit in sorted(units, key=lambda u: (u.id in kept, -behind(state, u.placed), u.type != arm)):
        yield Ground((unit.id,))


def replenished(state: State, desk: Replacement) -> Iterator[Order]:
    """Replenish divisions in the rear: a turn without them costs nothing."""
    for id in desk.subjects():
        if behind(state, state.units[id].placed) >= REAR:
            yield Replenish((id,))


def dropped(state: State, desk: Assault) -> Iterator[Order]:
    """Drop the US divisions on launching sites, each on one of its own. The British division stays at home:
    its loss would count (13.9)."""
    _, sites = lacking(state)
    for unit in desk.subjects():
        for site in sites:
            if state.units[unit].nation == "us" and site not in desk.drops.values() and not desk.fault(site):
                yield Drop((unit,), site)


def arriving(state: State, desk: Arrival, stance: Stance) -> Iterator[Order]:
    """Reinforcements arrive where they are nearest to the city of the spearhead."""
    goal = stance.city or SAARBRUCKEN
    for unit in desk.subjects():
        for hex in sorted(desk.cities(), key=lambda hex: away((goal,), hex)):
            yield Place((unit,), hex)


# --- decisions and the score -------------------------------------------------------------------------------


def judge(state: State, request: Request, stance: Stance) -> Rate:
    """Rate what the planner has no order of its own for. In operations that is nothing: a force without a
    path stays where it is."""
    if isinstance(request, Operations | Assault | Replacement):
        return lambda order: 0.0
    if isinstance(request, Ask) and request.kind == "grounding":
        first = "armour first" if state.partial == "us" else "infantry first"
        return lambda answer: float(answer == first)
    return bot.judge(state, request)


POINTS: dict[victory.Level, float] = {"win": 2.0, "draw": 1.0, "loss": 0.0}
"""What the levels of the result are worth."""
MET = 0.1
"""What a condition of 4.1 that is met is worth besides: so two losses can be told apart."""
CLEARED, SITES_TAKEN, MARCHED = 25.0, 2.0, 6.0
"""What the Allies can do of each condition in a turn if all goes well: hexes west of the Seine, launching
sites, movement points towards a city."""
STORM = 0.6
"""The chance to take a city that a stack has reached."""
FIRST_LOSS = 0.1
"""What the one British division that may be lost is worth: it is no longer there to be lost."""


def score(state: State, side: str) -> float:
    """How good a position is for the Allies: the result of 4.1, and before the end a guess at it."""
    found = victory.conditions(state)
    met = MET * sum(condition.met for condition in found)
    if not state.phase:
        return POINTS[victory.level(state)] + met
    left = CAMPAIGN.turns + 1 - state.turn
    west, sites, city = found[:3]
    likely = hope(west, left * CLEARED) + hope(sites, left * SITES_TAKEN)
    likely += 1.0 if city.met else STORM * max(0.0, 1.0 - to_a_city(state) / (left * MARCHED + 1.0))
    lost = victory.penalty(state) + FIRST_LOSS * bool(victory.british_lost(state))
    return max(0.0, likely - 1.0 - lost) + met


def hope(condition: victory.VictoryCondition, within_reach: float) -> float:
    """How likely a condition is to be met when this many of its hexes can still be taken."""
    return 1.0 if condition.met else max(0.0, 1.0 - len(condition.missing) / (within_reach + 1.0))


def to_a_city(state: State) -> float:
    """How far the nearest strong stack is from a victory city."""
    strong = (
        stack[0].placed
        for group in ARMY_GROUPS
        for stack in stacks(state.on_map(group))
        if steps(stack) >= STRONG
    )
    return min((away(tuple(VICTORY_CITIES), hex) for hex in strong), default=UNREACHED)


PLAN: Plan[State] = Plan(stances={"allied": STANCES}, judge=judge, score=score, orders=orders)
