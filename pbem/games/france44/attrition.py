"""Supply and attrition (10.1.1): who is found without supply gets a marker, and loses steps
if he had one already or is surrounded.

All pieces are judged before any of them loses anything, so that the order in which they stand
does not matter.
"""

from __future__ import annotations

from pbem.games.france44 import headquarters, losses, zones
from pbem.games.france44.notes import FuehrerRaised, SupplyJudged
from pbem.games.france44.state import ENEMY, SIDES, State, Unit
from pbem.games.france44.supply import Supply
from pbem.games.france44.tables import CHARTS, GRID, LAND, OPEN_GROUND, SOUTH, UNITS, Side

FUEHRER_AFTER = 2
"""10.1.1 Turns until a Fuehrer division comes to the eliminated box."""


def judge(state: State) -> None:
    """10.1.1, 11.5 Markers are placed and taken off on both sides, and attrition follows."""
    due: list[tuple[Unit, int, bool]] = []
    for side in SIDES:
        supply, ring = Supply(state, side), closed_in(state, side)
        out, again = [], []
        for unit in state.on_map(side):
            if supply.has(unit):
                if unit.unsupplied:
                    again.append(unit.id)
                unit.unsupplied = False
                continue
            surrounded = bool(ring >> GRID.index(unit.placed) & 1)
            lost = CHARTS.attrition.surrounded if surrounded else CHARTS.attrition.open
            due.append((unit, lost[unit.unsupplied], surrounded))
            if not unit.unsupplied:
                out.append(unit.id)
            unit.unsupplied = True
        if out or again:
            state.note(SupplyJudged(case="10.1.1", side=side, out=tuple(out), again=tuple(again)))
    for unit, steps, surrounded in due:
        if steps and unit.place == "map":
            suffer(state, unit, steps, surrounded)
    headquarters.disperse_lone(state)


def closed_in(state: State, side: Side) -> int:
    """10.1.1 The set of the hexes that are surrounded: no neighbour that can be entered at all is free
    of enemies and of their zones, and one at least is not. A combat unit of the side keeps enemy zones off
    its hex; sea, blocked hexsides and the edge of the map are no way out."""
    enemy = ENEMY[side]
    shut = zones.occupied(state, enemy) | zones.closed(state, side)
    free = LAND & ~shut
    return (LAND | SOUTH) & ~OPEN_GROUND.spread(free) & OPEN_GROUND.spread(shut & LAND)


def suffer(state: State, unit: Unit, steps: int, surrounded: bool) -> None:
    """10.1.1 A headquarters disperses; a unit loses steps, and if that is the end of it may not be raised
    again in this turn. A surrounded German one is gone for good, and a Fuehrer division
    is raised in its place."""
    if unit.hq:
        headquarters.disperse(state, unit, "10.1.1")
        return
    if steps < unit.left:
        losses.lose(state, {unit.id: steps}, unit.placed, "attrition", "10.1.1")
        return
    gone = surrounded and unit.side == "german"
    losses.eliminate(state, unit, "attrition", "10.1.1", "gone" if gone else "fresh")
    if gone:
        raise_fuehrer(state)


def raise_fuehrer(state: State) -> None:
    """10.1.1, 3.11 One of the Fuehrer divisions that have not come into the game goes onto the turn track."""
    for unit in state.units.values():
        counter = UNITS[unit.id]
        if not counter.hq and counter.fuehrer and unit.place == "later":
            unit.place, unit.back = "track", state.turn + FUEHRER_AFTER
            state.note(FuehrerRaised(case="10.1.1", name=unit.id, turn=unit.back))
            return
