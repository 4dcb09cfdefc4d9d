"""Combat (8, 9): one or two hexes of the enemy are attacked by units next to all of them;
dice, box of the matrix, hits, retreat, advance.

Who may be attacked by whom is checked here; what decides a combat before its dice stands in odds.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.language import Order
from pbem.engine.play import Ask
from pbem.engine.wording import count
from pbem.games.france44 import (
    advance,
    advantage,
    airborne,
    command,
    crossing,
    headquarters,
    losses,
    odds,
    outcomes,
    retreat,
)
from pbem.games.france44.commanded import Commanded
from pbem.games.france44.notes import Attacked, HeldFast, Tried
from pbem.games.france44.odds import Battle
from pbem.games.france44.orders import Attack
from pbem.games.france44.state import ENEMY, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, GRID, MAP, SOUTH, Arm, Hex, Side, blocked

MOST_HEXES = 2
AMPHIBIOUS = 1
TRIED_BY = 2
"""3.10 Steps that attackers must lose for a green defender to be tried."""


# --- judging an order -------------------------------------------------------------------------------------


def check(series: Commanded, order: Attack, units: Sequence[Unit], box: int) -> None:
    """8.0, 9.2, 12.8 Refuse an attack that is not allowed. Raises NotAllowed;
    Overtaken where it is a matter of how things stand by now."""
    hexes = tuple(dict.fromkeys(order.hexes))
    if len(hexes) > MOST_HEXES:
        raise NotAllowed("an attack is on one hex or on two", "8.0")
    for hex in hexes:
        _check_target(series, hex, box)
    for unit in units:
        if not series.may_attack(unit, box):
            raise NotAllowed(f"{unit.id} may not attack in box {box}", "6.0")
        if box == series.track.box and unit.id in series.attacked:
            raise Overtaken(f"{unit.id} has already attacked in this increment", "8.0")
        if unit.id in series.crossed:
            raise NotAllowed(f"{unit.id} has crossed the Rhine", "12.8")
    _check_shape(hexes, units)
    _check_boats(series, hexes, units, box)
    _check_particulars(series, order, units, box)


def _check_target(series: Commanded, hex: Hex, box: int) -> None:
    if hex not in MAP or SOUTH >> GRID.index(hex) & 1:
        raise NotAllowed(f"there is no hex {hex} to attack", "8.0")
    enemies = [unit for unit in series.state.at(hex) if unit.side != series.side and not unit.hq]
    if not enemies:
        raise Overtaken(f"there is no enemy unit in {hex}", "8.0")
    if box == series.track.box and any(unit.id in series.attacked for unit in enemies):
        raise Overtaken(f"{hex} has already been attacked in this increment", "8.0")


def _check_shape(hexes: Sequence[Hex], units: Sequence[Unit]) -> None:
    """8.0 Every hex involved is next to every other, and no blocked hexside lies between attackers
    and defenders."""
    origins = tuple(dict.fromkeys(unit.placed for unit in units))
    involved = (*origins, *hexes)
    for a, b in combinations(involved, 2):
        if not GRID.are_neighbours(a, b):
            raise Overtaken(f"{a} and {b} are not adjacent: all hexes of an attack must be", "8.0")
    for a in origins:
        for b in hexes:
            if blocked(a, b):
                raise NotAllowed(f"there is a blocked hexside between {a} and {b}", "8.0")


def _check_boats(series: Commanded, hexes: Sequence[Hex], units: Sequence[Unit], box: int) -> None:
    """12.8 Across the Rhine without a bridge only in the first box, by units that have stood on the river
    since the phase began."""
    for unit in units:
        if not _by_boat(series.state, [unit.placed], hexes, unit.side):
            continue
        if box != AMPHIBIOUS or unit.id not in series.by_river:
            raise NotAllowed(
                f"{unit.id} can attack across the Rhine only in box {AMPHIBIOUS}, "
                "if it began the phase on the river",
                "12.8",
            )


def _by_boat(state: State, origins: Iterable[Hex], hexes: Iterable[Hex], side: Side) -> bool:
    """12.8 Whether an attack goes across the Rhine where only boats lead;
    beside the 18th Airborne the river does not count (12.3)."""
    return any(
        crossing.needs_boats(state, a, b) and not airborne.ignored(state, side, a, b)
        for a, b in product(origins, hexes)
    )


def _check_particulars(series: Commanded, order: Attack, units: Sequence[Unit], box: int) -> None:
    ids = {unit.id for unit in units}
    named = [(order.lead,) if order.lead else (), order.losses, order.advance]
    if strangers := [id for names in named for id in names if id not in ids]:
        raise NotAllowed(f"{', '.join(strangers)}: not among the attackers", "9.3")
    if order.air and (fault := air_fault(series, order.air, box)):
        raise fault


def air_fault(series: Commanded, air: str, box: int) -> NotAllowed | None:
    """9.2 Why a kind of air support cannot be had for an attack in a box, None if it can.
    Each tactical marker supports one combat of an increment."""
    state, here = series.state, box == series.track.box
    if series.side != "allied":
        return NotAllowed("the Germans have no air support", "9.2")
    if air == "tactical":
        if tacticals(state) <= 0:
            return NotAllowed("no tactical air marker is available this turn", "9.2")
        if here and series.heavy_here:
            return NotAllowed("heavy bombers have flown in this increment: no tactical air", "9.2")
        if here and series.tactical_here >= tacticals(state):
            return NotAllowed("every tactical air marker has flown in this increment", "9.2")
        return None
    if not state.air_support:
        return NotAllowed("there is no air support this turn", "9.2")
    if not state.heavies:
        return NotAllowed("both heavy bomber markers have been used", "9.2")
    if state.heavy_used:
        return NotAllowed("a heavy bomber marker has been used since the last chit", "9.2")
    if here and series.tactical_here:
        return NotAllowed("tactical air has flown in this increment: no heavy bombers", "9.2")
    return None


def tacticals(state: State) -> int:
    """2.0.3, 9.2 Tactical air markers for ground support: one in July, both in a turn with air support,
    less those that interdict."""
    if state.turn == 1:
        return 1
    return CHARTS.air.tacticals - state.interdicting if state.air else 0


# --- what is offered --------------------------------------------------------------------------------------


def options(series: Commanded, unit: Unit, box: int) -> Iterator[Order]:
    """8.0 Attacks in which a unit could take part: alone, with its stack, and with those of another hex next
    to the target, on one hex; and with its stack on two. With air support where it can be had."""
    spent = series.attacked if box == series.track.box else set()
    mates = [other for other in series.here() if series.may_attack(other, box) and other.id not in spent]
    if unit not in mates:
        return
    stack = [other for other in mates if other.hex == unit.hex]
    near = [hex for hex in MAP.neighbours(unit.placed) if _hostile(series, hex)]
    airs = ("", *(air for air in ("tactical", "heavy") if air_fault(series, air, box) is None))
    groups: dict[tuple[tuple[Hex, ...], tuple[str, ...]], None] = {}
    for hex in near:
        groups[(hex,), (unit.id,)] = None
        groups[(hex,), tuple(other.id for other in stack)] = None
        for at in dict.fromkeys(other.placed for other in mates):
            if GRID.are_neighbours(at, hex) and GRID.are_neighbours(at, unit.placed):
                both = [*stack, *(other for other in mates if other.hex == at)]
                groups[(hex,), tuple(other.id for other in both)] = None
    for pair in combinations(near, MOST_HEXES):
        if GRID.are_neighbours(*pair):
            groups[pair, tuple(other.id for other in stack)] = None
    for hexes, ids in groups:
        try:
            check(series, Attack(hexes, ids, box), [series.state.units[id] for id in ids], box)
        except NotAllowed:
            continue
        yield from (Attack(hexes, ids, box, air=air) for air in airs)


def _hostile(series: Commanded, hex: Hex) -> bool:
    return any(unit.side != series.side and not unit.hq for unit in series.state.at(hex))


def battle_of(series: Commanded, order: Attack, units: Sequence[Unit], box: int) -> Battle:
    """9.1, 9.2, 4.9 The combat that an order would begin in a box."""
    before = series.track.count - (box == series.track.box and series.track.box != 0)
    fight = odds.kind_of_fight(
        series.state,
        order.hexes,
        units,
        arrived=series.arrived,
        advanced=series.advanced,
        displaced=series.displaced,
        before=before,
    )
    return Battle(
        series.state,
        tuple(dict.fromkeys(order.hexes)),
        tuple(units),
        fight,
        hq=_activated(series, units),
        air=order.air,  # type: ignore[arg-type]
        weak=series.unsupplied,
    )


def _activated(series: Commanded, units: Sequence[Unit]) -> Unit | None:
    """4.9 The activated headquarters, if it stands with an attacker that it commands."""
    hq = series.hq
    if hq is None or hq.place != "map":
        return None
    return hq if any(unit.hex == hq.hex and command.may_command(hq, unit) for unit in units) else None


# --- one combat -------------------------------------------------------------------------------------------


async def fight(series: Commanded, order: Attack) -> None:
    """9 A combat from its dice to the advance."""
    state, box = series.state, series.track.box
    units = [state.units[id] for id in dict.fromkeys(order.units)]
    battle = battle_of(series, order, units, box)
    defenders, origins, hexes = battle.defenders, battle.origins, battle.hexes
    boats = _by_boat(state, origins, hexes, series.side)
    _fly(series, order.air)
    supply = Supply(state, ENEMY[series.side])
    for unit in (*defenders, *(hq for hex in hexes for hq in state.at(hex) if hq.hq)):
        unit.unsupplied &= not supply.has(unit)  # 11.5: a stale marker comes off
    lead = state.units[order.lead] if order.lead else odds.best_lead(units)
    other = await defending_lead(battle, defenders, lead, supply)
    series.attacked |= {unit.id for unit in (*units, *defenders)}
    attack_hits, defence_hits, retreats = await roll(battle, lead, other, supply)
    lost = await losses.pay(state, units, attack_hits, lead, origins[0], named=order.losses)
    await _defend(series, battle, defenders, other, defence_hits, retreats)
    vacated = [hex for hex in hexes if not any(u.side != series.side and not u.hq for u in state.at(hex))]
    _try_green(state, units, defenders, bool(vacated), lost)
    headquarters.disperse_lone(state)
    series.changed()
    if vacated:
        await advance.advance(series, order, [unit for unit in units if unit.place == "map"], vacated, boats)


def _fly(series: Commanded, air: str) -> None:
    """9.2 Air markers are used: a heavy bomber marker once in the game."""
    if air == "tactical":
        series.tactical_here += 1
    elif air == "heavy":
        series.heavy_here = True
        series.state.heavy_used = True
        series.state.heavies -= 1


class Leader(NamedTuple):
    """9.3 What a unit has that may lead: its morale, the steps that it has left, its arm."""

    morale: int
    steps: int
    arm: Arm


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lead(Ask[str]):
    """9.3 Which of these units leads the defence?"""

    kind: str = "lead"
    units: Mapping[str, Leader]


async def defending_lead(battle: Battle, defenders: Sequence[Unit], lead: Unit, supply: Supply) -> Unit:
    """9.3 The defender names his lead unit, told who attacks him and what comes of it with each."""
    best = odds.best_lead(defenders)
    if len(defenders) == 1:
        return best
    looks = {unit.id: odds.outlook(battle, lead, unit, supply) for unit in defenders}
    answer = await Lead(
        case="9.3",
        what=f"lead in {' '.join(battle.hexes)}",
        seat=best.side,
        options=tuple(looks),
        default=best.id,
        says=lambda id: outcomes.lead_in_words(battle, looks[id], battle.state.units[id]),
        intro=outcomes.attack_in_words(battle, looks[best.id], lead),
        units={unit.id: Leader(unit.morale, unit.left, unit.arm) for unit in defenders},
    )
    return battle.state.units[answer]


async def roll(battle: Battle, lead: Unit, other: Unit, supply: Supply) -> tuple[int, int, str]:
    """9.4 to 9.6 The dice of both sides, the box, and the hits of attacker and defender;
    "may" or "must" says whether he retreats."""
    state = battle.state
    look = odds.outlook(battle, lead, other, supply)
    what = f"combat at {' '.join(battle.hexes)}"
    needs = {"attack morale": look.attack_needs, "defence morale": look.defence_needs}

    def means(name: str, face: int) -> str:
        if name in needs:
            return (
                f"die {face}, {needs[name]} or less needed: {'passed' if face <= needs[name] else 'failed'}"
            )
        return f"die {face}: {count(CHARTS.combat.hits[face - 1], 'hit')} before changes"

    names = ("attack morale", "attack hits", "defence morale", "defence hits")
    thrown = await advantage.throw(
        state, "9.5", what, dict.fromkeys(names, 6), means, battle.attackers[0].side
    )
    faces = {name: die.face for name, die in thrown.items()}
    corner = CHARTS.combat.corner(
        faces["attack morale"] <= look.attack_needs, faces["defence morale"] <= look.defence_needs
    )
    box = CHARTS.combat.box(corner)
    changes = box.changes(battle.fight)
    attack_hits = odds.hits(faces["attack hits"], changes[0], look.comparison.hits[0])
    defence_hits = odds.hits(faces["defence hits"], changes[1], look.comparison.hits[1])
    state.note(
        Attacked(
            case="9.6",
            roll=state.rolls,
            side=lead.side,
            fight=battle.fight,
            hexes=battle.hexes,
            origins=battle.origins,
            attackers=tuple(unit.id for unit in battle.attackers),
            defenders=tuple(unit.id for unit in battle.defenders),
            attack=look.attack,
            defence=look.defence,
            attack_parts=look.attack_parts,
            defence_parts=look.defence_parts,
            comparison=look.comparison.name,
            attack_lead=lead.id,
            defence_lead=other.id,
            attack_morale=tuple(battle.attack_morale(lead).parts),
            defence_morale=tuple(battle.defence_morale(other).parts),
            attack_die=faces["attack morale"],
            defence_die=faces["defence morale"],
            attack_needs=look.attack_needs,
            defence_needs=look.defence_needs,
            corner=corner,
            attack_hit_die=CHARTS.combat.hits[faces["attack hits"] - 1],
            defence_hit_die=CHARTS.combat.hits[faces["defence hits"] - 1],
            attack_hits=attack_hits,
            defence_hits=defence_hits,
            air=battle.air,
            rolls=tuple(f"R{die.roll}" for die in thrown.values()),
        )
    )
    return attack_hits, defence_hits, box.retreat


async def _defend(
    series: Commanded, battle: Battle, defenders: Sequence[Unit], lead: Unit, hits: int, retreats: str
) -> None:
    """9.5 to 9.7 The defender retreats if it must, or chooses to where it may, the units of each hex as a
    stack; then it loses its steps, and the units that are left go.

    A retreat by choice spares a hit if no unit stays; a stack that must retreat and cannot costs one more
    hit. A defender that the hits destroy in any case is not asked.
    """
    state, must = battle.state, retreats == "must"
    spares, of = 0 if must else CHARTS.combat.retreat_spares, sum(unit.left for unit in defenders)
    if hits - spares >= of:
        await losses.pay(state, defenders, hits, lead, battle.hexes[0])
        return
    stacks = [[unit for unit in defenders if unit.hex == hex] for hex in battle.hexes]
    ways: list[retreat.Path | None] = []
    coming: dict[Hex, list[Unit]] = {}
    for stack in stacks:
        path = await retreat.choose(
            state,
            stack,
            battle.origins,
            must=must,
            hits=hits,
            spares=spares,
            of=of,
            alone=len(stacks) == 1,
            coming=coming,
        )
        if path:
            coming.setdefault(path[-1], []).extend(stack)
        if path is None and must:
            hits += CHARTS.combat.no_retreat_costs
            state.note(HeldFast(case="9.7", side=stack[0].side, hex=stack[0].placed))
        ways.append(path)
    spared = min(hits, spares) if all(ways) else 0
    await losses.pay(state, defenders, hits - spared, lead, battle.hexes[0])
    for stack, path in zip(stacks, ways, strict=True):
        if path:
            await retreat.go(state, stack, path, spared)
            for unit in stack:
                series.displaced[unit.id] = series.track.count


def _try_green(
    state: State, attackers: Sequence[Unit], defenders: Sequence[Unit], vacated: bool, lost: int
) -> None:
    """3.10 Green attackers are tried when a hex is vacated, green defenders when the attackers lose two steps
    in the combat."""
    for unit in attackers:
        if unit.green and vacated:
            _tried(state, unit, "the enemy has left the hex")
    for unit in defenders:
        if unit.green and unit.place == "map" and lost >= TRIED_BY:
            _tried(state, unit, "the attackers have lost two steps")


def _tried(state: State, unit: Unit, why: str) -> None:
    unit.green = False
    state.tried.append(unit.id)
    state.note(Tried(case="3.10", name=unit.id, why=why))
