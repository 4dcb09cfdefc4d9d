"""What an order is worth to the bot that plays a seat: a sound opponent for a beginner, not a master.

The Allied bot lands whatever fits, sends the west of the Americans to Cherbourg and all others to the towns
of victory, brings strength together against single hexes and attacks at fair odds with all that helps.
When the way is open, some armoured divisions leave the map. The German bot spreads its units in a line
of zones before the Allies, on ground that helps them, keeps its towns garrisoned, and strikes back
where it is strong enough. Figures are in steps, more or less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple

from pbem.engine.game import Rate
from pbem.engine.hexes import indices
from pbem.engine.play import Ask, Request
from pbem.games.normandy44 import control, losses, naval, odds, reach, supply, support, victory, zones
from pbem.games.normandy44.activation import Activation
from pbem.games.normandy44.advance import Advance
from pbem.games.normandy44.desk import SideDesk
from pbem.games.normandy44.orders import (
    Attack,
    Carpet,
    Cover,
    Delay,
    Enter,
    Exit,
    Interdict,
    Land,
    Move,
    Rebuild,
    Replace,
    Return,
    Supply,
    Support,
    UseDefault,
)
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import (
    AIR_ZONES,
    ALENCON,
    AVRANCHES,
    BEACH_HEXES,
    CAEN,
    CHARTS,
    CHERBOURG,
    GRID,
    LAND,
    LISIEUX,
    PLAYED,
    PORTS,
    UTAH,
    Hex,
    Side,
    box_of,
    river_between,
)

FAR = 80
"""Half points beyond which all distances are alike."""
MARGIN = 0.4
"""What a move must gain at least."""
WEST = frozenset(("4US", "9US", "79US", "90US", "83US", "8US", "82AB", "101AB"))
"""American divisions that go for Cherbourg first."""
TO_L, TO_EAST = ("4AD", "6AD"), ("7BAD", "11BAD", "GAD")
"""Armoured divisions that leave the map when the way is open."""
LATE = 9
"""From this turn on it pays to leave the map."""
GARRISONED: dict[Hex, float] = {
    **dict.fromkeys(CHERBOURG, 7.0),
    **dict.fromkeys(CAEN, 5.0),
    AVRANCHES: 4.0,
    ALENCON: 3.0,
    LISIEUX: 3.0,
    "1216": 2.0,
}
"""Worth to the Germans of a unit in a town when the Allies are near."""
WON = frozenset((*CHERBOURG, *CAEN, AVRANCHES, ALENCON, LISIEUX))
"""What the Allies must keep when they have it."""
STRONG = 4
"""Defence strength with which a town is held for the time being."""
SECOND = 0.3
"""The part of the worth of a garrison that a second unit has while the first is weak."""
NEAR = 6
"""Enemies within this many hexes are near a town."""
CLOSE = 3
"""Enemies within this many hexes of a depot must go."""
LOOSE = 0.3
"""Cost to the Allies of a hex where the enemy could cut the supply line."""
HOLD = 9.0
"""Worth to the Allies of a unit in a hex that decides the game, once they have it."""
BEACHHEAD = 8.0
"""Worth to the Allies of a unit on a beach that the enemy could retake."""
STORM = 5.0
"""Worth to the Allies of a unit in a town they must take, or adjacent to the enemy in it."""
AIMS: dict[str, tuple[tuple[Hex, ...], ...]] = {
    "west": (CHERBOURG, (AVRANCHES,), (ALENCON,)),
    "centre": ((AVRANCHES,), (ALENCON,), CHERBOURG),
    "uk": (CAEN, (LISIEUX,), (ALENCON,)),
}
"""The towns of victory that each group of Allied units is to take, one after the other."""
SIEGES = {"us": AIMS["centre"][:2], "uk": AIMS["uk"]}
"""The towns that each army is to take when its units are sent to besiege them, the first ones first."""
LEAST_GARRISON = 9
"""Defence strength that a besieged town is expected to have at least."""
BOUNDARY, OPEN_SOUTH = 12, 17
"""The column of the boundary between the Americans and the British; the Americans may pass it south of this
row."""
ESCORT = 2.0
"""Worth of not leaving a headquarters alone near the enemy."""
OWN_STEP = {"allied": 0.8, "german": 1.1}
BAR = {"allied": 0.15, "german": 0.35}


@dataclass(frozen=True, slots=True)
class Stance:
    """How a side plays. The defaults are those of the greedy bot; the constants above say what they are."""

    margin: float = MARGIN
    haste: float = 1.0
    """Allies: how much more than to the greedy bot a movement point on the way to the aims is worth."""
    west: frozenset[str] = WEST
    """The American divisions that go for Cherbourg first."""
    storm: float = STORM
    hold: float = HOLD
    sector: float = 0.0
    """Allies: what each hex beyond the boundary of the two armies costs."""
    chase: float = 1.0
    """Allies: how much of its worth an enemy has that is farther from the aims than the unit itself."""
    rear: float = 1.0
    """Allies: what each enemy behind a unit costs."""
    gather: float = 1.0
    """How much more than to the greedy bot it is worth to be adjacent to an enemy that can be attacked."""
    garrison: float = 1.0
    """Germans: how much more than to the greedy bot a garrison of a town is worth."""
    second: float = SECOND
    strong: int = STRONG
    near: int = NEAR
    own_step: float = OWN_STEP["allied"]
    """What the loss of a step of one's own counts for."""
    bar: float = BAR["allied"]
    """What an attack must promise."""
    taken: float = 1.0
    """How much more than to the greedy bot it is worth to drive the enemy from a town."""
    utah: float = 6.0
    """Germans: worth of a unit on Utah before Cherbourg."""
    line: float = 0.7
    """Germans: worth of each hex of the front that no other unit covers."""
    siege: float = 0.0
    """Allies: how many times the strength of its garrison is sent to each town of victory, by the units that
    are nearest; 0: every group goes to its towns one after the other."""
    otherwise: Mapping[str, Stance] = field(default_factory=dict)
    """The scenarios that the side plays in another way, and in which."""


