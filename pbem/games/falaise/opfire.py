"""Op-fire (6.2 to 6.4): stacks fire at enemies that move or retreat into their zones, or break
contact by day.

One stack fires for each hex that is entered or left; the hexes of a retreat that draw fire are chosen
in retreat.py, those of a move in movement.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pbem.engine.play import Ask, Roll
from pbem.engine.tally import Tally
from pbem.engine.wording import percent
from pbem.games.falaise import ratings, victory, zones
from pbem.games.falaise.notes import FireHeld, OpFired
from pbem.games.falaise.state import OTHER, State, Unit
from pbem.games.falaise.tables import CHARTS, MAP, Hex

Effect = Literal["none", "halt", "disrupted", "eliminated"]
HOLD = "hold"
DIE = range(1, 7)
FEW, MANY = 3, 5
"""Combat factors from which fire is better, and better still."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpFire(Ask[Hex]):
    """6.2 Which stack fires, by its hex, or `HOLD`? `mech` says whether a mechanised unit is its target,
    `town` whether the target is in a town, `breaking` whether it breaks contact; `modifier` gives the die
    modifier of each stack, `stacks` its units."""

    kind: str = "opfire"
    mech: bool
    town: bool
    breaking: bool
    modifier: Mapping[Hex, int]
    stacks: Mapping[Hex, Sequence[str]]


def tally(
    state: State, units: Sequence[Unit], hex: Hex, origin: Hex, breaking_from: Hex | None = None
) -> Tally:
    """6.2, 6.3 The modifiers when the stack at `origin` fires at units that have entered `hex`,
    or left `breaking_from` for it."""
    guns = zones.firing(state, OTHER[units[0].side], origin, breaking_from or hex)
    factors = sum(unit.strength for unit in guns)
    edge = ratings.highest(state, guns) - ratings.highest(state, units)
    found = Tally()
    _apply(found, "fire_5" if factors >= MANY else "fire_3", factors >= FEW)
    _apply(found, "better" if edge > 0 else "worse", edge != 0)
    _apply(found, "breaking", breaking_from is not None)
    _apply(found, "hidden", CHARTS.terrain[MAP.terrain(hex)].cover)
    _apply(found, "night", not state.day)
    return found


def _apply(found: Tally, key: str, holds: bool) -> None:
    if holds:
        modifier = CHARTS.modifier[key]
        found.add(modifier.value, modifier.case, modifier.why)


def result(total: int) -> Literal["none", "halt", "DIS"]:
    """6.2 The result of the op-fire table for a modified die."""
    if total >= CHARTS.opfire.disrupted:
        return "DIS"
    return "halt" if total >= CHARTS.opfire.halt else "none"


def chances(modifier: int) -> tuple[Fraction, Fraction]:
    """6.2 How likely fire at this modifier halts, and how likely it disrupts."""
    outcomes = [result(die + modifier) for die in DIE]
    return Fraction(outcomes.count("halt"), len(DIE)), Fraction(outcomes.count("DIS"), len(DIE))


def outlook(modifier: int) -> str:
    """6.2 What fire at this modifier may do: ``+1: halt 33%, disrupted 33%``."""
    halt, broken = map(percent, chances(modifier))
    return f"{modifier:+d}: halt {halt}, disrupted {broken}"


def best(
    state: State, units: Sequence[Unit], hex: Hex, breaking_from: Hex | None = None
) -> tuple[Hex, Tally]:
    """6.2 The stack whose fire on these units is best, with its modifiers; one must be able to fire."""
    origins = zones.covering(state, OTHER[units[0].side], breaking_from or hex)
    tallies = {origin: tally(state, units, hex, origin, breaking_from) for origin in origins}
    return max(tallies.items(), key=lambda each: each[1].total)


