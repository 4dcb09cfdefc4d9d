"""Carpet bombing (10.3): once in a game the bombers of an army strike a German hex before the first
combat of phase A.

What the rules leave open and is settled here: the hex must be next to a combat unit of either army
when the bombers are sent; they strike whatever Germans they find in it, headquarters excepted;
if there are none, or Allies by then, no unit is hit, and the bombers are still used up.
"""

from __future__ import annotations

from pbem.engine.errors import NotAllowed
from pbem.engine.play import Roll
from pbem.games.normandy44 import losses, odds, retreat, zones
from pbem.games.normandy44.notes import Bombed, NobodyBombed
from pbem.games.normandy44.state import State, Unit
from pbem.games.normandy44.tables import CHARTS, GRID, MAP, Army, Hex

COLUMN = CHARTS.combat.columns.index(CHARTS.combat.carpet_column)


def allowed(state: State) -> bool:
    """10.3, S1, S2, S3 Whether the scenario has carpet bombing: never before Cherbourg, always in Cobra,
    in the campaign by the option `carpet`."""
    if state.scenario == "campaign":
        return state.option("carpet") == "yes"
    return state.scenario == "cobra"


def fault(state: State, hex: Hex, army: Army) -> NotAllowed | None:
    """10.3 Why the bombers of an army cannot be sent to a hex, None if they can."""
    if not allowed(state):
        return NotAllowed("there is no carpet bombing in this game", "10.3")
    if army in state.carpets:
        return NotAllowed("these bombers have already carpet bombed", "10.3")
    if hex not in MAP:
        return NotAllowed(f"there is no hex {hex} on the map", "10.3")
    if not targets(state) >> GRID.index(hex) & 1:
        return NotAllowed(
            f"{hex} has no German combat unit adjacent to an Allied one",
            "10.3",
            legal=GRID.named(targets(state)),
        )
    return None


def targets(state: State) -> int:
    """10.3 The set of the hexes with German combat units next to Allied combat units."""
    allied = {near for unit in state.on_map("allied") if not unit.hq for near in retreat.STEPS[unit.placed]}
    return zones.held(state, "german") & GRID.bits(allied)


async def strike(state: State) -> None:
    """10.3 The bombers strike their targets, each unit there on its own; their hexes are ploughed up
    until the next air phase."""
    for hex, army in list(state.targets.items()):
        state.carpets.append(army)
        state.craters.append(hex)
        units = [unit for unit in state.at(hex) if unit.side == "german" and not unit.hq]
        if not units:
            state.note(NobodyBombed(case="10.3", hex=hex, army=army))
        for unit in units:
            await bomb(state, unit, hex, army)
        if units:
            losses.orphaned(state, [hex])
    state.targets.clear()


async def bomb(state: State, unit: Unit, hex: Hex, army: Army) -> None:
    """10.3 One unit is attacked at 3:2, whatever the terrain: it takes the defender's part
    of the result in steps."""
    die = await Roll(case="10.3", what=f"carpet bombing of {unit.id}")
    result = odds.result(COLUMN, die)
    _, points = odds.points(result)
    steps = unit.left if points is None else min(points, unit.left)
    state.note(
        Bombed(
            case="10.3",
            roll=state.rolls,
            hex=hex,
            army=army,
            name=unit.id,
            die=die,
            result=result,
            steps=steps,
        )
    )
    if steps:
        losses.lose_all(state, {unit.id: steps}, "bombers", hex, "10.3")