GREEDY: dict[Side, Stance] = {
    "allied": Stance(),
    "german": Stance(own_step=OWN_STEP["german"], bar=BAR["german"]),
}


def judge(state: State, request: Request, stance: Stance | None = None) -> Rate:
    """Look at the game once, and rate the orders or options of a request for the seat that is asked. Without
    a stance the seat is the greedy bot's."""
    if isinstance(request, Ask):
        return decision(state, request, stance)
    if isinstance(request, Activation):
        return partial(action, Picture(state, request.side, stance), request.phase == "A")
    if isinstance(request, SideDesk):
        return partial(administration, Picture(state, request.side, stance))
    return default


def default(order: Any) -> float:
    """D-Day is left to the default."""
    return float(isinstance(order, UseDefault))


def action(seen: Picture, offensive: bool, order: Any) -> float:
    """What an order of an activation is worth; `offensive` in phase A."""
    units = seen.state.units
    match order:
        case Move(ids, path):
            return move(seen, units[ids[0]], path[-1]) - 1.5 * order.step
        case Attack():
            return attack(seen, order, offensive)
        case Land(ids, hex, path) | Enter(ids, hex, path):
            return 60.0 + standing(seen, units[ids[0]], path[-1] if path else hex)
        case Exit(ids, hex):
            return leave(seen.state, units[ids[0]], reach.edge_of(hex))
    return 0.0


def administration(seen: Picture, choice: Any) -> float:
    """What is allocated at the start of a turn and handed out at its end."""
    state = seen.state
    match choice:
        case Support(units):
            return sum((seen.promise(state.units[id]) / (1 + at) for at, id in enumerate(units)), 0.0)
        case Cover(unit, number):
            return cover(seen, state.units[unit], number)
        case Interdict(zone):
            return 0.4 * (AIR_ZONES[zone] & seen.foes).bit_count()
        case Delay(box, number):
            held = sum(unit.place == "track" and unit.box == box for unit in state.units.values())
            return held * number * (1.0 if box_of(box).number < 7 else 0.8)
        case Carpet(hex):
            at = GRID.index(hex)
            pressing = seen.pressing.get((at, "us"), 0) + seen.pressing.get((at, "uk"), 0)
            return 2.0 * len(odds.opposed(state, hex, "allied")) + 0.2 * pressing - 3.0
        case Replace(units) | Rebuild(units):
            return 1.0 + sum(state.units[id].counter.steps[0][0] for id in units)
        case Supply(units):
            return 1.0 + sum(wanted_there(seen, state.units[id]) for id in units)
        case Return(unit, hex):
            return 30.0 + standing(seen, state.units[unit], hex)
    return 0.0


def wanted_there(seen: Picture, unit: Unit) -> float:
    """How badly a unit needs to be able to attack: most in a victory town
    or next to one that is not taken."""
    near = {unit.placed, *GRID.named(within(GRID.index(unit.placed), 1))}
    storming = any(hex in WON and seen.state.control.get(hex) == "german" for hex in near)
    return unit.attack + (STORM if storming else 0.0)


