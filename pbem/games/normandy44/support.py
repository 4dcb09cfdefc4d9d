"""What headquarters do for a combat: their own support (6.3) and the fighters that cover them (10.1).

What the rules leave open and is settled here: support reaches an attack if one of the attackers is near enough, and a defence if the hex is; it may
come from a headquarters in the hex itself; fighters fly from the nearest headquarters first; the defender is asked only where it makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.engine.play import Ask
from pbem.games.normandy44.odds import Fight
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, Army, Hex, Side

NONE = "none"
AND = " + "


def one_army(units: Iterable[Unit]) -> Army | None:
    """9.0 The army of these units; None if Americans and British stand together: nobody supports them."""
    armies = {unit.army for unit in units}
    return armies.pop() if len(armies) == 1 else None


# --- headquarters (6.3) ---------------------------------------------------------------------------------


def fault(hq: Unit, army: Army, hexes: Iterable[Hex]) -> NotAllowed | None:
    """6.3, 8.3, 9.0 Why a headquarters cannot support units of this army in these hexes, None if it can."""
    if not hq.hq:
        return NotAllowed(f"{hq.id} is no headquarters", "6.3")
    if hq.army != army:
        return NotAllowed(f"{hq.id} supports no other army", "9.0")
    if hq.place != "map":
        return Overtaken(f"{hq.id} is not on the map", "6.3")
    if hq.used:
        return Overtaken(f"{hq.id} has given its support this turn", "6.3")
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
    """6.3 Who can support the same combat: one headquarters of the Allies, any number of the Germans."""
    most = len(hqs) if hqs and hqs[0].side == "german" else 1
    return [way for count in range(1, most + 1) for way in combinations(hqs, count)]


def columns(hqs: Iterable[Unit]) -> int:
    """6.3 The columns that these headquarters are worth."""
    return sum(hq.counter.support for hq in hqs)


def attack(fight: Fight, hqs: Iterable[Unit]) -> None:
    """6.3 The attacker's headquarters help, each only if it changes the column; they are turned face down."""
    for hq in helpers(fight, hqs):
        give(fight, hq, hq.counter.support)


def helpers(fight: Fight, hqs: Iterable[Unit]) -> list[Unit]:
    """6.3 Those of these headquarters of the attacker that change the column, one after another."""
    found: list[Unit] = []
    for hq in hqs:
        if fight.column(columns([*found, hq])) != fight.column(columns(found)):
            found.append(hq)
    return found


def give(fight: Fight, hq: Unit, shift: int) -> None:
    hq.used = True
    fight.help.add(shift, "6.3", hq.id)


async def defend(fight: Fight) -> None:
    """6.3 The defender may let his headquarters help; he is asked if it can change the column. Allies of both armies get no help (9.0)."""
    side, army = fight.defenders[0].side, one_army(fight.defenders)
    hqs = able(fight.state, side, army, [fight.hex]) if army else []
    by_name = {NONE: (), **{AND.join(hq.id for hq in way): way for way in ways(hqs)}}
    after = {name: fight.column(-columns(way)) for name, way in by_name.items()}
    if all(column == after[NONE] for column in after.values()):
        return
    answer = await Ask(
        case="6.3",
        what=f"support for {fight.hex}",
        seat=side,
        kind="support",
        options=tuple(by_name),
        default=NONE,
        about=about(fight, after),
    )
    for hq in by_name[answer]:
        give(fight, hq, -hq.counter.support)


def about(fight: Fight, after: dict[str, str], **more: object) -> dict[str, object]:
    """What there is to know for whoever may help the defenders of a combat."""
    return {
        "hex": fight.hex,
        "terrain": MAP.terrain(fight.hex),
        "column": fight.column(),
        "after": after,
        "attack": False,
        **more,
    }


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
    """10.1 So many fighters join a combat and are gone for this turn."""
    for hq in airfields(state, army, hex):
        flown = min(number, state.fighters[hq.id])
        state.fighters[hq.id] -= flown
        number -= flown


async def cover(fight: Fight) -> None:
    """10.1 The Allied defender may send fighters; he is asked if they can change the column."""
    army = one_army(fight.defenders)
    number = in_range(fight.state, army, fight.hex) if army else 0
    after = {str(count): replace(fight, cover=count).column() for count in range(number + 1)}
    if army is None or all(column == after["0"] for column in after.values()):
        return
    answer = await Ask(
        case="10.1",
        what=f"fighters for {fight.hex}",
        seat="allied",
        kind="air",
        options=tuple(after),
        default="0",
        about=about(fight, after, left=number, chance=dict.fromkeys(after, 1.0)),
    )
    fight.cover = int(answer)
    fly(fight.state, army, fight.hex, fight.cover)
