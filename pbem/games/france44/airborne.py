"""The 18th Airborne (3.12, 12.3, 12.4): Market Garden from September to March, Varsity in April or May.

It waits in England, jumps when an Allied initiative chit is drawn, before a headquarters is chosen,
and may be commanded by it like infantry wherever it lies. After Market Garden it goes back to its box once
both sides have had their reactions; after Varsity it stays.
"""

from __future__ import annotations

from pbem.engine.errors import NotAllowed, Overtaken
from pbem.games.france44 import control, crossing, headquarters, stacking, zones
from pbem.games.france44.notes import Dropped, Lifted
from pbem.games.france44.state import AIRBORNE, State, Unit
from pbem.games.france44.tables import CHARTS, GRID, LAND, TURNS, Hex, Side


def corps_of(state: State) -> Unit | None:
    """3.12 The corps; None in a scenario without it."""
    return state.units.get(AIRBORNE)


def unit(state: State) -> Unit:
    """3.12 The corps, in a scenario that has it."""
    return state.units[AIRBORNE]


def allowed(state: State) -> bool:
    """12.3, 12.4 Whether the corps may jump in this turn."""
    turn, corps = TURNS[state.turn], corps_of(state)
    return corps is not None and corps.place == "box" and (turn.market_garden or turn.varsity)


def zone(state: State) -> int:
    """12.3 The set of the hexes into which it may jump: within five hexes of an Allied headquarters,
    no enemy in it. Whether there is room is judged by check_drop."""
    near = 0
    for hq in state.on_map("allied"):
        if hq.hq:
            near |= GRID.within(hq.placed, CHARTS.drop.range)
    return near & LAND & ~zones.occupied(state, "german")


def ignored(state: State, side: Side, a: Hex, b: Hex) -> bool:
    """12.3 Whether a side need not mind the river between two hexes: Allied units beside the corps,
    as long as it lies where it came down."""
    return side == "allied" and state.drop is not None and state.drop in (a, b)


def check_drop(state: State, hex: Hex) -> None:
    """12.3, 12.4 Refuse a jump that is not allowed. Raises NotAllowed;
    Overtaken where it is a matter of how things stand by now."""
    if not allowed(state):
        raise Overtaken("the 18th Airborne cannot jump now", "12.3")
    if hex not in GRID or not LAND >> GRID.index(hex) & 1:
        raise NotAllowed(f"{hex} is not on land", "12.3")
    if not zone(state) >> GRID.index(hex) & 1:
        raise Overtaken(
            f"{hex} is held by the enemy, or more than {CHARTS.drop.range} hexes "
            "from each of your headquarters",
            "12.3",
        )
    if not stacking.fits([*state.at(hex), unit(state)]):
        raise Overtaken(f"{hex} is full: a hex holds {stacking.in_words()}", "7.1")


def drop(state: State, hex: Hex) -> None:
    """12.3, 12.4 The corps jumps. Coming down takes a hex that matters (11.3),
    and is no crossing of the Rhine (12.9) unless it stays."""
    corps, stays = unit(state), TURNS[state.turn].varsity
    corps.place, corps.hex = "map", hex
    state.drop, state.drop_stays, state.jumped = hex, stays, True
    control.entered(state, corps, (hex,))
    if stays:
        crossing.crossed(state, corps, hex)
    headquarters.disperse_lone(state)
    crossing.judge_bridgeheads(state)
    state.note(Dropped(case="12.4" if stays else "12.3", name=corps.id, hex=hex, stays=stays))


def moved(state: State) -> None:
    """12.3 Rivers count again as soon as the corps has left its hex, or is gone."""
    if state.drop is not None and unit(state).hex != state.drop:
        state.drop = None


def lift(state: State) -> None:
    """3.12, 12.3 When the reactions are over the corps goes back to England after Market Garden,
    and is infantry like any other after Varsity."""
    corps, stays = unit(state), state.drop_stays
    jumped = state.jumped
    state.drop, state.jumped = None, False
    if jumped and not stays and corps.place == "map":
        corps.place, corps.hex, corps.unsupplied = "box", None, False
        state.note(Lifted(case="12.3", name=corps.id))
        headquarters.disperse_lone(state)
        crossing.judge_bridgeheads(state)