def cover(seen: Picture, hq: Unit, number: int) -> float:
    """One fighter for each headquarters of an army that has about as much at the front as any;
    the others fly elsewhere."""
    posts = [other for other in seen.state.on_map("allied") if other.hq and other.army == hq.army]
    most = max(seen.promise(other) for other in posts)
    if number > 1 or seen.state.fighters.get(hq.id) or seen.promise(hq) < 0.7 * most:
        return 0.0
    return seen.promise(hq)


# --- the situation ----------------------------------------------------------------------------------------


class Picture:
    """The situation of a side at one moment. Each part is worked out at most once."""

    def __init__(self, state: State, side: Side, stance: Stance | None = None) -> None:
        stance = stance or GREEDY[side]
        stance = stance.otherwise.get(state.scenario, stance)
        self.state, self.side, self.stance = state, side, stance
        self._movers: dict[str, Mover] = {}
        self._resistance: dict[Hex, int] = {}
        self.mine: dict[int, list[Unit]] = {}
        self.attack: dict[int, int] = {}
        self.defence: dict[int, int] = {}
        for unit in state.on_map():
            if unit.hq:
                continue
            at = GRID.index(unit.placed)
            if unit.side == side:
                self.mine.setdefault(at, []).append(unit)
            else:
                self.attack[at] = self.attack.get(at, 0) + unit.attack
                self.defence[at] = self.defence.get(at, 0) + unit.defence
        self.haste = (0.4 + 0.35 * state.turn / victory.LAST_TURN[state.scenario]) * self.stance.haste
        """What a movement point on the way to the aims is worth to the Allies: time is short."""
        self.last = state.turn >= victory.LAST_TURN[state.scenario]
        """On the last turn supply no longer matters: it is judged after the game ends (8.4)."""
        self.foes = _bits(self.attack)
        self.friends = _bits(self.mine)

    @cached_property
    def from_foes(self) -> tuple[int, ...]:
        """How many hexes every hex is from the nearest enemy."""
        return distances(self.foes)

    @cached_property
    def area(self) -> int:
        return supply.area(self.state, self.side)

    @cached_property
    def danger(self) -> dict[int, int]:
        """Hex -> attack strength of the enemies next to it."""
        found: dict[int, int] = {}
        for at, strength in self.attack.items():
            for near in GRID.adjacent[at]:
                found[near] = found.get(near, 0) + strength
        return found

    @cached_property
    def pressing(self) -> dict[tuple[int, str], int]:
        """Enemy hex and army -> attack strength of one's own units of the army next to it."""
        found: dict[tuple[int, str], int] = {}
        for at, units in self.mine.items():
            for near in GRID.adjacent[at]:
                if near in self.attack:
                    for unit in units:
                        found[near, unit.army] = found.get((near, unit.army), 0) + unit.attack
        return found

    @cached_property
    def quiet(self) -> int:
        """The set of the land hexes where no enemy is near."""
        return LAND & ~(GRID.flood(self.foes, steps=CLOSE) if self.foes else 0)

    @cached_property
    def engaged(self) -> dict[str, int]:
        """Army -> the set of the hexes where its units are adjacent to the enemy."""
        found: dict[str, int] = {}
        for at, units in self.mine.items():
            if at in self.danger:
                for unit in units:
                    found[unit.army] = found.get(unit.army, 0) | 1 << at
        return found

    @cached_property
    def posts(self) -> int:
        """The set of the hexes with a headquarters of one's own."""
        return GRID.bits({unit.placed for unit in self.state.on_map(self.side) if unit.hq})

    @cached_property
    def covered(self) -> tuple[int, int]:
        """Hexes in the zones of one's own stacks, or under them: of one at least, of two at least."""
        once = twice = 0
        for at in self.mine:
            covered = covers(at)
            twice |= once & covered
            once |= covered
        return once, twice

    @cached_property
    def front(self) -> int:
        """The hexes within 2 of the enemy, between it and the side's own depots:
        there a line of zones is wanted."""
        found = 0
        for number, foes in enumerate(self.home.foes):
            if foes:
                near = GRID.spread(foes) | foes
                found |= (near | GRID.spread(near)) & self.home.nearer[number]
        return found & LAND & ~self.foes

    @cached_property
    def home(self) -> Home:
        """How far it is to one's own depots, for hexes and enemies."""
        depots = supply.depots(self.state, self.side) or GRID.bits(BEACH_HEXES)
        away, rings = distances(depots), rings_around(depots)
        nearer, total = [], 0
        for ring in rings:
            total |= ring
            nearer.append(total)
        return Home(away, tuple(ring & self.foes for ring in rings), tuple(nearer))

    def behind(self, at: int) -> int:
        """How many enemies near a hex are nearer to the side's own depots, by at least 2 hexes."""
        far = self.home.away[at]
        return (self.home.nearer[far - 2] & self.foes & within(at, 4)).bit_count() if far > 1 else 0

    @cached_property
    def _aims(self) -> dict[str, tuple[Hex, ...]]:
        return {}

    def aims(self, group: str) -> tuple[Hex, ...]:
        """Where a group of Allied units is to go."""
        if group not in self._aims:
            self._aims[group] = _aims(self, group)
        return self._aims[group]

    @cached_property
    def sieges(self) -> dict[str, tuple[Hex, ...]]:
        """Unit -> the town that it is sent to take, while its army has units for it: the nearest ones, until
        they are several times as strong as the garrison."""
        found: dict[str, tuple[Hex, ...]] = {}
        if not self.stance.siege:
            return found
        for army, towns in SIEGES.items():
            free = [unit for units in self.mine.values() for unit in units if unit.army == army]
            for town in towns:
                goals = tuple(hex for hex in town if self.state.control.get(hex) != "allied")
                if not goals:
                    continue
                away = {unit.id: ways(goals, unit.counter.motor)[GRID.index(unit.placed)] for unit in free}
                free.sort(key=lambda unit: (away[unit.id], unit.id))
                garrison = sum(self.defence.get(GRID.index(hex), 0) for hex in goals)
                wanted = self.stance.siege * max(LEAST_GARRISON, garrison)
                while free and wanted > 0:
                    unit = free.pop(0)
                    found[unit.id] = goals
                    wanted -= unit.attack
        return found

    def mover(self, unit: Unit) -> Mover:
        """What is true of a unit wherever it goes."""
        found = self._movers.get(unit.id)
        if found is None:
            found = self._movers[unit.id] = Mover(self, unit)
        return found

    def resistance(self, fight: odds.Fight) -> int:
        """The columns that headquarters of the defenders of a hex can be worth to them."""
        if fight.hex not in self._resistance:
            side, army = fight.defenders[0].side, support.one_army(fight.defenders)
            hqs = support.able(self.state, side, army, [fight.hex]) if army else []
            self._resistance[fight.hex] = max(map(support.columns, support.ways(hqs)), default=0)
        return self._resistance[fight.hex]

    def promise(self, hq: Unit) -> float:
        """What a headquarters could do this turn: its army's units within range that are near the enemy,
        at most about as many as it activates."""
        if hq.hex is None:
            return 0.0
        near = within(GRID.index(hq.placed), CHARTS.activation.range)
        count = 0.0
        for at in indices(near & self.friends):
            for unit in self.mine[at]:
                if unit.army == hq.army and not unit.unsupplied:
                    count += 1.0 if self.from_foes[at] <= 2 else 0.3
        return min(count, 8.0) * 0.5 + 0.1 * hq.counter.support


