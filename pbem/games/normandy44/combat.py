"""Combat (7): who may attack what, the order of a combat, and what its result does to both sides.

Odds and shifts are in odds.py, help by headquarters, fighters and ships in support.py and naval.py,
losses in losses.py, ground in retreat.py and advance.py. Decided here, where the rules are silent:
units cannot attack across an arm of the sea; the attacker takes losses before the defender;
a defender that has been attacked cannot be attacked again in the phase, wherever it went.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pbem.engine.errors import NotAllowed, Overtaken, Unwanted
from pbem.engine.play import Roll
from pbem.engine.wording import count
from pbem.games.normandy44 import headquarters, losses, naval, odds, retreat, support, zones
from pbem.games.normandy44.advance import advance
from pbem.games.normandy44.notes import Attacked, LoneHeadquarters
from pbem.games.normandy44.odds import Fight
from pbem.games.normandy44.orders import Attack
from pbem.games.normandy44.state import ENEMY, State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, Hex, Side
from pbem.wargame.counters import of_side

COLUMNS = CHARTS.combat.columns


# --- the attacks of an activation -------------------------------------------------------------------------


@dataclass
class Combat:
    """7.1 The attacks of one side in its activation. `fault` says why a unit does not act in this phase."""

    state: State
    side: Side
    phase: str
    fault: Callable[[Unit], NotAllowed | None]
    fought: list[str] = field(default_factory=list)
    """The units that have attacked in this phase."""
    attacked: list[str] = field(default_factory=list)
    """The units that have been attacked in this phase."""

    # --- what is offered ---

    def targets(self) -> list[Hex]:
        """7.1 The hexes that can be attacked now, in the order of their numbers."""
        able = [unit for unit in self.state.on_map(self.side) if not self.duty_fault(unit)]
        near = {hex for at in {unit.placed for unit in able} for hex in retreat.STEPS[at]}
        enemy = GRID.named(GRID.bits(near) & zones.occupied(self.state, ENEMY[self.side]))
        return sorted(hex for hex in enemy if not self.target_fault(hex))

    def options(self, hex: Hex) -> list[Attack]:
        """7.1 A choice of legal attacks on a hex: by all of an army, by each stack and by each unit;
        alone, with a headquarters, and with everything that can help."""
        if self.target_fault(hex):
            return []
        near = retreat.STEPS[hex]
        able = [
            unit for unit in self.state.on_map(self.side) if unit.hex in near and not self.duty_fault(unit)
        ]
        armies = [
            [unit for unit in able if unit.army == army] for army in dict.fromkeys(u.army for u in able)
        ]
        stacks = [
            [unit for unit in group if unit.hex == at]
            for group in armies
            for at in dict.fromkeys(unit.hex for unit in group)
        ]
        groups = {tuple(unit.id for unit in group): group for group in armies + stacks}
        groups |= {(unit.id,): [unit] for unit in able}
        return [attack for group in groups.values() for attack in self.variants(hex, group)]

    def variants(self, hex: Hex, units: Sequence[Unit]) -> list[Attack]:
        """6.3, 10.1, 12.0 An attack by these units with less and with more help."""
        ids, army = tuple(unit.id for unit in units), units[0].army
        plain = Attack(hex, ids)
        if not odds.opposed(self.state, hex, self.side):
            return [plain]
        hqs = support.able(self.state, self.side, army, [unit.placed for unit in units])
        best = max(support.ways(hqs), key=support.columns, default=())
        names = tuple(hq.id for hq in best)
        air = guns = 0
        if self.side == "allied":
            air = support.in_range(self.state, army, hex)
            guns = min(naval.MOST, naval.in_range(self.state, army, hex))
        backed = Attack(hex, ids, support=names)
        everything = Attack(hex, ids, air=air, guns=guns, support=names)
        return list(dict.fromkeys((plain, backed, everything)))

    # --- judging an order ---

    def check(self, order: Attack) -> None:
        """Refuse an attack that 7.1, 6.3, 8.3, 9.0, 10.1 or 12.0 forbids, or that its order does not want.
        Raises NotAllowed; Overtaken where events may have made it void, Unwanted where the odds are worse
        than the order names."""
        self.check_odds(order, self.judge(order))

    def judge(self, order: Attack) -> list[Unit]:
        """7.1 The units that attack: all that the order names. Raises NotAllowed."""
        if fault := self.words_fault(order) or self.target_fault(order.hex):
            raise fault
        units = [self.unit(id) for id in dict.fromkeys(order.units)]
        for unit in units:
            if fault := self.unit_fault(unit, order.hex):
                raise fault
        if support.one_army(units) is None:
            raise NotAllowed("US and UK units cannot attack together", "9.0")
        if fault := self.help_fault(order, units):
            raise fault
        return units

    def check_odds(self, order: Attack, units: Sequence[Unit]) -> None:
        """7.2 Refuse an attack by these units at worse odds than its order names: the column with the
        fighters and headquarters of the order, before gunfire and what the enemy adds. Raises Unwanted."""
        defenders = odds.opposed(self.state, order.hex, self.side)
        if not order.odds or not defenders:
            return
        battle = Fight(self.state, order.hex, tuple(units), defenders, air=order.air)
        column = battle.column(support.columns(self.unit(id) for id in dict.fromkeys(order.support)))
        if COLUMNS.index(column) < COLUMNS.index(order.odds):
            strengths = f"{battle.attack} against {battle.defence}"
            raise Unwanted(f"{strengths} is {column} with all shifts, not {order.odds} or better", "7.2")

    def unit(self, id: str) -> Unit:
        """A unit of this side. Raises NotAllowed."""
        return self.state.own(id, of_side(self.side), "7.1")

    def words_fault(self, order: Attack) -> NotAllowed | None:
        """What is wrong with the particulars of an order, None if nothing is."""
        if order.odds and order.odds not in COLUMNS:
            return NotAllowed(f"{order.odds} is not a column of the combat table", "7.2", legal=COLUMNS)
        for ids, case, what in ((order.losses, "7.3", "lose steps"), (order.advance, "7.4", "advance")):
            if strangers := [id for id in ids if id not in order.units]:
                return NotAllowed(f"{', '.join(strangers)} cannot {what}: not among the attackers", case)
        return None

    def target_fault(self, hex: Hex) -> NotAllowed | None:
        """7.1 Why a hex cannot be attacked, None if it can."""
        if hex not in MAP:
            return NotAllowed(f"there is no hex {hex} on the map", "7.1")
        enemies = [unit for unit in self.state.at(hex) if unit.side != self.side]
        if not enemies:
            return Overtaken(f"there is no enemy in {hex}", "7.1")
        if again := [unit.id for unit in enemies if unit.id in self.attacked]:
            have = "has" if len(again) == 1 else "have"
            return Overtaken(f"{', '.join(again)} in {hex} {have} already been attacked in this phase", "7.1")
        return None

    def duty_fault(self, unit: Unit) -> NotAllowed | None:
        """6.4, 7.1, 8.3, E8 Why a unit cannot attack in this phase, None if it can."""
        if unit.hq:
            return NotAllowed(f"{unit.id} is a headquarters and cannot attack", "6.4")
        if unit.fixed:
            return NotAllowed(f"{unit.id} is a beach garrison and cannot attack", "E8")
        if unit.place != "map":
            return Overtaken(f"{unit.id} is not on the map", "7.1")
        if unit.id in self.fought:
            return Overtaken(f"{unit.id} has already attacked in this phase", "7.1")
        if unit.unsupplied and self.phase != "reaction":  # 15.0: all Germans are in supply then
            return Overtaken(f"{unit.id} is out of supply", "8.3")
        return self.fault(unit)

    def unit_fault(self, unit: Unit, hex: Hex) -> NotAllowed | None:
        """7.1 Why a unit cannot take part in the attack on a hex, None if it can."""
        if fault := self.duty_fault(unit):
            return fault
        if hex not in retreat.STEPS[unit.placed]:
            return Overtaken(
                f"{unit.id} at {unit.hex} is not adjacent to {hex}", "7.1", legal=self.in_reach(unit.placed)
            )
        return None

    def in_reach(self, at: Hex) -> list[Hex]:
        """7.1 The enemies next to a hex."""
        return [hex for hex in retreat.STEPS[at] if self.state.holder(hex) == ENEMY[self.side]]

    def help_fault(self, order: Attack, units: Sequence[Unit]) -> NotAllowed | None:
        """6.3, 10.1, 12.0 Why an attack cannot have the help that its order asks for, None if it can."""
        return (
            self.air_fault(order, units)
            or self.guns_fault(order, units)
            or self.support_fault(order, [unit.placed for unit in units], units)
        )

    def air_fault(self, order: Attack, units: Sequence[Unit]) -> NotAllowed | None:
        """10.1 Why the fighters of an order cannot join, None if they can."""
        if not order.air:
            return None
        if self.side != "allied":
            return NotAllowed("the Germans have no fighters", "10.1")
        if not support.flyable(order.hex):
            return NotAllowed(f"fighters cannot help over {MAP.terrain(order.hex)} ({order.hex})", "10.1")
        ready = support.in_range(self.state, units[0].army, order.hex)
        if order.air > ready:
            text = f"{count(order.air, 'fighter')} for {order.hex}, but {ready} left"
            return Overtaken(f"{text} within {CHARTS.air.range} hexes", "10.1")
        return None

    def guns_fault(self, order: Attack, units: Sequence[Unit]) -> NotAllowed | None:
        """12.0 Why the gunfire of an order cannot help, None if it can."""
        if not order.guns:
            return None
        if self.side != "allied":
            return NotAllowed("the Germans have no ships", "12.0")
        if order.guns > naval.MOST:
            return NotAllowed(f"points beyond {naval.MOST} have no effect", "12.0")
        ready = naval.in_range(self.state, units[0].army, order.hex)
        if order.guns > ready:
            points = count(order.guns, "point")
            return Overtaken(f"{points} of gunfire at {order.hex}, but {ready} left in range", "12.0")
        return None

    def support_fault(self, order: Attack, hexes: Iterable[Hex], units: Sequence[Unit]) -> NotAllowed | None:
        """6.3 Why these headquarters cannot help, None if they can."""
        hqs = [self.unit(id) for id in dict.fromkeys(order.support)]
        if len(hqs) > 1 and self.side == "allied":
            return NotAllowed("only one Allied headquarters may support a combat", "6.3")
        places = tuple(hexes)
        faults = (support.fault(hq, units[0].army, places) for hq in hqs)
        return next((fault for fault in faults if fault), None)

    # --- carrying out ---

    async def carry_out(self, order: Attack) -> None:
        """7.1, 7.2 One attack."""
        units, state = self.judge(order), self.state
        self.fought += [unit.id for unit in units]
        self.attacked += [unit.id for unit in state.at(order.hex)]
        await fight(state, self.side, order.hex, units, order=order)


# --- one combat -------------------------------------------------------------------------------------------


async def fight(
    state: State,
    side: Side,
    hex: Hex,
    attackers: Sequence[Unit],
    *,
    order: Attack | None = None,
    landing: bool = False,
    drop: bool = False,
) -> bool:
    """7.2 A combat from its strengths to the advance; whether no enemy is left in the hex. Against a
    `landing` no unit retreats; after it and after a `drop` there is no advance (15.0)."""
    written = order or Attack(hex, tuple(unit.id for unit in attackers))
    battle = Fight(state, hex, tuple(attackers), odds.opposed(state, hex, side), landing, drop)
    for unit in attackers:
        unit.acted = True
    if battle.defenders:
        await gather_help(battle, written)
        result = await roll_result(battle)
        await carry_through(battle, result, written.losses)
    else:
        capture(battle)
    won = state.holder(hex) != ENEMY[side]
    if won and not landing and not drop:
        await advance(state, hex, attackers, written)
    return won


def capture(battle: Fight) -> None:
    """6.4 A headquarters that is alone is lost without a die."""
    state, hex = battle.state, battle.hex
    state.note(
        LoneHeadquarters(
            case="6.4",
            attacker=battle.attackers[0].side,
            hex=hex,
            attackers=tuple(unit.id for unit in battle.attackers),
        )
    )
    for unit in state.at(hex):
        headquarters.lose(state, unit, hex, "attacked")


async def gather_help(battle: Fight, order: Attack) -> None:
    """7.2 Fighters, naval gunfire, headquarters: in this order, the attacker before the defender."""
    state, army = battle.state, battle.attackers[0].army
    defends = battle.defenders[0].side == "allied"
    if order.air:
        battle.air = order.air
        support.fly(state, army, battle.hex, order.air)
    posts = support.swings(battle)
    if defends:
        await support.cover(battle, {a + b for a in posts for b in naval.swings(battle)})
    await naval.attack(battle, order.guns)
    if defends:
        await naval.defend(battle, posts)
    support.attack(battle, [state.units[id] for id in dict.fromkeys(order.support)])
    await support.defend(battle)


async def roll_result(battle: Fight) -> str:
    """7.2 The die and the result."""
    state, number = battle.state, battle.number()
    die = await Roll(case="7.2", what=f"attack on {battle.hex}")
    result = odds.result(number, die)
    state.note(
        Attacked(
            case="7.2",
            roll=state.rolls,
            attacker=battle.attackers[0].side,
            hex=battle.hex,
            origins=battle.origins,
            attackers=tuple(unit.id for unit in battle.attackers),
            defenders=tuple(unit.id for unit in battle.defenders),
            attack=battle.attack,
            defence=battle.defence,
            attack_parts=battle.attack_parts,
            defence_parts=battle.defence_parts,
            odds=battle.odds,
            shifts=battle.shifts,
            column=COLUMNS[number],
            die=die,
            result=result,
        )
    )
    return result


async def carry_through(battle: Fight, result: str, named: Sequence[str]) -> None:
    """7.3 What a result costs: steps of the attackers, then steps and ground of the defenders."""
    state, (taken, points) = battle.state, odds.points(result)
    origins, seen = battle.origins, f"{odds.fight_in_words(battle)} The result is {result}"
    flak_attacks, flak_defends = has_flak(battle.attackers), has_flak(battle.defenders)
    await losses.pay(
        state,
        battle.attackers,
        taken,
        battle.hex,
        "combat",
        named=named,
        armour=flak_defends,
        attack=True,
        says=f"{seen}: you lose {count(taken, 'step')}.",
    )
    losses.orphaned(state, origins)
    if points is None:
        for unit in battle.defenders:
            losses.destroy(state, unit, "combat")
    elif points:
        await give_way(battle, points, flak_attacks, seen)
    losses.orphaned(state, [battle.hex])


def has_flak(units: Iterable[Unit]) -> bool:
    """C2 Whether there is Flak among these units, so that the enemy's first step is one of tanks."""
    return any(unit.counter.kind == "flak" for unit in units)


