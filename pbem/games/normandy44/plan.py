"""What the planner must know (engine/planner.py): ways to play, and a guess at the result.

The Allies go straight for the towns of victory: in the campaign as the greedy bot does, in the four turns
for Cherbourg whatever they leave behind them, in Operation Cobra with units enough for each town, each army
in its own sector. The Germans hold by strong garrisons or strike back at the beaches. At the start of a
phase nothing is hidden: what a side allocates is written and shown within one (2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.engine.game import Plan
from pbem.games.normandy44 import victory
from pbem.games.normandy44.bot import GREEDY, WON, Stance, distances, judge
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import CHERBOURG, GRID

ALLIED, GERMAN = GREEDY["allied"], GREEDY["german"]

DRIVE = replace(ALLIED, gather=1.4, haste=4.0, rear=0.0)
"""In the four turns for Cherbourg the Allies go straight for it, whatever they leave behind them."""

BREAK_OUT = replace(
    ALLIED, gather=1.0, haste=1.4, storm=15.0, margin=0.8, sector=0.3, chase=0.5, rear=0.8, siege=2.5
)
"""In Operation Cobra the Allies send units enough to each town of victory, which go there rather than fight
what they meet. Each army keeps to its sector and leaves alone the enemies it has passed."""

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "allied": {
        "straight": replace(ALLIED, otherwise={"cherbourg": DRIVE, "cobra": BREAK_OUT}),
        "gather": replace(ALLIED, gather=2.0),
        "guard the beach": replace(ALLIED, gather=2.0, hold=20.0),
        "dare": replace(ALLIED, gather=2.5, own_step=0.6, bar=0.0),
        "hurry": replace(ALLIED, gather=2.0, haste=1.4),
        "storm": replace(ALLIED, storm=10.0, taken=2.0),
        "greedy": ALLIED,
    },
    "german": {
        "garrison": replace(GERMAN, garrison=1.5, second=0.9, strong=9, near=12),
        "fortress": replace(GERMAN, garrison=2.0, second=0.8, strong=12, near=20),
        "strike": replace(GERMAN, utah=20.0, bar=-0.2),
        "spare": replace(GERMAN, own_step=1.6, bar=0.8),
        "greedy": GERMAN,
    },
}
"""The stances of each side, those that did best in play first."""

TOWN = 0.3
"""The part of a level that a hex of a town of victory counts for before the end."""
WAY = 0.02
"""The part of a level for each hex on the way to Cherbourg."""
STEP = 0.02
"""The part of a level for each step of the losses."""


def score(state: State, side: str) -> float:
    """The level of victory, from -3 to 3, or as it would be now with a part of a level for what is on the way
    to the next one."""
    result = victory.result(state)
    points = result.margin if result.winner == "allied" else -result.margin if result.winner else 0.0
    if state.phase:
        points += outlook(state)
    return points if side == "allied" else -points


def outlook(state: State) -> float:
    """What speaks for the Allies beyond the level of now: towns, the way to Cherbourg and losses."""
    towns = TOWN * sum(state.control.get(hex) == "allied" for hex in WON)
    away = distances(GRID.bits(CHERBOURG))
    near = min((away[GRID.index(u.placed)] for u in state.on_map("allied") if not u.hq), default=0)
    steps = sum(unit.lost if unit.side == "german" else -unit.lost for unit in state.units.values())
    return towns - WAY * near + STEP * steps


PLAN: Plan[State] = Plan(stances=STANCES, judge=judge, score=score)
