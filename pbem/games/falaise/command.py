"""The corps command pool (4.0): the tank destroyers come (11.5), perhaps a commander is replaced (11.6),
Paris beckons (12.5), the system may cross the 86th Corps boundary (13.3), and the command markers go
into the cup (11.10). No orders are written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.engine.play import Ask, Roll
from pbem.games.falaise import paris, placing, solitaire, stacking, zone86
from pbem.games.falaise.notes import Arrived, ReliefTried
from pbem.games.falaise.state import State
from pbem.games.falaise.tables import ALLIED_COMMANDS, GERMAN_COMMANDS, Hex

FIRST_TURN = 5
"""11.5, 11.6 From this turn on the tank destroyers can come, and the commander be replaced."""
TANK_DESTROYERS = "610TD"
BACKED = "80"
"""11.5 The division whose units they join."""
RELIEVED = "C4Arm"
"""11.6 The Canadian 4th Armoured Division."""
INITIATIVE_TURNS = 2
"""11.10 The Germans begin in this many turns."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrival(Ask[Hex]):
    """11.5 In which hex do the tank destroyers arrive? `present` has the units in each."""

    kind: str = "arrival"
    present: Mapping[Hex, Sequence[str]]


async def command(state: State) -> None:
    """4.0 The command pool is made up."""
    await tank_destroyers(state)
    await relief(state)
    await paris.paris(state)
    await solitaire.boundary(state)
    fill_cup(state)


async def tank_destroyers(state: State) -> None:
    """11.5 The tank destroyers come to a unit of the 80th Division, on turn 5 or as soon afterwards
    as one has room for them."""
    unit = state.units[TANK_DESTROYERS]
    if state.turn < FIRST_TURN or unit.place != "later":
        return
    hexes = arrival_hexes(state)
    if not hexes:
        return
    hex = await Arrival(
        case="11.5",
        what=f"arrival of {unit.id}",
        seat="allied",
        options=hexes,
        present={hex: [other.id for other in state.at(hex)] for hex in hexes},
        says=lambda hex: f"with {', '.join(other.id for other in state.at(hex))}",
    )
    placing.put(state, [unit], hex)
    state.note(Arrived(case="11.5", side="allied", names=(unit.id,), hex=hex))


def arrival_hexes(state: State) -> tuple[Hex, ...]:
    """11.5 The hexes of the 80th Division that have room for the tank destroyers."""
    unit = state.units[TANK_DESTROYERS]
    there = [other.placed for other in state.on_map("allied") if other.counter.division == BACKED]
    return tuple(hex for hex in dict.fromkeys(there) if stacking.fault(state, [unit], hex) is None)


async def relief(state: State) -> None:
    """11.6 Once a turn, from turn 5 on, an odd number replaces the commander of the Canadian 4th
    Armoured Division."""
    if state.turn < FIRST_TURN or state.relieved:
        return
    if not any(unit.counter.division == RELIEVED for unit in state.on_map("allied")):
        return
    die = await Roll(case="11.6", what="relief of the commander of the 4th Armoured")
    state.relieved = die % 2 == 1
    state.note(ReliefTried(case="11.6", die=die, done=state.relieved, roll=state.rolls))


def fill_cup(state: State) -> None:
    """4.0 All markers go into the cup but that of the counterattack (11.3) and the 58th Corps (11.2);
    the 86th Corps has one once it has been triggered (11.4). 11.10 On turns 1 and 2 the Allied ones wait
    until the Germans have acted twice."""
    german = [*GERMAN_COMMANDS, *((zone86.COMMAND,) if state.zone_86 != "closed" else ())]
    german = sorted(key for key in german if key != state.counter_command)
    allied = sorted(ALLIED_COMMANDS)
    state.activated = []
    if state.turn <= INITIATIVE_TURNS:
        state.cup, state.held_back = german, allied
    else:
        state.cup, state.held_back = sorted([*german, *allied]), []