class Home(NamedTuple):
    """How far hexes are from one's own depots: by index, and for each number the enemies just so far away
    and all hexes up to it."""

    away: tuple[int, ...]
    foes: tuple[int, ...]
    nearer: tuple[int, ...]


# --- ground ---------------------------------------------------------------------------------------------


def _bits(hexes: Iterable[int]) -> int:
    total = 0
    for index in hexes:
        total |= 1 << index
    return total


@lru_cache(maxsize=32)
def rings_around(starts: int) -> tuple[int, ...]:
    """The hexes that are 0, 1, 2 ... from the nearest of a set."""
    found, reached = [], 0
    fresh = starts
    while fresh:
        found.append(fresh)
        reached |= fresh
        fresh = GRID.spread(reached) & ~reached
    return tuple(found)


@lru_cache(maxsize=32)
def distances(starts: int) -> tuple[int, ...]:
    """How many hexes every hex is from the nearest of a set, by index; far from an empty one."""
    found = [FAR] * len(GRID)
    for away, ring in enumerate(rings_around(starts)):
        for index in indices(ring):
            found[index] = away
    return tuple(found)


@cache
def within(index: int, steps: int) -> int:
    return GRID.within(GRID.ids[index], steps)


@cache
def covers(index: int) -> int:
    """The hexes that a unit controls from a hex, and the hex itself."""
    return 1 << index | zones.REACH.spread(1 << index) & LAND


@cache
def strength_of_ground(index: int) -> int:
    """Columns that terrain is worth to a defender."""
    return -odds.terrain(GRID.ids[index]).value if LAND >> index & 1 else 0


