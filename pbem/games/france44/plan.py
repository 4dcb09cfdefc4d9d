"""What the planner must know (engine/planner.py): ways to play, and a guess at the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pbem.engine.plan import Plan
from pbem.games.france44 import victory
from pbem.games.france44.bot import GREEDY, Stance, judge
from pbem.games.france44.state import ENEMY, State

ALLIED, GERMAN = GREEDY["allied"], GREEDY["german"]

STANCES: Mapping[str, Mapping[str, Stance]] = {
    "allied": {
        "hunt": replace(ALLIED, hunt=2.0, kill=1.5),
        "press on": ALLIED,
        "spare the men": replace(ALLIED, own_loss=1.0),
        "to the towns": replace(ALLIED, onward=0.7),
        "kill where they stand": replace(ALLIED, onward=0.15),
    },
    "german": {
        "close the gaps": replace(GERMAN, gap=0.6, guard=1.0, kill=1.5, risk=1.0),
        "hold the line": GERMAN,
        "strike back": replace(GERMAN, own_loss=0.7),
        "hold the places": replace(GERMAN, hold=4.0),
        "give ground": replace(GERMAN, stay=-0.5, unfed=3.0),
    },
}
"""The stances of each side. The first ones differ from the greedy bot where it paid: the Allies look for
headquarters that stand alone, which disperse (4.10); the Germans spend reaction points sooner on a unit that
closes a gap, and keep their headquarters back."""


def score(state: State, side: str) -> float:
    """How far a side is ahead, by what the result would be now."""
    result = victory.result(state)
    ahead = float(victory.margin(state, result.level))
    if state.scenario in ("falaise", "westwall"):
        ahead = float(victory.points(state))
        return ahead if side == "allied" else -ahead
    return ahead if victory.winner(result.level) == side else -ahead


def sample(state: State, seat: str, chance: Random) -> None:
    """2.0.8 What the other side has committed for the next turn, of the supply that is seen."""
    enemy = ENEMY[seat]
    seen = state.supply.get(enemy, 0) + state.committed.get(enemy, 0)
    state.committed[enemy] = chance.randint(0, seen)
    state.supply[enemy] = seen - state.committed[enemy]


PLAN: Plan[State] = Plan(stances=STANCES, judge=judge, score=score, sample=sample, afresh=("cycle",))
