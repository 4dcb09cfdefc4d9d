"""What comes of a combat before its dice are thrown, in chances and in words: for who orders an attack,
and for who is asked how to meet it.

It uses only what both sides can see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import lcm

from pbem.engine.offer import Odds
from pbem.engine.tally import Modifier
from pbem.engine.wording import count, percent
from pbem.games.france44 import odds, retreat
from pbem.games.france44.odds import Battle, Chances, Outlook
from pbem.games.france44.state import State, Unit
from pbem.games.france44.tables import CHARTS, Corner, Hex, place_name

KINDS = {"set_piece": "set piece", "mobile": "mobile"}


def strengths(seen: Outlook, hexes: Sequence[Hex]) -> str:
    """9.6 Who counts for what, and how it compares."""
    where = " and ".join(place_name(hex) for hex in hexes)
    ours, theirs = added(seen.attack, seen.attack_parts), added(seen.defence, seen.defence_parts)
    return f"{where}, {KINDS[seen.fight]}: {ours} against {theirs}: {seen.comparison.name} [9.6]"


def added(total: int, parts: Sequence[Modifier]) -> str:
    """``VII/US 7 + US1 3 = 10``."""
    told = " + ".join(f"{why} {value}" for value, _, why in parts)
    return told if len(parts) == 1 else f"{told} = {total}"


def tested(needs: int, parts: Sequence[Modifier]) -> str:
    """9.4 The morale of a lead unit that has been named: ``3 + rough 1 = 4, passed 67%``."""
    first, *others = parts
    told = " + ".join((str(first.value), *(f"{why} {value}" for value, _, why in others)))
    return f"{told if not others else f'{told} = {needs}'}, passed {percent(odds.passes(needs))}"


def morale(battle: Battle, seen: Outlook, lead: Unit, other: Unit) -> str:
    """9.4 What the dice of both morale tests must show."""
    ours = added(seen.attack_needs, battle.attack_morale(lead).parts)
    theirs = added(seen.defence_needs, battle.defence_morale(other).parts)
    return (
        f"morale: {ours}, passed {percent(odds.passes(seen.attack_needs))}; "
        f"against {theirs}, passed {percent(odds.passes(seen.defence_needs))} [9.4]"
    )


@dataclass(frozen=True, slots=True)
class Prospects:
    """9.6, 9.7 Steps that either side loses, and what becomes of the defenders, each with its chance:
    if they stay where they may."""

    attack: dict[int, Fraction]
    defence: dict[int, Fraction]
    must: Fraction
    """They fail their test, and must go."""
    gone: Fraction
    """All of the hexes are cleared."""
    dead: Fraction
    """All of them are eliminated."""
    stuck: tuple[Hex, ...]
    """The hexes out of which no way leads."""


def prospects(state: State, battle: Battle, seen: Outlook) -> Prospects:
    """9.6, 9.7 What comes of a combat by its four dice, as far as ways of retreat
    can be judged beforehand."""
    stacks = [[unit for unit in battle.defenders if unit.hex == hex] for hex in battle.hexes]
    stuck = tuple(stack[0].placed for stack in stacks if not retreat.paths(state, stack, battle.origins))
    ours = sum(unit.left for unit in battle.attackers)
    theirs = sum(unit.left for unit in battle.defenders)
    return replace(_prospects(seen.chances, ours, theirs, len(stuck)), stuck=stuck)


@cache
def _prospects(chances: Chances, ours: int, theirs: int, stuck: int) -> Prospects:
    """9.6, 9.7 What comes of these chances for this many steps of either side, and hexes out of which no way
    leads."""

    def must(corner: Corner) -> bool:
        return CHARTS.combat.box(corner).retreat == "must"

    def lost(corner: Corner, hits: int) -> int:
        return min(theirs, hits + (CHARTS.combat.no_retreat_costs * stuck if must(corner) else 0))

    # whole numbers of a common denominator are added much faster than fractions
    whole = lcm(*(each.denominator for each in chances.results.values()))
    weights = {what: int(each * whole) for what, each in chances.results.items()}

    def chance(fits: Callable[[Corner, int], bool]) -> Fraction:
        fitting = (n for (corner, _, hits), n in weights.items() if fits(corner, lost(corner, hits)))
        return Fraction(sum(fitting), whole)

    return Prospects(
        attack=_spread(((min(ours, hits), n) for (_, hits, _), n in weights.items()), whole),
        defence=_spread(((lost(corner, hits), n) for (corner, _, hits), n in weights.items()), whole),
        must=chance(lambda corner, steps: must(corner)),
        gone=chance(lambda corner, steps: steps == theirs or (must(corner) and not stuck)),
        dead=chance(lambda corner, steps: steps == theirs),
        stuck=(),
    )


def _spread(weights: Iterable[tuple[int, int]], whole: int) -> dict[int, Fraction]:
    found: dict[int, int] = {}
    for steps, weight in weights:
        found[steps] = found.get(steps, 0) + weight
    return {steps: Fraction(found[steps], whole) for steps in sorted(found)}


def shares(battle: Battle, seen: Outlook, ahead: Prospects) -> tuple[Odds, ...]:
    """9.6, 9.7 How likely each box is, the steps that either side loses, and whether the hexes are cleared if
    the defenders stay where they may."""
    hex = battle.hexes[0]
    return (
        Odds(hex, "attack", seen.comparison.name, tuple(seen.corners.items())),
        Odds(hex, "own steps", shares=tuple((str(number), each) for number, each in ahead.attack.items())),
        Odds(hex, "their steps", shares=tuple((str(number), each) for number, each in ahead.defence.items())),
        Odds(hex, "hexes", shares=(("cleared", ahead.gone), ("held", 1 - ahead.gone))),
    )


def chances(seen: Outlook, ahead: Prospects) -> Iterable[str]:
    """9.6, 9.7 How likely each box is, then steps and retreats."""
    boxes = ", ".join(f"{corner} {percent(chance)}" for corner, chance in seen.corners.items())
    yield f"{boxes} [9.6]"
    yield f"you lose {steps(ahead.attack)}; they lose {steps(ahead.defence)} [9.6]"
    told = f"they must retreat {percent(ahead.must)}, may {percent(1 - ahead.must)}"
    if ahead.stuck:
        where = " and ".join(place_name(hex) for hex in ahead.stuck)
        told += f"; no way out of {where}: {count(len(ahead.stuck), 'more hit')} if they must"
    yield (
        f"{told}; all eliminated {percent(ahead.dead)}; if they stay where they may, "
        f"cleared {percent(ahead.gone)} [9.7]"
    )


def steps(chances: Mapping[int, Fraction]) -> str:
    """9.6 Steps that a side loses: ``no step 6%, 1 step 26% (on average 1.2)``."""
    told = ", ".join(
        f"{count(number, 'step') if number else 'no step'} {percent(chance)}"
        for number, chance in chances.items()
    )
    return f"{told} (on average {average(chances)})"


def average(chances: Mapping[int, Fraction]) -> str:
    """A number of steps on average: ``1.4``."""
    return f"{float(sum((number * chance for number, chance in chances.items()), Fraction(0))):.1f}"


# --- for the defender (9.3) ---------------------------------------------------------------------------------


def attack_in_words(battle: Battle, seen: Outlook, lead: Unit) -> str:
    """9.1 to 9.4 Who attacks, from where, with what support, how strong, and who leads."""
    air = f", {battle.air} air" if battle.air else ""
    return (
        f"Attack from {' and '.join(place_name(hex) for hex in battle.origins)}{air}. "
        f"{strengths(seen, battle.hexes)}. {lead.id} leads: morale "
        f"{tested(seen.attack_needs, battle.attack_morale(lead).parts)} [9.4]. "
        "Your lead unit is tested for morale and loses the first step [9.3, 9.6]."
    )


def lead_in_words(battle: Battle, seen: Outlook, other: Unit) -> str:
    """9.3 to 9.7 What a lead unit of the defence has, and what becomes of its side with it."""
    ahead = prospects(battle.state, battle, seen)
    morale = tested(seen.defence_needs, battle.defence_morale(other).parts)
    return (
        f"{count(other.left, 'step')}, morale {morale}; "
        f"you lose {average(ahead.defence)} steps on average, all units {percent(ahead.dead)}; "
        f"you must retreat {percent(ahead.must)}"
    )