@cache
def rivers_of(index: int) -> int:
    """The neighbours of a hex from which it is attacked across a river, as a set."""
    here = GRID.ids[index]
    return _bits(near for near in GRID.adjacent[index] if river_between(here, GRID.ids[near]))


@lru_cache(maxsize=64)
def ways(goals: tuple[Hex, ...], motor: bool) -> tuple[float, ...]:
    """Movement points from every hex to the nearest of these, by index."""
    starts = [GRID.index(hex) for hex in goals]
    costs = reach.terrain_costs(motor, 0).reach(starts, FAR).costs
    return tuple(costs.get(index, FAR) / 2 for index in range(len(GRID)))


# --- where to -------------------------------------------------------------------------------------------


def group_of(seen: Picture, unit: Unit) -> str:
    """What an Allied unit is meant for."""
    division = unit.counter.division
    state = seen.state
    if way_open(state):
        if division in TO_L:
            return "L"
        if division in TO_EAST:
            return "east"
    if unit.army == "uk":
        return "uk"
    return "west" if unit.id in seen.stance.west else "centre"


def way_open(state: State) -> bool:
    """Whether it pays the Allies to send divisions off the map: late, and with most of the towns
    of victory taken."""
    taken = sum(state.control.get(hex) == "allied" for hex in victory.TOWNS.values())
    return state.turn >= LATE and taken >= victory.TWO_TOWNS


def _aims(seen: Picture, group: str) -> tuple[Hex, ...]:
    """Where the units of a group go: towns that are still German, then off the map or to the enemy."""
    control_of = seen.state.control
    if group in reach.EDGES:
        return GRID.named(reach.EDGES[group])
    played = PLAYED[seen.state.scenario]
    for towns in AIMS[group]:
        open_towns = tuple(
            hex for hex in towns if control_of.get(hex) != "allied" and played >> GRID.index(hex) & 1
        )
        if open_towns:
            return open_towns
    return GRID.named(seen.foes) or (AVRANCHES,)


class Mover:
    """A unit that looks for a place, and what is true of it wherever it goes."""

    def __init__(self, seen: Picture, unit: Unit) -> None:
        self.unit = unit
        self.at = -1 if unit.hex is None else GRID.index(unit.hex)
        self.others, (self.cover, twice) = seen.friends, seen.covered
        """Where other units of its side are, and the hexes that they cover."""
        if len(seen.mine.get(self.at, ())) == 1 and not unit.hq:
            self.others &= ~(1 << self.at)
            self.cover = self.cover & ~covers(self.at) | twice
        self.goals: tuple[Hex, ...] = ()
        self.ways: tuple[float, ...] = ()
        self.secured = 0
        """The hexes to which lines of supply lead that the enemy cannot cut at once,
        whatever this unit does."""
        if seen.side == "allied" and not unit.hq:
            safe = (self.cover | seen.quiet) & ~seen.foes
            self.secured = supply.LINKS.flood(supply.depots(seen.state, "allied") & safe, safe)
            group = group_of(seen, unit)
            besieged = () if group in reach.EDGES else seen.sieges.get(unit.id, ())
            self.goals = besieged or seen.aims(group)
            self.ways = ways(self.goals, unit.counter.motor)
        self.value = 0.0 if self.at < 0 else place(seen, self, self.at)
        """What its present hex is worth."""


def move(seen: Picture, unit: Unit, end: Hex) -> float:
    """How much better the end of a move is than the hex where the unit is."""
    mover = seen.mover(unit)
    return place(seen, mover, GRID.index(end)) - mover.value - seen.stance.margin


def standing(seen: Picture, unit: Unit, hex: Hex) -> float:
    """What a unit in a hex is worth."""
    return place(seen, seen.mover(unit), GRID.index(hex))


def place(seen: Picture, mover: Mover, at: int) -> float:
    """What a unit in a hex is worth, by the index of the hex."""
    unit = mover.unit
    value = 0.0 if seen.last or seen.area >> at & 1 else -6.0
    if unit.hq:
        return value + post(seen, unit, at)
    company = [other for other in seen.mine.get(at, ()) if other is not unit]
    if not company and seen.posts >> at & 1 and seen.from_foes[at] <= CLOSE:
        value += ESCORT
    if seen.side == "allied":
        return value + allied_ground(seen, mover, at, company)
    return value + german_ground(seen, mover, at, company)


