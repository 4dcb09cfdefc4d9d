"""What an order is worth to the bot that plays a seat: a sound opponent for a beginner, not a master.

The Allied bot goes for the nearest places that count (the towns of Normandy, the ports of the V-1 sites,
Paris, Brussels, Metz, then the Rhine and the German cities), and attacks where it kills more than it loses.
The German bot keeps a line of zones before the Allies, on ground that helps it and near those places,
strikes back where that is cheap, and falls back when it has been passed. Both march where no enemy is near,
and bring their headquarters after the front by reaction points.
Figures are in steps, more or less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations
from typing import Any

from pbem.engine.game import Rate
from pbem.engine.hexes import bits, indices
from pbem.engine.language import Order
from pbem.engine.map import CostTable
from pbem.engine.play import Ask, Request
from pbem.games.france44 import combat, command, crossing, odds, orders, tables, victory
from pbem.games.france44.activation import Initiative
from pbem.games.france44.advance import NONE as HALT
from pbem.games.france44.advance import AdvanceWay
from pbem.games.france44.advantage import NO, Reroll
from pbem.games.france44.arrivals import Arrivals
from pbem.games.france44.begin import Commitment
from pbem.games.france44.movement import Ground, step_cost
from pbem.games.france44.reaction import DENY, REACT, Opportunity, Reaction
from pbem.games.france44.replacement import Replacements
from pbem.games.france44.retreat import STAY, RetreatWay
from pbem.games.france44.series import Series
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, GRID, MAP, NORMANDY, TRACK, Fight, Hex, Side, blocked, river

FAR = 99
"""Movement points beyond which all distances are alike."""
BOATS = 100
"""Stands for the cost of a way that only boats take, in the first box (12.8)."""
MARGIN = 0.3
"""What a move must gain at least."""
PLENTY = 5
"""With more reaction points than this they are spent on little, for they are lost at the end of the turn."""
ESCORT = 4.0
"""What it is worth that a headquarters beside the enemy does not stand alone."""
MOST_RINGS = 12
"""Hexes from the nearest enemy beyond which all are alike."""
PASSED = 0.2
"""What a movement point costs the Germans that they are farther from home than the foremost Allies."""
NEAR = 8
"""Hexes from the Allies within which a place is threatened."""
BRIDGEHEADS = 4
"""With this many bridgeheads the Allies go for the cities alone."""
CONTACT = 0.4
"""What it is worth to come next to the enemy in time to attack him."""
SAFE = 5
"""A stack with this many steps above cadre hardly loses a unit in one attack."""
BULGE = 6
"""From this turn on the Germans make their offensive."""
BRITTANY: tuple[str, ...] = ("VIII/US", "6AD/US")
"""Who goes for Brest and Saint-Nazaire."""
PLACES: Mapping[str, tuple[Hex, ...]] = {
    "brittany": (tables.BREST, tables.SAINT_NAZAIRE),
    "north": (*tables.V1_SITES.values(), tables.ANTWERP, tables.BRUSSELS),
    "south": (tables.PARIS, tables.METZ),
}
AGAIN = {4: 1.7, 2: 1.1, 3: 1.1}
"""First boxes after which units can attack again: how much more an attack is worth in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """How a side plays (plan.py), in the figures that its bot weighs by."""

    own_loss: float
    """What a step of its own costs in an attack, where a step of the enemy's is worth 1."""
    driven: float
    """What it is worth that the defenders give way."""
    unfed: float
    """What it costs a unit to stand out of the range of the headquarters in supply."""
    onward: float = 0.35
    """What an Allied unit gains by each movement point nearer to a place that counts."""
    hold: float = 2.0
    """What it is worth that a German stands alone on a place that the Allies want and are near."""
    close: float = 0.12
    """What each hex from such a place costs a German elsewhere."""
    stay: float = 0.3
    """What it is worth to stand where a retreat is offered, besides the ground."""
    army: float = 2.0
    """What a headquarters must promise before three reaction points are spent on it."""
    guard: float = 0.0
    """What it costs a headquarters, alone or not, for each hex that it is nearer than three to an enemy."""
    hunt: float = 0.0
    """4.10 What it is worth to come next to a headquarters of the enemy that stands alone: it disperses."""
    expose: float = 0.0
    """4.10, 9.8 What it is worth that attackers can advance next to such a headquarters."""
    gap: float = 1.2
    """What it must gain that a single German unit moves before a reaction point is spent on it."""
    fight_on: float = 1.0
    """How much an attack counts beside a move where a box of the track is chosen."""
    kill: float = 0.0
    """13.1 What a whole unit counts for that an attack eliminates, besides its steps: of the enemy's, or as a
    cost of one's own."""
    risk: float = 0.0
    """What it costs to stand beside the enemy in a stack that the next attack may eliminate."""
    escort: float = 1.0
    """4.10 What it is worth that a German goes to a headquarters that stands alone beside the enemy."""
    goals: Callable[[State, str], Iterable[Hex]] | None = None
    """The places that a group of Allied units (PLACES) goes for and the Germans hold; None: as the greedy bot
    has them."""
    across: float = 2.5
    """What it is worth that an Allied unit stands alone in a bridgehead or a German city."""
    behind: float = 2.0
    """What it must gain that a headquarters moves before a point is spent on it."""
    forward: float = 0.25
    """What a movement point nearer to the places that count is worth to an Allied headquarters."""
    march: float = 0.6
    """What the ways of its units count for where a headquarters is chosen."""
    marched: float = 3.0
    """What the way of one unit counts for at most when a headquarters is chosen."""
    keep: int = 0
    """4.8 Reaction points that are not spent on an army before the last reaction: headquarters move by
    nothing else."""
    jump: float = 0.0
    """12.3 What it is worth that the 18th Airborne jumps on a place that the Allies go for and is lifted."""


