"""Victory (S1 to S3, 2.8): towns and ports that are controlled, divisions that have left the map.

A scenario ends at the end of its last turn, or at the end of the turn in which one side has an automatic
victory. Where the conditions of no level are met, the game is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.game import Result
from pbem.games.normandy44 import control, supply
from pbem.games.normandy44.notes import Decided
from pbem.games.normandy44.state import State
from pbem.games.normandy44.tables import (
    ALENCON,
    AVRANCHES,
    BEACH_HEXES,
    CAEN,
    CHERBOURG,
    GRID,
    LISIEUX,
    PLAYED,
    SAINT_VAAST,
    UNITS,
    Hex,
    Side,
)

LAST_TURN: Mapping[str, int] = {"cherbourg": 4, "cobra": 12, "campaign": 12}
"""The turn with which a scenario ends at the latest (2.8)."""
CASE: Mapping[str, str] = {"cherbourg": "S1", "cobra": "S2", "campaign": "S3"}
TOWNS: Mapping[str, Hex] = {"Avranches": AVRANCHES, "Alencon": ALENCON, "Lisieux": LISIEUX}
"""The towns that the levels of victory of the second and third scenario count."""
TWO_TOWNS = 2
DIVISION = 3
"""S2 Stacking points of one division that must leave the map for it to count."""
DIVISIONS = 2
CAEN_TURN = 10
"""S2 At the end of this turn the Germans win if they have kept Avranches and Caen."""
AMERICAN_LEVELS: Mapping[int, str] = {2: "strategic", 3: "operational", 4: "marginal"}
"""S1 What the capture of Cherbourg is worth at the end of a turn."""
ESCAPE = "17SS"
"""S1 The division that must have a line to the south edge, with another one."""
DRAW = "draw"


def judge(state: State) -> None:
    """2.8 At the end of a turn: a victory that ends the game at once, or the level that the last
    turn has brought."""
    level = automatic(state)
    if not level and state.turn >= LAST_TURN[state.scenario]:
        level = final(state)
    if level:
        state.ended = level
        state.note(Decided(case=CASE[state.scenario], level=level, winner=winner(level) or ""))


def winner(level: str) -> Side | None:
    """The side that a level of victory belongs to; None for a draw."""
    return "allied" if level.startswith("Allied") else "german" if level.startswith("German") else None


def margin(level: str) -> int:
    """How many levels above a draw a level of victory is: 0 to 3, and 4 for the one that ends the game."""
    degrees = {"automatic": 4, "strategic": 3, "operational": 2, "marginal": 1}
    return next((number for word, number in degrees.items() if word in level), 0)


# --- divisions ------------------------------------------------------------------------------------------


def divisions(state: State, *edges: str) -> dict[str, bool]:
    """S2 The divisions of which three stacking points or more have left the map by these edges:
    their name, and whether they are armoured. Independents belong to none."""
    points: dict[str, int] = {}
    for edge in edges:
        for id, pe in state.exits.get(edge, ()):
            points[UNITS[id].formation] = points.get(UNITS[id].formation, 0) + pe
    return {name: _armoured(name) for name, pe in points.items() if name and pe >= DIVISION}


def _armoured(division: str) -> bool:
    return any(counter.armour for counter in UNITS.values() if counter.formation == division)


def broken_out(state: State, *edges: str) -> bool:
    """S2 Whether two divisions, an armoured one among them, have left the map by these edges."""
    out = divisions(state, *edges)
    return len(out) >= DIVISIONS and any(out.values())


def southward(state: State) -> tuple[str, ...]:
    """S1 German divisions with a part on the map that can trace a supply line to its south edge."""
    row = f"{GRID.rows[1]:02}"
    edge = GRID.bits(hex for hex in GRID.ids if hex.startswith(row)) & PLAYED[state.scenario]
    open_to = supply.lines(state, "german", edge)
    names = [
        unit.counter.formation
        for unit in state.on_map("german")
        if (unit.counter.division or unit.counter.size == "division")
        and open_to >> GRID.index(unit.placed) & 1
    ]
    return tuple(sorted({name for name in names if name}))


# --- levels ---------------------------------------------------------------------------------------------


def automatic(state: State) -> str:
    """S1 to S3 The victory that ends the game at the end of this turn; "" if there is none."""
    if state.scenario == "cherbourg":
        return _cherbourg_fallen(state)
    ports = CHERBOURG if state.scenario == "campaign" else ()
    towns = (*TOWNS.values(), *CAEN, *ports)
    if broken_out(state, "L") and broken_out(state, "east") and control.holds(state, "allied", towns):
        return "Allied automatic victory"
    if state.scenario == "cobra" and state.turn == CAEN_TURN and _kept_caen(state):
        return "German automatic victory"
    beaches = sum(state.control.get(hex) == "german" for hex in BEACH_HEXES)
    if state.scenario == "campaign" and 2 * beaches > len(BEACH_HEXES):
        return "German automatic victory"
    return ""


def _cherbourg_fallen(state: State) -> str:
    """S1 The Americans have both hexes of Cherbourg at the end of turn 2, 3 or 4."""
    level = AMERICAN_LEVELS.get(state.turn)
    return f"Allied {level} victory" if level and control.holds(state, "allied", CHERBOURG) else ""


def _kept_caen(state: State) -> bool:
    """S2 The Germans have Avranches and Caen: by the option `caen` one hex of it will do,
    or it takes both."""
    wanted = len(CAEN) if state.option("caen") == "both" else 1
    kept = sum(state.control.get(hex) == "german" for hex in CAEN)
    return state.control.get(AVRANCHES) == "german" and kept >= wanted


def final(state: State) -> str:
    """S1 to S3 The level of victory if the game ended now without an automatic one."""
    return _cherbourg(state) if state.scenario == "cherbourg" else _breakout(state)


def _cherbourg(state: State) -> str:
    """S1 Control of Cherbourg after turn 4, and what else the Germans have achieved."""
    if control.holds(state, "allied", CHERBOURG):
        return f"Allied {AMERICAN_LEVELS.get(max(state.turn, 2), 'marginal')} victory"
    if not control.holds(state, "german", CHERBOURG):
        return DRAW
    if state.utah_lost and control.holds(state, "german", (SAINT_VAAST,)):
        return "German strategic victory"
    south = southward(state)
    if ESCAPE in south and len(south) >= DIVISIONS:
        return "German operational victory"
    return "German marginal victory"


def _breakout(state: State) -> str:
    """S2, S3 Avranches, Alencon and Lisieux; in the campaign the Allies need Caen and Cherbourg
    for every level."""
    allied = [hex for hex in TOWNS.values() if state.control.get(hex) == "allied"]
    german = [hex for hex in TOWNS.values() if state.control.get(hex) == "german"]
    needed = (*CAEN, *CHERBOURG) if state.scenario == "campaign" else ()
    if control.holds(state, "allied", needed):
        if len(allied) == len(TOWNS):
            kind = "strategic" if broken_out(state, "east", "south") else "operational"
            return f"Allied {kind} victory"
        if len(allied) == TWO_TOWNS and AVRANCHES in allied:
            return "Allied marginal victory"
    if not allied:
        return "German strategic victory"
    if len(german) == TWO_TOWNS:
        return f"German {'operational' if AVRANCHES in german else 'marginal'} victory"
    return DRAW


# --- the result -----------------------------------------------------------------------------------------


def result(state: State) -> Result:
    """2.8 How the game has ended, or would end now, and what it turns on."""
    level = state.ended or automatic(state) or final(state)
    return Result(level, winner(level), tuple(_figures(state)), margin(level))


def _figures(state: State) -> Iterable[tuple[str, str, str]]:
    """S1 to S3 Control of the hexes that matter, and the divisions off the map or with a line to its edge."""
    case = CASE[state.scenario]
    yield "Cherbourg", _holders(state, CHERBOURG), "14.3" if state.scenario == "cobra" else case
    if state.scenario == "cherbourg":
        yield "Saint-Vaast", _holders(state, (SAINT_VAAST,)), case
        yield "Germans have been on Utah", "yes" if state.utah_lost else "no", case
        yield "German divisions with a line to the south edge", _named(southward(state)), case
        return
    yield "Caen", _holders(state, CAEN), case
    for name, hex in TOWNS.items():
        yield name, _holders(state, (hex,)), case
    for edge, where in (("L", "by L"), ("east", "by the east edge"), ("south", "by the south edge")):
        yield f"Allied divisions off the map {where}", _named(divisions(state, edge)), "S2"
    if state.scenario == "campaign":
        beaches = sum(state.control.get(hex) == "german" for hex in BEACH_HEXES)
        yield "Beach hexes in German hands", f"{beaches} of {len(BEACH_HEXES)}", case


def _holders(state: State, hexes: Iterable[Hex]) -> str:
    """In whose hands these hexes are: one side for all, or hex by hex."""
    sides = {hex: state.control.get(hex, "german").capitalize() for hex in hexes}
    if len(set(sides.values())) == 1:
        return next(iter(sides.values()))
    return ", ".join(f"{hex} {side}" for hex, side in sides.items())


def _named(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