def post(seen: Picture, unit: Unit, at: int) -> float:
    """Headquarters keep with the troops of their army, near those that face the enemy,
    and with some of them if the enemy can reach them."""
    chart = CHARTS.activation
    engaged = seen.engaged.get(unit.army, 0)
    value = 0.7 * min(4, (within(at, chart.support_range) & engaged).bit_count())
    value += 0.2 * min(6, (within(at, chart.range) & engaged).bit_count())
    value += 0.4 * min(4, (within(at, chart.support_range) & seen.friends).bit_count())
    value += 0.15 * min(12, (within(at, chart.range) & seen.friends).bit_count())
    away = seen.from_foes[at]
    if not seen.friends >> at & 1:
        return value - 0.8 * max(0, 6 - away) - max(0, 3 - away) - 0.25 * max(0, away - 3)
    stack = sum(other.defence for other in seen.mine[at])
    return value + 1.5 - 0.3 * max(0, seen.danger.get(at, 0) - 2 * stack) - 0.25 * max(0, away - 3)


def reinforced(seen: Picture, wanted: float, company: Sequence[Unit]) -> float:
    """What is left of the worth of a garrison for one more unit: all for the first,
    something as long as those that are there are weak."""
    if not company:
        return wanted
    weak = sum(other.defence for other in company) < seen.stance.strong
    return seen.stance.second * wanted if weak else 0.0


# --- the Allies -----------------------------------------------------------------------------------------


def allied_ground(seen: Picture, mover: Mover, at: int, company: Sequence[Unit]) -> float:
    """The Allies go for their aims, and gather against enemies that they can attack."""
    value = 0.2 * strength_of_ground(at) - seen.haste * mover.ways[at]
    value += 0.6 * min(4, (covers(at) & seen.front & ~mover.cover).bit_count())
    value -= 0.2 * len(company)
    if not seen.last:
        value -= seen.stance.rear * min(5, seen.behind(at)) + LOOSE * (not covers(at) & mover.secured)
    value -= seen.stance.sector * outside(mover.unit.army, at)
    if GRID.ids[at] in mover.goals and seen.state.control.get(GRID.ids[at]) == "german":
        value += seen.stance.storm
    if at in seen.danger:
        value += seen.stance.gather * prey(seen, mover, at)
        stack = mover.unit.defence + sum(other.defence for other in company)
        value -= 0.25 * max(0, seen.danger[at] - 2 * stack)
    value += reinforced(seen, guard(seen, at), company)
    if not company and not within(at, 2) & mover.others:
        value -= 2.0
    return value


@cache
def outside(army: str, at: int) -> int:
    """How many hexes a hex is beyond the boundary of the two Allied armies."""
    row, column = int(GRID.ids[at][:2]), int(GRID.ids[at][2:])
    if army == "uk":
        return max(0, column - BOUNDARY)
    return max(0, BOUNDARY - column) if row <= OPEN_SOUTH else 0


def guard(seen: Picture, at: int) -> float:
    """What a unit that stays in a hex is worth to the Allies: where a port is to be built,
    and where the enemy could come in."""
    hex, state = GRID.ids[at], seen.state
    if hex not in control.HEXES:
        return 0.0
    port = next(
        (state.ports[name] for name, hexes in PORTS.items() if hex in hexes and name in state.ports), None
    )
    if port and not port.gone and not port.worth and in_time(state):
        return 6.0 if port.left < 0 else 3.0
    if seen.from_foes[at] > seen.stance.near:
        return 0.0
    if hex in WON or (hex == UTAH and state.scenario == "cherbourg"):
        return seen.stance.hold
    if hex in BEACH_HEXES and seen.from_foes[at] <= CLOSE:
        return BEACHHEAD
    return 4.0 if port and port.worth else 2.5


def in_time(state: State) -> bool:
    """Whether a port that is begun now will be of use before the game is over."""
    return state.turn + CHARTS.landing.minor_delay < victory.LAST_TURN[state.scenario]


def prey(seen: Picture, mover: Mover, at: int) -> float:
    """What a hex adjacent to the enemy is worth, with all units of the army already around that enemy."""
    best, unit = -1.0, mover.unit
    for near in GRID.adjacent[at]:
        if near not in seen.defence:
            continue
        others = seen.pressing.get((near, unit.army), 0)
        if mover.at in GRID.adjacent[near]:
            others -= unit.attack
        shift = strength_of_ground(near) + (1 if rivers_of(near) >> at & 1 else 0)
        hold = max(1, seen.defence[near]) * (1 + 0.3 * shift)
        ratio = (others + unit.attack) / hold
        before = others / hold
        if ratio >= 3:
            worth_it = 4.0 if before < 4 else 1.0
        elif ratio >= 2:
            worth_it = 3.0
        elif ratio >= 1:
            worth_it = 1.5
        else:
            worth_it = 0.4
        if seen.home.away[near] <= CLOSE:
            worth_it += 2.0
        if GRID.ids[near] in mover.goals:
            worth_it += seen.stance.storm
        if mover.ways and mover.at >= 0 and mover.ways[near] > mover.ways[mover.at] + 1:
            worth_it *= seen.stance.chase
        best = max(best, worth_it)
    return best