GREEDY: Mapping[Side, Stance] = {
    "allied": Stance(own_loss=0.6, driven=0.8, unfed=1.2),
    "german": Stance(own_loss=1.1, driven=0.5, unfed=1.5),
}
"""How the greedy bot plays."""


def judge(state: State, request: Request, stance: Stance | None = None) -> Rate:
    """How the orders or options of a request are rated for the seat that is asked, by default as the greedy
    bot plays."""
    match request:
        case Ask():
            return decision(state, request, stance)
        case Reaction():
            return reaction(Picture(state, request.side, request.series, stance, acted=request.acted))
        case Initiative():
            return initiative(Picture(state, request.side, request.series, stance))
        case Arrivals():
            entering = {unit.id for unit, _ in request.moves}
            return arrival(Picture(state, request.side, stance=stance, entering=entering))
        case Replacements():
            return lambda order: replacement(state, order)
        case Commitment():
            return lambda order: commitment(request, order)
    return lambda choice: 0.0


# --- orders -------------------------------------------------------------------------------------------------


def initiative(seen: Picture) -> Rate:
    """5.1 The headquarters that promises most, then the boxes of the track as planned."""

    def rate(order: Order) -> float:
        match order:
            case orders.Activate(hq, units):
                return seen.promise_of(seen.named(units)) if hq == seen.best_hq else 0.0
            case orders.Drop(hex):
                return drop(seen, hex)
        return increment(seen, order)

    return rate


def reaction(seen: Picture) -> Rate:
    """5.2 An army if that pays, pieces, and their boxes of the track as planned."""

    def rate(order: Order) -> float:
        match order:
            case orders.Activate(hq, units):
                pays = hq == seen.best_hq and seen.army_reacts
                return seen.promise_of(seen.named(units)) if pays else 0.0
            case orders.Piece(unit):
                return piece(seen, seen.state.units[unit])
        return increment(seen, order)

    return rate


def increment(seen: Picture, order: Order) -> float:
    """6.0 What a line of an increment brings."""
    match order:
        case orders.Move(units, path):
            return seen.move(seen.state.units[units[0]], path[-1], order.box)
        case orders.Attack():
            return seen.attack(order)
        case orders.Administrative(units):
            return seen.march(seen.state.units[units[0]])
    return 0.0


def drop(seen: Picture, hex: Hex) -> float:
    """12.4 The 18th Airborne jumps in Varsity, on a place that counts, next to friends."""
    if not tables.TURNS[seen.state.turn].varsity:
        return seen.stance.jump * (hex in {*seen.aims("north"), *seen.aims("south"), *seen.aims("brittany")})
    near = any(at in seen.mine for at in GRID.adjacent[GRID.index(hex)])
    return float(near and hex in seen.aims("north"))


def arrival(seen: Picture) -> Rate:
    """10.1.4, 10.1.5 Everything that can come in does, where it goes on to the best hex."""

    def rate(order: orders.Enter) -> float:
        end = order.path[-1] if order.path else order.hex
        return 50.0 + seen.standing(seen.state.units[order.units[0]], end)

    return rate


def replacement(state: State, order: orders.Replace) -> float:
    """10.1.2 Many points for one unit, strong units first."""
    return order.number * (1.0 + 0.1 * sum(state.units[order.unit].counter.steps[0]))


