"""Combat (COM): the side allocates attacks, then gunfire, then each attack is resolved in the order written.

Points that the rules leave open: a defender that retreats into a hex still to be attacked adds nothing to its
defence and shares its fate; an attack on a stack under a marker that turns out below 1-4 is resolved on that
column; there is no advance after combat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pbem.engine.desk import write
from pbem.engine.play import Ask, AskAll, Roll
from pbem.engine.tally import Modifier
from pbem.engine.wording import percent
from pbem.games.normandy71 import naval, odds, paratroops, supply
from pbem.games.normandy71.allocation import Allocation, Fight
from pbem.games.normandy71.disclosure import disclose, names_for
from pbem.games.normandy71.notes import Attacked, Gunfire, Revealed
from pbem.games.normandy71.retreat import paths, retreat
from pbem.games.normandy71.state import ENEMY, SIDES, Hex, Side, State, Unit
from pbem.games.normandy71.tables import CHARTS, MAP, Outcome

Supplied = Callable[[Unit], bool]
MANY_WAYS = 60
"""Most choices to offer for the losses of an exchange."""


async def allied_combat(state: State) -> None:
    """COM The Allied combat phase. All naval missions of the game-turn are available again (NAV.D)."""
    state.fired.clear()
    await combat_phase(state, "allied")


async def german_combat(state: State) -> None:
    """COM The German combat phase."""
    await combat_phase(state, "german")


async def combat_phase(state: State, side: Side) -> None:
    """COM Attack allocation, gunfire allocation, resolution."""
    supplied = supplied_units(state)
    paratroops.judge_supply(state)
    allocation = Allocation(state, side, supplied)
    if allocation.in_contact():
        await write(allocation)
    fights = allocation.fights
    defensive: dict[Hex, str] = {}
    if side == "german":
        defensive = await defensive_gunfire(state, fights, supplied)
    elif state.options.get("lift") == "allocation":
        await late_gunfire(state, fights, supplied)
    newcomers: set[str] = set()
    for number, fight in enumerate(fights, start=1):
        ahead = tuple(hex for later in fights[number:] for hex in later.hexes)
        await resolve(state, fight, supplied, defensive, newcomers, ahead)


def supplied_units(state: State) -> Supplied:
    """SUP Which units of both sides are in supply at the start of the phase."""
    areas = {side: supply.supplied(state, side) for side in SIDES}
    found = {unit.id for unit in state.on_map() if supply.trace(state, unit, areas[unit.side])}
    return lambda unit: unit.id in found


# --- allocation -----------------------------------------------------------------------------------------


async def late_gunfire(state: State, fights: list[Fight], supplied: Supplied) -> None:
    """NAV With the option to lift markers at allocation: show the attacked stacks, then allocate gunfire
    to the attacks that have none."""
    for fight in fights:
        reveal(state, fight)
    open_ = [fight for fight in fights if not fight.missions]
    for fight, hex, kind in await gunfire(state, open_, "attack", supplied):
        fight.missions[hex] = kind


async def defensive_gunfire(state: State, fights: list[Fight], supplied: Supplied) -> dict[Hex, str]:
    """NAV.B, NAV.C The Allied player may help each attacked hex with one mission."""
    chosen = {hex: kind for _, hex, kind in await gunfire(state, fights, "defence", supplied)}
    for hex, kind in chosen.items():
        power = naval.mission(state, kind).defence
        state.note(Gunfire(case="NAV.B", hex=hex, mission=kind, strength=power))
    return chosen


async def gunfire(
    state: State, fights: list[Fight], use: naval.Use, supplied: Supplied
) -> list[tuple[Fight, Hex, str]]:
    """COM.K, NAV.B, NAV.C The missions that the Allied player allocates to these fights, at most one to each
    attacked hex. The strongest attack comes first. There is no question about a stack that is lost anyway."""
    ranked = sorted(fights, key=lambda fight: -sum(unit.strength for unit in fight.attackers))
    ranked = [fight for fight in ranked if use == "attack" or not doomed(state, fight, supplied)]
    places = [(fight, hex) for fight in ranked for hex in fight.hexes]
    if not places:
        return []
    remaining = naval.left(state, use)
    asks = tuple(
        gunfire_ask(state, fight, hex, use, supplied, rank)
        for rank, (fight, hex) in enumerate(places, start=1)
    )
    answers = await AskAll(asks, lambda answers: naval.together(remaining, answers))
    found = [(*place, kind) for place, kind in zip(places, answers, strict=True) if kind != naval.NONE]
    naval.fire(state, use, [kind for _, _, kind in found])
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mission(Ask[str]):
    """NAV.B, NAV.C Which mission fires at an attacked hex, or `naval.NONE`? `rank` is 1 for the strongest
    attack; `attack` and `defence` are the strengths before gunfire, `odds` their column; `strengths` has
    those of the missions within range, `left` the number of missions that are left of each kind."""

    rank: int
    attack: int
    defence: float
    odds: str
    strengths: Mapping[str, int]
    left: Mapping[str, int]


def gunfire_ask(
    state: State, fight: Fight, hex: Hex, use: naval.Use, supplied: Supplied, rank: int
) -> Ask[str]:
    """NAV.C Which mission fires at one attacked hex, by default none. The question shows only what the Allied
    player can see: in attack the enemy counts in full."""
    remaining = naval.left(state, use)
    power: dict[str, int] = {
        gun.key: naval.strength(gun, use) for gun in naval.in_range(state, hex, use, remaining)
    }
    attack, defence, halves = strengths(state, fight, supplied if use == "defence" else lambda unit: True)
    plus = odds.die_modifiers(state, fight.attackers, fight.hexes)
    left = {kind: count for kind, count in remaining.items() if count > 0}
    way_back = ways_back(state, fight)

    def says(kind: str) -> str:
        more = power.get(kind, 0)
        if use == "attack":
            column = odds.column(attack + more, halves)
            told = odds.chances(CHARTS.combat.chances(column, plus.total))
        else:
            column = odds.column(attack, halves + 2 * more)
            fates = odds.fates(column, plus.total, way_back)
            told = ", ".join(f"{fate} {percent(chance)}" for fate, chance in fates.items())
        return f"{more:+d} = {column}: {told}" if more else f"{column}: {told}"

    attackers = ", ".join(
        f"{name} {unit.kind}" if name != unit.kind else name
        for unit, name in zip(fight.attackers, names_for(fight.attackers, "allied"), strict=True)
    )
    defenders = ", ".join(names_for(attacked(state, fight), "allied"))
    parts = " + ".join(f"{part.value} {part.why}" for part in defence)
    return Mission(
        case="NAV.C",
        what=f"gunfire at {hex}",
        seat="allied",
        kind="defensive gunfire" if use == "defence" else "gunfire",
        options=(naval.NONE, *power),
        default=naval.NONE,
        rank=rank,
        attack=attack,
        defence=halves / 2,
        odds=odds.column(attack, halves),
        strengths=power,
        left=left,
        intro=(
            f"{attackers} from {', '.join(fight.origins)} attack {defenders}: "
            f"{attack} against {halves / 2:g} ({parts}); "
            f"{odds.die_words(plus)}; "
            f"left: {', '.join(f'{count} {kind}' for kind, count in left.items()) or 'no missions'}"
        ),
        says=says,
    )


def strengths(state: State, fight: Fight, supplied: Supplied) -> tuple[int, list[Modifier], int]:
    """COM.F, COM.I, COM.J A fight before gunfire: the attackers' strength, what each defender counts for, and
    the defenders' sum in half points."""
    parts, halves = odds.defence_parts(state, attacked(state, fight), supplied)
    return sum(unit.strength for unit in fight.attackers), parts, halves