async def give_way(battle: Fight, points: int, armour: bool, seen: str) -> None:
    """7.3, 7.4 The defender splits its points between steps and ground, as far as it can retreat;
    `seen` is the combat in words."""
    state, units = battle.state, battle.defenders
    staff = [unit for unit in state.at(battle.hex) if unit.hq]
    most = 0 if battle.landing else most_hexes(state, points)
    known: dict[tuple[bool, bool, int], bool] = {}

    def can_retreat(left: Sequence[Unit], hexes: int) -> bool:
        alike = any(unit.counter.motor for unit in left), any(unit.fixed for unit in left), hexes
        if alike not in known:
            known[alike] = bool(retreat.routes(state, [*left, *staff], hexes))
        return known[alike]

    found = losses.ways(units, points, armour, most, can_retreat)
    costs = retreat.costs(state, [*units, *staff], max(way.hexes for way in found))
    says = f"{seen}: you owe {count(points, 'point')}, each a step of one unit or a hex of retreat for all."
    way = await losses.choose(units, found, battle.hex, costs=costs, says=says)
    losses.lose_all(state, dict(way.lost), "combat", battle.hex)
    if way.hexes:
        await retreat.retreat(state, [unit for unit in (*units, *staff) if unit.place == "map"], way.hexes)


def most_hexes(state: State, points: int) -> int:
    """7.3 The hexes that a stack may retreat for these points: as many,
    or with the option `retreat` two at most."""
    return min(points, CHARTS.combat.most_hexes) if state.option("retreat") == "two" else points