def commitment(desk: Commitment, order: Order) -> float:
    """The beginning of a turn: all supply that may be committed is; one air marker interdicts,
    if the Germans have points to lose."""
    state = desk.state
    match order:
        case orders.Commit(number):
            return float(number == desk.most)
        case orders.Interdict(number):
            return float(number == 1 and state.reaction.get("german", 0) > 0)
        case orders.Offensive():
            return float(state.turn >= BULGE)
    return 0.0


# --- decisions ----------------------------------------------------------------------------------------------


def decision(state: State, ask: Ask[Any], stance: Stance | None) -> Rate:
    """Decisions in passing; lead, losses and headquarters go by their defaults."""
    side: Side = "german" if ask.seat == "german" else "allied"
    match ask:
        case Opportunity():
            return partial(
                whether_to_react, Picture(state, side, stance=stance, acted=state.units.get(ask.acted)), ask
            )
        case RetreatWay():
            return partial(retreat, Picture(state, side, stance=stance), ask)
        case AdvanceWay():
            seen, unit = Picture(state, side, stance=stance), state.units[ask.unit]
            return lambda way: 0.0 if way == HALT else seen.gain(unit, way.split()[-1])
        case Reroll():
            return partial(reroll, state, side, ask)
    return lambda choice: 0.0


def retreat(seen: Picture, ask: RetreatWay, choice: str) -> float:
    """9.7 A stack with few steps left goes, another one stays on good ground."""
    stack = [unit for unit in seen.state.at(ask.hex) if not unit.hq and unit.side == seen.side]
    if choice == STAY:
        spared = CHARTS.combat.retreat_spares
        lost = _deaths(stack)(ask.hits) - _deaths(stack)(max(0, ask.hits - spared))
        return seen.stance.stay + ground(ask.hex) - seen.stance.kill * lost
    weak = 1.0 if ask.steps <= 3 else 0.0
    return weak + seen.gain(stack[0], choice.split()[-1])


def reroll(state: State, side: Side, ask: Reroll, name: str) -> float:
    """12.10 A die for air support that hurts, or one's own hit die that shows the worst."""
    if name == NO:
        return 0.0
    if name == "air support":
        return float((ask.faces[name] > tables.TURNS[state.turn].air_to) == (side == "allied"))
    own = ("attack" if ask.attacker == side else "defence") + " hits"
    return float(name == own and ask.faces[name] == 6)


def whether_to_react(seen: Picture, ask: Opportunity, choice: str) -> float:
    """5.2 React where it pays; deny the enemy his reaction with a point that one's own army
    can do without."""
    points, foe = ask.points, seen.state.reaction.get(seen.enemy, 0)
    if choice == REACT:
        able = seen.state.on_map(seen.side)
        return 2.0 * (seen.army_reacts or any(piece(seen, unit) > 0 for unit in able))
    if choice == DENY:
        spare = points % CHARTS.points.army and points > CHARTS.points.army
        return float(bool(ask.chit == seen.enemy and spare and foe >= CHARTS.points.army))
    return 0.0


def piece(seen: Picture, unit: Unit) -> float:
    """5.2 What a single piece is worth a point for: a headquarters that is left behind or in danger,
    a German who closes a gap, a sure attack."""
    if unit.hq:
        return max(0.0, seen.way(unit) - (0.3 if seen.last_chance else seen.stance.behind))
    if not seen.fed >> GRID.index(unit.placed) & 1:
        return 0.0
    gap = seen.best_gain(unit) - seen.stance.gap if seen.side == "german" else 0.0
    return max(0.0, gap, seen.best_attacks([unit], (), "set_piece") - seen.stance.army)


# --- how things stand ---------------------------------------------------------------------------------------


@cache
def country() -> CostTable:
    return MAP.costs(lambda a, b: step_cost(a, b, tables.RHINE, None))


@lru_cache(maxsize=64)
def distances(goals: tuple[Hex, ...]) -> Mapping[int, int]:
    """Movement points between every hex and the nearest of these, with no enemy about
    and the Rhine bridged."""
    return country().reach(tuple(GRID.index(hex) for hex in goals), FAR).costs


def homeward() -> Mapping[int, int]:
    """Movement points between every hex and the nearest German city."""
    return distances(tuple(tables.GERMAN_CITIES.values()))


@cache
def ground(hex: Hex) -> float:
    """9.4 What the terrain of a hex adds to the morale of its defenders in set piece combat."""
    return float(max(CHARTS.terrain.gain(kind, "set_piece") for kind in tables.terrains(hex)))


def promise(attacks: Sequence[tuple[float, float]], markers: int) -> float:
    """9.2 The worth of the three best attacks, each given as (without air support, with it),
    if this many air markers fly."""
    lifted = sorted(attacks, key=lambda each: max(each[0], 0.0) - max(each[1], 0.0))[: max(markers, 0)]
    plain = list(attacks)
    for each in lifted:
        plain.remove(each)
    values = [max(0.0, *each) for each in lifted] + [max(0.0, each[0]) for each in plain]
    return sum(sorted(values)[-3:])