def attacked(state: State, fight: Fight) -> list[Unit]:
    """COM.F The units in the attacked hexes."""
    side = fight.attackers[0].side
    return [unit for hex in fight.hexes for unit in face_up(state.at(hex)) if unit.side != side]


def ways_back(state: State, fight: Fight) -> bool:
    """COM Whether any of the attacked units could retreat now."""
    return any(paths(state, unit) for unit in attacked(state, fight) if not unit.inverted)


def doomed(state: State, fight: Fight, supplied: Supplied) -> bool:
    """NAV.C Whether attacked units are certain to be lost, even with the strongest gunfire at each of their
    hexes and a way to retreat."""
    attack, _, halves = strengths(state, fight, supplied)
    remaining = naval.left(state, "defence")
    for hex in fight.hexes:
        if reach := naval.in_range(state, hex, "defence", remaining):
            halves += 2 * naval.strength(reach[0], "defence")
            remaining[reach[0].key] -= 1
    plus = odds.die_modifiers(state, fight.attackers, fight.hexes).total
    return odds.fates(odds.column(attack, halves), plus, way_back=True)["lost"] == 1


# --- resolution -----------------------------------------------------------------------------------------


async def resolve(
    state: State,
    fight: Fight,
    supplied: Supplied,
    defensive: dict[Hex, str],
    newcomers: set[str],
    ahead: Sequence[Hex],
) -> None:
    """COM.F, COM.G Resolve one combat: strengths, odds, die and result, which is applied at once. `ahead` are
    the hexes still to be attacked."""
    reveal(state, fight)
    side = fight.attackers[0].side
    present = attacked(state, fight)
    defenders = [unit for unit in present if unit.id not in newcomers]
    attack = odds.attack_parts(fight.attackers)
    attack += [
        Modifier(naval.mission(state, kind).attack, "NAV.F", f"{kind} gunfire at {hex}")
        for hex, kind in fight.missions.items()
    ]
    defence, halves = odds.defence_parts(state, defenders, supplied)
    for hex in fight.hexes:
        if hex in defensive:
            power = naval.mission(state, defensive[hex]).defence
            defence.append(Modifier(power, "NAV.F", f"{defensive[hex]} gunfire for {hex}"))
            halves += 2 * power
    points = sum(part.value for part in attack)
    column = odds.column(points, halves)
    modifiers = odds.die_modifiers(state, fight.attackers, fight.hexes)
    die, total, result = await roll_result(column, modifiers.total, fight.hexes)

    def report(seat: str) -> Attacked:
        return Attacked(
            case="COM.G",
            readers=(seat,),
            roll=state.rolls,
            attacker=side,
            hexes=fight.hexes,
            origins=fight.origins,
            attackers=names_for(fight.attackers, seat),
            defenders=names_for(present, seat),
            attack_strength=float(points),
            defence_strength=halves / 2,
            attack_parts=tuple(attack),
            defence_parts=tuple(defence),
            column=column,
            die=die,
            modifiers=tuple(modifiers.parts),
            total=total,
            result=result,
        )

    for seat in ("allied", "german"):
        state.note(report(seat))
    await apply_result(state, fight.attackers, present, defenders, result, newcomers, ahead)


