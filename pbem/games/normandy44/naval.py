"""Naval gunfire (12.0): points of cruisers and destroyers of either army, spent in attack and defence,
each once a turn.

Decided here, where the rules are silent: a combat is fired on once by a side, with as many points
as the table knows at most; destroyers fire before cruisers; ships lie in any sea hex of the map
but those next to Cherbourg; what protects a hex from gunfire protects Germans only.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from pbem.engine.play import Roll
from pbem.engine.tally import Tally
from pbem.engine.wording import percent
from pbem.games.normandy44 import support
from pbem.games.normandy44.notes import Gunfire
from pbem.games.normandy44.odds import FACES, Fight, column_in_words
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHARTS, CHERBOURG, GRID, MAP, Army, Hex

Use = Literal["attack", "defence"]
Ships = Literal["destroyers", "cruisers"]
MOST = len(CHARTS.naval.hits_from)
"""Points that make a difference in one combat."""

ANCHORAGE = MAP.bits("sea") & MAP.on_map & ~GRID.zone(GRID.bits(CHERBOURG))
"""12.0 The sea hexes from which ships fire."""
REACH: dict[Ships, int] = {
    "destroyers": GRID.flood(ANCHORAGE, steps=CHARTS.naval.destroyer_range),
    "cruisers": GRID.flood(ANCHORAGE, steps=CHARTS.naval.cruiser_range),
}
"""12.0 The set of the hexes that these ships reach, in the order in which they fire."""
POINTS: dict[str, int] = {
    "us destroyers": CHARTS.naval.us_destroyers,
    "us cruisers": CHARTS.naval.us_cruisers,
    "uk destroyers": CHARTS.naval.uk_destroyers,
    "uk cruisers": CHARTS.naval.uk_cruisers,
}


def reset(state: State) -> None:
    """12.0, S1 All points are there again; there are no ships before Cherbourg in the first scenario."""
    state.guns = {} if state.scenario == "cherbourg" else dict(POINTS)


def left(state: State, army: Army) -> int:
    """12.0 The points that an army has left this turn."""
    return sum(state.guns.get(f"{army} {ships}", 0) for ships in REACH)


def in_range(state: State, army: Army, hex: Hex) -> int:
    """12.0, 9.0 The points of an army that reach a hex."""
    at = GRID.index(hex)
    return sum(state.guns.get(f"{army} {ships}", 0) for ships, reach in REACH.items() if reach >> at & 1)


def modifiers(hex: Hex, use: Use, beach: bool = False) -> Tally:
    """12.0, C3 What is added to the die: beach garrisons and fortified lines protect, not both at once."""
    found = Tally()
    if use == "attack" and beach:
        found.add(CHARTS.beach.bombardment, "C3", "beach")
    elif use == "attack" and MAP.has(hex, "fortified_line"):
        found.add(CHARTS.fortified.bombardment, "C3", "fortified line")
    return found


def needed(points: int) -> int:
    """12.0 The lowest modified die that hits with `points` points."""
    return CHARTS.naval.hits_from[min(points, MOST) - 1]


def chance(hex: Hex, points: int, use: Use, beach: bool = False) -> Fraction:
    """12.0 How likely `points` points hit."""
    if not points:
        return Fraction(0)
    plus = modifiers(hex, use, beach).total
    return Fraction(sum(die + plus >= needed(points) for die in range(1, FACES + 1)), FACES)


async def fire(state: State, army: Army, hex: Hex, points: int, use: Use, beach: bool = False) -> bool:
    """12.0 `points` points fire at the attacked hex, or for the defended one:
    a hit shifts the column by one for the Allies. The points are spent, hit or miss."""
    spend(state, army, hex, points)
    parts = modifiers(hex, use, beach)
    die = await Roll(case="12.0", what=f"gunfire {'at' if use == 'attack' else 'for'} {hex}")
    hit = die + parts.total >= needed(points)
    state.note(
        Gunfire(
            case="12.0",
            roll=state.rolls,
            hex=hex,
            army=army,
            points=points,
            use=use,
            die=die,
            modifiers=tuple(parts.parts),
            total=die + parts.total,
            needed=needed(points),
            hit=hit,
        )
    )
    return hit


def spend(state: State, army: Army, hex: Hex, points: int) -> None:
    """12.0 Take points from the ships that reach a hex."""
    for ships, reach in REACH.items():
        name = f"{army} {ships}"
        if reach >> GRID.index(hex) & 1:
            fired = min(points, state.guns.get(name, 0))
            points -= fired
            state.guns[name] = state.guns.get(name, 0) - fired


async def attack(fight: Fight, points: int) -> None:
    """12.0 Gunfire for an Allied attack."""
    army = fight.attackers[0].army
    if points and await fire(fight.state, army, fight.hex, points, "attack", fight.landing):
        fight.help.add(CHARTS.shifts.bombardment, "12.0", "naval gunfire")


def of_defenders(fight: Fight) -> int:
    """12.0, 9.0 The points that can help the defenders of a combat; none for units of both armies."""
    army = support.one_army(fight.defenders)
    return min(MOST, in_range(fight.state, army, fight.hex)) if army else 0


def swings(fight: Fight) -> tuple[int, ...]:
    """12.0 The columns by which gunfire for the defenders can still shift a combat."""
    return (0, -CHARTS.shifts.bombardment) if of_defenders(fight) else (0,)


async def defend(fight: Fight, later: Iterable[int]) -> None:
    """12.0 The Allied defender may fire at the attackers, and is asked if a hit can change the column,
    given the shifts that may come later."""
    army, number = support.one_army(fight.defenders), of_defenders(fight)
    shift = -CHARTS.shifts.bombardment
    if army is None or not number or all(fight.column(by + shift) == fight.column(by) for by in later):
        return
    after = {str(count): fight.column(shift if count else 0) for count in range(number + 1)}
    total = left(fight.state, army)
    odds = {name: float(chance(fight.hex, int(name), "defence")) for name in after}
    answer = await support.Help(
        case="12.0",
        what=f"gunfire for {fight.hex}",
        seat="allied",
        kind="guns",
        options=tuple(after),
        default="0",
        intro=support.intro(fight),
        column=fight.column(),
        after=after,
        chance=odds,
        says=lambda points: _said(int(points), after[points], total, odds[points]),
    )
    if int(answer) and await fire(fight.state, army, fight.hex, int(answer), "defence"):
        fight.help.add(shift, "12.0", "naval gunfire for the defence")


def _said(points: int, column: str, total: int, hit: float) -> str:
    """12.0 What a letter says about spending this many points on a defence: the chance of a hit,
    what a hit does to the combat, and the points left."""
    chance = f"hit {percent(Fraction(hit).limit_denominator(FACES))}: " if points else ""
    return f"{total - points} of {total} left; {chance}{column_in_words(column)}"