def leave(state: State, unit: Unit, edge: str) -> float:
    """Whether a unit had better leave the map: when the way is open, by an edge where its division is still
    wanted, and not if too little is left of that. Infantry divisions leave towards the end, by any edge."""
    counter = unit.counter
    meant = "L" if counter.division in TO_L else "east" if counter.division in TO_EAST else ""
    whole = unit.pe >= victory.DIVISION and not counter.independent and state.turn > LATE + 1
    if not way_open(state) or not (edge == meant or (whole and not meant)):
        return 0.0
    out = victory.divisions(state, edge)
    gone = dict(state.exits.get(edge, ()))
    parts = [other for other in state.units.values() if other.counter.formation == counter.formation]
    points = sum(gone.get(other.id, other.pe if other.place == "map" else 0) for other in parts)
    if points < victory.DIVISION or counter.formation in out:
        return 0.0
    wanted = len(out) < victory.DIVISIONS or (counter.armour and not any(out.values()))
    return 8.0 if wanted else 0.0


# --- the Germans ----------------------------------------------------------------------------------------


def german_ground(seen: Picture, mover: Mover, at: int, company: Sequence[Unit]) -> float:
    """The Germans go where zones are still needed, on good ground, not too weak,
    and leave no town that matters empty."""
    away = seen.from_foes[at]
    value = 0.5 * strength_of_ground(at) - 0.35 * max(0, away - 2)
    value += seen.stance.line * min(4, (covers(at) & seen.front & ~mover.cover).bit_count())
    if danger := seen.danger.get(at, 0):
        stack = mover.unit.defence + sum(other.defence for other in company)
        hold = max(1.0, stack * (1 + 0.3 * strength_of_ground(at)))
        value -= min(4.0, max(0.0, danger / hold - 1.0))
        if rivers_of(at) & seen.foes:
            value += 0.5
        value += 0.6 * (prey(seen, mover, at) > 2)
    hex = GRID.ids[at]
    if away <= seen.stance.near and seen.state.control.get(hex) != "allied":
        value += reinforced(seen, seen.stance.garrison * GARRISONED.get(hex, 0.0), company)
    if seen.state.scenario == "cherbourg" and hex == UTAH:
        value += seen.stance.utah
    return value - 0.2 * len(company) - 1.0 * min(5, seen.behind(at))


# --- fighting -------------------------------------------------------------------------------------------

EVERYTHING = 4
"""Steps that the destruction of all defenders is taken for."""
ELSEWHERE = 0.03
"""What a point of attack strength is worth that could be used against other enemies."""
LIKELY = 0.6
"""How likely headquarters of the enemy are taken to help where they can."""


@cache
def yields(column: int) -> tuple[float, float, float]:
    """What a column brings on average: points of the defender, steps of the attacker,
    and how likely the defender has any points."""
    gained = lost = hit = 0.0
    for result, chance in odds.chances(column).items():
        steps, points = odds.points(result)
        gained += float(chance) * (EVERYTHING if points is None else points)
        lost += float(chance) * steps
        hit += float(chance) * (points != 0)
    return gained, lost, hit


def attack(seen: Picture, order: Attack, offensive: bool) -> float:
    """What an attack promises, less what it threatens and what helps it costs."""
    state = seen.state
    units = [state.units[id] for id in order.units]
    defenders = odds.opposed(state, order.hex, seen.side)
    if not defenders:
        return 3.0 - 0.01 * sum(unit.attack for unit in units)
    fight = odds.Fight(state, order.hex, tuple(units), defenders, air=order.air)
    columns = sum(state.units[id].counter.support for id in order.support)
    value = outcome(seen, fight, columns)
    if order.guns:
        chance = float(naval.chance(order.hex, order.guns, "attack"))
        value = (1 - chance) * value + chance * outcome(seen, fight, columns + 1)
    price = 0.1 * order.air + 0.02 * order.guns + (0.15 if offensive else 0.05) * len(order.support)
    return value - price - elsewhere(seen, order) - seen.stance.bar