def _deaths(units: Sequence[Unit]) -> Callable[[int], int]:
    """9.6 How many of these units a number of hits eliminates: the lead unit takes the first hit, and
    otherwise none goes before all are cadres."""
    lead = odds.best_lead(units)
    spare, frail = sum(unit.left - 1 for unit in units), lead.left == 1
    return lambda hits: min(len(units), max(hits - spare, int(frail and hits > 0)))


class Picture:
    """How things stand for a side at one moment, and in the `series` of increments that it is playing.
    What is asked for is worked out once. Before there is a series it counts on the support of the
    headquarters that `acted` last. Units that are `entering` are still on their way."""

    def __init__(
        self,
        state: State,
        side: Side,
        series: Series | None = None,
        stance: Stance | None = None,
        *,
        acted: Unit | None = None,
        entering: Collection[str] = (),
    ) -> None:
        self.state, self.side, self.enemy = state, side, ENEMY[side]
        self.stance = stance or GREEDY[side]
        self.series = series or Series(state, side, [], hq=acted)
        self.entering = entering
        self.mine: dict[int, list[Unit]] = {}
        self.foes: dict[int, list[Unit]] = {}
        for unit in state.on_map():
            if not unit.hq and unit.id not in entering:
                hexes = self.mine if unit.side == side else self.foes
                hexes.setdefault(GRID.index(unit.placed), []).append(unit)
        self._stand: dict[tuple[str, Hex], float] = {}
        self._left: dict[str, tuple[float, float]] = {}
        self._faced: dict[Hex, tuple[bool, int, int]] = {}
        self._fights: dict[tuple[Any, ...], float] = {}
        self._best: dict[tuple[str, bool], float] = {}
        self._charged: dict[str, dict[int, tuple[int, bool]]] = {}
        self._aims: dict[str, tuple[Hex, ...]] = {}

    def named(self, ids: Iterable[str]) -> list[Unit]:
        """The units of these names."""
        return [self.state.units[id] for id in ids]

    @cached_property
    def foe_supply(self) -> Supply:
        return Supply(self.state, self.enemy)

    @cached_property
    def fed(self) -> int:
        """The set of the hexes within command of the headquarters in supply."""
        found = 0
        for area in Supply(self.state, self.side).hqs.values():
            found |= area
        return found

    @cached_property
    def rings(self) -> tuple[int, ...]:
        """How many hexes every hex is from the nearest enemy."""
        found = [MOST_RINGS] * len(GRID)
        known = bits(self.foes)
        for at in self.foes:
            found[at] = 0
        for far in range(1, MOST_RINGS):
            wider = GRID.spread(known)
            for at in indices(wider & ~known):
                found[at] = far
            known |= wider
        return tuple(found)

    # --- places ---

    def aims(self, group: str) -> tuple[Hex, ...]:
        """Places that the Allies still want, for a group of units."""
        if group not in self._aims:
            self._aims[group] = tuple(self._wanted(group))
        return self._aims[group]

    def _wanted(self, group: str) -> Iterator[Hex]:
        held = self.state.control
        if self.stance.goals:
            yield from self.stance.goals(self.state, group)
            return
        if self.state.scenario == "falaise":
            towns = [hex for hex in tables.SCENARIOS.falaise.towns.values() if held.get(hex) != "allied"]
            yield from towns or (GRID.ids[at] for at in (self.foes if self.side == "allied" else self.mine))
            return
        left = [hex for hex in PLACES[group] if held.get(hex) != "allied"]
        if group == "brittany":
            yield from left or self.aims("south")
            return
        yield from left
        allied = {unit.placed for unit in self.state.on_map("allied") if not unit.hq}
        over = victory.bridgeheads_held(self.state, supplied=False)
        banks = crossing.EAST_BANK if over < BRIDGEHEADS else ()
        yield from (hex for hex in (*tables.GERMAN_CITIES.values(), *banks) if hex not in allied)

    def aims_of(self, unit: Unit) -> tuple[Hex, ...]:
        if unit.id in BRITTANY:
            return self.aims("brittany")
        return self.aims("south" if unit.nation in ("us", "french") else "north")

    @cached_property
    def spearhead(self) -> int:
        """Movement points from the foremost Allied units to the nearest German city."""
        allied = self.foes if self.side == "german" else self.mine
        far = sorted(homeward().get(at, FAR) for at in allied)
        return far[min(2, len(far) - 1)] if far else FAR

    @cached_property
    def threatened(self) -> tuple[Hex, ...]:
        """Places that the Allies want and are near, for the Germans to hold."""
        places = dict.fromkeys((*self.aims("north"), *self.aims("south"), *self.aims("brittany")))
        return tuple(hex for hex in places if self.rings[GRID.index(hex)] <= NEAR)

    def standing(self, unit: Unit, hex: Hex) -> float:
        """What it is worth that a piece stands in a hex."""
        key = unit.id, hex
        if key not in self._stand:
            how = self._post if unit.hq else self._allied if unit.side == "allied" else self._german
            hunted = 0.0 if unit.hq or unit.cadre else self.stance.hunt * (hex in self.exposed)
            peril = self._peril(unit, hex) if self.stance.risk and not unit.hq else 0.0
            self._stand[key] = how(unit, hex) + hunted - peril
        return self._stand[key]

    @cached_property
    def exposed(self) -> frozenset[Hex]:
        """4.10 The hexes next to an enemy headquarters that stands alone."""
        if not self.stance.hunt:
            return frozenset()
        alone = [unit.placed for unit in self.state.on_map(self.enemy) if unit.hq]
        found = (GRID.adjacent[GRID.index(hex)] for hex in alone if GRID.index(hex) not in self.foes)
        return frozenset(GRID.ids[at] for near in found for at in near)

    def _peril(self, unit: Unit, hex: Hex) -> float:
        """9.6 What it costs to stand where the enemy may eliminate units: the less they can lose without
        that, and the stronger he is, the more."""
        _, pressure, _ = self._facing(hex)
        if not pressure:
            return 0.0
        stack = [unit, *(other for other in self.mine.get(GRID.index(hex), ()) if other is not unit)]
        spare, defence = sum(each.left - 1 for each in stack), sum(each.strength(False) for each in stack)
        return self.stance.risk * max(0, SAFE - spare) / SAFE * min(1.0, pressure / (2 * defence))

    def gain(self, unit: Unit, hex: Hex) -> float:
        """What it brings to send a piece to a hex; a headquarters beside the enemy should not be left alone
        (4.10)."""
        stood, escort = self._left_behind(unit)
        return self.standing(unit, hex) - stood - escort

    def _left_behind(self, unit: Unit) -> tuple[float, float]:
        """What it is worth that a piece stands where it is, and that it does not leave a headquarters there
        alone."""
        if unit.id not in self._left:
            here = GRID.index(unit.placed)
            alone = (
                self.rings[here] == 1
                and not unit.hq
                and not self._others(unit, here)
                and self._hq_at(unit.placed)
            )
            self._left[unit.id] = self.standing(unit, unit.placed), ESCORT if alone else 0.0
        return self._left[unit.id]

    def best_gain(self, unit: Unit, administrative: bool = False) -> float:
        """What the best of all moves of a piece brings, with all its points."""
        key = unit.id, administrative
        if key not in self._best:
            points = TRACK[1].for_allowance(unit.piece.allowance) * (2 if administrative else 1)
            reach = self.ways.reach(unit, points, administrative)
            self._best[key] = max(self.gain(unit, GRID.ids[at]) for at in reach)
        return self._best[key]

    def way(self, unit: Unit) -> float:
        """5.3 What the best move of a piece brings, administrative or not."""
        plain = self.best_gain(unit)
        return max(plain, self.best_gain(unit, True)) if self.rings[GRID.index(unit.placed)] > 2 else plain

    def march(self, unit: Unit) -> float:
        """5.3 What administrative movement brings more than fighting or moving."""
        if unit.hq:
            return self.best_gain(unit, True) - self.best_gain(unit) - MARGIN
        if self.rings[GRID.index(unit.placed)] <= 2:
            return 0.0
        return self.best_gain(unit, True) - self.best_gain(unit) - CONTACT - MARGIN

    def _hq_at(self, hex: Hex) -> bool:
        return any(unit.hq and unit.side == self.side for unit in self.state.at(hex))

    def _post(self, hq: Unit, hex: Hex) -> float:
        """A headquarters is wanted within range of its units, of those first that no other one serves;
        and not alone near the enemy."""
        at, reach = GRID.index(hex), hq.headquarters.range - 1
        value = 0.0 if at in self.mine or self.rings[at] > 5 else -1.0 if self.rings[at] > 2 else -2.5
        value -= self.stance.guard * max(0, 3 - self.rings[at])
        for where, (count, served) in self._charges(hq).items():
            far = GRID.steps(at, where)
            beyond = min(8, max(0, far - reach))
            value -= count * (0.35 * beyond * (0.2 if served else 1.0) + 0.01 * far)
        return value - self.stance.forward * self._to_go(hq, at)

    def _charges(self, hq: Unit) -> Mapping[int, tuple[int, bool]]:
        """4.5, 4.6 Hex -> how many units there a headquarters can command,
        and whether another one in range serves them."""
        if hq.id not in self._charged:
            found = self._charged[hq.id] = {}
            for where, units in self.mine.items():
                if count := sum(command.may_command(hq, unit) for unit in units):
                    found[where] = (
                        count,
                        any(self._serves(o, where, units) for o in self.posts if o is not hq),
                    )
        return self._charged[hq.id]

    def _serves(self, hq: Unit, where: int, units: Sequence[Unit]) -> bool:
        near = GRID.steps(GRID.index(hq.placed), where) < hq.headquarters.range
        return near and any(command.may_command(hq, unit) for unit in units)

    def _to_go(self, unit: Unit, at: int) -> int:
        """Movement points from a hex to the nearest place that an Allied piece wants."""
        aims = self.aims_of(unit) if self.side == "allied" else ()
        return distances(aims).get(at, FAR) if aims else 0

    @cached_property
    def posts(self) -> list[Unit]:
        return [unit for unit in self.state.on_map(self.side) if unit.hq and unit.id not in self.entering]

    def _allied(self, unit: Unit, hex: Hex) -> float:
        at, aims = GRID.index(hex), self.aims_of(unit)
        value = -self.stance.onward * self._to_go(unit, at)
        value -= 0.0 if self.fed >> at & 1 or hex in aims else self.stance.unfed
        if hex in aims:
            value += 2.0
        elif hex in crossing.EAST_BANK or hex in tables.GERMAN_CITIES.values():
            value += self.stance.across * (self._others(unit, at) == 0)
        value -= 1.0 if unit.cadre and self.rings[at] <= 1 else 0.0
        return value - (0.8 if hex in NORMANDY and self.rings[at] > 1 else 0.0)

    def _german(self, unit: Unit, hex: Hex) -> float:
        at, far = GRID.index(hex), self.rings[GRID.index(hex)]
        friends = self._others(unit, at)
        behind_river, pressure, to_hold = self._facing(hex)
        value = 0.6 * ground(hex) - 0.25 * max(0, far - 2) - 0.3 * max(0, friends - 1)
        value += 0.3 if behind_river else 0.0
        if not friends and not any(self._others(unit, where) for where in GRID.adjacent[at]):
            value += 0.4
        defence = unit.strength(False) + sum(o.strength(False) for o in self.mine.get(at, ()) if o != unit)
        value += self.stance.escort if not friends and far <= 2 and self._hq_at(hex) else 0.0
        value -= min(2.0, max(0.0, 0.6 * (pressure / defence - 2.5)))
        if hex in self.threatened:
            value += self.stance.hold if not friends else 0.7
        elif self.threatened:
            value -= self.stance.close * to_hold
        value -= PASSED * max(0, homeward().get(at, FAR) - self.spearhead - 4)
        return value - (0.0 if self.fed >> at & 1 else self.stance.unfed)

    def _facing(self, hex: Hex) -> tuple[bool, int, int]:
        """Whether rivers part a hex from all the enemies next to it, how strong these are, and how far it is
        to the nearest place to hold."""
        if hex not in self._faced:
            near = [where for where in GRID.adjacent[GRID.index(hex)] if where in self.foes]
            self._faced[hex] = (
                bool(near) and all(river(hex, GRID.ids[where]) for where in near),
                sum(foe.strength(False) for where in near for foe in self.foes[where]),
                min((GRID.distance(hex, place) for place in self.threatened), default=0),
            )
        return self._faced[hex]

    def _others(self, unit: Unit, at: int) -> int:
        return sum(other.id != unit.id for other in self.mine.get(at, ()))

    # --- fights ---

    def fight(self, hexes: Sequence[Hex], units: Sequence[Unit], air: str, kind: Fight) -> float:
        """What an attack promises: steps of the enemy and ground, less one's own steps."""
        key = tuple(hexes), tuple(unit.id for unit in units), air, kind
        if key not in self._fights:
            self._fights[key] = self._promise(tuple(hexes), tuple(units), air, kind)
        return self._fights[key]

    def _promise(self, hexes: tuple[Hex, ...], units: tuple[Unit, ...], air: str, kind: Fight) -> float:
        hq = self.series.hq
        if hq and not any(unit.hex == hq.hex and command.may_command(hq, unit) for unit in units):
            hq = None
        battle = odds.Battle(self.state, hexes, units, kind, hq=hq, air=air)  # type: ignore[arg-type]
        look = odds.outlook(battle, odds.best_lead(units), odds.best_lead(battle.defenders), self.foe_supply)
        gain = min(float(look.defence_loss), sum(unit.left for unit in battle.defenders))
        driven = float(look.corners.get("retreat", 0) + look.corners.get("stalemate", 0))
        places = {*self.aims("north"), *self.aims("south"), *self.aims("brittany")}
        key = 2.0 if places & set(hexes) else 0.0
        spare = sum(unit.left - 1 for unit in units)
        loss = float(look.attack_loss) + 1.5 * max(0.0, float(look.attack_loss) - spare)
        key = key if self.side == "allied" else 0.0
        killed = self._killed(battle, look) if self.stance.kill else 0.0
        opened = driven * self.stance.expose * bool(self.exposed & set(hexes)) if self.stance.expose else 0.0
        return gain + driven * (self.stance.driven + key) - self.stance.own_loss * loss + killed + opened

    def _killed(self, battle: odds.Battle, look: odds.Outlook) -> float:
        """13.1 What the units count for that an attack eliminates on average, less one's own. That who must
        retreat and cannot takes one more hit (9.7) is left out."""
        ours, theirs = _deaths(battle.attackers), _deaths(battle.defenders)
        chances = look.results.items()
        return self.stance.kill * float(
            sum(chance * (theirs(hits) - ours(own)) for (_, own, hits), chance in chances)
        )

    def kind(self, hexes: Iterable[Hex], units: Iterable[Unit], box: int) -> Fight:
        """9.1 Set piece, or mobile where all have come up in the increment before; the other ways to mobile
        combat are left out."""
        track = self.series.track
        before = track.count - (box == track.box)
        plain = all(MAP.terrain(h) == "clear" and not ground(h) for h in hexes)
        dry = not any(river(unit.placed, hex) for unit in units for hex in hexes)
        return (
            "mobile"
            if plain and dry and all(self.series.arrived.get(unit.id) == before for unit in units)
            else "set_piece"
        )

    def best_attacks(self, units: Sequence[Unit], done: Iterable[str], kind: str = "", box: int = 0) -> float:
        """What these units promise together, each enemy hex being attacked once from one hex or two;
        the three best count. Each tactical air marker that has not flown in the box supports one of them
        (9.2)."""
        origins: dict[int, list[Unit]] = {}
        for unit in units:
            origins.setdefault(GRID.index(unit.placed), []).append(unit)
        flown = self.series.tactical_here if box and box == self.series.track.box else 0
        markers = combat.tacticals(self.state) - flown if self.side == "allied" else 0
        found: list[tuple[float, float]] = []
        for target in dict.fromkeys(near for at in origins for near in GRID.adjacent[at]):
            if any(foe.id in done for foe in self.foes.get(target, ())) or target not in self.foes:
                continue
            hex = GRID.ids[target]
            beside = [
                at for at in origins if at in GRID.adjacent[target] and self._open(GRID.ids[at], hex, box)
            ]
            groups = [(at,) for at in beside] + [
                p for p in combinations(beside, 2) if p[0] in GRID.adjacent[p[1]]
            ]
            sets = [[unit for at in group for unit in origins[at]] for group in groups]

            def best(air: str, hex: Hex = hex, sets: list[list[Unit]] = sets) -> float:
                fights = (
                    self.fight((hex,), each, air, "set_piece" if kind else self.kind((hex,), each, box))
                    for each in sets
                )
                return max(fights, default=0.0)

            found.append((best(""), best("tactical") if markers > 0 else 0.0))
        return promise(found, markers)

    def _open(self, a: Hex, b: Hex, box: int) -> bool:
        """3.3, 12.8 Whether an attack can be made from a hex on the next one;
        in boats only in the first box."""
        return not blocked(a, b) and (box <= 1 or not crossing.needs_boats(self.state, a, b))

    # --- headquarters ---

    @cached_property
    def hq_promises(self) -> dict[str, float]:
        able = Supply(self.state, self.side).hqs
        return {id: self.promise_of(command.most_of(self.state, self.state.units[id])) for id in able}

    @cached_property
    def best_hq(self) -> str:
        """The headquarters that promises most; none if there is nothing to do."""
        best = max(self.hq_promises, key=lambda id: self.hq_promises[id], default="")
        return best if best and self.hq_promises[best] > 0 else ""

    def promise_of(self, units: Sequence[Unit]) -> float:
        """What units could do under command: attacks, and the way to the front."""
        ways = sum(min(self.stance.marched, max(0.0, self.way(unit) - MARGIN)) for unit in units)
        return AGAIN[4] * self.best_attacks(units, (), "set_piece") + self.stance.march * ways

    @cached_property
    def army_reacts(self) -> bool:
        """5.2 Whether three points are well spent on an army: not while a headquarters had better move up."""
        points = self.state.reaction.get(self.side, 0)
        spare = points - (0 if self.last_chance else self.stance.keep)
        if spare < CHARTS.points.army or any(self.way(hq) >= self.stance.behind for hq in self.posts):
            return False
        much = self.stance.army / (4 if self.last_chance or points > PLENTY else 1)
        return self.hq_promises.get(self.best_hq, 0.0) > much

    @property
    def last_chance(self) -> bool:
        """2.0.10, 2.0.11 Whether points that are not spent now are lost."""
        return self.state.phase.endswith("final")

    # --- increments ---

    @cached_property
    def ways(self) -> Ground:
        return Ground(self.state, self.side)

    @property
    def marching(self) -> frozenset[str]:
        """5.3 Units that go by administrative movement."""
        return self.series.administrative

    @cached_property
    def commanded(self) -> list[Unit]:
        return list(self.series.here())

    @cached_property
    def done(self) -> set[str]:
        """6.0 Units that have moved, attacked or been attacked in the current box."""
        return {*self.series.spent, *self.series.attacked}

    @cached_property
    def gains(self) -> dict[str, list[tuple[int, float, int]]]:
        """Commanded unit -> what each move costs and gains, and where it ends."""
        found = {}
        for unit in self.commanded:
            reach = self.ways.reach(unit, self.points(unit, 1), unit.id in self.marching)
            costs = {at: reach.costs[at] for at in reach}
            if not unit.hq and unit.id not in self.marching:
                costs |= dict.fromkeys(indices(self.ways.boats(unit)), BOATS)
            found[unit.id] = [(cost, self.gain(unit, GRID.ids[at]), at) for at, cost in costs.items()]
        return found

    def points(self, unit: Unit, box: int) -> int:
        """5.3, 6.0 Movement points of a commanded unit in a box."""
        return TRACK[box].for_allowance(unit.piece.allowance) * (2 if unit.id in self.marching else 1)

    def contact(self, unit: Unit, at: int, box: int) -> float:
        """9.1 What it is worth to an Allied unit to come next to the enemy in a box after
        which it can attack."""
        marches = unit.id in self.marching
        if self.side == "german" or unit.hq or unit.cadre or marches or self.rings[at] != 1:
            return 0.0
        after = (TRACK[number].attack for number in TRACK[box].next)
        return CONTACT * any(0 < least <= unit.piece.allowance for least in after)

    def value(self, box: int, what: str) -> float:
        """6.0 What the commanded units could do in a box by moving, or by attacking."""
        done = self.done if box == self.series.track.box else set()
        units = [unit for unit in self.commanded if unit.id not in done]
        if what == "attack":
            least = TRACK[box].attack
            able = [
                unit
                for unit in units
                if 0 < least <= unit.piece.allowance and not unit.hq and unit.id not in self.marching
            ]
            return self.best_attacks(able, done, box=box) if able else 0.0
        total = 0.0
        for unit in units:
            points = self.points(unit, box)
            most = BOATS if box == 1 else points
            can = [(gain, at) for cost, gain, at in self.gains[unit.id] if cost <= most]
            total += max((0.0, *(gain + self.contact(unit, at, box) - MARGIN for gain, at in can)))
        return total

    @cached_property
    def plan(self) -> tuple[int, str]:
        """6.0 The box in which to go on, and whether to move or attack in it:
        the current one as long as somebody has something to do there."""
        here = self.series.track.box, self.series.track.what or ""
        if here[0] and here[1] in ("move", "attack") and self.value(*here) > 0:
            return here
        boxes = TRACK[here[0]].next if here[0] else [box.number for box in TRACK.values() if box.start]
        ways = {(box, what): self.value(box, what) for box in boxes for what in ("attack", "move")}
        liked = {
            way: value * (self.stance.fight_on * AGAIN.get(way[0], 1.0) if way[1] == "attack" else 1.0)
            for way, value in ways.items()
        }
        return max(liked, key=lambda way: liked[way], default=here)

    def move(self, unit: Unit, hex: Hex, box: int) -> float:
        """What a move in a box brings; nothing if something else is planned."""
        number = box or self.series.track.box
        if self.plan != (number, "move"):
            return 0.0
        return self.gain(unit, hex) + self.contact(unit, GRID.index(hex), number) - MARGIN

    def attack(self, order: orders.Attack) -> float:
        """What an attack in a box promises; nothing if something else is planned."""
        box = order.box or self.series.track.box
        if self.plan != (box, "attack"):
            return 0.0
        units = self.named(order.units)
        promised = self.fight(order.hexes, units, order.air, self.kind(order.hexes, units, box))
        return promised - 0.05 * len(units)