async def roll_result(column: str, plus: int, hexes: Sequence[Hex]) -> tuple[int, int, Outcome]:
    """COM Roll the die: the face, the total with its modifier, and the result in this column."""
    die = await Roll(case="COM", what=f"attack on {' '.join(hexes)}", veiled=True)
    return die, die + plus, CHARTS.combat.result(column, die + plus)


def reveal(state: State, fight: Fight) -> None:
    """ENT.B Show the attacker the units under the markers that it attacks."""
    defender = ENEMY[fight.attackers[0].side]
    for hex in fight.hexes if not fight.shown else ():
        if state.entrenchments.get(hex) == defender:
            show(state, defender, hex)
    fight.shown = True


def face_up(stack: Iterable[Unit]) -> list[Unit]:
    """ENT.B A stack in the order of its counters' printed values: its real order is known only to its
    owner."""
    return sorted(stack, key=lambda unit: (unit.kind, unit.type))


def show(state: State, owner: Side, hex: Hex) -> None:
    """ENT.B Show both sides the units under a marker."""
    disclose(
        state,
        face_up(state.at(hex)),
        lambda names, readers: Revealed(case="ENT.B", readers=readers, side=owner, hex=hex, names=names),
    )


async def apply_result(
    state: State,
    attackers: Sequence[Unit],
    present: Sequence[Unit],
    defenders: Sequence[Unit],
    result: str,
    newcomers: set[str],
    ahead: Sequence[Hex],
) -> None:
    """COM Apply a result: De, Dr2, Ex, Ar2 or Ae. Newcomers in the hex share the fate of its defenders."""
    match result:
        case "De":
            eliminate(state, present, "combat")
        case "Dr2":
            for unit in present:
                await retreat(state, unit, ahead)
            newcomers.update(unit.id for unit in present)
            state.retreated.extend(unit.id for unit in present if unit.place == "map")
        case "Ex":
            losses = await exchanged(state, attackers, defenders)
            eliminate(state, present, "exchange")
            eliminate(state, losses, "exchange")
        case "Ar2":
            for unit in attackers:
                await retreat(state, unit)
        case "Ae":
            eliminate(state, attackers, "combat")