async def fire(
    state: State, units: Sequence[Unit], hex: Hex, *, breaking_from: Hex | None = None, retreat: bool = False
) -> Effect:
    """6.2 The enemy may fire at units that have entered `hex` together, or have left its zone
    at `breaking_from` for it (by the south edge if the two are the same). Return the effect:
    "halt" and "disrupted" stop them there. Units already disrupted are eliminated if they retreat (6.4):
    "eliminated" if that was all of them. Whether a friend there shields a retreat (10.3), or the leaving
    (6.3), is up to the caller."""
    enemy = OTHER[units[0].side]
    origins = zones.covering(state, enemy, breaking_from or hex)
    if not origins:
        return "none"
    names = tuple(unit.id for unit in units)
    tallies = {origin: tally(state, units, hex, origin, breaking_from) for origin in origins}
    what = f"op-fire on {', '.join(names)} {_doing(hex, breaking_from)}"
    origin = await _stack(state, units, hex, tallies, what, breaking_from, retreat)
    if origin == HOLD:
        state.note(FireHeld(case="6.2", side=enemy, names=names, hex=hex))
        return "none"
    die = await Roll(case="6.2", what=what, low=not retreat)
    total = die + tallies[origin].total
    outcome = result(total)
    effect = effect_of(units, outcome, retreat)
    state.note(
        OpFired(
            case="6.3" if breaking_from else "6.2",
            roll=state.rolls,
            side=enemy,
            firing=tuple(unit.id for unit in zones.firing(state, enemy, origin, breaking_from or hex)),
            origin=origin,
            names=names,
            hex=hex,
            parts=tuple(tallies[origin].parts),
            die=die,
            total=total,
            result=outcome,
            effect=effect,
            retreat=retreat,
        )
    )
    if outcome == "DIS":
        disrupt(state, units, retreat)
    return effect


async def _stack(
    state: State,
    units: Sequence[Unit],
    hex: Hex,
    tallies: Mapping[Hex, Tally],
    what: str,
    breaking_from: Hex | None,
    retreat: bool,
) -> Hex:
    """6.2 The stack with which the enemy fires, at most one;
    by default the one with the best modifier."""
    enemy = OTHER[units[0].side]
    told = ", ".join(f"{unit.id} ({ratings.in_words(state, unit)})" for unit in units)

    def says(origin: Hex) -> str:
        if origin == HOLD:
            return "no fire"
        guns = zones.firing(state, enemy, origin, breaking_from or hex)
        return f"{', '.join(unit.id for unit in guns)}, {outlook(tallies[origin].total)}"

    chosen: Hex = await OpFire(
        case="6.2",
        what=what,
        seat=enemy,
        options=(HOLD, *tallies),
        default=max(tallies, key=lambda origin: tallies[origin].total),
        mech=any(unit.mech for unit in units),
        town=MAP.terrain(hex) == "town",
        breaking=breaking_from is not None,
        modifier={origin: found.total for origin, found in tallies.items()},
        stacks={
            origin: [unit.id for unit in zones.firing(state, enemy, origin, breaking_from or hex)]
            for origin in tallies
        },
        intro=f"{told} {'retreats' if retreat else 'moves'}, {_doing(hex, breaking_from)}.",
        says=says,
    )
    return chosen


def _doing(hex: Hex, breaking_from: Hex | None) -> str:
    if breaking_from is None:
        return f"entering {hex}"
    return f"leaving the map at {hex}" if breaking_from == hex else f"leaving {breaking_from} for {hex}"


def effect_of(units: Sequence[Unit], outcome: str, retreat: bool) -> Effect:
    """6.2, 6.4 The effect of a result: disruption only halts units that move disrupted,
    and eliminates units that retreat disrupted."""
    if outcome == "none":
        return "none"
    if outcome == "DIS" and any(not unit.disrupted for unit in units):
        return "disrupted"
    return "eliminated" if outcome == "DIS" and retreat else "halt"


def disrupt(state: State, units: Sequence[Unit], retreat: bool) -> None:
    """6.2, 6.4, 9.1 Units are disrupted by fire; in a retreat units already disrupted are eliminated,
    and count as cut off (10.3)."""
    for unit in units:
        if not unit.disrupted:
            unit.disrupted = True
        elif retreat:
            victory.eliminate(state, unit, "6.4", "disrupted again in retreat", cut_off=True)