def outcome(seen: Picture, fight: odds.Fight, columns: int) -> float:
    """What an attack with `columns` of help brings, with the help that the defenders are likely
    to have from headquarters."""
    value = promise(seen, fight.hex, fight.number(columns))
    if against := seen.resistance(fight):
        value += LIKELY * (promise(seen, fight.hex, fight.number(columns - against)) - value)
    return value


def elsewhere(seen: Picture, order: Attack) -> float:
    """What attackers that are also adjacent to other enemies could do there."""
    target = 1 << GRID.index(order.hex)
    units = [seen.state.units[id] for id in order.units]
    free = [unit for unit in units if within(GRID.index(unit.placed), 1) & seen.foes & ~target]
    return ELSEWHERE * sum(unit.attack for unit in free)


def promise(seen: Picture, hex: Hex, column: int) -> float:
    """What an attack in a column brings in a hex."""
    gained, lost, hit = yields(column)
    return gained + hit * prize(seen, hex) - seen.stance.own_step * lost


def prize(seen: Picture, hex: Hex) -> float:
    """What it is worth to drive the enemy from a hex."""
    if seen.side == "german":
        return 3.0 if hex in BEACH_HEXES or hex in WON else 0.2
    if hex in WON:
        return (3.0 + 3.0 * seen.state.turn / victory.LAST_TURN[seen.state.scenario]) * seen.stance.taken
    return 3.0 if hex in control.HEXES else 0.4


# --- decisions ------------------------------------------------------------------------------------------


def decision(state: State, ask: Ask[Any], stance: Stance | None = None) -> Rate:
    """How the options of a decision in passing are rated; what is not weighed here is left to the default."""
    side: Side = "german" if ask.seat == "german" else "allied"
    match ask:
        case losses.Losses(kind="losses"):
            return partial(sacrifice, state, ask, ground_lost(ask))
        case support.Help():
            return partial(help_for, ask)
        case Advance():
            return partial(follow, Picture(state, side, stance), ask)
        case Ask(kind="set down"):
            return partial(open_ground, zones.zone(state, ENEMY[side]))
    return lambda option: 0.0


def open_ground(foes: int, hex: Hex) -> float:
    """Parachutists come down where ways lead on, and not in the zones of enemies."""
    at = GRID.index(hex)
    return float(supply.LINKS.open[at].bit_count()) - 2.0 * (foes >> at & 1)


def sacrifice(state: State, ask: losses.Losses, ground: float, choice: str) -> float:
    """What a way of taking a result saves: the price is steps, units that die of it, and ground."""
    price = 0.0
    if hexes := ask.ways[choice].hexes:
        price += ground + 0.4 * hexes + 1.2 * ask.retreat_cost.get(hexes, 0)
    for id, steps in losses.losers(choice).items():
        unit = state.units[id]
        price += steps * (1.0 + 0.15 * unit.attack) + (1.0 if steps >= unit.left else 0.0)
    return -price


def ground_lost(ask: losses.Losses) -> float:
    """What its hex is worth to a defender."""
    if ask.hex in control.HEXES:
        return 4.0
    return 0.3 + (0.6 * strength_of_ground(GRID.index(ask.hex)) if ask.seat == "german" else 0.2)


PRICES = {"support": 0.25, "air": 0.15, "guns": 0.04}


def help_for(ask: support.Help, choice: str) -> float:
    """What the help for a combat changes, less what it is worth elsewhere."""
    before, after = (CHARTS.combat.columns.index(column) for column in (ask.column, ask.after[choice]))
    change = ask.chance.get(choice, 1.0) * (_balance(before) - _balance(after))
    number = int(choice) if choice.isdecimal() else choice.count(" + ") + (choice != "none")
    return change - PRICES[ask.kind] * number


def _balance(column: int) -> float:
    gained, lost, _ = yields(column)
    return gained - lost


def follow(seen: Picture, ask: Advance, choice: str) -> float:
    """What an advance by these units into a won hex is worth; garrisons stay, and units keep in supply."""
    if choice == "none":
        return 0.0
    hex = ask.hex
    units = [seen.state.units[id] for id in choice.split(", ")]
    value = prize(seen, hex)
    for unit in units:
        value += (
            standing(seen, unit, hex)
            - standing(seen, unit, unit.placed)
            + (0.5 if seen.side == "allied" else 0.0)
        )
        if (
            seen.side == "german"
            and unit.placed in GARRISONED
            and len(seen.mine[GRID.index(unit.placed)]) <= len(units)
        ):
            value -= GARRISONED[unit.placed]
    return value
