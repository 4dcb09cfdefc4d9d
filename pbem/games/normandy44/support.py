"""What headquarters do for a combat: their own support (6.3) and the fighters that cover them (10.1).

Decided here, where the rules are silent: support reaches an attack if one of the attackers
is near enough, and a defence if the hex is; it may come from a headquarters in the hex itself;
fighters fly from the nearest headquarters first; the defender is asked only where it makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.play import Ask
from pbem.games.normandy44 import odds
from pbem.games.normandy44.odds import Fight
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, Army, Hex, Side

NONE = "none"
AND = " + "


def one_army(units: Iterable[Unit]) -> Army | None:
    """9.0 The army of these units; None if US and UK units are together: they get no support."""
    armies = {unit.army for unit in units}
    return armies.pop() if len(armies) == 1 else None


# --- headquarters (6.3) ---------------------------------------------------------------------------------


def fault(hq: Unit, army: Army, hexes: Iterable[Hex]) -> NotAllowed | None:
    """6.3, 8.3, 9.0 Why a headquarters cannot support units of this army in these hexes, None if it can."""
    if not hq.hq:
        return NotAllowed(f"{hq.id} is not a headquarters", "6.3")
    if hq.army != army:
        return NotAllowed(f"{hq.id} cannot support another army", "9.0")
    if hq.place != "map":
        return Overtaken(f"{hq.id} is not on the map", "6.3")
    if hq.used:
        return Overtaken(f"{hq.id} has already given its support this turn", "6.3")
    if hq.unsupplied:
        return Overtaken(f"{hq.id} is out of supply", "8.3")
    reach = CHARTS.activation.support_range
    if all(GRID.distance(hq.placed, hex) > reach for hex in hexes):
        return Overtaken(f"{hq.id} is more than {reach} hexes away", "6.3")
    return None


def able(state: State, side: Side, army: Army, hexes: Sequence[Hex]) -> list[Unit]:
    """6.3 The headquarters of a side that can support units of this army in these hexes."""
    return [hq for hq in state.on_map(side) if hq.hq and not fault(hq, army, hexes)]


def ways(hqs: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """6.3 The sets of headquarters that can support one combat: one Allied, any number of German ones."""
    most = len(hqs) if hqs and hqs[0].side == "german" else 1
    return [way for count in range(1, most + 1) for way in combinations(hqs, count)]


def columns(hqs: Iterable[Unit]) -> int:
    """6.3 The columns that these headquarters are worth."""
    return sum(hq.counter.support for hq in hqs)


def attack(fight: Fight, hqs: Sequence[Unit]) -> None:
    """6.3, 7.2 The attacker's headquarters help and are turned face down;
    one stays face up if the column is the same without it whatever the defender still adds."""
    kept = list(hqs)
    replies = reach(able_to_defend(fight))
    for hq in reversed(hqs):
        total = columns(kept)
        if all(fight.column(total - by) == fight.column(total - hq.counter.support - by) for by in replies):
            kept.remove(hq)
    for hq in kept:
        give(fight, hq, hq.counter.support)


def able_to_defend(fight: Fight) -> list[Unit]:
    """6.3 The headquarters that can help the defenders; none if these are of both Allied armies (9.0)."""
    army = one_army(fight.defenders)
    return able(fight.state, fight.defenders[0].side, army, [fight.hex]) if army else []


def reach(hqs: Sequence[Unit]) -> set[int]:
    """6.3 The columns that some or none of these headquarters can be worth together."""
    return {0, *map(columns, ways(hqs))}


def swings(fight: Fight) -> set[int]:
    """6.3, 7.2 The columns, to the right for the attacker, by which the headquarters of both sides can still
    shift a combat."""
    attacker = fight.attackers[0]
    ours = reach(able(fight.state, attacker.side, attacker.army, fight.origins))
    return {more - less for more in ours for less in reach(able_to_defend(fight))}


def give(fight: Fight, hq: Unit, shift: int) -> None:
    hq.used = True
    fight.help.add(shift, "6.3", hq.id)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Help(Ask[str]):
    """6.3, 10.1, 12.0 Which help do the defenders of a combat get? `column` is that of the odds without any,
    `after` the column with each option, `chance` how likely an option is to work if that is not certain."""

    column: str
    after: Mapping[str, str]
    chance: Mapping[str, float] = field(default_factory=dict)


async def defend(fight: Fight) -> None:
    """6.3 The defender may let headquarters help, and is asked if that can change the column.
    Allies of both armies get no help (9.0)."""
    by_name = {NONE: (), **{AND.join(hq.id for hq in way): way for way in ways(able_to_defend(fight))}}
    after = {name: fight.column(-columns(way)) for name, way in by_name.items()}
    if all(column == after[NONE] for column in after.values()):
        return
    answer = await Help(
        case="6.3",
        what=f"support for {fight.hex}",
        seat=fight.defenders[0].side,
        kind="support",
        options=tuple(by_name),
        default=NONE,
        intro=intro(fight),
        column=fight.column(),
        after=after,
        says=lambda name: odds.column_in_words(after[name]),
    )
    for hq in by_name[answer]:
        give(fight, hq, -hq.counter.support)


def intro(fight: Fight) -> str:
    """What letters tell a player who may help the defenders of a combat."""
    return f"{odds.fight_in_words(fight)} Below: attackers' steps/defenders' points; E: all defenders."


# --- fighters (10.1) ------------------------------------------------------------------------------------


def flyable(hex: Hex) -> bool:
    """10.1, C3 Whether fighters can help in a combat for a hex: not over woods, towns and cities."""
    return CHARTS.terrain[MAP.terrain(hex)].air


def airfields(state: State, army: Army, hex: Hex) -> list[Unit]:
    """10.1, 9.0 The headquarters of an army whose fighters reach a combat for a hex, the nearest first."""
    found = [hq for hq in map(state.units.__getitem__, state.fighters) if state.fighters[hq.id]]
    near = [
        hq
        for hq in found
        if hq.place == "map" and hq.army == army and GRID.distance(hq.placed, hex) <= CHARTS.air.range
    ]
    return sorted(near, key=lambda hq: (GRID.distance(hq.placed, hex), hq.id))


def in_range(state: State, army: Army, hex: Hex) -> int:
    """10.1 How many fighters of an army can join a combat for a hex."""
    if not flyable(hex):
        return 0
    return sum(state.fighters[hq.id] for hq in airfields(state, army, hex))


def fly(state: State, army: Army, hex: Hex, number: int) -> None:
    """10.1 `number` fighters join a combat and are used up for this turn."""
    for hq in airfields(state, army, hex):
        flown = min(number, state.fighters[hq.id])
        state.fighters[hq.id] -= flown
        number -= flown


async def cover(fight: Fight, later: Iterable[int]) -> None:
    """10.1 The Allied defender may send fighters, and is asked if they can change the column,
    given the shifts that may come later."""
    army = one_army(fight.defenders)
    number = in_range(fight.state, army, fight.hex) if army else 0
    covered = [replace(fight, cover=count) for count in range(number + 1)]
    if army is None or all(each.column(by) == fight.column(by) for each in covered for by in later):
        return
    after = {str(each.cover): each.column() for each in covered}
    answer = await Help(
        case="10.1",
        what=f"fighters for {fight.hex}",
        seat="allied",
        kind="air",
        options=tuple(after),
        default="0",
        intro=intro(fight),
        column=fight.column(),
        after=after,
        says=lambda flown: f"{number - int(flown)} left in range; {odds.column_in_words(after[flown])}",
    )
    fight.cover = int(answer)
    fly(fight.state, army, fight.hex, fight.cover)