def eliminate(state: State, units: Sequence[Unit], why: str) -> None:
    """COM Eliminate all of these units."""
    for unit in units:
        paratroops.remove(state, unit, "COM", why)


# --- exchanges ------------------------------------------------------------------------------------------


async def exchanged(state: State, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> list[Unit]:
    """COM The attackers lost in an exchange: their printed strength at least equals that of the defenders,
    and none of them is lost unnecessarily. Inverted defenders and gunfire do not count (INV.1C)."""
    price = sum(unit.strength for unit in defenders if not unit.inverted)
    if price >= sum(unit.strength for unit in attackers):
        return list(attackers)
    by_names = {" + ".join(unit.id for unit in units): units for units in ways_to_pay(attackers, price)}
    side = attackers[0].side
    chosen = await Ask(
        case="COM",
        what=f"losses for an exchange of {price}",
        seat=side,
        kind="losses",
        options=tuple(by_names),
        says=lambda names: costs(state, attackers, by_names[names]),
    )
    return list(by_names[chosen])


def costs(state: State, attackers: Sequence[Unit], lost: Sequence[Unit]) -> str:
    """COM What one choice of losses costs in units and ground, and which attackers are left."""
    left = [f"{unit.id} {unit.kind}" for unit in attackers if unit not in lost]
    told = [f"{sum(unit.strength for unit in lost)} points ({', '.join(unit.kind for unit in lost)})"]
    for hex in dict.fromkeys(unit.placed for unit in lost):
        stay = [unit for unit in state.at(hex) if unit not in lost]
        if not stay:
            told.append(f"leaves {MAP.called(hex)} empty")
        elif all(unit.armour for unit in stay):
            told.append(f"leaves armour alone in {MAP.called(hex)}")
    return "; ".join([*told, f"left: {', '.join(left)}"])


def ways_to_pay(attackers: Sequence[Unit], price: int) -> list[tuple[Unit, ...]]:
    """Sets of units that reach the price, but not without any one of them, the cheapest first. Units of
    one kind in one hex are alike: the top ones are lost first."""
    order = {unit.id: number for number, unit in enumerate(attackers)}
    found: dict[tuple[tuple[str, Hex], ...], tuple[Unit, ...]] = {}
    if price <= 0:
        return [()]
    for count in range(1, len(attackers) + 1):
        for units in combinations(attackers, count):
            total = sum(unit.strength for unit in units)
            if total >= price > total - min(unit.strength for unit in units):
                found.setdefault(tuple(sorted((unit.kind, unit.placed) for unit in units)), units)
        if len(found) > MANY_WAYS:
            break
    ways = sorted(found.values(), key=lambda units: (sum(unit.strength for unit in units), len(units)))
    return sorted(
        ways[:MANY_WAYS], key=lambda units: (sum(u.strength for u in units), [order[u.id] for u in units])
    )
